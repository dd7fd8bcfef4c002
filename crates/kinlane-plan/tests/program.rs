//! Programs of rate constants: what is written many times is computed once.

use kinlane_mech::read::{ReadOptions, read_scheme_str};
use kinlane_plan::plan::RateProgram;

/// The number of instructions for the rate constants of a text.
fn size(text: &str) -> usize {
    let scheme = read_scheme_str(("test.def", text), &ReadOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    RateProgram::new(&scheme).instructions.len()
}

/// Every level calls the one below twice: 2⁴⁰ calls of the lowest if each were written out.
#[test]
fn calls_within_calls_take_no_time() {
    let level = |i: usize| {
        format!("FUNCTION f{i}(x)\nREAL :: f{i}, x\nf{i} = f{0}(x) + f{0}(x)*2.0\nEND FUNCTION f{i}\n", i - 1)
    };
    let levels: String = (1..=40).map(level).collect();
    let lowest = "FUNCTION f0(x)\nREAL :: f0, x\nf0 = x*1.5\nEND FUNCTION f0\n";
    let text = format!(
        "#DEFVAR\nA = IGNORE;\n#EQUATIONS\nA = PROD : f40(TEMP);\n#INLINE F90_RATES\n{lowest}{levels}#ENDINLINE\n"
    );
    let one = "#DEFVAR\nA = IGNORE;\n#EQUATIONS\nA = PROD : TEMP*1.5;\n";
    // Two for every level, and the 2.
    assert_eq!(size(&text), size(one) + 2 * 40 + 1);
}

/// Every rate constant names the one above twice.
#[test]
fn rate_constants_of_rate_constants_take_no_room() {
    let reaction = |i: usize| format!("A = PROD : RCONST({i}) + RCONST({i})*2.0;\n");
    let reactions: String = (1..=40).map(reaction).collect();
    let text = |reactions: &str| format!("#DEFVAR\nA = IGNORE;\n#EQUATIONS\nA = PROD : TEMP*1.5;\n{reactions}");
    // Two for every reaction, and what stores its constant in two places; and the 2.
    assert_eq!(size(&text(&reactions)), size(&text("")) + 4 * 40 + 1);
}
