//! Dense LU with partial pivoting, for one cell at a time. Taking a library for these few lines would add minutes to every
//! build.

/// A matrix, row-major, and once it is factored its factors.
#[derive(Debug, Clone)]
pub struct Lu {
    n: usize,
    a: Vec<f64>,
    row: Vec<usize>,
    /// A copy of the row that is subtracted from others.
    pivot: Vec<f64>,
}

impl Lu {
    /// Zero, with `n` rows.
    pub fn new(n: usize) -> Self {
        Self { n, a: vec![0.0; n * n], row: (0..n).collect(), pivot: vec![0.0; n] }
    }

    /// The matrix \[n, n\], all zero, to be filled and factored.
    pub fn cleared(&mut self) -> &mut [f64] {
        self.a.fill(0.0);
        &mut self.a
    }

    /// Replaces the matrix by its factors.
    pub fn factor(&mut self) {
        let Self { n, a, row, pivot } = self;
        let n = *n;
        row.iter_mut().enumerate().for_each(|(i, r)| *r = i);
        for k in 0..n {
            let size = |r: usize| a[r * n + k].abs();
            let best = (k..n).max_by(|&i, &j| size(row[i]).total_cmp(&size(row[j]))).unwrap_or(k);
            row.swap(k, best);
            let p = row[k];
            pivot.copy_from_slice(&a[p * n..][..n]);
            for &r in &row[k + 1..] {
                let other = &mut a[r * n..][..n];
                let l = other[k] / pivot[k];
                other[k] = l;
                if l != 0.0 {
                    other[k + 1..].iter_mut().zip(&pivot[k + 1..]).for_each(|(a, p)| *a -= l * p);
                }
            }
        }
    }

    /// x of A x = b.
    pub fn solve(&self, b: &[f64]) -> Vec<f64> {
        let n = self.n;
        let mut x: Vec<f64> = self.row.iter().map(|&r| b[r]).collect();
        for i in 0..n {
            let r = self.row[i] * n;
            x[i] -= (0..i).map(|j| self.a[r + j] * x[j]).sum::<f64>();
        }
        for i in (0..n).rev() {
            let r = self.row[i] * n;
            let s: f64 = (i + 1..n).map(|j| self.a[r + j] * x[j]).sum();
            x[i] = (x[i] - s) / self.a[r + i];
        }
        x
    }

    /// The pivots, in the order of elimination.
    pub fn pivots(&self) -> impl Iterator<Item = f64> + Clone {
        (0..self.n).map(|k| self.a[self.row[k] * self.n + k])
    }

    /// Whether rows were exchanged an odd number of times.
    pub fn is_odd(&self) -> bool {
        // A cycle of m rows is m − 1 exchanges.
        let (mut seen, mut cycles) = (vec![false; self.n], 0);
        for start in 0..self.n {
            let mut at = start;
            cycles += usize::from(!seen[at]);
            while !std::mem::replace(&mut seen[at], true) {
                at = self.row[at];
            }
        }
        (self.n - cycles) % 2 == 1
    }
}

/// x of A x = b for one b, with A row-major; `None` where A is singular or not finite.
pub fn solve(a: Vec<f64>, b: &[f64]) -> Option<Vec<f64>> {
    let mut lu = Lu { a, ..Lu::new(b.len()) };
    lu.factor();
    let x = lu.pivots().all(|p| p.is_finite() && p != 0.0).then(|| lu.solve(b));
    x.filter(|x| x.iter().all(|x| x.is_finite()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn singular_matrices_are_refused() {
        assert_eq!(solve(vec![0.0, 2.0, 4.0, 0.0], &[2.0, 8.0]), Some(vec![2.0, 1.0]));
        assert_eq!(solve(vec![1.0, 2.0, 2.0, 4.0], &[1.0, 1.0]), None);
        assert_eq!(solve(vec![1.0, 0.0, 0.0, f64::NAN], &[1.0, 1.0]), None);
    }

    #[test]
    fn rows_are_exchanged_where_a_pivot_is_zero() {
        let mut lu = Lu::new(3);
        lu.cleared().copy_from_slice(&[0.0, 2.0, 1.0, 1.0, 0.0, 0.0, 3.0, 0.0, 2.0]);
        lu.factor();
        let x = lu.solve(&[5.0, 1.0, 5.0]);
        assert!(x.iter().zip([1.0, 2.0, 1.0]).all(|(x, want)| (x - want).abs() < 1e-15), "{x:?}");
        // The determinant is −2 (1·2 − 0·3).
        let product: f64 = lu.pivots().product();
        assert!((if lu.is_odd() { -product } else { product } + 4.0).abs() < 1e-14);
    }

    /// Rows 0 to 3 in a cycle of three, and one that stays.
    #[test]
    fn a_cycle_of_three_is_two_exchanges() {
        let mut lu = Lu::new(4);
        let a = lu.cleared();
        [(0, 1), (1, 2), (2, 0), (3, 3)].into_iter().for_each(|(i, j)| a[i * 4 + j] = 1.0);
        lu.factor();
        assert!(!lu.is_odd());
        assert_eq!(lu.pivots().product::<f64>(), 1.0);
    }
}
