//! A group of threads that run one cell together, as threads of the CPU: the bits of the scalar machine, and no race.
//! The thread sanitizer watches every read and write.

use crate::common::{assert_same, attempt, compiler, fill, plan};
use kinlane_emit::{Blocks, C, Dialect, Placing, Recorder, print};
use kinlane_plan::{Plan, Scalar};
use kinlane_solve::Reactor;
use kinlane_solve::gas::problem::Gas;
use kinlane_solve::methods::control::Start;
use kinlane_solve::methods::{Method, Stepper};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

const HEAD: &str = "#include <pthread.h>
static pthread_barrier_t barrier;
static _Thread_local unsigned ID;
#define SIZE 3
#define SYNC pthread_barrier_wait(&barrier)
static double given[SIZE];
static double from(double x, int thread) {
    given[ID] = x;
    SYNC;
    x = given[thread];
    SYNC;
    return x;
}
#define FROM(x, thread) from(x, thread)
";

const MAIN: &str = "
#include <stdio.h>
#include <stdlib.h>
static double arena[LEN];
static void *thread(void *number) {
    ID = (unsigned)(size_t)number;
    for (int i = 0; i < ATTEMPTS; ++i) attempt(arena);
    return NULL;
}
int main(void) {
    pthread_t all[SIZE];
    if (fread(arena, sizeof arena, 1, stdin) != 1 || pthread_barrier_init(&barrier, NULL, SIZE)) return 1;
    for (size_t i = 0; i < SIZE; ++i) if (pthread_create(&all[i], NULL, thread, (void *)i)) return 2;
    for (size_t i = 0; i < SIZE; ++i) pthread_join(all[i], NULL);
    return fwrite(arena, sizeof arena, 1, stdout) != 1;
}
";

/// `SIZE`.
const THREADS: usize = 3;

/// A cell, and what a group made of it in a few attempts.
struct Run {
    said: String,
    arena: Vec<f64>,
    got: Vec<f64>,
}

/// Compiles with the sanitizer.
fn compile(folder: &Path, text: &str) {
    std::fs::create_dir_all(folder).unwrap();
    std::fs::write(folder.join("program.c"), text).unwrap();
    let mut cc = Command::new("cc");
    cc.current_dir(folder).args(["-std=gnu11", "-O1", "-ffp-contract=off", "-pthread", "-fsanitize=thread"]);
    if cfg!(target_arch = "x86_64") {
        cc.arg("-mfma");
    }
    let made = cc.args(["-o", "program", "program.c", "-lm"]).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
}

/// How a program is recorded and printed.
#[derive(Clone, Copy)]
struct Way {
    /// Turns of a loop at once.
    abreast: usize,
    /// Whether factors are in registers.
    registers: bool,
}

fn run(name: &str, plan: &Plan, stepper: &Stepper, len: usize, attempts: usize, (head, way): (&str, Way)) -> Run {
    let Way { abreast, registers } = way;
    let gas = Gas::new(plan, Reactor::ConstP);
    let mut blocks = registers.then(|| Blocks::new(&plan.lu, &plan.tables, plan.jacobian.values, THREADS));
    let more = blocks.as_mut().map_or(0, |b| {
        b.kept.at = len as u32;
        b.kept.len as usize
    });
    let len = len + more;
    let recorder = Recorder::placed(Placing { shared: true, blocks, ..Placing::default() });
    recorder.entry("attempt", |m| attempt(m, stepper, gas));
    let program = print(&recorder.finish(), &plan.tables, &[], &Dialect { abreast, ..C.grouped() });
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("group_{name}"));
    compile(&folder, &format!("{head}{program}#define LEN {len}\n#define ATTEMPTS {attempts}\n{MAIN}"));
    let mut arena = vec![0.0; len];
    fill(plan, &mut arena, stepper.y, Reactor::ConstP, 1500.0, 3);
    for (a, x) in
        stepper.clock.start(Start { dt: 1e-6, h: 1e-9, rtol: 1e-6, atol: 1e-12, budget: 1000.0, only_end: true })
    {
        arena[a.at as usize] = x;
    }
    std::fs::write(folder.join("in"), arena.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>()).unwrap();
    let start = Instant::now();
    let input = std::fs::File::open(folder.join("in")).unwrap();
    let output = Command::new(folder.join("program")).stdin(input).output().unwrap();
    eprintln!("{name}: {:.2} s", start.elapsed().as_secs_f64());
    let got = output.stdout.chunks_exact(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect();
    Run { said: String::from_utf8_lossy(&output.stderr).chars().take(2000).collect(), arena, got }
}

/// A few attempts of a cell, by a group and by the scalar machine. With `abreast` turns at once, tables are read ahead, too.
fn compare(name: &str, plan: &Plan, method: &str, attempts: usize, way: Way) {
    let mut layout = plan.layout;
    let gas = Gas::new(plan, Reactor::ConstP);
    let stepper = Stepper::new(&mut layout, Method::find(method).unwrap(), gas.dimensions());
    let name = format!("{name}_{method}_{}{}", way.abreast, if way.registers { "_registers" } else { "" });
    let Run { said, mut arena, got } = run(&name, plan, &stepper, layout.len(), attempts, (HEAD, way));
    assert!(said.is_empty(), "{name}: {said}");
    for _ in 0..attempts {
        attempt(Scalar::new(&plan.tables, &mut arena), &stepper, gas);
    }
    // The laws of `small` are there to be many; no step of theirs needs to succeed.
    let steps = arena[stepper.clock.steps.at as usize];
    assert!(name.starts_with("small") || steps > 0.0, "{name}: no step was accepted");
    // What a cell has skipped the scalar machine does all the same, into scratch arrays; so the state and the clock.
    for (what, a) in stepper.clock.arrays().into_iter().chain([("y", stepper.y), ("y1", stepper.y1)]) {
        let part = a.at as usize..(a.at + a.len) as usize;
        assert_same(&format!("{name}, {what}"), &got[part.clone()], &arena[part]);
    }
    // Without barriers the sanitizer must complain, or it watches nothing.
    let bare = HEAD.replace("pthread_barrier_wait(&barrier)", "");
    let Run { said, .. } = run(&format!("{name}_bare"), plan, &stepper, layout.len(), 1, (&bare, way));
    assert!(said.contains("data race"), "{name}: {said}");
}

#[test]
fn a_group_gives_the_bits_of_one_and_does_not_race() {
    if !compiler() {
        return;
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kinlane-mech/tests/small.yaml");
    let small = Plan::new(&kinlane_mech::cantera::read(&path, None, &[]).unwrap());
    let [one, four, registers] =
        [(1, false), (4, false), (4, true)].map(|(abreast, registers)| Way { abreast, registers });
    for way in [one, four, registers] {
        compare("small", &small, "rodas4", 2, way);
    }
    if let Some(p) = plan("h2co_burke") {
        for method in ["rodas4", "radau5", "bdf", "exprb43", "chemeq2", "asymptotic", "rkc"] {
            compare("h2co", &p, method, 6, four);
        }
        compare("h2co", &p, "rodas4", 6, registers);
        compare("h2co", &p, "radau5", 6, one);
    }
}
