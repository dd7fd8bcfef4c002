//! `kinlane box` with files of music-box, which say how a box begins and what changes while it is followed.

use crate::common::{Bench, stderr, stdout};

const AVOGADRO: f64 = 6.022_140_76e23;
const BOLTZMANN: f64 = 1.380_649e-23;

/// A file with a mechanism of two species, and these tables of conditions.
fn config(conditions: &str) -> String {
    format!(
        r#"{{"box model options": {{"grid": "box", "chemistry time step [sec]": 1, "output time step [min]": 0.5,
  "simulation length [min]": 2}},
 "conditions": {{{conditions}}},
 "mechanism": {{"version": "1.0.0", "name": "two",
  "species": [{{"name": "A"}}, {{"name": "B.1"}}, {{"name": "E"}}, {{"name": "M", "is third body": true}}],
  "phases": [{{"name": "gas", "species": ["A", "B.1", "E", "M"]}}],
  "reactions": [
   {{"type": "USER_DEFINED", "name": "turn", "gas phase": "gas",
    "reactants": [{{"species name": "A"}}, {{"species name": "M"}}], "products": [{{"species name": "B.1"}}, {{"species name": "M"}}]}},
   {{"type": "PHOTOLYSIS", "name": "light", "gas phase": "gas",
    "reactants": [{{"species name": "B.1"}}], "products": []}},
   {{"type": "EMISSION", "name": "stack", "gas phase": "gas", "products": [{{"species name": "E"}}]}},
   {{"type": "ARRHENIUS", "A": 0, "gas phase": "gas", "reactants": [{{"species name": "M"}}, {{"species name": "E"}}], "products": []}}
  ]}}}}"#
    )
}

/// Columns of the table of a box, by name.
fn column(csv: &str, name: &str) -> Vec<f64> {
    let mut lines = csv.lines();
    let place = lines.next().and_then(|head| head.split(',').position(|column| column == name)).expect(name);
    lines.map(|line| line.split(',').nth(place).and_then(|x| x.parse().ok()).expect(line)).collect()
}

fn near(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() <= 1e-6 * b.abs(), "{found:?} for {expected:?}");
    }
}

/// Amounts, temperatures, pressures and rates that change, from a file of their own and from the configuration.
#[test]
fn a_box_is_followed_as_its_file_says() {
    let b = Bench::new();
    std::fs::write(
        b.path("start.csv"),
        "time.s, ENV.temperature.K, ENV.pressure.Pa, CONC.A.ppm, ENV.air_density.kg, USER.turn.s-1\n\
         0, 250, 50000, 2, 7, 1e-3\n75,,,,,0\n",
    )
    .expect("written");
    // The configuration's own counts where both set something.
    let more = r#""filepaths": ["start.csv"], "data": [{"headers": ["time.s", "USER.turn", "CONC.B.1.mol m-3",
        "EMIS.stack.mol m-3 s-1", "ENV.temperature.K"],
        "rows": [[0, 2e-3, 1e-6, 1e-9, null], [30, 4e-3, null, 0, 300], [60, null, 5e-6, null, null]]}]"#;
    std::fs::write(b.path("run.json"), config(more)).expect("written");
    let o = b.kinlane(&["box", "run.json", "--rtol", "1e-9", "--csv", "-"]);
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    assert!(stderr(&o).contains("nothing sets J.light, which is 0"), "{}", stderr(&o));
    near(&column(&stdout(&o), "time_s"), &[0.0, 30.0, 60.0, 90.0, 120.0]);
    near(&column(&stdout(&o), "T"), &[250.0, 300.0, 300.0, 300.0, 300.0]);
    // M in mol/m³, 1/s of A
    let air = |t: f64| 50_000.0 / (BOLTZMANN * t) / AVOGADRO;
    let turned = [30.0 * 2e-3 * air(250.0), 30.0 * 4e-3 * air(300.0), 15.0 * 4e-3 * air(300.0), 0.0];
    let mut a = vec![2e-6 * air(250.0) * AVOGADRO * 1e-6];
    let mut made = Vec::new();
    for x in turned {
        let last = a[a.len() - 1];
        a.push(last * (-x).exp());
        made.push(last * -(-x).exp_m1());
    }
    near(&column(&stdout(&o), "A"), &a);
    let unit = AVOGADRO * 1e-6;
    let b1 = [1e-6 * unit, 1e-6 * unit + made[0], 5e-6 * unit, 5e-6 * unit + made[2], 5e-6 * unit + made[2]];
    near(&column(&stdout(&o), "B.1"), &b1);
    near(&column(&stdout(&o), "E"), &[0.0, 3e-8 * unit, 3e-8 * unit, 3e-8 * unit, 3e-8 * unit]);
}

/// A box may be empty until its file gives amounts.
#[test]
fn amounts_may_come_later() {
    let b = Bench::new();
    let told = |amount: &str| {
        let table = format!(
            r#""data": [{{"headers": ["time.s", "ENV.temperature.K", "ENV.pressure.Pa", "{amount}", "PHOTO.light.s-1", "USER.turn"],
            "rows": [[0, 250, 50000, null, 1e-2, 0], [60, null, null, 2e-6, null, null]]}}]"#
        );
        std::fs::write(b.path("run.json"), config(&table)).expect("written");
        let o = b.kinlane(&["box", "run.json", "--csv", "-"]);
        assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
        stderr(&o)
    };
    assert!(!told("CONC.A").contains("begins with nothing"), "{}", told("CONC.A"));
    assert!(told("EMIS.stack").contains("begins with nothing that reacts"), "{}", told("EMIS.stack"));
}

/// What is set of a third body holds until something else is set, whatever becomes of the air.
#[test]
fn a_third_body_that_is_set_leaves_the_air() {
    let b = Bench::new();
    let table = r#""data": [{"headers": ["time.s", "ENV.temperature.K", "ENV.pressure.Pa", "CONC.A", "CONC.M", "USER.turn"],
        "rows": [[0, 250, 50000, 1e-6, null, 1e-3], [30, null, null, null, 2, null], [60, 300, 90000, null, null, null],
         [90, null, null, null, 3, null]]}]"#;
    std::fs::write(b.path("run.json"), config(table)).expect("written");
    let o = b.kinlane(&["box", "run.json", "--rtol", "1e-9", "--csv", "-"]);
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    let mut a = vec![1e-6 * AVOGADRO * 1e-6];
    // M in mol/m³
    for m in [50_000.0 / (BOLTZMANN * 250.0) / AVOGADRO, 2.0, 2.0, 3.0] {
        a.push(a[a.len() - 1] * (-30.0 * 1e-3 * m).exp());
    }
    near(&column(&stdout(&o), "A"), &a);
}

/// What the command line says, counts for the whole of the run; an amount for its beginning.
#[test]
fn the_command_line_counts_more() {
    let b = Bench::new();
    let table = r#""data": [{"headers": ["time.s", "ENV.temperature.K", "ENV.pressure.Pa", "CONC.A", "PHOTO.light.s-1", "USER.turn"],
        "rows": [[0, 250, 50000, 1e-6, 1e-2, 0], [60, 300, null, 2e-6, 2e-2, 0]]}]"#;
    std::fs::write(b.path("run.json"), config(table)).expect("written");
    let set = "A=1e10,B.1=1e12,J.light=1e-3,EMIS.stack=0,M=1e19";
    let o = b.kinlane(&["box", "run.json", "--T", "280", "--set", set, "--rtol", "1e-9", "--csv", "-"]);
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    assert!(!stdout(&o).starts_with("time_s,T,"), "{}", stdout(&o));
    let unit = AVOGADRO * 1e-6;
    near(&column(&stdout(&o), "A"), &[1e10, 1e10, 2e-6 * unit, 2e-6 * unit, 2e-6 * unit]);
    let b1: Vec<f64> = (0..5).map(|i| 1e12 * (-0.03 * f64::from(i)).exp()).collect();
    near(&column(&stdout(&o), "B.1"), &b1);
    // Light that follows the sun while the file sets something else; the day begins at noon.
    let sunny = ["box", "run.json", "--set", "B.1=1e12,J.light=1e-3*SUN", "--rtol", "1e-9", "--csv", "-"];
    let o = b.kinlane(&sunny);
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    assert!(stdout(&o).starts_with("time_s,SUN,T,"), "{}", stdout(&o));
    near(&column(&stdout(&o), "T"), &[250.0, 250.0, 300.0, 300.0, 300.0]);
    let sunny = column(&stdout(&o), "B.1");
    sunny.iter().zip(&b1).for_each(|(found, noon)| assert!((found / noon - 1.0).abs() < 1e-3, "{sunny:?}"));
    near(&column(&stdout(&o), "A")[2..], &[2e-6 * unit; 3]);
}

/// Parts of the air are those of the air that there is; and a file without conditions begins with nothing.
#[test]
fn parts_of_the_air_follow_the_command_line() {
    let b = Bench::new();
    let table = |more: &str| {
        let heads = format!(
            r#""time.s", "CONC.A.ppm", "USER.turn"{}"#,
            if more.is_empty() { "" } else { r#", "ENV.pressure.Pa""# }
        );
        format!(r#""data": [{{"headers": [{heads}], "rows": [[0, 2, 0{more}]]}}]"#)
    };
    std::fs::write(b.path("run.json"), config(&table(", 50000"))).expect("written");
    let run = ["box", "run.json", "--T", "280", "--every", "2min", "--csv", "-", "--quiet"];
    let a = column(&stdout(&b.kinlane(&run)), "A");
    near(&a, &[2e-6 * 50_000.0 / (BOLTZMANN * 280.0) * 1e-6; 2]);
    // No rate depends on the temperature, the pressure or the air, and the parts do.
    let o = b.kinlane(&run[..run.len() - 1]);
    assert!(o.status.success() && !stderr(&o).contains("--T"), "{}", stderr(&o));
    let air = 1e5 / (BOLTZMANN * 280.0) * 1e-6;
    for (set, air) in [("PRESSURE=1e5", air), ("P=1e5", air), ("pressure=1e5", air), ("C_M=1e19", 1e19)] {
        let o = b.kinlane(&[&run[..], &["--set", set]].concat());
        assert_eq!(o.status.code(), Some(0), "{set}: {}", stderr(&o));
        near(&column(&stdout(&o), "A"), &[2e-6 * air; 2]);
    }
    for (set, said) in
        [("P=1e5,PRESSURE=1e5", "given twice"), ("P=2*SUN", "cannot follow SUN"), ("P=-1", "is negative")]
    {
        let o = b.kinlane(&[&run[..], &["--set", set]].concat());
        assert!(o.status.code() == Some(2) && stderr(&o).contains(said), "{set}: {}", stderr(&o));
    }
    std::fs::write(b.path("run.json"), config(&table(""))).expect("written");
    let o = b.kinlane(&run);
    assert!(o.status.code() == Some(2) && stderr(&o).contains("no pressure"), "{}", stderr(&o));
    std::fs::write(b.path("run.json"), config("")).expect("written");
    let o = b.kinlane(&["box", "run.json", "--T", "280", "--set", "A=1,M=1e19", "--csv", "-"]);
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    assert!(stderr(&o).contains("nothing sets turn, EMIS.stack, J.light, which is 0"), "{}", stderr(&o));
    near(&column(&stdout(&o), "A"), &[1.0; 5]);
}
