//! NPZ files: named arrays in a zip.

use crate::error::unreadable;
use crate::files::npy::{self, Header};
use crate::run::stop;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// What is wrong with an NPZ file.
#[derive(Debug, thiserror::Error)]
#[error("{}{}: {fault}", .path.display(), .array.as_ref().map(|a| format!(", array `{a}`")).unwrap_or_default())]
pub struct NpzError {
    /// The file.
    pub path: PathBuf,
    /// The array with the fault, if it is in one.
    pub array: Option<String>,
    /// What is wrong.
    pub fault: Fault,
}

/// The ways in which an NPZ file can be wrong.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// It cannot be opened or read.
    #[error("{}", unreadable(.0))]
    Io(#[from] io::Error),
    /// Its checksum or its compressed data are wrong.
    #[error("the file is damaged ({0}); write or copy it again")]
    Damaged(String),
    /// It is not a zip file, or a damaged one.
    #[error("not an NPZ file, or not all of one; write it with numpy.savez")]
    NotNpz,
    /// It cannot be read in any order.
    #[error("it is no regular file: states are not read in their order; write them to one first")]
    Stream,
    /// It is a single array, not an NPZ file.
    #[error("a single array (NPY), not several with names (NPZ); write them together with numpy.savez")]
    Npy,
    /// It has mole fractions in place of mass fractions.
    #[error(
        "the file has mole fractions X and no mass fractions Y; convert them, Y = X W / sum(X W) with the molar masses W \
         that `kinlane check MECH --species` lists"
    )]
    MoleFractions,
    /// The array is missing.
    #[error("the file has no such array, which is needed; it has {}", if .have.is_empty() { "none".into() } else { .have.join(", ") })]
    Missing {
        /// The arrays in the file.
        have: Vec<String>,
    },
    /// Names that are needed are not among those of the array.
    #[error("it lacks {names}")]
    Lacks {
        /// The names.
        names: String,
    },
    /// A name is there twice.
    #[error("it has {name} twice")]
    Twice {
        /// The name.
        name: String,
    },
    /// Several arrays may be meant.
    #[error("the file has {names}, and each may be meant; use the spelling of the mechanism")]
    Alike {
        /// Their names.
        names: String,
    },
    /// A rate constant depends on something that is called as an array with another meaning.
    #[error(
        "rate constants depend on something of this name, and states files have another thing under it; call it otherwise{hint}"
    )]
    Taken {
        /// What may be meant, as a clause.
        hint: &'static str,
    },
    /// The shape is not the one needed.
    #[error("its shape is {got:?}; it must have {want}")]
    Shape {
        /// The shape found.
        got: Vec<usize>,
        /// The shape needed, in words.
        want: String,
    },
    /// The element type is not the one needed.
    #[error("its elements are of type `{got}`, {want} are needed")]
    Type {
        /// The type found.
        got: String,
        /// What is needed.
        want: &'static str,
    },
    /// The file contains less than the header says.
    #[error("the data end early: the header promises {promised} bytes, the file holds {held}")]
    Short {
        /// Bytes promised.
        promised: usize,
        /// Bytes in the file.
        held: u64,
    },
    /// The batch does not fit into memory.
    #[error("no memory for {bytes} bytes")]
    Memory {
        /// Bytes asked for.
        bytes: usize,
    },
}

/// An NPZ file open for reading.
pub struct Reader {
    path: PathBuf,
    zip: ZipArchive<BufReader<File>>,
}

impl Reader {
    /// Opens a file.
    pub fn open(path: &Path) -> Result<Self, NpzError> {
        let fail = |fault| NpzError { path: path.to_owned(), array: None, fault };
        // A pipe would keep whoever opens it waiting for one that writes.
        match path.metadata().map_err(|e| fail(e.into()))? {
            of if of.is_file() => {}
            of if of.is_dir() => return Err(fail(io::Error::from(io::ErrorKind::IsADirectory).into())),
            _ => return Err(fail(Fault::Stream)),
        }
        let mut file = File::open(path).map_err(|e| fail(e.into()))?;
        let mut start = [0u8; 6];
        if file.read_exact(&mut start).is_ok() && start == *npy::MAGIC {
            return Err(fail(Fault::Npy));
        }
        file.rewind().map_err(|e| fail(e.into()))?;
        let zip = ZipArchive::new(BufReader::with_capacity(1 << 18, file)).map_err(|e| {
            fail(match e {
                ZipError::Io(e) if e.kind() != io::ErrorKind::UnexpectedEof => e.into(),
                _ => Fault::NotNpz,
            })
        })?;
        Ok(Self { path: path.to_owned(), zip })
    }

    /// Names of the arrays.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> =
            self.zip.file_names().filter_map(|n| n.ok()?.strip_suffix(".npy").map(str::to_owned)).collect();
        names.sort();
        names
    }

    /// Whether there is such an array.
    pub fn has(&self, name: &str) -> bool {
        self.zip.index_for_name(&format!("{name}.npy")).is_some()
    }

    /// The error about an array.
    pub fn blame(&self, array: &str, fault: Fault) -> NpzError {
        NpzError { path: self.path.clone(), array: Some(array.to_owned()), fault }
    }

    /// Opens an array; passes its header and data to `read`.
    fn with<R>(
        &mut self,
        name: &str,
        read: impl FnOnce(&Header, &mut dyn Read) -> Result<R, Fault>,
    ) -> Result<R, NpzError> {
        let have = self.names();
        let result = (|| {
            let mut entry = self.zip.by_name(&format!("{name}.npy")).map_err(|e| match e {
                ZipError::FileNotFound => Fault::Missing { have },
                ZipError::Io(e) => e.into(),
                _ => Fault::NotNpz,
            })?;
            let held = entry.size();
            let header = Header::read(&mut entry)?;
            let promised = header.bytes().unwrap_or(usize::MAX);
            if promised as u64 > held {
                return Err(Fault::Short { promised, held });
            }
            let result = read(&header, &mut stop::Interruptible(&mut entry))?;
            // The checksum of the zip file is compared at the end of the entry.
            io::copy(&mut entry, &mut io::sink())?;
            Ok(result)
        })();
        result.map_err(|fault| match fault {
            Fault::Io(e) if ["checksum", "deflate"].iter().any(|word| e.to_string().contains(word)) => {
                self.blame(name, Fault::Damaged(e.to_string().to_lowercase()))
            }
            fault => self.blame(name, fault),
        })
    }

    /// An array of text.
    pub fn strings(&mut self, name: &str) -> Result<Vec<String>, NpzError> {
        self.with(name, |h, mut r| {
            if h.is_numeric() {
                return Err(Fault::Type { got: h.descr.clone(), want: "strings" });
            }
            if h.shape.len() != 1 {
                return Err(Fault::Shape { got: h.shape.clone(), want: "one axis".into() });
            }
            Ok(h.strings(&mut r)?)
        })
    }

    /// An array of numbers with one axis of `n`, or of any length.
    pub fn vector(&mut self, name: &str, n: Option<usize>) -> Result<Vec<f64>, NpzError> {
        self.with(name, |h, mut r| {
            numeric(h)?;
            let [length] = h.shape[..] else {
                return Err(Fault::Shape { got: h.shape.clone(), want: "one axis".into() });
            };
            if let Some(n) = n.filter(|&n| n != length) {
                return Err(Fault::Shape { got: h.shape.clone(), want: format!("{n} values, one for each cell") });
            }
            let mut out = allocate(length)?;
            h.numbers(&mut r, |_, v| out.push(v))?;
            Ok(out)
        })
    }

    /// An array of numbers \[rows, columns\]; column `c` of the file becomes column `place[c]` of the result.
    pub fn matrix(&mut self, name: &str, rows: usize, place: &[usize]) -> Result<Vec<f64>, NpzError> {
        self.with(name, |h, mut r| {
            numeric(h)?;
            let columns = place.len();
            if h.shape != [rows, columns] {
                let names = if name == "J" { "photolysis" } else { "species" };
                let want = format!("the shape [{rows}, {columns}]: cells, names in {names}");
                return Err(Fault::Shape { got: h.shape.clone(), want });
            }
            let mut out = allocate(rows * columns)?;
            if !h.fortran && place.iter().enumerate().all(|(c, &p)| c == p) {
                h.numbers(&mut r, |_, v| out.push(v))?;
                return Ok(out);
            }
            out.resize(rows * columns, 0.0);
            let (mut slow, mut fast) = (0, 0);
            let length = if h.fortran { rows } else { columns };
            h.numbers(&mut r, |_, v| {
                let (row, column) = if h.fortran { (fast, slow) } else { (slow, fast) };
                if let Some(o) = place.get(column).and_then(|p| out.get_mut(row * columns + p)) {
                    *o = v;
                }
                fast += 1;
                if fast == length {
                    (slow, fast) = (slow + 1, 0);
                }
            })?;
            Ok(out)
        })
    }
}

fn numeric(h: &Header) -> Result<(), Fault> {
    if h.is_numeric() { Ok(()) } else { Err(Fault::Type { got: h.descr.clone(), want: "numbers" }) }
}

fn allocate(n: usize) -> Result<Vec<f64>, Fault> {
    let mut v = Vec::new();
    v.try_reserve_exact(n).map_err(|_| Fault::Memory { bytes: n.saturating_mul(8) })?;
    Ok(v)
}

/// A file that, after a failed write, pretends that further writes succeed: otherwise the end of the zip
/// file, which is written even then, would cause a message on standard error.
struct Quiet<'a> {
    file: &'a File,
    failed: bool,
}

impl<'a> Quiet<'a> {
    fn noting<R>(&mut self, instead: R, act: impl FnOnce(&mut &'a File) -> io::Result<R>) -> io::Result<R> {
        if self.failed {
            return Ok(instead);
        }
        let done = act(&mut self.file);
        self.failed = done.as_ref().is_err_and(|e| e.kind() != io::ErrorKind::Interrupted);
        done
    }
}

impl Write for Quiet<'_> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.noting(buffer.len(), |file| file.write(buffer))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.noting((), Write::flush)
    }
}

impl Seek for Quiet<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.noting(0, |file| file.seek(to))
    }
}

/// An NPZ file being written, uncompressed, array by array.
pub struct Writer<'a> {
    zip: ZipWriter<BufWriter<Quiet<'a>>>,
}

impl<'a> Writer<'a> {
    /// Starts at the beginning of `file`.
    pub fn new(file: &'a File) -> Self {
        Self { zip: ZipWriter::new(BufWriter::with_capacity(1 << 18, Quiet { file, failed: false })) }
    }

    /// Starts an array; its elements follow by [`Writer::push`].
    pub fn begin(&mut self, name: &str, descr: &str, shape: &[usize]) -> io::Result<()> {
        // 64-bit sizes throughout: an array may exceed 4 GiB, and NumPy always writes them.
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored).large_file(true);
        self.zip.start_file(format!("{name}.npy"), options)?;
        npy::write_header(&mut self.zip, descr, shape)
    }

    /// Adds elements to the array that was begun last.
    pub fn push<const N: usize>(&mut self, items: impl Iterator<Item = [u8; N]>) -> io::Result<()> {
        npy::write_elements(&mut stop::Interruptible(&mut self.zip), items)
    }

    /// A whole array of numbers.
    pub fn numbers(&mut self, name: &str, shape: &[usize], values: &[f64]) -> io::Result<()> {
        self.begin(name, "<f8", shape)?;
        self.push(values.iter().map(|v| v.to_le_bytes()))
    }

    /// A whole array of counts.
    pub fn counts(&mut self, name: &str, values: impl ExactSizeIterator<Item = u32>) -> io::Result<()> {
        self.begin(name, "<u4", &[values.len()])?;
        self.push(values.map(u32::to_le_bytes))
    }

    /// A whole array of text.
    pub fn strings(&mut self, name: &str, values: &[String]) -> io::Result<()> {
        let width = values.iter().map(|s| s.chars().count()).max().unwrap_or(0).max(1);
        self.begin(name, &format!("<U{width}"), &[values.len()])?;
        let padded = |s: &'_ String| {
            let chars: Vec<u32> = s.chars().map(u32::from).collect();
            (0..width).map(move |i| chars.get(i).copied().unwrap_or(0).to_le_bytes())
        };
        self.push(values.iter().flat_map(padded))
    }

    /// Writes the directory of the zip file, and everything that is still in buffers.
    pub fn finish(self) -> io::Result<()> {
        let mut file = self.zip.finish()?;
        file.flush()?;
        // An error is reported where it occurs; none may get lost.
        if file.get_ref().failed { Err(io::Error::other("a part was not written")) } else { Ok(()) }
    }
}
