/* Where cells are not parts of one warp, each goes its own way. */
#if !defined(OF)
#define OF
#define ALL_OF
#define ALL_THREADS
#define SOMEONE(x) (x)
#define EVERYONE(x) (x)
#define ONLY_WHERE(x) if (x)
#define ALL_AGAIN
#endif

/* A cell's memories, and how they are passed on: doubles, single numbers, and doubles in the memory of the work group. */
#if SINGLES
#define FLOATS(arena) SPACE float *v = (SPACE float *)(ARENA(arena) + TILE * LEN) + MEMBER
#define PASS_FLOATS , v
#else
#define FLOATS(arena)
#define PASS_FLOATS
#endif
#if NEAR
#define CELL (THREAD % CELLS)
#define NEARBY                                                                  \
    NEAR_MEMORY;                                                                \
    NEAR_SPACE double *u = nearby + CELL / TILE * (TILE * NEAR) + CELL % TILE;  \
    EACH(k, NEAR) u[k * TILE] = 0.0;                                            \
    WAIT
#define PASS_NEARBY , u
/* What is nearby is lost when a kernel ends: a worker that pauses keeps it behind its arena. */
#define SAVED ((ARENA(arena) + (size_t)TILE * (LEN + SINGLES / 2))[MEMBER + k * TILE])
#define NEAR_AWAY EACH(k, NEAR) SAVED = u[k * TILE]
#define NEAR_BACK                         \
    EACH(k, NEAR) u[k * TILE] = SAVED;    \
    WAIT
#else
#undef NEAR_ARGUMENT
#define NEAR_ARGUMENT
#define NEARBY
#define PASS_NEARBY
#define NEAR_AWAY
#define NEAR_BACK
#endif
#define MEMORY(arena)                         \
    ALL_THREADS;                              \
    SPACE double *w = ARENA(arena) + MEMBER;  \
    FLOATS(arena);                            \
    NEARBY
#define PASS w PASS_FLOATS PASS_NEARBY, R, N ALL_OF

/* In: T, p, electron temperature, heating, interval of all cells, then their mass fractions, then their sources if there are any,
   then their rate constants where these are given, all three cell by cell. */
static FUNCTION void load(SPACE double *w, GLOBAL const double *in, unsigned c, unsigned cells, unsigned sources) {
    GLOBAL const double *y = in + (size_t)HEAD_IN * cells + (size_t)c * SPECIES;
    FIRST {
        AT(at_y + SPECIES) = in[c];
        AT(at_pressure) = in[(size_t)cells + c];
        AT(at_electron) = in[(size_t)2 * cells + c];
        AT(at_heating) = in[(size_t)3 * cells + c];
        AT(at_dt) = in[(size_t)4 * cells + c];
    }
    EACH(k, SPECIES) AT(at_y + k) = y[k];
    y += (size_t)cells * SPECIES;
    EACH(k, SPECIES) AT(at_source + k) = sources ? y[k] : 0.0;
#if GIVEN
    GLOBAL const double *given = in + ((size_t)HEAD_IN + (sources ? 2 : 1) * SPECIES) * cells + (size_t)c * GIVEN;
    EACH(r, GIVEN) AT(at_rate_constant + 1 + r) = given[r];
#endif
}

