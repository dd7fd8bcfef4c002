//! Runs the program in a folder of its own; writes and reads NPZ files without the program's own code.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The species of the bundled `h2`.
pub const H2: [&str; N] = ["H", "H2", "O", "OH", "H2O", "O2", "HO2", "H2O2", "N2", "AR", "HE", "CO", "CO2"];
/// Their number.
pub const N: usize = 13;

/// A folder, gone at the end.
pub struct Bench {
    pub dir: tempfile::TempDir,
}

impl Bench {
    pub fn new() -> Self {
        Self { dir: tempfile::tempdir().expect("a temporary folder") }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn kinlane(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("the program starts")
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut c = Command::new(env!("CARGO_BIN_EXE_kinlane"));
        c.args(args).current_dir(self.dir.path());
        c
    }

    /// Names in the folder, hidden ones too.
    pub fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.dir.path()).expect("the folder");
        let mut names: Vec<String> =
            entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

pub fn stderr(o: &Output) -> String {
    String::from_utf8_lossy(&o.stderr).into_owned()
}

pub fn stdout(o: &Output) -> String {
    String::from_utf8_lossy(&o.stdout).into_owned()
}

/// One array: element type, order, shape, bytes.
pub struct Array {
    pub descr: String,
    pub fortran: bool,
    pub shape: Vec<usize>,
    pub data: Vec<u8>,
}

impl Array {
    pub fn f64(shape: &[usize], values: &[f64]) -> Self {
        let data = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        Self { descr: "<f8".into(), fortran: false, shape: shape.to_vec(), data }
    }

    pub fn text(values: &[&str]) -> Self {
        let width = values.iter().map(|v| v.len()).max().unwrap_or(1);
        let padded = |v: &&str| {
            let mut c: Vec<u32> = v.chars().map(u32::from).collect();
            c.resize(width, 0);
            c
        };
        let data = values.iter().flat_map(padded).flat_map(u32::to_le_bytes).collect();
        Self { descr: format!("<U{width}"), fortran: false, shape: vec![values.len()], data }
    }

    pub fn numbers(&self) -> Vec<f64> {
        match self.descr.as_str() {
            "<f8" => self.data.as_chunks().0.iter().map(|b| f64::from_le_bytes(*b)).collect(),
            "<u4" => self.data.as_chunks().0.iter().map(|b| f64::from(u32::from_le_bytes(*b))).collect(),
            other => panic!("type {other}"),
        }
    }

    pub fn strings(&self) -> Vec<String> {
        let width: usize = self.descr.strip_prefix("<U").expect("text").parse().expect("a width");
        let chars: Vec<char> = self
            .data
            .as_chunks()
            .0
            .iter()
            .map(|b| char::from_u32(u32::from_le_bytes(*b)).expect("a character"))
            .collect();
        chars.chunks(width).map(|c| c.iter().take_while(|c| **c != '\0').collect()).collect()
    }
}

pub type Npz = BTreeMap<&'static str, Array>;

/// Writes an NPZ file, deflated if asked for.
pub fn save(path: &Path, arrays: &Npz, deflate: bool) {
    let mut zip = zip::ZipWriter::new(File::create(path).expect("the file"));
    let method = if deflate { zip::CompressionMethod::Deflated } else { zip::CompressionMethod::Stored };
    let options = zip::write::SimpleFileOptions::default().compression_method(method);
    for (name, a) in arrays {
        zip.start_file(format!("{name}.npy"), options).expect("an entry");
        let order = if a.fortran { "True" } else { "False" };
        let shape: String = a.shape.iter().map(|d| format!("{d},")).collect();
        let mut header = format!("{{'descr': '{}', 'fortran_order': {order}, 'shape': ({shape}), }}", a.descr);
        header.push_str(&" ".repeat(63 - (10 + header.len()) % 64));
        header.push('\n');
        zip.write_all(b"\x93NUMPY\x01\x00").expect("written");
        zip.write_all(&(header.len() as u16).to_le_bytes()).expect("written");
        zip.write_all(header.as_bytes()).expect("written");
        zip.write_all(&a.data).expect("written");
    }
    zip.finish().expect("finished");
}

/// Reads an NPZ file as NumPy would.
pub fn load(path: &Path) -> BTreeMap<String, Array> {
    let mut zip = zip::ZipArchive::new(File::open(path).expect("the file")).expect("a zip");
    (0..zip.len())
        .map(|i| {
            let mut entry = zip.by_index(i).expect("an entry");
            let name = entry.name().expect("a name").strip_suffix(".npy").expect("an array").to_owned();
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).expect("read");
            assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
            let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
            assert_eq!((10 + length) % 64, 0, "data are aligned");
            let header = String::from_utf8(bytes[10..10 + length].to_vec()).expect("text");
            let after = |key: &str| header.split(key).nth(1).expect("a key").to_owned();
            let descr = after("'descr': '").split('\'').next().expect("a type").to_owned();
            let shape = after("'shape': (").split(')').next().expect("a shape").to_owned();
            let shape = shape.split(',').filter_map(|s| s.trim().parse().ok()).collect();
            (name, Array { descr, fortran: header.contains("True"), shape, data: bytes[10 + length..].to_vec() })
        })
        .collect()
}

/// `n` cells of hydrogen and air, each a little different, species in the bundled order.
pub fn cells(n: usize) -> Npz {
    let row = |i: usize| {
        let h2 = 0.02 + 0.001 * (i % 10) as f64;
        let o2 = 0.23 * (1.0 - h2);
        [0.0, h2, 0.0, 0.0, 0.0, o2, 0.0, 0.0, 1.0 - h2 - o2, 0.0, 0.0, 0.0, 0.0]
    };
    let t: Vec<f64> = (0..n).map(|i| 1000.0 + 5.0 * (i % 100) as f64).collect();
    let y: Vec<f64> = (0..n).flat_map(row).collect();
    Npz::from([
        ("T", Array::f64(&[n], &t)),
        ("P", Array::f64(&[n], &vec![101_325.0; n])),
        ("Y", Array::f64(&[n, N], &y)),
        ("species", Array::text(&H2)),
    ])
}

/// Replaces one number.
pub fn spoil(npz: &mut Npz, array: &'static str, at: usize, value: f64) {
    let a = npz.get_mut(array).expect("an array");
    a.data[at * 8..at * 8 + 8].copy_from_slice(&value.to_le_bytes());
}
