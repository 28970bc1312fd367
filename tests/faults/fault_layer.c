/* SPDX-License-Identifier: MIT */
/* An OpenCL layer that makes calls fail: the nth of all that come by returns an error, as
 * a driver does that is short of something for a moment. The lowest of the layers, it
 * also sees the calls that the layers above add. What failed never reached the driver;
 * out parameters are untouched. */
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include "fault_layer.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl_layer.h>

#include "libdl_intercept/hooks/hook_list.h"

/* Entry points that DL does not wrap, but that it or programs call. */
#define FURTHER_MAP(X)                                                                   \
    X(cl_int, clGetPlatformInfo,                                                         \
      (cl_platform_id platform, cl_platform_info name, size_t bytes, void *value,        \
       size_t *ret),                                                                     \
      (platform, name, bytes, value, ret))                                               \
    X(cl_int, clGetDeviceIDs,                                                            \
      (cl_platform_id platform, cl_device_type type, cl_uint count,                      \
       cl_device_id * devices, cl_uint * ret),                                           \
      (platform, type, count, devices, ret))                                             \
    X(cl_int, clGetDeviceInfo,                                                           \
      (cl_device_id device, cl_device_info name, size_t bytes, void *value,              \
       size_t *ret),                                                                     \
      (device, name, bytes, value, ret))                                                 \
    X(cl_int, clGetProgramBuildInfo,                                                     \
      (cl_program program, cl_device_id device, cl_program_build_info name,              \
       size_t bytes, void *value, size_t *ret),                                          \
      (program, device, name, bytes, value, ret))                                        \
    X(cl_int, clGetKernelInfo,                                                           \
      (cl_kernel kernel, cl_kernel_info name, size_t bytes, void *value, size_t *ret),   \
      (kernel, name, bytes, value, ret))                                                 \
    X(cl_int, clGetKernelArgInfo,                                                        \
      (cl_kernel kernel, cl_uint index, cl_kernel_arg_info name, size_t bytes,           \
       void *value, size_t *ret),                                                        \
      (kernel, index, name, bytes, value, ret))                                          \
    X(cl_int, clGetKernelWorkGroupInfo,                                                  \
      (cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info name,            \
       size_t bytes, void *value, size_t *ret),                                          \
      (kernel, device, name, bytes, value, ret))                                         \
    X(cl_int, clWaitForEvents, (cl_uint count, const cl_event *list), (count, list))     \
    X(cl_int, clSetMemObjectDestructorCallback,                                          \
      (cl_mem mem, void(CL_CALLBACK * notify)(cl_mem, void *), void *user),              \
      (mem, notify, user))                                                               \
    X(cl_int, clFlush, (cl_command_queue queue), (queue))                                \
    X(cl_int, clEnqueueMarker, (cl_command_queue queue, cl_event * event),               \
      (queue, event))                                                                    \
    X(cl_int, clEnqueueBarrier, (cl_command_queue queue), (queue))                       \
    X(cl_int, clEnqueueMarkerWithWaitList,                                               \
      (cl_command_queue queue, cl_uint count, const cl_event *list, cl_event *event),    \
      (queue, count, list, event))                                                       \
    X(cl_int, clEnqueueBarrierWithWaitList,                                              \
      (cl_command_queue queue, cl_uint count, const cl_event *list, cl_event *event),    \
      (queue, count, list, event))

enum call {
#define X(result, name, parameters, arguments) CALL_##name,
    DL_HOOK_MAP(X) FURTHER_MAP(X)
#undef X
        CALL_COUNT
};

static const char *const call_names[] = {
#define X(result, name, parameters, arguments) #name,
    DL_HOOK_MAP(X) FURTHER_MAP(X)
#undef X
};

static cl_icd_dispatch table;
static const cl_icd_dispatch *target;

static atomic_uint calls, launches, counts[CALL_COUNT];
static atomic_int fired = CALL_COUNT; /* CALL_COUNT: none */
static unsigned wanted, fired_nth;
static cl_int wanted_code;
static bool wanted_lasting;
static atomic_bool held = true;
static _Atomic(cl_device_id) losing; /* NULL: none */
static atomic_uint calls_left;       /* to it, before it is lost */
static bool traces; /* FAULT_TRACE is set: each call goes to standard error */
static char *told;
static size_t told_bytes;

/* True when the queue's device is lost, by this call or before. */
static bool is_lost(cl_command_queue queue)
{
    cl_device_id device = NULL;
    unsigned left = atomic_load(&calls_left);

    if (!queue || !atomic_load(&losing) ||
        target->clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device,
                                      NULL) != CL_SUCCESS ||
        device != atomic_load(&losing))
        return false;
    if (left > 0)
        atomic_store(&calls_left, --left);
    return left == 0;
}

/* What the call has to return; CL_SUCCESS: go on. */
static cl_int judge(enum call call, cl_command_queue queue)
{
    unsigned nth;

    if (call == CALL_clEnqueueNDRangeKernel)
        atomic_fetch_add(&launches, 1);
    if (call != CALL_clReleaseCommandQueue && call != CALL_clGetCommandQueueInfo &&
        is_lost(queue))
        return CL_OUT_OF_RESOURCES;
    if (atomic_load(&held) || call == CALL_clGetExtensionFunctionAddress ||
        call == CALL_clGetExtensionFunctionAddressForPlatform)
        return CL_SUCCESS;
    nth = atomic_fetch_add(&counts[call], 1) + 1;
    if (traces)
        fprintf(stderr, "%s %u (call %u)\n", call_names[call], nth,
                atomic_load(&calls) + 1);
    if (atomic_fetch_add(&calls, 1) + 1 == wanted) {
        fired_nth = nth;
        atomic_store(&fired, call);
        if (told)
            snprintf(told, told_bytes, "%s %u", call_names[call], nth);
        return wanted_code;
    }
    return wanted_lasting && atomic_load(&fired) == (int)call ? wanted_code : CL_SUCCESS;
}

static void arm(unsigned nth, cl_int code, bool lasting)
{
    for (unsigned i = 0; i < CALL_COUNT; i++)
        atomic_store(&counts[i], 0);
    atomic_store(&calls, 0);
    atomic_store(&launches, 0);
    atomic_store(&fired, CALL_COUNT);
    wanted = nth;
    wanted_code = code;
    wanted_lasting = lasting;
    if (told)
        snprintf(told, told_bytes, "no call");
}

static void tell(char *text, size_t bytes)
{
    told = text;
    told_bytes = bytes;
}

static void hold(bool now)
{
    atomic_store(&held, now);
}

static unsigned count_calls(void)
{
    return atomic_load(&calls);
}

static const char *what_fired(unsigned *nth_of_name)
{
    int call = atomic_load(&fired);

    *nth_of_name = fired_nth;
    return call == CALL_COUNT ? NULL : call_names[call];
}

static unsigned count_launches(void)
{
    return atomic_load(&launches);
}

static void lose(cl_device_id device, unsigned nth)
{
    atomic_store(&calls_left, nth);
    atomic_store(&losing, device);
}

extern const struct fault_layer fault_layer;
const struct fault_layer fault_layer = {arm,  hold,           count_calls, what_fired,
                                        tell, count_launches, lose};

/* Functions that make something say what is wrong through their last parameter, all the
 * same called `err`, and return NULL. In the others this one is meant. */
static cl_int returned, *const err = &returned;

static uintptr_t give(cl_int *out, cl_int code)
{
    if (out == &returned)
        return (uintptr_t)(intptr_t)code;
    if (out)
        *out = code;
    return 0;
}

/* The queue that a command is for, of the call's arguments; NULL: it is for none. */
#define FIRST_OF(first, ...) first
#define QUEUE(first) _Generic((first), cl_command_queue : (first), default : NULL)

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#define X(result, name, parameters, arguments)                                           \
    static result CL_API_CALL fault_##name parameters                                    \
    {                                                                                    \
        cl_int code = judge(CALL_##name, QUEUE(FIRST_OF arguments));                     \
                                                                                         \
        if (code != CL_SUCCESS)                                                          \
            return (result)give(err, code);                                              \
        return target->name arguments;                                                   \
    }
DL_HOOK_MAP(X)
FURTHER_MAP(X)
#undef X
#pragma GCC diagnostic pop

cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t bytes, void *value,
                                  size_t *ret)
{
    static const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    const void *from = name == CL_LAYER_API_VERSION ? (const void *)&version : "faults";
    size_t from_bytes = name == CL_LAYER_API_VERSION ? sizeof version : sizeof "faults";

    if ((name != CL_LAYER_API_VERSION && name != CL_LAYER_NAME) ||
        (value && bytes < from_bytes))
        return CL_INVALID_VALUE;
    if (value)
        memcpy(value, from, from_bytes);
    if (ret)
        *ret = from_bytes;
    return CL_SUCCESS;
}

cl_int CL_API_CALL clInitLayer(cl_uint count, const cl_icd_dispatch *below,
                               cl_uint *count_ret, const cl_icd_dispatch **table_ret)
{
    size_t own = sizeof table / sizeof(void *);

    memcpy(&table, below, (count < own ? count : own) * sizeof(void *));
#define X(result, name, parameters, arguments)                                           \
    if (table.name)                                                                      \
        table.name = fault_##name;
    DL_HOOK_MAP(X)
    FURTHER_MAP(X)
#undef X
    target = below;
    traces = getenv("FAULT_TRACE") != NULL;
    *count_ret = (cl_uint)(count < own ? count : own);
    *table_ret = &table;
    return CL_SUCCESS;
}
