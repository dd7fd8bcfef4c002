/* The steps of exp and ln that look at bits; a language gives u64, to_bits, from_bits and SMALL before this. */

/* As in the scalar machine: the second where either is NaN. */
SMALL double larger(double a, double b) { return a > b ? a : b; }
SMALL double smaller(double a, double b) { return a < b ? a : b; }

/* x 2^n, rounded once: two powers of two, so that neither overflows. Adding 1.5 2^52 rounds to an integer. */
SMALL double power_of_two(double n) {
    return from_bits((to_bits(n + 6755399441055744.0) << 52) + ((u64)1023 << 52));
}
SMALL double scale(double x, double n) {
    n = larger(smaller(n, 2000.0), -2000.0);
    const double first = (n * 0.5 + 6755399441055744.0) - 6755399441055744.0;
    return x * power_of_two(first) * power_of_two(n - first);
}

/* x = mantissa 2^exponent, mantissa in [3/4, 3/2); subnormal numbers are lifted by 2^54 first. */
SMALL double lifted(double x) { return x < 2.2250738585072014e-308 ? x * 18014398509481984.0 : x; }
SMALL double fraction(double x) {
    return from_bits((to_bits(lifted(x)) & 0x000fffffffffffffu) | 0x3ff0000000000000u);
}
SMALL double mantissa(double x) {
    const double m = fraction(x);
    return m < 1.5 ? m : m * 0.5;
}
SMALL double exponent(double x) {
    const double shift = x < 2.2250738585072014e-308 ? 54.0 : 0.0;
    const double e = (double)((to_bits(lifted(x)) >> 52) & 0x7ff) - 1023.0 - shift;
    return fraction(x) < 1.5 ? e : e + 1.0;
}
