//! Runs [`Gather`] and [`Products`] programs: sums over precomputed index lists, entry by entry.

use kinlane_plan::machine::{Array, Machine, Real};
use kinlane_plan::plan::{Gather, Lists, ProductLists, Products, SHORT, Scaled};

/// `dst[·] := Σ src[plus] − Σ src[minus] + Σ coef·src[extra]`.
#[inline(always)]
pub fn gather<M: Machine>(m: M, g: &Gather, src: Array, dst: Array) {
    m.function(
        "gather",
        #[inline(always)]
        || lists::<M, false, false>(m, g, [src; 2], dst),
    );
    spread(m, g, src, dst);
}

/// As [`gather`], with twice the digits, for programs of short lists alone: the rounding error of each addition is summed
/// as well (Ogita, Rump and Oishi 2005, algorithm 4.4). A rate that is rounded takes as much here as it brings there; a sum
/// that is rounded does not, and where rates of 1e12 times the net one balance, no reaction makes that good.
#[inline(always)]
pub fn exactly<M: Machine>(m: M, g: &Gather, src: Array, dst: Array) {
    let Lists { count, dst: to, ptr, src: list } = g.short;
    m.function(
        "gather_exactly",
        #[inline(always)]
        || {
            m.all(
                count,
                #[inline(always)]
                |i| {
                    let at = i * 3;
                    let (plus, minus, end) = (m.index(ptr, at), m.index(ptr, at + 1), m.index(ptr, at + 2));
                    let sum = m.folds(
                        plus,
                        minus,
                        [m.lit(0.0); 2],
                        #[inline(always)]
                        |sum, j| two_sum(sum, m.get(src, m.index(list, j))),
                    );
                    let [sum, lacks] = m.folds(
                        minus,
                        end,
                        sum,
                        #[inline(always)]
                        |sum, j| two_sum(sum, -m.get(src, m.index(list, j))),
                    );
                    m.put(dst, m.index(to, i), sum + lacks);
                },
            );
        },
    );
}

/// A sum and what it lacks, with one more term (Knuth).
#[inline(always)]
pub fn two_sum<R: Real>([sum, lacks]: [R; 2], x: R) -> [R; 2] {
    let new = sum + x;
    let added = new - sum;
    [new, lacks + ((sum - (new - added)) + (x - added))]
}

/// `dst[·] := Σ plus[plus] + Σ minus[minus] + Σ |coef|·(plus or minus, by sign)[extra]`.
#[inline(always)]
pub fn gather_both<M: Machine>(m: M, g: &Gather, plus: Array, minus: Array, dst: Array) {
    m.function(
        "gather_both",
        #[inline(always)]
        || {
            lists::<M, false, true>(m, g, [plus, minus], dst);
            let zero = m.lit(0.0);
            scaled(
                m,
                g.scaled,
                dst,
                #[inline(always)]
                |s, c, from| {
                    let less = zero.max(-c).mul_add(m.get(minus, from), s);
                    zero.max(c).mul_add(m.get(plus, from), less)
                },
            );
        },
    );
}

/// As [`gather`], added to what `dst` holds; for programs without long lists.
#[inline(always)]
pub fn add<M: Machine>(m: M, g: &Gather, src: Array, dst: Array) {
    m.function(
        "gather_onto",
        #[inline(always)]
        || lists::<M, true, false>(m, g, [src; 2], dst),
    );
    spread(m, g, src, dst);
}

/// `dst[·] := scale[·] Σ rates·act`.
#[inline(always)]
pub fn products<M: Machine>(m: M, g: &Products, arrays: [Array; 3], dst: Array) {
    for (terms, lists) in g.short.iter().enumerate() {
        match terms {
            0 => few::<M, 0>(m, lists, arrays, dst),
            1 => few::<M, 1>(m, lists, arrays, dst),
            2 => few::<M, 2>(m, lists, arrays, dst),
            3 => few::<M, 3>(m, lists, arrays, dst),
            4 => few::<M, 4>(m, lists, arrays, dst),
            5 => few::<M, 5>(m, lists, arrays, dst),
            6 => few::<M, 6>(m, lists, arrays, dst),
            7 => few::<M, 7>(m, lists, arrays, dst),
            _ => few::<M, SHORT>(m, lists, arrays, dst),
        }
    }
    let ([rates, act, scale], ProductLists { count, dst: to, src }, ptr) = (arrays, g.long, g.ptr);
    let term = |j: M::I| (m.get(rates, m.index(src, j * 2)), m.get(act, m.index(src, j * 2 + 1)));
    m.function(
        "many_products",
        #[inline(always)]
        || {
            m.all(
                count,
                #[inline(always)]
                |i| {
                    let [a, b] = m.folds(
                        m.index(ptr, i),
                        m.index(ptr, i + 1),
                        [m.lit(0.0); 2],
                        #[inline(always)]
                        |[a, b], j| {
                            let ((r, c), (s, d)) = (term(j * 2), term(j * 2 + 1));
                            [r.mul_add(c, a), s.mul_add(d, b)]
                        },
                    );
                    m.put(dst, m.index(to, i * 2), (a + b) * m.get(scale, m.index(to, i * 2 + 1)));
                },
            );
        },
    );
}

/// Entries that are sums of `N` terms each.
#[inline(always)]
fn few<M: Machine, const N: usize>(m: M, lists: &ProductLists, [rates, act, scale]: [Array; 3], dst: Array) {
    let ProductLists { count, dst: to, src } = *lists;
    if count == 0 {
        return;
    }
    m.function(
        "few_products",
        #[inline(always)]
        || {
            m.all(
                count,
                #[inline(always)]
                |i| {
                    if N == 0 {
                        m.put(dst, m.index(to, i * 2), m.lit(0.0));
                        return;
                    }
                    let at = i * (2 * N);
                    let mut s = m.get(rates, m.index(src, at)) * m.get(act, m.index(src, at + 1));
                    let mut j = 1;
                    while j < N {
                        let (rate, activity) = (m.index(src, at + 2 * j), m.index(src, at + (2 * j + 1)));
                        s = m.get(rates, rate).mul_add(m.get(act, activity), s);
                        j += 1;
                    }
                    m.put(dst, m.index(to, i * 2), s * m.get(scale, m.index(to, i * 2 + 1)));
                },
            );
        },
    );
}

#[inline(always)]
fn lists<M: Machine, const ONTO: bool, const SUM: bool>(m: M, g: &Gather, [src, less]: [Array; 2], dst: Array) {
    let zero = m.lit(0.0);
    let Lists { count, dst: to, ptr, src: list } = g.short;
    m.all(
        count,
        #[inline(always)]
        |i| {
            let at = i * 3;
            let (plus, minus, end) = (m.index(ptr, at), m.index(ptr, at + 1), m.index(ptr, at + 2));
            let start = if ONTO { m.get(dst, m.index(to, i)) } else { zero };
            let s = m.fold(
                plus,
                minus,
                start,
                #[inline(always)]
                |s, j| s + m.get(src, m.index(list, j)),
            );
            let s = m.fold(
                minus,
                end,
                s,
                #[inline(always)]
                |s, j| if SUM { s + m.get(less, m.index(list, j)) } else { s - m.get(less, m.index(list, j)) },
            );
            m.put(dst, m.index(to, i), s);
        },
    );
    if ONTO {
        return;
    }
    let Lists { count, dst: to, ptr, src: list } = g.long;
    m.all(
        count,
        #[inline(always)]
        |i| {
            let at = i * 3;
            let (plus, minus, end) = (m.index(ptr, at), m.index(ptr, at + 1), m.index(ptr, at + 2));
            let two = |src: Array, lo: M::I, hi: M::I| {
                let [a, b] = m.folds(
                    lo,
                    hi,
                    [zero; 2],
                    #[inline(always)]
                    |[a, b], j| [a + m.get(src, m.index(list, j * 2)), b + m.get(src, m.index(list, j * 2 + 1))],
                );
                a + b
            };
            let (more, less) = (two(src, plus, minus), two(less, minus, end));
            m.put(dst, m.index(to, i), if SUM { more + less } else { more - less });
        },
    );
}

/// `dst[·] += Σ coef·src[·]`, terms in order.
#[inline(always)]
pub fn spread<M: Machine>(m: M, g: &Gather, src: Array, dst: Array) {
    m.function(
        "spread",
        #[inline(always)]
        || {
            scaled(
                m,
                g.scaled,
                dst,
                #[inline(always)]
                |s, c, from| c.mul_add(m.get(src, from), s),
            );
        },
    );
}

/// What entries hold, with their scaled terms: `with` adds one, of a coefficient and a source.
#[inline(always)]
fn scaled<M: Machine>(m: M, g: Scaled, dst: Array, with: impl Fn(M::R, M::R, M::I) -> M::R + Copy) {
    let Scaled { count, dst: to, ptr, src, coef } = g;
    m.all(
        count,
        #[inline(always)]
        |i| {
            let at = m.index(to, i);
            let s = m.fold(
                m.index(ptr, i),
                m.index(ptr, i + 1),
                m.get(dst, at),
                #[inline(always)]
                |s, j| with(s, m.real(coef, j), m.index(src, j)),
            );
            m.put(dst, at, s);
        },
    );
}
