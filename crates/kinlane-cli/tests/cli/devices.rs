//! `--device`: the same answers, the same exit codes, and a line that says what to do where there is none.

use crate::common::{Bench, cells, load, save, spoil, stderr, stdout};

/// What is known of cells goes on wherever the next call is: three calls on the CPU are three calls on any devices.
#[test]
fn the_memory_of_cells_goes_from_device_to_device() {
    let b = Bench::new();
    if !opencl(&b) {
        return;
    }
    let calls = |devices: [&str; 3]| {
        save(&b.path("s.npz"), &cells(30), false);
        for device in devices {
            let args = ["advance", "h2", "--states", "s.npz", "--dt", "3e-6", "--out", "o.npz", "--method", "bdf"];
            let o = b.kinlane(&[&args[..], &["--continue", "m.npz", "--device", device, "--json", "r.json"]].concat());
            assert_eq!(o.status.code(), Some(0), "{device}: {}", stderr(&o));
            let report: serde_json::Value = serde_json::from_slice(&std::fs::read(b.path("r.json")).unwrap()).unwrap();
            assert_eq!(report["device"], device.replace("opencl", "opencl:0"), "{report}");
            std::fs::copy(b.path("o.npz"), b.path("s.npz")).unwrap();
        }
        std::fs::remove_file(b.path("m.npz")).unwrap();
        let out = load(&b.path("o.npz"));
        ["T", "P", "Y", "steps"].map(|key| out[key].numbers())
    };
    let want = calls(["cpu"; 3]);
    assert!(calls(["opencl"; 3]) == want && calls(["opencl", "cpu", "cpu+opencl"]) == want);
}

/// Whether an OpenCL device can be tested here; with `CI` set it must.
fn opencl(b: &Bench) -> bool {
    let o = b.kinlane(&["devices"]);
    assert_eq!(o.status.code(), Some(0));
    let text = stdout(&o);
    assert!(text.starts_with("cpu "), "{text}");
    let here = text.lines().any(|l| l.starts_with("opencl:0")) && text.contains("double precision;");
    if !here {
        kinlane_testdata::skipped(&format!("no OpenCL device: {text}"));
    }
    here
}

#[test]
fn a_device_gives_the_answers_of_the_cpu() {
    let b = Bench::new();
    if !opencl(&b) {
        return;
    }
    let mut states = cells(40);
    spoil(&mut states, "T", 7, 1e9);
    save(&b.path("s.npz"), &states, false);
    let run = |device: &str, more: &[&str]| {
        let mut args = vec!["advance", "h2", "--states", "s.npz", "--dt", "1e-5", "--out", "o.npz", "--json", "r.json"];
        args.extend(["--device", device]);
        args.extend(more);
        let o = b.kinlane(&args);
        assert_eq!(o.status.code(), Some(1), "one cell is hopeless: {}", stderr(&o));
        let report: serde_json::Value = serde_json::from_slice(&std::fs::read(b.path("r.json")).unwrap()).unwrap();
        (load(&b.path("o.npz")), report)
    };
    let (want, on_cpu) = run("cpu", &[]);
    for (device, more) in [
        ("opencl", &[][..]),
        ("opencl:0", &["--device-memory", "1"]),
        ("cpu+opencl", &[]),
        ("opencl", &["--mapping", "group"]),
        ("auto", &[]),
    ] {
        let (got, report) = run(device, more);
        for key in ["T", "P", "Y"] {
            assert_eq!(got[key].numbers(), want[key].numbers(), "{device}, {key}");
        }
        assert_eq!((&report["method"], &report["chosen"]), (&on_cpu["method"], &on_cpu["chosen"]), "{device}");
        let fell_back = report["fallback"].is_string();
        assert_eq!(fell_back, device == "auto" && report["device"] == "cpu", "{report}");
        if device != "auto" {
            assert_eq!(report["device"], device.replace("opencl:0", "opencl").replace("opencl", "opencl:0"));
        }
    }
    let rates = |device: &str| {
        let o = b.kinlane(&["rates", "h2", "--states", "s.npz", "--out", "w.npz", "--device", device]);
        assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
        load(&b.path("w.npz"))["wdot"].numbers()
    };
    let bits = |x: Vec<f64>| x.into_iter().map(|x| if x.is_nan() { 0 } else { x.to_bits() }).collect::<Vec<_>>();
    assert_eq!(bits(rates("opencl")), bits(rates("cpu")));
    let o = b.kinlane(&["check", "h2", "--device", "opencl"]);
    assert!(stdout(&o).contains("per cell in work"), "{}", stdout(&o));
    std::fs::write(b.path("small.def"), "#DEFVAR A = O; B = O; #EQUATIONS A = B : 1.0;").expect("written");
    let o = b.kinlane(&["check", "small.def", "--device", "opencl", "--json", "c.json"]);
    assert!(stdout(&o).contains("per cell in work"), "{}", stdout(&o));
    let json = std::fs::read_to_string(b.path("c.json")).expect("a report");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let first = &json["devices"][0];
    assert!(first["cells"] == 10_000 && first["per_cell"].as_u64().is_some_and(|bytes| bytes > 0), "{json}");
}

/// What a device would have to do is not done by another without a word.
#[test]
fn what_no_device_does_is_said() {
    let b = Bench::new();
    for (args, part) in [
        (
            &["advance", "h2", "--states", "s.npz", "--dt", "1e-6", "--out", "o.npz"][..],
            "--mapping part is one of cuda",
        ),
        (
            &["pasr", "h2", "--mixture", "H2:2,O2,N2:4", "--tau-res", "1ms", "--tau-mix", "1ms"],
            "--mapping part is one of cuda",
        ),
    ] {
        let o = b.kinlane(&[args, &["--device", "opencl", "--mapping", "part"]].concat());
        assert!(o.status.code() == Some(2) && stderr(&o).contains(part), "{}", stderr(&o));
    }
    for bench in ["gpu", "precision"] {
        let o = b.kinlane(&["bench", bench, "h2:H2", "--device", "cpu", "--dt", "1e-6", "--cells", "20"]);
        assert_eq!(o.status.code(), Some(2), "{bench}: {}", stderr(&o));
    }
    let flame = ["flamelet", "h2", "--fuel", "H2", "--oxidizer", "O2:1,N2:3.76", "--chi", "10", "--points", "10"];
    let gas = ["pasr", "h2", "--mixture", "H2:2,O2,N2:4", "--tau-res", "1ms", "--tau-mix", "1ms", "--particles", "4"];
    for args in [&flame[..], &gas] {
        let o = b.kinlane(&[args, &["--device", "auto", "--json", "r.json"]].concat());
        assert!(o.status.success(), "{}", stderr(&o));
        let report: serde_json::Value = serde_json::from_slice(&std::fs::read(b.path("r.json")).unwrap()).unwrap();
        let alone = report["device"] == "cpu";
        assert_eq!(report["fallback"].is_string(), alone, "{report}");
        assert_eq!(stderr(&o).contains("the CPU did the work"), alone, "{}", stderr(&o));
    }
}

#[test]
fn a_sweep_of_delays_runs_on_a_device() {
    let b = Bench::new();
    let sweep = ["ignite", "h2", "--mixture", "H2:2,O2:1,AR:20", "--T", "950:1400:6", "--end-time", "0.01"];
    let run = |more: &[&str]| b.kinlane(&[&sweep[..], &["--delay", "dT/dt", "--delay", "max OH"], more].concat());
    let o = run(&["--dpdt", "1%/ms", "--device", "opencl"]);
    assert!(o.status.code() == Some(2) && stderr(&o).contains("leave --device out"), "{}", stderr(&o));
    if !opencl(&b) {
        return;
    }
    let table = |device: &str| {
        let o = run(&["--csv", "d.csv", "--json", "r.json", "--device", device]);
        assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
        let report: serde_json::Value = serde_json::from_slice(&std::fs::read(b.path("r.json")).unwrap()).unwrap();
        (std::fs::read_to_string(b.path("d.csv")).unwrap(), report["device"].as_str().unwrap_or_default().to_owned())
    };
    let (want, place) = table("cpu");
    assert!(place == "cpu" && want.lines().count() == 7, "{place}: {want}");
    for (device, id) in [("opencl", "opencl:0"), ("cpu+opencl", "cpu+opencl:0")] {
        assert_eq!(table(device), (want.clone(), id.to_owned()));
    }
}

#[test]
fn what_is_not_there_is_said_in_one_line_with_a_remedy() {
    let b = Bench::new();
    save(&b.path("s.npz"), &cells(2), false);
    for (device, words) in [
        ("nosuch", ["no device `nosuch`", "give cpu"]),
        ("opencl:99", ["opencl", "cpu"]),
        ("cuda:99", ["cuda", "cpu"]),
        ("opencl+opencl", ["no device `opencl+opencl`", "give cpu"]),
    ] {
        let o =
            b.kinlane(&["advance", "h2", "--states", "s.npz", "--dt", "1e-5", "--out", "o.npz", "--device", device]);
        assert_eq!(o.status.code(), Some(2), "{device}");
        let text = stderr(&o);
        let known = words.iter().all(|w| text.contains(w)) || text.contains("kinlane devices");
        assert!(known && text.trim_end().lines().count() == 1, "{device}: {text}");
        assert_eq!(b.files(), ["s.npz"], "{device}");
    }
    // A loader that finds no driver.
    let mut command = b.command(&["rates", "h2", "--states", "s.npz", "--out", "w.npz", "--device", "opencl"]);
    let o = command.env("OCL_ICD_VENDORS", b.path("none")).output().unwrap();
    if o.status.code() != Some(0) {
        assert!(stderr(&o).contains("pocl-opencl-icd"), "{}", stderr(&o));
    }
}

#[test]
fn reduced_precision_is_for_devices_and_for_tolerances_that_it_holds() {
    let b = Bench::new();
    save(&b.path("s.npz"), &cells(9), false);
    let advance = |more: &[&str]| {
        let args = ["advance", "h2", "--states", "s.npz", "--dt", "1e-5", "--out", "o.npz", "--json", "r.json"];
        b.kinlane(&[&args[..], &["--method", "rodas5p"], more].concat())
    };
    for (more, words) in [
        (&["--precision", "mixed", "--rtol", "1e-5"][..], "the CPU computes in f64"),
        (&["--precision", "f32", "--rtol", "1e-4", "--device", "cpu"], "the CPU computes in f64"),
        (
            &["--precision", "f32", "--device", "opencl"],
            "rtol 1e-6 is finer than precision f32 can hold, which is 1e-4",
        ),
    ] {
        let o = advance(more);
        let text = stderr(&o);
        assert_eq!(o.status.code(), Some(2), "{more:?}: {text}");
        assert!(text.contains(words) && text.trim_end().lines().count() == 1, "{more:?}: {text}");
        assert_eq!(b.files(), ["s.npz"], "{more:?}");
    }
    if !opencl(&b) {
        return;
    }
    let mixed = ["--precision", "mixed", "--rtol", "1e-4", "--device", "opencl", "--continue", "m.npz"];
    let o = advance(&mixed);
    assert!(stderr(&o).contains("in precision f64, not mixed; take f64"), "{}", stderr(&o));
    assert_eq!((o.status.code(), b.files()), (Some(2), vec!["s.npz".to_owned()]));
    let mixed = advance(&["--precision", "mixed", "--rtol", "1e-4", "--device", "cpu+opencl"]);
    assert!(stderr(&mixed).contains("take a device alone"), "{}", stderr(&mixed));
    assert_eq!(advance(&["--rtol", "1e-4"]).status.code(), Some(0));
    let want = load(&b.path("o.npz"));
    for precision in ["f64", "mixed", "f32"] {
        let o = advance(&["--rtol", "1e-4", "--device", "opencl", "--precision", precision]);
        assert_eq!(o.status.code(), Some(0), "{precision}: {}", stderr(&o));
        let hint = format!("precision {precision} holds rtol from 1e-{} on", if precision == "f32" { 4 } else { 5 });
        assert_eq!(stdout(&o).contains(&hint), precision != "f64", "{precision}: {}", stdout(&o));
        let report: serde_json::Value = serde_json::from_slice(&std::fs::read(b.path("r.json")).unwrap()).unwrap();
        assert_eq!((&report["precision"], &report["rescued"]), (&precision.into(), &0.into()), "{report}");
        let got = load(&b.path("o.npz"));
        let far = |key: &str, floor: f64| {
            let (a, b) = (got[key].numbers(), want[key].numbers());
            a.iter().zip(&b).map(|(a, b)| (a - b).abs() / (b.abs() + floor)).max_by(f64::total_cmp).unwrap_or_default()
        };
        let (t, y) = (far("T", 0.0), far("Y", 1e-8));
        assert!(t < 1e-4 && y < 1e-3, "{precision}: {t:e}, {y:e}");
        assert_eq!(t.max(y) == 0.0, precision == "f64", "{precision}: {t:e}, {y:e}");
    }
}
