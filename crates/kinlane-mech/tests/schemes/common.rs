//! Computes rate constants of a scheme, plainly, and checks what is said about texts.

use kinlane_mech::kpp::read_str;
use kinlane_mech::scheme::{Expression, Name, Operator, Part, Rate, Scheme, Statement};
use kinlane_mech::{Diagnostic, Refusal, Severity, Sources};
use std::collections::HashMap;

/// What rate constants depend on.
pub struct Cell {
    pub temperature: f64,
    pub photolysis: Vec<f64>,
    pub inputs: Vec<f64>,
    pub species: Vec<f64>,
    pub fixed: Vec<f64>,
}

impl Cell {
    /// 300 K, and something for everything else.
    pub fn of(scheme: &Scheme) -> Self {
        Self {
            temperature: 300.0,
            photolysis: vec![1e-3; scheme.photolysis.len()],
            inputs: scheme.inputs.iter().map(|(_, value)| value.unwrap_or(2.0)).collect(),
            species: vec![1e6; scheme.species.len()],
            fixed: vec![1e19; scheme.fixed.len()],
        }
    }
}

/// Every rate constant.
pub fn rate_constants(scheme: &Scheme, cell: &Cell) -> Vec<f64> {
    let of = |rate: &Rate| match rate {
        Rate::Expression(expression) => value(expression, scheme, cell, &[]),
        Rate::Reaclib(_) => panic!("not of an atmosphere"),
    };
    scheme.reactions.iter().map(|step| of(&step.rate)).collect()
}

fn value(expression: &Expression, scheme: &Scheme, cell: &Cell, locals: &[f64]) -> f64 {
    let all = |parts: &[Expression]| -> Vec<f64> { parts.iter().map(|p| value(p, scheme, cell, locals)).collect() };
    match expression {
        Expression::Number(value) => *value,
        Expression::Name(name) => match *name {
            Name::Temperature => cell.temperature,
            Name::Photolysis(i) => cell.photolysis[i],
            Name::Input(i) => cell.inputs[i],
            Name::Species(i) => cell.species[i],
            Name::Fixed(i) => cell.fixed[i],
            Name::Local(i) => locals[i],
        },
        Expression::Apply(operator, parts) => apply(*operator, &all(parts)),
        Expression::Call(index, parts) => {
            let function = &scheme.functions[*index];
            assert_eq!(parts.len(), function.parameters, "{}", function.name);
            let mut locals = all(parts);
            locals.resize(function.variables, 0.0);
            run(&function.body, scheme, cell, &mut locals);
            locals[function.result]
        }
    }
}

fn run(body: &[Statement], scheme: &Scheme, cell: &Cell, locals: &mut [f64]) {
    for statement in body {
        match statement {
            Statement::Set(variable, expression) => locals[*variable] = value(expression, scheme, cell, locals),
            Statement::If(arms, last) => {
                let holds = arms.iter().find(|(condition, _)| value(condition, scheme, cell, locals) != 0.0);
                run(holds.map_or(last, |(_, body)| body), scheme, cell, locals);
            }
        }
    }
}

fn apply(operator: Operator, x: &[f64]) -> f64 {
    use Operator::*;
    let truth = |holds: bool| f64::from(u8::from(holds));
    match (operator, x) {
        (Add, &[a, b]) => a + b,
        (Sub, &[a, b]) => a - b,
        (Mul, &[a, b]) => a * b,
        (Div, &[a, b]) => a / b,
        (Pow, &[a, b]) => a.powf(b),
        (Min, &[a, b]) => a.min(b),
        (Max, &[a, b]) => a.max(b),
        (Less, &[a, b]) => truth(a < b),
        (LessEqual, &[a, b]) => truth(a <= b),
        (Equal, &[a, b]) => truth(a == b),
        (And, &[a, b]) => truth(a != 0.0 && b != 0.0),
        (Or, &[a, b]) => truth(a != 0.0 || b != 0.0),
        (Not, &[a]) => truth(a == 0.0),
        (Neg, &[a]) => -a,
        (Exp, &[a]) => a.exp(),
        (Ln, &[a]) => a.ln(),
        (Log10, &[a]) => a.log10(),
        (Sqrt, &[a]) => a.sqrt(),
        (Abs, &[a]) => a.abs(),
        (Sin, &[a]) => a.sin(),
        (Cos, &[a]) => a.cos(),
        (Tan, &[a]) => a.tan(),
        (Asin, &[a]) => a.asin(),
        (Acos, &[a]) => a.acos(),
        (Atan, &[a]) => a.atan(),
        (Atan2, &[a, b]) => a.atan2(b),
        (Sinh, &[a]) => a.sinh(),
        (Cosh, &[a]) => a.cosh(),
        (Tanh, &[a]) => a.tanh(),
        (Floor, &[a]) => a.floor(),
        (Ceiling, &[a]) => a.ceil(),
        (Truncate, &[a]) => a.trunc(),
        (Round, &[a]) => a.round(),
        (Remainder, &[a, b]) => a % b,
        (Modulo, &[a, b]) => a - b * (a / b).floor(),
        (Merge, &[a, b, c]) => {
            if c != 0.0 {
                a
            } else {
                b
            }
        }
        _ => panic!("{operator:?} of {} operands", x.len()),
    }
}

/// Amounts by name in the order of a list.
pub fn amounts(list: &[Part], by_name: &HashMap<String, f64>) -> Vec<f64> {
    list.iter().map(|s| by_name.get(&s.name).copied().unwrap_or(0.0)).collect()
}

/// The codes of the errors in a refusal, and what they point at.
pub fn errors_of(refusal: &Refusal) -> Vec<(&'static str, String)> {
    let errors = refusal.diagnostics.iter().filter(|d| d.severity == Severity::Error);
    errors.map(|d| (d.code, d.labels.first().map_or("", |l| refusal.sources.text(l.0)).to_owned())).collect()
}

/// The errors in a text.
pub fn errors(text: &str) -> Vec<(&'static str, String)> {
    errors_of(&read_str(("test.def", text)).map(|_| ()).expect_err(text))
}

/// Reads a text of KPP; what comes of it is as it must be.
pub fn survives(text: &str) {
    if let Some(scheme) = survived(read_str(("test.def", text))) {
        rate_constants(&scheme, &Cell::of(&scheme));
    }
}

/// Renders what is said about a text, and checks that every place lies inside it; returns what was read.
pub fn survived(read: Result<Scheme, Refusal>) -> Option<Scheme> {
    let inside = |diagnostics: &[Diagnostic], sources: &Sources| {
        for (span, _) in diagnostics.iter().flat_map(|d| &d.labels) {
            let source = sources.get(*span).expect("a place lies in a source");
            assert!(source.text.get(span.start as usize..span.end as usize).is_some(), "{span:?}");
        }
    };
    match read {
        Ok(scheme) => {
            inside(&scheme.notes, &scheme.sources);
            Some(scheme)
        }
        Err(refusal) => {
            assert!(refusal.diagnostics.iter().any(|d| d.severity == Severity::Error));
            assert!(!refusal.to_string().is_empty());
            inside(&refusal.diagnostics, &refusal.sources);
            None
        }
    }
}

/// Every index is in its list, every function takes what it is called with, and every note has a place.
pub fn sound(scheme: &Scheme) {
    let cell = Cell::of(scheme);
    assert_eq!(rate_constants(scheme, &cell).len(), scheme.reactions.len());
    for step in &scheme.reactions {
        let all = step.reactants.iter().chain(&step.products);
        assert!(all.map(|t| t.0).all(|i| i < scheme.species.len()), "{}", step.label);
        assert!(step.fixed.iter().all(|t| t.0 < scheme.fixed.len()), "{}", step.label);
        assert!(!scheme.sources.text(step.at).is_empty() && !step.label.is_empty());
    }
    assert!(scheme.notes.iter().all(|n| n.labels.iter().all(|l| scheme.sources.get(l.0).is_some())));
}
