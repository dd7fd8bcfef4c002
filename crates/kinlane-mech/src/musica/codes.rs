//! The codes of findings that only configurations of MUSICA and MICM give. A code never changes its meaning.

use crate::codes::codes;

codes! {
    FILE = "M0700", "a file of a configuration is not there";
    NOTHING = "M0701", "a configuration without species or without reactions";
    MISSING = "M0702", "a required entry is missing";
    VALUE = "M0703", "an entry has a value of the wrong kind";
    KEY = "M0704", "an entry that is not known";
    TYPE = "M0705", "a type that is not known";
    UNSUPPORTED = "M0706", "something other than reactions of a gas";
    UNKNOWN_SPECIES = "M0707", "a species is named but not declared";
    REPEATED = "M0708", "something is declared more than once";
    PHASE = "M0709", "a phase is not declared, or lacks a species";
    PARAMETER = "M0710", "a parameter that no rate law can have";
    PROPERTY = "M0711", "a property of a species is missing or impossible";
    NAME = "M0712", "a name that would stand for two quantities";
    HELD = "M0713", "species whose amounts the file gives";
    UNUSED = "M0714", "species that take part in no reaction";
    IGNORED = "M0715", "a part of the file that the chemistry does not need";
    TERNARY = "M0716", "a rate constant that MICM multiplies by a number";
    VERSION = "M0717", "a version of the format that is not known";
    CONDITION = "M0718", "a condition of music-box that cannot be set";
}
