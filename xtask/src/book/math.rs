//! What mdBook does not do by itself: formulas between dollars become MathML, which browsers draw without a script;
//! and links to files of the repository outside the book become their names.

use pulldown_latex::config::{DisplayMode, RenderConfig};
use pulldown_latex::{Parser, Storage, mathml};
use serde_json::Value;
use std::io::Read;
use std::path::Path;

/// Answers mdBook: takes \[context, book\] from standard input and prints the book.
pub fn converse() -> Result<usize, String> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).map_err(|e| e.to_string())?;
    let mut both: Value = serde_json::from_str(&text).map_err(|e| format!("what mdBook sends: {e}"))?;
    let book = both.get_mut(1).ok_or("mdBook sends no book")?;
    walk(book)?;
    println!("{book}");
    Ok(0)
}

/// Changes every chapter below a value.
fn walk(value: &mut Value) -> Result<(), String> {
    if let Some(path) = value.get("path").and_then(Value::as_str).map(str::to_owned)
        && let Some(content) = value.get("content").and_then(Value::as_str)
    {
        let changed = chapter(content, &path).map_err(|e| format!("{path}: {e}"))?;
        value["content"] = Value::String(changed);
    }
    match value {
        Value::Array(items) => items.iter_mut().try_for_each(walk),
        Value::Object(fields) => fields.values_mut().try_for_each(walk),
        _ => Ok(()),
    }
}

/// A chapter's text, outside of its code.
pub fn chapter(text: &str, path: &str) -> Result<String, String> {
    let depth = Path::new(path).components().count() - 1;
    let mut out = String::new();
    let (mut fenced, mut prose) = (false, String::new());
    for line in text.split_inclusive('\n') {
        let fence = line.starts_with("```");
        if fence && !fenced {
            out.push_str(&convert(&prose, depth)?);
            prose.clear();
        }
        if fenced || fence {
            out.push_str(line)
        } else {
            prose.push_str(line)
        }
        fenced ^= fence;
    }
    out.push_str(&convert(&prose, depth)?);
    Ok(out)
}

/// Prose: `$…$`, `$$…$$` and links outwards; what stands between backticks is left alone.
fn convert(text: &str, depth: usize) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(i) = rest.find(['`', '$', ']']) {
        out.push_str(&rest[..i]);
        rest = &rest[i..];
        let taken = match rest.as_bytes()[0] {
            b'`' => {
                let n = rest.bytes().take_while(|b| *b == b'`').count();
                let end = rest[n..].find(&rest[..n]).map_or(n, |e| e + 2 * n);
                out.push_str(&rest[..end]);
                end
            }
            b']' => match outward(rest, depth) {
                Some((file, end)) => {
                    out.push_str(&format!("] (`{file}`)"));
                    end
                }
                None => {
                    out.push(']');
                    1
                }
            },
            _ => {
                let n = if rest.starts_with("$$") { 2 } else { 1 };
                let end = rest[n..].find(&rest[..n]).ok_or_else(|| format!("a formula has no end: {}", head(rest)))?;
                out.push_str(&formula(&rest[n..n + end], n == 2)?);
                end + 2 * n
            }
        };
        rest = &rest[taken..];
    }
    out.push_str(rest);
    Ok(out)
}

/// A link to what lies outside of `docs/`: the file from the repository's root, and where the link ends.
fn outward(text: &str, depth: usize) -> Option<(&str, usize)> {
    let (target, _) = text.strip_prefix("](")?.split_once(')')?;
    let up = "../".repeat(depth + 1);
    Some((target.strip_prefix(up.as_str())?, target.len() + 3))
}

/// LaTeX as MathML, so that Markdown leaves it as it is.
fn formula(latex: &str, block: bool) -> Result<String, String> {
    let storage = Storage::new();
    if let Some(Err(e)) = Parser::new(latex, &storage).find(Result::is_err) {
        return Err(format!("{e}"));
    }
    let mode = if block { DisplayMode::Block } else { DisplayMode::Inline };
    let mut out = String::new();
    mathml::push_mathml(
        &mut out,
        Parser::new(latex, &storage),
        RenderConfig { display_mode: mode, ..Default::default() },
    )
    .map_err(|e| format!("{}: {e}", head(latex)))?;
    // What the library does not write as HTML wants it.
    let slips = [("<mo><</mo>", "<mo>&lt;</mo>"), ("&amp;nbsp;", "&#160;"), ("\"minsize", "\" minsize"), ("\n", " ")];
    let out = slips.iter().fold(out, |text, (from, to)| text.replace(from, to));
    let plain = [("*", "&#42;"), ("_", "&#95;"), ("[", "&#91;"), ("]", "&#93;")];
    Ok(plain.iter().fold(out, |text, (from, to)| text.replace(from, to)))
}

/// The first words, for messages.
fn head(text: &str) -> String {
    text.chars().take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_become_mathml_and_code_stays() {
        let got = chapter("A $x_1$ and `$HOME`.\n```sh\necho $HOME $x$\n```\n$$a < b$$\n", "a.md").expect("a chapter");
        assert!(got.starts_with("A <math display=\"inline\"><msub><mi>x</mi><mn>1</mn></msub></math> and `$HOME`.\n"));
        assert!(got.contains("\necho $HOME $x$\n```\n<math display=\"block\">"), "{got}");
        assert!(got.contains("&lt;") && !got.contains("<<"), "{got}");
        let big = formula("f\\Big(x\\Big)", true).expect("a formula");
        assert!(!big.contains("\"m"), "{big}");
        assert!(chapter("$\\nonsense$", "a.md").is_err());
        assert!(chapter("only one $", "a.md").is_err());
    }

    #[test]
    fn links_outwards_are_named() {
        let got = chapter("[it](../../benches/x.md) [here](../a.md#b)", "decisions/1.md").expect("a chapter");
        assert_eq!(got, "[it] (`benches/x.md`) [here](../a.md#b)");
    }
}
