//! `kinlane advance`.

use super::ending::{self, Subject};
use super::{explain, scheme};
use crate::args::AdvanceArgs;
use crate::error::Error;
use crate::files::output::{self, Output, Outputs};
use crate::files::states::Use;
use crate::files::{checkpoint, replay, states};
use crate::run::{exit, progress, setup, stop};
use crate::words::count;
use kinlane::{Advance, Continuation, Mechanism, Report, SUM_TOLERANCE, States, Status};
use std::io;
use std::path::{Path, PathBuf};

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
        let builder = Advance::builder(&mechanism).options(args.solver.options());
        setup::connected(setup::placed(builder, &args.run)?.precision(args.precision.into()))?
    };
    let files = Files::open(args)?;
    let states = states::read(&args.states, &mechanism, args.run.cpu.quiet)?;
    let mut states = states::with_intervals(&args.states, states, args.dt, args.run.cpu.quiet)?;
    // Cells with intervals of their own do not look at that of the call.
    let dt = args.dt.unwrap_or(f64::NAN);
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
        None => solver.advance_states(&mut states, dt),
        Some((_, continuation)) => solver.advance_continuing(states.cells_mut(), continuation, dt),
    })
    .map_err(|fault| Error::of_batch(&args.states, fault))?;
    stop::check()?;

    let replay = files.write(args, &solver, &mechanism, &states, kept, &report)?;
    if report.failed > 0 {
        tell_failures(args, &mechanism, &states, &report, &replay);
    }
    tell_debts(&mechanism, &states);
    ending::tell(&report, args.run.cpu.quiet || output::to_standard(&[&args.json]));
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
            let (run, method) = (&args.solver, &report.method);
            let replay = replay::gather(mechanism, &args.mechanism, run, method, &args.states, args.dt, states);
            outputs.text(&path, &output::pretty(&replay, &path)?)?;
        }
        if ending::keeps(args.on_failure, report) {
            write_states(&out, mechanism, states).map_err(|e| out.blame(e))?;
            outputs.add(out);
            if let Some((file, continuation)) = kept {
                checkpoint::write(&file, args, mechanism, solver, &continuation).map_err(|e| file.blame(e))?;
                outputs.add(file);
            }
        }
        if let Some(path) = &args.json {
            let text = output::pretty(&Subject::from(mechanism).json(&args.solver.options(), args.dt, report), path)?;
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

/// Lists the failed cells, and what to do about them.
fn tell_failures(args: &AdvanceArgs, mechanism: &Mechanism, states: &States, report: &Report, replay: &Path) {
    Subject::from(mechanism).list_failures(states.failures(), report);
    let spent = states.failures().any(|(_, o)| o.status == Status::TooManySteps);
    if spent && explain::is_explicit(Some(&report.method)) {
        tell!("{} is not made for stiff cells: take a method that is (--method auto)", report.method);
    }
    tell!("see why: kinlane explain {}", replay.display());
    if !ending::keeps(args.on_failure, report) {
        tell!("no output written (--on-failure stop)");
    }
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

fn write_states(out: &Output, mechanism: &Mechanism, states: &States) -> io::Result<()> {
    let mut npz = states::written(out, mechanism, states)?;
    ending::write(&mut npz, states.outcomes())?;
    npz.finish()
}
