//! Reports of stirred reactors.

use super::sweep::Gas;
use crate::commands::ending::JsonReport;
use crate::mixture::mole_fractions;
use kinlane::{Curve, Mechanism, StirredState};
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Debug, Serialize)]
pub struct Report<'a> {
    #[serde(flatten)]
    work: Work<'a>,
    points: usize,
    #[serde(flatten)]
    found: Found<'a>,
}

/// What it took.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Work<'a> {
    /// To find steady states.
    Steady {
        mechanism: &'a str,
        species: usize,
        reactions: usize,
        /// Times of --tau without a state.
        failed: usize,
        seconds: f64,
        threads: usize,
        device: &'static str,
        kinlane: &'static str,
    },
    /// To integrate over time.
    Transient(JsonReport<'a>),
}

impl<'a> Work<'a> {
    /// To find steady states, but `failed` of them, within so many seconds.
    pub fn steady(mechanism: &'a Mechanism, failed: usize, seconds: f64, threads: usize) -> Self {
        Self::Steady {
            mechanism: mechanism.name(),
            species: mechanism.species_count(),
            reactions: mechanism.reaction_count(),
            failed,
            seconds,
            threads,
            device: "cpu",
            kinlane: crate::VERSION,
        }
    }
}

/// What a report is about.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Found<'a> {
    Steady(Steady<'a>),
    Sweep { gases: Vec<GasReport<'a>> },
    Transient { states: Vec<State<'a>> },
}

/// The steady states of one gas.
#[derive(Debug, Serialize)]
pub struct Steady<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    extinction: Option<Turn>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ignition: Option<Turn>,
    turns: Vec<Turn>,
    /// Where stability is lost to oscillations.
    hopf: Vec<Turn>,
    states: Vec<State<'a>>,
}

/// One gas of a sweep.
#[derive(Debug, Serialize)]
pub struct GasReport<'a> {
    #[serde(rename = "T")]
    t: f64,
    #[serde(rename = "P")]
    p: f64,
    phi: Option<f64>,
    /// Residence times without a state \[s\].
    missing: &'a [f64],
    #[serde(flatten)]
    steady: Steady<'a>,
}

/// One state in a report.
#[derive(Debug, Serialize)]
pub struct State<'a> {
    /// Residence time, or time of a transient \[s\].
    #[serde(skip_serializing_if = "Option::is_none")]
    tau: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    t: Option<f64>,
    #[serde(skip_serializing_if = "str::is_empty")]
    branch: &'a str,
    /// T [K].
    temperature: f64,
    mole_fractions: BTreeMap<&'a str, f64>,
}

#[derive(Debug, Clone, Copy, Serialize)]
struct Turn {
    tau: f64,
    temperature: f64,
}

impl From<kinlane::Turn> for Turn {
    fn from(t: kinlane::Turn) -> Self {
        Self { tau: t.tau, temperature: t.temperature }
    }
}

/// A row of the tables: residence time or time, branch, state.
pub struct Row<'a> {
    pub x: f64,
    pub branch: &'static str,
    pub state: &'a StirredState,
}

impl<'a> Report<'a> {
    /// A report of so many `points`.
    pub fn new(work: Work<'a>, points: usize, found: Found<'a>) -> Self {
        Self { work, points, found }
    }
}

impl<'a> State<'a> {
    /// At a residence time or, with an empty branch, at a time.
    pub fn new(mechanism: &'a Mechanism, row: &Row<'a>) -> Self {
        let named = mechanism.species_names().iter().zip(mole_fractions(mechanism, &row.state.y));
        let over_time = row.branch.is_empty();
        Self {
            tau: (!over_time).then_some(row.x),
            t: over_time.then_some(row.x),
            branch: row.branch,
            temperature: row.state.temperature,
            mole_fractions: named.map(|(name, x)| (&**name, x)).collect(),
        }
    }
}

impl<'a> Steady<'a> {
    /// These states of a curve, with its turns.
    pub fn new(mechanism: &'a Mechanism, curve: Option<&Curve>, rows: impl Iterator<Item = Row<'a>>) -> Self {
        let all = |turns: &[kinlane::Turn]| turns.iter().copied().map(Into::into).collect();
        Self {
            extinction: curve.and_then(|curve| curve.extinction).map(Into::into),
            ignition: curve.and_then(|curve| curve.ignition).map(Into::into),
            turns: curve.map_or_else(Vec::new, |curve| all(&curve.turns)),
            hopf: curve.map_or_else(Vec::new, |curve| all(&curve.hopf)),
            states: rows.map(|row| State::new(mechanism, &row)).collect(),
        }
    }
}

impl<'a> GasReport<'a> {
    /// A gas of a sweep over these residence times \[s\].
    pub fn new(mechanism: &'a Mechanism, gas: &'a Gas<'a>, times: &'a [f64]) -> Self {
        let steady = Steady::new(mechanism, gas.curve.as_ref().ok(), gas.asked().map(super::row));
        let inflow = gas.inflow;
        Self { t: inflow.t, p: inflow.p, phi: inflow.phi, missing: gas.missing(times), steady }
    }
}
