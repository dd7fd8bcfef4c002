//! Cold gas: reverse rates that leave the range of a double there (docs/decisions/0034).

use crate::plan::{Cold, MOST_GIBBS};
use crate::tables::Tables;
use kinlane_mech::network::{Network, Reaction, Reverse};

/// Cold gas is looked for between these temperatures \[K\], in such steps.
const RANGE: [f64; 2] = [10.0, 400.0];
const STEP: f64 = 2.5;

/// A reverse rate constant below e^{this} of the forward one does not matter.
const LEAST: f64 = -100.0;

/// The reverse rates that are lost, by G of species at temperatures.
pub fn lower(network: &Network, gibbs: impl Fn(usize, f64) -> f64, tables: &mut Tables) -> Cold {
    let steps = ((RANGE[1] - RANGE[0]) / STEP) as usize;
    let temperatures = (0..=steps).map(|i| RANGE[1] - STEP * i as f64);
    let at: Vec<(f64, Vec<f64>)> =
        temperatures.map(|t| (t, (0..network.species.len()).map(|k| gibbs(k, t)).collect())).collect();
    // The first temperature at which it is lost, from above.
    let lost = |r: &Reaction| at.iter().find(|(_, g)| is_lost(r, g)).map(|&(t, _)| t + STEP);
    let reversible = network.reactions.iter().filter(|r| r.reverse == Reverse::Equilibrium);
    let (mut products, mut below): (Vec<usize>, Vec<f64>) = Default::default();
    for (r, t) in reversible.filter_map(|r| Some((r, lost(r)?))) {
        // No more than three species need to be looked at; fewer are repeated.
        let made = r.products.iter().map(|&(k, _)| k);
        products.extend(made.cycle().take(3));
        below.push(t);
    }
    let highest = below.iter().copied().fold(0.0, f64::max);
    Cold { below: highest, products: tables.indices(products), lost: tables.reals(below) }
}

/// Whether the reverse rate of a reaction is lost and would matter, with such G.
fn is_lost(r: &Reaction, g: &[f64]) -> bool {
    let sum = |side: &[(usize, f64)]| side.iter().map(|&(k, nu)| nu * g[k]).sum::<f64>();
    let beyond = r.reactants.iter().chain(&r.products).any(|&(k, _)| g[k].abs() > MOST_GIBBS);
    beyond && !r.products.is_empty() && sum(&r.products) - sum(&r.reactants) > LEAST
}
