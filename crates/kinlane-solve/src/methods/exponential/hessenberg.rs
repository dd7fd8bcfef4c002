//! φ(h H) e₁ of the small matrix H of a Krylov space, by the partial fractions of a rational function that
//! approximates φ:
//!
//! ```text
//! φ(A) e₁ ≈ Σ 2 Re r_i (A − θ_i)⁻¹ e₁
//! ```

use super::poles::POLES;
use crate::methods::control::{Mask, flag, holds, holds_at};
use kinlane_plan::machine::{Array, Machine, Real};
use kinlane_plan::number::{Complex, ComplexArray, Entries, Number};
use kinlane_plan::tables::Layout;

/// Values of θ beyond which eigenvalues are counted; see [`Hessenberg::grows`].
const BEYOND: [f64; 4] = [1.0, 10.0, 100.0, 1000.0];

/// Residues of one φ function.
pub type Residues = [[f64; 2]; POLES.len()];

/// An upper Hessenberg matrix H, and work arrays.
#[derive(Debug, Clone, Copy)]
pub struct Hessenberg {
    /// Largest dimension.
    most: usize,
    /// Upper triangle of H, row by row.
    triangle: Array,
    /// Subdiagonal of H: `link[j]` leads from vector j − 1 to vector j; zero where there is no vector j.
    pub link: Array,
    /// 1 where the cell uses vector j.
    pub used: Array,
    /// φ(hH) e₁.
    pub coefficients: Array,
    /// Real and imaginary part of a pole and of its residue.
    pole: [Array; 4],
    upper: ComplexArray,
    column: ComplexArray,
    lower: ComplexArray,
    /// 1 where row j was exchanged with the next.
    swap: Array,
    x: ComplexArray,
    /// −1 where an odd number of modes grow faster than the θ in question, else 1; and whether any θ found
    /// some.
    sign: Array,
    grown: Array,
}

impl Hessenberg {
    /// Lays out the arrays for at most so many vectors.
    pub fn new(l: &mut Layout, most: usize) -> Self {
        Self {
            most,
            triangle: l.array(most * most),
            link: l.array(most + 1),
            used: l.array(most),
            coefficients: l.array(most),
            pole: std::array::from_fn(|_| l.var()),
            upper: ComplexArray::new(l, most * most),
            column: ComplexArray::new(l, most + 1),
            lower: ComplexArray::new(l, most),
            swap: l.array(most),
            x: ComplexArray::new(l, most + 1),
            sign: l.var(),
            grown: l.var(),
        }
    }

    /// The arrays by name, for printed programs.
    pub fn arrays(&self) -> Vec<(&'static str, Array)> {
        let mut all = vec![
            ("hessenberg", self.triangle),
            ("link", self.link),
            ("used", self.used),
            ("coefficients", self.coefficients),
            ("swap", self.swap),
            ("upper_re", self.upper.re),
            ("upper_im", self.upper.im),
            ("column_re", self.column.re),
            ("column_im", self.column.im),
            ("lower_re", self.lower.re),
            ("lower_im", self.lower.im),
            ("x_re", self.x.re),
            ("x_im", self.x.im),
            ("sign", self.sign),
            ("grown", self.grown),
        ];
        all.extend(["pole_re", "pole_im", "residue_re", "residue_im"].into_iter().zip(self.pole));
        all
    }

    /// Makes it a matrix without vectors.
    #[inline(always)]
    pub fn clear<M: Machine>(&self, m: M) {
        let zero = m.lit(0.0);
        m.all(
            self.most,
            #[inline(always)]
            |j| m.put(self.used, j, zero),
        );
        m.all(
            self.most + 1,
            #[inline(always)]
            |j| m.put(self.link, j, zero),
        );
    }

    /// Sets an entry of the upper triangle.
    #[inline(always)]
    pub fn put<M: Machine>(&self, m: M, i: M::I, j: M::I, x: M::R) {
        m.put(self.triangle, i * self.most + j, x);
    }

    /// `coefficients` := φ(h H) e₁.
    #[inline(always)]
    pub fn function<M: Machine>(&self, m: M, h: M::R, residues: &Residues) {
        m.function(
            "no_coefficients",
            #[inline(always)]
            || {
                m.all(
                    self.most,
                    #[inline(always)]
                    |j| m.put(self.coefficients, j, m.lit(0.0)),
                )
            },
        );
        for ([re, im], [r, i]) in POLES.into_iter().zip(residues) {
            for (a, x) in self.pole.into_iter().zip([re, im, *r, *i]) {
                m.set(a, m.lit(x));
            }
            m.function(
                "add_pole",
                #[inline(always)]
                || self.add_pole(m, h),
            );
        }
    }

    /// Where h H has a real eigenvalue above the range of the rational functions, which ends at 1: they would
    /// damp a mode that grows so fast. The determinant of h H − θ tells whether an odd number of eigenvalues
    /// lie above θ; several θ separate most of them.
    #[inline(always)]
    pub fn grows<M: Machine>(&self, m: M, h: M::R) -> Mask<M> {
        let (one, zero) = (m.lit(1.0), m.lit(0.0));
        m.set(self.grown, zero);
        for theta in BEYOND {
            m.set(self.pole[0], m.lit(theta));
            m.set(self.pole[1], zero);
            m.function(
                "eliminate",
                #[inline(always)]
                || self.eliminate(m, h),
            );
            m.function(
                "parity",
                #[inline(always)]
                || {
                    m.set(self.sign, one);
                    m.ordered(
                        m.i(0),
                        m.i(self.most),
                        #[inline(always)]
                        |j| {
                            // Π (λ − θ) is the product of the pivots, with a change of sign for every
                            // exchange of rows.
                            let below = self.upper.get(m, j * self.most + j).re.lt(zero);
                            let exchanged = holds_at(m, self.swap, j);
                            let odd = M::R::or(
                                M::R::and(below, exchanged),
                                M::R::and(M::R::not(below), M::R::not(exchanged)),
                            );
                            let flips = M::R::and(holds_at(m, self.used, j), odd);
                            let sign = m.var(self.sign);
                            m.set(self.sign, M::R::select(flips, -sign, sign));
                        },
                    );
                    m.set(self.grown, M::R::select(m.var(self.sign).lt(zero), one, m.var(self.grown)));
                },
            );
        }
        holds(m, self.grown)
    }

    /// Adds 2 Re r (h H − θ)⁻¹ e₁.
    #[inline(always)]
    fn add_pole<M: Machine>(&self, m: M, h: M::R) {
        self.eliminate(m, h);
        self.substitute(m);
    }

    /// Reduces h H − θ to triangular form, column by column, with exchange of neighbouring rows; e₁ is
    /// transformed with it.
    #[inline(always)]
    fn eliminate<M: Machine>(&self, m: M, h: M::R) {
        let (most, zero, one) = (self.most, m.lit(0.0), m.lit(1.0));
        let theta = Complex { re: m.var(self.pole[0]), im: m.var(self.pole[1]) };
        let (column, upper, lower, x) = (self.column, self.upper, self.lower, self.x);
        x.put(m, m.i(0), Complex { re: one, im: zero });
        m.ordered(
            m.i(0),
            m.i(most),
            #[inline(always)]
            |j| {
                m.if_any(
                    holds_at(m, self.used, j),
                    #[inline(always)]
                    || {
                        m.each(
                            m.i(0),
                            j + 1,
                            #[inline(always)]
                            |i| column.put(m, i, Complex { re: h * m.get(self.triangle, i * most + j), im: zero }),
                        );
                        column.put(m, j, column.get(m, j).add(theta.neg()));
                        m.ordered(
                            m.i(0),
                            j,
                            #[inline(always)]
                            |i| {
                                let swap = holds_at(m, self.swap, i);
                                let (a, b) = (column.get(m, i), column.get(m, i + 1));
                                let (kept, other) = exchange::<M>(swap, a, b);
                                upper.put(m, i * most + j, kept);
                                column.put(m, i + 1, lower.get(m, i).neg().mul_add(kept, other));
                            },
                        );
                        let a = column.get(m, j);
                        let below = Complex { re: h * m.get(self.link, j + 1), im: zero };
                        let swap = a.re.mul_add(a.re, a.im * a.im).lt(below.re.squared());
                        let (pivot, other) = exchange::<M>(swap, a, below);
                        let l = other.mul(pivot.recip());
                        m.put(self.swap, j, flag(swap));
                        lower.put(m, j, l);
                        upper.put(m, j * most + j, pivot);
                        let right = x.get(m, j);
                        let (kept, other) = exchange::<M>(swap, right, Complex { re: zero, im: zero });
                        x.put(m, j, kept);
                        x.put(m, j + 1, l.neg().mul_add(kept, other));
                    },
                );
            },
        );
    }

    /// Back substitution with the triangle, and its part of the coefficients.
    #[inline(always)]
    fn substitute<M: Machine>(&self, m: M) {
        let (most, upper, x) = (self.most, self.upper, self.x);
        let residue = Complex { re: m.var(self.pole[2]), im: m.var(self.pole[3]) };
        m.ordered(
            m.i(0),
            m.i(most),
            #[inline(always)]
            |back| {
                let j = m.mirror(back, most);
                m.if_any(
                    holds_at(m, self.used, j),
                    #[inline(always)]
                    || {
                        let value = x.get(m, j).mul(upper.get(m, j * most + j).recip());
                        x.put(m, j, value);
                        let part = residue.re.mul_add(value.re, -(residue.im * value.im));
                        m.put(self.coefficients, j, m.lit(2.0).mul_add(part, m.get(self.coefficients, j)));
                        m.each(
                            m.i(0),
                            j,
                            #[inline(always)]
                            |i| x.put(m, i, upper.get(m, i * most + j).neg().mul_add(value, x.get(m, i))),
                        );
                    },
                );
            },
        );
    }
}

/// (a, b), or (b, a) where the mask holds.
#[inline(always)]
fn exchange<M: Machine>(swap: Mask<M>, a: Complex<M::R>, b: Complex<M::R>) -> (Complex<M::R>, Complex<M::R>) {
    let pick = |swap, a: Complex<M::R>, b: Complex<M::R>| Complex {
        re: M::R::select(swap, b.re, a.re),
        im: M::R::select(swap, b.im, a.im),
    };
    (pick(swap, a, b), pick(swap, b, a))
}
