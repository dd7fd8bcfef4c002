//! Threads that stay: started once, asleep between calls, so that a call neither starts nor allocates any.
//!
//! A task is lent to them from the stack of the caller, who works on it as well and takes it back before it returns. Nobody
//! waits for a thread that has not woken up by then: where the work is short the caller has done it all, and in the child of
//! a fork, which has none of these threads, it does so always.

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

// SAFETY: what it points to may be called from any thread, and is, only between `Desk::lend` and `Desk::recall`.
unsafe impl Send for Task {}

impl Desk {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Offers a task to as many threads. It must outlive the call of [`Desk::recall`] that has to follow.
    fn lend(&self, task: &(dyn Fn() + Sync), seats: usize) {
        let task = std::ptr::from_ref(task);
        // SAFETY: only the lifetime is left out: see `Crew::run`, the one caller.
        let task =
            Task(unsafe { std::mem::transmute::<*const (dyn Fn() + Sync), *const (dyn Fn() + Sync + 'static)>(task) });
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

    /// Does `work` on all items, each on one thread, the caller's among them.
    ///
    /// # Panics
    /// As `work` does.
    pub fn share<T: Send>(&self, items: impl ExactSizeIterator<Item = T> + Send, work: impl Fn(T) + Sync) {
        let others = items.len().saturating_sub(1);
        let queue = Mutex::new(items);
        let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
        self.run(others, &|| {
            while let Some(item) = next() {
                work(item);
            }
        });
    }

    /// Runs a task here and on up to so many other threads.
    fn run(&self, others: usize, task: &(dyn Fn() + Sync)) {
        let seats = others.min(self.threads.len());
        if seats == 0 {
            return task();
        }
        self.desk.lend(task, seats);
        let here = catch_unwind(AssertUnwindSafe(task));
        let there = self.desk.recall();
        if let Some(why) = here.err().or(there) {
            resume_unwind(why);
        }
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.desk.lock().closed = true;
        self.desk.called.notify_all();
        // The child of a fork would wait for ever.
        if std::process::id() == self.process {
            self.threads.drain(..).for_each(|thread| drop(thread.join()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Crew;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn every_item_is_worked_on_once_in_every_call() {
        for threads in [0, 1, 3] {
            let crew = Crew::new(threads);
            for call in 0..200 {
                let sum = AtomicUsize::new(0);
                crew.share(0..call, |i| {
                    sum.fetch_add(i, Ordering::Relaxed);
                });
                assert_eq!(sum.into_inner(), (0..call).sum());
            }
        }
    }

    #[test]
    fn items_are_worked_on_side_by_side() {
        let barrier = Barrier::new(3);
        Crew::new(2).share(0..3, |_| {
            barrier.wait();
        });
    }

    #[test]
    fn a_panic_comes_to_the_caller_and_the_crew_goes_on() {
        let crew = Crew::new(2);
        let barrier = Barrier::new(3);
        for bad in 0..3 {
            let call = || {
                crew.share(0..3, |i| {
                    barrier.wait();
                    assert!(i != bad, "item {i}");
                });
            };
            let why = catch_unwind(AssertUnwindSafe(call)).expect_err("a panic");
            assert_eq!(why.downcast_ref::<String>(), Some(&format!("item {bad}")));
        }
        crew.share(0..3, |_| {
            barrier.wait();
        });
    }
}
