//! What the counters of a report say about each other, by the way a method works.

use kinlane::{Advance, Mechanism, States};

#[test]
fn counters_agree_with_the_method() {
    let mechanism = Mechanism::bundled("h2").unwrap();
    let y = mechanism.mass_fractions_of_moles(&[("H2", 2.0), ("O2", 1.0), ("N2", 3.76)]).unwrap();
    let t: Vec<f64> = (0..32).map(|i| 900.0 + 40.0 * f64::from(i)).collect();
    let n = t.len();
    for method in kinlane::methods() {
        let mut states = States::new(&mechanism, t.clone(), vec![101_325.0; n], y.repeat(n)).unwrap();
        let name = method.name;
        let dt = if method.stability == "explicit" { 1e-7 } else { 2e-6 };
        let plan = Advance::builder(&mechanism).method(name).rtol(1e-4).atol(1e-10).threads(1);
        let mut solver = if method.fixed { plan.first_step(1e-2 * dt) } else { plan }.plan().unwrap();
        let r = solver.advance_states(&mut states, dt).unwrap();
        assert_eq!(r.failed, 0, "{name}");
        let attempts = r.steps + r.rejected;
        // Right-hand sides, Jacobians and factorisations of an attempt, where they are always the same.
        let each = match name {
            "ros2" => Some([2, 1, 1]),
            "ros3" => Some([2, 1, 1]),
            "ros4" | "rodas3" | "rodas3.1" | "rang3" => Some([3, 1, 1]),
            "rodas4" | "rodas4p" => Some([6, 1, 1]),
            "rodas5p" => Some([8, 1, 1]),
            "heun" => Some([2, 0, 0]),
            "rk4" => Some([4, 0, 0]),
            "rkf45" | "rkck45" => Some([6, 0, 0]),
            "rks57" => Some([7, 0, 0]),
            "dopri5" => Some([7, 0, 0]),
            "exp4" | "exprb43" => Some([3, 1, 0]),
            "chemeq2" | "asymptotic" => Some([2, 0, 0]),
            _ => None,
        };
        if let Some([rhs, jac, factor]) = each {
            // Where something seems to have turned its sign in a step, one of each is spent to find out.
            let looks = r.jac - jac * attempts;
            let factors = if factor > 0 { looks } else { 0 };
            let turns = ["ros2", "ros3", "rang3", "rodas5p"].contains(&name);
            assert!(looks * 50 <= if turns { attempts } else { 0 }, "{name}: {looks} of {attempts}");
            let want = [rhs * attempts + looks, jac * attempts + looks, factor * attempts + factors];
            assert_eq!([r.rhs, r.jac, r.factor], want, "{name}");
            continue;
        }
        match name {
            // Iterations take at least one right-hand side; a Jacobian is never taken without factors from it, and lasts.
            "radau5" => {
                assert!(r.rhs >= 3 * attempts && r.factor <= attempts, "{name}: {r:?}");
                assert!(r.jac <= r.factor && 10 * r.jac <= attempts, "{name}: {r:?}");
            }
            "bdf" | "ndf" => {
                assert!(r.rhs >= attempts && 2 * r.rhs <= 3 * attempts, "{name}: {r:?}");
                assert!(r.jac <= r.factor && 20 * r.jac <= attempts && 3 * r.factor <= attempts, "{name}: {r:?}");
            }
            "sdirk4" => {
                assert!(r.rhs >= 5 * r.steps && r.jac <= r.steps && r.factor <= attempts, "{name}: {r:?}");
            }
            "backward-euler" => {
                assert!(r.rhs >= r.steps && r.jac <= r.steps && r.factor <= attempts, "{name}: {r:?}");
            }
            // Two stages at least, and no matrix to solve with.
            "rkc" => assert!(r.rhs >= 2 * attempts && r.jac <= attempts && r.factor == 0, "{name}: {r:?}"),
            "auto" => {
                let chosen: usize = r.chosen.iter().map(|c| c.cells).sum();
                assert_eq!((chosen, r.chosen.len()), (n, 3), "{:?}", r.chosen);
            }
            _ => panic!("{name} has no line here"),
        }
    }
}
