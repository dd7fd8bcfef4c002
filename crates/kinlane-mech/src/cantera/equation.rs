//! Reaction equations, and which of their species is the third body.

use super::input::parse_number;
use super::yaml::Node;
use crate::sums::add_to;
use crate::{Diagnostic, codes};

/// An equation as written, species by name.
#[derive(Debug, Clone, PartialEq)]
pub struct Equation {
    /// (name, coefficient), merged.
    pub left: Vec<(String, f64)>,
    /// As `left`.
    pub right: Vec<(String, f64)>,
    /// `<=>` or `=` rather than `=>`.
    pub reversible: bool,
}

/// The third body of an equation.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// `M` or a species.
    pub name: String,
    /// Written as `(+M)`: part of the pressure dependence, and not a factor of the rate.
    pub bracketed: bool,
}

impl Body {
    /// Whether it is any species, and not a particular one.
    pub fn generic(&self) -> bool {
        self.name == "M"
    }
}

/// What is wrong with an equation, and the remedy.
pub type Wrong = (String, &'static str);

const SPACES: &str = "species, `+` and the arrow are separated by spaces, as in `2 OH (+M) <=> H2O2 (+M)`";

/// Splits an equation. Terms are separated by spaces, since `+` and `=` may be part of names.
pub fn parse(text: &str) -> Result<Equation, Wrong> {
    let mut sides: [Vec<(String, f64)>; 2] = [Vec::new(), Vec::new()];
    let mut arrow: Option<&str> = None;
    let mut term: Vec<&str> = Vec::new();
    let mut bracket = false;
    let mut finish = |side: usize, term: &mut Vec<&str>, bracket: bool| -> Result<(), Wrong> {
        let (name, nu) = match term[..] {
            [name] if bracket => (format!("(+{name}"), 1.0),
            [name] => (name.to_owned(), 1.0),
            [nu, name] if !bracket => (
                name.to_owned(),
                parse_number(nu).filter(|n| n.is_finite() && *n >= 0.0).ok_or((
                    format!("`{nu}` is not a coefficient"),
                    "coefficients are numbers, not below zero: `1.5 O2`",
                ))?,
            ),
            [] => return Err(("a species is missing beside `+` or the arrow".into(), SPACES)),
            _ => return Err((format!("`{}` is not a species with a coefficient", term.join(" ")), SPACES)),
        };
        term.clear();
        if name == "(+M)" || !name.starts_with("(+") || name.ends_with(')') {
            add_to(&mut sides[side], name, nu);
            Ok(())
        } else {
            Err((format!("`{name}` has no closing bracket"), SPACES))
        }
    };
    for token in text.split_whitespace() {
        let side = usize::from(arrow.is_some());
        match token {
            "+" => {
                finish(side, &mut term, bracket)?;
                bracket = false;
            }
            "<=>" | "=" | "=>" => {
                if arrow.is_some() {
                    return Err(("there are two arrows".into(), "split it into two reactions"));
                }
                finish(side, &mut term, bracket)?;
                bracket = false;
                arrow = Some(token);
            }
            // `(+ M)` and `(+M)` follow a species without a `+` of their own.
            "(+" => {
                finish(side, &mut term, bracket)?;
                bracket = true;
            }
            t if t.starts_with("(+") && t.ends_with(')') => {
                finish(side, &mut term, bracket)?;
                bracket = false;
                term.push(t);
            }
            "<=" | "<-" | "<->" | "->" | "==" | "<==>" => {
                return Err((format!("`{token}` is not an arrow"), "arrows are `<=>` or `=`, and `=>` for one way"));
            }
            t => term.push(t),
        }
    }
    let Some(arrow) = arrow else {
        return Err(("there is no `<=>`, `=>` or `=` with spaces around it".into(), SPACES));
    };
    finish(1, &mut term, bracket)?;
    let [mut left, mut right] = sides;
    left.retain(|t| t.1 != 0.0);
    right.retain(|t| t.1 != 0.0);
    Ok(Equation { left, right, reversible: arrow != "=>" })
}

/// Finds the third body by Cantera's rules and removes it from both sides.
///
/// A species on both sides is the third body if one side has three molecules and it is the only such species;
/// `M` and `(+M)` always are. `rate` is the rate type and `node` the reaction, whose efficiencies may decide.
pub fn third_body(eq: &mut Equation, rate: &str, node: &Node) -> Result<Option<Body>, Diagnostic> {
    if rate == "elementary" {
        return Ok(None);
    }
    let at = node.get("equation").map_or(node.at, |n| n.at);
    let refuse = |message: &str, help: &str| {
        Err(Diagnostic::error(codes::COLLIDER, message).at(at, "in this equation").help(help))
    };
    let forced = rate.starts_with("three-body");
    let is_generic = |name: &str| name == "M" || name == "(+M)";

    let mut both: Vec<(&str, bool)> = Vec::new();
    for (name, nu) in &eq.left {
        if let Some((_, mu)) = eq.right.iter().find(|(n, _)| n == name) {
            both.push((name, *nu > 1.0 && *mu > 1.0));
        }
    }
    let count: usize = both.iter().map(|b| 1 + usize::from(b.1)).sum();
    let generic: usize = both.iter().filter(|b| is_generic(b.0)).map(|b| 1 + usize::from(b.1)).sum();

    let name = match both[..] {
        [] if forced => return refuse("the equation has no third body", "add `+ M` on both sides"),
        [] => return Ok(None),
        _ if generic > 1 => return refuse("the equation has more than one `M`", "write `M` once on each side"),
        _ if count > 1 => {
            let efficiencies = node.get("efficiencies").map(|e| e.entries());
            if let Some((name, _)) =
                both.iter().find(|b| is_generic(b.0)).or(both.iter().find(|b| b.0.starts_with("(+")))
            {
                *name
            } else if let Some([only]) = efficiencies
                && both.iter().any(|b| b.0 == only.key)
            {
                &only.key
            } else if efficiencies.is_some() || node.get("default-efficiency").is_some() || forced {
                return refuse(
                    "more than one species could be the third body",
                    "name the third body with `efficiencies: {NAME: 1}`",
                );
            } else {
                return Ok(None);
            }
        }
        [(name, _), ..] => {
            let molecules = |side: &[(String, f64)]| {
                side.iter().all(|t| t.1.fract() == 0.0).then(|| side.iter().map(|t| t.1).sum::<f64>())
            };
            if !is_generic(name) && !forced && !name.starts_with("(+") {
                match (molecules(&eq.left), molecules(&eq.right)) {
                    (Some(l), Some(r)) if l == 3.0 || r == 3.0 => {}
                    _ => return Ok(None),
                }
            }
            name
        }
    }
    .to_owned();
    if [&eq.left, &eq.right].into_iter().flatten().any(|term| term.0 == name && term.1 < 1.0) {
        return refuse(
            &format!("`{name}` is the third body, but the equation has less than one of it"),
            "write it once on each side, or add `type: elementary` if it is a reactant",
        );
    }

    for side in [&mut eq.left, &mut eq.right] {
        for term in side.iter_mut().filter(|t| t.0 == name) {
            term.1 = if term.1.trunc() == 1.0 { 0.0 } else { term.1 - 1.0 };
        }
        side.retain(|t| t.1 != 0.0);
    }
    let inner = name.strip_prefix("(+").and_then(|n| n.strip_suffix(')'));
    Ok(Some(Body { bracketed: inner.is_some(), name: inner.unwrap_or(&name).to_owned() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn equation(left: &[(&str, f64)], right: &[(&str, f64)], reversible: bool) -> Result<Equation, Wrong> {
        let terms = |list: &[(&str, f64)]| list.iter().map(|&(n, c)| (n.to_owned(), c)).collect();
        Ok(Equation { left: terms(left), right: terms(right), reversible })
    }

    #[test]
    fn terms_are_merged_and_names_may_hold_signs() {
        assert_eq!(parse("H + H + e- <=> 2 H2+"), equation(&[("H", 2.0), ("e-", 1.0)], &[("H2+", 2.0)], true));
        assert_eq!(parse("0.5 O2 + (S)X => A=B"), equation(&[("O2", 0.5), ("(S)X", 1.0)], &[("A=B", 1.0)], false));
    }

    #[test]
    fn brackets_may_have_a_space() {
        let wanted = equation(&[("OH", 2.0), ("(+M)", 1.0)], &[("H2O2", 1.0), ("(+M)", 1.0)], true);
        assert_eq!(parse("2 OH (+ M) = H2O2 (+M)"), wanted);
    }

    #[test]
    fn nonsense_is_refused() {
        for text in
            ["", "A", "A + => B", "=> B", "A =>", "A => B => C", "x A => B", "A => B (+ M", "2 3 A => B", "-1 A => B"]
        {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
