/* What cells keep from call to call, laid out as on the lanes (`kinlane_solve::record`), in `kept`. Behind it a cell has,
   for this call only: after how many attempts it was last looked at, whether it was saved, and its counters at the
   start. */
#define RECORD (kept + (size_t)c * (RECORDED + COURSE))
#define SEEN RECORDED
#define IS_SAVED (RECORDED + 1)
#define COUNTED_BEFORE (RECORDED + 2)

/* A cell begins with nothing of the one before it, so that what it keeps is its own. */
#define NOTHING_AT(at, n) EACH(k, n) AT((at) + k) = 0.0;
#define FORGET      \
    ARRAYS(NOTHING_AT) \
    WAIT

/* A cell that has entered goes on where it stood, if all is known of it; else it has its step size, if that is known. */
static FUNCTION void recall(SPACE double *w, GLOBAL double *record, double budget OF) {
    const double known = record[KNOWN], dt = AT(at_dt);
    WAIT;
    ONLY_WHERE(known == ALL) {
        GLOBAL const double *from = record + SAVED_ARRAYS;
#define PUT(at, n)                                \
    EACH(k, n) AT((at) + k) = from[k];            \
    from += n;
        ARRAYS(PUT)
        WAIT;
    }
    ALL_AGAIN
    FIRST {
        if (known == ALL) AT(at_budget) = AT(at_steps) + AT(at_rejected) + budget;
        if (known == STEP) AT(at_h) = record[H];
        record[END] = known == ALL ? record[END] + dt : dt;
        record[SEEN] = -1.0;
        record[IS_SAVED] = 0.0;
        record[COUNTED_BEFORE] = AT(at_steps);
        record[COUNTED_BEFORE + 1] = AT(at_rejected);
        record[COUNTED_BEFORE + 2] = AT(at_rhs_count);
        record[COUNTED_BEFORE + 3] = AT(at_jac_count);
        record[COUNTED_BEFORE + 4] = AT(at_factor_count);
        AT(at_left) = FOREVER;
        AT(at_span) = dt;
        AT(at_verdict) = 0.0;
    }
    WAIT;
}

/* If the next step would reach the end, saves what the cell needs for it, and lets the cell go to the end. Between the
   stages of a step nothing can be saved. */
static FUNCTION void approach(SPACE double *w, GLOBAL double *record OF) {
    const double attempts = AT(at_steps) + AT(at_rejected), left = record[END] - AT(at_t);
    const int look = record[IS_SAVED] == 0.0 && record[SEEN] != attempts;
    const int save = look && !(left > SLIVER * AT(at_h));
    WAIT;
    ONLY_WHERE(save) {
        GLOBAL double *to = record + SAVED_ARRAYS;
#define GET(at, n)                              \
    EACH(k, n) to[k] = AT((at) + k);            \
    to += n;
        ARRAYS(GET)
        WAIT;
    }
    ALL_AGAIN
    FIRST {
        if (look) record[SEEN] = attempts;
        if (save) {
            record[H] = AT(at_h);
            record[IS_SAVED] = 1.0;
            AT(at_left) = left;
        }
    }
    WAIT;
}

/* A cell that has ended, with the state that is handed out. */
static FUNCTION void remember(SPACE double *w, GLOBAL double *record) {
    FIRST {
        record[KNOWN] = record[IS_SAVED] != 0.0 ? ALL : NOTHING;
        record[STATE] = AT(at_y + SPECIES);
        record[STATE + 1] = AT(at_pressure);
    }
    EACH(k, SPECIES) record[STATE + 2 + k] = AT(at_y + k);
}
#define RECALL recall(w, RECORD, budget ALL_OF)
#define APPROACH approach(w, RECORD ALL_OF)
#define REMEMBER remember(w, RECORD)
#define BEFORE(i) RECORD[COUNTED_BEFORE + (i)]
