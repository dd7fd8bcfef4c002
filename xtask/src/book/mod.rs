//! `cargo xtask book`: the book in `docs/`, and what its pages promise.
//!
//! A page is Markdown that reads well as it is. `page.rs` finds the blocks of code in it, `run.rs` runs them,
//! `bibliography.rs` makes the list of sources, `math.rs` turns formulas into MathML for mdBook, and `html.rs` follows
//! the links of the result.

mod bibliography;
mod html;
mod math;
mod page;
mod run;

use std::path::Path;
use std::process::{Command, Stdio};

/// What can be asked for.
pub const USAGE: &str = "\
cargo xtask book run [--slow] [--bless] [PAGE...]   run the commands of README.md and of every page
cargo xtask book build                              build target/book with mdBook and follow its links
cargo xtask book math                               mdBook asks for this while it builds";

/// Runs the subcommand; the number of faults.
pub fn book(root: &Path, arguments: &[&str]) -> Result<usize, String> {
    match arguments {
        ["run", rest @ ..] => {
            let (options, pages): (Vec<&str>, Vec<&str>) = rest.iter().partition(|a| a.starts_with("--"));
            if let Some(other) = options.iter().find(|o| !["--slow", "--bless"].contains(o)) {
                return Err(format!("there is no option {other}\n{USAGE}"));
            }
            let wish = run::Wish { slow: options.contains(&"--slow"), bless: options.contains(&"--bless") };
            let list = bibliography::refresh(root, wish.bless)?;
            Ok(list + run::run(root, wish, &pages)?)
        }
        ["build"] => build(root),
        ["math"] => math::converse(),
        ["math", "supports", "html"] => Ok(0),
        ["math", "supports", _] => Ok(1),
        _ => Err(format!("usage:\n{USAGE}")),
    }
}

/// Builds the HTML and follows every link in it.
fn build(root: &Path) -> Result<usize, String> {
    let done = Command::new("mdbook").arg("build").arg(root.join("docs")).stdin(Stdio::null()).output();
    let done = done.map_err(|e| format!("mdbook: {e}; get it with `cargo install mdbook --locked`"))?;
    let said = String::from_utf8_lossy(&done.stderr);
    if !done.status.success() || said.contains("WARN") {
        return Err(format!("mdbook finds fault with the book:\n{said}"));
    }
    let folder = root.join("target/book");
    let faults = html::faults(&folder)?;
    for fault in &faults {
        println!("  {fault}");
    }
    println!("{}: {} broken links", folder.join("index.html").display(), faults.len());
    Ok(faults.len())
}

/// A text file, with its name in the error.
fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}

/// Writes a file, with its name in the error.
fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}
