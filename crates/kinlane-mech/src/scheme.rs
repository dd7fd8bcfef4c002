//! The model of a reaction scheme: mass action whose rate constants depend on a cell's surroundings (temperature,
//! light, air, density), not on thermodynamics. The chemistry of an atmosphere and the burning of a star are such
//! schemes; gas-phase mechanisms are in `network.rs`.
//!
//! ```text
//! dC_i/dt = Σ_r ν_ir k_r Π C_j^{o_rj} Π F_j^{o_rj}     F: species that are fixed
//! ```
//!
//! Rate constants are in the units of the file: molecule, cm³ and s for an atmosphere; mol, g, cm³ and s for a star.

use crate::read::stem;
use crate::screening::{Nucleus, Screening};
use crate::{Diagnostic, Sources, Span};
use std::path::Path;

/// What a scheme describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// An atmosphere: number densities \[molecule/cm³\] at given T.
    Atmosphere,
    /// A star: abundances \[mol/g\] at given temperature \[GK\] and density \[g/cm³\].
    Star,
}

/// Species, reactions and rate constants.
#[derive(Debug, Clone)]
pub struct Scheme {
    /// The file's stem.
    pub name: String,
    /// The texts that were read.
    pub sources: Sources,
    /// What it describes.
    pub field: Field,
    /// Species that evolve, in the order of the file.
    pub species: Vec<Part>,
    /// Species that enter rates but do not change.
    pub fixed: Vec<Part>,
    /// Reactions, in file order.
    pub reactions: Vec<Step>,
    /// Functions that rate constants call.
    pub functions: Vec<Function>,
    /// Names of photolysis frequencies \[1/s\] that rate constants use.
    pub photolysis: Vec<String>,
    /// Further names that rate constants use, such as `SUN`: each with the value that the file gives it, if any.
    pub inputs: Vec<(String, Option<f64>)>,
    /// Those of them, by number, that are rate constants of uptake on aerosols and clouds, which the host knows: \[1/s\], or
    /// \[cm³/s\] with a second reactant.
    pub uptakes: Vec<usize>,
    /// Partition functions that reverse rates are multiplied by.
    pub partitions: Vec<Partition>,
    /// How rates between charged nuclei are enhanced, if they are.
    pub screening: Option<Screening>,
    /// What the file says of a run.
    pub run: Run,
    /// What the file sets in the course of a run, by time; if it sets anything at all, the first is the beginning.
    pub moments: Vec<Moment>,
    /// Warnings, and repairs that the reader has made. Never errors.
    pub notes: Vec<Diagnostic>,
}

impl Scheme {
    /// One without species and reactions so far, with the name of its file.
    pub(crate) fn new(path: &Path, field: Field, sources: Sources) -> Self {
        Self {
            name: stem(path),
            sources,
            field,
            species: Vec::new(),
            fixed: Vec::new(),
            reactions: Vec::new(),
            functions: Vec::new(),
            photolysis: Vec::new(),
            inputs: Vec::new(),
            uptakes: Vec::new(),
            partitions: Vec::new(),
            screening: None,
            run: Run::default(),
            moments: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Adds declared species, each with whether it is fixed and whether it is used: fixed ones, and of the others those
    /// that are used. Reactions and functions, which count species as declared, get their places in the two lists.
    pub(crate) fn declare(&mut self, all: impl Iterator<Item = (Part, bool, bool)>) {
        let mut places = Vec::new();
        for (part, fixed, used) in all {
            let list = if fixed { &mut self.fixed } else { &mut self.species };
            places.push(list.len());
            if fixed || used {
                list.push(part);
            }
        }
        let settle = |i: &mut usize| *i = places.get(*i).copied().unwrap_or(0);
        for step in &mut self.reactions {
            let sides = step.reactants.iter_mut().chain(&mut step.products).chain(&mut step.fixed);
            sides.for_each(|(i, _)| settle(i));
        }
        self.each_name(&mut |name| {
            if let Name::Species(i) | Name::Fixed(i) = name {
                settle(i);
            }
        });
    }

    /// Visits every name in rate constants and functions.
    pub(crate) fn each_name(&mut self, visit: &mut impl FnMut(&mut Name)) {
        for step in &mut self.reactions {
            if let Rate::Expression(expression) = &mut step.rate {
                expression.each_name(visit);
            }
        }
        for statement in self.functions.iter_mut().flat_map(|function| &mut function.body) {
            statement.each_name(visit);
        }
    }
}

/// The run for which a file is made, as far as it says.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Run {
    /// When it begins \[s\], counted from midnight.
    pub start: Option<f64>,
    /// How long it lasts \[s\].
    pub length: Option<f64>,
    /// Time between two outputs \[s\].
    pub step: Option<f64>,
    /// T \[K\].
    pub temperature: Option<f64>,
}

/// What is set at a time of a run. All but amounts of species that evolve stays until it is set again.
#[derive(Debug, Clone, PartialEq)]
pub struct Moment {
    /// The time from the beginning \[s\].
    pub t: f64,
    /// Quantities, each once.
    pub set: Vec<Change>,
}

/// A quantity that is given a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change {
    /// Which.
    pub what: Quantity,
    /// Its value.
    pub value: f64,
    /// Whether that is a part of the air.
    pub of_air: bool,
}

/// A quantity of a cell; numbers are indices of the lists of a [`Scheme`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// T \[K\].
    Temperature,
    /// The pressure of the air \[Pa\], from which its density follows.
    Pressure,
    /// The amount of a species that evolves.
    Species(usize),
    /// The amount of a fixed species.
    Fixed(usize),
    /// A photolysis frequency \[1/s\].
    Photolysis(usize),
    /// A further input.
    Input(usize),
}

/// The input that is the number density of the air \[molecule/cm³\].
pub const AIR: &str = "C_M";

/// Whether the input of that name is a density, a pressure, a size or a frequency of loss, none of which is below zero.
pub fn is_never_negative(input: &str) -> bool {
    [AIR, "C_H2O", "PRESSURE"].contains(&input) || ["LOSS.", "SURF."].iter().any(|kind| input.starts_with(kind))
}

/// A species of a scheme.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// Name as the file declares it.
    pub name: String,
    /// Its weight in the sum that reactions conserve: the mass number of a nuclide, one where nothing is known.
    pub weight: f64,
    /// Number of protons of a nuclide; zero where nothing is known.
    pub charge: f64,
    /// Mass excess of the atom of a nuclide \[MeV\], if it is known.
    pub excess: Option<f64>,
    /// Its amount at the beginning, as far as the file says one; else zero.
    pub initial: f64,
    /// Whether it is a third body, of which there is as much as air where nothing else is said.
    pub third_body: bool,
    /// Where it is declared.
    pub at: Span,
}

impl Part {
    /// One of which nothing but its name is known.
    pub(crate) fn new(name: &str, at: Span) -> Self {
        Self { name: name.to_owned(), weight: 1.0, charge: 0.0, excess: None, initial: 0.0, third_body: false, at }
    }
}

/// One reaction.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Its tag, or the equation as written.
    pub label: String,
    /// (species, order and number consumed), merged.
    pub reactants: Vec<(usize, f64)>,
    /// (species, number made), merged; numbers may be fractions, or negative.
    pub products: Vec<(usize, f64)>,
    /// (fixed species, order).
    pub fixed: Vec<(usize, f64)>,
    /// The rate constant.
    pub rate: Rate,
    /// Where it is.
    pub at: Span,
}

/// How a rate constant depends on a cell's surroundings.
#[derive(Debug, Clone, PartialEq)]
pub enum Rate {
    /// An expression.
    Expression(Expression),
    /// A thermonuclear rate.
    Reaclib(Reaclib),
}

/// A rate as REACLIB has it, with the partition functions G of a reverse rate, and screening:
///
/// ```text
/// factor ρⁿ (ρ Yₑ) Π Gᵐ Π f Σ exp(p₀ + p₁/T₉ + p₂/T₉^⅓ + p₃ T₉^⅓ + p₄ T₉ + p₅ T₉^5⁄3 + p₆ ln T₉)
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Reaclib {
    /// One over the product of the factorials of numbers of identical reactants.
    pub factor: f64,
    /// Power n of the density \[g/cm³\]: one less than the number of reactants.
    pub density: i32,
    /// p₀ to p₆ of each set.
    pub sets: Vec<[f64; 7]>,
    /// Whether an electron is captured: then ρ Yₑ is a factor, with the abundance Yₑ \[mol/g\] of electrons, which is
    /// that of protons in all nuclides.
    pub capture: bool,
    /// (index in [`Scheme::partitions`], power m)
    pub partitions: Vec<(usize, i32)>,
    /// Pairs of nuclei that meet, each with its factor f by [`Scheme::screening`]; empty where nothing is screened.
    pub pairs: Vec<[Nucleus; 2]>,
}

/// The partition function G of a nuclide, relative to its ground state. ln G is linear in T₉ between the points, and
/// constant beyond them.
#[derive(Debug, Clone, PartialEq)]
pub struct Partition {
    /// T₉ \[GK\], ascending.
    pub t9: Vec<f64>,
    /// ln G at each.
    pub ln_g: Vec<f64>,
}

/// An expression of numbers; comparisons give 1 or 0.
#[derive(Debug, Clone, PartialEq)]
pub enum Expression {
    /// A literal.
    Number(f64),
    /// A quantity of the cell, or a variable of a function.
    Name(Name),
    /// An operator or an intrinsic function, with as many operands as it takes.
    Apply(Operator, Vec<Expression>),
    /// A function of [`Scheme::functions`] by index, with as many arguments as it has parameters.
    Call(usize, Vec<Expression>),
}

impl Expression {
    fn each_name(&mut self, visit: &mut impl FnMut(&mut Name)) {
        match self {
            Self::Number(_) => {}
            Self::Name(name) => visit(name),
            Self::Apply(_, parts) | Self::Call(_, parts) => parts.iter_mut().for_each(|part| part.each_name(visit)),
        }
    }
}

/// What a name in an expression stands for; numbers are indices of the lists of a [`Scheme`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Name {
    /// T \[K\].
    Temperature,
    /// A photolysis frequency.
    Photolysis(usize),
    /// A further input.
    Input(usize),
    /// The amount of a species, when the rate constant is computed.
    Species(usize),
    /// The amount of a fixed species.
    Fixed(usize),
    /// A variable of the function: first its parameters, then the others.
    Local(usize),
}

/// Operators and intrinsic functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "they have their usual names")]
pub enum Operator {
    Add,
    Sub,
    Mul,
    Div,
    Pow,
    Neg,
    Exp,
    Ln,
    Log10,
    Sqrt,
    Abs,
    Min,
    Max,
    Less,
    LessEqual,
    Equal,
    And,
    Or,
    Not,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Atan2,
    Sinh,
    Cosh,
    Tanh,
    Floor,
    Ceiling,
    Truncate,
    Round,
    Remainder,
    Modulo,
    Merge,
}

/// A function of a scheme.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Number of parameters, the first of its variables.
    pub parameters: usize,
    /// Number of variables; they begin at zero.
    pub variables: usize,
    /// What it does.
    pub body: Vec<Statement>,
    /// The variable that holds the result at the end.
    pub result: usize,
}

/// A statement of a function.
#[derive(Debug, Clone, PartialEq)]
pub enum Statement {
    /// Sets a variable.
    Set(usize, Expression),
    /// Runs the statements of the first condition that holds, else the last.
    If(Vec<(Expression, Vec<Statement>)>, Vec<Statement>),
}

impl Statement {
    fn each_name(&mut self, visit: &mut impl FnMut(&mut Name)) {
        match self {
            Self::Set(_, value) => value.each_name(visit),
            Self::If(arms, last) => {
                for (condition, body) in arms {
                    condition.each_name(visit);
                    body.iter_mut().for_each(|statement| statement.each_name(visit));
                }
                last.iter_mut().for_each(|statement| statement.each_name(visit));
            }
        }
    }
}
