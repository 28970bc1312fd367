/* Elementary transpositions as runs of kernels: what conversions are made of, and the stages of the
 * transposition library. */
#ifndef DL_STEPS_H
#define DL_STEPS_H

#include "engine/run.h"
#include "knobs.h"
#include "layout/plan.h"

/* Where steps run and how they are tuned. A copy with other knobs is as good. */
struct dl__steps {
    struct dl__engine *engine; /* borrowed */
    struct dl__knobs knobs,
        defaults;       /* defaults: as opened, before anybody sets a knob */
    const char *tuning; /* lines of a table for this device, or NULL */
};

void dl__steps_open(struct dl__steps *steps, struct dl__engine *engine);
/* The largest tile that goes through local memory. */
uint64_t dl__steps_tile_bytes(const struct dl__steps *steps);
/* The knobs for a family's tiles or super-elements of so many bytes: the table's, but for those
 * that differ from the defaults because somebody has set them. */
struct dl__knobs dl__steps_knobs(const struct dl__steps *steps, const char *family,
                                 uint64_t bytes);

/* Chooses the kernels for one step, builds them and appends their runs. Called with the engine's lock
 * held.
 *   errors  DL_ENOTSUP: no algorithm can; DL_EOVERFLOW; DL_ENOMEM; DL_ECL */
enum dl_status dl__steps_add(const struct dl__steps *steps, const struct dl_step *step,
                             struct dl__run_list *list);

#endif
