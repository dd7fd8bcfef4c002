//! Where threads that share a cell must wait for each other.
//!
//! All threads compute the same values. The turns of independent loops are divided among them; what is
//! outside such loops is written by the first thread alone. Any thread may be late: so without a barrier in
//! between, none may read what another has written, or write what another may still have to read or has
//! written.

use crate::program::{Function, Op, Statement, Store};

/// The elements of an array, from the first to one past the last; `None` if they are not known.
pub type Span = Option<(u32, u32)>;

fn meet(a: Span, b: Span) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a.0 < b.1 && b.0 < a.1,
        _ => true,
    }
}

/// Whether a span has elements of one in a list.
pub fn any(list: &[Span], s: Span) -> bool {
    list.iter().any(|&x| meet(x, s))
}

/// Accesses to the arena since the last barrier.
#[derive(Debug, Clone, Default)]
pub struct Pending {
    /// Elements read, by all threads or by some.
    read: Vec<Span>,
    /// Elements written by the first thread.
    first: Vec<Span>,
    /// Elements written by the thread that ran the turn of the loop.
    spread: Vec<Span>,
}

/// Elements that a piece of program accesses.
#[derive(Debug, Clone, Default)]
pub struct Touched {
    /// Read.
    pub read: Vec<Span>,
    /// Written.
    pub written: Vec<Span>,
}

impl Pending {
    /// Whether anything happened.
    pub fn is_empty(&self) -> bool {
        self.read.is_empty() && self.first.is_empty() && self.spread.is_empty()
    }

    /// Whether a read by all threads must wait.
    pub fn stops_read(&self, s: Span) -> bool {
        any(&self.first, s) || any(&self.spread, s)
    }

    /// Whether a write by the first thread must wait.
    pub fn stops_first(&self, s: Span) -> bool {
        any(&self.read, s) || any(&self.spread, s)
    }

    /// Whether a loop divided among the threads must wait.
    pub fn stops_loop(&self, t: &Touched) -> bool {
        t.read.iter().any(|&s| self.stops_read(s))
            || t.written.iter().any(|&s| self.stops_read(s) || any(&self.read, s))
    }

    /// Records a read.
    pub fn read(&mut self, s: Span) {
        self.read.push(s);
    }

    /// Records a write by the first thread.
    pub fn first(&mut self, s: Span) {
        self.first.push(s);
    }

    /// Records a loop divided among the threads.
    pub fn spread(&mut self, t: Touched) {
        self.read.extend(t.read);
        self.spread.extend(t.written);
    }

    /// Adds the accesses on another path to the same place.
    pub fn join(&mut self, o: Self) {
        self.read.extend(o.read);
        self.first.extend(o.first);
        self.spread.extend(o.spread);
    }
}

impl Touched {
    /// Accesses by some statements of a function; `span` gives the place of an array.
    pub fn by(f: &Function, body: &[Statement], span: &impl Fn(Store) -> Span) -> Self {
        let mut t = Self::default();
        t.add(f, body, span);
        t
    }

    fn add(&mut self, f: &Function, body: &[Statement], span: &impl Fn(Store) -> Span) {
        for s in body {
            match s {
                Statement::Define(id) => {
                    if let Op::Get(store) = f.nodes[*id as usize].op {
                        self.read.push(span(store));
                    }
                }
                Statement::Put(store, ..) => self.written.push(span(*store)),
                Statement::Loop(l) => self.add(f, &l.body, span),
                Statement::If(_, body) => self.add(f, body, span),
                // All arrays of a function are its parameters.
                Statement::Call { stores, .. } => {
                    self.read.extend(stores.iter().map(|&s| span(s)));
                    self.written.extend(stores.iter().map(|&s| span(s)));
                }
            }
        }
    }
}
