//! Exponential methods: they solve the linear part of the equations exactly, by φ functions of h J in Krylov
//! spaces.
//!
//! `krylov.rs` builds the spaces, `hessenberg.rs` computes φ of their small matrices, `poles.rs` holds the
//! rational functions that approximate φ (Schmelzer & Trefethen 2007).

pub mod hessenberg;
pub mod krylov;
mod poles;

use super::Problem;
use super::control::{self, Clock, Controller, count};
use super::stages::add_stages;
use hessenberg::Residues;
use kinlane_plan::machine::{Array, Machine, Real};
use kinlane_plan::tables::Layout;
use krylov::Krylov;
use poles::{PHI1, PHI3, PHI4};

/// The exponential methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exponential {
    /// Order 4 (Hochbruck, Lubich & Selhofer 1998): φ₁ alone, of h/3, 2h/3 and h.
    Exp4,
    /// Order 4, embedded order 3 (Hochbruck & Ostermann 2006): φ₁, φ₃ and φ₄.
    Exprb43,
}

/// Factor on the estimates of exp4.
const STRICT: f64 = 10.0;
const CONTROLLER: Controller = Controller { order: 4.0, safety: 0.85, grow: 5.0, shrink: 0.2, first: 1.0, again: 0.1 };

/// Work arrays of a step.
#[derive(Debug, Clone, Copy)]
pub struct Workspace {
    /// The state.
    pub y: Array,
    /// The state after the attempt.
    pub y1: Array,
    /// f(y).
    pub f: Array,
    /// The error estimate.
    pub error: Array,
    /// Time and steps.
    pub clock: Clock,
    krylov: Krylov,
    k: [Array; 7],
    /// The increment of a stage, f there, and the nonlinear remainder of f.
    increment: Array,
    remainder: Array,
}

impl Workspace {
    /// Lays out the arrays for `n` variables.
    pub fn new(l: &mut Layout, n: usize) -> Self {
        Self {
            y: l.fine(n),
            y1: l.array(n),
            f: l.array(n),
            error: l.array(n),
            clock: Clock::new(l),
            krylov: Krylov::new(l, n),
            k: std::array::from_fn(|_| l.array(n)),
            increment: l.array(n),
            remainder: l.array(n),
        }
    }

    /// The method's own arrays by name, for printed programs.
    pub fn arrays(&self) -> Vec<(&'static str, Array)> {
        let mut all = self.krylov.arrays();
        all.extend(["k1", "k2", "k3", "k4", "k5", "k6", "k7"].into_iter().zip(self.k));
        all.extend([("increment", self.increment), ("remainder", self.remainder)]);
        all
    }
}

/// Attempts one step and accepts or rejects it. A step is rejected if its spaces would be too large, or if
/// something grows faster than the rational functions can represent.
#[inline(always)]
pub fn attempt<M: Machine, P: Problem<M>>(m: M, p: P, kind: Exponential, w: &Workspace) {
    let (n, c) = (p.len(), &w.clock);
    let h = control::next_step(m, c);
    p.rhs_and_jacobian(m, w.y, w.f);
    w.krylov.measure(m, p, w.y, c);
    let (enough, error) = match kind {
        Exponential::Exp4 => exp4(m, p, w, h),
        Exponential::Exprb43 => exprb43(m, p, w, h),
    };
    m.function(
        "finish",
        #[inline(always)]
        || {
            count(m, c.rhs, m.lit(3.0));
            count(m, c.jac, m.lit(1.0));
            let error = M::R::select(enough, error, m.lit(f64::INFINITY));
            control::decide(m, c, CONTROLLER, n, w.y, w.y1, h, error);
        },
    );
}

/// ```text
/// k₁, k₂, k₃ = φ(h/3 J) f, φ(2h/3 J) f, φ(h J) f
/// w₄ = −7/300 k₁ + 97/150 k₂ − 37/300 k₃      d₄ = f(y + h w₄) − f − h J w₄     k₄, k₅, k₆ = φ(·) d₄
/// w₇ = 59/300 k₁ − 7/75 k₂ + 269/300 k₃ + 2/3 (k₄ + k₅ + k₆)     d₇ likewise    k₇ = φ(h/3 J) d₇
/// y₁ = y + h (k₃ + k₄ − 4/3 k₅ + k₆ + k₇/6)
/// ```
///
/// The embedded solutions are y + h (k₃ − 1/2 k₄ − 2/3 k₅ + 1/2 k₆ + 1/2 k₇), of order 3, and
/// y + h (−k₁ + 2 k₂ − k₄ + k₇), of order 2; the smaller difference is taken. The arrays k hold h k; those
/// for arguments h/3 and 2h/3 hold h/3 k and 2h/3 k, as the spaces give them.
///
/// In stiff gas both estimates fall faster with h than the error does: H2/CO over 1e-4 s had up to 30 tolerances of it. They are judged
/// by a tenth of the tolerances.
#[inline(always)]
fn exp4<M: Machine, P: Problem<M>>(m: M, p: P, w: &Workspace, h: M::R) -> (<M::R as Real>::Mask, M::R) {
    const ONE: f64 = 3.0; // h k₁ from h/3 k₁
    const TWO: f64 = 1.5;
    let (n, k, space) = (p.len(), w.k, &w.krylov);
    let parts = [h * m.lit(1.0 / 3.0), h * m.lit(2.0 / 3.0), h];
    let three = |to: &[Array]| {
        for (&h, &to) in parts.iter().zip(to) {
            space.apply(m, n, h, &PHI1, to);
        }
    };
    let first = space.build_calm(m, p, w.f, h, &PHI1);
    three(&k[..3]);
    add_stages(m, n, None, None, w.increment, &k[..3], &[-7.0 / 300.0 * ONE, 97.0 / 150.0 * TWO, -37.0 / 300.0]);
    remainder(m, p, w);
    let second = space.build(m, p, w.remainder, h, &PHI1);
    three(&k[3..6]);
    let w7 = [59.0 / 300.0 * ONE, -7.0 / 75.0 * TWO, 269.0 / 300.0, 2.0 / 3.0 * ONE, 2.0 / 3.0 * TWO, 2.0 / 3.0];
    add_stages(m, n, None, None, w.increment, &k[..6], &w7);
    remainder(m, p, w);
    let third = space.build(m, p, w.remainder, parts[0], &PHI1);
    space.apply(m, n, parts[0], &PHI1, k[6]);
    add_stages(m, n, Some(w.y), None, w.y1, &k[2..], &[1.0, ONE, -4.0 / 3.0 * TWO, 1.0, ONE / 6.0]);
    // Differences from the embedded solutions.
    add_stages(
        m,
        n,
        None,
        None,
        w.increment,
        &k,
        &[ONE, -2.0 * TWO, 1.0, 2.0 * ONE, -4.0 / 3.0 * TWO, 1.0, -5.0 / 6.0 * ONE],
    );
    add_stages(m, n, None, None, w.error, &k[3..], &[1.5 * ONE, -2.0 / 3.0 * TWO, 0.5, -ONE / 3.0]);
    p.restore_sums(m, w.y, w.y1, h);
    let norm = |e: Array| w.clock.norm(m, p, h, [w.y, w.y1, e]);
    let (three, two) = (norm(w.error), norm(w.increment));
    let enough = M::R::and(first, M::R::and(second, third));
    (enough, m.lit(STRICT) * M::R::select(two.lt(three), two, three))
}

/// ```text
/// U₂ = y + h/2 φ₁(h/2 J) f        D₂ = f(U₂) − f − J (U₂ − y)
/// U₃ = y + h φ₁(h J) (f + D₂)     D₃ = f(U₃) − f − J (U₃ − y)
/// y₁ = y + h φ₁ f + h (16 φ₃ − 48 φ₄) D₂ + h (−2 φ₃ + 12 φ₄) D₃       err = h φ₄ (12 D₃ − 48 D₂)
/// ```
#[inline(always)]
fn exprb43<M: Machine, P: Problem<M>>(m: M, p: P, w: &Workspace, h: M::R) -> (<M::R as Real>::Mask, M::R) {
    let (n, k, space) = (p.len(), w.k, &w.krylov);
    let first = space.build_calm(m, p, w.f, h, &PHI1);
    space.apply(m, n, h, &PHI1, k[0]);
    space.apply(m, n, h * m.lit(0.5), &PHI1, w.increment);
    remainder(m, p, w);
    let second = space.build(m, p, w.remainder, h, &PHI1);
    space.apply(m, n, h, &PHI1, k[1]);
    space.apply(m, n, h, &sum(16.0, &PHI3, -48.0, &PHI4), k[2]);
    space.apply(m, n, h, &sum(0.0, &PHI3, -48.0, &PHI4), k[3]);
    add_stages(m, n, None, None, w.increment, &k[..2], &[1.0, 1.0]);
    remainder(m, p, w);
    let third = space.build(m, p, w.remainder, h, &PHI3);
    space.apply(m, n, h, &sum(-2.0, &PHI3, 12.0, &PHI4), k[4]);
    space.apply(m, n, h, &sum(0.0, &PHI3, 12.0, &PHI4), k[5]);
    add_stages(m, n, Some(w.y), None, w.y1, &k[..5], &[1.0, 0.0, 1.0, 0.0, 1.0]);
    add_stages(m, n, None, None, w.error, &k[3..6], &[1.0, 0.0, 1.0]);
    p.restore_sums(m, w.y, w.y1, h);
    let error = w.clock.norm(m, p, h, [w.y, w.y1, w.error]);
    (M::R::and(first, M::R::and(second, third)), error)
}

/// The residues of a φ + b ψ.
fn sum(a: f64, phi: &Residues, b: f64, psi: &Residues) -> Residues {
    std::array::from_fn(|i| std::array::from_fn(|j| a * phi[i][j] + b * psi[i][j]))
}

/// `remainder` := f(y + increment) − f(y) − J increment; overwrites `y1`.
#[inline(always)]
fn remainder<M: Machine, P: Problem<M>>(m: M, p: P, w: &Workspace) {
    let n = p.len();
    add_stages(m, n, Some(w.y), None, w.y1, &[w.increment], &[1.0]);
    p.rhs(m, w.y1, w.remainder);
    p.times(m, w.increment, w.error);
    m.function(
        "beyond_linear",
        #[inline(always)]
        || {
            m.all(
                n,
                #[inline(always)]
                |s| m.put(w.remainder, s, m.get(w.remainder, s) - m.get(w.f, s) - m.get(w.error, s)),
            )
        },
    );
}

#[cfg(test)]
mod tests {
    use super::poles::POLES;
    use super::*;

    /// φ_k(z) = (φ_{k−1}(z) − 1/(k−1)!)/z; by its series where the recursion loses digits.
    fn phi(k: i32, z: f64) -> f64 {
        if z.abs() < 2.0 {
            let term = |j: i32| (1..=j + k).fold(1.0, |f, i| f / f64::from(i)) * z.powi(j);
            return (0..30).rev().map(term).sum();
        }
        let factorial: f64 = (1..k).map(f64::from).product();
        if k == 0 { z.exp() } else { (phi(k - 1, z) - 1.0 / factorial) / z }
    }

    #[test]
    fn rational_functions_are_the_phi_functions() {
        for (k, residues) in [(1, &PHI1), (3, &PHI3), (4, &PHI4)] {
            let points = (-80..80).map(|i| -(10f64.powf(f64::from(i) / 16.0))).chain([0.0, 0.3, 1.0]);
            let error = |z: f64| {
                let terms = POLES.iter().zip(residues).map(|([re, im], [a, b])| {
                    let (x, y) = (z - re, -im);
                    2.0 * (a * x + b * y) / (x * x + y * y)
                });
                (terms.sum::<f64>() - phi(k, z)).abs()
            };
            let worst = points.map(error).fold(0.0, f64::max);
            assert!(worst < 3e-9, "φ{k}: {worst:e}");
        }
    }
}
