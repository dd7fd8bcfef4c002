//! Choice, at run time, of the instruction set and of the number of cells side by side.
//!
//! `--cfg kinlane_dev` compiles one set only, for quicker builds while working on the numerics: AVX2, or NEON on aarch64.

#[cfg(not(kinlane_dev))]
use crate::simd::portable::Portable;
use crate::worker::Worker;
use crate::worker::wide::Wide;

/// Instruction set of the lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InstructionSet {
    /// AVX-512.
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// AVX2 with FMA.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// NEON.
    #[cfg(target_arch = "aarch64")]
    Neon,
    /// What the compiler makes of plain arrays, on any processor.
    Portable,
}

impl InstructionSet {
    /// Its name, for `--lanes`.
    pub const fn name(self) -> &'static str {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => "avx512",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => "avx2",
            #[cfg(target_arch = "aarch64")]
            Self::Neon => "neon",
            Self::Portable => "portable",
        }
    }
}

/// A width that this build contains and this processor can run: made only by [`available`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Width {
    set: InstructionSet,
    registers: usize,
    cells: usize,
}

impl Width {
    /// Instruction set.
    pub const fn set(&self) -> InstructionSet {
        self.set
    }

    /// Cells side by side.
    pub const fn cells(&self) -> usize {
        self.cells
    }
}

impl std::fmt::Display for Width {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} x {}", self.set.name(), self.cells)
    }
}

/// All widths that this processor can run, widest set first.
pub fn available() -> Vec<Width> {
    let mut out = Vec::new();
    #[cfg(target_arch = "x86_64")]
    {
        if avx512() && !cfg!(kinlane_dev) {
            out.extend([1, 2].map(|k| Width { set: InstructionSet::Avx512, registers: k, cells: 8 * k }));
        }
        if avx2() {
            out.push(Width { set: InstructionSet::Avx2, registers: 2, cells: 8 });
        }
    }
    // NEON is part of the baseline: nothing to detect.
    #[cfg(target_arch = "aarch64")]
    out.extend([Width { set: InstructionSet::Neon, registers: 4, cells: 8 }]);
    #[cfg(not(kinlane_dev))]
    out.push(Width { set: InstructionSet::Portable, registers: 1, cells: 4 });
    out
}

/// Whether the processor has all features that `compiled` in `simd/avx512.rs` enables.
#[cfg(target_arch = "x86_64")]
fn avx512() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512bw")
        && avx2()
}

/// Whether the processor has all features that `compiled` in `simd/avx2.rs` enables.
#[cfg(target_arch = "x86_64")]
fn avx2() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
}

/// Size of a core's second-level cache \[bytes\]: leaf 4 of `cpuid` (Intel) or leaf 8000001D (AMD), one
/// subleaf per cache.
fn second_level() -> usize {
    #[cfg(target_arch = "x86_64")]
    for leaf in [4, 0x8000_001d] {
        use std::arch::x86_64::{__cpuid, __cpuid_count};
        if __cpuid(leaf & 0x8000_0000).eax < leaf {
            continue;
        }
        for sub in 0..8 {
            let c = __cpuid_count(leaf, sub);
            let bits = |x: u32, from: u32, count: u32| ((x >> from) & ((1 << count) - 1)) as usize;
            if bits(c.eax, 0, 5) != 0 && bits(c.eax, 5, 3) == 2 {
                return (bits(c.ebx, 22, 10) + 1)
                    * (bits(c.ebx, 12, 10) + 1)
                    * (bits(c.ebx, 0, 12) + 1)
                    * (c.ecx as usize + 1);
            }
        }
    }
    1 << 20
}

/// The width for an arena of `reals` numbers per cell. Two registers hide latency and share the loaded
/// indices. They are taken if seven eighths of the second-level cache hold both, and if all cells do the same
/// work (`in_step`): otherwise cells wait for one another, and with one register for fewer (decision 0018).
pub fn choose(reals: usize, in_step: bool, wish: Option<&str>) -> Option<Width> {
    let all = available();
    if let Some(wish) = wish {
        return all.into_iter().find(|w| w.to_string() == wish || w.set.name() == wish);
    }
    let bytes = |w: &Width| reals * w.cells * 8;
    let set = all[0].set;
    let most = second_level() / 8 * 7;
    all.iter().rfind(|w| w.set == set && in_step && bytes(w) <= most).or(all.first()).copied()
}

/// The width with one register of the same set, if `width` has two.
pub fn narrower(width: Width) -> Option<Width> {
    available().into_iter().find(|w| w.set == width.set && w.registers < width.registers)
}

/// A worker of a width from [`available`].
pub fn worker(width: Width, reals: usize) -> Box<dyn Worker> {
    // SAFETY: only `available` makes a `Width`, after it has detected the instruction set.
    unsafe {
        match (width.set, width.registers) {
            #[cfg(all(target_arch = "x86_64", kinlane_dev))]
            _ => Box::new(Wide::<crate::simd::avx2::Avx2, 2>::new(reals)),
            #[cfg(all(target_arch = "x86_64", not(kinlane_dev)))]
            (InstructionSet::Avx512, 1) => Box::new(Wide::<crate::simd::avx512::Avx512, 1>::new(reals)),
            #[cfg(all(target_arch = "x86_64", not(kinlane_dev)))]
            (InstructionSet::Avx512, _) => Box::new(Wide::<crate::simd::avx512::Avx512, 2>::new(reals)),
            #[cfg(all(target_arch = "x86_64", not(kinlane_dev)))]
            (InstructionSet::Avx2, _) => Box::new(Wide::<crate::simd::avx2::Avx2, 2>::new(reals)),
            #[cfg(all(target_arch = "aarch64", kinlane_dev))]
            _ => Box::new(Wide::<crate::simd::neon::Neon, 4>::new(reals)),
            #[cfg(all(target_arch = "aarch64", not(kinlane_dev)))]
            (InstructionSet::Neon, _) => Box::new(Wide::<crate::simd::neon::Neon, 4>::new(reals)),
            #[cfg(not(kinlane_dev))]
            (InstructionSet::Portable, _) => Box::new(Wide::<Portable, 1>::new(reals)),
        }
    }
}
