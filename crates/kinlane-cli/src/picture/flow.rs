//! A picture of flows between named nodes, with arrows as wide as the flows.

use crate::picture::layers::{Graph, Layout, Point, layout};
use crate::picture::{self, escape};
use std::fmt::Write;

/// A graph of flows.
#[derive(Debug, Clone)]
pub struct Flow {
    /// Title above the picture.
    pub title: String,
    /// A line that explains the arrows.
    pub note: String,
    /// Names of the nodes.
    pub nodes: Vec<String>,
    /// From, to, and the flow relative to the largest; the largest first.
    pub arrows: Vec<(usize, usize, f64)>,
}

const MARGIN: f64 = 28.0;
const TOP: f64 = 104.0;
/// Height of a node.
const HIGH: f64 = 28.0;
/// Widths of the widest and of the thinnest arrow.
const WIDE: f64 = 9.0;
const THIN: f64 = 1.2;
const ARROW: &str = "#0072B2";
const NODE: &str = "#FFF3D6";

impl Flow {
    fn label(part: f64) -> String {
        format!("{:.*} %", usize::from(part < 0.0995), part * 100.0)
    }

    /// The picture as SVG.
    pub fn svg(&self) -> String {
        let width = |name: &String| picture::width(name) + 22.0;
        let graph = Graph {
            nodes: self.nodes.iter().map(width).collect(),
            edges: self.arrows.iter().map(|a| (a.0, a.1, picture::width(&Self::label(a.2)))).collect(),
        };
        let out = layout(&graph);
        let text = picture::width(&self.title).max(picture::width(&self.note)) * 1.2;
        let (wide, left) = (out.size.0.max(text), MARGIN + (text - out.size.0).max(0.0) / 2.0);
        let place = |(x, y): Point| (x + left, y + TOP);

        let mut s = picture::open((wide + 2.0 * MARGIN).ceil(), (out.size.1 + TOP + HIGH / 2.0 + MARGIN).ceil());
        // Writing into a String cannot fail.
        let mut line = |text: std::fmt::Arguments<'_>| {
            let _ = s.write_fmt(text);
        };
        line(format_args!(
            "<text x=\"{MARGIN}\" y=\"32\" font-size=\"17\">{}</text>\n<text x=\"{MARGIN}\" y=\"58\">{}</text>\n",
            escape(&self.title),
            escape(&self.note)
        ));
        let ports = ports(&graph, &out);
        // Thin arrows are drawn on top.
        for ((&(from, to, part), way), &[start, end]) in self.arrows.iter().zip(&out.ways).zip(&ports) {
            let stroke = THIN + (WIDE - THIN) * part;
            let (from, to) = (out.nodes[from], out.nodes[to]);
            let down = if from.1 < to.1 { 1.0 } else { -1.0 };
            let tip = 6.0 + 1.3 * stroke;
            let first = (start, from.1 + down * HIGH / 2.0);
            let last = (end, to.1 - down * (HIGH / 2.0 + tip));
            let points: Vec<Point> = [first].iter().chain(way).chain([&last]).map(|&p| place(p)).collect();
            let at = place(last);
            let half = 3.5 + 0.9 * stroke;
            line(format_args!(
                "<path d=\"{}\" fill=\"none\" stroke=\"{ARROW}\" stroke-width=\"{stroke:.2}\" opacity=\"0.75\"/>\
                 <path d=\"M{:.1} {:.1}l{:.1} {:.1}h{:.1}z\" fill=\"{ARROW}\"/>\n",
                curve(&points),
                at.0,
                at.1 + down * tip,
                -half,
                -down * (tip + 1.0),
                2.0 * half
            ));
        }
        for (&(.., part), &label) in self.arrows.iter().zip(&out.labels) {
            let ((x, y), text) = (place(label), Self::label(part));
            let wide = picture::width(&text);
            line(format_args!(
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{wide:.1}\" height=\"17\" rx=\"4\" fill=\"#ffffff\" opacity=\"0.9\"/>\
                 <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"12\">{text}</text>\n",
                x - wide / 2.0,
                y - 8.5,
                y + 4.5
            ));
        }
        for ((name, &node), &wide) in self.nodes.iter().zip(&out.nodes).zip(&graph.nodes) {
            let (x, y) = place(node);
            line(format_args!(
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{wide:.1}\" height=\"{HIGH}\" rx=\"7\" fill=\"{NODE}\" \
                 stroke=\"#444444\"/><text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n",
                x - wide / 2.0,
                y - HIGH / 2.0,
                y + 5.0,
                escape(name)
            ));
        }
        picture::close(s)
    }

    /// The graph in the language of Graphviz.
    pub fn dot(&self) -> String {
        let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
        let name = |i: usize| quoted(self.nodes.get(i).map_or("", |n| n));
        let mut s = format!("digraph paths {{\n  label={};\n  node [shape=box, style=rounded];\n", quoted(&self.title));
        for &(from, to, part) in &self.arrows {
            let (label, wide) = (Self::label(part), THIN + (WIDE - THIN) * part);
            let _ = writeln!(s, "  {} -> {} [label=\"{label}\", penwidth={wide:.2}];", name(from), name(to));
        }
        s + "}\n"
    }
}

/// A smooth line through points at different heights, vertical at both ends and where it turns back.
fn curve(points: &[Point]) -> String {
    let secant = |i: usize| (points[i + 1].0 - points[i].0) / (points[i + 1].1 - points[i].1);
    let slope = |i: usize| {
        if i == 0 || i + 1 == points.len() {
            return 0.0;
        }
        let (before, after) = (secant(i - 1), secant(i));
        if before * after > 0.0 { 2.0 * before * after / (before + after) } else { 0.0 }
    };
    let mut path = format!("M{:.1} {:.1}", points[0].0, points[0].1);
    for i in 1..points.len() {
        let (a, b) = (points[i - 1], points[i]);
        let third = (b.1 - a.1) / 3.0;
        let (out, into) = (a.0 + slope(i - 1) * third, b.0 - slope(i) * third);
        let _ = write!(path, "C{out:.1} {:.1} {into:.1} {:.1} {:.1} {:.1}", a.1 + third, b.1 - third, b.0, b.1);
    }
    path
}

/// Where every arrow leaves its node and reaches the other: those on one side of a node are side by side, in
/// the order of the places that they connect to.
fn ports(graph: &Graph, out: &Layout) -> Vec<[f64; 2]> {
    let mut sides: Vec<[Vec<(f64, usize, usize)>; 2]> = vec![Default::default(); graph.nodes.len()];
    let mut ports = Vec::new();
    for (i, (&(from, to, _), way)) in graph.edges.iter().zip(&out.ways).enumerate() {
        let down = out.nodes[from].1 < out.nodes[to].1;
        let ends = [(from, to, way.first(), down), (to, from, way.last(), !down)];
        for (end, (node, other, next, below)) in ends.into_iter().enumerate() {
            sides[node][usize::from(below)].push((next.map_or(out.nodes[other].0, |p| p.0), i, end));
        }
        ports.push([out.nodes[from].0, out.nodes[to].0]);
    }
    for (node, side) in sides.iter_mut().enumerate().flat_map(|(i, s)| s.iter_mut().map(move |s| (i, s))) {
        side.sort_by(|a, b| a.0.total_cmp(&b.0));
        let pitch = (graph.nodes[node] * 0.8 / side.len() as f64).min(22.0);
        for (at, &(_, arrow, end)) in side.iter().enumerate() {
            ports[arrow][end] += pitch * (at as f64 - (side.len() - 1) as f64 / 2.0);
        }
    }
    ports
}
