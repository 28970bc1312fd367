/* SPDX-License-Identifier: MIT */
/* Claim: what a builder has launched once is compiled by no launch of the program's:
 * PoCL, which compiles in a kernel's first launch for the size of its groups, writes no
 * file more. */
#include <check.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kept.h"

static const struct dl_layout aos = {DL_LAYOUT_AOS, 0};
static char folder[] = "/tmp/dl-test-warm-XXXXXX";
static unsigned compiled;

static int count_one(const char *path, const struct stat *status, int type,
                     struct FTW *at)
{
    (void)status;
    (void)at;
    compiled += type == FTW_F && strcmp(path + strlen(path) - 3, ".so") == 0;
    return 0;
}

static unsigned compiled_files(void)
{
    compiled = 0;
    nftw(folder, count_one, 16, FTW_PHYS);
    return compiled;
}

static int remove_one(const char *path, const struct stat *status, int type,
                      struct FTW *at)
{
    (void)status;
    (void)type;
    (void)at;
    return remove(path);
}

static void setup_warm(void)
{
    static struct dl__binaries warm;

    setup_kept();
    warm = *builder->opencl.binaries;
    warm.warm = true;
    dl_marshal_use_binaries(builder, &warm);
}

static bool is_pocl(void)
{
    char platform[64] = "";

    clGetDeviceInfo(device.id, CL_DEVICE_VERSION, sizeof platform - 1, platform, NULL);
    return strstr(platform, "PoCL") || strstr(platform, "pocl");
}

static void convert(cl_mem mem, const struct dl_leaf_table *table, uint64_t structs,
                    struct dl_layout from, struct dl_layout to)
{
    const struct dl_conversion *conversion;
    struct dl_rest *rest;

    ck_assert_int_eq(dl_marshal_prepare(marshal, table, structs, from, to, &conversion),
                     DL_OK);
    ck_assert_int_eq(dl_marshal_enqueue(marshal, device.queue, conversion, mem, 0, NULL,
                                        NULL, NULL, &rest),
                     DL_OK);
}

static const struct shape {
    unsigned widths[4];
    struct dl_layout to;
    uint64_t structs;
} shapes[] = {{{4, 8, 4}, {DL_LAYOUT_DA, 1}, 4099},
              {{4, 8, 4}, {DL_LAYOUT_DA, 1}, 700001},
              {{1, 2, 1}, {DL_LAYOUT_DA, 1}, 40000},
              {{4, 4, 4}, {DL_LAYOUT_ASTA, 32}, 4099},
              {{4, 4, 4}, {DL_LAYOUT_ASTA, 32}, 700001}};

START_TEST(conversions_and_parts)
{
    const struct shape *shape = &shapes[_i];
    struct dl_leaf_table table = table_make(shape->widths);
    uint64_t bytes = shape->structs * table.struct_bytes;
    const struct dl_part_box boxes[] = {
        {.width_bytes = table.struct_bytes, .height = 1, .depth = 1},
        {.width_bytes = bytes, .height = 1, .depth = 1}};
    const struct dl_conversion *conversion;
    const struct dl_part *part;
    unsigned before;
    cl_mem mem, staging;
    cl_int err;

    ck_assert_int_eq(
        dl_marshal_prepare(builder, &table, shape->structs, aos, shape->to, &conversion),
        DL_OK);
    ck_assert_int_eq(
        dl_marshal_prepare(builder, &table, shape->structs, shape->to, aos, &conversion),
        DL_OK);
    ck_assert_int_eq(
        dl_marshal_part_prepare(builder, &table, bytes, shape->to, boxes, false, &part),
        DL_OK);
    if (is_pocl())
        ck_assert_uint_gt(kept_again, 0); /* with what the launches have added */
    mem = clCreateBuffer(device.context, CL_MEM_READ_WRITE, bytes, NULL, &err);
    staging = clCreateBuffer(device.context, CL_MEM_READ_WRITE, bytes, NULL, &err);
    before = compiled_files();
    convert(mem, &table, shape->structs, aos, shape->to);
    for (unsigned b = 0; b < 4; b++) {
        ck_assert_int_eq(dl_marshal_part_prepare(marshal, &table, bytes, shape->to,
                                                 &boxes[b % 2], false, &part),
                         DL_OK);
        ck_assert_int_eq(dl_marshal_part_enqueue(marshal, device.queue, part,
                                                 b < 2 ? DL_PART_GATHER : DL_PART_SCATTER,
                                                 mem, &boxes[b % 2], staging, 0, NULL,
                                                 NULL),
                         DL_OK);
    }
    convert(mem, &table, shape->structs, shape->to, aos);
    clFinish(device.queue);
    ck_assert_uint_eq(compiled_files(), before);
    clReleaseMemObject(mem);
    clReleaseMemObject(staging);
    dl_leaf_table_free(&table);
}
END_TEST

START_TEST(comparisons)
{
    enum { STRUCT_BYTES = 12 };
    static const uint64_t sizes[] = {100, 1 << 20, 40 << 20};
    unsigned char where[STRUCT_BYTES];
    unsigned before;
    bool differ;
    cl_int err;

    ck_assert_int_eq(dl_marshal_compare_prepare(builder, 0), DL_OK);
    ck_assert_int_eq(dl_marshal_compare_prepare(builder, STRUCT_BYTES), DL_OK);
    before = compiled_files();
    for (unsigned s = 0; s < 3; s++) {
        cl_mem mem =
            clCreateBuffer(device.context, CL_MEM_READ_WRITE,
                           dl_marshal_compare_bytes(sizes[s], STRUCT_BYTES), NULL, &err);

        ck_assert_int_eq(
            dl_marshal_compare(marshal, device.queue, mem, mem, sizes[s], &differ),
            DL_OK);
        ck_assert_int_eq(dl_marshal_differences(marshal, device.queue, mem, mem, sizes[s],
                                                STRUCT_BYTES, where),
                         DL_OK);
        clReleaseMemObject(mem);
    }
    ck_assert_uint_eq(compiled_files(), before);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("warm");
    TCase *tcase = tcase_create("warm");
    SRunner *runner;
    int failed;

    /* Before the driver looks for it; and it is to be empty. */
    if (!mkdtemp(folder) || setenv("POCL_CACHE_DIR", folder, 1) != 0)
        return EXIT_FAILURE;
    device_open(&device); /* skips when there is none */
    device_close(&device);
    tcase_add_checked_fixture(tcase, setup_warm, close_kept);
    tcase_set_timeout(tcase, 0);
    tcase_add_loop_test(tcase, conversions_and_parts, 0, sizeof shapes / sizeof *shapes);
    tcase_add_test(tcase, comparisons);
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    nftw(folder, remove_one, 16, FTW_PHYS | FTW_DEPTH);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
