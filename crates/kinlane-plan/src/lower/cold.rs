//! Cold gas: reverse rates that leave the range of a double there (docs/decisions/0034).

use crate::plan::{Cold, MOST_GIBBS};
use crate::tables::Tables;
use kinlane_mech::network::{Arrhenius, PressureLaw, RateLaw};

/// Cold gas is looked for between these temperatures \[K\], in such steps.
const RANGE: [f64; 2] = [10.0, 400.0];
const STEP: f64 = 2.5;

/// A reverse rate constant below e^{this} of the forward one, or of one, does not matter.
const LEAST: f64 = -100.0;

/// Below e^{this} a rate constant has lost digits, or is zero.
pub const LEAST_K: f64 = -690.0;

/// A reaction whose reverse rate is made from the forward one.
pub struct Reversal<'a> {
    /// Reactants and products, with their coefficients.
    pub sides: [&'a [(usize, f64)]; 2],
    /// From this temperature \[K\] on e^{±G} of its species are factors of it; infinite if never.
    pub by_species_from: f64,
    /// The forward rate constant, if the reverse one is a multiple of it.
    pub rate: Option<&'a RateLaw>,
}

/// The reverse rates that are lost, by G of species at temperatures.
pub fn lower(
    reversals: &[Reversal<'_>],
    gibbs: impl Fn(usize, f64) -> f64,
    species: usize,
    tables: &mut Tables,
) -> Cold {
    let steps = ((RANGE[1] - RANGE[0]) / STEP) as usize;
    let temperatures = (0..=steps).map(|i| RANGE[1] - STEP * i as f64);
    let at: Vec<(f64, Vec<f64>)> = temperatures.map(|t| (t, (0..species).map(|k| gibbs(k, t)).collect())).collect();
    // The first temperature at which it is lost, from above.
    let lost = |r: &Reversal<'_>| at.iter().find(|(t, g)| r.is_lost(*t, g)).map(|&(t, _)| t + STEP);
    let (mut products, mut below): (Vec<usize>, Vec<f64>) = Default::default();
    for (r, t) in reversals.iter().filter_map(|r| Some((r, lost(r)?))) {
        // No more than three species need to be looked at; fewer are repeated.
        let made = r.sides[1].iter().map(|&(k, _)| k);
        products.extend(made.cycle().take(3));
        below.push(t);
    }
    let highest = below.iter().copied().fold(0.0, f64::max);
    Cold { below: highest, products: tables.indices(products), lost: tables.reals(below) }
}

impl Reversal<'_> {
    /// Whether the reverse rate is lost and would matter, with such G.
    fn is_lost(&self, t: f64, g: &[f64]) -> bool {
        let [reactants, products] = self.sides;
        let sum = |side: &[(usize, f64)]| side.iter().map(|&(k, nu)| nu * g[k]).sum::<f64>();
        let rise = sum(products) - sum(reactants);
        let by_species = t >= self.by_species_from;
        let beyond = by_species && reactants.iter().chain(products).any(|&(k, _)| g[k].abs() > MOST_GIBBS);
        let ln_k = self.rate.map_or(0.0, |rate| least_ln_k(rate, t));
        !products.is_empty() && (beyond && rise > LEAST || ln_k < LEAST_K && ln_k + rise > LEAST)
    }
}

/// ln Tᵇ e^(−E/T).
pub fn exponent(b: f64, e: f64, t: f64) -> f64 {
    b * t.ln() - e / t
}

/// ln of the smallest number that a rate constant is made from.
fn least_ln_k(rate: &RateLaw, t: f64) -> f64 {
    let ln = |k: &Arrhenius| k.a.abs().ln() + exponent(k.b, k.e, t);
    let level = |terms: &Vec<Arrhenius>| terms.iter().map(ln).fold(f64::NEG_INFINITY, f64::max);
    let plog = |levels: &[(f64, Vec<Arrhenius>)]| levels.iter().map(|(_, terms)| level(terms)).fold(0.0, f64::min);
    match rate {
        // Its A-factor is multiplied in last.
        RateLaw::Arrhenius(k) => exponent(k.b, k.e, t),
        RateLaw::Falloff(f) => ln(&f.low).min(ln(&f.high)),
        RateLaw::Plog(levels) => plog(levels),
        RateLaw::LinearBurke(colliders) => {
            let of = |law: &PressureLaw| match law {
                PressureLaw::Falloff(f) => ln(&f.low).min(ln(&f.high)),
                PressureLaw::Plog(levels) => plog(levels),
                PressureLaw::Chebyshev(_) => 0.0,
            };
            colliders.iter().filter_map(|c| c.law.as_ref().map(of)).fold(0.0, f64::min)
        }
        RateLaw::LandauTeller { arrhenius, b, c } => ln(arrhenius) + b * t.powf(-1.0 / 3.0) + c * t.powf(-2.0 / 3.0),
        RateLaw::BlowersMasel { arrhenius, .. } | RateLaw::TwoTemperature { arrhenius, .. } => ln(arrhenius),
        // Their polynomials say nothing of gas so cold.
        RateLaw::Chebyshev(_) => 0.0,
    }
}
