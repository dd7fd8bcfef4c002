//! Expressions with names resolved: species, inputs and photolysis frequencies here, functions in `functions`, rate constants
//! that only a host knows in `uptake`; `unknown` says what is wrong with a name that is none of these.

mod functions;
mod unknown;
pub(super) mod uptake;

use std::collections::{HashMap, HashSet};

use super::codes;
use super::fortran::Procedures;
use super::globals::Globals;
use super::intrinsic::{self, Intrinsic};
use super::part::Part;
use super::species::Declared;
use super::tree::{self, Node, Tree};
use crate::Diagnostic;
use crate::scheme::{Expression, Function, Name, Operator};
use crate::sums::place_of;
use crate::words::did_you_mean;
use functions::State;
use uptake::Uptake;

/// Largest nesting of an expression with those of the functions that it calls, so that whoever walks them has stack
/// enough. Those of published mechanisms stay below fifty.
const DEEPEST: usize = 400;

/// Arrays of photolysis frequencies, of KPP's hosts.
const PHOTOLYSIS: [&str; 7] = ["j", "jx", "jv", "phot", "ph_rat", "photol", "photolysis"];

/// How names of indices begin.
const INDEX: [&str; 2] = ["i", "j_"];

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
    /// Variables that code gives values to, in lower case: a species of that name is another thing.
    pub variables: HashSet<String>,
    /// Functions that are called.
    pub functions: Vec<Function>,
    /// Photolysis frequencies that are used.
    pub photolysis: Vec<String>,
    /// Further names that are used.
    pub inputs: Vec<String>,
    /// Those of them that are variables which code does not set in every case, in lower case.
    pub unset: HashSet<String>,
    /// Those of them that are rate constants of uptake.
    pub uptakes: Vec<Uptake>,
    /// Rate constants of the reactions so far.
    pub rates: Vec<Expression>,
    /// Which species take part in a reaction.
    pub used: &'a [bool],
    /// The file that may define functions that are not known.
    pub hint: Option<String>,
    /// Findings.
    pub found: &'a mut Vec<Diagnostic>,
    /// What became of functions: by whether they are of the library, name and number of arguments.
    states: HashMap<(bool, String, usize), State>,
    /// What became of such variables.
    computed: HashMap<String, State>,
    /// Functions that stand for rate constants of earlier reactions, by the number of the reaction.
    referred: HashMap<usize, usize>,
    /// Nesting of the functions that are called.
    heights: Vec<usize>,
    /// Expressions within each other that are being resolved.
    depth: usize,
    /// The function that a name is most like, by the name in lower case.
    alike: HashMap<String, Option<String>>,
    /// Findings about unknown functions by name, so that each is reported once.
    unknown: HashMap<String, usize>,
}

/// Where an expression stands.
struct Scope<'a> {
    /// The text that its places are in.
    part: &'a Part,
    /// Variables of the function, if it is in one.
    variables: Option<&'a HashMap<String, usize>>,
    /// Those of them that are integers.
    integers: &'a HashSet<String>,
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
        used: &'a [bool],
        found: &'a mut Vec<Diagnostic>,
    ) -> Self {
        Self {
            declared,
            own,
            library,
            globals,
            variables: HashSet::new(),
            functions: Vec::new(),
            photolysis: Vec::new(),
            inputs: Vec::new(),
            unset: HashSet::new(),
            uptakes: Vec::new(),
            rates: Vec::new(),
            used,
            hint: None,
            found,
            states: HashMap::new(),
            computed: HashMap::new(),
            referred: HashMap::new(),
            heights: Vec::new(),
            depth: 0,
            alike: HashMap::new(),
            unknown: HashMap::new(),
        }
    }

    /// Adds the rate constant of the next reaction.
    pub fn reaction(&mut self, rate: &Part) {
        let expression = match tree::parse(&rate.text, 0) {
            Ok(tree) => self.rate(&tree, rate),
            Err(fault) => {
                self.found.push(fault.found(rate));
                Expression::Number(0.0)
            }
        };
        self.rates.push(expression);
    }

    fn rate(&mut self, tree: &Tree, part: &Part) -> Expression {
        let integers = &self.globals.integers;
        let expression = self.expression(tree, &Scope { part, variables: None, integers, library: false });
        if self.height(&expression) > DEEPEST {
            self.too_deep(part.span(tree.from, tree.to));
        }
        expression
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
                None => self.index(name, tree, scope).unwrap_or_else(|| Expression::Name(self.name(name, scope))),
            },
            Node::Apply(operator, parts) => {
                if !scope.library {
                    self.integers(*operator, parts, tree, scope);
                }
                let mut parts: Vec<Expression> = parts.iter().map(|part| self.expression(part, scope)).collect();
                let truth = |holds: bool| Expression::Number(f64::from(u8::from(holds)));
                match (operator, parts.as_mut_slice()) {
                    (Operator::Neg, [Expression::Number(value)]) => Expression::Number(-*value),
                    (Operator::Less, [Expression::Number(a), Expression::Number(b)]) => truth(*a < *b),
                    (Operator::LessEqual, [Expression::Number(a), Expression::Number(b)]) => truth(*a <= *b),
                    (Operator::Equal, [Expression::Number(a), Expression::Number(b)]) => truth(*a == *b),
                    _ => Expression::Apply(*operator, parts),
                }
            }
            Node::Call(name, arguments) => self.call(tree, name, arguments, scope),
        }
    }

    /// Warns of `1/3` and of `10**(-2)`, which are 0 in Fortran.
    fn integers(&mut self, operator: Operator, parts: &[Tree], tree: &Tree, scope: &Scope<'_>) {
        let [a, b] = parts else { return };
        if !self.is_integer(a, scope) || !self.is_integer(b, scope) {
            return;
        }
        let value = tree::constant(tree, &|_| None);
        let (message, help) = match operator {
            Operator::Div => ("an integer is divided by an integer", "write `1.0/3.0` to be clear"),
            Operator::Pow if matches!(b.node, Node::Apply(Operator::Neg, _)) => {
                ("an integer has a negative power", "write `10.0**(-2)` to be clear")
            }
            _ => return,
        };
        if value.is_some_and(|value| value.fract() == 0.0) {
            return;
        }
        let label =
            value.map_or_else(|| "computed with its fraction".to_owned(), |value| format!("computed as {value}"));
        let warning = Diagnostic::warning(codes::INTEGERS, message)
            .at(scope.part.span(a.from, b.to), label)
            .help(format!("in Fortran and C the fraction of the result is lost; {help}"));
        if !self.found.contains(&warning) {
            self.found.push(warning);
        }
    }

    /// Whether an expression is an integer in Fortran.
    fn is_integer(&self, tree: &Tree, scope: &Scope<'_>) -> bool {
        tree::is_integer(tree, &|node| match node {
            Node::Name(name) => {
                let lower = name.to_ascii_lowercase();
                let local = scope.variables.is_some_and(|all| all.contains_key(&lower));
                if local { scope.integers.contains(&lower) } else { self.globals.integers.contains(&lower) }
            }
            Node::Call(name, _) => intrinsic::is_whole(&name.to_ascii_lowercase()),
            _ => false,
        })
    }

    /// The index `ind_O3` of a species: 0 if it takes part in no reaction, as KPP has it with #DUMMYINDEX.
    fn index(&mut self, name: &str, tree: &Tree, scope: &Scope<'_>) -> Option<Expression> {
        let lower = name.to_ascii_lowercase();
        let species = species_of(&lower).filter(|_| !scope.variables.is_some_and(|all| all.contains_key(&lower)))?;
        let i = self.indexed(name.get(name.len() - species.len()..).unwrap_or(species), tree, scope)?;
        let used = self.used.get(i).copied().unwrap_or(false);
        Some(Expression::Number(if used { (i + 1) as f64 } else { 0.0 }))
    }

    /// The species of an index; reported if there is none.
    fn indexed(&mut self, species: &str, tree: &Tree, scope: &Scope<'_>) -> Option<usize> {
        let found = self.declared.find(species);
        if found.is_none() {
            let message = format!("species `{species}` is not declared");
            let error = Diagnostic::error(codes::UNKNOWN_SPECIES, message)
                .at(scope.part.span(tree.from, tree.to), "not declared")
                .help(did_you_mean(self.declared.nearest(species), "declare it in #DEFVAR or #DEFFIX"));
            if !self.found.contains(&error) {
                self.found.push(error);
            }
        }
        found
    }

    fn name(&mut self, name: &str, scope: &Scope<'_>) -> Name {
        let lower = name.to_ascii_lowercase();
        if let Some(&local) = scope.variables.and_then(|all| all.get(&lower)) {
            return Name::Local(local);
        }
        if lower == "temp" {
            return Name::Temperature;
        }
        if let Some(i) = self.declared.find(&lower).filter(|_| !self.variables.contains(&lower)) {
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
            if let Some(special) = self.special(&lower, arguments, tree, scope) {
                return special;
            }
            if let Some(operator) = intrinsic::of(&lower, arguments.len()) {
                // A second argument of REAL is the kind of number.
                let kind = matches!(operator, Intrinsic::Same | Intrinsic::First(_));
                let count = if kind { 1 } else { arguments.len() };
                let arguments = arguments[..count].iter().map(|a| self.expression(a, scope)).collect();
                return intrinsic::applied(operator, arguments);
            }
        }
        let public = |key: &(String, usize)| scope.library || !intrinsic::is_hidden(&key.0);
        let library = self.library.get(&key).filter(|_| public(&key));
        let Some(procedure) = own.or(library) else {
            if let Some(uptake) = self.uptake(name, arguments, tree, scope) {
                return uptake;
            }
            if !self.is_known(name, &lower, scope)
                && let Some(element) = self.element(name, arguments, scope)
            {
                self.tell_alike(name, &lower, scope.part.span(tree.from, tree.to));
                return element;
            }
            self.refuse(tree, name, &lower, arguments, scope);
            return Expression::Number(0.0);
        };
        let index = self.function(procedure, own.is_none(), tree, scope);
        let arguments = arguments.iter().map(|a| self.expression(a, scope)).collect();
        index.map_or(Expression::Number(0.0), |index| Expression::Call(index, arguments))
    }

    /// What looks like a function and is a quantity: a photolysis frequency `j(Pj_no2)`, `PHOTOL(3)`, the amount of
    /// a species `C(ind_O3)`, or the rate constant of an earlier reaction `RCONST(1)`.
    fn special(&mut self, name: &str, arguments: &[Tree], tree: &Tree, scope: &Scope<'_>) -> Option<Expression> {
        let [argument] = arguments else { return None };
        match (name, &argument.node) {
            (_, Node::Number(value, true)) if PHOTOLYSIS.contains(&name) => {
                let i = position(&mut self.photolysis, &value.to_string());
                Some(Expression::Name(Name::Photolysis(i)))
            }
            (_, Node::Name(of)) if PHOTOLYSIS.contains(&name) => {
                let lower = of.to_ascii_lowercase();
                let plain = ["pj_", "ip_", "j_"].iter().find_map(|before| lower.strip_prefix(before));
                let i = position(&mut self.photolysis, plain.unwrap_or(&lower));
                Some(Expression::Name(Name::Photolysis(i)))
            }
            ("c" | "var" | "fix" | "y", Node::Name(of)) => {
                let lower = of.to_ascii_lowercase();
                let species = species_of(&lower)?;
                match self.indexed(of.get(of.len() - species.len()..).unwrap_or(species), argument, scope) {
                    Some(i) => Some(Expression::Name(self.species(i))),
                    None => Some(Expression::Number(0.0)),
                }
            }
            ("rconst", Node::Number(value, true)) => {
                let known = (*value as usize).checked_sub(1).and_then(|i| self.earlier(i));
                if known.is_none() {
                    let message = format!("the rate constant RCONST({value}) is not known here");
                    let error = Diagnostic::error(codes::UNSUPPORTED, message)
                        .at(scope.part.span(tree.from, tree.to), format!("{} reactions precede", self.rates.len()))
                        .help("RCONST counts from 1, and names reactions further up");
                    self.found.push(error);
                }
                Some(known.unwrap_or(Expression::Number(0.0)))
            }
            _ => None,
        }
    }

    /// The element of an array of the host, `k_Trop(1)`, `xeff(i_NO)` or `HET(ind_N2O5,1)`: an input of this name. Anything but
    /// numbers and names of indices makes it a function.
    fn element(&mut self, name: &str, arguments: &[Tree], scope: &Scope<'_>) -> Option<Expression> {
        let index = |argument: &Tree| match &argument.node {
            Node::Number(value, true) => Some(value.to_string()),
            Node::Name(of) => self.is_index(of, scope).then(|| of.clone()),
            _ => None,
        };
        let all: Option<Vec<String>> = arguments.iter().map(index).collect();
        let element = format!("{name}({})", all.filter(|all| !all.is_empty())?.join(","));
        Some(Expression::Name(Name::Input(position(&mut self.inputs, &element))))
    }

    /// Whether a name is that of an index: an integer of the file, or one that stands for nothing else, as it begins.
    fn is_index(&self, name: &str, scope: &Scope<'_>) -> bool {
        let lower = name.to_ascii_lowercase();
        if scope.variables.is_some_and(|all| all.contains_key(&lower)) || self.declared.find(&lower).is_some() {
            return false;
        }
        self.globals.integers.contains(&lower)
            || !self.globals.assigned.contains(&lower) && INDEX.iter().any(|start| lower.starts_with(start))
    }
}

/// The species of an index in code: `ind_O3`, `indf_O2`, `KPP_O3`.
pub(super) fn species_of(index: &str) -> Option<&str> {
    ["ind_", "indf_", "kpp_"].iter().find_map(|before| index.strip_prefix(before))
}

/// The place of a name in a list, to which it is added if it is not there; upper and lower case are the same.
fn position(list: &mut Vec<String>, name: &str) -> usize {
    place_of(list, |known| known.eq_ignore_ascii_case(name), || name.to_owned())
}
