/* SPDX-License-Identifier: MIT */
/* Workspaces: a pool, so that conversions on several queues neither share flags nor wait
 * for each other. Waiting across queues could wait for ever: the other queue may hang on
 * a user event that the program sets only later. */
#include "engine.h"

#include <stdlib.h>

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

enum dl_status dl__workspace_take(struct dl__engine *engine, uint64_t bytes,
                                  struct dl__workspace **out)
{
    struct dl__workspace **at = &engine->workspaces, *workspace;
    enum dl_status st = DL_OK;

    while ((workspace = *at)) {
        if (!workspace_is_idle(engine, workspace)) {
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
                        cl_event last)
{
    struct dl__workspace **at = &engine->workspaces;

    workspace->last = NULL;
    workspace->busy = false;
    if (last && engine->ops->event_retain(engine->device, last)) {
        workspace->last = last;
    } else if (last) {
        /* When its commands have ended is not known: the driver keeps it for them. */
        while (*at != workspace)
            at = &(*at)->next;
        *at = workspace->next;
        workspace_free(engine, workspace);
    }
}

void dl__workspaces_settle(struct dl__engine *engine)
{
    struct dl__workspace **at = &engine->workspaces, *workspace, *made;

    while ((workspace = *at)) {
        if (!workspace_is_idle(engine, workspace)) {
            at = &workspace->next;
            continue;
        }
        *at = workspace->next;
        made = calloc(1, sizeof *made);
        if (made && engine->ops->buffer_make(engine->device, (size_t)workspace->bytes,
                                             &made->mem) == CL_SUCCESS) {
            made->bytes = workspace->bytes;
            made->next = workspace->next;
            *at = made;
            at = &made->next;
            atomic_fetch_add(&engine->workspace_count, 1);
        } else {
            free(made);
        }
        workspace_free(engine, workspace);
    }
}

void dl__workspaces_free(struct dl__engine *engine)
{
    while (engine->workspaces) {
        struct dl__workspace *workspace = engine->workspaces;
        engine->workspaces = workspace->next;
        workspace_free(engine, workspace);
    }
}
