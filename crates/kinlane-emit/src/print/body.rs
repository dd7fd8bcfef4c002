//! One function as text.
//!
//! An expression that is used once, in the block where it is computed, is written where it is used; every
//! other expression gets a name. Reads of work arrays always get one, at their place among the writes.

use super::ahead::First;
use super::expression::Text;
use super::{Printer, name_of, put};
use crate::hazard::{Pending, Span};
use crate::program::{Function, Kind, Node, Op, Operand, Statement, Store};
use crate::resolve::Uses;
use crate::storage::Memory;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

/// Length up to which an expression is written where it is used.
const INLINE: usize = 60;

/// The text of one function, while it is being written.
pub struct Body<'a, 'p> {
    pub(super) printer: &'a mut Printer<'p>,
    pub(super) f: &'a Function,
    pub(super) number: usize,
    pub(super) uses: Uses,
    pub(super) text: Vec<Text>,
    pub(super) out: String,
    pub(super) depth: usize,
    pub(super) loops: usize,
    /// Number of names given so far, by kind.
    pub(super) given: [usize; 5],
    /// Whether a group of threads runs this function together.
    pub(super) shared: bool,
    /// Accesses of the group since the last barrier.
    pub(super) pending: Pending,
    /// Nodes that have been computed ahead.
    pub(super) skip: BTreeSet<u32>,
    /// First turns that are known of loops, by their index.
    pub(super) first: BTreeMap<u32, First>,
    /// Number of such turns in the text.
    pub(super) firsts: usize,
}

impl<'a, 'p> Body<'a, 'p> {
    pub fn new(printer: &'a mut Printer<'p>, f: &'a Function, number: usize, shared: bool) -> Self {
        let given = |n: &Node| if n.op == Op::Argument { Text::atom("x") } else { Text::default() };
        let (uses, text) = (Uses::of(f), f.nodes.iter().map(given).collect());
        let (out, pending) = (String::new(), Pending::default());
        let (skip, first, firsts) = (BTreeSet::new(), BTreeMap::new(), 0);
        Self {
            printer,
            f,
            number,
            uses,
            text,
            out,
            depth: 1,
            loops: 0,
            given: [0; 5],
            shared,
            pending,
            skip,
            first,
            firsts,
        }
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
        self.threads();
        self.statements(&f.body);
        self.settle();
        if let Some(o) = f.result {
            let text = self.operand(o).text;
            self.line(format_args!("return {text};"));
        }
        format!("{head} {{\n{}}}\n\n", self.out)
    }

    pub(super) fn line(&mut self, text: impl Display) {
        put(&mut self.out, format_args!("{:1$}{text}\n", "", 4 * self.depth));
    }

    pub(super) fn statements(&mut self, body: &[Statement]) {
        for s in body {
            match s {
                Statement::Define(id) => self.define(*id),
                Statement::Put(store, at, x) => self.put(*store, *at, *x),
                Statement::PutOwn(store, at, x, threads) => self.put_own(*store, *at, *x, *threads),
                Statement::Loop(l) if self.uses.loops.contains(&l.index) => self.repeat(l),
                Statement::Loop(_) => {}
                Statement::If(mask, body) => {
                    let mask = self.operand(*mask).text;
                    let mask = if self.printer.d.together && self.shared { format!("SOMEONE({mask})") } else { mask };
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

    fn put_own(&mut self, store: Store, at: Operand, x: Operand, threads: u32) {
        let (element, x) = (self.own_element(store, at), self.operand(x).text);
        let span = self.span(store);
        if self.pending.stops_own_write(span) {
            self.sync();
        }
        self.pending.own_write(span);
        let condition = self.only(threads).map_or_else(String::new, |c| format!("if ({c}) "));
        self.line(format_args!("{condition}{element} = {x};"));
    }

    /// Names for what belongs to a thread, in functions that use them.
    fn threads(&mut self) {
        let used = self.f.nodes.iter().zip(&self.uses.count).filter(|(_, count)| **count > 0);
        let [own, bit] = used.fold([false; 2], |[own, bit], (n, _)| {
            [own || n.op == Op::Own, bit || matches!(n.op, Op::GetOwn(..) | Op::Among(_))]
        });
        if own {
            // Its elements are those after its number in the group.
            let d = self.printer.d;
            let (own, first) = ((d.shared_arena)(d.spaces[0], "double", "own"), (d.element)("w", "ID"));
            self.line(format_args!("{own} = &{first};"));
        }
        if bit {
            self.line("const unsigned bit = 1u << ID;");
        }
    }

    /// Writes a barrier.
    pub(super) fn sync(&mut self) {
        self.pending = Pending::default();
        self.line("SYNC;");
    }

    /// Writes a barrier if any access is pending.
    pub(super) fn settle(&mut self) {
        if !self.pending.is_empty() {
            self.sync();
        }
    }

    /// The place of an array, if it is known.
    pub(super) fn span(&self, store: Store) -> Span {
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

    pub(super) fn name(&mut self, id: u32, kind: Kind, letter: &str) -> String {
        let given = &mut self.given[if letter == "s" { 4 } else { kind as usize }];
        let name = format!("{letter}{given}");
        *given += 1;
        self.text[id as usize] = Text::atom(name.clone());
        name
    }

    fn define(&mut self, id: u32) {
        let at = id as usize;
        if self.uses.count[at] == 0 || self.skip.contains(&id) {
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
        if let Op::GetOwn(store, _) = node.op {
            let span = self.span(store);
            if self.pending.stops_own_read(span) {
                self.sync();
            }
            self.pending.own_read(span);
        }
        let kind = self.f.kinds[at];
        let text = self.expression(node, kind);
        let once = self.uses.count[at] == 1 && self.uses.local[at];
        // What threads give each other they must all reach.
        let placed = node.op.store().is_some() || matches!(node.op, Op::From(_));
        if once && text.text.len() <= INLINE && !placed {
            self.text[at] = text;
            return;
        }
        let name = self.name(id, kind, letter(kind));
        self.line(format_args!("const {} {name} = {};", type_of(kind), text.text));
    }
}

pub(super) fn type_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Real => "double",
        Kind::Single => "float",
        Kind::Index => "unsigned",
        Kind::Mask => "int",
    }
}

pub(super) fn letter(kind: Kind) -> &'static str {
    match kind {
        Kind::Real => "v",
        Kind::Single => "u",
        Kind::Index => "n",
        Kind::Mask => "b",
    }
}
