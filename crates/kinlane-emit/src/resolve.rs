//! What a printer must know about a program beyond its text: places of arrays, what is used, and how often.

use crate::program::{Function, Op, Operand, Program, Statement, Store, walk};
use std::collections::{HashMap, HashSet};

/// For every array parameter of every function: its place, if all calls agree.
pub fn places(p: &Program) -> Vec<Vec<Option<u32>>> {
    #[derive(Clone, Copy, PartialEq)]
    enum Seen {
        Never,
        At(u32),
        Varies,
    }
    let mut seen: Vec<Vec<Seen>> = p.functions.iter().map(|f| vec![Seen::Never; f.stores.len()]).collect();
    // Callers come after the functions that they call.
    for caller in (0..p.functions.len()).rev() {
        walk(&p.functions[caller].body, &mut |s| {
            let Statement::Call { function, stores, .. } = s else { return };
            for (k, store) in stores.iter().enumerate() {
                let at = match *store {
                    Store::Fixed(a) => Seen::At(a.at),
                    Store::Parameter(i) => seen[caller][i as usize],
                };
                let known = &mut seen[*function][k];
                *known = if *known == Seen::Never || *known == at { at } else { Seen::Varies };
            }
        });
    }
    let known = |s: &Seen| if let Seen::At(at) = *s { Some(at) } else { None };
    seen.iter().map(|f| f.iter().map(known).collect()).collect()
}

/// Number of calls of every function in the text.
pub fn calls(p: &Program) -> Vec<usize> {
    let mut count = vec![0; p.functions.len()];
    for f in &p.functions {
        walk(&f.body, &mut |s| {
            if let Statement::Call { function, .. } = s {
                count[*function] += 1;
            }
        });
    }
    count
}

/// Uses of the nodes of one function. Unused nodes are not printed.
#[derive(Debug, Default)]
pub struct Uses {
    /// Number of uses of each node.
    pub count: Vec<u32>,
    /// Whether all uses are in the block that defines the node.
    pub local: Vec<bool>,
    /// Loops that have an effect, by the node of their index.
    pub loops: HashSet<u32>,
}

impl Uses {
    /// Counts the uses.
    pub fn of(f: &Function) -> Self {
        let mut scan = Scan {
            f,
            uses: Self { count: vec![0; f.nodes.len()], local: vec![true; f.nodes.len()], loops: HashSet::new() },
            block: vec![0; f.nodes.len()],
            blocks: 1,
            folds: HashMap::new(),
            work: Vec::new(),
        };
        scan.place(&f.body, 0);
        scan.blocks = 1;
        scan.effects(&f.body, 0);
        if let Some(o) = f.result {
            scan.work.push((o, 0));
        }
        scan.follow();
        scan.uses
    }
}

struct Scan<'a> {
    f: &'a Function,
    uses: Uses,
    /// Block that defines each node.
    block: Vec<usize>,
    blocks: usize,
    /// By running value: its loop, the block around the loop, and the block inside.
    folds: HashMap<u32, (&'a crate::program::Loop, usize, usize)>,
    /// Operands in use, each with the block that uses it.
    work: Vec<(Operand, usize)>,
}

impl<'a> Scan<'a> {
    fn next_block(&mut self) -> usize {
        self.blocks += 1;
        self.blocks - 1
    }

    fn place(&mut self, body: &'a [Statement], here: usize) {
        for s in body {
            match s {
                Statement::Define(id) => self.block[*id as usize] = here,
                Statement::Loop(l) => {
                    let inner = self.next_block();
                    self.block[l.index as usize] = inner;
                    for fold in &l.folds {
                        self.block[fold.running as usize] = here;
                        self.folds.insert(fold.running, (l, here, inner));
                    }
                    self.place(&l.body, inner);
                }
                Statement::If(_, body) => {
                    let inner = self.next_block();
                    self.place(body, inner);
                }
                Statement::Put(..) | Statement::PutOwn(..) | Statement::Call { .. } => {}
            }
        }
    }

    /// Visits puts and calls and all that they depend on, block by block in the order of `place`.
    fn effects(&mut self, body: &'a [Statement], here: usize) -> bool {
        let mut any = false;
        for s in body {
            match s {
                Statement::Define(_) => {}
                Statement::Put(_, at, x) | Statement::PutOwn(_, at, x, _) => {
                    self.work.extend([(*at, here), (*x, here)]);
                    any = true;
                }
                Statement::Call { arguments, .. } => {
                    self.work.extend(arguments.iter().map(|&a| (a, here)));
                    any = true;
                }
                Statement::Loop(l) => {
                    let inner = self.next_block();
                    if self.effects(&l.body, inner) {
                        self.enter(l, here);
                        any = true;
                    }
                }
                Statement::If(mask, body) => {
                    let inner = self.next_block();
                    if self.effects(body, inner) {
                        self.work.push((*mask, here));
                        any = true;
                    }
                }
            }
        }
        any
    }

    fn enter(&mut self, l: &crate::program::Loop, here: usize) {
        if self.uses.loops.insert(l.index) {
            self.work.extend(l.range.map(|o| (o, here)));
        }
    }

    fn follow(&mut self) {
        while let Some((o, user)) = self.work.pop() {
            let Operand::Node(id) = o else { continue };
            let at = id as usize;
            self.uses.count[at] += 1;
            self.uses.local[at] &= self.block[at] == user;
            if self.uses.count[at] > 1 {
                continue;
            }
            let node = self.f.nodes[at];
            self.work.extend(node.operands.map(|o| (o, self.block[at])));
            if node.op == Op::Running
                && let Some(&(l, here, inner)) = self.folds.get(&id)
                && let Some(fold) = l.folds.iter().find(|f| f.running == id)
            {
                self.enter(l, here);
                self.work.extend([(fold.init, here), (fold.next, inner)]);
            }
        }
    }
}
