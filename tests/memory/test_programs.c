/* SPDX-License-Identifier: MIT */
/* Claim: kernels of programs built in every way compute what they compute without DL, in
 * tiles: with headers, embedded or on disk; built again with other options; with
 * conditions that only the device's compiler can decide; with constant buffers. */
#include "suite.h"
#include "world.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ITEM                                                                             \
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"                                    \
    "typedef struct { int a; float b; uchar c[4]; short e; double d; } item;\n"
#define ADD(value)                                                                       \
    "//DL: AoS: f[n]\n"                                                                  \
    "__kernel void add(__global item *f, int n)\n"                                       \
    "{ int i = get_global_id(0); if (i < n) f[i].a += " value "; }\n"

static struct world w;

static cl_program program_of(const char *text)
{
    cl_int err;
    cl_program program = clCreateProgramWithSource(w.context, 1, &text, NULL, &err);

    must(err);
    return program;
}

/* Launches the program's kernel `add`, which adds `value` to each item. */
static void add(cl_program program, unsigned value)
{
    cl_int err;
    cl_kernel kernel = clCreateKernel(program, "add", &err);

    must(err);
    world_launch(&w, w.queue, kernel, w.buffer, 0, NULL, NULL);
    for (size_t i = 0; i < ITEMS; i++) {
        unsigned char *at = w.model + i * sizeof(struct item);
        cl_uint a;

        memcpy(&a, at, sizeof a);
        a += value;
        memcpy(at, &a, sizeof a);
    }
    world_check(&w);
    must(clReleaseKernel(kernel));
}

START_TEST(kernel_in_an_embedded_header)
{
    const char *names[] = {"parts/item.h", "parts/add.h"};
    cl_program headers[2], unit, linked;
    cl_int err;

    world_begin(&w);
    headers[0] = program_of(ITEM);
    headers[1] = program_of("#include \"parts/item.h\"\n" ADD("STEP"));
    unit = program_of("#define STEP 5\n#include \"parts/add.h\"\n");
    must(clCompileProgram(unit, 1, &w.device, NULL, 2, headers, names, NULL, NULL));
    linked = clLinkProgram(w.context, 1, &w.device, NULL, 1, &unit, NULL, NULL, &err);
    must(err);
    add(linked, 5);
    /* Compiled again with another header of that name. */
    must(clReleaseProgram(headers[1]));
    must(clReleaseProgram(linked));
    headers[1] = program_of("#include \"parts/item.h\"\n" ADD("2 * STEP"));
    must(clCompileProgram(unit, 1, &w.device, NULL, 2, headers, names, NULL, NULL));
    linked = clLinkProgram(w.context, 1, &w.device, NULL, 1, &unit, NULL, NULL, &err);
    must(err);
    add(linked, 10);
    must(clReleaseProgram(linked));
    must(clReleaseProgram(unit));
    must(clReleaseProgram(headers[0]));
    must(clReleaseProgram(headers[1]));
    world_end(&w);
}
END_TEST

static void write_file(const char *dir, const char *name, const char *text)
{
    char path[256];
    FILE *out;

    snprintf(path, sizeof path, "%s/%s", dir, name);
    out = fopen(path, "w");
    ck_assert_ptr_nonnull(out);
    fputs(text, out);
    ck_assert_int_eq(fclose(out), 0);
}

START_TEST(kernel_in_an_included_file)
{
    char dir[] = "/tmp/dl-programs-XXXXXX", options[64], path[64];
    cl_program program;

    world_begin(&w);
    ck_assert_ptr_nonnull(mkdtemp(dir));
    write_file(dir, "item.h", "#pragma once\n" ITEM);
    write_file(dir, "add.cl", "#include \"item.h\"\n" ADD("9"));
    snprintf(options, sizeof options, "-I%s", dir);
    program = program_of("#include \"item.h\"\n#include <add.cl>\n");
    must(clBuildProgram(program, 1, &w.device, options, NULL, NULL));
    add(program, 9);
    must(clReleaseProgram(program));
    snprintf(path, sizeof path, "%s/item.h", dir);
    unlink(path);
    snprintf(path, sizeof path, "%s/add.cl", dir);
    unlink(path);
    rmdir(dir);
    world_end(&w);
}
END_TEST

START_TEST(built_again_with_other_options)
{
    static const char *const options[] = {"-DSTEP=1", "-D STEP=30 -cl-mad-enable",
                                          "-DSTEP=1"};
    static const unsigned steps[] = {1, 30, 1};
    cl_program program;

    world_begin(&w);
    program = program_of(ITEM ADD("STEP"));
    for (int i = 0; i < 3; i++) {
        must(clBuildProgram(program, 1, &w.device, options[i], NULL, NULL));
        add(program, steps[i]);
    }
    must(clReleaseProgram(program));
    world_end(&w);
}
END_TEST

/* libclang parses for no processor in particular, a CPU's compiler for that one. */
#define STEP_OF_THE_DEVICE                                                               \
    "#define CPU (defined __x86_64__ || defined __aarch64__ || "                         \
    "defined __powerpc64__ || defined __riscv)\n"                                        \
    "#if CPU\n"                                                                          \
    "#  if __OPENCL_VERSION__ >= 100 && __OPENCL_C_VERSION__ > 0 && "                    \
    "!defined __NO_SUCH__\n"                                                             \
    "#    define STEP 11\n"                                                              \
    "#  endif\n"                                                                         \
    "#else\n"                                                                            \
    "#  define STEP 22\n"                                                                \
    "#endif\n"

/* What the device's compiler decides in a program without annotations. */
static unsigned step_of_the_device(void)
{
    const size_t one = 1;
    cl_program program = program_of(
        STEP_OF_THE_DEVICE "__kernel void tell(__global uint *o) { *o = STEP; }\n");
    cl_kernel kernel;
    cl_uint step = 0;
    cl_mem out;
    cl_int err;

    must(clBuildProgram(program, 1, &w.device, NULL, NULL, NULL));
    kernel = clCreateKernel(program, "tell", &err);
    must(err);
    out = clCreateBuffer(w.context, CL_MEM_WRITE_ONLY, sizeof step, NULL, &err);
    must(err);
    must(clSetKernelArg(kernel, 0, sizeof out, &out));
    must(clEnqueueNDRangeKernel(w.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    must(
        clEnqueueReadBuffer(w.queue, out, CL_TRUE, 0, sizeof step, &step, 0, NULL, NULL));
    must(clReleaseMemObject(out));
    must(clReleaseKernel(kernel));
    must(clReleaseProgram(program));
    ck_assert(step == 11 || step == 22);
    return step;
}

START_TEST(condition_that_the_device_decides)
{
    cl_program program;
    unsigned step;

    world_begin(&w);
    step = step_of_the_device();
    program = program_of(ITEM STEP_OF_THE_DEVICE ADD("STEP"));
    must(clBuildProgram(program, 1, &w.device, NULL, NULL, NULL));
    add(program, step);
    must(clBuildProgram(program, 1, &w.device, "-DOTHER", NULL, NULL));
    add(program, step);
    must(clReleaseProgram(program));
    world_end(&w);
}
END_TEST

START_TEST(constant_buffer)
{
    const size_t global = ITEMS;
    const cl_int n = ITEMS;
    cl_program program;
    cl_kernel kernel;
    cl_mem constant;
    cl_int err;

    world_begin(&w);
    constant = clCreateBuffer(w.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                              BUFFER_BYTES, w.model, &err);
    must(err);
    program =
        program_of(ITEM "//DL: AoS: f[n], c[n]\n"
                        "__kernel void sum(__global item *f, __constant item *c, int n)\n"
                        "{ int i = get_global_id(0); f[i].a += c[n - 1 - i].a; }\n");
    must(clBuildProgram(program, 1, &w.device, NULL, NULL, NULL));
    kernel = clCreateKernel(program, "sum", &err);
    must(err);
    must(clSetKernelArg(kernel, 0, sizeof w.buffer, &w.buffer));
    must(clSetKernelArg(kernel, 1, sizeof constant, &constant));
    must(clSetKernelArg(kernel, 2, sizeof n, &n));
    must(clEnqueueNDRangeKernel(w.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    for (size_t i = 0; i < ITEMS / 2 + 1; i++) {
        unsigned char *first = w.model + i * sizeof(struct item),
                      *last = w.model + (ITEMS - 1 - i) * sizeof(struct item);
        cl_uint a, b, sum;

        memcpy(&a, first, sizeof a);
        memcpy(&b, last, sizeof b);
        sum = a + b;
        memcpy(first, &sum, sizeof sum);
        memcpy(last, &sum, sizeof sum);
    }
    world_check(&w);
    must(clReleaseMemObject(constant));
    must(clReleaseKernel(kernel));
    must(clReleaseProgram(program));
    world_end(&w);
}
END_TEST

/* A program that holds the object code of `text`, and a byte that the driver does not
 * look at: so these are not the bytes that DL has seen. */
static cl_program binary_of(const char *text)
{
    cl_program program = program_of(text), binary;
    unsigned char *bytes;
    cl_int err, status;
    size_t count;

    must(clCompileProgram(program, 1, &w.device, NULL, 0, NULL, NULL, NULL, NULL));
    must(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof count, &count, NULL));
    bytes = malloc(count + 1);
    must(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL));
    bytes[count++] = 1;
    binary = clCreateProgramWithBinary(w.context, 1, &w.device, &count,
                                       (const unsigned char **)&bytes, &status, &err);
    must(err);
    must(status);
    free(bytes);
    must(clReleaseProgram(program));
    return binary;
}

/* Half of it is in a binary: what that reaches is not known. */
static void link_with_a_binary(void)
{
    cl_program parts[2], linked;
    cl_int err;

    parts[0] = program_of(ITEM "int seven(void);\n" ADD("seven()"));
    must(clCompileProgram(parts[0], 1, &w.device, NULL, 0, NULL, NULL, NULL, NULL));
    parts[1] = binary_of("int seven(void);\nint seven(void) { return 7; }\n");
    linked = clLinkProgram(w.context, 1, &w.device, NULL, 2, parts, NULL, NULL, &err);
    must(err);
    add(linked, 7);
    must(clReleaseProgram(linked));
    must(clReleaseProgram(parts[0]));
    must(clReleaseProgram(parts[1]));
}

/* Annotations that can't be honoured, and sources that are too much to read: the program
 * runs as written, each with one remark (left_alone_test.sh counts them). */
START_TEST(programs_left_alone)
{
    enum { SEMICOLONS = 1300000, BRACKETS = 220 };
    static const char *const notes[] = {"//DL: AoS: nobody[n]\n",
                                        "//DL: AoS: f[n]\n//DL: AoS: f[2 * n]\n",
                                        "//DL: AoS: f[n]\n", "//DL: AoS: f[n]\n"};

    world_begin(&w);
    for (int i = 0; i < 4; i++) {
        char *text = malloc(SEMICOLONS + 2 * BRACKETS + 1024), *at = text;
        cl_program program;

        at += sprintf(at, "%s", ITEM);
        memset(at, ';', i == 2 ? SEMICOLONS : 0);
        at += i == 2 ? SEMICOLONS : 0;
        at += sprintf(at,
                      "%s__kernel void add(__global item *f, int n)\n"
                      "{ int i = get_global_id(0); if (i < n) f[i].a += ",
                      notes[i]);
        memset(at, '(', BRACKETS);
        at += i == 3 ? BRACKETS : 0;
        at += sprintf(at, "7");
        memset(at, ')', BRACKETS);
        at += i == 3 ? BRACKETS : 0;
        sprintf(at, "; }\n");
        program = program_of(text);
        must(clBuildProgram(program, 1, &w.device, NULL, NULL, NULL));
        add(program, 7);
        must(clReleaseProgram(program));
        free(text);
    }
    link_with_a_binary();
    world_end(&w);
}
END_TEST

static void CL_CALLBACK note_build(cl_program program, void *user)
{
    (void)program;
    *(atomic_bool *)user = true;
}

/* Made by a macro, named by another; the text goes on behind a NUL; built with a
 * callback. */
START_TEST(kernels_from_macros)
{
    static const char text[] = ITEM
        "#define NAME(a, b) a##b\n"
        "#define BEGIN(name) __kernel void name(__global item *f, int n) {\n"
        "#define DEF(name, value) BEGIN(name) int i = get_global_id(0); \\\n"
        "    if (i < n) f[i].a += value; } float name##_more(float x) { return x; }\n"
        "//DL: AoS: f[n]\n"
        "DEF(other, 1) DEF(add, STEP)\n"
        "\0 } which is not read\n";
    const char *texts[] = {text};
    const size_t lengths[] = {sizeof text};
    atomic_bool built = false;
    cl_program program;
    cl_int err;

    world_begin(&w);
    program = clCreateProgramWithSource(w.context, 1, texts, lengths, &err);
    must(err);
    must(clBuildProgram(program, 1, &w.device, "-DSTEP=5", NULL, NULL));
    add(program, 5);
    must(clReleaseProgram(program));
    program = clCreateProgramWithSource(w.context, 1, texts, lengths, &err);
    must(err);
    must(clBuildProgram(program, 1, &w.device, "-DSTEP=7 -cl-std=CL1.1", note_build,
                        &built));
    while (!built)
        usleep(1000);
    add(program, 7);
    must(clReleaseProgram(program));
    world_end(&w);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("programs");

    SUITE_CASE(suite, kernel_in_an_embedded_header);
    SUITE_CASE(suite, kernel_in_an_included_file);
    SUITE_CASE(suite, built_again_with_other_options);
    SUITE_CASE(suite, condition_that_the_device_decides);
    SUITE_CASE(suite, constant_buffer);
    SUITE_CASE(suite, kernels_from_macros);
    SUITE_CASE(suite, programs_left_alone);
    return suite_run(suite);
}
