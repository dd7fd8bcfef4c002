//! `kinlane explain`: runs a failed cell again, alone; or tells the meaning of a code.

use crate::args::MechanismArgs;
use crate::error::{Error, ReplayFault};
use crate::files::replay::{self, Cell, Continued, End, Replay};
use crate::mixture::COLD;
use crate::run::{progress, setup};
use crate::values::word;
use crate::words::{count, fixed, short};
use clap::Args;
use kinlane::mech::explain::{self, codes};
use kinlane::{
    Advance, Format, Inspection, Mechanism, MechanismError, Method, Options, Outcome, States, Status, TEMPERATURES,
    TRACED, TracePoint, inspect, trace, trace_continuing,
};
use std::path::{Path, PathBuf};

/// Re-run a failed cell alone and explain what stopped it, or tell what a code of a message means
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  kinlane explain o.npz.replay.json --cell 1234
  kinlane explain M0401
  kinlane explain codes                              all codes with a few words each")]
pub struct ExplainArgs {
    /// Replay file that `kinlane advance` left beside its output, or a code such as M0401
    #[arg(value_name = "REPLAY|CODE")]
    pub replay: PathBuf,
    /// Index of the cell in its batch (default: the first that failed)
    #[arg(long, value_name = "I")]
    pub cell: Option<usize>,
    /// Steps and reactions to show
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub rows: usize,
    /// Mechanism to use instead of the one that the replay file names
    #[arg(long, value_name = "MECH")]
    pub mechanism: Option<PathBuf>,
    /// Phase of a YAML file with several (default: that of the run)
    #[arg(long, value_name = "NAME")]
    pub phase: Option<String>,
    /// CHEMKIN thermodynamics (default: as for `kinlane advance`, else that of the run)
    #[arg(long, value_name = "FILE")]
    pub thermo: Option<PathBuf>,
    /// Format of the mechanism (default: that of the run, or of --mechanism by its content)
    #[arg(long, value_parser = word(&Format::ALL, Format::name))]
    pub format: Option<Format>,
}

/// Of a cell that spends its budget, the state at this attempted step is shown.
const EARLY: usize = 2000;

/// Runs the command; returns the exit code.
pub fn run(args: &ExplainArgs) -> Result<i32, Error> {
    if let Some(done) = code(&args.replay) {
        return done;
    }
    let replay = Replay::read(&args.replay)?;
    let fail = |fault: ReplayFault| Error::Replay { path: args.replay.clone(), fault };
    let cell = choose(&replay, args.cell).map_err(fail)?;
    let mechanism = mechanism(args, &replay)?;
    // Compared by content: a file that only moved is the same mechanism. A mechanism that is given on purpose
    // is another one.
    let given = args.mechanism.is_some() || args.thermo.is_some() || args.phase.is_some() || args.format.is_some();
    if !given && replay::contents(&replay::digests(&mechanism)) != replay::contents(&replay.mechanism.sha256) {
        tell!("warning: the mechanism is not the one of the run: its text has changed since");
    }
    let entry = cell.states(&mechanism).map_err(fail)?;
    let dt = cell.dt.or(replay.dt).ok_or_else(|| fail(ReplayFault::NoInterval))?;

    say!("cell {} of {}, T = {} K, P = {} Pa", cell.cell, replay.states.display(), short(cell.t), short(cell.p));
    let o = &replay.options;
    say!(
        "dt = {:e} s, {}, {}, rtol {:e}, {}; {} species, {}",
        dt,
        o.gas_reactor().name(),
        o.tolerances.method.as_deref().unwrap_or("default method"),
        o.tolerances.rtol,
        o.tolerances.gas_atols(),
        mechanism.species_count(),
        count(mechanism.reaction_count(), "reaction")
    );
    say!("in the batch: {}", ended(&cell.outcome));
    if replay.continued == Some(Continued::Earlier) {
        say!(
            "It went on with the steps of earlier calls (--continue), which are not in the replay file; alone it begins anew."
        );
    }
    let alone = &mut entry.clone();
    let again = if replay.continued.is_some() { trace_continuing } else { trace };
    let traced = progress::working(false, "running it again, alone", || again(&mechanism, &o.options(), alone, dt));
    let (points, outcome) = traced.map_err(|e| fail(ReplayFault::Trace(e)))?;
    say!("alone, now:   {}", ended(&End::of(&outcome, &mechanism)));

    composition(&mechanism, &entry, args.rows);
    steps(&mechanism, &points, &outcome, args.rows);
    let before = || shortly_before(&mechanism, o.options(), (&entry, dt), &outcome, &points);
    let (at, state) = progress::working(false, "looking for the state in which it stopped", before);
    let (t, p) = (state.temperature().first(), state.pressure().first());
    let (t, p) = (t.copied().unwrap_or(f64::NAN), p.copied().unwrap_or(f64::NAN));
    let inspection = inspect(&mechanism, &state).map_err(|e| fail(e.into()))?;
    say!("\nAt t = {at:.4e} s, T = {} K, P = {p:.6e} Pa:", fixed(t, 2));
    species(&mechanism, &inspection, state.y(), args.rows);
    reactions(&mechanism, &inspection, args.rows);
    let remedy = match (outcome.status, replay.continued) {
        (Status::Done, Some(Continued::Earlier)) => {
            "What to do: the cell reaches the end when it begins anew: run the batch again with a --continue file that is not there yet."
                .to_owned()
        }
        (status, _) => remedy(status, o.tolerances.method.as_deref(), cell.t, mechanism.cold_limit()),
    };
    say!("\n{remedy}");
    Ok(0)
}

/// Tells the meaning of a code, or lists all codes; `None` if the argument is a file.
fn code(asked: &Path) -> Option<Result<i32, Error>> {
    let text = asked.to_str().filter(|_| !asked.exists())?;
    if text == "codes" {
        codes().for_each(|(code, what)| say!("{code}  {what}"));
        return Some(Ok(0));
    }
    // A letter followed by digits looks like a code with another letter.
    let number = text.strip_prefix(|c: char| c.is_ascii_alphabetic())?;
    if number.is_empty() || !number.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let Some(found) = explain::explain(text) else {
        return Some(Err(Error::Code { code: text.to_owned() }));
    };
    say!("{}: {}\n\n{}", found.code, found.what, found.text);
    Some(Ok(0))
}

/// The cell asked for, or else the first.
fn choose(replay: &Replay, index: Option<usize>) -> Result<&Cell, ReplayFault> {
    let found = replay.cells.iter().find(|c| index.is_none_or(|i| c.cell == i));
    found.ok_or_else(|| ReplayFault::NoCell {
        cell: index.unwrap_or_default(),
        have: replay.cells.iter().map(|c| c.cell.to_string()).collect(),
    })
}

/// The mechanism that is given, or else that of the run.
fn mechanism(args: &ExplainArgs, replay: &Replay) -> Result<Mechanism, Error> {
    let of_run = &replay.mechanism;
    let of_its_thermo = of_run.thermo.as_ref().map(|t| find(t, &args.replay));
    if let Some(given) = &args.mechanism {
        return other(args, given, replay, of_its_thermo);
    }
    let thermo = args.thermo.clone().or(of_its_thermo);
    let path = find(&of_run.path, &args.replay);
    let asked = MechanismArgs {
        mechanism: path.clone(),
        phase: args.phase.clone().or_else(|| of_run.phase.clone()),
        thermo: thermo.clone(),
        format: args.format.or(of_run.format),
    };
    if setup::is_standard(&asked) {
        tell!("the mechanism of the run came from standard input, and is read from there again (--mechanism FILE)");
    }
    let read = setup::mechanism(&asked);
    let gone = |path: &PathBuf| !path.exists();
    match (read, thermo.filter(gone).filter(|_| args.thermo.is_none())) {
        (Err(_), Some(thermo)) if !gone(&path) => Err(absent(args, "thermodynamics", "--thermo", thermo)),
        (Err(Error::Mechanism(MechanismError::NotFound { .. })), _) => {
            Err(absent(args, "mechanism", "--mechanism", path))
        }
        (read, _) => read,
    }
}

/// A mechanism other than that of the run. It may be in another format, with its thermodynamics inside or
/// beside it; thermodynamics that it lacks are those of the run.
fn other(args: &ExplainArgs, given: &Path, replay: &Replay, thermo: Option<PathBuf>) -> Result<Mechanism, Error> {
    let yaml = given.extension().is_some_and(|e| e.eq_ignore_ascii_case("yaml") || e.eq_ignore_ascii_case("yml"));
    let wanted = |thermo: Option<PathBuf>| MechanismArgs {
        mechanism: given.to_owned(),
        phase: args.phase.clone().or_else(|| replay.mechanism.phase.clone().filter(|_| yaml)),
        thermo,
        format: args.format,
    };
    let named = thermo.filter(|t| !yaml && given.exists() && t.exists());
    let asked = wanted(args.thermo.clone().or(named));
    let read = setup::mechanism(&asked);
    match beside_run(replay, &args.replay) {
        Some(thermo) if read.is_err() && asked.thermo.is_none() && !yaml && given.exists() => {
            setup::mechanism(&wanted(Some(thermo)))
        }
        _ => read,
    }
}

/// The thermodynamics that the run found beside its mechanism: the second of its two texts.
fn beside_run(replay: &Replay, file: &Path) -> Option<PathBuf> {
    let of_run = &replay.mechanism;
    let mut names = of_run.sha256.keys().map(Path::new).filter(|name| name.file_name() != of_run.path.file_name());
    let name = names.next().filter(|_| of_run.sha256.len() == 2)?;
    let beside = of_run.path.parent().zip(name.file_name()).map(|(folder, name)| folder.join(name));
    beside.into_iter().chain([find(name, file)]).find(|path| path.is_file())
}

/// The error that a file named in the replay file does not exist.
fn absent(args: &ExplainArgs, what: &'static str, option: &'static str, file: PathBuf) -> Error {
    Error::Replay { path: args.replay.clone(), fault: ReplayFault::Absent { what, option, file } }
}

/// A file of the run: at its old path, at the same path relative to the replay file, or beside the replay
/// file.
fn find(path: &Path, replay: &Path) -> PathBuf {
    let folder = replay.parent().unwrap_or(Path::new(""));
    let beside = path.file_name().map(|name| folder.join(name));
    let places = [Some(path.to_owned()), Some(folder.join(path)), beside];
    places.into_iter().flatten().find(|place| place.exists()).unwrap_or_else(|| path.to_owned())
}

fn ended(e: &End) -> String {
    format!(
        "{}; reached t = {:.4e} s after {} and {} rejected, next h = {:.1e} s, worst {}",
        e.why,
        e.t,
        count(e.steps as usize, "step"),
        e.rejected,
        e.h,
        e.worst
    )
}

fn composition(mechanism: &Mechanism, entry: &States, rows: usize) {
    let mut list: Vec<_> = mechanism.species_names().iter().zip(entry.y()).filter(|(_, y)| **y != 0.0).collect();
    list.sort_by(|a, b| b.1.total_cmp(a.1));
    let shown: Vec<String> = list.iter().take(rows).map(|(n, y)| format!("{n} {y:.4e}")).collect();
    say!("\nEntry mass fractions, the largest: {}", shown.join(", "));
    if let Some((dydt, heating)) = entry.source() {
        let mut list: Vec<_> = mechanism.species_names().iter().zip(dydt).filter(|(_, x)| **x != 0.0).collect();
        list.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        let shown: Vec<String> = list.iter().take(rows).map(|(n, x)| format!("{n} {x:+.4e}")).collect();
        let heating = heating.first().copied().unwrap_or_default();
        say!("Its source, the largest, 1/s: {}; heating {heating:.4e} W/kg", shown.join(", "));
    }
}

fn steps(mechanism: &Mechanism, points: &[TracePoint], outcome: &Outcome, rows: usize) {
    let (attempted, all) = (points.len(), outcome.cost.steps as usize + outcome.cost.rejected as usize);
    let others = if all > attempted { format!(" ({all} with those of other ways to the end)") } else { String::new() };
    let first = if attempted == TRACED { "the first " } else { "" };
    say!("\nLast {} of {first}{attempted} attempted steps{others}:", rows.min(attempted));
    say!("  {:>14} {:>11} {:>9} {:>11} {:>10}  worst       method", "t (s)", "h (s)", "", "error", "T (K)");
    for p in points.iter().skip(points.len().saturating_sub(rows)) {
        let fate = if p.accepted { "accepted" } else { "rejected" };
        let worst = replay::component(p.worst, mechanism);
        let t = fixed(p.temperature, 2);
        say!("  {:14.6e} {:11.3e} {fate:>9} {:11.3e} {t:>10}  {worst:<10}  {}", p.t, p.h, p.error, p.method);
    }
}

/// The state shortly before the cell stopped, as close as the method gets on its own; its entry state if it
/// did not get far. Reaching a given end costs steps, so the budget is not that of the cell.
fn shortly_before(
    mechanism: &Mechanism,
    mut options: Options,
    (entry, dt): (&States, f64),
    outcome: &Outcome,
    points: &[TracePoint],
) -> (f64, States) {
    options.max_steps = options.max_steps.saturating_mul(10);
    let end = if outcome.status == Status::Done { dt } else { outcome.t };
    // A cell with so many steps gets along as badly before: what it needs for one of the first is enough.
    let early = points.get(EARLY).filter(|_| points.len() == TRACED && outcome.status != Status::Done);
    let times: Vec<f64> = match (early, outcome.status) {
        (Some(point), _) => vec![point.t],
        (None, Status::Done) => vec![end],
        (None, _) => [0.999, 0.99, 0.9, 0.5].map(|part| part * end).to_vec(),
    };
    if let Ok(mut solver) = Advance::builder(mechanism).options(options).threads(1).plan() {
        for at in times {
            let mut state = entry.clone();
            if solver.advance_states(&mut state, at).is_ok_and(|r| r.failed == 0) {
                return (at, state);
            }
        }
    }
    (0.0, entry.clone())
}

fn species(mechanism: &Mechanism, inspection: &Inspection, y: &[f64], rows: usize) {
    let mut list: Vec<_> = inspection.species.iter().collect();
    list.sort_by(|a, b| a.time_scale.total_cmp(&b.time_scale));
    say!("  species with the shortest life:");
    say!("  {:16} {:>12} {:>12} {:>15} {:>15}", "", "Y", "life (s)", "made (mol/m3/s)", "used (mol/m3/s)");
    for s in list.iter().filter(|s| s.time_scale.is_finite()).take(rows) {
        let (name, y) = (mechanism.species_names().get(s.species), y.get(s.species));
        say!(
            "  {:16} {:12.3e} {:12.3e} {:15.4e} {:15.4e}",
            name.map_or("?", |n| n),
            y.copied().unwrap_or_default(),
            s.time_scale,
            s.production,
            s.consumption
        );
    }
}

fn reactions(mechanism: &Mechanism, inspection: &Inspection, rows: usize) {
    let mut list: Vec<_> = inspection.reactions.iter().collect();
    list.sort_by(|a, b| (b.forward.abs() + b.reverse.abs()).total_cmp(&(a.forward.abs() + a.reverse.abs())));
    say!("  fastest reactions, mol/m3/s:");
    say!("  {:>5} {:>12} {:>12} {:>12} {:>12}", "", "forward", "reverse", "net", "scale (s)");
    for r in list.iter().take(rows) {
        let equation = mechanism.network().reactions.get(r.reaction).map_or("?", |x| &x.equation);
        say!(
            "  {:5} {:12.4e} {:12.4e} {:12.4e} {:12.3e}  {equation}",
            r.reaction + 1,
            r.forward,
            r.reverse,
            r.forward - r.reverse,
            r.time_scale
        );
    }
}

/// Whether a method is known and not made for stiff cells.
pub fn is_explicit(method: Option<&str>) -> bool {
    method.and_then(Method::find).is_some_and(|m| !m.stiff)
}

/// Advice to a user about the end of a cell with the initial temperature `t` \[K\], with a mechanism that lacks
/// rates below `cold` \[K\], if that is not zero.
fn remedy(status: Status, method: Option<&str>, t: f64, cold: f64) -> String {
    let (coldest, hottest) = (TEMPERATURES.start(), TEMPERATURES.end());
    let lacking = if cold > 0.0 {
        format!(" Below {} K rates of radicals leave the range of numbers with this mechanism.", short(cold))
    } else {
        String::new()
    };
    let text = match status {
        Status::Done => "The cell reaches the end now: run the batch again.",
        Status::StepTooSmall => {
            "What to do: look at the worst component above. If its mass fraction is noise, raise --atol; if a rate is \
             beyond reason, check its reaction in the mechanism; else try another --method."
        }
        Status::TooManySteps if is_explicit(method) => {
            "What to do: take a method for stiff cells (--method auto), raise --max-steps, or loosen --rtol."
        }
        Status::TooManySteps => "What to do: raise --max-steps, loosen --rtol, or try another --method.",
        Status::NotFinite if !TEMPERATURES.contains(&t) => {
            return format!(
                "What to do: mend the entry state. The cell comes in with {} K, and the laws hold from {coldest} to \
                 {hottest} K.",
                short(t)
            );
        }
        Status::NotFinite if t < COLD => {
            return format!(
                "What to do: check the entry state: temperatures are in kelvin, and this cell comes in with {} K.{lacking}",
                short(t)
            );
        }
        Status::NotFinite => {
            return format!(
                "What to do: check the entry state and the last steps above. A temperature outside {coldest} to {hottest} \
                 K, or a pressure that no gas has, makes rates that are not finite.{lacking}"
            );
        }
        Status::Cancelled => "What to do: the run was interrupted before this cell was finished; run it again.",
    };
    text.to_owned()
}
