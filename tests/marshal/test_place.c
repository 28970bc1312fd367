/* SPDX-License-Identifier: MIT */
/* Claim: one program converts structs of any shape to any layout and back, and looks at
 * parts of them, by arguments alone: where nothing of the shape is built, and on CPUs to
 * discrete arrays always. The seed of the random shapes is printed (DL_SEED);
 * DL_TEST_FULL takes ten times as many. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kept.h"
#include "tests/common/random_numbers.h"

static uint64_t state;
static const struct dl_layout aos = {DL_LAYOUT_AOS, 0};

static uint64_t below(uint64_t end)
{
    return random_shift(&state) % end;
}

static enum dl_status ask(const struct dl_leaf_table *table, struct dl_layout to,
                          bool may_stand_in)
{
    return dl_marshal_ask(marshal, table, 4099, aos, to, may_stand_in);
}

static struct dl_leaf_table random_table(unsigned unit)
{
    unsigned widths[16] = {0}, leaves = 2 + below(14);

    for (unsigned l = 0; l < leaves; l++)
        widths[l] = unit * (1 + (unsigned)below(below(3) ? 3 : 32 / unit));
    return table_make(widths);
}

static struct dl_layout random_layout(void)
{
    static const enum dl_layout_kind kinds[] = {DL_LAYOUT_DA, DL_LAYOUT_SOA,
                                                DL_LAYOUT_ASTA};

    return (struct dl_layout){kinds[below(3)], 2 + (uint32_t)below(70)};
}

/* Nothing of the shape is built, and by no order that could be. */
START_TEST(any_layout_without_a_compiler)
{
    static const unsigned units[] = {4, 8, 16};
    unsigned shapes = getenv("DL_TEST_FULL") ? 400 : 40;

    kept_as_gpu();
    ck_assert_int_eq(dl_marshal_prepare_any(builder), DL_OK);
    for (unsigned s = 0; s < shapes; s++) {
        struct dl_leaf_table table = random_table(units[below(3)]);
        struct dl_layout layout = random_layout();
        uint64_t structs = 1 + below(below(2) ? 3000 : 100);

        ck_assert_int_eq(dl_marshal_ask(marshal, &table, structs, aos, layout, true),
                         DL_OK);
        ck_assert_int_eq(dl_marshal_ask(marshal, &table, structs, layout, aos, true),
                         DL_OK);
        check_both_ways(&table, structs, layout);
        dl_leaf_table_free(&table);
    }
    ck_assert_uint_eq(kept_count, 2);
}
END_TEST

/* No larger workspace than place_bytes; then it waits for its kernels. */
START_TEST(too_large_to_stand_in)
{
    static const unsigned widths[] = {4, 8, 4, 0};
    const struct dl_layout da = {DL_LAYOUT_DA, 32};
    struct dl_leaf_table table = table_make(widths);

    kept_as_gpu();
    ck_assert_int_eq(dl_marshal_prepare_any(builder), DL_OK);
    DL__STEPS_SET(&marshal->steps, place_bytes, 4098 * table.struct_bytes);
    ck_assert_int_eq(ask(&table, da, true), DL_ECL);
    DL__STEPS_SET(&marshal->steps, place_bytes, 4099 * table.struct_bytes);
    ck_assert_int_eq(ask(&table, da, true), DL_OK);
    dl_leaf_table_free(&table);
}
END_TEST

/* Where nothing is built at all, for structs of any bytes: until the kernels are. */
START_TEST(the_host_stands_in_on_a_cpu)
{
    static const unsigned widths[] = {4, 4, 12, 4, 0};
    static const unsigned units[] = {1, 2, 4, 8, 16};
    const struct dl_layout da = {DL_LAYOUT_DA, 32};
    struct dl_leaf_table table = table_make(widths);
    unsigned shapes = getenv("DL_TEST_FULL") ? 400 : 40;
    const struct dl_conversion *own;

    if (!marshal->engine.limits.is_cpu || !marshal->engine.limits.calls_host)
        return;
    for (unsigned s = 0; s < shapes; s++) {
        struct dl_leaf_table any = random_table(units[below(5)]);
        struct dl_layout layout = random_layout();
        uint64_t structs = 1 + below(below(2) ? 3000 : 100);

        ck_assert_int_eq(dl_marshal_ask(marshal, &any, structs, aos, layout, true),
                         DL_OK);
        ck_assert_int_eq(dl_marshal_ask(marshal, &any, structs, layout, aos, true),
                         DL_OK);
        check_both_ways(&any, structs, layout);
        dl_leaf_table_free(&any);
    }
    ck_assert_uint_eq(kept_count, 0);
    ck_assert_int_eq(ask(&table, da, false), DL_ECL);
    ck_assert_int_eq(ask(&table, da, true), DL_OK);
    ck_assert(marshal->conversions->stands_in);
    ck_assert_int_eq(dl_marshal_prepare(builder, &table, 4099, aos, da, &own), DL_OK);
    ck_assert_int_eq(ask(&table, da, false), DL_OK);
    ck_assert(!marshal->conversions->stands_in);
    dl_leaf_table_free(&table);
}
END_TEST

/* Its workspace is as large, and what it is told has its bounds. */
START_TEST(too_large_for_the_host)
{
    const struct dl_layout da = {DL_LAYOUT_DA, 32};
    unsigned widths[257] = {0};
    struct dl_leaf_table table;

    if (!marshal->engine.limits.is_cpu || !marshal->engine.limits.calls_host)
        return;
    for (unsigned l = 0; l < 256; l++)
        widths[l] = 4;
    table = table_make(widths);
    ck_assert_int_eq(ask(&table, da, true), DL_ECL);
    dl_leaf_table_free(&table);
    widths[8] = 0;
    table = table_make(widths);
    DL__STEPS_SET(&marshal->steps, place_bytes, 4098 * table.struct_bytes);
    ck_assert_int_eq(ask(&table, da, true), DL_ECL);
    DL__STEPS_SET(&marshal->steps, place_bytes, 4099 * table.struct_bytes);
    ck_assert_int_eq(ask(&table, da, true), DL_OK);
    dl_leaf_table_free(&table);
}
END_TEST

/* A CPU's own way to discrete arrays: the shape needs no compiler at all. */
START_TEST(discrete_arrays_on_a_cpu)
{
    static const unsigned widths[] = {4, 4, 12, 4, 0};
    const struct dl_layout da = {DL_LAYOUT_DA, 32};
    struct dl_leaf_table table = table_make(widths);

    if (!marshal->engine.limits.is_cpu)
        return;
    ck_assert_int_eq(dl_marshal_prepare_any(builder), DL_OK);
    ck_assert_int_eq(ask(&table, da, false), DL_OK);
    ck_assert(!marshal->conversions->stands_in);
    check_both_ways(&table, 4099, da);
    dl_leaf_table_free(&table);
}
END_TEST

/* The same of leaves of 1 and 2 bytes among others, whatever the shape, once one of them
 * was built; where all bytes are whole words. */
START_TEST(narrow_arrays_on_a_cpu)
{
    static const unsigned widths[] = {1, 2, 1, 0};
    static const struct dl_layout arrays[] = {{DL_LAYOUT_DA, 32}, {DL_LAYOUT_SOA, 1}};
    struct dl_leaf_table table = table_make(widths);
    const struct dl_conversion *first;
    unsigned shapes = getenv("DL_TEST_FULL") ? 400 : 40;

    if (!marshal->engine.limits.is_cpu)
        return;
    ck_assert_int_eq(dl_marshal_prepare(builder, &table, 4096, aos, arrays[0], &first),
                     DL_OK);
    dl_leaf_table_free(&table);
    for (unsigned s = 0; s < shapes; s++) {
        const struct dl_layout to = arrays[below(2)];
        uint64_t structs = 32 + below(below(2) ? 3000 : 100);

        table = random_table(1 + (unsigned)below(2));
        if (dl_leaf_table_unit_bytes(&table) > 2) {
            dl_leaf_table_free(&table);
            continue;
        }
        while (structs * table.struct_bytes % 4)
            structs++;
        ck_assert_int_eq(dl_marshal_ask(marshal, &table, structs, aos, to, false), DL_OK);
        ck_assert_int_eq(dl_marshal_ask(marshal, &table, structs, to, aos, false), DL_OK);
        check_both_ways(&table, structs, to);
        dl_leaf_table_free(&table);
    }
}
END_TEST

static struct dl_part_box random_box(uint64_t bytes)
{
    struct dl_part_box box = {.width_bytes = 1 + below(40), .height = 1, .depth = 1};
    uint64_t unit = below(2) ? 4 : 1, span;

    if (below(2)) {
        box.height = 1 + below(5);
        box.row_bytes = box.width_bytes + below(20);
        box.depth = 1 + below(3);
        box.slice_bytes = box.height * box.row_bytes + below(9);
    }
    box.width_bytes *= unit;
    box.row_bytes *= unit;
    box.slice_bytes *= unit;
    span = (box.depth - 1) * box.slice_bytes + (box.height - 1) * box.row_bytes +
           box.width_bytes;
    if (span > bytes)
        return (struct dl_part_box){.width_bytes = bytes, .height = 1, .depth = 1};
    box.first_byte = below(bytes - span + 1) / unit * unit;
    return box;
}

/* The box's bytes of `array`, as the program sees them: into `line`, or from there. */
static void box_copy(const struct dl_part_box *box, unsigned char *array,
                     unsigned char *line, bool scatter)
{
    for (uint64_t z = 0; z < box->depth; z++)
        for (uint64_t y = 0; y < box->height; y++, line += box->width_bytes) {
            unsigned char *row =
                array + box->first_byte + z * box->slice_bytes + y * box->row_bytes;

            memcpy(scatter ? row : line, scatter ? line : row, box->width_bytes);
        }
}

static void check_part(const struct dl_leaf_table *table, uint64_t structs,
                       uint64_t extra, struct dl_layout layout)
{
    uint64_t whole = structs * table->struct_bytes, bytes = whole + extra;
    struct dl_part_box box = random_box(bytes);
    uint64_t count = box.width_bytes * box.height * box.depth;
    unsigned char *array = random_bytes(bytes, structs), *tiled = malloc(bytes);
    unsigned char *line = random_bytes(count, structs + 1), *got = malloc(bytes);
    const struct dl_part *part;
    cl_int err;
    cl_mem mem, staging;

    memcpy(tiled, array, bytes);
    reference_convert(table, structs, aos, layout, array, tiled);
    mem = clCreateBuffer(device.context, CL_MEM_COPY_HOST_PTR, bytes, tiled, &err);
    staging = clCreateBuffer(device.context, CL_MEM_READ_WRITE, count, NULL, &err);
    ck_assert_int_eq(
        dl_marshal_part_prepare(marshal, table, bytes, layout, &box, false, &part),
        DL_OK);
    ck_assert_int_eq(dl_marshal_part_enqueue(marshal, device.queue, part, DL_PART_GATHER,
                                             mem, &box, staging, 0, NULL, NULL),
                     DL_OK);
    clEnqueueReadBuffer(device.queue, staging, CL_TRUE, 0, count, got, 0, NULL, NULL);
    box_copy(&box, array, tiled, false);
    ck_assert_int_eq(memcmp(tiled, got, count), 0);
    clEnqueueWriteBuffer(device.queue, staging, CL_TRUE, 0, count, line, 0, NULL, NULL);
    ck_assert_int_eq(dl_marshal_part_enqueue(marshal, device.queue, part, DL_PART_SCATTER,
                                             mem, &box, staging, 0, NULL, NULL),
                     DL_OK);
    clEnqueueReadBuffer(device.queue, mem, CL_TRUE, 0, bytes, got, 0, NULL, NULL);
    box_copy(&box, array, line, true);
    memcpy(tiled, array, bytes);
    reference_convert(table, structs, aos, layout, array, tiled);
    ck_assert_int_eq(memcmp(tiled, got, bytes), 0);
    clReleaseMemObject(mem);
    clReleaseMemObject(staging);
    free(array);
    free(tiled);
    free(line);
    free(got);
}

START_TEST(any_part_without_a_compiler)
{
    static const unsigned units[] = {4, 8, 16};
    unsigned shapes = getenv("DL_TEST_FULL") ? 1000 : 60;

    kept_as_gpu();
    ck_assert_int_eq(dl_marshal_prepare_any(builder), DL_OK);
    for (unsigned s = 0; s < shapes; s++) {
        struct dl_leaf_table table = random_table(units[below(3)]);
        struct dl_layout layout = random_layout();
        uint64_t structs = 2 + below(300);

        ck_assert_int_eq(dl_marshal_ask(marshal, &table, structs, aos, layout, true),
                         DL_OK);
        check_part(&table, structs, below(table.struct_bytes), layout);
        dl_leaf_table_free(&table);
    }
    ck_assert_uint_eq(kept_count, 2);
}
END_TEST

/* Once its own kernels are kept, a part has those. */
START_TEST(parts_give_way)
{
    static const unsigned widths[] = {8, 4, 4, 4, 0};
    const struct dl_layout da = {DL_LAYOUT_DA, 32};
    struct dl_leaf_table table = table_make(widths);
    struct dl_part_box box = {.width_bytes = table.struct_bytes, .height = 1, .depth = 1};
    uint64_t bytes = 4099 * table.struct_bytes;
    const struct dl_part *standing, *part;

    kept_as_gpu();
    ck_assert_int_eq(dl_marshal_prepare_any(builder), DL_OK);
    ck_assert_int_eq(ask(&table, da, true), DL_OK);
    ck_assert_int_eq(
        dl_marshal_part_prepare(marshal, &table, bytes, da, &box, false, &standing),
        DL_OK);
    ck_assert_int_eq(
        dl_marshal_part_prepare(marshal, &table, bytes, da, &box, false, &part), DL_OK);
    ck_assert_ptr_eq(part, standing);
    ck_assert_int_eq(
        dl_marshal_part_prepare(builder, &table, bytes, da, &box, false, &part), DL_OK);
    for (int i = 0; i < 8; i++)
        dl_marshal_part_prepare(marshal, &table, bytes, da, &box, false, &part);
    ck_assert_ptr_ne(part, standing);
    dl_leaf_table_free(&table);
}
END_TEST

/* A part that must not wait for a compiler is had once it is built. */
START_TEST(parts_without_a_compiler)
{
    static const unsigned widths[] = {8, 4, 4, 4, 0};
    const struct dl_layout da = {DL_LAYOUT_DA, 32};
    struct dl_leaf_table table = table_make(widths);
    uint64_t bytes = 4099 * table.struct_bytes;
    struct dl_part_box box = {.width_bytes = bytes, .height = 1, .depth = 1};
    const struct dl_part *part;

    ck_assert_int_eq(
        dl_marshal_part_prepare(marshal, &table, bytes, da, &box, true, &part), DL_ECL);
    ck_assert_uint_eq(kept_count, 0);
    ck_assert_int_eq(
        dl_marshal_part_prepare(builder, &table, bytes, da, &box, false, &part), DL_OK);
    ck_assert_int_eq(
        dl_marshal_part_prepare(marshal, &table, bytes, da, &box, true, &part), DL_OK);
    dl_leaf_table_free(&table);
}
END_TEST

int main(void)
{
    const char *seed = getenv("DL_SEED");
    Suite *suite = suite_create("place");
    TCase *tcase = tcase_create("kept");
    SRunner *runner;
    int failed;

    device_open(&device); /* skips when there is none */
    device_close(&device);
    state = (seed ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL)) | 1;
    printf("DL_SEED=%llu\n", (unsigned long long)state);
    tcase_add_checked_fixture(tcase, setup_kept, close_kept);
    tcase_set_timeout(tcase, 0);
    tcase_add_test(tcase, any_layout_without_a_compiler);
    tcase_add_test(tcase, too_large_to_stand_in);
    tcase_add_test(tcase, the_host_stands_in_on_a_cpu);
    tcase_add_test(tcase, too_large_for_the_host);
    tcase_add_test(tcase, discrete_arrays_on_a_cpu);
    tcase_add_test(tcase, narrow_arrays_on_a_cpu);
    tcase_add_test(tcase, any_part_without_a_compiler);
    tcase_add_test(tcase, parts_give_way);
    tcase_add_test(tcase, parts_without_a_compiler);
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
