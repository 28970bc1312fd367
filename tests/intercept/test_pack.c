/* SPDX-License-Identifier: MIT */
/* Claims: A digest is XXH128. Packed fields come back and are never read beyond their
 * end. */
#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/programs/pack.h"

/* ---- digests ---- */

enum { PARTS_MOST = 1000 };

static void hex_of(const char *data, size_t bytes, size_t part, char hex[33])
{
    struct dl__digest_part parts[PARTS_MOST];
    unsigned char digest[DL__DIGEST_BYTES];
    size_t count = 0;

    for (size_t at = 0; at < bytes; at += part)
        parts[count++] =
            (struct dl__digest_part){data + at, bytes - at < part ? bytes - at : part};
    ck_assert_uint_le(count, PARTS_MOST);
    dl__digest(parts, count, digest);
    for (size_t i = 0; i < sizeof digest; i++)
        sprintf(hex + 2 * i, "%02x", digest[i]);
}

/* What xxhsum -H128 prints, in parts of several lengths. */
START_TEST(a_digest_is_xxh128)
{
    static char million[1000000];
    const struct {
        const char *text;
        size_t bytes;
        const char *hex;
    } vectors[] = {{"", 0, "99aa06d3014798d86001c324468d497f"},
                   {"abc", 3, "06b05ab6733a618578af5f94892f3950"},
                   {million, sizeof million, "a545df8e384a9579b1fd6fae5285c4eb"}};
    char hex[33];

    memset(million, 'a', sizeof million);
    for (size_t v = 0; v < sizeof vectors / sizeof *vectors; v++)
        for (size_t part = vectors[v].bytes / PARTS_MOST + 1;
             part <= vectors[v].bytes + 1; part = part * 3 + 1) {
            hex_of(vectors[v].text, vectors[v].bytes, part, hex);
            ck_assert_str_eq(hex, vectors[v].hex);
        }
}
END_TEST

/* ---- fields ---- */

START_TEST(fields_come_back_and_are_not_read_beyond_the_end)
{
    struct dl__pack pack = {0};

    dl__pack_number(&pack, 77);
    dl__pack_text(&pack, NULL);
    dl__pack_text(&pack, "");
    dl__pack_bytes(&pack, "a\0b", 3);
    dl__pack_text(&pack, "text");
    ck_assert(!pack.failed);
    for (size_t cut = 0; cut <= pack.bytes; cut++) {
        /* Of its own size, so that a sanitizer sees a read behind it. */
        unsigned char *copy = malloc(cut + !cut);
        struct dl__unpack fields = {.data = copy, .bytes = cut};
        const unsigned char *bytes;
        const char *texts[3];
        uint64_t number;
        size_t count;

        memcpy(copy, pack.data, cut);
        number = dl__unpack_number(&fields);
        texts[0] = dl__unpack_text(&fields);
        texts[1] = dl__unpack_text(&fields);
        bytes = dl__unpack_bytes(&fields, &count);
        texts[2] = dl__unpack_text(&fields);
        ck_assert_int_eq(fields.failed, cut < pack.bytes);
        if (cut == pack.bytes) {
            ck_assert_uint_eq(number, 77);
            ck_assert_ptr_null(texts[0]);
            ck_assert_str_eq(texts[1], "");
            ck_assert_mem_eq(bytes, "a\0b", 3);
            ck_assert_uint_eq(count, 3);
            ck_assert_str_eq(texts[2], "text");
        }
        free(copy);
    }
    dl__pack_free(&pack);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pack");
    TCase *tests = tcase_create("pack");
    SRunner *runner;
    int failed;

    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, a_digest_is_xxh128);
    tcase_add_test(tests, fields_come_back_and_are_not_read_beyond_the_end);
    suite_add_tcase(suite, tests);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
