/* SPDX-License-Identifier: MIT */
/* The kernels of this room, with a sentence for what the engine says of them. */
#include "internal.h"

enum dl_status dl__kernel_get(struct dl_transpose *transpose,
                              const struct dl__kernel_source *source, const char *knobs,
                              const char *name, cl_kernel *out,
                              struct dl_transpose_error *error)
{
    struct dl__build_failure failure;
    enum dl_status st;

    pthread_mutex_lock(&transpose->engine.lock);
    st = dl__engine_kernel(&transpose->engine, source, knobs, name, out, &failure);
    pthread_mutex_unlock(&transpose->engine.lock);
    if (st == DL_OK)
        return DL_OK;
    if (failure.is_built)
        return dl__fail(error, st, "kernel %s can't be made (OpenCL error %d)", name,
                        failure.err);
    return dl__fail(error, st,
                    "the kernels can't be built for this device (OpenCL error %d)",
                    failure.err);
}
