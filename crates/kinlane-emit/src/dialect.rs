//! All that differs between the languages a program is printed in.

/// A language.
#[derive(Debug, Clone, Copy)]
pub struct Dialect {
    /// What stands before everything else: the bit-level steps of exp and ln among it.
    pub prelude: &'static [&'static str],
    /// How constants reach the program.
    pub constants: Constants,
    /// The parameter through which a function sees a memory: where that is, the type of its numbers, and a name.
    pub arena: fn(&str, &str, &str) -> String,
    /// The same for groups. A compiler may not take the arena for the function's own then: others write to it between
    /// two barriers.
    pub shared_arena: fn(&str, &str, &str) -> String,
    /// Before the type: where the arena is, and where what is near.
    pub spaces: [&'static str; 2],
    /// The parameters behind it, if constants are passed on, and what they are called in calls.
    pub tables: [&'static str; 2],
    /// Before the name of a function called from outside.
    pub entry: &'static str,
    /// Before the name of any other function.
    pub function: &'static str,
    /// The same where there is one call of it.
    pub called_once: &'static str,
    /// Before the name of a function of a number.
    pub elementary: &'static str,
    /// An element of a memory, by its name and the place there.
    pub element: fn(&str, &str) -> String,
    /// Turns of an independent loop that are taken at once where its places come from tables: their reads first, then
    /// their writes, for a compiler must keep the order of a write and a read that might be of the same element, and
    /// would wait for memory in every turn.
    pub abreast: usize,
    /// Whether a group of threads runs a cell together. The text then asks for `ID`, a thread's number, for `SIZE`, how
    /// many there are, and for `SYNC`, a barrier.
    pub group: bool,
}

impl Dialect {
    /// The language for groups.
    pub const fn grouped(self) -> Self {
        Self { group: true, ..self }
    }
}

/// Where tables are.
#[derive(Debug, Clone, Copy)]
pub enum Constants {
    /// In the text: what stands before the name of a table.
    Written {
        /// Of reals.
        reals: &'static str,
        /// Of indices that fit 16 bits.
        short_indices: &'static str,
        /// Of any other indices.
        indices: &'static str,
    },
    /// In memory: all reals behind a pointer `R`, all indices behind a pointer `N`, in the order of
    /// [`Tables`](kinlane_plan::tables::Tables). The text is then short whatever the size of the mechanism, and there
    /// is no limit on the size of the tables.
    Passed {
        /// An entry, by the name of the pointer and the place behind it.
        entry: fn(&str, &str) -> String,
    },
}

const BITS: &str = include_str!("prelude/bits.c");

/// Behind the prelude of a program with single numbers.
pub const SINGLE: &str = include_str!("prelude/single.c");

/// C11. To get the bits of the scalar machine, compile without contraction (`-ffp-contract=off`) and with a fused
/// `fma` (`-mfma` on x86-64, or slowly through the library).
pub const C: Dialect = Dialect {
    prelude: &[include_str!("prelude/c.h"), BITS],
    constants: Constants::Written {
        reals: "static const double",
        short_indices: "static const unsigned short",
        indices: "static const unsigned",
    },
    arena: |space, kind, name| format!("{space}{kind} *restrict {name}"),
    shared_arena: |space, kind, name| format!("{space}{kind} *{name}"),
    spaces: ["", ""],
    tables: ["", ""],
    entry: "void",
    function: "static void",
    called_once: "static void",
    elementary: "static double",
    element: |name, at| format!("{name}[{at}]"),
    abreast: 1,
    group: false,
};

/// Elements of cells that run side by side lie next to each other: `TILE` cells share a piece of memory, and `w` (of
/// single numbers `v`) points at the cell's own first element, in memory of the kind `SPACE`. Both are defined when the
/// text is compiled; what calls the entries stands behind them, in the same text.
fn tiled(name: &str, at: &str) -> String {
    let place = if at.contains(' ') { format!("({at})") } else { at.to_owned() };
    format!("{name}[{place} * TILE]")
}

/// OpenCL C 1.2. Functions stay functions: compilers inline by the caller's size, here everything into one kernel, and
/// take four times as long.
pub const OPENCL: Dialect = Dialect {
    prelude: &[include_str!("prelude/opencl.h"), BITS],
    constants: Constants::Passed { entry: |name, at| format!("{name}[{at}]") },
    arena: |space, kind, name| format!("{space}{kind} *restrict {name}"),
    shared_arena: |space, kind, name| format!("{space}{kind} *{name}"),
    spaces: ["SPACE ", "__local "],
    tables: [", __global const double *restrict R, __global const unsigned *restrict N", ", R, N"],
    entry: "static __attribute__((noinline)) void",
    function: "static __attribute__((noinline)) void",
    called_once: "static __attribute__((noinline)) void",
    elementary: "static double",
    element: tiled,
    abreast: 1,
    group: false,
};

/// CUDA C++, for NVRTC: no headers. Functions with more than one call stay functions, as in OpenCL; what is called once is
/// left to the compiler, which then takes half of the time, and code half of the room. Tables are read as what never
/// changes, or every write to the arena would hold up the reads of indices behind it.
pub const CUDA: Dialect = Dialect {
    prelude: &[include_str!("prelude/cuda.h"), BITS],
    constants: Constants::Passed { entry: |name, at| format!("__ldg({name} + {at})") },
    arena: |space, kind, name| format!("{space}{kind} *__restrict__ {name}"),
    shared_arena: |space, kind, name| format!("{space}{kind} *{name}"),
    spaces: ["SPACE ", ""],
    tables: [", const double *__restrict__ R, const unsigned *__restrict__ N", ", R, N"],
    entry: "static __device__ __noinline__ void",
    function: "static __device__ __noinline__ void",
    called_once: "static __device__ void",
    elementary: "static __device__ double",
    element: tiled,
    abreast: 4,
    group: false,
};
