/* SPDX-License-Identifier: MIT */
/* The parts of the policy: what may be spent, times of several sizes, what texts say. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/policy/core.h"

static const struct dl_rates gpu = {
    .copy_mb = 1000000,
    .sector_bytes = 32,
    .step_us = 10,
    .asta_part = 500,
    .da_part = 250,
    .struct_count = 4,
    .structs = {{0, 1000}, {20, 550}, {32, 280}, {64, 170}}};
static const struct dl_rates cpu = {.is_cpu = true,
                                    .copy_mb = 10000,
                                    .sector_bytes = 64,
                                    .asta_part = 500,
                                    .da_part = 250,
                                    .struct_count = 1,
                                    .structs = {{0, 1000}}};

/* ---- the ledger ---- */

START_TEST(ledger_spends_no_more_than_is_promised)
{
    struct dl__ledger ledger = {.begun = 1000};

    ck_assert_double_le(dl__ledger_left(&ledger, 1000, false), 0.100);
    ck_assert_double_gt(dl__ledger_left(&ledger, 1000, false), 0.050);
    ck_assert_double_le(dl__ledger_left(&ledger, 1000, true), 0.020);
    ck_assert_double_gt(dl__ledger_left(&ledger, 1000, true), 0.010);
    dl__ledger_spend(&ledger, 0.090, false);
    ck_assert_double_le(dl__ledger_left(&ledger, 1000.090, false), 0.010);
    /* What it has spent itself is no time of the program's. */
    ck_assert_double_le(dl__ledger_left(&ledger, 1100.090, false), 10.010);
    ck_assert_double_gt(dl__ledger_left(&ledger, 1100.090, false), 7);
    /* What was spent before a group was decided takes nothing from what is spent
     * afterwards. */
    ck_assert_double_gt(dl__ledger_left(&ledger, 1100.090, true), 1);
    dl__ledger_spend(&ledger, 2, true);
    ck_assert_double_lt(dl__ledger_left(&ledger, 1102.090, true), 0);
    ck_assert_double_gt(dl__ledger_left(&ledger, 1102.090, false), 0);
}
END_TEST

/* ---- samples ---- */

START_TEST(samples_leave_out_what_is_no_time)
{
    struct dl__samples samples = {0};

    dl__samples_add(&samples, 0, 10);
    dl__samples_add(&samples, -1, 10);
    dl__samples_add(&samples, 0.0 / 0.0, 10);
    dl__samples_add(&samples, 1.0 / 0.0, 10);
    dl__samples_add(&samples, 1, 0);
    ck_assert(!dl__samples_known(&samples));
    ck_assert_double_eq(dl__samples_median(&samples, 10), 0);
}
END_TEST

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

/* However many have been, the order is that of the last ones; many are alike. */
START_TEST(samples_are_kept_in_order)
{
    struct dl__samples samples = {0};
    double times[200], last[DL__SAMPLES_KEPT];

    srand(1);
    for (unsigned i = 0; i < 200; i++) {
        unsigned count = i + 1 < DL__SAMPLES_KEPT ? i + 1 : DL__SAMPLES_KEPT;

        times[i] = 1 + rand() % (i < 100 ? 4 : 1000);
        dl__samples_add(&samples, times[i], 1);
        memcpy(last, times + i + 1 - count, count * sizeof *last);
        qsort(last, count, sizeof *last, by_value);
        ck_assert_double_eq(dl__samples_median(&samples, 2), 2 * last[(count - 1) / 2]);
    }
}
END_TEST

START_TEST(samples_tell_of_other_sizes)
{
    struct dl__samples samples = {0};

    /* A first launch takes longer than others: of two, the lower is the median. */
    dl__samples_add(&samples, 9, 100);
    dl__samples_add(&samples, 2, 100);
    ck_assert_double_eq(dl__samples_median(&samples, 100), 2);
    ck_assert_double_eq(dl__samples_median(&samples, 200), 4);
}
END_TEST

/* ---- estimates ---- */

#define BESIDE(o, b, r, w)                                                               \
    {                                                                                    \
        .form = DL_ACCESS_LINEAR, .step = 1, .offset = o, .bytes = b, .reads = r,        \
        .writes = w                                                                      \
    }
#define GATHERED(o, b)                                                                   \
    {                                                                                    \
        .form = DL_ACCESS_GATHER, .offset = o, .bytes = b, .reads = true                 \
    }

static const struct pattern {
    const char *name;
    uint32_t struct_bytes;
    struct dl_access_fact facts[20];
    size_t fact_count;
    bool unknown;
    enum dl__verdict on_gpu, on_cpu;
    double least, most; /* speedup of tiles on the GPU */
} patterns[] = {
    {.name = "one of 16 floats read, one written",
     .struct_bytes = 64,
     .facts = {BESIDE(4, 4, true, false), BESIDE(12, 4, false, true)},
     .fact_count = 2,
     .on_gpu = DL__CLEAR,
     .on_cpu = DL__CLEAR,
     .least = 3,
     .most = 10},
    {.name = "20 floats, all (LBM)",
     .struct_bytes = 80,
     .facts = {BESIDE(0, 40, true, false), BESIDE(40, 40, false, true)},
     .fact_count = 2,
     .on_gpu = DL__CLEAR,
     .on_cpu = DL__NEVER,
     .least = 4,
     .most = 10},
    {.name = "5 floats, all (Black-Scholes)",
     .struct_bytes = 20,
     .facts = {BESIDE(0, 12, true, false), BESIDE(12, 8, false, true)},
     .fact_count = 2,
     .on_gpu = DL__CLEAR,
     .on_cpu = DL__NEVER,
     .least = 1.3,
     .most = 3},
    {.name = "2 floats, streamed",
     .struct_bytes = 8,
     .facts = {BESIDE(0, 8, true, false)},
     .fact_count = 1,
     .on_gpu = DL__NEUTRAL,
     .on_cpu = DL__NEVER,
     .least = 0.9,
     .most = 1.3},
    {.name = "16 floats gathered one by one",
     .struct_bytes = 64,
     .facts = {GATHERED(0, 4), GATHERED(4, 4), GATHERED(8, 4), GATHERED(12, 4),
               GATHERED(16, 4), GATHERED(20, 4), GATHERED(24, 4), GATHERED(28, 4),
               GATHERED(32, 4), GATHERED(36, 4), GATHERED(40, 4), GATHERED(44, 4),
               GATHERED(48, 4), GATHERED(52, 4), GATHERED(56, 4), GATHERED(60, 4)},
     .fact_count = 16,
     .on_gpu = DL__NEVER,
     .on_cpu = DL__NEVER,
     .least = 0.05,
     .most = 0.3},
    {.name = "16 floats gathered at once",
     .struct_bytes = 64,
     .facts = {GATHERED(0, 64)},
     .fact_count = 1,
     .on_gpu = DL__NEVER,
     .on_cpu = DL__NEVER,
     .least = 0.05,
     .most = 0.3},
    {.name = "2 floats gathered",
     .struct_bytes = 8,
     .facts = {GATHERED(0, 4), GATHERED(4, 4)},
     .fact_count = 2,
     .on_gpu = DL__NEVER,
     .on_cpu = DL__NEVER,
     .least = 0.3,
     .most = 0.7},
    {.name = "2 floats of 28 gathered",
     .struct_bytes = 112,
     .facts = {GATHERED(64, 4), GATHERED(68, 4)},
     .fact_count = 2,
     .on_gpu = DL__NEVER,
     .on_cpu = DL__UNSURE,
     .least = 0.3,
     .most = 0.7},
    {.name = "the same structs for all",
     .struct_bytes = 16,
     .facts = {{.form = DL_ACCESS_UNIFORM,
                .offset = 0,
                .bytes = 16,
                .reads = true,
                .loops = 1}},
     .fact_count = 1,
     .on_gpu = DL__NEVER,
     .on_cpu = DL__UNSURE,
     .least = 0,
     .most = 1},
    {.name = "a walk in one's own row",
     .struct_bytes = 800,
     .facts = {{.form = DL_ACCESS_LINEAR,
                .step = 1,
                .offset = 0,
                .bytes = 800,
                .reads = true,
                .walks = true,
                .loops = 1}},
     .fact_count = 1,
     .on_gpu = DL__NEUTRAL,
     .on_cpu = DL__UNSURE,
     .least = 0.9,
     .most = 1.1},
    {.name = "an index that the text does not tell",
     .struct_bytes = 64,
     .facts = {{.form = DL_ACCESS_UNKNOWN, .offset = 0, .bytes = 4, .reads = true}},
     .fact_count = 1,
     .on_gpu = DL__UNSURE,
     .on_cpu = DL__UNSURE,
     .least = 1,
     .most = 1},
    {.name = "no facts",
     .struct_bytes = 64,
     .unknown = true,
     .on_gpu = DL__UNSURE,
     .on_cpu = DL__UNSURE,
     .least = 1,
     .most = 1},
};

START_TEST(estimate_knows_the_pattern)
{
    const struct pattern *pattern = &patterns[_i];
    const struct dl__estimated_buffer buffer = {
        .facts = pattern->unknown ? NULL : pattern->facts,
        .fact_count = pattern->fact_count,
        .struct_bytes = pattern->struct_bytes,
        .leaf_bytes = 4,
        .structs = 1 << 24,
        .written = true};
    struct dl__estimate on_gpu, on_cpu, on_another;
    struct dl_rates another = gpu;

    another.copy_guess = 1;
    dl__estimate_launch(&another, &buffer, 1, 1 << 24, &on_another);
    dl__estimate_launch(&gpu, &buffer, 1, 1 << 24, &on_gpu);
    dl__estimate_launch(&cpu, &buffer, 1, 1 << 24, &on_cpu);
    ck_assert_msg(on_gpu.of[DL__ASTA].verdict == pattern->on_gpu, "%s: %d, %g times",
                  pattern->name, on_gpu.of[DL__ASTA].verdict,
                  on_gpu.of[DL__ASTA].speedup);
    ck_assert_msg(on_cpu.of[DL__DA].verdict == pattern->on_cpu,
                  "%s on a CPU: %d, %g times", pattern->name, on_cpu.of[DL__DA].verdict,
                  on_cpu.of[DL__DA].speedup);
    ck_assert_msg(on_gpu.of[DL__ASTA].speedup >= pattern->least &&
                      on_gpu.of[DL__ASTA].speedup <= pattern->most,
                  "%s: %g times", pattern->name, on_gpu.of[DL__ASTA].speedup);
    ck_assert(on_gpu.least_seconds > 0 && on_gpu.least_seconds <= on_gpu.native_seconds);
    ck_assert_double_eq(on_another.least_seconds, 0); /* no bound */
    for (int c = DL__NATIVE; c < DL__CANDIDATES; c++) {
    }
}
END_TEST

/* Its compiler makes no vectors of them: arrays are what it is offered. */
START_TEST(estimate_leaves_tiles_to_gpus)
{
    const struct pattern *few = &patterns[0];
    struct dl__estimated_buffer buffer = {.facts = few->facts,
                                          .fact_count = few->fact_count,
                                          .struct_bytes = few->struct_bytes,
                                          .leaf_bytes = 4,
                                          .structs = 1000000,
                                          .written = true};
    struct dl__estimate estimate;

    dl__estimate_launch(&cpu, &buffer, 1, 1e6, &estimate);
    ck_assert_int_eq(estimate.of[DL__DA].verdict, DL__CLEAR);
    ck_assert_int_eq(estimate.of[DL__ASTA].verdict, DL__NEVER);
}
END_TEST

/* A stream that gains does not carry a gather that loses more. */
START_TEST(estimate_adds_buffers_up)
{
    const struct dl_access_fact stream[] = {BESIDE(0, 4, true, true)};
    const struct dl_access_fact gather[] = {
        GATHERED(0, 4), GATHERED(4, 4), GATHERED(8, 4), GATHERED(12, 4), GATHERED(16, 4)};
    const struct dl__estimated_buffer buffers[] = {{.facts = stream,
                                                    .fact_count = 1,
                                                    .struct_bytes = 32,
                                                    .leaf_bytes = 4,
                                                    .structs = 1 << 20},
                                                   {.facts = gather,
                                                    .fact_count = 5,
                                                    .struct_bytes = 32,
                                                    .leaf_bytes = 4,
                                                    .structs = 1 << 20}};
    struct dl__estimate one, both;

    dl__estimate_launch(&gpu, buffers, 1, 1 << 20, &one);
    dl__estimate_launch(&gpu, buffers, 2, 1 << 20, &both);
    ck_assert_int_eq(one.of[DL__ASTA].verdict, DL__CLEAR);
    ck_assert_int_eq(both.of[DL__ASTA].verdict, DL__NEVER);
}
END_TEST

/* Whole structs read by neighbours gain what plain accesses lose, which may be little. */
START_TEST(estimate_tries_what_promises_little)
{
    static const struct dl_access_fact whole = {
        .form = DL_ACCESS_LINEAR, .step = 1, .bytes = 16, .reads = true};
    struct dl__estimated_buffer buffer = {.facts = &whole,
                                          .fact_count = 1,
                                          .struct_bytes = 16,
                                          .leaf_bytes = 4,
                                          .structs = 1 << 20};
    struct dl_rates rates = gpu;
    struct dl__estimate estimate;

    rates.structs[1].bytes = 16;
    rates.structs[1].plain_part = 800;
    dl__estimate_launch(&rates, &buffer, 1, 1 << 20, &estimate);
    ck_assert_int_eq(estimate.of[DL__ASTA].verdict, DL__NEUTRAL);
    ck_assert_double_eq_tol(estimate.of[DL__ASTA].speedup, 1.25, 1e-6);
    rates.structs[1].plain_part = 600;
    dl__estimate_launch(&rates, &buffer, 1, 1 << 20, &estimate);
    ck_assert_int_eq(estimate.of[DL__ASTA].verdict, DL__CLEAR);
}
END_TEST

static void estimate_of(const struct dl_access_fact *facts, size_t count,
                        struct dl__estimate *out)
{
    const struct dl__estimated_buffer buffer = {.facts = facts,
                                                .fact_count = count,
                                                .struct_bytes = 96,
                                                .leaf_bytes = 4,
                                                .structs = 1000000,
                                                .written = true};

    dl__estimate_launch(&cpu, &buffer, 1, 1e6, out);
}

/* A body that only some structs come to counts less than what says which: 76 bytes of 96
 * that all write gain nothing in arrays, those that some write do. */
START_TEST(a_guarded_body_counts_less_than_its_guard)
{
    struct dl_access_fact facts[] = {BESIDE(44, 4, true, false),
                                     BESIDE(0, 44, false, true),
                                     BESIDE(48, 32, false, true)};
    struct dl__estimate estimate;

    estimate_of(facts, 3, &estimate);
    ck_assert_int_eq(estimate.of[DL__DA].verdict, DL__NEVER);
    facts[1].conditional = facts[2].conditional = true;
    estimate_of(facts, 3, &estimate);
    ck_assert_int_eq(estimate.of[DL__DA].verdict, DL__NEUTRAL);
}
END_TEST

/* Of structs that are read whole, one member's write takes all of its sector back. */
START_TEST(a_write_takes_its_sector_back)
{
    struct dl_access_fact facts[] = {BESIDE(0, 92, true, false),
                                     BESIDE(92, 4, true, false)};
    struct dl__estimate estimate;

    estimate_of(facts, 2, &estimate);
    ck_assert_double_eq_tol(estimate.native_seconds, 0.0096, 1e-9);
    facts[1].writes = true;
    estimate_of(facts, 2, &estimate);
    ck_assert_double_eq_tol(estimate.native_seconds, 0.0144, 1e-9);
    ck_assert_int_eq(estimate.of[DL__DA].verdict, DL__NEVER);
}
END_TEST

/* Elements of a grid of twenty a cell: neighbours' are 80 bytes apart, and side by side
 * in its layout, which only measurement can tell from the program's. Other kernels have
 * no such candidate, and a grid no others. */
START_TEST(grids_are_for_layouts_of_grids)
{
    const struct dl_access_fact step = {
        .form = DL_ACCESS_LINEAR, .step = 20, .bytes = 4, .reads = true};
    struct dl__estimated_buffer buffer = {.facts = &step,
                                          .fact_count = 1,
                                          .struct_bytes = 4,
                                          .leaf_bytes = 4,
                                          .structs = 1 << 20};
    struct dl__estimate plain, grid;

    dl__estimate_launch(&gpu, &buffer, 1, 1 << 20, &plain);
    buffer.grid = true;
    dl__estimate_launch(&gpu, &buffer, 1, 1 << 20, &grid);
    ck_assert_int_eq(plain.of[DL__GRID].verdict, DL__NEVER);
    ck_assert_int_eq(grid.of[DL__GRID].verdict, DL__NEUTRAL);
    ck_assert_double_gt(grid.of[DL__GRID].speedup, 2);
    ck_assert_int_eq(grid.of[DL__ASTA].verdict, DL__NEVER);
    ck_assert_int_eq(grid.of[DL__DA].verdict, DL__NEVER);
}
END_TEST

/* Whole structs of sixteen words, copied: what a device's file says of groups is a reason
 * to measure. Other devices, kernels without such a text and CPUs have no such candidate.
 */
START_TEST(group_access_is_for_devices_that_were_measured)
{
    const struct dl_access_fact whole = {
        .form = DL_ACCESS_LINEAR, .step = 1, .bytes = 64, .reads = true};
    struct dl__estimated_buffer buffer = {.facts = &whole,
                                          .fact_count = 1,
                                          .struct_bytes = 64,
                                          .leaf_bytes = 4,
                                          .structs = 1 << 20};
    struct dl_rates measured = gpu;
    struct dl__estimate plain, unmeasured, grouped;

    measured.group_part = 970;
    measured.group_gather_part = 760;
    measured.struct_count = 1;
    measured.structs[0] = (struct dl_struct_rate){64, 170};
    dl__estimate_launch(&measured, &buffer, 1, 1 << 20, &plain);
    buffer.group_loads = true;
    dl__estimate_launch(&gpu, &buffer, 1, 1 << 20, &unmeasured);
    dl__estimate_launch(&measured, &buffer, 1, 1 << 20, &grouped);
    ck_assert_int_eq(plain.of[DL__COALESCED].verdict, DL__NEVER);
    ck_assert_int_eq(unmeasured.of[DL__COALESCED].verdict, DL__NEVER);
    ck_assert_int_eq(grouped.of[DL__COALESCED].verdict, DL__NEUTRAL);
    ck_assert_double_gt(grouped.of[DL__COALESCED].speedup, 5);
    ck_assert_double_eq(dl__estimate_move(&measured, DL__COALESCED, 1 << 30), 0);
    measured.is_cpu = true;
    dl__estimate_launch(&measured, &buffer, 1, 1 << 20, &grouped);
    ck_assert_int_eq(grouped.of[DL__COALESCED].verdict, DL__NEVER);
}
END_TEST

/* A program that has its members apart already gains little, and by tiles alone: a GPU
 * measures it. */
START_TEST(estimate_expects_little_of_arrays)
{
    const struct dl_access_fact stream[] = {BESIDE(0, 4, true, true)};
    struct dl__estimated_buffer buffer = {.facts = stream,
                                          .fact_count = 1,
                                          .struct_bytes = 32,
                                          .leaf_bytes = 4,
                                          .structs = 1 << 20,
                                          .arrays = true};
    struct dl__estimate on_gpu, on_cpu;

    dl__estimate_launch(&gpu, &buffer, 1, 1 << 20, &on_gpu);
    dl__estimate_launch(&cpu, &buffer, 1, 1 << 20, &on_cpu);
    ck_assert_int_eq(on_gpu.of[DL__ASTA].verdict, DL__NEUTRAL);
    ck_assert_double_eq(on_gpu.of[DL__ASTA].speedup, 1);
    ck_assert_int_eq(on_gpu.of[DL__DA].verdict, DL__NEVER);
    ck_assert_int_eq(on_cpu.of[DL__ASTA].verdict, DL__NEVER);
    ck_assert_int_eq(on_cpu.of[DL__DA].verdict, DL__NEVER);
}
END_TEST

/* Where a slice hides what memory takes, the accesses tell of that: 13.4 ms of a launch,
 * of which 64 slices that lie in caches would take 2.7, as written and in tiles. */
START_TEST(estimate_of_a_slice_in_caches)
{
    double tiles = dl__estimate_of_part(42e-6, 43e-6, 64, 13.4e-3, 2.4);

    ck_assert_double_gt(tiles, 64 * 43e-6);
    ck_assert_double_lt(tiles, 0.6 * 13.4e-3);
    /* What the slice tells counts where it tells more. */
    ck_assert_double_eq_tol(dl__estimate_of_part(40e-6, 4e-6, 64, 8e-3, 2), 0.8e-3, 1e-9);
    /* Nothing is hidden, or nothing promised. */
    ck_assert_double_eq_tol(dl__estimate_of_part(40e-6, 20e-6, 64, 2e-3, 8), 1e-3, 1e-9);
    ck_assert_double_eq_tol(dl__estimate_of_part(40e-6, 20e-6, 64, 8e-3, 0), 4e-3, 1e-9);
    ck_assert_double_eq(dl__estimate_of_part(40e-6, 0, 64, 8e-3, 2), 0);
    ck_assert_double_eq(dl__estimate_of_part(0, 40e-6, 64, 8e-3, 2), 0);
}
END_TEST

/* What a launch of `items` work-items uses by one access, as --stats has it. */
static double used(struct dl_access_fact fact)
{
    const struct dl_leaf leaves[] = {{0, 4}, {4, 2}, {6, 2}, {8, 8}};
    const struct dl_leaf_table table = {
        .struct_bytes = 64, .leaf_count = 4, .leaves = (struct dl_leaf *)leaves};
    const struct dl__estimated_buffer buffer = {.facts = &fact,
                                                .fact_count = 1,
                                                .struct_bytes = 64,
                                                .leaf_bytes = 8,
                                                .leaves = &table,
                                                .for_people = true,
                                                .structs = 1000};
    const struct dl_rates rates = {.copy_mb = 1, .sector_bytes = 32};
    struct dl__estimate out;

    dl__estimate_launch(&rates, &buffer, 1, 1000, &out);
    return out.least_seconds * 1e3; /* a work-item's */
}

START_TEST(an_index_into_a_member_uses_one_element_of_it)
{
    struct dl_access_fact fact = {
        .form = DL_ACCESS_LINEAR, .step = 1, .offset = 4, .bytes = 60, .reads = true};

    ck_assert_double_eq_tol(used(fact), 60, 1e-9);
    fact.walks = true;
    ck_assert_double_eq_tol(used(fact), 2, 1e-9);
    fact.loops = fact.counted = 1;
    fact.rounds = 7;
    ck_assert_double_eq_tol(used(fact), 14, 1e-9);
    fact.rounds = 1000; /* each byte counts once */
    ck_assert_double_eq_tol(used(fact), 60, 1e-9);
    fact.loops = 2; /* the other may go through all of it */
    ck_assert_double_eq_tol(used(fact), 60, 1e-9);
    fact.form =
        DL_ACCESS_UNIFORM; /* one struct for all of them, which is next to nothing */
    ck_assert_double_eq_tol(used(fact), 0, 1e-9);
}
END_TEST

/* Advice has all rounds that a text has; `auto` goes by 16 of a loop at most, and of one
 * of which the text does not say. */
START_TEST(rounds_that_the_text_has_count)
{
    static const struct {
        unsigned loops, counted, rounds;
        double told, expected;
    } rows[] = {{0, 0, 0, 1, 1},       {1, 0, 0, 16, 16},        {1, 1, 3, 3, 3},
                {1, 1, 100, 100, 16},  {2, 2, 100, 100, 100},    {2, 1, 3, 48, 48},
                {4, 0, 0, 4096, 4096}, {4, 1, 100, 409600, 4096}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct dl_access_fact fact = {.form = DL_ACCESS_LINEAR,
                                            .step = 2,
                                            .bytes = 4,
                                            .loops = (uint8_t)rows[i].loops,
                                            .counted = (uint8_t)rows[i].counted,
                                            .rounds = rows[i].rounds,
                                            .reads = true};
        struct dl__estimated_buffer buffer = {.facts = &fact,
                                              .fact_count = 1,
                                              .struct_bytes = 64,
                                              .leaf_bytes = 4,
                                              .structs = 1000};
        double use;

        dl__estimate_access(&gpu, &buffer, 0, &use);
        ck_assert_double_eq_tol(use, 4 * rows[i].expected, 1e-9);
        buffer.for_people = true;
        dl__estimate_access(&gpu, &buffer, 0, &use);
        ck_assert_double_eq_tol(use, 4 * rows[i].told, 1e-9);
    }
}
END_TEST

/* What a work-item goes through element by element it fetches once, half of the
 * work-items half as much. */
START_TEST(a_walk_fetches_its_struct_once)
{
    struct dl_access_fact fact = {.form = DL_ACCESS_LINEAR,
                                  .step = 1,
                                  .bytes = 36,
                                  .walks = true,
                                  .loops = 1,
                                  .counted = 1,
                                  .rounds = 9,
                                  .reads = true};
    const struct dl__estimated_buffer buffer = {.facts = &fact,
                                                .fact_count = 1,
                                                .struct_bytes = 36,
                                                .leaf_bytes = 4,
                                                .for_people = true,
                                                .structs = 1000};
    const struct dl_rates rates = {.copy_mb = 1, .sector_bytes = 32};
    double use;

    ck_assert_double_eq_tol(dl__estimate_access(&rates, &buffer, 0, &use), 64, 1e-9);
    ck_assert_double_eq_tol(use, 36, 1e-9);
    fact.conditional = true;
    ck_assert_double_eq_tol(dl__estimate_access(&rates, &buffer, 0, &use), 32, 1e-9);
    ck_assert_double_eq_tol(use, 18, 1e-9);
}
END_TEST

/* A member that all work-items read fetches no more than its buffer. */
START_TEST(a_member_fetches_no_more_than_its_buffer)
{
    const struct dl_access_fact fact = {
        .form = DL_ACCESS_UNIFORM, .bytes = 16, .loops = 1, .reads = true};
    const struct dl__estimated_buffer buffer = {.facts = &fact,
                                                .fact_count = 1,
                                                .struct_bytes = 32,
                                                .leaf_bytes = 16,
                                                .for_people = true,
                                                .structs = 1000};
    const struct dl_rates rates = {.copy_mb = 1, .sector_bytes = 64};
    struct dl__traffic traffic;
    double use;

    dl__estimate_traffic(&rates, &buffer, &traffic);
    ck_assert_double_eq_tol(dl__estimate_access(&rates, &buffer, 0, &use), traffic.native,
                            1e-9);
}
END_TEST

/* Whatever facts say, the numbers are numbers. */
START_TEST(estimate_stands_odd_facts)
{
    static const uint32_t numbers[] = {0,  1,  3,    4,      63,
                                       64, 65, 4096, 100000, UINT32_MAX / 2};
    enum { COUNT = sizeof numbers / sizeof *numbers };

    for (unsigned i = 0; i < COUNT * COUNT * 64; i++) {
        struct dl_access_fact fact = {.form = (enum dl_access_form)(i % 4),
                                      .step = (int32_t)(i / 4 % 5) - 2,
                                      .walks = i / 32 % 2,
                                      .loops = (uint8_t)(i % 7 * 40),
                                      .counted = (uint8_t)(i % 11 * 20),
                                      .rounds = numbers[i / 32 % COUNT],
                                      .reads = true};
        struct dl__estimated_buffer buffer = {.facts = &fact,
                                              .fact_count = 1,
                                              .struct_bytes = 64,
                                              .leaf_bytes = numbers[i % COUNT],
                                              .for_people = i / 2 % 2,
                                              .structs = numbers[i / COUNT % COUNT]};
        struct dl__estimate out;

        fact.offset = numbers[i / 64 % COUNT];
        fact.bytes = numbers[i / 64 / COUNT % COUNT];
        dl__estimate_launch(i % 2 ? &gpu : &cpu, &buffer, 1, numbers[i % COUNT], &out);
        for (int c = 0; c < DL__CANDIDATES; c++)
            ck_assert_msg(out.of[c].speedup > 0 && out.of[c].speedup < 1e6, "%u: %g", i,
                          out.of[c].speedup);
        ck_assert(out.native_seconds >= 0 && out.native_seconds < 1e12);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("policy_parts");
    TCase *tcase = tcase_create("parts");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_test(tcase, grids_are_for_layouts_of_grids);
    tcase_add_test(tcase, group_access_is_for_devices_that_were_measured);
    tcase_add_test(tcase, ledger_spends_no_more_than_is_promised);
    tcase_add_test(tcase, samples_leave_out_what_is_no_time);
    tcase_add_test(tcase, samples_are_kept_in_order);
    tcase_add_test(tcase, samples_tell_of_other_sizes);
    tcase_add_loop_test(tcase, estimate_knows_the_pattern, 0,
                        sizeof patterns / sizeof *patterns);
    tcase_add_test(tcase, estimate_leaves_tiles_to_gpus);
    tcase_add_test(tcase, estimate_tries_what_promises_little);
    tcase_add_test(tcase, estimate_adds_buffers_up);
    tcase_add_test(tcase, a_guarded_body_counts_less_than_its_guard);
    tcase_add_test(tcase, a_write_takes_its_sector_back);
    tcase_add_test(tcase, estimate_expects_little_of_arrays);
    tcase_add_test(tcase, estimate_of_a_slice_in_caches);
    tcase_add_test(tcase, an_index_into_a_member_uses_one_element_of_it);
    tcase_add_test(tcase, rounds_that_the_text_has_count);
    tcase_add_test(tcase, a_member_fetches_no_more_than_its_buffer);
    tcase_add_test(tcase, a_walk_fetches_its_struct_once);
    tcase_add_test(tcase, estimate_stands_odd_facts);
    suite_add_tcase(suite, tcase);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
