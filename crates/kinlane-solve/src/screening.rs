//! Screening of thermonuclear reactions.

use kinlane_plan::machine::{Machine, Real};

/// Below T = 0.2 Tₚ the fit goes over to that of 0.1 Tₚ, which it keeps: it has been verified no further, and rates there depend
/// little on T.
const COLD: [f64; 2] = [0.1, 0.2];
/// From Γ = 590 on it goes over to that of 600.
const COUPLED: [f64; 2] = [590.0, 600.0];

/// ln f from T/Tₚ = `t` and Γ = `coupling`·Tₚ/T, by the fit of Chugunov, DeWitt and Yakovlev (2007):
///
/// ```text
/// Γ~ = Γ/∛(1 + α ζ + β ζ² + γ ζ³)     ζ = ∛(4/(3π² (T/Tₚ)²))     α = 0.022, β = 0.41 − 0.6/Γ, γ = 0.06 + 2.2/Γ
/// ln f = Γ~^(3/2) (A₁/√(A₂ + Γ~) + A₃/(1 + Γ~)) + B₁ Γ~²/(B₂ + Γ~) + B₃ Γ~²/(B₄ + Γ~²)
/// ```
#[inline(always)]
pub fn chugunov2007<M: Machine>(m: M, t: M::R, coupling: M::R) -> M::R {
    let (zero, one, lit) = (
        m.lit(0.0),
        m.lit(1.0),
        #[inline(always)]
        |x| m.lit(x),
    );
    let share = rise(m, t, COLD);
    let t = share * t + (one - share) * lit(COLD[0]);
    let gamma = coupling / t;
    let share = rise(m, gamma, COUPLED);
    let gamma = (one - share) * gamma + share * lit(COUPLED[1]);
    let third = lit(1.0 / 3.0);
    // ln ζ and ζ
    let ln = (lit((4.0 / (3.0 * std::f64::consts::PI.powi(2))).ln()) - lit(2.0) * t.ln()) * third;
    let zeta = ln.exp();
    let over = gamma.recip();
    let (b, c) = (lit(0.41) - lit(0.6) * over, lit(0.06) + lit(2.2) * over);
    let quantum = one + zeta * (lit(0.022) + zeta * (b + c * zeta));
    let g = gamma * (-(quantum.ln() * third)).exp();
    // A₃ = √3 − A₁/√A₂
    let [a1, a2, b1, b2, b3, b4] = [2.7822, 98.34, -1.7476, 66.07, 1.12, 65.0];
    let a3 = 3_f64.sqrt() - a1 / a2.sqrt();
    let squared = g.squared();
    let barrier = g * g.sqrt() * (lit(a1) / (lit(a2) + g).sqrt() + lit(a3) / (one + g));
    (barrier + lit(b1) * squared / (lit(b2) + g) + lit(b3) * squared / (lit(b4) + squared)).max(zero)
}

/// 0 below the first number and 1 above the second; between them sin²(π s/2) of the way s.
#[inline(always)]
fn rise<M: Machine>(m: M, x: M::R, [from, to]: [f64; 2]) -> M::R {
    let s = ((x - m.lit(from)) * m.lit(1.0 / (to - from))).max(m.lit(0.0)).min(m.lit(1.0));
    // sin of an angle up to π/2: its series, as a product with the angle.
    let angle = s * m.lit(std::f64::consts::FRAC_PI_2);
    let square = angle.squared();
    let (mut sum, mut k) = (m.lit(1.0), 21.0);
    while k > 1.0 {
        sum = m.lit(1.0) - square * m.lit(1.0 / (k * (k - 1.0))) * sum;
        k -= 2.0;
    }
    (angle * sum).squared()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kinlane_plan::{Scalar, Tables};

    #[test]
    fn half_a_wave_rises_from_zero_to_one() {
        let (tables, mut arena) = (Tables::default(), vec![0.0; 1]);
        let m = Scalar::new(&tables, &mut arena);
        for x in [-1.0, 1.0, 1.1, 1.5, 2.0, 2.5, 2.9, 3.0, 1e300_f64] {
            let (got, angle) = (rise(m, x, [1.0, 3.0]), 0.25 * std::f64::consts::PI * (x.clamp(1.0, 3.0) - 1.0));
            assert!((got - angle.sin().powi(2)).abs() < 4e-16, "{x}: {got}");
        }
    }

    #[test]
    fn no_charge_has_no_effect() {
        let (tables, mut arena) = (Tables::default(), vec![0.0; 1]);
        let m = Scalar::new(&tables, &mut arena);
        let tiny = chugunov2007(m, 1e14, 1.0);
        assert!((0.0..1e-18).contains(&tiny), "{tiny:e}");
    }

    /// What is colder than a tenth of Tₚ is screened as at a tenth, and what is coupled more strongly than Γ = 600 as at 600.
    #[test]
    fn the_fit_goes_no_further_than_it_was_verified() {
        let (tables, mut arena) = (Tables::default(), vec![0.0; 1]);
        let m = Scalar::new(&tables, &mut arena);
        let at = |t: f64, gamma: f64| chugunov2007(m, t, gamma * t);
        let same = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-13, "{a} {b}");
        same(at(0.5, 900.0), at(0.5, 600.0));
        same(at(0.5, 1e5), at(0.5, 600.0));
        same(chugunov2007(m, 0.02, 30.0), chugunov2007(m, 0.1, 30.0));
        assert!(at(0.5, 589.0) < at(0.5, 590.0) && at(0.5, 590.0) < at(0.5, 600.0));
        assert!(chugunov2007(m, 0.3, 30.0) < chugunov2007(m, 0.2, 30.0));
    }
}
