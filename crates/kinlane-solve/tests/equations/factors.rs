//! Factors on rate constants: a plan that takes them gives the same rates without one, and with one changes the rate of
//! progress of one reaction.

use kinlane_mech::Network;
use kinlane_plan::plan::Features;
use kinlane_plan::{Machine, Plan};
use kinlane_solve::Reactor;
use kinlane_testdata::random::Composition;
use kinlane_testdata::{Oracle, Random, State, files};

/// Rates of progress of every reaction, forward or net and explicit reverse, with `excess` in the places of `k`.
fn progress(plan: &Plan, s: &State, excess: &[(usize, f64)]) -> Vec<[f64; 2]> {
    let mut o: Oracle<'_, f64> = Oracle::new(plan, Reactor::ConstP);
    o.load_state(s);
    excess.iter().for_each(|&(k, x)| o.machine().put(plan.kinetics.excess, k, x));
    o.production();
    let q = o.read(plan.kinetics.q);
    plan.kinetics.place.iter().map(|&(f, r)| [q[f], r.map_or(0.0, |r| q[r])]).collect()
}

fn examine(name: &str, network: &Network) {
    let (plan, ordinary) = (Plan::with(network, Features { factors: true, ..Features::default() }), Plan::new(network));
    assert_eq!(ordinary.kinetics.excess.len, 0);
    let s = State::random(&mut Random::new(3), network, Composition::Positive);
    let before = progress(&ordinary, &s, &[]);
    assert_eq!(progress(&plan, &s, &[]), before, "{name}");
    for (i, &(forward, reverse)) in plan.kinetics.constant.iter().enumerate() {
        let excess: Vec<(usize, f64)> = [Some(forward), reverse].into_iter().flatten().map(|k| (k, 0.25)).collect();
        let after = progress(&plan, &s, &excess);
        for (j, (a, b)) in after.iter().zip(&before).enumerate() {
            let want = b.map(|x| if i == j { 1.25 * x } else { x });
            let right = |d: usize| a[d] == want[d] || (i == j && (a[d] / want[d] - 1.0).abs() < 1e-14);
            assert!(right(0) && right(1), "{name}: factor on {i} makes reaction {j} {a:?} instead of {want:?}");
        }
    }
}

#[test]
fn one_reaction_alone_is_changed() {
    for (name, network) in &files::rate_types() {
        examine(name, network);
    }
    for name in ["h2_li_dryer", "gri30", "nh3_alzueta_lmrr", "san_diego_57"] {
        let Some(network) = files::mechanism(name) else { return };
        examine(name, &network);
    }
}
