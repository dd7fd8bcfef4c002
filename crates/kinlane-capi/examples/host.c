/* Stoichiometric hydrogen and air at 1 bar, 1000 to 1500 K, for 100 microseconds in steps of 1.
   cc -I../include host.c -L../../../target/release -lkinlane -o host */
#include "kinlane.h"
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 101 };

static kinlane_error *error;

static void check(int good)
{
    if (!good) {
        fprintf(stderr, "%s\n", kinlane_error_text(error));
        exit(1);
    }
}

int main(void)
{
    error = kinlane_error_new();
    kinlane_mechanism *gas = kinlane_mechanism_open("h2", NULL, error); /* or a file's name */
    check(gas != NULL);

    kinlane_options *options = kinlane_options_new();
    check(kinlane_options_set_number(options, "rtol", 1e-6, error) == KINLANE_OK);
    check(kinlane_options_set_number(options, "threads", 1, error) == KINLANE_OK);
    kinlane_solver *solver = kinlane_solver_new(gas, options, error);
    check(solver != NULL);
    kinlane_options_free(options);

    const size_t species = kinlane_mechanism_count(gas, KINLANE_SPECIES);
    double temperature[CELLS], pressure[CELLS];
    double *y = calloc(CELLS * species, sizeof *y); /* y[cell * species + k] */
    const char *const names[] = {"H2", "O2", "N2"};
    const double fractions[] = {0.0285, 0.2264, 0.7451};
    for (size_t i = 0; i < 3; i++) {
        const size_t k = kinlane_mechanism_index(gas, KINLANE_SPECIES, names[i], error);
        check(y && k != KINLANE_NONE);
        for (size_t cell = 0; cell < CELLS; cell++)
            y[cell * species + k] = fractions[i];
    }
    for (size_t cell = 0; cell < CELLS; cell++) {
        temperature[cell] = 1000.0 + 5.0 * (double)cell;
        pressure[cell] = 1e5;
    }

    int32_t status[CELLS];
    kinlane_extras extras = {0};
    extras.status = status;
    for (int step = 0; step < 100; step++) {
        kinlane_report report;
        check(kinlane_advance(solver, CELLS, temperature, pressure, y, KINLANE_CELL_MAJOR, 1e-6, &extras, &report,
                              error) == KINLANE_OK);
        /* A cell that failed is as it was. */
        for (size_t cell = 0; report.failed > 0 && cell < CELLS; cell++)
            if (status[cell] != KINLANE_DONE)
                fprintf(stderr, "step %d, cell %zu: %s\n", step, cell, kinlane_status_text(status[cell]));
    }
    for (size_t cell = 0; cell < CELLS; cell += 20)
        printf("%6.0f K: %7.2f K after 1e-4 s\n", 1000.0 + 5.0 * (double)cell, temperature[cell]);
    kinlane_solver_free(solver);
    kinlane_mechanism_free(gas);
    kinlane_error_free(error);
    free(y);
    return 0;
}
