//! Places of the elements of an arena: doubles in one memory, single-precision numbers in another, and
//! doubles that are to be near in a third, each without gaps.

use crate::blocks::Blocks;
use crate::program::{Program, Statement, Store, walk};
use kinlane_plan::machine::Array;
use kinlane_plan::precision::Precision;

/// A memory of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Memory {
    /// Doubles.
    #[default]
    Double,
    /// Single-precision numbers.
    Single,
    /// Doubles that are near: in the memory that a work group shares.
    Near,
}

/// From one element of the layout to one past the last.
pub type Range = (u32, u32);

/// Which arrays are kept in which memory.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Placing {
    /// The precision of arrays.
    pub precision: Precision,
    /// Ranges of the layout whose doubles are near, disjoint and in order; each array is near as a whole or
    /// not at all. See [`near`].
    pub near: Vec<Range>,
    /// Whether several threads share a cell; then triangular systems are solved by columns.
    pub shared: bool,
    /// Factors in the registers of a group.
    pub blocks: Option<Blocks>,
}

impl Placing {
    /// The memory of an array.
    pub fn memory(&self, a: Array) -> Memory {
        if self.precision.single(a.grain) {
            Memory::Single
        } else if a.len > 0 && self.near.iter().any(|r| r.0 <= a.at && a.at < r.1) {
            Memory::Near
        } else {
            Memory::Double
        }
    }
}

/// The memories of a cell. If nothing is single or near there is one memory, with elements in the places of
/// the layout.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Storage {
    placing: Placing,
    /// Ranges of the layout with single-precision numbers, in order.
    single: Vec<Range>,
    /// Ranges that hold only single-precision or near numbers, so that the memory of doubles leaves them out.
    only: Vec<Range>,
}

impl Storage {
    /// The memories for a program.
    pub fn of(p: &Program) -> Self {
        let arrays = arrays(p);
        let ranges =
            |memory: Memory| joined(arrays.iter().filter(|&&a| p.placing.memory(a) == memory).map(range).collect());
        let (single, double) = (ranges(Memory::Single), ranges(Memory::Double));
        let only = joined(single.iter().chain(&p.placing.near).copied().collect());
        Self { placing: p.placing.clone(), only: without(&only, &double), single }
    }

    /// The memory of an array of the layout.
    pub fn memory(&self, a: Array) -> Memory {
        self.placing.memory(a)
    }

    /// Whether the program uses an array, if the array is in single precision.
    pub fn holds(&self, a: Array) -> bool {
        self.single.iter().any(|r| r.0 <= a.at && a.at + a.len <= r.1)
    }

    /// Number of doubles of a cell whose layout has `len` elements, without the near ones.
    pub fn doubles(&self, len: usize) -> usize {
        len - total(&self.only, u32::MAX)
    }

    /// Number of single-precision numbers of a cell.
    pub fn singles(&self) -> usize {
        total(&self.single, u32::MAX)
    }

    /// Number of near doubles of a cell.
    pub fn near(&self) -> usize {
        total(&self.placing.near, u32::MAX)
    }

    /// Where an array that starts at `at` in the layout starts in its memory.
    pub fn place(&self, at: u32, memory: Memory) -> u32 {
        match memory {
            Memory::Double => at - total(&self.only, at) as u32,
            Memory::Single => total(&self.single, at) as u32,
            Memory::Near => total(&self.placing.near, at) as u32,
        }
    }
}

/// Those of the arrays `wanted`, the first ones first, that fit in `most` doubles, as ranges of the layout.
/// Arrays that share their place at other times are moved with them; so an array is left out if it shares its
/// place with one of `others`, which must not move.
pub fn near(p: &Program, wanted: &[Array], others: &[Array], most: usize) -> Vec<Range> {
    let doubles = arrays(p).into_iter().filter(|a| !p.placing.precision.single(a.grain));
    let (used, others) = (joined(doubles.map(|a| range(&a)).collect()), joined(others.iter().map(range).collect()));
    let pieces: Vec<Range> = arrays(p).iter().map(range).collect();
    let mut near: Vec<Range> = Vec::new();
    for a in wanted {
        let mut own = range(a);
        // Grows as long as an array extends beyond it.
        while let Some(r) = pieces.iter().find(|r| overlap(**r, own) && (r.0 < own.0 || own.1 < r.1)) {
            own = (own.0.min(r.0), own.1.max(r.1));
        }
        let more = joined(near.iter().copied().chain([own]).collect());
        let is_used = used.iter().any(|&r| overlap(r, own));
        if is_used && !others.iter().any(|&r| overlap(r, own)) && total(&more, u32::MAX) <= most {
            near = more;
        }
    }
    near
}

fn range(a: &Array) -> Range {
    (a.at, a.at + a.len)
}

fn overlap(a: Range, b: Range) -> bool {
    a.0 < b.1 && b.0 < a.1
}

/// All arrays that a program reads, writes or passes to functions.
fn arrays(p: &Program) -> Vec<Array> {
    let mut stores = Vec::new();
    for f in &p.functions {
        stores.extend(f.nodes.iter().filter_map(|n| n.op.store()));
        walk(&f.body, &mut |s| match s {
            Statement::Put(store, ..) | Statement::PutOwn(store, ..) => stores.push(*store),
            Statement::Call { stores: passed, .. } => stores.extend(passed),
            Statement::Define(_) | Statement::Loop(_) | Statement::If(..) => {}
        });
    }
    let fixed = |s: Store| if let Store::Fixed(a) = s { Some(a) } else { None };
    let mut all: Vec<Array> = stores.into_iter().filter_map(fixed).collect();
    all.sort_unstable_by_key(|a| (a.at, a.len, a.grain as u8));
    all.dedup();
    all
}

/// Number of elements of the ranges below `end`.
fn total(ranges: &[Range], end: u32) -> usize {
    ranges.iter().map(|r| r.1.min(end).saturating_sub(r.0) as usize).sum()
}

/// Disjoint ranges in order.
fn joined(mut ranges: Vec<Range>) -> Vec<Range> {
    ranges.sort_unstable();
    let mut all: Vec<Range> = Vec::new();
    for r in ranges.into_iter().filter(|r| r.0 < r.1) {
        match all.last_mut() {
            Some(last) if r.0 <= last.1 => last.1 = last.1.max(r.1),
            _ => all.push(r),
        }
    }
    all
}

/// The parts of the ranges `a` outside of the ranges `b`; both must be disjoint and in order.
fn without(a: &[Range], b: &[Range]) -> Vec<Range> {
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
    use crate::Recorder;
    use kinlane_plan::machine::Machine;

    #[test]
    fn ranges_join_and_part() {
        assert_eq!(joined(vec![(5, 7), (0, 2), (2, 3), (6, 9), (20, 21)]), [(0, 3), (5, 9), (20, 21)]);
        assert_eq!(without(&[(0, 10), (20, 30)], &[(2, 3), (8, 22), (29, 40)]), [(0, 2), (3, 8), (22, 29)]);
        let s = Storage { single: vec![(2, 4), (8, 12)], only: vec![(2, 4), (10, 12)], ..Storage::default() };
        assert_eq!((s.singles(), s.doubles(20)), (6, 16));
        assert_eq!([s.place(8, Memory::Single), s.place(8, Memory::Double), s.place(12, Memory::Double)], [2, 6, 8]);
    }

    /// Arrays of five elements: the first stays; the second and half of the third share their place.
    #[test]
    fn near_are_whole_arrays_that_fit() {
        let array = |at| Array { at, len: 5, ..Array::default() };
        let [stays, one, half, other, unused] = [array(0), array(5), array(8), array(20), array(30)];
        let record = |placing: Placing| {
            let r = Recorder::placed(placing);
            r.entry("f", |m| [stays, one, half, other].into_iter().for_each(|a| m.put(a, m.i(1), m.lit(1.0))));
            r.finish()
        };
        let p = record(Placing::default());
        assert_eq!(near(&p, &[one, other, unused], &[stays], 100), [(5, 13), (20, 25)]);
        assert_eq!(near(&p, &[one, other], &[stays], 12), [(5, 13)]);
        assert_eq!(near(&p, &[one, other], &[stays], 7), [(20, 25)]);
        assert_eq!(near(&p, &[one, other], &[half], 100), [(20, 25)]);
        let placed = Storage::of(&record(Placing { near: vec![(5, 13), (20, 25)], ..Placing::default() }));
        assert_eq!((placed.near(), placed.doubles(40)), (13, 27));
        assert_eq!([stays, one, other].map(|a| placed.memory(a)), [Memory::Double, Memory::Near, Memory::Near]);
        assert_eq!([placed.place(20, Memory::Near), placed.place(30, Memory::Double)], [8, 17]);
    }
}
