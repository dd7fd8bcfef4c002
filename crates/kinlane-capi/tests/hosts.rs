//! Programs in C and C++ that are compiled against the header and use the library.
//!
//! Where there is no compiler these tests say so and pass, except where the variable `CI` is set.
#![cfg(unix)]

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

const STRICT: [&str; 4] = ["-Wall", "-Wextra", "-Werror", "-pedantic"];

/// Ozone in the stratosphere, of `docs/schemes.md`.
const CHAPMAN: &str = "
#DEFVAR
O = O;  O3 = 3O;
#DEFFIX
O2 = 2O;  M = IGNORE;
#EQUATIONS
<light>  O2 + hv = 2O     : 5e-11*SUN;
<ozone>  O + O2 + M = O3 + M : 6e-34*(TEMP/300)**(-2.4);
<photo>  O3 + hv = O + O2 : 1.5e-3*SUN;
<loss>   O + O3 = 2O2     : 8e-12*EXP(-2060/TEMP);
";

fn here() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// Whether a program can be run; where tests must not be skipped it has to.
fn has(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok_and(|o| o.status.success());
    if !found {
        kinlane_testdata::skipped(&format!("{program} is missing"));
    }
    found
}

/// The folder of the library that `cargo test` has built, `examples/for_tests.rs`.
fn libraries() -> PathBuf {
    let test = std::env::current_exe().expect("this test");
    let folder = test.parent().and_then(Path::parent).expect("target/release").join("examples");
    assert!(library(&folder).is_file(), "no library: run all tests of the crate, `cargo test -p kinlane-capi`");
    folder
}

fn library(folder: &Path) -> PathBuf {
    folder.join(format!("{}for_tests{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX))
}

/// Runs a program that must succeed; what it prints.
fn run<S: AsRef<OsStr>>(program: impl AsRef<OsStr>, arguments: &[S]) -> String {
    let done = Command::new(&program).args(arguments).output().expect("a program that can be run");
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{}: {}\n{said}", program.as_ref().to_string_lossy(), done.status);
    String::from_utf8_lossy(&done.stdout).into_owned()
}

/// Compiles a program against the header and the library.
fn compile(compiler: &str, flags: &[&str], source: &Path, to: &Path) {
    let folder = libraries();
    let mut arguments: Vec<String> = STRICT.iter().chain(flags).map(|f| (*f).to_owned()).collect();
    arguments.push(format!("-I{}", here().join("include").display()));
    arguments.push(source.display().to_string());
    arguments.extend(["-o".to_owned(), to.display().to_string(), format!("-L{}", folder.display())]);
    arguments.extend(["-lfor_tests".to_owned(), format!("-Wl,-rpath,{}", folder.display()), "-lm".to_owned()]);
    run(compiler, &arguments);
}

#[test]
fn a_program_in_c_calls_every_function() {
    if !has("cc") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (program, scheme) = (folder.path().join("interface"), folder.path().join("chapman.def"));
    std::fs::write(&scheme, CHAPMAN).expect("a file");
    compile("cc", &["-std=c99", "-O1"], &here().join("tests/interface.c"), &program);
    assert_eq!(run(program, &[scheme]), "every function has been called\n");
}

#[test]
fn calls_need_no_more_stack_than_the_header_says() {
    let header = std::fs::read_to_string(here().join("include/kinlane.h")).expect("the header");
    let (before, _) = header.split_once(" KiB for other calls").expect("what a thread needs");
    let promised = before.rsplit(' ').next().expect("a number");
    assert!(promised.parse::<u32>().is_ok(), "{promised}");
    // Code that is not optimised needs several times as much.
    if cfg!(debug_assertions) || !has("cc") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (program, scheme) = (folder.path().join("stack"), folder.path().join("chapman.def"));
    std::fs::write(&scheme, CHAPMAN).expect("a file");
    compile("cc", &["-std=c99", "-O1", "-pthread"], &here().join("tests/stack.c"), &program);
    let told = run(program, &[OsStr::new(promised), scheme.as_os_str()]);
    assert_eq!(told, "as much stack as was promised\n");
}

#[test]
fn a_program_in_c_plus_plus_uses_the_header() {
    if !has("c++") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("host");
    compile("c++", &["-std=c++11"], &here().join("examples/host.cpp"), &program);
    assert!(run(program, &[""; 0]).contains("1500 K: 2659.15 K after 1e-4 s"));
}

#[test]
fn the_library_exports_what_the_header_declares_and_nothing_else() {
    if !cfg!(target_os = "linux") || !has("nm") {
        return;
    }
    let symbols = run("nm", &[OsStr::new("-D"), OsStr::new("--defined-only"), library(&libraries()).as_os_str()]);
    let mut exported: Vec<&str> = symbols.lines().filter_map(|l| l.split_whitespace().last()).collect();
    exported.sort_unstable();
    let header = std::fs::read_to_string(here().join("include/kinlane.h")).expect("the header");
    let words = header.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '('));
    let mut declared: Vec<&str> = words.filter_map(|w| w.split_once('(')).map(|w| w.0).collect();
    declared.retain(|w| w.starts_with("kinlane_") && header.contains(&format!("{w}(")));
    declared.sort_unstable();
    declared.dedup();
    assert!(declared.len() > 40);
    // The header's comments begin with an example: each of these functions is declared further down.
    assert_eq!(declared, exported);
}
