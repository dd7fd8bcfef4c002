//! Masses of nuclides.

/// See its first lines.
const TABLE: &str = include_str!("masses.txt");
/// Of the isomer of Al-26 above its ground state \[MeV\].
pub(crate) const ISOMER: f64 = 0.228_306;

/// Mass excess of a neutral atom \[MeV\]: its mass less that of as many atomic mass units as it has nucleons, for `z` protons
/// and `a` nucleons.
pub fn excess(z: u32, a: u32) -> Option<f64> {
    let of = |line: &'static str| {
        let (own, rest) = line.split_once(' ')?;
        let (first, numbers) = rest.split_once(' ')?;
        (own.parse() == Ok(z)).then_some((first.parse::<u32>().ok()?, numbers))
    };
    let (first, numbers) = TABLE.lines().find_map(of)?;
    numbers.split(' ').nth(a.checked_sub(first)? as usize)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masses_are_those_of_the_table() {
        let known = [(0, 1, 8.071_318_1), (1, 1, 7.288_971_064), (6, 12, 0.0), (2, 4, 2.424_915_87)];
        for (z, a, want) in known {
            assert_eq!(excess(z, a), Some(want));
        }
        // Iron 56 and nickel 62 are bound most: 8.79 MeV a nucleon.
        for (z, a) in [(26, 56), (28, 62)] {
            let parts = f64::from(z) * 7.288_971_064 + f64::from(a - z) * 8.071_318_1;
            let bound = (parts - excess(z, a).unwrap()) / f64::from(a);
            assert!((8.790..8.795).contains(&bound), "{bound}");
        }
        assert_eq!([excess(2, 2), excess(2, 99), excess(119, 300), excess(0, 0)], [None; 4]);
        assert!(TABLE.lines().skip(2).all(|line| line.split(' ').all(|w| w == "-" || w.parse::<f64>().is_ok())));
    }
}
