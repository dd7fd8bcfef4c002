//! One device, working on a supply of cells.

pub mod compiled;
mod copies;
mod evaluate;
mod flight;
mod lent;
pub mod roofline;
mod setup;
#[cfg(test)]
mod tests;
mod turn;

use crate::driver::Driver;
use crate::list::{Api, Info, open};
use crate::memory::{Cut, Needs};
use crate::{DeviceError, Settings};
pub use flight::Journey;
use kinlane_kernels::{Kernel, Language, Programs, Role};
use kinlane_lanes::{Between, Crew};
use kinlane_plan::Plan;
use kinlane_solve::Options;
use kinlane_solve::methods::Method;
use kinlane_solve::methods::auto::Choice;
use lent::Lent;
use setup::{ROWS, Ready, Setup, Stage, Suited, group};
use std::sync::Arc;

/// A device, with what was compiled for one plan and its methods, and the memory of the last batch.
pub struct Device {
    driver: Box<dyn Driver>,
    plan: Arc<Plan>,
    options: Options,
    /// The stages of a batch, in order.
    stages: Vec<(&'static Method, Role)>,
    /// The method of cells that go on from call to call.
    single: &'static Method,
    settings: Settings,
    /// Threads of the host that copy cells.
    crew: Crew,
    suited: Suited,
    /// For states within steps, where cells are watched.
    between: Option<Between>,
    /// The setup for the present batch.
    set: Setup,
    /// Setups for other batches.
    others: Vec<Setup>,
    /// Bytes per worker with the mapping that is considered first.
    worker: usize,
    lent: Option<Lent>,
}

/// Number of groups of `step` workers to start for so many cells.
fn groups(workers: usize, cells: usize, step: usize) -> usize {
    workers.min(cells.max(1)).div_ceil(step)
}

impl Device {
    /// Opens a device for a plan and a method, or for several methods to choose from; compiles nothing yet.
    /// `threads` is the number of host threads that copy cells.
    pub fn new(
        (api, index): (Api, usize),
        plan: &Arc<Plan>,
        options: &Options,
        (method, choice): (&'static Method, Option<Choice>),
        settings: &Settings,
        threads: usize,
    ) -> Result<Self, DeviceError> {
        Ok(Self::under(open(api, index)?, plan, options, (method, choice), settings, threads))
    }

    /// The same with an open driver.
    fn under(
        driver: Box<dyn Driver>,
        plan: &Arc<Plan>,
        options: &Options,
        (method, choice): (&'static Method, Option<Choice>),
        settings: &Settings,
        threads: usize,
    ) -> Self {
        let alone = if options.watched { Role::Logged(ROWS) } else { Role::All };
        let stages = choice.map_or_else(|| vec![(method, alone)], |c| Role::relay(&c));
        let suited = Suited::new(driver.info(), plan, settings.mapping);
        let set = Setup::new(&*driver, plan, options, &stages, settings, suited.first());
        let mut device = Self {
            plan: Arc::clone(plan),
            options: options.clone(),
            stages,
            single: method,
            settings: settings.clone(),
            crew: Crew::new(threads.saturating_sub(1)),
            suited,
            between: options.watched.then(|| Between::new(plan, options)),
            worker: set.needs.per_worker(),
            set,
            others: Vec::new(),
            lent: None,
            driver,
        };
        device.suit(usize::MAX / 2, false);
        device
    }

    /// Bytes of device memory that a batch may use.
    fn limit(&self) -> u64 {
        self.settings.memory.unwrap_or_else(|| Needs::usable(self.driver.info()))
    }

    /// Switches to the mapping that suits a batch of `cells`, which may be `continuing` from an earlier call.
    fn suit(&mut self, cells: usize, continuing: bool) {
        let mapping = self.suited.choose(self.driver.info(), cells, self.worker, self.limit());
        let suits = |s: &Setup| (s.mapping, s.continuing) == (mapping, continuing);
        if suits(&self.set) {
            return;
        }
        let known = self.others.iter().position(suits);
        let set = known.map(|i| self.others.swap_remove(i)).unwrap_or_else(|| {
            let alone = [(self.single, Role::Continuing)];
            let stages = if continuing { &alone[..] } else { &self.stages };
            Setup::new(&*self.driver, &self.plan, &self.options, stages, &self.settings, mapping)
        });
        self.others.push(std::mem::replace(&mut self.set, set));
    }

    /// Description of the device.
    pub fn info(&self) -> &Info {
        self.driver.info()
    }

    /// What memory is needed for.
    pub fn needs(&self) -> Needs {
        self.set.needs
    }

    fn group(&self) -> (usize, usize) {
        group(self.driver.info(), self.set.mapping)
    }

    fn language(&self) -> Language {
        self.driver.info().api.language()
    }

    fn programs(&self, stage: Stage) -> Programs<'_> {
        let Setup { mapping, near, .. } = self.set;
        Programs::new(&self.plan, &self.options, stage.method, stage.role, self.settings.precision).mapped(
            self.language(),
            mapping,
            near,
        )
    }

    /// The kernels of all stages.
    fn kernels(&mut self) -> Result<Vec<usize>, DeviceError> {
        let mut kernels = Vec::new();
        for i in 0..self.set.stages.len() {
            let stage = self.set.stages[i];
            let kernel = match stage.kernel {
                Some(k) => k,
                None => {
                    let text = self.programs(stage).advance(self.language(), self.set.mapping);
                    self.ready(&text, "advance")?
                }
            };
            self.set.stages[i].kernel = Some(kernel);
            kernels.push(kernel.number);
        }
        Ok(kernels)
    }

    fn ready(&mut self, text: &Kernel, name: &'static str) -> Result<Ready, DeviceError> {
        Ok(Ready { number: self.driver.kernel(&text.source, name)?, shared: text.shared })
    }

    /// How a batch of `cells` would be cut.
    pub fn cut(&mut self, cells: usize) -> Result<Cut, DeviceError> {
        self.suit(cells, false);
        let kernels = self.kernels()?;
        self.cut_for(&kernels, self.set.needs, cells)
    }

    /// Does all that must be done before the clock starts: compilation, allocation, and a first empty launch
    /// (some drivers compile only then).
    pub fn prepare(&mut self, cells: usize, continuing: bool) -> Result<(), DeviceError> {
        let done = self.warm_up(cells, continuing);
        self.settled(done)
    }

    fn warm_up(&mut self, cells: usize, continuing: bool) -> Result<(), DeviceError> {
        self.suit(cells, continuing);
        let kernels = self.kernels()?;
        self.lend(&kernels, self.set.needs, cells)?;
        if !self.set.warm {
            self.clear(0)?;
            self.launch(0, [0, 0], 1, false)?;
            self.driver.finish(0)?;
            self.set.warm = true;
        }
        Ok(())
    }
}
