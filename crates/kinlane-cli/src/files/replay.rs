//! Replay files: the failed cells of a run, with all data to run each of them again, alone.

use crate::args::{MechanismArgs, SolverArgs, ToleranceArgs};
use crate::error::{Error, ReplayFault};
use crate::files::output;
use kinlane::{Format, Mechanism, Outcome, States};
use serde::{Deserialize, Serialize, Serializer};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Most cells in a replay file; if more fail, the first ones are enough.
const MOST: usize = 1000;

/// The whole file.
#[derive(Debug, Serialize, Deserialize)]
pub struct Replay {
    /// Version of the program that wrote it.
    pub kinlane: String,
    /// The mechanism.
    pub mechanism: MechanismRef,
    /// The states file of the run.
    #[serde(serialize_with = "shown")]
    pub states: PathBuf,
    /// Interval [s]; none where cells have their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dt: Option<f64>,
    /// Whether cells kept their steps from call to call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continued: Option<Continued>,
    /// Options of the run.
    pub options: SolverArgs,
    /// Number of failed cells, including those that are not listed.
    pub failed: usize,
    /// The cells, at most the first thousand.
    pub cells: Vec<Cell>,
}

/// A run with `--continue`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Continued {
    /// It was the first of its calls.
    Anew,
    /// It went on from earlier calls, of which a replay file keeps nothing.
    Earlier,
}

/// A path as text, though it may hold bytes that are none: the run is worth more than such a name.
fn shown<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&path.to_string_lossy())
}

fn shown_if<S: Serializer>(path: &Option<PathBuf>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_some(&path.as_ref().map(|path| path.to_string_lossy()))
}

/// Where the mechanism was, how it was read, and what its text was.
#[derive(Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct MechanismRef {
    #[serde(serialize_with = "shown")]
    pub path: PathBuf,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "shown_if")]
    pub thermo: Option<PathBuf>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<Format>,
    pub sha256: BTreeMap<String, String>,
}

/// One failed cell: its entry state, and how it ended.
#[derive(Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are those of the states file")]
pub struct Cell {
    /// Index in the batch.
    pub cell: usize,
    #[serde(rename = "T")]
    pub t: f64,
    #[serde(rename = "P")]
    pub p: f64,
    #[serde(rename = "Te", default, skip_serializing_if = "Option::is_none")]
    pub te: Option<f64>,
    /// Mass fractions by name; species not listed are absent.
    #[serde(rename = "Y")]
    pub y: BTreeMap<String, f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<CellSource>,
    /// Its own interval [s].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dt: Option<f64>,
    pub outcome: End,
}

/// The source of one cell.
#[derive(Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are those of the states file")]
pub struct CellSource {
    #[serde(rename = "dYdt")]
    pub dydt: BTreeMap<String, f64>,
    pub heating: f64,
}

/// How a cell ended.
#[derive(Debug, Serialize, Deserialize)]
pub struct End {
    /// Number in the `status` array.
    pub status: u8,
    /// The status in words.
    pub why: String,
    /// Time reached [s].
    pub t: f64,
    /// Last step size [s].
    pub h: f64,
    /// The component that dominated the last error.
    pub worst: String,
    /// Accepted steps.
    pub steps: u32,
    /// Rejected attempts.
    pub rejected: u32,
}

impl End {
    /// The end of a cell in words.
    pub fn of(o: &Outcome, mechanism: &Mechanism) -> Self {
        Self {
            status: o.status as u8,
            why: o.status.to_string(),
            t: o.t,
            h: o.h,
            worst: component(o.worst, mechanism).to_owned(),
            steps: o.cost.steps,
            rejected: o.cost.rejected,
        }
    }
}

/// The name of a state component: a species, or T.
pub fn component(index: u32, mechanism: &Mechanism) -> &str {
    mechanism.species_names().get(index as usize).map_or("T", |s| s)
}

/// The path of the replay file for an output; none where the output is dropped.
pub fn beside(out: &Path) -> Option<PathBuf> {
    let mut name = out.as_os_str().to_owned();
    name.push(".replay.json");
    (!output::is_nowhere(out)).then(|| name.into())
}

/// Removes a replay file of an earlier run, which would be taken for that of this one.
pub fn forget(path: &Path) {
    let _ = std::fs::remove_file(path);
}

/// Collects the failed cells of a batch.
pub fn gather(
    mechanism: &Mechanism,
    args: &MechanismArgs,
    solver: &SolverArgs,
    method: &str,
    states_file: &Path,
    dt: Option<f64>,
    states: &States,
) -> Replay {
    let nonzero = |values: &[f64]| -> BTreeMap<String, f64> {
        let named = mechanism.species_names().iter().zip(values);
        named.filter(|(_, v)| **v != 0.0).map(|(n, v)| (n.clone(), *v)).collect()
    };
    let k = states.species_count();
    let cells = states.failures().take(MOST).map(|(i, o)| Cell {
        cell: i,
        t: states.temperature().get(i).copied().unwrap_or_default(),
        p: states.pressure().get(i).copied().unwrap_or_default(),
        te: states.electron_temperature().and_then(|te| te.get(i).copied()),
        y: nonzero(states.y_of(i)),
        source: states.source().map(|(dydt, heating)| CellSource {
            dydt: nonzero(dydt.get(i * k..(i + 1) * k).unwrap_or_default()),
            heating: heating.get(i).copied().unwrap_or_default(),
        }),
        dt: states.intervals().and_then(|dt| dt.get(i).copied()),
        outcome: End::of(o, mechanism),
    });
    Replay {
        kinlane: crate::VERSION.to_owned(),
        mechanism: MechanismRef {
            path: whole(&args.mechanism),
            phase: args.phase.clone(),
            thermo: args.thermo.as_deref().map(whole),
            format: args.format,
            sha256: digests(mechanism),
        },
        states: states_file.to_owned(),
        dt,
        continued: None,
        // The full name, since a later version may have another default.
        options: SolverArgs {
            tolerances: ToleranceArgs { method: Some(method.to_owned()), ..solver.tolerances.clone() },
            reactor: Some(solver.gas_reactor()),
            ..solver.clone()
        },
        failed: states.failures().count(),
        cells: cells.collect(),
    }
}

/// An absolute path of a file; the name of a bundled mechanism is not changed.
fn whole(path: &Path) -> PathBuf {
    path.canonicalize().ok().filter(|p| p.is_file()).unwrap_or_else(|| path.to_owned())
}

/// Digests without the names of their files, in an order that does not depend on these.
pub fn contents(digests: &BTreeMap<String, String>) -> Vec<&str> {
    let mut all: Vec<&str> = digests.values().map(String::as_str).collect();
    all.sort_unstable();
    all
}

/// The digest of every text of a mechanism.
pub fn digests(mechanism: &Mechanism) -> BTreeMap<String, String> {
    let sources = &mechanism.network().sources;
    sources
        .iter()
        .map(|s| {
            let digest = Sha256::digest(s.text.as_bytes());
            (s.name.clone(), digest.iter().map(|b| format!("{b:02x}")).collect())
        })
        .collect()
}

impl Replay {
    /// Reads a replay file.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let fail = |fault| Error::Replay { path: path.to_owned(), fault };
        let text = std::fs::read(path).map_err(|e| fail(e.into()))?;
        serde_json::from_slice(&text).map_err(|e| fail(e.into()))
    }
}

impl Cell {
    /// The cell as a batch of one, bit for bit as it entered.
    pub fn states(&self, mechanism: &Mechanism) -> Result<States, ReplayFault> {
        let row = |named: &BTreeMap<String, f64>| {
            let mut row = vec![0.0; mechanism.species_count()];
            for (name, value) in named {
                let k = mechanism.require(name)?;
                if let Some(y) = row.get_mut(k) {
                    *y = *value;
                }
            }
            Ok::<_, ReplayFault>(row)
        };
        let mut states = States::as_given(mechanism, vec![self.t], vec![self.p], row(&self.y)?)?;
        if let Some(te) = self.te {
            states = states.with_electron_temperature(vec![te])?;
        }
        if let Some(s) = &self.source {
            states = states.with_source(row(&s.dydt)?, vec![s.heating])?;
        }
        Ok(states)
    }
}
