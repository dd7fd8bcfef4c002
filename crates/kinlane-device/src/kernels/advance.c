/* Attempts steps until every cell is done. Who has ended a cell takes the next one before the attempt that follows, so
   threads that run in step stay busy together whatever their cells need. Out: T, p, verdict, last step and the counters
   per cell, then mass fractions. */
KERNEL void advance(GLOBAL double *arena, GLOBAL const double *R, GLOBAL const unsigned *N, GLOBAL const double *in,
                    GLOBAL double *out, GLOBAL unsigned *next, unsigned cells, unsigned sources, double dt, double h,
                    double rtol, double atol) {
    TICKET;
    MEMORY(arena);
    int busy = 0;
    unsigned c = 0;
    for (;;) {
        if (!busy) {
            TAKE(c, next);
            if (c >= cells) return;
            load(w, in, c, cells, sources);
            FIRST {
                AT(at_dt) = dt;
                AT(at_h) = h;
                AT(at_rtol) = rtol;
                AT(at_atol) = atol;
            }
            WAIT;
            enter(PASS);
            busy = 1;
        }
        attempt(PASS);
        if (AT(at_verdict) != 0.0) {
            WAIT;
            leave(PASS);
            GLOBAL double *y = out + (size_t)9 * cells + (size_t)c * SPECIES;
            FIRST {
                out[c] = AT(at_y + SPECIES);
                out[(size_t)cells + c] = AT(at_pressure);
                out[(size_t)2 * cells + c] = AT(at_verdict);
                out[(size_t)3 * cells + c] = AT(at_h);
                out[(size_t)4 * cells + c] = AT(at_steps);
                out[(size_t)5 * cells + c] = AT(at_rejected);
                out[(size_t)6 * cells + c] = AT(at_rhs_count);
                out[(size_t)7 * cells + c] = AT(at_jac_count);
                out[(size_t)8 * cells + c] = AT(at_factor_count);
            }
            EACH(k, SPECIES) y[k] = AT(at_y + k);
            busy = 0;
        }
        WAIT;
    }
}
