//! What one core could do at best: the measure beside which kernels are timed.

use crate::dispatch::{InstructionSet, Width, available};
use crate::simd::Register;
use std::hint::black_box;
use std::time::Instant;

/// Sums in flight: more than the latency of a multiply-add times those that start in a cycle, and few enough that
/// sixteen registers hold them.
const SUMS: usize = 12;
const ROUNDS: usize = 100_000;

/// Fused multiply-adds of one core on the widest registers \[GFLOP/s\], measured for about half a millisecond.
pub fn multiply_adds() -> f64 {
    // SAFETY: `available` has detected the set of the widths it lists.
    unsafe {
        match available().first().map_or(InstructionSet::Portable, Width::set) {
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => measure::<crate::simd::avx512::Avx512>(),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => measure::<crate::simd::avx2::Avx2>(),
            #[cfg(target_arch = "aarch64")]
            InstructionSet::Neon => measure::<crate::simd::neon::Neon>(),
            InstructionSet::Portable => measure::<crate::simd::portable::Portable>(),
        }
    }
}

/// # Safety
/// The instruction set of `V` must have been detected.
unsafe fn measure<V: Register>() -> f64 {
    let start = Instant::now();
    // SAFETY: the caller's.
    unsafe {
        V::call(
            #[inline(always)]
            || {
                let (half, mut sums) = (V::splat(black_box(0.5)), [V::splat(black_box(1.0)); SUMS]);
                for _ in 0..ROUNDS {
                    let mut i = 0;
                    while i < SUMS {
                        sums[i] = sums[i].fma(half, half);
                        i += 1;
                    }
                }
                black_box(sums);
            },
        );
    }
    (2 * V::LANES * SUMS * ROUNDS) as f64 / start.elapsed().as_secs_f64() / 1e9
}
