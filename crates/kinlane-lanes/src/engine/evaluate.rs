//! Rates, properties and rate constants of many points.

use super::Engine;
use crate::cells::{Layout, Points, check_constants, length, turned};
use crate::constants::{Column, Constants};
use crate::error::EngineError;
use crate::evaluate::Properties;
use crate::host::UsualArithmetic;
use crate::shared::Shared;
use crate::worker::Worker;
use std::sync::{Arc, Mutex, PoisonError};

impl Engine {
    /// Net production rates \[mol/(m³ s)\] into `wdot` \[n, species\] and, if `jac` is given, d(dY/dt,
    /// dT/dt)/d(Y, T) \[n, species + 1, species + 1\], row-major, of the reactor in the options. Rates lie as the
    /// points' mass fractions, Jacobians one after the other.
    ///
    /// # Errors
    /// [`EngineError::Length`], [`EngineError::Value`].
    pub fn rates(&mut self, at: Points<'_>, wdot: &mut [f64], jac: Option<&mut [f64]>) -> Result<(), EngineError> {
        let n = self.shared.plan.species;
        at.check(&self.shared.plan, wdot, jac.as_deref())?;
        if at.layout == Layout::SpeciesMajor {
            let (cells, mut rows) = (at.temperature.len(), vec![0.0; wdot.len()]);
            self.rates_of(&at, &mut rows, jac);
            wdot.copy_from_slice(&turned(&rows, n, cells));
        } else {
            self.rates_of(&at, wdot, jac);
        }
        Ok(())
    }

    /// Rates cell by cell, of points in any layout.
    fn rates_of(&mut self, at: &Points<'_>, wdot: &mut [f64], jac: Option<&mut [f64]>) {
        let n = self.shared.plan.species;
        let share = self.share(at.temperature.len());
        let mut jac = jac.map(|j| j.chunks_mut(share * (n + 1) * (n + 1)));
        let parts = wdot.chunks_mut((share * n).max(1)).map(|wdot| (wdot, jac.as_mut().and_then(Iterator::next)));
        self.look(share, parts, |worker, shared, lo, (wdot, jac)| worker.evaluate(shared, at, lo, wdot, jac));
    }

    /// Properties of the gas at every point, into `out` \[n\]. Unless the heat release is `wanted`, no reaction is evaluated,
    /// and it is NaN.
    ///
    /// # Errors
    /// [`EngineError::Length`], [`EngineError::Value`].
    pub fn properties(&mut self, at: Points<'_>, out: &mut [Properties], wanted: bool) -> Result<(), EngineError> {
        self.need_thermodynamics()?;
        at.check_laid(self.shared.plan.species)?;
        length("properties", out.len(), at.temperature.len())?;
        let share = self.share(at.temperature.len());
        let parts = out.chunks_mut(share);
        self.look(share, parts, |worker, shared, lo, part| worker.properties(shared, &at, lo, part, wanted));
        Ok(())
    }

    /// Specific enthalpies \[J/kg\] and heat capacities \[J/(kg K)\] of every species at the points' temperatures, into
    /// `enthalpy` and `cp` \[n, species\], which lie as the points' mass fractions.
    ///
    /// # Errors
    /// [`EngineError::Length`], [`EngineError::Value`].
    pub fn species_properties(
        &mut self,
        at: Points<'_>,
        enthalpy: &mut [f64],
        cp: &mut [f64],
    ) -> Result<(), EngineError> {
        self.need_thermodynamics()?;
        let (n, cells) = (self.shared.plan.species, at.temperature.len());
        at.check_laid(n)?;
        length("enthalpies", enthalpy.len(), cells * n)?;
        length("heat capacities", cp.len(), cells * n)?;
        let share = self.share(cells);
        let part = (share * n).max(1);
        let parts = enthalpy.chunks_mut(part).zip(cp.chunks_mut(part));
        self.look(share, parts, |worker, shared, lo, (h, cp)| worker.species_properties(shared, &at, lo, h, cp));
        if at.layout == Layout::SpeciesMajor {
            [enthalpy, cp].into_iter().for_each(|x| x.copy_from_slice(&turned(x, n, cells)));
        }
        Ok(())
    }

    /// Temperatures \[K\] at which the gas has the specific enthalpies `energy` \[n\] \[J/kg\] (at constant
    /// volume, internal energies). The search starts from the temperatures of the points. NaN where there is
    /// no such temperature.
    ///
    /// # Errors
    /// [`EngineError::Length`], [`EngineError::Value`].
    pub fn temperatures(&mut self, at: Points<'_>, energy: &[f64], out: &mut [f64]) -> Result<(), EngineError> {
        self.need_thermodynamics()?;
        at.check_laid(self.shared.plan.species)?;
        length("energies", energy.len(), at.temperature.len())?;
        length("temperatures", out.len(), at.temperature.len())?;
        let share = self.share(at.temperature.len());
        let parts = energy.chunks(share).zip(out.chunks_mut(share));
        self.look(share, parts, |worker, shared, lo, (energy, out)| worker.temperatures(shared, &at, lo, energy, out));
        Ok(())
    }

    /// Forward and reverse rate of progress \[mol/(m³ s)\] of every reaction of the network, into `out` \[n,
    /// reactions\].
    ///
    /// # Errors
    /// [`EngineError::Length`], [`EngineError::Value`].
    pub fn rates_of_progress(&mut self, at: Points<'_>, out: &mut [[f64; 2]]) -> Result<(), EngineError> {
        let reactions = self.shared.plan.kinetics.place.len();
        check_constants(&self.shared.plan, at.temperature.len(), at.constants)?;
        at.check_laid(self.shared.plan.species)?;
        length("rates of progress", out.len(), at.temperature.len() * reactions)?;
        let share = self.share(at.temperature.len());
        let parts = out.chunks_mut(share * reactions.max(1));
        self.look(share, parts, |worker, shared, lo, part| worker.rates_of_progress(shared, &at, lo, part));
        Ok(())
    }

    /// Rate constants of the program for so many cells, into `out` \[cells, reactions\], from one column for each of its
    /// inputs. Returns the CPU time of all threads \[s\].
    ///
    /// # Errors
    /// [`EngineError::NoProgram`]; [`EngineError::Length`] where there are not as many columns as inputs, a column is too
    /// short, or `out` does not fit.
    pub fn rate_constants(
        &mut self,
        cells: usize,
        inputs: &[Column<'_>],
        which: Constants,
        out: &mut [f64],
    ) -> Result<f64, EngineError> {
        let program = Arc::clone(self.program.as_ref().ok_or(EngineError::NoProgram)?);
        let reactions = program.k.len as usize;
        length("inputs", inputs.len(), program.inputs.len as usize)?;
        length("rate constants", out.len(), cells * reactions)?;
        if cells == 0 || reactions == 0 {
            return Ok(0.0);
        }
        for c in inputs {
            let need = (cells - 1) * c.stride + c.first + 1;
            if c.values.len() < need {
                return Err(EngineError::Length { what: "a column of inputs", got: c.values.len(), want: need });
            }
        }
        let _usual = UsualArithmetic::set();
        let share = self.share(cells);
        let parts = self.threads.iter_mut().zip(out.chunks_mut(share * reactions)).enumerate();
        let seconds = Mutex::new(0.0);
        self.crew.share(parts, |(i, (thread, out))| {
            let start = cpu_time::ThreadTime::now();
            // SAFETY: `set_rates` has rehearsed it.
            unsafe { thread.worker.constants(&program, inputs, which, i * share, out) };
            *seconds.lock().unwrap_or_else(PoisonError::into_inner) += start.elapsed().as_secs_f64();
        });
        Ok(seconds.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// Refuses what only thermodynamics can tell, where there is none.
    fn need_thermodynamics(&self) -> Result<(), EngineError> {
        if self.shared.plan.given { Err(EngineError::NoThermodynamics) } else { Ok(()) }
    }

    /// Evaluates points: each thread gets its part, of `share` points.
    fn look<P: Send>(
        &mut self,
        share: usize,
        parts: impl ExactSizeIterator<Item = P> + Send,
        work: impl Fn(&mut dyn Worker, &Shared, usize, P) + Sync,
    ) {
        let _usual = UsualArithmetic::set();
        let shared = &self.shared;
        let parts = self.threads.iter_mut().zip(parts).enumerate();
        self.crew.share(parts, |(i, (thread, part))| work(&mut *thread.worker, shared, i * share, part));
    }
}
