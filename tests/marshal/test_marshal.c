/* SPDX-License-Identifier: MIT */
/* Claim: a conversion on the device moves every leaf where the formula says, in place,
 * both ways, and touches nothing else. Of what takes long, a fourth by turns
 * (tests/common/turn.h). */
#include <check.h>
#include <stdlib.h>

#include "convert.h"
#include "tests/common/turn.h"

static void setup(void)
{
    device_open(&device);
    ck_assert_int_eq(dl_marshal_make(&device.cl, device.context, device.id, &marshal),
                     DL_OK);
}

/* With knobs and conversions of its own. */
static void marshal_again(void)
{
    marshal_close();
    setup();
}

static void setup_gpu(void)
{
    setup();
    marshal_as_gpu();
}

/* ---- cases ---- */

static const uint64_t counts[] = {1, 0, 2, 7, 31, 32, 33, 64, 97, 1021, 1024, 4099};

static const unsigned mixes[][12] = {
    {1, 2, 1, 4, 8}, /* naturally aligned, unit 1 */
    {4, 4, 8},
    {8, 8, 4, 8, 8, 4, 64, 32, 8}, /* 36 columns */
    {1, 4, 2},                     /* packed, 7 bytes */
    {2, 2, 4, 8, 128},             /* more columns than bits */
    {6, 12, 6},                    /* unit 6: no type of the kernels */
    {8, 4, 4, 16, 16},
    {4, 8, 4}, /* packed */
    {16, 4, 4, 4, 4, 8, 8},
    {128, 64, 64},
    {12, 4},
    {3, 1},
};

START_TEST(asta_mixed_leaves)
{
    struct dl_leaf_table table;

    if (!is_its_turn_of((unsigned)_i, 2))
        return;
    table = table_make(mixes[_i]);
    for (unsigned c = 0; c < sizeof counts / sizeof *counts; c++)
        if (is_its_turn(c + (unsigned)_i / 2))
            check_both_ways(&table, counts[c], (struct dl_layout){DL_LAYOUT_ASTA, 32});
    check_both_ways(&table, 8203, (struct dl_layout){DL_LAYOUT_ASTA, 32});
    dl_leaf_table_free(&table);
}
END_TEST

START_TEST(da_mixed_leaves)
{
    struct dl_leaf_table table;

    if (!is_its_turn_of((unsigned)_i + 1, 2))
        return;
    table = table_make(mixes[_i]);
    for (unsigned c = 0; c < sizeof counts / sizeof *counts; c++)
        if (is_its_turn(c + (unsigned)_i / 2))
            check_both_ways(&table, counts[c], (struct dl_layout){DL_LAYOUT_DA, 32});
    check_both_ways(&table, 16411, (struct dl_layout){DL_LAYOUT_DA, 32});
    dl_leaf_table_free(&table);
}
END_TEST

START_TEST(asta_every_leaf_width)
{
    static const unsigned widths[] = {2, 128, 16, 1, 4, 8, 32, 64};
    struct dl_leaf_table table = table_make_equal(widths[_i], 3);

    if (is_its_turn((unsigned)_i))
        check_both_ways(&table, 4099, (struct dl_layout){DL_LAYOUT_ASTA, 32});
    if (is_its_turn((unsigned)_i + 3))
        check_both_ways(&table, 4099, (struct dl_layout){DL_LAYOUT_DA, 16});
    dl_leaf_table_free(&table);
}
END_TEST

START_TEST(asta_every_tile)
{
    static const uint32_t tiles[] = {31, 1000, 3, 16, 1, 2, 7, 8, 64, 100, 256, 1024};
    struct dl_leaf_table table = table_make_equal(4, 20);

    if (is_its_turn((unsigned)_i))
        check_both_ways(&table, 3163, (struct dl_layout){DL_LAYOUT_ASTA, tiles[_i]});
    if (is_its_turn((unsigned)_i + 3))
        check_both_ways(&table, 3163, (struct dl_layout){DL_LAYOUT_DA, tiles[_i]});
    dl_leaf_table_free(&table);
}
END_TEST

START_TEST(asta_struct_sizes)
{
    static const unsigned words[] = {5, 2, 33, 64, 3, 4, 8, 16, 19, 20, 31, 32, 63};
    struct dl_leaf_table table = table_make_equal(4, words[_i]);

    if (is_its_turn((unsigned)_i))
        check_both_ways(&table, 2053, (struct dl_layout){DL_LAYOUT_ASTA, 32});
    if (is_its_turn((unsigned)_i + 3))
        check_both_ways(&table, 8192, (struct dl_layout){DL_LAYOUT_DA, 32});
    dl_leaf_table_free(&table);
}
END_TEST

/* Some tiles together are whole vectors where one is not; at the end a few are left over.
 */
START_TEST(tiles_that_are_no_whole_vectors)
{
    static const struct {
        unsigned width, leaves, tile;
    } shapes[] = {{4, 3, 7}, {2, 3, 5}, {4, 21, 13}};
    struct dl_leaf_table table = table_make_equal(shapes[_i].width, shapes[_i].leaves);
    uint32_t tile = shapes[_i].tile;

    check_both_ways(&table, tile * 1003 + 2, (struct dl_layout){DL_LAYOUT_ASTA, tile});
    dl_leaf_table_free(&table);
}
END_TEST

/* 100! alone, on super-elements that are and that are not whole vectors. */
START_TEST(super_elements_of_any_length)
{
    static const struct {
        unsigned width, leaves, tile;
    } shapes[] = {{4, 5, 33},  {4, 7, 65},  {8, 3, 31}, {2, 6, 101}, {1, 9, 131},
                  {4, 16, 32}, {4, 5, 300}, {8, 5, 64}, {4, 2, 1021}};
    struct dl_leaf_table table = table_make_equal(shapes[_i].width, shapes[_i].leaves);
    uint32_t tile = shapes[_i].tile;
    struct dl_layout asta = {DL_LAYOUT_ASTA, tile}, da = {DL_LAYOUT_DA, tile};
    uint64_t tiles = 70000 / (tile * table.struct_bytes) + 1;

    for (uint64_t t = tiles; t < tiles + 3; t++) {
        if (!is_its_turn_of((unsigned)(t + _i), 3))
            continue;
        check_on_queue(&table, t * tile + 5, asta, da, device.queue);
        check_on_queue(&table, t * tile + 5, da, asta, device.queue);
    }
    dl_leaf_table_free(&table);
}
END_TEST

START_TEST(one_leaf_is_left_alone)
{
    struct dl_leaf_table table = table_make_equal(8, 1);

    check_both_ways(&table, 1000, (struct dl_layout){DL_LAYOUT_ASTA, 32});
    check_both_ways(&table, 1000, (struct dl_layout){DL_LAYOUT_SOA, 0});
    dl_leaf_table_free(&table);
}
END_TEST

START_TEST(soa_exact)
{
    /* The last two slide: no tile divides a prime. */
    static const uint64_t n[] = {1, 2, 1021, 4096, 16411, 20000, 65537, 131071};
    struct dl_leaf_table equal = table_make_equal(4, 6), mixed = table_make(mixes[1]);

    if (is_its_turn((unsigned)_i))
        check_both_ways(&equal, n[_i], (struct dl_layout){DL_LAYOUT_SOA, 0});
    if (is_its_turn((unsigned)_i + 3))
        check_both_ways(&mixed, n[_i], (struct dl_layout){DL_LAYOUT_SOA, 0});
    dl_leaf_table_free(&equal);
    dl_leaf_table_free(&mixed);
}
END_TEST

START_TEST(tiled_to_tiled)
{
    static const struct dl_layout layouts[] = {{DL_LAYOUT_ASTA, 8},
                                               {DL_LAYOUT_ASTA, 32},
                                               {DL_LAYOUT_DA, 32},
                                               {DL_LAYOUT_SOA, 0}};
    struct dl_leaf_table table = table_make(mixes[6]);

    for (unsigned a = 0; a < 4; a++) {
        for (unsigned b = 0; b < 4; b++) {
            uint64_t n = b % 2 ? 8209 : 8192;

            if (!is_its_turn_of(a + b + (a > b), 2))
                continue;
            check_on_queue(&table, n, layouts[a], layouts[b], device.queue);
        }
    }
    dl_leaf_table_free(&table);
}
END_TEST

/* Tiles beyond local memory: cycles with flags in local, then in global memory. */
START_TEST(tiles_beyond_local_memory)
{
    cl_ulong local_bytes = 0;
    struct dl_leaf_table table = table_make_equal(4, 64), mixed = table_make(mixes[3]);

    clGetDeviceInfo(device.id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local_bytes, &local_bytes,
                    NULL);
    if (is_its_turn_of(0, 2))
        check_both_ways(
            &table, local_bytes / 64 + 1000,
            (struct dl_layout){DL_LAYOUT_ASTA, (uint32_t)(local_bytes / 256 + 33)});
    if (is_its_turn_of(1, 2))
        check_both_ways(
            &mixed, local_bytes / 3,
            (struct dl_layout){DL_LAYOUT_ASTA, (uint32_t)(local_bytes / 7 + 9)});
    dl_leaf_table_free(&table);
    dl_leaf_table_free(&mixed);
}
END_TEST

/* PTTWAC on whole arrays, which the chooser leaves to cut cycles. */
START_TEST(cycles_with_flags_in_global_memory)
{
    struct dl_leaf_table table = table_make(mixes[1]), packed = table_make(mixes[3]);
    struct dl_layout soa = {DL_LAYOUT_SOA, 0};

    DL__STEPS_SET(&marshal->steps, family, DL_FORCE_CYCLE);
    check_both_ways(&table, 16411, soa);
    /* Its flags may be more than 1/32 of such small elements. */
    DL__STEPS_SET(&marshal->steps, cut_places, 1);
    check_both_ways(&packed, 16417, soa);
    dl_leaf_table_free(&table);
    dl_leaf_table_free(&packed);
}
END_TEST

/* A device on which a kernel that does not say its group may have 64 work-items only; the
 * one that does is another. */
static cl_kernel unsaid;

static size_t few_items(void *opaque, cl_kernel kernel)
{
    (void)opaque;
    if (!unsaid)
        unsaid = kernel;
    return kernel == unsaid ? 64 : 1024;
}

/* As in the thesis: nothing is held, and as many work-items share a tile as are asked
 * for. */
START_TEST(cycles_of_large_groups)
{
    struct dl_leaf_table table = table_make_equal(4, 33);
    const struct dl_layout aos = {DL_LAYOUT_AOS, 0}, asta = {DL_LAYOUT_ASTA, 64};
    struct dl__device_ops ops = *marshal->engine.ops;
    const struct dl__device_ops *before = marshal->engine.ops;
    const struct dl_conversion *conversion;

    DL__STEPS_SET(&marshal->steps, family, DL_FORCE_CYCLE);
    DL__STEPS_SET(&marshal->steps, cycle_held, 0);
    DL__STEPS_SET(&marshal->steps, cycle_group, 512);
    ops.kernel_items_max = few_items;
    unsaid = NULL;
    marshal->engine.ops = &ops;
    ck_assert_int_eq(
        dl_marshal_prepare(marshal, &table, 64 * 128, aos, asta, &conversion), DL_OK);
    ck_assert_uint_eq(conversion->list.count, 1);
    ck_assert_uint_eq(conversion->list.runs[0].local[0],
                      marshal->engine.limits.group_items < 512
                          ? marshal->engine.limits.group_items
                          : 512);
    marshal->engine.ops = before;
    check_both_ways(&table, 64 * 128, asta);
    dl_leaf_table_free(&table);
}
END_TEST

/* Bytes of flags of a tile of 64 structs of 33 words with these knobs, in local memory.
 * `text`: what it is built with. */
static uint64_t flag_bytes(unsigned flags, unsigned pad, unsigned remap, const char *text)
{
    struct dl_leaf_table table = table_make_equal(4, 33);
    const struct dl_layout aos = {DL_LAYOUT_AOS, 0}, asta = {DL_LAYOUT_ASTA, 64};
    const struct dl_conversion *conversion;
    uint64_t bytes;

    marshal_again();
    marshal->engine.limits.local_bytes = 16 << 10;
    DL__STEPS_SET(&marshal->steps, family, DL_FORCE_CYCLE);
    DL__STEPS_SET(&marshal->steps, cycle_held, 0);
    DL__STEPS_SET(&marshal->steps, cycle_flags, flags);
    DL__STEPS_SET(&marshal->steps, cycle_pad, pad);
    DL__STEPS_SET(&marshal->steps, cycle_remap, remap);
    ck_assert_int_eq(
        dl_marshal_prepare(marshal, &table, 64 * 128, aos, asta, &conversion), DL_OK);
    bytes = conversion->list.runs[0].args[3].bytes;
    ck_assert_ptr_nonnull(strstr(marshal->engine.programs->knobs, text));
    dl_leaf_table_free(&table);
    return bytes;
}

/* What is compared runs as it was asked for: never with fewer flags, or some held. */
START_TEST(flags_are_spread_as_asked_for)
{
    const uint64_t flags = 64 * 33;

    ck_assert_uint_eq(flag_bytes(32, 0, 0, "FLAGS_A_WORD 32u\n#define HELD 0u"),
                      4 * (flags / 32 + 1));
    ck_assert_uint_eq(flag_bytes(1, 0, 0, "FLAGS_A_WORD 1u\n#define HELD 0u"),
                      4 * (flags + 1));
    ck_assert_uint_eq(flag_bytes(1, 1, 0, "FLAG_PAD\n"),
                      4 * (flags + 1 + (flags + 1) / 32));
    ck_assert_uint_eq(flag_bytes(8, 0, 1, "FLAG_WORDS 265u\n"), 4 * (flags / 8 + 1));
}
END_TEST

/* As in figure 4.19: groups of several warps where each follows a chain of its own, one
 * that has a work-item for each element where it meets at barriers. No row is refused. */
START_TEST(super_elements_as_in_the_thesis)
{
    static const unsigned words[] = {16, 60}, tiles[] = {8, 64};

    for (unsigned i = 0; i < 12; i++) {
        struct dl_leaf_table table = table_make_equal(4, words[i / 3 % 2]);
        const unsigned mode = i % 3, tile = tiles[i / 6];
        const struct dl_layout da = {DL_LAYOUT_DA, tile}, asta = {DL_LAYOUT_ASTA, tile};
        const struct dl_conversion *conversion;

        marshal_again();
        marshal->engine.limits.is_cpu = false;
        DL__STEPS_SET(&marshal->steps, family, DL_FORCE_SUPER);
        DL__STEPS_SET(&marshal->steps, super_mode, mode);
        ck_assert_int_eq(
            dl_marshal_prepare(marshal, &table, tile * 33, da, asta, &conversion), DL_OK);
        ck_assert_str_eq(conversion->list.runs[1].name, "dl_super");
        ck_assert_uint_eq(conversion->list.runs[1].local[0],
                          mode ? 256 : (tile + 31) / 32 * 32);
        check_on_queue(&table, tile * 33, da, asta, device.queue);
        dl_leaf_table_free(&table);
    }
}
END_TEST

START_TEST(sizes_that_overflow_are_refused)
{
    struct dl_leaf_table table = table_make(mixes[1]);
    struct dl_layout aos = {DL_LAYOUT_AOS, 0}, asta = {DL_LAYOUT_ASTA, 32};
    const struct dl_conversion *conversion = NULL;

    ck_assert_int_eq(
        dl_marshal_prepare(marshal, &table, UINT64_MAX / 2, aos, asta, &conversion),
        DL_EOVERFLOW);
    asta.tile_structs = 0;
    ck_assert_int_eq(dl_marshal_prepare(marshal, &table, 100, aos, asta, &conversion),
                     DL_EINVAL);
    ck_assert_ptr_null(conversion);
    dl_leaf_table_free(&table);
}
END_TEST

/* Compiling is what takes the time, so that the small GPU gets the first, oddest shapes
 * only. */
static TCase *tcase_make(const char *name, SFun set_up, int most)
{
    TCase *tcase = tcase_create(name);
#define COUNT(count) ((count) < most ? (count) : most)

    tcase_add_unchecked_fixture(tcase, set_up, marshal_close);
    tcase_set_timeout(tcase, 0);
    tcase_add_loop_test(tcase, super_elements_of_any_length, 0, COUNT(9) > 3 ? 5 : 4);
    tcase_add_loop_test(tcase, asta_mixed_leaves, 0,
                        COUNT((int)(sizeof mixes / sizeof *mixes)));
    tcase_add_loop_test(tcase, da_mixed_leaves, 0,
                        COUNT((int)(sizeof mixes / sizeof *mixes)));
    tcase_add_loop_test(tcase, asta_every_leaf_width, 0, COUNT(8));
    tcase_add_loop_test(tcase, asta_every_tile, 0, COUNT(12));
    tcase_add_loop_test(tcase, asta_struct_sizes, 0, COUNT(13));
    tcase_add_loop_test(tcase, tiles_that_are_no_whole_vectors, 0, 3);
    tcase_add_test(tcase, one_leaf_is_left_alone);
    tcase_add_loop_test(tcase, soa_exact, 0, 8);
    tcase_add_test(tcase, tiled_to_tiled);
    tcase_add_test(tcase, tiles_beyond_local_memory);
    tcase_add_test(tcase, sizes_that_overflow_are_refused);
    /* Last: it changes the knobs. */
    tcase_add_test(tcase, cycles_with_flags_in_global_memory);
    tcase_add_test(tcase, cycles_of_large_groups);
    tcase_add_test(tcase, flags_are_spread_as_asked_for);
    tcase_add_test(tcase, super_elements_as_in_the_thesis);
#undef COUNT
    return tcase;
}

int main(void)
{
    Suite *suite = suite_create("marshal");
    SRunner *runner;
    int failed;

    device_open(&device); /* skips when there is none */
    device_close(&device);
    suite_add_tcase(suite, tcase_make("device", setup, 4));
    suite_add_tcase(suite, tcase_make("as a small GPU", setup_gpu, 2));
    runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
