//! The letters of pictures: how wide a text is, and its outlines where a PNG is drawn. An SVG keeps its texts, which
//! can then be searched and copied.

use resvg::usvg::roxmltree::{Document, Node};
use std::collections::HashMap;
use std::fmt::Write;
use std::sync::LazyLock;

/// Font size of pictures; titles and notes give their own.
pub const SIZE: f64 = 14.0;
/// Units of the outlines to the font size.
const UNITS: f64 = 2048.0;
/// Characters with their outlines. Its licence is beside it.
const OUTLINES: &str = include_str!("../../data/outlines.txt");
/// A box, for what has no outline.
const UNKNOWN: Letter = Letter { advance: 1229.0, path: "M102 0V1434H1127V0ZM217 115H1012V1319H217Z" };

#[derive(Clone, Copy)]
struct Letter {
    /// Distance to the next letter.
    advance: f64,
    /// As SVG has it, but upwards.
    path: &'static str,
}

static LETTERS: LazyLock<HashMap<char, Letter>> = LazyLock::new(|| {
    let letter = |line: &'static str| {
        let mut parts = line.splitn(3, ' ');
        let code = u32::from_str_radix(parts.next()?, 16).ok()?;
        let advance = parts.next()?.parse().ok()?;
        Some((char::from_u32(code)?, Letter { advance, path: parts.next().unwrap_or("") }))
    };
    OUTLINES.lines().filter_map(letter).collect()
});

fn letter(c: char) -> Letter {
    LETTERS.get(&c).copied().unwrap_or(UNKNOWN)
}

/// Width of a line of text in the font size of pictures. Another font than ours, where an SVG is shown with one, is
/// about as wide.
pub fn width(text: &str) -> f64 {
    text.chars().map(|c| letter(c).advance).sum::<f64>() * SIZE / UNITS
}

/// A picture with outlines in the place of its texts. `None` only if the SVG is malformed.
pub fn outlined(svg: &str) -> Option<String> {
    let document = Document::parse(svg).ok()?;
    let (mut out, mut done) = (String::with_capacity(4 * svg.len()), 0);
    for node in document.descendants().filter(|node| node.has_tag_name((SVG, "text"))) {
        out.push_str(&svg[done..node.range().start]);
        out.push_str(&outline(node));
        done = node.range().end;
    }
    out.push_str(&svg[done..]);
    Some(out)
}

const SVG: &str = "http://www.w3.org/2000/svg";

/// One text, placed as its attributes say, with its first letter at the anchor.
fn outline(text: Node) -> String {
    let number = |name: &str, default: f64| text.attribute(name).and_then(|v| v.parse().ok()).unwrap_or(default);
    let line = text.text().unwrap_or_default();
    let scale = number("font-size", SIZE) / UNITS;
    let before = match text.attribute("text-anchor") {
        Some("middle") => 0.5,
        Some("end") => 1.0,
        _ => 0.0,
    };
    let mut along = -before * line.chars().map(|c| letter(c).advance).sum::<f64>();
    let mut g = format!(
        "<g transform=\"{} translate({} {}) scale({scale} {})\"",
        text.attribute("transform").unwrap_or_default(),
        number("x", 0.0),
        number("y", 0.0),
        -scale
    );
    if let Some(fill) = text.attribute("fill") {
        let _ = write!(g, " fill=\"{fill}\"");
    }
    g.push('>');
    for c in line.chars() {
        let Letter { advance, path } = letter(c);
        if !path.is_empty() {
            let _ = write!(g, "<path transform=\"translate({along} 0)\" d=\"{path}\"/>");
        }
        along += advance;
    }
    g.push_str("</g>");
    g
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_outline_is_read() {
        assert_eq!(LETTERS.len(), OUTLINES.lines().count() - 1);
        // A zero is 1303 units wide in DejaVu Sans, a space 651.
        assert!((width("0 0") - (2.0 * 1303.0 + 651.0) * 14.0 / 2048.0).abs() < 1e-12);
    }

    #[test]
    fn texts_become_outlines_where_they_stood() {
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"><rect/>\
                   <text x=\"10\" y=\"20\" text-anchor=\"end\" font-size=\"2048\" fill=\"#ff0000\">-&lt;\u{4e2d}</text><g/></svg>";
        let drawn = outlined(svg).expect("well-formed");
        let minus = letter('-').path;
        let all = letter('-').advance + letter('<').advance + UNKNOWN.advance;
        let begins = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\"><rect/><g transform=\" translate(10 20) scale(1 -1)\" fill=\"#ff0000\">\
             <path transform=\"translate({} 0)\" d=\"{minus}\"/>",
            -all
        );
        assert!(drawn.starts_with(&begins), "{drawn}");
        let ends =
            format!("<path transform=\"translate({} 0)\" d=\"{}\"/></g><g/></svg>", -UNKNOWN.advance, UNKNOWN.path);
        assert!(drawn.ends_with(&ends), "{drawn}");
    }
}
