//! Why a command ended without completing its work, and the exit code for that.

use crate::commands::course::SettingFault;
use crate::commands::ignite::IgniteFault;
use crate::files::npz::NpzError;
use crate::mixture::MixtureFault;
use crate::picture::chart;
use crate::run::{exit, stop};
use kinlane::mech::Refusal;
use kinlane::mech::read::words;
use kinlane::mech::words::few;
use kinlane::{BatchError, DeviceError, FlameletError, MechanismError, PasrError, PlanError, PsrError, TraceError};
use std::io;
use std::path::{Path, PathBuf};

/// Everything that ends a command early.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The mechanism was refused; the message says where and why.
    #[error(transparent)]
    Mechanism(#[from] MechanismError),
    /// The options were refused.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A states file was refused.
    #[error(transparent)]
    Npz(#[from] NpzError),
    /// The cells of a file were refused.
    #[error("{}: {fault}", .path.display())]
    Batch {
        /// The states file.
        path: PathBuf,
        /// What is wrong with its cells.
        fault: BatchError,
    },
    /// Nothing says how far to advance.
    #[error("{}: no interval: give --dt, or in the file an array `dt` [n] s with that of each cell", .path.display())]
    NoInterval {
        /// The states file.
        path: PathBuf,
    },
    /// The species of a file are not those of the mechanism.
    #[error("{}, array `species`: {fault}", .path.display())]
    Species {
        /// The states file.
        path: PathBuf,
        /// What is wrong.
        fault: SpeciesFault,
    },
    /// An option that applies to gas-phase mechanisms alone.
    #[error("{option} means nothing for this reaction scheme; leave it out")]
    NotForSchemes {
        /// The option.
        option: &'static str,
    },
    /// An option that applies to networks of nuclides alone.
    #[error("{option} is for networks of nuclides, and this is a gas-phase mechanism; leave it out")]
    OnlyForStars {
        /// The option.
        option: &'static str,
    },
    /// A command was given what it does not take.
    #[error("`kinlane {command}` takes {takes}, and this is something else")]
    OtherCommand {
        /// The command.
        command: &'static str,
        /// What it takes.
        takes: &'static str,
    },
    /// What was set of a cell that is followed cannot be.
    #[error(transparent)]
    Setting(#[from] SettingFault),
    /// A method with steps of one length, in a command that has no option for it.
    #[error("{method} takes steps of one length and does not know its errors; take another --method")]
    OneLength {
        /// Name of the method.
        method: &'static str,
    },
    /// Something that neither the file nor the command line says.
    #[error("the file does not say {what}: give {option}")]
    Unsaid {
        /// What it is.
        what: &'static str,
        /// The option.
        option: &'static str,
    },
    /// More rows than can be meant.
    #[error("more than a million rows: take a larger --every")]
    TooOften,
    /// A mapping that a device does not have.
    #[error(
        "--mapping part is one of cuda, whose warps have parts that work by themselves; with `{device}` take group"
    )]
    PartOfWarp {
        /// The device.
        device: String,
    },
    /// A bench of a device, and there is none.
    #[error("there is no device beside the CPU to be measured: {why}")]
    NothingToMeasure {
        /// Why not.
        why: String,
    },
    /// More steps than can be meant.
    #[error("more than a billion steps of {step:e} s in {time:e} s: take a longer --step")]
    TooShortSteps {
        /// The step \[s\].
        step: f64,
        /// The time \[s\].
        time: f64,
    },
    /// A cell that is followed cannot go on.
    #[error("at {t:.6e} s: {fault}")]
    Course {
        /// The time \[s\].
        t: f64,
        /// Why.
        fault: String,
    },
    /// There is no parcel of air.
    #[error(transparent)]
    Parcel(kinlane::ParcelError),
    /// There is no zone that is heated.
    #[error(transparent)]
    Zone(#[from] kinlane::ZoneError),
    /// The mixture of the command line is impossible.
    #[error(transparent)]
    Mixture(MixtureFault),
    /// What `ignite` alone is asked for cannot be had.
    #[error(transparent)]
    Ignite(#[from] IgniteFault),
    /// An output for a single cell was requested for several cells.
    #[error("{option} is for one cell and the sweep has {cells}; give one T, P and phi, or leave {option} out")]
    OneCell {
        /// The option.
        option: &'static str,
        /// Number of cells of the sweep.
        cells: usize,
    },
    /// An option says what files should hold, and there are none.
    #[error("{option} says what a file shows: give {files} as well")]
    Nowhere {
        /// The option.
        option: &'static str,
        /// The options that make such files.
        files: &'static str,
    },
    /// A table from a user cannot be used.
    #[error("{}{}: {fault}", .path.display(), if *.line > 0 { format!(", line {line}") } else { String::new() })]
    Table {
        /// The file.
        path: PathBuf,
        /// Its line; 0 if the fault is not in a line.
        line: u64,
        /// What is wrong, and what would be right.
        fault: String,
    },
    /// Several residence times where one is needed.
    #[error("--transient needs one residence time: give --tau a single value")]
    OneTau,
    /// More curves than can be told apart.
    #[error(
        "--picture: there would be {0} curves, and {most} can be told apart; give fewer values, or --csv in its place",
        most = chart::MOST
    )]
    Curves(usize),
    /// The file is not a memory of cells.
    #[error(
        "{}: this is no memory that --continue has written; give another name, and a new one is made there",
        .path.display()
    )]
    NoMemory {
        /// The file.
        path: PathBuf,
    },
    /// A memory of cells was made for another run.
    #[error(
        "{}: this file is of a run with {have}, not {want}; give another name to begin anew, or the options \
         it was made with",
        .path.display()
    )]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// What it was made for.
        have: String,
        /// What is needed.
        want: String,
    },
    /// States cannot be read from standard input, only from a file.
    #[error("--states -: states must be a regular file, for they are not read in their order; write them to one first")]
    StatesStream,
    /// Standard input cannot be read.
    #[error("cannot read standard input: {}", words(.0))]
    Input(io::Error),
    /// No result was found for a stirred reactor.
    #[error("stirred reactor: {fault}{}{hint}", over_time(.fault))]
    Psr {
        /// Why not.
        fault: PsrError,
        /// What may be wrong with the inflow.
        hint: String,
    },
    /// A partially stirred reactor cannot be set up, or cannot go on.
    #[error("partially stirred reactor: {0}")]
    Pasr(#[from] PasrError),
    /// A flamelet cannot be set up, or cannot go on.
    #[error("flamelet: {0}")]
    Flamelet(#[from] FlameletError),
    /// A benchmark needs a fuel.
    #[error("{case}: the fuel is missing; write MECH:FUEL, as gri30:CH4")]
    NoFuel {
        /// The argument.
        case: String,
    },
    /// A file of cells to measure on has none.
    #[error("{}: there are no cells in it to measure on", .path.display())]
    NoCells {
        /// The file.
        path: PathBuf,
    },
    /// An option that is for one mechanism came with several, or with none.
    #[error("{option} is for one mechanism: name it")]
    OneMechanism {
        /// The option.
        option: &'static str,
    },
    /// An option for devices was given without a device.
    #[error("{option} is about devices, and cells are advanced on the CPU; give a --device, or leave it out")]
    NoDeviceFor {
        /// The option.
        option: &'static str,
    },
    /// The command cannot use a device.
    #[error(
        "this runs on the CPU, not on `{device}`; leave --device out (advance, rates, demo, pasr, flamelet, and ignite without a history, run \
         on devices)"
    )]
    OnlyCpu {
        /// The device asked for.
        device: String,
    },
    /// A device failed.
    #[error(transparent)]
    Device(DeviceError),
    /// Two outputs would be the same file.
    #[error("{first} and {second} are both {}; give each a name of its own", .path.display())]
    SameOutput {
        /// An option.
        first: &'static str,
        /// Another one.
        second: &'static str,
        /// The file.
        path: PathBuf,
    },
    /// An output would replace a file that the command has read.
    #[error("{} is a part of the input; give the output another name", .path.display())]
    WasRead {
        /// The file.
        path: PathBuf,
    },
    /// Two outputs would be the same file, one of them named after another.
    #[error("two outputs are called {}; give one of them another name", .path.display())]
    WrittenTwice {
        /// The file.
        path: PathBuf,
    },
    /// The file's name implies another format than the one that is written.
    #[error("{option} {}: what is written is NPZ; give it a name that ends in .npz", .path.display())]
    NotNpz {
        /// The option.
        option: &'static str,
        /// The file.
        path: PathBuf,
    },
    /// A file cannot be written.
    #[error("cannot write {}: {}{}", .path.display(), words(.fault), remedy(.fault))]
    Write {
        /// The file asked for.
        path: PathBuf,
        /// Why not.
        fault: io::Error,
    },
    /// A replay file cannot be used.
    #[error("{}: {fault}", .path.display())]
    Replay {
        /// The replay file.
        path: PathBuf,
        /// Why not.
        fault: ReplayFault,
    },
    /// No finding has this code.
    #[error("no code `{code}`; `kinlane explain codes` lists all")]
    Code {
        /// What was asked for.
        code: String,
    },
    /// The output's name asks for a format that cannot be written.
    #[error(
        "cannot write {}: Cantera YAML and CHEMKIN can be written; give a name that ends in .yaml or .inp",
        .path.display()
    )]
    OutputFormat {
        /// The file asked for.
        path: PathBuf,
    },
    /// The requested part of the mechanism contains unknown species.
    #[error("--subset: {0}")]
    Subset(BatchError),
    /// The output would replace the input.
    #[error("{} is the input as well; give {option} another name", .path.display())]
    SameFile {
        /// The file asked for.
        path: PathBuf,
        /// The option that asks for it.
        option: &'static str,
    },
    /// The mechanism contains something that the output's format cannot express.
    #[error(transparent)]
    Unwritable(#[from] Refusal),
    /// Ctrl-C or SIGTERM.
    #[error("interrupted: what was not finished was not written")]
    Interrupted,
}

/// What can be wrong with the species of a states file.
#[derive(Debug, thiserror::Error)]
pub enum SpeciesFault {
    /// The mechanism has no such species.
    #[error("{}", unknown(.all, .names))]
    Unknown {
        /// Names in the file.
        all: usize,
        /// Names unknown to the mechanism, each with a name that differs only in case and punctuation, if
        /// there is one.
        names: Vec<(String, Option<String>)>,
    },
    /// A species occurs twice.
    #[error("`{0}` occurs twice")]
    Twice(String),
    /// Species of the mechanism are missing.
    #[error("the mechanism has {} more: {}; give every species a column, zeros where it is absent", .0.len(), few(.0))]
    Missing(Vec<String>),
}

/// What can be wrong with a replay file.
#[derive(Debug, thiserror::Error)]
pub enum ReplayFault {
    /// It cannot be read.
    #[error("{}", unreadable(.0))]
    Io(#[from] io::Error),
    /// It is not what `kinlane advance` writes.
    #[error("not a replay file ({0}); `kinlane advance` writes one where cells fail")]
    Format(#[from] serde_json::Error),
    /// It does not hold the cell.
    #[error("it has no cell {cell}; it has {}", few(.have))]
    NoCell {
        /// The index asked for.
        cell: usize,
        /// The cells in the file.
        have: Vec<String>,
    },
    /// It does not say over which interval.
    #[error("it has no `dt`, neither of the cell nor of all; `kinlane advance` writes it")]
    NoInterval,
    /// A file of the run no longer exists.
    #[error("it names the {what} {}, and there is no such file; say with {option} where it is now", .file.display())]
    Absent {
        /// Mechanism or thermodynamics.
        what: &'static str,
        /// The option for it.
        option: &'static str,
        /// Where it was.
        file: PathBuf,
    },
    /// Its states do not match the mechanism.
    #[error(transparent)]
    Batch(#[from] BatchError),
    /// Its cell cannot be run again.
    #[error(transparent)]
    Trace(TraceError),
}

impl From<kinlane::ParcelError> for Error {
    fn from(fault: kinlane::ParcelError) -> Self {
        match fault {
            kinlane::ParcelError::Plan(fault) => fault.into(),
            other => Self::Parcel(other),
        }
    }
}

impl Error {
    /// What a command says that has no option for a first step.
    pub fn without_first_step(self) -> Self {
        match self {
            Self::Plan(PlanError::NoStep { method }) => Self::OneLength { method },
            other => other,
        }
    }

    /// The program's exit code.
    pub fn exit_code(&self) -> i32 {
        match self {
            Self::Interrupted => exit::STOPPED,
            Self::Ignite(fault) if fault.is_of_cell() => exit::FAILED,
            Self::Course { .. }
            | Self::Psr {
                fault: PsrError::Steady { .. } | PsrError::Lost { .. } | PsrError::Transient { .. }, ..
            } => exit::FAILED,
            _ => exit::WRONG,
        }
    }

    /// The error for cells of a file that were refused, or for a device that failed.
    pub fn of_batch(path: &Path, fault: BatchError) -> Self {
        match fault {
            BatchError::Device(e) => Self::Device(e),
            fault => Self::Batch { path: path.to_owned(), fault },
        }
    }

    /// Turns an error in reading or writing that was caused by an interruption into an interruption.
    pub fn or_interrupted(self) -> Self {
        if stop::asked() { Self::Interrupted } else { self }
    }
}

/// How many names are unknown, which, and what may be meant by them.
fn unknown(all: &usize, names: &[(String, Option<String>)]) -> String {
    let quoted: Vec<String> = names.iter().map(|(name, _)| format!("`{name}`")).collect();
    let hints = names.iter().filter_map(|(name, meant)| Some(format!("`{}` for `{name}`", meant.as_ref()?)));
    let hints: Vec<String> = hints.collect();
    let are = if names.len() == 1 { "is no species" } else { "are no species" };
    let head = format!("{} of {all} names {are} of the mechanism: {}", names.len(), few(&quoted));
    match (hints.is_empty(), hints.len() == names.len()) {
        (true, _) => format!("{head}; do the states belong to another mechanism?"),
        (_, true) => format!("{head}; did you mean {}?", few(&hints)),
        _ => format!("{head}; do the states belong to another mechanism, or did you mean {}?", few(&hints)),
    }
}

/// A hint at the option that follows a reactor without a steady state over time.
fn over_time(fault: &PsrError) -> &'static str {
    if matches!(fault, PsrError::Steady { .. }) { " (--transient integrates over time)" } else { "" }
}

fn remedy(fault: &io::Error) -> &'static str {
    match fault.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "; free some space, or write elsewhere",
        io::ErrorKind::FileTooLarge => "; raise the limit on the size of files, which `ulimit -f` tells",
        io::ErrorKind::NotFound => "; make the folder first",
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "; give another name, or a folder that is yours"
        }
        _ => "",
    }
}

/// Why a file cannot be read, and what to do about it.
pub fn unreadable(fault: &io::Error) -> String {
    let remedy = match fault.kind() {
        io::ErrorKind::NotFound => "; check its name",
        io::ErrorKind::UnexpectedEof => "; write or copy it again",
        _ => "",
    };
    format!("{}{remedy}", words(fault))
}
