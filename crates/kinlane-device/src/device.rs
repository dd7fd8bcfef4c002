//! One device, working on a supply of cells.

pub mod compiled;
mod copies;
pub mod roofline;
mod setup;
#[cfg(test)]
mod tests;
mod turn;

use crate::driver::{Argument, Driver, Memory, QUEUES, Staging};
use crate::list::{Api, Info, open};
use crate::log::Log;
use crate::memory::{Cut, HEAD_OUT, Needs, Room};
use crate::program::{COUNTED, COUNTERS, HELD, Kernel, LIST_HEAD, Language, Programs, Role};
use crate::supply::{Part, Supply};
use crate::{DeviceError, Settings};
use copies::{Arrived, Landing};
use kinlane_lanes::{Between, Cells, Crew, Origin, PerMethod, Points, Put, Signals, record};
use kinlane_plan::Plan;
use kinlane_plan::plan::NO_ELECTRON_T;
use kinlane_solve::Options;
use kinlane_solve::gas::problem::Gas;
use kinlane_solve::methods::Method;
use kinlane_solve::methods::auto::Choice;
use kinlane_solve::watch::Sought;
use setup::{Evaluation, ROWS, Ready, Setup, Stage, Suited, group};
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;
use turn::{FIRST_TURN, next_turn};

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
    /// Attempts that a worker makes before it pauses.
    turn: u32,
    lent: Option<Lent>,
}

/// Memory in use. Kernels know only the present batch: their strides follow from its numbers of cells and
/// workers, not from the room in the memory.
struct Lent {
    /// The cut of the present batch.
    cut: Cut,
    /// The size of the memory.
    room: Room,
    reals: Memory,
    indices: Memory,
    queues: Vec<Lane>,
}

/// The memory of one queue.
#[derive(Clone, Copy)]
struct Lane {
    arena: Memory,
    input: Memory,
    output: Memory,
    queue: Memory,
    lists: Memory,
    kept: Memory,
    host_in: Staging,
    host_out: Staging,
    host_kept: Staging,
    host_counted: Staging,
}

/// How far the cells of a queue have come.
enum Course {
    /// All have ended.
    Ended,
    /// Workers have paused.
    UnderWay,
    /// No worker has anything to do although not all cells have ended: the device is at fault.
    Lost,
}

/// Number of groups of `step` workers to start for so many cells.
fn groups(workers: usize, cells: usize, step: usize) -> usize {
    workers.min(cells.max(1)).div_ceil(step)
}

/// The cells that are under way in a queue.
struct Flight<'a> {
    part: Part<'a>,
    /// The log of their steps, if they are watched.
    log: Option<Log>,
    /// When the present launch was begun.
    since: Instant,
    /// Cells that have been counted as finished.
    counted: usize,
}

/// The interval, and what is to be recorded on the way.
#[derive(Clone, Copy)]
pub struct Journey<'a> {
    /// The interval of cells that have none of their own \[s\].
    pub dt: f64,
    /// What is to be recorded.
    pub sought: Option<Sought<'a>>,
    /// Whether cells go on from an earlier call.
    pub continuing: bool,
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
            turn: FIRST_TURN,
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
        match self.driver.info().api {
            Api::OpenCl => Language::OpenCl,
            Api::Cuda => Language::Cuda,
        }
    }

    fn programs(&self, stage: Stage) -> Programs<'_> {
        let Setup { mapping, near, .. } = self.set;
        Programs::new(&self.plan, &self.options, stage.method, stage.role, self.settings.precision)
            .mapped(mapping, near)
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

    /// The kernel `rates`, with or without the Jacobian, and memory for so many points.
    fn rates_kernel(&mut self, jacobian: bool, points: usize) -> Result<Ready, DeviceError> {
        let Evaluation { needs, kernel } = match self.set.rates[usize::from(jacobian)] {
            Some(known) => known,
            None => {
                let programs = self.programs(self.set.stages[0]);
                let (text, needs) = programs.rates(self.language(), self.set.mapping, jacobian);
                Evaluation { needs, kernel: self.ready(&text, "rates")? }
            }
        };
        self.set.rates[usize::from(jacobian)] = Some(Evaluation { needs, kernel });
        self.lend(&[kernel.number], needs, points)?;
        Ok(kernel)
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

    fn cut_for(&self, kernels: &[usize], needs: Needs, cells: usize) -> Result<Cut, DeviceError> {
        let (size, step) = self.group();
        let most = kernels.iter().map(|&k| self.driver.resident(k, size)).max();
        let resident = most.unwrap_or(size) / size * step;
        needs.cut(self.driver.info(), self.settings.memory, resident.max(step), step, cells)
    }

    /// Provides memory for a batch of `cells`; present memory is reused if it is large enough.
    fn lend(&mut self, kernels: &[usize], needs: Needs, cells: usize) -> Result<(), DeviceError> {
        let cut = self.cut_for(kernels, needs, cells)?;
        let room = needs.room(&cut, self.plan.species);
        let old = self.lent.as_mut().map(|l| {
            l.cut = cut;
            l.room
        });
        match old {
            Some(old) if old.holds(&room) => Ok(()),
            // Memory that served other batches and kernels is to serve them again, if there is room for both.
            Some(old) => {
                let info = self.driver.info();
                let bytes = self.limit();
                let fits = |r: &Room| r.fits(info, bytes, needs.tables);
                let both = [old.grown(&room), old.with(&room)].into_iter().find(fits).unwrap_or(room);
                match self.take(cut, both) {
                    Err(DeviceError::Memory { .. }) if both != room => self.take(cut, room),
                    other => other,
                }
            }
            None => self.take(cut, room),
        }
    }

    /// Allocates memory.
    fn take(&mut self, cut: Cut, room: Room) -> Result<(), DeviceError> {
        self.lent = None;
        self.driver.release();
        let plan = Arc::clone(&self.plan);
        let d = &mut self.driver;
        let reals: Vec<u8> = plan.tables.reals.iter().flat_map(|x| x.to_ne_bytes()).collect();
        let indices: Vec<u8> = plan.tables.indices.iter().flat_map(|x| x.to_ne_bytes()).collect();
        let mut table = |bytes: &[u8]| {
            let m = d.memory(bytes.len(), "tables")?;
            if !bytes.is_empty() {
                d.write(m, bytes)?;
            }
            Ok::<_, DeviceError>(m)
        };
        let (reals, indices) = (table(&reals)?, table(&indices)?);
        let queues = (0..QUEUES)
            .map(|_| {
                Ok(Lane {
                    arena: d.memory(room.arena, "work space")?,
                    input: d.memory(room.input, "cells")?,
                    output: d.memory(room.output, "cells")?,
                    queue: d.memory(room.queue, "the queue")?,
                    lists: d.memory(room.lists, "lists of cells")?,
                    kept: d.memory(room.kept, "cells under way")?,
                    host_in: d.staging(room.input / 8)?,
                    host_out: d.staging(room.output / 8)?,
                    host_kept: d.staging(room.host_kept / 8)?,
                    host_counted: d.staging(COUNTED)?,
                })
            })
            .collect::<Result<_, DeviceError>>()?;
        self.lent = Some(Lent { cut, room, reals, indices, queues });
        Ok(())
    }

    /// Does all that must be done before the clock starts: compilation, allocation, and a first empty launch
    /// (some drivers compile only then).
    pub fn prepare(&mut self, cells: usize, continuing: bool) -> Result<(), DeviceError> {
        self.suit(cells, continuing);
        let kernels = self.kernels()?;
        self.lend(&kernels, self.set.needs, cells)?;
        if !self.set.warm {
            self.clear(0)?;
            self.launch(0, 0, false, 1)?;
            self.driver.finish(0)?;
            self.set.warm = true;
        }
        Ok(())
    }

    /// The memory in use. There is some wherever this is called; a mistake that changes that is not to look like success.
    fn lent(&self) -> Result<&Lent, DeviceError> {
        self.lent.as_ref().ok_or_else(|| self.without_memory())
    }

    fn without_memory(&self) -> DeviceError {
        DeviceError::Lost {
            device: self.info().id(),
            what: "working without memory",
            code: "a mistake in kinlane".into(),
        }
    }

    /// Empties the lists, and takes the cells from all workers.
    fn clear(&mut self, queue: usize) -> Result<(), DeviceError> {
        let lent = self.lent()?;
        let (l, workers) = (lent.queues[queue], lent.cut.workers);
        self.driver.zero(queue, l.queue, COUNTERS + HELD * workers)?;
        self.driver.zero(queue, l.lists, LIST_HEAD)
    }

    /// Runs the kernels of all stages, one after the other, until all cells have ended or every worker has made `turn`
    /// attempts; for logged cells, as far as the logs have room. The next launch goes on from there.
    ///
    /// Kernels stay within the memory that they are given. Which elements of an arena and of the tables a
    /// program visits does not depend on data, and the bounds-checked scalar machine has run the same
    /// programs over the same layout. In `input` and `output` a worker visits cells that the counter gave it,
    /// fewer than `cells`, for which the cut has room ([`Room`](crate::memory::Room)). And there are as many
    /// arenas as workers.
    fn launch(&mut self, queue: usize, cells: usize, sources: bool, turn: u32) -> Result<(), DeviceError> {
        let (size, step) = self.group();
        let lent = self.lent()?;
        let l = lent.queues[queue];
        let groups = groups(lent.cut.workers, cells, step);
        let o = &self.options;
        // Where cells do not go on from an earlier call, the first step is the interval at most.
        let h = o.first_step.unwrap_or(if self.set.continuing { record::FIRST } else { f64::MAX });
        let (m, u, x) = (Argument::Memory, Argument::Count, Argument::Number);
        let mut arguments = [
            m(l.arena),
            m(lent.reals),
            m(lent.indices),
            m(l.input),
            m(l.output),
            m(l.queue),
            m(l.lists),
            m(l.kept),
            u(cells as u32),
            u(u32::from(sources)),
            u(turn),
            x(h),
            x(o.rtol),
            x(o.atol),
            x(f64::from(o.max_steps)),
            Argument::Shared(0),
        ];
        self.driver.zero(queue, l.queue, 8 * COUNTED)?;
        for kernel in self.set.stages.iter().filter_map(|s| s.kernel) {
            arguments[arguments.len() - 1] = Argument::Shared(kernel.shared);
            self.driver.launch(queue, kernel.number, groups, size, &arguments)?;
        }
        Ok(())
    }

    /// Advances cells of the supply until it is empty. `wish` says how many of the remaining cells to take,
    /// given how many fit. Cells that did not arrive keep their entry state, with a status other than `Done`.
    /// Returns how many arrived in every stage.
    pub fn work(
        &mut self,
        supply: &Supply<'_>,
        journey: &Journey<'_>,
        wish: impl Fn(usize, usize) -> usize,
        signals: Signals<'_>,
    ) -> Result<PerMethod<usize>, DeviceError> {
        let done = self.fly(supply, journey, wish, signals);
        self.settled(done)
    }

    /// The outcome of a call. If that is an error, no copy may still be running when the host's memory is used or released.
    fn settled<T>(&mut self, done: Result<T, DeviceError>) -> Result<T, DeviceError> {
        if done.is_err() {
            for queue in 0..QUEUES {
                let _ = self.driver.finish(queue);
            }
            self.lent = None;
        }
        done
    }

    fn fly<'a>(
        &mut self,
        supply: &Supply<'a>,
        journey: &Journey<'_>,
        wish: impl Fn(usize, usize) -> usize,
        signals: Signals<'_>,
    ) -> Result<PerMethod<usize>, DeviceError> {
        self.kernels()?;
        let mut arrived = [0; 4];
        let cut = self.lent()?.cut;
        let fit = cut.cells;
        let mut flying: Vec<Option<Flight<'a>>> = (0..QUEUES).map(|_| None).collect();
        let mut more = true;
        for queue in (0..QUEUES).cycle() {
            let stopped = signals.stop.load(Ordering::Relaxed);
            if let Some(mut flight) = flying[queue].take() {
                match self.wait(queue, &mut flight, journey)? {
                    Course::UnderWay if !stopped => {
                        let (_, now) = self.counted(queue)?;
                        signals.progress.fetch_add(now, Ordering::Relaxed);
                        flight.counted += now;
                        self.turn = next_turn(self.turn, flight.since.elapsed());
                        self.start(queue, &mut flight)?;
                        flying[queue] = Some(flight);
                        continue;
                    }
                    // The output of cells that have not arrived still holds that of earlier cells.
                    Course::UnderWay | Course::Lost => {
                        signals.progress.fetch_sub(flight.counted, Ordering::Relaxed);
                    }
                    Course::Ended => {
                        let landed = self.land(queue, &mut flight.part, journey.dt)?;
                        arrived.iter_mut().zip(landed.by).for_each(|(a, b)| *a += b);
                        // Some that the kernel has counted may have lost too much mass. It wraps around.
                        signals.progress.fetch_add(landed.all.wrapping_sub(flight.counted), Ordering::Relaxed);
                    }
                }
            }
            let next = if more && !stopped { supply.take(|left| wish(left, fit).min(fit)) } else { None };
            if let Some(part) = next {
                let log =
                    journey.sought.map(|sought| Log::new(cut.workers, ROWS, self.plan.species, sought.events.len()));
                let mut flight = Flight { part, log, since: Instant::now(), counted: 0 };
                self.depart(queue, &flight, journey.dt)?;
                self.start(queue, &mut flight)?;
                flying[queue] = Some(flight);
            } else {
                more = false;
                if flying.iter().all(Option::is_none) {
                    break;
                }
            }
        }
        Ok(arrived)
    }

    /// Copies cells to the device.
    fn depart(&mut self, queue: usize, flight: &Flight<'_>, dt: f64) -> Result<(), DeviceError> {
        let numbers = self.pack(queue, &flight.part.cells, dt)?;
        let l = self.lent()?.queues[queue];
        self.driver.upload(queue, l.host_in, l.input, numbers)?;
        if self.set.continuing {
            let numbers = copies::pack_records(self.driver.host(l.host_kept), &flight.part, &mut self.crew);
            self.driver.upload(queue, l.host_kept, l.kept, numbers)?;
        }
        self.clear(queue)
    }

    /// Starts the work on cells that have been copied, or goes on with it.
    fn start(&mut self, queue: usize, flight: &mut Flight<'_>) -> Result<(), DeviceError> {
        let (cells, sources) = (flight.part.len(), flight.part.cells.source.is_some());
        flight.since = Instant::now();
        self.launch(queue, cells, sources, self.turn)?;
        let lent = self.lent()?;
        let (l, log) = (lent.queues[queue], lent.cut.workers * self.set.needs.log / 8);
        self.driver.download(queue, l.queue, l.host_counted, COUNTED)?;
        match log {
            0 => self.driver.download(queue, l.output, l.host_out, (HEAD_OUT + self.plan.species) * cells),
            log => self.driver.download(queue, l.kept, l.host_kept, log),
        }
    }

    /// Waits for a queue, and reads what was logged.
    fn wait(&mut self, queue: usize, flight: &mut Flight<'_>, j: &Journey<'_>) -> Result<Course, DeviceError> {
        self.driver.finish(queue)?;
        let (_, step) = self.group();
        let (paused, _) = self.counted(queue)?;
        let (Some(log), Some(sought)) = (&mut flight.log, &j.sought) else {
            return Ok(if paused { Course::UnderWay } else { Course::Ended });
        };
        let Some(lent) = &self.lent else { return Err(self.without_memory()) };
        let started = groups(lent.cut.workers, flight.part.len(), step) * step;
        let host = self.driver.host(lent.queues[queue].host_kept);
        let (gas, between) = (Gas::new(&self.plan, self.options.reactor), RefCell::new(self.between.as_mut()));
        let (electron, source) = (flight.part.cells.electron_temperature, flight.part.cells.source);
        let after = |cell: usize, parameter: f64, y: &dyn Fn(usize) -> f64, times: &[f64], to: &mut [f64]| {
            let (acting, n) = (&self.plan.cell, self.plan.species);
            let load = |put: &mut Put<'_>| {
                put(acting.parameter, 0, parameter);
                put(acting.electron, 0, electron.map_or(NO_ELECTRON_T, |e| e[cell]));
                put(acting.heating, 0, source.map_or(0.0, |s| s.heating[cell]));
                gas.source(|k| source.map_or(0.0, |s| s.dydt[cell * n + k]), |k, x| put(acting.source, k, x));
            };
            match between.borrow_mut().as_mut() {
                Some(between) => between.advance(Origin { load: &load, y }, times, to),
                None => to.fill(f64::NAN),
            }
        };
        log.read(host, started, sought, self.options.reactor, &after, &mut flight.part);
        Ok(match paused {
            true => Course::UnderWay,
            false if log.ended >= flight.part.len() => Course::Ended,
            false => Course::Lost,
        })
    }

    /// Whether workers have paused in the last launch, and how many cells have arrived in it.
    fn counted(&mut self, queue: usize) -> Result<(bool, usize), DeviceError> {
        let l = self.lent()?.queues[queue];
        let mut counts = [0; 2 * COUNTED];
        for (to, pair) in counts.chunks_exact_mut(2).zip(self.driver.host(l.host_counted)) {
            let [a, b, c, d, second @ ..] = pair.to_ne_bytes();
            to.copy_from_slice(&[[a, b, c, d], second].map(u32::from_ne_bytes));
        }
        let [paused @ .., arrived] = counts;
        Ok((paused.iter().any(|&workers| workers > 0), arrived as usize))
    }

    /// Packs cells into the staging memory of a queue. Returns how many numbers that makes.
    fn pack(&mut self, queue: usize, c: &Cells<'_>, dt: f64) -> Result<usize, DeviceError> {
        let l = self.lent()?.queues[queue];
        Ok(copies::pack(self.driver.host(l.host_in), c, dt, &mut self.crew))
    }

    /// Takes the cells of a finished queue back.
    fn land(&mut self, queue: usize, part: &mut Part<'_>, dt: f64) -> Result<Arrived, DeviceError> {
        let l = self.lent()?.queues[queue];
        let (n, k) = (part.len(), self.plan.species);
        let Needs { log, record, .. } = self.set.needs;
        if log > 0 {
            // What has been copied so far is the log.
            self.driver.download(queue, l.output, l.host_out, (HEAD_OUT + k) * n)?;
        }
        if record > 0 {
            self.driver.download(queue, l.kept, l.host_kept, record / 8 * n)?;
        }
        if log + record > 0 {
            self.driver.finish(queue)?;
        }
        let from = &self.driver.host(l.host_out)[..(HEAD_OUT + k) * n];
        let landing = Landing { from, k, dt, precision: self.settings.precision };
        let arrived = landing.land(part.cells.reborrow(), &mut self.crew);
        if record > 0 {
            copies::land_records(part, &self.driver.host(l.host_kept)[..record / 8 * n], &mut self.crew);
        }
        Ok(arrived)
    }

    /// Net production rates, and Jacobians if asked for, cell-major, at points that have been checked.
    pub fn rates(&mut self, at: Points<'_>, wdot: &mut [f64], jac: Option<&mut [f64]>) -> Result<(), DeviceError> {
        let done = self.evaluate(at, wdot, jac);
        self.settled(done)
    }

    fn evaluate(&mut self, at: Points<'_>, wdot: &mut [f64], mut jac: Option<&mut [f64]>) -> Result<(), DeviceError> {
        let (k, all) = (self.plan.species, at.temperature.len());
        self.suit(all, false);
        let kernel = self.rates_kernel(jac.is_some(), all)?;
        let entries = jac.as_ref().map_or(0, |_| self.plan.jacobian.values.len as usize);
        let (cut, l) = (self.lent()?.cut, self.lent()?.queues[0]);
        for lo in (0..all).step_by(cut.cells) {
            let n = cut.cells.min(all - lo);
            self.upload_gas(at.part(lo..lo + n, k))?;
            self.launch_rates(kernel, n)?;
            self.driver.download(0, l.output, l.host_out, (k + entries) * n)?;
            self.driver.finish(0)?;
            let (rates, values) = self.driver.host(l.host_out)[..(k + entries) * n].split_at(k * n);
            copies::copy(&mut wdot[lo * k..(lo + n) * k], rates, &mut self.crew);
            if let Some(jac) = jac.as_deref_mut() {
                let size = (k + 1) * (k + 1);
                copies::jacobians(&mut jac[lo * size..(lo + n) * size], &self.plan, values, &mut self.crew);
            }
        }
        Ok(())
    }

    /// Copies states to the device.
    fn upload_gas(&mut self, at: Points<'_>) -> Result<(), DeviceError> {
        let l = self.lent()?.queues[0];
        let numbers = copies::pack_points(self.driver.host(l.host_in), at, &mut self.crew);
        self.driver.upload(0, l.host_in, l.input, numbers)
    }

    /// Starts the kernel `rates` on states that have been copied.
    fn launch_rates(&mut self, kernel: Ready, n: usize) -> Result<(), DeviceError> {
        let (size, step) = self.group();
        let lent = self.lent()?;
        let (l, m) = (lent.queues[0], Argument::Memory);
        let (groups, n) = (groups(lent.cut.workers, n, step), Argument::Count(n as u32));
        let shared = Argument::Shared(kernel.shared);
        let arguments = [m(l.arena), m(lent.reals), m(lent.indices), m(l.input), m(l.output), n, shared];
        self.driver.launch(0, kernel.number, groups, size, &arguments)
    }
}
