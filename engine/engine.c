/* SPDX-License-Identifier: MIT */
/* The engine of one device: its limits, the programs that it has built, and its
 * workspaces. */
#include "engine.h"

#include <stdlib.h>
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

/* ---- programs, kept by file and knobs ---- */

static void program_free(const struct dl__engine *engine,
                         struct dl__engine_program *program)
{
    for (size_t k = 0; k < DL__KERNELS_MAX; k++)
        if (program->kernels[k].kernel)
            engine->ops->kernel_free(engine->device, program->kernels[k].kernel);
    if (program->program)
        engine->ops->program_free(engine->device, program->program);
    free(program->knobs);
    free(program);
}

static enum dl_status program_build(struct dl__engine *engine,
                                    const struct dl__kernel_source *source,
                                    const char *knobs, struct dl__engine_program **out,
                                    cl_int *err)
{
    struct dl__engine_program *program = calloc(1, sizeof *program);
    const char *texts[DL__TEXTS_MAX];
    size_t count = dl__engine_texts(source, knobs, texts);

    *err = CL_OUT_OF_HOST_MEMORY;
    if (!program || !(program->knobs = strdup(knobs))) {
        free(program);
        return DL_ENOMEM;
    }
    program->source = source;
    *err = engine->ops->program_build(engine->device, count, texts, &program->program);
    if (*err != CL_SUCCESS) {
        program_free(engine, program);
        return dl__status_of_cl(*err);
    }
    program->next = engine->programs;
    engine->programs = program;
    *out = program;
    return DL_OK;
}

enum dl_status dl__engine_kernel(struct dl__engine *engine,
                                 const struct dl__kernel_source *source,
                                 const char *knobs, const char *name, cl_kernel *out,
                                 struct dl__build_failure *failure)
{
    struct dl__engine_program *program = engine->programs;
    cl_int err = CL_SUCCESS;
    enum dl_status st = DL_OK;
    size_t k = 0;

    while (program && (program->source != source || strcmp(program->knobs, knobs) != 0))
        program = program->next;
    if (!program)
        st = program_build(engine, source, knobs, &program, &err);
    if (st != DL_OK)
        goto out;
    while (k < DL__KERNELS_MAX && program->kernels[k].kernel &&
           strcmp(program->kernels[k].name, name) != 0)
        k++;
    if (k == DL__KERNELS_MAX) {
        err = CL_INVALID_KERNEL_NAME;
    } else if (!program->kernels[k].kernel) {
        program->kernels[k].name = name;
        err = engine->ops->kernel_make(engine->device, program->program, name,
                                       &program->kernels[k].kernel);
    }
    st = dl__status_of_cl(err);
    if (st == DL_OK)
        *out = program->kernels[k].kernel;
out:
    if (failure)
        *failure = (struct dl__build_failure){err, program != NULL};
    return st;
}

size_t dl__engine_group_items(const struct dl__engine *engine, cl_kernel kernel,
                              uint64_t wanted, uint64_t useful)
{
    size_t items = 1, most;

    while (items * 2 <= wanted && items * 2 <= engine->limits.group_items &&
           items < useful)
        items *= 2;
    most = engine->ops->kernel_items_max(engine->device, kernel);
    while (items > most && items > 1)
        items /= 2;
    return items;
}

/* ---- workspaces: a pool, so that conversions on several queues neither share flags nor
 * wait for each other ---- */

static bool workspace_is_idle(const struct dl__engine *engine,
                              const struct dl__workspace *workspace)
{
    return !workspace->busy && (!workspace->last || engine->ops->event_is_over(
                                                        engine->device, workspace->last));
}

static void workspace_free(struct dl__engine *engine, struct dl__workspace *workspace)
{
    atomic_fetch_sub(&engine->workspace_count, 1);
    if (workspace->last)
        engine->ops->event_release(engine->device, workspace->last);
    engine->ops->buffer_free(engine->device, workspace->mem);
    free(workspace);
}

static enum dl_status workspace_make(struct dl__engine *engine, uint64_t bytes,
                                     struct dl__workspace **out)
{
    struct dl__workspace *workspace = calloc(1, sizeof *workspace);
    enum dl_status st;

    if (!workspace)
        return DL_ENOMEM;
    st = dl__status_of_cl(
        engine->ops->buffer_make(engine->device, (size_t)bytes, &workspace->mem));
    if (st != DL_OK) {
        free(workspace);
        return st == DL_ENOMEM ? DL_EWORKSPACE : st;
    }
    workspace->bytes = bytes;
    workspace->next = engine->workspaces;
    engine->workspaces = workspace;
    atomic_fetch_add(&engine->workspace_count, 1);
    *out = workspace;
    return DL_OK;
}

static bool is_behind(const struct dl__turns *turns, const struct dl__turns *before)
{
    return turns && ((turns->queue && turns->queue == before->queue) ||
                     (turns->mem && turns->mem == before->mem));
}

enum dl_status dl__workspace_take(struct dl__engine *engine,
                                  const struct dl__turns *turns, uint64_t bytes,
                                  struct dl__workspace **out)
{
    struct dl__workspace **at = &engine->workspaces, *workspace, *behind = NULL;
    enum dl_status st = DL_OK;

    while ((workspace = *at)) {
        if (!workspace_is_idle(engine, workspace)) {
            if (!workspace->busy && workspace->bytes >= bytes &&
                is_behind(turns, &workspace->turns))
                behind = workspace;
            at = &workspace->next;
            continue;
        }
        if (workspace->last)
            engine->ops->event_release(engine->device, workspace->last);
        workspace->last = NULL;
        if (workspace->bytes >= bytes)
            break;
        /* Too small: a larger one takes its place. */
        *at = workspace->next;
        workspace_free(engine, workspace);
    }
    if (!workspace)
        workspace = behind;
    if (!workspace)
        st = workspace_make(engine, bytes, &workspace);
    if (st == DL_OK) {
        workspace->busy = true;
        *out = workspace;
    }
    return st;
}

enum dl_status dl__workspace_touch(const struct dl__engine *engine,
                                   cl_command_queue queue,
                                   struct dl__workspace *workspace,
                                   const struct dl__device_order *order)
{
    enum dl_status st = dl__status_of_cl(
        engine->ops->touch(engine->device, queue, workspace->mem, order));

    workspace->touched = st == DL_OK;
    return st == DL_ENOMEM ? DL_EWORKSPACE : st;
}

void dl__workspace_give(struct dl__engine *engine, struct dl__workspace *workspace,
                        const struct dl__turns *turns, cl_event last)
{
    struct dl__workspace **at = &engine->workspaces;

    workspace->busy = false;
    if (!last)
        return; /* it is as it was when it was taken */
    if (workspace->last)
        engine->ops->event_release(engine->device, workspace->last);
    workspace->last = NULL;
    workspace->turns = turns ? *turns : (struct dl__turns){NULL, NULL};
    if (engine->ops->event_retain(engine->device, last)) {
        workspace->last = last;
    } else {
        /* Nobody can say when its commands end: the driver keeps the memory until then.
         */
        while (*at != workspace)
            at = &(*at)->next;
        *at = workspace->next;
        workspace_free(engine, workspace);
    }
}

void dl__workspaces_settle(struct dl__engine *engine)
{
    struct dl__workspace *workspace = engine->workspaces, *next, *made;

    engine->workspaces = NULL;
    for (; workspace; workspace = next) {
        next = workspace->next;
        if (workspace_is_idle(engine, workspace)) {
            workspace_make(engine, workspace->bytes, &made);
            workspace_free(engine, workspace);
        } else {
            workspace->next = engine->workspaces;
            engine->workspaces = workspace;
        }
    }
}

/* ---- the engine ---- */

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
    struct dl__engine_program *program;
    struct dl__workspace *workspace;

    while ((program = engine->programs)) {
        engine->programs = program->next;
        program_free(engine, program);
    }
    while ((workspace = engine->workspaces)) {
        engine->workspaces = workspace->next;
        workspace_free(engine, workspace);
    }
    pthread_mutex_destroy(&engine->lock);
}
