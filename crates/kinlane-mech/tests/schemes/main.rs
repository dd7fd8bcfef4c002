//! Schemes of KPP, of MUSICA and of REACLIB that are read.

mod common;
mod geos_chem;
mod kpp;
mod kpp_dialect;
mod kpp_told;
mod musica;
mod musica_conditions;
mod musica_rates;
mod musica_told;
mod reaclib;
mod screening;
