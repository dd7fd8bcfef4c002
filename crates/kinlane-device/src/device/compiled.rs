//! What the compiler made of a device's kernels.

use super::Device;
use crate::driver::Footprint;
use crate::program::Mapping;

/// A kernel of a batch, compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Compiled {
    /// The method that it advances cells with.
    pub method: &'static str,
    /// How cells are given to threads, in a word.
    pub mapping: &'static str,
    /// Threads of a group.
    pub threads: usize,
    /// What it takes of a multiprocessor, where the driver says.
    pub footprint: Option<Footprint>,
}

impl Device {
    /// The kernels that are compiled, in the order in which a batch goes through them.
    pub fn compiled(&self) -> Vec<Compiled> {
        let (threads, _) = self.group();
        let mapping = match self.set.mapping {
            Mapping::Thread { unrolled: false, .. } => "thread",
            Mapping::Thread { unrolled: true, .. } => "unrolled",
            Mapping::Group { .. } => "group",
        };
        let ready = self.set.stages.iter().filter_map(|s| Some((s.method.name, s.kernel?)));
        ready
            .map(|(method, kernel)| {
                let footprint = self.driver.footprint(kernel.number, threads);
                Compiled { method, mapping, threads, footprint }
            })
            .collect()
    }
}
