//! A batch from an NPZ file.

use crate::error::{Error, SpeciesFault};
use crate::npz::Reader;
use kinlane::{BatchError, Mechanism, States};
use std::path::Path;

/// Reads the cells of a states file. Y goes straight into the buffer that is advanced.
pub fn read(path: &Path, mechanism: &Mechanism) -> Result<States, Error> {
    read_all(path, mechanism).map_err(Error::or_interrupted)
}

fn read_all(path: &Path, mechanism: &Mechanism) -> Result<States, Error> {
    let mut npz = Reader::open(path)?;
    let blame = |fault| Error::Batch { path: path.to_owned(), fault };

    // Small arrays first: most mistakes show before the large one is read.
    let place = columns(&npz.strings("species")?, mechanism)
        .map_err(|fault| Error::Species { path: path.to_owned(), fault })?;
    let t = npz.vector("T", None)?;
    let n = t.len();
    let p = npz.vector("P", Some(n))?;
    let te = if npz.has("Te") { Some(npz.vector("Te", Some(n))?) } else { None };
    let y = npz.matrix("Y", n, &place)?;
    let mut states = States::new(mechanism, t, p, y).map_err(blame)?;
    if let Some(te) = te {
        states = states.with_electron_temperature(te).map_err(blame)?;
    }
    if npz.has("dYdt") || npz.has("heating") {
        let dydt = if npz.has("dYdt") { npz.matrix("dYdt", n, &place)? } else { vec![0.0; n * place.len()] };
        let heating = if npz.has("heating") { npz.vector("heating", Some(n))? } else { vec![0.0; n] };
        states = states.with_source(dydt, heating).map_err(blame)?;
    }
    Ok(states)
}

/// Where each column of the file stands in the mechanism.
fn columns(names: &[String], mechanism: &Mechanism) -> Result<Vec<usize>, SpeciesFault> {
    let mut seen = vec![false; mechanism.species_count()];
    let mut place = Vec::with_capacity(names.len());
    for name in names {
        let k = mechanism.require(name).map_err(|e: BatchError| SpeciesFault::Unknown(e))?;
        match seen.get_mut(k) {
            Some(s) if !*s => *s = true,
            _ => return Err(SpeciesFault::Twice(name.clone())),
        }
        place.push(k);
    }
    let missing: Vec<String> =
        mechanism.species_names().iter().zip(&seen).filter(|(_, s)| !**s).map(|(n, _)| n.clone()).collect();
    if missing.is_empty() { Ok(place) } else { Err(SpeciesFault::Missing(missing)) }
}
