/* SPDX-License-Identifier: MIT */
/* What is not clear at once is decided late, not never: a first launch that had to compile, and times that
 * were measured while other programs had the device, keep nothing as written for ever. And what really is
 * slower is tried again so rarely that nobody sees it. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "world.h"

static struct world world;

/* A kernel of 1 ms that uses buffer 0 of 100 MB, of which the text says that it is twice as fast on
 * tiles, and never faster on arrays. A conversion takes 0.4 ms. */
static void begin(double asta)
{
    memset(&world, 0, sizeof world);
    world.devices[0].rates = (struct dl_rates){.copy_mb = 1000000,
                                               .sector_bytes = 32,
                                               .step_us = 1,
                                               .asta_part = 500,
                                               .da_part = 250};
    world.kernel_count = 1;
    for (unsigned b = 0; b < WORLD_BUFFERS; b++)
        world.buffers[b].bytes = 100000000;
    for (int c = 0; c < DL__CANDIDATES; c++) {
        world.move_ratio[c] = 1;
        world.kernels[0].ratio[c] = c == DL__NATIVE ? 1 : asta;
        world.kernels[0].estimate.of[c].verdict = c == DL__DA ? DL__NEVER : DL__CLEAR;
        world.kernels[0].estimate.of[c].speedup = c == DL__NATIVE ? 1 : 2;
        world.kernels[0].estimate.of[c].factor = 1;
    }
    world.kernels[0].slope = 1e-6;
    world.kernels[0].buffer_count = 1;
    world.kernels[0].estimate.native_seconds = 1;
    world.kernels[0].estimate.least_seconds = 0.1;
    world_begin(&world);
}

static enum dl__candidate_id launches(unsigned count)
{
    enum dl__candidate_id last = DL__NATIVE;

    while (count-- > 0)
        last = world_launch(&world, 0, 1000, 0, false, true);
    return last;
}

/* Only the first takes so long. */
static void launch_first(double times)
{
    double ratio = world.kernels[0].ratio[DL__ASTA];

    while (world.tiled == 0) {
        world.kernels[0].ratio[DL__ASTA] = times;
        launches(1);
    }
    world.kernels[0].ratio[DL__ASTA] = ratio;
}

/* No layout makes a launch faster than memory is; but where that is a guess, as on a GPU that nobody has measured, a
 * launch that is faster itself shows that it is wrong. */
START_TEST(what_a_device_outruns_bounds_nothing)
{
    static const struct {
        bool guessed;
        double least;
        enum dl__candidate_id to;
    } cases[] = {{false, 10, DL__NATIVE},
                 {false, 1, DL__NATIVE},
                 {true, 10, DL__ASTA},
                 {true, 1, DL__NATIVE},
                 {true, 0.1, DL__ASTA}};

    begin(0.5);
    world.kernels[0].estimate.of[DL__ASTA].verdict = DL__NEUTRAL;
    world.kernels[0].estimate.of[DL__ASTA].speedup = 1;
    world.kernels[0].estimate.of[DL__ASTA].factor = 4;
    world.kernels[0].estimate.least_seconds = cases[_i].least;
    world.kernels[0].estimate.least_guessed = cases[_i].guessed;
    ck_assert_int_eq(launches(300), cases[_i].to);
    world_end(&world);
}
END_TEST

START_TEST(a_first_launch_that_compiles_is_not_believed)
{
    static const double times[] = {2, 5, 20};

    for (unsigned t = 0; t < sizeof times / sizeof *times; t++) {
        begin(0.5);
        launch_first(times[t]);
        ck_assert_int_eq(launches(20), DL__ASTA);
        world_end(&world);
    }
    /* More than may be spent at once: it comes when there is enough. */
    begin(0.5);
    launch_first(60);
    ck_assert_int_eq(launches(3000), DL__ASTA);
    world_end(&world);
}
END_TEST

/* Another program had the device while tiles were measured. */
START_TEST(what_was_slow_is_measured_again)
{
    begin(3);
    ck_assert_int_eq(launches(200), DL__NATIVE);
    world.kernels[0].ratio[DL__ASTA] = 0.5;
    ck_assert_int_eq(launches(2000), DL__ASTA);
    world_end(&world);
}
END_TEST

/* The same in an earlier run. */
START_TEST(what_an_earlier_run_found_slow_is_measured_again)
{
    struct dl__policy_row *row;

    begin(0.5);
    row = dl__policy_row_get(world.kernels[0].known, 1000, 1000);
    row->remembered[DL__NATIVE] = (struct dl__remembered){0.001, 1000};
    row->remembered[DL__ASTA] = (struct dl__remembered){0.003, 1000};
    ck_assert_int_eq(launches(100), DL__NATIVE);
    ck_assert_int_eq(launches(2000), DL__ASTA);
    world_end(&world);
}
END_TEST

/* 100 s of launches: trials take a hundredth, and ever less. */
START_TEST(what_is_slow_is_tried_ever_more_rarely)
{
    unsigned long early;

    begin(3);
    launches(10000);
    early = world.conversions;
    ck_assert_uint_ge(early, 3);
    ck_assert_double_le(world.device, 1.015 * world.native);
    launches(90000);
    ck_assert_uint_le(world.conversions, early + 5);
    ck_assert_double_le(world.device, 1.005 * world.native);
    world_end(&world);
}
END_TEST

/* Once tried again, a launch is charged with what it took before, 2 ms more than natively, and timed. */
START_TEST(trials_fit_what_may_be_spent)
{
    struct dl__policy_row *row;

    begin(3);
    ck_assert_int_eq(launches(200), DL__NATIVE);
    row = world.kernels[0].known->rows;
    row->launches[DL__ASTA] = 1001;
    for (unsigned i = 0; i < 20000 && !row->doubted[DL__ASTA]; i++)
        launches(1);
    ck_assert(row->doubted[DL__ASTA]);
    for (unsigned i = 0; i < 10; i++) {
        double left = dl__policy_left(&world.devices[0], row, false);

        world.devices[0].ledger.excess_seconds += left - 0.0025;
        ck_assert_int_eq(launches(1), DL__NATIVE);
    }
    world.devices[0].ledger.excess_seconds -= 0.001;
    ck_assert_int_eq(launches(1), DL__ASTA);
    ck_assert(world.answer.sample);
    world_end(&world);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("policy_doubts");
    TCase *tcase = tcase_create("doubts");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_loop_test(tcase, what_a_device_outruns_bounds_nothing, 0, 5);
    tcase_add_test(tcase, a_first_launch_that_compiles_is_not_believed);
    tcase_add_test(tcase, what_was_slow_is_measured_again);
    tcase_add_test(tcase, what_an_earlier_run_found_slow_is_measured_again);
    tcase_add_test(tcase, what_is_slow_is_tried_ever_more_rarely);
    tcase_add_test(tcase, trials_fit_what_may_be_spent);
    suite_add_tcase(suite, tcase);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
