//! What a recorder could get wrong, each in a small program that both machines run.

use crate::common::{Pair, Task, record};
use kinlane_emit::{C, print};
use kinlane_plan::machine::{Array, Indices, Machine, Real, Reals};
use kinlane_plan::tables::{Layout, Tables};

/// The arrays and tables of the programs here.
struct World {
    tables: Tables,
    a: Array,
    b: Array,
    out: Array,
    weights: Reals,
    order: Indices,
    len: usize,
}

const N: usize = 24;

fn world() -> World {
    let (mut tables, mut l) = (Tables::default(), Layout::default());
    let weights = tables.reals((0..N).map(|i| 0.1 + 1.0 / (i + 1) as f64));
    let order = tables.indices((0..N).map(|i| i * 7 % N));
    let (a, b, out) = (l.array(N), l.array(N), l.array(N));
    World { tables, a, b, out, weights, order, len: l.len() }
}

/// A value read before a write keeps what it was; one read after sees it.
struct Hazards(World);
impl Task for Hazards {
    fn run<M: Machine>(&self, m: M) {
        let w = &self.0;
        let first = m.get(w.a, m.i(0));
        m.put(w.a, m.i(0), first + m.lit(1.0));
        m.put(w.out, m.i(0), first * m.get(w.a, m.i(0)));
        m.ordered(m.i(1), m.i(N), |i| {
            let before = m.get(w.a, i);
            m.put(w.a, i, before * m.real(w.weights, i) + first);
            let after = m.get(w.a, m.index(w.order, i));
            m.put(w.out, i, before - after);
            m.put(w.b, m.mirror(i, N), M::R::select(before.lt(after), before.sqrt(), -after.abs()));
        });
    }
}

/// Folds in folds, one that also writes, one whose value nobody wants.
struct Folds(World);
impl Task for Folds {
    fn run<M: Machine>(&self, m: M) {
        let w = &self.0;
        m.all(4, |i| {
            let s = m.fold(m.i(0), i + 1, m.lit(0.25), |s, j| {
                let inner = m.fold(m.i(0), j * 2 + 1, s, |t, k| m.get(w.a, k).mul_add(m.real(w.weights, j), t));
                s + inner
            });
            m.put(w.out, i * 3 + 1, s);
        });
        let _unused = m.sum(N, |i| m.get(w.a, i));
        m.fold(m.i(0), m.i(N), m.lit(1.0), |s, i| {
            m.put(w.b, i, s);
            s * m.lit(1.5)
        });
        // Each new value from both old ones.
        let [x, y] = m.folds(m.i(0), m.i(5), [m.lit(1.0), m.get(w.a, m.i(2))], |[x, y], i| [y, x + m.get(w.b, i)]);
        m.put(w.b, m.i(1), x - y);
        m.put(w.out, m.i(0), m.sum(0, |i| m.get(w.a, i)));
    }
}

/// Functions that capture values and loop indices, nested, called with different arrays, empty.
struct Functions(World);
impl Task for Functions {
    fn run<M: Machine>(&self, m: M) {
        let w = &self.0;
        let scale = m.get(w.a, m.i(3)) + m.lit(2.0);
        let small = scale.le(m.lit(1e3));
        let add = |from: Array, to: Array| {
            m.function("add", || {
                m.all(N, |i| {
                    m.function("one", || m.put(to, i, M::R::select(small, scale, m.lit(-0.0)) + m.get(from, i)));
                });
            });
        };
        add(w.a, w.b);
        add(w.b, w.out);
        add(w.out, w.out);
        m.function("nothing", || m.all(0, |i| m.put(w.a, i, m.lit(1.0))));
        m.if_any(small, || m.put(w.a, m.i(5), M::R::select(small, m.lit(7.0), m.get(w.a, m.i(5)))));
    }
}

/// exp and ln, maxima and minima, over numbers of every kind.
struct Numbers(World);
impl Task for Numbers {
    fn run<M: Machine>(&self, m: M) {
        let w = &self.0;
        m.all(N, |i| {
            let x = m.get(w.a, i);
            m.put(w.out, i, x.exp());
            m.put(w.b, i, x.ln());
        });
        m.put(w.a, m.i(0), (m.lit(f64::NAN).max(m.get(w.a, m.i(1)))).min(m.lit(f64::INFINITY)));
        m.put(w.a, m.i(2), m.lit(0.3).exp() + m.lit(1e-310).ln() + m.get(w.a, m.i(3)));
        let big = M::R::and(m.lit(1.0).lt(m.get(w.a, m.i(4))), M::R::not(m.get(w.a, m.i(4)).le(m.lit(-1.0))));
        m.put(w.a, m.i(6), M::R::select(M::R::or(big, m.lit(1.0).lt(m.lit(0.5))), m.lit(0.1), m.lit(1e22)));
    }
}

/// Compares a program on one arena, whose first array is given.
fn both<T: Task>(what: &str, task: impl Fn(World) -> T, a: impl Fn(usize) -> f64) {
    let w = world();
    let mut cells = [(0..w.len).map(|i| if i < N { a(i) } else { 0.5 * i as f64 }).collect()];
    Pair::new(what, &w.tables, w.len, task(world())).run(&mut cells);
}

#[test]
fn reads_and_writes_keep_their_order() {
    both("hazards", Hazards, |i| 1.0 + i as f64);
}

#[test]
fn folds_of_every_kind() {
    both("folds", Folds, |i| (i as f64 - 3.0) * 1.1);
}

#[test]
fn functions_take_what_they_need() {
    both("functions", Functions, |i| i as f64);
    let program = record(&Functions(world()));
    assert_eq!(program.functions.iter().filter(|f| f.name == "add").count(), 2, "from one array to another, or within");
    assert!(!print(&program, &world().tables, &[], &C).contains("nothing"));
}

#[test]
fn exponentials_of_every_number() {
    let edges = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        5e-324,
        1e-310,
        f64::MIN_POSITIVE,
        f64::MAX,
        -745.0,
        -744.0,
        -708.4,
        -720.0,
        709.7,
        709.9,
        1e-17,
        0.75,
        1.5,
        1.499_999_999_999_999_8,
        3e5,
        2.0,
        0.1,
    ];
    both("numbers", Numbers, |i| edges[i % edges.len()]);
}
