//! The files of a configuration.

use std::path::{Path, PathBuf};

use super::codes;
use super::field;
use crate::cantera::yaml::{self, Kind, Node};
use crate::{Diagnostic, Sources, Span, read};

/// What a configuration may be called in its folder.
const CONFIGURATIONS: [&str; 3] = ["config.json", "config.yaml", "config.yml"];
/// Files of MICM's first versions, which had no list of files.
const LOOSE: [&[&str]; 2] =
    [&["species.json", "species.yaml"], &["reactions.json", "reactions.yaml", "mechanism.json"]];

/// What was read of it.
#[derive(Default)]
pub(super) struct Files {
    /// The texts.
    pub sources: Sources,
    /// Findings.
    pub found: Vec<Diagnostic>,
}

impl Files {
    /// Parses a text, which has to be a mapping.
    pub fn add(&mut self, name: &str, text: &str) -> Option<Node> {
        let file = self.sources.add(name, text);
        self.parse(file)
    }

    fn parse(&mut self, file: u32) -> Option<Node> {
        let text = self.sources.get(Span { file, start: 0, end: 0 }).map_or("", |source| source.text.as_str());
        let root = match yaml::parse(text, file, &mut self.found) {
            Ok(root) => root,
            Err(finding) => {
                self.found.push(finding);
                return None;
            }
        };
        if !matches!(root.kind, Kind::Map(_)) {
            self.found.push(field::wrong(&root, "a configuration", "a mapping"));
            return None;
        }
        Some(root)
    }

    /// Reads the file or the folder at a path: documents, the first of which is the configuration.
    pub fn open(&mut self, path: &Path) -> Vec<Node> {
        let paths = if path.is_dir() { self.within(path) } else { vec![path.to_owned()] };
        paths.iter().filter_map(|path| self.file(path, None)).collect()
    }

    /// Reads the files that a configuration lists, relative to its folder.
    pub fn listed(&mut self, root: &Node, folder: &Path) -> Vec<Node> {
        let Some(value) = root.get("camp-files") else { return Vec::new() };
        let mut all = Vec::new();
        for item in field::list(value, "`camp-files`", &mut self.found) {
            if let Some(name) = field::text(item, "the name of a file", &mut self.found) {
                all.extend(self.file(&folder.join(name), Some((name, item.at))));
            }
        }
        all
    }

    fn file(&mut self, path: &Path, named: Option<(&str, Span)>) -> Option<Node> {
        let file = self.text(path, named)?;
        self.parse(file)
    }

    /// Reads a text; `named` is how and where a configuration names it.
    pub fn text(&mut self, path: &Path, named: Option<(&str, Span)>) -> Option<u32> {
        match read::text_of(path) {
            Ok(text) => Some(self.sources.add(path.display().to_string(), text)),
            Err(finding) => {
                self.found.push(match named {
                    Some((name, at)) => Diagnostic::error(codes::FILE, format!("file `{name}` cannot be read"))
                        .at(at, finding.message)
                        .help("names are relative to the folder of the configuration"),
                    None => finding,
                });
                None
            }
        }
    }

    /// The configuration in a folder.
    pub fn within(&mut self, folder: &Path) -> Vec<PathBuf> {
        let first = |names: &[&str]| names.iter().map(|name| folder.join(name)).find(|path| path.is_file());
        if let Some(path) = first(&CONFIGURATIONS) {
            return vec![path];
        }
        let loose: Vec<PathBuf> = LOOSE.iter().filter_map(|names| first(names)).collect();
        if loose.len() < LOOSE.len() {
            let message = format!("folder `{}` holds no configuration", folder.display());
            self.found.push(
                Diagnostic::error(codes::FILE, message)
                    .help(format!("it would be called `{}`; else give the file itself", CONFIGURATIONS.join("` or `"))),
            );
            return Vec::new();
        }
        loose
    }
}
