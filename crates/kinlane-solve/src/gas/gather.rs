//! Runs [`Gather`] programs: sums over precomputed lists, entry by entry.

use kinlane_plan::machine::{Array, Machine};
use kinlane_plan::plan::Gather;

/// `dst[·] := Σ src[plus] − Σ src[minus] + Σ coef·src[extra]`.
#[inline(always)]
pub fn gather<M: Machine>(m: M, g: &Gather, src: Array, dst: Array) {
    m.function(
        "gather",
        #[inline(always)]
        || lists(m, g, src, dst),
    );
    spread(m, g, src, dst);
}

#[inline(always)]
fn lists<M: Machine>(m: M, g: &Gather, src: Array, dst: Array) {
    let (to, ptr, list) = (g.dst, g.ptr, g.src);
    let zero = m.lit(0.0);
    if g.paired {
        m.all(
            g.count,
            #[inline(always)]
            |i| {
                let at = i * 3;
                let (plus, minus, end) = (m.index(ptr, at), m.index(ptr, at + 1), m.index(ptr, at + 2));
                let two = |[a, b]: [M::R; 2], j: M::I| {
                    [a + m.get(src, m.index(list, j * 2)), b + m.get(src, m.index(list, j * 2 + 1))]
                };
                let [a, b] = m.folds(plus, minus, [zero; 2], two);
                let [c, d] = m.folds(minus, end, [zero; 2], two);
                m.put(dst, m.index(to, i), (a + b) - (c + d));
            },
        );
        return;
    }
    m.all(
        g.count,
        #[inline(always)]
        |i| {
            let at = i * 3;
            let (plus, minus, end) = (m.index(ptr, at), m.index(ptr, at + 1), m.index(ptr, at + 2));
            let s = m.fold(
                plus,
                minus,
                zero,
                #[inline(always)]
                |s, j| s + m.get(src, m.index(list, j)),
            );
            let s = m.fold(
                minus,
                end,
                s,
                #[inline(always)]
                |s, j| s - m.get(src, m.index(list, j)),
            );
            m.put(dst, m.index(to, i), s);
        },
    );
}

/// `dst[·] += coef·src[·]`, the terms in order.
#[inline(always)]
pub fn spread<M: Machine>(m: M, g: &Gather, src: Array, dst: Array) {
    use kinlane_plan::machine::Real;
    let (extra, coef) = (g.extra, g.coef);
    m.function(
        "spread",
        #[inline(always)]
        || {
            m.ordered(
                m.i(0),
                m.i(g.extras),
                #[inline(always)]
                |i| {
                    let (to, from) = (m.index(extra, i * 2), m.index(extra, i * 2 + 1));
                    m.put(dst, to, m.real(coef, i).mul_add(m.get(src, from), m.get(dst, to)));
                },
            );
        },
    );
}
