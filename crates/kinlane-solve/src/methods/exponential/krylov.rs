//! φ(h J) b in a Krylov space: Arnoldi's recursion until the space is large enough, then the function of the small
//! Hessenberg matrix (Hochbruck, Lubich & Selhofer 1998).
//!
//! The basis is in units D, which are about what the tolerances allow: J′ = D⁻¹ J D and b′ = D⁻¹ b. The error
//! is measured in exactly what they allow, W.
//!
//! ```text
//! J′ V_m = V_m H_m + h_{m+1,m} v_{m+1} e_mᵀ        h φ(hJ) b ≈ h β D V_m φ(h H_m) e₁
//! error  ≈ h β h_{m+1,m} |e_mᵀ φ(h H_m) e₁| ‖W⁻¹ D v_{m+1}‖
//! φ(A) e₁ ≈ Σ 2 Re r_i (A − θ_i)⁻¹ e₁
//! ```

use super::poles::POLES;
use crate::methods::Problem;
use crate::methods::control::{Clock, flag, holds};
use kinlane_plan::machine::{Array, Machine, Real};
use kinlane_plan::number::{Complex, ComplexArray, Entries, Number};
use kinlane_plan::tables::Layout;

/// Largest dimension of a space; a step that needs a larger one is shortened.
const MOST: usize = 40;
/// The error is estimated each time so many vectors have been added.
const BLOCK: usize = 4;
/// Error that the projection may add to that of a step, in units of the tolerances.
const SHARE: f64 = 0.1;
/// If orthogonalisation leaves no more than this part of a new vector, that is rounding, and the space is
/// complete. A larger rest may be a slow drain behind a fast equilibrium.
const BREAKDOWN: f64 = 1e-15;
/// Least unit of the basis, as a part of the largest. With the allowed error of a trace as its unit, a fast
/// equilibrium that makes the trace would have an entry in J′ larger by the ratio of units, and slow drains
/// would be lost in its rounding (docs/decisions/0026).
const COARSEST: f64 = 1e-4;

/// Values of θ beyond which eigenvalues are counted; see [`Krylov::grows`].
const BEYOND: [f64; 4] = [1.0, 10.0, 100.0, 1000.0];

/// Residues of one φ function.
pub type Residues = [[f64; 2]; POLES.len()];

/// Arrays of a projection.
#[derive(Debug, Clone, Copy)]
pub struct Krylov {
    /// Largest dimension for this problem.
    most: usize,
    /// The basis, one vector after the other.
    v: Array,
    /// Upper triangle of H, row by row.
    hessenberg: Array,
    /// Subdiagonal of H: `link[j]` leads from vector j − 1 to vector j; zero where there is no vector j.
    link: Array,
    /// 1 where the cell uses vector j.
    used: Array,
    /// W: allowed error of each variable.
    weight: Array,
    /// D: units of the basis.
    unit: Array,
    at: Array,
    product: Array,
    beta: Array,
    /// Norm of what orthogonalisation left of the newest vector, and the same in units of the tolerances.
    rest: Array,
    missing: Array,
    /// 1 where the space still grows; 1 where it has become large enough.
    running: Array,
    enough: Array,
    /// φ(hH) e₁.
    coefficients: Array,
    pole: [Array; 4],
    upper: ComplexArray,
    column: ComplexArray,
    lower: ComplexArray,
    swap: Array,
    x: ComplexArray,
    /// −1 where an odd number of modes grow faster than the θ in question, else 1; and whether any θ found
    /// some.
    sign: Array,
    grown: Array,
}

impl Krylov {
    /// Lays out the arrays for `n` variables.
    pub fn new(l: &mut Layout, n: usize) -> Self {
        let most = MOST.min(n.next_multiple_of(BLOCK));
        Self {
            most,
            v: l.array((most + 1) * n),
            hessenberg: l.array(most * most),
            link: l.array(most + 1),
            used: l.array(most),
            weight: l.array(n),
            unit: l.array(n),
            at: l.array(n),
            product: l.array(n),
            beta: l.var(),
            rest: l.var(),
            missing: l.var(),
            running: l.var(),
            enough: l.var(),
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
            ("basis", self.v),
            ("hessenberg", self.hessenberg),
            ("link", self.link),
            ("used", self.used),
            ("weight", self.weight),
            ("unit", self.unit),
            ("at", self.at),
            ("product", self.product),
            ("beta", self.beta),
            ("rest", self.rest),
            ("running", self.running),
            ("missing", self.missing),
            ("enough", self.enough),
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

    /// Sets the units W and D for a step from `y`.
    #[inline(always)]
    pub fn measure<M: Machine, P: Problem<M>>(&self, m: M, p: P, y: Array, c: &Clock) {
        m.function(
            "weights",
            #[inline(always)]
            || {
                let n = p.len();
                p.weights(m, y, m.var(c.rtol), m.var(c.atol), self.weight);
                let largest = m.fold(
                    m.i(0),
                    m.i(n),
                    m.lit(0.0),
                    #[inline(always)]
                    |most, s| most.max(m.get(self.weight, s)),
                );
                let least = largest * m.lit(COARSEST);
                m.all(
                    n,
                    #[inline(always)]
                    |s| m.put(self.unit, s, m.get(self.weight, s).max(least)),
                );
            },
        );
    }

    /// Builds the space of `b` until it is large enough for `h` times the φ function of h J with these
    /// residues; returns where that succeeded.
    #[inline(always)]
    pub fn build<M: Machine, P: Problem<M>>(
        &self,
        m: M,
        p: P,
        b: Array,
        h: M::R,
        residues: &Residues,
    ) -> <M::R as Real>::Mask {
        let n = p.len();
        m.function(
            "first_vector",
            #[inline(always)]
            || self.begin(m, n, b),
        );
        m.ordered(
            m.i(0),
            m.i(self.most / BLOCK),
            #[inline(always)]
            |block| {
                let running = holds(m, self.running);
                m.if_any(
                    running,
                    #[inline(always)]
                    || {
                        let first = block * BLOCK;
                        m.ordered(
                            first,
                            first + BLOCK,
                            #[inline(always)]
                            |j| self.grow(m, p, j),
                        );
                        self.function(m, h, residues);
                        m.function(
                            "enough",
                            #[inline(always)]
                            || {
                                let last = m.get(self.coefficients, first + (BLOCK - 1));
                                let error = (h * m.var(self.beta) * m.var(self.missing) * last).abs();
                                let running = holds(m, self.running);
                                let enough = M::R::and(running, error.le(m.lit(SHARE)));
                                m.set(self.enough, M::R::select(enough, m.lit(1.0), m.var(self.enough)));
                                m.set(self.running, flag(M::R::and(running, M::R::not(enough))));
                            },
                        );
                    },
                );
            },
        );
        holds(m, self.enough)
    }

    #[inline(always)]
    fn begin<M: Machine>(&self, m: M, n: usize, b: Array) {
        let (zero, one) = (m.lit(0.0), m.lit(1.0));
        let size = m
            .sum(
                n,
                #[inline(always)]
                |s| (m.get(b, s) / m.get(self.unit, s)).squared(),
            )
            .sqrt();
        // A vector of zeros needs no space.
        let some = m.lit(1e-280).lt(size);
        let scale = M::R::select(some, size.recip(), zero);
        m.all(
            n,
            #[inline(always)]
            |s| m.put(self.v, s, m.get(b, s) / m.get(self.unit, s) * scale),
        );
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
        m.set(self.beta, size);
        m.set(self.rest, zero);
        m.set(self.running, flag(some));
        m.set(self.enough, M::R::select(some, zero, one));
    }

    /// Computes the vector after the `j`-th, by modified Gram–Schmidt. Cells whose space no longer grows get
    /// zeros.
    #[inline(always)]
    fn grow<M: Machine, P: Problem<M>>(&self, m: M, p: P, j: M::I) {
        let n = p.len();
        m.function(
            "scale_up",
            #[inline(always)]
            || {
                m.all(
                    n,
                    #[inline(always)]
                    |s| m.put(self.at, s, m.get(self.v, j * n + s) * m.get(self.unit, s)),
                )
            },
        );
        p.times(m, self.at, self.product);
        m.function(
            "orthogonalise",
            #[inline(always)]
            || {
                let (zero, one) = (m.lit(0.0), m.lit(1.0));
                let running = holds(m, self.running);
                m.put(self.used, j, flag(running));
                m.put(self.link, j, M::R::select(running, m.var(self.rest), zero));
                let length = || {
                    m.sum(
                        n,
                        #[inline(always)]
                        |s| m.get(self.product, s).squared(),
                    )
                    .sqrt()
                };
                m.all(
                    n,
                    #[inline(always)]
                    |s| m.put(self.product, s, m.get(self.product, s) / m.get(self.unit, s)),
                );
                let before = length();
                m.ordered(
                    m.i(0),
                    j + 1,
                    #[inline(always)]
                    |i| {
                        let along = m.sum(
                            n,
                            #[inline(always)]
                            |s| m.get(self.v, i * n + s) * m.get(self.product, s),
                        );
                        m.put(self.hessenberg, i * self.most + j, M::R::select(running, along, zero));
                        m.all(
                            n,
                            #[inline(always)]
                            |s| {
                                let rest = (-along).mul_add(m.get(self.v, i * n + s), m.get(self.product, s));
                                m.put(self.product, s, rest);
                            },
                        );
                    },
                );
                let rest = length();
                let complete = rest.le(before * m.lit(BREAKDOWN));
                let goes_on = M::R::and(running, M::R::not(complete));
                m.set(self.rest, M::R::select(goes_on, rest, zero));
                let missing = m.sum(
                    n,
                    #[inline(always)]
                    |s| (m.get(self.product, s) * m.get(self.unit, s) / m.get(self.weight, s)).squared(),
                );
                m.set(self.missing, M::R::select(goes_on, missing.sqrt(), zero));
                let scale = rest.recip();
                m.all(
                    n,
                    #[inline(always)]
                    |s| {
                        let x = m.get(self.product, s) * scale;
                        m.put(self.v, (j + 1) * n + s, M::R::select(goes_on, x, zero));
                    },
                );
                let done = M::R::and(running, complete);
                m.set(self.enough, M::R::select(done, one, m.var(self.enough)));
                m.set(self.running, flag(goes_on));
            },
        );
    }

    /// `out := Σ h β D V φ(h H) e₁` with these residues; the space must have been built.
    #[inline(always)]
    pub fn apply<M: Machine>(&self, m: M, n: usize, h: M::R, residues: &Residues, out: Array) {
        self.function(m, h, residues);
        let scale = h * m.var(self.beta);
        m.function(
            "combine",
            #[inline(always)]
            || {
                m.all(
                    n,
                    #[inline(always)]
                    |s| m.put(out, s, m.lit(0.0)),
                );
                m.ordered(
                    m.i(0),
                    m.i(self.most),
                    #[inline(always)]
                    |j| {
                        m.if_any(
                            M::R::lt(m.lit(0.5), m.get(self.used, j)),
                            #[inline(always)]
                            || {
                                let c = m.get(self.coefficients, j);
                                m.all(
                                    n,
                                    #[inline(always)]
                                    |s| m.put(out, s, c.mul_add(m.get(self.v, j * n + s), m.get(out, s))),
                                );
                            },
                        );
                    },
                );
                m.all(
                    n,
                    #[inline(always)]
                    |s| m.put(out, s, m.get(out, s) * m.get(self.unit, s) * scale),
                );
            },
        );
    }

    /// `coefficients` := φ(h H) e₁.
    #[inline(always)]
    fn function<M: Machine>(&self, m: M, h: M::R, residues: &Residues) {
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
    pub fn grows<M: Machine>(&self, m: M, h: M::R) -> <M::R as Real>::Mask {
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
                            let exchanged = m.lit(0.5).lt(m.get(self.swap, j));
                            let odd = M::R::or(
                                M::R::and(below, exchanged),
                                M::R::and(M::R::not(below), M::R::not(exchanged)),
                            );
                            let flips = M::R::and(m.lit(0.5).lt(m.get(self.used, j)), odd);
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
                    M::R::lt(m.lit(0.5), m.get(self.used, j)),
                    #[inline(always)]
                    || {
                        m.each(
                            m.i(0),
                            j + 1,
                            #[inline(always)]
                            |i| column.put(m, i, Complex { re: h * m.get(self.hessenberg, i * most + j), im: zero }),
                        );
                        column.put(m, j, column.get(m, j).add(theta.neg()));
                        m.ordered(
                            m.i(0),
                            j,
                            #[inline(always)]
                            |i| {
                                let swap = m.lit(0.5).lt(m.get(self.swap, i));
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
                    M::R::lt(m.lit(0.5), m.get(self.used, j)),
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
fn exchange<M: Machine>(
    swap: <M::R as Real>::Mask,
    a: Complex<M::R>,
    b: Complex<M::R>,
) -> (Complex<M::R>, Complex<M::R>) {
    let pick = |swap, a: Complex<M::R>, b: Complex<M::R>| Complex {
        re: M::R::select(swap, b.re, a.re),
        im: M::R::select(swap, b.im, a.im),
    };
    (pick(swap, a, b), pick(swap, b, a))
}
