/* CUDA C++, to be compiled with --fmad=false: the bits are then those of the scalar machine. */
typedef unsigned long long u64;
#define SMALL static __device__ __forceinline__
#define from_bits(u) __longlong_as_double((long long)(u64)(u))
#define to_bits(x) ((u64)__double_as_longlong(x))
#ifndef INFINITY
#define INFINITY from_bits(0x7ff0000000000000ull)
#endif
#ifndef NAN
#define NAN from_bits(0x7ff8000000000000ull)
#endif

