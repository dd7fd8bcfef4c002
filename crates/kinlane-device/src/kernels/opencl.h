
/* What the kernels below need of the language. */
#define FUNCTION
#define KERNEL __kernel
#define GLOBAL __global
#define PLACE get_global_id(0)
#define PLACES get_global_size(0)
static inline unsigned take(volatile __global unsigned *next) { return atomic_inc(next); }

