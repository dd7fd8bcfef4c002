//! `kinlane burn`.

use super::output::{Files, Table};
use super::{Course, Setting, scheme};
use crate::args::{MechanismArgs, SchemeArgs, ToleranceArgs, positive};
use crate::error::Error;
use crate::files::scheme::{FITS, OFF, outside};
use crate::picture;
use crate::values::time;
use clap::Args;
use kinlane::SUM_TOLERANCE;
use kinlane::mech::scheme::Field;
use std::path::PathBuf;

/// A zone of a star at constant temperature and density: abundances over time, as a table and a picture
#[derive(Debug, Args)]
#[command(after_help = "\
The zone begins with the abundances of the file, or with --X; those of nuclides that --X does not name are then zero. Times are evenly spaced on a logarithmic scale, in eight decades up to the end.

Examples:
  kinlane burn CUDAnet_alpha.inp --T9 7 --rho 1e8 --end-time 1e-3 --picture a.svg
  kinlane burn CUDAnet_150.inp --T9 3 --rho 1e7 --end-time 1 --set 12C=0.05 --csv b.csv
  kinlane burn reaclib --nuclides a.net --T9 3 --rho 1e7 --X c12=0.5,o16=0.5 --end-time 1")]
pub struct BurnArgs {
    #[command(flatten)]
    pub mechanism: MechanismArgs,
    #[command(flatten)]
    pub scheme: SchemeArgs,
    /// Temperature [GK]
    #[arg(long = "T9", value_name = "GK", value_parser = positive, help_heading = "Zone")]
    pub temperature: f64,
    /// Density [g/cm3]
    #[arg(long, value_name = "X", value_parser = positive, help_heading = "Zone")]
    pub rho: f64,
    /// How long it burns [s], or with a unit
    #[arg(long, value_name = "TIME", value_parser = time, help_heading = "Zone")]
    pub end_time: f64,
    /// Rows of the output
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
    /// Picture of mass fractions over time to write: a name in .svg or .png
    #[arg(long, value_name = "FILE", value_parser = picture::name, help_heading = "Input and output")]
    pub picture: Option<PathBuf>,
    #[command(flatten)]
    pub tolerances: ToleranceArgs,
    /// No table; errors are still told
    #[arg(long, help_heading = "Run")]
    pub quiet: bool,
}

/// The first row is this part of the end.
const FIRST: f64 = 1e-8;

/// Runs the command; returns the exit code.
pub fn run(args: &BurnArgs) -> Result<i32, Error> {
    let scheme = scheme(&args.mechanism, &args.scheme, "burn", Field::Star)?;
    let (t9, rho) = (args.temperature, args.rho);
    // The zone must not depend on how many rows are asked for: its electrons change within them, too.
    let followed = scheme.following_electrons();
    let mut course = Course::new(&followed, args.tolerances.options_with(scheme.usual_atol()), t9, Some(rho))?;
    course.set_fractions(&args.fractions)?;
    course.set(&args.set)?;
    if args.fractions.is_empty() && course.at.amounts.iter().all(|y| *y == 0.0) {
        return Err(Error::Unsaid { option: "--X" });
    }
    let read = [&args.mechanism.files()[..], &args.scheme.files()].concat();
    let mut table = Table::new(&scheme, &args.files, args.picture.as_deref(), &read, None)?;
    let weights: Vec<f64> = scheme.model().species.iter().map(|s| s.weight).collect();
    let fractions = |y: &[f64]| y.iter().zip(&weights).map(|(y, a)| y * a).collect::<Vec<f64>>();
    possible(args, &fractions(&course.at.amounts))?;
    if let (Some((_, t9)), false) = (outside(&scheme, &[t9]), args.quiet) {
        tell!("note: T9 is {t9}: {FITS}");
    }
    table.push(0.0, None, &fractions(&course.at.amounts));
    let last = f64::from(args.points - 1);
    let mut t = 0.0;
    for i in 0..args.points {
        let to = args.end_time * FIRST.powf(1.0 - f64::from(i) / last);
        course.advance(t, to - t)?;
        t = to;
        table.push(t, None, &fractions(&course.at.amounts));
    }
    let cost = format!("{} steps, {:.3} s", course.steps, course.seconds);
    let title = format!("{}: T9 = {t9}, {rho:e} g/cm\u{b3}", scheme.name());
    table.finish(&args.files, args.picture.as_deref(), args.quiet, &title, &cost)?;
    Ok(0)
}

/// Refuses mass fractions that no zone has: as for gases, those of --X sum to one. Those of files are rounded, and --set may
/// add to them: if they are far off, a note says so.
fn possible(args: &BurnArgs, fractions: &[f64]) -> Result<(), Error> {
    if let Some(Setting { name, value }) = args.fractions.iter().chain(&args.set).find(|s| s.value < 0.0) {
        return Err(Error::BelowZero { name: name.clone(), value: *value });
    }
    let sum: f64 = fractions.iter().sum();
    let off = (sum - 1.0).abs();
    if off > SUM_TOLERANCE && !args.fractions.is_empty() {
        return Err(Error::FractionSum { sum });
    }
    if off > OFF && !args.quiet {
        tell!("note: the mass fractions sum to {sum:.4}, not to 1; --set takes abundances in mol/g");
    }
    Ok(())
}
