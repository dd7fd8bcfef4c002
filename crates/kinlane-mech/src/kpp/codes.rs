//! The codes of findings that only KPP files give. A code never changes its meaning.

use crate::codes::codes;

codes! {
    COMMAND = "M0500", "a command, or a kind of inlined code, that is not known";
    OUTSIDE = "M0501", "text before the first command";
    UNCLOSED = "M0502", "a comment or inlined code that is not closed, or closed without being opened";
    INCLUDE = "M0503", "a file to include that cannot be read";
    ATOMS = "M0504", "a file of atoms is absent, which does no harm";
    DECLARATION = "M0505", "a declaration that cannot be read";
    REPEATED = "M0506", "a species is declared more than once";
    NOTHING = "M0507", "a mechanism without species or without reactions";
    SEMICOLON = "M0508", "a semicolon is missing";
    NO_RATE = "M0509", "a reaction has no rate constant";
    EQUATION = "M0510", "an equation that cannot be read";
    UNKNOWN_SPECIES = "M0511", "a species is named but not declared";
    EXPRESSION = "M0512", "an expression that cannot be read";
    NUMBER = "M0513", "a number that cannot be read";
    UNKNOWN_FUNCTION = "M0514", "a rate constant calls a function that is not known";
    ARGUMENTS = "M0515", "a function is called with a wrong number of arguments";
    UNSUPPORTED = "M0516", "a rate function does something that is not supported";
    RECURSION = "M0517", "a rate function calls itself";
    TOO_DEEP = "M0518", "an expression, a function or a file is nested too deeply";
    UNUSED = "M0519", "species that take part in no reaction";
    INTEGERS = "M0520", "an integer is divided by an integer";
    INITIAL = "M0521", "an initial value that cannot be read";
    RCONST = "M0522", "code for rate constants that is not read";
    STATEMENT = "M0523", "statements at the beginning of a run that are not read";
    TWICE = "M0524", "an equation is written twice, with the same rate";
    PREPROCESSOR = "M0525", "code that depends on conditions of the preprocessor";
    UNSET = "M0526", "a variable of rate constants that is not set in every case";
    TAGS = "M0527", "two equations have the same tag";
    NO_PRODUCT = "M0528", "a reaction without products";
    UPTAKE = "M0529", "rate constants that depend on the aerosols and clouds of a host";
    NO_CFACTOR = "M0530", "rate constants use CFACTOR, which nothing sets";
    NEGATIVE = "M0531", "a rate constant below zero";
    UNBALANCED = "M0532", "a reaction loses or gains atoms that #CHECK asks to keep";
}
