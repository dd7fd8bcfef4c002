//! The memory that a batch has of a device. It stays for the next batch if that fits.

use super::Device;
use crate::DeviceError;
use crate::driver::{Memory, QUEUES, Staging};
use crate::memory::{Cut, Needs, Room};
use kinlane_kernels::{COUNTED, COUNTERS, HELD, LIST_HEAD, short_indices};
use std::sync::Arc;

/// Memory in use. Kernels know only the present batch: their strides follow from its numbers of cells and
/// workers, not from the room in the memory.
pub(super) struct Lent {
    /// The cut of the present batch.
    pub(super) cut: Cut,
    /// The size of the memory.
    pub(super) room: Room,
    pub(super) reals: Memory,
    pub(super) indices: Memory,
    pub(super) queues: Vec<Lane>,
}

/// The memory of one queue.
#[derive(Clone, Copy)]
pub(super) struct Lane {
    pub(super) arena: Memory,
    pub(super) input: Memory,
    pub(super) output: Memory,
    pub(super) queue: Memory,
    pub(super) lists: Memory,
    pub(super) kept: Memory,
    pub(super) host_in: Staging,
    pub(super) host_out: Staging,
    pub(super) host_kept: Staging,
    pub(super) host_counted: Staging,
}

impl Device {
    pub(super) fn cut_for(&self, kernels: &[usize], needs: Needs, cells: usize) -> Result<Cut, DeviceError> {
        let (size, step) = self.group();
        let most = kernels.iter().map(|&k| self.driver.resident(k, size)).max();
        let resident = most.unwrap_or(size) / size * step;
        needs.cut(self.driver.info(), self.limit(), resident.max(step), step, cells)
    }

    /// Provides memory for a batch of `cells`; present memory is reused if it is large enough.
    pub(super) fn lend(&mut self, kernels: &[usize], needs: Needs, cells: usize) -> Result<(), DeviceError> {
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
        let indices: Vec<u8> = match short_indices(&plan) {
            true => plan.tables.indices.iter().flat_map(|&x| (x as u16).to_ne_bytes()).collect(),
            false => plan.tables.indices.iter().flat_map(|x| x.to_ne_bytes()).collect(),
        };
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

    /// The memory in use. There is some wherever this is called; a mistake that changes that is not to look like success.
    pub(super) fn lent(&self) -> Result<&Lent, DeviceError> {
        self.lent.as_ref().ok_or_else(|| self.without_memory())
    }

    pub(super) fn without_memory(&self) -> DeviceError {
        DeviceError::Lost {
            device: self.info().id(),
            what: "working without memory",
            code: "a mistake in kinlane".into(),
        }
    }

    /// Empties the lists, and takes the cells from all workers.
    pub(super) fn clear(&mut self, queue: usize) -> Result<(), DeviceError> {
        let lent = self.lent()?;
        let (l, workers) = (lent.queues[queue], lent.cut.workers);
        self.driver.zero(queue, l.queue, COUNTERS + HELD * workers)?;
        self.driver.zero(queue, l.lists, LIST_HEAD)
    }
}
