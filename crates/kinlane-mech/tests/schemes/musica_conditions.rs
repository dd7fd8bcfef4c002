//! What a file of music-box says beside its mechanism, and what is told where it cannot be set.

use crate::common::errors_of;
use kinlane_mech::musica::read_str;
use kinlane_mech::scheme::{Change, Moment, Quantity};

/// A file with these options and conditions, of a mechanism whose species `C` takes part in nothing.
fn config(beside: &str) -> String {
    format!(
        r#"{{{beside},
 "mechanism": {{"version": "1", "species": [{{"name": "A"}}, {{"name": "B"}}, {{"name": "C"}}],
  "phases": [{{"name": "gas", "species": ["A", "B"]}}],
  "reactions": [{{"type": "USER_DEFINED", "name": "r", "gas phase": "gas", "reactants": [{{"species name": "A"}},
    {{"species name": "A"}}], "products": [{{"species name": "B"}}]}},
   {{"type": "PHOTOLYSIS", "name": "p", "gas phase": "gas", "reactants": [{{"species name": "B"}}], "products": []}}]}}}}"#
    )
}

fn table(heads: &str, rows: &str) -> String {
    config(&format!(r#""conditions": {{"data": [{{"headers": [{heads}], "rows": [{rows}]}}]}}"#))
}

fn errors(text: &str) -> Vec<(&'static str, String)> {
    errors_of(&read_str(("test.json", text)).map(|_| ()).expect_err(text))
}

#[test]
fn moments_are_in_the_order_of_time_and_in_the_units_of_schemes() {
    let scheme = read_str((
        "test.json",
        &table(
            r#""time.s", "CONC.A", "CONC.B.molec cm-3", "CONC.C.mol m-3", "USER.r.s-1", "PHOTO.p", "ENV.temperature.K", "CONC.A.ppb""#,
            "[10, null, null, 1, null, 0.5, null, null], [0, 1, 2, 1, 3, null, 280, null], [0, 4, null, null, null, null, null, null],
             [20, null, null, null, null, null, null, 3]",
        ),
    ))
    .expect("read");
    let unit = 6.022_140_76e17;
    let change = |what, value| Change { what, value, of_air: false };
    let begin = vec![
        change(Quantity::Species(1), 2.0),
        change(Quantity::Input(0), 3.0 / unit),
        change(Quantity::Temperature, 280.0),
        change(Quantity::Species(0), 4.0 * unit),
    ];
    let expected = [
        Moment { t: 0.0, set: begin },
        Moment { t: 10.0, set: vec![change(Quantity::Photolysis(0), 0.5)] },
        Moment { t: 20.0, set: vec![Change { of_air: true, ..change(Quantity::Species(0), 3e-9) }] },
    ];
    assert_eq!(scheme.moments.len(), expected.len());
    for (found, expected) in scheme.moments.iter().zip(&expected) {
        assert_eq!(found.t, expected.t);
        assert_eq!(found.set.len(), expected.set.len());
        for (found, expected) in found.set.iter().zip(&expected.set) {
            let same = (found.what, found.of_air) == (expected.what, expected.of_air);
            assert!(same && (found.value - expected.value).abs() <= 1e-15 * expected.value, "{found:?}, {expected:?}");
        }
    }
    assert_eq!(scheme.run.temperature, Some(280.0));
}

#[test]
fn times() {
    let scheme = read_str((
        "test.json",
        &config(r#""box model options": {"grid": "box", "simulation length [day]": 2, "output time step [hr]": 0.5}"#),
    ))
    .expect("read");
    assert_eq!((scheme.run.start, scheme.run.length, scheme.run.step), (None, Some(172_800.0), Some(1800.0)));
    for wrong in ["simulation length [week]", "simulation length"] {
        let text = config(&format!(r#""box model options": {{"{wrong}": 2}}"#));
        assert_eq!(errors(&text), [("M0718", format!("\"{wrong}\""))]);
    }
}

/// Each unit by its size in molecule/cm³, or in parts of the air; what stands in none is in mol/m³.
#[test]
fn amounts_and_times_come_in_many_units() {
    let n = 6.022_140_76e23;
    for (unit, size, of_air) in [
        ("", 1e-6 * n, false),
        (".mol m-3", 1e-6 * n, false),
        (".mol cm-3", n, false),
        (".molec m-3", 1e-6, false),
        (".molecule m-3", 1e-6, false),
        (".molec cm-3", 1.0, false),
        (".molecule cm-3", 1.0, false),
        (".mol mol-1", 1.0, true),
        (".ppth", 1e-3, true),
        (".ppm", 1e-6, true),
        (".ppb", 1e-9, true),
        (".ppt", 1e-12, true),
    ] {
        let scheme = read_str(("test.json", &table(&format!(r#""time.s", "CONC.A{unit}""#), "[0, 2]"))).expect("read");
        let [Change { what: Quantity::Species(0), value, of_air: part }] = scheme.moments[0].set[..] else {
            panic!("{unit}: {:?}", scheme.moments)
        };
        assert!(part == of_air && (value / (2.0 * size) - 1.0).abs() < 1e-14, "{unit}: {value}");
    }
    for (unit, seconds) in [("sec", 3.0), ("min", 180.0), ("hr", 10_800.0), ("hour", 10_800.0), ("day", 259_200.0)] {
        let text = config(&format!(r#""box model options": {{"simulation length [{unit}]": 3}}"#));
        assert_eq!(read_str(("test.json", &text)).expect("read").run.length, Some(seconds), "{unit}");
    }
}

/// Radius \[m\] and number \[1/m³\] of particles have long names in tables.
#[test]
fn particles_are_set_by_their_long_names() {
    let text = r#"{"conditions": {"data": [{"headers": ["time.s", "SURF.het.effective radius.m",
   "SURF.het.particle number concentration.# m-3", "LOSS.out.s-1"], "rows": [[0, 1e-7, 5e9, 3e-4]]}]},
 "mechanism": {"version": "1", "species": [{"name": "A", "molecular weight [kg mol-1]": 0.108}, {"name": "B"}],
  "phases": [{"name": "gas", "species": [{"name": "A", "diffusion coefficient [m2 s-1]": 2e-5}, "B"]}],
  "reactions": [{"type": "SURFACE", "name": "het", "gas phase": "gas", "gas-phase species": "A",
    "gas-phase products": [{"species name": "B"}], "condensed phase": "ice"},
   {"type": "FIRST_ORDER_LOSS", "name": "out", "gas phase": "gas", "reactants": [{"species name": "B"}]}]}}"#;
    let scheme = read_str(("test.json", text)).unwrap_or_else(|e| panic!("{e}"));
    let mut set: Vec<(&str, f64)> = Vec::new();
    for change in &scheme.moments[0].set {
        let Quantity::Input(i) = change.what else { panic!("{change:?}") };
        set.push((&scheme.inputs[i].0, change.value));
    }
    assert_eq!(set, [("SURF.het.radius", 1e-7), ("SURF.het.number", 5e9), ("LOSS.out", 3e-4)]);
    // What is held counts by its name, as what evolves does.
    let text = r#"{"conditions": {"data": [{"headers": ["time.s", "CONC.X.molec cm-3"], "rows": [[0, 4e15]]}]},
 "mechanism": {"version": "1", "species": [{"name": "A"}, {"name": "X", "tracer type": "CONSTANT"}],
  "phases": [{"name": "gas", "species": ["A", "X"]}],
  "reactions": [{"type": "ARRHENIUS", "gas phase": "gas", "reactants": [{"species name": "A"}, {"species name": "X"}],
    "products": []}]}}"#;
    let scheme = read_str(("test.json", text)).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(scheme.moments[0].set, [Change { what: Quantity::Fixed(0), value: 4e15, of_air: false }]);
}

#[test]
fn what_is_not_read_is_told() {
    let scheme = read_str(("test.json", &config(r#""initial conditions": {}, "__note": 1"#))).expect("read");
    let told: Vec<_> = scheme.notes.iter().map(|note| (note.code, note.message.as_str())).collect();
    assert!(told.contains(&("M0715", "`initial conditions` is not read")), "{told:?}");
}

#[test]
fn what_cannot_be_set_is_told() {
    for (heads, rows, expected) in [
        (r#""time", "CONC.A""#, "[0, 1]", r#""time""#),
        (r#""time.s", "CONC.a""#, "[0, 1]", r#""CONC.a""#),
        (r#""time.s", "CONC.A.kg m-3""#, "[0, 1]", r#""CONC.A.kg m-3""#),
        (r#""time.s", "PHOTO.q.s-1""#, "[0, 1]", r#""PHOTO.q.s-1""#),
        (r#""time.s", "PHOTO.p.min-1""#, "[0, 1]", r#""PHOTO.p.min-1""#),
        (r#""time.s", "USER.q.s-1""#, "[0, 1]", r#""USER.q.s-1""#),
        (r#""time.s", "SURF.q.effective radius.m""#, "[0, 1]", r#""SURF.q.effective radius.m""#),
        (r#""time.s", "PHOTOS.p""#, "[0, 1]", r#""PHOTOS.p""#),
        (r#""time.s", "ENV.temperature.C""#, "[0, 1]", r#""ENV.temperature.C""#),
        (r#""time.s", "CONC.A""#, "[0, 1, 2]", "[0, 1, 2]"),
        (r#""time.s", "CONC.A""#, "[-1, 1]", "[-1, 1]"),
        (r#""time.s", "CONC.A""#, "[null, 1]", "[null, 1]"),
        (r#""time.s", "CONC.A""#, "[0, -1]", "[0, -1]"),
        (r#""time.s", "ENV.temperature.K""#, "[0, 0]", "[0, 0]"),
    ] {
        assert_eq!(errors(&table(heads, rows)), [("M0718", expected.to_owned())], "{heads}");
    }
    let near = read_str(("test.json", &table(r#""time.s", "CONC.a""#, "[0, 1]"))).map(|_| ()).expect_err("no a");
    assert!(near.to_string().contains("did you mean `A`?"), "{near}");
    assert_eq!(errors(&table(r#""time.s", "CONC.A""#, r#"[0, "x"]"#)), [("M0703", "\"x\"".to_owned())]);
    assert_eq!(errors(&config(r#""conditions": {"filepaths": ["no.csv"]}"#)), [("M0700", "\"no.csv\"".to_owned())]);
    assert_eq!(errors(&config(r#""conditions": {"filepath": []}"#)), [("M0704", "\"filepath\"".to_owned())]);
}

#[test]
fn tables_in_files_have_places() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("run.json");
    std::fs::write(&file, config(r#""conditions": {"filepaths": ["a.csv"]}"#)).expect("written");
    std::fs::write(folder.path().join("a.csv"), "time.s, \"CONC.A\",CONC.D\r\n0, 1x,\r\n").expect("written");
    let told = kinlane_mech::musica::read(&file).map(|_| ()).expect_err("wrong").to_string();
    for part in ["a.csv:2:4", "`1x` is not a number"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    std::fs::write(folder.path().join("a.csv"), "time.s, \"CONC.A\",CONC.D\r\n0, 1,None\r\n").expect("written");
    let told = kinlane_mech::musica::read(&file).map(|_| ()).expect_err("no D").to_string();
    assert!(told.contains("a.csv:1:18"), "{told}");
}

#[test]
fn times_that_no_run_can_have_are_refused() {
    for (entry, value) in
        [("simulation length [sec]", "-5"), ("simulation length [hr]", "0"), ("output time step [min]", "-10")]
    {
        let found = errors(&config(&format!(r#""box model options": {{"{entry}": {value}}}"#)));
        assert_eq!(found, [("M0718", value.to_owned())]);
    }
}

#[test]
fn an_amount_that_the_mechanism_holds_is_not_set() {
    let held = r#"{"name": "C", "constant concentration [mol m-3]": 5}"#;
    let text = table(r#""time.s", "CONC.C.mol m-3""#, "[0, 1]");
    assert!(read_str(("test.json", text.as_str())).is_ok(), "where it takes part in nothing");
    let text = text.replace(r#"{"name": "C"}"#, held);
    assert_eq!(errors(&text), [("M0718", "\"CONC.C.mol m-3\"".to_owned())]);
}

#[test]
fn units_of_rate_constants_that_are_not_looked_at_are_told() {
    for (unit, told) in
        [(".s-1", false), (".m3 mol-1 s-1", false), ("", false), (".hr-1", true), (".cm3 molecule-1 s-1", true)]
    {
        let text = table(&format!(r#""time.s", "USER.r{unit}""#), "[0, 1]");
        let scheme = read_str(("test.json", text.as_str())).expect(&text);
        assert_eq!(scheme.notes.iter().any(|note| note.code == "M0718"), told, "{unit}: {:?}", scheme.notes);
    }
}
