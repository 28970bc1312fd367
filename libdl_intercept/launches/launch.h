/* Launches in a context with annotated programs. */
#ifndef DL_INTERCEPT_LAUNCH_H
#define DL_INTERCEPT_LAUNCH_H

#include "libdl_intercept/state/objects.h"
#include "libdl_intercept/state/wait.h"

/* What DA's head is a multiple of: conversion moves leaves of so many structs whole, and fastest
 * when they fill several cache lines (docs/notes/marshal-speed.md). */
enum { DL__DA_TILE = 128 };

/* The program's clEnqueueNDRangeKernel; `task`: it was a clEnqueueTask, the sizes are
 * 1. */
struct dl__ndrange {
    bool task;
    cl_uint work_dim;
    const size_t *offset, *global, *local;
    cl_uint wait_count;
    const cl_event *wait;
    cl_event *event;
};

/* Launches the kernel, transformed where its annotations allow, with its buffers in the
 * layouts that takes. `kernel` may be NULL: one DL does not know, `handle` is launched as
 * it is. Takes the context's lock. Returns what the program gets. */
cl_int dl__launch(struct dl__queue *queue, struct dl__kernel *kernel, cl_kernel handle,
                  const struct dl__ndrange *range);

/* The memory object that an argument may name: an 8-byte scalar may equal a handle, which
 * then costs a needless conversion but never a wrong result. NULL: none that DL
 * tracks. */
struct dl__mem *dl__arg_mem(const struct dl__arg *arg);

/* Brings every buffer that an argument of the kernel names back to AoS on the queue, and
 * adds to `command` what a launch of the program's own kernel must wait for. (L) */
cl_int dl__kernel_args_to_aos(struct dl__kernel *kernel, struct dl__queue *queue,
                              struct dl__wait *command, const char *why);

/* The leaves of a buffer of an annotated kernel, in the width of its last launch. Valid until the
 * next. (L) */
const struct dl_leaf_table *dl__kernel_leaves(const struct dl__kernel *kernel,
                                              size_t buffer);

#endif
