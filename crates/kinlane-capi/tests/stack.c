/* Calls that plan and use solvers, in a thread with as much stack as kinlane.h asks for. `hosts.rs` compiles and runs it:
   stack KIB CHAPMAN.DEF, an atmospheric scheme. What is opened is opened before, with more. */
#include "kinlane.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                                                     \
    do {                                                                                                                     \
        if (!(condition)) {                                                                                                  \
            fprintf(stderr, "%s:%d: not so: %s: %s\n", __FILE__, __LINE__, #condition, kinlane_error_text(error));           \
            exit(1);                                                                                                         \
        }                                                                                                                    \
    } while (0)
#define OK(call) CHECK((call) == KINLANE_OK)

enum { CELLS = 8 };

static kinlane_error *error;
static kinlane_mechanism *gas;
static kinlane_scheme *air, *star;

static double *filled(size_t count, double value)
{
    double *x = malloc(count * sizeof *x);
    CHECK(x != NULL);
    for (size_t i = 0; i < count; i++)
        x[i] = value;
    return x;
}

static void set(kinlane_options *options, const char *name, const char *value)
{
    OK(kinlane_options_set(options, name, value, error));
}

/* Solvers of gas with these options, with notes and without, and what they tell. */
static void of_gas(kinlane_options *options)
{
    const size_t k = kinlane_mechanism_count(gas, KINLANE_SPECIES), r = kinlane_mechanism_count(gas, KINLANE_REACTIONS);
    const double last = 1e-7, knots[2] = {0.0, 1e-7}, volume[2] = {1.0, 0.9};
    double *t = filled(CELLS, 1200.0), *p = filled(CELLS, 1e5), *y = filled(CELLS * k, 1.0 / (double)k);
    double *w = filled(CELLS * k, 0.0), *jacobian = filled(CELLS * (k + 1) * (k + 1), 0.0), *progress = filled(CELLS * r * 2, 0.0);
    double found[2 * CELLS], h[CELLS], *series = filled(CELLS * (k + 2), 0.0);
    char info[4000];
    kinlane_states states = {0};
    kinlane_properties properties = {0};
    kinlane_extras extras = {0};
    kinlane_notes notes = {0};
    kinlane_history history = {0};
    kinlane_solver *solver = kinlane_solver_new(gas, options, error);

    CHECK(solver != NULL);
    OK(kinlane_solver_prepare(solver, CELLS, error));
    OK(kinlane_advance(solver, CELLS, t, p, y, KINLANE_CELL_MAJOR, 1e-7, NULL, NULL, error));
    extras.continuation = kinlane_continuation_new(solver, CELLS, error);
    CHECK(extras.continuation != NULL);
    OK(kinlane_advance(solver, CELLS, t, p, y, KINLANE_SPECIES_MAJOR, 1e-7, &extras, NULL, error));
    kinlane_continuation_free(extras.continuation);
    states.cells = CELLS, states.temperature = t, states.pressure = p, states.y = y;
    properties.enthalpy = h, properties.heat_release = found;
    OK(kinlane_rates(solver, &states, w, jacobian, error));
    OK(kinlane_rates_of_progress(solver, &states, progress, error));
    OK(kinlane_gas_properties(solver, &states, &properties, error));
    OK(kinlane_species_properties(solver, &states, w, series, error));
    OK(kinlane_temperatures(solver, &states, h, found, error));
    CHECK(kinlane_solver_info(solver, "report", info, sizeof info, error) > 100);
    kinlane_solver_free(solver);

    notes.times = 1, notes.time = &last, notes.series = series, notes.events = "dT/dt\nmax OH", notes.found = found;
    solver = kinlane_follower_new(gas, options, error);
    CHECK(solver != NULL);
    OK(kinlane_follow(solver, CELLS, t, p, y, KINLANE_CELL_MAJOR, 1e-7, &notes, NULL, NULL, error));
    kinlane_solver_free(solver);
    set(options, "history", "yes");
    solver = kinlane_follower_new(gas, options, error);
    CHECK(solver != NULL);
    history.knots = 2, history.time = knots, history.rows = 1, history.value = volume;
    OK(kinlane_follow_along(solver, CELLS, t, p, y, KINLANE_CELL_MAJOR, 1e-7, &history, &notes, NULL, NULL, error));
    kinlane_solver_free(solver);
    set(options, "history", NULL);
    free(t), free(p), free(y), free(w), free(jacobian), free(progress), free(series);
}

static void of_schemes(kinlane_options *options)
{
    double *t = filled(CELLS, 240.0), *sun = filled(CELLS, 1.0), *fixed = filled(2 * CELLS, 1e17), *amounts = filled(2 * CELLS, 1e8);
    double *constants = filled(4 * CELLS, 0.0), *tendencies = filled(4 * CELLS, 0.0), *hot = filled(CELLS, 2.0), *rho = filled(CELLS, 1e7);
    double *shares = filled(2 * CELLS, 0.05);
    kinlane_conditions conditions = {0};
    kinlane_solver *solver = kinlane_scheme_solver_new(air, options, error);

    CHECK(solver != NULL);
    conditions.cells = CELLS, conditions.temperature = t, conditions.inputs = sun, conditions.fixed = fixed;
    OK(kinlane_scheme_rates(solver, &conditions, amounts, constants, tendencies, error));
    OK(kinlane_scheme_detail(solver, &conditions, amounts, constants, tendencies, error));
    OK(kinlane_scheme_advance(solver, &conditions, amounts, 60.0, NULL, NULL, error));
    kinlane_solver_free(solver);
    solver = kinlane_zones_new(star, options, error);
    CHECK(solver != NULL);
    OK(kinlane_zones_advance(solver, CELLS, hot, rho, shares, KINLANE_CELL_MAJOR, 1e-9, NULL, NULL, error));
    kinlane_solver_free(solver);
    free(t), free(sun), free(fixed), free(amounts), free(constants), free(tendencies), free(hot), free(rho), free(shares);
}

static void *calls(void *nothing)
{
    const size_t k = kinlane_mechanism_count(gas, KINLANE_SPECIES);
    double t[2] = {300.0, 600.0}, p[2] = {1e5, 1e5}, *y = filled(2 * k, 1.0 / (double)k);
    char methods[2000];

    CHECK(kinlane_mechanism_count(gas, KINLANE_WARNINGS) == 0 && strlen(kinlane_methods()) < sizeof methods);
    OK(kinlane_mechanism_equilibrate(gas, 2, "HP", t, p, y, KINLANE_CELL_MAJOR, 1, NULL, error));
    free(y);
    kinlane_options *options = kinlane_options_new();
    set(options, "threads", "1");
    of_schemes(options);
    /* Some take steps of this length. */
    set(options, "first-step", "1e-9");
    strcpy(methods, kinlane_methods());
    for (char *method = strtok(methods, "\n"); method; method = strtok(NULL, "\n")) {
        set(options, "method", method);
        of_gas(options);
    }
    kinlane_options_free(options);
    return nothing;
}

int main(int count, char **arguments)
{
    /* 2 C-12 make Mg-24, as fast as may be. */
    const char *library = "4\n"
                          "       c12  c12 mg24                       made      1.39337e+01\n"
                          " 6.000000e+01 0.000000e+00-8.400000e+01 0.000000e+00\n"
                          " 0.000000e+00 0.000000e+00-6.666670e-01\n";
    pthread_attr_t small;
    pthread_t thread;

    error = kinlane_error_new();
    CHECK(count == 3);
    gas = kinlane_mechanism_open("h2", NULL, error);
    CHECK(gas != NULL);
    air = kinlane_scheme_open(arguments[2], NULL, error);
    CHECK(air != NULL);
    star = kinlane_scheme_read("made-up", library, NULL, error);
    CHECK(star != NULL);
    CHECK(pthread_attr_init(&small) == 0 && pthread_attr_setstacksize(&small, (size_t)atoi(arguments[1]) * 1024) == 0);
    CHECK(pthread_create(&thread, &small, calls, NULL) == 0 && pthread_join(thread, NULL) == 0);
    pthread_attr_destroy(&small);
    kinlane_scheme_free(star), kinlane_scheme_free(air), kinlane_mechanism_free(gas);
    kinlane_error_free(error);
    puts("as much stack as was promised");
    return 0;
}
