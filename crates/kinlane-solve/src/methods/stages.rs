//! Weighted sums of stages, of which every Runge–Kutta and Rosenbrock method is made.

use kinlane_plan::machine::{Array, Machine, Real, array};

/// Largest number of stages of any method.
pub const STAGES: usize = 8;

/// `out := base + scale·Σ wⱼ kⱼ`, all stages of one element at a time. Without a base it is zero, without a
/// scale one.
#[inline(always)]
pub fn add_stages<M: Machine>(
    m: M,
    n: usize,
    base: Option<Array>,
    scale: Option<M::R>,
    out: Array,
    k: &[Array],
    w: &[f64],
) {
    #[inline(always)]
    fn of<M: Machine, const S: usize>(
        m: M,
        n: usize,
        base: Option<Array>,
        scale: Option<M::R>,
        out: Array,
        k: &[Array],
        w: &[f64],
    ) {
        m.function(
            "add_stages",
            #[inline(always)]
            || {
                let k: [Array; S] = array(
                    #[inline(always)]
                    |j| k[j],
                );
                let w: [M::R; S] = array(
                    #[inline(always)]
                    |j| {
                        scale.map_or(
                            m.lit(w[j]),
                            #[inline(always)]
                            |s| s * m.lit(w[j]),
                        )
                    },
                );
                m.all(
                    n,
                    #[inline(always)]
                    |s| {
                        let mut v = base.map_or(
                            m.lit(0.0),
                            #[inline(always)]
                            |base| m.get(base, s),
                        );
                        for (&w, &k) in w.iter().zip(&k) {
                            v = w.mul_add(m.get(k, s), v);
                        }
                        m.put(out, s, v);
                    },
                );
            },
        );
    }
    match k.len() {
        1 => of::<M, 1>(m, n, base, scale, out, k, w),
        2 => of::<M, 2>(m, n, base, scale, out, k, w),
        3 => of::<M, 3>(m, n, base, scale, out, k, w),
        4 => of::<M, 4>(m, n, base, scale, out, k, w),
        5 => of::<M, 5>(m, n, base, scale, out, k, w),
        6 => of::<M, 6>(m, n, base, scale, out, k, w),
        7 => of::<M, 7>(m, n, base, scale, out, k, w),
        _ => of::<M, STAGES>(m, n, base, scale, out, k, w),
    }
}
