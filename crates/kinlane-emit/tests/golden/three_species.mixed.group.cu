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

/* Single precision. */
#ifdef __OPENCL_VERSION__
#define fmaf fma
#define sqrtf sqrt
#define fabsf fabs
#endif
SMALL float largerf(float a, float b) { return a > b ? a : b; }
SMALL float smallerf(float a, float b) { return a < b ? a : b; }

/* Where arrays start in the arena. */
enum {
    at_pressure = 0,
    at_electron = 1,
    at_floor = 2,
    at_noise = 3,
    at_slight = 4,
    at_owing = 5,
    at_lacking = 8,
    at_begun = 9,
    at_depth = 10,
    at_grows = 13,
    at_source = 14,
    at_heating = 19,
    at_conc = 20,
    at_act = 23,
    at_temp = 31,
    at_ln_t = 32,
    at_inv_t = 33,
    at_rho = 34,
    at_ctot = 35,
    at_ln_p = 36,
    at_tdot = 37,
    at_cmix = 38,
    at_wdot = 39,
    at_energy_known = 42,
    at_energy = 43,
    at_energy_at = 44,
    at_energy_lost = 45,
    at_energy_next = 46,
    at_energy_next_at = 47,
    at_gibbs = 48,
    at_exp_minus = 51,
    at_exp_plus = 54,
    at_enthalpy = 57,
    at_cp = 60,
    at_dcp = 63,
    at_third = 66,
    at_ln_third = 68,
    at_rate_constant = 70,
    at_progress = 73,
    at_elements_known = 76,
    at_elements_fed_known = 77,
    at_elements = 78,
    at_elements_fed = 79,
    at_elements_lost = 80,
    at_rates = 81,
    at_progress_t = 84,
    at_rate_constant_t = 87,
    at_rate_constant_aux = 90,
    at_k1 = 111,
    at_k2 = 116,
    at_y = 121,
    at_y1 = 126,
    at_f = 131,
    at_error = 136,
    at_t = 143,
    at_left = 144,
    at_h = 145,
    at_after_rejection = 146,
    at_rtol = 147,
    at_atol = 148,
    at_steps = 149,
    at_rejected = 150,
    at_rhs_count = 151,
    at_jac_count = 152,
    at_factor_count = 153,
    at_tried = 154,
    at_error_norm = 155,
    at_fresh = 156,
    at_rung = 157,
    at_verdict = 158,
    at_span = 159,
    at_budget = 160,
    at_idle = 161,
    at_only_end = 162,
    at_jac = 0,
    at_extra = 23,
    at_jac_third = 25,
    at_heat = 31,
    at_wdot_t = 34,
    at_inverse = 36,
    at_wdot_ctot = 37,
    at_x = 41,
};

static __device__ void begin_cell(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N, double p0, double p1, int p2) {
    const double v0 = p0 * -0.01;
    const double v1 = p0 * -10.0;
    for (unsigned i = ID; i < 3; i += SIZE) {
        const double v2 = w[(at_y + i) * TILE];
        const double v3 = w[(at_source + i) * TILE];
        const double v4 = w[(at_owing + i) * TILE];
        w[(at_owing + i) * TILE] = p2 ? ((((v3 * p1) < v0) || (v2 < v1)) ? 1.0 : 0.0) : v4;
    }
    if (ID == 0) w[at_begun * TILE] = 1.0;
    SYNC;
}

static __device__ double logarithm(double x) {
    const double v0 = mantissa(x);
    const double v1 = exponent(x);
    const double v2 = v0 - 1.0;
    const double v3 = v2 / (v0 + 1.0);
    const double v4 = v3 * v3;
    const double v5 = fma(fma(0.15368190775371185, v4, 0.15250188617835664), v4, 0.181863560673042);
    const double v6 = fma(fma(fma(v5, v4, 0.222221385015046), v4, 0.28571429395289455), v4, 0.3999999999616168);
    const double v7 = fma(v1, 5.497923018708371e-14, -(v3 * (v2 - (v4 * fma(v6, v4, 0.6666666666667271)))));
    const double v8 = (0.0 < x) ? fma(v1, 0.6931471805598903, v2 + v7) : NAN;
    const double v9 = ((x <= 0.0) && (0.0 <= x)) ? -INFINITY : ((x <= 1.7976931348623157e308) ? v8 : (x + v8));
    return v9;
}

static __device__ __noinline__ void nasa9(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N) {
    const double v0 = w[at_temp * TILE];
    const int b0 = 10000.0 < v0;
    const double v1 = smaller(10000.0, v0);
    const double v2 = w[at_ln_t * TILE];
    const double v3 = b0 ? 9.210340371976184 : v2;
    const double v4 = w[at_inv_t * TILE];
    const double v5 = b0 ? 0.0001 : v4;
    const double v6 = v1 * v1;
    const double v7 = v5 * v5;
    const double v8 = v6 * v1;
    const double v9 = v6 * v6;
    const double v10 = -v7;
    const double v11 = v3 * v5;
    const double v12 = v1 * 0.5;
    const double v13 = v6 * 0.3333333333333333;
    const double v14 = v8 * 0.25;
    const double v15 = v9 * 0.2;
    const double v16 = v7 * -0.5;
    const double v17 = (v3 + 1.0) * v5;
    const double v18 = 1.0 - v3;
    const double v19 = v1 * -0.5;
    const double v20 = v6 * -0.16666666666666666;
    const double v21 = v8 * -0.08333333333333333;
    const double v22 = v9 * -0.05;
    const double v23 = (v7 * v5) * -2.0;
    const double v24 = -v7;
    const double v25 = v1 * 2.0;
    const double v26 = v6 * 3.0;
    const double v27 = v8 * 4.0;
    for (unsigned i = ID; i < 3; i += SIZE) {
        const unsigned n0 = __ldg(N + 0 + i);
        const unsigned n1 = i * 9;
        const double v28 = __ldg(R + 3 + n1);
        const double v29 = __ldg(R + 3 + n1 + 1);
        const double v30 = __ldg(R + 3 + n1 + 2);
        const double v31 = __ldg(R + 3 + n1 + 3);
        const double v32 = __ldg(R + 3 + n1 + 4);
        const double v33 = __ldg(R + 3 + n1 + 5);
        const double v34 = __ldg(R + 3 + n1 + 6);
        const double v35 = __ldg(R + 3 + n1 + 7);
        const double v36 = fma(v30, v18, fma(v29, v17, fma(v28, v16, v3 - __ldg(R + 3 + n1 + 8))));
        const double v37 = fma(v34, v22, fma(v33, v21, fma(v32, v20, fma(v31, v19, v36))));
        w[(at_gibbs + n0) * TILE] = fma(v35, v5, v37);
        const double v38 = fma(v31, v12, fma(v30, 1.0, fma(v29, v11, fma(v28, v10, 0.0))));
        const double v39 = fma(v35, v5, fma(v34, v15, fma(v33, v14, fma(v32, v13, v38))));
        w[(at_enthalpy + n0) * TILE] = v39;
        const double v40 = fma(v32, v6, fma(v31, v1, fma(v30, 1.0, fma(v29, v5, fma(v28, v7, 0.0)))));
        w[(at_cp + n0) * TILE] = fma(v34, v9, fma(v33, v8, v40));
        const double v41 = fma(v31, 1.0, fma(v30, 0.0, fma(v29, v24, fma(v28, v23, 0.0))));
        w[(at_dcp + n0) * TILE] = fma(v34, v27, fma(v33, v26, fma(v32, v25, v41)));
    }
    SYNC;
}

static __device__ __noinline__ void above_hold(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N, double p0, double p1, double p2, int p3) {
    const double v0 = (p0 - 10000.0) * p1;
    const double v1 = p2 - 9.210340371976184;
    for (unsigned i = ID; i < 3; i += SIZE) {
        const double v2 = w[(at_gibbs + i) * TILE];
        const double v3 = w[(at_enthalpy + i) * TILE];
        const double v4 = w[(at_cp + i) * TILE];
        const double v5 = fma(v0, v4, v3 * (10000.0 * p1));
        w[(at_gibbs + i) * TILE] = p3 ? fma(1.0 - v4, v1, v2 + (v5 - v3)) : v2;
        w[(at_enthalpy + i) * TILE] = p3 ? v5 : v3;
    }
    SYNC;
}

static __device__ void remember_energy(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N, int p0) {
    const double v0 = w[(at_y + 3) * TILE];
    if (ID == 0) w[at_temp * TILE] = v0;
    if (ID == 0) w[at_ln_t * TILE] = logarithm(v0);
    if (ID == 0) w[at_inv_t * TILE] = 1.0 / v0;
    SYNC;
    nasa9(w, v, R, N);
    const double v1 = w[at_temp * TILE];
    const double v2 = w[at_ln_t * TILE];
    const double v3 = w[at_inv_t * TILE];
    const int b0 = 10000.0 < v1;
    if (b0) {
        SYNC;
        above_hold(w, v, R, N, v1, v3, v2, b0);
    }
    double s0 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const double v4 = w[(at_y + i) * TILE];
        const double v5 = w[(at_enthalpy + i) * TILE];
        s0 = fma(fma(v5 - 0.0, v0, __ldg(R + 30 + i)), v4, s0);
    }
    const double v6 = w[at_energy * TILE];
    SYNC;
    if (ID == 0) w[at_energy * TILE] = p0 ? (s0 * 8.31446261815324) : v6;
    const double v7 = w[(at_y + 3) * TILE];
    const double v8 = w[at_energy_at * TILE];
    SYNC;
    if (ID == 0) w[at_energy_at * TILE] = p0 ? v7 : v8;
    if (ID == 0) w[at_energy_known * TILE] = 1.0;
    SYNC;
}

static __device__ void remember_elements(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N, int p0) {
    const double v0 = w[at_elements_known * TILE];
    double s0 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const double v1 = w[(at_y + i) * TILE];
        s0 = s0 + (__ldg(R + 49 + i) * v1);
    }
    const double v2 = w[at_elements * TILE];
    SYNC;
    if (ID == 0) w[at_elements * TILE] = (p0 && (v0 < 0.5)) ? s0 : v2;
    double s1 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const double v3 = w[(at_source + i) * TILE];
        s1 = s1 + (__ldg(R + 49 + i) * v3);
    }
    const double v4 = w[at_elements_fed * TILE];
    SYNC;
    if (ID == 0) w[at_elements_fed * TILE] = p0 ? s1 : v4;
    if (ID == 0) w[at_elements_known * TILE] = 1.0;
    if (ID == 0) w[at_elements_fed_known * TILE] = 1.0;
    SYNC;
}

static __device__ __noinline__ void state(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N, unsigned a0, double p0) {
    const double v0 = w[(a0 + 3) * TILE];
    const double v1 = w[(a0 + 4) * TILE];
    const double v2 = w[at_pressure * TILE];
    const double v3 = v2 / (v0 * 8.31446261815324);
    const double v4 = v3 / v1;
    SYNC;
    if (ID == 0) w[at_temp * TILE] = v0;
    if (ID == 0) w[at_ln_t * TILE] = logarithm(v0);
    if (ID == 0) w[at_inv_t * TILE] = 1.0 / v0;
    if (ID == 0) w[at_rho * TILE] = v4;
    if (ID == 0) w[at_ctot * TILE] = v3;
    SYNC;
    for (unsigned i = ID; i < 3; i += SIZE) {
        const double v5 = w[(a0 + i) * TILE];
        w[(at_conc + i) * TILE] = v4 * larger(p0, v5);
    }
    SYNC;
}

static __device__ void above_hold_2(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N, double p0, double p1, double p2, int p3) {
    const double v0 = (p0 - 10000.0) * p1;
    const double v1 = p2 - 9.210340371976184;
    for (unsigned i = ID; i < 3; i += SIZE) {
        const double v2 = w[(at_gibbs + i) * TILE];
        const double v3 = w[(at_enthalpy + i) * TILE];
        const double v4 = w[(at_cp + i) * TILE];
        const double v5 = fma(v0, v4, v3 * (10000.0 * p1));
        w[(at_gibbs + i) * TILE] = p3 ? fma(1.0 - v4, v1, v2 + (v5 - v3)) : v2;
        w[(at_enthalpy + i) * TILE] = p3 ? v5 : v3;
        const double v6 = w[(at_dcp + i) * TILE];
        w[(at_dcp + i) * TILE] = p3 ? 0.0 : v6;
    }
    SYNC;
}

static __device__ __noinline__ void exponentials(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N) {
    for (unsigned i = ID; i < 3; i += SIZE) {
        const double v0 = w[(at_gibbs + i) * TILE];
        const int b0 = 600.0 < fabs(v0);
        const double v1 = smaller(600.0, larger(-600.0, v0));
        const double v2 = fma(v1, 1.4426950408889634, 6755399441055744.0) - 6755399441055744.0;
        const double v3 = fma(v2, -5.497923018708371e-14, fma(v2, -0.6931471805598903, v1));
        const float u0 = (float)v3;
        const float u1 = u0 * u0;
        const float u2 = fmaf(fmaf(2.7476798e-7f, u1, 2.4801931e-5f), u1, 0.0013888888f);
        const float u3 = fmaf(fmaf(2.763499e-6f, u1, 0.00019841186f), u1, 0.008333334f);
        const float u4 = fmaf(fmaf(fmaf(u2, u1, 0.041666668f), u1, 0.5f), u1, 1.0f);
        const float u5 = fmaf(fmaf(u3, u1, 0.16666667f) * u1, u0, u0);
        w[(at_exp_plus + i) * TILE] = b0 ? 0.0 : scale((double)(u4 + u5), v2);
        w[(at_exp_minus + i) * TILE] = b0 ? 0.0 : scale((double)(u4 - u5), -v2);
    }
    SYNC;
}

static __device__ __noinline__ void third_bodies(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N) {
    const double v0 = w[at_ctot * TILE];
    for (unsigned i = ID; i < 2; i += SIZE) {
        double s0 = __ldg(R + 37 + i) * v0;
        {
            unsigned j = __ldg(N + 3 + i);
            for (; j + 7 < __ldg(N + 3 + i + 1); j += 8) {
                const double v1 = w[(at_conc + __ldg(N + 6 + j)) * TILE];
                const double v2 = w[(at_conc + __ldg(N + 6 + j + 1)) * TILE];
                const double v3 = w[(at_conc + __ldg(N + 6 + j + 2)) * TILE];
                const double v4 = w[(at_conc + __ldg(N + 6 + j + 3)) * TILE];
                const double v5 = w[(at_conc + __ldg(N + 6 + j + 4)) * TILE];
                const double v6 = w[(at_conc + __ldg(N + 6 + j + 5)) * TILE];
                const double v7 = w[(at_conc + __ldg(N + 6 + j + 6)) * TILE];
                const double v8 = w[(at_conc + __ldg(N + 6 + j + 7)) * TILE];
                s0 = fma(__ldg(R + 39 + j), v1, s0);
                s0 = fma(__ldg(R + 39 + j + 1), v2, s0);
                s0 = fma(__ldg(R + 39 + j + 2), v3, s0);
                s0 = fma(__ldg(R + 39 + j + 3), v4, s0);
                s0 = fma(__ldg(R + 39 + j + 4), v5, s0);
                s0 = fma(__ldg(R + 39 + j + 5), v6, s0);
                s0 = fma(__ldg(R + 39 + j + 6), v7, s0);
                s0 = fma(__ldg(R + 39 + j + 7), v8, s0);
            }
            for (; j < __ldg(N + 3 + i + 1); j += 4) {
                const double v9 = w[(at_conc + __ldg(N + 6 + j)) * TILE];
                const unsigned j_1 = j + 1 < __ldg(N + 3 + i + 1) ? j + 1 : j;
                const double v10 = w[(at_conc + __ldg(N + 6 + j_1)) * TILE];
                const unsigned j_2 = j + 2 < __ldg(N + 3 + i + 1) ? j + 2 : j;
                const double v11 = w[(at_conc + __ldg(N + 6 + j_2)) * TILE];
                const unsigned j_3 = j + 3 < __ldg(N + 3 + i + 1) ? j + 3 : j;
                const double v12 = w[(at_conc + __ldg(N + 6 + j_3)) * TILE];
                s0 = fma(__ldg(R + 39 + j), v9, s0);
                s0 = j + 1 < __ldg(N + 3 + i + 1) ? fma(__ldg(R + 39 + j_1), v10, s0) : s0;
                s0 = j + 2 < __ldg(N + 3 + i + 1) ? fma(__ldg(R + 39 + j_2), v11, s0) : s0;
                s0 = j + 3 < __ldg(N + 3 + i + 1) ? fma(__ldg(R + 39 + j_3), v12, s0) : s0;
            }
        }
        w[(at_third + i) * TILE] = larger(0.0, s0);
    }
    SYNC;
}

static __device__ double exponential(double x) {
    const double v0 = fma(x, 1.4426950408889634, 6755399441055744.0) - 6755399441055744.0;
    const double v1 = fma(v0, -5.497923018708371e-14, fma(v0, -0.6931471805598903, x));
    const float u0 = (float)v1;
    const float u1 = fmaf(fmaf(2.7476798e-7f, u0, 2.763499e-6f), u0, 2.4801931e-5f);
    const float u2 = fmaf(fmaf(fmaf(u1, u0, 0.00019841186f), u0, 0.0013888888f), u0, 0.008333334f);
    const float u3 = fmaf(fmaf(fmaf(u2, u0, 0.041666668f), u0, 0.16666667f), u0, 0.5f);
    return scale((double)(fmaf(u3 * u0, u0, u0) + 1.0f), v0);
}

static __device__ void arrhenius(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N) {
    const double v0 = w[at_ln_t * TILE];
    const double v1 = w[at_inv_t * TILE];
    if (ID == 0) w[at_rate_constant * TILE] = 1.0;
    if (ID == 0) w[(at_progress + 2) * TILE] = 0.0;
    if (ID == 0) w[at_rate_constant_t * TILE] = 0.0;
    if (ID == 0) w[(at_progress_t + 2) * TILE] = 0.0;
    if (ID == 0) w[(at_rates + 2) * TILE] = 0.0;
    SYNC;
    for (unsigned i = ID; i < 2; i += SIZE) {
        const double v2 = __ldg(R + 33 + i * 2);
        const double v3 = __ldg(R + 33 + (i * 2) + 1);
        const double v4 = exponential(fma(v2, v0, -(v3 * v1)));
        w[(at_rate_constant + i + 1) * TILE] = v4;
        w[(at_rate_constant_t + i + 1) * TILE] = v4 * (fma(v3, v1, v2) * v1);
    }
    SYNC;
}

static __device__ void activities(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N) {
    for (unsigned i = ID; i < 3; i += SIZE) {
        const double v0 = w[(at_conc + i) * TILE];
        const double v1 = w[(at_exp_plus + i) * TILE];
        const double v2 = v0 * v1;
        w[(at_act + i) * TILE] = v2;
        w[(at_act + i + 4) * TILE] = -v2;
    }
    SYNC;
    if (ID == 0) w[(at_act + 3) * TILE] = 1.0;
    if (ID == 0) w[(at_act + 7) * TILE] = -1.0;
    SYNC;
}

static __device__ void mass_action(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N) {
    const double v0 = w[at_inv_t * TILE];
    for (unsigned i = ID; i < 2; i += SIZE) {
        const unsigned n0 = i * 5;
        const unsigned n1 = __ldg(N + 9 + n0);
        const double v1 = __ldg(R + 42 + i);
        const unsigned n2 = __ldg(N + 9 + n0 + 2);
        const unsigned n3 = __ldg(N + 9 + n0 + 3);
        const unsigned n4 = __ldg(N + 9 + n0 + 4);
        const double v2 = w[(at_conc + n2) * TILE];
        const double v3 = w[(at_act + n3) * TILE];
        const double v4 = w[(at_act + n4) * TILE];
        const double v5 = w[(at_exp_minus + n2) * TILE];
        const double v6 = w[(at_third + __ldg(N + 9 + n0 + 1)) * TILE];
        const double v7 = v6;
        const double v8 = w[(at_rate_constant + n1) * TILE];
        const double v9 = v8 * v1;
        const double v10 = ((v9 * v5) * v3) * v4;
        const double v11 = (v9 * v2) - v10;
        w[(at_progress + i) * TILE] = v11 * v7;
        w[(at_rates + i) * TILE] = smaller(larger(v9 * v5, -1e300), 1e300) * v7;
        const double v12 = w[(at_rate_constant_t + n1) * TILE];
        const double v13 = v12 * v1;
        const double v14 = w[(at_enthalpy + n3) * TILE];
        const double v15 = w[(at_enthalpy + n4) * TILE];
        const double v16 = w[(at_enthalpy + n2) * TILE];
        const double v17 = fma(v10, (((-1.0 + v14) + v15) - v16) * v0, (v13 * v2) - (((v13 * v5) * v3) * v4));
        w[(at_progress_t + i) * TILE] = v17 * v7;
        v[(at_extra + i) * TILE] = v11;
    }
    SYNC;
}

static __device__ __noinline__ void cold_rates(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N) {
    const double v0 = w[at_inv_t * TILE];
    const double v1 = w[at_ln_t * TILE];
    const double v2 = w[at_inv_t * TILE];
    const double v3 = w[at_gibbs * TILE];
    const double v4 = w[(at_gibbs + 1) * TILE];
    const double v5 = fma(v4, 2.0, fma(v3, -1.0, fma(0.0, v2, 0.0))) - (__ldg(R + 36) * v2);
    const double v6 = w[(at_third + 1) * TILE];
    const double v7 = 5840000000000.0 * v6;
    const double v8 = w[(at_conc + 1) * TILE];
    const double v9 = (v7 * exponential(fma(__ldg(R + 35), v1, v5))) * (1.0 * (v8 * fabs(v8)));
    const double v10 = w[(at_rate_constant + 2) * TILE];
    const double v11 = w[at_conc * TILE];
    const double v12 = w[(at_progress + 1) * TILE];
    SYNC;
    if (ID == 0) w[(at_progress + 1) * TILE] = (0.01 < v0) ? (((v7 * v10) * (1.0 * v11)) - v9) : v12;
    SYNC;
}

static __device__ __noinline__ void gather(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N) {
    for (unsigned i = ID; i < 3; i += SIZE) {
        const unsigned n0 = i * 3;
        const unsigned n1 = __ldg(N + 25 + n0 + 1);
        double s0 = 0.0;
        {
            unsigned j = __ldg(N + 25 + n0);
            for (; j + 7 < n1; j += 8) {
                const double v0 = w[(at_progress + __ldg(N + 34 + j)) * TILE];
                const double v1 = w[(at_progress + __ldg(N + 34 + j + 1)) * TILE];
                const double v2 = w[(at_progress + __ldg(N + 34 + j + 2)) * TILE];
                const double v3 = w[(at_progress + __ldg(N + 34 + j + 3)) * TILE];
                const double v4 = w[(at_progress + __ldg(N + 34 + j + 4)) * TILE];
                const double v5 = w[(at_progress + __ldg(N + 34 + j + 5)) * TILE];
                const double v6 = w[(at_progress + __ldg(N + 34 + j + 6)) * TILE];
                const double v7 = w[(at_progress + __ldg(N + 34 + j + 7)) * TILE];
                s0 = s0 + v0;
                s0 = s0 + v1;
                s0 = s0 + v2;
                s0 = s0 + v3;
                s0 = s0 + v4;
                s0 = s0 + v5;
                s0 = s0 + v6;
                s0 = s0 + v7;
            }
            for (; j < n1; j += 4) {
                const double v8 = w[(at_progress + __ldg(N + 34 + j)) * TILE];
                const unsigned j_1 = j + 1 < n1 ? j + 1 : j;
                const double v9 = w[(at_progress + __ldg(N + 34 + j_1)) * TILE];
                const unsigned j_2 = j + 2 < n1 ? j + 2 : j;
                const double v10 = w[(at_progress + __ldg(N + 34 + j_2)) * TILE];
                const unsigned j_3 = j + 3 < n1 ? j + 3 : j;
                const double v11 = w[(at_progress + __ldg(N + 34 + j_3)) * TILE];
                s0 = s0 + v8;
                s0 = j + 1 < n1 ? s0 + v9 : s0;
                s0 = j + 2 < n1 ? s0 + v10 : s0;
                s0 = j + 3 < n1 ? s0 + v11 : s0;
            }
        }
        double s1 = s0;
        {
            unsigned j = n1;
            for (; j + 7 < __ldg(N + 25 + n0 + 2); j += 8) {
                const double v12 = w[(at_progress + __ldg(N + 34 + j)) * TILE];
                const double v13 = w[(at_progress + __ldg(N + 34 + j + 1)) * TILE];
                const double v14 = w[(at_progress + __ldg(N + 34 + j + 2)) * TILE];
                const double v15 = w[(at_progress + __ldg(N + 34 + j + 3)) * TILE];
                const double v16 = w[(at_progress + __ldg(N + 34 + j + 4)) * TILE];
                const double v17 = w[(at_progress + __ldg(N + 34 + j + 5)) * TILE];
                const double v18 = w[(at_progress + __ldg(N + 34 + j + 6)) * TILE];
                const double v19 = w[(at_progress + __ldg(N + 34 + j + 7)) * TILE];
                s1 = s1 - v12;
                s1 = s1 - v13;
                s1 = s1 - v14;
                s1 = s1 - v15;
                s1 = s1 - v16;
                s1 = s1 - v17;
                s1 = s1 - v18;
                s1 = s1 - v19;
            }
            for (; j < __ldg(N + 25 + n0 + 2); j += 4) {
                const double v20 = w[(at_progress + __ldg(N + 34 + j)) * TILE];
                const unsigned j_1 = j + 1 < __ldg(N + 25 + n0 + 2) ? j + 1 : j;
                const double v21 = w[(at_progress + __ldg(N + 34 + j_1)) * TILE];
                const unsigned j_2 = j + 2 < __ldg(N + 25 + n0 + 2) ? j + 2 : j;
                const double v22 = w[(at_progress + __ldg(N + 34 + j_2)) * TILE];
                const unsigned j_3 = j + 3 < __ldg(N + 25 + n0 + 2) ? j + 3 : j;
                const double v23 = w[(at_progress + __ldg(N + 34 + j_3)) * TILE];
                s1 = s1 - v20;
                s1 = j + 1 < __ldg(N + 25 + n0 + 2) ? s1 - v21 : s1;
                s1 = j + 2 < __ldg(N + 25 + n0 + 2) ? s1 - v22 : s1;
                s1 = j + 3 < __ldg(N + 25 + n0 + 2) ? s1 - v23 : s1;
            }
        }
        w[(at_wdot + __ldg(N + 22 + i)) * TILE] = s1;
    }
    SYNC;
}

static __device__ __noinline__ void balance(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N, unsigned a3, unsigned a5) {
    const double v0 = w[at_rho * TILE];
    const double v1 = 1.0 / v0;
    SYNC;
    for (unsigned i = ID; i < 3; i += SIZE) {
        const double v2 = w[(at_wdot + i) * TILE];
        const double v3 = w[(at_source + i) * TILE];
        w[(a3 + i) * TILE] = fma(v2, v1, v3);
    }
    SYNC;
    const double v4 = w[at_temp * TILE];
    double s0 = 0.0;
    double s1 = 0.0;
    double s2 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const double v5 = w[(a3 + i) * TILE];
        const double v6 = w[(a5 + i) * TILE];
        const double v7 = w[(at_cp + i) * TILE];
        const double v8 = w[(at_enthalpy + i) * TILE];
        const double next_s0 = s0 + v5;
        const double next_s1 = fma(v6, v7 - 0.0, s1);
        const double next_s2 = fma(fma(v8 - 0.0, v4, __ldg(R + 30 + i)), v5, s2);
        s0 = next_s0;
        s1 = next_s1;
        s2 = next_s2;
    }
    SYNC;
    if (ID == 0) w[(a3 + 4) * TILE] = s0;
    const double v9 = s1 * 8.31446261815324;
    SYNC;
    const double v10 = w[at_heating * TILE];
    const double v11 = (v10 - (s2 * 8.31446261815324)) / v9;
    SYNC;
    if (ID == 0) w[(a3 + 3) * TILE] = v11;
    if (ID == 0) w[at_tdot * TILE] = v11;
    if (ID == 0) w[at_cmix * TILE] = v9;
    SYNC;
}

static __device__ __noinline__ void jacobian_slots(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N, unsigned a27) {
    const double v0 = w[at_floor * TILE];
    SYNC;
    state(w, v, R, N, at_y, v0);
    nasa9(w, v, R, N);
    const double v1 = w[at_temp * TILE];
    const double v2 = w[at_ln_t * TILE];
    const double v3 = w[at_inv_t * TILE];
    const int b0 = 10000.0 < v1;
    if (b0) {
        SYNC;
        above_hold_2(w, v, R, N, v1, v3, v2, b0);
    }
    SYNC;
    exponentials(w, v, R, N);
    third_bodies(w, v, R, N);
    arrhenius(w, v, R, N);
    activities(w, v, R, N);
    mass_action(w, v, R, N);
    const double v4 = w[at_inv_t * TILE];
    if (0.01 < v4) {
        SYNC;
        cold_rates(w, v, R, N);
    }
    SYNC;
    gather(w, v, R, N);
    balance(w, v, R, N, a27, at_y);
}

static __device__ void few_products(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N) {
    for (unsigned i = ID; i < 4; i += SIZE) {
        v[(at_jac + __ldg(N + 163 + i * 2)) * TILE] = 0.0;
    }
    SYNC;
}

static __device__ void few_products_2(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N) {
    for (unsigned i = ID; i < 2; i += SIZE) {
        const unsigned n0 = i * 4;
        const double v0 = w[(at_rates + __ldg(N + 175 + n0)) * TILE];
        const double v1 = w[(at_act + __ldg(N + 175 + n0 + 1)) * TILE];
        const double v2 = w[(at_rates + __ldg(N + 175 + n0 + 2)) * TILE];
        const double v3 = w[(at_act + __ldg(N + 175 + n0 + 3)) * TILE];
        const double v4 = w[(at_exp_plus + __ldg(N + 171 + (i * 2) + 1)) * TILE];
        v[(at_jac + __ldg(N + 171 + i * 2)) * TILE] = fma(v2, v3, v0 * v1) * v4;
    }
    SYNC;
}

static __device__ void few_products_3(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N) {
    for (unsigned i = ID; i < 3; i += SIZE) {
        const unsigned n0 = i * 8;
        const double v0 = w[(at_rates + __ldg(N + 189 + n0)) * TILE];
        const double v1 = w[(at_act + __ldg(N + 189 + n0 + 1)) * TILE];
        const double v2 = w[(at_rates + __ldg(N + 189 + n0 + 2)) * TILE];
        const double v3 = w[(at_act + __ldg(N + 189 + n0 + 3)) * TILE];
        const double v4 = w[(at_rates + __ldg(N + 189 + n0 + 4)) * TILE];
        const double v5 = w[(at_act + __ldg(N + 189 + n0 + 5)) * TILE];
        const double v6 = w[(at_rates + __ldg(N + 189 + n0 + 6)) * TILE];
        const double v7 = w[(at_act + __ldg(N + 189 + n0 + 7)) * TILE];
        const double v8 = w[(at_exp_plus + __ldg(N + 183 + (i * 2) + 1)) * TILE];
        v[(at_jac + __ldg(N + 183 + i * 2)) * TILE] = fma(v6, v7, fma(v4, v5, fma(v2, v3, v0 * v1))) * v8;
    }
    SYNC;
}

static __device__ void few_products_4(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N) {
    for (unsigned i = ID; i < 1; i += SIZE) {
        const unsigned n0 = i * 16;
        const double v0 = w[(at_rates + __ldg(N + 215 + n0)) * TILE];
        const double v1 = w[(at_act + __ldg(N + 215 + n0 + 1)) * TILE];
        const double v2 = w[(at_rates + __ldg(N + 215 + n0 + 2)) * TILE];
        const double v3 = w[(at_act + __ldg(N + 215 + n0 + 3)) * TILE];
        const double v4 = w[(at_rates + __ldg(N + 215 + n0 + 4)) * TILE];
        const double v5 = w[(at_act + __ldg(N + 215 + n0 + 5)) * TILE];
        const double v6 = w[(at_rates + __ldg(N + 215 + n0 + 6)) * TILE];
        const double v7 = w[(at_act + __ldg(N + 215 + n0 + 7)) * TILE];
        const double v8 = w[(at_rates + __ldg(N + 215 + n0 + 8)) * TILE];
        const double v9 = w[(at_act + __ldg(N + 215 + n0 + 9)) * TILE];
        const double v10 = w[(at_rates + __ldg(N + 215 + n0 + 10)) * TILE];
        const double v11 = w[(at_act + __ldg(N + 215 + n0 + 11)) * TILE];
        const double v12 = fma(v10, v11, fma(v8, v9, fma(v6, v7, fma(v4, v5, fma(v2, v3, v0 * v1)))));
        const double v13 = w[(at_rates + __ldg(N + 215 + n0 + 12)) * TILE];
        const double v14 = w[(at_act + __ldg(N + 215 + n0 + 13)) * TILE];
        const double v15 = w[(at_rates + __ldg(N + 215 + n0 + 14)) * TILE];
        const double v16 = w[(at_act + __ldg(N + 215 + n0 + 15)) * TILE];
        const double v17 = w[(at_exp_plus + __ldg(N + 213 + (i * 2) + 1)) * TILE];
        v[(at_jac + __ldg(N + 213 + i * 2)) * TILE] = fma(v15, v16, fma(v13, v14, v12)) * v17;
    }
    SYNC;
}

static __device__ void gather_2(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N) {
    for (unsigned i = ID; i < 6; i += SIZE) {
        const unsigned n0 = i * 3;
        const unsigned n1 = __ldg(N + 239 + n0 + 1);
        float s0 = 0.0;
        {
            unsigned j = __ldg(N + 239 + n0);
            for (; j + 7 < n1; j += 8) {
                const float u0 = v[(at_extra + __ldg(N + 257 + j)) * TILE];
                const float u1 = v[(at_extra + __ldg(N + 257 + j + 1)) * TILE];
                const float u2 = v[(at_extra + __ldg(N + 257 + j + 2)) * TILE];
                const float u3 = v[(at_extra + __ldg(N + 257 + j + 3)) * TILE];
                const float u4 = v[(at_extra + __ldg(N + 257 + j + 4)) * TILE];
                const float u5 = v[(at_extra + __ldg(N + 257 + j + 5)) * TILE];
                const float u6 = v[(at_extra + __ldg(N + 257 + j + 6)) * TILE];
                const float u7 = v[(at_extra + __ldg(N + 257 + j + 7)) * TILE];
                s0 = s0 + u0;
                s0 = s0 + u1;
                s0 = s0 + u2;
                s0 = s0 + u3;
                s0 = s0 + u4;
                s0 = s0 + u5;
                s0 = s0 + u6;
                s0 = s0 + u7;
            }
            for (; j < n1; j += 4) {
                const float u8 = v[(at_extra + __ldg(N + 257 + j)) * TILE];
                const unsigned j_1 = j + 1 < n1 ? j + 1 : j;
                const float u9 = v[(at_extra + __ldg(N + 257 + j_1)) * TILE];
                const unsigned j_2 = j + 2 < n1 ? j + 2 : j;
                const float u10 = v[(at_extra + __ldg(N + 257 + j_2)) * TILE];
                const unsigned j_3 = j + 3 < n1 ? j + 3 : j;
                const float u11 = v[(at_extra + __ldg(N + 257 + j_3)) * TILE];
                s0 = s0 + u8;
                s0 = j + 1 < n1 ? s0 + u9 : s0;
                s0 = j + 2 < n1 ? s0 + u10 : s0;
                s0 = j + 3 < n1 ? s0 + u11 : s0;
            }
        }
        float s1 = s0;
        {
            unsigned j = n1;
            for (; j + 7 < __ldg(N + 239 + n0 + 2); j += 8) {
                const float u12 = v[(at_extra + __ldg(N + 257 + j)) * TILE];
                const float u13 = v[(at_extra + __ldg(N + 257 + j + 1)) * TILE];
                const float u14 = v[(at_extra + __ldg(N + 257 + j + 2)) * TILE];
                const float u15 = v[(at_extra + __ldg(N + 257 + j + 3)) * TILE];
                const float u16 = v[(at_extra + __ldg(N + 257 + j + 4)) * TILE];
                const float u17 = v[(at_extra + __ldg(N + 257 + j + 5)) * TILE];
                const float u18 = v[(at_extra + __ldg(N + 257 + j + 6)) * TILE];
                const float u19 = v[(at_extra + __ldg(N + 257 + j + 7)) * TILE];
                s1 = s1 - u12;
                s1 = s1 - u13;
                s1 = s1 - u14;
                s1 = s1 - u15;
                s1 = s1 - u16;
                s1 = s1 - u17;
                s1 = s1 - u18;
                s1 = s1 - u19;
            }
            for (; j < __ldg(N + 239 + n0 + 2); j += 4) {
                const float u20 = v[(at_extra + __ldg(N + 257 + j)) * TILE];
                const unsigned j_1 = j + 1 < __ldg(N + 239 + n0 + 2) ? j + 1 : j;
                const float u21 = v[(at_extra + __ldg(N + 257 + j_1)) * TILE];
                const unsigned j_2 = j + 2 < __ldg(N + 239 + n0 + 2) ? j + 2 : j;
                const float u22 = v[(at_extra + __ldg(N + 257 + j_2)) * TILE];
                const unsigned j_3 = j + 3 < __ldg(N + 239 + n0 + 2) ? j + 3 : j;
                const float u23 = v[(at_extra + __ldg(N + 257 + j_3)) * TILE];
                s1 = s1 - u20;
                s1 = j + 1 < __ldg(N + 239 + n0 + 2) ? s1 - u21 : s1;
                s1 = j + 2 < __ldg(N + 239 + n0 + 2) ? s1 - u22 : s1;
                s1 = j + 3 < __ldg(N + 239 + n0 + 2) ? s1 - u23 : s1;
            }
        }
        v[(at_jac_third + __ldg(N + 233 + i)) * TILE] = s1;
    }
    SYNC;
}

static __device__ void spread(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N) {
    for (unsigned i = ID; i < 6; i += SIZE) {
        const unsigned n0 = __ldg(N + 266 + i);
        const float u0 = v[(at_jac + n0) * TILE];
        float s0 = u0;
        {
            unsigned j = __ldg(N + 272 + i);
            for (; j + 7 < __ldg(N + 272 + i + 1); j += 8) {
                const float u1 = v[(at_jac_third + __ldg(N + 279 + j)) * TILE];
                const float u2 = v[(at_jac_third + __ldg(N + 279 + j + 1)) * TILE];
                const float u3 = v[(at_jac_third + __ldg(N + 279 + j + 2)) * TILE];
                const float u4 = v[(at_jac_third + __ldg(N + 279 + j + 3)) * TILE];
                const float u5 = v[(at_jac_third + __ldg(N + 279 + j + 4)) * TILE];
                const float u6 = v[(at_jac_third + __ldg(N + 279 + j + 5)) * TILE];
                const float u7 = v[(at_jac_third + __ldg(N + 279 + j + 6)) * TILE];
                const float u8 = v[(at_jac_third + __ldg(N + 279 + j + 7)) * TILE];
                s0 = fmaf((float)__ldg(R + 52 + j), u1, s0);
                s0 = fmaf((float)__ldg(R + 52 + j + 1), u2, s0);
                s0 = fmaf((float)__ldg(R + 52 + j + 2), u3, s0);
                s0 = fmaf((float)__ldg(R + 52 + j + 3), u4, s0);
                s0 = fmaf((float)__ldg(R + 52 + j + 4), u5, s0);
                s0 = fmaf((float)__ldg(R + 52 + j + 5), u6, s0);
                s0 = fmaf((float)__ldg(R + 52 + j + 6), u7, s0);
                s0 = fmaf((float)__ldg(R + 52 + j + 7), u8, s0);
            }
            for (; j < __ldg(N + 272 + i + 1); j += 4) {
                const float u9 = v[(at_jac_third + __ldg(N + 279 + j)) * TILE];
                const unsigned j_1 = j + 1 < __ldg(N + 272 + i + 1) ? j + 1 : j;
                const float u10 = v[(at_jac_third + __ldg(N + 279 + j_1)) * TILE];
                const unsigned j_2 = j + 2 < __ldg(N + 272 + i + 1) ? j + 2 : j;
                const float u11 = v[(at_jac_third + __ldg(N + 279 + j_2)) * TILE];
                const unsigned j_3 = j + 3 < __ldg(N + 272 + i + 1) ? j + 3 : j;
                const float u12 = v[(at_jac_third + __ldg(N + 279 + j_3)) * TILE];
                s0 = fmaf((float)__ldg(R + 52 + j), u9, s0);
                s0 = j + 1 < __ldg(N + 272 + i + 1) ? fmaf((float)__ldg(R + 52 + j_1), u10, s0) : s0;
                s0 = j + 2 < __ldg(N + 272 + i + 1) ? fmaf((float)__ldg(R + 52 + j_2), u11, s0) : s0;
                s0 = j + 3 < __ldg(N + 272 + i + 1) ? fmaf((float)__ldg(R + 52 + j_3), u12, s0) : s0;
            }
        }
        v[(at_jac + n0) * TILE] = s0;
    }
    SYNC;
}

static __device__ void gather_3(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N) {
    for (unsigned i = ID; i < 3; i += SIZE) {
        const unsigned n0 = i * 3;
        const unsigned n1 = __ldg(N + 25 + n0 + 1);
        double s0 = 0.0;
        {
            unsigned j = __ldg(N + 25 + n0);
            for (; j + 7 < n1; j += 8) {
                const double v0 = w[(at_progress_t + __ldg(N + 34 + j)) * TILE];
                const double v1 = w[(at_progress_t + __ldg(N + 34 + j + 1)) * TILE];
                const double v2 = w[(at_progress_t + __ldg(N + 34 + j + 2)) * TILE];
                const double v3 = w[(at_progress_t + __ldg(N + 34 + j + 3)) * TILE];
                const double v4 = w[(at_progress_t + __ldg(N + 34 + j + 4)) * TILE];
                const double v5 = w[(at_progress_t + __ldg(N + 34 + j + 5)) * TILE];
                const double v6 = w[(at_progress_t + __ldg(N + 34 + j + 6)) * TILE];
                const double v7 = w[(at_progress_t + __ldg(N + 34 + j + 7)) * TILE];
                s0 = s0 + v0;
                s0 = s0 + v1;
                s0 = s0 + v2;
                s0 = s0 + v3;
                s0 = s0 + v4;
                s0 = s0 + v5;
                s0 = s0 + v6;
                s0 = s0 + v7;
            }
            for (; j < n1; j += 4) {
                const double v8 = w[(at_progress_t + __ldg(N + 34 + j)) * TILE];
                const unsigned j_1 = j + 1 < n1 ? j + 1 : j;
                const double v9 = w[(at_progress_t + __ldg(N + 34 + j_1)) * TILE];
                const unsigned j_2 = j + 2 < n1 ? j + 2 : j;
                const double v10 = w[(at_progress_t + __ldg(N + 34 + j_2)) * TILE];
                const unsigned j_3 = j + 3 < n1 ? j + 3 : j;
                const double v11 = w[(at_progress_t + __ldg(N + 34 + j_3)) * TILE];
                s0 = s0 + v8;
                s0 = j + 1 < n1 ? s0 + v9 : s0;
                s0 = j + 2 < n1 ? s0 + v10 : s0;
                s0 = j + 3 < n1 ? s0 + v11 : s0;
            }
        }
        double s1 = s0;
        {
            unsigned j = n1;
            for (; j + 7 < __ldg(N + 25 + n0 + 2); j += 8) {
                const double v12 = w[(at_progress_t + __ldg(N + 34 + j)) * TILE];
                const double v13 = w[(at_progress_t + __ldg(N + 34 + j + 1)) * TILE];
                const double v14 = w[(at_progress_t + __ldg(N + 34 + j + 2)) * TILE];
                const double v15 = w[(at_progress_t + __ldg(N + 34 + j + 3)) * TILE];
                const double v16 = w[(at_progress_t + __ldg(N + 34 + j + 4)) * TILE];
                const double v17 = w[(at_progress_t + __ldg(N + 34 + j + 5)) * TILE];
                const double v18 = w[(at_progress_t + __ldg(N + 34 + j + 6)) * TILE];
                const double v19 = w[(at_progress_t + __ldg(N + 34 + j + 7)) * TILE];
                s1 = s1 - v12;
                s1 = s1 - v13;
                s1 = s1 - v14;
                s1 = s1 - v15;
                s1 = s1 - v16;
                s1 = s1 - v17;
                s1 = s1 - v18;
                s1 = s1 - v19;
            }
            for (; j < __ldg(N + 25 + n0 + 2); j += 4) {
                const double v20 = w[(at_progress_t + __ldg(N + 34 + j)) * TILE];
                const unsigned j_1 = j + 1 < __ldg(N + 25 + n0 + 2) ? j + 1 : j;
                const double v21 = w[(at_progress_t + __ldg(N + 34 + j_1)) * TILE];
                const unsigned j_2 = j + 2 < __ldg(N + 25 + n0 + 2) ? j + 2 : j;
                const double v22 = w[(at_progress_t + __ldg(N + 34 + j_2)) * TILE];
                const unsigned j_3 = j + 3 < __ldg(N + 25 + n0 + 2) ? j + 3 : j;
                const double v23 = w[(at_progress_t + __ldg(N + 34 + j_3)) * TILE];
                s1 = s1 - v20;
                s1 = j + 1 < __ldg(N + 25 + n0 + 2) ? s1 - v21 : s1;
                s1 = j + 2 < __ldg(N + 25 + n0 + 2) ? s1 - v22 : s1;
                s1 = j + 3 < __ldg(N + 25 + n0 + 2) ? s1 - v23 : s1;
            }
        }
        v[(at_wdot_t + __ldg(N + 22 + i)) * TILE] = s1;
    }
    SYNC;
}

static __device__ void gather_4(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N) {
    for (unsigned i = ID; i < 3; i += SIZE) {
        v[(at_wdot_ctot + __ldg(N + 288 + i)) * TILE] = 0.0;
    }
    SYNC;
}

static __device__ void spread_2(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N) {
    for (unsigned i = ID; i < 2; i += SIZE) {
        const unsigned n0 = __ldg(N + 301 + i);
        const float u0 = v[(at_wdot_ctot + n0) * TILE];
        float s0 = u0;
        {
            unsigned j = __ldg(N + 303 + i);
            for (; j + 7 < __ldg(N + 303 + i + 1); j += 8) {
                const float u1 = v[(at_jac_third + __ldg(N + 306 + j)) * TILE];
                const float u2 = v[(at_jac_third + __ldg(N + 306 + j + 1)) * TILE];
                const float u3 = v[(at_jac_third + __ldg(N + 306 + j + 2)) * TILE];
                const float u4 = v[(at_jac_third + __ldg(N + 306 + j + 3)) * TILE];
                const float u5 = v[(at_jac_third + __ldg(N + 306 + j + 4)) * TILE];
                const float u6 = v[(at_jac_third + __ldg(N + 306 + j + 5)) * TILE];
                const float u7 = v[(at_jac_third + __ldg(N + 306 + j + 6)) * TILE];
                const float u8 = v[(at_jac_third + __ldg(N + 306 + j + 7)) * TILE];
                s0 = fmaf((float)__ldg(R + 61 + j), u1, s0);
                s0 = fmaf((float)__ldg(R + 61 + j + 1), u2, s0);
                s0 = fmaf((float)__ldg(R + 61 + j + 2), u3, s0);
                s0 = fmaf((float)__ldg(R + 61 + j + 3), u4, s0);
                s0 = fmaf((float)__ldg(R + 61 + j + 4), u5, s0);
                s0 = fmaf((float)__ldg(R + 61 + j + 5), u6, s0);
                s0 = fmaf((float)__ldg(R + 61 + j + 6), u7, s0);
                s0 = fmaf((float)__ldg(R + 61 + j + 7), u8, s0);
            }
            for (; j < __ldg(N + 303 + i + 1); j += 4) {
                const float u9 = v[(at_jac_third + __ldg(N + 306 + j)) * TILE];
                const unsigned j_1 = j + 1 < __ldg(N + 303 + i + 1) ? j + 1 : j;
                const float u10 = v[(at_jac_third + __ldg(N + 306 + j_1)) * TILE];
                const unsigned j_2 = j + 2 < __ldg(N + 303 + i + 1) ? j + 2 : j;
                const float u11 = v[(at_jac_third + __ldg(N + 306 + j_2)) * TILE];
                const unsigned j_3 = j + 3 < __ldg(N + 303 + i + 1) ? j + 3 : j;
                const float u12 = v[(at_jac_third + __ldg(N + 306 + j_3)) * TILE];
                s0 = fmaf((float)__ldg(R + 61 + j), u9, s0);
                s0 = j + 1 < __ldg(N + 303 + i + 1) ? fmaf((float)__ldg(R + 61 + j_1), u10, s0) : s0;
                s0 = j + 2 < __ldg(N + 303 + i + 1) ? fmaf((float)__ldg(R + 61 + j_2), u11, s0) : s0;
                s0 = j + 3 < __ldg(N + 303 + i + 1) ? fmaf((float)__ldg(R + 61 + j_3), u12, s0) : s0;
            }
        }
        v[(at_wdot_ctot + n0) * TILE] = s0;
    }
    SYNC;
}

static __device__ __noinline__ void jacobian_entries(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N) {
    few_products(w, v, R, N);
    few_products_2(w, v, R, N);
    few_products_3(w, v, R, N);
    few_products_4(w, v, R, N);
    gather_2(w, v, R, N);
    spread(w, v, R, N);
    gather_3(w, v, R, N);
    gather_4(w, v, R, N);
    spread_2(w, v, R, N);
}

static __device__ __noinline__ void forget_absent(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N, unsigned a1, double p0, double p1) {
    for (unsigned i = __ldg(N + 320) + ID; i < __ldg(N + 323); i += SIZE) {
        const unsigned n0 = __ldg(N + 324 + i * 2);
        const unsigned n1 = __ldg(N + 324 + (i * 2) + 1);
        const double v0 = w[(at_y + n1) * TILE];
        const double v1 = w[(a1 + n1) * TILE];
        const double v2 = w[(at_owing + n1) * TILE];
        const int b0 = (0.0 < (v2 * p0)) && ((v0 < 0.0) || ((v0 <= 0.0) && (v1 <= 0.0)));
        const float u0 = v[(at_jac + n0) * TILE];
        v[(at_jac + n0) * TILE] = ((v0 < p1) || b0) ? 0.0f : u0;
    }
    SYNC;
    for (unsigned i = ID; i < 3; i += SIZE) {
        const unsigned n2 = __ldg(N + 308 + (i * 4) + 3);
        const double v3 = w[(at_y + i) * TILE];
        const double v4 = w[(a1 + i) * TILE];
        const double v5 = w[(at_owing + i) * TILE];
        const int b1 = (0.0 < (v5 * p0)) && ((v3 < 0.0) || ((v3 <= 0.0) && (v4 <= 0.0)));
        const float u1 = v[(at_jac + n2) * TILE];
        v[(at_jac + n2) * TILE] = ((v3 < p1) || b1) ? 0.0f : u1;
    }
    SYNC;
}

static __device__ __noinline__ void jacobian_borders(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N, unsigned a14) {
    const double v0 = w[at_temp * TILE];
    const double v1 = w[at_inv_t * TILE];
    const double v2 = w[at_rho * TILE];
    const double v3 = w[at_ctot * TILE];
    const double v4 = w[(at_y + 4) * TILE];
    const double v5 = 1.0 / v2;
    const double v6 = 1.0 / v4;
    const double v7 = w[at_tdot * TILE];
    const double v8 = w[at_cmix * TILE];
    const double v9 = -8.31446261815324 / v8;
    for (unsigned i = ID; i < 3; i += SIZE) {
        const double v10 = w[(at_cp + i) * TILE];
        v[(at_heat + i) * TILE] = (v10 - 0.0) * v7;
    }
    SYNC;
    for (unsigned i = 0; i < 3; ++i) {
        const double v11 = w[(at_enthalpy + i) * TILE];
        const double v12 = fma(v11 - 0.0, v0, __ldg(R + 30 + i));
        const double v13 = w[(at_wdot + i) * TILE];
        SYNC;
        float s0 = -(v13 * v5);
        for (unsigned j = __ldg(N + 320 + i); j < __ldg(N + 320 + i + 1); ++j) {
            const float u0 = v[(at_jac + __ldg(N + 324 + j * 2)) * TILE];
            const unsigned n0 = __ldg(N + 324 + (j * 2) + 1);
            const float u1 = v[(at_heat + n0) * TILE];
            SYNC;
            if (ID == 0) v[(at_heat + n0) * TILE] = fmaf((float)v12, u0, u1);
            const double v14 = w[(at_y + n0) * TILE];
            s0 = fmaf(u0, (float)v14, s0);
            SYNC;
        }
        if (ID == 0) v[(at_jac + __ldg(N + 308 + (i * 4) + 1)) * TILE] = s0;
        SYNC;
    }
    for (unsigned i = ID; i < 3; i += SIZE) {
        const float u2 = v[(at_jac + __ldg(N + 308 + (i * 4) + 1)) * TILE];
        v[(at_jac + __ldg(N + 308 + (i * 4) + 1)) * TILE] = -(u2 * ((float)v6));
        const float u3 = v[(at_wdot_t + i) * TILE];
        const float u4 = v[(at_wdot_ctot + i) * TILE];
        const float u5 = ((u3 - (((float)(v3 * v1)) * u4)) * ((float)v5)) - (u2 * ((float)v1));
        v[(at_jac + __ldg(N + 308 + i * 4)) * TILE] = u5;
        const float u6 = v[(at_heat + i) * TILE];
        v[(at_jac + __ldg(N + 308 + (i * 4) + 2)) * TILE] = u6 * ((float)v9);
    }
    SYNC;
    float s1 = 0.0;
    float s2 = 0.0;
    float s3 = 0.0;
    float s4 = 0.0;
    double s5 = 0.0;
    double s6 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const float u7 = v[(at_jac + __ldg(N + 308 + i * 4)) * TILE];
        const float u8 = v[(at_jac + __ldg(N + 308 + (i * 4) + 1)) * TILE];
        const double v15 = w[(at_enthalpy + i) * TILE];
        const double v16 = fma(v15 - 0.0, v0, __ldg(R + 30 + i));
        const double v17 = w[(at_cp + i) * TILE];
        const double v18 = w[(a14 + i) * TILE];
        const double v19 = w[(at_y + i) * TILE];
        const double v20 = w[(at_dcp + i) * TILE];
        const float next_s1 = s1 + u7;
        const float next_s2 = s2 + u8;
        const float next_s3 = fmaf((float)v16, u7, s3);
        const float next_s4 = fmaf((float)v16, u8, s4);
        const double next_s5 = fma(v17 - 0.0, v18, s5);
        const double next_s6 = fma(v19, v20, s6);
        s1 = next_s1;
        s2 = next_s2;
        s3 = next_s3;
        s4 = next_s4;
        s5 = next_s5;
        s6 = next_s6;
    }
    SYNC;
    if (ID == 0) v[(at_jac + 21) * TILE] = s1;
    if (ID == 0) v[(at_jac + 22) * TILE] = s2;
    if (ID == 0) v[(at_jac + 16) * TILE] = fmaf((float)s6, (float)v7, s3 + ((float)s5)) * ((float)v9);
    if (ID == 0) v[(at_jac + 17) * TILE] = s4 * ((float)v9);
    SYNC;
}

static __device__ void diagonal(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N) {
    for (unsigned i = ID; i < 5; i += SIZE) {
        const float u0 = v[(at_jac + __ldg(N + 135 + i)) * TILE];
        w[(at_error + __ldg(N + 124 + i)) * TILE] = u0;
    }
    SYNC;
}

static __device__ void shorten_first(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N, int p0) {
    const double v0 = w[at_h * TILE];
    double s0 = 0.0;
    for (unsigned i = 0; i < 5; ++i) {
        const double v1 = w[(at_error + i) * TILE];
        const double v2 = fabs(v1);
        const double v3 = w[(at_f + i) * TILE];
        const double v4 = w[(at_y1 + i) * TILE];
        const double v5 = fabs(v3) / v4;
        s0 = ((v2 * 15.0) < v5) ? larger(s0, (v5 * v2) * (v2 * v2)) : s0;
    }
    const double v6 = 8.0 * sqrt(sqrt(15.0 / s0));
    SYNC;
    if (ID == 0) w[at_h * TILE] = (p0 && (v6 < v0)) ? v6 : v0;
    SYNC;
}

static __device__ void forgive(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N, double p0, double p1) {
    double s0 = 0.0;
    {
        unsigned i = 0;
        for (; i + 7 < 3; i += 8) {
            const unsigned n0 = __ldg(N + 338 + i);
            const double v0 = w[(at_y + n0) * TILE];
            const double v1 = w[(at_f + n0) * TILE];
            const int b0 = ((v0 < 0.0) && ((-v0) < (__ldg(R + 63 + i) * p0))) && ((-v0) < (v1 * p1));
            const unsigned n1 = __ldg(N + 338 + i + 1);
            const double v2 = w[(at_y + n1) * TILE];
            const double v3 = w[(at_f + n1) * TILE];
            const int b1 = ((v2 < 0.0) && ((-v2) < (__ldg(R + 63 + i + 1) * p0))) && ((-v2) < (v3 * p1));
            const unsigned n2 = __ldg(N + 338 + i + 2);
            const double v4 = w[(at_y + n2) * TILE];
            const double v5 = w[(at_f + n2) * TILE];
            const int b2 = ((v4 < 0.0) && ((-v4) < (__ldg(R + 63 + i + 2) * p0))) && ((-v4) < (v5 * p1));
            const unsigned n3 = __ldg(N + 338 + i + 3);
            const double v6 = w[(at_y + n3) * TILE];
            const double v7 = w[(at_f + n3) * TILE];
            const int b3 = ((v6 < 0.0) && ((-v6) < (__ldg(R + 63 + i + 3) * p0))) && ((-v6) < (v7 * p1));
            const unsigned n4 = __ldg(N + 338 + i + 4);
            const double v8 = w[(at_y + n4) * TILE];
            const double v9 = w[(at_f + n4) * TILE];
            const int b4 = ((v8 < 0.0) && ((-v8) < (__ldg(R + 63 + i + 4) * p0))) && ((-v8) < (v9 * p1));
            const unsigned n5 = __ldg(N + 338 + i + 5);
            const double v10 = w[(at_y + n5) * TILE];
            const double v11 = w[(at_f + n5) * TILE];
            const int b5 = ((v10 < 0.0) && ((-v10) < (__ldg(R + 63 + i + 5) * p0))) && ((-v10) < (v11 * p1));
            const unsigned n6 = __ldg(N + 338 + i + 6);
            const double v12 = w[(at_y + n6) * TILE];
            const double v13 = w[(at_f + n6) * TILE];
            const int b6 = ((v12 < 0.0) && ((-v12) < (__ldg(R + 63 + i + 6) * p0))) && ((-v12) < (v13 * p1));
            const unsigned n7 = __ldg(N + 338 + i + 7);
            const double v14 = w[(at_y + n7) * TILE];
            const double v15 = w[(at_f + n7) * TILE];
            const int b7 = ((v14 < 0.0) && ((-v14) < (__ldg(R + 63 + i + 7) * p0))) && ((-v14) < (v15 * p1));
            s0 = s0 + (b0 ? (-v0) : 0.0);
            s0 = s0 + (b1 ? (-v2) : 0.0);
            s0 = s0 + (b2 ? (-v4) : 0.0);
            s0 = s0 + (b3 ? (-v6) : 0.0);
            s0 = s0 + (b4 ? (-v8) : 0.0);
            s0 = s0 + (b5 ? (-v10) : 0.0);
            s0 = s0 + (b6 ? (-v12) : 0.0);
            s0 = s0 + (b7 ? (-v14) : 0.0);
        }
        for (; i < 3; i += 4) {
            const unsigned n8 = __ldg(N + 338 + i);
            const double v16 = w[(at_y + n8) * TILE];
            const double v17 = w[(at_f + n8) * TILE];
            const int b8 = ((v16 < 0.0) && ((-v16) < (__ldg(R + 63 + i) * p0))) && ((-v16) < (v17 * p1));
            const unsigned i_1 = i + 1 < 3 ? i + 1 : i;
            const unsigned n9 = __ldg(N + 338 + i_1);
            const double v18 = w[(at_y + n9) * TILE];
            const double v19 = w[(at_f + n9) * TILE];
            const int b9 = ((v18 < 0.0) && ((-v18) < (__ldg(R + 63 + i_1) * p0))) && ((-v18) < (v19 * p1));
            const unsigned i_2 = i + 2 < 3 ? i + 2 : i;
            const unsigned n10 = __ldg(N + 338 + i_2);
            const double v20 = w[(at_y + n10) * TILE];
            const double v21 = w[(at_f + n10) * TILE];
            const int b10 = ((v20 < 0.0) && ((-v20) < (__ldg(R + 63 + i_2) * p0))) && ((-v20) < (v21 * p1));
            const unsigned i_3 = i + 3 < 3 ? i + 3 : i;
            const unsigned n11 = __ldg(N + 338 + i_3);
            const double v22 = w[(at_y + n11) * TILE];
            const double v23 = w[(at_f + n11) * TILE];
            const int b11 = ((v22 < 0.0) && ((-v22) < (__ldg(R + 63 + i_3) * p0))) && ((-v22) < (v23 * p1));
            s0 = s0 + (b8 ? (-v16) : 0.0);
            s0 = i + 1 < 3 ? s0 + (b9 ? (-v18) : 0.0) : s0;
            s0 = i + 2 < 3 ? s0 + (b10 ? (-v20) : 0.0) : s0;
            s0 = i + 3 < 3 ? s0 + (b11 ? (-v22) : 0.0) : s0;
        }
    }
    SYNC;
    for (unsigned i = ID; i < 3; i += SIZE) {
        const unsigned n12 = __ldg(N + 338 + i);
        const double v24 = w[(at_y + n12) * TILE];
        const unsigned n13 = __ldg(N + 338 + i);
        const double v25 = w[(at_y + n13) * TILE];
        const double v26 = w[(at_f + n13) * TILE];
        const int b12 = ((v25 < 0.0) && ((-v25) < (__ldg(R + 63 + i) * p0))) && ((-v25) < (v26 * p1));
        w[(at_y + n12) * TILE] = v24 + (b12 ? (-v25) : 0.0);
    }
    SYNC;
    const double v27 = w[(at_y + 4) * TILE];
    SYNC;
    if (ID == 0) w[(at_y + 4) * TILE] = v27 + s0;
    SYNC;
}

static __device__ __noinline__ void factor(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N, double p0) {
    for (unsigned i = 0; i < 5; ++i) {
        const unsigned n0 = __ldg(N + 129 + i);
        const unsigned n1 = __ldg(N + 129 + i + 1);
        const unsigned n2 = __ldg(N + 135 + i);
        for (unsigned j = n0 + ID; j < n1; j += SIZE) {
            const float u0 = v[(at_jac + j) * TILE];
            v[(at_x + __ldg(N + 140 + j)) * TILE] = -u0;
        }
        SYNC;
        const float u1 = v[(at_x + i) * TILE];
        SYNC;
        if (ID == 0) v[(at_x + i) * TILE] = u1 + ((float)p0);
        SYNC;
        const unsigned end1 = n2;
        if (n0 < end1) {
            const unsigned j_first = n0;
            unsigned n3 = __ldg(N + 140 + j_first);
            float u2 = v[(at_inverse + n3) * TILE];
            unsigned n4 = __ldg(N + 135 + n3);
            unsigned n5 = __ldg(N + 129 + n3 + 1);
            unsigned n6 = (n4 + 1) + ID < n5 ? __ldg(N + 140 + (n4 + 1) + ID) : 0;
            const unsigned j_1_first = n0 + 1 < end1 ? n0 + 1 : end1 - 1;
            unsigned n3_1 = __ldg(N + 140 + j_1_first);
            float u2_1 = v[(at_inverse + n3_1) * TILE];
            unsigned n4_1 = __ldg(N + 135 + n3_1);
            unsigned n5_1 = __ldg(N + 129 + n3_1 + 1);
            const unsigned j_2_first = n0 + 2 < end1 ? n0 + 2 : end1 - 1;
            unsigned n3_2 = __ldg(N + 140 + j_2_first);
            for (unsigned j = n0; j < end1; ++j) {
                const unsigned j_1 = j + 1 < end1 ? j + 1 : end1 - 1;
                const unsigned j_2 = j + 2 < end1 ? j + 2 : end1 - 1;
                const unsigned j_3 = j + 3 < end1 ? j + 3 : end1 - 1;
                const unsigned n3_3 = __ldg(N + 140 + j_3);
                const float u2_2 = v[(at_inverse + n3_2) * TILE];
                const unsigned n4_2 = __ldg(N + 135 + n3_2);
                const unsigned n5_2 = __ldg(N + 129 + n3_2 + 1);
                const unsigned n6_1 = (n4_1 + 1) + ID < n5_1 ? __ldg(N + 140 + (n4_1 + 1) + ID) : 0;
                const unsigned first2 = (n4 + 1) + ID;
                const int there_first2 = first2 < n5;
                const float u3 = there_first2 ? v[(at_x + n6) * TILE] : 0.0;
                const float u4 = v[(at_x + n3) * TILE];
                const float u5 = u4 * u2;
                if (ID == 0) v[(at_jac + j) * TILE] = u5;
                const float u6 = -u5;
                SYNC;
                if (there_first2) {
                    const float u7 = v[(at_jac + first2) * TILE];
                    v[(at_x + n6) * TILE] = fmaf(u6, u7, u3);
                }
                for (unsigned k = first2 + SIZE; k < n5; k += SIZE) {
                    const unsigned n7 = __ldg(N + 140 + k);
                    const float u8 = v[(at_jac + k) * TILE];
                    const float u9 = v[(at_x + n7) * TILE];
                    v[(at_x + n7) * TILE] = fmaf(u6, u8, u9);
                }
                SYNC;
                n3 = n3_1;
                n3_1 = n3_2;
                n3_2 = n3_3;
                u2 = u2_1;
                u2_1 = u2_2;
                n4 = n4_1;
                n4_1 = n4_2;
                n5 = n5_1;
                n5_1 = n5_2;
                n6 = n6_1;
            }
        }
        for (unsigned j = n2 + ID; j < n1; j += SIZE) {
            const float u10 = v[(at_x + __ldg(N + 140 + j)) * TILE];
            v[(at_jac + j) * TILE] = u10;
        }
        const float u11 = v[(at_x + i) * TILE];
        if (ID == 0) v[(at_inverse + i) * TILE] = 1.0f / u11;
        SYNC;
    }
}

static __device__ __noinline__ void growth_in_place(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N, unsigned a4, double p0, double p1) {
    for (unsigned i = 0; i < 3; ++i) {
        float s0 = 0.0;
        for (unsigned j = __ldg(N + 129 + i); j < __ldg(N + 135 + i); ++j) {
            const float u0 = v[(at_jac + j) * TILE];
            s0 = largerf(fabsf(u0), s0);
        }
        float s1 = 0.0;
        {
            unsigned j = __ldg(N + 102 + i);
            for (; j + 7 < __ldg(N + 102 + i + 1); j += 8) {
                const float u1 = v[(at_jac + __ldg(N + 108 + (j * 2) + 1)) * TILE];
                const float u2 = v[(at_x + __ldg(N + 108 + j * 2)) * TILE];
                const float u3 = v[(at_jac + __ldg(N + 108 + ((j + 1) * 2) + 1)) * TILE];
                const float u4 = v[(at_x + __ldg(N + 108 + (j + 1) * 2)) * TILE];
                const float u5 = v[(at_jac + __ldg(N + 108 + ((j + 2) * 2) + 1)) * TILE];
                const float u6 = v[(at_x + __ldg(N + 108 + (j + 2) * 2)) * TILE];
                const float u7 = v[(at_jac + __ldg(N + 108 + ((j + 3) * 2) + 1)) * TILE];
                const float u8 = v[(at_x + __ldg(N + 108 + (j + 3) * 2)) * TILE];
                const float u9 = v[(at_jac + __ldg(N + 108 + ((j + 4) * 2) + 1)) * TILE];
                const float u10 = v[(at_x + __ldg(N + 108 + (j + 4) * 2)) * TILE];
                const float u11 = v[(at_jac + __ldg(N + 108 + ((j + 5) * 2) + 1)) * TILE];
                const float u12 = v[(at_x + __ldg(N + 108 + (j + 5) * 2)) * TILE];
                const float u13 = v[(at_jac + __ldg(N + 108 + ((j + 6) * 2) + 1)) * TILE];
                const float u14 = v[(at_x + __ldg(N + 108 + (j + 6) * 2)) * TILE];
                const float u15 = v[(at_jac + __ldg(N + 108 + ((j + 7) * 2) + 1)) * TILE];
                const float u16 = v[(at_x + __ldg(N + 108 + (j + 7) * 2)) * TILE];
                s1 = largerf(fabsf(u1) * (0.00059604645f + u2), s1);
                s1 = largerf(fabsf(u3) * (0.00059604645f + u4), s1);
                s1 = largerf(fabsf(u5) * (0.00059604645f + u6), s1);
                s1 = largerf(fabsf(u7) * (0.00059604645f + u8), s1);
                s1 = largerf(fabsf(u9) * (0.00059604645f + u10), s1);
                s1 = largerf(fabsf(u11) * (0.00059604645f + u12), s1);
                s1 = largerf(fabsf(u13) * (0.00059604645f + u14), s1);
                s1 = largerf(fabsf(u15) * (0.00059604645f + u16), s1);
            }
            for (; j < __ldg(N + 102 + i + 1); j += 4) {
                const float u17 = v[(at_jac + __ldg(N + 108 + (j * 2) + 1)) * TILE];
                const float u18 = v[(at_x + __ldg(N + 108 + j * 2)) * TILE];
                const unsigned j_1 = j + 1 < __ldg(N + 102 + i + 1) ? j + 1 : j;
                const float u19 = v[(at_jac + __ldg(N + 108 + (j_1 * 2) + 1)) * TILE];
                const float u20 = v[(at_x + __ldg(N + 108 + j_1 * 2)) * TILE];
                const unsigned j_2 = j + 2 < __ldg(N + 102 + i + 1) ? j + 2 : j;
                const float u21 = v[(at_jac + __ldg(N + 108 + (j_2 * 2) + 1)) * TILE];
                const float u22 = v[(at_x + __ldg(N + 108 + j_2 * 2)) * TILE];
                const unsigned j_3 = j + 3 < __ldg(N + 102 + i + 1) ? j + 3 : j;
                const float u23 = v[(at_jac + __ldg(N + 108 + (j_3 * 2) + 1)) * TILE];
                const float u24 = v[(at_x + __ldg(N + 108 + j_3 * 2)) * TILE];
                s1 = largerf(fabsf(u17) * (0.00059604645f + u18), s1);
                s1 = j + 1 < __ldg(N + 102 + i + 1) ? largerf(fabsf(u19) * (0.00059604645f + u20), s1) : s1;
                s1 = j + 2 < __ldg(N + 102 + i + 1) ? largerf(fabsf(u21) * (0.00059604645f + u22), s1) : s1;
                s1 = j + 3 < __ldg(N + 102 + i + 1) ? largerf(fabsf(u23) * (0.00059604645f + u24), s1) : s1;
            }
        }
        const float u25 = v[(at_inverse + i) * TILE];
        const float u26 = smallerf(largerf((s0 * s1) * fabsf(u25), 0.00059604645f), 1e35f);
        SYNC;
        if (ID == 0) v[(at_x + i) * TILE] = u26;
        SYNC;
    }
    double s2 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const float u27 = v[(at_inverse + i) * TILE];
        const float u28 = v[(at_x + i) * TILE];
        const int b0 = (((double)(fabsf(u27) * 0.00059604645f)) < p0) || (u28 < 1.0f);
        s2 = ((u27 < 0.0f) && b0) ? 1.0 : s2;
    }
    double s3 = s2;
    for (unsigned i = 3; i < 5; ++i) {
        const float u29 = v[(at_inverse + i) * TILE];
        const double v0 = ((u29 < 0.0f) && (((double)(fabsf(u29) * 0.59604645f)) < p0)) ? 1.0 : s3;
        s3 = v0;
    }
    const double v1 = (0.0 < s3) ? 1.0 : 0.0;
    if (ID == 0) w[at_grows * TILE] = v1;
    SYNC;
    const double v2 = w[(a4 + 3) * TILE];
    const double v3 = w[(at_y + 3) * TILE];
    float s4 = 0.0;
    for (unsigned i = 0; i < 5; ++i) {
        const double v4 = w[(a4 + __ldg(N + 124 + i)) * TILE];
        float s5 = fabs(v4);
        {
            unsigned j = __ldg(N + 129 + i);
            for (; j + 7 < __ldg(N + 129 + i + 1); j += 8) {
                const float u30 = v[(at_jac + j) * TILE];
                const double v5 = w[(at_y + __ldg(N + 124 + __ldg(N + 140 + j))) * TILE];
                const float u31 = v[(at_jac + j + 1) * TILE];
                const double v6 = w[(at_y + __ldg(N + 124 + __ldg(N + 140 + j + 1))) * TILE];
                const float u32 = v[(at_jac + j + 2) * TILE];
                const double v7 = w[(at_y + __ldg(N + 124 + __ldg(N + 140 + j + 2))) * TILE];
                const float u33 = v[(at_jac + j + 3) * TILE];
                const double v8 = w[(at_y + __ldg(N + 124 + __ldg(N + 140 + j + 3))) * TILE];
                const float u34 = v[(at_jac + j + 4) * TILE];
                const double v9 = w[(at_y + __ldg(N + 124 + __ldg(N + 140 + j + 4))) * TILE];
                const float u35 = v[(at_jac + j + 5) * TILE];
                const double v10 = w[(at_y + __ldg(N + 124 + __ldg(N + 140 + j + 5))) * TILE];
                const float u36 = v[(at_jac + j + 6) * TILE];
                const double v11 = w[(at_y + __ldg(N + 124 + __ldg(N + 140 + j + 6))) * TILE];
                const float u37 = v[(at_jac + j + 7) * TILE];
                const double v12 = w[(at_y + __ldg(N + 124 + __ldg(N + 140 + j + 7))) * TILE];
                s5 = (fabs(v5) <= 0.0) ? s5 : largerf(fabsf(u30), s5);
                s5 = (fabs(v6) <= 0.0) ? s5 : largerf(fabsf(u31), s5);
                s5 = (fabs(v7) <= 0.0) ? s5 : largerf(fabsf(u32), s5);
                s5 = (fabs(v8) <= 0.0) ? s5 : largerf(fabsf(u33), s5);
                s5 = (fabs(v9) <= 0.0) ? s5 : largerf(fabsf(u34), s5);
                s5 = (fabs(v10) <= 0.0) ? s5 : largerf(fabsf(u35), s5);
                s5 = (fabs(v11) <= 0.0) ? s5 : largerf(fabsf(u36), s5);
                s5 = (fabs(v12) <= 0.0) ? s5 : largerf(fabsf(u37), s5);
            }
            for (; j < __ldg(N + 129 + i + 1); j += 4) {
                const float u38 = v[(at_jac + j) * TILE];
                const double v13 = w[(at_y + __ldg(N + 124 + __ldg(N + 140 + j))) * TILE];
                const unsigned j_1 = j + 1 < __ldg(N + 129 + i + 1) ? j + 1 : j;
                const float u39 = v[(at_jac + j_1) * TILE];
                const double v14 = w[(at_y + __ldg(N + 124 + __ldg(N + 140 + j_1))) * TILE];
                const unsigned j_2 = j + 2 < __ldg(N + 129 + i + 1) ? j + 2 : j;
                const float u40 = v[(at_jac + j_2) * TILE];
                const double v15 = w[(at_y + __ldg(N + 124 + __ldg(N + 140 + j_2))) * TILE];
                const unsigned j_3 = j + 3 < __ldg(N + 129 + i + 1) ? j + 3 : j;
                const float u41 = v[(at_jac + j_3) * TILE];
                const double v16 = w[(at_y + __ldg(N + 124 + __ldg(N + 140 + j_3))) * TILE];
                s5 = (fabs(v13) <= 0.0) ? s5 : largerf(fabsf(u38), s5);
                s5 = j + 1 < __ldg(N + 129 + i + 1) ? (fabs(v14) <= 0.0) ? s5 : largerf(fabsf(u39), s5) : s5;
                s5 = j + 2 < __ldg(N + 129 + i + 1) ? (fabs(v15) <= 0.0) ? s5 : largerf(fabsf(u40), s5) : s5;
                s5 = j + 3 < __ldg(N + 129 + i + 1) ? (fabs(v16) <= 0.0) ? s5 : largerf(fabsf(u41), s5) : s5;
            }
        }
        const double v17 = w[(at_y + __ldg(N + 124 + i)) * TILE];
        s4 = (fabs(v17) <= 0.0) ? largerf(s5, s4) : s4;
    }
    double s6 = 0.0;
    {
        unsigned i = 0;
        for (; i + 7 < 3; i += 8) {
            const float u42 = v[(at_inverse + i) * TILE];
            const float u43 = v[(at_x + i) * TILE];
            const int b1 = (((double)(fabsf(u42) * 0.00059604645f)) < p0) || (u43 < 1.0f);
            const double v18 = w[(at_y + __ldg(N + 124 + i)) * TILE];
            const float u44 = v[(at_inverse + i + 1) * TILE];
            const float u45 = v[(at_x + i + 1) * TILE];
            const int b2 = (((double)(fabsf(u44) * 0.00059604645f)) < p0) || (u45 < 1.0f);
            const double v19 = w[(at_y + __ldg(N + 124 + i + 1)) * TILE];
            const float u46 = v[(at_inverse + i + 2) * TILE];
            const float u47 = v[(at_x + i + 2) * TILE];
            const int b3 = (((double)(fabsf(u46) * 0.00059604645f)) < p0) || (u47 < 1.0f);
            const double v20 = w[(at_y + __ldg(N + 124 + i + 2)) * TILE];
            const float u48 = v[(at_inverse + i + 3) * TILE];
            const float u49 = v[(at_x + i + 3) * TILE];
            const int b4 = (((double)(fabsf(u48) * 0.00059604645f)) < p0) || (u49 < 1.0f);
            const double v21 = w[(at_y + __ldg(N + 124 + i + 3)) * TILE];
            const float u50 = v[(at_inverse + i + 4) * TILE];
            const float u51 = v[(at_x + i + 4) * TILE];
            const int b5 = (((double)(fabsf(u50) * 0.00059604645f)) < p0) || (u51 < 1.0f);
            const double v22 = w[(at_y + __ldg(N + 124 + i + 4)) * TILE];
            const float u52 = v[(at_inverse + i + 5) * TILE];
            const float u53 = v[(at_x + i + 5) * TILE];
            const int b6 = (((double)(fabsf(u52) * 0.00059604645f)) < p0) || (u53 < 1.0f);
            const double v23 = w[(at_y + __ldg(N + 124 + i + 5)) * TILE];
            const float u54 = v[(at_inverse + i + 6) * TILE];
            const float u55 = v[(at_x + i + 6) * TILE];
            const int b7 = (((double)(fabsf(u54) * 0.00059604645f)) < p0) || (u55 < 1.0f);
            const double v24 = w[(at_y + __ldg(N + 124 + i + 6)) * TILE];
            const float u56 = v[(at_inverse + i + 7) * TILE];
            const float u57 = v[(at_x + i + 7) * TILE];
            const int b8 = (((double)(fabsf(u56) * 0.00059604645f)) < p0) || (u57 < 1.0f);
            const double v25 = w[(at_y + __ldg(N + 124 + i + 7)) * TILE];
            s6 = (((u42 < 0.0f) && b1) && (!(fabs(v18) <= 0.0))) ? 1.0 : s6;
            s6 = (((u44 < 0.0f) && b2) && (!(fabs(v19) <= 0.0))) ? 1.0 : s6;
            s6 = (((u46 < 0.0f) && b3) && (!(fabs(v20) <= 0.0))) ? 1.0 : s6;
            s6 = (((u48 < 0.0f) && b4) && (!(fabs(v21) <= 0.0))) ? 1.0 : s6;
            s6 = (((u50 < 0.0f) && b5) && (!(fabs(v22) <= 0.0))) ? 1.0 : s6;
            s6 = (((u52 < 0.0f) && b6) && (!(fabs(v23) <= 0.0))) ? 1.0 : s6;
            s6 = (((u54 < 0.0f) && b7) && (!(fabs(v24) <= 0.0))) ? 1.0 : s6;
            s6 = (((u56 < 0.0f) && b8) && (!(fabs(v25) <= 0.0))) ? 1.0 : s6;
        }
        for (; i < 3; i += 4) {
            const float u58 = v[(at_inverse + i) * TILE];
            const float u59 = v[(at_x + i) * TILE];
            const int b9 = (((double)(fabsf(u58) * 0.00059604645f)) < p0) || (u59 < 1.0f);
            const double v26 = w[(at_y + __ldg(N + 124 + i)) * TILE];
            const unsigned i_1 = i + 1 < 3 ? i + 1 : i;
            const float u60 = v[(at_inverse + i_1) * TILE];
            const float u61 = v[(at_x + i_1) * TILE];
            const int b10 = (((double)(fabsf(u60) * 0.00059604645f)) < p0) || (u61 < 1.0f);
            const double v27 = w[(at_y + __ldg(N + 124 + i_1)) * TILE];
            const unsigned i_2 = i + 2 < 3 ? i + 2 : i;
            const float u62 = v[(at_inverse + i_2) * TILE];
            const float u63 = v[(at_x + i_2) * TILE];
            const int b11 = (((double)(fabsf(u62) * 0.00059604645f)) < p0) || (u63 < 1.0f);
            const double v28 = w[(at_y + __ldg(N + 124 + i_2)) * TILE];
            const unsigned i_3 = i + 3 < 3 ? i + 3 : i;
            const float u64 = v[(at_inverse + i_3) * TILE];
            const float u65 = v[(at_x + i_3) * TILE];
            const int b12 = (((double)(fabsf(u64) * 0.00059604645f)) < p0) || (u65 < 1.0f);
            const double v29 = w[(at_y + __ldg(N + 124 + i_3)) * TILE];
            s6 = (((u58 < 0.0f) && b9) && (!(fabs(v26) <= 0.0))) ? 1.0 : s6;
            s6 = i + 1 < 3 ? (((u60 < 0.0f) && b10) && (!(fabs(v27) <= 0.0))) ? 1.0 : s6 : s6;
            s6 = i + 2 < 3 ? (((u62 < 0.0f) && b11) && (!(fabs(v28) <= 0.0))) ? 1.0 : s6 : s6;
            s6 = i + 3 < 3 ? (((u64 < 0.0f) && b12) && (!(fabs(v29) <= 0.0))) ? 1.0 : s6 : s6;
        }
    }
    double s7 = s6;
    {
        unsigned i = 3;
        for (; i + 7 < 5; i += 8) {
            const float u66 = v[(at_inverse + i) * TILE];
            const double v30 = w[(at_y + __ldg(N + 124 + i)) * TILE];
            const int b13 = ((u66 < 0.0f) && (((double)(fabsf(u66) * 0.59604645f)) < p0)) && (!(fabs(v30) <= 0.0));
            const float u67 = v[(at_inverse + i + 1) * TILE];
            const double v31 = w[(at_y + __ldg(N + 124 + i + 1)) * TILE];
            const int b14 = ((u67 < 0.0f) && (((double)(fabsf(u67) * 0.59604645f)) < p0)) && (!(fabs(v31) <= 0.0));
            const float u68 = v[(at_inverse + i + 2) * TILE];
            const double v32 = w[(at_y + __ldg(N + 124 + i + 2)) * TILE];
            const int b15 = ((u68 < 0.0f) && (((double)(fabsf(u68) * 0.59604645f)) < p0)) && (!(fabs(v32) <= 0.0));
            const float u69 = v[(at_inverse + i + 3) * TILE];
            const double v33 = w[(at_y + __ldg(N + 124 + i + 3)) * TILE];
            const int b16 = ((u69 < 0.0f) && (((double)(fabsf(u69) * 0.59604645f)) < p0)) && (!(fabs(v33) <= 0.0));
            const float u70 = v[(at_inverse + i + 4) * TILE];
            const double v34 = w[(at_y + __ldg(N + 124 + i + 4)) * TILE];
            const int b17 = ((u70 < 0.0f) && (((double)(fabsf(u70) * 0.59604645f)) < p0)) && (!(fabs(v34) <= 0.0));
            const float u71 = v[(at_inverse + i + 5) * TILE];
            const double v35 = w[(at_y + __ldg(N + 124 + i + 5)) * TILE];
            const int b18 = ((u71 < 0.0f) && (((double)(fabsf(u71) * 0.59604645f)) < p0)) && (!(fabs(v35) <= 0.0));
            const float u72 = v[(at_inverse + i + 6) * TILE];
            const double v36 = w[(at_y + __ldg(N + 124 + i + 6)) * TILE];
            const int b19 = ((u72 < 0.0f) && (((double)(fabsf(u72) * 0.59604645f)) < p0)) && (!(fabs(v36) <= 0.0));
            const float u73 = v[(at_inverse + i + 7) * TILE];
            const double v37 = w[(at_y + __ldg(N + 124 + i + 7)) * TILE];
            const int b20 = ((u73 < 0.0f) && (((double)(fabsf(u73) * 0.59604645f)) < p0)) && (!(fabs(v37) <= 0.0));
            s7 = b13 ? 1.0 : s7;
            s7 = b14 ? 1.0 : s7;
            s7 = b15 ? 1.0 : s7;
            s7 = b16 ? 1.0 : s7;
            s7 = b17 ? 1.0 : s7;
            s7 = b18 ? 1.0 : s7;
            s7 = b19 ? 1.0 : s7;
            s7 = b20 ? 1.0 : s7;
        }
        for (; i < 5; i += 4) {
            const float u74 = v[(at_inverse + i) * TILE];
            const double v38 = w[(at_y + __ldg(N + 124 + i)) * TILE];
            const int b21 = ((u74 < 0.0f) && (((double)(fabsf(u74) * 0.59604645f)) < p0)) && (!(fabs(v38) <= 0.0));
            const unsigned i_1 = i + 1 < 5 ? i + 1 : i;
            const float u75 = v[(at_inverse + i_1) * TILE];
            const double v39 = w[(at_y + __ldg(N + 124 + i_1)) * TILE];
            const int b22 = ((u75 < 0.0f) && (((double)(fabsf(u75) * 0.59604645f)) < p0)) && (!(fabs(v39) <= 0.0));
            const unsigned i_2 = i + 2 < 5 ? i + 2 : i;
            const float u76 = v[(at_inverse + i_2) * TILE];
            const double v40 = w[(at_y + __ldg(N + 124 + i_2)) * TILE];
            const int b23 = ((u76 < 0.0f) && (((double)(fabsf(u76) * 0.59604645f)) < p0)) && (!(fabs(v40) <= 0.0));
            const unsigned i_3 = i + 3 < 5 ? i + 3 : i;
            const float u77 = v[(at_inverse + i_3) * TILE];
            const double v41 = w[(at_y + __ldg(N + 124 + i_3)) * TILE];
            const int b24 = ((u77 < 0.0f) && (((double)(fabsf(u77) * 0.59604645f)) < p0)) && (!(fabs(v41) <= 0.0));
            s7 = b21 ? 1.0 : s7;
            s7 = i + 1 < 5 ? b22 ? 1.0 : s7 : s7;
            s7 = i + 2 < 5 ? b23 ? 1.0 : s7 : s7;
            s7 = i + 3 < 5 ? b24 ? 1.0 : s7 : s7;
        }
    }
    const double v42 = ((fabs(v2) <= ((v3 * p1) * 0.01)) && (s4 <= 0.0f)) ? ((0.0 < s7) ? 1.0 : 0.0) : v1;
    SYNC;
    if (ID == 0) w[at_grows * TILE] = v42;
    SYNC;
}

static __device__ void first_stage(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N) {
    for (unsigned i = ID; i < 5; i += SIZE) {
        const double v0 = w[(at_f + i) * TILE];
        w[(at_k1 + i) * TILE] = v0;
    }
    SYNC;
}

static __device__ __noinline__ void solve(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N, unsigned a0) {
    const unsigned end1 = 5;
    if (0 < end1) {
        const unsigned i_first = 0;
        unsigned n0 = __ldg(N + 129 + i_first);
        unsigned n1 = __ldg(N + 135 + i_first);
        unsigned n2 = __ldg(N + 124 + i_first);
        for (unsigned i = 0; i < end1; ++i) {
            const unsigned i_1 = i + 1 < end1 ? i + 1 : end1 - 1;
            const unsigned n0_1 = __ldg(N + 129 + i_1);
            const unsigned n1_1 = __ldg(N + 135 + i_1);
            const unsigned n2_1 = __ldg(N + 124 + i_1);
            const double v0 = w[(a0 + n2) * TILE];
            float s0 = v0;
            {
                unsigned j = n0;
                for (; j + 7 < n1; j += 8) {
                    const float u0 = v[(at_jac + j) * TILE];
                    const float u1 = v[(at_x + __ldg(N + 140 + j)) * TILE];
                    const float u2 = v[(at_jac + j + 1) * TILE];
                    const float u3 = v[(at_x + __ldg(N + 140 + j + 1)) * TILE];
                    const float u4 = v[(at_jac + j + 2) * TILE];
                    const float u5 = v[(at_x + __ldg(N + 140 + j + 2)) * TILE];
                    const float u6 = v[(at_jac + j + 3) * TILE];
                    const float u7 = v[(at_x + __ldg(N + 140 + j + 3)) * TILE];
                    const float u8 = v[(at_jac + j + 4) * TILE];
                    const float u9 = v[(at_x + __ldg(N + 140 + j + 4)) * TILE];
                    const float u10 = v[(at_jac + j + 5) * TILE];
                    const float u11 = v[(at_x + __ldg(N + 140 + j + 5)) * TILE];
                    const float u12 = v[(at_jac + j + 6) * TILE];
                    const float u13 = v[(at_x + __ldg(N + 140 + j + 6)) * TILE];
                    const float u14 = v[(at_jac + j + 7) * TILE];
                    const float u15 = v[(at_x + __ldg(N + 140 + j + 7)) * TILE];
                    s0 = fmaf(-u0, u1, s0);
                    s0 = fmaf(-u2, u3, s0);
                    s0 = fmaf(-u4, u5, s0);
                    s0 = fmaf(-u6, u7, s0);
                    s0 = fmaf(-u8, u9, s0);
                    s0 = fmaf(-u10, u11, s0);
                    s0 = fmaf(-u12, u13, s0);
                    s0 = fmaf(-u14, u15, s0);
                }
                for (; j < n1; j += 4) {
                    const float u16 = v[(at_jac + j) * TILE];
                    const float u17 = v[(at_x + __ldg(N + 140 + j)) * TILE];
                    const unsigned j_1 = j + 1 < n1 ? j + 1 : j;
                    const float u18 = v[(at_jac + j_1) * TILE];
                    const float u19 = v[(at_x + __ldg(N + 140 + j_1)) * TILE];
                    const unsigned j_2 = j + 2 < n1 ? j + 2 : j;
                    const float u20 = v[(at_jac + j_2) * TILE];
                    const float u21 = v[(at_x + __ldg(N + 140 + j_2)) * TILE];
                    const unsigned j_3 = j + 3 < n1 ? j + 3 : j;
                    const float u22 = v[(at_jac + j_3) * TILE];
                    const float u23 = v[(at_x + __ldg(N + 140 + j_3)) * TILE];
                    s0 = fmaf(-u16, u17, s0);
                    s0 = j + 1 < n1 ? fmaf(-u18, u19, s0) : s0;
                    s0 = j + 2 < n1 ? fmaf(-u20, u21, s0) : s0;
                    s0 = j + 3 < n1 ? fmaf(-u22, u23, s0) : s0;
                }
            }
            SYNC;
            if (ID == 0) v[(at_x + i) * TILE] = s0;
            SYNC;
            n0 = n0_1;
            n1 = n1_1;
            n2 = n2_1;
        }
    }
    const unsigned end2 = 5;
    if (0 < end2) {
        const unsigned i_first = 0;
        unsigned n3 = __ldg(N + 129 + (4u - i_first) + 1);
        unsigned n4 = __ldg(N + 135 + 4u - i_first);
        unsigned n5 = __ldg(N + 124 + 4u - i_first);
        for (unsigned i = 0; i < end2; ++i) {
            const unsigned i_1 = i + 1 < end2 ? i + 1 : end2 - 1;
            const unsigned n3_1 = __ldg(N + 129 + (4u - i_1) + 1);
            const unsigned n4_1 = __ldg(N + 135 + 4u - i_1);
            const unsigned n5_1 = __ldg(N + 124 + 4u - i_1);
            const unsigned n6 = 4u - i;
            const float u24 = v[(at_x + n6) * TILE];
            float s1 = u24;
            {
                unsigned j = 23u - n3;
                for (; j + 7 < (22u - n4); j += 8) {
                    const unsigned n7 = 22u - j;
                    const float u25 = v[(at_jac + n7) * TILE];
                    const float u26 = v[(at_x + __ldg(N + 140 + n7)) * TILE];
                    const unsigned n8 = 22u - (j + 1);
                    const float u27 = v[(at_jac + n8) * TILE];
                    const float u28 = v[(at_x + __ldg(N + 140 + n8)) * TILE];
                    const unsigned n9 = 22u - (j + 2);
                    const float u29 = v[(at_jac + n9) * TILE];
                    const float u30 = v[(at_x + __ldg(N + 140 + n9)) * TILE];
                    const unsigned n10 = 22u - (j + 3);
                    const float u31 = v[(at_jac + n10) * TILE];
                    const float u32 = v[(at_x + __ldg(N + 140 + n10)) * TILE];
                    const unsigned n11 = 22u - (j + 4);
                    const float u33 = v[(at_jac + n11) * TILE];
                    const float u34 = v[(at_x + __ldg(N + 140 + n11)) * TILE];
                    const unsigned n12 = 22u - (j + 5);
                    const float u35 = v[(at_jac + n12) * TILE];
                    const float u36 = v[(at_x + __ldg(N + 140 + n12)) * TILE];
                    const unsigned n13 = 22u - (j + 6);
                    const float u37 = v[(at_jac + n13) * TILE];
                    const float u38 = v[(at_x + __ldg(N + 140 + n13)) * TILE];
                    const unsigned n14 = 22u - (j + 7);
                    const float u39 = v[(at_jac + n14) * TILE];
                    const float u40 = v[(at_x + __ldg(N + 140 + n14)) * TILE];
                    s1 = fmaf(-u25, u26, s1);
                    s1 = fmaf(-u27, u28, s1);
                    s1 = fmaf(-u29, u30, s1);
                    s1 = fmaf(-u31, u32, s1);
                    s1 = fmaf(-u33, u34, s1);
                    s1 = fmaf(-u35, u36, s1);
                    s1 = fmaf(-u37, u38, s1);
                    s1 = fmaf(-u39, u40, s1);
                }
                for (; j < (22u - n4); j += 4) {
                    const unsigned n15 = 22u - j;
                    const float u41 = v[(at_jac + n15) * TILE];
                    const float u42 = v[(at_x + __ldg(N + 140 + n15)) * TILE];
                    const unsigned j_1 = j + 1 < (22u - n4) ? j + 1 : j;
                    const unsigned n16 = 22u - j_1;
                    const float u43 = v[(at_jac + n16) * TILE];
                    const float u44 = v[(at_x + __ldg(N + 140 + n16)) * TILE];
                    const unsigned j_2 = j + 2 < (22u - n4) ? j + 2 : j;
                    const unsigned n17 = 22u - j_2;
                    const float u45 = v[(at_jac + n17) * TILE];
                    const float u46 = v[(at_x + __ldg(N + 140 + n17)) * TILE];
                    const unsigned j_3 = j + 3 < (22u - n4) ? j + 3 : j;
                    const unsigned n18 = 22u - j_3;
                    const float u47 = v[(at_jac + n18) * TILE];
                    const float u48 = v[(at_x + __ldg(N + 140 + n18)) * TILE];
                    s1 = fmaf(-u41, u42, s1);
                    s1 = j + 1 < (22u - n4) ? fmaf(-u43, u44, s1) : s1;
                    s1 = j + 2 < (22u - n4) ? fmaf(-u45, u46, s1) : s1;
                    s1 = j + 3 < (22u - n4) ? fmaf(-u47, u48, s1) : s1;
                }
            }
            const float u49 = v[(at_inverse + n6) * TILE];
            const float u50 = s1 * u49;
            SYNC;
            if (ID == 0) v[(at_x + n6) * TILE] = u50;
            if (ID == 0) w[(a0 + n5) * TILE] = u50;
            SYNC;
            n3 = n3_1;
            n4 = n4_1;
            n5 = n5_1;
        }
    }
}

static __device__ void add_stages(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N) {
    for (unsigned i = ID; i < 5; i += SIZE) {
        const double v0 = w[(at_y + i) * TILE];
        const double v1 = w[(at_k1 + i) * TILE];
        w[(at_y1 + i) * TILE] = fma(0.585786437626905, v1, v0);
    }
    SYNC;
}

static __device__ void arrhenius_2(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N) {
    const double v0 = w[at_ln_t * TILE];
    const double v1 = w[at_inv_t * TILE];
    if (ID == 0) w[at_rate_constant * TILE] = 1.0;
    if (ID == 0) w[(at_progress + 2) * TILE] = 0.0;
    SYNC;
    for (unsigned i = ID; i < 2; i += SIZE) {
        const double v2 = fma(__ldg(R + 33 + i * 2), v0, -(__ldg(R + 33 + (i * 2) + 1) * v1));
        w[(at_rate_constant + i + 1) * TILE] = exponential(v2);
    }
    SYNC;
}

static __device__ void activities_2(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N) {
    for (unsigned i = ID; i < 3; i += SIZE) {
        const double v0 = w[(at_conc + i) * TILE];
        const double v1 = w[(at_exp_plus + i) * TILE];
        w[(at_act + i) * TILE] = v0 * v1;
    }
    SYNC;
}

static __device__ void mass_action_2(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N) {
    for (unsigned i = ID; i < 2; i += SIZE) {
        const unsigned n0 = i * 5;
        const unsigned n1 = __ldg(N + 9 + n0 + 2);
        const double v0 = w[(at_conc + n1) * TILE];
        const double v1 = w[(at_act + __ldg(N + 9 + n0 + 3)) * TILE];
        const double v2 = w[(at_act + __ldg(N + 9 + n0 + 4)) * TILE];
        const double v3 = w[(at_exp_minus + n1) * TILE];
        const double v4 = w[(at_third + __ldg(N + 9 + n0 + 1)) * TILE];
        const double v5 = w[(at_rate_constant + __ldg(N + 9 + n0)) * TILE];
        const double v6 = v5 * __ldg(R + 42 + i);
        w[(at_progress + i) * TILE] = ((v6 * v0) - (((v6 * v3) * v1) * v2)) * v4;
    }
    SYNC;
}

static __device__ void rhs(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N) {
    const double v0 = w[at_floor * TILE];
    SYNC;
    state(w, v, R, N, at_y1, v0);
    nasa9(w, v, R, N);
    const double v1 = w[at_temp * TILE];
    const double v2 = w[at_ln_t * TILE];
    const double v3 = w[at_inv_t * TILE];
    const int b0 = 10000.0 < v1;
    if (b0) {
        SYNC;
        above_hold(w, v, R, N, v1, v3, v2, b0);
    }
    SYNC;
    exponentials(w, v, R, N);
    third_bodies(w, v, R, N);
    arrhenius_2(w, v, R, N);
    activities_2(w, v, R, N);
    mass_action_2(w, v, R, N);
    const double v4 = w[at_inv_t * TILE];
    if (0.01 < v4) {
        SYNC;
        cold_rates(w, v, R, N);
    }
    SYNC;
    gather(w, v, R, N);
    balance(w, v, R, N, at_f, at_y1);
}

static __device__ void add_stages_2(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N, double p0) {
    const double v0 = p0 * -1.17157287525381;
    for (unsigned i = ID; i < 5; i += SIZE) {
        const double v1 = w[(at_f + i) * TILE];
        const double v2 = w[(at_k1 + i) * TILE];
        w[(at_k2 + i) * TILE] = fma(v0, v2, v1);
    }
    SYNC;
}

static __device__ void add_stages_3(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N) {
    for (unsigned i = ID; i < 5; i += SIZE) {
        const double v0 = w[(at_y + i) * TILE];
        const double v1 = w[(at_k1 + i) * TILE];
        const double v2 = w[(at_k2 + i) * TILE];
        w[(at_y1 + i) * TILE] = fma(0.2928932188134525, v2, fma(0.8786796564403575, v1, v0));
    }
    SYNC;
}

static __device__ void add_stages_4(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N) {
    for (unsigned i = ID; i < 5; i += SIZE) {
        const double v0 = w[(at_k1 + i) * TILE];
        const double v1 = w[(at_k2 + i) * TILE];
        w[(at_error + i) * TILE] = fma(2.34314575050762, v1, fma(2.34314575050762, v0, 0.0));
    }
    SYNC;
}

static __device__ __noinline__ void energy_lost(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N, unsigned a0, double p0) {
    const double v0 = w[(a0 + 3) * TILE];
    SYNC;
    if (ID == 0) w[at_temp * TILE] = v0;
    if (ID == 0) w[at_ln_t * TILE] = logarithm(v0);
    if (ID == 0) w[at_inv_t * TILE] = 1.0 / v0;
    SYNC;
    nasa9(w, v, R, N);
    const double v1 = w[at_temp * TILE];
    const double v2 = w[at_ln_t * TILE];
    const double v3 = w[at_inv_t * TILE];
    const int b0 = 10000.0 < v1;
    if (b0) {
        SYNC;
        above_hold(w, v, R, N, v1, v3, v2, b0);
    }
    double s0 = 0.0;
    double s1 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const double v4 = w[(a0 + i) * TILE];
        const double v5 = w[(at_enthalpy + i) * TILE];
        const double v6 = w[(at_cp + i) * TILE];
        const double next_s0 = fma(fma(v5 - 0.0, v0, __ldg(R + 30 + i)), v4, s0);
        const double next_s1 = fma(v4, v6 - 0.0, s1);
        s0 = next_s0;
        s1 = next_s1;
    }
    const double v7 = s1 * 8.31446261815324;
    const double v8 = w[(a0 + 3) * TILE];
    const double v9 = w[at_heating * TILE];
    const double v10 = w[at_energy * TILE];
    const double v11 = fma(p0, v9, v10) + 0.0;
    const double v12 = (v11 - (s0 * 8.31446261815324)) / (v7 * v8);
    const double v13 = ((fabs(v12) <= 1.7976931348623157e308) && (0.0 < v7)) ? v12 : 0.0;
    SYNC;
    if (ID == 0) w[at_energy_lost * TILE] = v13;
    if (ID == 0) w[at_energy_next * TILE] = v11;
    if (ID == 0) w[at_energy_next_at * TILE] = v8;
    SYNC;
}

static __device__ void finish(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N, double p0, double p1) {
    const double v0 = w[142 * TILE];
    const double v1 = larger(v0, p0);
    const double v2 = w[141 * TILE];
    const double v3 = ((0.5 < v2) && (0.0 < v1)) ? larger(v1, 10000.0) : v1;
    const double v4 = w[at_rhs_count * TILE];
    SYNC;
    if (ID == 0) w[at_rhs_count * TILE] = v4 + 2.0;
    const double v5 = w[at_jac_count * TILE];
    SYNC;
    if (ID == 0) w[at_jac_count * TILE] = v5 + 1.0;
    const double v6 = w[at_factor_count * TILE];
    SYNC;
    if (ID == 0) w[at_factor_count * TILE] = v6 + 1.0;
    const double v7 = w[at_steps * TILE];
    const double v8 = (v7 <= 0.5) ? (v3 * 3.0) : v3;
    const double v9 = (v8 <= 10000000000.0) ? v8 : 10000000000.0;
    const double v10 = w[at_steps * TILE];
    const double v11 = (v10 <= 0.5) ? (v9 * 1.0) : v9;
    const int b0 = v11 <= 1.0;
    const double v12 = w[at_after_rejection * TILE];
    const int b1 = 1.0 <= v12;
    const double v13 = w[at_only_end * TILE];
    const double v14 = larger(0.2, 0.9 * exponential(logarithm(larger(1e-10, v11)) * -0.5));
    const double v15 = smaller(b1 ? 1.0 : 6.0, v14);
    const double v16 = p1 * ((b1 && (!b0)) ? smaller((0.5 < v13) ? 0.5 : 0.1, v15) : v15);
    if (ID == 0) w[at_h * TILE] = v16;
    if (ID == 0) w[at_error_norm * TILE] = v11;
    const double v17 = w[at_t * TILE];
    const double v18 = w[at_left * TILE];
    const double v19 = v17 + p1;
    const double v20 = (v18 <= p1) ? 0.0 : ((v18 <= (1e-8 * v17)) ? (v18 - p1) : ((v17 + v18) - v19));
    const double v21 = w[at_idle * TILE];
    const double v22 = (b0 && ((1e-13 * v19) <= p1)) ? 0.0 : (v21 + (b0 ? 0.02 : 1.0));
    const double v23 = w[at_steps * TILE];
    const double v24 = w[at_rejected * TILE];
    if (ID == 0) w[at_tried * TILE] = p1;
    SYNC;
    if (ID == 0) w[at_idle * TILE] = v22;
    if (ID == 0) w[at_t * TILE] = b0 ? v19 : v17;
    if (ID == 0) w[at_left * TILE] = b0 ? v20 : v18;
    if (ID == 0) w[at_after_rejection * TILE] = b0 ? 0.0 : 1.0;
    if (ID == 0) w[at_steps * TILE] = v23 + (b0 ? 1.0 : 0.0);
    if (ID == 0) w[at_rejected * TILE] = v24 + (b0 ? 0.0 : 1.0);
    for (unsigned i = ID; i < 5; i += SIZE) {
        const double v25 = w[(at_y1 + i) * TILE];
        const double v26 = w[(at_y + i) * TILE];
        w[(at_y + i) * TILE] = b0 ? v25 : v26;
    }
    SYNC;
}

static __device__ void elements_lost(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N, double p0, int p1) {
    const double v0 = w[at_elements * TILE];
    const double v1 = w[at_elements_fed * TILE];
    const double v2 = p1 ? fma(p0, v1, v0) : v0;
    SYNC;
    if (ID == 0) w[at_elements * TILE] = v2;
    const double v3 = fma(__ldg(R + 48), v2, 0.0);
    double s0 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const double v4 = w[(at_y + i) * TILE];
        s0 = s0 + (__ldg(R + 45 + i) * v4);
    }
    if (ID == 0) w[at_elements_lost * TILE] = (p1 && ((1e-14 * fabs(v3)) < fabs(v3 - s0))) ? 1.0 : 0.0;
    SYNC;
}

static __device__ void restore_elements(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N, int p0) {
    const double v0 = w[at_elements * TILE];
    double s0 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const double v1 = w[(at_y + i) * TILE];
        s0 = s0 + (__ldg(R + 49 + i) * v1);
    }
    double s1 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const double v2 = w[(at_y + i) * TILE];
        const double v3 = s1 + ((__ldg(R + 49 + i) * __ldg(R + 49 + i)) * larger(v2, 0.0));
        s1 = v3;
    }
    const double v4 = (v0 - s0) * (((1e-9 * s1) < s1) ? (1.0 / s1) : 0.0);
    SYNC;
    for (unsigned i = ID; i < 3; i += SIZE) {
        const double v5 = w[(at_y + i) * TILE];
        const double v6 = fma(smaller(0.1, larger(-0.1, fma(__ldg(R + 49 + i), v4, 0.0))), larger(v5, 0.0), v5);
        w[(at_y + i) * TILE] = p0 ? v6 : v5;
    }
    SYNC;
    double s2 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const double v7 = w[(at_y + i) * TILE];
        s2 = s2 + v7;
    }
    const double v8 = w[(at_y + 4) * TILE];
    SYNC;
    if (ID == 0) w[(at_y + 4) * TILE] = p0 ? s2 : v8;
    SYNC;
}

static __device__ void cold_gas(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N, double p0) {
    double s0 = 0.0;
    for (unsigned i = 0; i < 1; ++i) {
        const double v0 = w[(at_y + __ldg(N + 19 + i * 3)) * TILE];
        const double v1 = w[(at_y + __ldg(N + 19 + (i * 3) + 1)) * TILE];
        const double v2 = w[(at_y + __ldg(N + 19 + (i * 3) + 2)) * TILE];
        const double v3 = (p0 < __ldg(R + 44 + i)) ? smaller(smaller(fabs(v0), fabs(v1)), fabs(v2)) : 0.0;
        s0 = larger(s0, v3);
    }
    if (ID == 0) w[at_lacking * TILE] = s0;
    SYNC;
}

static __device__ void judge(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N) {
    const double v0 = w[at_t * TILE];
    const double v1 = w[at_left * TILE];
    const double v2 = w[at_h * TILE];
    const double v3 = w[at_span * TILE];
    const int b0 = v1 <= 0.0;
    const double v4 = w[at_idle * TILE];
    const int b1 = (!(larger(1e-20 * v0, 1e-50 * v3) <= v2)) || (500.0 < v4);
    const double v5 = w[at_rung * TILE];
    const int b2 = v5 < 1.0;
    const int b3 = (b1 && b2) && (!b0);
    const int b4 = b1 && (!b2);
    const double v6 = w[at_budget * TILE];
    const double v7 = w[at_steps * TILE];
    const double v8 = w[at_rejected * TILE];
    const double v9 = w[(at_y + 3) * TILE];
    const double v10 = w[(at_y + 4) * TILE];
    const int b5 = v9 < 52.5;
    if (ID == 0) w[at_lacking * TILE] = 0.0;
    if (b5) {
        SYNC;
        cold_gas(w, v, R, N, v9);
    }
    SYNC;
    const double v11 = w[at_lacking * TILE];
    const int b6 = (((10.0 <= v9) && (v9 <= 50000.0)) && (0.0 < v10)) && (!(b5 && (1e-15 < v11)));
    if (ID == 0) w[at_verdict * TILE] = b4 ? 1.0 : 0.0;
    if (b4) {
        double s0 = 1.0;
        for (unsigned i = 0; i < 5; ++i) {
            const double v12 = w[(at_f + i) * TILE];
            s0 = (fabs(v12) <= 1.7976931348623157e308) ? s0 : 0.0;
        }
        SYNC;
        const double v13 = w[at_verdict * TILE];
        SYNC;
        if (ID == 0) w[at_verdict * TILE] = (b4 && (s0 < 1.0)) ? 3.0 : v13;
    }
    SYNC;
    const double v14 = w[at_verdict * TILE];
    SYNC;
    if (ID == 0) w[at_verdict * TILE] = (!b6) ? 3.0 : (b0 ? -1.0 : ((v6 <= (v7 + v8)) ? 2.0 : v14));
    const double v15 = w[at_rung * TILE];
    SYNC;
    if (ID == 0) w[at_rung * TILE] = b3 ? 1.0 : v15;
    const double v16 = w[at_idle * TILE];
    SYNC;
    if (ID == 0) w[at_idle * TILE] = b3 ? 0.0 : v16;
    const double v17 = w[at_fresh * TILE];
    SYNC;
    if (ID == 0) w[at_fresh * TILE] = b3 ? 1.0 : v17;
    const double v18 = w[at_atol * TILE];
    const double v19 = w[at_atol * TILE];
    SYNC;
    if (ID == 0) w[at_atol * TILE] = b3 ? (v18 * 0.01) : v19;
    if (ID == 0) w[at_h * TILE] = b3 ? (v3 * 1e-6) : v2;
    const double v20 = w[at_after_rejection * TILE];
    SYNC;
    if (ID == 0) w[at_after_rejection * TILE] = b3 ? 0.0 : v20;
    SYNC;
}

static __device__ __noinline__ void attempt(SPACE double *w, SPACE float *v, const double *__restrict__ R, const INDEX *__restrict__ N) {
    const double v0 = w[at_atol * TILE];
    const double v1 = w[at_span * TILE];
    const double v2 = w[at_begun * TILE];
    const int b0 = v2 < 0.5;
    if (b0) {
        SYNC;
        begin_cell(w, v, R, N, v0, v1, b0);
    }
    const double v3 = w[at_energy_known * TILE];
    const int b1 = v3 < 0.5;
    if (b1) {
        SYNC;
        remember_energy(w, v, R, N, b1);
    }
    const double v4 = w[at_elements_fed_known * TILE];
    const int b2 = v4 < 0.5;
    if (b2) {
        SYNC;
        remember_elements(w, v, R, N, b2);
    }
    const double v5 = w[at_steps * TILE];
    const double v6 = w[at_atol * TILE];
    const double v7 = v6 * -10.0;
    if (ID == 0) w[at_slight * TILE] = v7;
    if (ID == 0) w[at_noise * TILE] = v7 - 1e-8;
    SYNC;
    jacobian_slots(w, v, R, N, at_f);
    jacobian_entries(w, v, R, N);
    const double v8 = w[at_begun * TILE];
    const double v9 = w[at_noise * TILE];
    double s0 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const double v10 = w[(at_y + i) * TILE];
        const double v11 = w[(at_f + i) * TILE];
        const double v12 = w[(at_owing + i) * TILE];
        const int b3 = (0.0 < (v12 * v8)) && ((v10 < 0.0) || ((v10 <= 0.0) && (v11 <= 0.0)));
        s0 = ((v10 < v9) || b3) ? 1.0 : s0;
    }
    if (0.0 < s0) {
        SYNC;
        forget_absent(w, v, R, N, at_f, v8, v9);
    }
    SYNC;
    jacobian_borders(w, v, R, N, at_f);
    const double v13 = w[at_fresh * TILE];
    const int b4 = 0.5 < v13;
    if (b4) {
        const double v14 = w[at_rtol * TILE];
        const double v15 = w[at_atol * TILE];
        const double v16 = v15 * 0.001;
        for (unsigned i = ID; i < 5; i += SIZE) {
            const double v17 = w[(at_y + i) * TILE];
            w[(at_y1 + i) * TILE] = fma(v14, fabs(v17), v16);
        }
        SYNC;
        for (unsigned i = ID; i < 3; i += SIZE) {
            const unsigned n0 = __ldg(N + 338 + i);
            const double v18 = w[(at_y + n0) * TILE];
            w[(at_y1 + n0) * TILE] = fma(v14, fabs(v18), __ldg(R + 63 + i) * v16);
        }
        SYNC;
        diagonal(w, v, R, N);
        shorten_first(w, v, R, N, b4);
    }
    SYNC;
    if (ID == 0) w[at_fresh * TILE] = 0.0;
    const double v19 = w[at_h * TILE];
    const double v20 = w[at_left * TILE];
    const double v21 = (v20 <= (v19 * 1.01)) ? v20 : ((v20 < (v19 * 2.0)) ? (v20 * 0.5) : v19);
    const double v22 = w[at_atol * TILE];
    SYNC;
    forgive(w, v, R, N, v22 * 0.01, v21);
    const double v23 = 1.0 / v21;
    const double v24 = v23 * 0.585786437626905;
    factor(w, v, R, N, v24);
    float s1 = 1e35;
    float s2 = 1e35;
    for (unsigned i = 0; i < 5; ++i) {
        const float u0 = v[(at_inverse + i) * TILE];
        const float next_s1 = smallerf(s1, fabsf(u0));
        const float next_s2 = smallerf(s2, u0);
        s1 = next_s1;
        s2 = next_s2;
    }
    if (ID == 0) w[at_grows * TILE] = 0.0;
    if (s2 < 0.0f) {
        SYNC;
        growth_in_place(w, v, R, N, at_f, s1, v24);
    }
    SYNC;
    const double v25 = w[at_grows * TILE];
    SYNC;
    first_stage(w, v, R, N);
    solve(w, v, R, N, at_k1);
    add_stages(w, v, R, N);
    rhs(w, v, R, N);
    add_stages_2(w, v, R, N, v23);
    solve(w, v, R, N, at_k2);
    add_stages_3(w, v, R, N);
    add_stages_4(w, v, R, N);
    double s3 = 0.0;
    for (unsigned i = 0; i < 5; ++i) {
        const double v26 = w[(at_y + i) * TILE];
        const double v27 = w[(at_k1 + i) * TILE];
        const double v28 = w[(at_y1 + i) * TILE];
        const double v29 = w[(at_k2 + i) * TILE];
        const int b5 = (v27 * 2.0) < fma(-0.7071067811865476, v29, v27 * 0.2928932188134525);
        const double v30 = (((0.0 <= v26) && (v26 < v27)) && b5) ? fma(v27, 0.0001, smaller(v28, 0.0)) : 0.0;
        s3 = s3 + v30;
    }
    const int b6 = s3 < 0.0;
    const double v31 = w[at_span * TILE];
    const double v32 = w[at_rtol * TILE];
    const double v33 = w[at_atol * TILE];
    const double v34 = fma(v33, 10.0, 1e-9);
    const double v35 = -(1.0 / (v34 * 0.25));
    const double v36 = -fma(v34, 100.0, 2e-6);
    double s4 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const unsigned n1 = __ldg(N + 338 + i);
        const double v37 = w[(at_error + n1) * TILE];
        const double v38 = w[(at_y1 + __ldg(N + 338 + i)) * TILE];
        const double v39 = fabs(v37 / fma(v32, fabs(v38), (__ldg(R + 63 + i) * v33) * 0.001));
        const double v40 = __ldg(R + 66 + i);
        const double v41 = w[(at_y1 + n1) * TILE];
        const double v42 = w[(at_source + n1) * TILE];
        const double v43 = smaller(v42, 0.0);
        const double v44 = w[(at_y + n1) * TILE];
        const double v45 = fma(-v21, v43, v41 - smaller(v44, 0.0));
        const double v46 = (((v40 * fma(-v31, v43, v41)) < v36) && (v45 < 0.0)) ? 8.0 : ((v40 * v45) * v35);
        const double v47 = (v39 <= 1.7976931348623157e308) ? v39 : 1.7976931348623157e308;
        const double v48 = (v46 <= 1.7976931348623157e308) ? v46 : 1.7976931348623157e308;
        s4 = larger(larger(v47, v48), s4);
    }
    if (ID == 0) w[142 * TILE] = s4 * 0.25;
    const double v49 = w[at_rtol * TILE];
    SYNC;
    energy_lost(w, v, R, N, at_y1, v21);
    const double v50 = w[(at_y + 3) * TILE];
    const double v51 = w[(at_y1 + 3) * TILE];
    const double v52 = w[at_energy_lost * TILE];
    const double v53 = w[at_energy_lost * TILE];
    const double v54 = smaller(fabs(v53), fabs((fma(v52, v51, v51) - v50) / v50)) / v49;
    const double v55 = v54 * 0.25;
    const int b7 = 0.001 < v55;
    if (b7) {
        for (unsigned i = ID; i < 5; i += SIZE) {
            w[(at_k1 + i) * TILE] = 0.0;
        }
        const double v56 = w[at_energy_lost * TILE];
        const double v57 = w[(at_y1 + 3) * TILE];
        SYNC;
        if (ID == 0) w[(at_k1 + 3) * TILE] = b7 ? ((v56 * v57) * v24) : 0.0;
        SYNC;
        solve(w, v, R, N, at_k1);
        for (unsigned i = ID; i < 5; i += SIZE) {
            const double v58 = w[(at_y1 + i) * TILE];
            const double v59 = w[(at_k1 + i) * TILE];
            w[(at_y1 + i) * TILE] = b7 ? (v58 + v59) : v58;
        }
        SYNC;
        energy_lost(w, v, R, N, at_y1, v21);
    }
    if (ID == 0) w[141 * TILE] = (0.5 < v25) ? 1.0 : 0.0;
    if (b6) {
        SYNC;
        jacobian_slots(w, v, R, N, at_k1);
        jacobian_entries(w, v, R, N);
        const double v60 = w[at_begun * TILE];
        const double v61 = w[at_noise * TILE];
        double s5 = 0.0;
        for (unsigned i = 0; i < 3; ++i) {
            const double v62 = w[(at_y + i) * TILE];
            const double v63 = w[(at_k1 + i) * TILE];
            const double v64 = w[(at_owing + i) * TILE];
            const int b8 = (0.0 < (v64 * v60)) && ((v62 < 0.0) || ((v62 <= 0.0) && (v63 <= 0.0)));
            s5 = ((v62 < v61) || b8) ? 1.0 : s5;
        }
        if (0.0 < s5) {
            SYNC;
            forget_absent(w, v, R, N, at_k1, v60, v61);
        }
        SYNC;
        jacobian_borders(w, v, R, N, at_k1);
        const double v65 = v23 * 0.325436909792725;
        factor(w, v, R, N, v65);
        float s6 = 1e35;
        float s7 = 1e35;
        for (unsigned i = 0; i < 5; ++i) {
            const float u1 = v[(at_inverse + i) * TILE];
            const float next_s6 = smallerf(s6, fabsf(u1));
            const float next_s7 = smallerf(s7, u1);
            s6 = next_s6;
            s7 = next_s7;
        }
        if (ID == 0) w[at_grows * TILE] = 0.0;
        if (s7 < 0.0f) {
            SYNC;
            growth_in_place(w, v, R, N, at_k1, s6, v65);
        }
        SYNC;
        const double v66 = w[at_grows * TILE];
        const double v67 = w[141 * TILE];
        SYNC;
        if (ID == 0) w[141 * TILE] = larger(v67, (b6 && (0.5 < v66)) ? 1.0 : 0.0);
        const double v68 = w[at_rhs_count * TILE];
        SYNC;
        if (ID == 0) w[at_rhs_count * TILE] = v68 + (b6 ? 1.0 : 0.0);
        const double v69 = w[at_jac_count * TILE];
        SYNC;
        if (ID == 0) w[at_jac_count * TILE] = v69 + (b6 ? 1.0 : 0.0);
        const double v70 = w[at_factor_count * TILE];
        SYNC;
        if (ID == 0) w[at_factor_count * TILE] = v70 + (b6 ? 1.0 : 0.0);
    }
    SYNC;
    finish(w, v, R, N, v55, v21);
    const double v71 = w[at_steps * TILE];
    const int b9 = v5 < v71;
    const double v72 = w[at_tried * TILE];
    SYNC;
    elements_lost(w, v, R, N, v72, b9);
    const double v73 = w[at_elements_lost * TILE];
    const int b10 = 0.5 < v73;
    if (b10) {
        SYNC;
        restore_elements(w, v, R, N, b10);
        const double v74 = w[at_energy_lost * TILE];
        const double v75 = w[at_energy_next * TILE];
        const double v76 = w[at_energy_next_at * TILE];
        SYNC;
        energy_lost(w, v, R, N, at_y, v72);
        const double v77 = w[at_energy_lost * TILE];
        SYNC;
        if (ID == 0) w[at_energy_lost * TILE] = b10 ? v77 : v74;
        const double v78 = w[at_energy_next * TILE];
        SYNC;
        if (ID == 0) w[at_energy_next * TILE] = b10 ? v78 : v75;
        const double v79 = w[at_energy_next_at * TILE];
        SYNC;
        if (ID == 0) w[at_energy_next_at * TILE] = b10 ? v79 : v76;
    }
    const double v80 = w[(at_y + 3) * TILE];
    const double v81 = w[at_energy_lost * TILE];
    SYNC;
    if (ID == 0) w[(at_y + 3) * TILE] = b9 ? fma(smaller(3.0, larger(-0.7, v81)), v80, v80) : v80;
    const double v82 = w[at_energy_lost * TILE];
    const int b11 = b9 && (0.0001 < fabs(v82));
    if (b11) {
        const double v83 = w[at_energy_lost * TILE];
        const double v84 = w[at_energy_next * TILE];
        const double v85 = w[at_energy_next_at * TILE];
        SYNC;
        energy_lost(w, v, R, N, at_y, v72);
        const double v86 = w[at_energy_lost * TILE];
        SYNC;
        if (ID == 0) w[at_energy_lost * TILE] = b11 ? v86 : v83;
        const double v87 = w[at_energy_next * TILE];
        SYNC;
        if (ID == 0) w[at_energy_next * TILE] = b11 ? v87 : v84;
        const double v88 = w[at_energy_next_at * TILE];
        SYNC;
        if (ID == 0) w[at_energy_next_at * TILE] = b11 ? v88 : v85;
        const double v89 = w[(at_y + 3) * TILE];
        const double v90 = w[at_energy_lost * TILE];
        SYNC;
        if (ID == 0) w[(at_y + 3) * TILE] = b11 ? fma(smaller(3.0, larger(-0.7, v90)), v89, v89) : v89;
    }
    const double v91 = w[at_energy_next * TILE];
    const double v92 = w[at_energy * TILE];
    SYNC;
    if (ID == 0) w[at_energy * TILE] = b9 ? v91 : v92;
    const double v93 = w[at_energy_next_at * TILE];
    const double v94 = w[at_energy_at * TILE];
    SYNC;
    if (ID == 0) w[at_energy_at * TILE] = b9 ? v93 : v94;
    SYNC;
    judge(w, v, R, N);
}

