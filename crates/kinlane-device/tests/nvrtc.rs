//! CUDA source compiles, with a GPU or without.

use kinlane_device::nvrtc;
use kinlane_device::program::{Language, Mapping, Near, Programs, Role, ceilings};
use kinlane_plan::{Conversion, Plan, Precision};
use kinlane_solve::Options;
use kinlane_solve::methods::Method;
use kinlane_solve::methods::auto::Choice;
use kinlane_testdata::files;
use std::time::Instant;

/// Bytes that the assembler had to put into memory for want of registers, over all functions.
fn spilled(log: &str) -> usize {
    let number = |part: &str| part.split_whitespace().next().and_then(|n| n.parse::<usize>().ok());
    log.split(',').filter(|part| part.contains("bytes spill stores")).filter_map(number).sum()
}

/// What an H100 lends the cells of a work group, if fourteen groups of 32 threads are to have room, or seven of 64, each with
/// 1 KiB that CUDA keeps.
fn near(mapping: Mapping) -> Near {
    match mapping {
        Mapping::Thread { .. } => Near { cells: 64, doubles: 62 },
        Mapping::Group { size: 32 } => Near { cells: 1, doubles: 1944 },
        Mapping::Group { .. } => Near { cells: 1, doubles: 4024 },
    }
}

/// Bytes of the memory of a work group that the assembler counted.
fn shared(log: &str) -> usize {
    let number = |part: &str| part.trim().strip_suffix(" bytes smem").and_then(|n| n.parse::<usize>().ok());
    log.split([',', '\n']).filter_map(number).max().unwrap_or(0)
}

#[test]
fn every_kernel_compiles_for_two_generations() {
    let nvrtc = match nvrtc::find() {
        Ok(n) => n,
        Err(e) => {
            assert!(std::env::var_os("CI").is_none(), "{e}");
            eprintln!("skipped: {e}");
            return;
        }
    };
    for architecture in ["sm_80", "sm_90"] {
        let (image, log) =
            nvrtc.compile(&ceilings(Language::Cuda), architecture).unwrap_or_else(|log| panic!("ceilings: {log}"));
        assert!(!image.is_empty() && spilled(&log) == 0, "{log}");
    }
    let tried = [
        ("h2co_burke", "rodas4", "sm_80", Precision::F64),
        ("h2co_burke", "radau5", "sm_90", Precision::F64),
        ("h2co_burke", "exprb43", "sm_90", Precision::F64),
        ("h2co_burke", "rkc", "sm_80", Precision::F64),
        ("h2co_burke", "asymptotic", "sm_90", Precision::F64),
        ("gri30", "rodas4", "sm_90", Precision::F64),
        ("gri30", "rodas4", "sm_90", Precision::Mixed),
        ("gri30", "bdf", "sm_80", Precision::F64),
        ("h2co_burke", "radau5", "sm_80", Precision::Mixed),
        ("h2co_burke", "rodas5p", "sm_90", Precision::F32),
    ];
    for (name, method, architecture, precision) in tried {
        let Some(network) = files::mechanism(name) else { return };
        let plan = Plan::new(&network);
        let options = Options::default();
        let (thread, group) = (Mapping::Thread { tile: 32, unrolled: false }, Mapping::Group { size: 32 });
        for (kernel, mapping) in [("rates", thread), ("jacobian", group), ("advance", thread), ("advance", group)] {
            let method = Method::find(method).unwrap();
            let programs = Programs::new(&plan, &options, method, Role::All, precision).mapped(mapping, near(mapping));
            let text = match kernel {
                "advance" => programs.advance(Language::Cuda, mapping),
                which => programs.rates(Language::Cuda, mapping, which == "jacobian").0,
            };
            let start = Instant::now();
            let (image, log) = nvrtc.compile(&text.source, architecture).unwrap_or_else(|log| panic!("{name}: {log}"));
            assert!(!image.is_empty());
            let used: Vec<&str> = log.lines().filter(|l| l.contains("registers")).collect();
            let spilled = spilled(&log);
            assert!(text.shared > 0 || precision != Precision::F64, "{name}, {kernel}: nothing is near");
            // The group's queue takes four bytes more.
            assert!((text.shared..=text.shared + 8).contains(&shared(&log)), "{} of {log}", text.shared);
            let seconds = start.elapsed().as_secs_f64();
            eprintln!(
                "{name}, {}, {precision:?}, {kernel}, {mapping:?}, {architecture}: {seconds:.1} s, {} bytes; {spilled} bytes spilled; {}",
                method.name,
                image.len(),
                used.join("; ")
            );
        }
    }
    // Rate constants that come with each cell, and a species that may fall below zero.
    let conversions = [
        Conversion { reactants: &[(0, 1.0)], products: &[(1, 1.0)] },
        Conversion { reactants: &[(1, 2.0), (2, 2.0)], products: &[(0, 0.5), (3, -0.1)] },
    ];
    let plan = Plan::given(&[1.0; 4], &conversions);
    for (method, mapping) in [
        ("rodas5p", Mapping::Thread { tile: 32, unrolled: false }),
        ("bdf", Mapping::Thread { tile: 32, unrolled: true }),
        ("rodas5p", Mapping::Group { size: 32 }),
    ] {
        let (method, options) = (Method::find(method).unwrap(), Options::default());
        let programs = Programs::new(&plan, &options, method, Role::All, Precision::F64).mapped(mapping, near(mapping));
        for text in [programs.advance(Language::Cuda, mapping), programs.rates(Language::Cuda, mapping, true).0] {
            nvrtc.compile(&text.source, "sm_90").unwrap_or_else(|log| panic!("{mapping:?}: {log}"));
        }
    }
    let Some(network) = files::mechanism("gri12") else { return };
    let plan = Plan::new(&network);
    let options = Options { method: Some("auto".to_owned()), rtol: 1e-9, ..Options::default() };
    let mut relay = Role::relay(&Choice::new(&options, plan.species).unwrap());
    assert_eq!(relay.len(), 3, "tight tolerances have a method for many steps");
    relay.push((Method::find("rodas5p").unwrap(), Role::Logged(8)));
    relay.push((Method::find("bdf").unwrap(), Role::Continuing));
    for (method, role) in relay {
        for mapping in
            [Mapping::Thread { tile: 32, unrolled: false }, Mapping::Group { size: 32 }, Mapping::Group { size: 64 }]
        {
            let programs = Programs::new(&plan, &options, method, role, Precision::F64).mapped(mapping, near(mapping));
            let text = programs.advance(Language::Cuda, mapping);
            assert!(text.shared > 0, "{role:?}: nothing is near");
            let (image, log) = nvrtc.compile(&text.source, "sm_90").unwrap_or_else(|log| panic!("{role:?}: {log}"));
            assert!(!image.is_empty());
            eprintln!("{role:?}, {mapping:?}: {} bytes spilled", spilled(&log));
        }
    }
    let text = nvrtc.compile("this is no program", "sm_80").unwrap_err();
    assert!(text.contains("kinlane.cu(1)"), "{text}");
}
