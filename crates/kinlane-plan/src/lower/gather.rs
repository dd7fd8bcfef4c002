//! Builds [`Gather`] programs.

use crate::plan::Gather;
use crate::tables::Tables;
use std::collections::BTreeMap;

/// Collects what flows into each destination.
#[derive(Default)]
pub struct Builder(BTreeMap<usize, BTreeMap<usize, f64>>);

impl Builder {
    /// Makes sure a destination is written even if nothing flows into it.
    pub fn touch(&mut self, dst: usize) {
        self.0.entry(dst).or_default();
    }

    /// `dst += coef · src`.
    pub fn add(&mut self, dst: usize, src: usize, coef: f64) {
        if coef != 0.0 {
            *self.0.entry(dst).or_default().entry(src).or_default() += coef;
        }
    }

    /// Small integer coefficients become repeated additions; entries with equal numbers of terms stand together, so
    /// that loop ends are predicted, and among them those that read near each other.
    pub fn build(&self, tables: &mut Tables) -> Gather {
        self.lists(tables, None)
    }

    /// As [`Builder::build`], for long lists: in pairs, filled up with the source `zero`.
    pub fn build_paired(&self, tables: &mut Tables, zero: usize) -> Gather {
        self.lists(tables, Some(zero))
    }

    fn lists(&self, tables: &mut Tables, zero: Option<usize>) -> Gather {
        let mut entries: Vec<(usize, Vec<usize>, Vec<usize>)> = Vec::new();
        let mut extras = Vec::new();
        for (&dst, terms) in &self.0 {
            let (mut plus, mut minus) = (Vec::new(), Vec::new());
            for (&src, &c) in terms {
                if c == 1.0 || c == 2.0 {
                    plus.extend(std::iter::repeat_n(src, c as usize));
                } else if c == -1.0 || c == -2.0 {
                    minus.extend(std::iter::repeat_n(src, -c as usize));
                } else if c != 0.0 {
                    extras.push((dst, src, c));
                }
            }
            if let Some(zero) = zero {
                plus.resize(plus.len().next_multiple_of(2), zero);
                minus.resize(minus.len().next_multiple_of(2), zero);
            }
            entries.push((dst, plus, minus));
        }
        entries.sort_by_key(|e| (e.1.len(), e.2.len(), e.1.first().or(e.2.first()).copied()));
        let (mut ptr, mut src) = (Vec::new(), Vec::new());
        let unit = if zero.is_some() { 2 } else { 1 };
        for (_, plus, minus) in &entries {
            let (start, middle) = (src.len(), src.len() + plus.len());
            ptr.extend([start, middle, middle + minus.len()].map(|at| at / unit));
            src.extend_from_slice(plus);
            src.extend_from_slice(minus);
        }
        Gather {
            count: entries.len(),
            dst: tables.indices(entries.iter().map(|e| e.0)),
            ptr: tables.indices(ptr),
            src: tables.indices(src),
            paired: zero.is_some(),
            extras: extras.len(),
            extra: tables.indices(extras.iter().flat_map(|e| [e.0, e.1])),
            coef: tables.reals(extras.iter().map(|e| e.2)),
        }
    }

    /// Only the terms, each as `dst += coef · src` onto what is there already.
    pub fn spread(&self, tables: &mut Tables) -> Gather {
        let all: Vec<_> =
            self.0.iter().flat_map(|(&d, t)| t.iter().map(move |(&s, &c)| (d, s, c))).filter(|e| e.2 != 0.0).collect();
        Gather {
            extras: all.len(),
            extra: tables.indices(all.iter().flat_map(|e| [e.0, e.1])),
            coef: tables.reals(all.iter().map(|e| e.2)),
            ..Gather::default()
        }
    }
}
