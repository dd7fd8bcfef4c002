//! `kinlane devices`.

use kinlane::device::{CudaCompiler, cuda_compiler, devices};

/// Prints the devices that were found, and the interfaces without any.
pub fn run() {
    let (found, absent) = devices();
    say!("cpu        {}", kinlane::lanes().join(", "));
    for d in &found {
        let doubles = if d.doubles { "double precision" } else { "no double precision: not usable" };
        say!("{:<10} {} ({}, {} units)", d.id(), d.name, if d.cpu { "a CPU" } else { "a GPU" }, d.units);
        say!("{:<10} {:.1} GiB of memory, {doubles}; driver {}", "", d.memory as f64 / (1u64 << 30) as f64, d.driver);
    }
    for a in &absent {
        say!("{:<10} {}", a.api.to_string(), a.reason);
    }
    match cuda_compiler() {
        Ok(CudaCompiler::Nvrtc(version)) => say!("{:<10} version {version} compiles kernels for cuda", "nvrtc"),
        Ok(CudaCompiler::Nvcc(path)) => {
            say!("{:<10} {} compiles kernels for cuda, slowly; NVRTC is absent", "nvcc", path.display());
        }
        Err(e) => say!("{:<10} {e}", "nvrtc"),
    }
}
