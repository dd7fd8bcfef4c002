
/* Single precision. */
#ifdef __OPENCL_VERSION__
#define fmaf fma
#define sqrtf sqrt
#define fabsf fabs
#endif
SMALL float largerf(float a, float b) { return a > b ? a : b; }
SMALL float smallerf(float a, float b) { return a < b ? a : b; }
