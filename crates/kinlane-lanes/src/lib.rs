//! Cells side by side in SIMD registers.
//!
//! The engine takes a batch of gas cells and advances each by its own steps. Lanes that finish take the next cell
//! from a queue shared by all threads, so they stay full; no operation crosses lanes, so a cell's bits do not depend
//! on its neighbours.
//!
//! `machine.rs` is the machine over the registers of `simd/`, with `factor.rs` its own LU; `dispatch.rs` chooses the
//! instruction set. `cells.rs` has what a caller lends, checked, `batch.rs` the same as threads share it, `shared.rs` what
//! else all of them read: plan, options, method. `engine.rs` shares a batch out among the threads of a `crew.rs`. `worker/` is one, stepping lanes that
//! `wide.rs` fills and empties: where a cell waits says `boards.rs`, which method it takes `apart.rs`; `note.rs` watches
//! cells, `between.rs` has their states within steps, `pieces.rs` their imposed histories. `continuation.rs` is for cells that go
//! on from an earlier call, `evaluate.rs` for what a gas is and does at given states. `host.rs` stands between all of them and the thread that calls.
//! `ceiling.rs` measures what a core could do at best.
#![allow(unsafe_code, reason = "SIMD intrinsics, and code entered only after their instruction set was detected")]

mod batch;
mod ceiling;
mod cells;
mod continuation;
mod crew;
mod dispatch;
mod engine;
mod error;
mod evaluate;
mod factor;
mod host;
mod machine;
mod shared;
mod simd;
mod worker;

pub use ceiling::multiply_adds;
pub use cells::{Cells, Factor, Layout, Points, Source, check_watch};
pub use continuation::Continuation;
pub use crew::Crew;
pub use dispatch::{InstructionSet, Width, available};
pub use engine::{Engine, PerMethod, Totals};
pub use error::EngineError;
pub use evaluate::Properties;
pub use host::UsualArithmetic;
pub use kinlane_solve::history::{History, HistoryFault};
pub use kinlane_solve::watch::{Event, Happening, Quantity, Watch};
pub use worker::Kernel;
pub use worker::between::{Between, Origin, Put};
