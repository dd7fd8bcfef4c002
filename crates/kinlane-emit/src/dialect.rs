//! All differences between the languages in which a program is printed.

/// A language.
#[derive(Debug, Clone, Copy)]
pub struct Dialect {
    /// Text before everything else; among it the bit-level steps of exp and ln.
    pub prelude: &'static [&'static str],
    /// How constants reach the program.
    pub constants: Constants,
    /// The parameter by which a function receives a memory, from the memory's address space, the type of its
    /// numbers, and a name.
    pub arena: fn(&str, &str, &str) -> String,
    /// The same where a group of threads shares a cell. A compiler must not assume then that the function
    /// alone uses the arena: other threads write to it between two barriers.
    pub shared_arena: fn(&str, &str, &str) -> String,
    /// Address spaces, written before the type: of the arena, and of the near memory.
    pub spaces: [&'static str; 2],
    /// The parameters for constants, which follow if constants are passed, and the corresponding arguments in
    /// calls.
    pub tables: [&'static str; 2],
    /// Text before the name of a function that is called from outside.
    pub entry: &'static str,
    /// Text before the name of any other function.
    pub function: &'static str,
    /// The same for a function with a single call.
    pub called_once: &'static str,
    /// Text before the name of a function of one number.
    pub elementary: &'static str,
    /// An element of a memory, from the memory's name and the place in it.
    pub element: fn(&str, &str) -> String,
    /// Number of turns of an independent loop that are taken at once if its places come from tables: first
    /// all their reads, then all their writes. A compiler must keep the order of a write and a later read
    /// that might be of the same element, and would otherwise wait for memory in every turn.
    pub abreast: usize,
    /// Whether a group of threads shares a cell. The text then uses `ID`, the number of a thread, `SIZE`, the
    /// number of threads, and `SYNC`, a barrier.
    pub group: bool,
    /// Whether the cells of several groups run in step: a branch is taken by all of them where one takes it, as on
    /// lanes. The text then uses `SOMEONE`, whether a condition holds for a cell of them.
    pub together: bool,
}

impl Dialect {
    /// This language, for groups.
    pub const fn grouped(self) -> Self {
        Self { group: true, ..self }
    }
}

/// How tables of constants reach the program.
#[derive(Debug, Clone, Copy)]
pub enum Constants {
    /// They are written in the text; before the name of a table stands:
    Written {
        /// for a table of reals.
        reals: &'static str,
        /// for a table of indices that fit 16 bits.
        short_indices: &'static str,
        /// for a table of other indices.
        indices: &'static str,
    },
    /// They are in memory: all reals behind a pointer `R`, all indices, of the type `INDEX`, behind a pointer `N`, in the order of
    /// [`Tables`](kinlane_plan::tables::Tables). The text is then short whatever the size of the mechanism,
    /// and the size of tables has no limit.
    Passed {
        /// An entry, from the name of the pointer and the place behind it.
        entry: fn(&str, &str) -> String,
        /// What stands before the name of a list that the program itself brings along, of 16 bits and of more.
        lists: [&'static str; 2],
    },
}

const BITS: &str = include_str!("prelude/bits.c");

/// Text after the prelude, for programs with single-precision numbers.
pub const SINGLE: &str = include_str!("prelude/single.c");

/// C11. For the bits of the scalar machine, compile without contraction (`-ffp-contract=off`) and with a
/// fused `fma` (`-mfma` on x86-64; otherwise the library's is slow).
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
    together: false,
};

/// Elements of cells that run side by side are adjacent: `TILE` cells share a piece of memory, and `w` (`v`
/// for single numbers) points at the cell's own first element, in memory of the kind `SPACE`. Both are
/// defined when the text is compiled; the code that calls the entries follows in the same text.
fn tiled(name: &str, at: &str) -> String {
    let place = if at.contains(' ') { format!("({at})") } else { at.to_owned() };
    format!("{name}[{place} * TILE]")
}

/// OpenCL C 1.2. Functions are kept as functions: compilers decide on inlining by the caller's size, and
/// would inline everything into one kernel, which takes four times as long to compile.
pub const OPENCL: Dialect = Dialect {
    prelude: &[include_str!("prelude/opencl.h"), BITS],
    constants: Constants::Passed {
        entry: |name, at| format!("{name}[{at}]"),
        lists: ["__constant ushort", "__constant uint"],
    },
    arena: |space, kind, name| format!("{space}{kind} *restrict {name}"),
    shared_arena: |space, kind, name| format!("{space}{kind} *{name}"),
    spaces: ["SPACE ", "__local "],
    tables: [", __global const double *restrict R, __global const INDEX *restrict N", ", R, N"],
    entry: "static __attribute__((noinline)) void",
    function: "static __attribute__((noinline)) void",
    called_once: "static __attribute__((noinline)) void",
    elementary: "static double",
    element: tiled,
    abreast: 1,
    group: false,
    together: false,
};

/// CUDA C++, for NVRTC: no headers. Functions with more than one call are kept as functions, as in OpenCL;
/// for a function with a single call the compiler decides, which halves its time and the size of the code.
/// Tables are read as constant memory; otherwise every write to the arena would delay later reads of indices.
pub const CUDA: Dialect = Dialect {
    prelude: &[include_str!("prelude/cuda.h"), BITS],
    constants: Constants::Passed {
        entry: |name, at| format!("__ldg({name} + {at})"),
        lists: ["static __device__ const unsigned short", "static __device__ const unsigned"],
    },
    arena: |space, kind, name| format!("{space}{kind} *__restrict__ {name}"),
    shared_arena: |space, kind, name| format!("{space}{kind} *{name}"),
    spaces: ["SPACE ", ""],
    tables: [", const double *__restrict__ R, const INDEX *__restrict__ N", ", R, N"],
    entry: "static __device__ __noinline__ void",
    function: "static __device__ __noinline__ void",
    called_once: "static __device__ void",
    elementary: "static __device__ double",
    element: tiled,
    abreast: 4,
    group: false,
    together: false,
};

/// The same where several groups of threads, with a cell each, are a warp. `m` is the mask of those that take part.
pub const CUDA_TOGETHER: Dialect = Dialect {
    tables: [", const double *__restrict__ R, const INDEX *__restrict__ N, unsigned m", ", R, N, m"],
    group: true,
    together: true,
    ..CUDA
};
