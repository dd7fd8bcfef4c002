//! What threads that run in step lose to branches and to loops of unequal lengths where they share a cell,
//! counted from the plan.

use kinlane_plan::Plan;

/// Losses in groups of `width` threads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Branches {
    /// Groups needed to give every reaction a thread, in the order of the file.
    pub groups: usize,
    /// Groups among them whose reactions have several shapes.
    pub mixed: usize,
    /// Turns that these groups take: the shapes in a group run one after another.
    pub in_order: usize,
    /// Turns of loops over one shape each, as they are printed.
    pub sorted: usize,
    /// Fraction of the threads that work in those loops.
    pub reactions: f64,
    /// Fraction of the threads that work where production rates are summed.
    pub sums: f64,
    /// Fraction of the threads that work in a factorisation.
    pub factors: f64,
}

impl Branches {
    /// Counts the losses.
    pub fn of(plan: &Plan, width: usize) -> Self {
        let shapes = shapes(plan);
        let groups = shapes.chunks(width);
        let kinds: Vec<usize> = groups
            .map(|g| {
                let mut g = g.to_vec();
                g.sort_unstable();
                g.dedup();
                g.len()
            })
            .collect();
        let classes = plan.kinetics.mass_action.iter().map(|c| c.count);
        let singles = plan.kinetics.general.iter().map(|_| 1);
        let counts: Vec<usize> = classes.chain(singles).collect();
        let sorted = turns(counts.iter().copied(), width);
        Self {
            groups: kinds.len(),
            mixed: kinds.iter().filter(|&&k| k > 1).count(),
            in_order: kinds.iter().sum(),
            sorted,
            reactions: part(counts.iter().sum(), sorted * width),
            sums: sums(plan, width),
            factors: factors(plan, width),
        }
    }
}

fn part(work: usize, time: usize) -> f64 {
    if time == 0 { 1.0 } else { work as f64 / time as f64 }
}

/// Turns of loops of these lengths, each divided among `width` threads.
fn turns(lengths: impl Iterator<Item = usize>, width: usize) -> usize {
    lengths.map(|n| n.div_ceil(width)).sum()
}

/// The shape of every internal reaction, in the order of the file.
fn shapes(plan: &Plan) -> Vec<usize> {
    let kinetics = &plan.kinetics;
    let of = |number: usize| {
        let class = kinetics.mass_action.iter().position(|c| (c.first..c.first + c.count).contains(&number));
        // A general reaction has a shape of its own.
        class.unwrap_or(kinetics.mass_action.len() + number)
    };
    kinetics.place.iter().flat_map(|&(forward, reverse)| std::iter::once(forward).chain(reverse)).map(of).collect()
}

/// Sums side by side, one thread each: all wait for the longest.
fn sums(plan: &Plan, width: usize) -> f64 {
    let (mut work, mut time) = (0, 0);
    for lists in [plan.kinetics.wdot.short, plan.kinetics.wdot.long] {
        let ends = plan.tables.list(lists.ptr);
        let lengths: Vec<usize> = ends.chunks_exact(3).map(|p| (p[2] - p[0]) as usize).take(lists.count).collect();
        work += lengths.iter().sum::<usize>();
        time += lengths.chunks(width).map(|g| width * g.iter().max().copied().unwrap_or(0)).sum::<usize>();
    }
    part(work, time)
}

/// The innermost loops of a factorisation: the part of a row right of its diagonal.
fn factors(plan: &Plan, width: usize) -> f64 {
    let [row, diagonal, column] = [plan.lu.row, plan.lu.diag, plan.lu.col].map(|t| plan.tables.list(t));
    let behind = |k: usize| (row[k + 1] - diagonal[k] - 1) as usize;
    let rows = (0..plan.lu.n).flat_map(|i| &column[row[i] as usize..diagonal[i] as usize]);
    let lengths: Vec<usize> = rows.map(|&k| behind(k as usize)).collect();
    part(lengths.iter().sum(), width * turns(lengths.iter().copied(), width))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kinlane_testdata::files;

    #[test]
    fn sorting_by_shape_leaves_fewer_turns() {
        for name in ["h2co_burke", "gri30", "usc_mech_ii"] {
            let Some(network) = files::mechanism(name) else { return };
            let b = Branches::of(&Plan::new(&network), 32);
            eprintln!("{name}: {b:?}");
            assert!(b.sorted <= b.in_order && b.mixed <= b.groups, "{b:?}");
            assert!([b.reactions, b.sums, b.factors].iter().all(|x| (0.0..=1.0).contains(x)), "{b:?}");
        }
        assert_eq!(turns([0, 1, 32, 33].into_iter(), 32), 4);
    }
}
