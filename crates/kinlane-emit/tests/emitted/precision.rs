//! Programs in several memories and in reduced precision, compiled as C, beside the scalar machine: one attempted step.

use crate::common::{self, compiler, fill, plan};
use kinlane_emit::{C, Memory, Placing, Program, Recorder, Storage, near, print};
use kinlane_plan::{Plan, Precision, Scalar};
use kinlane_solve::Reactor;
use kinlane_solve::gas::problem::Gas;
use kinlane_solve::methods::control::Start;
use kinlane_solve::methods::{Method, Stepper};
use std::path::Path;
use std::process::Command;

const MAIN: &str = "
#include <stdio.h>
static double w[LEN];
#if SINGLES
static float v[SINGLES];
#endif
#if NEAR
static double u[NEAR];
#endif
int main(void) {
    if (fread(w, sizeof w, 1, stdin) != 1) return 1;
    attempt(PASS);
    return fwrite(w, sizeof w, 1, stdout) != 1;
}
";

/// State, time and steps after an attempt in a precision, with so many doubles near, and by the scalar machine.
fn attempt(name: &str, plan: &Plan, method: &str, precision: Precision, most: usize) -> [Vec<f64>; 2] {
    let mut layout = plan.layout;
    let gas = Gas::new(plan, Reactor::ConstP);
    let w = Stepper::new(&mut layout, Method::find(method).unwrap(), gas.dimensions());
    let mut arena = vec![0.0; layout.len()];
    fill(plan, &mut arena, w.y, Reactor::ConstP, 1600.0, 4);
    for (a, x) in w.clock.start(Start { dt: 1e-3, h: 1e-10, rtol: 1e-3, atol: 1e-12, budget: 1000.0, only_end: true }) {
        arena[a.at as usize] = x;
    }
    // All that a cell enters with is kept in double precision, and not near.
    let cell = &plan.cell;
    let clock = w.clock.arrays().map(|(_, a)| a);
    let entering: Vec<_> =
        [w.y, cell.parameter, cell.electron, cell.source, cell.heating].into_iter().chain(clock).collect();
    let record = |placing: Placing| -> Program {
        let recorder = Recorder::placed(placing);
        recorder.entry("attempt", |m| common::attempt(m, &w, gas));
        recorder.finish()
    };
    let placing = Placing { precision, ..Placing::default() };
    let lu = &plan.lu.factors;
    let wanted = [lu.values, plan.jacobian.values, lu.work, w.y1, lu.inverse, lu.x, cell.conc, cell.act];
    let near = near(&record(placing.clone()), &wanted, &entering, most);
    assert_eq!(near.is_empty(), most == 0, "{near:?}");
    let program = record(Placing { near, ..placing });
    let storage = Storage::of(&program);
    let (singles, near) = (storage.singles(), storage.near());
    let pass = ["w", if singles > 0 { ", v" } else { "" }, if near > 0 { ", u" } else { "" }].concat();
    let head = format!(
        "#define LEN {}\n#define SINGLES {singles}\n#define NEAR {near}\n#define PASS {pass}\n",
        storage.doubles(layout.len())
    );
    let folder =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("precision_{name}_{method}_{}_{most}", precision.name()));
    std::fs::create_dir_all(&folder).unwrap();
    let text = format!("{}{head}{MAIN}", print(&program, &plan.tables, &[], &C));
    std::fs::write(folder.join("program.c"), text).unwrap();
    let mut cc = Command::new("cc");
    cc.current_dir(&folder).args(["-std=c11", "-O1", "-Wall", "-Werror", "-ffp-contract=off"]);
    if cfg!(target_arch = "x86_64") {
        cc.arg("-mfma");
    }
    let made = cc.args(["-o", "program", "program.c", "-lm"]).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let mut doubles = vec![0.0; storage.doubles(layout.len())];
    for a in &entering {
        let (from, to, len) = (a.at as usize, storage.place(a.at, Memory::Double) as usize, a.len as usize);
        doubles[to..to + len].copy_from_slice(&arena[from..from + len]);
    }
    std::fs::write(folder.join("in"), doubles.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>()).unwrap();
    let input = std::fs::File::open(folder.join("in")).unwrap();
    let output = Command::new(folder.join("program")).stdin(input).output().unwrap();
    let got: Vec<f64> = output.stdout.chunks_exact(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect();
    assert_eq!(got.len(), doubles.len());
    common::attempt(Scalar::new(&plan.tables, &mut arena), &w, gas);
    // The error of such a step is next to nothing, hence all noise; and so is the step after it.
    let told = [w.y, w.clock.t, w.clock.steps];
    let pick = |x: &[f64], place: &dyn Fn(u32) -> u32| {
        told.iter().flat_map(|a| (0..a.len).map(|i| x[(place(a.at) + i) as usize]).collect::<Vec<_>>()).collect()
    };
    [pick(&got, &|at| storage.place(at, Memory::Double)), pick(&arena, &|at| at)]
}

#[test]
fn a_step_in_reduced_precision_is_nearly_that_of_the_scalar_machine() {
    if !compiler() {
        return;
    }
    for (name, method) in [("h2co_burke", "rodas5p"), ("h2co_burke", "bdf"), ("gri30", "rodas4")] {
        let Some(plan) = plan(name) else { return };
        for (precision, near) in [(Precision::F64, 0.0), (Precision::Mixed, 1e-5), (Precision::F32, 1e-3)] {
            let [got, want] = attempt(name, &plan, method, precision, 0);
            let off = |(a, b): (&f64, &f64)| (a - b).abs() / (b.abs() + 1e-12);
            let worst = got.iter().zip(&want).map(off).max_by(f64::total_cmp).unwrap_or_default();
            eprintln!("{name}, {method}, {precision:?}: {worst:.1e}");
            assert!(worst <= near, "{name}, {method}, {precision:?}: {got:?} is not {want:?}");
            assert!(precision == Precision::F64 || worst > 0.0, "{name}, {method}, {precision:?}: nothing was reduced");
        }
    }
}

#[test]
fn a_step_in_several_memories_has_the_bits_of_the_scalar_machine() {
    if !compiler() {
        return;
    }
    for (name, method, most) in [("h2co_burke", "rodas5p", 100), ("h2co_burke", "bdf", 1000), ("gri30", "radau5", 6144)]
    {
        let Some(plan) = plan(name) else { return };
        let [got, want] = attempt(name, &plan, method, Precision::F64, most);
        assert_eq!(got, want, "{name}, {method}");
        let [got, want] = attempt(name, &plan, method, Precision::Mixed, most);
        let worst = got
            .iter()
            .zip(&want)
            .map(|(a, b)| (a - b).abs() / (b.abs() + 1e-12))
            .max_by(f64::total_cmp)
            .unwrap_or_default();
        assert!(worst <= 1e-5, "{name}, {method}: {worst:.1e}");
    }
}
