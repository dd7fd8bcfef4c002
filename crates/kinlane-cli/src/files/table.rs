//! Tables from other sources: text files whose first line names the columns.

use crate::error::{self, Error};
use kinlane::units::{Units, before_unit};
use std::path::{Path, PathBuf};

/// A table, as text.
pub struct Table {
    path: PathBuf,
    /// Names of the columns.
    names: Vec<String>,
    /// Number of the line that has them.
    named_in: u64,
    rows: Vec<Row>,
}

/// A line of it.
pub struct Row {
    /// Line number in the file, from 1.
    pub line: u64,
    cells: Vec<String>,
}

impl Table {
    /// Reads a file. Lines that begin with # are skipped, but where the first of the others has nothing but numbers, one of those
    /// before it names the columns. Columns are separated by commas, semicolons or tabs, whichever is most frequent in the first
    /// line; by spaces if it has none of them.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let bytes = std::fs::read(path).map_err(|e| Error::Table {
            path: path.to_owned(),
            line: 0,
            fault: error::unreadable(&e),
        })?;
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
        let spaced = spaced(bytes);
        let bytes = spaced.as_deref().unwrap_or(bytes);
        let first = names(bytes);
        let count = |b: &u8| first.iter().filter(|c| *c == b).count();
        // A comma may also occur within a name.
        let between = *SEPARATORS.iter().filter(|b| count(b) > 0).max_by_key(|b| count(b)).unwrap_or(&b',');
        let (text, numbers) = said(bytes);
        let place = |position: Option<&csv::Position>| {
            position.and_then(|p| numbers.get((p.line() as usize).checked_sub(1)?)).copied().unwrap_or(0)
        };
        let unreadable = |e: csv::Error| {
            let line = place(e.position());
            let fault = match e.kind() {
                csv::ErrorKind::Io(e) => error::unreadable(e),
                csv::ErrorKind::UnequalLengths { expected_len, len, .. } => format!(
                    "the line has {len} values and the first line names {expected_len} columns; correct it, or put # before \
                     the line"
                ),
                csv::ErrorKind::Utf8 { .. } => "it is not text in UTF-8; save it as that".to_owned(),
                _ => e.to_string(),
            };
            Error::Table { path: path.to_owned(), line, fault }
        };
        let mut file = csv::ReaderBuilder::new();
        let mut file = file.trim(csv::Trim::All).delimiter(between).from_reader(&*text);
        let texts = |record: &csv::StringRecord| record.iter().map(str::to_owned).collect();
        let names = texts(file.headers().map_err(unreadable)?);
        let named_in = numbers.first().copied().unwrap_or(1);
        let row = |r: csv::StringRecord| Row { line: place(r.position()), cells: texts(&r) };
        let rows = file.records().map(|r| r.map(row).map_err(unreadable)).collect::<Result<_, _>>()?;
        Ok(Self { path: path.to_owned(), names, named_in, rows })
    }

    /// Names of the columns, as written.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// Its lines.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// An error about a line, with what would be right.
    pub fn wrong(&self, line: u64, fault: impl Into<String>) -> Error {
        Error::Table { path: self.path.clone(), line, fault: fault.into() }
    }

    /// An error about the names of the columns.
    pub fn misnamed(&self, fault: impl Into<String>) -> Error {
        self.wrong(self.named_in, fault)
    }

    /// A number that `accept` admits; `what` says in words what it must be.
    pub fn number(&self, row: &Row, column: usize, what: &str, accept: fn(f64) -> bool) -> Result<f64, Error> {
        let text = row.text(column);
        let fault = || format!("`{text}` is no {what}; correct it, or put # before the line");
        row.value(column).filter(|x| accept(*x)).ok_or_else(|| self.wrong(row.line, fault()))
    }
}

/// What may be between columns.
const SEPARATORS: [u8; 3] = *b",;\t";

fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split(|b| *b == b'\n')
}

/// Whether a line is blank, or a comment.
fn is_silent(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    line.is_empty() || line.starts_with(b"#")
}

/// The first line that says something.
fn names(bytes: &[u8]) -> &[u8] {
    lines(bytes).find(|line| !is_silent(line)).unwrap_or_default()
}

/// The lines that say something, and their numbers in the file, from 1.
fn said(bytes: &[u8]) -> (Vec<u8>, Vec<u64>) {
    let (mut text, mut numbers) = (Vec::with_capacity(bytes.len()), Vec::new());
    for (line, number) in lines(bytes).zip(1..).filter(|(line, _)| !is_silent(line)) {
        text.extend_from_slice(line.strip_suffix(b"\r").unwrap_or(line));
        text.push(b'\n');
        numbers.push(number);
    }
    (text, numbers)
}

/// The words of a line, between separators and spaces; what stands in brackets belongs to the word before.
fn words(line: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(line);
    let mut words: Vec<String> = Vec::new();
    for word in text.split(|c: char| c.is_whitespace() || c == ',' || c == ';').filter(|word| !word.is_empty()) {
        match words.last_mut() {
            Some(last) if word.starts_with(['(', '[']) => last.push_str(word),
            _ => words.push(word.to_owned()),
        }
    }
    words
}

/// The words of a comment.
fn uncovered(line: &[u8]) -> Vec<String> {
    words(&line[line.iter().take_while(|b| **b == b'#').count()..])
}

/// A number, also with an exponent as Fortran writes it.
fn number(word: &str) -> Option<f64> {
    word.parse().ok().or_else(|| word.replace(['d', 'D'], "e").parse().ok())
}

/// The file with one tab between words, if it has none of the usual separators, or if a comment names its columns: the last one with
/// as many words as there are numbers in the first line of them.
fn spaced(bytes: &[u8]) -> Option<Vec<u8>> {
    let first = names(bytes);
    let columns = words(first);
    let header = if columns.len() > 1 && columns.iter().all(|word| number(word).is_some()) {
        let comments =
            lines(bytes).take_while(|line| !std::ptr::eq(*line, first)).filter(|line| line.starts_with(b"#"));
        let fits = |line: &&[u8]| {
            let names = uncovered(line);
            names.len() == columns.len() && !names.iter().all(|word| number(word).is_some())
        };
        Some(comments.filter(fits).last()?)
    } else {
        None
    };
    if header.is_none() && SEPARATORS.iter().any(|b| first.contains(b)) {
        return None;
    }
    let joined = |line: &[u8]| match header {
        Some(named) if std::ptr::eq(line, named) => uncovered(line).join("\t"),
        _ if line.starts_with(b"#") => String::from_utf8_lossy(line).into_owned(),
        _ => words(line).join("\t"),
    };
    Some(lines(bytes).map(joined).collect::<Vec<_>>().join("\n").into_bytes())
}

impl Row {
    /// The text in a column.
    pub fn text(&self, column: usize) -> &str {
        self.cells.get(column).map_or("", |c| c)
    }

    /// The number in a column, if it is one.
    pub fn value(&self, column: usize) -> Option<f64> {
        number(self.text(column))
    }
}

/// A name without brackets and spaces.
fn bare(name: &str) -> String {
    name.replace(['\u{b5}', '\u{3bc}'], "u").replace(['(', ')', '[', ']', '_', ' '], "")
}

/// The same in lower case: `t (ms)` becomes `tms`.
pub fn plain(name: &str) -> String {
    bare(name).to_lowercase()
}

/// The unit that a column's name contains after the quantity, which has one of these names in any case.
pub fn unit(column: &str, names: [&str; 2], units: &Units) -> Option<f64> {
    let column = bare(column);
    let behind = |name: &str| {
        let (begin, behind) = column.split_at_checked(name.len())?;
        begin.eq_ignore_ascii_case(name).then_some(behind)
    };
    let behind = names.into_iter().find_map(behind)?;
    before_unit(behind, units).filter(|found| found.0.is_empty()).map(|found| found.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines are told as an editor counts them.
    #[test]
    fn rows_know_their_lines() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("t.csv");
        for end in ["\n", "\r\n"] {
            let text = ["# made by hand", "t (s),V", "0,1", "", "  # a remark", "   ", "1,2D0", "2,x"].join(end);
            std::fs::write(&path, text).expect("written");
            let table = Table::read(&path).expect("a table");
            assert_eq!(table.names().collect::<Vec<_>>(), ["t (s)", "V"]);
            assert_eq!(table.rows().iter().map(|row| row.line).collect::<Vec<_>>(), [3, 7, 8]);
            let values: Vec<_> =
                table.rows().iter().map(|row| table.number(row, 1, "volume", f64::is_finite)).collect();
            assert!(matches!(values[..], [Ok(1.0), Ok(2.0), Err(_)]));
            assert!(matches!(values[2], Err(Error::Table { line: 8, .. })));
            std::fs::write(&path, ["t (s),V", "", "0,1", "1"].join(end)).expect("written");
            assert!(matches!(Table::read(&path), Err(Error::Table { line: 4, .. })));
        }
    }
}
