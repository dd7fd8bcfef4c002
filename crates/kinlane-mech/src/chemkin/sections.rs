//! Splits a file into its sections: ELEMENTS, SPECIES, THERMO, REACTIONS, TRANSPORT.

use super::codes;
use super::findings::Findings;
use super::text::{Text, number};
use super::{nasa7, nasa9, units};
use crate::Severity;
use crate::words::did_you_mean;

/// The contents of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Chemical elements.
    Elements,
    /// Names of the species.
    Species,
    /// NASA 7-coefficient records.
    Nasa7,
    /// NASA 9-coefficient records.
    Nasa9,
    /// Reactions.
    Reactions,
    /// Transport data, which have no place in the network.
    Transport,
    /// SITE, BULK and other contents that are not gas kinetics, or below a misspelt keyword; already reported.
    Foreign,
}

/// One section.
#[derive(Debug)]
pub(super) struct Section<'a> {
    /// What it holds.
    pub kind: Kind,
    /// The keyword as written.
    pub keyword: &'a str,
    /// The text after the keyword on its line.
    pub head: &'a str,
    /// The lines after it, without comments and empty lines.
    pub lines: Vec<&'a str>,
}

impl Section<'_> {
    /// The same, of the other kind of thermodynamics if its records have nine coefficients although the keyword does not say so, as in
    /// the files of NASA's CEA.
    pub fn settled(self) -> Self {
        let kind = if self.kind == Kind::Nasa7 && nasa9::has_records(&self.lines) { Kind::Nasa9 } else { self.kind };
        Self { kind, ..self }
    }
}

/// The kind of file that is split.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum File {
    /// The mechanism.
    Mechanism,
    /// A thermodynamics file, whose other sections are ignored.
    Thermo,
}

const FOREIGN: [(&str, &str); 8] = [
    ("SITE", "surface sites"),
    ("BULK", "bulk phases"),
    ("MATERIAL", "materials"),
    ("SURFACE", "surface phases"),
    ("SURF", "surface phases"),
    ("PLASMA", "plasmas"),
    ("QCON", "quasi-steady species"),
    ("REALGAS", "real-gas equations of state"),
];

/// Reports a section of what is no gas.
fn foreign(keyword: &str, text: Text<'_>, findings: &mut Findings) {
    let known = FOREIGN.iter().find(|(word, _)| keyword.eq_ignore_ascii_case(word));
    let what = known.map_or("other phases", |(_, what)| what);
    findings.error(
        codes::FOREIGN_SECTION,
        text.span(keyword),
        format!("section {} describes {what}, which are not gas-phase kinetics", keyword.to_ascii_uppercase()),
        "not supported",
        "remove the section, and the reactions that need it, to use the gas-phase part alone",
    );
}

/// Reports a line that looks like a reaction where no section is open any more.
fn reaction_after_end(line: &str, text: Text<'_>, findings: &mut Findings) {
    let (line, message) = (line.trim_start(), "reactions after the last END, which are ignored");
    findings.group(Severity::Warning, codes::REACTION_AFTER_END, text.span(line), line, message, "ignored");
}

/// Splits a text into its sections.
pub(super) fn split<'a>(text: Text<'a>, file: File, findings: &mut Findings) -> Vec<Section<'a>> {
    let mut sections: Vec<Section<'a>> = Vec::new();
    let mut open = false; // whether the last section still accepts lines
    let mut reactions_done = false;
    let mut stray = false; // whether this is inside a block that was already reported
    let mut preface = Preface::default();
    let mut any = false;
    let mut prose = None; // where text outside the sections starts
    let lines: Vec<&str> = text.lines().collect();
    for (i, &line) in lines.iter().enumerate() {
        let current = sections.last().filter(|_| open).map(|s| s.kind);
        let after_all = !open && (reactions_done || file == File::Thermo && !sections.is_empty());
        let below = lines.get(i + 1..).unwrap_or_default();
        if let Some((kind, keyword, head)) = header(line, current, below, after_all) {
            if kind == Kind::Foreign && file == File::Mechanism {
                foreign(keyword, text, findings);
            }
            if let Some(at) = prose.take() {
                findings.note(
                    codes::AFTER_END,
                    at,
                    "text between sections is ignored",
                    "ignored up to the next section",
                );
            }
            reactions_done |= current == Some(Kind::Reactions);
            let last = sections.len();
            sections.push(Section { kind, keyword, head, lines: Vec::new() });
            (any, open, stray) = (true, true, false);
            if matches!(kind, Kind::Elements | Kind::Species) {
                sections[last].head = "";
                open = names(&mut sections[last].lines, head, text, findings);
            }
            continue;
        }
        match sections.last_mut().filter(|_| open) {
            Some(section) if matches!(section.kind, Kind::Elements | Kind::Species) => {
                open = names(&mut section.lines, line, text, findings)
            }
            Some(section) => {
                if is_end(line) {
                    behind_end(line.trim_start().get(first_word(line).len()..).unwrap_or(""), text, findings);
                    open = false;
                    reactions_done |= section.kind == Kind::Reactions;
                } else {
                    section.lines.push(line);
                }
            }
            None if !any && file == File::Mechanism => preface.line(line, text, findings),
            None if !any => preface.first = preface.first.or(Some(line)),
            None if is_end(line) => stray = false,
            None if after_all && file == File::Mechanism && misspelt(line) => {
                unknown(line, text, findings);
                let (keyword, head) = (first_word(line), "");
                sections.push(Section { kind: Kind::Foreign, keyword, head, lines: Vec::new() });
                open = !ends_with_end(line);
            }
            None if after_all && file == File::Mechanism && is_reaction(line) => {
                stray = true;
                reaction_after_end(line, text, findings);
            }
            None if stray => {}
            None if after_all => {
                stray = true;
                prose = prose.or(Some(text.span(first_word(line))));
            }
            None => {
                stray = true;
                unknown(line, text, findings);
            }
        }
    }
    if let Some(at) = prose {
        findings.note(codes::AFTER_END, at, "text after the last END is ignored", "ignored from here");
    }
    if let Some(line) = preface.first
        && !sections.is_empty()
        && !preface.faulty
    {
        findings.note(
            codes::PREFACE,
            text.span(line.trim_start()),
            "text before the first section is ignored",
            "ignored",
        );
    }
    sections.into_iter().map(Section::settled).collect()
}

/// Text before the first section: prose, or a section whose keyword is misspelt.
#[derive(Default)]
struct Preface<'a> {
    first: Option<&'a str>,
    /// Whether this is below a misspelt keyword, which an END may close.
    open: bool,
    /// Whether a fault was reported.
    faulty: bool,
}

impl<'a> Preface<'a> {
    fn line(&mut self, line: &'a str, text: Text<'a>, findings: &mut Findings) {
        let ends = is_end(line) && line.split_whitespace().count() == 1;
        if ends && self.first.is_none() {
            return; // it closes nothing
        }
        let first = *self.first.get_or_insert(line);
        if misspelt(line) {
            unknown(line, text, findings);
            (self.open, self.faulty) = (!ends_with_end(line), true);
        } else if ends {
            if !self.open {
                let message = "END closes text that starts with no section keyword";
                findings
                    .error(codes::UNKNOWN_SECTION, text.span(line.trim()), message, "closed here", SECTIONS)
                    .labels
                    .push((text.span(first.trim_start()), "the text starts here".into()));
                self.faulty = true;
            }
            self.open = false;
        }
    }
}

const SECTIONS: &str =
    "sections are ELEMENTS, SPECIES, THERMO, REACTIONS and TRANSPORT, each closed by END; put `!` before comments";

/// Reports a line that starts no section.
fn unknown(line: &str, text: Text<'_>, findings: &mut Findings) {
    let word = first_word(line);
    findings.error(
        codes::UNKNOWN_SECTION,
        text.span(word),
        format!("`{word}` starts no section that is known"),
        "a section keyword is expected here",
        did_you_mean(meant(word, if word == line.trim() { 2 } else { 1 }), SECTIONS),
    );
}

/// Whether the first word of a line outside the sections is a misspelt keyword: one edit away from it, in
/// capitals or alone on its line. (With two edits, ordinary words match: `Thermal`, `Reacting`, `Elemental`.)
fn misspelt(line: &str) -> bool {
    let word = first_word(line);
    // A keyword that was found to begin prose is not misspelt.
    keyword(line).is_none() && (word == line.trim() || word == word.to_ascii_uppercase()) && meant(word, 1).is_some()
}

/// The section keyword from which a word differs by at most so many edits.
fn meant(word: &str, most: usize) -> Option<&'static str> {
    let upper = word.to_ascii_uppercase();
    ["ELEMENTS", "SPECIES", "THERMO", "REACTIONS", "TRANSPORT"]
        .into_iter()
        .filter(|known| word.len().abs_diff(known.len()) <= most && upper.bytes().all(|b| b.is_ascii_alphanumeric()))
        .find(|known| strsim::osa_distance(&upper, known) <= most)
}

/// Adds the words of an ELEMENTS or SPECIES line; returns whether the section goes on after it.
fn names<'a>(lines: &mut Vec<&'a str>, line: &'a str, text: Text<'a>, findings: &mut Findings) -> bool {
    let mut rest = line;
    loop {
        let word = first_word(rest);
        if word.is_empty() {
            lines.push(line);
            return true;
        }
        let at = word.as_ptr() as usize - line.as_ptr() as usize;
        if word.eq_ignore_ascii_case("END") {
            lines.push(line.get(..at).unwrap_or(""));
            behind_end(line.get(at + word.len()..).unwrap_or(""), text, findings);
            return false;
        }
        rest = line.get(at + word.len()..).unwrap_or("");
    }
}

/// Reports that nothing after END is read.
fn behind_end(rest: &str, text: Text<'_>, findings: &mut Findings) {
    if !rest.trim().is_empty() {
        findings.warn(
            codes::BEHIND_END,
            text.span(rest.trim()),
            "text behind END on its line is ignored",
            "ignored",
            "a section starts on a line of its own; put `!` before comments",
        );
    }
}

/// Whether a name would start or end a section if it is first in a line.
pub(crate) fn is_mark(name: &str) -> bool {
    is_end(name) || keyword(name).is_some()
}

/// Whether a line is `END`, or what some thermodynamics files have at their end.
fn is_end(line: &str) -> bool {
    ["END", "ENDOFDATA"].iter().any(|end| first_word(line).eq_ignore_ascii_case(end))
}

/// Whether END is the last word of a line.
fn ends_with_end(line: &str) -> bool {
    line.split_whitespace().next_back().is_some_and(|word| word.eq_ignore_ascii_case("END"))
}

fn first_word(line: &str) -> &str {
    line.split_whitespace().next().unwrap_or("")
}

/// Whether a line is an equation with three numbers.
fn is_reaction(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let Some((equation, numbers)) = words.len().checked_sub(3).and_then(|at| words.split_at_checked(at)) else {
        return false;
    };
    numbers.iter().all(|word| number(word).is_some())
        && equation.concat().split_once('=').is_some_and(|(left, right)| {
            !left.trim_end_matches('<').is_empty() && !right.trim_start_matches('>').is_empty()
        })
}

/// A section's keyword at the start of a line: its kind, the keyword, and the rest of the line.
fn keyword(line: &str) -> Option<(Kind, &str, &str)> {
    let trimmed = line.trim_start();
    let end = trimmed.find(|c: char| c.is_whitespace() || c == '/').unwrap_or(trimmed.len());
    let (keyword, rest) = trimmed.split_at_checked(end)?;
    if keyword.len() < 4 {
        return None; // the usual case
    }
    let upper = keyword.to_ascii_uppercase();
    let kind = if "ELEMENTS".starts_with(&upper) {
        Kind::Elements
    } else if "SPECIES".starts_with(&upper) {
        Kind::Species
    } else if "THERMO".starts_with(&upper) {
        match rest.split_whitespace().any(|word| word.eq_ignore_ascii_case("NASA9")) {
            true => Kind::Nasa9,
            false => Kind::Nasa7,
        }
    } else if "REACTIONS".starts_with(&upper) {
        Kind::Reactions
    } else if "TRANSPORT".starts_with(&upper) {
        Kind::Transport
    } else if FOREIGN.iter().any(|&(word, _)| word == upper) {
        Kind::Foreign
    } else {
        return None;
    };
    Some((kind, keyword, rest))
}

/// Whether all words behind a keyword are some that belong there.
fn are_options(rest: &str) -> bool {
    rest.split_whitespace().all(|word| {
        let word = word.to_ascii_uppercase();
        word == "NASA9" || units::is_silent(&word) || units::word(&word).is_some()
    })
}

/// Length from which a line among records is not taken for the first one of a section: it is that of a record, whose mark may be
/// absent or in another column, or prose.
const RECORD: usize = 50;

/// Recognises the start of a section. `below` are the lines after it; prose may follow where enough sections have been read.
fn header<'a>(
    line: &'a str,
    current: Option<Kind>,
    below: &[&str],
    prose_may_follow: bool,
) -> Option<(Kind, &'a str, &'a str)> {
    let (kind, keyword, rest) = keyword(line)?;
    // Records and equations may start with a word like these; they are recognised by their shape.
    let own = match current {
        Some(Kind::Nasa7) if nasa7::is_first(line) => true,
        // Unit words that cannot be read are told where reactions follow.
        Some(Kind::Nasa7 | Kind::Nasa9) => {
            line.len() >= RECORD && !are_options(rest) && (kind != Kind::Reactions || is_prose(kind, rest, below))
        }
        Some(Kind::Reactions) => line.contains('=') || rest.trim_start().starts_with('/') && kind != Kind::Foreign,
        _ => false,
    };
    let prose = prose_may_follow && is_prose(kind, rest, below);
    (!own && !prose).then_some((kind, keyword, rest))
}

/// Whether a line that starts with a section's keyword is prose: then it has more words, and the usual
/// contents of such a section do not follow before the next keyword.
fn is_prose(kind: Kind, rest: &str, after: &[&str]) -> bool {
    if are_options(rest) {
        return false;
    }
    let mut content = after.iter().take_while(|line| self::keyword(line).is_none());
    !match kind {
        Kind::Elements | Kind::Species | Kind::Foreign => {
            // Prose may contain the word, too.
            let ends = |line: &str| line.split_whitespace().next_back() == Some("END") || is_end(line);
            let data = kind == Kind::Foreign && rest.starts_with('/');
            data || ends(rest) || content.any(|line| ends(line))
        }
        Kind::Reactions => content.take_while(|line| !is_end(line)).any(|line| is_reaction(line)),
        Kind::Nasa7 => content.take_while(|line| !is_end(line)).any(|line| nasa7::is_first(line)),
        Kind::Nasa9 | Kind::Transport => content.any(|line| is_end(line)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(all: &str) -> (Vec<(Kind, usize)>, Vec<&'static str>) {
        let mut findings = Findings::default();
        let sections = split(Text { file: 1, all }, File::Mechanism, &mut findings);
        (sections.iter().map(|s| (s.kind, s.lines.len())).collect(), findings.finish().iter().map(|d| d.code).collect())
    }

    #[test]
    fn sections_end_at_end_or_at_the_next_one() {
        let (sections, found) =
            cut("elem H C END\nSPEC\nA B\nreac cal/mole\nA=B 1 0 0\nEND\nTRANS ALL\nA 1 2 3\nEND\n");
        assert_eq!(sections, [(Kind::Elements, 1), (Kind::Species, 2), (Kind::Reactions, 1), (Kind::Transport, 1)]);
        assert!(found.is_empty());
    }

    #[test]
    fn prose_after_the_last_end_is_ignored() {
        let (sections, found) =
            cut("SPECIES A END\nREACTIONS\nA=A 1 0 0\nEND\nSome text\nReactions of A with A\nmore\n");
        assert_eq!(sections.len(), 2);
        assert_eq!(found, [codes::AFTER_END]);
    }

    /// What looks like a section is one: its mistakes are reported, and it is not skipped as prose.
    #[test]
    fn sections_after_the_last_end() {
        let kinds = |more: &str| {
            let (sections, found) = cut(&format!("SPECIES A END\nREACTIONS\nA=A 1 0 0\nEND\n{more}"));
            (sections.into_iter().skip(2).map(|s| s.0).collect::<Vec<_>>(), found)
        };
        for head in ["REACTIONS KCALS/MOLE", "REACTIONS MWOFF", "reac KELVINS MOLECULE", "REACTIONS of nitrogen"] {
            assert_eq!(kinds(&format!("{head}\nA=A 1 0 0\nEND\n")), (vec![Kind::Reactions], vec![]), "{head}");
        }
        // Options alone are a head whatever follows.
        for head in ["REACTIONS KCAL/MOLE MWOFF", "REACTIONS MAXSP=8"] {
            assert_eq!(kinds(&format!("{head}\nEND\n")), (vec![Kind::Reactions], vec![]), "{head}");
        }
        let foreign = (vec![Kind::Foreign], vec![codes::FOREIGN_SECTION]);
        assert_eq!(kinds("SITE/PT/ SDEN/2.7e-9/\nPT(S)\nEND\n"), foreign);
        assert_eq!(kinds("MATERIAL one\nPT(S)\nEND\n"), foreign);
        assert_eq!(kinds("SPECIES B C END\n"), (vec![Kind::Species], vec![]));
        for prose in [
            "Surface reactions are not in this file.",
            "Species are named as by A. U. Thor\n1999",
            "Elements (C/H/O) are at the end",
            "Thermo from B",
            "SPECIES are above",
            "REACTIONS 325 in all",
            "THERMO ALL was taken from B",
            "ELEMENTS H O",
        ] {
            assert_eq!(kinds(&format!("{prose}\nmore\n")), (vec![], vec![codes::AFTER_END]), "{prose}");
        }
    }

    /// A second block of reactions whose keyword is misspelt is no prose, and what is between sections is not behind them.
    #[test]
    fn text_between_sections() {
        let head = "SPECIES A END\nREACTIONS\nA=A 1 0 0\nEND\n";
        let found = cut(&format!("{head}REACTONS KCAL/MOLE\nA=A 1 0 0\nEND\n")).1;
        assert_eq!(found, [codes::UNKNOWN_SECTION]);
        assert_eq!(cut(&format!("{head}Reacting gases of A\nTHERM\n")).1, [codes::AFTER_END]);
        let mut findings = Findings::default();
        let all = format!("{head}of hydrogen\nREACTIONS\nA=A 1 0 0\nEND\nof carbon\n");
        split(Text { file: 1, all: &all }, File::Mechanism, &mut findings);
        let found: Vec<_> = findings.finish().into_iter().map(|d| d.message).collect();
        assert_eq!(found, ["text between sections is ignored", "text after the last END is ignored"]);
    }

    #[test]
    fn reactions_after_the_last_end_are_told() {
        let head = "SPECIES A END\nREACTIONS\nA=A 1 0 0\nEND\n";
        assert_eq!(cut(&format!("{head}A=>A 1 0 0\nA+A=A+A 1e3 0. 0\n")).1, [codes::REACTION_AFTER_END]);
        let found = cut(&format!("{head}k = 2 for T > 300 K\nA = A 1 0 0\nk = 2\n")).1;
        assert_eq!(found, [codes::REACTION_AFTER_END, codes::AFTER_END]);
        assert_eq!(cut(&format!("{head}with b = 1 2 3\n")).1, [codes::AFTER_END]);
    }

    /// Text before the first section is prose, unless its first word or an END says otherwise.
    #[test]
    fn misspelt_sections_before_the_first_one() {
        let told = |preface: &str| {
            let mut findings = Findings::default();
            let all = format!("{preface}\nSPECIES A END\n");
            split(Text { file: 1, all: &all }, File::Mechanism, &mut findings);
            findings.finish().into_iter().map(|d| (d.code, d.help.unwrap_or_default())).collect::<Vec<_>>()
        };
        for (text, meant) in [
            ("ELEMNTS\nH/1.5/ O\nEND", "ELEMENTS"),
            ("A mechanism\n ELEMNETS H O END", "ELEMENTS"),
            ("elemets\nH O", "ELEMENTS"),
            ("SPECEIS\nA B\nEND", "SPECIES"),
            ("THERM0 ALL", "THERMO"),
            ("REATCIONS KCAL/MOLE\nA=A 1 0 0\nEND", "REACTIONS"),
        ] {
            assert_eq!(told(text), [(codes::UNKNOWN_SECTION, format!("did you mean `{meant}`?"))], "{text}");
        }
        for text in ["ELS\nH O\nEND", "A mechanism\nELS\nH/1.5/\nend"] {
            assert_eq!(told(text), [(codes::UNKNOWN_SECTION, SECTIONS.to_owned())], "{text}");
        }
        for text in [
            "GRI-Mech 3.0",
            "Thermal and prompt NO\nReacting mixtures of A with B\nSpecies: 53, reactions: 325",
            "Specific rates are from B.\nEnd of the remarks",
            "Thermal\nReacting\nElemental\nThermo1 file",
            "header END",
        ] {
            assert_eq!(told(text), [(codes::PREFACE, String::new())], "{text}");
        }
        assert_eq!(told("END"), []);
    }

    #[test]
    fn unknown_sections_are_refused_once() {
        assert_eq!(cut("SPECIES A END\nSPAM\nA\nB\nEND\nREACTIONS\nEND\n").1, [codes::UNKNOWN_SECTION]);
        assert_eq!(cut("SPECIES A END\nSITE/PT/ SDEN/1e-9/\nA\nEND\n").1, [codes::FOREIGN_SECTION]);
    }
}
