//! Tables on a terminal: it has room for some of the rows, and for some of the species.

use crate::mixture::major;
use kinlane::Mechanism;

/// About so many of the rows, evenly spread, the first and the last among them.
pub fn some_of<T>(rows: &[T], most: usize) -> Vec<&T> {
    let every = rows.len().div_ceil(most).max(1);
    rows.iter().enumerate().filter(|(i, _)| i % every == 0 || i + 1 == rows.len()).map(|(_, row)| row).collect()
}

/// Narrowest column of numbers.
const NARROW: usize = 11;

/// Columns of mole fractions, of the species of which there is most.
pub struct Columns(Vec<(usize, String)>);

impl Columns {
    /// At most `most` columns, for these states.
    pub fn new(mechanism: &Mechanism, fractions: &[Vec<f64>], most: usize) -> Self {
        let head = |k: usize| format!("X {}", mechanism.species_names().get(k).map_or("", |name| name));
        Self(major(fractions, most).into_iter().map(|k| (k, head(k))).collect())
    }

    /// Their heads.
    pub fn heads(&self) -> String {
        self.0.iter().map(|(_, head)| format!(" {head:>NARROW$}")).collect()
    }

    /// The numbers of a state, each as wide as its head.
    pub fn row(&self, fractions: &[f64]) -> String {
        let number = |(k, head): &(usize, String)| {
            let width = head.chars().count().max(NARROW);
            format!(" {:>width$.4e}", fractions.get(*k).copied().unwrap_or(f64::NAN))
        };
        self.0.iter().map(number).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::some_of;

    #[test]
    fn the_first_and_the_last_row_are_shown() {
        let rows: Vec<usize> = (0..10).collect();
        assert_eq!(some_of(&rows, 4), [&0, &3, &6, &9]);
        assert_eq!(some_of(&rows, 3), [&0, &4, &8, &9]);
        assert_eq!(some_of(&rows, 20).len(), 10);
        assert!(some_of(&rows[..0], 20).is_empty());
    }
}
