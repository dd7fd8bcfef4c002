/* What the device can do at most. */
#define CHAINS 8

/* Multiply-adds that do not wait for each other, or for memory. Compilers for CPUs do not put threads side by side here, so
   the numbers are vectors where the language has them. */
KERNEL void multiply_adds(GLOBAL double *out, unsigned rounds) {
    WIDE x[CHAINS];
    for (int i = 0; i < CHAINS; ++i) x[i] = (WIDE)(i + 1e-3 * THREAD);
    for (unsigned k = 0; k < rounds; ++k)
        for (int i = 0; i < CHAINS; ++i) x[i] = fma(x[i], (WIDE)(0.999999), (WIDE)(1e-3));
    WIDE sum = x[0];
    for (int i = 1; i < CHAINS; ++i) sum += x[i];
    out[THREAD] = ANY(sum);
}

/* Numbers from one place to another. */
KERNEL void copies(GLOBAL const double *from, GLOBAL double *to) { to[THREAD] = from[THREAD]; }
