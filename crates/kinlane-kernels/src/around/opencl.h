
/* What the kernels below need of the language. */
#define KERNEL __kernel
#define FUNCTION
#define GLOBAL __global
#define SHARED __local
#define NEAR_SPACE __local
/* PoCL's compiler breaks down on arrays in this memory, so the host lends it. */
#define NEAR_ARGUMENT , __local double *nearby
#define NEAR_MEMORY
#define WIDE double8
#define ANY(x) (x).s0
#define THREAD get_global_id(0)
#define THREADS get_global_size(0)
#define GROUP get_group_id(0)
static inline unsigned take(volatile __global unsigned *next) { return atomic_inc(next); }

