//! The threads that stay: who works on what, what becomes of a panic, and of the child of a fork.
#![allow(unsafe_code, reason = "fork")]

use kinlane_lanes::Crew;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn every_item_is_worked_on_once_in_every_call() {
    for threads in [0, 1, 3] {
        let mut crew = Crew::new(threads);
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
    let mut crew = Crew::new(2);
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

/// What a call of the child gives: 0, or what has ended it. One that hangs is ended by its alarm.
#[cfg(unix)]
fn in_a_fork(child: impl FnOnce() -> bool) -> i32 {
    // SAFETY: the child has one thread and ends without going back; the C library keeps its memory usable behind a fork.
    let process = unsafe { libc::fork() };
    assert!(process >= 0, "no fork");
    if process == 0 {
        // SAFETY: it ends this process.
        unsafe { libc::alarm(20) };
        let right = catch_unwind(AssertUnwindSafe(child)).unwrap_or(false);
        // SAFETY: as above.
        unsafe { libc::_exit(i32::from(!right)) }
    }
    let mut status = -1;
    // SAFETY: a child of this process, waited for once, and a place for its status.
    unsafe { libc::waitpid(process, &raw mut status, 0) };
    status
}

#[cfg(unix)]
fn all_of(crew: &mut Crew, items: usize) -> bool {
    let sum = AtomicUsize::new(0);
    crew.share(0..items, |i| {
        sum.fetch_add(i, Ordering::Relaxed);
    });
    sum.into_inner() == (0..items).sum()
}

/// Threads that have just woken up hold the lock for a moment: a fork in that moment copies it locked.
#[test]
#[cfg(unix)]
fn the_child_of_a_fork_works_alone() {
    let mut crew = Crew::new(100);
    for _ in 0..2000 {
        assert!(all_of(&mut crew, 100));
        assert_eq!(in_a_fork(|| all_of(&mut crew, 100)), 0);
    }
}

/// The C library gives the threads of the parent's crew to the child's, so to say: their handles are the same.
#[test]
#[cfg(unix)]
fn the_child_of_a_fork_may_drop_its_parents_crew_and_have_its_own() {
    let crew = Crew::new(3);
    let status = in_a_fork(|| {
        let mut own = Crew::new(3);
        drop(crew);
        let right = all_of(&mut own, 100);
        drop(own);
        right
    });
    assert_eq!(status, 0);
}

/// Handlers of a host run on its own threads.
#[cfg(unix)]
#[test]
fn threads_of_a_crew_take_no_signals() {
    let taken = |signal| {
        let mut blocked = std::mem::MaybeUninit::<libc::sigset_t>::uninit();
        // SAFETY: without a new set the mask is only read, into a set that is then looked at.
        unsafe {
            libc::pthread_sigmask(libc::SIG_BLOCK, std::ptr::null(), blocked.as_mut_ptr());
            libc::sigismember(blocked.as_ptr(), signal) == 0
        }
    };
    let (caller, barrier) = (std::thread::current().id(), Barrier::new(3));
    Crew::new(2).share(0..3, |_| {
        barrier.wait();
        let own = std::thread::current().id() == caller;
        assert_eq!([libc::SIGALRM, libc::SIGUSR1, libc::SIGINT].map(taken), [own; 3]);
        assert_eq!([libc::SIGSEGV, libc::SIGFPE, libc::SIGPROF].map(taken), [true; 3]);
    });
    assert!(taken(libc::SIGALRM));
}
