//! Reactions: the equation line and the data below it.

use super::Numbers;
use crate::network::{Arrhenius, Blend, Falloff, Network, RateLaw, Reaction, Reverse, ThirdBody, seeming_collider};
use crate::sums::add_to;
use crate::units::Measure;
use crate::write::number::{count, plain};
use crate::write::reaction::{of, resembles_collider, with_collider};
use crate::{Diagnostic, codes};

/// The activation energies of a law, for the choice of units.
pub fn energies(law: &RateLaw) -> Vec<f64> {
    match law {
        RateLaw::Arrhenius(k) | RateLaw::LandauTeller { arrhenius: k, .. } => vec![k.e],
        RateLaw::Falloff(f) => vec![f.low.e, f.high.e],
        RateLaw::Plog(levels) => levels.iter().flat_map(|(_, terms)| terms.iter().map(|k| k.e)).collect(),
        _ => Vec::new(),
    }
}

/// The form of the third body in the equation.
enum Body<'a> {
    None,
    /// `+M`, with efficiencies.
    Factor(&'a ThirdBody),
    /// `+AR`.
    Named(usize),
    /// `(+M)`, with efficiencies.
    Inside(&'a ThirdBody),
    /// `(+AR)`.
    NamedInside(usize, f64),
}

static EVERY: ThirdBody = ThirdBody::EVERY;

/// Why a reaction cannot be written: code, what cannot be written, remedy.
type Fault = (&'static str, &'static str, &'static str);

const NO_LAW: &str = "keep Cantera YAML, or fit an Arrhenius, PLOG or Chebyshev rate to it";
const NO_NUMBER: &str =
    "a number is too large or too small in cm, mol, s and the unit of energy: give another one, or remove the reaction";
const NO_BODY: &str = "CHEMKIN knows M with efficiencies, and one named species with the efficiency 1";

/// All lines of a reaction.
pub fn record(r: &Reaction, network: &Network, numbers: &Numbers, found: &mut Vec<Diagnostic>) -> String {
    match lines(r, network, numbers) {
        Ok(text) => text,
        Err((code, what, help)) => {
            found.push(
                Diagnostic::error(code, format!("{what} of `{}` cannot be written in CHEMKIN text", r.equation))
                    .at(r.at, "this reaction")
                    .help(help),
            );
            String::new()
        }
    }
}

fn lines(r: &Reaction, network: &Network, numbers: &Numbers) -> Result<String, Fault> {
    let body = body(r)?;
    let sum = |list: &[(usize, f64)]| list.iter().map(|t| t.1).sum::<f64>();
    let factor = f64::from(u8::from(r.third_body.is_some()));
    let order = sum(r.orders.as_deref().unwrap_or(&r.reactants)) + factor;
    let (start, data) = law(&r.rate, order, numbers)?;
    let mut text = format!("{:<45} {start}\n{data}", equation(r, &body, network));
    if let Reverse::Explicit { rate, orders } = &r.reverse {
        let order = sum(orders.as_deref().unwrap_or(&r.products)) + factor;
        let (k, terms) = match &**rate {
            RateLaw::Arrhenius(k) => (k, None),
            RateLaw::LandauTeller { arrhenius, b, c } => (arrhenius, Some((b, c))),
            _ => return Err((codes::UNWRITABLE_LAW, "the reverse rate", "CHEMKIN has Arrhenius reverse rates only")),
        };
        data_line(&mut text, "REV", &arrhenius(k, order, numbers)?);
        if let Some((b, c)) = terms {
            data_line(&mut text, "RLT", &[plain(*b), plain(*c)]);
        }
        orders.iter().for_each(|o| given_orders(&mut text, "RORD", o, &r.products, network));
    }
    if let Some(orders) = &r.orders {
        if r.reverse == Reverse::Equilibrium {
            let help = "programs differ in the reverse rate that they make of FORD; make the reaction irreversible, or give its reverse rate";
            return Err((codes::UNWRITABLE_ORDERS, "a reverse rate from equilibrium beside forward orders", help));
        }
        given_orders(&mut text, "FORD", orders, &r.reactants, network);
    }
    if let (Body::None, Some(k)) = (&body, seeming_collider(&r.reactants, &r.products)) {
        // To the readers, a species with an order is a reactant, even if the order equals its coefficient.
        let coefficient = of(&r.reactants, k);
        if r.orders.as_ref().is_none_or(|orders| of(orders, k) == coefficient) {
            data_line(&mut text, "FORD", &[species(network, k).to_owned(), plain(coefficient)]);
        }
    }
    if let Body::NamedInside(k, efficiency) = body
        && efficiency != 1.0
    {
        text.push_str(&format!("  {}/{}/\n", species(network, k), plain(efficiency)));
    }
    if let Body::Factor(b) | Body::Inside(b) = body {
        let shown: Vec<String> =
            b.efficiencies.iter().map(|&(k, e)| format!("{}/{}/", species(network, k), plain(e))).collect();
        for row in shown.chunks(5) {
            text.push_str(&format!("  {}\n", row.join(" ")));
        }
    }
    if r.duplicate {
        text.push_str("  DUPLICATE\n");
    }
    Ok(text)
}

/// The species whose efficiencies are listed below a reaction.
pub fn weighed(r: &Reaction) -> impl Iterator<Item = usize> + '_ {
    let list = match (body(r), &r.rate) {
        (Ok(Body::Factor(b) | Body::Inside(b)), _) => &b.efficiencies[..],
        (Ok(Body::NamedInside(_, efficiency)), RateLaw::Falloff(f)) if efficiency != 1.0 => &f.body.efficiencies[..],
        _ => &[],
    };
    list.iter().map(|e| e.0)
}

fn body(r: &Reaction) -> Result<Body<'_>, Fault> {
    let fault = |what| Err((codes::UNWRITABLE_COLLIDER, what, NO_BODY));
    let named = |b: &ThirdBody| match b.efficiencies[..] {
        [(k, 1.0)] if b.default == 0.0 => Some(k),
        _ => None,
    };
    match (&r.rate, &r.third_body) {
        (RateLaw::Falloff(_), Some(_)) => fault("a third body besides that of the falloff"),
        (RateLaw::Falloff(f), None) => match f.body.efficiencies[..] {
            [(k, efficiency)] if f.body.default == 0.0 => Ok(Body::NamedInside(k, efficiency)),
            _ if f.body.default == 1.0 => Ok(Body::Inside(&f.body)),
            _ => fault("the default efficiency"),
        },
        (law, Some(b)) => match (named(b), law) {
            (Some(k), _) => Ok(Body::Named(k)),
            (None, RateLaw::Arrhenius(_) | RateLaw::LandauTeller { .. }) if b.default == 1.0 => Ok(Body::Factor(b)),
            (None, RateLaw::Arrhenius(_) | RateLaw::LandauTeller { .. }) if b.explicit => {
                fault("the efficiency of the collider")
            }
            (None, RateLaw::Arrhenius(_) | RateLaw::LandauTeller { .. }) => fault("the default efficiency"),
            (None, _) => fault("`M` as a factor of a rate that is not Arrhenius,"),
        },
        // With it no other species is taken for the third body, and the rate does not depend on it.
        (RateLaw::Plog(_) | RateLaw::Chebyshev(_), None) if resembles_collider(r) => Ok(Body::Inside(&EVERY)),
        (_, None) => Ok(Body::None),
    }
}

/// The reaction as readers of its text will see it.
pub fn seen(r: &Reaction) -> Reaction {
    let body = body(r);
    if matches!(body, Ok(Body::None)) && !matches!(r.reverse, Reverse::Explicit { orders: Some(_), .. }) {
        return with_collider(r).unwrap_or_else(|| r.clone());
    }
    let mut r = r.clone();
    if let Ok(Body::Named(k)) = body {
        let [reactants, products] = [&r.reactants, &r.products].map(|side| one_more(side, k));
        let plain =
            |orders: &Option<Vec<_>>, side: &[_]| orders.as_ref().is_none_or(|orders| of(orders, k) == of(side, k));
        let plain = plain(&r.orders, &r.reactants)
            && !matches!(&r.reverse, Reverse::Explicit { orders, .. } if !plain(orders, &r.products));
        // One with an order is a reactant: then its order is all that it contributes to the rate.
        if !plain || seeming_collider(&reactants, &products).is_none() {
            (r.reactants, r.products, r.third_body) = (reactants, products, None);
            let more = |orders: &mut Vec<_>| add_to(orders, k, 1.0);
            r.orders.iter_mut().for_each(more);
            if let Reverse::Explicit { orders, .. } = &mut r.reverse {
                orders.iter_mut().for_each(more);
            }
            return r;
        }
    }
    if let Ok(Body::Named(_) | Body::NamedInside(..)) = body
        && let Some(body) = r.body_mut()
    {
        body.explicit = true;
    }
    r
}

fn species(network: &Network, k: usize) -> &str {
    network.species.get(k).map_or("?", |s| s.name.as_str())
}

fn equation(r: &Reaction, body: &Body<'_>, network: &Network) -> String {
    let side = |list: &[(usize, f64)]| {
        let term = |&(k, n): &(usize, f64)| match n {
            1.0 => species(network, k).to_owned(),
            n => format!("{}{}", count(n), species(network, k)),
        };
        let text = list.iter().map(term).collect::<Vec<_>>().join("+");
        match *body {
            Body::None => text,
            Body::Factor(_) => text + "+M",
            Body::Named(k) => text + "+" + species(network, k),
            Body::Inside(_) => text + "(+M)",
            Body::NamedInside(k, _) => format!("{text}(+{})", species(network, k)),
        }
    };
    let arrow = if r.reverse == Reverse::Irreversible { "=>" } else { "=" };
    format!("{}{arrow}{}", side(&r.reactants), side(&r.products))
}

fn arrhenius(k: &Arrhenius, order: f64, numbers: &Numbers) -> Result<[String; 3], Fault> {
    let [a, e] = [(k.a, Measure::Rate(order)), (k.e, Measure::Activation)].map(|(value, what)| {
        numbers.measure(value, what).ok_or((codes::UNWRITABLE_NAME, "the rate constant", NO_NUMBER))
    });
    Ok([a?, plain(k.b), e?])
}

/// The three numbers after the equation, and the lines below.
fn law(law: &RateLaw, order: f64, numbers: &Numbers) -> Result<(String, String), Fault> {
    let start = |k: &Arrhenius, order: f64| -> Result<String, Fault> {
        let [a, b, e] = arrhenius(k, order, numbers)?;
        Ok(format!("{a:>14} {b:>9} {e:>13}"))
    };
    let mut data = String::new();
    let first = match law {
        RateLaw::Arrhenius(k) => start(k, order)?,
        RateLaw::LandauTeller { arrhenius, b, c } => {
            data_line(&mut data, "LT", &[plain(*b), plain(*c)]);
            start(arrhenius, order)?
        }
        RateLaw::Falloff(f) if f.activated => {
            data_line(&mut data, "HIGH", &arrhenius(&f.high, order - 1.0, numbers)?);
            blend(f, &mut data)?;
            start(&f.low, order)?
        }
        RateLaw::Falloff(f) => {
            data_line(&mut data, "LOW", &arrhenius(&f.low, order + 1.0, numbers)?);
            blend(f, &mut data)?;
            start(&f.high, order)?
        }
        RateLaw::Plog(levels) => {
            for (p, terms) in levels {
                for k in terms {
                    let [a, b, e] = arrhenius(k, order, numbers)?;
                    data_line(&mut data, "PLOG", &[numbers.pressure(*p), a, b, e]);
                }
            }
            // The numbers after the equation are not used; by convention they are those of the highest
            // pressure.
            let highest = levels.last().and_then(|(_, terms)| terms.first());
            highest.map(|k| start(k, order)).transpose()?.unwrap_or_default()
        }
        RateLaw::Chebyshev(c) => {
            data_line(&mut data, "TCHEB", &c.t.map(plain));
            data_line(&mut data, "PCHEB", &c.p.map(|p| numbers.pressure(p)));
            let columns = c.alpha.first().map_or(0, Vec::len);
            data_line(&mut data, "CHEB", &[c.alpha.len().to_string(), columns.to_string()]);
            for (i, row) in c.alpha.iter().enumerate() {
                let mut shown: Vec<String> = row.iter().map(|&a| plain(a)).collect();
                if let (0, Some(to), Some(&value)) = (i, shown.first_mut(), row.first()) {
                    *to = numbers.logarithm(value, Measure::Rate(order));
                }
                data_line(&mut data, "CHEB", &shown);
            }
            "1.0 0.0 0.0".to_owned()
        }
        RateLaw::LinearBurke(_) => return Err((codes::UNWRITABLE_LAW, "the linear-Burke rate", NO_LAW)),
        RateLaw::BlowersMasel { .. } => return Err((codes::UNWRITABLE_LAW, "the Blowers-Masel rate", NO_LAW)),
        RateLaw::TwoTemperature { .. } => return Err((codes::UNWRITABLE_LAW, "the two-temperature rate", NO_LAW)),
    };
    Ok((first, data))
}

fn blend(f: &Falloff, data: &mut String) -> Result<(), Fault> {
    let (word, values) = match f.blend {
        Blend::Lindemann => return Ok(()),
        Blend::Troe { a, t3, t1, t2 } => ("TROE", [Some(a), Some(t3), Some(t1), t2, None]),
        Blend::Sri { a, b, c, d: 1.0, e: 0.0 } => ("SRI", [Some(a), Some(b), Some(c), None, None]),
        Blend::Sri { a, b, c, d, e } => ("SRI", [a, b, c, d, e].map(Some)),
        Blend::Tsang { .. } => return Err((codes::UNWRITABLE_LAW, "the Tsang broadening", NO_LAW)),
    };
    data_line(data, word, &values.into_iter().flatten().map(plain).collect::<Vec<_>>());
    Ok(())
}

fn data_line(text: &mut String, word: &str, values: &[String]) {
    text.push_str(&format!("  {word} / {} /\n", values.join(" ")));
}

/// The list with one more of a species.
fn one_more(list: &[(usize, f64)], species: usize) -> Vec<(usize, f64)> {
    let mut list = list.to_vec();
    add_to(&mut list, species, 1.0);
    list
}

/// Orders that differ from the coefficients of `side`; a reactant without an order has no influence.
fn given_orders(text: &mut String, word: &str, orders: &[(usize, f64)], side: &[(usize, f64)], network: &Network) {
    let silent = side.iter().map(|t| t.0).filter(|&k| orders.iter().all(|o| o.0 != k)).map(|k| (k, 0.0));
    for (k, n) in orders.iter().copied().chain(silent).filter(|&(k, n)| of(side, k) != n) {
        data_line(text, word, &[species(network, k).to_owned(), plain(n)]);
    }
}
