//! What advances a batch: the lanes, or devices supported by the lanes.

use crate::error::{BatchError, PlanError};
use crate::place::Place;
use crate::{Cells, Points};
use kinlane_device::{Compiled, DeviceEngine, DeviceError, Roofline, Settings, Wish, automatic};
use kinlane_lanes::{Continuation, Engine, History, Signals, Totals, UsualArithmetic, Watch};
use kinlane_plan::{Plan, Precision};
use kinlane_solve::Options;
use kinlane_solve::methods::auto::AUTO;
use std::sync::Arc;

/// An engine.
#[derive(Debug)]
pub enum Backend {
    /// The CPU.
    Lanes(Box<Engine>),
    /// Devices, and an engine of the CPU as well.
    Devices(Box<DeviceEngine>),
}

impl Backend {
    /// Opens what was asked for. Also returned: why `auto` ended on the CPU, if it did.
    pub fn new(plan: &Arc<Plan>, options: &Options, place: &Place) -> Result<(Self, Option<String>), PlanError> {
        let _usual = UsualArithmetic::set();
        let threads = place.thread_count()?;
        let (precision, rtol, finest) = (place.precision.name(), options.rtol, place.precision.finest());
        // What cannot be a tolerance at all, the engine refuses.
        if rtol > 0.0 && rtol < finest {
            return Err(PlanError::TooFine { precision, rtol, finest });
        }
        let (devices, lanes, fallback) = match place.wish()? {
            Wish::Cpu => (Ok(Vec::new()), true, false),
            Wish::Auto => (automatic(), false, true),
            Wish::Devices(devices, lanes) => (Ok(devices), lanes, false),
        };
        // Cells choose their methods if none was asked for.
        let method = options.method.clone().or_else(|| Some(AUTO.to_owned()));
        let options = &Options { method, ..options.clone() };
        let cpu = || Engine::new(Arc::clone(plan), options.clone(), threads).map(Box::new).map_err(PlanError::from);
        let devices = match devices {
            Ok(devices) if !devices.is_empty() => devices,
            Ok(_) => {
                place.refuse_reduced()?;
                return Ok((Self::Lanes(cpu()?), None));
            }
            Err(why) => return Ok((Self::Lanes(cpu()?), Some(why))),
        };
        if lanes {
            place.refuse_reduced()?;
        }
        let Place { memory, mapping, precision, .. } = *place;
        let settings = Settings { memory, mapping, precision, lanes, fallback };
        match DeviceEngine::new(plan, options, threads, &devices, settings) {
            Ok(engine) => Ok((Self::Devices(Box::new(engine)), None)),
            Err(DeviceError::Engine(e)) => Err(e.into()),
            // After a fork the CPU takes over in any case: solvers from before it do so, too.
            Err(e) if fallback || matches!(e, DeviceError::Forked { .. }) => {
                Ok((Self::Lanes(cpu()?), Some(e.to_string())))
            }
            Err(e) => Err(e.into()),
        }
    }

    /// The engine of the CPU.
    pub fn cpu(&self) -> &Engine {
        match self {
            Self::Lanes(e) => e,
            Self::Devices(e) => e.cpu(),
        }
    }

    /// As [`Backend::cpu`].
    pub fn cpu_mut(&mut self) -> &mut Engine {
        match self {
            Self::Lanes(e) => e,
            Self::Devices(e) => e.cpu_mut(),
        }
    }

    /// `cpu`, or the names of the devices.
    pub fn device(&self) -> String {
        match self {
            Self::Lanes(_) => "cpu".to_owned(),
            Self::Devices(e) => {
                let mut names: Vec<String> = if e.with_lanes() { vec!["cpu".to_owned()] } else { Vec::new() };
                names.extend(e.infos().iter().map(|i| i.id()));
                names.join("+")
            }
        }
    }

    /// The precision in which cells are advanced.
    pub fn precision(&self) -> Precision {
        match self {
            Self::Devices(e) if e.failure().is_none() => e.precision(),
            Self::Lanes(_) | Self::Devices(_) => Precision::F64,
        }
    }

    /// Workspace per thread \[bytes\].
    pub fn bytes_per_thread(&self) -> usize {
        match self {
            Self::Lanes(e) => e.bytes_per_thread(),
            Self::Devices(e) => e.needs().iter().map(|n| n.worker).max().unwrap_or(0),
        }
    }

    /// Does what must be done once, before the clock starts; for cells that go on from call to call if
    /// `continuing`.
    pub fn prepare(&mut self, cells: usize, continuing: bool) -> Result<(), BatchError> {
        match self {
            Self::Lanes(_) => Ok(()),
            Self::Devices(e) if continuing => Ok(e.prepare_continuing(cells)?),
            Self::Devices(e) => Ok(e.prepare(cells)?),
        }
    }

    /// Advances a batch.
    pub fn advance(&mut self, cells: Cells<'_>, dt: f64, signals: Signals<'_>) -> Result<Totals, BatchError> {
        match self {
            Self::Lanes(e) => Ok(e.advance(cells, dt, signals)?),
            Self::Devices(e) => Ok(e.advance(cells, dt, signals)?),
        }
    }

    /// Advances cells that go on from call to call.
    pub fn advance_continuing(
        &mut self,
        cells: Cells<'_>,
        continuation: &mut Continuation,
        dt: f64,
        signals: Signals<'_>,
    ) -> Result<Totals, BatchError> {
        match self {
            Self::Lanes(e) => Ok(e.advance_continuing(cells, continuation, dt, signals)?),
            Self::Devices(e) => Ok(e.advance_continuing(cells, continuation, dt, signals)?),
        }
    }

    /// Advances cells, and records what happens to them on the way.
    pub fn advance_watched(
        &mut self,
        cells: Cells<'_>,
        watch: &mut Watch<'_>,
        histories: Option<&[Arc<History>]>,
        dt: f64,
        signals: Signals<'_>,
    ) -> Result<Totals, BatchError> {
        match (self, histories) {
            (Self::Lanes(e), histories) => Ok(e.advance_watched(cells, watch, histories, dt, signals)?),
            (Self::Devices(e), None) => Ok(e.advance_watched(cells, watch, dt, signals)?),
            (Self::Devices(_), Some(_)) => Err(BatchError::History),
        }
    }

    /// Net production rates, and Jacobians if asked for.
    pub fn rates(&mut self, at: Points<'_>, wdot: &mut [f64], jac: Option<&mut [f64]>) -> Result<(), BatchError> {
        match self {
            Self::Lanes(e) => Ok(e.rates(at, wdot, jac)?),
            Self::Devices(e) => Ok(e.rates(at, wdot, jac)?),
        }
    }

    /// What the first device can do at most, and how much of that its kernels reach; `None` on the CPU.
    pub fn roofline(&mut self, cells: Cells<'_>, dt: f64) -> Result<Option<Roofline>, BatchError> {
        match self {
            Self::Lanes(_) => Ok(None),
            Self::Devices(e) => Ok(e.roofline(cells, dt)?),
        }
    }

    /// The compiler's account of the kernels of the first device; empty on the CPU.
    pub fn compiled(&self) -> Vec<Compiled> {
        match self {
            Self::Lanes(_) => Vec::new(),
            Self::Devices(e) => e.compiled(),
        }
    }

    /// Whether another device is in use than before, since this was last asked.
    pub fn reopened(&mut self) -> bool {
        match self {
            Self::Lanes(_) => false,
            Self::Devices(e) => e.reopened(),
        }
    }

    /// Why the CPU took over from a failed device, if it did.
    pub fn failure(&self) -> Option<String> {
        match self {
            Self::Lanes(_) => None,
            Self::Devices(e) => e.failure().map(ToString::to_string),
        }
    }
}
