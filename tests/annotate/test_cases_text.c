/* SPDX-License-Identifier: MIT */
/* Claims: each case becomes its expected text or gives its expected remarks, with every
 * installed libclang (an eighth of the cases a turn, turn.h); a rewritten text is not
 * rewritten again; it parses in every layout (an eighth a turn); its tables can be read.
 *
 * With DL_UPDATE set, writes what it gets beside the cases instead of comparing. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "annotate/annotate.h"
#include "annotate/accessors/accessor.h"
#include "annotate/coalesce/coalesce.h"
#include "case_file.h"
#include "tests/common/read_file.h"
#include "tests/common/turn.h"

static struct case_file *cases;
static size_t case_count;

static void note_remark(void *user, const struct dl_remark *r)
{
    static const char *const severities[] = {"remark", "warning", "error"};
    char **text = user, *more;
    const char *file = r->file ? strrchr(r->file, '/') : NULL;

    file = file ? file + 1 : r->file ? r->file : "-";
    if (asprintf(&more, "%s%s:%u:%u: %s: %s\n", *text, file, r->line, r->column,
                 severities[r->severity], r->text) < 0)
        abort();
    free(*text);
    *text = more;
    /* Who reads what is in the way reads what to change, too; what a compiler says is its
     * own. */
    ck_assert_msg(!strstr(r->text, "is not rewritten: ") || strchr(r->text, ';') ||
                      strstr(r->text, "does not build") || dl_remark_hint(r),
                  "no hint: %s", r->text);
}

/* Takes the directory of the cases out of the names in #line. */
static void strip_directory(const struct case_file *c, char *text)
{
    size_t bytes = (size_t)(strrchr(c->path, '/') + 1 - c->path);
    char *to = text;

    while (*text) {
        if (!strncmp(text, c->path, bytes))
            text += bytes;
        else
            *to++ = *text++;
    }
    *to = '\0';
}

/* The prelude is the same in all outputs: one line stands for it in the expected
 * files. */
static char *without_prelude(const struct case_file *c, const char *text)
{
    const char *behind, *at = dl__prelude_find(text, &behind);
    char *out;

    if (!at)
        out = strdup(text);
    else if (asprintf(&out, "%.*s/* prelude */\n%s", (int)(at - text), text, behind) < 0)
        abort();
    strip_directory(c, out);
    return out;
}

static enum dl_status rewrite(const struct case_file *c, const char *libclang,
                              bool coalesced, char **text, char **remarks)
{
    struct dl_annotate_options options = {.file_name = c->path,
                                          .build_options = c->options,
                                          .detect = c->detect,
                                          .coalesced = coalesced,
                                          .libclang = libclang};
    struct dl_side_file *side = NULL;
    char *path = case_path(c, ".side");
    enum dl_status st;

    *remarks = strdup("");
    *text = NULL;
    if (!access(path, R_OK))
        ck_assert_int_eq(dl_side_file_load(path, note_remark, remarks, &side), DL_OK);
    options.side = side;
    ck_assert(dl_annotate_wanted_with(c->text, c->bytes, &options));
    st = dl_annotate_rewrite(c->text, c->bytes, &options, note_remark, remarks, text);
    dl_side_file_free(side);
    free(path);
    return st;
}

/* The text parses as it will be built. */
static enum dl_status check(const struct case_file *c, const char *text, char **remarks)
{
    struct dl_annotate_options options = {.file_name = c->path,
                                          .build_options = c->options};

    return dl_annotate_check(text, strlen(text), &options, note_remark, remarks);
}

static void compare(const struct case_file *c, const char *ending, const char *got)
{
    char *path = case_path(c, ending), *want;

    if (getenv("DL_UPDATE")) {
        FILE *out = fopen(path, "w");

        ck_assert_ptr_nonnull(out);
        fputs(got, out);
        fclose(out);
    }
    want = read_file(path, NULL);
    ck_assert_msg(want != NULL, "%s is missing", path);
    if (strcmp(want, got))
        fprintf(stderr, "---- %s: got\n%s---- wanted\n%s----\n", path, got, want);
    ck_assert_msg(!strcmp(want, got), "%s differs", path);
    free(want);
    free(path);
}

/* What is said of a case that is rewritten: buffers and kernels that are left out. */
static void compare_left_out(const struct case_file *c, const char *remarks)
{
    char *path = case_path(c, ".left");

    if (*remarks || !access(path, R_OK))
        compare(c, ".left", remarks);
    free(path);
}

START_TEST(case_gives_its_text_or_remarks)
{
    const struct case_file *c = &cases[_i];
    char *text, *remarks, *again = NULL, *plain;
    enum dl_status st = rewrite(c, NULL, false, &text, &remarks);

    if (c->refused) {
        ck_assert_msg(st == DL_EREFUSED || st == DL_EPARSE, "%s: %s", c->name,
                      dl_status_name(st));
        compare(c, ".remarks", remarks);
    } else {
        struct dl_notes *notes;

        if (st != DL_OK)
            fputs(remarks, stderr);
        ck_assert_msg(st == DL_OK, "%s: %s", c->name, dl_status_name(st));
        plain = without_prelude(c, text);
        compare(c, ".expected.cl", plain);
        compare_left_out(c, remarks);
        free(plain);
        ck_assert_int_eq(
            dl_annotate_rewrite(text, strlen(text), NULL, NULL, NULL, &again), DL_OK);
        ck_assert_str_eq(again, text);
        free(again);
        ck_assert_msg(!is_its_turn_of((unsigned)_i, 8) ||
                          check(c, text, &remarks) == DL_OK,
                      "%s: %s", c->name, remarks);
        ck_assert_int_eq(dl_annotate_scan(text, strlen(text), NULL, NULL, &notes), DL_OK);
        ck_assert_uint_gt(notes->kernel_count, 0);
        dl_notes_free(notes);
    }
    free(text);
    free(remarks);
}
END_TEST

/* The part of a text between a kernel's tables and its first text, for each kernel; the
 * functions that all share are the same in all outputs. */
static char *second_texts(const char *text)
{
    char *out = strdup("");

    while ((text = strstr(text, "#ifdef DL_COALESCED\n")) != NULL) {
        const char *shared = text + strlen("#ifdef DL_COALESCED\n"), *end;
        size_t bytes = strlen(dl_group_cl);
        char *more;

        /* It has conditions of its own. */
        if (strncmp(shared, dl_group_cl, bytes) == 0) {
            text = shared + bytes;
            continue;
        }
        end = strstr(text, "\n#else\n");
        ck_assert_ptr_nonnull(end);
        if (asprintf(&more, "%s%.*s\n", out, (int)(end - text), text) < 0)
            abort();
        free(out);
        out = more;
        text = end;
    }
    return out;
}

START_TEST(coalesced_case_gives_its_texts_and_remarks)
{
    const struct case_file *c = &cases[_i];
    char *text, *remarks, *texts;

    if (strncmp(c->name, "coalesced_", 10) != 0)
        return;
    ck_assert_int_eq(rewrite(c, NULL, true, &text, &remarks), DL_OK);
    texts = second_texts(text);
    compare(c, ".coalesced.txt", texts);
    compare(c, ".coalesced.remarks", remarks);
    ck_assert_int_eq(check(c, text, &remarks), DL_OK);
    free(texts);
    free(text);
    free(remarks);
}
END_TEST

static const char *const versions[] = {
    "libclang-14.so.1", "libclang-15.so.1", "libclang-16.so.1",
    "libclang-17.so.1", "libclang-18.so.1", "libclang-19.so.1",
    "libclang-20.so.1", "libclang-21.so.1", "libclang-22.so.1"};
enum { VERSIONS = sizeof versions / sizeof *versions };

/* True when the machine has another libclang to agree with. */
static bool has_two_libclangs(void)
{
    unsigned there = 0;

    for (size_t v = 0; v < VERSIONS; v++) {
        struct dl_annotate_options options = {.libclang = versions[v]};
        char *text = NULL;

        there += dl_annotate_rewrite(cases[0].text, cases[0].bytes, &options, NULL, NULL,
                                     &text) != DL_ENOLIB;
        free(text);
    }
    return there > 1;
}

START_TEST(all_libclangs_agree)
{
    const struct case_file *c = &cases[_i];
    char *first = NULL, *first_remarks = NULL;

    for (size_t v = 0; is_its_turn_of((unsigned)_i, 8) && v < VERSIONS; v++) {
        char *text, *remarks;
        enum dl_status st = rewrite(c, versions[v], true, &text, &remarks);

        if (st == DL_ENOLIB) {
            free(remarks);
            continue;
        }
        if (!first_remarks) {
            first = text;
            first_remarks = remarks;
            continue;
        }
        ck_assert_msg(!first == !text && (!text || !strcmp(first, text)),
                      "%s: another text with %s", c->name, versions[v]);
        /* What a compiler says about an error is its own. */
        if (st != DL_EPARSE)
            ck_assert_str_eq(remarks, first_remarks);
        free(text);
        free(remarks);
    }
    free(first);
    free(first_remarks);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cases");
    TCase *tcase = tcase_create("text");
    SRunner *runner = srunner_create(suite);
    int failed;

    cases = case_files_load(&case_count);
    tcase_add_loop_test(tcase, case_gives_its_text_or_remarks, 0, (int)case_count);
    tcase_add_loop_test(tcase, coalesced_case_gives_its_texts_and_remarks, 0,
                        (int)case_count);
    if (has_two_libclangs())
        tcase_add_loop_test(tcase, all_libclangs_agree, 0, (int)case_count);
    tcase_set_timeout(tcase, 60);
    suite_add_tcase(suite, tcase);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    case_files_free(cases, case_count);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
