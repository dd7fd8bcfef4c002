/* What every worker logs: how many rows; then a row for the entry of a cell, for every accepted step and for the end
   of a cell. A row has the cell, the accepted steps, t, the last step, what is left, the verdict, the pressure or
   density; then the state and its rate. A worker whose log is full pauses. */
#define ROW (HEAD_LOG + 2 * (SPECIES + 2))
#define OPEN_LOG                                                       \
    GLOBAL double *log = kept + (size_t)WORKER * (1 + ROWS * ROW);     \
    unsigned rows = 0;                                                 \
    double seen = busy ? AT(at_steps) : -1.0;
#define LOG_HAS_ROOM (rows + 2 <= ROWS)
#define BEGIN_LOG seen = -1.0; LOG
#define LOG                                                            \
    ONLY_WHERE(seen < AT(at_steps) || AT(at_verdict) != 0.0) {         \
        seen = AT(at_steps);                                           \
        find_dydt(PASS);                                               \
        WAIT;                                                          \
        GLOBAL double *row = log + 1 + (size_t)rows * ROW;             \
        FIRST {                                                        \
            row[0] = c;                                                \
            row[1] = AT(at_steps);                                     \
            row[2] = AT(at_t);                                         \
            row[3] = AT(at_tried);                                     \
            row[4] = AT(at_left);                                      \
            row[5] = AT(at_verdict);                                   \
            row[6] = AT(at_pressure);                                  \
        }                                                              \
        EACH(k, SPECIES + 2) row[HEAD_LOG + k] = AT(at_y + k);                \
        EACH(k, SPECIES + 2) row[HEAD_LOG + SPECIES + 2 + k] = AT(at_dydt + k);   \
        rows += 1;                                                     \
        WAIT;                                                          \
    }                                                                  \
    ALL_AGAIN
#define CLOSE_LOG FIRST log[0] = rows
