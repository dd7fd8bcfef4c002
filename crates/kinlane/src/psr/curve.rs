//! All steady states over a range of residence times.

use super::walk::{BEYOND, Walk};
use super::{PsrError, StirredReactor, StirredState, require_times};
use std::sync::atomic::AtomicBool;

/// A gas that has not come this part of the way to equilibrium does not burn.
const BURNS: f64 = 0.1;
/// States nearer than this are one.
const SAME: f64 = 0.01;
/// Turns whose residence times differ by less, relatively, are one, come upon from two sides.
const ONE_TURN: f64 = 1e-4;
/// Where no flame settles, it is looked for at residence times that are longer by these factors.
const LONGER: [f64; 3] = [10.0, 100.0, BEYOND];

/// Which part of the curve a point is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Branch {
    /// Stable and hot. Where the curve has no turns: at least a tenth of the way from the inflow to its equilibrium.
    Burning,
    /// Between the turns; no reactor stays there.
    Unstable,
    /// Stable and cold.
    Extinguished,
}

impl Branch {
    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Burning => "burning",
            Self::Unstable => "unstable",
            Self::Extinguished => "extinguished",
        }
    }
}

/// A steady state of the curve.
#[derive(Debug, Clone, PartialEq)]
pub struct CurvePoint {
    /// Residence time \[s\].
    pub tau: f64,
    /// The gas.
    pub state: StirredState,
    /// Where on the curve.
    pub branch: Branch,
    /// At one of the residence times asked for.
    pub asked: bool,
    /// Points of one piece hang together, in their order.
    pub piece: usize,
}

/// Where the curve turns back, or where a gas that has no radicals no longer stays without.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Turn {
    /// Residence time \[s\].
    pub tau: f64,
    /// T \[K\].
    pub temperature: f64,
}

/// The steady states over a range of residence times.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Curve {
    /// Along the curve, from the burning end.
    pub points: Vec<CurvePoint>,
    /// Below this residence time no flame burns.
    pub extinction: Option<Turn>,
    /// Above this residence time the inflow ignites.
    pub ignition: Option<Turn>,
    /// Every turn, from the burning end on: in turn where states end that are there at longer residence times only, and
    /// where some end that are there at shorter ones. Two of them are `extinction` and `ignition`; a gas with a cool flame
    /// has more.
    pub turns: Vec<Turn>,
    /// Where the curve could not be followed further \[s\]. States at the residence times asked for are then found one
    /// by one; unstable ones may be missing.
    pub cut: Vec<f64>,
    /// Residence times asked for at which no steady state was found \[s\].
    pub missing: Vec<f64>,
}

impl Curve {
    /// How many pieces there are.
    pub(super) fn pieces(&self) -> usize {
        self.points.iter().map(|p| p.piece + 1).max().unwrap_or_default()
    }
}

impl StirredReactor {
    /// The curve of steady states between the residence times `range` \[s\]: from the burning state at the longer one
    /// through extinction and ignition; and the extinguished states from the shorter one on, if these are not on the same
    /// piece. Turns up to a thousand times beyond the range are looked for, as the curve may come back from there. At the
    /// residence times `asked` there are points exactly.
    ///
    /// # Errors
    /// [`PsrError`] if no steady state at all is found, if a residence time is none, or if it was stopped.
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
        // What ends where another piece goes on is no loose end.
        let Curve { cut, turns, extinction, ignition, .. } = &mut curve;
        if let Some(on) = ignition.filter(|on| cut.iter().any(|tau| (on.tau / tau).ln().abs() < SAME)) {
            cut.retain(|tau| (on.tau / tau).ln().abs() >= SAME);
            // A flame that does not turn before has become the gas without radicals there.
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

    /// The steady states at one residence time \[s\], from the burning one on: it, the unstable one and the extinguished
    /// one, as far as there are these.
    ///
    /// # Errors
    /// [`PsrError`] if there is none.
    pub fn states(&mut self, tau: f64, stop: &AtomicBool) -> Result<Vec<CurvePoint>, PsrError> {
        match self.curve([tau, tau], &[tau], stop)?.points {
            none if none.is_empty() => Err(PsrError::Steady { tau }),
            points => Ok(points),
        }
    }

    /// The state of a gas that stays as it flows in only for there is nothing yet to begin with.
    fn untouched(&mut self, tau: f64) -> Option<Vec<f64>> {
        let mut v = self.variables(&self.inlet);
        self.set_tau(tau);
        let there = self.newton(&mut v);
        self.linearise(&v);
        (there && self.awaits(&v)).then_some(v)
    }

    /// Adds the stable states at a residence time that the curve does not have.
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

    /// The burning state at `tau` \[s\], or at a longer residence time if none settles there: burnt gas may go out where
    /// a flame could burn. Where there is none at all, what burnt gas comes to at `tau`.
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

    /// The burning state at `tau` by way of that at a longer residence time.
    fn down(&mut self, longer: f64, v: &[f64], tau: f64, stop: &AtomicBool) -> Result<Option<Vec<f64>>, PsrError> {
        let (range, mut curve) = ([tau, longer], Curve::default());
        Walk::new(self, range, &[tau], stop).go(v, longer, -1.0)?.join(self, Branch::Burning, range, &mut curve);
        let there = curve.points.iter().find(|p| p.asked && p.branch == Branch::Burning);
        Ok(there.map(|p| self.variables(&p.state)))
    }

    /// What to call a state that may be the only one.
    pub(super) fn branch(&self, v: &[f64]) -> Branch {
        if self.measure.progress(v) < BURNS { Branch::Extinguished } else { Branch::Burning }
    }

    /// Whether a state is on the curve. Close to a turn a stable and an unstable one are two.
    pub(super) fn knows(&self, curve: &Curve, tau: f64, v: &[f64], branch: Branch) -> bool {
        let stable = |branch: Branch| branch != Branch::Unstable;
        let at = |p: &&CurvePoint| p.tau == tau && stable(p.branch) == stable(branch);
        curve.points.iter().filter(at).any(|p| self.distance(&self.variables(&p.state), v) < SAME)
    }
}
