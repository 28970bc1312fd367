/* SPDX-License-Identifier: MIT */
/* Fills the table of device operations for OpenCL. */
#include "opencl.h"
#include "engine/stack.h"

#include <stdlib.h>

enum { VENDOR_NVIDIA = 0x10de, RETAIN_TRIES = 3 };

static const char *const build_options = "-cl-std=CL1.2";

static const cl_icd_dispatch *cl_of(void *device)
{
    return ((const struct dl__opencl *)device)->cl;
}

static cl_int opencl_limits(void *device, struct dl__device_limits *out)
{
    struct dl__opencl *opencl = device;
    cl_device_type type = 0;
    cl_device_local_mem_type local_type = CL_NONE;
    cl_ulong local_bytes = 0, alloc_bytes = 0;
    size_t items[3] = {1, 1, 1}, group = 1;
    cl_uint units = 1, vendor = 0;
    cl_device_exec_capabilities runs = 0;
    cl_device_fp_config doubles = 0;
    cl_int err;

#define GET(name, value)                                                                 \
    do {                                                                                 \
        err = opencl->cl->clGetDeviceInfo(opencl->device, name, sizeof(value), &(value), \
                                          NULL);                                         \
        if (err != CL_SUCCESS)                                                           \
            return err;                                                                  \
    } while (0)
    GET(CL_DEVICE_TYPE, type);
    GET(CL_DEVICE_LOCAL_MEM_TYPE, local_type);
    GET(CL_DEVICE_LOCAL_MEM_SIZE, local_bytes);
    GET(CL_DEVICE_MAX_MEM_ALLOC_SIZE, alloc_bytes);
    GET(CL_DEVICE_MAX_WORK_GROUP_SIZE, group);
    GET(CL_DEVICE_MAX_WORK_ITEM_SIZES, items);
    GET(CL_DEVICE_MAX_COMPUTE_UNITS, units);
    GET(CL_DEVICE_VENDOR_ID, vendor);
    GET(CL_DEVICE_EXECUTION_CAPABILITIES, runs);
#undef GET
    /* An error means a driver without the extension, of an OpenCL before it. */
    if (opencl->cl->clGetDeviceInfo(opencl->device, CL_DEVICE_DOUBLE_FP_CONFIG,
                                    sizeof doubles, &doubles, NULL) != CL_SUCCESS)
        doubles = 0;
    opencl->understates_groups = vendor == VENDOR_NVIDIA;
    *out = (struct dl__device_limits){
        .local_bytes = local_type == CL_NONE ? 0 : local_bytes,
        .alloc_bytes = alloc_bytes,
        .group_items = items[0] < group ? items[0] : group,
        .compute_units = units,
        .calls_host = runs & CL_EXEC_NATIVE_KERNEL,
        .doubles = doubles != 0,
        /* A simulator may call itself every type at once. */
        .is_cpu = (type & CL_DEVICE_TYPE_CPU) && !(type & CL_DEVICE_TYPE_GPU),
    };
    return CL_SUCCESS;
}

static cl_int opencl_name(void *device, char *name, size_t bytes)
{
    const struct dl__opencl *opencl = device;

    name[bytes - 1] = '\0';
    return opencl->cl->clGetDeviceInfo(opencl->device, CL_DEVICE_NAME, bytes - 1, name,
                                       NULL);
}

/* ---- programs ---- */

static cl_int build_from_source(const struct dl__opencl *opencl,
                                const struct dl__build *build, cl_program *out)
{
    enum { TEXTS_MAX = 16 };
    const char *texts[TEXTS_MAX] = {DL__OWN_TEXT};
    cl_int err = CL_SUCCESS;
    cl_program program;

    if (build->count >= TEXTS_MAX)
        return CL_INVALID_VALUE;
    for (size_t t = 0; t < build->count; t++)
        texts[1 + t] = build->texts[t];
    program = opencl->cl->clCreateProgramWithSource(
        opencl->context, (cl_uint)(1 + build->count), texts, NULL, &err);
    if (err != CL_SUCCESS)
        return err;
    err = opencl->cl->clBuildProgram(program, 1, &opencl->device, build->options, NULL,
                                     NULL);
    if (err != CL_SUCCESS)
        opencl->cl->clReleaseProgram(program);
    else
        *out = program;
    return err;
}

/* NULL: none is kept, or the driver refuses it now. */
static cl_program build_from_kept(const struct dl__opencl *opencl,
                                  const struct dl__build *build, bool *is_kept)
{
    size_t bytes = 0;
    void *binary = opencl->binaries ? opencl->binaries->find(build, &bytes) : NULL;
    cl_program program = NULL;

    if (binary)
        program = dl__binary_build(opencl->cl, opencl->context, opencl->device, binary,
                                   bytes, build->options);
    *is_kept = binary != NULL;
    free(binary);
    return program;
}

/* Keeps the program's binary, if its length is not `before`. Returns the length. */
static size_t keep(const struct dl__opencl *opencl, const struct dl__build *build,
                   cl_program program, size_t before)
{
    size_t bytes = before;
    void *binary = dl__binary_of(opencl->cl, program, opencl->device, &bytes);

    if (binary && bytes != before)
        opencl->binaries->keep(build, binary, bytes);
    free(binary);
    return bytes;
}

static cl_int build_anew(const struct dl__opencl *opencl, const struct dl__build *build,
                         cl_program *out)
{
    cl_int err = build_from_source(opencl, build, out);

    if (err == CL_SUCCESS && opencl->binaries)
        keep(opencl, build, *out, 0);
    return err;
}

static struct dl__build describe(const struct dl__opencl *opencl, size_t count,
                                 const char **texts)
{
    return (struct dl__build){opencl->device, build_options, count,
                              (const char *const *)texts};
}

void dl__opencl_keep(const struct dl__opencl *opencl, size_t count, const char **texts,
                     cl_program program, size_t *bytes)
{
    const struct dl__build build = describe(opencl, count, texts);

    *bytes = keep(opencl, &build, program, *bytes);
}

struct building {
    const struct dl__opencl *opencl;
    struct dl__build build;
    cl_program *out;
    cl_int err;
};

static void build(void *user)
{
    struct building *b = user;
    const struct dl__opencl *opencl = b->opencl;
    bool is_kept, may_build = !opencl->kept_only, asked = false;
    cl_program program = build_from_kept(opencl, &b->build, &is_kept);

    if (!is_kept && may_build && opencl->binaries) {
        asked = true;
        may_build = opencl->binaries->make(&b->build);
        program = build_from_kept(opencl, &b->build, &is_kept);
    }
    if (program)
        *b->out = program;
    else
        b->err =
            may_build ? build_anew(opencl, &b->build, b->out) : CL_COMPILER_NOT_AVAILABLE;
    if (asked)
        opencl->binaries->end(&b->build);
}

static cl_int opencl_program_build(void *device, size_t count, const char **texts,
                                   cl_program *out)
{
    struct building b = {device, describe(device, count, texts), out, CL_SUCCESS};

    dl__with_stack(build, &b);
    return b.err;
}

static void opencl_program_free(void *device, cl_program program)
{
    cl_of(device)->clReleaseProgram(program);
}

static cl_int opencl_kernel_make(void *device, cl_program program, const char *name,
                                 cl_kernel *out)
{
    cl_int err = CL_SUCCESS;
    cl_kernel kernel = cl_of(device)->clCreateKernel(program, name, &err);

    if (err == CL_SUCCESS)
        *out = kernel;
    return err;
}

static void opencl_kernel_free(void *device, cl_kernel kernel)
{
    cl_of(device)->clReleaseKernel(kernel);
}

static size_t opencl_kernel_items_max(void *device, cl_kernel kernel)
{
    const struct dl__opencl *opencl = device;
    size_t most = 1, built[3] = {0};

    opencl->cl->clGetKernelWorkGroupInfo(
        kernel, opencl->device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL);
    if (opencl->understates_groups)
        opencl->cl->clGetKernelWorkGroupInfo(kernel, opencl->device,
                                             CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                             sizeof built, built, NULL);
    return built[0] > most ? built[0] : most;
}

/* ---- buffers ---- */

static cl_int opencl_buffer_make(void *device, size_t bytes, cl_mem *out)
{
    const struct dl__opencl *opencl = device;
    cl_int err = CL_SUCCESS;
    cl_mem mem =
        opencl->cl->clCreateBuffer(opencl->context, CL_MEM_READ_WRITE, bytes, NULL, &err);

    if (err == CL_SUCCESS)
        *out = mem;
    return err;
}

static void opencl_buffer_free(void *device, cl_mem mem)
{
    cl_of(device)->clReleaseMemObject(mem);
}

static cl_int opencl_buffer_info(void *device, cl_mem mem, struct dl__buffer_info *out)
{
    const struct dl__opencl *opencl = device;
    struct dl__buffer_info info = {.root = NULL};
    cl_mem_object_type type = 0;
    cl_mem_flags root_flags = 0;
    cl_context context = NULL;
    cl_int err = mem ? CL_SUCCESS : CL_INVALID_MEM_OBJECT;

#define ASK(of, name, value)                                                             \
    if (err == CL_SUCCESS)                                                               \
    err = opencl->cl->clGetMemObjectInfo(of, name, sizeof(value), &(value), NULL)
    ASK(mem, CL_MEM_CONTEXT, context);
    ASK(mem, CL_MEM_TYPE, type);
    ASK(mem, CL_MEM_SIZE, info.bytes);
    ASK(mem, CL_MEM_ASSOCIATED_MEMOBJECT, info.root);
    if (info.root)
        ASK(mem, CL_MEM_OFFSET, info.origin_bytes);
    ASK(mem, CL_MEM_FLAGS, info.flags);
    if (info.root)
        ASK(info.root, CL_MEM_FLAGS, root_flags);
#undef ASK
    if (err != CL_SUCCESS)
        return err;
    info.is_foreign = context != opencl->context;
    info.is_buffer = type == CL_MEM_OBJECT_BUFFER;
    info.flags |= root_flags;
    if (!info.root)
        info.root = mem;
    *out = info;
    return CL_SUCCESS;
}

/* ---- commands ---- */

static cl_int opencl_queue_info(void *device, cl_command_queue queue,
                                struct dl__queue_info *out)
{
    const struct dl__opencl *opencl = device;
    cl_command_queue_properties properties = 0;
    cl_context context = NULL;
    cl_device_id id = NULL;
    cl_int err = queue ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE;

#define ASK(name, value)                                                                 \
    if (err == CL_SUCCESS)                                                               \
    err = opencl->cl->clGetCommandQueueInfo(queue, name, sizeof(value), &(value), NULL)
    ASK(CL_QUEUE_CONTEXT, context);
    ASK(CL_QUEUE_DEVICE, id);
    ASK(CL_QUEUE_PROPERTIES, properties);
#undef ASK
    if (err != CL_SUCCESS)
        return err;
    *out = (struct dl__queue_info){
        .is_foreign_context = context != opencl->context,
        .is_foreign_device = id != opencl->device,
        .is_on_device = (properties & CL_QUEUE_ON_DEVICE) != 0,
        .is_in_order = !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE),
    };
    return CL_SUCCESS;
}

static cl_int opencl_launch(void *device, cl_command_queue queue,
                            const struct dl__device_launch *launch,
                            const struct dl__device_order *order)
{
    const struct dl__opencl *opencl = device;

    for (cl_uint a = 0; a < launch->arg_count; a++) {
        cl_int err = opencl->cl->clSetKernelArg(launch->kernel, a, launch->args[a].bytes,
                                                launch->args[a].value);
        if (err != CL_SUCCESS)
            return err;
    }
    return opencl->cl->clEnqueueNDRangeKernel(
        queue, launch->kernel, launch->dims, NULL, launch->global, launch->local,
        order->wait_count, order->wait, order->event);
}

static cl_int opencl_call(void *device, cl_command_queue queue,
                          const struct dl__device_call *call,
                          const struct dl__device_order *order)
{
    return cl_of(device)->clEnqueueNativeKernel(
        queue, call->function, call->args, call->bytes, 1, &call->mem,
        (const void **)(void *)&call->place, order->wait_count, order->wait,
        order->event);
}

static cl_int opencl_touch(void *device, cl_command_queue queue, cl_mem mem,
                           const struct dl__device_order *order)
{
    static const cl_uint nothing = 0;

    return cl_of(device)->clEnqueueFillBuffer(queue, mem, &nothing, sizeof nothing, 0,
                                              sizeof nothing, order->wait_count,
                                              order->wait, order->event);
}

static cl_int opencl_mark(void *device, cl_command_queue queue,
                          const struct dl__device_order *order)
{
    return cl_of(device)->clEnqueueMarkerWithWaitList(queue, order->wait_count,
                                                      order->wait, order->event);
}

/* ---- events ---- */

static cl_int opencl_event_is_foreign(void *device, cl_event event, bool *out)
{
    const struct dl__opencl *opencl = device;
    cl_context context = NULL;
    cl_int err = CL_INVALID_EVENT;

    if (event)
        err = opencl->cl->clGetEventInfo(event, CL_EVENT_CONTEXT, sizeof context,
                                         &context, NULL);
    if (err == CL_SUCCESS)
        *out = context != opencl->context;
    return err;
}

static bool opencl_event_is_over(void *device, cl_event event)
{
    cl_int status = CL_QUEUED;

    return cl_of(device)->clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
                                         sizeof status, &status, NULL) == CL_SUCCESS &&
           (status == CL_COMPLETE || status < 0);
}

static bool opencl_event_retain(void *device, cl_event event)
{
    for (int tries = 0; tries < RETAIN_TRIES; tries++) {
        if (cl_of(device)->clRetainEvent(event) == CL_SUCCESS)
            return true;
    }
    return false;
}

static void opencl_event_release(void *device, cl_event event)
{
    cl_of(device)->clReleaseEvent(event);
}

const struct dl__device_ops dl__opencl_ops = {
    .limits = opencl_limits,
    .name = opencl_name,
    .program_build = opencl_program_build,
    .program_free = opencl_program_free,
    .kernel_make = opencl_kernel_make,
    .kernel_free = opencl_kernel_free,
    .kernel_items_max = opencl_kernel_items_max,
    .buffer_make = opencl_buffer_make,
    .buffer_free = opencl_buffer_free,
    .buffer_info = opencl_buffer_info,
    .queue_info = opencl_queue_info,
    .launch = opencl_launch,
    .call = opencl_call,
    .touch = opencl_touch,
    .mark = opencl_mark,
    .event_is_foreign = opencl_event_is_foreign,
    .event_is_over = opencl_event_is_over,
    .event_retain = opencl_event_retain,
    .event_release = opencl_event_release,
};
