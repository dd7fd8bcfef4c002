//! CHEMKIN input: `chem.inp`, with its thermodynamics inside, beside it, or in a separate file.
//!
//! A file has the meaning that Cantera gives it. Where published files break the rules but their meaning is
//! clear, they are read with a note. What is not gas-phase kinetics is refused, with its name and place.
//!
//! - `text` bytes to lines and numbers, `sections` lines to sections, `names` finds species;
//! - `nasa` reads THERMO sections, `nasa7` and `nasa9` their records, and `shelf` knows whose are wanted;
//! - `equation`, `auxiliary` and `reaction` read REACTIONS sections, `units` their unit words, `keywords` lists
//!   what may stand below a reaction, and `assemble` makes the reactions.

mod assemble;
mod auxiliary;
pub mod codes;
mod equation;
mod findings;
mod keywords;
mod names;
mod nasa;
mod nasa7;
mod nasa9;
mod reaction;
mod sections;
mod shelf;
mod text;
mod units;

pub(crate) use keywords::is_keyword;
pub(crate) use sections::is_mark;

use std::path::{Path, PathBuf};

use crate::diagnostic::refuses;
use crate::network::{Element, Reaction, Species};
use crate::validate::Complete;
use crate::words::{SHOWN, few, quoted};
use crate::{Network, Refusal, Severity, Sources, Span, elements, read, validate};
use findings::Findings;
use names::Names;
use sections::{File, Kind, Section};
use shelf::{Found, Shelf};
use text::Text;

/// Reads a CHEMKIN mechanism.
///
/// Thermodynamic data in the file itself take precedence over those of `thermo`. Without `thermo`, if species
/// lack data, a file such as `therm.dat` or `thermo.dat` is searched for beside the mechanism.
///
/// # Errors
///
/// [`Refusal`] with everything that is wrong, in one run.
pub fn read(path: &Path, thermo: Option<&Path>) -> Result<Network, Refusal> {
    let mut sources = Sources::default();
    let file = load(&mut sources, path)?;
    let stem = read::stem(path);
    let further = match thermo {
        Some(thermo) => Some(load(&mut sources, thermo)?),
        // Where it cannot be read, and is needed for more, it is told below.
        None if lacks_middle(whole(&sources.clone(), file)) => {
            find_beside(path, &stem).and_then(|beside| load(&mut sources, &beside).ok())
        }
        None => None,
    };
    let texts = sources.clone();
    let mut reading = Reading::default();
    reading.mechanism(whole(&texts, file), further.map(|file| whole(&texts, file)));
    let lacks = reading.lacks_thermo();
    let beside = if lacks && further.is_none() { find_beside(path, &stem) } else { None };
    let further = match beside {
        Some(beside) => Some(load(&mut sources, &beside)?),
        None => further.filter(|_| lacks || thermo.is_some()),
    };
    if let Some(file) = further {
        reading.thermo(whole(&sources.clone(), file));
    }
    reading.finish(stem, sources)
}

/// Reads a CHEMKIN mechanism from memory: `(name, text)` of the mechanism and, if separate, of its
/// thermodynamics.
///
/// # Errors
///
/// [`Refusal`] with everything that is wrong.
pub fn read_str(mechanism: (&str, &str), thermo: Option<(&str, &str)>) -> Result<Network, Refusal> {
    let mut sources = Sources::default();
    let mut reading = Reading::default();
    let file = add(&mut sources, mechanism)?;
    let thermo = thermo.map(|thermo| add(&mut sources, thermo)).transpose()?;
    reading.mechanism(whole(&sources, file), thermo.map(|file| whole(&sources, file)));
    if let Some(file) = thermo {
        reading.thermo(whole(&sources, file));
    }
    reading.finish(read::stem(Path::new(mechanism.0)), sources)
}

fn load(sources: &mut Sources, path: &Path) -> Result<u32, Refusal> {
    match read::text_of(path) {
        Ok(text) => Ok(sources.add(path.display().to_string(), text)),
        Err(diagnostic) => Err(Refusal::new(diagnostic, sources.clone())),
    }
}

/// Adds a text from memory.
fn add(sources: &mut Sources, (name, text): (&str, &str)) -> Result<u32, Refusal> {
    match read::decode(text.as_bytes(), name) {
        Ok(text) => Ok(sources.add(name, text)),
        Err(diagnostic) => Err(Refusal::new(diagnostic, sources.clone())),
    }
}

fn whole(sources: &Sources, file: u32) -> Text<'_> {
    Text { file, all: sources.get(Span { file, start: 0, end: 0 }).map_or("", |source| &source.text) }
}

/// Whether a mechanism has a section with thermodynamics without a line of temperatures.
fn lacks_middle(text: Text<'_>) -> bool {
    let sections = sections::split(text, File::Mechanism, &mut Findings::default());
    sections.iter().any(|section| section.kind == Kind::Nasa7) && nasa7::middle(&sections).is_none()
}

/// The thermodynamics file beside a mechanism, recognised by its name.
fn find_beside(path: &Path, stem: &str) -> Option<PathBuf> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let stem = stem.to_lowercase();
    let mut wanted: Vec<String> = [
        ".therm",
        ".thermo",
        ".thm",
        "_therm.dat",
        "_thermo.dat",
        "-therm.dat",
        "-thermo.dat",
        "therm.dat",
        "thermo.dat",
    ]
    .iter()
    .map(|end| format!("{stem}{end}"))
    .collect();
    wanted.extend(["therm.dat", "thermo.dat", "therm.txt", "thermo.txt"].map(str::to_owned));
    let mut files: Vec<(usize, PathBuf)> = std::fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let name = entry.file_name().to_str()?.to_lowercase();
            Some((wanted.iter().position(|wanted| *wanted == name)?, entry.path()))
        })
        .collect();
    files.sort();
    files.into_iter().map(|(_, path)| path).find(|path| path.is_file())
}

/// The sections of a thermodynamics file; some such files contain only the records.
fn thermo_file<'a>(text: Text<'a>, findings: &mut Findings) -> Vec<Section<'a>> {
    // Prose before such records may start with the keyword of another section.
    let thermo = |section: &Section<'_>| matches!(section.kind, Kind::Nasa7 | Kind::Nasa9);
    let sections = sections::split(text, File::Thermo, &mut Findings::default());
    if sections.iter().any(thermo) {
        return sections::split(text, File::Thermo, findings);
    }
    let records = Section { kind: Kind::Nasa7, keyword: "", head: "", lines: text.lines().collect() }.settled();
    // Without a single one it is another file, such as a mechanism.
    let any =
        sections.is_empty() || records.kind == Kind::Nasa9 || records.lines.iter().any(|line| nasa7::is_first(line));
    if any { vec![records] } else { Vec::new() }
}

/// What has been read so far.
#[derive(Default)]
struct Reading {
    findings: Findings,
    elements: Vec<Element>,
    /// Whether there was an ELEMENTS section; without one, the elements of the thermodynamic data count as
    /// declared.
    declared: bool,
    names: Names,
    species: Vec<(String, Span)>,
    found: Vec<Option<Found>>,
    found_in: Vec<u32>,
    /// Records that could not be recognised as such: species and place.
    broken: Vec<(usize, Span)>,
    /// Names of records of other species, where some have none.
    others: Vec<String>,
    /// The thermodynamics files, in the order of reading.
    thermo_files: Vec<(u32, File)>,
    /// [`Shelf::middle`].
    middle: Option<f64>,
    reactions: Vec<Reaction>,
}

impl Reading {
    /// Reads the mechanism; `further` is a file with thermodynamics, of which only the temperature between two polynomials
    /// is read here.
    fn mechanism(&mut self, text: Text<'_>, further: Option<Text<'_>>) {
        self.middle = further.and_then(|text| nasa7::middle(&thermo_file(text, &mut Findings::default())));
        let sections = sections::split(text, File::Mechanism, &mut self.findings);
        if sections.is_empty() {
            let at = Span { file: text.file, start: 0, end: 0 };
            self.findings.error(
                codes::NO_SECTIONS,
                at,
                "this is not CHEMKIN input: none of its sections is here",
                "",
                "sections are ELEMENTS, SPECIES, THERMO and REACTIONS, each closed by END",
            );
            return;
        }
        for section in sections.iter().filter(|section| section.kind == Kind::Elements) {
            self.declared = true;
            section.lines.iter().for_each(|line| self.elements(text, line));
        }
        for line in sections.iter().filter(|section| section.kind == Kind::Species).flat_map(|section| &section.lines) {
            line.split_whitespace().for_each(|word| self.declare(text, word));
        }
        self.found.resize_with(self.species.len(), || None);
        self.found_in.resize(self.species.len(), 0);
        self.thermo_files.push((text.file, File::Mechanism));
        self.thermo_sections(text, &sections);
        for section in &sections {
            match section.kind {
                Kind::Reactions => {
                    self.reactions.extend(reaction::read(text, section, &self.names, &mut self.findings))
                }
                Kind::Transport => {
                    self.findings.note(
                        codes::TRANSPORT,
                        text.span(section.keyword),
                        "transport data is skipped: reactors do not need it",
                        "this section",
                    );
                }
                _ => {}
            }
        }
        if self.species.is_empty() {
            let at = Span { file: text.file, start: 0, end: 0 };
            self.findings.error(
                codes::NO_SPECIES,
                at,
                "no species are declared",
                "",
                "declare them in a SPECIES section",
            );
        }
    }

    /// Reads the thermodynamic data of a further file.
    fn thermo(&mut self, text: Text<'_>) {
        let sections = thermo_file(text, &mut self.findings);
        self.thermo_files.push((text.file, File::Thermo));
        self.thermo_sections(text, &sections);
    }

    fn thermo_sections(&mut self, text: Text<'_>, sections: &[Section<'_>]) {
        self.shelve(None, |shelf, findings| nasa::read(text, sections, shelf, findings));
    }

    /// Passes records to the species that they belong to.
    fn shelve(&mut self, lacking: Option<Vec<bool>>, put: impl FnOnce(&mut Shelf<'_>, &mut Findings)) {
        let (found, file) = (std::mem::take(&mut self.found), std::mem::take(&mut self.found_in));
        let broken = std::mem::take(&mut self.broken);
        let others = Vec::new();
        let mut shelf = Shelf { names: &self.names, found, file, broken, middle: self.middle, lacking, others };
        put(&mut shelf, &mut self.findings);
        (self.found, self.found_in, self.broken, self.others) = (shelf.found, shelf.file, shelf.broken, shelf.others);
    }

    /// Searches again, without regard to case, for species that no record names exactly.
    fn thermo_in_any_case(&mut self, sources: &Sources) {
        if !self.lacks_thermo() {
            return;
        }
        let lacking = self.found.iter().map(Option::is_none).collect();
        let files = std::mem::take(&mut self.thermo_files);
        self.shelve(Some(lacking), |shelf, findings| {
            for (file, kind) in files {
                let (text, told) = (whole(sources, file), &mut Findings::default());
                let sections = match kind {
                    File::Mechanism => sections::split(text, kind, told),
                    File::Thermo => thermo_file(text, told),
                };
                nasa::read(text, &sections, shelf, findings);
            }
        });
    }

    fn lacks_thermo(&self) -> bool {
        self.found.iter().any(Option::is_none)
    }

    /// `H C CI/13.003/ AR`: symbols, some with an atomic weight [g/mol].
    fn elements(&mut self, text: Text<'_>, line: &str) {
        let mut last = None;
        for (i, part) in line.split('/').enumerate() {
            if i % 2 == 1 {
                let weight = text::number(part.trim()).filter(|&weight| weight > 0.0);
                match (weight, last.take().and_then(|last: usize| self.elements.get_mut(last))) {
                    (Some(weight), Some(element)) => element.molar_mass = weight / 1000.0,
                    _ => {
                        let at = text.span(if part.trim().is_empty() { line.trim() } else { part.trim() });
                        self.findings.error(
                            codes::ATOMIC_WEIGHT,
                            at,
                            "an atomic weight cannot be read",
                            "an element and a positive number in g/mol are expected",
                            "write for example `CI/13.003/`",
                        );
                    }
                }
                continue;
            }
            for word in part.split_whitespace() {
                let symbol = self.without_comma(text, word, codes::ELEMENT);
                if symbol.is_empty() {
                    continue;
                }
                let weighted = part.trim_end().ends_with(symbol)
                    && text.span(symbol).end == text.span(part.trim_end()).end
                    && text.span(part).end < text.span(line).end;
                last = Some(self.element(text, symbol, weighted));
            }
        }
    }

    /// Declares an element, or finds it; returns its index.
    fn element(&mut self, text: Text<'_>, symbol: &str, weighted: bool) -> usize {
        let known = elements::find(symbol);
        if known.is_none() && !weighted {
            let near = validate::nearest(symbol, elements::symbols());
            let help = near.map_or(String::new(), |near| format!(" (did you mean `{near}`?)"));
            self.findings.error(
                codes::ELEMENT,
                text.span(symbol),
                format!("`{symbol}` is not an element with a standard atomic weight{help}"),
                "not known",
                format!("give its atomic weight in g/mol between slashes behind it: `{symbol}/.../`"),
            );
        }
        let symbol = known.map_or_else(|| capitalised(symbol), |(symbol, _)| symbol.to_owned());
        if let Some(place) = self.elements.iter().position(|element| element.symbol == symbol) {
            return place; // declared twice, which is harmless
        }
        self.elements.push(Element { symbol, molar_mass: known.map_or(0.0, |(_, mass)| mass) });
        self.elements.len() - 1
    }

    /// A word of a list; reports a comma behind it.
    fn without_comma<'a>(&mut self, text: Text<'_>, word: &'a str, code: &'static str) -> &'a str {
        let name = word.trim_end_matches(',');
        if name.len() < word.len() {
            let message = "commas in a list of names, which are separated by blanks alone";
            let shown = if name.is_empty() { word } else { name };
            self.findings.group(Severity::Error, code, text.span(word), shown, message, "remove the comma");
        }
        name
    }

    fn declare(&mut self, text: Text<'_>, word: &str) {
        let word = self.without_comma(text, word, codes::SPECIES_NAME);
        let at = text.span(word);
        if word.is_empty() {
            return;
        }
        let wrong = match word {
            _ if word.contains('/') => {
                Some(("a slash encloses data", "site occupancies belong to surface species, which cannot be read"))
            }
            "M" | "m" => Some((
                "`M` in a reaction is any collider",
                "rename the species, also in its thermodynamic record and where reactions mean it",
            )),
            _ => None,
        };
        if let Some((label, help)) = wrong {
            let message = format!("`{word}` cannot be the name of a species");
            self.findings.error(codes::SPECIES_NAME, at, message, label, help);
            return;
        }
        match self.names.add(word) {
            Ok(_) => self.species.push((word.to_owned(), at)),
            Err(_) => self.findings.group(
                Severity::Note,
                codes::REPEATED_SPECIES,
                at,
                word,
                "species that are declared again, and count once",
                "again",
            ),
        }
    }

    /// Assembles the network.
    fn finish(mut self, name: String, sources: Sources) -> Result<Network, Refusal> {
        self.thermo_in_any_case(&sources);
        self.report_missing();
        let declared = self.species.len();
        let mut species = Vec::new();
        let mut whole = true; // whether every species has all of its elements
        for ((name, at), found) in std::mem::take(&mut self.species).into_iter().zip(std::mem::take(&mut self.found)) {
            let Some(Found::Good(record)) = found else { continue };
            let mut composition: Vec<(usize, f64)> = Vec::new();
            for (symbol, count) in &record.composition {
                match self.element_index(symbol) {
                    Some(index) => match composition.iter_mut().find(|known| known.0 == index) {
                        Some(known) => {
                            known.1 += count;
                            let message = "records that have an element twice, whose atoms are added, of";
                            let (at, label) = (record.thermo.at, "in this record");
                            self.findings.group(Severity::Warning, codes::REPEATED_ELEMENT, at, &name, message, label);
                        }
                        None => composition.push((index, *count)),
                    },
                    None => {
                        whole = false;
                        let help = format!("add `{symbol}` to ELEMENTS, or correct the record");
                        self.findings
                            .error(
                                codes::ELEMENT,
                                record.thermo.at,
                                format!("`{name}` has {count} atoms of `{symbol}`, which is not a declared element"),
                                "in this record",
                                help,
                            )
                            .labels
                            .push((at, "the species is declared here".into()));
                    }
                }
            }
            let molar_mass = composition
                .iter()
                .filter_map(|&(index, count)| Some(self.elements.get(index)?.molar_mass * count))
                .sum();
            species.push(Species { name, composition, molar_mass, thermo: record.thermo, at });
        }
        let notes = self.findings.finish();
        // Species that were removed above shift the indices.
        let complete = if !refuses(&notes) {
            Complete::All
        } else if whole && declared > 0 && species.len() == declared {
            Complete::Species
        } else {
            Complete::Neither
        };
        let mut network = Network { name, sources, elements: self.elements, species, reactions: self.reactions, notes };
        // CHEMKIN needs no permission for negative factors, which duplicates often have.
        let negative_a: Vec<usize> = (0..network.reactions.len()).collect();
        let rules = validate::Rules { negative_a, complete, ..Default::default() };
        network.notes.extend(validate::check(&network, &rules));
        if refuses(&network.notes) {
            return Err(Refusal { diagnostics: network.notes, sources: network.sources });
        }
        Ok(network)
    }

    fn element_index(&mut self, symbol: &str) -> Option<usize> {
        let known = self.elements.iter().position(|element| element.symbol.eq_ignore_ascii_case(symbol));
        if known.is_some() || self.declared {
            return known;
        }
        let (symbol, molar_mass) = elements::find(symbol)?;
        self.elements.push(Element { symbol: symbol.to_owned(), molar_mass });
        Some(self.elements.len() - 1)
    }

    fn report_missing(&mut self) {
        let missing: Vec<(usize, &(String, Span))> =
            self.species.iter().enumerate().filter(|(i, _)| matches!(self.found.get(*i), Some(None))).collect();
        let Some((_, (_, at))) = missing.first() else { return };
        let names: Vec<String> = missing.iter().map(|(_, (name, _))| name.clone()).collect();
        let message = format!("there is no thermodynamic data for {}", quoted(&names));
        let mut labels: Vec<(Span, String)> =
            missing.iter().take(SHOWN).skip(1).map(|(_, (_, at))| (*at, "and this".to_owned())).collect();
        let broken = |i: usize| self.broken.iter().find(|b| b.0 == i).map(|b| b.1);
        let records: Vec<Span> = missing.iter().filter_map(|&(i, _)| broken(i)).collect();
        let help = match records.len() {
            n if n == missing.len() => "correct what is there; see above".to_owned(),
            _ => {
                let near =
                    missing.iter().take(SHOWN).filter(|(i, _)| broken(*i).is_none()).filter_map(|(_, (name, _))| {
                        let near = validate::nearest(name, self.others.iter().map(String::as_str))?;
                        Some(format!("`{near}` for `{name}`"))
                    });
                let near = few(near);
                let meant = if near.is_empty() { near } else { format!("did you mean {near}? Else ") };
                format!(
                    "{meant}put the data into a THERMO section, give its file with --thermo, or place it as therm.dat beside the mechanism"
                )
            }
        };
        labels.extend(records.into_iter().take(SHOWN - 1).map(|at| (at, "this record is not read".to_owned())));
        self.findings.error(codes::NO_THERMO, *at, message, "no record for this species", help).labels.extend(labels);
    }
}

fn capitalised(symbol: &str) -> String {
    let mut letters = symbol.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(letters.flat_map(char::to_lowercase)).collect())
}
