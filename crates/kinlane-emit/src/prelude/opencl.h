/* OpenCL C 1.2 with doubles. No product is contracted with a sum: the bits are those of the scalar machine. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

typedef ulong u64;
#define SMALL static inline
#define from_bits(u) as_double((u64)(u))
#define to_bits(x) as_ulong((double)(x))

