//! Reaction entries: equation, third body, orders, and checks for what cannot be written.

use super::number::{Printer, count};
use super::{rate, text};
use crate::network::{Network, PressureLaw, RateLaw, Reaction, Reverse, ThirdBody, seeming_collider, take_one};
use crate::sums::add_to;
use crate::{Diagnostic, codes};

/// A reaction with an explicit reverse rate as two irreversible ones; any other unchanged.
pub fn halves(r: &Reaction) -> Vec<Reaction> {
    let Reverse::Explicit { rate, orders } = &r.reverse else { return vec![r.clone()] };
    let forward = Reaction { reverse: Reverse::Irreversible, ..r.clone() };
    let reverse = Reaction {
        reactants: r.products.clone(),
        products: r.reactants.clone(),
        orders: orders.clone(),
        rate: (**rate).clone(),
        ..forward.clone()
    };
    vec![forward, reverse]
}

/// Whether the law contains pressures.
pub fn has_pressures(r: &Reaction) -> bool {
    match &r.rate {
        RateLaw::Plog(_) | RateLaw::Chebyshev(_) => true,
        RateLaw::LinearBurke(colliders) => {
            colliders.iter().any(|c| matches!(c.law, Some(PressureLaw::Plog(_) | PressureLaw::Chebyshev(_))))
        }
        _ => false,
    }
}

/// The form of the third body in the equation.
enum Body<'a> {
    None,
    /// `+ M`, with efficiencies.
    Generic(&'a ThirdBody),
    /// `+ AR`: species, efficiency.
    One(usize, f64),
    /// `(+M)`, with efficiencies.
    Inside(&'a ThirdBody),
    /// `(+AR)`.
    OneInside(usize, f64),
    /// `(+M)` without meaning of its own.
    Shown,
}

/// One item of `reactions`.
pub fn entry(r: &Reaction, network: &Network, printer: &Printer, found: &mut Vec<Diagnostic>) -> String {
    let Some(kind) = rate::kind(&r.rate) else {
        found.push(
            refusal(codes::UNWRITABLE_LAW, r, "the Landau-Teller rate", "this reaction")
                .help("fit it by an Arrhenius expression over the temperatures of interest, or remove the reaction"),
        );
        return String::new();
    };
    if r.orders.is_some() && r.reverse == Reverse::Equilibrium {
        found.push(
            refusal(codes::UNWRITABLE_ORDERS, r, "the orders", "a reversible reaction with orders of its own")
                .help("make it irreversible, or give its reverse rate"),
        );
    }
    let body = body(r);
    names(r, &body, network, found);
    let [left, right] = [&r.reactants, &r.products].map(|side| terms(side, &body, network));
    let arrow = if r.reverse == Reverse::Irreversible { "=>" } else { "<=>" };
    let mut lines = vec![format!("equation: {}", text::value(&format!("{left} {arrow} {right}")))];
    if r.duplicate {
        lines.push("duplicate: true".to_owned());
    }
    if rate::negative(&r.rate) {
        lines.push("negative-A: true".to_owned());
    }
    match (kind, &body) {
        ("Arrhenius", Body::Generic(_) | Body::One(..)) => lines.push("type: three-body".to_owned()),
        // Otherwise, with three molecules and a species on both sides, that species would be taken for a
        // third body.
        ("Arrhenius", _) if resembles_collider(r) => lines.push("type: elementary".to_owned()),
        ("Arrhenius", _) => {}
        (_, Body::One(..) | Body::Generic(_)) => lines.push(format!("type: three-body-{kind}")),
        _ => lines.push(format!("type: {kind}")),
    }
    check_body(r, kind, &body, found);

    let orders = r.orders.as_deref().unwrap_or(&r.reactants);
    let factor = f64::from(u8::from(r.third_body.is_some()));
    let order = orders.iter().map(|t| t.1).sum::<f64>() + factor;
    lines.extend(rate::lines(&r.rate, order, network, printer));
    efficiencies(r, &body, network, printer, &mut lines);
    if let Some(orders) = &r.orders {
        given_orders(r, orders, network, printer, &mut lines);
    }
    if !printer.finite() {
        found.push(
            refusal(codes::UNWRITABLE_NAME, r, "the rate constant", "this reaction")
                .help("a number is too large in the units of the file: give smaller ones, or remove the reaction"),
        );
    }
    text::item(&lines)
}

fn refusal(code: &'static str, r: &Reaction, what: &str, label: &str) -> Diagnostic {
    Diagnostic::error(code, format!("{what} of `{}` cannot be written in Cantera YAML", r.equation)).at(r.at, label)
}

fn body(r: &Reaction) -> Body<'_> {
    let one = |b: &ThirdBody| match b.efficiencies[..] {
        [(k, e)] if b.explicit && b.default == 0.0 => Some((k, e)),
        _ => None,
    };
    match (&r.rate, &r.third_body) {
        (RateLaw::Falloff(f), _) => {
            one(&f.body).map_or(Body::Inside(&f.body), |(k, efficiency)| Body::OneInside(k, efficiency))
        }
        (RateLaw::LinearBurke(_), None) => Body::Shown,
        // Otherwise a species on both sides would be taken for the third body.
        (RateLaw::Chebyshev(_), None) if resembles_collider(r) => Body::Shown,
        (_, None) => Body::None,
        (_, Some(b)) => match one(b) {
            // Removing a collider from a coefficient that is not whole would not leave the original
            // coefficient.
            Some((k, efficiency)) if of(&r.reactants, k).fract() == 0.0 && of(&r.products, k).fract() == 0.0 => {
                Body::One(k, efficiency)
            }
            _ => Body::Generic(b),
        },
    }
}

/// The number of a species in a side or a list of orders.
pub fn of(side: &[(usize, f64)], species: usize) -> f64 {
    side.iter().find(|t| t.0 == species).map_or(0.0, |t| t.1)
}

/// Reports laws that cannot be written with `+ M`, or that would lose species on both sides.
fn check_body(r: &Reaction, kind: &str, body: &Body, found: &mut Vec<Diagnostic>) {
    let fault = match (&r.rate, body) {
        (RateLaw::Falloff(_), _) if r.third_body.is_some() => "a third body besides that of the falloff",
        (RateLaw::Plog(_) | RateLaw::Chebyshev(_), Body::Generic(_)) => {
            "`M` as a factor of a rate that depends on pressure"
        }
        (RateLaw::Arrhenius(_) | RateLaw::Falloff(_) | RateLaw::LinearBurke(_), _) => return,
        (_, Body::None) if resembles_collider(r) => "a species on both sides that would be taken for the third body",
        _ => return,
    };
    found.push(refusal(codes::UNWRITABLE_COLLIDER, r, &format!("the third body ({kind})"), fault));
}

/// Whether a reader takes a species on both sides for the third body.
pub fn resembles_collider(r: &Reaction) -> bool {
    seeming_collider(&r.reactants, &r.products).is_some()
}

/// The reaction with the species on both sides that readers take for the third body as that: without orders of its own it has the
/// same rate.
pub fn with_collider(r: &Reaction) -> Option<Reaction> {
    let k = seeming_collider(&r.reactants, &r.products).filter(|_| r.orders.is_none() && r.third_body.is_none())?;
    let mut r = Reaction { third_body: Some(ThirdBody::alone(k, 1.0)), ..r.clone() };
    [&mut r.reactants, &mut r.products].into_iter().for_each(|side| take_one(side, k));
    Some(r)
}

/// The reaction as an entry can say it.
pub fn expressed(r: Reaction) -> Reaction {
    match (body(&r), &r.rate) {
        (Body::None, RateLaw::Arrhenius(_)) => r, // has `type: elementary` for it
        (Body::None, _) => with_collider(&r).unwrap_or(r),
        _ => r,
    }
}

/// Whether another species, or the collider itself, makes it ambiguous which one is the third body.
fn ambiguous(r: &Reaction, collider: usize) -> bool {
    r.reactants.iter().any(|t| of(&r.products, t.0) > 0.0 && t.0 != collider)
        || (of(&r.reactants, collider) > 0.0 && of(&r.products, collider) > 0.0)
}

fn terms(side: &[(usize, f64)], body: &Body, network: &Network) -> String {
    let species = |k: usize| network.species.get(k).map_or("?", |s| s.name.as_str());
    let mut side = side.to_vec();
    if let Body::One(k, _) = *body {
        add_to(&mut side, k, 1.0);
    }
    let term =
        |&(k, n): &(usize, f64)| if n == 1.0 { species(k).to_owned() } else { format!("{} {}", count(n), species(k)) };
    let text = side.iter().map(term).collect::<Vec<_>>().join(" + ");
    match *body {
        Body::None | Body::One(..) => text,
        Body::Generic(_) => text + " + M",
        Body::Inside(_) | Body::Shown => text + " (+M)",
        Body::OneInside(k, _) => format!("{text} (+{})", species(k)),
    }
}

/// Reports names that an equation cannot contain.
fn names(r: &Reaction, body: &Body, network: &Network, found: &mut Vec<Diagnostic>) {
    let collider = match *body {
        Body::One(k, _) | Body::OneInside(k, _) => Some(k),
        _ => None,
    };
    let faulty = |name: &str| {
        name.is_empty()
            || name.contains(char::is_whitespace)
            || name.starts_with("(+")
            || ["M", "+", "=", "=>", "<=>"].contains(&name)
    };
    let written = r.reactants.iter().chain(&r.products).map(|t| t.0).chain(collider);
    for s in written.filter_map(|k| network.species.get(k)) {
        if faulty(&s.name) {
            let message = format!("the name `{}` cannot stand in an equation of Cantera YAML", s.name);
            found.push(Diagnostic::error(codes::UNWRITABLE_NAME, message).at(r.at, "in this reaction"));
        }
    }
}

fn efficiencies(r: &Reaction, body: &Body, network: &Network, printer: &Printer, lines: &mut Vec<String>) {
    let named = |list: &[(usize, f64)]| -> Vec<(String, String)> {
        list.iter().filter_map(|&(k, e)| Some((text::name(&network.species.get(k)?.name), printer.number(e)))).collect()
    };
    match *body {
        Body::Generic(b) | Body::Inside(b) => {
            if !b.efficiencies.is_empty() {
                lines.push(text::map("efficiencies", &named(&b.efficiencies)));
            }
            if b.default != 1.0 {
                lines.push(format!("default-efficiency: {}", printer.number(b.default)));
            }
        }
        Body::One(k, e) if e != 1.0 || ambiguous(r, k) => lines.push(text::map("efficiencies", &named(&[(k, e)]))),
        Body::OneInside(k, e) if e != 1.0 => lines.push(text::map("efficiencies", &named(&[(k, e)]))),
        _ => {}
    }
}

fn given_orders(r: &Reaction, orders: &[(usize, f64)], network: &Network, printer: &Printer, lines: &mut Vec<String>) {
    let mut all = orders.to_vec();
    // A reactant that is not in the list has no influence, which a file must state.
    all.extend(r.reactants.iter().filter(|t| orders.iter().all(|o| o.0 != t.0)).map(|t| (t.0, 0.0)));
    let named: Vec<(String, String)> =
        all.iter().filter_map(|&(k, n)| Some((text::name(&network.species.get(k)?.name), printer.number(n)))).collect();
    lines.push(text::map("orders", &named));
    if all.iter().any(|o| o.1 < 0.0) {
        lines.push("negative-orders: true".to_owned());
    }
    if all.iter().any(|o| r.reactants.iter().all(|t| t.0 != o.0)) {
        lines.push("nonreactant-orders: true".to_owned());
    }
}
