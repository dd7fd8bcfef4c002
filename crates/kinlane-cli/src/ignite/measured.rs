//! Delays that others have measured, for the picture: `--measured FILE.csv`.

use crate::chart::Series;
use crate::error::Error;
use std::path::Path;

/// Points (1000 K/T, delay in s), in a series for each name in a column `set`.
pub fn read(path: &Path) -> Result<Vec<Series>, Error> {
    let wrong = |line: u64, fault: String| Error::Measured { path: path.to_owned(), line, fault };
    let unreadable = |e: csv::Error| {
        let line = e.position().map_or(1, csv::Position::line);
        wrong(line, e.to_string())
    };
    let mut file =
        csv::ReaderBuilder::new().trim(csv::Trim::All).comment(Some(b'#')).from_path(path).map_err(unreadable)?;
    let columns = Columns::of(file.headers().map_err(unreadable)?.iter()).map_err(|fault| wrong(1, fault))?;
    let mut all: Vec<Series> = Vec::new();
    for row in file.records() {
        let row = row.map_err(unreadable)?;
        let line = row.position().map_or(0, csv::Position::line);
        let number = |column: usize, what: &str| {
            let text = row.get(column).unwrap_or_default();
            let value = text.parse::<f64>().ok().filter(|x| x.is_finite() && *x > 0.0);
            let fault = || format!("`{text}` is no positive {what}; correct it, or put # before the line");
            value.ok_or_else(|| wrong(line, fault()))
        };
        let x = number(columns.temperature, "temperature")?;
        let point = (if columns.inverse { x } else { 1000.0 / x }, number(columns.delay, "delay")? * columns.unit);
        let name = columns.set.and_then(|c| row.get(c)).filter(|n| !n.is_empty()).unwrap_or("measured");
        match all.iter_mut().find(|s| s.name == name) {
            Some(s) => s.points.push(point),
            None => all.push(Series { name: name.to_owned(), points: vec![point] }),
        }
    }
    Ok(all)
}

/// Which columns hold what.
#[derive(Debug, PartialEq)]
struct Columns {
    temperature: usize,
    /// The column holds 1000 K/T.
    inverse: bool,
    delay: usize,
    /// Seconds in the unit of the delays.
    unit: f64,
    set: Option<usize>,
}

/// What the first line may say.
const NAMES: &str = "the first line must name a column T (K) or 1000/T and a column tau (s), tau (ms) or tau (us); a \
                     column set is optional";

impl Columns {
    fn of<'a>(names: impl Iterator<Item = &'a str>) -> Result<Self, String> {
        let (mut temperature, mut delay, mut set) = (None, None, None);
        for (i, name) in names.enumerate() {
            let plain: String = name.to_lowercase().replace('µ', "u").replace(['(', ')', '_', ' '], "");
            match plain.as_str() {
                "t" | "tk" | "temperature" | "temperaturek" => temperature = Some((i, false)),
                "1000/t" | "1000k/t" | "1000/t1/k" => temperature = Some((i, true)),
                "tau" | "delay" | "taus" | "delays" => delay = Some((i, 1.0)),
                "taums" | "delayms" => delay = Some((i, 1e-3)),
                "tauus" | "delayus" => delay = Some((i, 1e-6)),
                "set" | "label" | "source" => set = Some(i),
                _ => {}
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
        assert_eq!(of("T,tau"), Ok(want));
        let want = Columns { temperature: 2, inverse: true, delay: 1, unit: 1e-6, set: Some(0) };
        assert_eq!(of("set,tau (µs),1000/T"), Ok(want));
        assert!(of("T,P").is_err());
    }
}
