//! Rate constants, rates of progress and net production rates.

use super::reactor::is_drained;
use super::{falloff, gather, general, pressure};
use crate::LEAST;
use kinlane_plan::machine::{Array, Machine, Real, Reals, array};
use kinlane_plan::plan::{COLD, Kind, MassAction, Plan, by_rate};

/// All rate constants at the state in `p.cell`; with `DERIVATIVES` also ∂k/∂T and the derivatives that single
/// laws have.
#[inline(always)]
pub fn rate_constants<M: Machine, const DERIVATIVES: bool>(m: M, p: &Plan) {
    m.function(
        "arrhenius",
        #[inline(always)]
        || arrhenius::<M, DERIVATIVES>(m, p),
    );
    if p.given {
        return;
    }
    for class in &p.kinetics.falloff {
        falloff::evaluate::<M, DERIVATIVES>(m, p, class);
    }
    pressure::evaluate::<M, DERIVATIVES>(m, p);
    if p.kinetics.excess.len > 0 {
        m.function(
            "factors",
            #[inline(always)]
            || factors::<M, DERIVATIVES>(m, p),
        );
    }
}

/// Multiplies every rate constant and all its derivatives by the cell's factor for it.
#[inline(always)]
fn factors<M: Machine, const DERIVATIVES: bool>(m: M, p: &Plan) {
    let kin = &p.kinetics;
    let (excess, k, k_t, k_aux) = (kin.excess, kin.k, kin.k_t, kin.k_aux);
    let scale = |a: Array, i: M::I, by: M::I| {
        let x = m.get(a, i);
        m.put(a, i, x.mul_add(m.get(excess, by), x));
    };
    m.all(
        k.len as usize,
        #[inline(always)]
        |i| {
            scale(k, i, i);
            if DERIVATIVES {
                scale(k_t, i, i);
            }
        },
    );
    if DERIVATIVES {
        m.all(
            kin.aux,
            #[inline(always)]
            |i| scale(k_aux, i, i + kin.first_aux()),
        );
        for law in &kin.burke {
            m.all(
                law.dk.len as usize,
                #[inline(always)]
                |i| scale(law.dk, i, m.i(law.k)),
            );
        }
    }
}

#[inline(always)]
fn arrhenius<M: Machine, const DERIVATIVES: bool>(m: M, p: &Plan) {
    let kin = &p.kinetics;
    let (ln_t, inv_t) = (m.var(p.cell.scalars.ln_t), m.var(p.cell.scalars.inv_t));
    let (k, k_t, pairs) = (kin.k, kin.k_t, kin.exps);
    m.put(k, m.i(0), m.lit(1.0));
    m.put(kin.q, m.i(kin.reactions), m.lit(0.0));
    if DERIVATIVES {
        let (q_t, rates) = (p.jacobian.q_t, p.jacobian.rates);
        m.put(k_t, m.i(0), m.lit(0.0));
        m.put(q_t, m.i(kin.reactions), m.lit(0.0));
        m.put(rates, m.i(rates.len as usize - 1), m.lit(0.0));
    }
    // k = Tᵇ e^{−e/T}; the A-factor is multiplied in where k is used
    m.all(
        pairs.len as usize / 2,
        #[inline(always)]
        |i| {
            let (b, e) = (m.real(pairs, i * 2), m.real(pairs, i * 2 + 1));
            let x = (b.mul_add(ln_t, -(e * inv_t))).exp();
            m.put(k, i + 1, x);
            if DERIVATIVES {
                m.put(k_t, i + 1, x * (e.mul_add(inv_t, b) * inv_t));
            }
        },
    );
}

/// \[M\] of every collider sum, and ln \[M\] where falloff needs it.
#[inline(always)]
pub fn third_bodies<M: Machine>(m: M, p: &Plan) {
    m.function(
        "third_bodies",
        #[inline(always)]
        || sums(m, p),
    );
}

#[inline(always)]
fn sums<M: Machine>(m: M, p: &Plan) {
    let t = &p.kinetics.third;
    let (conc, ctot) = (p.cell.conc, m.var(p.cell.scalars.ctot));
    let (sum, ln, default, ptr, species, excess) = (t.m, t.ln_m, t.default, t.ptr, t.species, t.excess);
    m.all(
        t.count,
        #[inline(always)]
        |i| {
            let s = m.fold(
                m.index(ptr, i),
                m.index(ptr, i + 1),
                m.real(default, i) * ctot,
                #[inline(always)]
                |s, j| m.real(excess, j).mul_add(m.get(conc, m.index(species, j)), s),
            );
            // The sum is computed by a difference. Where only traces collide and one is below zero it could
            // be negative, and reverse reactions.
            m.put(sum, i, m.lit(t.least).max(s));
        },
    );
    m.all(
        t.with_ln,
        #[inline(always)]
        |i| m.put(ln, i, m.lit(LEAST).max(m.get(sum, i)).ln()),
    );
}

/// What [`progress`] computes: net rates of progress.
pub const NET: u8 = 0;
/// Net rates, and their derivatives into the Jacobian's slots.
pub const JACOBIAN: u8 = 1;
/// Forward rates, and reverse rates into `reverse`.
pub const BOTH_WAYS: u8 = 2;

/// Rates of progress of every reaction into `q`, and what else `WHAT` says. `SIGNED`: a reaction of two
/// species below zero runs backwards, as that of one does. Without this their product would be positive, and
/// they would be consumed ever faster, further down (docs/decisions/0027).
#[inline(always)]
pub fn progress<M: Machine, const WHAT: u8, const SIGNED: bool>(m: M, p: &Plan) {
    let (conc, act, plus) = (p.cell.conc, p.cell.act, p.thermo.exp_plus);
    // Activities: a = C e^{G}, so that q = kf Π C − kf e^{−ΣG over reactants} Π a over products. Reactions with given
    // rate constants run one way.
    let activities = || {
        m.all(
            p.species,
            #[inline(always)]
            |i| {
                let c = m.get(conc, i).wide() * m.get(plus, i);
                m.put(act, i, c);
                if WHAT == JACOBIAN {
                    m.put(act, i + (p.species + 1), -c);
                }
            },
        );
        if WHAT == JACOBIAN {
            m.put(act, m.i(p.species), m.lit(1.0));
            m.put(act, m.i(2 * p.species + 1), m.lit(-1.0));
        }
    };
    if !p.given {
        m.function("activities", activities);
    }
    for class in &p.kinetics.mass_action {
        match (class.reactants, class.products) {
            (1, 0) => by_kind::<M, 1, 0, WHAT, SIGNED>(m, p, class),
            (2, 0) => by_kind::<M, 2, 0, WHAT, SIGNED>(m, p, class),
            (3, 0) => by_kind::<M, 3, 0, WHAT, SIGNED>(m, p, class),
            (1, 1) => by_kind::<M, 1, 1, WHAT, SIGNED>(m, p, class),
            (1, 2) => by_kind::<M, 1, 2, WHAT, SIGNED>(m, p, class),
            (1, 3) => by_kind::<M, 1, 3, WHAT, SIGNED>(m, p, class),
            (2, 1) => by_kind::<M, 2, 1, WHAT, SIGNED>(m, p, class),
            (2, 2) => by_kind::<M, 2, 2, WHAT, SIGNED>(m, p, class),
            (2, 3) => by_kind::<M, 2, 3, WHAT, SIGNED>(m, p, class),
            (3, 1) => by_kind::<M, 3, 1, WHAT, SIGNED>(m, p, class),
            (3, 2) => by_kind::<M, 3, 2, WHAT, SIGNED>(m, p, class),
            _ => by_kind::<M, 3, 3, WHAT, SIGNED>(m, p, class),
        }
    }
    if !p.kinetics.cold.is_empty() {
        let is_cold = || m.lit(1.0 / COLD).lt(m.var(p.cell.scalars.inv_t));
        m.if_any(
            is_cold(),
            #[inline(always)]
            || {
                m.function(
                    "cold_rates",
                    #[inline(always)]
                    || {
                        let cold = is_cold();
                        for r in &p.kinetics.cold {
                            general::anew::<M, WHAT, SIGNED>(m, p, r, cold);
                        }
                    },
                );
            },
        );
    }
    for r in &p.kinetics.general {
        m.function(
            "general",
            #[inline(always)]
            || general::progress::<M, WHAT, SIGNED>(m, p, r),
        );
    }
}

#[inline(always)]
fn by_kind<M: Machine, const NR: usize, const NP: usize, const WHAT: u8, const SIGNED: bool>(
    m: M,
    p: &Plan,
    class: &MassAction,
) {
    match class.kind {
        // Without derivatives a pressure-dependent k needs nothing special.
        Kind::Pressure if WHAT != JACOBIAN => m.function(
            "mass_action",
            #[inline(always)]
            || mass_action::<M, NR, NP, PLAIN, WHAT, SIGNED>(m, p, class),
        ),
        Kind::Plain => m.function(
            "mass_action",
            #[inline(always)]
            || mass_action::<M, NR, NP, PLAIN, WHAT, SIGNED>(m, p, class),
        ),
        Kind::Third => m.function(
            "mass_action",
            #[inline(always)]
            || mass_action::<M, NR, NP, THIRD, WHAT, SIGNED>(m, p, class),
        ),
        Kind::Pressure => m.function(
            "mass_action",
            #[inline(always)]
            || mass_action::<M, NR, NP, PRESSURE, WHAT, SIGNED>(m, p, class),
        ),
    }
}

/// Product of all factors but the one at `skip`, times `x`.
#[inline(always)]
fn product_without<R: Real, const N: usize>(x: R, c: [R; N], skip: usize) -> R {
    let mut x = x;
    let mut i = 0;
    while i < N {
        if i != skip {
            x = x * c[i];
        }
        i += 1;
    }
    x
}

/// x c₁ c₂ …, multiplied from the left; if `SIGNED`, the sign of x is turned where one or several are negative of those whose
/// amounts below zero are noise. `signs` are the factors with the signs that count for this: see [`signs`].
#[inline(always)]
fn chain<R: Real, const N: usize, const SIGNED: bool>(x: R, c: &[R; N], signs: &[R; N]) -> R {
    let (mut x, mut least) = (x * c[0], signs[0]);
    let mut i = 1;
    while i < N {
        x = x * c[i];
        if SIGNED {
            x = R::select(least.max(signs[i]).lt(R::lit(0.0)), -x, x);
            least = least.min(signs[i]);
        }
        i += 1;
    }
    x
}

/// Factors with the signs by which products of two below zero are turned: an amount that may be below zero, because the
/// equations say so, has none.
#[inline(always)]
fn signs<M: Machine, const N: usize>(m: M, drained: Reals, species: &[M::I; N], c: &[M::R; N]) -> [M::R; N] {
    array(
        #[inline(always)]
        |j| is_drained(m, drained, species[j]).map_or(c[j], |yes| M::R::select(yes, c[j].abs(), c[j])),
    )
}

/// The factors of the other participants in derivatives: |c| if `SIGNED`. In the exact derivative of
/// [`chain`] with respect to a factor above zero, a partner below zero has its sign, which is lost here; such
/// a partner is next to nothing beside the other.
#[inline(always)]
fn partners<R: Real, const N: usize, const SIGNED: bool>(c: [R; N]) -> [R; N] {
    if SIGNED { c.map(R::abs) } else { c }
}

/// The same where amounts may be below zero because the equations say so: theirs keep their signs.
#[inline(always)]
fn drained_partners<M: Machine, const N: usize, const SIGNED: bool>(
    m: M,
    drained: Reals,
    species: &[M::I; N],
    c: [M::R; N],
) -> [M::R; N] {
    let size = partners::<_, N, SIGNED>(c);
    array(
        #[inline(always)]
        |j| is_drained(m, drained, species[j]).map_or(size[j], |yes| M::R::select(yes, c[j], size[j])),
    )
}

/// The same for the activities that [`gather::products`] uses.
#[inline(always)]
pub fn partner_activities<M: Machine>(m: M, p: &Plan) {
    let (act, copy) = (p.cell.act, p.species + 1);
    m.all(
        p.species,
        #[inline(always)]
        |i| {
            let c = m.get(act, i).abs();
            m.put(act, i, c);
            m.put(act, i + copy, -c);
        },
    );
}

/// Bound on k e^{−ΣG} in derivatives, so that they stay finite in the coldest gas.
const LARGEST: f64 = 1e300;

/// [`Kind`] as constants that can be generic parameters.
const PLAIN: u8 = Kind::Plain as u8;
const THIRD: u8 = Kind::Third as u8;
const PRESSURE: u8 = Kind::Pressure as u8;

/// k e^{−ΣG} Π a, with e^{−G} of the reactants and the activities of the products: the reverse rate. Factors are
/// multiplied by turns, k first: in cold gas e^{±G} fill the range of a double, and a product of two of them would leave
/// it, but those of a reactant and a product of about the same G (both come sorted by it) do not. Sign as in [`chain`].
#[inline(always)]
fn backwards<R: Real, const NR: usize, const NP: usize, const SIGNED: bool>(
    k: R,
    reactants: &[R; NR],
    products: &[R; NP],
) -> R {
    let (mut x, mut least, mut i) = (k, k, 0);
    while i < NR || i < NP {
        if i < NR {
            x = x * reactants[i];
        }
        if i < NP {
            x = x * products[i];
            if SIGNED && i > 0 {
                x = R::select(least.max(products[i]).lt(R::lit(0.0)), -x, x);
            }
            if SIGNED {
                least = if i > 0 { least.min(products[i]) } else { products[i] };
            }
        }
        i += 1;
    }
    x
}

/// x \[M\] for reactions with a third body.
#[inline(always)]
fn with_body<R: Real, const KIND: u8>(body: R, x: R) -> R {
    if KIND == THIRD { x * body } else { x }
}

/// Forward less reverse rate, with any factor in the place of k.
#[inline(always)]
fn net_progress<R: Real, const NR: usize, const NP: usize, const SIGNED: bool>(
    k: R,
    [from, signs]: [&[R; NR]; 2],
    less: &[R; NR],
    to: &[R; NP],
) -> R {
    let forward = chain::<_, NR, SIGNED>(k, from, signs);
    if NP > 0 { forward - backwards::<_, NR, NP, SIGNED>(k, less, to) } else { forward }
}

/// One shape of mass action: `NR` reactant molecules, `NP` product molecules (none: irreversible), `KIND` as
/// in [`Kind`].
#[inline(always)]
fn mass_action<M: Machine, const NR: usize, const NP: usize, const KIND: u8, const WHAT: u8, const SIGNED: bool>(
    m: M,
    p: &Plan,
    class: &MassAction,
) {
    let (k, k_t, k_aux, third) = (p.kinetics.k, p.kinetics.k_t, p.kinetics.k_aux, p.kinetics.third.m);
    let (conc, act, minus, plus, enthalpy) =
        (p.cell.conc, p.cell.act, p.thermo.exp_minus, p.thermo.exp_plus, p.thermo.enthalpy);
    let (q, q_t, extras) = (p.kinetics.q, p.jacobian.q_t, p.jacobian.extra);
    let (rates, slots) = (p.jacobian.rates, p.jacobian.slots);
    let (index, coef) = (class.index, class.coef);
    let (first, first_slot, first_extra) = (class.first, class.slot, class.extra);
    let (drained, any_drained) = (p.drained, p.drained.len > 0);
    let inv_t = m.var(p.cell.scalars.inv_t);
    m.all(
        class.count,
        #[inline(always)]
        |i| {
            let at = i * (2 + NR + NP);
            let place = m.index(index, at);
            let a = m.real(coef, i);
            let r: [M::I; NR] = array(
                #[inline(always)]
                |j| m.index(index, at + (2 + j)),
            );
            let s: [M::I; NP] = array(
                #[inline(always)]
                |j| m.index(index, at + (2 + NR + j)),
            );
            let reversible = NP > 0;
            let from: [M::R; NR] = array(
                #[inline(always)]
                |j| m.get(conc, r[j]),
            );
            let to: [M::R; NP] = array(
                #[inline(always)]
                |j| m.get(act, s[j]),
            );
            // e^{−G}
            let less: [M::R; NR] = array(
                #[inline(always)]
                |j| if reversible { m.get(minus, r[j]) } else { a },
            );
            // q = [M] (forward − reverse)
            let body = if KIND == THIRD { m.get(third, m.index(index, at + 1)).wide() } else { a };
            let forward_k = m.get(k, place).wide() * a;
            let signs = if SIGNED && any_drained { signs(m, drained, &r, &from) } else { from };
            let forward = chain::<_, NR, SIGNED>(forward_k, &from, &signs);
            let reverse = if reversible { backwards::<_, NR, NP, SIGNED>(forward_k, &less, &to) } else { m.lit(0.0) };
            if WHAT == BOTH_WAYS {
                m.put(q, i + first, with_body::<_, KIND>(body, forward));
                m.put(p.kinetics.reverse, i + first, with_body::<_, KIND>(body, reverse));
                return;
            }
            let net = if reversible { forward - reverse } else { forward };
            m.put(q, i + first, with_body::<_, KIND>(body, net));
            if WHAT == NET {
                return;
            }
            // ∂q/∂C for every participant; da/dC = e^{G}
            if by_rate(NR, NP) {
                let mut rate = forward_k;
                for less in less {
                    rate = rate * less;
                }
                let bounded = rate.max(m.lit(-LARGEST)).min(m.lit(LARGEST));
                m.put(rates, i + first_slot, with_body::<_, KIND>(body, bounded));
            } else {
                let slot = i * (NR + NP) + first_slot;
                let from = match any_drained {
                    false => partners::<_, NR, SIGNED>(from),
                    true => drained_partners::<_, NR, SIGNED>(m, drained, &r, from),
                };
                // What is made is in no rate where anything is drained: reactions run one way there.
                let to = partners::<_, NP, SIGNED>(to);
                for j in 0..NR {
                    m.put(slots, slot + j, with_body::<_, KIND>(body, product_without(forward_k, from, j)));
                }
                for (j, &species) in s.iter().enumerate() {
                    let mut to = to;
                    to[j] = m.get(plus, species);
                    m.put(
                        slots,
                        slot + (NR + j),
                        -with_body::<_, KIND>(body, backwards::<_, NR, NP, false>(forward_k, &less, &to)),
                    );
                }
            }
            // ∂q/∂T at constant C: through k, and in the reverse rate through Kc: d ln Kc/dT =
            // Σ ν (h/RT − 1)/T
            let through_k = m.get(k_t, place).wide() * a;
            let mut by_t = net_progress::<_, NR, NP, SIGNED>(through_k, [&from, &signs], &less, &to);
            if reversible {
                let mut u = m.lit(NR as f64 - NP as f64);
                for &j in &s {
                    u = u + m.get(enthalpy, j);
                }
                for &j in &r {
                    u = u - m.get(enthalpy, j);
                }
                by_t = reverse.mul_add(u * inv_t, by_t);
            }
            m.put(q_t, i + first, with_body::<_, KIND>(body, by_t));
            if KIND == THIRD {
                m.put(extras, i + first_extra, net);
            }
            if KIND == PRESSURE {
                let through_k = m.get(k_aux, m.index(index, at + 1)).wide() * a;
                m.put(
                    extras,
                    i + first_extra,
                    net_progress::<_, NR, NP, SIGNED>(through_k, [&from, &signs], &less, &to),
                );
            }
        },
    );
}

/// Molar rates \[mol/(m³ s)\] at which reactions make and consume every species, from forward and reverse
/// rates.
#[inline(always)]
pub fn gross_rates<M: Machine>(m: M, p: &Plan, made: Array, consumed: Array) {
    let (forward, reverse) = (p.kinetics.q, p.kinetics.reverse);
    m.put(reverse, m.i(p.kinetics.reactions), m.lit(0.0));
    gather::gather_both(m, &p.kinetics.wdot, forward, reverse, made);
    gather::gather_both(m, &p.kinetics.wdot, reverse, forward, consumed);
}

/// Net molar production rates \[mol/(m³ s)\] into `wdot`.
#[inline(always)]
pub fn net_rates<M: Machine>(m: M, p: &Plan) {
    let (sums, q, wdot) = (&p.kinetics.wdot, p.kinetics.q, p.cell.wdot);
    if p.kinetics.exact_sums { gather::exactly(m, sums, q, wdot) } else { gather::gather(m, sums, q, wdot) }
}
