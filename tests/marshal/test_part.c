/* SPDX-License-Identifier: MIT */
/* Claim: any bytes of a tiled buffer, a range or a box, are gathered and scattered as the
 * formula says, and nothing outside of them is touched. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "marshal_kernels/internal.h"
#include "tests/common/random_numbers.h"

static struct device device;
static struct dl_marshal *marshal;

static void setup(void)
{
    device_open(&device);
    ck_assert_int_eq(dl_marshal_make(&device.cl, device.context, device.id, &marshal),
                     DL_OK);
}

/* As for arrays of more elements than 32 bits count. */
static void setup_wide(void)
{
    setup();
    marshal->wide_parts = true;
}

static void teardown(void)
{
    dl_marshal_free(marshal);
    device_close(&device);
}

/* a mixed struct with padding, a byte-wide one, one of a single leaf, one of wide
 * vectors */
static const struct {
    uint32_t struct_bytes;
    size_t field_count;
    struct dl_leaf fields[6];
    bool arrays; /* the program itself has one for each leaf */
} types[] = {
    {32, 5, {{0, 4}, {4, 4}, {8, 1}, {12, 2}, {16, 16}}, false},
    {3, 3, {{0, 1}, {1, 1}, {2, 1}}, false},
    {8, 1, {{0, 8}}, false},
    {192, 2, {{0, 128}, {128, 64}}, false},
    {20, 5, {{0, 4}, {4, 4}, {8, 4}, {12, 4}, {16, 4}}, false},
    {12, 3, {{0, 4}, {4, 4}, {8, 4}}, true},
    {64, 2, {{0, 32}, {32, 32}}, true},
};

static const struct dl_layout layouts[] = {
    {DL_LAYOUT_ASTA, 1},  {DL_LAYOUT_ASTA, 8}, {DL_LAYOUT_ASTA, 32}, {DL_LAYOUT_ASTA, 77},
    {DL_LAYOUT_ASTA, 33}, {DL_LAYOUT_DA, 8},   {DL_LAYOUT_SOA, 0},
};

/* The tiled form of an array, by the formula; what lies beyond the whole structs stays.
 */
static void tile(const struct dl_leaf_table *table, size_t bytes, struct dl_layout layout,
                 const unsigned char *in, unsigned char *out)
{
    uint64_t structs = bytes / table->struct_bytes;
    struct dl_tiling tiling;

    memcpy(out, in, bytes);

    ck_assert_int_eq(dl_layout_tile(layout, structs, &tiling), DL_OK);
    for (uint64_t i = 0; i < structs; i++)
        for (uint32_t l = 0; l < table->leaf_count; l++)
            memcpy(out + dl_tiling_leaf_byte(&tiling, table->struct_bytes,
                                             table->leaves[l], i),
                   in + (table->arrays
                             ? table->leaves[l].offset_bytes * structs +
                                   i * table->leaves[l].width_bytes
                             : i * table->struct_bytes + table->leaves[l].offset_bytes),
                   table->leaves[l].width_bytes);
}

static cl_mem make_buffer(unsigned char *bytes, size_t count)
{
    cl_int err;
    cl_mem mem = clCreateBuffer(device.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                count, bytes, &err);

    ck_assert_int_eq(err, CL_SUCCESS);
    return mem;
}

/* Copies the box between an array and its rows one after the other. */
static void copy_box(const struct dl_part_box *box, unsigned char *array,
                     unsigned char *rows, bool to_array)
{
    for (uint64_t z = 0; z < box->depth; z++)
        for (uint64_t y = 0; y < box->height; y++) {
            unsigned char *at =
                array + box->first_byte + z * box->slice_bytes + y * box->row_bytes;

            memcpy(to_array ? at : rows, to_array ? rows : at, box->width_bytes);
            rows += box->width_bytes;
        }
}

static void check_box(const struct dl_leaf_table *table, size_t bytes,
                      struct dl_layout layout, struct dl_part_box box)
{
    enum { BEYOND = 16 };
    size_t range = (size_t)(box.width_bytes * box.height * box.depth);
    unsigned char *aos = malloc(bytes), *tiled = malloc(bytes), *got = malloc(bytes),
                  *part = malloc(range + BEYOND), *want = malloc(range + BEYOND);
    const struct dl_part *access;
    cl_mem mem, staging;

    random_bytes_fill(aos, bytes, 7);
    tile(table, bytes, layout, aos, tiled);
    mem = make_buffer(tiled, bytes);
    memset(part, 0xee, range + BEYOND);
    memset(want, 0xee, range + BEYOND);
    copy_box(&box, aos, want, false);
    staging = make_buffer(part, range + BEYOND);
    ck_assert_int_eq(
        dl_marshal_part_prepare(marshal, table, bytes, layout, &box, false, &access),
        DL_OK);

    ck_assert_int_eq(dl_marshal_part_enqueue(marshal, device.queue, access,
                                             DL_PART_GATHER, mem, &box, staging, 0, NULL,
                                             NULL),
                     DL_OK);
    clEnqueueReadBuffer(device.queue, staging, CL_TRUE, 0, range + BEYOND, part, 0, NULL,
                        NULL);
    ck_assert_mem_eq(part, want, range + BEYOND);
    clEnqueueReadBuffer(device.queue, mem, CL_TRUE, 0, bytes, got, 0, NULL, NULL);
    ck_assert_mem_eq(got, tiled, bytes);

    random_bytes_fill(part, range, 99);
    copy_box(&box, aos, part, true);
    tile(table, bytes, layout, aos, tiled);
    clEnqueueWriteBuffer(device.queue, staging, CL_TRUE, 0, range, part, 0, NULL, NULL);
    ck_assert_int_eq(dl_marshal_part_enqueue(marshal, device.queue, access,
                                             DL_PART_SCATTER, mem, &box, staging, 0, NULL,
                                             NULL),
                     DL_OK);
    clEnqueueReadBuffer(device.queue, mem, CL_TRUE, 0, bytes, got, 0, NULL, NULL);
    ck_assert_mem_eq(got, tiled, bytes);

    clReleaseMemObject(staging);
    clReleaseMemObject(mem);
    free(want);
    free(part);
    free(got);
    free(tiled);
    free(aos);
}

static struct dl_part_box range(uint64_t first, uint64_t bytes)
{
    return (struct dl_part_box){
        .first_byte = first, .width_bytes = bytes, .height = 1, .depth = 1};
}

START_TEST(part_gathers_and_scatters_any_range)
{
    struct dl_leaf_table table;

    ck_assert_int_eq(dl_leaf_table_make(types[_i].struct_bytes, types[_i].fields,
                                        types[_i].field_count, &table),
                     DL_OK);
    table.arrays = types[_i].arrays;
    const size_t one = table.struct_bytes;

    for (size_t l = 0; l < sizeof layouts / sizeof *layouts; l++) {
        check_box(&table, 77 * one, layouts[l], range(0, 77 * one));
        check_box(&table, 77 * one + one - 1, layouts[l], range(76 * one, 2 * one - 1));
        check_box(&table, 77 * one, layouts[l], range(5 * one, 31 * one));
        check_box(&table, 77 * one, layouts[l], range(60 * one + 1, 16 * one));
        check_box(&table, 77 * one + one / 2, layouts[l], range(76 * one + one - 1, 1));
        check_box(&table, 5 * one, layouts[l], range(one, 3 * one));
    }
    dl_leaf_table_free(&table);
}
END_TEST

START_TEST(part_gathers_and_scatters_boxes)
{
    static const struct dl_part_box boxes[] = {
        {0, 1, 77, 3, 1, 0},    {16, 32, 5, 48, 1, 0},   {5, 11, 9, 23, 1, 1},
        {7, 3, 4, 5, 6, 33},    {32, 16, 2, 64, 3, 192}, {0, 8, 8, 8, 8, 64},
        {64, 64, 1, 0, 7, 128}, {96, 4, 40, 4, 1, 0},    {1, 1, 1, 0, 1, 0},
        {0, 2, 3, 4, 2, 15},
    };
    struct dl_leaf_table table;

    ck_assert_int_eq(dl_leaf_table_make(types[_i].struct_bytes, types[_i].fields,
                                        types[_i].field_count, &table),
                     DL_OK);
    table.arrays = types[_i].arrays;
    for (size_t l = 0; l < sizeof layouts / sizeof *layouts; l++)
        for (size_t b = 0; b < sizeof boxes / sizeof *boxes; b++)
            check_box(&table, 1021, layouts[l], boxes[b]);
    dl_leaf_table_free(&table);
}
END_TEST

START_TEST(part_rejects_boxes_past_the_end)
{
    static const struct dl_part_box boxes[] = {
        {0, 0, 1, 0, 1, 0},
        {0, 161, 1, 0, 1, 0},
        {160, 1, 1, 0, 1, 0},
        {161, 0, 1, 0, 1, 0},
        {UINT64_MAX, 2, 1, 0, 1, 0},
        {1, UINT64_MAX, 1, 0, 1, 0},
        {0, 16, 0, 16, 1, 0},
        {0, 16, 1, 16, 0, 0},
        {0, 16, 11, 16, 1, 0},
        {0, 16, 2, 16, 5, 36},
        {0, 1, UINT64_MAX, 2, 1, 0},
        {0, 16, 2, UINT64_MAX - 8, 1, 0},
        {0, 16, 1, 0, UINT64_MAX, 16},
    };
    const struct dl_part_box any = range(0, 1);
    struct dl_leaf_table table;
    const struct dl_part *access;
    unsigned char bytes[160] = {0};
    cl_mem mem = make_buffer(bytes, sizeof bytes);

    ck_assert_int_eq(dl_leaf_table_make(types[0].struct_bytes, types[0].fields,
                                        types[0].field_count, &table),
                     DL_OK);
    ck_assert_int_eq(
        dl_marshal_part_prepare(marshal, &table, 160, layouts[1], &any, false, &access),
        DL_OK);
    for (size_t b = 0; b < sizeof boxes / sizeof *boxes; b++) {
        ck_assert_int_eq(dl_marshal_part_prepare(marshal, &table, 160, layouts[1],
                                                 &boxes[b], false, &access),
                         DL_EINVAL);
        ck_assert_int_eq(dl_marshal_part_enqueue(marshal, device.queue, access,
                                                 DL_PART_GATHER, mem, &boxes[b], mem, 0,
                                                 NULL, NULL),
                         DL_EINVAL);
    }
    clReleaseMemObject(mem);
    dl_leaf_table_free(&table);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("part");
    TCase *tcase = tcase_create("part");
    SRunner *runner;
    int failed;

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, part_gathers_and_scatters_any_range, 0,
                        sizeof types / sizeof *types);
    tcase_add_loop_test(tcase, part_gathers_and_scatters_boxes, 0,
                        sizeof types / sizeof *types);
    tcase_add_test(tcase, part_rejects_boxes_past_the_end);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("wide");
    tcase_add_checked_fixture(tcase, setup_wide, teardown);
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, part_gathers_and_scatters_boxes, 0,
                        sizeof types / sizeof *types);
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
