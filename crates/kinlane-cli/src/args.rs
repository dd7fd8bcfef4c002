//! The command line: the commands, and the options that several of them have.

use crate::commands::{
    advance, bench, check, convert, course, demo, equilibrate, explain, flamelet, ignite, pasr, psr, rates, shell,
};
use crate::values::{positive, time, word};
use clap::{Args, Parser, Subcommand};
use kinlane::device::MappingWish;
use kinlane::mech::reaclib::Selection;
use kinlane::{Format, Options, Reactor, Screening, Tolerances, USUAL_ATOL};
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
        Exit codes: 0 all cells done; 1 some cells failed; 2 the input or the command was wrong, or \
        something cannot be written; 130 interrupted."
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
#[allow(missing_docs, reason = "the argument structs are documented")]
pub enum Command {
    Demo(demo::DemoArgs),
    Check(check::CheckArgs),
    Convert(convert::ConvertArgs),
    Equilibrate(equilibrate::EquilibrateArgs),
    Psr(psr::PsrArgs),
    Pasr(Box<pasr::PasrArgs>),
    Flamelet(Box<flamelet::FlameletArgs>),
    Rates(rates::RatesArgs),
    Advance(advance::AdvanceArgs),
    Ignite(Box<ignite::IgniteArgs>),
    Box(Box<course::BoxArgs>),
    Burn(Box<course::BurnArgs>),
    Explain(explain::ExplainArgs),
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
    Bench(bench::BenchArgs),
    Completions(shell::CompletionsArgs),
    Man(shell::ManArgs),
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
    #[arg(long, value_parser = word(&Format::ALL, Format::name), help_heading = "Mechanism")]
    pub format: Option<Format>,
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
    /// Screening of reactions between charged nuclei (default: none); computed from the composition at the beginning of each call
    #[arg(long, value_parser = word(&Screening::ALL, Screening::name), value_name = "LAW", help_heading = "Mechanism")]
    pub screening: Option<Screening>,
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

/// How to integrate; replay files have it as well.
#[derive(Debug, Clone, Args, Serialize, Deserialize)]
pub struct SolverArgs {
    #[command(flatten)]
    #[serde(flatten)]
    pub tolerances: ToleranceArgs,
    /// Equations: constant pressure or volume (both adiabatic), or constant pressure and temperature (default: const-p;
    /// for zones of stars fixed-t)
    #[arg(long, value_parser = word(&Reactor::ALL, Reactor::name), help_heading = "Integration")]
    pub reactor: Option<Reactor>,
    /// First step [s], or with a unit as --dt (default: each cell chooses its own)
    #[arg(long, value_name = "TIME", value_parser = time, help_heading = "Integration")]
    pub first_step: Option<f64>,
}

impl SolverArgs {
    /// The reactor of a gas.
    pub fn gas_reactor(&self) -> Reactor {
        self.reactor.unwrap_or(Reactor::ConstP)
    }

    /// As the library takes them, for a gas.
    pub fn options(&self) -> Options {
        Options { reactor: self.gas_reactor(), first_step: self.first_step, ..self.tolerances.options() }
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
    /// Absolute tolerances of single species, in the place of --atol, as OH:1e-16,H:1e-15
    #[arg(long, value_name = "LIST", help_heading = "Integration")]
    #[serde(default)]
    pub atol_of: Option<Tolerances>,
    /// Attempted steps a cell may use before it is given up
    #[arg(long, value_name = "N", default_value_t = Options::default().max_steps, value_parser = clap::value_parser!(u32).range(1..), help_heading = "Integration")]
    pub max_steps: u32,
}

/// The absolute tolerance in commands that take no schemes.
pub fn of_gases(atol: clap::Arg) -> clap::Arg {
    atol.help("Absolute tolerance, on mass fractions [default: 1e-12]")
}

/// The same in commands for atmospheres alone.
pub fn of_atmospheres(atol: clap::Arg) -> clap::Arg {
    atol.help("Absolute tolerance, on what the file counts in [default: 1e-3]")
}

impl ToleranceArgs {
    /// As the library takes them.
    pub fn options(&self) -> Options {
        let &Self { rtol, atol, max_steps, .. } = self;
        let (method, atol_of) = (self.method.clone(), self.atol_of.clone().unwrap_or_default());
        Options { method, rtol, atol, atol_of, max_steps, ..Options::default() }
    }

    /// That of a species of a gas.
    pub fn gas_atol_of(&self, species: &str) -> f64 {
        self.atol_of.as_ref().and_then(|own| own.of(species)).unwrap_or_else(|| self.gas_atol())
    }

    /// The absolute tolerances of a gas, in words.
    pub fn gas_atols(&self) -> String {
        let own = self.atol_of.iter().map(|own| format!(" ({own})")).collect::<String>();
        format!("atol {:e}{own}", self.gas_atol())
    }

    /// The absolute tolerance of a gas.
    pub fn gas_atol(&self) -> f64 {
        self.atol.unwrap_or(USUAL_ATOL)
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
    /// How cells map to a device's threads: thread, a cell to each; unrolled, with loops written out as well; group, a cell
    /// to a group of them; part (CUDA), to a part of a warp
    #[arg(long, value_parser = word(&MappingWish::ALL, MappingWish::name), default_value = "auto", help_heading = "Run")]
    pub mapping: MappingWish,
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
    #[arg(long, help_heading = "Run", overrides_with = "quiet")]
    pub quiet: bool,
}

impl CpuArgs {
    /// Number of threads: one per core if none is given.
    pub fn thread_count(&self) -> usize {
        self.threads.map_or_else(kinlane::cores, |n| n as usize)
    }
}
