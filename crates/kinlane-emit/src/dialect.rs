//! All that differs between the languages a program is printed in.

/// A language.
#[derive(Debug, Clone, Copy)]
pub struct Dialect {
    /// What stands before everything else: the bit-level steps of exp and ln among it.
    pub prelude: &'static str,
    /// Before the name of a table of reals.
    pub reals: &'static str,
    /// Before the name of a table of indices that fit 16 bits.
    pub short_indices: &'static str,
    /// Before the name of any other table of indices.
    pub indices: &'static str,
    /// The parameter of every function through which it sees the arena.
    pub arena: &'static str,
    /// What it is called in calls.
    pub pass_arena: &'static str,
    /// Before the name of a function called from outside.
    pub entry: &'static str,
    /// Before the name of any other function.
    pub function: &'static str,
    /// Before the name of a function of a number.
    pub elementary: &'static str,
    /// An element of the arena, from its place.
    pub element: fn(&str) -> String,
}

/// C11. To get the bits of the scalar machine, compile without contraction (`-ffp-contract=off`) and with a fused
/// `fma` (`-mfma` on x86-64, or slowly through the library).
pub const C: Dialect = Dialect {
    prelude: include_str!("prelude.c"),
    reals: "static const double",
    short_indices: "static const unsigned short",
    indices: "static const unsigned",
    arena: "double *restrict w",
    pass_arena: "w",
    entry: "void",
    function: "static void",
    elementary: "static double",
    element: |at| format!("w[{at}]"),
};
