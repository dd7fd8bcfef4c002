//! Names of nuclides: `n`, `p`, `d`, `t`, else the symbol of the element and the mass number, as `he4`.

use std::borrow::Cow;

/// Symbols of the elements by their number of protons; the first is that of the neutron.
const SYMBOLS: [&str; 119] = [
    "n", "h", "he", "li", "be", "b", "c", "n", "o", "f", "ne", "na", "mg", "al", "si", "p", "s", "cl", "ar", "k", "ca",
    "sc", "ti", "v", "cr", "mn", "fe", "co", "ni", "cu", "zn", "ga", "ge", "as", "se", "br", "kr", "rb", "sr", "y",
    "zr", "nb", "mo", "tc", "ru", "rh", "pd", "ag", "cd", "in", "sn", "sb", "te", "i", "xe", "cs", "ba", "la", "ce",
    "pr", "nd", "pm", "sm", "eu", "gd", "tb", "dy", "ho", "er", "tm", "yb", "lu", "hf", "ta", "w", "re", "os", "ir",
    "pt", "au", "hg", "tl", "pb", "bi", "po", "at", "rn", "fr", "ra", "ac", "th", "pa", "u", "np", "pu", "am", "cm",
    "bk", "cf", "es", "fm", "md", "no", "lr", "rf", "db", "sg", "bh", "hs", "mt", "ds", "rg", "cn", "nh", "fl", "mc",
    "lv", "ts", "og",
];

/// Nuclides with names of their own: the light ones, and the ground state and the isomer of al26, which REACLIB has
/// beside al26 in thermal balance.
const NAMED: [(&str, Numbers); 6] = [
    ("n", Numbers { a: 1, z: 0 }),
    ("p", Numbers { a: 1, z: 1 }),
    ("d", Numbers { a: 2, z: 1 }),
    ("t", Numbers { a: 3, z: 1 }),
    ("al-6", Numbers { a: 26, z: 13 }),
    ("al*6", Numbers { a: 26, z: 13 }),
];

/// What other files call the light ones.
const OTHERWISE: [(&str, &str); 3] = [("h1", "p"), ("h2", "d"), ("h3", "t")];

/// Words for nuclides that are no names here, and what they mean.
const WORDS: [(&str, &str); 12] = [
    ("neut", "n"),
    ("neutron", "n"),
    ("n1", "n"),
    ("prot", "p"),
    ("proton", "p"),
    ("h", "p"),
    ("hydrogen", "p"),
    ("deut", "d"),
    ("deuteron", "d"),
    ("trit", "t"),
    ("alpha", "he4"),
    ("he", "he4"),
];

/// What a nuclide is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Numbers {
    /// Nucleons.
    pub a: u32,
    /// Protons.
    pub z: u32,
}

/// Whether a name is that of the isomer of al26.
pub(super) fn is_isomer(name: &str) -> bool {
    name == "al*6"
}

/// What a name in a library stands for, if it is one of a nuclide.
pub(super) fn numbers(name: &str) -> Option<Numbers> {
    if let Some((_, numbers)) = NAMED.iter().find(|(known, _)| *known == name) {
        return Some(*numbers);
    }
    let (symbol, a) = name.split_at_checked(name.bytes().take_while(u8::is_ascii_lowercase).count())?;
    let digits = (1..=3).contains(&a.len()) && a.bytes().all(|b| b.is_ascii_digit());
    let a = a.parse::<u32>().ok().filter(|_| digits)?;
    let z = SYMBOLS.iter().skip(1).position(|known| *known == symbol)? as u32 + 1;
    (a >= z).then_some(Numbers { a, z })
}

/// The one name of a nuclide, of a name that a user or a file has: in lower case, without zeros before the mass number, and
/// `p` for `h1`.
pub fn canonical(name: &str) -> String {
    let name = plain(&name.trim().to_lowercase()).into_owned();
    OTHERWISE.iter().find(|(other, _)| *other == name).map_or(name, |(_, own)| (*own).to_owned())
}

/// As [`canonical`], of a name in a library, which is in lower case.
pub(super) fn one_name(name: &str) -> Cow<'_, str> {
    match OTHERWISE.iter().find(|(other, _)| *other == name) {
        Some((_, own)) => Cow::Borrowed(own),
        None => match plain(name) {
            Cow::Owned(short) => Cow::Owned(canonical(&short)),
            same => same,
        },
    }
}

/// A name without the zeros before its mass number.
fn plain(name: &str) -> Cow<'_, str> {
    let letters = name.bytes().take_while(u8::is_ascii_lowercase).count();
    let Some((symbol, a)) = name.split_at_checked(letters) else { return Cow::Borrowed(name) };
    match a.trim_start_matches('0') {
        short if short.is_empty() || short.len() == a.len() => Cow::Borrowed(name),
        short => Cow::Owned(format!("{symbol}{short}")),
    }
}

/// The nuclide that is meant by what is none: `he4` by `4He`, `he-4` and `alpha`, `p` by `prot`.
pub fn meant(name: &str) -> Option<String> {
    let word = name.trim().to_lowercase();
    if let Some((_, own)) = WORDS.iter().find(|(known, _)| *known == word) {
        return Some((*own).to_owned());
    }
    let of = |wanted: fn(&char) -> bool| word.chars().filter(wanted).collect::<String>();
    let own = canonical(&(of(char::is_ascii_lowercase) + &of(char::is_ascii_digit)));
    let plain = word.chars().all(|c| c.is_ascii_alphanumeric() || ['-', '_', ' '].contains(&c));
    (plain && own != name && numbers(&own).is_some()).then_some(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_reaclib() {
        let of = |name: &str| numbers(name).map(|n| (n.a, n.z));
        assert_eq!(of("n"), Some((1, 0)));
        assert_eq!([of("p"), of("d"), of("t")], [Some((1, 1)), Some((2, 1)), Some((3, 1))]);
        assert_eq!([of("he4"), of("n14"), of("p31")], [Some((4, 2)), Some((14, 7)), Some((31, 15))]);
        assert_eq!([of("al26"), of("al-6"), of("al*6")], [Some((26, 13)); 3]);
        assert_eq!(of("ds339"), Some((339, 110)));
        for wrong in ["", "he", "4he", "xx4", "he1", "he+4", "he4444", "n\u{e9}", "He4"] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
        assert_eq!(["He4", " H1", "h2", "H3", "N"].map(canonical), ["he4", "p", "d", "t", "n"]);
        assert_eq!(["C012", "h001", "ca40", "al-6"].map(canonical), ["c12", "p", "ca40", "al-6"]);
        assert_eq!(["c012", "h01", "h1", "ne20", "c0"].map(one_name), ["c12", "p", "p", "ne20", "c0"]);
    }

    #[test]
    fn other_ways_of_writing_are_understood() {
        let of = ["4He", "he-4", "alpha", "Prot", "neut", "C-12", "12c", "1H"].map(meant);
        assert_eq!(of.map(Option::unwrap), ["he4", "he4", "he4", "p", "n", "c12", "c12", "p"]);
        assert_eq!(["elec", "xx4", "", "4", "he+4", "\u{e9}4"].map(meant), [const { None }; 6]);
    }
}
