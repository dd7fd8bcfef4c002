//! The batch interface.

use kinlane_plan::Plan;
use kinlane_solve::{Cost, Options, Outcome};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize};

/// How `[cells, species]` arrays lie in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Layout {
    /// A cell's species are contiguous: `y[cell * species + k]`.
    #[default]
    CellMajor,
    /// A species' cells are contiguous: `y[k * cells + cell]`.
    SpeciesMajor,
}

/// A constant source per cell over the interval, for operator-split hosts.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// d(Y)/dt \[cells, species\] in the layout of the cells [1/s].
    pub dydt: &'a [f64],
    /// Heating \[cells\]: rate of specific enthalpy (constant p) or internal energy (constant v) [W/kg].
    pub heating: &'a [f64],
}

/// A batch of gas cells, in the caller's own buffers. All slices are checked before any cell is touched.
#[derive(Debug)]
pub struct Cells<'a> {
    /// T \[cells\] [K], advanced in place.
    pub temperature: &'a mut [f64],
    /// p \[cells\] [Pa]; advanced in place at constant volume.
    pub pressure: &'a mut [f64],
    /// Y \[cells, species\] mass fractions, advanced in place.
    pub y: &'a mut [f64],
    /// Order of `y` and of the source.
    pub layout: Layout,
    /// Electron temperature \[cells\] [K] for two-temperature plasma rates; the gas temperature where absent.
    pub electron_temperature: Option<&'a [f64]>,
    /// Sources, if any.
    pub source: Option<Source<'a>>,
    /// One outcome per cell, written.
    pub outcome: &'a mut [Outcome],
}

/// Sums over a batch.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Totals {
    /// Cells that did not reach the end.
    pub failed: usize,
    /// Cost over all cells.
    pub cost: TotalCost,
    /// CPU seconds of the integrating threads.
    pub cpu_seconds: f64,
}

/// As [`Cost`], summed over a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "the fields are those of Cost")]
pub struct TotalCost {
    pub steps: u64,
    pub rejected: u64,
    pub rhs: u64,
    pub jac: u64,
    pub factor: u64,
}

impl TotalCost {
    /// Adds one cell's cost.
    pub fn add(&mut self, c: &Cost) {
        self.steps += u64::from(c.steps);
        self.rejected += u64::from(c.rejected);
        self.rhs += u64::from(c.rhs);
        self.jac += u64::from(c.jac);
        self.factor += u64::from(c.factor);
    }
}

/// Why an engine cannot be made or a batch cannot be taken.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum EngineError {
    /// No such method.
    UnknownMethod {
        /// The name asked for.
        name: String,
    },
    /// A slice has the wrong length.
    Length {
        /// Which slice.
        what: &'static str,
        /// Its length.
        got: usize,
        /// The length it must have.
        want: usize,
    },
    /// An input value cannot be used.
    Value {
        /// Cell index.
        cell: usize,
        /// Which column, such as `T` or a species.
        column: String,
        /// The value.
        value: f64,
    },
}

/// Advances batches of one mechanism. Holds the plan, the options and every thread's workspace: nothing is
/// allocated in [`Engine::advance`]. `Send + Sync`-safe to move between threads; one `advance` at a time.
#[derive(Debug)]
pub struct Engine {
    plan: Arc<Plan>,
    options: Options,
    threads: usize,
}

impl Engine {
    /// Plans a solver of `threads` threads.
    ///
    /// # Errors
    /// [`EngineError::UnknownMethod`].
    pub fn new(plan: Arc<Plan>, options: Options, threads: usize) -> Result<Self, EngineError> {
        Ok(Self { plan, options, threads })
    }

    /// Register width in use, such as `avx512 x 16`: name of the instruction set and cells side by side.
    pub fn lanes(&self) -> String {
        String::new()
    }

    /// Bytes of workspace per thread.
    pub fn bytes_per_thread(&self) -> usize {
        0
    }

    /// Advances every cell by `dt` [s], in place. `progress` counts finished cells; setting `stop` ends the work
    /// early, unfinished cells then keep their entry state with `Status::Cancelled`.
    ///
    /// A failed cell keeps its entry state and says why in its outcome; that is not an error.
    ///
    /// # Errors
    /// [`EngineError::Length`], [`EngineError::Value`], before any cell is touched.
    pub fn advance(
        &mut self,
        cells: Cells<'_>,
        dt: f64,
        progress: &AtomicUsize,
        stop: &AtomicBool,
    ) -> Result<Totals, EngineError> {
        let _ = (&self.plan, &self.options, self.threads, cells, dt, progress, stop);
        Ok(Totals::default())
    }

    /// Net production rates [mol/(m³ s)], `wdot` \[cells, species\], and, if `jac` is given, d(dY/dt, dT/dt)/d(Y, T)
    /// \[cells, species + 1, species + 1\] of the reactor in the options, row-major, all cell-major.
    ///
    /// # Errors
    /// As [`Engine::advance`].
    pub fn rates(
        &mut self,
        temperature: &[f64],
        pressure: &[f64],
        y: &[f64],
        electron_temperature: Option<&[f64]>,
        wdot: &mut [f64],
        jac: Option<&mut [f64]>,
    ) -> Result<(), EngineError> {
        let _ = (temperature, pressure, y, electron_temperature, wdot, jac);
        Ok(())
    }
}
