/* SPDX-License-Identifier: MIT */
/* Functions in place of the driver's while there is a trace: each calls the driver's and
 * notes the command with its event, of which the program and DL see nothing. */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inner.h"
#include "libdl_intercept/hooks/hook_list.h"
#include "libdl_intercept/base/next.h"
#include "options/options.h"
#include "libdl_intercept/reports/stats_print.h"

/* Bytes that a command moves; 0: that is not known. */
#define MOVED_clEnqueueReadBuffer bytes
#define MOVED_clEnqueueWriteBuffer bytes
#define MOVED_clEnqueueReadBufferRect region_bytes(region)
#define MOVED_clEnqueueWriteBufferRect region_bytes(region)
#define MOVED_clEnqueueReadImage 0
#define MOVED_clEnqueueWriteImage 0
#define MOVED_clEnqueueCopyBuffer bytes
#define MOVED_clEnqueueCopyBufferRect region_bytes(region)
#define MOVED_clEnqueueFillBuffer bytes
#define MOVED_clEnqueueCopyBufferToImage 0
#define MOVED_clEnqueueCopyImageToBuffer 0
#define MOVED_clEnqueueUnmapMemObject 0
#define MOVED_clEnqueueMigrateMemObjects 0
#define MOVED_clEnqueueCopyImage 0
#define MOVED_clEnqueueFillImage 0
#define MOVED_clEnqueueNativeKernel 0

/* Those that wait, or build: X(name, (parameters), (arguments)). */
#define WAITING_MAP(X)                                                                   \
    X(clWaitForEvents, (cl_uint count, const cl_event *list), (count, list))             \
    X(clFinish, (cl_command_queue queue), (queue))

#define BUILDING_MAP(X)                                                                  \
    X(clBuildProgram,                                                                    \
      (cl_program program, cl_uint device_count, const cl_device_id *devices,            \
       const char *options, void(CL_CALLBACK * notify)(cl_program, void *), void *user), \
      (program, device_count, devices, options, notify, user))                           \
    X(clCompileProgram,                                                                  \
      (cl_program program, cl_uint device_count, const cl_device_id *devices,            \
       const char *options, cl_uint header_count, const cl_program *headers,             \
       const char **header_names, void(CL_CALLBACK * notify)(cl_program, void *),        \
       void *user),                                                                      \
      (program, device_count, devices, options, header_count, headers, header_names,     \
       notify, user))

static cl_icd_dispatch below;
static bool inserted;

const cl_icd_dispatch *dl__trace_below(void)
{
    return inserted ? &below : &dl__next;
}

static uint64_t region_bytes(const size_t *region)
{
    return region ? (uint64_t)region[0] * region[1] * region[2] : 0;
}

/* ---- commands ---- */

struct watch {
    const char *name;
    cl_command_queue queue;
    cl_event own, *event;
    uint64_t bytes, before_ns;
    bool blocks;
    cl_uint work_dim; /* of a launch, with its sizes */
    const size_t *global;
};

/* Where the driver is to put the event. */
static cl_event *watch_begin(struct watch *watch, cl_event *event)
{
    watch->event = event ? event : &watch->own;
    watch->before_ns = dl__trace_clock_ns();
    return watch->event;
}

static const char compares[] = ", to compare";

static void name_command(const struct watch *watch, struct dl__trace_command *command,
                         cl_kernel kernel)
{
    char text[DL__TRACE_NAME_BYTES] = "", layout[24],
         launched[sizeof command->name + sizeof command->args + 16];
    int used;
    struct dl_layout in;
    bool rewritten, programs = dl__trace_is_the_programs(watch->name);

    command->category = programs ? kernel ? "launch" : "transfer" : "dl";
    if (!kernel) {
        dl__trace_quote(command->name, sizeof command->name, watch->name);
        if (!programs && dl__trace_call_name())
            snprintf(command->args, sizeof command->args, "\"for\":\"%s\"",
                     dl__trace_call_name());
        return;
    }
    if (below.clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof text - 1, text,
                              NULL) != CL_SUCCESS)
        snprintf(text, sizeof text, "(a kernel)");
    dl__trace_quote(command->name, sizeof command->name - sizeof compares, text);
    rewritten = programs && dl__trace_take_launch(&in);
    if (rewritten)
        dl__stats_print_layout(layout, sizeof layout, in);
    used = snprintf(command->args, sizeof command->args,
                    "\"runs\":\"%s%s\",\"work_items\":\"%zu",
                    !programs   ? "on copies, to compare"
                    : rewritten ? "rewritten for "
                                : "as written",
                    rewritten ? layout : "", watch->global ? watch->global[0] : 1);
    for (cl_uint d = 1; d < watch->work_dim && watch->global; d++)
        used += snprintf(command->args + used, sizeof command->args - (size_t)used,
                         "x%zu", watch->global[d]);
    strcat(command->args, "\"");
    snprintf(launched, sizeof launched, "\"kernel\":\"%s\",%s", command->name,
             command->args);
    if (programs)
        dl__trace_call_launched(launched);
    else
        strcat(command->name, compares);
}

static void watch_end(struct watch *watch, bool done, cl_uint wait_count,
                      const cl_event *wait, cl_kernel kernel)
{
    struct dl__trace_command command = {.bytes = watch->bytes,
                                        .before_ns = watch->before_ns};

    dl__trace_call_below(dl__trace_clock_ns() - watch->before_ns, watch->blocks);
    if (done && dl__trace_is_on() && *watch->event) {
        name_command(watch, &command, kernel);
        command.first = command.last = *watch->event;
        for (cl_uint i = 0; i < wait_count && command.wait_count < DL__TRACE_WAITS; i++)
            if (dl__trace_is_added(wait[i]))
                command.waits[command.wait_count++] = wait[i];
        dl__mutex_lock(&dl__trace_lock);
        command.lane = dl__trace_lane_of(watch->queue);
        dl__trace_pend(&command);
        dl__mutex_unlock(&dl__trace_lock);
    }
    if (watch->own)
        below.clReleaseEvent(watch->own);
}

#define WATCHED(function, parameters, arguments, blocks_if)                              \
    static cl_int CL_API_CALL watched_##function parameters                              \
    {                                                                                    \
        struct watch watch = {.name = #function,                                         \
                              .queue = queue,                                            \
                              .bytes = MOVED_##function,                                 \
                              .blocks = blocks_if};                                      \
        cl_int err;                                                                      \
                                                                                         \
        event = watch_begin(&watch, event);                                              \
        err = below.function arguments;                                                  \
        watch_end(&watch, err == CL_SUCCESS, wait_count, wait, NULL);                    \
        return err;                                                                      \
    }
#define X(result, function, parameters, arguments)                                       \
    WATCHED(function, parameters, arguments, blocking)
DL_BLOCKING_COMMAND_MAP(X)
#undef X
#define X(result, function, parameters, arguments)                                       \
    WATCHED(function, parameters, arguments, false)
DL_COMMAND_MAP(X)
#undef X

static cl_int CL_API_CALL watched_clEnqueueNDRangeKernel(
    cl_command_queue queue, cl_kernel kernel, cl_uint work_dim, const size_t *offset,
    const size_t *global, const size_t *local, cl_uint wait_count, const cl_event *wait,
    cl_event *event)
{
    struct watch watch = {.name = "clEnqueueNDRangeKernel",
                          .queue = queue,
                          .work_dim = work_dim,
                          .global = global};
    cl_int err;

    event = watch_begin(&watch, event);
    err = below.clEnqueueNDRangeKernel(queue, kernel, work_dim, offset, global, local,
                                       wait_count, wait, event);
    watch_end(&watch, err == CL_SUCCESS, wait_count, wait, kernel);
    return err;
}

static cl_int CL_API_CALL watched_clEnqueueTask(cl_command_queue queue, cl_kernel kernel,
                                                cl_uint wait_count, const cl_event *wait,
                                                cl_event *event)
{
    struct watch watch = {.name = "clEnqueueTask", .queue = queue};
    cl_int err;

    event = watch_begin(&watch, event);
    err = below.clEnqueueTask(queue, kernel, wait_count, wait, event);
    watch_end(&watch, err == CL_SUCCESS, wait_count, wait, kernel);
    return err;
}

static void *CL_API_CALL watched_clEnqueueMapBuffer(cl_command_queue queue, cl_mem mem,
                                                    cl_bool blocking, cl_map_flags flags,
                                                    size_t offset, size_t bytes,
                                                    cl_uint wait_count,
                                                    const cl_event *wait, cl_event *event,
                                                    cl_int *err)
{
    struct watch watch = {
        .name = "clEnqueueMapBuffer", .queue = queue, .bytes = bytes, .blocks = blocking};
    void *mapped;

    event = watch_begin(&watch, event);
    mapped = below.clEnqueueMapBuffer(queue, mem, blocking, flags, offset, bytes,
                                      wait_count, wait, event, err);
    watch_end(&watch, mapped != NULL, wait_count, wait, NULL);
    return mapped;
}

static void *CL_API_CALL watched_clEnqueueMapImage(
    cl_command_queue queue, cl_mem image, cl_bool blocking, cl_map_flags flags,
    const size_t *origin, const size_t *region, size_t *row, size_t *slice,
    cl_uint wait_count, const cl_event *wait, cl_event *event, cl_int *err)
{
    struct watch watch = {
        .name = "clEnqueueMapImage", .queue = queue, .blocks = blocking};
    void *mapped;

    event = watch_begin(&watch, event);
    mapped = below.clEnqueueMapImage(queue, image, blocking, flags, origin, region, row,
                                     slice, wait_count, wait, event, err);
    watch_end(&watch, mapped != NULL, wait_count, wait, NULL);
    return mapped;
}

/* ---- waits and builds ---- */

static void note_wait(const char *name, uint64_t start_ns)
{
    bool own = dl__trace_take_own_wait();

    dl__trace_call_below(dl__trace_clock_ns() - start_ns, true);
    if (own)
        dl__trace_span("wait", "the program's wait", NULL, start_ns);
    else if (!dl__trace_is_the_programs(name))
        dl__trace_span("wait", "wait that DL added", NULL, start_ns);
}

#define X(function, parameters, arguments)                                               \
    static cl_int CL_API_CALL watched_##function parameters                              \
    {                                                                                    \
        uint64_t start_ns = dl__trace_clock_ns();                                        \
        cl_int err = below.function arguments;                                           \
                                                                                         \
        note_wait(#function, start_ns);                                                  \
        return err;                                                                      \
    }
WAITING_MAP(X)
#undef X

/* With the kernels that it has, where it is one that can tell and they are not many. */
static void note_build(const char *name, cl_program program, uint64_t start_ns)
{
    char kernels[1024] = "";
    bool told;

    dl__trace_call_below(dl__trace_clock_ns() - start_ns, false);
    told = program &&
           below.clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof kernels - 1,
                                  kernels, NULL) == CL_SUCCESS;
    dl__trace_span("build",
                   dl__trace_is_the_programs(name) ? "build of the program"
                                                   : "the driver builds it",
                   told ? kernels : NULL, start_ns);
}

#define X(function, parameters, arguments)                                               \
    static cl_int CL_API_CALL watched_##function parameters                              \
    {                                                                                    \
        uint64_t start_ns = dl__trace_clock_ns();                                        \
        cl_int err = below.function arguments;                                           \
                                                                                         \
        note_build(#function, err == CL_SUCCESS ? program : NULL, start_ns);             \
        return err;                                                                      \
    }
BUILDING_MAP(X)
#undef X

static cl_program CL_API_CALL watched_clLinkProgram(
    cl_context context, cl_uint device_count, const cl_device_id *devices,
    const char *options, cl_uint input_count, const cl_program *inputs,
    void(CL_CALLBACK *notify)(cl_program, void *), void *user, cl_int *err)
{
    uint64_t start_ns = dl__trace_clock_ns();
    cl_program program = below.clLinkProgram(context, device_count, devices, options,
                                             input_count, inputs, notify, user, err);

    note_build("clLinkProgram", program, start_ns);
    return program;
}

/* ---- in place ---- */

static void replace_all(cl_icd_dispatch *next)
{
#define PUT(function)                                                                    \
    if (next->function)                                                                  \
        next->function = watched_##function;
#define X(result, function, ...) PUT(function)
    DL_BLOCKING_COMMAND_MAP(X)
    DL_COMMAND_MAP(X)
#undef X
#define X(function, ...) PUT(function)
    WAITING_MAP(X)
    BUILDING_MAP(X)
#undef X
    PUT(clEnqueueNDRangeKernel)
    PUT(clEnqueueTask)
    PUT(clEnqueueMapBuffer)
    PUT(clEnqueueMapImage)
    PUT(clLinkProgram)
#undef PUT
}

void dl__trace_insert(cl_icd_dispatch *next)
{
    struct dl_option_value path;
    char wrong[DL_OPTION_TEXT_BYTES];

    /* A wrong value is said where all options are read. */
    if (dl_option_read(DL_OPTION_trace, &path, wrong) == DL_OK && path.text) {
        below = *next;
        replace_all(next);
        inserted = true;
        pthread_atfork(NULL, NULL, dl__trace_stop); /* the file is the parent's */
        dl__trace_end_at_exit();                    /* of programs without a queue */
        atomic_store(&dl__trace_on, true);
    }
    dl_option_value_free(&path);
}
