/* Attempts steps until every cell is done. A thread whose cell has ended takes the next one before the attempt that
   follows, so the threads that run together stay busy together whatever their cells need. Out: T, p, status, steps,
   rejected attempts and last step per cell, then mass fractions. */
KERNEL void advance(GLOBAL double *arena, GLOBAL const double *R, GLOBAL const unsigned *N, GLOBAL const double *in,
                    GLOBAL double *out, GLOBAL unsigned *next, unsigned cells, unsigned sources, double dt, double h,
                    double rtol, double atol, double most) {
    GLOBAL double *w = ARENA(arena);
    int busy = 0;
    unsigned c = 0;
    for (;;) {
        if (!busy) {
            c = take(next);
            if (c >= cells) return;
            load(w, in, c, cells, sources);
            AT(at_dt) = dt;
            AT(at_h) = h;
            AT(at_rtol) = rtol;
            AT(at_atol) = atol;
            AT(at_most) = most;
            enter(w, R, N);
            busy = 1;
        }
        attempt(w, R, N);
        if (AT(at_status) >= 0.0) {
            leave(w, R, N);
            GLOBAL double *y = out + (size_t)6 * cells + (size_t)c * SPECIES;
            out[c] = AT(at_y + SPECIES);
            out[(size_t)cells + c] = AT(at_pressure);
            out[(size_t)2 * cells + c] = AT(at_status);
            out[(size_t)3 * cells + c] = AT(at_steps);
            out[(size_t)4 * cells + c] = AT(at_rejected);
            out[(size_t)5 * cells + c] = AT(at_h);
            for (unsigned k = 0; k < SPECIES; ++k) y[k] = AT(at_y + k);
            busy = 0;
        }
    }
}
