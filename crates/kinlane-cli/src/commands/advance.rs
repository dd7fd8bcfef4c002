//! `kinlane advance`.

use super::ending::{self, Subject};
use super::{explain, scheme};
use crate::args::{MechanismArgs, RunArgs, SchemeArgs, SolverArgs};
use crate::error::Error;
use crate::files::output::{self, Output, Outputs};
use crate::files::replay::{Continued, Replay};
use crate::files::states::Use;
use crate::files::{checkpoint, replay, states};
use crate::run::{exit, progress, setup, stop};
use crate::values::{time, word};
use clap::{Args, ValueEnum};
use kinlane::{Advance, Continuation, Mechanism, Precision, Report, SUM_TOLERANCE, States, Status};
use std::io;
use std::path::{Path, PathBuf};

/// Advance a batch of cells by a time interval
#[derive(Debug, Args)]
#[command(after_help = "\
States file (NPZ, as numpy.savez or savez_compressed write it; float64, other numbers are converted):
  T [n] K, P [n] Pa, Y [n,k] mass fractions, species [k] names in any order, all required.
  Sums of Y may be off by 1e-6 and are then renormalised.
  Optional: Te [n] K electron temperature; dYdt [n,k] 1/s and heating [n] W/kg, a source over the interval;
  dt [n] s, the interval of each cell, in the place of --dt.
Output: T, P, Y, species (in the mechanism's order), status [n] (0 = done), steps [n], rejected [n].
  A failed cell keeps its entry state. OUT.replay.json beside the output holds the failed cells (of gases).
Atmospheres and stars have other arrays: T, C, J, T9, rho ...; see docs/schemes.md.

Examples:
  kinlane advance gri30 --states s.npz --dt 1e-6 --out o.npz
  kinlane advance gri30 --states s.npz --dt 1e-6 --out o.npz --continue memory.npz
  kinlane advance chem.inp --thermo therm.dat --states s.npz --dt 1e-5 --out o.npz")]
pub struct AdvanceArgs {
    #[command(flatten)]
    pub mechanism: MechanismArgs,
    #[command(flatten)]
    pub scheme: SchemeArgs,
    /// NPZ file of the cells
    #[arg(long, value_name = "FILE", help_heading = "Input and output")]
    pub states: PathBuf,
    /// Interval to advance by [s], or with a unit: 1us, 0.5ms, 20ns (default: dt of the states file)
    #[arg(long, value_name = "TIME", value_parser = time, help_heading = "Input and output")]
    pub dt: Option<f64>,
    /// NPZ file to write; it appears only when it is complete
    #[arg(long, value_name = "FILE", help_heading = "Input and output")]
    pub out: PathBuf,
    /// JSON report to write (- for standard output): cells, failures, times, costs
    #[arg(long, value_name = "FILE", help_heading = "Input and output")]
    pub json: Option<PathBuf>,
    /// Checkpoint of the integration of a gas (NPZ): where it exists, cells go on with its step sizes, orders and factors; states
    /// still come from --states. It is rewritten at the end
    #[arg(long = "continue", value_name = "FILE", help_heading = "Input and output")]
    pub continuation: Option<PathBuf>,
    /// Take Y unchanged, as from a host of the library: sums are not scaled, negative values not refused
    #[arg(long, help_heading = "Input and output")]
    pub as_given: bool,
    #[command(flatten)]
    pub solver: SolverArgs,
    #[command(flatten)]
    pub run: RunArgs,
    /// Precision on a device: f64; mixed, with f32 exponentials, Jacobian and factors, for --rtol from 1e-5 on; f32,
    /// from 1e-4 on. Cells that fail in it are done on the CPU in f64
    #[arg(long, value_parser = word(&Precision::ALL, Precision::name), default_value = "f64", help_heading = "Run")]
    pub precision: Precision,
    /// Where cells fail: keep writes everything (they keep their entry state), stop writes only the replay file and --json
    #[arg(long, value_enum, default_value = "keep", help_heading = "Run")]
    pub on_failure: OnFailure,
}

/// `--on-failure`. The values have no doc comments: clap would print every option on several lines for their sake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs, reason = "said in the option's own line")]
pub enum OnFailure {
    Keep,
    Stop,
}

/// Files to be written, opened before the long work.
struct Files {
    out: Output,
    /// The report, if it goes to a file.
    json: Option<Output>,
    /// Where failed cells go.
    replay: Option<PathBuf>,
}

/// The memory that cells go on from, the file for it, and whether that was there.
type Kept = Option<(Output, Continuation, Continued)>;

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
        setup::connected(setup::placed(builder, &args.run)?.precision(args.precision))?
    };
    let files = Files::open(args)?;
    let states = states::read_as(&args.states, &mechanism, args.run.cpu.quiet, args.as_given)?;
    let mut states = states::with_intervals(&args.states, states, args.dt, args.run.cpu.quiet)?;
    // Cells with intervals of their own do not look at that of the call.
    let dt = args.dt.unwrap_or(f64::NAN);
    if !args.run.cpu.quiet {
        states::tell_unused(&args.states, &states, &mechanism, Use::Advance(args.solver.gas_reactor()));
    }
    let mut kept: Kept = match &args.continuation {
        Some(path) => {
            let continued = if path.exists() { Continued::Earlier } else { Continued::Anew };
            let continuation = checkpoint::read(path, &args.solver, &mechanism, &solver, states.len())?;
            Some((Output::new(path)?, continuation, continued))
        }
        None => None,
    };
    stop::check()?;

    let progress = solver.progress();
    let report = progress::watched(args.run.cpu.quiet, states.len(), &progress, || match &mut kept {
        None => solver.advance_states(&mut states, dt),
        Some((_, continuation, _)) => solver.advance_continuing(states.cells_mut(), continuation, dt),
    })
    .map_err(|fault| Error::of_batch(&args.states, fault))?;
    stop::check()?;

    let replay = files.write(args, &solver, &mechanism, &states, kept, &report)?;
    if report.failed > 0 {
        tell_failures(args, &mechanism, &states, &report, replay.as_deref());
    }
    if states.source().is_some() {
        Subject::from(&mechanism).tell_debts((0..states.len()).map(|cell| states.y_of(cell)), SUM_TOLERANCE);
    }
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
                ("the replay file", replay.as_deref()),
            ],
            &[mech, thermo, Some(&args.states)],
        )?;
        let out = Output::new(&args.out)?;
        let to_file = args.json.as_deref().filter(|path| !output::is_standard(path));
        Ok(Self { out, json: to_file.map(Output::new).transpose()?, replay })
    }

    /// Writes all files that were asked for, or none. Returns the path of the replay file, if there may be one: it exists if cells
    /// failed.
    fn write(
        self,
        args: &AdvanceArgs,
        solver: &Advance,
        mechanism: &Mechanism,
        states: &States,
        kept: Kept,
        report: &Report,
    ) -> Result<Option<PathBuf>, Error> {
        let Self { out, json, replay } = self;
        let mut outputs = Outputs::default();
        if let Some(path) = replay.as_deref().filter(|_| report.failed > 0) {
            let (run, method) = (&args.solver, &report.method);
            let replay = replay::gather(mechanism, &args.mechanism, run, method, &args.states, args.dt, states);
            let replay = Replay { continued: kept.as_ref().map(|kept| kept.2), ..replay };
            outputs.text(path, &output::pretty(&replay, path)?)?;
        }
        if ending::keeps(args.on_failure, report) {
            write_states(&out, mechanism, states).map_err(|e| out.blame(e))?;
            outputs.add(out);
            if let Some((file, continuation, _)) = kept {
                checkpoint::write(&file, &args.solver, mechanism, solver, &continuation).map_err(|e| file.blame(e))?;
                outputs.add(file);
            }
        }
        if let Some(path) = &args.json {
            let text =
                output::pretty(&Subject::from(mechanism).advanced(&args.solver.options(), args.dt, report), path)?;
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
            replay.iter().for_each(|path| replay::forget(path));
        }
        Ok(replay)
    }
}

/// The reaction with the largest rate in a cell, which has its entry state.
fn fastest(mechanism: &Mechanism, states: &States, cell: usize) -> Option<String> {
    let of = |all: &[f64]| vec![all[cell]];
    let y = states.y_of(cell).to_vec();
    let mut one = States::new(mechanism, of(states.temperature()), of(states.pressure()), y).ok()?;
    if let Some(te) = states.electron_temperature() {
        one = one.with_electron_temperature(of(te)).ok()?;
    }
    let found = kinlane::inspect(mechanism, &one).ok()?;
    let rates = found.reactions.iter().map(|r| (r.forward.abs() + r.reverse.abs(), r.reaction));
    let (_, reaction) = rates.filter(|(rate, _)| *rate > 0.0).max_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(mechanism.network().reactions.get(reaction)?.equation.clone())
}

/// Lists the failed cells, and what to do about them.
fn tell_failures(args: &AdvanceArgs, mechanism: &Mechanism, states: &States, report: &Report, replay: Option<&Path>) {
    Subject::from(mechanism).list_failures(states.failures(), report, |cell| fastest(mechanism, states, cell));
    let spent = states.failures().any(|(_, o)| o.status == Status::TooManySteps);
    if spent && explain::is_explicit(Some(&report.method)) {
        tell!("{} is not made for stiff cells: take a method that is (--method auto)", report.method);
    }
    match replay {
        Some(path) => tell!("see why: kinlane explain {}", path.display()),
        None => {
            tell!("to see why, give --out a name: failed cells are kept beside the output, and this one is dropped")
        }
    }
    if !ending::keeps(args.on_failure, report) {
        tell!("no output written (--on-failure stop)");
    }
}

fn write_states(out: &Output, mechanism: &Mechanism, states: &States) -> io::Result<()> {
    let mut npz = states::written(out, mechanism, states)?;
    ending::write(&mut npz, states.outcomes())?;
    npz.finish()
}
