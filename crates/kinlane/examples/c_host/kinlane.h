/* Chemistry of many cells from C and C++. See lib.rs. */
#ifndef KINLANE_H
#define KINLANE_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef struct kinlane_solver kinlane_solver;

/* Reads a mechanism, a file or a bundled name ("h2", "gri30"), and plans for it: cells at constant pressure. With one
   thread the caller's own works, as under MPI. NULL on failure, with the reason in `error` of `length` bytes. */
kinlane_solver *kinlane_open(const char *mechanism, double rtol, double atol, int threads, char *error, size_t length);

/* How many species there are, and the place of one in y; -1 if there is none of that name. */
size_t kinlane_species_count(const kinlane_solver *solver);
long kinlane_species_index(const kinlane_solver *solver, const char *name);

/* Advances n cells by dt [s] in place: temperature [n] in K, pressure [n] in Pa, mass fractions y [n][species].
   Values have to be finite, T and P positive; mass fractions are not scaled: that they sum to one is up to the caller.
   Returns how many cells failed, which keep the state they came with; -1 if the call was wrong (kinlane_error). */
long kinlane_advance(kinlane_solver *solver, size_t n, double *temperature, double *pressure, double *y, double dt);

/* How a cell of the last call ended: 0 is done, other numbers are those of "Failure and replay" in the book; -1 where there
   is no such cell or the call was wrong. */
int kinlane_status(const kinlane_solver *solver, size_t cell);

/* What it has cost, in evaluations of the right-hand side: a measure for balancing loads. */
double kinlane_work(const kinlane_solver *solver, size_t cell);

/* Why the last call was wrong, empty where it was not. The text lives until the next call. */
const char *kinlane_error(const kinlane_solver *solver);

void kinlane_close(kinlane_solver *solver);

#ifdef __cplusplus
}
#endif
#endif
