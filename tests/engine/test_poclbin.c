/* SPDX-License-Identifier: MIT */
/* PoCL's binaries that are not whole are told from those that are. */
#include "engine/binaries.h"
#include "engine/binaries.h"

#include <CL/cl.h>
#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4096 };

/* One that is being written. */
struct binary {
    unsigned char bytes[MOST];
    size_t count;
};

static void put(struct binary *b, const void *from, size_t count)
{
    ck_assert_uint_le(b->count + count, MOST);
    memcpy(b->bytes + b->count, from, count);
    b->count += count;
}

static void put_number(struct binary *b, uint64_t number, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        const unsigned char byte = (unsigned char)(number >> 8 * i);

        put(b, &byte, 1);
    }
}

static void put_file(struct binary *b, const char *name, const void *content,
                     size_t count)
{
    put_number(b, strlen(name), 4);
    put(b, name, strlen(name));
    put_number(b, count, 4);
    put(b, content, count);
}

/* Two blocks: number 13 with one word, number 8 with two. */
static const unsigned char bitcode[] = {
    'B',  'C',  0xC0, 0xDE, 0x35, 0x14, 0, 0, 1, 0, 0, 0, 1, 2,  3,  4,
    0x21, 0x0C, 0,    0,    2,    0,    0, 0, 5, 6, 7, 8, 9, 10, 11, 12};

static void put_program(struct binary *b, unsigned version, unsigned kernels,
                        size_t count)
{
    b->count = 0;
    put(b, "poclbin", 8);
    put_number(b, 0x1234, 8);
    put_number(b, version, 4);
    put_number(b, kernels, 4);
    put_number(b, 0, 8);
    for (unsigned i = 0; i < 41; i++)
        put_number(b, 'A', 1);
    put_file(b, "/program.bc", bitcode, count);
}

static void put_kernel(struct binary *b, const char *name, const void *content,
                       size_t count)
{
    const uint64_t files = 4 + strlen(name) + 4 + count;

    put_number(b, 16 + 20 + files, 8);
    put_number(b, files, 8);
    for (unsigned i = 0; i < 20; i++)
        put_number(b, i, 1);
    put_file(b, name, content, count);
}

static bool is_broken(const struct binary *b)
{
    return dl__poclbin_is_broken(b->bytes, b->count);
}

START_TEST(no_part_of_a_binary_is_whole)
{
    static struct binary b;

    put_program(&b, 7, 2, sizeof bitcode);
    put_kernel(&b, "/a/0-0/parallel.bc", bitcode, sizeof bitcode);
    put_kernel(&b, "/b/note", "x", 1);
    ck_assert(!is_broken(&b));
    for (size_t count = 8; count < b.count; count++)
        ck_assert_msg(dl__poclbin_is_broken(b.bytes, count), "%zu bytes", count);
    put_number(&b, 0, 1);
    ck_assert(is_broken(&b));
}
END_TEST

START_TEST(no_file_in_it_is_empty_or_cut_off)
{
    static struct binary b;

    for (size_t count = 0; count < sizeof bitcode; count++) {
        put_program(&b, 9, 0, count);
        ck_assert_msg(is_broken(&b), "program, %zu bytes", count);
        put_program(&b, 7, 1, sizeof bitcode);
        put_kernel(&b, "/a/0-0/parallel.bc", bitcode, count);
        ck_assert_msg(is_broken(&b), "kernel, %zu bytes", count);
    }
    put_program(&b, 7, 1, sizeof bitcode);
    put_kernel(&b, "/a/0-0/a.so", "\177ELF", 4);
    ck_assert(is_broken(&b));
    put_program(&b, 7, 1, sizeof bitcode);
    put_kernel(&b, "/a/0-0/note", "", 0);
    ck_assert(is_broken(&b));
}
END_TEST

START_TEST(of_other_formats_only_an_empty_program_is_broken)
{
    static struct binary b;

    put_program(&b, 12, 3, sizeof bitcode);
    put(&b, "what comes here is not known", 28);
    ck_assert(!is_broken(&b));
    put_program(&b, 12, 3, 0);
    ck_assert(is_broken(&b));
    ck_assert(!dl__poclbin_is_broken("\177ELF and more", 13));
    ck_assert(!dl__poclbin_is_broken("pocl", 4));
}
END_TEST

/* A driver with one device whose programs have this binary, and that takes none. */
static struct binary given;
static int kernels_made, made_before_given, kernels_released;

/* Its programs have two kernels. */
static cl_int CL_API_CALL make_kernels(cl_program program, cl_uint count,
                                       cl_kernel *kernels, cl_uint *count_ret)
{
    (void)program;
    if (count_ret)
        *count_ret = 2;
    if (kernels) {
        ck_assert_uint_eq(count, 2);
        memset(kernels, 0, 2 * sizeof *kernels);
        kernels_made += 2;
    }
    return CL_SUCCESS;
}

static cl_int CL_API_CALL release_kernel(cl_kernel kernel)
{
    (void)kernel;
    kernels_released++;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL give(cl_program program, cl_program_info info, size_t bytes,
                               void *value, size_t *bytes_ret)
{
    const cl_uint one = 1;

    (void)program;
    (void)bytes_ret;
    switch (info) {
    case CL_PROGRAM_NUM_DEVICES:
        memcpy(value, &one, sizeof one);
        break;
    case CL_PROGRAM_BINARY_SIZES:
        memcpy(value, &given.count, sizeof given.count);
        break;
    case CL_PROGRAM_BINARIES:
        made_before_given = kernels_made;
        memcpy(*(unsigned char **)value, given.bytes, given.count);
        break;
    default:
        memset(value, 0, bytes);
    }
    return CL_SUCCESS;
}

START_TEST(a_broken_binary_is_neither_taken_nor_given_back)
{
    const cl_icd_dispatch driver = {.clGetProgramInfo = give,
                                    .clCreateKernelsInProgram = make_kernels,
                                    .clReleaseKernel = release_kernel};
    unsigned char *taken;
    size_t bytes;

    put_program(&given, 9, 0, sizeof bitcode);
    taken = dl__binary_of(&driver, NULL, NULL, &bytes);
    ck_assert_ptr_nonnull(taken);
    ck_assert_mem_eq(taken, given.bytes, given.count);
    /* A driver that dies of a kernel does so before there is anything to keep. */
    ck_assert_int_eq(made_before_given, 2);
    ck_assert_int_eq(kernels_released, 2);
    free(taken);
    put_program(&given, 9, 0, 0);
    ck_assert_ptr_null(dl__binary_of(&driver, NULL, NULL, &bytes));
    ck_assert_ptr_null(
        dl__binary_build(&driver, NULL, NULL, given.bytes, given.count, ""));
}
END_TEST

/* What the driver of this machine gives; with a kernel that has run, so that its code is
 * in it. */
static unsigned char *driver_binary(size_t *bytes)
{
    static const char *const text =
        "__kernel void f(__global int *a) { a[get_global_id(0)] = 1; }\n";
    const size_t global = 64;
    cl_platform_id platform;
    cl_device_id device;
    cl_int err;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_mem mem;
    unsigned char *binary;

    ck_assert_int_eq(clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
    ck_assert_int_eq(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
                     CL_SUCCESS);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    queue = clCreateCommandQueue(context, device, 0, &err);
    program = clCreateProgramWithSource(context, 1, (const char **)&text, NULL, &err);
    ck_assert_int_eq(clBuildProgram(program, 1, &device, "", NULL, NULL), CL_SUCCESS);
    kernel = clCreateKernel(program, "f", &err);
    mem = clCreateBuffer(context, CL_MEM_READ_WRITE, 256, NULL, &err);
    clSetKernelArg(kernel, 0, sizeof mem, &mem);
    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
    ck_assert_int_eq(clFinish(queue), CL_SUCCESS);
    ck_assert_int_eq(
        clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof *bytes, bytes, NULL),
        CL_SUCCESS);
    binary = malloc(*bytes);
    ck_assert_ptr_nonnull(binary);
    ck_assert_int_eq(
        clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL),
        CL_SUCCESS);
    clReleaseMemObject(mem);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return binary;
}

START_TEST(what_the_driver_gives_is_whole)
{
    size_t bytes;
    unsigned char *binary = driver_binary(&bytes);
    const bool is_known = bytes > 20 && memcmp(binary, "poclbin", 8) == 0 &&
                          binary[16] >= 6 && binary[16] <= 9;

    ck_assert(!dl__poclbin_is_broken(binary, bytes));
    if (is_known) /* or this has shown nothing */
        ck_assert(dl__poclbin_is_broken(binary, bytes - 1));
    else
        printf("not a binary of PoCL's in a format that is known\n");
    free(binary);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("poclbin");
    TCase *tcase = tcase_create("poclbin");
    SRunner *runner;
    int failed;

    tcase_add_test(tcase, no_part_of_a_binary_is_whole);
    tcase_add_test(tcase, no_file_in_it_is_empty_or_cut_off);
    tcase_add_test(tcase, of_other_formats_only_an_empty_program_is_broken);
    tcase_add_test(tcase, a_broken_binary_is_neither_taken_nor_given_back);
    tcase_add_test(tcase, what_the_driver_gives_is_whole);
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
