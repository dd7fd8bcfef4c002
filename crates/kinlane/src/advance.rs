//! Plan once, advance many times.

use crate::device::MemoryPlan;
use crate::error::{BatchError, PlanError};
use crate::follow::{At, Job};
use crate::options::USUAL_ATOL;
use crate::place::Place;
use crate::runner::Runner;
use crate::{Cells, Continuation, Follow, Mechanism, Options, Points, Properties, Reactor, Report, States};
use kinlane_device::{Compiled, MappingWish, Roofline};
use kinlane_plan::plan::Features;
use kinlane_plan::{Plan, Precision};
use kinlane_solve::methods::Method;
use kinlane_solve::options::Options as EngineOptions;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::time::Instant;

/// Options of a solver; [`AdvanceBuilder::plan`] makes it. Every option has a default that suits most cells.
#[derive(Debug, Clone)]
#[must_use = "`plan` makes the solver"]
pub struct AdvanceBuilder {
    mechanism: Mechanism,
    options: Options,
    place: Place,
}

impl AdvanceBuilder {
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

    /// Absolute tolerance on mass fractions (default 1e-12).
    pub fn atol(mut self, atol: f64) -> Self {
        self.options.atol = Some(atol);
        self
    }

    /// Absolute tolerances of single species, in the place of the one for all: pairs of a name and a mass fraction.
    pub fn atol_of<S: Into<String>>(mut self, own: impl IntoIterator<Item = (S, f64)>) -> Self {
        self.options.atol_of = own.into_iter().collect();
        self
    }

    /// The kind of reactor (default constant pressure).
    pub fn reactor(mut self, reactor: Reactor) -> Self {
        self.options.reactor = reactor;
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

    /// The precision in which devices compute (default f64); the CPU always computes in f64. A cell that a
    /// device cannot finish is advanced on the CPU.
    pub fn precision(mut self, precision: Precision) -> Self {
        self.place.precision = precision;
        self
    }

    /// Number of threads (default: as many as the machine runs at once).
    pub fn threads(mut self, threads: usize) -> Self {
        self.place.threads = Some(threads);
        self
    }

    /// Sets at once where to run: device, memory, mapping, precision, threads and lanes.
    pub fn place(mut self, place: Place) -> Self {
        self.place = place;
        self
    }

    /// Sets every option of the integration at once.
    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Makes the solver and all of its workspace.
    ///
    /// # Errors
    /// [`PlanError::Option`], [`PlanError::Species`], [`PlanError::UnknownMethod`], [`PlanError::NoStep`],
    /// [`PlanError::UnknownLanes`], [`PlanError::Device`], [`PlanError::Precision`] or [`PlanError::TooFine`].
    pub fn plan(self) -> Result<Advance, PlanError> {
        let plan = self.planned(self.mechanism.plan())?;
        let runner = Runner::new(&plan, &self.options.engine(USUAL_ATOL, &self.place), &self.place)?;
        Ok(Advance { runner, mechanism: self.mechanism, options: self.options })
    }

    /// As [`AdvanceBuilder::plan`], for a solver that records what happens to cells while they advance. Each
    /// cell is advanced with one method; only with `auto` on the CPU at tight tolerances, a cell that takes
    /// many steps goes on with BDF.
    ///
    /// # Errors
    /// As [`AdvanceBuilder::plan`].
    pub fn follow(self) -> Result<Follow, PlanError> {
        let options = EngineOptions { watched: true, ..self.options.engine(USUAL_ATOL, &self.place) };
        let plan = self.planned(self.mechanism.plan())?;
        Follow::of(Job { mechanism: self.mechanism, plan, options, place: self.place, at: At::Place })
    }

    /// As [`AdvanceBuilder::follow`] on the CPU, for cells whose pressure or volume follows a history:
    /// [`Follow::advance_along`]. Devices do not support histories: if one was asked for,
    /// [`Follow::fallback`] says so. All cells have one method here, Rodas5P if none was asked for.
    ///
    /// # Errors
    /// [`PlanError::Option`], [`PlanError::Species`], [`PlanError::UnknownMethod`], [`PlanError::NoStep`],
    /// [`PlanError::UnknownLanes`] or [`PlanError::Precision`].
    pub fn follow_driven(self) -> Result<Follow, PlanError> {
        let options = EngineOptions { watched: true, ..self.options.engine(USUAL_ATOL, &self.place) };
        let elsewhere = self.place.device.as_ref().filter(|d| *d != "cpu");
        let elsewhere = elsewhere.map(|d| format!("{d} follows no histories of pressure or volume"));
        let features = Features { history: true, factors: self.mechanism.is_perturbable() };
        let plan = self.planned(&Arc::new(Plan::with(self.mechanism.network(), features)))?;
        Follow::of(Job { mechanism: self.mechanism, plan, options, place: self.place, at: At::Cpu(elsewhere) })
    }

    fn planned(&self, plan: &Arc<Plan>) -> Result<Arc<Plan>, PlanError> {
        self.options.planned(plan, USUAL_ATOL, |name| self.mechanism.require(name))
    }
}

/// A solver: one mechanism, one set of options, threads and their workspaces. On the CPU,
/// [`Advance::advance`] allocates memory only for lists of waiting cells, which later calls reuse, and,
/// rarely, to retry a failed cell.
#[derive(Debug)]
pub struct Advance {
    runner: Runner,
    mechanism: Mechanism,
    options: Options,
}

impl Advance {
    /// A builder with the default options, for a mechanism.
    pub fn builder(mechanism: &Mechanism) -> AdvanceBuilder {
        AdvanceBuilder { mechanism: mechanism.clone(), options: Options::default(), place: Place::default() }
    }

    /// Advances every cell by `dt` \[s\], in the caller's buffers; or each by its own of `intervals`, and then `dt` is not
    /// looked at.
    ///
    /// | of [`Cells`] | shape | unit |
    /// |---|---|---|
    /// | `temperature` | \[n\], advanced | K |
    /// | `pressure` | \[n\], advanced at constant volume | Pa |
    /// | `y` | \[n, species\] as `layout` says, advanced | mass fractions |
    /// | `electron_temperature` | \[n\] | K |
    /// | `source.dydt` | \[n, species\] as `layout` says | 1/s |
    /// | `source.heating` | \[n\] | W/kg |
    /// | `intervals` | \[n\] | s |
    /// | `factors` | \[n\] lists | |
    /// | `outcome` | \[n\], written: `Cancelled` for all cells if the call is refused | |
    ///
    /// ```
    /// use kinlane::{Advance, Cells, Layout, Mechanism, Outcome};
    ///
    /// let mechanism = Mechanism::bundled("h2")?;
    /// let gas = mechanism.mass_fractions_of_moles(&[("H2", 2.0), ("O2", 1.0), ("N2", 3.76)])?;
    /// // Two cells in arrays of the host's own.
    /// let (mut t, mut p, mut y) = ([1200.0, 1300.0], [101_325.0; 2], gas.repeat(2));
    /// let mut outcome = [Outcome::default(); 2];
    ///
    /// let mut solver = Advance::builder(&mechanism).threads(1).plan()?;
    /// let report = solver.advance(Cells::new(&mut t, &mut p, &mut y, Layout::CellMajor, &mut outcome), 1e-3)?;
    /// assert!(report.failed == 0 && t[0] > 2500.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Cells are independent: a cell's result is the same, to the last bit, for any neighbours, order, lane
    /// width or number of threads. A cell that fails keeps its entry state and says why in its `outcome`; the
    /// others finish, and the call returns no error. Mass fractions may be negative and have any sum.
    ///
    /// # Errors
    /// Before any cell is touched: [`BatchError::Interval`] if `dt` is not positive and finite;
    /// [`BatchError::Length`]; [`BatchError::Value`] if a value is not finite, T, p, Te or an interval not positive, or a
    /// factor negative; [`BatchError::Reaction`] if a factor is for no reaction; [`BatchError::Unbalanced`] if the sources of a cell would change
    /// the sum of its mass fractions by more than [`SUM_TOLERANCE`](crate::SUM_TOLERANCE) over `dt`;
    /// [`BatchError::Factors`] if the mechanism or the device does not support factors.
    ///
    /// [`BatchError::Device`] if a device fails: cells whose outcome is `Done` have then been advanced.
    pub fn advance(&mut self, cells: Cells<'_>, dt: f64) -> Result<Report, BatchError> {
        self.run(cells, None, dt)
    }

    /// Measures what the first device can do at most, and how much of that its kernels reach on cells of a
    /// batch, as many as its memory holds; `None` on the CPU. The solver must have a single method, not
    /// `auto`. The cells are not changed.
    ///
    /// # Errors
    /// As [`Advance::advance`].
    pub fn roofline(&mut self, states: &States, dt: f64) -> Result<Option<Roofline>, BatchError> {
        self.runner.backend.roofline(states.clone().cells_mut(), dt)
    }

    /// The compiler's account of the kernels of the first device, once [`Advance::prepare`] has compiled
    /// them; empty on the CPU.
    pub fn compiled(&self) -> Vec<Compiled> {
        self.runner.backend.compiled()
    }

    /// A continuation for a batch of `cells`, for [`Advance::advance_continuing`].
    pub fn continuation(&self, cells: usize) -> Continuation {
        self.runner.backend.cpu().continuation(cells)
    }

    /// As [`Advance::advance`], but a cell goes on as if the last call with this continuation had not ended:
    /// with its steps, order, history and factors. Two calls of dt/2 then give the bits of one call of dt, and so on as long as
    /// the ends of the calls, dt added up, are the same numbers. A
    /// cell whose state was changed in between begins anew, with the step size that it had; so does every
    /// cell of a batch with sources, electron temperatures or factors, in that call and in the one after it. All cells have one method. A continuation may
    /// go on with another device, or on the CPU: the bits are the same.
    ///
    /// # Errors
    /// As [`Advance::advance`]; [`BatchError::Length`] if the continuation is for another number of cells,
    /// [`BatchError::ForeignContinuation`] if another solver made it, [`BatchError::Device`] for a device in
    /// reduced precision.
    pub fn advance_continuing(
        &mut self,
        cells: Cells<'_>,
        continuation: &mut Continuation,
        dt: f64,
    ) -> Result<Report, BatchError> {
        self.run(cells, Some(continuation), dt)
    }

    /// The method of [`Advance::single_method`], with its coefficients.
    pub(crate) fn one_method(&self) -> &'static Method {
        self.runner.backend.cpu().single_method()
    }

    /// The plan and the options as the engine has them.
    pub(crate) fn engine_plan(&self) -> (&Plan, &EngineOptions) {
        let engine = self.runner.backend.cpu();
        (engine.plan(), engine.options())
    }

    fn run(
        &mut self,
        mut cells: Cells<'_>,
        continuation: Option<&mut Continuation>,
        dt: f64,
    ) -> Result<Report, BatchError> {
        self.runner.begin(cells.outcome);
        let bytes_per_cell = bytes_per_cell(&cells, self.mechanism.species_count());
        let single = continuation.is_some();
        let (backend, signals) = self.runner.held();
        backend.prepare(cells.temperature.len(), single)?;
        let start = Instant::now();
        let totals = match continuation {
            None => backend.advance(cells.reborrow(), dt, signals)?,
            Some(continuation) => backend.advance_continuing(cells.reborrow(), continuation, dt, signals)?,
        };
        let seconds = start.elapsed().as_secs_f64();
        Ok(Report { bytes_per_cell, ..self.runner.report(&totals, cells.outcome, seconds, single) })
    }

    /// As [`Advance::advance`], for a batch that owns its arrays.
    ///
    /// # Errors
    /// As [`Advance::advance`].
    pub fn advance_states(&mut self, states: &mut States, dt: f64) -> Result<Report, BatchError> {
        self.advance(states.cells_mut(), dt)
    }

    /// Net production rates \[mol/(m³ s)\] into `wdot` \[n, species\] and, if `jac` is given, the Jacobian of
    /// (dY/dt, dT/dt) with respect to (Y, T), \[n, species + 1, species + 1\] row-major. `wdot` lies as the mass fractions of
    /// the points do, species-major where they are; Jacobians lie one after the other.
    ///
    /// ```
    /// use kinlane::{Advance, Mechanism, States};
    ///
    /// let mechanism = Mechanism::bundled("h2")?;
    /// let gas = [("H2", 0.03), ("O2", 0.22), ("N2", 0.75)];
    /// let cells = States::uniform(&mechanism, 2, 1200.0, 101_325.0, &gas)?;
    /// let mut wdot = vec![0.0; 2 * mechanism.species_count()];
    /// Advance::builder(&mechanism).threads(1).plan()?.rates(cells.points(), &mut wdot, None)?;
    ///
    /// let ho2 = mechanism.require("HO2")?;
    /// assert!(wdot[ho2] > 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BatchError::Length`]; [`BatchError::Value`] where a value is not finite, or T, p or Te not positive;
    /// [`BatchError::Device`].
    pub fn rates(&mut self, at: Points<'_>, wdot: &mut [f64], jac: Option<&mut [f64]>) -> Result<(), BatchError> {
        self.runner.backend.rates(at, wdot, jac)
    }

    /// Density, mean molar mass, heat capacity, enthalpy and heat release of the gas at every point, into
    /// `out` \[n\]. Done by the CPU.
    ///
    /// ```
    /// use kinlane::{Advance, Mechanism, Properties, States};
    ///
    /// let mechanism = Mechanism::bundled("h2")?;
    /// let cells = States::uniform(&mechanism, 2, 298.15, 101_325.0, &[("H2O", 1.0)])?;
    /// let mut gas = vec![Properties::default(); cells.len()];
    /// Advance::builder(&mechanism).threads(1).plan()?.properties(cells.points(), &mut gas)?;
    ///
    /// // J/mol: the enthalpy of formation of water.
    /// assert!((gas[0].enthalpy * gas[0].molar_mass + 241_826.0).abs() < 100.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Advance::rates`].
    pub fn properties(&mut self, at: Points<'_>, out: &mut [Properties]) -> Result<(), BatchError> {
        Ok(self.runner.backend.cpu_mut().properties(at, out, true)?)
    }

    /// As [`Advance::properties`], but no reaction is evaluated, which takes most of the time: the heat release is NaN.
    ///
    /// # Errors
    /// As [`Advance::rates`].
    pub fn thermodynamics(&mut self, at: Points<'_>, out: &mut [Properties]) -> Result<(), BatchError> {
        Ok(self.runner.backend.cpu_mut().properties(at, out, false)?)
    }

    /// Specific enthalpies \[J/kg\], with the enthalpies of formation in them, and heat capacities \[J/(kg K)\] of every
    /// species at the temperatures of the points, into `enthalpy` and `cp` \[n, species\], which lie as the points'
    /// mass fractions: for fluxes of enthalpy, Σ h_k J_k. Nothing but the temperatures matters. Done by the CPU.
    ///
    /// ```
    /// use kinlane::{Advance, Mechanism, States};
    ///
    /// let mechanism = Mechanism::bundled("h2")?;
    /// let cells = States::uniform(&mechanism, 1, 298.15, 101_325.0, &[("N2", 1.0)])?;
    /// let (mut h, mut cp) = (vec![0.0; mechanism.species_count()], vec![0.0; mechanism.species_count()]);
    /// Advance::builder(&mechanism).threads(1).plan()?.species_properties(cells.points(), &mut h, &mut cp)?;
    ///
    /// // The enthalpy of formation of water, 13.4 MJ/kg below zero.
    /// assert!((h[mechanism.require("H2O")?] + 13.42e6).abs() < 1e4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Advance::rates`].
    pub fn species_properties(
        &mut self,
        at: Points<'_>,
        enthalpy: &mut [f64],
        cp: &mut [f64],
    ) -> Result<(), BatchError> {
        Ok(self.runner.backend.cpu_mut().species_properties(at, enthalpy, cp)?)
    }

    /// Temperatures \[K\] at which the gas at every point has the specific enthalpy `energy` \[n\] \[J/kg\]
    /// (in a reactor of constant volume, that internal energy), into `out` \[n\]. This is for hosts that
    /// carry energy and composition. The search starts from the temperatures of the points; NaN if there is
    /// no answer from 10 to 50 000 K. If the mechanism's polynomials jump past an energy, the temperature of
    /// the jump is returned. Done by the CPU.
    ///
    /// ```
    /// use kinlane::{Advance, Mechanism, Properties, States};
    ///
    /// let mechanism = Mechanism::bundled("h2")?;
    /// let cells = States::uniform(&mechanism, 2, 1234.0, 101_325.0, &[("H2", 0.1), ("N2", 0.9)])?;
    /// let mut solver = Advance::builder(&mechanism).threads(1).plan()?;
    /// let mut gas = vec![Properties::default(); cells.len()];
    /// solver.properties(cells.points(), &mut gas)?;
    ///
    /// let guess = States::uniform(&mechanism, 2, 300.0, 101_325.0, &[("H2", 0.1), ("N2", 0.9)])?;
    /// let enthalpy: Vec<f64> = gas.iter().map(|g| g.enthalpy).collect();
    /// let mut t = vec![0.0; 2];
    /// solver.temperatures(guess.points(), &enthalpy, &mut t)?;
    /// assert!((t[0] - 1234.0).abs() < 1e-8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Advance::rates`].
    pub fn temperatures(&mut self, at: Points<'_>, energy: &[f64], out: &mut [f64]) -> Result<(), BatchError> {
        Ok(self.runner.backend.cpu_mut().temperatures(at, energy, out)?)
    }

    /// Forward and reverse rate of progress \[mol/(m³ s)\] of every reaction, in the mechanism's order, into
    /// `out` \[n, reactions\]. Done by the CPU.
    ///
    /// # Errors
    /// As [`Advance::rates`].
    pub fn rates_of_progress(&mut self, at: Points<'_>, out: &mut [[f64; 2]]) -> Result<(), BatchError> {
        Ok(self.runner.backend.cpu_mut().rates_of_progress(at, out)?)
    }

    /// The mechanism.
    pub fn mechanism(&self) -> &Mechanism {
        &self.mechanism
    }

    /// What does the work: `cpu`, or devices such as `opencl:0`, joined by `+`.
    pub fn device(&self) -> &str {
        self.runner.device()
    }

    /// Compiles for the device and allocates its memory, for batches of `cells`; otherwise the first call of
    /// [`Advance::advance`] does so, before its clock starts.
    ///
    /// # Errors
    /// [`BatchError::Device`].
    pub fn prepare(&mut self, cells: usize) -> Result<(), BatchError> {
        self.runner.prepare(cells)
    }

    /// The memory plan of every device: what a cell needs, and how a batch of `cells` would be divided. Empty
    /// on the CPU.
    ///
    /// # Errors
    /// [`PlanError::Device`]: the kernel is compiled for this.
    pub fn memory_plan(&mut self, cells: usize) -> Result<Vec<MemoryPlan>, PlanError> {
        self.runner.memory_plan(cells)
    }

    /// The options as they were given; the method in use is [`Advance::method`].
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Name of the method in use.
    pub fn method(&self) -> &str {
        self.runner.method()
    }

    /// Name of the method used where all cells must have the same: with a continuation.
    pub fn single_method(&self) -> &'static str {
        self.one_method().name
    }

    /// Why the CPU does the work although a device was asked for.
    pub fn fallback(&self) -> Option<&str> {
        self.runner.fallback()
    }

    /// Number of integrating threads.
    pub fn threads(&self) -> usize {
        self.runner.threads()
    }

    /// Instruction set and number of cells side by side.
    pub fn lanes(&self) -> &str {
        self.runner.lanes()
    }

    /// Setting it ends a running call early, from any thread: unfinished cells keep their entry state with
    /// `Status::Cancelled`. It stays set until it is cleared.
    pub fn stop_flag(&self) -> Arc<AtomicBool> {
        self.runner.stop()
    }

    /// Counts the finished cells of the running call.
    pub fn progress(&self) -> Arc<AtomicUsize> {
        self.runner.progress()
    }
}

/// Size of the caller's buffers per cell \[bytes\].
pub(crate) fn bytes_per_cell(cells: &Cells<'_>, species: usize) -> usize {
    let state = 2 + species;
    let electron = usize::from(cells.electron_temperature.is_some());
    let source = if cells.source.is_some() { species + 1 } else { 0 };
    let interval = usize::from(cells.intervals.is_some());
    (state + electron + source + interval) * size_of::<f64>() + size_of::<crate::Outcome>()
}
