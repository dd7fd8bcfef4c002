//! CUDA source compiles, with a GPU or without.

use kinlane_device::nvrtc;
use kinlane_device::program::{Language, Programs};
use kinlane_plan::Plan;
use kinlane_solve::Reactor;
use kinlane_solve::methods::tableau::RODAS4;
use kinlane_testdata::files;
use std::time::Instant;

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
    for name in ["h2co_burke", "gri30"] {
        let Some(network) = files::mechanism(name) else { return };
        let plan = Plan::new(&network);
        let programs = Programs::new(&plan, Reactor::ConstP, &RODAS4);
        for architecture in ["sm_80", "sm_90"] {
            let texts = [programs.rates(Language::Cuda, 32), programs.advance(Language::Cuda, 32)];
            for (kernel, text) in ["rates", "advance"].iter().zip(texts) {
                let start = Instant::now();
                let (image, log) = nvrtc.compile(&text, architecture).unwrap_or_else(|log| panic!("{name}: {log}"));
                assert!(!image.is_empty());
                let used: Vec<&str> = log.lines().filter(|l| l.contains("registers")).collect();
                let seconds = start.elapsed().as_secs_f64();
                eprintln!(
                    "{name}, {kernel}, {architecture}: {seconds:.1} s, {} bytes; {}",
                    image.len(),
                    used.join("; ")
                );
            }
        }
    }
    let text = nvrtc.compile("this is no program", "sm_80").unwrap_err();
    assert!(text.contains("kinlane.cu(1)"), "{text}");
}
