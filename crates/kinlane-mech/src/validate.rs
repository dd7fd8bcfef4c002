//! Checks on a finished [`Network`] that hold for every format, with Cantera's rules.
//!
//! Readers call [`check`] once at the end and add the findings to their own.

use crate::duplicates::duplicates;
use crate::network::{
    Arrhenius, Blend, Chebyshev, Falloff, Network, PressureLaw, RateLaw, Reaction, Reverse, Species, Thermo, ThermoForm,
};
use crate::{Diagnostic, codes};
use std::cell::Cell;

/// What a format or a file allows beyond the defaults.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    /// Reactions that may have a negative pre-exponential factor, by index (`negative-A`, ...).
    pub negative_a: Vec<usize>,
    /// What to do if a species is both part of M and the explicit collider of a twin reaction.
    pub explicit_colliders: ExplicitColliders,
    /// How much of the file is in the network.
    pub complete: Complete,
}

/// How much of a file could be read: missing parts must not cause findings of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Complete {
    /// Everything.
    #[default]
    All,
    /// All species, but not all reactions: a duplicate may have lost its partner.
    Species,
    /// Not even all species: the indices in the reactions are invalid.
    Neither,
}

/// How to treat twins such as `H + O2 + M` and `H + O2 + AR` if AR also counts in M.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ExplicitColliders {
    /// Both act, with a warning.
    #[default]
    Warn,
    /// Both act, as if they were marked as duplicates of each other.
    Mark,
    /// The file is refused.
    Refuse,
}

/// Relative imbalance that Cantera tolerates: |left − right| / (left + right) of every element.
const BALANCE: f64 = 1e-4;

/// Runs all checks.
pub fn check(network: &Network, rules: &Rules) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let species_known = rules.complete != Complete::Neither;
    if network.species.is_empty() && species_known {
        found.push(Diagnostic::error(codes::NO_SPECIES, format!("`{}` has no species", network.name)));
    }
    for species in &network.species {
        thermo(&species.name, &species.thermo, &mut found);
    }
    let mut may_be_negative = vec![false; network.reactions.len()];
    for &i in &rules.negative_a {
        if let Some(flag) = may_be_negative.get_mut(i) {
            *flag = true;
        }
    }
    for (reaction, may) in network.reactions.iter().zip(may_be_negative) {
        if species_known {
            balance(network, reaction, &mut found);
            efficiencies(network, reaction, &mut found);
        }
        law(reaction, &reaction.rate, may, &mut found);
        if let Reverse::Explicit { rate, .. } = &reaction.reverse {
            law(reaction, rate, may, &mut found);
        }
    }
    if species_known {
        duplicates(network, rules, &mut found);
    }
    found
}

/// The name closest to `name`, if it is close enough to be a misspelling.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Zero and the letter O count as the same: `H02` is HO2.
    let plain = |name: &str| name.to_lowercase().replace('0', "o");
    let (own, limit) = (plain(name), (name.chars().count() / 3).max(1));
    candidates
        .into_iter()
        .filter(|c| c.len().abs_diff(name.len()) <= limit + 2)
        // A difference in case weighs least: `ar` for `AR` is the most likely mistake. A wrong character
        // weighs less than one too many or too few.
        .map(|c| {
            let length = 2 * usize::from(c.len() != name.len());
            (4 * strsim::osa_distance(&own, &plain(c)) + length + usize::from(!c.eq_ignore_ascii_case(name)), c)
        })
        .filter(|&(distance, _)| distance / 4 <= limit)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, c)| c)
}

/// Looks for what unknown names of a file mean, for the first of them: each is compared with all known names, and where there are
/// thousands nobody reads on.
#[derive(Debug)]
pub struct Suggestions(Cell<usize>);

impl Default for Suggestions {
    fn default() -> Self {
        Self(Cell::new(200))
    }
}

impl Suggestions {
    /// As [`nearest`], for the first names.
    pub fn nearest<'a>(&self, name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
        self.0.set(self.0.get().checked_sub(1)?);
        nearest(name, candidates)
    }
}

fn balance(network: &Network, r: &Reaction, found: &mut Vec<Diagnostic>) {
    let mut sides = vec![[0.0, 0.0]; network.elements.len()];
    for (side, list) in [&r.reactants, &r.products].into_iter().enumerate() {
        for &(k, nu) in list {
            for &(e, atoms) in network.species.get(k).map_or(&[][..], |s| &s.composition) {
                if let Some(sum) = sides.get_mut(e) {
                    sum[side] += nu * atoms;
                }
            }
        }
    }
    let wrong: Vec<(usize, [f64; 2])> = sides
        .into_iter()
        .enumerate()
        .filter(|(_, [left, right])| {
            let sum = left + right;
            // The charge may be negative or zero on both sides, where a relative measure is meaningless.
            let scale = if sum > 0.0 { sum } else { left.abs().max(right.abs()) };
            // Coefficients may be too large, so that sums are not finite.
            scale > 0.0 && !((left - right).abs() <= BALANCE * scale && scale.is_finite())
        })
        .collect();
    if wrong.is_empty() {
        return;
    }
    // The coefficients in the network lack one molecule of the collider, unlike the equation that the user
    // sees.
    let collider =
        r.body().filter(|body| body.explicit).and_then(|body| network.species.get(body.efficiencies.first()?.0));
    let counts = |s: &&Species| wrong.iter().any(|(e, _)| s.composition.iter().any(|c| c.0 == *e));
    let lists: Vec<String> = wrong
        .iter()
        .map(|&(e, [left, right])| format!("{} {left} on the left, {right} on the right", network.elements[e].symbol))
        .chain(collider.filter(counts).map(|s| format!("not counting one `{}` on each side, the collider", s.name)))
        .collect();
    found.push(
        Diagnostic::error(codes::UNBALANCED, format!("reaction `{}` is not balanced", r.equation))
            .at(r.at, lists.join("; "))
            .help("correct the equation, or the composition of one of its species"),
    );
}

fn finite<'a>(values: impl IntoIterator<Item = &'a f64>) -> bool {
    values.into_iter().all(|v| v.is_finite())
}

/// Reports collider efficiencies that would slow a reaction down, or worse.
fn efficiencies(network: &Network, r: &Reaction, found: &mut Vec<Diagnostic>) {
    let Some(body) = r.body() else { return };
    let of = |k: usize| network.species.get(k).map_or("?", |s| s.name.as_str());
    let named = body.efficiencies.iter().map(|&(k, e)| (format!("the efficiency of `{}`", of(k)), e));
    for (what, e) in named.chain([("the default efficiency".to_owned(), body.default)]) {
        if !e.is_finite() {
            found.push(
                Diagnostic::error(codes::NOT_FINITE, format!("{what} in `{}` is {e}", r.equation))
                    .at(r.at, "in this reaction")
                    .help("give a finite number"),
            );
        } else if e < 0.0 {
            found.push(
                Diagnostic::warning(codes::NEGATIVE_EFFICIENCY, format!("{what} in `{}` is negative: {e}", r.equation))
                    .at(r.at, "with much of it the rate turns around")
                    .help("a collider without effect has the efficiency 0"),
            );
        }
    }
}

/// The numbers of a rate constant with their names; `of` is what it belongs to.
fn named(k: &Arrhenius, of: &str) -> [(String, f64); 3] {
    [("A", k.a), ("b", k.b), ("Ea", k.e)].map(|(name, value)| (format!("`{name}`{of}"), value))
}

/// The same for numbers with plain names.
fn plain<const N: usize>(numbers: [(&str, f64); N]) -> [(String, f64); N] {
    numbers.map(|(name, value)| (format!("`{name}`"), value))
}

fn thermo(name: &str, t: &Thermo, found: &mut Vec<Diagnostic>) {
    let (ok, limits): (bool, Vec<[f64; 2]>) = match &t.form {
        ThermoForm::Nasa7(r) | ThermoForm::Shomate(r) => {
            (r.iter().all(|r| finite(&r.a)), r.iter().map(|r| [r.low, r.high]).collect())
        }
        ThermoForm::Nasa9(r) => (r.iter().all(|r| finite(&r.a)), r.iter().map(|r| [r.low, r.high]).collect()),
        ThermoForm::ConstantCp { t0, h0, s0, cp0, range } => (finite([t0, h0, s0, cp0]), vec![*range]),
    };
    if !ok || !t.reference_pressure.is_finite() || limits.iter().any(|l| l[0].is_nan() || l[1].is_nan()) {
        found.push(
            Diagnostic::error(codes::NOT_FINITE, format!("thermo of `{name}` holds a number that is not finite"))
                .at(t.at, ""),
        );
    }
    let ascending = limits.iter().all(|l| l[0] < l[1]) && limits.windows(2).all(|w| w[0][1] <= w[1][0]);
    if !ascending || limits.is_empty() {
        let shown: Vec<String> = limits.iter().map(|l| format!("{} to {} K", l[0], l[1])).collect();
        found.push(
            Diagnostic::error(codes::RANGES, format!("temperature ranges of `{name}` are not ascending"))
                .at(t.at, format!("ranges: {}", shown.join(", "))),
        );
    }
}

fn law(r: &Reaction, rate: &RateLaw, may_be_negative: bool, found: &mut Vec<Diagnostic>) {
    match rate {
        RateLaw::Arrhenius(k) => arrhenius(r, k, may_be_negative, found),
        RateLaw::Falloff(f) => falloff(r, f, may_be_negative, found),
        RateLaw::Plog(levels) => plog(r, levels, found),
        RateLaw::Chebyshev(c) => chebyshev(r, c, found),
        RateLaw::LinearBurke(colliders) => {
            for c in colliders {
                arrhenius(r, &c.efficiency, may_be_negative, found);
                match &c.law {
                    Some(PressureLaw::Falloff(f)) => falloff(r, f, may_be_negative, found),
                    Some(PressureLaw::Plog(levels)) => plog(r, levels, found),
                    Some(PressureLaw::Chebyshev(c)) => chebyshev(r, c, found),
                    None => {}
                }
            }
        }
        RateLaw::BlowersMasel { arrhenius: k, w } => {
            arrhenius(r, k, may_be_negative, found);
            finite_or_refuse(r, plain([("w", *w)]), found);
        }
        RateLaw::TwoTemperature { arrhenius: k, e_electron } => {
            arrhenius(r, k, may_be_negative, found);
            finite_or_refuse(r, plain([("Ea-electron", *e_electron)]), found);
        }
        RateLaw::LandauTeller { arrhenius: k, b, c } => {
            arrhenius(r, k, may_be_negative, found);
            finite_or_refuse(r, plain([("B", *b), ("C", *c)]), found);
        }
    }
}

/// Reports the first of these numbers that is not finite, each in SI and with its name.
fn finite_or_refuse(r: &Reaction, numbers: impl IntoIterator<Item = (String, f64)>, found: &mut Vec<Diagnostic>) {
    if let Some((name, value)) = numbers.into_iter().find(|(_, value)| !value.is_finite()) {
        found.push(
            Diagnostic::error(codes::NOT_FINITE, format!("{name} of `{}` is {value}", r.equation))
                .at(r.at, "in this reaction")
                .help("give a finite number, not too large in m, mol, s, K and Pa either"),
        );
    }
}

fn arrhenius(r: &Reaction, k: &Arrhenius, may_be_negative: bool, found: &mut Vec<Diagnostic>) {
    finite_or_refuse(r, named(k, ""), found);
    if k.a < 0.0 && !may_be_negative {
        found.push(
            Diagnostic::error(codes::NEGATIVE_A, format!("negative pre-exponential factor of `{}`", r.equation))
                .at(r.at, "its rate would be negative")
                .help("correct the sign; a negative term among duplicates is allowed where it is declared (`negative-A: true` in YAML)"),
        );
    }
}

fn falloff(r: &Reaction, f: &Falloff, may_be_negative: bool, found: &mut Vec<Diagnostic>) {
    let blend = match f.blend {
        Blend::Lindemann => Vec::new(),
        Blend::Troe { a, t3, t1, t2 } => vec![("A", a), ("T3", t3), ("T1", t1), ("T2", t2.unwrap_or(0.0))],
        Blend::Sri { a, b, c, d, e } => vec![("A", a), ("B", b), ("C", c), ("D", d), ("E", e)],
        Blend::Tsang { a, b } => vec![("A", a), ("B", b)],
    };
    let blend = blend.into_iter().map(|(name, value)| (format!("`{name}` in the broadening"), value));
    let limits =
        named(&f.low, " in the low-pressure limit").into_iter().chain(named(&f.high, " in the high-pressure limit"));
    finite_or_refuse(r, limits.chain(blend), found);
    if let Blend::Sri { c, d, .. } = f.blend
        && (c < 0.0 || d < 0.0)
    {
        found.push(
            Diagnostic::error(codes::PARAMETERS, format!("the SRI form of `{}` has a negative parameter", r.equation))
                .at(r.at, "`C` and `D` cannot be negative"),
        );
    }
    if f.low.a * f.high.a < 0.0 {
        found.push(
            Diagnostic::error(
                codes::LIMIT_SIGNS,
                format!("low and high pressure limits of `{}` differ in sign", r.equation),
            )
            .at(r.at, "here")
            .help("both pre-exponential factors have to be positive, or both negative where that is allowed"),
        );
    } else if (f.low.a < 0.0 || f.high.a < 0.0) && !may_be_negative {
        arrhenius(r, if f.low.a < 0.0 { &f.low } else { &f.high }, false, found);
    }
}

fn plog(r: &Reaction, levels: &[(f64, Vec<Arrhenius>)], found: &mut Vec<Diagnostic>) {
    let numbers = levels.iter().flat_map(|(p, terms)| {
        let terms = terms.iter().flat_map(move |k| named(k, &format!(" at {p} Pa")));
        terms.chain([("a pressure".to_owned(), *p)])
    });
    finite_or_refuse(r, numbers, found);
    let wrong = if levels.is_empty() {
        Some("there are no pressures in")
    } else if levels.iter().any(|l| l.0 <= 0.0) {
        Some("a pressure is not positive in")
    } else if levels.windows(2).any(|w| w[0].0 >= w[1].0) {
        // The readers sort them.
        Some("pressures do not ascend in")
    } else {
        None
    };
    if let Some(wrong) = wrong {
        found.push(
            Diagnostic::error(codes::RANGES, format!("{wrong} the rate of `{}`", r.equation))
                .at(r.at, "in this reaction"),
        );
    }
    // Single terms may be negative, but not their sum, whose logarithm is interpolated.
    let negative = |terms: &[Arrhenius]| {
        [300.0, 500.0, 1000.0, 2000.0, 5000.0, 10000.0].into_iter().find(|&t: &f64| {
            let k: f64 = terms.iter().map(|k| k.a * (k.b * t.ln() - k.e / t).exp()).sum();
            k.is_nan() || k <= 0.0
        })
    };
    let bad: Vec<(f64, f64)> = levels.iter().filter_map(|(p, terms)| Some((*p, negative(terms)?))).collect();
    if let [(p, t), others @ ..] = &bad[..] {
        let more = if others.is_empty() { String::new() } else { format!(", and at {} other pressures", others.len()) };
        found.push(
            Diagnostic::error(
                codes::NEGATIVE_PLOG,
                format!("the rate constant of `{}` is not positive at {p} Pa, {t} K{more}", r.equation),
            )
            .at(r.at, "in this reaction")
            .help(
                "the terms given for one pressure add up, and their sum has to be positive from 300 K to 10000 K; if another reaction of \
                 the same equation holds the positive part, put the terms of both into one reaction",
            ),
        );
    }
}

fn chebyshev(r: &Reaction, c: &Chebyshev, found: &mut Vec<Diagnostic>) {
    let (coefficients, limits) = (c.alpha.iter().flatten(), c.t.iter().chain(&c.p));
    let numbers = coefficients.map(|&x| ("a coefficient", x)).chain(limits.map(|&x| ("a limit", x)));
    finite_or_refuse(r, numbers.map(|(name, value)| (name.to_owned(), value)), found);
    for (what, [low, high], unit) in [("temperature", c.t, "K"), ("pressure", c.p, "Pa")] {
        if low >= high || low <= 0.0 {
            let message = format!("the {what} range of `{}` does not ascend from above zero", r.equation);
            found.push(
                Diagnostic::error(codes::RANGES, message)
                    .at(r.at, format!("{low} to {high} {unit}"))
                    .help("give the lower limit first; both are above zero"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn slips_of_a_name_are_understood() {
        let all = ["H", "H2", "O2", "OH", "HO2", "H2O", "H2O2", "CO", "CO2", "AR"];
        for (slip, meant) in [("H02", "HO2"), ("h20", "H2O"), ("ar", "AR"), ("C0", "CO"), ("O22", "O2"), ("HO3", "HO2")]
        {
            assert_eq!(nearest(slip, all), Some(meant), "{slip}");
        }
        assert_eq!(nearest("gri3", ["gri30", "h2"]), Some("gri30"));
        assert_eq!(nearest("propane", all), None);
    }
}
