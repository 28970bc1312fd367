/* Hooks that only pass the call on, for entry points whose own hook is not written yet. A
 * line goes when a hooks_*.c defines the function. */
#include "hooks.h"
#include "pin.h"

#define X(result, name, parameters, arguments)                                           \
    __attribute__((unused)) static result CL_API_CALL forward_##name parameters          \
    {                                                                                    \
        return dl__next.name arguments;                                                  \
    }
DL_HOOK_MAP(X)
#undef X

#define FORWARD(name)                                                                    \
    extern __typeof__(dl__hook_##name) dl__hook_##name                                   \
        __attribute__((alias("forward_" #name)));

FORWARD(clCreateContext)
FORWARD(clCreateContextFromType)
FORWARD(clRetainContext)
FORWARD(clReleaseContext)
FORWARD(clGetContextInfo)
FORWARD(clCreateCommandQueue)
FORWARD(clCreateCommandQueueWithProperties)
FORWARD(clRetainCommandQueue)
FORWARD(clReleaseCommandQueue)
FORWARD(clGetCommandQueueInfo)
FORWARD(clGetEventProfilingInfo)
FORWARD(clCreateBuffer)
FORWARD(clCreateBufferWithProperties)
FORWARD(clCreateSubBuffer)
FORWARD(clCreateImage)
FORWARD(clCreateImageWithProperties)
FORWARD(clRetainMemObject)
FORWARD(clReleaseMemObject)
FORWARD(clCreateProgramWithSource)
FORWARD(clCreateProgramWithBinary)
FORWARD(clCreateProgramWithBuiltInKernels)
FORWARD(clCreateProgramWithIL)
FORWARD(clRetainProgram)
FORWARD(clReleaseProgram)
FORWARD(clBuildProgram)
FORWARD(clCompileProgram)
FORWARD(clLinkProgram)
FORWARD(clCreateKernel)
FORWARD(clCreateKernelsInProgram)
FORWARD(clCloneKernel)
FORWARD(clRetainKernel)
FORWARD(clReleaseKernel)
FORWARD(clSetKernelArg)
FORWARD(clSetKernelArgSVMPointer)
FORWARD(clSetKernelExecInfo)
FORWARD(clEnqueueNDRangeKernel)
FORWARD(clEnqueueTask)
FORWARD(clEnqueueNativeKernel)
FORWARD(clEnqueueReadBuffer)
FORWARD(clEnqueueWriteBuffer)
FORWARD(clEnqueueReadBufferRect)
FORWARD(clEnqueueWriteBufferRect)
FORWARD(clEnqueueCopyBuffer)
FORWARD(clEnqueueCopyBufferRect)
FORWARD(clEnqueueFillBuffer)
FORWARD(clEnqueueCopyBufferToImage)
FORWARD(clEnqueueCopyImageToBuffer)
FORWARD(clEnqueueMapBuffer)
FORWARD(clEnqueueUnmapMemObject)
FORWARD(clEnqueueMigrateMemObjects)

#define WEAK __attribute__((weak))

WEAK void dl__pin_mem(cl_mem mem)
{
    (void)mem;
}

WEAK void dl__pin_kernel_args(cl_kernel kernel)
{
    (void)kernel;
}

WEAK void dl__pin_everything(void)
{
}

WEAK void dl__pin_order(cl_uint queue_count, const cl_command_queue *queues)
{
    (void)queue_count;
    (void)queues;
}

WEAK void dl__pin_forget_arg(cl_kernel kernel, cl_uint index)
{
    (void)kernel;
    (void)index;
}

WEAK void dl__pin_adopt_program(cl_context context, cl_program program)
{
    (void)context;
    (void)program;
}

WEAK void dl__pin_adopt_queue(cl_context context, cl_device_id device,
                              cl_command_queue queue)
{
    (void)context;
    (void)device;
    (void)queue;
}

WEAK void dl__pin_end(void)
{
}
