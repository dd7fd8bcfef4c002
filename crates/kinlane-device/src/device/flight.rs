//! A batch on its way: its cells are copied to the device, advanced in turns by the kernels of all stages, and copied
//! back, while another part of the batch is copied or advanced in a second queue.

use super::copies::{self, Arrived, Landing};
use super::setup::ROWS;
use super::{Device, groups};
use crate::DeviceError;
use crate::driver::{Argument, QUEUES};
use crate::log::Log;
use crate::memory::Needs;
use crate::supply::{Part, Supply};
use kinlane_kernels::{COUNTED, HEAD_OUT};
use kinlane_lanes::{Cells, Origin, PerMethod, Put, Signals};
use kinlane_plan::plan::NO_ELECTRON_T;
use kinlane_solve::gas::problem::Gas;
use kinlane_solve::options::OPENING;
use kinlane_solve::watch::Sought;
use std::cell::RefCell;
use std::sync::atomic::Ordering;
use std::time::Instant;

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

/// How far the cells of a queue have come.
#[derive(PartialEq)]
enum Course {
    /// No worker has anything to do.
    Ended,
    /// Workers have paused.
    UnderWay,
    /// No worker has anything to do although not all cells have been logged to their ends: the device is at fault.
    Lost,
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

impl Device {
    /// Advances cells of the supply until it is empty. `wish` says how many of the remaining cells to take, given how many fit
    /// and how many have arrived so far. Cells that did not arrive keep their entry state, with a status other than `Done`.
    /// Returns how many arrived in every stage.
    pub fn work(
        &mut self,
        supply: &Supply<'_>,
        journey: &Journey<'_>,
        wish: impl Fn(usize, usize, usize) -> usize,
        signals: Signals<'_>,
    ) -> Result<PerMethod<usize>, DeviceError> {
        let mut flying: Vec<Option<Flight<'_>>> = (0..QUEUES).map(|_| None).collect();
        let done = self.fly(&mut flying, supply, journey, wish, signals);
        if done.is_err() {
            let counted = flying.iter().flatten().map(|flight| flight.counted).sum();
            signals.progress.fetch_sub(counted, Ordering::Relaxed);
        }
        self.settled(done)
    }

    /// The outcome of a call. If that is an error, no copy may still be running when the host's memory is used, and the device
    /// gives up its memory: it may not be used again.
    pub(super) fn settled<T>(&mut self, done: Result<T, DeviceError>) -> Result<T, DeviceError> {
        if done.is_err() {
            self.lent = None;
            self.driver.release();
        }
        done
    }

    fn fly<'a>(
        &mut self,
        flying: &mut [Option<Flight<'a>>],
        supply: &Supply<'a>,
        journey: &Journey<'_>,
        wish: impl Fn(usize, usize, usize) -> usize,
        signals: Signals<'_>,
    ) -> Result<PerMethod<usize>, DeviceError> {
        self.kernels()?;
        let (mut arrived, mut all) = ([0; 4], 0);
        let cut = self.lent()?.cut;
        let fit = cut.cells;
        let mut more = true;
        for queue in (0..QUEUES).cycle() {
            let stopped = signals.stop.load(Ordering::Relaxed);
            if let Some(flight) = &mut flying[queue] {
                let course = self.wait(queue, flight, journey)?;
                if course == Course::UnderWay && !stopped {
                    let (busy, now) = self.counted(queue)?;
                    signals.progress.fetch_add(now, Ordering::Relaxed);
                    flight.counted += now;
                    let started = self.workers(flight.part.len())?;
                    self.set.turn = self.set.turn.next(flight.since.elapsed(), busy, started);
                    self.start(queue, flight)?;
                    continue;
                }
                // Of a batch that was stopped, whatever has arrived.
                let landed = match course {
                    Course::Lost => Arrived::default(),
                    _ => self.land(queue, &mut flight.part, journey.dt)?,
                };
                arrived.iter_mut().zip(landed.by).for_each(|(a, b)| *a += b);
                all += landed.all;
                // Some that the kernel has counted may have lost too much mass. It wraps around.
                signals.progress.fetch_add(landed.all.wrapping_sub(flight.counted), Ordering::Relaxed);
                flying[queue] = None;
            }
            let next = if more && !stopped { supply.take(|left| wish(left, fit, all).min(fit)) } else { None };
            if let Some(part) = next {
                let log =
                    journey.sought.map(|sought| Log::new(cut.workers, ROWS, self.plan.species, sought.events.len()));
                let flight = flying[queue].insert(Flight { part, log, since: Instant::now(), counted: 0 });
                self.depart(queue, flight, journey.dt)?;
                self.start(queue, flight)?;
            } else {
                more = false;
                if flying.iter().all(Option::is_none) {
                    break;
                }
            }
        }
        Ok(arrived)
    }

    /// How many workers a launch for so many cells has.
    fn workers(&self, cells: usize) -> Result<usize, DeviceError> {
        let (_, step) = self.group();
        Ok(groups(self.lent()?.cut.workers, cells, step) * step)
    }

    /// Copies cells to the device.
    fn depart(&mut self, queue: usize, flight: &Flight<'_>, dt: f64) -> Result<(), DeviceError> {
        let numbers = self.pack(queue, &flight.part.cells, dt)?;
        let l = self.lent()?.queues[queue];
        self.driver.upload(queue, l.host_in, l.input, numbers)?;
        // No cell has a verdict yet: those of earlier cells are not to be taken for theirs.
        self.driver.zero(queue, l.output, size_of::<f64>() * (copies::VERDICT + 1) * flight.part.len())?;
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
        self.set.turn = self.set.turn.among(self.workers(cells)?);
        let opening = flight.log.is_some() && !self.single.iterates();
        self.launch(queue, [cells, usize::from(sources)], self.set.turn.attempts, opening)?;
        let lent = self.lent()?;
        let (l, log) = (lent.queues[queue], lent.cut.workers * self.set.needs.log / 8);
        if log > 0 {
            self.driver.download(queue, l.kept, l.host_kept, log)?;
        }
        self.driver.download(queue, l.queue, l.host_counted, COUNTED)
    }

    /// Runs the kernels of all stages, one after the other, until all cells have ended or every worker has made `turn`
    /// attempts; for logged cells, as far as the logs have room. The next launch goes on from there. `opening`: whether cells
    /// begin with [`OPENING`] of their interval.
    ///
    /// Kernels stay within the memory that they are given. Which elements of an arena and of the tables a
    /// program visits does not depend on data, and the bounds-checked scalar machine has run the same
    /// programs over the same layout. In `input` and `output` a worker visits cells that the counter gave it,
    /// fewer than `cells`, for which the cut has room ([`Room`](crate::memory::Room)). And there are as many
    /// arenas as workers.
    pub(super) fn launch(
        &mut self,
        queue: usize,
        [cells, sources]: [usize; 2],
        turn: u32,
        opening: bool,
    ) -> Result<(), DeviceError> {
        let (size, step) = self.group();
        let lent = self.lent()?;
        let l = lent.queues[queue];
        let groups = groups(lent.cut.workers, cells, step);
        let o = &self.options;
        // Where cells do not go on from an earlier call, the first step is the interval at most; negative, it is a part of that.
        let own = match (self.set.continuing, opening) {
            (true, _) => kinlane_solve::record::FIRST,
            (false, true) => -OPENING,
            (false, false) => f64::MAX,
        };
        let h = o.first_step.unwrap_or(own);
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
            u(sources as u32),
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

    /// Waits for a queue, and reads what was logged.
    fn wait(&mut self, queue: usize, flight: &mut Flight<'_>, j: &Journey<'_>) -> Result<Course, DeviceError> {
        self.driver.finish(queue)?;
        let (paused, _) = self.counted(queue)?;
        let (Some(log), Some(sought)) = (&mut flight.log, &j.sought) else {
            return Ok(if paused > 0 { Course::UnderWay } else { Course::Ended });
        };
        let started = self.workers(flight.part.len())?;
        let Some(lent) = &self.lent else { return Err(self.without_memory()) };
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
            1.. => Course::UnderWay,
            0 if log.ended >= flight.part.len() => Course::Ended,
            0 => Course::Lost,
        })
    }

    /// How many workers have paused in the last launch, and how many cells have arrived in it.
    fn counted(&mut self, queue: usize) -> Result<(usize, usize), DeviceError> {
        let l = self.lent()?.queues[queue];
        let mut counts = [0; 2 * COUNTED];
        for (to, pair) in counts.chunks_exact_mut(2).zip(self.driver.host(l.host_counted)) {
            let [a, b, c, d, second @ ..] = pair.to_ne_bytes();
            to.copy_from_slice(&[[a, b, c, d], second].map(u32::from_ne_bytes));
        }
        let [paused @ .., arrived] = counts;
        // In stages after one that pauses all workers wait for it.
        let busy = paused.into_iter().find(|&workers| workers > 0).unwrap_or(0);
        Ok((busy as usize, arrived as usize))
    }

    /// Packs cells into the staging memory of a queue. Returns how many numbers that makes.
    pub(super) fn pack(&mut self, queue: usize, c: &Cells<'_>, dt: f64) -> Result<usize, DeviceError> {
        let l = self.lent()?.queues[queue];
        Ok(copies::pack(self.driver.host(l.host_in), c, dt, &mut self.crew))
    }

    /// Takes the cells of a queue back that have arrived.
    pub(super) fn land(&mut self, queue: usize, part: &mut Part<'_>, dt: f64) -> Result<Arrived, DeviceError> {
        let l = self.lent()?.queues[queue];
        let (n, k) = (part.len(), self.plan.species);
        let Needs { record, .. } = self.set.needs;
        self.driver.download(queue, l.output, l.host_out, (HEAD_OUT + k) * n)?;
        if record > 0 {
            self.driver.download(queue, l.kept, l.host_kept, record / 8 * n)?;
        }
        self.driver.finish(queue)?;
        let from = &self.driver.host(l.host_out)[..(HEAD_OUT + k) * n];
        let landing = Landing { from, k, dt, precision: self.settings.precision };
        let arrived = landing.land(part.cells.reborrow(), &mut self.crew);
        if record > 0 {
            copies::land_records(part, &self.driver.host(l.host_kept)[..record / 8 * n], &mut self.crew);
        }
        Ok(arrived)
    }
}
