/* SPDX-License-Identifier: MIT */
/* Through these functions the entry machinery reports calls that reach the driver by
 * address and so pass no hook: command buffers and vendor functions (extensions.c).
 *
 * Every function is called just before the driver's function runs, on the program's
 * thread, with no lock held. A failure is remarked, and the program's call goes on,
 * unless a function says otherwise. Handles are whatever the program passed, or even a
 * number that stands where some version of an extension has a handle: an unknown value is
 * ignored and never looked into. Threads: all safe. */
#ifndef DL_INTERCEPT_PIN_H
#define DL_INTERCEPT_PIN_H

#include <stdbool.h>

#include <CL/cl.h>

/* A command is being recorded, to be run later and any number of times. Brings the buffer
 * (of a sub-buffer: the root) back to the program's layout now and keeps it there. */
void dl__pin_mem(cl_mem mem);

/* The same for every buffer that is bound to an argument of `kernel` now. False: the
 * kernel can't run on the program's layout, and the call must fail. */
bool dl__pin_kernel_args(cl_kernel kernel);

/* Commands that DL does not see are about to change (mutable dispatch): the same for
 * every buffer there is or will be. */
void dl__pin_everything(void);

/* Recorded commands are about to be enqueued to `queues` (NULL or count 0: to the queues
 * that `commands` was made for): what bringing back has started must come before them. */
void dl__pin_order(cl_uint queue_count, const cl_command_queue *queues,
                   const void *commands);

/* Argument `index` of `kernel` now holds something that is not a buffer of DL's (a raw
 * pointer). */
void dl__pin_forget_arg(cl_kernel kernel, cl_uint index);

/* The driver has made these objects through an extension's form of a wrapped entry point.
 * They are called after the driver's function, and only when it succeeded. */
void dl__pin_adopt_program(cl_context context, cl_program program);
void dl__pin_adopt_queue(cl_context context, cl_device_id device,
                         const cl_queue_properties *properties, cl_command_queue queue);

/* A command buffer for these queues. */
void dl__pin_adopt_commands(cl_uint queue_count, const cl_command_queue *queues,
                            void *commands);

/* A function of DL's own (include/dl.h); NULL: none of that name. `name` may be NULL. */
void *dl__pin_find_function(const char *name);

/* The driver's functions are there, and no hook has run: the first moment at which DL may
 * put something before them. */
void dl__pin_begin(void);
/* The loader is about to let go of the drivers, at the process's exit: the last moment at
 * which DL may call OpenCL. Only loaders of 2025 and later say so; nobody else does. */
void dl__pin_end(void);

#endif
