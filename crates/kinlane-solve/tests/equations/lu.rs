//! The sparse factorisation against a dense one with pivoting, on random patterns and on the matrices of real cells.

use kinlane_plan::lu::Factors;
use kinlane_plan::machine::{Array, Machine, Real};
use kinlane_plan::number::Plain;
use kinlane_plan::plan::Lu;
use kinlane_plan::{Layout, Plan, Scalar, Tables, lu};
use kinlane_solve::Reactor;
use kinlane_testdata::oracle::places;
use kinlane_testdata::random::Composition;
use kinlane_testdata::{Bounded, Oracle, Random, State, files};
use proptest::prelude::*;

/// Solves A x = b with row pivoting.
fn dense(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for p in 0..n {
        let best = (p..n).max_by(|&i, &j| a[i][p].abs().total_cmp(&a[j][p].abs())).unwrap();
        a.swap(p, best);
        b.swap(p, best);
        for i in p + 1..n {
            let l = a[i][p] / a[p][p];
            if l != 0.0 {
                let (above, below) = a.split_at_mut(i);
                below[0][p..].iter_mut().zip(&above[p][p..]).for_each(|(x, y)| *x -= l * y);
                b[i] -= l * b[p];
            }
        }
    }
    for i in (0..n).rev() {
        let s: f64 = (i + 1..n).map(|j| a[i][j] * b[j]).sum();
        b[i] = (b[i] - s) / a[i][i];
    }
    b
}

/// The layout of factors for a pattern, in a given order, with the fill that this order makes.
fn layout(pattern: &[Vec<bool>], order: &[usize], tables: &mut Tables, l: &mut Layout) -> (Lu, Array) {
    let n = order.len();
    let mut full: Vec<Vec<bool>> =
        (0..n).map(|i| (0..n).map(|j| i == j || pattern[order[i]][order[j]]).collect()).collect();
    for k in 0..n {
        for i in k + 1..n {
            if full[i][k] {
                let row = full[k].clone();
                (k..n).filter(|&j| row[j]).for_each(|j| full[i][j] = true);
            }
        }
    }
    let (mut row, mut col, mut diag) = (vec![0], Vec::new(), Vec::new());
    for (i, r) in full.iter().enumerate() {
        for j in (0..n).filter(|&j| r[j]) {
            if i == j {
                diag.push(col.len());
            }
            col.push(j);
        }
        row.push(col.len());
    }
    let entries = col.len();
    let lu = Lu {
        n,
        order: tables.indices(order.iter().copied()),
        row: tables.indices(row),
        diag: tables.indices(diag),
        col: tables.indices(col),
        factors: Factors::real(l, n, entries),
        entries,
        ..Lu::default()
    };
    (lu, l.array(entries))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_patterns_in_random_orders(n in 1usize..24, fill in 0.0f64..1.0, seed in any::<u64>()) {
        let mut r = Random::new(seed);
        let pattern: Vec<Vec<bool>> = (0..n).map(|_| (0..n).map(|_| r.uniform(0.0, 1.0) < fill).collect()).collect();
        let mut order: Vec<usize> = (0..n).collect();
        (1..n).for_each(|i| order.swap(i, r.below(i + 1)));
        let mut tables = Tables::default();
        let mut l = Layout::default();
        let (lu, jac) = layout(&pattern, &order, &mut tables, &mut l);
        let b = l.array(n);
        // d I − J with a dominant diagonal, so that no pivoting is as good as any.
        let d = 2.0 * n as f64;
        let mut a = vec![vec![0.0; n]; n];
        let mut arena = vec![f64::NAN; l.len()]; // nothing may be read that was not written
        let m = Scalar::new(&tables, &mut arena);
        let (cols, rows) = (tables.list(lu.col).to_vec(), tables.list(lu.row).to_vec());
        for i in 0..n {
            for e in rows[i] as usize..rows[i + 1] as usize {
                let (i, j) = (order[i], order[cols[e] as usize]);
                let x = if pattern[i][j] { r.uniform(-1.0, 1.0) } else { 0.0 };
                a[i][j] = -x;
                m.put(jac, e, x);
            }
        }
        (0..n).for_each(|i| a[i][i] += d);
        let right: Vec<f64> = (0..n).map(|_| r.uniform(-1.0, 1.0)).collect();
        right.iter().enumerate().for_each(|(i, &x)| m.put(b, i, x));
        lu::factor(m, &lu, &lu.factors, jac, Plain(d));
        lu::solve(m, &lu, &lu.factors, b);
        for (got, want) in m.read(b).into_iter().zip(dense(a, right)) {
            prop_assert!((got - want).abs() <= 1e-14 * n as f64, "{got} is not {want}");
        }
    }
}

/// W = I/(γh) − J of real cells: what is solved satisfies W x = b, row by row, to the rounding of the row.
#[test]
fn matrices_of_real_cells() {
    for name in ["h2co_burke", "gri30", "nh3_alzueta_lmrr", "usc_mech_ii", "aramco13"] {
        let Some(network) = files::mechanism(name) else { return };
        let plan = Plan::new(&network);
        let n = plan.species + 2;
        let mut random = Random::new(3);
        let mut worst = 0.0f64;
        for at in 0..12 {
            let composition = if at % 2 == 0 { Composition::WithZeros } else { Composition::Positive };
            let s = State::random(&mut random, &network, composition);
            let h = random.log_uniform(1e-10, 1e-2);
            let mut o: Oracle<'_, Bounded> = Oracle::new(&plan, Reactor::ConstP);
            o.load_state(&s);
            let values = o.jacobian();
            let b = o.f;
            let f: Vec<f64> = o.read(b).iter().map(|x| x.v).collect();
            let m = o.machine();
            // Only rounding from here on counts.
            values.iter().enumerate().for_each(|(e, x)| m.put(plan.jacobian.values, e, Bounded::lit(x.v)));
            f.iter().enumerate().for_each(|(i, &x)| m.put(b, i, Bounded::lit(x)));
            let d = 4.0 / h;
            lu::factor(m, &plan.lu, &plan.lu.factors, plan.jacobian.values, Plain(Bounded::lit(d)));
            lu::solve(m, &plan.lu, &plan.lu.factors, b);
            let x = m.read(b);
            // Scaled by what is in the row.
            let (mut residual, mut scale) = (vec![0.0; n], vec![0.0; n]);
            for i in 0..n {
                residual[i] = d * x[i].v - f[i];
                scale[i] = (d * x[i].v).abs() + f[i].abs();
            }
            for (&(i, j), a) in places(&plan).iter().zip(&values) {
                residual[i] -= a.v * x[j].v;
                scale[i] += (a.v * x[j].v).abs();
            }
            for i in 0..n {
                assert!(x[i].v.is_finite(), "{name}");
                worst = worst.max(residual[i].abs() / (scale[i] + 1e-200));
            }
        }
        eprintln!("{name}: residual {worst:e}");
        // Without pivoting: some growth, at compositions no flame has, is the price of the static order.
        assert!(worst < 1e-7, "{name}: residual {worst:e}");
    }
}
