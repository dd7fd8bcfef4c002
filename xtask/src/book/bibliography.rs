//! The page of sources, made from `docs/bibliography.bib`.

use super::{read, write};
use std::path::Path;

const BIB: &str = "docs/bibliography.bib";
const PAGE: &str = "docs/bibliography.md";

/// Compares the page with what it should be, or writes it; the number of faults.
pub fn refresh(root: &Path, bless: bool) -> Result<usize, String> {
    let wanted = page(&read(&root.join(BIB))?);
    if read(&root.join(PAGE)).is_ok_and(|there| there == wanted) {
        return Ok(0);
    }
    if bless {
        write(&root.join(PAGE), &wanted)?;
        return Ok(0);
    }
    println!("{PAGE}: not as {BIB} says; `cargo xtask book run --bless` writes it");
    Ok(1)
}

/// One entry: its key and its fields.
struct Entry<'a> {
    key: &'a str,
    fields: Vec<(&'a str, String)>,
}

impl Entry<'_> {
    fn field(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(n, _)| *n == name).map(|(_, v)| v.as_str())
    }

    /// As a line of the list.
    fn line(&self) -> String {
        let part = |name: &str, before: &str, after: &str| {
            self.field(name).map_or_else(String::new, |v| format!("{before}{v}{after}"))
        };
        let place = ["journal", "booktitle", "howpublished", "institution", "publisher"].map(|n| part(n, " ", ""));
        let number = if self.field("volume").is_some() { part("number", "(", ")") } else { part("number", " ", "") };
        let link = match self.field("doi") {
            Some(doi) => format!(" [doi:{doi}](https://doi.org/{doi})"),
            None => part("url", " <", ">"),
        };
        format!(
            "- <a id=\"{key}\"></a>`{key}`: {}{}. *{}*.{}{}{number}{}.{link}{}\n",
            part("author", "", "").replace(" and ", "; "),
            part("year", " (", ")"),
            part("title", "", ""),
            place.concat(),
            part("volume", " ", ""),
            part("pages", ", ", ""),
            part("note", " (", ")"),
            key = self.key,
        )
        .replace("*..", "*.")
    }
}

/// The whole page; the comments of the file that stand alone are its sections.
fn page(bib: &str) -> String {
    let mut out = String::from(
        "# Bibliography\n\n<!-- Written by `cargo xtask book run --bless` from bibliography.bib. -->\n\n\
         The sources of methods, rate laws, mechanisms and formats. The keys are those of `bibliography.bib`, which lies\n\
         beside this page in the repository, and those that `kinlane methods` prints.\n",
    );
    let mut rest = bib;
    while let Some(i) = rest.find(['%', '@']) {
        rest = &rest[i..];
        if rest.starts_with('%') {
            let line = rest.lines().next().unwrap_or_default();
            let (before, after) = (&bib[..bib.len() - rest.len()], &rest[line.len()..]);
            // Of several lines of comment none is a heading.
            if before.ends_with("\n\n") && after.starts_with("\n\n") {
                out.push_str(&format!("\n## {}\n\n", line.trim_start_matches(['%', ' '])));
            }
            rest = after;
        } else {
            let end = rest.find("\n}").map_or(rest.len(), |e| e + 2);
            if let Some(entry) = entry(&rest[..end]) {
                out.push_str(&entry.line());
            }
            rest = &rest[end..];
        }
    }
    out
}

fn entry(text: &str) -> Option<Entry<'_>> {
    let (head, body) = text.split_once('\n')?;
    let key = head.split_once('{')?.1.trim_end_matches(',');
    let fields = body.lines().filter_map(|l| l.split_once('=')).map(|(name, value)| {
        let value = value.trim().trim_end_matches(',');
        let value = value.strip_prefix('{').and_then(|v| v.strip_suffix('}')).unwrap_or(value);
        let plain = if matches!(name.trim(), "doi" | "url") { value.to_owned() } else { prose(value) };
        (name.trim(), plain)
    });
    Some(Entry { key, fields: fields.collect() })
}

/// Text without LaTeX's braces and accents; formulas between dollars stay.
fn prose(latex: &str) -> String {
    let known = [("{\\\"o}", "ö"), ("{\\\"u}", "ü"), ("{\\o}", "ø"), ("--", "–")];
    let text = known.iter().fold(latex.to_owned(), |t, (from, to)| t.replace(from, to));
    let (mut out, mut formula) = (String::new(), false);
    for c in text.chars() {
        formula ^= c == '$';
        if formula || !matches!(c, '{' | '}') {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_becomes_a_line() {
        let bib = "% Head\n\n@article{a1999,\n  author = {S{\\\"o}derlind, G. and {Many} Others},\n  title = {On {NO$_2$}},\n  \
                   journal = {J},\n  volume = {1},\n  number = {2},\n  pages = {3--4},\n  year = {1999},\n  doi = {10.1/a_b}\n}\n";
        let got = page(&format!("\n{}", bib.replacen("% Head", "\n% Head", 1)));
        assert!(got.contains(
            "\n## Head\n\n- <a id=\"a1999\"></a>`a1999`: Söderlind, G.; Many Others (1999). *On NO$_2$*. J 1(2), 3–4."
        ));
        assert!(got.ends_with("[doi:10.1/a_b](https://doi.org/10.1/a_b)\n"), "{got}");
    }
}
