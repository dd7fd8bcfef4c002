/* Calls every function of kinlane.h, with good arguments and with bad ones. `hosts.rs` compiles it as strictly as a
   compiler can, and runs it: interface CHAPMAN.DEF, an atmospheric scheme. */
#include "kinlane.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                                      \
    do {                                                                                                      \
        if (!(condition)) {                                                                                   \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                           \
            fprintf(stderr, "last error: %d %s\n", (int)kinlane_error_code(error), kinlane_error_text(error)); \
            exit(1);                                                                                          \
        }                                                                                                     \
    } while (0)
/* The call fails with this code, and says so in words that contain the text. */
#define FAILS(call, wanted, words)                                     \
    do {                                                               \
        CHECK((call) == (wanted));                                     \
        CHECK(kinlane_error_code(error) == (wanted));                  \
        CHECK(strstr(kinlane_error_text(error), words) != NULL);       \
    } while (0)
/* The same of a call that makes something. */
#define MAKES_NONE(call, none, code, words)                      \
    do {                                                         \
        CHECK((call) == (none));                                 \
        CHECK(kinlane_error_code(error) == (code));              \
        CHECK(strstr(kinlane_error_text(error), words) != NULL); \
    } while (0)
#define OK(call) CHECK((call) == KINLANE_OK && kinlane_error_text(error)[0] == '\0')

enum { CELLS = 21 };

static kinlane_error *error;

static double *numbers(size_t count)
{
    double *x = calloc(count ? count : 1, sizeof *x);
    CHECK(x != NULL);
    return x;
}

static int same(const double *a, const double *b, size_t count)
{
    return memcmp(a, b, count * sizeof *a) == 0;
}

/* Hydrogen and air at 1 bar, from 1000 K on. */
static void fill(const kinlane_mechanism *gas, double *temperature, double *pressure, double *y)
{
    const size_t k = kinlane_mechanism_count(gas, KINLANE_SPECIES);
    double *moles = numbers(k);
    moles[kinlane_mechanism_index(gas, KINLANE_SPECIES, "H2", error)] = 2.0;
    moles[kinlane_mechanism_index(gas, KINLANE_SPECIES, "O2", error)] = 1.0;
    moles[kinlane_mechanism_index(gas, KINLANE_SPECIES, "N2", error)] = 3.76;
    for (size_t i = 0; i < CELLS; i++) {
        temperature[i] = 1000.0 + 25.0 * (double)i;
        pressure[i] = 1e5;
        OK(kinlane_mechanism_mass_fractions(gas, moles, y + i * k, error));
    }
    free(moles);
}

static void errors_and_options(void)
{
    CHECK(kinlane_abi() == KINLANE_ABI);
    CHECK(strlen(kinlane_version()) >= 5);
    CHECK(strstr(kinlane_methods(), "rodas5p\n") != NULL && strstr(kinlane_methods(), "auto") != NULL);
    CHECK(strcmp(kinlane_bundled(), "h2\ngri30") == 0);
    CHECK(kinlane_error_code(NULL) == KINLANE_OK && kinlane_error_text(NULL)[0] == '\0');
    CHECK(kinlane_error_cell(NULL) == KINLANE_NONE && kinlane_error_cell(error) == KINLANE_NONE);
    kinlane_error_free(NULL);

    kinlane_options *options = kinlane_options_new();
    OK(kinlane_options_set(options, "rtol", "1e-7", error));
    OK(kinlane_options_set(options, "rtol", NULL, error));
    OK(kinlane_options_set(options, "first-step", "1us", error));
    FAILS(kinlane_options_set(options, "first-step", "1K", error), KINLANE_ARGUMENT, "a number");
    OK(kinlane_options_set(options, "atol-of", "OH:1e-16,H:1e-15", error));
    FAILS(kinlane_options_set(options, "atol-of", "OH", error), KINLANE_ARGUMENT, "write it as OH:1e-16");
    OK(kinlane_options_set_number(options, "max_steps", 5000, error));
    OK(kinlane_options_set(options, "reactor", "const-v", NULL));
    FAILS(kinlane_options_set(options, "rtoll", "1", error), KINLANE_ARGUMENT, "did you mean `rtol`?");
    FAILS(kinlane_options_set(options, "reactor", "bath", error), KINLANE_ARGUMENT, "const-p, const-v, fixed-t");
    FAILS(kinlane_options_set(options, "format", "word", error), KINLANE_ARGUMENT, "chemkin");
    FAILS(kinlane_options_set(options, "threads", "two", error), KINLANE_ARGUMENT, "a number");
    FAILS(kinlane_options_set(options, "method", "\xff", error), KINLANE_ARGUMENT, "UTF-8");
    FAILS(kinlane_options_set_number(options, "max-steps", 0.5, error), KINLANE_ARGUMENT, "whole");
    FAILS(kinlane_options_set_number(options, NULL, 1.0, error), KINLANE_ARGUMENT, "name is NULL");
    FAILS(kinlane_options_set(NULL, "rtol", "1", error), KINLANE_ARGUMENT, "options is NULL");
    kinlane_options_free(options);
    kinlane_options_free(NULL);
}

/* Equilibria of the mixture y, in two layouts. */
static void equilibria(const kinlane_mechanism *gas, const double *y)
{
    const size_t k = kinlane_mechanism_count(gas, KINLANE_SPECIES);
    double temperature[2] = {300.0, 600.0}, pressure[2] = {101325.0, 5e5}, *mixed = numbers(2 * k), *by_species = numbers(2 * k);
    int32_t status[2] = {7, 7};
    for (size_t i = 0; i < k; i++)
        mixed[i] = mixed[k + i] = by_species[2 * i] = by_species[2 * i + 1] = y[i];
    OK(kinlane_mechanism_equilibrate(gas, 2, "hp", temperature, pressure, mixed, KINLANE_CELL_MAJOR, 1, status, error));
    CHECK(status[0] == 0 && status[1] == 0 && pressure[1] == 5e5);
    CHECK(fabs(temperature[0] - 3078.0) < 5.0 && temperature[1] > temperature[0] + 200.0);
    double again[2] = {300.0, 600.0};
    OK(kinlane_mechanism_equilibrate(gas, 2, "HP", again, pressure, by_species, KINLANE_SPECIES_MAJOR, 0, NULL, error));
    CHECK(same(again, temperature, 2));
    for (size_t i = 0; i < k; i++)
        CHECK(by_species[2 * i] == mixed[i] && by_species[2 * i + 1] == mixed[k + i]);

    /* Gas that is hotter than any: it stays as it is, beside one that is not. */
    again[0] = 1e6, again[1] = 300.0;
    const double before = mixed[3];
    OK(kinlane_mechanism_equilibrate(gas, 2, "UV", again, pressure, mixed, KINLANE_CELL_MAJOR, 1, status, error));
    CHECK(status[0] == 1 && status[1] == 0 && again[0] == 1e6 && mixed[3] == before);

    FAILS(kinlane_mechanism_equilibrate(gas, 2, "TS", again, pressure, mixed, KINLANE_CELL_MAJOR, 1, NULL, error), KINLANE_ARGUMENT,
          "one of TP, TV, HP, SP, UV, SV");
    pressure[1] = -1.0;
    FAILS(kinlane_mechanism_equilibrate(gas, 2, "TP", again, pressure, mixed, KINLANE_CELL_MAJOR, 1, NULL, error), KINLANE_BATCH, "-1");
    CHECK(kinlane_error_cell(error) == 1 && again[0] == 1e6);
    free(mixed), free(by_species);
}

static void mechanisms(void)
{
    kinlane_mechanism *gas = kinlane_mechanism_open("h2", NULL, error);
    CHECK(gas != NULL);
    const size_t k = kinlane_mechanism_count(gas, KINLANE_SPECIES), e = kinlane_mechanism_count(gas, KINLANE_ELEMENTS);
    CHECK(strlen(kinlane_mechanism_name(gas)) > 0 && k == 13 && e > 3);
    CHECK(kinlane_mechanism_count(gas, KINLANE_REACTIONS) > 20 && kinlane_mechanism_count(gas, KINLANE_FIXED) == 0);
    CHECK(kinlane_mechanism_count(gas, (kinlane_list)77) == 0 && kinlane_mechanism_count(NULL, KINLANE_SPECIES) == 0);
    CHECK(strchr(kinlane_mechanism_item(gas, KINLANE_REACTIONS, 0), '=') != NULL);
    CHECK(kinlane_mechanism_item(gas, KINLANE_SPECIES, k) == NULL && kinlane_mechanism_name(NULL) == NULL);
    for (size_t i = 0; i < k; i++)
        CHECK(kinlane_mechanism_index(gas, KINLANE_SPECIES, kinlane_mechanism_item(gas, KINLANE_SPECIES, i), error) == i);
    MAKES_NONE(kinlane_mechanism_index(gas, KINLANE_SPECIES, "h2o", error), KINLANE_NONE, KINLANE_ARGUMENT, "`H2O`?");
    MAKES_NONE(kinlane_mechanism_index(gas, KINLANE_SPECIES, NULL, error), KINLANE_NONE, KINLANE_ARGUMENT, "NULL");
    MAKES_NONE(kinlane_mechanism_index(NULL, KINLANE_SPECIES, "H2", error), KINLANE_NONE, KINLANE_ARGUMENT, "NULL");

    double *w = numbers(k), *atoms = numbers(k * e), *moles = numbers(k), *air = numbers(k), *y = numbers(k);
    OK(kinlane_mechanism_molar_masses(gas, w, error));
    OK(kinlane_mechanism_atoms(gas, atoms, error));
    const size_t water = kinlane_mechanism_index(gas, KINLANE_SPECIES, "H2O", error);
    CHECK(fabs(w[water] - 18.015e-3) < 1e-5);
    CHECK(atoms[water * e + kinlane_mechanism_index(gas, KINLANE_ELEMENTS, "H", error)] == 2.0);
    FAILS(kinlane_mechanism_molar_masses(gas, NULL, error), KINLANE_ARGUMENT, "masses is NULL");
    FAILS(kinlane_mechanism_atoms(NULL, atoms, error), KINLANE_ARGUMENT, "mechanism is NULL");

    /* Every reaction keeps the atoms. */
    const size_t r = kinlane_mechanism_count(gas, KINLANE_REACTIONS);
    double *left = numbers(r * k), *right = numbers(r * k);
    OK(kinlane_mechanism_stoichiometry(gas, left, right, error));
    OK(kinlane_mechanism_stoichiometry(gas, NULL, right, error));
    for (size_t i = 0; i < r; i++)
        for (size_t a = 0; a < e; a++) {
            double made = 0.0, used = 0.0;
            for (size_t s = 0; s < k; s++) {
                made += (right[i * k + s] - left[i * k + s]) * atoms[s * e + a];
                used += left[i * k + s];
            }
            CHECK(made == 0.0 && used > 0.5);
        }
    FAILS(kinlane_mechanism_stoichiometry(gas, left, left, error), KINLANE_ARGUMENT, "share memory");
    free(left), free(right);
    CHECK(kinlane_mechanism_count(gas, KINLANE_WARNINGS) == 0);

    moles[0] = 1.0;
    OK(kinlane_mechanism_mass_fractions(gas, moles, y, error));
    CHECK(y[0] == 1.0);
    moles[0] = -1.0;
    FAILS(kinlane_mechanism_mass_fractions(gas, moles, y, error), KINLANE_ARGUMENT, "not below zero");
    moles[0] = 0.0;
    FAILS(kinlane_mechanism_mass_fractions(gas, moles, y, error), KINLANE_ARGUMENT, "all zero");
    FAILS(kinlane_mechanism_mass_fractions(gas, y, y, error), KINLANE_ARGUMENT, "share memory");
    moles[kinlane_mechanism_index(gas, KINLANE_SPECIES, "H2", error)] = 1.0;
    air[kinlane_mechanism_index(gas, KINLANE_SPECIES, "O2", error)] = 1.0;
    OK(kinlane_mechanism_mixture(gas, moles, air, 1.0, y, error));
    FAILS(kinlane_mechanism_mixture(gas, air, air, 1.0, y, error), KINLANE_ARGUMENT, "no oxygen");
    FAILS(kinlane_mechanism_mixture(gas, moles, air, -1.0, y, error), KINLANE_ARGUMENT, "ratio");
    equilibria(gas, y);
    moles[1] = NAN;
    FAILS(kinlane_mechanism_mixture(gas, moles, air, 1.0, y, error), KINLANE_ARGUMENT, "in the fuel");
    kinlane_mechanism_free(gas);
    kinlane_mechanism_free(NULL);

    MAKES_NONE(kinlane_mechanism_open("gri3", NULL, error), NULL, KINLANE_MECHANISM, "did you mean `gri30`?");
    MAKES_NONE(kinlane_mechanism_open(NULL, NULL, error), NULL, KINLANE_ARGUMENT, "name is NULL");
    const char *argon = "phases: [{name: gas, thermo: ideal-gas, elements: [Ar], species: [AR]}]\n"
                        "species:\n- name: AR\n  composition: {Ar: 1}\n"
                        "  thermo: {model: constant-cp, s0: 154.85 J/mol/K, cp0: 20.786 J/mol/K}\n";
    gas = kinlane_mechanism_read("argon.yaml", argon, NULL, NULL, error);
    CHECK(gas != NULL && strcmp(kinlane_mechanism_item(gas, KINLANE_SPECIES, 0), "AR") == 0);
    kinlane_mechanism_free(gas);
    MAKES_NONE(kinlane_mechanism_read("a.yaml", "phases: [{}]", NULL, NULL, error), NULL, KINLANE_MECHANISM, "a.yaml");
    MAKES_NONE(kinlane_mechanism_read("a.yaml", argon, "THERMO", NULL, error), NULL, KINLANE_MECHANISM, "thermo");
    kinlane_options *options = kinlane_options_new();
    OK(kinlane_options_set(options, "phase", "plasma", error));
    MAKES_NONE(kinlane_mechanism_read("a.yaml", argon, NULL, options, error), NULL, KINLANE_MECHANISM, "plasma");
    kinlane_options_free(options);
    free(w), free(atoms), free(moles), free(air), free(y);
}

static kinlane_solver *planned(const kinlane_mechanism *gas, const char *name, const char *value)
{
    kinlane_options *options = kinlane_options_new();
    OK(kinlane_options_set_number(options, "threads", 2, error));
    if (name)
        OK(kinlane_options_set(options, name, value, error));
    kinlane_solver *solver = kinlane_solver_new(gas, options, error);
    kinlane_options_free(options);
    return solver;
}

static void advance(void)
{
    kinlane_mechanism *gas = kinlane_mechanism_open("h2", NULL, error);
    kinlane_solver *solver = planned(gas, NULL, NULL);
    CHECK(solver != NULL);
    const size_t k = kinlane_mechanism_count(gas, KINLANE_SPECIES);
    double t[CELLS], p[CELLS], work[CELLS], reached[CELLS], t2[CELLS], p2[CELLS], heating[CELLS] = {0};
    double *y = numbers(CELLS * k), *turned = numbers(CELLS * k), *old = numbers(CELLS * k), *dydt = numbers(CELLS * k);
    int32_t status[CELLS];
    uint32_t steps[CELLS], rejected[CELLS];
    kinlane_report report;
    char info[4000];

    /* One order of y and the other. */
    fill(gas, t, p, y);
    memcpy(old, y, CELLS * k * sizeof *y);
    memcpy(t2, t, sizeof t), memcpy(p2, p, sizeof p);
    for (size_t i = 0; i < CELLS * k; i++)
        turned[i % k * CELLS + i / k] = y[i];
    OK(kinlane_solver_prepare(solver, CELLS, error));
    kinlane_extras extras = {0};
    extras.status = status, extras.steps = steps, extras.rejected = rejected;
    extras.work = work, extras.reached = reached;
    OK(kinlane_advance(solver, CELLS, t, p, y, KINLANE_CELL_MAJOR, 1e-5, &extras, &report, error));
    CHECK(report.cells == CELLS && report.failed == 0 && report.rescued == 0 && report.seconds > 0.0);
    CHECK(report.cpu_seconds > 0.0 && report.rhs >= report.steps && kinlane_solver_progress(solver) == CELLS);
    uint64_t sums[2] = {0, 0};
    for (size_t i = 0; i < CELLS; i++) {
        CHECK(status[i] == KINLANE_DONE && work[i] > 0.0 && reached[i] == 1e-5);
        sums[0] += steps[i], sums[1] += rejected[i];
    }
    CHECK(sums[0] == report.steps && sums[1] == report.rejected && t[CELLS - 1] > 1500.0);
    OK(kinlane_advance(solver, CELLS, t2, p2, turned, KINLANE_SPECIES_MAJOR, 1e-5, NULL, NULL, error));
    CHECK(same(t, t2, CELLS));
    for (size_t i = 0; i < CELLS * k; i++)
        CHECK(turned[i % k * CELLS + i / k] == y[i]);

    /* What the solver tells. */
    CHECK(kinlane_solver_info(solver, "method", info, sizeof info, error) == 4 && strcmp(info, "auto") == 0);
    CHECK(kinlane_solver_info(solver, "fallback", info, sizeof info, error) == 0 && info[0] == '\0');
    const size_t length = kinlane_solver_info(solver, "report", NULL, 0, error);
    CHECK(length > 100 && length < sizeof info);
    CHECK(kinlane_solver_info(solver, "report", info, sizeof info, error) == length && strlen(info) == length);
    CHECK(strstr(info, "\"device\":\"cpu\"") != NULL);
    memset(info, 'x', sizeof info);
    CHECK(kinlane_solver_info(solver, "report", info, 8, error) == length && strlen(info) == 7 && info[8] == 'x');
    CHECK(kinlane_solver_info(solver, "not-finite", info, sizeof info, error) == 0);
    MAKES_NONE(kinlane_solver_info(solver, "age", NULL, 0, error), KINLANE_NONE, KINLANE_ARGUMENT, "age");
    MAKES_NONE(kinlane_solver_info(solver, "report", NULL, 5, error), KINLANE_NONE, KINLANE_ARGUMENT, "buffer is NULL");

    /* Sources, and electrons, which this mechanism has none of. */
    fill(gas, t, p, y), fill(gas, t2, p2, turned);
    memset(&extras, 0, sizeof extras);
    extras.dydt = dydt, extras.electron_temperature = t2;
    OK(kinlane_advance(solver, CELLS, t, p, y, KINLANE_CELL_MAJOR, 1e-7, &extras, NULL, error));
    fill(gas, t, p, y);
    memset(&extras, 0, sizeof extras);
    for (size_t i = 0; i < CELLS; i++)
        heating[i] = 1e10;
    extras.heating = heating;
    OK(kinlane_advance(solver, CELLS, t, p, y, KINLANE_CELL_MAJOR, 1e-7, &extras, NULL, error));
    CHECK(t[0] > t2[0] + 0.5);

    /* Intervals of the cells' own: the dt of the call is not looked at. */
    fill(gas, t, p, y), fill(gas, t2, p2, turned);
    memset(&extras, 0, sizeof extras);
    for (size_t i = 0; i < CELLS; i++)
        heating[i] = i == 2 ? 3e-6 : 1e-8;
    extras.intervals = heating, extras.reached = reached;
    OK(kinlane_advance(solver, CELLS, t, p, y, KINLANE_CELL_MAJOR, NAN, &extras, NULL, error));
    OK(kinlane_advance(solver, CELLS, t2, p2, turned, KINLANE_CELL_MAJOR, 3e-6, NULL, NULL, error));
    CHECK(reached[0] == 1e-8 && reached[2] == 3e-6 && t[2] == t2[2] && t[1] != t2[1]);
    heating[4] = 0.0;
    FAILS(kinlane_advance(solver, CELLS, t, p, y, KINLANE_CELL_MAJOR, 1e-6, &extras, NULL, error), KINLANE_BATCH,
          "cell 4, dt");

    /* The call is wrong. Nothing has changed. */
    fill(gas, t, p, y), fill(gas, t2, p2, turned);
    const kinlane_layout by_cell = KINLANE_CELL_MAJOR;
    FAILS(kinlane_advance(NULL, CELLS, t, p, y, by_cell, 1e-6, NULL, NULL, error), KINLANE_ARGUMENT, "solver is NULL");
    FAILS(kinlane_advance(solver, CELLS, NULL, p, y, by_cell, 1e-6, NULL, NULL, error), KINLANE_ARGUMENT, "temperature");
    FAILS(kinlane_advance(solver, CELLS, t, p, t, by_cell, 1e-6, NULL, NULL, error), KINLANE_ARGUMENT, "share memory");
    FAILS(kinlane_advance(solver, (size_t)-1, t, p, y, by_cell, 1e-6, NULL, NULL, error), KINLANE_ARGUMENT, "memory");
    FAILS(kinlane_advance(solver, CELLS, t, p, y, (kinlane_layout)5, 1e-6, NULL, NULL, error), KINLANE_ARGUMENT, "layout");
    FAILS(kinlane_advance(solver, CELLS, t, p, y, by_cell, NAN, NULL, NULL, error), KINLANE_ARGUMENT, "interval");
    FAILS(kinlane_advance(solver, CELLS, t, p, y, by_cell, -1.0, NULL, NULL, error), KINLANE_ARGUMENT, "interval");
    t[7] = NAN;
    FAILS(kinlane_advance(solver, CELLS, t, p, y, by_cell, 1e-6, NULL, NULL, error), KINLANE_BATCH, "cell 7, T");
    CHECK(kinlane_error_cell(error) == 7);
    t[7] = t2[7];
    y[3 * k] = INFINITY;
    FAILS(kinlane_advance(solver, CELLS, t, p, y, by_cell, 1e-6, NULL, NULL, error), KINLANE_BATCH, "cell 3, Y[0]");
    y[3 * k] = old[3 * k];
    dydt[5 * k] = 1e9;
    memset(&extras, 0, sizeof extras);
    extras.dydt = dydt;
    FAILS(kinlane_advance(solver, CELLS, t, p, y, by_cell, 1e-6, &extras, NULL, error), KINLANE_BATCH, "sum to zero");
    CHECK(kinlane_error_cell(error) == 5);
    CHECK(same(t, t2, CELLS) && same(p, p2, CELLS) && same(y, old, CELLS * k));
    OK(kinlane_advance(solver, 0, NULL, NULL, NULL, by_cell, 1e-6, NULL, &report, error));
    CHECK(report.cells == 0);

    /* Stopped before it begins. */
    kinlane_solver_stop(solver, 1);
    extras.dydt = NULL, extras.status = status;
    OK(kinlane_advance(solver, CELLS, t, p, y, by_cell, 1e-3, &extras, &report, error));
    CHECK(report.failed > 0 && status[CELLS - 1] == KINLANE_CANCELLED && t[CELLS - 1] == t2[CELLS - 1]);
    kinlane_solver_stop(solver, 0);
    kinlane_solver_stop(NULL, 1);
    CHECK(kinlane_solver_progress(NULL) == 0);
    kinlane_solver_free(solver);

    /* Hard cells fail, each for itself. */
    solver = planned(gas, "max-steps", "3");
    CHECK(solver != NULL);
    OK(kinlane_advance(solver, CELLS, t, p, y, by_cell, 1e-3, &extras, &report, error));
    CHECK(report.failed == CELLS && status[0] == KINLANE_TOO_MANY_STEPS && same(t, t2, CELLS));
    CHECK(strcmp(kinlane_status_text(status[0]), "the budget of steps is spent") == 0);
    CHECK(strcmp(kinlane_status_text(-1), "no such status") == 0 && strcmp(kinlane_status_text(9), "no such status") == 0);
    kinlane_solver_free(solver);
    kinlane_solver_free(NULL);

    MAKES_NONE(planned(gas, "method", "magic"), NULL, KINLANE_PLAN, "magic");
    MAKES_NONE(planned(gas, "rtol", "5"), NULL, KINLANE_PLAN, "rtol");
    MAKES_NONE(planned(gas, "threads", "0"), NULL, KINLANE_PLAN, "threads");
    MAKES_NONE(planned(gas, "device", "abacus"), NULL, KINLANE_PLAN, "abacus");
    MAKES_NONE(kinlane_solver_new(NULL, NULL, error), NULL, KINLANE_ARGUMENT, "mechanism is NULL");
    kinlane_mechanism_free(gas);
    free(y), free(turned), free(old), free(dydt);
}

/* Argon, whose heat capacity is 5/2 R at any temperature, is compressed as T v^(2/3) = const. */
static void along_histories(const kinlane_mechanism *gas, kinlane_solver *closed)
{
    const size_t k = kinlane_mechanism_count(gas, KINLANE_SPECIES);
    const size_t argon = kinlane_mechanism_index(gas, KINLANE_SPECIES, "AR", error);
    double t[CELLS], p[CELLS], time[3] = {0.0, 1e-3, 2e-3}, volume[3 * CELLS];
    double *y = numbers(CELLS * k), *series = numbers(CELLS * (k + 2));
    const double last = 2e-3;
    const kinlane_layout by_cell = KINLANE_CELL_MAJOR;
    kinlane_notes notes = {0};
    kinlane_history history = {0};
    kinlane_report report;
    kinlane_options *options = kinlane_options_new();

    OK(kinlane_options_set(options, "reactor", "const-v", error));
    OK(kinlane_options_set(options, "history", "yes", error));
    kinlane_solver *driven = kinlane_follower_new(gas, options, error);
    CHECK(driven != NULL);
    for (size_t i = 0; i < CELLS; i++) {
        t[i] = 300.0 + 10.0 * (double)i, p[i] = 1e5, y[i * k + argon] = 1.0;
        volume[3 * i] = 5.0, volume[3 * i + 1] = 4.0, volume[3 * i + 2] = 5.0 / (double)(i + 2);
    }
    notes.times = 1, notes.time = &last, notes.series = series;
    history.knots = 3, history.time = time, history.rows = CELLS, history.value = volume;
    OK(kinlane_follow_along(driven, CELLS, t, p, y, by_cell, 2e-3, &history, &notes, NULL, &report, error));
    CHECK(report.failed == 0);
    for (size_t i = 0; i < CELLS; i++) {
        const double times = (double)(i + 2), before = 300.0 + 10.0 * (double)i;
        CHECK(fabs(t[i] / (before * pow(times, 2.0 / 3.0)) - 1.0) < 5e-5);
        CHECK(fabs(p[i] / (1e5 * times * t[i] / before) - 1.0) < 1e-9);
        CHECK(fabs(series[i * (k + 2)] / t[i] - 1.0) < 1e-9);
    }
    /* One history for all. */
    for (size_t i = 0; i < CELLS; i++)
        t[i] = 300.0, p[i] = 1e5;
    history.rows = 1;
    OK(kinlane_follow_along(driven, CELLS, t, p, y, by_cell, 2e-3, &history, &notes, NULL, NULL, error));
    CHECK(t[0] == t[CELLS - 1] && fabs(t[0] / (300.0 * pow(2.0, 2.0 / 3.0)) - 1.0) < 5e-5);

    /* The call is wrong. Nothing has changed. */
    const double was = t[0];
    history.rows = 2;
    FAILS(kinlane_follow_along(driven, CELLS, t, p, y, by_cell, 2e-3, &history, &notes, NULL, NULL, error), KINLANE_ARGUMENT, "2 rows");
    history.rows = 1, time[2] = 1e-3;
    FAILS(kinlane_follow_along(driven, CELLS, t, p, y, by_cell, 2e-3, &history, &notes, NULL, NULL, error), KINLANE_ARGUMENT, "knot 2");
    time[2] = 2e-3, history.knots = 0;
    FAILS(kinlane_follow_along(driven, CELLS, t, p, y, by_cell, 2e-3, &history, &notes, NULL, NULL, error), KINLANE_ARGUMENT, "two times");
    history.knots = 3, history.value = NULL;
    FAILS(kinlane_follow_along(driven, CELLS, t, p, y, by_cell, 2e-3, &history, &notes, NULL, NULL, error), KINLANE_ARGUMENT, "history.value");
    history.value = volume;
    FAILS(kinlane_follow_along(driven, CELLS, t, p, y, by_cell, 2e-3, NULL, &notes, NULL, NULL, error), KINLANE_ARGUMENT, "history is NULL");
    FAILS(kinlane_follow_along(closed, CELLS, t, p, y, by_cell, 2e-3, &history, &notes, NULL, NULL, error), KINLANE_ARGUMENT, "history=yes");
    MAKES_NONE(kinlane_solver_new(gas, options, error), NULL, KINLANE_PLAN, "history");
    CHECK(t[0] == was);

    /* Without a history the volume stays. */
    OK(kinlane_follow(driven, CELLS, t, p, y, by_cell, 2e-3, &notes, NULL, NULL, error));
    CHECK(fabs(t[0] / was - 1.0) < 1e-12);
    kinlane_solver_free(driven), kinlane_options_free(options);
    free(y), free(series);
}

static void following(void)
{
    kinlane_mechanism *gas = kinlane_mechanism_open("h2", NULL, error);
    kinlane_solver *follower = kinlane_follower_new(gas, NULL, error), *solver = planned(gas, NULL, NULL);
    CHECK(follower != NULL);
    const size_t k = kinlane_mechanism_count(gas, KINLANE_SPECIES), width = k + 2;
    double t[CELLS], p[CELLS], t2[CELLS], p2[CELLS], found[2 * CELLS];
    double *y = numbers(CELLS * k), *y2 = numbers(CELLS * k), *series = numbers(CELLS * 3 * width);
    const double time[3] = {0.0, 1e-5, 1e-4};
    int32_t status[CELLS];
    char info[4000];
    kinlane_extras extras = {0};
    kinlane_report report;
    kinlane_notes notes = {0};
    const kinlane_layout by_cell = KINLANE_CELL_MAJOR;

    notes.times = 3, notes.time = time, notes.series = series;
    notes.events = "dT/dt\n\nT=1600 K\n", notes.found = found;
    extras.status = status;
    fill(gas, t, p, y), fill(gas, t2, p2, y2);
    OK(kinlane_solver_prepare(follower, CELLS, error));
    OK(kinlane_follow(follower, CELLS, t, p, y, by_cell, 1e-4, &notes, &extras, &report, error));
    CHECK(report.cells == CELLS && report.failed == 0 && report.steps > CELLS && report.rhs > report.steps);
    CHECK(kinlane_solver_progress(follower) == CELLS);
    for (size_t i = 0; i < CELLS; i++) {
        const double *first = series + i * 3 * width, *last = first + 2 * width;
        CHECK(status[i] == KINLANE_DONE && first[0] == t2[i] && same(first + 2, y2 + i * k, k));
        CHECK(fabs(last[0] - t[i]) < 1e-5 * t[i] && last[1] == p[i] && fabs(last[2] - y[i * k]) < 1e-6);
        CHECK((t[i] > 1600.0) == (found[2 * i + 1] > 0.0));
        CHECK(i < CELLS - 4 || (found[2 * i] > 0.0 && found[2 * i] < 1e-4));
    }
    CHECK(kinlane_solver_info(follower, "method", info, sizeof info, error) >= 3 && strlen(info) >= 3);
    CHECK(kinlane_solver_info(follower, "report", info, sizeof info, error) > 0 && strstr(info, "\"failed\":0") != NULL);

    /* Nothing to note: it advances. */
    fill(gas, t, p, y), fill(gas, t2, p2, y2);
    memset(&notes, 0, sizeof notes);
    OK(kinlane_follow(follower, CELLS, t, p, y, by_cell, 1e-4, &notes, NULL, NULL, error));
    CHECK(t[CELLS - 1] > 1500.0);

    /* The call is wrong. Nothing has changed. */
    fill(gas, t, p, y);
    notes.times = 3, notes.time = time, notes.series = series, notes.found = found;
    notes.events = "dT/dtt";
    FAILS(kinlane_follow(follower, CELLS, t, p, y, by_cell, 1e-4, &notes, NULL, NULL, error), KINLANE_ARGUMENT, "dT/dtt");
    notes.events = "max H3";
    FAILS(kinlane_follow(follower, CELLS, t, p, y, by_cell, 1e-4, &notes, NULL, NULL, error), KINLANE_ARGUMENT, "H3");
    notes.events = "dT/dt";
    FAILS(kinlane_follow(follower, CELLS, t, p, y, by_cell, 1e-5, &notes, NULL, NULL, error), KINLANE_ARGUMENT, "0.0001");
    notes.series = NULL;
    FAILS(kinlane_follow(follower, CELLS, t, p, y, by_cell, 1e-4, &notes, NULL, NULL, error), KINLANE_ARGUMENT, "series");
    notes.series = series, notes.found = NULL;
    FAILS(kinlane_follow(follower, CELLS, t, p, y, by_cell, 1e-4, &notes, NULL, NULL, error), KINLANE_ARGUMENT, "found");
    notes.found = found, notes.times = SIZE_MAX;
    FAILS(kinlane_follow(follower, CELLS, t, p, y, by_cell, 1e-4, &notes, NULL, NULL, error), KINLANE_ARGUMENT, "memory");
    notes.times = 3;
    FAILS(kinlane_follow(follower, CELLS, t, p, y, by_cell, 1e-4, NULL, NULL, NULL, error), KINLANE_ARGUMENT, "notes");
    FAILS(kinlane_follow(solver, CELLS, t, p, y, by_cell, 1e-4, &notes, NULL, NULL, error), KINLANE_ARGUMENT, "follower");
    FAILS(kinlane_advance(follower, CELLS, t, p, y, by_cell, 1e-4, NULL, NULL, error), KINLANE_ARGUMENT, "follower");
    extras.continuation = kinlane_continuation_new(solver, CELLS, error);
    FAILS(kinlane_follow(follower, CELLS, t, p, y, by_cell, 1e-4, &notes, &extras, NULL, error), KINLANE_ARGUMENT, "continuation");
    MAKES_NONE(kinlane_continuation_new(follower, CELLS, error), NULL, KINLANE_ARGUMENT, "follower");
    MAKES_NONE(kinlane_follower_new(NULL, NULL, error), NULL, KINLANE_ARGUMENT, "mechanism is NULL");
    CHECK(same(t, t2, CELLS) && same(p, p2, CELLS) && same(y, y2, CELLS * k));
    kinlane_continuation_free(extras.continuation);

    along_histories(gas, follower);
    kinlane_solver_free(follower), kinlane_solver_free(solver);
    kinlane_mechanism_free(gas);
    free(y), free(y2), free(series);
}

static void continuations(void)
{
    kinlane_mechanism *gas = kinlane_mechanism_open("h2", NULL, error);
    kinlane_solver *solver = planned(gas, "method", "bdf"), *other = planned(gas, "rtol", "1e-4");
    const size_t k = kinlane_mechanism_count(gas, KINLANE_SPECIES);
    double t[CELLS], p[CELLS], t2[CELLS], p2[CELLS];
    double *y = numbers(CELLS * k), *y2 = numbers(CELLS * k);
    kinlane_extras extras = {0};

    fill(gas, t, p, y), fill(gas, t2, p2, y2);
    kinlane_continuation *whole = kinlane_continuation_new(solver, CELLS, error);
    kinlane_continuation *parts = kinlane_continuation_new(solver, CELLS, error);
    CHECK(whole != NULL && parts != NULL);
    extras.continuation = whole;
    OK(kinlane_advance(solver, CELLS, t, p, y, KINLANE_CELL_MAJOR, 2e-5, &extras, NULL, error));
    extras.continuation = parts;
    OK(kinlane_advance(solver, CELLS, t2, p2, y2, KINLANE_CELL_MAJOR, 1e-5, &extras, NULL, error));

    /* As through a restart file. */
    const size_t size = kinlane_continuation_size(parts);
    const uint64_t maker = kinlane_continuation_solver(parts);
    double *kept = numbers(size);
    CHECK(size > CELLS);
    OK(kinlane_continuation_save(parts, kept, error));
    kinlane_continuation_free(parts);
    parts = kinlane_continuation_new(solver, CELLS, error);
    FAILS(kinlane_continuation_load(parts, kept, maker + 1, error), KINLANE_ARGUMENT, "another");
    OK(kinlane_continuation_load(parts, kept, maker, error));
    extras.continuation = parts;
    OK(kinlane_advance(solver, CELLS, t2, p2, y2, KINLANE_CELL_MAJOR, 1e-5, &extras, NULL, error));
    CHECK(same(t, t2, CELLS) && same(y, y2, CELLS * k));

    FAILS(kinlane_advance(other, CELLS, t, p, y, KINLANE_CELL_MAJOR, 1e-5, &extras, NULL, error), KINLANE_ARGUMENT,
          "continuation");
    FAILS(kinlane_advance(solver, 1, t, p, y, KINLANE_CELL_MAJOR, 1e-5, &extras, NULL, error), KINLANE_ARGUMENT, "1");
    FAILS(kinlane_continuation_save(parts, NULL, error), KINLANE_ARGUMENT, "NULL");
    FAILS(kinlane_continuation_save(NULL, kept, error), KINLANE_ARGUMENT, "NULL");
    FAILS(kinlane_continuation_load(NULL, kept, maker, error), KINLANE_ARGUMENT, "NULL");
    MAKES_NONE(kinlane_continuation_new(NULL, CELLS, error), NULL, KINLANE_ARGUMENT, "solver is NULL");
    MAKES_NONE(kinlane_continuation_new(solver, SIZE_MAX / 8, error), NULL, KINLANE_ARGUMENT, "larger than memory");
    MAKES_NONE(kinlane_continuation_new(solver, SIZE_MAX, error), NULL, KINLANE_ARGUMENT, "larger than memory");
    CHECK(kinlane_continuation_size(NULL) == 0 && kinlane_continuation_solver(NULL) == 0);
    kinlane_continuation_free(whole), kinlane_continuation_free(parts), kinlane_continuation_free(NULL);
    kinlane_solver_free(solver), kinlane_solver_free(other);
    kinlane_mechanism_free(gas);
    free(y), free(y2), free(kept);
}

static void rates(void)
{
    kinlane_mechanism *gas = kinlane_mechanism_open("h2", NULL, error);
    kinlane_solver *solver = planned(gas, NULL, NULL);
    const size_t k = kinlane_mechanism_count(gas, KINLANE_SPECIES), r = kinlane_mechanism_count(gas, KINLANE_REACTIONS);
    double t[CELLS], p[CELLS], density[CELLS], mass[CELLS], cp[CELLS], h[CELLS], heat[CELLS], found[CELLS];
    double *y = numbers(CELLS * k), *turned = numbers(CELLS * k), *w = numbers(CELLS * k), *w2 = numbers(CELLS * k);
    double *jacobian = numbers(CELLS * (k + 1) * (k + 1)), *progress = numbers(CELLS * r * 2), *masses = numbers(k);

    fill(gas, t, p, y);
    for (size_t i = 0; i < CELLS * k; i++)
        turned[i % k * CELLS + i / k] = y[i];
    kinlane_states states = {0};
    states.cells = CELLS, states.temperature = t, states.pressure = p, states.y = y;
    OK(kinlane_rates(solver, &states, w, jacobian, error));
    OK(kinlane_mechanism_molar_masses(gas, masses, error));
    for (size_t i = 0; i < CELLS; i++) {
        double sum = 0.0, gross = 0.0;
        for (size_t s = 0; s < k; s++)
            sum += masses[s] * w[i * k + s], gross += masses[s] * fabs(w[i * k + s]);
        CHECK(gross > 0.0 && fabs(sum) < 1e-12 * gross);
    }
    states.y = turned, states.layout = KINLANE_SPECIES_MAJOR;
    OK(kinlane_rates(solver, &states, w2, NULL, error));
    for (size_t i = 0; i < CELLS * k; i++)
        CHECK(w2[i % k * CELLS + i / k] == w[i]);
    OK(kinlane_rates_of_progress(solver, &states, progress, error));
    CHECK(progress[0] >= 0.0 && progress[1] >= 0.0);

    kinlane_properties properties = {0};
    properties.density = density, properties.molar_mass = mass, properties.cp = cp;
    properties.enthalpy = h, properties.heat_release = heat;
    OK(kinlane_gas_properties(solver, &states, &properties, error));
    for (size_t i = 0; i < CELLS; i++) {
        CHECK(fabs(density[i] * 8.31446261815324 * t[i] / mass[i] / p[i] - 1.0) < 1e-12);
        CHECK(cp[i] > 1000.0 && cp[i] < 3000.0 && isfinite(h[i]) && isfinite(heat[i]));
        found[i] = 400.0;
    }
    /* Without the heat release no reaction is evaluated; the rest is the same. */
    double cp_alone[CELLS], h_alone[CELLS];
    properties.cp = cp_alone, properties.enthalpy = h_alone, properties.heat_release = NULL;
    OK(kinlane_gas_properties(solver, &states, &properties, error));
    CHECK(same(cp, cp_alone, CELLS) && same(h, h_alone, CELLS));
    /* Of all species: their sums, weighted by mass fractions, are those of the gas. `states` is species-major here. */
    double *h_of = malloc(CELLS * k * sizeof(double)), *cp_of = malloc(CELLS * k * sizeof(double));
    OK(kinlane_species_properties(solver, &states, h_of, cp_of, error));
    for (size_t i = 0; i < CELLS; i++) {
        double h_sum = 0.0, cp_sum = 0.0;
        for (size_t s = 0; s < k; s++)
            h_sum += turned[s * CELLS + i] * h_of[s * CELLS + i], cp_sum += turned[s * CELLS + i] * cp_of[s * CELLS + i];
        CHECK(fabs(cp_sum / cp[i] - 1.0) < 1e-12 && fabs(h_sum - h[i]) < 1e-9 * (fabs(h[i]) + cp[i] * t[i]));
    }
    FAILS(kinlane_species_properties(solver, &states, h_of, NULL, error), KINLANE_ARGUMENT, "cp is NULL");
    free(h_of), free(cp_of);
    states.temperature = found;
    states.pressure = NULL;
    OK(kinlane_temperatures(solver, &states, h, found, error));
    for (size_t i = 0; i < CELLS; i++)
        CHECK(fabs(found[i] - t[i]) < 1e-7);
    FAILS(kinlane_gas_properties(solver, &states, &properties, error), KINLANE_ARGUMENT, "pressure is NULL");
    states.pressure = p;

    FAILS(kinlane_rates(solver, NULL, w, NULL, error), KINLANE_ARGUMENT, "states is NULL");
    FAILS(kinlane_rates(solver, &states, NULL, NULL, error), KINLANE_ARGUMENT, "wdot is NULL");
    FAILS(kinlane_rates(NULL, &states, w, NULL, error), KINLANE_ARGUMENT, "solver is NULL");
    FAILS(kinlane_rates(solver, &states, w, w, error), KINLANE_ARGUMENT, "share memory");
    FAILS(kinlane_rates_of_progress(solver, &states, NULL, error), KINLANE_ARGUMENT, "progress is NULL");
    FAILS(kinlane_gas_properties(solver, &states, NULL, error), KINLANE_ARGUMENT, "properties is NULL");
    FAILS(kinlane_temperatures(solver, &states, NULL, found, error), KINLANE_ARGUMENT, "energy is NULL");
    found[2] = -5.0;
    FAILS(kinlane_rates(solver, &states, w, NULL, error), KINLANE_BATCH, "cell 2, T");
    kinlane_solver_free(solver);
    kinlane_mechanism_free(gas);
    free(y), free(turned), free(w), free(w2), free(jacobian), free(progress), free(masses);
}

static void schemes(const char *file)
{
    enum { N = 3 };
    kinlane_scheme *scheme = kinlane_scheme_open(file, NULL, error);
    CHECK(scheme != NULL);
    const size_t k = kinlane_scheme_count(scheme, KINLANE_SPECIES), r = kinlane_scheme_count(scheme, KINLANE_REACTIONS);
    CHECK(strcmp(kinlane_scheme_name(scheme), "chapman") == 0 && !kinlane_scheme_is_star(scheme));
    CHECK(k == 2 && r == 4 && kinlane_scheme_count(scheme, KINLANE_FIXED) == 2);
    CHECK(kinlane_scheme_count(scheme, KINLANE_INPUTS) == 1 && kinlane_scheme_count(scheme, KINLANE_PHOTOLYSIS) == 0);
    CHECK(strcmp(kinlane_scheme_item(scheme, KINLANE_INPUTS, 0), "SUN") == 0);
    CHECK(kinlane_scheme_index(scheme, KINLANE_FIXED, "M", error) == 1);
    MAKES_NONE(kinlane_scheme_index(scheme, KINLANE_SPECIES, "O4", error), KINLANE_NONE, KINLANE_ARGUMENT, "O4");
    double weights[2], inputs[1];
    OK(kinlane_scheme_weights(scheme, weights, error));
    OK(kinlane_scheme_usual_inputs(scheme, inputs, error));
    CHECK(weights[0] == 1.0 && isnan(inputs[0]));
    FAILS(kinlane_scheme_weights(scheme, NULL, error), KINLANE_ARGUMENT, "weights is NULL");
    double excesses[2];
    OK(kinlane_scheme_mass_excesses(scheme, excesses, error));
    CHECK(isnan(excesses[0]) && isnan(excesses[1]));
    FAILS(kinlane_scheme_mass_excesses(scheme, NULL, error), KINLANE_ARGUMENT, "excesses is NULL");
    FAILS(kinlane_scheme_usual_inputs(NULL, inputs, error), KINLANE_ARGUMENT, "scheme is NULL");

    kinlane_options *options = kinlane_options_new();
    OK(kinlane_options_set_number(options, "threads", 1, error));
    kinlane_solver *solver = kinlane_scheme_solver_new(scheme, options, error);
    CHECK(solver != NULL);
    OK(kinlane_options_set(options, "reactor", "const-v", error));
    MAKES_NONE(kinlane_scheme_solver_new(scheme, options, error), NULL, KINLANE_PLAN, "reactor");
    MAKES_NONE(kinlane_scheme_solver_new(NULL, NULL, error), NULL, KINLANE_ARGUMENT, "scheme is NULL");
    kinlane_options_free(options);

    const double t[N] = {240.0, 240.0, 240.0}, fixed[2 * N] = {4e16, 1.9e17, 4e16, 1.9e17, 4e16, 1.9e17};
    double sun[N] = {0.0, 0.5, 1.0}, amounts[2 * N] = {1e7, 2e12, 1e7, 2e12, 1e7, 2e12}, source[2 * N] = {0};
    double constants[4 * N], tendencies[2 * N];
    int32_t status[N];
    kinlane_report report;
    kinlane_conditions conditions = {0};
    conditions.cells = N, conditions.temperature = t, conditions.inputs = sun, conditions.fixed = fixed;
    OK(kinlane_scheme_rates(solver, &conditions, amounts, constants, tendencies, error));
    CHECK(constants[0] == 0.0 && constants[4] == 5e-11 * 0.5 && constants[8] == 5e-11);
    CHECK(fabs(tendencies[1] - (6e-34 * pow(0.8, -2.4) * 1e7 * 4e16 * 1.9e17 - 8e-12 * exp(-2060.0 / 240.0) * 2e19)) < 1.0);
    double progress[4 * N], jacobian[4 * N];
    OK(kinlane_scheme_detail(solver, &conditions, amounts, progress, jacobian, error));
    double made = 6e-34 * pow(0.8, -2.4) * 4e16 * 1.9e17, lost = 8e-12 * exp(-2060.0 / 240.0);
    CHECK(fabs(progress[1] / (made * 1e7) - 1.0) < 1e-12 && fabs(progress[3] / (lost * 1e7 * 2e12) - 1.0) < 1e-12);
    CHECK(fabs(jacobian[2] / (made - lost * 2e12) - 1.0) < 1e-12);
    kinlane_extras extras = {0};
    extras.status = status;
    conditions.source = source;
    OK(kinlane_scheme_advance(solver, &conditions, amounts, 3600.0, &extras, &report, error));
    CHECK(report.cells == N && report.failed == 0 && status[2] == KINLANE_DONE);
    CHECK(amounts[0] < 1.0 && amounts[4] > 1e7 && amounts[5] > 1e12);

    /* Species by species: the same numbers in the other order. */
    double turned[2 * N] = {1e7, 1e7, 1e7, 2e12, 2e12, 2e12}, fixed2[2 * N] = {4e16, 4e16, 4e16, 1.9e17, 1.9e17, 1.9e17};
    double source2[2 * N] = {0.0, 0.0, 0.0, 0.0, 1e6, 0.0}, again[2 * N] = {1e7, 2e12, 1e7, 2e12, 1e7, 2e12};
    double constants2[4 * N], tendencies2[2 * N], jacobian2[4 * N];
    kinlane_conditions other = conditions;
    source[3] = 1e6;
    OK(kinlane_scheme_advance(solver, &conditions, again, 3600.0, NULL, NULL, error));
    OK(kinlane_scheme_rates(solver, &conditions, again, constants, tendencies, error));
    OK(kinlane_scheme_detail(solver, &conditions, again, NULL, jacobian, error));
    other.fixed = fixed2, other.source = source2, other.layout = KINLANE_SPECIES_MAJOR;
    OK(kinlane_scheme_advance(solver, &other, turned, 3600.0, NULL, NULL, error));
    OK(kinlane_scheme_rates(solver, &other, turned, constants2, tendencies2, error));
    OK(kinlane_scheme_detail(solver, &other, turned, NULL, jacobian2, error));
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < 4; j++) {
            CHECK(constants2[j * N + i] == constants[4 * i + j] && jacobian2[j * N + i] == jacobian[4 * i + j]);
            CHECK(j >= 2 || (turned[j * N + i] == again[2 * i + j] && tendencies2[j * N + i] == tendencies[2 * i + j]));
        }
    CHECK(again[3] != amounts[3]);
    other.layout = (kinlane_layout)7;
    FAILS(kinlane_scheme_advance(solver, &other, turned, 1.0, NULL, NULL, error), KINLANE_ARGUMENT, "layout");

    sun[1] = INFINITY;
    FAILS(kinlane_scheme_advance(solver, &conditions, amounts, 1.0, NULL, NULL, error), KINLANE_BATCH, "cell 1, SUN");
    /* Finite, though no sun shines so: at worst the cell fails. */
    sun[1] = 1e308;
    OK(kinlane_scheme_advance(solver, &conditions, amounts, 1.0, &extras, &report, error));
    sun[1] = 0.5;
    extras.heating = sun;
    FAILS(kinlane_scheme_advance(solver, &conditions, amounts, 1.0, &extras, NULL, error), KINLANE_ARGUMENT, "extras");
    FAILS(kinlane_scheme_advance(solver, &conditions, NULL, 1.0, NULL, NULL, error), KINLANE_ARGUMENT, "amounts");
    FAILS(kinlane_scheme_advance(solver, &conditions, sun, 1.0, NULL, NULL, error), KINLANE_ARGUMENT, "share memory");
    FAILS(kinlane_scheme_advance(solver, NULL, amounts, 1.0, NULL, NULL, error), KINLANE_ARGUMENT, "conditions is NULL");
    FAILS(kinlane_scheme_rates(NULL, &conditions, amounts, constants, NULL, error), KINLANE_ARGUMENT, "solver is NULL");
    FAILS(kinlane_advance(solver, 0, NULL, NULL, NULL, KINLANE_CELL_MAJOR, 1.0, NULL, NULL, error), KINLANE_ARGUMENT,
          "reaction scheme");
    kinlane_solver_free(solver);
    const char *kpp = "#DEFVAR\nA = IGNORE;\n#EQUATIONS\n<R1> A = PROD : 1/3;\n<R2> A = PROD : 2.0;";
    kinlane_scheme *small = kinlane_scheme_read("small.def", kpp, NULL, error);
    CHECK(small != NULL && strcmp(kinlane_scheme_item(small, KINLANE_REACTIONS, 1), "R2") == 0);
    CHECK(kinlane_scheme_count(small, KINLANE_WARNINGS) == 1 && kinlane_scheme_count(scheme, KINLANE_WARNINGS) == 0);
    CHECK(strstr(kinlane_scheme_item(small, KINLANE_WARNINGS, 0), "small.def:4") != NULL);
    kinlane_scheme_free(small);
    MAKES_NONE(kinlane_scheme_read("small.def", "#DEFVAR", NULL, error), NULL, KINLANE_MECHANISM, "small.def");
    MAKES_NONE(kinlane_scheme_read("small.def", NULL, NULL, error), NULL, KINLANE_ARGUMENT, "scheme is NULL");
    MAKES_NONE(kinlane_scheme_open("nowhere.def", NULL, error), NULL, KINLANE_MECHANISM, "nowhere.def");
    MAKES_NONE(kinlane_mechanism_open(file, NULL, error), NULL, KINLANE_MECHANISM, "KPP");
    CHECK(kinlane_scheme_name(NULL) == NULL && kinlane_scheme_is_star(NULL) == 0);
    CHECK(kinlane_scheme_count(NULL, KINLANE_SPECIES) == 0 && kinlane_scheme_item(NULL, KINLANE_SPECIES, 0) == NULL);
    kinlane_scheme_free(scheme), kinlane_scheme_free(NULL);
}

/* Factors on reactions: all rates doubled are half the time. */
static void perturbed(void)
{
    kinlane_mechanism *gas = kinlane_mechanism_open("h2", NULL, error);
    CHECK(gas != NULL);
    const size_t k = kinlane_mechanism_count(gas, KINLANE_SPECIES), r = kinlane_mechanism_count(gas, KINLANE_REACTIONS);
    double t[CELLS], p[CELLS], t2[CELLS], p2[CELLS];
    double *y = numbers(CELLS * k), *y2 = numbers(CELLS * k), *factors = numbers(CELLS * r);
    kinlane_options *options = kinlane_options_new();
    OK(kinlane_options_set(options, "factors", "yes", error));
    OK(kinlane_options_set_number(options, "rtol", 1e-8, error));
    OK(kinlane_options_set_number(options, "threads", 1, error));
    kinlane_solver *solver = kinlane_solver_new(gas, options, error), *follower = kinlane_follower_new(gas, options, error);
    CHECK(solver != NULL && follower != NULL);
    fill(gas, t, p, y), fill(gas, t2, p2, y2);
    for (size_t i = 0; i < CELLS * r; i++)
        factors[i] = i < r ? 1.0 : 2.0;
    kinlane_extras extras = {0};
    extras.factors = factors;
    OK(kinlane_advance(solver, CELLS, t, p, y, KINLANE_CELL_MAJOR, 1e-5, &extras, NULL, error));
    OK(kinlane_advance(solver, 1, t2, p2, y2, KINLANE_CELL_MAJOR, 1e-5, NULL, NULL, error));
    OK(kinlane_advance(solver, CELLS - 1, t2 + 1, p2 + 1, y2 + k, KINLANE_CELL_MAJOR, 2e-5, NULL, NULL, error));
    CHECK(t[0] == t2[0] && same(y, y2, k));
    for (size_t i = 1; i < CELLS; i++)
        CHECK(fabs(t[i] / t2[i] - 1.0) < 1e-6);
    /* Of those that are followed, too: one cell as it is, and one with the same state and doubled rates. */
    double found[2];
    kinlane_notes notes = {0};
    notes.events = "T+300", notes.found = found;
    fill(gas, t, p, y);
    t[0] = t[1] = t[CELLS - 1];
    OK(kinlane_follow(follower, 2, t, p, y, KINLANE_CELL_MAJOR, 1e-4, &notes, &extras, NULL, error));
    CHECK(found[0] > 0.0 && fabs(found[1] / found[0] - 0.5) < 1e-4);

    factors[3 * r + 2] = -1.0;
    fill(gas, t, p, y);
    FAILS(kinlane_advance(solver, CELLS, t, p, y, KINLANE_CELL_MAJOR, 1e-5, &extras, NULL, error), KINLANE_BATCH, "cell 3");
    CHECK(kinlane_error_cell(error) == 3);
    kinlane_solver_free(solver), kinlane_solver_free(follower);
    OK(kinlane_options_set(options, "device", "opencl", error));
    MAKES_NONE(kinlane_solver_new(gas, options, error), NULL, KINLANE_PLAN, "the option device");
    solver = planned(gas, "factors", "no");
    factors[3 * r + 2] = 1.0;
    FAILS(kinlane_advance(solver, CELLS, t, p, y, KINLANE_CELL_MAJOR, 1e-5, &extras, NULL, error), KINLANE_ARGUMENT,
          "the option factors");
    kinlane_solver_free(solver);
    kinlane_options_free(options);
    kinlane_mechanism_free(gas);
    free(y), free(y2), free(factors);
}

/* Zones that heat themselves: carbon burns to magnesium, which takes up alphas. */
static void stars(const char *atmosphere)
{
    enum { N = 2 };
    const char *library =
        "4\n"
        "       c12  c12 mg24                       made      1.39337e+01\n"
        " 6.000000e+01 0.000000e+00-8.400000e+01 0.000000e+00\n"
        " 0.000000e+00 0.000000e+00-6.666670e-01\n"
        "4\n"
        "       he4 mg24 si28                       made      9.98400e+00\n"
        " 4.000000e+01 0.000000e+00-5.600000e+01 0.000000e+00\n"
        " 0.000000e+00 0.000000e+00-6.666670e-01\n"
        "3\n"
        "       c12  he4  he4  he4                  made v   -7.27500e+00\n"
        " 3.000000e+01-8.440000e+01 0.000000e+00 0.000000e+00\n"
        " 0.000000e+00 0.000000e+00 0.000000e+00\n";
    kinlane_scheme *scheme = kinlane_scheme_read("made-up", library, NULL, error);
    CHECK(scheme != NULL && kinlane_scheme_is_star(scheme));
    const size_t k = kinlane_scheme_count(scheme, KINLANE_SPECIES), carbon = kinlane_scheme_index(scheme, KINLANE_SPECIES, "c12", error);
    CHECK(k == 4 && carbon < k);
    double *amounts = numbers(N * k), *alone = numbers(k);
    double t[N] = {2.5, 2.0}, rho[N] = {1e8, 1e7}, t1 = 2.0, rho1 = 1e7, reached[N], own[N] = {2e-8, 1e-8};
    int32_t status[N];
    kinlane_report report;
    amounts[carbon] = amounts[k + carbon] = alone[carbon] = 1.0 / 12.0;
    kinlane_options *options = kinlane_options_new();
    OK(kinlane_options_set(options, "reactor", "const-v", error));
    OK(kinlane_options_set_number(options, "threads", 2, error));
    kinlane_solver *zones = kinlane_zones_new(scheme, options, error);
    CHECK(zones != NULL);
    kinlane_extras extras = {0};
    extras.status = status, extras.reached = reached, extras.intervals = own;
    OK(kinlane_solver_prepare(zones, N, error));
    OK(kinlane_zones_advance(zones, N, t, rho, amounts, KINLANE_CELL_MAJOR, NAN, &extras, &report, error));
    CHECK(report.cells == N && report.failed == 0 && status[0] == KINLANE_DONE && reached[1] == 1e-8);
    CHECK(t[0] > 2.5 && rho[0] == 1e8 && amounts[carbon] < 1.0 / 12.0 && kinlane_solver_progress(zones) == N);
    OK(kinlane_zones_advance(zones, 1, &t1, &rho1, alone, KINLANE_CELL_MAJOR, 1e-8, NULL, NULL, error));
    CHECK(t[1] == t1 && rho[1] == rho1 && same(amounts + k, alone, k));
    double *turned = numbers(N * k), t3[N] = {2.5, 2.0}, rho3[N] = {1e8, 1e7};
    turned[carbon * N] = turned[carbon * N + 1] = 1.0 / 12.0;
    OK(kinlane_zones_advance(zones, N, t3, rho3, turned, KINLANE_SPECIES_MAJOR, NAN, &extras, NULL, error));
    for (size_t i = 0; i < N * k; i++)
        CHECK(turned[i % k * N + i / k] == amounts[i]);
    free(turned);
    char info[2000];
    CHECK(kinlane_solver_info(zones, "method", info, sizeof info, error) == 3 && strcmp(info, "bdf") == 0);
    CHECK(kinlane_solver_info(zones, "fallback", info, sizeof info, error) == 0);
    CHECK(kinlane_solver_info(zones, "not-finite", info, sizeof info, error) == 0);
    CHECK(kinlane_solver_info(zones, "report", info, sizeof info, error) > 100);

    /* What is wrong. A zone that there is not fails. */
    OK(kinlane_options_set(options, "threads", "0", error));
    MAKES_NONE(kinlane_zones_new(scheme, options, error), NULL, KINLANE_PLAN, "threads");
    t1 = NAN;
    FAILS(kinlane_zones_advance(zones, 1, &t1, &rho1, alone, KINLANE_CELL_MAJOR, 1e-6, NULL, NULL, error), KINLANE_BATCH, "cell 0, T9");
    CHECK(kinlane_solver_info(zones, "report", info, sizeof info, error) == 0);
    t1 = 2.0;
    FAILS(kinlane_zones_advance(zones, 1, &t1, &rho1, alone, KINLANE_CELL_MAJOR, -1.0, NULL, NULL, error), KINLANE_ARGUMENT, "interval");
    FAILS(kinlane_zones_advance(zones, 1, &t1, &t1, alone, KINLANE_CELL_MAJOR, 1.0, NULL, NULL, error), KINLANE_ARGUMENT, "share memory");
    FAILS(kinlane_zones_advance(zones, 1, &t1, NULL, alone, KINLANE_CELL_MAJOR, 1.0, NULL, NULL, error), KINLANE_ARGUMENT, "density is NULL");
    extras.heating = own;
    FAILS(kinlane_zones_advance(zones, 1, &t1, &rho1, alone, KINLANE_CELL_MAJOR, 1.0, &extras, NULL, error), KINLANE_ARGUMENT, "extras");
    memset(&extras, 0, sizeof extras);
    extras.status = status;
    t1 = 1e4;
    OK(kinlane_zones_advance(zones, 1, &t1, &rho1, alone, KINLANE_CELL_MAJOR, 1e-6, &extras, &report, error));
    CHECK(report.failed == 1 && status[0] == KINLANE_NOT_FINITE && t1 == 1e4);
    kinlane_conditions conditions = {0};
    FAILS(kinlane_scheme_advance(zones, &conditions, alone, 1.0, NULL, NULL, error), KINLANE_ARGUMENT, "kinlane_zones_advance");
    FAILS(kinlane_advance(zones, 0, NULL, NULL, NULL, KINLANE_CELL_MAJOR, 1.0, NULL, NULL, error), KINLANE_ARGUMENT, "scheme");
    kinlane_solver_free(zones);
    OK(kinlane_options_set(options, "mapping", "group", error));
    MAKES_NONE(kinlane_zones_new(scheme, options, error), NULL, KINLANE_PLAN, "`mapping` means nothing");
    OK(kinlane_options_set(options, "mapping", NULL, error));
    OK(kinlane_options_set(options, "method", "rodas4", error));
    MAKES_NONE(kinlane_zones_new(scheme, options, error), NULL, KINLANE_PLAN, "bdf or ndf");
    OK(kinlane_options_set(options, "method", NULL, error));
    OK(kinlane_options_set(options, "reactor", "fixed-t", error));
    MAKES_NONE(kinlane_zones_new(scheme, options, error), NULL, KINLANE_PLAN, "constant temperature");
    MAKES_NONE(kinlane_zones_new(NULL, NULL, error), NULL, KINLANE_ARGUMENT, "scheme is NULL");
    kinlane_solver *steady = kinlane_scheme_solver_new(scheme, NULL, error);
    CHECK(steady != NULL);
    FAILS(kinlane_zones_advance(steady, 1, &t1, &rho1, alone, KINLANE_CELL_MAJOR, 1.0, NULL, NULL, error), KINLANE_ARGUMENT, "kinlane_zones_new");
    kinlane_solver_free(steady);
    kinlane_scheme *air = kinlane_scheme_open(atmosphere, NULL, error);
    MAKES_NONE(kinlane_zones_new(air, NULL, error), NULL, KINLANE_PLAN, "atmosphere");
    kinlane_scheme_free(air), kinlane_scheme_free(scheme);
    kinlane_options_free(options);
    free(amounts), free(alone);
}

/* Handles of another kind, which languages without types of pointers do not tell apart. */
static void mistaken(const char *file)
{
    kinlane_mechanism *gas = kinlane_mechanism_open("h2", NULL, error);
    kinlane_scheme *scheme = kinlane_scheme_open(file, NULL, error);
    kinlane_solver *solver = planned(gas, NULL, NULL);
    kinlane_options *options = kinlane_options_new();
    CHECK(gas != NULL && scheme != NULL && solver != NULL);
    void *of_gas = gas, *of_scheme = scheme, *of_solver = solver, *of_options = options;
    double t = 300.0, p = 1e5, *y = numbers(kinlane_mechanism_count(gas, KINLANE_SPECIES));
    kinlane_extras extras = {0};

    MAKES_NONE(kinlane_solver_new(of_scheme, NULL, error), NULL, KINLANE_ARGUMENT, "mechanism is no kinlane_mechanism");
    MAKES_NONE(kinlane_follower_new(of_solver, NULL, error), NULL, KINLANE_ARGUMENT, "mechanism is no kinlane_mechanism");
    MAKES_NONE(kinlane_scheme_solver_new(of_gas, NULL, error), NULL, KINLANE_ARGUMENT, "scheme is no kinlane_scheme");
    MAKES_NONE(kinlane_zones_new(of_gas, NULL, error), NULL, KINLANE_ARGUMENT, "scheme is no kinlane_scheme");
    MAKES_NONE(kinlane_solver_new(gas, of_gas, error), NULL, KINLANE_ARGUMENT, "options is no kinlane_options");
    MAKES_NONE(kinlane_mechanism_open("h2", of_gas, error), NULL, KINLANE_ARGUMENT, "options is no kinlane_options");
    MAKES_NONE(kinlane_continuation_new(of_gas, 1, error), NULL, KINLANE_ARGUMENT, "solver is no kinlane_solver");
    FAILS(kinlane_options_set(of_solver, "rtol", "1e-6", error), KINLANE_ARGUMENT, "options is no kinlane_options");
    FAILS(kinlane_solver_prepare(of_options, 1, error), KINLANE_ARGUMENT, "solver is no kinlane_solver");
    FAILS(kinlane_mechanism_molar_masses(of_scheme, y, error), KINLANE_ARGUMENT, "mechanism is no kinlane_mechanism");
    extras.continuation = of_solver;
    FAILS(kinlane_advance(solver, 1, &t, &p, y, KINLANE_CELL_MAJOR, 1.0, &extras, NULL, error), KINLANE_ARGUMENT,
          "extras.continuation is no kinlane_continuation");
    CHECK(kinlane_mechanism_name(of_scheme) == NULL && kinlane_scheme_count(of_gas, KINLANE_SPECIES) == 0);
    CHECK(kinlane_continuation_size(of_gas) == 0 && kinlane_solver_progress(of_gas) == 0);
    kinlane_solver_stop(of_gas, 1);
    kinlane_error_free(of_gas), kinlane_solver_free(of_gas), kinlane_options_free(of_gas);
    /* A place for errors that is none is not written to. */
    CHECK(kinlane_mechanism_open("gri3", NULL, of_gas) == NULL && kinlane_error_code(of_gas) == KINLANE_OK);
    CHECK(kinlane_mechanism_count(gas, KINLANE_SPECIES) == 13);
    kinlane_solver_free(solver), kinlane_scheme_free(scheme), kinlane_mechanism_free(gas), kinlane_options_free(options);
    free(y);
}

int main(int count, char **arguments)
{
    error = kinlane_error_new();
    CHECK(count == 2);
    errors_and_options();
    mechanisms();
    advance();
    following();
    continuations();
    rates();
    perturbed();
    schemes(arguments[1]);
    stars(arguments[1]);
    mistaken(arguments[1]);
    kinlane_error_free(error);
    puts("every function has been called");
    return 0;
}
