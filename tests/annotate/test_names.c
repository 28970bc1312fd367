/* SPDX-License-Identifier: MIT */
/* Claims: a program may have names that begin with dl_ or DL_, but none that the text
 * generated for it has, too, where that would mean another thing. Each name that is
 * generated for one of the cases is given to that case: as a macro, with which the
 * program is refused or the name not generated; and as a variable in each function, with
 * which it is refused by that name, or rewritten as before and parses as it will be
 * built. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/annotate.h"
#include "annotate/text/lex.h"
#include "case_file.h"
#include "tests/common/turn.h"

/* A name that a case's output has and the case has not. */
struct given {
    const struct case_file *file;
    char *name;
};

enum { GIVEN_MAX = 8192 };

static struct case_file *cases;
static size_t case_count, given_count;
static struct given given[GIVEN_MAX];

static void note_remark(void *user, const struct dl_remark *r)
{
    char **text = user, *more;

    if (asprintf(&more, "%s%s\n", *text, r->text) < 0)
        abort();
    free(*text);
    *text = more;
}

/* The caller frees *out and *remarks. */
static enum dl_status rewrite(const struct case_file *c, const char *text,
                              const char *more, char **out, char **remarks)
{
    struct dl_annotate_options options = {
        .file_name = c->path, .detect = c->detect, .coalesced = true};
    char *build;
    enum dl_status st;

    if (asprintf(&build, "%s %s", c->options ? c->options : "", more) < 0)
        abort();
    options.build_options = build;
    *out = NULL;
    *remarks = strdup("");
    st = dl_annotate_rewrite(text, strlen(text), &options, note_remark, remarks, out);
    if (st == DL_OK && *more)
        st = dl_annotate_check(*out, strlen(*out), &options, note_remark, remarks);
    free(build);
    return st;
}

static bool has_name(const char *text, const char *name)
{
    struct dl__lexer lexer = dl__lexer_at(text, 0, strlen(text));
    struct dl__token t;

    while ((t = dl__lex_next(&lexer)).kind != DL__END)
        if (t.kind == DL__NAME && dl__token_is(&t, name))
            return true;
    return false;
}

static bool is_given(const struct dl__token *t)
{
    for (size_t i = 0; i < given_count; i++)
        if (dl__token_is(t, given[i].name))
            return true;
    return false;
}

/* Names are given to the first case that has them. */
static void add_names(const struct case_file *c)
{
    char *out, *remarks;
    struct dl__lexer lexer;
    struct dl__token t;

    if (rewrite(c, c->text, "", &out, &remarks) == DL_OK) {
        lexer = dl__lexer_at(out, 0, strlen(out));
        while ((t = dl__lex_next(&lexer)).kind != DL__END) {
            char *name;

            if (t.kind != DL__NAME || t.bytes < 4 ||
                (memcmp(t.text, "dl_", 3) && memcmp(t.text, "DL_", 3)) || is_given(&t))
                continue;
            name = strndup(t.text, t.bytes);
            if (given_count < GIVEN_MAX && !has_name(c->text, name))
                given[given_count++] = (struct given){c, name};
        }
    }
    free(out);
    free(remarks);
}

START_TEST(no_macro_is_a_generated_name)
{
    const struct given *g = &given[_i];
    char *more, *out, *remarks;

    if (asprintf(&more, "-D%s=7", g->name) < 0)
        abort();
    if (rewrite(g->file, g->file->text, more, &out, &remarks) == DL_OK)
        ck_assert_msg(!has_name(out, g->name), "%s: the macro %s is in generated text",
                      g->file->name, g->name);
    free(out);
    free(remarks);
    free(more);
}
END_TEST

/* Puts `what` behind the brace that begins a function's body, on a line of its own;
 * the caller frees it. */
static char *in_functions(const char *text, const char *what)
{
    char *out;
    size_t bytes;
    FILE *to = open_memstream(&out, &bytes);

    for (const char *brace; (brace = strstr(text, ")\n{\n")); text = brace + 4)
        fprintf(to, "%.*s%s", (int)(brace + 4 - text), text, what);
    fputs(text, to);
    fclose(to);
    return out;
}

START_TEST(no_variable_hides_a_generated_name)
{
    const struct given *g = &given[_i];
    char *more, *text, *out, *remarks, *refusal;

    if (asprintf(&more, "int %s = 7;", g->name) < 0 ||
        asprintf(&refusal, "'%s' is a name of generated code", g->name) < 0)
        abort();
    text = in_functions(g->file->text, more);
    if (rewrite(g->file, text, "", &out, &remarks) != DL_EPARSE)
        ck_assert_msg(out ? !strstr(remarks, "does not build")
                          : strstr(remarks, refusal) || strstr(remarks, "can't read it"),
                      "%s with '%s': %s", g->file->name, more, remarks);
    free(refusal);
    free(text);
    free(out);
    free(remarks);
    free(more);
}
END_TEST

static const struct {
    const char *text, *name; /* NULL: it may be there */
} programs[] = {
    {"#define dl_b 1", "dl_b"},
    {"#define dl_units(x) x", "dl_units"},
    {"#define dl_words 1", "dl_words"},
    {"#undef DL_INLINE", "DL_INLINE"},
    {"typedef int dl_i;", "dl_i"},
    {"typedef struct { int x; } dl_event, *dl_more;", "dl_event"},
    {"#define TYPE(a) typedef int dl_##a\nTYPE(kind);", "dl_kind"},
    {"int dl_owner(int x) { return x; }", "dl_owner"},
    {"#define CALLED(a) dl_##a\nint CALLED(rest)(int x) { return x; }", "dl_rest"},
    {"int h(void) { int dl_s = 1; return dl_s; }", "dl_s"},
    {"int h(int dl_at_p) { return dl_at_p; }", "dl_at_p"},
    {"int h(int dl_far_p) { return dl_far_p; }", "dl_far_p"},
    {"int h(int dl_to0) { return dl_to0; }", "dl_to0"},
    {"struct dl_quad { int x; };", "dl_quad"},
    {"#define DL_WITH_go 1", "DL_WITH_go"},
    {"#define dl_tiles 1", "dl_tiles"},
    {"#if DL_ONLY\n#endif", "DL_ONLY"},
    {"int dl_words(int dl_f) { typedef int dl_i; dl_i dl_b = dl_f; return dl_b; }", NULL},
    {"#undef dl_k0\nstruct dl_i { int dl_e; };\n__constant int dl_f = {3}, dl_l0 = {4};",
     NULL},
    {"typedef struct { int dl_i, dl_k0; } dl_cell;\nenum { dl_n, dl_at };", NULL},
    {"#define DL_SIZE(dl_a, dl_b) ((dl_a) * dl_b)\n#define dl_cell DL_SIZE", NULL},
};

START_TEST(a_name_is_refused_where_it_would_be_seen)
{
    struct case_file c = {.path = (char[]){"names.cl"}, .name = c.path};
    char *out, *remarks, *refusal;

    if (asprintf(&c.text,
                 "%s\ntypedef struct { float x, y; } cell;\n//DL: AoS: f[]\n"
                 "__kernel void go(__global cell *f) { f[get_global_id(0)].x += 1; }\n",
                 programs[_i].text) < 0 ||
        asprintf(&refusal, "'%s' is a name of generated code, too", programs[_i].name) <
            0)
        abort();
    if (programs[_i].name)
        ck_assert_msg(rewrite(&c, c.text, "", &out, &remarks) == DL_EREFUSED &&
                          strstr(remarks, refusal),
                      "%s: %s", programs[_i].text, remarks);
    else
        ck_assert_msg(rewrite(&c, c.text, "-cl-mad-enable", &out, &remarks) == DL_OK,
                      "%s: %s", programs[_i].text, remarks);
    free(refusal);
    free(c.text);
    free(out);
    free(remarks);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("names");
    TCase *tcase = tcase_create("names");
    SRunner *runner;
    int failed;

    cases = case_files_load(&case_count);
    for (size_t i = 0; i < case_count; i++)
        if (!cases[i].refused)
            add_names(&cases[i]);
    printf("%zu names\n", given_count);
    tcase_add_loop_test(tcase, a_name_is_refused_where_it_would_be_seen, 0,
                        sizeof programs / sizeof *programs);
    for (size_t i = 0; i < given_count; i++) {
        if (!is_its_turn_of((unsigned)i, 8))
            continue;
        tcase_add_loop_test(tcase, no_macro_is_a_generated_name, (int)i, (int)i + 1);
        tcase_add_loop_test(tcase, no_variable_hides_a_generated_name, (int)i,
                            (int)i + 1);
    }
    tcase_set_timeout(tcase, 0);
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    case_files_free(cases, case_count);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
