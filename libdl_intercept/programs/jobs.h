/* SPDX-License-Identifier: MIT */
/* What the builder is asked for: written down here, done there. */
#ifndef DL_INTERCEPT_JOBS_H
#define DL_INTERCEPT_JOBS_H

#include "libdl_intercept/state/moves.h"
#include "engine/binaries.h"
#include "builder.h"
#include "rewrite.h"

enum dl__job_kind {
    DL__JOB_SHADOW = 1,
    DL__JOB_MOVE,
    DL__JOB_TEXT,
    DL__JOB_KERNELS,
    DL__JOB_EXPECT
};

/* A shadow program. */
struct dl__shadow_wanted {
    const struct dl__rewrite *rewrite;
    cl_device_id device;
    const struct dl__shadow_knobs *knobs;
};

/* What the launches of a kernel will most likely want, whose text is still being read. */
struct dl__expect_wanted {
    const struct dl__rewrite *rewrite;
    cl_device_id device;
    const char *kernel;
};

/* The conversions of a buffer there and back, and the kernels for looks at it. */
struct dl__move_wanted {
    cl_device_id device;
    struct dl_leaf_table leaves;
    uint64_t structs, bytes;
    struct dl_layout layout;
};

/* `user`: a unit, whose text is to be rewritten; a struct dl__build, of kernels of DL's
 * own; of the others the structs above. */
void dl__job_pack_text(struct dl__pack *job, const void *user);
void dl__job_pack_shadow(struct dl__pack *job, const void *user);
void dl__job_pack_kernels(struct dl__pack *job, const void *user);
void dl__job_pack_move(struct dl__pack *job, const void *user);
void dl__job_pack_expect(struct dl__pack *job, const void *user);

/* Says what launches of a kernel want, once its text is read; it asks for that by ask.h.
 * Called when the library is loaded. */
void dl__jobs_expect_by(void (*expect)(struct dl__kernel *kernel));
/* In the builder: the kernels for conversions of any shape, and those that compare. */
void dl__jobs_prepare_any(struct dl__context *context,
                          struct dl__device *device) DL__WITH_LOCK;

/* Does a job in the builder. True: some of it is left, which nobody waits for yet.
 *   waited  the program waits for it: the builder does not step back behind others */
bool dl__job_do(const unsigned char *data, size_t bytes, bool waited);
void dl__job_do_rest(const unsigned char *data, size_t bytes);

#endif
