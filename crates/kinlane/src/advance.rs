//! Plan once, advance many times.

use crate::device::MemoryPlan;
use crate::error::{BatchError, PlanError};
use crate::runner::Runner;
use crate::{AdvanceBuilder, Cells, Continuation, Mechanism, Options, Points, Properties, Report, States};
use kinlane_device::{Compiled, Roofline};
use kinlane_plan::Plan;
use kinlane_solve::methods::Method;
use kinlane_solve::options::Options as EngineOptions;
use std::time::Instant;

/// A solver: one mechanism, one set of options, threads and their workspaces. On the CPU,
/// [`Advance::advance`] allocates memory only for lists of waiting cells, which later calls reuse, and,
/// rarely, to retry a failed cell.
#[derive(Debug)]
pub struct Advance {
    pub(crate) runner: Runner,
    mechanism: Mechanism,
    options: Options,
}

impl Advance {
    /// A builder with the default options, for a mechanism.
    pub fn builder(mechanism: &Mechanism) -> AdvanceBuilder {
        AdvanceBuilder::new(mechanism.clone())
    }

    pub(crate) fn of(runner: Runner, mechanism: Mechanism, options: Options) -> Self {
        Self { runner, mechanism, options }
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
        self.runner.prepare(cells.temperature.len(), single)?;
        let (backend, signals) = self.runner.held();
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
        self.runner.rates(at, wdot, jac)
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

    /// Compiles for the device and allocates its memory, for batches of `cells`; otherwise the first call of
    /// [`Advance::advance`] does so, before its clock starts.
    ///
    /// # Errors
    /// [`BatchError::Device`].
    pub fn prepare(&mut self, cells: usize) -> Result<(), BatchError> {
        self.runner.prepare(cells, false)
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

    /// Name of the method used where all cells must have the same: with a continuation.
    pub fn single_method(&self) -> &'static str {
        self.one_method().name
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
