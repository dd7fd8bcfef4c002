//! Blocks of statements: what begins with IF, DO and the like and ends further down, in Fortran or between braces.

use super::lex::{Kind, Token, closing, sign_at, tokens, word_at};

/// Words behind END that close a block; also glued to it.
const CLOSING: [&str; 7] = ["if", "do", "select", "where", "forall", "block", "associate"];

/// The blocks that are open.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    /// For each the label of its last statement, if it has one: `DO 10 I = 1, 3`.
    open: Vec<Option<f64>>,
}

impl Blocks {
    /// Whether there are any.
    pub fn any(&self) -> bool {
        !self.open.is_empty()
    }

    /// Goes past a statement; says whether it opens a block, or is in one, or closes it.
    pub fn pass(&mut self, text: &str) -> bool {
        let before = self.any();
        if text.contains(['{', '}']) {
            for brace in text.bytes() {
                match brace {
                    b'{' => self.open.push(None),
                    b'}' => _ = self.open.pop(),
                    _ => {}
                }
            }
            return true;
        }
        let tokens = tokens(text);
        let (label, statement) = match tokens.as_slice() {
            [Token { kind: Kind::Number(label, true), .. }, rest @ ..] => (Some(*label), rest),
            all => (None, all),
        };
        let statement = Statement(match statement {
            // Behind the name of the block.
            [Token { kind: Kind::Word(_), .. }, Token { kind: Kind::Sign(":"), .. }, rest @ ..] => rest,
            all => all,
        });
        let closes = statement.closes();
        if closes {
            self.open.pop();
        } else if statement.opens() {
            self.open.push(statement.number(1));
        }
        // Loops within each other may end with one statement.
        while label.is_some() && self.open.last() == Some(&label) {
            self.open.pop();
        }
        before || closes || self.any()
    }
}

/// A statement without its label.
struct Statement<'a>(&'a [Token<'a>]);

impl Statement<'_> {
    fn word(&self, at: usize) -> String {
        word_at(self.0, at).map(str::to_ascii_lowercase).unwrap_or_default()
    }

    /// The label that `DO 10` names.
    fn number(&self, at: usize) -> Option<f64> {
        match self.0.get(at)?.kind {
            Kind::Number(value, true) => Some(value),
            _ => None,
        }
    }

    /// What follows the first word and what stands in parentheses behind it.
    fn behind(&self) -> usize {
        if sign_at(self.0, 1) != Some("(") {
            return 1;
        }
        closing(self.0, 1).map_or(self.0.len(), |at| at + 1)
    }

    /// Whether it sets a variable, which may be called like a keyword.
    fn assigns(&self) -> bool {
        matches!(sign_at(self.0, self.behind()), Some("=" | "%"))
    }

    /// One with more than a condition in parentheses, such as `WHERE (mask) x = y`, is complete.
    fn opens(&self) -> bool {
        let (behind, all) = (self.behind(), self.0.len());
        let opens = match self.word(0).as_str() {
            "if" => behind + 1 == all && self.word(behind) == "then",
            "do" | "dowhile" | "selectcase" | "selecttype" => true,
            "select" => ["case", "type", "rank"].contains(&self.word(1).as_str()),
            "where" | "forall" | "associate" => behind > 1 && behind == all,
            "block" => all == 1,
            _ => false,
        };
        opens && !self.assigns()
    }

    fn closes(&self) -> bool {
        let word = self.word(0);
        let Some(glued) = word.strip_prefix("end").filter(|_| !self.assigns()) else { return false };
        match (glued, self.0.len()) {
            ("", 1) => true,
            ("", _) => CLOSING.contains(&self.word(1).as_str()),
            _ => CLOSING.contains(&glued),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of open blocks behind each line.
    fn depths(code: &str) -> Vec<usize> {
        let mut blocks = Blocks::default();
        code.lines().map(|line| (blocks.pass(line), blocks.open.len()).1).collect()
    }

    #[test]
    fn every_block_opens_and_closes() {
        for (open, close) in [
            ("IF (a(1) > 2) THEN", "END IF"),
            ("if(a)then", "endif"),
            ("DO", "END DO"),
            ("do i = 1, 3", "EndDo"),
            ("DO WHILE (a < 1)", "end do"),
            ("outer: DO i = 1, 3", "END DO outer"),
            ("check : if (a) then", "end if check"),
            ("SELECT CASE (i)", "END SELECT"),
            ("selectcase(i)", "endselect"),
            ("WHERE (a > 0)", "END WHERE"),
            ("FORALL (i = 1:3)", "ENDFORALL"),
            ("BLOCK", "END BLOCK"),
            ("ASSOCIATE (x => y)", "END ASSOCIATE"),
            ("10 IF (a) THEN", "20 END IF"),
            ("DO 10 i = 1, 3", "10 CONTINUE"),
            ("DO 10 i = 1, 3", "10 x = 1"),
            ("DO 10 i = 1, 3", "10 END DO"),
            ("if (!a) {", "}"),
            ("do {", "} while (a)"),
            ("IF (a) THEN", "END"),
        ] {
            assert_eq!(depths(&format!("{open}\nx = 1\n{close}\ny = 1")), [1, 1, 0, 0], "{open}");
        }
    }

    #[test]
    fn blocks_within_blocks() {
        assert_eq!(depths("DO i = 1, 3\nIF (a) THEN\nELSE IF (b) THEN\nELSE\nEND IF\nEND DO"), [1, 2, 2, 2, 1, 0]);
        assert_eq!(depths("select case (i)\ncase (1)\ncase default\nend select"), [1, 1, 1, 0]);
        assert_eq!(depths("where (a)\nelsewhere (b)\nelsewhere\nend where"), [1, 1, 1, 0]);
        assert_eq!(depths("DO 10 i = 1, 3\nDO 10 j = 1, 3\n10 CONTINUE\nx = 1"), [1, 2, 0, 0]);
        assert_eq!(depths("if (a) {\n} else {\n}"), [1, 1, 0]);
    }

    #[test]
    fn what_is_complete_opens_nothing_and_closes_nothing() {
        for line in [
            "IF (a > 0) x = 1",
            "if (a) call b(then)",
            "IF (a) 10, 20, 30",
            "WHERE (a > 0) x = y",
            "FORALL (i = 1:3) x(i) = 0",
            "10 CONTINUE",
            "do = 1",
            "if(3) = then",
            "block = 2",
            "where = a",
            "select = 1",
            "end = 3",
            "end(1) = 2",
            "ending = 1",
            "enddo = 1",
            "END FUNCTION f",
            "ELSE",
            "END IF",
            "for (i = 0; i < 3; i++) { x = 1; }",
        ] {
            assert_eq!(depths(line), [0], "{line}");
        }
        let mut blocks = Blocks::default();
        assert!(!blocks.pass("x = 1") && blocks.pass("END IF") && blocks.pass("DO") && blocks.pass("x = 1"));
    }
}
