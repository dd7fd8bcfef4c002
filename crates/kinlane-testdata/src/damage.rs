//! Damaged texts, for readers that must not panic. Edits are places, taken modulo what there is, and kinds from 0 to 2.

/// A text with characters replaced, removed and added.
pub fn characters(text: &str, edits: &[(usize, char, u8)]) -> String {
    let mut all: Vec<char> = text.chars().collect();
    for &(at, to, kind) in edits {
        let at = at % all.len().max(1);
        match kind {
            0 if at < all.len() => all[at] = to,
            1 if at < all.len() => _ = all.remove(at),
            _ => all.insert(at, to),
        }
    }
    all.into_iter().collect()
}

/// A text with lines swapped, removed and repeated.
pub fn lines(text: &str, edits: &[(usize, usize, u8)]) -> String {
    let mut all: Vec<&str> = text.lines().collect();
    for &(from, to, kind) in edits {
        let count = all.len().max(1);
        let (from, to) = (from % count, to % count);
        match kind {
            _ if all.is_empty() => {}
            0 => all.swap(from, to),
            1 => _ = all.remove(from),
            _ => all.insert(to, all[from]),
        }
    }
    all.join("\n")
}
