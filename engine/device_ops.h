/* SPDX-License-Identifier: MIT */
/* The device's operations as a table of functions. A back end is one file that fills it:
 * opencl.c, and in the tests a device that counts and computes on the host.
 *
 * Handles have OpenCL's types, since the callers of the kernel rooms hand them in, but
 * only the back end looks behind them; so are the errors OpenCL's numbers. */
#ifndef DL_DEVICE_OPS_H
#define DL_DEVICE_OPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <CL/cl.h>

struct dl__device_limits {
    uint64_t local_bytes; /* usable local memory, 0 when there is none */
    uint64_t alloc_bytes;
    size_t group_items; /* of dimension 0 */
    unsigned compute_units;
    bool is_cpu;
    bool calls_host; /* functions of the host may be commands */
    bool doubles;    /* it calculates with them */
};

/* A buffer or sub-buffer. */
struct dl__buffer_info {
    bool is_foreign;     /* it belongs to another context */
    bool is_buffer;      /* not an image or a pipe */
    cl_mem root;         /* the buffer that it lies in: itself, or another */
    size_t origin_bytes; /* of its beginning in `root` */
    size_t bytes;
    cl_mem_flags flags; /* its own and the root's */
};

struct dl__queue_info {
    bool is_foreign_context, is_foreign_device;
    bool is_on_device; /* for kernels to enqueue on */
    bool is_in_order;
};

/* An argument of a kernel; `value` NULL: so many bytes of local memory. */
struct dl__device_arg {
    const void *value;
    size_t bytes;
};

/* A kernel with its arguments and its work-items. */
struct dl__device_launch {
    cl_kernel kernel;
    cl_uint arg_count, dims;
    const struct dl__device_arg *args;
    const size_t *global, *local; /* local NULL: the device chooses */
};

/* A function of the host: it gets a copy of `args`, in which the buffer's address is put
 * to the place. PoCL confuses the places of several buffers. */
struct dl__device_call {
    void(CL_CALLBACK *function)(void *args);
    void *args;
    size_t bytes;
    cl_mem mem;
    const void *place; /* in `args` */
};

/* The events that a command waits for, and its own: `event` may be NULL. */
struct dl__device_order {
    cl_uint wait_count;
    const cl_event *wait;
    cl_event *event;
};

/* `device` is the back end's own and comes first in every call. Functions that return a
 * cl_int leave their out parameters untouched when that is not CL_SUCCESS. */
struct dl__device_ops {
    cl_int (*limits)(void *device, struct dl__device_limits *out);
    /* At most `bytes` of the device's name, with the NUL. */
    cl_int (*name)(void *device, char *name, size_t bytes);

    /* Builds the program whose text is all these, one after the other. */
    cl_int (*program_build)(void *device, size_t count, const char **texts,
                            cl_program *out);
    void (*program_free)(void *device, cl_program program);
    cl_int (*kernel_make)(void *device, cl_program program, const char *name,
                          cl_kernel *out);
    void (*kernel_free)(void *device, cl_kernel kernel);
    /* The largest work-group of this kernel. */
    size_t (*kernel_items_max)(void *device, cl_kernel kernel);

    cl_int (*buffer_make)(void *device, size_t bytes, cl_mem *out);
    void (*buffer_free)(void *device, cl_mem mem);
    cl_int (*buffer_info)(void *device, cl_mem mem, struct dl__buffer_info *out);

    cl_int (*queue_info)(void *device, cl_command_queue queue,
                         struct dl__queue_info *out);
    /* Sets the arguments and enqueues; no other thread may use the kernel meanwhile. */
    cl_int (*launch)(void *device, cl_command_queue queue,
                     const struct dl__device_launch *launch,
                     const struct dl__device_order *order);
    /* Enqueues a call of a function of the host; only where `calls_host`. */
    cl_int (*call)(void *device, cl_command_queue queue,
                   const struct dl__device_call *call,
                   const struct dl__device_order *order);
    /* Enqueues a command that writes the first word of `mem`. */
    cl_int (*touch)(void *device, cl_command_queue queue, cl_mem mem,
                    const struct dl__device_order *order);
    /* Enqueues a command that does nothing, for its event. */
    cl_int (*mark)(void *device, cl_command_queue queue,
                   const struct dl__device_order *order);

    /* Whether the event belongs to another context; an error for what is not an event. */
    cl_int (*event_is_foreign)(void *device, cl_event event, bool *out);
    /* Whether its command has ended, with or without success. */
    bool (*event_is_over)(void *device, cl_event event);
    /* False: it was not retained, and must not be released. */
    bool (*event_retain)(void *device, cl_event event);
    void (*event_release)(void *device, cl_event event);
};

#endif
