/* SPDX-License-Identifier: MIT */
/* The launch engine under both kernel rooms: programs built and kept, workspaces, and
 * runs of kernels in a chain of events, on whatever device a table of operations stands
 * for. */
#ifndef DL_ENGINE_H
#define DL_ENGINE_H

#include <pthread.h>
#include <stdatomic.h>

#include "device_ops.h"
#include "dl_status.h"
#include "numbers.h"

/* One device's. The room that makes it may guard its own by the lock too. */
struct dl__engine {
    const struct dl__device_ops *ops; /* borrowed */
    void *device;                     /* what they take first; borrowed */
    struct dl__device_limits limits;
    const struct dl__device_file *file; /* what is known of the device */
    pthread_mutex_t lock;               /* all below, and the kernels' arguments */
    struct dl__engine_program *programs;
    struct dl__workspace *workspaces;
    atomic_uint workspace_count; /* of them, which is read without the lock */
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

/* A kernel file: the texts that it is made of, one after the other; unused ones are NULL.
 */
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
    size_t kept_bytes; /* of its binary, when that was kept last; 0: not by its engine */
    struct {
        const char *name; /* a literal */
        cl_kernel kernel;
    } kernels[DL__KERNELS_MAX];
};

/* Why a kernel could not be had. */
struct dl__build_failure {
    cl_int err;
    bool is_built; /* its program is, but has no such kernel */
};

/* The kernel `name` of a source built with these knobs; built at the first need. Called
 * with the lock held.
 *   source   lives as long as the engine
 *   name     a literal
 *   out      lives as long as the engine
 *   failure  out, may be NULL
 *   errors   DL_ENOMEM, DL_ECL */
enum dl_status dl__engine_kernel(struct dl__engine *engine,
                                 const struct dl__kernel_source *source,
                                 const char *knobs, const char *name, cl_kernel *out,
                                 struct dl__build_failure *failure);
enum { DL__TEXTS_MAX = 1 + sizeof(struct dl__kernel_source) / sizeof(const char *) };

/* All texts that it was built from, and how many. */
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
/* The largest power of two of work-items that is not above what is wanted and possible
 * for this kernel, nor, but for the last doubling, above what is useful. */
size_t dl__engine_group_items(const struct dl__engine *engine, cl_kernel kernel,
                              uint64_t wanted, uint64_t useful);

/* ---- workspaces ---- */

/* This has chains of runs come one behind the other, so that they may share a workspace:
 * a program that enqueues a thousand launches with conversions between them would have a
 * thousand workspaces otherwise. Both live as long as a command that uses them is not
 * over. */
struct dl__turns {
    cl_command_queue queue; /* in order; NULL: none */
    cl_mem mem; /* that the chain moves, for which its caller waits; NULL: none */
};

/* Device memory beside the buffers, for one chain of runs at a time. */
struct dl__workspace {
    struct dl__workspace *next;
    cl_mem mem;
    uint64_t bytes;
    cl_event last;          /* of the last command that uses it; NULL: none yet */
    struct dl__turns turns; /* of those that used it last */
    bool busy;              /* taken, its commands not enqueued yet */
    bool touched; /* a command has used it, so that the device has memory for it */
};

/* Takes a workspace that no unfinished command uses, or none but such as those to come
 * are behind (`turns`, which may be NULL); or makes one. Called with the lock held, as
 * are those below. errors  DL_EWORKSPACE, DL_ENOMEM, DL_ECL */
enum dl_status dl__workspace_take(struct dl__engine *engine,
                                  const struct dl__turns *turns, uint64_t bytes,
                                  struct dl__workspace **out);
/* Drivers find memory for a buffer only when a command uses it, which must not fail when
 * half of a conversion is done: enqueues a command that does. */
enum dl_status dl__workspace_touch(const struct dl__engine *engine,
                                   cl_command_queue queue,
                                   struct dl__workspace *workspace,
                                   const struct dl__device_order *order);
/* `last`: of the commands that were enqueued since; NULL: none were. */
void dl__workspace_give(struct dl__engine *engine, struct dl__workspace *workspace,
                        const struct dl__turns *turns, cl_event last);
/* Others take the place of those that no unfinished command uses: a driver may keep the
 * last command on a buffer for as long as the buffer. */
void dl__workspaces_settle(struct dl__engine *engine);

#endif
