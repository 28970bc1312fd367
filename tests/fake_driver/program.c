/* SPDX-License-Identifier: MIT */
/* Programs: making, building and asking. A binary is FAKEBIN and the source; so is IL,
 * which starts with FAKEIL. */
#include "fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BINARY_MAGIC "FAKEBIN "
#define IL_MAGIC "FAKEIL "

static void program_destroy(struct fake_object *object)
{
    struct fake_program *program = (struct fake_program *)object;

    free(program->source);
    free(program->il);
    free(program->options);
    fake_drop(program->context);
}

static struct fake_program *program_new(cl_context context, char *source)
{
    struct fake_program *program =
        fake_new(FAKE_PROGRAM, sizeof *program, program_destroy);

    program->context = (struct fake_context *)context;
    program->source = source;
    program->status = CL_BUILD_NONE;
    fake_hold(context);
    return program;
}

/* A number that tells texts apart in the log. */
static unsigned hash(const char *text)
{
    unsigned value = 5381;

    while (text && *text)
        value = value * 33 + (unsigned char)*text++;
    return value;
}

cl_program CL_API_CALL clCreateProgramWithSource(cl_context context, cl_uint count,
                                                 const char **strings,
                                                 const size_t *lengths, cl_int *err)
{
    cl_int status = fake_inject(__func__);
    struct fake_program *program = NULL;
    size_t bytes = 0, used = 0;

    fake_enter();
    if (status == CL_SUCCESS && !fake_is(context, FAKE_CONTEXT))
        status = CL_INVALID_CONTEXT;
    else if (status == CL_SUCCESS && (count == 0 || !strings))
        status = CL_INVALID_VALUE;
    for (cl_uint i = 0; status == CL_SUCCESS && i < count; i++) {
        if (!strings[i])
            status = CL_INVALID_VALUE;
        else
            bytes += lengths && lengths[i] ? lengths[i] : strlen(strings[i]);
    }
    if (status == CL_SUCCESS) {
        program = program_new(context, calloc(1, bytes + 1));
        for (cl_uint i = 0; i < count; i++) {
            size_t length = lengths && lengths[i] ? lengths[i] : strlen(strings[i]);
            memcpy(program->source + used, strings[i], length);
            used += length;
        }
        program->has_source = true;
    }
    fake_log("%s(%s, %u, %s, %08x) = %s %d", __func__, NAME(context), count, PTR(lengths),
             program ? hash(program->source) : 0, NAME(program), status);
    fake_leave();
    if (err)
        *err = status;
    return (cl_program)program;
}

cl_program CL_API_CALL clCreateProgramWithBinary(cl_context context, cl_uint count,
                                                 const cl_device_id *devices,
                                                 const size_t *lengths,
                                                 const unsigned char **binaries,
                                                 cl_int *binary_status, cl_int *err)
{
    const size_t magic_bytes = sizeof BINARY_MAGIC - 1;
    cl_int status = fake_inject(__func__);
    struct fake_program *program = NULL;

    fake_enter();
    if (status == CL_SUCCESS && !fake_is(context, FAKE_CONTEXT))
        status = CL_INVALID_CONTEXT;
    else if (status == CL_SUCCESS && (count == 0 || !devices || !lengths || !binaries))
        status = CL_INVALID_VALUE;
    for (cl_uint i = 0; status == CL_SUCCESS && i < count; i++) {
        if (!binaries[i] || lengths[i] < magic_bytes)
            status = CL_INVALID_VALUE;
        else if (memcmp(binaries[i], BINARY_MAGIC, magic_bytes) != 0)
            status = CL_INVALID_BINARY;
        if (binary_status)
            binary_status[i] = status;
    }
    if (status == CL_SUCCESS)
        program = program_new(context, strndup((const char *)binaries[0] + magic_bytes,
                                               lengths[0] - magic_bytes));
    fake_log("%s(%s, %u) = %s %d", __func__, NAME(context), count, NAME(program), status);
    fake_leave();
    if (err)
        *err = status;
    return (cl_program)program;
}

cl_program CL_API_CALL clCreateProgramWithBuiltInKernels(cl_context context,
                                                         cl_uint count,
                                                         const cl_device_id *devices,
                                                         const char *names, cl_int *err)
{
    cl_int status = fake_inject(__func__);
    struct fake_program *program = NULL;

    fake_enter();
    if (status == CL_SUCCESS && !fake_is(context, FAKE_CONTEXT))
        status = CL_INVALID_CONTEXT;
    else if (status == CL_SUCCESS &&
             (count == 0 || !devices || !names || strcmp(names, "fake_add_one") != 0))
        status = CL_INVALID_VALUE;
    if (status == CL_SUCCESS) {
        program = program_new(context,
                              strdup("__kernel void fake_add_one(__global int *a) {}"));
        program->status = CL_BUILD_SUCCESS;
        program->binary_type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
        fake_scan_kernels(program);
    }
    fake_log("%s(%s, %u, %s) = %s %d", __func__, NAME(context), count,
             names ? names : "NULL", NAME(program), status);
    fake_leave();
    if (err)
        *err = status;
    return (cl_program)program;
}

cl_program CL_API_CALL clCreateProgramWithIL(cl_context context, const void *il,
                                             size_t bytes, cl_int *err)
{
    const size_t magic_bytes = sizeof IL_MAGIC - 1;
    cl_int status = fake_inject(__func__);
    struct fake_program *program = NULL;

    fake_enter();
    if (status == CL_SUCCESS && !fake_is(context, FAKE_CONTEXT))
        status = CL_INVALID_CONTEXT;
    else if (status == CL_SUCCESS &&
             (!il || bytes < magic_bytes || memcmp(il, IL_MAGIC, magic_bytes) != 0))
        status = CL_INVALID_VALUE;
    if (status == CL_SUCCESS) {
        program = program_new(
            context, strndup((const char *)il + magic_bytes, bytes - magic_bytes));
        program->il = malloc(bytes);
        memcpy(program->il, il, bytes);
        program->il_bytes = bytes;
    }
    fake_log("%s(%s, %zu) = %s %d", __func__, NAME(context), bytes, NAME(program),
             status);
    fake_leave();
    if (err)
        *err = status;
    return (cl_program)program;
}

cl_int CL_API_CALL clRetainProgram(cl_program program)
{
    cl_int status = fake_inject(__func__);

    fake_enter();
    if (status == CL_SUCCESS)
        status = fake_retain(program, FAKE_PROGRAM, CL_INVALID_PROGRAM);
    fake_log("%s(%s) = %d", __func__, NAME(program), status);
    fake_leave();
    return status;
}

cl_int CL_API_CALL clReleaseProgram(cl_program program)
{
    cl_int status = fake_inject(__func__);

    fake_enter();
    fake_log("%s(%s)", __func__, NAME(program));
    if (status == CL_SUCCESS)
        status = fake_release(program, FAKE_PROGRAM, CL_INVALID_PROGRAM);
    fake_leave();
    return status;
}

static void call_built(struct fake_callback *callback)
{
    void(CL_CALLBACK * function)(cl_program, void *);

    memcpy(&function, &callback->function, sizeof function);
    function((cl_program)callback->object, callback->user);
}

static void queue_notify(void(CL_CALLBACK *notify)(cl_program, void *), void *program,
                         void *user)
{
    struct fake_callback *list = NULL;
    void *function;

    if (!notify)
        return;
    memcpy(&function, &notify, sizeof function);
    fake_callback_add(&list, call_built, function, program, user);
    fake_callbacks_queue(&list);
}

static void translate(struct fake_program *program, const char *options,
                      cl_program_binary_type type)
{
    const char *on = getenv("FAKE_BUILD_FAIL_ON");
    bool fails;

    fake_leave_out_others(program, options);
    fails = strstr(program->source, "FAKE_BUILD_FAIL") ||
            (on && *on && strstr(program->source, on));
    fake_append_while_building(options);
    free(program->options);
    program->options = strdup(options ? options : "");
    program->status = fails ? CL_BUILD_ERROR : CL_BUILD_SUCCESS;
    program->binary_type = fails ? CL_PROGRAM_BINARY_TYPE_NONE : type;
    program->kernel_count = 0;
    snprintf(program->log, sizeof program->log, "%s",
             fails ? "fake: error: FAKE_BUILD_FAIL\n  FAKE_BUILD_FAIL(x)\n  ^~~~\n" : "");
    if (!fails && type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE) {
        fake_leave_out_uncalled(program, options);
        fake_scan_kernels(program);
    }
}

static cl_int check_build(cl_program handle, cl_uint count, const cl_device_id *devices,
                          const char *options, bool notify_ok)
{
    if (!fake_is(handle, FAKE_PROGRAM))
        return CL_INVALID_PROGRAM;
    if ((count == 0) != (devices == NULL) || !notify_ok)
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < count; i++)
        if (!fake_is(devices[i], FAKE_DEVICE))
            return CL_INVALID_DEVICE;
    return options && strstr(options, "-bogus") ? CL_INVALID_BUILD_OPTIONS : CL_SUCCESS;
}

cl_int CL_API_CALL clBuildProgram(cl_program handle, cl_uint count,
                                  const cl_device_id *devices, const char *options,
                                  void(CL_CALLBACK *notify)(cl_program, void *),
                                  void *user)
{
    struct fake_program *program = (struct fake_program *)handle;
    cl_int status = fake_inject(__func__);

    fake_enter();
    if (status == CL_SUCCESS)
        status = check_build(handle, count, devices, options, notify || !user);
    if (status == CL_SUCCESS) {
        fake_leave();
        fake_wait_at_gate(program, options);
        fake_enter();
        translate(program, options, CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
        queue_notify(notify, program, user);
        if (program->status == CL_BUILD_ERROR)
            status = CL_BUILD_PROGRAM_FAILURE;
    }
    fake_log("%s(%s, %u, %s, \"%s\", %s) = %d", __func__, NAME(handle), count,
             PTR(devices), options ? options : "NULL", PTR(notify), status);
    fake_leave();
    return status;
}

cl_int CL_API_CALL clCompileProgram(cl_program handle, cl_uint count,
                                    const cl_device_id *devices, const char *options,
                                    cl_uint header_count, const cl_program *headers,
                                    const char **header_names,
                                    void(CL_CALLBACK *notify)(cl_program, void *),
                                    void *user)
{
    struct fake_program *program = (struct fake_program *)handle;
    cl_int status = fake_inject(__func__);

    fake_enter();
    if (status == CL_SUCCESS)
        status = check_build(handle, count, devices, options, notify || !user);
    if (status == CL_SUCCESS && ((header_count == 0) != (headers == NULL) ||
                                 (header_count == 0) != (header_names == NULL)))
        status = CL_INVALID_VALUE;
    if (status == CL_SUCCESS) {
        translate(program, options, CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
        queue_notify(notify, program, user);
        if (program->status == CL_BUILD_ERROR)
            status = CL_COMPILE_PROGRAM_FAILURE;
    }
    fake_log("%s(%s, %u, \"%s\", %u, %s) = %d", __func__, NAME(handle), count,
             options ? options : "NULL", header_count, PTR(notify), status);
    fake_leave();
    return status;
}

cl_program CL_API_CALL clLinkProgram(cl_context context, cl_uint count,
                                     const cl_device_id *devices, const char *options,
                                     cl_uint input_count, const cl_program *inputs,
                                     void(CL_CALLBACK *notify)(cl_program, void *),
                                     void *user, cl_int *err)
{
    cl_int status = fake_inject(__func__);
    struct fake_program *program = NULL;
    size_t bytes = 1;

    fake_enter();
    if (status == CL_SUCCESS && !fake_is(context, FAKE_CONTEXT))
        status = CL_INVALID_CONTEXT;
    else if (status == CL_SUCCESS &&
             (input_count == 0 || !inputs || (count == 0) != (devices == NULL)))
        status = CL_INVALID_VALUE;
    for (cl_uint i = 0; status == CL_SUCCESS && i < input_count; i++) {
        const struct fake_program *input = (const struct fake_program *)inputs[i];
        if (!fake_is(input, FAKE_PROGRAM))
            status = CL_INVALID_PROGRAM;
        else if (input->binary_type != CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT)
            status = CL_INVALID_OPERATION;
        else
            bytes += strlen(input->source) + 1;
    }
    if (status == CL_SUCCESS) {
        program = program_new(context, calloc(1, bytes));
        for (cl_uint i = 0; i < input_count; i++) {
            strcat(program->source, ((const struct fake_program *)inputs[i])->source);
            strcat(program->source, "\n");
        }
        translate(program, options, CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
        queue_notify(notify, program, user);
    }
    fake_log("%s(%s, %u, \"%s\", %u, %s) = %s %d", __func__, NAME(context), count,
             options ? options : "NULL", input_count, PTR(notify), NAME(program), status);
    fake_leave();
    if (err)
        *err = status;
    return (cl_program)program;
}

cl_int CL_API_CALL clUnloadPlatformCompiler(cl_platform_id platform)
{
    fake_log("%s(%s)", __func__, NAME(platform));
    return CL_SUCCESS;
}

static cl_int give_names(const struct fake_program *program, size_t bytes, void *value,
                         size_t *ret)
{
    char names[FAKE_KERNELS_MAX * 64] = "";

    for (cl_uint i = 0; i < program->kernel_count; i++) {
        strcat(names, i ? ";" : "");
        strcat(names, program->kernels[i].name);
    }
    return fake_give(names, strlen(names) + 1, bytes, value, ret);
}

static cl_int give_binaries(const struct fake_program *program, size_t bytes, void *value,
                            size_t *ret)
{
    const size_t count = program->context->device_count;

    if (value && bytes < count * sizeof(char *))
        return CL_INVALID_VALUE;
    for (size_t i = 0; value && i < count; i++) {
        char *to = ((char **)value)[i];
        if (to && program->status == CL_BUILD_SUCCESS) {
            memcpy(to, BINARY_MAGIC, sizeof BINARY_MAGIC - 1);
            memcpy(to + sizeof BINARY_MAGIC - 1, program->source,
                   strlen(program->source));
        }
    }
    if (ret)
        *ret = count * sizeof(char *);
    return CL_SUCCESS;
}

static cl_int program_info(struct fake_program *program, cl_program_info name,
                           size_t bytes, void *value, size_t *ret)
{
    const struct fake_context *context = program->context;
    size_t sizes[FAKE_DEVICES_MAX], kernels = program->kernel_count;
    cl_uint count;

    switch (name) {
    case CL_PROGRAM_REFERENCE_COUNT:
        count = fake_count(program);
        return fake_give(&count, sizeof count, bytes, value, ret);
    case CL_PROGRAM_CONTEXT:
        return fake_give(&context, sizeof context, bytes, value, ret);
    case CL_PROGRAM_NUM_DEVICES:
        return fake_give(&context->device_count, sizeof(cl_uint), bytes, value, ret);
    case CL_PROGRAM_DEVICES:
        return fake_give(context->devices, context->device_count * sizeof(cl_device_id),
                         bytes, value, ret);
    case CL_PROGRAM_SOURCE:
        return fake_give(program->has_source ? program->source : "",
                         program->has_source ? strlen(program->source) + 1 : 1, bytes,
                         value, ret);
    case CL_PROGRAM_BINARY_SIZES:
        for (cl_uint i = 0; i < context->device_count; i++)
            sizes[i] = program->status == CL_BUILD_SUCCESS
                           ? sizeof BINARY_MAGIC - 1 + strlen(program->source)
                           : 0;
        return fake_give(sizes, context->device_count * sizeof *sizes, bytes, value, ret);
    case CL_PROGRAM_BINARIES:
        return give_binaries(program, bytes, value, ret);
    case CL_PROGRAM_NUM_KERNELS:
        if (program->binary_type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
            return CL_INVALID_PROGRAM_EXECUTABLE;
        return fake_give(&kernels, sizeof kernels, bytes, value, ret);
    case CL_PROGRAM_KERNEL_NAMES:
        if (program->binary_type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
            return CL_INVALID_PROGRAM_EXECUTABLE;
        return give_names(program, bytes, value, ret);
    case CL_PROGRAM_IL:
        return fake_give(program->il, program->il_bytes, bytes, value, ret);
    default:
        return CL_INVALID_VALUE;
    }
}

cl_int CL_API_CALL clGetProgramInfo(cl_program handle, cl_program_info name, size_t bytes,
                                    void *value, size_t *ret)
{
    cl_int status = fake_inject(__func__);

    fake_enter();
    if (status == CL_SUCCESS && !fake_is(handle, FAKE_PROGRAM))
        status = CL_INVALID_PROGRAM;
    if (status == CL_SUCCESS)
        status = program_info((struct fake_program *)handle, name, bytes, value, ret);
    fake_log("%s(%s, 0x%x, %zu, %s) = %d", __func__, NAME(handle), name, bytes,
             PTR(value), status);
    fake_leave();
    return status;
}

cl_int CL_API_CALL clGetProgramBuildInfo(cl_program handle, cl_device_id device,
                                         cl_program_build_info name, size_t bytes,
                                         void *value, size_t *ret)
{
    struct fake_program *program = (struct fake_program *)handle;
    cl_int status = fake_inject(__func__);
    size_t zero = 0;

    fake_enter();
    if (status == CL_SUCCESS && !fake_is(handle, FAKE_PROGRAM)) {
        status = CL_INVALID_PROGRAM;
    } else if (status == CL_SUCCESS && !fake_is(device, FAKE_DEVICE)) {
        status = CL_INVALID_DEVICE;
    } else if (status == CL_SUCCESS) {
        const char *options = program->options ? program->options : "";
        switch (name) {
        case CL_PROGRAM_BUILD_STATUS:
            status =
                fake_give(&program->status, sizeof program->status, bytes, value, ret);
            break;
        case CL_PROGRAM_BUILD_OPTIONS:
            status = fake_give(options, strlen(options) + 1, bytes, value, ret);
            break;
        case CL_PROGRAM_BUILD_LOG:
            status = fake_give(program->log, strlen(program->log) + 1, bytes, value, ret);
            break;
        case CL_PROGRAM_BINARY_TYPE:
            status = fake_give(&program->binary_type, sizeof program->binary_type, bytes,
                               value, ret);
            break;
        case CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE:
            status = fake_give(&zero, sizeof zero, bytes, value, ret);
            break;
        default:
            status = CL_INVALID_VALUE;
        }
    }
    fake_log("%s(%s, %s, 0x%x, %zu, %s) = %d", __func__, NAME(handle), NAME(device), name,
             bytes, PTR(value), status);
    fake_leave();
    return status;
}
