//! Opening files, and the refusal that every reader returns.

use std::fmt;
use std::path::Path;

use crate::render::render;
use crate::{Diagnostic, Sources, Span, codes};

/// Why a file was refused: every problem found, with the texts they point into.
#[derive(Debug, Clone)]
pub struct Refusal {
    /// At least one error; warnings may be among them.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts that were read so far.
    pub sources: Sources,
}

impl Refusal {
    /// A refusal for one reason.
    pub fn new(diagnostic: Diagnostic, sources: Sources) -> Self {
        Self { diagnostics: vec![diagnostic], sources }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(render(&self.diagnostics, &self.sources, false).trim_end())
    }
}

impl std::error::Error for Refusal {}

/// Reads a file as text: UTF-8 or else Latin-1, without byte-order mark, with `\n` as the only line end.
pub fn text_of(path: &Path) -> Result<String, Diagnostic> {
    let bytes = std::fs::read(path).map_err(|e| {
        Diagnostic::error(codes::UNREADABLE, format!("cannot read `{}`: {e}", path.display()))
            .help("check the name and the permissions of the file")
    })?;
    decode(&bytes, &path.display().to_string())
}

/// Bytes to text as [`text_of`] does; `name` is for the messages.
pub fn decode(bytes: &[u8], name: &str) -> Result<String, Diagnostic> {
    let utf16 = [&[0xff, 0xfe][..], &[0xfe, 0xff]].iter().any(|mark| bytes.starts_with(mark));
    if utf16 || bytes.contains(&0) {
        return Err(Diagnostic::error(codes::BINARY, format!("`{name}` is not a text file"))
            .help("mechanisms are read as plain text in UTF-8 or Latin-1; decompress or convert the file first"));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        // Old mechanisms carry accented names in comments; every byte is a Latin-1 character.
        Err(_) => bytes.iter().map(|&b| b as char).collect(),
    };
    if text.trim().is_empty() {
        return Err(Diagnostic::error(codes::EMPTY, format!("`{name}` is empty")));
    }
    // Spans count bytes in 32 bits.
    if text.len() >= u32::MAX as usize {
        return Err(Diagnostic::error(codes::BINARY, format!("`{name}` is larger than 4 GiB")));
    }
    Ok(if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text })
}

/// A place that stands for a whole file: its first line.
pub fn whole_file(file: u32) -> Span {
    Span { file, start: 0, end: 0 }
}
