//! Line charts.

use crate::picture::{self, escape};
use std::fmt::Write;

/// Colours that people with any colour vision tell apart (Okabe and Ito), and a dash pattern each.
const STYLES: [(&str, &str); 7] = [
    ("#0072B2", ""),
    ("#D55E00", "9 4"),
    ("#009E73", "3 3"),
    ("#CC79A7", "11 3 3 3"),
    ("#000000", "1.5 4"),
    ("#E69F00", "18 5"),
    ("#56B4E9", "6 6"),
];
/// Colour and dashes of a series. When the colours begin again, their dashes are other ones.
fn style(i: usize) -> (&'static str, &'static str) {
    let n = STYLES.len();
    (STYLES[i % n].0, STYLES[(i + i / n) % n].1)
}

/// As many curves can be told apart.
pub const MOST: usize = STYLES.len() * STYLES.len();

/// Colour and dashes of all. Where every name has two parts, as `phi = 1, 10 atm`, one has the colour, the other the
/// dashes.
fn styles(series: &[Series]) -> Vec<(&'static str, &'static str)> {
    let numbered = || (0..series.len()).map(style).collect();
    let Some(pairs) = series.iter().map(|s| s.name.rsplit_once(", ")).collect::<Option<Vec<_>>>() else {
        return numbered();
    };
    let (first, second) = (distinct(pairs.iter().map(|p| p.0)), distinct(pairs.iter().map(|p| p.1)));
    if [&first, &second].iter().any(|known| !(2..=STYLES.len()).contains(&known.len())) {
        return numbered();
    }
    let place = |known: &[&str], part: &str| known.iter().position(|k| *k == part).unwrap_or_default();
    pairs.iter().map(|(a, b)| (STYLES[place(&first, a)].0, STYLES[place(&second, b)].1)).collect()
}

/// Each once, in their order.
fn distinct<'s>(parts: impl Iterator<Item = &'s str>) -> Vec<&'s str> {
    let mut known = Vec::new();
    for part in parts {
        if !known.contains(&part) {
            known.push(part);
        }
    }
    known
}

/// Single points: a circle, a square, a triangle, a diamond, around their place.
const MARKS: [&str; 4] = [
    "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z",
    "M-4.5 -4.5h9v9h-9z",
    "M0 -5.8L5.2 3.6H-5.2z",
    "M0 -6.2L6.2 0L0 6.2L-6.2 0z",
];
const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 540.0;
/// Left of the axis: its label, and per character of the longest number.
const LABEL: f64 = 50.0;
const CHARACTER: f64 = 8.8;
const LEFT: f64 = 92.0;
const TOP: f64 = 52.0;
const BOTTOM: f64 = 64.0;
/// Of what stands below the title; right of a picture without a legend.
const SUBTITLE: f64 = 14.0;
const MARGIN: f64 = 40.0;
/// What measured points are called.
pub const MEASURED: &str = "measured";
/// Values that are not shown: their differences are no numbers.
const BEYOND: f64 = 1e300;
/// From so many decades on, powers of ten are ticks enough; below so large a ratio, there are even ones.
const WIDE: f64 = 3.0;
const NARROW: f64 = 2.5;
/// A line of more points than these has no marks on them.
const DOTTED: usize = 60;
/// A range that is so small a part of its values is that of a constant.
const CONSTANT: f64 = 1e-7;

/// How values are laid out along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spacing {
    /// Evenly.
    Linear,
    /// By their logarithm; values that are not positive are left out.
    Log,
}

/// An axis: what it shows, with the unit, and between which values.
#[derive(Debug, Clone)]
pub struct Axis {
    /// Quantity and unit.
    pub label: String,
    /// Linear or logarithmic.
    pub spacing: Spacing,
    /// The lower end is at least this.
    pub low: Option<f64>,
}

/// The axis of temperatures.
pub fn temperatures() -> Axis {
    Axis { label: "temperature (K)".into(), spacing: Spacing::Linear, low: None }
}

/// The axis of mole fractions of major species: small ones count as well.
pub fn mole_fractions(series: &[Series]) -> Axis {
    let seen = series.iter().flat_map(|s| s.points.iter().map(|p| p.1)).filter(|x| *x >= SMALL);
    Axis { label: "mole fraction".into(), spacing: spacing(seen), low: Some(SMALL) }
}

/// The spacing of positive values: a logarithm needs a decade.
pub fn spacing(values: impl Iterator<Item = f64>) -> Spacing {
    let (low, high) = values.fold((f64::MAX, 0.0_f64), |(a, b), x| (a.min(x), b.max(x)));
    if high < 10.0 * low { Spacing::Linear } else { Spacing::Log }
}

/// The head of a legend of the largest species.
pub fn largest(shown: usize, all: usize) -> String {
    if shown < all { format!("the {shown} largest") } else { "species".to_owned() }
}

/// A mole fraction that is not shown beside major ones.
const SMALL: f64 = 1e-5;

/// The axis of the time up to `end` [s], and how many of its units are a second.
pub fn time(end: f64) -> (Axis, f64) {
    let (scale, unit) = match end {
        end if end < 1e-3 => (1e6, "\u{b5}s"),
        end if end < 1.0 => (1e3, "ms"),
        _ => (1.0, "s"),
    };
    (Axis { label: format!("time ({unit})"), spacing: Spacing::Linear, low: Some(0.0) }, scale)
}

/// One curve.
#[derive(Debug, Clone)]
pub struct Series {
    /// Its name in the legend; it has none there if it needs none.
    pub name: String,
    /// Points in their order. One that cannot be shown, as NaN, parts the line; one alone gets a mark.
    pub points: Vec<(f64, f64)>,
}

/// A chart.
#[derive(Debug, Clone)]
pub struct Chart {
    /// What it shows, of what, above the curves.
    pub title: String,
    /// Below it, smaller: by what mechanism and equations.
    pub subtitle: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// Head of the legend.
    pub legend: String,
    /// The curves.
    pub series: Vec<Series>,
    /// Their points are what was computed, and are marked.
    pub dots: bool,
}

/// An axis laid out: its range, in values or their logarithms, its place in the picture and its ticks.
pub struct Scale {
    spacing: Spacing,
    range: (f64, f64),
    place: (f64, f64),
    /// Value, or its logarithm, and label; none between those that have one.
    pub ticks: Vec<(f64, String)>,
}

impl Scale {
    /// For `values`, between the ends `place` in the picture, with at most `most` ticks.
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
        // A constant lies in the middle; what differs from one by rounding is one.
        let middle = 0.5 * (low + high);
        if axis.spacing == Spacing::Linear && high - low <= CONSTANT * middle.abs().max(f64::MIN_POSITIVE) {
            let room = if middle == 0.0 { 1.0 } else { 0.01 * middle.abs() };
            (low, high) = (middle - room, middle + room);
        }
        // A limit that is a tick to rounding is one.
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
                    // As above, a constant lies in the middle.
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

    /// Where a value lies; nothing for one that the axis cannot show.
    fn at(&self, v: f64) -> Option<f64> {
        match self.spacing {
            _ if v.is_nan() || v.abs() >= BEYOND => None,
            Spacing::Linear => Some(self.along(v)),
            Spacing::Log => (v > 0.0).then(|| self.along(v.log10())),
        }
    }

    /// Where a value, or on a logarithmic axis its logarithm, lies.
    pub fn along(&self, v: f64) -> f64 {
        let part = (v - self.range.0) / (self.range.1 - self.range.0);
        self.place.0 + part * (self.place.1 - self.place.0)
    }
}

/// The range and the ticks of a logarithmic axis over few decades: it begins and ends anywhere among 1, 2 .. 9 times a
/// power of ten, and 1, 2 and 5 have labels. Where even these are too far apart, ticks are even.
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
    // Below and above, as digit and power.
    let power = |v: f64, slack: f64| (v.log10() + slack).floor() as i32;
    let digit = |v: f64, e: i32| v / 10f64.powi(e);
    let (e0, e1) = (power(low, slack), power(high, slack));
    let first = 9 * e0 + (digit(low, e0) + slack).floor().max(1.0) as i32 - 1;
    let last = 9 * e1 + (digit(high, e1) - slack).ceil().max(1.0) as i32 - 1;
    let at = |tick: i32| (tick.rem_euclid(9) + 1, tick.div_euclid(9));
    let place = |tick: i32| f64::from(at(tick).0).log10() + f64::from(at(tick).1);
    // Numbers of few digits are written as such.
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

/// A step of 1, 2 or 5 times a power of ten that makes at most `most` steps.
fn nice_step(span: f64, most: usize) -> f64 {
    let least = (span / most as f64).max(f64::MIN_POSITIVE * 1e20);
    let power = 10f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * power).find(|s| *s >= least * 0.999_999).unwrap_or(least)
}

/// A tick: as many digits as the step needs, with a power of ten where these were many.
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

/// Lines without a label are fainter.
fn grid(label: &str) -> &'static str {
    if label.is_empty() { "#f3f3f3" } else { "#e4e4e4" }
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

impl Chart {
    /// The picture as SVG. The legend has a margin of its own, where no curve can run.
    pub fn svg(&self) -> String {
        self.svg_with(&[])
    }

    /// The same, with single points over the curves.
    pub fn svg_with(&self, marks: &[Series]) -> String {
        let all = || self.series.iter().chain(marks);
        let named = self.series.iter().filter(|s| !s.name.is_empty()).count();
        let head = if named > 0 { self.legend.as_str() } else { "" };
        // Sets that have names need a word on what they are.
        let measured = marks.iter().any(|s| s.name != MEASURED).then_some(MEASURED);
        let words = all().map(|s| s.name.as_str()).chain([head]).chain(measured);
        let right = match words.map(|w| w.chars().count()).max() {
            None | Some(0) => MARGIN,
            Some(longest) => 70.0 + 8.2 * longest as f64,
        };
        // The title stands over the axis, whose place its numbers decide; it wraps as if these were wide.
        let lines = picture::title(&self.title, 0.0, WIDTH - LEFT - 20.0).1;
        let below = if self.subtitle.is_empty() { 0.0 } else { SUBTITLE };
        let (x1, y0, y1) = (WIDTH - right, HEIGHT - BOTTOM, TOP + picture::LINE * (lines - 1) as f64 + below);
        let xs = all().flat_map(|s| s.points.iter().map(|p| p.0));
        let ys = all().flat_map(|s| s.points.iter().map(|p| p.1));
        let y = Scale::new(&self.y, ys, (y0, y1), 7);
        let widest = y.ticks.iter().map(|(_, label)| label.chars().count()).max().unwrap_or(0);
        let x0 = LEFT.max(LABEL + CHARACTER * widest as f64);
        let x = Scale::new(&self.x, xs, (x0, x1), 8);

        let mut s = picture::open(WIDTH, HEIGHT);
        // Writing into a String cannot fail.
        let mut line = |text: std::fmt::Arguments<'_>| {
            let _ = s.write_fmt(text);
        };
        line(format_args!(
            "<clipPath id=\"area\"><rect x=\"{x0}\" y=\"{y1}\" width=\"{}\" height=\"{}\"/></clipPath>\n{}",
            x1 - x0,
            y0 - y1,
            picture::title(&self.title, x0, WIDTH - LEFT - 20.0).0
        ));
        if !self.subtitle.is_empty() {
            let (y, text) = (y1 - 15.0, escape(&self.subtitle));
            line(format_args!("<text x=\"{x0}\" y=\"{y}\" font-size=\"13\" fill=\"#767676\">{text}</text>\n"));
        }
        for (v, label) in &x.ticks {
            let at = x.along(*v);
            line(format_args!(
                "<path d=\"M{at:.1} {y0}V{y1}\" stroke=\"{}\"/>\
                 <text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{label}</text>\n",
                grid(label),
                y0 + 21.0
            ));
        }
        for (v, label) in &y.ticks {
            let at = y.along(*v);
            line(format_args!(
                "<path d=\"M{x0} {at:.1}H{x1}\" stroke=\"{}\"/>\
                 <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>\n",
                grid(label),
                x0 - 9.0,
                at + 5.0
            ));
        }
        line(format_args!(
            "<path d=\"M{x0} {y1}V{y0}H{x1}\" fill=\"none\" stroke=\"#444444\"/>\n\
             <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n\
             <text transform=\"translate(24 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
            (x0 + x1) / 2.0,
            HEIGHT - 16.0,
            escape(&self.x.label),
            (y0 + y1) / 2.0,
            escape(&self.y.label),
        ));
        // Long legends are set closer, so that they end above the edge.
        let entries =
            (usize::from(!head.is_empty()) + named + usize::from(measured.is_some()) + marks.len()).max(2) - 1;
        // A mark is drawn whole or not at all, where a line is cut off.
        let inside = |(px, py): &&(f64, f64)| (x0 - 0.5..x1 + 0.5).contains(px) && (y1 - 0.5..y0 + 0.5).contains(py);
        let step = ((HEIGHT - 16.0 - (y1 + 12.0)) / entries as f64).min(24.0);
        let mut row = 0;
        let mut next = || {
            row += 1;
            (x1 + 18.0, y1 + 12.0 + step * f64::from(row - 1))
        };
        if !head.is_empty() {
            let (lx, ly) = next();
            line(format_args!("<text x=\"{lx}\" y=\"{ly}\">{}</text>\n", escape(head)));
        }
        for (series, (color, dash)) in self.series.iter().zip(styles(&self.series)) {
            let stroke = format!("stroke=\"{color}\" stroke-width=\"2.2\" stroke-dasharray=\"{dash}\" fill=\"none\"");
            let stroke = stroke.replace(" stroke-dasharray=\"\"", "");
            let (mut path, mut dots) = (String::new(), String::new());
            let places: Vec<Option<(f64, f64)>> =
                series.points.iter().map(|&(px, py)| Some((x.at(px)?, y.at(py)?))).collect();
            for line in places.split(Option::is_none) {
                for (i, (px, py)) in line.iter().flatten().enumerate() {
                    let _ = write!(path, "{}{px:.2} {py:.2}", if i == 0 { 'M' } else { 'L' });
                }
                let radius = if line.len() == 1 { 4.5 } else { 3.2 };
                let marked = line.len() == 1 || self.dots && places.len() <= DOTTED;
                for (px, py) in line.iter().flatten().filter(|at| marked && inside(at)) {
                    let _ = write!(dots, "<circle cx=\"{px:.2}\" cy=\"{py:.2}\" r=\"{radius}\" fill=\"{color}\"/>");
                }
            }
            line(format_args!(
                "<path clip-path=\"url(#area)\" d=\"{path}\" {stroke} stroke-linejoin=\"round\"/>{dots}\n"
            ));
            if series.name.is_empty() {
                continue;
            }
            let (lx, ly) = next();
            line(format_args!(
                "<path d=\"M{lx} {}h32\" {stroke}/><text x=\"{}\" y=\"{ly}\">{}</text>\n",
                ly - 5.0,
                lx + 40.0,
                escape(&series.name)
            ));
        }
        if let Some(head) = measured {
            let (lx, ly) = next();
            line(format_args!("<text x=\"{lx}\" y=\"{ly}\">{head}</text>\n"));
        }
        for (series, mark) in marks.iter().zip(MARKS.iter().cycle()) {
            let style = "fill=\"#ffffff\" fill-opacity=\"0.7\" stroke=\"#000000\" stroke-width=\"1.6\"";
            for (px, py) in series.points.iter().filter_map(|&(px, py)| Some((x.at(px)?, y.at(py)?))) {
                line(format_args!("<path transform=\"translate({px:.2} {py:.2})\" d=\"{mark}\" {style}/>\n"));
            }
            let (lx, ly) = next();
            line(format_args!(
                "<path transform=\"translate({} {})\" d=\"{mark}\" {style}/><text x=\"{}\" y=\"{ly}\">{}</text>\n",
                lx + 16.0,
                ly - 5.0,
                lx + 40.0,
                escape(&series.name)
            ));
        }
        picture::close(s)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::png;

    #[test]
    fn steps_are_nice() {
        for (span, most, step) in [(10.0, 5, 2.0), (1.0, 8, 0.2), (2700.0, 7, 500.0), (3e-3, 8, 5e-4)] {
            assert!((nice_step(span, most) / step - 1.0).abs() < 1e-12, "{span} {most}");
        }
        assert_eq!(superscript(-12), "\u{207b}\u{b9}\u{b2}");
    }

    #[test]
    fn series_can_be_told_apart() {
        let all: std::collections::BTreeSet<_> = (0..MOST).map(style).collect();
        assert_eq!(all.len(), MOST);
        // Of two swept quantities, one has the colours and the other the dashes.
        let named = |name: &str| Series { name: name.into(), points: Vec::new() };
        let looks = styles(&["1, a", "2, a", "1, b", "2, b"].map(named));
        assert!(looks[0].0 == looks[2].0 && looks[1].0 == looks[3].0 && looks[0].0 != looks[1].0, "{looks:?}");
        assert!(looks[0].1 == looks[1].1 && looks[2].1 == looks[3].1 && looks[0].1 != looks[2].1, "{looks:?}");
        assert_eq!(styles(&["H2", "1, a"].map(named)), [style(0), style(1)]);
    }

    #[test]
    fn a_constant_lies_in_the_middle_and_a_point_has_a_mark() {
        let axis = |spacing| Axis { label: String::new(), spacing, low: None };
        for value in [1500.0, 0.0, 0.25, -3e-9, 2e15] {
            for values in [vec![value], vec![value, value, value * (1.0 + 1e-12)]] {
                let s = Scale::new(&axis(Spacing::Linear), values.into_iter(), (0.0, 100.0), 7);
                let (first, last) = (s.ticks.first().expect("ticks"), s.ticks.last().expect("ticks"));
                assert!((s.along(value) - 50.0).abs() < 15.0, "{value}: {}", s.along(value));
                assert!(first.1.len() < 10 && first.0 < value && value < last.0, "{:?}", s.ticks);
            }
        }
        let log = Scale::new(&axis(Spacing::Log), [1e-3].into_iter(), (0.0, 100.0), 8);
        assert_eq!(log.at(1e-3), Some(50.0));
        let big = Scale::new(&axis(Spacing::Linear), [0.0, 3e12].into_iter(), (0.0, 100.0), 7);
        assert_eq!(big.ticks[1].1, "0.5e12");
        let series = |points| Chart {
            title: String::new(),
            subtitle: String::new(),
            x: axis(Spacing::Linear),
            y: axis(Spacing::Linear),
            legend: String::new(),
            series: vec![Series { name: "s".into(), points }],
            dots: false,
        };
        let gap = (f64::NAN, 0.0);
        let svg = series(vec![(1.0, 300.0), gap, (2.0, 300.0), (3.0, 300.0)]).svg();
        assert!(!svg.contains("NaN") && svg.matches("<circle").count() == 1, "{svg}");
        // No mark stands below the axis, where the line is cut off; one on it does.
        let mut below = series(vec![(1.0, 1e-9), (2.0, 1e-5), (3.0, 1e-2)]);
        below.y = mole_fractions(&below.series);
        below.dots = true;
        assert_eq!(below.svg().matches("<circle").count(), 2, "{}", below.svg());
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

    #[test]
    fn a_long_title_has_several_lines() {
        let axis = || Axis { label: String::new(), spacing: Spacing::Linear, low: None };
        let title = format!("{}1500 K, 1 atm", "0.1 CH4 + ".repeat(30));
        let series = vec![Series { name: String::new(), points: vec![(0.0, 1.0), (1.0, 2.0)] }];
        let (subtitle, legend) = ("gri30".into(), "legend".into());
        let svg = Chart { title, subtitle, x: axis(), y: axis(), legend, series, dots: false }.svg();
        let lines: Vec<&str> = svg.lines().filter(|l| l.contains("font-size=\"17\"")).collect();
        assert!(lines.len() > 2 && lines.last().is_some_and(|l| l.contains("1500 K, 1 atm<")), "{svg}");
        // A legend of one curve without a name is none.
        assert!(svg.contains(">gri30<") && !svg.contains(">legend<"), "{svg}");
    }

    #[test]
    fn major_species_need_no_more_of_an_axis_than_they_fill() {
        let of = |values: [f64; 2]| vec![Series { name: "s".into(), points: values.map(|v| (1.0, v)).to_vec() }];
        assert_eq!(mole_fractions(&of([0.1, 0.3])).spacing, Spacing::Linear);
        let axis = mole_fractions(&of([0.002, 0.3]));
        let scale = Scale::new(&axis, [0.002, 0.3].into_iter(), (0.0, 100.0), 7);
        assert!(axis.spacing == Spacing::Log && scale.along(0.002_f64.log10()) < 1.0, "{:?}", scale.ticks);
        assert_eq!([time(1e-4).0.label, time(0.5).0.label, time(2.0).0.label].map(|l| l.len()), [10, 9, 8]);
    }

    #[test]
    fn any_data_make_a_picture() {
        let axis = |spacing| Axis { label: "a < b & c".into(), spacing, low: None };
        for points in [
            vec![],
            vec![(1.0, 1.0)],
            vec![(0.0, 0.0), (1.0, f64::NAN)],
            vec![(1e-300, 1e300), (2.0, -1.0)],
            vec![(-f64::MAX, 1.0), (f64::MAX, 1.0)],
        ] {
            for spacing in [Spacing::Linear, Spacing::Log] {
                let series = vec![Series { name: "s".into(), points: points.clone() }];
                let (x, y) = (axis(spacing), axis(spacing));
                let (title, subtitle, legend) = ("t".into(), "u".into(), "l".into());
                let chart = Chart { title, subtitle, x, y, legend, series, dots: true };
                let svg = chart.svg();
                assert!(!svg.contains("NaN") && !svg.contains("width=\"-"), "{svg}");
                assert!(png(&svg).is_some(), "{points:?} {spacing:?}");
            }
        }
    }
}
