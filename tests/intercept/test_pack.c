/* SPDX-License-Identifier: MIT */
/* Claims: SHA-256 is SHA-256. Packed fields come back and are never read beyond their end. */
#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/programs/pack.h"
#include "libdl_intercept/programs/sha256.h"

/* ---- SHA-256 ---- */

static void hex_of(const void *data, size_t bytes, size_t part, char hex[65])
{
    unsigned char digest[DL__SHA256_BYTES];
    struct dl__sha256 hash;

    dl__sha256_begin(&hash);
    for (size_t at = 0; at < bytes; at += part)
        dl__sha256_add(&hash, (const char *)data + at,
                       bytes - at < part ? bytes - at : part);
    dl__sha256_end(&hash, digest);
    for (size_t i = 0; i < sizeof digest; i++)
        sprintf(hex + 2 * i, "%02x", digest[i]);
}

/* The vectors of FIPS 180 and NIST's examples, in parts of every length. */
START_TEST(sha256_is_that_of_the_standard)
{
    static char million[1000000];
    const struct {
        const char *text;
        size_t bytes;
        const char *hex;
    } vectors[] = {
        {"", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnop"
         "jklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
         112, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
        {million, sizeof million,
         "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"}};
    char hex[65];

    memset(million, 'a', sizeof million);
    for (size_t v = 0; v < sizeof vectors / sizeof *vectors; v++)
        for (size_t part = 1; part<200; part += vectors[v].bytes> 200 ? 61 : 1) {
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
    tcase_add_test(tests, sha256_is_that_of_the_standard);
    tcase_add_test(tests, fields_come_back_and_are_not_read_beyond_the_end);
    suite_add_tcase(suite, tests);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
