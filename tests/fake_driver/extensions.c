/* SPDX-License-Identifier: MIT */
/* Functions that are got by address, but for command buffers. */
#include "fake.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef void (*any_fn)(void);

static cl_int set_arg_pointer(cl_kernel kernel, cl_uint index, const void *value)
{
    cl_int status = clSetKernelArgSVMPointer(kernel, index, value);

    fake_log("clSetKernelArgMemPointerINTEL(%s, %u, %s)", NAME(kernel), index,
             PTR(value));
    return status;
}

static cl_int enqueue_count(cl_command_queue queue, cl_kernel kernel, cl_uint work_dim,
                            const size_t *offset, const size_t *count,
                            const size_t *local, cl_uint wait_count,
                            const cl_event *waits, cl_event *event)
{
    fake_log("clEnqueueNDCountKernelINTEL(%s, %s)", NAME(queue), NAME(kernel));
    return clEnqueueNDRangeKernel(queue, kernel, work_dim, offset, count, local,
                                  wait_count, waits, event);
}

static cl_program create_program(cl_context context, const void *il, size_t bytes,
                                 cl_int *err)
{
    return clCreateProgramWithIL(context, il, bytes, err);
}

static cl_command_queue create_queue(cl_context context, cl_device_id device,
                                     const cl_queue_properties *properties, cl_int *err)
{
    return clCreateCommandQueueWithProperties(context, device, properties, err);
}

/* An event that ends when it is told to, and never fails: to hold a queue back by. */
static _Atomic(cl_event) gate_to_open; /* by itself; NULL: none */

static cl_event create_gate(cl_context context)
{
    cl_event gate = clCreateUserEvent(context, NULL);

    if (gate && getenv("FAKE_GATE_OPENS_AT"))
        gate_to_open = gate;
    return gate;
}

static cl_int open_gate(cl_event gate)
{
    if (getenv("FAKE_GATE_OPENS_AT") && !atomic_exchange(&gate_to_open, NULL))
        return CL_SUCCESS;
    return clSetUserEventStatus(gate, CL_COMPLETE);
}

void fake_gate_asked(void)
{
    static atomic_int count;
    const char *wanted = getenv("FAKE_GATE_OPENS_AT");
    cl_event gate;

    if (!wanted || !gate_to_open || atomic_fetch_add(&count, 1) + 1 != atoi(wanted))
        return;
    gate = atomic_exchange(&gate_to_open, NULL);
    if (gate)
        clSetUserEventStatus(gate, CL_COMPLETE);
}

/* Nothing of DL's business: its address must arrive untouched. */
static cl_int unrelated(cl_int number)
{
    fake_log("clFakeUnrelatedEXT(%d)", number);
    return number + 1;
}

void *fake_extension(const char *name)
{
    static const struct {
        const char *name;
        any_fn function;
    } table[] = {{"clIcdGetPlatformIDsKHR", (any_fn)clGetPlatformIDs},
                 {"clCreateProgramWithILKHR", (any_fn)create_program},
                 {"clCreateCommandQueueWithPropertiesKHR", (any_fn)create_queue},
                 {"clSetKernelArgMemPointerINTEL", (any_fn)set_arg_pointer},
                 {"clEnqueueNDCountKernelINTEL", (any_fn)enqueue_count},
                 {"clFakeUnrelatedEXT", (any_fn)unrelated},
                 {"clCreateGateFAKE", (any_fn)create_gate},
                 {"clOpenGateFAKE", (any_fn)open_gate},
                 /* Some drivers hand out core functions too. */
                 {"clCreateBuffer", (any_fn)clCreateBuffer},
                 {"clSetKernelArg", (any_fn)clSetKernelArg}};
    void *address;

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (strcmp(table[i].name, name) == 0) {
            memcpy(&address, &table[i].function, sizeof address);
            return address;
        }
    }
    return fake_command_buffer_function(name);
}

void *CL_API_CALL clGetExtensionFunctionAddress(const char *name)
{
    void *address = name ? fake_extension(name) : NULL;

    fake_log("%s(%s) = %s", __func__, name ? name : "NULL", PTR(address));
    return address;
}

void *CL_API_CALL clGetExtensionFunctionAddressForPlatform(cl_platform_id platform,
                                                           const char *name)
{
    void *address =
        name && fake_is(platform, FAKE_PLATFORM) ? fake_extension(name) : NULL;

    fake_log("%s(%s, %s) = %s", __func__, NAME(platform), name ? name : "NULL",
             PTR(address));
    return address;
}
