//! Collects findings while reading, so that one run reports everything.

use std::collections::HashSet;

use crate::words::{SHOWN, quoted};
use crate::{Diagnostic, Severity, Span};

/// The findings so far, in the order in which they were made.
#[derive(Default)]
pub(super) struct Findings {
    list: Vec<Diagnostic>,
    groups: Vec<Group>,
}

/// Findings of one kind in one file, reported together.
struct Group {
    severity: Severity,
    code: &'static str,
    file: u32,
    /// Index in the list of findings.
    index: usize,
    /// The names in order.
    names: Vec<String>,
    /// The same, to find one quickly.
    known: HashSet<String>,
}

impl Findings {
    fn add(
        &mut self,
        severity: Severity,
        code: &'static str,
        at: Span,
        message: impl Into<String>,
        label: &str,
        help: impl Into<String>,
    ) -> &mut Diagnostic {
        let help = Some(help.into()).filter(|help| !help.is_empty());
        let new = Diagnostic { severity, code, message: message.into(), labels: vec![(at, label.to_owned())], help };
        self.list.push(new);
        let last = self.list.len() - 1;
        &mut self.list[last]
    }

    /// Adds a finding that refuses the file. It is returned, so that further places can be added to it.
    pub fn error(
        &mut self,
        code: &'static str,
        at: Span,
        message: impl Into<String>,
        label: &str,
        help: impl Into<String>,
    ) -> &mut Diagnostic {
        self.add(Severity::Error, code, at, message, label, help)
    }

    /// Adds a probable mistake in a file that is used all the same.
    pub fn warn(
        &mut self,
        code: &'static str,
        at: Span,
        message: impl Into<String>,
        label: &str,
        help: impl Into<String>,
    ) -> &mut Diagnostic {
        self.add(Severity::Warning, code, at, message, label, help)
    }

    /// Adds a repair, or something worth knowing.
    pub fn note(&mut self, code: &'static str, at: Span, message: impl Into<String>, label: &str) -> &mut Diagnostic {
        self.add(Severity::Note, code, at, message, label, "")
    }

    /// Adds a finding that is frequent in published files: all of one code in one file are reported as one,
    /// with their names after the message.
    pub fn group(&mut self, severity: Severity, code: &'static str, at: Span, name: &str, message: &str, label: &str) {
        let same = |group: &&mut Group| (group.severity, group.code, group.file) == (severity, code, at.file);
        if let Some(group) = self.groups.iter_mut().find(same) {
            if group.known.insert(name.to_owned()) {
                group.names.push(name.to_owned());
                if let Some(diagnostic) = self.list.get_mut(group.index).filter(|_| group.names.len() <= SHOWN) {
                    diagnostic.labels.push((at, label.to_owned()));
                }
            }
            return;
        }
        let (names, known) = (vec![name.to_owned()], HashSet::from([name.to_owned()]));
        self.groups.push(Group { severity, code, file: at.file, index: self.list.len(), names, known });
        self.add(severity, code, at, message, label, "");
    }

    /// Everything found.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        for group in self.groups {
            if let Some(diagnostic) = self.list.get_mut(group.index) {
                diagnostic.message.push_str(": ");
                diagnostic.message.push_str(&quoted(&group.names));
            }
        }
        self.list
    }
}
