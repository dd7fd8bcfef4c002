//! `nvcc`, NVIDIA's compiler as a program: the substitute where NVRTC is absent.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The options of [`crate::nvrtc::Nvrtc::OPTIONS`], in the form for `nvcc`.
const OPTIONS: [&str; 6] = ["--fmad=false", "--std=c++14", "--diag-suppress", "177", "--ptxas-options", "--verbose"];

/// The program: on the PATH, or in CUDA's folders.
pub fn find() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let roots = ["CUDA_PATH", "CUDA_HOME", "CUDA_ROOT"].into_iter().filter_map(std::env::var_os).map(PathBuf::from);
    let roots = roots.chain(["/usr/local/cuda", "/opt/cuda"].map(PathBuf::from));
    let folders = std::env::split_paths(&path).chain(roots.map(|r| r.join("bin")));
    folders.map(|f| f.join(if cfg!(windows) { "nvcc.exe" } else { "nvcc" })).find(|p| p.is_file())
}

/// Compiles for an architecture such as `sm_90`. Also returns the compiler's log.
///
/// # Errors
/// The compiler's log, or why it could not be run.
pub fn compile(nvcc: &Path, source: &str, architecture: &str) -> Result<(Vec<u8>, String), String> {
    let failed = |what: &str, e: std::io::Error| format!("{what}: {e}");
    let folder = tempfile::tempdir().map_err(|e| failed("its folder", e))?;
    let (input, output) = (folder.path().join("kinlane.cu"), folder.path().join("kinlane.cubin"));
    std::fs::write(&input, source).map_err(|e| failed("its input", e))?;
    let mut command = Command::new(nvcc);
    command.arg("--cubin").arg(format!("--gpu-architecture={architecture}")).args(OPTIONS);
    command.args([input.as_os_str(), OsStr::new("--output-file"), output.as_os_str()]);
    let done = command.output().map_err(|e| failed(&nvcc.display().to_string(), e))?;
    let log = String::from_utf8_lossy(&done.stderr).trim().to_owned();
    if !done.status.success() {
        return Err(format!("{log} ({}, {})", nvcc.display(), done.status));
    }
    let image = std::fs::read(&output).map_err(|e| failed("its output", e))?;
    Ok((image, log))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    /// A stand-in that treats its arguments as `nvcc` would.
    #[test]
    fn a_compiler_is_run_and_its_complaints_come_back() {
        let folder = std::env::temp_dir().join(format!("kinlane-nvcc-test-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let program = folder.join("nvcc");
        let script = "#!/bin/sh\nfor last; do :; done\necho \"$@\" >&2\n\
                      for a; do case $a in *.cu) grep -q kernel \"$a\" || exit 3; cp \"$a\" \"$last\";; esac; done\n";
        std::fs::write(&program, script).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let (image, log) = compile(&program, "a kernel", "sm_90").unwrap();
        assert_eq!(image, b"a kernel");
        assert!(log.contains("--gpu-architecture=sm_90") && log.contains("--fmad=false"), "{log}");
        let log = compile(&program, "nothing", "sm_90").unwrap_err();
        assert!(log.contains("exit status: 3"), "{log}");
        let gone = compile(&folder.join("none"), "a kernel", "sm_90").unwrap_err();
        assert!(gone.contains("none"), "{gone}");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
