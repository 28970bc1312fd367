/* SPDX-License-Identifier: MIT */
/* Claim: layouts are derived as in Sung 2013, 6.3: the running example gets the thesis's
 * layout from the thesis's matrices, and grids of solvers the layouts that were derived
 * by hand beside them. */
#include <check.h>
#include <string.h>

#include "layout/derive.h"

enum { GX = DL_GRID_GROUP, LX = DL_GRID_LOCAL, X = DL_GRID_GLOBAL, Y = X + 1, Z = X + 2 };

/* The GPU of the thesis: 4-byte elements; address bits [5:2] say where in a burst, [13:6]
 * steer. */
static const struct dl_grid_memory tesla = {4, 8};
static const struct dl_grid_launch groups_of_128 = {{128, 1, 1}, {0, 0, 0}, 32};

static void layout_expect(const struct dl_grid_layout *got,
                          const struct dl_grid_strip *want, uint32_t count)
{
    ck_assert_uint_eq(got->strip_count, count);
    for (uint32_t s = 0; s < count; s++) {
        ck_assert_uint_eq(got->strips[s].dim, want[s].dim);
        ck_assert_uint_eq(got->strips[s].low, want[s].low);
        ck_assert_uint_eq(got->strips[s].bits, want[s].bits);
    }
}

/* ---- listing 6.1 ---- */

enum { NORTH, EAST, WEST, SOUTH };

/* Rows y, x, k; columns blockIdx.x, threadIdx.x, 1, as printed. */
static const int64_t printed[][3][3] = {
    {{1, 0, 1}, {0, 1, 1}, {0, 0, EAST}},  /* A0[j][i][E] */
    {{1, 0, 1}, {0, 1, 1}, {0, 0, WEST}},  /* A0[j][i][W] */
    {{1, 0, 0}, {0, 1, 1}, {0, 0, NORTH}}, /* Anext[j - 1][i][N] */
    {{1, 0, 2}, {0, 1, 1}, {0, 0, SOUTH}}, /* Anext[j + 1][i][S] */
};

static struct dl_grid_access access_of(const int64_t matrix[3][3])
{
    struct dl_grid_access access = {0};

    for (int d = 0; d < 3; d++) {
        access.coefficients[d][GX] = matrix[d][0];
        access.coefficients[d][LX] = matrix[d][1];
        access.constants[d] = matrix[d][2];
    }
    return access;
}

START_TEST(the_running_example_has_a_common_pattern)
{
    const struct dl_grid_access first = access_of(printed[0]);
    const struct dl_grid_access other = {.coefficients = {{[GX] = 2}, {[LX] = 1}}};

    for (size_t a = 0; a < sizeof printed / sizeof *printed; a++) {
        const struct dl_grid_access access = access_of(printed[a]);
        ck_assert(dl_grid_access_is_alike(&first, &access, 3));
    }
    ck_assert(!dl_grid_access_is_alike(&first, &other, 3));
}
END_TEST

START_TEST(the_running_example_gets_the_thesiss_layout)
{
    /* y[*] x[*] k y[4:0] x[6:0]: ceil(ny / 2^5), ceil(nx / 2^7), 4, 2^5, 2^7 */
    static const struct dl_grid_strip want[] = {
        {0, 5, 0}, {1, 7, 0}, {2, 0, 0}, {0, 0, 5}, {1, 0, 7}};
    static const struct dl_grid grids[] = {{3, {0, 0, 4}}, {3, {2048, 4096, 4}}};
    const struct dl_grid_access access = access_of(printed[_i / 2]);
    struct dl_grid_derivation got;

    ck_assert_int_eq(
        dl_grid_derive(&grids[_i % 2], &access, &groups_of_128, &tesla, &got), DL_OK);
    ck_assert_uint_eq(got.busy_bits[0], 0x1f); /* five of blockIdx.x */
    ck_assert_uint_eq(got.busy_bits[1], 0x7f); /* seven of threadIdx.x */
    ck_assert_uint_eq(got.busy_bits[2], 0);
    ck_assert_uint_eq(got.fastest, 1);
    layout_expect(&got.layout, want, 5);
}
END_TEST

/* ---- by hand ---- */

static const struct {
    const char *label;
    struct dl_grid grid;
    struct dl_grid_access access;
    struct dl_grid_launch launch;
    struct dl_grid_memory memory;
    uint64_t busy[4];
    uint32_t strips;
    struct dl_grid_strip want[8];
} by_hand[] = {
    /* LBM as Parboil launches it, f[nz][ny][nx][20]: a group is a row of 128 cells,
     * groups go along y. 32 groups at once: y[4:0] and x[6:0] are busy. Burst: x[3:0];
     * steering: x[6:4] and y[4:0], all eight. */
    {"lbm, a row a group",
     {4, {128, 128, 128, 20}},
     {{{[GX + 1] = 1}, {[GX] = 1}, {[LX] = 1}}, {0}},
     {{128, 1, 1}, {128, 128, 1}, 32},
     {4, 8},
     {0, 0x1f, 0x7f, 0},
     5, /* x lies there as a whole */
     {{0, 0, 0}, {1, 5, 0}, {3, 0, 0}, {1, 0, 5}, {2, 0, 0}}},
    /* samples/lbm: global ids, groups of 64 along x, two to a row of 128. Of 32 groups 2
     * lie along x, 16 along y: x[6:0] and y[3:0]. z[*] y[*] k y[3:0] x: one steering bit
     * is left. */
    {"lbm, global ids",
     {4, {100, 120, 128, 20}},
     {{{[Z] = 1}, {[Y] = 1}, {[X] = 1}}, {0}},
     {{64, 1, 1}, {2, 120, 100}, 32},
     {4, 8},
     {0, 0xf, 0x7f, 0},
     5,
     {{0, 0, 0}, {1, 4, 0}, {3, 0, 0}, {1, 0, 4}, {2, 0, 0}}},
    /* samples/heat: f[nz][ny][nx] of 512^3, groups of 32 x 4: 16 along x, 2 along y of 32
     * at once: x is busy in all nine bits, y in [2:0]. x[3:0] in the burst, x[8:4] and
     * y[2:0] steer: rows of y are in place already, the layout is the program's own. */
    {"heat, rows that a round of groups fills",
     {3, {512, 512, 512}},
     {{{[Z] = 1}, {[Y] = 1}, {[X] = 1}}, {0}},
     {{32, 4, 1}, {16, 128, 512}, 32},
     {4, 8},
     {0, 7, 0x1ff},
     3,
     {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}},
    /* The same with 4096 along x and groups along z (get_group_id(0) is z): x[4:0],
     * y[1:0], z[4:0]; x[3:0] burst, then x[4] y[1:0] z[4:0] steer, in that order upwards.
     */
    {"heat, groups along z",
     {3, {64, 64, 4096}},
     {{{[GX] = 1}, {[LX + 1] = 1, [GX + 2] = 4}, {[LX] = 1, [GX + 1] = 32}}, {0}},
     {{32, 4, 1}, {64, 128, 16}, 32},
     {4, 8},
     {0x1f, 3, 0x1f},
     6,
     {{0, 5, 0}, {1, 2, 0}, {2, 5, 0}, {0, 0, 5}, {1, 0, 2}, {2, 0, 5}}},
    /* Red-black with each colour's cells two apart, p[nz][ny][nx]: x = 2 *
     * get_global_id(0) + 1. Groups of 64, 4 of them a row of 512 cells, 32 at once: ids
     * [5:0] and [7:6], doubled: x[8:1]; y[2:0]. Bit 0 of x is not busy and stays below. x
     * has nine bits in all: own layout again but with y. */
    {"red-black cells two apart",
     {3, {256, 256, 512}},
     {{{[Z] = 1}, {[Y] = 1}, {[X] = 2}}, {0, 0, 1}},
     {{64, 1, 1}, {4, 256, 256}, 32},
     {4, 8},
     {0, 7, 0x1fe},
     3,
     {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}},
    /* samples/cfd: all cells have a work-item, half of them idle, rows of 300 in groups
     * of 64: 5 groups a row (4 of them have all their values: 2 bits), so of 32 groups 6
     * rows: y[1:0]. */
    {"cfd, a row that is no power of two, vectors of four",
     {4, {64, 300, 300, 4}},
     {{{[Z] = 1}, {[Y] = 1}, {[X] = 1}}, {0}},
     {{64, 1, 1}, {5, 300, 64}, 32},
     {4, 5},
     {0, 3, 0xff, 0},
     6,
     {{0, 0, 0}, {1, 1, 0}, {2, 8, 0}, {3, 0, 0}, {1, 0, 1}, {2, 0, 8}}},
    /* Groups of one work-item, 8 along x, 64 at once: three bits each; the burst takes
     * four of x, the fastest, though only three are busy. */
    {"single work-items",
     {3, {4096, 4096, 4}},
     {{{[GX + 1] = 1}, {[GX] = 1}}, {0}},
     {{1, 1, 1}, {8, 100, 1}, 64},
     {4, 8},
     {7, 7, 0},
     5,
     {{0, 3, 0}, {1, 4, 0}, {2, 0, 0}, {0, 0, 3}, {1, 0, 4}}},
    /* No bit steers, bursts of 32 words: ASTA with tiles of one burst. */
    {"no steering bits",
     {2, {1000000, 20}},
     {{{[X] = 1}}, {0}},
     {{256, 1, 1}, {3907, 1, 1}, 1000},
     {5, 0},
     {0x1ffff, 0},
     3,
     {{0, 5, 0}, {1, 0, 0}, {0, 0, 5}}},
    /* Nothing depends on ids. */
    {"one element for all",
     {2, {16, 16}},
     {{{0}}, {3, 4}},
     {{128, 1, 1}, {0, 0, 0}, 32},
     {4, 8},
     {0, 0},
     2,
     {{0, 0, 0}, {1, 0, 0}}},
    /* Downwards, in units of 96: ids 0..31 of groups change bits [11:5] of 96 * id, those
     * in a group [5:0] (64 of 96 values are all of a power of two). */
    {"backwards, groups of 96",
     {2, {1 << 20, 8}},
     {{{[X] = -1}}, {(1 << 20) - 1, 0}},
     {{96, 1, 1}, {0, 0, 0}, 32},
     {4, 4},
     {0xfff, 0},
     3,
     {{0, 8, 0}, {1, 0, 0}, {0, 0, 8}}},
};

START_TEST(solvers_get_what_was_derived_by_hand)
{
    struct dl_grid_derivation got;
    ck_assert_int_eq(dl_grid_derive(&by_hand[_i].grid, &by_hand[_i].access,
                                    &by_hand[_i].launch, &by_hand[_i].memory, &got),
                     DL_OK);
    for (uint32_t d = 0; d < by_hand[_i].grid.dim_count; d++)
        ck_assert_msg(got.busy_bits[d] == by_hand[_i].busy[d], "%s: dimension %u: %llx",
                      by_hand[_i].label, d, (unsigned long long)got.busy_bits[d]);
    layout_expect(&got.layout, by_hand[_i].want, by_hand[_i].strips);
}
END_TEST

/* ---- any ---- */

static uint64_t state = 12345;

static uint64_t random_below(uint64_t end)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (state >> 33) % end;
}

/* Each dimension's strips go from all its bits down to bit 0 without a gap. */
static void layout_check(const struct dl_grid *grid, const struct dl_grid_layout *layout)
{
    int low[DL_GRID_DIMS_MAX];

    memset(low, -1, sizeof low);
    for (uint32_t s = 0; s < layout->strip_count; s++) {
        struct dl_grid_strip strip = layout->strips[s];

        ck_assert_uint_lt(strip.dim, grid->dim_count);
        if (low[strip.dim] < 0)
            ck_assert_uint_eq(strip.bits, 0);
        else
            ck_assert_int_eq(strip.low + strip.bits, low[strip.dim]);
        low[strip.dim] = strip.low;
    }
    for (uint32_t d = 0; d < grid->dim_count; d++)
        ck_assert_int_eq(low[d], 0);
}

START_TEST(any_matrix_gives_a_right_layout)
{
    for (int n = 0; n < 2000; n++) {
        struct dl_grid grid = {(uint32_t)(1 + random_below(8)), {0}};
        struct dl_grid_access access = {0};
        struct dl_grid_launch launch = {{0}, {0}, 1 + random_below(5000)};
        struct dl_grid_memory memory = {(uint32_t)random_below(8),
                                        (uint32_t)random_below(12)};
        struct dl_grid_derivation got;

        for (int d = 0; d < 3; d++) {
            launch.group_sizes[d] = 1 + random_below(300);
            launch.group_counts[d] = random_below(400);
        }
        for (uint32_t d = 0; d < grid.dim_count; d++) {
            grid.extents[d] = random_below(3) ? 1 + random_below(2000) : random_below(3);
            for (int c = 0; c < DL_GRID_COLUMNS; c++)
                access.coefficients[d][c] =
                    random_below(3) ? 0 : (int64_t)random_below(40) - 20;
            if (random_below(50) == 0)
                access.coefficients[d][0] = INT64_MIN + (int64_t)random_below(2);
        }
        ck_assert_int_eq(dl_grid_derive(&grid, &access, &launch, &memory, &got), DL_OK);
        layout_check(&grid, &got.layout);
    }
}
END_TEST

/* How many groups are resident hangs on a kernel's registers and local memory, which a
 * device's file does not know; it decides only where address bits steer. */
START_TEST(residence_decides_where_bits_steer_alone)
{
    const struct dl_grid grid = {4, {64, 64, 128, 20}};
    const struct dl_grid_access access = {
        .coefficients = {{[Z] = 1}, {[Y] = 1}, {[X] = 1}}};
    const struct dl_grid_memory memories[] = {tesla, {5, 0}};
    bool differs[2] = {false, false};

    for (int m = 0; m < 2; m++)
        for (uint64_t groups = 1; groups <= 1 << 20; groups *= 2) {
            const struct dl_grid_launch launch = {{64, 1, 1}, {2, 64, 64}, groups};
            static struct dl_grid_derivation first;
            struct dl_grid_derivation got;

            ck_assert_int_eq(dl_grid_derive(&grid, &access, &launch, &memories[m], &got),
                             DL_OK);
            if (groups == 1)
                first = got;
            differs[m] =
                differs[m] || memcmp(&first.layout, &got.layout, sizeof got.layout) != 0;
        }
    ck_assert(differs[0] && !differs[1]);
}
END_TEST

START_TEST(what_cannot_be_is_refused)
{
    static const struct dl_grid grids[] = {
        {0, {0}}, {9, {0}}, {1, {8}}, {1, {8}}, {1, {8}}};
    static const struct dl_grid_launch launches[] = {{{1, 1, 1}, {0}, 1},
                                                     {{1, 1, 1}, {0}, 1},
                                                     {{1, 0, 1}, {0}, 1},
                                                     {{1, 1, 1}, {0}, 0},
                                                     {{1, 1, 1}, {0}, 1}};
    static const struct dl_grid_memory memories[] = {
        {4, 8}, {4, 8}, {4, 8}, {4, 8}, {60, 4}};
    const struct dl_grid_access access = {0};
    struct dl_grid_derivation got = {.fastest = 77};

    ck_assert_int_eq(
        dl_grid_derive(&grids[_i], &access, &launches[_i], &memories[_i], &got),
        DL_EINVAL);
    ck_assert_uint_eq(got.fastest, 77);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("derived layouts");
    TCase *tests = tcase_create("all");
    SRunner *runner;
    int failed;

    tcase_add_test(tests, the_running_example_has_a_common_pattern);
    tcase_add_loop_test(tests, the_running_example_gets_the_thesiss_layout, 0, 8);
    tcase_add_loop_test(tests, solvers_get_what_was_derived_by_hand, 0,
                        sizeof by_hand / sizeof *by_hand);
    tcase_add_test(tests, any_matrix_gives_a_right_layout);
    tcase_add_test(tests, residence_decides_where_bits_steer_alone);
    tcase_add_loop_test(tests, what_cannot_be_is_refused, 0, 5);
    suite_add_tcase(suite, tests);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
