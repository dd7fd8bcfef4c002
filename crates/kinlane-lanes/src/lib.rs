//! Cells side by side in SIMD registers.
//!
//! The engine takes a batch of gas cells and advances each by its own steps. Lanes that finish take the next
//! cell from a queue shared by all threads, so they stay full; no operation crosses lanes, so a cell's bits
//! do not depend on its neighbours.
//!
//! The SIMD code: `machine.rs` is the machine over the registers of `simd/`, with its own LU in `factor.rs`;
//! `dispatch.rs` chooses the instruction set.
//!
//! The data: `cells.rs` has what a caller lends, checked; `batch.rs` the same in the form in which threads
//! share it; `shared.rs` what else all threads read (plan, options, method).
//!
//! The work: `engine/` divides a batch among the threads of a `crew.rs`. A `worker/` belongs to one thread
//! and steps lanes, which `wide.rs` fills and empties; `boards.rs` says where a cell waits, `apart.rs` which
//! method it takes; `note.rs` watches cells, `between.rs` computes their states within steps, `pieces.rs`
//! follows their imposed histories. `continuation.rs` is for cells that go on from an earlier call, by
//! what `kinlane_solve::record` says, `evaluate.rs` for rates and properties at given states, `constants.rs` for
//! the rate constants of schemes. `host.rs` protects all of this from settings of the calling thread.
//! `ceiling.rs` measures what a core can do at best.
#![allow(unsafe_code, reason = "SIMD intrinsics, and code entered only after their instruction set was detected")]

mod batch;
mod ceiling;
mod cells;
mod constants;
mod continuation;
mod crew;
mod dispatch;
mod engine;
mod error;
mod evaluate;
mod factor;
mod host;
mod machine;
mod owned;
mod quiet;
mod shared;
mod signals;
mod simd;
mod worker;

pub use ceiling::multiply_adds;
pub use cells::{Cells, Factor, Layout, Points, Source, check_watch, turned};
pub use constants::{Column, Constants};
pub use continuation::Continuation;
pub use crew::Crew;
pub use dispatch::{InstructionSet, Width, available};
pub use engine::{Engine, PerMethod, Totals};
pub use error::EngineError;
pub use evaluate::Properties;
pub use host::UsualArithmetic;
pub use kinlane_solve::history::{History, HistoryFault};
pub use kinlane_solve::watch::{Event, Happening, Quantity, Watch};
pub use owned::{OwnedCells, put_rows, rows, rows_of_species};
pub use quiet::NoSignals;
pub use signals::Signals;
pub use worker::Kernel;
pub use worker::between::{Between, Origin, Put};
