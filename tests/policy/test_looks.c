/* SPDX-License-Identifier: MIT */
/* Looks by parts at converted buffers cost what they take: small ones leave a buffer converted, or let it
 * be, and those that take longer than they are worth bring it back, or keep it as written. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "world.h"

static struct world world;

enum { FEW_BYTES = 2048, ALL_BYTES = 100000000 };

/* A kernel of 1 ms that uses buffer 0 of 100 MB, and takes `asta` ms in tiles. A conversion takes 0.42
 * ms; a look by parts 0.02 and, at everything, 0.82. */
static void begin(double asta)
{
    memset(&world, 0, sizeof world);
    world.devices[0].rates = (struct dl_rates){.copy_mb = 1000000,
                                               .sector_bytes = 32,
                                               .step_us = 20,
                                               .asta_part = 500,
                                               .da_part = 250};
    world.kernel_count = 1;
    for (unsigned b = 0; b < WORLD_BUFFERS; b++)
        world.buffers[b].bytes = ALL_BYTES;
    for (int c = 0; c < DL__CANDIDATES; c++) {
        world.move_ratio[c] = 1;
        world.kernels[0].ratio[c] = c == DL__NATIVE ? 1 : asta;
        world.kernels[0].estimate.of[c].verdict = c == DL__DA ? DL__NEVER : DL__CLEAR;
        world.kernels[0].estimate.of[c].speedup = c == DL__NATIVE ? 1 : 1 / asta;
        world.kernels[0].estimate.of[c].factor = 1;
    }
    world.look_ratio[0] = world.look_ratio[1] = 1;
    world.kernels[0].slope = 1e-6;
    world.kernels[0].buffer_count = 1;
    world.kernels[0].estimate.native_seconds = 1;
    world.kernels[0].estimate.least_seconds = 0.1;
    world_begin(&world);
}

static enum dl__candidate_id launch(void)
{
    return world_launch(&world, 0, 1000, 0, false, true);
}

/* So many launches, each with looks behind it; on what the last one ran. */
static enum dl__candidate_id steps(unsigned count, unsigned looks, uint64_t bytes)
{
    enum dl__candidate_id last = DL__NATIVE;

    for (unsigned i = 0; i < count; i++) {
        last = launch();
        for (unsigned l = 0; l < looks; l++)
            world_look_part(&world, 0, bytes);
    }
    return last;
}

/* The patterns probe and poke: each step gains 0.75 ms and pays 0.02. */
START_TEST(small_looks_leave_a_buffer_converted)
{
    begin(0.25);
    ck_assert_int_ne(steps(200, 1, FEW_BYTES), DL__NATIVE);
    ck_assert_uint_eq(world.conversions, 1);
    ck_assert_uint_gt(world.looks, 190);
    ck_assert_double_lt(world.device, 0.35 * world.native);
    world_end(&world);
}
END_TEST

/* A launch gains 0.1 ms; 5 looks pay as much, 4 are worth it. */
START_TEST(looks_count_against_what_launches_gain)
{
    begin(0.9);
    ck_assert_int_eq(steps(500, 7, FEW_BYTES), DL__NATIVE);
    ck_assert_uint_eq(world.conversions, 0);
    ck_assert_double_eq(world.device, world.native);
    world_end(&world);
    begin(0.9);
    ck_assert_int_ne(steps(500, 3, FEW_BYTES), DL__NATIVE);
    ck_assert_uint_eq(world.conversions, 1);
    world_end(&world);
}
END_TEST

/* They begin when it has been converted: it is not for ever. */
START_TEST(looks_that_cost_more_than_launches_gain_end_it)
{
    begin(0.9);
    ck_assert_int_ne(steps(100, 0, 0), DL__NATIVE);
    ck_assert_int_eq(steps(1000, 10, FEW_BYTES), DL__NATIVE);
    ck_assert_uint_le(world.conversions, 3);
    ck_assert_double_le(world.device, world.native + 0.050);
    /* And neither is what follows. */
    ck_assert_int_ne(steps(1000, 0, 0), DL__NATIVE);
    world_end(&world);
}
END_TEST

/* One look at everything costs as much as a conversion: more than the launch gains. */
START_TEST(whole_looks_after_each_launch_keep_it_as_written)
{
    begin(0.25);
    ck_assert_int_eq(steps(500, 1, ALL_BYTES), DL__NATIVE);
    ck_assert_double_le(world.device, world.native);
    world_end(&world);
}
END_TEST

/* A host that walks through the whole buffer in small pieces: both ways take 0.84 ms, 42 looks. */
START_TEST(many_looks_in_a_row_bring_it_back)
{
    unsigned long before;

    begin(0.25);
    ck_assert_int_ne(steps(20, 0, 0), DL__NATIVE);
    before = world.looks;
    for (unsigned l = 0; l < 10000; l++)
        world_look_part(&world, 0, FEW_BYTES);
    ck_assert_uint_ge(world.looks - before, 30);
    ck_assert_uint_le(world.looks - before, 90);
    ck_assert_int_eq(world.buffers[0].lies, DL__NATIVE);
    ck_assert_int_ne(steps(20, 0, 0), DL__NATIVE);
    world_end(&world);
}
END_TEST

/* Looks take a twentieth of what was thought: what was measured counts. */
START_TEST(measured_looks_count)
{
    begin(0.9);
    ck_assert_int_ne(steps(100, 0, 0), DL__NATIVE);
    world.look_ratio[0] = 0.05;
    steps(10, 2, FEW_BYTES);
    ck_assert_int_ne(steps(500, 20, FEW_BYTES), DL__NATIVE);
    ck_assert_uint_eq(world.conversions, 1);
    world_end(&world);
}
END_TEST

/* And where they take twenty times as long, too, though the first one may have had more to do. */
START_TEST(slow_looks_count)
{
    begin(0.5);
    ck_assert_int_ne(steps(100, 0, 0), DL__NATIVE);
    world.look_ratio[0] = 50;
    ck_assert_int_eq(steps(1000, 1, FEW_BYTES), DL__NATIVE);
    ck_assert_uint_le(world.conversions, 4);
    ck_assert_double_le(world.device, world.native + 0.050);
    world_end(&world);
}
END_TEST

/* What is left is spent by the looks of a host that does nothing else. */
START_TEST(looks_are_not_made_when_nothing_may_be_spent)
{
    begin(0.25);
    ck_assert_int_ne(steps(20, 0, 0), DL__NATIVE);
    world.devices[0].ledger.excess_seconds += 1;
    world_look_part(&world, 0, FEW_BYTES);
    ck_assert_uint_eq(world.looks, 0);
    ck_assert_int_eq(world.buffers[0].lies, DL__NATIVE);
    world_end(&world);
}
END_TEST

/* 0.5 ms may be spent: 25 looks of 0.02 ms, of which nobody tells a time. */
START_TEST(what_looks_take_is_spent)
{
    const struct dl__policy_row *row;
    unsigned long before;
    double left;

    begin(0.25);
    ck_assert_int_ne(steps(20, 0, 0), DL__NATIVE);
    row = world.kernels[0].known->rows;
    world.moves_untold = true;
    left = dl__policy_left(&world.devices[0], row, false);
    world.devices[0].ledger.excess_seconds += left - 0.0005;
    before = world.looks;
    for (unsigned l = 0; l < 40; l++)
        world_look_part(&world, 0, FEW_BYTES);
    ck_assert_uint_ge(world.looks - before, 20);
    ck_assert_uint_le(world.looks - before, 25);
    ck_assert_double_ge(dl__policy_left(&world.devices[0], row, false), 0);
    world_end(&world);
}
END_TEST

/* What each launch runs on, where looks take `slower` times what is said. */
static void run_contractable(double slower, enum dl__candidate_id *chosen)
{
    begin(0.5);
    world.look_ratio[0] = slower;
    world.kernels[0].known->contractable = true;
    for (unsigned i = 0; i < 300; i++) {
        chosen[i] = launch();
        for (unsigned l = 0; l < i / 8; l++)
            world_look_part(&world, 0, FEW_BYTES);
    }
    world_end(&world);
}

START_TEST(no_time_of_a_look_decides_what_may_round_differently)
{
    enum dl__candidate_id first[300], second[300];
    bool tiled = false, native = false;

    run_contractable(1, first);
    run_contractable(40, second);
    ck_assert_int_eq(memcmp(first, second, sizeof first), 0);
    for (unsigned i = 50; i < 300; i++) {
        tiled |= first[i] != DL__NATIVE;
        native |= first[i] == DL__NATIVE;
    }
    ck_assert(tiled);
    ck_assert(native);
}
END_TEST

/* The pattern by_turns: an unannotated kernel brings it back after each launch, which gains less than
 * both ways take. It is tried no more than now and then, though each launch alone speaks for it. */
START_TEST(kernels_that_bring_it_back_by_turns_keep_it_as_written)
{
    begin(0.25);
    ck_assert_int_ne(steps(20, 0, 0), DL__NATIVE);
    for (unsigned i = 0; i < 1000; i++) {
        world_look(&world, 0);
        launch();
    }
    ck_assert_uint_le(world.conversions, 8);
    ck_assert_double_le(world.device, world.native + 0.010);
    world_end(&world);
}
END_TEST

/* The pattern poke again: a look before each launch has none of them decided anew, but when a time is told. */
START_TEST(launches_between_looks_go_the_short_way)
{
    begin(0.25);
    world.shortly = true;
    ck_assert_int_ne(steps(300, 1, FEW_BYTES), DL__NATIVE);
    world.stood = 0;
    steps(1000, 1, FEW_BYTES);
    ck_assert_uint_ge(world.stood, 950);
    ck_assert_uint_ge(world.looks, 1200);
    world_end(&world);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("policy_looks");
    TCase *tcase = tcase_create("looks");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_test(tcase, small_looks_leave_a_buffer_converted);
    tcase_add_test(tcase, looks_count_against_what_launches_gain);
    tcase_add_test(tcase, looks_that_cost_more_than_launches_gain_end_it);
    tcase_add_test(tcase, whole_looks_after_each_launch_keep_it_as_written);
    tcase_add_test(tcase, many_looks_in_a_row_bring_it_back);
    tcase_add_test(tcase, measured_looks_count);
    tcase_add_test(tcase, slow_looks_count);
    tcase_add_test(tcase, what_looks_take_is_spent);
    tcase_add_test(tcase, looks_are_not_made_when_nothing_may_be_spent);
    tcase_add_test(tcase, no_time_of_a_look_decides_what_may_round_differently);
    tcase_add_test(tcase, kernels_that_bring_it_back_by_turns_keep_it_as_written);
    tcase_add_test(tcase, launches_between_looks_go_the_short_way);
    suite_add_tcase(suite, tcase);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
