/* SPDX-License-Identifier: MIT */
/* Claims: The last line of --stats has true numbers or says that they are not known,
 * names the kernel that took longest as written with its reason, and a next step; a
 * layout that it names is the one that the times favour, or else the device's usual one.
 */
#include <check.h>
#include <stdlib.h>

#include "layout/words.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/reports/reasons.h"
#include "libdl_intercept/reports/stats_print.h"

_Atomic(const struct dl__options *) dl__options_read;
static struct dl__options options;

const struct dl__options *dl__options_read_now(void)
{
    return &options;
}

bool dl__log_words_are_new(const char *text)
{
    return dl_words_are_in(text);
}

enum { MS = 1000 * 1000 };

/* Ran as written so often, in so many milliseconds, and why. */
static struct dl__kernel_row as_written(const char *name, uint64_t launches, uint64_t ms,
                                        const char *why)
{
    return (struct dl__kernel_row){.name = (char *)name,
                                   .native = {.launches = launches,
                                              .timed = launches,
                                              .time_ns = ms * MS,
                                              .why = (char *)why}};
}

/* Ran in arrays, of which so many launches were measured as written. */
static struct dl__kernel_row in_arrays(uint64_t launches, uint64_t ms, uint64_t judged,
                                       uint64_t native_ms)
{
    static struct dl__buffer_row buffer = {.layout = {.kind = DL_LAYOUT_DA}};

    return (struct dl__kernel_row){
        .name = (char *)"move",
        .rewritten = {.launches = launches, .timed = launches, .time_ns = ms * MS},
        .judged = judged,
        .judged_earlier = judged,
        .judged_time_ns = judged * ms * MS / launches,
        .judged_native_ns = native_ms * MS,
        .buffers = &buffer,
        .buffer_count = 1};
}

static unsigned long explored; /* launches, in the run */
static const char *ended_by;
static double part_ms; /* looks by parts took longer than as written */
static double part_estimated_ms;

static void says(struct dl__kernel_row *rows, size_t count, bool is_cpu, const char *want)
{
    struct dl__conversion_row conversion = {
        .to = {.kind = DL_LAYOUT_DA}, .count = 1, .time_ns = 2 * MS};
    struct dl__counted counted = {.kernels = rows,
                                  .kernel_count = count,
                                  .conversions = &conversion,
                                  .conversion_count =
                                      count && rows[0].rewritten.launches ? 1 : 0,
                                  .sums[DL__STATS_EXPLORED] = (double)explored,
                                  .sums[DL__STATS_PART_MS] = part_ms,
                                  .sums[DL__STATS_PART_ESTIMATED_MS] = part_estimated_ms,
                                  .is_cpu = is_cpu,
                                  .ended_by = ended_by};
    char *text = dl__summary(&counted, true);

    ck_assert_str_eq(text, want);
    free(text);
}

START_TEST(times_are_known_or_said_not_to_be)
{
    struct dl__kernel_row rows[] = {
        in_arrays(10, 40, 10, 90),
        as_written("bin", 3, 5, "its buffers are smaller than a tile")};

    options.layout_auto = true;
    says(rows, 1, true,
         "1 of 1 kernel ran in arrays: 42.0 instead of 90.0 ms (as written in an earlier "
         "run), conversions included. "
         "Next: nothing to do");
    part_ms = 47;
    says(rows, 1, true,
         "1 of 1 kernel ran in arrays: 89.0 instead of 90.0 ms (as written in an earlier "
         "run), conversions and looks by parts included. "
         "Next: nothing to do");
    for (part_estimated_ms = 40; part_estimated_ms < 50; part_estimated_ms += 7)
        says(rows, 1, true,
             part_estimated_ms < part_ms
                 ? "1 of 1 kernel ran in arrays: 89.0 instead of 90.0 ms (as written in "
                   "an "
                   "earlier run), conversions and looks by parts (partly estimated) "
                   "included. Next: nothing to do"
                 : "1 of 1 kernel ran in arrays: 89.0 instead of 90.0 ms (as written in "
                   "an "
                   "earlier run), conversions and looks by parts (estimated) included. "
                   "Next: nothing to do");
    part_estimated_ms = 0;
    part_ms = 60;
    says(rows, 1, true,
         "1 of 1 kernel ran in arrays: 102.0 instead of 90.0 ms (as written in an "
         "earlier run), conversions and looks by parts included. "
         "Next: run it with --layout aos if it is slower the next time, too");
    part_ms = 0;
    says(
        rows, 2, true,
        "1 of 2 kernels ran in arrays: 42.0 instead of 90.0 ms (as written in an earlier "
        "run), conversions included; "
        "kernel "
        "'bin' ran as written: its buffers are smaller than a tile. Next: nothing to do");
    rows[0] = in_arrays(10, 40, 5, 45);
    rows[0].native.launches = 2;
    says(rows, 1, true,
         "10 of 12 launches of 1 kernel ran in arrays: 22.0 instead of 45.0 ms (as "
         "written in an earlier run) in those 5 of 10 "
         "launches that were measured as written, too, all conversions included. Next: "
         "nothing to do");
    rows[0] = in_arrays(10, 40, 10, 41);
    says(rows, 1, true,
         "1 of 1 kernel ran in arrays: 42.0 instead of 41.0 ms (as written in an earlier "
         "run), conversions included. "
         "Next: run it with --layout aos if it is slower the next time, too");
    explored = 1;
    says(rows, 1, true,
         "1 of 1 kernel ran in arrays: 42.0 instead of 41.0 ms (as written in an earlier "
         "run), conversions included. "
         "Next: run it again: DL now knows what does not pay off");
    rows[0].rewritten.time_ns = 10;
    says(rows, 1, true,
         "1 of 1 kernel ran in arrays: how long they took is not known, since the driver "
         "tells no times. Next: run it again: DL now knows what does not pay off");
    explored = 0;
    options.layout_auto = false;
    rows[0] = in_arrays(10, 40, 0, 0);
    says(rows, 1, true,
         "1 of 1 kernel ran in arrays: 42.0 ms with conversions; the time as written was "
         "not measured. Next: compare with --layout aos, or remove --layout: auto "
         "compares by itself");
    rows[0] = in_arrays(10, 40, 10, 41);
    says(rows, 1, true,
         "1 of 1 kernel ran in arrays: 42.0 instead of 41.0 ms (as written in an earlier "
         "run), conversions included. Next: compare with --layout aos, or remove "
         "--layout: auto compares by itself");
    rows[0] = in_arrays(10, 40, 10, 90);
    says(rows, 1, true,
         "1 of 1 kernel ran in arrays: 42.0 instead of 90.0 ms (as written in an earlier "
         "run), conversions included. Next: nothing to do");
    says(rows, 0, true, "the program launched no kernel. Next: have it launch some");
}
END_TEST

START_TEST(launches_under_way_at_a_signal_are_told_from_those_never_measured)
{
    struct dl__kernel_row row = in_arrays(10, 40, 10, 90);

    options.layout_auto = true;
    ended_by = "SIGTERM";
    says(&row, 1, true,
         "SIGTERM ended the run early; until then 1 of 1 kernel ran in arrays: 42.0 "
         "instead of 90.0 ms (as written in an earlier run), conversions included. Next: "
         "nothing to do");
    row.rewritten.launches = 12;
    says(&row, 1, true,
         "SIGTERM ended the run early; until then 1 of 1 kernel ran in arrays: 42.0 "
         "instead of 90.0 ms (as written in an earlier run) in those 10 of 12 launches "
         "that the device had done, conversions included. Next: nothing to do");
    row.judged = row.judged_earlier = row.judged_time_ns = row.judged_native_ns = 0;
    says(&row, 1, true,
         "SIGTERM ended the run early; until then 1 of 1 kernel ran in arrays: 42.0 ms "
         "with conversions for those 10 of 12 launches that the device had done; the "
         "time as written was not measured. Next: nothing to do");
    row.rewritten.timed = row.rewritten.time_ns = 0;
    says(&row, 1, true,
         "SIGTERM ended the run early; until then 1 of 1 kernel ran in arrays, none of "
         "which the device had done. Next: nothing to do");
    says(NULL, 0, true,
         "SIGTERM ended the run early; until then the program launched no kernel. Next: "
         "let it run until it launches some");
    ended_by = NULL;
}
END_TEST

/* Where one ran as written at first, and another is small, that one is not what to see
 * to.
 */
START_TEST(the_next_step_is_of_what_takes_time)
{
    struct dl__kernel_row rows[] = {
        in_arrays(10, 40, 10, 90),
        as_written("small", 1, 5, "the host has its buffer mapped while kernels run")};

    options.layout_auto = true;
    rows[0].native = (struct dl__ran_row){.launches = 9, .timed = 9, .time_ns = 81 * MS};
    says(
        rows, 2, true,
        "10 of 19 launches of 1 of 2 kernels ran in arrays: 42.0 instead of 90.0 ms (as "
        "written in an earlier run), conversions included; kernel 'small' ran as "
        "written: the host has its buffer mapped while kernels run. Next: nothing to do");
    rows[1].native.time_ns = 41 * MS;
    says(rows, 2, true,
         "10 of 19 launches of 1 of 2 kernels ran in arrays: 42.0 instead of 90.0 ms (as "
         "written in an earlier run), conversions included; kernel 'small' ran as "
         "written: the host has its buffer mapped while kernels run. Next: unmap "
         "the buffer before the launch");
}
END_TEST

/* The next run has what this one has found. */
START_TEST(a_layout_that_was_found_late_is_begun_with_the_next_time)
{
    struct dl__kernel_row row = in_arrays(196, 40, 196, 900);

#define RAN                                                                              \
    "196 of 600 launches of 1 kernel ran in arrays: 42.0 instead of 900.0 ms (as "       \
    "written in an earlier run), conversions included. Next: "
    options.layout_auto = true;
    row.native = (struct dl__ran_row){
        404, 404, 1800 * MS, .why = (char *)"it has not been explored yet, as written 4"};
    explored = 1;
    says(&row, 1, true, RAN "run it again: it will begin in arrays");
    row.native.time_ns = 4 * MS;
    says(&row, 1, true, RAN "nothing to do");
    row.native.time_ns = 1800 * MS;
    row.native.why = (char *)"a user event may hold back or cancel it, or did lately";
    says(&row, 1, true, RAN "nothing to do");
    row.native.why = (char *)"it has not been explored yet";
    explored = 0;
    says(&row, 1, true, RAN "nothing to do");
    /* The doctor has no times. */
    explored = 1;
    row.rewritten.time_ns = row.judged_time_ns = row.native.time_ns = 0;
#define UNTIMED                                                                          \
    " launches of 1 kernel ran in arrays: how long they took is not known, since the "   \
    "driver tells no times. Next: "
    says(&row, 1, true, "196 of 600" UNTIMED "run it again: it will begin in arrays");
    row.native.launches = 20;
    says(&row, 1, true, "196 of 216" UNTIMED "nothing to do");
    explored = 0;
}
END_TEST

/* What a machine took that was busier or idler then is not this run's. */
START_TEST(times_of_an_earlier_run_are_called_so)
{
    struct dl__kernel_row row = in_arrays(10, 40, 10, 90);

    options.layout_auto = true;
    row.judged_earlier = 4;
    says(&row, 1, true,
         "1 of 1 kernel ran in arrays: 42.0 instead of 90.0 ms (as written partly in an "
         "earlier run), conversions included. Next: nothing to do");
    row.judged_earlier = 0;
    row.native = (struct dl__ran_row){.launches = 1, .timed = 1, .time_ns = 9 * MS};
    says(&row, 1, true,
         "10 of 11 launches of 1 kernel ran in arrays: 42.0 instead of 90.0 ms, "
         "conversions included. Next: nothing to do");
    /* This run's own counts where it is shorter. */
    row.judged_earlier = 10;
    row.judged_earlier_ns = row.judged_native_ns;
    row.again_time_ns = 9 * MS;
    row.again_earlier_ns = 12 * MS;
    says(&row, 1, true,
         "10 of 11 launches of 1 kernel ran in arrays: 42.0 instead of 67.5 ms, "
         "conversions included. Next: nothing to do");
    row.again_time_ns = 13 * MS;
    says(&row, 1, true,
         "10 of 11 launches of 1 kernel ran in arrays: 42.0 instead of 90.0 ms (as "
         "written in an earlier run), conversions included. Next: nothing to do");
}
END_TEST

START_TEST(the_longest_kernel_has_its_reason)
{
    struct dl__kernel_row rows[] = {
        as_written("a", 9, 1, "the host has its buffer mapped while kernels run"),
        as_written("b", 1, 7, "its buffers are smaller than a tile"),
        as_written("c", 1, 6, "its buffers are smaller than a tile"),
        as_written("d", 1, 5, "it has not been explored yet, as written 0.2 ms")};

    says(rows, 4, true,
         "kernel 'b' and 1 more ran as written: its buffers are smaller than a tile. "
         "Next: nothing to do");
    says(rows + 3, 1, true,
         "kernel 'd' ran as written: it has not been explored yet. Next: run it again, "
         "or longer: what was explored is kept; --layout da always converts");
}
END_TEST

#define NOTHING "DL found no buffer in it that it can convert"
#define PASSED_OVER                                                                      \
    "nothing for plain arrays, which can't gain; --log remark says what else DL passed " \
    "over, and why: change that, or annotate a buffer that it did not see"

/* What a library launches once, and what has no buffers of structs, says nothing of what
 * the program gains, unless most of its time goes there. */
START_TEST(helpers_are_not_named)
{
    struct dl__kernel_row rows[] = {in_arrays(10, 40, 10, 90),
                                    as_written("get_size_and_offsets", 1, 0, NOTHING),
                                    as_written("sum", 10, 30, NOTHING)};

    options.layout_auto = true;
    says(
        rows, 3, true,
        "1 of 3 kernels ran in arrays: 42.0 instead of 90.0 ms (as written in an earlier "
        "run), conversions included. Next: nothing to do");
    rows[2].native.time_ns = 50 * MS;
    says(
        rows, 3, true,
        "1 of 3 kernels ran in arrays: 42.0 instead of 90.0 ms (as written in an earlier "
        "run), conversions included; kernel 'sum' ran as written: " NOTHING
        ". Next: " PASSED_OVER);
    rows[0] = as_written("move", 10, 10, "it has not been explored yet");
    rows[2].native.time_ns = 5 * MS;
    says(
        rows, 3, true,
        "kernel 'move' ran as written: it has not been explored yet. Next: run it again, "
        "or longer: what was explored is kept; --layout da always converts");
    says(rows + 1, 2, true,
         "kernel 'sum' ran as written: " NOTHING ". Next: " PASSED_OVER);
    says(rows + 1, 1, true,
         "kernel 'get_size_and_offsets' ran as written: " NOTHING ". Next: " PASSED_OVER);
    rows[0] = as_written("move", 10, 1, "it has not been explored yet");
    rows[1] =
        as_written("step", 10, 60, "by the kernel's text, no other layout is faster");
    says(rows, 2, true,
         "kernel 'step' ran as written: by the kernel's text, no other layout is faster. "
         "Next: nothing to do");
}
END_TEST

START_TEST(a_loss_of_short_launches_is_none)
{
    struct dl__kernel_row row = in_arrays(100000, 1200, 100000, 640);

    options.layout_auto = true;
    says(&row, 1, true,
         "1 of 1 kernel ran in arrays: 1202.0 instead of 640.0 ms (as written in an "
         "earlier run), conversions included, which says little of launches of 6.4 us. "
         "Next: run it with --layout aos if it is slower the next time, too");
}
END_TEST

/* That is the one to change, however long others take. */
START_TEST(the_kernel_that_holds_others_up_is_named)
{
    struct dl__kernel_row rows[] = {
        in_arrays(10, 40, 0, 0), as_written("long", 10, 900, NOTHING),
        as_written("bin", 10, 5, "it may reach its buffers by pointers")};
    struct dl__returned_row returned = {.count = 10};

    rows[2].returned = &returned;
    rows[2].returned_count = 1;
    options.layout_auto = false;
    says(
        rows, 3, true,
        "1 of 3 kernels ran in arrays: 42.0 ms with conversions; the time as written was "
        "not measured; kernel 'bin' ran as written: it may reach its "
        "buffers by pointers; for kernel 'bin' buffers came back 10 times, 2.0 ms with "
        "converting them again. Next: kernel 'bin': set no pointers that a kernel "
        "reaches indirectly, or remove --layout");
    rows[2].native.why = (char *)"it has no annotation that DL can follow";
    says(
        rows, 3, true,
        "1 of 3 kernels ran in arrays: 42.0 ms with conversions; the time as written was "
        "not measured; kernel 'bin' ran as written: it has no annotation that DL can "
        "follow; for kernel 'bin' buffers came back 10 times, 2.0 ms with converting "
        "them again. Next: kernel 'bin': remove --detect off, or put a line `//DL: AoS: "
        "buffer[count]` above it, or remove --layout");
    rows[2].native.why = (char *)"neighbouring work-items use the same struct of its "
                                 "buffers";
    says(
        rows, 3, true,
        "1 of 3 kernels ran in arrays: 42.0 ms with conversions; the time as written was "
        "not measured; kernel 'bin' ran as written: neighbouring work-items use the same "
        "struct of its buffers; for kernel 'bin' buffers came back 10 times, 2.0 ms with "
        "converting them again. Next: change what keeps kernel 'bin' as written (--log "
        "remark says what), or remove --layout");
    options.layout_auto = true;
#define NEED                                                                             \
    "kernels or commands that need its buffers as written cost more than a layout saves"
    rows[0] = as_written("move", 10, 100, NEED);
    rows[1] = as_written("bin", 10, 5, NOTHING);
    rows[1].between = true;
    says(rows, 2, true,
         "kernel 'move' ran as written: " NEED
         ". Next: annotate or change kernel 'bin', which needs them so: --log "
         "remark says why");
    rows[1].native.why = (char *)"it has no annotation that DL can follow";
    says(rows, 2, true,
         "kernel 'move' ran as written: " NEED ". Next: kernel 'bin': remove --detect "
         "off, or put a line `//DL: AoS: buffer[count]` above it");
}
END_TEST

/* The next step alone. */
static void next_is(const struct dl__counted *counted, const char *want)
{
    char *step = dl__summary(counted, false);

    ck_assert_str_eq(step, want);
    free(step);
}

#define COMMAND_IS "nothing, or change the program: "
/* Where no kernel is in the way there is none to change. */
START_TEST(the_command_that_holds_a_kernel_up_is_named)
{
    struct dl__kernel_row row =
        as_written("move", 20, 100, NEED ": 4.0 times as much, as written 5.000 ms");
    struct dl__command_row commands[] = {
        {.name = "clEnqueueWriteBuffer", .buffer = 1, .buffer_name = "b", .count = 1},
        {.name = "clEnqueueMapBuffer",
         .buffer = 1,
         .buffer_name = "b",
         .use = DL__OVERWRITES,
         .count = 20}};
    struct dl__counted counted = {
        .kernels = &row, .kernel_count = 1, .commands = commands, .command_count = 2};

    options.layout_auto = true;
    next_is(&counted, COMMAND_IS
            "clEnqueueMapBuffer overwrote buffer 'b' 20 times; have it use "
            "less than about 3 % of it in all between two launches, or use it less "
            "often, or in another layout (dl_buffer_set_host_layout, see dl.h)");
    counted.is_cpu = true;
    row.native.why = (char *)NEED ": 30 times as much";
    next_is(&counted, COMMAND_IS
            "clEnqueueMapBuffer overwrote buffer 'b' 20 times; have it use less than "
            "about 0.4 % of it in all between two launches, or use it less often, or in "
            "arrays (dl_buffer_set_host_layout with CL_LAYOUT_SOA_DL, see dl.h)");
    counted.is_cpu = false;
    /* No run is long enough while it does that. */
    row.native.why = (char *)"no layout is worth its conversions, as in an earlier run";
    next_is(&counted, COMMAND_IS
            "clEnqueueMapBuffer overwrote buffer 'b' 20 times; have it use a smaller "
            "part of it, or use it less often, or in another layout "
            "(dl_buffer_set_host_layout, see dl.h)");
    commands[1].name = "clEnqueueCopyBuffer";
    commands[1].use = DL__USES_PART;
    row.native.why = (char *)NEED ": 50 times as much";
    next_is(&counted, COMMAND_IS
            "clEnqueueCopyBuffer used a part of buffer 'b' 20 times; have it use less "
            "than about 1 % of those bytes in all between two launches, or use it less "
            "often");
    counted.command_count = 1;
    next_is(&counted, "kernel 'move': annotate or change those kernels (--log remark "
                      "says why they run as written), or have the host read or write "
                      "smaller parts of the buffers, or less often");
}
END_TEST

/* What it takes is not in the kernels' time. */
START_TEST(conversions_for_the_hosts_layout_are_told)
{
    struct dl__kernel_row row =
        as_written("move", 20, 100, NEED ": 4.0 times as much, as written 5.000 ms");
    struct dl__command_row command = {.name = "clEnqueueWriteBuffer",
                                      .buffer = 1,
                                      .buffer_name = "b",
                                      .use = DL__OVERWRITES,
                                      .count = 20};
    struct dl__conversion_row conversions[] = {
        {.to = {.kind = DL_LAYOUT_SOA}, .count = 20, .time_ns = 90 * MS},
        {.from = {.kind = DL_LAYOUT_SOA}, .count = 20, .time_ns = 60 * MS}};
    struct dl__counted counted = {.kernels = &row,
                                  .kernel_count = 1,
                                  .commands = &command,
                                  .command_count = 1,
                                  .conversions = conversions,
                                  .conversion_count = 2};
    char *text;

    options.layout_auto = true;
    text = dl__summary(&counted, true);
    ck_assert_str_eq(text, "kernel 'move' ran as written: " NEED "; conversions "
                           "took 150.0 ms. Next: " COMMAND_IS
                           "clEnqueueWriteBuffer overwrote buffer 'b' 20 "
                           "times; have it use less than about 3 % of it in all between "
                           "two launches, or use "
                           "it less often");
    free(text);
}
END_TEST

/* Before anything is measured: a layout that is demanded would be converted to as often.
 */
START_TEST(no_layout_is_demanded_of_what_the_host_uses_each_time)
{
#define OFTEN(does)                                                                      \
    "; --layout da would convert buffer 3 10 times, as often as "                        \
    "clEnqueueReadBuffer " does " it"
#define BUILT "kernel 'move': run it again, or longer: what was built is kept"
    struct dl__kernel_row row =
        as_written("move", 20, 100, "it has not been explored yet");
    struct dl__command_row command = {
        .name = "clEnqueueReadBuffer", .buffer = 3, .use = DL__USES_ALL, .count = 10};
    struct dl__counted counted = {.kernels = &row,
                                  .kernel_count = 1,
                                  .commands = &command,
                                  .command_count = 1,
                                  .is_cpu = true};

    options.layout_auto = true;
    next_is(&counted,
            "kernel 'move': run it again, or longer: what was explored is kept" OFTEN(
                "used all of"));
    command.use = DL__OVERWRITES;
    row.native.why = (char *)dl__why_text(DL__WHY_BUILDING);
    next_is(&counted, BUILT OFTEN("overwrote"));
    row.native.launches = 44;
    next_is(&counted, BUILT "; or once with --layout da, which waits for it");
    row.native.why = (char *)dl__why_text(DL__WHY_BUILDING_AGAIN);
    next_is(&counted, "kernel 'move': run it once with --layout da, which waits for it; "
                      "or longer: what was built is kept");
    row.native.launches = 20;
    next_is(&counted, BUILT OFTEN("overwrote"));
    row.native.why = (char *)dl__why_text(DL__WHY_BUILDING);
    command.use = DL__USES_PART;
    next_is(&counted, BUILT "; or once with --layout da, which waits for it");
}
END_TEST

/* Nothing else helps, least of all an annotation. */
START_TEST(what_stops_dl_in_a_text_is_to_be_changed)
{
#define CAST                                                                             \
    "DL can't follow how it uses a buffer: a pointer into 'p' is cast to another type"
#define MEMBERS "reach the members by their names"
    struct dl__kernel_row rows[] = {as_written("cast", 10, 9, CAST),
                                    as_written("casts", 10, 5, CAST)};
    struct dl__counted counted = {.kernels = rows, .kernel_count = 1};
    char *step = dl__summary(&counted, false);

    options.layout_auto = true;
    ck_assert_str_eq(step, "kernel 'cast': " MEMBERS "; an annotation does not help");
    free(step);
    says(rows, 1, true,
         "kernel 'cast' ran as written: " CAST ". Next: " MEMBERS
         "; an annotation does not help");
    says(rows, 2, true,
         "kernel 'cast' and 1 more ran as written: DL can't follow how it uses a buffer. "
         "Next: " MEMBERS "; an annotation does not help");
    rows[0] = as_written("move", 10, 100, NEED);
    rows[1].between = true;
    says(rows, 2, true,
         "kernel 'move' ran as written: " NEED ". Next: in kernel 'casts' " MEMBERS
         ", as an annotation does not help");
}
END_TEST

START_TEST(the_layout_that_times_favour_is_named)
{
#define WAITS "its rewritten version, or a conversion that it needs, is still being built"
#define STEP(layout)                                                                     \
    "kernel 'k' ran as written: " WAITS ". Next: run it again, or longer: what was "     \
    "built is kept; or once with --layout " layout ", which waits for it"
    static const struct {
        const char *why;
        bool is_cpu;
        const char *want;
    } cases[] = {
        {WAITS, true, STEP("da")},
        {WAITS, false, STEP("asta")},
        {WAITS ", as written 3.912 ms", true, STEP("da")},
        {WAITS ", as written 3.912 ms, ASTA 0.541 ms", true, STEP("asta")},
        {WAITS ", as written 3.912 ms, ASTA 0.541 ms, DA 0.540 ms", false, STEP("da")},
        {WAITS ", as written 0.500 ms, ASTA 0.541 ms", false,
         "kernel 'k' ran as written: " WAITS ". Next: run it again, or longer: what was "
         "built is kept"},
        {"no other layout is faster, as written 0.500 ms, ASTA 0.541 ms, DA 0.540 ms",
         false,
         "kernel 'k' ran as written: no other layout is faster. Next: nothing to do"}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dl__kernel_row row = as_written("k", 1, 1, cases[i].why);

        says(&row, 1, cases[i].is_cpu, cases[i].want);
    }
}
END_TEST

START_TEST(how_long_a_run_is_needed_is_said)
{
#define TOO_SHORT                                                                        \
    "its launches have taken too little time so far to be worth another layout"
    struct dl__kernel_row row = as_written(
        "k", 1, 1,
        TOO_SHORT ", which is tried from about 120 launches of this kernel on");

    says(&row, 1, true,
         "kernel 'k' ran as written: " TOO_SHORT
         ". Next: run it longer, for about 120 launches of this kernel; --layout da "
         "always builds and converts");
    row = as_written("k", 1, 1,
                     TOO_SHORT ", which is tried from about 120 launches of this kernel "
                               "on, as its text suggests");
    says(&row, 1, true,
         "kernel 'k' ran as written: " TOO_SHORT
         ". Next: run it longer, for about 120 launches of this kernel, as its text "
         "suggests; --layout da always builds and converts");
#define TOO_DEAR "this run is too short to explore it"
    row = as_written("k", 1, 1,
                     TOO_DEAR ": exploring takes 43.6 ms, for which a run must last "
                              "3.2 s, as written 5.000 ms");
    says(&row, 1, true,
         "kernel 'k' ran as written: " TOO_DEAR
         ". Next: run it longer, for about 3.2 s; --layout da always converts");
    row.native.why = (char *)"no layout is worth its conversions, as in an earlier run, "
                             "which takes about 340 launches of this kernel, as written "
                             "0.100 ms, DA 0.080 ms";
    says(
        &row, 1, true,
        "kernel 'k' ran as written: no layout is worth its conversions, as in an earlier "
        "run. Next: run it longer, for about 340 launches of this kernel");
#define OTHER_DEAR "no layout is worth its conversions before another kernel is explored"
    row.native.why =
        (char *)OTHER_DEAR ": exploring takes 43.6 ms, for which a run must last "
                           "3.2 s, as written 5.000 ms";
    says(&row, 1, true,
         "kernel 'k' ran as written: " OTHER_DEAR
         ". Next: run it longer, for about 3.2 s");
    explored = 1;
    says(&row, 1, true,
         "kernel 'k' ran as written: " OTHER_DEAR
         ". Next: run it again: what was explored is kept; or run it longer, for "
         "about 3.2 s");
    explored = 0;
}
END_TEST

START_TEST(what_nothing_keeps_is_not_for_the_next_run)
{
    struct dl__kernel_row row = as_written("k", 1, 1, "it has not been explored yet"),
                          none_faster =
                              as_written("k", 1, 1, "no other layout is faster");

    for (int unwritable = 0; unwritable < 2; unwritable++) {
        options.cache = unwritable ? NULL : "off";
        atomic_store(&dl__stats_nothing_kept, unwritable ? "a reason" : NULL);
        says(&row, 1, true,
             "kernel 'k' ran as written: it has not been explored yet. Next: set --cache "
             "to a folder, or run it longer; --layout da always converts");
    }
    says(&none_faster, 1, true,
         "kernel 'k' ran as written: no other layout is faster. Next: set --cache to a "
         "folder that can be written, since nothing was kept");
    atomic_store(&dl__stats_nothing_kept, NULL);
}
END_TEST

START_TEST(a_reason_is_found_by_its_words)
{
    char longer[512];

    for (int i = 0; i < DL__WHYS; i++) {
        const char *text = dl__why_text((enum dl__why)i);

        snprintf(longer, sizeof longer, "%s, as written 1.000 ms", text);
        ck_assert_int_eq((int)dl__why_find(text), i);
        ck_assert_int_eq((int)dl__why_find(longer), i);
    }
    ck_assert_int_eq((int)dl__why_find("the dimension does not fit"), DL__WHYS);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("summary");
    TCase *tests = tcase_create("summary");
    SRunner *runner;
    int failed;

    tcase_add_test(tests, times_are_known_or_said_not_to_be);
    tcase_add_test(tests,
                   launches_under_way_at_a_signal_are_told_from_those_never_measured);
    tcase_add_test(tests, the_next_step_is_of_what_takes_time);
    tcase_add_test(tests, a_layout_that_was_found_late_is_begun_with_the_next_time);
    tcase_add_test(tests, times_of_an_earlier_run_are_called_so);
    tcase_add_test(tests, the_longest_kernel_has_its_reason);
    tcase_add_test(tests, helpers_are_not_named);
    tcase_add_test(tests, a_loss_of_short_launches_is_none);
    tcase_add_test(tests, the_kernel_that_holds_others_up_is_named);
    tcase_add_test(tests, the_command_that_holds_a_kernel_up_is_named);
    tcase_add_test(tests, conversions_for_the_hosts_layout_are_told);
    tcase_add_test(tests, no_layout_is_demanded_of_what_the_host_uses_each_time);
    tcase_add_test(tests, what_stops_dl_in_a_text_is_to_be_changed);
    tcase_add_test(tests, the_layout_that_times_favour_is_named);
    tcase_add_test(tests, how_long_a_run_is_needed_is_said);
    tcase_add_test(tests, what_nothing_keeps_is_not_for_the_next_run);
    tcase_add_test(tests, a_reason_is_found_by_its_words);
    suite_add_tcase(suite, tests);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
