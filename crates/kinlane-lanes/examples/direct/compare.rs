//! Runs both sides of every piece in turns.
#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "one SAFETY line for all direct calls, above the first; the other blocks have their own"
)]

use crate::{common, pieces};
use kinlane_lanes::machine::Lanes;
use kinlane_lanes::simd::avx512::Avx512;
use kinlane_lanes::simd::{Pack, Register};
use kinlane_plan::machine::{Array, Machine, Real};
use kinlane_plan::number::Plain;
use kinlane_plan::plan::Kind;
use kinlane_plan::{Plan, Scalar, lu};
use kinlane_solve::Reactor;
use kinlane_solve::gas::{gather, jacobian, kinetics};
use std::error::Error;
use std::time::Instant;

/// Slices of each side.
const SLICES: usize = 1001;
/// One slice [s].
const SLICE: f64 = 200e-6;
/// On the diagonal of the factored matrix [1/s].
const DIAGONAL: f64 = 1e6;

/// A thread's memory, loaded and evaluated once.
struct Cells<const K: usize> {
    plan: Plan,
    arena: Vec<Pack<Avx512, K>>,
    loaded: Vec<Pack<Avx512, K>>,
}

/// All pieces with `K` registers per number, as lines of a table.
///
/// # Safety
/// AVX-512 must have been detected.
///
/// # Errors
/// If the mechanism cannot be read, or bits differ.
pub unsafe fn all<const K: usize>() -> Result<(), Box<dyn Error>> {
    let mut cells = Cells::<K>::new()?;
    let plan = cells.plan.clone();
    let (kin, jac, factors) = (&plan.kinetics, &plan.jacobian, &plan.lu);

    // Programs of one class alone, over the tables of the whole.
    let mut arrhenius = plan.clone();
    arrhenius.kinetics.falloff.clear();
    let mut pairs = plan.clone();
    pairs.kinetics.general.clear();
    pairs.kinetics.mass_action.retain(|c| (c.reactants, c.products, c.kind) == (2, 2, Kind::Plain));

    // SAFETY of all direct calls: AVX-512 is here (the caller's), and the programs beside them, which read and write
    // the same elements, have run on the bounds-checked scalar machine in `Cells::new`.
    cells.piece(
        "Arrhenius exponentials",
        &[kin.k, kin.k_t],
        #[inline(always)]
        |m| kinetics::rate_constants::<_, true>(m, &arrhenius),
        |a| unsafe { pieces::arrhenius::<K>(a, &arrhenius) },
    )?;
    cells.piece(
        "mass action 2+2, rates",
        &[kin.q, plan.cell.act],
        #[inline(always)]
        |m| kinetics::progress::<_, { kinetics::NET }>(m, &pairs),
        |a| unsafe { pieces::mass_action::<K, false>(a, &pairs) },
    )?;
    cells.piece(
        "mass action 2+2, rates and derivatives",
        &[kin.q, plan.cell.act, jac.rates, jac.q_t],
        #[inline(always)]
        |m| kinetics::progress::<_, { kinetics::JACOBIAN }>(m, &pairs),
        |a| unsafe { pieces::mass_action::<K, true>(a, &pairs) },
    )?;
    cells.piece(
        "production rates, gather",
        &[plan.cell.wdot],
        #[inline(always)]
        |m| kinetics::net_rates(m, &plan),
        |a| unsafe { pieces::gather_paired::<K>(a, &plan) },
    )?;
    cells.piece(
        "Jacobian of species, products",
        &[jac.values],
        #[inline(always)]
        |m| gather::products(m, &jac.products, [jac.rates, plan.cell.act, plan.thermo.exp_plus], jac.values),
        |a| unsafe { pieces::products::<K>(a, &plan) },
    )?;
    let results = &[factors.factors.values, factors.factors.inverse];
    cells.piece(
        "LU, row by row",
        results,
        #[inline(always)]
        |m| {
            m.function(
                "factor",
                #[inline(always)]
                || lu::factor(m, factors, &factors.factors, jac.values, Plain(Pack::lit(DIAGONAL))),
            )
        },
        |a| unsafe { pieces::lu_rows::<K>(a, &plan, DIAGONAL) },
    )?;
    cells.piece(
        "LU, rows in blocks",
        results,
        #[inline(always)]
        |m| {
            m.function(
                "factor",
                #[inline(always)]
                || m.factor(factors, &factors.factors, jac.values, Plain(Pack::lit(DIAGONAL))),
            )
        },
        |a| unsafe { pieces::lu_blocks::<K>(a, &plan, DIAGONAL) },
    )
}

impl<const K: usize> Cells<K> {
    const LANES: usize = 8 * K;

    fn new() -> Result<Self, Box<dyn Error>> {
        let network = common::gri30()?;
        let mut plan = Plan::new(&network);
        let (y, f) = (plan.layout.array(plan.species + 2), plan.layout.array(plan.species + 2));
        // The bounds-checked machine goes first: the unchecked one then stays inside too.
        let mut scalars = vec![1.0; plan.layout.len()];
        let m = Scalar::new(&plan.tables, &mut scalars);
        jacobian::rhs_and_jacobian(m, &plan, Reactor::ConstP, y, f);
        lu::factor(m, &plan.lu, &plan.lu.factors, plan.jacobian.values, Plain(1.0));

        let mut arena = vec![Pack([Avx512::splat(0.0); K]); plan.layout.len()];
        let numbers = numbers_mut(&mut arena);
        for (lane, s) in common::states(&network, Self::LANES)?.iter().enumerate() {
            let mut put = |a: Array, i: usize, x: f64| numbers[(a.at as usize + i) * Self::LANES + lane] = x;
            let mut sigma = 0.0;
            for (k, (y_k, w)) in s.y.iter().zip(&plan.molar_mass).enumerate() {
                put(y, k, y_k / w);
                sigma += y_k / w;
            }
            put(y, plan.species, s.t);
            put(y, plan.species + 1, sigma);
            put(plan.cell.parameter, 0, s.p);
            put(plan.cell.electron, 0, -1.0);
        }
        let mut cells = Self { plan, arena, loaded: Vec::new() };
        let plan = cells.plan.clone();
        cells.program(
            #[inline(always)]
            |m| jacobian::rhs_and_jacobian(m, &plan, Reactor::ConstP, y, f),
        );
        cells.loaded = cells.arena.clone();
        Ok(cells)
    }

    /// Runs a program on the lanes machine.
    fn program(&mut self, f: impl Fn(Lanes<'_, Avx512, K>)) {
        // SAFETY: AVX-512 was detected (`all`), and `new` has run these programs, or ones of which they are a part, on
        // the scalar machine.
        unsafe {
            let m = Lanes::new(&self.plan.tables, &mut self.arena);
            Avx512::call(
                #[inline(always)]
                || f(m),
            );
        }
    }

    fn direct(&mut self, f: impl Fn(pieces::Arena)) {
        f(self.arena.as_mut_ptr().cast());
    }

    /// From the loaded state, the arrays that are to be written full of something else.
    fn reset(&mut self, results: &[Array]) {
        self.arena.clone_from(&self.loaded);
        for a in results {
            let lo = a.at as usize * Self::LANES;
            numbers_mut(&mut self.arena)[lo..lo + a.len as usize * Self::LANES].fill(-1.0);
        }
    }

    /// Checks and times one piece: `results` are the arrays it writes.
    fn piece(
        &mut self,
        name: &str,
        results: &[Array],
        program: impl Fn(Lanes<'_, Avx512, K>),
        direct: impl Fn(pieces::Arena),
    ) -> Result<(), Box<dyn Error>> {
        self.reset(results);
        self.program(&program);
        let ours = self.bits(results);
        self.reset(results);
        self.direct(&direct);
        if ours != self.bits(results) {
            return Err(format!("{name}, {K} registers: the two sides differ").into());
        }
        let time = |f: &mut dyn FnMut(), times: usize| {
            let start = Instant::now();
            (0..times).for_each(|_| f());
            start.elapsed().as_secs_f64()
        };
        let mut times = 1;
        while time(&mut || self.program(&program), times) < SLICE / 2.0 {
            times *= 2;
        }
        let (mut a, mut b, mut ratio) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..SLICES {
            let of_machine = time(&mut || self.program(&program), times);
            let of_direct = time(&mut || self.direct(&direct), times);
            a.push(of_machine);
            b.push(of_direct);
            ratio.push(of_machine / of_direct);
        }
        let unit = 1e6 / (times * Self::LANES) as f64;
        let (a, b) = (median(a) * unit, median(b) * unit);
        println!("| {name} | {K} | {a:.4} | {b:.4} | {:.3} |", median(ratio));
        Ok(())
    }

    /// The bits of some arrays.
    fn bits(&mut self, arrays: &[Array]) -> Vec<u64> {
        let range = |a: &Array| a.at as usize * Self::LANES..(a.at + a.len) as usize * Self::LANES;
        let numbers = numbers_mut(&mut self.arena);
        arrays.iter().flat_map(|a| numbers[range(a)].iter().map(|x| x.to_bits()).collect::<Vec<_>>()).collect()
    }
}

fn numbers_mut<const K: usize>(arena: &mut [Pack<Avx512, K>]) -> &mut [f64] {
    // SAFETY: a pack is `8 K` f64 without padding.
    unsafe { std::slice::from_raw_parts_mut(arena.as_mut_ptr().cast(), arena.len() * 8 * K) }
}

fn median(mut x: Vec<f64>) -> f64 {
    x.sort_by(f64::total_cmp);
    x[x.len() / 2]
}
