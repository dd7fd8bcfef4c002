//! Schemes of atmospheres and of stars, and what goes on in their cells.

mod parcel;
mod reaclib;
mod scheme;
mod zone;
