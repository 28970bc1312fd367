/* SPDX-License-Identifier: MIT */
/* Enqueues a prepared conversion: its runs in a chain, on the caller's queue. */
#include "internal.h"

#include <stdlib.h>

/* How often a run is tried: what a device has no room for now it may have in a moment. */
enum { RUN_TRIES = 3 };

struct dl_rest {
    const struct dl_conversion *conversion;
    cl_mem mem;
    size_t step; /* the next run */
    struct dl__workspace *workspace;
    bool moved;
};

static cl_int chain_begin(struct dl__run_chain *chain, struct dl_marshal *marshal,
                          cl_command_queue queue, cl_uint wait_count,
                          const cl_event *wait)
{
    *chain = (struct dl__run_chain){.engine = &marshal->engine,
                                    .queue = queue,
                                    .tries = RUN_TRIES,
                                    .wait_count = wait_count,
                                    .wait = wait};
    return marshal->engine.ops->queue_is_in_order(marshal->engine.device, queue,
                                                  &chain->is_in_order);
}

/* Runs the steps from rest->step on; the engine's lock is held. */
static enum dl_status run_steps(struct dl__run_chain *chain, struct dl_rest *rest)
{
    const struct dl__run_list *list = &rest->conversion->list;
    const struct dl__run_place place = {rest->mem,
                                        rest->workspace ? rest->workspace->mem : NULL, 0};

    /* Nobody gets the workspace before the last run that came about is done. */
    chain->wants_each = chain->wants_each || rest->workspace;
    while (rest->step < list->count) {
        const struct dl__run *run = &list->runs[rest->step];
        cl_int err = dl__run_chain_run(chain, run, &place, rest->step + 1 == list->count);

        if (err != CL_SUCCESS)
            return dl__status_of_cl(err);
        rest->step++;
        rest->moved = rest->moved || !run->reads_only;
    }
    return DL_OK;
}

static void give_workspace(struct dl__engine *engine, struct dl_rest *rest, cl_event last,
                           bool idle)
{
    if (rest->workspace && (last || idle))
        dl__workspace_give(engine, rest->workspace, last);
    rest->workspace = NULL;
}

/* Hands the outcome on: `rest` is freed, or kept for later where data has moved. */
static void steps_end(struct dl__run_chain *chain, struct dl_rest *rest,
                      enum dl_status st, cl_event *first, cl_event *done,
                      struct dl_rest **left)
{
    bool stays = st != DL_OK && rest->moved;

    if (!stays)
        give_workspace(chain->engine, rest, chain->last, st == DL_OK || rest->step == 0);
    *left = stays ? rest : NULL;
    if (!stays)
        free(rest);
    dl__run_chain_end(chain, st == DL_OK ? first : NULL,
                      st == DL_OK || stays ? done : NULL);
}

/* Takes the workspace, and sees that it is there before data moves. */
static enum dl_status prepare_workspace(struct dl__run_chain *chain, struct dl_rest *rest)
{
    const struct dl__run_list *list = &rest->conversion->list;
    cl_event event = NULL;
    /* On a queue in order, too: nobody else gets the workspace while it is written here.
     */
    const struct dl__device_order order = {chain->wait_count, chain->wait, &event};
    enum dl_status st;

    if (list->workspace_bytes == 0)
        return DL_OK;
    st = dl__workspace_take(chain->engine, list->workspace_bytes, &rest->workspace);
    /* Where the first run needs no workspace, a later one must not find that there is
     * none. */
    if (st != DL_OK || rest->workspace->touched || dl__run_uses_workspace(&list->runs[0]))
        return st;
    st = dl__workspace_touch(chain->engine, chain->queue, rest->workspace, &order);
    if (st == DL_OK)
        dl__run_chain_follow(chain, event);
    return st;
}

enum dl_status dl_marshal_enqueue(struct dl_marshal *marshal, cl_command_queue queue,
                                  const struct dl_conversion *conversion, cl_mem mem,
                                  cl_uint wait_count, const cl_event *wait,
                                  cl_event *first, cl_event *done, struct dl_rest **left)
{
    struct dl__run_chain chain;
    struct dl_rest *rest;
    enum dl_status st;
    cl_int err;

    *left = NULL;
    if (conversion->list.count == 0)
        return dl__status_of_cl(
            dl__engine_mark(&marshal->engine, queue, wait_count, wait, first, done));
    err = chain_begin(&chain, marshal, queue, wait_count, wait);
    if (err != CL_SUCCESS)
        return dl__status_of_cl(err);
    rest = calloc(1, sizeof *rest);
    if (!rest)
        return DL_ENOMEM;
    *rest = (struct dl_rest){.conversion = conversion, .mem = mem};
    chain.wants_first = first != NULL;
    /* Others must not take a chain that breaks off for one that has ended. */
    chain.wants_each = done != NULL;
    pthread_mutex_lock(&marshal->engine.lock);
    st = prepare_workspace(&chain, rest);
    if (st == DL_OK)
        st = run_steps(&chain, rest);
    steps_end(&chain, rest, st, first, done, left);
    pthread_mutex_unlock(&marshal->engine.lock);
    return st;
}

enum dl_status dl_marshal_resume(struct dl_marshal *marshal, cl_command_queue queue,
                                 struct dl_rest *rest, cl_uint wait_count,
                                 const cl_event *wait, cl_event *done,
                                 struct dl_rest **left)
{
    struct dl__run_chain chain;
    cl_int err = chain_begin(&chain, marshal, queue, wait_count, wait);
    enum dl_status st;

    *left = rest;
    if (err != CL_SUCCESS)
        return dl__status_of_cl(err);
    chain.wants_each = done != NULL;
    pthread_mutex_lock(&marshal->engine.lock);
    st = run_steps(&chain, rest);
    steps_end(&chain, rest, st, NULL, done, left);
    pthread_mutex_unlock(&marshal->engine.lock);
    return st;
}

void dl_rest_free(struct dl_marshal *marshal, struct dl_rest *rest)
{
    pthread_mutex_lock(&marshal->engine.lock);
    give_workspace(&marshal->engine, rest, NULL, false);
    pthread_mutex_unlock(&marshal->engine.lock);
    free(rest);
}
