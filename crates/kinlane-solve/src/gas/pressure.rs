//! Rate constants that depend on pressure through tables or on the mixture through linear-Burke, and laws
//! with more terms in the exponent. Each law is written once, as a value; its derivatives come from dual
//! numbers.

use super::falloff;
use crate::LEAST;
use kinlane_plan::dual::Dual;
use kinlane_plan::machine::{Machine, Real, Reals, array};
use kinlane_plan::plan::{
    BurkeCollider, BurkeInner, BurkeLaw, ChebyshevLaw, FalloffClass, Plan, PlogLaw, PlogSumLaw, Special, SpecialLaw,
};
use std::f64::consts::LN_10;

/// Temperature in the forms that the laws use, and ln p.
#[derive(Clone, Copy)]
struct Env<N> {
    t: N,
    ln_t: N,
    inv_t: N,
    ln_p: N,
}

impl<R: Real> Env<R> {
    #[inline(always)]
    fn constant(self) -> Env<Dual<R>> {
        let c = Dual::constant;
        Env { t: c(self.t), ln_t: c(self.ln_t), inv_t: c(self.inv_t), ln_p: c(self.ln_p) }
    }
    /// Dual numbers for the derivative with respect to T at constant total concentration:
    /// ln p = ln(Ctot R T).
    #[inline(always)]
    fn by_t(self) -> Env<Dual<R>> {
        let i = self.inv_t;
        Env {
            t: Dual { v: self.t, d: R::lit(1.0) },
            ln_t: Dual { v: self.ln_t, d: i },
            inv_t: Dual { v: i, d: -(i * i) },
            ln_p: Dual { v: self.ln_p, d: i },
        }
    }
    /// Dual numbers for the derivative with respect to ln Ctot.
    #[inline(always)]
    fn by_total(self) -> Env<Dual<R>> {
        let mut e = self.constant();
        e.ln_p.d = R::lit(1.0);
        e
    }
}

/// Constants as numbers of type N.
#[inline(always)]
fn literals<N: Real, const K: usize>(x: &[f64; K]) -> [N; K] {
    array(
        #[inline(always)]
        |i| N::lit(x[i]),
    )
}

/// How far ln p lies within an interval: 0 below it, its width above.
#[inline(always)]
fn into<N: Real>(ln_p: N, start: N, width: N) -> N {
    N::lit(0.0).max(width.min(ln_p - start))
}

/// ln k = ln k₀ + Σ over intervals of the rise, linear in ln p. Every coefficient of the Arrhenius exponent
/// is piecewise linear in ln p, so the coefficients are summed first, and a single exponential is taken.
#[inline(always)]
fn plog<M: Machine, N: Real>(m: M, law: &PlogLaw, e: Env<N>, real: impl Fn(M::I) -> N) -> N {
    let mut a: [N; 3] = literals(&law.first);
    for i in 0..law.intervals {
        let c = |j: usize| real(m.i(5 * i + j));
        let x = into(e.ln_p, c(0), c(1));
        a = [x.mul_add(c(2), a[0]), x.mul_add(c(3), a[1]), x.mul_add(c(4), a[2])];
    }
    (a[1].mul_add(e.ln_t, a[0]) - a[2] * e.inv_t).exp()
}

/// ln Σ A Tᵇ e^{−E/T}.
#[inline(always)]
fn ln_sum<N: Real>(terms: &[[f64; 3]], e: Env<N>) -> N {
    let mut sum = N::lit(0.0);
    for &[a, b, c] in terms {
        sum = N::lit(a).mul_add(N::lit(b).mul_add(e.ln_t, -(N::lit(c) * e.inv_t)).exp(), sum);
    }
    sum.ln()
}

/// As [`plog`], with ln Σ of the terms at each pressure.
#[inline(always)]
fn plog_sum<N: Real>(law: &PlogSumLaw, e: Env<N>) -> N {
    let mut last = ln_sum(&law.terms[0], e);
    let mut ln_k = last;
    for i in 1..law.terms.len() {
        let next = ln_sum(&law.terms[i], e);
        let width = law.ln_p[i] - law.ln_p[i - 1];
        ln_k = ln_k + (next - last) * (into(e.ln_p, N::lit(law.ln_p[i - 1]), N::lit(width)) * N::lit(1.0 / width));
        last = next;
    }
    ln_k.exp()
}

/// log₁₀ k = Σ α φₜ(T̃) φₚ(P̃), by Clenshaw's recurrence in both directions.
#[inline(always)]
fn chebyshev<M: Machine, N: Real>(m: M, law: &ChebyshevLaw, e: Env<N>, real: impl Fn(M::I) -> N) -> N {
    let x = e.inv_t.mul_add(N::lit(law.t[0]), N::lit(law.t[1]));
    let y = e.ln_p.mul_add(N::lit(law.p[0]), N::lit(law.p[1]));
    let log = clenshaw(
        law.nt,
        x,
        #[inline(always)]
        |i| {
            clenshaw(
                law.np,
                y,
                #[inline(always)]
                |j| real(m.i(i * law.np + j)),
            )
        },
    );
    (log * N::lit(LN_10)).exp()
}

/// Σ cᵢ φᵢ(x) over i < n.
#[inline(always)]
fn clenshaw<N: Real>(n: usize, x: N, c: impl Fn(usize) -> N) -> N {
    let (mut b1, mut b2) = (N::lit(0.0), N::lit(0.0));
    for i in (1..n).rev() {
        (b1, b2) = ((x + x).mul_add(b1, c(i) - b2), b1);
    }
    x.mul_add(b1, c(0) - b2)
}

/// The rate constant of one collider's own law, at ln of its effective pressure.
#[inline(always)]
fn inner<M: Machine, N: Real>(m: M, law: &BurkeInner, e: Env<N>, real: impl Fn(M::I, Reals) -> N) -> N {
    match law {
        BurkeInner::Plog(l) => plog_sum(l, e),
        BurkeInner::Chebyshev(l) => chebyshev(
            m,
            l,
            e,
            #[inline(always)]
            |i| real(i, l.alpha),
        ),
        BurkeInner::Falloff(shape, p, sign) => {
            let a: [N; _] = literals(p);
            let exponent = |at: usize| a[at + 1].mul_add(e.ln_t, a[at]) - a[at + 2] * e.inv_t;
            let (high, kappa) = (exponent(FalloffClass::HIGH), exponent(FalloffClass::KAPPA));
            let broadening = array(
                #[inline(always)]
                |i| a[FalloffClass::BROADENING + i],
            );
            let c = falloff::center(*shape, broadening, e.t, e.ln_t, e.inv_t);
            let ln_conc = e.ln_p - e.ln_t - N::lit(super::R.ln());
            falloff::join(*shape, false, high, kappa, c, ln_conc.exp(), ln_conc) * N::lit(*sign)
        }
    }
}

/// Efficiency ε = A Tᵇ e^{−E/T} of a collider.
#[inline(always)]
fn efficiency<N: Real>(c: &BurkeCollider, e: Env<N>) -> N {
    let a: [N; _] = literals(&c.efficiency);
    a[0] * (a[1] * e.ln_t - a[2] * e.inv_t).exp()
}

/// Linear-Burke mixture rule (LMR-R; Singal et al. 2025): k = Σᵢ (εᵢCᵢ/S) kᵢ(T, p S/(Ctot εᵢ)), S = Σ εᵢ Cᵢ
/// over all species, with ε = 1 for those that are not named.
#[inline(always)]
fn burke<M: Machine, N: Real>(
    m: M,
    law: &BurkeLaw,
    e: Env<N>,
    ctot: N,
    conc: impl Fn(usize) -> N,
    real: impl Fn(M::I, Reals) -> N + Copy,
) -> N {
    let conc = |i: usize| conc(i).wide();
    let (mut mix, mut rest) = (N::lit(0.0), ctot.wide());
    for i in 1..law.colliders.len() {
        mix = conc(i).mul_add(efficiency(&law.colliders[i], e), mix);
        rest = rest - conc(i);
    }
    // It is zero where only colliders of no efficiency are present.
    let mix = N::lit(LEAST).max(mix + rest);
    let ln_mix = mix.ln() + N::lit(super::R.ln()) + e.ln_t; // ln of S R T, the effective pressure for ε = 1
    let shared = inner(m, &law.colliders[0].law, Env { ln_p: ln_mix, ..e }, real);
    let mut k = rest * shared;
    for i in 1..law.colliders.len() {
        let c = &law.colliders[i];
        let eps = efficiency(c, e);
        let own = if c.own { inner(m, &c.law, Env { ln_p: ln_mix - eps.ln(), ..e }, real) } else { shared };
        k = (conc(i) * eps).mul_add(own, k);
    }
    k / mix
}

/// A law with more terms in the exponent; `electron` is the electron temperature.
#[inline(always)]
fn special<N: Real>(law: &SpecialLaw, e: Env<N>, electron: N, enthalpy: impl Fn(&[(usize, f64)]) -> N) -> N {
    let a: [N; _] = literals(&law.arrhenius);
    match &law.kind {
        // k = A Tᵇ exp(−E/T + B T^(−1/3) + C T^(−2/3))
        Special::LandauTeller { b, c } => {
            let third = (e.ln_t * N::lit(-1.0 / 3.0)).exp();
            (a[1].mul_add(e.ln_t, a[0]) - a[2] * e.inv_t + third * (N::lit(*b) + third * N::lit(*c))).exp()
        }
        // k = A Teᵇ exp(−E/T + Ee (Te − T)/(T Te))
        Special::TwoTemperature { e_electron } => (a[1].mul_add(electron.ln(), a[0]) - a[2] * e.inv_t
            + N::lit(*e_electron) * (e.inv_t - electron.recip()))
        .exp(),
        // Blowers & Masel (2000): E = 0 below −4E₀, ΔH above 4E₀, between
        // (w + ΔH/2)(V − 2w + ΔH)²/(V² − 4w² + ΔH²), V = 2w (w + E₀)/(w − E₀). With d = V − 2w = 4wE₀/(w − E₀) nothing
        // cancels, though w is often far larger than the rest.
        Special::BlowersMasel { w, nu } => {
            let dh = enthalpy(nu);
            let (e0, w) = (N::lit(law.arrhenius[2]), N::lit(*w));
            let four = N::lit(4.0);
            let d = four * w * e0 / (w - e0);
            let b = d + dh;
            let between = (w + dh * N::lit(0.5)) * b * b / (d * (d + four * w) + dh * dh);
            // At the bounds between is 0/0 if E₀ is zero.
            let [low, high] = [-4.0, 4.0].map(|x| N::lit(x) * e0);
            let ea = N::select(dh.le(low), N::lit(0.0), N::select(high.le(dh), dh, between));
            (a[1].mul_add(e.ln_t, a[0]) - ea * e.inv_t).exp()
        }
    }
}

/// Evaluates all laws of this module into their places in `k` and, with derivatives, in `k_t`, `k_aux` and
/// the linear-Burke arrays.
#[inline(always)]
pub fn evaluate<M: Machine, const DERIVATIVES: bool>(m: M, p: &Plan) {
    let kin = &p.kinetics;
    kin.plog.iter().for_each(
        #[inline(always)]
        |law| {
            m.function(
                "plog",
                #[inline(always)]
                || fill::<M, DERIVATIVES>(m, p, law.k, law.aux, law),
            )
        },
    );
    kin.plog_sum.iter().for_each(
        #[inline(always)]
        |law| {
            m.function(
                "plog_sum",
                #[inline(always)]
                || fill::<M, DERIVATIVES>(m, p, law.k, law.aux, law),
            )
        },
    );
    kin.chebyshev.iter().for_each(
        #[inline(always)]
        |law| {
            m.function(
                "chebyshev",
                #[inline(always)]
                || fill::<M, DERIVATIVES>(m, p, law.k, law.aux, law),
            )
        },
    );
    kin.burke.iter().for_each(
        #[inline(always)]
        |law| {
            m.function(
                "linear_burke",
                #[inline(always)]
                || fill_burke::<M, DERIVATIVES>(m, p, law),
            )
        },
    );
    kin.special.iter().for_each(
        #[inline(always)]
        |law| {
            m.function(
                "special",
                #[inline(always)]
                || fill_special::<M, DERIVATIVES>(m, p, law),
            )
        },
    );
}

/// A law that depends on temperature and pressure alone, for any type of number.
trait Law {
    fn value<M: Machine, N: Real>(&self, m: M, e: Env<N>, real: impl Fn(M::I, Reals) -> N) -> N;
}
impl Law for PlogLaw {
    #[inline(always)]
    fn value<M: Machine, N: Real>(&self, m: M, e: Env<N>, real: impl Fn(M::I, Reals) -> N) -> N {
        plog(
            m,
            self,
            e,
            #[inline(always)]
            |i| real(i, self.steps),
        )
    }
}
impl Law for PlogSumLaw {
    #[inline(always)]
    fn value<M: Machine, N: Real>(&self, _m: M, e: Env<N>, _real: impl Fn(M::I, Reals) -> N) -> N {
        plog_sum(self, e)
    }
}
impl Law for ChebyshevLaw {
    #[inline(always)]
    fn value<M: Machine, N: Real>(&self, m: M, e: Env<N>, real: impl Fn(M::I, Reals) -> N) -> N {
        chebyshev(
            m,
            self,
            e,
            #[inline(always)]
            |i| real(i, self.alpha),
        )
    }
}

#[inline(always)]
fn environment<M: Machine>(m: M, p: &Plan) -> Env<M::R> {
    let s = p.cell.scalars;
    Env { t: m.var(s.t), ln_t: m.var(s.ln_t), inv_t: m.var(s.inv_t), ln_p: m.var(s.ln_p) }
}

#[inline(always)]
fn put_both<M: Machine>(m: M, p: &Plan, k: usize, aux: usize, by_t: Dual<M::R>, by_total: Dual<M::R>) {
    m.put(p.kinetics.k, m.i(k), by_t.v);
    m.put(p.kinetics.k_t, m.i(k), by_t.d);
    m.put(p.kinetics.k_aux, m.i(aux), by_total.d);
}

#[inline(always)]
fn fill<M: Machine, const DERIVATIVES: bool>(m: M, p: &Plan, k: usize, aux: usize, law: &impl Law) {
    let e = environment(m, p);
    if DERIVATIVES {
        let by_t = law.value(
            m,
            e.by_t(),
            #[inline(always)]
            |i, t| Dual::constant(m.real(t, i)),
        );
        let by_total = law.value(
            m,
            e.by_total(),
            #[inline(always)]
            |i, t| Dual::constant(m.real(t, i)),
        );
        put_both(m, p, k, aux, by_t, by_total);
    } else {
        m.put(
            p.kinetics.k,
            m.i(k),
            law.value(
                m,
                e,
                #[inline(always)]
                |i, t| m.real(t, i),
            ),
        );
    }
}

#[inline(always)]
fn fill_burke<M: Machine, const DERIVATIVES: bool>(m: M, p: &Plan, law: &BurkeLaw) {
    let e = environment(m, p);
    let (conc, ctot) = (p.cell.conc, m.var(p.cell.scalars.ctot));
    let c = |i: usize| m.get(conc, m.i(law.colliders[i].species.unwrap_or(0)));
    if !DERIVATIVES {
        m.put(
            p.kinetics.k,
            m.i(law.k),
            burke(
                m,
                law,
                e,
                ctot,
                c,
                #[inline(always)]
                |i, t| m.real(t, i),
            ),
        );
        return;
    }
    // One pass per seed: T, ln Ctot, then every named collider.
    let zero = m.lit(0.0);
    for seed in 0..law.colliders.len() + 1 {
        let (env, total) = match seed {
            0 => (e.by_t(), Dual::constant(ctot)),
            1 => (e.constant(), Dual { v: ctot, d: ctot }),
            _ => (e.constant(), Dual::constant(ctot)),
        };
        let seeded = |i: usize| Dual { v: c(i), d: if i + 1 == seed { m.lit(1.0) } else { zero } };
        let k = burke(
            m,
            law,
            env,
            total,
            seeded,
            #[inline(always)]
            |i: M::I, t| Dual::constant(m.real(t, i)),
        );
        match seed {
            0 => {
                m.put(p.kinetics.k, m.i(law.k), k.v);
                m.put(p.kinetics.k_t, m.i(law.k), k.d);
            }
            1 => m.put(p.kinetics.k_aux, m.i(law.aux), k.d),
            _ => m.put(law.dk, m.i(seed - 2), k.d),
        }
    }
}

#[inline(always)]
fn fill_special<M: Machine, const DERIVATIVES: bool>(m: M, p: &Plan, law: &SpecialLaw) {
    let e = environment(m, p);
    let te = m.var(p.cell.electron);
    let follows = te.le(m.lit(0.0)); // no electron temperature was given
    let electron = M::R::select(follows, e.t, te);
    let (h, offset, cp) = (p.thermo.enthalpy, p.thermo.offset, p.thermo.cp);
    let molar = |x: usize| m.get(h, m.i(x)).mul_add(e.t, m.real(offset, m.i(x)));
    if DERIVATIVES {
        let electron = Dual { v: electron, d: M::R::select(follows, m.lit(1.0), m.lit(0.0)) };
        let v = special(
            law,
            e.by_t(),
            electron,
            #[inline(always)]
            |nu| {
                let mut sum = Dual::lit(0.0);
                for &(x, v) in nu {
                    sum = sum + Dual { v: molar(x), d: m.get(cp, m.i(x)) } * Dual::lit(v);
                }
                sum
            },
        );
        m.put(p.kinetics.k, m.i(law.k), v.v);
        m.put(p.kinetics.k_t, m.i(law.k), v.d);
    } else {
        let v = special(
            law,
            e,
            electron,
            #[inline(always)]
            |nu| {
                let mut sum = m.lit(0.0);
                for &(x, v) in nu {
                    sum = molar(x).mul_add(m.lit(v), sum);
                }
                sum
            },
        );
        m.put(p.kinetics.k, m.i(law.k), v);
    }
}
