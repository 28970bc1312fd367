/* SPDX-License-Identifier: MIT */
/* Claim: a flat buffer whose rows are as wide as a launch says is what the program sees
 * of it, whatever widths its launches have, and whatever the width is. */
#include "suite.h"
#include "world.h"

#include <stdlib.h>

enum { WORDS = 997 };

static const char *const source =
    "typedef struct { int a, b, c, d, e; } five;\n"
    "//DL: AoS: f[rows][width]\n"
    "__kernel void blend(__global int *f, int rows, int width, int by)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    if (i >= rows) return;\n"
    "    if (width <= 0) { f[i] += by; return; }\n"
    "    for (int j = 1; j < width; j++)\n"
    "        f[i * width + j] = f[i * width + j] * 3 + f[i * width + j - 1] + by * j;\n"
    "    f[i * width] ^= by;\n"
    "}\n"
    "//DL: AoS: to[n][a], from[n][b]\n"
    "__kernel void join(__global int *to, __global const int *from, int n, int a, int "
    "b)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    for (int j = 0; i < n && j < a; j++)\n"
    "        to[i * a + j] += from[i * b + j % b];\n"
    "}\n"
    "//DL: AoS: f[n][width]\n"
    "__kernel void behind(__global int *f, int n, int width)\n"
    "{\n"
    "    if (get_global_id(0) == 0) f[n * width] += f[n * width - 1];\n"
    "}\n"
    "//DL: AoS: f[n][20]\n"
    "__kernel void far(__global int *f, int n)\n"
    "{\n"
    "    if (n > 0) f[20 * get_global_id(0) + 5] += 7;\n"
    "}\n"
    "//DL: AoS: f[n]\n"
    "__kernel void fives(__global five *f, int n)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    if (i < n) f[i].c += f[i].a ^ f[i].e;\n"
    "}\n"
    "//DL: AoS: f[n], rows[n][width]\n"
    "__kernel void both(__global five *f, __global const int *rows, int n, int width)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    if (i < n) f[i].b ^= f[i].d + rows[i * width + width - 1];\n"
    "}\n";

static struct world w;
static cl_program program;
static cl_mem words, others;
static int model[WORDS], other_model[WORDS];

static cl_mem make_words(int *contents, unsigned seed)
{
    cl_int err;
    cl_mem made;

    for (int i = 0; i < WORDS; i++) {
        seed = seed * 1103515245u + 12345u;
        contents[i] = (int)(seed >> 12);
    }
    made = clCreateBuffer(w.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                          WORDS * sizeof(int), contents, &err);
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
    words = make_words(model, 1);
    others = make_words(other_model, 2);
}

static void end(void)
{
    must(clReleaseMemObject(words));
    must(clReleaseMemObject(others));
    must(clReleaseProgram(program));
    world_end(&w);
}

static void check(cl_mem buffer, const int *want)
{
    int got[WORDS];

    must(
        clEnqueueReadBuffer(w.queue, buffer, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    ck_assert_mem_eq(got, want, sizeof got);
}

/* Launches a kernel with these buffers, then these ints, on so many work-items from an
 * offset on. */
static void launch_from(size_t offset, size_t global, const char *name,
                        unsigned mem_count, const cl_mem *mems, unsigned int_count,
                        const int *ints)
{
    cl_int err;
    cl_kernel kernel = clCreateKernel(program, name, &err);

    must(err);
    for (unsigned i = 0; i < mem_count; i++)
        must(clSetKernelArg(kernel, i, sizeof(cl_mem), &mems[i]));
    for (unsigned i = 0; i < int_count; i++)
        must(clSetKernelArg(kernel, mem_count + i, sizeof(int), &ints[i]));
    must(clEnqueueNDRangeKernel(w.queue, kernel, 1, &offset, &global, NULL, 0, NULL,
                                NULL));
    must(clReleaseKernel(kernel));
}

static void launch(const char *name, unsigned mem_count, const cl_mem *mems,
                   unsigned int_count, const int *ints)
{
    launch_from(0, WORDS, name, mem_count, mems, int_count, ints);
}

/* What blend makes of it. */
static void blend(int *of, int rows, int width, int by)
{
    for (int i = 0; i < rows; i++) {
        if (width <= 0) {
            of[i] += by;
            continue;
        }
        for (int j = 1; j < width; j++)
            of[i * width + j] =
                (int)((unsigned)of[i * width + j] * 3u + (unsigned)of[i * width + j - 1] +
                      (unsigned)(by * j));
        of[i * width] ^= by;
    }
}

static void mix(int rows, int width, int by)
{
    launch("blend", 1, &words, 3, (int[]){rows, width, by});
    blend(model, rows, width, by);
}

/* One kernel object, whose launches come again: what is known of one with a width hangs
 * on no other. */
START_TEST(launches_of_two_widths_come_again)
{
    static const int widths[] = {4, 4, 4, 7, 7, 4, 7, 4, 4, 20, 20, 20, 4, 4};
    const size_t global = WORDS;
    cl_kernel kernel;
    cl_int err;

    begin();
    kernel = clCreateKernel(program, "blend", &err);
    must(err);
    for (unsigned i = 0; i < 3 * sizeof widths / sizeof *widths; i++) {
        bool other = i % 5 == 3, settled = i > 2 * sizeof widths / sizeof *widths;
        /* In the end each buffer stays in the layout of its width. */
        int width =
            settled ? (other ? 7 : 4) : widths[i % (sizeof widths / sizeof *widths)];
        int rows = WORDS / width;
        int by = i % 3 ? 5 : 6;

        must(clSetKernelArg(kernel, 0, sizeof(cl_mem), other ? &others : &words));
        must(clSetKernelArg(kernel, 1, sizeof rows, &rows));
        must(clSetKernelArg(kernel, 2, sizeof width, &width));
        must(clSetKernelArg(kernel, 3, sizeof by, &by));
        for (int again = 0; again < 3; again++) {
            must(clEnqueueNDRangeKernel(w.queue, kernel, 1, NULL, &global, NULL, 0, NULL,
                                        NULL));
            blend(other ? other_model : model, rows, width, by);
        }
        if (i % 4 == 1)
            check(words, model);
    }
    must(clReleaseKernel(kernel));
    check(words, model);
    check(others, other_model);
    end();
}
END_TEST

START_TEST(width_changes_between_launches)
{
    static const int widths[] = {4, 6, 1, 7, 7, 4, 500, 997, 20};

    begin();
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        mix(WORDS / widths[i], widths[i], (int)i + 5);
        if (i % 3 == 1)
            check(words, model);
    }
    check(words, model);
    end();
}
END_TEST

START_TEST(width_changes_for_one_kernel_object)
{
    const size_t global = WORDS;
    cl_int err;
    cl_kernel kernel;

    begin();
    kernel = clCreateKernel(program, "blend", &err);
    must(err);
    must(clSetKernelArg(kernel, 0, sizeof words, &words));
    for (int width = 3; width < 9; width++) {
        const int rows = WORDS / width, by = 0;

        must(clSetKernelArg(kernel, 1, sizeof rows, &rows));
        must(clSetKernelArg(kernel, 2, sizeof width, &width));
        must(clSetKernelArg(kernel, 3, sizeof by, &by));
        must(clEnqueueNDRangeKernel(w.queue, kernel, 1, NULL, &global, NULL, 0, NULL,
                                    NULL));
        for (int i = 0; i < rows; i++)
            for (int j = 1; j < width; j++)
                model[i * width + j] = (int)((unsigned)model[i * width + j] * 3u +
                                             (unsigned)model[i * width + j - 1]);
    }
    must(clReleaseKernel(kernel));
    check(words, model);
    end();
}
END_TEST

START_TEST(two_widths_in_one_launch)
{
    static const int widths[][2] = {{3, 5}, {5, 3}, {1, 8}, {31, 31}};

    begin();
    for (size_t k = 0; k < 4; k++) {
        const int a = widths[k][0], b = widths[k][1], n = WORDS / (a > b ? a : b);

        launch("join", 2, (cl_mem[]){words, others}, 3, (int[]){n, a, b});
        for (int i = 0; i < n; i++)
            for (int j = 0; j < a; j++)
                model[i * a + j] = (int)((unsigned)model[i * a + j] +
                                         (unsigned)other_model[i * b + j % b]);
    }
    check(words, model);
    check(others, other_model);
    end();
}
END_TEST

START_TEST(width_out_of_range_runs_as_written)
{
    begin();
    mix(WORDS / 9, 9, 1);
    mix(WORDS, 0, 3);
    mix(WORDS, -2147483647 - 1, 4);
    mix(WORDS / 5, 5, 2);
    mix(0, 32769, 1);
    mix(0, 2147483647, 1);
    check(words, model);
    end();
}
END_TEST

START_TEST(element_behind_the_last_row)
{
    begin();
    for (int width = 2; width < 40; width += 5) { /* 997 is prime */
        const int n = WORDS / width;

        mix(n, width, 3);
        launch("behind", 1, &words, 2, (int[]){n, width});
        model[n * width] =
            (int)((unsigned)model[n * width] + (unsigned)model[n * width - 1]);
    }
    check(words, model);
    end();
}
END_TEST

START_TEST(index_of_a_launch_that_wraps)
{
    /* 20 * far is 2^64 + 4. */
    const size_t far = 922337203685477581u;
    const int rows = WORDS / 20;

    begin();
    for (int round = 0; round < 2; round++) {
        launch_from(0, (size_t)rows, "far", 1, &words, 1, &rows);
        for (int i = 0; i < rows; i++)
            model[20 * i + 5] += 7;
        launch_from(far, (size_t)rows, "far", 1, &words, 1, &rows);
        for (int i = 0; i < rows; i++)
            model[20 * i + 9] += 7;
        check(words, model);
    }
    end();
}
END_TEST

/* How wide the rows are is known only once a launch has been looked at, what the structs
 * are before. */
START_TEST(structs_beside_rows)
{
    begin();
    for (int width = 1; width < 6; width++) {
        launch("both", 2, (cl_mem[]){words, others}, 2, (int[]){WORDS / 5, width});
        for (int i = 0; i < WORDS / 5; i++)
            model[5 * i + 1] ^= (int)((unsigned)model[5 * i + 3] +
                                      (unsigned)other_model[i * width + width - 1]);
    }
    check(words, model);
    end();
}
END_TEST

START_TEST(structs_and_rows_of_one_shape)
{
    begin();
    for (int k = 0; k < 4; k++) {
        mix(WORDS / 5, 5, k);
        launch("fives", 1, &words, 1, (int[]){WORDS / 5});
        for (int i = 0; i < WORDS / 5; i++)
            model[5 * i + 2] = (int)((unsigned)model[5 * i + 2] +
                                     (unsigned)(model[5 * i] ^ model[5 * i + 4]));
    }
    check(words, model);
    end();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("widths");

    SUITE_CASE(suite, launches_of_two_widths_come_again);
    SUITE_CASE(suite, width_changes_between_launches);
    SUITE_CASE(suite, width_changes_for_one_kernel_object);
    SUITE_CASE(suite, two_widths_in_one_launch);
    SUITE_CASE(suite, width_out_of_range_runs_as_written);
    SUITE_CASE(suite, index_of_a_launch_that_wraps);
    SUITE_CASE(suite, element_behind_the_last_row);
    SUITE_CASE(suite, structs_beside_rows);
    SUITE_CASE(suite, structs_and_rows_of_one_shape);
    return suite_run(suite);
}
