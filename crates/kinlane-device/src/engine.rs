//! The batch interface: devices, with the CPU for cells that they cannot finish.

use crate::device::{Device, Journey};
use crate::supply::{Part, Supply};
use crate::{Api, Compiled, Cut, DeviceError, Info, Needs, Roofline};
use cpu_time::ProcessTime;
use kinlane_lanes::{
    Cells, Continuation, Engine, EngineError, Layout, NoSignals, OwnedCells, PerMethod, Points, Signals, Totals, Watch,
    check_watch, put_rows, rows, turned,
};
use kinlane_plan::{Plan, Precision};
use kinlane_solve::methods::Method;
use kinlane_solve::methods::auto::{self, Choice};
use kinlane_solve::watch::Sought;
use kinlane_solve::{Options, Outcome, Status};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

/// How cells are to be mapped to threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MappingWish {
    /// As suits the device and the mechanism.
    #[default]
    Auto,
    /// One cell per thread.
    Thread,
    /// The same, with loops written out: slower to compile, faster to run. Small mechanisms are always mapped
    /// so.
    Unrolled,
    /// One cell per group of threads that run in step, or per several such groups.
    Group,
    /// One cell per part of such a group: on CUDA; on OpenCL as [`Self::Group`].
    Part,
}

impl MappingWish {
    /// All that there are.
    pub const ALL: [Self; 5] = [Self::Auto, Self::Thread, Self::Unrolled, Self::Group, Self::Part];

    /// Its name, as `--mapping` takes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Thread => "thread",
            Self::Unrolled => "unrolled",
            Self::Group => "group",
            Self::Part => "part",
        }
    }
}

/// How to use devices.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Settings {
    /// Most bytes of a device's memory to use; by default four fifths of it.
    pub memory: Option<u64>,
    /// How cells are mapped to threads.
    pub mapping: MappingWish,
    /// The precision in which devices compute.
    pub precision: Precision,
    /// Whether the CPU's lanes take cells, too.
    pub lanes: bool,
    /// Whether the devices are to be tried one after the other, and the CPU takes over if none works.
    pub fallback: bool,
}

/// Advances batches of one mechanism on devices.
pub struct DeviceEngine {
    devices: Vec<Device>,
    /// Those that are still to be tried, the next one last.
    spare: Vec<(Api, usize)>,
    /// Whether another device than before has been opened, and nobody has asked.
    reopened: bool,
    opener: Opener,
    cpu: Engine,
    species: usize,
    settings: Settings,
    failure: Option<DeviceError>,
    rescued: usize,
    /// The process that has opened the devices.
    process: u32,
}

/// What devices are opened for.
struct Opener {
    plan: Arc<Plan>,
    options: Options,
    method: &'static Method,
    choice: Option<Choice>,
    /// Threads of the host for each device.
    threads: usize,
}

impl Opener {
    fn open(&self, device: (Api, usize), settings: &Settings) -> Result<Device, DeviceError> {
        Device::new(device, &self.plan, &self.options, (self.method, self.choice), settings, self.threads)
    }
}

impl std::fmt::Debug for DeviceEngine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DeviceEngine")
            .field("devices", &self.infos())
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

/// How fast a device or the CPU has been, among those that take cells from a supply.
#[derive(Default)]
struct Pace {
    cells: AtomicUsize,
    micros: AtomicUsize,
}

impl Pace {
    fn rate(&self) -> Option<f64> {
        let (cells, micros) = (self.cells.load(Ordering::Relaxed), self.micros.load(Ordering::Relaxed));
        (cells > 0 && micros > 0).then(|| cells as f64 / micros as f64)
    }

    fn set(&self, cells: usize, start: Instant) {
        self.cells.store(cells, Ordering::Relaxed);
        self.micros.store(start.elapsed().as_micros() as usize, Ordering::Relaxed);
    }
}

/// Least number of cells per lane that are taken at a time, so that lanes stay full.
const PER_LANE: usize = 8;

impl DeviceEngine {
    /// Opens devices; with [`Settings::fallback`] the first of them that can be. Kernels are compiled by
    /// [`DeviceEngine::prepare`].
    ///
    /// # Errors
    /// Any except those of a batch.
    pub fn new(
        plan: &Arc<Plan>,
        options: &Options,
        threads: usize,
        devices: &[(Api, usize)],
        settings: Settings,
    ) -> Result<Self, DeviceError> {
        let name = options.method.as_deref();
        let unknown = || EngineError::UnknownMethod { name: name.unwrap_or_default().to_owned() };
        let method = auto::method(name, plan).ok_or_else(unknown)?;
        // What a device cannot finish, the CPU advances with the same methods; watched cells have a single
        // method.
        let own = options.watched.then(|| method.name.to_owned()).or_else(|| options.method.clone());
        let cpu = Engine::new(Arc::clone(plan), Options { method: own, ..options.clone() }, threads)?;
        // Steps are recorded by a single kernel.
        let choice = Choice::new(options, plan).filter(|_| !options.watched);
        // Devices copy their cells at the same time.
        let together = if settings.fallback { 1 } else { devices.len().max(1) };
        let threads = (cpu.threads() / together).max(1);
        let opener = Opener { plan: Arc::clone(plan), options: options.clone(), method, choice, threads };
        let mut engine = Self {
            devices: Vec::new(),
            spare: Vec::new(),
            reopened: false,
            opener,
            cpu,
            species: plan.species,
            settings,
            failure: None,
            rescued: 0,
            process: std::process::id(),
        };
        if engine.settings.fallback {
            engine.spare = devices.iter().rev().copied().collect();
            let mut why = None;
            if let (false, Some(why)) = (engine.open_next(&mut why), why) {
                return Err(why);
            }
        } else {
            let open = |&d: &(Api, usize)| engine.opener.open(d, &engine.settings);
            engine.devices = devices.iter().map(open).collect::<Result<_, _>>()?;
        }
        engine.reopened = false;
        Ok(engine)
    }

    /// Opens the next device that can be, in the place of those before; returns whether there is one. `why` gets the first reason
    /// against one, unless it has one already.
    fn open_next(&mut self, why: &mut Option<DeviceError>) -> bool {
        while let Some(next) = self.spare.pop() {
            match self.opener.open(next, &self.settings) {
                Ok(device) => {
                    (self.devices, self.reopened) = (vec![device], true);
                    return true;
                }
                Err(e) => drop(why.get_or_insert(e)),
            }
        }
        false
    }

    /// Whether another device is in use than before, since this was last asked.
    pub fn reopened(&mut self) -> bool {
        std::mem::take(&mut self.reopened)
    }

    /// Whether this is a child of the process that has opened the devices: drivers do not work there, and wait for ever.
    fn is_forked(&self) -> bool {
        self.process != std::process::id()
    }

    fn forked(&self) -> DeviceError {
        DeviceError::Forked { device: self.infos().first().map_or_else(String::new, ToString::to_string) }
    }

    /// Descriptions of the devices.
    pub fn infos(&self) -> Vec<&Info> {
        self.devices.iter().map(Device::info).collect()
    }

    /// Whether the CPU's lanes take cells, too.
    pub fn with_lanes(&self) -> bool {
        self.settings.lanes
    }

    /// The precision in which devices compute; the CPU, which helps where they fail, computes in double
    /// precision.
    pub fn precision(&self) -> Precision {
        self.settings.precision
    }

    /// Number of cells of the last batch that devices had not finished, and that the CPU advanced.
    pub fn rescued(&self) -> usize {
        self.rescued
    }

    /// What the memory of the devices is needed for.
    pub fn needs(&self) -> Vec<Needs> {
        self.devices.iter().map(Device::needs).collect()
    }

    /// How every device would cut a batch of `cells`; compiles its kernel.
    ///
    /// # Errors
    /// As [`DeviceEngine::prepare`].
    pub fn cuts(&mut self, cells: usize) -> Result<Vec<Cut>, DeviceError> {
        if self.is_forked() {
            return Err(self.forked());
        }
        if self.species == 0 {
            return Ok(Vec::new());
        }
        self.devices.iter_mut().map(|d| d.cut(cells)).collect()
    }

    /// The CPU's engine, which finishes what devices cannot.
    pub fn cpu(&self) -> &Engine {
        &self.cpu
    }

    /// Why the CPU took over, if it did; the devices are not used again.
    pub fn failure(&self) -> Option<&DeviceError> {
        self.failure.as_ref()
    }

    /// As [`DeviceEngine::cpu`].
    pub fn cpu_mut(&mut self) -> &mut Engine {
        &mut self.cpu
    }

    /// Compiles, and allocates memory for a batch of `cells`, so that [`DeviceEngine::advance`] does neither.
    ///
    /// # Errors
    /// [`DeviceError::Compile`], [`DeviceError::NoCompiler`], [`DeviceError::Memory`], [`DeviceError::Lost`].
    pub fn prepare(&mut self, cells: usize) -> Result<(), DeviceError> {
        self.ready(cells, false)
    }

    /// As [`DeviceEngine::prepare`], for [`DeviceEngine::advance_continuing`].
    ///
    /// # Errors
    /// As [`DeviceEngine::prepare`].
    pub fn prepare_continuing(&mut self, cells: usize) -> Result<(), DeviceError> {
        self.ready(cells, true)
    }

    fn ready(&mut self, cells: usize, continuing: bool) -> Result<(), DeviceError> {
        let mut why = None;
        while self.works() {
            let prepared = self.devices.iter_mut().try_for_each(|d| d.prepare(cells, continuing));
            match prepared {
                Err(e) if self.forgives(&e) => why = why.or(Some(e)),
                other => return other,
            }
            // What ails a card in CUDA may not do so in OpenCL.
            if !self.open_next(&mut why) {
                self.failure = why.take();
            }
        }
        Ok(())
    }

    /// Whether the devices work, as far as is known. Cells without species, which nothing changes, are left to the CPU.
    fn works(&mut self) -> bool {
        if self.failure.is_none() && self.is_forked() {
            self.failure = Some(self.forked());
        }
        self.failure.is_none() && self.species > 0
    }

    /// Whether the CPU may take over after this.
    fn forgives(&self, e: &DeviceError) -> bool {
        self.settings.fallback && !matches!(e, DeviceError::Engine(_))
    }

    /// Keeps a device's failure for later, if the CPU is to take over.
    fn forgive(&mut self, done: Result<(), DeviceError>) -> Result<(), DeviceError> {
        match done {
            Err(e) if self.forgives(&e) => {
                self.failure = Some(e);
                Ok(())
            }
            other => other,
        }
    }

    /// As [`Engine::advance`]. The bits of a cell are those of the lanes if the device's arithmetic follows
    /// the standard, as it does on all known devices.
    ///
    /// # Errors
    /// [`DeviceError::Engine`] before any cell is touched. Otherwise a device has failed: cells whose outcome
    /// is `Done` have been advanced, the others are as they were.
    pub fn advance(&mut self, cells: Cells<'_>, dt: f64, signals: Signals<'_>) -> Result<Totals, DeviceError> {
        self.run(Part::new(cells), &Journey { dt, sought: None, continuing: false }, signals)
    }

    /// As [`Engine::advance_continuing`]. The continuation is one of [`DeviceEngine::cpu`]; it can go on there, and
    /// the other way round. Devices must compute in double precision.
    ///
    /// # Errors
    /// As [`DeviceEngine::advance`] and [`Engine::advance_continuing`]; [`DeviceError::Reduced`].
    pub fn advance_continuing(
        &mut self,
        cells: Cells<'_>,
        continuation: &mut Continuation,
        dt: f64,
        signals: Signals<'_>,
    ) -> Result<Totals, DeviceError> {
        self.cpu.check_continuation(continuation, cells.temperature.len())?;
        if self.settings.precision != Precision::F64 {
            return Err(DeviceError::Reduced { precision: self.settings.precision.name() });
        }
        let part = Part { records: continuation.records_mut(), ..Part::new(cells) };
        self.run(part, &Journey { dt, sought: None, continuing: true }, signals)
    }

    /// As [`Engine::advance_watched`], for cells without histories.
    ///
    /// # Errors
    /// As [`DeviceEngine::advance`].
    pub fn advance_watched(
        &mut self,
        cells: Cells<'_>,
        watch: &mut Watch<'_>,
        dt: f64,
        signals: Signals<'_>,
    ) -> Result<Totals, DeviceError> {
        if !self.cpu.options().watched {
            return Err(EngineError::NotWatched.into());
        }
        let plan = self.cpu.plan();
        cells.check(plan, dt)?;
        check_watch(watch, cells.temperature.len(), plan.species, cells.longest(dt))?;
        let (molar_mass, own) = (plan.molar_mass.clone(), plan.own_tolerances.clone());
        let &Options { rtol, atol, .. } = self.cpu.options();
        let sought =
            Sought { times: watch.times, events: watch.events, molar_mass: &molar_mass, rtol, atol, own: &own };
        let part = Part { series: watch.series, found: watch.found, ..Part::new(cells) };
        self.run(part, &Journey { dt, sought: Some(sought), continuing: false }, signals)
    }

    fn run(&mut self, part: Part<'_>, journey: &Journey<'_>, signals: Signals<'_>) -> Result<Totals, DeviceError> {
        let Part { mut cells, series, found, records } = part;
        let dt = journey.dt;
        cells.check(self.cpu.plan(), dt)?;
        if cells.factors.is_some() {
            return Err(EngineError::NoFactors.into());
        }
        let n = cells.temperature.len();
        if cells.layout == Layout::SpeciesMajor && n > 0 {
            let all: Vec<usize> = (0..n).collect();
            let mut own = OwnedCells::some(&cells, self.species, &all);
            let totals = self.run(Part { cells: own.lend(), series, found, records }, journey, signals);
            own.put_back(&mut cells, self.species, &all);
            return totals;
        }
        let start = ProcessTime::now();
        self.rescued = 0;
        cells.outcome.fill(Outcome { status: Status::Cancelled, ..Outcome::default() });
        self.ready(n, journey.continuing)?;
        let mut totals = Totals::default();
        if self.works() {
            let (series, found, records) = (&mut *series, &mut *found, &mut *records);
            let part = Part { cells: cells.reborrow(), series, found, records };
            let shared = self.share(part, journey, &mut totals, signals);
            self.forgive(shared)?;
        }
        if !signals.stop.load(Ordering::Relaxed) {
            let part = Part { cells: cells.reborrow(), series, found, records };
            add(&mut totals, &self.rescue(part, journey, signals)?);
        }
        totals.cpu_seconds = start.elapsed().as_secs_f64();
        cells.outcome.iter().for_each(|o| totals.cost += o.cost);
        totals.failed = cells.outcome.iter().filter(|o| o.status != Status::Done).count();
        Ok(totals)
    }

    /// All devices, and the CPU if it works too, take cells until there are none. `totals` count those that
    /// arrived with each method, and those of the CPU that needed another one.
    fn share(
        &mut self,
        all: Part<'_>,
        journey: &Journey<'_>,
        totals: &mut Totals,
        signals: Signals<'_>,
    ) -> Result<(), DeviceError> {
        let supply = Supply::new(all, self.species);
        if let ([only], false) = (&mut self.devices[..], self.settings.lanes) {
            count(totals, only.work(&supply, journey, |_, fit, _| fit, signals)?);
            return Ok(());
        }
        let together = self.devices.len() + usize::from(self.settings.lanes);
        let paces: Vec<Pace> = (0..together).map(|_| Pace::default()).collect();
        let failed = AtomicBool::new(false);
        // Half of the fair share of the remaining cells, by the rates so far, once all are known: so all end together, and
        // nobody waits long.
        let fair = |me: usize, left: usize, first: usize| {
            let rates: Vec<Option<f64>> = paces.iter().map(Pace::rate).collect();
            let known: f64 = rates.iter().flatten().sum();
            let all = rates.iter().all(Option::is_some);
            let fair = rates[me].filter(|_| all).map_or(first, |r| (left as f64 * 0.5 * r / known) as usize);
            // Where a device has failed, the others begin nothing more.
            if failed.load(Ordering::Relaxed) { 0 } else { fair.max(first.min(left / 8 + 1)) }
        };
        let (supply, paces, fair, failed) = (&supply, &paces, &fair, &failed);
        let (cpu, lanes) = (&mut self.cpu, self.settings.lanes);
        std::thread::scope(|scope| {
            let (mut result, mut handles) = (Ok(()), Vec::new());
            let quiet = NoSignals::begin();
            for (me, device) in self.devices.iter_mut().enumerate() {
                let name = device.info().to_string();
                let work = move || {
                    let start = Instant::now();
                    let wish = |left: usize, fit: usize, arrived: usize| {
                        paces[me].set(arrived, start);
                        fair(me, left, fit.min(left / (4 * together) + 1))
                    };
                    let done = device.work(supply, journey, wish, signals);
                    failed.fetch_or(done.is_err(), Ordering::Relaxed);
                    done
                };
                match std::thread::Builder::new().spawn_scoped(scope, work) {
                    Ok(handle) => handles.push(handle),
                    Err(e) => {
                        failed.store(true, Ordering::Relaxed);
                        let what = "a thread was started for it";
                        result = Err(DeviceError::Lost { device: name, what, code: e.to_string() });
                    }
                }
            }
            drop(quiet);
            if lanes {
                let (me, start, mut taken) = (paces.len() - 1, Instant::now(), 0);
                let least = PER_LANE * cpu.width() * cpu.threads();
                while let Some(part) = supply.take(|left| fair(me, left, least)) {
                    taken += part.len();
                    match on_lanes(cpu, part, journey, signals) {
                        Ok(more) => add(totals, &more),
                        Err(e) => {
                            result = Err(e);
                            break;
                        }
                    }
                    paces[me].set(taken, start);
                    if signals.stop.load(Ordering::Relaxed) {
                        break;
                    }
                }
            }
            for h in handles {
                match h.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)) {
                    Ok(more) => count(totals, more),
                    Err(e) => result = result.and(Err(e)),
                }
            }
            result
        })
    }

    /// The CPU advances what the devices could not, from the entry states, with all its means for difficult
    /// cells. Returns how many cells it advanced with each method, and how many of them count as rescued: all; or, where no
    /// device works, only those that the CPU by itself would count.
    fn rescue(&mut self, part: Part<'_>, journey: &Journey<'_>, signals: Signals<'_>) -> Result<Totals, DeviceError> {
        let Part { mut cells, series, found, records } = part;
        let (k, all) = (self.species, cells.outcome.len());
        // The status with which all cells began; cells that the lanes gave up have another.
        let left: Vec<usize> = (0..all).filter(|&i| cells.outcome[i].status == Status::Cancelled).collect();
        self.rescued = left.len();
        if left.is_empty() {
            return Ok(Totals::default());
        }
        let (points, events, width) = (series.len() / all, found.len() / all, records.len() / all);
        let mut own = OwnedCells::some(&cells, k, &left);
        let [mut noted, mut happened, mut kept] =
            [(&*series, points), (&*found, events), (&*records, width)].map(|(x, width)| rows(x, width, &left));
        let part = Part { cells: own.lend(), series: &mut noted, found: &mut happened, records: &mut kept };
        let mut totals = on_lanes(&mut self.cpu, part, journey, signals)?;
        if self.works() {
            totals.rescued = own.outcome.iter().filter(|o| o.status == Status::Done).count();
        }
        own.put_back(&mut cells, k, &left);
        for (to, from, width) in [(series, &noted, points), (found, &happened, events), (records, &kept, width)] {
            put_rows(to, from, width, &left);
        }
        Ok(totals)
    }

    /// What the first device can do at most, and how much of that its kernels reach with cells of a batch, as
    /// many as fit. The engine must have been made for a single method, and the cells must be cell-major;
    /// they are not changed. `None` if there is no device.
    ///
    /// # Errors
    /// [`DeviceError::Engine`], and whatever can go wrong with a device.
    pub fn roofline(&mut self, cells: Cells<'_>, dt: f64) -> Result<Option<Roofline>, DeviceError> {
        cells.check(self.cpu.plan(), dt)?;
        if self.is_forked() {
            return Err(self.forked());
        }
        self.devices.first_mut().map(|d| d.roofline(cells, dt)).transpose()
    }

    /// Resources of the kernels of the first device; empty before [`DeviceEngine::prepare`].
    pub fn compiled(&self) -> Vec<Compiled> {
        self.devices.first().map(Device::compiled).unwrap_or_default()
    }

    /// As [`Engine::rates`], on the first device.
    ///
    /// # Errors
    /// [`DeviceError::Engine`], and whatever can go wrong with a device.
    pub fn rates(&mut self, at: Points<'_>, wdot: &mut [f64], mut jac: Option<&mut [f64]>) -> Result<(), DeviceError> {
        let n = at.temperature.len();
        at.check(self.cpu.plan(), wdot, jac.as_deref())?;
        if n == 0 {
            return Ok(());
        }
        if at.layout == Layout::SpeciesMajor {
            let (y, mut rows) = (turned(at.y, n, self.species), vec![0.0; wdot.len()]);
            let mut by_cell = Points::new(at.temperature, at.pressure, &y, Layout::CellMajor);
            (by_cell.electron_temperature, by_cell.constants) = (at.electron_temperature, at.constants);
            self.rates(by_cell, &mut rows, jac)?;
            wdot.copy_from_slice(&turned(&rows, self.species, n));
            return Ok(());
        }
        if self.works()
            && let Some(d) = self.devices.first_mut()
        {
            let done = d.rates(at, wdot, jac.as_deref_mut());
            self.forgive(done)?;
            if self.failure.is_none() {
                return Ok(());
            }
        }
        Ok(self.cpu.rates(at, wdot, jac)?)
    }
}

impl Drop for DeviceEngine {
    fn drop(&mut self) {
        if self.is_forked() {
            std::mem::forget(std::mem::take(&mut self.devices));
        }
    }
}

fn count(to: &mut Totals, more: PerMethod<usize>) {
    to.chosen.iter_mut().zip(more).for_each(|(a, b)| *a += b);
}

fn add(to: &mut Totals, more: &Totals) {
    count(to, more.chosen);
    to.rescued += more.rescued;
}

/// Advances cells on the CPU.
fn on_lanes(
    cpu: &mut Engine,
    part: Part<'_>,
    journey: &Journey<'_>,
    signals: Signals<'_>,
) -> Result<Totals, DeviceError> {
    let Part { cells, series, found, records } = part;
    Ok(match journey.sought {
        None if journey.continuing => cpu.advance_records(cells, records, journey.dt, signals)?,
        None => cpu.advance(cells, journey.dt, signals)?,
        Some(Sought { times, events, .. }) => {
            let mut watch = Watch { times, series, events, found };
            cpu.advance_watched(cells, &mut watch, None, journey.dt, signals)?
        }
    })
}
