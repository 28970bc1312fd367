/* SPDX-License-Identifier: MIT */
/* OpenCL's first use, by many threads at once; before that a child is forked that never
 * uses it, and after it one that goes on without using it. Says how many buffers were
 * made. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include <CL/cl.h>

#define THREADS 16

static pthread_barrier_t start;
static atomic_uint made;

/* Threads differ in which function they call first. */
static void *use(void *arg)
{
    unsigned place = *(unsigned *)arg;
    cl_context context = NULL;
    cl_mem mem;
    cl_int err;

    pthread_barrier_wait(&start);
    if (place % 4 == 0)
        clGetExtensionFunctionAddress("clNoSuchEXT");
    if (place % 4 == 1)
        clReleaseMemObject(NULL);
    if (place % 4 == 2) {
        context = clCreateContextFromType(NULL, CL_DEVICE_TYPE_ALL, NULL, NULL, &err);
    }
    if (!context) {
        cl_platform_id platform;
        cl_device_id device;
        if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
            clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
            return NULL;
        context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    }
    for (int i = 0; i < 50; i++) {
        mem = clCreateBuffer(context, 0, 64, NULL, &err);
        if (mem && clReleaseMemObject(mem) == CL_SUCCESS)
            atomic_fetch_add(&made, 1);
    }
    clReleaseContext(context);
    return NULL;
}

static void fork_idle_child(void)
{
    pid_t child = fork();
    int status;

    if (child == 0)
        exit(0);
    waitpid(child, &status, 0);
    printf("child %d\n", status);
}

int main(void)
{
    pthread_t threads[THREADS];
    unsigned places[THREADS];

    setvbuf(stdout, NULL, _IONBF, 0);
    fork_idle_child();
    pthread_barrier_init(&start, NULL, THREADS);
    for (unsigned i = 0; i < THREADS; i++) {
        places[i] = i;
        pthread_create(&threads[i], NULL, use, &places[i]);
    }
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    printf("buffers %u\n", made);
    fork_idle_child();
    return 0;
}
