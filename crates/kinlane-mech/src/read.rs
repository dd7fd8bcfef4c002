//! Opening files, and the refusal that every reader returns.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::reaclib::{self, Selection};
pub use crate::recognise::recognise;
use crate::render::{first_of_each, render};
use crate::scheme::Scheme;
use crate::screening::{Screening, screened};
use crate::{Diagnostic, Network, Severity, Sources, cantera, chemkin, codes, fern, kpp, musica};

/// A format of mechanism files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Format {
    /// Cantera YAML.
    Cantera,
    /// CHEMKIN-II/III mechanism and thermodynamics.
    Chemkin,
    /// Files of KPP, the Kinetic PreProcessor: a reaction scheme ([`read_scheme`]).
    Kpp,
    /// A network of FERN: a reaction scheme.
    Fern,
    /// A library of REACLIB: a reaction scheme.
    Reaclib,
    /// A configuration of MICM or MUSICA (OpenAtmos), a file or a folder: a reaction scheme.
    Musica,
}

impl Format {
    /// All that there are.
    pub const ALL: [Self; 6] = [Self::Cantera, Self::Chemkin, Self::Kpp, Self::Musica, Self::Fern, Self::Reaclib];

    /// Its name, as `--format` takes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cantera => "cantera",
            Self::Chemkin => "chemkin",
            Self::Kpp => "kpp",
            Self::Musica => "musica",
            Self::Fern => "fern",
            Self::Reaclib => "reaclib",
        }
    }

    /// What it is called in messages.
    fn called(self) -> &'static str {
        match self {
            Self::Cantera => "Cantera YAML",
            Self::Chemkin => "CHEMKIN",
            Self::Kpp => "a KPP file",
            Self::Fern => "a FERN network",
            Self::Reaclib => "a REACLIB library",
            Self::Musica => "a MUSICA configuration",
        }
    }

    /// Whether it is that of a reaction scheme, else that of a gas-phase mechanism.
    pub fn is_scheme(self) -> bool {
        matches!(self, Self::Kpp | Self::Fern | Self::Reaclib | Self::Musica)
    }
}

impl std::str::FromStr for Format {
    type Err = Diagnostic;

    fn from_str(name: &str) -> Result<Self, Diagnostic> {
        Self::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(name)).ok_or_else(|| {
            let known = Self::ALL.map(|format| format!("`{}`", format.name())).join(", ");
            Diagnostic::error(codes::UNKNOWN_FORMAT, format!("there is no format `{name}`"))
                .help(format!("formats are {known}"))
        })
    }
}

/// Options of [`read`].
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// The format; recognised by content if absent.
    pub format: Option<Format>,
    /// The phase of a Cantera file; its first one if absent.
    pub phase: Option<String>,
    /// Thermodynamic data of a CHEMKIN file.
    pub thermo: Option<PathBuf>,
    /// Rates of a FERN network.
    pub rates: Option<PathBuf>,
    /// Nuclides of a REACLIB library; all of them if absent.
    pub nuclides: Option<Selection>,
    /// Tables of partition functions for a REACLIB library.
    pub partition: Vec<PathBuf>,
    /// Screening of a FERN network or a REACLIB library; none if absent.
    pub screening: Option<Screening>,
    /// Folders for files that a mechanism names and that are not beside it.
    pub search: Vec<PathBuf>,
}

/// Reads a mechanism of any supported format.
///
/// # Errors
///
/// A [`Refusal`] with every problem found. Warnings of an accepted file are in [`Network::notes`].
pub fn read(path: &Path, options: &ReadOptions) -> Result<Network, Refusal> {
    if musica::is_within(path) {
        // Refused, as a file of a reaction scheme is.
        settled("", path, Some(Format::Musica), options, false)?;
    }
    let text = text_of(path)?;
    let phase = options.phase.as_deref();
    match settled(&text, path, options.format, options, options.thermo.is_some())? {
        Format::Chemkin => chemkin::read(path, options.thermo.as_deref()),
        _ => cantera::read_str(text, path, phase, &options.search),
    }
}

/// As [`read`], from memory: `(name, text)` of the mechanism and, for CHEMKIN, of its thermodynamics if they
/// are separate; else those are read from the file that the options name. The names are used in messages, and files
/// that a Cantera text names are searched for beside its name.
///
/// # Errors
///
/// As [`read`].
pub fn read_str(
    (name, text): (&str, &str),
    thermo: Option<(&str, &str)>,
    options: &ReadOptions,
) -> Result<Network, Refusal> {
    let text = decode(text.as_bytes(), name)?;
    let (path, phase) = (Path::new(name), options.phase.as_deref());
    let file = match (thermo, &options.thermo) {
        (None, Some(file)) => Some((file.display().to_string(), text_of(file)?)),
        _ => None,
    };
    let thermo = thermo.or(file.as_ref().map(|(name, text)| (&**name, &**text)));
    match settled(&text, path, options.format, options, thermo.is_some())? {
        Format::Chemkin => chemkin::read_str((name, &text), thermo),
        _ => cantera::read_str(text, path, phase, &options.search),
    }
}

/// Reads a reaction scheme of any supported format.
///
/// # Errors
///
/// A [`Refusal`] with every problem found. Warnings of an accepted file are in [`Scheme::notes`].
pub fn read_scheme(path: &Path, options: &ReadOptions) -> Result<Scheme, Refusal> {
    let format = match options.format {
        Some(format) => format,
        None if path.is_dir() => Format::Musica,
        None => recognise(&text_of(path)?, path)?,
    };
    suits(path, format, options, options.thermo.is_some())?;
    let scheme = match format {
        Format::Kpp => kpp::read(path),
        Format::Fern => fern::read(path, options.rates.as_deref()),
        Format::Reaclib => reaclib::read(path, options.nuclides.as_ref(), &options.partition),
        Format::Musica => musica::read(path),
        _ => Err(no_scheme(path, format)),
    }?;
    Ok(finished(scheme, options))
}

/// As [`read_scheme`], from memory: `(name, text)` of a file. Files that it names are searched for beside its name.
///
/// # Errors
///
/// As [`read_scheme`]; also for a FERN network, which is in two files.
pub fn read_scheme_str((name, text): (&str, &str), options: &ReadOptions) -> Result<Scheme, Refusal> {
    let text = decode(text.as_bytes(), name)?;
    let path = Path::new(name);
    let format = match options.format {
        Some(format) => format,
        None => recognise(&text, path)?,
    };
    suits(path, format, options, options.thermo.is_some())?;
    let scheme = match format {
        Format::Kpp => kpp::read_str((name, &text)),
        Format::Fern => {
            let message = format!("`{name}` is {}, which is in two files", format.called());
            Err(Diagnostic::error(codes::FERN_RATES, message).help("give the name of its file of nuclides").into())
        }
        Format::Reaclib => reaclib::read_from((name, text), options.nuclides.as_ref(), &options.partition),
        Format::Musica => musica::read_str((name, &text)),
        _ => Err(no_scheme(path, format)),
    }?;
    Ok(finished(scheme, options))
}

/// The scheme, screened if that is asked for.
fn finished(scheme: Scheme, options: &ReadOptions) -> Scheme {
    match options.screening {
        Some(law) => screened(scheme, law),
        None => scheme,
    }
}

/// Refuses options that a format does not use. `thermo`: whether thermodynamic data are given, in a file or otherwise.
///
/// # Errors
///
/// A [`Refusal`] that names the first of them.
pub fn suits(path: &Path, format: Format, options: &ReadOptions, thermo: bool) -> Result<(), Refusal> {
    let (fern, reaclib) = (format == Format::Fern, format == Format::Reaclib);
    let unused = [
        ("--phase", options.phase.is_some() && format != Format::Cantera),
        ("--thermo", thermo && format != Format::Chemkin),
        ("--rates", options.rates.is_some() && !fern),
        ("--nuclides", options.nuclides.is_some() && !reaclib),
        ("--partition", !options.partition.is_empty() && !reaclib),
        ("--screening", options.screening.is_some() && !reaclib && !fern),
    ];
    match unused.into_iter().find(|u| u.1) {
        Some((option, _)) => {
            let message = format!("`{option}` does not apply: `{}` is {}", path.display(), format.called());
            Err(Diagnostic::error(codes::UNKNOWN_OPTION, message).help("leave the option out").into())
        }
        None => Ok(()),
    }
}

/// A file is a gas-phase mechanism.
fn no_scheme(path: &Path, format: Format) -> Refusal {
    let message = format!("`{}` is {}, no reaction scheme", path.display(), format.called());
    let help = "reaction schemes are KPP files, MUSICA configurations, FERN networks and REACLIB libraries; this one is for the gas phase";
    Diagnostic::error(codes::UNKNOWN_FORMAT, message).help(help).into()
}

/// The format of a gas-phase mechanism, after checking that no option was given which it does not use.
fn settled(
    text: &str,
    path: &Path,
    format: Option<Format>,
    options: &ReadOptions,
    thermo: bool,
) -> Result<Format, Refusal> {
    let format = match format {
        Some(format) => format,
        None => recognise(text, path)?,
    };
    if format.is_scheme() {
        let message = format!("`{}` is {}, which has no thermodynamics of a gas", path.display(), format.called());
        let command = if matches!(format, Format::Fern | Format::Reaclib) { "burn" } else { "box" };
        let help = format!(
            "it is a reaction scheme: `check`, `rates`, `advance` and `{command}` take it, and in programs what opens schemes"
        );
        return Err(Diagnostic::error(codes::UNKNOWN_FORMAT, message).help(help).into());
    }
    suits(path, format, options, thermo)?;
    Ok(format)
}

/// Number of findings per code that the text of a refusal shows.
const SHOWN: usize = 10;

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

/// A refusal for a reason without a place in a text.
impl From<Diagnostic> for Refusal {
    fn from(diagnostic: Diagnostic) -> Self {
        Self::new(diagnostic, Sources::default())
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut shown, more) = first_of_each(&self.diagnostics, |_| SHOWN);
        shown.sort_by_key(|d| std::cmp::Reverse(d.severity));
        f.write_str(render(&shown, &self.sources, false).trim_end())?;
        if more.is_empty() {
            return Ok(());
        }
        let more: Vec<String> = more.iter().map(|(_, code, n)| format!("{n} more {code}")).collect();
        let errors = self.diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
        write!(f, "\n\nand {}; {errors} errors in all", more.join(", "))
    }
}

impl std::error::Error for Refusal {}

/// What went wrong with a file, in plain words instead of the system's message.
pub fn words(e: &io::Error) -> String {
    use io::ErrorKind as Kind;
    match e.kind() {
        Kind::NotFound => "there is no such file or folder".into(),
        Kind::PermissionDenied => "its permissions forbid it".into(),
        Kind::IsADirectory => "it is a folder".into(),
        Kind::NotADirectory => "a part of its path is no folder".into(),
        Kind::StorageFull => "the disk is full".into(),
        Kind::QuotaExceeded => "the quota is used up".into(),
        Kind::ReadOnlyFilesystem => "the disk can only be read".into(),
        Kind::UnexpectedEof => "it ends too early".into(),
        // The system appends a number to its message.
        _ => e.to_string().split(" (os error").next().unwrap_or_default().to_owned(),
    }
}

/// The name of a file without folder and extension: that of its mechanism.
pub(crate) fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}

/// Reads a file as text: UTF-8 or else Latin-1, without byte-order mark, with `\n` as the only line end.
pub fn text_of(path: &Path) -> Result<String, Diagnostic> {
    let bytes = std::fs::read(path).map_err(|e| {
        Diagnostic::error(codes::UNREADABLE, format!("cannot read `{}`: {}", path.display(), words(&e)))
            .help("check the name and the permissions of the file")
    })?;
    decode(&bytes, &path.display().to_string())
}

/// Bytes to text as [`text_of`] does; `name` is for the messages.
pub fn decode(bytes: &[u8], name: &str) -> Result<String, Diagnostic> {
    let utf16 = [&[0xff, 0xfe][..], &[0xfe, 0xff]].iter().any(|mark| bytes.starts_with(mark));
    if utf16 || bytes.contains(&0) {
        let help = match bytes {
            // A zip, by its first bytes: NPZ files are such.
            [b'P', b'K', 3, 4, ..] => {
                "this may be an NPZ file of states, which belongs to --states; give the mechanism here"
            }
            _ => "mechanisms are read as plain text in UTF-8 or Latin-1; decompress or convert the file first",
        };
        return Err(Diagnostic::error(codes::BINARY, format!("`{name}` is not a text file")).help(help));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_no_mechanism() {
        let zip = decode(b"PK\x03\x04\x00\x00", "s.npz").unwrap_err();
        assert!(zip.help.is_some_and(|help| help.contains("--states")));
    }

    #[test]
    fn a_file_that_is_not_there_is_named() {
        let e = read(Path::new("no/such/file.yaml"), &ReadOptions::default()).unwrap_err();
        assert!(e.to_string().contains("`no/such/file.yaml`: there is no such file"), "{e}");
    }
}
