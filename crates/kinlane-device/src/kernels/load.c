/* A cell's memories, and how they are passed on. */
#define DOUBLES(arena) SPACE double *w = ARENA(arena) + MEMBER
#if SINGLES
#define MEMORY(arena) DOUBLES(arena); SPACE float *v = (SPACE float *)(ARENA(arena) + TILE * LEN) + MEMBER
#define PASS w, v, R, N
#else
#define MEMORY(arena) DOUBLES(arena)
#define PASS w, R, N
#endif

/* In: T, p, electron temperature, heating of all cells, then their mass fractions, then their sources if there are any,
   both cell by cell. */
static FUNCTION void load(SPACE double *w, GLOBAL const double *in, unsigned c, unsigned cells, unsigned sources) {
    GLOBAL const double *y = in + (size_t)4 * cells + (size_t)c * SPECIES;
    FIRST {
        AT(at_y + SPECIES) = in[c];
        AT(at_pressure) = in[(size_t)cells + c];
        AT(at_electron) = in[(size_t)2 * cells + c];
        AT(at_heating) = in[(size_t)3 * cells + c];
    }
    EACH(k, SPECIES) AT(at_y + k) = y[k];
    y += (size_t)cells * SPECIES;
    EACH(k, SPECIES) AT(at_source + k) = sources ? y[k] : 0.0;
}

