//! A look into one cell: its steps, and its reactions.

use crate::error::{BatchError, PlanError};
use crate::oracle::{self, TracePoint};
use crate::{Advance, Mechanism, Options, Outcome, Reactor, States};
use kinlane_lanes::UsualArithmetic;
use kinlane_solve::gas::state::parameter;
use kinlane_solve::methods::auto::Choice;
use kinlane_solve::options::Options as EngineOptions;
use kinlane_solve::record::FIRST;

/// One reaction at one state.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct ReactionRate {
    /// Index in file order.
    pub reaction: usize,
    /// Forward rate of progress \[mol/(m³ s)\].
    pub forward: f64,
    /// Reverse rate of progress \[mol/(m³ s)\].
    pub reverse: f64,
    /// How long the scarcest species that the reaction consumes, in either direction, would last at its gross
    /// rate \[s\].
    pub time_scale: f64,
}

/// One species at one state.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct SpeciesRate {
    /// Index in the mechanism's order.
    pub species: usize,
    /// Concentration \[mol/m³\].
    pub concentration: f64,
    /// Gross rate of production \[mol/(m³ s)\].
    pub production: f64,
    /// Gross rate of consumption \[mol/(m³ s)\].
    pub consumption: f64,
    /// How long the species would last if it were no longer produced \[s\].
    pub time_scale: f64,
}

/// What reactions and species do at one state.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Inspection {
    /// Every reaction, in file order.
    pub reactions: Vec<ReactionRate>,
    /// Every species, in the mechanism's order.
    pub species: Vec<SpeciesRate>,
}

/// Rates and time scales of every reaction and species at the state of one cell.
///
/// # Errors
/// [`BatchError::Length`]; [`BatchError::Factors`] and [`BatchError::Reaction`] for factors on reactions.
pub fn inspect(mechanism: &Mechanism, states: &States) -> Result<Inspection, BatchError> {
    let network = mechanism.network();
    let (t, p) = single(states)?;
    let (got, want) = (states.species_count(), mechanism.species_count());
    if got != want {
        return Err(BatchError::Length { what: "a row of Y".into(), got, want });
    }
    let reactions = mechanism.reaction_count();
    for wanted in states.factors(0).iter().map(|f| f.reaction) {
        if mechanism.plan().kinetics.excess.len == 0 {
            return Err(BatchError::Factors);
        } else if wanted >= reactions {
            return Err(BatchError::Reaction { cell: 0, wanted, reactions });
        }
    }
    let _usual = UsualArithmetic::set();
    let y = states.y();
    // ρ = p / (R T Σ Y/W)
    let moles = mechanism.specific_moles(y);
    let density = parameter(Reactor::ConstV, p, t, moles.iter().sum::<f64>());
    let mut species: Vec<SpeciesRate> = moles
        .iter()
        .enumerate()
        .map(|(k, m)| SpeciesRate {
            species: k,
            concentration: density * m,
            production: 0.0,
            consumption: 0.0,
            time_scale: f64::INFINITY,
        })
        .collect();

    let rates = oracle::rates_of_progress(mechanism, states);
    let mut reactions = Vec::with_capacity(rates.len());
    for (i, (r, &[forward, reverse])) in network.reactions.iter().zip(&rates).enumerate() {
        let mut time_scale = f64::INFINITY;
        for (side, gross, back) in [(&r.reactants, forward, reverse), (&r.products, reverse, forward)] {
            for &(k, nu) in side {
                if let Some(s) = species.get_mut(k) {
                    s.consumption += nu * gross;
                    s.production += nu * back;
                    if nu * gross > 0.0 {
                        time_scale = time_scale.min(s.concentration.max(0.0) / (nu * gross));
                    }
                }
            }
        }
        reactions.push(ReactionRate { reaction: i, forward, reverse, time_scale });
    }
    for s in &mut species {
        if s.consumption > 0.0 {
            s.time_scale = s.concentration.max(0.0) / s.consumption;
        }
    }
    Ok(Inspection { reactions, species })
}

/// Most attempted steps that [`trace`] returns.
pub const TRACED: usize = 10_000;

/// Advances one cell alone; returns its attempted steps, the first [`TRACED`] of them, and how it ended. `states` must hold one cell; it
/// is advanced as by [`Advance::advance_states`]. Where cells choose a method, the steps are those for stiff
/// cells.
///
/// # Errors
/// [`TraceError::Plan`] if the options are refused; [`TraceError::Batch`] if there is not exactly one cell, or as
/// [`Advance::advance`].
pub fn trace(
    mechanism: &Mechanism,
    options: &Options,
    states: &mut States,
    dt: f64,
) -> Result<(Vec<TracePoint>, Outcome), TraceError> {
    traced(mechanism, options, states, dt, false)
}

/// As [`trace`], but the cell is advanced as by the first call of [`Advance::advance_continuing`] with a continuation.
///
/// # Errors
/// As [`trace`].
pub fn trace_continuing(
    mechanism: &Mechanism,
    options: &Options,
    states: &mut States,
    dt: f64,
) -> Result<(Vec<TracePoint>, Outcome), TraceError> {
    traced(mechanism, options, states, dt, true)
}

fn traced(
    mechanism: &Mechanism,
    options: &Options,
    states: &mut States,
    dt: f64,
    continues: bool,
) -> Result<(Vec<TracePoint>, Outcome), TraceError> {
    let _usual = UsualArithmetic::set();
    let mut solver = Advance::builder(mechanism).options(options.clone()).threads(1).plan()?;
    single(states)?;
    let method = solver.one_method();
    let dt = states.intervals().map_or(dt, |own| own[0]);
    // The engine's options: in them no method means `auto`.
    let (_, options) = solver.engine_plan();
    let late = Choice::new(options, mechanism.plan()).filter(|_| !continues).and_then(|choice| choice.late);
    let mut options = EngineOptions { method: Some(method.name.to_owned()), ..options.clone() };
    let entry = states.clone();
    // They check them.
    if continues {
        // States at the ends of calls count as those on the way do where cells are watched.
        (options.first_step, options.watched) = (options.first_step.or(Some(FIRST)), true);
        let mut anew = solver.continuation(1);
        solver.advance_continuing(states.cells_mut(), &mut anew, dt)?;
    } else {
        solver.advance_states(states, dt)?;
    }
    let points = oracle::trace(solver.engine_plan().0, &options, method, late, &entry, dt);
    Ok((points, states.outcomes().first().copied().unwrap_or_default()))
}

/// T \[K\] and p \[Pa\] of a batch of one cell.
fn single(states: &States) -> Result<(f64, f64), BatchError> {
    match (states.temperature(), states.pressure()) {
        (&[t], &[p]) => Ok((t, p)),
        _ => Err(BatchError::Length { what: "the batch to look into".into(), got: states.len(), want: 1 }),
    }
}

/// Why a cell could not be traced.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TraceError {
    /// The options were refused.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The cell was refused.
    #[error(transparent)]
    Batch(#[from] BatchError),
}
