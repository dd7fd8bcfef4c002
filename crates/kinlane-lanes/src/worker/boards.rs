//! Where cells wait: in the queue of a batch; on the board of cells that were told apart; or, half done, for
//! another method.

use kinlane_solve::methods::auto::{Late, RANKS};
use kinlane_solve::methods::control::Clock;
use kinlane_solve::watch::Noted;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A cell that enters a lane.
#[derive(Debug)]
pub enum Entrant {
    /// One that begins, from its entry state.
    New(usize),
    /// One that goes on from where another method left it.
    Handed(Handed),
}

/// A cell in the middle of its interval, between two methods.
#[derive(Debug)]
pub struct Handed {
    /// Its number.
    pub cell: usize,
    /// Its state: phi, T, sigma.
    pub y: Vec<f64>,
    /// Values of the clock's variables, in the order of `Clock::progress`.
    pub clock: [f64; Clock::KEPT],
    /// What has been recorded of it, if it is watched.
    pub noted: Option<Noted>,
}

/// Where the cells of a worker come from.
#[derive(Debug)]
pub enum Supply<'a> {
    /// All cells of the batch, in order.
    Queue(AtomicUsize),
    /// The cells on a board.
    Board(&'a Board),
    /// The cells that were handed over, and the rule for it.
    Late(&'a LateBoard, Late),
    /// The cells that came back.
    Back(&'a LateBoard),
}

/// Waiting cells, in ranks.
#[derive(Debug, Default)]
pub struct Board(Mutex<Ranks>);

/// Each rank is a stack, kept as a linked list: the cell on top of each rank, and for each cell the one below it.
#[derive(Debug)]
struct Ranks {
    last: [usize; RANKS],
    before: Vec<usize>,
}

/// Stands for no cell.
const NONE: usize = usize::MAX;

/// Cells that wait for another method, and spare memory for the states of others.
#[derive(Debug, Default)]
pub struct LateBoard(Mutex<(Vec<Handed>, Vec<Vec<f64>>)>);

fn lock<T>(m: &Mutex<T>) -> MutexGuard<'_, T> {
    m.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Default for Ranks {
    fn default() -> Self {
        Self { last: [NONE; RANKS], before: Vec::new() }
    }
}

impl Board {
    /// Adds cells, each with its rank.
    pub fn put(&self, cells: impl Iterator<Item = (usize, usize)>) {
        let Ranks { last, before } = &mut *lock(&self.0);
        for (cell, rank) in cells {
            before[cell] = std::mem::replace(&mut last[rank], cell);
        }
    }

    /// Takes a cell of the highest rank that is not empty.
    fn take(&self) -> Option<usize> {
        let Ranks { last, before } = &mut *lock(&self.0);
        let rank = last.iter_mut().rev().find(|cell| **cell != NONE)?;
        let cell = *rank;
        *rank = before[cell];
        Some(cell)
    }

    /// Empties the board and reserves memory for so many cells, so that `put` does not allocate.
    fn begin(&self, cells: usize) {
        let mut all = lock(&self.0);
        all.last = [NONE; RANKS];
        if all.before.len() < cells {
            all.before.resize(cells, NONE);
        }
    }
}

impl LateBoard {
    /// Adds a cell with its state, in memory that an earlier cell has returned if there is some.
    pub fn put(&self, cell: usize, state: impl Iterator<Item = f64>, clock: [f64; Clock::KEPT], noted: Option<Noted>) {
        let mut board = lock(&self.0);
        let mut y = board.1.pop().unwrap_or_default();
        y.clear();
        y.extend(state);
        board.0.push(Handed { cell, y, clock, noted });
    }

    /// Returns the memory of a state.
    pub fn leave(&self, y: Vec<f64>) {
        lock(&self.0).1.push(y);
    }
}

impl Supply<'_> {
    /// The next cell. `run` is what remains of a stretch of the queue that this worker has taken, so that
    /// threads rarely contend for the queue.
    pub fn take(&self, run: &mut Range<usize>, cells: usize) -> Option<Entrant> {
        match self {
            Self::Queue(next) => {
                if run.start >= run.end {
                    let length = (cells / 256).clamp(1, 32);
                    let lo = next.fetch_add(length, Ordering::Relaxed).min(cells);
                    *run = lo..(lo + length).min(cells);
                }
                run.next().map(Entrant::New)
            }
            Self::Board(b) => b.take().map(Entrant::New),
            Self::Late(b, _) | Self::Back(b) => lock(&b.0).0.pop().map(Entrant::Handed),
        }
    }
}

/// The boards of a batch whose cells choose their methods; they are kept from call to call.
#[derive(Debug, Default)]
pub struct Boards {
    /// Cells that one step may finish, until there are enough of them to fill the lanes.
    pub mild: Board,
    /// Cells that need more than one step, the longest first.
    pub stiff: Board,
    /// Cells that take many steps.
    pub late: LateBoard,
    /// Cells that the method for these could not finish.
    pub back: LateBoard,
}

impl Boards {
    /// Empties all boards: a batch that ended with a panic may have left cells behind. Reserves memory for so
    /// many cells if they are to be told apart.
    pub fn begin(&self, told_apart: Option<usize>) {
        for board in [&self.mild, &self.stiff] {
            board.begin(told_apart.unwrap_or(0));
        }
        for board in [&self.late, &self.back] {
            lock(&board.0).0.clear();
        }
    }
}

/// When cells are handed over to another method, and to which board.
#[derive(Debug, Clone, Copy)]
pub struct HandOver<'a> {
    /// The rule.
    pub late: Late,
    /// The board.
    pub board: &'a LateBoard,
}
