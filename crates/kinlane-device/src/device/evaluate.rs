//! Rates and Jacobians of a batch on a device.

use super::setup::{Evaluation, Ready};
use super::{Device, copies, groups};
use crate::DeviceError;
use crate::driver::Argument;
use crate::memory::Needs;
use kinlane_lanes::Points;

impl Device {
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

    /// The kernel `rates`, with or without the Jacobian, and memory for so many points.
    pub(super) fn rates_kernel(&mut self, jacobian: bool, points: usize) -> Result<Ready, DeviceError> {
        let Evaluation { needs, kernel } = match self.set.rates[usize::from(jacobian)] {
            Some(known) => known,
            None => {
                let programs = self.programs(self.set.stages[0]);
                let (text, worker) = programs.rates(self.language(), self.set.mapping, jacobian);
                let entries = if jacobian { self.plan.jacobian.values.len as usize } else { 0 };
                let needs = Needs { jacobian: 8 * entries, ..Needs::new(worker, &self.plan) };
                Evaluation { needs, kernel: self.ready(&text, "rates")? }
            }
        };
        self.set.rates[usize::from(jacobian)] = Some(Evaluation { needs, kernel });
        self.lend(&[kernel.number], needs, points)?;
        Ok(kernel)
    }

    /// Copies states to the device.
    pub(super) fn upload_gas(&mut self, at: Points<'_>) -> Result<(), DeviceError> {
        let l = self.lent()?.queues[0];
        let numbers = copies::pack_points(self.driver.host(l.host_in), at, &mut self.crew);
        self.driver.upload(0, l.host_in, l.input, numbers)
    }

    /// Starts the kernel `rates` on states that have been copied.
    pub(super) fn launch_rates(&mut self, kernel: Ready, n: usize) -> Result<(), DeviceError> {
        let (size, step) = self.group();
        let lent = self.lent()?;
        let (l, m) = (lent.queues[0], Argument::Memory);
        let (groups, n) = (groups(lent.cut.workers, n, step), Argument::Count(n as u32));
        let shared = Argument::Shared(kernel.shared);
        let arguments = [m(l.arena), m(lent.reals), m(lent.indices), m(l.input), m(l.output), n, shared];
        self.driver.launch(0, kernel.number, groups, size, &arguments)
    }
}
