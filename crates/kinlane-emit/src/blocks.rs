//! Factors in the registers of a group: rows are dealt out among its threads, and columns are solved one after another.
//!
//! Row i belongs to thread i mod P, which keeps x_i in a register. Column j is stored in blocks of P rows, so that the threads
//! read P elements that lie next to each other, each its own. What threads must know of each other is one number per column,
//! x_j, which its thread gives to all. So a triangular system needs no barrier, no index and no element of another thread, and
//! all that is read from memory is known long before it is needed.
//!
//! A block has room for all P rows. Where a column has no entry the room holds zero, which kernels write at their start, so
//! that a whole block can be multiplied.

use kinlane_plan::machine::Array;
use kinlane_plan::plan::Lu;
use kinlane_plan::tables::Tables;
use std::cmp::Ordering;

/// Most blocks that a factorisation may take, in all its columns: each is a line of text, and the code must stay in the
/// caches of a card.
const MOST: usize = 6_000;

/// Threads of a group at most: as many as can give each other numbers.
pub const THREADS: usize = 32;

/// Rows of a thread at most: each takes two registers.
pub const ROWS: usize = 48;

/// Rows of a column that belong to the same register of the threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    /// Number of the register.
    pub slot: usize,
    /// Threads whose row has an entry, as bits.
    pub threads: u32,
    /// Where the block is kept, from the start of all.
    pub at: usize,
}

/// Where the factors of a plan are kept, for groups of so many threads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blocks {
    /// Number of threads.
    pub threads: usize,
    /// Number of rows.
    pub rows: usize,
    /// The array of factors that are kept in blocks: those in the place of J.
    pub of: Array,
    /// The blocks.
    pub kept: Array,
    /// The blocks of every column.
    columns: Vec<Vec<Block>>,
    /// The variable of every row, and of rows that there are not the first.
    pub order: Vec<u32>,
    /// The place in the blocks of every entry in the plan's layout.
    pub places: Vec<u32>,
    /// Whether the factorisation, too, is done in registers: its text is not too long.
    pub whole: bool,
}

impl Blocks {
    /// Blocks for the factors in the array `of`.
    pub fn new(lu: &Lu, tables: &Tables, of: Array, threads: usize) -> Self {
        let [row, col, order] = [lu.row, lu.col, lu.order].map(|t| tables.list(t));
        let (p, n) = (threads, lu.n);
        let slots = n.div_ceil(p);
        let mut masks = vec![vec![0; slots]; n];
        let entries = || (0..n).flat_map(|i| (row[i]..row[i + 1]).map(move |e| (i, col[e as usize] as usize)));
        entries().for_each(|(i, j)| masks[j][i / p] |= 1 << (i % p));
        let mut at = 0;
        let mut place = |(slot, &threads): (usize, &u32)| {
            at += p;
            Block { slot, threads, at: at - p }
        };
        let columns: Vec<Vec<Block>> =
            masks.iter().map(|m| m.iter().enumerate().filter(|m| *m.1 != 0).map(&mut place).collect()).collect();
        let place = |(i, j): (usize, usize)| {
            let block = columns[j].iter().find(|b| b.slot == i / p);
            block.map_or(0, |b| b.at + i % p) as u32
        };
        let places = entries().map(place).collect();
        let order = (0..slots * p).map(|i| order.get(i).copied().unwrap_or(order[0])).collect();
        let kept = Array { at: 0, len: at as u32, grain: of.grain };
        let mut blocks = Self { threads, rows: n, of, kept, columns, order, places, whole: false };
        blocks.whole = (0..n).map(|j| blocks.taken(j)).sum::<usize>() <= MOST;
        blocks
    }

    /// The register and the thread of a row.
    pub fn home(&self, row: usize) -> (usize, u32) {
        (row / self.threads, (row % self.threads) as u32)
    }

    /// Number of registers per thread.
    pub fn slots(&self) -> usize {
        self.rows.div_ceil(self.threads)
    }

    /// All threads.
    pub fn all(&self) -> u32 {
        u32::MAX >> (32 - self.threads)
    }

    /// The threads that have a row in a register.
    pub fn present(&self, slot: usize) -> u32 {
        (slot * self.threads..self.rows).take(self.threads).fold(0, |m, i| m | 1 << (i % self.threads))
    }

    /// The blocks of a column.
    pub fn column(&self, j: usize) -> &[Block] {
        &self.columns[j]
    }

    /// The blocks of its entries below the diagonal, of L; only these threads have one there.
    pub fn below(&self, j: usize) -> impl Iterator<Item = Block> {
        self.part(j, |thread| !1 << thread, [0, !0])
    }

    /// The blocks of its entries above the diagonal, of U; only these threads have one there.
    pub fn above(&self, j: usize) -> impl Iterator<Item = Block> {
        self.part(j, |thread| !(!0 << thread), [!0, 0])
    }

    /// The part of a column in the threads that `beside` the one of the diagonal have the same register, and in those of
    /// earlier and later registers.
    fn part(&self, j: usize, beside: impl Fn(u32) -> u32, [earlier, later]: [u32; 2]) -> impl Iterator<Item = Block> {
        let (slot, thread) = self.home(j);
        let beside = beside(thread);
        let of = move |b: &Block| match b.slot.cmp(&slot) {
            Ordering::Less => earlier,
            Ordering::Equal => beside,
            Ordering::Greater => later,
        };
        self.columns[j].iter().map(move |b| Block { threads: b.threads & of(b), ..*b }).filter(|b| b.threads != 0)
    }

    /// The rows above the diagonal in which a column has an entry, ascending.
    pub fn rows_above(&self, j: usize) -> impl Iterator<Item = usize> {
        let p = self.threads;
        self.above(j).flat_map(move |b| (0..p).filter(move |t| b.threads >> t & 1 != 0).map(move |t| b.slot * p + t))
    }

    /// Number of blocks of L that are subtracted from a column.
    fn taken(&self, j: usize) -> usize {
        self.rows_above(j).map(|k| self.below(k).count()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kinlane_plan::{Conversion, Plan};
    use std::collections::BTreeSet;

    #[test]
    fn every_entry_has_a_place_and_a_thread() {
        let conversion = |a: usize, b: usize| ([(a, 1.0)], [(b, 1.0)]);
        let pairs = [(0, 1), (1, 2), (2, 5), (5, 6), (6, 0), (3, 6)].map(|(a, b)| conversion(a, b));
        let conversions: Vec<_> = pairs.iter().map(|(r, p)| Conversion { reactants: r, products: p }).collect();
        let plan = Plan::given(&[1.0; 7], &conversions);
        let (lu, tables) = (&plan.lu, &plan.tables);
        let [row, col] = [lu.row, lu.col].map(|t| tables.list(t));
        for threads in [2, 3, 8, 32] {
            let b = Blocks::new(lu, tables, plan.jacobian.values, threads);
            let of = |blocks: &mut dyn Iterator<Item = Block>, j: usize| -> BTreeSet<(usize, usize, u32)> {
                let rows = |k: Block| (0..threads).filter(move |t| k.threads >> t & 1 == 1).map(move |t| (k, t));
                blocks.flat_map(rows).map(|(k, t)| (k.slot * threads + t, j, (k.at + t) as u32)).collect()
            };
            let mut parts = [BTreeSet::new(), BTreeSet::new(), BTreeSet::new()];
            for j in 0..lu.n {
                parts[0].extend(of(&mut b.below(j), j));
                parts[1].extend(of(&mut b.above(j), j));
                parts[2].extend(of(&mut b.column(j).iter().copied(), j));
                let above: Vec<usize> = of(&mut b.above(j), j).iter().map(|e| e.0).collect();
                assert_eq!(b.rows_above(j).collect::<Vec<_>>(), above);
            }
            let entries = (0..lu.n).flat_map(|i| (row[i]..row[i + 1]).map(move |e| (i, e as usize)));
            let mut want = [BTreeSet::new(), BTreeSet::new(), BTreeSet::new()];
            for (i, e) in entries {
                let entry = (i, col[e] as usize, b.places[e]);
                want[2].insert(entry);
                match i.cmp(&entry.1) {
                    Ordering::Less => want[1].insert(entry),
                    Ordering::Equal => true,
                    Ordering::Greater => want[0].insert(entry),
                };
            }
            assert_eq!(parts, want, "{threads} threads");
            let places: BTreeSet<u32> = b.places.iter().copied().collect();
            assert_eq!(places.len(), lu.entries);
            assert!(places.iter().all(|&at| at < b.kept.len), "{threads} threads");
            let present: usize = (0..b.slots()).map(|s| b.present(s).count_ones() as usize).sum();
            assert_eq!((present, b.all().count_ones() as usize), (lu.n, threads));
        }
    }
}
