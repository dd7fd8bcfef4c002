//! Pictures as files: drawn as SVG; PNG files are rasterised from the same SVG.

pub mod bars;
pub mod chart;
pub mod flow;
pub mod layers;
mod letters;
pub mod scale;

pub use letters::width;

use crate::error::Error;
use crate::files::output::Outputs;
use letters::SIZE;
use resvg::{tiny_skia, usvg};
use std::io;
use std::path::{Path, PathBuf};

/// Pixels of the PNG per unit of the SVG.
const SCALE: f32 = 2.0;
/// Most pixels of a PNG: they are all in memory.
const MOST_PIXELS: f32 = 1e8;

/// The beginning of a picture: its size, its font, a white background.
pub fn open(width: f64, height: f64) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"DejaVu Sans, Verdana, sans-serif\" font-size=\"{SIZE}\" fill=\"#222222\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    )
}

/// The end of a picture.
pub fn close(mut svg: String) -> String {
    svg.push_str("</svg>\n");
    svg
}

/// Text with the characters escaped that have a meaning in SVG, and blanks in the place of those that it may not have.
pub fn escape(text: &str) -> String {
    let text = text.replace(|c: char| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}'), " ");
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Font size of titles.
const TITLE: f64 = 17.0;
/// Distance of their lines.
pub const LINE: f64 = 22.0;

/// A title that starts at `x`, with its first line at the height 30, wrapped to the width `room`; also the
/// number of its lines.
pub fn title(text: &str, x: f64, room: f64) -> (String, usize) {
    // A value is kept with its unit, a species with its amount.
    let mut pieces = vec![String::new()];
    for word in text.split_inclusive(' ') {
        pieces.last_mut().into_iter().for_each(|piece| piece.push_str(word));
        if [", ", "+ ", ": ", "and "].iter().any(|end| word.ends_with(end)) {
            pieces.push(String::new());
        }
    }
    let mut lines: Vec<String> = Vec::new();
    for piece in pieces {
        match lines.last_mut() {
            Some(line) if width(&format!("{line}{}", piece.trim_end())) * TITLE / SIZE <= room => line.push_str(&piece),
            _ => lines.push(piece),
        }
    }
    let line = |(i, text): (usize, &String)| {
        format!(
            "<text x=\"{x}\" y=\"{}\" font-size=\"{TITLE}\">{}</text>\n",
            30.0 + LINE * i as f64,
            escape(text.trim_end())
        )
    };
    (lines.iter().enumerate().map(line).collect(), lines.len())
}

/// Parses the name of a picture on the command line.
pub fn name(name: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(name);
    match kind(&path).as_str() {
        "svg" | "png" => Ok(path),
        _ => Err("a picture is SVG or PNG; give a name that ends in .svg or .png".into()),
    }
}

/// Parses the name of a graph on the command line: a picture, or text for Graphviz.
pub fn graph_name(text: &str) -> Result<PathBuf, String> {
    if is_dot(Path::new(text)) {
        return Ok(PathBuf::from(text));
    }
    name(text).map_err(|_| "a graph is SVG, PNG or DOT; give a name that ends in .svg, .png or .dot".into())
}

/// Whether a graph is to be written for Graphviz.
pub fn is_dot(path: &Path) -> bool {
    matches!(kind(path).as_str(), "dot" | "gv")
}

fn kind(path: &Path) -> String {
    path.extension().map_or_else(String::new, |e| e.to_string_lossy().to_lowercase())
}

/// Writes a picture, as PNG if its name says so.
pub fn write(outputs: &mut Outputs, path: &Path, svg: &str) -> Result<(), Error> {
    if kind(path) != "png" {
        return outputs.text(path, svg);
    }
    let bytes = png(svg).ok_or_else(|| Error::Write {
        path: path.to_owned(),
        fault: io::Error::other("the picture cannot be rasterised; write it as .svg"),
    })?;
    outputs.bytes(path, &bytes)
}

/// An SVG as PNG. `None` if it is too large, or malformed.
pub fn png(svg: &str) -> Option<Vec<u8>> {
    let tree = usvg::Tree::from_str(&letters::outlined(svg)?, &usvg::Options::default()).ok()?;
    let [width, height] = [tree.size().width(), tree.size().height()].map(|side| (side * SCALE).ceil());
    if width * height > MOST_PIXELS {
        return None;
    }
    let mut pixels = tiny_skia::Pixmap::new(width as u32, height as u32)?;
    resvg::render(&tree, tiny_skia::Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    pixels.encode_png().ok()
}
