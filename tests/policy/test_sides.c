/* Groups whose buffers two devices use: what policy_turns can't tell from outside. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/policy/core.h"

enum { DEVICES = 2 };

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
            ask->ready[c] = true;
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
        for (int d = 0; d < DEVICES; d++)
            for (int i = 0; i < 8; i++)
                dl__policy_move_measured(&devices[d], &slow, 7e-3);
        for (int d = 0; d < DEVICES; d++)
            devices[d].ledger.excess_seconds = -1;
        for (int i = 0; i < 20; i++)
            launch(i % 2);
        ck_assert(buffer.group && dl__group_of(buffer.group)->shared);
        dl__group_of(buffer.group)->current = DL__ASTA;
        buffer.lies = DL__ASTA;
        hop(0);
        hops[contractable] = dl__group_of(buffer.group)->hop[DL__ASTA];
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

int main(void)
{
    Suite *suite = suite_create("sides");
    TCase *tests = tcase_create("sides");
    SRunner *runner = srunner_create(suite);
    int failed;

    suite_add_tcase(suite, tests);
    tcase_add_test(tests, no_time_counts_where_none_may_decide);
    tcase_add_test(tests, what_is_being_built_keeps_no_contractable_kernel_back);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
