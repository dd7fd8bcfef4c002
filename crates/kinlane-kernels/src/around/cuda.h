
/* What the kernels below need of the language. */
#ifndef BOUNDS
#define BOUNDS
#endif
#define KERNEL extern "C" __global__ BOUNDS
#define FUNCTION __device__
#define GLOBAL
#define SHARED __shared__
#define NEAR_SPACE
#define NEAR_ARGUMENT
#define NEAR_MEMORY __shared__ double nearby[NEAR * CELLS]
#define WIDE double
#define ANY(x) (x)
#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)
#define THREADS (gridDim.x * blockDim.x)
#define GROUP blockIdx.x
static __device__ __forceinline__ unsigned take(unsigned *next) { return atomicAdd(next, 1u); }

