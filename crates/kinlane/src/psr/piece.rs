//! A connected piece of the curve, and the names of its parts.
//!
//! A name belongs to a state, whatever residence times were asked for. So every piece is followed to residence
//! times at which nothing turns any more. The part that the equilibrium at long times is on burns; the part
//! that the inflow at short times is on is extinguished; a stable part between two turns is a cool flame.

use super::StirredReactor;
use super::curve::{Branch, Curve, CurvePoint, Turn};
use super::modes::Growth;

/// A piece of the curve, in the order in which it was followed.
#[derive(Default)]
pub(super) struct Piece {
    pub(super) points: Vec<Mark>,
    pub(super) turns: Vec<Turn>,
    /// Where absent species begin or cease to grow: the place, its state, and the number of turns before it.
    pub(super) crossings: Vec<(Turn, Vec<f64>, usize)>,
    /// Where a pair of modes begins or ceases to grow.
    pub(super) hopf: Vec<Turn>,
    pub(super) end: End,
    /// The state at the end.
    pub(super) last: Vec<f64>,
    /// How often the curve has left the range so far.
    pub(super) left: usize,
}

/// Where a piece ends.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) enum End {
    /// At residence times so short that nothing reacts.
    #[default]
    Short,
    /// At residence times so long that nothing turns any more.
    Long,
    /// At this residence time \[s\], from which it could not be followed.
    Cut(f64),
}

/// A state on the curve.
pub(super) struct Mark {
    pub(super) tau: f64,
    pub(super) v: Vec<f64>,
    pub(super) asked: bool,
    /// Whether absent species would grow.
    pub(super) awaits: bool,
    /// What becomes of disturbances, on parts that are stable as far as turns tell.
    pub(super) growth: Option<Growth>,
    /// Number of turns before it.
    pub(super) turns: usize,
    /// How often the curve had left the range before it.
    pub(super) left: usize,
}

impl Piece {
    /// The residence time at which the piece was cut \[s\].
    pub(super) fn cut(&self) -> Option<f64> {
        if let End::Cut(tau) = self.end { Some(tau) } else { None }
    }

    /// Whether a piece was cut on its first part, the branch `first`, before it came to `tau` \[s\].
    pub(super) fn short_of(&self, tau: f64, first: Branch) -> bool {
        let before = |cut: f64| if first == Branch::Burning { tau < cut } else { tau > cut };
        self.turns.is_empty() && self.cut().is_some_and(before)
    }

    /// The name of a part without growing modes, by the number of turns before it. `first` is the name of the
    /// first part. A piece that neither turns nor has another one beside it (`alone`) has none.
    fn part(&self, turns: usize, first: Branch, alone: bool) -> Option<Branch> {
        let (other, far) = match first {
            Branch::Burning => (Branch::Extinguished, End::Short),
            _ => (Branch::Burning, End::Long),
        };
        match turns {
            0 if alone && self.turns.is_empty() => None,
            0 => Some(first),
            odd if !odd.is_multiple_of(2) => Some(Branch::Unstable),
            last if last == self.turns.len() && self.end == far => Some(other),
            _ => Some(Branch::CoolFlame),
        }
    }

    fn name(&self, reactor: &StirredReactor, m: &Mark, first: Branch, alone: bool) -> Branch {
        match (self.part(m.turns, first, alone), m.growth) {
            _ if m.awaits => Branch::Unstable,
            (Some(Branch::Unstable), _) | (_, Some(Growth::OneWay)) => Branch::Unstable,
            (_, Some(Growth::Swinging)) => Branch::Oscillating,
            (part, _) => part.unwrap_or_else(|| reactor.branch(&m.v)),
        }
    }

    /// Crossings at which an extinguished gas ignites.
    fn ignitions(&self, reactor: &StirredReactor, first: Branch, alone: bool) -> Vec<Turn> {
        let cold = |v: &[f64], turns| {
            self.part(turns, first, alone).unwrap_or_else(|| reactor.branch(v)) == Branch::Extinguished
        };
        self.crossings.iter().filter(|(_, v, turns)| cold(v, *turns)).map(|(turn, ..)| *turn).collect()
    }

    /// Where the hottest and where the coldest branch end, as far as they are on this piece.
    fn ends(&self, reactor: &StirredReactor, first: Branch, alone: bool) -> [Option<Turn>; 2] {
        let crossed = self.ignitions(reactor, first, alone);
        match first {
            Branch::Burning => {
                let cold = if self.end == End::Short { self.turns.last() } else { None };
                [self.turns.first().copied(), crossed.last().or(cold).copied()]
            }
            _ => {
                let hot = if self.end == End::Long { self.turns.last() } else { None };
                [hot.copied(), crossed.first().or(self.turns.first()).copied()]
            }
        }
    }

    /// Adds the piece, with its turns within the range, to a curve, which is ordered from the burning end on.
    /// `first`: the branch with which the piece begins. `alone`: whether no other piece is beside it.
    pub(super) fn join(
        mut self,
        reactor: &StirredReactor,
        (first, alone): (Branch, bool),
        range: [f64; 2],
        curve: &mut Curve,
    ) {
        let inside = |turn: &Turn| (range[0]..=range[1]).contains(&turn.tau);
        let [out, on] = self.ends(reactor, first, alone);
        curve.extinction = curve.extinction.or(out.filter(inside));
        curve.ignition = curve.ignition.or(on.filter(inside));
        let mut turns = self.ignitions(reactor, first, alone);
        turns.extend(match first {
            Branch::Burning => self.turns.clone(),
            _ => self.turns.iter().rev().copied().collect(),
        });
        curve.turns.extend(turns.into_iter().filter(inside));
        curve.hopf.extend(self.hopf.iter().copied().filter(inside));
        let piece = curve.pieces();
        let marks = std::mem::take(&mut self.points);
        let named = marks.into_iter().map(|m| (self.name(reactor, &m, first, alone), m));
        // This piece may have reached the place where an earlier piece was cut.
        let new = named.filter(|(branch, m)| !(m.asked && reactor.knows(curve, m.tau, &m.v, *branch)));
        let point = |(branch, m): (Branch, Mark)| CurvePoint {
            tau: m.tau,
            state: reactor.state(&m.v),
            branch,
            asked: m.asked,
            piece: piece + m.left,
        };
        let mut points: Vec<CurvePoint> = new.map(point).collect();
        if first != Branch::Burning {
            points.reverse();
        }
        curve.points.extend(points);
        curve.cut.extend(self.cut());
    }
}
