//! Measured delays from other sources, for the picture: `--measured FILE.csv`.

use crate::error::Error;
use crate::files::table::{Row, Table, plain, unit};
use crate::picture::chart::{self, MEASURED, Series};
use crate::swept::Swept;
use crate::values::is_positive;
use kinlane::Delay;
use kinlane::units::{TIMES, in_si};
use std::path::Path;

/// Points (1000 K/T, delay in s), with one series for each name in a column `set`, or as [`own`] names them.
pub fn read(path: &Path) -> Result<Vec<Series>, Error> {
    let table = Table::read(path)?;
    let names: Vec<&str> = table.names().collect();
    if let Some((first, delays)) = names.split_at_checked(OWN.len())
        && first.iter().map(|name| plain(name)).eq(OWN)
        && let Some(delays) = delays.iter().map(|head| head.strip_suffix(IN_SECONDS)).collect::<Option<Vec<_>>>()
        && !delays.is_empty()
    {
        return own(&table, &delays);
    }
    let columns = Columns::of(names.into_iter()).map_err(|fault| table.misnamed(fault))?;
    let mut all: Vec<Series> = Vec::new();
    for row in table.rows().iter().filter(|row| !row.text(columns.delay).is_empty()) {
        let x = table.number(row, columns.temperature, "positive temperature", is_positive)?;
        let delay = table.number(row, columns.delay, "positive delay", is_positive)?;
        let point = (if columns.inverse { x } else { 1000.0 / x }, in_si(delay, columns.unit));
        let name = columns.set.map(|c| row.text(c)).filter(|n| !n.is_empty()).unwrap_or(MEASURED);
        chart::add(&mut all, name, point);
    }
    Ok(all)
}

/// The first columns of the tables that `ignite --csv` writes, for instance with another mechanism; those of delays follow, empty
/// where there is none.
const OWN: [&str; 3] = ["t0k", "p0pa", "phi"];
/// How the heads of those columns end.
const IN_SECONDS: &str = " (s)";

/// The points of such a table: a series for each of its delays at each phi and P, named after those of the three that are several.
fn own(table: &Table, delays: &[&str]) -> Result<Vec<Series>, Error> {
    let columns = OWN.len()..OWN.len() + delays.len();
    let has_delay = |row: &&Row| columns.clone().any(|column| !row.text(column).is_empty());
    let rows: Vec<&Row> = table.rows().iter().filter(has_delay).collect();
    let several = |column: usize| rows.windows(2).any(|w| w[0].value(column) != w[1].value(column));
    let mut all: Vec<Series> = Vec::new();
    for row in &rows {
        let x = 1000.0 / table.number(row, 0, "positive temperature", is_positive)?;
        let mut at = Vec::new();
        if several(2) && !row.text(2).is_empty() {
            at.push(Swept::Phi.words(table.number(row, 2, "equivalence ratio", f64::is_finite)?));
        }
        if several(1) {
            at.push(Swept::Pressure.words(table.number(row, 1, "positive pressure", is_positive)?));
        }
        for (column, head) in columns.clone().zip(delays).filter(|(column, _)| !row.text(*column).is_empty()) {
            let delay = table.number(row, column, "positive delay", is_positive)?;
            let words = || head.parse().map_or_else(|_| (*head).to_owned(), |delay: Delay| delay.words());
            let name: Vec<String> = at.iter().cloned().chain((delays.len() > 1).then(words)).collect();
            let name = if name.is_empty() { MEASURED.to_owned() } else { name.join(", ") };
            chart::add(&mut all, &name, (x, delay));
        }
    }
    Ok(all)
}

/// The contents of the columns.
#[derive(Debug, PartialEq)]
struct Columns {
    temperature: usize,
    /// Whether the column contains 1000 K/T.
    inverse: bool,
    delay: usize,
    /// Unit of the delays \[s\].
    unit: f64,
    set: Option<usize>,
}

/// What the first line must contain, for messages.
const NAMES: &str = "the first line must name a column T (K) or 1000/T and a column tau (s), tau (ms), tau (us) or \
                     tau (ns); a column set is optional";

impl Columns {
    fn of<'n>(names: impl Iterator<Item = &'n str>) -> Result<Self, String> {
        let (mut temperature, mut delay, mut set) = (None, None, None);
        for (i, name) in names.enumerate() {
            match &*plain(name) {
                "t" | "tk" | "temperature" | "temperaturek" => temperature = Some((i, false)),
                "1000/t" | "1000k/t" | "1000/t1/k" => temperature = Some((i, true)),
                "set" | "label" | "source" => set = Some(i),
                _ => {
                    let Some(unit) = unit(name, ["tau", "delay"], TIMES) else { continue };
                    if delay.replace((i, unit)).is_some() {
                        return Err(format!("column {} contains delays as an earlier one does; leave one out", i + 1));
                    }
                }
            }
        }
        match (temperature, delay) {
            (Some((temperature, inverse)), Some((delay, unit))) => Ok(Self { temperature, inverse, delay, unit, set }),
            _ => Err(NAMES.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_say_units() {
        let of = |text: &str| Columns::of(text.split(','));
        let want = Columns { temperature: 0, inverse: false, delay: 1, unit: 1.0, set: None };
        assert_eq!(of("t,taus"), Ok(want));
        assert!(of("t,tau").is_err(), "no unit is guessed");
        let want = Columns { temperature: 2, inverse: true, delay: 1, unit: 1e-6, set: Some(0) };
        assert_eq!(of("set,tauus,1000/t"), Ok(want));
        assert!(of("t,p").is_err());
        let twice = "column 3 contains delays as an earlier one does; leave one out";
        assert_eq!(of("t,taus,delayms"), Err(twice.to_owned()));
    }
}
