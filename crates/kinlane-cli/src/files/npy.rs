//! The array format inside NPZ files: one line of header, then plain numbers.
//!
//! It is read here and not by a library, because a batch of a million cells must be streamed, from any number
//! type, into the single buffer that is advanced.

use std::io::{self, Read, Write};

/// Longest header accepted. NumPy's own limit is 10 000 bytes.
const MAX_HEADER: usize = 64 * 1024;
/// Number of bytes that are converted at a time.
const CHUNK: usize = 64 * 1024;
/// How an array begins.
pub const MAGIC: &[u8; 6] = b"\x93NUMPY";

/// Kinds of element that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `f`
    Float,
    /// `i`
    Int,
    /// `u`
    Unsigned,
    /// `U`: UTF-32, padded with zeros
    Unicode,
    /// `S`: bytes, padded with zeros
    Bytes,
}

/// The contents of an array's header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// Kind of element.
    pub kind: Kind,
    /// Bytes per element.
    pub size: usize,
    /// Most significant byte first.
    pub big_endian: bool,
    /// First index fastest.
    pub fortran: bool,
    /// Lengths of the axes.
    pub shape: Vec<usize>,
    /// The element type as the file writes it.
    pub descr: String,
}

impl Header {
    /// Reads the header; `r` is then at the start of the data.
    pub fn read(r: &mut impl Read) -> io::Result<Self> {
        let mut start = [0u8; 8];
        r.read_exact(&mut start)?;
        if start[..6] != *MAGIC {
            return Err(invalid("it does not start as a NumPy array does"));
        }
        let length = if start[6] == 1 {
            let mut b = [0u8; 2];
            r.read_exact(&mut b)?;
            usize::from(u16::from_le_bytes(b))
        } else {
            let mut b = [0u8; 4];
            r.read_exact(&mut b)?;
            u32::from_le_bytes(b) as usize
        };
        if length > MAX_HEADER {
            return Err(invalid("its header is absurdly long"));
        }
        let mut text = vec![0u8; length];
        r.read_exact(&mut text)?;
        let text = std::str::from_utf8(&text).map_err(|_| invalid("its header is not text"))?;
        Self::parse(text)
    }

    /// Parses `{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }`.
    fn parse(text: &str) -> io::Result<Self> {
        let value = |key: &str| {
            let at = text.find(&format!("'{key}'")).or_else(|| text.find(&format!("\"{key}\"")))? + key.len() + 2;
            Some(text.get(at..)?.trim_start().strip_prefix(':')?.trim_start())
        };
        let bad = || invalid("its header is not one that NumPy writes");
        let descr = value("descr").ok_or_else(bad)?;
        let quote = descr.chars().next().filter(|c| matches!(c, '\'' | '"'));
        let Some(descr) = quote.and_then(|q| descr.get(1..)?.split(q).next()) else {
            return Err(invalid("it holds records, not plain numbers"));
        };
        let fortran = value("fortran_order").ok_or_else(bad)?.starts_with("True");
        let shape = value("shape").and_then(|s| s.strip_prefix('(')?.split(')').next()).ok_or_else(bad)?;
        let shape = shape
            .split(',')
            .map(str::trim)
            .filter(|s| !s.is_empty())
            .map(|s| s.trim_end_matches('L').parse::<usize>().map_err(|_| bad()))
            .collect::<io::Result<Vec<_>>>()?;

        let (order, rest) = match descr.chars().next() {
            Some(c @ ('<' | '>' | '|' | '=')) => (c, descr.get(1..).unwrap_or("")),
            _ => ('=', descr),
        };
        let unsupported =
            || invalid(&format!("its elements are of type `{descr}`, which is not read; save it as float64"));
        let (letter, digits) = rest.split_at_checked(1).ok_or_else(unsupported)?;
        let count: usize = if digits.is_empty() { 1 } else { digits.parse().map_err(|_| unsupported())? };
        let (kind, size) = match (letter, count) {
            ("f", 4 | 8) => (Kind::Float, count),
            ("i", 1 | 2 | 4 | 8) => (Kind::Int, count),
            ("u", 1 | 2 | 4 | 8) => (Kind::Unsigned, count),
            ("U", 0..=4096) => (Kind::Unicode, count * 4),
            ("S", 0..=4096) => (Kind::Bytes, count),
            ("O", _) => return Err(invalid("it holds Python objects; save it as an array of str or of numbers")),
            _ => return Err(unsupported()),
        };
        let big_endian = order == '>' || (order == '=' && cfg!(target_endian = "big"));
        Ok(Self { kind, size, big_endian, fortran, shape, descr: descr.to_owned() })
    }

    /// Number of elements, unless it overflows.
    pub fn len(&self) -> Option<usize> {
        self.shape.iter().try_fold(1usize, |n, &d| n.checked_mul(d))
    }

    /// Bytes of data, unless their number overflows.
    pub fn bytes(&self) -> Option<usize> {
        self.len()?.checked_mul(self.size)
    }

    /// Whether the elements are numbers.
    pub fn is_numeric(&self) -> bool {
        matches!(self.kind, Kind::Float | Kind::Int | Kind::Unsigned)
    }

    /// Passes every number to `sink` with its place in the file, as f64. `sink` is inlined into the loop over
    /// a chunk.
    pub fn numbers(&self, r: &mut impl Read, mut sink: impl FnMut(usize, f64)) -> io::Result<()> {
        let mut left = self.bytes().ok_or_else(|| invalid("its shape is beyond all bounds"))?;
        let mut buffer = vec![0u8; CHUNK.min(left.max(1))];
        let mut at = 0;
        while left > 0 {
            // CHUNK is a multiple of every size of number, so no number is split.
            let part = buffer.get_mut(..left.min(CHUNK)).unwrap_or_default();
            r.read_exact(part)?;
            match (self.kind, self.size, self.big_endian) {
                (Kind::Float, 8, false) => each(part, &mut at, f64::from_le_bytes, &mut sink),
                (Kind::Float, 8, true) => each(part, &mut at, f64::from_be_bytes, &mut sink),
                (Kind::Float, _, false) => each(part, &mut at, |b| f64::from(f32::from_le_bytes(b)), &mut sink),
                (Kind::Float, _, true) => each(part, &mut at, |b| f64::from(f32::from_be_bytes(b)), &mut sink),
                (kind, size, big) => {
                    for b in part.chunks_exact(size) {
                        sink(at, integer(b, kind, big));
                        at += 1;
                    }
                }
            }
            left -= part.len();
        }
        Ok(())
    }

    /// Reads an array of text.
    pub fn strings(&self, r: &mut impl Read) -> io::Result<Vec<String>> {
        // Reads no more than the file contains, whatever the shape says.
        let (mut data, bytes) = (Vec::new(), self.bytes().ok_or_else(|| invalid("its shape is beyond all bounds"))?);
        r.take(bytes as u64).read_to_end(&mut data)?;
        if data.len() < bytes {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let not_text = || invalid("it holds bytes that are not text");
        data.chunks_exact(self.size.max(1))
            .map(|item| match self.kind {
                Kind::Unicode => item
                    .chunks_exact(4)
                    .map(|b| {
                        let b = [b[0], b[1], b[2], b[3]];
                        if self.big_endian { u32::from_be_bytes(b) } else { u32::from_le_bytes(b) }
                    })
                    .take_while(|&c| c != 0)
                    .map(|c| char::from_u32(c).ok_or_else(not_text))
                    .collect(),
                _ => {
                    let end = item.iter().position(|&b| b == 0).unwrap_or(item.len());
                    String::from_utf8(item.get(..end).unwrap_or_default().to_vec()).map_err(|_| not_text())
                }
            })
            .collect()
    }
}

fn each<const N: usize>(
    part: &[u8],
    at: &mut usize,
    convert: impl Fn([u8; N]) -> f64,
    sink: &mut impl FnMut(usize, f64),
) {
    let (items, _) = part.as_chunks::<N>();
    for b in items {
        sink(*at, convert(*b));
        *at += 1;
    }
}

/// An integer of up to eight bytes.
fn integer(bytes: &[u8], kind: Kind, big: bool) -> f64 {
    let fold = |value: u64, b: &u8| (value << 8) | u64::from(*b);
    let value = if big { bytes.iter().fold(0, fold) } else { bytes.iter().rev().fold(0, fold) };
    if kind == Kind::Int {
        let unused = 64 - 8 * bytes.len() as u32;
        ((value << unused) as i64 >> unused) as f64
    } else {
        value as f64
    }
}

/// Writes the header of an array in C order.
pub fn write_header(w: &mut impl Write, descr: &str, shape: &[usize]) -> io::Result<()> {
    let shape: String = shape.iter().map(|d| format!("{d}, ")).collect();
    // One axis is written `(3,)`, several `(3, 4)`, none `()`.
    let shape = if shape.matches(',').count() > 1 { shape.trim_end_matches(", ") } else { shape.trim_end() };
    let mut text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({shape}), }}");
    // The data start at a multiple of 64 bytes, as NumPy aligns them.
    let padding = 63 - (10 + text.len()) % 64;
    text.push_str(&" ".repeat(padding));
    text.push('\n');
    let length = u16::try_from(text.len()).map_err(|_| invalid("the shape has too many axes"))?;
    w.write_all(b"\x93NUMPY\x01\x00")?;
    w.write_all(&length.to_le_bytes())?;
    w.write_all(text.as_bytes())
}

/// Writes elements in chunks.
pub fn write_elements<const N: usize>(w: &mut impl Write, items: impl Iterator<Item = [u8; N]>) -> io::Result<()> {
    let mut buffer = Vec::with_capacity(CHUNK);
    for item in items {
        buffer.extend_from_slice(&item);
        if buffer.len() + N > CHUNK {
            w.write_all(&buffer)?;
            buffer.clear();
        }
    }
    w.write_all(&buffer)
}

fn invalid(message: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(descr: &str, shape: &[usize]) -> Header {
        let mut bytes = Vec::new();
        write_header(&mut bytes, descr, shape).expect("writes");
        assert_eq!(bytes.len() % 64, 0);
        Header::read(&mut &bytes[..]).expect("reads")
    }

    #[test]
    fn headers_round_trip() {
        for shape in [&[][..], &[3], &[3, 4], &[2, 5, 5]] {
            let h = round("<f8", shape);
            assert_eq!((h.kind, h.size, h.big_endian, &h.shape[..]), (Kind::Float, 8, false, shape));
        }
        assert_eq!((round("<U7", &[2]).size, round("|S3", &[2]).kind), (28, Kind::Bytes));
    }

    #[test]
    fn bad_headers_are_errors() {
        for text in [
            "",
            "{}",
            "{'descr': '<f8', 'fortran_order': False, 'shape': (-3,), }",
            "{'descr': '<c16', 'fortran_order': False, 'shape': (3,), }",
            "{'descr': '|O', 'fortran_order': False, 'shape': (3,), }",
            "{'descr': '<f', 'fortran_order': False, 'shape': (3,), }",
            "{'descr': '\u{e9}', 'fortran_order': False, 'shape': (3,), }",
            "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (3,), }",
            "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999999,), }",
        ] {
            assert!(Header::parse(text).is_err(), "{text}");
        }
        let huge = Header::parse("{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296), }");
        assert_eq!(huge.expect("parses").bytes(), None);
    }

    #[test]
    fn every_number_type_is_converted() {
        let read = |descr: &str, data: &[u8]| {
            let n = data.len() / round(descr, &[1]).size;
            let (h, mut got) = (round(descr, &[n]), vec![]);
            h.numbers(&mut &*data, |_, v| got.push(v)).expect("reads");
            got
        };
        assert_eq!(read("<f8", &1.5f64.to_le_bytes()), [1.5]);
        assert_eq!(read(">f8", &1.5f64.to_be_bytes()), [1.5]);
        assert_eq!(read("<f4", &(-0.25f32).to_le_bytes()), [-0.25]);
        assert_eq!(read(">f4", &(-0.25f32).to_be_bytes()), [-0.25]);
        assert_eq!(read("<i4", &(-7i32).to_le_bytes()), [-7.0]);
        assert_eq!(read(">i2", &(-7i16).to_be_bytes()), [-7.0]);
        assert_eq!(read("<i8", &(1i64 << 40).to_le_bytes()), [(1i64 << 40) as f64]);
        assert_eq!(read("|u1", &[255, 0]), [255.0, 0.0]);
        let mut short = &[0u8; 12][..];
        assert!(round("<f8", &[2]).numbers(&mut short, |_, _| ()).is_err());
    }

    #[test]
    fn text_of_both_orders() {
        let le: Vec<u8> = "OH\0".chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
        let be: Vec<u8> = "OH\0".chars().flat_map(|c| u32::from(c).to_be_bytes()).collect();
        assert_eq!(round("<U3", &[1]).strings(&mut &le[..]).expect("reads"), ["OH"]);
        assert_eq!(round(">U3", &[1]).strings(&mut &be[..]).expect("reads"), ["OH"]);
        assert_eq!(round("|S3", &[2]).strings(&mut &b"OH\0H2O"[..]).expect("reads"), ["OH", "H2O"]);
        assert!(round("<U1", &[1]).strings(&mut &[255u8; 4][..]).is_err());
    }
}
