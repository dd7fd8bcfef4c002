//! All steady states over a range of residence times.

use super::walk::{BEYOND, Walk};
use super::{PsrError, StirredReactor, StirredState, require_times};
use std::sync::atomic::AtomicBool;

/// A gas that has come less than this part of the way to equilibrium does not burn.
const BURNS: f64 = 0.1;
/// States at a smaller distance than this are the same.
const SAME: f64 = 0.01;
/// Turns whose residence times differ by less, relatively, are the same turn, found from two sides.
const ONE_TURN: f64 = 1e-4;
/// If no flame settles, it is searched for at residence times longer by these factors.
const LONGER: [f64; 3] = [10.0, 100.0, BEYOND];

/// Which part of the curve a point is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Branch {
    /// Stable and hot. If the curve has no turns: at least a tenth of the way from the inflow to its
    /// equilibrium.
    Burning,
    /// Between the turns; no reactor stays at such a state.
    Unstable,
    /// Stable and cold.
    Extinguished,
}

impl Branch {
    /// The branch in one word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Burning => "burning",
            Self::Unstable => "unstable",
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
    /// No flame burns below this residence time.
    pub extinction: Option<Turn>,
    /// The inflow ignites above this residence time.
    pub ignition: Option<Turn>,
    /// All turns, from the burning end on. They alternate: at one, states end that exist at longer residence
    /// times only; at the next, states end that exist at shorter ones only. Two of them are `extinction` and
    /// `ignition`; a gas with a cool flame has more.
    pub turns: Vec<Turn>,
    /// Residence times at which the curve could not be followed further \[s\]. States at the residence times
    /// asked for are then searched for one by one; unstable ones may be missing.
    pub cut: Vec<f64>,
    /// Residence times asked for at which no steady state was found \[s\].
    pub missing: Vec<f64>,
}

impl Curve {
    /// Number of pieces.
    pub(super) fn pieces(&self) -> usize {
        self.points.iter().map(|p| p.piece + 1).max().unwrap_or_default()
    }
}

impl StirredReactor {
    /// The curve of steady states between the residence times `range` \[s\]: from the burning state at the
    /// longer one through extinction and ignition; and the extinguished states from the shorter one on, if
    /// they are not on the same piece. Turns are searched for up to a thousand times beyond the range, since
    /// the curve may come back from there. There are points at exactly the residence times `asked`.
    ///
    /// # Errors
    /// [`PsrError`] if no steady state is found at all, if a residence time is invalid, or if it was stopped.
    pub fn curve(&mut self, range: [f64; 2], asked: &[f64], stop: &AtomicBool) -> Result<Curve, PsrError> {
        require_times("residence time", &range)?;
        require_times("residence time", asked)?;
        let mut curve = Curve::default();
        let hot = self.hot(range[1], stop);
        if let Err(PsrError::Cancelled) = hot {
            return Err(PsrError::Cancelled);
        }
        if let Ok((tau, v)) = &hot {
            let piece = Walk::new(self, range, asked, stop).go(v, *tau, -1.0)?;
            piece.join(self, Branch::Burning, range, &mut curve);
        }
        let cold = match self.settle(range[0], self.variables(&self.inlet), stop) {
            Err(PsrError::Cancelled) => return Err(PsrError::Cancelled),
            Ok(v) => Some(v),
            Err(_) => self.untouched(range[0]),
        };
        if let Some(v) = cold.filter(|v| !self.knows(&curve, range[0], v, Branch::Extinguished)) {
            let piece = Walk::new(self, range, asked, stop).go(&v, range[0], 1.0)?;
            piece.join(self, Branch::Extinguished, range, &mut curve);
        }
        let whole = curve.cut.is_empty();
        // A piece that ends where another piece goes on is not cut.
        let Curve { cut, turns, extinction, ignition, .. } = &mut curve;
        if let Some(on) = ignition.filter(|on| cut.iter().any(|tau| (on.tau / tau).ln().abs() < SAME)) {
            cut.retain(|tau| (on.tau / tau).ln().abs() >= SAME);
            // A flame without a turn before has become the gas without radicals there.
            extinction.get_or_insert(on);
        }
        turns.dedup_by(|a, b| (a.tau / b.tau).ln().abs() < ONE_TURN);
        if curve.points.is_empty()
            && let Err(fault) = hot
        {
            return Err(fault);
        }
        let there = |curve: &Curve, tau: f64| curve.points.iter().any(|p| p.asked && p.tau == tau);
        for &tau in asked {
            if !whole || !there(&curve, tau) {
                self.fill(tau, &mut curve, stop)?;
            }
        }
        curve.missing = asked.iter().copied().filter(|&tau| !there(&curve, tau)).collect();
        Ok(curve)
    }

    /// The steady states at one residence time \[s\], from the burning one on: the burning, the unstable and
    /// the extinguished one, as far as they exist.
    ///
    /// # Errors
    /// [`PsrError`] if there is none.
    pub fn states(&mut self, tau: f64, stop: &AtomicBool) -> Result<Vec<CurvePoint>, PsrError> {
        match self.curve([tau, tau], &[tau], stop)?.points {
            none if none.is_empty() => Err(PsrError::Steady { tau }),
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
        let hot = match self.hot(tau, stop) {
            Ok((longer, v)) if longer > tau => self.down(longer, &v, tau, stop)?.ok_or(PsrError::Steady { tau }),
            other => other.map(|(_, v)| v),
        };
        let cold = self.settle(tau, self.variables(&self.inlet), stop);
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

    /// The burning state at `tau` \[s\], or at a longer residence time if none settles at `tau`: burnt gas
    /// may go out where a flame could burn. If there is no burning state, the state that burnt gas comes to
    /// at `tau`.
    fn hot(&mut self, tau: f64, stop: &AtomicBool) -> Result<(f64, Vec<f64>), PsrError> {
        let burnt = self.burnt()?;
        let mut out = None;
        for tau in std::iter::once(1.0).chain(LONGER).map(|factor| factor * tau) {
            match self.settle(tau, self.variables(&burnt), stop) {
                Ok(v) if self.branch(&v) == Branch::Burning => return Ok((tau, v)),
                Ok(v) => out = out.or(Some((tau, v))),
                Err(PsrError::Cancelled) => return Err(PsrError::Cancelled),
                Err(_) => {}
            }
        }
        out.ok_or(PsrError::Steady { tau })
    }

    /// The burning state at `tau`, by following the curve from a longer residence time.
    fn down(&mut self, longer: f64, v: &[f64], tau: f64, stop: &AtomicBool) -> Result<Option<Vec<f64>>, PsrError> {
        let (range, mut curve) = ([tau, longer], Curve::default());
        Walk::new(self, range, &[tau], stop).go(v, longer, -1.0)?.join(self, Branch::Burning, range, &mut curve);
        let there = curve.points.iter().find(|p| p.asked && p.branch == Branch::Burning);
        Ok(there.map(|p| self.variables(&p.state)))
    }

    /// The branch of a state that may be the only one at its residence time.
    pub(super) fn branch(&self, v: &[f64]) -> Branch {
        if self.measure.progress(v) < BURNS { Branch::Extinguished } else { Branch::Burning }
    }

    /// Whether a state is on the curve already. A stable and an unstable state count as two, even close to a
    /// turn.
    pub(super) fn knows(&self, curve: &Curve, tau: f64, v: &[f64], branch: Branch) -> bool {
        let stable = |branch: Branch| branch != Branch::Unstable;
        let at = |p: &&CurvePoint| p.tau == tau && stable(p.branch) == stable(branch);
        curve.points.iter().filter(at).any(|p| self.distance(&self.variables(&p.state), v) < SAME)
    }
}
