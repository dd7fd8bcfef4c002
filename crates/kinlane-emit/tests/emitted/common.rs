//! What the tests here share: the data folder, states of gas cells, and emitted programs compiled and run.

use kinlane_emit::{C, Program, Recorder, print};
use kinlane_plan::tables::Tables;
use kinlane_plan::{Array, Machine, Plan, Scalar};
use kinlane_solve::Reactor;
use kinlane_solve::gas::R;
use kinlane_solve::gas::problem::Gas;
use kinlane_solve::methods::Stepper;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The plan of a mechanism of the data folder; `None` (and a line that says so) where that is absent.
pub fn plan(name: &str) -> Option<Plan> {
    kinlane_testdata::files::mechanism(name).map(|network| Plan::new(&network))
}

/// Writes a cell at `t` [K] and one atmosphere into an arena: composition `seed` of a deterministic sequence.
pub fn fill(plan: &Plan, arena: &mut [f64], y: Array, reactor: Reactor, t: f64, seed: u64) {
    let n = plan.species;
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    let weights: Vec<f64> = (0..n).map(|_| random().powi(6) + 1e-12).collect();
    let total: f64 = weights.iter().sum();
    let at = y.at as usize;
    let mut sigma = 0.0;
    for k in 0..n {
        let phi = weights[k] / total / plan.molar_mass[k];
        arena[at + k] = phi;
        sigma += phi;
    }
    arena[at + n] = t;
    arena[at + n + 1] = sigma;
    let pressure = 101_325.0;
    let density = pressure / (R * t * sigma);
    arena[plan.cell.parameter.at as usize] = if reactor == Reactor::ConstV { density } else { pressure };
    arena[plan.cell.electron.at as usize] = -1.0;
}

/// One step. Each copy of all methods takes the compiler half a minute: there is one for each machine.
#[inline(never)]
pub fn attempt<M: Machine>(m: M, stepper: &Stepper, gas: Gas<'_>) {
    stepper.attempt(m, gas);
}

/// A program, for any machine.
pub trait Task {
    /// Runs it.
    fn run<M: Machine>(&self, m: M);
}

/// A task of one program, recorded.
pub fn record(task: &impl Task) -> Program {
    let recorder = Recorder::new();
    recorder.entry("run", |m| task.run(m));
    recorder.finish()
}

/// A task under test: recorded and compiled, beside the scalar machine.
pub struct Pair<'a, T> {
    what: &'a str,
    tables: &'a Tables,
    task: T,
    compiled: Option<Compiled>,
}

impl<'a, T: Task> Pair<'a, T> {
    /// Records and compiles; without a compiler only the scalar machine runs.
    pub fn new(what: &'a str, tables: &'a Tables, len: usize, task: T) -> Self {
        let start = Instant::now();
        let program = record(&task);
        let lines = print(&program, tables, &[], &C).lines().count();
        eprintln!("{what}: {lines} lines recorded and printed in {:.3} s", start.elapsed().as_secs_f64());
        let compiled = compiler().then(|| Compiled::new(what, &program, tables, len));
        Self { what, tables, task, compiled }
    }

    /// Runs both on every cell, and fails unless all of the arenas are the same afterwards. Replaces the cells.
    pub fn run(&self, cells: &mut [Vec<f64>]) {
        let all = Array { at: 0, len: cells[0].len() as u32, ..Array::default() };
        self.run_watching(cells, &[all]);
    }

    /// As `run`, comparing some arrays.
    pub fn run_watching(&self, cells: &mut [Vec<f64>], arrays: &[Array]) {
        let emitted = self.compiled.as_ref().map(|c| c.run(cells));
        for cell in &mut *cells {
            self.task.run(Scalar::new(self.tables, cell));
        }
        for (i, (a, b)) in emitted.iter().flatten().zip(cells.iter()).enumerate() {
            for array in arrays {
                let part = array.at as usize..(array.at + array.len) as usize;
                assert_same(&format!("{}, cell {i}, {array:?}", self.what), &a[part.clone()], &b[part]);
            }
        }
    }
}

/// A program compiled by the system's C compiler.
pub struct Compiled {
    folder: PathBuf,
}

/// Whether there is a C compiler; under CI there must be one.
pub fn compiler() -> bool {
    let found = Command::new("cc").arg("--version").output().is_ok_and(|o| o.status.success());
    if !found {
        kinlane_testdata::skipped("no C compiler: `cc` cannot be run");
    }
    found
}

impl Compiled {
    /// Prints a program, adds a main function that reads arenas of `len` numbers, calls `run` on each and writes them
    /// back, and compiles that. Says how large it is and how long it took.
    pub fn new(what: &str, program: &Program, tables: &Tables, len: usize) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(what);
        std::fs::create_dir_all(&folder).unwrap();
        let mut source = print(program, tables, &[], &C);
        let (bytes, lines) = (source.len(), source.lines().count());
        write!(
            source,
            "#include <stdio.h>\nstatic double arena[{len}];\nint main(int count, char **names) {{
    FILE *in = fopen(names[1], \"rb\"), *out = fopen(names[2], \"wb\");
    if (count != 3 || !in || !out) return 1;
    while (fread(arena, sizeof arena, 1, in) == 1) {{
        run(arena);
        if (fwrite(arena, sizeof arena, 1, out) != 1) return 2;
    }}
    return fclose(out);\n}}\n"
        )
        .unwrap();
        std::fs::write(folder.join("program.c"), source).unwrap();
        let mut cc = Command::new("cc");
        cc.current_dir(&folder).args(["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off"]);
        if cfg!(target_arch = "x86_64") {
            cc.arg("-mfma");
        }
        let start = Instant::now();
        let run = cc.args(["-o", "program", "program.c", "-lm"]).output().unwrap();
        let seconds = start.elapsed().as_secs_f64();
        assert!(run.status.success(), "{what}: {}", String::from_utf8_lossy(&run.stderr));
        let (functions, tables) = (program.functions.len(), tables.reals.len() * 8 + tables.indices.len() * 4);
        let code = code_size(&folder.join("program"));
        eprintln!(
            "{what}: {functions} functions, {lines} lines, {bytes} bytes (tables in memory {tables}), compiled in \
             {seconds:.2} s, text segment {code}"
        );
        Self { folder }
    }

    /// Runs it on several arenas.
    pub fn run(&self, arenas: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let bytes: Vec<u8> = arenas.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
        std::fs::write(self.folder.join("in"), bytes).unwrap();
        let status = Command::new(self.folder.join("program")).current_dir(&self.folder).args(["in", "out"]).status();
        assert!(status.unwrap().success());
        let out = std::fs::read(self.folder.join("out")).unwrap();
        let numbers: Vec<f64> = out.chunks_exact(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect();
        assert_eq!(numbers.len(), arenas.iter().map(Vec::len).sum::<usize>());
        numbers.chunks(arenas[0].len()).map(<[f64]>::to_vec).collect()
    }
}

/// First column of `size`, where that program exists.
fn code_size(file: &Path) -> String {
    let text = Command::new("size").arg(file).output().map(|o| String::from_utf8_lossy(&o.stdout).into_owned());
    let text = text.unwrap_or_default();
    text.lines().nth(1).and_then(|l| l.split_whitespace().next()).unwrap_or("unknown").to_owned()
}

/// Every element has the same bits; all NaNs are one.
pub fn assert_same(what: &str, a: &[f64], b: &[f64]) {
    let differ: Vec<usize> =
        (0..a.len()).filter(|&i| a[i].to_bits() != b[i].to_bits() && !(a[i].is_nan() && b[i].is_nan())).collect();
    let shown: Vec<String> = differ.iter().take(5).map(|&i| format!("[{i}] {:?} {:?}", a[i], b[i])).collect();
    assert!(differ.is_empty(), "{what}: {} of {} differ: {}", differ.len(), a.len(), shown.join(", "));
}
