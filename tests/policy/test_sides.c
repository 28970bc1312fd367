/* SPDX-License-Identifier: MIT */
/* Groups whose buffers several devices use: what policy_turns can't tell from outside. */
#include <check.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/policy/core.h"
#include "libdl_intercept/policy/cut.h"
#include "tests/common/random_numbers.h"

enum { DEVICES = 4 };

static struct dl__policy devices[DEVICES];
static struct dl__policy_ask asks[DEVICES];
static struct dl__policy_buffer buffer, *buffers[] = {&buffer};

/* A kernel of 1 ms on a buffer of 100 MB, on each device. */
static void begin(bool contractable)
{
    static const unsigned char text[32];

    memset(devices, 0, sizeof devices);
    memset(asks, 0, sizeof asks);
    buffer = (struct dl__policy_buffer){.bytes = 100000000};
    for (int d = 0; d < DEVICES; d++) {
        struct dl__policy_ask *ask = &asks[d];

        devices[d].rates = (struct dl_rates){.copy_mb = 1000000,
                                             .sector_bytes = 32,
                                             .step_us = 1,
                                             .asta_part = 500,
                                             .da_part = 250};
        ask->kernel = dl__policy_kernel_get(&devices[d], text, "k");
        ask->kernel->contractable = contractable;
        ask->row = dl__policy_row_get(ask->kernel, 1000, 1000);
        ask->buffers = buffers;
        ask->buffer_count = 1;
        ask->work = 1000;
        ask->estimate.native_seconds = 1e-3;
        for (int c = 0; c < DL__CANDIDATES; c++) {
            ask->estimate.of[c].verdict = DL__CLEAR;
            ask->estimate.of[c].speedup = c == DL__NATIVE ? 1 : 4;
            ask->estimate.of[c].factor = 1;
            ask->ready[c] = c != DL__GRID && c != DL__COALESCED;
        }
    }
}

static void end(void)
{
    dl__policy_buffer_end(&devices[0], &buffer);
    for (int d = 0; d < DEVICES; d++)
        dl__policy_free(&devices[d]);
}

static enum dl__candidate_id launch(int d)
{
    struct dl__policy_answer answer;

    dl__policy_choose(&devices[d], &asks[d], &answer);
    if (buffer.lies != answer.candidate && buffer.lies != DL__NATIVE)
        dl__policy_returned(&devices[d], &buffer, true);
    if (buffer.lies != answer.candidate)
        dl__policy_moved(&devices[d], &buffer, answer.candidate);
    dl__policy_launched(&devices[d], &asks[d], answer.candidate);
    return answer.candidate;
}

/* For a device whose tiles are others: in the launch that is on its way. */
static void hop(int d)
{
    dl__policy_returned(&devices[d], &buffer, true);
    dl__policy_moved(&devices[d], &buffer, DL__ASTA);
}

/* What a turn takes is by estimate where no time may decide, and else as measured. */
START_TEST(no_time_counts_where_none_may_decide)
{
    double hops[2];

    for (int contractable = 0; contractable < 2; contractable++) {
        struct dl__move_charge slow = {.candidate = DL__ASTA, .estimated = 1e-3};

        begin(contractable);
        for (int d = 0; d < 2; d++)
            for (int i = 0; i < 8; i++)
                dl__policy_move_measured(&devices[d], &slow, 7e-3);
        for (int d = 0; d < 2; d++)
            devices[d].ledger.excess_seconds = -1;
        for (int i = 0; i < 20; i++)
            launch(i % 2);
        ck_assert(buffer.group && dl__group_of(buffer.group)->shared);
        dl__group_of(buffer.group)->current = DL__ASTA;
        buffer.lies = DL__ASTA;
        hop(0);
        hops[contractable] = dl__group_of(buffer.group)->turns[0].hop[DL__ASTA];
        end();
    }
    ck_assert_double_eq_tol(hops[1], 2 * 401e-6, 1e-9);
    ck_assert_double_gt(hops[0], 6 * hops[1]);
}
END_TEST

/* Nor whether another kernel of the device has been built by now. */
START_TEST(what_is_being_built_keeps_no_contractable_kernel_back)
{
    static const unsigned char text[32];
    struct dl__policy_ask other;

    begin(true);
    for (int i = 0; i < 4; i++)
        launch(i % 2);
    ck_assert(dl__group_of(buffer.group)->shared);
    other = asks[0];
    other.kernel = dl__policy_kernel_get(&devices[0], text, "other");
    other.row = dl__policy_row_get(other.kernel, 1000, 1000);
    other.standing = (struct dl__standing){0};
    memset(other.ready, 0, sizeof other.ready);
    other.ready[DL__NATIVE] = true;
    dl__policy_choose(&devices[0], &other, &(struct dl__policy_answer){0});
    ck_assert(!dl__side_stays(dl__group_of(buffer.group), &devices[0], DL__ASTA));
    end();
}
END_TEST

/* ---- what they may spend ---- */

/* By turns of two devices, so that they share the buffer. */
static void share(void)
{
    begin(false);
    /* Nothing is gained, so that nothing is converted for it. */
    for (int d = 0; d < DEVICES; d++)
        for (int c = 0; c < DL__CANDIDATES; c++)
            asks[d].estimate.of[c].speedup = 1;
    for (int i = 0; i < 4; i++)
        launch(i % 2);
    ck_assert(dl__group_of(buffer.group)->shared);
    ck_assert_int_eq(buffer.lies, DL__NATIVE);
}

static double left(int d)
{
    return dl__policy_left(&devices[d], asks[d].row, false);
}

/* What one has spent beyond its own, the other has not any more for what it does alone. */
START_TEST(what_one_spends_of_the_others_is_the_others)
{
    double both;

    share();
    devices[0].ledger.excess_seconds += left(0) - 0.1e-3;
    both = left(0) + left(1);
    dl__policy_moved(&devices[0], &buffer, DL__ASTA);
    ck_assert_double_eq_tol(left(0), 0, 1e-9);
    ck_assert_double_eq_tol(left(1), both - 2 * 401e-6, 1e-9);
    end();
}
END_TEST

/* The way back may be made by the other. */
START_TEST(the_way_back_is_charged_as_the_slowest_makes_it)
{
    share();
    devices[1].rates.copy_mb /= 10;
    dl__policy_moved(&devices[0], &buffer, DL__ASTA);
    ck_assert_double_eq_tol(buffer.owed, 4001e-6, 1e-9);
    end();
    /* One that has never had it: when it is known. */
    share();
    devices[2].rates.copy_mb /= 10;
    dl__policy_moved(&devices[0], &buffer, DL__ASTA);
    ck_assert_double_eq_tol(buffer.owed, 401e-6, 1e-9);
    ck_assert_double_eq_tol(dl__policy_returned(&devices[2], &buffer, true).charged,
                            4001e-6, 1e-9);
    end();
}
END_TEST

/* Tiles of another length have to be moved into its own, which a device that can't spend it does not do. */
START_TEST(tiles_of_another_length_are_not_there)
{
    for (int others = 0; others < 2; others++) {
        share();
        for (int d = 0; d < 2; d++)
            devices[d].ledger.excess_seconds = left(d);
        dl__group_of(buffer.group)->current = buffer.lies = DL__ASTA;
        asks[1].tile[DL__ASTA] = others ? 64 : 32;
        buffer.tile = 32;
        devices[0].version++;
        devices[1].version++;
        ck_assert_int_eq(launch(1), others ? DL__NATIVE : DL__ASTA);
        end();
    }
}
END_TEST

/* What one device's launches stand on is gone when the other's have moved the buffer. */
START_TEST(what_another_device_moves_is_looked_at_anew)
{
    uint64_t before;

    share();
    before = devices[0].version;
    dl__policy_moved(&devices[1], &buffer, DL__ASTA);
    ck_assert_uint_ne(devices[0].version, before);
    before = devices[0].version;
    dl__policy_returned(&devices[1], &buffer, true);
    ck_assert_uint_ne(devices[0].version, before);
    end();
}
END_TEST

/* ---- which devices run as written ---- */

/* Rounds in which each device launches once, one after the other. On ASTA the launches take `seconds`, natively 1 ms
 * each; all buffers there and back 0.8 ms. True when the last device runs on ASTA in the end. */
static bool tiles_pay(unsigned count, const double *seconds, unsigned *tiled)
{
    bool last = false;

    begin(false);
    *tiled = 0;
    for (unsigned d = 0; d < count; d++) {
        for (int i = 0; i < 16; i++) {
            dl__samples_add(&asks[d].row->samples[DL__NATIVE], 1e-3, 1000);
            dl__samples_add(&asks[d].row->samples[DL__ASTA], seconds[d], 1000);
            dl__samples_add(&asks[d].row->samples[DL__DA], 1, 1000);
        }
        devices[d].ledger.excess_seconds = -10;
    }
    for (int round = 0; round < 200; round++)
        for (unsigned d = 0; d < count; d++) {
            last = launch((int)d) == DL__ASTA;
            *tiled += last && round >= 100;
        }
    end();
    return last;
}

/* Two that lose 3 ms each, and one that gains 0.9 ms: it alone runs in tiles, which takes 0.8 ms a round, since
 * between the two nothing moves. Charged with both their turns, 1.6 ms, it would not. */
START_TEST(between_two_that_stay_nothing_moves)
{
    static const double gains_first[] = {0.1e-3, 4e-3, 4e-3};
    static const double gains_last[] = {4e-3, 4e-3, 0.1e-3};
    static const double gains_too_little[] = {0.5e-3, 4e-3, 4e-3};
    unsigned tiled;

    tiles_pay(3, gains_first, &tiled);
    ck_assert_uint_eq(tiled, 100);
    ck_assert(tiles_pay(3, gains_last, &tiled));
    ck_assert_uint_eq(tiled, 100);
    tiles_pay(3, gains_too_little, &tiled);
    ck_assert_uint_eq(tiled, 0);
}
END_TEST

/* Each of two that lose 0.6 ms would run in tiles for itself, since both turns of it would take 0.8 ms; but together
 * they are as written for as much: 1.2 ms lost against 0.8 ms. */
START_TEST(which_stay_is_decided_together)
{
    static const double lose_little[] = {0.05e-3, 1.6e-3, 1.6e-3};
    static const double lose_less[] = {0.05e-3, 1.2e-3, 1.2e-3};
    static const double four[] = {0.05e-3, 1.6e-3, 0.05e-3, 4e-3};
    unsigned tiled;

    ck_assert(!tiles_pay(3, lose_little, &tiled));
    ck_assert_uint_eq(tiled, 100);
    ck_assert(tiles_pay(3, lose_less, &tiled));
    ck_assert_uint_eq(tiled, 300);
    /* The second stands between two that gain; the fourth runs as written. */
    ck_assert(!tiles_pay(4, four, &tiled));
    ck_assert_uint_eq(tiled, 300);
}
END_TEST

enum { MOST = 6 };

static struct problem {
    unsigned count;
    double loses[MOST], one[MOST][MOST], neither[MOST][MOST];
    unsigned fixed[MOST]; /* 0: not as written; 1: as written; else free */
} problem;

static void make_problem(uint64_t *state, struct dl__cut *cut)
{
    problem.count = 1 + random_choice(state, MOST);
    dl__cut_begin(cut, problem.count);
    for (unsigned a = 0; a < problem.count; a++) {
        problem.loses[a] = (double)random_choice(state, 200) - 100;
        problem.fixed[a] = random_choice(state, 6);
        dl__cut_loses(cut, a, problem.loses[a]);
        if (problem.fixed[a] < 2)
            dl__cut_fix(cut, a, problem.fixed[a]);
        for (unsigned b = 0; b < a; b++) {
            problem.one[a][b] = random_choice(state, 80);
            problem.neither[a][b] = random_choice(state, 161) / 80.0 * problem.one[a][b];
            dl__cut_turns(cut, a, b, problem.one[a][b], problem.neither[a][b]);
        }
    }
}

/* What a choice takes; bit d: the device runs as written. */
static double price(unsigned written)
{
    double sum = 0;

    for (unsigned a = 0; a < problem.count; a++) {
        unsigned is = written >> a & 1;

        if (problem.fixed[a] < 2 && is != problem.fixed[a])
            return DBL_MAX;
        sum += is ? 0 : problem.loses[a];
        for (unsigned b = 0; b < a; b++) {
            unsigned both = is + (written >> b & 1);

            sum += both == 2 ? 0 : both == 1 ? problem.one[a][b] : problem.neither[a][b];
        }
    }
    return sum;
}

START_TEST(the_cut_is_the_cheapest_choice)
{
    uint64_t state = 7;

    for (int round = 0; round < 2000; round++) {
        double least = DBL_MAX;
        bool stays[MOST];
        unsigned chosen = 0;
        struct dl__cut cut;

        make_problem(&state, &cut);
        dl__cut_choose(&cut, stays);
        for (unsigned d = 0; d < problem.count; d++)
            chosen |= (unsigned)stays[d] << d;
        for (unsigned written = 0; written < 1u << problem.count; written++)
            least = price(written) < least ? price(written) : least;
        ck_assert_double_le(price(chosen), least + 1e-6);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sides");
    TCase *tests = tcase_create("sides");
    SRunner *runner = srunner_create(suite);
    int failed;

    suite_add_tcase(suite, tests);
    tcase_add_test(tests, no_time_counts_where_none_may_decide);
    tcase_add_test(tests, what_is_being_built_keeps_no_contractable_kernel_back);
    tcase_add_test(tests, between_two_that_stay_nothing_moves);
    tcase_add_test(tests, which_stay_is_decided_together);
    tcase_add_test(tests, the_cut_is_the_cheapest_choice);
    tcase_add_test(tests, what_one_spends_of_the_others_is_the_others);
    tcase_add_test(tests, the_way_back_is_charged_as_the_slowest_makes_it);
    tcase_add_test(tests, tiles_of_another_length_are_not_there);
    tcase_add_test(tests, what_another_device_moves_is_looked_at_anew);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
