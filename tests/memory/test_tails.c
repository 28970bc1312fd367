/* SPDX-License-Identifier: MIT */
/* Claim: bytes behind the last whole row or struct of a buffer are the program's own, for
 * kernels that reach them in any way, and for the host: read, written and mapped by
 * themselves and across the end of the last row. So are those of a buffer that is smaller
 * than one row or struct. */
#include "suite.h"
#include "world.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = 1200 };

#define ROWS(name, note, index)                                                          \
    "//DL: AoS: f" note "\n"                                                             \
    "__kernel void " name "(__global int *f, int count, int width, int by)\n"            \
    "{\n"                                                                                \
    "    int i = get_global_id(0);\n"                                                    \
    "    uint u = i;\n"                                                                  \
    "    ulong z = i;\n"                                                                 \
    "    for (int j = 0; j < width; j++)\n"                                              \
    "        if (i * width + j < count)\n"                                               \
    "            f[" index "] = f[" index "] * 3 + by * j + i;\n"                        \
    "}\n"

static const char *const source = ROWS("rows_int", "[][4]", "4 * i + j")
    ROWS("rows_uint", "[][4]", "4u * u + (uint)j") ROWS("rows_long", "[][4]", "4 * z + j")
        ROWS("rows_any", "[][4]", "(i * 8 + 2 * j) / 2") ROWS("rows_width", "[][width]",
                                                              "i * width + j")
            ROWS("rows_width_uint", "[][width]", "u * (uint)width + (uint)j")
                ROWS("rows_of_7", "[][7]", "7 * i + j") ROWS(
                    "rows_of_64", "[][64]",
                    "64 * i + j") "typedef struct { int a, b, c; } three;\n"
                                  "//DL: AoS: f[]\n"
                                  "__kernel void structs(__global three *f, int count, "
                                  "int width, int by)\n"
                                  "{\n"
                                  "    int i = get_global_id(0);\n"
                                  "    __global three *p = f + i;\n"
                                  "    if (3 * i < count) f[i].a = f[i].a * 3 + i;\n"
                                  "    if (3 * i + 1 < count) p->b = p->b * 3 + by + i;\n"
                                  "    if (3 * i + 2 < count) p[0].c = (f + i + 1)[-1].c "
                                  "* 3 + by * 2 + i;\n"
                                  "}\n"
                                  "//DL: AoS: f[][16], g[][4]\n"
                                  "__kernel void pair(__global int *f, __global int *g, "
                                  "int count)\n"
                                  "{\n"
                                  "    int i = get_global_id(0);\n"
                                  "    if (i < count) f[16 * 0 + i] += 5 + i;\n"
                                  "    for (int j = 0; j < 4; j++) g[4 * i + j] -= j;\n"
                                  "}\n";

static const struct {
    const char *name;
    int width;
} kernels[] = {{"rows_int", 4},        {"rows_uint", 4},  {"rows_long", 4},
               {"rows_any", 4},        {"rows_width", 4}, {"rows_width", 7},
               {"rows_width_uint", 7}, {"rows_of_7", 7},  {"rows_of_64", 64},
               {"structs", 3}};
static const int counts[] = {1, 3, 10, 129, 257, 1190};

enum {
    KERNELS = sizeof kernels / sizeof *kernels,
    COUNTS = sizeof counts / sizeof *counts
};

static struct world w;
static cl_program program;
static int model[WORDS_MAX];

static cl_mem make(int count, unsigned seed)
{
    cl_int err;
    cl_mem made;

    for (int i = 0; i < count; i++) {
        seed = seed * 1103515245u + 12345u;
        model[i] = (int)(seed >> 12);
    }
    made = clCreateBuffer(w.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                          (size_t)count * sizeof(int), model, &err);
    must(err);
    return made;
}

static void begin(void)
{
    const char *text = source;
    cl_int err;

    world_begin(&w);
    program = clCreateProgramWithSource(w.context, 1, &text, NULL, &err);
    must(err);
    must(clBuildProgram(program, 1, &w.device, "", NULL, NULL));
}

static void end(void)
{
    must(clReleaseProgram(program));
    world_end(&w);
}

/* Launches a kernel on `count` words, and on the model from `first` on. */
static void launch(unsigned which, cl_mem mem, int first, int count, int by)
{
    const int width = kernels[which].width;
    /* Of one size, for which PoCL compiles a kernel once. */
    const size_t local = 1, global = (size_t)((count + width - 1) / width);
    cl_int err;
    cl_kernel kernel = clCreateKernel(program, kernels[which].name, &err);

    must(err);
    must(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    must(clSetKernelArg(kernel, 1, sizeof count, &count));
    must(clSetKernelArg(kernel, 2, sizeof width, &width));
    must(clSetKernelArg(kernel, 3, sizeof by, &by));
    must(
        clEnqueueNDRangeKernel(w.queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    must(clReleaseKernel(kernel));
    for (int k = 0; k < count; k++)
        model[first + k] = (int)((unsigned)model[first + k] * 3u +
                                 (unsigned)(by * (k % width) + k / width));
}

static void check(cl_mem mem, int first, int count)
{
    int found[WORDS_MAX];

    must(clEnqueueReadBuffer(w.queue, mem, CL_TRUE, (size_t)first * sizeof(int),
                             (size_t)count * sizeof(int), found, 0, NULL, NULL));
    for (int i = 0; i < count; i++)
        if (found[i] != model[first + i])
            ck_abort_msg("word %d of %d: %d, not %d", first + i, count, found[i],
                         model[first + i]);
}

START_TEST(kernels_reach_what_lies_behind_the_last_row)
{
    unsigned which = (unsigned)_i % KERNELS;

    begin();
    for (int c = 0; c < COUNTS; c++) {
        int count = counts[c];
        cl_mem mem = make(count, (unsigned)_i * 7 + (unsigned)c);

        launch(which, mem, 0, count, 3);
        launch(which, mem, 0, count, -5);
        check(mem, 0, count);
        must(clReleaseMemObject(mem));
    }
    end();
}
END_TEST

/* Words [first, first + words) of the buffer by write, rectangle or map. */
static void change(cl_mem mem, int how, int first, int words)
{
    const size_t offset = (size_t)first * sizeof(int),
                 bytes = (size_t)words * sizeof(int);
    const size_t origin[3] = {offset, 0, 0}, host[3] = {0, 0, 0},
                 region[3] = {bytes, 1, 1};
    int *at = model + first;
    cl_int err;

    for (int i = 0; i < words; i++)
        at[i] = at[i] * 5 + how;
    if (how == 0) {
        must(clEnqueueWriteBuffer(w.queue, mem, CL_TRUE, offset, bytes, at, 0, NULL,
                                  NULL));
    } else if (how == 1) {
        must(clEnqueueWriteBufferRect(w.queue, mem, CL_TRUE, origin, host, region, 0, 0,
                                      0, 0, at, 0, NULL, NULL));
    } else if (how == 2) {
        int *mapped =
            clEnqueueMapBuffer(w.queue, mem, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, offset,
                               bytes, 0, NULL, NULL, &err);

        must(err);
        memcpy(mapped, at, bytes);
        must(clEnqueueUnmapMemObject(w.queue, mem, mapped, 0, NULL, NULL));
    } else {
        must(clEnqueueFillBuffer(w.queue, mem, at, sizeof(int), offset, sizeof(int), 0,
                                 NULL, NULL));
        for (int i = 1; i < words; i++)
            must(clEnqueueWriteBuffer(w.queue, mem, CL_TRUE,
                                      offset + (size_t)i * sizeof(int), sizeof(int),
                                      at + i, 0, NULL, NULL));
    }
}

START_TEST(the_host_sees_and_changes_what_lies_behind_the_last_row)
{
    unsigned which = (unsigned)_i % KERNELS;
    int width = kernels[which].width, count = 129;

    begin();
    for (int how = 0; how < 4; how++) {
        int behind = count % width, start = count - behind;
        cl_mem mem = make(count, (unsigned)how);

        launch(which, mem, 0, count, 1);
        check(mem, count - 1, 1);
        if (behind)
            check(mem, start, behind);
        check(mem, start - 2, count - start + 2);
        change(mem, how, count - 1, 1);
        change(mem, how, start - 3, count - start + 3);
        launch(which, mem, 0, count, 2);
        check(mem, count - 1, 1);
        change(mem, how, count - 2, 2);
        launch(which, mem, 0, count, 3);
        check(mem, start - 1, count - start + 1);
        check(mem, 0, count);
        must(clReleaseMemObject(mem));
    }
    end();
}
END_TEST

START_TEST(kernels_on_sub_buffers_reach_their_last_words)
{
    unsigned which = (unsigned)_i % KERNELS;
    int width = kernels[which].width, count = 1190;
    int first = 32 * width * (width < 8 ? 4 : 1) * 2, words = count - first;
    cl_buffer_region regions[2];
    cl_mem mem, part;
    cl_int err;

    begin();
    if (words <= width || first * 4 % 128) {
        first = 0;
        words = count - 1;
    }
    regions[0] = (cl_buffer_region){(size_t)first * 4, (size_t)words * 4};
    regions[1] = (cl_buffer_region){(size_t)first * 4, (size_t)(words - 2) * 4};
    for (int r = 0; r < 2; r++) {
        mem = make(count, (unsigned)_i);
        launch(which, mem, 0, count, 1);
        part = clCreateSubBuffer(mem, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                                 &regions[r], &err);
        must(err);
        launch(which, part, first, (int)(regions[r].size / 4), 4);
        check(mem, count - 3, 3);
        launch(which, mem, 0, count, 2);
        check(mem, 0, count);
        must(clReleaseMemObject(part));
        must(clReleaseMemObject(mem));
    }
    end();
}
END_TEST

START_TEST(a_buffer_smaller_than_a_row_lies_beside_one_in_tiles)
{
    const size_t global = 64, local = 1;
    cl_kernel kernel;
    cl_mem large, tiny;
    cl_int err;

    begin();
    kernel = clCreateKernel(program, "pair", &err);
    must(err);
    for (int count = 1; count < 16; count += 3) {
        large = make(257, 3);
        tiny = make(count, 4);
        must(clSetKernelArg(kernel, 0, sizeof tiny, &tiny));
        must(clSetKernelArg(kernel, 1, sizeof large, &large));
        must(clSetKernelArg(kernel, 2, sizeof count, &count));
        for (int times = 0; times < 2; times++) {
            must(clEnqueueNDRangeKernel(w.queue, kernel, 1, NULL, &global, &local, 0,
                                        NULL, NULL));
            for (int i = 0; i < count; i++)
                model[i] += 5 + i;
        }
        check(tiny, 0, count);
        /* In tiles of its own width, then too small again. */
        launch(0, tiny, 0, count, 2);
        must(clEnqueueNDRangeKernel(w.queue, kernel, 1, NULL, &global, &local, 0, NULL,
                                    NULL));
        for (int i = 0; i < count; i++)
            model[i] += 5 + i;
        check(tiny, 0, count);
        must(clReleaseMemObject(tiny));
        must(clReleaseMemObject(large));
    }
    must(clReleaseKernel(kernel));
    end();
}
END_TEST

START_TEST(a_buffer_smaller_than_a_row_is_not_converted)
{
    cl_mem mem;

    begin();
    mem = make(2, 5);
    for (unsigned which = 0; which < KERNELS; which++) {
        launch(which, mem, 0, 2, 3);
        launch(which, mem, 0, 2, -4);
    }
    check(mem, 0, 2);
    must(clReleaseMemObject(mem));
    end();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tails");

    SUITE_CASES(suite, kernels_reach_what_lies_behind_the_last_row, KERNELS);
    SUITE_CASES(suite, the_host_sees_and_changes_what_lies_behind_the_last_row, KERNELS);
    SUITE_CASES(suite, kernels_on_sub_buffers_reach_their_last_words, KERNELS);
    SUITE_CASE(suite, a_buffer_smaller_than_a_row_lies_beside_one_in_tiles);
    SUITE_CASE(suite, a_buffer_smaller_than_a_row_is_not_converted);
    return suite_run(suite);
}
