//! The parts of single reactions in the decay of species are lower bounds of it.

use kinlane_plan::machine::Machine;
use kinlane_plan::plan::LossLaw;
use kinlane_plan::{Plan, Scalar};
use kinlane_solve::Reactor;
use kinlane_solve::gas::problem::Gas;
use kinlane_solve::methods::problem::Equations;
use kinlane_testdata::random::Composition;
use kinlane_testdata::{Oracle, Random, State, files};

#[test]
fn a_loss_is_a_part_of_the_decay() {
    let Some(folder) = files::combustion() else { return };
    let mut mechanisms = 0;
    for path in std::fs::read_dir(folder).expect("the folder of mechanisms") {
        let name = path.expect("one of its entries").file_name().to_string_lossy().into_owned();
        let Some(network) = (name != "rate_types").then(|| files::mechanism(&name)).flatten() else { continue };
        let plan = Plan::new(&network);
        let losses = &plan.kinetics.losses;
        // Most elementary reactions consume two species.
        assert!(losses.len() > plan.kinetics.reactions / 2, "{name}: {} losses", losses.len());
        let gas = Gas::new(&plan, Reactor::ConstP);
        let mut layout = plan.layout;
        let [y, f, q, decay] = [0; 4].map(|_| layout.array(plan.lu.n));
        let mut arena = vec![0.0; layout.len()];
        let mut random = Random::new(5);
        let cells = if plan.species > 300 { 3 } else { 20 };
        let mut whole = 0;
        for _ in 0..cells {
            let s = State {
                t: random.uniform(300.0, 3000.0),
                ..State::random(&mut random, &network, Composition::Positive)
            };
            let (variables, parameter) = Oracle::<f64>::variables(&plan, Reactor::ConstP, &s);
            let m = Scalar::new(&plan.tables, &mut arena);
            variables.iter().enumerate().for_each(|(i, &x)| m.put(y, i, x));
            m.set(plan.cell.parameter, parameter);
            m.set(plan.cell.electron, s.t);
            gas.split(m, y, f, q, decay);
            let (rho, decay) = (m.var(plan.cell.scalars.rho), m.read(decay));
            for loss in losses {
                let LossLaw::Arrhenius { b, e } = loss.law else { panic!("a given rate constant in a gas") };
                let partner = loss.partner.map_or(1.0, |j| rho * variables[j]);
                let part = loss.count * loss.coef * (b * s.t.ln() - e / s.t).exp() * partner;
                let all = decay[loss.species];
                assert!(part <= all * (1.0 + 1e-10), "{name} at {} K: {loss:?} {part} of {all}", s.t);
                whole += usize::from(part > 0.5 * all);
            }
        }
        assert!(whole > 0, "{name}: no reaction is half of a decay");
        mechanisms += 1;
    }
    assert!(mechanisms > 20, "{mechanisms}");
}
