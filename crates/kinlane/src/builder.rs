//! What is chosen for a solver before it is made.

use crate::advance::Advance;
use crate::error::PlanError;
use crate::follow::{At, Follow, Job};
use crate::options::USUAL_ATOL;
use crate::place::Place;
use crate::runner::Runner;
use crate::scheme::SchemeSolver;
use crate::{Mechanism, Options, Reactor, Scheme};
use kinlane_device::{MappingWish, Wish};
use kinlane_plan::plan::Features;
use kinlane_plan::{Plan, Precision};
use kinlane_solve::options::Options as EngineOptions;
use std::sync::Arc;

/// Options of a solver for cells of a [`Mechanism`] or of a [`Scheme`]; `plan` makes it. Every option has a default that suits most
/// cells.
#[derive(Debug, Clone)]
#[must_use = "`plan` makes the solver"]
pub struct Builder<T> {
    of: T,
    options: Options,
    place: Place,
}

/// Options of an [`Advance`].
pub type AdvanceBuilder = Builder<Mechanism>;

/// Options of a [`SchemeSolver`].
pub type SchemeBuilder = Builder<Scheme>;

impl<T> Builder<T> {
    /// The default options.
    pub(crate) fn new(of: T) -> Self {
        Self { of, options: Options::default(), place: Place::default() }
    }

    /// The integration method, by name; [`methods`](crate::methods()) lists the names. By default each cell
    /// gets the method that suits it (`auto`).
    pub fn method(mut self, name: impl Into<String>) -> Self {
        self.options.method = Some(name.into());
        self
    }

    /// Relative tolerance (default 1e-6).
    pub fn rtol(mut self, rtol: f64) -> Self {
        self.options.rtol = rtol;
        self
    }

    /// Absolute tolerance (default: 1e-12 on mass fractions; of a scheme [`Scheme::usual_atol`], on amounts times the weights of
    /// their species).
    pub fn atol(mut self, atol: f64) -> Self {
        self.options.atol = Some(atol);
        self
    }

    /// Absolute tolerances of single species, in the place of the one for all.
    pub fn atol_of<S: Into<String>>(mut self, own: impl IntoIterator<Item = (S, f64)>) -> Self {
        self.options.atol_of = own.into_iter().collect();
        self
    }

    /// First step \[s\]; by default each cell chooses its own.
    pub fn first_step(mut self, h: f64) -> Self {
        self.options.first_step = Some(h);
        self
    }

    /// Attempted steps that a cell may use before it is given up (default 100 000).
    pub fn max_steps(mut self, steps: u32) -> Self {
        self.options.max_steps = steps;
        self
    }

    /// Instruction set and number of cells side by side, such as `avx2` or `avx512 x 16` (default: the best
    /// on this CPU). It affects the speed but no bit of the answers, with one exception: `portable` rounds
    /// multiply-adds twice unless it was compiled to fuse them.
    pub fn lanes(mut self, lanes: impl Into<String>) -> Self {
        self.place.lanes = Some(lanes.into());
        self
    }

    /// Where to run (default `cpu`): `opencl` or `cuda`, with a number as in `opencl:1`; several devices
    /// joined by `+`, including the CPU if it is to work as well; or `auto` for a GPU if there is one that
    /// works, else the CPU. Cells that a device cannot advance are advanced on the CPU, so statuses are the
    /// same everywhere.
    pub fn device(mut self, device: impl Into<String>) -> Self {
        self.place.device = Some(device.into());
        self
    }

    /// Most bytes of a device's memory to use (default: four fifths of it). Larger batches are divided.
    pub fn device_memory(mut self, bytes: u64) -> Self {
        self.place.memory = Some(bytes);
        self
    }

    /// On devices: whether each thread has a cell of its own, or each group of threads shares one (default:
    /// what suits the device and the mechanism).
    pub fn mapping(mut self, mapping: MappingWish) -> Self {
        self.place.mapping = mapping;
        self
    }

    /// Number of threads (default: as many as the machine runs at once).
    pub fn threads(mut self, threads: usize) -> Self {
        self.place.threads = Some(threads);
        self
    }

    /// Sets at once where to run: device, memory, mapping, precision, threads and lanes. Cells of a scheme are advanced in f64.
    pub fn place(mut self, place: Place) -> Self {
        self.place = place;
        self
    }

    /// Sets every option of the integration at once. The reactor means nothing to a scheme.
    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }
}

impl Builder<Mechanism> {
    /// The kind of reactor (default constant pressure).
    pub fn reactor(mut self, reactor: Reactor) -> Self {
        self.options.reactor = reactor;
        self
    }

    /// The precision in which devices compute (default f64); the CPU always computes in f64. A cell that a
    /// device cannot finish is advanced on the CPU.
    pub fn precision(mut self, precision: Precision) -> Self {
        self.place.precision = precision;
        self
    }

    /// Makes the solver and all of its workspace.
    ///
    /// # Errors
    /// [`PlanError::Option`], [`PlanError::Species`], [`PlanError::UnknownMethod`], [`PlanError::NoStep`],
    /// [`PlanError::UnknownLanes`], [`PlanError::Device`], [`PlanError::Precision`] or [`PlanError::TooFine`].
    pub fn plan(self) -> Result<Advance, PlanError> {
        let plan = self.planned(self.of.plan())?;
        let runner = Runner::new(&plan, &self.options.engine(USUAL_ATOL, &self.place), &self.place)?;
        Ok(Advance::of(runner, self.of, self.options))
    }

    /// As [`AdvanceBuilder::plan`], for a solver that records what happens to cells while they advance. Each
    /// cell is advanced with one method; only with `auto` on the CPU at tight tolerances, a cell that takes
    /// many steps goes on with BDF.
    ///
    /// # Errors
    /// As [`AdvanceBuilder::plan`].
    pub fn follow(self) -> Result<Follow, PlanError> {
        let options = EngineOptions { watched: true, ..self.options.engine(USUAL_ATOL, &self.place) };
        let plan = self.planned(self.of.plan())?;
        Follow::of(Job { mechanism: self.of, plan, options, place: self.place, at: At::Place })
    }

    /// As [`AdvanceBuilder::follow`] on the CPU, for cells whose pressure or volume follows a history:
    /// [`Follow::advance_along`]. Devices do not support histories: if one that exists was asked for,
    /// [`Follow::fallback`] says so. All cells have one method here, Radau5 if none was asked for (or `auto`).
    ///
    /// # Errors
    /// [`PlanError::Option`], [`PlanError::Species`], [`PlanError::UnknownMethod`], [`PlanError::NoStep`],
    /// [`PlanError::UnknownLanes`], [`PlanError::Device`] or [`PlanError::Precision`].
    pub fn follow_driven(self) -> Result<Follow, PlanError> {
        let options = EngineOptions { watched: true, ..self.options.engine(USUAL_ATOL, &self.place) };
        let wish = self.place.wish()?;
        wish.exists()?;
        let elsewhere = self.place.device.as_ref().filter(|_| wish != Wish::Cpu);
        let elsewhere = elsewhere.map(|d| format!("{d} follows no histories of pressure or volume"));
        let features = Features { history: true, factors: self.of.is_perturbable() };
        let plan = self.planned(&Arc::new(Plan::with(self.of.network(), features)))?;
        Follow::of(Job { mechanism: self.of, plan, options, place: self.place, at: At::Cpu(elsewhere) })
    }

    fn planned(&self, plan: &Arc<Plan>) -> Result<Arc<Plan>, PlanError> {
        self.options.planned(plan, USUAL_ATOL, |name| self.of.require(name))
    }
}

impl Builder<Scheme> {
    /// Makes the solver and all of its workspace.
    ///
    /// # Errors
    /// [`PlanError::Option`], [`PlanError::Species`], [`PlanError::UnknownMethod`], [`PlanError::NoStep`],
    /// [`PlanError::UnknownLanes`], [`PlanError::Device`], [`PlanError::Precision`].
    pub fn plan(self) -> Result<SchemeSolver, PlanError> {
        self.place.refuse_reduced()?;
        let options = Options { reactor: Reactor::FixedT, ..self.options };
        let atol = self.of.usual_atol();
        let plan = options.planned(&self.of.plan, atol, |name| self.of.require(name))?;
        let mut runner = Runner::new(&plan, &options.engine(atol, &self.place), &self.place)?;
        runner.backend.cpu_mut().set_rates(Arc::clone(&self.of.program));
        Ok(SchemeSolver::of(runner, self.of, options.atol.is_none()))
    }
}
