/* SPDX-License-Identifier: MIT */
/* host_binaries WAYS FILE SOURCE OPTIONS: a program that keeps its binaries in a file,
 * with a header of its own in front of them. Builds SOURCE where there is no such file,
 * and writes it; else loads the file and builds that. Launches every kernel, on a buffer
 * of structs of three words, on every device of the context. WAYS, words with commas
 * between them, or "-":
 *
 *   fixed     asks for binaries without asking for their sizes: there is room enough
 *   sizes     asks for sizes alone, and writes nothing
 *   second    takes, writes and loads the binary of the second device alone
 *   last      takes all, and writes and loads that one
 *   object    compiles with -DLINKED and SOURCE's include `particle.h` embedded, keeps
 *             that, and links it with a function that it calls
 *   linked    the same, and keeps what is linked
 *   mixed     writes a blank behind the binary of the first device, which then is another
 *   here      loads what it has just taken, in its first run
 *   threads   loads, launches and takes the binaries again in four threads
 *   twice     takes the binary of the loaded program, too, and writes that
 *   callback  builds with a callback
 *   relaxed   builds what is loaded with another option, plain: with none
 *
 * Prints what the driver says of the program, and the buffers' sums: the same with DL as
 * without. */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

enum {
    ITEMS = 1003,
    WORDS = 3 * ITEMS,
    DEVICES_MAX = 2,
    KERNELS_MAX = 8,
    ROOM = 8 << 20
};

static const char magic[8] = "KEPT 1\n";
static const char *ways, *options;
static cl_context context;
static cl_device_id devices[DEVICES_MAX];
static cl_uint device_count;

struct binaries {
    cl_uint count;
    size_t bytes[DEVICES_MAX];
    unsigned char *data[DEVICES_MAX];
};

static void must_at(cl_int err, int line)
{
    if (err == CL_SUCCESS)
        return;
    printf("line %d: %d\n", line, err);
    exit(1);
}
#define must(err) must_at(err, __LINE__)

static bool has(const char *way)
{
    return strstr(ways, way) != NULL;
}

/* ---- building ---- */

static char *read_text(const char *path)
{
    char *text = calloc(1, 1 << 16);
    FILE *in = fopen(path, "r");

    if (!in || !fread(text, 1, (1 << 16) - 1, in))
        exit(1);
    fclose(in);
    return text;
}

static void CL_CALLBACK note_end(cl_program program, void *ended)
{
    (void)program;
    *(volatile bool *)ended = true;
}

static void build(cl_program program, const char *with)
{
    static bool ended;

    if (has("callback"))
        must(clBuildProgram(program, 0, NULL, with, note_end, &ended));
    else
        must(clBuildProgram(program, 0, NULL, with, NULL, NULL));
}

static cl_program from_string(const char *text)
{
    cl_int err;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &err);

    must(err);
    return program;
}

static cl_program from_text(const char *path)
{
    char *text = read_text(path);
    cl_program program = from_string(text);

    free(text);
    return program;
}

static cl_program link_of(cl_program object)
{
    cl_int err;
    cl_program parts[2] = {object,
                           from_string("float nought(float x);\n"
                                       "float nought(float x) { return x - x; }\n")};
    cl_program program;

    must(clCompileProgram(parts[1], 0, NULL, "", 0, NULL, NULL, NULL, NULL));
    program = clLinkProgram(context, 0, NULL, "", 2, parts, NULL, NULL, &err);
    must(err);
    clReleaseProgram(parts[1]);
    return program;
}

/* Built, or compiled for the link. */
static cl_program build_anew(const char *source)
{
    cl_program program = from_text(source), header;
    const char *name = "particle.h";
    char path[4096];

    if (!has("object") && !has("linked")) {
        build(program, options);
        return program;
    }
    snprintf(path, sizeof path, "%.*s/include/particle.h",
             (int)(strrchr(source, '/') - source), source);
    header = from_text(path);
    snprintf(path, sizeof path, "-DLINKED %s", options);
    must(clCompileProgram(program, 0, NULL, path, 1, &header, &name, NULL, NULL));
    clReleaseProgram(header);
    return has("linked") ? link_of(program) : program;
}

/* ---- the file ---- */

static struct binaries take(cl_program program)
{
    struct binaries taken = {.count = device_count};

    if (!has("fixed"))
        must(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof taken.bytes,
                              taken.bytes, NULL));
    for (cl_uint d = 0; d < device_count; d++)
        taken.data[d] = d == 0 && has("second")
                            ? NULL
                            : calloc(1, has("fixed") ? ROOM : taken.bytes[d] + 1);
    if (!has("sizes"))
        must(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof taken.data, taken.data,
                              NULL));
    if (has("fixed"))
        must(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof taken.bytes,
                              taken.bytes, NULL));
    return taken;
}

static void drop(struct binaries taken)
{
    for (cl_uint d = 0; d < taken.count; d++)
        free(taken.data[d]);
}

static void write_file(const struct binaries *taken, const char *path)
{
    FILE *out = has("sizes") ? NULL : fopen(path, "w");

    if (!out)
        return;
    fwrite(magic, 1, sizeof magic, out);
    for (cl_uint d = 0; d < taken->count; d++) {
        size_t bytes = taken->data[d] && (d > 0 || !has("last")) ? taken->bytes[d] : 0;

        if (d == 0 && has("mixed"))
            taken->data[d][bytes++] = ' ';
        fwrite(&bytes, sizeof bytes, 1, out);
        if (bytes > 0)
            fwrite(taken->data[d], 1, bytes, out);
    }
    fclose(out);
}

static bool read_file(struct binaries *out, const char *path)
{
    FILE *in = fopen(path, "r");
    char head[sizeof magic];

    if (!in)
        return false;
    if (fread(head, 1, sizeof head, in) != sizeof head ||
        memcmp(head, magic, sizeof head) != 0)
        exit(1);
    out->count = device_count;
    for (cl_uint d = 0; d < device_count; d++) {
        if (fread(&out->bytes[d], sizeof out->bytes[d], 1, in) != 1)
            exit(1);
        out->data[d] = malloc(out->bytes[d] + 1);
        if (fread(out->data[d], 1, out->bytes[d], in) != out->bytes[d])
            exit(1);
    }
    fclose(in);
    return true;
}

static cl_program load(const struct binaries *from)
{
    cl_uint first = from->bytes[0] ? 0 : 1;
    cl_int err, status[DEVICES_MAX];
    cl_program program = clCreateProgramWithBinary(
        context, from->count - first, devices + first, from->bytes + first,
        (const unsigned char **)from->data + first, status, &err);

    must(err);
    if (has("object"))
        return link_of(program);
    build(program, has("relaxed") ? "-cl-fast-relaxed-math"
                   : has("plain") ? NULL
                                  : options);
    return program;
}

/* ---- using it ---- */

static void tell(cl_program program)
{
    char text[4096] = "";
    cl_uint count;
    size_t bytes = 0;

    must(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof text, text, NULL));
    printf("kernels %s\n", text);
    must(clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, NULL, &bytes));
    printf("source %zu bytes\n", bytes);
    must(clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof count, &count, NULL));
    for (cl_uint d = device_count - count; d < device_count; d++) {
        cl_build_status status;
        cl_program_binary_type type;

        must(clGetProgramBuildInfo(program, devices[d], CL_PROGRAM_BUILD_STATUS,
                                   sizeof status, &status, NULL));
        must(clGetProgramBuildInfo(program, devices[d], CL_PROGRAM_BINARY_TYPE,
                                   sizeof type, &type, NULL));
        must(clGetProgramBuildInfo(program, devices[d], CL_PROGRAM_BUILD_OPTIONS,
                                   sizeof text, text, NULL));
        printf("built %d, type %u, with '%s'\n", status, type, text);
    }
}

static unsigned run(cl_program program, cl_device_id device)
{
    static const size_t global = ITEMS;
    cl_int err, n = ITEMS, words[WORDS];
    cl_kernel kernels[KERNELS_MAX];
    cl_command_queue queue;
    cl_uint count;
    unsigned sum = 0;
    cl_mem mem;

    for (int i = 0; i < WORDS; i++)
        words[i] = i % 3 == 2 ? i : 0x3f800000 + i % 61 * 0x10000;
    queue = clCreateCommandQueueWithProperties(context, device, NULL, &err);
    must(err);
    mem = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof words, words, &err);
    must(err);
    must(clCreateKernelsInProgram(program, KERNELS_MAX, kernels, &count));
    for (cl_uint k = 0; k < count; k++) {
        must(clSetKernelArg(kernels[k], 0, sizeof mem, &mem));
        must(clSetKernelArg(kernels[k], 1, sizeof n, &n));
        must(clEnqueueNDRangeKernel(queue, kernels[k], 1, NULL, &global, NULL, 0, NULL,
                                    NULL));
        clReleaseKernel(kernels[k]);
    }
    must(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof words, words, 0, NULL, NULL));
    for (int i = 0; i < WORDS; i++)
        sum = sum * 31 + (unsigned)words[i];
    clReleaseMemObject(mem);
    clReleaseCommandQueue(queue);
    return sum;
}

static void *load_and_run(void *from)
{
    cl_program program = load(from);
    unsigned *sum = malloc(sizeof *sum);

    *sum = run(program, devices[device_count - 1]);
    drop(take(program));
    clReleaseProgram(program);
    return sum;
}

static void in_threads(struct binaries *from)
{
    pthread_t threads[4];
    void *sum;

    for (int t = 0; t < 4; t++)
        pthread_create(&threads[t], NULL, load_and_run, from);
    for (int t = 0; t < 4; t++) {
        pthread_join(threads[t], &sum);
        printf("sum %08x\n", *(unsigned *)sum);
    }
}

static void use(cl_program program)
{
    cl_uint count;

    tell(program);
    must(clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof count, &count, NULL));
    for (cl_uint d = device_count - count; d < device_count; d++)
        printf("sum %08x\n", run(program, devices[d]));
}

int main(int argc, char **argv)
{
    cl_program program;
    struct binaries binaries = {.count = 0};
    cl_platform_id platform;
    cl_int err;

    if (argc < 5)
        return 2;
    ways = argv[1];
    options = argv[4];
    must(clGetPlatformIDs(1, &platform, NULL));
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, DEVICES_MAX, devices,
                        &device_count));
    device_count = device_count > DEVICES_MAX ? DEVICES_MAX : device_count;
    context = clCreateContext(NULL, device_count, devices, NULL, NULL, &err);
    must(err);
    if (!read_file(&binaries, argv[2])) {
        program = build_anew(argv[3]);
        binaries = take(program);
        write_file(&binaries, argv[2]);
        use(has("here") ? load(&binaries) : has("object") ? link_of(program) : program);
        return 0;
    }
    if (has("threads")) {
        in_threads(&binaries);
        return 0;
    }
    program = load(&binaries);
    use(program);
    if (has("twice")) {
        binaries = take(program);
        write_file(&binaries, argv[2]);
    }
    return 0;
}
