//! Where threads that share a cell must wait for each other.
//!
//! All threads compute the same values. The turns of independent loops are divided among them; what is
//! outside such loops is written by the first thread alone. Any thread may be late: so without a barrier in
//! between, none may read what another has written, or write what another may still have to read or has
//! written.

use crate::program::{Function, Statement, Store, walk};

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
    /// Elements that each thread has read and written of those that belong to it.
    own: Own,
}

/// Accesses of threads to what is theirs: they disturb no other access of this kind.
#[derive(Debug, Clone, Default)]
struct Own {
    read: Vec<Span>,
    written: Vec<Span>,
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
        let Own { read, written } = &self.own;
        [&self.read, &self.first, &self.spread, read, written].iter().all(|list| list.is_empty())
    }

    /// Whether a read by all threads must wait.
    pub fn stops_read(&self, s: Span) -> bool {
        self.stops_own_read(s) || any(&self.own.written, s)
    }

    /// Whether a thread must wait that reads what is its own.
    pub fn stops_own_read(&self, s: Span) -> bool {
        any(&self.first, s) || any(&self.spread, s)
    }

    /// Whether a thread must wait that writes what is its own.
    pub fn stops_own_write(&self, s: Span) -> bool {
        self.stops_own_read(s) || any(&self.read, s)
    }

    /// Whether a write by the first thread must wait.
    pub fn stops_first(&self, s: Span) -> bool {
        let Own { read, written } = &self.own;
        [&self.read, &self.spread, read, written].iter().any(|list| any(list, s))
    }

    /// Whether a loop divided among the threads must wait.
    pub fn stops_loop(&self, t: &Touched) -> bool {
        t.read.iter().any(|&s| self.stops_read(s))
            || t.written.iter().any(|&s| self.stops_read(s) || any(&self.read, s) || any(&self.own.read, s))
    }

    /// Records a read.
    pub fn read(&mut self, s: Span) {
        self.read.push(s);
    }

    /// Records a read by every thread of what is its own.
    pub fn own_read(&mut self, s: Span) {
        self.own.read.push(s);
    }

    /// Records a write by every thread of what is its own.
    pub fn own_write(&mut self, s: Span) {
        self.own.written.push(s);
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
        self.own.read.extend(o.own.read);
        self.own.written.extend(o.own.written);
    }
}

impl Touched {
    /// Accesses by some statements of a function; `span` gives the place of an array.
    pub fn by(f: &Function, body: &[Statement], span: &impl Fn(Store) -> Span) -> Self {
        let mut t = Self::default();
        walk(body, &mut |s| match s {
            Statement::Define(id) => t.read.extend(f.nodes[*id as usize].op.store().map(span)),
            Statement::Put(store, ..) | Statement::PutOwn(store, ..) => t.written.push(span(*store)),
            // All arrays of a function are its parameters.
            Statement::Call { stores, .. } => {
                t.read.extend(stores.iter().map(|&s| span(s)));
                t.written.extend(stores.iter().map(|&s| span(s)));
            }
            Statement::Loop(_) | Statement::If(..) => {}
        });
        t
    }
}
