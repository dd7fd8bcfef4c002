//! Expressions as written: operators and their order, names not yet resolved.

use super::codes;
use super::lex::{Kind, Token, tokens};
use super::part::Fault;
use crate::scheme::Operator;

/// Largest nesting of an expression. Those of published mechanisms stay below twenty.
const DEEPEST: usize = 200;

/// Sums of more terms are added up in pieces: that of all peroxy radicals of the MCM has a thousand.
const LONG: usize = 100;

/// An expression as written.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tree {
    /// What it is.
    pub node: Node,
    /// Its first byte, within the part that it is from.
    pub from: usize,
    /// One past its last byte.
    pub to: usize,
    /// Number of nodes on the longest way down.
    height: usize,
}

/// The outermost part of an expression.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
    /// A number, and whether it is an integer.
    Number(f64, bool),
    /// A name.
    Name(String),
    /// An operator.
    Apply(Operator, Vec<Tree>),
    /// A name with arguments.
    Call(String, Vec<Tree>),
}

impl Tree {
    /// Adds the names in it, in lower case.
    pub fn names(&self, all: &mut Vec<String>) {
        match &self.node {
            Node::Number(..) => {}
            Node::Name(name) => all.push(name.to_ascii_lowercase()),
            Node::Apply(_, parts) | Node::Call(_, parts) => parts.iter().for_each(|part| part.names(all)),
        }
    }
}

/// Reads an expression. `base` is where the text starts in its part.
pub(super) fn parse(text: &str, base: usize) -> Result<Tree, Fault> {
    whole(&tokens(text), base, text.len())
}

/// Reads an expression that takes up all of these tokens; `end` is where the text behind them starts.
pub(super) fn whole(tokens: &[Token<'_>], base: usize, end: usize) -> Result<Tree, Fault> {
    let mut parser = Parser { tokens, at: 0, base, end, depth: 0 };
    let tree = parser.expression(1)?;
    match parser.peek() {
        None => Ok(tree),
        Some(token) => {
            Err(parser.fault(Some(token), "the expression does not end here", "an operator is expected here"))
        }
    }
}

struct Parser<'a> {
    tokens: &'a [Token<'a>],
    at: usize,
    base: usize,
    end: usize,
    depth: usize,
}

/// How strongly a binary operator binds.
fn strength(sign: &str) -> Option<u8> {
    Some(match sign {
        "or" => 1,
        "and" => 2,
        "==" | "/=" | "<" | "<=" | ">" | ">=" => 4,
        "+" | "-" => 5,
        "*" | "/" => 6,
        "**" => 8,
        _ => return None,
    })
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<Token<'a>> {
        self.tokens.get(self.at).copied()
    }

    fn rest(&self) -> &'a [Token<'a>] {
        self.tokens.get(self.at..).unwrap_or_default()
    }

    fn sign(&self) -> Option<&'static str> {
        match self.peek()?.kind {
            Kind::Sign(sign) => Some(sign),
            _ => None,
        }
    }

    fn fault(&self, token: Option<Token<'a>>, message: &str, label: &str) -> Fault {
        let (from, to) = token.map_or((self.end, self.end), |t| (t.from, t.to));
        let bad = matches!(token, Some(Token { kind: Kind::BadNumber, .. }));
        let (code, message, label, help) = if bad {
            let help = "numbers are written as 1.8e-12, 6.5D-12 or 1.8e-12_dp";
            (codes::NUMBER, "a number cannot be read", "not a number", help)
        } else {
            let help = "expressions are made of numbers, names, functions in parentheses, and + - * / **";
            (codes::EXPRESSION, message, label, help)
        };
        Fault {
            from: self.base + from,
            to: self.base + to,
            code,
            message: message.to_owned(),
            label: label.to_owned(),
            help: help.to_owned(),
        }
    }

    /// In C a choice between two values, of which the condition has been read: `condition ? yes : no`.
    fn choice(&mut self, condition: Tree) -> Result<Tree, Fault> {
        self.at += 1;
        let yes = self.expression(1)?;
        if self.sign() != Some(":") {
            return Err(self.fault(self.peek(), "a choice is incomplete", "`:` and the other value are expected here"));
        }
        self.at += 1;
        let no = self.expression(1)?;
        let (from, to) = (condition.from, no.to);
        self.made(Node::Apply(Operator::Merge, vec![yes, no, condition]), from, to)
    }

    /// An expression of operators that bind at least so strongly.
    fn expression(&mut self, least: u8) -> Result<Tree, Fault> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.too_deep(self.peek().map_or(self.end, |t| t.from)));
        }
        let mut left = self.prefix(least)?;
        let mut before = None;
        while let Some((sign, binds)) = self.sign().and_then(|sign| Some((sign, strength(sign)?)))
            && binds >= least
        {
            if sign == "+" && left.height >= LONG {
                before = Some(self.joined(before, left)?);
                self.at += 1;
                left = self.expression(binds + 1)?;
                continue;
            }
            if binds < 5 {
                left = self.joined(before.take(), left)?;
            }
            self.at += 1;
            // Powers are taken from the right: a**b**c is a**(b**c).
            let right = self.expression(if sign == "**" { binds } else { binds + 1 })?;
            let (from, to) = (left.from, right.to);
            left = self.made(binary(sign, left, right), from, to)?;
        }
        self.ended(before, left, least)
    }

    /// What has been read of an expression, with the choice that hangs on it. By itself, as every level has what is in
    /// `expression` on the stack.
    fn ended(&mut self, before: Option<Tree>, last: Tree, least: u8) -> Result<Tree, Fault> {
        let mut tree = self.joined(before, last)?;
        if least == 1 && self.sign() == Some("?") {
            tree = self.choice(tree)?;
        }
        self.depth -= 1;
        Ok(tree)
    }

    /// The sum of two pieces of a long sum.
    fn joined(&self, before: Option<Tree>, last: Tree) -> Result<Tree, Fault> {
        let Some(before) = before else { return Ok(last) };
        let (from, to) = (before.from, last.to);
        self.made(binary("+", before, last), from, to)
    }

    /// An operand, with the signs before it. A sign binds less than a power, and as little as the place allows:
    /// `-a**2` and `-a*b` are negative as a whole, but `a/-b*c` is `(a/(-b))*c`.
    fn prefix(&mut self, least: u8) -> Result<Tree, Fault> {
        let Some(start) = self.peek() else {
            return Err(self.fault(None, "an expression is incomplete", "a number, a name or `(` is expected here"));
        };
        let from = self.base + start.from;
        match start.kind {
            Kind::Sign("-") => {
                self.at += 1;
                let operand = self.expression(least.max(6))?;
                let to = operand.to;
                self.made(Node::Apply(Operator::Neg, vec![operand]), from, to)
            }
            Kind::Sign("+") => {
                self.at += 1;
                self.expression(least.max(6))
            }
            Kind::Sign("not") => {
                self.at += 1;
                let operand = self.expression(least.max(4))?;
                let to = operand.to;
                self.made(Node::Apply(Operator::Not, vec![operand]), from, to)
            }
            Kind::Sign("(") => {
                self.at += 1;
                let mut inner = self.expression(1)?;
                self.close(start)?;
                (inner.from, inner.to) = (from, self.last());
                Ok(inner)
            }
            Kind::Number(value, integer) => {
                self.at += 1;
                self.made(Node::Number(value, integer), from, self.base + start.to)
            }
            Kind::Word(word) => {
                self.at += 1;
                if self.sign() != Some("(") {
                    return self.made(Node::Name(word.to_owned()), from, self.base + start.to);
                }
                let arguments = self.arguments()?;
                self.made(Node::Call(word.to_owned(), arguments), from, self.last())
            }
            _ => {
                Err(self.fault(Some(start), "an expression is incomplete", "a number, a name or `(` is expected here"))
            }
        }
    }

    /// Arguments in parentheses.
    fn arguments(&mut self) -> Result<Vec<Tree>, Fault> {
        let open = self.peek();
        self.at += 1;
        let mut arguments = Vec::new();
        if self.sign() == Some(")") {
            self.at += 1;
            return Ok(arguments);
        }
        loop {
            // `REAL(x, KIND=dp)`.
            if let [Token { kind: Kind::Word(name), .. }, Token { kind: Kind::Sign("="), .. }, ..] = self.rest()
                && name.eq_ignore_ascii_case("kind")
            {
                self.at += 2;
            }
            arguments.push(self.expression(1)?);
            match self.sign() {
                Some(",") => self.at += 1,
                _ => {
                    if let Some(open) = open {
                        self.close(open)?;
                    }
                    return Ok(arguments);
                }
            }
        }
    }

    fn close(&mut self, open: Token<'a>) -> Result<(), Fault> {
        if self.sign() == Some(")") {
            self.at += 1;
            return Ok(());
        }
        match self.peek() {
            None => Err(self.fault(Some(open), "a parenthesis is not closed", "opened here")),
            found => {
                Err(self.fault(found, "an expression goes on in an unexpected way", "an operator or `)` is expected"))
            }
        }
    }

    /// Where the last token ends.
    fn last(&self) -> usize {
        self.base + self.at.checked_sub(1).and_then(|i| self.tokens.get(i)).map_or(0, |t| t.to)
    }

    fn made(&self, node: Node, from: usize, to: usize) -> Result<Tree, Fault> {
        let height = 1 + match &node {
            Node::Number(..) | Node::Name(_) => 0,
            Node::Apply(_, parts) | Node::Call(_, parts) => parts.iter().map(|p| p.height).max().unwrap_or(0),
        };
        if height > DEEPEST { Err(self.too_deep(from - self.base)) } else { Ok(Tree { node, from, to, height }) }
    }

    fn too_deep(&self, at: usize) -> Fault {
        let at = self.base + at;
        Fault {
            from: at,
            to: at,
            code: codes::TOO_DEEP,
            message: format!("an expression has more than {DEEPEST} levels"),
            label: "here".into(),
            help: "split it with parentheses, or compute parts of it first in a function".into(),
        }
    }
}

/// A binary operator applied.
fn binary(sign: &str, left: Tree, right: Tree) -> Node {
    let (operator, operands) = match sign {
        "or" => (Operator::Or, vec![left, right]),
        "and" => (Operator::And, vec![left, right]),
        "==" => (Operator::Equal, vec![left, right]),
        "<" => (Operator::Less, vec![left, right]),
        "<=" => (Operator::LessEqual, vec![left, right]),
        ">" => (Operator::Less, vec![right, left]),
        ">=" => (Operator::LessEqual, vec![right, left]),
        "+" => (Operator::Add, vec![left, right]),
        "-" => (Operator::Sub, vec![left, right]),
        "*" => (Operator::Mul, vec![left, right]),
        "**" => (Operator::Pow, vec![left, right]),
        "/=" => {
            let (from, to, height) = (left.from, right.to, 1 + left.height.max(right.height));
            let equal = Node::Apply(Operator::Equal, vec![left, right]);
            (Operator::Not, vec![Tree { node: equal, from, to, height }])
        }
        _ => (Operator::Div, vec![left, right]),
    };
    Node::Apply(operator, operands)
}

/// The value of an expression of numbers, and of names that have one.
pub(super) fn constant(tree: &Tree, known: &dyn Fn(&str) -> Option<f64>) -> Option<f64> {
    let value = |i: usize, parts: &[Tree]| constant(parts.get(i)?, known);
    match &tree.node {
        Node::Number(value, _) => Some(*value),
        Node::Name(name) => known(name),
        Node::Call(..) => None,
        Node::Apply(operator, parts) => {
            let a = value(0, parts)?;
            if *operator == Operator::Neg {
                return Some(-a);
            }
            let b = value(1, parts)?;
            Some(match operator {
                Operator::Add => a + b,
                Operator::Sub => a - b,
                Operator::Mul => a * b,
                Operator::Div => a / b,
                Operator::Pow => a.powf(b),
                _ => return None,
            })
        }
    }
    .filter(|value| value.is_finite())
}

/// Whether an expression of numbers has a quotient of integers, or a negative power of one, whose fraction is lost in Fortran and C.
pub(super) fn has_lost_fraction(tree: &Tree) -> bool {
    let Node::Apply(operator, parts) = &tree.node else { return false };
    let quotient = matches!(operator, Operator::Div | Operator::Pow) && is_integer(tree, &|_| false);
    let lost = || constant(tree, &|_| None).is_some_and(|value| value.fract() != 0.0);
    parts.iter().any(has_lost_fraction) || (quotient && lost())
}

/// Whether an expression is an integer in Fortran; `named` says it of names and calls.
pub(super) fn is_integer(tree: &Tree, named: &dyn Fn(&Node) -> bool) -> bool {
    use Operator::{Add, Div, Mul, Neg, Pow, Sub};
    match &tree.node {
        Node::Number(_, integer) => *integer,
        Node::Apply(Neg | Add | Sub | Mul | Div | Pow, parts) => parts.iter().all(|part| is_integer(part, named)),
        Node::Apply(..) => false,
        other => named(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_of_integers_are_noticed() {
        let lost = |text: &str| has_lost_fraction(&parse(text, 0).expect("an expression"));
        for text in ["5/2*100", "1./3.+(1/3)", "2**(-1)", "-(7/3)"] {
            assert!(lost(text), "{text}");
        }
        for text in ["4/2*100", "5./2*100", "x/2", "2**3", "5*100/2"] {
            assert!(!lost(text), "{text}");
        }
    }

    fn value(text: &str) -> Option<f64> {
        constant(&parse(text, 0).ok()?, &|name| (name == "x").then_some(3.0))
    }

    #[test]
    fn operators_in_their_order() {
        for (text, expected) in [
            ("-x**2", -9.0),
            ("2**3**2", 512.0),
            ("2**-1", 0.5),
            ("2**-1*4", 2.0),
            ("2/-4*8", -4.0),
            ("2-3-4", -5.0),
            ("12/3/2", 2.0),
            ("-2*-3", 6.0),
            ("- 120.0 + 1", -119.0),
            ("(1+2)*3^2", 27.0),
            ("2*(3+4)", 14.0),
        ] {
            assert_eq!(value(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn nesting_has_a_limit() {
        for (before, after) in [("(", ")"), ("-", ""), ("1+", ""), ("2**", ""), ("f(", ")"), ("1?", ":1"), ("1?2:", "")]
        {
            let text = |n: usize| format!("{}x{}", before.repeat(n), after.repeat(n));
            assert!(parse(&text(90), 0).is_ok(), "{before}");
            assert_eq!(parse(&text(100_000), 0).map_err(|f| f.code), Err(codes::TOO_DEEP), "{before}");
        }
    }

    #[test]
    fn faults_have_places() {
        for (text, at, code) in [
            ("1 + ", (4, 4), codes::EXPRESSION),
            ("(1 + 2", (0, 1), codes::EXPRESSION),
            ("1 2", (2, 3), codes::EXPRESSION),
            ("f(1,", (4, 4), codes::EXPRESSION),
            ("2 * 1.2.3", (4, 9), codes::NUMBER),
            ("", (0, 0), codes::EXPRESSION),
        ] {
            let fault = parse(text, 0).unwrap_err();
            assert_eq!(((fault.from, fault.to), fault.code), (at, code), "{text}");
        }
    }
}
