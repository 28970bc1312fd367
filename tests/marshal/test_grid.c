/* SPDX-License-Identifier: MIT */
/* Claims: grids are converted to layouts of bits and back exactly, whatever their
 * extents: by the kernels for any grid, by those of their own, slice by slice, and in
 * place; what lies behind a grid stays. 300 random ones, 2000 with DL_TEST_FULL;
 * DL_SEED=N begins with another; DL_OWN=N gives every Nth kernels of its own. */
#include "convert.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/layout/grids.h"

static const struct dl_layout aos = {DL_LAYOUT_AOS, 0};

static void setup(void)
{
    device_open(&device);
    ck_assert_int_eq(dl_marshal_make(&device.cl, device.context, device.id, &marshal),
                     DL_OK);
}

/* With how many launches it is done. */
static void check_grid(struct dl_grid_map map, unsigned struct_bytes, uint64_t behind,
                       size_t runs)
{
    const unsigned widths[] = {struct_bytes, 0};
    struct dl_leaf_table table = table_make(widths);
    struct dl_layout layout = {.kind = DL_LAYOUT_GRID, .grid = map};
    uint64_t structs = dl_grid_elements(&map.grid) + behind;
    const struct dl_conversion *there;

    ck_assert_int_eq(dl_marshal_prepare(marshal, &table, structs, aos, layout, &there),
                     DL_OK);
    if (runs)
        ck_assert_uint_eq(there->list.count, runs);
    check_both_ways(&table, structs, layout);
    dl_leaf_table_free(&table);
}

START_TEST(random_grids_go_and_come_back)
{
    static const unsigned bytes[] = {4, 4, 8, 4, 20, 1, 16, 12, 4, 76};
    unsigned first = getenv("DL_SEED") ? (unsigned)atoi(getenv("DL_SEED")) : 1,
             own = getenv("DL_OWN") ? (unsigned)atoi(getenv("DL_OWN")) : 100,
             count = getenv("DL_TEST_FULL") ? 2000 : 300;
    struct dl__knobs knobs = marshal->steps.knobs;

    printf("grids: seeds %u to %u, every %uth with kernels of its own\n", first,
           first + count - 1, own);
    for (unsigned seed = first; seed < first + count; seed++) {
        marshal->steps.knobs = knobs;
        if (own && seed % own == 0) {
            marshal->steps.knobs.aside_bytes = 1;
            marshal->steps.knobs.place_bytes = 0;
        }
        check_grid(grid_random(seed, 4000), bytes[seed % 10], seed % 7, 0);
    }
}
END_TEST

static struct dl_grid_map map_of(const char *text, uint64_t y, uint64_t x, uint64_t k)
{
    static const struct dl_grid_names names = {{"y", "x", "k"}};
    struct dl_grid_map map = {.grid = {3, {y, x, k}}};
    char reason[DL_GRID_TEXT_BYTES];

    ck_assert_ptr_null(dl_grid_layout_parse(text, &names, 3, &map.layout, reason));
    return map;
}

/* 76 MB of slices of 21 MB, the last of them short, of which three fit the workspace; and
 * without one, by the steps of a permutation where strips divide, else slice by slice. */
START_TEST(large_grids_go_by_slices_or_in_place)
{
    check_grid(map_of("y[*] k x y[2:0]", 29, 4096, 8), 80, 3, 4);
    marshal->steps.knobs.aside_bytes = marshal->steps.knobs.place_bytes = 0;
    check_grid(map_of("y[*] x[*] k y[4:0] x[6:0]", 64, 256, 4), 4, 3, 0);
    check_grid(map_of("x[*] k y[*] x[3:0] y[1:0]", 12, 80, 3), 8, 0, 0);
}
END_TEST

/* A slice at once is more than the workspace holds, and all strips divide: no workspace
 * of the grid's size. */
START_TEST(whole_grids_go_in_place)
{
    struct dl_grid_map map = map_of("k y x", 1024, 2100, 8);
    const unsigned widths[] = {4, 0};
    struct dl_leaf_table table = table_make(widths);
    struct dl_layout layout = {.kind = DL_LAYOUT_GRID, .grid = map};
    const struct dl_conversion *there;

    ck_assert_int_eq(dl_marshal_prepare(marshal, &table, dl_grid_elements(&map.grid), aos,
                                        layout, &there),
                     DL_OK);
    ck_assert_uint_lt(dl_conversion_workspace_bytes(there), 32 << 20);
    dl_leaf_table_free(&table);
}
END_TEST

START_TEST(grids_of_more_than_their_buffer_are_refused)
{
    const unsigned widths[] = {4, 0};
    struct dl_leaf_table table = table_make(widths);
    struct dl_layout layout = {.kind = DL_LAYOUT_GRID, .grid = map_of("k y x", 5, 6, 7)};
    const struct dl_conversion *there;

    ck_assert_int_eq(dl_marshal_prepare(marshal, &table, 209, aos, layout, &there),
                     DL_EINVAL);
    dl_leaf_table_free(&table);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("marshal_grid");
    TCase *tcase = tcase_create("marshal_grid");
    SRunner *runner;
    int failed;

    tcase_set_timeout(tcase, 600);
    tcase_add_checked_fixture(tcase, setup, marshal_close);
    tcase_add_test(tcase, random_grids_go_and_come_back);
    tcase_add_test(tcase, large_grids_go_by_slices_or_in_place);
    tcase_add_test(tcase, whole_grids_go_in_place);
    tcase_add_test(tcase, grids_of_more_than_their_buffer_are_refused);
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
