//! Builds a [`Reaction`] from the data of one record: which data go together, orders, colliders, SI units.

use super::auxiliary::Auxiliary;
use super::codes;
use super::equation::Body;
use super::findings::Findings;
use super::reaction::Head;
use super::units::Units;
use crate::network::{
    ATMOSPHERE, Arrhenius, Blend, Chebyshev, Falloff, RateLaw, Reaction, Reverse, ThirdBody, plog_levels,
    seeming_collider, take_one,
};
use crate::sums::add_to;
use crate::{Severity, Span};

/// The temperature range \[K\] of a Chebyshev rate without TCHEB, according to CHEMKIN's manual.
const DEFAULT_TCHEB: [f64; 2] = [300.0, 2500.0];
/// The pressure range \[atm\] of one without PCHEB.
const DEFAULT_PCHEB: [f64; 2] = [0.001, 100.0];

/// Builds the reaction of one record.
pub(super) struct Builder<'f> {
    pub head: Head,
    pub auxiliary: Auxiliary,
    pub units: Units,
    pub findings: &'f mut Findings,
}

impl Builder<'_> {
    /// The reaction; `None` if the record is faulty, which has been reported.
    pub fn build(mut self) -> Option<Reaction> {
        let reversible = self.photons()?;
        self.check()?;
        let [left, right] = self.head.equation.sides.clone();
        let (mut reactants, mut products) = (merged(&left.terms), merged(&right.terms));
        if reactants.is_empty() || products.is_empty() {
            let at = self.head.at;
            let help = "a species with a coefficient above zero is expected on both sides";
            self.error(codes::EMPTY_SIDE, at, "all coefficients of one side are zero", "in this reaction", help)?;
        }
        let table = !self.auxiliary.plog.is_empty() || !self.auxiliary.cheb.is_empty();
        let falloff = self.auxiliary.low.is_some() || self.auxiliary.high.is_some();

        let mut third_body = None;
        if left.third_bodies == 1 && !table {
            third_body = Some(every(std::mem::take(&mut self.auxiliary.efficiencies)));
        } else if !falloff && left.third_bodies == 0 && left.body.is_none() {
            third_body = explicit_collider(&mut reactants, &mut products, &self.auxiliary);
        }
        let body = match left.body {
            Some(Body::One(species)) => {
                let list = &mut self.auxiliary.efficiencies;
                let own = list.iter().position(|x| x.0 == species && falloff).map(|i| list.remove(i).1);
                ThirdBody::alone(species, own.unwrap_or(1.0))
            }
            _ if falloff => every(std::mem::take(&mut self.auxiliary.efficiencies)),
            _ => every(Vec::new()),
        };
        let unused = self.auxiliary.efficiencies_at.filter(|_| !self.auxiliary.efficiencies.is_empty());
        let named = left.third_bodies == 1 || matches!(left.body, Some(Body::One(_)));
        let unused = unused.or((table && named).then_some(self.head.at));
        if let Some(at) = unused {
            let message = "colliders that make no difference to the rate, in";
            let label = "the rate depends on no collider, or on one alone";
            self.findings.group(Severity::Warning, codes::UNUSED_EFFICIENCIES, at, &self.head.written, message, label);
        }

        let orders = self.orders(&reactants, &self.auxiliary.ford);
        let count = |list: &[(usize, f64)]| {
            list.iter().map(|&(_, n)| n).sum::<f64>() + f64::from(u8::from(third_body.is_some()))
        };
        let order = count(orders.as_deref().unwrap_or(&reactants));
        let rate = self.rate(order, body)?;
        if let (false, None, false, Some(at)) =
            (reversible, self.auxiliary.rev, self.auxiliary.rord.is_empty(), self.auxiliary.orders_at)
        {
            let message = "RORD on an irreversible reaction has no effect: there is no reverse rate";
            let help = "remove RORD, or give the reverse rate by REV";
            self.findings.warn(codes::REVERSE_ORDERS, at, message, "given here", help);
        }
        let reverse_orders = self.orders(&products, &self.auxiliary.rord);
        let reverse_order = count(reverse_orders.as_deref().unwrap_or(&products));
        let reverse = self.reverse(reversible, reverse_order, reverse_orders, falloff)?;
        if let (Some(_), Reverse::Equilibrium, Some(at)) = (&orders, &reverse, self.auxiliary.orders_at) {
            self.findings.warn(
                codes::ORDERS_AT_EQUILIBRIUM,
                at,
                "FORD on a reversible reaction: it will not come to rest at equilibrium",
                "forward orders differ from the stoichiometric coefficients",
                "make the reaction irreversible with `=>`, or give the reverse rate by REV and RORD",
            );
        }
        Some(Reaction {
            equation: self.head.written,
            reactants,
            products,
            orders,
            rate,
            reverse,
            third_body,
            duplicate: self.auxiliary.duplicate,
            at: self.head.at,
        })
    }

    fn error(&mut self, code: &'static str, at: Span, message: &str, label: &str, help: &str) -> Option<()> {
        let at = if at == Span::default() { self.head.at } else { at };
        let diagnostic = self.findings.error(code, at, message, label, help);
        if at != self.head.at {
            diagnostic.labels.push((self.head.at, "of this reaction".into()));
        }
        None
    }

    /// Removes light from the products, and refuses it among the reactants. Returns whether the reaction is
    /// reversible.
    fn photons(&mut self) -> Option<bool> {
        let [left, right] = &self.head.equation.sides;
        let (absorbed, emitted, nothing) = (left.photons > 0, right.photons > 0, right.terms.is_empty());
        let reversible = self.head.equation.reversible;
        if absorbed {
            let at = self.head.at;
            self.error(
                codes::FOREIGN_RATE,
                at,
                "HV (light absorbed) is not gas-phase kinetics that can be read",
                "not supported",
                "give the reaction without HV and with its photolysis frequency as rate",
            )?;
        }
        if nothing {
            let at = self.head.at;
            self.error(
                codes::EMPTY_SIDE,
                at,
                "the reaction has no products",
                "a species is expected after the arrow",
                "",
            )?;
        }
        if emitted && reversible {
            self.findings.warn(
                codes::PHOTON,
                self.head.at,
                "a reaction that emits light is read as irreversible, without HV",
                "written as reversible",
                "write `=>`",
            );
        }
        Some(reversible && !emitted)
    }

    /// Reports data that do not go together.
    fn check(&mut self) -> Option<()> {
        let a = &self.auxiliary;
        let none = Span::default();
        let span = |at: Option<Span>| at.unwrap_or(none);
        let side = &self.head.equation.sides[0];
        let (bracket, plain) = (side.body.is_some(), side.third_bodies > 0);
        let low = a.low.map(|x| x.1).or(a.high.map(|x| x.1));
        let blend = a.troe.map(|x| x.2).or(a.sri.map(|x| x.1));
        let lt = a.lt.map(|x| x.1);
        let kinds = [
            !a.cheb.is_empty() || a.tcheb.is_some() || a.pcheb.is_some(),
            !a.plog.is_empty(),
            a.low.is_some(),
            a.high.is_some(),
            a.lt.is_some(),
        ];
        let table = kinds[0] || kinds[1];
        let table_at = span(a.table_at);
        let both = a.troe.is_some() && a.sri.is_some();
        let (rlt, rev) = (a.rlt.map(|x| x.1), a.rev.is_some());
        if kinds.iter().filter(|&&kind| kind).count() > 1 {
            let at = if table { table_at } else { span(low) };
            return self.error(
                codes::TWO_RATE_LAWS,
                at,
                "the reaction has data of more than one rate law",
                "CHEB, PLOG, LOW, HIGH and LT exclude each other",
                "keep one of them",
            );
        }
        if let Some(at) = low.filter(|_| !bracket) {
            let help = if plain {
                "write `(+M)` instead of `+M` on both sides"
            } else {
                "write `(+M)` on both sides of the equation"
            };
            return self.error(codes::NO_BRACKETS, at, "LOW and HIGH need `(+M)` in the equation", "given here", help);
        }
        if bracket && low.is_none() && !table {
            return self.error(
                codes::NO_LIMIT,
                blend.unwrap_or(none),
                "the equation depends on pressure, but neither LOW nor HIGH gives the other limit",
                "a LOW/.../ or HIGH/.../ is expected below the reaction",
                "add it, or write `+M` for a plain third body",
            );
        }
        if let Some(at) = blend.filter(|_| low.is_none() || both) {
            return self.error(
                codes::BLEND,
                at,
                "TROE or SRI without LOW or HIGH, or both of them together",
                "given here",
                "one of them belongs to one of LOW and HIGH",
            );
        }
        if let Some(at) = rlt.filter(|_| !rev) {
            return self.error(
                codes::LANDAU_TELLER,
                at,
                "RLT without REV",
                "given here",
                "give the Arrhenius part of the reverse rate by REV",
            );
        }
        if let Some(at) = lt.filter(|_| bracket) {
            return self.error(
                codes::LANDAU_TELLER,
                at,
                "LT in a pressure-dependent reaction",
                "given here",
                "write `M` instead of `(+M)`",
            );
        }
        Some(())
    }

    fn arrhenius(&self, [a, b, e]: [f64; 3], order: f64) -> Arrhenius {
        Arrhenius { a: a * self.units.factor(order), b, e: e * self.units.energy() }
    }

    fn rate(&mut self, order: f64, body: ThirdBody) -> Option<RateLaw> {
        let main = self.head.parameters;
        let a = &self.auxiliary;
        if !a.plog.is_empty() {
            return Some(RateLaw::Plog(self.plog(order)));
        }
        if !a.cheb.is_empty() || a.tcheb.is_some() || a.pcheb.is_some() {
            return self.chebyshev(order).map(RateLaw::Chebyshev);
        }
        let blend = match (a.troe, a.sri) {
            (Some(([a, t3, t1], t2, _)), _) => Blend::Troe { a, t3, t1, t2 },
            (None, Some(([a, b, c, d, e], _))) => Blend::Sri { a, b, c, d, e },
            (None, None) => Blend::Lindemann,
        };
        // The line of the equation holds the limit that LOW or HIGH does not give.
        if let Some((low, _)) = a.low {
            let (low, high) = (self.arrhenius(low, order + 1.0), self.arrhenius(main, order));
            return Some(RateLaw::Falloff(Falloff { low, high, body, blend, activated: false }));
        }
        if let Some((high, _)) = a.high {
            let (low, high) = (self.arrhenius(main, order), self.arrhenius(high, order - 1.0));
            return Some(RateLaw::Falloff(Falloff { low, high, body, blend, activated: true }));
        }
        Some(landau_teller(self.arrhenius(main, order), a.lt.map(|lt| lt.0)))
    }

    fn plog(&self, order: f64) -> Vec<(f64, Vec<Arrhenius>)> {
        let terms = self.auxiliary.plog.iter();
        plog_levels(terms.map(|&[p, a, b, e]| (p * ATMOSPHERE, self.arrhenius([a, b, e], order))).collect())
    }

    fn chebyshev(&mut self, order: f64) -> Option<Chebyshev> {
        let at = self.auxiliary.table_at.unwrap_or(self.head.at);
        if self.auxiliary.cheb.is_empty() {
            self.error(
                codes::CHEBYSHEV,
                at,
                "TCHEB or PCHEB without CHEB",
                "ranges of coefficients that are not there",
                "add `CHEB / N M coefficients... /`",
            )?;
        }
        let (tcheb, pcheb) = (self.auxiliary.tcheb, self.auxiliary.pcheb);
        let (t, p) = (tcheb.map_or(DEFAULT_TCHEB, |t| t.0), pcheb.map_or(DEFAULT_PCHEB, |p| p.0));
        if tcheb.is_none() || pcheb.is_none() {
            let missing = [("TCHEB", tcheb.is_none()), ("PCHEB", pcheb.is_none())];
            let missing: Vec<&str> = missing.into_iter().filter(|m| m.1).map(|m| m.0).collect();
            self.findings.warn(
                codes::CHEBYSHEV,
                at,
                format!("the Chebyshev data has no {}", missing.join(" and no ")),
                &format!("read with {} to {} K, {} to {} atm", t[0], t[1], p[0], p[1]),
                "CHEMKIN's own ranges are taken; other programs may refuse this: give TCHEB in K and PCHEB in atm",
            );
        }
        let at = self.auxiliary.cheb_at.unwrap_or(at);
        let list = &self.auxiliary.cheb;
        let size = |x: Option<&f64>| {
            x.copied().filter(|&n| (1.0..=100.0).contains(&n) && n.fract() == 0.0).map(|n| n as usize)
        };
        let (rows, columns) = (size(list.first()), size(list.get(1)));
        let coefficients = list.get(2..).unwrap_or(&[]);
        let (Some(rows), Some(columns)) = (rows, columns) else {
            self.error(
                codes::CHEBYSHEV,
                at,
                "the first two numbers of CHEB are not the orders in temperature and pressure",
                "given here",
                "two whole numbers are expected before the coefficients",
            )?;
            return None;
        };
        if coefficients.len() != rows * columns {
            let message = format!(
                "{rows} times {columns} Chebyshev coefficients are announced, but {} are given",
                coefficients.len()
            );
            let help = "the first two numbers, of rows and of columns, are followed by all coefficients, on any number of CHEB lines";
            self.error(codes::CHEBYSHEV, at, &message, "given here", help)?;
            return None;
        }
        let mut alpha: Vec<Vec<f64>> = coefficients.chunks(columns).map(<[f64]>::to_vec).collect();
        if let Some(first) = alpha.first_mut().and_then(|row| row.first_mut()) {
            *first += self.units.factor(order).log10();
        }
        Some(Chebyshev { t, p: [p[0] * ATMOSPHERE, p[1] * ATMOSPHERE], alpha })
    }

    /// The complete orders, if they differ from the coefficients.
    fn orders(&self, side: &[(usize, f64)], given: &[(usize, f64)]) -> Option<Vec<(usize, f64)>> {
        let mut orders = side.to_vec();
        for &(species, order) in given {
            match orders.iter_mut().find(|known| known.0 == species) {
                Some(known) => known.1 = order,
                None => orders.push((species, order)),
            }
        }
        (orders != side).then_some(orders)
    }

    fn reverse(
        &mut self,
        reversible: bool,
        order: f64,
        orders: Option<Vec<(usize, f64)>>,
        falloff: bool,
    ) -> Option<Reverse> {
        let Some((rev, at)) = self.auxiliary.rev else {
            if orders.is_some() && reversible {
                let at = self.auxiliary.orders_at.unwrap_or(self.head.at);
                self.error(
                    codes::REVERSE_ORDERS,
                    at,
                    "RORD needs the reverse rate: with the one from equilibrium, reverse orders are not free",
                    "given here",
                    "give the reverse rate by REV, or remove RORD",
                )?;
            }
            return Some(if reversible { Reverse::Equilibrium } else { Reverse::Irreversible });
        };
        // In files with REV everywhere, a reverse rate of zero marks an irreversible reaction.
        if rev[0] == 0.0 {
            return Some(Reverse::Irreversible);
        }
        if !self.head.equation.reversible {
            self.findings.warn(
                codes::REVERSED_IRREVERSIBLE,
                at,
                "REV on a reaction written as irreversible; the reverse rate is used",
                "given here",
                "write `<=>`, or remove REV",
            );
        }
        if falloff {
            self.findings.note(
                codes::REVERSE_FALLOFF,
                at,
                "REV on a falloff reaction is read as a reverse rate without pressure dependence",
                "given here",
            );
        }
        let rate = landau_teller(self.arrhenius(rev, order), self.auxiliary.rlt.map(|rlt| rlt.0));
        Some(Reverse::Explicit { rate: Box::new(rate), orders })
    }
}

fn landau_teller(arrhenius: Arrhenius, lt: Option<[f64; 2]>) -> RateLaw {
    match lt {
        Some([b, c]) => RateLaw::LandauTeller { arrhenius, b, c },
        None => RateLaw::Arrhenius(arrhenius),
    }
}

/// Each species once, in the order of first occurrence.
fn merged(terms: &[(usize, f64)]) -> Vec<(usize, f64)> {
    let mut list: Vec<(usize, f64)> = Vec::new();
    for &(species, n) in terms.iter().filter(|term| term.1 != 0.0) {
        add_to(&mut list, species, n);
    }
    list
}

/// The third body of `H+O2+AR=HO2+AR`: a single species, by Cantera's rule, so that both see the same reactions. One with an order
/// of its own is a reactant.
fn explicit_collider(
    reactants: &mut Vec<(usize, f64)>,
    products: &mut Vec<(usize, f64)>,
    auxiliary: &Auxiliary,
) -> Option<ThirdBody> {
    let species = seeming_collider(reactants, products)?;
    if auxiliary.ford.iter().chain(&auxiliary.rord).any(|order| order.0 == species) {
        return None;
    }
    [reactants, products].into_iter().for_each(|side| take_one(side, species));
    Some(ThirdBody::alone(species, 1.0))
}

/// `M` with these efficiencies.
fn every(efficiencies: Vec<(usize, f64)>) -> ThirdBody {
    ThirdBody { efficiencies, ..ThirdBody::EVERY }
}
