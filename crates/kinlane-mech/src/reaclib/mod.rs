//! JINA REACLIB: libraries of thermonuclear rates, of which the reactions among selected nuclides become a scheme.
//!
//! A rate is a sum of sets of seven parameters \[cyburt2010\]. Sets of one reaction add up if they have the same label.
//!
//! - `nuclide` has names, `set` reads sets, `select` lists of nuclides, `partition` tables of partition functions;
//! - `assemble` makes the scheme, `capture` one whose electron captures follow the electrons.

mod assemble;
mod capture;
pub mod codes;
mod nuclide;
mod partition;
mod select;
mod set;

pub use capture::following;
pub use nuclide::{canonical, meant};
pub use select::Selection;

use crate::scheme::Scheme;
use crate::{Refusal, Sources, read};
use std::path::{Path, PathBuf};

/// Whether a text is a library: a chapter, and the nuclides of a set.
pub fn is_library(text: &str) -> bool {
    set::is_library(text)
}

/// Reads the reactions among selected nuclides, or all if none are selected. Reverse rates are multiplied by the
/// partition functions of the files in `partition`, if there are any.
///
/// # Errors
/// A [`Refusal`] with every problem of all files.
pub fn read(path: &Path, selection: Option<&Selection>, partition: &[PathBuf]) -> Result<Scheme, Refusal> {
    let text = read::text_of(path)?;
    read_from((&path.display().to_string(), text), selection, partition)
}

/// As [`read()`], with the library itself from memory, as [`read::decode`] gives it.
pub(crate) fn read_from(
    (name, text): (&str, String),
    selection: Option<&Selection>,
    partition: &[PathBuf],
) -> Result<Scheme, Refusal> {
    let table = |path: &PathBuf| Ok((path.display().to_string(), read::text_of(path)?));
    let tables = partition.iter().map(table).collect::<Result<Vec<_>, Refusal>>()?;
    scheme((name, &text), selection, &tables)
}

/// As [`read()`], from memory: `(name, text)` of the library and of tables of partition functions.
///
/// # Errors
/// As [`read()`].
pub fn read_str(
    (name, text): (&str, &str),
    selection: Option<&Selection>,
    partition: &[(&str, &str)],
) -> Result<Scheme, Refusal> {
    let text = read::decode(text.as_bytes(), name)?;
    let table = |(name, text): &(&str, &str)| Ok(((*name).to_owned(), read::decode(text.as_bytes(), name)?));
    let tables = partition.iter().map(table).collect::<Result<Vec<_>, Refusal>>()?;
    scheme((name, &text), selection, &tables)
}

fn scheme(
    (name, text): (&str, &str),
    selection: Option<&Selection>,
    tables: &[(String, String)],
) -> Result<Scheme, Refusal> {
    let mut sources = Sources::default();
    let file = sources.add(name, text);
    assemble::scheme(Path::new(name), (text, file), selection, tables, sources)
}
