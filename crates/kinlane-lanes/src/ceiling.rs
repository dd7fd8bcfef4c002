//! What one core can do at best: the reference for the timing of kernels.

use crate::dispatch::{InstructionSet, Width, available};
use crate::simd::Register;
use std::hint::black_box;
use std::time::Instant;

/// Number of independent sums: more than the latency of a multiply-add times the number that start per cycle,
/// and few enough for sixteen registers.
const SUMS: usize = 12;
const ROUNDS: usize = 100_000;

/// Fused multiply-adds of one core on the widest registers \[GFLOP/s\], measured for about half a millisecond.
pub fn multiply_adds() -> f64 {
    // SAFETY: `available` has detected the instruction set of the widths that it lists.
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
    // SAFETY: the caller has detected the instruction set.
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
