//! Where a solver works.

use crate::OptionError;
use crate::error::PlanError;
use kinlane_device::{DeviceError, MappingWish, Wish};
use kinlane_plan::Precision;

/// Where and in how many threads cells are advanced; the same for mechanisms and for schemes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// The device, as [`AdvanceBuilder::device`](crate::AdvanceBuilder::device) takes it; `None` is the CPU.
    pub device: Option<String>,
    /// Most bytes of a device's memory to use (default: four fifths of it). Larger batches are divided.
    pub memory: Option<u64>,
    /// On devices: how cells are given to threads.
    pub mapping: MappingWish,
    /// The precision in which devices compute; the CPU always computes in f64.
    pub precision: Precision,
    /// Threads of the CPU (default: as many as the machine runs at once).
    pub threads: Option<usize>,
    /// On the CPU: the instruction set and the number of cells side by side, as
    /// [`AdvanceBuilder::lanes`](crate::AdvanceBuilder::lanes) takes them; `None` is the best there is.
    pub lanes: Option<String>,
}

impl Place {
    /// The devices wished for.
    ///
    /// # Errors
    /// [`DeviceError::Name`].
    pub(crate) fn wish(&self) -> Result<Wish, DeviceError> {
        self.device.as_deref().map_or(Ok(Wish::Cpu), str::parse)
    }

    /// Refuses reduced precision on the lanes: they compute in double precision, and an answer must not
    /// depend on who advanced the cell.
    pub(crate) fn refuse_reduced(&self) -> Result<(), PlanError> {
        match self.precision {
            Precision::F64 => Ok(()),
            precision => Err(PlanError::Precision { precision: precision.name() }),
        }
    }

    /// The number of threads, as wished or as many as the machine runs at once.
    ///
    /// # Errors
    /// [`PlanError::Option`], if so many were wished for that it must be a mistake.
    pub fn thread_count(&self) -> Result<usize, PlanError> {
        let threads = self.threads.unwrap_or_else(cores);
        if !(1..=THREADS).contains(&threads) {
            return Err(OptionError { option: "threads", value: threads as f64, must: "between 1 and 4096" }.into());
        }
        Ok(threads)
    }
}

/// As many threads as the machine runs at once.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// More threads than any machine has: a larger number is a mistake.
const THREADS: usize = 4096;
