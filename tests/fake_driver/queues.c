/* SPDX-License-Identifier: MIT */
/* Command queues. */
#include "fake.h"

#include <string.h>

static void queue_destroy(struct fake_object *object)
{
    struct fake_queue *queue = (struct fake_queue *)object;

    fake_queue_remove(queue);
    fake_drop(queue->context);
}

static cl_command_queue queue_create(cl_context context, cl_device_id device,
                                     cl_command_queue_properties properties,
                                     cl_int *status)
{
    struct fake_queue *queue;

    if (!fake_is(context, FAKE_CONTEXT))
        *status = CL_INVALID_CONTEXT;
    else if (!fake_is(device, FAKE_DEVICE))
        *status = CL_INVALID_DEVICE;
    else if (properties & ~(cl_command_queue_properties)0x3 ||
             (properties & CL_QUEUE_PROFILING_ENABLE &&
              fake_option("FAKE_NO_PROFILING", "1")))
        *status = CL_INVALID_QUEUE_PROPERTIES;
    if (*status != CL_SUCCESS)
        return NULL;
    queue = fake_new(FAKE_QUEUE, sizeof *queue, queue_destroy);
    queue->context = (struct fake_context *)context;
    queue->device = device;
    queue->properties = properties;
    queue->tail = &queue->first;
    fake_queue_add(queue);
    fake_hold(context);
    return (cl_command_queue)queue;
}

cl_command_queue CL_API_CALL clCreateCommandQueue(cl_context context, cl_device_id device,
                                                  cl_command_queue_properties properties,
                                                  cl_int *err)
{
    cl_int status = fake_inject(__func__);
    cl_command_queue queue;

    fake_enter();
    queue = queue_create(context, device, properties, &status);
    fake_log("%s(%s, %s, 0x%lx) = %s %d", __func__, NAME(context), NAME(device),
             (unsigned long)properties, NAME(queue), status);
    fake_leave();
    if (err)
        *err = status;
    return queue;
}

cl_command_queue CL_API_CALL
clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                   const cl_queue_properties *properties, cl_int *err)
{
    cl_int status = fake_inject(__func__);
    cl_command_queue_properties bits = 0;
    cl_command_queue queue;

    size_t count = properties ? 1 : 0;

    for (const cl_queue_properties *p = properties; p && *p; p += 2, count += 2) {
        if (*p == CL_QUEUE_PROPERTIES && count < 6)
            bits = p[1];
        else
            status = CL_INVALID_VALUE;
    }
    fake_enter();
    queue = queue_create(context, device, bits, &status);
    if (queue && count) {
        struct fake_queue *made = (struct fake_queue *)queue;

        made->list_bytes = count * sizeof *properties;
        memcpy(made->list, properties, made->list_bytes);
    }
    fake_log("%s(%s, %s, 0x%lx) = %s %d", __func__, NAME(context), NAME(device),
             (unsigned long)bits, NAME(queue), status);
    fake_leave();
    if (err)
        *err = status;
    return queue;
}

cl_int CL_API_CALL clRetainCommandQueue(cl_command_queue queue)
{
    cl_int status = fake_inject(__func__);

    fake_enter();
    if (status == CL_SUCCESS)
        status = fake_retain(queue, FAKE_QUEUE, CL_INVALID_COMMAND_QUEUE);
    fake_log("%s(%s) = %d", __func__, NAME(queue), status);
    fake_leave();
    return status;
}

cl_int CL_API_CALL clReleaseCommandQueue(cl_command_queue queue)
{
    cl_int status = fake_inject(__func__);

    fake_enter();
    fake_log("%s(%s)", __func__, NAME(queue));
    if (status == CL_SUCCESS && fake_is(queue, FAKE_QUEUE))
        fake_queue_flush((struct fake_queue *)queue);
    if (status == CL_SUCCESS)
        status = fake_release(queue, FAKE_QUEUE, CL_INVALID_COMMAND_QUEUE);
    fake_leave();
    return status;
}

cl_int CL_API_CALL clGetCommandQueueInfo(cl_command_queue handle,
                                         cl_command_queue_info name, size_t bytes,
                                         void *value, size_t *ret)
{
    struct fake_queue *queue = (struct fake_queue *)handle;
    cl_int status = fake_inject(__func__);
    cl_uint count;

    fake_enter();
    if (status == CL_SUCCESS && !fake_is(handle, FAKE_QUEUE))
        status = CL_INVALID_COMMAND_QUEUE;
    if (status == CL_SUCCESS) {
        switch (name) {
        case CL_QUEUE_CONTEXT:
            status = fake_give(&queue->context, sizeof queue->context, bytes, value, ret);
            break;
        case CL_QUEUE_DEVICE:
            status = fake_give(&queue->device, sizeof queue->device, bytes, value, ret);
            break;
        case CL_QUEUE_REFERENCE_COUNT:
            count = fake_count(queue);
            status = fake_give(&count, sizeof count, bytes, value, ret);
            break;
        case CL_QUEUE_PROPERTIES:
            status = fake_give(&queue->properties, sizeof queue->properties, bytes, value,
                               ret);
            break;
        case CL_QUEUE_PROPERTIES_ARRAY:
            status = fake_give(queue->list, queue->list_bytes, bytes, value, ret);
            break;
        default:
            status = CL_INVALID_VALUE;
        }
    }
    fake_log("%s(%s, 0x%x, %zu, %s) = %d", __func__, NAME(handle), name, bytes,
             PTR(value), status);
    fake_leave();
    return status;
}

cl_int CL_API_CALL clSetCommandQueueProperty(cl_command_queue handle,
                                             cl_command_queue_properties properties,
                                             cl_bool enable,
                                             cl_command_queue_properties *before)
{
    struct fake_queue *queue = (struct fake_queue *)handle;
    cl_int status = fake_inject(__func__);

    fake_enter();
    if (status == CL_SUCCESS && !fake_is(handle, FAKE_QUEUE))
        status = CL_INVALID_COMMAND_QUEUE;
    if (status == CL_SUCCESS) {
        if (before)
            *before = queue->properties;
        queue->properties =
            enable ? queue->properties | properties : queue->properties & ~properties;
    }
    fake_log("%s(%s, 0x%lx, %u, %s) = %d", __func__, NAME(handle),
             (unsigned long)properties, enable, PTR(before), status);
    fake_leave();
    return status;
}

static cl_int flush_or_finish(const char *function, cl_command_queue queue,
                              void (*what)(struct fake_queue *))
{
    cl_int status = fake_inject(function);

    fake_enter();
    fake_log("%s(%s)", function, NAME(queue));
    if (status == CL_SUCCESS && !fake_is(queue, FAKE_QUEUE))
        status = CL_INVALID_COMMAND_QUEUE;
    if (status == CL_SUCCESS)
        what((struct fake_queue *)queue);
    fake_leave();
    return status;
}

cl_int CL_API_CALL clFlush(cl_command_queue queue)
{
    return flush_or_finish(__func__, queue, fake_queue_flush);
}

cl_int CL_API_CALL clFinish(cl_command_queue queue)
{
    return flush_or_finish(__func__, queue, fake_queue_finish);
}
