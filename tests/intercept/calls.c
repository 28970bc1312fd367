/* SPDX-License-Identifier: MIT */
/* See calls.h. Built twice: against the loader, and (CALLS_BY_DLSYM) against what dlsym
 * finds in a loader that is opened at run time. */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls_inside.h"

struct functions calls_functions;
unsigned calls_counts[sizeof(struct functions) / sizeof(void *)];
struct calls calls;

/* CALLS_DECOY: an OpenCL library that the program opens and does not use. */
static void find_functions(void)
{
#ifdef CALLS_BY_DLSYM
    const char *path = getenv("CALLS_LIBRARY");
    void *library, *function;
#endif

    if (getenv("CALLS_DECOY"))
        dlopen(getenv("CALLS_DECOY"), RTLD_NOW | RTLD_LOCAL);
#ifdef CALLS_BY_DLSYM
    path = path ? path : "libOpenCL.so.1";
    library = getenv("CALLS_NAMESPACE") ? dlmopen(LM_ID_NEWLM, path, RTLD_NOW)
                                        : dlopen(path, RTLD_NOW | RTLD_LOCAL);

    if (!library) {
        printf("%s\n", dlerror());
        exit(1);
    }
#define FIND(name)                                                                       \
    function = dlsym(library, #name);                                                    \
    memcpy(&calls_functions.name, &function, sizeof function);
#else
#define FIND(name) calls_functions.name = name;
#endif
#define X(name) FIND(name)
    UNWRAPPED_MAP(X)
#undef X
#define X(result, name, parameters, arguments) FIND(name)
    DL_HOOK_MAP(X)
#undef X
}

static void write_counts(void)
{
    const char *path = getenv("CALLS_COUNTS");
    FILE *file = path ? fopen(path, "w") : NULL;

    if (!file)
        return;
#define X(result, name, parameters, arguments)                                           \
    if (calls_counts[offsetof(struct functions, name) / sizeof(void *)])                 \
        fprintf(file, "%s %u\n", #name,                                                  \
                calls_counts[offsetof(struct functions, name) / sizeof(void *)]);
    DL_HOOK_MAP(X)
#undef X
    fclose(file);
}

void calls_say(const char *what, long value)
{
    printf("%s: %ld\n", what, value);
}

static void platforms_and_contexts(void)
{
    cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, 0, 0},
                          unknown[] = {1, 1, 0};
    cl_uint count = 0;
    cl_context other;
    cl_int err;

    SAY(CALL(clGetPlatformIDs)(1, &calls.platform, &count));
    SAY(CALL(clGetDeviceIDs)(calls.platform, CL_DEVICE_TYPE_ALL, 1, &calls.device,
                             &count));
    properties[1] = (cl_context_properties)calls.platform;
    calls.context = CALL(clCreateContext)(properties, 1, &calls.device, NULL, NULL, &err);
    SAY(err);
    other =
        CALL(clCreateContextFromType)(properties, CL_DEVICE_TYPE_ALL, NULL, NULL, &err);
    SAY(err);
    SAY(CALL(clRetainContext)(other));
    SAY(CALL(clReleaseContext)(other));
    SAY(CALL(clGetContextInfo)(other, CL_CONTEXT_REFERENCE_COUNT, sizeof count, &count,
                               NULL));
    SAY(count);
    SAY(CALL(clReleaseContext)(other));
    SAY(CALL(clCreateContext)(properties, 0, NULL, NULL, NULL, &err) == NULL);
    SAY(err);
    SAY(CALL(clCreateContext)(unknown, 1, &calls.device, NULL, NULL, NULL) == NULL);
    SAY(CALL(clRetainContext)(NULL));
    SAY(CALL(clGetContextInfo)(NULL, 0, 0, NULL, NULL));
}

static void queues(void)
{
    cl_queue_properties profiled[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    cl_command_queue other;
    cl_uint count = 0;
    cl_int err;

    calls.queue = CALL(clCreateCommandQueueWithProperties)(calls.context, calls.device,
                                                           profiled, &err);
    SAY(err);
    other = CALL(clCreateCommandQueue)(calls.context, calls.device, 0, &err);
    SAY(err);
    SAY(CALL(clRetainCommandQueue)(other));
    SAY(CALL(clReleaseCommandQueue)(other));
    SAY(CALL(clGetCommandQueueInfo)(other, CL_QUEUE_REFERENCE_COUNT, sizeof count, &count,
                                    NULL));
    SAY(count);
    SAY(CALL(clSetCommandQueueProperty)(other, CL_QUEUE_PROFILING_ENABLE, CL_FALSE,
                                        NULL));
    SAY(CALL(clReleaseCommandQueue)(other));
    SAY(CALL(clCreateCommandQueue)(calls.context, calls.device, (cl_ulong)1 << 40,
                                   NULL) == NULL);
    SAY(CALL(clCreateCommandQueue)(NULL, calls.device, 0, &err) == NULL);
    SAY(err);
    SAY(CALL(clReleaseCommandQueue)(NULL));
    /* An object of another kind is what garbage looks like to a driver that checks. */
    SAY(CALL(clFinish)((cl_command_queue)calls.context));
}

static void extensions(void)
{
    cl_int (*unrelated)(cl_int);
    void *function;

    function = CALL(clGetExtensionFunctionAddressForPlatform)(calls.platform,
                                                              "clFakeUnrelatedEXT");
    memcpy(&unrelated, &function, sizeof function);
    if (unrelated)
        SAY(unrelated(41));
    SAY(CALL(clGetExtensionFunctionAddress)("clNoSuchEXT") == NULL);
    SAY(CALL(clGetExtensionFunctionAddressForPlatform)(calls.platform, "clNoSuchEXT") ==
        NULL);
    SAY(CALL(clGetExtensionFunctionAddressForPlatform)(calls.platform,
                                                       "clSetKernelArg") == NULL);
}

void calls_run(void)
{
    find_functions();
    platforms_and_contexts();
    queues();
    calls_programs();
    calls_memory();
    extensions();
    SAY(CALL(clReleaseProgram)(calls.program));
    SAY(CALL(clReleaseCommandQueue)(calls.queue));
    SAY(CALL(clReleaseContext)(calls.context));
    fflush(stdout);
    write_counts();
}
