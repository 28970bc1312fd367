/* SPDX-License-Identifier: MIT */
/* Claim: members beside their structs have bytes of their own there, aligned, inside the second buffer,
 * however they were chosen; and what is chosen is in few runs of whole leaves. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layout/members.h"
#include "tests/common/must.h"
#include "tests/common/random_numbers.h"

enum { LEAVES_MAX = 40, TABLES = 200 };

static const uint32_t widths[] = {1, 2, 4, 8, 16, 12, 3};

/* Leaves of any widths, some of them padding. */
static struct dl_leaf_table random_table(uint64_t *random)
{
    struct dl_leaf fields[LEAVES_MAX];
    uint32_t count = 1 + random_choice(random, LEAVES_MAX - 1), offset = 0;
    struct dl_leaf_table table;

    for (uint32_t f = 0; f < count; f++) {
        fields[f] = (struct dl_leaf){offset, widths[random_choice(random, 7)]};
        offset += fields[f].width_bytes + random_choice(random, 2) * 4;
    }
    ck_assert_int_eq(dl_leaf_table_make(offset, fields, count, &table), DL_OK);
    return table;
}

static void check_places(const struct dl_members *members,
                         const struct dl_leaf_table *table, uint64_t structs)
{
    unsigned char *taken;
    uint64_t bytes;
    uint32_t before;

    ck_assert_int_eq(
        dl_members_buffer_bytes(members, table->struct_bytes, structs, &bytes), DL_OK);
    taken = calloc(1, (size_t)bytes + 1);
    for (uint32_t l = 0; l < table->leaf_count; l++) {
        struct dl_leaf leaf = table->leaves[l];

        if (!dl_members_find(members, table->struct_bytes, leaf, &before))
            continue;
        for (uint64_t i = 0; i < structs; i++) {
            uint64_t at = dl_members_byte(structs, before, leaf, i);

            MUST(at + leaf.width_bytes <= bytes);
            MUST(at % (leaf.width_bytes & -leaf.width_bytes) == 0);
            for (uint32_t b = 0; b < leaf.width_bytes; b++)
                if (taken[at + b]++)
                    ck_abort_msg("leaf %u, struct %u of %u", l, (unsigned)i,
                                 (unsigned)structs);
        }
    }
    free(taken);
}

START_TEST(each_member_has_bytes_of_its_own)
{
    uint64_t random = (uint64_t)_i + 1;
    struct dl_leaf_table table = random_table(&random);
    struct dl_members members = {0};
    bool picked[DL_LEAF_BYTES_MAX * LEAVES_MAX] = {false};
    uint32_t runs_max = 1 + random_choice(&random, DL_MEMBER_RUNS_MAX), before, bytes = 0;

    for (int rounds = 0; rounds < 2; rounds++) {
        memset(picked, 0, sizeof picked);
        for (uint32_t l = 0; l < table.leaf_count; l++)
            picked[l] = random_choice(&random, 3) == 0;
        ck_assert_int_eq(dl_members_add(&members, &table, picked, runs_max), DL_OK);
        ck_assert_uint_le(members.run_count, runs_max);
        for (uint32_t l = 0; l < table.leaf_count; l++)
            ck_assert(!picked[l] || dl_members_find(&members, table.struct_bytes,
                                                    table.leaves[l], &before));
    }
    for (uint32_t l = 0; l < table.leaf_count; l++)
        if (dl_members_find(&members, table.struct_bytes, table.leaves[l], &before))
            bytes += table.leaves[l].width_bytes;
    ck_assert_uint_eq(bytes, dl_members_bytes(&members, table.struct_bytes));
    check_places(&members, &table, 1 + random_choice(&random, 300));
    dl_leaf_table_free(&table);
}
END_TEST

START_TEST(structs_of_another_size_are_left_alone)
{
    const struct dl_leaf small[] = {{0, 4}, {4, 4}}, large[] = {{0, 8}, {8, 8}};
    const bool both[] = {true, true}, one[] = {false, true};
    struct dl_leaf_table a, b;
    struct dl_members members = {0}, own;
    uint32_t before;

    ck_assert_int_eq(dl_leaf_table_make(8, small, 2, &a), DL_OK);
    ck_assert_int_eq(dl_leaf_table_make(16, large, 2, &b), DL_OK);
    ck_assert_int_eq(dl_members_add(&members, &a, both, 8), DL_OK);
    ck_assert_int_eq(dl_members_add(&members, &b, one, 8), DL_OK);
    ck_assert_uint_eq(dl_members_bytes(&members, 8), 8);
    ck_assert_uint_eq(dl_members_bytes(&members, 16), 8);
    ck_assert(!dl_members_find(&members, 16, large[0], &before));
    ck_assert(dl_members_find(&members, 16, large[1], &before) && before == 0);
    own = dl_members_of(&members, 16);
    ck_assert_uint_eq(own.run_count, 1);
    ck_assert(!dl_members_equal(&own, &members));
    dl_leaf_table_free(&a);
    dl_leaf_table_free(&b);
}
END_TEST

/* The narrowest of what lies between is added, and no more than that. */
START_TEST(runs_that_are_too_many_are_joined)
{
    const struct dl_leaf fields[] = {{0, 4}, {4, 16}, {20, 4}, {24, 4}, {28, 4}};
    const bool picked[] = {true, false, true, false, true};
    struct dl_members members = {0};
    struct dl_leaf_table table;
    uint32_t before;

    ck_assert_int_eq(dl_leaf_table_make(32, fields, 5, &table), DL_OK);
    ck_assert_int_eq(dl_members_add(&members, &table, picked, 2), DL_OK);
    ck_assert_uint_eq(members.run_count, 2);
    ck_assert_uint_eq(dl_members_bytes(&members, 32), 16);
    ck_assert(!dl_members_find(&members, 32, fields[1], &before));
    ck_assert_int_eq(dl_members_add(&members, &table, picked, 1), DL_OK);
    ck_assert_uint_eq(dl_members_bytes(&members, 32), 32);
    dl_leaf_table_free(&table);
}
END_TEST

START_TEST(what_has_no_room_is_refused)
{
    const struct dl_leaf fields[] = {{0, 4}, {4, 4}};
    const bool picked[] = {true, false};
    struct dl_members members = {0}, was;
    struct dl_leaf_table table;
    uint64_t bytes = 7;

    for (uint32_t s = 0; s < DL_MEMBER_RUNS_MAX; s++)
        members.runs[members.run_count++] = (struct dl_member_run){100 + s, 0, 4};
    was = members;
    ck_assert_int_eq(dl_leaf_table_make(8, fields, 2, &table), DL_OK);
    ck_assert_int_eq(dl_members_add(&members, &table, picked, 8), DL_ENOTSUP);
    ck_assert(dl_members_equal(&members, &was));
    members.run_count = 0;
    table.arrays = true;
    ck_assert_int_eq(dl_members_add(&members, &table, picked, 8), DL_ENOTSUP);
    table.arrays = false;
    table.struct_bytes = DL_MEMBERS_STRUCT_BYTES_MAX + 1;
    ck_assert_int_eq(dl_members_add(&members, &table, picked, 8), DL_ENOTSUP);
    table.struct_bytes = 8;
    ck_assert_int_eq(dl_members_add(&members, &table, picked, 8), DL_OK);
    ck_assert_int_eq(dl_members_buffer_bytes(&members, 8, UINT64_MAX / 2, &bytes),
                     DL_EOVERFLOW);
    ck_assert_uint_eq(bytes, 7);
    dl_leaf_table_free(&table);
}
END_TEST

/* Two layouts with other members are not the same, and have other knobs. */
START_TEST(members_tell_layouts_apart)
{
    struct dl_layout a = {.kind = DL_LAYOUT_MEMBERS}, b;
    struct dl_layout_knobs knobs, of_a;

    for (uint32_t r = 0; r < DL_MEMBER_RUNS_MAX; r++)
        a.members.runs[a.members.run_count++] =
            (struct dl_member_run){DL_MEMBERS_STRUCT_BYTES_MAX, 60000 + r * 600, 500};
    b = a;
    ck_assert(dl_layout_equal(&a, &b));
    b.members.runs[7].bytes--;
    ck_assert(!dl_layout_equal(&a, &b));
    dl_layout_knobs(&b, &knobs);
    dl_layout_knobs(&a, &of_a);
    /* The longest there are still have their end. */
    ck_assert_ptr_nonnull(strstr(knobs.text, " -DDL_B7=499 -DDL_C7=3500"));
    ck_assert_str_eq(strstr(knobs.text, " -DDL_C7"), " -DDL_C7=3500");
    ck_assert_str_ne(knobs.text, of_a.text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("members");
    TCase *tcase = tcase_create("members");
    SRunner *runner;
    int failed;

    tcase_add_loop_test(tcase, each_member_has_bytes_of_its_own, 0, TABLES);
    tcase_add_test(tcase, structs_of_another_size_are_left_alone);
    tcase_add_test(tcase, runs_that_are_too_many_are_joined);
    tcase_add_test(tcase, what_has_no_room_is_refused);
    tcase_add_test(tcase, members_tell_layouts_apart);
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
