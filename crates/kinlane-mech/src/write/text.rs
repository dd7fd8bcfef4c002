//! Lines of YAML: quotes where they are needed, and lists broken before they get too long.

/// Lines are broken before this column.
const WIDTH: usize = 110;
/// Words that some YAML readers take for truth values or for null.
const WORDS: [&str; 7] = ["yes", "no", "on", "off", "true", "false", "null"];

/// A name in a form that is valid anywhere, even inside brackets.
pub fn name(text: &str) -> String {
    let safe = |c: char| c.is_ascii_alphanumeric() || "_()-+*/^.<>=|".contains(c);
    let plain = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(safe)
        && !WORDS.iter().any(|word| text.eq_ignore_ascii_case(word));
    if plain { text.to_owned() } else { quoted(text) }
}

/// The value of a `key: value` line, such as an equation.
pub fn value(text: &str) -> String {
    let plain = text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '(')
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.ends_with([':', ' '])
        && !text.contains(unprintable)
        && (text.contains(' ') || name(text) == text);
    if plain { text.to_owned() } else { quoted(text) }
}

fn quoted(text: &str) -> String {
    if !text.contains(unprintable) {
        return format!("'{}'", text.replace('\'', "''"));
    }
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if unprintable(c) => out.push_str(&format!("\\U{:08X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out + "\""
}

/// `key: [a, b]` over as many lines as needed.
pub fn list(key: &str, items: &[String]) -> String {
    flow(key, '[', items, ']')
}

/// `key: {a: 1, b: 2}` over as many lines as needed.
pub fn map(key: &str, items: &[(String, String)]) -> String {
    let items: Vec<String> = items.iter().map(|(k, v)| format!("{k}: {v}")).collect();
    flow(key, '{', &items, '}')
}

/// A row of a table: `- [1.0, 2.0]`.
pub fn row(items: &[String]) -> String {
    flow("", '[', items, ']')
}

fn flow(key: &str, open: char, items: &[String], close: char) -> String {
    let mut out = if key.is_empty() { format!("- {open}") } else { format!("{key}: {open}") };
    let mut column = out.len();
    for (i, item) in items.iter().enumerate() {
        let comma = if i + 1 < items.len() { "," } else { "" };
        if i > 0 {
            if column + item.len() + 2 > WIDTH {
                out.push_str("\n  ");
                column = 2;
            } else {
                out.push(' ');
                column += 1;
            }
        }
        out.push_str(item);
        out.push_str(comma);
        column += item.len() + comma.len();
    }
    out.push(close);
    out
}

/// Indents every line.
pub fn indent(text: &str, by: usize) -> String {
    let blank = " ".repeat(by);
    let lines: Vec<String> =
        text.lines().map(|line| if line.is_empty() { String::new() } else { format!("{blank}{line}") }).collect();
    lines.join("\n")
}

/// Turns lines into an item of a block list: `- ` before the first, the others aligned with its text.
pub fn item(lines: &[String]) -> String {
    let text = indent(&lines.join("\n"), 2);
    format!("-{}", text.get(1..).unwrap_or(""))
}

/// A text of several lines: `key: |-`. Blanks at the ends of lines are removed, since block texts cannot
/// preserve them.
pub fn block(key: &str, text: &str) -> String {
    let clean = text.lines().map(printable).collect::<Vec<_>>().join("\n");
    let lines: Vec<&str> = clean.trim().lines().map(str::trim_end).collect();
    format!("{key}: |-\n{}", indent(&lines.join("\n"), 2))
}

/// A line without characters that have no form, which readers may refuse; a tab is a blank.
pub fn printable(line: &str) -> String {
    line.chars().map(|c| if c == '\t' { ' ' } else { c }).filter(|&c| !unprintable(c)).collect()
}

/// Whether a character has no form: control characters, and the mark of byte order.
fn unprintable(c: char) -> bool {
    c.is_control() || c == '\u{feff}'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_mean_something_to_yaml_are_quoted() {
        for plain in ["CH2(S)", "H2O", "O2-", "n-C3H7", "N", "A*B"] {
            assert_eq!(name(plain), plain);
        }
        assert_eq!(name("NO"), "'NO'");
        assert_eq!(name("1CH2"), "'1CH2'");
        assert_eq!(name("a'b,c"), "'a''b,c'");
        assert_eq!(name("a\tb"), "\"a\\U00000009b\"");
        assert_eq!(value("2 OH (+M) <=> H2O2 (+M)"), "2 OH (+M) <=> H2O2 (+M)");
        assert_eq!(value("A: B => C"), "'A: B => C'");
    }

    #[test]
    fn long_lists_are_broken() {
        let items: Vec<String> = (0..60).map(|i| format!("S{i}")).collect();
        let text = list("species", &items);
        assert!(text.lines().count() > 1 && text.lines().all(|line| line.len() <= WIDTH), "{text}");
        assert_eq!(item(&["a: 1".into(), "b: 2".into()]), "- a: 1\n  b: 2");
    }
}
