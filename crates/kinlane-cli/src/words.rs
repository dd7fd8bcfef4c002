//! Counts and numbers in readable form.

use std::str::FromStr;

/// A count with its noun: `1 cell`, `2 cells`.
pub fn count(n: usize, one: &str) -> String {
    format!("{n} {one}{}", if n == 1 { "" } else { "s" })
}

/// The parts of a list, without blanks around them: commas inside brackets belong to names, as in `C5H5O(2,4)`.
pub fn parts(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0usize;
    let ends = text.split(move |c| {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && matches!(c, ',' | ';')
    });
    ends.map(str::trim).filter(|part| !part.is_empty())
}

/// Parts that were cut at commas of names, as of `I-C4H9,1`: how many of them, from each name's first part on, make a name that
/// is known. A part that is in no such name is by itself.
pub fn rejoin(parts: &[&str], known: impl Fn(&str) -> bool) -> Vec<usize> {
    let mut lengths = Vec::new();
    let mut at = 0;
    while let Some(rest) = parts.get(at..).filter(|rest| !rest.is_empty()) {
        let whole = |&n: &usize| known(&rest[..n].join(","));
        let length = if known(rest[0]) { 1 } else { (2..=rest.len().min(LONGEST)).find(whole).unwrap_or(1) };
        lengths.push(length);
        at += length;
    }
    lengths
}

/// Most parts that a name has.
const LONGEST: usize = 6;

/// A list of names on the command line.
#[derive(Debug, Clone, Default)]
pub struct Names(pub Vec<String>);

impl FromStr for Names {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names: Vec<String> = parts(text).map(str::to_owned).collect();
        if names.is_empty() { Err("no name is given; write a list as A,B,C".into()) } else { Ok(Self(names)) }
    }
}

impl Names {
    /// The names in an option that may be given several times.
    pub fn all(lists: &[Self]) -> Vec<String> {
        lists.iter().flat_map(|list| list.0.iter().cloned()).collect()
    }

    /// The same of names that may have commas in them.
    pub fn known(lists: &[Self], known: impl Fn(&str) -> bool) -> Vec<String> {
        let all = Self::all(lists);
        let mut parts = all.iter().map(String::as_str).collect::<Vec<_>>();
        let lengths = rejoin(&parts, known);
        lengths.into_iter().map(|length| parts.drain(..length).collect::<Vec<_>>().join(",")).collect()
    }
}

/// A number for titles and legends: four decimals without trailing zeros; four digits and a power of ten if
/// it is very small or large.
pub fn short(x: f64) -> String {
    let size = x.abs();
    if x != 0.0 && !(1e-2..1e7).contains(&size) {
        let text = format!("{x:.3e}");
        return match text.split_once('e') {
            Some((digits, power)) => format!("{}e{power}", trimmed(digits)),
            None => text,
        };
    }
    trimmed(&format!("{x:.4}")).to_owned()
}

/// A number with so many decimals, unless it has many digits before them.
pub fn fixed(x: f64, decimals: usize) -> String {
    if x.abs() < 1e7 { format!("{x:.decimals$}") } else { format!("{x:.3e}") }
}

/// Removes trailing zeros after the point.
fn trimmed(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_may_have_commas_in_them() {
        let known = |name: &str| ["I-C4H9,1", "O2", "1-C4H8", "A,B,C"].contains(&name);
        assert_eq!(rejoin(&["I-C4H9", "1", "O2", "X", "A", "B", "C", "1-C4H8"], known), [2, 1, 1, 3, 1]);
        assert_eq!(rejoin(&[], known), [0; 0]);
        let lists: Vec<Names> = ["O2,I-C4H9,1", "nothing"].iter().map(|list| list.parse().expect("names")).collect();
        assert_eq!(Names::known(&lists, known), ["O2", "I-C4H9,1", "nothing"]);
    }

    #[test]
    fn one_is_no_plural() {
        assert_eq!([0, 1, 2].map(|n| count(n, "cell")), ["0 cells", "1 cell", "2 cells"]);
    }

    #[test]
    fn tables_keep_their_width() {
        assert_eq!([1000.0, 1e300].map(|x| fixed(x, 2)), ["1000.00", "1.000e300"]);
    }

    #[test]
    fn commas_in_brackets_are_of_names() {
        let of = |text| parts(text).collect::<Vec<_>>();
        assert_eq!(of("H2, C5H5O(2,4) ,CH2(S)"), ["H2", "C5H5O(2,4)", "CH2(S)"]);
        assert_eq!(of("A[1,(2,3)]:0.5; B)x,C,"), ["A[1,(2,3)]:0.5", "B)x", "C"]);
        assert!(of(" , ").is_empty() && " ,".parse::<Names>().is_err());
    }

    #[test]
    fn numbers_are_short() {
        let text = [7.0 / 11.0, 1.0, 300.0, 0.0, 1.5e-5, 1e300, -2.5, 1_234.567_89].map(short);
        assert_eq!(text, ["0.6364", "1", "300", "0", "1.5e-5", "1e300", "-2.5", "1234.5679"]);
    }
}
