/* SPDX-License-Identifier: MIT */
/* Claims: A digest is XXH128. Packed fields come back and are never read beyond their
 * end. Keys find entries of the store by all of their bytes, copied or lent. */
#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libdl_intercept/programs/pack.h"
#include "libdl_intercept/programs/store.h"

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

/* ---- keys ---- */

static char directory[] = "/tmp/dl-pack-XXXXXX";
static struct dl__store store = {.directory = directory, .limit_bytes = 64 << 20};

/* Of the entry of a key. */
static void entry_path_of(const struct dl__pack *key, char path[128])
{
    struct dl__digest_part parts[DL__PACK_PARTS_MAX];
    unsigned char digest[DL__DIGEST_BYTES];
    int at = snprintf(path, 128, "%s/", store.directory);

    dl__digest(parts, dl__pack_parts(key, parts), digest);
    for (size_t i = 0; i < sizeof digest; i++)
        at += sprintf(path + at, "%02x", digest[i]);
    strcpy(path + at, ".dl");
}

/* The key with another byte in one of its texts has another entry, or none; not where it
 * has copied the text. */
static void is_told_apart(const struct dl__pack *key, char *at, bool lent)
{
    char was = *at, before[128], now[128];
    size_t bytes;
    void *value;

    entry_path_of(key, before);
    *at = '!';
    entry_path_of(key, now);
    if (lent) {
        ck_assert_int_eq(dl__store_get(&store, key, &value, &bytes), DL__STORE_MISSING);
        /* As if both had one digest. */
        ck_assert_int_eq(link(before, now), 0);
        ck_assert_int_eq(dl__store_get(&store, key, &value, &bytes), DL__STORE_DAMAGED);
        ck_assert_int_eq(unlink(now), 0);
    } else {
        ck_assert_str_eq(before, now);
    }
    *at = was;
}

/* Texts that a key has but does not copy count as those that it copies, to the last byte.
 */
START_TEST(what_a_key_is_lent_is_compared_whole)
{
    enum { TEXTS = DL__PACK_LENT_MAX + 2, TEXT_BYTES = 150000 };
    static const unsigned changed[] = {0, 1, 65535, 65536, TEXT_BYTES - 2};
    static char texts[TEXTS][TEXT_BYTES];
    struct dl__pack lent = {0}, copied = {0}, packed = {0};
    struct dl__unpack fields;
    char command[64];
    size_t bytes;
    void *value;

    for (int t = 0; t < TEXTS; t++)
        memset(texts[t], 'a' + t, TEXT_BYTES - 1);
    for (int t = 0; t < TEXTS; t++) {
        dl__pack_number(&lent, t);
        dl__pack_text_lent(&lent, texts[t]);
        dl__pack_number(&copied, t);
        dl__pack_text(&copied, texts[t]);
    }
    dl__pack_text_lent(&lent, NULL);
    dl__pack_text(&copied, NULL);
    ck_assert_ptr_nonnull(mkdtemp(directory));
    ck_assert_uint_lt(lent.bytes, 3 * TEXT_BYTES);
    ck_assert_uint_eq(dl__pack_parts_bytes(&lent), copied.bytes);
    dl__pack_key(&packed, &lent);
    fields = (struct dl__unpack){.data = packed.data, .bytes = packed.bytes};
    ck_assert_mem_eq(dl__unpack_bytes(&fields, &bytes), copied.data, copied.bytes);
    ck_assert_uint_eq(bytes, copied.bytes);
    ck_assert_int_eq(dl__store_put(&store, &lent, "v", 1), DL__STORE_DONE);
    ck_assert_int_eq(dl__store_get(&store, &copied, &value, &bytes), DL__STORE_DONE);
    free(value);
    ck_assert_int_eq(dl__store_put(&store, &copied, "w", 1), DL__STORE_DONE);
    ck_assert_int_eq(dl__store_get(&store, &lent, &value, &bytes), DL__STORE_DONE);
    ck_assert_mem_eq(value, "w", 1);
    free(value);
    for (int t = 0; t < TEXTS; t++)
        for (size_t c = 0; c < sizeof changed / sizeof *changed; c++)
            is_told_apart(&lent, &texts[t][changed[c]], t < DL__PACK_LENT_MAX);
    snprintf(command, sizeof command, "rm -r %s", directory);
    ck_assert_int_eq(system(command), 0);
    dl__pack_free(&packed);
    dl__pack_free(&copied);
    dl__pack_free(&lent);
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
    tcase_add_test(tests, what_a_key_is_lent_is_compared_whole);
    suite_add_tcase(suite, tests);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
