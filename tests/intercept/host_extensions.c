/* SPDX-License-Identifier: MIT */
/* Uses functions that it gets by address, and says on standard error which handles it
 * passes, in the words of hooks_counting.c, so that the test can compare. argv[1]: old or
 * new, the signatures of cl_khr_command_buffer. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>

static cl_platform_id platform;

static void *get(const char *name)
{
    void *old_way = clGetExtensionFunctionAddress(name);
    void *new_way = clGetExtensionFunctionAddressForPlatform(platform, name);

    /* One driver: one function, and asking twice gives it twice. */
    if (!new_way || (old_way && old_way != new_way) ||
        clGetExtensionFunctionAddressForPlatform(platform, name) != new_way)
        printf("%s: %s\n", name, new_way ? "not always the same" : "missing");
    return new_way;
}
#define GET(function, name)                                                              \
    do {                                                                                 \
        void *address = get(name);                                                       \
        memcpy(&function, &address, sizeof address);                                     \
    } while (0)

static const char *file_of(const void *address)
{
    Dl_info info;
    const char *slash;

    if (!dladdr(address, &info) || !info.dli_fname)
        return "nowhere";
    slash = strrchr(info.dli_fname, '/');
    return slash ? slash + 1 : info.dli_fname;
}

/* Command buffers are void * here: the headers' types differ by version as well. */
static void *(*create)(cl_uint, const cl_command_queue *, const cl_ulong *, cl_int *);
static cl_int (*finalize)(void *), (*release)(void *);
static cl_int (*enqueue)(cl_uint, cl_command_queue *, void *, cl_uint, const cl_event *,
                         cl_event *);
static cl_int (*ndrange)(void *, cl_command_queue, const void *, cl_kernel, cl_uint,
                         const size_t *, const size_t *, const size_t *, cl_uint,
                         const cl_uint *, cl_uint *, void *);
static cl_int (*update)(void *, const void *);
static cl_int (*copy_old)(void *, cl_command_queue, cl_mem, cl_mem, size_t, size_t,
                          size_t, cl_uint, const cl_uint *, cl_uint *, void *);
static cl_int (*copy_new)(void *, cl_command_queue, const void *, cl_mem, cl_mem, size_t,
                          size_t, size_t, cl_uint, const cl_uint *, cl_uint *, void *);
static cl_int (*rect_old)(void *, cl_command_queue, cl_mem, cl_mem, const size_t *,
                          const size_t *, const size_t *, size_t, size_t, size_t, size_t,
                          cl_uint, const cl_uint *, cl_uint *, void *);
static cl_int (*rect_new)(void *, cl_command_queue, const void *, cl_mem, cl_mem,
                          const size_t *, const size_t *, const size_t *, size_t, size_t,
                          size_t, size_t, cl_uint, const cl_uint *, cl_uint *, void *);
static cl_int (*fill_old)(void *, cl_command_queue, cl_mem, const void *, size_t, size_t,
                          size_t, cl_uint, const cl_uint *, cl_uint *, void *);
static cl_int (*fill_new)(void *, cl_command_queue, const void *, cl_mem, const void *,
                          size_t, size_t, size_t, cl_uint, const cl_uint *, cl_uint *,
                          void *);

static void get_all(void)
{
    GET(create, "clCreateCommandBufferKHR");
    GET(finalize, "clFinalizeCommandBufferKHR");
    GET(release, "clReleaseCommandBufferKHR");
    GET(enqueue, "clEnqueueCommandBufferKHR");
    GET(ndrange, "clCommandNDRangeKernelKHR");
    GET(update, "clUpdateMutableCommandsKHR");
    GET(copy_old, "clCommandCopyBufferKHR");
    GET(copy_new, "clCommandCopyBufferKHR");
    GET(rect_old, "clCommandCopyBufferRectKHR");
    GET(rect_new, "clCommandCopyBufferRectKHR");
    GET(fill_old, "clCommandFillBufferKHR");
    GET(fill_new, "clCommandFillBufferKHR");
}

/* The buffers that commands are recorded for: each in one place only. */
static cl_mem mems[5];

static void record(void *commands, int is_new, cl_kernel kernel)
{
    const size_t global = 8, zero[3] = {0, 0, 0}, region[3] = {4, 2, 1};
    const int five = 5;
    void *handles[4] = {NULL, NULL, NULL, NULL};
    cl_int status[4];

    status[0] = ndrange(commands, NULL, NULL, kernel, 1, NULL, &global, NULL, 0, NULL,
                        NULL, &handles[0]);
    fprintf(stderr, "want kernel %p\n", (void *)kernel);
    if (is_new) {
        status[1] = copy_new(commands, NULL, NULL, mems[0], mems[1], 0, 32, 32, 0, NULL,
                             NULL, &handles[1]);
        status[2] = rect_new(commands, NULL, NULL, mems[2], mems[3], zero, zero, region,
                             8, 16, 4, 12, 0, NULL, NULL, &handles[2]);
        status[3] = fill_new(commands, NULL, NULL, mems[4], &five, 4, 0, 4, 0, NULL, NULL,
                             &handles[3]);
    } else {
        status[1] = copy_old(commands, NULL, mems[0], mems[1], 0, 32, 32, 0, NULL, NULL,
                             &handles[1]);
        status[2] = rect_old(commands, NULL, mems[2], mems[3], zero, zero, region, 8, 16,
                             4, 12, 0, NULL, NULL, &handles[2]);
        status[3] =
            fill_old(commands, NULL, mems[4], &five, 4, 0, 4, 0, NULL, NULL, &handles[3]);
    }
    for (int i = 0; i < 5; i++)
        fprintf(stderr, "want mem %p\n", (void *)mems[i]);
    for (int i = 0; i < 4; i++)
        printf("recorded %d %d\n", status[i], handles[i] == commands);
}

static void command_buffer(int is_new, cl_command_queue queue, cl_kernel kernel)
{
    int data[16];
    cl_int err;
    void *commands = create(1, &queue, NULL, &err);

    record(commands, is_new, kernel);
    printf("finalized %d\n", finalize(commands));
    printf("enqueued %d\n", enqueue(1, &queue, commands, 0, NULL, NULL));
    fprintf(stderr, "want adopt commands 1 %p %p\n", (void *)queue, commands);
    fprintf(stderr, "want order 1 %p %p\n", (void *)queue, commands);
    printf("updated %d\n", update(commands, &err));
    /* Errors are the driver's own. */
    printf("bad %d\n", enqueue(0, NULL, NULL, 0, NULL, NULL));
    printf("bad %d\n",
           ndrange(NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, 0, NULL, NULL, NULL));
    printf("released %d\n", release(commands));
    for (int k = 0; k < 5; k++) {
        clEnqueueReadBuffer(queue, mems[k], CL_TRUE, 0, sizeof data, data, 0, NULL, NULL);
        for (int i = 0; i < 16; i++)
            printf("%d ", data[i]);
        puts("");
    }
}

static void others(cl_context context, cl_device_id device, cl_command_queue queue,
                   cl_kernel kernel)
{
    cl_command_queue (*create_queue)(cl_context, cl_device_id, const cl_ulong *,
                                     cl_int *);
    cl_program (*create_program)(cl_context, const void *, size_t, cl_int *);
    cl_int (*set_pointer)(cl_kernel, cl_uint, const void *);
    cl_int (*count_launch)(cl_command_queue, cl_kernel, cl_uint, const size_t *,
                           const size_t *, const size_t *, cl_uint, const cl_event *,
                           cl_event *);
    cl_mem (*create_buffer)(cl_context, cl_mem_flags, size_t, void *, cl_int *);
    const size_t global = 8;
    cl_command_queue second;
    cl_program program;
    cl_mem mem;
    void *svm = clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0);
    cl_int err;

    GET(create_queue, "clCreateCommandQueueWithPropertiesKHR");
    GET(create_program, "clCreateProgramWithILKHR");
    GET(set_pointer, "clSetKernelArgMemPointerINTEL");
    GET(count_launch, "clEnqueueNDCountKernelINTEL");
    second = create_queue(context, device, NULL, &err);
    fprintf(stderr, "want adopt queue %p %p %p\n", (void *)context, (void *)device,
            (void *)second);
    printf("queue %d %d\n", err, create_queue(NULL, device, NULL, NULL) == NULL);
    program = create_program(context, "FAKEIL __kernel void k(int a) {}", 32, &err);
    fprintf(stderr, "want adopt program %p %p\n", (void *)context, (void *)program);
    printf("program %d %d\n", err, create_program(context, "x", 1, &err) == NULL);
    printf("err %d\n", err);
    printf("launch %d\n",
           count_launch(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    printf("pointer %d\n", set_pointer(kernel, 0, svm));
    fprintf(stderr, "want forget %p 0\n", (void *)kernel);

    /* A wrapped core function by address is wrapped too. */
    GET(create_buffer, "clCreateBuffer");
    mem = create_buffer(context, 0, 64, NULL, &err);
    printf("buffer %d %d\n", err, mem != NULL);
    clReleaseMemObject(mem);
    clReleaseProgram(program);
    clReleaseCommandQueue(second);
    clSVMFree(context, svm);
    printf("unrelated is of %s\n", file_of(get("clFakeUnrelatedEXT")));
    printf("none is %s\n",
           file_of(clGetExtensionFunctionAddressForPlatform(platform, "clNone")));
    printf("NULL is %s\n",
           file_of(clGetExtensionFunctionAddressForPlatform(platform, NULL)));
    printf("NULL platform: %d\n",
           clGetExtensionFunctionAddressForPlatform(NULL, "clCreateBuffer") != NULL);
}

int main(int argc, char **argv)
{
    static const char *text =
        "__kernel void fake_add_one(__global int *a) { a[get_global_id(0)]++; }";
    int data[16] = {1, 2, 3, 4, 5, 6, 7, 8},
        is_new = argc > 1 && strcmp(argv[1], "new") == 0;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_mem a;

    setvbuf(stderr, NULL, _IOLBF, 0);
    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    queue = clCreateCommandQueueWithProperties(context, device, NULL, NULL);
    program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
    kernel = clCreateKernel(program, "fake_add_one", NULL);
    a = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof data, data, NULL);
    for (int i = 0; i < 5; i++)
        mems[i] = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof data, data, NULL);
    clSetKernelArg(kernel, 0, sizeof a, &a);

    get_all();
    command_buffer(is_new, queue, kernel);
    others(context, device, queue, kernel);

    clReleaseMemObject(a);
    for (int i = 0; i < 5; i++)
        clReleaseMemObject(mems[i]);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return 0;
}
