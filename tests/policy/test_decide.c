/* SPDX-License-Identifier: MIT */
/* Which launches are converted, and which never are. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "world.h"

static struct world world;

enum { NEVER_TOLD = 1000000 };

/* Kernels of 1 ms that use buffer 0 of 100 MB; a conversion takes 0.4 ms to tiles, 0.8 to arrays. */
static void begin(unsigned kernels)
{
    memset(&world, 0, sizeof world);
    world.devices[0].rates = (struct dl_rates){.copy_mb = 1000000,
                                               .sector_bytes = 32,
                                               .step_us = 1,
                                               .asta_part = 500,
                                               .da_part = 250};
    world.kernel_count = kernels;
    for (unsigned b = 0; b < WORLD_BUFFERS; b++)
        world.buffers[b].bytes = 100000000;
    for (int c = 0; c < DL__CANDIDATES; c++)
        world.move_ratio[c] = 1;
    for (unsigned k = 0; k < kernels; k++) {
        world.kernels[k].slope = 1e-6;
        world.kernels[k].buffer_count = 1;
        world.kernels[k].estimate.native_seconds = 1;
        world.kernels[k].estimate.least_seconds = 0.1;
        for (int c = 0; c < DL__CANDIDATES; c++)
            world.kernels[k].ratio[c] = 1;
    }
    world_begin(&world);
}

/* What the text says of a kernel, and what is true of it: times native. */
static void say(unsigned k, enum dl__verdict verdict, double speedup, double factor,
                double asta, double da)
{
    struct world_kernel *kernel = &world.kernels[k];

    for (int c = DL__NATIVE; c < DL__CANDIDATES; c++) {
        kernel->estimate.of[c].verdict = c == DL__NATIVE ? DL__CLEAR : verdict;
        kernel->estimate.of[c].speedup = c == DL__NATIVE ? 1 : speedup;
        kernel->estimate.of[c].factor = c == DL__NATIVE ? 1 : factor;
    }
    kernel->ratio[DL__ASTA] = asta;
    kernel->ratio[DL__DA] = da;
}

static enum dl__candidate_id launch(unsigned k)
{
    return world_launch(&world, k, 1000, 0, false, true);
}

static enum dl__candidate_id launches(unsigned k, unsigned count)
{
    enum dl__candidate_id last = DL__NATIVE;

    while (count-- > 0)
        last = launch(k);
    return last;
}

START_TEST(single_launches_stay_native)
{
    begin(1);
    say(0, DL__CLEAR, 1.5, 1, 0.5, 0.5);
    ck_assert_int_eq(launch(0), DL__NATIVE);
    world_look(&world, 0);
    ck_assert_uint_eq(world.conversions, 0);
    world_end(&world);
}
END_TEST

/* One launch saves 0.75 ms, the ways there and back take 0.8. */
START_TEST(conversions_wait_for_their_worth)
{
    begin(1);
    say(0, DL__CLEAR, 4, 1, 0.25, 0.25);
    ck_assert_int_eq(launch(0), DL__NATIVE);
    ck_assert_int_eq(launch(0), DL__ASTA);
    ck_assert_int_eq(launches(0, 50), DL__ASTA);
    ck_assert_uint_eq(world.conversions, 1);
    world_end(&world);
}
END_TEST

/* Access by groups converts nothing, so that a trial is all it costs: kept where it pays, left where it does not. */
START_TEST(group_access_is_kept_where_it_pays)
{
    const bool pays = _i;
    struct world_kernel *kernel = &world.kernels[0];

    begin(1);
    world.has_group = true;
    say(0, DL__NEVER, 1, DL__FACTOR_MAX, 1, 1);
    kernel->estimate.of[DL__COALESCED].verdict = DL__NEUTRAL;
    kernel->estimate.of[DL__COALESCED].speedup = 4;
    kernel->estimate.of[DL__COALESCED].factor = 2;
    kernel->ratio[DL__COALESCED] = pays ? 0.3 : 1.2;
    ck_assert_int_eq(launches(0, 200), pays ? DL__COALESCED : DL__NATIVE);
    ck_assert_uint_eq(world.conversions, 0);
    ck_assert_uint_ge(world.tiled, 2);
    ck_assert_uint_le(world.tiled, (pays ? 200 : 8)); /* two launches a trial */
    ck_assert_double_le(world_excess(&world), 0);
    world_end(&world);
}
END_TEST

/* A layout of a grid is measured: kept where it pays, left where it does not. */
START_TEST(grids_are_kept_where_they_pay)
{
    const bool pays = _i;

    begin(1);
    world.has_grids = true;
    say(0, DL__NEUTRAL, 2, 4, 1, 1);
    world.kernels[0].ratio[DL__GRID] = pays ? 0.3 : 1.5;
    ck_assert_int_eq(launches(0, 2000), pays ? DL__GRID : DL__NATIVE);
    ck_assert_uint_ge(world.conversions, 1);
    ck_assert_uint_le(world.conversions, 4);
    ck_assert_double_le(world_excess(&world), 0);
    world_end(&world);
}
END_TEST

START_TEST(launches_that_nobody_waits_for_are_helped)
{
    begin(1);
    say(0, DL__CLEAR, 4, 1, 0.25, 0.25);
    for (unsigned i = 0; i < 1000; i++)
        world_launch(&world, 0, 1000, NEVER_TOLD, false, true);
    ck_assert_uint_eq(world.conversions, 1);
    ck_assert_uint_gt(world.tiled, 990);
    world_end(&world);
}
END_TEST

START_TEST(rewritten_before_each_launch_stays_native)
{
    begin(1);
    say(0, DL__CLEAR, 4, 1, 0.25, 0.25);
    for (unsigned i = 0; i < 1000; i++) {
        world_overwrite(&world, 0);
        ck_assert_int_eq(launch(0), DL__NATIVE);
    }
    ck_assert_uint_eq(world.conversions, 0);
    world_end(&world);
}
END_TEST

/* A launch saves 0.2 ms: two between looks are not worth the 0.8 ms of conversions. */
START_TEST(conversions_that_do_not_pay_end)
{
    unsigned long early = 0;

    begin(1);
    say(0, DL__CLEAR, 1.25, 1, 0.8, 0.8);
    ck_assert_int_eq(launches(0, 5), DL__ASTA);
    for (unsigned i = 0; i < 1000; i++) {
        world_look(&world, 0);
        launches(0, 2);
        if (i == 10)
            early = world.conversions;
    }
    ck_assert_uint_le(early, 3);
    ck_assert_uint_eq(world.conversions, early);
    /* Another pattern begins. */
    ck_assert_int_ne(launches(0, 200), DL__NATIVE);
    world_end(&world);
}
END_TEST

START_TEST(conversions_that_paid_are_made_at_once)
{
    begin(1);
    say(0, DL__CLEAR, 4, 1, 0.25, 0.25);
    launches(0, 20);
    world_look(&world, 0);
    for (unsigned i = 0; i < 10; i++) {
        ck_assert_int_eq(launch(0), DL__ASTA);
        launches(0, 10);
        world_look(&world, 0);
    }
    world_end(&world);
}
END_TEST

START_TEST(what_is_slower_than_said_is_left)
{
    begin(1);
    say(0, DL__CLEAR, 4, 1, 3, 2.5);
    launches(0, 20);
    ck_assert_int_eq(launches(0, 1000), DL__NATIVE);
    ck_assert_uint_le(world.conversions, 4);
    ck_assert_double_le(world.device, world.native + 0.050);
    world_end(&world);
}
END_TEST

START_TEST(the_better_candidate_is_found)
{
    begin(1);
    say(0, DL__CLEAR, 2, 1, 0.5, 0.25);
    ck_assert_int_eq(launches(0, 500), DL__DA);
    world_end(&world);
    begin(1);
    say(0, DL__CLEAR, 2, 1, 0.25, 0.5);
    ck_assert_int_eq(launches(0, 500), DL__ASTA);
    world_end(&world);
}
END_TEST

/* Of two that may go wrong, the one that promises more is tried first, though its conversions take
 * twice as long; and the other one not at all then. */
START_TEST(what_promises_more_is_tried_first)
{
    begin(1);
    say(0, DL__NEUTRAL, 1.3, 8, 20, 0.2);
    world.kernels[0].estimate.of[DL__DA].speedup = 1.4;
    ck_assert_int_eq(launches(0, 30), DL__DA);
    ck_assert_uint_eq(world.conversions, 1);
    world_end(&world);
}
END_TEST

/* The worst case of a trial is 31 ms. What a first launch tells is believed at the second. */
START_TEST(what_the_text_does_not_tell_is_tried)
{
    begin(1);
    say(0, DL__UNSURE, 1, DL__FACTOR_MAX, 0.2, 0.9);
    ck_assert_int_eq(launches(0, 100), DL__ASTA);
    world_end(&world);
    begin(1);
    say(0, DL__UNSURE, 1, DL__FACTOR_MAX, 20, 20);
    ck_assert_int_eq(launches(0, 2000), DL__NATIVE);
    ck_assert_uint_ge(world.tiled, 1);
    ck_assert_uint_le(world.tiled, 4);
    world_end(&world);
}
END_TEST

START_TEST(what_the_text_says_loses_is_not_tried)
{
    begin(1);
    say(0, DL__NEVER, 0.5, DL__FACTOR_MAX, 0.1, 0.1);
    launches(0, 5000);
    ck_assert_uint_eq(world.tiled, 0);
    world_end(&world);
}
END_TEST

START_TEST(without_times_only_the_text_decides)
{
    begin(2);
    say(0, DL__UNSURE, 1, DL__FACTOR_MAX, 0.1, 0.1);
    world.kernels[1].buffers[0] = 1;
    say(1, DL__CLEAR, 4, 1, 0.25, 0.25);
    for (unsigned i = 0; i < 2000; i++) {
        ck_assert_int_eq(world_launch(&world, 0, 1000, 0, false, false), DL__NATIVE);
        ck_assert(!world.answer.sample);
        world_launch(&world, 1, 1000, 0, false, false);
    }
    ck_assert_uint_gt(world.tiled, 1990);
    world_end(&world);
}
END_TEST

/* One kernel gains 0.5 ms a launch, the other, that shares the buffer, loses 2. */
START_TEST(kernels_of_a_group_are_added_up)
{
    begin(2);
    say(0, DL__CLEAR, 2, 1, 0.5, 0.5);
    say(1, DL__NEUTRAL, 1, 4, 3, 3);
    for (unsigned i = 0; i < 300; i++) {
        launch(0);
        launch(1);
    }
    ck_assert_int_eq(launch(0), DL__NATIVE);
    ck_assert_double_le(world.device, 1.05 * world.native + 0.050);
    world_end(&world);
    /* The loser comes once in twenty: the sum gains. */
    begin(2);
    say(0, DL__CLEAR, 2, 1, 0.5, 0.5);
    say(1, DL__NEUTRAL, 1, 4, 3, 3);
    for (unsigned i = 0; i < 300; i++) {
        launches(0, 19);
        launch(1);
    }
    ck_assert_int_ne(launch(0), DL__NATIVE);
    ck_assert_double_lt(world.device, 0.7 * world.native);
    world_end(&world);
}
END_TEST

/* Buffers that one launch binds together move together. */
START_TEST(buffers_bound_together_are_one_group)
{
    begin(3);
    for (unsigned k = 0; k < 3; k++) {
        say(k, DL__CLEAR, 4, 1, 0.25, 0.25);
        world.kernels[k].buffers[0] = k == 2 ? 0 : k;
    }
    world.kernels[2].buffers[1] = 1;
    world.kernels[2].buffer_count = 2;
    launch(0);
    launch(1);
    ck_assert_ptr_ne(dl__group_of(world.buffers[0].group),
                     dl__group_of(world.buffers[1].group));
    launch(2);
    ck_assert_ptr_eq(dl__group_of(world.buffers[0].group),
                     dl__group_of(world.buffers[1].group));
    launches(2, 10);
    ck_assert_int_eq(launch(0), DL__ASTA);
    ck_assert_int_eq(launch(1), DL__ASTA);
    ck_assert_uint_eq(world.conversions, 2);
    world_end(&world);
}
END_TEST

START_TEST(another_size_is_measured_anew)
{
    begin(1);
    say(0, DL__UNSURE, 1, 4, 0.25, 0.5);
    ck_assert_int_eq(launches(0, 100), DL__ASTA);
    /* With so little work, tiles lose. */
    world.kernels[0].ratio[DL__ASTA] = 5;
    world.kernels[0].ratio[DL__DA] = 5;
    for (unsigned i = 0; i < 200; i++)
        world_launch(&world, 0, 10, 0, false, true);
    ck_assert_int_eq(world_launch(&world, 0, 10, 0, false, true), DL__NATIVE);
    world_end(&world);
}
END_TEST

START_TEST(what_is_not_ready_runs_natively)
{
    begin(1);
    say(0, DL__CLEAR, 4, 1, 0.25, 0.25);
    world.not_ready = true;
    ck_assert_int_eq(launches(0, 100), DL__NATIVE);
    world.not_ready = false;
    ck_assert_int_eq(launch(0), DL__ASTA);
    world_end(&world);
}
END_TEST

/* The candidates of 300 launches and looks, where true times are `slower` than said. */
static void run_contractable(double slower, bool ready, enum dl__candidate_id *chosen)
{
    begin(2);
    for (unsigned k = 0; k < 2; k++)
        say(k, DL__CLEAR, 4, 1, 0.25 * slower, 0.3 * slower);
    world.kernels[0].known->contractable = true;
    world.not_ready = !ready;
    for (unsigned i = 0; i < 300; i++) {
        chosen[i] = launch(i % 3 == 0);
        if (i == 1)
            world.not_ready = false;
        if (i % 50 == 30)
            world_look(&world, 0);
    }
    world_end(&world);
}

START_TEST(no_time_decides_what_may_round_differently)
{
    enum dl__candidate_id first[300], second[300];
    bool tiled = false;

    run_contractable(1, true, first);
    run_contractable(20, true, second);
    ck_assert_int_eq(memcmp(first, second, sizeof first), 0);
    for (unsigned i = 0; i < 300; i++)
        tiled |= first[i] != DL__NATIVE;
    ck_assert(tiled);
    /* What its first launch found stays. */
    run_contractable(1, false, first);
    for (unsigned i = 0; i < 300; i++)
        ck_assert(i % 3 == 0 || first[i] == DL__NATIVE);
}
END_TEST

/* An earlier run has measured it. */
START_TEST(remembered_decisions_begin_where_they_ended)
{
    struct dl__policy_row *row;

    begin(1);
    say(0, DL__UNSURE, 1, DL__FACTOR_MAX, 0.25, 0.5);
    row = dl__policy_row_get(world.kernels[0].known, 1000, 1000);
    row->remembered[DL__NATIVE] = (struct dl__remembered){0.001, 1000};
    row->remembered[DL__ASTA] = (struct dl__remembered){0.00025, 1000};
    row->pays = true;
    ck_assert_int_eq(launch(0), DL__ASTA);
    world_end(&world);
    begin(1);
    say(0, DL__CLEAR, 4, 1, 3, 3);
    row = dl__policy_row_get(world.kernels[0].known, 1000, 1000);
    row->remembered[DL__NATIVE] = (struct dl__remembered){0.001, 1000};
    row->remembered[DL__ASTA] = (struct dl__remembered){0.003, 1000};
    row->remembered[DL__DA] = (struct dl__remembered){0.003, 1000};
    launches(0, 100);
    ck_assert_uint_eq(world.tiled, 0);
    world_end(&world);
}
END_TEST

/* Clocks that go back: what they tell is not believed. */
/* Nothing is measured meanwhile: that it came back alone makes it a matter of what may be spent. */
START_TEST(a_decision_does_not_stand_when_a_buffer_comes_back)
{
    for (int overwritten = 0; overwritten < 2; overwritten++) {
        begin(1);
        world.moves_untold = true;
        say(0, DL__CLEAR, 4, 1, 0.25, 0.25);
        launches(0, 30);
        ck_assert_int_ne(launches(0, 8), DL__NATIVE);
        world.devices[0].ledger.excess_seconds += 1;
        ck_assert_int_ne(launch(0), DL__NATIVE);
        if (overwritten)
            world_overwrite(&world, 0);
        else
            world_look(&world, 0);
        ck_assert_int_eq(launch(0), DL__NATIVE);
        world_end(&world);
    }
}
END_TEST

START_TEST(nonsense_is_not_believed)
{
    struct dl__policy_row *row;
    bool told = true;

    begin(1);
    say(0, DL__UNSURE, 1, DL__FACTOR_MAX, 0.1, 0.1);
    for (unsigned i = 0; i < 100; i++)
        world_launch(&world, 0, 1000, 0, true, true);
    row = world.kernels[0].known->rows;
    ck_assert(!dl__samples_known(&row->samples[DL__NATIVE]));
    ck_assert_uint_eq(world.tiled, 0);
    for (unsigned i = 0; i < DL__UNTOLD_MAX; i++)
        told = !dl__policy_untold(&world.devices[0]);
    ck_assert(!told);
    ck_assert(!dl__policy_untold(&world.devices[0])); /* said once */
    world_end(&world);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("policy_decide");
    TCase *tcase = tcase_create("decide");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_test(tcase, single_launches_stay_native);
    tcase_add_test(tcase, conversions_wait_for_their_worth);
    tcase_add_test(tcase, launches_that_nobody_waits_for_are_helped);
    tcase_add_test(tcase, rewritten_before_each_launch_stays_native);
    tcase_add_test(tcase, conversions_that_do_not_pay_end);
    tcase_add_test(tcase, conversions_that_paid_are_made_at_once);
    tcase_add_test(tcase, what_is_slower_than_said_is_left);
    tcase_add_test(tcase, the_better_candidate_is_found);
    tcase_add_test(tcase, what_promises_more_is_tried_first);
    tcase_add_test(tcase, what_the_text_does_not_tell_is_tried);
    tcase_add_test(tcase, what_the_text_says_loses_is_not_tried);
    tcase_add_test(tcase, without_times_only_the_text_decides);
    tcase_add_test(tcase, kernels_of_a_group_are_added_up);
    tcase_add_test(tcase, buffers_bound_together_are_one_group);
    tcase_add_test(tcase, another_size_is_measured_anew);
    tcase_add_loop_test(tcase, grids_are_kept_where_they_pay, 0, 2);
    tcase_add_loop_test(tcase, group_access_is_kept_where_it_pays, 0, 2);
    tcase_add_test(tcase, what_is_not_ready_runs_natively);
    tcase_add_test(tcase, no_time_decides_what_may_round_differently);
    tcase_add_test(tcase, remembered_decisions_begin_where_they_ended);
    tcase_add_test(tcase, a_decision_does_not_stand_when_a_buffer_comes_back);
    tcase_add_test(tcase, nonsense_is_not_believed);
    suite_add_tcase(suite, tcase);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
