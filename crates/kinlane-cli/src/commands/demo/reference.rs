//! Trajectories computed elsewhere to nearly full precision, and the deviations of kinlane's from them.

use super::Kept;
use serde::Deserialize;

/// `data/demo_reference.json`.
#[derive(Debug, Default, Deserialize)]
pub struct Reference {
    /// Pressure [Pa].
    pub pressure: f64,
    /// Length of a sub-step [s].
    pub interval: f64,
    /// Number of sub-steps.
    pub steps: usize,
    /// Sub-steps between two stored states.
    pub every: usize,
    /// The cells.
    pub cells: Vec<RefCell>,
}

/// One cell: its initial state, and T and mass fractions at the stored times.
#[derive(Debug, Deserialize)]
#[allow(missing_docs, reason = "the names are those of the species")]
pub struct RefCell {
    #[serde(rename = "T0")]
    pub t0: f64,
    pub phi: f64,
    #[serde(rename = "T")]
    pub temperature: Vec<f64>,
    #[serde(rename = "OH")]
    pub oh: Vec<f64>,
    #[serde(rename = "H")]
    pub h: Vec<f64>,
    #[serde(rename = "O")]
    pub o: Vec<f64>,
}

/// Deviations of one quantity over all cells and times.
pub struct Deviation {
    /// The quantity that is compared.
    pub name: &'static str,
    /// Median of the deviations.
    pub median: f64,
    /// Largest deviation.
    pub max: f64,
}

/// Mass fractions below this are compared absolutely.
pub const FLOOR: f64 = 1e-7;

impl Reference {
    /// The stored data. They are compiled in, and a test reads them.
    pub fn load() -> Self {
        serde_json::from_str(include_str!("../../../data/demo_reference.json")).unwrap_or_default()
    }

    /// Deviations of the kept cells from the stored ones.
    pub fn errors(&self, kept: &[Kept]) -> Vec<Deviation> {
        let mut all: [(&str, Vec<f64>); 4] = [("T", vec![]), ("OH", vec![]), ("H", vec![]), ("O", vec![])];
        for (r, k) in self.cells.iter().zip(kept) {
            let [oh, h, o] = &k.radicals;
            let pairs = [(&r.temperature, &k.temperature), (&r.oh, oh), (&r.h, h), (&r.o, o)];
            for ((name, list), (want, got)) in all.iter_mut().zip(pairs) {
                let floor = if *name == "T" { 0.0 } else { FLOOR };
                let got = got.iter().skip(self.every).step_by(self.every.max(1));
                list.extend(want.iter().zip(got).map(|(w, g)| (g - w).abs() / (w.abs() + floor)));
            }
        }
        all.into_iter()
            .map(|(name, mut list)| {
                list.sort_by(f64::total_cmp);
                let at = |i: usize| list.get(i).copied().unwrap_or(f64::NAN);
                Deviation { name, median: at(list.len() / 2), max: at(list.len().saturating_sub(1)) }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Reference;

    #[test]
    fn stored_trajectories_are_complete() {
        let r = Reference::load();
        assert!(r.cells.len() >= 4 && r.steps.is_multiple_of(r.every));
        for c in &r.cells {
            for list in [&c.temperature, &c.oh, &c.h, &c.o] {
                assert_eq!(list.len(), r.steps / r.every);
            }
        }
    }
}
