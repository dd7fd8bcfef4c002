//! What batches need of a device's memory: `kinlane check --device`.

use crate::error::Error;
use kinlane::device::{MemoryPlan, Needs};
use kinlane::{Advance, Mechanism, Place, PlanError, Scheme, SchemeSolver};
use serde::Serialize;
use std::fmt::Write;

/// Sizes of batches in the table of a device.
const BATCHES: [usize; 4] = [10_000, 100_000, 1_000_000, 10_000_000];

/// How batches of a gas are cut to fit, by the default method.
pub fn gas(mechanism: &Mechanism, device: &str) -> Result<Vec<(usize, MemoryPlan)>, Error> {
    let mut solver = Advance::builder(mechanism).place(on(device)).plan()?;
    plans(|batch| solver.memory_plan(batch))
}

/// As [`gas`], for a scheme.
pub fn scheme(scheme: &Scheme, device: &str) -> Result<Vec<(usize, MemoryPlan)>, Error> {
    let mut solver = SchemeSolver::builder(scheme).place(on(device)).plan()?;
    plans(|batch| solver.memory_plan(batch))
}

fn on(device: &str) -> Place {
    let mut place = Place::default();
    place.device = Some(device.to_owned());
    place
}

fn plans(mut plan: impl FnMut(usize) -> Result<Vec<MemoryPlan>, PlanError>) -> Result<Vec<(usize, MemoryPlan)>, Error> {
    let mut all = Vec::new();
    for batch in BATCHES {
        all.extend(plan(batch)?.into_iter().map(|plan| (batch, plan)));
    }
    Ok(all)
}

/// A batch on a device, for the JSON report; memory in bytes.
#[derive(Debug, Serialize)]
pub struct Row {
    device: String,
    cells: usize,
    in_work: usize,
    cells_at_once: usize,
    memory: usize,
    usable: u64,
    per_cell_in_work: usize,
    per_cell: usize,
    tables: usize,
}

/// As the JSON report has it.
pub fn rows(plans: &[(usize, MemoryPlan)]) -> Vec<Row> {
    let row = |&(cells, MemoryPlan { ref device, needs, cut, .. }): &(usize, MemoryPlan)| Row {
        device: device.id(),
        cells,
        in_work: cut.workers,
        cells_at_once: cut.cells,
        memory: needs.used(&cut),
        usable: Needs::usable(device),
        per_cell_in_work: needs.per_worker(),
        per_cell: needs.per_cell(),
        tables: needs.tables,
    };
    plans.iter().map(row).collect()
}

/// As text.
pub fn table(plans: &[(usize, MemoryPlan)]) -> String {
    let mut text = String::new();
    let mut said = Vec::new();
    for (batch, MemoryPlan { device, needs, cut, .. }) in plans {
        // For large batches the mapping may differ, and with it the needs of a cell.
        if !said.contains(&(device.id(), *needs)) {
            said.push((device.id(), *needs));
            let usable = bytes(Needs::usable(device) as usize);
            let (thread, cell, tables) = (bytes(needs.per_worker()), bytes(needs.per_cell()), bytes(needs.tables));
            let near = if needs.near > 0 { format!(" ({} of it near)", bytes(needs.near)) } else { String::new() };
            let _ = writeln!(
                text,
                "{device}\n\
                 memory          {usable} to use; {thread} per cell in work{near}, {cell} per cell of the batch, {tables} of tables\n\
                 {:>14}{:>14}{:>14}{:>16}",
                "cells", "in work", "cells at once", "memory"
            );
        }
        let used = needs.used(cut);
        let _ = writeln!(text, "{batch:>14}{:>14}{:>14}{:>16}", cut.workers, cut.cells, bytes(used));
    }
    text
}

/// A number of bytes in words.
pub fn bytes(count: usize) -> String {
    match count as f64 {
        b if b < 1024.0 => format!("{b} B"),
        b if b < 1024.0 * 1024.0 => format!("{:.1} KiB", b / 1024.0),
        b if b < 1024.0 * 1024.0 * 1024.0 => format!("{:.1} MiB", b / 1024.0 / 1024.0),
        b => format!("{:.1} GiB", b / 1024.0 / 1024.0 / 1024.0),
    }
}
