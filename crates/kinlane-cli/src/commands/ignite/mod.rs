//! `kinlane ignite`: delays of one mixture or of a sweep, and what happens on the way.

mod course;
mod delays;
mod faint;
mod fault;
mod history;
mod instant;
mod measured;
mod report;
mod sensitivity;

use crate::args::{MechanismArgs, RunArgs, ToleranceArgs};
use crate::error::Error;
use crate::files::output::{self, Outputs};
use crate::mixture::{self, MixtureArgs, MixtureFault, Point};
use crate::picture::{self, chart::Series};
use crate::run::{exit, setup, stop};
use crate::swept::Swept;
use crate::values;
use crate::words::{Names, count, short};
use clap::{ArgGroup, Args};
use delays::Delays;
pub use fault::IgniteFault;
use history::{HistoryArgs, Imposed};
use instant::{Instant, Look};
use kinlane::{Delay, ElementFlux, Event, Happening, Mechanism, Options, Reactor, Report};
use sensitivity::{Sensitivities, factor};
use std::path::PathBuf;

/// Ignition delays of a mixture or a sweep of them; time series and pictures
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("looked").args(["rates", "path"]).multiple(true)))]
#[command(mut_arg("atol", |atol| {
    atol.default_value("1e-15").help("Absolute tolerance, on mass fractions; radicals start from nothing, so it is small")
}))]
#[command(mut_arg("temperature", |t| {
    t.help("Temperatures [K], as --phi; 800:2000:25log spaces them by their logarithm; there is no default")
}))]
#[command(mut_arg("method", |method| {
    method.help("Integration method (default: auto, which is rodas5p here and may be bdf for `max OH`, whose tolerances are tight)")
}))]
#[command(after_help = "\
Every combination of the temperatures, pressures and equivalence ratios is a cell; all are advanced together, on all \
cores. A delay is the time of: dT/dt, dP/dt or dOH/dt (steepest rise of T, P or a mole fraction), max OH (its largest \
value), T=1800, P=3e5 or OH=1e-4 (first crossing), T+400 (first rise by 400 K). T and P are temperature and pressure; a \
species of such a name has brackets, as in max [P]. Crossings are found within \
the tolerances, wherever steps end. What does not happen before --end-time is left empty in tables.

The picture of a sweep is the delay over 1000/T, phi or P, whichever has the most values; of one cell, the temperature over time up to twice the first \
delay, or the steepest rise of T where that is not found (with --show, also the mole fractions of these species, in a second picture NAME-species; with an imposed history, \
the pressure in NAME-pressure).

--device is for the sweep; sensitivities, time series, rates and paths run on the CPU all the same. Along an imposed history everything \
does, and another device is refused.

--volume-history and --pressure-history impose what a rapid compression machine or an engine does, --dpdt the rise of \
pressure behind a reflected shock. Between the lines of a file the quantity is linear in time, after the last it stays. \
Cells begin at t = 0, and delays count from there.

With --sensitivity the rate constants of every reaction are multiplied and divided by FACTOR, all in one batch; from \
the delays of one cell follows d ln(delay)/d ln(A), ranked on the terminal, in NAME-sensitivity beside the table and \
the picture, and in the report.

--rates and --path look at one instant: rates of progress of all reactions, and the net flux of an element from \
species to species, in a picture with arrows as wide as the flux.

Examples:
  kinlane ignite gri30 --fuel CH4 --oxidizer O2:1,N2:3.76 --T 1400
  kinlane ignite gri30 --fuel CH4 --oxidizer O2:1,N2:3.76 --T 1100:2000:19 --picture d.svg
  kinlane ignite h2 --mixture H2:2,O2,AR:9 --T 950:1400:9 --measured m.csv --picture d.svg
  kinlane ignite h2 --mixture H2:2,O2,AR:7 --T 350 --volume-history v.csv --picture v.svg
  kinlane ignite h2 --mixture H2:2,O2:1,AR:20 --T 950:1200:6 --P 2atm --dpdt 3%/ms
  kinlane ignite gri30 --mixture CH4:1,O2:2,N2:7.52 --T 1500 --sensitivity --picture p.svg
  kinlane ignite gri30 --mixture CH4:1,O2:2,N2:7.52 --T 1500 --path C --path-picture c.svg
  kinlane ignite h2 --mixture H2,O2,AR:9 --T 1000 --delay max:OH --show OH --picture h.png")]
pub struct IgniteArgs {
    #[command(flatten)]
    pub mechanism: MechanismArgs,
    #[command(flatten)]
    pub mixture: MixtureArgs,
    /// What the delay is; may be given several times (default: dT/dt)
    #[arg(long, value_name = "EVENT", help_heading = "Ignition")]
    pub delay: Vec<Delay>,
    /// Time to wait for it [s], or with a unit: 20ms, 500us; where it is given, --series goes on to it (default: 1)
    #[arg(long, value_name = "TIME", value_parser = values::time, help_heading = "Ignition")]
    pub end_time: Option<f64>,
    /// Species whose mole fractions go into pictures and time series, as OH,H2O2
    #[arg(long, value_name = "LIST", help_heading = "Ignition")]
    pub show: Vec<Names>,
    /// Sensitivity of the delay to every rate constant, found by multiplying each by FACTOR (1.05 where only the option is given)
    #[arg(
        long, value_name = "FACTOR", num_args = 0..=1, default_missing_value = "1.05", value_parser = factor,
        help_heading = "Ignition"
    )]
    pub sensitivity: Option<f64>,
    /// Instant of --rates and --path: seconds (or 20us), delay, or a part of it as 0.5delay
    #[arg(
        long,
        value_name = "TIME",
        default_value = "delay",
        allow_hyphen_values = true,
        requires = "looked",
        help_heading = "Ignition"
    )]
    pub at: Instant,
    /// Element whose paths from species to species are told, at the instant of --at
    #[arg(long, value_name = "ELEMENT", help_heading = "Ignition")]
    pub path: Option<String>,
    /// Fluxes below this part of the largest are left out
    #[arg(long, value_name = "X", default_value = "0.05", value_parser = values::share, requires = "path", help_heading = "Ignition")]
    pub path_share: f64,
    #[command(flatten)]
    pub history: HistoryArgs,
    /// Equations: constant volume or pressure (both adiabatic), or constant pressure and temperature
    #[arg(long, value_parser = values::word(&Reactor::ALL, Reactor::name), default_value = "const-v", help_heading = "Integration")]
    pub reactor: Reactor,
    #[command(flatten)]
    pub tolerances: ToleranceArgs,
    /// Table of the delays to write, - for standard output
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub csv: Option<PathBuf>,
    /// Time series of the only cell to write: t, T, P, mole fractions (all, or those of --show), up to --end-time, or to
    /// twice the first delay where no --end-time is given
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub series: Option<PathBuf>,
    /// Picture to write: a name in .svg or .png
    #[arg(long, value_name = "FILE", value_parser = picture::name, help_heading = "Output")]
    pub picture: Option<PathBuf>,
    /// Measured delays to draw over those of a sweep over T: a CSV file with columns T (K) or 1000/T, tau (s, ms, us or
    /// ns) and, for several sets of points, set; or a table of --csv, for instance of another mechanism
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub measured: Option<PathBuf>,
    /// Rates of progress at the instant of --at to write; NAME-species beside it holds the shares in every species
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub rates: Option<PathBuf>,
    /// Picture of the paths to write: a name in .svg or .png, or .dot for Graphviz
    #[arg(long, value_name = "FILE", value_parser = picture::graph_name, requires = "path", help_heading = "Output")]
    pub path_picture: Option<PathBuf>,
    /// JSON report to write, - for standard output
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub json: Option<PathBuf>,
    #[command(flatten)]
    pub run: RunArgs,
}

/// Time to wait for a delay, if none is given \[s\].
const END: f64 = 1.0;
impl IgniteArgs {
    /// Time to wait [s].
    fn end(&self) -> f64 {
        self.end_time.unwrap_or(END)
    }

    /// The quantity along the axis of the picture of a sweep. Measured delays are known by their temperatures.
    fn axis(&self) -> Swept {
        match self.measured {
            Some(_) => Swept::Temperature,
            None => self.mixture.axis([Swept::Temperature, Swept::Phi, Swept::Pressure]),
        }
    }

    /// The first gas in words, for titles.
    fn gas(&self, r: &Request) -> String {
        r.points.first().map_or_else(String::new, |point| self.mixture.state(&r.mechanism, point))
    }
}

/// The request, once the mechanism is known.
struct Request {
    mechanism: Mechanism,
    points: Vec<Point>,
    imposed: Imposed,
    delays: Vec<Delay>,
    events: Vec<Event>,
    /// Species in the time series.
    shown: Vec<usize>,
    threads: usize,
}

/// Further requests about a single cell.
struct Further<'a> {
    sensitivities: Option<Sensitivities>,
    look: Option<Look<'a>>,
    /// An element, and its fluxes between species.
    paths: Option<(String, Vec<ElementFlux>)>,
}

/// Runs the command; returns the exit code.
pub fn run(args: &IgniteArgs) -> Result<i32, Error> {
    let request = Request::new(args)?;
    files(args)?;
    stop::check()?;
    let marks = marks(args)?;
    let mut states = mixture::states(&request.points, &request.mechanism)?;
    let found = delays::solve(args, &request, &mut states)?;
    stop::check()?;
    let further = Further::new(args, &found)?;
    write(args, &found, &further, &marks)?;
    let line = |(i, o): (usize, &kinlane::Outcome)| {
        let t = request.points.get(i).map_or(f64::NAN, |p| p.t);
        format!("  cell {i}: {} at t = {:.4e} s{}", o.status, o.t, mixture::hint(t))
    };
    exit::tell_failures(found.followed.report.failed, states.failures().map(line));
    if !args.run.cpu.quiet {
        if let Some(last) = request.imposed.short_of(args.end()) {
            tell!(
                "the history ends at {} s; its last value holds until --end-time, {} s",
                short(last),
                short(args.end())
            );
        }
        let lines = report::without(args, &found);
        match output::to_standard(&[&args.csv, &args.json]) {
            true => lines.iter().for_each(|line| tell!("{line}")),
            false => tell(&found, &further, &lines),
        }
    }
    Ok(exit::code(found.followed.report.failed + further.sensitivities.as_ref().map_or(0, |a| a.failed)))
}

impl Request {
    fn new(args: &IgniteArgs) -> Result<Self, Error> {
        let mechanism = setup::reacting(&args.mechanism)?;
        if !args.mixture.is_given() {
            return Err(MixtureFault::None.into());
        }
        if args.mixture.temperature.is_none() {
            return Err(MixtureFault::NoTemperature.into());
        }
        let mut points = args.mixture.points(&mechanism)?;
        let imposed = Imposed::new(args, &mechanism, &mut points)?;
        if !args.run.cpu.quiet {
            args.mixture.tell_low_pressure();
        }
        let delays = if args.delay.is_empty() { vec![Delay::Steepest("T".to_owned())] } else { args.delay.clone() };
        let events = delays.iter().map(|d| d.event(&mechanism)).collect::<Result<Vec<Event>, _>>();
        let events = events.map_err(MixtureFault::Batch)?;
        let shown = mixture::named(&args.show, &mechanism)?;
        let only_one = [
            ("--show", !args.show.is_empty()),
            ("--series", args.series.is_some()),
            ("--sensitivity", args.sensitivity.is_some()),
            ("--rates", args.rates.is_some()),
            ("--path", args.path.is_some()),
        ];
        if let Some((option, _)) = only_one.into_iter().find(|x| x.1 && points.len() > 1) {
            return Err(Error::OneCell { option, cells: points.len() });
        }
        if !shown.is_empty() && args.picture.is_none() && args.series.is_none() {
            return Err(Error::Nowhere { option: "--show", files: "--picture or --series" });
        }
        if args.picture.is_some() {
            args.mixture.drawable(Some(args.axis()), delays.len())?;
        }
        let threads = args.run.cpu.thread_count();
        Ok(Self { mechanism, points, imposed, delays, events, shown, threads })
    }

    /// Whether one of the delays is the time of a maximum.
    fn has_maximum(&self) -> bool {
        self.events.iter().any(|e| e.happening == Happening::Maximum)
    }

    /// The mechanism and the kind of reactor, for titles.
    fn by(&self) -> String {
        format!("{}, {}", self.mechanism.name(), self.imposed.words())
    }
}

/// Checks that all files can be written.
fn files(args: &IgniteArgs) -> Result<(), Error> {
    let [mech, thermo] = args.mechanism.files();
    let [volume, pressure] = args.history.files();
    let beside = |path: &Option<PathBuf>, word| path.as_deref().map(|path| output::beside(path, word));
    let [sensitivities, bars] =
        [&args.csv, &args.picture].map(|path| beside(path, "sensitivity").filter(|_| args.sensitivity.is_some()));
    if args.sensitivity.is_some() && output::to_standard(&[&args.csv]) {
        return Err(IgniteFault::TwoTables.into());
    }
    let shares = beside(&args.rates, "species");
    let fractions = beside(&args.picture, "species").filter(|_| !args.show.is_empty());
    let pressures = beside(&args.picture, "pressure").filter(|_| args.history.is_given());
    output::ready(
        &[
            ("--csv", args.csv.as_deref()),
            ("--csv with --sensitivity", sensitivities.as_deref()),
            ("--picture with --sensitivity", bars.as_deref()),
            ("--rates", shares.as_deref()),
            ("--picture with --show", fractions.as_deref()),
            ("--picture with a history", pressures.as_deref()),
            ("--series", args.series.as_deref()),
            ("--picture", args.picture.as_deref()),
            ("--rates", args.rates.as_deref()),
            ("--path-picture", args.path_picture.as_deref()),
            ("--json", args.json.as_deref()),
        ],
        &[mech, thermo, volume, pressure, args.measured.as_deref()],
    )
}

/// Measured delays to draw over the computed ones.
fn marks(args: &IgniteArgs) -> Result<Vec<Series>, Error> {
    match &args.measured {
        Some(_) if args.picture.is_none() || args.mixture.temperatures().len() < 2 => {
            Err(IgniteFault::NothingToDrawOver.into())
        }
        Some(path) => measured::read(path),
        None => Ok(Vec::new()),
    }
}

impl<'a> Further<'a> {
    fn new(args: &IgniteArgs, found: &Delays<'a>) -> Result<Self, Error> {
        let r = found.asked;
        let failed = found.failed.contains(&true);
        if args.sensitivity.is_some()
            && let Some(e) = (0..r.delays.len()).find(|&e| found.at(0, e).is_none())
        {
            return Err(IgniteFault::NothingToPerturb { why: found.lacking(args, e), failed }.into());
        }
        let least = (sensitivity::ABOVE_ERRORS * args.tolerances.rtol).min(sensitivity::ENOUGH);
        if let Some(factor) = args.sensitivity.filter(|factor| *factor < 1.0 + least) {
            return Err(IgniteFault::SmallFactor { factor, least: 1.0 + least }.into());
        }
        let perturb = |factor| sensitivity::perturb(args, found, factor);
        let sensitivities = args.sensitivity.map(perturb).transpose()?;
        let wanted = args.rates.is_some() || args.path.is_some();
        let delay = || found.at(0, 0).ok_or_else(|| IgniteFault::NoDelay { why: found.lacking(args, 0), failed });
        let look = wanted.then(|| Look::new(args, r, delay())).transpose()?;
        let paths = match (&look, &args.path) {
            (Some(look), Some(element)) => Some((element.clone(), look.fluxes(element, args.path_share)?)),
            _ => None,
        };
        Ok(Self { sensitivities, look, paths })
    }
}

/// Writes all files that were asked for, or none.
fn write(args: &IgniteArgs, found: &Delays<'_>, further: &Further<'_>, marks: &[Series]) -> Result<(), Error> {
    let r = found.asked;
    let mut outputs = Outputs::default();
    let Further { sensitivities, look, paths } = further;
    if let Some(path) = &args.csv {
        outputs.text(path, &report::csv(found))?;
        if let Some(answers) = sensitivities {
            outputs.text(&output::beside(path, "sensitivity"), &answers.csv(&r.delays))?;
        }
    }
    if let (Some(path), Some(answers)) = (&args.picture, sensitivities) {
        picture::write(&mut outputs, &output::beside(path, "sensitivity"), &answers.bars(args, r).svg())?;
    }
    if let (Some(path), Some(look)) = (&args.rates, look) {
        outputs.text(path, &look.rates_csv())?;
        outputs.text(&output::beside(path, "species"), &look.shares_csv())?;
    }
    if let (Some(path), Some(look), Some((element, fluxes))) = (&args.path_picture, look, paths) {
        let flow = look.flow(element, args.path_share, fluxes, [&args.gas(r), &r.by()]);
        match picture::is_dot(path) {
            true => outputs.text(path, &flow.dot())?,
            false => picture::write(&mut outputs, path, &flow.svg())?,
        }
    }
    if r.points.len() == 1 {
        course::write(args, found, &mut outputs)?;
    } else if let Some(path) = &args.picture {
        picture::write(&mut outputs, path, &report::delays(args, found).svg_with(marks))?;
    }
    if let Some(path) = &args.json {
        let options = options(args, &r.imposed);
        let report = report::json(found, &options, sensitivities.as_ref());
        outputs.text(path, &output::pretty(&report, path)?)?;
    }
    outputs.commit()
}

/// Prints the results, and the lines about delays that are missing or doubtful.
fn tell(found: &Delays<'_>, further: &Further<'_>, doubts: &[String]) {
    let r = found.asked;
    say!("{}", report::table(found));
    doubts.iter().for_each(|line| say!("{line}"));
    let Report { seconds, method, device, .. } = &found.followed.report;
    let place = if **device == *"cpu" { String::new() } else { format!("{device}, ") };
    say!(
        "{} in {seconds:.3} s ({place}{method}, {:.0} steps per cell), {} failed",
        count(r.points.len(), "cell"),
        found.followed.report.steps as f64 / r.points.len().max(1) as f64,
        found.followed.report.failed
    );
    if let Some(answers) = &further.sensitivities {
        say!("{}", answers.table(&r.delays));
        let Sensitivities { factor, seconds, failed, jumped, lost, reactions } = answers;
        let reactions = count(reactions.len(), "reaction");
        say!("{reactions}, each times and over {factor}, in {seconds:.3} s, {failed} failed");
        if *jumped > 0 {
            let values = count(*jumped, "value");
            say!("{values} of one cell alone: another peak is the highest in the other one");
        }
        if *lost {
            say!(
                "most cells have no such delay with their rate constants changed: try a smaller --rtol, or another --delay"
            );
        }
    }
    if let (Some(look), Some((element, fluxes))) = (&further.look, &further.paths) {
        say!("{}", look.table(element, fluxes));
    }
}

fn options(args: &IgniteArgs, imposed: &Imposed) -> Options {
    Options { reactor: imposed.reactor, ..args.tolerances.options() }
}
