//! Loops of which a printer may take several turns at once: all reads of these turns, then all writes.

use crate::program::{Function, Loop, Op, Operand, Statement};

/// Most statements of a turn: what several turns hold at once is in registers.
const MOST: usize = 16;

/// Statements of a turn before its first write.
pub fn reads(body: &[Statement]) -> usize {
    body.iter().position(|s| matches!(s, Statement::Put(..))).unwrap_or(body.len())
}

/// Whether a loop is worth it: its turns are short and do not depend on each other, none reads the arena after it has
/// written, and some place in the arena comes from a table. Of other places a compiler knows itself which are apart.
pub fn pays(f: &Function, l: &Loop) -> bool {
    let (before, after) = l.body.split_at(reads(&l.body));
    let plain = |s: &Statement| match s {
        Statement::Define(id) => !matches!(f.nodes[*id as usize].op, Op::Call(_)),
        Statement::Put(..) => true,
        _ => false,
    };
    let get = |s: &Statement| match s {
        Statement::Define(id) => match f.nodes[*id as usize] {
            n if matches!(n.op, Op::Get(_)) => Some(n.operands[0]),
            _ => None,
        },
        _ => None,
    };
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

/// Whether an index comes from a table.
fn looked_up(f: &Function, o: Operand) -> bool {
    let Operand::Node(id) = o else { return false };
    let n = f.nodes[id as usize];
    match n.op {
        Op::Index(_) => true,
        Op::AddIndex | Op::SubIndex | Op::MulIndex => n.operands.iter().any(|&o| looked_up(f, o)),
        _ => false,
    }
}
