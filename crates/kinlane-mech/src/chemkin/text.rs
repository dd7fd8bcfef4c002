//! Lines, places and columns of a text, and numbers as Fortran programs write them.

use crate::Span;

/// `^Z`, which marked the end of text files under DOS.
const END_OF_FILE: char = '\u{1a}';

/// A text with its number in [`crate::Sources`].
#[derive(Clone, Copy)]
pub(super) struct Text<'a> {
    /// The file number that spans have.
    pub file: u32,
    /// The whole text, with `\n` line ends.
    pub all: &'a str,
}

impl<'a> Text<'a> {
    /// The place of a part of this text. The part must be a slice of it; anything else has no place.
    pub fn span(&self, part: &str) -> Span {
        let start = (part.as_ptr() as usize).wrapping_sub(self.all.as_ptr() as usize);
        if start > self.all.len() || part.len() > self.all.len() - start {
            return Span::default();
        }
        Span { file: self.file, start: start as u32, end: (start + part.len()) as u32 }
    }

    /// A line of this text, including the blanks after it.
    pub fn with_blanks(&self, line: &'a str) -> &'a str {
        let Span { start, end, .. } = self.span(line);
        let tail = self.all.get(end as usize..).unwrap_or("");
        let blanks = tail.len() - tail.trim_start_matches([' ', '\t']).len();
        self.all.get(start as usize..end as usize + blanks).unwrap_or(line)
    }

    /// The lines without comments and trailing blanks. Empty ones are left out: none of the sections needs them.
    pub fn lines(&self) -> impl Iterator<Item = &'a str> {
        self.all
            .split('\n')
            .map(|line| {
                line.split('!').next().unwrap_or("").trim_end_matches(|c: char| c.is_whitespace() || c == END_OF_FILE)
            })
            .filter(|line| !line.trim_start().is_empty())
    }
}

/// Columns `from..to` (counted from 0, in characters) of a line; what lies beyond its end is missing.
pub(super) fn columns(line: &str, from: usize, to: usize) -> &str {
    let at = |column: usize| {
        if line.is_ascii() {
            return column.min(line.len());
        }
        line.char_indices().nth(column).map_or(line.len(), |(i, _)| i)
    };
    line.get(at(from)..at(to)).unwrap_or("")
}

/// Whether a character separates the words of data between slashes. Some published files have commas between
/// numbers.
pub(super) fn parts(c: char) -> bool {
    c.is_whitespace() || c == ','
}

/// The words of data between slashes.
pub(super) fn words(data: &str) -> impl Iterator<Item = &str> {
    data.split(parts).filter(|word| !word.is_empty())
}

/// Length of the longest number that is read. Published ones have fewer than 30 characters.
const LONGEST: usize = 64;

/// A number as Fortran writes it: `1.0E+05`, `1.D5`, `.5`, `3`. Never infinite.
pub(super) fn number(word: &str) -> Option<f64> {
    let mut buffer = [0u8; LONGEST];
    let buffer = buffer.get_mut(..word.len())?;
    for (to, from) in buffer.iter_mut().zip(word.bytes()) {
        *to = match from {
            b'0'..=b'9' | b'+' | b'-' | b'.' => from,
            b'e' | b'E' | b'd' | b'D' => b'e',
            _ => return None,
        };
    }
    std::str::from_utf8(buffer).ok()?.parse().ok().filter(|x: &f64| x.is_finite())
}

/// A number in a fixed field, where the plus sign of the exponent may be a blank: `1.0E 05`.
pub(super) fn field(text: &str) -> Option<f64> {
    let text = text.trim();
    match text.split_once(['e', 'E', 'd', 'D']) {
        Some((mantissa, exponent)) if exponent.starts_with(' ') => {
            number(&format!("{mantissa}e+{}", exponent.get(1..)?))
        }
        _ => number(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_published() {
        assert_eq!(number("1.0E+005"), Some(1e5));
        assert_eq!(number(".562D13"), Some(0.562e13));
        assert_eq!(number("-5."), Some(-5.0));
        assert_eq!(field(" 1.0E 05"), Some(1e5));
        assert_eq!(field("-7.453750000D+02"), Some(-745.375));
        for bad in ["", "nan", "inf", "1.00000+100", "1e999", "E+5", "-0.35101023E+ 0", "1e", "٣"] {
            assert_eq!(number(bad).or(field(bad)), None, "{bad}");
        }
    }

    #[test]
    fn columns_count_characters() {
        assert_eq!(columns("abcdef", 2, 4), "cd");
        assert_eq!(columns("aébcd", 2, 4), "bc");
        assert_eq!(columns("ab", 1, 9), "b");
        assert_eq!(columns("ab", 5, 9), "");
    }

    #[test]
    fn places_are_offsets() {
        let all = String::from("one\n two ! three\n\n\u{1a}");
        let text = Text { file: 1, all: &all };
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines, ["one", " two"]);
        assert_eq!(text.span(lines[1].trim()), Span { file: 1, start: 5, end: 8 });
    }
}
