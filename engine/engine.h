/* SPDX-License-Identifier: MIT */
/* The launch engine of both kernel rooms: programs built and kept, workspaces, and runs
 * of kernels in a chain of events, on any device with a table of operations. */
#ifndef DL_ENGINE_H
#define DL_ENGINE_H

#include <pthread.h>
#include <stdatomic.h>

#include "device_ops.h"
#include "dl_status.h"
#include "numbers.h"

/* For one device. The room that makes it may guard its own data by the lock, too. */
struct dl__engine {
    const struct dl__device_ops *ops; /* borrowed */
    void *device;                     /* their first argument; borrowed */
    struct dl__device_limits limits;
    const struct dl__device_file *file;
    pthread_mutex_t lock; /* guards all below, and the kernels' arguments */
    struct dl__engine_program *programs;
    struct dl__workspace *workspaces;
    atomic_uint workspace_count; /* read without the lock */
};

/* Asks the device for its limits and finds its file.
 *   ops, device  borrowed, must outlive the engine
 *   errors       DL_ENOLOCAL: the device has no local memory; DL_ECL, DL_ENOMEM: nothing
 *                to free */
enum dl_status dl__engine_open(struct dl__engine *engine,
                               const struct dl__device_ops *ops, void *device);
void dl__engine_close(struct dl__engine *engine);

/* Returns the status that a device's error stands for. */
enum dl_status dl__status_of_cl(cl_int err);

/* ---- programs ---- */

/* The texts of a program, one after the other; unused ones are NULL. */
struct dl__kernel_source {
    const char *texts[4];
};

enum { DL__KERNELS_MAX = 12 /* of a source */ };

/* A source built with one set of knobs. */
struct dl__engine_program {
    struct dl__engine_program *next;
    const struct dl__kernel_source *source; /* these two are the cache's key */
    char *knobs;                            /* the text before the kernels */
    cl_program program;
    size_t kept_bytes; /* of its binary when the engine kept it last; 0: it has not */
    struct {
        const char *name; /* a literal */
        cl_kernel kernel;
    } kernels[DL__KERNELS_MAX];
};

struct dl__build_failure {
    cl_int err;
    bool is_built; /* the program was built, but has no such kernel */
};

/* Returns the kernel `name` of a source with these knobs, built if need be. Called with
 * the lock held. source   lives as long as the engine name     a literal out      lives
 * as long as the engine failure  out, may be NULL errors   DL_ENOMEM, DL_ECL */
enum dl_status dl__engine_kernel(struct dl__engine *engine,
                                 const struct dl__kernel_source *source,
                                 const char *knobs, const char *name, cl_kernel *out,
                                 struct dl__build_failure *failure);
enum { DL__TEXTS_MAX = 1 + sizeof(struct dl__kernel_source) / sizeof(const char *) };

/* Lists the texts that a program is built from; returns how many. */
static inline size_t dl__engine_texts(const struct dl__kernel_source *source,
                                      const char *knobs, const char **texts)
{
    size_t count = 0;

    texts[count++] = knobs;
    for (size_t t = 0; t < sizeof source->texts / sizeof *source->texts; t++)
        if (source->texts[t])
            texts[count++] = source->texts[t];
    return count;
}
/* Returns the largest power of two of work-items up to the wanted and possible number,
 * but less than twice the useful one. */
size_t dl__engine_group_items(const struct dl__engine *engine, cl_kernel kernel,
                              uint64_t wanted, uint64_t useful);

/* ---- workspaces ---- */

/* Chains of runs with the same queue or buffer come one after the other, so that they may
 * share a workspace: otherwise a thousand launches with conversions between them would
 * take a thousand workspaces. Both live until the last command that uses them ends. */
struct dl__turns {
    cl_command_queue queue; /* in order; NULL: none */
    cl_mem mem;             /* whose last chain the caller waits for; NULL: none */
};

/* Device memory beside the buffers, for one chain of runs at a time. */
struct dl__workspace {
    struct dl__workspace *next;
    cl_mem mem;
    uint64_t bytes;
    cl_event last;          /* of the last command that uses it, or NULL */
    struct dl__turns turns; /* of the last chain */
    bool busy;              /* taken, and not given back yet */
    bool touched; /* a command has used it, so that the device has memory for it */
};

/* Takes a workspace that is used by no unfinished command, or only by commands before the
 * chain's own (`turns`, which may be NULL); or makes one. Called with the lock held, as
 * are those below.
 *   errors  DL_EWORKSPACE, DL_ENOMEM, DL_ECL */
enum dl_status dl__workspace_take(struct dl__engine *engine,
                                  const struct dl__turns *turns, uint64_t bytes,
                                  struct dl__workspace **out);
/* Enqueues a command that uses the workspace: only then do drivers allocate its memory,
 * and that must not fail in the middle of a conversion. */
enum dl_status dl__workspace_touch(const struct dl__engine *engine,
                                   cl_command_queue queue,
                                   struct dl__workspace *workspace,
                                   const struct dl__device_order *order);
/* Gives a workspace back; last: the event of the last command that was enqueued, or NULL.
 */
void dl__workspace_give(struct dl__engine *engine, struct dl__workspace *workspace,
                        const struct dl__turns *turns, cl_event last);
/* Replaces the workspaces that are not in use by new ones: a driver may keep the last
 * command on a buffer as long as the buffer. */
void dl__workspaces_settle(struct dl__engine *engine);

#endif
