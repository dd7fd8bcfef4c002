//! One cell of a scheme that is followed while what surrounds it changes.

use super::{Conditions, Scheme, SchemeStates};
use crate::single::{Single, Stopped};
use crate::{BatchError, Options, PlanError, Reactor, Report, Status, UsualArithmetic};
use kinlane_lanes::EngineError;
use kinlane_plan::machine::{Array, Machine, Reals};
use kinlane_plan::plan::{Plan, RateProgram};
use kinlane_plan::{Scalar, Tables};
use kinlane_solve::gas::problem::Gas;
use kinlane_solve::gas::stirred::Flow;
use kinlane_solve::methods::auto::is_auto;
use kinlane_solve::methods::method::Kind;
use kinlane_solve::methods::{Method, Stepper};
use kinlane_solve::scheme::rate_constants;
use std::cell::RefCell;

/// Why there is no parcel, or why it does not get to where it should.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ParcelError {
    /// The method, or an option, cannot be used.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A method that would have to know how rate constants change with time.
    #[error(
        "{method} does not know how rate constants change within a step; take one that iterates, as radau5 or bdf, or an \
         explicit one"
    )]
    Method {
        /// Its name.
        method: &'static str,
    },
    /// Conditions that are impossible.
    #[error(transparent)]
    Batch(#[from] BatchError),
    /// An interval that nothing can be advanced over.
    #[error("the interval is {dt} s, it must be a positive finite number")]
    Interval {
        /// The interval \[s\].
        dt: f64,
    },
    /// The parcel could not be followed any further.
    #[error("at {time:e} s the parcel stops: {}{status}", .not_finite.as_ref().map_or_else(String::new, |label| {
        format!("the rate constant of {label} is not finite; ")
    }))]
    Stopped {
        /// Why.
        status: Status,
        /// When \[s\].
        time: f64,
        /// The first reaction whose rate constant is not finite there, if there is one.
        not_finite: Option<String>,
    },
}

/// What evaluations leave behind.
struct Work {
    /// The surroundings of the last evaluation.
    at: Conditions,
    /// The arrays of the program of rate constants.
    arena: Vec<f64>,
}

/// One cell of a [`Scheme`] whose surroundings (sun, temperature, density, inputs) change while it is advanced. Rate constants are
/// computed at each evaluation, from the surroundings at its time and from the amounts that it has; so errors are those of
/// the tolerances alone, whatever the intervals. It is one cell on the scalar machine; batches, whose surroundings stay as they are for
/// an interval, are advanced by [`SchemeSolver`](super::SchemeSolver).
///
/// ```
/// use kinlane::{Conditions, Options, Parcel, Scheme};
///
/// let text = "#DEFVAR\nA = IGNORE; B = IGNORE;\n#EQUATIONS\nA = B : 1e-3*SUN;\n";
/// let scheme = Scheme::from_text("day.kpp", text)?;
/// let at = Conditions { temperature: vec![280.0], inputs: vec![0.0], amounts: vec![1e10, 0.0], ..Conditions::default() };
/// let mut parcel = Parcel::new(&scheme, at, 0.0, &Options::default())?;
/// parcel.advance(1000.0, |t, at| at.inputs[0] = t / 1000.0)?; // the sun rises
/// assert!((parcel.amounts()[0] / 1e10 - (-0.5_f64).exp()).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Parcel {
    scheme: Scheme,
    /// That of the scheme, in which the clock counts.
    plan: Plan,
    cell: Single,
    work: RefCell<Work>,
}

impl std::fmt::Debug for Parcel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Parcel")
            .field("scheme", &self.scheme.name())
            .field("time", &self.time())
            .finish_non_exhaustive()
    }
}

/// The method if none is asked for: at equal cost more exact than multistep methods, and it loses nothing where rows end its
/// steps (docs/decisions/0045).
const DEFAULT: &str = "radau5";

/// Part of the tolerances that steps of multistep methods get: errors of many steps add up.
const PART: f64 = 0.1;

impl Parcel {
    /// A parcel with the amounts of `at`, arrays of one cell, at a time \[s\] of the caller's clock. Of the options count tolerances,
    /// the method, the first step, and the number of attempted steps in a call. The method is `radau5` if none is asked for, or `auto`.
    ///
    /// # Errors
    /// Any [`ParcelError`] but [`ParcelError::Interval`] and [`ParcelError::Stopped`].
    pub fn new(scheme: &Scheme, at: Conditions, time: f64, options: &Options) -> Result<Self, ParcelError> {
        let _usual = UsualArithmetic::set();
        let method = method(options)?;
        let states = SchemeStates::new(scheme, at)?;
        if options.atol.is_none() {
            states.refuse_coarse(scheme)?;
        }
        if states.len() != 1 {
            return Err(BatchError::Length { what: "cells of a parcel".to_owned(), got: states.len(), want: 1 }.into());
        }
        let at = states.into_conditions();
        let own = options.planned(&scheme.plan, scheme.usual_atol(), |name| scheme.require(name))?;
        let plan = timed(&own);
        let gas = Gas::new(&plan, Reactor::FixedT);
        let mut layout = plan.layout;
        let stepper = Stepper::new(&mut layout, method, gas.dimensions());
        let part = if let Kind::Bdf(_) = method.kind { PART } else { 1.0 };
        let mut cell =
            Single::new(layout, stepper, method, options.in_part(scheme.usual_atol(), part).map_err(PlanError::from)?);
        let y = cell.state_mut();
        let weights = scheme.weights();
        let most = gas.enter(time, 1.0, |k| at.amounts[k] * weights[k], |i, x| y[i] = x);
        let m = cell.machine(&plan.tables);
        m.set(plan.cell.parameter, most);
        // T is the clock.
        m.set(plan.cell.heating, 1.0);
        let work = RefCell::new(Work { at, arena: vec![0.0; scheme.program.len] });
        Ok(Self { scheme: scheme.clone(), plan, cell, work })
    }

    /// Advances the parcel by `dt` \[s\]. `around` sets the surroundings of a time \[s\], in the conditions of that last set; what it
    /// does to amounts of species that evolve is not looked at. It goes on with the step of the call before.
    ///
    /// # Errors
    /// [`ParcelError::Interval`]; [`ParcelError::Stopped`] if the parcel does not get to the end: it stays where it was left.
    pub fn advance(&mut self, dt: f64, around: impl Fn(f64, &mut Conditions)) -> Result<(), ParcelError> {
        self.advance_while(dt, around, || true).map(|_| ())
    }

    /// Advances the parcel by at most `dt` \[s\], as long as `go_on` says so, after every attempted step. Returns by how much.
    ///
    /// # Errors
    /// As [`Parcel::advance`].
    pub fn advance_while(
        &mut self,
        dt: f64,
        around: impl Fn(f64, &mut Conditions),
        mut go_on: impl FnMut() -> bool,
    ) -> Result<f64, ParcelError> {
        self.follow(dt, &around, &mut go_on)
    }

    /// The same, not generic: a method is compiled once, not again in every program that has closures of its own.
    fn follow(
        &mut self,
        dt: f64,
        around: &dyn Fn(f64, &mut Conditions),
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<f64, ParcelError> {
        let _usual = UsualArithmetic::set();
        if !(dt.is_finite() && dt > 0.0) {
            return Err(ParcelError::Interval { dt });
        }
        let Self { scheme, plan, cell, work } = self;
        let sky = Sky { program: &scheme.program, work, around };
        let gas = Gas::new(plan, Reactor::FixedT).with_flow(sky);
        let attempts = cell.options().max_steps;
        let moved = cell.advance(&plan.tables, gas, dt, attempts, &mut |_, _| go_on());
        moved.map_err(|Stopped { status, .. }| ParcelError::Stopped {
            status,
            time: self.time(),
            not_finite: self.not_finite(),
        })
    }

    /// The label of the first reaction whose rate constant was not finite in the last evaluation.
    fn not_finite(&self) -> Option<String> {
        let (k, work) = (self.scheme.program.effective, self.work.borrow());
        let reaction = work.arena[k.at as usize..][..k.len as usize].iter().position(|k| !k.is_finite())?;
        Some(self.scheme.model.reactions.get(reaction)?.label.clone())
    }

    /// Amounts of the species \[species\].
    pub fn amounts(&self) -> &[f64] {
        &self.cell.state()[..self.scheme.species_count()]
    }

    /// The time \[s\] by the caller's clock.
    pub fn time(&self) -> f64 {
        self.cell.state()[self.scheme.species_count()]
    }

    /// Steps so far.
    pub fn steps(&self) -> u64 {
        self.cell.steps()
    }

    /// What all calls so far have cost, of one cell; it has failed if the last call did.
    pub fn report(&self) -> Report {
        self.cell.report()
    }
}

/// The plan with T among the variables that errors are judged by. T is the clock: an iteration whose stages are not yet at their
/// times has not arrived, however little their species change.
fn timed(plan: &Plan) -> Plan {
    let mut plan = plan.clone();
    let tables = &mut plan.tables;
    let active: Vec<usize> = tables.list(plan.active).iter().map(|&k| k as usize).chain([plan.species]).collect();
    plan.active = tables.indices(active);
    let mut with = |of_species: Reals, of_clock: f64| {
        let all = [tables.get(of_species), &[of_clock][..]].concat();
        tables.reals(all)
    };
    (plan.tolerance, plan.fraction) = (with(plan.tolerance, 1.0), with(plan.fraction, 0.0));
    if plan.drained.len > 0 {
        plan.drained = with(plan.drained, 0.0);
    }
    plan
}

/// The method of the options.
fn method(options: &Options) -> Result<&'static Method, ParcelError> {
    let name = options.method.as_deref().filter(|name| !is_auto(name)).unwrap_or(DEFAULT);
    let unknown = || PlanError::from(EngineError::UnknownMethod { name: name.to_owned() });
    let method = Method::find(name).ok_or_else(unknown)?;
    if method.is_fixed() && options.first_step.is_none() {
        return Err(PlanError::NoStep { method: method.name }.into());
    }
    match method.kind {
        Kind::Rosenbrock(_) | Kind::Exponential(_) => Err(ParcelError::Method { method: method.name }),
        _ => Ok(method),
    }
}

/// Rate constants that follow time and amounts.
#[derive(Clone, Copy)]
struct Sky<'a> {
    program: &'a RateProgram,
    work: &'a RefCell<Work>,
    around: &'a dyn Fn(f64, &mut Conditions),
}

impl<'m> Flow<Scalar<'m, f64>> for Sky<'_> {
    fn enter(&self, m: Scalar<'m, f64>, plan: &Plan, _: Reactor, y: Array) {
        let Work { at, arena } = &mut *self.work.borrow_mut();
        (self.around)(m.get(y, plan.species), at);
        let tables = Tables::default();
        let (program, of) = (self.program, Scalar::new(&tables, arena));
        let put = |first: usize, values: &[f64]| {
            values.iter().enumerate().for_each(|(i, x)| of.put(program.inputs, first + i, *x));
        };
        let places = program.surroundings;
        put(places.temperature, &at.temperature);
        put(places.density, &at.density);
        put(places.photolysis, &at.photolysis);
        put(places.further, &at.inputs);
        put(places.fixed, &at.fixed);
        (0..plan.species).for_each(|k| of.put(program.inputs, places.species + k, m.get(y, k)));
        rate_constants(of, program);
        (0..program.effective.len as usize).for_each(|r| m.put(plan.kinetics.k, 1 + r, of.get(program.effective, r)));
    }
    fn rate(&self, _: Scalar<'m, f64>) -> Option<f64> {
        None
    }
}
