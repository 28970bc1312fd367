/* SPDX-License-Identifier: MIT */
/* The library's object, its tuning, and its errors. */
#ifndef DL_TRANSPOSE_LIBRARY_H
#define DL_TRANSPOSE_LIBRARY_H

#include "dl_transpose.h"
#include "engine/opencl.h"
#include "engine/run.h"
#include "layout/arith.h"
#include "marshal_kernels/steps.h"
#include "tuning.h"

struct dl_transpose {
    cl_icd_dispatch
        own; /* the functions that the library is linked to, if those are used */
    struct dl__opencl opencl;
    struct dl__engine engine;
    struct dl__steps steps; /* the elementary transpositions of the stages */
    struct dl__tuning tuning;
    pthread_mutex_t matcopy_lock;
    struct dl__matcopy
        *matcopy; /* plans that imatcopy and omatcopy keep; NULL: none yet */
};

/* Fills in the functions that this library is linked to. */
void dl__names_fill(cl_icd_dispatch *cl);

/* Writes an error's text and returns `status`. */
__attribute__((format(printf, 3, 4))) enum dl_status
dl__fail(struct dl_transpose_error *error, enum dl_status status, const char *format,
         ...);

/* The numbers of a device for one family and size of elements; those of `transpose` that
 * are not 0 hold for every size. */
struct dl__tuning dl__tuning_for(const struct dl_transpose *transpose, const char *family,
                                 uint64_t bytes);
/* Halves the wanted work-items of a group until the device allows them; 0: those of the
 * knob `group`. */
static inline size_t dl__group_items(const struct dl_transpose *transpose, size_t wanted)
{
    size_t group = wanted ? wanted : transpose->tuning.group;

    while (group > transpose->engine.limits.group_items)
        group /= 2;
    return group;
}

#endif
