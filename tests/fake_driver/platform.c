/* SPDX-License-Identifier: MIT */
/* The platform, its devices, and contexts. */
#include "fake.h"

#include <stdlib.h>
#include <string.h>

struct fake_object fake_platform = {&fake_dispatch, FAKE_PLATFORM, 1, 0, 1, NULL, NULL};

static struct fake_object devices[FAKE_DEVICES_MAX] = {
    {&fake_dispatch, FAKE_DEVICE, 1, 0, 1, NULL, NULL},
    {&fake_dispatch, FAKE_DEVICE, 1, 0, 2, NULL, NULL}};

#define EXTENSIONS                                                                       \
    "cl_khr_icd cl_khr_byte_addressable_store cl_khr_global_int32_base_atomics "         \
    "cl_khr_global_int32_extended_atomics cl_khr_local_int32_base_atomics "              \
    "cl_khr_local_int32_extended_atomics cl_khr_command_buffer cl_khr_il_program "       \
    "cl_khr_create_command_queue"

cl_uint fake_device_count(void)
{
    return fake_option("FAKE_DEVICES", "2") || fake_option("FAKE_POOR_DEVICE", "2") ? 2
                                                                                    : 1;
}

cl_device_id fake_device(cl_uint index)
{
    return (cl_device_id)&devices[index];
}

static cl_device_type device_type(void)
{
    return fake_option("FAKE_DEVICE_TYPE", "cpu") ? CL_DEVICE_TYPE_CPU
                                                  : CL_DEVICE_TYPE_GPU;
}

static cl_int give_text(const char *text, size_t bytes, void *value, size_t *ret)
{
    return fake_give(text, strlen(text) + 1, bytes, value, ret);
}

cl_int CL_API_CALL clGetPlatformIDs(cl_uint count, cl_platform_id *platforms,
                                    cl_uint *ret)
{
    cl_int status = fake_inject(__func__);

    if (status == CL_SUCCESS && ((count == 0 && platforms) || (!platforms && !ret)))
        status = CL_INVALID_VALUE;
    fake_wait_to_start();
    fake_log("%s(%u, %s) = %d", __func__, count, PTR(platforms), status);
    if (status == CL_SUCCESS && platforms)
        platforms[0] = (cl_platform_id)&fake_platform;
    if (status == CL_SUCCESS && ret)
        *ret = 1;
    return status;
}

/* What the environment says, or what is usual. */
static const char *named(const char *variable, const char *usual)
{
    const char *text = getenv(variable);

    return text && *text ? text : usual;
}

cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info name,
                                     size_t bytes, void *value, size_t *ret)
{
    const struct {
        cl_platform_info name;
        const char *text;
    } texts[] = {{CL_PLATFORM_PROFILE, "FULL_PROFILE"},
                 {CL_PLATFORM_VERSION, "OpenCL 3.0 fake"},
                 {CL_PLATFORM_NAME, "Fake"},
                 {CL_PLATFORM_VENDOR, named("FAKE_PLATFORM_VENDOR", "Fake")},
                 {CL_PLATFORM_EXTENSIONS, EXTENSIONS},
                 {CL_PLATFORM_ICD_SUFFIX_KHR, "FAKE"}};
    cl_int status = fake_inject(__func__), found = CL_INVALID_VALUE;

    if (status == CL_SUCCESS && platform && !fake_is(platform, FAKE_PLATFORM))
        status = CL_INVALID_PLATFORM;
    for (size_t i = 0; status == CL_SUCCESS && i < sizeof texts / sizeof *texts; i++)
        if (texts[i].name == name)
            found = give_text(texts[i].text, bytes, value, ret);
    if (status == CL_SUCCESS)
        status = found;
    fake_log("%s(%s, 0x%x, %zu, %s) = %d", __func__, NAME(platform), name, bytes,
             PTR(value), status);
    return status;
}

cl_int CL_API_CALL clGetDeviceIDs(cl_platform_id platform, cl_device_type type,
                                  cl_uint count, cl_device_id *ids, cl_uint *ret)
{
    cl_int status = fake_inject(__func__);

    if (status == CL_SUCCESS && platform && !fake_is(platform, FAKE_PLATFORM))
        status = CL_INVALID_PLATFORM;
    else if (status == CL_SUCCESS && ((count == 0 && ids) || (!ids && !ret)))
        status = CL_INVALID_VALUE;
    else if (status == CL_SUCCESS && fake_is_builder() &&
             fake_option("FAKE_BUILDER_LACKS_DEVICE", "1"))
        status = CL_DEVICE_NOT_FOUND;
    else if (status == CL_SUCCESS && !(type & (device_type() | CL_DEVICE_TYPE_DEFAULT)))
        status = CL_DEVICE_NOT_FOUND;
    fake_log("%s(%s, 0x%lx, %u, %s) = %d", __func__, NAME(platform), (unsigned long)type,
             count, PTR(ids), status);
    if (status != CL_SUCCESS)
        return status;
    for (cl_uint i = 0; ids && i < count && i < fake_device_count(); i++)
        ids[i] = fake_device(i);
    if (ret)
        *ret = fake_device_count();
    return status;
}

static const char *device_name(const struct fake_object *device)
{
    const char *first = named("FAKE_DEVICE_NAME", "Fake device");

    return device == &devices[0] ? first : named("FAKE_SECOND_DEVICE_NAME", first);
}

static cl_int device_text(const struct fake_object *device, cl_device_info name,
                          size_t bytes, void *value, size_t *ret)
{
    switch (name) {
    case CL_DEVICE_NAME:
        return give_text(device_name(device), bytes, value, ret);
    case CL_DEVICE_VENDOR:
        return give_text(named("FAKE_DEVICE_VENDOR", "Fake"), bytes, value, ret);
    case CL_DRIVER_VERSION:
        return give_text(named("FAKE_DRIVER_VERSION", "1.0"), bytes, value, ret);
    case CL_DEVICE_PROFILE:
        return give_text("FULL_PROFILE", bytes, value, ret);
    case CL_DEVICE_VERSION:
        return give_text("OpenCL 3.0 fake", bytes, value, ret);
    case CL_DEVICE_OPENCL_C_VERSION:
        return give_text("OpenCL C 1.2 fake", bytes, value, ret);
    case CL_DEVICE_EXTENSIONS:
        return give_text(EXTENSIONS, bytes, value, ret);
    case CL_DEVICE_IL_VERSION:
        return give_text("", bytes, value, ret);
    case CL_DEVICE_BUILT_IN_KERNELS:
        return give_text("fake_add_one;fake_copy", bytes, value, ret);
    default:
        return CL_INVALID_VALUE;
    }
}

static cl_int device_number(cl_device_id device, cl_device_info name, size_t bytes,
                            void *value, size_t *ret)
{
    static const struct {
        cl_device_info name;
        size_t bytes;
        cl_ulong number;
    } numbers[] = {
        {CL_DEVICE_VENDOR_ID, 4, 0xfa4e},
        {CL_DEVICE_MAX_COMPUTE_UNITS, 4, 4},
        {CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, 4, 3},
        {CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(size_t), 1024},
        {CL_DEVICE_MAX_CLOCK_FREQUENCY, 4, 1000},
        {CL_DEVICE_ADDRESS_BITS, 4, 64},
        {CL_DEVICE_MAX_MEM_ALLOC_SIZE, 8, 1ul << 30},
        {CL_DEVICE_GLOBAL_MEM_SIZE, 8, 1ul << 32},
        {CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, 8, 1ul << 20},
        {CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, 4, 64},
        {CL_DEVICE_LOCAL_MEM_SIZE, 8, 48 << 10},
        {CL_DEVICE_LOCAL_MEM_TYPE, 4, CL_LOCAL},
        {CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, 8, 64 << 10},
        {CL_DEVICE_MAX_PARAMETER_SIZE, sizeof(size_t), 1024},
        {CL_DEVICE_MEM_BASE_ADDR_ALIGN, 4, 1024},
        {CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, 4, 1},
        {CL_DEVICE_AVAILABLE, 4, CL_TRUE},
        {CL_DEVICE_COMPILER_AVAILABLE, 4, CL_TRUE},
        {CL_DEVICE_LINKER_AVAILABLE, 4, CL_TRUE},
        {CL_DEVICE_ENDIAN_LITTLE, 4, CL_TRUE},
        {CL_DEVICE_IMAGE_SUPPORT, 4, CL_TRUE},
        {CL_DEVICE_HOST_UNIFIED_MEMORY, 4, CL_FALSE},
        {CL_DEVICE_SVM_CAPABILITIES, 8, CL_DEVICE_SVM_COARSE_GRAIN_BUFFER},
        {CL_DEVICE_EXECUTION_CAPABILITIES, 8, CL_EXEC_KERNEL | CL_EXEC_NATIVE_KERNEL},
        {CL_DEVICE_QUEUE_PROPERTIES, 8, 3},
        {CL_DEVICE_DOUBLE_FP_CONFIG, 8, 0},
        {CL_DEVICE_SINGLE_FP_CONFIG, 8, CL_FP_FMA},
        {CL_DEVICE_PARTITION_MAX_SUB_DEVICES, 4, 0},
        {CL_DEVICE_REFERENCE_COUNT, 4, 1},
        {CL_DEVICE_NUMERIC_VERSION, 4, CL_MAKE_VERSION(3, 0, 0)}};

    if (name == CL_DEVICE_QUEUE_PROPERTIES && fake_option("FAKE_NO_PROFILING", "1"))
        return fake_give(&(cl_ulong){1}, sizeof(cl_ulong), bytes, value, ret);
    if (name == CL_DEVICE_HOST_UNIFIED_MEMORY && fake_option("FAKE_UNIFIED", "1"))
        return fake_give(&(cl_bool){CL_TRUE}, sizeof(cl_bool), bytes, value, ret);
    if (name == CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR &&
        fake_option("FAKE_PROFILED_COMMANDS", "1"))
        return fake_give(&(cl_ulong){CL_QUEUE_PROFILING_ENABLE}, sizeof(cl_ulong), bytes,
                         value, ret);
    if (name == CL_DEVICE_LOCAL_MEM_SIZE && device == fake_device(1) &&
        fake_option("FAKE_POOR_DEVICE", "2"))
        return fake_give(&(cl_ulong){0}, sizeof(cl_ulong), bytes, value, ret);
    if ((name == CL_DEVICE_MAX_MEM_ALLOC_SIZE || name == CL_DEVICE_LOCAL_MEM_SIZE) &&
        getenv("FAKE_MEMORY_BYTES"))
        return fake_give(&(cl_ulong){strtoul(getenv("FAKE_MEMORY_BYTES"), NULL, 10)},
                         sizeof(cl_ulong), bytes, value, ret);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i].name == name)
            return fake_give(&numbers[i].number, numbers[i].bytes, bytes, value, ret);
    return CL_INVALID_VALUE;
}

cl_int CL_API_CALL clGetDeviceInfo(cl_device_id device, cl_device_info name, size_t bytes,
                                   void *value, size_t *ret)
{
    static const size_t item_sizes[3] = {1024, 1024, 64};
    cl_int status = fake_inject(__func__);
    cl_platform_id platform = (cl_platform_id)&fake_platform;
    cl_device_type type = device_type();
    cl_device_id parent = NULL;

    if (status == CL_SUCCESS && !fake_is(device, FAKE_DEVICE)) {
        status = CL_INVALID_DEVICE;
    } else if (status == CL_SUCCESS) {
        switch (name) {
        case CL_DEVICE_TYPE:
            status = fake_give(&type, sizeof type, bytes, value, ret);
            break;
        case CL_DEVICE_PLATFORM:
            status = fake_give(&platform, sizeof platform, bytes, value, ret);
            break;
        case CL_DEVICE_PARENT_DEVICE:
            status = fake_give(&parent, sizeof parent, bytes, value, ret);
            break;
        case CL_DEVICE_MAX_WORK_ITEM_SIZES:
            status = fake_give(item_sizes, sizeof item_sizes, bytes, value, ret);
            break;
        default:
            status = device_number(device, name, bytes, value, ret);
            if (status != CL_SUCCESS)
                status = device_text((const struct fake_object *)device, name, bytes,
                                     value, ret);
        }
    }
    fake_log("%s(%s, 0x%x, %zu, %s) = %d", __func__, NAME(device), name, bytes,
             PTR(value), status);
    return status;
}

cl_int CL_API_CALL clRetainDevice(cl_device_id device)
{
    cl_int status = fake_is(device, FAKE_DEVICE) ? CL_SUCCESS : CL_INVALID_DEVICE;

    fake_log("%s(%s) = %d", __func__, NAME(device), status);
    return status;
}

cl_int CL_API_CALL clReleaseDevice(cl_device_id device)
{
    cl_int status = fake_is(device, FAKE_DEVICE) ? CL_SUCCESS : CL_INVALID_DEVICE;

    fake_log("%s(%s) = %d", __func__, NAME(device), status);
    return status;
}

static void context_destroy(struct fake_object *object)
{
    fake_log("destroyed context#%u", object->id);
    fake_callbacks_queue(&((struct fake_context *)object)->destructors);
}

static struct fake_context *context_new(const cl_context_properties *properties,
                                        cl_uint count, const cl_device_id *list)
{
    struct fake_context *context =
        fake_new(FAKE_CONTEXT, sizeof *context, context_destroy);
    size_t words = 0;

    while (properties && properties[words] && words < 14)
        words += 2;
    if (properties) {
        context->properties_bytes = (words + 1) * sizeof *properties;
        memcpy(context->properties, properties, words * sizeof *properties);
    }
    for (cl_uint i = 0; i < count && context->device_count < FAKE_DEVICES_MAX; i++)
        context->devices[context->device_count++] = list[i];
    return context;
}

static cl_int check_properties(const cl_context_properties *properties)
{
    for (; properties && *properties; properties += 2) {
        if (*properties != CL_CONTEXT_PLATFORM)
            return CL_INVALID_PROPERTY;
        if (!fake_is((const void *)properties[1], FAKE_PLATFORM))
            return CL_INVALID_PLATFORM;
    }
    return CL_SUCCESS;
}

cl_context CL_API_CALL clCreateContext(
    const cl_context_properties *properties, cl_uint count, const cl_device_id *list,
    void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user,
    cl_int *err)
{
    cl_int status = fake_inject(__func__);
    struct fake_context *context = NULL;

    fake_enter();
    if (status == CL_SUCCESS && (count == 0 || !list || (!notify && user)))
        status = CL_INVALID_VALUE;
    if (status == CL_SUCCESS)
        status = check_properties(properties);
    for (cl_uint i = 0; status == CL_SUCCESS && i < count; i++)
        if (!fake_is(list[i], FAKE_DEVICE))
            status = CL_INVALID_DEVICE;
    if (status == CL_SUCCESS)
        context = context_new(properties, count, list);
    fake_log("%s(%s, %u, %s) = %s %d", __func__, PTR(properties), count, PTR(notify),
             NAME(context), status);
    fake_leave();
    if (err)
        *err = status;
    return (cl_context)context;
}

cl_context CL_API_CALL clCreateContextFromType(
    const cl_context_properties *properties, cl_device_type type,
    void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user,
    cl_int *err)
{
    cl_int status = fake_inject(__func__);
    struct fake_context *context = NULL;
    cl_device_id all[FAKE_DEVICES_MAX] = {fake_device(0), fake_device(1)};

    fake_enter();
    if (status == CL_SUCCESS && !notify && user)
        status = CL_INVALID_VALUE;
    if (status == CL_SUCCESS)
        status = check_properties(properties);
    if (status == CL_SUCCESS && !(type & (device_type() | CL_DEVICE_TYPE_DEFAULT)))
        status = CL_DEVICE_NOT_FOUND;
    if (status == CL_SUCCESS)
        context = context_new(properties, fake_device_count(), all);
    fake_log("%s(%s, 0x%lx, %s) = %s %d", __func__, PTR(properties), (unsigned long)type,
             PTR(notify), NAME(context), status);
    fake_leave();
    if (err)
        *err = status;
    return (cl_context)context;
}

cl_int CL_API_CALL clRetainContext(cl_context context)
{
    cl_int status = fake_inject(__func__);

    fake_enter();
    if (status == CL_SUCCESS)
        status = fake_retain(context, FAKE_CONTEXT, CL_INVALID_CONTEXT);
    fake_log("%s(%s) = %d", __func__, NAME(context), status);
    fake_leave();
    return status;
}

cl_int CL_API_CALL clReleaseContext(cl_context context)
{
    cl_int status = fake_inject(__func__);

    fake_enter();
    fake_log("%s(%s)", __func__, NAME(context));
    if (status == CL_SUCCESS)
        status = fake_release(context, FAKE_CONTEXT, CL_INVALID_CONTEXT);
    fake_leave();
    return status;
}

cl_int CL_API_CALL clGetContextInfo(cl_context handle, cl_context_info name, size_t bytes,
                                    void *value, size_t *ret)
{
    struct fake_context *context = (struct fake_context *)handle;
    cl_int status = fake_inject(__func__);
    cl_uint count;

    fake_enter();
    if (status == CL_SUCCESS && !fake_is(handle, FAKE_CONTEXT)) {
        status = CL_INVALID_CONTEXT;
    } else if (status == CL_SUCCESS) {
        switch (name) {
        case CL_CONTEXT_REFERENCE_COUNT:
            count = fake_count(context);
            status = fake_give(&count, sizeof count, bytes, value, ret);
            break;
        case CL_CONTEXT_NUM_DEVICES:
            status = fake_give(&context->device_count, sizeof count, bytes, value, ret);
            break;
        case CL_CONTEXT_DEVICES:
            status =
                fake_give(context->devices, context->device_count * sizeof(cl_device_id),
                          bytes, value, ret);
            break;
        case CL_CONTEXT_PROPERTIES:
            status = fake_give(context->properties, context->properties_bytes, bytes,
                               value, ret);
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

static void call_destructor(struct fake_callback *callback)
{
    void(CL_CALLBACK * function)(cl_context, void *);

    memcpy(&function, &callback->function, sizeof function);
    function((cl_context)callback->object, callback->user);
}

cl_int CL_API_CALL clSetContextDestructorCallback(
    cl_context context, void(CL_CALLBACK *notify)(cl_context, void *), void *user)
{
    cl_int status = fake_inject(__func__);
    void *function;

    memcpy(&function, &notify, sizeof function);
    fake_enter();
    if (status == CL_SUCCESS && !fake_is(context, FAKE_CONTEXT))
        status = CL_INVALID_CONTEXT;
    else if (status == CL_SUCCESS && !notify)
        status = CL_INVALID_VALUE;
    fake_log("%s(%s, %s) = %d", __func__, NAME(context), PTR(notify), status);
    if (status == CL_SUCCESS)
        fake_callback_add(&((struct fake_context *)context)->destructors, call_destructor,
                          function, context, user);
    fake_leave();
    return status;
}
