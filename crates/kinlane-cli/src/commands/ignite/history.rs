//! Imposed histories: volume or pressure over time, from a file or from a rate.

use super::{IgniteArgs, IgniteFault};
use crate::args::RunArgs;
use crate::error::Error;
use crate::files::table::{self, Table};
use crate::mixture::{self, MixtureFault, Point};
use crate::run::stop;
use crate::values::is_positive;
use clap::Args;
use kinlane::units::{PRESSURES, TIMES, before_unit, in_si};
use kinlane::{Advance, Event, Follow, Followed, History, Mechanism, Options, Place, Reactor, States};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

/// A history in place of a constant volume or pressure.
#[derive(Debug, Args)]
pub struct HistoryArgs {
    /// Volume over time: a CSV file with columns t (s, ms, us, ns, min or h) and V, in any unit, for only ratios count
    #[arg(
        long, value_name = "FILE", conflicts_with_all = ["reactor", "pressure_history", "dpdt"],
        help_heading = "Imposed history"
    )]
    pub volume_history: Option<PathBuf>,
    /// Pressure over time, in place of --P: a CSV file with columns t (s, ms, us, ns, min or h) and P (Pa, kPa, MPa, bar,
    /// mbar, atm, torr or psi)
    #[arg(
        long, value_name = "FILE", conflicts_with_all = ["reactor", "pressure", "dpdt"],
        help_heading = "Imposed history"
    )]
    pub pressure_history: Option<PathBuf>,
    /// Pressure rise behind a shock, as 0.03/ms or 3%/ms of the first pressure: of a gas that does not react, or, with
    /// --reactor const-p or fixed-t, of any
    #[arg(long, value_name = "RATE", allow_hyphen_values = true, help_heading = "Imposed history")]
    pub dpdt: Option<Rise>,
}

impl HistoryArgs {
    /// Whether anything is imposed.
    pub fn is_given(&self) -> bool {
        self.dpdt.is_some() || self.files().iter().any(Option::is_some)
    }

    /// The files to be read.
    pub fn files(&self) -> [Option<&Path>; 2] {
        [self.volume_history.as_deref(), self.pressure_history.as_deref()]
    }
}

/// Relative rate of change of a pressure \[1/s\].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rise(f64);

impl FromStr for Rise {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is no rate of pressure; write 0.03/ms, 3%/ms or 30/s");
        let (number, unit) = text.split_once('/').ok_or_else(wrong)?;
        let time = match before_unit(unit.trim(), TIMES) {
            Some(("", time)) => time,
            _ => return Err(wrong()),
        };
        let (number, part) = number.trim().strip_suffix('%').map_or((number, 1.0), |n| (n, 0.01));
        let rate = number.trim().parse::<f64>().ok().map(|x| x * part / time);
        match rate {
            Some(0.0) => Err(format!("`{text}` is no rise: leave the option out for none")),
            Some(rate) if rate < 0.0 => Err(format!("`{text}` is a fall: give it as a table, with --pressure-history")),
            rate => rate.filter(|r| is_positive(*r)).map(Self).ok_or_else(wrong),
        }
    }
}

/// Between two knots of a volume, the pressure of a gas that does not react rises by this part. A straight
/// line between them misses by the square of that over eight.
const FINE: f64 = 0.003;

/// The kind of reactor, and the histories of the points; empty if everything is constant.
pub struct Imposed {
    /// The kind of reactor.
    pub reactor: Reactor,
    histories: Vec<Arc<History>>,
}

impl Imposed {
    /// The histories requested on the command line. A pressure history also sets the initial pressure of the
    /// points.
    pub fn new(args: &IgniteArgs, mechanism: &Mechanism, points: &mut [Point]) -> Result<Self, Error> {
        let h = &args.history;
        let cells = points.len();
        let same = |history: History| std::iter::repeat_n(Arc::new(history), cells).collect::<Vec<_>>();
        let reactor = args.reactor;
        let (reactor, histories) = match (&h.volume_history, &h.pressure_history, h.dpdt) {
            (Some(path), ..) => (Reactor::ConstV, same(read(path, Quantity::Volume)?.1)),
            (_, Some(path), _) => {
                let (begin, history) = read(path, Quantity::Pressure)?;
                let histories = same(history);
                points.iter_mut().for_each(|p| p.p = begin);
                (Reactor::ConstP, histories)
            }
            (.., Some(Rise(rate))) if reactor == Reactor::ConstV => {
                (reactor, volumes(mechanism, points, &rise(rate, args.end(), FINE)?)?)
            }
            (.., Some(Rise(rate))) => (reactor, same(rise(rate, args.end(), f64::INFINITY)?)),
            _ => (reactor, Vec::new()),
        };
        Ok(Self { reactor, histories })
    }

    /// A solver on the CPU for the points, or for more cells that repeat them.
    pub fn solver(
        &self,
        mechanism: &Mechanism,
        options: &Options,
        run: &RunArgs,
        threads: usize,
    ) -> Result<Follow, Error> {
        let mut place = Place::default();
        place.threads = Some(threads);
        place.lanes.clone_from(&run.lanes);
        let wishes = Advance::builder(mechanism).options(options.clone()).place(place);
        let solver = if self.histories.is_empty() { wishes.follow() } else { wishes.follow_driven() };
        let solver = solver.map_err(|fault| Error::from(fault).without_first_step())?;
        stop::connect(solver.stop_flag());
        Ok(solver)
    }

    /// Advances cells along their histories.
    pub fn advance(
        &self,
        solver: &mut Follow,
        states: &mut States,
        dt: f64,
        times: &[f64],
        events: &[Event],
    ) -> Result<Followed, Error> {
        let followed = if self.histories.is_empty() {
            solver.advance(states, dt, times, events)
        } else {
            let histories: Vec<_> = self.histories.iter().cycle().take(states.len()).cloned().collect();
            solver.advance_along(states, &histories, dt, times, events)
        };
        Ok(followed.map_err(MixtureFault::Batch)?)
    }

    /// What is constant or imposed, in words for titles.
    pub fn words(&self) -> &'static str {
        match (self.reactor, self.any()) {
            (Reactor::ConstV, false) => "constant volume",
            (Reactor::ConstV, true) => "imposed volume",
            (Reactor::ConstP, false) => "constant pressure",
            (Reactor::FixedT, false) => "constant pressure and temperature",
            (_, true) => "imposed pressure",
        }
    }

    /// Whether T is held constant.
    pub fn holds_t(&self) -> bool {
        self.reactor == Reactor::FixedT
    }

    /// Whether any history is imposed.
    pub fn any(&self) -> bool {
        !self.histories.is_empty()
    }

    /// The end of the first history that does not reach `end` \[s\].
    pub fn short_of(&self, end: f64) -> Option<f64> {
        self.histories.iter().filter_map(|h| h.times().last().copied()).find(|last| *last < end)
    }
}

/// A pressure that rises linearly, with knots at most `fine` of it apart.
fn rise(rate: f64, end: f64, fine: f64) -> Result<History, IgniteFault> {
    let ratio = 1.0 + rate * end;
    if !ratio.is_finite() {
        return Err(IgniteFault::Rise { ratio });
    }
    let count = (ratio.ln() / fine).ceil().max(1.0);
    let time = |i: f64| if i == count { end } else { (ratio.powf(i / count) - 1.0) / rate };
    let times: Vec<f64> = (0..=count as usize).map(|i| time(i as f64)).collect();
    let values = times.iter().map(|t| 1.0 + rate * t).collect();
    History::new(times, values).map_err(|_| IgniteFault::Rise { ratio })
}

/// Number of gases whose volumes are computed at a time, so that not all of their courses are in memory at
/// once.
const TOGETHER: usize = 32;

/// The volume of each gas without its reactions, while its pressure follows a history.
fn volumes(mechanism: &Mechanism, points: &[Point], pressure: &History) -> Result<Vec<Arc<History>>, Error> {
    let mut inert = mechanism.network().clone();
    inert.reactions.clear();
    let inert = Mechanism::from_network(inert);
    let times = pressure.times();
    let (Some(&end), Some(&ratio)) = (times.last(), pressure.values().last()) else { return Ok(Vec::new()) };
    let options = Options { rtol: 1e-9, atol: Some(1e-12), reactor: Reactor::ConstP, ..Options::default() };
    let mut solver = Advance::builder(&inert).options(options.clone()).threads(1).follow_driven()?;
    let pressures: Vec<_> = std::iter::repeat_n(Arc::new(pressure.clone()), TOGETHER).collect();
    let width = inert.species_count() + 2;
    let volume = |row: &[f64]| if let [t, p, ..] = row { t / p } else { f64::NAN };
    let history = |rows: &[f64]| History::new(times.to_vec(), rows.chunks(width).map(volume).collect());
    let mut all = Vec::with_capacity(points.len());
    for points in points.chunks(TOGETHER) {
        let mut states = mixture::states(points, &inert)?;
        let pressures = pressures.get(..points.len()).unwrap_or_default();
        let followed = solver.advance_along(&mut states, pressures, end, times, &[]).map_err(MixtureFault::Batch)?;
        for rows in followed.series.chunks(width * times.len()) {
            all.push(Arc::new(history(rows).map_err(|_| IgniteFault::Rise { ratio })?));
        }
    }
    Ok(all)
}

/// The quantity that a file contains over time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quantity {
    Volume,
    Pressure,
}

impl Quantity {
    fn word(self) -> &'static str {
        match self {
            Self::Volume => "volume",
            Self::Pressure => "pressure",
        }
    }

    /// The unit of a column, if it contains this quantity; volumes may have any unit, also one that is not set apart.
    fn unit(self, name: &str) -> Option<f64> {
        match self {
            Self::Volume => {
                let mut words = name.split(|c: char| !c.is_alphabetic()).map(str::to_lowercase);
                let is =
                    |word: &str| word.starts_with("volume") || ["v", "vol", "vrel", "vcm", "vm", "vl"].contains(&word);
                words.any(|word| is(&word)).then_some(1.0)
            }
            Self::Pressure => table::unit(name, ["pressure", "p"], PRESSURES),
        }
    }

    /// The column names that the first line may have.
    fn names(self) -> &'static str {
        match self {
            Self::Volume => {
                "the first line must name one column t (s), t (ms), t (us), t (ns), t (min) or t (h), and one column V"
            }
            Self::Pressure => {
                "the first line must name one column t (s), t (ms), t (us), t (ns), t (min) or t (h), and one column P (Pa), \
                 P (kPa), P (MPa), P (bar), P (mbar), P (atm), P (torr) or P (psi)"
            }
        }
    }
}

/// The columns of time and of a quantity, with their units, which must be given. `T (s)` beside `t (s)` is
/// not a time. If two columns match, none is taken.
fn columns<'n>(names: impl Iterator<Item = &'n str>, what: Quantity) -> Option<[(usize, f64); 2]> {
    let (mut time, mut value): (Option<(usize, f64, bool)>, _) = (None, None);
    for (i, name) in names.enumerate() {
        let Some(unit) = table::unit(name, ["time", "t"], TIMES) else {
            if let Some(unit) = what.unit(name)
                && value.replace((i, unit)).is_some()
            {
                return None;
            }
            continue;
        };
        let lower = name.starts_with('t');
        match time {
            Some((.., best)) if best == lower => return None,
            Some((.., true)) => {}
            _ => time = Some((i, unit, lower)),
        }
    }
    let (time, unit, _) = time?;
    Some([(time, unit), value?])
}

/// The history in a file, and its initial value.
fn read(path: &Path, what: Quantity) -> Result<(f64, History), Error> {
    let table = Table::read(path)?;
    let found = columns(table.names(), what).ok_or_else(|| table.misnamed(what.names()));
    let [(time, second), (value, unit)] = found?;
    let positive_word = format!("positive {}", what.word());
    let (mut times, mut values) = (Vec::new(), Vec::new());
    for row in table.rows() {
        times.push(in_si(table.number(row, time, "time", f64::is_finite)?, second));
        values.push(in_si(table.number(row, value, &positive_word, is_positive)?, unit));
    }
    let begin = values.first().copied().unwrap_or_default();
    let history = History::new(times, values).map_err(|fault| {
        let row = fault.knot().and_then(|i| table.rows().get(i)).or(table.rows().last());
        table.wrong(row.map_or(1, |r| r.line), fault.to_string())
    })?;
    Ok((begin, history))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_say_their_time() {
        for (text, rate) in [("0.03/ms", 30.0), ("3%/ms", 30.0), ("30/s", 30.0), ("2e-5 /us", 20.0)] {
            let Rise(found) = text.parse().expect(text);
            assert!((found / rate - 1.0_f64).abs() < 1e-14, "{text}: {found}");
        }
        for text in ["", "0.03", "x/ms", "3/y"] {
            assert!(text.parse::<Rise>().is_err_and(|e| e.contains("0.03/ms")), "{text}");
        }
        assert!("0/ms".parse::<Rise>().is_err_and(|e| e.contains("leave the option out")));
        assert!("-1/s".parse::<Rise>().is_err_and(|e| e.contains("--pressure-history")));
    }

    #[test]
    fn headers_say_units() {
        let of = |names: &str, what| columns(names.split(','), what);
        assert_eq!(of("t (s),v", Quantity::Volume), Some([(0, 1.0), (1, 1.0)]));
        // Seconds and pascals are not assumed without a unit.
        assert_eq!([of("t,v", Quantity::Volume), of("time,volume", Quantity::Volume)], [None, None]);
        assert_eq!(of("t (ms),P", Quantity::Pressure), None);
        assert_eq!(of("t (ms),P (MPa)", Quantity::Pressure), Some([(0, 1e-3), (1, 1e6)]));
        for other in ["t (ms),P (mPa)", "t (ms),P (Mbar)", "t (Ms),P (bar)"] {
            assert_eq!(of(other, Quantity::Pressure), None, "{other}");
        }
        assert_eq!(of("volumecm3,x,timems", Quantity::Volume), Some([(2, 1e-3), (0, 1.0)]));
        assert_eq!(of("tus,pbar", Quantity::Pressure), Some([(0, 1e-6), (1, 1e5)]));
        assert_eq!(of("tns,ptorr", Quantity::Pressure), Some([(0, 1e-9), (1, 101_325.0 / 760.0)]));
        assert_eq!(of("ts,pell", Quantity::Pressure), None);
        assert_eq!(of("ts,p", Quantity::Volume), None);
        assert_eq!(of("t (s),V,T", Quantity::Volume), Some([(0, 1.0), (1, 1.0)]));
        assert_eq!(of("T (s),V,t (ms)", Quantity::Volume), Some([(2, 1e-3), (1, 1.0)]));
        assert_eq!(of("T (s),V", Quantity::Volume), Some([(0, 1.0), (1, 1.0)]));
        for names in ["t (s),P (Pa),P (bar)", "t (s),t (us),P (Pa)"] {
            assert_eq!(of(names, Quantity::Pressure), None, "{names}");
        }
    }

    #[test]
    fn a_rise_is_even() {
        assert!(rise(1e308, 100.0, FINE).is_err());
        let h = rise(30.0, 0.5, FINE).expect("a history");
        assert_eq!((h.times().last(), h.values().last()), (Some(&0.5), Some(&16.0)));
        assert!(h.times().iter().zip(h.values()).all(|(t, p)| (p - (1.0 + 30.0 * t)).abs() < 1e-12));
        assert!(h.values().windows(2).all(|w| w[1] / w[0] < 1.0 + 1.1 * FINE));
    }
}
