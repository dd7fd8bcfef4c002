//! One expression as text.

use super::body::Body;
use super::{literal, name_of, name_of_list};
use crate::dialect::Constants;
use crate::kinds::fits;
use crate::program::{Kind, Node, Op, Operand, Store, number};
use crate::storage::Memory;

/// An expression, and whether it can be an operand without parentheses.
#[derive(Debug, Clone, Default)]
pub(super) struct Text {
    pub(super) text: String,
    pub(super) atom: bool,
}

impl Text {
    pub(super) fn atom(text: impl Into<String>) -> Self {
        Self { text: text.into(), atom: true }
    }
    /// The expression as an operand, in parentheses if needed.
    pub(super) fn operand(&self) -> String {
        if self.atom { self.text.clone() } else { format!("({})", self.text) }
    }
}

impl Body<'_, '_> {
    pub(super) fn operand(&self, o: Operand) -> Text {
        match o {
            Operand::None => Text::default(),
            Operand::Real(bits) => Text::atom(literal(f64::from_bits(bits))),
            Operand::Index(i) => Text::atom(i.to_string()),
            Operand::Mask(b) => Text::atom(if b { "1" } else { "0" }),
            Operand::Node(id) => self.text[id as usize].clone(),
            Operand::Parameter(k) => Text::atom(format!("p{k}")),
        }
    }

    /// The memory of an array.
    pub(super) fn memory(&self, store: Store) -> Memory {
        match store {
            Store::Fixed(a) => self.printer.storage.memory(a),
            Store::Parameter(k) => self.f.stores[k as usize].memory,
        }
    }

    /// The place where an array starts.
    pub(super) fn start(&self, store: Store) -> String {
        let at = match store {
            Store::Fixed(a) => a.at,
            Store::Parameter(k) => match self.printer.places[self.number][k as usize] {
                Some(at) => at,
                None => return format!("a{k}"),
            },
        };
        let memory = self.memory(store);
        let at = self.printer.storage.place(at, memory);
        self.printer.arrays.get(&(memory, at)).map_or_else(|| at.to_string(), |name| format!("at_{name}"))
    }

    pub(super) fn element(&self, store: Store, i: Operand) -> String {
        let start = self.start(store);
        let at = match i {
            Operand::Index(0) => start,
            _ => format!("{start} + {}", self.operand(i).text),
        };
        (self.printer.d.element)(name_of(self.memory(store)), &at)
    }

    /// An element that belongs to the thread.
    pub(super) fn own_element(&self, store: Store, i: Operand) -> String {
        let base = match i {
            Operand::Node(id) => match self.f.nodes[id as usize] {
                Node { op: Op::Own, operands: [Operand::Index(base), ..] } => base,
                _ => return self.element(store, i),
            },
            _ => return self.element(store, i),
        };
        let start = self.start(store);
        (self.printer.d.element)("own", &if base == 0 { start } else { format!("{start} + {base}") })
    }

    /// The condition that a thread is one of these, unless all are.
    pub(super) fn only(&self, threads: u32) -> Option<String> {
        let group = self.printer.group;
        (threads.count_ones() as usize != group).then(|| format!("bit & {threads:#x}u"))
    }

    /// An operand of an operation on numbers of a kind; the kind is written where C would take another, or
    /// could not choose.
    pub(super) fn number(&self, o: Operand, kind: Kind) -> Text {
        let text = self.operand(o);
        match (o, kind) {
            (Operand::Real(bits), Kind::Single) => {
                let x = f64::from_bits(bits) as f32;
                Text::atom(if x.is_finite() { format!("{x:?}f") } else { literal(f64::from(x)) })
            }
            (Operand::Node(id), Kind::Single) if self.f.kinds[id as usize] == Kind::Real => cast("float", &text),
            (Operand::Parameter(p), Kind::Single) if self.f.parameters[p as usize] == Kind::Real => {
                cast("float", &text)
            }
            (Operand::Node(id), Kind::Real) if self.f.kinds[id as usize] == Kind::Single => cast("double", &text),
            _ => text,
        }
    }

    /// The kind in which the operands of an operation are taken.
    fn taken(&self, n: Node, kind: Kind) -> Kind {
        let singles = |o: &Operand| matches!(*o, Operand::Node(id) if self.f.kinds[id as usize] == Kind::Single);
        match n.op {
            // What is compared may be single, although the result is not a number.
            Op::Lt | Op::Le => {
                let known = |o: &Operand| singles(o) || (matches!(o, Operand::Real(_)) && fits(*o));
                if n.operands[..2].iter().all(known) { Kind::Single } else { Kind::Real }
            }
            Op::Narrow => Kind::Single,
            _ => kind,
        }
    }

    pub(super) fn expression(&mut self, n: Node, kind: Kind) -> Text {
        let kind = self.taken(n, kind);
        let [a, b, c] = n.operands.map(|o| self.number(o, kind));
        let infix = |sign: &str| Text { text: format!("{} {sign} {}", a.operand(), b.operand()), atom: false };
        let prefix = |sign: &str| Text { text: format!("{sign}{}", a.operand()), atom: false };
        let call = |name: &str, args: &[&Text]| {
            let args: Vec<&str> = args.iter().map(|t| t.text.as_str()).collect();
            Text::atom(format!("{name}({})", args.join(", ")))
        };
        let single = kind == Kind::Single;
        match n.op {
            Op::Get(store) => Text::atom(self.element(store, n.operands[0])),
            Op::Real(t) => match self.printer.d.constants {
                Constants::Passed { entry, .. } => Text::atom(entry("R", &offset(t.at, n.operands[0], &a))),
                Constants::Written { .. } => Text::atom(format!("R{}[{}]", number(&mut self.printer.reals, t), a.text)),
            },
            Op::Index(t) => match self.printer.d.constants {
                Constants::Passed { entry, .. } => Text::atom(entry("N", &offset(t.at, n.operands[0], &a))),
                Constants::Written { .. } => {
                    Text::atom(format!("N{}[{}]", number(&mut self.printer.indices, t), a.text))
                }
            },
            Op::Add | Op::AddIndex => infix("+"),
            Op::Sub => infix("-"),
            // C would promote short table entries to signed numbers.
            Op::SubIndex => Text { text: format!("{}u - {}", a.operand(), b.operand()), atom: false },
            Op::Mul | Op::MulIndex => infix("*"),
            Op::Div => infix("/"),
            Op::Lt => infix("<"),
            Op::Le => infix("<="),
            Op::And => infix("&&"),
            Op::Or => infix("||"),
            Op::Neg => prefix("-"),
            Op::Not => prefix("!"),
            Op::Select => Text { text: format!("{} ? {} : {}", a.operand(), b.operand(), c.operand()), atom: false },
            Op::MulAdd => call(if single { "fmaf" } else { "fma" }, &[&a, &b, &c]),
            Op::Sqrt => call(if single { "sqrtf" } else { "sqrt" }, &[&a]),
            Op::Abs => call(if single { "fabsf" } else { "fabs" }, &[&a]),
            Op::Max => call(if single { "largerf" } else { "larger" }, &[&a, &b]),
            Op::Min => call(if single { "smallerf" } else { "smaller" }, &[&a, &b]),
            Op::Narrow | Op::Widen => a,
            Op::Scale => call("scale", &[&a, &b]),
            Op::Mantissa => call("mantissa", &[&a]),
            Op::Exponent => call("exponent", &[&a]),
            Op::Call(f) => call(&self.printer.names[f].clone(), &[&a]),
            Op::Own => match n.operands[0] {
                Operand::Index(0) => Text::atom("ID"),
                _ => Text { text: format!("{} + ID", a.text), atom: false },
            },
            Op::Listed(list) => match self.printer.d.constants {
                Constants::Passed { entry, .. } => Text::atom(entry(name_of_list(list), &a.text)),
                Constants::Written { .. } => Text::atom(format!("{}[{}]", name_of_list(list), a.text)),
            },
            Op::GetOwn(store, threads) => {
                let element = self.own_element(store, n.operands[0]);
                match self.only(threads) {
                    None => Text::atom(element),
                    Some(condition) => Text { text: format!("{condition} ? {element} : 0.0"), atom: false },
                }
            }
            Op::From(thread) => call("FROM", &[&a, &Text::atom(thread.to_string())]),
            Op::Among(threads) => match self.only(threads) {
                None => Text::atom("1"),
                Some(condition) => Text { text: condition, atom: false },
            },
            // No statement defines these: they have got their names already.
            Op::Loop | Op::Running | Op::Argument => Text::default(),
        }
    }
}

fn cast(kind: &str, x: &Text) -> Text {
    Text { text: format!("({kind}){}", x.operand()), atom: false }
}

/// A place relative to the start of a table.
fn offset(start: u32, i: Operand, text: &Text) -> String {
    if let Operand::Index(i) = i { (start as usize + i).to_string() } else { format!("{start} + {}", text.text) }
}
