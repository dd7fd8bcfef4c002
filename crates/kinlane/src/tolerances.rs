//! Absolute tolerances of single species.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// Absolute tolerances of some species, by name: from pairs, or from text such as `OH:1e-16,H:1e-15`. Of several for one species the last
/// one counts.
///
/// ```
/// use kinlane::Tolerances;
///
/// let own: Tolerances = "OH:1e-16, C4H8,1:1e-9".parse()?;
/// assert_eq!(own, Tolerances::from_iter([("OH", 1e-16), ("C4H8,1", 1e-9)]));
/// # Ok::<(), kinlane::TolerancesError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Tolerances(BTreeMap<String, f64>);

/// Text that gives no tolerances of species.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{part}` is no tolerance of a species, or the second of one; write it as OH:1e-16,H:1e-15")]
pub struct TolerancesError {
    /// What could not be read.
    pub part: String,
}

impl Tolerances {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Each with the name of its species.
    pub fn iter(&self) -> impl Iterator<Item = (&str, f64)> {
        self.0.iter().map(|(name, own)| (name.as_str(), *own))
    }

    /// That of a species, if it has one of its own.
    pub fn of(&self, species: &str) -> Option<f64> {
        self.0.get(species).copied()
    }
}

impl<S: Into<String>> FromIterator<(S, f64)> for Tolerances {
    fn from_iter<I: IntoIterator<Item = (S, f64)>>(all: I) -> Self {
        Self(all.into_iter().map(|(name, own)| (name.into(), own)).collect())
    }
}

impl FromStr for Tolerances {
    type Err = TolerancesError;

    fn from_str(text: &str) -> Result<Self, TolerancesError> {
        let mut all = BTreeMap::new();
        // Names may have commas: what has no number behind it goes on with what follows.
        let mut name = String::new();
        for part in text.split(',') {
            let Some((last, own)) = part.rsplit_once([':', '=']) else {
                name = name + part + ",";
                continue;
            };
            let own = own.trim().parse().map_err(|_| TolerancesError { part: part.trim().to_owned() })?;
            name += last;
            if all.insert(name.trim().to_owned(), own).is_some() {
                return Err(TolerancesError { part: part.trim().to_owned() });
            }
            name.clear();
        }
        match name.trim_end_matches(',').trim() {
            "" => Ok(Self(all)),
            rest => Err(TolerancesError { part: rest.to_owned() }),
        }
    }
}

impl fmt::Display for Tolerances {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (name, own)) in self.iter().enumerate() {
            write!(f, "{}{name}:{own:e}", if i > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}
