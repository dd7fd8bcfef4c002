//! The choice of a method for each cell, by what the methods cost (docs/decisions/0009).
//!
//! A cell in which nothing is fast takes one explicit step over its interval, if that is enough. All others
//! begin with the default method. Where tolerances are tight and a cell has taken many steps, it goes on with
//! BDF, whose steps cost a fifth. The choice depends on the cell alone, so that answers do not depend on
//! neighbours.

use super::control::{Clock, DONE, FOLLOWED, Mask, count, first_step};
use super::method::{self, BDF, DEFAULT, Method, RADAU5};
use super::runge_kutta::{HEUN, RKS57};
use super::{Problem, Stepper};
use crate::Options;
use kinlane_plan::Plan;
use kinlane_plan::machine::{Array, Machine, Real};
use kinlane_plan::tables::Layout;

/// The name that leaves the choice of the method to the program.
pub const AUTO: &str = "auto";

/// Whether the choice of the method is left to the program by this name.
pub fn is_auto(name: &str) -> bool {
    name.eq_ignore_ascii_case(AUTO)
}

/// Below this value of dt times the fastest decay rate next to nothing happens: then Heun's method is
/// accurate also for species below the absolute tolerance.
const SLOW: f64 = 0.1;
/// Most that one explicit step may span \[s\]. It does not see growth through three kinds of radicals, each made by the
/// one before; over longer intervals that may be an ignition, and the factors that show it are worth their time.
const SHORT: f64 = 1e-3;
/// Below this value of dt times the fastest decay rate nothing is fast: every displacement shrinks in a step
/// of [`RKS57`], which is stable up to 8.3; a fast one to 0.3 of itself at most. An unstable step that passes would leave errors behind, which
/// the steps of the next call enlarge (docs/decisions/0031).
pub const MILD: f64 = 7.5;
/// Factor on the absolute tolerance of that step: an L-stable step gives traces such an accuracy by itself.
const TRACES: f64 = 1e-2;
/// A variable counts if reactions change it over the interval by more than this part of its tolerance.
const NOTICED: f64 = 1e-5;
/// A mass fraction of this part of the absolute tolerance counts for certain where its decay is as fast as [`MILD`] says.
pub const COUNTS: f64 = 1e-6;
/// Number of species, and the relative tolerance below which, from this number on, BDF does better on cells
/// with many steps. In smaller gases factors are too cheap to be worth saving; in the largest, BDF's many
/// steps cost too much (docs/decisions/0020).
const TIGHT: [(usize, f64); 2] = [(30, 5e-7), (100, 3e-8)];
/// BDF takes over after this many steps of the default method, if at least [`AHEAD`] more of the present
/// length remain.
const MANY: f64 = 20.0;
const AHEAD: f64 = 50.0;
/// And if a step is a smaller part than one of so many of the time since the start. In cells that relax, steps grow with that
/// time, and few of them are left, however far off the end is.
const PARTS: f64 = 50.0;
/// Factor on the tolerances for BDF, whose errors add up over its many steps: with it BDF's error is that of
/// Rodas5P.
const STRICT: f64 = 5e-3;
/// Least relative tolerance that BDF is given: below it, rounding holds up its steps where rates are large.
/// Cells with a tolerance of less than ten times this stay with the default method to the end.
const LEAST_RTOL: f64 = 1e-12;
/// BDF begins with order 1, hence with this part of the present step.
const BEGIN: f64 = 0.1;
/// BDF gets this part of a cell's budget of steps. Where rounding holds up its steps (hot gas long at rest, at tight
/// tolerances) the cell goes back to the default method, which steps over that.
const PART: f64 = 0.2;
/// A cell that goes back begins with this part of what is left of the interval.
const AGAIN: f64 = 1e-6;

/// The methods that cells are advanced with.
#[derive(Debug, Clone, Copy)]
pub struct Choice {
    /// For cells without fast time scales, where one step is enough: one method for each such [`Class`]. None
    /// in watched runs, whose cells are not told apart: most of them contain something to watch for.
    pub once: Option<[&'static Method; 2]>,
    /// For all other cells.
    pub stiff: &'static Method,
    /// For cells that take many steps, if they are to change the method.
    pub late: Option<Late>,
}

/// How a cell that takes many steps goes on.
#[derive(Debug, Clone, Copy)]
pub struct Late {
    /// The method that takes over.
    pub method: &'static Method,
    /// Accepted steps that the cell must have taken before.
    pub after: f64,
    /// Steps of the present length that must remain.
    pub ahead: f64,
    /// Steps of the present length that the time since the start must have.
    pub parts: f64,
    /// Factor on the tolerances.
    pub strict: f64,
    /// Factor on the step.
    pub begin: f64,
    /// Factor on the budget of steps. A cell that this method cannot finish within it, or at all, goes back to the
    /// method before, where it stands.
    pub budget: f64,
}

impl Late {
    /// The variables of the clock that [`Late::is_due`] takes.
    pub fn looks_at(&self, c: &Clock) -> [Array; 4] {
        [c.steps, c.t, c.left, c.h]
    }

    /// Whether this method takes over a cell that has taken `steps` in the time `t`, and has `left` to go in steps of `h`
    /// \[s\].
    #[inline(always)]
    pub fn is_due<R: Real>(&self, [steps, t, left, h]: [R; 4]) -> R::Mask {
        let many = R::and(R::lit(self.after).le(steps), (R::lit(self.ahead) * h).le(left));
        R::and(many, (R::lit(self.parts) * h).le(t))
    }

    /// The variables of the clock that change when this method takes over, each with its factor.
    pub fn factors(&self, c: &Clock) -> [(Array, f64); 4] {
        [(c.rtol, self.strict), (c.atol, self.strict), (c.h, self.begin), (c.budget, self.budget)]
    }

    /// The step that a cell which goes back begins with, of the time that is `left`.
    pub fn again(left: f64) -> f64 {
        left * AGAIN
    }
}

/// Whether one step over the interval `span` \[s\] may be enough for some cell, with `h` \[s\] the first step to try: a
/// caller who chose a shorter one does not want it.
#[inline(always)]
pub fn may_span<R: Real>(span: R, h: R) -> R::Mask {
    R::and(span.le(h), span.le(R::lit(SHORT)))
}

impl Choice {
    /// The methods to choose from for a plan, if these options leave a choice.
    pub fn new(options: &Options, plan: &Plan) -> Option<Self> {
        let strict = STRICT.max(LEAST_RTOL / options.rtol);
        let late = Late { method: &BDF, after: MANY, ahead: AHEAD, parts: PARTS, strict, begin: BEGIN, budget: PART };
        let stiff = stiff(plan);
        let tight = TIGHT.iter().rev().find(|&&(least, _)| plan.species >= least && stiff.name == DEFAULT.name);
        let tight = tight.filter(|&&(_, rtol)| (10.0 * LEAST_RTOL..rtol).contains(&options.rtol));
        // Its part of a small budget would not do, and the cell would go back with less.
        let late = tight.filter(|_| options.is_patient()).map(|_| late);
        let once = (!options.watched).then_some([&method::HEUN, &method::RKS57]);
        let auto = options.method.as_deref().is_some_and(is_auto);
        (auto && (once.is_some() || late.is_some())).then_some(Self { once, stiff, late })
    }

    /// Names of the methods, if cells are told apart.
    pub fn names(&self) -> Vec<&'static str> {
        let Some([calm, mild]) = self.once else { return Vec::new() };
        let all = [calm, mild, self.stiff].into_iter().chain(self.late.map(|late| late.method));
        all.map(|m| m.name).collect()
    }
}

/// The method of that name; without a name, and for `auto`, that for stiff cells, for callers that need one method for all cells.
pub fn method(name: Option<&str>, plan: &Plan) -> Option<&'static Method> {
    match name {
        Some(name) if !is_auto(name) => Method::find(name),
        _ => Some(stiff(plan)),
    }
}

/// The method for stiff cells. Where a rate has a power of a species below one, its slope at next to nothing of that species is so large that
/// the one linear solve of a stage keeps the species there, whatever is made of it, and nothing shows it. Iterations do
/// (docs/decisions/0047). And along an imposed history the default method's estimate is far below its error (docs/decisions/0053).
fn stiff(plan: &Plan) -> &'static Method {
    if plan.kinetics.has_steep_orders() || plan.imposed().is_some() { &RADAU5 } else { DEFAULT }
}

/// How cells are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Next to nothing happens: the first method of [`Choice::once`] has finished the cell.
    Calm,
    /// Nothing is fast: one step of the second method may finish the cell.
    Mild,
    /// All others.
    Stiff,
}

impl Class {
    /// As a number in a variable.
    pub const fn number(self) -> f64 {
        self as u8 as f64
    }
}

/// Number of ranks of cells, by the number of attempts that they are expected to need.
pub const RANKS: usize = 8;

/// Arrays for telling cells apart, beside those of the second method of [`Choice::once`].
#[derive(Debug, Clone, Copy)]
pub struct Apart {
    /// Allowed error of each variable.
    weights: Array,
    /// Rate of the fastest decay \[1/s\].
    fastest: Array,
    /// The number of the cell's [`Class`].
    pub class: Array,
    /// Which of the [`RANKS`] the cell is in, from few expected attempts to many. Cells with many are taken
    /// first, so that no thread is left with one of them at the end.
    pub rank: Array,
}

impl Apart {
    /// Lays the arrays out for `n` variables.
    pub fn new(l: &mut Layout, n: usize) -> Self {
        Self { weights: l.array(n), fastest: l.var(), class: l.var(), rank: l.var() }
    }

    /// The arrays by name, for printed programs.
    pub fn arrays(&self) -> [(&'static str, Array); 4] {
        [("weights", self.weights), ("fastest", self.fastest), ("class", self.class), ("rank", self.rank)]
    }

    /// Sets the class of the cells, and takes a step of the first method over the whole interval where next
    /// to nothing happens. The verdict of cells that this step does not finish stays open, their state is
    /// that of the entry, and f(y) lies in [`Stepper::f`].
    #[inline(always)]
    pub fn tell<M: Machine, P: Problem<M>>(&self, m: M, p: P, s: &Stepper) {
        let c = &s.clock;
        self.look_ahead(m, p, s);
        let scales = m.var(self.fastest) * m.var(c.span);
        let whole = may_span(m.var(c.span), m.var(c.h));
        let mild = M::R::and(whole, scales.lt(m.lit(MILD)));
        m.set(self.class, M::R::select(mild, m.lit(Class::Mild.number()), m.lit(Class::Stiff.number())));
        let slow = M::R::and(whole, scales.lt(m.lit(SLOW)));
        m.if_any(
            slow,
            #[inline(always)]
            || s.attempt_knowing_f(m, p, &HEUN, slow),
        );
        let done = M::R::and(slow, m.var(c.verdict).le(m.lit(DONE)));
        m.set(c.verdict, M::R::select(done, m.lit(DONE), m.lit(0.0)));
        m.set(self.class, M::R::select(done, m.lit(Class::Calm.number()), m.var(self.class)));
    }

    /// A step of the second method over the whole interval where that may be enough, after [`Apart::tell`].
    /// The verdict of cells that it does not finish stays open.
    #[inline(always)]
    pub fn once<M: Machine, P: Problem<M>>(&self, m: M, p: P, s: &Stepper) {
        let c = &s.clock;
        let mild = self.is_mild(m);
        m.set(c.h, m.var(c.span));
        m.set(c.after_rejection, m.lit(0.0));
        m.set(c.atol, m.var(c.atol) * m.lit(TRACES));
        s.attempt_knowing_f(m, p, &RKS57, mild);
        let done = M::R::and(mild, m.var(c.verdict).le(m.lit(DONE)));
        m.set(c.verdict, M::R::select(done, m.lit(DONE), m.lit(0.0)));
    }

    /// Both steps, each where it may be enough.
    #[inline(always)]
    pub fn both<M: Machine, P: Problem<M>>(&self, m: M, p: P, s: &Stepper) {
        self.tell(m, p, s);
        let calm = m.var(s.clock.verdict);
        m.if_any(
            self.is_mild(m),
            #[inline(always)]
            || self.once(m, p, s),
        );
        m.set(s.clock.verdict, calm.min(m.var(s.clock.verdict)));
    }

    #[inline(always)]
    fn is_mild<M: Machine>(&self, m: M) -> Mask<M> {
        let class = m.var(self.class);
        M::R::and(m.lit(Class::Calm.number()).lt(class), class.lt(m.lit(Class::Stiff.number())))
    }

    /// Sets `fastest`, the rate \[1/s\] at which the fastest variable decays by itself at `y`, f(y), and the
    /// rank. A variable counts if reactions change it over the interval by more than [`NOTICED`] of its
    /// tolerance.
    #[inline(always)]
    fn look_ahead<M: Machine, P: Problem<M>>(&self, m: M, p: P, s: &Stepper) {
        let p = p.admit_negative(m, m.var(s.clock.atol), false);
        let (c, decay, q) = (&s.clock, s.error, s.y1);
        p.split(m, s.y, s.f, q, decay);
        p.weights(m, s.y, m.var(c.rtol), m.var(c.atol), self.weights);
        count(m, c.rhs, m.lit(1.0));
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
                // The number of attempts grows with the logarithm of dt over the first step
                // (docs/decisions/0025).
                let (ahead, one, zero) =
                    (dt / first_step(m, p.len(), s.f, self.weights, decay, FOLLOWED), m.lit(1.0), m.lit(0.0));
                let (mut rank, mut least) = (zero, 0.5);
                for _ in 1..RANKS {
                    rank = rank + M::R::select(m.lit(least).le(ahead), one, zero);
                    least *= 4.0;
                }
                m.set(self.rank, rank);
            },
        );
    }
}
