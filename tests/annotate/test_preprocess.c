/* SPDX-License-Identifier: MIT */
/* Claims: the expanded text has the very tokens that a C preprocessor gives, on the same
 * lines as in the source; and every byte leads back to where it came from. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/text/lex.h"
#include "annotate/text/preprocess.h"
#include "case_file.h"
#include "tests/common/read_file.h"

static struct case_file *cases;
static size_t case_count;
static struct case_file macros;

static void no_compiler_macros(void *user, const char *const *names, size_t count,
                               const char **values)
{
    (void)user;
    for (size_t i = 0; i < count; i++)
        values[i] = NULL;
    (void)names;
}

struct run {
    struct dl__arena arena;
    struct dl__file file;
    struct dl__lines lines;
    struct dl__build_options options;
    struct dl__expanded expanded;
    bool ok;
};

static void preprocess(struct run *r, const struct case_file *c)
{
    struct dl__preprocess_input input = {
        .main = &r->file, .options = &r->options, .compiler_macros = no_compiler_macros};

    memset(r, 0, sizeof *r);
    if (setjmp(r->arena.fail))
        return;
    r->file = (struct dl__file){.name = c->path,
                                .text = c->text + dl__mark_bytes(c->text, c->bytes),
                                .is_main = true,
                                .lines = &r->lines};
    r->lines.arena = &r->arena;
    r->file.bytes = c->bytes - (size_t)(r->file.text - c->text);
    input.directory =
        dl__arena_text(&r->arena, c->path, (size_t)(strrchr(c->path, '/') - c->path));
    dl__build_options_parse(&r->arena, c->options, &r->options);
    dl__preprocess(&r->arena, &input, &r->expanded);
    r->ok = true;
}

/* What the C compiler's preprocessor makes of the file. */
static char *reference(const struct case_file *c, size_t *bytes)
{
    char *command, *text = NULL, options[512] = "", words[512], *saved = NULL;
    size_t room = 0;
    FILE *in;

    /* -D options hold spaces in no case; -cl options are not for a C compiler. */
    snprintf(words, sizeof words, "%s", c->options ? c->options : "");
    for (char *w = strtok_r(words, " ", &saved); w; w = strtok_r(NULL, " ", &saved)) {
        if (strncmp(w, "-cl", 3)) {
            strcat(options, w);
            strcat(options, " ");
        }
    }
    if (asprintf(&command, "%s -E -P -undef -nostdinc -w -x c %s '%s'", DL_C_COMPILER,
                 options, c->path) < 0)
        abort();
    in = popen(command, "r");
    ck_assert_ptr_nonnull(in);
    *bytes = 0;
    do {
        room = room * 2 + 65536;
        text = realloc(text, room);
        *bytes += fread(text + *bytes, 1, room - *bytes, in);
    } while (*bytes == room);
    ck_assert_msg(pclose(in) == 0, "%s", command);
    free(command);
    return text;
}

/* The next token that is neither a line break nor part of a pragma. */
static struct dl__token next(struct dl__lexer *lexer)
{
    for (;;) {
        bool line_start = !lexer->offset || lexer->text[lexer->offset - 1] == '\n';
        struct dl__token t = dl__lex_next(lexer);

        if (t.kind == DL__NEWLINE)
            continue;
        if (!line_start || !dl__token_is(&t, "#"))
            return t;
        while (t.kind != DL__NEWLINE && t.kind != DL__END)
            t = dl__lex_next(lexer);
    }
}

static void compare_tokens(const struct case_file *c)
{
    struct dl__lexer got = {0}, want = {0};
    struct run r;
    char *text = reference(c, &want.bytes);

    preprocess(&r, c);
    ck_assert_msg(r.ok, "%s", c->name);
    got.text = r.expanded.text;
    got.bytes = r.expanded.bytes;
    want.text = text;
    for (;;) {
        struct dl__token g = next(&got), w = next(&want);

        ck_assert_msg(g.kind == w.kind && g.bytes == w.bytes &&
                          !memcmp(g.text, w.text, g.bytes),
                      "%s: got '%.*s', want '%.*s', near '%.80s'", c->name, (int)g.bytes,
                      g.text, (int)w.bytes, w.text, g.text);
        if (g.kind == DL__END)
            break;
    }
    dl__arena_free(&r.arena);
    free(text);
}

START_TEST(tokens_are_those_of_the_preprocessor)
{
    const struct case_file *c = &cases[_i];

    if (!c->refused && strcmp(c->name, "condition_in_body") &&
        !strstr(c->text, "__LINE__"))
        compare_tokens(c);
}
END_TEST

START_TEST(hard_macros_expand_as_the_preprocessor_does)
{
    compare_tokens(&macros);
}
END_TEST

START_TEST(lines_are_kept)
{
    const struct case_file *c = _i < (int)case_count ? &cases[_i] : &macros;
    size_t want = 0, got = 0, at = 0;
    struct run r;

    preprocess(&r, c);
    if (r.ok && !strstr(c->text, "#include")) {
        for (size_t i = 0; i < c->bytes; i++)
            want += c->text[i] == '\n';
        for (size_t i = 0; i < r.expanded.bytes; i++)
            got += r.expanded.text[i] == '\n';
        ck_assert_msg(got == want, "%s: %zu lines, not %zu", c->name, got, want);
    }
    /* Segments tile the text, and verbatim ones hold the file's bytes. */
    for (size_t s = 0; r.ok && s < r.expanded.segments.count; s++) {
        const struct dl__segment *segment = &r.expanded.segments.items[s];

        ck_assert_uint_eq(segment->at, at);
        at = segment->end;
        if (segment->kind == DL__VERBATIM)
            ck_assert(!memcmp(r.expanded.text + segment->at,
                              segment->file->text + segment->origin,
                              segment->end - segment->at));
    }
    if (r.ok)
        ck_assert_uint_eq(at, r.expanded.bytes);
    dl__arena_free(&r.arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("preprocess");
    TCase *tcase = tcase_create("all");
    SRunner *runner = srunner_create(suite);
    int failed;

    cases = case_files_load(&case_count);
    macros.name = strdup("macros");
    macros.path = strdup(DL_MACROS_FILE);
    macros.text = read_file(macros.path, &macros.bytes);
    tcase_add_loop_test(tcase, tokens_are_those_of_the_preprocessor, 0, (int)case_count);
    tcase_add_test(tcase, hard_macros_expand_as_the_preprocessor_does);
    tcase_add_loop_test(tcase, lines_are_kept, 0, (int)case_count + 1);
    tcase_set_timeout(tcase, 60);
    suite_add_tcase(suite, tcase);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    case_files_free(cases, case_count);
    free(macros.name);
    free(macros.path);
    free(macros.text);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
