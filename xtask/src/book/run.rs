//! Runs the commands of the pages, each page in a folder of its own, and compares what they print and draw.

use super::page::{self, Block};
use super::{read, write};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Where pages become tests of documentation.
const RUST: &str = "crates/kinlane/src/book.rs";

/// Most bytes of a figure.
const LARGEST: usize = 100_000;

/// What to do besides.
#[derive(Debug, Clone, Copy)]
pub struct Wish {
    /// Run the slow blocks too.
    pub slow: bool,
    /// Put what is printed and drawn where the book says otherwise.
    pub bless: bool,
}

/// Runs `pages`, or all of them; the number of faults.
pub fn run(root: &Path, wish: Wish, pages: &[&str]) -> Result<usize, String> {
    let all = chapters(root)?;
    let asked = |p: &&PathBuf| pages.is_empty() || pages.iter().any(|a| p.ends_with(a));
    let chosen: Vec<&PathBuf> = all.iter().filter(asked).collect();
    if chosen.is_empty() {
        return Err(format!("no page is called {}", pages.join(" or ")));
    }
    let bin = program(root)?;
    let mut faults = 0;
    for path in chosen {
        faults += run_page(root, path, &bin, wish)?;
    }
    if pages.is_empty() {
        faults += tell("figures", doubtful(root, &all)?);
        faults += tell("Rust", untested(root, &all)?);
    }
    Ok(faults)
}

/// README.md and the chapters that SUMMARY.md names, from the root.
fn chapters(root: &Path) -> Result<Vec<PathBuf>, String> {
    let summary = read(&root.join("docs/SUMMARY.md"))?;
    let targets = summary.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let chapters = targets.filter(|t| !t.is_empty()).map(|t| Path::new("docs").join(t));
    Ok([PathBuf::from("README.md")].into_iter().chain(chapters).collect())
}

/// A folder with the program in it, to stand first in PATH.
fn program(root: &Path) -> Result<PathBuf, String> {
    let built = || {
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
        target.join("release/kinlane")
    };
    let program = std::env::var_os("KINLANE").map_or_else(built, PathBuf::from);
    let program = std::fs::canonicalize(&program)
        .map_err(|e| format!("{}: {e}; build it with `cargo build --release`", program.display()))?;
    program.parent().map(Path::to_owned).ok_or_else(|| "the program lies in no folder".into())
}

/// Runs a page; the number of faults.
fn run_page(root: &Path, path: &Path, bin: &Path, wish: Wish) -> Result<usize, String> {
    let text = read(&root.join(path))?;
    let blocks = page::blocks(&text);
    if !blocks.iter().any(Block::runs) {
        return Ok(0);
    }
    let folder = root.join("target/book-run").join(path.with_extension(""));
    let prints = folder.join(".printed");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&prints).map_err(|e| format!("{}: {e}", prints.display()))?;

    let mut faults: Vec<String> = blocks.iter().filter_map(|b| unreasoned(path, b)).collect();
    let start = Instant::now();
    let search = std::env::var("PATH").unwrap_or_default();
    let done = Command::new("bash")
        .args(["-euo", "pipefail", "-c", &script(&blocks, wish)])
        .current_dir(&folder)
        .env("PATH", format!("{}:{search}", bin.display()))
        .env("BOOK", root.join("docs"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .stdin(Stdio::null())
        .status();
    let done = done.map_err(|e| format!("bash: {e}"))?;
    let printed = |line: usize| std::fs::read_to_string(prints.join(line.to_string())).ok();
    if !done.success() {
        let last = blocks.iter().rev().find_map(|b| Some((b.line, printed(b.line)?)));
        let (line, output) = last.unwrap_or((1, String::new()));
        faults.push(format!("{}:{line}: {done}\n{}", path.display(), output.trim_end()));
    }
    let mut blessed = text.clone();
    for pair in blocks.windows(2).rev() {
        let [above, block] = pair else { continue };
        let Some(got) = printed(above.line).filter(|_| block.is_output()) else { continue };
        if page::matches(block.text, &got) {
            continue;
        }
        if wish.bless && !block.text.contains('…') {
            let lines: Vec<&str> = got.trim().lines().map(str::trim_end).collect();
            blessed.replace_range(block.place.clone(), &format!("{}\n", lines.join("\n")));
        } else {
            let place = format!("{}:{}", path.display(), block.line);
            faults.push(format!("{place}: the block above prints otherwise:\n{}", got.trim_end()));
        }
    }
    if blessed != text {
        write(&root.join(path), &blessed)?;
    }
    figures(root, &folder, wish.bless)?;
    println!("{}, {:.1} s", path.display(), start.elapsed().as_secs_f64());
    Ok(tell("", faults))
}

/// A block that is left out says why.
fn unreasoned(path: &Path, block: &Block<'_>) -> Option<String> {
    let bad = block.is("ignore") && !(block.above.starts_with("<!--") && block.above.ends_with("-->"));
    bad.then(|| format!("{}:{}: `ignore` without a comment above that says why", path.display(), block.line))
}

/// The commands of a page; what each block prints goes to a file of its own.
fn script(blocks: &[Block<'_>], wish: Wish) -> String {
    let mut script = String::new();
    for b in blocks.iter().filter(|b| b.runs() && !b.is("ignore") && (wish.slow || !b.is("slow"))) {
        let commands = match b.language() {
            "python" => format!("python3 - <<'END_OF_PYTHON'\n{}END_OF_PYTHON\n", b.text),
            _ => b.text.to_owned(),
        };
        script.push_str(&format!("{{\n{commands}}} >.printed/{} 2>&1\n", b.line));
    }
    script
}

/// Figures of the book that the page has drawn anew: told where they differ, or put in their place.
fn figures(root: &Path, folder: &Path, bless: bool) -> Result<(), String> {
    for name in drawn(root)? {
        let (new, old) = (folder.join(&name), root.join("docs/figures").join(&name));
        let Ok(text) = std::fs::read_to_string(&new) else { continue };
        if read(&old)? != text {
            if bless {
                write(&old, &text)?;
            }
            println!(
                "  {} {name}",
                if bless { "renewed" } else { "another picture is drawn now (`--bless` takes it):" }
            );
        }
    }
    Ok(())
}

/// Names of the figures.
fn drawn(root: &Path) -> Result<BTreeSet<String>, String> {
    let folder = root.join("docs/figures");
    let entries = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let names = entries.flatten().filter_map(|e| e.file_name().into_string().ok());
    Ok(names.filter(|n| n.ends_with(".svg")).collect())
}

/// Figures that no command writes, and those too large to look at over a slow line.
fn doubtful(root: &Path, pages: &[PathBuf]) -> Result<Vec<String>, String> {
    let mut commands = String::new();
    for path in pages {
        let text = read(&root.join(path))?;
        page::blocks(&text).iter().filter(|b| b.runs()).for_each(|b| commands.push_str(b.text));
    }
    let mut faults = Vec::new();
    for name in drawn(root)? {
        let place = format!("docs/figures/{name}");
        let script = format!("figures/{}", name.replace(".svg", ".py"));
        if !commands.contains(&name) && !commands.contains(&script) {
            faults.push(format!("{place}: no page writes it"));
        }
        let size = read(&root.join(&place))?.len();
        if !(1..=LARGEST).contains(&size) {
            faults.push(format!("{place}: {size} bytes"));
        }
    }
    Ok(faults)
}

/// Pages with Rust that is not among the tests of documentation.
fn untested(root: &Path, pages: &[PathBuf]) -> Result<Vec<String>, String> {
    let tested = read(&root.join(RUST))?;
    let mut faults = Vec::new();
    for path in pages.iter().filter(|p| !tested.contains(&format!("/{}\"", p.display()))) {
        let text = read(&root.join(path))?;
        if page::blocks(&text).iter().any(|b| b.language() == "rust" && !b.is("ignore")) {
            faults.push(format!("{}: its Rust is not tested; name the page in {RUST}", path.display()));
        }
    }
    Ok(faults)
}

/// Prints faults; their number.
fn tell(name: &str, faults: Vec<String>) -> usize {
    if !name.is_empty() {
        println!("{name}");
    }
    for fault in &faults {
        println!("  {fault}");
    }
    faults.len()
}
