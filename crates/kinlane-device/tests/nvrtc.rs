//! CUDA source compiles, with a GPU or without.

use kinlane_device::nvrtc::{self, Nvrtc};
use kinlane_kernels::{Kernel, Language, Mapping, Near, Programs, Role, ceilings};
use kinlane_plan::{Conversion, Plan, Precision};
use kinlane_solve::Options;
use kinlane_solve::methods::Method;
use kinlane_solve::methods::auto::Choice;
use kinlane_solve::methods::method::Kind;
use kinlane_testdata::files;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
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
        Mapping::Group { tile: 2.., .. } => Near { cells: 4, doubles: 0 },
        Mapping::Group { size: 32, .. } => Near { cells: 1, doubles: 1944 },
        Mapping::Group { .. } => Near { cells: 1, doubles: 4024 },
    }
}

/// Bytes of the memory of a work group that the assembler counted.
fn shared(log: &str) -> usize {
    let number = |part: &str| part.trim().strip_suffix(" bytes smem").and_then(|n| n.parse::<usize>().ok());
    log.split([',', '\n']).filter_map(number).max().unwrap_or(0)
}

/// Source to be compiled, and what is expected of it.
struct Job {
    what: String,
    text: Kernel,
    architecture: &'static str,
    /// Whether cells must have memory of their work group.
    near: bool,
}

impl Job {
    fn new(what: String, text: Kernel, architecture: &'static str) -> Self {
        Self { what, text, architecture, near: false }
    }

    fn compile(&self, nvrtc: &Nvrtc) {
        let Self { what, text, architecture, near } = self;
        let start = Instant::now();
        let (image, log) = nvrtc.compile(&text.source, architecture).unwrap_or_else(|log| panic!("{what}: {log}"));
        assert!(!image.is_empty(), "{what}");
        assert!(text.shared > 0 || !near, "{what}: nothing is near");
        // The queue takes four bytes more for each cell of a group.
        assert!((text.shared..=text.shared + 16).contains(&shared(&log)), "{what}: {} of {log}", text.shared);
        let used: Vec<&str> = log.lines().filter(|l| l.contains("registers")).collect();
        let (seconds, bytes, spilled) = (start.elapsed().as_secs_f64(), image.len(), spilled(&log));
        eprintln!(
            "{what}, {architecture}: {seconds:.1} s, {bytes} bytes; {spilled} bytes spilled; {}",
            used.join("; ")
        );
    }
}

const THREAD: Mapping = Mapping::Thread { tile: 32, unrolled: false };
const GROUP: Mapping = Mapping::Group { size: 32, tile: 1 };
const PARTS: Mapping = Mapping::Group { size: 8, tile: 4 };

/// Every kind of method, each precision; rates and Jacobians, which no method changes. The default method in both mappings, others
/// in one of them, by turns: a kernel takes up to half a minute, and what a method is made of is the same text in both.
fn methods() -> Vec<Job> {
    let mut jobs = Vec::new();
    for (i, (name, method, architecture, precision, rates)) in [
        ("h2co_burke", "rodas4", "sm_80", Precision::F64, true),
        ("h2co_burke", "radau5", "sm_90", Precision::F64, false),
        ("h2co_burke", "exprb43", "sm_90", Precision::F64, false),
        ("h2co_burke", "rkc", "sm_80", Precision::F64, false),
        ("h2co_burke", "asymptotic", "sm_90", Precision::F64, false),
        ("gri12", "rodas4", "sm_90", Precision::F64, true),
        ("h2co_burke", "rodas4", "sm_90", Precision::Mixed, false),
        ("gri30", "bdf", "sm_80", Precision::F64, false),
        ("h2co_burke", "radau5", "sm_80", Precision::Mixed, false),
        ("h2co_burke", "rodas5p", "sm_90", Precision::F32, true),
    ]
    .into_iter()
    .enumerate()
    {
        let Some(network) = files::mechanism(name) else { return jobs };
        let (plan, options) = (Plan::new(&network), Options::default());
        let method = Method::find(method).unwrap();
        for (kernel, mapping) in
            [("rates", THREAD), ("jacobian", GROUP), ("rates", PARTS), ("advance", THREAD), ("advance", PARTS)]
        {
            let both = (method.name, precision) == ("rodas4", Precision::F64);
            if kernel == "advance" && !both && mapping != [THREAD, PARTS][i % 2] {
                continue;
            }
            let programs = Programs::new(&plan, &options, method, Role::All, precision).mapped(
                Language::Cuda,
                mapping,
                near(mapping),
            );
            let text = match kernel {
                "advance" => programs.advance(Language::Cuda, mapping),
                _ if !rates => continue,
                which => programs.rates(Language::Cuda, mapping, which == "jacobian").0,
            };
            let what = format!("{name}, {}, {precision:?}, {kernel}, {mapping:?}", method.name);
            jobs.push(Job {
                near: precision == Precision::F64 && mapping != PARTS,
                ..Job::new(what, text, architecture)
            });
        }
    }
    jobs
}

/// Rate constants that come with each cell, and a species that may fall below zero.
fn given_constants() -> Vec<Job> {
    let conversions = [
        Conversion { reactants: &[(0, 1.0)], products: &[(1, 1.0)] },
        Conversion { reactants: &[(1, 2.0), (2, 2.0)], products: &[(0, 0.5), (3, -0.1)] },
    ];
    let (plan, options) = (Plan::given(&[1.0; 4], &conversions), Options::default());
    let unrolled = Mapping::Thread { tile: 32, unrolled: true };
    let mut jobs = Vec::new();
    for (method, mapping) in [("rodas5p", THREAD), ("bdf", unrolled), ("rodas5p", GROUP)] {
        let method = Method::find(method).unwrap();
        let programs = Programs::new(&plan, &options, method, Role::All, Precision::F64).mapped(
            Language::Cuda,
            mapping,
            near(mapping),
        );
        for text in [programs.advance(Language::Cuda, mapping), programs.rates(Language::Cuda, mapping, true).0] {
            jobs.push(Job::new(format!("given constants, {}, {mapping:?}", method.name), text, "sm_90"));
        }
    }
    jobs
}

/// The kernels of a batch in which cells choose their methods; kernels that log; kernels whose cells go on later. All of a small
/// gas, whose text is short, those for stiff cells in every mapping, others in one of them, by turns; those for stiff cells of a
/// larger gas as well, in the mapping of large gases.
fn roles() -> Vec<Job> {
    let mut jobs = Vec::new();
    let (Some(network), Some(small)) = (files::mechanism("gri12"), files::mechanism("h2co_burke")) else { return jobs };
    let plan = Plan::new(&network);
    let small = Plan::new(&small);
    let options = Options { method: Some("auto".to_owned()), rtol: 1e-9, ..Options::default() };
    let mut relay = Role::relay(&Choice::new(&options, &plan).unwrap());
    assert_eq!(relay.len(), 3, "tight tolerances have a method for many steps");
    relay.push((Method::find("rodas5p").unwrap(), Role::Logged(8)));
    relay.push((Method::find("bdf").unwrap(), Role::Continuing));
    let of_large =
        relay.iter().filter(|(_, role)| matches!(role, Role::Stiff(_))).map(|&(m, r)| ("gri12", &plan, m, r));
    let of_small = relay.iter().map(|&(m, r)| ("h2co_burke", &small, m, r));
    let mappings = [THREAD, GROUP, PARTS, Mapping::Group { size: 64, tile: 1 }];
    for (i, (gas, plan, method, role)) in of_large.chain(of_small).enumerate() {
        let name = format!("{role:?}");
        for (j, mapping) in mappings.into_iter().enumerate() {
            let taken = match gas {
                "gri12" => mapping == GROUP,
                _ => matches!(role, Role::Stiff(_)) || i % mappings.len() == j,
            };
            if !taken {
                continue;
            }
            let programs = Programs::new(plan, &options, method, role, Precision::F64).mapped(
                Language::Cuda,
                mapping,
                near(mapping),
            );
            let text = programs.advance(Language::Cuda, mapping);
            let what = format!("{gas}, {}, {}, {mapping:?}", method.name, name.split('(').next().unwrap());
            // Factors in registers take the place of what would be near.
            let in_registers = [GROUP, PARTS].contains(&mapping)
                && matches!(method.kind, Kind::Rosenbrock(_))
                && !matches!(role, Role::Continuing);
            assert_eq!(text.source.contains(" = FROM("), in_registers, "{what}");
            jobs.push(Job { near: mapping != PARTS && !in_registers, ..Job::new(what, text, "sm_90") });
        }
    }
    jobs
}

#[test]
fn every_kernel_compiles_for_two_generations() {
    let nvrtc = match nvrtc::find() {
        Ok(n) => n,
        Err(e) => {
            kinlane_testdata::skipped(&e.to_string());
            return;
        }
    };
    for architecture in ["sm_80", "sm_90"] {
        let (image, log) =
            nvrtc.compile(&ceilings(Language::Cuda), architecture).unwrap_or_else(|log| panic!("ceilings: {log}"));
        assert!(!image.is_empty() && spilled(&log) == 0, "{log}");
    }
    let text = nvrtc.compile("this is no program", "sm_80").unwrap_err();
    assert!(text.contains("kinlane.cu(1)"), "{text}");

    let jobs: Vec<Job> = [methods(), given_constants(), roles()].into_iter().flatten().collect();
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, |n| n.get()) {
            scope.spawn(|| {
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    job.compile(nvrtc);
                }
            });
        }
    });
}
