//! The C interface of kinlane, as `libkinlane`: hosts in C, C++, Fortran and Python call it. `include/kinlane.h` is its
//! documentation.

#![allow(unsafe_code, reason = "arrays and handles of a host in another language come as pointers")]

mod interface;
