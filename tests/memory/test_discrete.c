/* SPDX-License-Identifier: MIT */
/* Claim: a kernel that reads discrete arrays as it is gets them, between kernels on
 * arrays of structures and the host's own accesses; where it can't, its launch fails and
 * nothing is changed. For runs under DL only. With REFUSED in the environment no such
 * kernel can be understood. */
#include "suite.h"
#include "world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/common/read_file.h"

enum { N = 77, WORDS = 5 * N };

static struct world w;
static cl_program program;
static cl_mem words, others;
static int model[WORDS], other_model[WORDS];

static cl_mem make_words(int *contents, unsigned seed, cl_mem_flags flags)
{
    cl_int err;
    cl_mem made;

    for (int i = 0; i < WORDS; i++) {
        seed = seed * 1103515245u + 12345u;
        contents[i] = (int)(seed >> 12);
    }
    made = clCreateBuffer(w.context, flags | CL_MEM_COPY_HOST_PTR, WORDS * sizeof(int),
                          contents, &err);
    must(err);
    return made;
}

static void begin_with(cl_mem_flags flags)
{
    char *text = read_file(getenv("DISCRETE_CL"), NULL);
    cl_int err;

    ck_assert_ptr_nonnull(text);
    world_begin(&w);
    program = clCreateProgramWithSource(w.context, 1, (const char **)&text, NULL, &err);
    must(err);
    free(text);
    must(clBuildProgram(program, 1, &w.device, "", NULL, NULL));
    words = make_words(model, 1, CL_MEM_READ_WRITE);
    others = make_words(other_model, 2, flags);
}

static void begin(void)
{
    begin_with(CL_MEM_READ_WRITE);
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

static cl_kernel make_kernel(const char *name, unsigned mem_count, const cl_mem *mems,
                             unsigned int_count, const int *ints)
{
    cl_int err;
    cl_kernel kernel = clCreateKernel(program, name, &err);

    must(err);
    for (unsigned i = 0; i < mem_count; i++)
        must(clSetKernelArg(kernel, i, sizeof(cl_mem), &mems[i]));
    for (unsigned i = 0; i < int_count; i++)
        must(clSetKernelArg(kernel, mem_count + i, sizeof(int), &ints[i]));
    return kernel;
}

static cl_int try_launch(const char *name, unsigned mem_count, const cl_mem *mems,
                         unsigned int_count, const int *ints)
{
    const size_t global = N, local = 1;
    cl_kernel kernel = make_kernel(name, mem_count, mems, int_count, ints);
    cl_int err =
        clEnqueueNDRangeKernel(w.queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);

    must(clReleaseKernel(kernel));
    return err;
}

static void fives(void)
{
    must(try_launch("fives", 1, &words, 1, (int[]){N}));
    for (int i = 0; i < N; i++) {
        unsigned *f = (unsigned *)&model[5 * i];

        f[0] += f[1] * 3u;
        f[4] ^= f[2] + f[3];
    }
}

static void model_arrays(void)
{
    for (int i = 0; i < N; i++)
        for (unsigned j = 0; j < 5; j++) {
            unsigned *f = (unsigned *)&model[5 * i];

            f[j] = f[j] * 5u + f[4 - j] + j;
        }
}

static void arrays(void)
{
    must(try_launch("arrays", 1, &words, 1, (int[]){N}));
    model_arrays();
}

START_TEST(between_kernels_on_structs)
{
    begin();
    for (int k = 0; k < 3; k++) {
        arrays();
        fives();
        fives();
        arrays();
        arrays();
    }
    check(words, model);
    must(try_launch("first_array", 1, &words, 1, (int[]){N}));
    for (int i = 0; i < N; i++)
        model[5 * i] += 7;
    check(words, model);
    end();
}
END_TEST

START_TEST(between_accesses_of_the_host)
{
    const int sevens[3] = {7, 77, 777};
    int got[4];

    begin();
    arrays();
    must(clEnqueueWriteBuffer(w.queue, words, CL_TRUE, 13 * sizeof(int), sizeof sevens,
                              sevens, 0, NULL, NULL));
    memcpy(model + 13, sevens, sizeof sevens);
    arrays();
    must(clEnqueueReadBuffer(w.queue, words, CL_TRUE, 99 * sizeof(int), sizeof got, got,
                             0, NULL, NULL));
    ck_assert_mem_eq(got, model + 99, sizeof got);
    arrays();
    must(clEnqueueCopyBuffer(w.queue, words, others, 0, 0, sizeof model, 0, NULL, NULL));
    check(others, model);
    check(words, model);
    end();
}
END_TEST

START_TEST(width_of_an_argument)
{
    static const int widths[] = {5, 7, 1, 11, 35, 385};

    begin();
    for (size_t k = 0; k < sizeof widths / sizeof *widths; k++) {
        const int width = widths[k], n = WORDS / width;
        const size_t global = WORDS;
        cl_kernel kernel = make_kernel("wide_arrays", 1, &words, 2, (int[]){n, width});

        must(clEnqueueNDRangeKernel(w.queue, kernel, 1, NULL, &global, NULL, 0, NULL,
                                    NULL));
        must(clReleaseKernel(kernel));
        for (int i = 0; i < n; i++)
            for (int j = 0; j < width; j++)
                model[i * width + j] += j * 1000 + i;
    }
    check(words, model);
    end();
}
END_TEST

START_TEST(shorts_of_neighbouring_arrays)
{
    enum { LENGTH = 2 * N, MORE = 200 };
    short f[5 * LENGTH];

    begin();
    for (int turn = 0; turn < 2; turn++) {
        must(try_launch("shorts", 1, &words, 1, (int[]){MORE}));
        memcpy(f, model, sizeof f);
        for (int i = 0; i < N; i++) {
            short sum = f[i];

            for (int k = 1; k < 4; k++)
                sum = (short)(sum +
                              (f[k * LENGTH + i - 1] ^ f[(k - 1) * LENGTH + i + MORE]));
            f[4 * LENGTH + i] = sum;
        }
        memcpy(model, f, sizeof f);
        fives();
    }
    check(words, model);
    end();
}
END_TEST

START_TEST(beside_a_buffer_of_structs)
{
    begin();
    for (int k = 0; k < 2; k++) {
        must(try_launch("both", 2, (cl_mem[]){words, others}, 1, (int[]){N}));
        for (int i = 0; i < N; i++) {
            model[5 * i + 1] =
                (int)((unsigned)model[5 * i + 1] + (unsigned)other_model[5 * i]);
            model[5 * i + 3] =
                (int)((unsigned)model[5 * i + 3] - (unsigned)other_model[5 * i + 4]);
        }
        must(try_launch("one_of_both", 2, (cl_mem[]){words, others}, 1, (int[]){N}));
        for (int i = 0; i < N; i++)
            model[5 * i + 1] =
                (int)((unsigned)model[5 * i + 1] + (unsigned)other_model[5 * i + 2]);
    }
    check(words, model);
    check(others, other_model);
    end();
}
END_TEST

START_TEST(read_only_buffer)
{
    begin_with(CL_MEM_READ_ONLY);
    must(try_launch("one_of_both", 2, (cl_mem[]){words, others}, 1, (int[]){N}));
    must(try_launch("both", 2, (cl_mem[]){words, others}, 1, (int[]){N}));
    for (int i = 0; i < N; i++) {
        unsigned *f = (unsigned *)&model[5 * i];

        f[1] += (unsigned)other_model[5 * i + 2] + (unsigned)other_model[5 * i];
        f[3] -= (unsigned)other_model[5 * i + 4];
    }
    check(others, other_model);
    check(words, model);
    /* It may be written, for what its kernel says. */
    ck_assert_int_eq(try_launch("arrays", 1, &others, 1, (int[]){N}),
                     CL_OUT_OF_RESOURCES);
    check(others, other_model);
    end();
}
END_TEST

START_TEST(task)
{
    cl_kernel kernel;

    begin();
    kernel = make_kernel("arrays", 1, &words, 1, (int[]){N});
    must(clEnqueueTask(w.queue, kernel, 0, NULL, NULL));
    must(clReleaseKernel(kernel));
    for (unsigned j = 0; j < 5; j++)
        ((unsigned *)model)[j] =
            ((unsigned *)model)[j] * 5u + ((unsigned *)model)[4 - j] + j;
    check(words, model);
    end();
}
END_TEST

START_TEST(what_can_not_be_given)
{
    const cl_buffer_region region = {0, WORDS * sizeof(int) / 2},
                           all = {0, WORDS * sizeof(int)};
    cl_mem part;
    cl_int err;
    int *map;

    begin();
    arrays();
    /* The arrays would not stand where the kernel looks. */
    ck_assert_int_eq(try_launch("arrays", 1, &words, 1, (int[]){N - 1}),
                     CL_OUT_OF_RESOURCES);
    ck_assert_int_eq(try_launch("arrays", 1, &words, 1, (int[]){0}), CL_OUT_OF_RESOURCES);
    ck_assert_int_eq(try_launch("wide_arrays", 1, &words, 2, (int[]){N, 0}),
                     CL_OUT_OF_RESOURCES);
    /* One buffer twice, and in both forms. */
    ck_assert_int_eq(try_launch("beside", 2, (cl_mem[]){words, words}, 1, (int[]){N}),
                     CL_OUT_OF_RESOURCES);
    ck_assert_int_eq(try_launch("both", 2, (cl_mem[]){words, words}, 1, (int[]){N}),
                     CL_OUT_OF_RESOURCES);
    ck_assert_int_eq(try_launch("misspelt", 1, &words, 1, (int[]){N}),
                     CL_OUT_OF_RESOURCES);
    check(words, model);
    /* Mapped while it is the program's own. */
    map = clEnqueueMapBuffer(w.queue, others, CL_TRUE, CL_MAP_READ, 0, sizeof model, 0,
                             NULL, NULL, &err);
    must(err);
    ck_assert_int_eq(try_launch("arrays", 1, &others, 1, (int[]){N}),
                     CL_OUT_OF_RESOURCES);
    ck_assert_mem_eq(map, other_model, sizeof model);
    must(clEnqueueUnmapMemObject(w.queue, others, map, 0, NULL, NULL));
    part = clCreateSubBuffer(words, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &err);
    must(err);
    ck_assert_int_eq(try_launch("arrays", 1, &part, 1, (int[]){N}), CL_OUT_OF_RESOURCES);
    must(clReleaseMemObject(part));
    part = clCreateSubBuffer(words, 0, CL_BUFFER_CREATE_TYPE_REGION, &all, &err);
    must(err);
    must(try_launch("arrays", 1, &part, 1, (int[]){N}));
    model_arrays();
    must(clReleaseMemObject(part));
    must(clFinish(w.queue));
    fives();
    arrays();
    check(words, model);
    end();
}
END_TEST

START_TEST(errors_of_the_driver)
{
    const size_t global = N, local = 2;
    cl_kernel kernel;
    cl_int err;

    begin();
    arrays();
    kernel = clCreateKernel(program, "arrays", &err);
    must(err);
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(w.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL),
        CL_INVALID_KERNEL_ARGS);
    must(clReleaseKernel(kernel));
    kernel = make_kernel("arrays", 1, &words, 1, (int[]){N});
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(w.queue, kernel, 4, NULL, &global, NULL, 0, NULL, NULL),
        CL_INVALID_WORK_DIMENSION);
    must(clReleaseKernel(kernel));
    kernel = make_kernel("first_array", 1, &words, 1, (int[]){N}); /* groups of one */
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(w.queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL),
        CL_INVALID_WORK_GROUP_SIZE);
    must(clReleaseKernel(kernel));
    arrays();
    check(words, model);
    end();
}
END_TEST

/* The others of the program run as ever. */
START_TEST(refused_for_want_of_a_transformer)
{
    begin();
    ck_assert_int_eq(try_launch("arrays", 1, &words, 1, (int[]){N}), CL_OUT_OF_RESOURCES);
    fives();
    ck_assert_int_eq(try_launch("first_array", 1, &words, 1, (int[]){N}),
                     CL_OUT_OF_RESOURCES);
    ck_assert_int_eq(try_launch("both", 2, (cl_mem[]){words, others}, 1, (int[]){N}),
                     CL_OUT_OF_RESOURCES);
    ck_assert_int_eq(try_launch("misspelt", 1, &words, 1, (int[]){N}),
                     CL_OUT_OF_RESOURCES);
    check(words, model);
    end();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("discrete");

    if (getenv("REFUSED")) {
        SUITE_CASE(suite, refused_for_want_of_a_transformer);
        return suite_run(suite);
    }
    SUITE_CASE(suite, between_kernels_on_structs);
    SUITE_CASE(suite, between_accesses_of_the_host);
    SUITE_CASE(suite, width_of_an_argument);
    SUITE_CASE(suite, shorts_of_neighbouring_arrays);
    SUITE_CASE(suite, beside_a_buffer_of_structs);
    SUITE_CASE(suite, read_only_buffer);
    SUITE_CASE(suite, task);
    SUITE_CASE(suite, what_can_not_be_given);
    SUITE_CASE(suite, errors_of_the_driver);
    return suite_run(suite);
}
