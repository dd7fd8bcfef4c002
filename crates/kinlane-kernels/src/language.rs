//! The languages of devices, and how cells are mapped to threads in them.

use kinlane_emit::{CUDA, CUDA_TOGETHER, Dialect, OPENCL};

/// A language that drivers compile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// OpenCL C.
    OpenCl,
    /// CUDA C++.
    Cuda,
}

impl Language {
    pub(crate) fn dialect(self, mapping: Mapping) -> Dialect {
        let d = match self {
            Self::OpenCl => OPENCL,
            Self::Cuda => CUDA,
        };
        match mapping {
            Mapping::Group { tile: 2.., .. } => CUDA_TOGETHER,
            Mapping::Group { .. } => d.grouped(),
            // Inlining long functions into one another would need too many registers.
            Mapping::Thread { unrolled: true, .. } => Dialect { called_once: d.function, ..d },
            Mapping::Thread { .. } => d,
        }
    }

    /// Definitions that the printed programs use, for the language and the mapping; and whether factors are in registers.
    pub(crate) fn head(self, mapping: Mapping, in_registers: bool) -> String {
        let space = if self == Self::OpenCl { "__global" } else { "" };
        // Without bounds a compiler takes as many registers as it likes, and few threads fit on a
        // multiprocessor.
        let bounds = |threads: usize| match self {
            Self::OpenCl => String::new(),
            Self::Cuda => {
                let groups = match mapping {
                    Mapping::Group { tile: 2.., .. } if in_registers => PARTS_ABREAST,
                    _ => abreast(threads, WARP),
                };
                format!("#define BOUNDS __launch_bounds__({threads}, {groups})\n")
            }
        };
        match mapping {
            Mapping::Thread { tile, .. } => {
                format!("#define TILE {tile}\n#define SPACE {space}\n{}", bounds(GROUPS * tile))
            }
            Mapping::Group { size, tile } => {
                let (id, sync) = match self {
                    _ if size == 1 => ("0", ""),
                    _ if tile > 1 => ("(threadIdx.x % SIZE)", "__syncwarp(m)"),
                    Self::OpenCl => ("get_local_id(0)", "barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE)"),
                    // The threads of one warp wait only for each other.
                    Self::Cuda if size <= WARP => ("threadIdx.x", "__syncwarp()"),
                    Self::Cuda => ("threadIdx.x", "__syncthreads()"),
                };
                let someone = if tile > 1 { "#define SOMEONE(x) __any_sync(m, x)\n" } else { "" };
                // All threads of a warp attempt steps together.
                let from = match self {
                    Self::Cuda if size <= WARP => "#define FROM(x, thread) __shfl_sync(0xffffffffu, x, thread, SIZE)\n",
                    _ => "",
                };
                format!(
                    "#define TILE {tile}\n#define SPACE {space}\n#define ID {id}\n#define SIZE {size}\n#define SYNC {sync}\n{someone}{from}{}",
                    bounds(size * tile)
                )
            }
        }
    }

    /// Definitions that kernels need in this language.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::OpenCl => include_str!("around/opencl.h"),
            Self::Cuda => include_str!("around/cuda.h"),
        }
    }
}

/// Kernels that measure what a device can do at most: `multiply_adds` and `copies`.
pub fn ceilings(language: Language) -> String {
    [language.words(), include_str!("around/ceilings.c")].concat()
}

/// How cells are mapped to threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mapping {
    /// One cell per thread; corresponding elements of `tile` cells are adjacent.
    Thread {
        /// Number of threads that run in step.
        tile: usize,
        /// Whether loops are written out.
        unrolled: bool,
    },
    /// One cell per group of threads.
    Group {
        /// Number of threads per group.
        size: usize,
        /// Number of such groups that run in step, as parts of a warp; corresponding elements of their cells are adjacent.
        tile: usize,
    },
}

/// The memory that a work group shares, as far as cells may use it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Near {
    /// Number of cells per work group.
    pub cells: usize,
    /// Doubles per cell.
    pub doubles: usize,
}

/// Groups of threads in step per work group of a card: enough to hide latency, few enough for many registers.
pub const GROUPS: usize = 2;

/// Number of threads that run in step, on all CUDA cards so far.
pub const WARP: usize = 32;

/// Number of groups of threads in step that should fit on a card's multiprocessor, to hide latency. With
/// fourteen of 32 threads, a thread may have 146 registers. Where each thread has a cell, the cell has 62
/// doubles of shared memory, enough for the most used data of GRI-3.0; where 32 threads share a cell, 15 KiB,
/// enough for its matrix.
const ABREAST: usize = 14;

/// The same for parts of a warp with factors in registers: a thread then takes 168 registers, and twelve groups fit. Fewer cells on
/// a card leave more of their factors in its cache; measured, see `docs/decisions/0046-factors-in-registers.md`.
const PARTS_ABREAST: usize = 10;

/// Number of work groups of `threads`, of which `width` run in step, that should fit on a multiprocessor.
pub fn abreast(threads: usize, width: usize) -> usize {
    (ABREAST * width / threads).max(1)
}
