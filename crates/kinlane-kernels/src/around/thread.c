/* One thread per cell. TILE threads side by side share a piece of the arena in which their elements lie next to each
   other, the doubles before the single numbers; a thread keeps its place there and takes one cell after another. */
#define ARENA(arena) ((arena) + (size_t)(THREAD / TILE) * (TILE * (LEN + SINGLES / 2 + NEAR)))
#define MEMBER (THREAD % TILE)
#define AT(place) w[(place) * TILE]
#define EACH(k, n) for (unsigned k = 0; k < (n); ++k)
#define FIRST
#define TICKET
#define TAKE(c, next) c = take(next)
#define WORKER THREAD
#define WORKERS THREADS
#define WAIT

