/* SPDX-License-Identifier: MIT */
/* Elementary transpositions as runs of kernels, of which conversions and the stages of
 * the transposition library consist. */
#ifndef DL_STEPS_H
#define DL_STEPS_H

#include "engine/run.h"
#include "engine/text.h"
#include "knobs.h"
#include "layout/plan.h"

enum { DL__COLUMNS_MAX = 7680 /* of a table of leaves in 60 KB of constant memory */ };

/* Where steps run and how they are tuned. A copy with other knobs is as good. */
struct dl__steps {
    struct dl__engine *engine; /* borrowed */
    struct dl__knobs knobs;    /* of every size */
    uint64_t set; /* a bit for each knob that was set by hand: no table changes it */
    struct dl_plan_limits limits; /* their values in the device's file */
    /* NULL, or set where a kernel that is not built is stood in for by one for any shape
     */
    bool *stood_in;
};

/* The knobs of the engine's device. */
void dl__steps_open(struct dl__steps *steps, struct dl__engine *engine);
/* Sets a knob by hand, whatever its value was. False: there is no such knob. */
bool dl__steps_set(struct dl__steps *steps, const char *name, size_t name_bytes,
                   unsigned value);
#define DL__STEPS_SET(steps, knob, value)                                                \
    dl__steps_set(steps, #knob, sizeof #knob - 1, value)
/* The knobs for a family's tiles or super-elements of so many bytes: the device's, but
 * for those set by hand. */
struct dl__knobs dl__steps_knobs(const struct dl__steps *steps, const char *family,
                                 uint64_t bytes);
/* The largest tile that goes through local memory. */
uint64_t dl__steps_tile_bytes(const struct dl__steps *steps);
/* Whether a tile fits with room to spare, as chunks of tiles need it. */
static inline bool dl__steps_tile_fits(const struct dl__steps *steps, uint64_t bytes)
{
    uint64_t most = dl__steps_tile_bytes(steps);

    /* Padding against bank conflicts takes 1/32. */
    return bytes <= most && bytes + bytes / 32 + 16 <= most;
}

/* The limits that a plan of conversions may count on there. */
static inline void dl__steps_plan_limits(const struct dl__steps *steps,
                                         struct dl_plan_limits *out)
{
    *out = steps->limits;
    out->tile_bytes = dl__steps_tile_bytes(steps);
    out->aside_bytes = steps->knobs.aside_bytes;
}

/* Gets the kernels of a source built with these knobs, one or, where `second` is not
 * NULL, two; frees the knobs. Called with the engine's lock held. */
enum dl_status dl__step_kernels(struct dl__engine *engine,
                                const struct dl__kernel_source *source,
                                struct dl__text *knobs, const char *name, cl_kernel *out,
                                const char *second_name, cl_kernel *second);
/* Builds the program for any shape, or finds it where it is kept. */
enum dl_status dl__step_any_build(const struct dl__steps *steps);
/* Chooses the kernels for one step, builds them and appends their runs. Called with the
 * engine's lock held.
 *   errors  DL_ENOTSUP: no algorithm can; DL_EOVERFLOW; DL_ENOMEM; DL_ECL */
enum dl_status dl__steps_add(const struct dl__steps *steps, const struct dl_step *step,
                             struct dl__run_list *list);

#endif
