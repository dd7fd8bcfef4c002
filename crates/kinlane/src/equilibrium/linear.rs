//! Small dense systems.

/// Solves A x = b for row-major A by elimination with row exchanges; `None` where A is singular or not finite.
pub fn solve(mut a: Vec<f64>, mut b: Vec<f64>) -> Option<Vec<f64>> {
    let n = b.len();
    for p in 0..n {
        let best = (p..n).max_by(|&i, &k| a[i * n + p].abs().total_cmp(&a[k * n + p].abs()))?;
        let pivot = a[best * n + p];
        if !(pivot.is_finite() && pivot != 0.0) {
            return None;
        }
        if best != p {
            (0..n).for_each(|j| a.swap(p * n + j, best * n + j));
            b.swap(p, best);
        }
        for i in p + 1..n {
            let l = a[i * n + p] / pivot;
            if l != 0.0 {
                (p..n).for_each(|j| a[i * n + j] -= l * a[p * n + j]);
                b[i] -= l * b[p];
            }
        }
    }
    for p in (0..n).rev() {
        let known: f64 = (p + 1..n).map(|j| a[p * n + j] * b[j]).sum();
        b[p] = (b[p] - known) / a[p * n + p];
    }
    b.iter().all(|x| x.is_finite()).then_some(b)
}

#[cfg(test)]
mod tests {
    use super::solve;

    #[test]
    fn rows_are_exchanged_and_singular_matrices_refused() {
        assert_eq!(solve(vec![0.0, 2.0, 4.0, 0.0], vec![2.0, 8.0]), Some(vec![2.0, 1.0]));
        assert_eq!(solve(vec![1.0, 2.0, 2.0, 4.0], vec![1.0, 1.0]), None);
    }
}
