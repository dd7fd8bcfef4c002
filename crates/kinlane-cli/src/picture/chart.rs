//! Line charts.

use crate::picture::scale::Scale;
use crate::picture::{self, escape};
use std::borrow::Cow;
use std::fmt::Write;

/// Colours that are distinguishable with any colour vision (Okabe and Ito), each with a dash pattern.
const STYLES: [(&str, &str); 7] = [
    ("#0072B2", ""),
    ("#D55E00", "9 4"),
    ("#009E73", "3 3"),
    ("#CC79A7", "11 3 3 3"),
    ("#000000", "1.5 4"),
    ("#E69F00", "18 5"),
    ("#56B4E9", "6 6"),
];
/// Colour and dashes of a series. When the colours repeat, the dashes are different.
fn style(i: usize) -> (&'static str, &'static str) {
    let n = STYLES.len();
    (STYLES[i % n].0, STYLES[(i + i / n) % n].1)
}

/// Number of curves that can be distinguished.
pub const MOST: usize = STYLES.len() * STYLES.len();

/// Colours and dashes of all series. If every name has two parts, as `phi = 1, 10 atm`, one determines the
/// colour, the other the dashes.
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

/// Each part once, in the order of first occurrence.
fn distinct<'s>(parts: impl Iterator<Item = &'s str>) -> Vec<&'s str> {
    let mut known = Vec::new();
    for part in parts {
        if !known.contains(&part) {
            known.push(part);
        }
    }
    known
}

/// Marks of single points, around their place: a circle, a square, a triangle, a diamond.
const MARKS: [&str; 4] = [
    "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z",
    "M-4.5 -4.5h9v9h-9z",
    "M0 -5.8L5.2 3.6H-5.2z",
    "M0 -6.2L6.2 0L0 6.2L-6.2 0z",
];
/// Width of a picture whose names leave enough for the curves, which have so much at least.
const WIDTH: f64 = 960.0;
const CURVES: f64 = 400.0;
const HEIGHT: f64 = 540.0;
/// Space left of the axis: for its label, and per character of the longest number.
const LABEL: f64 = 50.0;
const CHARACTER: f64 = 8.8;
const LEFT: f64 = 92.0;
const TOP: f64 = 52.0;
const BOTTOM: f64 = 64.0;
/// Font size of the text below the title; and the margin at the right of a picture without a legend.
const SUBTITLE: f64 = 14.0;
const MARGIN: f64 = 40.0;
/// Space above and below a legend together, and the least distance of its lines.
const LEGEND: f64 = 28.0;
const NARROWEST: f64 = 17.0;
/// Most characters of a name in a legend, which make a picture of four times the usual width.
const LONGEST: usize = 400;
/// Name of measured points.
pub const MEASURED: &str = "measured";
/// Lines with more points than this have no marks.
const DOTTED: usize = 60;

/// Spacing of values along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spacing {
    /// Evenly.
    Linear,
    /// Logarithmic; values that are not positive are left out.
    Log,
}

/// An axis: its quantity with unit, and its range.
#[derive(Debug, Clone)]
pub struct Axis {
    /// Quantity and unit.
    pub label: String,
    /// Linear or logarithmic.
    pub spacing: Spacing,
    /// Least value of the lower end.
    pub low: Option<f64>,
}

/// The axis of temperatures.
pub fn temperatures() -> Axis {
    Axis { label: "temperature (K)".into(), spacing: Spacing::Linear, low: None }
}

/// The axis of mole fractions of major species; small ones are shown as well.
pub fn mole_fractions(series: &[Series]) -> Axis {
    let seen = series.iter().flat_map(|s| s.points.iter().map(|p| p.1)).filter(|x| *x >= SMALL);
    Axis { label: "mole fraction".into(), spacing: spacing(seen), low: Some(SMALL) }
}

/// Ratio of mole fractions from which their axis is logarithmic; and the factor by which it then extends
/// below the smaller ones.
const APART: f64 = 1e3;
const UNDER: f64 = 100.0;

/// The axis of mole fractions of species that were asked for: logarithmic if the largest ones differ so much
/// that some would coincide with the axis.
pub fn shown_fractions(series: &[Series]) -> Axis {
    let largest = |s: &Series| s.points.iter().map(|p| p.1).fold(0.0, f64::max);
    let peaks = series.iter().map(largest).filter(|x| *x > 0.0);
    let (low, high) = peaks.fold((f64::MAX, 0.0_f64), |(a, b), x| (a.min(x), b.max(x)));
    let (spacing, low) = if high > APART * low { (Spacing::Log, Some(low / UNDER)) } else { (Spacing::Linear, None) };
    Axis { label: "mole fraction".into(), spacing, low }
}

/// The spacing for positive values: logarithmic if they span a decade.
pub fn spacing(values: impl Iterator<Item = f64>) -> Spacing {
    let (low, high) = values.fold((f64::MAX, 0.0_f64), |(a, b), x| (a.min(x), b.max(x)));
    if high < 10.0 * low { Spacing::Linear } else { Spacing::Log }
}

/// The head of a legend that lists the largest species.
pub fn largest(shown: usize, all: usize) -> String {
    if shown < all { format!("the {shown} largest") } else { "species".to_owned() }
}

/// Smaller mole fractions are not shown beside those of major species.
const SMALL: f64 = 1e-5;

/// The axis of time up to `end` \[s\], and the number of its units per second.
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
    /// Its name in the legend; empty if it needs none.
    pub name: String,
    /// Points in their order. A point that cannot be shown, such as NaN, interrupts the line; a single point
    /// gets a mark.
    pub points: Vec<(f64, f64)>,
}

/// Adds a point to the curve of a name, which is the last if it is new.
pub fn add(series: &mut Vec<Series>, name: &str, point: (f64, f64)) {
    match series.iter_mut().find(|s| s.name == name) {
        Some(known) => known.points.push(point),
        None => series.push(Series { name: name.to_owned(), points: vec![point] }),
    }
}

/// A chart.
#[derive(Debug, Clone)]
pub struct Chart {
    /// Title above the curves.
    pub title: String,
    /// Smaller text below the title: mechanism and kind of reactor.
    pub subtitle: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// Head of the legend.
    pub legend: String,
    /// The curves.
    pub series: Vec<Series>,
    /// Whether points are marked, since they were computed and not interpolated.
    pub dots: bool,
}

/// A name as a legend has room for it.
fn shortened(name: &str) -> Cow<'_, str> {
    if name.chars().count() <= LONGEST {
        return name.into();
    }
    name.chars().take(LONGEST - 1).chain(['\u{2026}']).collect::<String>().into()
}

/// Lines without a label are fainter.
fn grid(label: &str) -> &'static str {
    if label.is_empty() { "#f3f3f3" } else { "#e4e4e4" }
}

impl Chart {
    /// The picture as SVG. The legend has a margin of its own, outside the area of curves.
    pub fn svg(&self) -> String {
        self.svg_with(&[])
    }

    /// The same, with single points over the curves.
    pub fn svg_with(&self, marks: &[Series]) -> String {
        let named = self.series.iter().filter(|s| !s.name.is_empty()).count();
        let head = (named > 0 && !self.legend.is_empty()).then_some(self.legend.as_str());
        // Sets with names need a common heading.
        let measured = marks.iter().any(|s| s.name != MEASURED).then_some(MEASURED);
        let heads = head.into_iter().chain(measured);
        let words = self.series.iter().chain(marks).map(|s| s.name.as_str()).chain(heads.clone());
        let right = match words.map(|w| w.chars().count()).max() {
            None | Some(0) => MARGIN,
            Some(longest) => 70.0 + 8.2 * longest.min(LONGEST) as f64,
        };
        let entries = heads.count() + named + marks.len();
        let frame = Frame::new(self, marks, right, entries);
        let mut legend = Legend::new(&frame, entries);

        let mut svg = picture::open(frame.width, frame.height);
        frame.axes(&mut svg);
        head.into_iter().for_each(|head| legend.head(&mut svg, head));
        for (series, (color, dash)) in self.series.iter().zip(styles(&self.series)) {
            let stroke = format!("stroke=\"{color}\" stroke-width=\"2.2\" stroke-dasharray=\"{dash}\" fill=\"none\"");
            let stroke = stroke.replace(" stroke-dasharray=\"\"", "");
            frame.curve(&mut svg, series, &stroke, color);
            if !series.name.is_empty() {
                legend.curve(&mut svg, &series.name, &stroke);
            }
        }
        measured.into_iter().for_each(|head| legend.head(&mut svg, head));
        for (series, mark) in marks.iter().zip(MARKS.iter().cycle()) {
            frame.marks(&mut svg, series, mark);
            legend.mark(&mut svg, &series.name, mark);
        }
        picture::close(svg)
    }
}

/// How a single point is drawn.
const MARKED: &str = "fill=\"#ffffff\" fill-opacity=\"0.7\" stroke=\"#000000\" stroke-width=\"1.6\"";

/// The area of the curves, and the axes around it.
struct Frame<'a> {
    chart: &'a Chart,
    x: Scale,
    y: Scale,
    /// Left and right.
    across: (f64, f64),
    /// Bottom and top.
    up: (f64, f64),
    /// Width and height of the picture.
    width: f64,
    height: f64,
}

impl<'a> Frame<'a> {
    /// The frame with so much space at its right, wide enough for curves beside it, and high enough for a legend of so many
    /// entries.
    fn new(chart: &'a Chart, marks: &[Series], right: f64, entries: usize) -> Self {
        let points = || chart.series.iter().chain(marks).flat_map(|s| &s.points);
        // The title is above the axis, whose place depends on its numbers; it wraps as if these had full
        // width.
        let lines = picture::title(&chart.title, 0.0, WIDTH - LEFT - 20.0).1;
        let below = if chart.subtitle.is_empty() { 0.0 } else { SUBTITLE };
        let top = TOP + picture::LINE * (lines - 1) as f64 + below;
        let height = HEIGHT.max(top + LEGEND + NARROWEST * entries.saturating_sub(1) as f64);
        let up = (height - BOTTOM, top);
        let y = Scale::new(&chart.y, points().map(|p| p.1), up, 7);
        let widest = y.ticks.iter().map(|(_, label)| label.chars().count()).max().unwrap_or(0);
        let left = LEFT.max(LABEL + CHARACTER * widest as f64);
        let width = WIDTH.max((left + CURVES + right).ceil());
        let across = (left, width - right);
        let x = Scale::new(&chart.x, points().map(|p| p.0), across, 8);
        Self { chart, x, y, across, up, width, height }
    }

    /// Title, ticks and labels.
    fn axes(&self, svg: &mut String) {
        let Self { chart, across: (x0, x1), up: (y0, y1), .. } = self;
        // Writing into a String cannot fail.
        let _ = write!(
            svg,
            "<clipPath id=\"area\"><rect x=\"{x0}\" y=\"{y1}\" width=\"{}\" height=\"{}\"/></clipPath>\n{}",
            x1 - x0,
            y0 - y1,
            picture::title(&chart.title, *x0, WIDTH - LEFT - 20.0).0
        );
        if !chart.subtitle.is_empty() {
            let (y, text) = (y1 - 15.0, escape(&chart.subtitle));
            let _ = writeln!(svg, "<text x=\"{x0}\" y=\"{y}\" font-size=\"13\" fill=\"#767676\">{text}</text>");
        }
        for (v, label) in &self.x.ticks {
            let (at, grid, below) = (self.x.along(*v), grid(label), y0 + 21.0);
            let _ = writeln!(
                svg,
                "<path d=\"M{at:.1} {y0}V{y1}\" stroke=\"{grid}\"/>\
                 <text x=\"{at:.1}\" y=\"{below}\" text-anchor=\"middle\">{label}</text>"
            );
        }
        for (v, label) in &self.y.ticks {
            let (at, grid, left) = (self.y.along(*v), grid(label), x0 - 9.0);
            let _ = writeln!(
                svg,
                "<path d=\"M{x0} {at:.1}H{x1}\" stroke=\"{grid}\"/>\
                 <text x=\"{left}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
                at + 5.0
            );
        }
        let _ = writeln!(
            svg,
            "<path d=\"M{x0} {y1}V{y0}H{x1}\" fill=\"none\" stroke=\"#444444\"/>\n\
             <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n\
             <text transform=\"translate(24 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            (x0 + x1) / 2.0,
            self.height - 16.0,
            escape(&chart.x.label),
            (y0 + y1) / 2.0,
            escape(&chart.y.label),
        );
    }

    /// The place of a point; `None` if the axes cannot show it.
    fn at(&self, point: (f64, f64)) -> Option<(f64, f64)> {
        Some((self.x.at(point.0)?, self.y.at(point.1)?))
    }

    /// A curve, cut off at the edges of the area, with marks.
    fn curve(&self, svg: &mut String, series: &Series, stroke: &str, color: &str) {
        let ((x0, x1), (y0, y1)) = (self.across, self.up);
        // A mark is drawn completely or not at all; a line is cut off.
        let inside = |(px, py): &&(f64, f64)| (x0 - 0.5..x1 + 0.5).contains(px) && (y1 - 0.5..y0 + 0.5).contains(py);
        let (mut path, mut dots) = (String::new(), String::new());
        let places: Vec<Option<(f64, f64)>> = series.points.iter().map(|&p| self.at(p)).collect();
        for line in places.split(Option::is_none) {
            for (i, (px, py)) in line.iter().flatten().enumerate() {
                let _ = write!(path, "{}{px:.2} {py:.2}", if i == 0 { 'M' } else { 'L' });
            }
            let radius = if line.len() == 1 { 4.5 } else { 3.2 };
            let marked = line.len() == 1 || self.chart.dots && places.len() <= DOTTED;
            for (px, py) in line.iter().flatten().filter(|at| marked && inside(at)) {
                let _ = write!(dots, "<circle cx=\"{px:.2}\" cy=\"{py:.2}\" r=\"{radius}\" fill=\"{color}\"/>");
            }
        }
        let _ = writeln!(svg, "<path clip-path=\"url(#area)\" d=\"{path}\" {stroke} stroke-linejoin=\"round\"/>{dots}");
    }

    /// Single points.
    fn marks(&self, svg: &mut String, series: &Series, mark: &str) {
        for (px, py) in series.points.iter().filter_map(|&p| self.at(p)) {
            let _ = writeln!(svg, "<path transform=\"translate({px:.2} {py:.2})\" d=\"{mark}\" {MARKED}/>");
        }
    }
}

/// The names at the right of the curves, one below the other.
struct Legend {
    x: f64,
    top: f64,
    step: f64,
    /// Number of entries.
    rows: usize,
}

impl Legend {
    /// Long legends have narrower lines, so that they fit.
    fn new(frame: &Frame<'_>, entries: usize) -> Self {
        let room = frame.height - LEGEND - frame.up.1;
        let (top, step) = (frame.up.1 + 12.0, (room / (entries.max(2) - 1) as f64).min(24.0));
        Self { x: frame.across.1 + 18.0, top, step, rows: 0 }
    }

    /// Height of the next entry.
    fn y(&self) -> f64 {
        self.top + self.step * self.rows as f64
    }

    /// A heading for the following entries.
    fn head(&mut self, svg: &mut String, head: &str) {
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{}\">{}</text>", self.x, self.y(), escape(head));
        self.rows += 1;
    }

    fn curve(&mut self, svg: &mut String, name: &str, stroke: &str) {
        let _ = write!(svg, "<path d=\"M{} {}h32\" {stroke}/>", self.x, self.y() - 5.0);
        self.name(svg, name);
    }

    fn mark(&mut self, svg: &mut String, name: &str, mark: &str) {
        let (x, y) = (self.x + 16.0, self.y() - 5.0);
        let _ = write!(svg, "<path transform=\"translate({x} {y})\" d=\"{mark}\" {MARKED}/>");
        self.name(svg, name);
    }

    fn name(&mut self, svg: &mut String, name: &str) {
        let name = escape(&shortened(name));
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{}\">{name}</text>", self.x + 40.0, self.y());
        self.rows += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::png;

    #[test]
    fn series_can_be_told_apart() {
        let all: std::collections::BTreeSet<_> = (0..MOST).map(style).collect();
        assert_eq!(all.len(), MOST);
        // Of two swept quantities, one determines the colour and the other the dashes.
        let named = |name: &str| Series { name: name.into(), points: Vec::new() };
        let looks = styles(&["1, a", "2, a", "1, b", "2, b"].map(named));
        assert!(looks[0].0 == looks[2].0 && looks[1].0 == looks[3].0 && looks[0].0 != looks[1].0, "{looks:?}");
        assert!(looks[0].1 == looks[1].1 && looks[2].1 == looks[3].1 && looks[0].1 != looks[2].1, "{looks:?}");
        assert_eq!(styles(&["H2", "1, a"].map(named)), [style(0), style(1)]);
    }

    /// Lines of a legend do not overlap: the picture of many curves is higher.
    #[test]
    fn a_long_legend_is_readable() {
        let axis = || Axis { label: String::new(), spacing: Spacing::Linear, low: None };
        for (count, high) in [(3, HEIGHT), (20, HEIGHT), (MOST, 896.0)] {
            let of = |i: usize| Series { name: format!("s{i}"), points: vec![(0.0, i as f64), (1.0, 2.0)] };
            let (series, text) = ((0..count).map(of).collect(), String::new);
            let (x, y) = (axis(), axis());
            let svg = Chart { title: text(), subtitle: text(), x, y, legend: text(), series, dots: false }.svg();
            let height = |line: &str| line.split(" y=\"").nth(1)?.split('"').next()?.parse::<f64>().ok();
            let rows: Vec<f64> = svg.lines().filter(|l| l.contains(">s")).filter_map(height).collect();
            assert!(rows.len() == count && rows.windows(2).all(|w| w[1] - w[0] > 16.0), "{rows:?}");
            assert!(svg.contains(&format!("height=\"{high}\"")) && rows[count - 1] < high, "{count}: {svg}");
        }
    }

    /// Nor do long names leave no space for the curves.
    #[test]
    fn a_legend_of_long_names_makes_a_wider_picture() {
        let axis = || Axis { label: String::new(), spacing: Spacing::Linear, low: None };
        for (length, wide) in [(2, 960), (40, 960), (97, 1358), (200, 2202), (400, 3842), (30_000, 3842)] {
            let series = vec![Series { name: "s".repeat(length), points: vec![(0.0, 0.0), (1.0, 2.0)] }];
            let (x, y, text) = (axis(), axis(), String::new);
            let chart = Chart { title: text(), subtitle: text(), x, y, legend: text(), series, dots: false };
            let svg = chart.svg();
            let area = svg.split("<clipPath id=\"area\"><rect").nth(1).and_then(|area| area.split(" width=\"").nth(1));
            let area = area.and_then(|area| area.split('"').next()?.parse::<f64>().ok());
            assert!(area.is_some_and(|area| area > CURVES - 1.0), "{length}: {svg}");
            assert!(svg.contains(&format!(" width=\"{wide}\"")), "{length}: {svg}");
            assert_eq!(svg.contains("s\u{2026}</text>"), length > LONGEST, "{svg}");
        }
    }

    /// A PNG has all its pixels in memory.
    #[test]
    fn a_picture_that_is_too_large_is_no_png() {
        for (side, fits) in [(10.0, true), (1e4, false), (1e9, false)] {
            let svg = picture::close(picture::open(side, side));
            assert_eq!(png(&svg).is_some(), fits, "{side}");
        }
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
        // There are no marks below the axis, where the line is cut off; a point on the axis has one.
        let mut below = series(vec![(1.0, 1e-9), (2.0, 1e-5), (3.0, 1e-2)]);
        below.y = mole_fractions(&below.series);
        below.dots = true;
        assert_eq!(below.svg().matches("<circle").count(), 2, "{}", below.svg());
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
        // A single curve without a name has no legend.
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
