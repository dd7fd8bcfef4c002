//! Links of the built book: every one inside it leads to a page, and to a place that is there.

use super::read;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

/// Links to nowhere.
pub fn faults(folder: &Path) -> Result<Vec<String>, String> {
    let mut pages = BTreeMap::new();
    gather(folder, folder, &mut pages)?;
    let mut faults = Vec::new();
    for (page, text) in &pages {
        let links = values(text, "href").chain(values(text, "src"));
        for link in links.filter(|l| !l.contains(':') && !l.starts_with("//")).collect::<BTreeSet<_>>() {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let file = file.split('?').next().unwrap_or_default();
            let target = if file.is_empty() { page.clone() } else { resolve(page, file) };
            let there = match pages.get(&target) {
                Some(text) => anchor.is_empty() || values(text, "id").any(|id| id == anchor),
                None => folder.join(&target).exists(),
            };
            if !there {
                faults.push(format!("{}: there is no {link}", page.display()));
            }
        }
    }
    Ok(faults)
}

/// All pages below a folder, by their path from `root`; but for that of missing pages, whose links start at a host.
fn gather(root: &Path, folder: &Path, pages: &mut BTreeMap<PathBuf, String>) -> Result<(), String> {
    for entry in std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?.flatten() {
        let path = entry.path();
        if path.is_dir() {
            gather(root, &path, pages)?;
        } else if path.extension().is_some_and(|e| e == "html") && path.file_name().is_some_and(|n| n != "404.html") {
            let name = path.strip_prefix(root).unwrap_or(&path).to_owned();
            pages.insert(name, read(&path)?);
        }
    }
    Ok(())
}

/// Values of an attribute.
fn values<'a>(text: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let key = format!(" {name}=\"");
    let starts: Vec<usize> = text.match_indices(&key).map(|(i, k)| i + k.len()).collect();
    starts.into_iter().filter_map(|i| text[i..].split('"').next())
}

/// A link's target as seen from a page, without `..`.
fn resolve(page: &Path, link: &str) -> PathBuf {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_seen_from_its_page() {
        assert_eq!(resolve(Path::new("a/b.html"), "../c.html"), Path::new("c.html"));
        assert_eq!(resolve(Path::new("b.html"), "d/c.html"), Path::new("d/c.html"));
    }

    #[test]
    fn attributes_are_found() {
        let text = "<a href=\"x\"><h2 id=\"y\" href=\"z#y\">";
        assert_eq!(values(text, "href").collect::<Vec<_>>(), ["x", "z#y"]);
        assert_eq!(values(text, "id").collect::<Vec<_>>(), ["y"]);
    }
}
