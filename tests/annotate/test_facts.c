/* SPDX-License-Identifier: MIT */
/* Claims: the tables say of each access how its index steps from one work-item to the
 * next, which bytes it may touch, how often and by whom; and whether sums may be
 * contracted. What can't be followed is said to be unknown. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/annotate.h"
#include "fact_rows.h"
#include "tests/common/read_file.h"

static const char head[] =
    "typedef struct { float x; int next; float v[4]; int n; int2 p; } cell;\n"
    "__constant int shifts[3] = {1, 2, 3};\n";
static const char kernel[] =
    "//DL: AoS: f[count]\n"
    "__kernel void go(__global cell *f, __global const int *idx, __global float *out,\n"
    "                 __local int *tile, int count, int w, int h)\n{\n";

/* The accesses of the table in a rewritten text, `; ` between them, without the lines of
 * loops (samples_advise has these); "?" where it has none. The caller frees it. */
static char *accesses_of(const char *text)
{
    static const char key[] = "//DL-access: ";
    char *out = strdup(""), *more;

    for (const char *at = text; (at = strstr(at, key)) != NULL;) {
        size_t bytes = strcspn(at += sizeof key - 1, "\n");
        const char *line = memmem(at, bytes, " line ", 6);

        if (asprintf(&more, "%s%s%.*s", out, *out ? "; " : "",
                     (int)(line ? (size_t)(line - at) : bytes), at) < 0)
            abort();
        free(out);
        out = more;
    }
    if (*out)
        return out;
    free(out);
    return strdup("?");
}

static void print_remark(void *user, const struct dl_remark *remark)
{
    (void)user;
    fprintf(stderr, "%u: %s\n", remark->line, remark->text);
}

static char *rewritten(const char *text, const char *options)
{
    struct dl_annotate_options all = {.build_options = options};
    char *out = NULL;

    ck_assert_msg(
        dl_annotate_rewrite(text, strlen(text), &all, print_remark, NULL, &out) == DL_OK,
        "%s", text);
    return out;
}

/* ---- forms ---- */

START_TEST(accesses_are_told_apart)
{
    const struct row *row = &rows[_i];
    char *text, *out, *accesses;

    if (asprintf(&text, "%s%s%s%s\n}\n", head, row->helpers ? row->helpers : "", kernel,
                 row->body) < 0)
        abort();
    out = rewritten(text, NULL);
    accesses = accesses_of(out);
    ck_assert_msg(!strcmp(accesses, row->accesses), "%s\n%sgot:  %s\nwant: %s", row->body,
                  row->helpers ? row->helpers : "", accesses, row->accesses);
    free(accesses);
    free(out);
    free(text);
}
END_TEST

/* ---- flat buffers ---- */

static const struct row flat_rows[] = {
    {"f[i * 20 + 3] = 1;", "linear 1 12+4 write", NULL},
    {"f[3 + 20 * i] = f[(i + 1) * 20 - 1];", "linear 1 12+4 write; linear 1 76+4 read",
     NULL},
    {"int base = i * 20; f[base + 2] = 1;", "linear 1 8+4 write", NULL},
    {"int base = i * 20; for (int k = 0; k < 20; k++) f[base + k] = 1;",
     "linear 1 0+80 write walks loops 1 counted 1 rounds 20", NULL},
    {"f[i * 20 + w] = 1;", "linear 1 0+80 write", NULL},
    {"f[i * 20 + idx[i]] = 1;", "linear 1 0+80 write", NULL},
    {"f[idx[i] * 20 + 2] = 1;", "gather 8+4 write", NULL},
    {"f[i] = 1;", "unknown 0+80 write", NULL},
    {"f[w] = 1;", "uniform 0+80 write", NULL},
    {"for (int k = 0; k < w; k++) f[k] = 1;", "uniform 0+80 write walks loops 1", NULL},
    {"for (int k = 0; k < w; k++) f[k * 20 + 1] = 1;", "uniform 4+4 write loops 1", NULL},
    {"f[idx[i]] = 1;", "gather 0+80 write", NULL},
    {"f[w * 20 + i] = 1;", "uniform 0+80 write", NULL},
    {"__global float *p = f + i * 20; for (int k = 0; k < 20; k++) *p++ = 1;",
     "linear 1 0+80 write walks loops 1 counted 1 rounds 20", NULL},
    {"__global float *p = f + i * 20; for (int k = 0; k < 20; k++) { *p = 1; p++; }",
     "linear 1 0+80 write walks loops 1 counted 1 rounds 20", NULL},
    {"vstore4((float4)(1), i * 5, f);", "linear 1 0+16 write", NULL},
    {"vstore2((float2)(1), 1, f + 20 * i);", "linear 1 8+8 write", NULL},
    {"f[(i - 1) * 20 + 25] = 1;", "linear 1 20+4 write", NULL},
    {"__global float *p = f + i * 20 + 15; p[10] = p[-16];",
     "linear 1 20+4 write; linear 1 76+4 read", NULL},
};

static const struct row width_rows[] = {
    {"f[i * w] = 1;", "linear 1 0+4 write", NULL},
    {"f[i * w + 3] = f[3 * w + 1];", "linear 1 12+4 write; uniform 4+4 read", NULL},
    {"for (int k = 0; k < w; k++) f[i * w + k] = 1;", "linear 1 0+* write walks loops 1",
     NULL},
    {"int base = i * w; for (int k = 0; k < w; k++) f[base + k] = 1;",
     "linear 1 0+* write walks loops 1", NULL},
    {"for (int k = 0; k < count; k++) f[k * w + i] = 1;", "uniform 0+* write loops 1",
     NULL},
    {"f[idx[i] * w + 1] = 1;", "gather 4+4 write", NULL},
    {"f[2 * i * w] = 1;", "linear 2 0+4 write", NULL},
    {"f[i] = 1;", "uniform 0+* write", NULL},
    {"__global float *p = f + i * w; for (int k = 0; k < w; k++) p[k] = 1;",
     "linear 1 0+* write walks loops 1", NULL},
    {"f += w * i; f[2] = 1;", "linear 1 8+4 write", NULL},
};

enum {
    FLAT_ROWS = sizeof flat_rows / sizeof *flat_rows,
    WIDTH_ROWS = sizeof width_rows / sizeof *width_rows
};

START_TEST(rows_and_columns_are_told_apart)
{
    const struct row *row = _i < FLAT_ROWS ? &flat_rows[_i] : &width_rows[_i - FLAT_ROWS];
    char *text, *out, *accesses;

    if (asprintf(&text,
                 "//DL: AoS: f[count][%s]\n__kernel void go(__global float *f, "
                 "__global const int *idx, int count, int w)\n{\n" GID "%s\n}\n",
                 _i < FLAT_ROWS ? "20" : "w", row->body) < 0)
        abort();
    out = rewritten(text, NULL);
    accesses = accesses_of(out);
    ck_assert_msg(!strcmp(accesses, row->accesses), "%s\ngot:  %s\nwant: %s", row->body,
                  accesses, row->accesses);
    free(accesses);
    free(out);
    free(text);
}
END_TEST

/* ---- sums ---- */

static const struct {
    const char *before, *body;
    bool contractable;
} sums[] = {
    {"", "f[0].x = f[0].x * 2 + 1;", true},
    {"", "f[0].x = f[0].x * 2; f[0].x += 1;", true},
    {"", "f[0].x = fma(f[0].x, 2, 1);", false},
    {"", "f[0].x = mad(f[0].x, 2, 1);", true},
    {"", "f[0].x = dot((float2)(1, f[0].x), (float2)(2, 3));", true},
    {"", "f[0].x = f[0].x + 1;", false},
    {"", "f[0].x *= 3;", false},
    {"", "f[0].n = f[0].n * 3 + 1;", false},
    {"", "f[0].x = f[0].n * 3 + 1;", false},
    {"", "float2 a = (float2)(w, h); a = a * a - 1; f[0].x = a.y;", true},
    {"", "f[0].x = twice(w) + 1;", true},
    {"", "f[0].x = plus(w);", false},
    {"#pragma OPENCL FP_CONTRACT OFF\n", "f[0].x = f[0].x * 2 + 1;", false},
    {"#pragma OPENCL FP_CONTRACT OFF\n", "f[0].x = mad(f[0].x, 2, 1);", true},
    {"#pragma OPENCL FP_CONTRACT OFF\n#pragma OPENCL FP_CONTRACT ON\n",
     "f[0].x = f[0].x * 2 + 1;", true},
    {"#pragma OPENCL FP_CONTRACT OFF\n",
     "{\n#pragma OPENCL FP_CONTRACT ON\nf[0].x = f[0].x * 2 + 1; }", true},
};

START_TEST(sums_that_may_be_contracted_are_found)
{
    struct dl_notes *notes;
    char *text, *out;

    if (asprintf(&text,
                 "%s%sfloat twice(float a) { return a * 2; }\n"
                 "float plus(float a) { return a + 2; }\n%s%s\n}\n",
                 sums[_i].before, head, kernel, sums[_i].body) < 0)
        abort();
    out = rewritten(text, NULL);
    ck_assert_int_eq(dl_annotate_scan(out, strlen(out), NULL, NULL, &notes), DL_OK);
    ck_assert_msg(notes->kernels->contractable == sums[_i].contractable, "%s%s",
                  sums[_i].before, sums[_i].body);
    dl_notes_free(notes);
    free(out);
    free(text);
}
END_TEST

/* ---- the samples ---- */

START_TEST(samples_are_what_they_are_known_to_be)
{
    static const struct {
        const char *file, *options, *buffer;
        size_t facts;
        struct dl_access_fact each; /* but for offset and bytes */
    } samples[] = {
        {"lbm/lbm.cl",
         "",
         "src",
         20,
         {.form = DL_ACCESS_LINEAR, .step = 1, .reads = true}},
        {"lbm/lbm.cl",
         "",
         "dst",
         20,
         {.form = DL_ACCESS_LINEAR, .step = 1, .writes = true}},
        {"lbm/lbm.cl",
         "-DLBM_FLAT",
         "src",
         20,
         {.form = DL_ACCESS_LINEAR, .step = 1, .reads = true}},
        {"lbm/lbm.cl",
         "-DLBM_FLAT",
         "dst",
         20,
         {.form = DL_ACCESS_LINEAR, .step = 1, .writes = true}},
        {"spmv/spmv.cl",
         "",
         "columns",
         1,
         {.form = DL_ACCESS_LINEAR, .step = 1, .reads = true, .walks = true, .loops = 1}},
        {"spmv/spmv.cl",
         "",
         "values",
         1,
         {.form = DL_ACCESS_LINEAR, .step = 1, .reads = true, .walks = true, .loops = 1}},
    };
    char path[4096], *text, *out;
    struct dl_notes *notes;
    size_t found = 0;

    snprintf(path, sizeof path, "%s/%s", DL_SAMPLES_DIR, samples[_i].file);
    text = read_file(path, NULL);
    ck_assert_ptr_nonnull(text);
    out = rewritten(text, samples[_i].options);
    ck_assert_int_eq(dl_annotate_scan(out, strlen(out), NULL, NULL, &notes), DL_OK);
    ck_assert(!notes->kernels->contractable);
    for (size_t b = 0; b < notes->kernels->buffer_count; b++) {
        const struct dl_buffer_note *note = &notes->kernels->buffers[b];

        if (strcmp(note->name, samples[_i].buffer))
            continue;
        ck_assert_uint_eq(note->fact_count, samples[_i].facts);
        for (size_t i = 0; i < note->fact_count; i++, found++) {
            struct dl_access_fact fact = note->facts[i], each = samples[_i].each;

            ck_assert_int_eq(fact.form, each.form);
            ck_assert_int_eq(fact.step, each.step);
            ck_assert_int_eq(fact.reads, each.reads);
            ck_assert_int_eq(fact.writes, each.writes);
            ck_assert_int_eq(fact.walks, each.walks);
            ck_assert_int_eq(fact.loops, each.loops);
            ck_assert(!fact.conditional && !fact.atomic);
            ck_assert_uint_eq(fact.bytes, each.walks ? UINT32_MAX : 4);
        }
    }
    ck_assert_uint_eq(found, samples[_i].facts);
    dl_notes_free(notes);
    free(out);
    free(text);
}
END_TEST

START_TEST(black_scholes_has_one_loop)
{
    char *text = read_file(DL_SAMPLES_DIR "/black_scholes/black_scholes.cl", NULL);
    char *out = rewritten(text, NULL), *accesses = accesses_of(out);

    ck_assert_str_eq(accesses, "linear 1 0+4 read loops 1; linear 1 4+4 read loops 1; "
                               "linear 1 8+4 read loops 1; linear 1 12+4 write loops 1; "
                               "linear 1 16+4 write loops 1");
    free(accesses);
    free(out);
    free(text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("facts");
    TCase *tcase = tcase_create("all");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_loop_test(tcase, accesses_are_told_apart, 0, sizeof rows / sizeof *rows);
    tcase_add_loop_test(tcase, rows_and_columns_are_told_apart, 0,
                        FLAT_ROWS + WIDTH_ROWS);
    tcase_add_loop_test(tcase, sums_that_may_be_contracted_are_found, 0,
                        sizeof sums / sizeof *sums);
    tcase_add_loop_test(tcase, samples_are_what_they_are_known_to_be, 0, 6);
    tcase_add_test(tcase, black_scholes_has_one_loop);
    tcase_set_timeout(tcase, 0);
    suite_add_tcase(suite, tcase);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
