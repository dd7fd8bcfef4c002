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
    at_jac = 81,
    at_rates_or_lu = 104,
    at_extra = 107,
    at_progress_t = 109,
    at_rate_constant_t = 112,
    at_rate_constant_aux = 115,
    at_jac_third = 116,
    at_heat = 122,
    at_wdot_t = 125,
    at_inverse = 127,
    at_wdot_ctot = 128,
    at_work = 132,
    at_x = 152,
    at_k1 = 157,
    at_k2 = 162,
    at_y = 167,
    at_y1 = 172,
    at_f = 177,
    at_error = 182,
    at_t = 189,
    at_left = 190,
    at_h = 191,
    at_after_rejection = 192,
    at_rtol = 193,
    at_atol = 194,
    at_steps = 195,
    at_rejected = 196,
    at_rhs_count = 197,
    at_jac_count = 198,
    at_factor_count = 199,
    at_tried = 200,
    at_error_norm = 201,
    at_fresh = 202,
    at_rung = 203,
    at_verdict = 204,
    at_span = 205,
    at_budget = 206,
    at_idle = 207,
    at_only_end = 208,
};

static __device__ void begin_cell(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N, double p0, double p1, int p2) {
    const double v0 = p0 * -0.01;
    const double v1 = p0 * -10.0;
    for (unsigned i = 0; i < 3; ++i) {
        const double v2 = w[(at_y + i) * TILE];
        const double v3 = w[(at_source + i) * TILE];
        const double v4 = w[(at_owing + i) * TILE];
        w[(at_owing + i) * TILE] = p2 ? ((((v3 * p1) < v0) || (v2 < v1)) ? 1.0 : 0.0) : v4;
    }
    w[at_begun * TILE] = 1.0;
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

static __device__ __noinline__ void nasa9(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N) {
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
    for (unsigned i = 0; i < 3; ++i) {
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
}

static __device__ __noinline__ void above_hold(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N, double p0, double p1, double p2, int p3) {
    const double v0 = (p0 - 10000.0) * p1;
    const double v1 = p2 - 9.210340371976184;
    for (unsigned i = 0; i < 3; ++i) {
        const double v2 = w[(at_gibbs + i) * TILE];
        const double v3 = w[(at_enthalpy + i) * TILE];
        const double v4 = w[(at_cp + i) * TILE];
        const double v5 = fma(v0, v4, v3 * (10000.0 * p1));
        w[(at_gibbs + i) * TILE] = p3 ? fma(1.0 - v4, v1, v2 + (v5 - v3)) : v2;
        w[(at_enthalpy + i) * TILE] = p3 ? v5 : v3;
    }
}

static __device__ void remember_energy(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N, int p0) {
    const double v0 = w[(at_y + 3) * TILE];
    w[at_temp * TILE] = v0;
    w[at_ln_t * TILE] = logarithm(v0);
    w[at_inv_t * TILE] = 1.0 / v0;
    nasa9(w, R, N);
    const double v1 = w[at_temp * TILE];
    const double v2 = w[at_ln_t * TILE];
    const double v3 = w[at_inv_t * TILE];
    const int b0 = 10000.0 < v1;
    if (b0) {
        above_hold(w, R, N, v1, v3, v2, b0);
    }
    double s0 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const double v4 = w[(at_y + i) * TILE];
        const double v5 = w[(at_enthalpy + i) * TILE];
        s0 = fma(fma(v5 - 0.0, v0, __ldg(R + 30 + i)), v4, s0);
    }
    const double v6 = w[at_energy * TILE];
    w[at_energy * TILE] = p0 ? (s0 * 8.31446261815324) : v6;
    const double v7 = w[(at_y + 3) * TILE];
    const double v8 = w[at_energy_at * TILE];
    w[at_energy_at * TILE] = p0 ? v7 : v8;
    w[at_energy_known * TILE] = 1.0;
}

static __device__ void remember_elements(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N, int p0) {
    const double v0 = w[at_elements_known * TILE];
    double s0 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const double v1 = w[(at_y + i) * TILE];
        s0 = s0 + (__ldg(R + 49 + i) * v1);
    }
    const double v2 = w[at_elements * TILE];
    w[at_elements * TILE] = (p0 && (v0 < 0.5)) ? s0 : v2;
    double s1 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const double v3 = w[(at_source + i) * TILE];
        s1 = s1 + (__ldg(R + 49 + i) * v3);
    }
    const double v4 = w[at_elements_fed * TILE];
    w[at_elements_fed * TILE] = p0 ? s1 : v4;
    w[at_elements_known * TILE] = 1.0;
    w[at_elements_fed_known * TILE] = 1.0;
}

static __device__ __noinline__ void state(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N, unsigned a0, double p0) {
    const double v0 = w[(a0 + 3) * TILE];
    const double v1 = w[(a0 + 4) * TILE];
    const double v2 = w[at_pressure * TILE];
    const double v3 = v2 / (v0 * 8.31446261815324);
    const double v4 = v3 / v1;
    w[at_temp * TILE] = v0;
    w[at_ln_t * TILE] = logarithm(v0);
    w[at_inv_t * TILE] = 1.0 / v0;
    w[at_rho * TILE] = v4;
    w[at_ctot * TILE] = v3;
    for (unsigned i = 0; i < 3; ++i) {
        const double v5 = w[(a0 + i) * TILE];
        w[(at_conc + i) * TILE] = v4 * larger(p0, v5);
    }
}

static __device__ void above_hold_2(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N, double p0, double p1, double p2, int p3) {
    const double v0 = (p0 - 10000.0) * p1;
    const double v1 = p2 - 9.210340371976184;
    for (unsigned i = 0; i < 3; ++i) {
        const double v2 = w[(at_gibbs + i) * TILE];
        const double v3 = w[(at_enthalpy + i) * TILE];
        const double v4 = w[(at_cp + i) * TILE];
        const double v5 = fma(v0, v4, v3 * (10000.0 * p1));
        w[(at_gibbs + i) * TILE] = p3 ? fma(1.0 - v4, v1, v2 + (v5 - v3)) : v2;
        w[(at_enthalpy + i) * TILE] = p3 ? v5 : v3;
        const double v6 = w[(at_dcp + i) * TILE];
        w[(at_dcp + i) * TILE] = p3 ? 0.0 : v6;
    }
}

static __device__ __noinline__ void exponentials(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N) {
    for (unsigned i = 0; i < 3; ++i) {
        const double v0 = w[(at_gibbs + i) * TILE];
        const int b0 = 600.0 < fabs(v0);
        const double v1 = smaller(600.0, larger(-600.0, v0));
        const double v2 = fma(v1, 1.4426950408889634, 6755399441055744.0) - 6755399441055744.0;
        const double v3 = fma(v2, -5.497923018708371e-14, fma(v2, -0.6931471805598903, v1));
        const double v4 = v3 * v3;
        const double v5 = fma(fma(2.7476799471435566e-7, v4, 2.48019317107923e-5), v4, 0.0013888888516233977);
        const double v6 = fma(fma(2.7634990759003605e-6, v4, 0.00019841185236261458), v4, 0.008333333370870067);
        const double v7 = fma(fma(v5, v4, 0.04166666666813646), v4, 0.49999999999998324);
        const double v8 = fma(v7, v4, 1.0);
        const double v9 = fma(fma(v6, v4, 0.16666666666611554) * v4, v3, v3);
        w[(at_exp_plus + i) * TILE] = b0 ? 0.0 : scale(v8 + v9, v2);
        w[(at_exp_minus + i) * TILE] = b0 ? 0.0 : scale(v8 - v9, -v2);
    }
}

static __device__ __noinline__ void third_bodies(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N) {
    const double v0 = w[at_ctot * TILE];
    for (unsigned i = 0; i < 2; ++i) {
        double s0 = __ldg(R + 37 + i) * v0;
        {
            unsigned j = __ldg(N + 3 + i);
            for (; j + 3 < __ldg(N + 3 + i + 1); j += 4) {
                const double v1 = w[(at_conc + __ldg(N + 6 + j)) * TILE];
                const double v2 = w[(at_conc + __ldg(N + 6 + j + 1)) * TILE];
                const double v3 = w[(at_conc + __ldg(N + 6 + j + 2)) * TILE];
                const double v4 = w[(at_conc + __ldg(N + 6 + j + 3)) * TILE];
                s0 = fma(__ldg(R + 39 + j), v1, s0);
                s0 = fma(__ldg(R + 39 + j + 1), v2, s0);
                s0 = fma(__ldg(R + 39 + j + 2), v3, s0);
                s0 = fma(__ldg(R + 39 + j + 3), v4, s0);
            }
            for (; j < __ldg(N + 3 + i + 1); j += 4) {
                const double v5 = w[(at_conc + __ldg(N + 6 + j)) * TILE];
                const unsigned j_1 = j + 1 < __ldg(N + 3 + i + 1) ? j + 1 : j;
                const double v6 = w[(at_conc + __ldg(N + 6 + j_1)) * TILE];
                const unsigned j_2 = j + 2 < __ldg(N + 3 + i + 1) ? j + 2 : j;
                const double v7 = w[(at_conc + __ldg(N + 6 + j_2)) * TILE];
                const unsigned j_3 = j + 3 < __ldg(N + 3 + i + 1) ? j + 3 : j;
                const double v8 = w[(at_conc + __ldg(N + 6 + j_3)) * TILE];
                s0 = fma(__ldg(R + 39 + j), v5, s0);
                s0 = j + 1 < __ldg(N + 3 + i + 1) ? fma(__ldg(R + 39 + j_1), v6, s0) : s0;
                s0 = j + 2 < __ldg(N + 3 + i + 1) ? fma(__ldg(R + 39 + j_2), v7, s0) : s0;
                s0 = j + 3 < __ldg(N + 3 + i + 1) ? fma(__ldg(R + 39 + j_3), v8, s0) : s0;
            }
        }
        w[(at_third + i) * TILE] = larger(0.0, s0);
    }
}

static __device__ double exponential(double x) {
    const double v0 = fma(x, 1.4426950408889634, 6755399441055744.0) - 6755399441055744.0;
    const double v1 = fma(v0, -5.497923018708371e-14, fma(v0, -0.6931471805598903, x));
    const double v2 = fma(fma(2.7476799471435566e-7, v1, 2.7634990759003605e-6), v1, 2.48019317107923e-5);
    const double v3 = fma(fma(v2, v1, 0.00019841185236261458), v1, 0.0013888888516233977);
    const double v4 = fma(fma(v3, v1, 0.008333333370870067), v1, 0.04166666666813646);
    const double v5 = fma(fma(v4, v1, 0.16666666666611554), v1, 0.49999999999998324);
    return scale(fma(v5 * v1, v1, v1) + 1.0, v0);
}

static __device__ void arrhenius(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N) {
    const double v0 = w[at_ln_t * TILE];
    const double v1 = w[at_inv_t * TILE];
    w[at_rate_constant * TILE] = 1.0;
    w[(at_progress + 2) * TILE] = 0.0;
    w[at_rate_constant_t * TILE] = 0.0;
    w[(at_progress_t + 2) * TILE] = 0.0;
    w[(at_rates_or_lu + 2) * TILE] = 0.0;
    for (unsigned i = 0; i < 2; ++i) {
        const double v2 = __ldg(R + 33 + i * 2);
        const double v3 = __ldg(R + 33 + (i * 2) + 1);
        const double v4 = exponential(fma(v2, v0, -(v3 * v1)));
        w[(at_rate_constant + i + 1) * TILE] = v4;
        w[(at_rate_constant_t + i + 1) * TILE] = v4 * (fma(v3, v1, v2) * v1);
    }
}

static __device__ void activities(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N) {
    for (unsigned i = 0; i < 3; ++i) {
        const double v0 = w[(at_conc + i) * TILE];
        const double v1 = w[(at_exp_plus + i) * TILE];
        const double v2 = v0 * v1;
        w[(at_act + i) * TILE] = v2;
        w[(at_act + i + 4) * TILE] = -v2;
    }
    w[(at_act + 3) * TILE] = 1.0;
    w[(at_act + 7) * TILE] = -1.0;
}

static __device__ void mass_action(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N) {
    const double v0 = w[at_inv_t * TILE];
    for (unsigned i = 0; i < 2; ++i) {
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
        const double v7 = w[(at_rate_constant + n1) * TILE];
        const double v8 = v7 * v1;
        const double v9 = ((v8 * v5) * v3) * v4;
        const double v10 = (v8 * v2) - v9;
        w[(at_progress + i) * TILE] = v10 * v6;
        w[(at_rates_or_lu + i) * TILE] = smaller(larger(v8 * v5, -1e300), 1e300) * v6;
        const double v11 = w[(at_rate_constant_t + n1) * TILE];
        const double v12 = v11 * v1;
        const double v13 = w[(at_enthalpy + n3) * TILE];
        const double v14 = w[(at_enthalpy + n4) * TILE];
        const double v15 = w[(at_enthalpy + n2) * TILE];
        const double v16 = fma(v9, (((-1.0 + v13) + v14) - v15) * v0, (v12 * v2) - (((v12 * v5) * v3) * v4));
        w[(at_progress_t + i) * TILE] = v16 * v6;
        w[(at_extra + i) * TILE] = v10;
    }
}

static __device__ __noinline__ void cold_rates(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N) {
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
    w[(at_progress + 1) * TILE] = (0.01 < v0) ? (((v7 * v10) * (1.0 * v11)) - v9) : v12;
}

static __device__ __noinline__ void gather(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N, unsigned a0, unsigned a1) {
    for (unsigned i = 0; i < 3; ++i) {
        const unsigned n0 = i * 3;
        const unsigned n1 = __ldg(N + 25 + n0 + 1);
        double s0 = 0.0;
        {
            unsigned j = __ldg(N + 25 + n0);
            for (; j + 3 < n1; j += 4) {
                const double v0 = w[(a0 + __ldg(N + 34 + j)) * TILE];
                const double v1 = w[(a0 + __ldg(N + 34 + j + 1)) * TILE];
                const double v2 = w[(a0 + __ldg(N + 34 + j + 2)) * TILE];
                const double v3 = w[(a0 + __ldg(N + 34 + j + 3)) * TILE];
                s0 = s0 + v0;
                s0 = s0 + v1;
                s0 = s0 + v2;
                s0 = s0 + v3;
            }
            for (; j < n1; j += 4) {
                const double v4 = w[(a0 + __ldg(N + 34 + j)) * TILE];
                const unsigned j_1 = j + 1 < n1 ? j + 1 : j;
                const double v5 = w[(a0 + __ldg(N + 34 + j_1)) * TILE];
                const unsigned j_2 = j + 2 < n1 ? j + 2 : j;
                const double v6 = w[(a0 + __ldg(N + 34 + j_2)) * TILE];
                const unsigned j_3 = j + 3 < n1 ? j + 3 : j;
                const double v7 = w[(a0 + __ldg(N + 34 + j_3)) * TILE];
                s0 = s0 + v4;
                s0 = j + 1 < n1 ? s0 + v5 : s0;
                s0 = j + 2 < n1 ? s0 + v6 : s0;
                s0 = j + 3 < n1 ? s0 + v7 : s0;
            }
        }
        double s1 = s0;
        {
            unsigned j = n1;
            for (; j + 3 < __ldg(N + 25 + n0 + 2); j += 4) {
                const double v8 = w[(a0 + __ldg(N + 34 + j)) * TILE];
                const double v9 = w[(a0 + __ldg(N + 34 + j + 1)) * TILE];
                const double v10 = w[(a0 + __ldg(N + 34 + j + 2)) * TILE];
                const double v11 = w[(a0 + __ldg(N + 34 + j + 3)) * TILE];
                s1 = s1 - v8;
                s1 = s1 - v9;
                s1 = s1 - v10;
                s1 = s1 - v11;
            }
            for (; j < __ldg(N + 25 + n0 + 2); j += 4) {
                const double v12 = w[(a0 + __ldg(N + 34 + j)) * TILE];
                const unsigned j_1 = j + 1 < __ldg(N + 25 + n0 + 2) ? j + 1 : j;
                const double v13 = w[(a0 + __ldg(N + 34 + j_1)) * TILE];
                const unsigned j_2 = j + 2 < __ldg(N + 25 + n0 + 2) ? j + 2 : j;
                const double v14 = w[(a0 + __ldg(N + 34 + j_2)) * TILE];
                const unsigned j_3 = j + 3 < __ldg(N + 25 + n0 + 2) ? j + 3 : j;
                const double v15 = w[(a0 + __ldg(N + 34 + j_3)) * TILE];
                s1 = s1 - v12;
                s1 = j + 1 < __ldg(N + 25 + n0 + 2) ? s1 - v13 : s1;
                s1 = j + 2 < __ldg(N + 25 + n0 + 2) ? s1 - v14 : s1;
                s1 = j + 3 < __ldg(N + 25 + n0 + 2) ? s1 - v15 : s1;
            }
        }
        w[(a1 + __ldg(N + 22 + i)) * TILE] = s1;
    }
}

static __device__ __noinline__ void balance(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N, unsigned a3, unsigned a5) {
    const double v0 = w[at_rho * TILE];
    const double v1 = 1.0 / v0;
    for (unsigned i = 0; i < 3; ++i) {
        const double v2 = w[(at_wdot + i) * TILE];
        const double v3 = w[(at_source + i) * TILE];
        w[(a3 + i) * TILE] = fma(v2, v1, v3);
    }
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
    w[(a3 + 4) * TILE] = s0;
    const double v9 = s1 * 8.31446261815324;
    const double v10 = w[at_heating * TILE];
    const double v11 = (v10 - (s2 * 8.31446261815324)) / v9;
    w[(a3 + 3) * TILE] = v11;
    w[at_tdot * TILE] = v11;
    w[at_cmix * TILE] = v9;
}

static __device__ __noinline__ void jacobian_slots(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N, unsigned a27) {
    const double v0 = w[at_floor * TILE];
    state(w, R, N, at_y, v0);
    nasa9(w, R, N);
    const double v1 = w[at_temp * TILE];
    const double v2 = w[at_ln_t * TILE];
    const double v3 = w[at_inv_t * TILE];
    const int b0 = 10000.0 < v1;
    if (b0) {
        above_hold_2(w, R, N, v1, v3, v2, b0);
    }
    exponentials(w, R, N);
    third_bodies(w, R, N);
    arrhenius(w, R, N);
    activities(w, R, N);
    mass_action(w, R, N);
    const double v4 = w[at_inv_t * TILE];
    if (0.01 < v4) {
        cold_rates(w, R, N);
    }
    gather(w, R, N, at_progress, at_wdot);
    balance(w, R, N, a27, at_y);
}

static __device__ void few_products(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N) {
    for (unsigned i = 0; i < 4; ++i) {
        w[(at_jac + __ldg(N + 163 + i * 2)) * TILE] = 0.0;
    }
}

static __device__ void few_products_2(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N) {
    for (unsigned i = 0; i < 2; ++i) {
        const unsigned n0 = i * 4;
        const double v0 = w[(at_rates_or_lu + __ldg(N + 175 + n0)) * TILE];
        const double v1 = w[(at_act + __ldg(N + 175 + n0 + 1)) * TILE];
        const double v2 = w[(at_rates_or_lu + __ldg(N + 175 + n0 + 2)) * TILE];
        const double v3 = w[(at_act + __ldg(N + 175 + n0 + 3)) * TILE];
        const double v4 = w[(at_exp_plus + __ldg(N + 171 + (i * 2) + 1)) * TILE];
        w[(at_jac + __ldg(N + 171 + i * 2)) * TILE] = fma(v2, v3, v0 * v1) * v4;
    }
}

static __device__ void few_products_3(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N) {
    for (unsigned i = 0; i < 3; ++i) {
        const unsigned n0 = i * 8;
        const double v0 = w[(at_rates_or_lu + __ldg(N + 189 + n0)) * TILE];
        const double v1 = w[(at_act + __ldg(N + 189 + n0 + 1)) * TILE];
        const double v2 = w[(at_rates_or_lu + __ldg(N + 189 + n0 + 2)) * TILE];
        const double v3 = w[(at_act + __ldg(N + 189 + n0 + 3)) * TILE];
        const double v4 = w[(at_rates_or_lu + __ldg(N + 189 + n0 + 4)) * TILE];
        const double v5 = w[(at_act + __ldg(N + 189 + n0 + 5)) * TILE];
        const double v6 = w[(at_rates_or_lu + __ldg(N + 189 + n0 + 6)) * TILE];
        const double v7 = w[(at_act + __ldg(N + 189 + n0 + 7)) * TILE];
        const double v8 = w[(at_exp_plus + __ldg(N + 183 + (i * 2) + 1)) * TILE];
        w[(at_jac + __ldg(N + 183 + i * 2)) * TILE] = fma(v6, v7, fma(v4, v5, fma(v2, v3, v0 * v1))) * v8;
    }
}

static __device__ void few_products_4(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N) {
    for (unsigned i = 0; i < 1; ++i) {
        const unsigned n0 = i * 16;
        const double v0 = w[(at_rates_or_lu + __ldg(N + 215 + n0)) * TILE];
        const double v1 = w[(at_act + __ldg(N + 215 + n0 + 1)) * TILE];
        const double v2 = w[(at_rates_or_lu + __ldg(N + 215 + n0 + 2)) * TILE];
        const double v3 = w[(at_act + __ldg(N + 215 + n0 + 3)) * TILE];
        const double v4 = w[(at_rates_or_lu + __ldg(N + 215 + n0 + 4)) * TILE];
        const double v5 = w[(at_act + __ldg(N + 215 + n0 + 5)) * TILE];
        const double v6 = w[(at_rates_or_lu + __ldg(N + 215 + n0 + 6)) * TILE];
        const double v7 = w[(at_act + __ldg(N + 215 + n0 + 7)) * TILE];
        const double v8 = w[(at_rates_or_lu + __ldg(N + 215 + n0 + 8)) * TILE];
        const double v9 = w[(at_act + __ldg(N + 215 + n0 + 9)) * TILE];
        const double v10 = w[(at_rates_or_lu + __ldg(N + 215 + n0 + 10)) * TILE];
        const double v11 = w[(at_act + __ldg(N + 215 + n0 + 11)) * TILE];
        const double v12 = fma(v10, v11, fma(v8, v9, fma(v6, v7, fma(v4, v5, fma(v2, v3, v0 * v1)))));
        const double v13 = w[(at_rates_or_lu + __ldg(N + 215 + n0 + 12)) * TILE];
        const double v14 = w[(at_act + __ldg(N + 215 + n0 + 13)) * TILE];
        const double v15 = w[(at_rates_or_lu + __ldg(N + 215 + n0 + 14)) * TILE];
        const double v16 = w[(at_act + __ldg(N + 215 + n0 + 15)) * TILE];
        const double v17 = w[(at_exp_plus + __ldg(N + 213 + (i * 2) + 1)) * TILE];
        w[(at_jac + __ldg(N + 213 + i * 2)) * TILE] = fma(v15, v16, fma(v13, v14, v12)) * v17;
    }
}

static __device__ void gather_2(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N) {
    for (unsigned i = 0; i < 6; ++i) {
        const unsigned n0 = i * 3;
        const unsigned n1 = __ldg(N + 239 + n0 + 1);
        double s0 = 0.0;
        {
            unsigned j = __ldg(N + 239 + n0);
            for (; j + 3 < n1; j += 4) {
                const double v0 = w[(at_extra + __ldg(N + 257 + j)) * TILE];
                const double v1 = w[(at_extra + __ldg(N + 257 + j + 1)) * TILE];
                const double v2 = w[(at_extra + __ldg(N + 257 + j + 2)) * TILE];
                const double v3 = w[(at_extra + __ldg(N + 257 + j + 3)) * TILE];
                s0 = s0 + v0;
                s0 = s0 + v1;
                s0 = s0 + v2;
                s0 = s0 + v3;
            }
            for (; j < n1; j += 4) {
                const double v4 = w[(at_extra + __ldg(N + 257 + j)) * TILE];
                const unsigned j_1 = j + 1 < n1 ? j + 1 : j;
                const double v5 = w[(at_extra + __ldg(N + 257 + j_1)) * TILE];
                const unsigned j_2 = j + 2 < n1 ? j + 2 : j;
                const double v6 = w[(at_extra + __ldg(N + 257 + j_2)) * TILE];
                const unsigned j_3 = j + 3 < n1 ? j + 3 : j;
                const double v7 = w[(at_extra + __ldg(N + 257 + j_3)) * TILE];
                s0 = s0 + v4;
                s0 = j + 1 < n1 ? s0 + v5 : s0;
                s0 = j + 2 < n1 ? s0 + v6 : s0;
                s0 = j + 3 < n1 ? s0 + v7 : s0;
            }
        }
        double s1 = s0;
        {
            unsigned j = n1;
            for (; j + 3 < __ldg(N + 239 + n0 + 2); j += 4) {
                const double v8 = w[(at_extra + __ldg(N + 257 + j)) * TILE];
                const double v9 = w[(at_extra + __ldg(N + 257 + j + 1)) * TILE];
                const double v10 = w[(at_extra + __ldg(N + 257 + j + 2)) * TILE];
                const double v11 = w[(at_extra + __ldg(N + 257 + j + 3)) * TILE];
                s1 = s1 - v8;
                s1 = s1 - v9;
                s1 = s1 - v10;
                s1 = s1 - v11;
            }
            for (; j < __ldg(N + 239 + n0 + 2); j += 4) {
                const double v12 = w[(at_extra + __ldg(N + 257 + j)) * TILE];
                const unsigned j_1 = j + 1 < __ldg(N + 239 + n0 + 2) ? j + 1 : j;
                const double v13 = w[(at_extra + __ldg(N + 257 + j_1)) * TILE];
                const unsigned j_2 = j + 2 < __ldg(N + 239 + n0 + 2) ? j + 2 : j;
                const double v14 = w[(at_extra + __ldg(N + 257 + j_2)) * TILE];
                const unsigned j_3 = j + 3 < __ldg(N + 239 + n0 + 2) ? j + 3 : j;
                const double v15 = w[(at_extra + __ldg(N + 257 + j_3)) * TILE];
                s1 = s1 - v12;
                s1 = j + 1 < __ldg(N + 239 + n0 + 2) ? s1 - v13 : s1;
                s1 = j + 2 < __ldg(N + 239 + n0 + 2) ? s1 - v14 : s1;
                s1 = j + 3 < __ldg(N + 239 + n0 + 2) ? s1 - v15 : s1;
            }
        }
        w[(at_jac_third + __ldg(N + 233 + i)) * TILE] = s1;
    }
}

static __device__ void spread(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N) {
    for (unsigned i = 0; i < 6; ++i) {
        const unsigned n0 = __ldg(N + 266 + i);
        const double v0 = w[(at_jac + n0) * TILE];
        double s0 = v0;
        {
            unsigned j = __ldg(N + 272 + i);
            for (; j + 3 < __ldg(N + 272 + i + 1); j += 4) {
                const double v1 = w[(at_jac_third + __ldg(N + 279 + j)) * TILE];
                const double v2 = w[(at_jac_third + __ldg(N + 279 + j + 1)) * TILE];
                const double v3 = w[(at_jac_third + __ldg(N + 279 + j + 2)) * TILE];
                const double v4 = w[(at_jac_third + __ldg(N + 279 + j + 3)) * TILE];
                s0 = fma(__ldg(R + 52 + j), v1, s0);
                s0 = fma(__ldg(R + 52 + j + 1), v2, s0);
                s0 = fma(__ldg(R + 52 + j + 2), v3, s0);
                s0 = fma(__ldg(R + 52 + j + 3), v4, s0);
            }
            for (; j < __ldg(N + 272 + i + 1); j += 4) {
                const double v5 = w[(at_jac_third + __ldg(N + 279 + j)) * TILE];
                const unsigned j_1 = j + 1 < __ldg(N + 272 + i + 1) ? j + 1 : j;
                const double v6 = w[(at_jac_third + __ldg(N + 279 + j_1)) * TILE];
                const unsigned j_2 = j + 2 < __ldg(N + 272 + i + 1) ? j + 2 : j;
                const double v7 = w[(at_jac_third + __ldg(N + 279 + j_2)) * TILE];
                const unsigned j_3 = j + 3 < __ldg(N + 272 + i + 1) ? j + 3 : j;
                const double v8 = w[(at_jac_third + __ldg(N + 279 + j_3)) * TILE];
                s0 = fma(__ldg(R + 52 + j), v5, s0);
                s0 = j + 1 < __ldg(N + 272 + i + 1) ? fma(__ldg(R + 52 + j_1), v6, s0) : s0;
                s0 = j + 2 < __ldg(N + 272 + i + 1) ? fma(__ldg(R + 52 + j_2), v7, s0) : s0;
                s0 = j + 3 < __ldg(N + 272 + i + 1) ? fma(__ldg(R + 52 + j_3), v8, s0) : s0;
            }
        }
        w[(at_jac + n0) * TILE] = s0;
    }
}

static __device__ void gather_3(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N) {
    for (unsigned i = 0; i < 3; ++i) {
        w[(at_wdot_ctot + __ldg(N + 288 + i)) * TILE] = 0.0;
    }
}

static __device__ void spread_2(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N) {
    for (unsigned i = 0; i < 2; ++i) {
        const unsigned n0 = __ldg(N + 301 + i);
        const double v0 = w[(at_wdot_ctot + n0) * TILE];
        double s0 = v0;
        {
            unsigned j = __ldg(N + 303 + i);
            for (; j + 3 < __ldg(N + 303 + i + 1); j += 4) {
                const double v1 = w[(at_jac_third + __ldg(N + 306 + j)) * TILE];
                const double v2 = w[(at_jac_third + __ldg(N + 306 + j + 1)) * TILE];
                const double v3 = w[(at_jac_third + __ldg(N + 306 + j + 2)) * TILE];
                const double v4 = w[(at_jac_third + __ldg(N + 306 + j + 3)) * TILE];
                s0 = fma(__ldg(R + 61 + j), v1, s0);
                s0 = fma(__ldg(R + 61 + j + 1), v2, s0);
                s0 = fma(__ldg(R + 61 + j + 2), v3, s0);
                s0 = fma(__ldg(R + 61 + j + 3), v4, s0);
            }
            for (; j < __ldg(N + 303 + i + 1); j += 4) {
                const double v5 = w[(at_jac_third + __ldg(N + 306 + j)) * TILE];
                const unsigned j_1 = j + 1 < __ldg(N + 303 + i + 1) ? j + 1 : j;
                const double v6 = w[(at_jac_third + __ldg(N + 306 + j_1)) * TILE];
                const unsigned j_2 = j + 2 < __ldg(N + 303 + i + 1) ? j + 2 : j;
                const double v7 = w[(at_jac_third + __ldg(N + 306 + j_2)) * TILE];
                const unsigned j_3 = j + 3 < __ldg(N + 303 + i + 1) ? j + 3 : j;
                const double v8 = w[(at_jac_third + __ldg(N + 306 + j_3)) * TILE];
                s0 = fma(__ldg(R + 61 + j), v5, s0);
                s0 = j + 1 < __ldg(N + 303 + i + 1) ? fma(__ldg(R + 61 + j_1), v6, s0) : s0;
                s0 = j + 2 < __ldg(N + 303 + i + 1) ? fma(__ldg(R + 61 + j_2), v7, s0) : s0;
                s0 = j + 3 < __ldg(N + 303 + i + 1) ? fma(__ldg(R + 61 + j_3), v8, s0) : s0;
            }
        }
        w[(at_wdot_ctot + n0) * TILE] = s0;
    }
}

static __device__ __noinline__ void jacobian_entries(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N) {
    few_products(w, R, N);
    few_products_2(w, R, N);
    few_products_3(w, R, N);
    few_products_4(w, R, N);
    gather_2(w, R, N);
    spread(w, R, N);
    gather(w, R, N, at_progress_t, at_wdot_t);
    gather_3(w, R, N);
    spread_2(w, R, N);
}

static __device__ __noinline__ void forget_absent(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N, unsigned a1, double p0, double p1) {
    for (unsigned i = __ldg(N + 320); i < __ldg(N + 323); ++i) {
        const unsigned n0 = __ldg(N + 324 + i * 2);
        const unsigned n1 = __ldg(N + 324 + (i * 2) + 1);
        const double v0 = w[(at_y + n1) * TILE];
        const double v1 = w[(a1 + n1) * TILE];
        const double v2 = w[(at_owing + n1) * TILE];
        const int b0 = (0.0 < (v2 * p0)) && ((v0 < 0.0) || ((v0 <= 0.0) && (v1 <= 0.0)));
        const double v3 = w[(at_jac + n0) * TILE];
        w[(at_jac + n0) * TILE] = ((v0 < p1) || b0) ? 0.0 : v3;
    }
    for (unsigned i = 0; i < 3; ++i) {
        const unsigned n2 = __ldg(N + 308 + (i * 4) + 3);
        const double v4 = w[(at_y + i) * TILE];
        const double v5 = w[(a1 + i) * TILE];
        const double v6 = w[(at_owing + i) * TILE];
        const int b1 = (0.0 < (v6 * p0)) && ((v4 < 0.0) || ((v4 <= 0.0) && (v5 <= 0.0)));
        const double v7 = w[(at_jac + n2) * TILE];
        w[(at_jac + n2) * TILE] = ((v4 < p1) || b1) ? 0.0 : v7;
    }
}

static __device__ __noinline__ void jacobian_borders(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N, unsigned a14) {
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
    for (unsigned i = 0; i < 3; ++i) {
        const double v10 = w[(at_cp + i) * TILE];
        w[(at_heat + i) * TILE] = (v10 - 0.0) * v7;
    }
    for (unsigned i = 0; i < 3; ++i) {
        const double v11 = w[(at_enthalpy + i) * TILE];
        const double v12 = fma(v11 - 0.0, v0, __ldg(R + 30 + i));
        const double v13 = w[(at_wdot + i) * TILE];
        double s0 = -(v13 * v5);
        for (unsigned j = __ldg(N + 320 + i); j < __ldg(N + 320 + i + 1); ++j) {
            const double v14 = w[(at_jac + __ldg(N + 324 + j * 2)) * TILE];
            const unsigned n0 = __ldg(N + 324 + (j * 2) + 1);
            const double v15 = w[(at_heat + n0) * TILE];
            w[(at_heat + n0) * TILE] = fma(v12, v14, v15);
            const double v16 = w[(at_y + n0) * TILE];
            s0 = fma(v14, v16, s0);
        }
        w[(at_jac + __ldg(N + 308 + (i * 4) + 1)) * TILE] = s0;
    }
    for (unsigned i = 0; i < 3; ++i) {
        const double v17 = w[(at_jac + __ldg(N + 308 + (i * 4) + 1)) * TILE];
        w[(at_jac + __ldg(N + 308 + (i * 4) + 1)) * TILE] = -(v17 * v6);
        const double v18 = w[(at_wdot_t + i) * TILE];
        const double v19 = w[(at_wdot_ctot + i) * TILE];
        w[(at_jac + __ldg(N + 308 + i * 4)) * TILE] = ((v18 - ((v3 * v1) * v19)) * v5) - (v17 * v1);
        const double v20 = w[(at_heat + i) * TILE];
        w[(at_jac + __ldg(N + 308 + (i * 4) + 2)) * TILE] = v20 * v9;
    }
    double s1 = 0.0;
    double s2 = 0.0;
    double s3 = 0.0;
    double s4 = 0.0;
    double s5 = 0.0;
    double s6 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const double v21 = w[(at_jac + __ldg(N + 308 + i * 4)) * TILE];
        const double v22 = w[(at_jac + __ldg(N + 308 + (i * 4) + 1)) * TILE];
        const double v23 = w[(at_enthalpy + i) * TILE];
        const double v24 = fma(v23 - 0.0, v0, __ldg(R + 30 + i));
        const double v25 = w[(at_cp + i) * TILE];
        const double v26 = w[(a14 + i) * TILE];
        const double v27 = w[(at_y + i) * TILE];
        const double v28 = w[(at_dcp + i) * TILE];
        const double next_s1 = s1 + v21;
        const double next_s2 = s2 + v22;
        const double next_s3 = fma(v24, v21, s3);
        const double next_s4 = fma(v24, v22, s4);
        const double next_s5 = fma(v25 - 0.0, v26, s5);
        const double next_s6 = fma(v27, v28, s6);
        s1 = next_s1;
        s2 = next_s2;
        s3 = next_s3;
        s4 = next_s4;
        s5 = next_s5;
        s6 = next_s6;
    }
    w[(at_jac + 21) * TILE] = s1;
    w[(at_jac + 22) * TILE] = s2;
    w[(at_jac + 16) * TILE] = fma(s6, v7, s3 + s5) * v9;
    w[(at_jac + 17) * TILE] = s4 * v9;
}

static __device__ void diagonal(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N) {
    {
        unsigned i = 0;
        for (; i + 3 < 5; i += 4) {
            const double v0 = w[(at_jac + __ldg(N + 135 + i)) * TILE];
            const double v1 = w[(at_jac + __ldg(N + 135 + i + 1)) * TILE];
            const double v2 = w[(at_jac + __ldg(N + 135 + i + 2)) * TILE];
            const double v3 = w[(at_jac + __ldg(N + 135 + i + 3)) * TILE];
            w[(at_error + __ldg(N + 124 + i)) * TILE] = v0;
            w[(at_error + __ldg(N + 124 + i + 1)) * TILE] = v1;
            w[(at_error + __ldg(N + 124 + i + 2)) * TILE] = v2;
            w[(at_error + __ldg(N + 124 + i + 3)) * TILE] = v3;
        }
        for (; i < 5; ++i) {
            const double v4 = w[(at_jac + __ldg(N + 135 + i)) * TILE];
            w[(at_error + __ldg(N + 124 + i)) * TILE] = v4;
        }
    }
}

static __device__ void shorten_first(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N, int p0) {
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
    w[at_h * TILE] = (p0 && (v6 < v0)) ? v6 : v0;
}

static __device__ void forgive(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N, double p0, double p1) {
    double s0 = 0.0;
    {
        unsigned i = 0;
        for (; i + 3 < 3; i += 4) {
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
            s0 = s0 + (b0 ? (-v0) : 0.0);
            s0 = s0 + (b1 ? (-v2) : 0.0);
            s0 = s0 + (b2 ? (-v4) : 0.0);
            s0 = s0 + (b3 ? (-v6) : 0.0);
        }
        for (; i < 3; i += 4) {
            const unsigned n4 = __ldg(N + 338 + i);
            const double v8 = w[(at_y + n4) * TILE];
            const double v9 = w[(at_f + n4) * TILE];
            const int b4 = ((v8 < 0.0) && ((-v8) < (__ldg(R + 63 + i) * p0))) && ((-v8) < (v9 * p1));
            const unsigned i_1 = i + 1 < 3 ? i + 1 : i;
            const unsigned n5 = __ldg(N + 338 + i_1);
            const double v10 = w[(at_y + n5) * TILE];
            const double v11 = w[(at_f + n5) * TILE];
            const int b5 = ((v10 < 0.0) && ((-v10) < (__ldg(R + 63 + i_1) * p0))) && ((-v10) < (v11 * p1));
            const unsigned i_2 = i + 2 < 3 ? i + 2 : i;
            const unsigned n6 = __ldg(N + 338 + i_2);
            const double v12 = w[(at_y + n6) * TILE];
            const double v13 = w[(at_f + n6) * TILE];
            const int b6 = ((v12 < 0.0) && ((-v12) < (__ldg(R + 63 + i_2) * p0))) && ((-v12) < (v13 * p1));
            const unsigned i_3 = i + 3 < 3 ? i + 3 : i;
            const unsigned n7 = __ldg(N + 338 + i_3);
            const double v14 = w[(at_y + n7) * TILE];
            const double v15 = w[(at_f + n7) * TILE];
            const int b7 = ((v14 < 0.0) && ((-v14) < (__ldg(R + 63 + i_3) * p0))) && ((-v14) < (v15 * p1));
            s0 = s0 + (b4 ? (-v8) : 0.0);
            s0 = i + 1 < 3 ? s0 + (b5 ? (-v10) : 0.0) : s0;
            s0 = i + 2 < 3 ? s0 + (b6 ? (-v12) : 0.0) : s0;
            s0 = i + 3 < 3 ? s0 + (b7 ? (-v14) : 0.0) : s0;
        }
    }
    for (unsigned i = 0; i < 3; ++i) {
        const unsigned n8 = __ldg(N + 338 + i);
        const double v16 = w[(at_y + n8) * TILE];
        const unsigned n9 = __ldg(N + 338 + i);
        const double v17 = w[(at_y + n9) * TILE];
        const double v18 = w[(at_f + n9) * TILE];
        const int b8 = ((v17 < 0.0) && ((-v17) < (__ldg(R + 63 + i) * p0))) && ((-v17) < (v18 * p1));
        w[(at_y + n8) * TILE] = v16 + (b8 ? (-v17) : 0.0);
    }
    const double v19 = w[(at_y + 4) * TILE];
    w[(at_y + 4) * TILE] = v19 + s0;
}

static __device__ __noinline__ void factor(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N, double p0) {
    for (unsigned i = 0; i < 5; ++i) {
        const unsigned n0 = __ldg(N + 129 + i);
        const unsigned n1 = __ldg(N + 129 + i + 1);
        const unsigned n2 = __ldg(N + 135 + i);
        {
            unsigned j = n0;
            for (; j + 3 < n1; j += 4) {
                const double v0 = w[(at_jac + j) * TILE];
                const double v1 = w[(at_jac + j + 1) * TILE];
                const double v2 = w[(at_jac + j + 2) * TILE];
                const double v3 = w[(at_jac + j + 3) * TILE];
                w[(at_x + __ldg(N + 140 + j)) * TILE] = -v0;
                w[(at_x + __ldg(N + 140 + j + 1)) * TILE] = -v1;
                w[(at_x + __ldg(N + 140 + j + 2)) * TILE] = -v2;
                w[(at_x + __ldg(N + 140 + j + 3)) * TILE] = -v3;
            }
            for (; j < n1; ++j) {
                const double v4 = w[(at_jac + j) * TILE];
                w[(at_x + __ldg(N + 140 + j)) * TILE] = -v4;
            }
        }
        const double v5 = w[(at_x + i) * TILE];
        w[(at_x + i) * TILE] = v5 + p0;
        for (unsigned j = n0; j < n2; ++j) {
            const unsigned n3 = __ldg(N + 140 + j);
            const double v6 = w[(at_x + n3) * TILE];
            const double v7 = w[(at_inverse + n3) * TILE];
            const double v8 = v6 * v7;
            w[(at_jac + j) * TILE] = v8;
            const double v9 = -v8;
            {
                unsigned k = __ldg(N + 135 + n3) + 1;
                for (; k + 3 < __ldg(N + 129 + n3 + 1); k += 4) {
                    const unsigned n4 = __ldg(N + 140 + k);
                    const double v10 = w[(at_jac + k) * TILE];
                    const double v11 = w[(at_x + n4) * TILE];
                    const unsigned n5 = __ldg(N + 140 + k + 1);
                    const double v12 = w[(at_jac + k + 1) * TILE];
                    const double v13 = w[(at_x + n5) * TILE];
                    const unsigned n6 = __ldg(N + 140 + k + 2);
                    const double v14 = w[(at_jac + k + 2) * TILE];
                    const double v15 = w[(at_x + n6) * TILE];
                    const unsigned n7 = __ldg(N + 140 + k + 3);
                    const double v16 = w[(at_jac + k + 3) * TILE];
                    const double v17 = w[(at_x + n7) * TILE];
                    w[(at_x + n4) * TILE] = fma(v9, v10, v11);
                    w[(at_x + n5) * TILE] = fma(v9, v12, v13);
                    w[(at_x + n6) * TILE] = fma(v9, v14, v15);
                    w[(at_x + n7) * TILE] = fma(v9, v16, v17);
                }
                for (; k < __ldg(N + 129 + n3 + 1); ++k) {
                    const unsigned n8 = __ldg(N + 140 + k);
                    const double v18 = w[(at_jac + k) * TILE];
                    const double v19 = w[(at_x + n8) * TILE];
                    w[(at_x + n8) * TILE] = fma(v9, v18, v19);
                }
            }
        }
        {
            unsigned j = n2;
            for (; j + 3 < n1; j += 4) {
                const double v20 = w[(at_x + __ldg(N + 140 + j)) * TILE];
                const double v21 = w[(at_x + __ldg(N + 140 + j + 1)) * TILE];
                const double v22 = w[(at_x + __ldg(N + 140 + j + 2)) * TILE];
                const double v23 = w[(at_x + __ldg(N + 140 + j + 3)) * TILE];
                w[(at_jac + j) * TILE] = v20;
                w[(at_jac + j + 1) * TILE] = v21;
                w[(at_jac + j + 2) * TILE] = v22;
                w[(at_jac + j + 3) * TILE] = v23;
            }
            for (; j < n1; ++j) {
                const double v24 = w[(at_x + __ldg(N + 140 + j)) * TILE];
                w[(at_jac + j) * TILE] = v24;
            }
        }
        const double v25 = w[(at_x + i) * TILE];
        w[(at_inverse + i) * TILE] = 1.0 / v25;
    }
}

static __device__ __noinline__ void growth_in_place(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N, unsigned a4, double p0, double p1) {
    for (unsigned i = 0; i < 3; ++i) {
        double s0 = 0.0;
        for (unsigned j = __ldg(N + 129 + i); j < __ldg(N + 135 + i); ++j) {
            const double v0 = w[(at_jac + j) * TILE];
            s0 = larger(fabs(v0), s0);
        }
        double s1 = 0.0;
        {
            unsigned j = __ldg(N + 102 + i);
            for (; j + 3 < __ldg(N + 102 + i + 1); j += 4) {
                const double v1 = w[(at_jac + __ldg(N + 108 + (j * 2) + 1)) * TILE];
                const double v2 = w[(at_x + __ldg(N + 108 + j * 2)) * TILE];
                const double v3 = w[(at_jac + __ldg(N + 108 + ((j + 1) * 2) + 1)) * TILE];
                const double v4 = w[(at_x + __ldg(N + 108 + (j + 1) * 2)) * TILE];
                const double v5 = w[(at_jac + __ldg(N + 108 + ((j + 2) * 2) + 1)) * TILE];
                const double v6 = w[(at_x + __ldg(N + 108 + (j + 2) * 2)) * TILE];
                const double v7 = w[(at_jac + __ldg(N + 108 + ((j + 3) * 2) + 1)) * TILE];
                const double v8 = w[(at_x + __ldg(N + 108 + (j + 3) * 2)) * TILE];
                s1 = larger(fabs(v1) * (1.1102230246251565e-12 + v2), s1);
                s1 = larger(fabs(v3) * (1.1102230246251565e-12 + v4), s1);
                s1 = larger(fabs(v5) * (1.1102230246251565e-12 + v6), s1);
                s1 = larger(fabs(v7) * (1.1102230246251565e-12 + v8), s1);
            }
            for (; j < __ldg(N + 102 + i + 1); j += 4) {
                const double v9 = w[(at_jac + __ldg(N + 108 + (j * 2) + 1)) * TILE];
                const double v10 = w[(at_x + __ldg(N + 108 + j * 2)) * TILE];
                const unsigned j_1 = j + 1 < __ldg(N + 102 + i + 1) ? j + 1 : j;
                const double v11 = w[(at_jac + __ldg(N + 108 + (j_1 * 2) + 1)) * TILE];
                const double v12 = w[(at_x + __ldg(N + 108 + j_1 * 2)) * TILE];
                const unsigned j_2 = j + 2 < __ldg(N + 102 + i + 1) ? j + 2 : j;
                const double v13 = w[(at_jac + __ldg(N + 108 + (j_2 * 2) + 1)) * TILE];
                const double v14 = w[(at_x + __ldg(N + 108 + j_2 * 2)) * TILE];
                const unsigned j_3 = j + 3 < __ldg(N + 102 + i + 1) ? j + 3 : j;
                const double v15 = w[(at_jac + __ldg(N + 108 + (j_3 * 2) + 1)) * TILE];
                const double v16 = w[(at_x + __ldg(N + 108 + j_3 * 2)) * TILE];
                s1 = larger(fabs(v9) * (1.1102230246251565e-12 + v10), s1);
                s1 = j + 1 < __ldg(N + 102 + i + 1) ? larger(fabs(v11) * (1.1102230246251565e-12 + v12), s1) : s1;
                s1 = j + 2 < __ldg(N + 102 + i + 1) ? larger(fabs(v13) * (1.1102230246251565e-12 + v14), s1) : s1;
                s1 = j + 3 < __ldg(N + 102 + i + 1) ? larger(fabs(v15) * (1.1102230246251565e-12 + v16), s1) : s1;
            }
        }
        const double v17 = w[(at_inverse + i) * TILE];
        const double v18 = smaller(larger((s0 * s1) * fabs(v17), 1.1102230246251565e-12), 1e35);
        w[(at_x + i) * TILE] = v18;
    }
    double s2 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const double v19 = w[(at_inverse + i) * TILE];
        const double v20 = w[(at_x + i) * TILE];
        const int b0 = (v19 < 0.0) && (((fabs(v19) * 1.1102230246251565e-12) < p0) || (v20 < 1.0));
        s2 = b0 ? 1.0 : s2;
    }
    double s3 = s2;
    for (unsigned i = 3; i < 5; ++i) {
        const double v21 = w[(at_inverse + i) * TILE];
        const double v22 = ((v21 < 0.0) && ((fabs(v21) * 1.1102230246251565e-9) < p0)) ? 1.0 : s3;
        s3 = v22;
    }
    const double v23 = (0.0 < s3) ? 1.0 : 0.0;
    w[at_grows * TILE] = v23;
    const double v24 = w[(a4 + 3) * TILE];
    const double v25 = w[(at_y + 3) * TILE];
    double s4 = 0.0;
    for (unsigned i = 0; i < 5; ++i) {
        const double v26 = w[(a4 + __ldg(N + 124 + i)) * TILE];
        double s5 = fabs(v26);
        {
            unsigned j = __ldg(N + 129 + i);
            for (; j + 3 < __ldg(N + 129 + i + 1); j += 4) {
                const double v27 = w[(at_jac + j) * TILE];
                const double v28 = w[(at_y + __ldg(N + 124 + __ldg(N + 140 + j))) * TILE];
                const double v29 = w[(at_jac + j + 1) * TILE];
                const double v30 = w[(at_y + __ldg(N + 124 + __ldg(N + 140 + j + 1))) * TILE];
                const double v31 = w[(at_jac + j + 2) * TILE];
                const double v32 = w[(at_y + __ldg(N + 124 + __ldg(N + 140 + j + 2))) * TILE];
                const double v33 = w[(at_jac + j + 3) * TILE];
                const double v34 = w[(at_y + __ldg(N + 124 + __ldg(N + 140 + j + 3))) * TILE];
                s5 = (fabs(v28) <= 0.0) ? s5 : larger(fabs(v27), s5);
                s5 = (fabs(v30) <= 0.0) ? s5 : larger(fabs(v29), s5);
                s5 = (fabs(v32) <= 0.0) ? s5 : larger(fabs(v31), s5);
                s5 = (fabs(v34) <= 0.0) ? s5 : larger(fabs(v33), s5);
            }
            for (; j < __ldg(N + 129 + i + 1); j += 4) {
                const double v35 = w[(at_jac + j) * TILE];
                const double v36 = w[(at_y + __ldg(N + 124 + __ldg(N + 140 + j))) * TILE];
                const unsigned j_1 = j + 1 < __ldg(N + 129 + i + 1) ? j + 1 : j;
                const double v37 = w[(at_jac + j_1) * TILE];
                const double v38 = w[(at_y + __ldg(N + 124 + __ldg(N + 140 + j_1))) * TILE];
                const unsigned j_2 = j + 2 < __ldg(N + 129 + i + 1) ? j + 2 : j;
                const double v39 = w[(at_jac + j_2) * TILE];
                const double v40 = w[(at_y + __ldg(N + 124 + __ldg(N + 140 + j_2))) * TILE];
                const unsigned j_3 = j + 3 < __ldg(N + 129 + i + 1) ? j + 3 : j;
                const double v41 = w[(at_jac + j_3) * TILE];
                const double v42 = w[(at_y + __ldg(N + 124 + __ldg(N + 140 + j_3))) * TILE];
                s5 = (fabs(v36) <= 0.0) ? s5 : larger(fabs(v35), s5);
                s5 = j + 1 < __ldg(N + 129 + i + 1) ? (fabs(v38) <= 0.0) ? s5 : larger(fabs(v37), s5) : s5;
                s5 = j + 2 < __ldg(N + 129 + i + 1) ? (fabs(v40) <= 0.0) ? s5 : larger(fabs(v39), s5) : s5;
                s5 = j + 3 < __ldg(N + 129 + i + 1) ? (fabs(v42) <= 0.0) ? s5 : larger(fabs(v41), s5) : s5;
            }
        }
        const double v43 = w[(at_y + __ldg(N + 124 + i)) * TILE];
        s4 = (fabs(v43) <= 0.0) ? larger(s5, s4) : s4;
    }
    double s6 = 0.0;
    {
        unsigned i = 0;
        for (; i + 3 < 3; i += 4) {
            const double v44 = w[(at_inverse + i) * TILE];
            const double v45 = w[(at_x + i) * TILE];
            const int b1 = (v44 < 0.0) && (((fabs(v44) * 1.1102230246251565e-12) < p0) || (v45 < 1.0));
            const double v46 = w[(at_y + __ldg(N + 124 + i)) * TILE];
            const double v47 = w[(at_inverse + i + 1) * TILE];
            const double v48 = w[(at_x + i + 1) * TILE];
            const int b2 = (v47 < 0.0) && (((fabs(v47) * 1.1102230246251565e-12) < p0) || (v48 < 1.0));
            const double v49 = w[(at_y + __ldg(N + 124 + i + 1)) * TILE];
            const double v50 = w[(at_inverse + i + 2) * TILE];
            const double v51 = w[(at_x + i + 2) * TILE];
            const int b3 = (v50 < 0.0) && (((fabs(v50) * 1.1102230246251565e-12) < p0) || (v51 < 1.0));
            const double v52 = w[(at_y + __ldg(N + 124 + i + 2)) * TILE];
            const double v53 = w[(at_inverse + i + 3) * TILE];
            const double v54 = w[(at_x + i + 3) * TILE];
            const int b4 = (v53 < 0.0) && (((fabs(v53) * 1.1102230246251565e-12) < p0) || (v54 < 1.0));
            const double v55 = w[(at_y + __ldg(N + 124 + i + 3)) * TILE];
            s6 = (b1 && (!(fabs(v46) <= 0.0))) ? 1.0 : s6;
            s6 = (b2 && (!(fabs(v49) <= 0.0))) ? 1.0 : s6;
            s6 = (b3 && (!(fabs(v52) <= 0.0))) ? 1.0 : s6;
            s6 = (b4 && (!(fabs(v55) <= 0.0))) ? 1.0 : s6;
        }
        for (; i < 3; i += 4) {
            const double v56 = w[(at_inverse + i) * TILE];
            const double v57 = w[(at_x + i) * TILE];
            const int b5 = (v56 < 0.0) && (((fabs(v56) * 1.1102230246251565e-12) < p0) || (v57 < 1.0));
            const double v58 = w[(at_y + __ldg(N + 124 + i)) * TILE];
            const unsigned i_1 = i + 1 < 3 ? i + 1 : i;
            const double v59 = w[(at_inverse + i_1) * TILE];
            const double v60 = w[(at_x + i_1) * TILE];
            const int b6 = (v59 < 0.0) && (((fabs(v59) * 1.1102230246251565e-12) < p0) || (v60 < 1.0));
            const double v61 = w[(at_y + __ldg(N + 124 + i_1)) * TILE];
            const unsigned i_2 = i + 2 < 3 ? i + 2 : i;
            const double v62 = w[(at_inverse + i_2) * TILE];
            const double v63 = w[(at_x + i_2) * TILE];
            const int b7 = (v62 < 0.0) && (((fabs(v62) * 1.1102230246251565e-12) < p0) || (v63 < 1.0));
            const double v64 = w[(at_y + __ldg(N + 124 + i_2)) * TILE];
            const unsigned i_3 = i + 3 < 3 ? i + 3 : i;
            const double v65 = w[(at_inverse + i_3) * TILE];
            const double v66 = w[(at_x + i_3) * TILE];
            const int b8 = (v65 < 0.0) && (((fabs(v65) * 1.1102230246251565e-12) < p0) || (v66 < 1.0));
            const double v67 = w[(at_y + __ldg(N + 124 + i_3)) * TILE];
            s6 = (b5 && (!(fabs(v58) <= 0.0))) ? 1.0 : s6;
            s6 = i + 1 < 3 ? (b6 && (!(fabs(v61) <= 0.0))) ? 1.0 : s6 : s6;
            s6 = i + 2 < 3 ? (b7 && (!(fabs(v64) <= 0.0))) ? 1.0 : s6 : s6;
            s6 = i + 3 < 3 ? (b8 && (!(fabs(v67) <= 0.0))) ? 1.0 : s6 : s6;
        }
    }
    double s7 = s6;
    {
        unsigned i = 3;
        for (; i + 3 < 5; i += 4) {
            const double v68 = w[(at_inverse + i) * TILE];
            const double v69 = w[(at_y + __ldg(N + 124 + i)) * TILE];
            const int b9 = ((v68 < 0.0) && ((fabs(v68) * 1.1102230246251565e-9) < p0)) && (!(fabs(v69) <= 0.0));
            const double v70 = w[(at_inverse + i + 1) * TILE];
            const double v71 = w[(at_y + __ldg(N + 124 + i + 1)) * TILE];
            const int b10 = ((v70 < 0.0) && ((fabs(v70) * 1.1102230246251565e-9) < p0)) && (!(fabs(v71) <= 0.0));
            const double v72 = w[(at_inverse + i + 2) * TILE];
            const double v73 = w[(at_y + __ldg(N + 124 + i + 2)) * TILE];
            const int b11 = ((v72 < 0.0) && ((fabs(v72) * 1.1102230246251565e-9) < p0)) && (!(fabs(v73) <= 0.0));
            const double v74 = w[(at_inverse + i + 3) * TILE];
            const double v75 = w[(at_y + __ldg(N + 124 + i + 3)) * TILE];
            const int b12 = ((v74 < 0.0) && ((fabs(v74) * 1.1102230246251565e-9) < p0)) && (!(fabs(v75) <= 0.0));
            s7 = b9 ? 1.0 : s7;
            s7 = b10 ? 1.0 : s7;
            s7 = b11 ? 1.0 : s7;
            s7 = b12 ? 1.0 : s7;
        }
        for (; i < 5; i += 4) {
            const double v76 = w[(at_inverse + i) * TILE];
            const double v77 = w[(at_y + __ldg(N + 124 + i)) * TILE];
            const int b13 = ((v76 < 0.0) && ((fabs(v76) * 1.1102230246251565e-9) < p0)) && (!(fabs(v77) <= 0.0));
            const unsigned i_1 = i + 1 < 5 ? i + 1 : i;
            const double v78 = w[(at_inverse + i_1) * TILE];
            const double v79 = w[(at_y + __ldg(N + 124 + i_1)) * TILE];
            const int b14 = ((v78 < 0.0) && ((fabs(v78) * 1.1102230246251565e-9) < p0)) && (!(fabs(v79) <= 0.0));
            const unsigned i_2 = i + 2 < 5 ? i + 2 : i;
            const double v80 = w[(at_inverse + i_2) * TILE];
            const double v81 = w[(at_y + __ldg(N + 124 + i_2)) * TILE];
            const int b15 = ((v80 < 0.0) && ((fabs(v80) * 1.1102230246251565e-9) < p0)) && (!(fabs(v81) <= 0.0));
            const unsigned i_3 = i + 3 < 5 ? i + 3 : i;
            const double v82 = w[(at_inverse + i_3) * TILE];
            const double v83 = w[(at_y + __ldg(N + 124 + i_3)) * TILE];
            const int b16 = ((v82 < 0.0) && ((fabs(v82) * 1.1102230246251565e-9) < p0)) && (!(fabs(v83) <= 0.0));
            s7 = b13 ? 1.0 : s7;
            s7 = i + 1 < 5 ? b14 ? 1.0 : s7 : s7;
            s7 = i + 2 < 5 ? b15 ? 1.0 : s7 : s7;
            s7 = i + 3 < 5 ? b16 ? 1.0 : s7 : s7;
        }
    }
    const double v84 = ((fabs(v24) <= ((v25 * p1) * 0.01)) && (s4 <= 0.0)) ? ((0.0 < s7) ? 1.0 : 0.0) : v23;
    w[at_grows * TILE] = v84;
}

static __device__ void first_stage(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N) {
    for (unsigned i = 0; i < 5; ++i) {
        const double v0 = w[(at_f + i) * TILE];
        w[(at_k1 + i) * TILE] = v0;
    }
}

static __device__ __noinline__ void solve(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N, unsigned a0) {
    for (unsigned i = 0; i < 5; ++i) {
        const double v0 = w[(a0 + __ldg(N + 124 + i)) * TILE];
        double s0 = v0;
        {
            unsigned j = __ldg(N + 129 + i);
            for (; j + 3 < __ldg(N + 135 + i); j += 4) {
                const double v1 = w[(at_jac + j) * TILE];
                const double v2 = w[(at_x + __ldg(N + 140 + j)) * TILE];
                const double v3 = w[(at_jac + j + 1) * TILE];
                const double v4 = w[(at_x + __ldg(N + 140 + j + 1)) * TILE];
                const double v5 = w[(at_jac + j + 2) * TILE];
                const double v6 = w[(at_x + __ldg(N + 140 + j + 2)) * TILE];
                const double v7 = w[(at_jac + j + 3) * TILE];
                const double v8 = w[(at_x + __ldg(N + 140 + j + 3)) * TILE];
                s0 = fma(-v1, v2, s0);
                s0 = fma(-v3, v4, s0);
                s0 = fma(-v5, v6, s0);
                s0 = fma(-v7, v8, s0);
            }
            for (; j < __ldg(N + 135 + i); j += 4) {
                const double v9 = w[(at_jac + j) * TILE];
                const double v10 = w[(at_x + __ldg(N + 140 + j)) * TILE];
                const unsigned j_1 = j + 1 < __ldg(N + 135 + i) ? j + 1 : j;
                const double v11 = w[(at_jac + j_1) * TILE];
                const double v12 = w[(at_x + __ldg(N + 140 + j_1)) * TILE];
                const unsigned j_2 = j + 2 < __ldg(N + 135 + i) ? j + 2 : j;
                const double v13 = w[(at_jac + j_2) * TILE];
                const double v14 = w[(at_x + __ldg(N + 140 + j_2)) * TILE];
                const unsigned j_3 = j + 3 < __ldg(N + 135 + i) ? j + 3 : j;
                const double v15 = w[(at_jac + j_3) * TILE];
                const double v16 = w[(at_x + __ldg(N + 140 + j_3)) * TILE];
                s0 = fma(-v9, v10, s0);
                s0 = j + 1 < __ldg(N + 135 + i) ? fma(-v11, v12, s0) : s0;
                s0 = j + 2 < __ldg(N + 135 + i) ? fma(-v13, v14, s0) : s0;
                s0 = j + 3 < __ldg(N + 135 + i) ? fma(-v15, v16, s0) : s0;
            }
        }
        w[(at_x + i) * TILE] = s0;
    }
    for (unsigned i = 0; i < 5; ++i) {
        const unsigned n0 = 4u - i;
        const double v17 = w[(at_x + n0) * TILE];
        double s1 = v17;
        {
            unsigned j = 23u - __ldg(N + 129 + n0 + 1);
            for (; j + 3 < (22u - __ldg(N + 135 + n0)); j += 4) {
                const unsigned n1 = 22u - j;
                const double v18 = w[(at_jac + n1) * TILE];
                const double v19 = w[(at_x + __ldg(N + 140 + n1)) * TILE];
                const unsigned n2 = 22u - (j + 1);
                const double v20 = w[(at_jac + n2) * TILE];
                const double v21 = w[(at_x + __ldg(N + 140 + n2)) * TILE];
                const unsigned n3 = 22u - (j + 2);
                const double v22 = w[(at_jac + n3) * TILE];
                const double v23 = w[(at_x + __ldg(N + 140 + n3)) * TILE];
                const unsigned n4 = 22u - (j + 3);
                const double v24 = w[(at_jac + n4) * TILE];
                const double v25 = w[(at_x + __ldg(N + 140 + n4)) * TILE];
                s1 = fma(-v18, v19, s1);
                s1 = fma(-v20, v21, s1);
                s1 = fma(-v22, v23, s1);
                s1 = fma(-v24, v25, s1);
            }
            for (; j < (22u - __ldg(N + 135 + n0)); j += 4) {
                const unsigned n5 = 22u - j;
                const double v26 = w[(at_jac + n5) * TILE];
                const double v27 = w[(at_x + __ldg(N + 140 + n5)) * TILE];
                const unsigned j_1 = j + 1 < (22u - __ldg(N + 135 + n0)) ? j + 1 : j;
                const unsigned n6 = 22u - j_1;
                const double v28 = w[(at_jac + n6) * TILE];
                const double v29 = w[(at_x + __ldg(N + 140 + n6)) * TILE];
                const unsigned j_2 = j + 2 < (22u - __ldg(N + 135 + n0)) ? j + 2 : j;
                const unsigned n7 = 22u - j_2;
                const double v30 = w[(at_jac + n7) * TILE];
                const double v31 = w[(at_x + __ldg(N + 140 + n7)) * TILE];
                const unsigned j_3 = j + 3 < (22u - __ldg(N + 135 + n0)) ? j + 3 : j;
                const unsigned n8 = 22u - j_3;
                const double v32 = w[(at_jac + n8) * TILE];
                const double v33 = w[(at_x + __ldg(N + 140 + n8)) * TILE];
                s1 = fma(-v26, v27, s1);
                s1 = j + 1 < (22u - __ldg(N + 135 + n0)) ? fma(-v28, v29, s1) : s1;
                s1 = j + 2 < (22u - __ldg(N + 135 + n0)) ? fma(-v30, v31, s1) : s1;
                s1 = j + 3 < (22u - __ldg(N + 135 + n0)) ? fma(-v32, v33, s1) : s1;
            }
        }
        const double v34 = w[(at_inverse + n0) * TILE];
        const double v35 = s1 * v34;
        w[(at_x + n0) * TILE] = v35;
        w[(a0 + __ldg(N + 124 + n0)) * TILE] = v35;
    }
}

static __device__ void add_stages(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N) {
    for (unsigned i = 0; i < 5; ++i) {
        const double v0 = w[(at_y + i) * TILE];
        const double v1 = w[(at_k1 + i) * TILE];
        w[(at_y1 + i) * TILE] = fma(0.585786437626905, v1, v0);
    }
}

static __device__ void arrhenius_2(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N) {
    const double v0 = w[at_ln_t * TILE];
    const double v1 = w[at_inv_t * TILE];
    w[at_rate_constant * TILE] = 1.0;
    w[(at_progress + 2) * TILE] = 0.0;
    for (unsigned i = 0; i < 2; ++i) {
        const double v2 = fma(__ldg(R + 33 + i * 2), v0, -(__ldg(R + 33 + (i * 2) + 1) * v1));
        w[(at_rate_constant + i + 1) * TILE] = exponential(v2);
    }
}

static __device__ void activities_2(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N) {
    for (unsigned i = 0; i < 3; ++i) {
        const double v0 = w[(at_conc + i) * TILE];
        const double v1 = w[(at_exp_plus + i) * TILE];
        w[(at_act + i) * TILE] = v0 * v1;
    }
}

static __device__ void mass_action_2(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N) {
    for (unsigned i = 0; i < 2; ++i) {
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
}

static __device__ void rhs(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N) {
    const double v0 = w[at_floor * TILE];
    state(w, R, N, at_y1, v0);
    nasa9(w, R, N);
    const double v1 = w[at_temp * TILE];
    const double v2 = w[at_ln_t * TILE];
    const double v3 = w[at_inv_t * TILE];
    const int b0 = 10000.0 < v1;
    if (b0) {
        above_hold(w, R, N, v1, v3, v2, b0);
    }
    exponentials(w, R, N);
    third_bodies(w, R, N);
    arrhenius_2(w, R, N);
    activities_2(w, R, N);
    mass_action_2(w, R, N);
    const double v4 = w[at_inv_t * TILE];
    if (0.01 < v4) {
        cold_rates(w, R, N);
    }
    gather(w, R, N, at_progress, at_wdot);
    balance(w, R, N, at_f, at_y1);
}

static __device__ void add_stages_2(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N, double p0) {
    const double v0 = p0 * -1.17157287525381;
    for (unsigned i = 0; i < 5; ++i) {
        const double v1 = w[(at_f + i) * TILE];
        const double v2 = w[(at_k1 + i) * TILE];
        w[(at_k2 + i) * TILE] = fma(v0, v2, v1);
    }
}

static __device__ void add_stages_3(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N) {
    for (unsigned i = 0; i < 5; ++i) {
        const double v0 = w[(at_y + i) * TILE];
        const double v1 = w[(at_k1 + i) * TILE];
        const double v2 = w[(at_k2 + i) * TILE];
        w[(at_y1 + i) * TILE] = fma(0.2928932188134525, v2, fma(0.8786796564403575, v1, v0));
    }
}

static __device__ void add_stages_4(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N) {
    for (unsigned i = 0; i < 5; ++i) {
        const double v0 = w[(at_k1 + i) * TILE];
        const double v1 = w[(at_k2 + i) * TILE];
        w[(at_error + i) * TILE] = fma(2.34314575050762, v1, fma(2.34314575050762, v0, 0.0));
    }
}

static __device__ __noinline__ void energy_lost(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N, unsigned a0, double p0) {
    const double v0 = w[(a0 + 3) * TILE];
    w[at_temp * TILE] = v0;
    w[at_ln_t * TILE] = logarithm(v0);
    w[at_inv_t * TILE] = 1.0 / v0;
    nasa9(w, R, N);
    const double v1 = w[at_temp * TILE];
    const double v2 = w[at_ln_t * TILE];
    const double v3 = w[at_inv_t * TILE];
    const int b0 = 10000.0 < v1;
    if (b0) {
        above_hold(w, R, N, v1, v3, v2, b0);
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
    w[at_energy_lost * TILE] = v13;
    w[at_energy_next * TILE] = v11;
    w[at_energy_next_at * TILE] = v8;
}

static __device__ void finish(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N, double p0, double p1) {
    const double v0 = w[188 * TILE];
    const double v1 = larger(v0, p0);
    const double v2 = w[187 * TILE];
    const double v3 = ((0.5 < v2) && (0.0 < v1)) ? larger(v1, 10000.0) : v1;
    const double v4 = w[at_rhs_count * TILE];
    w[at_rhs_count * TILE] = v4 + 2.0;
    const double v5 = w[at_jac_count * TILE];
    w[at_jac_count * TILE] = v5 + 1.0;
    const double v6 = w[at_factor_count * TILE];
    w[at_factor_count * TILE] = v6 + 1.0;
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
    w[at_h * TILE] = v16;
    w[at_error_norm * TILE] = v11;
    const double v17 = w[at_t * TILE];
    const double v18 = w[at_left * TILE];
    const double v19 = v17 + p1;
    const double v20 = (v18 <= p1) ? 0.0 : ((v18 <= (1e-8 * v17)) ? (v18 - p1) : ((v17 + v18) - v19));
    const double v21 = w[at_idle * TILE];
    const double v22 = (b0 && ((1e-13 * v19) <= p1)) ? 0.0 : (v21 + (b0 ? 0.02 : 1.0));
    const double v23 = w[at_steps * TILE];
    const double v24 = w[at_rejected * TILE];
    w[at_tried * TILE] = p1;
    w[at_idle * TILE] = v22;
    w[at_t * TILE] = b0 ? v19 : v17;
    w[at_left * TILE] = b0 ? v20 : v18;
    w[at_after_rejection * TILE] = b0 ? 0.0 : 1.0;
    w[at_steps * TILE] = v23 + (b0 ? 1.0 : 0.0);
    w[at_rejected * TILE] = v24 + (b0 ? 0.0 : 1.0);
    for (unsigned i = 0; i < 5; ++i) {
        const double v25 = w[(at_y1 + i) * TILE];
        const double v26 = w[(at_y + i) * TILE];
        w[(at_y + i) * TILE] = b0 ? v25 : v26;
    }
}

static __device__ void elements_lost(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N, double p0, int p1) {
    const double v0 = w[at_elements * TILE];
    const double v1 = w[at_elements_fed * TILE];
    const double v2 = p1 ? fma(p0, v1, v0) : v0;
    w[at_elements * TILE] = v2;
    const double v3 = fma(__ldg(R + 48), v2, 0.0);
    double s0 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const double v4 = w[(at_y + i) * TILE];
        s0 = s0 + (__ldg(R + 45 + i) * v4);
    }
    w[at_elements_lost * TILE] = (p1 && ((1e-14 * fabs(v3)) < fabs(v3 - s0))) ? 1.0 : 0.0;
}

static __device__ void restore_elements(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N, int p0) {
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
    for (unsigned i = 0; i < 3; ++i) {
        const double v5 = w[(at_y + i) * TILE];
        const double v6 = fma(smaller(0.1, larger(-0.1, fma(__ldg(R + 49 + i), v4, 0.0))), larger(v5, 0.0), v5);
        w[(at_y + i) * TILE] = p0 ? v6 : v5;
    }
    double s2 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const double v7 = w[(at_y + i) * TILE];
        s2 = s2 + v7;
    }
    const double v8 = w[(at_y + 4) * TILE];
    w[(at_y + 4) * TILE] = p0 ? s2 : v8;
}

static __device__ void cold_gas(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N, double p0) {
    double s0 = 0.0;
    for (unsigned i = 0; i < 1; ++i) {
        const double v0 = w[(at_y + __ldg(N + 19 + i * 3)) * TILE];
        const double v1 = w[(at_y + __ldg(N + 19 + (i * 3) + 1)) * TILE];
        const double v2 = w[(at_y + __ldg(N + 19 + (i * 3) + 2)) * TILE];
        const double v3 = (p0 < __ldg(R + 44 + i)) ? smaller(smaller(fabs(v0), fabs(v1)), fabs(v2)) : 0.0;
        s0 = larger(s0, v3);
    }
    w[at_lacking * TILE] = s0;
}

static __device__ void judge(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N) {
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
    w[at_lacking * TILE] = 0.0;
    if (b5) {
        cold_gas(w, R, N, v9);
    }
    const double v11 = w[at_lacking * TILE];
    const int b6 = (((10.0 <= v9) && (v9 <= 50000.0)) && (0.0 < v10)) && (!(b5 && (1e-15 < v11)));
    w[at_verdict * TILE] = b4 ? 1.0 : 0.0;
    if (b4) {
        double s0 = 1.0;
        for (unsigned i = 0; i < 5; ++i) {
            const double v12 = w[(at_f + i) * TILE];
            s0 = (fabs(v12) <= 1.7976931348623157e308) ? s0 : 0.0;
        }
        const double v13 = w[at_verdict * TILE];
        w[at_verdict * TILE] = (b4 && (s0 < 1.0)) ? 3.0 : v13;
    }
    const double v14 = w[at_verdict * TILE];
    w[at_verdict * TILE] = (!b6) ? 3.0 : (b0 ? -1.0 : ((v6 <= (v7 + v8)) ? 2.0 : v14));
    const double v15 = w[at_rung * TILE];
    w[at_rung * TILE] = b3 ? 1.0 : v15;
    const double v16 = w[at_idle * TILE];
    w[at_idle * TILE] = b3 ? 0.0 : v16;
    const double v17 = w[at_fresh * TILE];
    w[at_fresh * TILE] = b3 ? 1.0 : v17;
    const double v18 = w[at_atol * TILE];
    const double v19 = w[at_atol * TILE];
    w[at_atol * TILE] = b3 ? (v18 * 0.01) : v19;
    w[at_h * TILE] = b3 ? (v3 * 1e-6) : v2;
    const double v20 = w[at_after_rejection * TILE];
    w[at_after_rejection * TILE] = b3 ? 0.0 : v20;
}

static __device__ __noinline__ void attempt(SPACE double *__restrict__ w, const double *__restrict__ R, const INDEX *__restrict__ N) {
    const double v0 = w[at_atol * TILE];
    const double v1 = w[at_span * TILE];
    const double v2 = w[at_begun * TILE];
    const int b0 = v2 < 0.5;
    if (b0) {
        begin_cell(w, R, N, v0, v1, b0);
    }
    const double v3 = w[at_energy_known * TILE];
    const int b1 = v3 < 0.5;
    if (b1) {
        remember_energy(w, R, N, b1);
    }
    const double v4 = w[at_elements_fed_known * TILE];
    const int b2 = v4 < 0.5;
    if (b2) {
        remember_elements(w, R, N, b2);
    }
    const double v5 = w[at_steps * TILE];
    const double v6 = w[at_atol * TILE];
    const double v7 = v6 * -10.0;
    w[at_slight * TILE] = v7;
    w[at_noise * TILE] = v7 - 1e-8;
    jacobian_slots(w, R, N, at_f);
    jacobian_entries(w, R, N);
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
        forget_absent(w, R, N, at_f, v8, v9);
    }
    jacobian_borders(w, R, N, at_f);
    const double v13 = w[at_fresh * TILE];
    const int b4 = 0.5 < v13;
    if (b4) {
        const double v14 = w[at_rtol * TILE];
        const double v15 = w[at_atol * TILE];
        const double v16 = v15 * 0.001;
        for (unsigned i = 0; i < 5; ++i) {
            const double v17 = w[(at_y + i) * TILE];
            w[(at_y1 + i) * TILE] = fma(v14, fabs(v17), v16);
        }
        {
            unsigned i = 0;
            for (; i + 3 < 3; i += 4) {
                const unsigned n0 = __ldg(N + 338 + i);
                const double v18 = w[(at_y + n0) * TILE];
                const unsigned n1 = __ldg(N + 338 + i + 1);
                const double v19 = w[(at_y + n1) * TILE];
                const unsigned n2 = __ldg(N + 338 + i + 2);
                const double v20 = w[(at_y + n2) * TILE];
                const unsigned n3 = __ldg(N + 338 + i + 3);
                const double v21 = w[(at_y + n3) * TILE];
                w[(at_y1 + n0) * TILE] = fma(v14, fabs(v18), __ldg(R + 63 + i) * v16);
                w[(at_y1 + n1) * TILE] = fma(v14, fabs(v19), __ldg(R + 63 + i + 1) * v16);
                w[(at_y1 + n2) * TILE] = fma(v14, fabs(v20), __ldg(R + 63 + i + 2) * v16);
                w[(at_y1 + n3) * TILE] = fma(v14, fabs(v21), __ldg(R + 63 + i + 3) * v16);
            }
            for (; i < 3; ++i) {
                const unsigned n4 = __ldg(N + 338 + i);
                const double v22 = w[(at_y + n4) * TILE];
                w[(at_y1 + n4) * TILE] = fma(v14, fabs(v22), __ldg(R + 63 + i) * v16);
            }
        }
        diagonal(w, R, N);
        shorten_first(w, R, N, b4);
    }
    w[at_fresh * TILE] = 0.0;
    const double v23 = w[at_h * TILE];
    const double v24 = w[at_left * TILE];
    const double v25 = (v24 <= (v23 * 1.01)) ? v24 : ((v24 < (v23 * 2.0)) ? (v24 * 0.5) : v23);
    const double v26 = w[at_atol * TILE];
    forgive(w, R, N, v26 * 0.01, v25);
    const double v27 = 1.0 / v25;
    const double v28 = v27 * 0.585786437626905;
    factor(w, R, N, v28);
    double s1 = 1e35;
    double s2 = 1e35;
    for (unsigned i = 0; i < 5; ++i) {
        const double v29 = w[(at_inverse + i) * TILE];
        const double next_s1 = smaller(s1, fabs(v29));
        const double next_s2 = smaller(s2, v29);
        s1 = next_s1;
        s2 = next_s2;
    }
    w[at_grows * TILE] = 0.0;
    if (s2 < 0.0) {
        growth_in_place(w, R, N, at_f, s1, v28);
    }
    const double v30 = w[at_grows * TILE];
    first_stage(w, R, N);
    solve(w, R, N, at_k1);
    add_stages(w, R, N);
    rhs(w, R, N);
    add_stages_2(w, R, N, v27);
    solve(w, R, N, at_k2);
    add_stages_3(w, R, N);
    add_stages_4(w, R, N);
    double s3 = 0.0;
    for (unsigned i = 0; i < 5; ++i) {
        const double v31 = w[(at_y + i) * TILE];
        const double v32 = w[(at_k1 + i) * TILE];
        const double v33 = w[(at_y1 + i) * TILE];
        const double v34 = w[(at_k2 + i) * TILE];
        const int b5 = (v32 * 2.0) < fma(-0.7071067811865476, v34, v32 * 0.2928932188134525);
        const double v35 = (((0.0 <= v31) && (v31 < v32)) && b5) ? fma(v32, 0.0001, smaller(v33, 0.0)) : 0.0;
        s3 = s3 + v35;
    }
    const int b6 = s3 < 0.0;
    const double v36 = w[at_span * TILE];
    const double v37 = w[at_rtol * TILE];
    const double v38 = w[at_atol * TILE];
    const double v39 = fma(v38, 10.0, 1e-9);
    const double v40 = -(1.0 / (v39 * 0.25));
    const double v41 = -fma(v39, 100.0, 2e-6);
    double s4 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const unsigned n5 = __ldg(N + 338 + i);
        const double v42 = w[(at_error + n5) * TILE];
        const double v43 = w[(at_y1 + __ldg(N + 338 + i)) * TILE];
        const double v44 = fabs(v42 / fma(v37, fabs(v43), (__ldg(R + 63 + i) * v38) * 0.001));
        const double v45 = __ldg(R + 66 + i);
        const double v46 = w[(at_y1 + n5) * TILE];
        const double v47 = w[(at_source + n5) * TILE];
        const double v48 = smaller(v47, 0.0);
        const double v49 = w[(at_y + n5) * TILE];
        const double v50 = fma(-v25, v48, v46 - smaller(v49, 0.0));
        const double v51 = (((v45 * fma(-v36, v48, v46)) < v41) && (v50 < 0.0)) ? 8.0 : ((v45 * v50) * v40);
        const double v52 = (v44 <= 1.7976931348623157e308) ? v44 : 1.7976931348623157e308;
        const double v53 = (v51 <= 1.7976931348623157e308) ? v51 : 1.7976931348623157e308;
        s4 = larger(larger(v52, v53), s4);
    }
    w[188 * TILE] = s4 * 0.25;
    const double v54 = w[at_rtol * TILE];
    energy_lost(w, R, N, at_y1, v25);
    const double v55 = w[(at_y + 3) * TILE];
    const double v56 = w[(at_y1 + 3) * TILE];
    const double v57 = w[at_energy_lost * TILE];
    const double v58 = w[at_energy_lost * TILE];
    const double v59 = smaller(fabs(v58), fabs((fma(v57, v56, v56) - v55) / v55)) / v54;
    const double v60 = v59 * 0.25;
    const int b7 = 0.001 < v60;
    if (b7) {
        for (unsigned i = 0; i < 5; ++i) {
            w[(at_k1 + i) * TILE] = 0.0;
        }
        const double v61 = w[at_energy_lost * TILE];
        const double v62 = w[(at_y1 + 3) * TILE];
        w[(at_k1 + 3) * TILE] = b7 ? ((v61 * v62) * v28) : 0.0;
        solve(w, R, N, at_k1);
        for (unsigned i = 0; i < 5; ++i) {
            const double v63 = w[(at_y1 + i) * TILE];
            const double v64 = w[(at_k1 + i) * TILE];
            w[(at_y1 + i) * TILE] = b7 ? (v63 + v64) : v63;
        }
        energy_lost(w, R, N, at_y1, v25);
    }
    w[187 * TILE] = (0.5 < v30) ? 1.0 : 0.0;
    if (b6) {
        jacobian_slots(w, R, N, at_k1);
        jacobian_entries(w, R, N);
        const double v65 = w[at_begun * TILE];
        const double v66 = w[at_noise * TILE];
        double s5 = 0.0;
        for (unsigned i = 0; i < 3; ++i) {
            const double v67 = w[(at_y + i) * TILE];
            const double v68 = w[(at_k1 + i) * TILE];
            const double v69 = w[(at_owing + i) * TILE];
            const int b8 = (0.0 < (v69 * v65)) && ((v67 < 0.0) || ((v67 <= 0.0) && (v68 <= 0.0)));
            s5 = ((v67 < v66) || b8) ? 1.0 : s5;
        }
        if (0.0 < s5) {
            forget_absent(w, R, N, at_k1, v65, v66);
        }
        jacobian_borders(w, R, N, at_k1);
        const double v70 = v27 * 0.325436909792725;
        factor(w, R, N, v70);
        double s6 = 1e35;
        double s7 = 1e35;
        for (unsigned i = 0; i < 5; ++i) {
            const double v71 = w[(at_inverse + i) * TILE];
            const double next_s6 = smaller(s6, fabs(v71));
            const double next_s7 = smaller(s7, v71);
            s6 = next_s6;
            s7 = next_s7;
        }
        w[at_grows * TILE] = 0.0;
        if (s7 < 0.0) {
            growth_in_place(w, R, N, at_k1, s6, v70);
        }
        const double v72 = w[at_grows * TILE];
        const double v73 = w[187 * TILE];
        w[187 * TILE] = larger(v73, (b6 && (0.5 < v72)) ? 1.0 : 0.0);
        const double v74 = w[at_rhs_count * TILE];
        w[at_rhs_count * TILE] = v74 + (b6 ? 1.0 : 0.0);
        const double v75 = w[at_jac_count * TILE];
        w[at_jac_count * TILE] = v75 + (b6 ? 1.0 : 0.0);
        const double v76 = w[at_factor_count * TILE];
        w[at_factor_count * TILE] = v76 + (b6 ? 1.0 : 0.0);
    }
    finish(w, R, N, v60, v25);
    const double v77 = w[at_steps * TILE];
    const int b9 = v5 < v77;
    const double v78 = w[at_tried * TILE];
    elements_lost(w, R, N, v78, b9);
    const double v79 = w[at_elements_lost * TILE];
    const int b10 = 0.5 < v79;
    if (b10) {
        restore_elements(w, R, N, b10);
        const double v80 = w[at_energy_lost * TILE];
        const double v81 = w[at_energy_next * TILE];
        const double v82 = w[at_energy_next_at * TILE];
        energy_lost(w, R, N, at_y, v78);
        const double v83 = w[at_energy_lost * TILE];
        w[at_energy_lost * TILE] = b10 ? v83 : v80;
        const double v84 = w[at_energy_next * TILE];
        w[at_energy_next * TILE] = b10 ? v84 : v81;
        const double v85 = w[at_energy_next_at * TILE];
        w[at_energy_next_at * TILE] = b10 ? v85 : v82;
    }
    const double v86 = w[(at_y + 3) * TILE];
    const double v87 = w[at_energy_lost * TILE];
    w[(at_y + 3) * TILE] = b9 ? fma(smaller(3.0, larger(-0.7, v87)), v86, v86) : v86;
    const double v88 = w[at_energy_lost * TILE];
    const int b11 = b9 && (0.0001 < fabs(v88));
    if (b11) {
        const double v89 = w[at_energy_lost * TILE];
        const double v90 = w[at_energy_next * TILE];
        const double v91 = w[at_energy_next_at * TILE];
        energy_lost(w, R, N, at_y, v78);
        const double v92 = w[at_energy_lost * TILE];
        w[at_energy_lost * TILE] = b11 ? v92 : v89;
        const double v93 = w[at_energy_next * TILE];
        w[at_energy_next * TILE] = b11 ? v93 : v90;
        const double v94 = w[at_energy_next_at * TILE];
        w[at_energy_next_at * TILE] = b11 ? v94 : v91;
        const double v95 = w[(at_y + 3) * TILE];
        const double v96 = w[at_energy_lost * TILE];
        w[(at_y + 3) * TILE] = b11 ? fma(smaller(3.0, larger(-0.7, v96)), v95, v95) : v95;
    }
    const double v97 = w[at_energy_next * TILE];
    const double v98 = w[at_energy * TILE];
    w[at_energy * TILE] = b9 ? v97 : v98;
    const double v99 = w[at_energy_next_at * TILE];
    const double v100 = w[at_energy_at * TILE];
    w[at_energy_at * TILE] = b9 ? v99 : v100;
    judge(w, R, N);
}

