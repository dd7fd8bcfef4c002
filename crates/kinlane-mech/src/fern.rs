//! Reader of the networks of FERN: a file of nuclides (`CUDAnet_X.inp`) and one of rates (`rateLibrary_X.data`).
//!
//! A nuclide has a line with its label, A, Z, N, abundance and mass excess, and 24 values of its partition function. A
//! rate has eight lines: label and whole numbers, the seven parameters of REACLIB, Z and N of reactants and products,
//! and their places in the file of nuclides. FERN itself does not use partition functions and flags of electron
//! captures, and neither are they used here, which a note says.

use crate::diagnostic::Line;
use crate::read::{Refusal, stem, text_of};
use crate::scheme::{Field, Part, Rate, Reaclib, Scheme, Step};
use crate::sums::add_to;
use crate::{Diagnostic, Sources, Span, codes};
use std::path::{Path, PathBuf};

/// Numbers of a partition function in the file of nuclides.
const PARTITION: usize = 24;
/// Lines of a rate.
const LINES: usize = 8;
/// Problems of a file that are reported before reading stops: behind a line too many, all lines are wrong.
const ENOUGH: usize = 20;

impl<'a> Line<'a> {
    fn words(self) -> impl Iterator<Item = &'a str> {
        self.text.split_whitespace()
    }

    /// All words of the line as numbers of one kind.
    fn numbers<T: std::str::FromStr>(self, what: &str) -> Result<Vec<T>, Diagnostic> {
        let bad = |word: &str| self.wrong(format!("`{word}` among {what} is not such a number"));
        self.words().map(|word| word.parse().map_err(|_| bad(word))).collect()
    }

    fn wrong(self, message: impl Into<String>) -> Diagnostic {
        self.fault(codes::FERN_LINE, message)
    }
}

/// A nuclide: what the file of nuclides says.
struct Nuclide {
    part: Part,
    z: i64,
    n: i64,
    /// Whether its partition function is other than one.
    excited: bool,
}

/// Whether a text is a file of nuclides: its first line has a label and five numbers, of which A = Z + N.
pub fn is_network(text: &str) -> bool {
    Line::telling(text, 0).next().is_some_and(|line| nuclide(line).is_ok())
}

/// Reads a network. The file of rates is that beside it, if none is given: `rateLibrary_X.data` for `CUDAnet_X.inp`.
///
/// # Errors
/// A [`Refusal`] with every problem found.
pub fn read(path: &Path, rates: Option<&Path>) -> Result<Scheme, Refusal> {
    let mut sources = Sources::default();
    let text = text_of(path)?;
    let file = sources.add(path.display().to_string(), text.clone());
    let (mut problems, mut notes) = (Vec::new(), Vec::new());
    let nuclides = nuclides(&Line::telling(&text, file).collect::<Vec<_>>(), &mut problems);
    let rates = rates.map_or_else(|| beside(path), |rates| Ok(rates.to_owned()));
    let reactions = match rates.and_then(|rates| Ok((text_of(&rates)?, rates))) {
        Ok((text, rates)) => {
            let file = sources.add(rates.display().to_string(), text.clone());
            let lines: Vec<Line<'_>> = Line::telling(&text, file).collect();
            tell_captures(&lines, &mut notes);
            steps(&lines, &nuclides, &mut problems)
        }
        Err(problem) => {
            problems.push(problem);
            Vec::new()
        }
    };
    if !problems.is_empty() {
        return Err(Refusal { diagnostics: problems, sources });
    }
    if nuclides.iter().any(|n| n.excited) {
        let message = "partition functions of the file of nuclides are not used: FERN does not use them either";
        notes.push(Diagnostic::note(codes::FERN_UNUSED, message));
    }
    let species = nuclides.into_iter().map(|n| n.part).collect();
    Ok(Scheme { species, reactions, notes, ..Scheme::new(path, Field::Star, sources) })
}

/// Notes the rates that are marked as electron captures. REACLIB multiplies them by the density of electrons.
fn tell_captures(lines: &[Line<'_>], notes: &mut Vec<Diagnostic>) {
    let marked = |line: &&Line<'_>| line.words().nth(6).is_some_and(|flag| flag == "1");
    let all: Vec<Span> = lines.iter().step_by(LINES).filter(marked).map(|line| line.at).collect();
    let Some(first) = all.first() else { return };
    let message = format!(
        "{} rates are marked as electron captures, and taken as they stand, as FERN does: whatever the density of electrons",
        all.len()
    );
    notes.push(
        Diagnostic::note(codes::FERN_UNUSED, message)
            .at(*first, "the first")
            .help("those that a REACLIB library labels ec or bec are multiplied by rho Ye"),
    );
}

/// The file of rates beside a file of nuclides.
fn beside(path: &Path) -> Result<PathBuf, Diagnostic> {
    let stem = stem(path);
    let of = stem.strip_prefix("CUDAnet").unwrap_or(&stem);
    let rates = path.with_file_name(format!("rateLibrary{of}.data"));
    if rates.is_file() {
        return Ok(rates);
    }
    let message = format!("the rates of `{}` are missing: there is no `{}`", path.display(), rates.display());
    Err(Diagnostic::error(codes::FERN_RATES, message).help("name the file of rates with --rates"))
}

fn nuclides(lines: &[Line<'_>], problems: &mut Vec<Diagnostic>) -> Vec<Nuclide> {
    let mut all: Vec<Nuclide> = Vec::new();
    let mut rest = lines;
    while let [head, more @ ..] = rest {
        match nuclide(*head) {
            Ok(n) if all.iter().any(|known| known.part.name == n.part.name) => {
                problems.push(head.fault(codes::REPEATED, format!("`{}` is declared twice", n.part.name)));
            }
            Ok(n) => all.push(n),
            Err(d) => problems.push(d),
        }
        // Its partition function follows, on as many lines as it takes.
        let mut values = 0;
        rest = more;
        while let [line, more @ ..] = rest {
            if values >= PARTITION {
                break;
            }
            match line.numbers::<f64>("the values of a partition function") {
                Ok(v) => {
                    values += v.len();
                    let excited = v.iter().any(|x| *x != 1.0);
                    all.last_mut().filter(|n| n.part.at == head.at).iter_mut().for_each(|n| n.excited |= excited);
                }
                Err(d) => problems.push(d),
            }
            rest = more;
            if problems.len() > ENOUGH {
                return all;
            }
        }
        if values != PARTITION {
            problems.push(head.wrong(format!("a partition function has {PARTITION} values; here are {values}")));
        }
        if problems.len() > ENOUGH {
            return all;
        }
    }
    all
}

/// The first line of a nuclide.
fn nuclide(line: Line<'_>) -> Result<Nuclide, Diagnostic> {
    let words: Vec<&str> = line.words().collect();
    let fault =
        |what: &str| line.wrong(format!("{what}: a nuclide begins with its label, A, Z, N, abundance and mass excess"));
    let [name, a, z, n, abundance, excess] = words[..] else { return Err(fault("a line of other length")) };
    let whole = |word: &str| word.parse::<i64>().ok().filter(|x| (0..1000).contains(x));
    let (Some(a), Some(z), Some(n)) = (whole(a), whole(z), whole(n)) else {
        return Err(fault("A, Z and N are whole numbers"));
    };
    if a != z + n || a == 0 {
        return Err(fault("A is the sum of Z and N"));
    }
    let number = |word: &str| word.parse::<f64>().ok().filter(|x| x.is_finite());
    let (Some(initial), excess @ Some(_)) = (number(abundance), number(excess)) else {
        return Err(fault("an abundance or a mass excess that is no number"));
    };
    let excited = false;
    Ok(Nuclide {
        excited,
        part: Part { weight: a as f64, charge: z as f64, excess, initial, ..Part::new(name, line.at) },
        z,
        n,
    })
}

fn steps(lines: &[Line<'_>], nuclides: &[Nuclide], problems: &mut Vec<Diagnostic>) -> Vec<Step> {
    let mut all = Vec::new();
    for lines in lines.chunks(LINES) {
        let read = match <&[Line<'_>; LINES]>::try_from(lines) {
            Ok(lines) => step(lines, nuclides),
            Err(_) => Err(lines[0].wrong(format!("a rate has {LINES} lines; here are only {}", lines.len()))),
        };
        match read {
            Ok(step) => all.push(step),
            Err(d) => problems.push(d),
        }
        if problems.len() > ENOUGH {
            break;
        }
    }
    all
}

/// The eight lines of one rate.
fn step(lines: &[Line<'_>; LINES], nuclides: &[Nuclide]) -> Result<Step, Diagnostic> {
    let [head, parameters, z_in, n_in, z_out, n_out, reactants, products] = *lines;
    let words: Vec<&str> = head.words().collect();
    let [label, _class, _member, _chapter, ins, outs, _capture, _reverse, factor, q] = words[..] else {
        return Err(head.wrong(format!("the first line of a rate has ten entries; here are {}", words.len())));
    };
    let count = |word: &str| word.parse::<usize>().ok().filter(|n| (1..=9).contains(n));
    let (Some(ins), Some(outs)) = (count(ins), count(outs)) else {
        return Err(head.wrong("numbers of reactants and products are whole numbers above zero"));
    };
    let (Ok(factor), Ok(_)) = (factor.parse::<f64>(), q.parse::<f64>()) else {
        return Err(head.wrong("a statistical factor or a Q value that is no number"));
    };
    let p: Vec<f64> = parameters.numbers("the parameters of a rate")?;
    let Ok(p) = <[f64; 7]>::try_from(p) else {
        return Err(parameters.wrong("a rate has seven parameters"));
    };
    if !factor.is_finite() || p.iter().any(|p| !p.is_finite()) {
        return Err(parameters.wrong(format!("a number of `{label}` is infinite or not a number")));
    }
    let side = |z: Line<'_>, n: Line<'_>, index: Line<'_>, count: usize| {
        let (zs, ns) = (z.numbers::<i64>("the Z")?, n.numbers::<i64>("the N")?);
        let places = index.numbers::<usize>("the places of nuclides")?;
        if [zs.len(), ns.len(), places.len()] != [count; 3] {
            return Err(index.wrong(format!("`{label}` has {count} nuclides on this side, on each of three lines")));
        }
        let mut side: Vec<(usize, f64)> = Vec::new();
        for ((&z, &n), &k) in zs.iter().zip(&ns).zip(&places) {
            match nuclides.get(k) {
                Some(nuclide) if (nuclide.z, nuclide.n) == (z, n) => {}
                Some(nuclide) => {
                    let name = &nuclide.part.name;
                    let message = format!("place {k} is that of {name}, but Z and N in `{label}` are {z} and {n}");
                    let help = "the rates belong to another file of nuclides";
                    return Err(index.fault(codes::FERN_MISFIT, message).help(help));
                }
                None => {
                    let message = format!("`{label}` has place {k}, but there are {} nuclides", nuclides.len());
                    return Err(Diagnostic::error(codes::FERN_MISFIT, message).at(index.at, "counted from 0"));
                }
            }
            add_to(&mut side, k, 1.0);
        }
        let nucleons: i64 = zs.iter().chain(&ns).sum();
        Ok((side, nucleons))
    };
    let (reactants, before) = side(z_in, n_in, reactants, ins)?;
    let (products, after) = side(z_out, n_out, products, outs)?;
    if before != after {
        let message = format!("`{label}` makes {after} nucleons of {before}");
        return Err(head.fault(codes::UNBALANCED, message));
    }
    let (density, partitions) = (ins as i32 - 1, Vec::new());
    let rate = Rate::Reaclib(Reaclib { factor, density, sets: vec![p], capture: false, partitions, pairs: Vec::new() });
    Ok(Step { label: label.to_owned(), reactants, products, fixed: Vec::new(), rate, at: head.at })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_used_is_noted() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("CUDAnet_x.inp");
        let one = "1.0 ".repeat(23);
        let nuclides = |g: f64| format!("be7 7 4 3 0.5 15.769\n{one}1.0\nli7 7 3 4 0.5 14.907\n{one}{g}\n");
        let rates =
            |flag: u8| format!("be7+e-->li7+nu 2 0 1 1 1 {flag} 0 1.0 0.862\n-20 0 0 0 0 0 0\n4\n3\n3\n4\n0\n1\n");
        let codes = |g: f64, flag: u8| {
            std::fs::write(&path, nuclides(g)).expect("written");
            std::fs::write(folder.path().join("rateLibrary_x.data"), rates(flag)).expect("written");
            read(&path, None).expect("a network").notes.iter().map(|note| note.code).collect::<Vec<_>>()
        };
        assert_eq!(codes(1.0, 0), [""; 0]);
        assert_eq!(codes(1.5, 0), [codes::FERN_UNUSED]);
        assert_eq!(codes(1.5, 1), [codes::FERN_UNUSED; 2]);
    }

    #[test]
    fn faults_among_nuclides_are_told_although_there_are_no_rates() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("CUDAnet_x.inp");
        std::fs::write(&path, "4He 4 2 2 0.0 2.425\n1.0 1.0\n12C 12 6 7 0.0 0.0\n").expect("written");
        let codes = |rates: Option<&Path>| {
            let refusal = read(&path, rates).expect_err("there are no rates");
            refusal.diagnostics.iter().map(|d| d.code).collect::<Vec<_>>()
        };
        let [word, count] = [codes::FERN_LINE; 2];
        assert_eq!(codes(None), [word, count, codes::FERN_RATES]);
        assert_eq!(codes(Some(&folder.path().join("none"))), [word, count, codes::UNREADABLE]);
    }
}
