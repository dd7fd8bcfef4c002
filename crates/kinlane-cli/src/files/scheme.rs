//! Cells of a reaction scheme from an NPZ file, and to one.

use super::states::{columns, tell_kelvin};
use crate::error::Error;
use crate::files::npz::{Fault, Reader, Writer};
use crate::files::output::Output;
use crate::words::short;
use kinlane::mech::kpp::codes::NO_CFACTOR;
use kinlane::mech::reaclib::canonical;
use kinlane::mech::scheme::{AIR, Field, Rate};
use kinlane::mech::words::few;
use kinlane::{Conditions, SUM_TOLERANCE, Scheme, SchemeStates};
use std::collections::{HashMap, HashSet};
use std::io;
use std::path::Path;

/// How a file holds the amounts of species.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Amounts {
    /// Number densities, or what the scheme counts in.
    Concentrations,
    /// Abundances \[mol/g\].
    Abundances,
    /// Mass fractions, which are abundances times mass numbers.
    MassFractions,
}

impl Amounts {
    /// Name of the array.
    pub fn array(self) -> &'static str {
        match self {
            Self::Concentrations => "C",
            Self::Abundances => "Y",
            Self::MassFractions => "X",
        }
    }
}

/// A batch, and how its file holds amounts.
pub struct Batch {
    /// The cells.
    pub states: SchemeStates,
    /// The form of amounts.
    pub amounts: Amounts,
    /// P \[n\] of the file, which no rate depends on; written as it was read.
    pressure: Option<Vec<f64>>,
}

/// Reads the cells of a states file. Unless `quiet`, a line reports the arrays that are not read: one of them may be
/// misspelt.
pub fn read(path: &Path, scheme: &Scheme, quiet: bool) -> Result<Batch, Error> {
    read_all(path, scheme, quiet).map_err(Error::or_interrupted)
}

fn read_all(path: &Path, scheme: &Scheme, quiet: bool) -> Result<Batch, Error> {
    if path == Path::new("-") {
        return Err(Error::StatesStream);
    }
    let mut npz = Reader::open(path)?;
    let star = scheme.field() == Field::Star;
    let amounts = match (star, npz.has("Y"), npz.has("X")) {
        (false, ..) => Amounts::Concentrations,
        (true, false, true) => Amounts::MassFractions,
        _ => Amounts::Abundances,
    };
    if !star {
        refuse_taken(&npz, scheme, amounts)?;
    }
    if !quiet {
        tell_unread(path, scheme, &npz, amounts);
    }
    let mut known = names(scheme);
    let names = folded(npz.strings("species")?, &known, star);
    // Of a third body without a column there is as much as air.
    let air =
        npz.has(AIR).then(|| scheme.model().fixed.iter().filter(|part| part.third_body && !names.contains(&part.name)));
    let air: HashSet<&str> = air.into_iter().flatten().map(|part| part.name.as_str()).collect();
    known.retain(|name| !air.contains(name.as_str()));
    let place = columns(&names, &known).map_err(|fault| Error::Species { path: path.to_owned(), fault })?;
    let temperature = npz.vector(if star { "T9" } else { "T" }, None)?;
    if !star && !quiet {
        tell_kelvin(path, &temperature);
    }
    let n = temperature.len();
    let of_air = if air.is_empty() { vec![0.0; n] } else { npz.vector(AIR, Some(n))? };
    let density = if star { npz.vector("rho", Some(n))? } else { Vec::new() };
    let pressure = if npz.has("P") { Some(npz.vector("P", Some(n))?) } else { None };
    let evolving = scheme.species_count();
    let all = npz.matrix(amounts.array(), n, &place)?;
    let rows = || all.chunks(known.len().max(1));
    let fixed = |(row, air_here): (&[f64], f64)| {
        let mut given = row[evolving..].iter().copied();
        let of = |name: &String| if air.contains(name.as_str()) { Some(air_here) } else { given.next() };
        scheme.fixed_names().iter().map_while(of).collect::<Vec<f64>>()
    };
    let mut states = Conditions {
        temperature,
        density,
        photolysis: photolysis(&mut npz, scheme, n)?,
        inputs: inputs(&mut npz, scheme, n)?,
        fixed: rows().zip(of_air).flat_map(fixed).collect(),
        amounts: rows().flat_map(|row| &row[..evolving]).copied().collect(),
    };
    if amounts == Amounts::MassFractions {
        states.amounts = scheme.abundances(&states.amounts);
    }
    let blame = |fault| Error::Batch { path: path.to_owned(), fault };
    if star && !quiet {
        tell_fractions(path, scheme, &states.amounts);
        if let Some((cell, t9)) = outside(scheme, &states.temperature) {
            tell!("note: {}: T9 of cell {cell} is {}: {FITS}", path.display(), short(t9));
        }
    }
    let mut states = SchemeStates::new(scheme, states).map_err(blame)?;
    let source = source_name(amounts);
    if npz.has(source) {
        let all = npz.matrix(source, n, &place)?;
        let rows = || all.chunks(known.len().max(1));
        let idle = |i: &usize| rows().any(|row| row[*i] != 0.0);
        let idle: Vec<String> = (evolving..known.len()).filter(idle).map(|i| known[i].clone()).collect();
        if !idle.is_empty() && !quiet {
            tell!("{}: {source} has no effect on what is fixed: {}", path.display(), few(&idle));
        }
        let mut rates: Vec<f64> = rows().flat_map(|row| &row[..evolving]).copied().collect();
        if amounts == Amounts::MassFractions {
            rates = scheme.abundances(&rates);
        }
        states = states.with_source(rates).map_err(blame)?;
    }
    Ok(Batch { states, amounts, pressure })
}

/// The batch with the intervals of its own that the file has, if it has some. `given`: the one that all cells have.
pub fn with_intervals(
    path: &Path,
    mut batch: Batch,
    scheme: &Scheme,
    given: Option<f64>,
    quiet: bool,
) -> Result<Batch, Error> {
    // A rate may depend on something of that name.
    if given.is_some() && scheme.input_names().iter().any(|input| input.eq_ignore_ascii_case("dt")) {
        return Ok(batch);
    }
    if let Some(own) = super::states::intervals(path, batch.states.len(), given, quiet)? {
        batch.states = batch.states.with_intervals(own).map_err(|fault| Error::of_batch(path, fault))?;
    }
    Ok(batch)
}

/// Names of a file as the scheme writes them: KPP does not tell upper and lower case apart, and in a star `h1` is `p`.
fn folded(names: Vec<String>, known: &[String], star: bool) -> Vec<String> {
    let exact: HashSet<&str> = known.iter().map(String::as_str).collect();
    let mut alike: HashMap<String, Vec<&str>> = HashMap::new();
    known.iter().for_each(|k| alike.entry(k.to_ascii_lowercase()).or_default().push(k));
    let fold = |name: String| {
        if exact.contains(name.as_str()) {
            return name;
        }
        match alike.get(&name.to_ascii_lowercase()).map_or(&[][..], |same| same) {
            [one] => (*one).to_owned(),
            [] if star => Some(canonical(&name)).filter(|own| exact.contains(own.as_str())).unwrap_or(name),
            _ => name,
        }
    };
    names.into_iter().map(fold).collect()
}

/// The array of sources.
fn source_name(amounts: Amounts) -> &'static str {
    match amounts {
        Amounts::Concentrations => "dCdt",
        Amounts::Abundances => "dYdt",
        Amounts::MassFractions => "dXdt",
    }
}

/// How far mass fractions may be off a sum of one without a note: published networks are off by 2e-3.
pub const OFF: f64 = 1e-2;

/// Reports mass fractions that do not sum to one, or of which one is below zero by more than transport schemes leave.
fn tell_fractions(path: &Path, scheme: &Scheme, amounts: &[f64]) {
    let species = &scheme.model().species;
    let what = "Y are abundances in mol/g, X mass fractions";
    let mut told = [false; 2];
    for (cell, row) in scheme.mass_fractions(amounts).chunks(species.len().max(1)).enumerate() {
        let sum = row.iter().sum::<f64>();
        if (sum - 1.0).abs() > OFF && !told[0] {
            told[0] = true;
            tell!("note: {}: the mass fractions of cell {cell} sum to {sum:.4}; {what}", path.display());
        }
        let below = row.iter().zip(species).find(|(x, _)| **x < -SUM_TOLERANCE);
        if let (Some((x, nuclide)), false) = (below, told[1]) {
            told[1] = true;
            let name = &nuclide.name;
            tell!("note: {}: the mass fraction of {name} in cell {cell} is {x:.4}, below zero; {what}", path.display());
        }
    }
}

/// Between which T9 REACLIB's rates hold \[GK\].
const FITTED: [f64; 2] = [0.01, 10.0];
/// The same in words.
pub const FITS: &str = "rates of REACLIB are fitted from T9 = 0.01 to 10, and mean nothing elsewhere";

/// The first cell at a T9 for which the rates of a network are not fitted. One that no zone has is refused elsewhere.
pub fn outside(scheme: &Scheme, t9: &[f64]) -> Option<(usize, f64)> {
    let fitted = scheme.model().reactions.iter().any(|step| matches!(step.rate, Rate::Reaclib(_)));
    let [low, high] = FITTED;
    t9.iter().copied().enumerate().find(|(_, t)| fitted && *t > 0.0 && !(low..=high).contains(t))
}

/// All species, as files have them: first those that evolve.
fn names(scheme: &Scheme) -> Vec<String> {
    [scheme.species_names(), scheme.fixed_names()].concat()
}

/// Reports arrays that are not read.
fn tell_unread(path: &Path, scheme: &Scheme, npz: &Reader, amounts: Amounts) {
    let source = source_name(amounts);
    let around: &[&str] = if scheme.field() == Field::Star { &["T9", "rho"] } else { &["T"] };
    let own =
        ["species", "P", "J", "photolysis", "status", "steps", "rejected", "energy", "dt", amounts.array(), source];
    let input = |name: &String| scheme.input_names().iter().any(|input| input.eq_ignore_ascii_case(name));
    let air = |name: &String| name == AIR && scheme.model().fixed.iter().any(|part| part.third_body);
    let known = |name: &String| own.iter().chain(around).any(|own| own == name) || input(name) || air(name);
    let unknown: Vec<String> = npz.names().into_iter().filter(|name| !known(name)).collect();
    if !unknown.is_empty() {
        tell!("{}: not read: {}", path.display(), few(&unknown));
    }
    tell_no_factor(scheme, npz.names().into_iter());
}

/// Reports if rate constants use CFACTOR, which neither the scheme nor one of the names `given` sets.
pub fn tell_no_factor(scheme: &Scheme, given: impl Iterator<Item = String>) {
    let unset = scheme.model().notes.iter().any(|d| d.code == NO_CFACTOR);
    if unset && !given.into_iter().any(|name| name.eq_ignore_ascii_case("CFACTOR")) {
        tell!("note: rate constants use CFACTOR, and nothing sets it: it counts as 1; kinlane explain {NO_CFACTOR}");
    }
}

/// Photolysis frequencies in the scheme's order. Their names may have the `Pj_` of rate expressions, and capitals as they like, where
/// that leaves no doubt.
fn photolysis(npz: &mut Reader, scheme: &Scheme, n: usize) -> Result<Vec<f64>, Error> {
    let wanted = scheme.photolysis_names();
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let have = npz.strings("photolysis")?;
    let plain = |name: &str| {
        let name = name.to_lowercase();
        name.strip_prefix("pj_").unwrap_or(&name).to_owned()
    };
    let exact = |name: &String| wanted.iter().position(|w| w == name);
    let alike = |name: &String| {
        let mut folded = wanted.iter().filter(|w| plain(w) == plain(name));
        let first = folded.clone().next();
        folded.find(|w| !have.contains(w)).or(first).and_then(exact)
    };
    let mut place = Vec::new();
    // Frequencies that no reaction uses go behind those that are used.
    let mut next = wanted.len();
    for name in &have {
        let used = exact(name).or_else(|| alike(name));
        if used.is_some_and(|used| place.contains(&used)) {
            return Err(npz.blame("photolysis", Fault::Twice { name: name.clone() }).into());
        }
        place.push(used.unwrap_or(next));
        next += usize::from(used.is_none());
    }
    let missing: Vec<String> =
        wanted.iter().enumerate().filter(|(i, _)| !place.contains(i)).map(|(_, w)| w.clone()).collect();
    if !missing.is_empty() {
        let fault = Fault::Lacks { names: few(&missing) };
        return Err(npz.blame("photolysis", fault).into());
    }
    let all = npz.matrix("J", n, &place)?;
    Ok(all.chunks(have.len()).flat_map(|row| &row[..wanted.len()]).copied().collect())
}

/// The input that is a pressure \[Pa\].
pub const PRESSURE: &str = "PRESSURE";

/// Further inputs \[n, inputs\]: from the file, else as the scheme has them. Capitals do not matter where that leaves no doubt.
fn inputs(npz: &mut Reader, scheme: &Scheme, n: usize) -> Result<Vec<f64>, Error> {
    let (mut columns, names) = (Vec::new(), scheme.input_names());
    for (name, usual) in &scheme.model().inputs {
        let have = npz.names();
        // The pressure may have the name that it has in other states files.
        let own: &[&str] = if name == PRESSURE { &[PRESSURE, "P"] } else { &[name] };
        let exact = own.iter().find(|own| have.iter().any(|have| have == *own)).map(|own| (*own).to_owned());
        let folded = have
            .into_iter()
            .filter(|have| !names.contains(have) && own.iter().any(|own| own.eq_ignore_ascii_case(have)));
        let alike: Vec<String> = folded.collect();
        if exact.is_none() && alike.len() > 1 {
            return Err(npz.blame(name, Fault::Alike { names: few(&alike) }).into());
        }
        columns.push(match (exact.or_else(|| alike.into_iter().next()), usual) {
            (None, Some(value)) => vec![*value; n],
            (same, _) => npz.vector(same.as_deref().unwrap_or(name), Some(n))?,
        });
    }
    Ok((0..n).flat_map(|cell| columns.iter().map(move |c| c[cell])).collect())
}

/// Refuses inputs that are called as arrays with another meaning are.
fn refuse_taken(npz: &Reader, scheme: &Scheme, amounts: Amounts) -> Result<(), Error> {
    let taken =
        ["species", "T", "dt", "photolysis", "J", "status", "steps", "rejected", amounts.array(), source_name(amounts)];
    match scheme.input_names().iter().find(|name| taken.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => {
            let hint = if name == "T" { "; the temperature is TEMP in KPP" } else { "" };
            Err(npz.blame(name, Fault::Taken { hint }).into())
        }
    }
}

/// An NPZ file with the cells, as the states file had them, and to which more arrays may be added.
pub fn written<'a>(out: &'a Output, scheme: &Scheme, batch: &Batch) -> io::Result<Writer<'a>> {
    let at = batch.states.conditions();
    let n = batch.states.len();
    let mut npz = Writer::new(out.file());
    npz.strings("species", &names(scheme))?;
    let star = scheme.field() == Field::Star;
    npz.numbers(if star { "T9" } else { "T" }, &[n], &at.temperature)?;
    if star {
        npz.numbers("rho", &[n], &at.density)?;
    }
    // Rate constants may depend on it by this name, then it is among the inputs.
    if let Some(p) = batch.pressure.as_ref().filter(|_| !scheme.input_names().iter().any(|name| name == "P")) {
        npz.numbers("P", &[n], p)?;
    }
    if !scheme.photolysis_names().is_empty() {
        npz.strings("photolysis", scheme.photolysis_names())?;
        npz.numbers("J", &[n, scheme.photolysis_names().len()], &at.photolysis)?;
    }
    if let Some(intervals) = batch.states.intervals() {
        npz.numbers("dt", &[n], intervals)?;
    }
    let width = scheme.input_names().len();
    for (i, name) in scheme.input_names().iter().enumerate() {
        let column: Vec<f64> = at.inputs.iter().skip(i).step_by(width).copied().collect();
        npz.numbers(name, &[n], &column)?;
    }
    let fractions = (batch.amounts == Amounts::MassFractions).then(|| scheme.mass_fractions(&at.amounts));
    let evolving = fractions.as_ref().unwrap_or(&at.amounts);
    let rows = rows(scheme, n, evolving, |cell, k| at.fixed[cell * scheme.fixed_names().len() + k]);
    npz.numbers(batch.amounts.array(), &[n, names(scheme).len()], &rows)?;
    Ok(npz)
}

/// Rows of `n` cells over all species: numbers \[n, species\] of those that evolve, and behind them what `fixed` says, by cell and
/// number.
pub fn rows(scheme: &Scheme, n: usize, numbers: &[f64], fixed: impl Fn(usize, usize) -> f64) -> Vec<f64> {
    let (evolving, others) = (scheme.species_count(), scheme.fixed_names().len());
    let mut rows = Vec::with_capacity(n * (evolving + others));
    for cell in 0..n {
        rows.extend(&numbers[cell * evolving..(cell + 1) * evolving]);
        rows.extend((0..others).map(|k| fixed(cell, k)));
    }
    rows
}
