//! How much of a device's capability its kernels reach: the roofline model (Williams, Waterman and Patterson
//! 2009).

use super::Device;
use crate::driver::Argument;
use crate::supply::{Part, Supply};
use crate::{Api, DeviceError, Info};
use kinlane_kernels::{HEAD_OUT, Work};
use kinlane_lanes::{Cells, Points};
use std::time::Instant;

/// The most that a device can do, as measured.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Ceilings {
    /// Operations in double precision per second, if all are multiply-adds.
    pub flops: f64,
    /// Bytes per second from and to memory, in a copy.
    pub bytes: f64,
}

/// Measured performance of a kernel.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Reached {
    /// Its name.
    pub kernel: &'static str,
    /// Operations per cell.
    pub flops: f64,
    /// Bytes per cell that must be moved at least, for its workspace.
    pub bytes: f64,
    /// Seconds per cell.
    pub seconds: f64,
}

impl Reached {
    fn new(kernel: &'static str, work: Work, seconds: f64) -> Self {
        Self { kernel, flops: work.flops, bytes: work.bytes, seconds }
    }

    /// Operations per second.
    pub fn rate(&self) -> f64 {
        self.flops / self.seconds
    }

    /// Operations per second that the ceilings allow.
    pub fn allowed(&self, c: Ceilings) -> f64 {
        c.flops.min(c.bytes * self.flops / self.bytes)
    }
}

/// The ceilings of a device, and its kernels below them.
#[derive(Debug, Clone, PartialEq)]
pub struct Roofline {
    /// The most that the device can do.
    pub ceilings: Ceilings,
    /// Its kernels.
    pub kernels: Vec<Reached>,
    /// Number of cells in the measurement.
    pub cells: usize,
}

/// Number of repetitions; the best counts.
const TIMES: usize = 5;
/// Rounds of multiply-adds per thread, and multiply-adds per round: eight, each of a vector where the
/// language has vectors.
const ROUNDS: u32 = 16_000;
fn per_round(api: Api) -> f64 {
    match api {
        Api::OpenCl => 64.0,
        Api::Cuda => 8.0,
    }
}
/// Most bytes that are copied: far more than caches hold.
const COPIED: u64 = 1 << 28;

/// Columns of the output, see `kernels/advance.c`.
const STEPS: usize = 4;
const REJECTED: usize = 5;

/// Threads per group, and number of groups, that keep a device busy computing.
fn crowd(info: &Info) -> (usize, usize) {
    if info.cpu { (16, 64) } else { (256, 4096) }
}

/// Threads per group that copy.
const COPYING: usize = 256;

impl Device {
    /// Measures what the device can do at most, and what its kernels reach with the first cells of a batch,
    /// as many as fit. The device must have been opened for a single method.
    pub fn roofline(&mut self, cells: Cells<'_>, dt: f64) -> Result<Roofline, DeviceError> {
        let done = self.measure(cells, dt);
        self.settled(done)
    }

    fn measure(&mut self, cells: Cells<'_>, dt: f64) -> Result<Roofline, DeviceError> {
        let ceilings = self.ceilings()?;
        self.prepare(cells.temperature.len(), false)?;
        let fit = self.lent()?.cut.cells;
        let supply = Supply::new(Part::new(cells), self.plan.species);
        let Some(part) = supply.take(|_| fit) else { return Ok(Roofline { ceilings, kernels: Vec::new(), cells: 0 }) };
        let cells = &part.cells;
        // The operations on a cell depend on the cell in few places only.
        let middle = part.len() / 2;
        let k = self.plan.species;
        let state = [cells.temperature[middle], cells.pressure[middle]];
        let tolerances = [self.options.rtol, self.options.atol];
        let y = &cells.y[middle * k..(middle + 1) * k];
        let [rates, around, attempt] =
            self.programs(self.set.stages[0]).work(state, y, cells.interval(middle, dt), tolerances);
        let (seconds, attempts) = self.advance_seconds(cells, dt)?;
        let mut work = around;
        work += attempt * attempts;
        let advance = Reached::new("advance", work, seconds);
        let rates = Reached::new("rates", rates, self.rates_seconds(cells)?);
        Ok(Roofline { ceilings, kernels: vec![rates, advance], cells: part.len() })
    }

    /// Seconds per cell of the kernel `rates`, once cells have been copied.
    fn rates_seconds(&mut self, c: &Cells<'_>) -> Result<f64, DeviceError> {
        let n = c.temperature.len();
        let kernel = self.rates_kernel(false, n)?;
        let n = n.min(self.lent()?.cut.cells);
        self.upload_gas(Points::new(c.temperature, c.pressure, c.y, c.layout).part(0..n, self.plan.species))?;
        self.driver.finish(0)?;
        Ok(self.best(|d| d.launch_rates(kernel, n))? / n as f64)
    }

    /// Seconds per cell of the kernel `advance`, once cells have been copied, and how many steps a cell
    /// attempts. Memory must have been provided.
    fn advance_seconds(&mut self, c: &Cells<'_>, dt: f64) -> Result<(f64, f64), DeviceError> {
        let n = c.temperature.len();
        let l = self.lent()?.queues[0];
        let numbers = self.pack(0, c, dt)?;
        self.driver.upload(0, l.host_in, l.input, numbers)?;
        self.driver.finish(0)?;
        let seconds = self.best(|d| {
            d.clear(0)?;
            d.launch(0, [n, 0], u32::MAX, false)
        })?;
        self.driver.download(0, l.output, l.host_out, HEAD_OUT * n)?;
        self.driver.finish(0)?;
        let attempts: f64 = self.driver.host(l.host_out)[STEPS * n..(REJECTED + 1) * n].iter().sum();
        Ok((seconds / n as f64, attempts / n as f64))
    }

    /// The shortest of several runs of what is put into the first queue \[s\].
    fn best(&mut self, launch: impl Fn(&mut Self) -> Result<(), DeviceError>) -> Result<f64, DeviceError> {
        let mut best = f64::INFINITY;
        for _ in 0..TIMES {
            let start = Instant::now();
            launch(self)?;
            self.driver.finish(0)?;
            best = best.min(start.elapsed().as_secs_f64());
        }
        Ok(best)
    }

    fn ceilings(&mut self) -> Result<Ceilings, DeviceError> {
        self.lent = None;
        self.driver.release();
        let source = kinlane_kernels::ceilings(self.language());
        let (adds, copies) = (self.driver.kernel(&source, "multiply_adds")?, self.driver.kernel(&source, "copies")?);
        let (size, groups) = crowd(self.driver.info());
        let n = (COPIED.min(self.driver.info().memory / 8) / 8) as usize / COPYING * COPYING;
        let (from, to) = (self.driver.memory(8 * n, "copies")?, self.driver.memory(8 * n, "copies")?);
        let (m, u) = (Argument::Memory, Argument::Count);
        let computing = self.best(|d| d.driver.launch(0, adds, groups, size, &[m(to), u(ROUNDS)]))?;
        let copying = self.best(|d| d.driver.launch(0, copies, n / COPYING, COPYING, &[m(from), m(to)]))?;
        self.driver.release();
        let flops = 2.0 * per_round(self.driver.info().api) * f64::from(ROUNDS) * (size * groups) as f64;
        Ok(Ceilings { flops: flops / computing, bytes: 16.0 * n as f64 / copying })
    }
}
