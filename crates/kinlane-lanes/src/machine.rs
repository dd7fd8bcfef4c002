//! The lanes machine: every element of the arena is a pack with one number per cell.

use crate::simd::{Pack, Register};
use kinlane_plan::lu::Factors;
use kinlane_plan::machine::{Array, Indices, Machine, Reals};
use kinlane_plan::number::Entries;
use kinlane_plan::plan::Lu;
use kinlane_plan::tables::Tables;
use std::marker::PhantomData;

/// Pointers to one thread's arena and to the plan's tables. `Copy` and passed by value, so that the pointers
/// live in registers. Indices are not checked, except in debug builds (see [`Lanes::new`]). The address of an
/// element is that of its array plus the index, added in this order, so that a loop keeps one register per
/// array.
pub struct Lanes<'a, V, const K: usize> {
    arena: *mut Pack<V, K>,
    reals: *const f64,
    indices: *const u32,
    _owner: PhantomData<&'a mut [Pack<V, K>]>,
}

impl<V, const K: usize> Clone for Lanes<'_, V, K> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<V, const K: usize> Copy for Lanes<'_, V, K> {}

impl<'a, V: Register, const K: usize> Lanes<'a, V, K> {
    /// A machine over an arena of the layout's length.
    ///
    /// # Safety
    /// The instruction set of `V` must have been detected. The programs run on this machine must have been
    /// run by the bounds-checked scalar machine on the same plan: which elements a program visits does not
    /// depend on data, so it then stays inside `arena` and `tables`.
    pub unsafe fn new(tables: &'a Tables, arena: &'a mut [Pack<V, K>]) -> Self {
        Self {
            arena: arena.as_mut_ptr(),
            reals: tables.reals.as_ptr(),
            indices: tables.indices.as_ptr(),
            _owner: PhantomData,
        }
    }
}

impl<V: Register, const K: usize> Machine for Lanes<'_, V, K> {
    type R = Pack<V, K>;
    type I = usize;

    #[inline(always)]
    fn i(self, i: usize) -> usize {
        i
    }
    #[inline(always)]
    fn get(self, a: Array, i: usize) -> Pack<V, K> {
        debug_assert!(i < a.len as usize);
        // SAFETY: inside the arena, see `new`.
        unsafe { *self.arena.add(a.at as usize).add(i) }
    }
    #[inline(always)]
    fn put(self, a: Array, i: usize, x: Pack<V, K>) {
        debug_assert!(i < a.len as usize);
        // SAFETY: inside the arena, see `new`; no reference into the arena exists while a machine does.
        unsafe { *self.arena.add(a.at as usize).add(i) = x }
    }
    #[inline(always)]
    fn real(self, t: Reals, i: usize) -> Pack<V, K> {
        debug_assert!(i < t.len as usize);
        // SAFETY: inside the table, see `new`.
        let x = unsafe { *self.reals.add(t.at as usize).add(i) };
        Pack([V::splat(x); K])
    }
    #[inline(always)]
    fn index(self, t: Indices, i: usize) -> usize {
        debug_assert!(i < t.len as usize);
        // SAFETY: inside the table, see `new`.
        unsafe { *self.indices.add(t.at as usize).add(i) as usize }
    }
    #[inline(always)]
    fn each(self, lo: usize, hi: usize, f: impl Fn(usize)) {
        let mut i = lo;
        while i < hi {
            f(i);
            i += 1;
        }
    }
    #[inline(always)]
    fn ordered(self, lo: usize, hi: usize, f: impl Fn(usize)) {
        self.each(lo, hi, f);
    }
    #[inline(always)]
    fn fold(self, lo: usize, hi: usize, init: Pack<V, K>, f: impl Fn(Pack<V, K>, usize) -> Pack<V, K>) -> Pack<V, K> {
        let mut x = init;
        let mut i = lo;
        while i < hi {
            x = f(x, i);
            i += 1;
        }
        x
    }
    #[inline(always)]
    fn folds<const N: usize>(
        self,
        lo: usize,
        hi: usize,
        init: [Pack<V, K>; N],
        f: impl Fn([Pack<V, K>; N], usize) -> [Pack<V, K>; N],
    ) -> [Pack<V, K>; N] {
        let mut x = init;
        let mut i = lo;
        while i < hi {
            x = f(x, i);
            i += 1;
        }
        x
    }
    #[inline(always)]
    fn if_any(self, mask: [V::Mask; K], f: impl Fn()) {
        if Pack::<V, K>::any(mask) {
            f();
        }
    }
    #[inline(always)]
    fn mirror(self, i: usize, n: usize) -> usize {
        n - 1 - i
    }
    #[inline(always)]
    fn factor<E: Entries<Self>>(self, lu: &Lu, f: &Factors<E>, jac: Array, d: E::X) {
        crate::factor::factor(self, lu, f, jac, d);
    }
    #[inline(always)]
    fn function(self, _name: &'static str, f: impl Fn()) {
        // SAFETY: the instruction set of `V` was detected, see `new`.
        unsafe { V::call(f) }
    }
}
