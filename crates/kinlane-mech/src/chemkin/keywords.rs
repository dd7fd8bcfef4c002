//! The keywords of the lines below a reaction: what each is, and what data it takes.

use crate::validate;

/// One keyword.
pub(super) struct Keyword {
    /// In capitals; files may write it otherwise.
    pub name: &'static str,
    pub meaning: Meaning,
    /// How many numbers it may take; if this is empty, any number of them.
    pub counts: &'static [usize],
    /// What its numbers are.
    pub numbers: &'static str,
    /// Whether its data may occur once: a second occurrence would replace the first.
    pub once: bool,
}

/// What a keyword says of its reaction.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Meaning {
    Duplicate,
    Low,
    High,
    Troe,
    Sri,
    Plog,
    Cheb,
    Tcheb,
    Pcheb,
    Rev,
    Lt,
    Rlt,
    Ford,
    Rord,
    Units,
    /// Something that this reader refuses, and what that is.
    Refused(&'static str),
}

use Meaning::{Cheb, Duplicate, Ford, High, Low, Lt, Pcheb, Plog, Rev, Rlt, Rord, Sri, Tcheb, Troe, Units};

const ARRHENIUS: &str = "A, b and E";
const LANDAU_TELLER: &str = "B and C";

const KEYWORDS: [Keyword; 43] = [
    other("DUPLICATE", Duplicate),
    other("DUP", Duplicate),
    once("LOW", Low, &[3], ARRHENIUS),
    once("HIGH", High, &[3], ARRHENIUS),
    once("TROE", Troe, &[3, 4], "a, T***, T*, and T** or nothing"),
    once("SRI", Sri, &[3, 5], "a, b, c, and d and e or nothing"),
    many("PLOG", Plog, &[4], "a pressure in atm, A, b and E"),
    many("CHEB", Cheb, &[], "the counts of rows and columns, then the coefficients"),
    once("TCHEB", Tcheb, &[2], "the lowest and the highest temperature in K"),
    once("PCHEB", Pcheb, &[2], "the lowest and the highest pressure in atm"),
    once("REV", Rev, &[3], ARRHENIUS),
    once("LT", Lt, &[2], LANDAU_TELLER),
    once("RLT", Rlt, &[2], LANDAU_TELLER),
    other("FORD", Ford),
    other("RORD", Rord),
    other("UNITS", Units),
    refused("TDEP", "a rate at another temperature, such as that of the electrons"),
    refused("EXCI", "an energy loss by electron excitation"),
    refused("MOME", "a momentum-transfer collision frequency of electrons"),
    refused("XSMI", "a momentum-transfer cross section of ions"),
    refused("JAN", "a fit of Janev, Langer, Evans and Post"),
    refused("FIT1", "a power series in temperature"),
    refused("HV", "light absorbed or emitted"),
    refused("USRPROG", "a rate programmed by the user"),
    refused("ENRGDEP", "an energy-dependent surface rate"),
    refused("STICK", "a sticking coefficient of a surface reaction"),
    refused("COV", "a coverage dependence of a surface reaction"),
    refused("MWON", "the Motz-Wise correction of surface reactions"),
    refused("MWOFF", "the Motz-Wise correction of surface reactions"),
    refused("BOHM", "the Bohm condition of a surface reaction"),
    refused("NUCL", "nucleation of particles"),
    refused("LANG", "Langmuir-Hinshelwood kinetics of a surface"),
    refused("LHDE", "Langmuir-Hinshelwood kinetics of a surface"),
    refused("LHNU", "Langmuir-Hinshelwood kinetics of a surface"),
    refused("LHPR", "Langmuir-Hinshelwood kinetics of a surface"),
    refused("YIELD", "the yield of a surface reaction"),
    refused("DCOL", "a collision diameter"),
    refused("PLOGMX", "mixture rules for PLOG"),
    refused("PLOGSP", "PLOG data for one collider"),
    refused("LOWMX", "mixture rules for falloff"),
    refused("LOWSP", "falloff data for one collider"),
    refused("TROEMX", "mixture rules for falloff"),
    refused("TROESP", "falloff data for one collider"),
];

/// A keyword with numbers that may occur once.
const fn once(name: &'static str, meaning: Meaning, counts: &'static [usize], numbers: &'static str) -> Keyword {
    Keyword { name, meaning, counts, numbers, once: true }
}

/// A keyword with numbers that may occur several times.
const fn many(name: &'static str, meaning: Meaning, counts: &'static [usize], numbers: &'static str) -> Keyword {
    Keyword { name, meaning, counts, numbers, once: false }
}

/// A keyword without data, or whose data are not a list of numbers.
const fn other(name: &'static str, meaning: Meaning) -> Keyword {
    many(name, meaning, &[], "")
}

const fn refused(name: &'static str, what: &'static str) -> Keyword {
    other(name, Meaning::Refused(what))
}

/// The keyword of a name.
pub(super) fn find(name: &str) -> Option<&'static Keyword> {
    KEYWORDS.iter().find(|keyword| keyword.name.eq_ignore_ascii_case(name))
}

/// The keyword nearest to a name in capitals, of those that are read.
pub(super) fn nearest(upper: &str) -> Option<&'static str> {
    let read = KEYWORDS.iter().filter(|keyword| !matches!(keyword.meaning, Meaning::Refused(_)));
    validate::nearest(upper, read.map(|keyword| keyword.name))
}

/// Whether a name before data between slashes is a keyword, even if a species has the same name.
pub(crate) fn is_keyword(name: &str) -> bool {
    find(name).is_some()
}
