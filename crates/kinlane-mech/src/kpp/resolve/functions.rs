//! Functions that rate constants call, and those that compute variables of all rate constants.

use super::{DEEPEST, INPUTS, Resolver, Scope, position};
use crate::diagnostic::refuses;
use crate::kpp::body::{self, Line};
use crate::kpp::codes;
use crate::kpp::fortran::Procedure;
use crate::kpp::tree::Tree;
use crate::kpp::usage;
use crate::scheme::{Expression, Function, Name, Statement};
use crate::{Diagnostic, Span};
use std::collections::HashMap;
use std::ops::ControlFlow::{self, Break, Continue};

/// What became of a function.
#[derive(Clone, Copy)]
pub(super) enum State {
    Busy,
    Done(usize),
    Failed,
}

impl Resolver<'_> {
    /// The number of a function that is needed at a place, if its reading has begun; it goes on where it is still to be read.
    fn known(
        &mut self,
        state: Option<State>,
        at: Span,
        loops: impl FnOnce() -> Diagnostic,
    ) -> ControlFlow<Option<usize>> {
        match state {
            Some(State::Done(index)) => return Break(Some(index)),
            Some(State::Failed) => {}
            Some(State::Busy) => self.found.push(loops()),
            None if self.depth >= DEEPEST => self.too_deep(at),
            None => return Continue(()),
        }
        Break(None)
    }

    /// The number of a function, which is read at its first use.
    pub(super) fn function(
        &mut self,
        procedure: &Procedure,
        library: bool,
        tree: &Tree,
        scope: &Scope<'_>,
    ) -> Option<usize> {
        let key = (library, procedure.name.to_ascii_lowercase(), procedure.parameters.len());
        let at = scope.part.span(tree.from, tree.to);
        let loops = || {
            Diagnostic::error(codes::RECURSION, format!("function `{}` calls itself", procedure.name))
                .at(at, "called again here")
                .at(procedure.header.place(), "while this one is not done")
                .help("write it without recursion")
        };
        if let Break(known) = self.known(self.states.get(&key).copied(), at, loops) {
            return known;
        }
        self.states.insert(key.clone(), State::Busy);
        let before = self.found.len();
        let read = match body::read(procedure) {
            Ok(body) => Some(self.compiled(procedure, &body, library)),
            Err(fault) => {
                let what = fault.message.clone();
                let mut finding = fault.found(&procedure.body).at(at, "used here");
                finding.message = match finding.code {
                    codes::UNSUPPORTED => format!("function `{}` has what is not supported: {what}", procedure.name),
                    _ => format!("function `{}` cannot be read: {what}", procedure.name),
                };
                self.found.push(finding);
                None
            }
        };
        let height = read.as_ref().map_or(0, |function| self.height_of(&function.body));
        if height > DEEPEST {
            self.too_deep(at);
        }
        let failed = refuses(self.found.get(before..).unwrap_or_default());
        let state = match read {
            Some(function) if !failed => {
                self.functions.push(function);
                self.heights.push(height);
                State::Done(self.functions.len() - 1)
            }
            _ => State::Failed,
        };
        self.states.insert(key, state);
        match state {
            State::Done(index) => Some(index),
            _ => None,
        }
    }

    /// The number of the function that computes a variable of all rate constants, if it is one.
    pub(super) fn computed(&mut self, name: &str, tree: &Tree, scope: &Scope<'_>) -> Option<usize> {
        let (globals, lower) = (self.globals, name.to_ascii_lowercase());
        let local = scope.variables.is_some_and(|all| all.contains_key(&lower));
        if local || !globals.assigned.contains(&lower) {
            return None;
        }
        let at = scope.part.span(tree.from, tree.to);
        let loops = || {
            Diagnostic::error(codes::RECURSION, format!("`{name}` depends on itself"))
                .at(at, "used here")
                .help("compute it from what does not depend on it")
        };
        if let Break(known) = self.known(self.computed.get(&lower).copied(), at, loops) {
            return known;
        }
        self.computed.insert(lower.clone(), State::Busy);
        let kept = usage::slice(&globals.lines, &lower);
        let lines = || kept.iter().filter_map(|i| globals.lines.get(*i));
        let mut variables: HashMap<String, usize> = HashMap::new();
        for name in lines().flat_map(|(_, line)| usage::assigned(std::slice::from_ref(line))) {
            let next = variables.len();
            variables.entry(name).or_insert(next);
        }
        let mut statements = Vec::new();
        // What is read before it is set has the value that it has outside.
        for name in usage::unset(lines().map(|(_, line)| line), &lower) {
            // Also what is set further down only, as a flag of the first call is.
            if !globals.assigned.contains(&name) {
                continue;
            }
            let next = variables.len();
            let place = *variables.entry(name.clone()).or_insert(next);
            let known = INPUTS.iter().find(|known| known.eq_ignore_ascii_case(&name));
            let outside = match known {
                _ if name == "temp" => Name::Temperature,
                Some(known) => Name::Input(position(&mut self.inputs, known)),
                None => {
                    self.unset.insert(name.clone());
                    Name::Input(position(&mut self.inputs, &name))
                }
            };
            statements.push(Statement::Set(place, Expression::Name(outside)));
        }
        for (part, line) in lines() {
            let Some(part) = globals.parts.get(*part) else { continue };
            let scope = Scope { part, variables: Some(&variables), integers: &globals.integers, library: false };
            statements.extend(self.lines(std::slice::from_ref(line), &scope));
        }
        let height = self.height_of(&statements);
        if height > DEEPEST {
            self.too_deep(at);
        }
        let result = variables.get(&lower).copied().unwrap_or(0);
        let (name, variables) = (name.to_owned(), variables.len());
        self.functions.push(Function { name, parameters: 0, variables, body: statements, result });
        self.heights.push(height);
        let index = self.functions.len() - 1;
        self.computed.insert(lower, State::Done(index));
        Some(index)
    }

    /// The rate constant of an earlier reaction. It is called and not copied: one that names another one twice, which names
    /// a third one twice, would grow without bound.
    pub(super) fn earlier(&mut self, reaction: usize) -> Option<Expression> {
        let rate = self.rates.get(reaction)?;
        if matches!(rate, Expression::Number(_) | Expression::Name(_)) {
            return Some(rate.clone());
        }
        if let Some(&known) = self.referred.get(&reaction) {
            return Some(Expression::Call(known, Vec::new()));
        }
        let height = self.height(rate);
        let (name, body) = (format!("RCONST({})", reaction + 1), vec![Statement::Set(0, rate.clone())]);
        let index = self.functions.len();
        self.functions.push(Function { name, parameters: 0, variables: 1, body, result: 0 });
        // With the call, it is as high as the rate constant itself.
        self.heights.push(height.saturating_sub(1));
        self.referred.insert(reaction, index);
        Some(Expression::Call(index, Vec::new()))
    }

    fn compiled(&mut self, procedure: &Procedure, body: &body::Body, library: bool) -> Function {
        let variables: HashMap<String, usize> =
            body.variables.iter().enumerate().map(|(i, name)| (name.clone(), i)).collect();
        let scope = Scope { part: &procedure.body, variables: Some(&variables), integers: &body.integers, library };
        let lines = self.lines(&body.lines, &scope);
        Function {
            name: procedure.name.clone(),
            parameters: procedure.parameters.len(),
            variables: body.variables.len(),
            body: lines,
            result: variables.get(&procedure.result).copied().unwrap_or(0),
        }
    }

    fn lines(&mut self, lines: &[Line], scope: &Scope<'_>) -> Vec<Statement> {
        let mut all = Vec::with_capacity(lines.len());
        for line in lines {
            all.push(match line {
                Line::Set(name, value) => {
                    let Some(&variable) = scope.variables.and_then(|all| all.get(name)) else { continue };
                    Statement::Set(variable, self.expression(value, scope))
                }
                Line::If(arms, last) => {
                    let (mut made, mut last) = (Vec::with_capacity(arms.len()), last);
                    for (condition, lines) in arms {
                        match self.expression(condition, scope) {
                            Expression::Number(0.0) => {}
                            Expression::Number(_) => {
                                last = lines;
                                break;
                            }
                            condition => made.push((condition, self.lines(lines, scope))),
                        }
                    }
                    let last = self.lines(last, scope);
                    if made.is_empty() {
                        all.extend(last);
                        continue;
                    }
                    Statement::If(made, last)
                }
            });
        }
        all
    }

    pub(super) fn too_deep(&mut self, at: Span) {
        self.found.push(
            Diagnostic::error(
                codes::TOO_DEEP,
                format!("functions and expressions are nested more than {DEEPEST} deep"),
            )
            .at(at, "here")
            .help("write them with fewer functions that call each other"),
        );
    }

    /// Nesting of an expression with those of the functions that it calls.
    pub(super) fn height(&self, expression: &Expression) -> usize {
        let most = |parts: &[Expression]| parts.iter().map(|part| self.height(part)).max().unwrap_or(0);
        match expression {
            Expression::Number(_) | Expression::Name(_) => 1,
            Expression::Apply(_, parts) => 1 + most(parts),
            Expression::Call(index, parts) => 1 + most(parts).max(self.heights.get(*index).copied().unwrap_or(0)),
        }
    }

    /// The same of statements.
    fn height_of(&self, statements: &[Statement]) -> usize {
        let of = |statement: &Statement| match statement {
            Statement::Set(_, value) => self.height(value),
            Statement::If(arms, last) => {
                let arm = |(condition, body): &(Expression, Vec<Statement>)| {
                    self.height(condition).max(1 + self.height_of(body))
                };
                arms.iter().map(arm).max().unwrap_or(0).max(1 + self.height_of(last))
            }
        };
        statements.iter().map(of).max().unwrap_or(0)
    }
}
