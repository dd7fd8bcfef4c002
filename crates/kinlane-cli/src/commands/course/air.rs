//! `kinlane box`.

use super::output::{Files, Followed, Row, T, Table};
use super::sky::{SUN, Sky, TIME};
use super::timeline::Timeline;
use super::{Course, List, Setting, SettingFault, Total, drive, scheme};
use crate::args::{MechanismArgs, SchemeArgs, ToleranceArgs, of_atmospheres};
use crate::error::Error;
use crate::files::scheme::{PRESSURE, tell_no_factor};
use crate::mixture::COLD;
use crate::picture;
use crate::run::setup;
use crate::values::{positive, time, time_of_day};
use crate::words::short;
use clap::Args;
use kinlane::mech::scheme::{AIR, Field, Quantity};
use kinlane::mech::words::few;
use kinlane::{Options, Parcel, Scheme};
use std::path::PathBuf;

/// The chemistry of an atmosphere in a box, over hours or days: a table and a picture
#[derive(Debug, Args)]
#[command(mut_arg("atol", of_atmospheres))]
#[command(mut_arg("method", |method| method.help("Integration method (default: radau5 where the sun or rates move, else auto)")))]
#[command(after_help = "\
The box begins with the amounts of the file (#INITVALUES of KPP times CFACTOR), at its time of day, and runs as long as the \
file says. SUN follows the time of day as in KPP: it rises at 4:30 and sets at 19:30, local time. TIME is that time [s], from \
midnight of the first day. A file of music-box says by itself what it begins with and what changes.

Examples:
  kinlane box small_strato.def --picture strato.svg --show O3,NO,NO2
  kinlane box saprc99.def --end-time 24h --every 10min --csv day.csv
  kinlane box air.kpp --T 298 --end-time 1d --set 'J.no2=8e-3*SUN,J=1e-5*SUN,O3=1e12'
  kinlane box night.kpp --T 298 --end-time 6h --set J=0,C_M=2.46e19,O3=1e12 --csv n.csv")]
pub struct BoxArgs {
    #[command(flatten)]
    pub mechanism: MechanismArgs,
    /// Temperature [K] (default: that of the file; not needed where no rate depends on it)
    #[arg(long = "T", value_name = "K", value_parser = positive, help_heading = "Box")]
    pub temperature: Option<f64>,
    /// Time of day at which it begins, from midnight [s], or with a unit: 6h (default: that of the file, else noon)
    #[arg(long, value_name = "TIME", value_parser = time_of_day, help_heading = "Box")]
    pub start: Option<f64>,
    /// How long it runs [s], or with a unit: 3d (default: as the file says)
    #[arg(long, value_name = "TIME", value_parser = time, help_heading = "Box")]
    pub end_time: Option<f64>,
    /// Time between two rows of the output (default: that of the file, else a hundredth of the whole)
    #[arg(long, value_name = "TIME", value_parser = time, help_heading = "Box")]
    pub every: Option<f64>,
    /// Amounts, photolysis frequencies (J.no2=8e-3, or 8e-3*SUN; J=0: all others) and further inputs; SUN=1 holds the sun
    #[arg(long, value_name = "NAME=X", value_delimiter = ',', help_heading = "Box")]
    pub set: Vec<Setting>,
    #[command(flatten)]
    pub files: Files,
    /// Picture of amounts over time to write: a name in .svg or .png
    #[arg(long, value_name = "FILE", value_parser = picture::name, help_heading = "Input and output")]
    pub picture: Option<PathBuf>,
    #[command(flatten)]
    pub tolerances: ToleranceArgs,
    /// No table; errors are still told
    #[arg(long, help_heading = "Run", overrides_with = "quiet")]
    pub quiet: bool,
}

/// When a box begins if nothing says when \[s\].
const NOON: f64 = 43_200.0;
/// Temperature where nothing depends on it and nothing says one \[K\].
const ROOM: f64 = 298.15;
/// Rows of an output, if nothing says how many; and most of them.
const ROWS: f64 = 100.0;
const MOST: f64 = 1e6;

/// Reports what may be forgotten of the amounts with which a cell begins.
fn tell_beginning(course: &Course<'_>, timeline: &Timeline<'_>, set: &[Setting]) {
    let given = timeline.gives_amounts() || course.chosen.iter().any(|(list, _)| *list == List::Species);
    if course.at.amounts.iter().all(|amount| *amount == 0.0) && !given {
        tell!("note: the cell begins with nothing that reacts: --set NAME=VALUE gives amounts");
    }
    let factor = |name: &str| name.eq_ignore_ascii_case("CFACTOR");
    let of_file = course.scheme.model().inputs.iter().find(|(name, _)| factor(name)).and_then(|(_, value)| *value);
    if set.iter().any(|s| factor(&s.name) && of_file.is_some_and(|own| own != 1.0 && own != s.value)) {
        tell!("note: --set CFACTOR changes rate constants; the amounts of the file stay as its own CFACTOR makes them");
    }
}

/// Runs the command; returns the exit code.
pub fn run(args: &BoxArgs) -> Result<i32, Error> {
    let scheme = scheme(&args.mechanism, &SchemeArgs::default(), "box", Field::Atmosphere)?;
    if !args.quiet {
        setup::warn(&scheme);
    }
    let of_file = scheme.model().run;
    let need = |value: Option<f64>, what, option| value.ok_or(Error::Unsaid { what, option });
    let said = args.temperature.or(of_file.temperature).or((!scheme.has_temperature_in_rates()).then_some(ROOM));
    let temperature = need(said, "the temperature at the beginning", "--T")?;
    if temperature < COLD && !args.quiet {
        tell!("note: T is {} K; temperatures are in kelvin", short(temperature));
    }
    let start = args.start.or(of_file.start).unwrap_or(NOON);
    let length = need(args.end_time.or(of_file.length), "how long it lasts", "--end-time")?;
    let every = args.every.or(of_file.step.filter(|x| *x > 0.0)).unwrap_or(length / ROWS);
    if length / every > MOST {
        return Err(Error::TooOften);
    }
    let options = args.tolerances.options();
    let mut course = Course::new(&scheme, options.clone(), temperature, None)?;
    let (held, others) = standing(&scheme, &args.set)?;
    course.set(&others)?;
    let mut timeline = Timeline::new(&course, args.temperature.is_some());
    timeline.apply(0.0, &mut course)?;
    let unset = unset(&mut course, &timeline);
    if !unset.is_empty() && !args.quiet {
        tell!("note: nothing sets {}, which is 0", few(&unset));
    }
    if !args.quiet {
        tell_no_factor(&scheme, args.set.iter().map(|s| s.name.clone()));
        tell_beginning(&course, &timeline, &args.set);
    }
    let clean = without_uptake(&mut course);
    if !clean.is_empty() && !args.quiet {
        tell!("no uptake on aerosols and clouds, as --set gives none of {}", few(&clean));
    }
    let sky = moving(&mut course, &args.set, held);
    course.complete()?;
    let absent = absent(&course);
    if !absent.is_empty() && !args.quiet {
        tell!("note: neither the file nor --set gives an amount of {}, which is 0", few(&absent));
    }
    let mut table = Table::new(
        &scheme,
        &args.files,
        args.picture.as_deref(),
        &args.mechanism.files(),
        sky.has_sun().then_some(SUN).into_iter().chain(timeline.warms().then_some(T)).collect(),
    )?;
    let times = Times { start, length, every };
    sky.set(&mut course.at, start);
    // Parts of the air depend on it in a file of music-box, whatever the rates do.
    let mut felt = || !scheme.model().moments.is_empty() || course.feels_temperature();
    if args.temperature.is_some() && !args.quiet && !felt() {
        tell!(
            "note: no rate constant depends on --T near {} K: the file may set its temperature itself",
            short(temperature)
        );
    }
    let warms = timeline.warms();
    let outcome = if sky.moves() || scheme.has_amounts_in_rates() {
        changing(&mut course, &mut table, times, &sky, &mut timeline, &options)
    } else {
        follow(&mut course, &mut table, times, &sky, &mut timeline, |course, t, h, _| course.advance(t, h))
    };
    let title = match warms || !scheme.has_temperature_in_rates() {
        true => scheme.name().to_owned(),
        false => format!("{}: {temperature} K", scheme.name()),
    };
    let followed = Followed { options: &options, end_time: length, cost: course.total.report(), outcome };
    table.finish(&args.files, args.picture.as_deref(), args.quiet, &title, followed)
}

/// Fixed species that are absent, and without which some reaction does not proceed; but for those that --set has made zero.
fn absent(course: &Course<'_>) -> Vec<String> {
    let is_absent = |i: usize| course.at.fixed[i] == 0.0 && !course.chosen.contains(&(List::Fixed, i));
    let needed = |i: usize| course.scheme.model().reactions.iter().any(|r| r.fixed.iter().any(|term| term.0 == i));
    let names = course.scheme.fixed_names();
    (0..names.len()).filter(|&i| is_absent(i) && needed(i)).map(|i| names[i].clone()).collect()
}

/// Leaves out the uptake on aerosols and clouds that nobody has set; returns the names of its rate constants.
fn without_uptake(course: &mut Course<'_>) -> Vec<String> {
    let scheme = course.scheme;
    let unset: Vec<usize> = scheme.model().uptakes.iter().copied().filter(|&i| !course.known[0][i]).collect();
    unset.iter().for_each(|&i| course.put(List::Inputs, i, 0.0));
    unset.into_iter().map(|i| scheme.input_names()[i].clone()).collect()
}

/// Makes zero what a file of music-box leaves unset at the beginning, as music-box does; returns the names of what it never sets.
fn unset(course: &mut Course<'_>, timeline: &Timeline<'_>) -> Vec<String> {
    let scheme = course.scheme;
    if scheme.model().moments.is_empty() {
        return Vec::new();
    }
    // The air is not nothing.
    let inputs = scheme.input_names().iter().enumerate().filter(|(_, name)| ![AIR, PRESSURE].contains(&name.as_str()));
    let inputs = inputs.map(|(i, name)| (List::Inputs, Quantity::Input(i), i, name.clone()));
    let light = scheme.photolysis_names().iter().enumerate();
    let light = light.map(|(i, name)| (List::Photolysis, Quantity::Photolysis(i), i, format!("J.{name}")));
    let mut never = Vec::new();
    for (list, what, i, name) in inputs.chain(light) {
        if !course.is_known(list, i) {
            course.put(list, i, 0.0);
            never.extend((!timeline.sets(what)).then_some(name));
        }
    }
    never
}

/// Where the sun was set to stand, if it moves frequencies alone and the scheme does not know it; and the other settings.
fn standing(scheme: &Scheme, set: &[Setting]) -> Result<(Option<f64>, Vec<Setting>), Error> {
    let is_sun = |s: &&Setting| s.name.eq_ignore_ascii_case(SUN);
    if let Some(Setting { name, value, .. }) = set.iter().filter(is_sun).find(|s| s.value < 0.0) {
        return Err(SettingFault::NegativeLight { name: name.clone(), value: *value }.into());
    }
    let known = scheme.input_names().iter().any(|name| name.eq_ignore_ascii_case(SUN));
    if known || !set.iter().any(|s| s.follows) {
        return Ok((None, set.to_vec()));
    }
    let held = set.iter().find(is_sun).map(|s| s.value);
    Ok((held, set.iter().filter(|s| !is_sun(s)).cloned().collect()))
}

/// What moves with the time of day: the sun and the clock, unless they were set, and what was set to follow the sun.
fn moving(course: &mut Course<'_>, set: &[Setting], held: Option<f64>) -> Sky {
    let place = |name: &str| course.scheme.input_names().iter().position(|n| n.eq_ignore_ascii_case(name));
    let free = |name: &str| !set.iter().any(|s| s.name.eq_ignore_ascii_case(name));
    let sun = place(SUN);
    let sky = Sky {
        sun,
        held: held.or_else(|| sun.filter(|_| !free(SUN)).map(|i| course.at.inputs[i])),
        clock: place(TIME).filter(|_| free(TIME)),
        following: std::mem::take(&mut course.following),
    };
    let [inputs, ..] = &mut course.known;
    sky.sun.into_iter().chain(sky.clock).for_each(|i| inputs[i] = true);
    sky
}

/// Times of a run \[s\].
#[derive(Clone, Copy)]
struct Times {
    /// Of day, at the beginning.
    start: f64,
    /// Of the whole.
    length: f64,
    /// From row to row.
    every: f64,
}

/// Follows the cell from row to row, below the sky. `advance` takes it from one time on \[s\] by another; it is told
/// whether anything has been set since it was last called.
fn follow<'a>(
    course: &mut Course<'a>,
    table: &mut Table<'_>,
    Times { start, length, every }: Times,
    sky: &Sky,
    timeline: &mut Timeline<'_>,
    mut advance: impl FnMut(&mut Course<'a>, f64, f64, bool) -> Result<(), Error>,
) -> Result<(), Error> {
    let (mut t, mut row, mut set) = (0.0, 0.0, false);
    let warms = timeline.warms();
    loop {
        let sun = sky.has_sun().then(|| sky.sun(start + t));
        let around = sun.into_iter().chain(warms.then_some(course.at.temperature[0])).collect();
        table.push(Row { t, around, amounts: course.at.amounts.clone(), energy: None });
        if t >= length {
            return Ok(());
        }
        row += 1.0;
        // The last row may be close to the one before.
        let to = if row * every > length * (1.0 - CLOSE) { length } else { row * every };
        while t < to {
            let next = timeline.next().filter(|next| *next < to).unwrap_or(to);
            advance(course, t, next - t, std::mem::take(&mut set))?;
            t = next;
            set = timeline.apply(t * (1.0 + CLOSE), course)?;
        }
    }
}

/// Times that differ by less than this part of them are the same.
const CLOSE: f64 = 1e-9;
/// No step is longer \[s\]: one that begins and ends at night would not see the day between.
const LONGEST: f64 = 3600.0;

/// The same with rate constants that change all the time.
fn changing(
    course: &mut Course<'_>,
    table: &mut Table<'_>,
    times: Times,
    sky: &Sky,
    timeline: &mut Timeline<'_>,
    options: &Options,
) -> Result<(), Error> {
    let scheme = course.scheme;
    let parcel = |course: &Course<'_>, t: f64, options: &Options| {
        let parcel = Parcel::new(scheme, course.at.clone(), times.start + t, options);
        parcel.map_err(|fault| Error::from(fault).without_first_step())
    };
    let mut now = parcel(course, 0.0, options)?;
    // Later amounts may be as little as the usual tolerance, for much is consumed by then: it counts as asked for.
    let later = Options { atol: options.atol.or(Some(scheme.usual_atol())), ..options.clone() };
    let mut before = Total::default();
    let moved = follow(course, table, times, sky, timeline, |course, t, h, set| {
        if set {
            before.go_on(&now.report());
            now = parcel(course, t, &later)?;
        }
        let parts = (h / LONGEST).ceil();
        for _ in 0..parts as u32 {
            drive(&mut now, h / parts, times.start, |t, at| sky.set(at, t))?;
        }
        course.at.amounts.copy_from_slice(now.amounts());
        Ok(())
    });
    before.go_on(&now.report());
    course.total = before;
    moved
}
