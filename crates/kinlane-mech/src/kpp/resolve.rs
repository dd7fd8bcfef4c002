//! Expressions with names resolved: species, inputs, photolysis frequencies and functions.

use std::collections::HashMap;

use super::body::{self, Line};
use super::codes;
use super::fortran::{Procedure, Procedures};
use super::globals::Globals;
use super::intrinsic;
use super::part::{Fault, Part};
use super::species::Declared;
use super::tree::{Node, Tree};
use crate::scheme::{Expression, Function, Name, Operator, Statement};
use crate::{Diagnostic, Severity, Span, validate};

/// Largest nesting of an expression with those of the functions that it calls, so that whoever walks them has stack
/// enough. Those of published mechanisms stay below fifty.
const DEEPEST: usize = 400;

/// Number of places that a finding about several of them shows.
const SHOWN: usize = 8;

/// Inputs that mechanisms write in any case.
const INPUTS: [&str; 4] = ["C_M", "C_H2O", "SUN", "CFACTOR"];

/// Resolves names; collects what rate constants use.
pub(super) struct Resolver<'a> {
    /// The species. Their numbers are those of declaration, variable or fixed.
    pub declared: &'a Declared,
    /// Functions of the mechanism.
    pub own: &'a Procedures,
    /// Functions that need no definition.
    pub library: &'a Procedures,
    /// Variables that code computes for all rate constants.
    pub globals: &'a Globals,
    /// Functions that are called.
    pub functions: Vec<Function>,
    /// Photolysis frequencies that are used.
    pub photolysis: Vec<String>,
    /// Further names that are used.
    pub inputs: Vec<String>,
    /// The file that may define functions that are not known.
    pub hint: Option<String>,
    /// Findings.
    pub found: &'a mut Vec<Diagnostic>,
    /// What became of functions: by whether they are of the library, name and number of arguments.
    states: HashMap<(bool, String, usize), State>,
    /// What became of such variables.
    computed: HashMap<String, State>,
    /// Nesting of the functions that are called.
    heights: Vec<usize>,
    /// Expressions within each other that are being resolved.
    depth: usize,
    /// Findings about unknown functions by name, so that each is reported once.
    unknown: HashMap<String, usize>,
}

#[derive(Clone, Copy)]
enum State {
    Busy,
    Done(usize),
    Failed,
}

/// Where an expression stands.
struct Scope<'a> {
    /// The text that its places are in.
    part: &'a Part,
    /// Variables of the function, if it is in one.
    variables: Option<&'a HashMap<String, usize>>,
    /// Whether it is in the library.
    library: bool,
}

impl<'a> Resolver<'a> {
    /// Nothing resolved so far.
    pub fn new(
        declared: &'a Declared,
        own: &'a Procedures,
        library: &'a Procedures,
        globals: &'a Globals,
        found: &'a mut Vec<Diagnostic>,
    ) -> Self {
        Self {
            declared,
            own,
            library,
            globals,
            functions: Vec::new(),
            photolysis: Vec::new(),
            inputs: Vec::new(),
            hint: None,
            found,
            states: HashMap::new(),
            computed: HashMap::new(),
            heights: Vec::new(),
            depth: 0,
            unknown: HashMap::new(),
        }
    }

    /// The expression of a rate constant.
    pub fn rate(&mut self, tree: &Tree, part: &Part) -> Expression {
        let expression = self.expression(tree, &Scope { part, variables: None, library: false });
        if self.height(&expression) > DEEPEST {
            self.too_deep(part.span(tree.from, tree.to));
        }
        expression
    }

    fn too_deep(&mut self, at: Span) {
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
    fn height(&self, expression: &Expression) -> usize {
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

    fn expression(&mut self, tree: &Tree, scope: &Scope<'_>) -> Expression {
        self.depth += 1;
        let expression = self.node(tree, scope);
        self.depth -= 1;
        expression
    }

    fn node(&mut self, tree: &Tree, scope: &Scope<'_>) -> Expression {
        match &tree.node {
            Node::Number(value, _) => Expression::Number(*value),
            Node::Name(name) => match self.computed(name, tree, scope) {
                Some(index) => Expression::Call(index, Vec::new()),
                None => Expression::Name(self.name(name, scope)),
            },
            Node::Apply(operator, parts) => {
                if *operator == Operator::Div && !scope.library {
                    self.integers(parts, scope);
                }
                let mut parts: Vec<Expression> = parts.iter().map(|part| self.expression(part, scope)).collect();
                match (operator, parts.as_mut_slice()) {
                    (Operator::Neg, [Expression::Number(value)]) => Expression::Number(-*value),
                    _ => Expression::Apply(*operator, parts),
                }
            }
            Node::Call(name, arguments) => self.call(tree, name, arguments, scope),
        }
    }

    /// Warns of `1/3`, which is 0 in Fortran and C.
    fn integers(&mut self, parts: &[Tree], scope: &Scope<'_>) {
        if let [Tree { node: Node::Number(a, true), from, .. }, Tree { node: Node::Number(b, true), to, .. }] = parts
            && a % b != 0.0
        {
            self.found.push(
                Diagnostic::warning(codes::INTEGERS, "an integer is divided by an integer")
                    .at(scope.part.span(*from, *to), format!("computed as {}", a / b))
                    .help("in Fortran and C the fraction of the result is lost; write `1.0/3.0` to be clear"),
            );
        }
    }

    fn name(&mut self, name: &str, scope: &Scope<'_>) -> Name {
        let lower = name.to_ascii_lowercase();
        if let Some(&local) = scope.variables.and_then(|all| all.get(&lower)) {
            return Name::Local(local);
        }
        if lower == "temp" {
            return Name::Temperature;
        }
        if let Some(i) = self.declared.find(&lower) {
            return self.species(i);
        }
        let known = INPUTS.iter().find(|known| known.eq_ignore_ascii_case(name)).copied();
        Name::Input(position(&mut self.inputs, known.unwrap_or(name)))
    }

    fn species(&self, i: usize) -> Name {
        if self.declared.all.get(i).is_some_and(|s| s.fixed) { Name::Fixed(i) } else { Name::Species(i) }
    }

    fn call(&mut self, tree: &Tree, name: &str, arguments: &[Tree], scope: &Scope<'_>) -> Expression {
        let lower = name.to_ascii_lowercase();
        let key = (lower.clone(), arguments.len());
        let own = self.own.get(&key).filter(|_| !scope.library);
        if own.is_none() {
            if let Some(special) = self.special(&lower, arguments) {
                return special;
            }
            if let Some(operator) = intrinsic::of(&lower, arguments.len()) {
                let arguments = arguments.iter().map(|a| self.expression(a, scope)).collect();
                return intrinsic::applied(operator, arguments);
            }
        }
        let public = |key: &(String, usize)| scope.library || !intrinsic::is_hidden(&key.0);
        let library = self.library.get(&key).filter(|_| public(&key));
        let Some(procedure) = own.or(library) else {
            self.refuse(tree, name, &lower, arguments, scope);
            return Expression::Number(0.0);
        };
        let index = self.function(procedure, own.is_none(), tree, scope);
        let arguments = arguments.iter().map(|a| self.expression(a, scope)).collect();
        index.map_or(Expression::Number(0.0), |index| Expression::Call(index, arguments))
    }

    /// What looks like a function and is a quantity: a photolysis frequency `j(Pj_no2)`, `PHOTOL(3)`, or the amount of
    /// a species `C(ind_O3)`.
    fn special(&mut self, name: &str, arguments: &[Tree]) -> Option<Expression> {
        let [argument] = arguments else { return None };
        match (name, &argument.node) {
            ("j" | "photol", Node::Number(value, true)) => {
                let i = position(&mut self.photolysis, &value.to_string());
                Some(Expression::Name(Name::Photolysis(i)))
            }
            ("j" | "photol", Node::Name(of)) => {
                let lower = of.to_ascii_lowercase();
                let i = position(&mut self.photolysis, lower.strip_prefix("pj_").unwrap_or(&lower));
                Some(Expression::Name(Name::Photolysis(i)))
            }
            ("c" | "var" | "fix", Node::Name(of)) => {
                let i = self.declared.find(species_of(&of.to_ascii_lowercase())?)?;
                Some(Expression::Name(self.species(i)))
            }
            _ => None,
        }
    }

    /// Reports a function that is not known.
    fn refuse(&mut self, tree: &Tree, name: &str, lower: &str, arguments: &[Tree], scope: &Scope<'_>) {
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
            if let Some(finding) = self.found.get_mut(i).filter(|finding| finding.labels.len() < SHOWN) {
                finding.labels.push((at, "and here".to_owned()));
            }
            return;
        }
        self.unknown.insert(lower.to_owned(), self.found.len());
        let known = self.own.values().chain(self.library.values()).map(|p| p.name.as_str());
        let mut known: Vec<&str> = known.filter(|known| !intrinsic::is_hidden(known)).collect();
        known.extend(intrinsic::names());
        known.sort_unstable();
        let help = match (validate::nearest(name, known), &self.hint) {
            (_, Some(file)) => format!("functions are defined in `.def` files: give `{file}` instead of this file"),
            (Some(near), None) => format!("did you mean `{near}`?"),
            (None, None) => {
                "define it in `#INLINE F90_RATES`, or give the rate constant as an input: a name without parentheses"
                    .to_owned()
            }
        };
        self.found.push(
            Diagnostic::error(codes::UNKNOWN_FUNCTION, format!("there is no function `{name}`"))
                .at(at, "not known")
                .help(help),
        );
    }

    /// The number of a function, which is read at its first use.
    fn function(&mut self, procedure: &Procedure, library: bool, tree: &Tree, scope: &Scope<'_>) -> Option<usize> {
        let key = (library, procedure.name.to_ascii_lowercase(), procedure.parameters.len());
        let at = scope.part.span(tree.from, tree.to);
        match self.states.get(&key) {
            Some(State::Done(index)) => return Some(*index),
            Some(State::Failed) => return None,
            Some(State::Busy) => {
                self.found.push(
                    Diagnostic::error(codes::RECURSION, format!("function `{}` calls itself", procedure.name))
                        .at(at, "called again here")
                        .at(procedure.header.place(), "while this one is not done")
                        .help("write it without recursion"),
                );
                return None;
            }
            None if self.depth >= DEEPEST => {
                self.too_deep(at);
                return None;
            }
            None => {}
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
        let errors = self.found.get(before..).unwrap_or_default();
        let failed = errors.iter().any(|finding| finding.severity == Severity::Error);
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
    fn computed(&mut self, name: &str, tree: &Tree, scope: &Scope<'_>) -> Option<usize> {
        let (globals, lower) = (self.globals, name.to_ascii_lowercase());
        let local = scope.library || scope.variables.is_some_and(|all| all.contains_key(&lower));
        if local || !globals.assigned.contains(&lower) {
            return None;
        }
        let at = scope.part.span(tree.from, tree.to);
        match self.computed.get(&lower) {
            Some(State::Done(index)) => return Some(*index),
            Some(State::Failed) => return None,
            Some(State::Busy) => {
                let help = "compute it from what does not depend on it";
                let error = Diagnostic::error(codes::RECURSION, format!("`{name}` depends on itself"));
                self.found.push(error.at(at, "used here").help(help));
                return None;
            }
            None if self.depth >= DEEPEST => {
                self.too_deep(at);
                return None;
            }
            None => {}
        }
        self.computed.insert(lower.clone(), State::Busy);
        let kept = body::slice(&globals.lines, &lower);
        let lines = || kept.iter().filter_map(|i| globals.lines.get(*i));
        let mut variables: HashMap<String, usize> = HashMap::new();
        for name in lines().flat_map(|(_, line)| body::assigned(std::slice::from_ref(line))) {
            let next = variables.len();
            variables.entry(name).or_insert(next);
        }
        let mut statements = Vec::new();
        for (part, line) in lines() {
            let Some(part) = globals.parts.get(*part) else { continue };
            let scope = Scope { part, variables: Some(&variables), library: false };
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

    fn compiled(&mut self, procedure: &Procedure, body: &body::Body, library: bool) -> Function {
        let variables: HashMap<String, usize> =
            body.variables.iter().enumerate().map(|(i, name)| (name.clone(), i)).collect();
        let scope = Scope { part: &procedure.body, variables: Some(&variables), library };
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
                    let mut made = Vec::with_capacity(arms.len());
                    for (condition, lines) in arms {
                        made.push((self.expression(condition, scope), self.lines(lines, scope)));
                    }
                    Statement::If(made, self.lines(last, scope))
                }
            });
        }
        all
    }

    /// An expression that cannot even be taken apart.
    pub fn fault(&mut self, fault: Fault, part: &Part) {
        self.found.push(fault.found(part));
    }
}

/// The species of an index in code: `ind_O3`, `indf_O2`, `KPP_O3`.
pub(super) fn species_of(index: &str) -> Option<&str> {
    ["ind_", "indf_", "kpp_"].iter().find_map(|before| index.strip_prefix(before))
}

/// The place of a name in a list, to which it is added if it is not there; upper and lower case are the same.
fn position(list: &mut Vec<String>, name: &str) -> usize {
    list.iter().position(|known| known.eq_ignore_ascii_case(name)).unwrap_or_else(|| {
        list.push(name.to_owned());
        list.len() - 1
    })
}
