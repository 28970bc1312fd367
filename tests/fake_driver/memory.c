/* SPDX-License-Identifier: MIT */
/* Buffers, sub-buffers and images: making and asking. */
#include "fake.h"

#include <stdlib.h>
#include <string.h>

static void mem_destroy(struct fake_object *object)
{
    struct fake_mem *mem = (struct fake_mem *)object;

    fake_callbacks_queue(&mem->destructors);
    if (!mem->parent && !(mem->flags & CL_MEM_USE_HOST_PTR))
        free(mem->data);
    fake_drop(mem->parent);
    fake_drop(mem->context);
}

bool fake_range(const struct fake_mem *mem, size_t offset, size_t bytes)
{
    return offset <= mem->bytes && bytes <= mem->bytes - offset;
}

static cl_int check_flags(cl_mem_flags flags, const void *host)
{
    cl_mem_flags access =
        flags & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY);
    cl_mem_flags uses = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);

    if ((access & (access - 1)) || flags >> 16 ||
        ((flags & CL_MEM_USE_HOST_PTR) &&
         (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR))))
        return CL_INVALID_VALUE;
    return (uses != 0) == (host != NULL) ? CL_SUCCESS : CL_INVALID_HOST_PTR;
}

static struct fake_mem *mem_new(cl_context context, cl_mem_object_type type,
                                cl_mem_flags flags, size_t bytes, void *host)
{
    struct fake_mem *mem = fake_new(FAKE_MEM, sizeof *mem, mem_destroy);

    mem->context = (struct fake_context *)context;
    mem->type = type;
    mem->flags = flags & 7 ? flags : flags | CL_MEM_READ_WRITE;
    mem->bytes = bytes;
    mem->host = flags & CL_MEM_USE_HOST_PTR ? host : NULL;
    mem->data = flags & CL_MEM_USE_HOST_PTR ? host : calloc(1, bytes);
    if (host && (flags & CL_MEM_COPY_HOST_PTR))
        memcpy(mem->data, host, bytes);
    fake_hold(context);
    return mem;
}

static cl_mem create_buffer(const char *function, cl_context context, cl_mem_flags flags,
                            size_t bytes, void *host, cl_int *err)
{
    cl_int status = fake_inject(function);
    struct fake_mem *mem = NULL;

    fake_enter();
    if (status == CL_SUCCESS && !fake_is(context, FAKE_CONTEXT))
        status = CL_INVALID_CONTEXT;
    if (status == CL_SUCCESS)
        status = check_flags(flags, host);
    if (status == CL_SUCCESS && (bytes == 0 || bytes > 1ul << 30))
        status = CL_INVALID_BUFFER_SIZE;
    if (status == CL_SUCCESS)
        mem = mem_new(context, CL_MEM_OBJECT_BUFFER, flags, bytes, host);
    fake_log("%s(%s, 0x%lx, %zu, %s) = %s %d", function, NAME(context),
             (unsigned long)flags, bytes, PTR(host), NAME(mem), status);
    fake_leave();
    if (err)
        *err = status;
    return (cl_mem)mem;
}

cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags, size_t bytes,
                                  void *host, cl_int *err)
{
    return create_buffer(__func__, context, flags, bytes, host, err);
}

cl_mem CL_API_CALL clCreateBufferWithProperties(cl_context context,
                                                const cl_mem_properties *properties,
                                                cl_mem_flags flags, size_t bytes,
                                                void *host, cl_int *err)
{
    /* Memory of another owner; here it is the driver's own, which nobody else looks at.
     */
    bool imported = properties &&
                    *properties == CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR &&
                    properties[2] == 0;

    if (properties && *properties && !imported) {
        fake_log("%s(%s, properties)", __func__, NAME(context));
        if (err)
            *err = CL_INVALID_PROPERTY;
        return NULL;
    }
    return create_buffer(__func__, context, flags, bytes, host, err);
}

/* As many bytes as all of the tests' GL buffers have. */
cl_mem CL_API_CALL clCreateFromGLBuffer(cl_context context, cl_mem_flags flags,
                                        cl_GLuint buffer, cl_int *err)
{
    enum { GL_BUFFER_BYTES = 4096 };

    (void)buffer;
    return create_buffer(__func__, context, flags, GL_BUFFER_BYTES, NULL, err);
}

cl_mem CL_API_CALL clCreatePipe(cl_context context, cl_mem_flags flags,
                                cl_uint packet_bytes, cl_uint packets,
                                const cl_pipe_properties *properties, cl_int *err)
{
    (void)properties;
    return create_buffer(__func__, context, flags, (size_t)packet_bytes * packets, NULL,
                         err);
}

cl_mem CL_API_CALL clCreateSubBuffer(cl_mem handle, cl_mem_flags flags,
                                     cl_buffer_create_type type, const void *info,
                                     cl_int *err)
{
    struct fake_mem *parent = (struct fake_mem *)handle, *mem = NULL;
    const cl_buffer_region *region = info;
    cl_int status = fake_inject(__func__);

    fake_enter();
    if (status == CL_SUCCESS && (!fake_is(handle, FAKE_MEM) || parent->parent ||
                                 parent->type != CL_MEM_OBJECT_BUFFER))
        status = CL_INVALID_MEM_OBJECT;
    else if (status == CL_SUCCESS && (type != CL_BUFFER_CREATE_TYPE_REGION || !region))
        status = CL_INVALID_VALUE;
    else if (status == CL_SUCCESS && region->size == 0)
        status = CL_INVALID_BUFFER_SIZE;
    else if (status == CL_SUCCESS && !fake_range(parent, region->origin, region->size))
        status = CL_INVALID_VALUE;
    else if (status == CL_SUCCESS && region->origin % 128)
        status = CL_MISALIGNED_SUB_BUFFER_OFFSET;
    if (status == CL_SUCCESS) {
        mem = fake_new(FAKE_MEM, sizeof *mem, mem_destroy);
        mem->context = parent->context;
        mem->parent = parent;
        mem->type = CL_MEM_OBJECT_BUFFER;
        mem->flags = flags ? flags : parent->flags;
        mem->offset_bytes = region->origin;
        mem->bytes = region->size;
        mem->data = parent->data + region->origin;
        mem->host = parent->host ? (char *)parent->host + region->origin : NULL;
        fake_hold(parent);
        fake_hold(mem->context);
    }
    fake_log("%s(%s, 0x%lx, %zu, %zu) = %s %d", __func__, NAME(handle),
             (unsigned long)flags, region ? region->origin : 0, region ? region->size : 0,
             NAME(mem), status);
    fake_leave();
    if (err)
        *err = status;
    return (cl_mem)mem;
}

static size_t element_bytes(const cl_image_format *format)
{
    size_t channels = 0, bytes = 0;

    if (format->image_channel_order == CL_R)
        channels = 1;
    else if (format->image_channel_order == CL_RGBA)
        channels = 4;
    if (format->image_channel_data_type == CL_UNORM_INT8 ||
        format->image_channel_data_type == CL_UNSIGNED_INT8)
        bytes = 1;
    else if (format->image_channel_data_type == CL_FLOAT ||
             format->image_channel_data_type == CL_UNSIGNED_INT32)
        bytes = 4;
    return channels * bytes;
}

static cl_mem create_image(const char *function, cl_context context, cl_mem_flags flags,
                           const cl_image_format *format, const cl_image_desc *desc,
                           void *host, cl_int *err)
{
    cl_int status = fake_inject(function);
    struct fake_mem *mem = NULL, *parent = NULL;
    size_t element = format ? element_bytes(format) : 0, height = 1, depth = 1, bytes;

    fake_enter();
    if (status == CL_SUCCESS && !fake_is(context, FAKE_CONTEXT))
        status = CL_INVALID_CONTEXT;
    else if (status == CL_SUCCESS && !format)
        status = CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
    else if (status == CL_SUCCESS && element == 0)
        status = CL_IMAGE_FORMAT_NOT_SUPPORTED;
    else if (status == CL_SUCCESS && (!desc || desc->image_width == 0))
        status = CL_INVALID_IMAGE_DESCRIPTOR;
    if (status == CL_SUCCESS) {
        parent = (struct fake_mem *)desc->mem_object;
        if (desc->image_type == CL_MEM_OBJECT_IMAGE2D ||
            desc->image_type == CL_MEM_OBJECT_IMAGE3D)
            height = desc->image_height;
        if (desc->image_type == CL_MEM_OBJECT_IMAGE3D)
            depth = desc->image_depth;
        bytes = desc->image_width * height * depth * element;
        if (parent && (!fake_is(parent, FAKE_MEM) || !fake_range(parent, 0, bytes)))
            status = CL_INVALID_IMAGE_DESCRIPTOR;
        else if (!parent)
            status = check_flags(flags, host);
    }
    if (status == CL_SUCCESS && parent) {
        mem = fake_new(FAKE_MEM, sizeof *mem, mem_destroy);
        mem->context = parent->context;
        mem->parent = parent;
        mem->flags = parent->flags;
        mem->bytes = bytes;
        mem->data = parent->data;
        fake_hold(parent);
        fake_hold(mem->context);
    } else if (status == CL_SUCCESS) {
        mem = mem_new(context, desc->image_type, flags, bytes, host);
    }
    if (mem) {
        mem->type = desc->image_type;
        mem->format = *format;
        mem->element_bytes = element;
        mem->width = desc->image_width;
        mem->height = height;
        mem->depth = depth;
        mem->row_bytes = mem->width * element;
        mem->slice_bytes = mem->row_bytes * height;
    }
    fake_log("%s(%s, 0x%lx, %zu, %s, %s) = %s %d", function, NAME(context),
             (unsigned long)flags, element, desc ? NAME(desc->mem_object) : "NULL",
             PTR(host), NAME(mem), status);
    fake_leave();
    if (err)
        *err = status;
    return (cl_mem)mem;
}

cl_mem CL_API_CALL clCreateImage(cl_context context, cl_mem_flags flags,
                                 const cl_image_format *format, const cl_image_desc *desc,
                                 void *host, cl_int *err)
{
    return create_image(__func__, context, flags, format, desc, host, err);
}

cl_mem CL_API_CALL clCreateImageWithProperties(
    cl_context context, const cl_mem_properties *properties, cl_mem_flags flags,
    const cl_image_format *format, const cl_image_desc *desc, void *host, cl_int *err)
{
    (void)properties;
    return create_image(__func__, context, flags, format, desc, host, err);
}

cl_int CL_API_CALL clRetainMemObject(cl_mem mem)
{
    cl_int status = fake_inject(__func__);

    fake_enter();
    if (status == CL_SUCCESS)
        status = fake_retain(mem, FAKE_MEM, CL_INVALID_MEM_OBJECT);
    fake_log("%s(%s) = %d", __func__, NAME(mem), status);
    fake_leave();
    return status;
}

cl_int CL_API_CALL clReleaseMemObject(cl_mem mem)
{
    cl_int status = fake_inject(__func__);

    fake_enter();
    fake_log("%s(%s)", __func__, NAME(mem));
    if (status == CL_SUCCESS)
        status = fake_release(mem, FAKE_MEM, CL_INVALID_MEM_OBJECT);
    fake_leave();
    return status;
}

static void call_destructor(struct fake_callback *callback)
{
    void(CL_CALLBACK * function)(cl_mem, void *);

    memcpy(&function, &callback->function, sizeof function);
    function((cl_mem)callback->object, callback->user);
}

cl_int CL_API_CALL clSetMemObjectDestructorCallback(
    cl_mem mem, void(CL_CALLBACK *notify)(cl_mem, void *), void *user)
{
    cl_int status = fake_inject(__func__);
    void *function;

    memcpy(&function, &notify, sizeof function);
    fake_enter();
    if (status == CL_SUCCESS && !fake_is(mem, FAKE_MEM))
        status = CL_INVALID_MEM_OBJECT;
    else if (status == CL_SUCCESS && !notify)
        status = CL_INVALID_VALUE;
    fake_log("%s(%s, %s) = %d", __func__, NAME(mem), PTR(notify), status);
    if (status == CL_SUCCESS)
        fake_callback_add(&((struct fake_mem *)mem)->destructors, call_destructor,
                          function, mem, user);
    fake_leave();
    return status;
}

cl_int CL_API_CALL clGetMemObjectInfo(cl_mem handle, cl_mem_info name, size_t bytes,
                                      void *value, size_t *ret)
{
    struct fake_mem *mem = (struct fake_mem *)handle;
    cl_int status = fake_inject(__func__);
    cl_uint count;
    cl_bool no = CL_FALSE;

    fake_enter();
    if (status == CL_SUCCESS && !fake_is(handle, FAKE_MEM)) {
        status = CL_INVALID_MEM_OBJECT;
    } else if (status == CL_SUCCESS) {
        switch (name) {
        case CL_MEM_TYPE:
            status = fake_give(&mem->type, sizeof mem->type, bytes, value, ret);
            break;
        case CL_MEM_FLAGS:
            status = fake_give(&mem->flags, sizeof mem->flags, bytes, value, ret);
            break;
        case CL_MEM_SIZE:
            status = fake_give(&mem->bytes, sizeof mem->bytes, bytes, value, ret);
            break;
        case CL_MEM_HOST_PTR:
            status = fake_give(&mem->host, sizeof mem->host, bytes, value, ret);
            break;
        case CL_MEM_MAP_COUNT:
            status = fake_give(&mem->map_count, sizeof mem->map_count, bytes, value, ret);
            break;
        case CL_MEM_REFERENCE_COUNT:
            count = fake_count(mem);
            status = fake_give(&count, sizeof count, bytes, value, ret);
            break;
        case CL_MEM_CONTEXT:
            status = fake_give(&mem->context, sizeof mem->context, bytes, value, ret);
            break;
        case CL_MEM_ASSOCIATED_MEMOBJECT:
            status = fake_give(&mem->parent, sizeof mem->parent, bytes, value, ret);
            break;
        case CL_MEM_OFFSET:
            status = fake_give(&mem->offset_bytes, sizeof mem->offset_bytes, bytes, value,
                               ret);
            break;
        case CL_MEM_USES_SVM_POINTER:
            status = fake_give(&no, sizeof no, bytes, value, ret);
            break;
        case CL_MEM_PROPERTIES:
            status = fake_give(NULL, 0, bytes, value, ret);
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

cl_int CL_API_CALL clGetImageInfo(cl_mem handle, cl_image_info name, size_t bytes,
                                  void *value, size_t *ret)
{
    struct fake_mem *mem = (struct fake_mem *)handle;
    cl_int status = fake_inject(__func__);

    fake_enter();
    if (status == CL_SUCCESS && (!fake_is(handle, FAKE_MEM) || !mem->element_bytes)) {
        status = CL_INVALID_MEM_OBJECT;
    } else if (status == CL_SUCCESS) {
        switch (name) {
        case CL_IMAGE_FORMAT:
            status = fake_give(&mem->format, sizeof mem->format, bytes, value, ret);
            break;
        case CL_IMAGE_ELEMENT_SIZE:
            status = fake_give(&mem->element_bytes, sizeof(size_t), bytes, value, ret);
            break;
        case CL_IMAGE_WIDTH:
            status = fake_give(&mem->width, sizeof(size_t), bytes, value, ret);
            break;
        case CL_IMAGE_HEIGHT:
            status = fake_give(&mem->height, sizeof(size_t), bytes, value, ret);
            break;
        case CL_IMAGE_BUFFER:
            status = fake_give(&mem->parent, sizeof mem->parent, bytes, value, ret);
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

cl_int CL_API_CALL clGetSupportedImageFormats(cl_context context, cl_mem_flags flags,
                                              cl_mem_object_type type, cl_uint count,
                                              cl_image_format *formats, cl_uint *ret)
{
    cl_int status = fake_is(context, FAKE_CONTEXT) ? CL_SUCCESS : CL_INVALID_CONTEXT;

    fake_log("%s(%s, 0x%lx, 0x%x) = %d", __func__, NAME(context), (unsigned long)flags,
             type, status);
    if (status == CL_SUCCESS && formats && count > 0)
        formats[0] = (cl_image_format){CL_RGBA, CL_UNSIGNED_INT8};
    if (status == CL_SUCCESS && ret)
        *ret = 1;
    return status;
}
