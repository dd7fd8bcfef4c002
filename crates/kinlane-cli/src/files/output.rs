//! Files that appear complete or not at all.

use crate::error::Error;
use crate::run::stop;
use serde::Serialize;
use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tempfile::NamedTempFile;

/// A file that is written under a temporary name in the folder of its destination. If it is dropped, it is
/// deleted.
#[derive(Debug)]
pub struct Output {
    /// The path as the user gave it.
    path: PathBuf,
    /// Its destination.
    place: PathBuf,
    aside: NamedTempFile,
    /// A second signal removes the temporary file as long as there is one.
    removal: stop::Removal,
}

impl Output {
    /// Creates the temporary file: if that succeeds, the output can be written. A file that is there already must be open to its
    /// user, as it would be replaced otherwise; its permissions are those of the output.
    pub fn new(path: &Path) -> Result<Self, Error> {
        let fail = |fault| Error::Write { path: path.to_owned(), fault };
        if is_standard(path) {
            let fault = "only --csv and --json write to standard output; give a name, or ./- for a file of this one";
            return Err(fail(io::Error::new(io::ErrorKind::InvalidInput, fault)));
        }
        // A link is followed, so that it remains a link; a device or a pipe would be replaced by the file.
        let present = path.metadata();
        let place = match &present {
            _ if is_nowhere(path) => std::env::temp_dir().join("null"),
            Ok(m) if m.is_file() => {
                File::options().write(true).open(path).map_err(fail)?;
                path.canonicalize().map_err(fail)?
            }
            Ok(m) if m.is_dir() => return Err(fail(io::ErrorKind::IsADirectory.into())),
            Ok(_) => return Err(fail(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"))),
            Err(_) => end_of(path),
        };
        let folder = place.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        builder.prefix(".kinlane-").suffix(".part");
        let before = present.ok().filter(|m| m.is_file()).map(|m| m.permissions());
        // Temporary files are private by default; a new output should have the permissions of any new file.
        #[cfg(unix)]
        if before.is_none() {
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        }
        let aside = builder.tempfile_in(folder).map_err(|e| fail(io::Error::from(e.kind())))?;
        let removal = stop::Removal::of(aside.path());
        if let Some(before) = before {
            // To whom it is open, but not what it does as a program, such as to run as its owner.
            #[cfg(unix)]
            let before: std::fs::Permissions = {
                use std::os::unix::fs::PermissionsExt;
                PermissionsExt::from_mode(before.mode() & 0o777)
            };
            // A file system may have none, and then the file remains private where it could have been.
            match aside.as_file().set_permissions(before) {
                Err(e) if !matches!(e.kind(), io::ErrorKind::Unsupported | io::ErrorKind::PermissionDenied) => {
                    return Err(fail(e));
                }
                _ => {}
            }
        }
        // A name may be too long, although that of the temporary file is not.
        match place.symlink_metadata() {
            Err(fault) if fault.kind() != io::ErrorKind::NotFound => return Err(fail(fault)),
            _ => {}
        }
        Ok(Self { path: path.to_owned(), place, aside, removal })
    }

    /// The destination as a canonical path.
    fn whole(&self) -> PathBuf {
        let folder = self.aside.path().parent().and_then(|p| p.canonicalize().ok()).unwrap_or_default();
        folder.join(self.place.file_name().unwrap_or_default())
    }

    /// The file to write to.
    pub fn file(&self) -> &File {
        self.aside.as_file()
    }

    /// Turns an error in writing into one that names the output.
    pub fn blame(&self, fault: io::Error) -> Error {
        Error::Write { path: self.path.clone(), fault }.or_interrupted()
    }
}

/// Where a link to nothing leads; else the path itself.
fn end_of(path: &Path) -> PathBuf {
    let mut end = path.to_owned();
    // Links may lead in circles.
    for _ in 0..40 {
        let Ok(next) = end.read_link() else { break };
        end = end.parent().unwrap_or(Path::new("")).join(next);
    }
    end
}

/// Whether two paths lead to one place, where there may be nothing yet.
pub fn is_same(one: &Path, other: &Path) -> bool {
    let whole = |path: &Path| {
        let end = end_of(path);
        let folder = end.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some(folder.canonicalize().ok()?.join(end.file_name()?))
    };
    whole(one).is_some_and(|place| whole(other) == Some(place))
}

/// Whether what is written there is dropped, as where a run is only timed.
pub fn is_nowhere(path: &Path) -> bool {
    path == Path::new("/dev/null")
}

/// Whether the path stands for standard output.
pub fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// Whether one of these is standard output, which then contains nothing else.
pub fn to_standard(paths: &[&Option<PathBuf>]) -> bool {
    paths.iter().any(|path| path.as_deref().is_some_and(is_standard))
}

/// Files that appear together, once all of them are complete.
#[derive(Debug, Default)]
pub struct Outputs {
    files: Vec<Output>,
    /// Text for standard output, to be written once all files are complete.
    standard: String,
}

impl Outputs {
    /// Adds a file that was written.
    pub fn add(&mut self, written: Output) {
        self.files.push(written);
    }

    /// Writes a small text to a file or to standard output.
    pub fn text(&mut self, path: &Path, text: &str) -> Result<(), Error> {
        if is_standard(path) {
            self.standard.push_str(text);
            return Ok(());
        }
        self.bytes(path, text.as_bytes())
    }

    /// As [`Outputs::text`], for data that are not text.
    pub fn bytes(&mut self, path: &Path, bytes: &[u8]) -> Result<(), Error> {
        let out = Output::new(path)?;
        io::Write::write_all(&mut out.file(), bytes).map_err(|e| out.blame(e))?;
        self.add(out);
        Ok(())
    }

    /// Refuses to write two files to one place, or to one that was read. [`ready`] does so before long work, as far as is known
    /// then what will be read and written.
    fn apart(&self) -> Result<(), Error> {
        let read = READ.lock().unwrap_or_else(PoisonError::into_inner);
        let mut places: Vec<PathBuf> = Vec::new();
        for out in self.files.iter().filter(|out| !is_nowhere(&out.path)) {
            let place = out.whole();
            if read.contains(&place) {
                return Err(Error::WasRead { path: out.path.clone() });
            }
            if places.contains(&place) {
                return Err(Error::WrittenTwice { path: out.path.clone() });
            }
            places.push(place);
        }
        Ok(())
    }

    /// Moves all files to their destinations. They are flushed to disk first, and what is for standard output is written: a full disk
    /// must show before any of them has moved. A destination that was removed meanwhile can still fail by itself.
    pub fn commit(self) -> Result<(), Error> {
        stop::check()?;
        self.apart()?;
        let fail = |path: &Path, fault| Error::Write { path: path.to_owned(), fault };
        for out in &self.files {
            out.aside.as_file().sync_data().map_err(|e| fail(&out.path, e))?;
        }
        complete(io::Write::write_all(&mut io::stdout(), self.standard.as_bytes()))?;
        self.files.into_iter().try_for_each(|out| {
            let Output { path, place, aside, removal: _removal } = out;
            if is_nowhere(&path) {
                return Ok(());
            }
            aside.persist(&place).map(drop).map_err(|e| fail(&path, e.error))
        })
    }
}

/// Why text for standard output was lost. A reader that has closed the pipe has what it wants.
fn lost(written: io::Result<()>) -> Option<io::Error> {
    written.err().filter(|e| e.kind() != io::ErrorKind::BrokenPipe)
}

fn unsaid(fault: io::Error) -> Error {
    Error::Write { path: PathBuf::from("standard output"), fault }
}

/// Whether what was written to standard output got through.
pub fn complete(written: io::Result<()>) -> Result<(), Error> {
    lost(written.and_then(|()| io::Write::flush(&mut io::stdout()))).map_or(Ok(()), |e| Err(unsaid(e)))
}

/// The first loss of a line.
static LOST: Mutex<Option<io::Error>> = Mutex::new(None);

/// Writes a line on standard output.
pub fn line(text: fmt::Arguments<'_>) {
    if let Some(e) = lost(io::Write::write_fmt(&mut io::stdout(), format_args!("{text}\n"))) {
        LOST.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(e);
    }
}

/// Whether all lines have been written.
pub fn all_said() -> Result<(), Error> {
    LOST.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), |e| Err(unsaid(e)))
}

/// Files that the command has read, which it does not write.
static READ: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Protects files that the command reads.
pub fn protect<'a>(files: impl IntoIterator<Item = &'a Path>) {
    let whole = files.into_iter().filter_map(|file| file.canonicalize().ok());
    READ.lock().unwrap_or_else(PoisonError::into_inner).extend(whole);
}

/// Options whose file may be standard output.
const STANDARD: [&str; 2] = ["--csv", "--json"];
/// The option whose file is NPZ in most commands.
const NPZ: &str = "--out";
/// File name extensions that indicate a format other than NPZ.
const OTHERS: [&str; 9] = ["csv", "txt", "dat", "json", "yaml", "yml", "h5", "hdf5", "gz"];

/// The files that most commands write, with their options, for [`ready`].
pub fn usual<'a>(
    out: &'a Option<PathBuf>,
    csv: &'a Option<PathBuf>,
    picture: &'a Option<PathBuf>,
    json: &'a Option<PathBuf>,
) -> [(&'static str, Option<&'a Path>); 4] {
    [("--out", out), ("--csv", csv), ("--picture", picture), ("--json", json)].map(|(o, path)| (o, path.as_deref()))
}

/// As [`writable`], for a command whose `--out` is an NPZ file.
pub fn ready(files: &[(&'static str, Option<&Path>)], inputs: &[Option<&Path>]) -> Result<(), Error> {
    writable(files, inputs)?;
    let npz = files.iter().filter(|(option, _)| *option == NPZ).find_map(|(_, path)| *path);
    let ending = npz.and_then(Path::extension).and_then(OsStr::to_str).map(str::to_ascii_lowercase);
    match npz {
        Some(path) if ending.is_some_and(|ending| OTHERS.contains(&&*ending)) => {
            Err(Error::NotNpz { option: NPZ, path: path.to_owned() })
        }
        _ => Ok(()),
    }
}

/// Checks, before long work, that every output file can be written, has a name of its own, and is not one of
/// the input files. Each file comes with its option.
pub fn writable(files: &[(&'static str, Option<&Path>)], inputs: &[Option<&Path>]) -> Result<(), Error> {
    protect(inputs.iter().flatten().copied());
    let read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    let mut places: Vec<(&'static str, PathBuf)> = Vec::new();
    for &(option, path) in files {
        let Some(path) = path else { continue };
        let standard = is_standard(path) && STANDARD.contains(&option);
        let place = if standard { path.to_owned() } else { Output::new(path)?.whole() };
        if read.contains(&place) {
            return Err(Error::SameFile { path: path.to_owned(), option });
        }
        if let Some(&(first, _)) = places.iter().find(|known| known.1 == place && !is_nowhere(path)) {
            return Err(Error::SameOutput { first, second: option, path: path.to_owned() });
        }
        places.push((option, place));
    }
    Ok(())
}

/// Writes a small text file that appears complete or not at all, or writes to standard output.
pub fn write_text(path: &Path, text: &str) -> Result<(), Error> {
    let mut all = Outputs::default();
    all.text(path, text)?;
    all.commit()
}

/// A file name with an additional word: `d.csv` and `species` make `d-species.csv`.
pub fn beside(path: &Path, word: &str) -> PathBuf {
    let stem = path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
    let extension = path.extension().map_or_else(String::new, |s| format!(".{}", s.to_string_lossy()));
    path.with_file_name(format!("{stem}-{word}{extension}"))
}

/// JSON as text. Only numbers and names are written, so this cannot fail for the results of a run.
pub fn pretty(value: &impl Serialize, path: &Path) -> Result<String, Error> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|e| Error::Write { path: path.to_owned(), fault: io::Error::other(e) })?;
    Ok(text + "\n")
}

/// A field of a CSV table, in quotes if it contains a separator.
pub fn csv_field(text: &str) -> Cow<'_, str> {
    if text.contains([',', '"', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")).into() } else { text.into() }
}

/// The numbers of a row with all their digits, each after a comma.
pub fn csv_numbers(numbers: impl IntoIterator<Item = f64>) -> String {
    numbers.into_iter().map(|x| format!(",{x:e}")).collect()
}

/// A table of gases: first columns with their heads, and behind them the mole fractions of species.
pub fn csv_gases<N: AsRef<str>>(
    heads: &str,
    species: impl IntoIterator<Item = N>,
    rows: impl IntoIterator<Item = (String, Vec<f64>)>,
) -> String {
    let mut text = format!("{heads}{}\n", csv_mole_fractions(species));
    text.extend(rows.into_iter().map(|(first, x)| format!("{first}{}\n", csv_numbers(x))));
    text
}

/// The headers of columns with mole fractions of species, each after a comma.
pub fn csv_mole_fractions<N: AsRef<str>>(species: impl IntoIterator<Item = N>) -> String {
    species.into_iter().map(|name| format!(",{}", csv_field(&format!("X_{}", name.as_ref())))).collect()
}
