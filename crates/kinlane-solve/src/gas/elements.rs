//! Conservation of the elements in a closed reactor.
//!
//! ```text
//! b_e = Σ_k E_ek phi_k,   db_e/dt = Σ_k E_ek s_k        (s: the source)
//! ```
//!
//! In exact arithmetic every method but the quasi-steady ones keeps b, since it is linear in phi. But rates are
//! sums of terms that cancel where fast reactions balance: their rounding, and that of linear systems, makes
//! atoms out of nothing, in every step, and nothing takes them away again. So where a step has lost more than
//! the rounding of its result, amounts are corrected in proportion to what there is of each species:
//!
//! ```text
//! phi_k := phi_k (1 + Σ_e E_ek λ_e),   Σ_f (Σ_k E_ek phi_k E_fk) λ_f = b_e − Σ_k E_ek phi_k
//! ```
//!
//! Whether it has is seen at one sum, with a weight for each element that makes losses in one and gains in
//! another unlikely to cancel.

use crate::methods::control::{Mask, flag, holds};
use kinlane_plan::machine::{Array, Machine, Real};
use kinlane_plan::plan::{Elements, MOST_ELEMENTS, Plan};

/// Rounding of sums over a state, relative to them: a smaller loss is none.
const ROUNDING: f64 = 1e-14;
/// A part of an element's own coefficient in the equations that is left when others are eliminated. Below, what
/// the others keep keeps this one: in pure water oxygen is kept with hydrogen.
const ALONE: f64 = 1e-9;
/// Bound on the correction of an amount, as a part of it. A step of a quasi-steady method at a loose tolerance loses a
/// hundredth of an element.
const MOST: f64 = 0.1;

/// Σ_k E_ek y_k of element `e`.
#[inline(always)]
fn atoms<M: Machine>(m: M, p: &Plan, e: usize, y: Array) -> M::R {
    let row = p.elements.atoms;
    m.sum(
        p.species,
        #[inline(always)]
        |k| m.real(row, m.i(e * p.species) + k) * m.get(y, k),
    )
}

/// Records the elements of cells that begin, and what sources bring of them.
#[inline(always)]
pub fn remember<M: Machine>(m: M, p: &Plan, y: Array) {
    let Elements { count, known, fed_known, total, fed, .. } = p.elements;
    if count == 0 {
        return;
    }
    let enters = m.var(fed_known).lt(m.lit(0.5));
    m.if_any(
        enters,
        #[inline(always)]
        || {
            m.function(
                "remember_elements",
                #[inline(always)]
                || {
                    let begins = M::R::and(enters, m.var(known).lt(m.lit(0.5)));
                    for e in 0..count {
                        let i = m.i(e);
                        m.put(total, i, M::R::select(begins, atoms(m, p, e, y), m.get(total, i)));
                        m.put(fed, i, M::R::select(enters, atoms(m, p, e, p.cell.source), m.get(fed, i)));
                    }
                    m.set(known, m.lit(1.0));
                    m.set(fed_known, m.lit(1.0));
                },
            );
        },
    );
}

/// Where a step of length `h` to `y` was accepted, restores the elements that it has lost. `after` is called for the cells
/// in which some were.
#[inline(always)]
pub fn keep<M: Machine>(m: M, p: &Plan, y: Array, h: M::R, accepted: Mask<M>, after: impl Fn(Mask<M>)) {
    let Elements { count, weight, check, total, fed, lost, .. } = p.elements;
    if count == 0 {
        return;
    }
    m.function(
        "elements_lost",
        #[inline(always)]
        || {
            let mut due = m.lit(0.0);
            for e in 0..count {
                let i = m.i(e);
                let b = m.get(total, i);
                let b = M::R::select(accepted, h.mul_add(m.get(fed, i), b), b);
                m.put(total, i, b);
                due = m.real(weight, i).mul_add(b, due);
            }
            let is = m.sum(
                p.species,
                #[inline(always)]
                |k| m.real(check, k) * m.get(y, k),
            );
            let much = (m.lit(ROUNDING) * due.abs()).lt((due - is).abs());
            m.set(lost, flag(M::R::and(accepted, much)));
        },
    );
    let lost = holds(m, lost);
    m.if_any(
        lost,
        #[inline(always)]
        || {
            m.function(
                "restore_elements",
                #[inline(always)]
                || {
                    let correction = solve(m, count, equations(m, p, y));
                    correct(m, p, y, lost, correction);
                },
            );
            after(lost);
        },
    );
}

/// A number for each element.
type Each<M> = [<M as Machine>::R; MOST_ELEMENTS];

/// The lower triangle of the equations for λ, and what is lacking.
#[inline(always)]
fn equations<M: Machine>(m: M, p: &Plan, y: Array) -> ([Each<M>; MOST_ELEMENTS], Each<M>) {
    let Elements { count, atoms: rows, total, .. } = p.elements;
    let zero = m.lit(0.0);
    let (mut a, mut lacking) = ([[zero; MOST_ELEMENTS]; MOST_ELEMENTS], [zero; MOST_ELEMENTS]);
    for e in 0..count {
        lacking[e] = m.get(total, m.i(e)) - atoms(m, p, e, y);
        for (f, a) in a[e].iter_mut().enumerate().take(e + 1) {
            *a = m.sum(
                p.species,
                #[inline(always)]
                |k| {
                    let [e, f] = [m.real(rows, m.i(e * p.species) + k), m.real(rows, m.i(f * p.species) + k)];
                    e * f * m.get(y, k).max(zero)
                },
            );
        }
    }
    (a, lacking)
}

/// Solves A x = b, with A = L D Lᵀ; of A only the lower triangle is given.
#[inline(always)]
fn solve<M: Machine>(m: M, count: usize, (mut a, mut b): ([Each<M>; MOST_ELEMENTS], Each<M>)) -> Each<M> {
    let zero = m.lit(0.0);
    let mut inverse = [zero; MOST_ELEMENTS];
    for e in 0..count {
        // Row e of L D, then of L.
        for f in 0..e {
            for g in 0..f {
                a[e][f] = a[e][f] - a[e][g] * a[f][g];
            }
        }
        let mut d = a[e][e];
        for f in 0..e {
            let l = a[e][f] * inverse[f];
            d = d - a[e][f] * l;
            b[e] = b[e] - l * b[f];
            a[e][f] = l;
        }
        let alone = (m.lit(ALONE) * a[e][e]).lt(d);
        inverse[e] = M::R::select(alone, d.recip(), zero);
    }
    for e in (0..count).rev() {
        b[e] = b[e] * inverse[e];
        for f in e + 1..count {
            b[e] = b[e] - a[f][e] * b[f];
        }
    }
    b
}

/// Corrects amounts in the cells of the mask by λ, and their sum.
#[inline(always)]
fn correct<M: Machine>(m: M, p: &Plan, y: Array, which: Mask<M>, lambda: Each<M>) {
    let Elements { count, atoms: rows, .. } = p.elements;
    m.all(
        p.species,
        #[inline(always)]
        |k| {
            let mut by = m.lit(0.0);
            for (e, x) in lambda.into_iter().enumerate().take(count) {
                by = m.real(rows, m.i(e * p.species) + k).mul_add(x, by);
            }
            let by = m.lit(MOST).min(m.lit(-MOST).max(by));
            let phi = m.get(y, k);
            m.put(y, k, M::R::select(which, by.mul_add(phi.max(m.lit(0.0)), phi), phi));
        },
    );
    let sigma = m.sum(
        p.species,
        #[inline(always)]
        |k| m.get(y, k),
    );
    let i = m.i(p.species + 1);
    m.put(y, i, M::R::select(which, sigma, m.get(y, i)));
}
