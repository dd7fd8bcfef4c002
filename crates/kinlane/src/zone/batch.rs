//! Many zones that are heated by what burns in them.

use super::{Zone, ZoneError, method, tolerances};
use crate::place::Place;
use crate::{Options, Outcome, Report, Scheme, SchemeStates, Status};
use kinlane_lanes::{Crew, Totals, UsualArithmetic};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// A solver for batches of zones that are heated by what burns in them: each cell is a [`Zone`] that begins with the call, so
/// that its answer depends on nothing else.
///
/// ```no_run
/// use kinlane::{Conditions, Options, Place, Reactor, Scheme, SchemeStates, Zones};
///
/// let scheme = Scheme::load("CUDAnet_alpha.inp")?;
/// let carbon = |name: &String| if name == "12C" { 1.0 / 12.0 } else { 0.0 }; // mol/g
/// let of_one: Vec<f64> = scheme.species_names().iter().map(carbon).collect();
/// let cells = Conditions {
///     temperature: vec![2.5, 3.0], // GK
///     density: vec![1e8, 1e7],     // g/cm³
///     amounts: of_one.repeat(2),
///     ..Conditions::default()
/// };
/// let mut cells = SchemeStates::new(&scheme, cells)?;
/// let options = Options { reactor: Reactor::ConstV, ..Options::default() };
/// let report = Zones::new(&scheme, &options, &Place::default())?.advance(&mut cells, 1e-6)?;
/// println!("{} failed; the first is at {} GK now", report.failed, cells.conditions().temperature[0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Zones {
    scheme: Scheme,
    options: Options,
    method: Arc<str>,
    crew: Crew,
    progress: Arc<AtomicUsize>,
    stop: Arc<AtomicBool>,
}

impl Zones {
    /// A solver with the options of a [`Zone`]. Of the place counts the number of threads; what else it says is refused.
    ///
    /// # Errors
    /// [`ZoneError::Atmosphere`], [`ZoneError::Mass`], [`ZoneError::Size`], [`ZoneError::Method`], [`ZoneError::Reactor`], [`ZoneError::Option`],
    /// [`ZoneError::Plan`], [`ZoneError::Elsewhere`].
    pub fn new(scheme: &Scheme, options: &Options, place: &Place) -> Result<Self, ZoneError> {
        let method = method(scheme, options)?.name.into();
        tolerances(scheme, options)?;
        let _usual = UsualArithmetic::set();
        let (Place { device, lanes, .. }, usual) = (place, Place::default());
        let elsewhere = [
            ("device", device.as_ref().is_some_and(|name| name != "cpu")),
            ("lanes", lanes.is_some()),
            ("device-memory", place.memory.is_some()),
            ("mapping", place.mapping != usual.mapping),
            ("precision", place.precision != usual.precision),
        ];
        if let Some((option, _)) = elsewhere.into_iter().find(|option| option.1) {
            return Err(ZoneError::Elsewhere { option });
        }
        let crew = Crew::new(place.thread_count().map_err(ZoneError::Plan)? - 1);
        let (progress, stop) = Default::default();
        Ok(Self { scheme: scheme.clone(), options: options.clone(), method, crew, progress, stop })
    }

    /// The scheme.
    pub fn scheme(&self) -> &Scheme {
        &self.scheme
    }

    /// The name of the method in use.
    pub fn method(&self) -> &str {
        &self.method
    }

    /// Setting it ends a running call early, from any thread: unfinished cells keep their states. It stays set until it is cleared.
    pub fn stop_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// Counts the finished cells of the running call.
    pub fn progress(&self) -> Arc<AtomicUsize> {
        Arc::clone(&self.progress)
    }

    /// Advances every cell by `dt` \[s\], or by its own interval, if it has one: its T9, its density where the pressure is held, and its abundances. A cell that fails keeps
    /// its state and says why in its outcome; so does one whose matter is impossible.
    ///
    /// # Errors
    /// Before any cell is touched: [`ZoneError::Interval`]; [`ZoneError::Source`]; [`ZoneError::Batch`] if the cells are those of another
    /// scheme.
    pub fn advance(&mut self, states: &mut SchemeStates, dt: f64) -> Result<Report, ZoneError> {
        let _usual = UsualArithmetic::set();
        self.progress.store(0, Ordering::Relaxed);
        states.outcome.fill(Outcome { status: Status::Cancelled, ..Outcome::default() });
        if states.intervals.is_none() && !(dt.is_finite() && dt > 0.0) {
            return Err(ZoneError::Interval { dt });
        }
        if states.source.is_some() {
            return Err(ZoneError::Source);
        }
        states.fits(&self.scheme)?;
        if self.options.atol.is_none() {
            states.refuse_coarse(&self.scheme)?;
        }
        let start = Instant::now();
        let Self { scheme, options, crew, progress, stop, .. } = self;
        let threads = crew.threads();
        let rows = states.at.amounts.chunks_mut(scheme.species_count().max(1));
        let surroundings = states.at.temperature.iter_mut().zip(&mut states.at.density);
        let intervals = &states.intervals;
        let cells = surroundings.zip(rows).zip(&mut states.outcome).enumerate();
        let seconds = Mutex::new(0.0);
        crew.share(cells, |(cell, (((t9, density), amounts), outcome))| {
            if stop.load(Ordering::Relaxed) {
                return;
            }
            let begin = cpu_time::ThreadTime::now();
            let dt = intervals.as_ref().map_or(dt, |own| own[cell]);
            *outcome = burn(scheme, options, (t9, density, amounts), dt, stop);
            progress.fetch_add(usize::from(outcome.status != Status::Cancelled), Ordering::Relaxed);
            *seconds.lock().unwrap_or_else(PoisonError::into_inner) += begin.elapsed().as_secs_f64();
        });
        let mut totals =
            Totals { cpu_seconds: seconds.into_inner().unwrap_or_else(PoisonError::into_inner), ..Totals::default() };
        for outcome in &states.outcome {
            totals.failed += usize::from(outcome.status != Status::Done);
            totals.cost += outcome.cost;
        }
        let width = scheme.species_count() + 2;
        Ok(Report {
            device: "cpu".into(),
            threads,
            lanes: "scalar".into(),
            method: Arc::clone(&self.method),
            bytes_per_cell: size_of::<f64>() * width,
            ..Report::of(&totals, &states.outcome, start.elapsed().as_secs_f64())
        })
    }
}

/// Advances one zone in place.
fn burn(
    scheme: &Scheme,
    options: &Options,
    (t9, density, amounts): (&mut f64, &mut f64, &mut [f64]),
    dt: f64,
    stop: &AtomicBool,
) -> Outcome {
    let Ok(mut zone) = Zone::new(scheme, [*t9, *density], amounts, options) else {
        return Outcome { status: Status::NotFinite, worst: amounts.len() as u32, ..Outcome::default() };
    };
    let (status, t) = match zone.advance_while(dt, |_| !stop.load(Ordering::Relaxed)) {
        Ok(done) if done < dt => (Status::Cancelled, done),
        Ok(_) => (Status::Done, dt),
        Err(ZoneError::Stopped { status, done, .. }) => (status, done),
        Err(_) => (Status::NotFinite, 0.0),
    };
    if status == Status::Done {
        (*t9, *density) = (zone.t9(), zone.density());
        amounts.copy_from_slice(&zone.abundances());
    }
    zone.cell.outcome(status, t)
}
