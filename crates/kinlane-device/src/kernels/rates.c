/* Net production rates of every cell, cell-major. */
KERNEL void rates(GLOBAL double *arena, GLOBAL const double *R, GLOBAL const unsigned *N, GLOBAL const double *in,
                  GLOBAL double *out, unsigned cells) {
    GLOBAL double *w = ARENA(arena);
    for (unsigned c = PLACE; c < cells; c += PLACES) {
        load(w, in, c, cells, 0);
        evaluate(w, R, N);
        for (unsigned k = 0; k < SPECIES; ++k) out[(size_t)c * SPECIES + k] = AT(at_wdot + k);
    }
}
