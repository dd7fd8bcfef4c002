//! `cargo xtask install`: the program and the library, where the builds of other projects look for them.

use crate::output;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// What can be asked for.
pub const USAGE: &str = "\
cargo xtask install PREFIX                          put the program, libkinlane and what pkg-config and CMake read there";

/// Builds, and copies into the prefix. There are no faults, only errors.
pub fn install(root: &Path, prefix: &Path) -> Result<usize, String> {
    if cfg!(windows) {
        return Err(
            "this is for Linux and macOS: on Windows copy kinlane.dll and kinlane.dll.lib from target/release, \
                    and kinlane.h from crates/kinlane-capi/include"
                .to_owned(),
        );
    }
    let done = Command::new("cargo").args(["build", "--release"]).current_dir(root).status();
    if !done.map_err(|e| format!("cargo build: {e}"))?.success() {
        return Err("cargo build failed".to_owned());
    }
    let metadata = output(root, "cargo", &["metadata", "--no-deps", "--format-version", "1"])?;
    let metadata: Value = serde_json::from_str(&metadata).map_err(|e| format!("cargo metadata: {e}"))?;
    let built = metadata["target_directory"].as_str().ok_or("cargo metadata names no target_directory")?;
    let built = Path::new(built).join("release");
    let own = root.join("crates/kinlane-capi");
    let shared = format!("libkinlane.{}", if cfg!(target_os = "macos") { "dylib" } else { "so" });

    for (from, to) in
        [("kinlane", "bin/kinlane"), (&*shared, &*format!("lib/{shared}")), ("libkinlane.a", "lib/libkinlane.a")]
    {
        let from = built.join(from);
        place(&prefix.join(to), |new| {
            std::fs::copy(&from, new)?;
            strip(new);
            Ok(())
        })?;
    }
    for (from, to) in [("include/kinlane.h", "include/kinlane.h"), ("fortran/kinlane.f90", "share/kinlane/kinlane.f90")]
    {
        let from = own.join(from);
        place(&prefix.join(to), |new| std::fs::copy(&from, new).map(|_| ()))?;
    }
    for (from, to) in [
        ("kinlane.pc", "lib/pkgconfig"),
        ("kinlaneConfig.cmake", "lib/cmake/kinlane"),
        ("kinlaneConfigVersion.cmake", "lib/cmake/kinlane"),
    ] {
        let template = own.join("install").join(from);
        let text = std::fs::read_to_string(&template).map_err(|e| format!("{}: {e}", template.display()))?;
        let text = text.replace("@VERSION@", env!("CARGO_PKG_VERSION"));
        place(&prefix.join(to).join(from), |new| std::fs::write(new, &text))?;
    }
    if cfg!(target_os = "macos") {
        // Programs are to look for it on their own paths, not in the folder where it was built.
        let library = prefix.join("lib").join(&shared);
        let name = Command::new("install_name_tool").arg("-id").arg(format!("@rpath/{shared}")).arg(&library).status();
        if !name.is_ok_and(|s| s.success()) {
            return Err(format!("install_name_tool could not name {}", library.display()));
        }
    }
    Ok(0)
}

/// Leaves out what only debuggers and profilers read, five sixths of a library. Where that cannot be done, the file stays as it
/// is; other systems than Linux would have it signed again.
fn strip(file: &Path) {
    if cfg!(target_os = "linux") {
        let _ = Command::new("strip").arg("--strip-debug").arg(file).status();
    }
}

/// Writes a file aside and renames it: a program that has the old one loaded keeps it.
fn place(to: &Path, write: impl FnOnce(&Path) -> std::io::Result<()>) -> Result<(), String> {
    let mut new = to.as_os_str().to_owned();
    new.push(".new");
    let new = Path::new(&new);
    let folder = to.parent().map_or(Ok(()), std::fs::create_dir_all);
    folder.and_then(|()| write(new)).and_then(|()| std::fs::rename(new, to)).map_err(|e| {
        // The error that counts is the one that is told.
        let _ = std::fs::remove_file(new);
        format!("{}: {e}", to.display())
    })?;
    println!("{}", to.display());
    Ok(())
}
