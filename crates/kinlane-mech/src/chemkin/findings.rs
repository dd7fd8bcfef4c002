//! Collects what is found while reading, so that one run reports everything.

use std::collections::BTreeMap;

use crate::{Diagnostic, Severity, Span};

/// The findings so far, in the order in which they were made.
#[derive(Default)]
pub(super) struct Findings {
    list: Vec<Diagnostic>,
    /// Findings that come once for each name, however often it occurs: (code, name) to index and count.
    repeated: BTreeMap<(&'static str, String), (usize, usize)>,
}

/// The words of one finding.
pub(super) struct Say<'a> {
    /// Stable code.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// Words under the caret.
    pub label: &'a str,
    /// The remedy, if there is one.
    pub help: String,
}

impl Findings {
    /// Adds one finding and gives it back, so that further places can be put to it.
    pub fn add(&mut self, severity: Severity, at: Span, say: Say<'_>) -> &mut Diagnostic {
        let help = (!say.help.is_empty()).then_some(say.help);
        let new = Diagnostic { severity, code: say.code, message: say.message, labels: vec![(at, say.label.to_owned())], help };
        self.list.push(new);
        let last = self.list.len() - 1;
        &mut self.list[last]
    }

    /// A finding that refuses the file.
    pub fn error(&mut self, code: &'static str, at: Span, message: impl Into<String>, label: &str, help: impl Into<String>) -> &mut Diagnostic {
        self.add(Severity::Error, at, Say { code, message: message.into(), label, help: help.into() })
    }

    /// A probable mistake in a file that is used all the same.
    pub fn warn(&mut self, code: &'static str, at: Span, message: impl Into<String>, label: &str, help: impl Into<String>) -> &mut Diagnostic {
        self.add(Severity::Warning, at, Say { code, message: message.into(), label, help: help.into() })
    }

    /// A repair, or something worth knowing.
    pub fn note(&mut self, code: &'static str, at: Span, message: impl Into<String>, label: &str) -> &mut Diagnostic {
        self.add(Severity::Note, at, Say { code, message: message.into(), label, help: String::new() })
    }

    /// A finding that is made once for each `name`; further occurrences are only counted.
    pub fn once(&mut self, severity: Severity, at: Span, name: &str, say: Say<'_>) {
        let key = (say.code, name.to_owned());
        if let Some(known) = self.repeated.get_mut(&key) {
            known.1 += 1;
            return;
        }
        self.repeated.insert(key, (self.list.len(), 1));
        self.add(severity, at, say);
    }

    /// Everything found.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        for (_, (index, count)) in self.repeated {
            if let Some(diagnostic) = self.list.get_mut(index)
                && count > 1
            {
                diagnostic.message.push_str(&format!(" ({count} times)"));
            }
        }
        self.list
    }
}
