//! Functions that Fortran and C have by themselves.

use crate::scheme::{Expression, Operator};

/// Whether a function of the library is only for others of it.
pub(super) fn is_hidden(name: &str) -> bool {
    ["blend", "nitrate", "tunnelled", "yield"].iter().any(|hidden| name.eq_ignore_ascii_case(hidden))
}

/// What a function of Fortran or C does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Intrinsic {
    /// An operator with so many operands as there are arguments.
    Operator(Operator),
    /// MIN or MAX of any number.
    Chain(Operator),
    /// The first argument itself.
    Same,
    /// An operator on the first argument; a second one is the kind of number.
    First(Operator),
    /// The size of the first argument with the sign of the second one.
    Sign,
    /// What the first argument has above the second one.
    Excess,
}

/// Names, least and largest number of arguments.
const TABLE: &[(&[&str], usize, usize, Intrinsic)] = &[
    (&["exp", "dexp", "expf"], 1, 1, Intrinsic::Operator(Operator::Exp)),
    (&["log", "dlog", "alog", "logf"], 1, 1, Intrinsic::Operator(Operator::Ln)),
    (&["log10", "dlog10", "alog10", "log10f"], 1, 1, Intrinsic::Operator(Operator::Log10)),
    (&["sqrt", "dsqrt", "sqrtf"], 1, 1, Intrinsic::Operator(Operator::Sqrt)),
    (&["abs", "dabs", "fabs", "fabsf", "iabs"], 1, 1, Intrinsic::Operator(Operator::Abs)),
    (&["pow", "powf"], 2, 2, Intrinsic::Operator(Operator::Pow)),
    (&["min", "dmin1", "amin1", "fmin", "min0"], 2, MOST, Intrinsic::Chain(Operator::Min)),
    (&["max", "dmax1", "amax1", "fmax", "max0"], 2, MOST, Intrinsic::Chain(Operator::Max)),
    (&["dble", "float", "dfloat"], 1, 1, Intrinsic::Same),
    (&["real"], 1, 2, Intrinsic::Same),
    (&["sign", "dsign"], 2, 2, Intrinsic::Sign),
    (&["dim", "ddim", "fdim"], 2, 2, Intrinsic::Excess),
    (&["sin", "dsin", "sinf"], 1, 1, Intrinsic::Operator(Operator::Sin)),
    (&["cos", "dcos", "cosf"], 1, 1, Intrinsic::Operator(Operator::Cos)),
    (&["tan", "dtan", "tanf"], 1, 1, Intrinsic::Operator(Operator::Tan)),
    (&["asin", "dasin"], 1, 1, Intrinsic::Operator(Operator::Asin)),
    (&["acos", "dacos"], 1, 1, Intrinsic::Operator(Operator::Acos)),
    (&["atan", "datan"], 1, 1, Intrinsic::Operator(Operator::Atan)),
    (&["atan2", "datan2"], 2, 2, Intrinsic::Operator(Operator::Atan2)),
    (&["sinh", "dsinh"], 1, 1, Intrinsic::Operator(Operator::Sinh)),
    (&["cosh", "dcosh"], 1, 1, Intrinsic::Operator(Operator::Cosh)),
    (&["tanh", "dtanh"], 1, 1, Intrinsic::Operator(Operator::Tanh)),
    (&["int", "aint", "dint", "ifix", "idint", "trunc"], 1, 2, Intrinsic::First(Operator::Truncate)),
    (&["nint", "anint", "dnint", "idnint", "round"], 1, 2, Intrinsic::First(Operator::Round)),
    (&["floor"], 1, 2, Intrinsic::First(Operator::Floor)),
    (&["ceiling", "ceil"], 1, 2, Intrinsic::First(Operator::Ceiling)),
    (&["mod", "dmod", "amod", "fmod"], 2, 2, Intrinsic::Operator(Operator::Remainder)),
    (&["modulo"], 2, 2, Intrinsic::Operator(Operator::Modulo)),
    (&["merge"], 3, 3, Intrinsic::Operator(Operator::Merge)),
];

/// Most arguments of MIN and MAX.
const MOST: usize = 16;

/// The function of a name in lower case with so many arguments.
pub(super) fn of(name: &str, arguments: usize) -> Option<Intrinsic> {
    let known = TABLE.iter().find(|(names, ..)| names.contains(&name))?;
    (known.1..=known.2).contains(&arguments).then_some(known.3)
}

/// Whether the result of a function is an integer in Fortran.
pub(super) fn is_whole(name: &str) -> bool {
    ["int", "ifix", "idint", "nint", "idnint", "floor", "ceiling"].contains(&name)
}

/// The numbers of arguments that a function takes.
pub(super) fn arguments(name: &str) -> impl Iterator<Item = usize> {
    let known = TABLE.iter().find(|(names, ..)| names.contains(&name));
    known.into_iter().flat_map(|known| known.1..=known.2.min(known.1 + 1))
}

/// The usual names of all functions.
pub(super) fn names<'a>() -> impl Iterator<Item = &'a str> {
    TABLE.iter().filter_map(|(names, ..)| names.first().copied())
}

/// A function applied to as many arguments as it takes.
pub(super) fn applied(function: Intrinsic, arguments: Vec<Expression>) -> Expression {
    let mut all = arguments.into_iter();
    let mut next = || all.next().unwrap_or(Expression::Number(0.0));
    match function {
        Intrinsic::Operator(operator) => {
            let first = next();
            let operands = std::iter::once(first).chain(all).collect();
            Expression::Apply(operator, operands)
        }
        Intrinsic::Chain(operator) => {
            let first = next();
            all.fold(first, |a, b| Expression::Apply(operator, vec![a, b]))
        }
        Intrinsic::Same => next(),
        Intrinsic::First(operator) => Expression::Apply(operator, vec![next()]),
        Intrinsic::Excess => {
            let more = Expression::Apply(Operator::Sub, vec![next(), next()]);
            Expression::Apply(Operator::Max, vec![more, Expression::Number(0.0)])
        }
        Intrinsic::Sign => {
            use Operator::{Abs, Less, Mul, Sub};
            let (size, of) = (next(), next());
            let number = Expression::Number;
            // |a| (1 - 2 [b < 0])
            let below = Expression::Apply(Less, vec![of, number(0.0)]);
            let twice = Expression::Apply(Mul, vec![number(2.0), below]);
            let sign = Expression::Apply(Sub, vec![number(1.0), twice]);
            Expression::Apply(Mul, vec![Expression::Apply(Abs, vec![size]), sign])
        }
    }
}
