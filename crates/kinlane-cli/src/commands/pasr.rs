//! `kinlane pasr`.

use super::ending::{JsonReport, Subject};
use super::fractional;
use super::psr::{self, Start};
use super::total::Total;
use crate::args::{MechanismArgs, RunArgs, ToleranceArgs, of_gases};
use crate::error::Error;
use crate::files::output::{self, Output, Outputs};
use crate::files::states;
use crate::mixture::{self, MixtureArgs, MixtureFault, ONE_INFLOW, ONE_PHI, ONE_PRESSURE, Point, mole_fractions};
use crate::picture;
use crate::picture::chart::{self, Chart, Series};
use crate::run::{exit, progress, setup, stop};
use crate::terminal::{Columns, some_of};
use crate::values;
use crate::words::{count, fixed, short};
use clap::Args;
use kinlane::{Advance, Mechanism, PartiallyStirredReactor, PasrSetup, Report, StirredReactor, StirredState, Stream};
use serde::Serialize;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Mole fractions per line of the table.
const SHOWN: usize = 5;
/// Lines of the table on a terminal.
const LINES: usize = 20;
/// Most points of a line in the picture, and most rows of the table in a file.
const ROWS: usize = 2000;

/// Partially stirred reactor: particles that mix in pairs, react, and are replaced by what flows in
#[derive(Debug, Args)]
#[command(mut_arg("phi", |phi| phi.value_name("X").help(ONE_PHI)))]
#[command(mut_arg("temperature", |t| t.value_name("X").help(ONE_INFLOW)))]
#[command(mut_arg("pressure", |p| p.value_name("X").help(ONE_PRESSURE)))]
#[command(after_help = "\
The particles have equal masses; the reactor is adiabatic and at constant pressure. The mixing time is that over which partners \
approach each other (dY/dt = -(Y - Y of the partner)/tau-mix); partners part after the pairing time, on the average. Equal \
seeds give equal answers, on any number of threads.

--out holds all particles at --samples times, evenly spread over the run: states for `advance`, `rates` and other programs.

Examples:
  kinlane pasr h2 --mixture H2:2,O2,N2:4 --tau-res 1ms --tau-mix 0.2ms --picture p.svg
  kinlane pasr h2 --fuel H2 --oxidizer O2 --separate --tau-res 1 --tau-mix .1 --out s.npz")]
#[command(mut_arg("atol", of_gases))]
pub struct PasrArgs {
    #[command(flatten)]
    pub mechanism: MechanismArgs,
    #[command(flatten)]
    pub mixture: MixtureArgs,
    /// Fuel and oxidizer flow in apart, each with the temperature of --T
    #[arg(long, requires = "fuel", conflicts_with = "mixture", help_heading = "Reactor")]
    pub separate: bool,
    /// Residence time [s], or with a unit (h, min, ms, us, ns)
    #[arg(long, value_name = "TIME", value_parser = values::time, help_heading = "Reactor")]
    pub tau_res: f64,
    /// Mixing time [s], or with a unit
    #[arg(long, value_name = "TIME", value_parser = values::time, help_heading = "Reactor")]
    pub tau_mix: f64,
    /// Time that particles stay partners, on the average [s], or with a unit (default: the mixing time)
    #[arg(long, value_name = "TIME", value_parser = values::time, help_heading = "Reactor")]
    pub tau_pair: Option<f64>,
    /// Number of particles, even
    #[arg(long, value_name = "N", default_value_t = 100, help_heading = "Reactor")]
    pub particles: usize,
    /// Time to run, in residence times
    #[arg(long, value_name = "X", default_value = "10", value_parser = values::positive, help_heading = "Reactor")]
    pub residences: f64,
    /// Longest step of mixing and reaction [s], or with a unit (default: a tenth of the shortest of the three times)
    #[arg(long, value_name = "TIME", value_parser = values::time, help_heading = "Reactor")]
    pub step: Option<f64>,
    /// What fills the reactor at the start
    #[arg(long, value_enum, default_value = "burnt", help_heading = "Reactor")]
    pub start: Start,
    /// Seed of the random numbers: equal seeds give equal answers
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Reactor")]
    pub seed: u64,
    /// NPZ file of particles to write: T, P, Y, species, and t
    #[arg(long, value_name = "FILE", help_heading = "Input and output")]
    pub out: Option<PathBuf>,
    /// How many times of the run --out holds, the last of them its end
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..), requires = "out", help_heading = "Input and output")]
    pub samples: u32,
    /// Table to write (- for standard output): time, mean and standard deviation of T, mean mole fractions
    #[arg(long, value_name = "FILE", help_heading = "Input and output")]
    pub csv: Option<PathBuf>,
    /// Picture of T over time, its mean and where the middle four fifths of the particles are: a name in .svg or .png
    #[arg(long, value_name = "FILE", value_parser = picture::name, help_heading = "Input and output")]
    pub picture: Option<PathBuf>,
    /// JSON report to write (- for standard output): means at the end and over the second half of the run, costs
    #[arg(long, value_name = "FILE", help_heading = "Input and output")]
    pub json: Option<PathBuf>,
    #[command(flatten)]
    pub tolerances: ToleranceArgs,
    #[command(flatten)]
    pub run: RunArgs,
}

#[derive(Debug, Serialize)]
struct PasrReport<'a> {
    #[serde(flatten)]
    work: JsonReport<'a>,
    /// Steps in which mixing and reactions had their turn.
    fractional_steps: usize,
    particles: usize,
    /// Time \[s\].
    t: f64,
    /// Mean and standard deviation of T at the end \[K\].
    temperature: [f64; 2],
    /// The same over the second half of the run.
    temperature_of_second_half: [f64; 2],
}

/// Means over the particles at a time.
struct Row {
    t: f64,
    mean: StirredState,
    spread: f64,
    /// The temperatures below and above which a tenth of the particles are.
    tenths: [f64; 2],
}

/// All particles at some times, as they are written.
#[derive(Default)]
struct Samples {
    times: Vec<f64>,
    t: Vec<f64>,
    y: Vec<f64>,
}

/// Runs the command; returns the exit code.
pub fn run(args: &PasrArgs) -> Result<i32, Error> {
    let mechanism = setup::reacting(&args.mechanism)?;
    output::ready(&output::usual(&args.out, &args.csv, &args.picture, &args.json), &args.mechanism.files())?;
    let out = args.out.as_deref().map(Output::new).transpose()?;
    let inflow = &args.mixture.point(&mechanism, args.run.cpu.quiet)?;
    mixture::lawful("--T", [inflow.t])?;
    let solver = setup::plan(Advance::builder(&mechanism).options(args.tolerances.options()), &args.run)
        .map_err(Error::without_first_step)?;
    let tau_pair = args.tau_pair.unwrap_or(args.tau_mix);
    let usual = PasrSetup::new(args.particles, args.tau_res, args.tau_mix, tau_pair);
    let (time, longest) = (args.residences * args.tau_res, args.step.unwrap_or(usual.step));
    // One that is too long is refused as it was given.
    let step = if longest > usual.longest_step() { longest } else { fractional::step(time, longest)? };
    let setup = PasrSetup { step, seed: args.seed, ..usual };
    let (streams, first) = (streams(args, &mechanism, inflow)?, first(args, &mechanism, inflow)?);
    let mut reactor = PartiallyStirredReactor::new(solver, &streams, inflow.p, &first, setup)?;

    let wanted = if out.is_some() { args.samples as usize } else { 0 };
    let steps = fractional::steps(time, longest)?;
    let Run { rows, samples, cost } = advance(args, &mut reactor, steps, wanted)?;

    let mut outputs = Outputs::default();
    if let Some(out) = out {
        samples.write(&out, args, &mechanism, inflow.p)?;
        outputs.add(out);
    }
    if let Some(path) = &args.csv {
        outputs.text(path, &csv(&mechanism, &rows))?;
    }
    if let Some(path) = &args.picture {
        picture::write(&mut outputs, path, &temperatures(args, &mechanism, inflow, &rows).svg())?;
    }
    if let Some(path) = &args.json {
        let options = args.tolerances.options();
        let report = PasrReport {
            work: Subject::from(&mechanism).json(&options, &cost),
            fractional_steps: steps,
            particles: args.particles,
            t: reactor.time(),
            temperature: [reactor.mean().temperature, reactor.spread()],
            temperature_of_second_half: second_half(&rows),
        };
        outputs.text(path, &output::pretty(&report, path)?)?;
    }
    outputs.commit()?;
    fractional::tell(&cost, "of a particle");
    if !args.run.cpu.quiet && !output::to_standard(&[&args.csv, &args.json]) {
        let half = second_half(&rows);
        say!("{}", table(&mechanism, &rows));
        say!(
            "second half of the run: T = {} K on the average, standard deviation {} K",
            fixed(half[0], 1),
            fixed(half[1], 1)
        );
        say!(
            "{} over {} in {:.3} s ({:.0} cells/s)",
            count(args.particles, "particle"),
            count(steps, "step"),
            cost.seconds,
            cost.cells as f64 / cost.seconds
        );
    }
    Ok(exit::code(cost.failed))
}

/// What is kept of a run.
struct Run {
    rows: Vec<Row>,
    samples: Samples,
    /// What all reactions of a particle over a step have cost together.
    cost: Report,
}

/// Advances the reactor by so many steps; of `samples` of them all particles are kept.
fn advance(args: &PasrArgs, reactor: &mut PartiallyStirredReactor, steps: usize, samples: usize) -> Result<Run, Error> {
    if steps < samples {
        tell!(
            "note: the run has {} only, and --out as many samples; a shorter --step makes more",
            count(steps, "step")
        );
    }
    let (mut rows, mut kept, mut total) = (vec![row(reactor)], Samples::default(), Total::default());
    let done = AtomicUsize::new(0);
    progress::watched(args.run.cpu.quiet, steps * args.particles, &done, || {
        for i in 1..=steps {
            stop::check()?;
            let report = reactor.step()?;
            stop::check()?;
            total.add(&report, reactor.particles().outcomes());
            done.fetch_add(args.particles, Ordering::Relaxed);
            // As many of the steps as are wanted, evenly spread, the last among them.
            let among = |count: usize| i * count / steps > (i - 1) * count / steps;
            if among(ROWS.min(steps)) {
                rows.push(row(reactor));
            }
            if among(samples.min(steps)) {
                kept.add(reactor);
            }
        }
        Ok::<(), Error>(())
    })?;
    Ok(Run { rows, samples: kept, cost: total.report() })
}

/// What flows in.
fn streams(args: &PasrArgs, mechanism: &Mechanism, inflow: &Point) -> Result<Vec<Stream>, Error> {
    let stream = |y: Vec<f64>, share| Stream { state: StirredState { temperature: inflow.t, y }, share };
    let Some([fuel, oxidizer]) = args.mixture.sides(mechanism)?.filter(|_| args.separate) else {
        return Ok(vec![stream(inflow.y.clone(), 1.0)]);
    };
    let xi = mixture::part_of_fuel([&fuel, &oxidizer], &inflow.y);
    // A mixture without fuel, or of nothing else, is one stream.
    let both = [stream(fuel, xi), stream(oxidizer, 1.0 - xi)];
    Ok(both.into_iter().filter(|s| s.share > 1e-12).collect())
}

/// What fills the reactor at the start.
fn first(args: &PasrArgs, mechanism: &Mechanism, inflow: &Point) -> Result<StirredState, Error> {
    match args.start {
        Start::Inflow => Ok(StirredState { temperature: inflow.t, y: inflow.y.clone() }),
        Start::Burnt => StirredReactor::new(mechanism, inflow.t, inflow.p, &inflow.y, false)
            .map_err(MixtureFault::Batch)?
            .burnt()
            .map_err(|fault| psr::fault(fault, inflow)),
    }
}

fn row(reactor: &PartiallyStirredReactor) -> Row {
    let mut t = reactor.particles().temperature().to_vec();
    t.sort_by(f64::total_cmp);
    let at = |part: f64| t[((t.len() - 1) as f64 * part).round() as usize];
    Row { t: reactor.time(), mean: reactor.mean(), spread: reactor.spread(), tenths: [at(0.1), at(0.9)] }
}

/// Mean and standard deviation of T over the second half of the run; the rows are evenly spaced.
fn second_half(rows: &[Row]) -> [f64; 2] {
    let rows = &rows[rows.len() / 2..];
    let n = rows.len() as f64;
    let mean = rows.iter().map(|r| r.mean.temperature).sum::<f64>() / n;
    // Of all particles at all times.
    let square = |r: &Row| r.spread.powi(2) + (r.mean.temperature - mean).powi(2);
    [mean, (rows.iter().map(square).sum::<f64>() / n).sqrt()]
}

impl Samples {
    fn add(&mut self, reactor: &PartiallyStirredReactor) {
        let p = reactor.particles();
        self.times.extend(std::iter::repeat_n(reactor.time(), p.len()));
        self.t.extend_from_slice(p.temperature());
        self.y.extend_from_slice(p.y());
    }

    fn write(self, out: &Output, args: &PasrArgs, mechanism: &Mechanism, p: f64) -> Result<(), Error> {
        let Self { times, t, y } = self;
        let p = vec![p; t.len()];
        states::save(out, &args.mechanism, mechanism, (t, p, y), |npz| npz.numbers("t", &[times.len()], &times))
    }
}

fn csv(mechanism: &Mechanism, rows: &[Row]) -> String {
    let first = |row: &Row| format!("{:e},{},{}", row.t, row.mean.temperature, row.spread);
    let rows = rows.iter().map(|row| (first(row), mole_fractions(mechanism, &row.mean.y)));
    output::csv_gases("t_s,T_K,T_standard_deviation_K", mechanism.species_names(), rows)
}

fn table(mechanism: &Mechanism, rows: &[Row]) -> String {
    let shown = some_of(rows, LINES);
    let fractions: Vec<Vec<f64>> = shown.iter().map(|r| mole_fractions(mechanism, &r.mean.y)).collect();
    let columns = Columns::new(mechanism, &fractions, SHOWN);
    let mut text = format!("{:>12} {:>9} {:>9}{}", "t (s)", "T (K)", "+- (K)", columns.heads());
    for (row, x) in shown.iter().zip(&fractions) {
        let (t, spread, x) = (fixed(row.mean.temperature, 1), fixed(row.spread, 1), columns.row(x));
        let _ = write!(text, "\n{:>12.5e} {t:>9} {spread:>9}{x}", row.t);
    }
    text
}

/// T over time: its mean, and the bounds of the middle four fifths of the particles.
fn temperatures(args: &PasrArgs, mechanism: &Mechanism, inflow: &Point, rows: &[Row]) -> Chart {
    let duration = rows.last().map_or(0.0, |r| r.t);
    let (time, scale) = chart::time(duration);
    let title = format!("Partially stirred reactor: {}", args.mixture.state(mechanism, inflow));
    let subtitle = format!(
        "{}, {} particles, residence {} s, mixing {} s",
        mechanism.name(),
        args.particles,
        short(args.tau_res),
        short(args.tau_mix)
    );
    let series = |name: &str, t: &dyn Fn(&Row) -> f64| Series {
        name: name.into(),
        points: rows.iter().map(|r| (r.t * scale, t(r))).collect(),
    };
    let series = vec![
        series("mean", &|r| r.mean.temperature),
        series("hottest tenth above", &|r| r.tenths[1]),
        series("coldest tenth below", &|r| r.tenths[0]),
    ];
    let y = chart::temperatures();
    Chart { title, subtitle, x: time, y, legend: "particles".into(), series, dots: false }
}
