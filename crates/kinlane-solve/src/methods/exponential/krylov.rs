//! φ(h J) b in a Krylov space: Arnoldi's recursion until the space is large enough, then the function of the
//! small matrix in `hessenberg.rs` (Hochbruck, Lubich & Selhofer 1998).
//!
//! The basis is in units D, which are about what the tolerances allow: J′ = D⁻¹ J D and b′ = D⁻¹ b. The error
//! is measured in exactly what they allow, W.
//!
//! ```text
//! J′ V_m = V_m H_m + h_{m+1,m} v_{m+1} e_mᵀ        h φ(hJ) b ≈ h β D V_m φ(h H_m) e₁
//! error  ≈ h β h_{m+1,m} |e_mᵀ φ(h H_m) e₁| ‖W⁻¹ D v_{m+1}‖
//! ```

use super::hessenberg::{Hessenberg, Residues};
use crate::methods::Problem;
use crate::methods::control::{Clock, Mask, flag, holds, holds_at};
use kinlane_plan::machine::{Array, Machine, Real};
use kinlane_plan::tables::Layout;

/// Largest dimension of a space; a step that needs a larger one is shortened. Stiff gas at rest needs about as many vectors as
/// it has variables, for a step of any length (docs/decisions/0049).
const MOST: usize = 160;
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

/// Arrays of a projection.
#[derive(Debug, Clone, Copy)]
pub struct Krylov {
    /// Largest dimension for this problem.
    most: usize,
    /// The basis, one vector after the other.
    v: Array,
    /// H, and the coefficients of the result.
    hessenberg: Hessenberg,
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
    /// 1 where the space still grows; 1 where it has become large enough, and where it has just now.
    running: Array,
    enough: Array,
    ready: Array,
}

impl Krylov {
    /// Lays out the arrays for `n` variables.
    pub fn new(l: &mut Layout, n: usize) -> Self {
        let most = MOST.min(n);
        Self {
            most,
            v: l.array((most + 1) * n),
            hessenberg: Hessenberg::new(l, most),
            weight: l.array(n),
            unit: l.array(n),
            at: l.array(n),
            product: l.array(n),
            beta: l.var(),
            rest: l.var(),
            missing: l.var(),
            running: l.var(),
            enough: l.var(),
            ready: l.var(),
        }
    }

    /// The arrays by name, for printed programs.
    pub fn arrays(&self) -> Vec<(&'static str, Array)> {
        let mut all = vec![
            ("basis", self.v),
            ("weight", self.weight),
            ("unit", self.unit),
            ("at", self.at),
            ("product", self.product),
            ("beta", self.beta),
            ("rest", self.rest),
            ("running", self.running),
            ("missing", self.missing),
            ("enough", self.enough),
            ("ready", self.ready),
        ];
        all.extend(self.hessenberg.arrays());
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
    pub fn build<M: Machine, P: Problem<M>>(&self, m: M, p: P, b: Array, h: M::R, residues: &Residues) -> Mask<M> {
        self.build_until(m, p, b, (h, residues), false)
    }

    /// As [`Krylov::build`], until nothing in the space grows faster than the rational functions can follow, either. A space of
    /// few vectors may hold what seems to grow where nothing does, since J′ is far from symmetric.
    #[inline(always)]
    pub fn build_calm<M: Machine, P: Problem<M>>(&self, m: M, p: P, b: Array, h: M::R, residues: &Residues) -> Mask<M> {
        let enough = self.build_until(m, p, b, (h, residues), true);
        M::R::and(enough, M::R::not(self.hessenberg.grows(m, h)))
    }

    #[inline(always)]
    fn build_until<M: Machine, P: Problem<M>>(
        &self,
        m: M,
        p: P,
        b: Array,
        aim: (M::R, &Residues),
        calm: bool,
    ) -> Mask<M> {
        let n = p.len();
        m.function(
            "first_vector",
            #[inline(always)]
            || self.begin(m, n, b),
        );
        let blocks = self.most / BLOCK;
        m.ordered(
            m.i(0),
            m.i(blocks),
            #[inline(always)]
            |block| self.extend(m, p, (block * BLOCK, BLOCK), aim, calm),
        );
        if !self.most.is_multiple_of(BLOCK) {
            self.extend(m, p, (m.i(blocks * BLOCK), self.most % BLOCK), aim, calm);
        }
        if self.most == n {
            // The space is complete.
            m.set(self.enough, M::R::select(holds(m, self.running), m.lit(1.0), m.var(self.enough)));
        }
        holds(m, self.enough)
    }

    /// Adds so many vectors, and tells whether the space is large enough.
    #[inline(always)]
    fn extend<M: Machine, P: Problem<M>>(
        &self,
        m: M,
        p: P,
        (first, count): (M::I, usize),
        (h, residues): (M::R, &Residues),
        calm: bool,
    ) {
        let running = holds(m, self.running);
        m.if_any(
            running,
            #[inline(always)]
            || {
                m.ordered(
                    first,
                    first + count,
                    #[inline(always)]
                    |j| self.grow(m, p, j),
                );
                self.hessenberg.function(m, h, residues);
                m.function(
                    "enough",
                    #[inline(always)]
                    || {
                        let last = m.get(self.hessenberg.coefficients, first + (count - 1));
                        let error = (h * m.var(self.beta) * m.var(self.missing) * last).abs();
                        let enough = M::R::and(holds(m, self.running), error.le(m.lit(SHARE)));
                        m.set(self.ready, flag(enough));
                    },
                );
                if calm {
                    m.if_any(
                        holds(m, self.ready),
                        #[inline(always)]
                        || {
                            let grows = self.hessenberg.grows(m, h);
                            m.set(self.ready, M::R::select(grows, m.lit(0.0), m.var(self.ready)));
                        },
                    );
                }
                m.function(
                    "go_on",
                    #[inline(always)]
                    || {
                        let ready = holds(m, self.ready);
                        m.set(self.enough, M::R::select(ready, m.lit(1.0), m.var(self.enough)));
                        m.set(self.running, flag(M::R::and(holds(m, self.running), M::R::not(ready))));
                    },
                );
            },
        );
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
        self.hessenberg.clear(m);
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
                m.put(self.hessenberg.used, j, flag(running));
                m.put(self.hessenberg.link, j, M::R::select(running, m.var(self.rest), zero));
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
                        self.hessenberg.put(m, i, j, M::R::select(running, along, zero));
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
        self.hessenberg.function(m, h, residues);
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
                            holds_at(m, self.hessenberg.used, j),
                            #[inline(always)]
                            || {
                                let c = m.get(self.hessenberg.coefficients, j);
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
}
