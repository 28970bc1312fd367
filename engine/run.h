/* SPDX-License-Identifier: MIT */
/* Runs: kernels with the arguments and sizes of a launch, and the chain of events that
 * keeps them in order. */
#ifndef DL_RUN_H
#define DL_RUN_H

#include <string.h>

#include "engine.h"

enum {
    DL__RUN_ARGS_MAX = 12,
    DL__RUN_VALUE_BYTES = 640 /* of all arguments by value */
};

enum dl__arg_kind {
    DL__ARG_VALUE,
    DL__ARG_BUFFER,    /* the buffer of the runs */
    DL__ARG_BASE,      /* a ulong: the byte of it at which to begin */
    DL__ARG_WORKSPACE, /* or NULL where there is none */
    DL__ARG_LOCAL      /* local memory */
};

/* A function of the host gets the address of the buffer, memory that it frees, and the
 * run's values. */
struct dl__host_call {
    void *mem, *room;
    _Alignas(16) unsigned char values[DL__RUN_VALUE_BYTES];
};

/* One launch of a kernel, to be enqueued any number of times, or one call of a function
 * of the host. */
struct dl__run {
    const char *name; /* the kernel's, a literal */
    cl_kernel kernel; /* lives as long as the engine */
    void(CL_CALLBACK *host)(void *call);
    uint64_t room_bytes; /* for that */
    bool reads_only;     /* leaves the buffer as it is */
    bool can_idle;       /* does nothing where all its values are 0 */
    cl_uint dims;
    size_t global[3], local[3]; /* local[0] 0: the device chooses */
    cl_uint arg_count;
    struct {
        enum dl__arg_kind kind;
        uint32_t bytes, at; /* of its value in `values` */
    } args[DL__RUN_ARGS_MAX];
    uint32_t value_bytes;
    _Alignas(16) unsigned char values[DL__RUN_VALUE_BYTES];
};

/* Appends an argument, in the kernel's order; `value` is copied, and NULL where the kind
 * has none. */
void dl__run_add(struct dl__run *run, enum dl__arg_kind kind, const void *value,
                 size_t bytes);

static inline void dl__run_add_buffer(struct dl__run *run)
{
    dl__run_add(run, DL__ARG_BUFFER, NULL, sizeof(cl_mem));
}

static inline void dl__run_add_base(struct dl__run *run, uint64_t base_bytes)
{
    dl__run_add(run, DL__ARG_BASE, &(cl_ulong){base_bytes}, sizeof(cl_ulong));
}

static inline void dl__run_add_workspace(struct dl__run *run)
{
    dl__run_add(run, DL__ARG_WORKSPACE, NULL, sizeof(cl_mem));
}

static inline void dl__run_add_value(struct dl__run *run, const void *value, size_t bytes)
{
    dl__run_add(run, DL__ARG_VALUE, value, bytes);
}

static inline void dl__run_add_ulong(struct dl__run *run, uint64_t number)
{
    dl__run_add(run, DL__ARG_VALUE, &(cl_ulong){number}, sizeof(cl_ulong));
}

static inline const void *dl__run_value(const struct dl__run *run, cl_uint n)
{
    return run->values + run->args[n].at;
}

/* Sets all values to 0. */
static inline void dl__run_idle(struct dl__run *run)
{
    memset(run->values, 0, sizeof run->values);
}

static inline bool dl__run_uses_workspace(const struct dl__run *run)
{
    for (cl_uint a = 0; a < run->arg_count; a++)
        if (run->args[a].kind == DL__ARG_WORKSPACE)
            return true;
    return false;
}

/* Makes the run begin so many bytes further on. */
void dl__run_shift(struct dl__run *run, uint64_t bytes);

struct dl__run_list {
    struct dl__run *runs; /* owned */
    size_t count, capacity;
    uint64_t workspace_bytes; /* the largest that a run needs */
    uint64_t traffic_bytes;   /* read and written by all */
};

/* Appends a copy, which needs a workspace of so many bytes.
 *   errors  DL_ENOMEM */
enum dl_status dl__run_list_add(struct dl__run_list *list, const struct dl__run *run,
                                uint64_t workspace_bytes);
static inline void dl__run_list_free(struct dl__run_list *list)
{
    free(list->runs);
    *list = (struct dl__run_list){.runs = NULL};
}

/* The memory that a run is enqueued on: a buffer, from a byte of it on, and a workspace,
 * or NULL. */
struct dl__run_place {
    cl_mem mem, workspace;
    uint64_t base_bytes; /* added to the run's own base */
};

/* Runs that follow one another on a queue. All but the first five fields are 0 at first.
 */
struct dl__run_chain {
    struct dl__engine *engine;
    cl_command_queue queue;
    bool is_in_order;
    unsigned tries; /* of a run: a device without memory now may have some in a moment */
    bool wants_first, wants_last;
    bool wants_each; /* `last` is of the last run enqueued, however far it comes */
    /* The next run waits for these: at first the caller's, borrowed until then. */
    cl_uint wait_count;
    const cl_event *wait;
    cl_event first, last; /* owned: of the first run, and of the last that has one */
    size_t done;          /* runs enqueued */
};

/* Enqueues a run behind those before it. Called with the engine's lock held. */
cl_int dl__run_chain_run(struct dl__run_chain *chain, const struct dl__run *run,
                         const struct dl__run_place *place, bool is_last);
/* The next run follows the command with this event, or with none, that was just enqueued.
 */
void dl__run_chain_follow(struct dl__run_chain *chain, cl_event event);
/* Hands over the events that are not NULL here, and releases the others. */
void dl__run_chain_end(struct dl__run_chain *chain, cl_event *first, cl_event *last);
/* For a chain without runs: the events still say when the waiting is over. */
cl_int dl__engine_mark(const struct dl__engine *engine, cl_command_queue queue,
                       cl_uint wait_count, const cl_event *wait, cl_event *first,
                       cl_event *last);
/* Enqueues a run by itself. Called with the engine's lock held. */
cl_int dl__run_enqueue(const struct dl__engine *engine, cl_command_queue queue,
                       const struct dl__run *run, const struct dl__run_place *place,
                       const struct dl__device_order *order);

#endif
