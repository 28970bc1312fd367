/* Claim: any range of structs of a tiled buffer is gathered and scattered as the formula
 * says, and nothing outside the range is touched. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "marshal_kernels/marshal.h"

static struct device device;
static struct dl_marshal *marshal;

static void setup(void)
{
    device_open(&device);
    ck_assert_int_eq(dl_marshal_make(&device.cl, device.context, device.id, &marshal),
                     DL_OK);
}

static void teardown(void)
{
    dl_marshal_free(marshal);
    device_close(&device);
}

/* a mixed struct with padding, a byte-wide one, one of a single leaf, one of wide vectors
 */
static const struct {
    uint32_t struct_bytes;
    size_t field_count;
    struct dl_leaf fields[6];
} types[] = {
    {32, 5, {{0, 4}, {4, 4}, {8, 1}, {12, 2}, {16, 16}}},
    {3, 3, {{0, 1}, {1, 1}, {2, 1}}},
    {8, 1, {{0, 8}}},
    {192, 2, {{0, 128}, {128, 64}}},
    {20, 5, {{0, 4}, {4, 4}, {8, 4}, {12, 4}, {16, 4}}},
};

static const struct dl_layout layouts[] = {
    {DL_LAYOUT_ASTA, 1},  {DL_LAYOUT_ASTA, 8}, {DL_LAYOUT_ASTA, 32}, {DL_LAYOUT_ASTA, 77},
    {DL_LAYOUT_ASTA, 33}, {DL_LAYOUT_DA, 8},   {DL_LAYOUT_SOA, 0},
};

static void fill(unsigned char *bytes, size_t count, unsigned seed)
{
    for (size_t i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        bytes[i] = (unsigned char)(seed >> 24);
    }
}

/* The tiled form of an array, by the formula. */
static void tile(const struct dl_leaf_table *table, uint64_t structs,
                 struct dl_layout layout, const unsigned char *in, unsigned char *out)
{
    struct dl_tiling tiling;

    ck_assert_int_eq(dl_layout_tile(layout, structs, &tiling), DL_OK);
    for (uint64_t i = 0; i < structs; i++)
        for (uint32_t l = 0; l < table->leaf_count; l++)
            memcpy(out + dl_tiling_leaf_byte(&tiling, table->struct_bytes,
                                             table->leaves[l], i),
                   in + i * table->struct_bytes + table->leaves[l].offset_bytes,
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

static void check_range(const struct dl_leaf_table *table, uint64_t structs,
                        struct dl_layout layout, uint64_t first, uint64_t count)
{
    size_t bytes = (size_t)structs * table->struct_bytes,
           at = (size_t)first * table->struct_bytes,
           range = (size_t)count * table->struct_bytes;
    unsigned char *aos = malloc(bytes), *tiled = malloc(bytes), *got = malloc(bytes),
                  *part = malloc(range);
    const struct dl_part *access;
    cl_mem mem, staging;

    fill(aos, bytes, 7);
    tile(table, structs, layout, aos, tiled);
    mem = make_buffer(tiled, bytes);
    memset(part, 0xee, range);
    staging = make_buffer(part, range);
    ck_assert_int_eq(dl_marshal_part_prepare(marshal, table, structs, layout, &access),
                     DL_OK);

    ck_assert_int_eq(dl_marshal_part_enqueue(marshal, device.queue, access,
                                             DL_PART_GATHER, mem, first, count, staging,
                                             0, NULL, NULL),
                     DL_OK);
    clEnqueueReadBuffer(device.queue, staging, CL_TRUE, 0, range, part, 0, NULL, NULL);
    ck_assert_mem_eq(part, aos + at, range);
    clEnqueueReadBuffer(device.queue, mem, CL_TRUE, 0, bytes, got, 0, NULL, NULL);
    ck_assert_mem_eq(got, tiled, bytes);

    fill(aos + at, range, 99);
    tile(table, structs, layout, aos, tiled);
    clEnqueueWriteBuffer(device.queue, staging, CL_TRUE, 0, range, aos + at, 0, NULL,
                         NULL);
    ck_assert_int_eq(dl_marshal_part_enqueue(marshal, device.queue, access,
                                             DL_PART_SCATTER, mem, first, count, staging,
                                             0, NULL, NULL),
                     DL_OK);
    clEnqueueReadBuffer(device.queue, mem, CL_TRUE, 0, bytes, got, 0, NULL, NULL);
    ck_assert_mem_eq(got, tiled, bytes);

    clReleaseMemObject(staging);
    clReleaseMemObject(mem);
    free(part);
    free(got);
    free(tiled);
    free(aos);
}

START_TEST(part_gathers_and_scatters_any_range)
{
    struct dl_leaf_table table;

    ck_assert_int_eq(dl_leaf_table_make(types[_i].struct_bytes, types[_i].fields,
                                        types[_i].field_count, &table),
                     DL_OK);
    for (size_t l = 0; l < sizeof layouts / sizeof *layouts; l++) {
        check_range(&table, 77, layouts[l], 0, 77);
        check_range(&table, 77, layouts[l], 76, 1);
        check_range(&table, 77, layouts[l], 5, 31);
        check_range(&table, 77, layouts[l], 60, 17);
        check_range(&table, 5, layouts[l], 1, 3);
    }
    dl_leaf_table_free(&table);
}
END_TEST

START_TEST(part_rejects_ranges_past_the_end)
{
    static const struct {
        uint64_t first, count;
    } ranges[] = {{0, 0}, {0, 6}, {5, 1}, {6, 0}, {UINT64_MAX, 2}, {1, UINT64_MAX}};
    struct dl_leaf_table table;
    const struct dl_part *access;
    unsigned char bytes[160] = {0};
    cl_mem mem = make_buffer(bytes, sizeof bytes);

    ck_assert_int_eq(dl_leaf_table_make(types[0].struct_bytes, types[0].fields,
                                        types[0].field_count, &table),
                     DL_OK);
    ck_assert_int_eq(dl_marshal_part_prepare(marshal, &table, 5, layouts[1], &access),
                     DL_OK);
    for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++)
        ck_assert_int_eq(dl_marshal_part_enqueue(marshal, device.queue, access,
                                                 DL_PART_GATHER, mem, ranges[r].first,
                                                 ranges[r].count, mem, 0, NULL, NULL),
                         DL_EINVAL);
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
    tcase_add_test(tcase, part_rejects_ranges_past_the_end);
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
