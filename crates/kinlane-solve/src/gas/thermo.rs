//! Standard-state thermodynamics of all species at one temperature: the polynomials of the mechanism, and constant heat
//! capacities above the plan's `hold` (see docs/decisions/0004-hot-gas.md).

use kinlane_plan::machine::{Array, Machine, Real, array};
use kinlane_plan::plan::{MOST_GIBBS, Nasa7, Nasa9, Plan};

/// Which thermodynamic quantities are wanted; up to `Derivative` each includes those before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// e^{±G} for equilibrium constants.
    Gibbs,
    /// In addition h/RT and cp/R, for the energy equation.
    Energy,
    /// In addition d(cp/R)/dT, for the Jacobian.
    Derivative,
    /// h/RT and cp/R alone.
    Caloric,
}

/// Powers and logarithm of T, shared by all species. With them every property is a dot product with the
/// coefficients.
struct Powers<R> {
    cp: [R; 7],
    h: [R; 8],
    g: [R; 9],
    dcp: [R; 7],
}

/// Powers for cp/R = a₀T⁻² + a₁T⁻¹ + a₂ + … + a₆T⁴, and for h/RT and g/RT by integration (McBride & Gordon
/// 1996).
#[inline(always)]
fn powers<M: Machine>(m: M, t: M::R, ln_t: M::R, inv_t: M::R) -> Powers<M::R> {
    let l = |x: f64| m.lit(x);
    let (t2, i2) = (t * t, inv_t * inv_t);
    let (t3, t4) = (t2 * t, t2 * t2);
    Powers {
        cp: [i2, inv_t, l(1.0), t, t2, t3, t4],
        h: [
            -i2,
            ln_t * inv_t,
            l(1.0),
            t * l(1.0 / 2.0),
            t2 * l(1.0 / 3.0),
            t3 * l(1.0 / 4.0),
            t4 * l(1.0 / 5.0),
            inv_t,
        ],
        // g/RT = h/RT − s/R
        g: [
            i2 * l(-0.5),
            (ln_t + l(1.0)) * inv_t,
            l(1.0) - ln_t,
            t * l(-1.0 / 2.0),
            t2 * l(-1.0 / 6.0),
            t3 * l(-1.0 / 12.0),
            t4 * l(-1.0 / 20.0),
            inv_t,
            l(-1.0),
        ],
        dcp: [i2 * inv_t * l(-2.0), -i2, l(0.0), l(1.0), t * l(2.0), t2 * l(3.0), t3 * l(4.0)],
    }
}

/// A temperature with the functions of it that the polynomials need.
#[derive(Clone, Copy)]
struct Temperature<R> {
    t: R,
    ln: R,
    inverse: R,
}

/// The cell's temperature, or the plan's `hold` if that is lower.
#[inline(always)]
fn held<M: Machine>(m: M, p: &Plan) -> Temperature<M::R> {
    let s = p.cell.scalars;
    let (t, hold) = (m.var(s.t), p.thermo.hold);
    let hot = m.lit(hold).lt(t);
    Temperature {
        t: m.lit(hold).min(t),
        ln: M::R::select(hot, m.lit(p.thermo.ln_hold), m.var(s.ln_t)),
        inverse: M::R::select(hot, m.lit(1.0 / hold), m.var(s.inv_t)),
    }
}

/// Above T₀ = `hold`, cp stays constant, and with it h = h₀ + cp (T − T₀), s = s₀ + cp ln(T/T₀); index 0: the
/// value at T₀.
#[inline(always)]
fn above_hold<M: Machine>(m: M, p: &Plan, wanted: Wanted) {
    let (t, ln_t, inv_t) = (m.var(p.cell.scalars.t), m.var(p.cell.scalars.ln_t), m.var(p.cell.scalars.inv_t));
    let hold = m.lit(p.thermo.hold);
    let hot = hold.lt(t);
    m.if_any(
        hot,
        #[inline(always)]
        || {
            if wanted == Wanted::Gibbs {
                p.thermo.nasa7.iter().for_each(
                    #[inline(always)]
                    |group| seven::<M, GIBBS_HOT>(m, p, group),
                );
            }
            m.function(
                "above_hold",
                #[inline(always)]
                || {
                    let (gibbs, enthalpy, cp, dcp) = (p.thermo.gibbs, p.thermo.enthalpy, p.thermo.cp, p.thermo.dcp);
                    let (further, ln) = ((t - hold) * inv_t, ln_t - m.lit(p.thermo.ln_hold));
                    m.all(
                        p.species,
                        #[inline(always)]
                        |k| {
                            let (g, h, c) = (m.get(gibbs, k), m.get(enthalpy, k), m.get(cp, k));
                            let h1 = further.mul_add(c, h * (hold * inv_t));
                            let g1 = (m.lit(1.0) - c).mul_add(ln, g + (h1 - h));
                            m.put(gibbs, k, M::R::select(hot, g1, g));
                            m.put(enthalpy, k, M::R::select(hot, h1, h));
                            if wanted == Wanted::Derivative {
                                m.put(dcp, k, M::R::select(hot, m.lit(0.0), m.get(dcp, k)));
                            }
                        },
                    );
                },
            );
        },
    );
}

/// Writes `gibbs`, `exp_minus`, `exp_plus` and, as `wanted` says, `enthalpy`, `cp`, `dcp` of the plan's thermodynamics.
#[inline(always)]
pub fn evaluate<M: Machine>(m: M, p: &Plan, wanted: Wanted) {
    polynomials(m, p, wanted);
    m.function(
        "exponentials",
        #[inline(always)]
        || exponentials(m, p),
    );
}

/// As [`evaluate`], but without the exponentials.
#[inline(always)]
pub fn polynomials<M: Machine>(m: M, p: &Plan, wanted: Wanted) {
    for group in &p.thermo.nasa7 {
        match wanted {
            Wanted::Gibbs => seven::<M, GIBBS>(m, p, group),
            Wanted::Energy => seven::<M, ENERGY>(m, p, group),
            Wanted::Derivative => seven::<M, DERIVATIVE>(m, p, group),
            Wanted::Caloric => seven::<M, CALORIC>(m, p, group),
        }
    }
    for group in &p.thermo.nasa9 {
        nine(m, p, group);
    }
    above_hold(m, p, wanted);
}

#[inline(always)]
fn exponentials<M: Machine>(m: M, p: &Plan) {
    let (gibbs, minus, plus) = (p.thermo.gibbs, p.thermo.exp_minus, p.thermo.exp_plus);
    m.all(
        p.species,
        #[inline(always)]
        |k| {
            let (g, most, zero) = (m.get(gibbs, k), m.lit(MOST_GIBBS), m.lit(0.0));
            let beyond = most.lt(g.abs());
            let (up, down) = most.min((-most).max(g)).exp_both();
            m.put(plus, k, M::R::select(beyond, zero, up));
            m.put(minus, k, M::R::select(beyond, zero, down));
        },
    );
}

/// s + Σ aᵢ wᵢ.
#[inline(always)]
fn dot<R: Real>(w: &[R], a: &[R], s: R) -> R {
    let mut s = s;
    let mut i = 0;
    while i < w.len() {
        s = a[i].mul_add(w[i], s);
        i += 1;
    }
    s
}

/// What [`seven`] computes: as the variant of [`Wanted`] of the same name.
const GIBBS: u8 = Wanted::Gibbs as u8;
const ENERGY: u8 = Wanted::Energy as u8;
const DERIVATIVE: u8 = Wanted::Derivative as u8;
const CALORIC: u8 = Wanted::Caloric as u8;
/// As [`GIBBS`], with h/RT and cp/R for cells above `hold` only; other cells keep the values that they have.
const GIBBS_HOT: u8 = CALORIC + 1;

/// Species with polynomials of seven coefficients.
#[inline(always)]
fn seven<M: Machine, const WHAT: u8>(m: M, p: &Plan, group: &Nasa7) {
    m.function(
        "nasa7",
        #[inline(always)]
        || {
            let here = held(m, p);
            let (t, ln_t) = (here.t, here.ln);
            let w = powers(m, t, ln_t, here.inverse);
            let th = &p.thermo;
            let (gibbs, enthalpy, cp, dcp) = (th.gibbs, th.enthalpy, th.cp, th.dcp);
            let low = t.le(m.lit(group.t_mid));
            let hot = m.lit(p.thermo.hold).lt(m.var(p.cell.scalars.t));
            let (species, a_low, a_high) = (group.species, group.low, group.high);
            m.all(
                species.len as usize,
                #[inline(always)]
                |i| {
                    let k = m.index(species, i);
                    let at = i * 7;
                    let a: [M::R; 7] = array(
                        #[inline(always)]
                        |c| M::R::select(low, m.real(a_low, at + c), m.real(a_high, at + c)),
                    );
                    // ln(p⁰/R) is inside the coefficients: −ln(p⁰/RT) = −ln(p⁰/R) + ln T
                    if WHAT != CALORIC {
                        m.put(gibbs, k, dot(&w.g[2..8], &a, ln_t - a[6]));
                    }
                    if WHAT != GIBBS {
                        let (h, c) = (dot(&w.h[3..8], &a[1..], a[0]), dot(&w.cp[3..7], &a[1..], a[0]));
                        let mine =
                            |x: M::R, a: Array| if WHAT == GIBBS_HOT { M::R::select(hot, x, m.get(a, k)) } else { x };
                        m.put(enthalpy, k, mine(h, enthalpy));
                        m.put(cp, k, mine(c, cp));
                    }
                    if WHAT == DERIVATIVE {
                        m.put(dcp, k, dot(&w.dcp[4..7], &a[2..], a[1]));
                    }
                },
            );
        },
    );
}

/// Species with polynomials of nine coefficients, all quantities at once, since such species are few.
#[inline(always)]
fn nine<M: Machine>(m: M, p: &Plan, group: &Nasa9) {
    m.function(
        "nasa9",
        #[inline(always)]
        || {
            let here = held(m, p);
            let (t, ln_t) = (here.t, here.ln);
            let w = powers(m, t, ln_t, here.inverse);
            let th = &p.thermo;
            let (gibbs, enthalpy, cp, dcp) = (th.gibbs, th.enthalpy, th.cp, th.dcp);
            let (species, breaks, table, ranges) = (group.species, group.breaks, group.a, group.ranges);
            m.all(
                species.len as usize,
                #[inline(always)]
                |i| {
                    let k = m.index(species, i);
                    let at = i * (9 * ranges);
                    let mut a: [M::R; 9] = array(
                        #[inline(always)]
                        |c| m.real(table, at + c),
                    );
                    for r in 1..ranges {
                        let above = m.real(breaks, i * (ranges - 1) + (r - 1)).le(t);
                        a = array(
                            #[inline(always)]
                            |c| M::R::select(above, m.real(table, at + (9 * r + c)), a[c]),
                        );
                    }
                    m.put(gibbs, k, dot(&w.g[..8], &a, ln_t - a[8]));
                    m.put(enthalpy, k, dot(&w.h, &a, m.lit(0.0)));
                    m.put(cp, k, dot(&w.cp, &a, m.lit(0.0)));
                    m.put(dcp, k, dot(&w.dcp, &a, m.lit(0.0)));
                },
            );
        },
    );
}
