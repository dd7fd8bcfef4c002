//! REACTIONS sections: records into [`Reaction`]s.

use super::auxiliary::{Auxiliary, Line, exponent_help};
use super::codes;
use super::equation::{self, Body, Equation, Fault};
use super::findings::Findings;
use super::names::Names;
use super::sections::Section;
use super::text::{Text, number};
use super::units::{self, Units};
use crate::network::{ATMOSPHERE, Arrhenius, Blend, Chebyshev, Falloff, RateLaw, Reaction, Reverse, ThirdBody};
use crate::validate::nearest;
use crate::{Severity, Span};

/// Reads one section.
pub(super) fn read<'a>(text: Text<'a>, section: &Section<'a>, names: &Names, findings: &mut Findings) -> Vec<Reaction> {
    let with = Line { text, names, units: section_units(text, section, findings) };
    let mut reactions = Vec::new();
    let mut open: Option<(Head, Auxiliary)> = None;
    let mut lost = false; // below an equation that could not be read
    for pieces in logical(&section.lines) {
        if is_equation(&pieces) {
            close(open.take(), &with, findings, &mut reactions);
            let head = Head::read(&pieces, &with, findings);
            lost = head.is_none();
            open = head.map(|head| (head, Auxiliary::default()));
            continue;
        }
        match &mut open {
            Some((_, auxiliary)) => pieces.iter().for_each(|piece| auxiliary.read(piece, &with, findings)),
            // The lines below it are still checked.
            None if lost => pieces.iter().for_each(|piece| Auxiliary::default().read(piece, &with, findings)),
            None => {
                let line = pieces.first().map_or("", |piece| piece.trim());
                findings.error(
                    codes::NOT_A_REACTION,
                    text.span(line),
                    "this line stands before the first reaction",
                    "a reaction with `=`, `<=>` or `=>` is expected here",
                    "",
                );
                lost = true;
            }
        }
    }
    close(open, &with, findings, &mut reactions);
    reactions
}

fn close(open: Option<(Head, Auxiliary)>, with: &Line<'_, '_>, findings: &mut Findings, reactions: &mut Vec<Reaction>) {
    if let Some((head, auxiliary)) = open
        && !auxiliary.faulty
    {
        reactions.extend(Builder { head, units: auxiliary.units.unwrap_or(with.units), auxiliary, findings }.build());
    }
}

/// The unit words behind `REACTIONS`.
fn section_units(text: Text<'_>, section: &Section<'_>, findings: &mut Findings) -> Units {
    let mut units = Units::default();
    for word in section.head.split_whitespace() {
        let upper = word.to_ascii_uppercase();
        match units::word(&upper) {
            Some(meaning) => units.set(meaning),
            None if matches!(upper.as_str(), "ALL" | "MWON" | "MWOFF") => {}
            None => {
                let near = nearest(&upper, units::WORDS.into_iter());
                let help = near.map_or(
                    "units are CAL/MOLE, KCAL/MOLE, JOULES/MOLE, KJOULES/MOLE, KELVINS, EVOLTS, MOLES and MOLECULES"
                        .to_owned(),
                    |near| format!("did you mean `{near}`?"),
                );
                findings.error(codes::UNIT, text.span(word), format!("`{word}` is no unit"), "not understood", help);
            }
        }
    }
    units
}

/// Lines, each with those that a `&` at its end appends to it.
fn logical<'s, 'a>(lines: &'s [&'a str]) -> impl Iterator<Item = Vec<&'a str>> + 's {
    let mut rest = lines;
    std::iter::from_fn(move || {
        let count = rest.iter().take_while(|line| line.ends_with('&')).count() + 1;
        let (now, later) = rest.split_at(count.min(rest.len()));
        rest = later;
        (!now.is_empty()).then(|| now.iter().map(|line| line.strip_suffix('&').unwrap_or(line)).collect())
    })
}

/// An equation and three numbers, rather than data of the reaction above (whose names may hold a `=`).
fn is_equation(pieces: &[&str]) -> bool {
    if !pieces.iter().any(|piece| piece.contains('=')) {
        return false;
    }
    let numbers = pieces
        .iter()
        .rev()
        .flat_map(|piece| piece.split_whitespace().rev())
        .take_while(|word| number(word).is_some())
        .take(3)
        .count();
    numbers == 3 || !pieces.iter().any(|piece| piece.contains('/'))
}

/// The line of a reaction.
struct Head {
    equation: Equation,
    written: String,
    parameters: [f64; 3],
    at: Span,
}

impl Head {
    fn read(pieces: &[&str], with: &Line<'_, '_>, findings: &mut Findings) -> Option<Self> {
        let text = with.text;
        let words: Vec<&str> = pieces.iter().flat_map(|piece| piece.split_whitespace()).collect();
        let line = pieces.first().map_or("", |piece| piece.trim());
        let (left, right) = words.split_at(words.len().saturating_sub(3));
        let mut parameters = [0.0; 3];
        for (word, to) in right.iter().zip(&mut parameters) {
            let Some(value) = number(word) else {
                findings.error(
                    codes::PARAMETER,
                    text.span(word),
                    format!("`{word}` is not a number"),
                    "A, b and E are expected at the end of the line",
                    if exponent_help(word).is_empty() {
                        "every reaction has three numbers, also where PLOG or CHEB data replaces them".to_owned()
                    } else {
                        exponent_help(word)
                    },
                );
                return None;
            };
            *to = value;
        }
        let joined: String = left.concat();
        let equation = equation::read(&joined, with.names);
        let (equation, folded) =
            equation.map_err(|fault| Self::explain(fault, left, &joined, line, with, findings)).ok()?;
        let at = text.span(line);
        if folded {
            findings.group(
                Severity::Note,
                codes::CASE,
                at,
                line,
                "species are matched without regard to case, as CHEMKIN does, in",
                "first here",
            );
        }
        Some(Self { equation, written: left.join(" "), parameters, at })
    }

    fn explain(fault: Fault, words: &[&str], joined: &str, line: &str, with: &Line<'_, '_>, findings: &mut Findings) {
        let whole = with.text.span(line);
        match fault {
            Fault::TooLong => findings.error(
                codes::LONG_EQUATION,
                whole,
                format!("the equation has {} characters; at most {} are read", joined.len(), equation::LONGEST),
                "this one",
                "split lumped reactions",
            ),
            Fault::NoArrow => findings.error(
                codes::NOT_A_REACTION,
                whole,
                "this line has no equation",
                "`=`, `<=>` or `=>` is expected between reactants and products",
                "",
            ),
            Fault::Empty(0) => findings.error(
                codes::EMPTY_SIDE,
                whole,
                "the reaction has no reactants",
                "a species is expected before the arrow",
                "",
            ),
            Fault::Empty(_) => findings.error(
                codes::EMPTY_SIDE,
                whole,
                "the reaction has no products",
                "a species is expected after the arrow",
                "lumped products need a declared species too",
            ),
            Fault::Unequal => findings.error(
                codes::THIRD_BODIES,
                whole,
                "the third bodies of both sides differ",
                "`M`, `(+M)` or `(+species)` has to be on both sides, once",
                "write the same collider on both sides",
            ),
            Fault::Unknown(start, end) => {
                let shown = joined.get(start..end).unwrap_or(joined);
                let help = match with.names.nearest(shown) {
                    _ if shown.starts_with(['+', '=', '<', '>']) => "a species is expected here".to_owned(),
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "declare it in SPECIES, or correct its name".to_owned(),
                };
                findings.error(
                    codes::UNKNOWN_SPECIES,
                    place(words, start, end, with.text),
                    format!("`{shown}` is not a declared species"),
                    "not declared",
                    help,
                )
            }
        };
    }
}

/// Where characters of the equation without blanks lie in the file.
fn place(words: &[&str], start: usize, end: usize, text: Text<'_>) -> Span {
    let mut before = 0;
    let mut found: Option<Span> = None;
    for word in words {
        let from = start.max(before).saturating_sub(before);
        let to = end.saturating_sub(before).min(word.len());
        if from < to
            && let Some(part) = word.get(from..to)
        {
            let here = text.span(part);
            found = Some(found.map_or(here, |first| Span { end: here.end, ..first }));
        }
        before += word.len();
    }
    found.unwrap_or_else(|| words.first().map_or(Span::default(), |word| text.span(word)))
}

/// Makes the reaction of one record.
struct Builder<'f> {
    head: Head,
    auxiliary: Auxiliary,
    units: Units,
    findings: &'f mut Findings,
}

impl Builder<'_> {
    fn build(mut self) -> Option<Reaction> {
        let reversible = self.photons()?;
        self.check()?;
        let [left, right] = self.head.equation.sides.clone();
        let (mut reactants, mut products) = (merged(&left.terms), merged(&right.terms));
        let table = !self.auxiliary.plog.is_empty() || !self.auxiliary.cheb.is_empty();
        let falloff = self.auxiliary.low.is_some() || self.auxiliary.high.is_some();

        let mut third_body = None;
        if left.third_bodies == 1 && !table {
            third_body =
                Some(ThirdBody { default: 1.0, efficiencies: std::mem::take(&mut self.auxiliary.efficiencies) });
        } else if !falloff && left.third_bodies == 0 && left.body.is_none() {
            third_body = explicit_collider(&mut reactants, &mut products, &self.auxiliary);
        }
        let body = match left.body {
            Some(Body::One(species)) => ThirdBody { default: 0.0, efficiencies: vec![(species, 1.0)] },
            _ if falloff => ThirdBody { default: 1.0, efficiencies: std::mem::take(&mut self.auxiliary.efficiencies) },
            _ => ThirdBody { default: 1.0, efficiencies: Vec::new() },
        };
        if let (false, Some(at)) = (self.auxiliary.efficiencies.is_empty(), self.auxiliary.efficiencies_at) {
            self.findings.warn(
                codes::UNUSED_EFFICIENCIES,
                at,
                "collider efficiencies are ignored",
                "the equation has no general collider that they could apply to",
                "write `M` or `(+M)` on both sides of the equation, or remove them",
            );
        }

        let orders = self.orders(&reactants, &self.auxiliary.ford);
        let count = |list: &[(usize, f64)]| {
            list.iter().map(|&(_, n)| n).sum::<f64>() + f64::from(u8::from(third_body.is_some()))
        };
        let order = count(orders.as_deref().unwrap_or(&reactants));
        let rate = self.rate(order, body)?;
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

    /// Light is removed from the products and refused among the reactants. Gives whether the reaction is reversible.
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

    /// Data that do not go together.
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
        Arrhenius { a: a * self.units.factor(order), b, e: e * self.units.energy }
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
        // The line of the equation has the limit that LOW or HIGH does not.
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
        let mut list = self.auxiliary.plog.clone();
        list.sort_by(|x, y| x[0].total_cmp(&y[0])); // stable: terms at one pressure stay in order
        let mut table: Vec<(f64, Vec<Arrhenius>)> = Vec::new();
        for [p, a, b, e] in list {
            let term = self.arrhenius([a, b, e], order);
            match table.last_mut().filter(|last| last.0 == p * ATMOSPHERE) {
                Some(last) => last.1.push(term),
                None => table.push((p * ATMOSPHERE, vec![term])),
            }
        }
        table
    }

    fn chebyshev(&mut self, order: f64) -> Option<Chebyshev> {
        let at = self.auxiliary.table_at.unwrap_or(self.head.at);
        let (Some(t), Some(p)) = (self.auxiliary.tcheb, self.auxiliary.pcheb) else {
            let missing = if self.auxiliary.tcheb.is_none() { "TCHEB" } else { "PCHEB" };
            self.error(
                codes::CHEBYSHEV,
                at,
                &format!("the Chebyshev data has no {missing}"),
                "given here",
                "give both ranges: TCHEB/lowest highest/ in K, PCHEB/lowest highest/ in atm",
            )?;
            return None;
        };
        if !(t[0] > 0.0 && t[0] < t[1] && p[0] > 0.0 && p[0] < p[1]) {
            self.error(
                codes::CHEBYSHEV,
                at,
                &format!(
                    "the Chebyshev ranges {} to {} K, {} to {} atm do not ascend from above zero",
                    t[0], t[1], p[0], p[1]
                ),
                "given here",
                "",
            )?;
        }
        let list = &self.auxiliary.cheb;
        let size =
            |x: Option<&f64>| x.copied().filter(|&n| n >= 1.0 && n <= 100.0 && n.fract() == 0.0).map(|n| n as usize);
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
            self.error(codes::CHEBYSHEV, at, &message, "given here", "")?;
            return None;
        }
        let mut alpha: Vec<Vec<f64>> = coefficients.chunks(columns).map(<[f64]>::to_vec).collect();
        if let Some(first) = alpha.first_mut().and_then(|row| row.first_mut()) {
            *first += self.units.factor(order).log10();
        }
        Some(Chebyshev { t, p: [p[0] * ATMOSPHERE, p[1] * ATMOSPHERE], alpha })
    }

    /// The complete orders, where they differ from the coefficients.
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
        // A reverse rate of zero is how irreversible reactions are written in files that give REV everywhere.
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
        match list.iter_mut().find(|known| known.0 == species) {
            Some(known) => known.1 += n,
            None => list.push((species, n)),
        }
    }
    list
}

/// `H+O2+AR=HO2+AR`: a third body with the efficiency of one species alone.
///
/// The rule is Cantera's, so that both see the same reactions: exactly one species stands on both sides (once in
/// excess on at least one of them), all coefficients are whole, and one side has three molecules.
fn explicit_collider(
    reactants: &mut Vec<(usize, f64)>,
    products: &mut Vec<(usize, f64)>,
    auxiliary: &Auxiliary,
) -> Option<ThirdBody> {
    let of = |list: &[(usize, f64)], species: usize| list.iter().find(|term| term.0 == species).map(|term| term.1);
    let mut common = reactants.iter().filter_map(|&(species, n)| Some((species, n, of(products, species)?)));
    let (species, before, after) = common.next()?;
    if common.next().is_some() || before > 1.0 && after > 1.0 {
        return None;
    }
    let whole = |list: &[(usize, f64)]| list.iter().all(|term| term.1.fract() == 0.0);
    let molecules = |list: &[(usize, f64)]| list.iter().map(|term| term.1).sum::<f64>();
    if !whole(reactants) || !whole(products) || molecules(reactants) != 3.0 && molecules(products) != 3.0 {
        return None;
    }
    if auxiliary.ford.iter().chain(&auxiliary.rord).any(|order| order.0 == species) {
        return None;
    }
    for list in [reactants, products] {
        list.iter_mut().filter(|term| term.0 == species).for_each(|term| term.1 -= 1.0);
        list.retain(|term| term.1 != 0.0);
    }
    Some(ThirdBody { default: 0.0, efficiencies: vec![(species, 1.0)] })
}
