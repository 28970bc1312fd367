/* See calls.h. Built twice: against the loader, and (CALLS_BY_DLSYM) against what dlsym
 * finds in a loader that is opened at run time. */
#include "calls.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/hooks/hook_list.h"

struct functions {
#define X(name) __typeof__(name) *name;
    UNWRAPPED_MAP(X)
#undef X
#define X(result, name, parameters, arguments) __typeof__(name) *name;
    DL_HOOK_MAP(X)
#undef X
};

static struct functions functions;
static unsigned counts[sizeof(struct functions) / sizeof(void *)];

#define CALL(name)                                                                       \
    (counts[offsetof(struct functions, name) / sizeof(void *)]++, functions.name)

/* CALLS_DECOY: an OpenCL library that the program opens and does not use. */
static void find_functions(void)
{
#ifdef CALLS_BY_DLSYM
    const char *path = getenv("CALLS_LIBRARY");
    void *library, *function;
#endif

    if (getenv("CALLS_DECOY"))
        dlopen(getenv("CALLS_DECOY"), RTLD_NOW | RTLD_LOCAL);
#ifdef CALLS_BY_DLSYM
    path = path ? path : "libOpenCL.so.1";
    library = getenv("CALLS_NAMESPACE") ? dlmopen(LM_ID_NEWLM, path, RTLD_NOW)
                                        : dlopen(path, RTLD_NOW | RTLD_LOCAL);

    if (!library) {
        printf("%s\n", dlerror());
        exit(1);
    }
#define FIND(name)                                                                       \
    function = dlsym(library, #name);                                                    \
    memcpy(&functions.name, &function, sizeof function);
#else
#define FIND(name) functions.name = name;
#endif
#define X(name) FIND(name)
    UNWRAPPED_MAP(X)
#undef X
#define X(result, name, parameters, arguments) FIND(name)
    DL_HOOK_MAP(X)
#undef X
}

static void write_counts(void)
{
    const char *path = getenv("CALLS_COUNTS");
    FILE *file = path ? fopen(path, "w") : NULL;

    if (!file)
        return;
#define X(result, name, parameters, arguments)                                           \
    if (counts[offsetof(struct functions, name) / sizeof(void *)])                       \
        fprintf(file, "%s %u\n", #name,                                                  \
                counts[offsetof(struct functions, name) / sizeof(void *)]);
    DL_HOOK_MAP(X)
#undef X
    fclose(file);
}

static void say(const char *what, long value)
{
    printf("%s: %ld\n", what, value);
}
#define SAY(expression) say(#expression, (long)(expression))

static const char source[] =
    "// fake_nothing(int) is not one\n"
    "__kernel void fake_add_one(__global int *a) { a[get_global_id(0)] += 1; }\n"
    "__kernel void fake_fill(__global int *a, int v) { a[get_global_id(0)] = v; }\n"
    "__kernel void fake_local(__global int *a, __local int *l) { a[0] = l[0]; }\n";

static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;
static int data[64];

static void CL_CALLBACK on_built(cl_program built, void *user)
{
    /* Callbacks come on this thread, inside the call, and may call OpenCL. */
    cl_uint count = 0;

    CALL(clGetProgramInfo)(built, CL_PROGRAM_REFERENCE_COUNT, sizeof count, &count, NULL);
    printf("built %s %u\n", (const char *)user, count);
}

static void CL_CALLBACK on_event(cl_event event, cl_int status, void *user)
{
    (void)event;
    printf("event %s %d\n", (const char *)user, status);
}

static void CL_CALLBACK on_destroyed(cl_mem mem, void *user)
{
    (void)mem;
    printf("destroyed %s\n", (const char *)user);
}

static void CL_CALLBACK native(void *args)
{
    int **pointer = args;

    (*pointer)[0] += 100;
}

static void platforms_and_contexts(void)
{
    cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, 0, 0},
                          unknown[] = {1, 1, 0};
    cl_uint count = 0;
    cl_context other;
    cl_int err;

    SAY(CALL(clGetPlatformIDs)(1, &platform, &count));
    SAY(CALL(clGetDeviceIDs)(platform, CL_DEVICE_TYPE_ALL, 1, &device, &count));
    properties[1] = (cl_context_properties)platform;
    context = CALL(clCreateContext)(properties, 1, &device, NULL, NULL, &err);
    SAY(err);
    other =
        CALL(clCreateContextFromType)(properties, CL_DEVICE_TYPE_ALL, NULL, NULL, &err);
    SAY(err);
    SAY(CALL(clRetainContext)(other));
    SAY(CALL(clReleaseContext)(other));
    SAY(CALL(clGetContextInfo)(other, CL_CONTEXT_REFERENCE_COUNT, sizeof count, &count,
                               NULL));
    SAY(count);
    SAY(CALL(clReleaseContext)(other));
    SAY(CALL(clCreateContext)(properties, 0, NULL, NULL, NULL, &err) == NULL);
    SAY(err);
    SAY(CALL(clCreateContext)(unknown, 1, &device, NULL, NULL, NULL) == NULL);
    SAY(CALL(clRetainContext)(NULL));
    SAY(CALL(clGetContextInfo)(NULL, 0, 0, NULL, NULL));
}

static void queues(void)
{
    cl_queue_properties profiled[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    cl_command_queue other;
    cl_uint count = 0;
    cl_int err;

    queue = CALL(clCreateCommandQueueWithProperties)(context, device, profiled, &err);
    SAY(err);
    other = CALL(clCreateCommandQueue)(context, device, 0, &err);
    SAY(err);
    SAY(CALL(clRetainCommandQueue)(other));
    SAY(CALL(clReleaseCommandQueue)(other));
    SAY(CALL(clGetCommandQueueInfo)(other, CL_QUEUE_REFERENCE_COUNT, sizeof count, &count,
                                    NULL));
    SAY(count);
    SAY(CALL(clSetCommandQueueProperty)(other, CL_QUEUE_PROFILING_ENABLE, CL_FALSE,
                                        NULL));
    SAY(CALL(clReleaseCommandQueue)(other));
    SAY(CALL(clCreateCommandQueue)(context, device, (cl_ulong)1 << 40, NULL) == NULL);
    SAY(CALL(clCreateCommandQueue)(NULL, device, 0, &err) == NULL);
    SAY(err);
    SAY(CALL(clReleaseCommandQueue)(NULL));
    /* An object of another kind is what garbage looks like to a driver that checks. */
    SAY(CALL(clFinish)((cl_command_queue)context));
}

static void programs(void)
{
    const char *strings[2] = {
        source, "\n__kernel void fake_more(__global float *b, float c) {}\n"};
    const char *broken = "FAKE_BUILD_FAIL";
    const unsigned char *binaries[1];
    size_t lengths[2] = {sizeof source - 1, 0}, bytes = 0;
    cl_program other, compiled, linked;
    unsigned char binary[1024] = "";
    unsigned char *binary_place = binary;
    cl_uint count = 0;
    cl_int err, binary_status = 0;
    char text[256] = "";

    program = CALL(clCreateProgramWithSource)(context, 2, strings, lengths, &err);
    SAY(err);
    SAY(CALL(clBuildProgram)(program, 1, &device, "-cl-kernel-arg-info", on_built,
                             "one"));
    SAY(CALL(clGetProgramInfo)(program, CL_PROGRAM_KERNEL_NAMES, sizeof text, text,
                               NULL));
    puts(text);
    SAY(CALL(clGetProgramBuildInfo)(program, device, CL_PROGRAM_BUILD_OPTIONS,
                                    sizeof text, text, NULL));
    puts(text);
    SAY(CALL(clGetProgramInfo)(program, CL_PROGRAM_SOURCE, 0, NULL, &bytes));
    SAY(bytes);

    other = CALL(clCreateProgramWithSource)(context, 1, &broken, NULL, &err);
    SAY(CALL(clBuildProgram)(other, 0, NULL, NULL, NULL, NULL));
    SAY(CALL(clBuildProgram)(other, 0, NULL, "-bogus", NULL, NULL));
    SAY(CALL(clGetProgramBuildInfo)(other, device, CL_PROGRAM_BUILD_LOG, sizeof text,
                                    text, NULL));
    puts(text);
    SAY(CALL(clRetainProgram)(other));
    SAY(CALL(clReleaseProgram)(other));
    SAY(CALL(clReleaseProgram)(other));

    SAY(CALL(clGetProgramInfo)(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes,
                               NULL));
    SAY(bytes <= sizeof binary);
    SAY(CALL(clGetProgramInfo)(program, CL_PROGRAM_BINARIES, sizeof binary_place,
                               &binary_place, NULL));
    binaries[0] = binary;
    other = CALL(clCreateProgramWithBinary)(context, 1, &device, &bytes, binaries,
                                            &binary_status, &err);
    SAY(err);
    SAY(binary_status);
    SAY(CALL(clBuildProgram)(other, 1, &device, "", NULL, NULL));
    SAY(CALL(clReleaseProgram)(other));
    SAY(CALL(clCreateProgramWithBinary)(context, 1, &device, NULL, NULL, NULL, NULL) ==
        NULL);

    compiled = CALL(clCreateProgramWithSource)(context, 1, strings, NULL, &err);
    SAY(CALL(clCompileProgram)(compiled, 1, &device, "-DX=1", 0, NULL, NULL, NULL, NULL));
    linked = CALL(clLinkProgram)(context, 1, &device, NULL, 1, &compiled, on_built, "two",
                                 &err);
    SAY(err);
    SAY(CALL(clCreateKernelsInProgram)(linked, 0, NULL, &count));
    SAY(count);
    SAY(CALL(clReleaseProgram)(linked));
    SAY(CALL(clLinkProgram)(context, 0, NULL, NULL, 1, &program, NULL, NULL, &err) ==
        NULL);
    SAY(CALL(clReleaseProgram)(compiled));

    other = CALL(clCreateProgramWithBuiltInKernels)(context, 1, &device, "fake_add_one",
                                                    &err);
    SAY(err);
    SAY(CALL(clReleaseProgram)(other));
    other = CALL(clCreateProgramWithIL)(context, "FAKEIL __kernel void k(int a) {}", 32,
                                        &err);
    SAY(err);
    SAY(CALL(clReleaseProgram)(other));
    SAY(CALL(clCreateProgramWithSource)(context, 0, NULL, NULL, &err) == NULL);
    SAY(err);
    SAY(CALL(clCreateProgramWithSource)(NULL, 1, strings, NULL, NULL) == NULL);
    SAY(CALL(clBuildProgram)(NULL, 0, NULL, NULL, NULL, NULL));
    SAY(CALL(clRetainProgram)((cl_program)context));
}

static void launches(cl_mem buffer)
{
    const size_t global = 64, local = 16, offset = 1, small = 63;
    cl_kernel kernel, clone, local_kernel, kernels[8] = {NULL};
    const void *place;
    void *svm, *args[1] = {NULL};
    cl_event event = NULL;
    cl_ulong time = 0;
    cl_int err, seven = 7;
    cl_uint count = 0;
    char text[64] = "";

    kernel = CALL(clCreateKernel)(program, "fake_add_one", &err);
    SAY(err);
    SAY(CALL(clEnqueueNDRangeKernel)(queue, kernel, 1, NULL, &global, NULL, 0, NULL,
                                     NULL));
    SAY(CALL(clSetKernelArg)(kernel, 0, sizeof buffer, &buffer));
    SAY(CALL(clSetKernelArg)(kernel, 0, 3, &buffer));
    SAY(CALL(clSetKernelArg)(kernel, 9, sizeof buffer, &buffer));
    SAY(CALL(clSetKernelArg)(kernel, 0, sizeof buffer, &queue));
    SAY(CALL(clSetKernelArg)(NULL, 0, 0, NULL));
    SAY(CALL(clEnqueueNDRangeKernel)(queue, kernel, 1, NULL, &global, &local, 0, NULL,
                                     &event));
    SAY(CALL(clSetEventCallback)(event, CL_COMPLETE, on_event, "launch"));
    SAY(CALL(clWaitForEvents)(1, &event));
    SAY(CALL(clGetEventProfilingInfo)(event, CL_PROFILING_COMMAND_END, sizeof time, &time,
                                      NULL));
    SAY(CALL(clEnqueueNDRangeKernel)(queue, kernel, 1, &offset, &small, NULL, 1, &event,
                                     NULL));
    SAY(CALL(clReleaseEvent)(event));
    SAY(CALL(clEnqueueNDRangeKernel)(queue, kernel, 4, NULL, &global, NULL, 0, NULL,
                                     NULL));
    SAY(CALL(clEnqueueNDRangeKernel)(queue, NULL, 1, NULL, &global, NULL, 0, NULL, NULL));
    SAY(CALL(clEnqueueNDRangeKernel)(queue, kernel, 1, NULL, &global, NULL, 1, NULL,
                                     NULL));
    SAY(CALL(clEnqueueTask)(queue, kernel, 0, NULL, NULL));

    clone = CALL(clCloneKernel)(kernel, &err);
    SAY(err);
    SAY(CALL(clRetainKernel)(clone));
    SAY(CALL(clReleaseKernel)(clone));
    SAY(CALL(clEnqueueNDRangeKernel)(queue, clone, 1, NULL, &global, NULL, 0, NULL,
                                     NULL));
    svm = CALL(clSVMAlloc)(context, CL_MEM_READ_WRITE, 256, 0);
    SAY(CALL(clSetKernelArgSVMPointer)(clone, 0, svm));
    SAY(CALL(clSetKernelExecInfo)(clone, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof svm, &svm));
    SAY(CALL(clEnqueueNDRangeKernel)(queue, clone, 1, NULL, &local, NULL, 0, NULL, NULL));
    SAY(CALL(clFinish)(queue));
    if (svm)
        SAY(((int *)svm)[15]);
    CALL(clSVMFree)(context, svm);
    SAY(CALL(clReleaseKernel)(clone));

    local_kernel = CALL(clCreateKernel)(program, "fake_local", &err);
    SAY(CALL(clSetKernelArg)(local_kernel, 1, 128, NULL));
    SAY(CALL(clSetKernelArg)(local_kernel, 0, sizeof(cl_mem), NULL));
    SAY(CALL(clEnqueueNDRangeKernel)(queue, local_kernel, 1, NULL, &global, NULL, 0, NULL,
                                     NULL));
    SAY(CALL(clReleaseKernel)(local_kernel));
    SAY(CALL(clCreateKernelsInProgram)(program, 8, kernels, &count));
    SAY(count);
    for (cl_uint i = 0; i < count; i++)
        SAY(CALL(clReleaseKernel)(kernels[i]));
    SAY(CALL(clCreateKernel)(program, "fake_nothing", &err) == NULL);
    SAY(err);
    SAY(CALL(clGetKernelArgInfo)(kernel, 0, CL_KERNEL_ARG_NAME, sizeof text, text, NULL));
    puts(text);

    local_kernel = CALL(clCreateKernel)(program, "fake_fill", &err);
    SAY(CALL(clSetKernelArg)(local_kernel, 0, sizeof buffer, &buffer));
    SAY(CALL(clSetKernelArg)(local_kernel, 1, sizeof seven, &seven));
    SAY(CALL(clEnqueueTask)(queue, local_kernel, 0, NULL, NULL));
    /* Released before it has run, and its handle may be the next one made. */
    SAY(CALL(clReleaseKernel)(local_kernel));
    SAY(CALL(clReleaseKernel)(kernel));
    SAY(CALL(clReleaseKernel)(NULL));

    place = &args[0];
    SAY(CALL(clEnqueueNativeKernel)(queue, native, args, sizeof args, 1, &buffer, &place,
                                    0, NULL, NULL));
    SAY(CALL(clEnqueueNativeKernel)(queue, NULL, NULL, 0, 0, NULL, NULL, 0, NULL, NULL));
    SAY(CALL(clEnqueueReadBuffer)(queue, buffer, CL_TRUE, 0, sizeof data, data, 0, NULL,
                                  NULL));
    for (int i = 0; i < 64; i++)
        printf("%d ", data[i]);
    puts("");
}

static void transfers(cl_mem buffer, cl_mem other)
{
    const size_t origin[3] = {4, 1, 0}, host_origin[3] = {0, 0, 0}, region[3] = {8, 2, 1};
    const int pattern[2] = {5, 6};
    cl_event user, event = NULL, list[2] = {NULL, NULL};
    int *mapped;
    cl_int err;

    SAY(CALL(clEnqueueWriteBuffer)(queue, buffer, CL_TRUE, 0, sizeof data, data, 0, NULL,
                                   NULL));
    user = CALL(clCreateUserEvent)(context, &err);
    SAY(CALL(clEnqueueWriteBuffer)(queue, other, CL_FALSE, 0, 64, data, 1, &user,
                                   &event));
    SAY(CALL(clEnqueueCopyBuffer)(queue, other, buffer, 0, 64, 64, 1, &event, &list[0]));
    SAY(CALL(clEnqueueMarkerWithWaitList)(queue, 1, &list[0], &list[1]));
    SAY(CALL(clFlush)(queue));
    SAY(CALL(clSetUserEventStatus)(user, CL_COMPLETE));
    SAY(CALL(clWaitForEvents)(2, list));
    SAY(CALL(clRetainEvent)(user));
    SAY(CALL(clReleaseEvent)(user));
    SAY(CALL(clReleaseEvent)(user));
    SAY(CALL(clReleaseEvent)(event));
    SAY(CALL(clReleaseEvent)(list[0]));
    SAY(CALL(clReleaseEvent)(list[1]));

    SAY(CALL(clEnqueueWriteBufferRect)(queue, buffer, CL_TRUE, origin, host_origin,
                                       region, 16, 0, 8, 0, data, 0, NULL, NULL));
    SAY(CALL(clEnqueueReadBufferRect)(queue, buffer, CL_TRUE, origin, host_origin, region,
                                      16, 0, 8, 0, data, 0, NULL, NULL));
    SAY(CALL(clEnqueueReadBufferRect)(queue, buffer, CL_TRUE, origin, host_origin, region,
                                      4, 0, 0, 0, data, 0, NULL, NULL));
    SAY(CALL(clEnqueueWriteBufferRect)(queue, NULL, CL_TRUE, origin, host_origin, region,
                                       4, 0, 0, 0, data, 0, NULL, NULL));
    SAY(CALL(clEnqueueCopyBufferRect)(queue, buffer, other, origin, host_origin, region,
                                      16, 0, 8, 0, 0, NULL, NULL));
    SAY(CALL(clEnqueueCopyBuffer)(queue, buffer, buffer, 0, 4, 64, 0, NULL, NULL));
    SAY(CALL(clEnqueueFillBuffer)(queue, buffer, pattern, 8, 8, 64, 0, NULL, NULL));
    SAY(CALL(clEnqueueFillBuffer)(queue, buffer, pattern, 3, 8, 64, 0, NULL, NULL));
    SAY(CALL(clEnqueueMigrateMemObjects)(queue, 1, &buffer, CL_MIGRATE_MEM_OBJECT_HOST, 0,
                                         NULL, NULL));
    SAY(CALL(clEnqueueMigrateMemObjects)(queue, 0, NULL, 0, 0, NULL, NULL));
    SAY(CALL(clEnqueueReadBuffer)(queue, buffer, CL_TRUE, 250, 64, data, 0, NULL, NULL));
    SAY(CALL(clEnqueueReadBuffer)(queue, (cl_mem)context, CL_TRUE, 0, 4, data, 0, NULL,
                                  NULL));
    SAY(CALL(clEnqueueReadBuffer)(queue, buffer, CL_TRUE, 0, 0, data, 0, NULL, NULL));
    SAY(CALL(clEnqueueReadBuffer)(queue, buffer, CL_TRUE, 0, 4, NULL, 0, NULL, NULL));
    SAY(CALL(clEnqueueWriteBuffer)(queue, NULL, CL_TRUE, 0, 4, data, 0, NULL, NULL));

    mapped = CALL(clEnqueueMapBuffer)(queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                      16, 64, 0, NULL, NULL, &err);
    SAY(err);
    if (mapped) {
        SAY(mapped[0]);
        mapped[0] = 1234;
    }
    SAY(CALL(clEnqueueUnmapMemObject)(queue, buffer, mapped, 0, NULL, NULL));
    SAY(CALL(clEnqueueUnmapMemObject)(queue, buffer, data, 0, NULL, NULL));
    SAY(CALL(clEnqueueMapBuffer)(queue, buffer, CL_TRUE, 1u << 20, 0, 4, 0, NULL, NULL,
                                 &err) == NULL);
    SAY(err);
    SAY(CALL(clEnqueueMapBuffer)(queue, buffer, CL_TRUE, CL_MAP_READ, 300, 4, 0, NULL,
                                 NULL, NULL) == NULL);
    SAY(CALL(clEnqueueReadBuffer)(queue, buffer, CL_TRUE, 0, sizeof data, data, 0, NULL,
                                  NULL));
    for (int i = 0; i < 64; i++)
        printf("%d ", data[i]);
    puts("");
}

static void images(cl_mem buffer)
{
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    const size_t origin[3] = {1, 0, 0}, region[3] = {2, 2, 1};
    cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    cl_mem image, from_buffer;
    cl_int err;

    image = CALL(clCreateImage)(context, CL_MEM_READ_WRITE, &format, &desc, NULL, &err);
    SAY(err);
    SAY(CALL(clEnqueueCopyBufferToImage)(queue, buffer, image, 0, origin, region, 0, NULL,
                                         NULL));
    SAY(CALL(clEnqueueCopyImageToBuffer)(queue, image, buffer, origin, region, 64, 0,
                                         NULL, NULL));
    SAY(CALL(clEnqueueCopyBufferToImage)(queue, buffer, buffer, 0, origin, region, 0,
                                         NULL, NULL));
    SAY(CALL(clEnqueueCopyImageToBuffer)(queue, NULL, buffer, origin, region, 64, 0, NULL,
                                         NULL));
    desc = (cl_image_desc){
        .image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 64, .buffer = buffer};
    from_buffer = CALL(clCreateImageWithProperties)(context, NULL, CL_MEM_READ_WRITE,
                                                    &format, &desc, NULL, &err);
    SAY(err);
    SAY(CALL(clReleaseMemObject)(from_buffer));
    SAY(CALL(clReleaseMemObject)(image));
    SAY(CALL(clCreateImage)(context, CL_MEM_READ_WRITE, NULL, NULL, NULL, &err) == NULL);
    SAY(err);
}

static void memory(void)
{
    cl_buffer_region region = {128, 64}, misaligned = {4, 64};
    cl_mem buffer, other, part;
    cl_uint count = 0;
    cl_int err;

    for (int i = 0; i < 64; i++)
        data[i] = i;
    buffer = CALL(clCreateBuffer)(context, CL_MEM_COPY_HOST_PTR, sizeof data, data, &err);
    SAY(err);
    other = CALL(clCreateBufferWithProperties)(context, NULL, CL_MEM_READ_WRITE,
                                               sizeof data, NULL, &err);
    SAY(err);
    part =
        CALL(clCreateSubBuffer)(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &err);
    SAY(err);
    SAY(CALL(clCreateSubBuffer)(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &misaligned,
                                &err) == NULL);
    SAY(err);
    SAY(CALL(clCreateSubBuffer)(buffer, 0, 0, NULL, NULL) == NULL);
    SAY(CALL(clCreateBuffer)(context, 0, 0, NULL, &err) == NULL);
    SAY(err);
    SAY(CALL(clCreateBuffer)(context, CL_MEM_USE_HOST_PTR, 64, NULL, &err) == NULL);
    SAY(err);
    SAY(CALL(clCreateBuffer)((cl_context)queue, 0, 64, NULL, NULL) == NULL);
    SAY(CALL(clCreateBuffer)(NULL, 0, 64, NULL, NULL) == NULL);
    SAY(CALL(clSetMemObjectDestructorCallback)(other, on_destroyed, "other"));
    SAY(CALL(clRetainMemObject)(buffer));
    SAY(CALL(clReleaseMemObject)(buffer));
    SAY(CALL(clRetainMemObject)(NULL));
    SAY(CALL(clGetMemObjectInfo)(buffer, CL_MEM_REFERENCE_COUNT, sizeof count, &count,
                                 NULL));
    SAY(count);

    launches(buffer);
    transfers(buffer, other);
    images(buffer);
    SAY(CALL(clEnqueueReadBuffer)(queue, part, CL_TRUE, 0, 4, data, 0, NULL, NULL));
    SAY(CALL(clReleaseMemObject)(part));
    SAY(CALL(clReleaseMemObject)(other));
    SAY(CALL(clReleaseMemObject)(buffer));
    SAY(CALL(clReleaseMemObject)(NULL));
}

static void extensions(void)
{
    cl_int (*unrelated)(cl_int);
    void *function;

    function =
        CALL(clGetExtensionFunctionAddressForPlatform)(platform, "clFakeUnrelatedEXT");
    memcpy(&unrelated, &function, sizeof function);
    if (unrelated)
        SAY(unrelated(41));
    SAY(CALL(clGetExtensionFunctionAddress)("clNoSuchEXT") == NULL);
    SAY(CALL(clGetExtensionFunctionAddressForPlatform)(platform, "clNoSuchEXT") == NULL);
    SAY(CALL(clGetExtensionFunctionAddressForPlatform)(platform, "clSetKernelArg") ==
        NULL);
}

void calls_run(void)
{
    find_functions();
    platforms_and_contexts();
    queues();
    programs();
    memory();
    extensions();
    SAY(CALL(clReleaseProgram)(program));
    SAY(CALL(clReleaseCommandQueue)(queue));
    SAY(CALL(clReleaseContext)(context));
    fflush(stdout);
    write_counts();
}
