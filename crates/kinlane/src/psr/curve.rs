//! All steady states over a range of residence times.

use super::piece::{End, Piece};
use super::steady::{BRIEF, PATIENT, Patience};
use super::walk::{LONG, SHORT, Walk};
use super::{PsrError, StirredReactor, StirredState, require_times};
use std::sync::atomic::AtomicBool;

/// A gas that has come less than this part of the way to equilibrium does not burn.
const BURNS: f64 = 0.1;
/// States at a smaller distance than this are the same.
const SAME: f64 = 0.01;
/// Two states at the longest residence time closer than this are on one branch.
pub(super) const APART: f64 = 1.0;
/// Turns whose residence times differ by less, relatively, are the same turn, found from two sides.
const ONE_TURN: f64 = 1e-4;
/// If no flame settles, it is searched for at residence times longer by these factors.
const LONGER: [f64; 3] = [10.0, 100.0, 1000.0];

/// What a steady state is: a property of the gas that flows in and of the state, not of the range of residence
/// times that is looked at. A cut curve is named as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Branch {
    /// Stable, and on the part of the curve that leads to equilibrium at long residence times. If the curve has
    /// no turns at all: at least a tenth of the way from the inflow to its equilibrium.
    Burning,
    /// Stable, on a part of the curve between two turns.
    CoolFlame,
    /// A single disturbance grows, as between extinction and ignition, or two do, without oscillating; no
    /// reactor stays at such a state.
    Unstable,
    /// Where turns would let it be stable, but the fastest disturbance is an oscillation that grows: the
    /// reactor goes out, ignites or pulsates.
    Oscillating,
    /// Stable, and on the part of the curve that leads to the inflow at short residence times.
    Extinguished,
}

impl Branch {
    /// The branch in a word or two.
    pub fn word(self) -> &'static str {
        match self {
            Self::Burning => "burning",
            Self::CoolFlame => "cool flame",
            Self::Unstable => "unstable",
            Self::Oscillating => "oscillating",
            Self::Extinguished => "extinguished",
        }
    }
}

/// A steady state on the curve.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CurvePoint {
    /// Residence time \[s\].
    pub tau: f64,
    /// The gas.
    pub state: StirredState,
    /// The branch of the curve.
    pub branch: Branch,
    /// Whether its residence time was one of those asked for.
    pub asked: bool,
    /// Index of the piece of the curve; points of one piece are connected, in their order.
    pub piece: usize,
}

/// A place where the curve turns back, or where a gas without radicals no longer stays without them.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Turn {
    /// Residence time \[s\].
    pub tau: f64,
    /// T \[K\].
    pub temperature: f64,
}

/// The steady states over a range of residence times.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Curve {
    /// Points along the curve, from the burning end.
    pub points: Vec<CurvePoint>,
    /// The end of the burning branch, if it is in the range. Oscillations may begin before it.
    pub extinction: Option<Turn>,
    /// The end of the extinguished branch, if it is in the range.
    pub ignition: Option<Turn>,
    /// All turns in the range, from the burning end on. On a curve in one piece they alternate: at one, states
    /// end that exist at longer residence times only; at the next, states end that exist at shorter ones only.
    /// Two of them are `extinction` and `ignition`; a gas with a cool flame has more.
    pub turns: Vec<Turn>,
    /// Where in the range a branch loses its stability although it does not turn: a pair of modes that oscillate
    /// begins to grow (Hopf points).
    pub hopf: Vec<Turn>,
    /// Residence times, also outside the range, at which the curve could not be followed further \[s\]. Stable
    /// states at the residence times asked for are then searched for one by one; unstable ones may be missing.
    pub cut: Vec<f64>,
    /// Residence times asked for at which no steady state was found \[s\].
    pub missing: Vec<f64>,
    /// The residence time \[s\] from which on what flows is lost in the rounding of the rates of burnt gas.
    pub longest: f64,
}

impl Curve {
    /// Why there is no state at a residence time \[s\] that is missing.
    pub fn without_state(&self, tau: f64) -> PsrError {
        PsrError::without_state(tau, self.longest)
    }

    /// Number of pieces.
    pub(super) fn pieces(&self) -> usize {
        self.points.iter().map(|p| p.piece + 1).max().unwrap_or_default()
    }
}

impl StirredReactor {
    /// The curve of steady states between the residence times `range` \[s\]: from the burning state at the
    /// longer one through extinction and ignition; and the extinguished states from the shorter one on, if
    /// they are not on the same piece. It is followed from 100 s to 1e-12 s, or to the ends of a wider range,
    /// since it may come back into the range, and since that tells what its branches are. There are points at
    /// exactly the residence times `asked`.
    ///
    /// # Errors
    /// [`PsrError`] if no steady state is found at all, if a residence time is invalid, or if it was stopped.
    pub fn curve(&mut self, range: [f64; 2], asked: &[f64], stop: &AtomicBool) -> Result<Curve, PsrError> {
        require_times("residence time", &range)?;
        require_times("residence time", asked)?;
        let mut start = self.hottest(range[1], stop);
        let mut hot = self.follow_down(&start, range, asked, stop)?;
        // At very long times 1/τ may be lost in the rounding errors of rates.
        if hot.as_ref().is_some_and(|hot| hot.short_of(range[1], Branch::Burning)) {
            start = self.hot(range[1], PATIENT, stop);
            hot = self.follow_down(&start, range, asked, stop)?;
        }
        let cold = match &hot {
            Some(hot) if hot.end == End::Short => None,
            _ => self.cold(range, asked, stop)?,
        };
        let alone = !self.are_two(start.as_ref().ok().map(|(_, v)| &v[..]), hot.as_ref(), cold.as_ref());
        let pieces = [(hot, Branch::Burning), (cold, Branch::Extinguished)];
        let pieces: Vec<(Piece, Branch)> = pieces.into_iter().filter_map(|(p, first)| Some((p?, first))).collect();
        let mut curve = Curve { longest: self.longest, ..Curve::default() };
        let lacks: Vec<bool> =
            asked.iter().map(|&tau| pieces.iter().any(|(p, first)| p.short_of(tau, *first))).collect();
        pieces.into_iter().for_each(|(p, first)| p.join(self, (first, alone), range, &mut curve));
        // A piece that ends where another piece goes on is not cut.
        let Curve { cut, turns, extinction, ignition, .. } = &mut curve;
        if let Some(on) = ignition.filter(|on| cut.iter().any(|tau| (on.tau / tau).ln().abs() < SAME)) {
            cut.retain(|tau| (on.tau / tau).ln().abs() >= SAME);
            // A flame without a turn before has become the gas without radicals there.
            extinction.get_or_insert(on);
        }
        turns.dedup_by(|a, b| (a.tau / b.tau).ln().abs() < ONE_TURN);
        let whole = !curve.cut.iter().any(|tau| (range[0]..=range[1]).contains(tau));
        if curve.points.is_empty()
            && let Err(fault) = start
        {
            return Err(fault);
        }
        let there = |curve: &Curve, tau: f64| curve.points.iter().any(|p| p.asked && p.tau == tau);
        for (&tau, lacks) in asked.iter().zip(lacks) {
            if !whole || lacks && !curve.cut.is_empty() || !there(&curve, tau) {
                self.fill(tau, &mut curve, stop)?;
            }
        }
        curve.missing = asked.iter().copied().filter(|&tau| !there(&curve, tau)).collect();
        Ok(curve)
    }

    /// The piece that goes down from a state, if there is one.
    fn follow_down(
        &mut self,
        start: &Result<(f64, Vec<f64>), PsrError>,
        range: [f64; 2],
        asked: &[f64],
        stop: &AtomicBool,
    ) -> Result<Option<Piece>, PsrError> {
        match start {
            Err(PsrError::Cancelled) => Err(PsrError::Cancelled),
            Err(_) => Ok(None),
            Ok((tau, v)) => {
                let beside = *tau == self.longest;
                let mut walk = Walk::new(self, range, asked, stop);
                if beside {
                    walk.beside_equilibrium(*tau);
                }
                walk.go(v, *tau, -1.0).map(Some)
            }
        }
    }

    /// The piece that begins with the inflow at the shortest residence time.
    fn cold(&mut self, range: [f64; 2], asked: &[f64], stop: &AtomicBool) -> Result<Option<Piece>, PsrError> {
        let shortest = SHORT.min(range[0]);
        let start = match self.settle(shortest, self.variables(&self.inlet), PATIENT, stop) {
            Err(PsrError::Cancelled) => return Err(PsrError::Cancelled),
            Ok(v) => Some(v),
            Err(_) => self.untouched(shortest),
        };
        start.map(|v| Walk::new(self, range, asked, stop).go(&v, shortest, 1.0)).transpose()
    }

    /// Whether the hot piece, which begins at `start`, and the cold piece are two branches, not parts of one.
    fn are_two(&self, start: Option<&[f64]>, hot: Option<&Piece>, cold: Option<&Piece>) -> bool {
        let (Some(start), Some(hot), Some(cold)) = (start, hot, cold) else { return false };
        match (cold.end, hot.end) {
            (End::Long, _) => self.distance(start, &cold.last) > APART,
            (End::Cut(cold), End::Cut(hot)) => hot < cold,
            _ => true,
        }
    }

    /// The steady states at one residence time \[s\], from the burning one on: the burning, the unstable and
    /// the extinguished one, as far as they exist.
    ///
    /// # Errors
    /// [`PsrError`] if there is none.
    pub fn states(&mut self, tau: f64, stop: &AtomicBool) -> Result<Vec<CurvePoint>, PsrError> {
        match self.curve([tau, tau], &[tau], stop)?.points {
            none if none.is_empty() => Err(self.without_state(tau)),
            points => Ok(points),
        }
    }

    /// The state of a gas that stays as it flows in, only because nothing that could start a reaction is
    /// present yet.
    fn untouched(&mut self, tau: f64) -> Option<Vec<f64>> {
        let mut v = self.variables(&self.inlet);
        self.set_tau(tau);
        let there = self.newton(&mut v);
        self.linearise(&v);
        (there && self.awaits(&v)).then_some(v)
    }

    /// Adds stable states at a residence time that are missing in the curve.
    fn fill(&mut self, tau: f64, curve: &mut Curve, stop: &AtomicBool) -> Result<(), PsrError> {
        let mut found = Vec::new();
        let hot = match self.hot(tau, PATIENT, stop) {
            Ok((longer, v)) if longer > tau => self.down(longer, &v, tau, stop)?.ok_or(self.without_state(tau)),
            other => other.map(|(_, v)| v),
        };
        let cold = self.settle(tau, self.variables(&self.inlet), PATIENT, stop);
        for state in [hot, cold] {
            match state {
                Err(PsrError::Cancelled) => return Err(PsrError::Cancelled),
                Err(_) => {}
                Ok(v) => found.push(v),
            }
        }
        let one = matches!(&found[..], [hot, cold] if self.distance(hot, cold) < SAME);
        if one {
            found.truncate(1);
        }
        let names = if found.len() == 2 { Some([Branch::Burning, Branch::Extinguished]) } else { None };
        for (i, v) in found.iter().enumerate() {
            let branch = names.and_then(|n| n.get(i).copied()).unwrap_or_else(|| self.branch(v));
            if !self.knows(curve, tau, v, branch) {
                let piece = curve.pieces();
                curve.points.push(CurvePoint { tau, state: self.state(v), branch, asked: true, piece });
            }
        }
        Ok(())
    }

    /// The burning state at so long a residence time that nothing turns any more: beside the equilibrium, or
    /// where the curve leads to from a burning state at `tau` \[s\]. If it does not, that state.
    fn hottest(&mut self, tau: f64, stop: &AtomicBool) -> Result<(f64, Vec<f64>), PsrError> {
        let longest = LONG.max(tau);
        let burnt = self.variables(&self.burnt()?);
        if longest > self.longest
            && let Some(beside) = self.beside_equilibrium(stop)
        {
            return Ok((self.longest, beside(self.longest)));
        }
        let mut v = burnt.clone();
        self.set_tau(longest);
        if self.newton(&mut v) && self.distance(&v, &burnt) < APART && self.stable(&v) {
            return Ok((longest, v));
        }
        // A flame that oscillates at one residence time may be steady at the next.
        let (tau, v) = match self.hot(tau, BRIEF, stop) {
            Ok((tau, v)) if self.branch(&v) == Branch::Burning => (tau, v),
            Err(PsrError::Cancelled) => return Err(PsrError::Cancelled),
            _ => self.hot(tau, PATIENT, stop)?,
        };
        let up = Walk::new(self, [longest, longest], &[longest], stop).go(&v, tau, 1.0)?;
        let end = up.points.into_iter().next().filter(|_| up.turns.is_empty());
        Ok(end.map_or((tau, v), |m| (longest, m.v)))
    }

    /// The burning state at `tau` \[s\], or at a longer residence time if none settles at `tau`: burnt gas
    /// may go out where a flame could burn. If there is no burning state, the state that burnt gas comes to
    /// at `tau`.
    fn hot(&mut self, tau: f64, patience: Patience, stop: &AtomicBool) -> Result<(f64, Vec<f64>), PsrError> {
        let burnt = self.burnt()?;
        let mut out = None;
        for tau in std::iter::once(1.0).chain(LONGER).map(|factor| factor * tau) {
            match self.settle(tau, self.variables(&burnt), patience, stop) {
                Ok(v) if self.branch(&v) == Branch::Burning => return Ok((tau, v)),
                Ok(v) => out = out.or(Some((tau, v))),
                Err(PsrError::Cancelled) => return Err(PsrError::Cancelled),
                Err(_) => {}
            }
        }
        out.ok_or(self.without_state(tau))
    }

    /// The burning state at `tau`, by following the curve from a longer residence time.
    fn down(&mut self, longer: f64, v: &[f64], tau: f64, stop: &AtomicBool) -> Result<Option<Vec<f64>>, PsrError> {
        let (range, mut curve) = ([tau, longer], Curve::default());
        let piece = Walk::new(self, range, &[tau], stop).go(v, longer, -1.0)?;
        piece.join(self, (Branch::Burning, true), range, &mut curve);
        let there = curve.points.iter().find(|p| p.asked && p.branch == Branch::Burning);
        Ok(there.map(|p| self.variables(&p.state)))
    }

    /// The branch of a state that may be the only one at its residence time.
    pub(super) fn branch(&self, v: &[f64]) -> Branch {
        if self.measure.progress(v) < BURNS { Branch::Extinguished } else { Branch::Burning }
    }

    /// Whether a state is on the curve already. A state between turns and another count as two, even close to
    /// a turn.
    pub(super) fn knows(&self, curve: &Curve, tau: f64, v: &[f64], branch: Branch) -> bool {
        let between = |branch: Branch| branch == Branch::Unstable;
        let at = |p: &&CurvePoint| p.tau == tau && between(p.branch) == between(branch);
        curve.points.iter().filter(at).any(|p| self.distance(&self.variables(&p.state), v) < SAME)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Mechanism;

    /// At 1 and 10 ms the flame oscillates; briefly looked for, it is found at a longer time, from where the curve leads to it.
    #[test]
    fn a_flame_that_oscillates_is_found_from_a_longer_time() {
        let m = Mechanism::bundled("h2").expect("the mechanism");
        let y = m.mass_fractions_of_moles(&[("H2", 2.0), ("O2", 1.0)]).expect("the gas");
        let mut r = StirredReactor::new(&m, 1000.0, 101_325.0, &y, true).expect("a reactor");
        let stop = AtomicBool::new(false);
        let (tau, v) = r.hot(1e-3, BRIEF, &stop).expect("a flame");
        assert!(tau > 0.05 && r.branch(&v) == Branch::Burning, "{tau}");
        let states = r.states(1e-3, &stop).expect("a state");
        assert!(matches!(&states[..], [one] if one.branch == Branch::Oscillating), "{states:?}");
    }
}
