/* One group of threads per cell: what is independent is dealt out among them, the rest is done by all or by the first.
   The group keeps its arena and takes one cell after another. Where TILE groups are parts of a warp, they run in step, their
   elements lie next to each other, and `m` is the mask of the threads that take part. */
#define ARENA(arena) ((arena) + (size_t)GROUP * (TILE * (LEN + SINGLES / 2 + NEAR)))
#if TILE > 1
#define MEMBER (threadIdx.x / SIZE)
#else
#define MEMBER 0
#endif
#define AT(place) w[(place) * TILE]
#define EACH(k, n) for (unsigned k = ID; k < (n); k += SIZE)
#define FIRST if (ID == 0)
#define TICKET SHARED unsigned ticket[TILE]
#define TAKE(c, next) FIRST ticket[MEMBER] = take(next); SYNC; c = ticket[MEMBER]; SYNC
#define WORKER (GROUP * TILE + MEMBER)
#define WORKERS (THREADS / SIZE)
#define WAIT SYNC
#if TILE > 1
#define OF , unsigned m
#define ALL_OF , m
#define ALL_THREADS unsigned m = 0xffffffffu
#define EVERYONE(x) __all_sync(m, x)
/* A block for the cells in which a condition holds; ALL_AGAIN behind it. */
#define ONLY_WHERE(x)                      \
    {                                      \
        const int takes_part = (x);        \
        const unsigned before = m;         \
        m = __ballot_sync(m, takes_part);  \
        if (takes_part)
#define ALL_AGAIN   \
        m = before; \
    }
#endif

