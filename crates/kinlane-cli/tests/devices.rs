//! `--device`: the same answers, the same exit codes, and a line that says what to do where there is none.

mod common;

use common::{Bench, cells, load, save, spoil, stderr, stdout};

/// Whether an OpenCL device can be tested here; with `CI` set it must.
fn opencl(b: &Bench) -> bool {
    let o = b.kinlane(&["devices"]);
    assert_eq!(o.status.code(), Some(0));
    let text = stdout(&o);
    assert!(text.starts_with("cpu "), "{text}");
    let here = text.lines().any(|l| l.starts_with("opencl:0")) && text.contains("double precision;");
    assert!(here || std::env::var_os("CI").is_none(), "no OpenCL device: {text}");
    if !here {
        eprintln!("skipped: no OpenCL device");
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
        let mut args = "advance h2 --states s.npz --dt 1e-5 --method rodas5p --out o.npz --json r.json"
            .split(' ')
            .collect::<Vec<_>>();
        args.extend(["--device", device]);
        args.extend(more);
        let o = b.kinlane(&args);
        assert_eq!(o.status.code(), Some(1), "one cell is hopeless: {}", stderr(&o));
        let report: serde_json::Value = serde_json::from_slice(&std::fs::read(b.path("r.json")).unwrap()).unwrap();
        (load(&b.path("o.npz")), report)
    };
    let (want, _) = run("cpu", &[]);
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
