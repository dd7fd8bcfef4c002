//! `cargo xtask book`: the book in `docs/`, and what its pages promise.
//!
//! A page is Markdown that reads well as it is. `page.rs` finds the blocks of code in it, `run.rs` runs them,
//! `bibliography.rs` makes the list of sources, and `math.rs` turns formulas into MathML for mdBook.

mod bibliography;
mod math;
mod page;
mod run;

use crate::rules::{Fault, Sources};
use std::path::Path;
use std::process::{Command, Stdio};

/// What can be asked for.
pub const USAGE: &str = "\
cargo xtask book run [--slow] [--bless] [PAGE...]   run the commands of README.md and of every page
cargo xtask book build                              build target/book with mdBook
cargo xtask book math                               mdBook asks for this while it builds";

/// The page that lists all others.
const SUMMARY: &str = "SUMMARY.md";

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

/// Builds the HTML.
fn build(root: &Path) -> Result<usize, String> {
    let done = Command::new("mdbook").arg("build").arg(root.join("docs")).stdin(Stdio::null()).output();
    let done = done.map_err(|e| format!("mdbook: {e}; get it with `cargo install mdbook --locked`"))?;
    let said = String::from_utf8_lossy(&done.stderr);
    if !done.status.success() || said.contains("WARN") {
        return Err(format!("mdbook finds fault with the book:\n{said}"));
    }
    println!("{}", root.join("target/book/index.html").display());
    Ok(0)
}

/// Pages that the summary does not list, and formulas that cannot be converted.
pub fn faults(sources: &Sources) -> Vec<Fault> {
    let pages = || sources.ending(".md").filter_map(|(path, text)| Some((path, path.strip_prefix("docs/")?, text)));
    let listed = pages().find(|(_, name, _)| *name == SUMMARY).map_or("", |(_, _, text)| text);
    let mut faults = Vec::new();
    for (path, name, text) in pages() {
        let mut fault = |what| faults.push(Fault { place: path.to_owned(), what });
        if name != SUMMARY && !listed.contains(&format!("]({name})")) {
            fault(format!("{SUMMARY} does not list it"));
        }
        if let Err(why) = math::chapter(text, name) {
            fault(why);
        }
    }
    faults
}

/// A text file, with its name in the error.
fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}

/// Writes a file, with its name in the error.
fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_that_are_not_listed_and_formulas_without_an_end_are_found() {
        let pages =
            [("docs/SUMMARY.md", "[A](a.md)"), ("docs/a.md", "only one $"), ("docs/b.md", "$x$"), ("c.md", "$")];
        let found = faults(&Sources::new(&pages));
        assert_eq!(found.iter().map(|f| f.place.as_str()).collect::<Vec<_>>(), ["docs/a.md", "docs/b.md"]);
    }
}
