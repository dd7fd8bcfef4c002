/* kinlane: many small stiff reaction networks at once. The C interface, for C, C++, Fortran and Python.
 *
 *     kinlane_error *error = kinlane_error_new();
 *     kinlane_mechanism *gas = kinlane_mechanism_open("gri30", NULL, error);
 *     kinlane_solver *solver = kinlane_solver_new(gas, NULL, error);
 *     kinlane_report report;
 *     if (kinlane_advance(solver, n, T, p, Y, KINLANE_CELL_MAJOR, dt, NULL, &report, error) != KINLANE_OK)
 *         fprintf(stderr, "%s\n", kinlane_error_text(error));
 *
 * Units are SI: K, Pa, s, J, kg, mol, m3; reaction schemes have those of their files. Numbers are counted from 0. In shapes, [n, k] lies
 * as a layout says, cell after cell or species after species; [n][k] is cell after cell whatever the layout. Fortran has the last index first.
 *
 * Memory. What a `..._new`, `..._open` or `..._read` returns belongs to the caller, who gives it back with the `..._free`
 * of its kind; NULL may be given back. A solver keeps what it needs of a mechanism and of options: these may go first.
 * Arrays are the caller's, with the lengths said here, and none that is written may share memory with another one of the
 * same call. Texts that are returned live as long as the handle that they came from, those of an error until it is used
 * again. A thread needs 512 KiB of stack to open a mechanism or scheme, and 128 KiB for other calls.
 *
 * Errors. Functions that can fail return a kinlane_code, or NULL or KINLANE_NONE in place of what they make or find. The
 * last argument, which may be NULL, takes code and text of the error; a call that goes well clears it. A call that fails
 * has written to no array, nor to the report (but see KINLANE_DEVICE). That a cell could not be integrated is no error of the call: see
 * kinlane_report.failed and kinlane_status. No input ends the program (only memory that
 * has run out does), and no exception crosses the boundary. What
 * cannot be checked is up to the caller: that pointers lead to as much memory as they should, and that handles are alive. One of
 * another kind, as a scheme for a mechanism, is refused; functions without a place for errors take it for NULL.
 *
 * Threads. Nothing is global. Mechanisms and schemes do not change and may be shared by any threads. A solver and a
 * continuation may be used from any thread, by one at a time: a second one gets KINLANE_BUSY, except in
 * kinlane_solver_stop and kinlane_solver_progress. Options and errors belong to one thread at a time. After a fork the
 * child has none of its parent's threads: solvers give the same answers there, on one thread; one that another thread was
 * using at that moment stays KINLANE_BUSY, and may be freed. Threads of the library take no signals but those of their own faults, and
 * SIGPROF. No thread may be cancelled (pthread_cancel) within a call.
 */
#ifndef KINLANE_H
#define KINLANE_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/* Counts the changes of this interface after which a program has to be compiled again. */
#define KINLANE_ABI 2

/* KINLANE_ABI of the library that is loaded. */
int kinlane_abi(void);

/* The library's version, such as "0.1.0". */
const char *kinlane_version(void);

/* The names of all methods, and of the mechanisms that are built in: one to a line. */
const char *kinlane_methods(void);
const char *kinlane_bundled(void);

/* What an index function returns where there is no such thing. */
#define KINLANE_NONE SIZE_MAX

/* ---- Errors ---------------------------------------------------------------------------------------------------------- */

/* What a call came to. */
typedef enum kinlane_code {
    KINLANE_OK = 0,
    KINLANE_ARGUMENT = 1,  /* an argument cannot be used: NULL, a length, a name, an option, the interval */
    KINLANE_MECHANISM = 2, /* the mechanism or scheme was not found, or refused: the text has every problem, with its place */
    KINLANE_PLAN = 3,      /* no solver can be planned with these options */
    KINLANE_BATCH = 4,     /* an array holds a value that cannot be: kinlane_error_cell */
    KINLANE_DEVICE = 5,    /* a device failed in the middle: cells whose status is KINLANE_DONE have been advanced */
    KINLANE_BUSY = 6,      /* another thread is using the handle */
    KINLANE_INTERNAL = 7   /* a fault of kinlane itself; please report it */
} kinlane_code;

/* A place for errors: create one for each thread, and pass it to every call. */
typedef struct kinlane_error kinlane_error;

kinlane_error *kinlane_error_new(void);
void kinlane_error_free(kinlane_error *error);

/* Of the last call that it was passed to. The text is empty if all went well. */
kinlane_code kinlane_error_code(const kinlane_error *error);
const char *kinlane_error_text(const kinlane_error *error);

/* The cell that is to blame, or KINLANE_NONE. */
size_t kinlane_error_cell(const kinlane_error *error);

/* ---- Options --------------------------------------------------------------------------------------------------------- */

/* Options, by the names, units and defaults that they have on the command line (`kinlane advance --help`), where it has them; `-`
 * or `_`.
 *
 *   when a mechanism or scheme is read
 *     format         cantera, chemkin, kpp, musica, fern, reaclib    (recognised by content)
 *     phase          the phase of a Cantera file                     (the first)
 *     thermo         file with thermodynamics of a CHEMKIN mechanism
 *     rates          file with the rates of a FERN network           (the one beside it)
 *     nuclides       of a REACLIB library: p,he4,c12, or a file      (all)
 *     partition      files of partition functions for it, separated as in PATH
 *     screening      none, or chugunov2007, for it and for a FERN network
 *   when a solver is made
 *     method         as `kinlane methods` lists them                 (auto)
 *     reactor        const-p, const-v, fixed-t                       (const-p)
 *     rtol           relative tolerance                              (1e-6)
 *     atol           absolute tolerance on mass fractions            (1e-12; in an atmosphere 1e-3 molecules/cm3)
 *     atol-of        of single species: OH:1e-16,H:1e-15             (none)
 *     first-step     s                                               (each cell chooses its own)
 *     max-steps      attempted steps after which a cell fails        (100000)
 *     factors        yes: the rates of its reactions may have factors in every cell; a little slower, CPU only   (no)
 *     history        yes, of a follower: cells may have a pressure or volume imposed on them; CPU only           (no)
 *     threads        counting the caller's; set 1 under MPI          (one per core)
 *     lanes          instruction set, such as avx2                   (the best)
 *     device         cpu, opencl, cuda, auto, opencl:1, cpu+opencl   (cpu)
 *     device-memory  MiB of a device to use                          (four fifths)
 *     mapping        auto, thread, unrolled, group, part             (auto)
 *     precision      f64, mixed, f32 on a device                     (f64)
 */
typedef struct kinlane_options kinlane_options;

kinlane_options *kinlane_options_new(void);
void kinlane_options_free(kinlane_options *options);

/* Sets an option to a text or number ("1e-6"); NULL gives it its default again. */
kinlane_code kinlane_options_set(kinlane_options *options, const char *name, const char *value, kinlane_error *error);
kinlane_code kinlane_options_set_number(kinlane_options *options, const char *name, double value, kinlane_error *error);

/* ---- Mechanisms of gases --------------------------------------------------------------------------------------------- */

/* Lists of names. */
typedef enum kinlane_list {
    KINLANE_SPECIES = 0,    /* of a scheme: those that evolve */
    KINLANE_REACTIONS = 1,  /* equations; of a scheme: labels */
    KINLANE_ELEMENTS = 2,   /* of mechanisms */
    KINLANE_FIXED = 3,      /* of schemes: species that enter rates but do not change */
    KINLANE_PHOTOLYSIS = 4, /* of schemes: photolysis frequencies */
    KINLANE_INPUTS = 5,     /* of schemes: further names that rate constants use */
    KINLANE_WARNINGS = 6    /* what `kinlane check` warns of (less what only Cantera's converter minds), in lines: what, where, remedy */
} kinlane_list;

/* A mechanism of k species and e elements. */
typedef struct kinlane_mechanism kinlane_mechanism;

/* Reads a mechanism: the file of that name, else the bundled mechanism ("h2", "gri30"). Options may be NULL. */
kinlane_mechanism *kinlane_mechanism_open(const char *name, const kinlane_options *options, kinlane_error *error);

/* Reads a mechanism from memory, as where one process has read the file for all: `name` stands for the file in messages,
   `thermo` is NULL or the text of the thermodynamics of a CHEMKIN mechanism. */
kinlane_mechanism *kinlane_mechanism_read(const char *name, const char *mechanism, const char *thermo,
                                          const kinlane_options *options, kinlane_error *error);
void kinlane_mechanism_free(kinlane_mechanism *mechanism);

/* The phase's name, or the file's. */
const char *kinlane_mechanism_name(const kinlane_mechanism *mechanism);

/* Number of names of a list, and one of them; 0 and NULL where there is none. */
size_t kinlane_mechanism_count(const kinlane_mechanism *mechanism, kinlane_list list);
const char *kinlane_mechanism_item(const kinlane_mechanism *mechanism, kinlane_list list, size_t index);

/* The place of a name in its list, or KINLANE_NONE with an error that suggests the nearest one. */
size_t kinlane_mechanism_index(const kinlane_mechanism *mechanism, kinlane_list list, const char *name,
                               kinlane_error *error);

/* Molar masses [k] kg/mol. */
kinlane_code kinlane_mechanism_molar_masses(const kinlane_mechanism *mechanism, double *masses, kinlane_error *error);

/* Numbers of atoms [k][e]. */
kinlane_code kinlane_mechanism_atoms(const kinlane_mechanism *mechanism, double *atoms, kinlane_error *error);

/* Stoichiometric coefficients of the reactions [r][k], each way as written: with them rates of progress become those of species.
   Either may be NULL. */
kinlane_code kinlane_mechanism_stoichiometry(const kinlane_mechanism *mechanism, double *reactants, double *products,
                                             kinlane_error *error);

/* Mass fractions y [k] of a mixture of moles [k], of any sum. */
kinlane_code kinlane_mechanism_mass_fractions(const kinlane_mechanism *mechanism, const double *moles, double *y,
                                              kinlane_error *error);

/* Mass fractions y [k] of fuel and oxidizer, each in moles [k] of any sum, mixed to the equivalence ratio phi. */
kinlane_code kinlane_mechanism_mixture(const kinlane_mechanism *mechanism, const double *fuel, const double *oxidizer,
                                       double phi, double *y, kinlane_error *error);

/* ---- Solvers --------------------------------------------------------------------------------------------------------- */

/* A solver: planned once, with its threads and work space, and used for as many calls as there are. */
typedef struct kinlane_solver kinlane_solver;

/* Plans a solver. Options may be NULL. */
kinlane_solver *kinlane_solver_new(const kinlane_mechanism *mechanism, const kinlane_options *options,
                                   kinlane_error *error);
void kinlane_solver_free(kinlane_solver *solver);

/* Compiles for the device and takes its memory, for batches of so many cells; else the first call does. */
kinlane_code kinlane_solver_prepare(kinlane_solver *solver, size_t cells, kinlane_error *error);

/* Tells, as text into a buffer of `length` bytes, cut to fit and ended with a zero:
 *   method      the method in use; this may also be asked while the solver works
 *   fallback    why the CPU does the work although a device was asked for; else empty
 *   report      the report of the last call in JSON: device, threads, lanes, quantiles of steps and more; else empty
 *   not-finite  of a scheme: the reaction whose rate constant was not finite in the last call; else empty
 * Returns the length of the whole text without the zero, KINLANE_NONE on error. The buffer may be NULL if length is 0. */
size_t kinlane_solver_info(const kinlane_solver *solver, const char *what, char *buffer, size_t length,
                           kinlane_error *error);

/* Ends the running call early, from any thread: unfinished cells keep their state, with KINLANE_CANCELLED. The wish lasts,
   and ends further calls at once, until it is taken back with stop = 0. */
void kinlane_solver_stop(kinlane_solver *solver, int stop);

/* Number of cells that the running call has finished, from any thread. */
size_t kinlane_solver_progress(const kinlane_solver *solver);

/* How a cell ended. */
typedef enum kinlane_status {
    KINLANE_DONE = 0,
    KINLANE_STEP_TOO_SMALL = 1, /* the step size fell below what the time can resolve */
    KINLANE_TOO_MANY_STEPS = 2, /* the budget of steps is spent */
    KINLANE_NOT_FINITE = 3,     /* the rates are not finite, or the state has left what the laws hold for */
    KINLANE_CANCELLED = 4       /* stopped from outside */
} kinlane_status;

/* The same in words. */
const char *kinlane_status_text(int status);

/* Order of arrays with a number per cell and species, of n cells and k species. */
typedef enum kinlane_layout {
    KINLANE_CELL_MAJOR = 0,   /* y[cell * k + species]; in Fortran y(k, n) */
    KINLANE_SPECIES_MAJOR = 1 /* y[species * n + cell]; in Fortran y(n, k) */
} kinlane_layout;

/* What cells keep from call to call: see kinlane_extras. */
typedef struct kinlane_continuation kinlane_continuation;

/* What a call may have besides. Set it to zero first; every pointer may be NULL. */
typedef struct kinlane_extras {
    /* read */
    const double *electron_temperature; /* [n] K, for two-temperature rates */
    const double *dydt;                 /* as y, 1/s: constant over the call, of sum zero in each cell, within 1e-6/dt; what
                                           takes a species below zero makes a cell expensive, or makes it fail */
    const double *heating;              /* [n] W/kg: constant over the call; of no effect at fixed T */
    const double *intervals;            /* [n] s: of each cell, for local time steps, all above zero; dt is then ignored */
    const double *factors;              /* [n][reactions] on rates in both directions, 0 or above; 1 changes nothing: option factors */
    kinlane_continuation *continuation; /* of the same cells in the call before: they go on as if it had not ended; see
                                           kinlane_continuation_new for when that helps */
    /* written, unless the call is refused */
    int32_t *status;    /* [n] kinlane_status */
    uint32_t *steps;    /* [n] accepted steps */
    uint32_t *rejected; /* [n] rejected attempts */
    double *work;       /* [n] cost, about in evaluations of the right-hand side: to balance loads */
    double *reached;    /* [n] s: its interval, less in a cell that failed on the way */
} kinlane_extras;

/* Summary of a call; counts are sums over the cells. */
typedef struct kinlane_report {
    size_t cells;
    size_t failed;      /* cells that keep the state they came with */
    size_t rescued;     /* cells that an upper rung of the failure ladder finished, or for a device the CPU */
    double seconds;     /* wall time of the integration */
    double cpu_seconds; /* of all threads */
    uint64_t steps;     /* accepted */
    uint64_t rejected;
    uint64_t rhs;    /* evaluations of the right-hand side */
    uint64_t jac;    /* evaluations of the Jacobian */
    uint64_t factor; /* factorisations */
} kinlane_report;

/* Advances n cells by dt [s], which is above zero, in place: temperature [n] K; pressure [n] Pa, which changes at constant volume; mass
   fractions y [n, k] as `layout` says. Values have to be finite, T and p positive; mass fractions are neither checked
   further nor scaled. A cell's answer does not depend, to the last bit, on anything but the cell (with
   lanes that have fused multiply-adds, which all but `portable` have). Extras and report may be
   NULL. Cells are advanced side by side, 8 to 16 of them in a thread at a time: a call with one cell takes as long as one
   with eight, so pass as many as there are. */
kinlane_code kinlane_advance(kinlane_solver *solver, size_t cells, double *temperature, double *pressure, double *y,
                             kinlane_layout layout, double dt, const kinlane_extras *extras, kinlane_report *report,
                             kinlane_error *error);

/* Plans a solver that follows cells: kinlane_follow. Options may be NULL; `prepare`, `info`, `stop`, `progress`
   and `free` are those of all solvers. */
kinlane_solver *kinlane_follower_new(const kinlane_mechanism *mechanism, const kinlane_options *options,
                                     kinlane_error *error);

/* What is noted of cells that are followed. Set it to zero first. */
typedef struct kinlane_notes {
    size_t times;       /* number of times */
    const double *time; /* [times] s, ascending, from 0 to dt */
    double *series;     /* [n][times][k + 2] T K, p Pa, mass fractions at these times; NaN where a cell did not arrive */
    const char *events; /* one to a line, as `kinlane ignite --delay` has them: dT/dt, max OH, P=2bar, T+400; or NULL; blank lines
                           do not count */
    double *found;      /* [n][events] s, when each happened; NaN where it did not */
} kinlane_notes;

/* As kinlane_advance, and notes states in between and when events happen, all of the method's own accuracy. A largest value
   or a steepest rise counts if it is over before dt; a level is crossed in either direction. Peaks are flat: with a largest value among the events, cells are
   advanced at a thousandth of the tolerances, and cells whose steepest rise has no sharp peak are followed once more so.
   Of the extras, the continuation must be NULL. */
kinlane_code kinlane_follow(kinlane_solver *solver, size_t cells, double *temperature, double *pressure, double *y,
                            kinlane_layout layout, double dt, const kinlane_notes *notes, const kinlane_extras *extras,
                            kinlane_report *report, kinlane_error *error);

/* What is imposed on cells over time: the pressure at constant pressure or temperature, the volume at constant volume. In any unit: what
   counts is the ratio to the first value, since cells begin with their own pressure. Linear between the knots, and constant
   after the last one. Set it to zero first. */
typedef struct kinlane_history {
    size_t knots;        /* at least two */
    const double *time;  /* [knots] s, ascending, from 0 on */
    size_t rows;         /* 1 for all cells alike, or n */
    const double *value; /* [rows][knots], above zero */
} kinlane_history;

/* As kinlane_follow, along a history: rapid compression, pressure behind a shock, the volume of an engine. The follower needs the
   option `history`, and a method of one step, as `auto` is here: `bdf` and `ndf` begin anew at every knot, and the errors add up (with
   100 knots 0.6 % of a delay at rtol 1e-6). */
kinlane_code kinlane_follow_along(kinlane_solver *solver, size_t cells, double *temperature, double *pressure, double *y,
                                  kinlane_layout layout, double dt, const kinlane_history *history,
                                  const kinlane_notes *notes, const kinlane_extras *extras, kinlane_report *report,
                                  kinlane_error *error);

/* A continuation for so many cells that have not begun. Two calls of dt/2 then give the bits of one of dt; further on they do
   as long as the ends of the calls, dt added up, are the same numbers. It is for hosts that leave cells alone between calls. A cell that
   was changed, as transport does, begins anew but for its step size: a host that splits operators does best without one, and with the
   method `auto`. Never call `bdf` or `ndf` often without one, or with cells that change: each beginning is of order 1, and the
   errors add up (1 % after 100 short calls at rtol 1e-4). With a continuation `auto` is rodas5p for all cells. */
kinlane_continuation *kinlane_continuation_new(const kinlane_solver *solver, size_t cells, kinlane_error *error);
void kinlane_continuation_free(kinlane_continuation *continuation);

/* For restart files: how many numbers it holds; the numbers; and which solvers may go on with them
   (the same mechanism, method, reactor, tolerances, option factors and build). To load, make a new one, and pass what
   kinlane_continuation_solver told when the numbers were saved. Numbers lie cell after cell, size/cells of them each, so cells
   may change places, or processes, with their numbers. Those that are not as they were saved are refused. A cell of a call
   with a source, electron temperatures or factors begins anew, and so it does in the call after it. */
size_t kinlane_continuation_size(const kinlane_continuation *continuation);
uint64_t kinlane_continuation_solver(const kinlane_continuation *continuation);
kinlane_code kinlane_continuation_save(const kinlane_continuation *continuation, double *numbers, kinlane_error *error);
kinlane_code kinlane_continuation_load(kinlane_continuation *continuation, const double *numbers, uint64_t solver,
                                       kinlane_error *error);

/* ---- Rates and properties of gases ------------------------------------------------------------------------------------ */

/* States that are only read. Set it to zero first. Where numbers leave the range of doubles (radicals in equilibrium at 60 K), what
   is made of them is not finite, and that is no error. */
typedef struct kinlane_states {
    size_t cells;                       /* n */
    const double *temperature;          /* [n] K */
    const double *pressure;             /* [n] Pa */
    const double *y;                    /* [n, k] mass fractions, as layout says */
    kinlane_layout layout;
    const double *electron_temperature; /* [n] K, or NULL */
} kinlane_states;

/* Net production rates wdot [n, k] mol/(m3 s), as the layout of the states says, and unless `jacobian` is NULL the
   derivatives of (dY/dt, dT/dt) with respect to (Y, T) [n][k + 1][k + 1], in row-major order. */
kinlane_code kinlane_rates(kinlane_solver *solver, const kinlane_states *states, double *wdot, double *jacobian,
                           kinlane_error *error);

/* Forward and reverse rate of progress of every reaction [n][reactions][2] mol/(m3 s). */
kinlane_code kinlane_rates_of_progress(kinlane_solver *solver, const kinlane_states *states, double *progress,
                                       kinlane_error *error);

/* Where properties go. Set it to zero first; every pointer may be NULL. */
typedef struct kinlane_properties {
    double *density;      /* [n] kg/m3 */
    double *molar_mass;   /* [n] kg/mol, the mean */
    double *cp;           /* [n] J/(kg K), at constant pressure */
    double *enthalpy;     /* [n] J/kg, with enthalpies of formation */
    double *heat_release; /* [n] W/m3; without it no rate is evaluated, in a quarter of the time */
} kinlane_properties;

kinlane_code kinlane_gas_properties(kinlane_solver *solver, const kinlane_states *states,
                                    const kinlane_properties *properties, kinlane_error *error);

/* Specific enthalpies [n, k] J/kg, with enthalpies of formation, and heat capacities [n, k] J/(kg K) of every species at the
   temperatures of the states, as their layout says: for fluxes of enthalpy. Their pressure may be NULL; their y counts for nothing, but has to be there. */
kinlane_code kinlane_species_properties(kinlane_solver *solver, const kinlane_states *states, double *enthalpy, double *cp,
                                        kinlane_error *error);

/* Temperatures [n] K at which the gas has the specific enthalpy `energy` [n] J/kg (where the solver's reactor is const-v:
   that internal energy), from those of the states on, whose pressure may be NULL; NaN where none has. Where polynomials do not meet at
   their middle temperature, energies in between are answered with it. They may go where those of the states lie. */
kinlane_code kinlane_temperatures(kinlane_solver *solver, const kinlane_states *states, const double *energy,
                                  double *temperature, kinlane_error *error);

/* Brings n cells to chemical equilibrium, in place: temperature [n] K, pressure [n] Pa, mass fractions y [n, k] as layout says. `held`
   names the two quantities that stay as they are: "TP", "TV", "HP" (the adiabatic flame), "SP", "UV" (the adiabatic bomb) or "SV".
   Mass fractions sum to one, to 1e-6; those that are below zero by no more than that count as zero. status [n], or NULL: 0 where the
   equilibrium was found; 1 where there is none (if the temperature is not held: none between 50 and 20 000 K), and the cell is as it
   was. threads: 0 is as many as the machine runs at once. The call cannot be stopped: give it some thousand cells at a time. */
kinlane_code kinlane_mechanism_equilibrate(const kinlane_mechanism *mechanism, size_t cells, const char *held,
                                           double *temperature, double *pressure, double *y, kinlane_layout layout,
                                           size_t threads, int32_t *status, kinlane_error *error);

/* ---- Reaction schemes: atmospheres and stars ---------------------------------------------------------------------------- */

/* A scheme of k species that evolve, f that are fixed, j photolysis frequencies and i further inputs. */
typedef struct kinlane_scheme kinlane_scheme;

/* Reads a KPP file, a MUSICA configuration, a FERN network or a REACLIB library. Options may be NULL. */
kinlane_scheme *kinlane_scheme_open(const char *name, const kinlane_options *options, kinlane_error *error);

/* Reads a scheme that is in one file, from memory: `name` stands for the file in messages, and tells the format by its end where the
   text does not. */
kinlane_scheme *kinlane_scheme_read(const char *name, const char *scheme, const kinlane_options *options,
                                    kinlane_error *error);
void kinlane_scheme_free(kinlane_scheme *scheme);

/* The file's stem. */
const char *kinlane_scheme_name(const kinlane_scheme *scheme);

/* 1 for a star (amounts in mol/g, temperature in GK), 0 for an atmosphere (amounts in molecules/cm3, temperature in K). */
int kinlane_scheme_is_star(const kinlane_scheme *scheme);

/* As of a mechanism. */
size_t kinlane_scheme_count(const kinlane_scheme *scheme, kinlane_list list);
const char *kinlane_scheme_item(const kinlane_scheme *scheme, kinlane_list list, size_t index);
size_t kinlane_scheme_index(const kinlane_scheme *scheme, kinlane_list list, const char *name, kinlane_error *error);

/* Weights [k]: mass numbers of nuclides, else 1. */
kinlane_code kinlane_scheme_weights(const kinlane_scheme *scheme, double *weights, kinlane_error *error);

/* Mass excesses [k] of the atoms of a star's nuclides, MeV; NaN where one is not known. Reactions that change amounts by dY (mol/g)
 * release -9.648533212331002e17 * sum(dY * excess) erg/g. */
kinlane_code kinlane_scheme_mass_excesses(const kinlane_scheme *scheme, double *excesses, kinlane_error *error);

/* The values [i] that the file itself gives its inputs; NaN where it gives none. */
kinlane_code kinlane_scheme_usual_inputs(const kinlane_scheme *scheme, double *inputs, kinlane_error *error);

/* The surroundings of n cells. Set it to zero first; an array of no numbers may be NULL. */
typedef struct kinlane_conditions {
    size_t cells;              /* n */
    const double *temperature; /* [n] K; in a star GK */
    const double *density;     /* [n] g/cm3, in a star */
    const double *photolysis;  /* [n, j] 1/s */
    const double *inputs;      /* [n, i] */
    const double *fixed;       /* [n, f], as amounts: not below zero */
    const double *source;      /* [n, k] amounts per second, constant over the call; or NULL */
    kinlane_layout layout;     /* of these arrays, and of all others of a call with several numbers per cell */
} kinlane_conditions;

/* Plans a solver of a scheme. Options may be NULL. */
kinlane_solver *kinlane_scheme_solver_new(const kinlane_scheme *scheme, const kinlane_options *options,
                                          kinlane_error *error);

/* Advances amounts [n, k] by dt [s] in place. Rate constants are computed once, for the beginning. Of the extras,
   intervals and those that are written apply. A source that takes more than there is leaves an amount below zero, in a cell whose status
   is KINLANE_DONE; where that is more than a thousandth of all amounts of the cell, the next call is refused (KINLANE_BATCH): set such amounts to
   zero after a sink. */
kinlane_code kinlane_scheme_advance(kinlane_solver *solver, const kinlane_conditions *conditions, double *amounts,
                                    double dt, const kinlane_extras *extras, kinlane_report *report,
                                    kinlane_error *error);

/* Plans a solver of zones of a star that are heated by what burns in them, at constant pressure or density (the option reactor).
   Masses of all nuclides have to be known. Of the other options method (bdf, ndf), rtol, atol, first-step, max-steps and threads
   apply; `info`, `stop`, `progress` and `free` are those of all solvers. */
kinlane_solver *kinlane_zones_new(const kinlane_scheme *scheme, const kinlane_options *options, kinlane_error *error);

/* Advances n zones by dt [s] in place: temperature [n] GK, density [n] g/cm3, which changes at constant pressure, amounts [n, k]
   mol/g as `layout` says. A zone that fails keeps what it came with. Of the extras, intervals and those that are written apply. */
kinlane_code kinlane_zones_advance(kinlane_solver *solver, size_t cells, double *temperature, double *density,
                                   double *amounts, kinlane_layout layout, double dt, const kinlane_extras *extras,
                                   kinlane_report *report, kinlane_error *error);

/* Rate constants [n, reactions] as the file defines them, and d(amount)/dt [n, k] per second; either may be NULL. */
kinlane_code kinlane_scheme_rates(kinlane_solver *solver, const kinlane_conditions *conditions, const double *amounts,
                                  double *constants, double *tendencies, kinlane_error *error);

/* Rates of progress [n, reactions] in amounts per second, and the derivatives of tendencies with respect to amounts [n, k, k], in
   row-major order, with rate constants that stay; either may be NULL. Where the layout is KINLANE_SPECIES_MAJOR the number of the
   cell is the last index of both. */
kinlane_code kinlane_scheme_detail(kinlane_solver *solver, const kinlane_conditions *conditions, const double *amounts,
                                   double *progress, double *jacobian, kinlane_error *error);

#ifdef __cplusplus
}
#endif
#endif
