//! The curve of steady states, by pseudo-arclength continuation.
//!
//! A steady state is f(v, λ) = 0 with λ = ln τ. As a function of τ the curve turns back where the flame goes
//! out and where the gas ignites; as a function of its own length it never does. Each step follows the
//! tangent for a given length and returns to the curve by Newton's method on f and the length together
//! (Keller 1977, `keller1977`):
//!
//! ```text
//! A u = f,  A w = ∂f/∂λ,  A = −∂f/∂v;     δv = u + w δλ
//! ⟨Δv, δv⟩ + Δλ δλ = what is missing to the length
//! ```
//!
//! The product ⟨·,·⟩ includes T, the composition, and the relative change of every species. Where walls hold
//! T, the curve turns in the composition alone; where a gas ignites, it may turn while only the radicals,
//! next to nothing, show it.

use super::curve::Turn;
use super::modes::Growth;
use super::piece::{End, Mark, Piece};
use super::steady::arrived;
use super::{PsrError, StirredReactor};
use std::sync::atomic::{AtomicBool, Ordering};

/// Step lengths along the curve: the first, the longest, the longest outside the range as far as the state
/// hardly changes, the shortest, and near a turn.
const FIRST: f64 = 0.05;
const LONGEST: f64 = 0.25;
const OUTSIDE: f64 = 1.0;
const SHORTEST: f64 = 1e-7;
const AT_TURN: f64 = 0.01;
/// Most Newton steps for one step along the curve.
const NEWTON: usize = 8;
/// Changes of smaller mole fractions do not count in the length.
const TRACE: f64 = 1e-10;
/// Most steps along a curve.
const STEPS: usize = 20_000;
/// Number of bisections to find where another curve branches off, or where oscillations begin.
const HALVINGS: usize = 40;
/// Residence times \[s\] between which the curve is followed, whatever the range: what is before or behind
/// decides what a state is called. At the first no gas has reacted yet; at the last a flame is near equilibrium,
/// and 1/τ is still far above the rounding errors of rates.
pub(super) const SHORT: f64 = 1e-12;
pub(super) const LONG: f64 = 100.0;

/// A point on the curve, with its tangent.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) v: Vec<f64>,
    pub(super) lambda: f64,
    /// Tangent: dv/ds and dλ/ds.
    pub(super) along: (Vec<f64>, f64),
    /// Whether absent species would grow.
    awaits: bool,
    /// What becomes of disturbances, where that is to be known.
    growth: Option<Growth>,
}

/// The continuation of one curve.
pub(super) struct Walk<'a> {
    pub(super) reactor: &'a mut StirredReactor,
    /// Ends of the range of residence times \[s\], and the residence times asked for \[s\].
    range: [f64; 2],
    asked: &'a [f64],
    stop: &'a AtomicBool,
    piece: Piece,
}

impl<'a> Walk<'a> {
    pub(super) fn new(
        reactor: &'a mut StirredReactor,
        range: [f64; 2],
        asked: &'a [f64],
        stop: &'a AtomicBool,
    ) -> Self {
        Self { reactor, range, asked, stop, piece: Piece::default() }
    }

    /// Adds the burning states at longer residence times than `tau` \[s\]: see [`StirredReactor::beside_equilibrium`].
    pub(super) fn beside_equilibrium(&mut self, tau: f64) {
        let mut times: Vec<f64> = self.asked.iter().chain(&self.range).copied().filter(|&time| time > tau).collect();
        times.sort_by(|a, b| b.total_cmp(a));
        times.dedup();
        if times.is_empty() {
            return;
        }
        let Some(beside) = self.reactor.beside_equilibrium(self.stop) else { return };
        times.into_iter().for_each(|time| self.push(time, beside(time), Some(Growth::None)));
    }

    /// Follows the curve from a steady state until nothing more can happen. `direction`: whether λ increases
    /// or decreases at first.
    pub(super) fn go(mut self, start: &[f64], tau: f64, direction: f64) -> Result<Piece, PsrError> {
        let reactor = self.reactor.reactor;
        let done = self.follow(start, tau, direction);
        self.reactor.reactor = reactor;
        done.map(|()| self.piece)
    }

    fn follow(&mut self, start: &[f64], tau: f64, direction: f64) -> Result<(), PsrError> {
        let walls = self.reactor.reactor;
        let (low, high) = (self.range[0].ln(), self.range[1].ln());
        let (lowest, highest) = (SHORT.ln().min(low), LONG.ln().max(high).max(tau.ln()));
        let mut here = self.place(start.to_vec(), tau.ln(), direction);
        here.growth = self.growth(&here);
        self.push(tau, here.v.clone(), here.growth);
        let mut step = FIRST;
        for _ in 0..STEPS {
            if self.stop.load(Ordering::Relaxed) {
                return Err(PsrError::Cancelled);
            }
            let Some((mut next, effort)) = self.step(&here, step) else {
                step *= 0.5;
                if step < SHORTEST {
                    let Some(there) = self.onto_join(&here) else { break };
                    (here, step) = (there, FIRST);
                }
                continue;
            };
            let turned = next.along.1 * here.along.1 < 0.0;
            if turned && step > AT_TURN {
                step = (step * 0.3).max(AT_TURN);
                continue;
            }
            self.between(&here, &next);
            self.changes(&here, &mut next, turned);
            if (low..=high).contains(&next.lambda) {
                self.push(next.lambda.exp(), next.v.clone(), next.growth);
            } else if (lowest..=highest).contains(&next.lambda) {
                self.piece.left = self.piece.points.last().map_or(0, |m| m.left + 1);
            } else {
                self.piece.end = if next.lambda < lowest { End::Short } else { End::Long };
                self.piece.last = next.v;
                return Ok(());
            }
            here = next;
            // Far from the range it is enough to follow what the state does.
            let bends = (1.0 - here.along.1 * here.along.1).max(0.0).sqrt();
            let inside = (low..=high).contains(&here.lambda);
            let longest = if inside { LONGEST } else { (LONGEST / bends).min(OUTSIDE) };
            step = (step * if effort < 4 { 1.4 } else { 0.8 }).min(longest);
            if self.reactor.reactor != walls {
                step = step.min(FIRST);
                if self.reactor.leaves_join(here.lambda.exp(), &here.v) {
                    let Some(there) = self.off_join(&here) else { break };
                    here = there;
                }
            }
        }
        self.piece.end = End::Cut(here.lambda.exp());
        self.piece.last = here.v;
        Ok(())
    }

    /// The place of a steady state on the curve, with dλ/ds of the sign of `direction`.
    pub(super) fn place(&mut self, v: Vec<f64>, lambda: f64, direction: f64) -> Place {
        let along = self.tangent(&v, lambda, direction);
        let awaits = self.reactor.awaits(&v);
        Place { v, lambda, along, awaits, growth: None }
    }

    /// Notes what happens between two neighbouring places: a turn, or a change of stability without one.
    fn changes(&mut self, here: &Place, next: &mut Place, turned: bool) {
        if turned {
            let turn = self.turn(here, next);
            self.piece.turns.push(turn);
        } else if here.awaits != next.awaits {
            let there = self.crossing(here, next, here.awaits, |r, v, _| {
                r.linearise(v);
                r.awaits(v)
            });
            let turn = self.at(&there);
            self.piece.crossings.push((turn, there.v, self.piece.turns.len()));
        }
        next.growth = self.growth(next);
        let [before, after] = [here.growth, next.growth].map(|g| g.map(|g| g == Growth::None));
        if let (false, Some(before), Some(after)) = (turned, before, after)
            && before != after
        {
            let vanish = |r: &mut StirredReactor, v: &[f64], tau| r.growth(v, tau) == Growth::None;
            let there = self.crossing(here, next, before, vanish);
            let onset = self.at(&there);
            self.piece.hopf.push(onset);
        }
    }

    /// The temperature and residence time of a place.
    fn at(&self, place: &Place) -> Turn {
        Turn { tau: place.lambda.exp(), temperature: self.reactor.temperature(&place.v) }
    }

    /// What becomes of disturbances at a place within a step of the range, unless turns or absent species
    /// tell that they grow.
    fn growth(&mut self, place: &Place) -> Option<Growth> {
        let near = self.range[0].ln() - OUTSIDE..=self.range[1].ln() + OUTSIDE;
        let asks = near.contains(&place.lambda) && self.piece.turns.len().is_multiple_of(2) && !place.awaits;
        asks.then(|| self.reactor.growth(&place.v, place.lambda.exp()))
    }

    /// Adds a point to the piece, if it is in the range.
    fn push(&mut self, tau: f64, v: Vec<f64>, growth: Option<Growth>) {
        if (self.range[0]..=self.range[1]).contains(&tau) {
            let asked = self.asked.contains(&tau);
            self.reactor.set_tau(tau);
            self.reactor.linearise(&v);
            let awaits = self.reactor.awaits(&v);
            let (turns, left) = (self.piece.turns.len(), self.piece.left);
            self.piece.points.push(Mark { tau, v, asked, awaits, growth, turns, left });
        }
    }

    /// ∂f/∂λ at the state of the last evaluation: f is linear in 1/τ.
    fn by_lambda(&mut self, v: &[f64], f: &[f64], tau: f64) -> Vec<f64> {
        let r = &mut *self.reactor;
        r.set_tau(tau / 2.0);
        r.write(r.work.y, v);
        let (y, out) = (r.work.y, r.work.f);
        r.run(|m, p, _| kinlane_solve::methods::problem::Equations::rhs(&p, m, y, out));
        let doubled = r.read(out);
        r.set_tau(tau);
        f.iter().zip(doubled).map(|(f, g)| f - g).collect()
    }

    /// The vectors u and w of the formulas at the head of this file.
    fn directions(&mut self, v: &[f64], lambda: f64) -> (Vec<f64>, Vec<f64>) {
        self.reactor.set_tau(lambda.exp());
        let f = self.reactor.linearise(v);
        let u = self.reactor.solve(&f);
        let g = self.by_lambda(v, &f, lambda.exp());
        (u, self.reactor.solve(&g))
    }

    /// ⟨a, b⟩ for changes at the state `at`.
    fn product(&self, at: &[f64], a: &[f64], b: &[f64]) -> f64 {
        let n = self.reactor.mechanism.species_count();
        let least = TRACE * at.iter().take(n).sum::<f64>();
        let relative: f64 = at.iter().zip(a).zip(b).take(n).map(|((v, a), b)| a * b / (v + least).powi(2)).sum();
        self.reactor.measure.product(a, b) + relative / n as f64
    }

    /// Length of a change, together with that of λ.
    fn length(&self, at: &[f64], change: &[f64], lambda: f64) -> f64 {
        self.product(at, change, change).sqrt().hypot(lambda)
    }

    /// The tangent of unit length, with dλ/ds of the sign of `direction`.
    fn tangent(&mut self, v: &[f64], lambda: f64, direction: f64) -> (Vec<f64>, f64) {
        let (_, w) = self.directions(v, lambda);
        let scale = direction / self.length(v, &w, 1.0);
        (w.iter().map(|w| w * scale).collect(), scale)
    }

    /// One step of length `s`; also returns how many Newton steps it took.
    fn step(&mut self, here: &Place, s: f64) -> Option<(Place, usize)> {
        let (dv, dl) = &here.along;
        let mut v = here.v.clone();
        self.reactor.add(&mut v, dv, s);
        let mut lambda = here.lambda + s * dl;
        let mut last = f64::INFINITY;
        for i in 1..=NEWTON {
            let (u, w) = self.directions(&v, lambda);
            let gone: Vec<f64> = v.iter().zip(&here.v).map(|(v, a)| v - a).collect();
            let along = |change: &[f64]| self.product(&here.v, dv, change);
            let missing = s - along(&gone) - dl * (lambda - here.lambda);
            let dlambda = (missing - along(&u)) / (along(&w) + dl);
            let change: Vec<f64> = u.iter().zip(&w).map(|(u, w)| u + w * dlambda).collect();
            let size = self.reactor.size(&v, &change);
            if !size.is_finite() || !dlambda.is_finite() || dlambda.abs() > 1.0 {
                return None;
            }
            self.reactor.add(&mut v, &change, 1.0);
            lambda += dlambda;
            if arrived(size, last) && dlambda.abs() < 1e-9 {
                let mut along = self.tangent(&v, lambda, 1.0);
                // Forwards along the curve, not back.
                let on = self.product(&here.v, dv, &along.0) + dl * along.1;
                let on = on / self.length(&here.v, &along.0, along.1);
                if on < 0.0 {
                    along.0.iter_mut().for_each(|x| *x = -*x);
                    along.1 = -along.1;
                }
                // If the tangent has turned too far, the step has cut a sharp bend short, and is refused.
                let awaits = self.reactor.awaits(&v);
                return (on.abs() > 0.9).then_some((Place { v, lambda, along, awaits, growth: None }, i));
            }
            last = size;
        }
        None
    }

    /// Adds the states at the residence times asked for, and at the ends of the range, between two points.
    fn between(&mut self, from: &Place, to: &Place) {
        let (low, high) = (from.lambda.min(to.lambda), from.lambda.max(to.lambda));
        let all = self.asked.iter().chain(&self.range).copied();
        let mut times: Vec<f64> =
            all.filter(|tau| (low..=high).contains(&tau.ln()) && tau.ln() != from.lambda).collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        if to.lambda < from.lambda {
            times.reverse();
        }
        let length = self.between_them(from, to);
        for tau in times {
            let part = (tau.ln() - from.lambda) / (to.lambda - from.lambda);
            let guess: Vec<f64> = from.v.iter().zip(&to.v).map(|(a, b)| a + part * (b - a)).collect();
            let mut v = guess.clone();
            self.reactor.set_tau(tau);
            if self.reactor.newton(&mut v) && self.reactor.distance(&v, &guess) < length {
                let even = self.piece.turns.len().is_multiple_of(2);
                let growth = even.then(|| self.reactor.growth(&v, tau));
                self.push(tau, v, growth);
            }
        }
    }

    fn between_them(&self, from: &Place, to: &Place) -> f64 {
        let change: Vec<f64> = to.v.iter().zip(&from.v).map(|(b, a)| b - a).collect();
        self.length(&from.v, &change, to.lambda - from.lambda)
    }

    /// The place between two points where `holds`, which is `first` at the first one, changes: where another
    /// curve branches off, because from there on a gas without radicals stays so only until the first radicals
    /// arrive, or where oscillations begin.
    fn crossing(
        &mut self,
        from: &Place,
        to: &Place,
        first: bool,
        holds: impl Fn(&mut StirredReactor, &[f64], f64) -> bool,
    ) -> Place {
        let (mut low, mut high) = (from.clone(), to.clone());
        for _ in 0..HALVINGS {
            let lambda = 0.5 * (low.lambda + high.lambda);
            let mut v: Vec<f64> = low.v.iter().zip(&high.v).map(|(a, b)| 0.5 * (a + b)).collect();
            self.reactor.set_tau(lambda.exp());
            if !self.reactor.newton(&mut v) {
                break;
            }
            let side = if holds(self.reactor, &v, lambda.exp()) == first { &mut low } else { &mut high };
            (side.v, side.lambda) = (v, lambda);
        }
        low
    }

    /// The place between two neighbouring points where dλ/ds vanishes.
    fn turn(&self, from: &Place, to: &Place) -> Turn {
        let (a, b) = (from.along.1, to.along.1);
        let part = a / (a - b);
        // λ on the cubic through both points and slopes, as a function of the length between them.
        let length = self.between_them(from, to);
        let (p2, p3) = (part * part, part * part * part);
        let lambda = from.lambda * (2.0 * p3 - 3.0 * p2 + 1.0)
            + to.lambda * (3.0 * p2 - 2.0 * p3)
            + length * (a * (p3 - 2.0 * p2 + part) + b * (p3 - p2));
        let t = |p: &Place| self.reactor.temperature(&p.v);
        Turn { tau: lambda.exp(), temperature: t(from) + part * (t(to) - t(from)) }
    }
}
