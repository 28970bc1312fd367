/* SPDX-License-Identifier: MIT */
/* Claims: of a text rewritten for it, built for one kernel, the other kernels are not
 * there, those that stay as they are included, however they are written; where one of
 * them can't be taken out, the text is whole. All that is left stands on its own lines.
 */
#include <check.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/annotate.h"
#include "annotate/program/rewriter.h"

#define TYPE "typedef struct { int a; float b; } S;\n"
#define GO                                                                               \
    "//DL: AoS: f[n]\n__kernel void go(__global S *f, int n) { f[get_global_id(0)].a "   \
    "+= n; }\n"
#define PLAIN(name)                                                                      \
    "__kernel void " name "(__global float *x) { x[get_global_id(0)] *= 2; }"

static const struct row {
    const char *what, *text, *header, *left;
} rows[] = {
    {"beside it", TYPE PLAIN("p") "\n" GO PLAIN("q") "\n" PLAIN("r"), NULL, "go"},
    {"on its line",
     TYPE PLAIN("p") PLAIN("q") " /* DL's */" PLAIN("r") "\n" GO PLAIN("s"), NULL, "go"},
    {"behind it without a space",
     TYPE
     "//DL: AoS: f[n]\n__kernel void go(__global S *f, int n) { f[0].a += n; }" PLAIN("p")
         PLAIN("q"),
     NULL, "go"},
    {"in front of it without a space",
     TYPE "__kernel void p(__global int *x) { *x = 1; }//DL: AoS: f[n]\n__kernel void "
          "go(__global S *f, int n) { f[0].a += n; }",
     NULL, "go"},
    {"other transformed ones",
     TYPE GO "//DL: AoS: f[n]\n__kernel void h(__global S *f, int n) { f[n].a = 1; }\n",
     NULL, "go"},
    {"refused",
     TYPE GO
     "//DL: AoS: f[n]\n__kernel void h(__global S *f, int n) { *(__global int *)f = 1; }",
     NULL, "go"},
    {"with attributes",
     TYPE
     "__kernel __attribute__((reqd_work_group_size(8, 1, 1)))\nvoid p(__global int *x) "
     "{ __local int y[8]; y[get_local_id(0)] = 1; *x = y[0]; }\n" GO,
     NULL, "go"},
    {"made by a macro",
     TYPE "#define MAKE(name) " PLAIN("name") "\nMAKE(p)\nMAKE(q);\n" GO "MAKE(r)", NULL,
     "go"},
    {"two of one invocation",
     TYPE "#define MAKE(a, b) " PLAIN("a") " " PLAIN("b") "\n MAKE(p, q)\n" GO, NULL,
     "go"},
    {"a helper of the same invocation",
     TYPE "#define MAKE(a, b) int a(int x) { return x; } " PLAIN("b") "\nMAKE(p, q)\n" GO,
     NULL, "q go"},
    {"a word that is a macro",
     TYPE "#define KERNEL __kernel\n#define END }\n"
          "KERNEL void p(__global int *x) { *x = 1; END\n" GO,
     NULL, "go"},
    {"conditionals inside",
     TYPE "__kernel void p(__global int *x)\n{\n#ifdef A\n*x = 1;\n#elif 1\n*x = 2;\n"
          "#else\n*x = 3;\n#endif\n}\n" GO,
     NULL, "go"},
    {"conditionals across",
     TYPE
     "#if 1\n__kernel void p(__global int *x)\n#else\n__kernel void p(__global float *x)"
     "\n#endif\n{ *x = 1; }\n" GO,
     NULL, "p go"},
    {"conditionals around",
     TYPE "#if 1\n" PLAIN("p") "\n#else\n" PLAIN("q") "\n#endif\n" GO, NULL, "go"},
    {"a macro that others use",
     TYPE "__kernel void p(__global int *x)\n{\n#define TWO 2\n*x = TWO;\n}\n"
          "int two(void) { return TWO; }\n" GO,
     NULL, "p go"},
    {"declared",
     TYPE "__kernel void p(__global int *x);\n" GO
          "__kernel void p(__global int *x) { *x = 1; }",
     NULL, "go"},
    {"called",
     TYPE PLAIN("p") "\nvoid calls(__global float *x) { p(x); }\n" PLAIN("q") "\n" GO,
     NULL, "p go"},
    {"in a header", TYPE "\n#include \"others.h\"\n" GO, PLAIN("p") "\n" PLAIN("q"),
     "go"},
    {"a part in a header",
     TYPE "__kernel void p(__global int *x) {\n#include \"others.h\"\n}\n" GO,
     "*x = 1;\n", "p go"},
    {"not understood",
     TYPE "__kernel void p(__global int *x) { *x = unknown_function(1); }\n" GO, NULL,
     "go"},
    {"that reads discrete arrays",
     TYPE PLAIN("p") "\n" GO "//DL: SoA: f[n]\n"
                     "__kernel void s(__global S *f, int n) { f[get_global_id(0)].a = n; "
                     "}\n" PLAIN("q"),
     NULL, "go"},
};

static const char *in_header(const struct row *row, struct dl_annotate_options *options)
{
    static struct dl_header header;

    header = (struct dl_header){"others.h", row->header};
    options->headers = &header;
    options->header_count = row->header != NULL;
    options->device_extensions = "";
    return row->text;
}

/* The kernels that have a body in a text built with these options. */
static void kernels_of(const char *text, const struct dl_annotate_options *options,
                       char *out)
{
    struct dl__rewriter *w = dl__rewriter_open(text, strlen(text), options, NULL, NULL);
    const char *reason;

    *out = '\0';
    ck_assert_int_eq(dl__clang_load(NULL, &w->clang, &reason), DL_OK);
    if (setjmp(w->arena.fail))
        ck_abort_msg("it does not parse: %s", w->error.text);
    dl__program_read(w, "");
    for (size_t i = 0; i < w->ast.functions.count; i++) {
        const struct dl__function *f = &w->ast.functions.items[i];

        if (f->is_kernel && f->is_defined)
            sprintf(out + strlen(out), "%s%s", *out ? " " : "", f->name);
    }
    dl__rewriter_close(w);
}

/* The line that a word claims to be on, as a preprocessor counts that leaves out what is
 * not built. */
static unsigned line_of(const char *text, const char *word)
{
    unsigned line = 1, left_out = 0;

    for (const char *at = text, *end; *at; at = end + 1) {
        size_t bytes = strcspn(at, "\n");
        char *copy = strndup(at, bytes), *found = strstr(copy, word);
        bool is_if = !strncmp(copy, "#if", 3), other = strstr(copy, "!defined DL_ONLY");

        end = at + bytes - !at[bytes];
        if (is_if && (left_out || (other && !strstr(copy, "DL_WITH_go"))))
            left_out++;
        if (!left_out && sscanf(copy, "#line %u", &line) == 1)
            line--;
        if (left_out && !strncmp(copy, "#endif", 6))
            left_out--;
        free(copy);
        if (found && !left_out)
            return line;
        line++;
    }
    return 0;
}

START_TEST(one_kernel_is_built_without_the_others)
{
    const struct row *row = &rows[_i];
    struct dl_annotate_options options = {.apart = true};
    const char *text = in_header(row, &options);
    char *rewritten = NULL, left[256];

    ck_assert_msg(dl_annotate_rewrite(text, strlen(text), &options, NULL, NULL,
                                      &rewritten) == DL_OK,
                  "%s: is not rewritten", row->what);
    options.build_options =
        "-DDL_TILING=dl_tiles -DDL_TILE=32 -DDL_ONLY=1 -DDL_WITH_go=1";
    kernels_of(rewritten, &options, left);
    if (strcmp(left, row->left) != 0)
        fputs(rewritten, stderr);
    ck_assert_msg(!strcmp(left, row->left), "%s: '%s' are left, not '%s'", row->what,
                  left, row->left);
    free(rewritten);
}
END_TEST

/* Of a function behind everything. */
START_TEST(what_is_left_is_on_its_lines)
{
    static const char marker[] = "\nint marker(void) { return 0; }\n";
    const struct row *row = &rows[_i];
    struct dl_annotate_options options = {.apart = true};
    char *text, *rewritten = NULL;

    if (asprintf(&text, "%s%s", in_header(row, &options), marker) < 0)
        abort();
    ck_assert_int_eq(
        dl_annotate_rewrite(text, strlen(text), &options, NULL, NULL, &rewritten), DL_OK);
    ck_assert_msg(line_of(rewritten, "marker") == line_of(text, "marker"),
                  "%s: line %u, not %u", row->what, line_of(rewritten, "marker"),
                  line_of(text, "marker"));
    free(rewritten);
    free(text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("apart");
    TCase *tcase = tcase_create("apart");
    SRunner *runner;
    int failed;

    tcase_set_timeout(tcase, 600);
    tcase_add_loop_test(tcase, one_kernel_is_built_without_the_others, 0,
                        sizeof rows / sizeof *rows);
    tcase_add_loop_test(tcase, what_is_left_is_on_its_lines, 0,
                        sizeof rows / sizeof *rows);
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
