/* SPDX-License-Identifier: MIT */
/* First launches ahead of time. PoCL compiles a kernel in the first launch with groups of
 * a size, for all processes that find it in PoCL's cache or in the program's binary. */
#include "internal.h"

enum { ROOM_BYTES = 64 };

static bool compiles_in_launches(const struct dl_marshal *marshal)
{
    struct dl_rates rates = {0};

    dl__numbers_read(marshal->engine.file, NULL, 0, &dl__marshal_numbers.rates, &rates);
    return rates.first_us > 0;
}

/* Whether an earlier run is launched in the same way. */
static bool is_repeated(const struct dl__run *runs, size_t at)
{
    bool repeated = false;

    for (size_t r = 0; r < at && !repeated; r++)
        repeated = runs[r].kernel == runs[at].kernel &&
                   runs[r].local[0] == runs[at].local[0] &&
                   runs[r].global[0] == runs[at].global[0];
    return repeated;
}

/* Keeps the kernel's program again, with all that launches have added. */
static void keep(struct dl_marshal *marshal, cl_kernel kernel)
{
    for (struct dl__engine_program *p = marshal->engine.programs; p; p = p->next)
        for (size_t k = 0; k < DL__KERNELS_MAX; k++) {
            const char *texts[DL__TEXTS_MAX];

            if (p->kernels[k].kernel == kernel)
                dl__opencl_keep(&marshal->opencl,
                                dl__engine_texts(p->source, p->knobs, texts), texts,
                                p->program, &p->kept_bytes);
        }
}

void dl__marshal_warm(struct dl_marshal *marshal, const struct dl__run *runs,
                      size_t count)
{
    const struct dl__opencl *opencl = &marshal->opencl;
    const struct dl__device_order order = {0};
    struct dl__run_place place = {0};
    cl_command_queue queue;
    cl_int err;

    if (!opencl->binaries || !opencl->binaries->warm || !compiles_in_launches(marshal))
        return;
    queue = opencl->cl->clCreateCommandQueue(opencl->context, opencl->device, 0, &err);
    if (err != CL_SUCCESS)
        return;
    err = dl__opencl_ops.buffer_make(&marshal->opencl, ROOM_BYTES, &place.mem);
    place.workspace = place.mem;
    for (size_t r = 0; r < count && err == CL_SUCCESS; r++) {
        struct dl__run idle = runs[r];

        dl__run_idle(&idle);
        if (idle.can_idle && !is_repeated(runs, r))
            err = dl__run_enqueue(&marshal->engine, queue, &idle, &place, &order);
    }
    opencl->cl->clFinish(queue);
    for (size_t r = 0; r < count && err == CL_SUCCESS; r++)
        if (runs[r].can_idle && !is_repeated(runs, r))
            keep(marshal, runs[r].kernel);
    if (place.mem)
        dl__opencl_ops.buffer_free(&marshal->opencl, place.mem);
    opencl->cl->clReleaseCommandQueue(queue);
}
