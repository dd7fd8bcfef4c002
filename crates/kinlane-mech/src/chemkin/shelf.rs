//! Thermodynamic records by species: which are wanted, and what was found.

use super::codes;
use super::findings::Findings;
use super::names::Names;
use super::text::{Text, columns};
use crate::network::Thermo;
use crate::{Severity, Span};

/// The contents of a record for one species.
pub(super) struct Record {
    /// (symbol as written, number of atoms), without zeros.
    pub composition: Vec<(String, f64)>,
    /// The polynomials.
    pub thermo: Thermo,
}

/// The state of a species while thermodynamic data is read.
pub(super) enum Found {
    /// A record.
    Good(Box<Record>),
    /// There is a record, but it has faults, which have been reported.
    Faulty,
}

/// Storage for records, with one place per declared species.
pub(super) struct Shelf<'n> {
    /// The declared species.
    pub names: &'n Names,
    /// What was found for each species.
    pub found: Vec<Option<Found>>,
    /// The file that each was found in.
    pub file: Vec<u32>,
    /// Declared species with a record that is not read, because its first line lacks its mark: index and
    /// place.
    pub broken: Vec<(usize, Span)>,
    /// Middle temperature \[K\] of records that neither have one nor stand below a line that has: that of the file with
    /// thermodynamics.
    pub middle: Option<f64>,
    /// For a second reading, without regard to case: marks the species that no record anywhere names exactly.
    pub lacking: Option<Vec<bool>>,
    /// Names of records of no declared species, in a second reading.
    pub others: Vec<String>,
}

impl Shelf<'_> {
    /// The declared species to which a record of this name belongs.
    fn species(&self, name: &str) -> Option<usize> {
        match &self.lacking {
            None => self.names.exact(name),
            Some(lacking) => self.names.find(name).map(|found| found.0).filter(|&i| lacking.get(i) == Some(&true)),
        }
    }

    /// The name in the first 24 columns; if a long name runs into the date behind it, the first 18.
    pub fn record_name<'a>(&self, line: &'a str) -> &'a str {
        let name = |end| columns(line, 0, end).split_whitespace().next().unwrap_or("");
        [name(24), name(18)].into_iter().find(|name| self.species(name).is_some()).unwrap_or(name(24))
    }

    /// The declared species whose record is wanted, if it is. A second record in the same file is reported;
    /// one in a further file is not: a mechanism's own data take precedence over those of a database, which
    /// is the intended use of both.
    pub fn wanted(&mut self, name: &str, text: Text<'_>, findings: &mut Findings) -> Option<usize> {
        let Some(index) = self.species(name) else {
            if self.lacking.is_some() && self.names.find(name).is_none() {
                self.others.push(name.to_owned());
            }
            return None;
        };
        let at = text.span(name);
        if self.found.get(index)?.is_some() {
            if self.file.get(index) == Some(&text.file) {
                findings.group(
                    Severity::Note,
                    codes::REPEATED_THERMO,
                    at,
                    name,
                    "species with more than one thermodynamic record, the first of which is used",
                    "ignored",
                );
            }
            return None;
        }
        if self.lacking.is_some() {
            let species = self.names.name(index);
            findings.group(
                Severity::Warning,
                codes::CASE_THERMO,
                at,
                &format!("{name}` for `{species}"),
                "thermodynamic records that fit a species only without regard to case",
                &format!("taken to be `{species}`"),
            );
        }
        *self.file.get_mut(index)? = text.file;
        Some(index)
    }

    /// The declared species without a record whose record this line starts, with the mark in a wrong column.
    /// `tail` are the lines below.
    pub fn unmarked(&self, first: &str, tail: &[&str]) -> Option<usize> {
        let index = self.species(first.split_whitespace().next()?)?;
        let data = tail.iter().find(|line| !line.ends_with('&'))?;
        let starts = self.lacking.is_none() && first.len() >= 45 && data.len() >= 60 && data.ends_with('2');
        (starts && self.found.get(index)?.is_none()).then_some(index)
    }

    /// Stores what was found for a species.
    pub fn put(&mut self, index: usize, found: Found) {
        if let Some(place) = self.found.get_mut(index) {
            *place = Some(found);
        }
    }
}
