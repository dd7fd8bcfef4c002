//! Threads that stay: started once, asleep between calls, so that a call neither starts nor allocates any.
//!
//! A task is lent to them from the stack of the caller, who works on it as well and takes it back before it returns. Nobody
//! waits for a thread that has not woken up by then: where the work is short the caller has done it all. The child of a fork
//! has none of these threads, and what they shared with the caller may be locked for good there: it works alone.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// Threads beside the caller's.
#[derive(Debug)]
pub struct Crew {
    desk: Arc<Desk>,
    threads: Vec<JoinHandle<()>>,
    /// The process that they are of.
    process: u32,
}

/// Where a task lies while it is lent.
#[derive(Debug, Default)]
struct Desk {
    state: Mutex<State>,
    /// There is something to do.
    called: Condvar,
    /// Nobody is at work any more.
    left: Condvar,
}

#[derive(Debug, Default)]
struct State {
    task: Option<Task>,
    /// How many threads may still begin it.
    seats: usize,
    /// How many are at it, or have not come to the desk for the first time yet.
    working: usize,
    /// What a thread has panicked with.
    panic: Option<Box<dyn Any + Send>>,
    /// Whether the threads are to end.
    closed: bool,
}

/// A closure that a caller waits for.
#[derive(Debug, Clone, Copy)]
struct Task(*const (dyn Fn() + Sync));

// SAFETY: what it points to may be called from any thread, and is, only while `Crew::run` waits for it.
unsafe impl Send for Task {}

impl Desk {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Offers a task to as many threads.
    fn lend(&self, task: Task, seats: usize) {
        let mut state = self.lock();
        (state.task, state.seats) = (Some(task), seats);
        drop(state);
        (0..seats).for_each(|_| self.called.notify_one());
    }

    /// Takes the task back: nobody begins it any more, and who has begun has ended.
    fn recall(&self) -> Option<Box<dyn Any + Send>> {
        let mut state = self.lock();
        (state.task, state.seats) = (None, 0);
        while state.working > 0 {
            state = self.left.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.panic.take()
    }

    /// What a thread does all its life.
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
            // SAFETY: `recall` waits until `working`, counted up under the lock under which the task was there, is zero again.
            let done = catch_unwind(AssertUnwindSafe(|| unsafe { (*task)() }));
            state = self.lock();
            if let Err(why) = done {
                state.panic = Some(why);
            }
            state = self.ended(state);
        }
    }

    /// One less is at work.
    fn ended<'a>(&self, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        state.working -= 1;
        if state.working == 0 {
            self.left.notify_one();
        }
        state
    }
}

impl Crew {
    /// So many threads, or as many as the system gives.
    pub fn new(threads: usize) -> Self {
        let desk = Arc::new(Desk::default());
        let start = |i: usize| {
            let of_thread = Arc::clone(&desk);
            desk.lock().working += 1;
            let started = std::thread::Builder::new().name(format!("kinlane-{i}")).spawn(move || of_thread.attend());
            started.map_err(|_| drop(desk.ended(desk.lock()))).ok()
        };
        let threads = (1..=threads).map_while(start).collect();
        // A thread that starts allocates: it shall have done so.
        desk.recall();
        Self { desk, threads, process: std::process::id() }
    }

    /// All threads, the caller's among them.
    pub fn threads(&self) -> usize {
        self.threads.len() + 1
    }

    /// Does `work` on all items, each on one thread, the caller's among them.
    ///
    /// # Panics
    /// As `work` does.
    pub fn share<T: Send>(&mut self, items: impl ExactSizeIterator<Item = T> + Send, work: impl Fn(T) + Sync) {
        let threads = items.len();
        let queue = Mutex::new(items);
        let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
        self.run(threads, &|| {
            while let Some(item) = next() {
                work(item);
            }
        });
    }

    /// Runs a task here and on as many threads as wake up before it is done here, so many in all at most.
    ///
    /// # Panics
    /// As the task does.
    pub fn run(&mut self, threads: usize, task: &(dyn Fn() + Sync)) {
        let seats = threads.saturating_sub(1).min(self.threads.len());
        if seats == 0 || !self.is_here() {
            return task();
        }
        let lent: *const (dyn Fn() + Sync) = task;
        // SAFETY: only the lifetime is left out, and `recall` below waits for all who have it. There is no way round it: what
        // the task panics with here is caught.
        let lent = Task(unsafe { std::mem::transmute::<*const (dyn Fn() + Sync), *const (dyn Fn() + Sync)>(lent) });
        self.desk.lend(lent, seats);
        let here = catch_unwind(AssertUnwindSafe(task));
        let there = self.desk.recall();
        if let Some(why) = here.err().or(there) {
            resume_unwind(why);
        }
    }

    /// Whether this is the process that the threads are of.
    fn is_here(&self) -> bool {
        std::process::id() == self.process
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        let threads = std::mem::take(&mut self.threads);
        if !self.is_here() {
            // Their handles may be those of other threads here.
            return std::mem::forget(threads);
        }
        self.desk.lock().closed = true;
        self.desk.called.notify_all();
        threads.into_iter().for_each(|thread| drop(thread.join()));
    }
}
