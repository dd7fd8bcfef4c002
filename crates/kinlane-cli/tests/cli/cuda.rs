//! `--device cuda` on machines without a card: a driver that stands in for CUDA's (`cuda/driver.cpp`) runs the very
//! kernels on the processor. What it cannot show is speed, and what a real compiler makes of them.

use crate::common::{Array, Bench, cells, load, save, spoil, stderr, stdout};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// Folder of the libraries, if a C++ compiler made them; with `CI` set one must.
fn libraries() -> Option<&'static Path> {
    static MADE: OnceLock<Option<(tempfile::TempDir, PathBuf)>> = OnceLock::new();
    let made = MADE.get_or_init(|| {
        let dir = tempfile::tempdir().unwrap();
        let (source, library) = (concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cuda/driver.cpp"), "libcuda.so.1");
        let flags = ["-std=c++17", "-O1", "-shared", "-fPIC", "-pthread", "-o", library, source, "-ldl"];
        let made = Command::new("c++").args(flags).current_dir(dir.path()).output();
        let good =
            cfg!(all(target_os = "linux", target_arch = "x86_64")) && made.as_ref().is_ok_and(|o| o.status.success());
        if !good {
            kinlane_testdata::skipped(&format!(
                "no C++ compiler, or a system that the stand-in is not made for: {made:?}"
            ));
            return None;
        }
        std::fs::copy(dir.path().join(library), dir.path().join("libnvrtc.so")).unwrap();
        let path = dir.path().to_owned();
        Some((dir, path))
    });
    made.as_ref().map(|(_, path)| path.as_path())
}

/// The program with the stand-in beside it.
struct Card {
    bench: Bench,
    libraries: &'static Path,
}

impl Card {
    fn new() -> Option<Self> {
        let libraries = libraries()?;
        let bench = Bench::new();
        std::fs::create_dir(bench.path("kernels")).unwrap();
        Some(Self { bench, libraries })
    }

    fn run(&self, args: &[&str], settings: &[(&str, &str)]) -> Output {
        let mut c = self.bench.command(args);
        c.env("LD_LIBRARY_PATH", self.libraries).env("KINLANE_NVRTC", self.libraries.join("libnvrtc.so"));
        c.env("KINLANE_CACHE", self.bench.path("kernels")).env("STAND_IN_SEEN", self.bench.path("seen"));
        c.envs(settings.iter().copied()).output().unwrap()
    }

    /// Advances `s.npz`; the answer, the report, and what the driver was asked for.
    fn advance(&self, mechanism: &str, device: &str, more: &[&str]) -> (Answer, serde_json::Value, String) {
        let mut args = vec!["advance", mechanism, "--states", "s.npz", "--out", "o.npz", "--json", "r.json"];
        args.extend(["--dt", "1e-5", "--device", device]);
        args.extend(more);
        let o = self.run(&args, &[]);
        assert_eq!(o.status.code(), Some(0), "{device}, {more:?}: {}", stderr(&o));
        let report = serde_json::from_slice(&std::fs::read(self.bench.path("r.json")).unwrap()).unwrap();
        let seen = std::fs::read_to_string(self.bench.path("seen")).unwrap_or_default();
        (load(&self.bench.path("o.npz")), report, seen)
    }
}

type Answer = std::collections::BTreeMap<String, Array>;

fn same_bits(got: &Answer, want: &Answer, what: &str) {
    for key in ["T", "P", "Y", "status", "steps", "rejected"] {
        assert_eq!(got[key].data, want[key].data, "{what}, {key}");
    }
}

#[test]
fn cards_give_the_bits_of_the_cpu() {
    let Some(card) = Card::new() else { return };
    let o = card.run(&["devices"], &[]);
    assert!(stdout(&o).contains("cuda:0     stand-in (a GPU, 2 units)"), "{}", stdout(&o));
    save(&card.bench.path("s.npz"), &cells(12), false);
    let group = ["--mapping", "group"];
    let cut = ["--device-memory", "1"];
    for (mechanism, device, more, alone) in [
        ("h2", "cuda", &[][..], true),
        ("h2", "cuda:0", &group, true),
        ("h2", "cuda", &cut, true),
        ("h2", "cpu+cuda", &[], false),
        ("h2", "cuda", &["--method", "rodas5p", "--mapping", "thread"], true),
        ("h2", "cuda", &["--method", "radau5"], true),
        ("h2", "cuda", &["--method", "bdf", "--mapping", "group"], true),
        ("h2", "cuda", &["--method", "exprb43"], true),
        ("h2", "cuda", &["--method", "chemeq2"], true),
        ("h2", "cuda", &["--method", "asymptotic"], true),
    ] {
        let methods: Vec<&str> = more.windows(2).filter(|w| w[0] == "--method").flatten().copied().collect();
        let (want, ..) = card.advance(mechanism, "cpu", &methods);
        let (got, report, seen) = card.advance(mechanism, device, more);
        let what = format!("{mechanism}, {device}, {more:?}");
        same_bits(&got, &want, &what);
        assert_eq!(
            (&report["rescued"], &report["fallback"]),
            (&0.into(), &serde_json::Value::Null),
            "{what}: {report}"
        );
        assert!(seen.contains("kept 0\n") && (!alone || !seen.contains("launches 0\n")), "{what}: {seen}");
    }
}

#[test]
fn parts_of_a_warp_give_the_bits_of_the_cpu() {
    let Some(card) = Card::new() else { return };
    save(&card.bench.path("s.npz"), &cells(21), false);
    let part = |device: &str| if device == "cpu" { &[][..] } else { &["--mapping", "part"] };
    for method in ["auto", "rodas5p", "radau5"] {
        let (want, ..) = card.advance("h2", "cpu", &["--method", method]);
        let (got, report, seen) = card.advance("h2", "cuda", &[&["--method", method], part("cuda")].concat());
        same_bits(&got, &want, method);
        assert!(report["rescued"] == 0 && report["fallback"].is_null(), "{report}");
        assert!(seen.contains("block 32\n"), "{seen}");
    }
    let twice = |device: &str| {
        for memory in ["m.npz", "o.npz"] {
            let _ = std::fs::remove_file(card.bench.path(memory));
        }
        let more = [&["--continue", "m.npz", "--method", "bdf"], part(device)].concat();
        card.advance("h2", device, &more);
        card.advance("h2", device, &more).0
    };
    same_bits(&twice("cuda"), &twice("cpu"), "continuing");
    let rates = |device: &str| {
        let asked = ["rates", "h2", "--states", "s.npz", "--out", "w.npz", "--device", device];
        let o = card.run(&[&asked, part(device)].concat(), &[]);
        assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
        load(&card.bench.path("w.npz"))["wdot"].data.clone()
    };
    assert!(rates("cuda") == rates("cpu"), "rates");
}

/// The kernels of a batch take turns in the same memory: what cells of BDF keep there is left alone when those of the default method,
/// which have factors in registers, are started again.
#[test]
fn cells_that_pause_keep_what_they_have() {
    let Some(card) = Card::new() else { return };
    let run = |args: &[&str]| {
        let o = card.run(args, &[]);
        assert_eq!(o.status.code(), Some(0), "{args:?}: {}", stderr(&o));
    };
    // Rich gas that has settled at low temperatures, and is hot now.
    let gas = ["--fuel", "CH4", "--oxidizer", "O2:1,N2:3.76", "--phi", "2", "--T", "800:1100:4"];
    run(&[&["equilibrate", "gri30", "--pair", "TP", "--out", "s.npz"][..], &gas].concat());
    let mut states = load(&card.bench.path("s.npz"));
    let t: Vec<f64> = states["T"].numbers().iter().map(|t| t + 900.0).collect();
    states.insert("T".to_owned(), Array::f64(&[t.len()], &t));
    let names = ["T", "P", "Y", "species"];
    let states = names.iter().map(|&name| (name, states.remove(name).unwrap())).collect();
    save(&card.bench.path("s.npz"), &states, false);
    let advance = |device: &[&str]| {
        let tight = ["--dt", "1e-3", "--rtol", "1e-8", "--atol", "1e-14", "--out", "o.npz", "--json", "r.json"];
        run(&[&["advance", "gri30", "--states", "s.npz"], &tight[..], device].concat());
        let report: serde_json::Value =
            serde_json::from_slice(&std::fs::read(card.bench.path("r.json")).unwrap()).unwrap();
        (load(&card.bench.path("o.npz")), report)
    };
    let (want, report) = advance(&["--device", "cpu"]);
    assert!(report["chosen"][3]["cells"].as_u64() > Some(0), "{report}");
    for mapping in ["part", "group"] {
        let (got, report) = advance(&["--device", "cuda", "--mapping", mapping]);
        same_bits(&got, &want, mapping);
        assert_eq!(report["rescued"], 0, "{report}");
    }
}

#[test]
fn cells_go_on_from_call_to_call_on_cards() {
    let Some(card) = Card::new() else { return };
    let path = |name: &str| card.bench.path(name);
    for (method, mapping) in [("rodas5p", "unrolled"), ("bdf", "thread"), ("bdf", "group")] {
        let twice = |device: &str| {
            save(&path("s.npz"), &cells(6), false);
            let more = ["--continue", "m.npz", "--method", method, "--mapping", mapping];
            let more = if device == "cpu" { &more[..4] } else { &more[..] };
            card.advance("h2", device, more);
            std::fs::copy(path("o.npz"), path("s.npz")).unwrap();
            let (answer, report, _) = card.advance("h2", device, more);
            std::fs::remove_file(path("m.npz")).unwrap();
            assert_eq!(report["rescued"], 0, "{report}");
            answer
        };
        same_bits(&twice("cuda"), &twice("cpu"), &format!("{method}, {mapping}"));
    }
}

#[test]
fn cards_take_large_mechanisms_rates_and_delays() {
    let Some(card) = Card::new() else { return };
    let path = |name: &str| card.bench.path(name);
    let mix = "CH4:1,O2:2,N2:7.52";
    let run = |args: &[&str]| {
        let o = card.run(args, &[]);
        assert_eq!(o.status.code(), Some(0), "{args:?}: {}", stderr(&o));
    };
    let delays = |device: &str| {
        let sweep = ["ignite", "gri30", "--mixture", mix, "--T", "1300:1500:3", "--end-time", "0.01", "--csv", "d.csv"];
        run(&[&sweep[..], &["--device", device]].concat());
        std::fs::read_to_string(path("d.csv")).unwrap()
    };
    assert_eq!(delays("cuda"), delays("cpu"));
    save(&path("s.npz"), &cells(20), false);
    let rates = |device: &str, mapping: &str| {
        let asked = ["rates", "h2", "--states", "s.npz", "--out", "w.npz", "--device", device, "--mapping", mapping];
        run(&asked);
        let alone = load(&path("w.npz")).remove("wdot").unwrap().data;
        run(&[&asked[..], &["--jacobian"]].concat());
        let mut both = load(&path("w.npz"));
        [alone, both.remove("wdot").unwrap().data, both.remove("jac").unwrap().data]
    };
    let want = rates("cpu", "auto");
    assert!(rates("cuda", "thread") == want && rates("cuda", "group") == want);
}

#[test]
fn a_card_that_is_old_small_or_lost_is_told_in_one_line() {
    let Some(card) = Card::new() else { return };
    let b = &card.bench;
    save(&b.path("s.npz"), &cells(20), false);
    let before = std::fs::read(b.path("s.npz")).unwrap();
    let args = ["advance", "h2", "--states", "s.npz", "--dt", "1e-5", "--out", "o.npz", "--json", "r.json"];
    let with =
        |device: &str, settings: &[(&str, &str)]| card.run(&[&args[..], &["--device", device]].concat(), settings);
    let run = |device: &str, setting: (&str, &str)| with(device, &[setting]);
    // A compiler that refuses a kernel has words of its own, and a kernel that ran too long a code of its own.
    let refused = [("STAND_IN_REFUSES", "1")];
    let stopped = [("STAND_IN_LAUNCHES", "3"), ("STAND_IN_LOST", "702")];
    let new = [
        (
            &refused[..],
            "cannot compile the kernel `advance`: kernel.cu(7): error: made to be refused (NVRTC 12.4, code 6)\nplease report this",
        ),
        (&stopped, "LAUNCH_TIMEOUT"),
    ];
    for (settings, words) in new {
        let o = with("cuda", settings);
        let text = stderr(&o);
        assert!(o.status.code() == Some(2) && text.contains(words), "{settings:?}: {text}");
        assert!(!b.path("o.npz").exists() && !b.path("r.json").exists(), "{settings:?}");
        assert_eq!(std::fs::read(b.path("s.npz")).unwrap(), before);
    }
    for (setting, words) in [
        (("STAND_IN_RETAIN", "46"), "CUDA_ERROR_DEVICE_UNAVAILABLE"),
        // A code that is younger than this program.
        (("STAND_IN_RETAIN", "4711"), "CUDA error 4711"),
        (("STAND_IN_VERSION", "10020"), "the driver serves CUDA 10.2, at least 11.4 is needed"),
        (("STAND_IN_MEMORY", "0"), "memory"),
        (("STAND_IN_LAUNCHES", "3"), "LAUNCH_FAILED"),
        (("STAND_IN_LAUNCHES", "0"), "LAUNCH_FAILED"),
    ] {
        let o = run("cuda", setting);
        let text = stderr(&o);
        assert_eq!(o.status.code(), Some(2), "{setting:?}: {text}");
        assert!(text.contains(words) && text.trim_end().lines().count() == 1, "{setting:?}: {text}");
        assert!(!b.path("o.npz").exists() && !b.path("r.json").exists(), "{setting:?}");
        assert_eq!(std::fs::read(b.path("s.npz")).unwrap(), before);
    }
    // With `auto` the CPU takes over, and says so. (Where there is OpenCL as well, that comes next.)
    let want = {
        assert_eq!(run("cpu", ("STAND_IN_VERSION", "12040")).status.code(), Some(0));
        load(&b.path("o.npz"))
    };
    // Two kernels run empty before the clock starts, then with cells.
    for launches in ["0", "1", "2", "3"] {
        let o = run("auto", ("STAND_IN_LAUNCHES", launches));
        assert_eq!(o.status.code(), Some(0), "{launches}: {}", stderr(&o));
        same_bits(&load(&b.path("o.npz")), &want, launches);
        let report: serde_json::Value = serde_json::from_slice(&std::fs::read(b.path("r.json")).unwrap()).unwrap();
        assert!(report["fallback"].as_str().is_some_and(|why| why.contains("LAUNCH_FAILED")), "{report}");
    }
    let rates = ["rates", "h2", "--states", "s.npz", "--out", "w.npz", "--device", "auto", "--json", "r.json"];
    let o = card.run(&rates, &[("STAND_IN_LAUNCHES", "0")]);
    let report: serde_json::Value = serde_json::from_slice(&std::fs::read(b.path("r.json")).unwrap()).unwrap();
    assert!(report["fallback"].as_str().is_some_and(|why| why.contains("LAUNCH_FAILED")), "{report}");
    assert!(report["device"] == "cpu" && stderr(&o).contains("LAUNCH_FAILED"), "{report}: {}", stderr(&o));
    std::fs::remove_dir_all(b.path("kernels")).unwrap();
    std::fs::create_dir(b.path("kernels")).unwrap();
    for (settings, words) in new {
        let o = with("auto", settings);
        assert_eq!(o.status.code(), Some(0), "{settings:?}: {}", stderr(&o));
        same_bits(&load(&b.path("o.npz")), &want, words);
        let report: serde_json::Value = serde_json::from_slice(&std::fs::read(b.path("r.json")).unwrap()).unwrap();
        assert!(report["fallback"].as_str().is_some_and(|why| why.contains(words)), "{settings:?}: {report}");
    }
    // One bad cell harms nobody.
    let mut states = cells(20);
    spoil(&mut states, "T", 7, 1e9);
    save(&b.path("s.npz"), &states, false);
    let o = run("cuda", ("STAND_IN_VERSION", "12040"));
    assert_eq!(o.status.code(), Some(1), "{}", stderr(&o));
    let got = load(&b.path("o.npz"));
    let good = |x: &[f64]| x.iter().enumerate().filter(|(i, _)| *i != 7).map(|(_, x)| *x).collect::<Vec<_>>();
    assert_eq!(good(&got["T"].numbers()), good(&want["T"].numbers()));
}

#[test]
fn kernels_that_the_driver_does_not_load_are_made_again() {
    let Some(card) = Card::new() else { return };
    save(&card.bench.path("s.npz"), &cells(4), false);
    let (want, ..) = card.advance("h2", "cuda", &[]);
    let kernels = card.bench.path("kernels");
    let images = || std::fs::read_dir(&kernels).unwrap().flatten().map(|e| e.path());
    let libraries = || images().filter(|p| p.extension().is_some_and(|e| e == "so"));
    let made = libraries().count();
    assert!(made > 0);
    // From the cache.
    card.advance("h2", "cuda", &[]);
    assert_eq!(libraries().count(), made);
    // What the cache holds is of no use any more: another compiler's.
    libraries().for_each(|p| std::fs::remove_file(p).unwrap());
    let (got, ..) = card.advance("h2", "cuda", &[]);
    same_bits(&got, &want, "made again");
    assert_eq!(libraries().count(), made);
    card.advance("h2", "cuda", &[]);
    assert_eq!(libraries().count(), made);
}

#[test]
fn cards_are_measured_with_their_rooflines() {
    let Some(card) = Card::new() else { return };
    let bench = |more: &[&str], settings: &[(&str, &str)]| {
        let args = ["bench", "gpu", "h2:H2", "--device", "cuda", "--cells", "8", "--out", "t.md"];
        let o = card.run(&[&args[..], more].concat(), settings);
        (o.status.code(), std::fs::read_to_string(card.bench.path("t.md")).unwrap(), stderr(&o))
    };
    // All is compiled beforehand.
    let o = card.run(&["bench", "gpu", "h2:H2", "--device", "cuda", "--compile"], &[]);
    assert!(o.status.code() == Some(0) && stdout(&o).is_empty(), "{}", stderr(&o));
    let (code, table, said) = bench(&["--batches", "4,12"], &[]);
    assert_eq!(code, Some(0), "{said}");
    for row in [
        "| h2:H2 | 8 | 1e-6 | Auto: unrolled |",
        "| h2:H2 | 8 | 1e-4 | Thread |",
        "| h2:H2 | 1e-6 | 12 | Auto: unrolled |",
        "| h2:H2 | 1e-6 | 12 | Group |",
        "| h2:H2 | group | rks57 | 32 | 1 | 168 | 16 | 28160 | 2 |",
        "| h2:H2 | part | rodas5p | 32 | 4 | 168 | 16 | 28160 | 2 |",
        "| h2:H2 | Thread | rates |",
        "| h2:H2 | Group | advance |",
    ] {
        assert!(table.contains(row), "{row} in {table}");
    }
    // A card that computes nothing is not praised for what the CPU did.
    let (code, table, said) = bench(&["--dt", "1e-6"], &[("STAND_IN_IDLE", "1")]);
    let rows = table.lines().filter(|l| l.starts_with("| h2:H2 | 8 | 1e-6 |"));
    let left: Vec<&str> = rows.map(|l| l.split(" | ").nth(10).unwrap()).collect();
    assert!(code == Some(1) && !left.is_empty() && left.iter().all(|&n| n == "8"), "{said}: {table}");
    // What was measured before the card was lost is kept, and said to be not all.
    let (code, table, said) = bench(&["--dt", "1e-6"], &[("STAND_IN_LAUNCHES", "20")]);
    assert_eq!(code, Some(1), "{said}");
    for row in ["| h2:H2 | 8 | 1e-6 | Auto: unrolled |", "| h2:H2 | Group, times |"] {
        assert!(table.contains(row), "{row} in {table}");
    }
}
