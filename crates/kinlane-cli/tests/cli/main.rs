//! What the program does, from outside: one test program for all of them, since each is linked with all of kinlane.

mod advance;
mod bad;
mod common;
mod cuda;
mod desk;
mod devices;
mod equilibrate;
mod failures;
mod flamelet;
mod ignite;
mod ignite_histories;
mod music_box;
mod pasr;
mod psr;
mod reaclib;
mod refusals;
mod reports;
mod scheme;
mod scheme_names;
mod surface;
mod trajectory;
