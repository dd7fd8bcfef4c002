//! Which numbers of a program are in single precision.
//!
//! Arrays are in single or double precision, as the recorder was told. An operation on numbers is single if
//! one of them is single and all its literals are within range: digits that an operand does not have gain
//! nothing. So single precision spreads through arithmetic until a number is written to an array of doubles,
//! passed to a function or returned by one.

use crate::program::{Fold, Kind, Node, Op, Operand, Statement, Store, walk};
use kinlane_plan::precision::Precision;

/// The kind of every node of a function; its arrays must still be known.
pub fn kinds(nodes: &[Node], body: &[Statement], precision: Precision) -> Vec<Kind> {
    let mut all: Vec<Kind> = nodes.iter().map(|n| n.op.kind()).collect();
    if precision == Precision::F64 {
        return all;
    }
    let mut folds: Vec<&Fold> = Vec::new();
    walk(body, &mut |s| {
        if let Statement::Loop(l) = s {
            folds.extend(&l.folds);
        }
    });
    // The kind of a running value is needed before its loop, and depends on what the loop makes of it.
    loop {
        let before = all.clone();
        for (id, node) in nodes.iter().enumerate() {
            if single(node, &all, precision) {
                all[id] = Kind::Single;
            }
        }
        for f in &folds {
            if [f.init, f.next].iter().any(|&o| of(o, &all) == Some(Kind::Single)) {
                all[f.running as usize] = Kind::Single;
            }
        }
        if all == before {
            return all;
        }
    }
}

fn of(o: Operand, all: &[Kind]) -> Option<Kind> {
    if let Operand::Node(id) = o { all.get(id as usize).copied() } else { None }
}

fn single(n: &Node, all: &[Kind], precision: Precision) -> bool {
    match n.op {
        Op::Get(Store::Fixed(a)) => precision.single(a.grain),
        Op::Narrow => true,
        Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Neg | Op::MulAdd | Op::Sqrt | Op::Abs | Op::Max | Op::Min => {
            spreads(&n.operands, all)
        }
        Op::Select => spreads(&n.operands[1..], all),
        _ => false,
    }
}

/// Whether the result of these operands is single: one of them is, and no literal is out of range.
fn spreads(operands: &[Operand], all: &[Kind]) -> bool {
    operands.iter().any(|&o| of(o, all) == Some(Kind::Single)) && operands.iter().all(|&o| fits(o))
}

/// Whether an operand may be single: a literal must not become 0 or infinite.
pub fn fits(o: Operand) -> bool {
    match o {
        Operand::Real(bits) => {
            let x = f64::from_bits(bits);
            x == 0.0 || (f64::from(f32::MIN_POSITIVE)..=f64::from(f32::MAX)).contains(&x.abs())
        }
        _ => true,
    }
}
