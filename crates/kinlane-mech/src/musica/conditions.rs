//! What a file of music-box says beside its mechanism: how long the box is followed, how it begins, and what is set while
//! it is followed.
//!
//! ```text
//! box model options:  output time step [u], simulation length [u]           u: sec, min, hr, day
//! conditions:         filepaths: CSV files;  data: the same as `headers` and `rows`
//! ```
//!
//! Such a table has a column `time.s`; others are called `ENV.temperature.K`, `ENV.pressure.Pa`, `CONC.species.mol m-3`
//! (or another unit), `PHOTO.reaction.s-1`, `EMIS.reaction.mol m-3 s-1`, `LOSS.reaction.s-1`, `USER.reaction`,
//! `SURF.reaction.effective radius.m`. What it sets holds from that time on; a field without a number sets nothing. The
//! rows of all files come first, then those of `data`; what is set later at the same time counts.

use std::path::Path;

use super::codes;
use super::field;
use super::files::Files;
use super::law::MOLECULES;
use super::reaction::Taken;
use crate::cantera::input::parse_number;
use crate::cantera::yaml::Node;
use crate::scheme::{Change, Moment, Part, Quantity, Run, Scheme};
use crate::validate::nearest;
use crate::words::did_you_mean;
use crate::{Diagnostic, Span};

/// What is read of a file.
const READ: [&str; 3] = ["mechanism", "box model options", "conditions"];
/// Times of a box: the name of the entry, but for its unit.
const LENGTH: &str = "simulation length";
const OUTPUT: &str = "output time step";
/// Units of time, and their seconds.
const TIMES: [(&str, f64); 5] = [("sec", 1.0), ("min", 60.0), ("hr", 3600.0), ("hour", 3600.0), ("day", 86400.0)];

/// A unit: its name, its size in the unit of schemes (of parts of the air, in the whole), and whether it is a part of the air.
type Unit = (&'static str, f64, bool);

/// Units of amounts; without one they are in the first.
const AMOUNTS: [Unit; 11] = [
    ("mol m-3", MOLECULES, false),
    ("mol cm-3", 1e6 * MOLECULES, false),
    ("molec m-3", 1e-6, false),
    ("molecule m-3", 1e-6, false),
    ("molec cm-3", 1.0, false),
    ("molecule cm-3", 1.0, false),
    ("mol mol-1", 1.0, true),
    ("ppth", 1e-3, true),
    ("ppm", 1e-6, true),
    ("ppb", 1e-9, true),
    ("ppt", 1e-12, true),
];
const FREQUENCIES: [Unit; 1] = [("s-1", 1.0, false)];
/// Examples of music-box itself have the second, and mean the first.
const EMISSIONS: [Unit; 2] = [("mol m-3 s-1", 1.0, false), ("s-1", 1.0, false)];
/// Of rate constants of reactions of the orders 1, 0, 2 and 3; some write the first of any.
const RATE_CONSTANTS: [&str; 4] = ["s-1", "mol m-3 s-1", "m3 mol-1 s-1", "m6 mol-2 s-1"];
const SURFACES: [Unit; 2] = [("m", 1.0, false), ("# m-3", 1.0, false)];

/// One table, as written.
pub(super) struct Table {
    heads: Vec<(String, Span)>,
    rows: Vec<(Vec<Option<f64>>, Span)>,
}

/// What a column sets, for each number that stands in it.
#[derive(Clone, Copy)]
struct Column {
    what: Quantity,
    factor: f64,
    of_air: bool,
}

/// The length and the rows of the output that a file asks for. Tells of parts of the file that are not read.
pub(super) fn run(root: &Node, found: &mut Vec<Diagnostic>) -> Run {
    let others = field::entries(root).filter(|entry| !READ.contains(&entry.key.as_str()));
    for entry in others {
        found.push(
            Diagnostic::warning(codes::IGNORED, format!("`{}` is not read", entry.key))
                .at(entry.at, "not used")
                .help("what music-box sets in the course of a run stands under `conditions`; its own converter makes that of older files"),
        );
    }
    let Some(options) = root.get("box model options") else { return Run::default() };
    let mut seconds = |what: &str| {
        let entry = options.entries().iter().find(|entry| entry.key.split(" [").next() == Some(what))?;
        let unit = entry.key.strip_prefix(what).and_then(|unit| unit.strip_prefix(" [")?.strip_suffix(']'));
        let Some((_, factor)) = TIMES.iter().find(|(known, _)| Some(*known) == unit) else {
            let message = format!("`{}` has no unit of time that is known", entry.key);
            let all = TIMES.map(|(known, _)| known).join(", ");
            found.push(
                Diagnostic::error(codes::CONDITION, message).at(entry.at, "this entry").help(format!("one of {all}")),
            );
            return None;
        };
        let number = field::number(&entry.value, &format!("`{}`", entry.key), found)?;
        if number <= 0.0 {
            let message = format!("`{}` is {number}", entry.key);
            found.push(
                Diagnostic::error(codes::CONDITION, message)
                    .at(entry.value.at, "this value")
                    .help("it has to be above zero"),
            );
        }
        Some(factor * number)
    };
    let (length, step) = (seconds(LENGTH), seconds(OUTPUT));
    Run { length, step, ..Run::default() }
}

/// The tables of a file, in the order in which they count.
pub(super) fn tables(root: &Node, folder: &Path, files: &mut Files) -> Vec<Table> {
    let Some(conditions) = root.get("conditions") else { return Vec::new() };
    field::known(conditions, &["filepaths", "data"], "`conditions`", &mut files.found);
    let mut all = Vec::new();
    for item in conditions.get("filepaths").map_or(&[][..], |v| field::list(v, "`filepaths`", &mut files.found)) {
        let Some(name) = field::text(item, "the name of a file", &mut files.found) else { continue };
        all.extend(files.text(&folder.join(name), Some((name, item.at))).and_then(|file| file_table(file, files)));
    }
    for item in conditions.get("data").map_or(&[][..], |v| field::list(v, "`data`", &mut files.found)) {
        all.extend(inline(item, &mut files.found));
    }
    all
}

/// A table of a configuration.
fn inline(node: &Node, found: &mut Vec<Diagnostic>) -> Option<Table> {
    field::known(node, &["headers", "rows"], "a table of conditions", found);
    let heads = field::required(node, "headers", "a table of conditions", found)?;
    let heads = field::list(heads, "`headers`", found).iter();
    let heads: Vec<_> =
        heads.filter_map(|head| Some((field::text(head, "a header", found)?.to_owned(), head.at))).collect();
    let rows = field::required(node, "rows", "a table of conditions", found)?;
    let mut all = Vec::new();
    for row in field::list(rows, "`rows`", found) {
        let values = field::list(row, "a row", found).iter();
        let values: Vec<_> =
            values.map(|x| if x.is_null() { None } else { field::number(x, "a value", found) }).collect();
        all.push((values, row.at));
    }
    Some(Table { heads, rows: all })
}

/// A table in a file of its own.
fn file_table(file: u32, files: &mut Files) -> Option<Table> {
    let Files { sources, found } = files;
    let text = sources.get(Span { file, start: 0, end: 0 }).map_or("", |source| source.text.as_str());
    let mut lines = Span::lines(text, file).filter(|(line, _)| !line.trim().is_empty());
    let (head, at) = lines.next()?;
    let heads = fields(head, at).map(|(head, at)| (head.to_owned(), at)).collect();
    let mut rows = Vec::new();
    for (line, at) in lines {
        let value = |(text, at): (&str, Span)| {
            let value = parse_number(text).filter(|value| value.is_finite());
            if value.is_none() && !["", "nan", "na", "null", "none"].contains(&text.to_ascii_lowercase().as_str()) {
                let message = format!("`{text}` is not a number");
                found.push(Diagnostic::error(codes::VALUE, message).at(at, "this field"));
            }
            value
        };
        rows.push((fields(line, at).map(value).collect(), at));
    }
    Some(Table { heads, rows })
}

/// The fields of a line of CSV, each with its place. Names and numbers have no commas.
fn fields(line: &str, at: Span) -> impl Iterator<Item = (&str, Span)> {
    let mut start = at.start;
    line.split(',').map(move |field| {
        let before = (field.len() - field.trim_start().len()) as u32;
        let (start_of, text) = (start + before, field.trim());
        start += field.len() as u32 + 1;
        (text.trim_matches('"'), Span { start: start_of, end: start_of + text.len() as u32, ..at })
    })
}

/// What the tables set, by time. `taken` has the inputs of the scheme; `others` says whether a species is declared that is no part
/// of it, and whether the file holds its amount.
pub(super) fn moments(
    tables: &[Table],
    scheme: &Scheme,
    taken: &[Taken],
    others: impl Fn(&str) -> Option<bool>,
    found: &mut Vec<Diagnostic>,
) -> Vec<Moment> {
    let mut all: Vec<(f64, Change, Span)> = Vec::new();
    for table in tables {
        let Some(time) = table.heads.iter().position(|(head, _)| head == "time.s") else {
            let at = table.heads.first().map(|(_, at)| *at).or(table.rows.first().map(|(_, at)| *at));
            let mut finding = Diagnostic::error(codes::CONDITION, "a table of conditions has no column `time.s`");
            if let Some(at) = at {
                finding = finding.at(at, "these columns");
            }
            found.push(finding.help("it is the time in seconds from which on a row holds"));
            continue;
        };
        let columns: Vec<_> = table
            .heads
            .iter()
            .map(|(head, at)| if head == "time.s" { None } else { column(head, *at, scheme, taken, &others, found) })
            .collect();
        for (values, at) in &table.rows {
            if values.len() != table.heads.len() {
                let message = format!("a row has {} fields, the head {}", values.len(), table.heads.len());
                found.push(Diagnostic::error(codes::CONDITION, message).at(*at, "this row"));
                continue;
            }
            let Some(t) = values.get(time).copied().flatten().filter(|t| *t >= 0.0) else {
                let finding = Diagnostic::error(codes::CONDITION, "a row has no time, or one before the beginning");
                found.push(finding.at(*at, "this row"));
                continue;
            };
            all.extend(columns.iter().zip(values).filter_map(|(column, value)| {
                let Column { what, factor, of_air } = (*column)?;
                Some((t, Change { what, value: factor * (*value)?, of_air }, *at))
            }));
        }
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut moments = vec![Moment { t: 0.0, set: Vec::new() }];
    for (t, change, at) in all {
        let positive = matches!(change.what, Quantity::Temperature | Quantity::Pressure);
        if change.value < 0.0 || positive && change.value == 0.0 {
            let limit = if positive { "above zero" } else { "zero or more" };
            let message = format!("{} is set at {t} s for what has to be {limit}", change.value);
            found.push(Diagnostic::error(codes::CONDITION, message).at(at, "this row"));
            continue;
        }
        match moments.last_mut().filter(|moment| moment.t == t) {
            Some(moment) => {
                moment.set.retain(|other| other.what != change.what);
                moment.set.push(change);
            }
            None => moments.push(Moment { t, set: vec![change] }),
        }
    }
    moments
}

/// What a column sets; nothing if it is a species that is no part of the scheme, or if there is something wrong with it.
fn column(
    head: &str,
    at: Span,
    scheme: &Scheme,
    taken: &[Taken],
    others: impl Fn(&str) -> Option<bool>,
    found: &mut Vec<Diagnostic>,
) -> Option<Column> {
    let mut refuse = |message: String, help: String| {
        found.push(Diagnostic::error(codes::CONDITION, message).at(at, "this column").help(help));
        None
    };
    let (kind, rest) = head.split_once('.').unwrap_or((head, ""));
    let (name, unit) = rest.rsplit_once('.').map_or((rest, None), |(name, unit)| (name, Some(unit)));
    let (noun, units) = match kind {
        "ENV" => match (name, unit) {
            ("temperature", Some("K")) => return plain(Quantity::Temperature),
            ("pressure", Some("Pa")) => return plain(Quantity::Pressure),
            ("temperature" | "pressure", _) => {
                let help = "write `ENV.temperature.K` and `ENV.pressure.Pa`";
                return refuse(format!("`{head}` has no unit that is known"), help.into());
            }
            // music-box itself does not read any other, such as the density of the air.
            _ => return None,
        },
        "CONC" => ("species", &AMOUNTS[..]),
        "PHOTO" => ("photolysis", &FREQUENCIES[..]),
        "LOSS" => ("loss", &FREQUENCIES[..]),
        "EMIS" => ("emission", &EMISSIONS[..]),
        "SURF" => ("surface", &SURFACES[..]),
        "USER" => ("rate constant", &[][..]),
        _ => {
            let help = "names of columns begin with `ENV`, `CONC`, `PHOTO`, `EMIS`, `LOSS`, `USER` or `SURF`, and one is `time.s`";
            return refuse(format!("`{head}` is no condition that is known"), help.into());
        }
    };
    // A name may have a dot, where no unit is given.
    let bare = quantity(kind, rest, scheme);
    let Some(what) = bare.or_else(|| quantity(kind, name, scheme)) else {
        if let Some(held) = (kind == "CONC").then(|| others(name).or_else(|| others(rest))).flatten() {
            if held {
                let message = format!("`{head}` sets an amount that the mechanism holds");
                return refuse(message, "leave the column out, or the constant amount of the species".into());
            }
            return None;
        }
        let help = did_you_mean(nearest(name, names(kind, scheme)), "leave the column out");
        return refuse(format!("the mechanism has no {noun} `{name}`, which `{head}` sets"), help);
    };
    let unit = unit.filter(|_| bare.is_none());
    let sized = match unit.filter(|_| !units.is_empty()) {
        Some(unit) => units.iter().find(|u| u.0 == unit),
        None => units.first().or(Some(&ANY)),
    };
    let Some((_, size, of_air)) = sized else {
        let all: Vec<&str> = units.iter().map(|unit| unit.0).collect();
        return refuse(format!("`{head}` has no unit that is known"), format!("one of {}", all.join(", ")));
    };
    if let Some(unit) = unit.filter(|unit| kind == "USER" && !RATE_CONSTANTS.contains(unit)) {
        let message = format!("`{head}` is read in mol, m3 and s, not in `{unit}`");
        let help = "music-box, too, takes rate constants in the unit of their reactions, whatever is written";
        found.push(Diagnostic::warning(codes::CONDITION, message).at(at, "this column").help(help));
    }
    // Rate constants and emissions are in mol/m³ here.
    let order = if let Quantity::Input(i) = what { taken.get(i).map_or(1.0, |taken| taken.order) } else { 1.0 };
    Some(Column { what, factor: size * MOLECULES.powf(1.0 - order), of_air: *of_air })
}

/// Of a column with whatever unit.
const ANY: Unit = ("", 1.0, false);

fn plain(what: Quantity) -> Option<Column> {
    Some(Column { what, factor: 1.0, of_air: false })
}

/// How columns of surfaces call what they set, and what inputs are called.
const OF_SURFACES: [(&str, &str); 2] = [("effective radius", "radius"), ("particle number concentration", "number")];

/// What columns of a kind set under a name.
fn quantity(kind: &str, name: &str, scheme: &Scheme) -> Option<Quantity> {
    let input = |name: &str| scheme.inputs.iter().position(|(known, _)| known == name).map(Quantity::Input);
    let part = |parts: &[Part]| parts.iter().position(|part| part.name == name);
    match kind {
        "CONC" => part(&scheme.species).map(Quantity::Species).or_else(|| part(&scheme.fixed).map(Quantity::Fixed)),
        "PHOTO" => scheme.photolysis.iter().position(|known| known == name).map(Quantity::Photolysis),
        "USER" => input(name),
        "SURF" => {
            let called = OF_SURFACES.iter().find_map(|(long, short)| Some((name.strip_suffix(long)?, short)));
            called.and_then(|(name, short)| input(&format!("SURF.{name}{short}")))
        }
        _ => input(&format!("{kind}.{name}")),
    }
}

/// The names that columns of a kind may have.
fn names<'s>(kind: &str, scheme: &'s Scheme) -> Vec<&'s str> {
    let of_inputs = scheme.inputs.iter().map(|(known, _)| known.as_str());
    match kind {
        "CONC" => scheme.species.iter().chain(&scheme.fixed).map(|part| part.name.as_str()).collect(),
        "PHOTO" => scheme.photolysis.iter().map(String::as_str).collect(),
        "USER" => of_inputs.collect(),
        _ => of_inputs.filter_map(|known| known.strip_prefix(kind)?.strip_prefix('.')).collect(),
    }
}
