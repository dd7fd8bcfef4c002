//! The recording machine.
//!
//! A program is run once. Its numbers, indices and masks are [`Value`]s: a literal, or a node of the program
//! together with the recorder to which it belongs. Literals belong to no recorder (`Real::lit` has none to
//! ask), so what depends on literals alone is computed while recording, in the arithmetic of the scalar
//! machine and hence with its bits.

mod triangular;
mod value;

use crate::blocks::Blocks;
use crate::kinds::kinds;
use crate::program::{
    Fold, Function, Loop, Node, Op, Operand, Program, Statement, Store, Taken, effective, number, operands_mut,
    stores_mut,
};
use crate::storage::Placing;
use kinlane_plan::elementary;
use kinlane_plan::lu::{self, Factors};
use kinlane_plan::machine::{Array, Indices, Machine, Reals};
use kinlane_plan::number::Entries;
use kinlane_plan::plan::Lu;
use kinlane_plan::precision::{Grain, Precision};
use std::cell::RefCell;
pub use value::{Literal, Value};

/// What has been recorded so far. The machine is `&Recorder`: a handle that can be copied.
#[derive(Debug)]
pub struct Recorder {
    state: RefCell<State>,
    placing: Placing,
}

#[derive(Debug, Default)]
struct State {
    /// Completed functions.
    functions: Vec<Function>,
    /// Nodes of the functions being recorded, the innermost last.
    nodes: Vec<Node>,
    /// Lists of statements being recorded, the innermost last.
    open: Vec<Vec<Statement>>,
    exp: Option<usize>,
    ln: Option<usize>,
}

impl Default for Recorder {
    fn default() -> Self {
        Self::new()
    }
}

impl Recorder {
    /// A recorder with nothing recorded.
    pub fn new() -> Self {
        Self::with(Precision::F64)
    }

    /// The same, for programs in another precision.
    pub fn with(precision: Precision) -> Self {
        Self::placed(Placing { precision, ..Placing::default() })
    }

    /// The same, for programs whose arrays are kept in these memories.
    pub fn placed(placing: Placing) -> Self {
        Self { state: RefCell::new(State::default()), placing }
    }

    /// Records a function that can be called from outside, by running `f` once with this machine.
    pub fn entry<'a>(&'a self, name: &str, f: impl FnOnce(&'a Self)) {
        let start = self.begin();
        f(self);
        self.end(name, start, None, true);
    }

    /// The recorded program.
    pub fn finish(self) -> Program {
        Program { functions: self.state.into_inner().functions, placing: self.placing }
    }

    fn node<T>(&self, op: Op, operands: [Operand; 3]) -> Value<'_, T> {
        let id = self.reserve(op, operands);
        self.push(Statement::Define(id));
        Value::Node(self, id)
    }

    /// A node that another statement defines.
    fn reserve(&self, op: Op, operands: [Operand; 3]) -> u32 {
        let nodes = &mut self.state.borrow_mut().nodes;
        nodes.push(Node { op, operands });
        nodes.len() as u32 - 1
    }

    fn push(&self, s: Statement) {
        if let Some(block) = self.state.borrow_mut().open.last_mut() {
            block.push(s);
        }
    }

    /// Records what `f` does as a separate list of statements.
    fn block<T>(&self, f: impl FnOnce() -> T) -> (Vec<Statement>, T) {
        self.state.borrow_mut().open.push(Vec::new());
        let x = f();
        (self.state.borrow_mut().open.pop().unwrap_or_default(), x)
    }

    /// Opens a function: nodes from the returned number on belong to it.
    fn begin(&self) -> u32 {
        let mut s = self.state.borrow_mut();
        s.open.push(Vec::new());
        s.nodes.len() as u32
    }

    /// Whether the open function does nothing; if so, it is discarded.
    fn idle(&self, start: u32) -> bool {
        let mut s = self.state.borrow_mut();
        let idle = s.open.last().is_some_and(|body| !effective(body));
        if idle {
            s.open.pop();
            s.nodes.truncate(start as usize);
        }
        idle
    }

    /// Closes a function. Returns its number, and the arrays and the values that it takes from outside.
    fn end(&self, name: &str, start: u32, result: Option<Operand>, entry: bool) -> (usize, Vec<Store>, Vec<Operand>) {
        let mut s = self.state.borrow_mut();
        let mut nodes = s.nodes.split_off(start as usize);
        let mut body = s.open.pop().unwrap_or_default();
        let mut result = result;
        // Nodes of the enclosing functions become parameters; the function's own are numbered from zero.
        let mut taken: Vec<u32> = Vec::new();
        let mut local = |o: &mut Operand| {
            if let Operand::Node(id) = *o {
                *o = match id.checked_sub(start) {
                    Some(own) => Operand::Node(own),
                    None => Operand::Parameter(number(&mut taken, id) as u32),
                };
            }
        };
        nodes.iter_mut().flat_map(|n| &mut n.operands).for_each(&mut local);
        operands_mut(&mut body, &mut local, &mut |id| *id -= start);
        result.iter_mut().for_each(&mut local);
        let parameters = taken.iter().map(|&id| s.nodes[id as usize].op.kind()).collect();
        let kinds = kinds(&nodes, &body, self.placing.precision);
        // So do its arrays, except in entries, which know theirs.
        let mut stores: Vec<Store> = Vec::new();
        if !entry {
            stores_mut(&mut nodes, &mut body, &mut |a| *a = Store::Parameter(number(&mut stores, *a) as u32));
        }
        let of = |s: &Store| match s {
            Store::Fixed(a) => Some(Taken { len: a.len, memory: self.placing.memory(*a) }),
            Store::Parameter(_) => None,
        };
        let arrays = stores.iter().filter_map(of).collect();
        let f = Function { name: name.to_owned(), entry, parameters, stores: arrays, nodes, kinds, body, result };
        let place = s.functions.iter().position(|g| g.same(&f)).unwrap_or_else(|| {
            s.functions.push(f);
            s.functions.len() - 1
        });
        (place, stores, taken.into_iter().map(Operand::Node).collect())
    }

    /// Records a function of one number; returns the number of the function.
    fn elementary<'a>(&'a self, name: &str, f: impl Fn(Value<'a, f64>) -> Value<'a, f64>) -> usize {
        let start = self.begin();
        let x = Value::Node(self, self.reserve(Op::Argument, [Operand::None; 3]));
        let y = f(x);
        self.end(name, start, Some(y.operand()), false).0
    }

    fn exponential(&self) -> usize {
        let known = self.state.borrow().exp;
        known.unwrap_or_else(|| {
            let f = self.elementary("exponential", elementary::exp);
            self.state.borrow_mut().exp = Some(f);
            f
        })
    }

    fn logarithm(&self) -> usize {
        let known = self.state.borrow().ln;
        known.unwrap_or_else(|| {
            let f = self.elementary("logarithm", elementary::ln);
            self.state.borrow_mut().ln = Some(f);
            f
        })
    }

    /// Whether a loop can never run, because its body reads a table or an array without elements.
    fn never(&self, body: &[Statement]) -> bool {
        let nodes = &self.state.borrow().nodes;
        let empty = |id: u32| match nodes[id as usize].op {
            Op::Index(t) => t.len == 0,
            Op::Real(t) => t.len == 0,
            Op::Get(Store::Fixed(a)) => a.len == 0,
            _ => false,
        };
        body.iter().any(|s| matches!(s, Statement::Define(id) if empty(*id)))
    }

    /// The blocks in which these factors are kept, if they are.
    fn blocks<'a, E: Entries<&'a Self>>(&'a self, f: &Factors<E>) -> Option<(&'a Blocks, Factors<Array>)> {
        let [values, inverse, work, x] = [f.values, f.inverse, f.work, f.x].map(E::if_real);
        let f = Factors { values: values?, inverse: inverse?, work: work?, x: x? };
        self.placing.blocks.as_ref().filter(|b| b.of == f.values).map(|b| (b, f))
    }

    fn repeat<'a>(
        &'a self,
        independent: bool,
        lo: Value<'a, usize>,
        hi: Value<'a, usize>,
        f: impl Fn(Value<'a, usize>),
    ) {
        if matches!((lo, hi), (Value::Known(lo), Value::Known(hi)) if lo >= hi) {
            return;
        }
        let index = self.reserve(Op::Loop, [Operand::None; 3]);
        let (body, ()) = self.block(|| f(Value::Node(self, index)));
        if self.never(&body) {
            return;
        }
        let range = [lo.operand(), hi.operand()];
        self.push(Statement::Loop(Loop { independent, index, range, folds: Vec::new(), body }));
    }
}

fn inside(what: &str, i: Value<'_, usize>, len: u32) {
    if let Value::Known(i) = i {
        assert!(i < len as usize, "index {i} of {what} of {len}");
    }
}

impl<'a> Machine for &'a Recorder {
    type R = Value<'a, f64>;
    type I = Value<'a, usize>;

    fn in_groups(self) -> bool {
        self.placing.shared
    }
    fn factor<E: Entries<Self>>(self, lu: &Lu, f: &Factors<E>, jac: Array, d: E::X) {
        match (self.blocks(f), E::real_number(d)) {
            (Some((b, f)), Some(d)) => self.factor_blocks(b, lu, &f, jac, d),
            _ => lu::factor(self, lu, f, jac, d),
        }
    }
    fn solve<E: Entries<Self>>(self, lu: &Lu, f: &Factors<E>, b: E) {
        match (self.blocks(f), b.if_real()) {
            (Some((blocks, f)), Some(b)) => self.solve_blocks(blocks, f.inverse, b),
            _ => lu::solve(self, lu, f, b),
        }
    }
    fn show_factors(self, f: &Factors<Array>) {
        if let Some((b, _)) = self.blocks(f) {
            self.show_blocks(b);
        }
    }
    fn rounding(self) -> f64 {
        if self.placing.precision.single(Grain::Coarse) { f64::from(f32::EPSILON) } else { f64::EPSILON }
    }
    fn i(self, i: usize) -> Self::I {
        Value::Known(i)
    }
    fn get(self, a: Array, i: Self::I) -> Self::R {
        inside("an array", i, a.len);
        self.node(Op::Get(Store::Fixed(a)), [i.operand(), Operand::None, Operand::None])
    }
    fn put(self, a: Array, i: Self::I, x: Self::R) {
        inside("an array", i, a.len);
        self.push(Statement::Put(Store::Fixed(a), i.operand(), x.operand()));
    }
    fn real(self, t: Reals, i: Self::I) -> Self::R {
        inside("a table", i, t.len);
        self.node(Op::Real(t), [i.operand(), Operand::None, Operand::None])
    }
    fn index(self, t: Indices, i: Self::I) -> Self::I {
        inside("a table", i, t.len);
        self.node(Op::Index(t), [i.operand(), Operand::None, Operand::None])
    }
    fn each(self, lo: Self::I, hi: Self::I, f: impl Fn(Self::I)) {
        self.repeat(true, lo, hi, f);
    }
    fn ordered(self, lo: Self::I, hi: Self::I, f: impl Fn(Self::I)) {
        self.repeat(false, lo, hi, f);
    }
    fn fold(self, lo: Self::I, hi: Self::I, init: Self::R, f: impl Fn(Self::R, Self::I) -> Self::R) -> Self::R {
        let [x] = self.folds(lo, hi, [init], |[x], i| [f(x, i)]);
        x
    }
    fn folds<const N: usize>(
        self,
        lo: Self::I,
        hi: Self::I,
        init: [Self::R; N],
        f: impl Fn([Self::R; N], Self::I) -> [Self::R; N],
    ) -> [Self::R; N] {
        if matches!((lo, hi), (Value::Known(lo), Value::Known(hi)) if lo >= hi) {
            return init;
        }
        let running = init.map(|_| self.reserve(Op::Running, [Operand::None; 3]));
        let values = running.map(|id| Value::Node(self, id));
        let index = self.reserve(Op::Loop, [Operand::None; 3]);
        let (body, next) = self.block(|| f(values, Value::Node(self, index)));
        if self.never(&body) {
            return init;
        }
        let fold = |k: usize| Fold { running: running[k], init: init[k].operand(), next: next[k].operand() };
        let folds = (0..N).map(fold).collect();
        let range = [lo.operand(), hi.operand()];
        self.push(Statement::Loop(Loop { independent: false, index, range, folds, body }));
        values
    }
    fn if_any(self, mask: Value<'a, bool>, f: impl Fn()) {
        match mask {
            Value::Known(true) => f(),
            Value::Known(false) => {}
            Value::Node(..) => {
                let (body, ()) = self.block(f);
                if effective(&body) {
                    self.push(Statement::If(mask.operand(), body));
                }
            }
        }
    }
    fn function(self, name: &'static str, f: impl Fn()) {
        let start = self.begin();
        f();
        if self.idle(start) {
            return; // over empty tables
        }
        let (function, stores, arguments) = self.end(name, start, None, false);
        self.push(Statement::Call { function, stores, arguments });
    }
    fn mirror(self, i: Self::I, n: usize) -> Self::I {
        Value::Known(n - 1).binary(Op::SubIndex, i, |n, i| n - i)
    }
}
