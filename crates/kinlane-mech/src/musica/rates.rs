//! Rate constants of reactions: parameters with their defaults, in molecule/cm³ and s.

use super::codes;
use super::field::{self, number_or};
use super::kind::{Kind, Version};
use super::law::{self, Arrhenius, MOLECULES, mul, num};
use super::reaction::{Chemistry, Reaction};
use crate::cantera::yaml::Node;
use crate::diagnostic::refuses;
use crate::network::BOLTZMANN;
use crate::scheme::{Expression, Name};
use crate::sums::place_of;
use crate::{Diagnostic, Span};

/// Most coefficients of a polynomial in T.
const COEFFICIENTS: usize = 50;
/// The temperature \[K\] that a rate constant refers to where it is not given.
const USUAL: f64 = 300.0;
/// The same in the evaluation of JPL of 2019.
const OF_JPL19: f64 = 298.0;

impl Chemistry<'_> {
    /// One rate constant, or two for a reaction with two branches; nothing if there is something wrong with it.
    pub fn rates(&mut self, reaction: &Reaction<'_>, of: &str) -> Option<Vec<Expression>> {
        let before = self.found.len();
        let rates = match reaction.kind {
            Kind::Arrhenius => self.arrhenius(reaction, of).map(|rate| vec![rate]),
            Kind::Taylor => {
                let coefficients = self.coefficients(reaction.node);
                let rate = self.arrhenius(reaction, of)?;
                Some(vec![mul(law::polynomial(&coefficients), rate)])
            }
            Kind::Troe | Kind::Ternary | Kind::TernaryJpl19 => self.falloff(reaction).map(|rate| vec![rate]),
            Kind::Branched => self.branched(reaction, of),
            Kind::Tunneling => self.tunneling(reaction).map(|rate| vec![rate]),
            Kind::Surface => self.surface(reaction, of).map(|rate| vec![rate]),
            Kind::Photolysis | Kind::UserDefined | Kind::Emission | Kind::Loss => {
                self.given(reaction, of).map(|rate| vec![rate])
            }
        }?;
        let errors = self.found.get(before..).unwrap_or_default();
        (!refuses(errors)).then_some(rates)
    }

    fn impossible(&mut self, at: Span, message: String, help: &str) {
        self.found.push(Diagnostic::error(codes::PARAMETER, message).at(at, "this value").help(help));
    }

    /// Warns of a factor that makes a rate constant negative.
    fn tell_negative(&mut self, node: &Node, key: &str, value: f64) {
        if value < 0.0 {
            let at = node.get(key).map_or(node.at, |value| value.at);
            let warning = Diagnostic::warning(codes::PARAMETER, format!("`{key}` is {value}")).at(at, "below zero");
            self.found.push(warning.help("a reaction with a negative rate makes what reacts, without a bound"));
        }
    }

    /// A factor in molecule/cm³. In version 1, it is in (mol/m³)^power.
    fn scaled(&mut self, node: &Node, key: &str, power: f64) -> Option<f64> {
        let value = number_or(node, key, 1.0, self.found)?;
        self.tell_negative(node, key, value);
        if self.version == Version::Zero {
            return Some(value);
        }
        Some(self.converted(node, key, value, power))
    }

    /// A factor in molecule/cm³ that is in (mol/m³)^power.
    fn converted(&mut self, node: &Node, key: &str, value: f64, power: f64) -> f64 {
        let scaled = value * MOLECULES.powf(power);
        if !scaled.is_finite() || (scaled == 0.0) != (value == 0.0) {
            let at = node.get(key).map_or(node.at, |value| value.at);
            self.impossible(
                at,
                format!("`{key}` is out of range in molecule/cm3"),
                "the least and largest numbers are 1e-308 and 1e308",
            );
        }
        scaled
    }

    /// Parameters of one rate constant, with names that have a prefix; D is `reference` \[K\] where it is not given.
    fn parameters(&mut self, node: &Node, prefix: &str, power: f64, reference: f64) -> Option<Arrhenius> {
        let a = self.scaled(node, &format!("{prefix}A"), power);
        let mut number = |name: &str, default| number_or(node, &format!("{prefix}{name}"), default, self.found);
        let (b, c, d) = (number("B", 0.0), number("C", 0.0), number("D", reference));
        let (a, b, c, d) = (a?, b?, c?, d?);
        if d <= 0.0 {
            let at = node.get(&format!("{prefix}D")).map_or(node.at, |value| value.at);
            self.impossible(at, format!("`{prefix}D`, a temperature, is {d}"), "it has to be a temperature above zero");
        }
        Some(Arrhenius { a, b, c, d, e: 0.0 })
    }

    fn arrhenius(&mut self, reaction: &Reaction<'_>, of: &str) -> Option<Expression> {
        let node = reaction.node;
        let p = self.parameters(node, "", 1.0 - reaction.order, USUAL);
        let e = number_or(node, "E", 0.0, self.found);
        let energy = node.get("Ea").and_then(|value| field::number(value, "`Ea`", self.found).map(|ea| (ea, value.at)));
        let (mut p, e) = (p?, e?);
        p.e = e;
        if let Some((energy, at)) = energy {
            if let Some(c) = node.get("C").filter(|_| p.c != 0.0) {
                self.found.push(
                    Diagnostic::error(codes::PARAMETER, format!("{of} has both `C` and `Ea`"))
                        .at(at, "this one")
                        .at(c.at, "and this one")
                        .help("C is -Ea/k; keep one of them"),
                );
            }
            p.c = -energy / BOLTZMANN;
        }
        let pressure = (e != 0.0).then(|| self.pressure());
        Some(law::arrhenius(&p, pressure))
    }

    fn coefficients(&mut self, node: &Node) -> Vec<f64> {
        let Some(value) = node.get("taylor coefficients") else { return vec![1.0] };
        let items = field::list(value, "`taylor coefficients`", self.found);
        if items.is_empty() || items.len() > COEFFICIENTS {
            let message = format!("there are {} `taylor coefficients`", items.len());
            self.impossible(value.at, message, "give from one to fifty");
            return Vec::new();
        }
        items.iter().filter_map(|item| field::number(item, "a coefficient", self.found)).collect()
    }

    /// Laws of two limits. Where M is part of the law, the limit of low pressure has one concentration more.
    fn falloff(&mut self, reaction: &Reaction<'_>) -> Option<Expression> {
        let (node, order, kind) = (reaction.node, reaction.order, reaction.kind);
        let associates = if kind == Kind::Ternary { 0.0 } else { 1.0 };
        let reference = if kind == Kind::TernaryJpl19 { OF_JPL19 } else { USUAL };
        let low = self.parameters(node, "k0_", 1.0 - order - associates, reference);
        let high = self.parameters(node, "kinf_", 2.0 - order - associates, reference);
        let third = (kind == Kind::TernaryJpl19).then(|| self.parameters(node, "kint_", 1.0 - order, reference));
        let broadening = number_or(node, "Fc", 0.6, self.found);
        let width = number_or(node, "N", 1.0, self.found);
        let (low, high, fc, n) = (low?, high?, broadening?, width?);
        for (key, value) in [("Fc", fc), ("N", n), ("kinf_A", high.a)] {
            let at = node.get(key).map_or(node.at, |value| value.at);
            if value < 0.0 && key == "N" {
                // In the configuration of TS1 that MUSICA's examples run.
                let message = format!("`{key}` is {value}: the law has a pole");
                let warning = Diagnostic::warning(codes::PARAMETER, message).at(at, "computed as it stands");
                self.found.push(warning.help("Fc^(N/(N + log10(k0 M/kinf)^2)) is meant for N above zero"));
            } else if value <= 0.0 {
                self.impossible(at, format!("`{key}` is {value}"), "it has to be above zero");
            }
        }
        let air = self.air();
        let law = |p: &Arrhenius| law::arrhenius(p, None);
        let broadened = self.library.falloff([law(&low), law(&high), Expression::Name(air), num(fc), num(n)]);
        if kind == Kind::Ternary {
            if self.version == Version::Zero {
                self.doubtful(reaction.at);
            }
            return Some(broadened);
        }
        let associated = mul(Expression::Name(air), broadened);
        match third {
            Some(third) => Some(self.library.activated(associated, law(&high), law(&third?))),
            None => Some(associated),
        }
    }

    /// The reader of MICM converts these as if M were part of the rate constant, which it is not.
    fn doubtful(&mut self, at: Span) {
        if let Some(finding) = self.found.iter_mut().find(|finding| finding.code == codes::TERNARY) {
            return finding.and_at(at);
        }
        self.found.push(
            Diagnostic::warning(
                codes::TERNARY,
                "rate constants of ternary activation are read in molecule/cm3, as written",
            )
            .at(at, "here")
            .help(
                "MICM's reader of this version makes them 6.02e17 times as large: it counts M, which is not in the law",
            ),
        );
    }

    fn branched(&mut self, reaction: &Reaction<'_>, of: &str) -> Option<Vec<Expression>> {
        let node = reaction.node;
        let missing = ["X", "Y", "a0", "n"].map(|key| field::required(node, key, of, self.found).is_none());
        if missing.contains(&true) {
            return None;
        }
        let x = self.scaled(node, "X", 1.0 - reaction.order);
        let mut number = |key| number_or(node, key, 0.0, self.found);
        let (y, a0, n) = (number("Y"), number("a0"), number("n"));
        let (x, y, a0, n) = (x?, y?, a0?, n?);
        let place = |key: &str| node.get(key).map_or(node.at, |value| value.at);
        if !(a0 > 0.0 && a0 <= 1.0) {
            self.impossible(
                place("a0"),
                format!("`a0`, a part of the whole, is {a0}"),
                "it has to be above 0, and 1 at most",
            );
        }
        if n.fract() != 0.0 || !(0.0..=100.0).contains(&n) {
            self.impossible(place("n"), format!("`n`, a number of heavy atoms, is {n}"), "it has to be a whole number");
        }
        let air = self.air();
        Some(self.library.branched(air, x, y, a0, n).into())
    }

    fn tunneling(&mut self, reaction: &Reaction<'_>) -> Option<Expression> {
        let node = reaction.node;
        let a = self.scaled(node, "A", 1.0 - reaction.order);
        let (b, c) = (number_or(node, "B", 0.0, self.found), number_or(node, "C", 0.0, self.found));
        Some(law::tunneling(a?, b?, c?))
    }

    fn surface(&mut self, reaction: &Reaction<'_>, of: &str) -> Option<Expression> {
        let node = reaction.node;
        let probability = number_or(node, "reaction probability", 1.0, self.found)?;
        if !(0.0..=1.0).contains(&probability) {
            let at = node.get("reaction probability").map_or(node.at, |value| value.at);
            self.impossible(at, format!("a probability of {probability}"), "it is between 0 and 1");
        }
        let term = reaction.left.first()?;
        let one = self.declared.find(&term.name).and_then(|i| self.declared.all.get(i))?;
        let of_phase = reaction.phase.and_then(|i| self.phases.get(i)).and_then(|phase| phase.species.get(&term.name));
        let diffusion = of_phase.copied().flatten().or(one.diffusion);
        let mut property = |value: Option<(f64, Span)>, what: &str, key: &str| {
            let (at, label) = match value {
                Some((value, _)) if value > 0.0 => return Some(value),
                Some((_, at)) => (at, "has to be above zero"),
                None => (one.at, "of this species"),
            };
            self.found.push(
                Diagnostic::error(codes::PROPERTY, format!("{of} needs the {what} of `{}`", one.name))
                    .at(at, label)
                    .at(term.at, "reacts here")
                    .help(format!("give `{key}`")),
            );
            None
        };
        let weight = property(one.weight, "molecular weight", "molecular weight [kg mol-1]");
        let diffusion = property(diffusion, "coefficient of diffusion", "diffusion coefficient [m2 s-1]");
        let (weight, diffusion) = (weight?, diffusion?);
        if probability == 0.0 {
            return Some(num(0.0));
        }
        let (prefix, at) = match reaction.name {
            Some((name, at)) => (format!("SURF.{name}"), at),
            None => ("SURF".to_owned(), reaction.at),
        };
        let radius = self.input(&format!("{prefix}.radius"), reaction.kind, 1.0, at);
        let count = self.input(&format!("{prefix}.number"), reaction.kind, 1.0, at);
        Some(law::surface(radius, count, diffusion, weight, probability))
    }

    /// A rate constant that is given with the states.
    fn given(&mut self, reaction: &Reaction<'_>, of: &str) -> Option<Expression> {
        let factor = number_or(reaction.node, "scaling factor", 1.0, self.found);
        let Some((name, at)) = reaction.name else {
            let key = if self.version == Version::Zero { "MUSICA name" } else { "name" };
            self.found.push(
                Diagnostic::error(codes::MISSING, format!("{of} has no `{key}`"))
                    .at(reaction.at, format!("`{key}` is missing"))
                    .help("its rate constant is given with the states under this name"),
            );
            return None;
        };
        let name = match reaction.kind {
            Kind::Photolysis => {
                Name::Photolysis(place_of(&mut self.photolysis, |known| known == name, || name.to_owned()))
            }
            Kind::Emission => self.input(&format!("EMIS.{name}"), reaction.kind, reaction.order, at),
            Kind::Loss => self.input(&format!("LOSS.{name}"), reaction.kind, reaction.order, at),
            _ => self.input(name, reaction.kind, reaction.order, at),
        };
        let mut factor = factor?;
        self.tell_negative(reaction.node, "scaling factor", factor);
        if reaction.kind == Kind::Photolysis {
            // That of several molecules is in mol/m³ in MICM, whose example of Robertson's problem has it.
            factor = self.converted(reaction.node, "scaling factor", factor, 1.0 - reaction.order);
        }
        Some(mul(num(factor), Expression::Name(name)))
    }
}
