/* SPDX-License-Identifier: MIT */
/* An algorithm for elementary transpositions, and what all of them need. One file is one
 * algorithm. */
#ifndef DL_ALGORITHM_H
#define DL_ALGORITHM_H

#include <math.h>

#include "engine/text.h"
#include "layout/arith.h"
#include "steps.h"

/* A step whose elements are a type of the kernels; every old column is `split` new ones.
 */
struct dl__shape {
    uint64_t base_bytes, instances, rows, columns;
    uint64_t element_bytes; /* 1, 2, 4, 8 or 16 */
    uint64_t split;
    const struct dl_step *step;
};

/* The knobs of step.cl. `elements` is how far indices count. */
void dl__knobs_add_step(struct dl__text *text, const struct dl__shape *shape,
                        uint64_t split, uint64_t elements);
/* The kernel `name` (a literal) of a source built with these knobs, or two of them; the
 * knobs are freed. */
enum dl_status dl__step_kernel(const struct dl__steps *steps,
                               const struct dl__kernel_source *source,
                               struct dl__text *knobs, const char *name, cl_kernel *out);
enum dl_status dl__step_kernels(const struct dl__steps *steps,
                                const struct dl__kernel_source *source,
                                struct dl__text *knobs, const char *name, cl_kernel *out,
                                const char *second_name, cl_kernel *second);
/* A run whose first arguments are the buffer, the byte to begin at and the rows. */
struct dl__run dl__step_run(const char *name, cl_kernel kernel, uint64_t base_bytes,
                            uint64_t rows);
/* A run of a kernel that clears `words` words of the workspace. */
struct dl__run dl__clear_run(const struct dl__steps *steps, const char *name,
                             cl_kernel kernel, uint64_t words);

/* One row for each algorithm. */
struct dl__step_algorithm {
    /* The time on this device, in copies of the array, roughly: the smallest is
     * taken. 0: the knob `family` asks for it. DL__CAN_NOT. */
    double (*cost)(const struct dl__steps *steps, const struct dl__shape *shape);
    /* It carries out the step's short rest, too; else that is a step of its own. */
    bool takes_rest;
    /* Builds the kernels and appends the runs.
     *   errors  DL_ENOTSUP, DL_ENOMEM, DL_ECL */
    enum dl_status (*plan)(const struct dl__steps *steps, const struct dl__shape *shape,
                           struct dl__run_list *list);
    bool stands_in; /* for those whose kernels are not built yet */
};
#define DL__CAN_NOT INFINITY

/* X(row): all of them. Those in thesis/ are for comparison, and taken only when told to.
 */
#define DL_STEP_ALGORITHM_MAP(X)                                                         \
    X(dl__step_slide)                                                                    \
    X(dl__step_each)                                                                     \
    X(dl__step_strip)                                                                    \
    X(dl__step_chunk)                                                                    \
    X(dl__step_tile)                                                                     \
    X(dl__step_any)                                                                      \
    X(dl__step_aside)                                                                    \
    X(dl__step_cut)                                                                      \
    X(dl__step_cycle)                                                                    \
    X(dl__step_pipt)                                                                     \
    X(dl__step_super)

#define X(row) extern const struct dl__step_algorithm row;
DL_STEP_ALGORITHM_MAP(X)
#undef X

/* Has the program for any shape built, or taken from where it is kept. */
enum dl_status dl__step_any_build(const struct dl__steps *steps);

/* ---- what several rows ask ---- */

/* One tile, or one instance, in bytes. */
uint64_t dl__shape_bytes(const struct dl__shape *shape);
/* All instances and the rest, in bytes. */
uint64_t dl__shape_total_bytes(const struct dl__shape *shape);
bool dl__shape_is_slide(const struct dl__shape *shape);
/* Each column of the step being `split`, a table of their leaves fits constant memory. */
bool dl__shape_columns_fit(const struct dl__shape *shape, uint64_t split);
/* An instance goes through local memory. */
bool dl__shape_is_tile(const struct dl__steps *steps, const struct dl__shape *shape);
/* Elements worth moving whole. */
bool dl__shape_is_super(const struct dl__steps *steps, const struct dl__shape *shape);

#endif
