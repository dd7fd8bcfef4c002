//! Threads that take no signals: those belong to the threads of the host.

/// What the system tells a thread of its own faults, and what profilers count with.
#[cfg(unix)]
const ITS_OWN: [libc::c_int; 7] =
    [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGTRAP, libc::SIGABRT, libc::SIGPROF];

/// Until dropped, the calling thread and those that it starts take none of the signals that are sent to the process: a host's
/// handlers (for alarms, or for the end of a job's time) run on threads that it knows. Those that were started go on like this.
#[derive(Debug)]
pub struct NoSignals {
    #[cfg(unix)]
    before: Option<libc::sigset_t>,
    /// Bound to this thread: neither `Send` nor `Sync`.
    own: std::marker::PhantomData<*const ()>,
}

#[cfg(unix)]
impl NoSignals {
    /// Begins.
    #[must_use]
    pub fn begin() -> Self {
        let mut blocked = std::mem::MaybeUninit::<libc::sigset_t>::uninit();
        let mut before = std::mem::MaybeUninit::<libc::sigset_t>::uninit();
        // SAFETY: `sigfillset` makes a set of `blocked`, from which valid signals are taken; the mask is that of this thread, and
        // `before` is read only if it has been written.
        let before = unsafe {
            libc::sigfillset(blocked.as_mut_ptr());
            ITS_OWN.iter().for_each(|&signal| _ = libc::sigdelset(blocked.as_mut_ptr(), signal));
            let done = libc::pthread_sigmask(libc::SIG_BLOCK, blocked.as_ptr(), before.as_mut_ptr()) == 0;
            done.then(|| before.assume_init())
        };
        Self { before, own: std::marker::PhantomData }
    }
}

#[cfg(unix)]
impl Drop for NoSignals {
    fn drop(&mut self) {
        if let Some(before) = &self.before {
            // SAFETY: the set is the one that this thread had.
            unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, before, std::ptr::null_mut()) };
        }
    }
}

#[cfg(not(unix))]
impl NoSignals {
    /// Begins. There are no such signals here.
    #[must_use]
    pub fn begin() -> Self {
        Self { own: std::marker::PhantomData }
    }
}
