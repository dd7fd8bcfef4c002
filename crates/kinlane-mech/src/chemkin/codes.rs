//! The codes of findings that only CHEMKIN input gives. A code never changes its meaning.

macro_rules! codes {
    ($($name:ident = $code:literal, $what:literal;)*) => {
        $(#[doc = concat!($code, ": ", $what, ".")] pub const $name: &str = $code;)*
        /// Every code with a few words on what it means.
        pub const TABLE: &[(&str, &str)] = &[$(($code, $what)),*];
    };
}

codes! {
    FOREIGN_SECTION = "M0300", "a section describes surfaces, bulk phases or plasmas";
    UNKNOWN_SECTION = "M0301", "a line starts no section that is known";
    AFTER_END = "M0302", "text after the last END";
    PREFACE = "M0303", "text before the first section";
    NO_SECTIONS = "M0304", "none of the sections of CHEMKIN input is in the file";
    TRANSPORT = "M0305", "transport data is skipped";
    ELEMENT = "M0306", "an element that is not known, or not declared";
    ATOMIC_WEIGHT = "M0307", "an atomic weight that cannot be read";
    SPECIES_NAME = "M0308", "a word that cannot be the name of a species";
    REPEATED_SPECIES = "M0309", "a species is declared more than once";
    NO_SPECIES = "M0310", "no species are declared";
    NO_THERMO = "M0311", "species without thermodynamic data";
    REPEATED_THERMO = "M0312", "a species has more than one thermodynamic record";
    MISSING_DIGIT = "M0313", "a line of a thermodynamic record lacks its number in column 80";
    INCOMPLETE_THERMO = "M0314", "a thermodynamic record is incomplete";
    STRAY_THERMO = "M0315", "a line in a THERMO section belongs to no record";
    THERMO_RANGE = "M0316", "a temperature range that cannot be read";
    TWO_POLYNOMIALS = "M0317", "two polynomials but one temperature range";
    RANGE_ORDER = "M0318", "temperatures that do not ascend";
    COEFFICIENT = "M0319", "a polynomial coefficient that is not a number";
    COMPOSITION = "M0321", "elements that cannot be read";
    NOT_A_REACTION = "M0322", "a line is neither a reaction nor data of one";
    FOREIGN_RATE = "M0323", "a rate or keyword that is not gas-phase kinetics";
    PARAMETER = "M0324", "a rate parameter that is not a number";
    CASE = "M0325", "species are matched without regard to case";
    LONG_EQUATION = "M0326", "an equation is too long";
    EMPTY_SIDE = "M0327", "a reaction without reactants or products";
    THIRD_BODIES = "M0328", "the third bodies of both sides differ";
    UNKNOWN_SPECIES = "M0329", "a reaction names a species that is not declared";
    PHOTON = "M0330", "a reversible reaction emits light";
    UNCLOSED = "M0331", "the slash that closes data is missing";
    NAMELESS = "M0332", "data without a name before it";
    KEYWORD = "M0333", "a word is neither a keyword nor a species";
    UNIT = "M0334", "a unit that is not known";
    TROE_T2 = "M0335", "a fourth Troe parameter of zero";
    PLOG_PRESSURE = "M0336", "a PLOG pressure that is not positive";
    ORDER = "M0337", "a reaction order that cannot be read";
    REPEATED_EFFICIENCY = "M0338", "an efficiency is given twice";
    UNKNOWN_COLLIDER = "M0339", "the efficiency of a species that is not declared";
    EFFICIENCY = "M0340", "an efficiency that is not one number";
    DATA_NUMBER = "M0341", "data that is not a number";
    COMMAS = "M0342", "commas between data";
    DATA_COUNT = "M0343", "a keyword with too few or too many numbers";
    UNUSED_EFFICIENCIES = "M0344", "efficiencies or a collider that make no difference";
    ORDERS_AT_EQUILIBRIUM = "M0345", "forward orders on a reversible reaction";
    TWO_RATE_LAWS = "M0346", "data of more than one rate law";
    NO_BRACKETS = "M0347", "LOW or HIGH without (+M)";
    NO_LIMIT = "M0348", "(+M) without LOW or HIGH";
    BLEND = "M0349", "TROE or SRI where they do not belong";
    LANDAU_TELLER = "M0350", "LT or RLT where they do not belong";
    CHEBYSHEV = "M0351", "incomplete Chebyshev data";
    REVERSE_ORDERS = "M0352", "RORD without REV";
    REVERSED_IRREVERSIBLE = "M0353", "REV on an irreversible reaction";
    REVERSE_FALLOFF = "M0354", "REV on a falloff reaction";
    REPEATED_KEYWORD = "M0355", "data of one keyword is given twice";
    TWO_UNITS = "M0356", "two units for one quantity";
    BEHIND_END = "M0357", "text behind END on its line";
    CASE_THERMO = "M0358", "a thermodynamic record is matched without regard to case";
    REACTION_AFTER_END = "M0359", "a reaction after the last END";
    BEYOND_80 = "M0360", "text beyond column 80 of a thermodynamic record";
    THERMO_WORDS = "M0361", "text behind THERMO, or behind the default temperatures";
    EXPONENTS = "M0362", "a polynomial with other exponents than the nine coefficients have";
    REPEATED_ELEMENT = "M0363", "a thermodynamic record has an element twice";
}
