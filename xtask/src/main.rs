//! `cargo xtask check`: the rules of this repository that a machine can hold, in one place. `cargo xtask book`: the
//! book. `cargo xtask install`: the library for other projects.
#![forbid(unsafe_code)]

mod book;
mod install;
mod links;
mod rules;

use rules::{Fault, Sources};
use std::path::Path;
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    // As cargo says when it runs this: clones that share a target folder may share this program.
    let own = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_else(|_| env!("CARGO_MANIFEST_DIR").into());
    let Some(root) = Path::new(&own).parent() else { return ExitCode::from(2) };
    let done = match arguments[..] {
        ["check"] => check(root),
        ["book", ref rest @ ..] => book::book(root, rest),
        ["install", prefix] if !prefix.starts_with('-') => install::install(root, Path::new(prefix)),
        _ => {
            eprintln!("usage:\ncargo xtask check\n{}\n{}", book::USAGE, install::USAGE);
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(0) => ExitCode::SUCCESS,
        Ok(faults) => {
            // mdBook reads standard output.
            eprintln!("\n{faults} faults");
            ExitCode::FAILURE
        }
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(2)
        }
    }
}

/// Runs every check, also after one has failed; the number of faults.
fn check(root: &Path) -> Result<usize, String> {
    let mut faults = 0;
    faults += run(root, "format", &["fmt", "--check"])?;
    faults += run(root, "clippy", &["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"])?;

    let metadata = output(root, "cargo", &["metadata", "--no-deps", "--format-version", "1"])?;
    let metadata = serde_json::from_str(&metadata).map_err(|e| format!("cargo metadata: {e}"))?;
    faults += tell("dependencies run one way", &rules::layers(&metadata));

    let files = output(root, "git", &["ls-files", "--cached", "--others", "--exclude-standard"])?;
    let sources = Sources::read(root, files.lines());
    faults += tell("every source is in the bibliography", &rules::bibliography(&sources));
    faults += tell("unsafe stays in its crates", &rules::unsafe_code(&sources));
    faults += tell("tests run", &rules::silent_tests(&sources));
    faults += tell("files are rooms", &rules::lengths(&sources));
    faults += tell("links in documents lead somewhere", &links::broken(root, &sources));
    faults += tell("the book has all its pages, and its formulas can be read", &book::faults(&sources));
    Ok(faults)
}

/// A cargo command that must succeed; its own output says what is wrong.
fn run(root: &Path, name: &str, arguments: &[&str]) -> Result<usize, String> {
    println!("{name}");
    let status = Command::new("cargo").args(arguments).current_dir(root).status();
    let status = status.map_err(|e| format!("cargo {}: {e}", arguments.join(" ")))?;
    Ok(usize::from(!status.success()))
}

fn output(root: &Path, program: &str, arguments: &[&str]) -> Result<String, String> {
    let what = || format!("{program} {}", arguments.join(" "));
    let done = Command::new(program).args(arguments).current_dir(root).output();
    let done = done.map_err(|e| format!("{}: {e}", what()))?;
    if !done.status.success() {
        return Err(format!("{}: {}", what(), String::from_utf8_lossy(&done.stderr)));
    }
    String::from_utf8(done.stdout).map_err(|e| format!("{}: {e}", what()))
}

fn tell(name: &str, faults: &[Fault]) -> usize {
    println!("{name}");
    for fault in faults {
        println!("  {fault}");
    }
    faults.len()
}
