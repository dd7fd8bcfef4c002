//! Builds [`Gather`] and [`Products`] programs.

use crate::plan::{Gather, Lists, ProductLists, Products, SHORT, Scaled};
use crate::tables::Tables;
use std::collections::BTreeMap;

/// Lists of more terms than this are summed two terms at a time.
const LONG: usize = 8;
/// Integer coefficients up to this become repeated additions.
const REPEATED: f64 = 4.0;

/// Whether a coefficient becomes repeated additions.
fn is_repeated(c: f64) -> bool {
    c.fract() == 0.0 && c.abs() <= REPEATED
}

/// Collects, for each destination, the terms from sources `S` that are summed into it.
pub struct Builder<S>(BTreeMap<usize, BTreeMap<S, f64>>);

impl<S> Default for Builder<S> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

/// An entry: its destination, the sources that are added, and those that are subtracted.
type Entry = (usize, Vec<usize>, Vec<usize>);

/// A destination and its (rate, activity) terms.
type ProductEntry = (usize, Vec<(usize, usize)>);

impl<S: Copy + Ord> Builder<S> {
    /// Makes sure that a destination is written even if it has no terms.
    pub fn touch(&mut self, dst: usize) {
        self.0.entry(dst).or_default();
    }

    /// Whether all coefficients are whole numbers that become repeated additions.
    pub fn is_whole(&self) -> bool {
        self.0.values().flat_map(BTreeMap::values).all(|c| is_repeated(*c))
    }

    /// `dst += coef · src`.
    pub fn add(&mut self, dst: usize, src: S, coef: f64) {
        if coef != 0.0 {
            *self.0.entry(dst).or_default().entry(src).or_default() += coef;
        }
    }
}

impl Builder<usize> {
    /// The program for these sums. Small integer coefficients become repeated additions. Entries with equal
    /// numbers of terms are grouped, so that ends of loops are predicted, and within a group those that read
    /// nearby elements. Long lists are padded with the source `zero`; without it there are no long lists.
    pub fn build(&self, tables: &mut Tables, zero: Option<usize>) -> Gather {
        let (mut short, mut long): (Vec<Entry>, Vec<Entry>) = (Vec::new(), Vec::new());
        let mut scaled = Vec::new();
        for (&dst, terms) in &self.0 {
            let (mut plus, mut minus, mut others) = (Vec::new(), Vec::new(), Vec::new());
            for (&src, &c) in terms {
                if is_repeated(c) {
                    let side = if c > 0.0 { &mut plus } else { &mut minus };
                    side.extend(std::iter::repeat_n(src, c.abs() as usize));
                } else {
                    others.push((src, c));
                }
            }
            scaled.push((dst, others));
            match zero {
                Some(zero) if plus.len() + minus.len() > LONG => {
                    plus.resize(plus.len().next_multiple_of(2), zero);
                    minus.resize(minus.len().next_multiple_of(2), zero);
                    long.push((dst, plus, minus));
                }
                _ => short.push((dst, plus, minus)),
            }
        }
        Gather {
            short: lists(tables, short, 1),
            long: lists(tables, long, 2),
            scaled: with_coefficients(tables, scaled),
        }
    }

    /// A program for the terms alone, each added to the destination: `dst += coef · src`.
    pub fn spread(&self, tables: &mut Tables) -> Gather {
        let terms = |t: &BTreeMap<usize, f64>| t.iter().map(|(&src, &c)| (src, c)).filter(|e| e.1 != 0.0).collect();
        let all = self.0.iter().map(|(&dst, t)| (dst, terms(t))).collect();
        Gather { scaled: with_coefficients(tables, all), ..Gather::default() }
    }
}

impl Builder<(usize, usize)> {
    /// A program for sums of products of a rate and one of `activities` activities, scaled according to the
    /// column of the destination. Coefficients must be small integers. Lists are padded with the rate `zero`.
    pub fn build_products(&self, tables: &mut Tables, zero: usize, activities: usize, column: &[usize]) -> Products {
        let mut by_length: Vec<Vec<ProductEntry>> = vec![Vec::new(); SHORT + 2];
        for (&dst, terms) in &self.0 {
            let mut list = Vec::new();
            for (&(rate, activity), &c) in terms {
                let signed = if c < 0.0 { activity + activities } else { activity };
                list.extend(std::iter::repeat_n((rate, signed), c.abs() as usize));
            }
            by_length[list.len().min(SHORT + 1)].push((dst, list));
        }
        let mut long = by_length.pop().unwrap_or_default();
        let mut ptr = vec![0];
        long.sort_by_key(|e| e.1.len());
        for (_, list) in &mut long {
            list.resize(list.len().next_multiple_of(2), (zero, 0));
            ptr.push(ptr[ptr.len() - 1] + list.len() / 2);
        }
        let mut lists = |entries: &[ProductEntry]| ProductLists {
            count: entries.len(),
            dst: tables.indices(entries.iter().flat_map(|e| [e.0, column[e.0]])),
            src: tables.indices(entries.iter().flat_map(|e| e.1.iter().flat_map(|&(rate, activity)| [rate, activity]))),
        };
        let short = by_length.iter().map(|entries| lists(entries)).collect();
        Products { short, long: lists(&long), ptr: tables.indices(ptr) }
    }
}

/// Stores destinations with their sources and coefficients, without those that have none.
fn with_coefficients(tables: &mut Tables, mut entries: Vec<(usize, Vec<(usize, f64)>)>) -> Scaled {
    entries.retain(|e| !e.1.is_empty());
    let mut end = 0;
    let ends = entries.iter().map(|e| {
        end += e.1.len();
        end
    });
    let ptr: Vec<usize> = std::iter::once(0).chain(ends).collect();
    let terms = || entries.iter().flat_map(|e| e.1.iter());
    Scaled {
        count: entries.len(),
        dst: tables.indices(entries.iter().map(|e| e.0)),
        ptr: tables.indices(ptr),
        src: tables.indices(terms().map(|t| t.0)),
        coef: tables.reals(terms().map(|t| t.1)),
    }
}

/// Sorts entries by length and stores them; `unit` terms count as one.
fn lists(tables: &mut Tables, mut entries: Vec<Entry>, unit: usize) -> Lists {
    entries.sort_by_key(|e| (e.1.len(), e.2.len(), e.1.first().or(e.2.first()).copied()));
    let (mut ptr, mut src) = (Vec::new(), Vec::new());
    for (_, plus, minus) in &entries {
        let (start, middle) = (src.len(), src.len() + plus.len());
        ptr.extend([start, middle, middle + minus.len()].map(|at| at / unit));
        src.extend_from_slice(plus);
        src.extend_from_slice(minus);
    }
    Lists {
        count: entries.len(),
        dst: tables.indices(entries.iter().map(|e| e.0)),
        ptr: tables.indices(ptr),
        src: tables.indices(src),
    }
}
