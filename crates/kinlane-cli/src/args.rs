//! The command line.

use crate::values::{positive, time};
use clap::{Args, Parser, Subcommand, ValueEnum};
use kinlane::device::MappingWish;
use kinlane::mech::reaclib::Selection;
use kinlane::{Format, Options, Precision, Reactor, Screening};
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use std::path::{Path, PathBuf};

/// Advances very many small stiff reaction networks at once.
#[derive(Debug, Parser)]
#[command(
    name = "kinlane",
    version,
    max_term_width = 110,
    after_help = "Examples:\n  \
        kinlane demo                                       see it work: needs no files, writes kinlane-demo/\n  \
        kinlane check gri30                                what a mechanism holds\n  \
        kinlane convert chem.inp mech.yaml                 CHEMKIN to Cantera YAML\n  \
        kinlane equilibrate h2 --fuel H2 --oxidizer O2:1,N2:3.76 --phi 0.5:2:31 --picture t.svg\n  \
        kinlane psr h2 --fuel H2 --oxidizer O2:1,N2:3.76 --tau 1e-6:.1:11log --picture p.svg\n  \
        kinlane pasr gri30 --fuel CH4 --oxidizer O2:1,N2:3.76 --tau-res 5ms --tau-mix 1ms --out s.npz\n  \
        kinlane rates mech.yaml --states s.npz --out r.npz\n  \
        kinlane advance gri30 --states s.npz --dt 1e-6 --out o.npz --json report.json\n  \
        kinlane ignite h2 --fuel H2 --oxidizer O2:1,N2:3.76 --T 950:1400:10 --picture d.svg\n  \
        kinlane explain o.npz.replay.json                  why did a cell fail?\n\n\
        Exit codes: 0 all cells done; 1 some cells failed; 2 the input or the command was wrong and nothing was \
        written; 130 interrupted."
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
#[allow(missing_docs, reason = "the argument structs are documented")]
pub enum Command {
    Demo(DemoArgs),
    Check(crate::commands::check::CheckArgs),
    Convert(crate::commands::convert::ConvertArgs),
    Equilibrate(crate::commands::equilibrate::EquilibrateArgs),
    Psr(crate::commands::psr::PsrArgs),
    Pasr(Box<crate::commands::pasr::PasrArgs>),
    Flamelet(Box<crate::commands::flamelet::FlameletArgs>),
    Rates(RatesArgs),
    Advance(AdvanceArgs),
    Ignite(Box<crate::commands::ignite::IgniteArgs>),
    Box(Box<crate::commands::course::BoxArgs>),
    Burn(Box<crate::commands::course::BurnArgs>),
    Explain(ExplainArgs),
    /// List the integration methods
    #[command(after_help = "\
--method takes a name of the first column. A source is a key of the bibliography in the book (docs/bibliography.md); what \
the methods are good for is said in docs/methods.md.")]
    Methods,
    /// List the devices found, and say why others are not
    #[command(after_help = "\
--device takes a name of the first column. The CPU is there always, with the instruction sets that --lanes takes; GPUs \
need their driver, and cuda a compiler of kernels (NVRTC).")]
    Devices,
    Bench(crate::commands::bench::BenchArgs),
    Completions(crate::commands::shell::CompletionsArgs),
    Man(crate::commands::shell::ManArgs),
}

/// Advance a batch of cells by a time interval
#[derive(Debug, Args)]
#[command(after_help = "\
States file (NPZ, as numpy.savez or savez_compressed write it; float64, other numbers are converted):
  T [n] K, P [n] Pa, Y [n,k] mass fractions, species [k] names in any order, all required.
  Sums of Y may be off by 1e-6 and are then renormalised.
  Optional: Te [n] K electron temperature; dYdt [n,k] 1/s and heating [n] W/kg, a source over the interval;
  dt [n] s, the interval of each cell, in the place of --dt.
Output: T, P, Y, species (in the mechanism's order), status [n] (0 = done), steps [n], rejected [n].
  A failed cell keeps its entry state. OUT.replay.json beside the output holds the failed cells (of gases).
Atmospheres and stars have other arrays: T, C, J, T9, rho ...; see docs/schemes.md.

Examples:
  kinlane advance gri30 --states s.npz --dt 1e-6 --out o.npz
  kinlane advance gri30 --states s.npz --dt 1e-6 --out o.npz --continue memory.npz
  kinlane advance chem.inp --thermo therm.dat --states s.npz --dt 1e-5 --out o.npz")]
pub struct AdvanceArgs {
    #[command(flatten)]
    pub mechanism: MechanismArgs,
    #[command(flatten)]
    pub scheme: SchemeArgs,
    /// NPZ file of the cells
    #[arg(long, value_name = "FILE", help_heading = "Input and output")]
    pub states: PathBuf,
    /// Interval to advance by [s], or with a unit: 1us, 0.5ms, 20ns (default: dt of the states file)
    #[arg(long, value_name = "TIME", value_parser = time, help_heading = "Input and output")]
    pub dt: Option<f64>,
    /// NPZ file to write; it appears only when it is complete
    #[arg(long, value_name = "FILE", help_heading = "Input and output")]
    pub out: PathBuf,
    /// JSON report to write (- for standard output): cells, failures, times, costs
    #[arg(long, value_name = "FILE", help_heading = "Input and output")]
    pub json: Option<PathBuf>,
    /// Memory of the cells (NPZ): where it exists, step sizes, orders and factors go on from it; states still come from
    /// --states. It is rewritten at the end
    #[arg(long = "continue", value_name = "FILE", help_heading = "Input and output")]
    pub continuation: Option<PathBuf>,
    #[command(flatten)]
    pub solver: SolverArgs,
    #[command(flatten)]
    pub run: RunArgs,
    /// Precision on a device: f64; mixed, with f32 exponentials, Jacobian and factors, for --rtol from 1e-5 on; f32,
    /// from 1e-4 on. Cells that fail in it are done on the CPU in f64
    #[arg(long, value_enum, default_value = "f64", help_heading = "Run")]
    pub precision: PrecisionArg,
    /// Where cells fail: keep writes everything (they keep their entry state), stop writes only the replay file
    #[arg(long, value_enum, default_value = "keep", help_heading = "Run")]
    pub on_failure: OnFailure,
}

/// Rates and properties of given states; reactions and the Jacobian if asked for
#[derive(Debug, Args)]
#[command(after_help = "\
The states file is as for `kinlane advance`. Of atmospheres and stars k [n,r] and dCdt [n,k] (rate and dYdt) are written.
Output: species (in the mechanism's order), wdot [n,k] mol/(m3 s) net production, rho [n] kg/m3, W [n] kg/mol, cp [n] J/(kg K), \
h [n] J/kg, hrr [n] W/m3 heat release rate.
  With --reactions also equations [r] in the file's order, forward and reverse [n,r] mol/(m3 s), rates of progress.
  With --jacobian also jac [n,k+1,k+1], the derivative of (dY/dt, dT/dt) with respect to (Y, T), of the reactor chosen.

Example:
  kinlane rates gri30 --states s.npz --out r.npz --reactions")]
pub struct RatesArgs {
    #[command(flatten)]
    pub mechanism: MechanismArgs,
    #[command(flatten)]
    pub scheme: SchemeArgs,
    /// NPZ file of the cells
    #[arg(long, value_name = "FILE", help_heading = "Input and output")]
    pub states: PathBuf,
    /// NPZ file to write; it appears only when it is complete
    #[arg(long, value_name = "FILE", help_heading = "Input and output")]
    pub out: PathBuf,
    /// Write the Jacobian too
    #[arg(long, help_heading = "Input and output")]
    pub jacobian: bool,
    /// Write the forward and reverse rate of progress of every reaction too
    #[arg(long, help_heading = "Input and output")]
    pub reactions: bool,
    /// Equations of the Jacobian
    #[arg(long, value_enum, default_value = "const-p", help_heading = "Integration")]
    pub reactor: ReactorArg,
    #[command(flatten)]
    pub run: RunArgs,
}

/// Re-run a failed cell alone and explain what stopped it, or tell what a code of a message means
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  kinlane explain o.npz.replay.json --cell 1234
  kinlane explain M0401
  kinlane explain codes                              all codes with a few words each")]
pub struct ExplainArgs {
    /// Replay file that `kinlane advance` left beside its output, or a code such as M0401
    #[arg(value_name = "REPLAY|CODE")]
    pub replay: PathBuf,
    /// Index of the cell in its batch (default: the first that failed)
    #[arg(long, value_name = "I")]
    pub cell: Option<usize>,
    /// Steps and reactions to show
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub rows: usize,
    /// Mechanism to use instead of the one that the replay file names
    #[arg(long, value_name = "MECH")]
    pub mechanism: Option<PathBuf>,
    /// Phase of a YAML file with several (default: that of the run)
    #[arg(long, value_name = "NAME")]
    pub phase: Option<String>,
    /// CHEMKIN thermodynamics (default: as for `kinlane advance`, else that of the run)
    #[arg(long, value_name = "FILE")]
    pub thermo: Option<PathBuf>,
    /// Format of the mechanism (default: that of the run, or of --mechanism by its content)
    #[arg(long, value_enum)]
    pub format: Option<FormatArg>,
}

/// Ignite methane and air in a batch of cells; tables and pictures of what happened
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  kinlane demo --cells 10000")]
pub struct DemoArgs {
    /// Cells in the batch
    #[arg(long, value_name = "N", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(16..=10_000_000))]
    pub cells: u32,
    /// Folder to write into
    #[arg(long, value_name = "DIR", default_value = "kinlane-demo")]
    pub out: PathBuf,
    #[command(flatten)]
    pub run: RunArgs,
}

/// Which mechanism, and how to read it.
#[derive(Debug, Args)]
pub struct MechanismArgs {
    /// Mechanism: a file (Cantera YAML, CHEMKIN; for check, rates and advance also KPP, MUSICA, FERN and REACLIB, of which box
    /// takes the first two and burn the others), - for standard input, or the name of a bundled one: gri30, h2
    #[arg(value_name = "MECH")]
    pub mechanism: PathBuf,
    /// Phase of a YAML file with several (default: the first)
    #[arg(long, value_name = "NAME", help_heading = "Mechanism")]
    pub phase: Option<String>,
    /// CHEMKIN thermodynamics (default: in the file, else therm.dat or thermo.dat beside it)
    #[arg(long, value_name = "FILE", help_heading = "Mechanism")]
    pub thermo: Option<PathBuf>,
    /// Format of the mechanism (default: recognised by content)
    #[arg(long, value_enum, help_heading = "Mechanism")]
    pub format: Option<FormatArg>,
}

impl MechanismArgs {
    /// The files that are read.
    pub fn files(&self) -> [Option<&Path>; 2] {
        [Some(&self.mechanism), self.thermo.as_deref()]
    }
}

/// What a reaction scheme may need beside its file.
#[derive(Debug, Args, Default)]
pub struct SchemeArgs {
    /// Rates of a FERN network (default: rateLibrary_X.data beside CUDAnet_X.inp)
    #[arg(long, value_name = "FILE", help_heading = "Mechanism")]
    pub rates: Option<PathBuf>,
    /// Nuclides of a REACLIB library, such as n,p,he4,c12, or a file that lists them: one name a line, or a .net file of
    /// Microphysics. All reactions among them are taken (default: all nuclides of the file)
    #[arg(long, value_name = "LIST|FILE", value_parser = selection, help_heading = "Mechanism")]
    pub nuclides: Option<Selection>,
    /// Partition functions for the reverse rates of a REACLIB library: a table. May be repeated; where tables overlap, the
    /// first counts
    #[arg(long, value_name = "FILE", help_heading = "Mechanism")]
    pub partition: Vec<PathBuf>,
    /// Screening of reactions between charged nuclei (default: none); it follows the electrons at the beginning of a call
    #[arg(long, value_enum, value_name = "LAW", help_heading = "Mechanism")]
    pub screening: Option<ScreeningArg>,
}

impl SchemeArgs {
    /// The files that are read.
    pub fn files(&self) -> Vec<Option<&Path>> {
        let list = match &self.nuclides {
            Some(Selection::File(path)) => Some(path.as_path()),
            _ => None,
        };
        let tables = self.partition.iter().map(|path| Some(path.as_path()));
        [self.rates.as_deref(), list].into_iter().chain(tables).collect()
    }

    /// An option that was given, if any was.
    pub fn given(&self) -> Option<&'static str> {
        let given = [
            ("--rates", self.rates.is_some()),
            ("--nuclides", self.nuclides.is_some()),
            ("--partition", !self.partition.is_empty()),
            ("--screening", self.screening.is_some()),
        ];
        given.into_iter().find(|option| option.1).map(|option| option.0)
    }
}

/// Nuclides by name, or by file.
fn selection(word: &str) -> Result<Selection, Infallible> {
    Ok(Selection::of(word))
}

/// `--screening`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs, reason = "as kinlane::Screening")]
pub enum ScreeningArg {
    Chugunov2007,
}

impl From<ScreeningArg> for Screening {
    fn from(arg: ScreeningArg) -> Self {
        match arg {
            ScreeningArg::Chugunov2007 => Self::Chugunov2007,
        }
    }
}

/// `--format`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "as kinlane::Format")]
pub enum FormatArg {
    Cantera,
    Chemkin,
    Kpp,
    Musica,
    Fern,
    Reaclib,
}

impl From<FormatArg> for Format {
    fn from(f: FormatArg) -> Self {
        match f {
            FormatArg::Cantera => Self::Cantera,
            FormatArg::Chemkin => Self::Chemkin,
            FormatArg::Kpp => Self::Kpp,
            FormatArg::Musica => Self::Musica,
            FormatArg::Fern => Self::Fern,
            FormatArg::Reaclib => Self::Reaclib,
        }
    }
}

/// How to integrate; replay files have it as well.
#[derive(Debug, Clone, Args, Serialize, Deserialize)]
pub struct SolverArgs {
    #[command(flatten)]
    #[serde(flatten)]
    pub tolerances: ToleranceArgs,
    /// Equations: constant pressure or volume (both adiabatic), or constant pressure and temperature
    #[arg(long, value_enum, default_value = "const-p", help_heading = "Integration")]
    pub reactor: ReactorArg,
    /// First step [s], or with a unit as --dt (default: each cell chooses its own)
    #[arg(long, value_name = "TIME", value_parser = time, help_heading = "Integration")]
    pub first_step: Option<f64>,
}

impl SolverArgs {
    /// As the library takes them.
    pub fn options(&self) -> Options {
        Options { reactor: self.reactor.into(), first_step: self.first_step, ..self.tolerances.options() }
    }
}

/// By what method, and how accurately.
#[derive(Debug, Clone, Args, Serialize, Deserialize)]
pub struct ToleranceArgs {
    /// Integration method (default: auto; see `kinlane methods`)
    #[arg(long, value_name = "NAME", help_heading = "Integration")]
    pub method: Option<String>,
    /// Relative tolerance
    #[arg(long, value_name = "X", default_value = "1e-6", value_parser = positive, help_heading = "Integration")]
    pub rtol: f64,
    /// Absolute tolerance, on mass fractions [default: 1e-12]; for an atmosphere, on what the file counts in [default: 1e-3]
    #[arg(long, value_name = "X", value_parser = positive, help_heading = "Integration")]
    #[serde(default)]
    pub atol: Option<f64>,
    /// Attempted steps a cell may use before it is given up
    #[arg(long, value_name = "N", default_value_t = Options::default().max_steps, value_parser = clap::value_parser!(u32).range(1..), help_heading = "Integration")]
    pub max_steps: u32,
}

impl ToleranceArgs {
    /// As the library takes them.
    pub fn options(&self) -> Options {
        self.options_with(Options::default().atol)
    }

    /// As the library takes them, with an absolute tolerance for those who gave none.
    pub fn options_with(&self, atol: f64) -> Options {
        let &Self { rtol, max_steps, .. } = self;
        let atol = self.atol.unwrap_or(atol);
        Options { method: self.method.clone(), rtol, atol, max_steps, ..Options::default() }
    }
}

/// Where and how loudly to run.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// Where to run: cpu, opencl, cuda (opencl:1 is the second), several as cpu+opencl, or auto
    #[arg(long, value_name = "NAME", default_value = "cpu", help_heading = "Run")]
    pub device: String,
    /// Memory of a device to use at most [MiB]; larger batches are cut (default: four fifths of it)
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Run")]
    pub device_memory: Option<u32>,
    /// How cells map to a device's threads: one per thread, one per thread with unrolled loops, or one per group of threads
    #[arg(long, value_enum, default_value = "auto", help_heading = "Run")]
    pub mapping: MappingArg,
    /// Instruction set and cells side by side, as avx2 or "avx512 x 16" (default: the best here)
    #[arg(long, value_name = "LANES", help_heading = "Run")]
    pub lanes: Option<String>,
    #[command(flatten)]
    pub cpu: CpuArgs,
}

/// What a command that runs on the CPU's threads takes of this.
#[derive(Debug, Args)]
pub struct CpuArgs {
    /// Threads (default: one per core)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096), help_heading = "Run")]
    pub threads: Option<u32>,
    /// No summary and no progress bar; errors and failed cells are still told
    #[arg(long, help_heading = "Run")]
    pub quiet: bool,
}

impl CpuArgs {
    /// Number of threads: one per core if none is given.
    pub fn thread_count(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        self.threads.map_or_else(cores, |n| n as usize)
    }
}

/// `--mapping`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs, reason = "as kinlane::device::MappingWish")]
pub enum MappingArg {
    Auto,
    Thread,
    Unrolled,
    Group,
}

impl From<MappingArg> for MappingWish {
    fn from(m: MappingArg) -> Self {
        match m {
            MappingArg::Auto => Self::Auto,
            MappingArg::Thread => Self::Thread,
            MappingArg::Unrolled => Self::Unrolled,
            MappingArg::Group => Self::Group,
        }
    }
}

/// `--precision`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs, reason = "as kinlane::Precision")]
pub enum PrecisionArg {
    F64,
    Mixed,
    F32,
}

impl From<PrecisionArg> for Precision {
    fn from(p: PrecisionArg) -> Self {
        match p {
            PrecisionArg::F64 => Self::F64,
            PrecisionArg::Mixed => Self::Mixed,
            PrecisionArg::F32 => Self::F32,
        }
    }
}

/// `--reactor`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "as kinlane::Reactor")]
pub enum ReactorArg {
    ConstP,
    ConstV,
    FixedT,
}

impl std::fmt::Display for ReactorArg {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.to_possible_value().map_or(Ok(()), |v| f.write_str(v.get_name()))
    }
}

impl From<ReactorArg> for Reactor {
    fn from(r: ReactorArg) -> Self {
        match r {
            ReactorArg::ConstP => Self::ConstP,
            ReactorArg::ConstV => Self::ConstV,
            ReactorArg::FixedT => Self::FixedT,
        }
    }
}

/// `--on-failure`. The values have no doc comments: clap would print every option on several lines for their sake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs, reason = "said in the option's own line")]
pub enum OnFailure {
    Keep,
    Stop,
}
