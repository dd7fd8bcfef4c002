//! Temperature and density of a zone over time, from a file.

use crate::error::Error;
use crate::files::table::{Table, plain, unit};
use crate::values::is_positive;
use kinlane::HistoryFault;
use kinlane::units::{TIMES, Units, in_si};
use std::path::Path;

/// Units of temperatures, in GK.
const TEMPERATURES: &Units = &[("GK", 1.0), ("K", 1e-9)];
/// How files write g/cm³, simplified; without any it is the unit.
const DENSITIES: [&str; 7] = ["", "g/cm3", "g/cm^3", "g/cc", "gcm-3", "gcm^-3", "cgs"];

/// What the columns may be called, for those who called them otherwise.
const NAMES: &str = "the first line must name one column t (s), or with another unit (ms, min, h, d, yr), one column T9, T (K) or \
                     T (GK), and one column rho, in g/cm3";

/// T9 and density over time. Between the lines of the file their logarithms are linear in time, so an exponential expansion is
/// exact; before the first and after the last they stay.
pub struct Trajectory {
    /// Times \[s\].
    times: Vec<f64>,
    /// T9 and density \[g/cm³\].
    states: Vec<[f64; 2]>,
}

impl Trajectory {
    /// That of a file.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let table = Table::read(path)?;
        let [(time, second), (temperature, giga), (density, _)] =
            columns(table.names()).ok_or_else(|| table.misnamed(NAMES))?;
        let (mut times, mut states) = (Vec::new(), Vec::new());
        for row in table.rows() {
            let t = in_si(table.number(row, time, "time", f64::is_finite)?, second);
            if times.last().is_some_and(|last| t <= *last) {
                return Err(table.wrong(row.line, HistoryFault::Order { knot: times.len(), time: t }.to_string()));
            }
            let t9 = in_si(table.number(row, temperature, "positive temperature", is_positive)?, giga);
            let rho = table.number(row, density, "positive density", is_positive)?;
            times.push(t);
            states.push([t9, rho]);
        }
        match times.len() {
            0 | 1 => Err(table.wrong(0, HistoryFault::TooShort.to_string())),
            _ => Ok(Self { times, states }),
        }
    }

    /// When it begins and ends \[s\].
    pub fn span(&self) -> [f64; 2] {
        [self.times[0], self.times[self.times.len() - 1]]
    }

    /// T9 and density at a time \[s\].
    pub fn at(&self, t: f64) -> [f64; 2] {
        let after = self.times.partition_point(|time| *time <= t);
        if after == 0 || after == self.times.len() {
            return self.states[after.saturating_sub(1)];
        }
        let part = (t - self.times[after - 1]) / (self.times[after] - self.times[after - 1]);
        let [here, there] = [self.states[after - 1], self.states[after]];
        [0, 1].map(|i| here[i] * (there[i] / here[i]).powf(part))
    }

    /// The time \[s\] of the next line after `t`: there the slopes change.
    pub fn next(&self, t: f64) -> Option<f64> {
        self.times.get(self.times.partition_point(|time| *time <= t)).copied()
    }

    /// The lowest and the highest T9 up to a time \[s\].
    pub fn extremes(&self, end: f64) -> [f64; 2] {
        let within = self.times.iter().zip(&self.states).take_while(|(t, _)| **t <= end).map(|(_, state)| state[0]);
        let all = within.chain([self.at(end)[0]]);
        all.fold([f64::INFINITY, 0.0], |[low, high], t9| [t9.min(low), t9.max(high)])
    }

    /// Times of rows \[s\] after the first, up to `end`: those of the lines, some of them if there are more than `points`; if there
    /// are less, times between them, too.
    pub fn rows(&self, end: f64, points: usize) -> Vec<f64> {
        let lines: Vec<f64> = self.times.iter().skip(1).copied().take_while(|t| *t < end).chain([end]).collect();
        let (every, parts) = (lines.len().div_ceil(points), (points / lines.len()).max(1));
        let mut rows = Vec::with_capacity(points + parts);
        let mut from = self.times[0];
        for (i, &to) in lines.iter().enumerate() {
            if (i + 1) % every != 0 && i + 1 != lines.len() {
                continue;
            }
            let between = (1..parts).map(|part| from + (to - from) * (part as f64 / parts as f64));
            rows.extend(between.filter(|t| from < *t && *t < to));
            rows.push(to);
            from = to;
        }
        rows
    }
}

/// Columns of time, temperature and density, with their units. If two columns match, none is taken.
fn columns<'n>(names: impl Iterator<Item = &'n str>) -> Option<[(usize, f64); 3]> {
    let mut found = [None; 3];
    for (i, name) in names.enumerate() {
        let plain = plain(name);
        let time = unit(name, ["time", "t"], TIMES);
        let temperature = || unit(name, ["temperature", "temp"], TEMPERATURES);
        let giga = Some(1.0).filter(|_| plain == "t9");
        let temperature = giga.or_else(|| unit(name, ["t9", "t"], TEMPERATURES)).or_else(temperature);
        let density = ["density", "rho"].into_iter().find_map(|name| plain.strip_prefix(name));
        let density = density.filter(|unit| DENSITIES.contains(unit)).map(|_| 1.0);
        for (place, unit) in found.iter_mut().zip([time, temperature, density]) {
            if unit.is_some_and(|unit| place.replace((i, unit)).is_some()) {
                return None;
            }
        }
    }
    let [time, temperature, density] = found;
    Some([time?, temperature?, density?])
}

#[cfg(test)]
mod tests {
    use super::{Trajectory, columns};

    #[test]
    fn headers_say_what_is_where() {
        let of = |names: &str| columns(names.split(','));
        assert_eq!(of("t (s),T9,rho"), Some([(0, 1.0), (1, 1.0), (2, 1.0)]));
        assert_eq!(of("rho (g/cm^3),T (K),radius,time [ms]"), Some([(3, 1e-3), (1, 1e-9), (0, 1.0)]));
        assert_eq!(of("time(s),temperature(GK),density(g/cc)"), Some([(0, 1.0), (1, 1.0), (2, 1.0)]));
        assert_eq!(of("time(s),T9(GK),density,Ye"), Some([(0, 1.0), (1, 1.0), (2, 1.0)]));
        // Units are not assumed but for T9, and densities in others are not taken.
        for names in ["t,T9,rho", "t (s),T,rho", "t (s),T9,rho (kg/m3)", "t (s),T9,T (K),rho", "t (s),T9"] {
            assert_eq!(of(names), None, "{names}");
        }
    }

    #[test]
    fn states_between_lines_are_those_of_exponentials() {
        let states = vec![[5.0, 1e8], [1.25, 1e4]];
        let course = Trajectory { times: vec![1.0, 3.0], states };
        let near =
            |got: [f64; 2], want: [f64; 2]| got.iter().zip(want).all(|(got, want)| (got / want - 1.0).abs() < 1e-14);
        assert!(
            near(course.at(2.0), [2.5, 1e6]) && near(course.at(0.0), [5.0, 1e8]) && near(course.at(9.0), [1.25, 1e4])
        );
        // As they are given, to the last digit.
        assert_eq!([course.at(1.0), course.at(3.0)], [[5.0, 1e8], [1.25, 1e4]]);
        assert_eq!([course.next(0.0), course.next(1.0), course.next(3.0)], [Some(1.0), Some(3.0), None]);
        assert_eq!(course.rows(3.0, 4), [1.5, 2.0, 2.5, 3.0]);
        assert_eq!(course.rows(5.0, 2), [3.0, 5.0]);
        assert_eq!(course.rows(5.0, 1), [5.0]);
        assert!(near(course.extremes(2.0), [2.5, 5.0]));
    }
}
