
/* What the kernels below need of the language. */
#define KERNEL __kernel
#define FUNCTION
#define GLOBAL __global
#define SHARED __local
#define THREAD get_global_id(0)
#define THREADS get_global_size(0)
#define GROUP get_group_id(0)
static inline unsigned take(volatile __global unsigned *next) { return atomic_inc(next); }

