//! The choice of a method for each cell, by what the methods cost (docs/decisions/0009).
//!
//! A cell in which nothing is fast takes one explicit step over its interval, if that is enough. All others begin with
//! the default method. Where tolerances are tight and a cell has taken many steps, it goes on with BDF, whose steps cost
//! a fifth. The choice depends on the cell alone, so answers do not depend on neighbours.

use super::control::{Clock, DONE, Mask, count, first_step};
use super::method::{self, BDF, DEFAULT, Method};
use super::runge_kutta::{HEUN, RKS57};
use super::{Problem, Stepper};
use crate::Options;
use kinlane_plan::machine::{Array, Machine, Real};
use kinlane_plan::tables::Layout;

/// The name that leaves the choice to the program.
pub const AUTO: &str = "auto";

/// Next to nothing happens where dt times the fastest decay is below this: then Heun's method has also those species
/// right that are below the absolute tolerance.
const SLOW: f64 = 0.1;
/// Nothing is fast where it is below this: whatever is displaced shrinks to 0.3 of itself in a step of [`RKS57`], which is
/// stable up to 8.3. Steps that are not stable but pass leave errors behind which the next call's steps enlarge
/// (docs/decisions/0031).
const MILD: f64 = 7.5;
/// That step has to be right to this part of the absolute tolerance, as an L-stable one is by itself.
const TRACES: f64 = 1e-2;
/// What reactions do to a variable counts from this part of its tolerance on.
const NOTICED: f64 = 1e-5;
/// Relative tolerance below which many steps are better taken by BDF, from so many species on: in smaller gases factors
/// are too cheap to be saved, in the largest its many steps too dear (docs/decisions/0020).
const TIGHT: [(usize, f64); 2] = [(30, 5e-7), (100, 3e-8)];
/// Steps of the default method after which that is so, and least number of such steps that still seem to lie ahead.
const MANY: f64 = 20.0;
const AHEAD: f64 = 50.0;
/// BDF's errors add up over its many steps: with tolerances smaller by this it ends where Rodas5P would.
const STRICT: f64 = 5e-3;
/// Below this relative tolerance BDF's steps are held up by rounding where rates are large; what is asked of it stays
/// above, and whoever asks for less than ten times it has the default method to the end.
const LEAST: f64 = 1e-12;
/// BDF begins with order 1, hence with this part of the step.
const BEGIN: f64 = 0.1;

/// What cells are advanced with.
#[derive(Debug, Clone, Copy)]
pub struct Choice {
    /// Cells without fast time scales, by [`Class`], where one step is enough. Watched cells are not told apart: there is
    /// something to be seen in most of them.
    pub once: Option<[&'static Method; 2]>,
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

impl Late {
    /// Whether a cell goes on so that has taken these steps, and has `left` to go in steps of `h` \[s\].
    #[inline(always)]
    pub fn is_due<R: Real>(&self, steps: R, left: R, h: R) -> R::Mask {
        R::and(R::lit(self.after).le(steps), (R::lit(self.ahead) * h).le(left))
    }

    /// What changes in the clock of a cell that goes on so, and by what factor.
    pub fn factors(&self, c: &Clock) -> [(Array, f64); 3] {
        [(c.rtol, self.strict), (c.atol, self.strict), (c.h, self.begin)]
    }
}

impl Choice {
    /// The methods to choose from for a gas of so many species, if these options leave a choice.
    pub fn new(options: &Options, species: usize) -> Option<Self> {
        let strict = STRICT.max(LEAST / options.rtol);
        let late = Late { method: &BDF, after: MANY, ahead: AHEAD, strict, begin: BEGIN };
        let tight = TIGHT.iter().rev().find(|&&(least, _)| species >= least);
        let late = tight.filter(|&&(_, rtol)| (10.0 * LEAST..rtol).contains(&options.rtol)).map(|_| late);
        let once = (!options.watched).then_some([&method::HEUN, &method::RKS57]);
        let auto = options.method.as_deref().is_some_and(|n| n.eq_ignore_ascii_case(AUTO));
        (auto && (once.is_some() || late.is_some())).then_some(Self { once, stiff: DEFAULT, late })
    }

    /// Names of the methods, if cells are told apart.
    pub fn names(&self) -> Vec<&'static str> {
        let Some([calm, mild]) = self.once else { return Vec::new() };
        let all = [calm, mild, self.stiff].into_iter().chain(self.late.map(|late| late.method));
        all.map(|m| m.name).collect()
    }
}

/// The method of a name, the default without one. `auto` is the method for stiff cells, for those who want one for all.
pub fn method(name: Option<&str>) -> Option<&'static Method> {
    name.filter(|n| !n.eq_ignore_ascii_case(AUTO)).map_or(Some(DEFAULT), Method::find)
}

/// How cells are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Next to nothing happened: the first method of [`Choice::once`] has ended it.
    Calm,
    /// Nothing is fast: one step of the second may end it.
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

/// Ranks of cells by the attempts that may lie ahead of them.
pub const RANKS: usize = 8;

/// What telling cells apart needs beside the arrays of the second method of [`Choice::once`].
#[derive(Debug, Clone, Copy)]
pub struct Apart {
    /// What may be wrong in each variable.
    weights: Array,
    /// The fastest decay [1/s].
    fastest: Array,
    /// The number of its [`Class`].
    pub class: Array,
    /// Which of [`RANKS`] it is in, from few attempts to many: who takes the long ones first is not left with one of them
    /// in the end.
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

    /// A step of the first method over the whole interval, where next to nothing happens; and the class. The verdict of
    /// those that it did not end stays open, their state is that of the entry, f(y) lies in [`Stepper::f`].
    #[inline(always)]
    pub fn tell<M: Machine, P: Problem<M>>(&self, m: M, p: P, s: &Stepper) {
        let c = &s.clock;
        self.look_ahead(m, p, s);
        let scales = m.var(self.fastest) * m.var(c.span);
        // Who chooses a first step does not want one over the whole interval.
        let whole = m.var(c.span).le(m.var(c.h));
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

    /// A step of the second method over the whole interval where there may be enough, after [`Apart::tell`]. The verdict
    /// of cells that it did not end stays open.
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

    /// Both, each where it may be enough.
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

    /// The rate [1/s] at which the fastest variable decays by itself at `y`, into `fastest`, f(y), and the rank. Variables
    /// count that reactions change over the interval by a part of their tolerance.
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
                // Attempts grow with the logarithm of the first steps that dt holds (docs/decisions/0025).
                let (ahead, one, zero) =
                    (dt / first_step(m, p.len(), s.f, self.weights, decay), m.lit(1.0), m.lit(0.0));
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
