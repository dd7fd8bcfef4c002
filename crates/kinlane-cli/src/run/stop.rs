//! Ctrl-C and SIGTERM: finish cleanly, and leave nothing half-written.

use crate::error::Error;
use crate::run::exit;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// An end that takes longer than this is explained.
const PATIENCE: Duration = Duration::from_secs(5);

static ASKED: AtomicBool = AtomicBool::new(false);
static ENGINE: Mutex<Option<Arc<AtomicBool>>> = Mutex::new(None);
static ASIDE: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Starts to listen. The first signal asks for a clean end; the second ends the program at once, after
/// removing temporary files. So does the first if no work has begun: a read from a terminal or a pipe would
/// go on.
pub fn listen() {
    writing_may_fail();
    let handler = || {
        let again = ASKED.swap(true, Ordering::SeqCst);
        let aside = ASIDE.lock().unwrap_or_else(PoisonError::into_inner);
        match &*ENGINE.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(flag) if !again => {
                flag.store(true, Ordering::SeqCst);
                // Without this thread nothing is said.
                drop(std::thread::Builder::new().spawn(say_how_to_end_at_once));
            }
            None if !again && !aside.is_empty() => {}
            _ => {
                aside.iter().for_each(|path| drop(std::fs::remove_file(path)));
                if !again {
                    tell!("error: {}", Error::Interrupted);
                }
                std::process::exit(exit::STOPPED);
            }
        }
    };
    // Without a handler the program still works; an interruption may then leave a temporary file.
    let _ = ctrlc::set_handler(handler);
}

/// A driver that compiles kernels cannot be interrupted, and may take a minute.
fn say_how_to_end_at_once() {
    std::thread::sleep(PATIENCE);
    tell!("still stopping; interrupt again to end at once");
}

/// Makes writing beyond the limit on file sizes (`ulimit -f`) fail, as on a full disk, instead of ending the
/// program: blocks SIGXFSZ in this thread and in all that it starts.
fn writing_may_fail() {
    #[cfg(unix)]
    {
        use nix::sys::signal::{SigSet, Signal};
        // If that fails, the signal ends the program, as by default.
        let _ = SigSet::from(Signal::SIGXFSZ).thread_block();
    }
}

/// Connects the signal to the flag that ends an integration early.
pub fn connect(flag: Arc<AtomicBool>) {
    *ENGINE.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&flag));
    // Checked afterwards: a signal in between must not be lost.
    if asked() {
        flag.store(true, Ordering::SeqCst);
    }
}

/// A temporary file that a second signal must remove, until this is dropped.
#[derive(Debug)]
pub struct Removal(PathBuf);

impl Removal {
    /// Of the file at a path.
    pub fn of(path: &Path) -> Self {
        ASIDE.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_owned());
        Self(path.to_owned())
    }
}

impl Drop for Removal {
    fn drop(&mut self) {
        ASIDE.lock().unwrap_or_else(PoisonError::into_inner).retain(|path| *path != self.0);
    }
}

/// Whether a signal has come.
pub fn asked() -> bool {
    ASKED.load(Ordering::SeqCst)
}

/// An error if a signal has come.
pub fn check() -> Result<(), Error> {
    if asked() { Err(Error::Interrupted) } else { Ok(()) }
}

/// A reader or writer that fails once a signal has come.
pub struct Interruptible<T>(pub T);

/// Fails if a signal has come; not with `ErrorKind::Interrupted`, on which the standard library tries again.
pub fn refuse() -> io::Result<()> {
    if asked() { Err(io::Error::other("interrupted")) } else { Ok(()) }
}

impl<T: Read> Read for Interruptible<T> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        refuse()?;
        self.0.read(buffer)
    }
}

impl<T: Write> Write for Interruptible<T> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        refuse()?;
        self.0.write(buffer)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
