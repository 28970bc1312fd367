/* SPDX-License-Identifier: MIT */
/* A device that counts and computes on the host: no OpenCL. Its kernels are functions
 * that are registered by name, and its queues run commands as late and in as odd an order
 * as their events allow, so that a missing wait shows. */
#ifndef HOST_DEVICE_H
#define HOST_DEVICE_H

#include "engine/device_ops.h"

/* What a kernel's function gets: the program's text, the arguments as they were set
 * (buffers as pointers to their bytes, local memory as a pointer to so much), and the
 * work-items. */
struct host_call {
    const char *text;
    const void *args[16];
    const size_t *global, *local;
};

struct host_kernel {
    const char *name;
    void (*body)(const struct host_call *call);
};

struct host_device {
    const struct host_kernel *kernels; /* ends with a name of NULL */
    struct dl__device_limits limits;
    /* What was done, and what is left. */
    unsigned programs_built, launches, marks, touches;
    int programs, kernels_made, buffers, events; /* alive */
    /* The launches of these numbers, from 0, are refused: from `refuse_first` on,
     * `refuse_count` calls in a row. */
    unsigned calls, refuse_first, refuse_count;
    bool has_no_memory;  /* for buffers */
    bool refuses_retain; /* of events */
    struct host_buffer *first_buffer;
};

extern const struct dl__device_ops host_device_ops;

cl_mem host_buffer_make(struct host_device *device, size_t bytes);
void *host_buffer_bytes(cl_mem mem);
cl_command_queue host_queue_make(struct host_device *device, bool is_in_order);
/* Runs what is left, the newest command that may run first. False: some wait for ever. */
bool host_queue_finish(cl_command_queue queue);
void host_queue_free(cl_command_queue queue);
/* An event that the test sets. */
cl_event host_event_make(struct host_device *device);
void host_event_set(cl_event event);

#endif
