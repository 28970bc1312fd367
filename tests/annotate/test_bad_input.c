/* SPDX-License-Identifier: MIT */
/* Claims: source that can't be read, or is too much to read, gives one remark and no
 * output, on a thread with a small stack, too; so do annotations that can't be honoured.
 */
#include <check.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "annotate/annotate.h"
#include "tests/common/random_numbers.h"

#define CELL "typedef struct { float x, y; int k[4]; } cell;\n"
#define NOTE "//DL: AoS: f[n]\n"
#define HEAD                                                                             \
    "__kernel void go(__global cell *f, int n)\n{\n    int i = get_global_id(0);\n"
#define BODY "    f[i].x += f[i].y;\n}\n"
#define GOOD CELL NOTE HEAD BODY

static unsigned warning_count;
static char last_remark[1024];

static void note_remark(void *user, const struct dl_remark *r)
{
    (void)user;
    if (r->severity == DL_REMARK)
        return;
    warning_count++;
    snprintf(last_remark, sizeof last_remark, "%s", r->text);
}

static enum dl_status rewrite(const char *text, size_t bytes)
{
    const struct dl_annotate_options options = {.ms_max = 1000};
    char *out = NULL;
    enum dl_status st;

    warning_count = 0;
    last_remark[0] = '\0';
    st = dl_annotate_rewrite(text, bytes, &options, note_remark, NULL, &out);
    ck_assert_int_eq(st == DL_OK, out != NULL);
    free(out);
    return st;
}

/* ---- no more threads ---- */

#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
/* libclang ends the process where it can't start its thread. */
START_TEST(without_threads_the_text_is_left_alone)
{
    unsigned long pages = 0;
    struct rlimit before, now;
    FILE *file = fopen("/proc/self/statm", "r");

    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fscanf(file, "%lu", &pages), 1);
    fclose(file);
    ck_assert_int_eq(getrlimit(RLIMIT_AS, &before), 0);
    now = before;
    now.rlim_cur = pages * (rlim_t)sysconf(_SC_PAGESIZE) + (4 << 20);
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &now), 0);
    ck_assert_int_eq(rewrite(GOOD, strlen(GOOD)), DL_ENOLIB);
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &before), 0);
    ck_assert_ptr_nonnull(strstr(last_remark, "thread"));
    ck_assert_int_eq(rewrite(GOOD, strlen(GOOD)), DL_OK);
}
END_TEST
#else
#define without_threads_the_text_is_left_alone a_small_stack_is_enough
#endif

/* ---- texts made of repetitions ---- */

/* `before`, `open` so many times, `middle`, `close` as often, `after`. %d in `open` is
 * the count so far. */
static char *repeat(const char *before, const char *open, unsigned count,
                    const char *middle, const char *close, const char *after)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);

    ck_assert_ptr_nonnull(out);
    fputs(before, out);
    for (unsigned i = 0; i < count; i++) {
        for (const char *at = open; *at; at++) {
            if (at[0] == '%' && at[1] == 'd')
                fprintf(out, "%u", i), at++;
            else if (at[0] == '%' && at[1] == 'e')
                fprintf(out, "%u", i + 1), at++;
            else
                fputc(*at, out);
        }
    }
    fputs(middle, out);
    for (unsigned i = 0; i < count; i++)
        fputs(close, out);
    fputs(after, out);
    fclose(out);
    return text;
}

static const struct excess {
    const char *before, *open, *middle, *close, *after;
    unsigned passes, count; /* so many are read; so many are not */
    const char *reason;
} excesses[] = {
    {CELL NOTE HEAD "n = ", "(", "n", ")", ";\n" BODY, 100, 100000, "brackets"},
    {CELL NOTE HEAD "n = ", "-(", "n", ")", ";\n" BODY, 100, 100000, "brackets"},
    {CELL NOTE HEAD, "{", "", "}", BODY, 100, 100000, "brackets"},
    {CELL NOTE HEAD "n = ", "f[(int)", "i", "].x", ";\n" BODY, 50, 100000, "brackets"},
    {CELL NOTE HEAD, "if (n) ", ";", "", BODY, 300, 100000, "too long"},
    {CELL NOTE HEAD, "while (n) ", ";", "", BODY, 300, 100000, "too long"},
    {CELL NOTE HEAD, "if (n) i = 1; else ", ";", "", BODY, 300, 100000, "too long"},
    {CELL NOTE HEAD, "if (n) { i = 1; } else ", ";", "", BODY, 300, 100000, "too long"},
    {CELL NOTE HEAD "n = ", "- ", "n", "", ";\n" BODY, 300, 100000, "too long"},
    {CELL NOTE HEAD "n = ", "!", "n", "", ";\n" BODY, 300, 100000, "too long"},
    {CELL NOTE HEAD "n = ", "(int)", "n", "", ";\n" BODY, 300, 100000, "too long"},
    {CELL NOTE HEAD "n = ", "i + ", "n", "", ";\n" BODY, 1000, 100000, "too long"},
    {CELL NOTE HEAD "n = ", "f[i].k[1] + ", "n", "", ";\n" BODY, 150, 100000, "too long"},
    {CELL NOTE HEAD "n = ", "i ? 1 : ", "n", "", ";\n" BODY, 300, 100000, "too long"},
    {CELL NOTE HEAD, "i, ", "n", "", ";\n" BODY, 1000, 100000, "too long"},
    {CELL NOTE HEAD "switch (n) {\n", "case %d: ", "", "", ";}\n" BODY, 300, 100000,
     "too long"},
    {CELL NOTE HEAD, "l%d: ", ";", "", BODY, 300, 100000, "too long"},
    {CELL NOTE HEAD "int ", "*", "p = 0", "", ";\n" BODY, 50, 100000, "too long"},
    {CELL NOTE HEAD "int a", "[1]", "", "", ";\n" BODY, 50, 100000, "too long"},
    {"struct s0 { int x; };\n", "struct s%e { struct s%d x; };\n", CELL, "",
     NOTE HEAD BODY, 300, 100000, "types"},
    {"typedef int t0;\n", "typedef t%d *t%e;\n", CELL, "", NOTE HEAD BODY, 300, 100000,
     "types"},
    {"", "#if 1\n", CELL, "\n#endif\n", NOTE HEAD BODY, 200, 100000, "conditionals"},
    {"#define M0 1\n", "#define M%e M%d + M%d\n", CELL NOTE HEAD "n = M100000;\n", "",
     BODY, 0, 100000, NULL},
    {"#define A0(x) x\n", "#define A%e(x) A%d(A%d(x))\n",
     CELL NOTE HEAD "n = A24(n) + A100000;\n", "", BODY, 0, 40, "it takes too"},
    {"", "/* some words to fill a large file with */ int function_number_%d(int a);\n",
     CELL, "", NOTE HEAD BODY, 100, 200000, "too large"},
    {"", "#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable\n", GOOD, "", "",
     0, 1, "pointers to functions"},
    {NOTE, "(((((((((((", "", "", "", 0, 1000000, "brackets"},
    {NOTE, "{", "", "", "", 0, 100000, "brackets"},
    {"//DL: AoS: f[", "(", "n", ")", "]\n" CELL HEAD BODY, 0, 100000, NULL},
    {"//DL: AoS: f[", "-", "n", "", "]\n" CELL HEAD BODY, 0, 100000, NULL},
    {"#if ", "(", "1", ")", "\n" GOOD "\n#endif\n", 0, 100000, NULL},
    {"#if ", "!", "1", "", "\n" GOOD "\n#endif\n", 0, 100001, NULL},
    {"#if ", "1 ? 1 : ", "1", "", "\n" GOOD "\n#endif\n", 0, 100000, NULL},
};

START_TEST(excess_is_told_and_left_alone)
{
    const struct excess *e = &excesses[_i];
    char *text = repeat(e->before, e->open, e->count, e->middle, e->close, e->after);
    enum dl_status st = rewrite(text, strlen(text));

    ck_assert_msg(st == DL_EPARSE || st == DL_EREFUSED || st == DL_ELIMIT, "%s: %s",
                  e->open, dl_status_name(st));
    ck_assert_msg(warning_count == 1, "%s: %u remarks: %s", e->open, warning_count,
                  last_remark);
    /* On a loaded machine the time may be over first. */
    ck_assert_msg(!e->reason || strstr(last_remark, e->reason) ||
                      strstr(last_remark, "it takes too long"),
                  "%s: %s", e->open, last_remark);
    free(text);
}
END_TEST

START_TEST(what_is_no_excess_is_read)
{
    const struct excess *e = &excesses[_i];
    char *text;
    enum dl_status st;

    if (!e->passes)
        return;
    text = repeat(e->before, e->open, e->passes, e->middle, e->close, e->after);
    st = rewrite(text, strlen(text));
    ck_assert_msg(st == DL_OK, "%s: %s: %s", e->open, dl_status_name(st), last_remark);
    free(text);
}
END_TEST

/* Helpers that call each other, a long way down. */
static char *call_chain(unsigned count)
{
    return repeat(CELL "float h0(__global cell *p) { return p->x; }\n",
                  "float h%e(__global cell *p) { return h%d(p + 1); }\n", count,
                  NOTE HEAD "    f[i].y = h", "", "");
}

START_TEST(helpers_that_call_each_other_too_deeply_are_refused)
{
    static const struct {
        unsigned count;
        enum dl_status status;
    } chains[] = {{40, DL_OK}, {5000, DL_EREFUSED}};

    for (size_t i = 0; i < 2; i++) {
        char *text = call_chain(chains[i].count), *whole;

        ck_assert_int_ge(asprintf(&whole, "%s%u(f + i);\n}\n", text, chains[i].count), 0);
        ck_assert_int_eq(rewrite(whole, strlen(whole)), chains[i].status);
        ck_assert_uint_eq(warning_count, i);
        free(whole);
        free(text);
    }
}
END_TEST

/* Of helpers that call each other in 2^40 ways each is looked at once. */
START_TEST(helpers_that_meet_are_read)
{
    char *text = repeat(CELL "float h0(__global cell *p) { return p->x; }\n"
                             "float g0(__global cell *p) { return p->y; }\n",
                        "float h%e(__global cell *p) { return h%d(p) + g%d(p); }\n"
                        "float g%e(__global cell *p) { return g%d(p) - h%d(p + 1); }\n",
                        40, NOTE HEAD "    f[i].y = h40(f + i);\n}\n", "", "");

    ck_assert_msg(rewrite(text, strlen(text)) == DL_OK, "%s", last_remark);
    free(text);
}
END_TEST

/* ---- bytes ---- */

static uint32_t random_state = 1;

/* Whatever the text is: an output without a remark, or none with one, or a kernel less.
 */
static void must_be_told(const char *text, size_t bytes, const char *what)
{
    enum dl_status st = rewrite(text, bytes);

    ck_assert_msg(st == DL_OK || st == DL_EPARSE || st == DL_EREFUSED, "%s: %s", what,
                  dl_status_name(st));
    ck_assert_msg(st == DL_OK || warning_count <= 1, "%s: %u remarks", what,
                  warning_count);
}

START_TEST(cut_texts_do_no_harm)
{
    static const char text[] = "#define X(a, b) (a)[b].x\n" CELL NOTE HEAD
                               "    /* a comment */ f[i].k[1] = \"str\"[0] + 'c';\n#if "
                               "1\n    X(f, i) *= 2; // end\n"
                               "#endif\n" BODY;
    size_t step = 7;

    for (size_t bytes = 0; bytes < sizeof text; bytes += step)
        must_be_told(text, bytes, "cut");
}
END_TEST

START_TEST(bytes_that_are_no_text_do_no_harm)
{
    static const char *const bytes[] = {"\xff", "\xc3", "\xe2\x82", "\xf0\x9f\x98\x80",
                                        "\x80", "\x01", "\x7f",     "\r",
                                        "`",    "@",    "\\",       "\""};
    char text[sizeof GOOD + 64];

    for (unsigned round = 0; round < 120; round++) {
        const char *put =
            bytes[random_below(&random_state, sizeof bytes / sizeof *bytes)];
        size_t at = random_below(&random_state, sizeof GOOD);

        memcpy(text, GOOD, at);
        strcpy(text + at, put);
        strcat(text, &GOOD[at]);
        must_be_told(text, strlen(text), put);
        /* A NUL, as clCreateProgramWithSource may have it with lengths. */
        text[at] = '\0';
        must_be_told(text, sizeof GOOD, "NUL");
    }
}
END_TEST

START_TEST(invalid_utf8_in_comments_and_strings_is_kept)
{
    static const char text[] = "/* \xff\xfe \xc3( */\n" CELL "// \xe2\x82\n" NOTE HEAD
                               "    __constant char *s = \"\xf0\x28\x8c\x28\";\n" BODY;
    char *out = NULL;

    warning_count = 0;
    ck_assert_int_eq(
        dl_annotate_rewrite(text, sizeof text - 1, NULL, note_remark, NULL, &out), DL_OK);
    ck_assert_uint_eq(warning_count, 0);
    ck_assert_ptr_nonnull(strstr(out, "/* \xff\xfe \xc3( */"));
    ck_assert_ptr_nonnull(strstr(out, "\"\xf0\x28\x8c\x28\""));
    free(out);
}
END_TEST

/* ---- annotations ---- */

static const char *const unbalanced[] = {
    GOOD "}",
    GOOD "__kernel void more(void) {",
    GOOD "int x[2;",
    GOOD "int y = (1];",
    CELL NOTE "__kernel void go(__global cell *f, int n) { f[n).x = 1; }",
    GOOD ")"};

/* libclang crashes on some texts with brackets that do not match. */
START_TEST(brackets_that_do_not_match_are_told)
{
    enum dl_status st = rewrite(unbalanced[_i], strlen(unbalanced[_i]));

    ck_assert_msg(st == DL_EPARSE, "%s: %s", unbalanced[_i], dl_status_name(st));
    ck_assert_msg(warning_count == 1 && strstr(last_remark, "a bracket "), "%s",
                  last_remark);
    ck_assert_int_eq(
        rewrite("#pragma some ( thing\n" GOOD, strlen("#pragma some ( thing\n" GOOD)),
        DL_OK);
}
END_TEST

static const struct {
    const char *text, *reason;
} refusals[] = {
    {CELL "//DL: AoS: g[n]\n" HEAD BODY, "no argument 'g'"},
    {CELL "//DL: AoS: n[n]\n" HEAD BODY, "not a pointer to structs"},
    {CELL "//DL: AoS: f[m]\n" HEAD BODY, "'m'"},
    {CELL "//DL: AoS: f[n], f[2 * n]\n" HEAD BODY, "twice"},
    {CELL NOTE "//DL: AoS: f[2 * n]\n" HEAD BODY, "twice"},
    {CELL NOTE "//DL: AoS: f[n][6]\n" HEAD BODY, "'f'"},
    {CELL HEAD BODY NOTE, "no kernel follows"},
    {CELL "//DL: SoB: f[n]\n" HEAD BODY, "form"},
    {CELL "//DL: AoS: f[n\n" HEAD BODY, "missing"},
    {"//DL: AoS: f[n]\n", "no kernel follows"},
};

START_TEST(annotations_that_can_not_be_honoured_are_told)
{
    enum dl_status st = rewrite(refusals[_i].text, strlen(refusals[_i].text));

    ck_assert_msg(st == DL_EREFUSED, "%s: %s", refusals[_i].text, dl_status_name(st));
    ck_assert_msg(warning_count == 1 && strstr(last_remark, refusals[_i].reason),
                  "%u remarks: %s", warning_count, last_remark);
}
END_TEST

/* ---- stacks ---- */

static void *rewrite_deep_text(void *user)
{
    char *text = repeat(CELL NOTE HEAD "n = ", "i + ", 1000, "n", "", ";\n" BODY);

    *(enum dl_status *)user = rewrite(text, strlen(text));
    free(text);
    return NULL;
}

START_TEST(a_small_stack_is_enough)
{
    enum dl_status st = DL_ENOMEM;
    pthread_attr_t attributes;
    pthread_t thread;

    pthread_attr_init(&attributes);
    ck_assert_int_eq(pthread_attr_setstacksize(&attributes, 64 << 10), 0);
    ck_assert_int_eq(pthread_create(&thread, &attributes, rewrite_deep_text, &st), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    ck_assert_int_eq(st, DL_OK);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("bad input");
    TCase *tcase = tcase_create("all");
    SRunner *runner = srunner_create(suite);
    int failed, count = sizeof excesses / sizeof *excesses;

    tcase_add_loop_test(tcase, excess_is_told_and_left_alone, 0, count);
    tcase_add_loop_test(tcase, what_is_no_excess_is_read, 0, count);
    tcase_add_test(tcase, helpers_that_call_each_other_too_deeply_are_refused);
    tcase_add_test(tcase, helpers_that_meet_are_read);
    tcase_add_test(tcase, cut_texts_do_no_harm);
    tcase_add_test(tcase, bytes_that_are_no_text_do_no_harm);
    tcase_add_test(tcase, invalid_utf8_in_comments_and_strings_is_kept);
    tcase_add_loop_test(tcase, brackets_that_do_not_match_are_told, 0,
                        sizeof unbalanced / sizeof *unbalanced);
    tcase_add_loop_test(tcase, annotations_that_can_not_be_honoured_are_told, 0,
                        sizeof refusals / sizeof *refusals);
    tcase_add_test(tcase, a_small_stack_is_enough);
    tcase_add_test(tcase, without_threads_the_text_is_left_alone);
    tcase_set_timeout(tcase, 120);
    suite_add_tcase(suite, tcase);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
