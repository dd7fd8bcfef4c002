//! The choice of a method for each cell, by what the methods cost (docs/decisions/0009).
//!
//! A cell in which nothing is fast takes one step of Heun's method, if that is enough. All others begin with the
//! default method. Where tolerances are tight and a cell has taken many steps, it goes on with BDF, whose steps cost a
//! fifth. The choice depends on the cell alone, so answers do not depend on neighbours.

use super::method::{DEFAULT, Method};
use super::{Problem, Stepper};
use crate::Options;
use kinlane_plan::machine::{Array, Machine, Real};
use kinlane_plan::tables::Layout;

/// The name that leaves the choice to the program.
pub const AUTO: &str = "auto";

/// Nothing is fast where dt times the fastest decay is below this: then Heun's method has also those species right
/// that are below the absolute tolerance.
const SLOW: f64 = 0.1;
/// What reactions do to a variable counts from this part of its tolerance on.
const NOTICED: f64 = 1e-5;
/// Relative tolerance below which many steps are better taken by BDF, and species from which on: in smaller gases factors
/// are too cheap to be saved (docs/decisions/0020).
const TIGHT: f64 = 5e-7;
const LARGE: usize = 30;
/// Steps of the default method after which that is so, and least number of such steps that still seem to lie ahead.
const MANY: f64 = 20.0;
const AHEAD: f64 = 50.0;
/// BDF's errors add up over its many steps: with tolerances smaller by this it ends where Rodas5P would.
const STRICT: f64 = 5e-3;
/// BDF begins with order 1, hence with this part of the step.
const BEGIN: f64 = 0.1;

/// What cells are advanced with.
#[derive(Debug, Clone, Copy)]
pub struct Choice {
    /// Cells without fast time scales, where one step is enough. Watched cells are not told apart: there is something to
    /// be seen in most of them.
    pub calm: Option<&'static Method>,
    /// All others.
    pub stiff: &'static Method,
    /// Those that take many steps.
    pub late: Option<Late>,
}

/// How a cell goes on that takes many steps.
#[derive(Debug, Clone, Copy)]
pub struct Late {
    /// The method.
    pub method: &'static Method,
    /// Accepted steps before.
    pub after: f64,
    /// Steps of the present length that must lie ahead.
    pub ahead: f64,
    /// Factor on the tolerances.
    pub strict: f64,
    /// Factor on the step.
    pub begin: f64,
}

impl Choice {
    /// The methods to choose from for a gas of so many species, if these options leave a choice.
    pub fn new(options: &Options, species: usize) -> Option<Self> {
        let bdf = Method::find("bdf")?;
        let late = Late { method: bdf, after: MANY, ahead: AHEAD, strict: STRICT, begin: BEGIN };
        let late = (options.rtol < TIGHT && species >= LARGE).then_some(late);
        let calm = if options.watched { None } else { Method::find("heun") };
        let auto = options.method.as_deref().is_some_and(|n| n.eq_ignore_ascii_case(AUTO));
        (auto && (calm.is_some() || late.is_some())).then_some(Self { calm, stiff: Method::find(DEFAULT)?, late })
    }
}

/// The method of a name, the default without one. `auto` is the method for stiff cells, for those who want one for all.
pub fn method(name: Option<&str>) -> Option<&'static Method> {
    Method::find(name.filter(|n| !n.eq_ignore_ascii_case(AUTO)).unwrap_or(DEFAULT))
}

/// What telling cells apart needs beside the arrays of the method for calm cells.
#[derive(Debug, Clone, Copy)]
pub struct Apart {
    /// What may be wrong in each variable.
    weights: Array,
    /// The fastest decay [1/s].
    fastest: Array,
}

impl Apart {
    /// Lays the arrays out for `n` variables.
    pub fn new(l: &mut Layout, n: usize) -> Self {
        Self { weights: l.array(n), fastest: l.var() }
    }

    /// The arrays by name, for printed programs.
    pub fn arrays(&self) -> [(&'static str, Array); 2] {
        [("weights", self.weights), ("fastest", self.fastest)]
    }

    /// An attempt of the calm cells' method `s` at the whole interval, where nothing is fast. The verdict of all others
    /// stays open.
    #[inline(always)]
    pub fn tell<M: Machine, P: Problem<M>>(&self, m: M, p: P, s: &Stepper, max_steps: u32) {
        self.find_fastest(m, p, s);
        let slow = (m.var(self.fastest) * m.var(s.clock.left)).lt(m.lit(SLOW));
        m.if_any(
            slow,
            #[inline(always)]
            || s.attempt_knowing_f(m, p, max_steps),
        );
        m.set(s.clock.verdict, M::R::select(slow, m.var(s.clock.verdict), m.lit(0.0)));
    }

    /// The rate [1/s] at which the fastest variable decays by itself at `y`, into `fastest`, and f(y). Variables count
    /// that reactions change over the interval by a part of their tolerance.
    #[inline(always)]
    fn find_fastest<M: Machine, P: Problem<M>>(&self, m: M, p: P, s: &Stepper) {
        p.admit_negative(m, m.var(s.clock.atol), false);
        let (c, decay, q) = (&s.clock, s.error, s.y1);
        p.split(m, s.y, s.f, q, decay);
        p.weights(m, s.y, m.var(c.rtol), m.var(c.atol), self.weights);
        m.function(
            "fastest",
            #[inline(always)]
            || {
                let dt = m.var(c.left);
                let most = m.fold(
                    m.i(0),
                    m.i(p.len()),
                    m.lit(0.0),
                    #[inline(always)]
                    |most, i| {
                        let (q, decay) = (m.get(q, i), m.get(decay, i));
                        let change = decay.mul_add(m.get(s.y, i).abs(), q.abs()) * dt;
                        let seen = (m.get(self.weights, i) * m.lit(NOTICED)).lt(change);
                        M::R::select(seen, decay.max(most), most)
                    },
                );
                m.set(self.fastest, most);
            },
        );
    }
}
