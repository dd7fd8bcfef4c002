#include <math.h>
#include <stdint.h>
#include <string.h>

typedef uint64_t u64;
#define SMALL static inline
SMALL double from_bits(u64 u) {
    double x;
    memcpy(&x, &u, sizeof x);
    return x;
}
SMALL u64 to_bits(double x) {
    u64 u;
    memcpy(&u, &x, sizeof u);
    return u;
}

