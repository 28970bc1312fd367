/* SPDX-License-Identifier: MIT */
/* Claim: steering bits and bursts are found where they are, on memories made up: one that
 * takes its channel from a field of the address, one that hashes it, one that slows down
 * with the stride for other reasons. */
#include <check.h>

#include "tools/dl-bench/steering/find.h"

enum { GROUPS = 4096, BANKS = 32, BURST = 64, PAIRS = 14 };

/* The channel and bank that an address goes to. */
typedef unsigned bank_of(uint64_t address);

/* Bits [10:6], as the thesis found them most important. */
static unsigned by_field(uint64_t address)
{
    return address >> 6 & (BANKS - 1);
}

static unsigned by_hash(uint64_t address)
{
    uint64_t mixed = (address >> 6) * UINT64_C(0x9e3779b97f4a7c15);

    return (unsigned)(mixed >> 59);
}

/* What requests at a stride get: all wait for the bank with the longest queue. */
static double rate_of(bank_of *bank, uint64_t stride)
{
    unsigned queue[BANKS] = {0}, longest = 0;

    for (uint64_t g = 0; g < GROUPS; g++) {
        unsigned *at = &queue[bank(g * stride)];

        longest = ++*at > longest ? *at : longest;
    }
    return (double)GROUPS / longest;
}

static uint64_t found(bank_of *bank, double slope)
{
    struct steering_pair pairs[PAIRS];
    double slower = 1;

    for (int p = 0; p < PAIRS; p++, slower *= slope) {
        pairs[p].stride_bytes = (uint64_t)2 * BURST << p;
        pairs[p].rate = slower * rate_of(bank, pairs[p].stride_bytes);
        pairs[p].rate_beside = slower * rate_of(bank, pairs[p].stride_bytes + BURST);
    }
    return steering_bits_find(pairs, PAIRS);
}

START_TEST(a_field_is_found)
{
    ck_assert_uint_eq(found(by_field, 1), 0x7c0);
    ck_assert_uint_eq(steering_bits_count(0x7c0, BURST), 5);
}
END_TEST

START_TEST(hashed_addresses_have_no_steering_bits)
{
    ck_assert_uint_eq(found(by_hash, 1), 0);
    ck_assert_uint_eq(steering_bits_count(0, BURST), 0);
}
END_TEST

START_TEST(what_slows_down_all_strides_is_not_a_bit)
{
    ck_assert_uint_eq(found(by_hash, 0.6), 0);
    ck_assert_uint_eq(found(by_field, 0.6), 0x7c0);
}
END_TEST

START_TEST(a_burst_is_where_strides_stop_to_cost)
{
    static const double tesla[] = {1000, 500, 250, 125, 62.5, 60, 60};
    static const double falling[] = {1000, 500, 250, 125};

    /* An H200: up to 16 bytes work-items are the limit, beyond 64 pages. */
    static const double h200[] = {1273, 1272.5, 1086.6, 523.4, 287.8, 202.9};
    static const double flat[] = {1000, 990, 980};

    ck_assert_uint_eq(steering_burst_find(h200, 6, 4), 64);
    ck_assert_uint_eq(steering_burst_find(flat, 3, 4), 0);
    ck_assert_uint_eq(steering_burst_find(tesla, 7, 4), 64);
    ck_assert_uint_eq(steering_burst_find(falling, 4, 4), 0);
}
END_TEST

START_TEST(bits_between_do_not_matter_for_their_number)
{
    ck_assert_uint_eq(steering_bits_count(0x2000, 64), 8); /* [13:6] */
    ck_assert_uint_eq(steering_bits_count(0x20, 64), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("steering bits");
    TCase *tests = tcase_create("all");
    SRunner *runner;
    int failed;

    tcase_add_test(tests, a_field_is_found);
    tcase_add_test(tests, hashed_addresses_have_no_steering_bits);
    tcase_add_test(tests, what_slows_down_all_strides_is_not_a_bit);
    tcase_add_test(tests, a_burst_is_where_strides_stop_to_cost);
    tcase_add_test(tests, bits_between_do_not_matter_for_their_number);
    suite_add_tcase(suite, tests);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
