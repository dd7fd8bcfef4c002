//! Bars in order of size, to the left and the right of zero.

use crate::picture::chart::{Axis, Spacing};
use crate::picture::scale::Scale;
use crate::picture::{self, escape};
use std::fmt::Write;

/// Colours that are distinguishable with any colour vision (Okabe and Ito): below zero, above zero.
const COLORS: [&str; 2] = ["#0072B2", "#D55E00"];
/// Thickness of a bar, and distance from one to the next.
const THICK: f64 = 15.0;
const PITCH: f64 = 24.0;
/// Width of the area of bars.
const AREA: f64 = 520.0;
const TOP: f64 = 84.0;
const BOTTOM: f64 = 64.0;
/// Space beside the area, for numbers at the ends of bars.
const NUMBER: f64 = 66.0;
const MARGIN: f64 = 16.0;

/// A picture of ranked bars.
#[derive(Debug, Clone)]
pub struct Bars {
    /// Title above the bars.
    pub title: String,
    /// The quantity that their length shows, with its unit.
    pub label: String,
    /// The meaning of values below zero, and of those above.
    pub meaning: [String; 2],
    /// Name and value, the first at the top.
    pub bars: Vec<(String, f64)>,
}

impl Bars {
    /// The picture as SVG.
    pub fn svg(&self) -> String {
        let widest = self.bars.iter().map(|b| picture::width(&b.0)).fold(0.0, f64::max);
        let x0 = MARGIN + widest + 14.0 + NUMBER;
        let (title, lines) = picture::title(&self.title, MARGIN, x0 + AREA + NUMBER - MARGIN);
        let down = picture::LINE * (lines - 1) as f64;
        let top = TOP + down;
        let y0 = top + PITCH * self.bars.len().max(1) as f64;
        let (width, height) = (x0 + AREA + NUMBER + MARGIN, y0 + BOTTOM);
        let axis = Axis { label: self.label.clone(), spacing: Spacing::Linear, low: None };
        let x = Scale::new(&axis, self.bars.iter().map(|b| b.1).chain([0.0]), (x0, x0 + AREA), 8);
        let zero = x.along(0.0);

        let mut s = picture::open(width, height);
        // Writing into a String cannot fail.
        let mut line = |text: std::fmt::Arguments<'_>| {
            let _ = s.write_fmt(text);
        };
        line(format_args!("{title}"));
        let mut at = MARGIN;
        for (color, meaning) in COLORS.iter().zip(&self.meaning) {
            line(format_args!(
                "<rect x=\"{at:.1}\" y=\"{}\" width=\"{THICK}\" height=\"{THICK}\" fill=\"{color}\"/>\
                 <text x=\"{:.1}\" y=\"{}\">{}</text>\n",
                46.0 + down,
                at + THICK + 8.0,
                58.0 + down,
                escape(meaning)
            ));
            at += THICK + 8.0 + picture::width(meaning) + 28.0;
        }
        for (v, label) in &x.ticks {
            let at = x.along(*v);
            line(format_args!(
                "<path d=\"M{at:.1} {y0}V{top}\" stroke=\"#e4e4e4\"/>\
                 <text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{label}</text>\n",
                y0 + 21.0
            ));
        }
        for (i, (name, value)) in self.bars.iter().enumerate() {
            let (upper, end, above) = (top + PITCH * i as f64 + (PITCH - THICK) / 2.0, x.along(*value), *value > 0.0);
            let middle = upper + THICK - 2.5;
            let (beside, anchor) = if above { (end + 6.0, "start") } else { (end - 6.0, "end") };
            line(format_args!(
                "<text x=\"{}\" y=\"{middle:.1}\" text-anchor=\"end\">{}</text>\
                 <rect x=\"{:.1}\" y=\"{upper:.1}\" width=\"{:.1}\" height=\"{THICK}\" fill=\"{}\"/>\
                 <text x=\"{beside:.1}\" y=\"{middle:.1}\" text-anchor=\"{anchor}\" font-size=\"12\">{value:+.3}</text>\n",
                MARGIN + widest,
                escape(name),
                zero.min(end),
                (end - zero).abs(),
                COLORS[usize::from(above)],
            ));
        }
        line(format_args!(
            "<path d=\"M{zero:.1} {top}V{y0}\" stroke=\"#444444\"/><path d=\"M{x0} {y0}H{}\" stroke=\"#444444\"/>\n\
             <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
            x0 + AREA,
            x0 + AREA / 2.0,
            y0 + 48.0,
            escape(&self.label)
        ));
        picture::close(s)
    }
}
