//! Dual numbers against central differences, for every operation of a machine's numbers.

use kinlane_plan::{Dual, Real};

/// Each operation as a function of one number; points where it is smooth.
type Operation = (&'static str, fn(Dual<f64>) -> Dual<f64>, fn(f64) -> f64, &'static [f64]);

macro_rules! operation {
    ($name:literal, $x:ident, $e:expr, $points:expr) => {
        (
            $name,
            |$x: Dual<f64>| {
                type N = Dual<f64>;
                let _ = N::lit(0.0);
                $e
            },
            |$x: f64| {
                type N = f64;
                let _ = <N as Real>::lit(0.0);
                $e
            },
            &$points,
        )
    };
}

fn lit<R: Real>(_: R, x: f64) -> R {
    R::lit(x)
}

#[test]
fn every_operation_has_the_slope_of_its_differences() {
    let all: [Operation; 12] = [
        operation!("+", x, x + lit(x, 3.0) + x, [0.0, -2.0, 5.0]),
        operation!("-", x, lit(x, 1.0) - x, [0.0, -2.0, 5.0]),
        operation!("*", x, x * x * lit(x, 0.5), [0.0, -2.0, 5.0]),
        operation!("/", x, (x + lit(x, 1.0)) / (x * x), [-2.0, 0.7, 5.0]),
        operation!("neg", x, -x * x, [-2.0, 0.7]),
        operation!("mul_add", x, Real::mul_add(x, x + lit(x, 2.0), x * lit(x, 3.0)), [-2.0, 0.7]),
        operation!("sqrt", x, Real::sqrt(x), [0.3, 7.0]),
        operation!("abs", x, Real::abs(x) * x, [-2.0, 3.0]),
        operation!("max", x, Real::max(x * x, x), [-1.0, 0.5, 2.0]),
        operation!("min", x, Real::min(x * x, x), [-1.0, 0.5, 2.0]),
        operation!("exp", x, Real::exp(x * lit(x, -2.0)), [-3.0, 0.0, 4.0]),
        operation!("ln", x, Real::ln(x * x + lit(x, 1.0)), [-3.0, 0.1, 4.0]),
    ];
    for (name, dual, plain, points) in all {
        for &x in points {
            let got = dual(Dual { v: x, d: 1.0 });
            assert_eq!(got.v, plain(x), "{name} at {x}");
            let h = 1e-5;
            let slope = (plain(x + h) - plain(x - h)) / (2.0 * h);
            assert!((got.d - slope).abs() < 1e-7 * (1.0 + slope.abs()), "{name} at {x}: {} is not {slope}", got.d);
        }
    }
}

#[test]
fn a_vanished_exponential_has_no_slope() {
    let x = Dual { v: -1e6, d: 1e300 } * Dual::lit(1e10);
    assert_eq!(Real::exp(x), Dual { v: 0.0, d: 0.0 });
}
