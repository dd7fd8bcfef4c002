//! How fast the kernels are on GRI-3.0 or another mechanism, one thread, beside what the processor could do at that
//! moment.
//!
//! ```text
//! kernels [--lanes "avx512 x 16"]                     a table of all kernels
//! kernels [--lanes WIDTH] --kernel NAME --times N     one kernel so many times and nothing else, for callgrind
//! kernels [--lanes WIDTH] --kernel call --times N     so many calls of `auto` for a batch over 1e-9 s
//! kernels --mechanism FILE ...                        another mechanism, with the species of the mixtures that it has
//! ```
//!
//! Every figure is the least of many short slices: a slice of half a millisecond often runs undisturbed where others
//! use the machine too. Slices of a fused multiply-add loop stand between them; since a processor is as fast as its
//! clock and vectors let it be, times are also given as they would be where that loop makes 133 GFLOP/s.

mod common;

use common::State;
use kinlane_lanes::{Cells, Engine, Kernel, Layout, Points, Signals, multiply_adds};
use kinlane_mech::Network;
use kinlane_plan::Plan;
use kinlane_solve::{Options, Outcome};
use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::time::{Duration, Instant};

const KERNELS: [(&str, Kernel); 6] = [
    ("rates", Kernel::Rates),
    ("jacobian", Kernel::Jacobian),
    ("factor", Kernel::Factor),
    ("solve", Kernel::Solve),
    ("exp", Kernel::Exp),
    ("attempt", Kernel::Attempt),
];

/// In the place of a kernel: whole calls, with attempts and all that a cell costs beside them.
const CALL: &str = "call";
/// Cells of such a call (known to `benches/kernels.py`, too), and its interval \[s\], so short that a cell takes some three attempts.
const CALL_CELLS: usize = 1024;
const CALL_DT: f64 = 1e-9;

/// Multiply-adds of one core [GFLOP/s] on the machine that kinlane was designed on.
const REFERENCE: f64 = 133.0;
/// One slice.
const SLICE: Duration = Duration::from_micros(500);
/// Slices of every kernel.
const SLICES: usize = 400;

fn main() -> Result<(), Box<dyn Error>> {
    let wishes = Wishes::read(std::env::args().skip(1))?;
    let network = match &wishes.mechanism {
        Some(file) => common::network(file)?,
        None => common::gri30()?,
    };
    let plan = Arc::new(Plan::new(&network));
    if let Some((Work::Call, times)) = wishes.only {
        return call(&network, &plan, wishes.lanes, times);
    }
    // Some widths have fewer cells: the last ones stay in the lanes, a third of them from each mixture.
    let states = common::states(&network, 16)?;
    let options = Options { lanes: wishes.lanes, first_step: Some(1e-8), max_steps: 1, ..Options::default() };
    let engine = Engine::new(plan.clone(), options, 1).map_err(|e| format!("{e:?}"))?;
    let mut bench = Bench { engine, plan, states };
    match wishes.only {
        Some((Work::Kernel(kernel), times)) => {
            bench.load(kernel)?;
            bench.engine.repeat(kernel, times);
        }
        _ => bench.table()?,
    }
    Ok(())
}

/// Advances a batch so many times from the same states, its cells told apart.
fn call(network: &Network, plan: &Arc<Plan>, lanes: Option<String>, times: usize) -> Result<(), Box<dyn Error>> {
    let states = common::states(network, CALL_CELLS)?;
    let options = Options { lanes, method: Some("auto".to_owned()), ..Options::default() };
    let mut engine = Engine::new(plan.clone(), options, 1).map_err(|e| format!("{e:?}"))?;
    let (t, p): (Vec<f64>, Vec<f64>) = states.iter().map(|s| (s.t, s.p)).unzip();
    let y: Vec<f64> = states.iter().flat_map(|s| s.y.iter().copied()).collect();
    for _ in 0..times {
        advance(&mut engine, (t.clone(), p.clone(), y.clone()), CALL_DT)?;
    }
    Ok(())
}

/// One call for cells that are not looked at afterwards.
fn advance(
    engine: &mut Engine,
    (mut t, mut p, mut y): (Vec<f64>, Vec<f64>, Vec<f64>),
    dt: f64,
) -> Result<(), Box<dyn Error>> {
    let mut outcome = vec![Outcome::default(); t.len()];
    let batch = Cells::new(&mut t, &mut p, &mut y, Layout::CellMajor, &mut outcome);
    let signals = Signals { progress: &AtomicUsize::new(0), stop: &AtomicBool::new(false) };
    engine.advance(batch, dt, signals).map_err(|e| format!("{e:?}"))?;
    Ok(())
}

/// What is done so many times.
#[derive(Clone, Copy)]
enum Work {
    Kernel(Kernel),
    Call,
}

impl Work {
    fn find(name: &str) -> Option<Self> {
        let kernel = KERNELS.iter().find(|k| k.0 == name).map(|k| Self::Kernel(k.1));
        kernel.or((name == CALL).then_some(Self::Call))
    }
}

/// The command line.
struct Wishes {
    lanes: Option<String>,
    mechanism: Option<PathBuf>,
    only: Option<(Work, usize)>,
}

impl Wishes {
    fn read(mut arguments: impl Iterator<Item = String>) -> Result<Self, Box<dyn Error>> {
        let (mut lanes, mut mechanism, mut kernel, mut times) = (None, None, None, 1);
        while let Some(option) = arguments.next() {
            let value = arguments.next().ok_or_else(|| format!("{option} needs a value"))?;
            match option.as_str() {
                "--lanes" => lanes = Some(value),
                "--mechanism" => mechanism = Some(value.into()),
                "--kernel" => {
                    let known = || KERNELS.map(|k| k.0).join(", ");
                    let unknown = || format!("no kernel {value}; there are {}, {CALL}", known());
                    kernel = Some(Work::find(&value).ok_or_else(unknown)?);
                }
                "--times" => times = value.parse()?,
                _ => {
                    let known = "--lanes, --mechanism, --kernel, --times";
                    return Err(format!("unknown option {option}; there are {known}").into());
                }
            }
        }
        Ok(Self { lanes, mechanism, only: kernel.map(|k| (k, times)) })
    }
}

struct Bench {
    engine: Engine,
    plan: Arc<Plan>,
    states: Vec<State>,
}

impl Bench {
    /// Puts states into the lanes, with everything an evaluation leaves, and a clock as after one attempted step.
    fn load(&mut self, kernel: Kernel) -> Result<(), Box<dyn Error>> {
        let cells = self.states.len();
        let size = self.plan.species + 1;
        let (mut t, p): (Vec<f64>, Vec<f64>) = self.states.iter().map(|s| (s.t, s.p)).unzip();
        let mut y: Vec<f64> = self.states.iter().flat_map(|s| s.y.iter().copied()).collect();
        if kernel == Kernel::Exp {
            // It takes the exponentials of the right-hand side, which in a flame overflow or vanish: cases that no rate
            // constant meets, and slow ones in AVX-512. Cold methane and air keep their numbers small.
            t.fill(300.0);
            y = self.states[0].y.repeat(cells);
        }
        advance(&mut self.engine, (t.clone(), p.clone(), y.clone()), 1.0)?;
        let (mut wdot, mut jac) = (vec![0.0; y.len()], vec![0.0; cells * size * size]);
        let at = Points::new(&t, &p, &y, Layout::CellMajor);
        self.engine.rates(at, &mut wdot, Some(&mut jac)).map_err(|e| format!("{e:?}"))?;
        Ok(())
    }

    /// Calls of a kernel that fill a slice.
    fn fitting(&mut self, kernel: Kernel) -> usize {
        let mut times = 1;
        while self.seconds(kernel, times) < SLICE.as_secs_f64() / 2.0 {
            times *= 2;
        }
        times
    }

    fn seconds(&mut self, kernel: Kernel, times: usize) -> f64 {
        let start = Instant::now();
        self.engine.repeat(kernel, times);
        start.elapsed().as_secs_f64()
    }

    fn table(&mut self) -> Result<(), Box<dyn Error>> {
        let times = KERNELS.map(|(_, kernel)| self.fitting(kernel));
        let (mut best, mut gigaflops) = ([f64::INFINITY; KERNELS.len()], 0.0_f64);
        for _ in 0..SLICES {
            gigaflops = gigaflops.max(multiply_adds());
            for (i, (_, kernel)) in KERNELS.into_iter().enumerate() {
                // From the same states every time: repeated solves shrink their vector, repeated attempts go on.
                self.load(kernel)?;
                self.engine.repeat(kernel, 1);
                best[i] = best[i].min(self.seconds(kernel, times[i]) / times[i] as f64);
            }
        }
        let width = self.engine.width() as f64;
        let scale = gigaflops / REFERENCE;
        println!("{}; multiply-adds of one core: {gigaflops:.1} GFLOP/s\n", self.engine.lanes());
        println!("| kernel | µs per cell | million cells/s | µs at 133 GFLOP/s | million cells/s at 133 GFLOP/s |");
        println!("|---|---|---|---|---|");
        for ((name, kernel), seconds) in KERNELS.into_iter().zip(best) {
            let micros = seconds / width * 1e6;
            let rate = |micros: f64| match kernel {
                Kernel::Exp => format!("{:.2} G exp/s", (self.plan.species + 2) as f64 / micros / 1e3),
                _ => format!("{:.3}", 1.0 / micros),
            };
            let there = micros * scale;
            println!("| {name} | {micros:.3} | {} | {there:.3} | {} |", rate(micros), rate(there));
        }
        Ok(())
    }
}
