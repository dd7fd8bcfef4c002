/* One thread per cell. TILE threads side by side share a piece of the arena in which their elements lie next to each
   other; a thread keeps its place there and takes one cell after another. */
#define ARENA(arena) ((arena) + (size_t)(PLACE / TILE) * ((size_t)TILE * LEN) + PLACE % TILE)
#define AT(place) w[(place) * TILE]

/* In: T, p, electron temperature, heating of all cells, then their mass fractions, then their sources if there are any,
   both cell by cell. */
static FUNCTION void load(GLOBAL double *w, GLOBAL const double *in, unsigned c, unsigned cells, unsigned sources) {
    GLOBAL const double *y = in + (size_t)4 * cells + (size_t)c * SPECIES;
    AT(at_y + SPECIES) = in[c];
    AT(at_pressure) = in[(size_t)cells + c];
    AT(at_electron) = in[(size_t)2 * cells + c];
    AT(at_heating) = in[(size_t)3 * cells + c];
    for (unsigned k = 0; k < SPECIES; ++k) AT(at_y + k) = y[k];
    y += (size_t)cells * SPECIES;
    for (unsigned k = 0; k < SPECIES; ++k) AT(at_source + k) = sources ? y[k] : 0.0;
}

