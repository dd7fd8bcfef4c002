//! Emitted programs. One test program for all: each would compile every method for the recorder once more, which takes
//! over a minute.

mod common;
mod gas;
mod golden;
mod group;
mod independent;
mod precision;
mod recorder;
