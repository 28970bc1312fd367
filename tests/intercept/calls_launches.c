/* SPDX-License-Identifier: MIT */
/* What a program does with kernels: arguments and launches, right and wrong. */
#include <stdio.h>

#include "calls_inside.h"

static void CL_CALLBACK on_event(cl_event event, cl_int status, void *user)
{
    (void)event;
    printf("event %s %d\n", (const char *)user, status);
}

static void CL_CALLBACK native(void *args)
{
    int **pointer = args;

    (*pointer)[0] += 100;
}

static const size_t global = 64, local = 16;

static void right_and_wrong(cl_kernel kernel, cl_mem buffer)
{
    const size_t offset = 1, small = 63;
    cl_event event = NULL;
    cl_ulong time = 0;

    SAY(CALL(clEnqueueNDRangeKernel)(calls.queue, kernel, 1, NULL, &global, NULL, 0, NULL,
                                     NULL));
    SAY(CALL(clSetKernelArg)(kernel, 0, sizeof buffer, &buffer));
    SAY(CALL(clSetKernelArg)(kernel, 0, 3, &buffer));
    SAY(CALL(clSetKernelArg)(kernel, 9, sizeof buffer, &buffer));
    SAY(CALL(clSetKernelArg)(kernel, 0, sizeof buffer, &calls.queue));
    SAY(CALL(clSetKernelArg)(NULL, 0, 0, NULL));
    SAY(CALL(clEnqueueNDRangeKernel)(calls.queue, kernel, 1, NULL, &global, &local, 0,
                                     NULL, &event));
    SAY(CALL(clSetEventCallback)(event, CL_COMPLETE, on_event, "launch"));
    SAY(CALL(clWaitForEvents)(1, &event));
    SAY(CALL(clGetEventProfilingInfo)(event, CL_PROFILING_COMMAND_END, sizeof time, &time,
                                      NULL));
    SAY(CALL(clEnqueueNDRangeKernel)(calls.queue, kernel, 1, &offset, &small, NULL, 1,
                                     &event, NULL));
    SAY(CALL(clReleaseEvent)(event));
    SAY(CALL(clEnqueueNDRangeKernel)(calls.queue, kernel, 4, NULL, &global, NULL, 0, NULL,
                                     NULL));
    SAY(CALL(clEnqueueNDRangeKernel)(calls.queue, NULL, 1, NULL, &global, NULL, 0, NULL,
                                     NULL));
    SAY(CALL(clEnqueueNDRangeKernel)(calls.queue, kernel, 1, NULL, &global, NULL, 1, NULL,
                                     NULL));
    SAY(CALL(clEnqueueTask)(calls.queue, kernel, 0, NULL, NULL));
}

static void of_a_clone(cl_kernel kernel)
{
    cl_kernel clone;
    void *svm;
    cl_int err;

    clone = CALL(clCloneKernel)(kernel, &err);
    SAY(err);
    SAY(CALL(clRetainKernel)(clone));
    SAY(CALL(clReleaseKernel)(clone));
    SAY(CALL(clEnqueueNDRangeKernel)(calls.queue, clone, 1, NULL, &global, NULL, 0, NULL,
                                     NULL));
    svm = CALL(clSVMAlloc)(calls.context, CL_MEM_READ_WRITE, 256, 0);
    SAY(CALL(clSetKernelArgSVMPointer)(clone, 0, svm));
    SAY(CALL(clSetKernelExecInfo)(clone, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof svm, &svm));
    SAY(CALL(clEnqueueNDRangeKernel)(calls.queue, clone, 1, NULL, &local, NULL, 0, NULL,
                                     NULL));
    SAY(CALL(clFinish)(calls.queue));
    if (svm)
        SAY(((int *)svm)[15]);
    CALL(clSVMFree)(calls.context, svm);
    SAY(CALL(clReleaseKernel)(clone));
}

static void of_local_memory(void)
{
    cl_kernel local_kernel;
    cl_int err;

    local_kernel = CALL(clCreateKernel)(calls.program, "fake_local", &err);
    SAY(CALL(clSetKernelArg)(local_kernel, 1, 128, NULL));
    SAY(CALL(clSetKernelArg)(local_kernel, 0, sizeof(cl_mem), NULL));
    SAY(CALL(clEnqueueNDRangeKernel)(calls.queue, local_kernel, 1, NULL, &global, NULL, 0,
                                     NULL, NULL));
    SAY(CALL(clReleaseKernel)(local_kernel));
}

static void other_kernels(cl_kernel kernel)
{
    cl_kernel kernels[8] = {NULL};
    cl_int err;
    cl_uint count = 0;
    char text[64] = "";

    SAY(CALL(clCreateKernelsInProgram)(calls.program, 8, kernels, &count));
    SAY(count);
    for (cl_uint i = 0; i < count; i++)
        SAY(CALL(clReleaseKernel)(kernels[i]));
    SAY(CALL(clCreateKernel)(calls.program, "fake_nothing", &err) == NULL);
    SAY(err);
    SAY(CALL(clGetKernelArgInfo)(kernel, 0, CL_KERNEL_ARG_NAME, sizeof text, text, NULL));
    puts(text);
}

static void released_before_it_runs(cl_mem buffer)
{
    cl_kernel fill;
    cl_int err, seven = 7;

    fill = CALL(clCreateKernel)(calls.program, "fake_fill", &err);
    SAY(CALL(clSetKernelArg)(fill, 0, sizeof buffer, &buffer));
    SAY(CALL(clSetKernelArg)(fill, 1, sizeof seven, &seven));
    SAY(CALL(clEnqueueTask)(calls.queue, fill, 0, NULL, NULL));
    /* Released before it has run, and its handle may be the next one made. */
    SAY(CALL(clReleaseKernel)(fill));
}

static void of_host_functions(cl_mem buffer)
{
    const void *place;
    void *args[1] = {NULL};

    place = &args[0];
    SAY(CALL(clEnqueueNativeKernel)(calls.queue, native, args, sizeof args, 1, &buffer,
                                    &place, 0, NULL, NULL));
    SAY(CALL(clEnqueueNativeKernel)(calls.queue, NULL, NULL, 0, 0, NULL, NULL, 0, NULL,
                                    NULL));
}

void calls_launches(cl_mem buffer)
{
    cl_int err;
    cl_kernel kernel = CALL(clCreateKernel)(calls.program, "fake_add_one", &err);

    SAY(err);
    right_and_wrong(kernel, buffer);
    of_a_clone(kernel);
    of_local_memory();
    other_kernels(kernel);
    released_before_it_runs(buffer);
    SAY(CALL(clReleaseKernel)(kernel));
    SAY(CALL(clReleaseKernel)(NULL));
    of_host_functions(buffer);
    SAY(CALL(clEnqueueReadBuffer)(calls.queue, buffer, CL_TRUE, 0, sizeof calls.data,
                                  calls.data, 0, NULL, NULL));
    for (int i = 0; i < 64; i++)
        printf("%d ", calls.data[i]);
    puts("");
}
