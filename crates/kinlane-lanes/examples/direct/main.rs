//! What the trait `Machine` costs: pieces of GRI-3.0's rates, Jacobian and factorisation as the lanes machine runs
//! them, against the same written directly in AVX-512 intrinsics over raw pointers (`pieces.rs`).
//!
//! Both sides take turns, slice by slice, in one arena and over the same tables; every number they leave behind is
//! compared bit by bit. See `docs/decisions/0002-machine.md`.
#![allow(unsafe_code, reason = "the direct side is intrinsics and raw pointers")]

#[cfg(target_arch = "x86_64")]
#[path = "../common/mod.rs"]
mod common;
#[cfg(target_arch = "x86_64")]
mod compare;
#[cfg(target_arch = "x86_64")]
mod pieces;

#[cfg(target_arch = "x86_64")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    if !kinlane_lanes::available().iter().any(|w| w.set == "avx512") {
        println!("this processor has no AVX-512");
        return Ok(());
    }
    println!("| piece | registers | machine, µs per cell | direct, µs per cell | machine/direct |");
    println!("|---|---|---|---|---|");
    // SAFETY: AVX-512 was detected.
    unsafe {
        compare::all::<1>()?;
        compare::all::<2>()
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn main() {
    println!("the direct side is written for AVX-512");
}
