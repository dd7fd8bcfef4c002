//! Modes: whether small disturbances of a steady state grow, and how.
//!
//! At a fixed residence time a disturbance x obeys dx/dt = (J − 1/τ) x. It grows if an eigenvalue α has a
//! positive real part: by itself if α is real, as between turns; swinging if it is one of a complex pair, as
//! beyond a Hopf point. What is conserved has α = −1/τ exactly. The eigenvalues that decide are those near
//! zero, or far to the right. They are the outermost ones of the inverse about a positive shift s, and few
//! steps of Arnoldi's method find them:
//!
//! ```text
//! B = (s − J + 1/τ)⁻¹,   B V = V H + β q eᵀ,   H y = θ y:   α ≈ s − 1/θ,   |B V y − θ V y| = β |eᵀ y|
//! ```
//!
//! Stable modes have θ within the circle over 0 ≤ θ ≤ 1/s; growing ones lie outside.

use super::StirredReactor;
use kinlane_solve::methods::problem::Linear;
use nalgebra::linalg::Schur;
use nalgebra::{Complex, DMatrix, DVector};

/// The shift, in units of 1/τ. Growing modes have been seen at up to 30/τ, with frequencies of a few 1/τ.
const SHIFT: f64 = 2.0;
/// Steps of Arnoldi's method. After 16 the growing modes of 53 and of 100 species had three digits.
const STEPS: usize = 24;
/// How far rounding moves an eigenvalue, in units of that of the turnover.
const ROUNDED: f64 = 1.0;
/// An eigenvalue counts if its residual is a smaller part of it.
const FOUND: f64 = 1e-2;
/// What is left of a vector in units of what it was, if the space is exhausted.
const NOTHING: f64 = 1e-13;
/// Iterations for the eigenvalues of H. Two or three are needed for each.
const ITERATIONS: usize = 40 * STEPS;
/// So far from an eigenvalue, in units of H, inverse iteration finds its eigenvector: at the eigenvalue itself
/// there is no inverse.
const BESIDE: f64 = 1e-14;
/// Changes of smaller mole fractions are measured by this one, and changes of T by this \[K\].
const TRACE: f64 = 1e-10;
const UNIT: f64 = 100.0;

/// What becomes of small disturbances, other than the single one that grows between two turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Growth {
    /// They vanish.
    None,
    /// The fastest grows without changing its sign.
    OneWay,
    /// The fastest grows as an oscillation.
    Swinging,
}

impl StirredReactor {
    /// What becomes of disturbances of a steady state that has an even number of growing modes. One alone is
    /// zero but for rounding, next to a turn.
    pub(super) fn growth(&mut self, v: &[f64], tau: f64) -> Growth {
        let growing = self.growing(v, tau);
        let fastest = growing.iter().max_by(|a, b| a.re.total_cmp(&b.re));
        match fastest {
            Some(alpha) if growing.len() > 1 && alpha.im == 0.0 => Growth::OneWay,
            Some(_) if growing.len() > 1 => Growth::Swinging,
            _ => Growth::None,
        }
    }

    /// The eigenvalues with positive real part, in units of 1/τ.
    fn growing(&mut self, v: &[f64], tau: f64) -> Vec<Complex<f64>> {
        self.set_tau(tau);
        self.linearise(v);
        // Conserved modes have −1/τ, and are as far off as what turns over is rounded.
        let noise = ROUNDED * f64::EPSILON * self.turnover(v) * tau;
        self.run(|m, p, _| p.factor(m, SHIFT / tau));
        let (h, beta) = self.krylov(v, tau);
        if !h.iter().all(|x| x.is_finite()) {
            return Vec::new();
        }
        let alpha = |theta: Complex<f64>| SHIFT - theta.inv();
        let exact = |theta: Complex<f64>| last_component(&h, theta).is_some_and(|y| beta * y < FOUND * theta.norm());
        let growing = eigenvalues(&h).into_iter().filter(|&theta| alpha(theta).re > noise && exact(theta));
        growing.map(alpha).collect()
    }

    /// H and β for B/τ, with the factors made last. Disturbances are measured relative to the state.
    fn krylov(&mut self, v: &[f64], tau: f64) -> (DMatrix<f64>, f64) {
        let n = self.mechanism.species_count();
        let all: f64 = v.iter().take(n).sum();
        let mut unit: Vec<f64> = v.iter().take(n).map(|v| v + TRACE * all).collect();
        unit.extend([UNIT, all]);
        // Any vector with a part in every mode: multiples of the golden ratio, without their integers.
        let golden = 0.5 * (1.0 + 5f64.sqrt());
        let mut q: Vec<f64> = (0..unit.len()).map(|i| (golden * i as f64).fract() - 0.5).collect();
        let mut size = norm(&q);
        let (mut basis, mut h) = (Vec::new(), DMatrix::zeros(STEPS, STEPS));
        for k in 0..STEPS.min(unit.len()) {
            q.iter_mut().for_each(|x| *x /= size);
            let right: Vec<f64> = q.iter().zip(&unit).map(|(x, u)| x * u).collect();
            basis.push(q);
            q = self.solve(&right).iter().zip(&unit).map(|(x, u)| x / (u * tau)).collect();
            let before = norm(&q);
            // Twice is enough to be orthogonal within rounding.
            for _ in 0..2 {
                for (i, b) in basis.iter().enumerate() {
                    let part: f64 = b.iter().zip(&q).map(|(b, q)| b * q).sum();
                    h[(i, k)] += part;
                    q.iter_mut().zip(b).for_each(|(q, b)| *q -= part * b);
                }
            }
            size = norm(&q);
            if k + 1 == STEPS.min(unit.len()) || size.is_nan() || size <= NOTHING * before {
                break;
            }
            h[(k + 1, k)] = size;
        }
        let used = basis.len();
        let rest = if used == unit.len() { 0.0 } else { size };
        (h.resize(used, used, 0.0), rest)
    }
}

/// Eigenvalues of a matrix; none where QR iterations do not converge. They end when what is below the diagonal is rounding beside
/// its neighbours on the diagonal. Beside those of fast modes, which are nearly zero, it never is, so the whole matrix is shifted
/// by its norm.
fn eigenvalues(a: &DMatrix<f64>) -> Vec<Complex<f64>> {
    let by = a.norm();
    let shifted = a + DMatrix::from_diagonal_element(a.nrows(), a.nrows(), by);
    let schur = Schur::try_new(shifted, f64::EPSILON, ITERATIONS);
    schur.map_or_else(Vec::new, |s| s.complex_eigenvalues().iter().map(|x| x - by).collect())
}

/// Size of the last component of the eigenvector of length one, by inverse iteration.
fn last_component(a: &DMatrix<f64>, theta: Complex<f64>) -> Option<f64> {
    let n = a.nrows();
    let beside = theta + Complex::from(BESIDE * a.norm());
    let lu = (a.map(Complex::from) - DMatrix::from_diagonal_element(n, n, beside)).lu();
    let mut y = DVector::from_element(n, Complex::from(1.0));
    for _ in 0..2 {
        y = lu.solve(&y)?.normalize();
    }
    y.iter().next_back().map(|y| y.norm())
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The companion matrix of (x − 3) (x − 1) (x² − 2 x + 5), whose eigenvectors are (θ³, θ², θ, 1).
    #[test]
    fn modes_of_a_companion_matrix() {
        let a = DMatrix::from_row_slice(
            4,
            4,
            &[6.0, -16.0, 26.0, -15.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0],
        );
        let found = eigenvalues(&a);
        let want = [Complex::new(1.0, -2.0), Complex::new(1.0, 0.0), Complex::new(1.0, 2.0), Complex::new(3.0, 0.0)];
        assert_eq!(found.len(), want.len());
        for theta in want {
            let near = found.iter().min_by(|a, b| (*a - theta).norm().total_cmp(&(*b - theta).norm())).unwrap();
            assert!((near - theta).norm() < 1e-12, "{near} for {theta}");
            assert_eq!(near.im == 0.0, theta.im == 0.0);
            let length = (0..4).map(|k| theta.norm_sqr().powi(k)).sum::<f64>().sqrt();
            let last = last_component(&a, *near).unwrap();
            assert!((last * length - 1.0).abs() < 1e-8, "{last} for {theta}");
        }
    }
}
