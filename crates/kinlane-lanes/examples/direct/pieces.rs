//! The direct side: loops over raw pointers, `K` registers of eight cells at every element.
#![allow(clippy::needless_range_loop, reason = "a register's number indexes pointers and arrays alike")]
#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "one SAFETY line for all: the caller has detected AVX-512 and has run the program that visits the same elements on the bounds-checked machine"
)]

use kinlane_plan::machine::{Array, Indices, Reals};
use kinlane_plan::plan::{Lists, NONE, Plan, ProductLists, ROWS};
use std::arch::x86_64::*;

/// The first register of an arena.
pub type Arena = *mut __m512d;

/// Arena and tables of a plan.
#[derive(Clone, Copy)]
struct Memory<'a> {
    arena: Arena,
    plan: &'a Plan,
}

impl Memory<'_> {
    #[inline(always)]
    unsafe fn array<const K: usize>(self, a: Array) -> Arena {
        unsafe { self.arena.add(a.at as usize * K) }
    }
    #[inline(always)]
    unsafe fn indices(self, t: Indices) -> *const u32 {
        unsafe { self.plan.tables.indices.as_ptr().add(t.at as usize) }
    }
    #[inline(always)]
    unsafe fn reals(self, t: Reals) -> *const f64 {
        unsafe { self.plan.tables.reals.as_ptr().add(t.at as usize) }
    }
}

#[inline(always)]
unsafe fn at(t: *const u32, i: usize) -> usize {
    unsafe { *t.add(i) as usize }
}

/// The numbers of `kinlane_plan::elementary`.
const LN2_HI: f64 = 0.693_147_180_559_890_3;
const LN2_LO: f64 = 5.497_923_018_708_371e-14;
const ROUND: f64 = kinlane_plan::elementary::ROUND;
const EXP: [f64; 9] = [
    2.747_679_947_143_556_6e-7,
    2.763_499_075_900_360_5e-6,
    2.480_193_171_079_23e-5,
    1.984_118_523_626_145_8e-4,
    1.388_888_851_623_397_7e-3,
    8.333_333_370_870_067e-3,
    4.166_666_666_813_646e-2,
    1.666_666_666_661_155_4e-1,
    4.999_999_999_999_832_4e-1,
];

#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,avx2,fma,bmi1,bmi2")]
fn exp(x: __m512d) -> __m512d {
    let round = _mm512_set1_pd(ROUND);
    let n = _mm512_sub_pd(_mm512_fmadd_pd(x, _mm512_set1_pd(std::f64::consts::LOG2_E), round), round);
    let r = _mm512_fnmadd_pd(n, _mm512_set1_pd(LN2_HI), x);
    let r = _mm512_fnmadd_pd(n, _mm512_set1_pd(LN2_LO), r);
    let q = _mm512_set1_pd(EXP[0]);
    let q = _mm512_fmadd_pd(q, r, _mm512_set1_pd(EXP[1]));
    let q = _mm512_fmadd_pd(q, r, _mm512_set1_pd(EXP[2]));
    let q = _mm512_fmadd_pd(q, r, _mm512_set1_pd(EXP[3]));
    let q = _mm512_fmadd_pd(q, r, _mm512_set1_pd(EXP[4]));
    let q = _mm512_fmadd_pd(q, r, _mm512_set1_pd(EXP[5]));
    let q = _mm512_fmadd_pd(q, r, _mm512_set1_pd(EXP[6]));
    let q = _mm512_fmadd_pd(q, r, _mm512_set1_pd(EXP[7]));
    let q = _mm512_fmadd_pd(q, r, _mm512_set1_pd(EXP[8]));
    let p = _mm512_add_pd(_mm512_fmadd_pd(_mm512_mul_pd(q, r), r, r), _mm512_set1_pd(1.0));
    _mm512_scalef_pd(p, n)
}

/// k = Tᵇ e^{−e/T} and ∂k/∂T.
///
/// # Safety
/// See the head of the file; so for all functions here.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,avx2,fma,bmi1,bmi2")]
pub unsafe fn arrhenius<const K: usize>(arena: Arena, plan: &Plan) {
    unsafe {
        let m = Memory { arena, plan };
        let kin = &plan.kinetics;
        let (k, k_t, q, q_t) =
            (m.array::<K>(kin.k), m.array::<K>(kin.k_t), m.array::<K>(kin.q), m.array::<K>(plan.jacobian.q_t));
        let (ln_t, inv_t) = (m.array::<K>(plan.cell.scalars.ln_t), m.array::<K>(plan.cell.scalars.inv_t));
        let pairs = m.reals(kin.exps);
        let last = kin.reactions * K;
        let rates = m.array::<K>(plan.jacobian.rates).add((plan.jacobian.rates.len as usize - 1) * K);
        let mut lt = [_mm512_setzero_pd(); K];
        let mut it = [_mm512_setzero_pd(); K];
        for c in 0..K {
            (lt[c], it[c]) = (*ln_t.add(c), *inv_t.add(c));
            *k.add(c) = _mm512_set1_pd(1.0);
            *k_t.add(c) = _mm512_setzero_pd();
            *q.add(last + c) = _mm512_setzero_pd();
            *q_t.add(last + c) = _mm512_setzero_pd();
            *rates.add(c) = _mm512_setzero_pd();
        }
        for i in 0..kin.exps.len as usize / 2 {
            let (b, e) = (_mm512_set1_pd(*pairs.add(2 * i)), _mm512_set1_pd(*pairs.add(2 * i + 1)));
            for c in 0..K {
                let x = exp(_mm512_fmsub_pd(b, lt[c], _mm512_mul_pd(e, it[c])));
                *k.add((i + 1) * K + c) = x;
                let slope = _mm512_mul_pd(_mm512_fmadd_pd(e, it[c], b), it[c]);
                *k_t.add((i + 1) * K + c) = _mm512_mul_pd(x, slope);
            }
        }
    }
}

/// Activities, then q of all reversible reactions of two reactants and two products, and with `JAC` its derivatives.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,avx2,fma,bmi1,bmi2")]
pub unsafe fn mass_action<const K: usize, const JAC: bool>(arena: Arena, plan: &Plan) {
    unsafe {
        let m = Memory { arena, plan };
        let kin = &plan.kinetics;
        let (conc, act) = (m.array::<K>(plan.cell.conc), m.array::<K>(plan.cell.act));
        let (minus, plus) = (m.array::<K>(plan.thermo.exp_minus), m.array::<K>(plan.thermo.exp_plus));
        let (k, k_t, h) = (m.array::<K>(kin.k), m.array::<K>(kin.k_t), m.array::<K>(plan.thermo.enthalpy));
        let inv_t = m.array::<K>(plan.cell.scalars.inv_t);
        let minus_act = act.add((plan.species + 1) * K);
        for i in 0..plan.species * K {
            *act.add(i) = _mm512_mul_pd(*conc.add(i), *plus.add(i));
            if JAC {
                *minus_act.add(i) = negated(*act.add(i));
            }
        }
        if JAC {
            for i in plan.species * K..(plan.species + 1) * K {
                (*act.add(i), *minus_act.add(i)) = (_mm512_set1_pd(1.0), _mm512_set1_pd(-1.0));
            }
        }
        let mut it = [_mm512_setzero_pd(); K];
        for c in 0..K {
            it[c] = *inv_t.add(c);
        }
        for class in &kin.mass_action {
            let (index, coef) = (m.indices(class.index), m.reals(class.coef));
            let q = m.array::<K>(kin.q).add(class.first * K);
            let q_t = m.array::<K>(plan.jacobian.q_t).add(class.first * K);
            let rates = m.array::<K>(plan.jacobian.rates).add(class.slot * K);
            for i in 0..class.count {
                let row = index.add(6 * i);
                let (place, a) = (at(row, 0) * K, _mm512_set1_pd(*coef.add(i)));
                let (r0, r1, s0, s1) = (at(row, 2) * K, at(row, 3) * K, at(row, 4) * K, at(row, 5) * K);
                for c in 0..K {
                    let x = _mm512_mul_pd(_mm512_mul_pd(a, *minus.add(r0 + c)), *minus.add(r1 + c));
                    let rate = _mm512_mul_pd(*k.add(place + c), x);
                    let (c0, c1, d0, d1) = (*act.add(r0 + c), *act.add(r1 + c), *act.add(s0 + c), *act.add(s1 + c));
                    let backward = _mm512_mul_pd(d0, d1);
                    let net = _mm512_sub_pd(_mm512_mul_pd(c0, c1), backward);
                    *q.add(i * K + c) = _mm512_mul_pd(rate, net);
                    if JAC {
                        *rates.add(i * K + c) = rate;
                        let u = _mm512_add_pd(*h.add(s0 + c), *h.add(s1 + c));
                        let u = _mm512_sub_pd(_mm512_sub_pd(u, *h.add(r0 + c)), *h.add(r1 + c));
                        let by_k = _mm512_mul_pd(_mm512_mul_pd(*k_t.add(place + c), x), net);
                        *q_t.add(i * K + c) =
                            _mm512_fmadd_pd(_mm512_mul_pd(rate, backward), _mm512_mul_pd(u, it[c]), by_k);
                    }
                }
            }
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,avx2,fma,bmi1,bmi2")]
fn negated(x: __m512d) -> __m512d {
    _mm512_xor_pd(x, _mm512_set1_pd(-0.0))
}

/// wdot from q: the short lists, then the long ones in pairs.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,avx2,fma,bmi1,bmi2")]
pub unsafe fn gather_paired<const K: usize>(arena: Arena, plan: &Plan) {
    unsafe {
        let m = Memory { arena, plan };
        let g = &plan.kinetics.wdot;
        let (src, dst) = (m.array::<K>(plan.kinetics.q), m.array::<K>(plan.cell.wdot));
        short_lists::<K>(m, &g.short, src, dst);
        let (to, ptr, list) = (m.indices(g.long.dst), m.indices(g.long.ptr), m.indices(g.long.src));
        for i in 0..g.long.count {
            let (plus, minus, end) = (at(ptr, 3 * i), at(ptr, 3 * i + 1), at(ptr, 3 * i + 2));
            let mut sums = [[_mm512_setzero_pd(); K]; 4];
            for j in plus..minus {
                let (x, y) = (at(list, 2 * j) * K, at(list, 2 * j + 1) * K);
                for c in 0..K {
                    sums[0][c] = _mm512_add_pd(sums[0][c], *src.add(x + c));
                    sums[1][c] = _mm512_add_pd(sums[1][c], *src.add(y + c));
                }
            }
            for j in minus..end {
                let (x, y) = (at(list, 2 * j) * K, at(list, 2 * j + 1) * K);
                for c in 0..K {
                    sums[2][c] = _mm512_add_pd(sums[2][c], *src.add(x + c));
                    sums[3][c] = _mm512_add_pd(sums[3][c], *src.add(y + c));
                }
            }
            let d = dst.add(at(to, i) * K);
            for c in 0..K {
                let (made, used) = (_mm512_add_pd(sums[0][c], sums[1][c]), _mm512_add_pd(sums[2][c], sums[3][c]));
                *d.add(c) = _mm512_sub_pd(made, used);
            }
        }
        spread::<K>(m, g, src, dst);
    }
}

/// Lists of few terms, one sum each.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,avx2,fma,bmi1,bmi2")]
unsafe fn short_lists<const K: usize>(m: Memory<'_>, lists: &Lists, src: Arena, dst: Arena) {
    unsafe {
        let (to, ptr, list) = (m.indices(lists.dst), m.indices(lists.ptr), m.indices(lists.src));
        for i in 0..lists.count {
            let (plus, minus, end) = (at(ptr, 3 * i), at(ptr, 3 * i + 1), at(ptr, 3 * i + 2));
            let mut sum = [_mm512_setzero_pd(); K];
            for j in plus..minus {
                let x = at(list, j) * K;
                for c in 0..K {
                    sum[c] = _mm512_add_pd(sum[c], *src.add(x + c));
                }
            }
            for j in minus..end {
                let x = at(list, j) * K;
                for c in 0..K {
                    sum[c] = _mm512_sub_pd(sum[c], *src.add(x + c));
                }
            }
            let d = dst.add(at(to, i) * K);
            for c in 0..K {
                *d.add(c) = sum[c];
            }
        }
    }
}

/// The species block of the Jacobian from rates and activities.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,avx2,fma,bmi1,bmi2")]
pub unsafe fn products<const K: usize>(arena: Arena, plan: &Plan) {
    unsafe {
        let m = Memory { arena, plan };
        let g = &plan.jacobian.products;
        few_products::<K, 1>(m, &g.short[1]);
        few_products::<K, 2>(m, &g.short[2]);
        few_products::<K, 3>(m, &g.short[3]);
        few_products::<K, 4>(m, &g.short[4]);
        few_products::<K, 5>(m, &g.short[5]);
        few_products::<K, 6>(m, &g.short[6]);
        few_products::<K, 7>(m, &g.short[7]);
        few_products::<K, 8>(m, &g.short[8]);
        let (rates, act) = (m.array::<K>(plan.jacobian.rates), m.array::<K>(plan.cell.act));
        let (scale, dst) = (m.array::<K>(plan.thermo.exp_plus), m.array::<K>(plan.jacobian.values));
        let zeros = m.indices(g.short[0].dst);
        for i in 0..g.short[0].count {
            for c in 0..K {
                *dst.add(at(zeros, 2 * i) * K + c) = _mm512_setzero_pd();
            }
        }
        let (to, src, ptr) = (m.indices(g.long.dst), m.indices(g.long.src), m.indices(g.ptr));
        for i in 0..g.long.count {
            let mut sums = [[_mm512_setzero_pd(); K]; 2];
            for j in at(ptr, i)..at(ptr, i + 1) {
                for (half, sum) in sums.iter_mut().enumerate() {
                    let term = src.add(4 * j + 2 * half);
                    let (r, a) = (at(term, 0) * K, at(term, 1) * K);
                    for c in 0..K {
                        sum[c] = _mm512_fmadd_pd(*rates.add(r + c), *act.add(a + c), sum[c]);
                    }
                }
            }
            let (d, s) = (dst.add(at(to, 2 * i) * K), scale.add(at(to, 2 * i + 1) * K));
            for c in 0..K {
                *d.add(c) = _mm512_mul_pd(_mm512_add_pd(sums[0][c], sums[1][c]), *s.add(c));
            }
        }
    }
}

/// Entries of `N` terms.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,avx2,fma,bmi1,bmi2")]
unsafe fn few_products<const K: usize, const N: usize>(m: Memory<'_>, lists: &ProductLists) {
    unsafe {
        let (rates, act) = (m.array::<K>(m.plan.jacobian.rates), m.array::<K>(m.plan.cell.act));
        let (scale, dst) = (m.array::<K>(m.plan.thermo.exp_plus), m.array::<K>(m.plan.jacobian.values));
        let (to, src) = (m.indices(lists.dst), m.indices(lists.src));
        for i in 0..lists.count {
            let term = src.add(2 * N * i);
            let mut sum = [_mm512_setzero_pd(); K];
            for c in 0..K {
                sum[c] = _mm512_mul_pd(*rates.add(at(term, 0) * K + c), *act.add(at(term, 1) * K + c));
            }
            for j in 1..N {
                let (r, a) = (at(term, 2 * j) * K, at(term, 2 * j + 1) * K);
                for c in 0..K {
                    sum[c] = _mm512_fmadd_pd(*rates.add(r + c), *act.add(a + c), sum[c]);
                }
            }
            let (d, s) = (dst.add(at(to, 2 * i) * K), scale.add(at(to, 2 * i + 1) * K));
            for c in 0..K {
                *d.add(c) = _mm512_mul_pd(sum[c], *s.add(c));
            }
        }
    }
}

/// What has other coefficients than ±1 and ±2.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,avx2,fma,bmi1,bmi2")]
unsafe fn spread<const K: usize>(m: Memory<'_>, g: &kinlane_plan::plan::Gather, src: Arena, dst: Arena) {
    unsafe {
        let (extra, coef) = (m.indices(g.extra), m.reals(g.coef));
        for i in 0..g.extras {
            let (to, from) = (at(extra, 2 * i) * K, at(extra, 2 * i + 1) * K);
            let x = _mm512_set1_pd(*coef.add(i));
            for c in 0..K {
                *dst.add(to + c) = _mm512_fmadd_pd(x, *src.add(from + c), *dst.add(to + c));
            }
        }
    }
}

/// The arrays and tables of the factorisation.
struct Factors {
    row: *const u32,
    diag: *const u32,
    col: *const u32,
    jac: Arena,
    values: Arena,
    inverse: Arena,
    work: Arena,
}

impl Factors {
    #[inline(always)]
    unsafe fn new<const K: usize>(m: Memory<'_>) -> Self {
        let lu = &m.plan.lu;
        unsafe {
            Self {
                row: m.indices(lu.row),
                diag: m.indices(lu.diag),
                col: m.indices(lu.col),
                jac: m.array::<K>(m.plan.jacobian.values),
                values: m.array::<K>(lu.factors.values),
                inverse: m.array::<K>(lu.factors.inverse),
                work: m.array::<K>(lu.factors.work),
            }
        }
    }

    /// d·I − J of one row into a working row.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,avx2,fma,bmi1,bmi2")]
    unsafe fn load<const K: usize>(&self, i: usize, work: Arena, d: __m512d) {
        unsafe {
            for e in at(self.row, i)..at(self.row, i + 1) {
                let j = at(self.col, e) * K;
                for c in 0..K {
                    *work.add(j + c) = negated(*self.jac.add(e * K + c));
                }
            }
            for c in 0..K {
                *work.add(i * K + c) = _mm512_add_pd(*work.add(i * K + c), d);
            }
        }
    }

    /// One row of U, times l, off a working row.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,avx2,fma,bmi1,bmi2")]
    unsafe fn eliminate<const K: usize>(&self, k: usize, e: usize, work: Arena) {
        unsafe {
            let mut l = [_mm512_setzero_pd(); K];
            for c in 0..K {
                l[c] = _mm512_mul_pd(*work.add(k * K + c), *self.inverse.add(k * K + c));
                *self.values.add(e * K + c) = l[c];
            }
            for u in at(self.diag, k) + 1..at(self.row, k + 1) {
                let w = work.add(at(self.col, u) * K);
                for c in 0..K {
                    *w.add(c) = _mm512_fnmadd_pd(l[c], *self.values.add(u * K + c), *w.add(c));
                }
            }
        }
    }

    /// A finished working row into the factors.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,avx2,fma,bmi1,bmi2")]
    unsafe fn store<const K: usize>(&self, i: usize, work: Arena) {
        unsafe {
            for e in at(self.diag, i)..at(self.row, i + 1) {
                let j = at(self.col, e) * K;
                for c in 0..K {
                    *self.values.add(e * K + c) = *work.add(j + c);
                }
            }
            for c in 0..K {
                *self.inverse.add(i * K + c) = _mm512_div_pd(_mm512_set1_pd(1.0), *work.add(i * K + c));
            }
        }
    }

    /// One row of U off `N` working rows at once.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,avx2,fma,bmi1,bmi2")]
    unsafe fn eliminate_many<const K: usize, const N: usize>(&self, k: usize, rows: *const u32) {
        unsafe {
            let mut work = [self.work; N];
            let mut l = [[_mm512_setzero_pd(); K]; N];
            for i in 0..N {
                work[i] = self.work.add(at(rows, i) * K);
                for c in 0..K {
                    l[i][c] = _mm512_mul_pd(*work[i].add(k * K + c), *self.inverse.add(k * K + c));
                    *work[i].add(k * K + c) = l[i][c];
                }
            }
            for u in at(self.diag, k) + 1..at(self.row, k + 1) {
                let j = at(self.col, u) * K;
                let mut x = [_mm512_setzero_pd(); K];
                for c in 0..K {
                    x[c] = *self.values.add(u * K + c);
                }
                for i in 0..N {
                    for c in 0..K {
                        let w = work[i].add(j + c);
                        *w = _mm512_fnmadd_pd(l[i][c], x[c], *w);
                    }
                }
            }
        }
    }

    /// Two rows of U off `N` working rows at once; `item` as in the plan. Returns the next item.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,avx2,fma,bmi1,bmi2")]
    unsafe fn eliminate_two<const K: usize, const N: usize>(&self, item: *const u32) -> *const u32 {
        unsafe {
            let (k, l, cross) = (at(item, 2), at(item, 3), at(item, 4));
            let (both, alone) = (at(item, 5), [at(item, 6), at(item, 7)]);
            let mut work = [self.work; N];
            let mut by = [[[_mm512_setzero_pd(); K]; N]; 2];
            for i in 0..N {
                work[i] = self.work.add(at(item, 8 + i) * K);
                for c in 0..K {
                    let (w, x) = (work[i].add(k * K + c), work[i].add(l * K + c));
                    by[0][i][c] = _mm512_mul_pd(*w, *self.inverse.add(k * K + c));
                    *w = by[0][i][c];
                    if cross != NONE as usize {
                        *x = _mm512_fnmadd_pd(by[0][i][c], *self.values.add(cross * K + c), *x);
                    }
                    by[1][i][c] = _mm512_mul_pd(*x, *self.inverse.add(l * K + c));
                    *x = by[1][i][c];
                }
            }
            let mut e = item.add(8 + N);
            for _ in 0..both {
                let (x, y, j) = (at(e, 0) * K, at(e, 1) * K, at(e, 2) * K);
                for i in 0..N {
                    for c in 0..K {
                        let w = work[i].add(j + c);
                        let once = _mm512_fnmadd_pd(by[0][i][c], *self.values.add(x + c), *w);
                        *w = _mm512_fnmadd_pd(by[1][i][c], *self.values.add(y + c), once);
                    }
                }
                e = e.add(3);
            }
            for row in 0..2 {
                for _ in 0..alone[row] {
                    let (x, j) = (at(e, 0) * K, at(e, 1) * K);
                    for i in 0..N {
                        for c in 0..K {
                            let w = work[i].add(j + c);
                            *w = _mm512_fnmadd_pd(by[row][i][c], *self.values.add(x + c), *w);
                        }
                    }
                    e = e.add(2);
                }
            }
            e
        }
    }
}

/// The factorisation of `kinlane_plan::lu`.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,avx2,fma,bmi1,bmi2")]
pub unsafe fn lu_rows<const K: usize>(arena: Arena, plan: &Plan, d: f64) {
    unsafe {
        let (f, d) = (Factors::new::<K>(Memory { arena, plan }), _mm512_set1_pd(d));
        for i in 0..plan.lu.n {
            f.load::<K>(i, f.work, d);
            for e in at(f.row, i)..at(f.diag, i) {
                f.eliminate::<K>(at(f.col, e), e, f.work);
            }
            f.store::<K>(i, f.work);
        }
    }
}

/// The factorisation of the lanes: up to four rows at once, by two rows of U where they go together.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,avx2,fma,bmi1,bmi2")]
pub unsafe fn lu_blocks<const K: usize>(arena: Arena, plan: &Plan, d: f64) {
    unsafe {
        let m = Memory { arena, plan };
        let (f, d) = (Factors::new::<K>(m), _mm512_set1_pd(d));
        let blocks = &plan.lu.blocks;
        let (start, steps, items) = (m.indices(blocks.start), m.indices(blocks.steps), m.indices(blocks.items));
        for b in 0..blocks.start.len as usize - 1 {
            let (first, next) = (at(start, b), at(start, b + 1));
            let work = |r: usize| f.work.add((r - first) * plan.lu.n * K);
            for r in first..next {
                f.load::<K>(r, work(r), d);
            }
            let (mut item, end) = (items.add(at(steps, b)), items.add(at(steps, b + 1)));
            while item < end {
                let (k, count, rows) = (at(item, 2), at(item, 1), item.add(3));
                if at(item, 0) == 2 {
                    item = match count {
                        1 => f.eliminate_two::<K, 1>(item),
                        2 => f.eliminate_two::<K, 2>(item),
                        3 => f.eliminate_two::<K, 3>(item),
                        _ => f.eliminate_two::<K, ROWS>(item),
                    };
                    continue;
                }
                match count {
                    1 => f.eliminate_many::<K, 1>(k, rows),
                    2 => f.eliminate_many::<K, 2>(k, rows),
                    3 => f.eliminate_many::<K, 3>(k, rows),
                    _ => f.eliminate_many::<K, ROWS>(k, rows),
                }
                item = rows.add(count);
            }
            for r in first..next {
                let work = work(r);
                for e in at(f.row, r)..at(f.diag, r) {
                    let k = at(f.col, e);
                    if k >= first {
                        f.eliminate::<K>(k, e, work);
                        continue;
                    }
                    for c in 0..K {
                        *f.values.add(e * K + c) = *work.add(k * K + c);
                    }
                }
                f.store::<K>(r, work);
            }
        }
    }
}
