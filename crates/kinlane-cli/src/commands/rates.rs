//! `kinlane rates`.

use crate::args::RatesArgs;
use crate::error::Error;
use crate::files::npz::Writer;
use crate::files::output::{self, Output};
use crate::files::states;
use crate::files::states::Use;
use crate::run::{exit, progress, setup, stop};
use crate::words::{count, short};
use kinlane::{Advance, BatchError, Mechanism, Properties, States};
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Cells taken at a time.
const CHUNK: usize = 1 << 16;
/// Numbers in Jacobians held at a time: those of a large batch shall never stand in memory together.
const ENTRIES: usize = 1 << 23;

/// Why writing stopped.
enum Stopped {
    Io(io::Error),
    Batch(BatchError),
}

impl From<io::Error> for Stopped {
    fn from(e: io::Error) -> Self {
        Self::Io(e)
    }
}

/// Runs the command; `Ok` is the exit code.
pub fn run(args: &RatesArgs) -> Result<i32, Error> {
    let mechanism = setup::mechanism(&args.mechanism)?;
    let mut solver = setup::plan(Advance::builder(&mechanism).reactor(args.reactor.into()), &args.run)?;
    let [mech, thermo] = args.mechanism.files();
    output::ready(&[("--out", Some(&args.out))], &[mech, thermo, Some(&args.states)])?;
    let out = Output::new(&args.out)?;
    let states = states::read(&args.states, &mechanism, args.run.cpu.quiet)?;
    if !args.run.cpu.quiet {
        states::tell_unused(&args.states, &states, &mechanism, Use::Rates);
    }

    let progress = AtomicUsize::new(0);
    let bad = progress::watched(args.run.cpu.quiet, states.len(), &progress, || {
        write(&out, &mechanism, &mut solver, &states, args, &progress)
    })
    .map_err(|e| match e {
        Stopped::Io(e) => out.blame(e),
        Stopped::Batch(fault) => Error::of_batch(&args.states, fault).or_interrupted(),
    })?;
    stop::check()?;
    out.commit()?;
    if let Some(&first) = bad.first() {
        let at = |v: &[f64]| v.get(first).copied().unwrap_or(f64::NAN);
        let (n, t, p) = (states.len(), at(states.temperature()), at(states.pressure()));
        let of = count(n, "cell");
        tell!(
            "the rates of {} of {of} are not finite; the first is cell {first}, at {} K and {} Pa",
            bad.len(),
            short(t),
            short(p)
        );
    }
    if let Some(why) = solver.fallback() {
        tell!("the CPU did the work: {why}");
    }
    if !args.run.cpu.quiet {
        say!("rates of {}, {} species", count(states.len(), "cell"), mechanism.species_count());
    }
    Ok(exit::code(bad.len()))
}

/// Writes the file and gives the cells with rates that are not finite.
fn write(
    out: &Output,
    mechanism: &Mechanism,
    solver: &mut Advance,
    states: &States,
    args: &RatesArgs,
    progress: &AtomicUsize,
) -> Result<Vec<usize>, Stopped> {
    let (n, k, jacobian) = (states.len(), states.species_count(), args.jacobian);
    let size = (k + 1) * (k + 1);
    let most = if jacobian { (ENTRIES / size).clamp(1, CHUNK) } else { CHUNK };
    // Equal parts: a device may do a small one another way, and compile for it.
    let chunk = n.div_ceil(n.div_ceil(most).max(1)).max(1);
    let mut npz = Writer::new(out.file());
    npz.strings("species", mechanism.species_names())?;
    if jacobian {
        npz.begin("jac", "<f8", &[n, k + 1, k + 1])?;
    }
    let mut wdot = vec![0.0; n * k];
    let mut jac = if jacobian { vec![0.0; n.min(chunk) * size] } else { Vec::new() };
    for (lo, w) in (0..n).step_by(chunk).zip(wdot.chunks_mut(chunk * k.max(1))) {
        if stop::asked() {
            return Err(io::Error::other("interrupted").into());
        }
        let cells = chunk.min(n - lo);
        let part = if jacobian { jac.get_mut(..cells * size) } else { None };
        let at = states.points().part(lo..lo + cells, k);
        solver.rates(at, w, part).map_err(|e| Stopped::Batch(shifted(e, lo)))?;
        if jacobian {
            npz.push(jac.iter().take(cells * size).map(|v| v.to_le_bytes()))?;
        }
        progress.fetch_add(cells, Ordering::Relaxed);
    }
    npz.numbers("wdot", &[n, k], &wdot)?;
    let mut gas = vec![Properties::default(); n];
    solver.properties(states.points(), &mut gas).map_err(Stopped::Batch)?;
    type Column = (&'static str, fn(&Properties) -> f64);
    let columns: [Column; 4] =
        [("rho", |g| g.density), ("cp", |g| g.cp), ("h", |g| g.enthalpy), ("hrr", |g| g.heat_release)];
    for (name, of) in columns {
        npz.numbers(name, &[n], &gas.iter().map(of).collect::<Vec<f64>>())?;
    }
    if args.reactions {
        write_reactions(&mut npz, mechanism, solver, states)?;
    }
    npz.finish()?;
    Ok((0..n).filter(|&i| wdot.iter().skip(i * k).take(k).any(|w| !w.is_finite())).collect())
}

/// Writes what every reaction does, forward and reverse one after the other: both at once may not fit into memory.
fn write_reactions(
    npz: &mut Writer<'_>,
    mechanism: &Mechanism,
    solver: &mut Advance,
    states: &States,
) -> Result<(), Stopped> {
    let (n, k, r) = (states.len(), states.species_count(), mechanism.reaction_count());
    let equations: Vec<String> = mechanism.network().reactions.iter().map(|r| r.equation.clone()).collect();
    npz.strings("equations", &equations)?;
    let chunk = (ENTRIES / r.max(1)).clamp(1, CHUNK);
    for (name, way) in [("forward", 0), ("reverse", 1)] {
        npz.begin(name, "<f8", &[n, r])?;
        for lo in (0..n).step_by(chunk) {
            if stop::asked() {
                return Err(io::Error::other("interrupted").into());
            }
            let cells = chunk.min(n - lo);
            let mut rates = vec![[0.0; 2]; cells * r];
            solver
                .progress_of_reactions(states.points().part(lo..lo + cells, k), &mut rates)
                .map_err(Stopped::Batch)?;
            npz.push(rates.iter().map(|q| q[way].to_le_bytes()))?;
        }
    }
    Ok(())
}

/// The error with the cell counted from the start of the batch.
fn shifted(e: BatchError, first: usize) -> BatchError {
    match e {
        BatchError::Value { cell, column, value, fault } => {
            BatchError::Value { cell: cell + first, column, value, fault }
        }
        other => other,
    }
}
