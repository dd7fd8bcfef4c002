//! A recorded program, as data.
//!
//! Functions are in static single assignment form: a node is defined once, by a statement at the place where
//! the program computed it. Reads of work arrays are nodes like any other, so their place among the writes is
//! kept.

use kinlane_plan::machine::{Array, Indices, Reals};

use crate::storage::{Memory, Placing};

/// The kind of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A number.
    Real,
    /// A number of single precision.
    Single,
    /// An index.
    Index,
    /// A truth value.
    Mask,
}

/// An operand of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Operand {
    /// None: the operation takes fewer operands.
    #[default]
    None,
    /// A literal number, by its bits, which preserves NaN and −0.
    Real(u64),
    /// A literal index.
    Index(usize),
    /// A literal truth value.
    Mask(bool),
    /// A node of the function.
    Node(u32),
    /// A parameter of the function.
    Parameter(u32),
}

/// A work array as a function sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Store {
    /// An array at its place in the arena.
    Fixed(Array),
    /// An array parameter, by its number: functions that differ only in their arrays are one function.
    Parameter(u32),
}

/// A list that a program brings along, beside the tables of its plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum List {
    /// [`Blocks::order`](crate::Blocks::order).
    Order,
    /// [`Blocks::places`](crate::Blocks::places).
    Places,
}

/// An operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of Machine, Real and Parts")]
pub enum Op {
    Get(Store),
    Real(Reals),
    Index(Indices),
    Add,
    Sub,
    Mul,
    Div,
    Neg,
    MulAdd,
    Sqrt,
    Abs,
    Max,
    Min,
    Scale,
    /// `rough`.
    Narrow,
    /// `wide`.
    Widen,
    /// First result of `split`.
    Mantissa,
    /// Second result of `split`.
    Exponent,
    Lt,
    Le,
    And,
    Or,
    Not,
    Select,
    /// A function with a result, by number: exp and ln.
    Call(usize),
    AddIndex,
    SubIndex,
    MulIndex,
    /// The index of a loop.
    Loop,
    /// The running value of a fold; after the loop, its result.
    Running,
    /// The argument of a function with a result.
    Argument,
    /// The number of a thread in its group, after so many others.
    Own,
    /// An entry of a list of the program.
    Listed(List),
    /// An element that belongs to the thread: no other thread of these uses it; 0 in threads that are not among them.
    GetOwn(Store, u32),
    /// The value that a thread of the group has.
    From(u32),
    /// Whether the thread is one of these.
    Among(u32),
}

impl Op {
    /// The kind of its result; whether a number is single is decided elsewhere (`kinds.rs`).
    pub fn kind(self) -> Kind {
        match self {
            Self::Lt | Self::Le | Self::And | Self::Or | Self::Not | Self::Among(_) => Kind::Mask,
            Self::Index(_) | Self::AddIndex | Self::SubIndex | Self::MulIndex | Self::Loop => Kind::Index,
            Self::Own | Self::Listed(_) => Kind::Index,
            _ => Kind::Real,
        }
    }

    /// The array that it reads.
    pub fn store(self) -> Option<Store> {
        match self {
            Self::Get(store) | Self::GetOwn(store, _) => Some(store),
            _ => None,
        }
    }
}

/// An operation and its operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    /// The operation.
    pub op: Op,
    /// Its operands.
    pub operands: [Operand; 3],
}

/// A running value of a loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fold {
    /// Its node.
    pub running: u32,
    /// Its value before the loop.
    pub init: Operand,
    /// Its value after each run.
    pub next: Operand,
}

/// A loop over a range of indices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loop {
    /// Whether no turn reads what another writes.
    pub independent: bool,
    /// Node of the index.
    pub index: u32,
    /// First index, and one past the last.
    pub range: [Operand; 2],
    /// Its running values.
    pub folds: Vec<Fold>,
    /// Its statements.
    pub body: Vec<Statement>,
}

/// A statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Statement {
    /// Computes a node.
    Define(u32),
    /// Writes an element.
    Put(Store, Operand, Operand),
    /// Each of these threads writes its own element, as in [`Op::GetOwn`].
    PutOwn(Store, Operand, Operand, u32),
    /// Repeats statements.
    Loop(Loop),
    /// Statements that run only where the mask holds.
    If(Operand, Vec<Statement>),
    /// Calls a function, by number.
    Call {
        /// The function.
        function: usize,
        /// Its arrays.
        stores: Vec<Store>,
        /// Its parameters.
        arguments: Vec<Operand>,
    },
}

/// An array parameter of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Taken {
    /// Length.
    pub len: u32,
    /// The memory in which it lies.
    pub memory: Memory,
}

/// A function.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Function {
    /// Name, not unique.
    pub name: String,
    /// Whether it can be called from outside.
    pub entry: bool,
    /// Values that the body takes from the context of the call.
    pub parameters: Vec<Kind>,
    /// Array parameters.
    pub stores: Vec<Taken>,
    /// Nodes, by number.
    pub nodes: Vec<Node>,
    /// The kinds of the nodes.
    pub kinds: Vec<Kind>,
    /// Its statements.
    pub body: Vec<Statement>,
    /// The result, for exp and ln.
    pub result: Option<Operand>,
}

impl Function {
    /// Whether two functions do the same, under any names.
    pub fn same(&self, o: &Self) -> bool {
        (self.entry, &self.parameters, &self.stores, self.result) == (o.entry, &o.parameters, &o.stores, o.result)
            && self.nodes == o.nodes
            && self.kinds == o.kinds
            && self.body == o.body
            && !self.entry
    }
}

/// A recorded program. A function calls only functions that come before it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Program {
    /// Functions.
    pub functions: Vec<Function>,
    /// The memories in which arrays are kept.
    pub placing: Placing,
}

/// Calls `f` on every statement in a list, also inside of others, in program order.
pub fn walk<'a>(body: &'a [Statement], f: &mut impl FnMut(&'a Statement)) {
    for s in body {
        f(s);
        match s {
            Statement::Loop(l) => walk(&l.body, f),
            Statement::If(_, body) => walk(body, f),
            Statement::Define(_) | Statement::Put(..) | Statement::PutOwn(..) | Statement::Call { .. } => {}
        }
    }
}

/// Whether statements write anything.
pub fn effective(body: &[Statement]) -> bool {
    body.iter().any(|s| match s {
        Statement::Define(_) => false,
        Statement::Put(..) | Statement::PutOwn(..) | Statement::Call { .. } => true,
        Statement::Loop(l) => effective(&l.body),
        Statement::If(_, body) => effective(body),
    })
}

/// Calls `f` on every array in a list of statements and in the nodes that it defines, in program order.
pub fn stores_mut(nodes: &mut [Node], body: &mut [Statement], f: &mut impl FnMut(&mut Store)) {
    for s in body {
        match s {
            Statement::Define(id) => {
                if let Some(Op::Get(store) | Op::GetOwn(store, _)) = nodes.get_mut(*id as usize).map(|n| &mut n.op) {
                    f(store);
                }
            }
            Statement::Put(store, ..) | Statement::PutOwn(store, ..) => f(store),
            Statement::Loop(l) => stores_mut(nodes, &mut l.body, f),
            Statement::If(_, body) => stores_mut(nodes, body, f),
            Statement::Call { stores, .. } => stores.iter_mut().for_each(&mut *f),
        }
    }
}

/// Calls `f` on every operand of the statements themselves, and `id` on every node number.
pub fn operands_mut(body: &mut [Statement], f: &mut impl FnMut(&mut Operand), id: &mut impl FnMut(&mut u32)) {
    for s in body {
        match s {
            Statement::Define(n) => id(n),
            Statement::Put(_, at, x) | Statement::PutOwn(_, at, x, _) => {
                f(at);
                f(x);
            }
            Statement::Loop(l) => {
                id(&mut l.index);
                l.range.iter_mut().for_each(&mut *f);
                for fold in &mut l.folds {
                    id(&mut fold.running);
                    f(&mut fold.init);
                    f(&mut fold.next);
                }
                operands_mut(&mut l.body, f, id);
            }
            Statement::If(mask, body) => {
                f(mask);
                operands_mut(body, f, id);
            }
            Statement::Call { arguments, .. } => arguments.iter_mut().for_each(&mut *f),
        }
    }
}

/// The number of an item in a list, to which it is added at its first use.
pub fn number<T: PartialEq>(list: &mut Vec<T>, item: T) -> usize {
    list.iter().position(|x| *x == item).unwrap_or_else(|| {
        list.push(item);
        list.len() - 1
    })
}
