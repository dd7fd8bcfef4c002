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

static const double R0[27] = {
    0.0, 0.0, 3.5225367344913607, 0.0, 0.0, 0.0, 0.0, -12122.001950551501, -20.076242752524195, 0.0, 0.0,
    2.5160976674938293, 0.0, 0.0, 0.0, 0.0, 19881.362410791084, -3.696797838414188, 0.0, 0.0, 2.5160976674938293,
    0.0, 0.0, 0.0, 0.0, -1008.0793420975954, -9.825515114950537,
};

static const double R1[3] = {
    11071.757623162901, 5535.8788115814505, 257.9048225343102,
};

static const double R2[3] = {
    2.0, 1.0, 0.0,
};

static const double R3[2] = {
    1.0, 0.0,
};

static const double R4[3] = {
    1.5, -1.0, 1.0,
};

static const double R5[4] = {
    -1.4, 35225.367344913604, -1.1, 52536.11929727115,
};

static const double R6[2] = {
    45770000000000.0, 5840000000000.0,
};

static const double R7[9] = {
    -1.0, 1.0, 1.5, -1.0, 1.0, 1.5, -1.0, 1.0, 1.5,
};

static const double R8[2] = {
    1.0, 1.0,
};

static const double R9[3] = {
    496.031746031746, 992.063492063492, 1.0,
};

static const double R10[1] = {
    1.618033988749895,
};

static const double R11[3] = {
    3.23606797749979, 1.618033988749895, 0.0,
};

static const double R12[1] = {
    52.5,
};

static const double R13[3] = {
    0.002016, 0.001008, 0.0,
};

static const unsigned short N0[3] = {
    0, 1, 2,
};

static const unsigned short N1[3] = {
    0, 2, 3,
};

static const unsigned short N2[3] = {
    0, 2, 2,
};

static const unsigned short N3[10] = {
    1, 0, 0, 1, 1, 2, 1, 0, 1, 1,
};

static const unsigned short N4[9] = {
    0, 0, 0, 0, 0, 2, 2, 6, 6,
};

static const unsigned short N5[6] = {
    0, 1, 0, 0, 1, 1,
};

static const unsigned short N6[3] = {
    2, 0, 1,
};

static const unsigned short N7[8] = {
    0, 2, 3, 2, 8, 2, 18, 2,
};

static const unsigned short N8[8] = {
    0, 7, 1, 7, 0, 3, 1, 3,
};

static const unsigned short N9[4] = {
    4, 0, 19, 0,
};

static const unsigned short N10[24] = {
    0, 1, 0, 1, 1, 1, 1, 1, 0, 3, 0, 3, 1, 3, 1, 3, 0, 5, 0, 5, 1, 5, 1, 5,
};

static const unsigned short N11[6] = {
    5, 1, 9, 0, 20, 1,
};

static const unsigned short N12[16] = {
    0, 5, 0, 5, 0, 5, 0, 5, 1, 5, 1, 5, 1, 5, 1, 5,
};

static const unsigned short N13[2] = {
    10, 1,
};

static const unsigned short N14[18] = {
    0, 0, 1, 1, 1, 2, 2, 3, 3, 3, 4, 4, 4, 6, 6, 6, 8, 8,
};

static const unsigned short N15[8] = {
    0, 1, 0, 1, 0, 0, 1, 1,
};

static const unsigned short N16[6] = {
    0, 3, 2, 5, 1, 4,
};

static const unsigned short N17[6] = {
    3, 4, 8, 9, 18, 19,
};

static const unsigned short N18[7] = {
    0, 2, 3, 5, 6, 8, 9,
};

static const unsigned short N19[9] = {
    0, 3, 0, 1, 4, 1, 2, 5, 2,
};

static const unsigned short N20[3] = {
    0, 1, 2,
};

static const unsigned short N21[2] = {
    0, 1,
};

static const unsigned short N22[3] = {
    0, 1, 2,
};

static const unsigned short N23[2] = {
    0, 1,
};

static const unsigned short N24[4] = {
    0, 3, 6, 7,
};

static const unsigned short N25[14] = {
    4, 0, 5, 1, 3, 2, 9, 0, 10, 1, 8, 2, 0, 2,
};

static const unsigned short N26[12] = {
    6, 7, 14, 19, 11, 12, 15, 20, 1, 2, 13, 18,
};

static const unsigned short N27[5] = {
    2, 0, 1, 3, 4,
};

static const unsigned short N28[5] = {
    0, 4, 10, 16, 22,
};

static const unsigned short N29[3] = {
    0, 1, 3,
};

static const unsigned short N30[6] = {
    0, 3, 8, 13, 18, 23,
};

static const unsigned short N31[23] = {
    0, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4,
};

static const unsigned short N32[6] = {
    0, 0, 0, 1, 4, 8,
};

static const unsigned short N33[16] = {
    1, 5, 0, 1, 1, 6, 2, 11, 0, 2, 1, 7, 2, 12, 3, 17,
};

static const unsigned short N34[3] = {
    1, 1, 1,
};

static void begin_cell(double *restrict w, double p0, double p1, int p2) {
    const double v0 = p0 * -0.01;
    const double v1 = p0 * -10.0;
    for (unsigned i = 0; i < 3; ++i) {
        const double v2 = w[at_y + i];
        const double v3 = w[at_source + i];
        const double v4 = w[at_owing + i];
        w[at_owing + i] = p2 ? ((((v3 * p1) < v0) || (v2 < v1)) ? 1.0 : 0.0) : v4;
    }
    w[at_begun] = 1.0;
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

static void nasa9(double *restrict w) {
    const double v0 = w[at_temp];
    const int b0 = 10000.0 < v0;
    const double v1 = smaller(10000.0, v0);
    const double v2 = w[at_ln_t];
    const double v3 = b0 ? 9.210340371976184 : v2;
    const double v4 = w[at_inv_t];
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
        const unsigned n0 = N0[i];
        const unsigned n1 = i * 9;
        const double v28 = R0[n1];
        const double v29 = R0[n1 + 1];
        const double v30 = R0[n1 + 2];
        const double v31 = R0[n1 + 3];
        const double v32 = R0[n1 + 4];
        const double v33 = R0[n1 + 5];
        const double v34 = R0[n1 + 6];
        const double v35 = R0[n1 + 7];
        const double v36 = fma(v31, v19, fma(v30, v18, fma(v29, v17, fma(v28, v16, v3 - R0[n1 + 8]))));
        const double v37 = fma(v35, v5, fma(v34, v22, fma(v33, v21, fma(v32, v20, v36))));
        w[at_gibbs + n0] = v37;
        const double v38 = fma(v31, v12, fma(v30, 1.0, fma(v29, v11, fma(v28, v10, 0.0))));
        const double v39 = fma(v35, v5, fma(v34, v15, fma(v33, v14, fma(v32, v13, v38))));
        w[at_enthalpy + n0] = v39;
        const double v40 = fma(v32, v6, fma(v31, v1, fma(v30, 1.0, fma(v29, v5, fma(v28, v7, 0.0)))));
        w[at_cp + n0] = fma(v34, v9, fma(v33, v8, v40));
        const double v41 = fma(v31, 1.0, fma(v30, 0.0, fma(v29, v24, fma(v28, v23, 0.0))));
        w[at_dcp + n0] = fma(v34, v27, fma(v33, v26, fma(v32, v25, v41)));
    }
}

static void above_hold(double *restrict w, double p0, double p1, double p2, int p3) {
    const double v0 = (p0 - 10000.0) * p1;
    const double v1 = p2 - 9.210340371976184;
    for (unsigned i = 0; i < 3; ++i) {
        const double v2 = w[at_gibbs + i];
        const double v3 = w[at_enthalpy + i];
        const double v4 = w[at_cp + i];
        const double v5 = fma(v0, v4, v3 * (10000.0 * p1));
        w[at_gibbs + i] = p3 ? fma(1.0 - v4, v1, v2 + (v5 - v3)) : v2;
        w[at_enthalpy + i] = p3 ? v5 : v3;
    }
}

static void remember_energy(double *restrict w, int p0) {
    const double v0 = w[at_y + 3];
    w[at_temp] = v0;
    w[at_ln_t] = logarithm(v0);
    w[at_inv_t] = 1.0 / v0;
    nasa9(w);
    const double v1 = w[at_temp];
    const double v2 = w[at_ln_t];
    const double v3 = w[at_inv_t];
    const int b0 = 10000.0 < v1;
    if (b0) {
        above_hold(w, v1, v3, v2, b0);
    }
    double s0 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const double v4 = w[at_y + i];
        const double v5 = w[at_enthalpy + i];
        s0 = fma(fma(v5 - 0.0, v0, R1[i]), v4, s0);
    }
    const double v6 = w[at_energy];
    w[at_energy] = p0 ? (s0 * 8.31446261815324) : v6;
    const double v7 = w[at_y + 3];
    const double v8 = w[at_energy_at];
    w[at_energy_at] = p0 ? v7 : v8;
    w[at_energy_known] = 1.0;
}

static void remember_elements(double *restrict w, int p0) {
    const double v0 = w[at_elements_known];
    double s0 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const double v1 = w[at_y + i];
        s0 = s0 + (R2[i] * v1);
    }
    const double v2 = w[at_elements];
    w[at_elements] = (p0 && (v0 < 0.5)) ? s0 : v2;
    double s1 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const double v3 = w[at_source + i];
        s1 = s1 + (R2[i] * v3);
    }
    const double v4 = w[at_elements_fed];
    w[at_elements_fed] = p0 ? s1 : v4;
    w[at_elements_known] = 1.0;
    w[at_elements_fed_known] = 1.0;
}

static void state(double *restrict w, unsigned a0, double p0) {
    const double v0 = w[a0 + 3];
    const double v1 = w[a0 + 4];
    const double v2 = w[at_pressure];
    const double v3 = v2 / (v0 * 8.31446261815324);
    const double v4 = v3 / v1;
    w[at_temp] = v0;
    w[at_ln_t] = logarithm(v0);
    w[at_inv_t] = 1.0 / v0;
    w[at_rho] = v4;
    w[at_ctot] = v3;
    for (unsigned i = 0; i < 3; ++i) {
        const double v5 = w[a0 + i];
        w[at_conc + i] = v4 * larger(p0, v5);
    }
}

static void above_hold_2(double *restrict w, double p0, double p1, double p2, int p3) {
    const double v0 = (p0 - 10000.0) * p1;
    const double v1 = p2 - 9.210340371976184;
    for (unsigned i = 0; i < 3; ++i) {
        const double v2 = w[at_gibbs + i];
        const double v3 = w[at_enthalpy + i];
        const double v4 = w[at_cp + i];
        const double v5 = fma(v0, v4, v3 * (10000.0 * p1));
        w[at_gibbs + i] = p3 ? fma(1.0 - v4, v1, v2 + (v5 - v3)) : v2;
        w[at_enthalpy + i] = p3 ? v5 : v3;
        const double v6 = w[at_dcp + i];
        w[at_dcp + i] = p3 ? 0.0 : v6;
    }
}

static void exponentials(double *restrict w) {
    for (unsigned i = 0; i < 3; ++i) {
        const double v0 = w[at_gibbs + i];
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
        w[at_exp_plus + i] = b0 ? 0.0 : scale(v8 + v9, v2);
        w[at_exp_minus + i] = b0 ? 0.0 : scale(v8 - v9, -v2);
    }
}

static void third_bodies(double *restrict w) {
    const double v0 = w[at_ctot];
    for (unsigned i = 0; i < 2; ++i) {
        double s0 = R3[i] * v0;
        for (unsigned j = N1[i]; j < N1[i + 1]; ++j) {
            const double v1 = w[at_conc + N2[j]];
            s0 = fma(R4[j], v1, s0);
        }
        w[at_third + i] = larger(0.0, s0);
    }
}

static double exponential(double x) {
    const double v0 = fma(x, 1.4426950408889634, 6755399441055744.0) - 6755399441055744.0;
    const double v1 = fma(v0, -5.497923018708371e-14, fma(v0, -0.6931471805598903, x));
    const double v2 = fma(fma(2.7476799471435566e-7, v1, 2.7634990759003605e-6), v1, 2.48019317107923e-5);
    const double v3 = fma(fma(v2, v1, 0.00019841185236261458), v1, 0.0013888888516233977);
    const double v4 = fma(fma(v3, v1, 0.008333333370870067), v1, 0.04166666666813646);
    const double v5 = fma(fma(v4, v1, 0.16666666666611554), v1, 0.49999999999998324);
    return scale(fma(v5 * v1, v1, v1) + 1.0, v0);
}

static void arrhenius(double *restrict w) {
    const double v0 = w[at_ln_t];
    const double v1 = w[at_inv_t];
    w[at_rate_constant] = 1.0;
    w[at_progress + 2] = 0.0;
    w[at_rate_constant_t] = 0.0;
    w[at_progress_t + 2] = 0.0;
    w[at_rates_or_lu + 2] = 0.0;
    for (unsigned i = 0; i < 2; ++i) {
        const double v2 = R5[i * 2];
        const double v3 = R5[(i * 2) + 1];
        const double v4 = exponential(fma(v2, v0, -(v3 * v1)));
        w[at_rate_constant + i + 1] = v4;
        w[at_rate_constant_t + i + 1] = v4 * (fma(v3, v1, v2) * v1);
    }
}

static void activities(double *restrict w) {
    for (unsigned i = 0; i < 3; ++i) {
        const double v0 = w[at_conc + i];
        const double v1 = w[at_exp_plus + i];
        const double v2 = v0 * v1;
        w[at_act + i] = v2;
        w[at_act + i + 4] = -v2;
    }
    w[at_act + 3] = 1.0;
    w[at_act + 7] = -1.0;
}

static void mass_action(double *restrict w) {
    const double v0 = w[at_inv_t];
    for (unsigned i = 0; i < 2; ++i) {
        const unsigned n0 = i * 5;
        const unsigned n1 = N3[n0];
        const double v1 = R6[i];
        const unsigned n2 = N3[n0 + 2];
        const unsigned n3 = N3[n0 + 3];
        const unsigned n4 = N3[n0 + 4];
        const double v2 = w[at_conc + n2];
        const double v3 = w[at_act + n3];
        const double v4 = w[at_act + n4];
        const double v5 = w[at_exp_minus + n2];
        const double v6 = w[at_third + N3[n0 + 1]];
        const double v7 = w[at_rate_constant + n1];
        const double v8 = v7 * v1;
        const double v9 = ((v8 * v5) * v3) * v4;
        const double v10 = (v8 * v2) - v9;
        w[at_progress + i] = v10 * v6;
        w[at_rates_or_lu + i] = smaller(larger(v8 * v5, -1e300), 1e300) * v6;
        const double v11 = w[at_rate_constant_t + n1];
        const double v12 = v11 * v1;
        const double v13 = w[at_enthalpy + n3];
        const double v14 = w[at_enthalpy + n4];
        const double v15 = w[at_enthalpy + n2];
        const double v16 = fma(v9, (((-1.0 + v13) + v14) - v15) * v0, (v12 * v2) - (((v12 * v5) * v3) * v4));
        w[at_progress_t + i] = v16 * v6;
        w[at_extra + i] = v10;
    }
}

static void cold_rates(double *restrict w) {
    const double v0 = w[at_inv_t];
    const double v1 = w[at_ln_t];
    const double v2 = w[at_inv_t];
    const double v3 = w[at_gibbs];
    const double v4 = w[at_gibbs + 1];
    const double v5 = fma(v4, 2.0, fma(v3, -1.0, fma(0.0, v2, 0.0))) - (R5[3] * v2);
    const double v6 = w[at_third + 1];
    const double v7 = 5840000000000.0 * v6;
    const double v8 = w[at_conc + 1];
    const double v9 = (v7 * exponential(fma(R5[2], v1, v5))) * (1.0 * (v8 * fabs(v8)));
    const double v10 = w[at_rate_constant + 2];
    const double v11 = w[at_conc];
    const double v12 = w[at_progress + 1];
    w[at_progress + 1] = (0.01 < v0) ? (((v7 * v10) * (1.0 * v11)) - v9) : v12;
}

static void gather(double *restrict w, unsigned a0, unsigned a1) {
    for (unsigned i = 0; i < 3; ++i) {
        const unsigned n0 = i * 3;
        const unsigned n1 = N4[n0 + 1];
        double s0 = 0.0;
        for (unsigned j = N4[n0]; j < n1; ++j) {
            const double v0 = w[a0 + N5[j]];
            s0 = s0 + v0;
        }
        double s1 = s0;
        for (unsigned j = n1; j < N4[n0 + 2]; ++j) {
            const double v1 = w[a0 + N5[j]];
            s1 = s1 - v1;
        }
        w[a1 + N6[i]] = s1;
    }
}

static void balance(double *restrict w, unsigned a3, unsigned a5) {
    const double v0 = w[at_rho];
    const double v1 = 1.0 / v0;
    for (unsigned i = 0; i < 3; ++i) {
        const double v2 = w[at_wdot + i];
        const double v3 = w[at_source + i];
        w[a3 + i] = fma(v2, v1, v3);
    }
    const double v4 = w[at_temp];
    double s0 = 0.0;
    double s1 = 0.0;
    double s2 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const double v5 = w[a3 + i];
        const double v6 = w[a5 + i];
        const double v7 = w[at_cp + i];
        const double v8 = w[at_enthalpy + i];
        const double next_s0 = s0 + v5;
        const double next_s1 = fma(v6, v7 - 0.0, s1);
        const double next_s2 = fma(fma(v8 - 0.0, v4, R1[i]), v5, s2);
        s0 = next_s0;
        s1 = next_s1;
        s2 = next_s2;
    }
    w[a3 + 4] = s0;
    const double v9 = s1 * 8.31446261815324;
    const double v10 = w[at_heating];
    const double v11 = (v10 - (s2 * 8.31446261815324)) / v9;
    w[a3 + 3] = v11;
    w[at_tdot] = v11;
    w[at_cmix] = v9;
}

static void jacobian_slots(double *restrict w, unsigned a27) {
    const double v0 = w[at_floor];
    state(w, at_y, v0);
    nasa9(w);
    const double v1 = w[at_temp];
    const double v2 = w[at_ln_t];
    const double v3 = w[at_inv_t];
    const int b0 = 10000.0 < v1;
    if (b0) {
        above_hold_2(w, v1, v3, v2, b0);
    }
    exponentials(w);
    third_bodies(w);
    arrhenius(w);
    activities(w);
    mass_action(w);
    const double v4 = w[at_inv_t];
    if (0.01 < v4) {
        cold_rates(w);
    }
    gather(w, at_progress, at_wdot);
    balance(w, a27, at_y);
}

static void few_products(double *restrict w) {
    for (unsigned i = 0; i < 4; ++i) {
        w[at_jac + N7[i * 2]] = 0.0;
    }
}

static void few_products_2(double *restrict w) {
    for (unsigned i = 0; i < 2; ++i) {
        const unsigned n0 = i * 4;
        const double v0 = w[at_rates_or_lu + N8[n0]];
        const double v1 = w[at_act + N8[n0 + 1]];
        const double v2 = w[at_rates_or_lu + N8[n0 + 2]];
        const double v3 = w[at_act + N8[n0 + 3]];
        const double v4 = w[at_exp_plus + N9[(i * 2) + 1]];
        w[at_jac + N9[i * 2]] = fma(v2, v3, v0 * v1) * v4;
    }
}

static void few_products_3(double *restrict w) {
    for (unsigned i = 0; i < 3; ++i) {
        const unsigned n0 = i * 8;
        const double v0 = w[at_rates_or_lu + N10[n0]];
        const double v1 = w[at_act + N10[n0 + 1]];
        const double v2 = w[at_rates_or_lu + N10[n0 + 2]];
        const double v3 = w[at_act + N10[n0 + 3]];
        const double v4 = w[at_rates_or_lu + N10[n0 + 4]];
        const double v5 = w[at_act + N10[n0 + 5]];
        const double v6 = w[at_rates_or_lu + N10[n0 + 6]];
        const double v7 = w[at_act + N10[n0 + 7]];
        const double v8 = w[at_exp_plus + N11[(i * 2) + 1]];
        w[at_jac + N11[i * 2]] = fma(v6, v7, fma(v4, v5, fma(v2, v3, v0 * v1))) * v8;
    }
}

static void few_products_4(double *restrict w) {
    for (unsigned i = 0; i < 1; ++i) {
        const unsigned n0 = i * 16;
        const double v0 = w[at_rates_or_lu + N12[n0]];
        const double v1 = w[at_act + N12[n0 + 1]];
        const double v2 = w[at_rates_or_lu + N12[n0 + 2]];
        const double v3 = w[at_act + N12[n0 + 3]];
        const double v4 = w[at_rates_or_lu + N12[n0 + 4]];
        const double v5 = w[at_act + N12[n0 + 5]];
        const double v6 = w[at_rates_or_lu + N12[n0 + 6]];
        const double v7 = w[at_act + N12[n0 + 7]];
        const double v8 = w[at_rates_or_lu + N12[n0 + 8]];
        const double v9 = w[at_act + N12[n0 + 9]];
        const double v10 = w[at_rates_or_lu + N12[n0 + 10]];
        const double v11 = w[at_act + N12[n0 + 11]];
        const double v12 = fma(v10, v11, fma(v8, v9, fma(v6, v7, fma(v4, v5, fma(v2, v3, v0 * v1)))));
        const double v13 = w[at_rates_or_lu + N12[n0 + 12]];
        const double v14 = w[at_act + N12[n0 + 13]];
        const double v15 = w[at_rates_or_lu + N12[n0 + 14]];
        const double v16 = w[at_act + N12[n0 + 15]];
        const double v17 = w[at_exp_plus + N13[(i * 2) + 1]];
        w[at_jac + N13[i * 2]] = fma(v15, v16, fma(v13, v14, v12)) * v17;
    }
}

static void gather_2(double *restrict w) {
    for (unsigned i = 0; i < 6; ++i) {
        const unsigned n0 = i * 3;
        const unsigned n1 = N14[n0 + 1];
        double s0 = 0.0;
        for (unsigned j = N14[n0]; j < n1; ++j) {
            const double v0 = w[at_extra + N15[j]];
            s0 = s0 + v0;
        }
        double s1 = s0;
        for (unsigned j = n1; j < N14[n0 + 2]; ++j) {
            const double v1 = w[at_extra + N15[j]];
            s1 = s1 - v1;
        }
        w[at_jac_third + N16[i]] = s1;
    }
}

static void spread(double *restrict w) {
    for (unsigned i = 0; i < 6; ++i) {
        const unsigned n0 = N17[i];
        const double v0 = w[at_jac + n0];
        double s0 = v0;
        for (unsigned j = N18[i]; j < N18[i + 1]; ++j) {
            const double v1 = w[at_jac_third + N19[j]];
            s0 = fma(R7[j], v1, s0);
        }
        w[at_jac + n0] = s0;
    }
}

static void gather_3(double *restrict w) {
    for (unsigned i = 0; i < 3; ++i) {
        w[at_wdot_ctot + N20[i]] = 0.0;
    }
}

static void spread_2(double *restrict w) {
    for (unsigned i = 0; i < 2; ++i) {
        const unsigned n0 = N21[i];
        const double v0 = w[at_wdot_ctot + n0];
        double s0 = v0;
        for (unsigned j = N22[i]; j < N22[i + 1]; ++j) {
            const double v1 = w[at_jac_third + N23[j]];
            s0 = fma(R8[j], v1, s0);
        }
        w[at_wdot_ctot + n0] = s0;
    }
}

static void jacobian_entries(double *restrict w) {
    few_products(w);
    few_products_2(w);
    few_products_3(w);
    few_products_4(w);
    gather_2(w);
    spread(w);
    gather(w, at_progress_t, at_wdot_t);
    gather_3(w);
    spread_2(w);
}

static void forget_absent(double *restrict w, unsigned a1, double p0, double p1) {
    for (unsigned i = N24[0]; i < N24[3]; ++i) {
        const unsigned n0 = N25[i * 2];
        const unsigned n1 = N25[(i * 2) + 1];
        const double v0 = w[at_y + n1];
        const double v1 = w[a1 + n1];
        const double v2 = w[at_owing + n1];
        const int b0 = (0.0 < (v2 * p0)) && ((v0 < 0.0) || ((v0 <= 0.0) && (v1 <= 0.0)));
        const double v3 = w[at_jac + n0];
        w[at_jac + n0] = ((v0 < p1) || b0) ? 0.0 : v3;
    }
    for (unsigned i = 0; i < 3; ++i) {
        const unsigned n2 = N26[(i * 4) + 3];
        const double v4 = w[at_y + i];
        const double v5 = w[a1 + i];
        const double v6 = w[at_owing + i];
        const int b1 = (0.0 < (v6 * p0)) && ((v4 < 0.0) || ((v4 <= 0.0) && (v5 <= 0.0)));
        const double v7 = w[at_jac + n2];
        w[at_jac + n2] = ((v4 < p1) || b1) ? 0.0 : v7;
    }
}

static void jacobian_borders(double *restrict w, unsigned a14) {
    const double v0 = w[at_temp];
    const double v1 = w[at_inv_t];
    const double v2 = w[at_rho];
    const double v3 = w[at_ctot];
    const double v4 = w[at_y + 4];
    const double v5 = 1.0 / v2;
    const double v6 = 1.0 / v4;
    const double v7 = w[at_tdot];
    const double v8 = w[at_cmix];
    const double v9 = -8.31446261815324 / v8;
    for (unsigned i = 0; i < 3; ++i) {
        const double v10 = w[at_cp + i];
        w[at_heat + i] = (v10 - 0.0) * v7;
    }
    for (unsigned i = 0; i < 3; ++i) {
        const double v11 = w[at_enthalpy + i];
        const double v12 = fma(v11 - 0.0, v0, R1[i]);
        const double v13 = w[at_wdot + i];
        double s0 = -(v13 * v5);
        for (unsigned j = N24[i]; j < N24[i + 1]; ++j) {
            const double v14 = w[at_jac + N25[j * 2]];
            const unsigned n0 = N25[(j * 2) + 1];
            const double v15 = w[at_heat + n0];
            w[at_heat + n0] = fma(v12, v14, v15);
            const double v16 = w[at_y + n0];
            s0 = fma(v14, v16, s0);
        }
        w[at_jac + N26[(i * 4) + 1]] = s0;
    }
    for (unsigned i = 0; i < 3; ++i) {
        const double v17 = w[at_jac + N26[(i * 4) + 1]];
        w[at_jac + N26[(i * 4) + 1]] = -(v17 * v6);
        const double v18 = w[at_wdot_t + i];
        const double v19 = w[at_wdot_ctot + i];
        w[at_jac + N26[i * 4]] = ((v18 - ((v3 * v1) * v19)) * v5) - (v17 * v1);
        const double v20 = w[at_heat + i];
        w[at_jac + N26[(i * 4) + 2]] = v20 * v9;
    }
    double s1 = 0.0;
    double s2 = 0.0;
    double s3 = 0.0;
    double s4 = 0.0;
    double s5 = 0.0;
    double s6 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const double v21 = w[at_jac + N26[i * 4]];
        const double v22 = w[at_jac + N26[(i * 4) + 1]];
        const double v23 = w[at_enthalpy + i];
        const double v24 = fma(v23 - 0.0, v0, R1[i]);
        const double v25 = w[at_cp + i];
        const double v26 = w[a14 + i];
        const double v27 = w[at_y + i];
        const double v28 = w[at_dcp + i];
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
    w[at_jac + 21] = s1;
    w[at_jac + 22] = s2;
    w[at_jac + 16] = fma(s6, v7, s3 + s5) * v9;
    w[at_jac + 17] = s4 * v9;
}

static void diagonal(double *restrict w) {
    for (unsigned i = 0; i < 5; ++i) {
        const double v0 = w[at_jac + N28[i]];
        w[at_error + N27[i]] = v0;
    }
}

static void shorten_first(double *restrict w, int p0) {
    const double v0 = w[at_h];
    double s0 = 0.0;
    for (unsigned i = 0; i < 5; ++i) {
        const double v1 = w[at_error + i];
        const double v2 = fabs(v1);
        const double v3 = w[at_f + i];
        const double v4 = w[at_y1 + i];
        const double v5 = fabs(v3) / v4;
        s0 = ((v2 * 15.0) < v5) ? larger(s0, (v5 * v2) * (v2 * v2)) : s0;
    }
    const double v6 = 8.0 * sqrt(sqrt(15.0 / s0));
    w[at_h] = (p0 && (v6 < v0)) ? v6 : v0;
}

static void forgive(double *restrict w, double p0, double p1) {
    double s0 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const unsigned n0 = N29[i];
        const double v0 = w[at_y + n0];
        const double v1 = w[at_f + n0];
        const int b0 = ((v0 < 0.0) && ((-v0) < (R9[i] * p0))) && ((-v0) < (v1 * p1));
        s0 = s0 + (b0 ? (-v0) : 0.0);
    }
    for (unsigned i = 0; i < 3; ++i) {
        const unsigned n1 = N29[i];
        const double v2 = w[at_y + n1];
        const unsigned n2 = N29[i];
        const double v3 = w[at_y + n2];
        const double v4 = w[at_f + n2];
        const int b1 = ((v3 < 0.0) && ((-v3) < (R9[i] * p0))) && ((-v3) < (v4 * p1));
        w[at_y + n1] = v2 + (b1 ? (-v3) : 0.0);
    }
    const double v5 = w[at_y + 4];
    w[at_y + 4] = v5 + s0;
}

static void factor(double *restrict w, double p0) {
    for (unsigned i = 0; i < 5; ++i) {
        const unsigned n0 = N30[i];
        const unsigned n1 = N30[i + 1];
        const unsigned n2 = N28[i];
        for (unsigned j = n0; j < n1; ++j) {
            const double v0 = w[at_jac + j];
            w[at_x + N31[j]] = -v0;
        }
        const double v1 = w[at_x + i];
        w[at_x + i] = v1 + p0;
        for (unsigned j = n0; j < n2; ++j) {
            const unsigned n3 = N31[j];
            const double v2 = w[at_x + n3];
            const double v3 = w[at_inverse + n3];
            const double v4 = v2 * v3;
            w[at_jac + j] = v4;
            const double v5 = -v4;
            for (unsigned k = N28[n3] + 1; k < N30[n3 + 1]; ++k) {
                const unsigned n4 = N31[k];
                const double v6 = w[at_jac + k];
                const double v7 = w[at_x + n4];
                w[at_x + n4] = fma(v5, v6, v7);
            }
        }
        for (unsigned j = n2; j < n1; ++j) {
            const double v8 = w[at_x + N31[j]];
            w[at_jac + j] = v8;
        }
        const double v9 = w[at_x + i];
        w[at_inverse + i] = 1.0 / v9;
    }
}

static void growth_in_place(double *restrict w, unsigned a4, double p0, double p1) {
    for (unsigned i = 0; i < 3; ++i) {
        double s0 = 0.0;
        for (unsigned j = N30[i]; j < N28[i]; ++j) {
            const double v0 = w[at_jac + j];
            s0 = larger(fabs(v0), s0);
        }
        double s1 = 0.0;
        for (unsigned j = N32[i]; j < N32[i + 1]; ++j) {
            const double v1 = w[at_jac + N33[(j * 2) + 1]];
            const double v2 = w[at_x + N33[j * 2]];
            s1 = larger(fabs(v1) * (1.1102230246251565e-12 + v2), s1);
        }
        const double v3 = w[at_inverse + i];
        const double v4 = smaller(larger((s0 * s1) * fabs(v3), 1.1102230246251565e-12), 1e35);
        w[at_x + i] = v4;
    }
    double s2 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const double v5 = w[at_inverse + i];
        const double v6 = w[at_x + i];
        const int b0 = (v5 < 0.0) && (((fabs(v5) * 1.1102230246251565e-12) < p0) || (v6 < 1.0));
        s2 = b0 ? 1.0 : s2;
    }
    double s3 = s2;
    for (unsigned i = 3; i < 5; ++i) {
        const double v7 = w[at_inverse + i];
        const double v8 = ((v7 < 0.0) && ((fabs(v7) * 1.1102230246251565e-9) < p0)) ? 1.0 : s3;
        s3 = v8;
    }
    const double v9 = (0.0 < s3) ? 1.0 : 0.0;
    w[at_grows] = v9;
    const double v10 = w[a4 + 3];
    const double v11 = w[at_y + 3];
    double s4 = 0.0;
    for (unsigned i = 0; i < 5; ++i) {
        const double v12 = w[a4 + N27[i]];
        double s5 = fabs(v12);
        for (unsigned j = N30[i]; j < N30[i + 1]; ++j) {
            const double v13 = w[at_jac + j];
            const double v14 = w[at_y + N27[N31[j]]];
            s5 = (fabs(v14) <= 0.0) ? s5 : larger(fabs(v13), s5);
        }
        const double v15 = w[at_y + N27[i]];
        s4 = (fabs(v15) <= 0.0) ? larger(s5, s4) : s4;
    }
    double s6 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const double v16 = w[at_inverse + i];
        const double v17 = w[at_x + i];
        const int b1 = (v16 < 0.0) && (((fabs(v16) * 1.1102230246251565e-12) < p0) || (v17 < 1.0));
        const double v18 = w[at_y + N27[i]];
        s6 = (b1 && (!(fabs(v18) <= 0.0))) ? 1.0 : s6;
    }
    double s7 = s6;
    for (unsigned i = 3; i < 5; ++i) {
        const double v19 = w[at_inverse + i];
        const double v20 = w[at_y + N27[i]];
        const int b2 = ((v19 < 0.0) && ((fabs(v19) * 1.1102230246251565e-9) < p0)) && (!(fabs(v20) <= 0.0));
        s7 = b2 ? 1.0 : s7;
    }
    const double v21 = ((fabs(v10) <= ((v11 * p1) * 0.01)) && (s4 <= 0.0)) ? ((0.0 < s7) ? 1.0 : 0.0) : v9;
    w[at_grows] = v21;
}

static void first_stage(double *restrict w) {
    for (unsigned i = 0; i < 5; ++i) {
        const double v0 = w[at_f + i];
        w[at_k1 + i] = v0;
    }
}

static void solve(double *restrict w, unsigned a0) {
    for (unsigned i = 0; i < 5; ++i) {
        const double v0 = w[a0 + N27[i]];
        double s0 = v0;
        for (unsigned j = N30[i]; j < N28[i]; ++j) {
            const double v1 = w[at_jac + j];
            const double v2 = w[at_x + N31[j]];
            s0 = fma(-v1, v2, s0);
        }
        w[at_x + i] = s0;
    }
    for (unsigned i = 0; i < 5; ++i) {
        const unsigned n0 = 4u - i;
        const double v3 = w[at_x + n0];
        double s1 = v3;
        for (unsigned j = 23u - N30[n0 + 1]; j < (22u - N28[n0]); ++j) {
            const unsigned n1 = 22u - j;
            const double v4 = w[at_jac + n1];
            const double v5 = w[at_x + N31[n1]];
            s1 = fma(-v4, v5, s1);
        }
        const double v6 = w[at_inverse + n0];
        const double v7 = s1 * v6;
        w[at_x + n0] = v7;
        w[a0 + N27[n0]] = v7;
    }
}

static void add_stages(double *restrict w) {
    for (unsigned i = 0; i < 5; ++i) {
        const double v0 = w[at_y + i];
        const double v1 = w[at_k1 + i];
        w[at_y1 + i] = fma(0.585786437626905, v1, v0);
    }
}

static void arrhenius_2(double *restrict w) {
    const double v0 = w[at_ln_t];
    const double v1 = w[at_inv_t];
    w[at_rate_constant] = 1.0;
    w[at_progress + 2] = 0.0;
    for (unsigned i = 0; i < 2; ++i) {
        w[at_rate_constant + i + 1] = exponential(fma(R5[i * 2], v0, -(R5[(i * 2) + 1] * v1)));
    }
}

static void activities_2(double *restrict w) {
    for (unsigned i = 0; i < 3; ++i) {
        const double v0 = w[at_conc + i];
        const double v1 = w[at_exp_plus + i];
        w[at_act + i] = v0 * v1;
    }
}

static void mass_action_2(double *restrict w) {
    for (unsigned i = 0; i < 2; ++i) {
        const unsigned n0 = i * 5;
        const unsigned n1 = N3[n0 + 2];
        const double v0 = w[at_conc + n1];
        const double v1 = w[at_act + N3[n0 + 3]];
        const double v2 = w[at_act + N3[n0 + 4]];
        const double v3 = w[at_exp_minus + n1];
        const double v4 = w[at_third + N3[n0 + 1]];
        const double v5 = w[at_rate_constant + N3[n0]];
        const double v6 = v5 * R6[i];
        w[at_progress + i] = ((v6 * v0) - (((v6 * v3) * v1) * v2)) * v4;
    }
}

static void rhs(double *restrict w) {
    const double v0 = w[at_floor];
    state(w, at_y1, v0);
    nasa9(w);
    const double v1 = w[at_temp];
    const double v2 = w[at_ln_t];
    const double v3 = w[at_inv_t];
    const int b0 = 10000.0 < v1;
    if (b0) {
        above_hold(w, v1, v3, v2, b0);
    }
    exponentials(w);
    third_bodies(w);
    arrhenius_2(w);
    activities_2(w);
    mass_action_2(w);
    const double v4 = w[at_inv_t];
    if (0.01 < v4) {
        cold_rates(w);
    }
    gather(w, at_progress, at_wdot);
    balance(w, at_f, at_y1);
}

static void add_stages_2(double *restrict w, double p0) {
    const double v0 = p0 * -1.17157287525381;
    for (unsigned i = 0; i < 5; ++i) {
        const double v1 = w[at_f + i];
        const double v2 = w[at_k1 + i];
        w[at_k2 + i] = fma(v0, v2, v1);
    }
}

static void add_stages_3(double *restrict w) {
    for (unsigned i = 0; i < 5; ++i) {
        const double v0 = w[at_y + i];
        const double v1 = w[at_k1 + i];
        const double v2 = w[at_k2 + i];
        w[at_y1 + i] = fma(0.2928932188134525, v2, fma(0.8786796564403575, v1, v0));
    }
}

static void add_stages_4(double *restrict w) {
    for (unsigned i = 0; i < 5; ++i) {
        const double v0 = w[at_k1 + i];
        const double v1 = w[at_k2 + i];
        w[at_error + i] = fma(2.34314575050762, v1, fma(2.34314575050762, v0, 0.0));
    }
}

static void energy_lost(double *restrict w, unsigned a0, double p0) {
    const double v0 = w[a0 + 3];
    w[at_temp] = v0;
    w[at_ln_t] = logarithm(v0);
    w[at_inv_t] = 1.0 / v0;
    nasa9(w);
    const double v1 = w[at_temp];
    const double v2 = w[at_ln_t];
    const double v3 = w[at_inv_t];
    const int b0 = 10000.0 < v1;
    if (b0) {
        above_hold(w, v1, v3, v2, b0);
    }
    double s0 = 0.0;
    double s1 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const double v4 = w[a0 + i];
        const double v5 = w[at_enthalpy + i];
        const double v6 = w[at_cp + i];
        const double next_s0 = fma(fma(v5 - 0.0, v0, R1[i]), v4, s0);
        const double next_s1 = fma(v4, v6 - 0.0, s1);
        s0 = next_s0;
        s1 = next_s1;
    }
    const double v7 = s1 * 8.31446261815324;
    const double v8 = w[a0 + 3];
    const double v9 = w[at_heating];
    const double v10 = w[at_energy];
    const double v11 = fma(p0, v9, v10) + 0.0;
    const double v12 = (v11 - (s0 * 8.31446261815324)) / (v7 * v8);
    const double v13 = ((fabs(v12) <= 1.7976931348623157e308) && (0.0 < v7)) ? v12 : 0.0;
    w[at_energy_lost] = v13;
    w[at_energy_next] = v11;
    w[at_energy_next_at] = v8;
}

static void finish(double *restrict w, double p0, double p1) {
    const double v0 = w[188];
    const double v1 = larger(v0, p0);
    const double v2 = w[187];
    const double v3 = ((0.5 < v2) && (0.0 < v1)) ? larger(v1, 10000.0) : v1;
    const double v4 = w[at_rhs_count];
    w[at_rhs_count] = v4 + 2.0;
    const double v5 = w[at_jac_count];
    w[at_jac_count] = v5 + 1.0;
    const double v6 = w[at_factor_count];
    w[at_factor_count] = v6 + 1.0;
    const double v7 = w[at_steps];
    const double v8 = (v7 <= 0.5) ? (v3 * 3.0) : v3;
    const double v9 = (v8 <= 10000000000.0) ? v8 : 10000000000.0;
    const double v10 = w[at_steps];
    const double v11 = (v10 <= 0.5) ? (v9 * 1.0) : v9;
    const int b0 = v11 <= 1.0;
    const double v12 = w[at_after_rejection];
    const int b1 = 1.0 <= v12;
    const double v13 = w[at_only_end];
    const double v14 = larger(0.2, 0.9 * exponential(logarithm(larger(1e-10, v11)) * -0.5));
    const double v15 = smaller(b1 ? 1.0 : 6.0, v14);
    const double v16 = p1 * ((b1 && (!b0)) ? smaller((0.5 < v13) ? 0.5 : 0.1, v15) : v15);
    w[at_h] = v16;
    w[at_error_norm] = v11;
    const double v17 = w[at_t];
    const double v18 = w[at_left];
    const double v19 = v17 + p1;
    const double v20 = (v18 <= p1) ? 0.0 : ((v18 <= (1e-8 * v17)) ? (v18 - p1) : ((v17 + v18) - v19));
    const double v21 = w[at_idle];
    const double v22 = (b0 && ((1e-13 * v19) <= p1)) ? 0.0 : (v21 + (b0 ? 0.02 : 1.0));
    const double v23 = w[at_steps];
    const double v24 = w[at_rejected];
    w[at_tried] = p1;
    w[at_idle] = v22;
    w[at_t] = b0 ? v19 : v17;
    w[at_left] = b0 ? v20 : v18;
    w[at_after_rejection] = b0 ? 0.0 : 1.0;
    w[at_steps] = v23 + (b0 ? 1.0 : 0.0);
    w[at_rejected] = v24 + (b0 ? 0.0 : 1.0);
    for (unsigned i = 0; i < 5; ++i) {
        const double v25 = w[at_y1 + i];
        const double v26 = w[at_y + i];
        w[at_y + i] = b0 ? v25 : v26;
    }
}

static void elements_lost(double *restrict w, double p0, int p1) {
    const double v0 = w[at_elements];
    const double v1 = w[at_elements_fed];
    const double v2 = p1 ? fma(p0, v1, v0) : v0;
    w[at_elements] = v2;
    const double v3 = fma(R10[0], v2, 0.0);
    double s0 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const double v4 = w[at_y + i];
        s0 = s0 + (R11[i] * v4);
    }
    w[at_elements_lost] = (p1 && ((1e-14 * fabs(v3)) < fabs(v3 - s0))) ? 1.0 : 0.0;
}

static void restore_elements(double *restrict w, int p0) {
    const double v0 = w[at_elements];
    double s0 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const double v1 = w[at_y + i];
        s0 = s0 + (R2[i] * v1);
    }
    double s1 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const double v2 = w[at_y + i];
        s1 = s1 + ((R2[i] * R2[i]) * larger(v2, 0.0));
    }
    const double v3 = (v0 - s0) * (((1e-9 * s1) < s1) ? (1.0 / s1) : 0.0);
    for (unsigned i = 0; i < 3; ++i) {
        const double v4 = w[at_y + i];
        const double v5 = fma(smaller(0.1, larger(-0.1, fma(R2[i], v3, 0.0))), larger(v4, 0.0), v4);
        w[at_y + i] = p0 ? v5 : v4;
    }
    double s2 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const double v6 = w[at_y + i];
        s2 = s2 + v6;
    }
    const double v7 = w[at_y + 4];
    w[at_y + 4] = p0 ? s2 : v7;
}

static void cold_gas(double *restrict w, double p0) {
    double s0 = 0.0;
    for (unsigned i = 0; i < 1; ++i) {
        const double v0 = w[at_y + N34[i * 3]];
        const double v1 = w[at_y + N34[(i * 3) + 1]];
        const double v2 = w[at_y + N34[(i * 3) + 2]];
        const double v3 = (p0 < R12[i]) ? smaller(smaller(fabs(v0), fabs(v1)), fabs(v2)) : 0.0;
        s0 = larger(s0, v3);
    }
    w[at_lacking] = s0;
}

static void judge(double *restrict w) {
    const double v0 = w[at_t];
    const double v1 = w[at_left];
    const double v2 = w[at_h];
    const double v3 = w[at_span];
    const int b0 = v1 <= 0.0;
    const double v4 = w[at_idle];
    const int b1 = (!(larger(1e-20 * v0, 1e-50 * v3) <= v2)) || (500.0 < v4);
    const double v5 = w[at_rung];
    const int b2 = v5 < 1.0;
    const int b3 = (b1 && b2) && (!b0);
    const int b4 = b1 && (!b2);
    const double v6 = w[at_budget];
    const double v7 = w[at_steps];
    const double v8 = w[at_rejected];
    const double v9 = w[at_y + 3];
    const double v10 = w[at_y + 4];
    const int b5 = v9 < 52.5;
    w[at_lacking] = 0.0;
    if (b5) {
        cold_gas(w, v9);
    }
    const double v11 = w[at_lacking];
    const int b6 = (((10.0 <= v9) && (v9 <= 50000.0)) && (0.0 < v10)) && (!(b5 && (1e-15 < v11)));
    w[at_verdict] = b4 ? 1.0 : 0.0;
    if (b4) {
        double s0 = 1.0;
        for (unsigned i = 0; i < 5; ++i) {
            const double v12 = w[at_f + i];
            s0 = (fabs(v12) <= 1.7976931348623157e308) ? s0 : 0.0;
        }
        const double v13 = w[at_verdict];
        w[at_verdict] = (b4 && (s0 < 1.0)) ? 3.0 : v13;
    }
    const double v14 = w[at_verdict];
    w[at_verdict] = (!b6) ? 3.0 : (b0 ? -1.0 : ((v6 <= (v7 + v8)) ? 2.0 : v14));
    const double v15 = w[at_rung];
    w[at_rung] = b3 ? 1.0 : v15;
    const double v16 = w[at_idle];
    w[at_idle] = b3 ? 0.0 : v16;
    const double v17 = w[at_fresh];
    w[at_fresh] = b3 ? 1.0 : v17;
    const double v18 = w[at_atol];
    const double v19 = w[at_atol];
    w[at_atol] = b3 ? (v18 * 0.01) : v19;
    w[at_h] = b3 ? (v3 * 1e-6) : v2;
    const double v20 = w[at_after_rejection];
    w[at_after_rejection] = b3 ? 0.0 : v20;
}

void attempt(double *restrict w) {
    const double v0 = w[at_atol];
    const double v1 = w[at_span];
    const double v2 = w[at_begun];
    const int b0 = v2 < 0.5;
    if (b0) {
        begin_cell(w, v0, v1, b0);
    }
    const double v3 = w[at_energy_known];
    const int b1 = v3 < 0.5;
    if (b1) {
        remember_energy(w, b1);
    }
    const double v4 = w[at_elements_fed_known];
    const int b2 = v4 < 0.5;
    if (b2) {
        remember_elements(w, b2);
    }
    const double v5 = w[at_steps];
    const double v6 = w[at_atol];
    const double v7 = v6 * -10.0;
    w[at_slight] = v7;
    w[at_noise] = v7 - 1e-8;
    jacobian_slots(w, at_f);
    jacobian_entries(w);
    const double v8 = w[at_begun];
    const double v9 = w[at_noise];
    double s0 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const double v10 = w[at_y + i];
        const double v11 = w[at_f + i];
        const double v12 = w[at_owing + i];
        const int b3 = (0.0 < (v12 * v8)) && ((v10 < 0.0) || ((v10 <= 0.0) && (v11 <= 0.0)));
        s0 = ((v10 < v9) || b3) ? 1.0 : s0;
    }
    if (0.0 < s0) {
        forget_absent(w, at_f, v8, v9);
    }
    jacobian_borders(w, at_f);
    const double v13 = w[at_fresh];
    const int b4 = 0.5 < v13;
    if (b4) {
        const double v14 = w[at_rtol];
        const double v15 = w[at_atol];
        const double v16 = v15 * 0.001;
        for (unsigned i = 0; i < 5; ++i) {
            const double v17 = w[at_y + i];
            w[at_y1 + i] = fma(v14, fabs(v17), v16);
        }
        for (unsigned i = 0; i < 3; ++i) {
            const unsigned n0 = N29[i];
            const double v18 = w[at_y + n0];
            w[at_y1 + n0] = fma(v14, fabs(v18), R9[i] * v16);
        }
        diagonal(w);
        shorten_first(w, b4);
    }
    w[at_fresh] = 0.0;
    const double v19 = w[at_h];
    const double v20 = w[at_left];
    const double v21 = (v20 <= (v19 * 1.01)) ? v20 : ((v20 < (v19 * 2.0)) ? (v20 * 0.5) : v19);
    const double v22 = w[at_atol];
    forgive(w, v22 * 0.01, v21);
    const double v23 = 1.0 / v21;
    const double v24 = v23 * 0.585786437626905;
    factor(w, v24);
    double s1 = 1e35;
    double s2 = 1e35;
    for (unsigned i = 0; i < 5; ++i) {
        const double v25 = w[at_inverse + i];
        const double next_s1 = smaller(s1, fabs(v25));
        const double next_s2 = smaller(s2, v25);
        s1 = next_s1;
        s2 = next_s2;
    }
    w[at_grows] = 0.0;
    if (s2 < 0.0) {
        growth_in_place(w, at_f, s1, v24);
    }
    const double v26 = w[at_grows];
    first_stage(w);
    solve(w, at_k1);
    add_stages(w);
    rhs(w);
    add_stages_2(w, v23);
    solve(w, at_k2);
    add_stages_3(w);
    add_stages_4(w);
    double s3 = 0.0;
    for (unsigned i = 0; i < 5; ++i) {
        const double v27 = w[at_y + i];
        const double v28 = w[at_k1 + i];
        const double v29 = w[at_y1 + i];
        const double v30 = w[at_k2 + i];
        const int b5 = (v28 * 2.0) < fma(-0.7071067811865476, v30, v28 * 0.2928932188134525);
        const double v31 = (((0.0 <= v27) && (v27 < v28)) && b5) ? fma(v28, 0.0001, smaller(v29, 0.0)) : 0.0;
        s3 = s3 + v31;
    }
    const int b6 = s3 < 0.0;
    const double v32 = w[at_span];
    const double v33 = w[at_rtol];
    const double v34 = w[at_atol];
    const double v35 = fma(v34, 10.0, 1e-9);
    const double v36 = -(1.0 / (v35 * 0.25));
    const double v37 = -fma(v35, 100.0, 2e-6);
    double s4 = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
        const unsigned n1 = N29[i];
        const double v38 = w[at_error + n1];
        const double v39 = w[at_y1 + N29[i]];
        const double v40 = fabs(v38 / fma(v33, fabs(v39), (R9[i] * v34) * 0.001));
        const double v41 = R13[i];
        const double v42 = w[at_y1 + n1];
        const double v43 = w[at_source + n1];
        const double v44 = smaller(v43, 0.0);
        const double v45 = w[at_y + n1];
        const double v46 = fma(-v21, v44, v42 - smaller(v45, 0.0));
        const double v47 = (((v41 * fma(-v32, v44, v42)) < v37) && (v46 < 0.0)) ? 8.0 : ((v41 * v46) * v36);
        const double v48 = (v40 <= 1.7976931348623157e308) ? v40 : 1.7976931348623157e308;
        const double v49 = (v47 <= 1.7976931348623157e308) ? v47 : 1.7976931348623157e308;
        s4 = larger(larger(v48, v49), s4);
    }
    w[188] = s4 * 0.25;
    const double v50 = w[at_rtol];
    energy_lost(w, at_y1, v21);
    const double v51 = w[at_y + 3];
    const double v52 = w[at_y1 + 3];
    const double v53 = w[at_energy_lost];
    const double v54 = w[at_energy_lost];
    const double v55 = smaller(fabs(v54), fabs((fma(v53, v52, v52) - v51) / v51)) / v50;
    const double v56 = v55 * 0.25;
    const int b7 = 0.001 < v56;
    if (b7) {
        for (unsigned i = 0; i < 5; ++i) {
            w[at_k1 + i] = 0.0;
        }
        const double v57 = w[at_energy_lost];
        const double v58 = w[at_y1 + 3];
        w[at_k1 + 3] = b7 ? ((v57 * v58) * v24) : 0.0;
        solve(w, at_k1);
        for (unsigned i = 0; i < 5; ++i) {
            const double v59 = w[at_y1 + i];
            const double v60 = w[at_k1 + i];
            w[at_y1 + i] = b7 ? (v59 + v60) : v59;
        }
        energy_lost(w, at_y1, v21);
    }
    w[187] = (0.5 < v26) ? 1.0 : 0.0;
    if (b6) {
        jacobian_slots(w, at_k1);
        jacobian_entries(w);
        const double v61 = w[at_begun];
        const double v62 = w[at_noise];
        double s5 = 0.0;
        for (unsigned i = 0; i < 3; ++i) {
            const double v63 = w[at_y + i];
            const double v64 = w[at_k1 + i];
            const double v65 = w[at_owing + i];
            const int b8 = (0.0 < (v65 * v61)) && ((v63 < 0.0) || ((v63 <= 0.0) && (v64 <= 0.0)));
            s5 = ((v63 < v62) || b8) ? 1.0 : s5;
        }
        if (0.0 < s5) {
            forget_absent(w, at_k1, v61, v62);
        }
        jacobian_borders(w, at_k1);
        const double v66 = v23 * 0.325436909792725;
        factor(w, v66);
        double s6 = 1e35;
        double s7 = 1e35;
        for (unsigned i = 0; i < 5; ++i) {
            const double v67 = w[at_inverse + i];
            const double next_s6 = smaller(s6, fabs(v67));
            const double next_s7 = smaller(s7, v67);
            s6 = next_s6;
            s7 = next_s7;
        }
        w[at_grows] = 0.0;
        if (s7 < 0.0) {
            growth_in_place(w, at_k1, s6, v66);
        }
        const double v68 = w[at_grows];
        const double v69 = w[187];
        w[187] = larger(v69, (b6 && (0.5 < v68)) ? 1.0 : 0.0);
        const double v70 = w[at_rhs_count];
        w[at_rhs_count] = v70 + (b6 ? 1.0 : 0.0);
        const double v71 = w[at_jac_count];
        w[at_jac_count] = v71 + (b6 ? 1.0 : 0.0);
        const double v72 = w[at_factor_count];
        w[at_factor_count] = v72 + (b6 ? 1.0 : 0.0);
    }
    finish(w, v56, v21);
    const double v73 = w[at_steps];
    const int b9 = v5 < v73;
    const double v74 = w[at_tried];
    elements_lost(w, v74, b9);
    const double v75 = w[at_elements_lost];
    const int b10 = 0.5 < v75;
    if (b10) {
        restore_elements(w, b10);
        const double v76 = w[at_energy_lost];
        const double v77 = w[at_energy_next];
        const double v78 = w[at_energy_next_at];
        energy_lost(w, at_y, v74);
        const double v79 = w[at_energy_lost];
        w[at_energy_lost] = b10 ? v79 : v76;
        const double v80 = w[at_energy_next];
        w[at_energy_next] = b10 ? v80 : v77;
        const double v81 = w[at_energy_next_at];
        w[at_energy_next_at] = b10 ? v81 : v78;
    }
    const double v82 = w[at_y + 3];
    const double v83 = w[at_energy_lost];
    w[at_y + 3] = b9 ? fma(smaller(3.0, larger(-0.7, v83)), v82, v82) : v82;
    const double v84 = w[at_energy_lost];
    const int b11 = b9 && (0.0001 < fabs(v84));
    if (b11) {
        const double v85 = w[at_energy_lost];
        const double v86 = w[at_energy_next];
        const double v87 = w[at_energy_next_at];
        energy_lost(w, at_y, v74);
        const double v88 = w[at_energy_lost];
        w[at_energy_lost] = b11 ? v88 : v85;
        const double v89 = w[at_energy_next];
        w[at_energy_next] = b11 ? v89 : v86;
        const double v90 = w[at_energy_next_at];
        w[at_energy_next_at] = b11 ? v90 : v87;
        const double v91 = w[at_y + 3];
        const double v92 = w[at_energy_lost];
        w[at_y + 3] = b11 ? fma(smaller(3.0, larger(-0.7, v92)), v91, v91) : v91;
    }
    const double v93 = w[at_energy_next];
    const double v94 = w[at_energy];
    w[at_energy] = b9 ? v93 : v94;
    const double v95 = w[at_energy_next_at];
    const double v96 = w[at_energy_at];
    w[at_energy_at] = b9 ? v95 : v96;
    judge(w);
}

