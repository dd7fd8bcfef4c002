//! Every operation of every register that this processor has, beside the same operation on plain numbers: bit by bit,
//! with signed zeros, subnormal numbers, infinities and NaN.
#![allow(unsafe_code, reason = "the registers are only entered by way of it")]

#[path = "../src/simd/mod.rs"]
#[allow(dead_code, reason = "only what single operations need")]
mod simd;

use kinlane_lanes::{InstructionSet, available};
use kinlane_plan::elementary::{Parts, ROUND};
use kinlane_plan::machine::Real;
use simd::{Pack, Register};

/// Numbers of which each is paired with each.
fn numbers() -> Vec<f64> {
    let mut x = vec![0.0, 5e-324, 3.3e-310, f64::MIN_POSITIVE, 1e-200, 0.4, 0.75, 1.0 - f64::EPSILON, 1.0];
    x.extend([1.0 + f64::EPSILON, 1.5 - f64::EPSILON, 1.5, 2.0, 54.0, 708.3, 709.7, 710.0, 744.9, 745.2, 2001.0, 1e14]);
    x.extend([1e200, f64::MAX, f64::INFINITY]);
    x.extend((1..40).map(|i| 3f64.powi(i - 10) / 7.0));
    x.extend(x.clone().iter().map(|x| -x));
    x.push(f64::NAN);
    x
}

const NAMES: [&str; 21] = [
    "sum",
    "difference",
    "product",
    "quotient",
    "mul_add",
    "sqrt",
    "minus",
    "abs",
    "max",
    "min",
    "exp",
    "exp_both, up",
    "exp_both, down",
    "ln",
    "scale",
    "split, mantissa",
    "split, exponent",
    "lt",
    "le",
    "and",
    "or, not",
];

/// Each operation on two numbers, in the order of `NAMES`. Arguments are bounded where an operation is only meant for
/// some.
#[inline(always)]
fn all<R: Parts>(a: R, b: R) -> [R; NAMES.len()] {
    let lit = R::lit;
    let flag = |mask| R::select(mask, lit(1.0), lit(2.0));
    let moderate = a.min(lit(1e14)).max(lit(-1e14));
    let (up, down) = moderate.exp_both();
    let (m, e) = a.abs().max(lit(5e-324)).min(lit(f64::MAX)).split();
    let n = b.min(lit(3000.0)).max(lit(-3000.0)) + lit(ROUND) - lit(ROUND);
    [
        a + b,
        a - b,
        a * b,
        a / b,
        a.mul_add(b, lit(0.3)),
        a.sqrt(),
        -a,
        a.abs(),
        a.max(b),
        a.min(b),
        moderate.exp(),
        up,
        down,
        a.ln(),
        m.scale(n),
        m,
        e,
        flag(a.lt(b)),
        flag(a.le(b)),
        flag(R::and(a.lt(b), lit(0.0).le(a))),
        flag(R::or(R::not(a.le(b)), b.lt(lit(0.0)))),
    ]
}

/// # Safety
/// The instruction set of `V` must have been detected.
unsafe fn check<V: Register>(set: &str) {
    assert_eq!(size_of::<V>(), V::LANES * 8);
    let x = numbers();
    let pairs: Vec<[f64; 2]> = x.iter().flat_map(|&a| x.iter().map(move |&b| [a, b])).collect();
    for chunk in pairs.chunks_exact(V::LANES) {
        let a: Vec<f64> = chunk.iter().map(|p| p[0]).collect();
        let b: Vec<f64> = chunk.iter().map(|p| p[1]).collect();
        let mut got = vec![0.0f64; V::LANES * NAMES.len()];
        let less = std::cell::Cell::new(false);
        let (from, to) = ([a.as_ptr(), b.as_ptr()], got.as_mut_ptr());
        // SAFETY: the caller's; a register is `V::LANES` numbers, which `a` and `b` have, and `got` for each name.
        unsafe {
            V::call(
                #[inline(always)]
                || {
                    let [a, b] = from.map(
                        #[inline(always)]
                        |p| p.cast::<Pack<V, 1>>().read_unaligned(),
                    );
                    to.cast::<[Pack<V, 1>; NAMES.len()]>().write_unaligned(all(a, b));
                    less.set(Pack::<V, 1>::any(a.lt(b)));
                },
            );
        }
        assert_eq!(less.get(), chunk.iter().any(|[a, b]| a < b), "{set}: any of {chunk:?}");
        for (lane, &[a, b]) in chunk.iter().enumerate() {
            for (i, (name, want)) in NAMES.iter().zip(all(a, b)).enumerate() {
                let got = got[i * V::LANES + lane];
                let equal = got.to_bits() == want.to_bits() || (got.is_nan() && want.is_nan());
                assert!(equal, "{set}: {name} of {a:e} and {b:e} is {got:e}, not {want:e}");
            }
        }
    }
}

#[test]
fn registers_compute_what_plain_numbers_do() {
    for width in available() {
        // SAFETY: `available` has detected the set of the widths it lists.
        unsafe {
            match width.set() {
                #[cfg(target_arch = "x86_64")]
                InstructionSet::Avx512 => check::<simd::avx512::Avx512>("avx512"),
                #[cfg(target_arch = "x86_64")]
                InstructionSet::Avx2 => check::<simd::avx2::Avx2>("avx2"),
                #[cfg(target_arch = "aarch64")]
                InstructionSet::Neon => check::<simd::neon::Neon>("neon"),
                // Arrays of plain numbers; they may round multiply-adds twice.
                InstructionSet::Portable => {}
            }
        }
    }
}
