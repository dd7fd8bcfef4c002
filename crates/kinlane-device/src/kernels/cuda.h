
/* What the kernels below need of the language. */
#define FUNCTION __device__
#define KERNEL extern "C" __global__
#define GLOBAL
#define PLACE (blockIdx.x * blockDim.x + threadIdx.x)
#define PLACES (gridDim.x * blockDim.x)
static __device__ __forceinline__ unsigned take(unsigned *next) { return atomicAdd(next, 1u); }

