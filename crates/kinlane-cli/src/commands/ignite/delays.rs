//! Delays of all cells of a sweep, from one batch.

use super::{IgniteArgs, Request, faint, options, report};
use crate::commands::ending;
use crate::error::Error;
use crate::mixture::MixtureFault;
use crate::run::{progress, setup, stop};
use crate::values::is_positive;
use crate::words::{count, short};
use kinlane::{Advance, Followed, Peaks, States};

/// A species below this mass fraction is not a constituent of the gas.
const TRACE: f64 = 1e-8;

/// The delays of a sweep.
pub struct Delays<'a> {
    /// What they are of.
    pub asked: &'a Request,
    /// What was found.
    pub followed: Followed,
    /// Whether each cell has reacted at the end: half of an initial species is consumed.
    pub reacted: Vec<bool>,
    /// Whether each cell has failed.
    pub failed: Vec<bool>,
}

impl Delays<'_> {
    /// Delay `e` of point `i`, if it was found. A quantity that is largest at the start has no delay.
    pub fn at(&self, i: usize, e: usize) -> Option<f64> {
        self.followed.found.get(i * self.asked.delays.len() + e).copied().filter(|t| is_positive(*t))
    }

    /// Why the only point has no delay `e`, and what to do about it.
    pub fn lacking(&self, args: &IgniteArgs, e: usize) -> String {
        let delays = self.asked.delays.get(e..=e).unwrap_or_default();
        if let ([delay], Some(0.0)) = (delays, self.followed.found.get(e)) {
            return format!("{delay} was not found: the gas begins there");
        }
        if let ([delay], [true]) = (delays, &self.failed[..]) {
            return format!(
                "{delay} was not found before the cell failed; try a larger --max-steps, or another --method"
            );
        }
        match &self.reacted[..] {
            [true] => faint::why(args, self.asked, 0, e)
                .unwrap_or_else(|| report::lacking(delays, args.end(), self.asked.imposed.holds_t())),
            _ => {
                let delay = delays.first().map(ToString::to_string).unwrap_or_default();
                format!("{delay} does not happen within {} s; wait longer (--end-time)", short(args.end()))
            }
        }
    }
}

/// The delays of all points.
pub fn solve<'a>(args: &IgniteArgs, r: &'a Request, states: &mut States) -> Result<Delays<'a>, Error> {
    let wishes = options(args, &r.imposed);
    let solver = if r.imposed.any() {
        setup::only_cpu(&args.run)?;
        setup::place(&args.run)?;
        r.imposed.solver(&r.mechanism, &wishes, &args.run, r.threads)?
    } else {
        let follow = setup::placed(Advance::builder(&r.mechanism).options(wishes), &args.run)?.follow();
        follow.map_err(|fault| Error::from(fault).without_first_step())?
    };
    // What is prepared is what will be needed.
    let mut solver = if r.has_maximum() { solver.with_peaks(Peaks::Always)? } else { solver };
    stop::connect(solver.stop_flag());
    solver.prepare(states.len()).map_err(MixtureFault::Batch)?;
    let progress = solver.progress();
    let followed = progress::watched(args.run.cpu.quiet, states.len(), &progress, || {
        r.imposed.advance(&mut solver, states, args.end(), &[], &r.events)
    })?;
    stop::check()?;
    if !followed.blurred.is_empty() {
        tell!(
            "the steepest rise of {} has no sharp peak, and finer tolerances did not get to it: its time may be some per cent off \
             (--max-steps)",
            count(followed.blurred.len(), "cell")
        );
    }
    ending::tell_fallback(followed.report.fallback.as_deref());
    let gone = |(before, after): (&f64, &f64)| *before > TRACE && *after < 0.5 * before;
    let reacted = r.points.iter().enumerate().map(|(i, p)| p.y.iter().zip(states.y_of(i)).any(gone)).collect();
    let mut failed = vec![false; r.points.len()];
    for (i, _) in states.failures() {
        if let Some(failed) = failed.get_mut(i) {
            *failed = true;
        }
    }
    Ok(Delays { asked: r, followed, reacted, failed })
}
