/* SPDX-License-Identifier: MIT */
/* Claims: a layout of bits gives each element of a grid a place of its own among the
 * grid's, in the order of its strips' values, whatever the extents; texts that miss or
 * double bits are refused with the reason, and what is printed is read again. 300 random
 * layouts, 2000 with DL_TEST_FULL; DL_SEED=N begins with another. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layout/layout.h"
#include "tests/common/must.h"
#include "tests/layout/grids.h"

static const struct dl_grid_names names = {{"z", "y", "x", "k"}},
                                  three = {{"y", "x", "k"}};

/* The strips' values of an element, highest strip first. */
static void values_of(const struct dl_grid_map *map, uint64_t element, uint64_t *values)
{
    uint64_t index[DL_GRID_DIMS_MAX];

    for (uint32_t d = map->grid.dim_count; d-- > 0;) {
        index[d] = element % map->grid.extents[d];
        element /= map->grid.extents[d];
    }
    for (uint32_t s = 0; s < map->layout.strip_count; s++) {
        struct dl_grid_strip strip = map->layout.strips[s];

        values[s] = index[strip.dim] >> strip.low;
        if (strip.bits)
            values[s] &= (UINT64_C(1) << strip.bits) - 1;
    }
}

/* Against the definition: in order of places, the tuples of values rise. */
static void check_map(const struct dl_grid_map *map)
{
    uint64_t elements = dl_grid_elements(&map->grid), slice = dl_grid_slice(map);
    uint64_t *at = malloc(elements * sizeof *at), last[DL_GRID_STRIPS_MAX] = {0};

    memset(at, 255, elements * sizeof *at);
    for (uint64_t e = 0; e < elements; e++) {
        uint64_t rank = dl_grid_rank(map, e);

        MUST(rank < elements);
        MUST(at[rank] == UINT64_MAX);
        at[rank] = e;
        MUST(rank / slice == e / slice);
    }
    for (uint64_t rank = 0; rank < elements; rank++) {
        uint64_t values[DL_GRID_STRIPS_MAX];
        uint32_t s = 0;

        values_of(map, at[rank], values);
        while (rank && s < map->layout.strip_count && values[s] == last[s])
            s++;
        MUST(!rank || values[s] > last[s]);
        memcpy(last, values, sizeof last);
    }
    free(at);
}

START_TEST(random_layouts_are_exact)
{
    const char *given = getenv("DL_SEED");
    unsigned first = given ? (unsigned)atoi(given) : 1,
             count = getenv("DL_TEST_FULL") ? 2000 : 300;

    printf("grids: seeds %u to %u\n", first, first + count - 1);
    for (unsigned seed = first; seed < first + count; seed++) {
        struct dl_grid_map map = grid_random(seed, 3000);

        ck_assert_msg(!dl_grid_check(&map.grid) &&
                          !dl_grid_layout_check(&map.layout, map.grid.dim_count),
                      "seed %u", seed);
        check_map(&map);
    }
}
END_TEST

static struct dl_grid_map map_of(const char *text, uint64_t z, uint64_t y, uint64_t x,
                                 uint64_t k)
{
    struct dl_grid_map map = {.grid = {4, {z, y, x, k}}};
    char reason[DL_GRID_TEXT_BYTES];
    const char *wrong = dl_grid_layout_parse(text, &names, 4, &map.layout, reason);

    ck_assert_msg(!wrong, "%s: %s", text, wrong);
    return map;
}

/* The thesis, 6.3.2: strips of 32 rows and 128 columns, below the four members. */
START_TEST(the_running_example_has_its_flattening_function)
{
    struct dl_grid_map map = {.grid = {3, {96, 640, 4}}};
    char reason[DL_GRID_TEXT_BYTES], text[DL_GRID_TEXT_BYTES];

    ck_assert_ptr_null(dl_grid_layout_parse("y[*] x[*] k y[4:0] x[6:0]", &three, 3,
                                            &map.layout, reason));
    for (uint64_t e = 0; e < 96 * 640 * 4; e += 7) {
        uint64_t k = e % 4, x = e / 4 % 640, y = e / 4 / 640;

        ck_assert_uint_eq(dl_grid_rank(&map, e),
                          (((y / 32 * 5 + x / 128) * 4 + k) * 32 + y % 32) * 128 +
                              x % 128);
    }
    dl_grid_layout_print(&map.layout, &three, text, sizeof text);
    ck_assert_str_eq(text, "y[*] x[*] k y[4:0] x[6:0]");
}
END_TEST

/* Tiles with their short tail, and discrete arrays, are what they are of structs. */
START_TEST(short_forms_are_the_layouts_of_structs)
{
    static const struct {
        const char *text;
        struct dl_layout layout;
    } forms[] = {{"AoS", {DL_LAYOUT_AOS, 0}},
                 {"ASTA/8", {DL_LAYOUT_ASTA, 8}},
                 {"ASTA", {DL_LAYOUT_ASTA, 32}},
                 {"DA", {DL_LAYOUT_SOA, 0}}};

    for (size_t f = 0; f < 4; f++) {
        struct dl_grid_map map = map_of(forms[f].text, 1, 1, 61, 3);
        static const struct dl_layout aos = {.kind = DL_LAYOUT_AOS};
        static const struct dl_leaf word = {0, 4}, words[] = {{0, 4}, {4, 4}, {8, 4}};
        struct dl_layout grid = {.kind = DL_LAYOUT_GRID, .grid = map};
        struct dl_tiling tiling, elements, from;
        uint32_t numbers[61 * 3], moved[61 * 3], moved_alone[61 * 3];

        ck_assert(dl_grid_map_is_plain(&map) == (f == 0));
        ck_assert_int_eq(dl_layout_tile(forms[f].layout, 61, &tiling), DL_OK);
        for (uint32_t e = 0; e < 61 * 3; e++)
            numbers[e] = e;
        dl_layout_tile(aos, 61, &from);
        dl_tiling_move(words, 3, 12, 61, &from, numbers, &tiling, moved);
        dl_layout_tile(aos, 61 * 3, &from);
        ck_assert_int_eq(dl_layout_tile(grid, 61 * 3, &elements), DL_OK);
        dl_tiling_move(&word, 1, 4, 61 * 3, &from, numbers, &elements, moved_alone);
        ck_assert_mem_eq(moved, moved_alone, sizeof moved);
        for (uint64_t e = 0; e < 61 * 3; e++) {
            struct dl_leaf leaf = {(uint32_t)(e % 3) * 4, 4};

            ck_assert_uint_eq(dl_grid_rank(&map, e) * 4,
                              dl_tiling_leaf_byte(&tiling, 12, leaf, e / 3));
        }
    }
}
END_TEST

START_TEST(texts_that_are_wrong_are_refused)
{
    static const struct {
        const char *text, *reason;
    } wrong[] = {{"y x k", "lacks a dimension"},
                 {"z y x k x", "twice"},
                 {"z y x[3:0] k", "upper bits"},
                 {"z y x[*] k x[3:1]", "lower bits"},
                 {"z y x[*] k x[7:4] x[2:0]", "lacks bits"},
                 {"z y x[3:0] k x[*]", "upper bits"},
                 {"z y x[*] k x[3:0] x[5:4]", "twice, or the lower ones first"},
                 {"z y x k q", "the layout names 'q'; the grid has z y x k"},
                 {"z y x[4] k", "are written"},
                 {"z y x[2:5] k", "are written"},
                 {"z y x k +", "written like"},
                 {"", "lacks a dimension"},
                 {"ASTA/5", "power of two"},
                 {"ASTA/", "power of two"}};

    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
        struct dl_grid_layout layout = {0};
        char reason[DL_GRID_TEXT_BYTES];
        const char *said =
            dl_grid_layout_parse(wrong[w].text, &names, 4, &layout, reason);

        ck_assert_msg(said && strstr(said, wrong[w].reason), "%s: %s", wrong[w].text,
                      said);
        ck_assert_uint_eq(layout.strip_count, 0);
    }
}
END_TEST

START_TEST(grids_that_are_none_are_refused)
{
    struct dl_grid grid = {2, {3, 0}};
    struct dl_layout layout = {.kind = DL_LAYOUT_GRID};
    struct dl_tiling tiling;

    ck_assert_ptr_nonnull(dl_grid_check(&grid));
    grid = (struct dl_grid){0, {0}};
    ck_assert_ptr_nonnull(dl_grid_check(&grid));
    grid = (struct dl_grid){9, {1, 1, 1, 1, 1, 1, 1, 1}};
    ck_assert_ptr_nonnull(dl_grid_check(&grid));
    grid = (struct dl_grid){2, {UINT64_C(1) << 40, UINT64_C(1) << 40}};
    ck_assert_ptr_nonnull(dl_grid_check(&grid));
    /* One that is larger than its buffer. */
    layout.grid = map_of("k z y x", 2, 3, 4, 5);
    ck_assert_int_eq(dl_layout_tile(layout, 119, &tiling), DL_EINVAL);
    ck_assert_int_eq(dl_layout_tile(layout, 125, &tiling), DL_OK);
    /* What lies behind it stays. */
    ck_assert_uint_eq(dl_tiling_leaf_byte(&tiling, 4, (struct dl_leaf){0, 4}, 121),
                      121 * 4);
    ck_assert_uint_eq(dl_tiling_leaf_byte(&tiling, 4, (struct dl_leaf){0, 4}, 1), 24 * 4);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("grid");
    TCase *tcase = tcase_create("grid");
    SRunner *runner;
    int failed;

    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, random_layouts_are_exact);
    tcase_add_test(tcase, the_running_example_has_its_flattening_function);
    tcase_add_test(tcase, short_forms_are_the_layouts_of_structs);
    tcase_add_test(tcase, texts_that_are_wrong_are_refused);
    tcase_add_test(tcase, grids_that_are_none_are_refused);
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
