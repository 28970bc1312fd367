/* SPDX-License-Identifier: MIT */
/* Prints its environment once OpenCL is in use, and what a child is given. The child is
 * not preloaded, for a preloaded process has the list of layers changed until it uses
 * OpenCL. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CL/cl.h>

static void run_child(void)
{
    char *command[] = {"/usr/bin/env", NULL}, *given[512];
    pid_t child = fork();
    size_t count = 0;

    if (child == 0) {
        for (char **at = environ; *at && count < 511; at++)
            if (strncmp(*at, "LD_PRELOAD=", 11) != 0)
                given[count++] = *at;
        given[count] = NULL;
        execve(command[0], command, given);
        _exit(127);
    }
    waitpid(child, NULL, 0);
}

int main(void)
{
    const char *value;
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_int err;

    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    clReleaseMemObject(clCreateBuffer(context, 0, 64, NULL, NULL));
    clReleaseContext(context);

    value = getenv("OPENCL_LAYERS");
    printf("OPENCL_LAYERS is %s%s\n", value ? "" : "not set", value ? value : "");
    for (char **at = environ; *at; at++)
        printf("own %s\n", *at);
    fflush(stdout);
    run_child();
    return 0;
}
