//! What several calls have cost together.

use kinlane::{Outcome, Quantiles, Report};
use std::collections::BTreeMap;

/// Reports of calls, added up.
#[derive(Debug, Default)]
pub struct Total {
    report: Report,
    /// How many calls there were.
    pub calls: usize,
    /// How many cells took so many accepted steps.
    counts: BTreeMap<u32, usize>,
}

impl Total {
    /// Adds a call; its cells count by themselves, although they may have been those of the call before.
    pub fn add(&mut self, report: &Report, outcomes: &[Outcome]) {
        for outcome in outcomes {
            *self.counts.entry(outcome.cost.steps).or_default() += 1;
        }
        let Some(sum) = self.sum(report) else { return };
        sum.cells += report.cells;
        sum.failed += report.failed;
        sum.rescued += report.rescued;
        for more in &report.chosen {
            match sum.chosen.iter_mut().find(|known| known.method == more.method) {
                Some(known) => known.cells += more.cells,
                // There is no room where more methods are named than cells choose among, which does not happen.
                None => drop(sum.chosen.try_push(more.clone())),
            }
        }
    }

    /// Adds a call in which one cell goes on from where the call before has left it.
    pub fn go_on(&mut self, report: &Report) {
        if let Some(sum) = self.sum(report) {
            sum.failed = report.failed;
            sum.rescued = sum.rescued.max(report.rescued);
            sum.method.clone_from(&report.method);
            sum.chosen.clone_from(&report.chosen);
        }
        self.counts = BTreeMap::from([(u32::try_from(self.report.steps).unwrap_or(u32::MAX), 1)]);
    }

    /// Adds what another call has cost. Returns the sum, unless that call is the first and thus all of it.
    fn sum(&mut self, more: &Report) -> Option<&mut Report> {
        self.calls += 1;
        let sum = &mut self.report;
        if self.calls == 1 {
            *sum = more.clone();
            return None;
        }
        sum.add_cost(more);
        if sum.fallback.is_none() {
            sum.fallback.clone_from(&more.fallback);
            sum.device.clone_from(&more.device);
        }
        Some(sum)
    }

    /// The sum.
    pub fn report(&self) -> Report {
        let mut report = self.report.clone();
        report.steps_per_cell = self.quantiles();
        report
    }

    /// As the library has them of one call.
    fn quantiles(&self) -> Quantiles {
        Quantiles::by_rank(self.counts.values().sum(), |rank| {
            let mut below = 0;
            let reached = |&(_, more): &(&u32, &usize)| {
                below += more;
                below > rank
            };
            self.counts.iter().find(reached).map_or(0, |(&steps, _)| steps)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Total;
    use kinlane::{Advance, Mechanism, States};

    /// Two calls over the halves of a batch are one call over the whole.
    #[test]
    fn halves_add_up_to_the_whole() {
        let mechanism = Mechanism::bundled("h2").expect("a mechanism");
        let gas = [("H2", 0.03), ("O2", 0.22), ("N2", 0.75)];
        let batch = |hot: &[f64]| {
            let one = States::uniform(&mechanism, 1, 1000.0, 1e5, &gas).expect("a gas");
            let n = hot.len();
            States::new(&mechanism, hot.to_vec(), vec![1e5; n], one.y().repeat(n)).expect("gases")
        };
        let mut solver = Advance::builder(&mechanism).threads(1).plan().expect("a solver");
        let hot: Vec<f64> = (0..40).map(|i| 300.0 + 40.0 * f64::from(i)).collect();
        let mut whole = batch(&hot);
        let right = solver.advance_states(&mut whole, 1e-4).expect("advanced");
        let mut total = Total::default();
        for half in hot.chunks(17) {
            let mut states = batch(half);
            let report = solver.advance_states(&mut states, 1e-4).expect("advanced");
            total.add(&report, states.outcomes());
        }
        let sum = total.report();
        assert_eq!((sum.cells, sum.steps, sum.rhs, sum.jac), (right.cells, right.steps, right.rhs, right.jac));
        assert_eq!(sum.steps_per_cell, right.steps_per_cell);
        let chosen = |report: &kinlane::Report| {
            let mut all: Vec<_> = report.chosen.iter().map(|c| (c.method.clone(), c.cells)).collect();
            all.sort();
            all
        };
        assert_eq!(chosen(&sum), chosen(&right));
        assert!(chosen(&sum).len() > 1, "{:?}", chosen(&sum));

        let mut one = Total::default();
        one.go_on(&right);
        one.go_on(&right);
        let one = one.report();
        assert_eq!((one.steps, u64::from(one.steps_per_cell.median)), (2 * right.steps, 2 * right.steps));
    }
}
