/* SPDX-License-Identifier: MIT */
/* What the parts of calls.c share: the functions, how often they were called, and the
 * objects. */
#ifndef TESTS_INTERCEPT_CALLS_INSIDE_H
#define TESTS_INTERCEPT_CALLS_INSIDE_H

#include <stddef.h>

#include "calls.h"
#include "libdl_intercept/hooks/hook_list.h"

struct functions {
#define X(name) __typeof__(name) *name;
    UNWRAPPED_MAP(X)
#undef X
#define X(result, name, parameters, arguments) __typeof__(name) *name;
    DL_HOOK_MAP(X)
#undef X
};

extern struct functions calls_functions;
extern unsigned calls_counts[sizeof(struct functions) / sizeof(void *)];

#define CALL(name)                                                                       \
    (calls_counts[offsetof(struct functions, name) / sizeof(void *)]++,                  \
     calls_functions.name)

/* Prints an expression and its value. */
#define SAY(expression) calls_say(#expression, (long)(expression))
void calls_say(const char *what, long value);

extern struct calls {
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    int data[64];
} calls;

/* Programs from source, binaries and parts (calls_programs.c). */
void calls_programs(void);
/* Arguments and launches on a buffer (calls_launches.c). */
void calls_launches(cl_mem buffer);
/* Buffers, transfers, maps and images (calls_memory.c). */
void calls_memory(void);

#endif
