/* One group of threads per cell: what is independent is dealt out among them, the rest is done by all or by the first.
   The group keeps its arena and takes one cell after another. */
#define ARENA(arena) ((arena) + (size_t)GROUP * (LEN + SINGLES / 2 + NEAR))
#define MEMBER 0
#define AT(place) w[place]
#define EACH(k, n) for (unsigned k = ID; k < (n); k += SIZE)
#define FIRST if (ID == 0)
#define TICKET SHARED unsigned ticket[1]
#define TAKE(c, next) FIRST ticket[0] = take(next); SYNC; c = ticket[0]; SYNC
#define WORKER GROUP
#define WORKERS (THREADS / SIZE)
#define WAIT SYNC

