/* An annotated program over the fake driver, a case an entry point (or a few): argv[1]
 * names it. What the program sees goes to standard output and is the same without DL;
 * what DL did about it, tiles_test.sh reads from the statistics and from the driver's
 * log. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>

enum { ITEMS = 77, BYTES = ITEMS * 12 };

static const char source[] =
    "typedef struct { float x, y; int n; } particle;\n"
    "//DL: AoS: p[n]\n"
    "__kernel void fake_step(__global particle *p, int n)\n"
    "{ int i = get_global_id(0); if (i < n) { p[i].x += p[i].y; p[i].n++; } }\n"
    "__kernel void fake_add_one(__global int *a) { a[get_global_id(0)] += 1; }\n";

static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_kernel step, plain;
static cl_mem a, b;

static void must_at(cl_int err, int line)
{
    if (err == CL_SUCCESS)
        return;
    printf("line %d: %d\n", line, err);
    exit(1);
}
#define must(err) must_at(err, __LINE__)
#define MADE(object, call)                                                               \
    do {                                                                                 \
        cl_int made;                                                                     \
        object = call;                                                                   \
        must(made);                                                                      \
    } while (0)

static void CL_CALLBACK context_ends(cl_context ended, void *user)
{
    (void)ended;
    (void)user;
    puts("the context has ended");
}

static void build(cl_program text)
{
    must(clBuildProgram(text, 1, &device, "", NULL, NULL));
}

static cl_program program_from_source(void)
{
    const char *text = source;
    cl_program built;

    MADE(built, clCreateProgramWithSource(context, 1, &text, NULL, &made));
    build(built);
    return built;
}

static void open_context(void)
{
    must(clGetPlatformIDs(1, &platform, NULL));
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    MADE(context, clCreateContext(NULL, 1, &device, NULL, NULL, &made));
}

static void open_rest(void)
{
    MADE(queue, clCreateCommandQueueWithProperties(context, device, NULL, &made));
    program = program_from_source();
    MADE(step, clCreateKernel(program, "fake_step", &made));
    MADE(plain, clCreateKernel(program, "fake_add_one", &made));
    MADE(a, clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL, &made));
    MADE(b, clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL, &made));
}

static void open_all(void)
{
    open_context();
    open_rest();
}

static void launch(cl_command_queue on, cl_kernel kernel)
{
    const size_t global = ITEMS;

    must(clEnqueueNDRangeKernel(on, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
}

static void step_on(cl_command_queue on, cl_kernel kernel, cl_mem mem)
{
    const cl_int n = ITEMS;

    must(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    must(clSetKernelArg(kernel, 1, sizeof n, &n));
    launch(on, kernel);
}

static void plain_on(cl_kernel kernel, cl_mem mem)
{
    must(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    launch(queue, kernel);
}

static void close_all(void)
{
    must(clReleaseMemObject(a));
    must(clReleaseMemObject(b));
    must(clReleaseKernel(step));
    must(clReleaseKernel(plain));
    must(clReleaseProgram(program));
    must(clReleaseCommandQueue(queue));
    must(clReleaseContext(context));
}

/* ---- made in every way, a kernel is rewritten and its buffer tiled
 * ------------------------------- */

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

static void *address(const char *name)
{
    void *found = clGetExtensionFunctionAddressForPlatform(platform, name);

    must(found ? CL_SUCCESS : CL_INVALID_VALUE);
    return found;
}
#define GET(function, name)                                                              \
    do {                                                                                 \
        void *found = address(name);                                                     \
        memcpy(&function, &found, sizeof found);                                         \
    } while (0)

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

static void compiled_and_linked(void)
{
    const char *text = source;
    cl_program unit;

    open_all();
    must(clReleaseKernel(step));
    MADE(unit, clCreateProgramWithSource(context, 1, &text, NULL, &made));
    must(clCompileProgram(unit, 1, &device, "", 0, NULL, NULL, NULL, NULL));
    must(clReleaseProgram(program));
    MADE(program, clLinkProgram(context, 1, &device, "", 1, &unit, NULL, NULL, &made));
    must(clReleaseProgram(unit));
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

/* ---- retained and released once, an object is the program's as before
 * ---------------------------- */

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

/* The last release is the end of everything, DL's own objects too; each of these leaves
 * one kind of object for the last. */
static void ends(void)
{
    open_all();
    must(clSetContextDestructorCallback(context, context_ends, NULL));
    step_on(queue, step, a);
    must(clFinish(queue));
}

/* ---- a kernel of any origin brings back what it is given, no more
 * ------------------------------- */

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

/* ---- arguments that are no buffers
 * -------------------------------------------------------------- */

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

/* ---- commands on buffers
 * ------------------------------------------------------------------------ */

static void tiled_again_after_unmap(void)
{
    void *mapped;

    open_all();
    step_on(queue, step, a);
    MADE(mapped, clEnqueueMapBuffer(queue, a, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                    BYTES, 0, NULL, NULL, &made));
    must(clEnqueueUnmapMemObject(queue, a, mapped, 0, NULL, NULL));
    step_on(queue, step, a);
}

static void image_of(cl_bool properties)
{
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                          .image_width = 8,
                          .image_height = 8,
                          .image_row_pitch = 32};
    cl_mem image;

    open_all();
    desc.mem_object = a;
    step_on(queue, step, a);
    if (properties)
        MADE(image, clCreateImageWithProperties(context, NULL, CL_MEM_READ_WRITE, &format,
                                                &desc, NULL, &made));
    else
        MADE(image,
             clCreateImage(context, CL_MEM_READ_WRITE, &format, &desc, NULL, &made));
    step_on(queue, step, a);
    must(clReleaseMemObject(image));
    step_on(queue, step, a);
}

static void image_of_buffer(void)
{
    image_of(CL_FALSE);
}

static void image_of_buffer_with_properties(void)
{
    image_of(CL_TRUE);
}

/* The buffer is tiled on one queue while another moves it: the tiling comes after. */
static void migrated_on_another_queue(void)
{
    cl_command_queue other;

    open_all();
    MADE(other, clCreateCommandQueueWithProperties(context, device, NULL, &made));
    must(clEnqueueMigrateMemObjects(other, 1, &a, 0, 0, NULL, NULL));
    step_on(queue, step, a);
    must(clFinish(queue));
    must(clReleaseCommandQueue(other));
}

static void unmapped_on_another_queue(void)
{
    cl_command_queue other;
    void *mapped;

    open_all();
    MADE(other, clCreateCommandQueueWithProperties(context, device, NULL, &made));
    MADE(mapped, clEnqueueMapBuffer(queue, a, CL_TRUE, CL_MAP_READ, 0, BYTES, 0, NULL,
                                    NULL, &made));
    must(clEnqueueUnmapMemObject(other, a, mapped, 0, NULL, NULL));
    step_on(queue, step, a);
    must(clFinish(queue));
    must(clReleaseCommandQueue(other));
}

/* An image of a buffer that is still being brought back, on another queue. */
static cl_mem image_on_its_way(cl_command_queue *other)
{
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                          .image_width = 8,
                          .image_height = 8,
                          .image_row_pitch = 32};
    cl_mem image;

    open_all();
    desc.mem_object = a;
    MADE(*other, clCreateCommandQueueWithProperties(context, device, NULL, &made));
    step_on(queue, step, a);
    MADE(image, clCreateImage(context, CL_MEM_READ_WRITE, &format, &desc, NULL, &made));
    return image;
}

static void image_is_done(cl_command_queue other, cl_mem image)
{
    must(clFinish(other));
    must(clReleaseMemObject(image));
    must(clReleaseCommandQueue(other));
}

static const size_t image_origin[3] = {0, 0, 0}, image_region[3] = {4, 4, 1};

static void image_read(void)
{
    unsigned char bytes[64];
    cl_command_queue other;
    cl_mem image = image_on_its_way(&other);

    must(clEnqueueReadImage(other, image, CL_FALSE, image_origin, image_region, 0, 0,
                            bytes, 0, NULL, NULL));
    image_is_done(other, image);
}

static void image_written(void)
{
    const unsigned char bytes[64] = {1};
    cl_command_queue other;
    cl_mem image = image_on_its_way(&other);

    must(clEnqueueWriteImage(other, image, CL_FALSE, image_origin, image_region, 0, 0,
                             bytes, 0, NULL, NULL));
    image_is_done(other, image);
}

static void image_copied(void)
{
    const size_t target[3] = {4, 4, 0};
    cl_command_queue other;
    cl_mem image = image_on_its_way(&other);

    must(clEnqueueCopyImage(other, image, image, image_origin, target, image_region, 0,
                            NULL, NULL));
    image_is_done(other, image);
}

/* The driver has neither of the next two, but says what it was asked to wait for. */
static void image_filled(void)
{
    const cl_uint color[4] = {1, 2, 3, 4};
    cl_command_queue other;
    cl_mem image = image_on_its_way(&other);

    printf("fill %d\n", clEnqueueFillImage(other, image, color, image_origin,
                                           image_region, 0, NULL, NULL));
    image_is_done(other, image);
}

static void image_mapped(void)
{
    cl_command_queue other;
    cl_mem image = image_on_its_way(&other);
    cl_int err = CL_SUCCESS;
    size_t row;

    clEnqueueMapImage(other, image, CL_FALSE, CL_MAP_READ, image_origin, image_region,
                      &row, NULL, 0, NULL, NULL, &err);
    printf("map %d\n", err);
    image_is_done(other, image);
}

/* ---- what the program may ask
 * ------------------------------------------------------------------- */

static void asked(void)
{
    cl_command_queue_properties properties = 99;
    const size_t global = ITEMS;
    cl_ulong time = 0;
    cl_uint count = 0;
    cl_event event;

    open_all();
    step_on(queue, step, a);
    must(clEnqueueNDRangeKernel(queue, step, 1, NULL, &global, NULL, 0, NULL, &event));
    must(clFinish(queue));
    must(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties,
                               NULL));
    printf("queue properties %lu\n", (unsigned long)properties);
    printf("profiling %d\n", clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START,
                                                     sizeof time, &time, NULL));
    must(clReleaseEvent(event));
    must(clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof count, &count,
                          NULL));
    printf("context references %u\n", count);
}

/* ---- commands recorded now and run later
 * -------------------------------------------------------- */

static void *recording(void)
{
    void *(*create)(cl_uint, const cl_command_queue *, const cl_ulong *, cl_int *);
    void *commands;

    GET(create, "clCreateCommandBufferKHR");
    MADE(commands, create(1, &queue, NULL, &made));
    return commands;
}

static void recording_ends(void *commands)
{
    cl_int (*release)(void *);

    GET(release, "clReleaseCommandBufferKHR");
    must(release(commands));
}

static void recorded_copy(void)
{
    cl_int (*copy)(void *, cl_command_queue, cl_mem, cl_mem, size_t, size_t, size_t,
                   cl_uint, const cl_uint *, cl_uint *, void *);
    void *commands;

    open_all();
    step_on(queue, step, a);
    commands = recording();
    GET(copy, "clCommandCopyBufferKHR");
    must(copy(commands, NULL, a, b, 0, 0, BYTES, 0, NULL, NULL, NULL));
    step_on(queue, step, a);
    recording_ends(commands);
}

static void recorded_rect(void)
{
    cl_int (*rect)(void *, cl_command_queue, cl_mem, cl_mem, const size_t *,
                   const size_t *, const size_t *, size_t, size_t, size_t, size_t,
                   cl_uint, const cl_uint *, cl_uint *, void *);
    const size_t zero[3] = {0, 0, 0}, region[3] = {4, 2, 1};
    void *commands;

    open_all();
    step_on(queue, step, b);
    commands = recording();
    GET(rect, "clCommandCopyBufferRectKHR");
    must(rect(commands, NULL, a, b, zero, zero, region, 8, 16, 8, 16, 0, NULL, NULL,
              NULL));
    step_on(queue, step, b);
    recording_ends(commands);
}

static void recorded_fill(void)
{
    cl_int (*fill)(void *, cl_command_queue, cl_mem, const void *, size_t, size_t, size_t,
                   cl_uint, const cl_uint *, cl_uint *, void *);
    const int five = 5;
    void *commands;

    open_all();
    step_on(queue, step, a);
    commands = recording();
    GET(fill, "clCommandFillBufferKHR");
    must(fill(commands, NULL, a, &five, sizeof five, 0, 8, 0, NULL, NULL, NULL));
    step_on(queue, step, a);
    recording_ends(commands);
}

static void recorded_kernel(void)
{
    cl_int (*ndrange)(void *, cl_command_queue, const void *, cl_kernel, cl_uint,
                      const size_t *, const size_t *, const size_t *, cl_uint,
                      const cl_uint *, cl_uint *, void *);
    const size_t global = ITEMS;
    void *commands;

    open_all();
    must(clSetKernelArg(plain, 0, sizeof a, &a));
    step_on(queue, step, a);
    commands = recording();
    GET(ndrange, "clCommandNDRangeKernelKHR");
    must(ndrange(commands, NULL, NULL, plain, 1, NULL, &global, NULL, 0, NULL, NULL,
                 NULL));
    step_on(queue, step, a);
    recording_ends(commands);
}

static void recorded_commands_change(void)
{
    cl_int (*update)(void *, const void *);
    void *commands;
    int unused = 0;

    open_all();
    step_on(queue, step, a);
    commands = recording();
    GET(update, "clUpdateMutableCommandsKHR");
    must(update(commands, &unused));
    step_on(queue, step, b);
    recording_ends(commands);
}

/* What the recorded command waits for may be on its way on another queue. */
static void recorded_for_another_queue(void)
{
    cl_int (*fill)(void *, cl_command_queue, cl_mem, const void *, size_t, size_t, size_t,
                   cl_uint, const cl_uint *, cl_uint *, void *);
    cl_int (*enqueue)(cl_uint, cl_command_queue *, void *, cl_uint, const cl_event *,
                      cl_event *);
    cl_int (*finalize)(void *);
    cl_command_queue other;
    const int five = 5;
    void *commands;

    open_all();
    MADE(other, clCreateCommandQueueWithProperties(context, device, NULL, &made));
    step_on(queue, step, a);
    commands = recording();
    GET(fill, "clCommandFillBufferKHR");
    GET(finalize, "clFinalizeCommandBufferKHR");
    GET(enqueue, "clEnqueueCommandBufferKHR");
    must(fill(commands, NULL, a, &five, sizeof five, 0, 8, 0, NULL, NULL, NULL));
    must(finalize(commands));
    must(enqueue(1, &other, commands, 0, NULL, NULL));
    must(clFlush(queue));
    must(clFinish(other));
    must(clReleaseCommandQueue(other));
    recording_ends(commands);
}

static void kernel_by_address(void)
{
    cl_int (*count)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *,
                    const size_t *, cl_uint, const cl_event *, cl_event *);
    const size_t one = 1;

    open_all();
    must(clSetKernelArg(plain, 0, sizeof a, &a));
    step_on(queue, step, a);
    GET(count, "clEnqueueNDCountKernelINTEL");
    must(count(queue, plain, 1, NULL, &one, NULL, 0, NULL, NULL));
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } cases[] = {
#define CASE(name) {#name, name}
        CASE(made_the_usual_way),
        CASE(context_from_type),
        CASE(queue_of_1_0),
        CASE(queue_by_address),
        CASE(buffer_with_properties),
        CASE(kernels_in_program),
        CASE(compiled_and_linked),
        CASE(cloned_kernel),
        CASE(retained_context),
        CASE(retained_queue),
        CASE(retained_program),
        CASE(retained_kernel),
        CASE(retained_mem),
        CASE(ends),
        CASE(program_from_binary),
        CASE(program_of_built_in_kernels),
        CASE(program_from_il),
        CASE(program_by_address),
        CASE(svm_argument),
        CASE(pointer_argument_by_address),
        CASE(svm_behind_the_arguments),
        CASE(tiled_again_after_unmap),
        CASE(image_of_buffer),
        CASE(image_of_buffer_with_properties),
        CASE(migrated_on_another_queue),
        CASE(unmapped_on_another_queue),
        CASE(image_read),
        CASE(image_written),
        CASE(image_copied),
        CASE(image_filled),
        CASE(image_mapped),
        CASE(asked),
        CASE(recorded_copy),
        CASE(recorded_rect),
        CASE(recorded_fill),
        CASE(recorded_kernel),
        CASE(recorded_commands_change),
        CASE(recorded_for_another_queue),
        CASE(kernel_by_address),
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        if (argc > 1 && strcmp(argv[1], cases[c].name) == 0) {
            cases[c].run();
            close_all();
            puts("done");
            return 0;
        }
        if (argc < 2)
            puts(cases[c].name);
    }
    return argc > 1;
}
