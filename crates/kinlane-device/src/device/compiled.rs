//! What the compiler has made of a device's kernels.

use super::Device;
use crate::driver::Footprint;
use kinlane_kernels::Mapping;

/// A compiled kernel of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Compiled {
    /// The method with which it advances cells.
    pub method: &'static str,
    /// How cells are mapped to threads, in one word.
    pub mapping: &'static str,
    /// Number of threads per work group.
    pub threads: usize,
    /// Number of cells that these work on at a time.
    pub cells: usize,
    /// The resources that it takes of a multiprocessor, if the driver tells.
    pub footprint: Option<Footprint>,
}

impl Device {
    /// The compiled kernels, in the order in which a batch goes through them.
    pub fn compiled(&self) -> Vec<Compiled> {
        let (threads, cells) = self.group();
        let mapping = match self.set.mapping {
            Mapping::Thread { unrolled: false, .. } => "thread",
            Mapping::Thread { unrolled: true, .. } => "unrolled",
            Mapping::Group { tile: 2.., .. } => "part",
            Mapping::Group { .. } => "group",
        };
        let ready = self.set.stages.iter().filter_map(|s| Some((s.method.name, s.kernel?)));
        ready
            .map(|(method, kernel)| {
                let footprint = self.driver.footprint(kernel.number, threads);
                Compiled { method, mapping, threads, cells, footprint }
            })
            .collect()
    }
}
