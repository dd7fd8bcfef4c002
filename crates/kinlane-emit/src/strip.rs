//! Loops of which a printer may take several turns at once: first all reads of these turns, then all their
//! writes or, for a sum, all additions one after another.

use crate::program::{Function, Loop, Op, Operand, Statement};
use std::collections::BTreeSet;

/// Most statements of a turn: the values of several turns must fit in registers.
const MOST: usize = 16;

/// Number of statements of a turn before its first write.
pub fn reads(body: &[Statement]) -> usize {
    body.iter().position(|s| matches!(s, Statement::Put(..))).unwrap_or(body.len())
}

/// Whether a statement computes a value without calling a function.
fn plain(f: &Function, s: &Statement) -> bool {
    matches!(s, Statement::Define(id) if !matches!(f.nodes[*id as usize].op, Op::Call(_)))
}

/// The place, if the statement is a read of the arena.
fn get(f: &Function, s: &Statement) -> Option<Operand> {
    let Statement::Define(id) = s else { return None };
    let n = f.nodes[*id as usize];
    matches!(n.op, Op::Get(_)).then_some(n.operands[0])
}

/// The statements of a sum that depend on the running value, and the others.
pub fn running(f: &Function, l: &Loop) -> [Vec<Statement>; 2] {
    let mut known: BTreeSet<u32> = l.folds.iter().map(|x| x.running).collect();
    let (mut after, mut before) = (Vec::new(), Vec::new());
    for s in &l.body {
        let wants = |id: &u32| {
            f.nodes[*id as usize].operands.iter().any(|o| matches!(o, Operand::Node(n) if known.contains(n)))
        };
        match s {
            Statement::Define(id) if wants(id) => {
                known.insert(*id);
                after.push(s.clone());
            }
            _ => before.push(s.clone()),
        }
    }
    [after, before]
}

/// Whether a sum is worth it: its turns are short and only read, and they read places that come from a table
/// and do not depend on the running value.
pub fn sums(f: &Function, l: &Loop) -> bool {
    let [after, before] = running(f, l);
    !l.folds.is_empty()
        && l.body.len() <= MOST
        && l.body.iter().all(|s| plain(f, s))
        && after.iter().all(|s| get(f, s).is_none())
        && before.iter().filter_map(|s| get(f, s)).any(|at| looked_up(f, at))
}

/// Whether a loop is worth it: its turns are short and independent, none reads the arena after it has
/// written, and some place in the arena comes from a table. For other places the compiler itself knows which
/// are different.
pub fn pays(f: &Function, l: &Loop) -> bool {
    let (before, after) = l.body.split_at(reads(&l.body));
    let plain = |s: &Statement| matches!(s, Statement::Put(..)) || plain(f, s);
    let get = |s: &Statement| get(f, s);
    let place = |s: &Statement| if let Statement::Put(_, at, _) = s { Some(*at) } else { get(s) };
    l.independent
        && l.folds.is_empty()
        && l.body.len() <= MOST
        && !after.is_empty()
        && before.iter().any(|s| get(s).is_some())
        && l.body.iter().all(plain)
        && !after.iter().any(|s| get(s).is_some())
        && l.body.iter().filter_map(place).any(|at| looked_up(f, at))
}

/// Whether the turns of an ordered loop are such that one thread can do them all: there is no other loop in them, and
/// nothing that they compute is used elsewhere.
pub fn alone(f: &Function, l: &Loop) -> bool {
    l.folds.is_empty() && l.body.iter().all(|s| matches!(s, Statement::Put(..)) || plain(f, s))
}

/// Whether an index comes from a table.
fn looked_up(f: &Function, o: Operand) -> bool {
    let Operand::Node(id) = o else { return false };
    let n = f.nodes[id as usize];
    match n.op {
        Op::Index(_) | Op::Listed(_) => true,
        Op::AddIndex | Op::SubIndex | Op::MulIndex => n.operands.iter().any(|&o| looked_up(f, o)),
        _ => false,
    }
}
