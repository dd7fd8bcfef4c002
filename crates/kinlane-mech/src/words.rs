//! Phrases that messages share.

use std::fmt::Display;

/// Number of names and places that a finding about several of them shows.
pub const SHOWN: usize = 8;

/// The first few names, and the number of the others: `a, b, c and 3 more`.
pub fn few(names: impl IntoIterator<Item = impl Display>) -> String {
    let mut names = names.into_iter();
    let shown: Vec<String> = names.by_ref().take(SHOWN).map(|name| name.to_string()).collect();
    let shown = shown.join(", ");
    match names.count() {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// The same with every name in back quotes.
pub fn quoted(names: impl IntoIterator<Item = impl Display>) -> String {
    few(names.into_iter().map(|name| format!("`{name}`")))
}

/// The remedy for a name that is not known: the name that may be meant, or else what else to do.
pub fn did_you_mean(near: Option<&str>, otherwise: &str) -> String {
    near.map_or_else(|| otherwise.to_owned(), |near| format!("did you mean `{near}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_names_and_the_number_of_the_others() {
        assert_eq!(few([0; 0]), "");
        assert_eq!(quoted(["a", "b"]), "`a`, `b`");
        assert_eq!(few(1..=8), "1, 2, 3, 4, 5, 6, 7, 8");
        assert_eq!(few(1..=10), "1, 2, 3, 4, 5, 6, 7, 8 and 2 more");
    }
}
