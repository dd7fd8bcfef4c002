//! Takes a file apart: comments, commands and their sections, inlined code.

use super::codes;
use super::part::Part;
use crate::{Diagnostic, validate};

/// The sections that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    /// Declares species, variable or fixed.
    Declare { fixed: bool },
    /// Makes species variable or fixed that are declared.
    Change { fixed: bool },
    /// Reactions.
    Equations,
    /// Values at the start.
    Initial,
    /// Atoms that reactions are to keep; all of them, without a list.
    Kept { all: bool },
    /// Anything that does not bear upon rates.
    Other,
}

/// A piece of a file, in its order.
#[derive(Debug)]
pub(super) enum Piece {
    /// The contents of a section that begins. `None` where the section goes on that was begun last.
    Text(Option<Section>, Part),
    /// Another file is read here; what follows belongs to its last section.
    Include(Part),
    /// The file of a model is read here.
    Model(Part),
    /// Code of the kind that is named, as written.
    Inline(String, Part),
}

/// Commands that start a section.
const SECTIONS: [(&str, Section); 10] = [
    ("DEFVAR", Section::Declare { fixed: false }),
    ("DEFRAD", Section::Declare { fixed: false }),
    ("DEFFIX", Section::Declare { fixed: true }),
    ("SETVAR", Section::Change { fixed: false }),
    ("SETRAD", Section::Change { fixed: false }),
    ("SETFIX", Section::Change { fixed: true }),
    ("EQUATIONS", Section::Equations),
    ("INITVALUES", Section::Initial),
    ("CHECK", Section::Kept { all: false }),
    ("CHECKALL", Section::Kept { all: true }),
];

/// Commands that say how KPP writes its code, and what this code does beside computing rates.
const IGNORED: &[&str] = &[
    "ATOMS",
    "AUTOREDUCE",
    "DECLARE",
    "DOUBLE",
    "DRIVER",
    "DUMMYINDEX",
    "EQNTAGS",
    "FAMILIES",
    "FLUX",
    "FUNCTION",
    "GRAPH",
    "HESSIAN",
    "INITIALIZE",
    "INTEGRATOR",
    "INTFILE",
    "JACOBIAN",
    "LANGUAGE",
    "LOOKAT",
    "LOOKATALL",
    "LUMP",
    "MEX",
    "MINVERSION",
    "MONITOR",
    "REORDER",
    "RETURNRATES",
    "RUN",
    "SPARSEDATA",
    "STOCHASTIC",
    "STOICMAT",
    "TRANSPORT",
    "TRANSPORTALL",
    "UPPERCASEF90",
    "USE",
    "USES",
    "WRFCONFORM",
    "WRITE_ATM",
    "WRITE_MAT",
    "WRITE_OPT",
    "WRITE_SPC",
    "XGRID",
    "YGRID",
    "ZGRID",
];

/// A command in a text.
struct Command {
    /// Where its `#` is.
    at: usize,
    /// One past its last byte; behind it is what it applies to.
    end: usize,
    word: String,
    /// The code, if it inlines some.
    inline: Option<(usize, usize)>,
}

/// Takes a text apart.
pub(super) fn split(file: u32, text: &str, found: &mut Vec<Diagnostic>) -> Vec<Piece> {
    let (masked, commands) = mask(file, text, found);
    let all = Part { file, start: 0, text: masked };
    let raw = Part { file, start: 0, text: text.to_owned() };
    let mut pieces = Vec::new();
    let first = commands.first().map_or(all.text.len(), |c| c.at);
    pieces.push(Piece::Text(None, all.cut(0, first)));
    for (i, command) in commands.iter().enumerate() {
        let next = commands.get(i + 1).map_or(all.text.len(), |c| c.at);
        let rest = all.cut(command.end, next);
        let line = rest.text.find('\n').unwrap_or(rest.text.len());
        let word = command.word.to_ascii_uppercase();
        if let Some((from, to)) = command.inline {
            let name = argument(&rest.cut(0, line));
            let kind = name.text.to_ascii_uppercase();
            if !is_kind(&kind) {
                let message = format!("`{}` is no kind of inlined code", name.text);
                let help =
                    "kinds are made of F90, F77, C or MATLAB, and GLOBAL, INIT, DATA, RATES, RCONST or UTIL: F90_RATES";
                found.push(
                    Diagnostic::warning(codes::COMMAND, message).at(name.place(), "this code is not read").help(help),
                );
            }
            pieces.push(Piece::Inline(kind, raw.cut(from, to)));
            pieces.push(Piece::Text(None, all.cut(to.max(command.end), next)));
        } else if word == "INCLUDE" {
            pieces.push(Piece::Include(argument(&rest.cut(0, line))));
            pieces.push(Piece::Text(None, rest.cut(line, rest.text.len())));
        } else if word == "MODEL" {
            pieces.push(Piece::Model(argument(&rest.cut(0, line))));
            pieces.push(Piece::Text(None, rest.cut(line, rest.text.len())));
        } else {
            let section = match SECTIONS.iter().find(|(name, _)| *name == word) {
                Some(&(_, section)) => section,
                None => {
                    if !IGNORED.contains(&word.as_str()) {
                        found.push(unknown(&all, command, &word));
                    }
                    Section::Other
                }
            };
            pieces.push(Piece::Text(Some(section), rest));
        }
    }
    pieces
}

/// Whether KPP knows this kind of inlined code, in upper case.
fn is_kind(kind: &str) -> bool {
    let parts = ["GLOBAL", "INIT", "DATA", "RATE", "RATES", "RCONST", "RCONST_USE", "UTIL"];
    kind.split_once('_').is_some_and(|(of, part)| ["F90", "F77", "C", "MATLAB"].contains(&of) && parts.contains(&part))
}

/// The first word of a line, which may be quoted.
fn argument(line: &Part) -> Part {
    let blank = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ';');
    let from = line.text.len() - line.text.trim_start_matches(blank).len();
    let word = line.text.get(from..).unwrap_or_default();
    line.cut(from, from + word.find(blank).unwrap_or(word.len()))
}

/// What to say about an unknown command: an error if it may be a misspelt section.
fn unknown(all: &Part, command: &Command, word: &str) -> Diagnostic {
    let known = SECTIONS.iter().map(|(name, _)| *name).chain(["INCLUDE", "INLINE", "ENDINLINE", "MODEL"]);
    let at = all.span(command.at, command.end);
    if word == "ENDINLINE" {
        return Diagnostic::error(codes::UNCLOSED, "`#ENDINLINE` closes no inlined code")
            .at(at, "nothing is open here")
            .help("remove it, or put `#INLINE` with a kind, such as F90_RATES, before the code");
    }
    let message = format!("`#{}` is not a command of KPP", command.word);
    match validate::nearest(word, known) {
        Some(near) => Diagnostic::error(codes::COMMAND, message)
            .at(at, "not known")
            .help(format!("did you mean `#{near}`?")),
        None => Diagnostic::warning(codes::COMMAND, message)
            .at(at, "ignored up to the next command")
            .help("species are read from #DEFVAR and #DEFFIX, reactions from #EQUATIONS; remove the command if it is of no use"),
    }
}

/// Blanks comments and inlined code, and finds the commands.
fn mask(file: u32, text: &str, found: &mut Vec<Diagnostic>) -> (String, Vec<Command>) {
    let mut bytes = text.as_bytes().to_vec();
    let mut commands = Vec::new();
    let place = |from, to| Part { file, ..Part::default() }.span(from, to);
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'{' => {
                let end = text.get(at..).and_then(|rest| rest.find('}'));
                if end.is_none() {
                    found.push(
                        Diagnostic::error(codes::UNCLOSED, "a comment is not closed")
                            .at(place(at, at + 1), "opened here")
                            .help("put `}` at its end; everything from here on is comment now"),
                    );
                }
                let end = end.map_or(text.len(), |n| at + n + 1);
                blank(&mut bytes, at, end);
                at = end;
            }
            b'}' => {
                found.push(
                    Diagnostic::error(codes::UNCLOSED, "`}` closes no comment")
                        .at(place(at, at + 1), "nothing is open here")
                        .help("comments stand between `{` and `}`, and cannot contain each other"),
                );
                blank(&mut bytes, at, at + 1);
                at += 1;
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                let end = line_end(text, at);
                blank(&mut bytes, at, end);
                at = end;
            }
            b'#' => {
                let (command, next) = command(file, text, at, &mut bytes, found);
                commands.push(command);
                at = next;
            }
            _ => at += 1,
        }
    }
    (String::from_utf8_lossy(&bytes).into_owned(), commands)
}

/// The command whose `#` is at a place, and where the text behind it goes on. Code that it inlines is blanked.
fn command(file: u32, text: &str, at: usize, bytes: &mut [u8], found: &mut Vec<Diagnostic>) -> (Command, usize) {
    let rest = text.get(at + 1..).unwrap_or_default();
    let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    let behind = rest.get(blanks..).unwrap_or_default();
    let word: String = behind.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    let end = at + 1 + blanks + word.len();
    if !word.eq_ignore_ascii_case("INLINE") {
        // `//` in the name of a file begins no comment.
        let files = ["INCLUDE", "MODEL"].iter().any(|known| word.eq_ignore_ascii_case(known));
        let next = end + if files { file_name(text.get(end..).unwrap_or_default()) } else { 0 };
        return (Command { at, end, word, inline: None }, next);
    }
    let from = line_end(text, end);
    let (to, after) = end_inline(text, from).unwrap_or_else(|| {
        found.push(
            Diagnostic::error(codes::UNCLOSED, "inlined code is not closed")
                .at(Part { file, ..Part::default() }.span(at, end), "opened here")
                .help("put `#ENDINLINE` behind the code"),
        );
        (text.len(), text.len())
    });
    blank(bytes, from, after);
    // What is behind the kind of code on its line is comment or nothing.
    let kind = argument(&Part { file, start: end, text: text.get(end..from).unwrap_or_default().into() });
    blank(bytes, kind.start + kind.text.len(), from);
    (Command { at, end, word, inline: Some((from, to)) }, from.max(after))
}

/// Where the line ends that goes on at a place.
fn line_end(text: &str, at: usize) -> usize {
    text.get(at..).and_then(|rest| rest.find('\n')).map_or(text.len(), |n| at + n)
}

/// The length of the name of a file with the blanks before it, as KPP takes it.
fn file_name(text: &str) -> usize {
    let name = text.trim_start_matches([' ', '\t']);
    text.len() - name.len() + name.find([' ', '\t', '\r', '\n', '{', '}', '#', ';']).unwrap_or(name.len())
}

/// What closes inlined code: where it starts, and the end of its line. Behind code it is a word of its own, as in KPP, so that
/// comments may speak of it.
fn end_inline(text: &str, from: usize) -> Option<(usize, usize)> {
    let mut at = from;
    for line in text.get(from..)?.split_inclusive('\n') {
        let indent = line.len() - line.trim_start().len();
        let closes = |hash: &usize| {
            let word = line.get(hash + 1..).unwrap_or_default();
            let word = if *hash == indent { word.trim_start() } else { word };
            word.split_at_checked("ENDINLINE".len()).is_some_and(|(word, more)| {
                let ends = *hash == indent || more.is_empty() || more.starts_with(char::is_whitespace);
                word.eq_ignore_ascii_case("ENDINLINE") && ends
            })
        };
        if let Some(hash) = line.match_indices('#').map(|(hash, _)| hash).find(closes) {
            return Some((at + hash, at + line.trim_end_matches('\n').len()));
        }
        at += line.len();
    }
    None
}

/// Overwrites all but line ends.
pub(super) fn blank(bytes: &mut [u8], from: usize, to: usize) {
    for byte in bytes.get_mut(from..to).into_iter().flatten().filter(|byte| **byte != b'\n') {
        *byte = b' ';
    }
}
