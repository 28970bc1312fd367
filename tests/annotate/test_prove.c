/* SPDX-License-Identifier: MIT */
/* Claims: --prove shows every access of the samples, and most of the cases', to be the
 * program's, and none of a row that nothing checks or of a rest without bounds. Of
 * the cases every other one, all with DL_TEST_FULL or a DL_TURN (turn.h). DL_SAYS=1
 * prints what is not shown of all of them, DL_SAYS=NAME of one alone. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "annotate/annotate.h"
#include "case_file.h"
#include "tests/common/read_file.h"

/* What is proved today, of what the forms have that the proof knows. */
enum { CASES_SHARE_PERCENT = 92 };

struct counts {
    size_t accesses, proved, kernels;
    bool says;
};

static void count_kernel(void *user, const char *kernel, size_t accesses, size_t proved)
{
    struct counts *counts = user;

    (void)kernel;
    counts->kernels++;
    counts->accesses += accesses;
    counts->proved += proved;
}

static void note_remark(void *user, const struct dl_remark *r)
{
    const struct counts *counts = user;

    if (counts->says)
        fprintf(stderr, "%s:%u:%u: %s\n", r->file ? r->file : "-", r->line, r->column,
                r->text);
}

static enum dl_status prove(const char *text, const char *rewritten,
                            const struct dl_annotate_options *options,
                            struct counts *counts)
{
    return dl_annotate_prove(text, strlen(text), rewritten, strlen(rewritten), options,
                             note_remark, count_kernel, counts);
}

static const struct sample {
    const char *file, *options;
} samples[] = {{"agents/agents.cl", NULL}, {"black_scholes/black_scholes.cl", NULL},
               {"lbm/lbm.cl", NULL},       {"lbm/lbm.cl", "-DLBM_FLAT"},
               {"spmv/spmv.cl", NULL},     {"spmv/spmv.cl", "-DLOADS_AHEAD"}};

START_TEST(every_access_of_the_samples_is_proved)
{
    char path[512], *text, *rewritten = NULL;
    struct dl_annotate_options options = {.file_name = path,
                                          .build_options = samples[_i].options};
    struct counts counts = {.says = true};

    snprintf(path, sizeof path, DL_SAMPLES_DIR "/%s", samples[_i].file);
    text = read_file(path, NULL);
    ck_assert_ptr_nonnull(text);
    ck_assert_int_eq(
        dl_annotate_rewrite(text, strlen(text), &options, NULL, NULL, &rewritten), DL_OK);
    ck_assert_int_eq(prove(text, rewritten, &options, &counts), DL_OK);
    ck_assert_uint_gt(counts.accesses, 0);
    ck_assert_uint_eq(counts.accesses, counts.proved);
    free(rewritten);
    free(text);
}
END_TEST

/* The rewritten text of a case; NULL: it is refused. */
static char *rewrite_case(const struct case_file *c, struct dl_annotate_options *options)
{
    struct dl_side_file *side = NULL;
    char *path = case_path(c, ".side"), *rewritten = NULL;

    *options = (struct dl_annotate_options){
        .file_name = c->path, .build_options = c->options, .detect = c->detect};
    if (!access(path, R_OK))
        ck_assert_int_eq(dl_side_file_load(path, NULL, NULL, &side), DL_OK);
    options->side = side;
    dl_annotate_rewrite(c->text, c->bytes, options, NULL, NULL, &rewritten);
    options->side = NULL;
    dl_side_file_free(side);
    free(path);
    return rewritten;
}

/* With longs, a place in the row may be in it by its remainder modulo 2^32 alone. */
START_TEST(unchecked_rows_of_longs_are_not_proved)
{
    static const char text[] =
        "//DL: AoS: in[n][20]\n"
        "__kernel void go(__global const uint *in, __global uint *out, int n)\n"
        "{\n"
        "    long i = get_global_id(0), r = i - 214748365, e = 4294967300;\n"
        "    __global const uint *p = in + 20 * (int)i;\n"
        "    p++;\n"
        "    out[i] = in[20 * r + e];\n"
        "}\n";
    static const char check[] = "dl_i >= dl_head + dl_tail || ";
    struct dl_annotate_options options = {.file_name = "rows.cl"};
    struct counts whole = {.says = true}, unchecked = {0};
    char *rewritten = NULL, *at;

    ck_assert_int_eq(
        dl_annotate_rewrite(text, strlen(text), &options, NULL, NULL, &rewritten), DL_OK);
    ck_assert_int_eq(prove(text, rewritten, &options, &whole), DL_OK);
    ck_assert_uint_eq(whole.proved, 1);
    at = strstr(rewritten, check);
    ck_assert_ptr_nonnull(at);
    memset(at, ' ', strlen(check));
    prove(text, rewritten, &options, &unchecked);
    ck_assert_uint_eq(unchecked.proved, 0);
    free(rewritten);
}
END_TEST

/* A pointer that is moved by rows one way and by elements the other has a rest that may
 * pass 2^32: nothing is proved of it without a look at the row. Of one that only steps
 * from a row on, the row is known. */
START_TEST(rests_that_may_pass_2_32_are_not_proved)
{
    static const struct {
        const char *moves;
        size_t proved;
    } ways[] = {{"p += 4 * i; p -= j;", 0},
                {"p++;", 1},
                {"p += 4 * i; p += 3 - j;", 0},
                {"p += j;", 1}};
    static const char check[] = "dl_i >= dl_head + dl_tail || ";
    struct dl_annotate_options options = {.file_name = "moves.cl"};
    struct counts counts = {0};
    char text[512], *rewritten = NULL, *at;

    snprintf(
        text, sizeof text,
        "//DL: AoS: in[n][4]\n"
        "__kernel void go(__global const uchar *in, __global uchar *out, int n, int i, "
        "int j)\n{\n"
        "    __global const uchar *p = in + 4 * i;\n\n"
        "    for (int k = 0; k < 8; k++) {\n        %s\n    }\n"
        "    out[get_global_id(0)] = p[0];\n}\n",
        ways[_i].moves);
    ck_assert_int_eq(
        dl_annotate_rewrite(text, strlen(text), &options, NULL, NULL, &rewritten), DL_OK);
    at = strstr(rewritten, check);
    ck_assert_ptr_nonnull(at);
    memset(at, ' ', strlen(check));
    prove(text, rewritten, &options, &counts);
    ck_assert_uint_eq(counts.accesses, 1);
    ck_assert_uint_eq(counts.proved, ways[_i].proved);
    free(rewritten);
}
END_TEST

START_TEST(most_accesses_of_the_cases_are_proved)
{
    const char *says = getenv("DL_SAYS");
    const bool all = getenv("DL_TEST_FULL") || getenv("DL_TURN");
    struct counts counts = {.says = says != NULL};
    size_t case_count;
    struct case_file *cases = case_files_load(&case_count);

    for (size_t i = 0; i < case_count; i++) {
        struct dl_annotate_options options;
        bool taken =
            says ? !strcmp(says, "1") || !strcmp(says, cases[i].name) : i % 2 == 0 || all;
        char *rewritten =
            taken && !cases[i].refused ? rewrite_case(&cases[i], &options) : NULL;

        if (rewritten)
            prove(cases[i].text, rewritten, &options, &counts);
        free(rewritten);
    }
    printf("cases: %zu kernels, %zu accesses, %zu proved\n", counts.kernels,
           counts.accesses, counts.proved);
    if (!says || !strcmp(says, "1")) {
        ck_assert_uint_gt(counts.kernels, 150);
        ck_assert_uint_ge(counts.proved * 100, counts.accesses * CASES_SHARE_PERCENT);
    }
    case_files_free(cases, case_count);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("prove");
    TCase *tcase = tcase_create("prove");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_loop_test(tcase, every_access_of_the_samples_is_proved, 0,
                        sizeof samples / sizeof *samples);
    tcase_add_test(tcase, unchecked_rows_of_longs_are_not_proved);
    tcase_add_loop_test(tcase, rests_that_may_pass_2_32_are_not_proved, 0, 4);
    tcase_add_test(tcase, most_accesses_of_the_cases_are_proved);
    tcase_set_timeout(tcase, 600);
    suite_add_tcase(suite, tcase);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
