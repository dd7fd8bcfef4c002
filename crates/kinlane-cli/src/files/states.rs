//! A batch from an NPZ file, and to one.

use crate::args::MechanismArgs;
use crate::error::{Error, SpeciesFault};
use crate::files::npz::{Fault, Reader, Writer};
use crate::files::output::Output;
use crate::mixture::{COLD, LOW};
use crate::words::short;
use kinlane::mech::network::RateLaw;
use kinlane::mech::words::few;
use kinlane::{Mechanism, Reactor, States};
use std::collections::HashMap;
use std::io;
use std::path::Path;

/// Arrays that are read from a states file.
const READ: [&str; 7] = ["species", "T", "P", "Y", "Te", "dYdt", "heating"];
/// Arrays that commands add to the states that they write: `advance` and `equilibrate`, `psr`, `pasr`, `flamelet`. `advance`
/// reads `dt`, too.
const ADDED: [&str; 12] =
    ["dt", "status", "steps", "rejected", "tau", "branch", "T0", "phi", "t", "z", "chi", "chi_stoichiometric"];

/// Reads the cells of a states file. Y goes directly into the buffer that is advanced. Unless `quiet`, a line
/// reports the arrays that are not read: one of them may be misspelt.
pub fn read(path: &Path, mechanism: &Mechanism, quiet: bool) -> Result<States, Error> {
    read_as(path, mechanism, quiet, false)
}

/// The same with mass fractions as they are, if `as_given`.
pub fn read_as(path: &Path, mechanism: &Mechanism, quiet: bool, as_given: bool) -> Result<States, Error> {
    read_all(path, mechanism, quiet, as_given).map_err(Error::or_interrupted)
}

fn read_all(path: &Path, mechanism: &Mechanism, quiet: bool, as_given: bool) -> Result<States, Error> {
    if path == Path::new("-") {
        return Err(Error::StatesStream);
    }
    let mut npz = Reader::open(path)?;
    let known = |name: &String| READ.iter().chain(&ADDED).any(|known| known == name);
    let unknown: Vec<String> = npz.names().into_iter().filter(|name| !known(name)).collect();
    if !quiet && !unknown.is_empty() {
        tell!(
            "{}: not read: {}; what is read is {}, and dt by advance",
            path.display(),
            few(&unknown),
            READ.join(", ")
        );
    }
    let blame = |fault| Error::Batch { path: path.to_owned(), fault };

    // Small arrays first: most mistakes are found before the large one is read.
    let place = columns(&npz.strings("species")?, mechanism.species_names())
        .map_err(|fault| Error::Species { path: path.to_owned(), fault })?;
    let t = npz.vector("T", None)?;
    let n = t.len();
    let p = npz.vector("P", Some(n))?;
    let te = if npz.has("Te") { Some(npz.vector("Te", Some(n))?) } else { None };
    if npz.has("X") && !npz.has("Y") {
        return Err(npz.blame("X", Fault::MoleFractions).into());
    }
    let y = npz.matrix("Y", n, &place)?;
    let make = if as_given { States::as_given } else { States::new };
    let mut states = make(mechanism, t, p, y).map_err(blame)?;
    if let Some(te) = te {
        states = states.with_electron_temperature(te).map_err(blame)?;
    }
    if npz.has("dYdt") || npz.has("heating") {
        let dydt = if npz.has("dYdt") { npz.matrix("dYdt", n, &place)? } else { vec![0.0; n * place.len()] };
        let heating = if npz.has("heating") { npz.vector("heating", Some(n))? } else { vec![0.0; n] };
        states = states.with_source(dydt, heating).map_err(blame)?;
    }
    if !quiet {
        tell_units(path, &states);
    }
    Ok(states)
}

/// The states with the intervals of their own that the file has, if it has some. `given`: the one that all cells have.
pub fn with_intervals(path: &Path, states: States, given: Option<f64>, quiet: bool) -> Result<States, Error> {
    match intervals(path, states.len(), given, quiet)? {
        Some(own) => states.with_intervals(own).map_err(|fault| Error::of_batch(path, fault)),
        None => Ok(states),
    }
}

/// The intervals of `n` cells that the file has, unless one is `given` for all.
pub fn intervals(path: &Path, n: usize, given: Option<f64>, quiet: bool) -> Result<Option<Vec<f64>>, Error> {
    let mut npz = Reader::open(path)?;
    match (npz.has("dt"), given) {
        (false, None) => Err(Error::NoInterval { path: path.to_owned() }),
        (true, None) => Ok(Some(npz.vector("dt", Some(n))?)),
        (has, Some(_)) => {
            if has && !quiet {
                tell!("{}: dt is not read: all cells are advanced by --dt", path.display());
            }
            Ok(None)
        }
    }
}

/// An NPZ file that contains the states, and to which more arrays may be added.
pub fn written<'a>(out: &'a Output, mechanism: &Mechanism, states: &States) -> io::Result<Writer<'a>> {
    let (n, k) = (states.len(), states.species_count());
    let mut npz = Writer::new(out.file());
    npz.strings("species", mechanism.species_names())?;
    npz.numbers("T", &[n], states.temperature())?;
    npz.numbers("P", &[n], states.pressure())?;
    npz.numbers("Y", &[n, k], states.y())?;
    if let Some(intervals) = states.intervals() {
        npz.numbers("dt", &[n], intervals)?;
    }
    Ok(npz)
}

/// Writes cells that a command has made, given as T \[K\], P \[Pa\] and mass fractions. `more` adds further arrays.
pub fn save(
    out: &Output,
    args: &MechanismArgs,
    mechanism: &Mechanism,
    (t, p, y): (Vec<f64>, Vec<f64>, Vec<f64>),
    more: impl FnOnce(&mut Writer<'_>) -> io::Result<()>,
) -> Result<(), Error> {
    let states = States::new(mechanism, t, p, y).map_err(|fault| Error::of_batch(&args.mechanism, fault))?;
    let write = || {
        let mut npz = written(out, mechanism, &states)?;
        more(&mut npz)?;
        npz.finish()
    };
    write().map_err(|e| out.blame(e))
}

/// Reports if all values are so small that they may be in another unit.
fn tell_units(path: &Path, states: &States) {
    let most = |values: &[f64]| values.iter().copied().max_by(f64::total_cmp);
    if let Some(p) = most(states.pressure()).filter(|p| *p < LOW) {
        tell!("note: {}: no P is above {} Pa; 1 bar is 1e5 Pa", path.display(), short(p));
    }
    tell_kelvin(path, states.temperature());
}

/// Reports if all temperatures \[K\] are so low that they may be in another unit.
pub fn tell_kelvin(path: &Path, temperatures: &[f64]) {
    if let Some(t) = temperatures.iter().copied().max_by(f64::total_cmp).filter(|t| *t < COLD) {
        tell!("note: {}: no T is above {} K; temperatures are in kelvin", path.display(), short(t));
    }
}

/// The purpose of the states.
#[derive(Debug, Clone, Copy)]
pub enum Use {
    /// To be advanced.
    Advance(Reactor),
    /// Rates.
    Rates,
    /// Equilibrium.
    Equilibrium,
}

/// Reports data that were read but do not affect the result.
pub fn tell_unused(path: &Path, states: &States, mechanism: &Mechanism, used: Use) {
    let warm = |values: &[f64]| values.iter().any(|v| *v != 0.0);
    let source = states.source().is_some_and(|(dydt, heating)| warm(dydt) || warm(heating));
    let heated = states.source().is_some_and(|(_, heating)| warm(heating));
    let given = match states.source().is_some_and(|(dydt, _)| warm(dydt)) {
        true if heated => "the source of dYdt and heating",
        true => "dYdt",
        false => "heating",
    };
    let electrons = states.electron_temperature().is_some();
    let plasma = || mechanism.network().reactions.iter().any(|r| matches!(r.rate, RateLaw::TwoTemperature { .. }));
    let unused = [
        ("Te", electrons && matches!(used, Use::Equilibrium), "at equilibrium there is one temperature"),
        ("Te", electrons && !matches!(used, Use::Equilibrium) && !plasma(), "no rate of the mechanism depends on it"),
        ("heating", heated && matches!(used, Use::Advance(Reactor::FixedT)), "--reactor fixed-t holds the temperature"),
        (given, source && matches!(used, Use::Rates), "wdot is what reactions alone do"),
        (given, source && matches!(used, Use::Equilibrium), "at equilibrium there is no source"),
    ];
    for (array, _, why) in unused.into_iter().filter(|u| u.1) {
        tell!("warning: {}: {array} has no effect: {why}", path.display());
    }
}

/// A name without case and punctuation, except the charge at its end.
fn plain(name: &str) -> (String, Option<char>) {
    let letters = name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    (letters, name.chars().last().filter(|c| "+-*".contains(*c)))
}

/// The index among the known names of each column of the file.
pub fn columns(names: &[String], known: &[String]) -> Result<Vec<usize>, SpeciesFault> {
    let places: HashMap<&str, usize> = known.iter().enumerate().map(|(k, name)| (&**name, k)).collect();
    let index = |name: &str| places.get(name).copied();
    let mut seen = vec![false; known.len()];
    let mut place = Vec::with_capacity(names.len());
    let unknown: Vec<&String> = names.iter().filter(|name| index(name).is_none()).collect();
    if !unknown.is_empty() {
        let same = |name: &str| known.iter().find(|known| plain(known) == plain(name)).cloned();
        let names_and_meant = unknown.into_iter().map(|name| (name.clone(), same(name))).collect();
        return Err(SpeciesFault::Unknown { all: names.len(), names: names_and_meant });
    }
    for name in names {
        let Some(k) = index(name) else { continue };
        match seen.get_mut(k) {
            Some(s) if !*s => *s = true,
            _ => return Err(SpeciesFault::Twice(name.clone())),
        }
        place.push(k);
    }
    let missing: Vec<String> = known.iter().zip(&seen).filter(|(_, s)| !**s).map(|(n, _)| n.clone()).collect();
    if missing.is_empty() { Ok(place) } else { Err(SpeciesFault::Missing(missing)) }
}
