//! The choice of a method for each cell, by what the methods cost (docs/decisions/0009).
//!
//! A cell in which nothing decays within the interval goes to an explicit method. All others begin with the default
//! method. Where tolerances are tight and a cell has taken many steps, it goes on with BDF, whose steps cost a fifth. The
//! choice depends on the cell alone, so answers do not depend on neighbours.

use super::method::{DEFAULT, Method};
use super::{Problem, Stepper};
use kinlane_plan::machine::{Array, Machine, Real};

/// The name that leaves the choice to the program.
pub const AUTO: &str = "auto";

/// Cells are explicit where dt times the fastest decay is below this.
const SLOW: f64 = 3.0;
/// What reactions do to a variable counts from this part of its tolerance on.
const NOTICED: f64 = 1e-4;
/// Relative tolerance below which many steps are better taken by BDF: of small mechanisms, whose factors are cheap, and
/// of others.
const TIGHT: [f64; 2] = [2e-8, 5e-7];
/// Least species of the others.
const LARGE: usize = 30;
/// Steps of the default method after which that is so, and least number of such steps that still seem to lie ahead.
const MANY: f64 = 20.0;
const AHEAD: f64 = 25.0;
/// BDF's errors add up over its many steps: it gets tolerances smaller by this.
const STRICT: f64 = 0.03;
/// BDF begins with order 1, hence with this part of the step.
const BEGIN: f64 = 0.1;

/// What cells are advanced with.
#[derive(Debug, Clone, Copy)]
pub struct Choice {
    /// Cells without fast time scales.
    pub slow: &'static Method,
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
    /// The methods to choose from, for so many species at a relative tolerance.
    pub fn new(species: usize, rtol: f64) -> Option<Self> {
        let bdf = Method::find("bdf")?;
        let late = Late { method: bdf, after: MANY, ahead: AHEAD, strict: STRICT, begin: BEGIN };
        Some(Self {
            slow: Method::find("dopri5")?,
            stiff: Method::find(DEFAULT)?,
            late: (rtol < TIGHT[usize::from(species >= LARGE)]).then_some(late),
        })
    }

    /// Whether a cell with this fastest decay [1/s] has no fast time scale within dt [s].
    pub fn is_slow(decay: f64, dt: f64) -> bool {
        decay * dt < SLOW
    }
}

/// Whether a name leaves the choice to the program.
pub fn is_auto(name: Option<&str>) -> bool {
    name.is_some_and(|n| n.eq_ignore_ascii_case(AUTO))
}

/// The method of a name, the default without one. `auto` is the method for stiff cells, for those who want one for all.
pub fn method(name: Option<&str>) -> Option<&'static Method> {
    Method::find(name.filter(|n| !n.eq_ignore_ascii_case(AUTO)).unwrap_or(DEFAULT))
}

/// The rate [1/s] at which the fastest variable decays by itself at `y`, into `fastest`. Variables count that reactions
/// change over the interval by a part of their tolerance; of what is not there yet, the decay is unknown, hence fast.
/// Uses the stepper's arrays.
#[inline(always)]
pub fn fastest_decay<M: Machine, P: Problem<M>>(m: M, p: P, s: &Stepper, fastest: Array) {
    p.admit_negative(m, false);
    let c = &s.clock;
    p.split(m, s.y, s.f, s.y1, s.error);
    p.weights(m, s.y, m.var(c.rtol), m.var(c.atol), s.f);
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
                    let (q, decay, y) = (m.get(s.y1, i), m.get(s.error, i), m.get(s.y, i));
                    let change = decay.mul_add(y.abs(), q.abs()) * dt;
                    let seen = (m.get(s.f, i) * m.lit(NOTICED)).lt(change);
                    let decay = M::R::select(m.lit(1e-200).lt(y), decay, m.lit(1e200));
                    M::R::select(seen, decay.max(most), most)
                },
            );
            m.set(fastest, most);
        },
    );
}
