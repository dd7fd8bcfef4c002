//! Arrays and texts of the host, as slices.

use crate::interface::fault::Fault;
use std::ffi::{CStr, c_char, c_int};
use std::path::Path;

/// The order of arrays with a number per cell and species; `kinlane_layout` of the header. Not an enum: the host may
/// pass any number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct Layout(pub c_int);

impl Layout {
    /// The order meant.
    pub fn known(self) -> Result<kinlane::Layout, Fault> {
        match self.0 {
            0 => Ok(kinlane::Layout::CellMajor),
            1 => Ok(kinlane::Layout::SpeciesMajor),
            other => {
                Err(Fault::argument(format!("layout is {other}; it is KINLANE_CELL_MAJOR or KINLANE_SPECIES_MAJOR")))
            }
        }
    }
}

/// Numbers of `n` cells in a host's order, one cell after the other.
pub fn by_cell(layout: kinlane::Layout, of: &[f64], n: usize) -> Vec<f64> {
    let mut cells = of.to_vec();
    if layout == kinlane::Layout::SpeciesMajor {
        turn(of, &mut cells, n);
    }
    cells
}

/// Numbers that lie one cell after the other, into a host's array of `n` cells in its own order.
pub fn write_back(layout: kinlane::Layout, cells: &[f64], to: &mut [f64], n: usize) {
    match layout {
        kinlane::Layout::CellMajor => to.copy_from_slice(cells),
        kinlane::Layout::SpeciesMajor => turn(cells, to, cells.len() / n.max(1)),
    }
}

/// The transpose of a table with rows of `columns` numbers.
fn turn(table: &[f64], to: &mut [f64], columns: usize) {
    let rows = table.len() / columns.max(1);
    for (i, row) in table.chunks(columns.max(1)).enumerate() {
        row.iter().enumerate().for_each(|(j, value)| to[j * rows + i] = *value);
    }
}

/// A struct of the header that the host passes.
///
/// # Safety
/// `at` is null, or such a struct, as long as the result is used.
pub unsafe fn structure<'a, T>(what: &str, at: *const T) -> Result<&'a T, Fault> {
    // SAFETY: the caller's word.
    unsafe { at.as_ref() }.ok_or_else(|| Fault::null(what))
}

/// A text that the host passes, in UTF-8.
///
/// # Safety
/// `at` is null, or a text that ends with a zero and is left alone as long as the result is used.
pub unsafe fn text<'a>(what: &str, at: *const c_char) -> Result<&'a str, Fault> {
    // SAFETY: the caller's word.
    let text = unsafe { bytes(what, at)? };
    text.to_str().map_err(|e| Fault::argument(format!("{what} is not text in UTF-8: {e}")))
}

/// The name of a file, in whatever bytes the system takes.
///
/// # Safety
/// As [`text`].
pub unsafe fn path<'a>(what: &str, at: *const c_char) -> Result<&'a Path, Fault> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        // SAFETY: the caller's word.
        let name = unsafe { bytes(what, at)? };
        Ok(Path::new(std::ffi::OsStr::from_bytes(name.to_bytes())))
    }
    #[cfg(not(unix))]
    // SAFETY: the caller's word.
    Ok(Path::new(unsafe { text(what, at)? }))
}

/// # Safety
/// As [`text`].
unsafe fn bytes<'a>(what: &str, at: *const c_char) -> Result<&'a CStr, Fault> {
    if at.is_null() {
        return Err(Fault::null(what));
    }
    // SAFETY: the caller's word.
    Ok(unsafe { CStr::from_ptr(at) })
}

/// The arrays of one call. Where one is written, no other may share memory with it.
#[derive(Debug, Default)]
pub struct Arrays {
    /// Name, first and last address, and whether it is written.
    lent: Vec<(&'static str, usize, usize, bool)>,
}

impl Arrays {
    /// An array of `rows` times `columns` numbers that is read.
    ///
    /// # Safety
    /// `at` has room for so many, which are left alone as long as the result is used.
    pub unsafe fn input<'a, T>(
        &mut self,
        what: &'static str,
        at: *const T,
        rows: usize,
        columns: usize,
    ) -> Result<&'a [T], Fault> {
        match self.check(what, at, rows, columns, false)? {
            0 => Ok(&[]),
            // SAFETY: the caller's word; it is aligned, and no larger than memory.
            len => Ok(unsafe { std::slice::from_raw_parts(at, len) }),
        }
    }

    /// As [`Arrays::input`], for one that may be left out.
    ///
    /// # Safety
    /// As [`Arrays::input`].
    pub unsafe fn optional<'a, T>(
        &mut self,
        what: &'static str,
        at: *const T,
        rows: usize,
        columns: usize,
    ) -> Result<Option<&'a [T]>, Fault> {
        // SAFETY: the caller's word.
        if at.is_null() { Ok(None) } else { unsafe { self.input(what, at, rows, columns).map(Some) } }
    }

    /// An array that is written.
    ///
    /// # Safety
    /// As [`Arrays::input`], and nobody else uses them.
    pub unsafe fn output<'a, T>(
        &mut self,
        what: &'static str,
        at: *mut T,
        rows: usize,
        columns: usize,
    ) -> Result<&'a mut [T], Fault> {
        match self.check(what, at, rows, columns, true)? {
            0 => Ok(&mut []),
            // SAFETY: the caller's word; it is aligned, no larger than memory, and shares none with another of this call.
            len => Ok(unsafe { std::slice::from_raw_parts_mut(at, len) }),
        }
    }

    /// As [`Arrays::output`], for one that may be left out.
    ///
    /// # Safety
    /// As [`Arrays::output`].
    pub unsafe fn optional_output<'a, T>(
        &mut self,
        what: &'static str,
        at: *mut T,
        rows: usize,
        columns: usize,
    ) -> Result<Option<&'a mut [T]>, Fault> {
        // SAFETY: the caller's word.
        if at.is_null() { Ok(None) } else { unsafe { self.output(what, at, rows, columns).map(Some) } }
    }

    /// Checks what can be known of a pointer; the length in elements.
    fn check<T>(
        &mut self,
        what: &'static str,
        at: *const T,
        rows: usize,
        columns: usize,
        written: bool,
    ) -> Result<usize, Fault> {
        let bytes = |len: usize| len.checked_mul(size_of::<T>()).filter(|b| isize::try_from(*b).is_ok());
        let size = rows.checked_mul(columns).and_then(|len| Some((len, bytes(len)?)));
        let Some((len, bytes)) = size else {
            return Err(Fault::argument(format!(
                "{what} would have {rows} times {columns} numbers, more than any memory"
            )));
        };
        if len == 0 {
            return Ok(0);
        }
        if at.is_null() {
            return Err(Fault::argument(format!("{what} is NULL; it needs {len} numbers")));
        }
        if !at.is_aligned() {
            return Err(Fault::argument(format!("{what} is not aligned to its {} bytes per number", size_of::<T>())));
        }
        let first = at.addr();
        let Some(last) = first.checked_add(bytes - 1) else {
            return Err(Fault::argument(format!("{what} with {len} numbers would pass the end of memory")));
        };
        let shares = |l: &&(_, usize, usize, bool)| (written || l.3) && first <= l.2 && l.1 <= last;
        if let Some((other, ..)) = self.lent.iter().find(shares) {
            return Err(Fault::argument(format!("{what} and {other} share memory, and one of them is written")));
        }
        self.lent.push((what, first, last, written));
        Ok(len)
    }
}

/// Makes room for so many elements, numbers or outcomes of cells, as they are at first.
pub fn room<T: Clone + Default>(scratch: &mut Vec<T>, len: usize) -> Result<(), Fault> {
    scratch.clear();
    let failed = |e| Fault::argument(format!("{len} times {} bytes: {e}", size_of::<T>()));
    scratch.try_reserve(len).map_err(failed)?;
    scratch.resize(len, T::default());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_turned_and_turned_back() {
        // Two cells of three species.
        let (cells, by_species) = ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
        assert_eq!(by_cell(kinlane::Layout::SpeciesMajor, &by_species, 2), cells);
        assert_eq!(by_cell(kinlane::Layout::CellMajor, &cells, 2), cells);
        let mut to = [0.0; 6];
        write_back(kinlane::Layout::SpeciesMajor, &cells, &mut to, 2);
        assert_eq!(to, by_species);
        write_back(kinlane::Layout::SpeciesMajor, &[], &mut [], 0);
        assert!(by_cell(kinlane::Layout::SpeciesMajor, &[], 0).is_empty());
    }

    #[test]
    fn arrays_that_share_memory_are_told_apart() {
        let mut x = [0.0; 8];
        let at = x.as_mut_ptr();
        let mut arrays = Arrays::default();
        // SAFETY: eight numbers of this test.
        unsafe {
            assert_eq!(arrays.output("a", at, 2, 2).map(|a| a.len()), Ok(4));
            let said = |e: Fault| format!("{e:?}");
            assert!(arrays.input("b", at.add(3), 1, 2).map_err(said).unwrap_err().contains("b and a share memory"));
            assert_eq!(arrays.input("b", at.add(4), 2, 1).map(<[f64]>::len), Ok(2));
            assert_eq!(arrays.input("c", at.add(4), 2, 1).map(<[f64]>::len), Ok(2), "both are only read");
            assert!(arrays.output("d", at.add(5), 1, 1).map_err(said).unwrap_err().contains("d and b share memory"));
            let odd = at.cast::<u8>().add(1).cast::<f64>();
            assert!(arrays.input("e", odd, 1, 1).map_err(said).unwrap_err().contains("not aligned"));
            assert!(arrays.input("f", at, usize::MAX, 2).map_err(said).unwrap_err().contains("more than any memory"));
            assert_eq!(arrays.input("g", std::ptr::null::<f64>(), 0, 7), Ok(&[][..]));
        }
    }
}
