//! Reactions with any orders and any coefficients, one by one. Those of mass action with up to three molecules a
//! side are in `kinetics.rs`, by class.

use super::kinetics::{BOTH_WAYS, JACOBIAN, NET};
use crate::LEAST;
use kinlane_plan::machine::{Array, Machine, Real};
use kinlane_plan::plan::{GeneralReaction, Plan};

/// Below this concentration \[mol/m³\] Cᵃ with a < 1 is replaced by a straight line to zero. The slope of Cᵃ
/// is infinite at zero, and for a < 0 so is Cᵃ itself: a species would burn out in finite time, at a moment
/// where no step ends.
const GONE: f64 = 1e-10;

/// Bound on ΔG/2, so that its exponential is finite.
const MOST: f64 = 700.0;
/// Bound on e^{ΔG}.
const LARGEST: f64 = 1e300;

/// A factor Cᵃ of a rate: what C is, a, and whether C may be below zero because the equations say so
/// ([`is_drained`](super::reactor::is_drained)).
#[derive(Clone, Copy)]
struct Power<R> {
    c: R,
    order: f64,
    drained: bool,
}

impl<R: Real> Power<R> {
    #[inline(always)]
    fn new<M: Machine<R = R>>(m: M, p: &Plan, &(j, order): &(usize, f64)) -> Self {
        let drained = p.tables.get(p.drained).get(j).is_some_and(|yes| *yes != 0.0);
        Self { c: m.get(p.cell.conc, m.i(j)), order, drained }
    }

    /// The order, if it says how often C is a factor, and has nothing else to say below zero.
    #[inline(always)]
    fn whole(&self) -> Option<u8> {
        let whole = self.drained && self.order.fract() == 0.0 && (1.0..=f64::from(u8::MAX)).contains(&self.order);
        whole.then_some(self.order as u8)
    }

    /// Whether it is mirrored at zero: where methods see amounts below zero, the straight line alone would be a rate far above that
    /// of as much on the other side.
    #[inline(always)]
    fn is_mirrored<const SIGNED: bool>(&self) -> bool {
        self.order < 1.0 && (SIGNED || self.drained)
    }

    /// Cᵃ; zero where C has vanished, also for a < 0: a reaction ends where a species in its rate is gone. See
    /// [`GONE`]. Below zero a square has the sign of C, see [`super::kinetics::progress`], but for what may be there.
    #[inline(always)]
    fn value<M: Machine<R = R>, const SIGNED: bool>(self, m: M) -> R {
        let Self { c, order, .. } = self;
        if let Some(n) = self.whole() {
            return times(c, c, n - 1);
        }
        match order {
            1.0 => c,
            2.0 => c * c.abs(),
            3.0 => c * c * c,
            a if a < 1.0 => {
                let mirrored = self.is_mirrored::<SIGNED>();
                let size = if mirrored { c.abs() } else { c };
                let x = R::select(size.lt(m.lit(GONE)), c * m.lit(GONE.powf(a - 1.0)), real_term(m, size, GONE, a));
                if mirrored { R::select(c.lt(m.lit(0.0)), -x.abs(), x) } else { x }
            }
            a => R::select(c.le(m.lit(LEAST)), m.lit(0.0), real_term(m, c, LEAST, a)),
        }
    }

    /// d(Cᵃ)/dC.
    #[inline(always)]
    fn slope<M: Machine<R = R>, const SIGNED: bool>(self, m: M) -> R {
        let Self { c, order, .. } = self;
        if let Some(n) = self.whole() {
            return times(m.lit(order), c, n - 1);
        }
        match order {
            1.0 => m.lit(1.0),
            2.0 => m.lit(2.0) * c.abs(),
            3.0 => m.lit(3.0) * (c * c),
            a => {
                let (least, below) = if a < 1.0 { (GONE, GONE.powf(a - 1.0)) } else { (LEAST, 0.0) };
                let c = if self.is_mirrored::<SIGNED>() { c.abs() } else { c };
                R::select(c.lt(m.lit(least)), m.lit(below), m.lit(a) * real_term(m, c, least, a - 1.0))
            }
        }
    }
}

/// x cⁿ.
#[inline(always)]
fn times<R: Real>(x: R, c: R, n: u8) -> R {
    let mut x = x;
    for _ in 0..n {
        x = x * c;
    }
    x
}

/// max(C, least)ᵃ.
#[inline(always)]
fn real_term<M: Machine>(m: M, c: M::R, least: f64, order: f64) -> M::R {
    (m.lit(least).max(c).ln() * m.lit(order)).exp()
}

/// Π Cᵃ over one side of a reaction; if `SIGNED`, negative where one or several factors are, of those whose amounts below zero
/// are noise.
#[inline(always)]
fn side<M: Machine, const SIGNED: bool>(m: M, p: &Plan, side: &[(usize, f64)]) -> M::R {
    let mut x = m.lit(1.0);
    let mut least: Option<M::R> = None;
    for factor in side {
        let factor = Power::new(m, p, factor);
        let value = factor.value::<M, SIGNED>(m);
        x = x * value;
        if !SIGNED || factor.drained {
            continue;
        }
        if let Some(least) = least {
            x = M::R::select(least.max(value).lt(m.lit(0.0)), -x, x);
        }
        least = Some(if let Some(least) = least { least.min(value) } else { value });
    }
    x
}

/// x Π |Cᵃ| over one side of a reaction, except the factor at `skip`. As in mass action, a
/// partner below zero counts with its absolute value, unless the equations let it be there.
#[inline(always)]
fn side_without<M: Machine, const SIGNED: bool>(m: M, p: &Plan, side: &[(usize, f64)], skip: usize, x: M::R) -> M::R {
    let mut x = x;
    for (i, factor) in side.iter().enumerate() {
        if i != skip {
            let factor = Power::new(m, p, factor);
            let value = factor.value::<M, SIGNED>(m);
            x = x * if factor.drained { value } else { value.abs() };
        }
    }
    x
}

/// The reverse rate constant kr = kf e^{ΔG} without the A-factor; ∂kr/∂T if asked for; and e^{ΔG} where kf is
/// no plain exponential. ΔG = Σ ν G plus what the reference adds when the equation does not balance;
/// ∂ΔG/∂T = −ΔH/T.
///
/// For an Arrhenius law kr is a single exponential: e^{ΔG} alone overflows where kf vanishes, as for an
/// ionisation in a cold gas.
#[inline(always)]
fn reverse<M: Machine, const DERIVATIVES: bool>(m: M, p: &Plan, r: &GeneralReaction) -> [M::R; 3] {
    let (kin, gibbs, enthalpy, zero) = (&p.kinetics, p.thermo.gibbs, p.thermo.enthalpy, m.lit(0.0));
    let (ln_t, inv_t) = (m.var(p.cell.scalars.ln_t), m.var(p.cell.scalars.inv_t));
    let mut dg = m.lit(r.rest[0]).mul_add(inv_t, m.lit(r.rest[1]));
    let mut dh = m.lit(r.rest[0]) * inv_t;
    for &(j, v) in &r.nu {
        dg = m.get(gibbs, m.i(j)).mul_add(m.lit(v), dg);
        dh = (m.get(enthalpy, m.i(j)) - m.lit(1.0)).mul_add(m.lit(v), dh);
    }
    let Some(pair) = r.k.checked_sub(1).filter(|i| i * 2 < kin.exps.len as usize) else {
        // By halves: where e^{ΔG} would overflow, kf may be small and not zero.
        let (half, kf) = (m.lit(MOST).min(dg * m.lit(0.5)).exp(), m.get(kin.k, m.i(r.k)));
        let back = |k: M::R| k * half * half;
        let by_t = if DERIVATIVES { back(m.get(kin.k_t, m.i(r.k)) - kf * (dh * inv_t)) } else { zero };
        return [back(kf), by_t, m.lit(LARGEST).min(half * half)];
    };
    let (b, e) = (m.real(kin.exps, m.i(pair * 2)), m.real(kin.exps, m.i(pair * 2 + 1)));
    let x = b.mul_add(ln_t, dg - e * inv_t).exp();
    let kr = if kin.excess.len > 0 { x.mul_add(m.get(kin.excess, m.i(r.k)), x) } else { x };
    [kr, kr * ((e.mul_add(inv_t, b) - dh) * inv_t), zero]
}

/// Rates of a reaction of mass action anew in cells that are `cold`, where its k is too small for a double and its reverse rate is not.
/// Entries of the Jacobian stay as they are.
#[inline(always)]
pub fn anew<M: Machine, const WHAT: u8, const SIGNED: bool>(
    m: M,
    p: &Plan,
    r: &GeneralReaction,
    cold: <M::R as Real>::Mask,
) {
    let [kr, ..] = reverse::<M, false>(m, p, r);
    let factor = m.lit(r.coef) * body(m, p, r);
    let reverse = factor * kr * side::<M, SIGNED>(m, p, &r.reverse);
    let forward = factor * m.get(p.kinetics.k, m.i(r.k)) * side::<M, SIGNED>(m, p, &r.forward);
    let put = |a: Array, x: M::R| m.put(a, m.i(r.number), M::R::select(cold, x, m.get(a, m.i(r.number))));
    match WHAT {
        BOTH_WAYS => put(p.kinetics.reverse, reverse),
        _ => put(p.kinetics.q, forward - reverse),
    }
}

/// \[M\] of a reaction, one without it.
#[inline(always)]
fn body<M: Machine>(m: M, p: &Plan, r: &GeneralReaction) -> M::R {
    r.third.map_or(
        m.lit(1.0),
        #[inline(always)]
        |i| m.get(p.kinetics.third.m, m.i(i)),
    )
}

/// A reaction with any orders and any coefficients; the reverse rate has an exponential of its own, so that
/// nothing overflows.
#[inline(always)]
pub fn progress<M: Machine, const WHAT: u8, const SIGNED: bool>(m: M, p: &Plan, r: &GeneralReaction) {
    let (k, q) = (p.kinetics.k, p.kinetics.q);
    let get = |a: Array, i: usize| m.get(a, m.i(i));
    let kf = get(k, r.k);
    let [kr, kr_t, back] = if r.reversible {
        match WHAT {
            JACOBIAN => reverse::<M, true>(m, p, r),
            _ => reverse::<M, false>(m, p, r),
        }
    } else {
        [m.lit(0.0); 3]
    };
    let forward = side::<M, SIGNED>(m, p, &r.forward);
    let reverse = if r.reversible { side::<M, SIGNED>(m, p, &r.reverse) } else { m.lit(0.0) };
    // q = A [M] (kf Π c − kr Π c)
    let factor = m.lit(r.coef) * body(m, p, r);
    if WHAT == BOTH_WAYS {
        m.put(q, m.i(r.number), factor * kf * forward);
        m.put(p.kinetics.reverse, m.i(r.number), factor * kr * reverse);
        return;
    }
    let net = kf * forward - kr * reverse;
    m.put(q, m.i(r.number), factor * net);
    if WHAT == NET {
        return;
    }
    let (slots, extras) = (p.jacobian.slots, p.jacobian.extra);
    for (i, power) in r.forward.iter().enumerate() {
        let rest = side_without::<_, SIGNED>(m, p, &r.forward, i, factor * kf);
        m.put(slots, m.i(r.slot + i), rest * Power::new(m, p, power).slope::<M, SIGNED>(m));
    }
    let next = r.slot + r.forward.len();
    for (i, power) in r.reverse.iter().enumerate() {
        let rest = side_without::<_, SIGNED>(m, p, &r.reverse, i, factor * kr);
        m.put(slots, m.i(next + i), -(rest * Power::new(m, p, power).slope::<M, SIGNED>(m)));
    }
    // Through kf, and through kr with it, for laws that depend on a concentration: ∂q/∂kf =
    // A [M] (Π c − e^{ΔG} Π c)
    let through_k = factor * (forward - back * reverse);
    if let Some(b) = r.burke {
        let law = &p.kinetics.burke[b];
        for i in 0..law.colliders.len() - 1 {
            m.put(slots, m.i(next + r.reverse.len() + i), get(law.dk, i) * through_k);
        }
    }
    m.put(p.jacobian.q_t, m.i(r.number), factor * (get(p.kinetics.k_t, r.k) * forward - kr_t * reverse));
    let mut extra = r.extra;
    if let Some(aux) = r.aux {
        m.put(extras, m.i(extra), get(p.kinetics.k_aux, aux) * through_k);
        extra += 1;
    }
    if r.third.is_some() {
        m.put(extras, m.i(extra), m.lit(r.coef) * net);
    }
}
