//! Axes: the range of values of an axis, its ticks, and the places of values in the picture.

use crate::picture::chart::{Axis, Spacing};

/// Larger values are not shown: their differences would overflow.
const BEYOND: f64 = 1e300;
/// Number of decades from which powers of ten are enough as ticks; and the ratio of values below which ticks
/// are evenly spaced.
const WIDE: f64 = 3.0;
const NARROW: f64 = 2.5;
/// If the range is smaller than this part of the values, they count as constant.
const CONSTANT: f64 = 1e-7;

/// A laid out axis: its range in values or their logarithms, its place in the picture, and its ticks.
pub struct Scale {
    spacing: Spacing,
    range: (f64, f64),
    place: (f64, f64),
    /// Value or its logarithm, and label; ticks between labelled ones have none.
    pub ticks: Vec<(f64, String)>,
}

impl Scale {
    /// An axis for `values`, between the ends `place` in the picture, with at most `most` ticks.
    pub fn new(axis: &Axis, values: impl Iterator<Item = f64>, place: (f64, f64), most: usize) -> Self {
        let usable = values.filter(|v| v.abs() < BEYOND && (axis.spacing == Spacing::Linear || *v > 0.0));
        let (mut low, mut high) = usable.fold((f64::MAX, f64::MIN), |(a, b), v| (a.min(v), b.max(v)));
        if low > high {
            (low, high) = (1.0, 10.0);
        }
        low = axis.low.map_or(low, |least| least.max(low));
        if low > high {
            high = 10.0 * low;
        }
        // A constant is drawn in the middle, and so are values that differ only by rounding.
        let middle = 0.5 * (low + high);
        if axis.spacing == Spacing::Linear && high - low <= CONSTANT * middle.abs().max(f64::MIN_POSITIVE) {
            let room = if middle == 0.0 { 1.0 } else { 0.01 * middle.abs() };
            (low, high) = (middle - room, middle + room);
        }
        // A limit that equals a tick up to rounding counts as one.
        let slack = 1e-9;
        let (range, ticks) = match axis.spacing {
            Spacing::Linear => {
                let step = nice_step(high - low, most);
                let first = (low / step + slack).floor();
                let last = (high / step - slack).ceil().max(first + 1.0);
                let count = (last - first).round() as usize;
                let largest = (first * step).abs().max((last * step).abs());
                let ticks = (0..=count).map(|i| (first + i as f64) * step).map(|v| (v, label(v, step, largest)));
                ((first * step, last * step), ticks.collect())
            }
            Spacing::Log => {
                let (from, to) = (low.log10(), high.log10());
                match to - from {
                    // As above, a constant is drawn in the middle.
                    span if span > CONSTANT && span < WIDE => finer(low, high, most),
                    _ => {
                        let mut first = (from + slack).floor() as i32;
                        let mut last = (to - slack).ceil() as i32;
                        if last <= first {
                            (first, last) = (first - 1, first + 1);
                        }
                        let stride = ((last - first) as usize).div_ceil(most).max(1);
                        let ticks = (first..=last).step_by(stride).map(|e| (f64::from(e), times_power(1, e)));
                        ((f64::from(first), f64::from(last)), ticks.collect())
                    }
                }
            }
        };
        Self { spacing: axis.spacing, range, place, ticks }
    }

    /// The place of a value; `None` if the axis cannot show it.
    pub fn at(&self, v: f64) -> Option<f64> {
        match self.spacing {
            _ if v.is_nan() || v.abs() >= BEYOND => None,
            Spacing::Linear => Some(self.along(v)),
            Spacing::Log => (v > 0.0).then(|| self.along(v.log10())),
        }
    }

    /// The place of a value or, on a logarithmic axis, of its logarithm.
    pub fn along(&self, v: f64) -> f64 {
        let part = (v - self.range.0) / (self.range.1 - self.range.0);
        self.place.0 + part * (self.place.1 - self.place.0)
    }
}

/// The range and the ticks of a logarithmic axis over few decades: it may begin and end at 1, 2 .. 9 times a
/// power of ten, and 1, 2 and 5 have labels. If even these are too far apart, ticks are evenly spaced.
fn finer(low: f64, high: f64, most: usize) -> ((f64, f64), Vec<(f64, String)>) {
    let slack = 1e-9;
    if high < NARROW * low {
        let step = nice_step(high - low, most);
        let first = (low / step + slack).floor().max(1.0);
        let last = (high / step - slack).ceil().max(first + 1.0);
        let values = (0..=(last - first).round() as usize).map(|i| (first + i as f64) * step);
        let ticks = values.map(|v| (v.log10(), label(v, step, last * step))).collect();
        return (((first * step).log10(), (last * step).log10()), ticks);
    }
    // The ticks below and above, as digit and power.
    let power = |v: f64, slack: f64| (v.log10() + slack).floor() as i32;
    let digit = |v: f64, e: i32| v / 10f64.powi(e);
    let (e0, e1) = (power(low, slack), power(high, slack));
    let first = 9 * e0 + (digit(low, e0) + slack).floor().max(1.0) as i32 - 1;
    let last = 9 * e1 + (digit(high, e1) - slack).ceil().max(1.0) as i32 - 1;
    let at = |tick: i32| (tick.rem_euclid(9) + 1, tick.div_euclid(9));
    let place = |tick: i32| f64::from(at(tick).0).log10() + f64::from(at(tick).1);
    // Numbers with few digits are written without a power of ten.
    let plain = at(first).1 >= -2 && at(last).1 <= 3;
    let text = |tick: i32| match at(tick) {
        (d, _) if ![1, 2, 5].contains(&d) => String::new(),
        (d, e) if plain => format!("{:.*}", (-e).max(0) as usize, f64::from(d) * 10f64.powi(e)),
        (d, e) => times_power(d, e),
    };
    ((place(first), place(last)), (first..=last).map(|tick| (place(tick), text(tick))).collect())
}

/// A digit times a power of ten.
fn times_power(digit: i32, e: i32) -> String {
    let factor = if digit == 1 { String::new() } else { format!("{digit}\u{b7}") };
    format!("{factor}10{}", superscript(e))
}

/// A step of 1, 2 or 5 times a power of ten that gives at most `most` steps.
fn nice_step(span: f64, most: usize) -> f64 {
    let least = (span / most as f64).max(f64::MIN_POSITIVE * 1e20);
    let power = 10f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * power).find(|s| *s >= least * 0.999_999).unwrap_or(least)
}

/// The label of a tick: as many digits as the step needs, with a power of ten if these would be many.
fn label(v: f64, step: f64, largest: f64) -> String {
    let (first, last) = (largest.log10().floor(), step.log10().floor());
    let many = first >= 7.0 || last <= -6.0;
    let digits = (if many { first } else { 0.0 } - last).max(0.0) as usize;
    match many {
        true if v == 0.0 => "0".to_owned(),
        true => format!("{:.digits$}e{first}", v / 10f64.powf(first)),
        false => format!("{v:.digits$}"),
    }
}

fn superscript(e: i32) -> String {
    let digit = |c| match c {
        '-' => '\u{207b}',
        '1' => '\u{b9}',
        '2' => '\u{b2}',
        '3' => '\u{b3}',
        c => c.to_digit(10).and_then(|d| char::from_u32(0x2070 + d)).unwrap_or(c),
    };
    e.to_string().chars().map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_nice() {
        for (span, most, step) in [(10.0, 5, 2.0), (1.0, 8, 0.2), (2700.0, 7, 500.0), (3e-3, 8, 5e-4)] {
            assert!((nice_step(span, most) / step - 1.0).abs() < 1e-12, "{span} {most}");
        }
        assert_eq!(superscript(-12), "\u{207b}\u{b9}\u{b2}");
    }

    #[test]
    fn few_decades_have_ticks_between() {
        let axis = Axis { label: String::new(), spacing: Spacing::Log, low: None };
        let scale = |values: [f64; 2]| Scale::new(&axis, values.into_iter(), (0.0, 100.0), 7);
        let labels = |s: &Scale| s.ticks.iter().map(|t| t.1.clone()).filter(|t| !t.is_empty()).collect::<Vec<_>>();
        for (values, count, labelled) in [
            ([3.2e-4, 1.8e-3], 9, "5·10⁻⁴ 10⁻³ 2·10⁻³"),
            ([2e-5, 5e-5], 4, "2·10⁻⁵ 5·10⁻⁵"),
            ([1.0, 40.0], 13, "1 2 5 10 20"),
            ([0.05, 0.2], 7, "0.05 0.1 0.2"),
            ([1.01e5, 1.5e5], 6, "100000 110000 120000 130000 140000 150000"),
            ([3e-7, 3.4e-7], 5, "3.0e-7 3.1e-7 3.2e-7 3.3e-7 3.4e-7"),
            ([1e-9, 1e-3], 7, "10⁻⁹ 10⁻⁸ 10⁻⁷ 10⁻⁶ 10⁻⁵ 10⁻⁴ 10⁻³"),
        ] {
            let s = scale(values);
            assert_eq!((labels(&s).join(" ").as_str(), s.ticks.len()), (labelled, count), "{values:?}");
            let ends = values.map(|v| s.along(v.log10()));
            assert!(ends[0] > -1e-6 && ends[1] < 100.0 + 1e-6 && ends[1] - ends[0] > 60.0, "{values:?}: {ends:?}");
        }
    }
}
