//! The continuation of cells in a file: `kinlane advance --continue FILE`.

use crate::args::SolverArgs;
use crate::error::Error;
use crate::files::npz::{Reader, Writer};
use crate::files::output::Output;
use crate::files::replay;
use crate::words::count;
use kinlane::{Advance, Continuation, Mechanism};
use std::io;
use std::path::Path;

/// The continuation in a file; an empty one if the file does not exist yet.
pub fn read(
    path: &Path,
    args: &SolverArgs,
    mechanism: &Mechanism,
    solver: &Advance,
    cells: usize,
) -> Result<Continuation, Error> {
    let mut continuation = solver.continuation(cells);
    if !path.exists() {
        return Ok(continuation);
    }
    let mut npz = Reader::open(path)?;
    if !npz.has("for") || !npz.has("memory") {
        return Err(Error::NoMemory { path: path.to_owned() });
    }
    let (have, want) = (npz.strings("for")?, made_for(args, mechanism, solver, &continuation));
    if let Some((have, want)) = have.iter().zip(&want).find(|(a, b)| a != b) {
        let auto = want.starts_with(METHOD) && solver.method() != solver.single_method();
        let want = format!("{want}{}", if auto { ", which is what auto takes here" } else { "" });
        return Err(Error::Checkpoint { path: path.to_owned(), have: have.clone(), want });
    }
    let of_cells = |n: usize| count(n, "cell");
    if have.len() != want.len() {
        let lines = |all: &[String]| format!("{} species and files", all.len().saturating_sub(SETTINGS));
        return Err(Error::Checkpoint { path: path.to_owned(), have: lines(&have), want: lines(&want) });
    }
    let numbers = npz.vector("memory", None)?;
    if numbers.len() != cells * continuation.width() {
        let have = of_cells(numbers.len() / continuation.width().max(1));
        return Err(Error::Checkpoint { path: path.to_owned(), have, want: of_cells(cells) });
    }
    continuation.load(&numbers).map_err(|e| Error::of_batch(path, e.into()))?;
    Ok(continuation)
}

/// Writes the continuation.
pub fn write(
    out: &Output,
    args: &SolverArgs,
    mechanism: &Mechanism,
    solver: &Advance,
    continuation: &Continuation,
) -> io::Result<()> {
    let mut npz = Writer::new(out.file());
    npz.strings("for", &made_for(args, mechanism, solver, continuation))?;
    let numbers = continuation.save();
    npz.numbers("memory", &[numbers.len()], &numbers)?;
    npz.finish()
}

/// How the line of [`made_for`] about the method begins.
const METHOD: &str = "method ";

/// Number of lines of [`made_for`] before the species.
const SETTINGS: usize = 6;

/// All that a continuation depends on, in words: a solver that differs in any of it could not go on.
fn made_for(args: &SolverArgs, mechanism: &Mechanism, solver: &Advance, continuation: &Continuation) -> Vec<String> {
    let mut all = vec![
        format!("kinlane {}", crate::VERSION),
        format!("{METHOD}{}", solver.single_method()),
        format!("reactor {}", args.gas_reactor().name()),
        format!("rtol {:e}", args.tolerances.rtol),
        args.tolerances.gas_atols(),
        count(mechanism.reaction_count(), "reaction"),
    ];
    all.extend(mechanism.species_names().iter().map(|s| format!("species {s}")));
    // Factors and histories depend on the exact rate constants; where the files lie does not matter.
    let digests = replay::digests(mechanism);
    let contents = replay::contents(&digests);
    all.extend(contents.into_iter().map(|d| format!("a mechanism file of SHA-256 {}", d.get(..12).unwrap_or(d))));
    // What words do not tell, such as another phase of the same file.
    all.push(format!("constants of the solver {:016x}", continuation.solver()));
    all
}
