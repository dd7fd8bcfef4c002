//! Reactions at one instant: rates of progress, contributions to species, paths of an element.

use super::{IgniteArgs, IgniteFault, Request, options};
use crate::error::Error;
use crate::files::output::csv_field;
use crate::mixture::{self, MixtureFault};
use crate::picture::flow::Flow;
use kinlane::{ElementFlux, Inspection, Mechanism, element_fluxes, inspect, units};
use std::fmt::Write;
use std::str::FromStr;

/// An instant as requested.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Instant {
    /// A time [s].
    At(f64),
    /// A fraction of the delay.
    Delay(f64),
}

impl FromStr for Instant {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |x: &str| x.trim().parse::<f64>().ok().filter(|x| x.is_finite() && *x >= 0.0);
        let found = match text.trim().strip_suffix("delay") {
            Some("") => Some(Self::Delay(1.0)),
            Some(part) => number(part.trim_end_matches('*')).map(Self::Delay),
            None => {
                let (value, unit) = units::before_unit(text.trim(), units::TIMES).unwrap_or((text, 1.0));
                number(value).map(|value| Self::At(units::in_si(value, unit)))
            }
        };
        found.ok_or_else(|| {
            format!("`{text}` is no instant; write seconds as 1e-4 or 100us, delay, or a part of it as 0.5delay")
        })
    }
}

/// Number of lines on a terminal.
const LINES: usize = 20;

/// The state at an instant, with its rates.
pub struct Look<'a> {
    mechanism: &'a Mechanism,
    /// The time \[s\].
    pub time: f64,
    /// Its temperature [K].
    pub temperature: f64,
    inspection: Inspection,
}

impl<'a> Look<'a> {
    /// Advances the only cell to the instant. `delay`: the time of the first event, or why there is none.
    pub fn new(args: &IgniteArgs, r: &'a Request, delay: Result<f64, IgniteFault>) -> Result<Self, Error> {
        let Request { mechanism, imposed, points, .. } = r;
        let time = match args.at {
            Instant::At(t) => t,
            Instant::Delay(part) => part * delay?,
        };
        let mut states = mixture::states(points, mechanism)?;
        if time > 0.0 {
            let mut solver = imposed.solver(mechanism, &options(args, imposed), &args.run, 1)?;
            imposed.advance(&mut solver, &mut states, time, &[], &[])?;
            if let Some((_, o)) = states.failures().next() {
                return Err(IgniteFault::NotThere { time, reached: o.t, why: o.status }.into());
            }
        }
        let inspection = inspect(mechanism, &states).map_err(MixtureFault::Batch)?;
        let temperature = states.temperature().first().copied().unwrap_or(f64::NAN);
        Ok(Self { mechanism, time, temperature, inspection })
    }

    fn equation(&self, reaction: usize) -> &str {
        self.mechanism.network().reactions.get(reaction).map_or("", |r| &r.equation)
    }

    fn species(&self, k: usize) -> &str {
        self.mechanism.species_names().get(k).map_or("", |n| n)
    }

    /// Rates of progress, one line per reaction.
    pub fn rates_csv(&self) -> String {
        let mut text = String::from("reaction,equation,forward_mol_m3_s,reverse_mol_m3_s,net_mol_m3_s\n");
        for r in &self.inspection.reactions {
            let (number, equation) = (r.reaction + 1, csv_field(self.equation(r.reaction)));
            let _ = writeln!(text, "{number},{equation},{:e},{:e},{:e}", r.forward, r.reverse, r.forward - r.reverse);
        }
        text
    }

    /// Contributions of every reaction to every species: its net rate for the species, and that relative to
    /// the total production or the total consumption. They add up to the net rate of the species.
    pub fn shares_csv(&self) -> String {
        let network = self.mechanism.network();
        let mut text =
            String::from("species,reaction,equation,rate_mol_m3_s,share_of_production,share_of_consumption\n");
        let mut by_species: Vec<Vec<(usize, f64)>> = vec![Vec::new(); self.mechanism.species_count()];
        for (r, rate) in network.reactions.iter().zip(&self.inspection.reactions) {
            let net = rate.forward - rate.reverse;
            for (side, sign) in [(&r.reactants, -1.0), (&r.products, 1.0)] {
                for &(k, nu) in side {
                    let Some(list) = by_species.get_mut(k) else { continue };
                    match list.last_mut() {
                        Some(last) if last.0 == rate.reaction => last.1 += sign * nu * net,
                        _ => list.push((rate.reaction, sign * nu * net)),
                    }
                }
            }
        }
        for (k, list) in by_species.iter_mut().enumerate() {
            let all = |sign: f64| list.iter().map(|x| (sign * x.1).max(0.0)).sum::<f64>();
            let (made, used) = (all(1.0), all(-1.0));
            list.retain(|x| x.1 != 0.0);
            list.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
            for &(reaction, rate) in list.iter() {
                let shares =
                    [rate.max(0.0) / made, (-rate).max(0.0) / used].map(|x| if x.is_finite() { x } else { 0.0 });
                let _ = writeln!(
                    text,
                    "{},{},{},{rate:e},{:.6},{:.6}",
                    csv_field(self.species(k)),
                    reaction + 1,
                    csv_field(self.equation(reaction)),
                    shares[0],
                    shares[1]
                );
            }
        }
        text
    }

    /// Fluxes of an element, down to a given fraction of the largest.
    pub fn fluxes(&self, element: &str, share: f64) -> Result<Vec<ElementFlux>, Error> {
        let unknown = || IgniteFault::Element {
            name: element.to_owned(),
            known: self.mechanism.elements().collect::<Vec<_>>().join(", "),
        };
        let mut fluxes = element_fluxes(self.mechanism, &self.inspection, element).ok_or_else(unknown)?;
        let least = fluxes.first().map_or(0.0, |f| f.rate * share);
        fluxes.retain(|f| f.rate >= least);
        Ok(fluxes)
    }

    /// The table of fluxes for a terminal.
    pub fn table(&self, element: &str, fluxes: &[ElementFlux]) -> String {
        let mut text = format!("Net fluxes of {element} at {:.6e} s, {:.1} K (mol/m3/s):", self.time, self.temperature);
        for f in fluxes.iter().take(LINES) {
            let _ = write!(text, "\n  {:>12.4e}  {} -> {}", f.rate, self.species(f.from), self.species(f.to));
        }
        if fluxes.is_empty() {
            text.push_str("\n  none");
        }
        if fluxes.len() > LINES {
            let _ = write!(text, "\n  ... and {} more", fluxes.len() - LINES);
        }
        text
    }

    /// The picture of the fluxes.
    pub fn flow(&self, element: &str, share: f64, fluxes: &[ElementFlux], [gas, by]: [&str; 2]) -> Flow {
        let mut species: Vec<usize> = fluxes.iter().flat_map(|f| [f.from, f.to]).collect();
        species.sort_unstable();
        species.dedup();
        let node = |k: usize| species.binary_search(&k).unwrap_or_default();
        let largest = fluxes.first().map_or(0.0, |f| f.rate);
        Flow {
            title: format!("Paths of {element} at {:.4e} s and {:.0} K: {gas}", self.time, self.temperature),
            note: format!(
                "Net flux as a part of the largest, {largest:.3e} mol/m³/s; below {} % left out; {by}",
                share * 100.0
            ),
            nodes: species.iter().map(|&k| self.species(k).to_owned()).collect(),
            arrows: fluxes.iter().map(|f| (node(f.from), node(f.to), f.rate / largest)).collect(),
        }
    }
}
