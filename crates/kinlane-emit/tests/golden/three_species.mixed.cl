/* OpenCL C 1.2 with doubles. No product is contracted with a sum: the bits are those of the scalar machine. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

typedef ulong u64;
#define SMALL static inline
#define from_bits(u) as_double((u64)(u))
#define to_bits(x) as_ulong((double)(x))

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

static __attribute__((noinline)) void begin_cell(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N, double p0, double p1, int p2) {
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

static double logarithm(double x) {
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

static __attribute__((noinline)) void nasa9(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N) {
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
        const unsigned n0 = N[0 + i];
        const unsigned n1 = i * 9;
        const double v28 = R[3 + n1];
        const double v29 = R[3 + n1 + 1];
        const double v30 = R[3 + n1 + 2];
        const double v31 = R[3 + n1 + 3];
        const double v32 = R[3 + n1 + 4];
        const double v33 = R[3 + n1 + 5];
        const double v34 = R[3 + n1 + 6];
        const double v35 = R[3 + n1 + 7];
        const double v36 = fma(v30, v18, fma(v29, v17, fma(v28, v16, v3 - R[3 + n1 + 8])));
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

static __attribute__((noinline)) void above_hold(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N, double p0, double p1, double p2, int p3) {
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

static __attribute__((noinline)) void remember_energy(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N, int p0) {
    const double v0 = w[(at_y + 3) * TILE];
    w[at_temp * TILE] = v0;
    w[at_ln_t * TILE] = logarithm(v0);
    w[at_inv_t * TILE] = 1.0 / v0;
    nasa9(w, v, R, N);
    const double v1 = w[at_temp * TILE];
    const double v2 = w[at_ln_t * TILE];
    const double v3 = w[at_inv_t * TILE];
    const int b0 = 10000.0 < v1;
    if (b0) {
        above_hold(w, v, R, N, v1, v3, v2, b0);
    }
    double s0 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const double v4 = w[(at_y + i) * TILE];
        const double v5 = w[(at_enthalpy + i) * TILE];
        s0 = fma(fma(v5 - 0.0, v0, R[30 + i]), v4, s0);
    }
    const double v6 = w[at_energy * TILE];
    w[at_energy * TILE] = p0 ? (s0 * 8.31446261815324) : v6;
    const double v7 = w[(at_y + 3) * TILE];
    const double v8 = w[at_energy_at * TILE];
    w[at_energy_at * TILE] = p0 ? v7 : v8;
    w[at_energy_known * TILE] = 1.0;
}

static __attribute__((noinline)) void remember_elements(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N, int p0) {
    const double v0 = w[at_elements_known * TILE];
    double s0 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const double v1 = w[(at_y + i) * TILE];
        s0 = s0 + (R[49 + i] * v1);
    }
    const double v2 = w[at_elements * TILE];
    w[at_elements * TILE] = (p0 && (v0 < 0.5)) ? s0 : v2;
    double s1 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const double v3 = w[(at_source + i) * TILE];
        s1 = s1 + (R[49 + i] * v3);
    }
    const double v4 = w[at_elements_fed * TILE];
    w[at_elements_fed * TILE] = p0 ? s1 : v4;
    w[at_elements_known * TILE] = 1.0;
    w[at_elements_fed_known * TILE] = 1.0;
}

static __attribute__((noinline)) void state(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N, unsigned a0, double p0) {
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

static __attribute__((noinline)) void above_hold_2(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N, double p0, double p1, double p2, int p3) {
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

static __attribute__((noinline)) void exponentials(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N) {
    for (unsigned i = 0; i < 3; ++i) {
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
}

static __attribute__((noinline)) void third_bodies(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N) {
    const double v0 = w[at_ctot * TILE];
    for (unsigned i = 0; i < 2; ++i) {
        double s0 = R[37 + i] * v0;
        for (unsigned j = N[3 + i]; j < N[3 + i + 1]; ++j) {
            const double v1 = w[(at_conc + N[6 + j]) * TILE];
            s0 = fma(R[39 + j], v1, s0);
        }
        w[(at_third + i) * TILE] = larger(0.0, s0);
    }
}

static double exponential(double x) {
    const double v0 = fma(x, 1.4426950408889634, 6755399441055744.0) - 6755399441055744.0;
    const double v1 = fma(v0, -5.497923018708371e-14, fma(v0, -0.6931471805598903, x));
    const float u0 = (float)v1;
    const float u1 = fmaf(fmaf(2.7476798e-7f, u0, 2.763499e-6f), u0, 2.4801931e-5f);
    const float u2 = fmaf(fmaf(fmaf(u1, u0, 0.00019841186f), u0, 0.0013888888f), u0, 0.008333334f);
    const float u3 = fmaf(fmaf(fmaf(u2, u0, 0.041666668f), u0, 0.16666667f), u0, 0.5f);
    return scale((double)(fmaf(u3 * u0, u0, u0) + 1.0f), v0);
}

static __attribute__((noinline)) void arrhenius(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N) {
    const double v0 = w[at_ln_t * TILE];
    const double v1 = w[at_inv_t * TILE];
    w[at_rate_constant * TILE] = 1.0;
    w[(at_progress + 2) * TILE] = 0.0;
    w[at_rate_constant_t * TILE] = 0.0;
    w[(at_progress_t + 2) * TILE] = 0.0;
    w[(at_rates + 2) * TILE] = 0.0;
    for (unsigned i = 0; i < 2; ++i) {
        const double v2 = R[33 + i * 2];
        const double v3 = R[33 + (i * 2) + 1];
        const double v4 = exponential(fma(v2, v0, -(v3 * v1)));
        w[(at_rate_constant + i + 1) * TILE] = v4;
        w[(at_rate_constant_t + i + 1) * TILE] = v4 * (fma(v3, v1, v2) * v1);
    }
}

static __attribute__((noinline)) void activities(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N) {
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

static __attribute__((noinline)) void mass_action(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N) {
    const double v0 = w[at_inv_t * TILE];
    for (unsigned i = 0; i < 2; ++i) {
        const unsigned n0 = i * 5;
        const unsigned n1 = N[9 + n0];
        const double v1 = R[42 + i];
        const unsigned n2 = N[9 + n0 + 2];
        const unsigned n3 = N[9 + n0 + 3];
        const unsigned n4 = N[9 + n0 + 4];
        const double v2 = w[(at_conc + n2) * TILE];
        const double v3 = w[(at_act + n3) * TILE];
        const double v4 = w[(at_act + n4) * TILE];
        const double v5 = w[(at_exp_minus + n2) * TILE];
        const double v6 = w[(at_third + N[9 + n0 + 1]) * TILE];
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
}

static __attribute__((noinline)) void cold_rates(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N) {
    const double v0 = w[at_inv_t * TILE];
    const double v1 = w[at_ln_t * TILE];
    const double v2 = w[at_inv_t * TILE];
    const double v3 = w[at_gibbs * TILE];
    const double v4 = w[(at_gibbs + 1) * TILE];
    const double v5 = fma(v4, 2.0, fma(v3, -1.0, fma(0.0, v2, 0.0))) - (R[36] * v2);
    const double v6 = w[(at_third + 1) * TILE];
    const double v7 = 5840000000000.0 * v6;
    const double v8 = w[(at_conc + 1) * TILE];
    const double v9 = (v7 * exponential(fma(R[35], v1, v5))) * (1.0 * (v8 * fabs(v8)));
    const double v10 = w[(at_rate_constant + 2) * TILE];
    const double v11 = w[at_conc * TILE];
    const double v12 = w[(at_progress + 1) * TILE];
    w[(at_progress + 1) * TILE] = (0.01 < v0) ? (((v7 * v10) * (1.0 * v11)) - v9) : v12;
}

static __attribute__((noinline)) void gather(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N) {
    for (unsigned i = 0; i < 3; ++i) {
        const unsigned n0 = i * 3;
        const unsigned n1 = N[25 + n0 + 1];
        double s0 = 0.0;
        for (unsigned j = N[25 + n0]; j < n1; ++j) {
            const double v0 = w[(at_progress + N[34 + j]) * TILE];
            s0 = s0 + v0;
        }
        double s1 = s0;
        for (unsigned j = n1; j < N[25 + n0 + 2]; ++j) {
            const double v1 = w[(at_progress + N[34 + j]) * TILE];
            s1 = s1 - v1;
        }
        w[(at_wdot + N[22 + i]) * TILE] = s1;
    }
}

static __attribute__((noinline)) void balance(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N, unsigned a3, unsigned a5) {
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
        const double next_s2 = fma(fma(v8 - 0.0, v4, R[30 + i]), v5, s2);
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

static __attribute__((noinline)) void jacobian_slots(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N, unsigned a27) {
    const double v0 = w[at_floor * TILE];
    state(w, v, R, N, at_y, v0);
    nasa9(w, v, R, N);
    const double v1 = w[at_temp * TILE];
    const double v2 = w[at_ln_t * TILE];
    const double v3 = w[at_inv_t * TILE];
    const int b0 = 10000.0 < v1;
    if (b0) {
        above_hold_2(w, v, R, N, v1, v3, v2, b0);
    }
    exponentials(w, v, R, N);
    third_bodies(w, v, R, N);
    arrhenius(w, v, R, N);
    activities(w, v, R, N);
    mass_action(w, v, R, N);
    const double v4 = w[at_inv_t * TILE];
    if (0.01 < v4) {
        cold_rates(w, v, R, N);
    }
    gather(w, v, R, N);
    balance(w, v, R, N, a27, at_y);
}

static __attribute__((noinline)) void few_products(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N) {
    for (unsigned i = 0; i < 4; ++i) {
        v[(at_jac + N[163 + i * 2]) * TILE] = 0.0;
    }
}

static __attribute__((noinline)) void few_products_2(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N) {
    for (unsigned i = 0; i < 2; ++i) {
        const unsigned n0 = i * 4;
        const double v0 = w[(at_rates + N[175 + n0]) * TILE];
        const double v1 = w[(at_act + N[175 + n0 + 1]) * TILE];
        const double v2 = w[(at_rates + N[175 + n0 + 2]) * TILE];
        const double v3 = w[(at_act + N[175 + n0 + 3]) * TILE];
        const double v4 = w[(at_exp_plus + N[171 + (i * 2) + 1]) * TILE];
        v[(at_jac + N[171 + i * 2]) * TILE] = fma(v2, v3, v0 * v1) * v4;
    }
}

static __attribute__((noinline)) void few_products_3(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N) {
    for (unsigned i = 0; i < 3; ++i) {
        const unsigned n0 = i * 8;
        const double v0 = w[(at_rates + N[189 + n0]) * TILE];
        const double v1 = w[(at_act + N[189 + n0 + 1]) * TILE];
        const double v2 = w[(at_rates + N[189 + n0 + 2]) * TILE];
        const double v3 = w[(at_act + N[189 + n0 + 3]) * TILE];
        const double v4 = w[(at_rates + N[189 + n0 + 4]) * TILE];
        const double v5 = w[(at_act + N[189 + n0 + 5]) * TILE];
        const double v6 = w[(at_rates + N[189 + n0 + 6]) * TILE];
        const double v7 = w[(at_act + N[189 + n0 + 7]) * TILE];
        const double v8 = w[(at_exp_plus + N[183 + (i * 2) + 1]) * TILE];
        v[(at_jac + N[183 + i * 2]) * TILE] = fma(v6, v7, fma(v4, v5, fma(v2, v3, v0 * v1))) * v8;
    }
}

static __attribute__((noinline)) void few_products_4(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N) {
    for (unsigned i = 0; i < 1; ++i) {
        const unsigned n0 = i * 16;
        const double v0 = w[(at_rates + N[215 + n0]) * TILE];
        const double v1 = w[(at_act + N[215 + n0 + 1]) * TILE];
        const double v2 = w[(at_rates + N[215 + n0 + 2]) * TILE];
        const double v3 = w[(at_act + N[215 + n0 + 3]) * TILE];
        const double v4 = w[(at_rates + N[215 + n0 + 4]) * TILE];
        const double v5 = w[(at_act + N[215 + n0 + 5]) * TILE];
        const double v6 = w[(at_rates + N[215 + n0 + 6]) * TILE];
        const double v7 = w[(at_act + N[215 + n0 + 7]) * TILE];
        const double v8 = w[(at_rates + N[215 + n0 + 8]) * TILE];
        const double v9 = w[(at_act + N[215 + n0 + 9]) * TILE];
        const double v10 = w[(at_rates + N[215 + n0 + 10]) * TILE];
        const double v11 = w[(at_act + N[215 + n0 + 11]) * TILE];
        const double v12 = fma(v10, v11, fma(v8, v9, fma(v6, v7, fma(v4, v5, fma(v2, v3, v0 * v1)))));
        const double v13 = w[(at_rates + N[215 + n0 + 12]) * TILE];
        const double v14 = w[(at_act + N[215 + n0 + 13]) * TILE];
        const double v15 = w[(at_rates + N[215 + n0 + 14]) * TILE];
        const double v16 = w[(at_act + N[215 + n0 + 15]) * TILE];
        const double v17 = w[(at_exp_plus + N[213 + (i * 2) + 1]) * TILE];
        v[(at_jac + N[213 + i * 2]) * TILE] = fma(v15, v16, fma(v13, v14, v12)) * v17;
    }
}

static __attribute__((noinline)) void gather_2(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N) {
    for (unsigned i = 0; i < 6; ++i) {
        const unsigned n0 = i * 3;
        const unsigned n1 = N[239 + n0 + 1];
        float s0 = 0.0;
        for (unsigned j = N[239 + n0]; j < n1; ++j) {
            const float u0 = v[(at_extra + N[257 + j]) * TILE];
            s0 = s0 + u0;
        }
        float s1 = s0;
        for (unsigned j = n1; j < N[239 + n0 + 2]; ++j) {
            const float u1 = v[(at_extra + N[257 + j]) * TILE];
            s1 = s1 - u1;
        }
        v[(at_jac_third + N[233 + i]) * TILE] = s1;
    }
}

static __attribute__((noinline)) void spread(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N) {
    for (unsigned i = 0; i < 6; ++i) {
        const unsigned n0 = N[266 + i];
        const float u0 = v[(at_jac + n0) * TILE];
        float s0 = u0;
        for (unsigned j = N[272 + i]; j < N[272 + i + 1]; ++j) {
            const float u1 = v[(at_jac_third + N[279 + j]) * TILE];
            s0 = fmaf((float)R[52 + j], u1, s0);
        }
        v[(at_jac + n0) * TILE] = s0;
    }
}

static __attribute__((noinline)) void gather_3(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N) {
    for (unsigned i = 0; i < 3; ++i) {
        const unsigned n0 = i * 3;
        const unsigned n1 = N[25 + n0 + 1];
        double s0 = 0.0;
        for (unsigned j = N[25 + n0]; j < n1; ++j) {
            const double v0 = w[(at_progress_t + N[34 + j]) * TILE];
            s0 = s0 + v0;
        }
        double s1 = s0;
        for (unsigned j = n1; j < N[25 + n0 + 2]; ++j) {
            const double v1 = w[(at_progress_t + N[34 + j]) * TILE];
            s1 = s1 - v1;
        }
        v[(at_wdot_t + N[22 + i]) * TILE] = s1;
    }
}

static __attribute__((noinline)) void gather_4(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N) {
    for (unsigned i = 0; i < 3; ++i) {
        v[(at_wdot_ctot + N[288 + i]) * TILE] = 0.0;
    }
}

static __attribute__((noinline)) void spread_2(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N) {
    for (unsigned i = 0; i < 2; ++i) {
        const unsigned n0 = N[301 + i];
        const float u0 = v[(at_wdot_ctot + n0) * TILE];
        float s0 = u0;
        for (unsigned j = N[303 + i]; j < N[303 + i + 1]; ++j) {
            const float u1 = v[(at_jac_third + N[306 + j]) * TILE];
            s0 = fmaf((float)R[61 + j], u1, s0);
        }
        v[(at_wdot_ctot + n0) * TILE] = s0;
    }
}

static __attribute__((noinline)) void jacobian_entries(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N) {
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

static __attribute__((noinline)) void forget_absent(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N, unsigned a1, double p0, double p1) {
    for (unsigned i = N[320]; i < N[323]; ++i) {
        const unsigned n0 = N[324 + i * 2];
        const unsigned n1 = N[324 + (i * 2) + 1];
        const double v0 = w[(at_y + n1) * TILE];
        const double v1 = w[(a1 + n1) * TILE];
        const double v2 = w[(at_owing + n1) * TILE];
        const int b0 = (0.0 < (v2 * p0)) && ((v0 < 0.0) || ((v0 <= 0.0) && (v1 <= 0.0)));
        const float u0 = v[(at_jac + n0) * TILE];
        v[(at_jac + n0) * TILE] = ((v0 < p1) || b0) ? 0.0f : u0;
    }
    for (unsigned i = 0; i < 3; ++i) {
        const unsigned n2 = N[308 + (i * 4) + 3];
        const double v3 = w[(at_y + i) * TILE];
        const double v4 = w[(a1 + i) * TILE];
        const double v5 = w[(at_owing + i) * TILE];
        const int b1 = (0.0 < (v5 * p0)) && ((v3 < 0.0) || ((v3 <= 0.0) && (v4 <= 0.0)));
        const float u1 = v[(at_jac + n2) * TILE];
        v[(at_jac + n2) * TILE] = ((v3 < p1) || b1) ? 0.0f : u1;
    }
}

static __attribute__((noinline)) void jacobian_borders(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N, unsigned a14) {
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
        v[(at_heat + i) * TILE] = (v10 - 0.0) * v7;
    }
    for (unsigned i = 0; i < 3; ++i) {
        const double v11 = w[(at_enthalpy + i) * TILE];
        const double v12 = fma(v11 - 0.0, v0, R[30 + i]);
        const double v13 = w[(at_wdot + i) * TILE];
        float s0 = -(v13 * v5);
        for (unsigned j = N[320 + i]; j < N[320 + i + 1]; ++j) {
            const float u0 = v[(at_jac + N[324 + j * 2]) * TILE];
            const unsigned n0 = N[324 + (j * 2) + 1];
            const float u1 = v[(at_heat + n0) * TILE];
            v[(at_heat + n0) * TILE] = fmaf((float)v12, u0, u1);
            const double v14 = w[(at_y + n0) * TILE];
            s0 = fmaf(u0, (float)v14, s0);
        }
        v[(at_jac + N[308 + (i * 4) + 1]) * TILE] = s0;
    }
    for (unsigned i = 0; i < 3; ++i) {
        const float u2 = v[(at_jac + N[308 + (i * 4) + 1]) * TILE];
        v[(at_jac + N[308 + (i * 4) + 1]) * TILE] = -(u2 * ((float)v6));
        const float u3 = v[(at_wdot_t + i) * TILE];
        const float u4 = v[(at_wdot_ctot + i) * TILE];
        const float u5 = ((u3 - (((float)(v3 * v1)) * u4)) * ((float)v5)) - (u2 * ((float)v1));
        v[(at_jac + N[308 + i * 4]) * TILE] = u5;
        const float u6 = v[(at_heat + i) * TILE];
        v[(at_jac + N[308 + (i * 4) + 2]) * TILE] = u6 * ((float)v9);
    }
    float s1 = 0.0;
    float s2 = 0.0;
    float s3 = 0.0;
    float s4 = 0.0;
    double s5 = 0.0;
    double s6 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const float u7 = v[(at_jac + N[308 + i * 4]) * TILE];
        const float u8 = v[(at_jac + N[308 + (i * 4) + 1]) * TILE];
        const double v15 = w[(at_enthalpy + i) * TILE];
        const double v16 = fma(v15 - 0.0, v0, R[30 + i]);
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
    v[(at_jac + 21) * TILE] = s1;
    v[(at_jac + 22) * TILE] = s2;
    v[(at_jac + 16) * TILE] = fmaf((float)s6, (float)v7, s3 + ((float)s5)) * ((float)v9);
    v[(at_jac + 17) * TILE] = s4 * ((float)v9);
}

static __attribute__((noinline)) void diagonal(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N) {
    for (unsigned i = 0; i < 5; ++i) {
        const float u0 = v[(at_jac + N[135 + i]) * TILE];
        w[(at_error + N[124 + i]) * TILE] = u0;
    }
}

static __attribute__((noinline)) void shorten_first(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N, int p0) {
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

static __attribute__((noinline)) void forgive(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N, double p0, double p1) {
    double s0 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const unsigned n0 = N[338 + i];
        const double v0 = w[(at_y + n0) * TILE];
        const double v1 = w[(at_f + n0) * TILE];
        const int b0 = ((v0 < 0.0) && ((-v0) < (R[63 + i] * p0))) && ((-v0) < (v1 * p1));
        s0 = s0 + (b0 ? (-v0) : 0.0);
    }
    for (unsigned i = 0; i < 3; ++i) {
        const unsigned n1 = N[338 + i];
        const double v2 = w[(at_y + n1) * TILE];
        const unsigned n2 = N[338 + i];
        const double v3 = w[(at_y + n2) * TILE];
        const double v4 = w[(at_f + n2) * TILE];
        const int b1 = ((v3 < 0.0) && ((-v3) < (R[63 + i] * p0))) && ((-v3) < (v4 * p1));
        w[(at_y + n1) * TILE] = v2 + (b1 ? (-v3) : 0.0);
    }
    const double v5 = w[(at_y + 4) * TILE];
    w[(at_y + 4) * TILE] = v5 + s0;
}

static __attribute__((noinline)) void factor(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N, double p0) {
    for (unsigned i = 0; i < 5; ++i) {
        const unsigned n0 = N[129 + i];
        const unsigned n1 = N[129 + i + 1];
        const unsigned n2 = N[135 + i];
        for (unsigned j = n0; j < n1; ++j) {
            const float u0 = v[(at_jac + j) * TILE];
            v[(at_x + N[140 + j]) * TILE] = -u0;
        }
        const float u1 = v[(at_x + i) * TILE];
        v[(at_x + i) * TILE] = u1 + ((float)p0);
        for (unsigned j = n0; j < n2; ++j) {
            const unsigned n3 = N[140 + j];
            const float u2 = v[(at_x + n3) * TILE];
            const float u3 = v[(at_inverse + n3) * TILE];
            const float u4 = u2 * u3;
            v[(at_jac + j) * TILE] = u4;
            const float u5 = -u4;
            for (unsigned k = N[135 + n3] + 1; k < N[129 + n3 + 1]; ++k) {
                const unsigned n4 = N[140 + k];
                const float u6 = v[(at_jac + k) * TILE];
                const float u7 = v[(at_x + n4) * TILE];
                v[(at_x + n4) * TILE] = fmaf(u5, u6, u7);
            }
        }
        for (unsigned j = n2; j < n1; ++j) {
            const float u8 = v[(at_x + N[140 + j]) * TILE];
            v[(at_jac + j) * TILE] = u8;
        }
        const float u9 = v[(at_x + i) * TILE];
        v[(at_inverse + i) * TILE] = 1.0f / u9;
    }
}

static __attribute__((noinline)) void growth_in_place(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N, unsigned a4, double p0, double p1) {
    for (unsigned i = 0; i < 3; ++i) {
        float s0 = 0.0;
        for (unsigned j = N[129 + i]; j < N[135 + i]; ++j) {
            const float u0 = v[(at_jac + j) * TILE];
            s0 = largerf(fabsf(u0), s0);
        }
        float s1 = 0.0;
        for (unsigned j = N[102 + i]; j < N[102 + i + 1]; ++j) {
            const float u1 = v[(at_jac + N[108 + (j * 2) + 1]) * TILE];
            const float u2 = v[(at_x + N[108 + j * 2]) * TILE];
            s1 = largerf(fabsf(u1) * (0.00059604645f + u2), s1);
        }
        const float u3 = v[(at_inverse + i) * TILE];
        const float u4 = smallerf(largerf((s0 * s1) * fabsf(u3), 0.00059604645f), 1e35f);
        v[(at_x + i) * TILE] = u4;
    }
    double s2 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const float u5 = v[(at_inverse + i) * TILE];
        const float u6 = v[(at_x + i) * TILE];
        const int b0 = (u5 < 0.0f) && ((((double)(fabsf(u5) * 0.00059604645f)) < p0) || (u6 < 1.0f));
        s2 = b0 ? 1.0 : s2;
    }
    double s3 = s2;
    for (unsigned i = 3; i < 5; ++i) {
        const float u7 = v[(at_inverse + i) * TILE];
        const double v0 = ((u7 < 0.0f) && (((double)(fabsf(u7) * 0.59604645f)) < p0)) ? 1.0 : s3;
        s3 = v0;
    }
    const double v1 = (0.0 < s3) ? 1.0 : 0.0;
    w[at_grows * TILE] = v1;
    const double v2 = w[(a4 + 3) * TILE];
    const double v3 = w[(at_y + 3) * TILE];
    float s4 = 0.0;
    for (unsigned i = 0; i < 5; ++i) {
        const double v4 = w[(a4 + N[124 + i]) * TILE];
        float s5 = fabs(v4);
        for (unsigned j = N[129 + i]; j < N[129 + i + 1]; ++j) {
            const float u8 = v[(at_jac + j) * TILE];
            const double v5 = w[(at_y + N[124 + N[140 + j]]) * TILE];
            s5 = (fabs(v5) <= 0.0) ? s5 : largerf(fabsf(u8), s5);
        }
        const double v6 = w[(at_y + N[124 + i]) * TILE];
        s4 = (fabs(v6) <= 0.0) ? largerf(s5, s4) : s4;
    }
    double s6 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const float u9 = v[(at_inverse + i) * TILE];
        const float u10 = v[(at_x + i) * TILE];
        const int b1 = (((double)(fabsf(u9) * 0.00059604645f)) < p0) || (u10 < 1.0f);
        const double v7 = w[(at_y + N[124 + i]) * TILE];
        s6 = (((u9 < 0.0f) && b1) && (!(fabs(v7) <= 0.0))) ? 1.0 : s6;
    }
    double s7 = s6;
    for (unsigned i = 3; i < 5; ++i) {
        const float u11 = v[(at_inverse + i) * TILE];
        const double v8 = w[(at_y + N[124 + i]) * TILE];
        const int b2 = ((u11 < 0.0f) && (((double)(fabsf(u11) * 0.59604645f)) < p0)) && (!(fabs(v8) <= 0.0));
        s7 = b2 ? 1.0 : s7;
    }
    const double v9 = ((fabs(v2) <= ((v3 * p1) * 0.01)) && (s4 <= 0.0f)) ? ((0.0 < s7) ? 1.0 : 0.0) : v1;
    w[at_grows * TILE] = v9;
}

static __attribute__((noinline)) void first_stage(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N) {
    for (unsigned i = 0; i < 5; ++i) {
        const double v0 = w[(at_f + i) * TILE];
        w[(at_k1 + i) * TILE] = v0;
    }
}

static __attribute__((noinline)) void solve(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N, unsigned a0) {
    for (unsigned i = 0; i < 5; ++i) {
        const double v0 = w[(a0 + N[124 + i]) * TILE];
        float s0 = v0;
        for (unsigned j = N[129 + i]; j < N[135 + i]; ++j) {
            const float u0 = v[(at_jac + j) * TILE];
            const float u1 = v[(at_x + N[140 + j]) * TILE];
            s0 = fmaf(-u0, u1, s0);
        }
        v[(at_x + i) * TILE] = s0;
    }
    for (unsigned i = 0; i < 5; ++i) {
        const unsigned n0 = 4u - i;
        const float u2 = v[(at_x + n0) * TILE];
        float s1 = u2;
        for (unsigned j = 23u - N[129 + n0 + 1]; j < (22u - N[135 + n0]); ++j) {
            const unsigned n1 = 22u - j;
            const float u3 = v[(at_jac + n1) * TILE];
            const float u4 = v[(at_x + N[140 + n1]) * TILE];
            s1 = fmaf(-u3, u4, s1);
        }
        const float u5 = v[(at_inverse + n0) * TILE];
        const float u6 = s1 * u5;
        v[(at_x + n0) * TILE] = u6;
        w[(a0 + N[124 + n0]) * TILE] = u6;
    }
}

static __attribute__((noinline)) void add_stages(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N) {
    for (unsigned i = 0; i < 5; ++i) {
        const double v0 = w[(at_y + i) * TILE];
        const double v1 = w[(at_k1 + i) * TILE];
        w[(at_y1 + i) * TILE] = fma(0.585786437626905, v1, v0);
    }
}

static __attribute__((noinline)) void arrhenius_2(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N) {
    const double v0 = w[at_ln_t * TILE];
    const double v1 = w[at_inv_t * TILE];
    w[at_rate_constant * TILE] = 1.0;
    w[(at_progress + 2) * TILE] = 0.0;
    for (unsigned i = 0; i < 2; ++i) {
        const double v2 = exponential(fma(R[33 + i * 2], v0, -(R[33 + (i * 2) + 1] * v1)));
        w[(at_rate_constant + i + 1) * TILE] = v2;
    }
}

static __attribute__((noinline)) void activities_2(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N) {
    for (unsigned i = 0; i < 3; ++i) {
        const double v0 = w[(at_conc + i) * TILE];
        const double v1 = w[(at_exp_plus + i) * TILE];
        w[(at_act + i) * TILE] = v0 * v1;
    }
}

static __attribute__((noinline)) void mass_action_2(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N) {
    for (unsigned i = 0; i < 2; ++i) {
        const unsigned n0 = i * 5;
        const unsigned n1 = N[9 + n0 + 2];
        const double v0 = w[(at_conc + n1) * TILE];
        const double v1 = w[(at_act + N[9 + n0 + 3]) * TILE];
        const double v2 = w[(at_act + N[9 + n0 + 4]) * TILE];
        const double v3 = w[(at_exp_minus + n1) * TILE];
        const double v4 = w[(at_third + N[9 + n0 + 1]) * TILE];
        const double v5 = w[(at_rate_constant + N[9 + n0]) * TILE];
        const double v6 = v5 * R[42 + i];
        w[(at_progress + i) * TILE] = ((v6 * v0) - (((v6 * v3) * v1) * v2)) * v4;
    }
}

static __attribute__((noinline)) void rhs(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N) {
    const double v0 = w[at_floor * TILE];
    state(w, v, R, N, at_y1, v0);
    nasa9(w, v, R, N);
    const double v1 = w[at_temp * TILE];
    const double v2 = w[at_ln_t * TILE];
    const double v3 = w[at_inv_t * TILE];
    const int b0 = 10000.0 < v1;
    if (b0) {
        above_hold(w, v, R, N, v1, v3, v2, b0);
    }
    exponentials(w, v, R, N);
    third_bodies(w, v, R, N);
    arrhenius_2(w, v, R, N);
    activities_2(w, v, R, N);
    mass_action_2(w, v, R, N);
    const double v4 = w[at_inv_t * TILE];
    if (0.01 < v4) {
        cold_rates(w, v, R, N);
    }
    gather(w, v, R, N);
    balance(w, v, R, N, at_f, at_y1);
}

static __attribute__((noinline)) void add_stages_2(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N, double p0) {
    const double v0 = p0 * -1.17157287525381;
    for (unsigned i = 0; i < 5; ++i) {
        const double v1 = w[(at_f + i) * TILE];
        const double v2 = w[(at_k1 + i) * TILE];
        w[(at_k2 + i) * TILE] = fma(v0, v2, v1);
    }
}

static __attribute__((noinline)) void add_stages_3(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N) {
    for (unsigned i = 0; i < 5; ++i) {
        const double v0 = w[(at_y + i) * TILE];
        const double v1 = w[(at_k1 + i) * TILE];
        const double v2 = w[(at_k2 + i) * TILE];
        w[(at_y1 + i) * TILE] = fma(0.2928932188134525, v2, fma(0.8786796564403575, v1, v0));
    }
}

static __attribute__((noinline)) void add_stages_4(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N) {
    for (unsigned i = 0; i < 5; ++i) {
        const double v0 = w[(at_k1 + i) * TILE];
        const double v1 = w[(at_k2 + i) * TILE];
        w[(at_error + i) * TILE] = fma(2.34314575050762, v1, fma(2.34314575050762, v0, 0.0));
    }
}

static __attribute__((noinline)) void energy_lost(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N, unsigned a0, double p0) {
    const double v0 = w[(a0 + 3) * TILE];
    w[at_temp * TILE] = v0;
    w[at_ln_t * TILE] = logarithm(v0);
    w[at_inv_t * TILE] = 1.0 / v0;
    nasa9(w, v, R, N);
    const double v1 = w[at_temp * TILE];
    const double v2 = w[at_ln_t * TILE];
    const double v3 = w[at_inv_t * TILE];
    const int b0 = 10000.0 < v1;
    if (b0) {
        above_hold(w, v, R, N, v1, v3, v2, b0);
    }
    double s0 = 0.0;
    double s1 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const double v4 = w[(a0 + i) * TILE];
        const double v5 = w[(at_enthalpy + i) * TILE];
        const double v6 = w[(at_cp + i) * TILE];
        const double next_s0 = fma(fma(v5 - 0.0, v0, R[30 + i]), v4, s0);
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

static __attribute__((noinline)) void finish(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N, double p0, double p1) {
    const double v0 = w[142 * TILE];
    const double v1 = larger(v0, p0);
    const double v2 = w[141 * TILE];
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

static __attribute__((noinline)) void elements_lost(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N, double p0, int p1) {
    const double v0 = w[at_elements * TILE];
    const double v1 = w[at_elements_fed * TILE];
    const double v2 = p1 ? fma(p0, v1, v0) : v0;
    w[at_elements * TILE] = v2;
    const double v3 = fma(R[48], v2, 0.0);
    double s0 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const double v4 = w[(at_y + i) * TILE];
        s0 = s0 + (R[45 + i] * v4);
    }
    w[at_elements_lost * TILE] = (p1 && ((1e-14 * fabs(v3)) < fabs(v3 - s0))) ? 1.0 : 0.0;
}

static __attribute__((noinline)) void restore_elements(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N, int p0) {
    const double v0 = w[at_elements * TILE];
    double s0 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const double v1 = w[(at_y + i) * TILE];
        s0 = s0 + (R[49 + i] * v1);
    }
    double s1 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const double v2 = w[(at_y + i) * TILE];
        s1 = s1 + ((R[49 + i] * R[49 + i]) * larger(v2, 0.0));
    }
    const double v3 = (v0 - s0) * (((1e-9 * s1) < s1) ? (1.0 / s1) : 0.0);
    for (unsigned i = 0; i < 3; ++i) {
        const double v4 = w[(at_y + i) * TILE];
        const double v5 = fma(smaller(0.1, larger(-0.1, fma(R[49 + i], v3, 0.0))), larger(v4, 0.0), v4);
        w[(at_y + i) * TILE] = p0 ? v5 : v4;
    }
    double s2 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const double v6 = w[(at_y + i) * TILE];
        s2 = s2 + v6;
    }
    const double v7 = w[(at_y + 4) * TILE];
    w[(at_y + 4) * TILE] = p0 ? s2 : v7;
}

static __attribute__((noinline)) void cold_gas(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N, double p0) {
    double s0 = 0.0;
    for (unsigned i = 0; i < 1; ++i) {
        const double v0 = w[(at_y + N[19 + i * 3]) * TILE];
        const double v1 = w[(at_y + N[19 + (i * 3) + 1]) * TILE];
        const double v2 = w[(at_y + N[19 + (i * 3) + 2]) * TILE];
        const double v3 = (p0 < R[44 + i]) ? smaller(smaller(fabs(v0), fabs(v1)), fabs(v2)) : 0.0;
        s0 = larger(s0, v3);
    }
    w[at_lacking * TILE] = s0;
}

static __attribute__((noinline)) void judge(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N) {
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
        cold_gas(w, v, R, N, v9);
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

static __attribute__((noinline)) void attempt(SPACE double *restrict w, SPACE float *restrict v, __global const double *restrict R, __global const INDEX *restrict N) {
    const double v0 = w[at_atol * TILE];
    const double v1 = w[at_span * TILE];
    const double v2 = w[at_begun * TILE];
    const int b0 = v2 < 0.5;
    if (b0) {
        begin_cell(w, v, R, N, v0, v1, b0);
    }
    const double v3 = w[at_energy_known * TILE];
    const int b1 = v3 < 0.5;
    if (b1) {
        remember_energy(w, v, R, N, b1);
    }
    const double v4 = w[at_elements_fed_known * TILE];
    const int b2 = v4 < 0.5;
    if (b2) {
        remember_elements(w, v, R, N, b2);
    }
    const double v5 = w[at_steps * TILE];
    const double v6 = w[at_atol * TILE];
    const double v7 = v6 * -10.0;
    w[at_slight * TILE] = v7;
    w[at_noise * TILE] = v7 - 1e-8;
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
        forget_absent(w, v, R, N, at_f, v8, v9);
    }
    jacobian_borders(w, v, R, N, at_f);
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
        for (unsigned i = 0; i < 3; ++i) {
            const unsigned n0 = N[338 + i];
            const double v18 = w[(at_y + n0) * TILE];
            w[(at_y1 + n0) * TILE] = fma(v14, fabs(v18), R[63 + i] * v16);
        }
        diagonal(w, v, R, N);
        shorten_first(w, v, R, N, b4);
    }
    w[at_fresh * TILE] = 0.0;
    const double v19 = w[at_h * TILE];
    const double v20 = w[at_left * TILE];
    const double v21 = (v20 <= (v19 * 1.01)) ? v20 : ((v20 < (v19 * 2.0)) ? (v20 * 0.5) : v19);
    const double v22 = w[at_atol * TILE];
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
    w[at_grows * TILE] = 0.0;
    if (s2 < 0.0f) {
        growth_in_place(w, v, R, N, at_f, s1, v24);
    }
    const double v25 = w[at_grows * TILE];
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
        const unsigned n1 = N[338 + i];
        const double v37 = w[(at_error + n1) * TILE];
        const double v38 = w[(at_y1 + N[338 + i]) * TILE];
        const double v39 = fabs(v37 / fma(v32, fabs(v38), (R[63 + i] * v33) * 0.001));
        const double v40 = R[66 + i];
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
    w[142 * TILE] = s4 * 0.25;
    const double v49 = w[at_rtol * TILE];
    energy_lost(w, v, R, N, at_y1, v21);
    const double v50 = w[(at_y + 3) * TILE];
    const double v51 = w[(at_y1 + 3) * TILE];
    const double v52 = w[at_energy_lost * TILE];
    const double v53 = w[at_energy_lost * TILE];
    const double v54 = smaller(fabs(v53), fabs((fma(v52, v51, v51) - v50) / v50)) / v49;
    const double v55 = v54 * 0.25;
    const int b7 = 0.001 < v55;
    if (b7) {
        for (unsigned i = 0; i < 5; ++i) {
            w[(at_k1 + i) * TILE] = 0.0;
        }
        const double v56 = w[at_energy_lost * TILE];
        const double v57 = w[(at_y1 + 3) * TILE];
        w[(at_k1 + 3) * TILE] = b7 ? ((v56 * v57) * v24) : 0.0;
        solve(w, v, R, N, at_k1);
        for (unsigned i = 0; i < 5; ++i) {
            const double v58 = w[(at_y1 + i) * TILE];
            const double v59 = w[(at_k1 + i) * TILE];
            w[(at_y1 + i) * TILE] = b7 ? (v58 + v59) : v58;
        }
        energy_lost(w, v, R, N, at_y1, v21);
    }
    w[141 * TILE] = (0.5 < v25) ? 1.0 : 0.0;
    if (b6) {
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
            forget_absent(w, v, R, N, at_k1, v60, v61);
        }
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
        w[at_grows * TILE] = 0.0;
        if (s7 < 0.0f) {
            growth_in_place(w, v, R, N, at_k1, s6, v65);
        }
        const double v66 = w[at_grows * TILE];
        const double v67 = w[141 * TILE];
        w[141 * TILE] = larger(v67, (b6 && (0.5 < v66)) ? 1.0 : 0.0);
        const double v68 = w[at_rhs_count * TILE];
        w[at_rhs_count * TILE] = v68 + (b6 ? 1.0 : 0.0);
        const double v69 = w[at_jac_count * TILE];
        w[at_jac_count * TILE] = v69 + (b6 ? 1.0 : 0.0);
        const double v70 = w[at_factor_count * TILE];
        w[at_factor_count * TILE] = v70 + (b6 ? 1.0 : 0.0);
    }
    finish(w, v, R, N, v55, v21);
    const double v71 = w[at_steps * TILE];
    const int b9 = v5 < v71;
    const double v72 = w[at_tried * TILE];
    elements_lost(w, v, R, N, v72, b9);
    const double v73 = w[at_elements_lost * TILE];
    const int b10 = 0.5 < v73;
    if (b10) {
        restore_elements(w, v, R, N, b10);
        const double v74 = w[at_energy_lost * TILE];
        const double v75 = w[at_energy_next * TILE];
        const double v76 = w[at_energy_next_at * TILE];
        energy_lost(w, v, R, N, at_y, v72);
        const double v77 = w[at_energy_lost * TILE];
        w[at_energy_lost * TILE] = b10 ? v77 : v74;
        const double v78 = w[at_energy_next * TILE];
        w[at_energy_next * TILE] = b10 ? v78 : v75;
        const double v79 = w[at_energy_next_at * TILE];
        w[at_energy_next_at * TILE] = b10 ? v79 : v76;
    }
    const double v80 = w[(at_y + 3) * TILE];
    const double v81 = w[at_energy_lost * TILE];
    w[(at_y + 3) * TILE] = b9 ? fma(smaller(3.0, larger(-0.7, v81)), v80, v80) : v80;
    const double v82 = w[at_energy_lost * TILE];
    const int b11 = b9 && (0.0001 < fabs(v82));
    if (b11) {
        const double v83 = w[at_energy_lost * TILE];
        const double v84 = w[at_energy_next * TILE];
        const double v85 = w[at_energy_next_at * TILE];
        energy_lost(w, v, R, N, at_y, v72);
        const double v86 = w[at_energy_lost * TILE];
        w[at_energy_lost * TILE] = b11 ? v86 : v83;
        const double v87 = w[at_energy_next * TILE];
        w[at_energy_next * TILE] = b11 ? v87 : v84;
        const double v88 = w[at_energy_next_at * TILE];
        w[at_energy_next_at * TILE] = b11 ? v88 : v85;
        const double v89 = w[(at_y + 3) * TILE];
        const double v90 = w[at_energy_lost * TILE];
        w[(at_y + 3) * TILE] = b11 ? fma(smaller(3.0, larger(-0.7, v90)), v89, v89) : v89;
    }
    const double v91 = w[at_energy_next * TILE];
    const double v92 = w[at_energy * TILE];
    w[at_energy * TILE] = b9 ? v91 : v92;
    const double v93 = w[at_energy_next_at * TILE];
    const double v94 = w[at_energy_at * TILE];
    w[at_energy_at * TILE] = b9 ? v93 : v94;
    judge(w, v, R, N);
}

