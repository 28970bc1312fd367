/* Claim: the tuning table of a device's name gives the knobs of a family and size; what somebody
 * has set by hand stays; a device without a table has the defaults. */
#include <check.h>
#include <stdlib.h>

#include "marshal_kernels/steps.h"

static struct dl__steps steps;

static void setup(void)
{
    steps =
        (struct dl__steps){.knobs = {.tile_group = 5, .tile_items = 6, .each_tiles = 7}};
    steps.defaults = steps.knobs;
    steps.tuning = "chunk 0 tile_group=64\n"
                   "# chunk 1 tile_group=1\n"
                   "chunk 1000 tile_group=96,tile_items=2\n"
                   "each 0 each_tiles=3\n"
                   "chunk 2000 tile_items=9\n"
                   "device other\n"
                   "chunk 0 tile_group=77\n";
}

START_TEST(a_line_holds_up_to_the_next)
{
    static const struct {
        uint64_t bytes;
        unsigned group, items;
    } sizes[] = {{0, 64, 6}, {999, 64, 6}, {1000, 96, 2}, {1999, 96, 2}, {2000, 5, 9}};

    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        struct dl__knobs knobs = dl__steps_knobs(&steps, "chunk", sizes[s].bytes);
        ck_assert_uint_eq(knobs.tile_group, sizes[s].group);
        ck_assert_uint_eq(knobs.tile_items, sizes[s].items);
        ck_assert_uint_eq(knobs.each_tiles, 7);
    }
    ck_assert_uint_eq(dl__steps_knobs(&steps, "each", 1).each_tiles, 3);
    ck_assert_uint_eq(dl__steps_knobs(&steps, "cut", 1).tile_group, 5);
}
END_TEST

START_TEST(what_is_set_by_hand_stays)
{
    steps.knobs.tile_group = 11;
    ck_assert_uint_eq(dl__steps_knobs(&steps, "chunk", 1500).tile_group, 11);
    ck_assert_uint_eq(dl__steps_knobs(&steps, "chunk", 1500).tile_items, 2);
}
END_TEST

START_TEST(no_table_means_the_defaults)
{
    steps.tuning = dl__tuning_find("a device of another kind");
    ck_assert_ptr_null(steps.tuning);
    ck_assert_uint_eq(dl__steps_knobs(&steps, "chunk", 1500).tile_group, 5);
}
END_TEST

/* Every knob that a shipped table names exists, and some line of it is for some size. */
START_TEST(shipped_tables_are_read)
{
    steps.tuning = dl__tuning_find("NVIDIA H200 NVL");
    ck_assert_ptr_nonnull(steps.tuning);
    ck_assert_uint_ne(dl__steps_knobs(&steps, "chunk", 4096).tile_group, 5);
    steps.tuning = dl__tuning_find("pthread-skylake-avx512-AMD EPYC");
    ck_assert_ptr_nonnull(steps.tuning);
    ck_assert_uint_eq(dl__steps_knobs(&steps, "each", 4096).each_tiles, 64);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tuning");
    TCase *tcase = tcase_create("tuning");
    SRunner *runner;
    int failed;

    tcase_add_checked_fixture(tcase, setup, NULL);
    tcase_add_test(tcase, a_line_holds_up_to_the_next);
    tcase_add_test(tcase, what_is_set_by_hand_stays);
    tcase_add_test(tcase, no_table_means_the_defaults);
    tcase_add_test(tcase, shipped_tables_are_read);
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
