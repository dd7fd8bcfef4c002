//! The simplified Newton iteration for the stages of a step, in the variables W = T⁻¹ Z.

use super::workspace::Workspace;
use super::{C, ITERATIONS, KEEP};
use crate::methods::Problem;
use crate::methods::control::{count, flag, holds, power};
use crate::methods::newton;
use kinlane_plan::machine::{Array, Machine, Real, array};
use kinlane_plan::number::Complex;

/// No iteration is trusted to contract faster than this: the contraction of the step before says nothing
/// about a start that lies elsewhere, and that from one iteration to the next may be that of a fast species
/// alone. On a cell's first step none is trusted at all: it begins wherever transport has left the cell.
const TRUSTED: f64 = 3e-3;

/// T and its inverse, which transform the three coupled systems into one real and one complex (Hairer &
/// Wanner's code).
const T: [[f64; 3]; 3] = [
    [9.123_239_487_089_294e-2, -0.141_255_295_020_954_2, -3.002_919_410_514_742_4e-2],
    [0.241_717_932_707_107, 0.204_129_352_293_799_93, 0.382_942_112_757_261_9],
    [0.966_048_182_615_093, 1.0, 0.0],
];
/// See [`T`].
const INVERSE: [[f64; 3]; 3] = [
    [4.325_579_890_063_155, 0.339_199_251_815_809_87, 0.541_770_539_935_874_9],
    [-4.178_718_591_551_905, -0.327_682_820_761_062_4, 0.476_623_554_500_550_45],
    [-0.502_872_634_945_786_9, 2.571_926_949_855_605, -0.596_039_204_828_224_9],
];

/// Row `i` of a matrix times three numbers.
#[inline(always)]
fn row<R: Real>(a: &[[f64; 3]; 3], i: usize, x: [R; 3]) -> R {
    R::lit(a[i][2]).mul_add(x[2], R::lit(a[i][1]).mul_add(x[1], R::lit(a[i][0]) * x[0]))
}

/// Initial Z from the polynomial of the last step, and W = T⁻¹ Z.
#[inline(always)]
pub(super) fn start<M: Machine>(m: M, n: usize, w: &Workspace, h: M::R) {
    let (zero, one) = (m.lit(0.0), m.lit(1.0));
    let past_h = m.var(w.past_h);
    let known = zero.lt(past_h);
    let ratio = M::R::select(known, h / past_h, zero);
    let x = [ratio * m.lit(C[0]), ratio * m.lit(C[1]), ratio];
    m.all(
        n,
        #[inline(always)]
        |s| {
            let a: [M::R; 3] = array(
                #[inline(always)]
                |i| m.get(w.past[i], s),
            );
            let z: [M::R; 3] = array(
                #[inline(always)]
                |i| {
                    let inner = (x[i] - m.lit(C[0] - 1.0)).mul_add(a[2], a[1]);
                    M::R::select(known, x[i] * (x[i] - m.lit(C[1] - 1.0)).mul_add(inner, a[0]), zero)
                },
            );
            for i in 0..3 {
                m.put(w.z[i], s, z[i]);
                m.put(w.w[i], s, row(&INVERSE, i, z));
            }
        },
    );
    w.progress.begin(m);
    // η = θ/(1 − θ) of the step before, drawn towards one.
    m.set(w.eta, power(m.var(w.eta).max(m.lit(f64::EPSILON)), m.lit(0.8)));
    for (a, x) in [
        (w.running, one),
        (w.converged, zero),
        (w.iterations, zero),
        (w.needed, zero),
        (w.last, zero),
        (w.theta, m.lit(KEEP)),
        (w.cut, m.lit(0.5)),
    ] {
        m.set(a, x);
    }
}

/// One iteration. Cells that are not running keep their W, hence their Z. `same`: 1 where the matrix is that of the attempt
/// before.
#[inline(always)]
pub(super) fn iteration<M: Machine, P: Problem<M>>(m: M, p: P, w: &Workspace, d: M::R, dc: Complex<M::R>, same: M::R) {
    let n = p.len();
    for i in 0..3 {
        m.function(
            "stage",
            #[inline(always)]
            || {
                m.all(
                    n,
                    #[inline(always)]
                    |s| m.put(w.at, s, m.get(w.y, s) + m.get(w.z[i], s)),
                )
            },
        );
        p.rhs(m, w.at, w.f[i]);
    }
    m.function(
        "residuals",
        #[inline(always)]
        || {
            m.all(
                n,
                #[inline(always)]
                |s| {
                    let f: [M::R; 3] = array(
                        #[inline(always)]
                        |i| m.get(w.f[i], s),
                    );
                    let v: [M::R; 3] = array(
                        #[inline(always)]
                        |i| m.get(w.w[i], s),
                    );
                    m.put(w.error, s, row(&INVERSE, 0, f) - d * v[0]);
                    m.put(w.complex.re, s, row(&INVERSE, 1, f) - (dc.re * v[1] - dc.im * v[2]));
                    m.put(w.complex.im, s, row(&INVERSE, 2, f) - (dc.re * v[2] + dc.im * v[1]));
                },
            )
        },
    );
    p.solve(m, w.error);
    p.solve_complex(m, &w.factors, w.complex);
    let delta = [w.error, w.complex.re, w.complex.im];
    m.function(
        "update",
        #[inline(always)]
        || {
            let running = holds(m, w.running);
            m.all(
                n,
                #[inline(always)]
                |s| {
                    let v: [M::R; 3] = array(
                        #[inline(always)]
                        |i| {
                            let old = m.get(w.w[i], s);
                            M::R::select(running, old + m.get(delta[i], s), old)
                        },
                    );
                    for i in 0..3 {
                        m.put(w.w[i], s, v[i]);
                        m.put(w.z[i], s, row(&T, i, v));
                    }
                },
            );
        },
    );
    m.function(
        "convergence",
        #[inline(always)]
        || convergence(m, p, w, delta, same),
    );
}

#[inline(always)]
fn convergence<M: Machine, P: Problem<M>>(m: M, p: P, w: &Workspace, delta: [Array; 3], same: M::R) {
    let c = &w.clock;
    let (rtol, atol) = (m.var(c.rtol), m.var(c.atol));
    let (zero, one, running) = (m.lit(0.0), m.lit(1.0), holds(m, w.running));
    let mut sum = m.lit(0.0);
    for a in delta {
        let size = p.size(
            m,
            w.y,
            rtol,
            atol,
            #[inline(always)]
            |s| m.get(a, s),
        );
        sum = sum + size.squared();
    }
    let size = (sum * m.lit(1.0 / 3.0)).sqrt();
    let goal = newton::goal(rtol);
    let last = m.var(w.last);
    let first = last.le(zero);
    let done_before = m.var(w.iterations);
    // Contraction: from the third iteration on the geometric mean of two, but on a first step, where the first may be that of a
    // fast species.
    let begun = zero.lt(m.var(w.past_h));
    let now = size / last;
    let theta = M::R::select(M::R::or(M::R::not(begun), done_before.le(m.lit(1.5))), now, (now * m.var(w.cut)).sqrt());
    let theta = M::R::select(first, m.var(w.theta), theta);
    let contracts = M::R::or(first, theta.lt(m.lit(newton::CONTRACTS)));
    let contracts = M::R::and(contracts, size.le(m.lit(newton::RUN_AWAY)));
    let eta = M::R::select(first, m.var(w.eta), theta / (one - theta));
    // Where the remaining iterations would not suffice, the iteration stops here and the step is cut.
    let left = m.lit((ITERATIONS - 2) as f64) - done_before;
    let expected = eta * size * power(theta, left.max(zero)) / goal;
    let hopeless = M::R::and(M::R::not(first), one.le(expected));
    let stalls = w.progress.stalls(
        m,
        p,
        (w.y, c),
        [size, now],
        #[inline(always)]
        |s| m.get(delta[0], s),
    );
    let stalls = M::R::and(M::R::not(first), stalls);
    let trusted = M::R::select(begun, m.lit(TRUSTED), one);
    // How fast it converges with another matrix than that of the attempt before is not known before the second iteration: J
    // may be that of a state in which something was fast that is gone. On a first step the second does not tell either,
    // if the first was large.
    let second = M::R::and(M::R::not(first), M::R::or(begun, last.le(one)));
    let known = M::R::or(M::R::or(M::R::and(begun, zero.lt(same)), second), newton::nothing(size, rtol));
    let small = M::R::or(M::R::and(known, (eta.max(trusted) * size).le(goal)), stalls);
    let enough = M::R::and(m.var(w.needed).le(zero), M::R::or((eta * size).le(goal), stalls));
    let contracts = M::R::or(stalls, M::R::and(contracts, M::R::or(small, M::R::not(hopeless))));
    let slower = m.lit(0.8) * power(m.lit(1e-4).max(expected.min(m.lit(20.0))), -(left + m.lit(4.0)).max(one).recip());
    let iterations = done_before + one;
    let going = M::R::and(running, contracts);
    let done = M::R::and(going, small);
    let on = M::R::and(going, M::R::and(M::R::not(small), iterations.lt(m.lit(ITERATIONS as f64 - 0.5))));
    let gives_up =
        M::R::and(running, M::R::and(M::R::not(first), M::R::and(theta.lt(m.lit(newton::CONTRACTS)), hopeless)));
    m.set(w.converged, M::R::select(done, one, m.var(w.converged)));
    m.set(w.theta, M::R::select(running, theta, m.var(w.theta)));
    m.set(w.eta, M::R::select(M::R::and(going, M::R::not(stalls)), eta, m.var(w.eta)));
    // While the iteration runs, `cut` holds the last contraction; at its end, the factor on the step.
    let cut = M::R::select(on, now, M::R::select(gives_up, slower, m.lit(0.5)));
    m.set(w.cut, M::R::select(running, cut, m.var(w.cut)));
    m.set(w.iterations, M::R::select(running, iterations, m.var(w.iterations)));
    m.set(w.needed, M::R::select(M::R::and(going, enough), iterations, m.var(w.needed)));
    m.set(w.last, M::R::select(running, size.max(m.lit(f64::EPSILON)), last));
    m.set(w.running, flag(on));
    count(m, c.rhs, M::R::select(running, m.lit(3.0), zero));
}
