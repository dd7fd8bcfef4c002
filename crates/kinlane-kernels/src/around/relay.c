/* What workers know of the batch, in `queue`: for every stage how many of them have paused in this launch; how many cells
   have arrived in it; for every stage how many cells have been taken; then for every worker and stage the cell that it
   holds, plus one. */
#define PAUSED(stage) queue[stage]
#define ARRIVED queue[STAGES - 1]
#define TAKEN(stage) queue[STAGES + (stage)]
#define HELD queue[2 * STAGES + STAGES * WORKER + STAGE]

/* Cells that one kernel begins and another ends. A list has a place for every cell in each of its ranks; before all lists
   stands how many places of each rank are taken. What is kept of a cell is phi, T, sigma, and how far its clock has
   come. */
#define LISTED(list, rank) (lists + LISTS * RANKS + ((size_t)(list) * RANKS + (rank)) * cells)
#define KEPT (kept + (size_t)c * (SPECIES + KEPT_HEAD))
#define KEEP_STATE                                 \
    WAIT;                                          \
    EACH(k, SPECIES + 2) KEPT[k] = AT(at_y + k);   \
    FIRST {                                        \
        GLOBAL double *clock = KEPT + SPECIES + 2; \
        SAVE_CLOCK                                 \
    }
#define TAKE_UP                                          \
    WAIT;                                                \
    EACH(k, SPECIES + 2) AT(at_y + k) = KEPT[k];         \
    FIRST {                                              \
        GLOBAL const double *clock = KEPT + SPECIES + 2; \
        RESTORE_CLOCK                                    \
    }                                                    \
    WAIT;                                                \
    begin_late(PASS);

/* How many cells are on a list. */
static FUNCTION unsigned on_list(GLOBAL const unsigned *lists, unsigned list) {
    unsigned all = 0;
    for (unsigned rank = 0; rank < RANKS; ++rank) all += lists[list * RANKS + rank];
    return all;
}

/* The cell that stands on a list after so many others. Those that may need many attempts come first, so that none of
   them is left to the end, and threads that run in step have cells that need as much as one another. */
static FUNCTION unsigned from_list(GLOBAL const unsigned *lists, unsigned list, unsigned cells, unsigned before) {
    unsigned rank = RANKS - 1;
    while (rank > 0 && before >= lists[list * RANKS + rank]) before -= lists[list * RANKS + rank--];
    return LISTED(list, rank)[before];
}

