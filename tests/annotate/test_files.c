/* SPDX-License-Identifier: MIT */
/* Claims: files that a user names are read when they are regular and of a sensible size;
 * pipes, devices and directories are neither read nor waited for; of many bad lines a few
 * are said. A side file finds kernels however their names are made. No text that may
 * include others passes for one that does not, and each directive of one that does is
 * read. */
#include <check.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "annotate/annotate.h"

#define PAIR "typedef struct { int x, y; } pair;\n"
#define NOTE "//DL: AoS: f[1]\n"
#define KERNEL(name) "__kernel void " name "(__global pair *f) { f[0].x = 1; }\n"

static char directory[] = "/tmp/dl-files-XXXXXX";

struct heard {
    unsigned count;
    char first[512], last[512];
};

static void hear(void *user, const struct dl_remark *remark)
{
    struct heard *h = user;

    if (!h->count++)
        snprintf(h->first, sizeof h->first, "%s", remark->text);
    snprintf(h->last, sizeof h->last, "%s", remark->text);
}

static char *path_of(const char *name)
{
    char *path;

    ck_assert_int_ge(asprintf(&path, "%s/%s", directory, name), 0);
    return path;
}

static char *write_file(const char *name, const char *text, size_t times)
{
    char *path = path_of(name);
    FILE *out = fopen(path, "w");

    ck_assert_ptr_nonnull(out);
    while (times--)
        fputs(text, out);
    ck_assert_int_eq(fclose(out), 0);
    return path;
}

static struct dl_side_file *side_of(const char *text)
{
    struct dl_side_file *side = NULL;
    char *path = write_file("side", text, 1);

    ck_assert_int_eq(dl_side_file_load(path, NULL, NULL, &side), DL_OK);
    free(path);
    return side;
}

/* ---- what can't be read ---- */

static const char *const odd_files[] = {"/dev/zero", "/dev/tty", "/tmp", "pipe", "none"};

/* One of them; the caller frees it. */
static char *odd_file(size_t i)
{
    char *path = *odd_files[i] == '/' ? strdup(odd_files[i]) : path_of(odd_files[i]);

    if (!strcmp(odd_files[i], "pipe"))
        mkfifo(path, 0600);
    return path;
}

START_TEST(what_is_no_regular_file_is_no_side_file)
{
    struct dl_side_file *side = NULL;
    struct heard heard = {0};
    char *path = odd_file((size_t)_i);

    ck_assert_int_eq(dl_side_file_load(path, hear, &heard, &side), DL_EIO);
    ck_assert_ptr_null(side);
    ck_assert_uint_eq(heard.count, 1);
    ck_assert_ptr_nonnull(strstr(heard.first, "can't be read: "));
    free(path);
}
END_TEST

START_TEST(what_is_no_regular_file_is_not_included)
{
    struct heard heard = {0};
    char *path = odd_file((size_t)_i), *text, *out = NULL;

    ck_assert_int_ge(asprintf(&text, "#include \"%s\"\n" PAIR NOTE KERNEL("go"), path),
                     0);
    ck_assert(
        dl_annotate_wanted_with(text, strlen(text), &(struct dl_annotate_options){0}));
    ck_assert_int_eq(dl_annotate_rewrite(text, strlen(text), NULL, hear, &heard, &out),
                     DL_EPARSE);
    ck_assert_uint_eq(heard.count, 1);
    ck_assert_ptr_nonnull(strstr(heard.first, "is not found"));
    free(text);
    free(path);
}
END_TEST

START_TEST(what_is_no_regular_file_is_no_libclang)
{
    struct heard heard = {0};
    char *path = odd_file((size_t)_i), *out = NULL;
    struct dl_annotate_options options = {.libclang = path};
    static const char text[] = PAIR NOTE KERNEL("go");

    ck_assert_int_eq(
        dl_annotate_rewrite(text, strlen(text), &options, hear, &heard, &out), DL_ENOLIB);
    ck_assert_uint_eq(heard.count, 1);
    free(path);
}
END_TEST

/* ---- what is too much ---- */

START_TEST(of_many_bad_lines_a_few_are_said)
{
    struct dl_side_file *side = NULL;
    struct heard heard = {0};
    char *path = write_file("bad", "go: AoS: f[1]\nno colon\n", 20);

    ck_assert_int_eq(dl_side_file_load(path, hear, &heard, &side), DL_OK);
    ck_assert_uint_eq(heard.count, 11);
    ck_assert_str_eq(heard.last, "lines that are not understood, too: 10 more");
    dl_side_file_free(side);
    free(path);
}
END_TEST

START_TEST(a_file_of_another_kind_is_refused_after_three_lines)
{
    static const struct {
        const char *text;
        enum dl_status status;
        unsigned said;
    } files[] = {{"root:x:0:0:root:/root:/bin/sh\n", DL_EIO, 4},
                 {"# a\nroot:x:0\n# b\n\n", DL_EIO, 4},
                 {"# none\n\n", DL_OK, 0}};

    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct dl_side_file *side = NULL;
        struct heard heard = {0};
        char *path = write_file("other", files[i].text, 100);

        ck_assert_int_eq(dl_side_file_load(path, hear, &heard, &side), files[i].status);
        ck_assert_uint_eq(heard.count, files[i].said);
        if (files[i].said)
            ck_assert_ptr_nonnull(
                strstr(heard.last, "this is not a file of annotations"));
        dl_side_file_free(side);
        free(path);
    }
}
END_TEST

START_TEST(large_side_files_are_refused)
{
    static const struct {
        const char *line;
        size_t times;
    } files[] = {{"a bad line without a colon in 32\n", 1000000},
                 {"go: AoS: f[1]\n", 1000000},
                 {"go: AoS: f[1]\n", 20000},
                 {"x", 30000000}};

    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct dl_side_file *side = NULL;
        struct heard heard = {0};
        char *path = write_file("large", files[i].line, files[i].times);

        ck_assert_int_eq(dl_side_file_load(path, hear, &heard, &side), DL_EIO);
        ck_assert_uint_eq(heard.count, 1);
        unlink(path);
        free(path);
    }
}
END_TEST

START_TEST(thousands_of_entries_are_taken)
{
    struct heard heard = {0};
    struct dl_side_file *side;
    struct dl_annotate_options options = {0};
    static const char text[] = PAIR KERNEL("k77") KERNEL("other");
    char *lines = NULL, *out = NULL;
    size_t bytes;
    FILE *stream = open_memstream(&lines, &bytes);

    for (unsigned i = 0; i < 5000; i++)
        fprintf(stream, "k%u: AoS: f[1]\n", i);
    fclose(stream);
    side = side_of(lines);
    options.side = side;
    ck_assert_ptr_nonnull(dl_side_file_find(side, "k0"));
    ck_assert_ptr_nonnull(dl_side_file_find(side, "k4999"));
    ck_assert_ptr_null(dl_side_file_find(side, "k5000"));
    ck_assert_ptr_null(dl_side_file_find(side, "k"));
    ck_assert(!dl_annotate_wanted_with("k5000", 5, &options));
    ck_assert_int_eq(
        dl_annotate_rewrite(text, strlen(text), &options, hear, &heard, &out), DL_OK);
    free(out);
    dl_side_file_free(side);
    free(lines);
}
END_TEST

/* ---- names ---- */

static const struct {
    const char *text, *options;
    bool add, go; /* wanted by a side file for these */
} named[] = {
    {PAIR KERNEL("add_k"), NULL, true, false},
    {PAIR "#define DEF(name) " KERNEL("name##_k") "DEF(add)\n", NULL, true, false},
    {PAIR "#define CAT(a, b) a##b\n" KERNEL("CAT(ad, d_k)"), NULL, true, false},
    {PAIR KERNEL("NAME"), "-DNAME=add_k", true, false},
    {PAIR KERNEL("NAME"), "-D NAME=go", false, true},
    {PAIR KERNEL("NAME"), NULL, false, false},
    {PAIR "#define DEF(name) " KERNEL("name##_k") "#define OF(n) DEF(n)\nOF(NAME)\n",
     "-DNAME=add", true, false},
    {PAIR KERNEL("add_k_more"), NULL, false, false},
    {PAIR "#define DEF(a, b) a##b\n" KERNEL("another"), NULL, false, false},
};

START_TEST(side_file_wants_kernels_however_they_are_named)
{
    struct dl_side_file *add = side_of("add_k: AoS: f[1]\n"),
                        *go = side_of("go: AoS: f[1]\n");
    struct dl_annotate_options options = {.side = add,
                                          .build_options = named[_i].options};
    const char *text = named[_i].text;
    enum dl_status st;
    char *out = NULL;

    ck_assert_msg(dl_annotate_wanted_with(text, strlen(text), &options) == named[_i].add,
                  "add_k: %s", text);
    options.side = go;
    ck_assert_msg(dl_annotate_wanted_with(text, strlen(text), &options) == named[_i].go,
                  "go: %s", text);
    ck_assert(!dl_annotate_demands(text, strlen(text), &options));
    options.side = named[_i].add ? add : go;
    st = dl_annotate_rewrite(text, strlen(text), &options, NULL, NULL, &out);
    ck_assert_msg((st == DL_OK) == (named[_i].add || named[_i].go), "%s", text);
    free(out);
    dl_side_file_free(add);
    dl_side_file_free(go);
}
END_TEST

START_TEST(side_file_demands_kernels_however_they_are_named)
{
    struct dl_side_file *side = side_of("add_k: SoA: f[1]\n");
    struct dl_annotate_options options = {.side = side,
                                          .build_options = named[_i].options};

    ck_assert_msg(dl_annotate_demands(named[_i].text, strlen(named[_i].text), &options) ==
                      named[_i].add,
                  "%s", named[_i].text);
    dl_side_file_free(side);
}
END_TEST

/* ---- texts that may include ---- */

/* The text without the backslashes that end lines, and these ends. */
static void join_lines(const char *text, char *out)
{
    for (; *text; text++) {
        if (strncmp(text, "\\\n", 2) == 0)
            text++;
        else if (strncmp(text, "\\\r\n", 3) == 0)
            text += 2;
        else
            *out++ = *text;
    }
    *out = '\0';
}

static bool has_word(const char *text)
{
    static const char *const words[] = {"include", "import", "embed", "?\?/"};
    char joined[256];

    join_lines(text, joined);
    for (size_t w = 0; w < 3; w++)
        if (strstr(joined, words[w]))
            return true;
    return strstr(text, words[3]) != NULL;
}

START_TEST(words_that_include_are_found_across_lines)
{
    static const char *const parts[] = {
        "include", "import", "embed", "inc",    "lude", "i",  "mport", "em", "bed", "b",
        "ed",      "\\\n",   "\\\n",  "\\\r\n", "\\",   "\n", "?\?",   "/",  "#",   " "};
    unsigned seed = 1, found = 0;

    for (int t = 0; t < 20000; t++) {
        char text[128] = "";

        for (int n = 0; n < 8; n++) {
            seed = seed * 1103515245 + 12345;
            strcat(text, parts[(seed >> 16) % (sizeof parts / sizeof *parts)]);
        }
        found += has_word(text);
        ck_assert_msg(dl_annotate_may_include(text) == has_word(text), "%s", text);
    }
    ck_assert_uint_gt(found, 1000);
    ck_assert(dl_annotate_may_include("#inc\\\r\nl\\\nu\\\nde <x>"));
    ck_assert(!dl_annotate_may_include(""));
}
END_TEST

/* ---- which files a text includes ---- */

static void add_path(void *user, const char *path, const char *text, size_t bytes)
{
    char *all = user;

    (void)text, (void)bytes;
    snprintf(all + strlen(all), 4096 - strlen(all), "%s\n", path);
}

static void find_files(const char *text, char all[4096])
{
    struct dl_annotate_options options = {.on_file = add_path, .on_file_user = all};

    *all = '\0';
    if (dl_annotate_files(text, strlen(text), &options) != DL_OK)
        strcat(all, "and others\n");
}

/* The same, with something to be read on each line that has no directive. */
static void mark_lines(const char *text, char *out)
{
    bool goes_on = false;

    while (*text) {
        int bytes = (int)strcspn(text, "\n");
        bool is_code = isalpha((unsigned char)text[strspn(text, " ")]);
        bool may_begin = memchr(text, '\\', bytes) || memmem(text, bytes, "/*", 2);
        /* What only seems to be empty may begin a directive. */
        bool is_marked = goes_on || memchr(text, '#', bytes) || (may_begin && !is_code);

        out += sprintf(out, "%s%.*s", is_marked ? "" : "x# ", bytes, text);
        goes_on = memchr(text, '\\', bytes) != NULL;
        text += bytes;
        if (*text)
            *out++ = *text++;
    }
    *out = '\0';
}

START_TEST(lines_that_are_not_read_include_nothing)
{
    static const char *const parts[] = {"#include \"a\"\n",
                                        "#include \"b\"\n",
                                        " # include \"c\"\n",
                                        "#inc\\\nlude \"d\"\n",
                                        "#include \"e\" ",
                                        "/* ",
                                        " */",
                                        "*/\n",
                                        "//",
                                        "\"",
                                        "'",
                                        "\\\n",
                                        "\\",
                                        "\n",
                                        "\n\n",
                                        "int x;\n",
                                        "x / y",
                                        "/",
                                        "*",
                                        " ",
                                        "#define N\n",
                                        "\r\n"};
    unsigned seed = 1, found = 0;

    for (int t = 0; t < 5000; t++) {
        char text[512] = "", marked[1024], all[4096], all_marked[4096];

        for (int n = 0; n < 12; n++) {
            seed = seed * 1103515245 + 12345;
            strcat(text, parts[(seed >> 16) % (sizeof parts / sizeof *parts)]);
        }
        mark_lines(text, marked);
        find_files(text, all);
        find_files(marked, all_marked);
        found += *all != '\0';
        ck_assert_msg(strcmp(all, all_marked) == 0, "%s\nincludes %s, not %s", text, all,
                      all_marked);
    }
    ck_assert_uint_gt(found, 1000);
}
END_TEST

START_TEST(a_byte_order_mark_hides_no_directive)
{
    char all[4096];

    find_files("\xEF\xBB\xBF#include \"a\"\nint x;\n", all);
    ck_assert_str_eq(all, "./a\n");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("files");
    TCase *tcase = tcase_create("all");
    SRunner *runner = srunner_create(suite);
    int failed, odd = sizeof odd_files / sizeof *odd_files;
    char *command;

    if (!mkdtemp(directory))
        return EXIT_FAILURE;
    /* What waits for ever ends in a signal. */
    alarm(600);
    tcase_add_loop_test(tcase, what_is_no_regular_file_is_no_side_file, 0, odd);
    tcase_add_loop_test(tcase, what_is_no_regular_file_is_not_included, 0, odd);
    tcase_add_loop_test(tcase, what_is_no_regular_file_is_no_libclang, 0, odd);
    tcase_add_test(tcase, of_many_bad_lines_a_few_are_said);
    tcase_add_test(tcase, a_file_of_another_kind_is_refused_after_three_lines);
    tcase_add_test(tcase, large_side_files_are_refused);
    tcase_add_test(tcase, thousands_of_entries_are_taken);
    tcase_add_loop_test(tcase, side_file_wants_kernels_however_they_are_named, 0,
                        sizeof named / sizeof *named);
    tcase_add_loop_test(tcase, side_file_demands_kernels_however_they_are_named, 0,
                        sizeof named / sizeof *named);
    tcase_add_test(tcase, lines_that_are_not_read_include_nothing);
    tcase_add_test(tcase, a_byte_order_mark_hides_no_directive);
    tcase_add_test(tcase, words_that_include_are_found_across_lines);
    tcase_set_timeout(tcase, 0);
    suite_add_tcase(suite, tcase);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    if (asprintf(&command, "rm -rf %s", directory) < 0 || system(command) != 0)
        failed++;
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
