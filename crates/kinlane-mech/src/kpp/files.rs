//! Finds the files of a mechanism and puts their sections together.

use std::path::{Path, PathBuf};

use super::codes;
use super::commands::{Piece, Section, split};
use super::part::Part;
use super::preprocessor;
use crate::{Diagnostic, Sources, read};

/// Deepest chain of files that include each other.
const DEEPEST: usize = 12;

/// Largest number of files of a mechanism.
const MOST: usize = 200;

/// Everything in the files of a mechanism.
#[derive(Default)]
pub(super) struct Files {
    /// Their texts.
    pub sources: Sources,
    /// Sections in order.
    pub sections: Vec<(Section, Part)>,
    /// Inlined code in order, with its kind in upper case.
    pub inlined: Vec<(String, Part)>,
    /// The file that goes with the first one and has not been read, where rate functions may be.
    pub hint: Option<String>,
    /// Findings.
    pub found: Vec<Diagnostic>,
    /// The section that was begun last.
    section: Option<Section>,
    /// Models that are named and not there, with their files.
    absent: Vec<(Part, PathBuf)>,
    /// Number of files that were included.
    included: usize,
}

impl Files {
    /// Reads the first file, and those that belong to it.
    pub fn start(&mut self, path: &Path, text: &str) {
        self.file(path, text, 0);
        let extension = path.extension().map_or_else(String::new, |e| e.to_string_lossy().to_lowercase());
        let definition = path.with_extension("def");
        if matches!(extension.as_str(), "eqn" | "spc") && definition.is_file() {
            self.hint = Some(definition.display().to_string());
        }
        if extension == "eqn" && !self.has(|s| matches!(s, Section::Declare { .. })) {
            self.also(&path.with_extension("spc"));
        }
        if extension == "spc" && !self.has(|s| s == Section::Equations) {
            self.also(&path.with_extension("eqn"));
        }
        self.tell_absent();
    }

    /// Tells of models that are not there.
    fn tell_absent(&mut self) {
        // It may be that nothing is missing: KPP has models of its own, and tools that put all into one file keep the line.
        let whole = self.has(|s| matches!(s, Section::Declare { .. })) && self.has(|s| s == Section::Equations);
        for (model, file) in std::mem::take(&mut self.absent) {
            let message = format!("the model's file, `{}`, is not there", file.display());
            let told = if whole {
                Diagnostic::warning(codes::INCLUDE, message)
            } else {
                Diagnostic::error(codes::INCLUDE, message)
            };
            self.found.push(
                told.at(model.place(), "named here")
                    .help("put it beside this file; or, if nothing is missing, take the line out"),
            );
        }
    }

    fn has(&self, wanted: impl Fn(Section) -> bool) -> bool {
        self.sections.iter().any(|(section, _)| wanted(*section))
    }

    /// Reads a file that belongs to the first one, if it exists.
    fn also(&mut self, path: &Path) {
        if path.is_file()
            && let Ok(text) = read::text_of(path)
        {
            self.section = None;
            self.file(path, &text, 0);
        }
    }

    /// Reads a file.
    fn file(&mut self, path: &Path, text: &str, depth: usize) {
        let file = self.sources.add(path.display().to_string(), text);
        for piece in split(file, text, &mut self.found) {
            match piece {
                Piece::Text(section, part) => match section.or(self.section) {
                    Some(section) => {
                        self.section = Some(section);
                        self.sections.push((section, part));
                    }
                    None if part.text.trim().is_empty() => {}
                    None => self.found.push(
                        Diagnostic::error(codes::OUTSIDE, "text before the first command")
                            .at(part.first_line(), "belongs to no section")
                            .help("put it in braces if it is a comment, or below #DEFVAR, #DEFFIX or #EQUATIONS"),
                    ),
                },
                Piece::Model(name) if name.text.is_empty() => {
                    self.nameless(&name, "#MODEL", "small_strato");
                    self.section = Some(Section::Other);
                }
                Piece::Model(name) => {
                    let file = beside(path, &format!("{}.def", name.text));
                    if file.is_file() && file != path {
                        self.include(&file, &name, depth);
                        continue;
                    }
                    // A file that names itself is whole.
                    let told = self.absent.iter().any(|(_, other)| *other == file);
                    if file != path && !told && !name.text.eq_ignore_ascii_case("none") {
                        self.absent.push((name, file));
                    }
                    self.section = Some(Section::Other);
                }
                Piece::Inline(kind, part) => {
                    let code = preprocessor::followed(part, &mut self.found);
                    self.inlined.push((kind, code));
                }
                Piece::Include(name) => {
                    self.include(&beside(path, &name.text), &name, depth);
                    let atoms = is_atoms(&name.text).then_some(Section::Other);
                    self.section = self.section.or(atoms);
                }
            }
        }
    }

    /// Tells that nothing is named behind a command.
    fn nameless(&mut self, name: &Part, command: &str, example: &str) {
        let help = format!("write the name of a file behind it: `{command} {example}`");
        let error = Diagnostic::error(codes::INCLUDE, format!("`{command}` without a file"));
        self.found.push(error.at(name.span(0, 0), "a name is expected here").help(help));
    }

    /// Reads a file where it is named.
    fn include(&mut self, file: &Path, name: &Part, depth: usize) {
        let at = name.place();
        self.included += 1;
        if name.text.is_empty() {
            return self.nameless(name, "#INCLUDE", "mechanism.spc");
        }
        if depth >= DEEPEST || self.included > MOST {
            let message = format!("files include each other more than {DEEPEST} deep, or more than {MOST} times");
            self.found.push(
                Diagnostic::error(codes::TOO_DEEP, message)
                    .at(at, "not read")
                    .help("a file must not include itself, directly or by way of others"),
            );
            return;
        }
        match read::text_of(file) {
            Ok(text) => {
                // As in KPP, which reads all files as one, what follows belongs to the last section of the included file.
                let before = self.section;
                self.section = before.filter(|_| depth > 0);
                self.file(file, &text, depth + 1);
                self.section = self.section.or(before);
            }
            // It adds nothing, as one with comments alone.
            Err(why) if why.code == crate::codes::EMPTY => {}
            Err(_) if is_atoms(&name.text) => self.found.push(
                Diagnostic::note(codes::ATOMS, "a file of atoms is absent")
                    .at(at, "not there; the composition of species is not needed"),
            ),
            Err(why) => self.found.push(
                Diagnostic::error(codes::INCLUDE, format!("a file that is included cannot be read: {}", why.message))
                    .at(at, "included here")
                    .help("the name is relative to the folder of the file that includes it"),
            ),
        }
    }
}

/// A file beside another one.
fn beside(path: &Path, name: &str) -> PathBuf {
    path.parent().map_or_else(|| PathBuf::from(name), |folder| folder.join(name.trim_start_matches("./")))
}

/// Whether a file lists the atoms, going by its name.
fn is_atoms(name: &str) -> bool {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    file.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("atoms"))
}
