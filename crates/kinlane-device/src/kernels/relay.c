/* Cells that one kernel begins and another ends: what is kept of them is phi, T, sigma, and how far their clock has
   come. */
#define LISTED(list) (lists + 2 + (size_t)(list) * cells)
#define KEPT (kept + (size_t)c * (SPECIES + KEPT_HEAD))
#define KEEP_STATE                                \
    WAIT;                                         \
    EACH(k, SPECIES + 2) KEPT[k] = AT(at_y + k);  \
    FIRST {                                       \
        GLOBAL double *clock = KEPT + SPECIES + 2; \
        clock[0] = AT(at_t);                      \
        clock[1] = AT(at_left);                   \
        clock[2] = AT(at_h);                      \
        clock[3] = AT(at_steps);                  \
        clock[4] = AT(at_rejected);               \
        clock[5] = AT(at_rhs_count);              \
        clock[6] = AT(at_jac_count);              \
        clock[7] = AT(at_factor_count);           \
    }
#define TAKE_UP                                   \
    WAIT;                                         \
    EACH(k, SPECIES + 2) AT(at_y + k) = KEPT[k];  \
    FIRST {                                       \
        GLOBAL const double *clock = KEPT + SPECIES + 2; \
        AT(at_t) = clock[0];                      \
        AT(at_left) = clock[1];                   \
        AT(at_h) = clock[2] * BEGIN;              \
        AT(at_steps) = clock[3];                  \
        AT(at_rejected) = clock[4];               \
        AT(at_rhs_count) = clock[5];              \
        AT(at_jac_count) = clock[6];              \
        AT(at_factor_count) = clock[7];           \
        AT(at_rtol) = rtol * STRICT;              \
        AT(at_atol) = atol * STRICT;              \
    }                                             \
    WAIT
