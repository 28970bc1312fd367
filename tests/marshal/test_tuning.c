/* SPDX-License-Identifier: MIT */
/* Claim: the file of a device's name gives the knobs of a family and size; what somebody
 * has set by hand stays, also where it is what it was; other devices have their kind's;
 * every number of a file that ships is one that a room wants, every room finds all of its
 * own, and what tune writes says the same as what it was made of. */
#include <check.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "marshal_kernels/internal.h"
#include "marshal_kernels/steps.h"
#include "transpose/tuning.h"

static struct dl__engine engine;
static struct dl__steps steps;
static const struct dl__device_file made_up = {"made-up",
                                               "device that is made up\n"
                                               "like cpu\n"
                                               "tile_group=5,tile_items=6\n"
                                               "each_tiles=7\n"
                                               "chunk 0 tile_group=64\n"
                                               "# chunk 1 tile_group=1\n"
                                               "chunk 1000 tile_group=96,tile_items=2\n"
                                               "each 0 each_tiles=3\n"
                                               "chunk 2000 tile_items=9\n"};

static void setup(void)
{
    engine.file = &made_up;
    dl__steps_open(&steps, &engine);
}

START_TEST(a_line_holds_up_to_the_next)
{
    static const struct {
        uint64_t bytes;
        unsigned group, items;
    } sizes[] = {{0, 64, 6}, {999, 64, 6}, {1000, 96, 2}, {1999, 96, 2}, {2000, 5, 9}};

    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        struct dl__knobs knobs = dl__steps_knobs(&steps, "chunk", sizes[s].bytes);
        ck_assert_uint_eq(knobs.tile_group, sizes[s].group);
        ck_assert_uint_eq(knobs.tile_items, sizes[s].items);
        ck_assert_uint_eq(knobs.each_tiles, 7);
    }
    ck_assert_uint_eq(dl__steps_knobs(&steps, "each", 1).each_tiles, 3);
    ck_assert_uint_eq(dl__steps_knobs(&steps, "cut", 1).tile_group, 5);
}
END_TEST

START_TEST(what_is_set_by_hand_stays)
{
    ck_assert(DL__STEPS_SET(&steps, tile_group, 11));
    ck_assert_uint_eq(dl__steps_knobs(&steps, "chunk", 1500).tile_group, 11);
    ck_assert_uint_eq(dl__steps_knobs(&steps, "chunk", 1500).tile_items, 2);
    ck_assert(!dl__steps_set(&steps, "tile_grou", 9, 1));
    ck_assert(!dl__steps_set(&steps, "tile_groups", 11, 1));
}
END_TEST

/* To what it is anyway, which the line for 1500 bytes would change. */
START_TEST(a_default_that_is_set_by_hand_stays)
{
    ck_assert_uint_eq(steps.knobs.tile_group, 5);
    ck_assert(DL__STEPS_SET(&steps, tile_group, 5));
    ck_assert_uint_eq(dl__steps_knobs(&steps, "chunk", 1500).tile_group, 5);
    ck_assert_uint_eq(dl__steps_knobs(&steps, "chunk", 1500).tile_items, 2);
}
END_TEST

START_TEST(what_a_file_does_not_say_is_as_in_the_one_it_is_like)
{
    ck_assert_uint_eq(steps.knobs.cut_span, 512);     /* cpu.device */
    ck_assert_uint_eq(steps.knobs.tile_bytes, 49152); /* gpu.device, by way of that */
}
END_TEST

START_TEST(a_device_without_a_file_is_of_its_kind)
{
    ck_assert_str_eq(dl__device_file_find("a device of another kind", false)->name,
                     "gpu");
    ck_assert_str_eq(dl__device_file_find("a device of another kind", true)->name, "cpu");
}
END_TEST

START_TEST(shipped_files_are_found)
{
    engine.file = dl__device_file_find("NVIDIA H200 NVL", false);
    ck_assert_str_eq(engine.file->name, "h200");
    dl__steps_open(&steps, &engine);
    ck_assert_uint_eq(dl__steps_knobs(&steps, "chunk", 4096).tile_group, 64);
    engine.file = dl__device_file_find("pthread-skylake-avx512-AMD EPYC", true);
    ck_assert_str_eq(engine.file->name, "pocl");
    dl__steps_open(&steps, &engine);
    ck_assert_uint_eq(dl__steps_knobs(&steps, "each", 4096).each_tiles, 64);
}
END_TEST

/* What a default file says of speed is a guess. */
START_TEST(speeds_that_were_measured_are_known)
{
    struct dl_rates rates;

    dl_marshal_rates("NVIDIA H100 80GB HBM3", false, &rates);
    ck_assert_uint_eq(rates.copy_mb, 3010000);
    ck_assert_uint_eq(rates.copy_guess, 0);
    ck_assert_uint_eq(rates.group_gather_part, 780);
    dl_marshal_rates("NVIDIA H100 PCIe", false, &rates);
    ck_assert_uint_eq(rates.copy_guess, 1);
    dl_marshal_rates("pthread-skylake-avx512-AMD EPYC", true, &rates);
    ck_assert_uint_eq(rates.copy_guess, 1);
}
END_TEST

/* ---- every number of every file ---- */

static const struct {
    const struct dl__number_table *table;
    size_t bytes;
} rooms[] = {{&dl__marshal_numbers.knobs, sizeof(struct dl__knobs)},
             {&dl__marshal_numbers.limits, sizeof(struct dl_plan_limits)},
             {&dl__marshal_numbers.supers, sizeof(struct dl_super_time)},
             {&dl__tuning_table, sizeof(struct dl__tuning)},
             {&dl__marshal_numbers.rates, sizeof(struct dl_rates)},
             {&dl__marshal_numbers.struct_rates, sizeof(struct dl_struct_rate)}};

enum {
    ROOMS = sizeof rooms / sizeof *rooms,
    SUPERS = 2,
    STRUCTS = 5,
    VALUES_BYTES = 2048
};

START_TEST(every_number_of_a_file_is_wanted)
{
    const struct dl__number_table *tables[ROOMS];
    const struct dl__device_file bad[] = {
        {"", "# fine\ntile_grou=5\n"}, {"", "like cpu\ntile_group=5,\n"},
        {"", "tile_group\n\n"},        {"", "device x\nchunk tile_group=5\n"},
        {"", "like nothing\n"},        {"", "chunk 7 tile_group=\n"}};
    static const unsigned lines[] = {2, 0, 1, 2, 1, 1};

    for (size_t r = 0; r < ROOMS; r++)
        tables[r] = rooms[r].table;
    for (const struct dl__device_file *file = dl__device_files; file->name; file++)
        ck_assert_msg(dl__device_file_check(file, tables, ROOMS) == 0, "%s.device:%u",
                      file->name, dl__device_file_check(file, tables, ROOMS));
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++)
        ck_assert_uint_eq(dl__device_file_check(&bad[b], tables, ROOMS), lines[b]);
}
END_TEST

/* Whatever was there before: gpu.device has all of them. */
START_TEST(every_number_that_is_wanted_is_there)
{
    for (size_t r = 0; r < ROOMS; r++) {
        _Alignas(16) unsigned char zeros[VALUES_BYTES], ones[VALUES_BYTES];
        ck_assert_uint_le(rooms[r].bytes, VALUES_BYTES);
        memset(zeros, 0, sizeof zeros);
        memset(ones, 0xff, sizeof ones);
        for (int v = 0; v < 2; v++)
            dl__numbers_read(dl__device_file_named("gpu"),
                             r == SUPERS    ? "super"
                             : r == STRUCTS ? "struct"
                                            : NULL,
                             100, rooms[r].table, v ? ones : zeros);
        for (size_t n = 0; n < rooms[r].table->count; n++) {
            const struct dl__number *number = &rooms[r].table->numbers[n];
            ck_assert_msg(dl__number_get(number, zeros) == dl__number_get(number, ones),
                          "gpu.device has no %s", number->name);
        }
    }
}
END_TEST

START_TEST(plans_know_the_device)
{
    struct dl_plan_limits limits;

    engine.limits.local_bytes = 1000;
    dl__steps_plan_limits(&steps, &limits);
    ck_assert_uint_eq(limits.tile_bytes, 936); /* not all of local memory */
    ck_assert_uint_eq(limits.line_bytes, 128);
    ck_assert_uint_eq(limits.super_count, 6);
    ck_assert_uint_eq(limits.supers[0].bytes, 0);
    ck_assert_uint_eq(limits.supers[0].lines_time, 15000);
    ck_assert_uint_eq(limits.supers[5].bytes, 512);
    ck_assert_uint_eq(limits.supers[5].others_time, 1620);
}
END_TEST

/* The same numbers, in any language's spelling of them. */
START_TEST(what_is_written_is_read_again)
{
    const struct dl__device_file *h200 = dl__device_file_named("h200");
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    struct dl__tuning tuning = {0}, again = {0};
    struct dl__device_file written = {"written", NULL};
    static const char *const but[] = {"chunk", NULL};

    dl__numbers_read(h200, NULL, 0, &dl__tuning_table, &tuning);
    dl__numbers_print(out, &dl__tuning_table, &tuning);
    dl__numbers_print_families(out, h200, but);
    fclose(out);
    written.text = text;
    dl__numbers_read(&written, NULL, 0, &dl__tuning_table, &again);
    ck_assert_double_eq(tuning.panel_pass, 1.08);
    ck_assert_double_eq(tuning.hop_bytes, 400000);
    for (size_t n = 0; n < dl__tuning_table.count; n++)
        ck_assert_double_eq(dl__number_get(&dl__tuning_table.numbers[n], &tuning),
                            dl__number_get(&dl__tuning_table.numbers[n], &again));
    ck_assert_ptr_nonnull(strstr(text, "\ncut 1025 cut_stretches=2,cut_group=64\n"));
    ck_assert_ptr_nonnull(strstr(text, "\nsuper 512 plan_lines_time=1180"));
    ck_assert_ptr_null(strstr(text, "\nchunk "));
    free(text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tuning");
    TCase *tcase = tcase_create("tuning");
    SRunner *runner;
    int failed;

    setlocale(LC_ALL, ""); /* numbers have dots in any */
    tcase_add_checked_fixture(tcase, setup, NULL);
    tcase_add_test(tcase, a_line_holds_up_to_the_next);
    tcase_add_test(tcase, what_is_set_by_hand_stays);
    tcase_add_test(tcase, a_default_that_is_set_by_hand_stays);
    tcase_add_test(tcase, what_a_file_does_not_say_is_as_in_the_one_it_is_like);
    tcase_add_test(tcase, a_device_without_a_file_is_of_its_kind);
    tcase_add_test(tcase, shipped_files_are_found);
    tcase_add_test(tcase, speeds_that_were_measured_are_known);
    tcase_add_test(tcase, every_number_of_a_file_is_wanted);
    tcase_add_test(tcase, every_number_that_is_wanted_is_there);
    tcase_add_test(tcase, plans_know_the_device);
    tcase_add_test(tcase, what_is_written_is_read_again);
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
