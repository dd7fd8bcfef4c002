//! A history that is imposed on a cell: its pressure or its volume as a function of time.

use std::fmt;

/// Pressure (constant-pressure reactors) or volume (constant-volume ones), relative to its value at the
/// start: linear between knots, constant after the last.
#[derive(Debug, Clone, PartialEq)]
pub struct History {
    times: Vec<f64>,
    values: Vec<f64>,
    /// The knot at which the piece ends that is straight from each knot but the last on.
    ends: Vec<usize>,
}

/// Knots this close to a line lie on it, in units of their value.
const ON_A_LINE: f64 = 4.0 * f64::EPSILON;

/// For each knot but the last the end of the line on which it and those behind it lie: nothing jumps at knots in between.
fn ends(times: &[f64], values: &[f64]) -> Vec<usize> {
    let mut ends = Vec::with_capacity(times.len());
    while ends.len() + 1 < times.len() {
        let from = ends.len();
        let on = |&k: &usize| {
            let part = (times[k] - times[from]) / (times[k + 1] - times[from]);
            let line = part.mul_add(values[k + 1] - values[from], values[from]);
            (line - values[k]).abs() <= ON_A_LINE * values[k]
        };
        let to = 1 + (from + 1..times.len() - 1).take_while(on).last().unwrap_or(from);
        ends.resize(to, to);
    }
    ends
}

/// The interval between two knots between which the quantity is linear.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Piece {
    /// When the interval ends \[s\]; infinite after the last knot.
    pub end: f64,
    /// The imposed quantity at the start of the interval, relative to its value at the start of the history.
    pub value: f64,
    /// Its rate of change \[1/s\], relative to the same value.
    pub slope: f64,
}

/// What is wrong with a history, and at which knot.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum HistoryFault {
    /// There are fewer than two knots.
    TooShort,
    /// There are not as many times as values.
    Uneven {
        /// Number of times.
        times: usize,
        /// Number of values.
        values: usize,
    },
    /// The first knot is not at time zero.
    Begin {
        /// Its time \[s\].
        time: f64,
    },
    /// A time is not later than the one before.
    Order {
        /// The knot, from 0.
        knot: usize,
        /// Its time \[s\].
        time: f64,
    },
    /// A value is not a positive number.
    Value {
        /// The knot, from 0.
        knot: usize,
        /// The value.
        value: f64,
    },
    /// A value is too many times the first one, or comes too fast, for numbers of double precision.
    Leap {
        /// The knot, from 0.
        knot: usize,
        /// The value.
        value: f64,
    },
}

impl HistoryFault {
    /// The knot with the fault, from 0, if it is that of a knot.
    pub fn knot(&self) -> Option<usize> {
        match *self {
            Self::TooShort | Self::Uneven { .. } => None,
            Self::Begin { .. } => Some(0),
            Self::Order { knot, .. } | Self::Value { knot, .. } | Self::Leap { knot, .. } => Some(knot),
        }
    }
}

impl fmt::Display for HistoryFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooShort => write!(f, "a history needs at least two times"),
            Self::Uneven { times, values } => write!(f, "{times} times and {values} values; give as many of both"),
            Self::Begin { time } => {
                write!(f, "the first time is {time} s; it must be 0, where the cells begin: shift the times")
            }
            Self::Order { time, .. } => {
                write!(f, "the time {time} s is not after the one before; sort the times, without repeats")
            }
            Self::Value { value, .. } => write!(f, "{value} is no positive number"),
            Self::Leap { value, .. } => {
                write!(
                    f,
                    "{value:e} is too far from the first value, or too soon after the one before, to be computed with"
                )
            }
        }
    }
}

impl std::error::Error for HistoryFault {}

impl History {
    /// A history through these knots: ascending times \[s\] from 0 on, and positive values in any unit.
    ///
    /// # Errors
    /// [`HistoryFault`].
    pub fn new(times: Vec<f64>, values: Vec<f64>) -> Result<Self, HistoryFault> {
        if times.len() != values.len() {
            return Err(HistoryFault::Uneven { times: times.len(), values: values.len() });
        }
        if let Some(knot) = values.iter().position(|v| !(v.is_finite() && *v > 0.0)) {
            return Err(HistoryFault::Value { knot, value: values[knot] });
        }
        match times[..] {
            [] | [_] => return Err(HistoryFault::TooShort),
            [time, ..] if time != 0.0 => return Err(HistoryFault::Begin { time }),
            _ => {}
        }
        let rises = |w: &[f64]| w[1].is_finite() && w[0] < w[1];
        if let Some(i) = times.windows(2).position(|w| !rises(w)) {
            return Err(HistoryFault::Order { knot: i + 1, time: times[i + 1] });
        }
        let first = values[0];
        let scaled: Vec<f64> = values.iter().map(|v| v / first).collect();
        let ends = ends(&times, &scaled);
        let history = Self { times, values: scaled, ends };
        let leaps = |i: &usize| {
            let Piece { value, slope, .. } = history.piece(*i);
            value == 0.0 || !value.is_finite() || !slope.is_finite()
        };
        // What a piece begins with is the value of its knot; where its slope is no number, the next one is to blame.
        if let Some(i) = (0..history.times.len()).find(leaps) {
            let knot = if history.values[i].is_normal() { i + 1 } else { i };
            return Err(HistoryFault::Leap { knot, value: values[knot] });
        }
        Ok(history)
    }

    /// The times of the knots \[s\].
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The imposed quantity at the knots, relative to its value at the start.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The interval after knot `i`, over those behind it that lie on one line; after the last knot the quantity stays constant.
    pub fn piece(&self, i: usize) -> Piece {
        let last = self.times.len() - 1;
        if i >= last {
            return Piece { end: f64::INFINITY, value: self.values[last], slope: 0.0 };
        }
        let (value, to) = (self.values[i], self.ends[i]);
        // Not to the next knot: where that is near, what lies between is rounding.
        let slope = (self.values[to] - value) / (self.times[to] - self.times[i]);
        Piece { end: self.times[to], value, slope }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_linear_and_the_last_value_holds() {
        let h = History::new(vec![0.0, 1.0, 3.0], vec![4.0, 2.0, 3.0]).expect("a history");
        assert_eq!(h.piece(0), Piece { end: 1.0, value: 1.0, slope: -0.5 });
        assert_eq!(h.piece(1), Piece { end: 3.0, value: 0.5, slope: 0.125 });
        assert_eq!(h.piece(2), Piece { end: f64::INFINITY, value: 0.75, slope: 0.0 });
    }

    #[test]
    fn knots_on_a_line_are_no_ends() {
        let times: Vec<f64> = (0..=12).map(|i| f64::from(i) * 0.1).collect();
        let values = times.iter().map(|t| if *t < 0.55 { 1.0 - 0.3 * t } else { 0.8 }).collect();
        let h = History::new(times.clone(), values).expect("a history");
        let ends: Vec<f64> = (0..12).map(|i| h.piece(i).end).collect();
        assert_eq!(ends, [[times[5]; 5].to_vec(), vec![times[6]], vec![times[12]; 6]].concat());
        assert_eq!((h.piece(3).value, h.times().len()), (1.0 - 0.3 * times[3], 13));
    }

    #[test]
    fn a_knot_next_to_another_does_not_bend_the_line() {
        let h = History::new(vec![0.0, 1e-18, 1e-3, 2e-3], vec![1.0, 1.0, 0.5, 0.5]).expect("a history");
        assert_eq!(h.piece(0), Piece { end: 1e-3, value: 1.0, slope: -500.0 });
    }

    #[test]
    fn what_is_no_history_is_blamed() {
        let fault = |t: &[f64], v: &[f64]| History::new(t.to_vec(), v.to_vec()).expect_err("a fault");
        assert_eq!(fault(&[0.0], &[1.0]), HistoryFault::TooShort);
        assert_eq!(fault(&[0.0, 1.0], &[1.0]), HistoryFault::Uneven { times: 2, values: 1 });
        // Ratios and slopes that no double holds.
        for (t, v) in [([0.0, 1.0], [1e-300, 1e10]), ([0.0, 1.0], [1e200, 1e-200]), ([0.0, 1e-310], [1.0, 2.0])] {
            let found = fault(&t, &v);
            assert!(matches!(found, HistoryFault::Leap { knot: 1, .. }), "{found:?}");
        }
        assert_eq!(fault(&[0.5, 1.0], &[1.0, 1.0]), HistoryFault::Begin { time: 0.5 });
        assert_eq!(fault(&[0.0, 1.0, 1.0], &[1.0; 3]), HistoryFault::Order { knot: 2, time: 1.0 });
        assert_eq!(fault(&[0.0, f64::INFINITY], &[1.0; 2]), HistoryFault::Order { knot: 1, time: f64::INFINITY });
        assert_eq!(fault(&[0.0, 1.0], &[1.0, -2.0]), HistoryFault::Value { knot: 1, value: -2.0 });
        assert!(matches!(fault(&[f64::NAN, 1.0], &[1.0; 2]), HistoryFault::Begin { .. }));
    }
}
