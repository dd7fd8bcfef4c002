//! What every command does first: open the mechanism, plan, show progress.

use crate::args::{MappingArg, MechanismArgs, RunArgs};
use crate::error::Error;
use crate::stop;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use kinlane::{Advance, AdvanceBuilder, Mechanism, ReadOptions};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// Opens the mechanism of the command line.
pub fn mechanism(args: &MechanismArgs) -> Result<Mechanism, Error> {
    let options = ReadOptions {
        format: args.format.map(Into::into),
        phase: args.phase.clone(),
        thermo: args.thermo.clone(),
        ..ReadOptions::default()
    };
    Ok(Mechanism::open(&args.mechanism, &options)?)
}

/// Refuses a device for a command that has no use for one.
pub fn only_cpu(run: &RunArgs) -> Result<(), Error> {
    match run.device.as_str() {
        "cpu" | "auto" => Ok(()),
        name => Err(Error::OnlyCpu { device: name.to_owned() }),
    }
}

/// Threads where none are asked for: one per core.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Plans the solver and connects it to Ctrl-C.
pub fn plan(builder: AdvanceBuilder, run: &RunArgs) -> Result<Advance, Error> {
    let solver = placed(builder, run)?.plan()?;
    stop::connect(solver.stop_flag());
    Ok(solver)
}

/// A solver's builder that knows where to run.
pub fn placed(builder: AdvanceBuilder, run: &RunArgs) -> Result<AdvanceBuilder, Error> {
    for (option, given) in
        [("--mapping", run.mapping != MappingArg::Auto), ("--device-memory", run.device_memory.is_some())]
    {
        if given && run.device == "cpu" {
            return Err(Error::NoDeviceFor { option });
        }
    }
    let builder = match run.cpu.threads {
        Some(n) => builder.threads(n as usize),
        None => builder,
    };
    let builder = match &run.lanes {
        Some(lanes) => builder.lanes(lanes),
        None => builder,
    };
    let builder = match run.device_memory {
        Some(mib) => builder.device_memory(u64::from(mib) << 20),
        None => builder,
    };
    Ok(builder.device(&run.device).mapping(run.mapping.into()))
}

/// Runs `work` and meanwhile shows `progress` out of `total` cells, if someone is watching.
pub fn watched<R>(quiet: bool, total: usize, progress: &AtomicUsize, work: impl FnOnce() -> R) -> R {
    if quiet || !std::io::stderr().is_terminal() {
        return work();
    }
    let bar = ProgressBar::with_draw_target(Some(total as u64), ProgressDrawTarget::stderr());
    let template = "{bar:32} {human_pos}/{human_len} cells  {per_sec}  {eta} left";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                bar.set_position(progress.load(Ordering::Relaxed) as u64);
                std::thread::park_timeout(Duration::from_millis(100));
            }
        });
        let result = work();
        done.store(true, Ordering::Relaxed);
        watcher.thread().unpark();
        let _ = watcher.join();
        bar.finish_and_clear();
        result
    })
}
