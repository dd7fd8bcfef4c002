//! Rate laws as expressions, in molecule/cm³, s, K and Pa.

use crate::network::{AVOGADRO, BOLTZMANN};
use crate::scheme::{Expression, Function, Name, Operator, Statement};
use crate::sums::place_of;

/// Molecules per cm³ in one mole per m³.
pub(super) const MOLECULES: f64 = 1e-6 * AVOGADRO;

/// A number.
pub(super) fn num(value: f64) -> Expression {
    Expression::Number(value)
}

fn two(operator: Operator, a: Expression, b: Expression) -> Expression {
    Expression::Apply(operator, vec![a, b])
}

/// A product; a factor of one is left out.
pub(super) fn mul(a: Expression, b: Expression) -> Expression {
    match (a, b) {
        (Expression::Number(x), Expression::Number(y)) => num(x * y),
        (Expression::Number(1.0), other) | (other, Expression::Number(1.0)) => other,
        (a, b) => two(Operator::Mul, a, b),
    }
}

fn add(a: Expression, b: Expression) -> Expression {
    two(Operator::Add, a, b)
}

fn div(a: Expression, b: Expression) -> Expression {
    two(Operator::Div, a, b)
}

/// A power.
pub(super) fn pow(a: Expression, b: f64) -> Expression {
    if b == 1.0 { a } else { two(Operator::Pow, a, num(b)) }
}

fn one(operator: Operator, a: Expression) -> Expression {
    Expression::Apply(operator, vec![a])
}

fn temperature() -> Expression {
    Expression::Name(Name::Temperature)
}

fn local(i: usize) -> Expression {
    Expression::Name(Name::Local(i))
}

/// Parameters of A exp(C/T) (T/D)^B (1 + E P).
#[derive(Clone, Copy)]
pub(super) struct Arrhenius {
    pub a: f64,
    pub b: f64,
    pub c: f64,
    pub d: f64,
    pub e: f64,
}

/// A exp(C/T) (T/D)^B (1 + E P), without the factors that are one.
pub(super) fn arrhenius(p: &Arrhenius, pressure: Option<Name>) -> Expression {
    let mut all = num(p.a);
    if p.c != 0.0 {
        all = mul(all, one(Operator::Exp, div(num(p.c), temperature())));
    }
    if p.b != 0.0 {
        all = mul(all, pow(div(temperature(), num(p.d)), p.b));
    }
    match pressure {
        Some(pressure) if p.e != 0.0 => mul(all, add(num(1.0), mul(num(p.e), Expression::Name(pressure)))),
        _ => all,
    }
}

/// c₀ + c₁ T + c₂ T² ...
pub(super) fn polynomial(coefficients: &[f64]) -> Expression {
    let mut rest = coefficients.iter().rev();
    let last = num(rest.next().copied().unwrap_or(0.0));
    rest.fold(last, |sum, &c| add(num(c), mul(temperature(), sum)))
}

/// A exp(−B/T + C/T³).
pub(super) fn tunneling(a: f64, b: f64, c: f64) -> Expression {
    if b == 0.0 && c == 0.0 {
        return num(a);
    }
    let cubic = div(num(c), pow(temperature(), 3.0));
    mul(num(a), one(Operator::Exp, add(div(num(-b), temperature()), cubic)))
}

/// What a particle of radius r takes up: 4π r² n / (r/D + 4/(γ v)), v = (8 R T/(π M))^½.
pub(super) fn surface(radius: Name, count: Name, diffusion: f64, weight: f64, probability: f64) -> Expression {
    let radius = || Expression::Name(radius);
    let pi = std::f64::consts::PI;
    let speed = one(Operator::Sqrt, mul(num(8.0 * BOLTZMANN * AVOGADRO / (pi * weight)), temperature()));
    let resistance = add(div(radius(), num(diffusion)), div(num(4.0 / probability), speed));
    div(mul(num(4.0 * pi), mul(Expression::Name(count), pow(radius(), 2.0))), resistance)
}

/// Functions that the laws call; those that are used become functions of the scheme.
#[derive(Default)]
pub(super) struct Library {
    /// Those that are used so far.
    pub functions: Vec<Function>,
}

impl Library {
    fn index(&mut self, name: &str, make: impl FnOnce() -> Function) -> usize {
        place_of(&mut self.functions, |known| known.name == name, make)
    }

    /// k₀/(1 + r) F^(N/(N + log₁₀² r)), r = k₀ m/k∞.
    pub fn falloff(&mut self, [k0, kinf, m, fc, n]: [Expression; 5]) -> Expression {
        let index = self.index("falloff", || {
            let (ratio, log) = (5, 6);
            let square = pow(local(log), 2.0);
            let power = div(local(4), add(local(4), square));
            let broadened = two(Operator::Pow, local(3), power);
            Function {
                name: "falloff".to_owned(),
                parameters: 5,
                variables: 8,
                body: vec![
                    Statement::Set(ratio, div(mul(local(0), local(2)), local(1))),
                    Statement::Set(log, one(Operator::Log10, local(ratio))),
                    Statement::Set(7, mul(div(local(0), add(num(1.0), local(ratio))), broadened)),
                ],
                result: 7,
            }
        });
        Expression::Call(index, vec![k0, kinf, m, fc, n])
    }

    /// a/(a + b).
    fn share(&mut self, a: Expression, b: Expression) -> Expression {
        let index = self.index("share", || Function {
            name: "share".to_owned(),
            parameters: 2,
            variables: 3,
            body: vec![Statement::Set(2, div(local(0), add(local(0), local(1))))],
            result: 2,
        });
        Expression::Call(index, vec![a, b])
    }

    /// f + k (1 − f/k∞): association f, and what is activated chemically.
    pub fn activated(&mut self, f: Expression, kinf: Expression, k: Expression) -> Expression {
        let index = self.index("activated", || {
            let rest = two(Operator::Sub, num(1.0), div(local(0), local(1)));
            Function {
                name: "activated".to_owned(),
                parameters: 3,
                variables: 4,
                body: vec![Statement::Set(3, add(local(0), mul(local(2), rest)))],
                result: 3,
            }
        });
        Expression::Call(index, vec![f, kinf, k])
    }

    /// Rate constants of the two branches of RO₂ + NO, alkoxy and nitrate, with A(T, \[M\]) of the yield of nitrate:
    /// X exp(−Y/T) z/(z + A) and X exp(−Y/T) A/(z + A), z = A(293, 2.45e19) (1 − a₀)/a₀.
    pub fn branched(&mut self, air: Name, x: f64, y: f64, a0: f64, n: f64) -> [Expression; 2] {
        let before = Arrhenius { a: x, b: 0.0, c: -y, d: 300.0, e: 0.0 };
        let z = mul(num((1.0 - a0) / a0), self.nitrate(n, num(293.0), num(2.45e19)));
        let own = self.nitrate(n, temperature(), Expression::Name(air));
        let alkoxy = self.share(z.clone(), own.clone());
        let nitrate = self.share(own, z);
        [alkoxy, nitrate].map(|share| mul(arrhenius(&before, None), share))
    }

    /// A(T, \[M\]) of a radical with n heavy atoms.
    fn nitrate(&mut self, n: f64, temperature: Expression, air: Expression) -> Expression {
        let low = mul(num(2e-22 * n.exp()), air);
        let high = mul(num(0.43), pow(div(temperature, num(298.0)), -8.0));
        self.falloff([low, high, num(1.0), num(0.41), num(1.0)])
    }
}
