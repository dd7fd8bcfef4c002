//! The codes of findings that only REACLIB libraries give. A code never changes its meaning.

use crate::codes::codes;

codes! {
    LINE = "M0800", "a line that does not belong where it stands in a REACLIB library";
    CHAPTER = "M0801", "a chapter that REACLIB does not have, or none";
    NUCLIDES = "M0802", "the line of nuclides of a set cannot be read";
    PARAMETERS = "M0803", "a line of parameters cannot be read";
    UNKNOWN = "M0804", "a nuclide that the library does not have";
    SELECTION = "M0805", "a list of nuclides that cannot be read";
    NOTHING = "M0806", "no reaction of the library is among the nuclides";
    PARTITION = "M0807", "a line of a table of partition functions cannot be read";
    NO_PARTITION = "M0808", "reverse rates without partition functions";
    NO_TABLE = "M0809", "nuclides that the tables of partition functions lack";
    TWICE = "M0810", "a set is given twice";
    SEVERAL = "M0811", "a reaction is given under several labels";
}
