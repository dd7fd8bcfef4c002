//! Where the elements of an arena are: doubles in one memory, single numbers in another, each without gaps.

use crate::program::{Op, Program, Statement, Store};
use kinlane_plan::machine::Array;
use kinlane_plan::precision::Precision;

/// The memories of a cell. Where nothing is single there is one, and elements are where the layout has them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Storage {
    precision: Precision,
    /// Ranges of the layout with single numbers, in order.
    single: Vec<(u32, u32)>,
    /// Those that hold no doubles at other times.
    only: Vec<(u32, u32)>,
}

impl Storage {
    /// Of a program.
    pub fn of(p: &Program) -> Self {
        let mut arrays = Vec::new();
        for f in &p.functions {
            arrays.extend(f.nodes.iter().filter_map(|n| if let Op::Get(s) = n.op { Some(s) } else { None }));
            collect(&f.body, &mut arrays);
        }
        let ranges = |single: bool| {
            let of = |s: &Store| match *s {
                Store::Fixed(a) if p.precision.single(a.grain) == single => Some((a.at, a.at + a.len)),
                _ => None,
            };
            joined(arrays.iter().filter_map(of).collect())
        };
        let (single, double) = (ranges(true), ranges(false));
        Self { precision: p.precision, only: without(&single, &double), single }
    }

    /// Whether an array of the layout is one of single numbers.
    pub fn is_single(&self, a: Array) -> bool {
        self.precision.single(a.grain)
    }

    /// Whether the program works with an array, if it is one of single numbers.
    pub fn holds(&self, a: Array) -> bool {
        self.single.iter().any(|r| r.0 <= a.at && a.at + a.len <= r.1)
    }

    /// Doubles of a cell whose layout has `len` elements.
    pub fn doubles(&self, len: usize) -> usize {
        len - total(&self.only, u32::MAX)
    }

    /// Single numbers of a cell.
    pub fn singles(&self) -> usize {
        total(&self.single, u32::MAX)
    }

    /// Where an array that starts at `at` in the layout starts in its memory.
    pub fn place(&self, at: u32, single: bool) -> u32 {
        if single { total(&self.single, at) as u32 } else { at - total(&self.only, at) as u32 }
    }
}

fn collect(body: &[Statement], arrays: &mut Vec<Store>) {
    for s in body {
        match s {
            Statement::Put(store, ..) => arrays.push(*store),
            Statement::Loop(l) => collect(&l.body, arrays),
            Statement::If(_, body) => collect(body, arrays),
            Statement::Call { stores, .. } => arrays.extend(stores),
            Statement::Define(_) => {}
        }
    }
}

/// Elements of the ranges below `end`.
fn total(ranges: &[(u32, u32)], end: u32) -> usize {
    ranges.iter().map(|r| r.1.min(end).saturating_sub(r.0) as usize).sum()
}

/// Disjoint ranges in order.
fn joined(mut ranges: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    ranges.sort_unstable();
    let mut all: Vec<(u32, u32)> = Vec::new();
    for r in ranges {
        match all.last_mut() {
            Some(last) if r.0 <= last.1 => last.1 = last.1.max(r.1),
            _ => all.push(r),
        }
    }
    all
}

/// What is in the ranges `a` and not in the ranges `b`, both disjoint and in order.
fn without(a: &[(u32, u32)], b: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut left = Vec::new();
    for &(start, hi) in a {
        let mut lo = start;
        for &(from, to) in b.iter().filter(|r| r.0 < hi && start < r.1) {
            if lo < from {
                left.push((lo, from));
            }
            lo = lo.max(to);
        }
        if lo < hi {
            left.push((lo, hi));
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_join_and_part() {
        assert_eq!(joined(vec![(5, 7), (0, 2), (2, 3), (6, 9), (20, 21)]), [(0, 3), (5, 9), (20, 21)]);
        assert_eq!(without(&[(0, 10), (20, 30)], &[(2, 3), (8, 22), (29, 40)]), [(0, 2), (3, 8), (22, 29)]);
        let s = Storage { single: vec![(2, 4), (8, 12)], only: vec![(2, 4), (10, 12)], ..Storage::default() };
        assert_eq!((s.singles(), s.doubles(20)), (6, 16));
        assert_eq!([s.place(8, true), s.place(8, false), s.place(12, false)], [2, 6, 8]);
    }
}
