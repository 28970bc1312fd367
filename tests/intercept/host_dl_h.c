/* SPDX-License-Identifier: MIT */
/* A program that takes part in DL where there is DL: prints what include/dl.h gives it.
 * */
#include <stdio.h>

#include "dl.h"

int main(void)
{
    const cl_field_dl fields[] = {{0, 4}, {4, 4}, {8, 4}};
    unsigned char bytes[300000] = {0};
    cl_buffer_layout_dl layout = {.kind = CL_LAYOUT_SOA_DL, .struct_bytes = 12};
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_mem buffer;
    cl_int err;

    if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
        return 1;
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    queue = clCreateCommandQueueWithProperties(context, device, NULL, &err);
    buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof bytes, NULL, &err);
    if (err != CL_SUCCESS)
        return 1;
    printf("set %d\n", dl_buffer_set_host_layout(buffer, &layout, 3, fields));
    printf("marshal %d\n",
           dl_buffer_enqueue_marshal(queue, buffer, &layout, 3, fields, 0, NULL, NULL));
    printf("read %d\n",
           clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 1, bytes, 0, NULL, NULL));
    printf("write %d\n", clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof bytes,
                                              bytes, 0, NULL, NULL));
    printf("read %d\n",
           clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 1, bytes, 0, NULL, NULL));
    printf("get %d\n", dl_buffer_get_layout(buffer, &layout));
    printf("kind %u, structs %lu\n", layout.kind, (unsigned long)layout.structs);
    clFinish(queue);
    clReleaseMemObject(buffer);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return 0;
}
