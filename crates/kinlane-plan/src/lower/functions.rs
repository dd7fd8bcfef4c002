//! Functions of Fortran and C for which there is no operation, written with those that there are. Their relative errors are
//! below 1e-15, of sines and cosines as long as |x| is below 1e6.

use super::program::Writer;
use crate::plan::Operation as O;
use kinlane_mech::scheme::Operator;
use std::f64::consts::{FRAC_2_PI, FRAC_PI_2, PI};

/// π/2 in pieces of 33 bits: their products with numbers below 2²⁰ are exact (Cody and Waite 1980).
const HALF_PI: [f64; 3] = [
    f64::from_bits(0x3FF9_21FB_5440_0000),
    f64::from_bits(0x3DD0_B461_1A60_0000),
    f64::from_bits(0x3BA3_198A_2E03_7073),
];
/// Added and taken away again, it leaves the nearest whole number of one that is below 2⁵¹.
const WHOLE: f64 = 1.5 * (1u64 << 52) as f64;
/// From here on, all numbers are whole.
const LARGE: f64 = (1u64 << 51) as f64;

impl Writer<'_> {
    /// The value of such a function; `None` for another one, or for a wrong number of operands.
    pub(super) fn function(&mut self, function: Operator, of: &[usize]) -> Option<usize> {
        Some(match (function, of) {
            (Operator::Sin, &[x]) => self.sine(x, 0.0),
            (Operator::Cos, &[x]) => self.sine(x, 1.0),
            (Operator::Tan, &[x]) => {
                let (sine, cosine) = (self.sine(x, 0.0), self.sine(x, 1.0));
                self.value(O::Div(sine, cosine))
            }
            (Operator::Asin, &[x]) => {
                let square = self.one_minus_square(x);
                let root = self.value(O::Sqrt(square));
                let tangent = self.value(O::Div(x, root));
                self.arctangent(tangent)
            }
            (Operator::Acos, &[x]) => {
                let one = self.literal(1.0);
                let (less, more) = (self.value(O::Sub(one, x)), self.value(O::Add(one, x)));
                let ratio = self.value(O::Div(less, more));
                let tangent = self.value(O::Sqrt(ratio));
                let half = self.arctangent(tangent);
                self.value(O::Add(half, half))
            }
            (Operator::Atan, &[x]) => self.arctangent(x),
            (Operator::Atan2, &[y, x]) => self.angle(y, x),
            (Operator::Sinh, &[x]) => self.hyperbolic(x).0,
            (Operator::Cosh, &[x]) => self.hyperbolic(x).1,
            (Operator::Tanh, &[x]) => {
                // Beyond 20 it is one.
                let [least, most] = [-20.0, 20.0].map(|x| self.literal(x));
                let within = self.value(O::Min(x, most));
                let within = self.value(O::Max(within, least));
                let (sine, cosine) = self.hyperbolic(within);
                let tangent = self.value(O::Div(sine, cosine));
                // Limits are not those of what is no number.
                let is_number = self.value(O::LessEqual(x, x));
                self.value(O::Select(is_number, tangent, x))
            }
            (Operator::Floor, &[x]) => self.floor(x),
            (Operator::Ceiling, &[x]) => {
                let minus = self.value(O::Neg(x));
                let floor = self.floor(minus);
                self.value(O::Neg(floor))
            }
            (Operator::Truncate, &[x]) => self.truncate(x),
            (Operator::Round, &[x]) => self.round(x),
            (Operator::Remainder, &[a, b]) => {
                let ratio = self.value(O::Div(a, b));
                let whole = self.truncate(ratio);
                self.rest(a, b, whole)
            }
            (Operator::Modulo, &[a, b]) => {
                let ratio = self.value(O::Div(a, b));
                let whole = self.floor(ratio);
                self.rest(a, b, whole)
            }
            (Operator::Merge, &[a, b, condition]) => self.value(O::Select(condition, a, b)),
            _ => return None,
        })
    }

    /// a − b n. Where a is a multiple of b to rounding, it counts as one: MOD(1.0, 0.1) is 0.
    fn rest(&mut self, a: usize, b: usize, n: usize) -> usize {
        let whole = self.value(O::Mul(b, n));
        self.value(O::Sub(a, whole))
    }

    /// (1 − x)(1 + x).
    fn one_minus_square(&mut self, x: usize) -> usize {
        let one = self.literal(1.0);
        let (less, more) = (self.value(O::Sub(one, x)), self.value(O::Add(one, x)));
        self.value(O::Mul(less, more))
    }

    /// The nearest whole number, for |x| < 2⁵¹.
    pub(super) fn nearest(&mut self, x: usize) -> usize {
        let whole = self.literal(WHOLE);
        let sum = self.value(O::Add(x, whole));
        self.value(O::Sub(sum, whole))
    }

    fn floor(&mut self, x: usize) -> usize {
        let (nearest, [large, one, zero]) = (self.nearest(x), [LARGE, 1.0, 0.0].map(|x| self.literal(x)));
        let above = self.value(O::Less(x, nearest));
        let step = self.value(O::Select(above, one, zero));
        let floor = self.value(O::Sub(nearest, step));
        let size = self.value(O::Abs(x));
        let small = self.value(O::Less(size, large));
        self.value(O::Select(small, floor, x))
    }

    /// ⌊|x|⌋ with the sign of x.
    fn truncate(&mut self, x: usize) -> usize {
        let size = self.value(O::Abs(x));
        let floor = self.floor(size);
        self.signed(floor, x)
    }

    /// The same, one more from a half on. Half and |x| are not added: the sum may be rounded up.
    fn round(&mut self, x: usize) -> usize {
        let size = self.value(O::Abs(x));
        let floor = self.floor(size);
        let [half, one, zero] = [0.5, 1.0, 0.0].map(|x| self.literal(x));
        let rest = self.value(O::Sub(size, floor));
        let below = self.value(O::Less(rest, half));
        let step = self.value(O::Select(below, zero, one));
        let nearest = self.value(O::Add(floor, step));
        self.signed(nearest, x)
    }

    /// A number that is not below zero, with the sign of x.
    fn signed(&mut self, size: usize, x: usize) -> usize {
        let (zero, minus) = (self.literal(0.0), self.value(O::Neg(size)));
        let below = self.value(O::Less(x, zero));
        self.value(O::Select(below, minus, size))
    }

    /// Σ cᵢ xⁱ.
    fn series(&mut self, x: usize, coefficients: &[f64]) -> usize {
        let Some((last, others)) = coefficients.split_last() else { return self.literal(0.0) };
        let mut sum = self.literal(*last);
        for c in others.iter().rev() {
            let (product, c) = (self.value(O::Mul(sum, x)), self.literal(*c));
            sum = self.value(O::Add(product, c));
        }
        sum
    }

    /// x + x³ Σ cᵢ x²ⁱ: the small part is added to the exact one.
    fn odd(&mut self, x: usize, coefficients: &[f64]) -> usize {
        let square = self.value(O::Mul(x, x));
        let series = self.series(square, coefficients);
        let cube = self.value(O::Mul(square, x));
        let small = self.value(O::Mul(cube, series));
        self.value(O::Add(x, small))
    }

    /// sin(x + quarters π/2). With n quarters in x, what remains is at most π/4, where Taylor's series are short.
    fn sine(&mut self, x: usize, quarters: f64) -> usize {
        let per = self.literal(FRAC_2_PI);
        let turns = self.value(O::Mul(x, per));
        let n = self.nearest(turns);
        let mut r = x;
        for piece in HALF_PI {
            let piece = self.literal(piece);
            r = self.rest(r, piece, n);
        }
        let sine = self.odd(r, &taylor(3, -1.0));
        let square = self.value(O::Mul(r, r));
        let [one, half, two, four] = [1.0, 0.5, 2.0, 4.0].map(|x| self.literal(x));
        // cos r = (1 − r²/2) + r⁴ (1/4! − …)
        let series = self.series(square, &taylor(4, -1.0));
        let (fourth, halved) = (self.value(O::Mul(square, square)), self.value(O::Mul(square, half)));
        let (small, large) = (self.value(O::Mul(fourth, series)), self.value(O::Sub(one, halved)));
        let cosine = self.value(O::Add(large, small));
        let quarters = self.literal(quarters);
        let n = self.value(O::Add(n, quarters));
        let [parity, quadrant] = [two, four].map(|of| {
            let ratio = self.value(O::Div(n, of));
            let whole = self.floor(ratio);
            self.rest(n, of, whole)
        });
        let size = self.value(O::Select(parity, cosine, sine));
        let (below, minus) = (self.value(O::LessEqual(two, quadrant)), self.value(O::Neg(size)));
        self.value(O::Select(below, minus, size))
    }

    /// With tan 2a = 2 tan a/(1 − tan² a) the argument is brought below tan π/16, where the series is short.
    fn arctangent(&mut self, x: usize) -> usize {
        let [one, four, right] = [1.0, 4.0, FRAC_PI_2].map(|x| self.literal(x));
        let size = self.value(O::Abs(x));
        let (beyond, inverse) = (self.value(O::Less(one, size)), self.value(O::Div(one, size)));
        let mut t = self.value(O::Select(beyond, inverse, size));
        for _ in 0..2 {
            let square = self.value(O::Mul(t, t));
            let sum = self.value(O::Add(one, square));
            let root = self.value(O::Sqrt(sum));
            let below = self.value(O::Add(one, root));
            t = self.value(O::Div(t, below));
        }
        let coefficients: [f64; 12] = std::array::from_fn(|i| if i % 2 == 0 { -1.0 } else { 1.0 } / (2 * i + 3) as f64);
        let quarter = self.odd(t, &coefficients);
        let angle = self.value(O::Mul(four, quarter));
        let other = self.value(O::Sub(right, angle));
        let angle = self.value(O::Select(beyond, other, angle));
        self.signed(angle, x)
    }

    /// The angle of the point (x, y), from −π to π.
    fn angle(&mut self, y: usize, x: usize) -> usize {
        let [zero, pi, minus] = [0.0, PI, -PI].map(|x| self.literal(x));
        let ratio = self.value(O::Div(y, x));
        let right = self.arctangent(ratio);
        let (below, left) = (self.value(O::Less(y, zero)), self.value(O::Less(x, zero)));
        let turn = self.value(O::Select(below, minus, pi));
        let turned = self.value(O::Add(right, turn));
        let angle = self.value(O::Select(left, turned, right));
        let [a, b] = [x, y].map(|x| self.value(O::Abs(x)));
        let size = self.value(O::Add(a, b));
        let at_origin = self.value(O::LessEqual(size, zero));
        self.value(O::Select(at_origin, zero, angle))
    }

    /// sinh x and cosh x.
    fn hyperbolic(&mut self, x: usize) -> (usize, usize) {
        let (one, half) = (self.literal(1.0), self.literal(0.5));
        let minus = self.value(O::Neg(x));
        let (up, down) = (self.value(O::Exp(x)), self.value(O::Exp(minus)));
        let (sum, difference) = (self.value(O::Add(up, down)), self.value(O::Sub(up, down)));
        let (cosine, sine) = (self.value(O::Mul(half, sum)), self.value(O::Mul(half, difference)));
        let size = self.value(O::Abs(x));
        let (near, small) = (self.odd(x, &taylor(3, 1.0)), self.value(O::Less(size, one)));
        (self.value(O::Select(small, near, sine)), cosine)
    }
}

/// 1/n!, sign/(n + 2)!, 1/(n + 4)!, …, for sines from n = 3 and for cosines from n = 4; with the sign of the first one.
fn taylor(n: u32, sign: f64) -> [f64; 8] {
    let factorial = |n: u32| (1..=n).map(f64::from).product::<f64>();
    let first = if n == 3 { sign } else { 1.0 };
    std::array::from_fn(|i| first * if i % 2 == 0 { 1.0 } else { sign } / factorial(n + 2 * i as u32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Surroundings;
    use kinlane_mech::read::{ReadOptions, read_scheme_str};

    /// Computes values of functions of numbers.
    fn evaluator() -> impl Fn(Operator, &[f64]) -> f64 {
        let text = "#DEFVAR\nA = IGNORE;\n#EQUATIONS\nA = PROD : 1;";
        let scheme = read_scheme_str(("a.def", text), &ReadOptions::default()).unwrap();
        move |function, of| {
            let mut writer = Writer::new(&scheme, Surroundings::default());
            let of: Vec<usize> = of.iter().map(|x| writer.literal(*x)).collect();
            let result = writer.function(function, &of).unwrap();
            writer.number(result).unwrap()
        }
    }

    #[test]
    fn functions_of_one_number() {
        use Operator::*;
        type Exact = fn(f64) -> f64;
        let (value, all): (_, [(Operator, Exact); 13]) = (
            evaluator(),
            [
                (Sin, f64::sin),
                (Cos, f64::cos),
                (Tan, f64::tan),
                (Asin, f64::asin),
                (Acos, f64::acos),
                (Atan, f64::atan),
                (Sinh, f64::sinh),
                (Cosh, f64::cosh),
                (Tanh, f64::tanh),
                (Floor, f64::floor),
                (Ceiling, f64::ceil),
                (Truncate, f64::trunc),
                (Round, f64::round),
            ],
        );
        let sizes = (0..4000).map(|i| 1e-9 * 1.009_f64.powi(i)).take_while(|x| *x < 1e6);
        let more = [0.0, 0.5, 1.0, 1.5, 2.5, PI, FRAC_PI_2, 4.0 * PI, 1e5 * PI, 20.0, 45.0_f64.to_radians()];
        for (function, exact) in all {
            for x in sizes.clone().chain(more).flat_map(|x| [x, -x]) {
                let (got, want) = (value(function, &[x]), exact(x));
                let same = got == want || got.is_nan() && want.is_nan();
                assert!(same || (got - want).abs() <= 1e-15 * want.abs(), "{function:?} {x}: {got}, not {want}");
            }
        }
        for x in [1e300, -1e300, 4.6e15] {
            assert_eq!(value(Floor, &[x]), x);
        }
        assert!(value(Sin, &[f64::INFINITY]).is_nan() && value(Cos, &[f64::NAN]).is_nan());
        assert_eq!(value(Tanh, &[f64::INFINITY]), 1.0);
        assert!(
            value(Tanh, &[f64::NAN]).is_nan()
                && value(Atan2, &[f64::NAN, 1.0]).is_nan()
                && value(Atan2, &[1.0, f64::NAN]).is_nan()
        );
    }

    #[test]
    fn functions_of_several_numbers() {
        use Operator::*;
        let value = evaluator();
        for y in [-3.0, -1e-9, 0.0, 0.5, 7.0] {
            for x in [-2.0, -1e-7, 0.0, 0.25, 1e9] {
                let (got, want) = (value(Atan2, &[y, x]), f64::atan2(y, x));
                assert!((got - want).abs() <= 1e-15 * want.abs(), "{y}, {x}: {got}, not {want}");
            }
        }
        for a in [-7.5, -3.0, 0.0, 2.0, 7.25] {
            for b in [-2.0, 0.5, 3.0] {
                assert_eq!(value(Remainder, &[a, b]), a % b, "{a}, {b}");
                assert_eq!(value(Modulo, &[a, b]), a - b * (a / b).floor(), "{a}, {b}");
            }
        }
        assert_eq!([1.0, 0.0].map(|c| value(Merge, &[2.0, 3.0, c])), [2.0, 3.0]);
    }
}
