//! What a host holds. Where its language has no types of handles (`type(c_ptr)`, `void *`, `c_void_p`), it may pass one of another
//! kind: that is refused.

use crate::interface::fault::Fault;

/// What is behind a handle.
pub trait Held {
    /// The name of its handle in the header.
    const NAME: &str;
    /// What such a handle begins with.
    const MARK: [u8; 8];
}

/// A handle.
#[derive(Debug)]
#[repr(C, align(8))]
pub struct Handle<T> {
    mark: [u8; 8],
    held: T,
}

impl<T: Held> Handle<T> {
    /// For the host, until [`taken_back`].
    pub fn new(held: T) -> *mut Self {
        Box::into_raw(Box::new(Self { mark: T::MARK, held }))
    }
}

/// Whether a handle is one, of this kind.
///
/// # Safety
/// `handle` is null, or leads to at least as much memory as a mark, as all handles do.
unsafe fn is_kind<T: Held>(handle: *const Handle<T>) -> bool {
    // SAFETY: the caller's word; bytes are aligned anywhere.
    !handle.is_null() && unsafe { handle.cast::<[u8; 8]>().read() } == T::MARK
}

/// What is behind a handle; nothing if that is null, or of another kind.
///
/// # Safety
/// `handle` is null or a handle, alive as long as the result is used.
pub unsafe fn held<'a, T: Held>(handle: *const Handle<T>) -> Option<&'a T> {
    // SAFETY: the caller's word, and it is of this kind.
    unsafe { if is_kind(handle) { Some(&(*handle).held) } else { None } }
}

/// As [`held`], to be changed.
///
/// # Safety
/// As [`held`], and nobody else uses it.
pub unsafe fn held_mut<'a, T: Held>(handle: *mut Handle<T>) -> Option<&'a mut T> {
    // SAFETY: the caller's word, and it is of this kind.
    unsafe { if is_kind(handle) { Some(&mut (*handle).held) } else { None } }
}

/// As [`held`], for a handle that must not be null.
///
/// # Safety
/// As [`held`].
pub unsafe fn handle<'a, T: Held>(what: &str, handle: *const Handle<T>) -> Result<&'a T, Fault> {
    // SAFETY: the caller's word.
    unsafe { held(handle) }.ok_or_else(|| no_such(what, handle))
}

/// As [`held_mut`], for a handle that must not be null.
///
/// # Safety
/// As [`held_mut`].
pub unsafe fn handle_mut<'a, T: Held>(what: &str, handle: *mut Handle<T>) -> Result<&'a mut T, Fault> {
    // SAFETY: the caller's word.
    unsafe { held_mut(handle) }.ok_or_else(|| no_such(what, handle))
}

/// As [`handle`], for one that may be null.
///
/// # Safety
/// As [`held`].
pub unsafe fn optional<'a, T: Held>(what: &str, at: *const Handle<T>) -> Result<Option<&'a T>, Fault> {
    // SAFETY: the caller's word.
    if at.is_null() { Ok(None) } else { unsafe { handle(what, at) }.map(Some) }
}

fn no_such<T: Held>(what: &str, handle: *const Handle<T>) -> Fault {
    if handle.is_null() { Fault::null(what) } else { Fault::argument(format!("{what} is no {}", T::NAME)) }
}

/// Takes a handle back; one of another kind stays what it is.
///
/// # Safety
/// `handle` is null, or came from [`Handle::new`] and is used no more.
pub unsafe fn taken_back<T: Held>(handle: *mut Handle<T>) -> Option<Box<Handle<T>>> {
    // SAFETY: the caller's word, and it is of this kind.
    unsafe { if is_kind(handle) { Some(Box::from_raw(handle)) } else { None } }
}
