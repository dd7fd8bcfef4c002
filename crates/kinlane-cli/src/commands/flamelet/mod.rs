//! `kinlane flamelet`.

mod curve;
mod profile;

use super::ending::{JsonReport, Subject};
use super::fractional;
use super::total::Total;
use crate::args::{MechanismArgs, RunArgs, ToleranceArgs, of_gases};
use crate::error::Error;
use crate::files::output::{self, Output, Outputs};
use crate::files::states;
use crate::mixture::{self, MixtureArgs, MixtureFault, ONE_PRESSURE, mole_fractions};
use crate::picture;
use crate::picture::chart::{self, Axis, Series};
use crate::run::{exit, progress, setup, stop};
use crate::values::{self, Pressure, Sweep};
use crate::words::{Names, count, fixed, short};
use clap::{Args, ValueEnum};
use kinlane::{Advance, Flamelet, FlameletSetup, Kindling, Mechanism, Status, StirredState};
use serde::Serialize;
use std::path::PathBuf;

/// Mole fractions per line of a table.
const SHOWN: usize = 5;
/// Without --end-time a flame that does not come to rest is left after this time, in 1/χ, and no fewer steps than this.
const LONGEST: f64 = 50.0;
const LEAST_STEPS: usize = 200;
/// It is left before where a point has failed in so many steps in a row: it keeps its state, and will go on to fail.
const STUCK: usize = 1000;
/// A flame has gone out if no point is hotter than what flows in by more than this \[K\].
const WARM: f64 = 1.0;
/// Where T changes by more than this in a step \[K\], the course in time is some K off.
const RESOLVED: f64 = 30.0;

/// Laminar flamelet: a diffusion flame over the mixture fraction, at a given scalar dissipation rate
#[derive(Debug, Args)]
#[command(mut_arg("phi", |phi| phi.hide(true).value_parser(no_phi)))]
#[command(mut_arg("mixture", |mixture| mixture.hide(true)))]
#[command(mut_arg("temperature", |t| {
    t.value_name("X").help("Temperature of oxidizer and fuel [K], one value (default: 300)")
}))]
#[command(mut_arg("pressure", |p| p.value_name("X").help(ONE_PRESSURE)))]
#[command(after_help = "\
Species and enthalpy diffuse alike (Lewis numbers of one). The dissipation rate has the profile of a counterflow, \
exp(-2 erfinv(1 - 2 z)^2), and the value of --chi at the stoichiometric mixture fraction. For a counterflow of strain rate a \
[1/s], --chi is (a/pi) exp(-2 erfinv(1 - 2 z)^2) at the stoichiometric z.

Examples:
  kinlane flamelet h2 --fuel H2:1,N2:1 --oxidizer O2:1,N2:3.76 --chi 10 --picture f.svg
  kinlane flamelet gri30 --fuel CH4 --oxidizer O2,N2:3.76 --chi 5 --csv f.csv --out f.npz
  kinlane flamelet h2 --fuel H2:1,N2:1 --oxidizer O2:1,N2:3.76 --chi 10:1e4:16log")]
#[command(mut_arg("atol", of_gases))]
pub struct FlameletArgs {
    #[command(flatten)]
    pub mechanism: MechanismArgs,
    #[command(flatten)]
    pub mixture: MixtureArgs,
    /// Temperature of the fuel, where it differs from that of the oxidizer [K]
    #[arg(long = "T-fuel", value_name = "X", value_parser = values::positive, help_heading = "Mixture")]
    pub fuel_temperature: Option<f64>,
    /// Scalar dissipation rate at the stoichiometric mixture fraction [1/s]; several, as 1,10,100 or 1:1000:20log, are one flame
    /// after the other, each from the one before
    #[arg(long, value_name = "LIST", value_parser = Sweep::positive, help_heading = "Flame")]
    pub chi: Sweep,
    /// Points between oxidizer and fuel, half of them below twice the stoichiometric mixture fraction if that is less than 0.5
    #[arg(long, value_name = "N", default_value_t = 100, help_heading = "Flame")]
    pub points: usize,
    /// What is between oxidizer and fuel at the start: their mixture burnt, or as it is
    #[arg(long, value_enum, default_value = "burnt", help_heading = "Flame")]
    pub start: Start,
    /// Time to run [s], or with a unit (h, min, ms, us, ns) (default: until nothing changes, for 50/chi at most)
    #[arg(long, value_name = "TIME", value_parser = values::time, help_heading = "Flame")]
    pub end_time: Option<f64>,
    /// Longest step of diffusion and reaction [s], or with a unit (default: 0.05 z^2/chi at the stoichiometric z)
    #[arg(long, value_name = "TIME", value_parser = values::time, help_heading = "Flame")]
    pub step: Option<f64>,
    /// NPZ file to write: T, P, Y, species, z and chi of the points at the end, of all flames, and their steps on the way
    #[arg(long, value_name = "FILE", help_heading = "Input and output")]
    pub out: Option<PathBuf>,
    /// Table to write (- for standard output): mixture fraction, from 0 to 1, dissipation rate, T, mole fractions at the end; with
    /// several --chi a row for each: the hottest point, and the largest mole fractions
    #[arg(long, value_name = "FILE", help_heading = "Input and output")]
    pub csv: Option<PathBuf>,
    /// Picture of T over the mixture fraction, at some times, or of the hottest T over --chi; with --show of mole fractions at the
    /// end: a name in .svg or .png
    #[arg(long, value_name = "FILE", value_parser = picture::name, help_heading = "Input and output")]
    pub picture: Option<PathBuf>,
    /// Species whose mole fractions the picture shows, as OH,H2O2
    #[arg(long, value_name = "LIST", requires = "picture", help_heading = "Input and output")]
    pub show: Vec<Names>,
    /// JSON report to write (- for standard output): the hottest point, whether the flame is at rest, costs
    #[arg(long, value_name = "FILE", help_heading = "Input and output")]
    pub json: Option<PathBuf>,
    #[command(flatten)]
    pub tolerances: ToleranceArgs,
    #[command(flatten)]
    pub run: RunArgs,
}

/// A flame has all mixtures of fuel and oxidizer; 1 is what is there where no ratio is given.
fn no_phi(text: &str) -> Result<Sweep, String> {
    match text {
        "1" => Ok(Sweep(vec![1.0])),
        _ => Err("a diffusion flame has every equivalence ratio, from oxidizer to fuel; leave --phi out".into()),
    }
}

/// `--start`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs, reason = "said in the option's own line")]
pub enum Start {
    Burnt,
    Mixed,
}

/// A flame at the end.
#[derive(Debug, Serialize)]
struct Flame {
    /// Scalar dissipation rate \[1/s\] at the stoichiometric mixture fraction.
    chi: f64,
    /// Time \[s\], by how much T changes at most \[K/s\], and a species in parts of its largest mass fraction \[1/s\].
    t: f64,
    unrest: f64,
    unrest_of_species: f64,
    at_rest: bool,
    /// The hottest point: mixture fraction and T \[K\].
    hottest: [f64; 2],
    /// From the oxidizer over all points to the fuel.
    #[serde(skip)]
    places: Vec<Place>,
    /// T on the way.
    #[serde(skip)]
    profiles: Vec<profile::Profile>,
    /// Largest change of T in a step \[K\].
    #[serde(skip)]
    leap: f64,
    /// Accepted and rejected steps of the reactions at each point.
    #[serde(skip)]
    attempts: Vec<[u32; 2]>,
    /// Points because of which the flame was left.
    #[serde(skip)]
    stuck: usize,
    /// Length of a step \[s\].
    #[serde(skip)]
    step: f64,
    /// Mass fractions of the points \[points, species\].
    #[serde(skip)]
    y: Vec<f64>,
}

/// A place of a flame: mixture fraction, dissipation rate \[1/s\], T \[K\], mole fractions.
#[derive(Debug)]
struct Place {
    z: f64,
    chi: f64,
    t: f64,
    x: Vec<f64>,
}

/// What a picture says besides the flames.
struct Drawn<'a> {
    args: &'a FlameletArgs,
    mechanism: &'a Mechanism,
    /// Pressure \[Pa\].
    p: f64,
    /// Species that are drawn in place of T; none if they were not named.
    shown: &'a [usize],
}

impl Drawn<'_> {
    fn title(&self) -> String {
        format!("Flamelet: {}, {}", self.args.mixture.gas(self.mechanism), Pressure(self.p))
    }

    /// A line for each species, from its points.
    fn species(&self, points: impl Fn(usize) -> Vec<(f64, f64)>) -> Vec<Series> {
        let names = self.mechanism.species_names();
        self.shown.iter().map(|&k| Series { name: names[k].clone(), points: points(k) }).collect()
    }

    /// The axis of T, or of the mole fractions that are shown.
    fn axis(&self, series: &[Series]) -> Axis {
        if self.shown.is_empty() { chart::temperatures() } else { chart::shown_fractions(series) }
    }
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Flames<'a> {
    One(&'a Flame),
    Several { flames: &'a [Flame] },
}

#[derive(Debug, Serialize)]
struct FlameletReport<'a> {
    #[serde(flatten)]
    work: JsonReport<'a>,
    /// Steps in which diffusion and reactions had their turn.
    fractional_steps: usize,
    points: usize,
    /// The stoichiometric mixture fraction.
    stoichiometric: f64,
    #[serde(flatten)]
    flames: Flames<'a>,
}

/// Runs the command; returns the exit code.
pub fn run(args: &FlameletArgs) -> Result<i32, Error> {
    let mechanism = setup::reacting(&args.mechanism)?;
    let shown = mixture::named(&args.show, &mechanism)?;
    output::ready(&output::usual(&args.out, &args.csv, &args.picture, &args.json), &args.mechanism.files())?;
    let out = args.out.as_deref().map(Output::new).transpose()?;
    let stoichiometric = args.mixture.point(&mechanism, args.run.cpu.quiet)?;
    let [fuel, oxidizer] = args.mixture.sides(&mechanism)?.ok_or(MixtureFault::NoSides)?;
    let part = mixture::part_of_fuel([&fuel, &oxidizer], &stoichiometric.y);
    let (t, p) = (stoichiometric.t, stoichiometric.p);
    mixture::lawful("--T", [t])?;
    mixture::lawful("--T-fuel", args.fuel_temperature)?;
    let oxidizer = StirredState { temperature: t, y: oxidizer };
    let fuel = StirredState { temperature: args.fuel_temperature.unwrap_or(t), y: fuel };
    let start = match args.start {
        Start::Burnt => Kindling::Burnt,
        Start::Mixed => Kindling::Mixed,
    };
    let solver = setup::plan(Advance::builder(&mechanism).options(args.tolerances.options()), &args.run)
        .map_err(Error::without_first_step)?;
    let mut flame = Flamelet::new(solver, [&oxidizer, &fuel], p, setup_of(args, part, args.chi.0[0])?, start)?;

    let (mut total, mut flames) = (Total::default(), Vec::new());
    progress::working(args.run.cpu.quiet, "burning", || {
        for &chi in &args.chi.0 {
            flame.set_chi(chi, setup_of(args, part, chi)?.step)?;
            let (before, course) = (flame.time(), burn(args, &mut flame, &mut total)?);
            flames.push(Flame::new(&mechanism, &flame, [&oxidizer, &fuel], before, course));
        }
        Ok::<(), Error>(())
    })?;

    let cost = total.report();
    let one = if let [one] = &flames[..] { Some(one) } else { None };
    let mut outputs = Outputs::default();
    if let Some(out) = out {
        save(&out, args, &mechanism, p, &flames)?;
        outputs.add(out);
    }
    if let Some(path) = &args.csv {
        let text = one.map_or_else(|| curve::csv(&mechanism, &flames), |one| profile::csv(&mechanism, one));
        outputs.text(path, &text)?;
    }
    if let Some(path) = &args.picture {
        let drawn = Drawn { args, mechanism: &mechanism, p, shown: &shown };
        let chart = one.map_or_else(|| curve::chart(&drawn, &flames), |one| profile::chart(&drawn, one));
        picture::write(&mut outputs, path, &chart.svg())?;
    }
    if let Some(path) = &args.json {
        let options = args.tolerances.options();
        let report = FlameletReport {
            work: Subject::from(&mechanism).json(&options, &cost),
            fractional_steps: total.calls,
            points: args.points,
            stoichiometric: part,
            flames: one.map_or(Flames::Several { flames: &flames }, Flames::One),
        };
        outputs.text(path, &output::pretty(&report, path)?)?;
    }
    outputs.commit()?;
    fractional::tell(&cost, "of a point");
    tell_ends(args, &flames, t.max(fuel.temperature));
    if !args.run.cpu.quiet && !output::to_standard(&[&args.csv, &args.json]) {
        say!("{}", one.map_or_else(|| curve::table(&mechanism, &flames), |one| profile::table(&mechanism, one)));
        if let Some(one) = one {
            tell_one(one, part);
        }
        say!("{} over {} in {:.3} s", count(args.points, "point"), count(total.calls, "step"), cost.seconds);
    }
    Ok(exit::code(cost.failed))
}

/// The setup of a flame whose stoichiometric mixture fraction is this.
fn setup_of(args: &FlameletArgs, stoichiometric: f64, chi: f64) -> Result<FlameletSetup, Error> {
    let usual = FlameletSetup::new(args.points, stoichiometric, chi);
    let longest = args.step.unwrap_or(usual.step);
    let step = args.end_time.map_or(Ok(longest), |end| fractional::step(end, longest))?;
    Ok(FlameletSetup { step, ..usual })
}

/// What happened on the way.
struct Course {
    /// Some of the profiles, the first and the last among them.
    profiles: Vec<profile::Profile>,
    /// By how much T changes in a step at most \[K\].
    leap: f64,
    /// Accepted and rejected steps of the reactions at each point.
    attempts: Vec<[u32; 2]>,
    /// Points because of which the flame was left.
    stuck: usize,
}

/// Runs to the end.
fn burn(args: &FlameletArgs, flame: &mut Flamelet, total: &mut Total) -> Result<Course, Error> {
    let FlameletSetup { chi, step, .. } = flame.setup();
    let steps = match args.end_time {
        Some(end) => fractional::steps(end, step)?,
        None => fractional::steps(LONGEST / chi, step)?.max(LEAST_STEPS),
    };
    let mut profiles = vec![profile::Profile::of(flame)];
    // At times that double: a flame changes most at the beginning.
    let (mut next, mut leap) = (1, 0.0_f64);
    let mut attempts = vec![[0_u32; 2]; flame.outcomes().len()];
    // Steps in a row in which each point has failed.
    let mut failing = vec![0; attempts.len()];
    let mut stuck = 0;
    for i in 1..=steps {
        stop::check()?;
        let report = flame.step()?;
        stop::check()?;
        total.add(&report, flame.outcomes());
        for ([steps, rejected], outcome) in attempts.iter_mut().zip(flame.outcomes()) {
            *steps = steps.saturating_add(outcome.cost.steps);
            *rejected = rejected.saturating_add(outcome.cost.rejected);
        }
        for (failing, outcome) in failing.iter_mut().zip(flame.outcomes()) {
            *failing = if outcome.status == Status::Done { 0 } else { *failing + 1 };
        }
        if flame.unrest().temperature.is_finite() {
            leap = leap.max(flame.unrest().temperature * step);
        }
        if args.end_time.is_none() {
            stuck = failing.iter().filter(|steps| **steps >= STUCK).count();
        }
        let ends = i == steps || stuck > 0 || (args.end_time.is_none() && flame.is_at_rest());
        if i == next || ends {
            profiles.push(profile::Profile::of(flame));
            next *= 2;
        }
        if ends {
            break;
        }
    }
    Ok(Course { profiles: profile::drawn(profiles), leap, attempts, stuck })
}

impl Flame {
    /// What has become of a flame since a time \[s\].
    fn new(
        mechanism: &Mechanism,
        flame: &Flamelet,
        [oxidizer, fuel]: [&StirredState; 2],
        since: f64,
        course: Course,
    ) -> Self {
        let place = |z, chi, t, y: &[f64]| Place { z, chi, t, x: mole_fractions(mechanism, y) };
        let rows = flame.y().chunks_exact(mechanism.species_count());
        let inner = flame.z().iter().zip(flame.chi()).zip(flame.temperature()).zip(rows);
        let inner = inner.map(|(((&z, &chi), &t), y)| place(z, chi, t, y));
        let first = place(0.0, 0.0, oxidizer.temperature, &oxidizer.y);
        let last = place(1.0, 0.0, fuel.temperature, &fuel.y);
        let places: Vec<Place> = std::iter::once(first).chain(inner).chain([last]).collect();
        let hottest =
            places.iter().max_by(|a, b| a.t.total_cmp(&b.t)).map_or([f64::NAN; 2], |place| [place.z, place.t]);
        Self {
            chi: flame.setup().chi,
            t: flame.time() - since,
            unrest: flame.unrest().temperature,
            unrest_of_species: flame.unrest().species,
            at_rest: flame.is_at_rest(),
            hottest,
            places,
            profiles: course.profiles,
            leap: course.leap,
            attempts: course.attempts,
            stuck: course.stuck,
            step: flame.setup().step,
            y: flame.y().to_vec(),
        }
    }

    /// The points, without oxidizer and fuel.
    fn points(&self) -> &[Place] {
        &self.places[1..self.places.len() - 1]
    }
}

/// Says what ended otherwise than it should; `warmest`: the warmer of oxidizer and fuel \[K\].
fn tell_ends(args: &FlameletArgs, flames: &[Flame], warmest: f64) {
    let out = |flame: &&Flame| flame.hottest[1] < warmest + WARM;
    if let Some(first) = flames.iter().find(out).filter(|_| args.start == Start::Burnt) {
        let at = short(first.chi);
        tell!("note: at chi = {at}/s the flame has gone out, or burns mildly: no point is hotter than what flows in");
    }
    for flame in flames.iter().filter(|flame| args.end_time.is_none() && !flame.at_rest) {
        let at = short(flame.chi);
        if flame.stuck > 0 {
            tell!(
                "note: at chi = {at}/s the flame was left, as the reactions of {} have failed in {STUCK} steps in a row. Where \
                 gas is too cold for its rates (kinlane rates says below which temperature), take warmer streams: --T, --T-fuel",
                count(flame.stuck, "point")
            );
            continue;
        }
        tell!("note: at chi = {at}/s the flame has not come to rest: try --end-time, or a shorter --step");
    }
    // At rest a flame does not depend on the length of steps.
    let shown = args.end_time.is_some() || args.picture.is_some() && flames.len() == 1 && args.start == Start::Mixed;
    for flame in flames.iter().filter(|flame| shown && flame.leap > RESOLVED) {
        let (at, step) = (short(flame.chi), flame.step);
        tell!(
            "note: at chi = {at}/s T changes by up to {:.0} K in a step of {} s, too much for its course in time: try --step {:.0e}",
            flame.leap,
            short(step),
            // The change is less than in proportion to the step, and rounding to one digit may add a third.
            0.5 * step * RESOLVED / flame.leap
        );
    }
}

fn tell_one(flame: &Flame, stoichiometric: f64) {
    let [z, hottest] = flame.hottest;
    say!("hottest at z = {}: {} K (stoichiometric: z = {})", fixed(z, 4), fixed(hottest, 2), fixed(stoichiometric, 4));
    let rest = if flame.at_rest { "at rest" } else { "not at rest" };
    if !flame.unrest.is_finite() {
        say!("{rest} after {:.4e} s: not all points were advanced", flame.t);
        return;
    }
    say!(
        "{rest} after {:.4e} s: T changes by {:.1e} K/s at most, species by {:.1e}/s",
        flame.t,
        flame.unrest,
        flame.unrest_of_species
    );
}

/// Writes the points of all flames.
fn save(out: &Output, args: &FlameletArgs, mechanism: &Mechanism, p: f64, flames: &[Flame]) -> Result<(), Error> {
    let of = |value: &dyn Fn(&Flame, &Place) -> f64| -> Vec<f64> {
        flames.iter().flat_map(|flame| flame.points().iter().map(|place| value(flame, place))).collect()
    };
    let temperatures = of(&|_, place| place.t);
    let n = temperatures.len();
    let y = flames.iter().flat_map(|flame| flame.y.iter().copied()).collect();
    states::save(out, &args.mechanism, mechanism, (temperatures, vec![p; n], y), |npz| {
        npz.numbers("z", &[n], &of(&|_, place| place.z))?;
        npz.numbers("chi", &[n], &of(&|_, place| place.chi))?;
        if flames.len() > 1 {
            npz.numbers("chi_stoichiometric", &[n], &of(&|flame, _| flame.chi))?;
        }
        let attempts: Vec<[u32; 2]> = flames.iter().flat_map(|flame| flame.attempts.iter().copied()).collect();
        npz.counts("steps", attempts.iter().map(|attempts| attempts[0]))?;
        npz.counts("rejected", attempts.iter().map(|attempts| attempts[1]))?;
        Ok(())
    })
}
