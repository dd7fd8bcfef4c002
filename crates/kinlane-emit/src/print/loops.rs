//! Loops as text.

use super::body::{Body, type_of};
use super::expression::Text;
use crate::hazard::Touched;
use crate::program::{Fold, Loop, Statement, effective};
use crate::strip;

impl Body<'_, '_> {
    pub(super) fn repeat(&mut self, l: &Loop) {
        if !self.shared {
            return match self.printer.d.abreast {
                2.. if strip::pays(self.f, l) || strip::sums(self.f, l) => self.strips(l),
                _ => self.turns(l, "", "1"),
            };
        }
        let touched = Touched::by(self.f, &l.body, &|s| self.span(s));
        if l.independent || !effective(&l.body) {
            if self.pending.stops_loop(&touched) {
                self.sync();
            }
            self.pending.spread(touched);
            self.shared = false;
            match (l.independent, self.first.remove(&l.index)) {
                (true, Some(first)) => self.rest(l, first),
                (true, None) => self.turns(l, " + ID", "SIZE"),
                (false, _) if self.printer.d.abreast > 1 && strip::sums(self.f, l) => self.strips(l),
                (false, _) => self.turns(l, "", "1"),
            }
            self.shared = true;
        } else {
            // The end of one turn comes before the start of the next.
            self.settle();
            if strip::alone(self.f, l) && self.printer.d.abreast > 1 {
                // Only the first thread writes, so it may as well read alone, and nobody waits between the turns.
                self.line("if (ID == 0) {");
                self.depth += 1;
                self.shared = false;
                if !self.ahead(l) {
                    self.turns(l, "", "1");
                }
                self.shared = true;
                self.depth -= 1;
                self.line("}");
                touched.read.iter().for_each(|&s| self.pending.read(s));
                touched.written.iter().for_each(|&s| self.pending.first(s));
                return;
            }
            if !self.ahead(l) {
                self.turns(l, "", "1");
            }
        }
    }

    /// Several turns at once of a loop whose turns need not wait for each other's writes or for a sum; then a
    /// loop for the remaining turns.
    fn strips(&mut self, l: &Loop) {
        // A thread of a group has long sums, such as those of a species' production, and waits for them alone.
        let many = self.printer.d.group && !l.folds.is_empty();
        let (abreast, index) = (self.printer.d.abreast * if many { 2 } else { 1 }, self.index());
        let (lo, hi) = (self.operand(l.range[0]).text, self.operand(l.range[1]).operand());
        let folds = self.begin_folds(l);
        self.line("{");
        self.depth += 1;
        self.line(format_args!("unsigned {index} = {lo};"));
        self.line(format_args!("for (; {index} + {} < {hi}; {index} += {abreast}) {{", abreast - 1));
        self.depth += 1;
        self.loops += 1;
        let [last, first] = if folds.is_empty() {
            let (reads, writes) = l.body.split_at(strip::reads(&l.body));
            [writes.to_vec(), reads.to_vec()]
        } else {
            strip::running(self.f, l)
        };
        let before = std::mem::take(&mut self.out);
        let mut texts = [String::new(), String::new()];
        for turn in 0..abreast {
            let text = if turn == 0 { index.clone() } else { format!("{index} + {turn}") };
            self.text[l.index as usize] = Text { atom: turn == 0, text };
            self.statements(&first);
            texts[0].push_str(&std::mem::take(&mut self.out));
            self.statements(&last);
            self.next_folds(&folds, turn, None);
            texts[1].push_str(&std::mem::take(&mut self.out));
        }
        self.out = before + &texts.concat();
        self.depth -= 1;
        self.line("}");
        if folds.is_empty() {
            self.line(format_args!("for (; {index} < {hi}; ++{index}) {{"));
            self.depth += 1;
            self.text[l.index as usize] = Text::atom(index);
            self.statements(&l.body);
        } else {
            self.last_terms(l, &folds, [&first, &last], (&index, &hi));
        }
        self.loops -= 1;
        self.depth -= 1;
        self.line("}");
        self.depth -= 1;
        self.line("}");
    }

    /// The last terms of a sum: those that there are not are read as the first of a turn, and left out.
    fn last_terms(
        &mut self,
        l: &Loop,
        folds: &[Fold],
        [first, last]: [&[Statement]; 2],
        (index, hi): (&String, &String),
    ) {
        let abreast = self.printer.d.abreast;
        self.line(format_args!("for (; {index} < {hi}; {index} += {abreast}) {{"));
        self.depth += 1;
        let place = |turn: usize| if turn == 0 { index.clone() } else { format!("{index}_{turn}") };
        let there = |turn: usize| format!("{index} + {turn} < {hi}");
        let mut additions = String::new();
        for turn in 0..abreast {
            if turn > 0 {
                self.line(format_args!(
                    "const unsigned {} = {} ? {index} + {turn} : {index};",
                    place(turn),
                    there(turn)
                ));
            }
            self.text[l.index as usize] = Text::atom(place(turn));
            self.statements(first);
            let reads = std::mem::take(&mut self.out);
            self.statements(last);
            self.next_folds(folds, turn, (turn > 0).then(|| there(turn)));
            additions.push_str(&std::mem::replace(&mut self.out, reads));
        }
        self.out.push_str(&additions);
    }

    /// The name of the next loop's index.
    pub(super) fn index(&self) -> String {
        ["i", "j", "k", "l", "m"].get(self.loops).map_or_else(|| format!("i{}", self.loops), |s| (*s).to_owned())
    }

    /// A loop that starts at its first index plus `offset`, in steps of `step`.
    fn turns(&mut self, l: &Loop, offset: &str, step: &str) {
        let lo = self.operand(l.range[0]).text;
        // A first index of zero is not written.
        let from = match (lo.as_str(), offset) {
            ("0", " + ID") => "ID".to_owned(),
            _ => format!("{lo}{offset}"),
        };
        self.turns_from(l, &from, step);
    }

    /// A loop that starts at an index, in steps of `step`.
    pub(super) fn turns_from(&mut self, l: &Loop, from: &str, step: &str) {
        let folds = self.begin_folds(l);
        let index = self.index();
        self.text[l.index as usize] = Text::atom(index.clone());
        let hi = self.operand(l.range[1]).operand();
        let next = if step == "1" { format!("++{index}") } else { format!("{index} += {step}") };
        self.line(format_args!("for (unsigned {index} = {from}; {index} < {hi}; {next}) {{"));
        self.depth += 1;
        self.loops += 1;
        self.statements(&l.body);
        self.next_folds(&folds, 0, None);
        if self.shared {
            self.settle();
        }
        self.loops -= 1;
        self.depth -= 1;
        self.line("}");
    }

    /// Declares the running values of a loop. Returns those that are used.
    fn begin_folds(&mut self, l: &Loop) -> Vec<Fold> {
        let folds: Vec<_> = l.folds.iter().filter(|f| self.uses.count[f.running as usize] > 0).cloned().collect();
        for fold in &folds {
            let kind = self.f.kinds[fold.running as usize];
            let name = self.name(fold.running, kind, "s");
            let init = self.operand(fold.init).text;
            self.line(format_args!("{} {name} = {init};", type_of(kind)));
        }
        folds
    }

    /// Updates the running values at the end of a turn, if the condition holds; `turn` is its number among turns taken at
    /// once.
    fn next_folds(&mut self, folds: &[Fold], turn: usize, condition: Option<String>) {
        // All new values are computed before the first is assigned.
        let mut next: Vec<String> = folds.iter().map(|f| self.operand(f.next).text).collect();
        if let [_, _, ..] = next[..] {
            for (fold, text) in folds.iter().zip(&mut next) {
                let number = if turn == 0 { String::new() } else { format!("_{turn}") };
                let name = format!("next_{}{number}", self.text[fold.running as usize].text);
                let kind = type_of(self.f.kinds[fold.running as usize]);
                self.line(format_args!("const {kind} {name} = {text};"));
                *text = name;
            }
        }
        for (fold, text) in folds.iter().zip(next) {
            let name = self.text[fold.running as usize].text.clone();
            match &condition {
                Some(condition) => self.line(format_args!("{name} = {condition} ? {text} : {name};")),
                None => self.line(format_args!("{name} = {text};")),
            }
        }
    }
}
