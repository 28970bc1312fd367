/* SPDX-License-Identifier: MIT */
/* The cases of host_tiles: objects made in every way, retained and released, and
 * arguments that are no buffers. */
#include "host_tiles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- made in every way, a kernel is rewritten and its buffer tiled ---- */

static void made_the_usual_way(void)
{
    open_all();
    step_on(queue, step, a);
}

static void context_from_type(void)
{
    const cl_context_properties *none = NULL;

    must(clGetPlatformIDs(1, &platform, NULL));
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    MADE(context, clCreateContextFromType(none, CL_DEVICE_TYPE_ALL, NULL, NULL, &made));
    open_rest();
    step_on(queue, step, a);
}

static void queue_of_1_0(void)
{
    open_all();
    must(clReleaseCommandQueue(queue));
    MADE(queue, clCreateCommandQueue(context, device, 0, &made));
    step_on(queue, step, a);
}

static void queue_by_address(void)
{
    cl_command_queue (*create)(cl_context, cl_device_id, const cl_ulong *, cl_int *);

    open_all();
    must(clReleaseCommandQueue(queue));
    GET(create, "clCreateCommandQueueWithPropertiesKHR");
    MADE(queue, create(context, device, NULL, &made));
    step_on(queue, step, a);
}

static void buffer_with_properties(void)
{
    open_all();
    must(clReleaseMemObject(a));
    MADE(a, clCreateBufferWithProperties(context, NULL, CL_MEM_READ_WRITE, BYTES, NULL,
                                         &made));
    step_on(queue, step, a);
}

static void kernels_in_program(void)
{
    cl_kernel kernels[2];
    cl_uint count;

    open_all();
    must(clCreateKernelsInProgram(program, 2, kernels, &count));
    step_on(queue, kernels[0], a);
    must(clReleaseKernel(kernels[0]));
    must(clReleaseKernel(kernels[1]));
}

/* With link options and the text of a header that the environment may name. */
static void compiled_and_linked(void)
{
    const char *options = getenv("HOST_LINK_OPTIONS"), *text = getenv("HOST_HEADER");
    const char *const parts[] = {"#include \"header.h\"\n", source}, *name = "header.h";
    cl_program unit, header = NULL;

    open_all();
    must(clReleaseKernel(step));
    if (text)
        MADE(header, clCreateProgramWithSource(context, 1, &text, NULL, &made));
    MADE(unit,
         clCreateProgramWithSource(context, header ? 2 : 1,
                                   (const char **)parts + (header ? 0 : 1), NULL, &made));
    must(clCompileProgram(unit, 1, &device, "", header ? 1 : 0, header ? &header : NULL,
                          header ? &name : NULL, NULL, NULL));
    must(clReleaseProgram(program));
    MADE(program, clLinkProgram(context, 1, &device, options ? options : "", 1, &unit,
                                NULL, NULL, &made));
    must(clReleaseProgram(unit));
    if (header)
        must(clReleaseProgram(header));
    MADE(step, clCreateKernel(program, "fake_step", &made));
    step_on(queue, step, a);
}

static void cloned_kernel(void)
{
    const cl_int n = ITEMS;
    cl_kernel clone;

    open_all();
    must(clSetKernelArg(step, 0, sizeof a, &a));
    must(clSetKernelArg(step, 1, sizeof n, &n));
    MADE(clone, clCloneKernel(step, &made));
    must(clReleaseKernel(step));
    step = clone;
    launch(queue, step);
}

/* ---- retained and released once, an object is the program's as before ---- */

static void retained_context(void)
{
    open_context();
    must(clRetainContext(context));
    must(clReleaseContext(context));
    open_rest();
    step_on(queue, step, a);
}

static void retained_queue(void)
{
    open_all();
    must(clRetainCommandQueue(queue));
    must(clReleaseCommandQueue(queue));
    step_on(queue, step, a);
}

/* No kernel is left that keeps it. */
static void retained_program(void)
{
    open_all();
    must(clReleaseKernel(step));
    must(clReleaseKernel(plain));
    must(clRetainProgram(program));
    must(clReleaseProgram(program));
    MADE(step, clCreateKernel(program, "fake_step", &made));
    MADE(plain, clCreateKernel(program, "fake_add_one", &made));
    step_on(queue, step, a);
}

static void retained_kernel(void)
{
    open_all();
    must(clRetainKernel(step));
    must(clReleaseKernel(step));
    step_on(queue, step, a);
}

static void retained_mem(void)
{
    open_all();
    must(clRetainMemObject(a));
    must(clReleaseMemObject(a));
    step_on(queue, step, a);
}

static void CL_CALLBACK context_ends(cl_context ended, void *user)
{
    (void)ended;
    (void)user;
    puts("the context has ended");
}

/* The last release is the end of everything, DL's own objects too; each of these leaves
 * one kind of object for the last. */
static void ends(void)
{
    open_all();
    must(clSetContextDestructorCallback(context, context_ends, NULL));
    step_on(queue, step, a);
    must(clFinish(queue));
}

/* ---- a kernel of any origin brings back what it is given, no more ---- */

static void run_beside_tiles(cl_program other, cl_kernel kernel)
{
    step_on(queue, step, a);
    plain_on(kernel, b);
    step_on(queue, step, a);
    must(clReleaseKernel(kernel));
    must(clReleaseProgram(other));
}

static void program_from_binary(void)
{
    const unsigned char *binary =
        (const unsigned char *)"FAKEBIN __kernel void "
                               "fake_add_one(__global int *a) {}";
    size_t bytes = strlen((const char *)binary);
    cl_program other;
    cl_kernel kernel;

    open_all();
    MADE(other,
         clCreateProgramWithBinary(context, 1, &device, &bytes, &binary, NULL, &made));
    build(other);
    MADE(kernel, clCreateKernel(other, "fake_add_one", &made));
    run_beside_tiles(other, kernel);
}

static void program_of_built_in_kernels(void)
{
    cl_program other;
    cl_kernel kernel;

    open_all();
    MADE(other,
         clCreateProgramWithBuiltInKernels(context, 1, &device, "fake_add_one", &made));
    MADE(kernel, clCreateKernel(other, "fake_add_one", &made));
    run_beside_tiles(other, kernel);
}

static const char il[] = "FAKEIL __kernel void fake_add_one(__global int *a) {}";

static void program_from_il(void)
{
    cl_program other;
    cl_kernel kernel;

    open_all();
    MADE(other, clCreateProgramWithIL(context, il, sizeof il - 1, &made));
    build(other);
    MADE(kernel, clCreateKernel(other, "fake_add_one", &made));
    run_beside_tiles(other, kernel);
}

static void program_by_address(void)
{
    cl_program (*create)(cl_context, const void *, size_t, cl_int *);
    cl_program other;
    cl_kernel kernel;

    open_all();
    GET(create, "clCreateProgramWithILKHR");
    MADE(other, create(context, il, sizeof il - 1, &made));
    build(other);
    MADE(kernel, clCreateKernel(other, "fake_add_one", &made));
    run_beside_tiles(other, kernel);
}

/* ---- arguments that are no buffers ---- */

static void svm_argument(void)
{
    void *svm;

    open_all();
    svm = clSVMAlloc(context, CL_MEM_READ_WRITE, BYTES, 0);
    step_on(queue, step, a);
    must(clSetKernelArgSVMPointer(step, 0, svm));
    launch(queue, step);
    must(clFinish(queue));
    clSVMFree(context, svm);
}

static void pointer_argument_by_address(void)
{
    cl_int (*set)(cl_kernel, cl_uint, const void *);
    void *svm;

    open_all();
    GET(set, "clSetKernelArgMemPointerINTEL");
    svm = clSVMAlloc(context, CL_MEM_READ_WRITE, BYTES, 0);
    step_on(queue, step, a);
    must(set(step, 0, svm));
    launch(queue, step);
    must(clFinish(queue));
    clSVMFree(context, svm);
}

/* A clone has the pointers of the kernel that it is of. */
static void svm_argument_of_a_clone(void)
{
    static const char text[] =
        "typedef struct { float x, y; int n; } particle;\n"
        "//DL: AoS: p[n]\n"
        "__kernel void fake_look(__global const particle *p, int n, __global int *out)\n"
        "{ int i = get_global_id(0); if (i < n) out[i] = p[i].n; }\n";
    const char *texts = text;
    cl_program looking;
    cl_kernel look, clone;
    const cl_int n = ITEMS;
    void *svm;

    open_all();
    MADE(looking, clCreateProgramWithSource(context, 1, &texts, NULL, &made));
    build(looking);
    MADE(look, clCreateKernel(looking, "fake_look", &made));
    svm = clSVMAlloc(context, CL_MEM_READ_WRITE, BYTES, 0);
    must(clSetKernelArg(look, 0, sizeof a, &a));
    must(clSetKernelArg(look, 1, sizeof n, &n));
    must(clSetKernelArgSVMPointer(look, 2, svm));
    MADE(clone, clCloneKernel(look, &made));
    step_on(queue, step, a);
    launch(queue, clone);
    must(clFinish(queue));
    clSVMFree(context, svm);
    must(clReleaseKernel(clone));
    must(clReleaseKernel(look));
    must(clReleaseProgram(looking));
}

/* And may reach the same memory behind them. */
static void svm_behind_the_arguments_of_a_clone(void)
{
    cl_kernel clone;
    void *svm;

    open_all();
    svm = clSVMAlloc(context, CL_MEM_READ_WRITE, BYTES, 0);
    step_on(queue, step, a);
    must(clSetKernelExecInfo(plain, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof svm, &svm));
    MADE(clone, clCloneKernel(plain, &made));
    plain_on(clone, b);
    must(clFinish(queue));
    must(clReleaseKernel(clone));
    clSVMFree(context, svm);
}

static void svm_behind_the_arguments(void)
{
    void *svm;

    open_all();
    svm = clSVMAlloc(context, CL_MEM_READ_WRITE, BYTES, 0);
    step_on(queue, step, a);
    must(clSetKernelExecInfo(plain, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof svm, &svm));
    plain_on(plain, b);
    must(clFinish(queue));
    clSVMFree(context, svm);
}

const struct tiles_case tiles_objects[] = {
    TILES_CASE(made_the_usual_way),
    TILES_CASE(context_from_type),
    TILES_CASE(queue_of_1_0),
    TILES_CASE(queue_by_address),
    TILES_CASE(buffer_with_properties),
    TILES_CASE(kernels_in_program),
    TILES_CASE(compiled_and_linked),
    TILES_CASE(cloned_kernel),
    TILES_CASE(retained_context),
    TILES_CASE(retained_queue),
    TILES_CASE(retained_program),
    TILES_CASE(retained_kernel),
    TILES_CASE(retained_mem),
    TILES_CASE(ends),
    TILES_CASE(program_from_binary),
    TILES_CASE(program_of_built_in_kernels),
    TILES_CASE(program_from_il),
    TILES_CASE(program_by_address),
    TILES_CASE(svm_argument),
    TILES_CASE(pointer_argument_by_address),
    TILES_CASE(svm_behind_the_arguments),
    TILES_CASE(svm_argument_of_a_clone),
    TILES_CASE(svm_behind_the_arguments_of_a_clone),
    {NULL, NULL},
};
