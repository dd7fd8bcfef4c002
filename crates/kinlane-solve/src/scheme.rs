//! Rate constants of a reaction scheme in the surroundings of one cell.

use kinlane_mech::scheme::{Expression, Function, Name, Operator, Rate, Scheme, Statement};

/// What rate constants depend on, in one cell. Slices have the order of the scheme's lists.
#[derive(Debug, Clone, Copy, Default)]
pub struct Surroundings<'a> {
    /// T \[K\], or \[GK\] in a star.
    pub temperature: f64,
    /// Density of a star \[g/cm³\].
    pub density: f64,
    /// Photolysis frequencies \[1/s\].
    pub photolysis: &'a [f64],
    /// Further inputs.
    pub inputs: &'a [f64],
    /// Amounts of the species that evolve.
    pub species: &'a [f64],
    /// Amounts of the fixed ones.
    pub fixed: &'a [f64],
}

/// The rate constant of every reaction, as its file defines it, into `k`.
pub fn constants(scheme: &Scheme, at: &Surroundings<'_>, k: &mut [f64]) {
    let cell = Cell { scheme, at };
    let powers = Powers::new(at.temperature);
    for (step, k) in scheme.reactions.iter().zip(k) {
        *k = match &step.rate {
            Rate::Expression(e) => cell.evaluate(e, &[]),
            Rate::Reaclib { factor, density, p } => factor * at.density.powi(*density) * powers.exponential(p),
        };
    }
}

/// Multiplies rate constants by the amounts of fixed species, so that they are those of the species that evolve.
pub fn with_fixed(scheme: &Scheme, fixed: &[f64], k: &mut [f64]) {
    for (step, k) in scheme.reactions.iter().zip(k) {
        for &(i, order) in &step.fixed {
            *k *= if order == 1.0 { fixed[i] } else { fixed[i].powf(order) };
        }
    }
}

/// A number as an unevaluated sum of two, the second a rounding error of the first.
#[derive(Debug, Clone, Copy)]
struct Double([f64; 2]);

/// The functions of T9 that a rate of REACLIB depends on, to twice the digits. Terms of some thousand cancel in the
/// exponents of steep rates; in plain numbers 3e-12 of the rate would be lost.
struct Powers([Double; 6]);

impl Powers {
    fn new(t9: f64) -> Self {
        let whole = Double([t9, 0.0]);
        let third = cube_root(t9);
        let ln = t9.ln();
        // ln T9 = l + (T9 e^{−l} − 1), of which the last is a rounding error.
        let ln = Double([ln, (-ln).exp().mul_add(t9, -1.0)]);
        Self([whole.recip(), third.recip(), third, whole, whole.times(third).times(third), ln])
    }

    /// exp(p₀ + p₁/T₉ + p₂/T₉^⅓ + p₃ T₉^⅓ + p₄ T₉ + p₅ T₉^5⁄3 + p₆ ln T₉)
    fn exponential(&self, p: &[f64; 7]) -> f64 {
        let (mut sum, mut error) = (p[0], 0.0);
        for (&p, Double([x, rest])) in p[1..].iter().zip(self.0) {
            let term = p * x;
            let next = sum + term;
            let part = next - sum;
            // What was lost of the sum, and of the product.
            error += (sum - (next - part)) + (term - part) + p.mul_add(x, -term) + p * rest;
            sum = next;
        }
        let x = sum.exp();
        error.mul_add(x, x)
    }
}

impl Double {
    fn times(self, other: Self) -> Self {
        let Self([a, b]) = self;
        let Self([c, d]) = other;
        let x = a * c;
        Self([x, a.mul_add(c, -x) + a * d + b * c])
    }

    fn recip(self) -> Self {
        let Self([a, b]) = self;
        let x = 1.0 / a;
        Self([x, x * ((-x).mul_add(a, 1.0) - x * b)])
    }
}

fn cube_root(t: f64) -> Double {
    let x = t.cbrt();
    let Double([cube, rest]) = Double([x, 0.0]).times(Double([x, 0.0])).times(Double([x, 0.0]));
    Double([x, ((t - cube) - rest) / (3.0 * x * x)])
}

/// One cell with its scheme.
#[derive(Clone, Copy)]
struct Cell<'a> {
    scheme: &'a Scheme,
    at: &'a Surroundings<'a>,
}

impl Cell<'_> {
    fn evaluate(self, e: &Expression, local: &[f64]) -> f64 {
        match e {
            Expression::Number(x) => *x,
            Expression::Name(name) => self.name(*name, local),
            Expression::Apply(operator, operands) => self.apply(*operator, operands, local),
            Expression::Call(function, arguments) => {
                let arguments = arguments.iter().map(|a| self.evaluate(a, local));
                self.scheme.functions.get(*function).map_or(f64::NAN, |f| self.call(f, arguments))
            }
        }
    }

    fn name(self, name: Name, local: &[f64]) -> f64 {
        let at = self.at;
        let found = match name {
            Name::Temperature => Some(&at.temperature),
            Name::Photolysis(i) => at.photolysis.get(i),
            Name::Input(i) => at.inputs.get(i),
            Name::Species(i) => at.species.get(i),
            Name::Fixed(i) => at.fixed.get(i),
            Name::Local(i) => local.get(i),
        };
        found.copied().unwrap_or(f64::NAN)
    }

    fn call(self, f: &Function, arguments: impl Iterator<Item = f64>) -> f64 {
        let mut local: Vec<f64> = arguments.take(f.parameters).collect();
        local.resize(f.variables, 0.0);
        self.run(&f.body, &mut local);
        local.get(f.result).copied().unwrap_or(f64::NAN)
    }

    fn run(self, body: &[Statement], local: &mut [f64]) {
        for statement in body {
            match statement {
                Statement::Set(i, e) => {
                    let x = self.evaluate(e, local);
                    if let Some(to) = local.get_mut(*i) {
                        *to = x;
                    }
                }
                Statement::If(cases, otherwise) => {
                    let holds = cases.iter().find(|(condition, _)| self.evaluate(condition, local) != 0.0);
                    self.run(holds.map_or(otherwise, |(_, body)| body), local);
                }
            }
        }
    }

    fn apply(self, operator: Operator, operands: &[Expression], local: &[f64]) -> f64 {
        let of = |i: usize| operands.get(i).map_or(f64::NAN, |e| self.evaluate(e, local));
        let rest = || operands.iter().map(|e| self.evaluate(e, local));
        let truth = |holds: bool| if holds { 1.0 } else { 0.0 };
        match operator {
            Operator::Add => of(0) + of(1),
            Operator::Sub => of(0) - of(1),
            Operator::Mul => of(0) * of(1),
            Operator::Div => of(0) / of(1),
            Operator::Pow => power(of(0), of(1)),
            Operator::Neg => -of(0),
            Operator::Exp => of(0).exp(),
            Operator::Ln => of(0).ln(),
            Operator::Log10 => of(0).log10(),
            Operator::Sqrt => of(0).sqrt(),
            Operator::Abs => of(0).abs(),
            Operator::Min => rest().fold(f64::INFINITY, f64::min),
            Operator::Max => rest().fold(f64::NEG_INFINITY, f64::max),
            Operator::Less => truth(of(0) < of(1)),
            Operator::LessEqual => truth(of(0) <= of(1)),
            Operator::Equal => truth(of(0) == of(1)),
            Operator::And => truth(of(0) != 0.0 && of(1) != 0.0),
            Operator::Or => truth(of(0) != 0.0 || of(1) != 0.0),
            Operator::Not => truth(of(0) == 0.0),
        }
    }
}

/// xᵃ; whole powers by multiplication, which also take a negative x.
fn power(x: f64, a: f64) -> f64 {
    if a.fract() == 0.0 && a.abs() <= 32.0 { x.powi(a as i32) } else { x.powf(a) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_have_twice_the_digits() {
        // Cube roots of 0.9 and 7: what is left of x³ − t is far below the rounding of x³.
        for t in [0.9, 7.0, 1e-2] {
            let root = cube_root(t);
            let Double([cube, rest]) = root.times(root).times(root);
            assert!((cube - t + rest).abs() < 1e-30_f64.max(t * 1e-31), "{t}: {:e}", cube - t + rest);
        }
        // −4e6/2 + 1e6 · 2 = 0; a plain sum would lose half of the digits of 0.1.
        let p = [0.1, 0.0, -4e6, 1e6, 0.0, 0.0, 0.0];
        let [got, want] = [Powers::new(8.0).exponential(&p), 0.1_f64.exp()];
        assert!((got - want).abs() < 1e-15, "{got} {want}");
    }

    #[test]
    fn whole_powers_take_negative_numbers() {
        assert_eq!(power(-2.0, 3.0), -8.0);
        assert_eq!(power(2.0, -1.0), 0.5);
        assert_eq!(power(4.0, 0.5), 2.0);
    }
}
