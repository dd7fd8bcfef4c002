//! KPP mechanisms: `.kpp`, `.def`, `.eqn` and `.spc` files of the Kinetic PreProcessor, and of its variant in WRF-Chem.
//!
//! A file has the meaning that KPP gives it, with numbers as they are written and integers taken as reals.
//!
//! - `part` stretches of text with places, `commands` takes a file apart, `files` finds and includes files;
//! - `species` reads declarations, `values` initial values, `equation` reactions;
//! - `lex` and `tree` read expressions, `fortran` and `body` functions; `usage` knows what these set, `blocks` where IF and
//!   loops end; `intrinsic` has the functions of the language, and `library.f90` and `geos_chem.f90` those of KPP and its hosts; `resolve`
//!   finds what names stand for;
//! - `assemble` makes the scheme, `balance` counts the atoms of its reactions.

mod assemble;
mod balance;
mod blocks;
mod body;
pub mod codes;
mod commands;
mod equation;
mod files;
mod fortran;
mod globals;
mod intrinsic;
mod lex;
mod part;
mod preprocessor;
mod resolve;
mod species;
mod tree;
mod usage;
mod values;

use std::path::Path;

use crate::scheme::Scheme;
use crate::{Refusal, read};

/// Reads a KPP mechanism from any of its files: a `.kpp` or `.def` file with what it includes; a `.eqn` file with the
/// `.spc` file beside it, and the other way round.
///
/// # Errors
///
/// [`Refusal`] with everything that is wrong, in one run.
pub fn read(path: &Path) -> Result<Scheme, Refusal> {
    let mut files = files::Files::default();
    files.start(path, &read::text_of(path)?);
    assemble::scheme(path, files)
}

/// Reads a KPP mechanism from memory: `(name, text)` of its first file. Files that it includes are searched for beside
/// its name.
///
/// # Errors
///
/// As [`read()`].
pub fn read_str((name, text): (&str, &str)) -> Result<Scheme, Refusal> {
    let path = Path::new(name);
    let mut files = files::Files::default();
    files.start(path, &read::decode(text.as_bytes(), name)?);
    assemble::scheme(path, files)
}
