/* Where factors are kept in blocks, these hold zero where a matrix has no entry. Kernels of other stages use the same memory, also
   for cells that they hold while they pause: so a kernel empties its blocks when it takes its first cell. */
#if BLOCKS
#define EMPTY_BLOCKS                                   \
    if (!emptied) EACH(k, BLOCKS) AT(at_blocks + k) = 0.0; \
    emptied = 1
#else
#define EMPTY_BLOCKS (void)emptied
#endif

/* Attempts steps until every cell is done, or until each worker has made `turn` attempts: then it pauses, and goes on
   when the kernel is started again. So no launch takes long, whatever the cells need: the host can stop, and a card that
   also draws the screen is not taken for one that hangs. Who has ended a cell takes the next one before the attempt that
   follows, so threads that run in step stay busy together. Out: T, p, verdict, last step, the counters and the number of
   the method that ended the cell, then mass fractions.

   Where cells choose their methods, a batch goes through several kernels. That of the first stage takes all cells, that
   of each later one those on a list: of the cells that the stage before did not end (relay.c). `kept` has what a cell
   goes on with; or, where steps are logged, what every worker has logged (log.c); or what cells keep from call to call
   (record.c). */
KERNEL void advance(GLOBAL double *arena, GLOBAL const double *R, GLOBAL const INDEX *N, GLOBAL const double *in,
                    GLOBAL double *out, GLOBAL unsigned *queue, GLOBAL unsigned *lists, GLOBAL double *kept,
                    unsigned cells, unsigned sources, unsigned turn, double h, double rtol, double atol,
                    double budget NEAR_ARGUMENT) {
    TICKET;
    MEMORY(arena);
#if STAGE
    if (PAUSED(STAGE - 1)) { /* its lists are not complete */
        FIRST take(&PAUSED(STAGE));
        return;
    }
#endif
    const unsigned all = STAGE ? on_list(lists, STAGE - 1) : cells;
    unsigned c = 0;
    int busy = HELD != 0, more = 1, emptied = 0;
    ONLY_WHERE(busy) {
        c = HELD - 1;
        NEAR_BACK;
    }
    ALL_AGAIN
    OPEN_LOG;
    for (; turn && EVERYONE(LOG_HAS_ROOM); --turn) {
        ONLY_WHERE(more && !busy) {
            TAKE(c, &TAKEN(STAGE));
            more = c < all;
        }
        ALL_AGAIN
        ONLY_WHERE(more && !busy) {
            if (STAGE) c = from_list(lists, STAGE - 1, cells, c);
            EMPTY_BLOCKS;
            FORGET;
            load(w, in, c, cells, sources);
            FIRST {
                AT(at_h) = h < 0.0 ? -h * AT(at_dt) : h;
                AT(at_rtol) = rtol;
                AT(at_atol) = atol;
                AT(at_budget) = budget;
            }
            WAIT;
            enter(PASS);
            GO_ON;
            busy = 1;
            BEGIN_LOG;
        }
        ALL_AGAIN
        if (!SOMEONE(busy)) break;
        ONLY_WHERE(busy) { APPROACH; }
        ALL_AGAIN
        attempt(PASS); /* groups without a cell compute what nobody reads */
        ONLY_WHERE(busy) { LOG; }
        ALL_AGAIN
        const int leaves = busy && HANDS_OVER, ends = busy && !leaves && AT(at_verdict) != 0.0;
        ONLY_WHERE(leaves) {
            KEEP;
            FIRST LISTED(STAGE, RANK)[take(lists + STAGE * RANKS + RANK)] = c;
            busy = 0;
        }
        ALL_AGAIN
        ONLY_WHERE(ends) {
            WAIT;
            leave(PASS);
            REMEMBER;
            GLOBAL double *y = out + (size_t)HEAD_OUT * cells + (size_t)c * SPECIES;
            FIRST {
                out[c] = AT(at_y + SPECIES);
                out[(size_t)cells + c] = AT(at_pressure);
                out[(size_t)2 * cells + c] = AT(at_verdict);
                out[(size_t)3 * cells + c] = AT(at_h);
                out[(size_t)4 * cells + c] = AT(at_steps) - BEFORE(0);
                out[(size_t)5 * cells + c] = AT(at_rejected) - BEFORE(1);
                out[(size_t)6 * cells + c] = AT(at_rhs_count) - BEFORE(2);
                out[(size_t)7 * cells + c] = AT(at_jac_count) - BEFORE(3);
                out[(size_t)8 * cells + c] = AT(at_factor_count) - BEFORE(4);
                out[(size_t)9 * cells + c] = ENDED_BY;
                if (AT(at_verdict) < 0.0) take(&ARRIVED);
            }
            EACH(k, SPECIES) y[k] = AT(at_y + k);
            busy = 0;
        }
        ALL_AGAIN
        WAIT;
    }
    CLOSE_LOG;
    if (busy) {
        NEAR_AWAY;
    }
    FIRST {
        HELD = busy ? c + 1 : 0;
        if (more) take(&PAUSED(STAGE));
    }
}
