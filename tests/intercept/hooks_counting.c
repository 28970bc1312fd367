/* SPDX-License-Identifier: MIT */
/* In place of DL's hooks: each counts its calls and passes them on; at exit the counts go
 * to DL_COUNTS. What is told to pin.h goes to standard error, a line each. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "libdl_intercept/hooks/hooks.h"
#include "libdl_intercept/hooks/pin.h"

/* Weak: two hooks are of extensions.c and stay in force. */
#define X(result, name, parameters, arguments)                                           \
    static atomic_uint count_##name;                                                     \
    result CL_API_CALL counted_##name parameters;                                        \
    result CL_API_CALL counted_##name parameters                                         \
    {                                                                                    \
        atomic_fetch_add(&count_##name, 1);                                              \
        return dl__next.name arguments;                                                  \
    }
DL_HOOK_MAP(X)
#undef X

#define X(result, name, parameters, arguments)                                           \
    extern __typeof__(dl__hook_##name) dl__hook_##name                                   \
        __attribute__((weak, alias("counted_" #name)));
DL_HOOK_MAP(X)
#undef X

__attribute__((destructor)) static void write_counts(void)
{
    const char *path = getenv("DL_COUNTS");
    FILE *file = path ? fopen(path, "a") : NULL;
    unsigned total = 0;

#define X(result, name, parameters, arguments) total += count_##name;
    DL_HOOK_MAP(X)
#undef X
    if (file && total) {
#define X(result, name, parameters, arguments)                                           \
    if (count_##name)                                                                    \
        fprintf(file, "%s %u\n", #name, count_##name);
        DL_HOOK_MAP(X)
#undef X
    }
    if (file)
        fclose(file);
}

void dl__pin_mem(cl_mem mem)
{
    fprintf(stderr, "pin mem %p\n", (void *)mem);
}

bool dl__pin_kernel_args(cl_kernel kernel)
{
    fprintf(stderr, "pin kernel %p\n", (void *)kernel);
    return true;
}

void dl__pin_everything(void)
{
    fprintf(stderr, "pin everything\n");
}

void dl__pin_order(cl_uint queue_count, const cl_command_queue *queues,
                   const void *commands)
{
    fprintf(stderr, "order %u %p %p\n", queue_count,
            queue_count ? (void *)queues[0] : NULL, commands);
}

void dl__pin_adopt_commands(cl_uint queue_count, const cl_command_queue *queues,
                            void *commands)
{
    fprintf(stderr, "adopt commands %u %p %p\n", queue_count, (void *)queues[0],
            commands);
}

void dl__pin_forget_arg(cl_kernel kernel, cl_uint index)
{
    fprintf(stderr, "forget %p %u\n", (void *)kernel, index);
}

void dl__pin_adopt_program(cl_context context, cl_program program)
{
    fprintf(stderr, "adopt program %p %p\n", (void *)context, (void *)program);
}

void dl__pin_adopt_queue(cl_context context, cl_device_id device,
                         const cl_queue_properties *properties, cl_command_queue queue)
{
    (void)properties;
    fprintf(stderr, "adopt queue %p %p %p\n", (void *)context, (void *)device,
            (void *)queue);
}

void *dl__pin_find_function(const char *name)
{
    (void)name;
    return NULL;
}

void dl__pin_begin(void)
{
}

void dl__pin_end(void)
{
}
