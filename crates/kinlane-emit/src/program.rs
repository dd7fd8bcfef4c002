//! A recorded program, as data.
//!
//! Functions in static single assignment: a node is defined once, by a statement that stands where the program
//! computed it. Reads of work arrays are nodes like any other, so their place among the writes is kept.

use kinlane_plan::machine::{Array, Indices, Reals};

use crate::storage::{Memory, Placing};

/// What a value is.
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

/// What an operation works on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Operand {
    /// Nothing: the operation takes fewer.
    #[default]
    None,
    /// A literal number, by its bits: NaN and −0 are themselves.
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
    /// At its place in the arena.
    Fixed(Array),
    /// Number of an array parameter: functions that differ in their arrays alone are one.
    Parameter(u32),
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
    /// First of `split`.
    Mantissa,
    /// Second of `split`.
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
    /// The running value of a fold, and its result after the loop.
    Running,
    /// The argument of a function with a result.
    Argument,
}

impl Op {
    /// What the operation gives; of numbers, whether they are single is another matter (`kinds.rs`).
    pub fn kind(self) -> Kind {
        match self {
            Self::Lt | Self::Le | Self::And | Self::Or | Self::Not => Kind::Mask,
            Self::Index(_) | Self::AddIndex | Self::SubIndex | Self::MulIndex | Self::Loop => Kind::Index,
            _ => Kind::Real,
        }
    }
}

/// An operation and its operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    /// What is done.
    pub op: Op,
    /// With what.
    pub operands: [Operand; 3],
}

/// A running value.
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
    /// No run reads what another writes.
    pub independent: bool,
    /// Node of the index.
    pub index: u32,
    /// First index, and the one behind the last.
    pub range: [Operand; 2],
    /// What runs along.
    pub folds: Vec<Fold>,
    /// What is done.
    pub body: Vec<Statement>,
}

/// A statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Statement {
    /// Computes a node.
    Define(u32),
    /// Writes an element.
    Put(Store, Operand, Operand),
    /// Repeats.
    Loop(Loop),
    /// Done only where the mask holds.
    If(Operand, Vec<Statement>),
    /// Calls a function, by number.
    Call {
        /// Which.
        function: usize,
        /// Its arrays.
        stores: Vec<Store>,
        /// Its parameters.
        arguments: Vec<Operand>,
    },
}

/// An array parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Taken {
    /// Length.
    pub len: u32,
    /// Where it is.
    pub memory: Memory,
}

/// A function.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Function {
    /// Name, not unique.
    pub name: String,
    /// Can be called from outside.
    pub entry: bool,
    /// Values that the body takes from around the place of the call.
    pub parameters: Vec<Kind>,
    /// Array parameters.
    pub stores: Vec<Taken>,
    /// Nodes, by number.
    pub nodes: Vec<Node>,
    /// What they are.
    pub kinds: Vec<Kind>,
    /// What is done.
    pub body: Vec<Statement>,
    /// The result, for exp and ln.
    pub result: Option<Operand>,
}

impl Function {
    /// Whether two functions do the same, whatever they are called.
    pub fn same(&self, o: &Self) -> bool {
        (self.entry, &self.parameters, &self.stores, self.result) == (o.entry, &o.parameters, &o.stores, o.result)
            && self.nodes == o.nodes
            && self.kinds == o.kinds
            && self.body == o.body
            && !self.entry
    }
}

/// A recorded program. A function calls only functions before it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Program {
    /// Functions.
    pub functions: Vec<Function>,
    /// What arrays are kept in.
    pub placing: Placing,
}

/// Whether statements write anything.
pub fn effective(body: &[Statement]) -> bool {
    body.iter().any(|s| match s {
        Statement::Define(_) => false,
        Statement::Put(..) | Statement::Call { .. } => true,
        Statement::Loop(l) => effective(&l.body),
        Statement::If(_, body) => effective(body),
    })
}

/// Shows every array of a statement list and of the nodes it defines to `f`, in program order.
pub fn stores_mut(nodes: &mut [Node], body: &mut [Statement], f: &mut impl FnMut(&mut Store)) {
    for s in body {
        match s {
            Statement::Define(id) => {
                if let Some(Op::Get(store)) = nodes.get_mut(*id as usize).map(|n| &mut n.op) {
                    f(store);
                }
            }
            Statement::Put(store, ..) => f(store),
            Statement::Loop(l) => stores_mut(nodes, &mut l.body, f),
            Statement::If(_, body) => stores_mut(nodes, body, f),
            Statement::Call { stores, .. } => stores.iter_mut().for_each(&mut *f),
        }
    }
}

/// Shows every operand of the statements themselves to `f`, and every number of a node to `id`.
pub fn operands_mut(body: &mut [Statement], f: &mut impl FnMut(&mut Operand), id: &mut impl FnMut(&mut u32)) {
    for s in body {
        match s {
            Statement::Define(n) => id(n),
            Statement::Put(_, at, x) => {
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
