//! Conditions of the C preprocessor within inlined code.

use super::codes;
use super::commands::blank;
use super::part::Part;
use crate::words::SHOWN;
use crate::{Diagnostic, Span};
use std::collections::HashSet;

/// A condition that is open.
struct Open {
    /// Whether the code around it counts.
    around: bool,
    /// Whether one of its branches has counted.
    had: bool,
    /// Whether this branch counts.
    here: bool,
}

/// The code that is left where no name is defined but by the code itself, as by the preprocessor without options; every byte stays
/// where it is. Conditions are reported: a host may define names.
pub(super) fn followed(mut code: Part, found: &mut Vec<Diagnostic>) -> Part {
    let (mut bytes, mut from) = (code.text.clone().into_bytes(), 0);
    let (mut open, mut defined): (Vec<Open>, HashSet<&str>) = Default::default();
    let mut told: Vec<(Span, String)> = Vec::new();
    for line in code.text.split_inclusive('\n') {
        let counts = open.last().is_none_or(|o| o.here);
        let directive = line.trim_start().strip_prefix('#').map(str::trim);
        if directive.is_some() || !counts {
            blank(&mut bytes, from, from + line.len());
        }
        let (word, rest) = directive.map_or(("", ""), |d| d.split_once(char::is_whitespace).unwrap_or((d, "")));
        let name = rest.split_whitespace().next().unwrap_or_default();
        let mut branch = |holds: bool| {
            let label = if holds { "taken to hold" } else { "taken not to hold" };
            let start = from + line.len() - line.trim_start().len();
            told.push((code.span(start, from + line.trim_end().len()), label.to_owned()));
            holds
        };
        match word {
            "if" | "ifdef" | "ifndef" => {
                let holds = counts
                    && branch(match word {
                        "ifdef" => defined.contains(name),
                        "ifndef" => !defined.contains(name),
                        _ => holds(rest, &defined),
                    });
                open.push(Open { around: counts, had: holds, here: holds });
            }
            "elif" => {
                if let Some(last) = open.last_mut() {
                    last.here = last.around && !last.had && branch(holds(rest, &defined));
                    last.had |= last.here;
                }
            }
            "else" => {
                if let Some(last) = open.last_mut() {
                    last.here = last.around && !last.had;
                    last.had = true;
                }
            }
            "endif" => _ = open.pop(),
            "define" if counts => _ = defined.insert(name),
            "undef" if counts => _ = defined.remove(name),
            _ => {}
        }
        from += line.len();
    }
    if !told.is_empty() {
        told.truncate(SHOWN);
        let message = "code depends on conditions of the preprocessor";
        let help =
            "names that the file does not define count as undefined; remove the conditions if the host defines them";
        found.push(Diagnostic { labels: told, ..Diagnostic::warning(codes::PREPROCESSOR, message).help(help) });
    }
    code.text = String::from_utf8_lossy(&bytes).into_owned();
    code
}

/// Whether a condition holds: alternatives of conditions that must hold together, each a number, a name, or `defined(NAME)`, with
/// or without `!`.
fn holds(condition: &str, defined: &HashSet<&str>) -> bool {
    let one = |text: &str| {
        let plain = text.trim_matches(|c: char| c.is_whitespace() || c == '(' || c == ')');
        let (not, plain) = plain.strip_prefix('!').map_or((false, plain), |rest| (true, rest.trim_start()));
        let yes = match plain.strip_prefix("defined") {
            Some(name) => defined.contains(name.trim_matches(|c: char| c.is_whitespace() || c == '(' || c == ')')),
            None => plain.parse::<i64>().is_ok_and(|number| number != 0),
        };
        yes != not
    };
    condition.split("||").any(|all| all.split("&&").all(one))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words that are left.
    fn left(text: &str) -> String {
        let mut found = Vec::new();
        let code = followed(Part { file: 1, start: 0, text: text.into() }, &mut found);
        assert_eq!(code.text.len(), text.len());
        assert_eq!(found.len(), usize::from(text.contains("#if")), "{text}");
        code.text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn branches_of_what_is_not_defined() {
        for (text, expected) in [
            ("a\n#ifdef X\nb\n#endif\nc", "a c"),
            ("#ifdef X\na\n#else\nb\n#endif", "b"),
            ("#ifndef X\na\n#else\nb\n#endif", "a"),
            ("#if 0\na\n#elif 1\nb\n#elif 1\nc\n#else\nd\n#endif", "b"),
            ("#define X 1\n# ifdef X\na\n#endif\n#undef X\n#ifdef X\nb\n#endif", "a"),
            ("#if X\n#if 1\na\n#else\nb\n#endif\n#else\nc\n#endif\nd", "c d"),
            ("#if defined(X) || !defined Y\na\n#endif", "a"),
            ("#if defined(X) && 1\na\n#endif\nb", "b"),
            ("#include <x>\na\n#endif\nb", "a b"),
        ] {
            assert_eq!(left(text), expected, "{text}");
        }
    }
}
