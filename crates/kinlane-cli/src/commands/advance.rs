//! `kinlane advance`.

use super::{explain, scheme};
use crate::args::{AdvanceArgs, OnFailure};
use crate::error::Error;
use crate::files::output::{self, Output, Outputs};
use crate::files::states::Use;
use crate::files::{checkpoint, replay, states};
use crate::run::{exit, progress, setup, stop};
use crate::words::count;
use kinlane::{Advance, Continuation, Mechanism, Outcome, Report, SUM_TOLERANCE, States, Status};
use serde::Serialize;
use std::io;
use std::path::{Path, PathBuf};

/// The JSON report: the library's report, and the options of the run.
#[derive(Debug, Serialize)]
pub(super) struct JsonReport<'a> {
    #[serde(flatten)]
    pub(super) report: &'a Report,
    pub(super) dt: f64,
    pub(super) rtol: f64,
    pub(super) atol: f64,
    pub(super) mechanism: &'a str,
    pub(super) species: usize,
    pub(super) reactions: usize,
    pub(super) kinlane: &'static str,
}

/// Files to be written, opened before the long work.
struct Files {
    out: Output,
    /// The report, if it goes to a file.
    json: Option<Output>,
    replay: PathBuf,
}

/// The memory that cells go on from, and the file for it.
type Kept = Option<(Output, Continuation)>;

/// Runs the command; returns the exit code.
pub fn run(args: &AdvanceArgs) -> Result<i32, Error> {
    if let Some(scheme) = setup::scheme(&args.mechanism, &args.scheme)? {
        if !args.run.cpu.quiet {
            setup::warn(&scheme);
        }
        return scheme::advance(args, &scheme);
    }
    let mechanism = setup::mechanism(&args.mechanism)?;
    let mut solver = {
        let builder = Advance::builder(&mechanism).options(args.solver.options()).precision(args.precision.into());
        setup::plan(builder, &args.run)?
    };
    let files = Files::open(args)?;
    let mut states = states::read(&args.states, &mechanism, args.run.cpu.quiet)?;
    if !args.run.cpu.quiet {
        states::tell_unused(&args.states, &states, &mechanism, Use::Advance(args.solver.reactor));
    }
    let mut kept: Kept = match &args.continuation {
        Some(path) => {
            let continuation = checkpoint::read(path, args, &mechanism, &solver, states.len())?;
            Some((Output::new(path)?, continuation))
        }
        None => None,
    };
    stop::check()?;

    let progress = solver.progress();
    let report = progress::watched(args.run.cpu.quiet, states.len(), &progress, || match &mut kept {
        None => solver.advance_states(&mut states, args.dt),
        Some((_, continuation)) => solver.advance_continuing(states.cells_mut(), continuation, args.dt),
    })
    .map_err(|fault| Error::of_batch(&args.states, fault))?;
    stop::check()?;

    let replay = files.write(args, &solver, &mechanism, &states, kept, &report)?;
    if report.failed > 0 {
        tell_failures(args, &mechanism, &states, &report, &replay);
    }
    tell_debts(&mechanism, &states);
    if let Some(why) = &report.fallback {
        tell!("the CPU did the work: {why}");
    }
    if !args.run.cpu.quiet && !output::to_standard(&[&args.json]) {
        say!("{}", summary(&report));
    }
    Ok(exit::code(report.failed))
}

impl Files {
    fn open(args: &AdvanceArgs) -> Result<Self, Error> {
        let replay = replay::beside(&args.out);
        let [mech, thermo] = args.mechanism.files();
        output::ready(
            &[
                ("--out", Some(&args.out)),
                ("--json", args.json.as_deref()),
                ("--continue", args.continuation.as_deref()),
                ("the replay file", Some(&replay)),
            ],
            &[mech, thermo, Some(&args.states)],
        )?;
        let out = Output::new(&args.out)?;
        let to_file = args.json.as_deref().filter(|path| !output::is_standard(path));
        Ok(Self { out, json: to_file.map(Output::new).transpose()?, replay })
    }

    /// Writes all files that were asked for, or none. Returns the path of the replay file, which exists if
    /// cells failed.
    fn write(
        self,
        args: &AdvanceArgs,
        solver: &Advance,
        mechanism: &Mechanism,
        states: &States,
        kept: Kept,
        report: &Report,
    ) -> Result<PathBuf, Error> {
        let Self { out, json, replay: path } = self;
        let mut outputs = Outputs::default();
        if report.failed > 0 {
            let (run, method) = (&args.solver, solver.method());
            let replay = replay::gather(mechanism, &args.mechanism, run, method, &args.states, args.dt, states);
            outputs.text(&path, &output::pretty(&replay, &path)?)?;
        }
        if keeps(args, report) {
            write_states(&out, mechanism, states).map_err(|e| out.blame(e))?;
            outputs.add(out);
            if let Some((file, continuation)) = kept {
                checkpoint::write(&file, args, mechanism, solver, &continuation).map_err(|e| file.blame(e))?;
                outputs.add(file);
            }
        }
        if let Some(path) = &args.json {
            let text = output::pretty(&JsonReport::new(args, mechanism, report), path)?;
            match json {
                Some(json) => {
                    io::Write::write_all(&mut json.file(), text.as_bytes()).map_err(|e| json.blame(e))?;
                    outputs.add(json);
                }
                None => outputs.text(path, &text)?,
            }
        }
        outputs.commit()?;
        if report.failed == 0 {
            // A replay file of an earlier run would be taken for that of this run.
            let _ = std::fs::remove_file(&path);
        }
        Ok(path)
    }
}

impl<'a> JsonReport<'a> {
    fn new(args: &AdvanceArgs, mechanism: &'a Mechanism, report: &'a Report) -> Self {
        Self {
            report,
            dt: args.dt,
            rtol: args.solver.tolerances.rtol,
            atol: args.solver.options().atol,
            mechanism: mechanism.name(),
            species: mechanism.species_count(),
            reactions: mechanism.reaction_count(),
            kinlane: crate::VERSION,
        }
    }
}

/// Whether the states are to be written.
fn keeps(args: &AdvanceArgs, report: &Report) -> bool {
    report.failed == 0 || args.on_failure == OnFailure::Keep
}

/// Lists the failed cells, and what to do about them.
fn tell_failures(args: &AdvanceArgs, mechanism: &Mechanism, states: &States, report: &Report, replay: &Path) {
    list_failures(mechanism, states, report.failed);
    let spent = states.failures().any(|(_, o)| o.status == Status::TooManySteps);
    if spent && explain::is_explicit(Some(&report.method)) {
        tell!("{} is not made for stiff cells: take a method that is (--method auto)", report.method);
    }
    tell!("see why: kinlane explain {}", replay.display());
    if !keeps(args, report) {
        tell!("no output written (--on-failure stop)");
    }
}

/// One line for each of the first few failed cells.
fn list_failures(mechanism: &Mechanism, states: &States, failed: usize) {
    let keep = if failed == 1 { "keeps its" } else { "keep their" };
    tell!("{failed} of {} failed and {keep} entry state:", count(states.len(), "cell"));
    let line = |(i, o): (usize, &Outcome)| {
        let (why, worst) = (o.status, replay::component(o.worst, mechanism));
        format!("  cell {i}: {why}; reached t = {:.3e} s, last step h = {:.1e} s, worst {worst}", o.t, o.h)
    };
    exit::tell_failures(failed, states.failures().map(line));
}

/// Warns that sources took more than there was, if the next call would refuse the cells.
fn tell_debts(mechanism: &Mechanism, states: &States) {
    if states.source().is_none() {
        return;
    }
    let least = |cell: usize| states.y_of(cell).iter().copied().enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
    let owes = |cell: usize| least(cell).filter(|&(_, y)| y < -SUM_TOLERANCE).map(|(k, y)| (cell, k, y));
    let owing: Vec<_> = (0..states.len()).filter_map(owes).collect();
    let worst = owing.iter().min_by(|a, b| a.2.total_cmp(&b.2));
    if let Some((cell, name, y)) = worst.and_then(|&(cell, k, y)| Some((cell, mechanism.species_names().get(k)?, y))) {
        tell!(
            "sources took more than there was in {}; the worst: Y({name}) = {y:.3e} in cell {cell}",
            count(owing.len(), "cell")
        );
    }
}

/// One line on what was done, and at what cost.
pub fn summary(r: &Report) -> String {
    let rate = if r.seconds > 0.0 { r.cells as f64 / r.seconds } else { 0.0 };
    let place = match &*r.device {
        "cpu" => format!("{} of {}", count(r.threads, "thread"), r.lanes),
        device => device.to_owned(),
    };
    // Many of these suggest that a device does not work as it should.
    let again =
        if r.rescued > 0 { format!("; {} done again on the CPU", count(r.rescued, "cell")) } else { String::new() };
    format!(
        "{} in {:.3} s ({rate:.0} cells/s) with {} on {place}; steps per cell {} median, {} max; {} failed{again}",
        count(r.cells, "cell"),
        r.seconds,
        r.method,
        r.steps_per_cell.median,
        r.steps_per_cell.max,
        r.failed
    )
}

fn write_states(out: &Output, mechanism: &Mechanism, states: &States) -> io::Result<()> {
    let outcomes = states.outcomes();
    let mut npz = states::written(out, mechanism, states)?;
    npz.counts("status", outcomes.iter().map(|o| u32::from(o.status as u8)))?;
    npz.counts("steps", outcomes.iter().map(|o| o.cost.steps))?;
    npz.counts("rejected", outcomes.iter().map(|o| o.cost.rejected))?;
    npz.finish()
}
