/* SPDX-License-Identifier: MIT */
/* A program over the fake driver whose launches are explored, or compared (explored.c):
 * argv[1] names a scene, argv[2] is how many launches it makes, argv[3] how many structs
 * its buffer has. What that holds in the end goes to standard output: each struct, or a
 * hash of many. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

enum { STRUCT_BYTES = 12, PART = 128, FEW_BYTES = 1 << 16 };

static size_t items = 1000, bytes = 1000 * STRUCT_BYTES;

#define TEXT(note, more)                                                                 \
    "typedef struct { float x, y; int n; } particle;\n" note                             \
    "__kernel void fake_step(__global particle *p)\n"                                    \
    "{ int i = get_global_id(0); p[i].x += p[i].y; p[i].n++; }\n" more                   \
    "__kernel void fake_slots(__global particle *p)\n"                                   \
    "{ int i = get_global_id(0); p[i].n = i; }\n"

static const char annotated[] =
    TEXT("//DL: AoS: p[global_size(0)]\n",
         "//DL: AoS: p[global_size(0)], q[global_size(0)]\n"
         "__kernel void fake_pull(__global particle *p, __global const particle *q)\n"
         "{ int i = get_global_id(0); p[i].x += q[i].x; }\n"
         "//DL: AoS: p[global_size(0)]\n");
static const char unannotated[] = TEXT("", "");
static const char with_value[] =
    "typedef struct { float x, y; int n; } particle;\n"
    "__kernel void fake_step(__global particle *p, float dt)\n"
    "{ int i = get_global_id(0); p[i].x += p[i].y + 0 * dt; p[i].n++; }\n";
/* What the driver makes of it has smaller structs. */
static const char whole_structs[] =
    "typedef struct { float x[24]; } wide;\n"
    "//DL: AoS: p[125]\n"
    "__kernel void fake_step(__global wide *p)\n"
    "{ wide q = p[get_global_id(0)]; q.x[0] += q.x[1]; p[get_global_id(0)] = q; }\n";

/* The ninth byte of a struct is padding, or a member's. */
#define GAPS(members)                                                                    \
    "typedef struct { int a, b" members "; int4 v; } padded;\n"                          \
    "__kernel void fake_leave(__global padded *p)\n"                                     \
    "{ padded q; q.a = q.b = 1; q.v = 2; p[get_global_id(0)] = q; }\n"
static const char with_gap[] = GAPS(""), without_gap[] = GAPS(", c");

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_mem buffer;

static void must_at(cl_int err, int line)
{
    if (err == CL_SUCCESS)
        return;
    printf("line %d: %d\n", line, err);
    exit(1);
}
#define must(err) must_at(err, __LINE__)

static cl_kernel kernel_of(const char *name, const char *text)
{
    cl_int err;
    cl_kernel kernel;

    program = clCreateProgramWithSource(context, 1, &text, NULL, &err);
    must(err);
    must(clBuildProgram(program, 1, &device, "-DHOST", NULL, NULL));
    /* Behind a program with annotations, so that DL may have times told. */
    queue = clCreateCommandQueue(context, device, 0, &err);
    must(err);
    kernel = clCreateKernel(program, name, &err);
    must(err);
    return kernel;
}

static void launch(cl_kernel kernel, size_t global)
{
    must(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
}

/* The kernel on all of the buffer. */
static void repeat(const char *name, const char *text, int launches)
{
    cl_kernel kernel = kernel_of(name, text);

    must(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    for (int i = 0; i < launches; i++)
        launch(kernel, items);
    must(clReleaseKernel(kernel));
}

/* The same with a kernel of its own for each launch. */
static void anew(const char *name, const char *text, int launches)
{
    must(clReleaseKernel(kernel_of(name, text)));
    for (int i = 0; i < launches; i++) {
        cl_int err;
        cl_kernel kernel = clCreateKernel(program, name, &err);

        must(err);
        must(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
        launch(kernel, items);
        must(clReleaseKernel(kernel));
    }
}

/* The same with a value, which is another one from launch `launches` / 2 on. */
static void with_values(int launches)
{
    cl_kernel kernel = kernel_of("fake_step", with_value);

    must(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    for (int i = 0; i < launches; i++) {
        float value = i < launches / 2 ? 0 : 1;

        must(clSetKernelArg(kernel, 1, sizeof value, &value));
        launch(kernel, items);
    }
    must(clReleaseKernel(kernel));
}

/* Two sub-buffers that overlap: each struct gets what the one before it has just got. */
static void overlap(int launches)
{
    cl_kernel kernel = kernel_of("fake_pull", annotated);
    const cl_buffer_region to = {(size_t)PART * STRUCT_BYTES,
                                 (size_t)PART * STRUCT_BYTES},
                           from = {0, (size_t)PART * STRUCT_BYTES * 2};
    cl_mem parts[2];
    cl_int err;

    parts[0] = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &to, &err);
    must(err);
    parts[1] = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &from, &err);
    must(err);
    for (cl_uint i = 0; i < 2; i++)
        must(clSetKernelArg(kernel, i, sizeof parts[i], &parts[i]));
    for (int i = 0; i < launches; i++)
        launch(kernel, PART);
    for (int i = 0; i < 2; i++)
        must(clReleaseMemObject(parts[i]));
    must(clReleaseKernel(kernel));
}

/* Another queue writes what the launches use, in between. */
static void other_queue(int launches)
{
    cl_kernel kernel = kernel_of("fake_step", annotated);
    cl_command_queue other;
    cl_event launched;
    float *values = malloc(bytes / 2);
    cl_int err;

    other = clCreateCommandQueue(context, device, 0, &err);
    must(err);
    must(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    for (int i = 0; i < launches; i++) {
        for (size_t v = 0; v < bytes / 8; v++)
            values[v] = (float)(i * 7 + (int)v);
        must(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL,
                                    &launched));
        must(clFlush(queue));
        must(clEnqueueWriteBuffer(other, buffer, CL_FALSE, 0, bytes / 2, values, 1,
                                  &launched, NULL));
        must(clFinish(other));
        must(clReleaseEvent(launched));
    }
    must(clReleaseCommandQueue(other));
    must(clReleaseKernel(kernel));
    free(values);
}

static void *address(const char *name)
{
    cl_platform_id platform;
    void *found;

    must(clGetPlatformIDs(1, &platform, NULL));
    found = clGetExtensionFunctionAddressForPlatform(platform, name);
    must(found ? CL_SUCCESS : CL_INVALID_VALUE);
    return found;
}

static cl_event make_gate(void)
{
    cl_event (*create_gate)(cl_context);

    *(void **)&create_gate = address("clCreateGateFAKE");
    return create_gate(context);
}

static void open_gate(cl_event gate)
{
    cl_int (*open)(cl_event);

    *(void **)&open = address("clOpenGateFAKE");
    must(open(gate));
    must(clReleaseEvent(gate));
}

/* Something holds another command back that uses the buffer: a user event, or what only
 * the driver knows of. */
static void held(int launches, int by_gate)
{
    cl_kernel kernel = kernel_of("fake_step", annotated);
    cl_command_queue other;
    cl_event hold;
    cl_mem seen;
    cl_int err;

    other = clCreateCommandQueue(context, device, 0, &err);
    must(err);
    must(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    hold = by_gate ? make_gate() : clCreateUserEvent(context, &err);
    must(err);
    seen = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &err);
    must(err);
    must(clEnqueueCopyBuffer(other, buffer, seen, 0, 0, bytes, 1, &hold, NULL));
    for (int i = 0; i < launches; i++)
        launch(kernel, items);
    if (by_gate) {
        open_gate(hold);
    } else {
        must(clSetUserEventStatus(hold, CL_COMPLETE));
        must(clReleaseEvent(hold));
    }
    must(clFinish(queue));
    must(clFinish(other));
    must(clReleaseMemObject(seen));
    must(clReleaseCommandQueue(other));
    must(clReleaseKernel(kernel));
}

/* The host has a part of it mapped. */
static void mapped(int launches)
{
    cl_kernel kernel = kernel_of("fake_step", annotated);
    cl_int err;
    void *at = clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, STRUCT_BYTES, 0,
                                  NULL, NULL, &err);

    must(err);
    must(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    for (int i = 0; i < launches; i++)
        launch(kernel, items);
    must(clEnqueueUnmapMemObject(queue, buffer, at, 0, NULL, NULL));
    must(clReleaseKernel(kernel));
}

/* What is launched may need the program to go on: all of the queue waits for it, a native
 * kernel does, memory is shared. */
static void CL_CALLBACK do_nothing(void *arguments)
{
    (void)arguments;
}

static void behind(int launches, const char *scene)
{
    cl_kernel kernel = kernel_of("fake_step", annotated), other;
    cl_event gate = make_gate();
    cl_int err;
    int shared = 0;

    must(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    if (strcmp(scene, "behind_gate") == 0)
        must(clEnqueueBarrierWithWaitList(queue, 1, &gate, NULL));
    if (strcmp(scene, "behind_native") == 0)
        must(clEnqueueNativeKernel(queue, do_nothing, &shared, sizeof shared, 0, NULL,
                                   NULL, 1, &gate, NULL));
    if (strcmp(scene, "behind_shared") == 0) {
        other = clCreateKernel(program, "fake_slots", &err);
        must(err);
        must(clSetKernelArgSVMPointer(other, 0, &shared));
        must(clReleaseKernel(other));
    }
    for (int i = 0; i < launches; i++)
        launch(kernel, items);
    open_gate(gate);
    must(clFinish(queue));
    must(clReleaseKernel(kernel));
}

/* All of it is copied into another buffer and back, behind each launch. */
static void copied(int launches)
{
    cl_kernel kernel = kernel_of("fake_step", annotated);
    cl_mem other;
    cl_int err;

    other = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &err);
    must(err);
    must(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    for (int i = 0; i < launches; i++) {
        launch(kernel, items);
        must(clEnqueueCopyBuffer(queue, buffer, other, 0, 0, bytes, 0, NULL, NULL));
        must(clEnqueueCopyBuffer(queue, other, buffer, 0, 0, bytes, 0, NULL, NULL));
    }
    must(clReleaseMemObject(other));
    must(clReleaseKernel(kernel));
}

/* One more buffer, for which there may be no memory at first. */
static void room(int launches)
{
    cl_mem more;
    cl_int err;

    repeat("fake_step", annotated, launches);
    more = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes + 8, NULL, &err);
    must(err);
    must(clReleaseMemObject(more));
}

static cl_kernel called_back_with;
static int called_back_launches;

static void CL_CALLBACK launch_more(cl_event event, cl_int status, void *user)
{
    (void)event, (void)status, (void)user;
    for (int i = 1; i < called_back_launches; i++)
        launch(called_back_with, items);
}

/* All launches but the first are made by a callback of that. */
static void called_back(int launches)
{
    cl_kernel kernel = kernel_of("fake_step", annotated);
    cl_event event;

    called_back_with = kernel;
    called_back_launches = launches;
    must(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    must(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, &event));
    must(clSetEventCallback(event, CL_COMPLETE, launch_more, NULL));
    must(clFinish(queue));
    must(clFinish(queue));
    must(clReleaseEvent(event));
    must(clReleaseKernel(kernel));
}

static void show(const unsigned char *held)
{
    unsigned long hash = 0;

    for (size_t i = 0; i < bytes; i++) {
        hash = (hash ^ held[i]) * 0x100000001b3ul;
        if (bytes <= FEW_BYTES)
            printf("%02x%s", held[i], i % STRUCT_BYTES == STRUCT_BYTES - 1 ? "\n" : "");
    }
    printf("%lx\n", hash);
}

int main(int argc, char **argv)
{
    const char *scene = argc > 1 ? argv[1] : "";
    int launches = argc > 2 ? atoi(argv[2]) : 1;
    unsigned char *whole, *given;
    cl_mem_flags flags =
        strcmp(scene, "host_ptr") == 0 ? CL_MEM_USE_HOST_PTR : CL_MEM_COPY_HOST_PTR;
    cl_platform_id platform;
    cl_int err;

    must(clGetPlatformIDs(1, &platform, NULL));
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    must(err);
    if (argc > 3)
        items = strtoul(argv[3], NULL, 10);
    bytes = items * STRUCT_BYTES;
    whole = malloc(bytes);
    given = malloc(bytes);
    for (size_t i = 0; i < bytes / 4; i++)
        ((float *)given)[i] = (float)i;
    buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | flags, bytes, given, &err);
    must(err);
    if (strcmp(scene, "step") == 0 || strcmp(scene, "host_ptr") == 0)
        repeat("fake_step", annotated, launches);
    else if (strcmp(scene, "step_detected") == 0)
        repeat("fake_step", unannotated, launches);
    else if (strcmp(scene, "slots") == 0)
        repeat("fake_slots", annotated, launches);
    else if (strcmp(scene, "slots_detected") == 0)
        repeat("fake_slots", unannotated, launches);
    else if (strcmp(scene, "gap") == 0)
        repeat("fake_leave", with_gap, launches);
    else if (strcmp(scene, "gap_anew") == 0)
        anew("fake_leave", with_gap, launches);
    else if (strcmp(scene, "no_gap") == 0)
        repeat("fake_leave", without_gap, launches);
    else if (strcmp(scene, "whole") == 0)
        repeat("fake_step", whole_structs, launches);
    else if (strcmp(scene, "anew") == 0)
        anew("fake_step", annotated, launches);
    else if (strcmp(scene, "values") == 0)
        with_values(launches);
    else if (strcmp(scene, "overlap") == 0)
        overlap(launches);
    else if (strcmp(scene, "other_queue") == 0)
        other_queue(launches);
    else if (strcmp(scene, "gate") == 0 || strcmp(scene, "user_event") == 0)
        held(launches, strcmp(scene, "gate") == 0);
    else if (strcmp(scene, "copied") == 0)
        copied(launches);
    else if (strcmp(scene, "room") == 0)
        room(launches);
    else if (strcmp(scene, "mapped") == 0)
        mapped(launches);
    else if (strncmp(scene, "behind_", 7) == 0)
        behind(launches, scene);
    else if (strcmp(scene, "called_back") == 0)
        called_back(launches);
    else
        return 1;
    must(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, whole, 0, NULL, NULL));
    show(whole);
    free(whole);
    must(clReleaseMemObject(buffer));
    free(given);
    must(clReleaseProgram(program));
    must(clReleaseCommandQueue(queue));
    must(clReleaseContext(context));
    return 0;
}
