//! Loops written out where that does not make too much text: their indices become literals, what they read
//! from tables becomes constants, and what depends on these alone is computed here, in the arithmetic of the
//! scalar machine.

use crate::program::{Fold, Function, Loop, Node, Op, Operand, Program, Statement};
use kinlane_plan::machine::Real;
use kinlane_plan::tables::Tables;

/// The same program, with each loop written out that takes at most `most` statements, inner loops included.
/// In a longer loop its inner loops are tried.
pub fn unroll(p: &Program, tables: &Tables, most: usize) -> Program {
    let functions = p.functions.iter().map(|f| Unroller::new(f, tables, most).function()).collect();
    Program { functions, placing: p.placing.clone() }
}

/// A function while it is being rewritten.
struct Unroller<'a> {
    old: &'a Function,
    tables: &'a Tables,
    most: usize,
    /// What the nodes of the old function have become.
    now: Vec<Operand>,
    /// The new function's nodes.
    nodes: Vec<Node>,
    /// The old numbers of the new nodes.
    from: Vec<u32>,
    /// Number of statements that may still be written in the loop that is being written out.
    left: Option<usize>,
}

/// Signals that a loop takes too many statements.
struct TooLong;

impl<'a> Unroller<'a> {
    fn new(old: &'a Function, tables: &'a Tables, most: usize) -> Self {
        let now = vec![Operand::None; old.nodes.len()];
        Self { old, tables, most, now, nodes: Vec::new(), from: Vec::new(), left: None }
    }

    fn function(mut self) -> Function {
        // The argument of a function of one number is not defined by a statement.
        for id in 0..self.old.nodes.len() as u32 {
            if self.old.nodes[id as usize].op == Op::Argument {
                self.keep(id, [Operand::None; 3]);
            }
        }
        let mut body = Vec::new();
        // Outside of loops there is no limit.
        let _ = self.statements(&self.old.body, &mut body);
        let result = self.old.result.map(|o| self.operand(o));
        let kinds = self.from.iter().map(|&id| self.old.kinds[id as usize]).collect();
        let old = self.old;
        Function {
            name: old.name.clone(),
            entry: old.entry,
            parameters: old.parameters.clone(),
            stores: old.stores.clone(),
            nodes: self.nodes,
            kinds,
            body,
            result,
        }
    }

    fn operand(&self, o: Operand) -> Operand {
        if let Operand::Node(id) = o { self.now[id as usize] } else { o }
    }

    /// Adds a node of the old function to the new one.
    fn keep(&mut self, id: u32, operands: [Operand; 3]) -> u32 {
        self.nodes.push(Node { op: self.old.nodes[id as usize].op, operands });
        self.from.push(id);
        let new = self.nodes.len() as u32 - 1;
        self.now[id as usize] = Operand::Node(new);
        new
    }

    fn write(&mut self, s: Statement, out: &mut Vec<Statement>) -> Result<(), TooLong> {
        if let Some(left) = &mut self.left {
            *left = left.checked_sub(1).ok_or(TooLong)?;
        }
        out.push(s);
        Ok(())
    }

    fn statements(&mut self, body: &[Statement], out: &mut Vec<Statement>) -> Result<(), TooLong> {
        for s in body {
            match s {
                Statement::Define(id) => {
                    let node = self.old.nodes[*id as usize];
                    let operands = node.operands.map(|o| self.operand(o));
                    match self.known(node.op, operands) {
                        Some(o) => self.now[*id as usize] = o,
                        None => {
                            let new = self.keep(*id, operands);
                            self.write(Statement::Define(new), out)?;
                        }
                    }
                }
                Statement::Put(store, at, x) => {
                    self.write(Statement::Put(*store, self.operand(*at), self.operand(*x)), out)?;
                }
                Statement::PutOwn(store, at, x, threads) => {
                    self.write(Statement::PutOwn(*store, self.operand(*at), self.operand(*x), *threads), out)?;
                }
                Statement::Loop(l) => self.repeat(l, out)?,
                Statement::If(mask, body) => match self.operand(*mask) {
                    Operand::Mask(true) => self.statements(body, out)?,
                    Operand::Mask(false) => {}
                    mask => {
                        let mut inner = Vec::new();
                        self.statements(body, &mut inner)?;
                        self.write(Statement::If(mask, inner), out)?;
                    }
                },
                Statement::Call { function, stores, arguments } => {
                    let arguments = arguments.iter().map(|&o| self.operand(o)).collect();
                    self.write(Statement::Call { function: *function, stores: stores.clone(), arguments }, out)?;
                }
            }
        }
        Ok(())
    }

    fn repeat(&mut self, l: &Loop, out: &mut Vec<Statement>) -> Result<(), TooLong> {
        let range = l.range.map(|o| self.operand(o));
        if let [Operand::Index(lo), Operand::Index(hi)] = range {
            if self.left.is_some() {
                return self.write_out(l, lo..hi, out);
            }
            let (nodes, written) = (self.nodes.len(), out.len());
            self.left = Some(self.most);
            let done = self.write_out(l, lo..hi, out);
            self.left = None;
            if done.is_ok() {
                return Ok(());
            }
            self.nodes.truncate(nodes);
            self.from.truncate(nodes);
            out.truncate(written);
        }
        let init: Vec<Operand> = l.folds.iter().map(|f| self.operand(f.init)).collect();
        let running: Vec<u32> = l.folds.iter().map(|f| self.keep(f.running, [Operand::None; 3])).collect();
        let index = self.keep(l.index, [Operand::None; 3]);
        let mut body = Vec::new();
        self.statements(&l.body, &mut body)?;
        let next: Vec<Operand> = l.folds.iter().map(|f| self.operand(f.next)).collect();
        let folds = running.iter().zip(init).zip(next).map(|((&running, init), next)| Fold { running, init, next });
        let folds = folds.collect();
        self.write(Statement::Loop(Loop { independent: l.independent, index, range, folds, body }), out)
    }

    /// Writes every turn of a loop.
    fn write_out(&mut self, l: &Loop, turns: std::ops::Range<usize>, out: &mut Vec<Statement>) -> Result<(), TooLong> {
        let mut values: Vec<Operand> = l.folds.iter().map(|f| self.operand(f.init)).collect();
        for i in turns {
            self.now[l.index as usize] = Operand::Index(i);
            for (f, &x) in l.folds.iter().zip(&values) {
                self.now[f.running as usize] = x;
            }
            self.statements(&l.body, out)?;
            values = l.folds.iter().map(|f| self.operand(f.next)).collect();
        }
        for (f, x) in l.folds.iter().zip(values) {
            self.now[f.running as usize] = x;
        }
        Ok(())
    }

    /// The result of an operation, if it is known.
    fn known(&self, op: Op, operands: [Operand; 3]) -> Option<Operand> {
        use Operand::{Index, Mask};
        let real = |o: Operand| if let Operand::Real(bits) = o { Some(f64::from_bits(bits)) } else { None };
        let number = |x: f64| Some(Operand::Real(x.to_bits()));
        let [a, b, c] = operands;
        match (op, a, b) {
            (Op::Real(t), Index(i), _) => number(self.tables.get(t)[i]),
            (Op::Index(t), Index(i), _) => Some(Index(self.tables.list(t)[i] as usize)),
            (Op::AddIndex, Index(a), Index(b)) => Some(Index(a + b)),
            (Op::SubIndex, Index(a), Index(b)) => Some(Index(a - b)),
            (Op::MulIndex, Index(a), Index(b)) => Some(Index(a * b)),
            (Op::AddIndex, Index(0), x) | (Op::AddIndex, x, Index(0)) => Some(x),
            (Op::Select, Mask(m), _) => Some(if m { b } else { c }),
            (Op::And, Mask(true), x) | (Op::And, x, Mask(true)) => Some(x),
            (Op::Or, Mask(false), x) | (Op::Or, x, Mask(false)) => Some(x),
            (Op::Not, Mask(m), _) => Some(Mask(!m)),
            (Op::Lt, ..) => Some(Mask(real(a)? < real(b)?)),
            (Op::Le, ..) => Some(Mask(real(a)? <= real(b)?)),
            (Op::Mul, ..) if real(a) == Some(1.0) => Some(b),
            (Op::Mul, ..) if real(b) == Some(1.0) => Some(a),
            (Op::Add, ..) => number(real(a)? + real(b)?),
            (Op::Sub, ..) => number(real(a)? - real(b)?),
            (Op::Mul, ..) => number(real(a)? * real(b)?),
            (Op::Div, ..) => number(real(a)? / real(b)?),
            (Op::Neg, ..) => number(-real(a)?),
            (Op::Abs, ..) => number(real(a)?.abs()),
            (Op::Max, ..) => number(<f64 as Real>::max(real(a)?, real(b)?)),
            (Op::Min, ..) => number(<f64 as Real>::min(real(a)?, real(b)?)),
            (Op::MulAdd, ..) => number(real(a)?.mul_add(real(b)?, real(c)?)),
            _ => None,
        }
    }
}
