//! The words, numbers and signs of expressions, as Fortran and C write them.

/// A word, number or sign.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Token<'a> {
    /// What it is.
    pub kind: Kind<'a>,
    /// Its first byte.
    pub from: usize,
    /// One past its last byte.
    pub to: usize,
}

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kind<'a> {
    /// A number, and whether it is an integer.
    Number(f64, bool),
    /// A name or keyword.
    Word(&'a str),
    /// A sign or operator, in one spelling.
    Sign(&'static str),
    /// A number that cannot be read.
    BadNumber,
    /// Something else.
    Foreign,
}

/// Signs and what they are; longer ones first.
const SIGNS: [(&str, &str); 26] = [
    ("**", "**"),
    ("==", "=="),
    ("/=", "/="),
    ("!=", "/="),
    ("<=", "<="),
    (">=", ">="),
    ("&&", "and"),
    ("||", "or"),
    ("::", "::"),
    ("(/", "(/"),
    ("+", "+"),
    ("-", "-"),
    ("*", "*"),
    ("/", "/"),
    ("^", "**"),
    ("(", "("),
    (")", ")"),
    (",", ","),
    ("=", "="),
    ("<", "<"),
    (">", ">"),
    ("!", "not"),
    (":", ":"),
    ("?", "?"),
    ("%", "%"),
    ("[", "["),
];

/// Fortran's operators between dots.
const DOTTED: [(&str, &str); 9] = [
    ("and", "and"),
    ("or", "or"),
    ("not", "not"),
    ("eq", "=="),
    ("ne", "/="),
    ("lt", "<"),
    ("le", "<="),
    ("gt", ">"),
    ("ge", ">="),
];

/// All tokens of a text.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut all = Vec::new();
    let mut from = 0;
    while let Some(rest) = text.get(from..).filter(|rest| !rest.is_empty()) {
        let first = rest.chars().next().unwrap_or(' ');
        if first.is_whitespace() {
            from += first.len_utf8();
            continue;
        }
        let (kind, length) = token(rest, first);
        all.push(Token { kind, from, to: from + length });
        from += length;
    }
    all
}

/// The word at a place, as written, if it is one.
pub(super) fn word_at<'a>(tokens: &[Token<'a>], at: usize) -> Option<&'a str> {
    match tokens.get(at)?.kind {
        Kind::Word(word) => Some(word),
        _ => None,
    }
}

/// The sign at a place, if it is one.
pub(super) fn sign_at(tokens: &[Token<'_>], at: usize) -> Option<&'static str> {
    match tokens.get(at)?.kind {
        Kind::Sign(sign) => Some(sign),
        _ => None,
    }
}

/// The place of the parenthesis that closes the one at `open`.
pub(super) fn closing(tokens: &[Token<'_>], open: usize) -> Option<usize> {
    let mut nesting = Nesting::default();
    let end = |token: &Token<'_>| nesting.is_outside(token) && token.kind == Kind::Sign(")");
    tokens.get(open..)?.iter().position(end).map(|behind| open + behind)
}

/// How many parentheses are open.
#[derive(Debug, Default)]
pub(super) struct Nesting(usize);

impl Nesting {
    /// Goes past a token; whether none is open behind it.
    pub fn is_outside(&mut self, token: &Token<'_>) -> bool {
        match token.kind {
            Kind::Sign("(" | "(/") => self.0 += 1,
            Kind::Sign(")") => self.0 = self.0.saturating_sub(1),
            _ => {}
        }
        self.0 == 0
    }
}

/// The token at the start of a text, and its length.
fn token(rest: &str, first: char) -> (Kind<'_>, usize) {
    if first.is_ascii_alphabetic() || first == '_' {
        let length = word(rest);
        return (Kind::Word(rest.get(..length).unwrap_or_default()), length);
    }
    if first == '.'
        && let Some(operator) = dotted(rest)
    {
        return operator;
    }
    let digit = |at: usize| rest.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    if digit(0) || first == '.' && digit(1) {
        return number(rest);
    }
    match SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
        Some(&(sign, name)) => (Kind::Sign(name), sign.len()),
        None => (Kind::Foreign, first.len_utf8()),
    }
}

/// Length of the name at the start of a text.
fn word(rest: &str) -> usize {
    rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count()
}

/// An operator or constant between dots.
fn dotted(rest: &str) -> Option<(Kind<'static>, usize)> {
    let name = rest.get(1..)?.split('.').next()?;
    let length = name.len() + 2;
    rest.get(..length)?;
    let name = name.to_ascii_lowercase();
    match name.as_str() {
        "true" => return Some((Kind::Number(1.0, false), length)),
        "false" => return Some((Kind::Number(0.0, false), length)),
        _ => {}
    }
    let &(_, sign) = DOTTED.iter().find(|(known, _)| *known == name)?;
    Some((Kind::Sign(sign), length))
}

/// A number: `1`, `1.`, `.5`, `1.8e-12_dp`, `6.5D-12`. What is glued to it makes it a bad one.
fn number(rest: &str) -> (Kind<'static>, usize) {
    let bytes = rest.as_bytes();
    let digits = |from: usize| bytes.iter().skip(from).take_while(|b| b.is_ascii_digit()).count();
    let mut at = digits(0);
    let mut integer = true;
    // The dot in `1.EQ.2` belongs to the operator.
    if bytes.get(at) == Some(&b'.') && rest.get(at..).and_then(dotted).is_none() {
        integer = false;
        at += 1 + digits(at + 1);
    }
    let mut text = rest.get(..at).unwrap_or_default().to_owned();
    if matches!(bytes.get(at), Some(b'e' | b'E' | b'd' | b'D' | b'q' | b'Q')) {
        let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let length = digits(at + 1 + sign);
        if length > 0 {
            integer = false;
            text.push('e');
            text.push_str(rest.get(at + 1..at + 1 + sign + length).unwrap_or_default());
            at += 1 + sign + length;
        }
    }
    if bytes.get(at) == Some(&b'_') {
        at += word(rest.get(at..).unwrap_or_default());
    }
    let mut end = at;
    loop {
        let glued = rest.get(end..).unwrap_or_default();
        let more = word(glued) + usize::from(glued.starts_with('.') && dotted(glued).is_none());
        if more == 0 {
            break;
        }
        end += more;
    }
    match text.parse::<f64>() {
        Ok(value) if end == at && value.is_finite() => (Kind::Number(value, integer), at),
        _ => (Kind::BadNumber, end),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Kind<'_>> {
        tokens(text).into_iter().map(|t| t.kind).collect()
    }

    #[test]
    fn numbers_as_fortran_and_c_write_them() {
        for (text, value) in [
            ("6.5D-12", 6.5e-12),
            ("1.8e-12_dp", 1.8e-12),
            ("120._dp", 120.0),
            ("600.", 600.0),
            (".20946e0", 0.20946),
            ("1.0e-12d0", f64::NAN),
            ("1E+5", 1e5),
            ("3.D2", 300.0),
            ("2.59e-54", 2.59e-54),
            ("1_8", 1.0),
            ("1e999", f64::NAN),
            ("1.2.3", f64::NAN),
            ("1.0e", f64::NAN),
        ] {
            let read = match kinds(text).first() {
                Some(Kind::Number(read, _)) => *read,
                other => {
                    assert!(matches!(other, Some(Kind::BadNumber)), "{text}: {other:?}");
                    f64::NAN
                }
            };
            assert_eq!(read.to_bits(), value.to_bits(), "{text}");
        }
    }

    #[test]
    fn dots_belong_to_operators() {
        use Kind::{Number, Sign, Word};
        assert_eq!(kinds("1.EQ.2"), [Number(1.0, true), Sign("=="), Number(2.0, true)]);
        assert_eq!(kinds("a.and..NOT.b"), [Word("a"), Sign("and"), Sign("not"), Word("b")]);
        assert_eq!(kinds("1..GT.x"), [Number(1.0, false), Sign(">"), Word("x")]);
        assert_eq!(kinds("é$"), [Kind::Foreign, Kind::Foreign]);
    }
}
