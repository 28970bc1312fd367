/* SPDX-License-Identifier: MIT */
/* Claims: leaf tables cover a struct; the formula says what writing the tiles out one
 * after the other gives; a plan's steps lead from one layout to another. */
#include <check.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "layout/plan.h"
#include "tests/layout/step_target.h"

/* ---- leaf tables ---- */

static void check_table(uint32_t struct_bytes, const struct dl_leaf *fields,
                        size_t field_count, const struct dl_leaf *want, size_t want_count)
{
    struct dl_leaf_table table;

    ck_assert_int_eq(dl_leaf_table_make(struct_bytes, fields, field_count, &table),
                     DL_OK);
    ck_assert_uint_eq(table.struct_bytes, struct_bytes);
    ck_assert_uint_eq(table.leaf_count, want_count);
    ck_assert_int_eq(memcmp(table.leaves, want, want_count * sizeof *want), 0);
    dl_leaf_table_free(&table);
}

START_TEST(gaps_become_aligned_padding)
{
    /* char c; double d; char e[3]; in any order, and the tail of the struct */
    static const struct dl_leaf fields[] = {{18, 1}, {8, 8}, {16, 1}, {0, 1}, {17, 1}};
    static const struct dl_leaf want[] = {{0, 1},  {1, 1},  {2, 2},  {4, 4},  {8, 8},
                                          {16, 1}, {17, 1}, {18, 1}, {19, 1}, {20, 4}};

    check_table(24, fields, 5, want, 10);
}
END_TEST

START_TEST(a_struct_of_nothing_is_padding)
{
    static const struct dl_leaf want[] = {{0, 128}, {128, 32}, {160, 2}};

    check_table(162, NULL, 0, want, 3);
}
END_TEST

START_TEST(bad_fields_are_refused)
{
    static const struct {
        uint32_t bytes;
        struct dl_leaf fields[2];
    } cases[] = {
        {8, {{0, 4}, {3, 4}}},          /* overlap */
        {8, {{4, 8}, {0, 4}}},          /* past the end */
        {8, {{0, 0}, {0, 4}}},          /* no width */
        {256, {{0, 129}, {130, 1}}},    /* too wide */
        {0, {{0, 1}, {1, 1}}},          /* no struct */
        {8, {{UINT32_MAX, 4}, {0, 4}}}, /* wraps */
    };
    struct dl_leaf_table table = {.struct_bytes = 77};

    ck_assert_int_eq(dl_leaf_table_make(cases[_i].bytes, cases[_i].fields, 2, &table),
                     DL_EINVAL);
    ck_assert_uint_eq(table.struct_bytes, 77);
}
END_TEST

START_TEST(the_unit_is_known)
{
    static const struct {
        uint32_t bytes, unit;
        struct dl_leaf fields[3];
    } cases[] = {
        {16, 4, {{0, 4}, {4, 4}, {8, 8}}},
        {7, 1, {{0, 1}, {1, 4}, {5, 2}}}, /* packed */
        {12, 4, {{0, 8}, {8, 4}, {0, 0}}},
        {48, 16, {{0, 16}, {16, 16}, {32, 16}}},
        {384, 128, {{0, 128}, {128, 128}, {256, 128}}},
        {36, 12, {{0, 12}, {12, 12}, {24, 12}}},
        {30, 6, {{0, 12}, {12, 6}, {18, 12}}},
    };
    struct dl_leaf_table table, copy;
    size_t count = cases[_i].fields[2].width_bytes ? 3 : 2;

    ck_assert_int_eq(dl_leaf_table_make(cases[_i].bytes, cases[_i].fields, count, &table),
                     DL_OK);
    ck_assert_uint_eq(dl_leaf_table_unit_bytes(&table), cases[_i].unit);
    ck_assert_int_eq(dl_leaf_table_copy(&table, &copy), DL_OK);
    ck_assert(dl_leaf_table_equal(&table, &copy));
    copy.leaves[0].width_bytes++;
    ck_assert(!dl_leaf_table_equal(&table, &copy));
    dl_leaf_table_free(&table);
    dl_leaf_table_free(&copy);
}
END_TEST

/* ---- the model: bytes written out tile after tile ---- */

static struct dl_leaf_table table_make(const unsigned *widths)
{
    struct dl_leaf fields[64];
    struct dl_leaf_table table;
    uint32_t offset = 0;
    size_t count = 0;

    for (; widths[count]; count++) {
        fields[count] = (struct dl_leaf){offset, widths[count]};
        offset += widths[count];
    }
    ck_assert_int_eq(dl_leaf_table_make(offset, fields, count, &table), DL_OK);
    return table;
}

/* aos_byte[x] is the AoS byte that lies at byte x of the layout. */
static uint64_t *model_make(const struct dl_leaf_table *table, uint64_t n,
                            struct dl_layout layout)
{
    uint64_t *aos_byte = calloc(n * table->struct_bytes + 1, sizeof *aos_byte), x = 0;
    uint64_t tile = 1, head = n;

    if (layout.kind == DL_LAYOUT_SOA)
        tile = n;
    if (layout.kind == DL_LAYOUT_ASTA)
        tile = layout.tile_structs;
    if (layout.kind == DL_LAYOUT_DA) {
        while (head % layout.tile_structs)
            head--;
        tile = head;
    }
    for (uint64_t first = 0; first < n; first += tile) {
        uint64_t past;
        if (first >= head)
            tile = n - head;
        past = first + tile < n ? first + tile : n;
        for (uint32_t l = 0; l < table->leaf_count; l++)
            for (uint64_t i = first; i < past; i++)
                for (uint32_t b = 0; b < table->leaves[l].width_bytes; b++)
                    aos_byte[x++] =
                        i * table->struct_bytes + table->leaves[l].offset_bytes + b;
    }
    ck_assert_uint_eq(x, n * table->struct_bytes);
    return aos_byte;
}

static const unsigned mixes[][10] = {
    {4, 4},    {4},        {1, 2, 1, 4, 8},       {8, 4, 4, 16, 16}, {1, 4, 2},
    {128, 64}, {6, 12, 6}, {4, 4, 4, 4, 4, 4, 4}, {12, 4},
};
static const struct dl_layout layouts[] = {
    {DL_LAYOUT_AOS, 0}, {DL_LAYOUT_SOA, 0}, {DL_LAYOUT_ASTA, 7}, {DL_LAYOUT_ASTA, 32},
    {DL_LAYOUT_DA, 7},  {DL_LAYOUT_DA, 32}, {DL_LAYOUT_ASTA, 1}, {DL_LAYOUT_DA, 1},
};
enum { LAYOUTS = sizeof layouts / sizeof *layouts, MIXES = sizeof mixes / sizeof *mixes };
static const uint64_t counts[] = {0, 1, 6, 7, 31, 32, 33, 64, 210, 293};

START_TEST(the_formula_is_the_model)
{
    struct dl_leaf_table table = table_make(mixes[_i]);

    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        for (size_t k = 0; k < LAYOUTS; k++) {
            uint64_t n = counts[c], *aos_byte = model_make(&table, n, layouts[k]);
            struct dl_tiling tiling;
            ck_assert_int_eq(dl_layout_tile(layouts[k], n, &tiling), DL_OK);
            ck_assert_uint_eq(tiling.head_structs + tiling.tail_structs, n);
            for (uint64_t i = 0; i < n; i++) {
                for (uint32_t l = 0; l < table.leaf_count; l++) {
                    uint64_t x = dl_tiling_leaf_byte(&tiling, table.struct_bytes,
                                                     table.leaves[l], i);
                    if (aos_byte[x] !=
                        i * table.struct_bytes + table.leaves[l].offset_bytes)
                        ck_abort_msg("struct %" PRIu64 ", leaf %" PRIu32, i, l);
                }
            }
            free(aos_byte);
        }
    }
    dl_leaf_table_free(&table);
}
END_TEST

/* All structs, or the first half. */
START_TEST(leaves_are_moved_by_the_formula)
{
    struct dl_leaf_table table = table_make(mixes[_i]);
    uint32_t struct_bytes = table.struct_bytes;

    for (size_t k = 0; k < 2 * LAYOUTS * LAYOUTS; k++) {
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            uint64_t n = counts[c], moved = k % 2 ? n : n / 2, bytes = n * struct_bytes;
            unsigned char *from = malloc(bytes + 1), *to = calloc(1, bytes + 1),
                          *want = calloc(1, bytes + 1);
            struct dl_tiling a, b;

            dl_layout_tile(layouts[k / 2 % LAYOUTS], n, &a);
            dl_layout_tile(layouts[k / 2 / LAYOUTS], n, &b);
            for (uint64_t x = 0; x < bytes; x++)
                from[x] = (unsigned char)(1 + x % 251);
            for (uint64_t i = 0; i < moved; i++)
                for (uint32_t l = 0; l < table.leaf_count; l++)
                    memcpy(
                        want + dl_tiling_leaf_byte(&b, struct_bytes, table.leaves[l], i),
                        from + dl_tiling_leaf_byte(&a, struct_bytes, table.leaves[l], i),
                        table.leaves[l].width_bytes);
            dl_tiling_move(table.leaves, table.leaf_count, struct_bytes, moved, &a, from,
                           &b, to);
            if (memcmp(to, want, bytes) != 0)
                ck_abort_msg("layouts %zu, %" PRIu64 " of %" PRIu64, k / 2, moved, n);
            free(from);
            free(to);
            free(want);
        }
    }
    dl_leaf_table_free(&table);
}
END_TEST

START_TEST(equal_tilings_are_equal_models)
{
    struct dl_leaf_table table = table_make(mixes[0]);

    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        for (size_t a = 0; a < LAYOUTS; a++) {
            for (size_t b = 0; b < LAYOUTS; b++) {
                uint64_t n = counts[c];
                uint64_t *x = model_make(&table, n, layouts[a]);
                uint64_t *y = model_make(&table, n, layouts[b]);
                struct dl_tiling p, q;
                dl_layout_tile(layouts[a], n, &p);
                dl_layout_tile(layouts[b], n, &q);
                ck_assert_int_eq(dl_tiling_equal(&p, &q),
                                 memcmp(x, y, n * table.struct_bytes * sizeof *x) == 0);
                free(x);
                free(y);
            }
        }
    }
    dl_leaf_table_free(&table);
}
END_TEST

START_TEST(tile_zero_is_refused)
{
    struct dl_tiling tiling;

    ck_assert_int_eq(dl_layout_tile((struct dl_layout){DL_LAYOUT_ASTA, 0}, 5, &tiling),
                     DL_EINVAL);
    ck_assert_int_eq(dl_layout_tile((struct dl_layout){DL_LAYOUT_DA, 0}, 5, &tiling),
                     DL_EINVAL);
    ck_assert_int_eq(dl_layout_tile((struct dl_layout){DL_LAYOUT_SOA, 0}, 5, &tiling),
                     DL_OK);
}
END_TEST

/* ---- plans ---- */

/* Moves tags as the step says; `unit` is the bytes of a tag. */
static void step_run(const struct dl_step *step, uint64_t *tags, uint64_t unit)
{
    uint64_t rows = step->instances * (step->rows + step->tail_rows) + step->rest_rows;
    uint64_t elements = rows * step->columns;
    uint64_t width = step->element_bytes / unit, base = step->base_bytes / unit;
    uint64_t *out = calloc(elements * width + 1, sizeof *out);

    /* What holds an instance holds the rest. */
    ck_assert(step->rest_rows < step->rows);
    for (uint64_t e = 0; e < elements; e++) {
        uint64_t from = step->inverse ? step_target(step, e) : e;
        uint64_t to = step->inverse ? e : step_target(step, e);
        memcpy(out + to * width, tags + base + from * width, width * sizeof *out);
    }
    memcpy(tags + base, out, elements * width * sizeof *out);
    free(out);
}

/* A GPU's, about. */
static struct dl_plan_limits limits_of(uint64_t tile_bytes)
{
    return (struct dl_plan_limits){.tile_bytes = tile_bytes,
                                   .line_bytes = 128,
                                   .tile_structs_max = 1024,
                                   .slide_bytes_max = 768,
                                   .slide_tiles_min = 512,
                                   .chunk_time = 1050,
                                   .tile_time = 1600,
                                   .beyond_time = 5000,
                                   .slide_time = 1100,
                                   .supers = {{0, 15000, 15000},
                                              {32, 4000, 4000},
                                              {64, 2500, 2500},
                                              {128, 1500, 2450},
                                              {256, 1400, 1900},
                                              {512, 1180, 1620}},
                                   .super_count = 6};
}

static void check_plan(const struct dl_leaf_table *table, uint64_t n,
                       struct dl_layout from, struct dl_layout to, uint64_t tile_bytes,
                       uint64_t aside_bytes)
{
    struct dl_plan_limits limits = limits_of(tile_bytes);
    uint64_t *tags = model_make(table, n, from), *want = model_make(table, n, to);
    struct dl_plan plan;

    limits.aside_bytes = aside_bytes;
    ck_assert_int_eq(dl_plan_make(table, n, from, to, &limits, &plan), DL_OK);
    for (size_t s = 0; s < plan.step_count; s++)
        step_run(&plan.steps[s], tags, 1);
    ck_assert_int_eq(memcmp(tags, want, n * table->struct_bytes * sizeof *tags), 0);
    dl_plan_free(&plan);
    free(tags);
    free(want);
}

START_TEST(plans_lead_there)
{
    static const uint64_t tile_bytes[] = {1, 400, 5000, 1 << 20};
    struct dl_leaf_table table = table_make(mixes[_i]);

    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (size_t a = 0; a < LAYOUTS; a++)
            for (size_t b = 0; b < LAYOUTS; b++)
                for (size_t t = 0; t < 8; t++)
                    check_plan(&table, counts[c], layouts[a], layouts[b],
                               tile_bytes[t % 4], t < 4 ? 0 : 40000);
    dl_leaf_table_free(&table);
}
END_TEST

/* A prime number of structs goes to exact SoA by DL's own DA and a slide, both ways. */
START_TEST(plans_slide_where_no_tile_divides)
{
    static const uint64_t primes[] = {65537, 65539, 131071};
    static const unsigned widths[][4] = {{4, 4, 8}, {8, 8}, {4, 4, 4}};
    struct dl_layout aos = {DL_LAYOUT_AOS, 0}, soa = {DL_LAYOUT_SOA, 0};
    struct dl_leaf_table table = table_make(widths[_i]);
    struct dl_plan_limits limits = limits_of(48 << 10);
    struct dl_plan plan;

    ck_assert_int_eq(dl_plan_make(&table, primes[_i], aos, soa, &limits, &plan), DL_OK);
    ck_assert_uint_ge(plan.step_count, 3); /* 4, but for a tail of one struct */
    ck_assert_uint_gt(plan.steps[plan.step_count - 1].tail_rows, 0);
    dl_plan_free(&plan);
    check_plan(&table, primes[_i], aos, soa, 48 << 10, 0);
    check_plan(&table, primes[_i], soa, aos, 48 << 10, 0);
    check_plan(&table, primes[_i], soa, (struct dl_layout){DL_LAYOUT_DA, 32}, 48 << 10,
               0);
    dl_leaf_table_free(&table);
}
END_TEST

START_TEST(plans_are_short)
{
    static const struct {
        uint64_t n;
        struct dl_layout from, to;
        size_t steps;
    } cases[] = {
        {1 << 20, {DL_LAYOUT_AOS, 0}, {DL_LAYOUT_ASTA, 32}, 1},
        {(1 << 20) + 5, {DL_LAYOUT_AOS, 0}, {DL_LAYOUT_ASTA, 32}, 1},
        {1 << 20, {DL_LAYOUT_DA, 32}, {DL_LAYOUT_AOS, 0}, 2},
        {(1 << 20) + 5, {DL_LAYOUT_DA, 32}, {DL_LAYOUT_AOS, 0}, 2},
        /* Small enough to go in one step. */
        {(1 << 10) + 5, {DL_LAYOUT_DA, 32}, {DL_LAYOUT_AOS, 0}, 1},
        {1021, {DL_LAYOUT_AOS, 0}, {DL_LAYOUT_SOA, 0}, 1},
        {1 << 20, {DL_LAYOUT_AOS, 0}, {DL_LAYOUT_SOA, 0}, 2},
        {(1 << 20) + 5, {DL_LAYOUT_ASTA, 32}, {DL_LAYOUT_DA, 32}, 1},
        {(1 << 20) + 5, {DL_LAYOUT_DA, 32}, {DL_LAYOUT_ASTA, 32}, 1},
        {100, {DL_LAYOUT_AOS, 0}, {DL_LAYOUT_SOA, 0}, 1},
        {20, {DL_LAYOUT_AOS, 0}, {DL_LAYOUT_ASTA, 32}, 1},
        {20, {DL_LAYOUT_SOA, 0}, {DL_LAYOUT_ASTA, 32}, 0},
        {1 << 20, {DL_LAYOUT_SOA, 0}, {DL_LAYOUT_ASTA, 32}, 1},
        {1 << 20, {DL_LAYOUT_ASTA, 32}, {DL_LAYOUT_SOA, 0}, 1},
        {(1 << 20) + 5, {DL_LAYOUT_SOA, 0}, {DL_LAYOUT_ASTA, 32}, 2},
        {(1 << 20) + 5, {DL_LAYOUT_ASTA, 32}, {DL_LAYOUT_SOA, 0}, 2},
        {1 << 20, {DL_LAYOUT_AOS, 0}, {DL_LAYOUT_ASTA, 1}, 0},
        {1, {DL_LAYOUT_AOS, 0}, {DL_LAYOUT_DA, 8}, 0},
    };
    struct dl_leaf_table table = table_make(mixes[3]);
    struct dl_plan_limits limits = limits_of(48 << 10);
    struct dl_plan plan;

    limits.aside_bytes = 64 << 10;
    ck_assert_int_eq(
        dl_plan_make(&table, cases[_i].n, cases[_i].from, cases[_i].to, &limits, &plan),
        DL_OK);
    ck_assert_uint_eq(plan.step_count, cases[_i].steps);
    dl_plan_free(&plan);
    dl_leaf_table_free(&table);
}
END_TEST

/* Of a program that has arrays itself, its own layout is SoA. */
START_TEST(arrays_are_a_programs_own)
{
    static const uint64_t structs[] = {1, 5, 32, 1 << 10, 1021};
    static const struct dl_layout own = {DL_LAYOUT_AOS, 0}, soa = {DL_LAYOUT_SOA, 0};
    struct dl_leaf_table table = table_make(mixes[6]), copy;
    struct dl_plan_limits limits = limits_of(400);

    table.arrays = true;
    ck_assert_int_eq(dl_leaf_table_copy(&table, &copy), DL_OK);
    ck_assert(dl_leaf_table_equal(&table, &copy));
    copy.arrays = false;
    ck_assert(!dl_leaf_table_equal(&table, &copy));
    for (size_t s = 0; s < sizeof structs / sizeof *structs; s++) {
        struct dl_layout to = layouts[_i];
        uint64_t n = structs[s], *tags, *want;
        struct dl_plan plan;

        if (to.kind == DL_LAYOUT_AOS)
            to = soa;
        tags = model_make(&table, n, soa);
        want = model_make(&table, n, to);
        ck_assert_int_eq(dl_plan_make(&table, n, own, to, &limits, &plan), DL_OK);
        for (size_t i = 0; i < plan.step_count; i++)
            step_run(&plan.steps[i], tags, 1);
        ck_assert_int_eq(memcmp(tags, want, n * table.struct_bytes * sizeof *tags), 0);
        dl_plan_free(&plan);
        ck_assert_int_eq(dl_plan_make(&table, n, to, own, &limits, &plan), DL_OK);
        for (size_t i = 0; i < plan.step_count; i++)
            step_run(&plan.steps[i], want, 1);
        free(tags);
        tags = model_make(&table, n, soa);
        ck_assert_int_eq(memcmp(tags, want, n * table.struct_bytes * sizeof *tags), 0);
        dl_plan_free(&plan);
        free(tags);
        free(want);
    }
    dl_leaf_table_free(&table);
    dl_leaf_table_free(&copy);
}
END_TEST

START_TEST(overflow_is_named)
{
    struct dl_leaf_table table = table_make(mixes[3]);
    struct dl_plan_limits limits = limits_of(48 << 10);
    struct dl_layout aos = {DL_LAYOUT_AOS, 0}, asta = {DL_LAYOUT_ASTA, 32};
    static const uint64_t huge[] = {UINT64_C(1) << 40, UINT64_C(1) << 40};
    static const unsigned order[] = {1, 0}, no_order[] = {1, 1};
    struct dl_plan plan;

    ck_assert_int_eq(dl_plan_make(&table, INT64_MAX / 48 + 1, aos, asta, &limits, &plan),
                     DL_EOVERFLOW);
    ck_assert_int_eq(dl_plan_make(&table, INT64_MAX / 48, aos, asta, &limits, &plan),
                     DL_OK);
    dl_plan_free(&plan);
    limits.super_count = 0; /* of a device that nothing is known of */
    ck_assert_int_eq(dl_plan_make(&table, 1000, aos, asta, &limits, &plan), DL_EINVAL);
    ck_assert_int_eq(dl_plan_permute(huge, order, 2, 4, &plan), DL_EOVERFLOW);
    ck_assert_int_eq(dl_plan_permute(huge, no_order, 2, 4, &plan), DL_EINVAL);
    dl_leaf_table_free(&table);
}
END_TEST

START_TEST(permuted_dimensions)
{
    static const struct {
        size_t dimensions;
        uint64_t extents[4];
        unsigned order[4];
        size_t steps;
    } cases[] = {
        {3, {5, 4, 3}, {0, 2, 1}, 1},       /* 010!: AoS -> ASTA */
        {3, {5, 4, 3}, {1, 0, 2}, 1},       /* 100!: ASTA -> DA */
        {3, {5, 4, 3}, {2, 0, 1}, 1},       /* AoS -> SoA of tiles */
        {4, {2, 3, 4, 5}, {0, 2, 1, 3}, 1}, /* 0100! */
        {4, {2, 3, 4, 5}, {0, 1, 3, 2}, 1}, /* 0010! */
        {4, {2, 3, 4, 5}, {1, 0, 2, 3}, 1}, /* 1000! */
        {4, {2, 3, 4, 5}, {3, 2, 1, 0}, 3},
        {4, {2, 3, 4, 5}, {3, 1, 0, 2}, 2},
        {4, {2, 1, 4, 5}, {1, 0, 2, 3}, 0},
        {4, {2, 0, 4, 5}, {1, 3, 2, 0}, 0},
        {2, {7, 9}, {0, 1}, 0},
    };
    size_t dims = cases[_i].dimensions;
    const uint64_t *extents = cases[_i].extents;
    uint64_t total = 1, *tags, strides[4];
    struct dl_plan plan;

    for (size_t d = dims; d-- > 0; total *= extents[d])
        strides[d] = total;
    tags = calloc(total + 1, sizeof *tags);
    for (uint64_t x = 0; x < total; x++)
        tags[x] = x;
    ck_assert_int_eq(dl_plan_permute(extents, cases[_i].order, dims, 4, &plan), DL_OK);
    ck_assert_uint_eq(plan.step_count, cases[_i].steps);
    for (size_t s = 0; s < plan.step_count; s++)
        step_run(&plan.steps[s], tags, 4);
    for (uint64_t x = 0; x < total; x++) {
        uint64_t rest = x, old = 0;
        for (size_t d = dims; d-- > 0;) {
            unsigned from = cases[_i].order[d];
            old += rest % extents[from] * strides[from];
            rest /= extents[from];
        }
        ck_assert_uint_eq(tags[x], old);
    }
    dl_plan_free(&plan);
    free(tags);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("layout");
    TCase *tcase = tcase_create("layout");
    SRunner *runner;
    int failed;

    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, gaps_become_aligned_padding);
    tcase_add_test(tcase, a_struct_of_nothing_is_padding);
    tcase_add_loop_test(tcase, bad_fields_are_refused, 0, 6);
    tcase_add_loop_test(tcase, the_unit_is_known, 0, 7);
    tcase_add_loop_test(tcase, the_formula_is_the_model, 0, MIXES);
    tcase_add_loop_test(tcase, leaves_are_moved_by_the_formula, 0, MIXES);
    tcase_add_test(tcase, equal_tilings_are_equal_models);
    tcase_add_test(tcase, tile_zero_is_refused);
    tcase_add_loop_test(tcase, plans_lead_there, 0, MIXES);
    tcase_add_loop_test(tcase, plans_slide_where_no_tile_divides, 0, 3);
    tcase_add_loop_test(tcase, plans_are_short, 0, 18);
    tcase_add_loop_test(tcase, arrays_are_a_programs_own, 0, LAYOUTS);
    tcase_add_test(tcase, overflow_is_named);
    tcase_add_loop_test(tcase, permuted_dimensions, 0, 11);
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
