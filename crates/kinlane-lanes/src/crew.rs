//! Threads that stay: started once, asleep between calls, so that a call neither starts threads nor allocates
//! memory for them. They take no signals.
//!
//! A task is lent to them from the stack of the caller, who works on it as well and takes it back before
//! returning. Nobody waits for a thread that has not woken up by then: where the work is short, the caller
//! has done all of it. The child of a fork has none of these threads, and locks that they shared with the
//! caller may be held there for good: in a child the caller works alone.

use crate::quiet::NoSignals;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// The threads beside the caller's.
#[derive(Debug)]
pub struct Crew {
    desk: Arc<Desk>,
    threads: Vec<JoinHandle<()>>,
    /// The process in which they were started.
    process: u32,
}

/// Where a task lies while it is lent to the threads.
#[derive(Debug, Default)]
struct Desk {
    state: Mutex<State>,
    /// Signals that there is something to do.
    called: Condvar,
    /// Signals that nobody is at work any more.
    left: Condvar,
}

#[derive(Debug, Default)]
struct State {
    task: Option<Task>,
    /// How many threads may still begin the task.
    seats: usize,
    /// How many threads are at work, or have not yet come to the desk for the first time.
    working: usize,
    /// What a thread has panicked with.
    panic: Option<Box<dyn Any + Send>>,
    /// Whether the threads are to end.
    closed: bool,
}

/// A closure that its owner waits for.
#[derive(Debug, Clone, Copy)]
struct Task(*const (dyn Fn() + Sync));

// SAFETY: the closure is `Sync`, so any thread may call it; and it is called only while `Crew::run` waits for
// it.
unsafe impl Send for Task {}

impl Desk {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Offers a task to up to `seats` threads.
    fn lend(&self, task: Task, seats: usize) {
        let mut state = self.lock();
        (state.task, state.seats) = (Some(task), seats);
        drop(state);
        (0..seats).for_each(|_| self.called.notify_one());
    }

    /// Takes the task back and waits: afterwards nobody begins it, and those who had begun have ended.
    fn recall(&self) -> Option<Box<dyn Any + Send>> {
        let mut state = self.lock();
        (state.task, state.seats) = (None, 0);
        while state.working > 0 {
            state = self.left.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.panic.take()
    }

    /// The loop that each thread runs until the crew is closed.
    fn attend(&self) {
        let mut state = self.ended(self.lock());
        while !state.closed {
            let Some(Task(task)) = state.task.filter(|_| state.seats > 0) else {
                state = self.called.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            state.seats -= 1;
            state.working += 1;
            drop(state);
            // SAFETY: `working` was counted up under the same lock under which the task was found, and
            // `recall` waits until it is zero.
            let done = catch_unwind(AssertUnwindSafe(|| unsafe { (*task)() }));
            state = self.lock();
            if let Err(why) = done {
                state.panic = Some(why);
            }
            state = self.ended(state);
        }
    }

    /// One thread fewer is at work.
    fn ended<'a>(&self, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        state.working -= 1;
        if state.working == 0 {
            self.left.notify_one();
        }
        state
    }
}

impl Crew {
    /// A crew of so many threads, or of as many as the system allows.
    pub fn new(threads: usize) -> Self {
        let desk = Arc::new(Desk::default());
        let start = |i: usize| {
            let of_thread = Arc::clone(&desk);
            desk.lock().working += 1;
            let started = std::thread::Builder::new().name(format!("kinlane-{i}")).spawn(move || of_thread.attend());
            started.map_err(|_| drop(desk.ended(desk.lock()))).ok()
        };
        let quiet = NoSignals::begin();
        let threads = (1..=threads).map_while(start).collect();
        drop(quiet);
        // A thread allocates memory as it starts: wait until that is done.
        desk.recall();
        Self { desk, threads, process: std::process::id() }
    }

    /// Number of all threads, including the caller's.
    pub fn threads(&self) -> usize {
        self.threads.len() + 1
    }

    /// Does `work` on all items; each item is done on one thread, the caller's included.
    ///
    /// # Panics
    /// As `work` does.
    pub fn share<T: Send>(&mut self, items: impl ExactSizeIterator<Item = T> + Send, work: impl Fn(T) + Sync) {
        self.share_with(items, || (), |(), item| work(item));
    }

    /// The same, where each thread begins with a work space of its own. It takes the next item when it is done with one.
    ///
    /// # Panics
    /// As `begin` and `work` do.
    pub fn share_with<T: Send, S>(
        &mut self,
        items: impl ExactSizeIterator<Item = T> + Send,
        begin: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, T) + Sync,
    ) {
        let threads = items.len();
        let queue = Mutex::new(items);
        // A thread that panics leaves the queue intact.
        let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
        self.run(threads, &|| {
            let mut space = begin();
            while let Some(item) = next() {
                work(&mut space, item);
            }
        });
    }

    /// Runs a task on the caller's thread and on all threads that wake up before it is done there, at most
    /// `threads` in all.
    ///
    /// # Panics
    /// As the task does.
    pub fn run(&mut self, threads: usize, task: &(dyn Fn() + Sync)) {
        let seats = threads.saturating_sub(1).min(self.threads.len());
        if seats == 0 || !self.is_here() {
            return task();
        }
        let lent: *const (dyn Fn() + Sync) = task;
        // SAFETY: only the lifetime is removed, and `recall` below waits for all who have the pointer.
        // Nothing skips that call: a panic of the task on this thread is caught.
        let lent = Task(unsafe { std::mem::transmute::<*const (dyn Fn() + Sync), *const (dyn Fn() + Sync)>(lent) });
        self.desk.lend(lent, seats);
        let here = catch_unwind(AssertUnwindSafe(task));
        let there = self.desk.recall();
        if let Some(why) = here.err().or(there) {
            resume_unwind(why);
        }
    }

    /// Whether the threads belong to this process.
    fn is_here(&self) -> bool {
        std::process::id() == self.process
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        let threads = std::mem::take(&mut self.threads);
        if !self.is_here() {
            // In a forked child their handles may be those of other threads.
            return std::mem::forget(threads);
        }
        self.desk.lock().closed = true;
        self.desk.called.notify_all();
        threads.into_iter().for_each(|thread| drop(thread.join()));
    }
}
