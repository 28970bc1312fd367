/* SPDX-License-Identifier: MIT */
/* Claim: the moves that a permutation of axes is made of lead there, and no other
 * sequence is cheaper: rotations and swaps of equal axes take one move. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "layout/permute.h"

/* Swaps with axes between cost less than two moves, others as many bytes as they say. */
static double one(const void *state, const struct dl_move *move)
{
    (void)state, (void)move;
    return 1;
}

static double by_bytes(const void *state, const struct dl_move *move)
{
    (void)state;
    return 1 + 64.0 / (double)move->element_bytes;
}

static void move_apply(const struct dl_move *m, uint64_t *tags, uint64_t total)
{
    uint64_t *old = malloc(total * sizeof *old);
    uint64_t run = m->element_bytes / 4, all = m->rows * m->middle * m->columns;

    ck_assert_uint_eq(m->instances * all * run, total);
    memcpy(old, tags, total * sizeof *old);
    for (uint64_t i = 0; i < m->instances; i++)
        for (uint64_t x = 0; x < m->rows; x++)
            for (uint64_t y = 0; y < m->middle; y++)
                for (uint64_t z = 0; z < m->columns; z++)
                    memcpy(tags + (i * all + (z * m->middle + y) * m->rows + x) * run,
                           old + (i * all + (x * m->middle + y) * m->columns + z) * run,
                           run * sizeof *old);
    free(old);
}

static const struct {
    unsigned axes;
    uint64_t extents[8];
    unsigned order[8];
    size_t moves;
} cases[] = {
    {1, {5}, {0}, 0},
    {2, {5, 4}, {1, 0}, 1},
    {3, {5, 4, 3}, {0, 1, 2}, 0},
    {3, {5, 4, 3}, {1, 2, 0}, 1},
    {3, {5, 4, 3}, {2, 0, 1}, 1},
    {3, {5, 4, 3}, {1, 0, 2}, 1},
    {3, {5, 4, 3}, {2, 1, 0}, 2},
    {3, {5, 4, 5}, {2, 1, 0}, 1},
    {4, {2, 3, 4, 2}, {3, 1, 2, 0}, 1},
    {4, {2, 3, 4, 5}, {3, 2, 1, 0}, 3},
    {4, {2, 3, 3, 2}, {3, 2, 1, 0}, 2},
    {4, {2, 3, 4, 5}, {2, 3, 0, 1}, 1},
    {5, {2, 3, 4, 2, 3}, {4, 3, 2, 1, 0}, 3},
    {6, {2, 3, 2, 3, 2, 3}, {5, 4, 3, 2, 1, 0}, 3},
    {7, {2, 3, 2, 2, 3, 2, 2}, {6, 4, 5, 0, 3, 2, 1}, 0},
    {8, {2, 3, 2, 3, 2, 2, 2, 2}, {7, 5, 3, 1, 6, 4, 2, 0}, 0},
};

START_TEST(moves_lead_there)
{
    const uint64_t *extents = cases[_i].extents;
    unsigned axes = cases[_i].axes;
    uint64_t total = 1, strides[8], *tags;

    for (unsigned a = axes; a-- > 0; total *= extents[a])
        strides[a] = total;
    tags = calloc(3 * total, sizeof *tags);
    for (unsigned way = 0; way < 2; way++) {
        struct dl_move moves[DL_PERMUTE_MOVES_MAX];
        size_t count = 99;
        for (uint64_t x = 0; x < 3 * total; x++)
            tags[x] = x;
        ck_assert_int_eq(dl_permute_search(extents, cases[_i].order, axes, 3, 4,
                                           way ? by_bytes : one, NULL, moves, &count),
                         DL_OK);
        if (!way && (axes < 7))
            ck_assert_uint_eq(count, cases[_i].moves);
        for (size_t m = 0; m < count; m++)
            move_apply(&moves[m], tags, 3 * total);
        for (uint64_t x = 0; x < 3 * total; x++) {
            uint64_t rest = x % total, old = x / total * total;
            for (unsigned d = axes; d-- > 0;) {
                unsigned from = cases[_i].order[d];
                old += rest % extents[from] * strides[from];
                rest /= extents[from];
            }
            ck_assert_uint_eq(tags[x], old);
        }
    }
    free(tags);
}
END_TEST

START_TEST(too_many_axes_are_refused)
{
    static const uint64_t extents[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    static const unsigned order[9] = {8, 7, 6, 5, 4, 3, 2, 1, 0};
    struct dl_move moves[DL_PERMUTE_MOVES_MAX];
    size_t count = 99;

    ck_assert_int_eq(dl_permute_search(extents, order, 9, 1, 4, one, NULL, moves, &count),
                     DL_EINVAL);
    ck_assert_uint_eq(count, 99);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("permutations of axes");
    TCase *tests = tcase_create("all");
    SRunner *runner;
    int failed;

    tcase_add_loop_test(tests, moves_lead_there, 0, sizeof cases / sizeof *cases);
    tcase_add_test(tests, too_many_axes_are_refused);
    suite_add_tcase(suite, tests);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
