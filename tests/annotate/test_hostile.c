/* SPDX-License-Identifier: MIT */
/* Claims about hostile text: it neither crashes nor hangs, and is refused with a remark;
 * a large text is taken. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "annotate/annotate.h"

static void hear(void *user, const struct dl_remark *remark)
{
    (void)remark;
    ++*(unsigned *)user;
}

static enum dl_status rewrite(const char *text, unsigned *remarks, char **out)
{
    *remarks = 0;
    *out = NULL;
    return dl_annotate_rewrite(text, strlen(text), NULL, hear, remarks, out);
}

#define PAIR "typedef struct { int x, y; } pair;\n"
#define KERNEL                                                                           \
    "//DL: AoS: f[global_size(0)]\n"                                                     \
    "__kernel void go(__global pair *f) { f[get_global_id(0)].x = 1; }\n"

static char *repeated(const char *head, const char *piece, size_t times, const char *tail)
{
    size_t h = strlen(head), p = strlen(piece), t = strlen(tail);
    char *text = malloc(h + p * times + t + 1), *to = text;

    memcpy(to, head, h);
    to += h;
    for (size_t i = 0; i < times; i++, to += p)
        memcpy(to, piece, p);
    memcpy(to, tail, t + 1);
    return text;
}

static const struct {
    const char *head, *piece;
    size_t times;
    const char *tail;
} hostile[] = {{PAIR KERNEL "int x = ", "(", 100000, ";"},
               {PAIR KERNEL "__kernel void deep() {", "{", 100000, ""},
               {PAIR KERNEL "/*", " unclosed ", 100000, ""},
               {PAIR KERNEL "\"", "unclosed ", 1000, "\n"},
               {PAIR KERNEL, "#if 1\n", 100000, ""},
               {PAIR KERNEL "#if ", "(", 100000, "\n#endif\n"},
               {PAIR KERNEL "#if ", "!", 100000, "1\n#endif\n"},
               {PAIR KERNEL "#define A(x) x x\nint y = ", "A(", 40, "1"},
               {PAIR KERNEL
                "#define B0 1\n#define B1 B0 B0 B0 B0\n#define B2 B1 B1 B1 B1\n"
                "#define B3 B2 B2 B2 B2\n#define B4 B3 B3 B3 B3\n#define B5 B4 B4 B4 B4\n"
                "#define B6 B5 B5 B5 B5\n#define B7 B6 B6 B6 B6\n#define B8 B7 B7 B7 B7\n"
                "#define B9 B8 B8 B8 B8\n#define BA B9 B9 B9 B9\n#define BB BA BA BA BA\n"
                "int y = ",
                "BB ", 9, ";\n"},
               {PAIR KERNEL "#define F(x) F(x) + F(\n", "int y = F(F)(F);\n", 10, ""},
               {PAIR "//DL: AoS: f[", "(", 100000, "1]\n" KERNEL},
               {PAIR "//DL: AoS: ", "f[1], ", 100000, "f[1]\n" KERNEL},
               {PAIR, "//DL: AoS: f[1]\n", 2000, KERNEL},
               {PAIR KERNEL, "\xff\xfe\x80 \xc3\x28\n", 1000, ""},
               {PAIR KERNEL "#include \"", "x", 100000, "\"\n"},
               {PAIR KERNEL "#include", "", 1, ""},
               {PAIR KERNEL "#", "", 1, ""},
               {PAIR KERNEL "#define", "", 1, ""},
               {PAIR KERNEL "#define X(", "a,", 10000, "a) a\nint y = X(1);\n"},
               {PAIR KERNEL "#define X", " ## ", 1000, "\nint y = X;\n"},
               {PAIR KERNEL "#define X(a) #a ## a # \nint y = X(", ",", 1000, ");\n"},
               {"//DL: AoS: f[1]\\", "\\\n", 1000, ""},
               {"", "//DL:", 1, ""},
               {"//DL: AoS: f[1]\n", "\\", 1, ""}};

START_TEST(hostile_text_is_refused_in_time)
{
    char *text = repeated(hostile[_i].head, hostile[_i].piece, hostile[_i].times,
                          hostile[_i].tail);
    struct timespec start, end;
    unsigned remarks;
    char *out;
    enum dl_status st;

    clock_gettime(CLOCK_MONOTONIC, &start);
    st = rewrite(text, &remarks, &out);
    clock_gettime(CLOCK_MONOTONIC, &end);
    ck_assert_msg((st == DL_OK) == (out != NULL), "%s", text);
    if (st != DL_OK && !remarks)
        ck_abort_msg("%d: %s without a remark", _i, dl_status_name(st));
    /* The bound is against hangs; sanitizers and a busy machine have room. */
    ck_assert_int_lt(end.tv_sec - start.tv_sec, 20);
    free(out);
    free(text);
}
END_TEST

START_TEST(large_text_is_taken)
{
    char *large = repeated(PAIR KERNEL "/*", " padding of the text \n", 450000, "*/\n");
    unsigned remarks;
    char *out;

    ck_assert_uint_gt(strlen(large), 9u << 20);
    ck_assert_int_eq(rewrite(large, &remarks, &out), DL_OK);
    ck_assert_uint_gt(strlen(out), strlen(large));
    free(out);
    free(large);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("hostile");
    TCase *tcase = tcase_create("all");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_loop_test(tcase, hostile_text_is_refused_in_time, 0,
                        sizeof hostile / sizeof *hostile);
    tcase_add_test(tcase, large_text_is_taken);
    tcase_set_timeout(tcase, 120);
    suite_add_tcase(suite, tcase);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
