//! The codes of findings. A code never changes its meaning.
//!
//! Codes of CHEMKIN (M03xx), KPP (M05xx), MUSICA (M07xx) and REACLIB (M08xx) are beside their readers.

macro_rules! codes {
    ($($name:ident = $code:literal, $what:literal;)*) => {
        $(#[doc = concat!($code, ": ", $what, ".")] pub const $name: &str = $code;)*
        /// Every code with a few words on what it means.
        pub const TABLE: &[(&str, &str)] = &[$(($code, $what)),*];
    };
}
pub(crate) use codes;

codes! {
    // Checks on a finished network, whatever its format.
    UNBALANCED = "M0101", "a reaction does not conserve an element or the charge";
    UNDECLARED_DUPLICATE = "M0102", "two reactions are the same and are not both marked as duplicates";
    LONE_DUPLICATE = "M0103", "a reaction is marked as a duplicate but has no partner";
    NEGATIVE_A = "M0104", "a negative pre-exponential factor without permission";
    NEGATIVE_PLOG = "M0105", "the terms at one pressure add up to a rate constant that is not positive";
    NOT_FINITE = "M0106", "a number is infinite or not a number";
    LIMIT_SIGNS = "M0107", "the two limits of a falloff reaction differ in sign";
    OVERLAPPING_COLLIDER = "M0108", "a species acts both as M and as explicit collider of the same reaction";
    RANGES = "M0109", "temperature or pressure ranges are not ascending";
    NO_SPECIES = "M0110", "a phase without species";
    NEGATIVE_EFFICIENCY = "M0111", "a collider with a negative efficiency";

    // The file as a whole.
    UNREADABLE = "M0001", "the file cannot be opened";
    EMPTY = "M0002", "the file is empty";
    BINARY = "M0003", "the file is not text";
    UNKNOWN_FORMAT = "M0004", "the format is not recognised or not supported";

    // Cantera YAML.
    YAML = "M0200", "the text is not valid YAML";
    MISSING = "M0201", "a required entry is missing";
    WRONG_TYPE = "M0202", "an entry has the wrong type";
    UNKNOWN_SPECIES = "M0203", "a species is named but not declared";
    UNKNOWN_ELEMENT = "M0204", "an element is not known";
    UNIT = "M0205", "a unit is not known or does not fit the quantity";
    EQUATION = "M0206", "a reaction equation cannot be understood";
    UNSUPPORTED = "M0207", "a feature that is recognised but not supported";
    UNKNOWN_OPTION = "M0208", "an entry has a value that is not one of the known ones";
    PHASE = "M0209", "the phase asked for does not exist";
    SECTION = "M0210", "a section or file that is named does not exist";
    REPEATED = "M0211", "something is declared twice";
    COLLIDER = "M0212", "the third body is missing, ambiguous or contradictory";
    ORDERS = "M0213", "reaction orders that are not allowed";
    PARAMETERS = "M0214", "a rate law or thermo entry has impossible parameters";
    SKIPPED = "M0215", "something was skipped because the file asks for it";
    IGNORED = "M0216", "an entry is not used";
    CASE = "M0217", "a name is matched without regard to case";

    // FERN.
    FERN_LINE = "M0601", "a line of a FERN network that cannot be read";
    FERN_RATES = "M0602", "the file of rates of a FERN network is missing";
    FERN_MISFIT = "M0603", "rates of a FERN network that do not fit its nuclides";
    FERN_UNUSED = "M0604", "parts of a FERN network that are not used";

    // What is doubtful about a mechanism that is read without error.
    THERMO_JUMP = "M0401", "cp, h or s jumps where two temperature ranges meet";
    THERMO_RANGE = "M0402", "thermodynamics that do not hold at the temperatures of flames";
    HEAT_CAPACITY = "M0403", "a heat capacity that no molecule has";
    COLLISION_LIMIT = "M0404", "a rate constant above the collision limit";
    NEGATIVE_RATE = "M0405", "rate constants of one equation that add up to less than zero";
    RATE_OVERFLOW = "M0406", "a rate constant that overflows";
    BROADENING = "M0407", "a broadening factor outside 0 to 1";
    NEVER_MADE = "M0408", "a species that no reaction makes";
    NEVER_USED = "M0409", "a species that no reaction consumes";
    NO_REACTION = "M0410", "a species that no reaction changes";
    ISOLATED = "M0411", "a part of the network that is joined to nothing else";
    FIRST_ORDER_LIMIT = "M0412", "a first-order rate constant far above kT/h";

    // Writing.
    UNWRITABLE_LAW = "M0901", "the format to write has no such rate law";
    UNWRITABLE_ORDERS = "M0902", "the format to write has no such reaction orders";
    UNWRITABLE_COLLIDER = "M0903", "the format to write has no such third body";
    UNWRITABLE_THERMO = "M0904", "the format to write has no such thermodynamics";
    ROUNDED = "M0906", "the format to write has no room for all digits";
    UNWRITABLE_NAME = "M0905", "the format to write cannot hold this name, or this number";
}
