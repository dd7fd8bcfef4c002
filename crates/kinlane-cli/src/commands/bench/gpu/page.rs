//! The page of `kinlane bench gpu`. It is rewritten after every measurement, so that results remain if the
//! run is killed.

use crate::commands::bench::divergence::WARP;
use crate::error::Error;
use crate::files::output;
use kinlane::device::Ceilings;
use std::path::PathBuf;

/// All results so far: the rows of every table.
#[derive(Debug, Default)]
pub struct Page {
    /// The command and its options.
    pub head: String,
    /// Answers and times.
    pub rows: Vec<String>,
    /// Resources of the compiled kernels.
    pub kernels: Vec<String>,
    /// Batches of several sizes.
    pub batches: Vec<String>,
    /// Utilisation of the device, and the highest ceilings so far.
    pub roofs: (String, Vec<String>),
    /// See above.
    pub ceilings: Ceilings,
    /// Losses of groups that share a cell.
    pub lost: Vec<String>,
    /// Measurements that did not run, and why.
    pub missing: Vec<String>,
    /// The file for the page.
    pub out: Option<PathBuf>,
}

/// A table, if it has rows.
fn table(text: &mut String, words: &str, columns: &str, rows: &[String]) {
    if rows.is_empty() {
        return;
    }
    let rule = "---|".repeat(columns.matches('|').count() - 1);
    text.push_str(&format!("\n{words}{}{columns}\n|{rule}\n", if words.is_empty() { "" } else { "\n\n" }));
    rows.iter().for_each(|row| text.push_str(row));
}

impl Page {
    /// Writes the page as far as it is known.
    pub fn save(&self) -> Result<(), Error> {
        self.out.as_ref().map_or(Ok(()), |out| output::write_text(out, &self.text()))
    }

    /// Adds a row to a table, and writes the page.
    pub fn add(&mut self, to: fn(&mut Self) -> &mut Vec<String>, row: String) -> Result<(), Error> {
        to(self).push(row);
        self.save()
    }

    /// All tables.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n", self.head);
        table(
            &mut text,
            "",
            "| mechanism | cells | dt (s) | mapping | first use (s) | cells/s | lanes, cells/s | ratio | deviation / tolerance \
             | other statuses | left to the CPU | attempts mean, steps median, max | divergence: in order, sorted, queue |",
            &self.rows,
        );
        table(
            &mut text,
            "Batches of several sizes, with every mapping.",
            "| mechanism | dt (s) | cells | mapping | cells/s | of the fastest so far |",
            &self.batches,
        );
        table(
            &mut text,
            "What the compiler made of the kernels, as the driver says: registers and bytes of a thread that have no room in \
             them, bytes that a group shares, groups that a multiprocessor has room for.",
            "| mechanism | mapping | method | threads of a group | its cells | registers | local, bytes | shared, bytes | groups |",
            &self.kernels,
        );
        let (one, roofs) = &self.roofs;
        let words = format!(
            "How much of the device is at work: {:.1} GFLOP/s in multiply-adds and {:.1} GB/s in copies are the most that was \
             measured in this run. Kernels alone, without copies; {one}. Operations as counted on the program (a \
             division or a root is eight, exp and ln what the lanes' take); bytes are those of the work space that must come \
             and go at least in every step, so caches may let a kernel above the second ceiling.",
            self.ceilings.flops * 1e-9,
            self.ceilings.bytes * 1e-9
        );
        table(
            &mut text,
            &words,
            "| mechanism | mapping | kernel | kflop per cell | kB per cell | flop per byte | GFLOP/s | GB/s | ceiling, GFLOP/s \
             | share |",
            roofs,
        );
        let words = format!(
            "What a group of {WARP} threads loses that share a cell, counted on the plan. A group whose reactions are of \
             several shapes takes a turn for each."
        );
        table(
            &mut text,
            &words,
            "| mechanism | groups in the file's order | of several shapes | turns | turns, sorted by shape | threads at work \
             there | in sums | in factors |",
            &self.lost,
        );
        table(&mut text, "Not measured:", "| mechanism | what | why |", &self.missing);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_without_rows_are_left_out() {
        let mut page = Page { head: "head".to_owned(), ..Page::default() };
        assert_eq!(page.text(), "head\n");
        page.add(|p| &mut p.missing, "| h2 | all | no card |\n".to_owned()).unwrap();
        assert_eq!(
            page.text(),
            "head\n\nNot measured:\n\n| mechanism | what | why |\n|---|---|---|\n| h2 | all | no card |\n"
        );
    }
}
