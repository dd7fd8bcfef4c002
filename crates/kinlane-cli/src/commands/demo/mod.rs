//! `kinlane demo`: a batch that does real work, with tables, pictures and a check of the answers.

mod reference;
mod report;

use crate::args::RunArgs;
use crate::commands::ending;
use crate::commands::total::Total;
use crate::error::Error;
use crate::run::{exit, progress, setup, stop};
use clap::Args;
use kinlane::{Advance, BatchError, Mechanism, States};
use reference::Reference;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Ignite methane and air in a batch of cells; tables and pictures of what happened
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  kinlane demo --cells 10000")]
pub struct DemoArgs {
    /// Cells in the batch
    #[arg(long, value_name = "N", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(16..=10_000_000))]
    pub cells: u32,
    /// Folder to write into
    #[arg(long, value_name = "DIR", default_value = "kinlane-demo")]
    pub out: PathBuf,
    #[command(flatten)]
    pub run: RunArgs,
}

/// Species whose trajectories are kept.
const RADICALS: [&str; 3] = ["OH", "H", "O"];

/// A cell whose course is kept: T and the radicals at every sub-step, including the start.
struct Kept {
    t0: f64,
    phi: f64,
    temperature: Vec<f64>,
    radicals: [Vec<f64>; 3],
}

/// Fates of the cells, by their last temperature relative to their first.
#[derive(Default)]
struct Fates {
    cold: usize,
    igniting: usize,
    burnt: usize,
}

/// Runs the command; returns the exit code.
pub fn run(args: &DemoArgs) -> Result<i32, Error> {
    let here = |fault| Error::Batch { path: "demo".into(), fault };
    let mechanism = Mechanism::bundled("gri30")?;
    let reference = Reference::load();
    let mut solver = setup::plan(Advance::builder(&mechanism).rtol(1e-5).atol(1e-12), &args.run)?;
    std::fs::create_dir_all(&args.out).map_err(|fault| Error::Write { path: args.out.clone(), fault })?;

    let (mut states, starts) = batch(&mechanism, &reference, args.cells as usize).map_err(here)?;
    let mut kept = Vec::new();
    for c in &reference.cells {
        kept.push(Kept { t0: c.t0, phi: c.phi, temperature: Vec::new(), radicals: Default::default() });
    }
    let radicals = RADICALS.map(|name| mechanism.species_index(name).unwrap_or(0));
    record(&mut kept, &states, radicals);

    let total = states.len() * reference.steps;
    let (progress, inner) = (AtomicUsize::new(0), solver.progress());
    let sums = progress::watched(args.run.cpu.quiet, total, &progress, || {
        let mut sums = Total::default();
        for _ in 0..reference.steps {
            let r = solver.advance_states(&mut states, reference.interval)?;
            progress.fetch_add(inner.load(Ordering::Relaxed), Ordering::Relaxed);
            sums.add(&r, states.outcomes());
            record(&mut kept, &states, radicals);
            if stop::asked() {
                break;
            }
        }
        Ok(sums.report())
    })
    .map_err(here)?;
    stop::check()?;
    ending::tell_fallback(solver.fallback());

    let errors = reference.errors(&kept);
    let page = report::page(&report::Facts {
        cells: states.len(),
        total,
        solver: &solver,
        reference: &reference,
        sums: &sums,
        fates: &fates(&starts, states.temperature()),
        errors: &errors,
    });
    report::write_all(Path::new(&args.out), &page, &kept, &reference)?;
    if !args.run.cpu.quiet {
        say!("{}", report::plain(&page));
        say!("pictures and table: {}", args.out.join("index.md").display());
    }
    Ok(exit::code(sums.failed))
}

/// The reference cells first, then cells spread evenly over initial temperatures from 300 to 1900 K and
/// equivalence ratios from 0.5 to 2. Also returns the initial temperatures.
fn batch(mechanism: &Mechanism, reference: &Reference, n: usize) -> Result<(States, Vec<f64>), BatchError> {
    let (mut t, mut y) = (Vec::with_capacity(n), Vec::with_capacity(n * mechanism.species_count()));
    for i in 0..n {
        let (t0, phi) = match reference.cells.get(i) {
            Some(c) => (c.t0, c.phi),
            None => {
                let [hot, rich] = super::spread(i);
                (300.0 + 1600.0 * hot, 0.5 + 1.5 * rich)
            }
        };
        t.push(t0);
        y.extend(mechanism.mass_fractions_of_moles(&[("CH4", phi), ("O2", 2.0), ("N2", 7.52)])?);
    }
    Ok((States::new(mechanism, t.clone(), vec![reference.pressure; n], y)?, t))
}

fn record(kept: &mut [Kept], states: &States, radicals: [usize; 3]) {
    for (i, k) in kept.iter_mut().enumerate() {
        k.temperature.push(states.temperature().get(i).copied().unwrap_or(f64::NAN));
        let y = states.y_of(i);
        for (curve, r) in k.radicals.iter_mut().zip(radicals) {
            curve.push(y.get(r).copied().unwrap_or(f64::NAN));
        }
    }
}

fn fates(before: &[f64], after: &[f64]) -> Fates {
    let mut f = Fates::default();
    for (b, a) in before.iter().zip(after) {
        match a - b {
            ..20.0 => f.cold += 1,
            20.0..800.0 => f.igniting += 1,
            _ => f.burnt += 1,
        }
    }
    f
}
