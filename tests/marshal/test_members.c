/* SPDX-License-Identifier: MIT */
/* Claim: members go to a second buffer and come back, of any structs and any choice of members; of the first
 * buffer, no other bytes change, on the way there none at all. */
#include "convert.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "layout/members.h"
#include "tests/common/random_numbers.h"

enum { SLACK_BYTES = 61, SHAPES = 12 };

static const struct dl_layout aos = {DL_LAYOUT_AOS, 0};

static void setup(void)
{
    device_open(&device);
    ck_assert_int_eq(dl_marshal_make(&device.cl, device.context, device.id, &marshal),
                     DL_OK);
}

static struct dl_layout pick(const struct dl_leaf_table *table, uint64_t *random)
{
    struct dl_layout layout = {.kind = DL_LAYOUT_MEMBERS};
    bool picked[256] = {false};

    for (uint32_t l = 0; l < table->leaf_count; l++)
        picked[l] = l == 0 || random_choice(random, 3) == 0;
    ck_assert_int_eq(dl_members_add(&layout.members, table, picked,
                                    1 + random_choice(random, DL_MEMBER_RUNS_MAX)),
                     DL_OK);
    return layout;
}

/* Between structs and members, by the formula. */
static void reference(const struct dl_leaf_table *table, uint64_t structs,
                      const struct dl_members *members, unsigned char *first,
                      unsigned char *beside, bool back)
{
    uint32_t before;

    for (uint32_t l = 0; l < table->leaf_count; l++) {
        struct dl_leaf leaf = table->leaves[l];

        if (!dl_members_find(members, table->struct_bytes, leaf, &before))
            continue;
        for (uint64_t i = 0; i < structs; i++) {
            unsigned char *in = first + i * table->struct_bytes + leaf.offset_bytes;
            unsigned char *at = beside + dl_members_byte(structs, before, leaf, i);

            memcpy(back ? in : at, back ? at : in, leaf.width_bytes);
        }
    }
}

static void check_way(const struct dl_leaf_table *table, uint64_t structs,
                      struct dl_layout layout, bool back)
{
    size_t bytes = (size_t)structs * table->struct_bytes + SLACK_BYTES;
    const struct dl_conversion *conversion;
    unsigned char *in, *other, *got, *got_other;
    cl_mem mem, beside;
    struct dl_rest *rest;
    uint64_t beside_bytes;
    cl_int err;

    ck_assert_int_eq(dl_members_buffer_bytes(&layout.members, table->struct_bytes,
                                             structs, &beside_bytes),
                     DL_OK);
    in = random_bytes(bytes, structs);
    other = random_bytes((size_t)beside_bytes, structs + 1);
    got = malloc(bytes);
    got_other = malloc((size_t)beside_bytes + 1);
    mem = clCreateBuffer(device.context, CL_MEM_COPY_HOST_PTR, bytes, in, &err);
    ck_assert_int_eq(err, CL_SUCCESS);
    beside = clCreateBuffer(device.context, CL_MEM_COPY_HOST_PTR, (size_t)beside_bytes,
                            other, &err);
    ck_assert_int_eq(err, CL_SUCCESS);
    ck_assert_int_eq(dl_marshal_prepare(marshal, table, structs, back ? layout : aos,
                                        back ? aos : layout, &conversion),
                     DL_OK);
    ck_assert_uint_eq(dl_conversion_workspace_bytes(conversion), 0);
    ck_assert_uint_eq(dl_conversion_traffic_bytes(conversion),
                      2 * structs *
                          dl_members_bytes(&layout.members, table->struct_bytes));
    ck_assert_int_eq(dl_marshal_enqueue_beside(marshal, device.queue, conversion, mem,
                                               beside, 0, NULL, NULL, NULL, &rest),
                     DL_OK);
    ck_assert_ptr_null(rest);
    clEnqueueReadBuffer(device.queue, mem, CL_TRUE, 0, bytes, got, 0, NULL, NULL);
    clEnqueueReadBuffer(device.queue, beside, CL_TRUE, 0, (size_t)beside_bytes, got_other,
                        0, NULL, NULL);
    reference(table, structs, &layout.members, in, other, back);
    ck_assert_msg(memcmp(in, got, bytes) == 0, "structs of %u bytes, %u of them, back %d",
                  table->struct_bytes, (unsigned)structs, back);
    ck_assert_msg(memcmp(other, got_other, (size_t)beside_bytes) == 0,
                  "beside structs of %u bytes, %u of them, back %d", table->struct_bytes,
                  (unsigned)structs, back);
    clReleaseMemObject(mem);
    clReleaseMemObject(beside);
    free(in);
    free(other);
    free(got);
    free(got_other);
}

static void check_shape(int number)
{
    static const unsigned wide[] = {4, 4, 8, 16, 1, 1, 2, 4, 16, 16, 12, 4, 0},
                          odd[] = {1, 2, 1, 3, 1, 5, 0}, one[] = {8, 0},
                          words[] = {4, 4, 4, 4, 4, 4, 4, 0};
    static const unsigned *const shapes[] = {odd, one, words, wide};
    static const uint64_t counts[] = {1, 127, 128, 129, 1021, 300};
    uint64_t random = (uint64_t)number + 1;
    struct dl_leaf_table table = table_make(shapes[number % 4]);
    struct dl_layout layout = pick(&table, &random);

    check_way(&table, counts[number * 5 % 6], layout, false);
    check_way(&table, counts[number * 5 % 6], layout, true);
    dl_leaf_table_free(&table);
}

START_TEST(members_go_and_come_back)
{
    check_shape(_i);
}
END_TEST

/* What a GPU has; of a CPU's choice the test before is. */
START_TEST(members_go_by_way_of_local_memory)
{
    DL__STEPS_SET(&marshal->steps, family, DL_FORCE_TILE);
    check_shape(_i);
}
END_TEST

START_TEST(what_is_no_choice_of_leaves_is_refused)
{
    struct dl_leaf_table table = table_make_equal(4, 6);
    struct dl_layout cut = {.kind = DL_LAYOUT_MEMBERS, .members = {1, {{24, 2, 4}}}},
                     whole = {.kind = DL_LAYOUT_MEMBERS, .members = {1, {{24, 4, 8}}}};
    const struct dl_layout asta = {DL_LAYOUT_ASTA, 32};
    const struct dl_conversion *conversion;

    ck_assert_int_eq(dl_marshal_prepare(marshal, &table, 100, aos, cut, &conversion),
                     DL_ENOTSUP);
    ck_assert_int_eq(dl_marshal_prepare(marshal, &table, 100, asta, whole, &conversion),
                     DL_ENOTSUP);
    ck_assert_int_eq(dl_marshal_prepare(marshal, &table, 100, whole, aos, &conversion),
                     DL_OK);
    dl_leaf_table_free(&table);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("members");
    TCase *tcase = tcase_create("members");
    SRunner *runner;
    int failed;

    tcase_set_timeout(tcase, 240);
    tcase_add_checked_fixture(tcase, setup, marshal_close);
    tcase_add_loop_test(tcase, members_go_and_come_back, 0, SHAPES);
    tcase_add_loop_test(tcase, members_go_by_way_of_local_memory, 0, 4);
    tcase_add_test(tcase, what_is_no_choice_of_leaves_is_refused);
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
