//! Reads golden answers.

use npyz::NpyFile;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use zip::ZipArchive;

/// A NumPy archive of doubles.
pub struct Npz {
    archive: ZipArchive<BufReader<File>>,
    name: String,
}

impl Npz {
    /// Opens an archive.
    ///
    /// # Panics
    /// If it cannot be opened.
    pub fn open(path: &Path) -> Self {
        let name = path.display().to_string();
        let file = File::open(path).unwrap_or_else(|e| panic!("{name}: {e}"));
        let archive = ZipArchive::new(BufReader::new(file)).unwrap_or_else(|e| panic!("{name}: {e}"));
        Self { archive, name }
    }

    /// One array, in C order.
    ///
    /// # Panics
    /// If it is absent or not of doubles.
    pub fn array(&mut self, key: &str) -> Vec<f64> {
        let name = &self.name;
        let bytes = self.archive.by_name(&format!("{key}.npy")).unwrap_or_else(|e| panic!("{name}: {key}: {e}"));
        let array = NpyFile::new(bytes).unwrap_or_else(|e| panic!("{name}: {key}: {e}"));
        array.into_vec().unwrap_or_else(|e| panic!("{name}: {key}: {e}"))
    }
}

/// A golden JSON file.
///
/// # Panics
/// If it cannot be read.
pub fn json(path: &Path) -> serde_json::Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The numbers of a JSON list.
///
/// # Panics
/// If it is none.
pub fn numbers(v: &serde_json::Value) -> Vec<f64> {
    let list = v.as_array().unwrap_or_else(|| panic!("no list: {v}"));
    list.iter().map(|x| x.as_f64().unwrap_or_else(|| panic!("no number: {x}"))).collect()
}
