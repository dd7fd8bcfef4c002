//! `kinlane check`.

use crate::args::CheckArgs;
use crate::error::Error;
use crate::setup;
use kinlane::device::Needs;
use kinlane::mech::Severity;
use kinlane::mech::network::{Blend, RateLaw, Reaction, Reverse};
use kinlane::mech::render::render;
use kinlane::{Advance, Mechanism};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::io::IsTerminal;

/// Runs the command; `Ok` is the exit code.
pub fn run(args: &CheckArgs) -> Result<i32, Error> {
    let mechanism = setup::mechanism(&args.mechanism)?;
    let network = mechanism.network();
    let warnings = network.notes.iter().filter(|n| n.severity >= Severity::Warning).count();
    let shown: Vec<_> =
        network.notes.iter().filter(|n| !args.quiet || n.severity >= Severity::Warning).cloned().collect();
    if !shown.is_empty() {
        tell!("{}", render(&shown, &network.sources, std::io::stderr().is_terminal()).trim_end());
    }
    if args.quiet {
        return Ok(0);
    }
    say!(
        "{}: {} species of {} ({}), {} reactions",
        mechanism.name(),
        mechanism.species_count(),
        network.elements.len(),
        mechanism.elements().collect::<Vec<_>>().join(" "),
        mechanism.reaction_count(),
    );
    say!("\n{}", reactions(&network.reactions));
    say!("{}", sizes(&mechanism));
    if let Some(device) = &args.device {
        say!("{}", memory(&mechanism, device)?);
    }
    let notes = network.notes.len();
    say!("{notes} {}, {warnings} of them warnings", if notes == 1 { "note" } else { "notes" });
    Ok(0)
}

/// Reactions by class and direction.
fn reactions(all: &[Reaction]) -> String {
    // By direction: detailed balance, one way, own reverse rate.
    let mut classes: BTreeMap<(u8, &str), [usize; 3]> = BTreeMap::new();
    let mut total = [0; 3];
    for r in all {
        let direction = match r.reverse {
            Reverse::Equilibrium => 0,
            Reverse::Irreversible => 1,
            Reverse::Explicit { .. } => 2,
        };
        for counts in [classes.entry(class(r)).or_default(), &mut total] {
            if let Some(count) = counts.get_mut(direction) {
                *count += 1;
            }
        }
    }
    let mut text =
        format!("{:<26}{:>9}{:>12}{:>14}{:>14}\n", "class", "reactions", "reversible", "irreversible", "own reverse");
    let rows = classes.into_iter().map(|((_, name), counts)| (name, counts)).chain([("all", total)]);
    for (name, counts) in rows {
        let [balanced, one_way, own] = counts.map(shown);
        let sum = counts.iter().sum::<usize>();
        let _ = writeln!(text, "{name:<26}{sum:>9}{balanced:>12}{one_way:>14}{own:>14}");
    }
    text
}

/// A count, a dash for none.
fn shown(count: usize) -> String {
    if count == 0 { "-".into() } else { count.to_string() }
}

/// What one cell costs: the sparse matrices and the memory.
fn sizes(mechanism: &Mechanism) -> String {
    let plan = mechanism.plan();
    let n = plan.lu.n;
    let filled =
        |entries: usize| format!("{entries} of {} entries ({:.0} %)", n * n, 100.0 * entries as f64 / (n * n) as f64);
    let dense = n * n * n / 3;
    format!(
        "Jacobian        {n} x {n}, {}\n\
         LU factors      {}\n\
         factorisation   {} multiply-adds (a dense one: {dense})\n\
         memory          {} per cell in work, without the method's own\n",
        filled(plan.jacobian.nonzeros),
        filled(plan.lu.entries),
        plan.lu.operations,
        bytes(plan.layout.len() * size_of::<f64>()),
    )
}

/// Sizes of batches in the table of a device.
const BATCHES: [usize; 4] = [10_000, 100_000, 1_000_000, 10_000_000];

/// What the default method needs of a device's memory, and how batches are cut to it.
fn memory(mechanism: &Mechanism, device: &str) -> Result<String, Error> {
    let mut solver = Advance::new(mechanism).device(device).plan()?;
    let mut text = String::new();
    for (i, batch) in BATCHES.into_iter().enumerate() {
        for (info, needs, cut) in solver.memory_plan(batch)? {
            if i == 0 {
                let usable = bytes(Needs::usable(&info) as usize);
                let (thread, cell, tables) = (bytes(needs.worker), bytes(needs.cell), bytes(needs.tables));
                let _ = writeln!(
                    text,
                    "{info}\n\
                     memory          {usable} to use; {thread} per cell in work, {cell} per cell in and out, {tables} of tables\n\
                     {:>14}{:>14}{:>14}{:>16}",
                    "cells", "in work", "cells at once", "memory"
                );
            }
            let used = needs.used(&cut);
            let _ = writeln!(text, "{batch:>14}{:>14}{:>14}{:>16}", cut.workers, cut.cells, bytes(used));
        }
    }
    Ok(text)
}

fn bytes(count: usize) -> String {
    match count as f64 {
        b if b < 1024.0 => format!("{b} B"),
        b if b < 1024.0 * 1024.0 => format!("{:.1} KiB", b / 1024.0),
        b if b < 1024.0 * 1024.0 * 1024.0 => format!("{:.1} MiB", b / 1024.0 / 1024.0),
        b => format!("{:.1} GiB", b / 1024.0 / 1024.0 / 1024.0),
    }
}

/// The class of a reaction, and its place in the table.
fn class(r: &Reaction) -> (u8, &'static str) {
    match &r.rate {
        RateLaw::Arrhenius(_) if r.third_body.is_some() => (1, "third body"),
        RateLaw::Arrhenius(_) => (0, "elementary"),
        RateLaw::Falloff(f) => match (f.activated, f.blend) {
            (false, Blend::Lindemann) => (2, "falloff, Lindemann"),
            (false, Blend::Troe { .. }) => (3, "falloff, Troe"),
            (false, Blend::Sri { .. }) => (4, "falloff, SRI"),
            (false, Blend::Tsang { .. }) => (5, "falloff, Tsang"),
            (true, _) => (6, "chemically activated"),
        },
        RateLaw::Plog(_) => (7, "PLOG"),
        RateLaw::Chebyshev(_) => (8, "Chebyshev"),
        RateLaw::LinearBurke(_) => (9, "linear Burke (LMR-R)"),
        RateLaw::BlowersMasel { .. } => (10, "Blowers-Masel"),
        RateLaw::TwoTemperature { .. } => (11, "two-temperature plasma"),
        RateLaw::LandauTeller { .. } => (12, "Landau-Teller"),
    }
}
