/* Net production rates of every cell, cell by cell; then, where there are ENTRIES, those of their Jacobians likewise. */
KERNEL void rates(GLOBAL double *arena, GLOBAL const double *R, GLOBAL const INDEX *N, GLOBAL const double *in,
                  GLOBAL double *out, unsigned cells NEAR_ARGUMENT) {
    MEMORY(arena);
    for (unsigned c = WORKER; SOMEONE(c < cells); c += WORKERS) {
        ONLY_WHERE(c < cells) {
            load(w, in, c, cells, 0);
            WAIT;
            evaluate(PASS);
            EACH(k, SPECIES) out[(size_t)c * SPECIES + k] = AT(at_wdot + k);
            EACH(k, ENTRIES) out[(size_t)cells * SPECIES + (size_t)c * ENTRIES + k] = AT(at_jac + k);
            WAIT;
        }
        ALL_AGAIN
    }
}
