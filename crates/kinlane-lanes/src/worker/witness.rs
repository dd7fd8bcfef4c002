//! What shows at a glance that a cell is stiff: one fast reaction of one species.
//!
//! Telling a cell apart takes an evaluation of all its rates. That its fastest decay makes a cell
//! [`Class::Stiff`](kinlane_solve::methods::auto::Class) can often be told from a single reaction, whose part in the decay of
//! its species is a lower bound. Which reaction that is differs from flame to flame, so those are tried that showed it in
//! other cells. Whether a cell is told apart at length or at a glance, its class is the same (docs/decisions/0036).

use super::boards::Supply;
use crate::batch::{Batch, Row, Taken};
use crate::shared::Shared;
use kinlane_plan::plan::{Loss, LossLaw};
use kinlane_solve::gas::R;
use kinlane_solve::methods::auto::{COUNTS, MILD, may_span};
use kinlane_solve::methods::control::Start;

/// Number of cells per thread at the end of a batch that are always examined in full, and not at a glance: they are taken in
/// the order of the attempts that they are expected to need, which the examination tells (docs/decisions/0025).
const IN_ORDER: usize = 512;
/// Temperatures \[K\] at which no rate constant overflows.
const USUAL: std::ops::RangeInclusive<f64> = 300.0..=5000.0;
/// A decay this much faster than the bound is above it, however both are rounded.
const ROUNDING: f64 = 1.0 + 1e-9;
/// Number of reactions that are remembered, and tried on each cell.
const TRIED: usize = 4;
/// Number of stiff cells that none of them gave away, after which another one is looked for.
const PATIENCE: u32 = 16;

/// The reactions that showed cells to be stiff, the last one first.
#[derive(Debug, Clone, Copy, Default)]
pub struct Witnesses {
    known: [Option<Loss>; TRIED],
    missed: u32,
    /// Cells of the batch below this number may be told apart at a glance.
    until: usize,
    /// All of them are stiff: none could take one step over the interval.
    all: bool,
    /// The least mass fraction that counts.
    least: f64,
}

/// A cell, as far as rates of single reactions need it.
struct Glance<'a> {
    y: Row,
    masses: &'a [f64],
    t: f64,
    ln_t: f64,
    /// Density \[kg/m³\].
    rho: f64,
    /// Its rate constants, where they are given.
    constants: &'a [f64],
    /// The least mass fraction that counts.
    least: f64,
    /// The interval \[s\].
    dt: f64,
}

impl Witnesses {
    /// To be called before the cells of a supply are told apart.
    pub(crate) fn begin(&mut self, s: &Shared, b: &Batch<'_>) {
        let queued = matches!(b.supply, Supply::Queue(_)) && b.factors.is_none();
        self.until = if queued { b.cells.saturating_sub(IN_ORDER * b.threads) } else { 0 };
        self.least = COUNTS * s.options.atol * s.plan.own_tolerances.iter().fold(1.0, |most, own| own.max(most));
        let start = Start::new(&s.options, b.longest);
        self.all = b.intervals.is_none() && !may_span(start.dt, start.h);
    }

    /// Whether a cell that was taken from the supply is stiff for certain.
    pub(crate) fn show(&mut self, s: &Shared, b: &Batch<'_>, cell: usize) -> bool {
        if cell >= self.until {
            return false;
        }
        if self.all {
            return true;
        }
        // Without a reaction to try, a look at the cell would be for nothing.
        if self.known[0].is_none() {
            self.missed += 1;
            return false;
        }
        // SAFETY: the worker has just taken the cell.
        let Some(glance) = self.look(s, unsafe { b.taken(cell) }) else { return false };
        let found = (0..TRIED).find(|&i| self.known[i].is_some_and(|loss| glance.is_fast(&loss)));
        match found {
            Some(i) => self.known[..=i].rotate_right(1),
            None => self.missed += 1,
        }
        found.is_some()
    }

    /// Looks for a reaction that shows a cell to be stiff, of which that was found at length.
    pub(crate) fn learn(&mut self, s: &Shared, cell: Taken<'_, '_>) {
        if self.missed < PATIENCE {
            return;
        }
        self.missed = 0;
        let Some(glance) = self.look(s, cell) else { return };
        let decays = s.plan.kinetics.losses.iter().map(|loss| (glance.decay(loss), loss));
        let Some((_, loss)) = decays.max_by(|a, b| a.0.total_cmp(&b.0)) else { return };
        if glance.is_fast(loss) {
            self.known.rotate_right(1);
            self.known[0] = Some(*loss);
        }
    }

    /// A look at a cell; none at one with unusual numbers.
    fn look<'a>(&self, s: &'a Shared, cell: Taken<'_, 'a>) -> Option<Glance<'a>> {
        let (plan, (t, p), y) = (&*s.plan, cell.conditions(), cell.y());
        let mut glance = Glance {
            y,
            masses: &plan.molar_mass,
            t,
            ln_t: t.ln(),
            rho: 1.0,
            constants: &[],
            least: self.least,
            dt: cell.interval(),
        };
        if plan.given {
            glance.constants = cell.constants();
            // A negative one would slow a decay down.
            return glance.constants.iter().all(|&k| k >= 0.0).then_some(glance);
        }
        let sigma: f64 = plan.molar_mass.iter().enumerate().map(|(k, w)| y.get(k) / w).sum();
        glance.rho = p / (R * t * sigma);
        let usual = USUAL.contains(&t) && t > plan.thermo.cold.below && glance.rho > 0.0;
        usual.then_some(glance)
    }
}

impl Glance<'_> {
    /// The rate \[1/s\] at which a species decays by a reaction, at least; zero if it does not count.
    fn decay(&self, loss: &Loss) -> f64 {
        let k = match loss.law {
            _ if self.y.get(loss.species) <= self.least => return 0.0,
            LossLaw::Arrhenius { b, e } => (b * self.ln_t - e / self.t).exp(),
            LossLaw::Given(i) => self.constants[i],
        };
        let partner = loss.partner.map_or(1.0, |j| self.rho * self.y.get(j) / self.masses[j]);
        loss.count * loss.coef * k * partner
    }

    fn is_fast(&self, loss: &Loss) -> bool {
        self.decay(loss) * self.dt > MILD * ROUNDING
    }
}
