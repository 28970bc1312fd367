/* SPDX-License-Identifier: MIT */
/* host_builder CASE [GATE]: an annotated program whose kernels DL builds beside it, in
 * several situations. GATE is the file that lets DL's programs be built; it is not there
 * at first. With HOST_PLAIN=1 nothing is annotated, with HOST_FLAT=1 there is no struct
 * either; with HOST_MOVES=1 the program goes to another folder before it has its text
 * built.
 *
 *   meanwhile   launches while the gate is shut, then opens it and launches until the
 *               buffer is in tiles
 *   exit        ends while the gate is shut
 *   released    the same of a context, and makes another one, which it opens the gate for
 *   children    has signal handlers for children and waits for its own
 *   closes      closes all descriptors it does not know
 *   forks       a child that launches, and ends
 *   threads     four at once, with a context each
 *   warm        launches until the buffer is in tiles, without looking at the gate
 *   never       some launches
 *   any         launches until the buffer is in tiles, for 20 s at most, the gate shut
 *   ahead       launches nothing before its kernel is built
 *
 * Prints what happened, in numbers that are the same each time. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CL/cl.h>

#include "dl.h"

enum { ITEMS = 1 << 18, BYTES = ITEMS * 32, LAUNCHES = 50, THREADS = 4 };

enum { SOURCES = 3, ANNOTATION = 1, KERNEL = 2 };
static const char *source[SOURCES] = {
    "typedef struct { float x, y; int n, rest[5]; } particle;\n", "//DL: AoS: p[n]\n",
    /* clang takes two literals in a list for a forgotten comma. */
    ("__kernel void fake_step(__global particle *p, int n)\n"
     "{ int i = get_global_id(0); if (i < n) { p[i].x += p[i].y; p[i].n++; } "
     "}\n")};
static const char *const flat =
    "__kernel void fake_step(__global float *p, int n)\n"
    "{ int i = get_global_id(0); if (i < n) p[i] += 1.0f; }\n";

static const char *gate;
static volatile sig_atomic_t signals;

static void must_at(bool good, int line)
{
    if (good)
        return;
    printf("line %d\n", line);
    exit(1);
}
#define must(good) must_at(good, __LINE__)

struct world {
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_mem buffer;
};

static struct world world_make(void)
{
    static const unsigned char bytes[BYTES];
    const cl_int n = ITEMS;
    cl_platform_id platform;
    cl_device_id device;
    struct world world;
    cl_int err[5];

    must(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS);
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS);
    world.context = clCreateContext(NULL, 1, &device, NULL, NULL, &err[0]);
    world.queue =
        clCreateCommandQueueWithProperties(world.context, device, NULL, &err[1]);
    world.program =
        clCreateProgramWithSource(world.context, SOURCES, source, NULL, &err[2]);
    if (getenv("HOST_MOVES"))
        must(chdir("/") == 0);
    must(clBuildProgram(world.program, 1, &device, "", NULL, NULL) == CL_SUCCESS);
    world.kernel = clCreateKernel(world.program, "fake_step", &err[3]);
    world.buffer = clCreateBuffer(world.context, CL_MEM_COPY_HOST_PTR, BYTES,
                                  (void *)bytes, &err[4]);
    for (int i = 0; i < 5; i++)
        must(err[i] == CL_SUCCESS);
    must(clSetKernelArg(world.kernel, 0, sizeof world.buffer, &world.buffer) ==
         CL_SUCCESS);
    must(clSetKernelArg(world.kernel, 1, sizeof n, &n) == CL_SUCCESS);
    return world;
}

static void world_free(const struct world *world)
{
    clReleaseMemObject(world->buffer);
    clReleaseKernel(world->kernel);
    clReleaseProgram(world->program);
    clReleaseCommandQueue(world->queue);
    clReleaseContext(world->context);
}

static void launch(const struct world *world)
{
    const size_t global = ITEMS;

    must(clEnqueueNDRangeKernel(world->queue, world->kernel, 1, NULL, &global, NULL, 0,
                                NULL, NULL) == CL_SUCCESS);
}

static bool is_tiled(const struct world *world)
{
    cl_buffer_layout_dl layout;

    must(dl_buffer_get_layout(world->buffer, &layout) == CL_SUCCESS);
    return layout.kind != CL_LAYOUT_AOS_DL;
}

/* Launches, none of which may be on tiles. */
static void launch_as_written(const struct world *world, int count)
{
    int tiled = 0;

    for (int l = 0; l < count; l++) {
        launch(world);
        tiled += is_tiled(world);
    }
    printf("launched %d, %d of them on tiles\n", count, tiled);
}

static void open_gate(void)
{
    int file = open(gate, O_CREAT | O_WRONLY, 0600);

    must(file >= 0);
    close(file);
}

/* Until it is on tiles: how long that takes is nobody's business here. */
static void launch_until_tiled(const struct world *world)
{
    do {
        launch(world);
        usleep(2000);
    } while (!is_tiled(world));
}

static void any(void)
{
    struct world world = world_make();
    bool tiled = false;

    for (int i = 0; i < 10000 && !tiled; i++) {
        launch(&world);
        usleep(2000);
        tiled = is_tiled(&world);
    }
    printf("on tiles: %d\n", tiled);
    open_gate();
    world_free(&world);
}

static void say_references(const struct world *world)
{
    cl_uint context = 0, program = 0;

    clGetContextInfo(world->context, CL_CONTEXT_REFERENCE_COUNT, sizeof context, &context,
                     NULL);
    clGetProgramInfo(world->program, CL_PROGRAM_REFERENCE_COUNT, sizeof program, &program,
                     NULL);
    printf("references %u %u\n", context, program);
}

static void count_signal(int signal)
{
    (void)signal;
    signals++;
}

static void *work(void *unused)
{
    struct world world = world_make();

    (void)unused;
    launch_until_tiled(&world);
    world_free(&world);
    return NULL;
}

static void threads(void)
{
    pthread_t thread[THREADS];

    open_gate();
    for (int t = 0; t < THREADS; t++)
        must(pthread_create(&thread[t], NULL, work, NULL) == 0);
    for (int t = 0; t < THREADS; t++)
        pthread_join(thread[t], NULL);
}

static void forks(const struct world *world)
{
    int status = -1;
    pid_t pid = fork();

    if (pid == 0) {
        launch(world);
        exit(0);
    }
    must(waitpid(pid, &status, 0) == pid);
    printf("child %d\n", status);
    launch_as_written(world, LAUNCHES);
}

/* Nothing of the builder is seen by a program that looks after its children. */
static void children(void)
{
    struct sigaction action = {.sa_handler = count_signal};
    struct world world;
    int waited;

    sigaction(SIGCHLD, &action, NULL);
    world = world_make();
    launch_as_written(&world, LAUNCHES);
    waited = waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD;
    open_gate();
    launch_until_tiled(&world);
    printf("no child %d, then %d; signals %d\n", waited,
           waitpid(-1, NULL, 0) == -1 && errno == ECHILD, (int)signals);
    world_free(&world);
}

/* True when the builder's log of the driver has a program that was built, after some
 * seconds at most. */
static bool is_built(void)
{
    char path[4096], line[4096];
    bool built = false;

    snprintf(path, sizeof path, "%s.builder", getenv("FAKE_LOG"));
    for (int tries = 0; tries < 3000 && !built; tries++) {
        FILE *log = fopen(path, "r");

        while (log && !built && fgets(line, sizeof line, log))
            built = strncmp(line, "clBuildProgram(", 15) == 0;
        if (log)
            fclose(log);
        usleep(10000);
    }
    return built;
}

static void ahead(void)
{
    struct world world = world_make();

    open_gate();
    printf("built before the first launch: %d\n", is_built());
    launch_until_tiled(&world);
    world_free(&world);
}

static void one_world(const char *what)
{
    struct world world = world_make();

    if (strcmp(what, "warm") != 0)
        launch_as_written(&world, LAUNCHES);
    say_references(&world);
    if (strcmp(what, "exit") == 0)
        exit(0);
    if (strcmp(what, "never") == 0)
        return;
    if (strcmp(what, "closes") == 0)
        for (int file = 3; file < 1024; file++)
            close(file);
    if (strcmp(what, "forks") == 0)
        forks(&world);
    if (strcmp(what, "released") == 0) {
        world_free(&world);
        world = world_make();
        launch_as_written(&world, LAUNCHES);
    }
    if (strcmp(what, "warm") != 0)
        open_gate();
    launch_until_tiled(&world);
    say_references(&world);
    world_free(&world);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    setvbuf(stdout, NULL, _IOLBF, 0);
    gate = argv[2];
    if (getenv("HOST_PLAIN"))
        source[ANNOTATION] = "";
    if (getenv("HOST_FLAT"))
        source[KERNEL] = flat;
    if (strcmp(argv[1], "threads") == 0)
        threads();
    else if (strcmp(argv[1], "children") == 0)
        children();
    else if (strcmp(argv[1], "ahead") == 0)
        ahead();
    else if (strcmp(argv[1], "any") == 0)
        any();
    else
        one_world(argv[1]);
    printf("done\n");
    return 0;
}
