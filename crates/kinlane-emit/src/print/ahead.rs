//! Ordered loops of groups, with what comes from tables read ahead.
//!
//! All threads of a group wait for each other in every turn of an ordered loop, such as the columns of a triangular
//! system. A turn that first reads its bounds from a table, then with these the places of its elements, and then the
//! elements, waits for memory three times. Tables do not change, nor do arrays that the loop does not write. So a turn reads
//! what later turns will need: the bounds three turns ahead, for instance, the places two turns ahead, and one turn ahead the
//! elements of the factors. Elements that the loop writes are read before the turn's first barrier, where no earlier statement
//! of the turn writes to their array.
//!
//! `n3` is what the present turn needs, `n3_1` what the next one needs, and so on.

use super::body::{Body, letter, type_of};
use super::expression::Text;
use crate::hazard::{self, Span, Touched};
use crate::program::{Function, Kind, Loop, Op, Operand, Statement, Store, walk};
use crate::strip;
use std::collections::{BTreeMap, BTreeSet};

/// Most values of 32 bits that are kept for later turns: they must fit in registers.
const MOST: usize = 48;

/// Most statements of a turn: a longer one does not wait for its tables most of the time.
const SHORT: usize = 24;

/// What can be read ahead in an ordered loop.
#[derive(Debug, Default)]
struct Plan {
    /// Reads, and sums and products of indices, in program order.
    nodes: Vec<Known>,
    /// Positions of the loops inside of which each thread's first turn is known.
    inner: Vec<usize>,
    /// Most reads one after another.
    depth: usize,
}

/// What may be read ahead in a loop: tables, and if `elements` says so what the loop does not write.
struct Scope<'f, S> {
    f: &'f Function,
    l: &'f Loop,
    /// Nodes that the loop defines.
    within: BTreeSet<u32>,
    /// What the loop writes.
    written: Vec<Span>,
    elements: bool,
    /// The place of an array.
    span: S,
}

/// A node that is known ahead.
#[derive(Debug, Clone, Copy)]
struct Known {
    id: u32,
    /// Whether it is a read.
    read: bool,
    /// Whether it is one of the arena.
    element: bool,
    /// How many reads lead to it, itself among them.
    level: usize,
    /// Position of the loop inside in which it stands, if it is one of the first turn there.
    inside: Option<usize>,
}

/// A loop that is being written, and the names of what is read ahead.
struct Course<'l> {
    l: &'l Loop,
    plan: Plan,
    names: BTreeMap<u32, String>,
}

/// The first turn that each thread has of a loop inside.
#[derive(Debug, Clone)]
pub(super) struct First {
    /// Name of its index.
    index: String,
    /// Name of the condition that there is one.
    there: String,
    /// Nodes that have been computed, with their text.
    known: Vec<(u32, Text)>,
}

fn is_read(op: Op) -> bool {
    matches!(op, Op::Index(_) | Op::Real(_))
}

fn is_place(op: Op) -> bool {
    matches!(op, Op::AddIndex | Op::SubIndex | Op::MulIndex)
}

/// Nodes that statements define, also inside of others.
fn defined(body: &[Statement]) -> BTreeSet<u32> {
    let mut all = BTreeSet::new();
    walk(body, &mut |s| match s {
        Statement::Define(id) => all.extend([*id]),
        Statement::Loop(l) => all.extend(l.folds.iter().map(|f| f.running).chain([l.index])),
        Statement::If(..) | Statement::Put(..) | Statement::PutOwn(..) | Statement::Call { .. } => {}
    });
    all
}

impl<'f, S: Fn(Store) -> Span> Scope<'f, S> {
    fn of(f: &'f Function, l: &'f Loop, elements: bool, span: S) -> Self {
        let within = defined(&l.body);
        let written = Touched::by(f, &l.body, &span).written;
        Self { f, l, within, written, elements, span }
    }

    /// How many reads lead to an operand, if it is known ahead.
    fn level(&self, after: &BTreeMap<u32, usize>, o: &Operand) -> Option<usize> {
        match o {
            Operand::Node(id) => after.get(id).copied().or_else(|| (!self.within.contains(id)).then_some(0)),
            _ => Some(0),
        }
    }

    /// What is known of a node, if its operands are known.
    fn known(&self, id: u32, inside: Option<usize>, after: &BTreeMap<u32, usize>) -> Option<Known> {
        let node = self.f.nodes[id as usize];
        let element = match node.op {
            Op::Get(store) => self.elements && !hazard::any(&self.written, (self.span)(store)),
            _ => false,
        };
        let read = element || is_read(node.op);
        if !read && !is_place(node.op) {
            return None;
        }
        let before: Option<Vec<usize>> = node.operands.iter().map(|o| self.level(after, o)).collect();
        let level = before?.into_iter().max()? + usize::from(read);
        Some(Known { id, read, element, level, inside })
    }
}

impl Plan {
    fn of(scope: &Scope<'_, impl Fn(Store) -> Span>) -> Self {
        let mut plan = Self::default();
        // How many reads lead to what is known ahead.
        let mut after: BTreeMap<u32, usize> = BTreeMap::from([(scope.l.index, 0)]);
        for (at, s) in scope.l.body.iter().enumerate() {
            match s {
                Statement::Define(id) => plan.add(scope.known(*id, None, &after), &mut after),
                Statement::Loop(i) if i.independent && i.folds.is_empty() => {
                    let bounds: Option<Vec<usize>> = i.range.iter().map(|o| scope.level(&after, o)).collect();
                    let Some(level) = bounds.and_then(|b| b.into_iter().max()) else { continue };
                    let mut inside = after.clone();
                    inside.insert(i.index, level);
                    let before = plan.nodes.len();
                    for s in &i.body {
                        let Statement::Define(id) = s else { break };
                        plan.add(scope.known(*id, Some(at), &inside), &mut inside);
                    }
                    if plan.nodes.len() > before {
                        plan.inner.push(at);
                    }
                }
                _ => {}
            }
        }
        plan.depth = plan.nodes.iter().map(|n| n.level).max().unwrap_or(0);
        plan
    }

    fn add(&mut self, known: Option<Known>, after: &mut BTreeMap<u32, usize>) {
        if let Some(known) = known {
            after.insert(known.id, known.level);
            self.nodes.push(known);
        }
    }

    /// The reads.
    fn reads(&self) -> impl Iterator<Item = &Known> {
        self.nodes.iter().filter(|n| n.read)
    }

    /// How many turns ahead a read is done.
    fn ahead(&self, level: usize) -> usize {
        self.depth - level + 1
    }

    /// Values of 32 bits that are kept for later turns.
    fn kept(&self, kinds: &[Kind]) -> usize {
        self.reads().map(|n| self.ahead(n.level) * if kinds[n.id as usize] == Kind::Real { 2 } else { 1 }).sum()
    }
}

fn length(body: &[Statement]) -> usize {
    body.iter().map(|s| if let Statement::Loop(l) = s { 1 + length(&l.body) } else { 1 }).sum()
}

impl Body<'_, '_> {
    /// What is read ahead in an ordered loop: elements as well, if registers have room for them.
    fn plan(&self, l: &Loop) -> Option<Plan> {
        let plans = [true, false].into_iter().map(|elements| {
            let mut plan = Plan::of(&Scope::of(self.f, l, elements, |s| self.span(s)));
            plan.nodes.retain(|n| self.uses.count[n.id as usize] > 0);
            plan
        });
        plans.filter(|p| p.depth > 0).find(|p| p.kept(&self.f.kinds) <= MOST)
    }

    /// Writes an ordered loop, if it is worth it.
    pub(super) fn ahead(&mut self, l: &Loop) -> bool {
        if self.printer.d.abreast < 2 || !l.folds.is_empty() || length(&l.body) > SHORT {
            return false;
        }
        let Some(plan) = self.plan(l) else { return false };
        let index = self.index();
        let [lo, hi] = l.range.map(|o| self.operand(o).operand());
        self.firsts += 1;
        let end = format!("end{}", self.firsts);
        // Before the loop there may be nothing to read.
        self.line(format_args!("const unsigned {end} = {hi};"));
        self.line(format_args!("if ({lo} < {end}) {{"));
        self.depth += 1;
        self.loops += 1;
        let reads: Vec<(u32, usize)> = plan.reads().map(|n| (n.id, plan.ahead(n.level))).collect();
        let names: BTreeMap<u32, String> = reads.iter().map(|&(id, _)| (id, self.fresh(id))).collect();
        let course = Course { l, plan, names };
        let later = |turn: usize| if turn == 0 { index.clone() } else { format!("{index}_{turn}") };
        let at = |from: &str, turn: usize| match turn {
            0 => from.to_owned(),
            _ => format!("{from} + {turn} < {end} ? {from} + {turn} : {end} - 1"),
        };
        for turn in 0..course.plan.depth {
            let place = format!("{}_first", later(turn));
            self.line(format_args!("const unsigned {place} = {};", at(&lo, turn)));
            for &(id, ahead) in &reads {
                if turn < ahead {
                    self.take(&course, turn, &place, id, "");
                }
            }
        }
        self.line(format_args!("for (unsigned {index} = {lo}; {index} < {end}; ++{index}) {{"));
        self.depth += 1;
        for turn in 1..=course.plan.depth {
            self.line(format_args!("const unsigned {} = {};", later(turn), at(&index, turn)));
        }
        for &(id, ahead) in &reads {
            self.take(&course, ahead, &later(ahead), id, "const ");
        }
        let elements = course.plan.reads().filter(|n| n.element && self.shared);
        for n in elements {
            if let Op::Get(store) = self.f.nodes[n.id as usize].op {
                self.pending.read(self.span(store));
            }
        }
        self.know(&course, 0, &index);
        self.first_turns(&course);
        let Course { plan, names, .. } = course;
        let own: Vec<u32> = plan.reads().filter(|n| n.inside.is_none()).map(|n| n.id).collect();
        self.skip.extend(&own);
        self.statements(&l.body);
        self.skip.retain(|id| !own.contains(id));
        self.settle();
        for &(id, ahead) in &reads {
            for turn in 0..ahead {
                let name = &names[&id];
                self.line(format_args!("{} = {};", named(name, turn), named(name, turn + 1)));
            }
        }
        for _ in 0..2 {
            self.depth -= 1;
            self.line("}");
        }
        self.loops -= 1;
        true
    }

    /// A new name for a node.
    fn fresh(&mut self, id: u32) -> String {
        let kind = self.f.kinds[id as usize];
        self.name(id, kind, letter(kind))
    }

    /// Sets the texts of all nodes that are known ahead to what they are for one of the next turns, whose index is `place`.
    fn know(&mut self, Course { l, plan, names }: &Course<'_>, turn: usize, place: &str) {
        self.text[l.index as usize] = Text::atom(place);
        let mut last = None;
        for &Known { id, level, inside, .. } in &plan.nodes {
            if let (Some(at), true) = (inside, inside != last) {
                last = inside;
                if let Statement::Loop(i) = &l.body[at] {
                    let lo = self.operand(i.range[0]);
                    let text = if lo.text == "0" { "ID".to_owned() } else { format!("{} + ID", lo.operand()) };
                    self.text[i.index as usize] = Text { atom: text == "ID", text };
                }
            }
            self.text[id as usize] = match names.get(&id) {
                Some(name) if turn <= plan.ahead(level) => Text::atom(named(name, turn)),
                Some(_) => Text::default(),
                None => self.expression(self.f.nodes[id as usize], self.f.kinds[id as usize]),
            };
        }
    }

    /// Reads an entry of a table, or an element, for one of the next turns.
    fn take(&mut self, course: &Course<'_>, turn: usize, place: &str, id: u32, before: &str) {
        self.know(course, turn, place);
        let Course { l, plan, names } = course;
        let (node, kind) = (self.f.nodes[id as usize], self.f.kinds[id as usize]);
        let mut text = self.expression(node, kind).text;
        let inside = plan.nodes.iter().find(|n| n.id == id).and_then(|n| n.inside);
        if let Some(Statement::Loop(i)) = inside.map(|at| &l.body[at]) {
            // A thread may have no turn of that loop.
            let (first, hi) = (self.text[i.index as usize].text.clone(), self.operand(i.range[1]).operand());
            text = format!("{first} < {hi} ? {text} : 0");
        }
        self.line(format_args!("{before}{} {} = {text};", type_of(kind), named(&names[&id], turn)));
    }

    /// Reads the elements that the first turns of the loops inside need, as far as nothing writes to their arrays before.
    fn first_turns(&mut self, Course { l, plan, .. }: &Course<'_>) {
        for &at in &plan.inner {
            let Statement::Loop(i) = &l.body[at] else { continue };
            let hi = self.operand(i.range[1]).operand();
            let index = self.given_index();
            let there = format!("there_{index}");
            let first = self.text[i.index as usize].text.clone();
            self.line(format_args!("const unsigned {index} = {first};"));
            self.line(format_args!("const int {there} = {index} < {hi};"));
            self.text[i.index as usize] = Text::atom(index.clone());
            let there_already = plan.reads().filter(|n| n.inside == Some(at));
            let mut known: Vec<(u32, Text)> = there_already.map(|n| (n.id, self.text[n.id as usize].clone())).collect();
            let written = Touched::by(self.f, &l.body[..at], &|s| self.span(s)).written;
            let free = |span| !hazard::any(&written, span);
            for s in &i.body[..strip::reads(&i.body)] {
                let Statement::Define(id) = *s else { break };
                let node = self.f.nodes[id as usize];
                if is_place(node.op) {
                    self.text[id as usize] = self.expression(node, self.f.kinds[id as usize]);
                }
                let Op::Get(store) = node.op else { continue };
                let found = match node.operands[0] {
                    Operand::Node(n) => plan.nodes.iter().any(|known| known.id == n) || n == i.index,
                    _ => false,
                };
                let span = self.span(store);
                let already = known.iter().any(|k| k.0 == id);
                if !found || already || !free(span) || self.uses.count[id as usize] == 0 {
                    continue;
                }
                let name = self.fresh(id);
                let (kind, element) = (self.f.kinds[id as usize], self.element(store, node.operands[0]));
                self.line(format_args!("const {} {name} = {there} ? {element} : 0.0;", type_of(kind)));
                self.pending.read(span);
                known.push((id, Text::atom(name)));
            }
            self.first.insert(i.index, First { index, there, known });
        }
    }

    fn given_index(&mut self) -> String {
        self.firsts += 1;
        format!("first{}", self.firsts)
    }

    /// The turns of a loop inside: the first, which is known, and the others.
    pub(super) fn rest(&mut self, l: &Loop, first: First) {
        let First { index, there, known } = first;
        self.line(format_args!("if ({there}) {{"));
        self.depth += 1;
        self.text[l.index as usize] = Text::atom(index.clone());
        for (id, text) in &known {
            self.text[*id as usize] = text.clone();
            self.skip.insert(*id);
        }
        self.loops += 1;
        self.statements(&l.body);
        self.loops -= 1;
        self.skip.retain(|id| known.iter().all(|(k, _)| k != id));
        self.depth -= 1;
        self.line("}");
        self.turns_from(l, &format!("{index} + SIZE"), "SIZE");
    }
}

fn named(name: &str, turn: usize) -> String {
    if turn == 0 { name.to_owned() } else { format!("{name}_{turn}") }
}
