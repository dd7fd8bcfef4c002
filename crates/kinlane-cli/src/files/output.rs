//! Files that appear whole or not at all.

use crate::error::Error;
use crate::run::stop;
use serde::Serialize;
use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file being written aside, in the folder of its final place, under a temporary name. Dropped, it is gone.
#[derive(Debug)]
pub struct Output {
    /// As the user gave it.
    path: PathBuf,
    /// Where it goes.
    place: PathBuf,
    aside: NamedTempFile,
}

impl Output {
    /// Makes the temporary file: where this succeeds, the output can be written.
    pub fn new(path: &Path) -> Result<Self, Error> {
        let fail = |fault| Error::Write { path: path.to_owned(), fault };
        if is_standard(path) {
            let fault = "only --csv and --json write to standard output; give a name, or ./- for a file of this one";
            return Err(fail(io::Error::new(io::ErrorKind::InvalidInput, fault)));
        }
        // A link is followed, so that it stays a link; a device or a pipe would be replaced by the file.
        let place = match path.metadata() {
            Ok(m) if m.is_file() => path.canonicalize().map_err(fail)?,
            Ok(m) if m.is_dir() => return Err(fail(io::ErrorKind::IsADirectory.into())),
            Ok(_) => return Err(fail(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"))),
            Err(_) => path.to_owned(),
        };
        let folder = place.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        builder.prefix(".kinlane-").suffix(".part");
        // Temporary files are private by default; an output should have the rights any new file gets.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let aside = builder.tempfile_in(folder).map_err(|e| fail(io::Error::from(e.kind())))?;
        stop::register(aside.path());
        Ok(Self { path: path.to_owned(), place, aside })
    }

    /// Where the file goes, spelled in one way only.
    fn whole(&self) -> PathBuf {
        let folder = self.aside.path().parent().and_then(|p| p.canonicalize().ok()).unwrap_or_default();
        folder.join(self.place.file_name().unwrap_or_default())
    }

    /// The file to write into.
    pub fn file(&self) -> &File {
        self.aside.as_file()
    }

    /// Turns a fault of writing into an error that names the output.
    pub fn blame(&self, fault: io::Error) -> Error {
        Error::Write { path: self.path.clone(), fault }.or_interrupted()
    }

    /// Moves the file to its place.
    pub fn commit(self) -> Result<(), Error> {
        Outputs { files: vec![self], ..Outputs::default() }.commit()
    }
}

/// Whether this stands for standard output.
pub fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// Whether one of these is written to standard output, which then holds nothing else.
pub fn to_standard(paths: &[&Option<PathBuf>]) -> bool {
    paths.iter().any(|path| path.as_deref().is_some_and(is_standard))
}

/// Files that appear together, or none of them.
#[derive(Debug, Default)]
pub struct Outputs {
    files: Vec<Output>,
    /// What goes to standard output, once the files are there.
    standard: String,
}

impl Outputs {
    /// A file that was written.
    pub fn add(&mut self, written: Output) {
        self.files.push(written);
    }

    /// A small text file, or standard output.
    pub fn text(&mut self, path: &Path, text: &str) -> Result<(), Error> {
        if is_standard(path) {
            self.standard.push_str(text);
            return Ok(());
        }
        self.bytes(path, text.as_bytes())
    }

    /// As [`Outputs::text`], for what is no text.
    pub fn bytes(&mut self, path: &Path, bytes: &[u8]) -> Result<(), Error> {
        let out = Output::new(path)?;
        io::Write::write_all(&mut out.file(), bytes).map_err(|e| out.blame(e))?;
        self.add(out);
        Ok(())
    }

    /// Moves all to their places. They are forced to disk first: a full disk must show before any of them has moved.
    pub fn commit(self) -> Result<(), Error> {
        stop::check()?;
        let fail = |path: &Path, fault| Error::Write { path: path.to_owned(), fault };
        for out in &self.files {
            out.aside.as_file().sync_data().map_err(|e| fail(&out.path, e))?;
        }
        self.files.into_iter().try_for_each(|out| {
            let Output { path, place, aside } = out;
            aside.persist(&place).map(drop).map_err(|e| fail(&path, e.error))
        })?;
        match io::Write::write_all(&mut io::stdout(), self.standard.as_bytes()) {
            // A reader that went away has what it wants.
            Err(e) if e.kind() != io::ErrorKind::BrokenPipe => Err(fail(Path::new("standard output"), e)),
            _ => Ok(()),
        }
    }
}

/// Options whose file may be standard output.
const STANDARD: [&str; 2] = ["--csv", "--json"];
/// The option whose file is NPZ always.
const NPZ: &str = "--out";
/// Endings that say that a file is something else than NPZ.
const OTHERS: [&str; 9] = ["csv", "txt", "dat", "json", "yaml", "yml", "h5", "hdf5", "gz"];

/// Tries, before long work, whether every file that will be written can be, has a name of its own, and is none of those
/// that are read. Each comes with its option.
pub fn ready(files: &[(&'static str, Option<&Path>)], inputs: &[Option<&Path>]) -> Result<(), Error> {
    let read: Vec<PathBuf> = inputs.iter().flatten().filter_map(|input| input.canonicalize().ok()).collect();
    let mut places: Vec<(&'static str, PathBuf)> = Vec::new();
    for &(option, path) in files {
        let Some(path) = path else { continue };
        let standard = is_standard(path) && STANDARD.contains(&option);
        let place = if standard { path.to_owned() } else { Output::new(path)?.whole() };
        if read.contains(&place) {
            return Err(Error::SameFile { path: path.to_owned(), option });
        }
        let ending = path.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
        if option == NPZ && ending.is_some_and(|ending| OTHERS.contains(&&*ending)) {
            return Err(Error::NotNpz { option, path: path.to_owned() });
        }
        if let Some(&(first, _)) = places.iter().find(|known| known.1 == place) {
            return Err(Error::SameOutput { first, second: option, path: path.to_owned() });
        }
        places.push((option, place));
    }
    Ok(())
}

/// Writes a small text file that appears whole or not at all, or to standard output.
pub fn write_text(path: &Path, text: &str) -> Result<(), Error> {
    let mut all = Outputs::default();
    all.text(path, text)?;
    all.commit()
}

/// As [`write_text`], for what is no text.
pub fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let mut all = Outputs::default();
    all.bytes(path, bytes)?;
    all.commit()
}

/// A file's name with a word more: `d.csv` and `species` make `d-species.csv`.
pub fn beside(path: &Path, word: &str) -> PathBuf {
    let stem = path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
    let extension = path.extension().map_or_else(String::new, |s| format!(".{}", s.to_string_lossy()));
    path.with_file_name(format!("{stem}-{word}{extension}"))
}

/// JSON as text. Only numbers and names are written, so this cannot fail on what a run produces.
pub fn pretty(value: &impl Serialize, path: &Path) -> Result<String, Error> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|e| Error::Write { path: path.to_owned(), fault: io::Error::other(e) })?;
    Ok(text + "\n")
}

/// A field of a table: in quotes where it holds what would end it.
pub fn csv_field(text: &str) -> Cow<'_, str> {
    if text.contains([',', '"', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")).into() } else { text.into() }
}

/// Numbers of a row with all their digits, each after a comma.
pub fn csv_numbers(numbers: impl IntoIterator<Item = f64>) -> String {
    numbers.into_iter().map(|x| format!(",{x:e}")).collect()
}

/// The headers of columns with mole fractions of species, each after a comma.
pub fn csv_mole_fractions<N: AsRef<str>>(species: impl IntoIterator<Item = N>) -> String {
    species.into_iter().map(|name| format!(",{}", csv_field(&format!("X_{}", name.as_ref())))).collect()
}
