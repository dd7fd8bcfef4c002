//! One function as text.
//!
//! An expression that is used once, in the block where it is computed, is written where it is used; every
//! other expression gets a name. Reads of work arrays always get one, at their place among the writes.

use super::{Printer, literal, name_of, put};
use crate::dialect::Constants;
use crate::hazard::{Pending, Span, Touched};
use crate::kinds::fits;
use crate::program::effective;
use crate::program::{Fold, Function, Kind, Loop, Node, Op, Operand, Statement, Store};
use crate::resolve::Uses;
use crate::storage::Memory;
use crate::strip;
use std::fmt::Display;

/// Length up to which an expression is written where it is used.
const INLINE: usize = 60;

/// An expression, and whether it can be an operand without parentheses.
#[derive(Debug, Clone, Default)]
struct Text {
    text: String,
    atom: bool,
}

impl Text {
    fn atom(text: impl Into<String>) -> Self {
        Self { text: text.into(), atom: true }
    }
    /// The expression as an operand, in parentheses if needed.
    fn operand(&self) -> String {
        if self.atom { self.text.clone() } else { format!("({})", self.text) }
    }
}

/// The text of one function, while it is being written.
pub struct Body<'a, 'p> {
    printer: &'a mut Printer<'p>,
    f: &'a Function,
    number: usize,
    uses: Uses,
    text: Vec<Text>,
    out: String,
    depth: usize,
    loops: usize,
    /// Number of names given so far, by kind.
    given: [usize; 5],
    /// Whether a group of threads runs this function together.
    shared: bool,
    /// Accesses of the group since the last barrier.
    pending: Pending,
}

impl<'a, 'p> Body<'a, 'p> {
    pub fn new(printer: &'a mut Printer<'p>, f: &'a Function, number: usize, shared: bool) -> Self {
        let given = |n: &Node| if n.op == Op::Argument { Text::atom("x") } else { Text::default() };
        let (uses, text) = (Uses::of(f), f.nodes.iter().map(given).collect());
        let (out, pending) = (String::new(), Pending::default());
        Self { printer, f, number, uses, text, out, depth: 1, loops: 0, given: [0; 5], shared, pending }
    }

    pub fn function(mut self) -> String {
        let d = self.printer.d;
        let name = self.name_of(self.number, self.shared);
        let head = if self.f.result.is_some() {
            format!("{} {name}(double x)", d.elementary)
        } else {
            let arena = if d.group { d.shared_arena } else { d.arena };
            let memory = |&m: &Memory| {
                let kind = if m == Memory::Single { "float" } else { "double" };
                arena(d.spaces[usize::from(m == Memory::Near)], kind, name_of(m))
            };
            let memories: Vec<String> = self.printer.memories.iter().map(memory).collect();
            let before = match (self.f.entry, self.printer.calls[self.number]) {
                (true, _) => d.entry,
                (false, 1) => d.called_once,
                (false, _) => d.function,
            };
            let mut head = format!("{before} {name}({}", memories.join(", "));
            head.push_str(d.tables[0]);
            for (k, _) in self.printer.places[self.number].iter().enumerate().filter(|(_, at)| at.is_none()) {
                put(&mut head, format_args!(", unsigned a{k}"));
            }
            for (k, kind) in self.f.parameters.iter().enumerate() {
                put(&mut head, format_args!(", {} p{k}", type_of(*kind)));
            }
            head + ")"
        };
        let f = self.f;
        self.statements(&f.body);
        self.settle();
        if let Some(o) = f.result {
            let text = self.operand(o).text;
            self.line(format_args!("return {text};"));
        }
        format!("{head} {{\n{}}}\n\n", self.out)
    }

    fn line(&mut self, text: impl Display) {
        put(&mut self.out, format_args!("{:1$}{text}\n", "", 4 * self.depth));
    }

    fn statements(&mut self, body: &[Statement]) {
        for s in body {
            match s {
                Statement::Define(id) => self.define(*id),
                Statement::Put(store, at, x) => self.put(*store, *at, *x),
                Statement::Loop(l) if self.uses.loops.contains(&l.index) => self.repeat(l),
                Statement::Loop(_) => {}
                Statement::If(mask, body) => {
                    let mask = self.operand(*mask).text;
                    self.line(format_args!("if ({mask}) {{"));
                    self.depth += 1;
                    let before = self.pending.clone();
                    self.statements(body);
                    self.pending.join(before);
                    self.depth -= 1;
                    self.line("}");
                }
                Statement::Call { function, stores, arguments } => self.call(*function, stores, arguments),
            }
        }
    }

    fn put(&mut self, store: Store, at: Operand, x: Operand) {
        let (element, x) = (self.element(store, at), self.operand(x).text);
        if !self.shared {
            return self.line(format_args!("{element} = {x};"));
        }
        let span = self.span(store);
        if self.pending.stops_first(span) {
            self.sync();
        }
        self.pending.first(span);
        self.line(format_args!("if (ID == 0) {element} = {x};"));
    }

    /// Writes a barrier.
    fn sync(&mut self) {
        self.pending = Pending::default();
        self.line("SYNC;");
    }

    /// Writes a barrier if any access is pending.
    fn settle(&mut self) {
        if !self.pending.is_empty() {
            self.sync();
        }
    }

    /// The place of an array, if it is known.
    fn span(&self, store: Store) -> Span {
        match store {
            Store::Fixed(a) => Some((a.at, a.at + a.len)),
            Store::Parameter(k) => {
                self.printer.places[self.number][k as usize].map(|at| (at, at + self.f.stores[k as usize].len))
            }
        }
    }

    fn name_of(&self, function: usize, shared: bool) -> String {
        let apart = if self.printer.d.group && !shared && self.f.result.is_none() { "_alone" } else { "" };
        format!("{}{apart}", self.printer.names[function])
    }

    fn call(&mut self, function: usize, stores: &[Store], arguments: &[Operand]) {
        self.settle();
        let memories: Vec<&str> = self.printer.memories.iter().map(|&m| name_of(m)).collect();
        let name = self.name_of(function, self.shared);
        let mut text = format!("{name}({}{}", memories.join(", "), self.printer.d.tables[1]);
        for (store, _) in stores.iter().zip(&self.printer.places[function]).filter(|(_, at)| at.is_none()) {
            put(&mut text, format_args!(", {}", self.start(*store)));
        }
        for a in arguments {
            put(&mut text, format_args!(", {}", self.operand(*a).text));
        }
        self.line(format_args!("{text});"));
    }

    fn repeat(&mut self, l: &Loop) {
        if !self.shared {
            return match self.printer.d.abreast {
                2.. if strip::pays(self.f, l) || strip::sums(self.f, l) => self.strips(l),
                _ => self.turns(l, "", "1"),
            };
        }
        let touched = Touched::by(self.f, &l.body, &|s| self.span(s));
        if l.independent || !effective(&l.body) {
            if self.pending.stops_loop(&touched) {
                self.sync();
            }
            self.pending.spread(touched);
            self.shared = false;
            if l.independent {
                self.turns(l, " + ID", "SIZE");
            } else {
                self.turns(l, "", "1");
            }
            self.shared = true;
        } else {
            // The end of one turn comes before the start of the next.
            self.settle();
            self.turns(l, "", "1");
        }
    }

    /// Several turns at once of a loop whose turns need not wait for each other's writes or for a sum; then a
    /// loop for the remaining turns.
    fn strips(&mut self, l: &Loop) {
        let (abreast, index) = (self.printer.d.abreast, self.index());
        let (lo, hi) = (self.operand(l.range[0]).text, self.operand(l.range[1]).operand());
        let folds = self.begin_folds(l);
        self.line("{");
        self.depth += 1;
        self.line(format_args!("unsigned {index} = {lo};"));
        self.line(format_args!("for (; {index} + {} < {hi}; {index} += {abreast}) {{", abreast - 1));
        self.depth += 1;
        self.loops += 1;
        let [last, first] = if folds.is_empty() {
            let (reads, writes) = l.body.split_at(strip::reads(&l.body));
            [writes.to_vec(), reads.to_vec()]
        } else {
            strip::running(self.f, l)
        };
        let before = std::mem::take(&mut self.out);
        let mut texts = [String::new(), String::new()];
        for turn in 0..abreast {
            let text = if turn == 0 { index.clone() } else { format!("{index} + {turn}") };
            self.text[l.index as usize] = Text { atom: turn == 0, text };
            self.statements(&first);
            texts[0].push_str(&std::mem::take(&mut self.out));
            self.statements(&last);
            self.next_folds(&folds, turn);
            texts[1].push_str(&std::mem::take(&mut self.out));
        }
        self.out = before + &texts.concat();
        self.depth -= 1;
        self.line("}");
        self.line(format_args!("for (; {index} < {hi}; ++{index}) {{"));
        self.depth += 1;
        self.text[l.index as usize] = Text::atom(index);
        self.statements(&l.body);
        self.next_folds(&folds, 0);
        self.loops -= 1;
        self.depth -= 1;
        self.line("}");
        self.depth -= 1;
        self.line("}");
    }

    /// The name of the next loop's index.
    fn index(&self) -> String {
        ["i", "j", "k", "l", "m"].get(self.loops).map_or_else(|| format!("i{}", self.loops), |s| (*s).to_owned())
    }

    /// A loop that starts at its first index plus `offset`, in steps of `step`.
    fn turns(&mut self, l: &Loop, offset: &str, step: &str) {
        let folds = self.begin_folds(l);
        let index = self.index();
        self.text[l.index as usize] = Text::atom(index.clone());
        let (lo, hi) = (self.operand(l.range[0]).text, self.operand(l.range[1]).operand());
        // A first index of zero is not written.
        let from = match (lo.as_str(), offset) {
            ("0", " + ID") => "ID".to_owned(),
            _ => format!("{lo}{offset}"),
        };
        let next = if step == "1" { format!("++{index}") } else { format!("{index} += {step}") };
        self.line(format_args!("for (unsigned {index} = {from}; {index} < {hi}; {next}) {{"));
        self.depth += 1;
        self.loops += 1;
        self.statements(&l.body);
        self.next_folds(&folds, 0);
        if self.shared {
            self.settle();
        }
        self.loops -= 1;
        self.depth -= 1;
        self.line("}");
    }

    /// Declares the running values of a loop. Returns those that are used.
    fn begin_folds(&mut self, l: &Loop) -> Vec<Fold> {
        let folds: Vec<_> = l.folds.iter().filter(|f| self.uses.count[f.running as usize] > 0).cloned().collect();
        for fold in &folds {
            let kind = self.f.kinds[fold.running as usize];
            let name = self.name(fold.running, kind, "s");
            let init = self.operand(fold.init).text;
            self.line(format_args!("{} {name} = {init};", type_of(kind)));
        }
        folds
    }

    /// Updates the running values at the end of a turn; `turn` is its number among turns taken at once.
    fn next_folds(&mut self, folds: &[Fold], turn: usize) {
        // All new values are computed before the first is assigned.
        let mut next: Vec<String> = folds.iter().map(|f| self.operand(f.next).text).collect();
        if let [_, _, ..] = next[..] {
            for (fold, text) in folds.iter().zip(&mut next) {
                let number = if turn == 0 { String::new() } else { format!("_{turn}") };
                let name = format!("next_{}{number}", self.text[fold.running as usize].text);
                let kind = type_of(self.f.kinds[fold.running as usize]);
                self.line(format_args!("const {kind} {name} = {text};"));
                *text = name;
            }
        }
        for (fold, text) in folds.iter().zip(next) {
            let name = self.text[fold.running as usize].text.clone();
            self.line(format_args!("{name} = {text};"));
        }
    }

    fn name(&mut self, id: u32, kind: Kind, letter: &str) -> String {
        let given = &mut self.given[if letter == "s" { 4 } else { kind as usize }];
        let name = format!("{letter}{given}");
        *given += 1;
        self.text[id as usize] = Text::atom(name.clone());
        name
    }

    fn define(&mut self, id: u32) {
        let at = id as usize;
        if self.uses.count[at] == 0 {
            return;
        }
        let node = self.f.nodes[at];
        if let (Op::Get(store), true) = (node.op, self.shared) {
            let span = self.span(store);
            if self.pending.stops_read(span) {
                self.sync();
            }
            self.pending.read(span);
        }
        let kind = self.f.kinds[at];
        let text = self.expression(node, kind);
        let once = self.uses.count[at] == 1 && self.uses.local[at];
        if once && text.text.len() <= INLINE && !matches!(node.op, Op::Get(_)) {
            self.text[at] = text;
            return;
        }
        let name = self.name(id, kind, letter(kind));
        self.line(format_args!("const {} {name} = {};", type_of(kind), text.text));
    }

    fn operand(&self, o: Operand) -> Text {
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
    fn memory(&self, store: Store) -> Memory {
        match store {
            Store::Fixed(a) => self.printer.storage.memory(a),
            Store::Parameter(k) => self.f.stores[k as usize].memory,
        }
    }

    /// The place where an array starts.
    fn start(&self, store: Store) -> String {
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

    fn element(&self, store: Store, i: Operand) -> String {
        let start = self.start(store);
        let at = match i {
            Operand::Index(0) => start,
            _ => format!("{start} + {}", self.operand(i).text),
        };
        (self.printer.d.element)(name_of(self.memory(store)), &at)
    }

    /// An operand of an operation on numbers of a kind; the kind is written where C would take another, or
    /// could not choose.
    fn number(&self, o: Operand, kind: Kind) -> Text {
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

    fn expression(&mut self, n: Node, kind: Kind) -> Text {
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
                Constants::Passed { entry } => Text::atom(entry("R", &offset(t.at, n.operands[0], &a))),
                Constants::Written { .. } => Text::atom(format!("R{}[{}]", number(&mut self.printer.reals, t), a.text)),
            },
            Op::Index(t) => match self.printer.d.constants {
                Constants::Passed { entry } => Text::atom(entry("N", &offset(t.at, n.operands[0], &a))),
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

/// The number of a table, assigned at its first use.
fn number<T: PartialEq>(tables: &mut Vec<T>, t: T) -> usize {
    tables.iter().position(|x| *x == t).unwrap_or_else(|| {
        tables.push(t);
        tables.len() - 1
    })
}

fn type_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Real => "double",
        Kind::Single => "float",
        Kind::Index => "unsigned",
        Kind::Mask => "int",
    }
}

fn letter(kind: Kind) -> &'static str {
    match kind {
        Kind::Real => "v",
        Kind::Single => "u",
        Kind::Index => "n",
        Kind::Mask => "b",
    }
}
