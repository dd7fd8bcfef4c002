//! Configurations of MICM and MUSICA (OpenAtmos), version 0 (the objects of CAMP) and version 1, in JSON or YAML.
//!
//! Reactions of a gas are read; whatever else a file holds (aerosols, liquids, rate constants that are programs) is
//! refused by name. Everything becomes molecule/cm³ and s: version 0 counts so itself, version 1 in mol/m³.
//!
//! What the states give, besides temperature, species and fixed species:
//!
//! | input | unit | reactions |
//! |---|---|---|
//! | `C_M` | molecule/cm³ | \[M\] of TROE, TERNARY_CHEMICAL_ACTIVATION and BRANCHED: the air |
//! | `PRESSURE` | Pa | P of ARRHENIUS and TAYLOR_SERIES, where E is not zero |
//! | `name` | molecule/cm³, s | the rate constant of USER_DEFINED |
//! | `EMIS.name` | molecule/cm³/s | EMISSION |
//! | `LOSS.name` | 1/s | FIRST_ORDER_LOSS |
//! | `SURF.name.radius`, `SURF.name.number` | m, 1/m³ | SURFACE: effective radius and number of the particles |
//!
//! Here `name` is that of the reaction; a SURFACE without name has `SURF.radius` and `SURF.number`. Photolysis
//! frequencies \[1/s\] have the names of their reactions. A scaling factor multiplies what is given. MICM itself takes
//! emissions and the rate constants of USER_DEFINED in mol/m³ instead.
//!
//! A species with tracer type `THIRD_BODY` or `CONSTANT`, and a third body, is a fixed species; of a third body there is as much as
//! air where nothing else is given. A species whose concentration or mixing ratio the file gives is part of the rate constants.
//!
//! - `files` finds and parses files, `field` takes entries apart, `species` and `terms` read species and sides;
//! - `kind` lists types of reactions, `reaction` reads them, `rates` their rate constants, `law` has the formulas;
//! - `conditions` reads what music-box says beside its mechanism;
//! - `assemble` makes the scheme.

mod assemble;
pub mod codes;
mod conditions;
mod field;
mod files;
mod kind;
mod law;
mod rates;
mod reaction;
mod species;
mod terms;

use std::path::Path;

use crate::scheme::Scheme;
use crate::{Refusal, read};

/// Reads a configuration: its file, or a folder with a `config.json` or `config.yaml`.
///
/// # Errors
///
/// [`Refusal`] with everything that is wrong, in one run.
pub fn read(path: &Path) -> Result<Scheme, Refusal> {
    let mut files = files::Files::default();
    let roots = files.open(path);
    assemble::scheme(path, &roots, files)
}

/// Whether a folder holds a configuration.
pub(crate) fn is_within(folder: &Path) -> bool {
    folder.is_dir() && !files::Files::default().within(folder).is_empty()
}

/// Reads a configuration from memory: `(name, text)` of its file. Files that it lists are searched for beside its name.
///
/// # Errors
///
/// As [`read()`].
pub fn read_str((name, text): (&str, &str)) -> Result<Scheme, Refusal> {
    let mut files = files::Files::default();
    let roots: Vec<_> = files.add(name, &read::decode(text.as_bytes(), name)?).into_iter().collect();
    assemble::scheme(Path::new(name), &roots, files)
}
