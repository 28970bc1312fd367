/* SPDX-License-Identifier: MIT */
/* Kernels and their arguments. */
#include "fake.h"

#include <stdlib.h>
#include <string.h>

static void kernel_destroy(struct fake_object *object)
{
    fake_drop(((struct fake_kernel *)object)->program);
}

static struct fake_kernel *kernel_new(struct fake_program *program,
                                      const struct fake_signature *signature)
{
    struct fake_kernel *kernel = fake_new(FAKE_KERNEL, sizeof *kernel, kernel_destroy);

    kernel->program = program;
    kernel->signature = signature;
    fake_hold(program);
    return kernel;
}

cl_kernel CL_API_CALL clCreateKernel(cl_program handle, const char *name, cl_int *err)
{
    struct fake_program *program = (struct fake_program *)handle;
    cl_int status = fake_inject(__func__);
    struct fake_kernel *kernel = NULL;

    fake_enter();
    if (status == CL_SUCCESS && !fake_is(handle, FAKE_PROGRAM))
        status = CL_INVALID_PROGRAM;
    else if (status == CL_SUCCESS &&
             program->binary_type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
        status = CL_INVALID_PROGRAM_EXECUTABLE;
    else if (status == CL_SUCCESS && !name)
        status = CL_INVALID_VALUE;
    for (cl_uint i = 0; status == CL_SUCCESS && !kernel && i < program->kernel_count; i++)
        if (strcmp(program->kernels[i].name, name) == 0)
            kernel = kernel_new(program, &program->kernels[i]);
    if (status == CL_SUCCESS && !kernel)
        status = CL_INVALID_KERNEL_NAME;
    fake_log("%s(%s, %s) = %s %d", __func__, NAME(handle), name ? name : "NULL",
             NAME(kernel), status);
    fake_leave();
    if (err)
        *err = status;
    return (cl_kernel)kernel;
}

cl_int CL_API_CALL clCreateKernelsInProgram(cl_program handle, cl_uint count,
                                            cl_kernel *kernels, cl_uint *ret)
{
    struct fake_program *program = (struct fake_program *)handle;
    cl_int status = fake_inject(__func__);

    fake_enter();
    if (status == CL_SUCCESS && !fake_is(handle, FAKE_PROGRAM))
        status = CL_INVALID_PROGRAM;
    else if (status == CL_SUCCESS &&
             program->binary_type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
        status = CL_INVALID_PROGRAM_EXECUTABLE;
    else if (status == CL_SUCCESS && kernels && count < program->kernel_count)
        status = CL_INVALID_VALUE;
    for (cl_uint i = 0; status == CL_SUCCESS && kernels && i < program->kernel_count; i++)
        kernels[i] = (cl_kernel)kernel_new(program, &program->kernels[i]);
    if (status == CL_SUCCESS && ret)
        *ret = program->kernel_count;
    fake_log("%s(%s, %u, %s) = %d", __func__, NAME(handle), count, PTR(kernels), status);
    fake_leave();
    return status;
}

cl_kernel CL_API_CALL clCloneKernel(cl_kernel handle, cl_int *err)
{
    const struct fake_kernel *source = (const struct fake_kernel *)handle;
    cl_int status = fake_inject(__func__);
    struct fake_kernel *kernel = NULL;

    fake_enter();
    if (status == CL_SUCCESS && !fake_is(handle, FAKE_KERNEL))
        status = CL_INVALID_KERNEL;
    if (status == CL_SUCCESS) {
        kernel = kernel_new(source->program, source->signature);
        memcpy(kernel->args, source->args, sizeof kernel->args);
    }
    fake_log("%s(%s) = %s %d", __func__, NAME(handle), NAME(kernel), status);
    fake_leave();
    if (err)
        *err = status;
    return (cl_kernel)kernel;
}

cl_int CL_API_CALL clRetainKernel(cl_kernel kernel)
{
    cl_int status = fake_inject(__func__);

    fake_enter();
    if (status == CL_SUCCESS)
        status = fake_retain(kernel, FAKE_KERNEL, CL_INVALID_KERNEL);
    fake_log("%s(%s) = %d", __func__, NAME(kernel), status);
    fake_leave();
    return status;
}

cl_int CL_API_CALL clReleaseKernel(cl_kernel kernel)
{
    cl_int status = fake_inject(__func__);

    fake_enter();
    fake_log("%s(%s)", __func__, NAME(kernel));
    if (status == CL_SUCCESS)
        status = fake_release(kernel, FAKE_KERNEL, CL_INVALID_KERNEL);
    fake_leave();
    return status;
}

static cl_int check_arg(char class, size_t bytes, const void *value)
{
    const void *handle = NULL;

    if (bytes > sizeof((struct fake_arg *)0)->value && class != 'l')
        return CL_INVALID_ARG_SIZE;
    switch (class) {
    case 'l':
        return bytes == 0 ? CL_INVALID_ARG_SIZE
               : value    ? CL_INVALID_ARG_VALUE
                          : CL_SUCCESS;
    case 'g':
        if (bytes != sizeof(cl_mem))
            return CL_INVALID_ARG_SIZE;
        if (value)
            memcpy(&handle, value, sizeof handle);
        return !handle || fake_is(handle, FAKE_MEM) ? CL_SUCCESS : CL_INVALID_MEM_OBJECT;
    case 's':
        if (bytes != sizeof(cl_sampler))
            return CL_INVALID_ARG_SIZE;
        if (value)
            memcpy(&handle, value, sizeof handle);
        return fake_is(handle, FAKE_SAMPLER) ? CL_SUCCESS : CL_INVALID_SAMPLER;
    default:
        return bytes == 0 ? CL_INVALID_ARG_SIZE
               : value    ? CL_SUCCESS
                          : CL_INVALID_ARG_VALUE;
    }
}

cl_int CL_API_CALL clSetKernelArg(cl_kernel handle, cl_uint index, size_t bytes,
                                  const void *value)
{
    struct fake_kernel *kernel = (struct fake_kernel *)handle;
    cl_int status = fake_inject(__func__);
    const void *object = NULL;

    fake_enter();
    if (status == CL_SUCCESS && !fake_is(handle, FAKE_KERNEL))
        status = CL_INVALID_KERNEL;
    else if (status == CL_SUCCESS && index >= kernel->signature->arg_count &&
             !(kernel->signature->is_open && index < FAKE_ARGS_MAX))
        status = CL_INVALID_ARG_INDEX;
    else if (status == CL_SUCCESS)
        status = check_arg(kernel->signature->classes[index], bytes, value);
    if (status == CL_SUCCESS) {
        struct fake_arg *arg = &kernel->args[index];
        arg->set = true;
        arg->is_svm = false;
        arg->bytes = bytes;
        memset(arg->value, 0, sizeof arg->value);
        if (value)
            memcpy(arg->value, value, bytes);
        if (value && kernel->signature->classes[index] == 'g')
            memcpy(&object, value, sizeof object);
        arg->object = object ? ((const struct fake_object *)object)->id : 0;
    }
    fake_log("%s(%s, %u, %zu, %s %s) = %d", __func__, NAME(handle), index, bytes,
             PTR(value), object ? NAME(object) : "", status);
    fake_leave();
    return status;
}

cl_int CL_API_CALL clSetKernelArgSVMPointer(cl_kernel handle, cl_uint index,
                                            const void *value)
{
    struct fake_kernel *kernel = (struct fake_kernel *)handle;
    cl_int status = fake_inject(__func__);

    fake_enter();
    if (status == CL_SUCCESS && !fake_is(handle, FAKE_KERNEL))
        status = CL_INVALID_KERNEL;
    else if (status == CL_SUCCESS && index >= kernel->signature->arg_count)
        status = CL_INVALID_ARG_INDEX;
    if (status == CL_SUCCESS) {
        kernel->args[index] = (struct fake_arg){.set = true, .is_svm = true, .bytes = 8};
        memcpy(kernel->args[index].value, &value, sizeof value);
    }
    fake_log("%s(%s, %u, %s) = %d", __func__, NAME(handle), index, PTR(value), status);
    fake_leave();
    return status;
}

cl_int CL_API_CALL clSetKernelExecInfo(cl_kernel handle, cl_kernel_exec_info name,
                                       size_t bytes, const void *value)
{
    cl_int status = fake_inject(__func__);

    fake_enter();
    if (status == CL_SUCCESS && !fake_is(handle, FAKE_KERNEL))
        status = CL_INVALID_KERNEL;
    else if (status == CL_SUCCESS && !value)
        status = CL_INVALID_VALUE;
    fake_log("%s(%s, 0x%x, %zu, %s) = %d", __func__, NAME(handle), name, bytes,
             PTR(value), status);
    fake_leave();
    return status;
}

cl_int CL_API_CALL clGetKernelInfo(cl_kernel handle, cl_kernel_info name, size_t bytes,
                                   void *value, size_t *ret)
{
    struct fake_kernel *kernel = (struct fake_kernel *)handle;
    cl_int status = fake_inject(__func__);
    cl_uint count;

    fake_enter();
    if (status == CL_SUCCESS && !fake_is(handle, FAKE_KERNEL)) {
        status = CL_INVALID_KERNEL;
    } else if (status == CL_SUCCESS) {
        const struct fake_signature *signature = kernel->signature;
        switch (name) {
        case CL_KERNEL_FUNCTION_NAME:
            status = fake_give(signature->name, strlen(signature->name) + 1, bytes, value,
                               ret);
            break;
        case CL_KERNEL_NUM_ARGS:
            status = fake_give(&signature->arg_count, sizeof(cl_uint), bytes, value, ret);
            break;
        case CL_KERNEL_REFERENCE_COUNT:
            count = fake_count(kernel);
            status = fake_give(&count, sizeof count, bytes, value, ret);
            break;
        case CL_KERNEL_CONTEXT:
            status = fake_give(&kernel->program->context, sizeof(cl_context), bytes,
                               value, ret);
            break;
        case CL_KERNEL_PROGRAM:
            status = fake_give(&kernel->program, sizeof(cl_program), bytes, value, ret);
            break;
        case CL_KERNEL_ATTRIBUTES:
            status = fake_give("", 1, bytes, value, ret);
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

cl_int CL_API_CALL clGetKernelArgInfo(cl_kernel handle, cl_uint index,
                                      cl_kernel_arg_info name, size_t bytes, void *value,
                                      size_t *ret)
{
    struct fake_kernel *kernel = (struct fake_kernel *)handle;
    cl_int status = fake_inject(__func__);
    cl_kernel_arg_address_qualifier address;

    fake_enter();
    if (status == CL_SUCCESS && !fake_is(handle, FAKE_KERNEL)) {
        status = CL_INVALID_KERNEL;
    } else if (status == CL_SUCCESS && index >= kernel->signature->arg_count) {
        status = CL_INVALID_ARG_INDEX;
    } else if (status == CL_SUCCESS &&
               (!kernel->program->options ||
                !strstr(kernel->program->options, "-cl-kernel-arg-info"))) {
        status = CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
    } else if (status == CL_SUCCESS) {
        const struct fake_signature *signature = kernel->signature;
        switch (name) {
        case CL_KERNEL_ARG_NAME:
            status =
                fake_give(signature->arg_names[index],
                          strlen(signature->arg_names[index]) + 1, bytes, value, ret);
            break;
        case CL_KERNEL_ARG_ADDRESS_QUALIFIER:
            address = signature->classes[index] == 'g'   ? CL_KERNEL_ARG_ADDRESS_GLOBAL
                      : signature->classes[index] == 'l' ? CL_KERNEL_ARG_ADDRESS_LOCAL
                                                         : CL_KERNEL_ARG_ADDRESS_PRIVATE;
            status = fake_give(&address, sizeof address, bytes, value, ret);
            break;
        default:
            status = CL_INVALID_VALUE;
        }
    }
    fake_log("%s(%s, %u, 0x%x, %zu, %s) = %d", __func__, NAME(handle), index, name, bytes,
             PTR(value), status);
    fake_leave();
    return status;
}

cl_int CL_API_CALL clGetKernelWorkGroupInfo(cl_kernel handle, cl_device_id device,
                                            cl_kernel_work_group_info name, size_t bytes,
                                            void *value, size_t *ret)
{
    static const size_t none[3];
    const char *second = getenv("FAKE_SECOND_MULTIPLE");
    const size_t group = 1024, multiple = second && device == fake_device(1)
                                              ? strtoul(second, NULL, 10)
                                              : 32;
    const cl_ulong local = 0;
    cl_int status = fake_inject(__func__);

    fake_enter();
    if (status == CL_SUCCESS && !fake_is(handle, FAKE_KERNEL)) {
        status = CL_INVALID_KERNEL;
    } else if (status == CL_SUCCESS && device && !fake_is(device, FAKE_DEVICE)) {
        status = CL_INVALID_DEVICE;
    } else if (status == CL_SUCCESS) {
        switch (name) {
        case CL_KERNEL_WORK_GROUP_SIZE:
            status = fake_give(&group, sizeof group, bytes, value, ret);
            break;
        case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
            status = fake_give(&multiple, sizeof multiple, bytes, value, ret);
            break;
        case CL_KERNEL_COMPILE_WORK_GROUP_SIZE:
            status = fake_give(none, sizeof none, bytes, value, ret);
            break;
        case CL_KERNEL_LOCAL_MEM_SIZE:
        case CL_KERNEL_PRIVATE_MEM_SIZE:
            status = fake_give(&local, sizeof local, bytes, value, ret);
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

cl_int fake_capture_kernel(struct fake_kernel *kernel, struct fake_command *command,
                           cl_uint work_dim, const size_t *offset, const size_t *global,
                           const size_t *local)
{
    size_t group = 1;

    if (work_dim < 1 || work_dim > 3)
        return CL_INVALID_WORK_DIMENSION;
    if (!global)
        return CL_INVALID_GLOBAL_WORK_SIZE;
    for (cl_uint i = 0; local && i < work_dim; i++)
        group *= local[i];
    if (group == 0 || group > 1024)
        return CL_INVALID_WORK_GROUP_SIZE;
    for (cl_uint i = 0; i < kernel->signature->arg_count; i++)
        if (!kernel->args[i].set)
            return CL_INVALID_KERNEL_ARGS;
    for (cl_uint i = 0; i < 3; i++) {
        command->global[i] = i < work_dim ? global[i] : 1;
        command->offset[i] = i < work_dim && offset ? offset[i] : 0;
    }
    command->signature = kernel->signature;
    command->args = malloc(sizeof kernel->args);
    memcpy(command->args, kernel->args, sizeof kernel->args);
    fake_command_hold(command, kernel);
    for (cl_uint i = 0; i < kernel->signature->arg_count; i++) {
        void *mem;
        memcpy(&mem, kernel->args[i].value, sizeof mem);
        if (kernel->signature->classes[i] == 'g' && !kernel->args[i].is_svm && mem) {
            if (((struct fake_object *)mem)->id != kernel->args[i].object)
                fake_log("STALE argument %u of %s: %s has been made since it was set", i,
                         NAME(kernel), NAME(mem));
            fake_command_hold(command, mem);
        }
    }
    return CL_SUCCESS;
}
