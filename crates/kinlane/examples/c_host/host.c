/* Stoichiometric hydrogen and air at 1 bar, 1000 to 1500 K, for 100 microseconds in steps of 1.
   cc host.c -L../../../../target/release/examples -lc_host -o host */
#include "kinlane.h"
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 101 };

int main(void)
{
    char error[2000];
    kinlane_solver *solver = kinlane_open("h2", 1e-6, 1e-12, 1, error, sizeof error);
    if (!solver) {
        fprintf(stderr, "%s\n", error);
        return 1;
    }
    const size_t species = kinlane_species_count(solver);
    double temperature[CELLS], pressure[CELLS];
    double *y = calloc(CELLS * species, sizeof *y);
    const long fuel = kinlane_species_index(solver, "H2");
    const long oxygen = kinlane_species_index(solver, "O2");
    const long nitrogen = kinlane_species_index(solver, "N2");
    if (!y || fuel < 0 || oxygen < 0 || nitrogen < 0)
        return 1;
    for (size_t i = 0; i < CELLS; i++) {
        temperature[i] = 1000.0 + 5.0 * (double)i;
        pressure[i] = 1e5;
        y[i * species + fuel] = 0.0285;
        y[i * species + oxygen] = 0.2264;
        y[i * species + nitrogen] = 0.7451;
    }
    for (int step = 0; step < 100; step++) {
        const long failed = kinlane_advance(solver, CELLS, temperature, pressure, y, 1e-6);
        if (failed != 0) {
            fprintf(stderr, "%ld failed: %s\n", failed, kinlane_error(solver));
            return 1;
        }
    }
    for (size_t i = 0; i < CELLS; i += 20)
        printf("%6.0f K: %7.2f K after 1e-4 s\n", 1000.0 + 5.0 * (double)i, temperature[i]);
    kinlane_close(solver);
    free(y);
    return 0;
}
