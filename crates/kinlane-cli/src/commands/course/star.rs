//! `kinlane burn`.

use super::output::{Files, Followed, RHO, Row, T9, Table};
use super::trajectory::Trajectory;
use super::{Course, Setting, SettingFault, drive, in_words, scheme};
use crate::args::{MechanismArgs, SchemeArgs, ToleranceArgs};
use crate::error::Error;
use crate::files::scheme::{FITS, OFF, outside};
use crate::picture;
use crate::run::{setup, stop};
use crate::values::{positive, time, word};
use crate::words::short;
use clap::Args;
use kinlane::mech::scheme::{Field, Scheme as Model};
use kinlane::{Options, Parcel, Reactor, SUM_TOLERANCE, Scheme, Zone, ZoneError};
use std::path::PathBuf;

/// A zone of a star: abundances over time, as a table and a picture
#[derive(Debug, Args)]
#[command(mut_arg("method", |method| {
    method.help("Integration method (default: bdf in a zone that is heated; radau5 where rates move, along --history or with --screening of captures; else auto)")
}))]
#[command(after_help = "\
The zone begins with the abundances of the file, or with --X; those of nuclides that --X does not name are then zero. Times are evenly spaced on a logarithmic scale, in eight decades up to the end; with --history they are those of its lines, between which the logarithms of T9 and rho are linear in time.

Examples:
  kinlane burn CUDAnet_alpha.inp --T9 7 --rho 1e8 --end-time 1e-3 --picture a.svg
  kinlane burn CUDAnet_150.inp --T9 3 --rho 1e7 --end-time 1 --X 12C=1 --csv b.csv
  kinlane burn reaclib --nuclides a.net --T9 3 --rho 1e7 --X c12=0.5,o16=0.5 --end-time 1
  kinlane burn c.reaclib --T9 1 --rho 2e9 --X c12=1 --end-time 1 --screening chugunov2007
  kinlane burn c.reaclib --T9 1 --rho 2e9 --X c12=1 --end-time 1 --reactor const-p
  kinlane burn c.reaclib --history tracer.dat --X c12=0.5,o16=0.5 --csv tracer.csv")]
pub struct BurnArgs {
    #[command(flatten)]
    pub mechanism: MechanismArgs,
    #[command(flatten)]
    pub scheme: SchemeArgs,
    /// Temperature at the beginning [GK]
    #[arg(long = "T9", value_name = "GK", value_parser = positive, required_unless_present = "history", help_heading = "Zone")]
    pub temperature: Option<f64>,
    /// Density at the beginning [g/cm3]
    #[arg(long, value_name = "X", value_parser = positive, required_unless_present = "history", help_heading = "Zone")]
    pub rho: Option<f64>,
    /// Whether temperature and density stay as they are (fixed-t), or what is released heats the zone, at constant density
    /// (const-v) or pressure (const-p)
    #[arg(long, value_parser = word(&Reactor::ALL, Reactor::name), default_value = "fixed-t", hide_possible_values = true, help_heading = "Zone")]
    pub reactor: Reactor,
    /// Temperature and density over time, in place of the three: a table with columns t (s, ms, min, h, d or yr), T9 (or T, in K
    /// or GK) and rho (g/cm3)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["temperature", "rho", "reactor"], help_heading = "Zone")]
    pub history: Option<PathBuf>,
    /// How long it burns [s], or with a unit (ms, min, h, d, yr, Myr) (default with a history: to its end)
    #[arg(long, value_name = "TIME", value_parser = time, required_unless_present = "history", help_heading = "Zone")]
    pub end_time: Option<f64>,
    /// Rows of the output after the first; where a zone is heated there are more while T9 changes
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(2..=1_000_000), help_heading = "Zone")]
    pub points: u32,
    /// Mass fractions at the beginning; they sum to 1
    #[arg(long = "X", value_name = "NUCLIDE=X", value_delimiter = ',', help_heading = "Zone")]
    pub fractions: Vec<Setting>,
    /// Abundances at the beginning [mol/g]
    #[arg(long, value_name = "NUCLIDE=Y", value_delimiter = ',', help_heading = "Zone")]
    pub set: Vec<Setting>,
    #[command(flatten)]
    pub files: Files,
    /// Picture of mass fractions over time to write: a name in .svg or .png. Where a zone is heated, that of T9 is beside it
    /// (NAME-T9.svg)
    #[arg(long, value_name = "FILE", value_parser = picture::name, help_heading = "Input and output")]
    pub picture: Option<PathBuf>,
    #[command(flatten)]
    pub tolerances: ToleranceArgs,
    /// No table; errors are still told
    #[arg(long, help_heading = "Run", overrides_with = "quiet")]
    pub quiet: bool,
}

/// The first row is this part of the end.
const FIRST: f64 = 1e-8;
/// A row is added where T has changed by this part since the last one.
const NOTICED: f64 = 0.02;
/// Runs the command; returns the exit code.
pub fn run(args: &BurnArgs) -> Result<i32, Error> {
    let scheme = scheme(&args.mechanism, &args.scheme, "burn", Field::Star)?;
    if !args.quiet {
        setup::warn(&scheme);
    }
    let history = args.history.as_deref().map(Trajectory::read).transpose()?;
    let given = || [args.temperature.unwrap_or_default(), args.rho.unwrap_or_default()];
    let [t9, rho] = history.as_ref().map_or_else(given, |history| history.at(history.span()[0]));
    // The zone must not depend on how many rows are asked for: its electrons change within them, too.
    let followed = scheme.following_electrons();
    let mut course = Course::new(&followed, args.tolerances.options(), t9, Some(rho))?;
    course.set_fractions(&args.fractions)?;
    course.set(&args.set)?;
    if args.fractions.is_empty() && course.at.amounts.iter().all(|y| *y == 0.0) {
        return Err(Error::Unsaid { what: "what the matter is made of", option: "--X" });
    }
    let read = [&args.mechanism.files()[..], &args.scheme.files(), &[args.history.as_deref()]].concat();
    let table = Table::new(&scheme, &args.files, args.picture.as_deref(), &read, around(args))?;
    let first = course.at.amounts.clone();
    possible(args, &scheme.mass_fractions(&first))?;
    let reached =
        history.as_ref().map_or(Ok([t9; 2]), |history| Ok::<_, Error>(history.extremes(end(args, history)?)))?;
    if let (Some((_, t9)), false) = (outside(&scheme, &reached), args.quiet) {
        let kelvin = if t9 > HOTTEST { "; T9 is in GK, 1e9 K" } else { "" };
        tell!("note: T9 is {}: {FITS}{kelvin}", short(t9));
    }
    let mut rows = Rows { table, scheme: &scheme, first: &first };
    let options = Options { reactor: args.reactor, ..args.tolerances.options() };
    let outcome = match (&history, args.reactor) {
        (Some(history), _) => driven(args, history, &mut course, &mut rows),
        (None, Reactor::FixedT) => steady(args, &scheme, &mut course, &mut rows),
        (None, _) => {
            let mut zone = Zone::new(&scheme, [t9, rho], &first, &options)?;
            let burnt = heated(args, &scheme, &mut zone, &mut rows);
            course.total.go_on(&zone.report());
            burnt
        }
    };
    let end_time =
        history.as_ref().map_or_else(|| Ok(args.end_time.unwrap_or_default()), |history| end(args, history))?;
    let title = format!("{}: T9 = {}, {} g/cm\u{b3}{}", scheme.name(), short(t9), short(rho), in_title(args));
    let followed = Followed { options: &options, end_time, cost: course.total.report(), outcome };
    rows.table.finish(&args.files, args.picture.as_deref(), args.quiet, &title, followed)
}

/// Names of what changes around the nuclides.
fn around(args: &BurnArgs) -> Vec<&'static str> {
    match args.reactor {
        _ if args.history.is_some() => vec![T9, RHO],
        Reactor::FixedT => Vec::new(),
        Reactor::ConstV => vec![T9],
        Reactor::ConstP => vec![T9, RHO],
    }
}

/// When a zone with a history has burnt \[s\].
fn end(args: &BurnArgs, history: &Trajectory) -> Result<f64, Error> {
    let [begin, last] = history.span();
    let end = args.end_time.map_or(last, |length| begin + length);
    if end > begin { Ok(end) } else { Err(SettingFault::NoTime { begin }.into()) }
}

/// The table, and what its rows are made with.
struct Rows<'a> {
    table: Table<'a>,
    scheme: &'a Scheme,
    /// Abundances at the beginning.
    first: &'a [f64],
}

impl Rows<'_> {
    fn push(&mut self, t: f64, around: Vec<f64>, abundances: &[f64]) {
        let change: Vec<f64> = abundances.iter().zip(self.first).map(|(now, first)| now - first).collect();
        let (amounts, energy) = (self.scheme.mass_fractions(abundances), self.scheme.energy(&change));
        self.table.push(Row { t, around, amounts, energy });
    }
}

/// A time of a row \[s\], of `of` that are evenly spaced on a logarithmic scale.
fn along(args: &BurnArgs, i: u32, of: u32) -> f64 {
    args.end_time.unwrap_or_default() * FIRST.powf(1.0 - f64::from(i) / f64::from(of))
}

/// Burns at constant temperature.
fn steady(args: &BurnArgs, scheme: &Scheme, course: &mut Course<'_>, rows: &mut Rows<'_>) -> Result<(), Error> {
    rows.push(0.0, Vec::new(), &course.at.amounts);
    // A call screens by the electrons at its beginning, a parcel by those of the moment.
    if screened_by_changing_electrons(scheme.model()) {
        return followed(args, 0.0, course, |parcel| {
            row_by_row(args, |_, h, to| {
                drive(parcel, h, 0.0, |_, _| {})?;
                rows.push(to, Vec::new(), parcel.amounts());
                Ok(())
            })
        });
    }
    row_by_row(args, |t, h, to| {
        course.advance(t, h)?;
        rows.push(to, Vec::new(), &course.at.amounts);
        Ok(())
    })
}

/// Burns from row to row: from the time `t` for `h` to the time `to` \[s\].
fn row_by_row(args: &BurnArgs, mut burn: impl FnMut(f64, f64, f64) -> Result<(), Error>) -> Result<(), Error> {
    let mut t = 0.0;
    for i in 0..args.points {
        let to = along(args, i, args.points - 1);
        burn(t, to - t, to)?;
        t = to;
    }
    Ok(())
}

/// Burns along a history.
fn driven(args: &BurnArgs, history: &Trajectory, course: &mut Course<'_>, rows: &mut Rows<'_>) -> Result<(), Error> {
    let [begin, last] = history.span();
    let end = end(args, history)?;
    followed(args, begin, course, |parcel| along_lines(args, history, parcel, rows))?;
    if last < end && !args.quiet {
        tell!("note: the history ends at {} s; its last line holds until {} s", short(last), short(end));
    }
    Ok(())
}

/// Burns as a parcel does, whose rate constants are those of the moment, from `begin` \[s\].
fn followed(
    args: &BurnArgs,
    begin: f64,
    course: &mut Course<'_>,
    burn: impl FnOnce(&mut Parcel) -> Result<(), Error>,
) -> Result<(), Error> {
    let parcel = Parcel::new(course.scheme, course.at.clone(), begin, &args.tolerances.options());
    let mut parcel = parcel.map_err(|fault| Error::from(fault).without_first_step())?;
    let burnt = burn(&mut parcel);
    course.total.go_on(&parcel.report());
    burnt
}

/// Burns from line to line of a history, and to its end.
fn along_lines(args: &BurnArgs, history: &Trajectory, parcel: &mut Parcel, rows: &mut Rows<'_>) -> Result<(), Error> {
    let (begin, end) = (history.span()[0], end(args, history)?);
    rows.push(begin, history.at(begin).to_vec(), parcel.amounts());
    let mut t = begin;
    for to in history.rows(end, args.points as usize) {
        while t < to {
            // No step passes a line of the file: it would not see what is between.
            let next = history.next(t).filter(|next| *next < to).unwrap_or(to);
            drive(parcel, next - t, 0.0, |t, at| {
                let [t9, rho] = history.at(t);
                (at.temperature[0], at.density[0]) = (t9, rho);
            })?;
            t = next;
        }
        rows.push(t, history.at(t).to_vec(), parcel.amounts());
    }
    Ok(())
}

/// Burns at a temperature that follows; there are more rows where it changes.
fn heated(args: &BurnArgs, scheme: &Scheme, zone: &mut Zone, rows: &mut Rows<'_>) -> Result<(), Error> {
    let matter = |zone: &Zone| match args.reactor {
        Reactor::ConstP => vec![zone.t9(), zone.density()],
        _ => vec![zone.t9()],
    };
    rows.push(0.0, matter(zone), &zone.abundances());
    let first = zone.t9();
    let (mut t, mut hottest) = (0.0, first);
    for i in 0..args.points {
        let to = along(args, i, args.points - 1);
        while t < to {
            let before = zone.t9();
            let moved = zone.advance_while(to - t, |t9| (t9 / before - 1.0).abs() <= NOTICED && !stop::asked());
            stop::check()?;
            match moved {
                Ok(done) => t = if done < to - t { t + done } else { to },
                Err(ZoneError::Stopped { status, done, t9 }) => {
                    rows.push(t + done, matter(zone), &zone.abundances());
                    return Err(Error::Course {
                        t: t + done,
                        fault: format!("at T9 = {t9:.4e}, {}", in_words(status)),
                    });
                }
                Err(other) => return Err(other.into()),
            }
            rows.push(t, matter(zone), &zone.abundances());
            hottest = zone.t9().max(hottest);
        }
    }
    if outside(scheme, &[first]).is_none() && outside(scheme, &[hottest]).is_some() && !args.quiet {
        tell!("note: T9 reaches {hottest:.4}: {FITS}");
    }
    Ok(())
}

/// What happens to the zone, in words for titles.
fn in_title(args: &BurnArgs) -> &'static str {
    match args.reactor {
        _ if args.history.is_some() => " at the beginning of its history",
        Reactor::FixedT => "",
        Reactor::ConstV => ", heated at this density",
        Reactor::ConstP => ", heated at this pressure",
    }
}

/// No star is as hot \[GK\]: a temperature in kelvin.
const HOTTEST: f64 = 1e3;

/// Whether rates are screened, and a reaction makes or takes electrons.
fn screened_by_changing_electrons(scheme: &Model) -> bool {
    let charge = |side: &[(usize, f64)]| side.iter().map(|(k, n)| scheme.species[*k].charge * n).sum::<f64>();
    scheme.screening.is_some() && scheme.reactions.iter().any(|r| charge(&r.reactants) != charge(&r.products))
}

/// Refuses mass fractions that no zone has: as for gases, those of --X sum to one. Those of files are rounded, and --set may
/// add to them: if they are far off, a note says so.
fn possible(args: &BurnArgs, fractions: &[f64]) -> Result<(), Error> {
    if let Some(Setting { name, value, .. }) = args.fractions.iter().chain(&args.set).find(|s| s.value < 0.0) {
        return Err(SettingFault::BelowZero { name: name.clone(), value: *value }.into());
    }
    let sum: f64 = fractions.iter().sum();
    let off = (sum - 1.0).abs();
    if off > SUM_TOLERANCE && !args.fractions.is_empty() {
        return Err(SettingFault::FractionSum { sum }.into());
    }
    if off > OFF && !args.quiet {
        tell!("note: the mass fractions sum to {sum:.4}, not to 1; --set takes abundances in mol/g");
    }
    Ok(())
}
