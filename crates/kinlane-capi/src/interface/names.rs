//! Lists of names, as texts of C that live as long as their handle.

use crate::interface::fault::{Fault, NONE, broke_down, c_text};
use kinlane::mech::render::render;
use kinlane::mech::{Diagnostic, Severity, Sources};
use std::any::Any;
use std::ffi::{CString, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

/// Which names; `kinlane_list` of the header. Not an enum: the host may pass any number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct List(pub c_int);

/// How many lists there are.
const LISTS: usize = 7;

impl List {
    pub const SPECIES: Self = Self(0);
    pub const REACTIONS: Self = Self(1);
    pub const ELEMENTS: Self = Self(2);
    pub const FIXED: Self = Self(3);
    pub const PHOTOLYSIS: Self = Self(4);
    pub const INPUTS: Self = Self(5);
    pub const WARNINGS: Self = Self(6);

    /// What an item of the list is called.
    fn item(self) -> &'static str {
        ["species", "reaction", "element", "fixed species", "photolysis frequency", "input", "warning"]
            .get(usize::try_from(self.0).unwrap_or(NONE))
            .copied()
            .unwrap_or("list of names such as")
    }
}

/// The warnings among findings, each with its place in the file.
fn warnings(findings: &[Diagnostic], sources: &Sources) -> Vec<CString> {
    let told = findings.iter().filter(|found| found.severity == Severity::Warning);
    told.map(|found| c_text(render(std::slice::from_ref(found), sources, false).trim_end())).collect()
}

/// All lists of a mechanism or a scheme; those that it does not have are empty.
#[derive(Debug, Default)]
pub struct Names {
    lists: [Vec<CString>; LISTS],
    /// Made when they are first asked for: doubtful entries take time to find.
    warnings: OnceLock<Vec<CString>>,
}

impl Names {
    /// The same with one list more.
    pub fn with<'a>(mut self, list: List, names: impl Iterator<Item = &'a str>) -> Self {
        if let Some(place) = usize::try_from(list.0).ok().and_then(|i| self.lists.get_mut(i)) {
            *place = names.map(c_text).collect();
        }
        self
    }

    fn list(&self, list: List) -> &[CString] {
        usize::try_from(list.0).ok().and_then(|i| self.lists.get(i)).map_or(&[], Vec::as_slice)
    }

    /// A list; `find` looks for what to warn of.
    fn told<'a>(&self, list: List, find: impl FnOnce() -> (Vec<Diagnostic>, &'a Sources)) -> &[CString] {
        if list != List::WARNINGS {
            return self.list(list);
        }
        // This is asked for without a place for errors; a panic must not reach the host all the same.
        let look = || {
            let (found, sources) = find();
            warnings(&found, sources)
        };
        self.warnings.get_or_init(|| {
            let broken = |panic: Box<dyn Any + Send>| vec![c_text(&broke_down(&*panic))];
            catch_unwind(AssertUnwindSafe(look)).unwrap_or_else(broken)
        })
    }

    /// How many names a list has; `find` looks for what to warn of.
    pub fn count<'a>(&self, list: List, find: impl FnOnce() -> (Vec<Diagnostic>, &'a Sources)) -> usize {
        self.told(list, find).len()
    }

    /// A name, or null.
    pub fn item<'a>(
        &self,
        list: List,
        index: usize,
        find: impl FnOnce() -> (Vec<Diagnostic>, &'a Sources),
    ) -> *const c_char {
        self.told(list, find).get(index).map_or(std::ptr::null(), |name| name.as_ptr())
    }

    /// The place of a name.
    pub fn index(&self, list: List, name: &str, owner: &str) -> Result<usize, Fault> {
        let names = self.list(list);
        let place = |names: &[CString]| names.iter().position(|n| n.to_bytes() == name.as_bytes());
        if let Some(i) = place(names) {
            return Ok(i);
        }
        let mut lists = (0..).take(LISTS).map(List);
        if let Some(other) = lists.find(|other| place(self.list(*other)).is_some()) {
            return Err(Fault::argument(format!(
                "{owner} has no {} `{name}`, which it knows as {}",
                list.item(),
                other.item()
            )));
        }
        let known = names.iter().filter_map(|n| n.to_str().ok());
        let nearest = kinlane::mech::validate::nearest(name, known);
        let hint = nearest.map_or_else(String::new, |n| format!("; did you mean `{n}`?"));
        Err(Fault::argument(format!("{owner} has no {} `{name}`{hint}", list.item())))
    }
}
