//! `check`, `rates` and `advance` of reaction schemes: atmospheres and networks of nuclides.

use super::advance::AdvanceArgs;
use super::ending::{self, Subject};
use super::rates::{self, RatesArgs, RatesReport};
use crate::args::RunArgs;
use crate::error::Error;
use crate::files::npz::Writer;
use crate::files::output::{self, Output, Outputs};
use crate::files::replay;
use crate::files::scheme::{self as files, Batch};
use crate::run::{exit, progress, setup, stop};
use crate::words::count;
use kinlane::mech::scheme::{Field, Rate};
use kinlane::mech::words::few;
use kinlane::{
    BatchError, Options, Precision, Reactor, Scheme, SchemeSolver, SchemeStates, Status, Zone, ZoneError, Zones,
};
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Instant;

/// This many absolute tolerances below zero a species lacks what a sink has taken.
const OWED: f64 = 100.0;

/// What a scheme holds, in a few lines; with its species, if asked for.
pub fn summary(scheme: &Scheme, species: bool) -> String {
    let list = |what: &str, names: &[String]| match names.len() {
        0 => String::new(),
        _ => format!("\n  {what}: {}", names.join(", ")),
    };
    let inputs = |uptake| -> Vec<String> {
        let all = scheme.input_names().iter().enumerate();
        all.filter(|(i, _)| scheme.model().uptakes.contains(i) == uptake).map(|(_, name)| name.clone()).collect()
    };
    let (sizes, field) = (scheme.sizes(), scheme.field());
    let what = match field {
        Field::Atmosphere => "atmospheric scheme",
        Field::Star => "network of nuclides",
    };
    format!(
        "{}: {what}, {} species and {} fixed, {}{}{}{}{}{}{}\n  Jacobian: {} entries; its factors: {} entries, {} multiply-adds",
        scheme.name(),
        scheme.species_count(),
        scheme.fixed_names().len(),
        count(scheme.reaction_count(), "reaction"),
        if species { list("species", scheme.species_names()) } else { String::new() },
        list("fixed", scheme.fixed_names()),
        list("photolysis", scheme.photolysis_names()),
        list("further inputs", &inputs(false)),
        list("uptake, of the host", &inputs(true)),
        nuclear(scheme),
        sizes.jacobian_entries,
        sizes.lu_entries,
        sizes.lu_multiply_adds,
    )
}

/// What is special about the rates of a network of nuclides.
fn nuclear(scheme: &Scheme) -> String {
    let reactions = scheme.model().reactions.iter();
    let rates: Vec<_> =
        reactions.filter_map(|r| if let Rate::Reaclib(rate) = &r.rate { Some(rate) } else { None }).collect();
    if rates.is_empty() {
        return String::new();
    }
    let sets = rates.iter().map(|r| r.sets.len()).sum();
    let captures = rates.iter().filter(|r| r.capture).count();
    let corrected = rates.iter().filter(|r| !r.partitions.is_empty()).count();
    let (sets, captures) = (count(sets, "set"), count(captures, "electron capture"));
    let screened = scheme.model().screening.map_or_else(String::new, |law| {
        let rates = rates.iter().filter(|r| !r.pairs.is_empty()).count();
        format!("; {} screened ({})", count(rates, "rate"), law.name())
    });
    let unknown: Vec<String> =
        scheme.model().species.iter().filter(|part| part.excess.is_none()).map(|part| part.name.clone()).collect();
    let energies = if unknown.is_empty() {
        String::new()
    } else {
        format!("\n  no energies: no mass is known of {}", few(&unknown))
    };
    let corrected = count(corrected, "rate");
    format!("\n  {sets} of parameters; {captures}; {corrected} with partition functions{screened}{energies}")
}

/// Refuses options that apply to gas-phase mechanisms alone.
fn refuse(options: &[(&'static str, bool)]) -> Result<(), Error> {
    match options.iter().find(|o| o.1) {
        Some((option, _)) => Err(Error::NotForSchemes { option }),
        None => Ok(()),
    }
}

/// The solver, connected to Ctrl-C.
fn solver(scheme: &Scheme, options: &Options, run: &RunArgs) -> Result<SchemeSolver, Error> {
    let builder = SchemeSolver::builder(scheme).options(options.clone()).place(setup::place(run)?);
    let solver = builder.plan()?;
    stop::connect(solver.stop_flag());
    Ok(solver)
}

/// Zones that are heated, connected to Ctrl-C.
fn zones(scheme: &Scheme, options: &Options, run: &RunArgs) -> Result<Zones, Error> {
    let zones = Zones::new(scheme, options, &setup::place(run)?)?;
    stop::connect(zones.stop_flag());
    Ok(zones)
}

/// What advances cells: at temperatures that stay, or that follow from what burns.
enum Solver {
    Steady(Box<SchemeSolver>),
    Heated(Box<Zones>),
}

impl Solver {
    fn progress(&self) -> Arc<AtomicUsize> {
        match self {
            Self::Steady(solver) => solver.progress(),
            Self::Heated(zones) => zones.progress(),
        }
    }
}

/// `kinlane advance`; returns the exit code.
pub fn advance(args: &AdvanceArgs, scheme: &Scheme) -> Result<i32, Error> {
    let reactor = args.solver.reactor.unwrap_or(Reactor::FixedT);
    let star = scheme.field() == Field::Star;
    refuse(&[
        ("--continue", args.continuation.is_some()),
        ("--precision", args.precision != Precision::F64),
        ("--as-given", args.as_given),
        ("--reactor", args.solver.reactor.is_some() && !star),
    ])?;
    let options = Options { reactor, first_step: args.solver.first_step, ..args.solver.tolerances.options() };
    let mut solver = match reactor {
        Reactor::FixedT => Solver::Steady(Box::new(solver(scheme, &options, &args.run)?)),
        _ => Solver::Heated(Box::new(zones(scheme, &options, &args.run)?)),
    };
    let read = [&args.mechanism.files()[..], &[Some(&*args.states)], &args.scheme.files()].concat();
    // That of an earlier run with a gas, which is removed: no other file of this run may have its name.
    let replay = replay::beside(&args.out);
    if let (Some(json), Some(path)) = (&args.json, &replay)
        && output::is_same(json, path)
    {
        return Err(Error::SameOutput { first: "--json", second: "the replay file", path: path.clone() });
    }
    let replay = replay.filter(|path| path.exists());
    let outputs =
        [("--out", Some(&*args.out)), ("--json", args.json.as_deref()), ("the replay file", replay.as_deref())];
    output::ready(&outputs, &read)?;
    let out = Output::new(&args.out)?;
    let batch = files::read(&args.states, scheme, args.run.cpu.quiet)?;
    let mut batch = files::with_intervals(&args.states, batch, scheme, args.dt, args.run.cpu.quiet)?;
    // Cells with intervals of their own do not look at that of the call.
    let dt = args.dt.unwrap_or(f64::NAN);
    let before = batch.states.amounts().to_vec();
    let cold = files::outside(scheme, &batch.states.conditions().temperature).is_none();
    stop::check()?;
    let (progress, cells) = (solver.progress(), batch.states.len());
    let report = progress::watched(args.run.cpu.quiet, cells, &progress, || match &mut solver {
        Solver::Steady(solver) => solver.advance(&mut batch.states, dt).map_err(ZoneError::Batch),
        Solver::Heated(zones) => zones.advance(&mut batch.states, dt),
    })
    .map_err(|fault| match fault {
        ZoneError::Batch(fault) => Error::of_batch(&args.states, fault),
        other => other.into(),
    })?;
    stop::check()?;

    let mut outputs = Outputs::default();
    let keeps = ending::keeps(args.on_failure, &report);
    if keeps {
        write_states(&out, scheme, &batch, &released(scheme, &batch.states, &before, dt)).map_err(|e| out.blame(e))?;
        outputs.add(out);
    }
    let subject = Subject::from(scheme);
    if let Some(path) = &args.json {
        outputs.text(path, &output::pretty(&subject.advanced(&options, args.dt, &report), path)?)?;
    }
    outputs.commit()?;
    replay.iter().for_each(|path| replay::forget(path));
    if report.failed > 0 {
        subject.list_failures(batch.states.failures(), &report, |_| None);
        match &solver {
            Solver::Steady(solver) => {
                if let Some((cell, label)) = solver.not_finite() {
                    tell!("a rate constant of cell {cell} is not finite: that of {label}");
                }
            }
            Solver::Heated(_) => tell_no_zone(scheme, &options, &batch.states),
        }
        if !keeps {
            tell!("no output written (--on-failure stop)");
        }
    }
    let hot = files::outside(scheme, &batch.states.conditions().temperature).filter(|_| cold);
    if let (Some((cell, t9)), false) = (hot, args.run.cpu.quiet) {
        tell!("note: cell {cell} ends at T9 = {t9:.4}: {}", files::FITS);
    }
    if batch.states.source().is_some() {
        subject.tell_debts(
            (0..cells).map(|cell| batch.states.amounts_of(cell)),
            OWED * options.atol.unwrap_or(scheme.usual_atol()),
        );
    }
    ending::tell(&report, args.run.cpu.quiet || output::to_standard(&[&args.json]));
    Ok(exit::code(report.failed))
}

/// Tells why the first cell that did not begin is no zone.
fn tell_no_zone(scheme: &Scheme, options: &Options, states: &SchemeStates) {
    let at = states.conditions();
    let why = states.failures().filter(|(_, outcome)| outcome.t == 0.0).find_map(|(cell, _)| {
        let matter = [at.temperature[cell], at.density[cell]];
        Some((cell, Zone::new(scheme, matter, states.amounts_of(cell), options).err()?))
    });
    if let Some((cell, why)) = why {
        tell!("cell {cell}: {why}");
    }
}

/// The energy that reactions have released in every cell \[erg/g\], of `before` \[n, species\]; of a source none. Empty if masses
/// are not known.
fn released(scheme: &Scheme, states: &SchemeStates, before: &[f64], dt: f64) -> Vec<f64> {
    let width = scheme.species_count().max(1);
    let interval = |cell: usize| states.intervals().map_or(dt, |own| own[cell]);
    let added = |i: usize| states.source().map_or(0.0, |rates| rates[i] * interval(i / width));
    let made = |i: usize, before: f64, now: f64| now - before - added(i);
    let cell = |(cell, (before, now)): (usize, (&[f64], &[f64]))| {
        let done = states.outcomes()[cell].status == Status::Done;
        let change = before.iter().zip(now).enumerate().map(|(k, (b, y))| made(cell * width + k, *b, *y));
        if done { scheme.energy(&change.collect::<Vec<f64>>()) } else { scheme.mass_excesses().map(|_| 0.0) }
    };
    before.chunks(width).zip(states.amounts().chunks(width)).enumerate().filter_map(cell).collect()
}

fn write_states(out: &Output, scheme: &Scheme, batch: &Batch, released: &[f64]) -> io::Result<()> {
    let mut npz = files::written(out, scheme, batch)?;
    if !released.is_empty() {
        npz.numbers("energy", &[released.len()], released)?;
    }
    ending::write(&mut npz, batch.states.outcomes())?;
    npz.finish()
}

/// `kinlane rates`; returns the exit code.
pub fn rates(args: &RatesArgs, scheme: &Scheme) -> Result<i32, Error> {
    refuse(&[("--reactor", args.reactor.is_some())])?;
    let mut solver = solver(scheme, &Options::default(), &args.run)?;
    let read = [&args.mechanism.files()[..], &[Some(&*args.states)], &args.scheme.files()].concat();
    output::ready(&[("--out", Some(&*args.out)), ("--json", args.json.as_deref())], &read)?;
    let out = Output::new(&args.out)?;
    let batch = files::read(&args.states, scheme, args.run.cpu.quiet)?;
    let cells = batch.states.len();
    let begun = Instant::now();
    let rates = progress::working(args.run.cpu.quiet, "evaluating", || Rates::of(&mut solver, &batch.states, args));
    let rates = rates.map_err(|fault| Error::of_batch(&args.states, fault))?;
    let seconds = begun.elapsed().as_secs_f64();
    stop::check()?;
    write_rates(&out, scheme, &rates, cells).map_err(|e| out.blame(e))?;
    let infinite = rates.not_finite(cells);
    let report = RatesReport {
        cells,
        not_finite: infinite.len(),
        seconds,
        device: solver.device(),
        fallback: solver.fallback(),
        threads: solver.threads(),
        lanes: solver.lanes(),
        mechanism: scheme.name(),
        species: scheme.species_count(),
        reactions: scheme.reaction_count(),
        kinlane: crate::VERSION,
    };
    report.commit(out, args.json.as_deref())?;
    match solver.not_finite() {
        Some((cell, label)) => tell!("a rate constant of cell {cell} is not finite: that of {label}"),
        None => rates::tell_not_finite(&infinite, cells, |_| String::new()),
    }
    ending::tell_fallback(solver.fallback());
    if !args.run.cpu.quiet && !output::to_standard(&[&args.json]) {
        say!("rates of {}, {}", count(cells, "cell"), count(scheme.reaction_count(), "reaction"));
    }
    Ok(exit::code(usize::from(solver.not_finite().is_some() || !infinite.is_empty())))
}

/// What `rates` writes.
struct Rates {
    constants: Vec<f64>,
    change: Vec<f64>,
    progress: Option<Vec<f64>>,
    jacobians: Option<Vec<f64>>,
}

impl Rates {
    fn of(solver: &mut SchemeSolver, states: &SchemeStates, args: &RatesArgs) -> Result<Self, BatchError> {
        Ok(Self {
            constants: solver.constants(states)?,
            change: solver.rates(states)?,
            progress: args.reactions.then(|| solver.rates_of_progress(states)).transpose()?,
            jacobians: args.jacobian.then(|| solver.jacobians(states)).transpose()?,
        })
    }

    /// Those of `n` cells with a number that is not finite.
    fn not_finite(&self, n: usize) -> Vec<usize> {
        let all = [Some(&self.constants), Some(&self.change), self.progress.as_ref(), self.jacobians.as_ref()];
        let bad = |cell: &usize| {
            all.into_iter().flatten().any(|numbers| {
                let each = numbers.len() / n;
                numbers[cell * each..(cell + 1) * each].iter().any(|x| !x.is_finite())
            })
        };
        (0..n).filter(bad).collect()
    }
}

fn write_rates(out: &Output, scheme: &Scheme, rates: &Rates, n: usize) -> io::Result<()> {
    let mut npz = Writer::new(out.file());
    let names = [scheme.species_names(), scheme.fixed_names()].concat();
    let labels: Vec<String> = scheme.model().reactions.iter().map(|r| r.label.clone()).collect();
    let [constants, change] = match scheme.field() {
        Field::Atmosphere => ["k", "dCdt"],
        Field::Star => ["rate", "dYdt"],
    };
    let evolving = scheme.species_count();
    npz.strings("species", &names)?;
    npz.strings("reactions", &labels)?;
    npz.numbers(constants, &[n, labels.len()], &rates.constants)?;
    npz.numbers(change, &[n, names.len()], &files::rows(scheme, n, &rates.change, |_, _| 0.0))?;
    if let Some(progress) = &rates.progress {
        npz.numbers("progress", &[n, labels.len()], progress)?;
    }
    if let Some(jacobians) = &rates.jacobians {
        npz.numbers("jac", &[n, evolving, evolving], jacobians)?;
    }
    let power: Vec<f64> = rates.change.chunks(evolving.max(1)).filter_map(|dydt| scheme.energy(dydt)).collect();
    if !power.is_empty() {
        npz.numbers("eps", &[n], &power)?;
    }
    npz.finish()
}
