//! Reads the statements of a function: declarations, assignments and IF.

use super::blocks::Blocks;
use super::codes;
use super::fortran::Procedure;
use super::lex::{Kind, Nesting, Token, closing, sign_at, tokens, word_at};
use super::part::Fault;
use super::tree::{self, Tree};
use super::usage::assigned;
use std::collections::HashSet;

/// Deepest nesting of IF.
const DEEPEST: usize = 20;

/// A statement as written.
#[derive(Debug)]
pub(super) enum Line {
    /// An assignment: the variable in lower case and its value.
    Set(String, Tree),
    /// IF, ELSE IF, ELSE.
    If(Vec<(Tree, Vec<Line>)>, Vec<Line>),
}

/// Everything in a function.
#[derive(Debug, Default)]
pub(super) struct Body {
    /// Its statements.
    pub lines: Vec<Line>,
    /// Its variables in lower case: parameters first, then as they occur.
    pub variables: Vec<String>,
    /// Those that are declared to be integers.
    pub integers: HashSet<String>,
}

/// Reads the body of a function.
pub(super) fn read(procedure: &Procedure) -> Result<Body, Fault> {
    let mut reader = Reader::default();
    reader.body.variables.clone_from(&procedure.parameters);
    reader.variable(&procedure.result);
    if procedure.integer {
        let end = procedure.body.text.lines().next().map_or(0, |line| line.trim_end().len());
        return Err(unsupported("integer arithmetic", 0, end));
    }
    reader.code(&procedure.body.text)
}

/// Subroutines of hosts that read their arguments and do not set them: that of the Master Chemical Mechanism.
const READING: [&str; 1] = ["mcm_constants"];

/// Statements that are in no function.
#[derive(Debug, Default)]
pub(super) struct Tolerated {
    /// Those that can be read.
    pub lines: Vec<Line>,
    /// What is wrong with the others.
    pub faults: Vec<Fault>,
    /// Variables that are set by statements which can be read, and also, or maybe, by others.
    pub dropped: Vec<String>,
}

/// Reads statements that are in no function. What those set, or may set, that cannot be read is not known, and no statement
/// that sets it is kept. `integers` are variables that are declared elsewhere; `foreign` says where an expression calls what
/// is not known.
pub(super) fn tolerant(text: &str, integers: &HashSet<String>, foreign: &dyn Fn(&Tree) -> Option<Fault>) -> Tolerated {
    let (mut reader, mut faults, mut lost) = (Reader::default(), Vec::new(), HashSet::new());
    reader.body.integers.clone_from(integers);
    let (mut from, mut skipped) = (0, Blocks::default());
    for line in text.split_inclusive('\n') {
        let (tokens, base) = (tokens(line), from);
        let statement = Statement { tokens: &tokens, base, text: line };
        from += line.len();
        if !skipped.any() {
            match reader.statement(&statement) {
                Ok(()) => continue,
                Err(fault) => faults.push(fault),
            }
        }
        skipped.pass(line);
        statement.sets(&mut lost);
    }
    for open in std::mem::take(&mut reader.open) {
        lost.extend(assigned(&[Line::If(open.arms, open.last.unwrap_or_default())]));
    }
    let (mut lines, mut dropped) = (reader.body.lines, Vec::new());
    lines.retain(|line| {
        let fault = first_fault(std::slice::from_ref(line), foreign);
        if fault.is_some() {
            lost.extend(assigned(std::slice::from_ref(line)));
        }
        let known = fault.is_none();
        faults.extend(fault);
        known
    });
    loop {
        let before = lines.len();
        lines.retain(|line| {
            let names = assigned(std::slice::from_ref(line));
            let known = !names.iter().any(|name| lost.contains(name));
            if !known {
                dropped.extend(names.iter().cloned());
                lost.extend(names);
            }
            known
        });
        if lines.len() == before {
            faults.sort_by_key(|fault| fault.from);
            dropped.sort_unstable();
            dropped.dedup();
            return Tolerated { lines, faults, dropped };
        }
    }
}

/// What is wrong with the first expression of statements with which something is.
fn first_fault(lines: &[Line], foreign: &dyn Fn(&Tree) -> Option<Fault>) -> Option<Fault> {
    lines.iter().find_map(|line| match line {
        Line::Set(_, value) => foreign(value),
        Line::If(arms, last) => arms
            .iter()
            .find_map(|(condition, lines)| foreign(condition).or_else(|| first_fault(lines, foreign)))
            .or_else(|| first_fault(last, foreign)),
    })
}

/// One statement.
struct Statement<'a> {
    tokens: &'a [Token<'a>],
    base: usize,
    text: &'a str,
}

impl<'a> Statement<'a> {
    /// A word at a place, in lower case.
    fn word(&self, at: usize) -> Option<String> {
        word_at(self.tokens, at).map(str::to_ascii_lowercase)
    }

    fn sign(&self, at: usize) -> Option<&'static str> {
        sign_at(self.tokens, at)
    }

    fn closing(&self, open: usize) -> Option<usize> {
        closing(self.tokens, open)
    }

    /// The expression that these tokens make.
    fn tree(&self, from: usize, to: usize) -> Result<Tree, Fault> {
        let end = match to.checked_sub(1).and_then(|last| self.tokens.get(last)) {
            Some(last) => last.to,
            None => self.text.trim_end().len(),
        };
        tree::whole(self.tokens.get(from..to).unwrap_or_default(), self.base, end)
    }

    /// Adds the variables that it sets, or may set: in front of `=`, or handed over in a CALL.
    fn sets(&self, all: &mut HashSet<String>) {
        // Also behind a condition: `IF (a) CALL b(c)`.
        let call = (0..self.tokens.len())
            .find(|&at| self.word(at).as_deref() == Some("call"))
            .filter(|&call| !self.word(call + 1).is_some_and(|name| READING.contains(&name.as_str())));
        for at in 0..self.tokens.len() {
            let Some(word) = self.word(at) else { continue };
            let behind = self.closing(at + 1).filter(|_| self.sign(at + 1) == Some("(")).map_or(at + 1, |end| end + 1);
            if self.sign(behind) == Some("=") || call.is_some_and(|call| at > call + 1) {
                all.insert(word);
            }
        }
    }

    /// A statement within this one.
    fn part(&self, from: usize, to: usize) -> Self {
        Self { tokens: self.tokens.get(from..to).unwrap_or_default(), base: self.base, text: self.text }
    }

    /// A fault: the statement is not supported.
    fn foreign(&self, what: &str) -> Fault {
        let from = self.tokens.first().map_or(0, |t| t.from);
        let to = self.tokens.last().map_or(from, |t| t.to);
        unsupported(what, self.base + from, self.base + to)
    }
}

fn unsupported(what: &str, from: usize, to: usize) -> Fault {
    Fault {
        from,
        to,
        code: codes::UNSUPPORTED,
        message: what.to_owned(),
        label: "not supported".to_owned(),
        help: "functions may declare numbers, assign them, and use IF, ELSE IF and ELSE; \
               write the rate constant with these, or give it as an input: a name without parentheses"
            .to_owned(),
    }
}

/// An IF that is still open.
#[derive(Default)]
struct Open {
    arms: Vec<(Tree, Vec<Line>)>,
    last: Option<Vec<Line>>,
}

/// Reads one statement after the other.
#[derive(Default)]
struct Reader {
    body: Body,
    open: Vec<Open>,
    returned: bool,
}

impl Reader {
    /// Reads all of a function.
    fn code(mut self, text: &str) -> Result<Body, Fault> {
        let reader = &mut self;
        let mut from = 0;
        for line in text.split_inclusive('\n') {
            reader.statement(&Statement { tokens: &tokens(line), base: from, text: line })?;
            from += line.len();
        }
        if reader.open.is_empty() {
            return Ok(self.body);
        }
        let end = text.trim_end().len();
        Err(Fault {
            from: end,
            to: end,
            code: codes::EXPRESSION,
            message: "an IF is not closed".into(),
            label: "`END IF` is expected before the end of the function".into(),
            help: "close it with `END IF`".into(),
        })
    }

    fn variable(&mut self, name: &str) {
        if !self.body.variables.iter().any(|known| known == name) {
            self.body.variables.push(name.to_owned());
        }
    }

    /// Adds a statement where it belongs.
    fn add(&mut self, line: Line) {
        let list = match self.open.last_mut() {
            None => &mut self.body.lines,
            Some(Open { last: Some(last), .. }) => last,
            Some(Open { arms, .. }) => match arms.last_mut() {
                Some((_, lines)) => lines,
                None => return, // an IF has an arm from its start
            },
        };
        list.push(line);
    }

    fn statement(&mut self, s: &Statement<'_>) -> Result<(), Fault> {
        let Some(first) = s.tokens.first() else { return Ok(()) };
        if self.returned {
            return Err(s.foreign("statements behind RETURN"));
        }
        let Some(word) = s.word(0) else {
            return match first.kind {
                Kind::Number(..) => Err(s.foreign("a label")),
                _ => Err(s.foreign("a statement that starts with a sign")),
            };
        };
        if s.sign(1) == Some("=") {
            return self.assign(&word, s);
        }
        let second = s.word(1);
        match (word.as_str(), second.as_deref()) {
            ("if", _) if s.sign(1) == Some("(") => self.condition(s, 1, false),
            ("elseif", _) if s.sign(1) == Some("(") => self.condition(s, 1, true),
            ("else", Some("if")) if s.sign(2) == Some("(") => self.condition(s, 2, true),
            ("else", None) if s.tokens.len() == 1 => match self.open.last_mut() {
                Some(open) if open.last.is_none() => {
                    open.last = Some(Vec::new());
                    Ok(())
                }
                _ => Err(stray(s)),
            },
            ("endif", _) | ("end", Some("if")) => {
                let open = self.open.pop().ok_or_else(|| stray(s))?;
                self.add(Line::If(open.arms, open.last.unwrap_or_default()));
                Ok(())
            }
            ("return", None) if self.open.is_empty() => {
                self.returned = true;
                Ok(())
            }
            ("return", _) => Err(s.foreign("RETURN within IF")),
            ("real" | "integer" | "logical" | "doubleprecision" | "kpp_real", _) | ("double", Some("precision")) => {
                self.declaration(s, &word)
            }
            ("parameter", _) if s.sign(1) == Some("(") => match s.closing(1) {
                Some(end) => self.entities(&s.part(2, end), false),
                None => Err(s.foreign("a PARAMETER statement of this form")),
            },
            ("implicit" | "intrinsic" | "external" | "intent" | "use" | "contains" | "save" | "optional", _) => Ok(()),
            ("complex" | "character" | "type", _) => {
                Err(s.foreign(&format!("variables of type {}", word.to_uppercase())))
            }
            ("dimension" | "data", _) => Err(s.foreign("an array")),
            _ if s.sign(1) == Some("(") && s.closing(1).is_some_and(|end| s.sign(end + 1) == Some("=")) => {
                Err(s.foreign("an array"))
            }
            ("do" | "enddo" | "while", _) | ("end", Some("do")) => Err(s.foreign("a DO loop")),
            _ => Err(s.foreign(&format!("the statement {}", word.to_uppercase()))),
        }
    }

    fn assign(&mut self, name: &str, s: &Statement<'_>) -> Result<(), Fault> {
        let value = s.tree(2, s.tokens.len())?;
        if self.body.integers.contains(name) {
            return Err(s.foreign("integer arithmetic"));
        }
        self.variable(name);
        self.add(Line::Set(name.to_owned(), value));
        Ok(())
    }

    /// IF or ELSE IF with its condition in parentheses.
    fn condition(&mut self, s: &Statement<'_>, open: usize, or: bool) -> Result<(), Fault> {
        let close = s.closing(open).ok_or_else(|| s.foreign("an IF whose parenthesis is not closed"))?;
        let condition = s.tree(open + 1, close)?;
        let rest = s.part(close + 1, s.tokens.len());
        let then = rest.tokens.len() == 1 && rest.word(0).as_deref() == Some("then");
        if or {
            return match self.open.last_mut() {
                Some(open) if open.last.is_none() && then => {
                    open.arms.push((condition, Vec::new()));
                    Ok(())
                }
                _ => Err(stray(s)),
            };
        }
        if self.open.len() >= DEEPEST {
            return Err(s.foreign(&format!("more than {DEEPEST} nested IF")));
        }
        self.open.push(Open { arms: vec![(condition, Vec::new())], last: None });
        if then {
            return Ok(());
        }
        // One statement that depends on the condition.
        let done = match rest.word(0) {
            Some(name) if rest.sign(1) == Some("=") => self.assign(&name, &rest),
            _ => Err(s.foreign("an IF with a statement other than an assignment")),
        };
        let open = self.open.pop().unwrap_or_default();
        done?;
        self.add(Line::If(open.arms, Vec::new()));
        Ok(())
    }

    /// `REAL(KIND=dp), INTENT(IN) :: a, b = 1`, `REAL*8 a`.
    fn declaration(&mut self, s: &Statement<'_>, word: &str) -> Result<(), Fault> {
        let double = (0..s.tokens.len()).find(|&at| s.sign(at) == Some("::"));
        let entities = match double {
            Some(at) => {
                if (0..at).any(|i| s.word(i).as_deref() == Some("dimension")) {
                    return Err(s.foreign("an array"));
                }
                at + 1
            }
            None => match s.sign(1) {
                Some("*") => 3,
                Some("(") => s.closing(1).map_or(s.tokens.len(), |end| end + 1),
                _ => 1 + usize::from(word == "double"),
            },
        };
        self.entities(&s.part(entities, s.tokens.len()), word == "integer")
    }

    /// Names with or without values, between commas.
    fn entities(&mut self, s: &Statement<'_>, integer: bool) -> Result<(), Fault> {
        let mut at = 0;
        while let Some(name) = s.word(at) {
            let written = word_at(s.tokens, at).unwrap_or_default();
            self.variable(&name);
            at += 1;
            match s.sign(at) {
                Some("(") => return Err(s.foreign(&format!("an array, `{written}`"))),
                Some("=") => {
                    let mut nesting = Nesting::default();
                    let ends = |token: &Token<'_>| nesting.is_outside(token) && token.kind == Kind::Sign(",");
                    let end = s.tokens[at..].iter().position(ends).map_or(s.tokens.len(), |comma| at + comma);
                    let value = s.tree(at + 1, end)?;
                    self.add(Line::Set(name.clone(), value));
                    at = end;
                }
                _ => {}
            }
            if integer {
                self.body.integers.insert(name);
            }
            if s.sign(at) == Some(",") {
                at += 1;
            }
        }
        if at < s.tokens.len() { Err(s.foreign("a declaration of this form")) } else { Ok(()) }
    }
}

fn stray(s: &Statement<'_>) -> Fault {
    let mut fault = s.foreign("ELSE or END IF without IF");
    fault.help = "an IF starts with `IF (condition) THEN`".into();
    fault
}
