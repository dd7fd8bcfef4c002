//! What a recorded program computes with: literals, and nodes. What depends on literals alone is computed while recording.

use super::Recorder;
use crate::program::{Op, Operand};
use kinlane_plan::elementary::{self, Parts};
use kinlane_plan::machine::Real;
use kinlane_plan::precision::Precision;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number, an index or a mask of a recorded program.
#[derive(Debug, Clone, Copy)]
pub enum Value<'a, T> {
    /// Known while recording.
    Known(T),
    /// A node.
    Node(&'a Recorder, u32),
}

/// A literal as an operand.
pub trait Literal: Copy {
    /// The literal as an operand of a program.
    fn operand(self) -> Operand;
}
impl Literal for f64 {
    fn operand(self) -> Operand {
        Operand::Real(self.to_bits())
    }
}
impl Literal for usize {
    fn operand(self) -> Operand {
        Operand::Index(self)
    }
}
impl Literal for bool {
    fn operand(self) -> Operand {
        Operand::Mask(self)
    }
}

impl<'a, T: Literal> Value<'a, T> {
    pub(super) fn operand(self) -> Operand {
        match self {
            Self::Known(x) => x.operand(),
            Self::Node(_, id) => Operand::Node(id),
        }
    }

    pub(super) fn recorder(self) -> Option<&'a Recorder> {
        match self {
            Self::Known(_) => None,
            Self::Node(r, _) => Some(r),
        }
    }

    pub(super) fn unary<U>(self, op: Op, known: impl Fn(T) -> U) -> Value<'a, U> {
        match self {
            Self::Known(x) => Value::Known(known(x)),
            Self::Node(r, _) => r.node(op, [self.operand(), Operand::None, Operand::None]),
        }
    }

    pub(super) fn binary<U>(self, op: Op, o: Self, known: impl Fn(T, T) -> U) -> Value<'a, U> {
        match (self, o) {
            (Self::Known(a), Self::Known(b)) => Value::Known(known(a, b)),
            (Self::Node(r, _), _) | (_, Self::Node(r, _)) => r.node(op, [self.operand(), o.operand(), Operand::None]),
        }
    }
}

impl Add for Value<'_, usize> {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        match (self, o) {
            (x, Value::Known(0)) | (Value::Known(0), x) => x,
            _ => self.binary(Op::AddIndex, o, |a, b| a + b),
        }
    }
}
impl Add<usize> for Value<'_, usize> {
    type Output = Self;
    fn add(self, o: usize) -> Self {
        self + Value::Known(o)
    }
}
impl Mul<usize> for Value<'_, usize> {
    type Output = Self;
    fn mul(self, o: usize) -> Self {
        if o == 1 { self } else { self.binary(Op::MulIndex, Value::Known(o), |a, b| a * b) }
    }
}

impl Add for Value<'_, f64> {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        self.binary(Op::Add, o, |a, b| a + b)
    }
}
impl Sub for Value<'_, f64> {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        self.binary(Op::Sub, o, |a, b| a - b)
    }
}
impl Mul for Value<'_, f64> {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        self.binary(Op::Mul, o, |a, b| a * b)
    }
}
impl Div for Value<'_, f64> {
    type Output = Self;
    fn div(self, o: Self) -> Self {
        self.binary(Op::Div, o, |a, b| a / b)
    }
}
impl Neg for Value<'_, f64> {
    type Output = Self;
    fn neg(self) -> Self {
        self.unary(Op::Neg, |a| -a)
    }
}

impl<'a> Real for Value<'a, f64> {
    type Mask = Value<'a, bool>;

    fn lit(x: f64) -> Self {
        Value::Known(x)
    }
    fn mul_add(self, a: Self, b: Self) -> Self {
        match (self, a, b) {
            (Value::Known(x), Value::Known(a), Value::Known(b)) => Value::Known(x.mul_add(a, b)),
            (Value::Node(r, _), ..) | (_, Value::Node(r, _), _) | (.., Value::Node(r, _)) => {
                r.node(Op::MulAdd, [self.operand(), a.operand(), b.operand()])
            }
        }
    }
    fn sqrt(self) -> Self {
        self.unary(Op::Sqrt, f64::sqrt)
    }
    fn abs(self) -> Self {
        self.unary(Op::Abs, f64::abs)
    }
    fn max(self, o: Self) -> Self {
        self.binary(Op::Max, o, <f64 as Real>::max)
    }
    fn min(self, o: Self) -> Self {
        self.binary(Op::Min, o, <f64 as Real>::min)
    }
    fn exp_both(self) -> (Self, Self) {
        // Inlined, so its argument is not a parameter; it is split as a double.
        elementary::exp_both(self.wide())
    }
    fn wide(self) -> Self {
        match self {
            Value::Node(r, _) if r.placing.precision != Precision::F64 => self.unary(Op::Widen, |x| x),
            _ => self,
        }
    }
    fn exp(self) -> Self {
        let call = self.recorder().map_or(Op::Argument, |r| Op::Call(r.exponential()));
        self.unary(call, <f64 as Real>::exp)
    }
    fn ln(self) -> Self {
        let call = self.recorder().map_or(Op::Argument, |r| Op::Call(r.logarithm()));
        self.unary(call, <f64 as Real>::ln)
    }
    fn lt(self, o: Self) -> Self::Mask {
        self.binary(Op::Lt, o, |a, b| a < b)
    }
    fn le(self, o: Self) -> Self::Mask {
        self.binary(Op::Le, o, |a, b| a <= b)
    }
    fn select(mask: Self::Mask, a: Self, b: Self) -> Self {
        match mask {
            Value::Known(true) => a,
            Value::Known(false) => b,
            Value::Node(r, _) => r.node(Op::Select, [mask.operand(), a.operand(), b.operand()]),
        }
    }
    fn and(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        match (a, b) {
            (Value::Known(true), x) | (x, Value::Known(true)) => x,
            _ => a.binary(Op::And, b, |a, b| a && b),
        }
    }
    fn or(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        match (a, b) {
            (Value::Known(false), x) | (x, Value::Known(false)) => x,
            _ => a.binary(Op::Or, b, |a, b| a || b),
        }
    }
    fn not(a: Self::Mask) -> Self::Mask {
        a.unary(Op::Not, |a| !a)
    }
}

impl Parts for Value<'_, f64> {
    fn scale(self, n: Self) -> Self {
        self.binary(Op::Scale, n, Parts::scale)
    }
    fn split(self) -> (Self, Self) {
        (self.unary(Op::Mantissa, |x| x.split().0), self.unary(Op::Exponent, |x| x.split().1))
    }
    fn rough(self) -> Self {
        match self {
            Value::Node(r, _) if r.placing.precision != Precision::F64 => self.unary(Op::Narrow, |x| x),
            _ => self,
        }
    }
}
