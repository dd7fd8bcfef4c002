//! Finds the functions in Fortran code.

use std::collections::{HashMap, HashSet};

use super::commands::blank;
use super::lex::{Kind, Nesting, Token, tokens, word_at};
use super::part::Part;

/// A function as found; its body is read when it is used.
#[derive(Debug, Clone)]
pub(super) struct Procedure {
    /// Its name as written.
    pub name: String,
    /// Its parameters in lower case.
    pub parameters: Vec<String>,
    /// The variable with its result, in lower case.
    pub result: String,
    /// Whether it is declared to be an integer.
    pub integer: bool,
    /// The header, for its place.
    pub header: Part,
    /// Statements between the header and the end, one a line.
    pub body: Part,
}

/// Functions by name in lower case and number of parameters.
pub(super) type Procedures = HashMap<(String, usize), Procedure>;

/// A piece of code with one statement a line and no comments. `columns` says that it is in fixed form, as of Fortran 77.
pub(super) fn statements(code: &Part, columns: bool) -> Part {
    Part { text: plain(&code.text, columns), ..*code }
}

/// The variables that such code declares to be integers, in lower case.
pub(super) fn integers(code: &Part) -> HashSet<String> {
    let mut all = HashSet::new();
    for line in statements(code, false).text.lines() {
        let tokens = tokens(line);
        if !word_at(&tokens, 0).is_some_and(|first| first.eq_ignore_ascii_case("integer")) {
            continue;
        }
        let double = tokens.iter().position(|token| token.kind == Kind::Sign("::"));
        let (mut nesting, mut begins) = (Nesting::default(), true);
        for token in tokens.iter().skip(double.map_or(1, |at| at + 1)) {
            if let (Kind::Word(name), true) = (token.kind, begins) {
                all.insert(name.to_ascii_lowercase());
            }
            begins = nesting.is_outside(token) && token.kind == Kind::Sign(",");
        }
    }
    all
}

/// Of such code the declarations of constants alone: `REAL(dp), PARAMETER :: a = 1`.
pub(super) fn constants(code: &Part) -> Part {
    let mut bytes = statements(code, false).text.into_bytes();
    let mut from = 0;
    for line in String::from_utf8_lossy(&bytes.clone()).split_inclusive('\n') {
        let tokens = tokens(line);
        let is = |at: usize, name: &str| word_at(&tokens, at).is_some_and(|w| w.eq_ignore_ascii_case(name));
        if !(0..tokens.len()).any(|at| is(at, "parameter")) || is(0, "character") {
            blank(&mut bytes, from, from + line.len());
        }
        from += line.len();
    }
    Part { text: String::from_utf8_lossy(&bytes).into_owned(), ..*code }
}

/// Adds the functions in a piece of code. `columns` says that it is in fixed form, as of Fortran 77.
pub(super) fn functions(code: &Part, columns: bool, all: &mut Procedures) {
    let code = Part { text: plain(&code.text, columns), ..*code };
    let mut open: Option<(Procedure, usize)> = None;
    let mut close = |open: &mut Option<(Procedure, usize)>, end: usize| {
        if let Some((mut procedure, from)) = open.take() {
            procedure.body = code.cut(from, end);
            all.insert((procedure.name.to_ascii_lowercase(), procedure.parameters.len()), procedure);
        }
    };
    let mut from = 0;
    for line in code.text.split_inclusive('\n') {
        let line_tokens = tokens(line);
        if let Some(procedure) = header(&line_tokens, &code.cut(from, from + line.trim_end().len())) {
            close(&mut open, from);
            open = Some((procedure, from + line.len()));
        } else if ends(&line_tokens) {
            close(&mut open, from);
        }
        from += line.len();
    }
    close(&mut open, code.text.len());
}

/// Whether a statement is `END`, or ends a function, subroutine or module.
fn ends(tokens: &[Token<'_>]) -> bool {
    let is = |at: usize, names: &[&str]| {
        word_at(tokens, at).is_some_and(|w| names.iter().any(|n| w.eq_ignore_ascii_case(n)))
    };
    is(0, &["endfunction", "endsubroutine"])
        || is(0, &["end"]) && (tokens.len() == 1 || is(1, &["function", "subroutine", "module"]))
}

/// The function that a statement heads: `REAL(KIND=dp) FUNCTION name(a, b) RESULT(c)`.
fn header(tokens: &[Token<'_>], line: &Part) -> Option<Procedure> {
    // `KPP_REAL` is how KPP's own files have it.
    const BEFORE: [&str; 11] = [
        "real",
        "double",
        "doubleprecision",
        "kpp_real",
        "integer",
        "logical",
        "elemental",
        "pure",
        "impure",
        "recursive",
        "function",
    ];
    let first = word_at(tokens, 0)?;
    BEFORE.iter().find(|known| first.eq_ignore_ascii_case(known))?;
    let at = (0..tokens.len()).find(|&i| word_at(tokens, i).is_some_and(|w| w.eq_ignore_ascii_case("function")))?;
    let name = word_at(tokens, at + 1)?;
    let mut parameters = Vec::new();
    let mut i = at + 2;
    if tokens.get(i)?.kind != Kind::Sign("(") {
        return None;
    }
    i += 1;
    while let Some(parameter) = word_at(tokens, i) {
        parameters.push(parameter.to_ascii_lowercase());
        i += 1;
        if tokens.get(i).is_some_and(|t| t.kind == Kind::Sign(",")) {
            i += 1;
        }
    }
    let mut result = name;
    if word_at(tokens, i + 1).is_some_and(|w| w.eq_ignore_ascii_case("result")) {
        result = word_at(tokens, i + 3).unwrap_or(name);
    }
    let integer = tokens.iter().take(at).any(|t| matches!(t.kind, Kind::Word(w) if w.eq_ignore_ascii_case("integer")));
    Some(Procedure {
        name: name.to_owned(),
        parameters,
        result: result.to_ascii_lowercase(),
        integer,
        header: line.clone(),
        body: Part::default(),
    })
}

/// Blanks comments and joins continued lines, without moving a byte; `;` becomes a line end.
fn plain(text: &str, columns: bool) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let mut from = 0;
    let mut behind = 0; // where the last statement ended
    let mut continued = false;
    for line in text.split_inclusive('\n') {
        let whole = line.trim_end_matches('\n').len();
        let comment = line.starts_with('#') || columns && line.starts_with(['C', 'c', '*']);
        let code = if comment { 0 } else { line.find('!').unwrap_or(whole) };
        blank(&mut bytes, from + code, from + whole);
        let mut code = line.get(..code).unwrap_or_default();
        let mut start = from;
        if columns {
            let sixth = code.as_bytes().get(5).is_some_and(|b| !matches!(b, b' ' | b'0'));
            let label = code.get(..5).unwrap_or("x");
            if sixth && label.trim().is_empty() && code.is_ascii() {
                continued = true;
                blank(&mut bytes, from + 5, from + 6);
                start += 6;
                code = code.get(6..).unwrap_or_default();
            }
        }
        let trimmed = code.trim();
        if !trimmed.is_empty() {
            if continued {
                for byte in bytes.get_mut(behind..from).into_iter().flatten().filter(|byte| **byte == b'\n') {
                    *byte = b' ';
                }
                let lead = code.len() - code.trim_start().len();
                if trimmed.starts_with('&') {
                    blank(&mut bytes, start + lead, start + lead + 1);
                }
            }
            let end = start + code.trim_end().len();
            continued = trimmed.ends_with('&');
            if continued {
                blank(&mut bytes, end - 1, end);
            }
            behind = end;
        }
        from += line.len();
    }
    // Statements on one line are separated by semicolons.
    String::from_utf8_lossy(&bytes).replace(';', "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, columns: bool) -> Vec<(String, Vec<String>, String)> {
        let mut all = Procedures::new();
        functions(&Part { file: 1, start: 0, text: text.into() }, columns, &mut all);
        let mut all: Vec<_> = all
            .into_values()
            .map(|p| (p.name, p.parameters, p.body.text.split_whitespace().collect::<Vec<_>>().join(" ")))
            .collect();
        all.sort();
        all
    }

    #[test]
    fn functions_with_comments_and_continuations() {
        let text = "! comment é\nREAL(KIND=dp) FUNCTION k( A, & ! more\n! between\n  & B ) ! c\n k = A + &\n   B; x = 1\nEND FUNCTION\n\
                    subroutine s(a)\n a = 1\nend subroutine\nDOUBLE PRECISION FUNCTION L()\nL = 1\nEND";
        let expected = [("L", vec![], "L = 1"), ("k", vec!["a", "b"], "k = A + B x = 1")];
        let expected: Vec<_> = expected
            .into_iter()
            .map(|(n, p, b)| (n.to_owned(), p.into_iter().map(str::to_owned).collect(), b.to_owned()))
            .collect();
        assert_eq!(found(text, false), expected);
    }

    #[test]
    fn columns_of_fortran_77() {
        let text = "C comment\n      REAL*8 FUNCTION f( a,\n     *   b )\n      f = a\n     1   + b\n      END\n";
        assert_eq!(found(text, true), [("f".to_owned(), vec!["a".to_owned(), "b".to_owned()], "f = a + b".to_owned())]);
    }
}
