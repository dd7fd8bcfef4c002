//! What is wrong with a function that is not known.

use super::{Resolver, Scope};
use crate::kpp::codes;
use crate::kpp::intrinsic;
use crate::kpp::tree::Tree;
use crate::words::did_you_mean;
use crate::{Diagnostic, Span, validate};

impl Resolver<'_> {
    /// Whether a name is known: that of a function with other arguments, or of a variable; or maybe of a function in a file that
    /// has not been read.
    pub(super) fn is_known(&mut self, name: &str, lower: &str, scope: &Scope<'_>) -> bool {
        self.hint.is_some()
            || scope.variables.is_some_and(|all| all.contains_key(lower))
            || self.alike(name, lower).is_some_and(|known| known.eq_ignore_ascii_case(name))
    }

    /// Warns of an element of an array of the host whose name may be meant for a function's.
    pub(super) fn tell_alike(&mut self, name: &str, lower: &str, at: Span) {
        let Some(known) = self.alike(name, lower) else { return };
        let message = format!("`{name}` is like the function `{known}`, and is read as an array of the host");
        let warning = Diagnostic::warning(codes::UNKNOWN_FUNCTION, message)
            .at(at, "an input")
            .help(format!("give its elements with the states; or correct it, if `{known}` is meant"));
        match self.found.iter_mut().find(|told| told.message.eq_ignore_ascii_case(&warning.message)) {
            Some(told) => told.and_at(at),
            None => self.found.push(warning),
        }
    }

    /// The function whose name this is, or that it may be meant for.
    fn alike(&mut self, name: &str, lower: &str) -> Option<&str> {
        if !self.alike.contains_key(lower) {
            let near = validate::nearest(name, self.functions_known()).map(str::to_owned);
            self.alike.insert(lower.to_owned(), near);
        }
        self.alike.get(lower)?.as_deref()
    }

    /// Names of all functions, in alphabetical order.
    fn functions_known(&self) -> Vec<&str> {
        let procedures = self.own.values().chain(self.library.values()).map(|p| p.name.as_str());
        let mut all: Vec<&str> =
            procedures.filter(|known| !intrinsic::is_hidden(known)).chain(intrinsic::names()).collect();
        all.sort_unstable();
        all
    }

    /// Reports a function that is not known.
    pub(super) fn refuse(&mut self, tree: &Tree, name: &str, lower: &str, arguments: &[Tree], scope: &Scope<'_>) {
        let at = scope.part.span(tree.from, tree.from + name.len());
        for argument in arguments {
            self.expression(argument, scope); // its own problems
        }
        if scope.variables.is_some_and(|all| all.contains_key(lower)) {
            let message = format!("`{name}` is used as an array");
            self.found.push(
                Diagnostic::error(codes::UNSUPPORTED, message)
                    .at(at, "arrays are not supported")
                    .help("write the function with numbers alone, or give the rate constant as an input"),
            );
            return;
        }
        let mut numbers: Vec<usize> = self
            .own
            .keys()
            .chain(self.library.keys())
            .filter(|(known, _)| known == lower && !intrinsic::is_hidden(lower))
            .map(|(_, number)| *number)
            .collect();
        numbers.extend(intrinsic::arguments(lower));
        numbers.sort_unstable();
        numbers.dedup();
        if !numbers.is_empty() {
            let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
            let takes = numbers.join(" or ");
            let given = arguments.len();
            self.found.push(
                Diagnostic::error(codes::ARGUMENTS, format!("`{name}` has {given} arguments here, and takes {takes}"))
                    .at(scope.part.span(tree.from, tree.to), format!("{given} arguments"))
                    .help(format!("give {takes} arguments, or define the function in `#INLINE F90_RATES`")),
            );
            return;
        }
        if let Some(&i) = self.unknown.get(lower) {
            if let Some(finding) = self.found.get_mut(i) {
                finding.and_at(at);
            }
            return;
        }
        self.unknown.insert(lower.to_owned(), self.found.len());
        let help = match &self.hint {
            Some(file) => format!("functions are defined in `.def` files: give `{file}` instead of this file"),
            None => did_you_mean(
                validate::nearest(name, self.functions_known()),
                "define it in `#INLINE F90_RATES`, or give the rate constant as an input: a name without parentheses",
            ),
        };
        self.found.push(
            Diagnostic::error(codes::UNKNOWN_FUNCTION, format!("there is no function `{name}`"))
                .at(at, "not known")
                .help(help),
        );
    }
}
