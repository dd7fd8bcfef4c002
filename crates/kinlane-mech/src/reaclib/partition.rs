//! Tables of partition functions: comments, a line of temperatures \[K\], then for each nuclide its name and a line of
//! values. Values are relative to the ground state.

use super::codes;
use super::nuclide::{canonical, numbers};
use crate::diagnostic::Line;
use crate::scheme::Partition;
use crate::{Diagnostic, codes as common};
use std::collections::HashMap;

/// \[K\] in a GK.
const GIGA: f64 = 1e9;

/// Below this \[K\] no nucleus is excited, and no rate is fitted: a table that ends there is in another unit.
const COLDEST: f64 = 1e7;

/// Tables by nuclide.
pub(super) type Tables = HashMap<String, Partition>;

impl Line<'_> {
    /// The numbers of the line, all above zero.
    fn positive(self, what: &str) -> Result<Vec<f64>, Diagnostic> {
        let number = |word: &str| {
            let number = word.parse().ok().filter(|x: &f64| x.is_finite() && *x > 0.0);
            number.ok_or_else(|| {
                self.fault(codes::PARTITION, format!("`{word}` is no {what}: these are numbers above zero"))
            })
        };
        self.text.split_whitespace().map(number).collect()
    }
}

/// Adds the tables of a file. Of tables that overlap in temperature the first is kept, and others add what is above it or
/// below.
pub(super) fn read(text: &str, file: u32, tables: &mut Tables, problems: &mut Vec<Diagnostic>) {
    let mut lines = Line::telling(text, file);
    let Some(first) = lines.next() else {
        let message = "a table of partition functions without a line of temperatures [K]";
        return problems.push(Diagnostic::error(codes::PARTITION, message));
    };
    let grid = first.positive("temperature [K]").and_then(|t| {
        let ascending = t.is_sorted_by(|a, b| a < b);
        match t.last() {
            _ if !ascending => Err(first.fault(codes::PARTITION, "temperatures [K] do not ascend")),
            Some(last) if *last < COLDEST => {
                let message = format!("temperatures [K] of partition functions end at {last} K");
                Err(first.fault(codes::PARTITION, message).help("these may be in GK: write 1e9 for 1"))
            }
            _ => Ok(t),
        }
    });
    let t9: Vec<f64> = match grid {
        Ok(t) => t.into_iter().map(|t| t / GIGA).collect(),
        Err(diagnostic) => return problems.push(diagnostic),
    };
    let mut own = Tables::new();
    while let Some(head) = lines.next() {
        let name = canonical(head.text);
        if numbers(&name).is_none() {
            let message = format!("`{}` is no nuclide: a name and a line of values are expected", head.text.trim());
            problems.push(head.fault(codes::PARTITION, message));
            continue;
        }
        let Some(line) = lines.next() else {
            problems.push(head.fault(codes::PARTITION, format!("the partition function of `{name}` is missing")));
            break;
        };
        let values = line.positive("value of a partition function").and_then(|g| {
            let fits = g.len() == t9.len();
            let message = || format!("here are {} values for {} temperatures", g.len(), t9.len());
            if fits { Ok(g) } else { Err(line.fault(codes::PARTITION, message())) }
        });
        match values {
            Ok(g) => {
                let ln_g = g.into_iter().map(f64::ln).collect();
                if own.insert(name.clone(), Partition { t9: t9.clone(), ln_g }).is_some() {
                    let message = format!("`{name}` has two partition functions in this file");
                    problems.push(head.fault(common::REPEATED, message));
                }
            }
            Err(diagnostic) => problems.push(diagnostic),
        }
    }
    for (name, table) in own {
        match tables.get_mut(&name) {
            Some(known) => extend(known, table),
            None => _ = tables.insert(name, table),
        }
    }
}

/// Adds points below and above those that are known.
fn extend(known: &mut Partition, more: Partition) {
    let (Some(&low), Some(&high)) = (known.t9.first(), known.t9.last()) else { return };
    let points = || more.t9.iter().copied().zip(more.ln_g.iter().copied());
    let below = points().filter(|(t, _)| *t < low);
    let inside = known.t9.iter().copied().zip(known.ln_g.iter().copied());
    let (t9, ln_g) = below.chain(inside).chain(points().filter(|(t, _)| *t > high)).unzip();
    *known = Partition { t9, ln_g };
}
