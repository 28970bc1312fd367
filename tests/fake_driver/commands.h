/* SPDX-License-Identifier: MIT */
/* What the files with enqueue functions share. */
#ifndef FAKE_DRIVER_COMMANDS_H
#define FAKE_DRIVER_COMMANDS_H

#include <stdio.h>

#include "fake.h"

/* The frame of an enqueue function: enter, check, make a command, submit it, write the
 * call down, leave.
 *
 *     struct fake_entry entry = fake_begin(__func__, queue, wait_count, waits, event);
 *
 *     CHECK(entry, fake_check_mem(queue, mem, offset, bytes));
 *     if (entry.status == CL_SUCCESS) {
 *         struct fake_command *command = fake_make(&entry, type, run);
 *         ...
 *     }
 *     return fake_end(&entry, blocking, "%s, %zu", NAME(mem), bytes); */
struct fake_entry {
    const char *function;
    struct fake_queue *queue;
    cl_uint wait_count;
    const cl_event *waits;
    cl_event *event;
    cl_int status;                /* the first error */
    struct fake_command *command; /* NULL: none was made */
};
struct fake_entry fake_begin(const char *function, cl_command_queue queue,
                             cl_uint wait_count, const cl_event *waits, cl_event *event);
/* Evaluates `error` only where nothing is wrong yet. */
#define CHECK(entry, error)                                                              \
    do {                                                                                 \
        if ((entry).status == CL_SUCCESS)                                                \
            (entry).status = (error);                                                    \
    } while (0)
struct fake_command *fake_make(struct fake_entry *entry, cl_command_type type,
                               void (*run)(struct fake_command *));
/* The command falls away. */
void fake_unmake(struct fake_entry *entry);
/* `format` (NULL: none) is of what the call's line has between the queue and the wait
 * list. */
cl_int fake_end(struct fake_entry *entry, bool blocking, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The driver's check of a queue and a wait list. Called with the lock. */
cl_int fake_check_queue(const char *function, cl_command_queue queue, cl_uint wait_count,
                        const cl_event *waits);
cl_int fake_check_mem(cl_command_queue queue, cl_mem mem, size_t offset, size_t bytes);
cl_int fake_check_image(cl_command_queue queue, cl_mem mem, const size_t *origin,
                        const size_t *region);

/* A piece of a buffer, or of host memory laid out like one. */
struct fake_rect {
    size_t origin[3], row, slice;
};
/* Origin 0 for NULL; pitches of 0 become those of `region`. false: the region is empty or
 * the pitches too small. */
bool fake_rect_make(const size_t *origin, const size_t *region, size_t row, size_t slice,
                    struct fake_rect *rect);
size_t fake_rect_end(const struct fake_rect *rect, const size_t *region);
void fake_command_rect(struct fake_command *command, const struct fake_rect *from,
                       const struct fake_rect *to, const size_t *region);
/* "w2 -> event#3" */
const char *fake_waits(cl_uint wait_count, const cl_event *event, cl_int status);

#endif
