//! Components: as many species as there are independent elements, of which all other species can be made.
//!
//! Every balance is written in the components that are most abundant at the moment. A trace that remains
//! beside moles of something else then has a balance of its own, in which the moles do not occur and cannot
//! drown it. (Smith & Missen 1982, `smith1982`, write equilibria this way.)

/// Coefficients nearer to zero than this count as zero.
const ZERO: f64 = 1e-9;
/// Inverses of compositions are fractions with small denominators, all of which divide this: a number close
/// to such a fraction is that fraction.
const DENOMINATORS: f64 = 5040.0;
/// A net amount below this part of the gross amount is rounding.
const ROUNDING: f64 = 1e-14;
/// Moles of every possible species, per mole of the mixture, that are added so that the balances alone
/// exclude none (such as C₂H₆ in pure CH₄ without hydrogen among the species). Far below any amount that is
/// read.
pub const SEED: f64 = 1e-100;

/// Which species are the components, and how the others are made of them.
#[derive(Debug, Clone)]
pub struct Basis {
    /// Number of components.
    pub len: usize,
    /// The species of each component, by index among the species of the basis.
    pub member: Vec<usize>,
    /// Row-major, species by component: moles of each component in a mole of the species.
    nu: Vec<f64>,
    /// Given moles, per species.
    given: Vec<f64>,
    /// Moles of every component to which the mixture is equivalent.
    pub amount: Vec<f64>,
}

impl Basis {
    /// The basis for `given` moles of species whose `composition` is row-major, species by element.
    ///
    /// The components alone can make up the mixture, in amounts that are not negative.
    pub fn new(composition: Vec<f64>, elements: usize, given: Vec<f64>) -> Self {
        let mut basis =
            Self { len: elements, member: vec![usize::MAX; elements], nu: composition, given, amount: Vec::new() };
        basis.independent();
        basis.feasible();
        basis
    }

    /// Total of the given moles.
    pub fn total(&self) -> f64 {
        self.given.iter().sum()
    }

    /// Moles of every component in one mole of species `k`.
    pub fn row(&self, k: usize) -> &[f64] {
        &self.nu[k * self.len..(k + 1) * self.len]
    }

    /// Number of species.
    pub fn species(&self) -> usize {
        self.given.len()
    }

    /// Makes species `k` the component `j`; ν_kj must not vanish.
    pub fn exchange(&mut self, k: usize, j: usize) {
        let c = self.len;
        let pivot = self.row(k).to_vec();
        for row in self.nu.chunks_exact_mut(c) {
            let f = row[j] / pivot[j];
            for (l, (x, p)) in row.iter_mut().zip(&pivot).enumerate() {
                *x = tidy(if l == j { f } else { *x - f * p });
            }
        }
        self.member[j] = k;
    }

    /// Starts with the elements as components and replaces them by species, the most abundant first. Elements
    /// that are no independent constraint are dropped.
    fn independent(&mut self) {
        let mut order: Vec<usize> = (0..self.species()).collect();
        order.sort_by(|&a, &b| self.given[b].total_cmp(&self.given[a]));
        for k in order {
            let free = (0..self.len).filter(|&j| self.member[j] == usize::MAX && self.row(k)[j].abs() > ZERO);
            if let Some(j) = free.max_by(|&a, &b| self.row(k)[a].abs().total_cmp(&self.row(k)[b].abs())) {
                self.exchange(k, j);
            }
        }
        let kept: Vec<usize> = (0..self.len).filter(|&j| self.member[j] != usize::MAX).collect();
        self.nu = self.nu.chunks_exact(self.len.max(1)).flat_map(|row| kept.iter().map(|&j| row[j])).collect();
        self.member = kept.iter().map(|&j| self.member[j]).collect();
        self.len = kept.len();
    }

    /// Turns all other species of the mixture into components, as far as the components last; one that runs
    /// out is replaced by the species. At the end the components alone make up the mixture, in amounts that
    /// are not negative.
    fn feasible(&mut self) {
        let mut x: Vec<f64> = self.member.iter().map(|&k| self.given[k]).collect();
        for k in 0..self.species() {
            let mut left = self.given[k];
            if self.member.contains(&k) || left <= 0.0 {
                continue;
            }
            let scarce = (0..self.len)
                .filter(|&j| self.row(k)[j] < -ZERO)
                .map(|j| (j, x[j] / -self.row(k)[j]))
                .min_by(|a, b| a.1.total_cmp(&b.1));
            let replaced = scarce.filter(|&(_, most)| most < left);
            let moved = replaced.map_or(left, |(_, most)| most);
            for (x, nu) in x.iter_mut().zip(self.row(k)) {
                *x = (*x + nu * moved).max(0.0);
            }
            if let Some((j, _)) = replaced {
                left -= moved;
                self.exchange(k, j);
                x[j] = left;
            }
        }
        self.settle();
    }

    /// Recomputes `amount` from the mixture, so that errors of exchanges do not add up.
    pub fn settle(&mut self) {
        let total: f64 = self.given.iter().sum();
        let mut net = vec![0.0; self.len];
        let mut gross = vec![0.0; self.len];
        let mut seed = vec![0.0; self.len];
        for (k, &n) in self.given.iter().enumerate() {
            // The seeds are unequal, so that they do not cancel either.
            let weight = SEED * total * (1.0 + (k as f64 * 0.618_033_988_75).fract());
            for j in 0..self.len {
                let nu = self.nu[k * self.len + j];
                net[j] += nu * n;
                gross[j] += (nu * n).abs();
                seed[j] += nu * weight;
            }
        }
        self.amount = (0..self.len)
            .map(|j| if net[j].abs() <= ROUNDING * gross[j] { seed[j] } else { net[j] + seed[j] })
            .collect();
    }

    /// Moves to the components that minimise Σ n μ over n ≥ 0 with the same elements, which are close to
    /// those of the equilibrium. This is a linear program, solved by the simplex method from the given
    /// mixture. If it is cut short, the start is worse, but not wrong.
    pub fn descend(&mut self, potential: &[f64]) {
        self.feasible();
        for _ in 0..40 * self.len {
            let gain = |k: usize| {
                let made: f64 = self.row(k).iter().zip(&self.member).map(|(nu, &m)| nu * potential[m]).sum();
                potential[k] - made
            };
            let best = (0..self.species()).map(|k| (k, gain(k))).min_by(|a, b| a.1.total_cmp(&b.1));
            let Some((k, _)) = best.filter(|b| b.1 < -1e-6) else { return };
            let scarce = (0..self.len)
                .filter(|&j| self.row(k)[j] > ZERO)
                .map(|j| (j, self.amount[j].max(0.0) / self.row(k)[j]))
                .min_by(|a, b| a.1.total_cmp(&b.1));
            let Some((j, _)) = scarce else { return };
            self.exchange(k, j);
            self.settle();
        }
    }
}

/// The fraction nearest to x, if x is that but for rounding.
fn tidy(x: f64) -> f64 {
    let near = (x * DENOMINATORS).round() / DENOMINATORS;
    if (x - near).abs() < ZERO { near } else { x }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// H2, O2, H2O, OH over (H, O).
    const WATER: [f64; 8] = [2.0, 0.0, 0.0, 2.0, 2.0, 1.0, 1.0, 1.0];

    #[test]
    fn components_follow_the_potential() {
        let mut basis = Basis::new(WATER.to_vec(), 2, vec![1.0, 1.0, 0.0, 0.0]);
        basis.descend(&[0.0, 0.0, -100.0, 0.0]);
        let mut members = basis.member.clone();
        members.sort_unstable();
        assert_eq!(members, [1, 2], "water and the oxygen left over");
        for (&m, &n) in basis.member.iter().zip(&basis.amount) {
            assert!((n - if m == 2 { 1.0 } else { 0.5 }).abs() < 1e-15);
        }
    }

    #[test]
    fn nothing_left_over_is_nothing() {
        let mut basis = Basis::new(WATER.to_vec(), 2, vec![0.2, 0.1, 0.0, 0.0]);
        basis.descend(&[0.0, 0.0, -100.0, 0.0]);
        for (&m, &n) in basis.member.iter().zip(&basis.amount) {
            assert!(m == 2 && (n - 0.2).abs() < 1e-15 || n.abs() < 1e-98, "{m} {n}");
        }
    }

    #[test]
    fn elements_that_are_no_constraint_of_their_own_are_dropped() {
        // Only CO and CO2 of the species of (C, O), and only CO given.
        let two = Basis::new(vec![1.0, 1.0, 1.0, 2.0], 2, vec![1.0, 0.0]);
        let one = Basis::new(vec![1.0, 1.0], 2, vec![1.0]);
        assert_eq!((two.len, one.len), (2, 1));
    }
}
