/* SPDX-License-Identifier: MIT */
/* Groups are explored within what may be spent, decided once, and stay so as long as that
 * pays. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/reports/reasons.h"
#include "world.h"

static struct world *world;

static void set_up(void)
{
    world = calloc(1, sizeof *world);
    world_begin(world);
}

static void tear_down(void)
{
    world_end(world);
    free(world);
}

static void kernel_is(unsigned k, double native, double asta, double da)
{
    world->kernels[k].seconds[DL__NATIVE] = native;
    world->kernels[k].seconds[DL__ASTA] = asta;
    world->kernels[k].seconds[DL__DA] = da;
}

/* So many steps, each with a launch of each of the first kernels. */
static void run(unsigned steps, unsigned kernels)
{
    for (unsigned s = 0; s < steps; s++)
        for (unsigned k = 0; k < kernels; k++)
            world_launch(world, k, 0);
}

START_TEST(two_kernels_that_gain_go_once)
{
    kernel_is(0, 0.004, 0.001, 0.0008);
    kernel_is(1, 0.004, 0.001, 0.0008);
    run(500, 2);
    ck_assert_uint_eq(world->conversions, 1);
    ck_assert_int_ne(world->buffers[0].lies, DL__NATIVE);
    ck_assert_double_lt(world->now, 0.4 * world->native);
    ck_assert_double_le(world->worst, 0);
}
END_TEST

START_TEST(nothing_goes_where_nothing_gains)
{
    kernel_is(0, 0.004, 0.004, 0.0041);
    kernel_is(1, 0.001, 0.003, 0);
    run(1000, 2);
    ck_assert_uint_eq(world->conversions, 0);
    ck_assert_double_le(world->worst, 0);
    ck_assert_double_le(world->now, 1.1 * world->native + 0.1);
}
END_TEST

/* Says of launches of the first kernel why they are as written, with one reason. */
static void check_why_of_first(enum dl__why why)
{
    char said[DL__WHY_BYTES];

    dl__say_why(&world->kernels[0].asks[0], DL__NATIVE, said, sizeof said);
    ck_assert_msg(dl__why_find(said) == why && !strstr(said, ", and "), "%s", said);
}

static void check_says(const char *words, enum dl__candidate_id chosen)
{
    char said[DL__WHY_BYTES];

    dl__say_why(&world->kernels[0].asks[0], chosen, said, sizeof said);
    ck_assert_msg(strstr(said, words) != NULL, "%s", said);
}

/* The same of it and of its group. */
static void check_why(enum dl__why why)
{
    char said[DL__WHY_BYTES];

    check_why_of_first(why);
    ck_assert(dl__say_group(world->policy.groups, said, sizeof said));
    ck_assert_msg(strstr(said, dl__why_text(why)), "%s", said);
}

/* One that differs has the buffers brought back each time, which the other must be worth.
 */
START_TEST(a_kernel_that_must_run_as_written_counts)
{
    kernel_is(0, 0.004, 0.001, 0.001);
    kernel_is(1, 0.0005, 0.0001, 0.0001);
    world->kernels[1].differs = true;
    run(1000, 2);
    ck_assert_double_lt(2 * world_move_seconds(DL__ASTA), 0.006);
    ck_assert_uint_eq(world->conversions, 0);
    /* A look by parts, as at a program's end, changes nothing about that. */
    dl__policy_touched(&world->policy, &world->buffers[0], 4096);
    run(1, 2);
    check_why(DL__WHY_BETWEEN);
    world_end(world);
    world_begin(world);
    kernel_is(0, 0.040, 0.010, 0.010);
    run(1000, 2);
    ck_assert_uint_gt(world->conversions, 1000);
    ck_assert_double_lt(world->now, 0.6 * world->native);
}
END_TEST

/* A kernel that has not been explored yet may still gain: nothing is known to stand in
 * the way but how long exploring it takes, which another run of this length does not
 * change. */
START_TEST(an_unexplored_kernel_spoils_nothing_yet)
{
    kernel_is(0, 0.004, 0.001, 0.001);
    kernel_is(1, 0.004, 0.001, 0.001);
    world->kernels[1].price = 1000;
    for (unsigned r = 0; r < 2; r++) {
        run(100, 2);
        ck_assert_uint_eq(world->conversions, 0);
        check_why(DL__WHY_OTHER_DEAR);
        check_says(" ms, for which a run must last ", DL__NATIVE);
        world_again(world);
        world->kernels[1].price = 1000;
    }
}
END_TEST

/* The buffers of one that is not built yet would be brought back at each of its launches:
 * its group waits for it, unless that loses more than it could take. */
START_TEST(an_unbuilt_kernel_is_waited_for)
{
    kernel_is(0, 0.010, 0.002, 0);
    kernel_is(1, 0.004, 0.001, 0);
    world->kernels[1].unread = true;
    run(50, 2);
    ck_assert_uint_gt(world->explored, 0);
    ck_assert_uint_eq(world->conversions, 0);
    ck_assert(world->held);
    world->kernels[1].unread = false;
    run(10, 2);
    ck_assert_uint_eq(world->conversions, 1);
    world_end(world);
    world_begin(world);
    world->kernels[1].unread = true;
    run(500, 2);
    ck_assert_uint_gt(world->conversions, 2);
}
END_TEST

/* Where the group gains though the buffers are brought back for a kernel that can't be
 * paid for yet, its launches are held back until it can. */
START_TEST(a_kernel_that_its_buffers_are_brought_back_for_is_held_back)
{
    kernel_is(0, 0.040, 0.010, 0.010);
    kernel_is(1, 0.004, 0.001, 0.001);
    world->kernels[1].price = 1;
    run(50, 2);
    ck_assert_uint_eq(world->explored, 1);
    ck_assert_uint_gt(world->conversions, 2);
    ck_assert(world->held);
}
END_TEST

/* Where buffers are brought back for good, what that takes has been measured before the
 * program runs ahead, and is expected of each launch. */
START_TEST(returns_are_proved_before_the_program_runs_ahead)
{
    unsigned long switched;

    kernel_is(0, 0.040, 0.010, 0.010);
    kernel_is(1, 0.0005, 0.0001, 0.0001);
    world->kernels[1].differs = true;
    while (world->conversions == 0)
        run(1, 2);
    switched = world->policy.groups->switched_at;
    run(10, 2);
    ck_assert_uint_eq(world->policy.groups->switched_at, switched);
    ck_assert(world->held);
    ck_assert_double_gt(world->expected, 2 * world_move_seconds(DL__ASTA));
    run(20, 2);
    ck_assert(!world->held);
}
END_TEST

/* What exploring waits for is a reason where nothing else is known, and says whether it
 * can be helped by one more run, and how long a run that explores it is. */
START_TEST(what_exploring_takes_is_a_reason_by_itself)
{
    char said[DL__WHY_BYTES];
    double before = 0, enough;

    kernel_is(0, 0.004, 0.001, 0.001);
    world->kernels[0].price = 1;
    run(100, 1);
    check_why(DL__WHY_DEAR);
    check_says(": exploring takes 2012 ms, for which a run must last 36.2 s", DL__NATIVE);
    while (!world->explored && world->now < 60) {
        before = world->now;
        run(1, 1);
    }
    ck_assert_double_eq_tol(before, 24.15, 0.01);
    /* That leaves room for a run in which all takes a little longer. */
    world_end(world);
    world_begin(world);
    kernel_is(0, 0.005, 0.0013, 0.0013);
    world->kernels[0].price = 1.2;
    while (!world->explored && world->now < 36.2)
        run(1, 1);
    ck_assert_uint_eq(world->explored, 1);
    /* And for what others of the group wait for, which may be explored first. */
    world_end(world);
    world_begin(world);
    kernel_is(0, 0.004, 0.001, 0.001);
    kernel_is(1, 0.004, 0.001, 0.001);
    world->kernels[0].price = 1;
    world->kernels[1].price = 0.6;
    run(100, 2);
    dl__say_why(&world->kernels[0].asks[0], DL__NATIVE, said, sizeof said);
    ck_assert_msg(strstr(said, ": exploring takes 2012 ms, ") != NULL, "%s", said);
    ck_assert_int_eq(sscanf(strstr(said, " must last "), " must last %lf s", &enough), 1);
    while (world->explored < 2 && world->now < enough)
        run(1, 2);
    ck_assert_uint_eq(world->explored, 2);
    world_end(world);
    world_begin(world);
    kernel_is(0, 0.004, 0.001, 0.001);
    world->kernels[0].price = 0.02;
    world->ledger.spent = 0.15;
    run(100, 1);
    ck_assert_uint_eq(world->explored, 0);
    check_why(DL__WHY_UNEXPLORED);
}
END_TEST

/* Nothing is built for a layout that is known not to gain; and one more run of the same
 * length does not help where the last has shown that it is too short. */
START_TEST(what_is_known_comes_before_what_is_not)
{
    char said[DL__WHY_BYTES];
    unsigned enough;

    kernel_is(0, 0.004, 0.008, 0.008);
    world->kernels[0].unbuilt = true;
    run(500, 1);
    ck_assert_uint_gt(world->explored, 0);
    check_why_of_first(DL__WHY_NONE_FASTER);
    world_end(world);
    world_begin(world);
    kernel_is(0, 0.004, 0.0035, 0.0035);
    run(6, 1);
    check_why_of_first(DL__WHY_NOT_WORTH);
    world_again(world);
    run(6, 1);
    check_why_of_first(DL__WHY_NOT_WORTH_AGAIN);
    /* A run as long as it says is long enough. */
    dl__say_why(&world->kernels[0].asks[0], DL__NATIVE, said, sizeof said);
    ck_assert_int_eq(
        sscanf(strstr(said, ", which takes"), ", which takes about %u launches", &enough),
        1);
    ck_assert_uint_lt(enough, 60);
    world_again(world);
    world->kernels[0].unbuilt = false;
    run(enough, 1);
    ck_assert_uint_eq(world->conversions, 1);
}
END_TEST

/* The host no longer wants the buffer behind each launch: the next run knows that. */
START_TEST(a_use_that_has_changed_is_known_to_the_next_run)
{
    kernel_is(0, 0.004, 0.001, 0.001);
    for (unsigned r = 0; r < 2; r++) {
        for (unsigned l = 0; l < 100; l++) {
            run(1, 1);
            world_touch(world, 0);
        }
        check_why_of_first(DL__WHY_BETWEEN);
        world_again(world);
    }
    world->kernels[0].unbuilt = true;
    run(100, 1);
    check_why_of_first(DL__WHY_OTHERWISE);
}
END_TEST

/* A third run of that kind is no advice. */
START_TEST(what_two_runs_do_not_build_is_waited_for)
{
    kernel_is(0, 0.004, 0.001, 0.001);
    world->kernels[0].unread = true;
    for (unsigned r = 0; r < 2; r++) {
        run(500, 1);
        world->kernels[0].asks[0].asked_for = true;
        check_why_of_first(r ? DL__WHY_BUILDING_AGAIN : DL__WHY_BUILDING);
        world_again(world);
    }
}
END_TEST

/* A time as written that this run has not measured itself is said to be an earlier one's,
 * until a comparison puts it right. */
START_TEST(a_time_of_an_earlier_run_is_said_to_be_one)
{
    struct dl__policy_ask *ask = &world->kernels[0].asks[0];
    char said[DL__WHY_BYTES];

    kernel_is(0, 0.004, 0.001, 0);
    run(1, 1);
    ck_assert(dl__say_group(world->policy.groups, said, sizeof said));
    ck_assert_msg(strstr(said, " after 1 launch; ") != NULL, "%s", said);
    run(499, 1);
    ck_assert(!dl__row_is_earlier(ask->row, DL__NATIVE));
    check_says("as written 4.000 ms, ", DL__ASTA);
    world_again(world);
    run(1, 1);
    ck_assert(dl__row_is_earlier(ask->row, DL__NATIVE));
    check_says("as written 4.000 ms in an earlier run, ", DL__ASTA);
    dl__policy_compared(&world->policy, ask, DL__ASTA, 0.001, 0.002);
    check_says("as written 2.000 ms, ", DL__ASTA);
}
END_TEST

/* A number that the run has reached helps nobody. */
START_TEST(a_number_of_launches_that_was_reached_is_not_named)
{
    struct dl__policy_ask *ask = &world->kernels[0].asks[0];

    kernel_is(0, 5e-6, 5e-6, 5e-6);
    world->kernels[0].unbuilt = true;
    run(20, 1);
    ask->asked_for = false;
    ask->tried_from = 22.5;
    check_why_of_first(DL__WHY_SHORT);
    check_says("tried from about 34 launches of this kernel on, as written 0.00500 ms",
               DL__NATIVE);
    ask->tried_from = 21;
    check_why_of_first(DL__WHY_UNEXPLORED);
    /* One that nobody has measured may be wrong by several times. */
    world_end(world);
    world_begin(world);
    kernel_is(0, 5e-6, 5e-6, 5e-6);
    world->kernels[0].unbuilt = true;
    world->kernels[0].untold = true;
    run(20, 1);
    check_says("launches of this kernel on, as its text suggests", DL__NATIVE);
}
END_TEST

/* No run is long enough for that, so that nobody is sent for a longer one. Busy launches
 * of a later run do not change it. */
START_TEST(what_can_never_gain_is_not_waited_for)
{
    char said[DL__WHY_BYTES];

    kernel_is(0, 1.4e-6, 0.1e-6, 0.1e-6);
    run(10, 1);
    check_why(DL__WHY_TOO_SHORT);
    for (unsigned s = 0; s < 100; s++)
        run(1000, 1);
    check_why_of_first(DL__WHY_TOO_SHORT);
    ck_assert_uint_eq(world->explored, 0);
    world_again(world);
    kernel_is(0, 6e-6, 5e-6, 5e-6);
    run(5, 1);
    check_why_of_first(DL__WHY_TOO_SHORT);
    check_says("as written 0.00140 ms in an earlier run", DL__NATIVE);
    world_end(world);
    world_begin(world);
    kernel_is(0, 2.4e-6, 1e-6, 1e-6);
    for (unsigned s = 0; s < 10; s++)
        run(1000, 1);
    ck_assert_uint_gt(world->explored, 0);
    check_why_of_first(DL__WHY_LITTLE);
    check_says("as written 0.00240 ms, ASTA 0.00100 ms", DL__NATIVE);
    world_end(world);
    world_begin(world);
    /* What one kernel gains another loses. */
    kernel_is(0, 0.004, 0.002, 0.002);
    kernel_is(1, 0.004, 0.007, 0.007);
    run(200, 2);
    ck_assert_uint_eq(world->conversions, 0);
    check_why_of_first(DL__WHY_LITTLE);
    ck_assert(dl__say_group(world->policy.groups, said, sizeof said));
}
END_TEST

/* Conversions at each launch may take longer than all launches do. */
START_TEST(what_is_lost_is_not_said_to_be_saved)
{
    struct dl__policy_answer answer = {.from = DL__DA, .reason = "for the test"};
    char said[DL__WHY_BYTES];

    kernel_is(0, 0.004, 0.0035, 0.0035);
    for (unsigned s = 0; s < 50; s++) {
        world_launch(world, 0, 0);
        world_touch(world, 0);
    }
    ck_assert_int_eq(world->buffers[0].lies, DL__NATIVE);
    answer.lately = dl__group_saving(world->policy.groups, DL__DA, true);
    dl__say_decision(&world->kernels[0].asks[0], &answer, said, sizeof said);
    ck_assert_msg(
        strstr(said, "; lost ") && strstr(said, " ms a launch (4 ms as written), ") &&
            strstr(said, " ms so far; converting costs ") && !strstr(said, "e -"),
        "%s", said);
}
END_TEST

/* The group had gained much before. */
START_TEST(what_has_not_paid_off_lately_is_said)
{
    kernel_is(0, 0.004, 0.002, 0.002);
    run(1000, 1);
    ck_assert_int_ne(world->buffers[0].lies, DL__NATIVE);
    for (unsigned s = 0; s < 500 && world->policy.groups->current != DL__NATIVE; s++) {
        world_launch(world, 0, 0);
        world_touch(world, 0);
        world_touch(world, 0);
    }
    ck_assert_int_eq(world->policy.groups->current, DL__NATIVE);
    ck_assert_msg(strstr(world->said, "it has not paid off lately; lost ") &&
                      strstr(world->said, " ms lately; converting costs "),
                  "%s", world->said);
}
END_TEST

/* There are no numbers yet. */
START_TEST(a_decision_before_the_first_launch_ends_with_its_reason)
{
    struct dl__policy_answer answer = {.from = DL__NATIVE, .reason = "for the test"};
    struct dl__policy_ask *ask = &world->kernels[0].asks[0];
    char said[DL__WHY_BYTES];

    kernel_is(0, 0.004, 0.001, 0.001);
    run(1, 1);
    ask->group->members[0].ever = (struct dl__usage){0};
    dl__say_decision(ask, &answer, said, sizeof said);
    ck_assert_msg(strcmp(strrchr(said, ':') + 2, answer.reason) == 0, "%s", said);
}
END_TEST

/* Two launches have not saved yet what converting costs: what decided are those to come.
 */
START_TEST(a_decision_by_earlier_runs_says_so)
{
    kernel_is(0, 0.004, 0.002, 0.002);
    run(500, 1);
    ck_assert_msg(strstr(world->said, "worth its conversions; would save 2 of 4 ms"),
                  "%s", world->said);
    world_again(world);
    run(2, 1);
    ck_assert_int_ne(world->buffers[0].lies, DL__NATIVE);
    ck_assert_msg(strstr(world->said,
                         "worth its conversions, by earlier runs: launches "
                         "to come would save at least 998 ms; converting costs "),
                  "%s", world->said);
    ck_assert_msg(strstr(world->said, "group 1 (a): "), "%s", world->said);
    /* Of a group that had more kernels then, the first is launched. */
    world_end(world);
    world_begin(world);
    kernel_is(0, 0.004, 0.002, 0.002);
    kernel_is(1, 0.004, 0.002, 0.002);
    run(500, 2);
    ck_assert_msg(strstr(world->said, "group 1 (a, b): "), "%s", world->said);
    world_again(world);
    for (unsigned l = 0; l < 5 && world->buffers[0].lies == DL__NATIVE; l++)
        run(1, 1);
    ck_assert_msg(strstr(world->said, "group 1 (a, ...): "), "%s", world->said);
}
END_TEST

/* Nor is it held back for what earlier runs were too short to pay for, but in the first.
 */
START_TEST(what_no_run_can_pay_for_holds_nothing_back)
{
    kernel_is(0, 0.01, 0.001, 0.001);
    world->kernels[0].price = 10;
    run(300, 1);
    ck_assert(world->held);
    world_again(world);
    run(300, 1);
    ck_assert(!world->held);
    ck_assert_uint_eq(world->explored, 0);
    /* This one is as long as it takes. */
    world_again(world);
    run(30000, 1);
    ck_assert_uint_gt(world->explored, 0);
}
END_TEST

/* What exploring took more than was expected is expected of the next kernel, and, by
 * half, in the next run. */
START_TEST(a_price_that_was_too_low_is_put_right)
{
    kernel_is(0, 0.01, 0.001, 0.001);
    kernel_is(1, 0.01, 0.001, 0.001);
    world->kernels[0].cost = world->kernels[1].cost = 9;
    world->kernels[0].price = world->kernels[1].price = 0.02;
    run(30, 1);
    ck_assert_uint_eq(world->explored, 1);
    ck_assert_double_gt(dl__policy_beyond(&world->policy), 0.2);
    ck_assert_double_gt(world->worst, 0.1);
    world->worst = 0;
    run(2000, 2);
    ck_assert_uint_gt(world->explored, 1);
    ck_assert_double_le(world->worst, 0);
    world_again(world);
    run(1, 1);
    ck_assert_double_gt(dl__policy_beyond(&world->policy), 0.1);
    ck_assert_double_lt(dl__policy_beyond(&world->policy), 0.2);
}
END_TEST

/* What exploring a short launch took beyond its price is added to that of a long one, and
 * does not multiply it. */
START_TEST(what_a_short_launch_took_prices_no_long_one_out)
{
    kernel_is(0, 0.002, 0.001, 0);
    kernel_is(1, 0.008, 0.002, 0);
    world->kernels[0].price = 0.0005;
    world->kernels[0].cost = 25;
    world->kernels[1].price = 0.002;
    run(2, 2);
    ck_assert_uint_eq(world->explored, 2);
    ck_assert_double_le(world->worst, 0);
}
END_TEST

/* The kernels that a run begins with are not explored before those that take its time. */
START_TEST(what_earlier_runs_spent_little_time_in_is_not_explored_first)
{
    for (unsigned k = 0; k < 5; k++)
        kernel_is(k, 0.0001, 0.00005, 0.00005);
    kernel_is(5, 0.01, 0.002, 0.002);
    for (unsigned k = 0; k < 6; k++)
        world->kernels[k].unread = true;
    run(30, 6);
    ck_assert_uint_eq(world->explored, 0);
    world_again(world);
    for (unsigned k = 0; k < 6; k++)
        world->kernels[k].unread = false;
    run(1, 5);
    ck_assert_uint_eq(world->explored, 0);
    world_launch(world, 5, 0);
    ck_assert_uint_eq(world->explored, 1);
}
END_TEST

/* A short kernel between long ones that gain takes their conversions each time, until it
 * is known to run where they do. */
START_TEST(what_brings_back_part_of_a_gain_is_explored)
{
    kernel_is(0, 0.4, 0.3, 0.5);
    kernel_is(1, 0.0001, 0.0001, 0.0002);
    ck_assert_double_lt(2 * world_move_seconds(DL__ASTA), 0.02 * 0.4);
    run(40, 2);
    ck_assert_int_eq(world->buffers[0].lies, DL__ASTA);
    ck_assert_uint_eq(world->conversions, 1);
    ck_assert_int_eq(world->kernels[1].asks[0].row->of[DL__ASTA].state, DL__MAY_RUN);
}
END_TEST

/* Commands of the host that want the layout that it has asked for want nothing back
 * there, and as written each of them is a conversion there and back. */
START_TEST(what_the_host_has_asked_for_is_not_brought_back)
{
    for (int hosted = 0; hosted < 2; hosted++) {
        kernel_is(0, 0.004, 0.0039, 0.003);
        world->buffers[0].host = hosted ? DL__DA : DL__NATIVE;
        for (unsigned s = 0; s < 200; s++) {
            world_launch(world, 0, 0);
            world_touch(world, 0);
        }
        ck_assert_int_eq(world->buffers[0].lies, hosted ? DL__DA : DL__NATIVE);
        world_end(world);
        world_begin(world);
    }
}
END_TEST

/* An earlier run, whose host wanted the buffers as written, does not hold that back. */
START_TEST(what_the_host_asks_for_now_is_not_held_back_by_earlier_runs)
{
    kernel_is(0, 0.004, 0.0039, 0.003);
    for (int r = 0; r < 3; r++) {
        for (unsigned s = 0; s < 200; s++) {
            world_launch(world, 0, 0);
            world_touch(world, 0);
        }
        ck_assert_int_eq(world->buffers[0].lies, DL__NATIVE);
        world_again(world);
    }
    world->buffers[0].host = DL__DA;
    for (unsigned s = 0; s < 40; s++) {
        world_launch(world, 0, 0);
        world_touch(world, 0);
    }
    ck_assert_int_eq(world->buffers[0].lies, DL__DA);
}
END_TEST

/* Short kernels beside one whose text rules all layouts out are no reason to wait. */
START_TEST(a_group_whose_time_the_texts_rule_out_says_so)
{
    char said[DL__WHY_BYTES];

    kernel_is(0, 0.01, 0.01, 0.01);
    world->kernels[0].never = true;
    kernel_is(1, 0.0001, 0.0001, 0.0001);
    run(30, 2);
    ck_assert_uint_eq(world->explored, 0);
    ck_assert(dl__say_group(world->policy.groups, said, sizeof said));
    ck_assert_msg(strstr(said, dl__why_text(DL__WHY_NOT_FASTER)), "%s", said);
}
END_TEST

/* What was never tried is not said to have been found slower. */
START_TEST(what_a_text_rules_out_is_said_of_the_text)
{
    char said[DL__WHY_BYTES];

    kernel_is(0, 0.004, 0.008, 0.008);
    world->kernels[0].never = true;
    run(100, 1);
    ck_assert_uint_eq(world->explored, 0);
    ck_assert(dl__say_group(world->policy.groups, said, sizeof said));
    ck_assert_msg(strstr(said, dl__why_text(DL__WHY_NOT_FASTER)), "%s", said);
}
END_TEST

/* Earlier runs gained much; in this one the host wants the buffer back at each step. */
START_TEST(what_loses_is_left_whatever_earlier_runs_gained)
{
    const double both_ways = 2 * world_move_seconds(DL__DA);

    kernel_is(0, both_ways, 0, 0.5 * both_ways);
    run(3000, 1);
    world_again(world);
    run(3000, 1);
    ck_assert_double_lt(world->now, 0.6 * world->native);
    world_again(world);
    for (unsigned s = 0; s < 1000; s++) {
        world_launch(world, 0, 0);
        world_touch(world, 0);
    }
    ck_assert_int_eq(world->buffers[0].lies, DL__NATIVE);
    ck_assert_double_le(world->now, (1 + 2 * DL__PROMISED_PART) * world->native +
                                        DL__PROMISED_SECONDS + 2 * both_ways);
}
END_TEST

/* One that was explored and lost is not said to be unexplored because another is. */
START_TEST(a_group_of_which_one_is_explored_says_so)
{
    char said[DL__WHY_BYTES];

    kernel_is(0, 0.004, 0.008, 0.008);
    kernel_is(1, 0.004, 0.001, 0.001);
    world->kernels[1].price = 1000;
    run(100, 2);
    ck_assert_uint_gt(world->explored, 0);
    check_why_of_first(DL__WHY_NONE_FASTER);
    ck_assert(dl__say_group(world->policy.groups, said, sizeof said));
    ck_assert_msg(strstr(said, dl__why_text(DL__WHY_OTHER_DEAR)), "%s", said);
}
END_TEST

/* Of four buffers, the host wants one as written at each step: it alone is brought back.
 */
START_TEST(what_the_host_wants_is_counted_by_its_buffers)
{
    const double both_ways = 2 * world_move_seconds(DL__DA);

    world->kernels[0].also = 14;
    kernel_is(0, 5 * both_ways, 0, 3 * both_ways);
    for (unsigned s = 0; s < 200; s++) {
        world_launch(world, 0, 0);
        world_touch(world, 2);
        world_touch(world, 2);
    }
    ck_assert_int_eq(world->buffers[0].lies, DL__DA);
    ck_assert_double_lt(world->now, 0.9 * world->native);
}
END_TEST

START_TEST(a_host_that_looks_by_parts_each_time_is_the_reason)
{
    struct dl__policy_buffer *buffer = &world->buffers[0];

    kernel_is(0, 0.004, 0.001, 0.001);
    for (unsigned s = 0; s < 500; s++) {
        world_launch(world, 0, 0);
        dl__policy_touched(&world->policy, buffer, buffer->bytes);
    }
    ck_assert_int_eq(buffer->lies, DL__NATIVE);
    check_why(DL__WHY_BETWEEN);
}
END_TEST

/* Each look takes more than a launch saves, though no conversion tells: back, once, and
 * later runs know. */
START_TEST(looks_by_parts_count_as_they_were_timed)
{
    const uint64_t bytes = 1 << 20;

    kernel_is(0, 0.004, 0.001, 0.001);
    for (int c = DL__NATIVE; c < DL__CANDIDATES; c++)
        world->look_seconds[c] = c == DL__NATIVE ? 0.002 : 0.006;
    for (unsigned r = 0; r < 5; r++) {
        for (unsigned s = 0; s < 500; s++) {
            world_launch(world, 0, 0);
            world_look(world, 0, bytes);
        }
        ck_assert_msg(world->conversions <= (r ? 0 : 2), "run %u: %u conversions", r + 1,
                      world->conversions);
        ck_assert_double_le(world->now - world->ledger.spent,
                            world->native + 2 * world_move_seconds(DL__DA) + 0.03);
        check_why(DL__WHY_BETWEEN);
        world_again(world);
    }
}
END_TEST

/* A look is timed now and then: until it was, both in the layout and as written, what it
 * takes is guessed, which is said. */
START_TEST(what_looks_take_is_said_to_be_estimated)
{
    const struct dl__policy_ask *ask = &world->kernels[0].asks[0];
    char said[DL__WHY_BYTES];

    kernel_is(0, 0.004, 0.001, 0.001);
    run(200, 1);
    ck_assert_int_ne(world->buffers[0].lies, DL__NATIVE);
    dl__policy_touched(&world->policy, &world->buffers[0], 1 << 20);
    run(1, 1);
    ck_assert(dl__say_group(ask->group, said, sizeof said));
    ck_assert_msg(strstr(said, " ms more than as written (estimated)"), "%s", said);
    world_end(world);
    world_begin(world);
    kernel_is(0, 0.004, 0.001, 0.001);
    for (int c = DL__NATIVE; c < DL__CANDIDATES; c++)
        world->look_seconds[c] = c == DL__NATIVE ? 0.0001 : 0.0002;
    for (unsigned s = 0; s < 500; s++) {
        world_launch(world, 0, 0);
        world_look(world, 0, 1 << 20);
    }
    ck_assert_int_ne(world->buffers[0].lies, DL__NATIVE);
    ck_assert(dl__say_group(ask->group, said, sizeof said));
    ck_assert_msg(strstr(said, " ms more than as written") && !strstr(said, "estimated"),
                  "%s", said);
}
END_TEST

/* Looks that take next to nothing do so five times as long: a layout that is kept
 * although the host wants all of the buffer some times is kept still. */
START_TEST(small_looks_that_take_longer_change_nothing)
{
    kernel_is(0, 0.004, 0.001, 0.001);
    for (int c = DL__NATIVE; c < DL__CANDIDATES; c++)
        world->look_seconds[c] = c == DL__NATIVE ? 1e-6 : 20e-6;
    for (unsigned r = 0; r < 2; r++) {
        for (unsigned s = 0; s < 500; s++) {
            world_launch(world, 0, 0);
            world_look(world, 0, 64);
            if (r > 0 && s > 0 && s < 12)
                world_touch(world, 0);
        }
        ck_assert_int_ne(world->buffers[0].lies, DL__NATIVE);
        ck_assert_uint_eq(world->decisions, 1);
        world_again(world);
        for (int c = DL__NATIVE + 1; c < DL__CANDIDATES; c++)
            world->look_seconds[c] = 100e-6;
    }
}
END_TEST

/* The command as written takes nearly as long: that is no loss. */
START_TEST(looks_by_parts_count_beside_those_as_written)
{
    kernel_is(0, 0.004, 0.001, 0.001);
    for (int c = DL__NATIVE; c < DL__CANDIDATES; c++)
        world->look_seconds[c] = c == DL__NATIVE ? 0.005 : 0.006;
    for (unsigned r = 0; r < 3; r++) {
        for (unsigned s = 0; s < 500; s++) {
            world_launch(world, 0, 0);
            world_look(world, 0, 1 << 20);
        }
        ck_assert_int_ne(world->buffers[0].lies, DL__NATIVE);
        world_again(world);
    }
}
END_TEST

START_TEST(a_host_that_looks_each_time_counts)
{
    char times[64];

    kernel_is(0, 0.004, 0.001, 0.001);
    for (unsigned s = 0; s < 500; s++) {
        world_launch(world, 0, 0);
        world_touch(world, 0);
    }
    ck_assert_uint_eq(world->conversions, 0);
    check_why(DL__WHY_BETWEEN);
    snprintf(times, sizeof times, ": %.1f times as much, as written 4.000 ms",
             2 * world_move_seconds(DL__ASTA) / 0.003);
    check_says(times, DL__NATIVE);
    /* It stops looking. */
    run(500, 1);
    ck_assert_int_ne(world->buffers[0].lies, DL__NATIVE);
    /* And begins again: back, and it stays so. */
    world->conversions = 0;
    for (unsigned s = 0; s < 500; s++) {
        world_launch(world, 0, 0);
        world_touch(world, 0);
    }
    ck_assert_uint_lt(world->conversions, 40);
    ck_assert_int_eq(world->buffers[0].lies, DL__NATIVE);
}
END_TEST

/* In tiles it would have been converted for each launch: a run as written must show that,
 * too, or each other run would try again. */
START_TEST(a_host_that_overwrites_each_time_counts_as_written_too)
{
    kernel_is(0, 0.004, 0.001, 0.001);
    for (unsigned r = 0; r < 6; r++) {
        world->conversions = 0;
        for (unsigned s = 0; s < 500; s++) {
            world_launch(world, 0, 0);
            world_overwrite(world, 0);
        }
        ck_assert_msg(world->conversions == 0, "run %u: %u", r + 1, world->conversions);
        world_again(world);
    }
}
END_TEST

/* A kernel that is launched once a run, as written, says nothing of the launches to come.
 */
START_TEST(what_ran_once_brings_nothing_back_later)
{
    kernel_is(0, 3.25e-3, 1.41e-3, 0.69e-3);
    kernel_is(1, 1.68e-3, 0.68e-3, 0);
    kernel_is(2, 0.40e-3, 0.17e-3, 0.36e-3);
    for (unsigned r = 0; r < 5; r++) {
        world_launch(world, 0, 0);
        world_launch(world, 1, 0);
        world_launch(world, 2, 0);
        for (unsigned s = 1; s < 41; s++) {
            world_launch(world, 0, 0);
            world_launch(world, 2, 0);
        }
        ck_assert_int_eq(world->buffers[0].lies, DL__DA);
        ck_assert_msg(r < 2 || world->conversions <= 3, "run %u: %u", r,
                      world->conversions);
        world_again(world);
    }
}
END_TEST

/* What may be spent is not enough yet for a kernel that takes nearly all of the time: it
 * is not spent for a rare one of another group meanwhile, which is explored later. */
START_TEST(what_little_hangs_on_is_explored_later)
{
    const struct dl__policy_row *long_one, *rare;
    unsigned s = 0;

    kernel_is(0, 25.7e-3, 24.5e-3, 5.4e-3);
    kernel_is(1, 1.8e-3, 0.9e-3, 0.9e-3);
    for (; s < 200; s++) {
        world_launch(world, 0, 0);
        long_one = world->kernels[0].kernel->rows;
        if (long_one->of[DL__DA].state != DL__UNTRIED)
            break;
        if (s >= 20 && s % 4 == 3)
            world_launch(world, 1, 1);
    }
    rare = world->kernels[1].kernel->rows;
    ck_assert_uint_lt(s, 200);
    ck_assert_uint_gt(s, 28);
    ck_assert_int_eq(rare->of[DL__ASTA].state, DL__UNTRIED);
    for (; s < 200; s++) {
        world_launch(world, 0, 0);
        world_launch(world, 1, 1);
    }
    ck_assert_int_eq(rare->of[DL__ASTA].state, DL__MAY_RUN);
    ck_assert_double_le(world->worst, 0);
}
END_TEST

/* A run that stayed as written has seen how often the host wants the buffers: in the next
 * one these looks are expected, though there were few lately; but not once they are over.
 */
START_TEST(looks_of_a_run_as_written_are_expected_again)
{
    for (int over = 0; over < 2; over++) {
        kernel_is(0, 0.001, 0.0005, 0);
        world->kernels[0].price = 1000;
        for (unsigned r = 0; r < 2; r++) {
            for (unsigned s = 0; s < 320; s++) {
                world_launch(world, 0, 0);
                if (over ? s < 40 : s % 16 >= 12)
                    world_touch(world, 0);
            }
            ck_assert_uint_eq(world->conversions, r && over ? 1 : 0);
            world_again(world);
            world->kernels[0].price = 0;
        }
        world_end(world);
        world_begin(world);
    }
}
END_TEST

/* What pays even in the shortest run is bought at the first launch behind those that only
 * put right what the kernels take as written, without exploring anything again. What the
 * first run has left out, since the text promises no more of it than of what gained, is
 * explored in the second. */
START_TEST(the_next_run_begins_with_what_is_known)
{
    kernel_is(0, 0.004, 0.001, 0.0005);
    kernel_is(1, 0.004, 0.001, 0.0005);
    run(500, 2);
    ck_assert_int_eq(world->buffers[0].lies, DL__ASTA);
    world_again(world);
    run(500, 2);
    ck_assert_uint_gt(world->explored, 0);
    ck_assert_int_eq(world->buffers[0].lies, DL__DA);
    world_again(world);
    run(1, 2);
    ck_assert_int_eq(world->buffers[0].lies, DL__NATIVE);
    world_launch(world, 0, 0);
    ck_assert_int_ne(world->buffers[0].lies, DL__NATIVE);
    run(500, 2);
    ck_assert_uint_eq(world->explored, 0);
    ck_assert_uint_eq(world->conversions, 1);
    ck_assert_double_lt(world->now, 0.28 * world->native);
    world_again(world);
    run(1, 2);
    world_again(world);
    /* As short as that, it may be again. */
    run(1, 2);
    ck_assert_uint_eq(world->conversions, 0);
}
END_TEST

/* Where exploring costs little, a known gain waits for it, so that the buffers are
 * converted once. */
START_TEST(what_is_explored_at_once_is_known_before_a_decision)
{
    kernel_is(0, 0.0004, 0.0001, 0);
    kernel_is(1, 0.0004, 0.0001, 0);
    run(2000, 2);
    ck_assert_int_eq(world->buffers[0].lies, DL__ASTA);
    world_again(world);
    kernel_is(0, 0.0004, 0.0001, 0.00005);
    kernel_is(1, 0.0004, 0.0001, 0.00005);
    run(2000, 2);
    ck_assert_uint_gt(world->explored, 0);
    ck_assert_int_eq(world->buffers[0].lies, DL__DA);
    ck_assert_uint_eq(world->conversions, 1);
}
END_TEST

/* As written it would have the buffers brought back at each launch. */
START_TEST(what_others_gain_by_is_explored_whatever_the_text_says)
{
    kernel_is(0, 0.004, 0.001, 0.0008);
    kernel_is(1, 0.004, 0.0035, 0.0034);
    world->kernels[1].never = true;
    run(500, 2);
    ck_assert_uint_eq(world->conversions, 1);
    ck_assert_double_lt(world->now, 0.7 * world->native);
    /* By itself it is not. */
    world_end(world);
    world_begin(world);
    kernel_is(0, 0.004, 0.001, 0.0008);
    world->kernels[0].never = true;
    run(500, 1);
    ck_assert_uint_eq(world->explored, 0);
}
END_TEST

/* Conversions that took fifty times as long as expected take that when the next kernel is
 * explored with them. */
START_TEST(what_conversions_take_is_part_of_the_price)
{
    for (int whole = 0; whole < 2; whole++) {
        world_end(world);
        world_begin(world);
        dl__samples_add(&world->policy.moves[DL__DA], 50, 1);
        kernel_is(0, 0.004, 0, 0.001);
        world->kernels[0].whole = whole;
        run(20, 1);
        ck_assert_uint_eq(world->explored, !whole);
    }
}
END_TEST

/* Where the text expects a loss without being sure, it is explored when its launches have
 * taken longer than that does. */
START_TEST(an_expected_loss_is_explored_where_that_is_worth_it)
{
    kernel_is(0, 0.004, 0, 0.001);
    world->kernels[0].loss = true;
    world->kernels[0].price = 0.02;
    run(10, 1);
    ck_assert_uint_eq(world->explored, 0);
    run(500, 1);
    ck_assert_uint_eq(world->explored, 1);
    ck_assert_int_eq(world->buffers[0].lies, DL__DA);
}
END_TEST

/* Until then one more run has nothing to explore. */
START_TEST(an_expected_loss_is_not_said_to_be_explored_soon)
{
    kernel_is(0, 0.004, 0, 0.001);
    world->kernels[0].loss = true;
    world->kernels[0].price = 1;
    run(40, 1);
    ck_assert_uint_eq(world->explored, 0);
    check_why_of_first(DL__WHY_NOT_FASTER);
    /* Nor in a run that is longer by some number of seconds, which only an exploring that
     * is worth waiting for has. */
    for (unsigned steps = 8; steps <= 20; steps += 12) {
        world_end(world);
        world_begin(world);
        kernel_is(0, 0.1, 0, 0.1);
        world->kernels[0].price = 0.05;
        run(steps, 1);
        ck_assert_uint_eq(world->explored, 0);
        check_why(DL__WHY_NOT_FASTER);
    }
}
END_TEST

/* As a launch is described, before it counts. */
static void check_why_of_last(enum dl__why why)
{
    world->kernels[0].asks[0].row->launches--;
    check_why_of_first(why);
    world->kernels[0].asks[0].row->launches++;
}

/* What is launched once in each run is explored in none: no number of them helps. What
 * is launched more often may be, in a longer one. */
START_TEST(advice_that_was_followed_ends)
{
    static const enum dl__why once[] = {DL__WHY_UNEXPLORED, DL__WHY_ONCE, DL__WHY_ONCE},
                              twice[] = {DL__WHY_UNEXPLORED, DL__WHY_UNEXPLORED,
                                         DL__WHY_UNEXPLORED_AGAIN};

    kernel_is(0, 1.5, 0, 0.5);
    for (int r = 0; r < 3; r++) {
        run(1, 1);
        check_why_of_last(once[r]);
        world_again(world);
    }
    world_end(world);
    world_begin(world);
    world->kernels[0].unread = true;
    for (int r = 0; r < 3; r++) {
        run(2, 1);
        check_why_of_last(twice[r]);
        world_again(world);
    }
    run(3, 1);
    check_why_of_last(DL__WHY_UNEXPLORED);
}
END_TEST

/* What launches of this run have shown instead of what an earlier one has is this run's.
 */
START_TEST(a_time_that_was_put_right_is_not_an_earlier_run_s)
{
    struct dl__policy_ask *ask = &world->kernels[0].asks[0];

    kernel_is(0, 0.004, 0, 0.0035);
    run(6, 1);
    world_again(world);
    run(1, 1);
    check_says(", DA 3.500 ms in an earlier run", DL__DA);
    for (int l = 0; l < 2; l++) {
        const struct dl__policy_ticket ticket = dl__policy_launched(ask, DL__DA);

        dl__policy_measured(&world->policy, &ticket, 0.01);
    }
    check_says(", DA 10.000 ms", DL__DA);
    ck_assert(!dl__row_is_earlier(ask->row, DL__DA));
}
END_TEST

/* A group that no kernel gains in says what its kernels say, however few launches it has.
 */
START_TEST(a_group_that_lost_is_not_said_to_be_worth_nothing_yet)
{
    kernel_is(0, 0.004, 0, 0.008);
    run(8, 1);
    ck_assert_uint_eq(world->explored, 1);
    check_why(DL__WHY_NONE_FASTER);
    /* Nor to wait for a kernel whose text expects a loss. */
    world_end(world);
    world_begin(world);
    kernel_is(1, 0.1, 0, 0.1);
    world->kernels[1].loss = true;
    world->kernels[1].price = 0.05;
    kernel_is(2, 0.004, 0, 0.001);
    world->kernels[2].unread = true;
    run(20, 3);
    ck_assert_uint_eq(world->explored, 1);
    ck_assert_double_gt(world->policy.groups->waits_price, 0);
    check_why(DL__WHY_NONE_FASTER);
}
END_TEST

/* Times as written that a busy machine gave keep nothing in a layout that gains nothing:
 * comparing tells them anew. */
START_TEST(a_time_as_written_that_was_wrong_is_put_right)
{
    struct dl__policy_ask *ask = &world->kernels[0].asks[0];

    kernel_is(0, 0.010, 0.003, 0);
    run(500, 1);
    ck_assert_int_eq(world->buffers[0].lies, DL__ASTA);
    world_again(world);
    run(2, 1);
    ck_assert_int_eq(world->buffers[0].lies, DL__ASTA);
    kernel_is(0, 0.001, 0.003, 0);
    /* Single launches as written are believed no more than before. */
    dl__samples_add(&ask->row->of[DL__NATIVE].samples, 0.010, ask->work);
    dl__policy_compared(&world->policy, ask, DL__ASTA, 0.003, 0.0009);
    run(2, 1);
    ck_assert_int_eq(world->buffers[0].lies, DL__NATIVE);
    world_again(world);
    run(100, 1);
    ck_assert_uint_eq(world->conversions, 0);
}
END_TEST

/* Timing a launch takes as long as several short ones. */
START_TEST(of_short_launches_few_are_timed)
{
    unsigned before;

    kernel_is(0, 4e-6, 4e-6, 4e-6);
    run(2000, 1);
    before = world->sampled;
    run(100000, 1);
    ck_assert_uint_le(world->sampled - before, 30);
    ck_assert_uint_ge(world->sampled - before, 20);
}
END_TEST

START_TEST(of_long_launches_one_in_256_is_timed)
{
    unsigned before;

    kernel_is(0, 1e-3, 1e-3, 1e-3);
    run(2000, 1);
    before = world->sampled;
    run(2560, 1);
    ck_assert_uint_ge(world->sampled - before, 10);
}
END_TEST

/* The run after the first puts a busy one right. After it, a launch as written that takes
 * more than a fiftieth of a run is not made for that. */
START_TEST(the_third_run_begins_in_its_layout)
{
    kernel_is(0, 0.010, 0.003, 0);
    run(60, 1);
    world_again(world);
    run(1, 1);
    ck_assert_int_eq(world->buffers[0].lies, DL__NATIVE);
    run(59, 1);
    ck_assert_int_eq(world->buffers[0].lies, DL__ASTA);
    world_again(world);
    run(1, 1);
    ck_assert_int_eq(world->buffers[0].lies, DL__ASTA);
}
END_TEST

/* A run that was too short to gain anything has found out what to do. */
START_TEST(what_would_have_been_best_is_remembered)
{
    kernel_is(0, 0.004, 0.001, 0.001);
    run(6, 1);
    ck_assert_uint_gt(world->explored, 0);
    world_again(world);
    run(6, 1);
    ck_assert_uint_eq(world->conversions, 1);
    ck_assert_double_lt(world->now, world->native);
}
END_TEST

START_TEST(what_is_slower_than_promised_goes_back_once)
{
    int launches = 0;

    kernel_is(0, 0.004, 0.001, 0);
    world->kernels[0].real[DL__ASTA] = 0.006;
    for (int l = 0; l < 100 && world->conversions < 2;
         l++, launches += world->conversions == 1)
        run(1, 1);
    /* Two of them are enough, long before they have lost what conversions take. */
    ck_assert_int_le(launches, 3);
    ck_assert_msg(strstr(world->said, "takes longer there than on copies") &&
                      !strstr(world->said, " 0 of "),
                  "%s", world->said);
    run(500, 1);
    ck_assert_uint_eq(world->conversions, 2);
    ck_assert_int_eq(world->buffers[0].lies, DL__NATIVE);
    world_again(world);
    run(500, 1);
    ck_assert_uint_eq(world->explored, 0);
    ck_assert_uint_eq(world->conversions, 0);
}
END_TEST

/* A later run on a busy machine: what hundreds of launches took counts more than what a
 * few do; but what takes longer from now on is left, and after some runs not begun with.
 */
START_TEST(a_few_slow_launches_do_not_outweigh_many)
{
    double *real = &world->kernels[0].real[DL__DA];
    int runs;

    kernel_is(0, 0.034, 0, 0.020);
    run(300, 1);
    ck_assert_int_eq(world->buffers[0].lies, DL__DA);
    world_again(world);
    *real = 0.041;
    run(3, 1);
    *real = 0;
    run(97, 1);
    ck_assert_uint_eq(world->conversions, 1);
    ck_assert_int_eq(world->buffers[0].lies, DL__DA);
    world_again(world);
    *real = 0.041;
    run(7, 1);
    ck_assert_uint_eq(world->conversions, 2);
    ck_assert_int_eq(world->buffers[0].lies, DL__NATIVE);
    run(93, 1);
    ck_assert_uint_eq(world->conversions, 2);
    world_again(world);
    *real = 0;
    run(300, 1);
    ck_assert_uint_eq(world->conversions, 1);
    ck_assert_int_eq(world->buffers[0].lies, DL__DA);
    /* All of it is slower, yet faster than as written: one such run is not believed. */
    world_again(world);
    *real = 0.032;
    run(300, 1);
    ck_assert_int_eq(world->buffers[0].lies, DL__DA);
    kernel_is(0, 0.025, 0, 0.020);
    world_again(world);
    *real = 0;
    run(100, 1);
    ck_assert_uint_eq(world->conversions, 1);
    ck_assert_int_eq(world->buffers[0].lies, DL__DA);
    *real = 0.041;
    for (runs = 0; runs < 6 && world->conversions > 0; runs++) {
        world_again(world);
        run(100, 1);
        ck_assert_uint_le(world->conversions, 2);
    }
    ck_assert_uint_eq(world->conversions, 0);
}
END_TEST

/* What a part needs is there before the conversions are: it is explored meanwhile,
 * launches are held back as before, and the first one runs on it that can. */
START_TEST(what_can_not_run_yet_is_explored)
{
    char said[DL__WHY_BYTES];

    kernel_is(0, 0.004, 0.001, 0.001);
    world->kernels[0].unbuilt = true;
    run(500, 1);
    ck_assert_uint_gt(world->explored, 0);
    ck_assert_uint_eq(world->conversions, 0);
    dl__say_why(&world->kernels[0].asks[0], DL__NATIVE, said, sizeof said);
    ck_assert_msg(strstr(said, "the conversion of its buffers") == said, "%s", said);
    world->kernels[0].asks[0].explorable = 0; /* as where its own text is missing, too */
    dl__say_why(&world->kernels[0].asks[0], DL__NATIVE, said, sizeof said);
    ck_assert_msg(strstr(said, "its rewritten version") == said, "%s", said);
    ck_assert(world->held);
    world->kernels[0].unbuilt = false;
    run(1, 1);
    ck_assert_uint_eq(world->conversions, 1);
}
END_TEST

/* How many parts of a kernel's launches have changed nothing is known to later runs,
 * until one tells something. */
START_TEST(parts_that_change_nothing_are_counted_over_runs)
{
    unsigned most;

    kernel_is(0, 0.004, 0.001, 0.001);
    world->kernels[0].still = true;
    run(10, 1);
    ck_assert_uint_gt(world->explored, 0);
    most = world->explored;
    ck_assert_uint_eq(world->kernels[0].kernel->unchanged, most);
    world_again(world);
    ck_assert_uint_eq(world->kernels[0].kernel->unchanged, most);
    run(10, 1);
    ck_assert_uint_gt(world->kernels[0].kernel->unchanged, most);
    world_again(world);
    world->kernels[0].still = false;
    run(10, 1);
    ck_assert_uint_eq(world->kernels[0].kernel->unchanged, 0);
}
END_TEST

/* One that is launched once in a hundred steps does not hold up the decision. */
/* Its launches are over before anything of it matters, but as written each takes the
 * group's conversions. */
START_TEST(a_short_kernel_goes_where_its_group_lies)
{
    kernel_is(0, 0.004, 0.001, 0);
    kernel_is(1, 7e-6, 8e-6, 0);
    run(500, 2);
    ck_assert_uint_eq(world->conversions, 1);
    world_again(world);
    run(100, 2);
    ck_assert_uint_eq(world->conversions, 1);
    ck_assert_double_lt(world->now, 0.3 * world->native);
}
END_TEST

/* That a layout did not pay while a kernel was not explored says nothing of a run in
 * which that is. */
START_TEST(what_was_not_explored_is_not_remembered_against_a_layout)
{
    kernel_is(0, 0.004, 0.001, 0);
    kernel_is(1, 7e-6, 8e-6, 0);
    world->kernels[1].price = 1000;
    run(500, 2);
    ck_assert_uint_eq(world->conversions, 0);
    world->kernels[1].price = 0;
    world_again(world);
    run(500, 2);
    ck_assert_uint_eq(world->conversions, 1);
}
END_TEST

/* As a lattice's cells whose averages are summed by a kernel that must run as written:
 * arrays are a little faster, but take three times as long to convert. */
static void make_lattice(void)
{
    kernel_is(0, 9e-6, 12e-6, 8.5e-6);
    kernel_is(1, 371e-6, 108e-6, 106e-6);
    kernel_is(2, 22e-6, 26e-6, 27e-6);
    kernel_is(3, 354e-6, 87e-6, 86e-6);
    kernel_is(4, 90e-6, 85e-6, 85e-6);
    world->kernels[4].differs = true;
}

/* With a second buffer, which stays where it is. */
static void make_lattice_of_two(void)
{
    make_lattice();
    for (unsigned k = 1; k < 4; k++)
        world->kernels[k].also = 1 << 1;
}

/* The next run, of which the last said that arrays are best. */
static void again_with_arrays(void)
{
    world_again(world);
    for (unsigned k = 0; k < 4; k++)
        for (struct dl__policy_row *row = world->kernels[k].kernel->rows; row;
             row = row->next) {
            row->best = DL__DA;
            row->returns = 0;
        }
}

START_TEST(a_layout_that_is_brought_back_at_each_step_is_chosen_by_that)
{
    char said[DL__WHY_BYTES];

    make_lattice();
    world->move_seconds[DL__ASTA] = 130e-6;
    world->move_seconds[DL__DA] = 430e-6;
    run(3000, 5);
    dl__say_why(&world->kernels[4].asks[0], DL__NATIVE, said, sizeof said);
    ck_assert_int_eq(dl__why_find(said), DL__WHY_OTHER_BYTES);
    for (int r = 0; r < 3; r++) {
        world_again(world);
        run(3000, 5);
        ck_assert_int_eq(world->policy.groups->first, DL__ASTA);
        ck_assert_uint_gt(world->conversions, 5000);
        ck_assert_double_lt(world->now, 0.75 * world->native);
    }
}
END_TEST

/* A first run that others kept busy measured three times too much: later ones find out.
 */
START_TEST(a_busy_run_is_put_right_by_the_next)
{
    kernel_is(0, 6.9e-3, 0, 2.18e-3);
    run(200, 1);
    ck_assert_int_eq(world->buffers[0].lies, DL__DA);
    kernel_is(0, 2.0e-3, 0, 2.18e-3);
    for (int r = 0; r < 3; r++) {
        world_again(world);
        run(200, 1);
        ck_assert_int_eq(world->buffers[0].lies, DL__NATIVE);
        ck_assert_double_le(world->now, 1.02 * world->native + 0.02);
    }
}
END_TEST

/* The same where that is a good part of a run: it is timed all the same. */
START_TEST(a_busy_run_is_put_right_by_a_short_one)
{
    kernel_is(0, 26e-3, 0, 2.18e-3);
    run(60, 1);
    ck_assert_int_eq(world->buffers[0].lies, DL__DA);
    for (int r = 0; r < 3; r++) {
        kernel_is(0, 2.0e-3, 0, 2.18e-3);
        world_again(world);
        run(60, 1);
        ck_assert_int_eq(world->buffers[0].lies, DL__NATIVE);
        ck_assert_double_le(world->now, 1.02 * world->native + 0.02);
    }
}
END_TEST

/* Copies on a busy machine showed a loss that is none: a later run tries again, a few
 * times at most, and within what a group may take that has been decided. */
START_TEST(what_lost_in_one_run_is_tried_again)
{
    kernel_is(0, 0.004, 0.008, 0.008);
    run(500, 1);
    ck_assert_uint_gt(world->explored, 0);
    ck_assert_uint_eq(world->conversions, 0);
    world_again(world);
    kernel_is(0, 0.004, 0.001, 0.001);
    run(500, 1);
    ck_assert_double_le(world->ledger.spent, 0.02 + 0.02 * world->native);
    world_again(world);
    run(500, 1);
    ck_assert_double_lt(world->now, 0.5 * world->native);
}
END_TEST

START_TEST(what_loses_in_three_runs_is_tried_no_more)
{
    kernel_is(0, 0.004, 0.008, 0);
    for (int r = 1; r <= 6; r++) {
        run(500, 1);
        ck_assert_msg((world->explored > 0) == (r <= 3), "run %d", r);
        ck_assert_uint_eq(world->conversions, 0);
        world_again(world);
    }
}
END_TEST

/* One busy run that was as written changes nothing about what others have measured; all
 * from some time on are believed. */
START_TEST(a_busy_run_as_written_is_not_remembered)
{
    const struct dl__policy_row *row;

    kernel_is(0, 0.002, 0, 0.003);
    run(200, 1);
    for (int busy = 1; busy <= 4; busy++) {
        world_again(world);
        kernel_is(0, 0.006, 0, 0.009);
        run(200, 1);
        world_again(world);
        run(0, 1);
        row = world->kernels[0].kernel->rows;
        if (busy == 1)
            ck_assert_double_eq_tol(dl__row_seconds(row, DL__NATIVE, 1 << 20), 0.002,
                                    1e-6);
    }
    ck_assert_double_eq_tol(dl__row_seconds(row, DL__NATIVE, 1 << 20), 0.006, 1e-6);
    /* A faster one counts at once. */
    kernel_is(0, 0.002, 0, 0.003);
    run(200, 1);
    world_again(world);
    row = world->kernels[0].kernel->rows;
    ck_assert_double_eq_tol(dl__row_seconds(row, DL__NATIVE, 1 << 20), 0.002, 1e-6);
}
END_TEST

/* What a text says of a kernel as written can be wrong by several times: nothing is
 * converted for it, in whichever run. */
START_TEST(nothing_goes_by_what_a_text_says_alone)
{
    kernel_is(0, 270e-6, 315e-6, 307e-6);
    world->kernels[0].untold = true;
    world->kernels[0].text = 3;
    world->move_seconds[DL__ASTA] = world->move_seconds[DL__DA] = 310e-6;
    for (int r = 0; r < 3; r++) {
        run(2000, 1);
        ck_assert_uint_eq(world->conversions, 0);
        ck_assert_double_le(world->worst, 0);
        world_again(world);
    }
}
END_TEST

/* That the last run was in arrays speaks for these against going back, not against tiles,
 * once all kernels have been launched. */
START_TEST(a_layout_is_left_for_one_that_is_cheaper_to_bring_back)
{
    make_lattice();
    world->move_seconds[DL__ASTA] = 130e-6;
    world->move_seconds[DL__DA] = 430e-6;
    run(3000, 5);
    again_with_arrays();
    run(3000, 5);
    ck_assert_int_eq(world->policy.groups->first, DL__DA);
    ck_assert_int_eq(world->policy.groups->current, DL__ASTA);
    ck_assert_double_lt(world->now, 0.9 * world->native);
}
END_TEST

/* A layout in which nothing can run is not gone to, however much the present one loses.
 */
START_TEST(nothing_goes_where_nothing_runs)
{
    make_lattice();
    for (unsigned k = 0; k < 5; k++)
        world->kernels[k].seconds[DL__ASTA] = 0;
    world->move_seconds[DL__DA] = 430e-6;
    run(3000, 5);
    again_with_arrays();
    run(3000, 5);
    ck_assert_int_eq(world->policy.groups->first, DL__DA);
    ck_assert_int_eq(world->policy.groups->current, DL__NATIVE);
}
END_TEST

/* Of two buffers one is brought back at each step: the other's conversions, as long
 * again, are not what that takes. */
START_TEST(a_return_takes_what_its_own_buffers_take)
{
    make_lattice_of_two();
    world->move_seconds[DL__ASTA] = 138e-6;
    world->move_seconds[DL__DA] = 218e-6;
    run(3000, 5);
    ck_assert_int_eq(world->policy.groups->first, DL__ASTA);
    ck_assert_double_lt(world->now, 0.75 * world->native);
}
END_TEST

/* The same with a second buffer, which stays where it is meanwhile. A device's caches
 * hold the copies, so that conversions of these promise too much: what they take between
 * launches is found out, in the first run. */
START_TEST(what_conversions_take_between_launches_counts)
{
    make_lattice_of_two();
    world->move_seconds[DL__ASTA] = 78e-6;
    world->move_seconds[DL__DA] = 218e-6;
    world->copy_seconds[DL__DA] = 40e-6;
    run(3000, 5);
    ck_assert_int_eq(world->policy.groups->first, DL__DA);
    ck_assert_double_lt(world->now, 0.65 * world->native);
    world_again(world);
    run(3000, 5);
    ck_assert_int_eq(world->policy.groups->first, DL__ASTA);
    ck_assert_double_lt(world->now, 0.6 * world->native);
}
END_TEST

/* Tiles take half of what arrays take to convert, but four times as much by the kernels
 * for any shape, by which the first run converts while it explores. */
START_TEST(kernels_for_any_shape_are_not_the_price)
{
    make_lattice_of_two();
    for (unsigned k = 0; k < 5; k++)
        for (enum dl__candidate_id c = 0; c < DL__CANDIDATES; c++)
            world->kernels[k].seconds[c] *= 35;
    world->any_shape[DL__ASTA] = 4;
    world->built_at = 4;
    for (int r = 0; r < 3; r++) {
        run(500, 5);
        ck_assert_uint_gt(world->conversions, 0);
        ck_assert_int_eq(world->policy.groups->current, DL__ASTA);
        ck_assert_double_lt(world->now, (r == 0 ? 0.9 : 0.65) * world->native);
        world_again(world);
        world->built_at = 0;
    }
}
END_TEST

/* What a kernel takes as written is known once it was explored, though it runs nowhere
 * else. */
START_TEST(what_must_run_as_written_has_its_time)
{
    struct dl__policy_ask *ask = &world->kernels[0].asks[0];
    const struct dl__finding finding = {DL__ASTA, DL__AS_WRITTEN,
                                        .native_seconds = 0.004};

    kernel_is(0, 0.004, 0.001, 0);
    world->kernels[0].price = 1000;
    world->kernels[0].untold = true;
    run(1, 1);
    ck_assert_double_eq(dl__row_seconds(ask->row, DL__NATIVE, ask->work), 0);
    dl__policy_explored(&world->policy, ask, &finding, 1, 0);
    ck_assert_double_eq(dl__row_seconds(ask->row, DL__NATIVE, ask->work), 0.004);
}
END_TEST

START_TEST(a_rare_kernel_does_not_matter)
{
    kernel_is(0, 0.004, 0.001, 0.001);
    kernel_is(1, 0.004, 0.001, 0.001);
    world->kernels[1].seconds[DL__DA] = 0;
    for (unsigned s = 0; s < 1000; s++) {
        world_launch(world, 0, 0);
        if (s % 100 == 0)
            world_launch(world, 1, 0);
    }
    ck_assert_double_lt(world->now, 0.4 * world->native);
}
END_TEST

/* The host takes longer for a rewritten launch than a kernel of a microsecond can gain.
 */
START_TEST(a_gain_below_what_the_host_takes_is_none)
{
    kernel_is(0, 1.1e-6, 0.7e-6, 0.7e-6);
    for (unsigned s = 0; s < 100; s++)
        run(1000, 1);
    ck_assert_uint_eq(world->conversions, 0);
    world_end(world);
    world_begin(world);
    kernel_is(0, 1.7e-6, 0.7e-6, 0.7e-6);
    for (unsigned s = 0; s < 100; s++)
        run(1000, 1);
    ck_assert_uint_gt(world->explored, 0);
    ck_assert_uint_eq(world->conversions, 0);
    world_end(world);
    world_begin(world);
    kernel_is(0, 11e-6, 7e-6, 7e-6);
    for (unsigned s = 0; s < 100; s++)
        run(1000, 1);
    ck_assert_uint_eq(world->conversions, 1);
}
END_TEST

/* Times of short launches are not as good as that. */
START_TEST(a_gain_of_less_than_a_microsecond_is_none)
{
    kernel_is(0, 4e-6, 2.7e-6, 0);
    run(200000, 1);
    ck_assert_uint_gt(world->explored, 0);
    ck_assert_uint_eq(world->conversions, 0);
    world_again(world);
    run(200000, 1);
    ck_assert_uint_eq(world->conversions, 0);
}
END_TEST

/* Two launches in three are disturbed, the one that is explored may be among them. */
START_TEST(noise_of_short_launches_is_no_gain)
{
    for (unsigned s = 0; s < 200000; s++) {
        kernel_is(0, s % 3 ? 12e-6 : 3e-6, 2.8e-6, 0);
        world_launch(world, 0, 0);
    }
    ck_assert_uint_gt(world->explored, 0);
    ck_assert_uint_eq(world->conversions, 0);
}
END_TEST

/* What is launched without being decided counts as what is decided, and ends with
 * anything that is new. */
START_TEST(launches_that_are_not_decided_count)
{
    const struct dl__policy_ask *ask = &world->kernels[0].asks[0];
    const struct dl__policy_group *group;
    const struct dl__member *members;

    kernel_is(0, 0.004, 0.001, 0.001);
    kernel_is(1, 0.004, 0.001, 0.001);
    run(300, 2);
    group = world->buffers[0].group;
    members = group->members;
    ck_assert_uint_eq(group->launches, 600);
    ck_assert_uint_eq(ask->row->launches, 300);
    ck_assert_double_eq(members[0].ever.launches, 300);
    ck_assert_double_eq(members[0].ever.turns + members[1].ever.turns, 599);
    /* Only the first of these comes behind another's. */
    for (unsigned s = 0; s < 300; s++)
        world_launch(world, 0, 0);
    ck_assert_double_eq(members[0].ever.turns + members[1].ever.turns, 600);
    while (!dl__policy_again(&world->policy, &world->kernels[0].asks[0]))
        world_launch(world, 0, 0);
    world_touch(world, 0);
    ck_assert(!dl__policy_again(&world->policy, &world->kernels[0].asks[0]));
}
END_TEST

/* A program that releases its buffers leaves the same behind: what conversions would have
 * taken is not forgotten with the buffers. */
START_TEST(released_buffers_have_had_their_price)
{
    make_lattice_of_two();
    world->move_seconds[DL__ASTA] = 78e-6;
    world->move_seconds[DL__DA] = 218e-6;
    world->releases = true;
    for (int r = 0; r < 3; r++) {
        run(3000, 5);
        if (r > 0) {
            ck_assert_int_eq(world->policy.groups->first, DL__ASTA);
            ck_assert_double_lt(world->now, 0.6 * world->native);
        }
        world_again(world);
        ck_assert_int_eq(world->kernels[1].kernel->rows->best, DL__ASTA);
    }
}
END_TEST

START_TEST(buffers_that_end_leave_nothing)
{
    kernel_is(0, 0.004, 0.001, 0.001);
    for (unsigned r = 0; r < 3; r++) {
        run(100, 1);
        dl__policy_buffer_end(&world->policy, &world->buffers[0]);
        world->buffers[0] = (struct dl__policy_buffer){.bytes = WORLD_MB << 20};
    }
    ck_assert_ptr_null(world->policy.groups);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("policy");
    TCase *tcase = tcase_create("decide");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, two_kernels_that_gain_go_once);
    tcase_add_test(tcase, nothing_goes_where_nothing_gains);
    tcase_add_test(tcase, a_kernel_that_must_run_as_written_counts);
    tcase_add_test(tcase, an_unexplored_kernel_spoils_nothing_yet);
    tcase_add_test(tcase, an_unbuilt_kernel_is_waited_for);
    tcase_add_test(tcase, a_kernel_that_its_buffers_are_brought_back_for_is_held_back);
    tcase_add_test(tcase, a_number_of_launches_that_was_reached_is_not_named);
    tcase_add_test(tcase, what_can_never_gain_is_not_waited_for);
    tcase_add_test(tcase, what_is_lost_is_not_said_to_be_saved);
    tcase_add_test(tcase, what_has_not_paid_off_lately_is_said);
    tcase_add_test(tcase, a_decision_before_the_first_launch_ends_with_its_reason);
    tcase_add_test(tcase, a_decision_by_earlier_runs_says_so);
    tcase_add_test(tcase, what_no_run_can_pay_for_holds_nothing_back);
    tcase_add_test(tcase, returns_are_proved_before_the_program_runs_ahead);
    tcase_add_test(tcase, a_price_that_was_too_low_is_put_right);
    tcase_add_test(tcase, what_a_short_launch_took_prices_no_long_one_out);
    tcase_add_test(tcase, what_earlier_runs_spent_little_time_in_is_not_explored_first);
    tcase_add_test(tcase, what_brings_back_part_of_a_gain_is_explored);
    tcase_add_test(tcase, what_the_host_has_asked_for_is_not_brought_back);
    tcase_add_test(tcase, what_the_host_asks_for_now_is_not_held_back_by_earlier_runs);
    tcase_add_test(tcase, a_group_whose_time_the_texts_rule_out_says_so);
    tcase_add_test(tcase, what_a_text_rules_out_is_said_of_the_text);
    tcase_add_test(tcase, what_loses_is_left_whatever_earlier_runs_gained);
    tcase_add_test(tcase, a_group_of_which_one_is_explored_says_so);
    tcase_add_test(tcase, what_exploring_takes_is_a_reason_by_itself);
    tcase_add_test(tcase, what_two_runs_do_not_build_is_waited_for);
    tcase_add_test(tcase, a_use_that_has_changed_is_known_to_the_next_run);
    tcase_add_test(tcase, a_time_of_an_earlier_run_is_said_to_be_one);
    tcase_add_test(tcase, what_is_known_comes_before_what_is_not);
    tcase_add_test(tcase, what_the_host_wants_is_counted_by_its_buffers);
    tcase_add_test(tcase, a_host_that_looks_by_parts_each_time_is_the_reason);
    tcase_add_test(tcase, looks_by_parts_count_as_they_were_timed);
    tcase_add_test(tcase, looks_by_parts_count_beside_those_as_written);
    tcase_add_test(tcase, what_looks_take_is_said_to_be_estimated);
    tcase_add_test(tcase, small_looks_that_take_longer_change_nothing);
    tcase_add_test(tcase, a_host_that_looks_each_time_counts);
    tcase_add_test(tcase, a_host_that_overwrites_each_time_counts_as_written_too);
    tcase_add_test(tcase, what_ran_once_brings_nothing_back_later);
    tcase_add_test(tcase, what_little_hangs_on_is_explored_later);
    tcase_add_test(tcase, looks_of_a_run_as_written_are_expected_again);
    tcase_add_test(tcase, the_next_run_begins_with_what_is_known);
    tcase_add_test(tcase, what_is_explored_at_once_is_known_before_a_decision);
    tcase_add_test(tcase, what_others_gain_by_is_explored_whatever_the_text_says);
    tcase_add_test(tcase, what_conversions_take_is_part_of_the_price);
    tcase_add_test(tcase, an_expected_loss_is_explored_where_that_is_worth_it);
    tcase_add_test(tcase, an_expected_loss_is_not_said_to_be_explored_soon);
    tcase_add_test(tcase, advice_that_was_followed_ends);
    tcase_add_test(tcase, a_time_that_was_put_right_is_not_an_earlier_run_s);
    tcase_add_test(tcase, a_group_that_lost_is_not_said_to_be_worth_nothing_yet);
    tcase_add_test(tcase, a_time_as_written_that_was_wrong_is_put_right);
    tcase_add_test(tcase, of_short_launches_few_are_timed);
    tcase_add_test(tcase, of_long_launches_one_in_256_is_timed);
    tcase_add_test(tcase, the_third_run_begins_in_its_layout);
    tcase_add_test(tcase, what_would_have_been_best_is_remembered);
    tcase_add_test(tcase, what_is_slower_than_promised_goes_back_once);
    tcase_add_test(tcase, a_few_slow_launches_do_not_outweigh_many);
    tcase_add_test(tcase, what_can_not_run_yet_is_explored);
    tcase_add_test(tcase, parts_that_change_nothing_are_counted_over_runs);
    tcase_add_test(tcase, a_short_kernel_goes_where_its_group_lies);
    tcase_add_test(tcase, what_was_not_explored_is_not_remembered_against_a_layout);
    tcase_add_test(tcase, a_layout_that_is_brought_back_at_each_step_is_chosen_by_that);
    tcase_add_test(tcase, a_busy_run_is_put_right_by_the_next);
    tcase_add_test(tcase, a_busy_run_is_put_right_by_a_short_one);
    tcase_add_test(tcase, a_busy_run_as_written_is_not_remembered);
    tcase_add_test(tcase, what_lost_in_one_run_is_tried_again);
    tcase_add_test(tcase, what_loses_in_three_runs_is_tried_no_more);
    tcase_add_test(tcase, nothing_goes_by_what_a_text_says_alone);
    tcase_add_test(tcase, a_layout_is_left_for_one_that_is_cheaper_to_bring_back);
    tcase_add_test(tcase, what_conversions_take_between_launches_counts);
    tcase_add_test(tcase, kernels_for_any_shape_are_not_the_price);
    tcase_add_test(tcase, what_must_run_as_written_has_its_time);
    tcase_add_test(tcase, a_rare_kernel_does_not_matter);
    tcase_add_test(tcase, a_gain_below_what_the_host_takes_is_none);
    tcase_add_test(tcase, a_gain_of_less_than_a_microsecond_is_none);
    tcase_add_test(tcase, noise_of_short_launches_is_no_gain);
    tcase_add_test(tcase, launches_that_are_not_decided_count);
    tcase_add_test(tcase, nothing_goes_where_nothing_runs);
    tcase_add_test(tcase, a_return_takes_what_its_own_buffers_take);
    tcase_add_test(tcase, released_buffers_have_had_their_price);
    tcase_add_test(tcase, buffers_that_end_leave_nothing);
    suite_add_tcase(suite, tcase);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
