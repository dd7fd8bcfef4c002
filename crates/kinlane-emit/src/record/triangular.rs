//! The factors of a group, recorded in the form of [`Blocks`]: the operations on every entry of `kinlane_plan::lu`, in the same
//! order, hence the same bits.

use super::{Recorder, Value};
use crate::blocks::{Block, Blocks};
use crate::program::{List, Op, Operand, Statement, Store};
use kinlane_plan::lu::{self, Factors};
use kinlane_plan::machine::{Array, Machine, Real};
use kinlane_plan::number::Plain;
use kinlane_plan::plan::Lu;

type Number<'a> = Value<'a, f64>;

impl Recorder {
    /// The number of the thread itself, after so many others.
    fn own(&self, base: usize) -> Value<'_, usize> {
        self.node(Op::Own, [Operand::Index(base), Operand::None, Operand::None])
    }

    /// An entry of a list.
    fn listed<'a>(&'a self, list: List, i: Value<'a, usize>) -> Value<'a, usize> {
        self.node(Op::Listed(list), [i.operand(), Operand::None, Operand::None])
    }

    /// The element of each of some threads, zero in the others.
    fn get_own<'a>(&'a self, a: Array, i: Value<'a, usize>, threads: u32) -> Number<'a> {
        self.node(Op::GetOwn(Store::Fixed(a), threads), [i.operand(), Operand::None, Operand::None])
    }

    fn put_own<'a>(&'a self, a: Array, i: Value<'a, usize>, x: Number<'a>, threads: u32) {
        self.push(Statement::PutOwn(Store::Fixed(a), i.operand(), x.operand(), threads));
    }

    /// The number that one thread has.
    fn from<'a>(&'a self, thread: u32, x: Number<'a>) -> Number<'a> {
        self.node(Op::From(thread), [x.operand(), Operand::None, Operand::None])
    }

    /// Whether the thread is one of these.
    fn among(&self, threads: u32) -> Value<'_, bool> {
        self.node(Op::Among(threads), [Operand::None; 3])
    }

    /// x_i −= v_i u for the rows of a block of column `j`: of L or of U, which share the block of the diagonal.
    fn subtract<'a>(&'a self, b: &Blocks, x: &mut [Number<'a>], j: usize, block: Block, u: Number<'a>) {
        let v = self.get_own(b.kept, self.own(block.at), b.all());
        let (x, (slot, _)) = (&mut x[block.slot], b.home(j));
        let less = (-v).mul_add(u, *x);
        *x = if block.slot == slot { Number::select(self.among(block.threads), less, *x) } else { less };
    }

    /// L and U column by column: from a column of the matrix the earlier columns of L are subtracted, each as often as its row
    /// says; what is left below the diagonal is divided by it.
    pub(super) fn factor_blocks<'a>(&'a self, b: &Blocks, lu: &Lu, f: &Factors<Array>, jac: Array, d: Number<'a>) {
        if !b.whole {
            lu::factor(self, lu, f, jac, Plain(d));
            self.each(self.i(0), self.i(lu.entries), |e| {
                let x = self.get(f.values, e);
                self.put(b.kept, self.listed(List::Places, e), x);
            });
            return;
        }
        self.each(self.i(0), self.i(lu.entries), |e| {
            let x = self.get(jac, e);
            self.put(b.kept, self.listed(List::Places, e), -x);
        });
        for j in 0..b.rows {
            let (slot, thread) = b.home(j);
            let mut x = vec![self.lit(0.0); b.slots()];
            for block in b.column(j) {
                x[block.slot] = self.get_own(b.kept, self.own(block.at), block.threads);
            }
            let here = self.among(1 << thread);
            x[slot] = Number::select(here, x[slot] + d, x[slot]);
            for k in b.rows_above(j) {
                if b.below(k).next().is_none() {
                    continue;
                }
                let (home, holder) = b.home(k);
                let u = self.from(holder, x[home]);
                b.below(k).for_each(|block| self.subtract(b, &mut x, k, block, u));
            }
            let inverse = self.from(thread, x[slot]).recip();
            self.put_own(f.inverse, self.own(slot * b.threads), inverse, 1 << thread);
            for block in b.below(j) {
                let scaled = x[block.slot] * inverse;
                x[block.slot] = match block.slot == slot {
                    true => Number::select(self.among(block.threads), scaled, x[slot]),
                    false => scaled,
                };
            }
            b.column(j).iter().for_each(|block| self.put_own(b.kept, self.own(block.at), x[block.slot], block.threads));
        }
    }

    /// x_i −= l_ij x_j column by column; then the same with U, from its last column on.
    pub(super) fn solve_blocks(&self, b: &Blocks, inverse: Array, rhs: Array) {
        let start = |slot: usize| self.own(slot * b.threads);
        let place = |slot: usize| self.listed(List::Order, start(slot));
        let mut x: Vec<_> = (0..b.slots()).map(|s| self.get_own(rhs, place(s), b.present(s))).collect();
        for j in 0..b.rows {
            if b.below(j).next().is_some() {
                let (slot, thread) = b.home(j);
                let u = self.from(thread, x[slot]);
                b.below(j).for_each(|block| self.subtract(b, &mut x, j, block, u));
            }
        }
        for slot in (0..b.slots()).rev() {
            let inverse = self.get_own(inverse, start(slot), b.present(slot));
            for j in (slot * b.threads..b.rows.min((slot + 1) * b.threads)).rev() {
                if b.above(j).next().is_some() {
                    let u = self.from(b.home(j).1, x[slot] * inverse);
                    b.above(j).for_each(|block| self.subtract(b, &mut x, j, block, u));
                }
            }
            // No column that is left changes these.
            self.put_own(rhs, place(slot), x[slot] * inverse, b.present(slot));
        }
    }

    /// Copies the blocks to where the factors are in the plan's layout, if they are not there as well.
    pub(super) fn show_blocks(&self, b: &Blocks) {
        if b.whole {
            self.each(self.i(0), self.i(b.places.len()), |e| {
                let x = self.get(b.kept, self.listed(List::Places, e));
                self.put(b.of, e, x);
            });
        }
    }
}
