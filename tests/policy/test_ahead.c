/* SPDX-License-Identifier: MIT */
/* A program that never waits enqueues hundreds of launches in the time that the device takes for one. Of a layout
 * on trial only two run before their times are told, however far ahead the host is; what turns out to be
 * faster is used from then on. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "world.h"

static struct world world;
static uint64_t state;

static double between(double low, double high)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return low + (high - low) * ((double)(state >> 11) / 9007199254740992.0);
}

/* A kernel of `native` seconds on a buffer of so many bytes, of whose layouts the text says `verdict`; the truth is
 * `ratio` times native. */
static void begin(double native, uint64_t bytes, enum dl__verdict verdict, double ratio)
{
    memset(&world, 0, sizeof world);
    world.devices[0].rates = (struct dl_rates){.copy_mb = 1000000,
                                               .sector_bytes = 32,
                                               .step_us = 1,
                                               .asta_part = 500,
                                               .da_part = 250};
    world.kernel_count = 1;
    for (unsigned b = 0; b < WORLD_BUFFERS; b++)
        world.buffers[b].bytes = bytes;
    for (int c = 0; c < DL__CANDIDATES; c++) {
        world.move_ratio[c] = 1;
        world.kernels[0].ratio[c] = c == DL__NATIVE ? 1 : ratio;
        world.kernels[0].estimate.of[c].verdict = c == DL__NATIVE ? DL__CLEAR : verdict;
        world.kernels[0].estimate.of[c].speedup =
            c == DL__NATIVE || verdict == DL__UNSURE ? 1 : 1.3;
        world.kernels[0].estimate.of[c].factor =
            c == DL__NATIVE || verdict == DL__CLEAR ? 1 : 4;
    }
    world.kernels[0].fixed = native;
    world.kernels[0].buffer_count = 1;
    world.kernels[0].estimate.native_seconds = 1;
    world.kernels[0].estimate.least_seconds = 0.1;
    world_begin(&world);
}

/* The most launches in a row on one candidate other than native. */
static unsigned launches(unsigned count)
{
    enum dl__candidate_id last = DL__NATIVE, now;
    unsigned row = 0, most = 0;

    while (count-- > 0) {
        now = world_launch(&world, 0, 1000, 0, false, true);
        row = now == DL__NATIVE ? 0 : now == last ? row + 1 : 1;
        last = now;
        most = row > most ? row : most;
    }
    return most;
}

/* As sparse matrices were seen: 1000 launches of 40 us, enqueued in 7 ms. */
START_TEST(a_loser_is_left_after_two_launches)
{
    begin(40e-6, 4000000, DL__NEUTRAL, 1.3);
    world.enqueue_seconds = 7e-6;
    ck_assert_uint_le(launches(1000), DL__TRIAL_LAUNCHES);
    ck_assert_uint_ge(world.tiled, 1);
    world_end(&world);
}
END_TEST

START_TEST(a_winner_stays)
{
    begin(40e-6, 4000000, DL__NEUTRAL, 0.5);
    world.enqueue_seconds = 7e-6;
    ck_assert_uint_gt(launches(1000), 500);
    world_end(&world);
}
END_TEST

/* However far ahead the host is, of kernels from 5 us to 1 ms. */
START_TEST(losers_are_left_however_far_ahead_the_host_is)
{
    unsigned long tried = 0;
    const char *wanted = getenv("DL_SEQUENCES");
    unsigned count = wanted ? (unsigned)strtoul(wanted, NULL, 10) : 500;

    for (unsigned seed = 1; seed <= count; seed++) {
        double native, ratio;
        uint64_t bytes;
        unsigned most;

        state = seed * 0x9E3779B97F4A7C15u + 1;
        for (int i = 0; i < 8; i++)
            between(0, 1);
        native = 5e-6 * between(1, 200);
        ratio = between(1.1, 3.9);
        bytes = (uint64_t)(native * between(0.001, 0.5) * 1e12);
        begin(native, bytes, between(0, 1) < 0.5 ? DL__NEUTRAL : DL__UNSURE, ratio);
        world.enqueue_seconds = native * between(0.0001, 1.2);
        most = launches(3000);
        tried += world.tiled;
        ck_assert_msg(
            most <= DL__TRIAL_LAUNCHES && world_excess(&world) <= 0,
            "seed %u: %u launches in a row in a layout that takes %.2f times as "
            "long, or %.6f s too much; native %.1f us, enqueued in %.3f us, "
            "%.1f MB",
            seed, most, ratio, world_excess(&world), native * 1e6,
            world.enqueue_seconds * 1e6, (double)bytes / 1e6);
        world_end(&world);
    }
    ck_assert_uint_gt(tried, count / 2);
}
END_TEST

START_TEST(what_the_text_is_clear_of_is_not_on_trial)
{
    begin(40e-6, 4000000, DL__CLEAR, 0.5);
    world.enqueue_seconds = 1e-7;
    ck_assert_uint_gt(launches(1000), 900);
    world_end(&world);
}
END_TEST

/* Contractable kernels, whose layouts earlier runs have measured. */
START_TEST(where_no_time_decides_nothing_is_on_trial)
{
    struct dl__policy_row *row;

    begin(40e-6, 4000000, DL__NEUTRAL, 0.5);
    world.enqueue_seconds = 1e-7;
    world.kernels[0].known->contractable = true;
    row = dl__policy_row_get(world.kernels[0].known, 1000, 1000);
    row->remembered[DL__NATIVE] = (struct dl__remembered){40e-6, 1000};
    row->remembered[DL__ASTA] = (struct dl__remembered){20e-6, 1000};
    ck_assert_uint_gt(launches(1000), 900);
    world_end(&world);
}
END_TEST

/* A context ends before its events tell: the next one's launches are tried all the same. */
START_TEST(what_is_never_told_is_tried_again)
{
    struct dl__policy_row *row;

    begin(40e-6, 4000000, DL__NEUTRAL, 0.5);
    world.enqueue_seconds = 1e-12;
    world.host = 1;
    for (unsigned i = 0; i < 100 && world.tiled < 2; i++) {
        launches(1);
        world.host = world.tiled == 0 ? world.done : world.host;
    }
    row = world.kernels[0].known->rows;
    ck_assert_uint_eq(world.tiled, 2);
    ck_assert_uint_le(launches(100), DL__TRIAL_LAUNCHES);
    ck_assert_uint_eq(row->untold[DL__ASTA], 2);
    while (world.pending_count > 0)
        dl__policy_measured(&world.devices[0],
                            &world.pending[--world.pending_count].ticket, 0);
    world.enqueue_seconds = 1;
    ck_assert_uint_gt(launches(200), 50);
    world_end(&world);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("policy_ahead");
    TCase *tcase = tcase_create("ahead");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_set_timeout(tcase, 0);
    tcase_add_test(tcase, a_loser_is_left_after_two_launches);
    tcase_add_test(tcase, a_winner_stays);
    tcase_add_test(tcase, losers_are_left_however_far_ahead_the_host_is);
    tcase_add_test(tcase, what_the_text_is_clear_of_is_not_on_trial);
    tcase_add_test(tcase, where_no_time_decides_nothing_is_on_trial);
    tcase_add_test(tcase, what_is_never_told_is_tried_again);
    suite_add_tcase(suite, tcase);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
