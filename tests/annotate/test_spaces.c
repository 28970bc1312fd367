/* SPDX-License-Identifier: MIT */
/* Claims: each case is transformed in the same way when its kernels come from macros,
 * whole or from the brace on; and what stands between two tokens does not matter: with a
 * comment or an empty line in every gap, each case becomes the same tokens, which build.
 * With a spliced line, some accesses are not recognised for what they are, but what is
 * rewritten builds.
 *
 * One kind of gap and of macro a case, and a sixteenth of the cases a turn; all with
 * DL_TEST_FULL. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/annotate.h"
#include "annotate/text/lex.h"
#include "case_file.h"
#include "tests/common/turn.h"

static struct case_file *cases;
static size_t case_count;

enum { SPLICE = 3 };

static const char *const gaps[] = {" // )] } \"\n", " /* )] } \" */ ", "\n\n", " \\\n"};

static bool quiet;
static bool whole; /* else a sample */

static void print_remark(void *user, const struct dl_remark *r)
{
    (void)user;
    if (!quiet)
        fprintf(stderr, "%s:%u: %s\n", r->file ? r->file : "-", r->line, r->text);
}

/* The text with `gap` between all tokens but those of directives. */
static char *spaced(const struct case_file *c, const char *gap)
{
    struct dl__lexer lexer = {.text = c->text, .bytes = c->bytes};
    bool line_start = true;
    struct dl__token t;
    char *text = NULL;
    size_t bytes, start = 0;
    FILE *out = open_memstream(&text, &bytes);

    ck_assert_ptr_nonnull(out);
    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        if (line_start && dl__token_is(&t, "#"))
            while (t.kind != DL__NEWLINE && t.kind != DL__END)
                t = dl__lex_next(&lexer);
        line_start = t.kind == DL__NEWLINE;
        fwrite(c->text + start, 1, lexer.offset - start, out);
        start = lexer.offset;
        if (!line_start)
            fputs(gap, out);
    }
    fwrite(c->text + start, 1, c->bytes - start, out);
    fclose(out);
    return text;
}

/* The tokens of a text, one a line, without the places that #line gives. */
static char *tokens(const char *text)
{
    struct dl__lexer lexer = {.text = text, .bytes = strlen(text)};
    struct dl__token t;
    char *list = NULL;
    size_t bytes;
    FILE *out = open_memstream(&list, &bytes);
    bool line_start = true;

    ck_assert_ptr_nonnull(out);
    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        struct dl__lexer ahead = lexer;
        struct dl__token word = dl__lex_next(&ahead);

        if (line_start && dl__token_is(&t, "#") && dl__token_is(&word, "line"))
            while (t.kind != DL__NEWLINE && t.kind != DL__END)
                t = dl__lex_next(&lexer);
        line_start = t.kind == DL__NEWLINE;
        if (!line_start)
            fprintf(out, "%.*s\n", (int)t.bytes, t.text);
    }
    fclose(out);
    return list;
}

/* Macros that are kept where they are used on one line, and expanded where they are not:
 * other tokens of the same meaning. The case *_lines has the bytes. */
static bool is_expanded_over_lines(const struct case_file *c)
{
    return strncmp(c->name, "macro_of_locals", strlen("macro_of_locals")) == 0;
}

static char *rewrite(const struct case_file *c, const char *text)
{
    struct dl_annotate_options options = {
        .file_name = c->path, .build_options = c->options, .detect = c->detect};
    struct dl_side_file *side = NULL;
    char *path = case_path(c, ".side"), *out = NULL, *list = NULL;
    enum dl_status st;

    if (dl_side_file_load(path, NULL, NULL, &side) == DL_OK)
        options.side = side;
    st = dl_annotate_rewrite(text, strlen(text), &options, print_remark, NULL, &out);
    if (st == DL_OK) {
        /* Of the case itself annotate_cases_text checks it. */
        ck_assert_msg(text == c->text || dl_annotate_check(out, strlen(out), &options,
                                                           print_remark, NULL) == DL_OK,
                      "%s does not build:\n%s", c->name, out);
        list = tokens(out);
    }
    free(out);
    free(path);
    dl_side_file_free(side);
    return list;
}

/* Of a sample: the same for a case whatever other cases there are. */
static size_t gap_of(const struct case_file *c)
{
    size_t sum = 0;

    for (const char *at = c->name; *at; at++)
        sum += (unsigned char)*at;
    return sum % (sizeof gaps / sizeof *gaps);
}

START_TEST(what_stands_between_tokens_does_not_matter)
{
    const struct case_file *c = &cases[_i];
    bool skipped = c->refused || !is_its_turn_of((unsigned)_i, 16);
    char *want = skipped ? NULL : rewrite(c, c->text);

    ck_assert_msg(skipped || want, "%s", c->name);
    for (size_t g = 0; want && g < sizeof gaps / sizeof *gaps; g++) {
        char *text, *got;

        if (!whole && g != gap_of(c))
            continue;
        text = spaced(c, gaps[g]);

        quiet = g == SPLICE;
        got = rewrite(c, text);
        quiet = false;
        ck_assert_msg(g == SPLICE || got != NULL, "%s, gap %zu: not rewritten", c->name,
                      g);
        ck_assert_msg(g == SPLICE || is_expanded_over_lines(c) || !strcmp(got, want),
                      "%s, gap %zu: other tokens", c->name, g);
        free(got);
        free(text);
    }
    free(want);
}
END_TEST

/* ---- kernels from macros ---- */

/* The tokens [from, until) on one line. */
static void print_line(FILE *out, const char *text, size_t from, size_t until)
{
    struct dl__lexer lexer = {.text = text, .bytes = until, .offset = from};
    struct dl__token t;

    while ((t = dl__lex_next(&lexer)).kind != DL__END)
        if (t.kind != DL__NEWLINE)
            fprintf(out, " %.*s", (int)t.bytes, t.text);
}

/* Where a kernel that begins at `from` ends, and its body begins; 0: there are directives
 * in it. */
static size_t kernel_end(const char *text, size_t bytes, size_t from, size_t *body)
{
    struct dl__lexer lexer = {.text = text, .bytes = bytes, .offset = from};
    unsigned depth = 0;
    struct dl__token t;

    *body = 0;
    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        if (dl__token_is(&t, "#") || (!depth && dl__token_is(&t, ";")))
            return 0;
        if (dl__token_is(&t, "{") && !depth++)
            *body = t.offset;
        if (dl__token_is(&t, "}") && !--depth)
            return lexer.offset;
    }
    return 0;
}

/* The text with each kernel, or only its body, made by a macro; NULL: it has none that
 * can be. */
static char *made_by_macros(const struct case_file *c, bool whole_kernels)
{
    struct dl__lexer lexer = {.text = c->text, .bytes = c->bytes};
    unsigned depth = 0, made = 0;
    bool line_start = true;
    struct dl__token t;
    char *text = NULL;
    size_t bytes, done = 0;
    FILE *out = open_memstream(&text, &bytes);

    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        bool kernel = dl__token_is(&t, "__kernel") || dl__token_is(&t, "kernel");
        size_t body, end;

        if (line_start && dl__token_is(&t, "#"))
            while (t.kind != DL__NEWLINE && t.kind != DL__END)
                t = dl__lex_next(&lexer);
        /* What stands before a kernel on its line may be part of it. */
        kernel = kernel && line_start && !depth;
        line_start = t.kind == DL__NEWLINE;
        depth += dl__token_is(&t, "{");
        depth -= dl__token_is(&t, "}");
        end = kernel ? kernel_end(c->text, c->bytes, t.offset, &body) : 0;
        if (!end)
            continue;
        fwrite(c->text + done, 1, t.offset - done, out);
        fprintf(out, "#define MADE_%u", made);
        print_line(out, c->text, whole_kernels ? t.offset : body, end);
        fputs("\n", out);
        if (!whole_kernels)
            fwrite(c->text + t.offset, 1, body - t.offset, out);
        fprintf(out, "MADE_%u", made++);
        done = lexer.offset = end;
    }
    fwrite(c->text + done, 1, c->bytes - done, out);
    fclose(out);
    if (made)
        return text;
    free(text);
    return NULL;
}

static size_t count_kernels(const struct case_file *c, const char *text)
{
    struct dl_annotate_options options = {
        .file_name = c->path, .build_options = c->options, .detect = c->detect};
    struct dl_side_file *side = NULL;
    struct dl_notes *notes = NULL;
    char *path = case_path(c, ".side"), *out = NULL;
    size_t count = 0;

    if (dl_side_file_load(path, NULL, NULL, &side) == DL_OK)
        options.side = side;
    if (dl_annotate_rewrite(text, strlen(text), &options, print_remark, NULL, &out) ==
        DL_OK) {
        ck_assert_msg(dl_annotate_check(out, strlen(out), &options, print_remark, NULL) ==
                          DL_OK,
                      "%s does not build:\n%s", c->name, out);
        ck_assert_int_eq(dl_annotate_scan(out, strlen(out), NULL, NULL, &notes), DL_OK);
        count = notes->kernel_count;
        dl_notes_free(notes);
    }
    free(out);
    free(path);
    dl_side_file_free(side);
    return count;
}

START_TEST(kernels_may_come_from_macros)
{
    const struct case_file *c = &cases[_i / 2];
    bool skipped = c->refused || (!whole && _i / 2 % 2 == _i % 2) ||
                   !is_its_turn_of((unsigned)_i / 4, 8);
    char *text = skipped ? NULL : made_by_macros(c, _i % 2);

    if (text && count_kernels(c, text) != count_kernels(c, c->text)) {
        fprintf(stderr, "---- %s\n%s----\n", c->name, text);
        ck_abort_msg("%s: other kernels are transformed", c->name);
    }
    free(text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("spaces");
    TCase *tcase = tcase_create("all");
    SRunner *runner = srunner_create(suite);
    int failed;

    whole = getenv("DL_TEST_FULL") != NULL;
    cases = case_files_load(&case_count);
    tcase_add_loop_test(tcase, what_stands_between_tokens_does_not_matter, 0,
                        (int)case_count);
    tcase_add_loop_test(tcase, kernels_may_come_from_macros, 0, 2 * (int)case_count);
    tcase_set_timeout(tcase, 60);
    suite_add_tcase(suite, tcase);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    case_files_free(cases, case_count);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
