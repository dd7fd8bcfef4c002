//! Molar masses of the chemical elements, the hydrogen isotopes and the electron.
//!
//! Standard atomic weights of IUPAC 2018, the values that Cantera 3.2 uses, so that mole and mass fractions
//! agree with it to the last digit. Elements without a standard atomic weight (Tc, Pm, Po, ...) are absent:
//! a file that uses one has to state its mass.

/// Symbol and molar mass [g/mol].
const TABLE: &[(&str, f64)] = &[
    ("H", 1.008),
    ("He", 4.002602),
    ("Li", 6.94),
    ("Be", 9.0121831),
    ("B", 10.81),
    ("C", 12.011),
    ("N", 14.007),
    ("O", 15.999),
    ("F", 18.998403163),
    ("Ne", 20.1797),
    ("Na", 22.98976928),
    ("Mg", 24.305),
    ("Al", 26.9815384),
    ("Si", 28.085),
    ("P", 30.973761998),
    ("S", 32.06),
    ("Cl", 35.45),
    ("Ar", 39.95),
    ("K", 39.0983),
    ("Ca", 40.078),
    ("Sc", 44.955908),
    ("Ti", 47.867),
    ("V", 50.9415),
    ("Cr", 51.9961),
    ("Mn", 54.938043),
    ("Fe", 55.845),
    ("Co", 58.933194),
    ("Ni", 58.6934),
    ("Cu", 63.546),
    ("Zn", 65.38),
    ("Ga", 69.723),
    ("Ge", 72.63),
    ("As", 74.921595),
    ("Se", 78.971),
    ("Br", 79.904),
    ("Kr", 83.798),
    ("Rb", 85.4678),
    ("Sr", 87.62),
    ("Y", 88.90584),
    ("Zr", 91.224),
    ("Nb", 92.90637),
    ("Mo", 95.95),
    ("Ru", 101.07),
    ("Rh", 102.90549),
    ("Pd", 106.42),
    ("Ag", 107.8682),
    ("Cd", 112.414),
    ("In", 114.818),
    ("Sn", 118.71),
    ("Sb", 121.76),
    ("Te", 127.6),
    ("I", 126.90447),
    ("Xe", 131.293),
    ("Cs", 132.90545196),
    ("Ba", 137.327),
    ("La", 138.90547),
    ("Ce", 140.116),
    ("Pr", 140.90766),
    ("Nd", 144.242),
    ("Sm", 150.36),
    ("Eu", 151.964),
    ("Gd", 157.25),
    ("Tb", 158.925354),
    ("Dy", 162.5),
    ("Ho", 164.930328),
    ("Er", 167.259),
    ("Tm", 168.934218),
    ("Yb", 173.045),
    ("Lu", 174.9668),
    ("Hf", 178.49),
    ("Ta", 180.94788),
    ("W", 183.84),
    ("Re", 186.207),
    ("Os", 190.23),
    ("Ir", 192.217),
    ("Pt", 195.084),
    ("Au", 196.96657),
    ("Hg", 200.592),
    ("Tl", 204.38),
    ("Pb", 207.2),
    ("Bi", 208.9804),
    ("Th", 232.0377),
    ("Pa", 231.03588),
    ("U", 238.02891),
    ("D", 2.0141017781),
    ("Tr", 3.016049282),
    ("E", 0.0005485799088728283),
];

/// The usual spelling of an element's symbol and its molar mass [kg/mol]; upper and lower case do not matter.
pub fn find(symbol: &str) -> Option<(&'static str, f64)> {
    TABLE.iter().find(|(s, _)| s.eq_ignore_ascii_case(symbol)).map(|&(s, grams)| (s, grams / 1000.0))
}

/// All symbols, for suggestions.
pub fn symbols() -> impl Iterator<Item = &'static str> {
    TABLE.iter().map(|&(s, _)| s)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masses_are_found_in_any_case() {
        assert_eq!(find("AR"), Some(("Ar", 0.03995)));
        assert_eq!(find("h"), Some(("H", 0.001008)));
        assert_eq!(find("E"), Some(("E", 0.0005485799088728283 / 1000.0)));
        assert_eq!(find("Tc"), None);
    }

    /// Molar masses \[g/mol\] of compounds in the Handbook of Chemistry and Physics.
    #[test]
    fn compounds_have_their_molar_masses() {
        type Atoms<'a> = &'a [(&'a str, f64)];
        let known: [(Atoms<'_>, f64); 26] = [
            (&[("H", 3.0), ("P", 1.0), ("O", 4.0)], 97.995),
            (&[("Na", 1.0), ("Cl", 1.0)], 58.443),
            (&[("Ca", 1.0), ("C", 1.0), ("O", 3.0)], 100.087),
            (&[("Cu", 1.0), ("S", 1.0), ("O", 4.0)], 159.609),
            (&[("Si", 1.0), ("F", 4.0)], 104.079),
            (&[("K", 1.0), ("Br", 1.0)], 119.002),
            (&[("Ag", 1.0), ("I", 1.0)], 234.772),
            (&[("Hg", 1.0), ("Cl", 2.0)], 271.50),
            (&[("Fe", 2.0), ("O", 3.0)], 159.688),
            (&[("Ti", 1.0), ("O", 2.0)], 79.866),
            (&[("Al", 2.0), ("O", 3.0)], 101.961),
            (&[("B", 2.0), ("H", 6.0)], 27.670),
            (&[("U", 1.0), ("F", 6.0)], 352.019),
            (&[("Xe", 1.0), ("F", 2.0)], 169.290),
            (&[("Kr", 1.0), ("F", 2.0)], 121.795),
            (&[("Mg", 1.0), ("O", 1.0)], 40.304),
            (&[("Zn", 1.0), ("O", 1.0)], 81.379),
            (&[("As", 1.0), ("H", 3.0)], 77.945),
            (&[("Ga", 1.0), ("N", 1.0)], 83.730),
            (&[("Ge", 1.0), ("H", 4.0)], 76.66),
            (&[("W", 1.0), ("F", 6.0)], 297.83),
            (&[("Ni", 1.0), ("C", 4.0), ("O", 4.0)], 170.734),
            (&[("Cr", 1.0), ("O", 3.0)], 99.994),
            (&[("Mn", 1.0), ("O", 2.0)], 86.937),
            (&[("D", 2.0), ("O", 1.0)], 20.027),
            (&[("Pb", 1.0), ("O", 1.0)], 223.2),
        ];
        for (atoms, grams) in known {
            let mass: f64 = atoms.iter().map(|(symbol, n)| n * find(symbol).unwrap().1).sum();
            assert!((mass * 1e3 / grams - 1.0).abs() < 1e-4, "{atoms:?}: {mass}");
        }
    }
}
