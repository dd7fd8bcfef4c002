//! Makes a scheme of what was read.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::Path;

use super::balance;
use super::codes;
use super::commands::Section;
use super::equation::{self, Equation, Term};
use super::files::Files;
use super::fortran::{self, Procedures};
use super::globals::{self, Globals};
use super::part::Part;
use super::resolve::{Resolver, uptake};
use super::species::Declared;
use super::tree;
use super::values::Values;
use crate::diagnostic::refuses;
use crate::scheme::{Expression, Field, Name, Part as Species, Rate, Scheme, Step};
use crate::sums::add_to;
use crate::words::{SHOWN, did_you_mean, quoted};
use crate::{Diagnostic, Refusal, Span};

/// The texts of functions that need no definition.
const LIBRARY: [&str; 2] = [include_str!("library.f90"), include_str!("geos_chem.f90")];

/// Makes the scheme, or says what is wrong.
pub(super) fn scheme(path: &Path, files: Files) -> Result<Scheme, Refusal> {
    let Files { sources, sections, inlined, hint, mut found, .. } = files;
    let (declared, equations, mut values) = contents(&sections, &mut found);
    coded(&inlined, &mut values);
    values.tell_unread(&mut found);
    if (declared.all.is_empty() || equations.is_empty()) && !refuses(&found) {
        nothing(path, &declared, &sections, &mut found);
    }
    let mut used = vec![false; declared.all.len()];
    let mut reactions = steps(&equations, &declared, &mut used, &mut found);
    twice(&equations, &mut found);
    tags(&equations, &mut found);
    below_zero(&equations, &mut found);
    balance::check(&sections, &equations, &declared, &mut found);

    let (own, library) = (procedures(&inlined, &mut found), library());
    let globals = Globals::read(&inlined, [&own, &library], &mut found);
    let taking_part = used.clone();
    let mut resolver = Resolver::new(&declared, &own, &library, &globals, &taking_part, &mut found);
    resolver.hint = hint;
    resolver.variables = values.variables();
    equations.iter().for_each(|equation| resolver.reaction(&equation.rate));
    let Resolver { functions, photolysis, inputs, unset, uptakes, rates, .. } = resolver;
    uptake::tell(&uptakes, &mut found);
    reactions.iter_mut().zip(rates).for_each(|(step, rate)| step.rate = Rate::Expression(rate));
    values.tell_unknown(&declared, &inputs, &mut found);
    let inputs = inputs.into_iter().map(|name| {
        let value = values.input(&name, &mut found);
        if unset.contains(&name.to_ascii_lowercase()) && value.is_none() {
            found.push(not_set(&name));
            return (name, Some(0.0));
        }
        (name, value)
    });
    let inputs = inputs.collect();

    let mut scheme = Scheme {
        reactions,
        functions,
        photolysis,
        inputs,
        uptakes: uptakes.into_iter().map(|uptake| uptake.input).collect(),
        run: values.run(),
        ..Scheme::new(path, Field::Atmosphere, sources)
    };
    // Rate constants may depend on species that do not react.
    scheme.each_name(&mut |name| {
        if let Name::Species(i) = *name
            && let Some(used) = used.get_mut(i)
        {
            *used = true;
        }
    });
    unused(&declared, &used, &mut found);
    scheme.declare(declared.all.iter().zip(&used).map(|(one, used)| {
        let initial = values.amount(&one.name, one.fixed);
        (Species { initial, ..Species::new(&one.name, one.at) }, one.fixed, *used)
    }));
    if refuses(&found) {
        return Err(Refusal { diagnostics: found, sources: scheme.sources });
    }
    scheme.notes = found;
    Ok(scheme)
}

/// A note: what a variable is worth where code does not set it.
fn not_set(name: &str) -> Diagnostic {
    let message = format!(
        "`{name}` is not set in every case before the code of F90_RCONST reads it, nor at the beginning: it is zero then"
    );
    Diagnostic::note(codes::UNSET, message).help(format!("set it first, or give `{name}` with the states"))
}

/// What the sections say: species, reactions, and values at the beginning.
fn contents(sections: &[(Section, Part)], found: &mut Vec<Diagnostic>) -> (Declared, Vec<Equation>, Values) {
    let (mut declared, mut equations, mut values) = (Declared::default(), Vec::new(), Values::default());
    for (section, part) in sections {
        match section {
            Section::Declare { fixed } => declared.declare(part, *fixed, found),
            Section::Equations => equations.extend(equation::read(part, found)),
            Section::Initial => values.initial(part, found),
            Section::Change { .. } | Section::Kept { .. } | Section::Other => {}
        }
    }
    // After all declarations, wherever they stand.
    for (section, part) in sections {
        if let Section::Change { fixed } = section {
            declared.change(part, *fixed, found);
        }
    }
    (declared, equations, values)
}

/// Reads the values that inlined code sets. The code of one language is enough.
fn coded(inlined: &[(String, Part)], values: &mut Values) {
    let of = |kind: &str| inlined.iter().filter(|(of, _)| of == kind).map(|(_, code)| code).collect::<Vec<_>>();
    of("F90_GLOBAL").into_iter().for_each(|code| values.global(code));
    for (kind, comment) in [("F90_INIT", "!"), ("F77_INIT", "!"), ("C_INIT", "//"), ("MATLAB_INIT", "%")] {
        let all = of(kind);
        for code in &all {
            values.inlined(
                if kind.starts_with('F') { fortran::statements(code, kind == "F77_INIT") } else { (*code).clone() },
                comment,
            );
        }
        if !all.is_empty() {
            return;
        }
    }
}

/// Functions that need no definition.
fn library() -> Procedures {
    let mut all = Procedures::new();
    for text in LIBRARY {
        fortran::functions(&Part { text: text.to_owned(), ..Part::default() }, false, &mut all);
    }
    all
}

/// Functions that the files define. Code in Fortran 77 counts only if there is none in Fortran 90.
fn procedures(inlined: &[(String, Part)], found: &mut Vec<Diagnostic>) -> Procedures {
    let mut all = Procedures::new();
    for kind in ["F90", "F77"] {
        for (_, code) in inlined.iter().filter(|(of, _)| of.strip_prefix(kind).is_some_and(|k| k.starts_with("_RATE")))
        {
            fortran::functions(code, kind == "F77", &mut all);
        }
        if !all.is_empty() {
            return all;
        }
    }
    globals::foreign(inlined, "RATE", found);
    all
}

/// Reports that there are no species or no reactions, unless there are some that could not be read.
fn nothing(path: &Path, declared: &Declared, sections: &[(Section, Part)], found: &mut Vec<Diagnostic>) {
    let none = declared.all.is_empty();
    let there = |section: &Section| match section {
        Section::Declare { .. } => none,
        section => *section == Section::Equations && !none,
    };
    // They may be in what could not be read.
    let tried = sections.iter().any(|(section, part)| there(section) && !part.text.trim().is_empty());
    if tried || refuses(found) {
        return;
    }
    let what = if none { "species" } else { "reactions" };
    let message = format!("`{}` and the files that belong to it have no {what}", path.display());
    found.push(Diagnostic::error(codes::NOTHING, message).help(
        "species are declared in #DEFVAR and #DEFFIX, reactions in #EQUATIONS; \
         give the .kpp or .def file that includes both, or put .eqn and .spc of one name side by side",
    ));
}

/// Reactions with numbers of species as declared, and no rates.
fn steps(equations: &[Equation], declared: &Declared, used: &mut [bool], found: &mut Vec<Diagnostic>) -> Vec<Step> {
    let mut unknown: HashMap<String, usize> = HashMap::new();
    let mut all = Vec::with_capacity(equations.len());
    for equation in equations {
        let mut step = Step {
            label: equation.label.clone(),
            reactants: Vec::new(),
            products: Vec::new(),
            fixed: Vec::new(),
            rate: Rate::Expression(Expression::Number(0.0)),
            at: equation.all.place(),
        };
        for (terms, left) in [(&equation.left, true), (&equation.right, false)] {
            for Term { number, name } in terms {
                let text = name.text.as_str();
                // A photon is no species, even if it is declared: then its amount would be zero.
                if text.eq_ignore_ascii_case("hv") {
                    continue;
                }
                let Some(i) = declared.find(text) else {
                    // What does not matter is not declared.
                    if !declared.all.is_empty() && !text.eq_ignore_ascii_case("PROD") {
                        undeclared(name, declared, &mut unknown, found);
                    }
                    continue;
                };
                let fixed = declared.all.get(i).is_some_and(|s| s.fixed);
                let list = match (left, fixed) {
                    (true, true) => &mut step.fixed,
                    (true, false) => &mut step.reactants,
                    (false, false) => &mut step.products,
                    (false, true) => continue,
                };
                if let Some(used) = used.get_mut(i) {
                    *used = true;
                }
                add_to(list, i, *number);
            }
        }
        all.push(step);
    }
    all
}

/// The first few places of equations with a key that an earlier one has, and of those earlier ones.
fn repeated<'e>(
    equations: impl Iterator<Item = &'e Equation>,
    key: impl Fn(&Equation) -> String,
    place: impl Fn(&Equation) -> Span,
    earlier: &str,
) -> Vec<(Span, String)> {
    let mut known: HashMap<String, &Equation> = HashMap::new();
    let mut labels = Vec::new();
    for equation in equations {
        match known.entry(key(equation)) {
            Entry::Occupied(first) => {
                labels.push((place(equation), "again".to_owned()));
                labels.push((place(first.get()), earlier.to_owned()));
            }
            Entry::Vacant(free) => _ = free.insert(equation),
        }
    }
    labels.truncate(SHOWN);
    labels
}

/// Warns of equations that are written twice, with the same rate: KPP refuses them.
fn twice(equations: &[Equation], found: &mut Vec<Diagnostic>) {
    let side = |terms: &[Term]| {
        let mut all: Vec<String> = terms.iter().map(|t| format!("{} {}", t.number, t.name.text)).collect();
        all.sort_unstable();
        all.join("+").to_ascii_lowercase()
    };
    let key = |equation: &Equation| {
        let rate: String = equation.rate.text.split_whitespace().collect();
        format!("{}={}:{rate}", side(&equation.left), side(&equation.right))
    };
    let labels = repeated(equations.iter(), key, |equation| equation.all.place(), "the same");
    if !labels.is_empty() {
        let message = "an equation is written twice, with the same rate";
        let warning = Diagnostic::warning(codes::TWICE, message).help("both count; KPP refuses them: remove one");
        found.push(Diagnostic { labels, ..warning });
    }
}

/// Warns of rate constants that are plain numbers below zero: what reacts would come from nothing.
fn below_zero(equations: &[Equation], found: &mut Vec<Diagnostic>) {
    let number = |e: &&Equation| tree::parse(&e.rate.text, 0).ok().and_then(|t| tree::constant(&t, &|_| None));
    let below = equations.iter().filter(|e| number(e).is_some_and(|k| k < 0.0));
    let labels: Vec<_> = below.map(|e| (e.rate.place(), "this number".to_owned())).collect();
    if !labels.is_empty() {
        let warning = Diagnostic::warning(codes::NEGATIVE, "a rate constant is below zero");
        found.push(Diagnostic {
            labels,
            ..warning.help("a reaction runs one way: remove the sign, or write it the other way round")
        });
    }
}

/// Warns of tags that more than one equation has: results name reactions by them.
fn tags(equations: &[Equation], found: &mut Vec<Diagnostic>) {
    // An equation without a tag is its own label.
    let tagged = equations.iter().filter(|equation| !equation.label.contains('='));
    let key = |equation: &Equation| equation.label.to_ascii_lowercase();
    let labels = repeated(tagged, key, |equation| equation.all.first_line(), "the same tag");
    if !labels.is_empty() {
        let warning = Diagnostic::warning(codes::TAGS, "two equations have the same tag");
        found.push(Diagnostic { labels, ..warning.help("give each its own: results name reactions by their tags") });
    }
}

/// Reports a species that is not declared, once for all its places.
fn undeclared(name: &Part, declared: &Declared, unknown: &mut HashMap<String, usize>, found: &mut Vec<Diagnostic>) {
    let at = name.place();
    let text = &name.text;
    if let Some(finding) = unknown.get(&text.to_lowercase()).and_then(|&i| found.get_mut(i)) {
        return finding.and_at(at);
    }
    unknown.insert(text.to_lowercase(), found.len());
    let otherwise = "declare it in #DEFVAR or #DEFFIX; products that do not matter are written `PROD`";
    let help = did_you_mean(declared.nearest(text), otherwise);
    found.push(
        Diagnostic::error(codes::UNKNOWN_SPECIES, format!("species `{text}` is not declared"))
            .at(at, "not declared")
            .help(help),
    );
}

/// Notes the variable species that are left out.
fn unused(declared: &Declared, used: &[bool], found: &mut Vec<Diagnostic>) {
    let left_out: Vec<_> =
        declared.all.iter().zip(used).filter(|(one, used)| !one.fixed && !**used).map(|(one, _)| one).collect();
    if left_out.is_empty() {
        return;
    }
    let names = quoted(left_out.iter().map(|one| &one.name));
    let message = format!("species that take part in no reaction are left out: {names}");
    let places = left_out.iter().map(|one| one.at);
    found.push(Diagnostic::note(codes::UNUSED, message).at_each(places, "in no reaction"));
}
