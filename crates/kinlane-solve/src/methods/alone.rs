//! Methods on the scalar machine, for cells that are advanced one by one.
//!
//! On the lanes a method and its problem are compiled into one program: there each costs what is written down and no more. That
//! takes minutes of a compiler's time for all methods, and on the scalar machine it is time for nothing. So here a problem is behind
//! a pointer, and the methods are compiled once, for all problems that there are.

use super::Stepper;
use super::problem::{Allowance, Equations, Invariants, Linear, Measure, Problem};
use kinlane_plan::Scalar;
use kinlane_plan::lu::Factors;
use kinlane_plan::machine::Array;
use kinlane_plan::number::{Complex, ComplexArray};
use std::cell::Cell;

type M<'m> = Scalar<'m, f64>;

impl Stepper {
    /// As [`Stepper::attempt`] on the scalar machine. The same bits, and a tenth of its size where it is called.
    pub fn attempt_alone<'m>(&self, m: M<'m>, p: impl Problem<M<'m>>) {
        self.attempt_behind(m, Behind(&Held(Cell::new(p))));
    }

    /// Not generic, hence compiled here and nowhere else.
    fn attempt_behind<'m>(&self, m: M<'m>, p: Behind<'_, 'm>) {
        self.attempt(m, p);
    }
}

/// A problem, with the rule for species below zero that was set last.
struct Held<P>(Cell<P>);

/// A problem behind a pointer.
#[derive(Clone, Copy)]
struct Behind<'a, 'm>(&'a dyn Functions<'m>);

/// Writes down which functions of a problem are reached through the pointer: those of [`Functions`], of a problem that is held,
/// and of the pointer.
macro_rules! behind {
    ($($part:ident { $(fn $name:ident($($arg:ident: $of:ty),*) $(-> $out:ty)?;)* $(+ $rest:item)* })*) => {
        /// [`Problem`] as an object.
        trait Functions<'m> {
            $($(fn $name(&self $(, $arg: $of)*) $(-> $out)?;)*)*
            fn admit(&self, m: M<'m>, atol: f64, admit: bool);
            fn norm(&self, m: M<'m>, y: Array, y1: Array, allowed: Allowance<f64>, e: &dyn Fn(usize) -> f64) -> f64;
            fn size(&self, m: M<'m>, y: Array, rtol: f64, atol: f64, e: &dyn Fn(usize) -> f64) -> f64;
        }

        impl<'m, P: Problem<M<'m>>> Functions<'m> for Held<P> {
            $($(fn $name(&self $(, $arg: $of)*) $(-> $out)? {
                self.0.get().$name($($arg),*)
            })*)*
            fn admit(&self, m: M<'m>, atol: f64, admit: bool) {
                self.0.set(self.0.get().admit_negative(m, atol, admit));
            }
            fn norm(&self, m: M<'m>, y: Array, y1: Array, allowed: Allowance<f64>, e: &dyn Fn(usize) -> f64) -> f64 {
                self.0.get().norm(m, y, y1, allowed, e)
            }
            fn size(&self, m: M<'m>, y: Array, rtol: f64, atol: f64, e: &dyn Fn(usize) -> f64) -> f64 {
                self.0.get().size(m, y, rtol, atol, e)
            }
        }

        $(impl<'m> $part<M<'m>> for Behind<'_, 'm> {
            $(fn $name(&self $(, $arg: $of)*) $(-> $out)? {
                self.0.$name($($arg),*)
            })*
            $($rest)*
        })*
    };
}

behind! {
    Equations {
        fn len() -> usize;
        fn rhs(m: M<'m>, y: Array, f: Array);
        fn split(m: M<'m>, y: Array, f: Array, q: Array, p: Array);
        fn begin(m: M<'m>, y: Array, atol: f64, span: f64);
        fn plausible(m: M<'m>, y: Array) -> bool;
        + fn admit_negative(self, m: M<'m>, atol: f64, admit: bool) -> Self {
            self.0.admit(m, atol, admit);
            self
        }
    }
    Linear {
        fn rhs_and_jacobian(m: M<'m>, y: Array, f: Array);
        fn factor(m: M<'m>, d: f64);
        fn grows(m: M<'m>, in_place: bool, y: Array, f: Array, d: f64) -> bool;
        fn outdated(m: M<'m>, y: Array) -> bool;
        fn solve(m: M<'m>, b: Array);
        fn factor_in_place(m: M<'m>, d: f64);
        fn solve_in_place(m: M<'m>, b: Array);
        fn factor_complex(m: M<'m>, factors: &Factors<ComplexArray>, d: Complex<f64>);
        fn solve_complex(m: M<'m>, factors: &Factors<ComplexArray>, b: ComplexArray);
        fn times(m: M<'m>, v: Array, product: Array);
        fn diagonal(m: M<'m>, diagonal: Array);
    }
    Measure {
        fn weights(m: M<'m>, y: Array, rtol: f64, atol: f64, weight: Array);
        + fn norm(&self, m: M<'m>, y: Array, y1: Array, allowed: Allowance<f64>, e: impl Fn(usize) -> f64) -> f64 {
            self.0.norm(m, y, y1, allowed, &e)
        }
        + fn size(&self, m: M<'m>, y: Array, rtol: f64, atol: f64, e: impl Fn(usize) -> f64) -> f64 {
            self.0.size(m, y, rtol, atol, &e)
        }
    }
    Invariants {
        fn restore_sums(m: M<'m>, y: Array, y1: Array, h: f64) -> f64;
        fn clip_noise(m: M<'m>, y: Array, f: Array, h: f64, atol: f64);
        fn remember(m: M<'m>, y: Array);
        fn energy_lost(m: M<'m>, y: Array, y1: Array, h: f64, rtol: f64) -> [f64; 2];
        fn energy_lacking(m: M<'m>, y1: Array, d: f64, which: bool, b: Array);
        fn keep(m: M<'m>, y: Array, h: f64, accepted: bool, corrected: bool);
    }
}
