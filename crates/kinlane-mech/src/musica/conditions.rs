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
use crate::network::BOLTZMANN;
use crate::scheme::{Moment, Part, Quantity, Run, Scheme};
use crate::validate::nearest;
use crate::words::did_you_mean;
use crate::{Diagnostic, Span};

/// What is read of a file.
const PARTS_READ: [&str; 3] = ["mechanism", "box model options", "conditions"];
/// Times of a box: the name of the entry, but for its unit.
const LENGTH: &str = "simulation length";
const OUTPUT: &str = "output time step";
/// Units of time, and their seconds.
const TIMES: [(&str, f64); 5] = [("sec", 1.0), ("min", 60.0), ("hr", 3600.0), ("hour", 3600.0), ("day", 86400.0)];
/// Units of amounts, in molecule/cm³.
const AMOUNTS: [(&str, f64); 6] = [
    ("mol m-3", MOLECULES),
    ("mol cm-3", 1e6 * MOLECULES),
    ("molec m-3", 1e-6),
    ("molecule m-3", 1e-6),
    ("molec cm-3", 1.0),
    ("molecule cm-3", 1.0),
];
/// Units of amounts, as parts of the air.
const PARTS: [(&str, f64); 5] = [("mol mol-1", 1.0), ("ppth", 1e-3), ("ppm", 1e-6), ("ppb", 1e-9), ("ppt", 1e-12)];

/// One table, as written.
pub(super) struct Table {
    heads: Vec<(String, Span)>,
    rows: Vec<(Vec<Option<f64>>, Span)>,
}

/// What a column sets.
#[derive(Clone, Copy)]
struct Column {
    what: Quantity,
    factor: f64,
    /// Whether its numbers are parts of the air.
    of_air: bool,
}

/// The length and the rows of the output that a file asks for. Tells of parts of the file that are not read.
pub(super) fn run(root: &Node, found: &mut Vec<Diagnostic>) -> Run {
    let others = field::entries(root).filter(|entry| !PARTS_READ.contains(&entry.key.as_str()));
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
        field::number(&entry.value, &format!("`{}`", entry.key), found).map(|number| factor * number)
    };
    let (end, step) = (seconds(LENGTH), seconds(OUTPUT));
    Run { start: end.map(|_| 0.0), end, step, temperature: None }
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
            if value.is_none() && !["", "nan", "na", "null"].contains(&text.to_ascii_lowercase().as_str()) {
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

/// What the tables set, by time. `taken` has the inputs of the scheme, and `known` the names of species that are no part of it.
pub(super) fn moments(
    tables: &[Table],
    scheme: &Scheme,
    taken: &[Taken],
    known: impl Fn(&str) -> bool,
    found: &mut Vec<Diagnostic>,
) -> Vec<Moment> {
    let mut all: Vec<(f64, Column, f64, Span)> = Vec::new();
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
            .map(|(head, at)| if head == "time.s" { None } else { column(head, *at, scheme, taken, &known, found) })
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
            let set = columns.iter().zip(values).filter_map(|(column, value)| Some(((*column)?, (*value)?)));
            all.extend(set.map(|(column, value)| (t, column, value, *at)));
        }
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    settled(&all, found)
}

/// Groups what is set by its time, and makes amounts of parts of the air.
fn settled(all: &[(f64, Column, f64, Span)], found: &mut Vec<Diagnostic>) -> Vec<Moment> {
    let mut moments: Vec<Moment> = Vec::new();
    let (mut temperature, mut pressure) = (None, None);
    for same in all.chunk_by(|a, b| a.0 == b.0) {
        for (_, column, value, _) in same {
            match column.what {
                Quantity::Temperature => temperature = Some(*value),
                Quantity::Pressure => pressure = Some(*value),
                _ => {}
            }
        }
        // P/(kT), in molecule/cm³
        let air = temperature.zip(pressure).map(|(t, p): (f64, f64)| 1e-6 * p / (BOLTZMANN * t));
        let mut set: Vec<(Quantity, f64)> = Vec::new();
        for (t, column, value, at) in same {
            let positive = matches!(column.what, Quantity::Temperature | Quantity::Pressure);
            if *value < 0.0 || positive && *value == 0.0 {
                let limit = if positive { "above zero" } else { "zero or more" };
                let message = format!("{value} is set at {t} s for what has to be {limit}");
                found.push(Diagnostic::error(codes::CONDITION, message).at(*at, "this row"));
                continue;
            }
            let Some(factor) = (if column.of_air { air.map(|air| air * column.factor) } else { Some(column.factor) })
            else {
                let message = "an amount is a part of the air, whose temperature and pressure are not given";
                found.push(
                    Diagnostic::error(codes::CONDITION, message)
                        .at(*at, "this row")
                        .help("give `ENV.temperature.K` and `ENV.pressure.Pa`, at the same time or before"),
                );
                continue;
            };
            set.retain(|(what, _)| *what != column.what);
            set.push((column.what, factor * value));
        }
        let t = same.first().map_or(0.0, |first| first.0);
        moments.push(Moment { t, set });
    }
    moments
}

/// What a column sets; nothing if it is a species that is no part of the scheme, or if there is something wrong with it.
fn column(
    head: &str,
    at: Span,
    scheme: &Scheme,
    taken: &[Taken],
    known: impl Fn(&str) -> bool,
    found: &mut Vec<Diagnostic>,
) -> Option<Column> {
    let plain = |what| Some(Column { what, factor: 1.0, of_air: false });
    let mut refuse = |message: String, help: String| {
        found.push(Diagnostic::error(codes::CONDITION, message).at(at, "this column").help(help));
        None
    };
    let (kind, rest) = head.split_once('.').unwrap_or((head, ""));
    let (name, unit) = rest.rsplit_once('.').map_or((rest, None), |(name, unit)| (name, Some(unit)));
    // A name may have a dot, where no unit is given.
    let place = |of: &dyn Fn(&str) -> Option<usize>| of(rest).or_else(|| of(name));
    let input =
        |prefix: &str| place(&|name| scheme.inputs.iter().position(|(known, _)| *known == format!("{prefix}{name}")));
    let units: &[&str] = match kind {
        "PHOTO" | "LOSS" => &["s-1"],
        "EMIS" => &["mol m-3 s-1", "s-1"],
        "SURF" => &["m", "# m-3", "effective radius", "particle number concentration"],
        _ => &[],
    };
    // A name may have a dot where no unit is given; those of music-box's own examples have `s-1` for emissions.
    let bare = |known: &str| {
        known == rest || known.strip_prefix(kind).is_some_and(|known| known.strip_prefix('.') == Some(rest))
    };
    let whole = scheme.photolysis.iter().any(|known| bare(known)) || scheme.inputs.iter().any(|(known, _)| bare(known));
    if let Some(unit) = unit.filter(|unit| !units.is_empty() && !whole && !units.contains(unit)) {
        return refuse(
            format!("`{head}` has the unit `{unit}`, which is not known here"),
            format!("one of {}", units.join(", ")),
        );
    }
    let missing = |what: &str, names: Vec<&str>| {
        let near = did_you_mean(nearest(name, names.iter().copied()), "leave the column out");
        (format!("the mechanism has no {what} `{name}`, which `{head}` sets"), near)
    };
    match kind {
        "ENV" => match (name, unit) {
            ("temperature", Some("K")) => plain(Quantity::Temperature),
            ("pressure", Some("Pa")) => plain(Quantity::Pressure),
            ("temperature" | "pressure", _) => refuse(
                format!("`{head}` has no unit that is known"),
                "write `ENV.temperature.K` and `ENV.pressure.Pa`".into(),
            ),
            // music-box itself does not read any other, such as the density of the air.
            _ => None,
        },
        "CONC" => {
            let among = |name: &str| {
                let of = |parts: &[Part]| parts.iter().position(|part| part.name == name);
                let evolves = of(&scheme.species).map(Quantity::Species);
                evolves.or_else(|| of(&scheme.fixed).map(Quantity::Fixed))
            };
            let bare = among(rest);
            let Some(what) = bare.or_else(|| among(name)) else {
                if known(name) || known(rest) {
                    return None;
                }
                let names = scheme.species.iter().chain(&scheme.fixed).map(|part| part.name.as_str()).collect();
                let (message, help) = missing("species", names);
                return refuse(message, help);
            };
            let unit = unit.filter(|_| bare.is_none()).unwrap_or("mol m-3");
            let of = |units: &[(&str, f64)]| units.iter().find(|(known, _)| *known == unit).map(|(_, f)| *f);
            match (of(&AMOUNTS), of(&PARTS)) {
                (Some(factor), _) => Some(Column { what, factor, of_air: false }),
                (_, Some(factor)) => Some(Column { what, factor, of_air: true }),
                _ => {
                    let all: Vec<&str> = AMOUNTS.iter().chain(&PARTS).map(|(known, _)| *known).collect();
                    refuse(format!("`{head}` has no unit that is known"), format!("one of {}", all.join(", ")))
                }
            }
        }
        "PHOTO" => match place(&|name| scheme.photolysis.iter().position(|known| known == name)) {
            Some(i) => plain(Quantity::Photolysis(i)),
            None => {
                let (message, help) = missing("photolysis", scheme.photolysis.iter().map(String::as_str).collect());
                refuse(message, help)
            }
        },
        "EMIS" | "LOSS" | "USER" => {
            let prefix = if kind == "USER" { String::new() } else { format!("{kind}.") };
            let Some(i) = input(&prefix) else {
                let names = scheme.inputs.iter().filter_map(|(known, _)| known.strip_prefix(&prefix)).collect();
                let (message, help) = missing("reaction", names);
                return refuse(message, help);
            };
            // music-box counts in mol/m³.
            let order = taken.get(i).map_or(1.0, |taken| taken.order);
            Some(Column { what: Quantity::Input(i), factor: MOLECULES.powf(1.0 - order), of_air: false })
        }
        "SURF" => {
            let words = [("effective radius", "radius"), ("particle number concentration", "number")];
            let of = |name: &str| {
                let word = words.iter().find_map(|(long, short)| Some((name.strip_suffix(long)?, short)));
                let name = word.map(|(name, short)| format!("SURF.{name}{short}"))?;
                scheme.inputs.iter().position(|(known, _)| *known == name)
            };
            match place(&of) {
                Some(i) => plain(Quantity::Input(i)),
                None => {
                    let names = scheme.inputs.iter().filter_map(|(known, _)| known.strip_prefix("SURF.")).collect();
                    let (message, help) = missing("surface", names);
                    refuse(message, help)
                }
            }
        }
        _ => refuse(
            format!("`{head}` is no condition that is known"),
            "names of columns begin with `ENV`, `CONC`, `PHOTO`, `EMIS`, `LOSS`, `USER` or `SURF`, and one is `time.s`"
                .into(),
        ),
    }
}
