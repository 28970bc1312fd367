/* SPDX-License-Identifier: MIT */
/* The engine of one device. */
#include "engine.h"

#include <string.h>

enum dl_status dl__status_of_cl(cl_int err)
{
    switch (err) {
    case CL_SUCCESS:
        return DL_OK;
    case CL_OUT_OF_HOST_MEMORY:
    case CL_OUT_OF_RESOURCES:
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    case CL_INVALID_BUFFER_SIZE:
        return DL_ENOMEM;
    default:
        return DL_ECL;
    }
}

enum dl_status dl__engine_open(struct dl__engine *engine,
                               const struct dl__device_ops *ops, void *device)
{
    char name[256] = "";
    enum dl_status st;

    memset(engine, 0, sizeof *engine);
    engine->ops = ops;
    engine->device = device;
    st = dl__status_of_cl(ops->limits(device, &engine->limits));
    if (st == DL_OK && engine->limits.local_bytes == 0)
        st = DL_ENOLOCAL;
    if (st == DL_OK && pthread_mutex_init(&engine->lock, NULL) != 0)
        st = DL_ENOMEM;
    if (st != DL_OK)
        return st;
    if (ops->name(device, name, sizeof name) != CL_SUCCESS)
        name[0] = '\0';
    engine->file = dl__device_file_find(name, engine->limits.is_cpu);
    return DL_OK;
}

void dl__engine_close(struct dl__engine *engine)
{
    dl__programs_free(engine);
    dl__workspaces_free(engine);
    pthread_mutex_destroy(&engine->lock);
}
