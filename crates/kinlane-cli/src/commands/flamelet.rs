//! `kinlane flamelet`.

use super::fractional::Cost;
use crate::args::{self, MechanismArgs, RunArgs, ToleranceArgs};
use crate::error::Error;
use crate::files::output::{self, Output, Outputs};
use crate::files::states;
use crate::mixture::{self, MixtureArgs, MixtureFault, mole_fractions};
use crate::picture;
use crate::picture::chart::{self, Axis, Chart, Series, Spacing};
use crate::run::{exit, progress, setup, stop};
use crate::values::{self, Pressure};
use crate::words::{count, fixed, short};
use clap::{Args, ValueEnum};
use kinlane::{Advance, Flamelet, FlameletSetup, Kindling, Mechanism, States, StirredState};
use serde::Serialize;
use std::fmt::Write;
use std::path::PathBuf;

/// Mole fractions per line of the table.
const SHOWN: usize = 5;
/// Lines of the table on a terminal.
const LINES: usize = 20;
/// Profiles of the picture.
const PROFILES: usize = 6;
/// A flame is at rest if T changes by less than this in the time 1/χ \[K\].
const REST: f64 = 0.01;
/// Without --end-time a flame that does not come to rest is left after this time, in 1/χ.
const LONGEST: f64 = 50.0;

/// Laminar flamelet: a diffusion flame over the mixture fraction, at a given scalar dissipation rate
#[derive(Debug, Args)]
#[command(mut_arg("phi", |phi| phi.hide(true)))]
#[command(mut_arg("mixture", |mixture| mixture.hide(true)))]
#[command(mut_arg("temperature", |t| {
    t.value_name("X").help("Temperature of oxidizer and fuel [K], one value (default: 300)")
}))]
#[command(mut_arg("pressure", |p| {
    p.value_name("X").help("Pressure [Pa], one value, or with a unit: 10atm, 2bar (mbar, kPa, MPa, torr, psi)")
}))]
#[command(after_help = "\
Species and enthalpy diffuse alike (Lewis numbers of one). The dissipation rate has the profile of a counterflow, \
exp(-2 erfinv(1 - 2 z)^2), and the value of --chi at the stoichiometric mixture fraction.

Examples:
  kinlane flamelet h2 --fuel H2:1,N2:1 --oxidizer O2:1,N2:3.76 --chi 10 --picture f.svg
  kinlane flamelet gri30 --fuel CH4 --oxidizer O2,N2:3.76 --chi 5 --csv f.csv --out f.npz")]
pub struct FlameletArgs {
    #[command(flatten)]
    pub mechanism: MechanismArgs,
    #[command(flatten)]
    pub mixture: MixtureArgs,
    /// Temperature of the fuel, where it differs from that of the oxidizer [K]
    #[arg(long = "T-fuel", value_name = "X", value_parser = args::positive, help_heading = "Mixture")]
    pub fuel_temperature: Option<f64>,
    /// Scalar dissipation rate at the stoichiometric mixture fraction [1/s]
    #[arg(long, value_name = "X", value_parser = args::positive, help_heading = "Flame")]
    pub chi: f64,
    /// Points between oxidizer and fuel, half of them below twice the stoichiometric mixture fraction
    #[arg(long, value_name = "N", default_value_t = 100, help_heading = "Flame")]
    pub points: usize,
    /// What is between oxidizer and fuel at the start: their mixture burnt, or as it is
    #[arg(long, value_enum, default_value = "burnt", help_heading = "Flame")]
    pub start: Start,
    /// Time to run [s], or with a unit (h, min, ms, us, ns) (default: until T is at rest)
    #[arg(long, value_name = "TIME", value_parser = values::time, help_heading = "Flame")]
    pub end_time: Option<f64>,
    /// Step of diffusion and reaction [s], or with a unit (default: 0.05 z^2/chi at the stoichiometric z)
    #[arg(long, value_name = "TIME", value_parser = values::time, help_heading = "Flame")]
    pub step: Option<f64>,
    /// NPZ file to write: T, P, Y, species, z and chi of the points at the end
    #[arg(long, value_name = "FILE", help_heading = "Input and output")]
    pub out: Option<PathBuf>,
    /// Table to write (- for standard output): mixture fraction, dissipation rate, T, mole fractions at the end
    #[arg(long, value_name = "FILE", help_heading = "Input and output")]
    pub csv: Option<PathBuf>,
    /// Picture of T over the mixture fraction, at some times: a name in .svg or .png
    #[arg(long, value_name = "FILE", value_parser = picture::name, help_heading = "Input and output")]
    pub picture: Option<PathBuf>,
    /// JSON report to write (- for standard output): the hottest point, whether T is at rest, costs
    #[arg(long, value_name = "FILE", help_heading = "Input and output")]
    pub json: Option<PathBuf>,
    #[command(flatten)]
    pub tolerances: ToleranceArgs,
    #[command(flatten)]
    pub run: RunArgs,
}

/// `--start`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs, reason = "said in the option's own line")]
pub enum Start {
    Burnt,
    Mixed,
}

#[derive(Debug, Serialize)]
struct Report<'a> {
    mechanism: &'a str,
    points: usize,
    /// Scalar dissipation rate \[1/s\] at the stoichiometric mixture fraction, and that.
    chi: f64,
    stoichiometric: f64,
    /// Time \[s\], and by how much T changes at most \[K/s\].
    t: f64,
    unrest: f64,
    at_rest: bool,
    /// The hottest point: mixture fraction and T \[K\].
    hottest: [f64; 2],
    #[serde(flatten)]
    cost: &'a Cost,
    device: String,
    method: String,
    kinlane: &'static str,
}

/// T over the points at a time.
struct Profile {
    t: f64,
    temperature: Vec<f64>,
}

/// Runs the command; returns the exit code.
pub fn run(args: &FlameletArgs) -> Result<i32, Error> {
    let mechanism = setup::mechanism(&args.mechanism)?;
    output::ready(
        &[
            ("--out", args.out.as_deref()),
            ("--csv", args.csv.as_deref()),
            ("--picture", args.picture.as_deref()),
            ("--json", args.json.as_deref()),
        ],
        &args.mechanism.files(),
    )?;
    let out = args.out.as_deref().map(Output::new).transpose()?;
    let points = args.mixture.points(&mechanism)?;
    let [stoichiometric] = &points[..] else { return Err(MixtureFault::Several(points.len()).into()) };
    let [fuel, oxidizer] = args.mixture.sides(&mechanism)?.ok_or(MixtureFault::NoSides)?;
    if !args.run.cpu.quiet {
        args.mixture.tell_low_pressure();
    }
    let usual = FlameletSetup::new(args.points, mixture::part_of_fuel([&fuel, &oxidizer], &stoichiometric.y), args.chi);
    let setup = FlameletSetup { step: args.step.unwrap_or(usual.step), ..usual };
    let (t, p) = (stoichiometric.t, stoichiometric.p);
    let oxidizer = StirredState { temperature: t, y: oxidizer };
    let fuel = StirredState { temperature: args.fuel_temperature.unwrap_or(t), y: fuel };
    let start = match args.start {
        Start::Burnt => Kindling::Burnt,
        Start::Mixed => Kindling::Mixed,
    };
    let solver = setup::plan(Advance::builder(&mechanism).options(args.tolerances.options()), &args.run)?;
    let mut flame = Flamelet::new(solver, [&oxidizer, &fuel], p, setup, start)?;

    let mut cost = Cost::default();
    let profiles = progress::working(args.run.cpu.quiet, "burning", || burn(args, &mut flame, setup, &mut cost))?;
    let mut outputs = Outputs::default();
    if let Some(out) = out {
        save(&out, args, &mechanism, p, &flame)?;
        outputs.add(out);
    }
    if let Some(path) = &args.csv {
        outputs.text(path, &csv(&mechanism, &flame))?;
    }
    if let Some(path) = &args.picture {
        picture::write(&mut outputs, path, &temperatures(args, &mechanism, &flame, &profiles, p).svg())?;
    }
    let report = report(args, &mechanism, &flame, setup, &cost);
    if let Some(path) = &args.json {
        outputs.text(path, &output::pretty(&report, path)?)?;
    }
    outputs.commit()?;
    cost.tell_failures("reaction of a point");
    if !args.run.cpu.quiet && !output::to_standard(&[&args.csv, &args.json]) {
        say!("{}", table(&mechanism, &flame));
        let [z, hottest] = report.hottest;
        say!(
            "hottest at z = {}: {} K (stoichiometric: z = {})",
            fixed(z, 4),
            fixed(hottest, 2),
            fixed(setup.stoichiometric, 4)
        );
        let rest = if report.at_rest { "at rest" } else { "not at rest" };
        say!("{rest} after {:.4e} s: T changes by {:.1e} K/s at most", report.t, report.unrest);
        say!("{} over {} in {:.3} s", count(args.points, "point"), count(cost.fractional_steps, "step"), cost.seconds);
    }
    Ok(exit::code(cost.failed))
}

/// Whether T changes by next to nothing in the time over which the flame diffuses.
fn at_rest(flame: &Flamelet, chi: f64) -> bool {
    flame.unrest() <= REST * chi
}

/// Runs to the end; returns some of the profiles on the way, the first and the last among them.
fn burn(
    args: &FlameletArgs,
    flame: &mut Flamelet,
    setup: FlameletSetup,
    cost: &mut Cost,
) -> Result<Vec<Profile>, Error> {
    let profile = |flame: &Flamelet| Profile { t: flame.time(), temperature: flame.temperature().to_vec() };
    let end = args.end_time.unwrap_or(LONGEST / args.chi);
    let steps = (end / setup.step).ceil().max(1.0) as usize;
    let mut profiles = vec![profile(flame)];
    // At times that double: a flame changes most at the beginning.
    let mut next = 1;
    for i in 1..=steps {
        stop::check()?;
        let report = flame.step()?;
        stop::check()?;
        cost.add(&report);
        let ends = i == steps || (args.end_time.is_none() && at_rest(flame, args.chi));
        if i == next || ends {
            profiles.push(profile(flame));
            next *= 2;
        }
        if ends {
            break;
        }
    }
    // Evenly chosen among those.
    let last = profiles.len() - 1;
    let chosen: Vec<usize> = (0..PROFILES).map(|i| i * last / (PROFILES - 1)).collect();
    let mut i = 0;
    profiles.retain(|_| {
        i += 1;
        chosen.contains(&(i - 1))
    });
    Ok(profiles)
}

fn report<'a>(
    args: &FlameletArgs,
    mechanism: &'a Mechanism,
    flame: &Flamelet,
    setup: FlameletSetup,
    cost: &'a Cost,
) -> Report<'a> {
    let points = flame.z().iter().copied().zip(flame.temperature().iter().copied());
    let hottest = points.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((f64::NAN, f64::NAN));
    Report {
        mechanism: mechanism.name(),
        points: args.points,
        chi: setup.chi,
        stoichiometric: setup.stoichiometric,
        t: flame.time(),
        unrest: flame.unrest(),
        at_rest: at_rest(flame, setup.chi),
        hottest: [hottest.0, hottest.1],
        cost,
        device: flame.solver().device().to_owned(),
        method: flame.solver().method().to_owned(),
        kinlane: crate::VERSION,
    }
}

fn save(out: &Output, args: &FlameletArgs, mechanism: &Mechanism, p: f64, flame: &Flamelet) -> Result<(), Error> {
    let n = flame.z().len();
    let states = States::new(mechanism, flame.temperature().to_vec(), vec![p; n], flame.y().to_vec())
        .map_err(|fault| Error::of_batch(&args.mechanism.mechanism, fault))?;
    let write = || {
        let mut npz = states::written(out, mechanism, &states)?;
        npz.numbers("z", &[n], flame.z())?;
        npz.numbers("chi", &[n], flame.chi())?;
        npz.finish()
    };
    write().map_err(|e| out.blame(e))
}

/// Mixture fraction, T and mole fractions of every point.
fn rows<'a>(mechanism: &'a Mechanism, flame: &'a Flamelet) -> impl Iterator<Item = (f64, f64, Vec<f64>)> + 'a {
    let y = flame.y().chunks_exact(mechanism.species_count());
    let points = flame.z().iter().zip(flame.temperature()).zip(y);
    points.map(|((&z, &t), y)| (z, t, mole_fractions(mechanism, y)))
}

fn csv(mechanism: &Mechanism, flame: &Flamelet) -> String {
    let mut text = "z,chi_1_s,T_K".to_owned();
    text.push_str(&output::csv_mole_fractions(mechanism.species_names()));
    text.push('\n');
    for ((z, t, x), chi) in rows(mechanism, flame).zip(flame.chi()) {
        let _ = write!(text, "{z},{chi:e},{t}");
        text.push_str(&output::csv_numbers(x));
        text.push('\n');
    }
    text
}

fn table(mechanism: &Mechanism, flame: &Flamelet) -> String {
    let all: Vec<(f64, f64, Vec<f64>)> = rows(mechanism, flame).collect();
    let fractions: Vec<Vec<f64>> = all.iter().map(|r| r.2.clone()).collect();
    let columns = mixture::Columns::new(&fractions, SHOWN);
    let mut text = format!("{:>10} {:>9}{}", "z", "T (K)", columns.heads(mechanism));
    let every = all.len().div_ceil(LINES).max(1);
    for (z, t, x) in all.iter().step_by(every) {
        let _ = write!(text, "\n{:>10} {:>9}{}", fixed(*z, 5), fixed(*t, 1), columns.row(x));
    }
    text
}

/// T over the mixture fraction, a line for each time.
fn temperatures(args: &FlameletArgs, mechanism: &Mechanism, flame: &Flamelet, profiles: &[Profile], p: f64) -> Chart {
    let text = |c: &Option<mixture::Composition>| c.as_ref().map(ToString::to_string).unwrap_or_default();
    let title = format!("Flamelet: {} and {}, {}", text(&args.mixture.fuel), text(&args.mixture.oxidizer), Pressure(p));
    let subtitle = format!("{}, dissipation rate {} 1/s at stoichiometry", mechanism.name(), short(args.chi));
    let series = profiles.iter().map(|profile| Series {
        name: format!("{:.1e} s", profile.t),
        points: flame.z().iter().copied().zip(profile.temperature.iter().copied()).collect(),
    });
    let x = Axis { label: "mixture fraction".into(), spacing: Spacing::Linear, low: Some(0.0) };
    Chart { title, subtitle, x, y: chart::temperatures(), legend: "time".into(), series: series.collect(), dots: false }
}
