/* SPDX-License-Identifier: MIT */
/* A buffer that has sub-buffers, the bytes that it should hold, and launches on any part
 * of it. */
#ifndef PARTS_H
#define PARTS_H

#include "world.h"

enum { N = 3089, STRUCT = sizeof(struct item), BYTES = N * STRUCT + 5 };

extern struct parts {
    struct world w; /* one for all cases */
    cl_mem root, totals;
    unsigned char model[BYTES], *host;
} parts;

/* A fresh buffer; its end checks it, unless the case has released it and set it to NULL.
 */
void parts_begin_with(cl_mem_flags flags);
void parts_begin(void);
void parts_end(void);
/* Fails when the buffer is not the model. */
void parts_check(void);
cl_mem part_of(size_t origin_bytes, size_t bytes, cl_mem_flags flags);
/* The same by structs. */
cl_mem part(size_t first, size_t structs);

void part_launch(cl_command_queue queue, cl_kernel kernel, cl_mem mem, cl_mem second,
                 cl_int n, cl_uint wait_count, const cl_event *wait, cl_event *event);
/* A kernel on the first n structs of `mem`, which begins at a byte of the model, and on
 * the model. */
void part_step(cl_mem mem, size_t first_byte, cl_int n);
void part_plain(cl_mem mem, size_t first_byte, cl_int n);
void part_total(cl_mem mem, size_t first_byte, cl_int n);
/* Fails when `mem` does not hold the model's bytes. */
void part_check(cl_mem mem, size_t first_byte, size_t bytes);

#endif
