//! Which nuclides of a library are wanted: names, or a file that lists them.

use super::codes;
use super::nuclide::{Numbers, canonical, meant, numbers};
use crate::read::text_of;
use crate::{Diagnostic, Sources, Span, codes as common};
use std::path::{Path, PathBuf};

/// The nuclides of a library that are wanted. All reactions among them are taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selection {
    /// Names as in REACLIB, such as `p`, `he4`, `al-6`; upper case is taken too, and `h1` for `p`.
    Names(Vec<String>),
    /// A file with one name a line or several, or a `.net` file of Microphysics: lines with a name, a short name, A and Z.
    File(PathBuf),
}

impl Selection {
    /// What a word of a command line means: a file, if there is one of this name or it looks like a path; else names
    /// between commas.
    pub fn of(word: &str) -> Self {
        let path = Path::new(word);
        if path.is_file() || (!word.contains(',') && word.contains(['/', '\\', '.'])) {
            return Self::File(path.to_owned());
        }
        Self::Names(word.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect())
    }
}

/// A nuclide that is wanted, and where the wish stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wanted {
    /// Name as libraries have it.
    pub name: String,
    /// No place, if it is from a command line.
    pub at: Span,
}

/// The nuclides of a selection, each once. A file is added to the sources; problems and notes go to `told`.
pub(super) fn wanted(selection: &Selection, sources: &mut Sources, told: &mut Vec<Diagnostic>) -> Vec<Wanted> {
    let all = match selection {
        Selection::Names(names) => {
            names.iter().map(|name| Wanted { name: canonical(name), at: Span::default() }).collect()
        }
        Selection::File(path) => match text_of(path) {
            Ok(text) => {
                let file = sources.add(path.display().to_string(), text.clone());
                listed(&text, file, told)
            }
            Err(diagnostic) => {
                told.push(diagnostic);
                return Vec::new();
            }
        },
    };
    let mut once: Vec<Wanted> = Vec::new();
    for wish in all {
        if once.iter().any(|known| known.name == wish.name) {
            let message = format!("`{}` is wanted twice, and taken once", wish.name);
            let note = Diagnostic::note(common::REPEATED, message);
            told.push(if wish.at == Span::default() { note } else { note.at(wish.at, "") });
        } else {
            once.push(wish);
        }
    }
    once
}

/// The nuclides that a file lists.
fn listed(text: &str, file: u32, told: &mut Vec<Diagnostic>) -> Vec<Wanted> {
    let mut all = Vec::new();
    for (line, at) in Span::lines(text, file) {
        let code = line.split('#').next().unwrap_or_default();
        let at = Span { end: at.start + code.trim_end().len() as u32, ..at };
        let words: Vec<&str> = code.split([' ', '\t', ',']).filter(|word| !word.is_empty()).collect();
        match words[..] {
            // What a host carries along besides the network.
            [first, ..] if first.starts_with("__extra_") || first.starts_with("__aux_") => {}
            [_, short, a, z] if a.parse::<f64>().is_ok() && z.parse::<f64>().is_ok() => {
                let name = canonical(short);
                let same = numbers(&name)
                    .is_some_and(|n| [n.a, n.z].map(f64::from) == [a, z].map(|x| x.parse().unwrap_or(f64::NAN)));
                if same {
                    all.push(Wanted { name, at });
                } else {
                    let message = format!("`{short}` is no nuclide of {a} nucleons and {z} protons");
                    told.push(Diagnostic::error(codes::SELECTION, message).at(at, ""));
                }
            }
            _ => {
                for word in words {
                    let name = canonical(word);
                    match numbers(&name) {
                        Some(Numbers { .. }) => all.push(Wanted { name, at }),
                        None => {
                            let own = meant(word).map(|own| format!("did you mean `{own}`?"));
                            let form = "a list has names such as he4, or lines with a name, a short name, A and Z";
                            told.push(
                                Diagnostic::error(codes::SELECTION, format!("`{word}` is no nuclide"))
                                    .at(at, "")
                                    .help(own.unwrap_or_else(|| form.to_owned())),
                            );
                        }
                    }
                }
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> (Vec<String>, usize) {
        let mut told = Vec::new();
        let all = listed(text, 1, &mut told);
        (all.into_iter().map(|w| w.name).collect(), told.len())
    }

    #[test]
    fn lists_have_several_forms() {
        let net = "# a network\nneutron n 1.0 0.0\nhydrogen-1 H1 1 1\n __extra_boron-8 B8 8 5\n carbon-12 C12 12. 6.\n__aux_Ye\n";
        assert_eq!(names(net), (vec!["n".into(), "p".into(), "c12".into()], 0));
        assert_eq!(names("p, he4\n\nal-6 # the ground state\n"), (vec!["p".into(), "he4".into(), "al-6".into()], 0));
        // Neither of these is a nuclide, nor is the third what its numbers say.
        assert_eq!(names("elec E 1 1\nHe\nlithium-7 Li7 7 4\n"), (vec![], 3));
    }

    #[test]
    fn a_word_is_a_file_or_names() {
        assert_eq!(Selection::of("he4, c12,"), Selection::Names(vec!["he4".into(), "c12".into()]));
        assert_eq!(Selection::of("he4"), Selection::Names(vec!["he4".into()]));
        assert_eq!(Selection::of("no/such.net"), Selection::File("no/such.net".into()));
    }
}
