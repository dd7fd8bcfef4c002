//! From the rate constants of a scheme to a [`RateProgram`]: functions are written out, equal values are computed once,
//! and what does not depend on a cell is computed here.

use crate::plan::{Instruction, Operation, RateProgram, Surroundings};
use crate::tables::Layout;
use kinlane_mech::scheme::{Expression, Field, Function, Name, Operator, Rate, Scheme, Statement};
use std::collections::HashMap;

/// Whole powers up to this are products of squares.
const SQUARES: f64 = 1e6;

impl RateProgram {
    /// The program for all rate constants of a scheme.
    pub fn new(scheme: &Scheme) -> Self {
        let mut at = Surroundings { density: 1, photolysis: 2, ..Surroundings::default() };
        at.further = at.photolysis + scheme.photolysis.len();
        at.species = at.further + scheme.inputs.len();
        at.fixed = at.species + scheme.species.len();
        let mut writer = Writer::new(scheme, at);
        // For each reaction its rate constant, and the same with fixed species.
        let mut results = Vec::new();
        for step in &scheme.reactions {
            let k = writer.rate(&step.rate);
            let mut effective = k;
            for &(fixed, order) in &step.fixed {
                let amount = writer.value(Operation::Input(at.fixed + fixed));
                let factor = writer.power(amount, order);
                effective = writer.value(Operation::Mul(effective, factor));
            }
            results.push([k, effective]);
        }
        let reactions = results.len();
        let (instructions, most) = place(&writer.values, &results);
        let mut layout = Layout::default();
        let inputs = layout.array(at.fixed + scheme.fixed.len());
        let values = layout.array(most);
        let (k, effective) = (layout.array(reactions), layout.array(reactions));
        let nuclear = scheme.field == Field::Star;
        Self { inputs, values, k, effective, len: layout.len(), instructions, nuclear, surroundings: at }
    }
}

/// Operations as keys of a map: literals by their bits.
type Key = (u8, [u64; 7]);

fn key(operation: &Operation) -> Key {
    use Operation as O;
    let of = |n: u8, operands: &[usize]| {
        let mut all = [0; 7];
        all.iter_mut().zip(operands).for_each(|(to, x)| *to = *x as u64);
        (n, all)
    };
    match operation {
        O::Literal(x) => (0, [x.to_bits(), 0, 0, 0, 0, 0, 0]),
        O::Input(i) => of(1, &[*i]),
        O::Add(a, b) => of(2, &[*a, *b]),
        O::Sub(a, b) => of(3, &[*a, *b]),
        O::Mul(a, b) => of(4, &[*a, *b]),
        O::Div(a, b) => of(5, &[*a, *b]),
        O::Neg(a) => of(6, &[*a]),
        O::Exp(a) => of(7, &[*a]),
        O::Ln(a) => of(8, &[*a]),
        O::Sqrt(a) => of(9, &[*a]),
        O::Abs(a) => of(10, &[*a]),
        O::Min(a, b) => of(11, &[*a, *b]),
        O::Max(a, b) => of(12, &[*a, *b]),
        O::Less(a, b) => of(13, &[*a, *b]),
        O::LessEqual(a, b) => of(14, &[*a, *b]),
        O::Select(a, b, c) => of(15, &[*a, *b, *c]),
        O::Reaclib(p) => (16, p.map(f64::to_bits)),
        O::Screening(a, b, [s, g]) => (17, [*a as u64, *b as u64, s.to_bits(), g.to_bits(), 0, 0, 0]),
    }
}

/// The values that an operation needs.
fn operands(operation: &Operation) -> impl Iterator<Item = usize> {
    use Operation as O;
    let list = match *operation {
        O::Literal(_) | O::Input(_) | O::Reaclib(_) => [None; 3],
        O::Neg(a) | O::Exp(a) | O::Ln(a) | O::Sqrt(a) | O::Abs(a) => [Some(a), None, None],
        O::Add(a, b) | O::Sub(a, b) | O::Mul(a, b) | O::Div(a, b) => [Some(a), Some(b), None],
        O::Min(a, b) | O::Max(a, b) | O::Less(a, b) | O::LessEqual(a, b) => [Some(a), Some(b), None],
        O::Screening(a, b, _) => [Some(a), Some(b), None],
        O::Select(a, b, c) => [Some(a), Some(b), Some(c)],
    };
    list.into_iter().flatten()
}

/// The same operation with other places of its operands.
fn moved(operation: Operation, to: impl Fn(usize) -> usize) -> Operation {
    use Operation as O;
    match operation {
        O::Literal(_) | O::Input(_) | O::Reaclib(_) => operation,
        O::Neg(a) => O::Neg(to(a)),
        O::Exp(a) => O::Exp(to(a)),
        O::Ln(a) => O::Ln(to(a)),
        O::Sqrt(a) => O::Sqrt(to(a)),
        O::Abs(a) => O::Abs(to(a)),
        O::Add(a, b) => O::Add(to(a), to(b)),
        O::Sub(a, b) => O::Sub(to(a), to(b)),
        O::Mul(a, b) => O::Mul(to(a), to(b)),
        O::Div(a, b) => O::Div(to(a), to(b)),
        O::Min(a, b) => O::Min(to(a), to(b)),
        O::Max(a, b) => O::Max(to(a), to(b)),
        O::Less(a, b) => O::Less(to(a), to(b)),
        O::LessEqual(a, b) => O::LessEqual(to(a), to(b)),
        O::Select(a, b, c) => O::Select(to(a), to(b), to(c)),
        O::Screening(a, b, nuclei) => O::Screening(to(a), to(b), nuclei),
    }
}

/// Instructions for all values, each in a place that is free when it is computed; and how many places there are.
fn place(values: &[Operation], results: &[[usize; 2]]) -> (Vec<Instruction>, usize) {
    // After the instruction of which value each value is no longer needed: results are stored at once.
    let mut last: Vec<usize> = (0..values.len()).collect();
    for (i, operation) in values.iter().enumerate() {
        operands(operation).for_each(|a| last[a] = i);
    }
    let mut ends = vec![Vec::new(); values.len()];
    last.iter().enumerate().for_each(|(value, &end)| ends[end].push(value));
    let mut stored: Vec<Vec<Instruction>> = vec![Vec::new(); values.len()];
    for (reaction, &[k, effective]) in results.iter().enumerate() {
        stored[k].push(Instruction::Constant { reaction, from: 0 });
        stored[effective].push(Instruction::Effective { reaction, from: 0 });
    }
    let (mut at, mut free, mut most) = (vec![0; values.len()], Vec::new(), 0);
    let mut all = Vec::new();
    for (i, operation) in values.iter().enumerate() {
        let of = moved(*operation, |a| at[a]);
        let to = free.pop().unwrap_or_else(|| {
            most += 1;
            most - 1
        });
        at[i] = to;
        all.push(Instruction::Set { to, of });
        all.extend(stored[i].iter().map(|store| match *store {
            Instruction::Constant { reaction, .. } => Instruction::Constant { reaction, from: to },
            Instruction::Effective { reaction, .. } => Instruction::Effective { reaction, from: to },
            other @ Instruction::Set { .. } => other,
        }));
        free.extend(ends[i].iter().map(|&value| at[value]));
    }
    (all, most)
}

/// Writes values, each once.
pub(super) struct Writer<'a> {
    pub(super) scheme: &'a Scheme,
    pub(super) at: Surroundings,
    values: Vec<Operation>,
    known: HashMap<Key, usize>,
    /// ln G of the scheme's partition functions, once one is needed.
    pub(super) partitions: Vec<Option<usize>>,
    /// Yₑ, once it is needed.
    pub(super) electrons: Option<usize>,
    /// Results of functions by their arguments: functions that call others twice would else take time that doubles with every level.
    computed: HashMap<(usize, Vec<usize>), usize>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(scheme: &'a Scheme, at: Surroundings) -> Self {
        let (values, known, partitions) = (Vec::new(), HashMap::new(), Vec::new());
        Self { scheme, at, values, known, partitions, electrons: None, computed: HashMap::new() }
    }
}

impl Writer<'_> {
    pub(super) fn value(&mut self, operation: Operation) -> usize {
        let operation = self.folded(operation);
        let next = self.values.len();
        let i = *self.known.entry(key(&operation)).or_insert(next);
        if i == next {
            self.values.push(operation);
        }
        i
    }

    pub(super) fn literal(&mut self, x: f64) -> usize {
        self.value(Operation::Literal(x))
    }

    /// The number that a value is in every cell, if it is the same in all.
    pub(super) fn number(&self, i: usize) -> Option<f64> {
        if let Some(Operation::Literal(x)) = self.values.get(i) { Some(*x) } else { None }
    }

    /// The operation, or its result where all operands are literals.
    fn folded(&self, operation: Operation) -> Operation {
        if let Operation::Select(c, a, b) = operation
            && let Some(c) = self.number(c)
        {
            return self.values[if c == 0.0 { b } else { a }];
        }
        if operands(&operation).any(|a| self.number(a).is_none()) {
            return operation;
        }
        operation.of(|a| self.number(a).unwrap_or(f64::NAN)).map_or(operation, Operation::Literal)
    }

    fn rate(&mut self, rate: &Rate) -> usize {
        match rate {
            Rate::Expression(e) => self.expression(e, &[]),
            Rate::Reaclib(rate) => self.reaclib(rate),
        }
    }

    /// xᵃ for a number a.
    pub(super) fn power(&mut self, x: usize, a: f64) -> usize {
        if let Some(x) = self.number(x) {
            return self.literal(x.powf(a));
        }
        if a.fract() == 0.0 && a.abs() <= SQUARES {
            let one = self.literal(1.0);
            let (mut product, mut square, mut left) = (None, x, a.abs() as u32);
            while left > 0 {
                if left % 2 == 1 {
                    product = Some(product.map_or(square, |p| self.value(Operation::Mul(p, square))));
                }
                left /= 2;
                if left > 0 {
                    square = self.value(Operation::Mul(square, square));
                }
            }
            let product = product.unwrap_or(one);
            return if a < 0.0 { self.value(Operation::Div(one, product)) } else { product };
        }
        let a = self.literal(a);
        let power = self.exponential(x, a);
        self.real_power(x, a, power)
    }

    /// xᵃ, where a may be another number in every cell: of a number below zero it is one if a is whole.
    fn any_power(&mut self, x: usize, a: usize) -> usize {
        if self.number(x).is_some_and(|x| x >= 0.0) {
            let power = self.exponential(x, a);
            return self.real_power(x, a, power);
        }
        let (size, zero, half, two) =
            (self.value(Operation::Abs(x)), self.literal(0.0), self.literal(0.5), self.literal(2.0));
        let of_size = self.exponential(size, a);
        let minus = self.value(Operation::Neg(of_size));
        let halves = self.value(Operation::Mul(half, a));
        let [nearest, pairs] = [a, halves].map(|a| self.nearest(a));
        let even = self.value(Operation::Mul(two, pairs));
        let [off, odd] = [nearest, even].map(|whole| {
            let difference = self.value(Operation::Sub(a, whole));
            self.value(Operation::Abs(difference))
        });
        let [broken, odd] = [off, odd].map(|difference| self.value(Operation::Less(zero, difference)));
        let whole = self.value(Operation::Select(odd, minus, of_size));
        let none = self.value(Operation::Ln(x));
        let below = self.value(Operation::Select(broken, none, whole));
        let is_below = self.value(Operation::Less(x, zero));
        let power = self.value(Operation::Select(is_below, below, of_size));
        self.real_power(x, a, power)
    }

    /// e^(a ln x).
    fn exponential(&mut self, x: usize, a: usize) -> usize {
        let ln = self.value(Operation::Ln(x));
        let exponent = self.value(Operation::Mul(a, ln));
        self.value(Operation::Exp(exponent))
    }

    /// `power`; where x is zero, 0, 1 or ∞ by the sign of a.
    fn real_power(&mut self, x: usize, a: usize, power: usize) -> usize {
        let [zero, one, infinity] = [0.0, 1.0, f64::INFINITY].map(|x| self.literal(x));
        let (above, below) = (self.value(Operation::Less(zero, a)), self.value(Operation::Less(a, zero)));
        let not_above = self.value(Operation::Select(below, infinity, one));
        let at_zero = self.value(Operation::Select(above, zero, not_above));
        // Not by x itself, which may be no number.
        let size = self.value(Operation::Abs(x));
        let is_zero = self.value(Operation::LessEqual(size, zero));
        self.value(Operation::Select(is_zero, at_zero, power))
    }

    fn expression(&mut self, e: &Expression, local: &[usize]) -> usize {
        match e {
            Expression::Number(x) => self.literal(*x),
            Expression::Name(name) => {
                let at = self.at;
                let input = match *name {
                    Name::Local(i) => return local[i],
                    Name::Temperature => at.temperature,
                    Name::Photolysis(i) => at.photolysis + i,
                    Name::Input(i) => at.further + i,
                    // Species below zero by noise are absent.
                    Name::Species(i) => {
                        let (amount, zero) = (self.value(Operation::Input(at.species + i)), self.literal(0.0));
                        return self.value(Operation::Max(amount, zero));
                    }
                    Name::Fixed(i) => at.fixed + i,
                };
                self.value(Operation::Input(input))
            }
            Expression::Apply(operator, operands) => {
                let operands: Vec<usize> = operands.iter().map(|e| self.expression(e, local)).collect();
                self.apply(*operator, &operands)
            }
            Expression::Call(function, arguments) => {
                let mut local: Vec<usize> = arguments.iter().map(|e| self.expression(e, local)).collect();
                let call = (*function, local.clone());
                // Of equal values it is equal everywhere.
                if let Some(&known) = self.computed.get(&call) {
                    return known;
                }
                let scheme = self.scheme;
                let Function { variables, body, result, .. } = &scheme.functions[*function];
                let zero = self.literal(0.0);
                local.resize(*variables, zero);
                self.run(body, &mut local);
                self.computed.insert(call, local[*result]);
                local[*result]
            }
        }
    }

    /// Runs statements; where a condition depends on the cell, all branches are written out, and what they set is selected.
    fn run(&mut self, body: &[Statement], local: &mut Vec<usize>) {
        for statement in body {
            match statement {
                Statement::Set(i, e) => local[*i] = self.expression(e, local),
                Statement::If(cases, otherwise) => self.cases(cases, otherwise, local),
            }
        }
    }

    fn cases(&mut self, cases: &[(Expression, Vec<Statement>)], otherwise: &[Statement], local: &mut Vec<usize>) {
        let mut arms = Vec::new();
        for (condition, body) in cases {
            let (condition, mut set) = (self.expression(condition, local), local.clone());
            self.run(body, &mut set);
            arms.push((condition, set));
        }
        self.run(otherwise, local);
        for (condition, set) in arms.into_iter().rev() {
            for (value, set) in local.iter_mut().zip(set) {
                if *value != set {
                    *value = self.value(Operation::Select(condition, set, *value));
                }
            }
        }
    }

    fn apply(&mut self, operator: Operator, of: &[usize]) -> usize {
        use Operation as O;
        let (zero, one) = (self.literal(0.0), self.literal(1.0));
        let least = |w: &mut Self, f: fn(usize, usize) -> Operation| {
            of.iter().copied().reduce(|a, b| w.value(f(a, b))).unwrap_or(zero)
        };
        match (operator, of) {
            (Operator::Add, &[a, b]) => self.value(O::Add(a, b)),
            (Operator::Sub, &[a, b]) => self.value(O::Sub(a, b)),
            (Operator::Mul, &[a, b]) => self.value(O::Mul(a, b)),
            (Operator::Div, &[a, b]) => self.value(O::Div(a, b)),
            (Operator::Pow, &[a, b]) => match self.number(b) {
                Some(power) => self.power(a, power),
                None => self.any_power(a, b),
            },
            (Operator::Neg, &[a]) => self.value(O::Neg(a)),
            (Operator::Exp, &[a]) => self.value(O::Exp(a)),
            (Operator::Ln, &[a]) => self.value(O::Ln(a)),
            (Operator::Log10, &[a]) => {
                let (ln, scale) = (self.value(O::Ln(a)), self.literal(std::f64::consts::LOG10_E));
                self.value(O::Mul(ln, scale))
            }
            (Operator::Sqrt, &[a]) => self.value(O::Sqrt(a)),
            (Operator::Abs, &[a]) => self.value(O::Abs(a)),
            (Operator::Min, _) => least(self, O::Min),
            (Operator::Max, _) => least(self, O::Max),
            (Operator::Less, &[a, b]) => self.value(O::Less(a, b)),
            (Operator::LessEqual, &[a, b]) => self.value(O::LessEqual(a, b)),
            (Operator::Equal, &[a, b]) => {
                let (up, down) = (self.value(O::LessEqual(a, b)), self.value(O::LessEqual(b, a)));
                self.value(O::Mul(up, down))
            }
            (Operator::And, &[a, b]) => {
                let b = self.value(O::Select(b, one, zero));
                self.value(O::Select(a, b, zero))
            }
            (Operator::Or, &[a, b]) => {
                let b = self.value(O::Select(b, one, zero));
                self.value(O::Select(a, one, b))
            }
            (Operator::Not, &[a]) => self.value(O::Select(a, zero, one)),
            _ => match self.function(operator, of) {
                Some(value) => value,
                // A wrong number of operands, which readers refuse.
                None => self.literal(f64::NAN),
            },
        }
    }
}
