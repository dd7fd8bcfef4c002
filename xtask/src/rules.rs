//! The rules themselves. Each looks at the tracked files or at `cargo metadata` and returns what breaks it.

use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

/// The crates, each allowed to depend on those before it.
const LAYERS: [&str; 11] = [
    "kinlane-mech",
    "kinlane-plan",
    "kinlane-solve",
    "kinlane-lanes",
    "kinlane-testdata",
    "kinlane-emit",
    "kinlane-kernels",
    "kinlane-device",
    "kinlane",
    "kinlane-cli",
    "kinlane-capi",
];

/// Folders of what exists because it needs `unsafe`.
const UNSAFE: [&str; 3] = ["crates/kinlane-lanes/", "crates/kinlane-device/", "crates/kinlane-capi/"];

/// A file above this many lines must say why, in a comment that starts with `Length:`.
const LONG: usize = 700;

const BIBLIOGRAPHY: &str = "docs/bibliography.bib";

/// A broken rule: where, and what.
#[derive(Debug, PartialEq, Eq)]
pub struct Fault {
    pub place: String,
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

/// The tracked text files: path from the root, with `/`, and content.
pub struct Sources(Vec<(String, String)>);

impl Sources {
    /// Reads the files that are text; a file deleted but not yet committed is passed over.
    pub fn read<'a>(root: &Path, paths: impl Iterator<Item = &'a str>) -> Self {
        Self(paths.filter_map(|p| Some((p.to_owned(), std::fs::read_to_string(root.join(p)).ok()?))).collect())
    }

    /// Files of a test.
    #[cfg(test)]
    pub fn new(list: &[(&str, &str)]) -> Self {
        Self(list.iter().map(|(p, text)| ((*p).to_owned(), (*text).to_owned())).collect())
    }

    /// Files whose name ends so.
    pub fn ending<'a>(&'a self, end: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.0.iter().filter(move |(p, _)| p.ends_with(end)).map(|(p, text)| (p.as_str(), text.as_str()))
    }

    /// Lines of files whose name ends so: path, line number, line.
    fn lines<'a>(&'a self, end: &'a str) -> impl Iterator<Item = (&'a str, usize, &'a str)> {
        self.ending(end).flat_map(|(p, text)| text.lines().enumerate().map(move |(i, line)| (p, i + 1, line)))
    }
}

/// Dependencies between the workspace's crates follow [`LAYERS`]. Tests may reach further.
pub fn layers(metadata: &Value) -> Vec<Fault> {
    let packages = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let rank = |name: &str| LAYERS.iter().position(|l| *l == name);
    let mut faults = Vec::new();
    for package in packages {
        let name = package["name"].as_str().unwrap_or_default();
        let mut fault = |what: String| faults.push(Fault { place: name.to_owned(), what });
        match rank(name) {
            None if name == "xtask" => {}
            None => fault("has no place among the layers in xtask/src/rules.rs".into()),
            Some(own) => {
                for d in package["dependencies"].as_array().into_iter().flatten().filter(|d| d["kind"] != "dev") {
                    let other = d["name"].as_str().unwrap_or_default();
                    if rank(other).is_some_and(|r| r >= own) {
                        fault(format!("depends on {other}, which stands above it"));
                    }
                }
            }
        }
    }
    faults
}

/// Every `source: "key"` names an entry of the bibliography, and no key occurs there twice.
pub fn bibliography(sources: &Sources) -> Vec<Fault> {
    let mut keys = BTreeSet::new();
    let mut faults = Vec::new();
    for (path, i, line) in sources.lines(BIBLIOGRAPHY) {
        let entry = line.strip_prefix('@').and_then(|l| l.split_once('{')).map(|(_, key)| key.trim_end_matches(','));
        if entry.is_some_and(|key| !keys.insert(key)) {
            faults.push(Fault { place: format!("{path}:{i}"), what: "an entry of this key stands above".into() });
        }
    }
    for (path, i, line) in sources.lines(".rs") {
        let key = line.trim_start().strip_prefix("source: \"").and_then(|l| l.split('"').next());
        if let Some(key) = key.filter(|k| !keys.contains(k)) {
            faults.push(Fault { place: format!("{path}:{i}"), what: format!("no entry `{key}` in {BIBLIOGRAPHY}") });
        }
    }
    faults
}

/// The lint `unsafe_code` is denied everywhere; only the crates that need it may allow it again.
pub fn unsafe_code(sources: &Sources) -> Vec<Fault> {
    let outside =
        sources.lines(".rs").filter(|(p, ..)| p.starts_with("crates/") && !UNSAFE.iter().any(|u| p.starts_with(u)));
    let allowed = outside.filter(|(.., line)| line.contains("unsafe_code") && !line.contains("forbid(unsafe_code)"));
    allowed
        .map(|(p, i, _)| Fault { place: format!("{p}:{i}"), what: format!("only {} may", UNSAFE.join(", ")) })
        .collect()
}

/// A crate whose library is not tested has no tests there: they would never run.
pub fn silent_tests(sources: &Sources) -> Vec<Fault> {
    let untested = |(p, text): (&str, &str)| {
        let library = text.split("\n[").find(|part| part.starts_with("lib]"))?;
        library.lines().any(|line| line == "test = false").then(|| p.replace("Cargo.toml", "src/"))
    };
    let folders: Vec<String> = sources.ending("/Cargo.toml").filter_map(untested).collect();
    let tests = sources
        .lines(".rs")
        .filter(|(p, _, line)| line.contains("#[test]") && folders.iter().any(|f| p.starts_with(f)));
    tests
        .map(|(p, i, _)| Fault { place: format!("{p}:{i}"), what: "the manifest says `test = false`".into() })
        .collect()
}

/// One file, one subject: a long one says why it is one.
pub fn lengths(sources: &Sources) -> Vec<Fault> {
    let reasoned = |text: &str| text.lines().any(|l| l.trim_start_matches(['/', '!', ' ']).starts_with("Length:"));
    let long = sources.ending(".rs").map(|(p, text)| (p, text.lines().count(), text));
    long.filter(|(_, n, text)| *n > LONG && !reasoned(text))
        .map(|(p, n, _)| Fault {
            place: p.to_owned(),
            what: format!("{n} lines; split it, or say why it is one in a comment `Length: ...`"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(list: &[(&str, &str)]) -> Sources {
        Sources::new(list)
    }

    fn places(faults: &[Fault]) -> Vec<&str> {
        faults.iter().map(|f| f.place.as_str()).collect()
    }

    #[test]
    fn a_dependency_upwards_is_found_and_one_of_tests_is_not() {
        let metadata = serde_json::json!({ "packages": [
            { "name": "kinlane-plan", "dependencies": [{ "name": "kinlane-mech", "kind": null }] },
            { "name": "kinlane-mech", "dependencies": [
                { "name": "kinlane-plan", "kind": null }, { "name": "kinlane", "kind": "dev" }] },
            { "name": "kinlane-new", "dependencies": [] },
        ] });
        assert_eq!(places(&layers(&metadata)), ["kinlane-mech", "kinlane-new"]);
    }

    #[test]
    fn a_source_without_entry_and_an_entry_twice_are_found() {
        let sources = files(&[
            (BIBLIOGRAPHY, "@book{known1996,\n}\n@misc{known1996,\n"),
            ("a.rs", "    source: \"known1996\",\n    source: \"other1999\", // why\n"),
        ]);
        assert_eq!(places(&bibliography(&sources)), ["docs/bibliography.bib:3", "a.rs:2"]);
    }

    #[test]
    fn a_test_that_never_runs_is_found() {
        let test = "#[cfg(test)]\nmod tests {\n    #[test]\n";
        let sources = files(&[
            ("crates/quiet/Cargo.toml", "[package]\nname = \"quiet\"\n\n[lib]\n# why\ntest = false\n\n[lints]\n"),
            ("crates/quiet/src/lib.rs", test),
            ("crates/quiet/tests/all.rs", test),
            ("crates/loud/Cargo.toml", "[lib]\n\n[[bin]]\ntest = false\n"),
            ("crates/loud/src/lib.rs", test),
        ]);
        assert_eq!(places(&silent_tests(&sources)), ["crates/quiet/src/lib.rs:3"]);
    }

    #[test]
    fn unsafe_is_allowed_in_its_crates_only() {
        let sources = files(&[
            ("crates/kinlane-lanes/src/lib.rs", "#![allow(unsafe_code)]"),
            ("crates/kinlane-plan/src/lib.rs", "#![forbid(unsafe_code)]"),
            ("crates/kinlane/src/lib.rs", "#![allow(unsafe_code)]"),
        ]);
        assert_eq!(places(&unsafe_code(&sources)), ["crates/kinlane/src/lib.rs:1"]);
    }

    #[test]
    fn a_long_file_needs_a_reason() {
        let long = "\n".repeat(LONG + 1);
        let reasoned = format!("//! Length: one table.\n{long}");
        let sources = files(&[("long.rs", &long), ("table.rs", &reasoned), ("short.rs", "\n")]);
        assert_eq!(places(&lengths(&sources)), ["long.rs"]);
    }
}
