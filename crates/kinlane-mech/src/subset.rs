//! A part of a network: some of its species, and the reactions among them.

use crate::Network;
use crate::duplicates::mark_again;
use crate::network::{Collider, Falloff, PressureLaw, RateLaw, Reaction, Reverse, ThirdBody};

/// Why a species cannot be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownSpecies {
    /// The name asked for.
    pub name: String,
    /// The nearest existing name.
    pub nearest: Option<String>,
}

/// The network of the named species, in their old order, and the equations of the reactions that are left
/// out: those that make or use another species, or have one as their only collider. Efficiencies of other
/// species are dropped, and so are elements that no species contains.
///
/// # Errors
/// [`UnknownSpecies`] for the first name that does not exist.
pub fn subset(network: &Network, names: &[String]) -> Result<(Network, Vec<String>), UnknownSpecies> {
    let mut kept = vec![false; network.species.len()];
    for name in names {
        match network.species.iter().position(|s| s.name == *name).and_then(|k| kept.get_mut(k)) {
            Some(kept) => *kept = true,
            None => {
                let all = network.species.iter().map(|s| s.name.as_str());
                let nearest = crate::validate::nearest(name, all).map(str::to_owned);
                return Err(UnknownSpecies { name: name.clone(), nearest });
            }
        }
    }
    let species = Places::new(&kept);
    let held = |e: usize| {
        let holds = |s: &crate::network::Species| s.composition.iter().any(|c| c.0 == e);
        network.species.iter().zip(&kept).any(|(s, kept)| *kept && holds(s))
    };
    let elements = Places::new(&(0..network.elements.len()).map(held).collect::<Vec<_>>());
    let mut small = Network {
        name: network.name.clone(),
        sources: network.sources.clone(),
        elements: elements.chosen(&network.elements),
        species: species.chosen(&network.species),
        reactions: Vec::new(),
        notes: Vec::new(),
    };
    for s in &mut small.species {
        s.composition = s.composition.iter().filter_map(|&(e, n)| Some((elements.of(e)?, n))).collect();
    }
    let mut open = Vec::new();
    for r in &network.reactions {
        match species.reaction(r) {
            Some(r) => small.reactions.push(r),
            None => open.push(r.equation.clone()),
        }
    }
    // Those whose partners are left out are no duplicates any more.
    mark_again(&mut small);
    Ok((small, open))
}

/// New index by old index; `None` for what is left out.
struct Places(Vec<Option<usize>>);

impl Places {
    fn new(kept: &[bool]) -> Self {
        let mut next = 0;
        let place = |&kept: &bool| {
            next += usize::from(kept);
            kept.then(|| next - 1)
        };
        Self(kept.iter().map(place).collect())
    }

    fn of(&self, k: usize) -> Option<usize> {
        self.0.get(k).copied().flatten()
    }

    fn chosen<T: Clone>(&self, list: &[T]) -> Vec<T> {
        list.iter().zip(&self.0).filter(|(_, place)| place.is_some()).map(|(x, _)| x.clone()).collect()
    }

    /// The same list with new indices; `None` if an entry has none.
    fn all(&self, list: &[(usize, f64)]) -> Option<Vec<(usize, f64)>> {
        list.iter().map(|&(k, n)| Some((self.of(k)?, n))).collect()
    }

    fn reaction(&self, r: &Reaction) -> Option<Reaction> {
        let orders = |o: &Option<Vec<(usize, f64)>>| match o {
            Some(o) => self.all(o).map(Some),
            None => Some(None),
        };
        let reverse = match &r.reverse {
            Reverse::Explicit { rate, orders: o } => {
                Reverse::Explicit { rate: Box::new(self.law(rate)?), orders: orders(o)? }
            }
            other => other.clone(),
        };
        Some(Reaction {
            reactants: self.all(&r.reactants)?,
            products: self.all(&r.products)?,
            orders: orders(&r.orders)?,
            rate: self.law(&r.rate)?,
            reverse,
            third_body: match &r.third_body {
                Some(b) => Some(self.body(b)?),
                None => None,
            },
            ..r.clone()
        })
    }

    /// Efficiencies of omitted species are dropped; but if there is a single collider it must be kept.
    fn body(&self, b: &ThirdBody) -> Option<ThirdBody> {
        let efficiencies: Vec<_> = b.efficiencies.iter().filter_map(|&(k, e)| Some((self.of(k)?, e))).collect();
        (b.default != 0.0 || !efficiencies.is_empty()).then_some(ThirdBody { efficiencies, ..*b })
    }

    /// Without a collider a falloff reaction has the rate zero; a chemically activated one has that of low pressure.
    fn falloff(&self, f: &Falloff) -> Option<Falloff> {
        let nobody = || f.activated.then(|| ThirdBody { default: 0.0, efficiencies: Vec::new(), explicit: false });
        Some(Falloff { body: self.body(&f.body).or_else(nobody)?, ..f.clone() })
    }

    fn law(&self, law: &RateLaw) -> Option<RateLaw> {
        Some(match law {
            RateLaw::Falloff(f) => RateLaw::Falloff(self.falloff(f)?),
            RateLaw::LinearBurke(colliders) => {
                let kept = colliders.iter().filter(|c| c.species.is_none_or(|k| self.of(k).is_some()));
                RateLaw::LinearBurke(kept.map(|c| self.collider(c)).collect::<Option<_>>()?)
            }
            other => other.clone(),
        })
    }

    fn collider(&self, c: &Collider) -> Option<Collider> {
        let law = match &c.law {
            // The body of a falloff law inside a linear-Burke law is not used, and names no species.
            Some(PressureLaw::Falloff(f)) => Some(PressureLaw::Falloff(self.falloff(f).unwrap_or_else(|| f.clone()))),
            other => other.clone(),
        };
        Some(Collider { species: c.species.and_then(|k| self.of(k)), law, ..c.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// A reaction whose partner is left out is no duplicate any more: readers would look for the partner.
    #[test]
    fn marks_go_with_the_partners() {
        let thermo = "thermo: &t {model: constant-cp, h0: 0, s0: 0, cp0: 0}";
        let text = format!(
            "phases: [{{name: g, thermo: ideal-gas, kinetics: gas}}]\nspecies:\n- {{name: A, composition: {{H: 1}}, {thermo}}}\n\
             - {{name: B, composition: {{H: 2}}, thermo: *t}}\n- {{name: C, composition: {{H: 1}}, thermo: *t}}\n- {{name: AR, composition: {{Ar: 1}}, thermo: *t}}\nreactions:\n\
             - {{equation: 2 A + M => B + M, duplicate: true, rate-constant: {{A: 1, b: 0, Ea: 0}}}}\n\
             - {{equation: 2 A + AR => B + AR, duplicate: true, rate-constant: {{A: 1, b: 0, Ea: 0}}}}\n\
             - {{equation: A => C, duplicate: true, rate-constant: {{A: 1, b: 0, Ea: 0}}}}\n- {{equation: A => C, duplicate: true, \
             rate-constant: {{A: 2, b: 0, Ea: 0}}}}\n"
        );
        let all = crate::cantera::read_str(text, Path::new("t.yaml"), None, &[]).unwrap_or_else(|e| panic!("{e}"));
        let (small, left_out) = subset(&all, &["A", "B", "C"].map(str::to_owned)).expect("known");
        assert_eq!(left_out, ["2 A + AR => B + AR"]);
        assert_eq!(small.reactions.iter().map(|r| r.duplicate).collect::<Vec<_>>(), [false, true, true]);
        let (whole, _) = subset(&all, &["A", "B", "C", "AR"].map(str::to_owned)).expect("known");
        assert!(whole.reactions.iter().all(|r| r.duplicate));
    }
}
