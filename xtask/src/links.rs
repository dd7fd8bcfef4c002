//! Links between the documents of this repository.

use crate::rules::{Fault, Sources};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

/// Relative links in Markdown that lead to no file, or to no heading of one.
pub fn broken(root: &Path, sources: &Sources) -> Vec<Fault> {
    let pages: BTreeMap<PathBuf, &str> = sources.ending(".md").map(|(p, text)| (p.into(), text)).collect();
    let mut faults = Vec::new();
    for (path, text) in sources.ending(".md") {
        for (i, line) in prose(text) {
            for target in line.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
                let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
                if target.contains("://") {
                    continue;
                }
                let to = if file.is_empty() { path.into() } else { seen_from(Path::new(path), file) };
                let there = match pages.get(&to) {
                    Some(text) if !anchor.is_empty() => anchors(&to, text, &pages).contains(anchor),
                    known => known.is_some() || root.join(&to).exists(),
                };
                if !there {
                    faults.push(Fault { place: format!("{path}:{i}"), what: format!("there is no {target}") });
                }
            }
        }
    }
    faults
}

/// Lines outside of blocks of code, numbered from 1.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fenced = false;
    (1..).zip(text.lines()).filter(move |(_, line)| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    })
}

/// What a link of a page leads to, without `..`.
fn seen_from(page: &Path, link: &str) -> PathBuf {
    let mut out = PathBuf::new();
    for part in page.parent().unwrap_or(Path::new("")).join(link).components() {
        match part {
            Component::ParentDir => drop(out.pop()),
            Component::Normal(p) => out.push(p),
            _ => {}
        }
    }
    out
}

/// Names of the headings of a page, and of those that it includes, as GitHub and mdBook make them: letters and digits in lower case,
/// a dash for each space, a number where the same heading comes again. And names that are given, `id="name"`.
fn anchors(page: &Path, text: &str, pages: &BTreeMap<PathBuf, &str>) -> BTreeSet<String> {
    let included = text.lines().filter_map(|line| line.strip_prefix("{{#include ")?.strip_suffix("}}"));
    let included = included.filter_map(|file| pages.get(&seen_from(page, file)).copied());
    let (mut names, mut times) = (BTreeSet::new(), BTreeMap::new());
    for (_, line) in [text].into_iter().chain(included).flat_map(prose) {
        names.extend(line.split(" id=\"").skip(1).filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())));
        let heading = line.trim_start_matches('#');
        if heading.len() == line.len() || !heading.starts_with(' ') {
            continue;
        }
        let kept = heading.trim().chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        let name: String = kept.collect::<String>().to_lowercase().replace(' ', "-");
        let before = times.entry(name.clone()).or_insert(0);
        names.insert(if *before == 0 { name } else { format!("{name}-{before}") });
        *before += 1;
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_seen_from_its_page() {
        assert_eq!(seen_from(Path::new("a/b.md"), "../c.md"), Path::new("c.md"));
        assert_eq!(seen_from(Path::new("b.md"), "d/c.md"), Path::new("d/c.md"));
    }

    #[test]
    fn links_to_nowhere_are_found() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let text = "# At `once`\n[here](src/rules.rs) and [there](https://example.org) and [no](nowhere.md)\n\
            [a](#at-once) [b](#at)\n```sh\n[c](none)\n```\n[d](other.md#twice-1) [e](other.md#twice-2) [f](other.md#in) [g](other.md#own)";
        let other = "## Twice\n## Twice\n{{#include deep/part.md}}\n<a id=\"own\"></a>\n";
        let all = Sources::new(&[("README.md", text), ("other.md", other), ("deep/part.md", "### In\n")]);
        let found: Vec<String> = broken(root, &all).iter().map(Fault::to_string).collect();
        let want = [
            "README.md:2: there is no nowhere.md",
            "README.md:3: there is no #at",
            "README.md:7: there is no other.md#twice-2",
        ];
        assert_eq!(found, want);
    }
}
