//! The table and the picture of a cell over time.

use crate::commands::ending::{JsonReport, Subject};
use crate::error::Error;
use crate::files::output::{self, Outputs, csv_field, csv_numbers};
use crate::picture;
use crate::picture::chart::{self, Axis, Chart, Series, Spacing};
use crate::terminal::some_of;
use crate::words::short;
use clap::Args;
use kinlane::mech::scheme::Field;
use kinlane::{Options, Report, Scheme};
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Which species, and where to.
#[derive(Debug, Args)]
pub struct Files {
    /// Species of the table on the terminal and of the picture (default: the six of which there is most)
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = "Input and output")]
    pub show: Vec<String>,
    /// Table of all species to write (- for standard output)
    #[arg(long, value_name = "FILE", help_heading = "Input and output")]
    pub csv: Option<PathBuf>,
    /// JSON report to write (- for standard output): costs, and how far the cell has come
    #[arg(long, value_name = "FILE", help_heading = "Input and output")]
    pub json: Option<PathBuf>,
}

/// How a cell was followed.
pub struct Followed<'a> {
    pub options: &'a Options,
    /// The time by which it should have come to its end \[s\].
    pub end_time: f64,
    /// What it has cost.
    pub cost: Report,
    /// Why it could not go on, if so.
    pub outcome: Result<(), Error>,
}

/// The JSON report.
#[derive(Debug, Serialize)]
struct CourseReport<'a> {
    #[serde(flatten)]
    work: JsonReport<'a>,
    end_time: f64,
    /// The time of the last row \[s\].
    t: f64,
}

/// Name of the column with the temperature \[GK\], where it changes.
pub const T9: &str = "T9";
/// The same in kelvin, in a box.
pub const T: &str = "T";
/// Name of the column with the density \[g/cm³\], where it changes.
pub const RHO: &str = "rho";
/// Name of the column with the energy that was released so far.
const ENERGY: &str = "energy_erg_g";
/// Number of species that are shown by themselves.
const SHOWN: usize = 6;
/// Rows of the table on a terminal.
const LINES: usize = 24;
/// What is further below the largest amount of a picture is not drawn.
const RANGE: f64 = 1e-12;

/// One row.
pub struct Row {
    /// The time \[s\].
    pub t: f64,
    /// Surroundings that change: the sun, T9.
    pub around: Vec<f64>,
    /// An amount of every species.
    pub amounts: Vec<f64>,
    /// The energy that was released so far.
    pub energy: Option<f64>,
}

/// Rows, each with its time in front.
pub struct Table<'a> {
    scheme: &'a Scheme,
    /// Names of the surroundings.
    around: Vec<&'static str>,
    rows: Vec<Row>,
    /// Species that were asked for; else, once rows are complete, those of which there is most.
    shown: Vec<usize>,
    /// Whether they were asked for.
    asked: bool,
}

impl<'a> Table<'a> {
    /// An empty table, once it is clear that its files can be written.
    pub fn new(
        scheme: &'a Scheme,
        files: &Files,
        picture: Option<&Path>,
        read: &[Option<&Path>],
        around: Vec<&'static str>,
    ) -> Result<Self, Error> {
        let warm = picture.filter(|_| around.contains(&T9)).map(|path| output::beside(path, T9));
        output::ready(
            &[
                ("--csv", files.csv.as_deref()),
                ("--json", files.json.as_deref()),
                ("--picture", picture),
                ("--picture", warm.as_deref()),
            ],
            read,
        )?;
        let names = scheme.species_names();
        let index = |name: &String| {
            super::find(scheme, names, name).ok_or_else(|| super::unknown(name, names.iter().map(String::as_str)))
        };
        let shown = files.show.iter().map(index).collect::<Result<_, _>>()?;
        Ok(Self { scheme, around, rows: Vec::new(), shown, asked: !files.show.is_empty() })
    }

    /// Adds a row.
    pub fn push(&mut self, row: Row) {
        self.rows.push(row);
    }

    /// The species to show: those that were asked for, or those of which there is most at any time.
    fn choose(&mut self) {
        if self.asked {
            return;
        }
        let most = |k: usize| self.rows.iter().map(|r| r.amounts[k]).fold(0.0, f64::max);
        let mut all: Vec<(usize, f64)> = (0..self.scheme.species_count()).map(|k| (k, most(k))).collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1));
        self.shown = all.into_iter().take(SHOWN).map(|x| x.0).collect();
    }

    /// Writes and prints everything; where the cell could not go on, the rows up to there, if there are any behind the first.
    /// Returns the exit code.
    pub fn finish(
        self,
        files: &Files,
        picture: Option<&Path>,
        quiet: bool,
        title: &str,
        mut followed: Followed<'_>,
    ) -> Result<i32, Error> {
        match std::mem::replace(&mut followed.outcome, Ok(())) {
            Ok(()) => {
                let cost = format!("{} steps, {:.3} s", followed.cost.steps, followed.cost.seconds);
                self.write(files, picture, quiet, [title, &cost], &followed).map(|()| 0)
            }
            Err(fault @ Error::Course { .. }) if self.rows.len() > 1 => {
                self.write(files, picture, quiet, [&format!("{title} (stopped)"), ""], &followed)?;
                Err(fault)
            }
            Err(fault) => Err(fault),
        }
    }

    fn write(
        mut self,
        files: &Files,
        picture: Option<&Path>,
        quiet: bool,
        [title, cost]: [&str; 2],
        followed: &Followed<'_>,
    ) -> Result<(), Error> {
        self.choose();
        let mut outputs = Outputs::default();
        if let Some(path) = &files.csv {
            outputs.text(path, &self.csv())?;
        }
        if let Some(path) = picture {
            picture::write(&mut outputs, path, &self.chart(title).svg())?;
            if let Some(chart) = self.temperatures(title) {
                picture::write(&mut outputs, &output::beside(path, T9), &chart.svg())?;
            }
        }
        if let Some(path) = &files.json {
            let report = CourseReport {
                work: Subject::from(self.scheme).json(followed.options, &followed.cost),
                end_time: followed.end_time,
                t: self.rows.last().map_or(0.0, |row| row.t),
            };
            outputs.text(path, &output::pretty(&report, path)?)?;
        }
        outputs.commit()?;
        if !quiet && !output::to_standard(&[&files.csv, &files.json]) {
            say!("{title}\n\n{}\n{cost}", self.text());
        }
        Ok(())
    }

    /// Name of the last column, if it is there.
    fn energy(&self) -> Option<&'static str> {
        self.rows.first().and_then(|row| row.energy).map(|_| ENERGY)
    }

    fn csv(&self) -> String {
        let mut text = "time_s".to_owned();
        let names = self.scheme.species_names().iter().map(String::as_str);
        for name in self.around.iter().copied().chain(names).chain(self.energy()) {
            let _ = write!(text, ",{}", csv_field(name));
        }
        for Row { t, around, amounts, energy } in &self.rows {
            let numbers = around.iter().chain(amounts).chain(energy).copied();
            let _ = write!(text, "\n{t:e}{}", csv_numbers(numbers));
        }
        text + "\n"
    }

    /// A table for the terminal: some of the rows, and the last.
    fn text(&self) -> String {
        let names = self.scheme.species_names();
        let mut text = format!("{:>10}", "time (s)");
        let heads = || self.around.iter().copied().chain(self.shown.iter().map(|&k| names[k].as_str()));
        // Two spaces before the longest name.
        let width = heads().map(|name| name.chars().count() + 2).fold(12, usize::max);
        heads().for_each(|name| _ = write!(text, "{name:>width$}"));
        self.energy().into_iter().for_each(|name| _ = write!(text, "{name:>14}"));
        for Row { t, around, amounts, energy } in some_of(&self.rows, LINES) {
            let _ = write!(text, "\n{:>10}", short(*t));
            let numbers = around.iter().copied().chain(self.shown.iter().map(|&k| amounts[k]));
            numbers.for_each(|x| _ = write!(text, "{x:>width$.3e}"));
            energy.iter().for_each(|x| _ = write!(text, "{x:>14.3e}"));
        }
        text + "\n"
    }

    /// The axis of time in a star: logarithmic, unless a history begins before zero.
    fn seconds(&self) -> Axis {
        let spacing = if self.rows.iter().skip(1).all(|row| row.t > 0.0) { Spacing::Log } else { Spacing::Linear };
        Axis { label: "time (s)".into(), spacing, low: None }
    }

    /// T9 over time, where it changes.
    fn temperatures(&self, title: &str) -> Option<Chart> {
        let column = self.around.iter().position(|name| *name == T9)?;
        Some(Chart {
            title: title.to_owned(),
            subtitle: format!("kinlane {}", crate::VERSION),
            x: self.seconds(),
            y: Axis { label: "T9 (GK)".into(), spacing: Spacing::Linear, low: None },
            legend: String::new(),
            series: vec![Series {
                name: T9.to_owned(),
                points: self.rows.iter().map(|r| (r.t, r.around[column])).collect(),
            }],
            dots: false,
        })
    }

    fn chart(&self, title: &str) -> Chart {
        let star = self.scheme.field() == Field::Star;
        let end = self.rows.last().map_or(0.0, |r| r.t);
        let (x, scale) = match (star, end) {
            (true, _) => (self.seconds(), 1.0),
            (false, end) if end > 7200.0 => {
                (Axis { label: "time (h)".into(), spacing: Spacing::Linear, low: Some(0.0) }, 1.0 / 3600.0)
            }
            (false, end) => chart::time(end),
        };
        let most = self.shown.iter().flat_map(|&k| self.rows.iter().map(move |r| r.amounts[k])).fold(0.0, f64::max);
        let y = match star {
            true => "mass fraction",
            false => "amount (molecules/cm\u{b3}, or what the file counts in)",
        };
        // What is too small interrupts its line.
        let shown = |x: f64| if x > most * RANGE { x } else { f64::NAN };
        let series = self.shown.iter().map(|&k| Series {
            name: self.scheme.species_names()[k].clone(),
            points: self.rows.iter().map(|r| (r.t * scale, shown(r.amounts[k]))).collect(),
        });
        Chart {
            title: title.to_owned(),
            subtitle: format!("kinlane {}", crate::VERSION),
            x,
            y: Axis { label: y.into(), spacing: Spacing::Log, low: None },
            legend: match self.asked {
                true => "species".to_owned(),
                false => chart::largest(self.shown.len(), self.scheme.species_count()),
            },
            series: series.collect(),
            dots: false,
        }
    }
}
