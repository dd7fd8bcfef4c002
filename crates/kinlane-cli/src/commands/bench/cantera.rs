//! Cantera's CVODE beside kinlane's methods, where a `python3` with Cantera is found.

use crate::error::Error;
use crate::files::output;
use crate::run::stop;
use kinlane::mech::write::{self, Header};
use kinlane::{Mechanism, States};
use serde::{Deserialize, Serialize};
use std::io::{self, Read};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

const SCRIPT: &str = include_str!("cantera.py");

#[derive(Serialize)]
struct Job<'a> {
    mechanism: PathBuf,
    #[serde(rename = "T")]
    t: &'a [f64],
    #[serde(rename = "P")]
    p: &'a [f64],
    #[serde(rename = "Y")]
    y: &'a [f64],
    dt: f64,
    rtol: &'a [f64],
    /// Absolute tolerance, relative to rtol.
    atol: f64,
    /// Runs end with the first one that takes longer than this \[s\].
    patience: f64,
}

/// One run of Cantera.
#[derive(Deserialize)]
pub struct Run {
    /// Relative tolerance.
    pub rtol: f64,
    /// CPU seconds for all cells.
    pub seconds: f64,
    #[serde(rename = "T")]
    t: Vec<f64>,
    #[serde(rename = "Y")]
    y: Vec<f64>,
}

impl Run {
    /// The cells at the end.
    pub fn states(mut self, mechanism: &Mechanism, entry: &States) -> Result<States, Error> {
        // At loose tolerances CVODE's mass fractions may be below zero, and do not sum to one.
        for row in self.y.chunks_mut(mechanism.species_count()) {
            row.iter_mut().for_each(|y| *y = y.max(0.0));
            let sum: f64 = row.iter().sum();
            row.iter_mut().for_each(|y| *y /= sum);
        }
        let here = |e| Error::of_batch(&PathBuf::from("Cantera's answer"), e);
        States::new(mechanism, self.t, entry.pressure().to_vec(), self.y).map_err(here)
    }
}

/// Runs at several tolerances, or the reason why there are none.
pub fn runs(
    mechanism: &Mechanism,
    states: &States,
    dt: f64,
    rtol: &[f64],
    atol: f64,
    patience: f64,
) -> Result<Result<Vec<Run>, String>, Error> {
    let fail = |fault| Error::Write { path: std::env::temp_dir(), fault };
    let folder = tempfile::tempdir().map_err(fail)?;
    let job = Job {
        mechanism: folder.path().join("mechanism.yaml"),
        t: states.temperature(),
        p: states.pressure(),
        y: states.y(),
        dt,
        rtol,
        atol,
        patience,
    };
    let header = Header { description: "For Cantera.".to_owned(), date: None, phase: None };
    output::write_text(&job.mechanism, &write::cantera(mechanism.network(), &header)?)?;
    let path = folder.path().join("job.json");
    output::write_text(&path, &output::pretty(&job, &path)?)?;
    let child =
        Command::new("python3").args(["-c", SCRIPT]).arg(&path).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let done = child.and_then(ended);
    stop::check()?;
    Ok(match done {
        Err(e) => Err(format!("python3 cannot be started: {e}")),
        Ok(o) if !o.status.success() => {
            Err(String::from_utf8_lossy(&o.stderr).trim().lines().last().unwrap_or("python3 failed").to_owned())
        }
        Ok(o) => {
            let run = |line: &str| serde_json::from_str(line).map_err(|e| format!("Cantera's answer `{line}`: {e}"));
            String::from_utf8_lossy(&o.stdout).lines().map(run).collect()
        }
    })
}

/// Interval between two checks for a signal.
const LOOK: Duration = Duration::from_millis(20);

/// Waits for a process and returns its output; a signal ends the process.
fn ended(mut child: Child) -> io::Result<Output> {
    let pipes = (child.stdout.take(), child.stderr.take());
    std::thread::scope(|scope| {
        let all = |pipe: Option<Box<dyn Read + Send>>| {
            scope.spawn(move || {
                let mut bytes = Vec::new();
                pipe.map_or(Ok(0), |mut pipe| pipe.read_to_end(&mut bytes)).map(|_| bytes)
            })
        };
        let out = all(pipes.0.map(|p| Box::new(p) as _));
        let err = all(pipes.1.map(|p| Box::new(p) as _));
        let status = loop {
            if stop::asked() {
                child.kill()?;
            }
            if let Some(status) = child.try_wait()? {
                break status;
            }
            std::thread::sleep(LOOK);
        };
        let read = |h: std::thread::ScopedJoinHandle<'_, io::Result<Vec<u8>>>| {
            h.join().unwrap_or_else(|p| std::panic::resume_unwind(p))
        };
        Ok(Output { status, stdout: read(out)?, stderr: read(err)? })
    })
}
