//! Mechanisms in Cantera's format that are read, and what is written in it and as CHEMKIN text.

mod data;
mod features;
mod fuzz;
mod messages;
mod misspelt;
mod roundtrip;
mod write;
mod write_chemkin;
mod write_files;
