/* SPDX-License-Identifier: MIT */
/* host_trace HOW: a program to be traced, over the fake driver or the machine's own.
 *   exit, _exit, killed  how it ends, after a launch, a look at the buffer and a wait for
 *                        both
 *   forked               a child that goes on without OpenCL, and ends like its parent
 *   threads              four, with a context, a queue and a buffer each
 *   queues               two in order: the second one's commands wait for the first one's
 *   released             a queue that ends before its commands do
 *   daemon FILE          closes what is open, and has FILE of its own then
 *   many N               so many launches, and no event of them */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CL/cl.h>

enum { ITEMS = 96, INTS = 3 * ITEMS, THREADS = 4 };

static const char *const source =
    "typedef struct { float x, y; int n; } particle;\n"
    "//DL: AoS: p[n]\n"
    "__kernel void fake_step(__global particle *p, int n)\n"
    "{ int i = get_global_id(0); if (i < n) { p[i].x += p[i].y; p[i].n++; } }\n"
    "__kernel void fake_other(__global particle *p, int n)\n"
    "{ int i = get_global_id(0); if (i < n) p[i].n--; }\n";

struct world {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel step, other;
    cl_mem mem;
};

static void must(cl_int err)
{
    if (err != CL_SUCCESS) {
        fprintf(stderr, "OpenCL error %d\n", err);
        exit(1);
    }
}

static cl_kernel kernel_of(struct world *w, const char *name)
{
    const cl_int n = ITEMS;
    cl_int err;
    cl_kernel kernel = clCreateKernel(w->program, name, &err);

    must(err);
    must(clSetKernelArg(kernel, 0, sizeof w->mem, &w->mem));
    must(clSetKernelArg(kernel, 1, sizeof n, &n));
    return kernel;
}

static void open_world(struct world *w)
{
    int ints[INTS] = {0};
    cl_platform_id platform;
    cl_int err;

    must(clGetPlatformIDs(1, &platform, NULL));
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &w->device, NULL));
    w->context = clCreateContext(NULL, 1, &w->device, NULL, NULL, &err);
    must(err);
    w->queue = clCreateCommandQueueWithProperties(w->context, w->device, NULL, &err);
    must(err);
    w->program =
        clCreateProgramWithSource(w->context, 1, (const char **)&source, NULL, &err);
    must(err);
    must(clBuildProgram(w->program, 1, &w->device, "", NULL, NULL));
    w->mem = clCreateBuffer(w->context, CL_MEM_COPY_HOST_PTR, sizeof ints, ints, &err);
    must(err);
    w->step = kernel_of(w, "fake_step");
    w->other = kernel_of(w, "fake_other");
}

static void close_world(struct world *w)
{
    clReleaseKernel(w->step);
    clReleaseKernel(w->other);
    clReleaseProgram(w->program);
    clReleaseMemObject(w->mem);
    clReleaseCommandQueue(w->queue);
    clReleaseContext(w->context);
}

static void launch(cl_command_queue queue, cl_kernel kernel)
{
    const size_t global = ITEMS;

    must(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
}

static void work(struct world *w)
{
    int ints[INTS] = {0};

    launch(w->queue, w->step);
    must(clEnqueueReadBuffer(w->queue, w->mem, CL_TRUE, 0, 60, ints, 0, NULL, NULL));
    launch(w->queue, w->other);
    must(clFinish(w->queue));
}

static void *thread(void *unused)
{
    struct world w;

    (void)unused;
    open_world(&w);
    work(&w);
    close_world(&w);
    return NULL;
}

static void run_threads(void)
{
    pthread_t threads[THREADS];

    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, thread, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

static void *address(struct world *w, const char *name)
{
    cl_platform_id platform;

    must(
        clGetDeviceInfo(w->device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL));
    return clGetExtensionFunctionAddressForPlatform(platform, name);
}

/* The first queue is held back by the fake driver's gate, until the other has commands,
 * too. */
static void run_queues(struct world *w)
{
    cl_event (*create_gate)(cl_context) =
        (cl_event(*)(cl_context))(uintptr_t)address(w, "clCreateGateFAKE");
    cl_int (*open_gate)(cl_event) =
        (cl_int(*)(cl_event))(uintptr_t)address(w, "clOpenGateFAKE");
    cl_event gate = create_gate(w->context);
    cl_command_queue other;
    cl_int err;

    other = clCreateCommandQueueWithProperties(w->context, w->device, NULL, &err);
    must(err);
    must(clEnqueueBarrierWithWaitList(w->queue, 1, &gate, NULL));
    launch(w->queue, w->step);
    launch(other, w->step);
    launch(other, w->other);
    must(open_gate(gate));
    must(clReleaseEvent(gate));
    must(clFinish(other));
    must(clFinish(w->queue));
    must(clReleaseCommandQueue(other));
}

/* Where DL's file was, all numbers are this program's now. */
static void become_daemon(struct world *w, const char *path)
{
    int own = -1;

    for (int fd = 3; fd < 1024; fd++)
        close(fd);
    for (int i = 0; own < 600 && i < 700; i++)
        own = open(path, O_WRONLY | O_CREAT | O_APPEND, 0644);
    if (own < 600 || write(own, "mine\n", 5) != 5)
        exit(1);
    work(w);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "exit";
    struct world w;
    int status = 0;
    pid_t child;

    if (strcmp(how, "threads") == 0) {
        run_threads();
        return 0;
    }
    open_world(&w);
    if (strcmp(how, "queues") == 0)
        run_queues(&w);
    for (int i = 0; strcmp(how, "many") == 0 && i < atoi(argv[2]); i++)
        launch(w.queue, w.step);
    work(&w);
    if (strcmp(how, "_exit") == 0)
        _exit(0);
    if (strcmp(how, "killed") == 0)
        raise(SIGKILL);
    if (strcmp(how, "forked") == 0) {
        child = fork();
        if (child == 0)
            exit(0);
        waitpid(child, &status, 0);
        work(&w);
    }
    if (strcmp(how, "daemon") == 0)
        become_daemon(&w, argv[2]);
    if (strcmp(how, "released") == 0)
        launch(w.queue, w.step);
    close_world(&w);
    return status;
}
