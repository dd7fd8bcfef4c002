//! The mixture fraction: where points lie, how fast scalars dissipate there, and diffusion between them.

use super::FlameletSetup;

/// Mixture fractions of the ends and of `n` points between them. Half of the points lie below m = 2 z_st, if that is less
/// than a half:
///
/// ```text
/// z(s) = β s/(1 + β − s),   s = i/(n + 1),   z(1/2) = m
/// ```
pub(super) fn grid(n: usize, stoichiometric: f64) -> Vec<f64> {
    let middle = 2.0 * stoichiometric;
    let beta = if middle < 0.499 { 0.5 * middle / (0.5 - middle) } else { f64::INFINITY };
    let place = |s: f64| if beta.is_finite() { beta * s / (1.0 + beta - s) } else { s };
    (0..n + 2).map(|i| place(i as f64 / (n + 1) as f64)).collect()
}

/// χ(z) \[1/s\].
pub(super) fn dissipation(z: &[f64], setup: FlameletSetup) -> Vec<f64> {
    let f = |z: f64| (-2.0 * inverse_erf(1.0 - 2.0 * z).powi(2)).exp();
    let of_stoichiometric = f(setup.stoichiometric);
    z.iter().map(|&z| setup.chi * f(z) / of_stoichiometric).collect()
}

/// The x with erf(x) = y, for |y| ≤ 1, by bisection: it is needed once per point.
fn inverse_erf(y: f64) -> f64 {
    let (mut low, mut high) = (-6.0, 6.0);
    for _ in 0..64 {
        let x = 0.5 * (low + high);
        if libm::erf(x) < y { low = x } else { high = x }
    }
    0.5 * (low + high)
}

/// The operator L = χ/2 ∂²/∂z² by differences over three points, and the factors of 1 − Δt L.
#[derive(Debug)]
pub(super) struct Diffusion {
    /// For each point the weights of the point before, of itself and of the one behind.
    weights: Vec<[f64; 3]>,
    /// For each point: weight of the one before, one over the pivot, and what elimination leaves of the one behind.
    factors: Vec<[f64; 3]>,
}

impl Diffusion {
    pub(super) fn new(z: &[f64], chi: &[f64], dt: f64) -> Self {
        let weights: Vec<[f64; 3]> = z
            .windows(3)
            .zip(&chi[1..])
            .map(|(z, chi)| {
                let [before, behind] = [z[1] - z[0], z[2] - z[1]];
                let of = |h: f64| chi / (h * (before + behind));
                [of(before), -of(before) - of(behind), of(behind)]
            })
            .collect();
        let mut left = 0.0;
        let factors = weights.iter().map(|[a, b, c]| {
            let inverse = 1.0 / (1.0 - dt * b + dt * a * left);
            left = -dt * c * inverse;
            [-dt * a, inverse, left]
        });
        Self { factors: factors.collect(), weights }
    }

    /// `to` := L `of`, for all columns; beyond the points lie the ends.
    pub(super) fn apply(&self, of: &[f64], ends: &[Vec<f64>; 2], to: &mut [f64]) {
        let (k, n) = (ends[0].len(), self.weights.len());
        for (i, [a, _, c]) in self.weights.iter().enumerate() {
            let before = if i == 0 { &ends[0] } else { &of[(i - 1) * k..i * k] };
            let behind = if i + 1 == n { &ends[1] } else { &of[(i + 1) * k..(i + 2) * k] };
            let here = &of[i * k..(i + 1) * k];
            for (s, to) in to[i * k..(i + 1) * k].iter_mut().enumerate() {
                // As differences: the sum over species is then as near to zero as that of the states is to one.
                *to = a * (before[s] - here[s]) + c * (behind[s] - here[s]);
            }
        }
    }

    /// Solves (1 − Δt L) x = b in place, for `k` columns, with x = 0 at the ends.
    pub(super) fn solve(&self, x: &mut [f64], k: usize) {
        let n = self.factors.len();
        for i in 0..n {
            let [a, inverse, _] = self.factors[i];
            for s in 0..k {
                let before = if i == 0 { 0.0 } else { x[(i - 1) * k + s] };
                x[i * k + s] = (x[i * k + s] - a * before) * inverse;
            }
        }
        for i in (0..n.saturating_sub(1)).rev() {
            let left = self.factors[i][2];
            (0..k).for_each(|s| x[i * k + s] -= left * x[(i + 1) * k + s]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_is_that_of_erf() {
        for x in [-3.0, -0.7, 0.0, 1e-3, 0.5, 2.5] {
            assert!((inverse_erf(libm::erf(x)) - x).abs() < 1e-9 * (x * x).exp(), "{x}");
        }
    }

    #[test]
    fn points_crowd_where_the_flame_is() {
        let z = grid(99, 0.05);
        assert!((z[0], z[100]) == (0.0, 1.0) && (z[50] - 0.1).abs() < 1e-12 && z.is_sorted());
        let even = grid(3, 0.4);
        assert_eq!(even, [0.0, 0.25, 0.5, 0.75, 1.0]);
        let setup = FlameletSetup::new(99, 0.05, 7.0);
        let chi = dissipation(&z, setup);
        let at = z.iter().position(|z| *z > 0.05).expect("a point");
        assert!(chi[at - 1] < 7.0 && chi[at] > 7.0 && chi[0] < 1e-6);
    }

    /// L of a parabola is χ times its curvature over two, on any grid; and solving undoes 1 − Δt L.
    #[test]
    fn differences_are_exact_for_parabolas() {
        let z = grid(30, 0.06);
        let chi: Vec<f64> = z.iter().map(|z| 1.0 + z).collect();
        let d = Diffusion::new(&z, &chi, 0.3);
        let of = |z: f64| 2.0 + 3.0 * z - 4.0 * z * z;
        let y: Vec<f64> = z[1..31].iter().map(|&z| of(z)).collect();
        let (ends, mut l) = ([vec![of(0.0)], vec![of(1.0)]], vec![0.0; 30]);
        d.apply(&y, &ends, &mut l);
        assert!(l.iter().zip(&chi[1..]).all(|(l, chi)| (l + 4.0 * chi).abs() < 1e-9), "{l:?}");

        let mut x: Vec<f64> = (0..30).map(|i| (f64::from(i) * 0.7).sin()).collect();
        let (before, zero) = (x.clone(), [vec![0.0], vec![0.0]]);
        d.apply(&before, &zero, &mut l);
        x.iter_mut().zip(&l).for_each(|(x, l)| *x -= 0.3 * l);
        d.solve(&mut x, 1);
        assert!(x.iter().zip(&before).all(|(a, b)| (a - b).abs() < 1e-10));
    }
}
