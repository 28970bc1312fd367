/* SPDX-License-Identifier: MIT */
/* Claims about the library's surface: the parse sees the program's options, the device's
 * extensions and macros, and embedded headers; every failure leaves `out` alone and says
 * one clear thing. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "annotate/annotate.h"

struct heard {
    unsigned count;
    struct dl_remark last;
    char text[1024], file[256];
};

static void hear(void *user, const struct dl_remark *remark)
{
    struct heard *h = user;

    h->count++;
    h->last = *remark;
    snprintf(h->text, sizeof h->text, "%s", remark->text);
    snprintf(h->file, sizeof h->file, "%s", remark->file ? remark->file : "");
}

static enum dl_status rewrite(const char *text, const struct dl_annotate_options *options,
                              struct heard *heard, char **out)
{
    memset(heard, 0, sizeof *heard);
    *out = NULL;
    return dl_annotate_rewrite(text, strlen(text), options, hear, heard, out);
}

#define PAIR "typedef struct { int x, y; } pair;\n"
#define KERNEL                                                                           \
    "//DL: AoS: f[global_size(0)]\n"                                                     \
    "__kernel void go(__global pair *f) { f[get_global_id(0)].x = 1; }\n"

START_TEST(text_ends_with_its_first_nul)
{
    static const char text[] = PAIR KERNEL "\0 } what follows is not read \0\n" KERNEL;
    struct heard heard = {0};
    char *out, *want;

    ck_assert_int_eq(rewrite(PAIR KERNEL, NULL, &heard, &want), DL_OK);
    ck_assert_int_eq(dl_annotate_rewrite(text, sizeof text, NULL, hear, &heard, &out),
                     DL_OK);
    ck_assert_str_eq(out, want);
    ck_assert_uint_eq(heard.count, 0);
    free(out);
    free(want);
}
END_TEST

START_TEST(options_may_be_absent)
{
    struct heard heard;
    char *out;

    ck_assert_int_eq(rewrite(PAIR KERNEL, NULL, &heard, &out), DL_OK);
    ck_assert_uint_eq(heard.count, 0);
    ck_assert_ptr_nonnull(strstr(out, "#line 3\n__kernel void go"));
    free(out);
    ck_assert_int_eq(
        dl_annotate_rewrite(PAIR KERNEL, strlen(PAIR KERNEL), NULL, NULL, NULL, &out),
        DL_OK);
    free(out);
}
END_TEST

START_TEST(text_need_not_end_in_nul)
{
    struct heard heard = {0};
    size_t bytes = strlen(PAIR KERNEL);
    char *text = malloc(bytes), *out = NULL;

    memcpy(text, PAIR KERNEL, bytes);
    ck_assert_int_eq(dl_annotate_rewrite(text, bytes, NULL, hear, &heard, &out), DL_OK);
    free(text);
    free(out);
}
END_TEST

START_TEST(device_extensions_decide_conditions)
{
    static const char text[] =
        PAIR "#ifdef cl_khr_fp64\n#define FIELD x\n#else\n#define FIELD y\n#endif\n"
             "#ifdef cl_vendor_thing\n#define VALUE 7\n#else\n#define VALUE 8\n#endif\n"
             "//DL: AoS: f[VALUE]\n"
             "__kernel void go(__global pair *f) { f[get_global_id(0)].FIELD = 1; }\n";
    struct dl_annotate_options options = {
        .device_extensions = "cl_khr_global_int32_base_atomics cl_vendor_thing"};
    struct heard heard;
    char *out;

    ck_assert_int_eq(rewrite(text, &options, &heard, &out), DL_OK);
    ck_assert_ptr_nonnull(strstr(out, "dl_pair_y"));
    ck_assert_ptr_nonnull(strstr(out, "//DL-structs: 7\n"));
    free(out);
    options.device_extensions = "cl_khr_fp64";
    ck_assert_int_eq(rewrite(text, &options, &heard, &out), DL_OK);
    ck_assert_ptr_nonnull(strstr(out, "dl_pair_x"));
    ck_assert_ptr_nonnull(strstr(out, "//DL-structs: 8\n"));
    free(out);
    /* Whatever features they come with in OpenCL C 3.0. */
    options.build_options = "-cl-std=CL3.0";
    options.device_extensions = "cl_khr_3d_image_writes cl_khr_fp64 cl_khr_subgroups";
    ck_assert_int_eq(rewrite(text, &options, &heard, &out), DL_OK);
    ck_assert_ptr_nonnull(strstr(out, "dl_pair_x"));
    free(out);
}
END_TEST

START_TEST(device_macros_decide_conditions)
{
    static const char text[] =
        PAIR "#if __DEVICE_GENERATION__ >= 3\n#define FIELD x\n#else\n#define FIELD "
             "y\n#endif\n"
             "//DL: AoS: f[__DEVICE_GENERATION__]\n"
             "__kernel void go(__global pair *f)\n"
             "{ f[get_global_id(0)].FIELD = __DEVICE_GENERATION__; }\n";
    const char *const macros[] = {"-D__DEVICE_GENERATION__=4"};
    struct dl_annotate_options options = {.device_macros = macros,
                                          .device_macro_count = 1};
    struct heard heard;
    char *out;

    ck_assert_int_eq(rewrite(text, &options, &heard, &out), DL_OK);
    ck_assert_ptr_nonnull(strstr(out, "dl_pair_x"));
    ck_assert_ptr_nonnull(strstr(out, "//DL-structs: 4\n"));
    /* The device's own macros stay for its own compiler. */
    ck_assert_ptr_nonnull(strstr(out, "= __DEVICE_GENERATION__;"));
    free(out);
}
END_TEST

START_TEST(embedded_headers_are_found)
{
    static const struct dl_header headers[] = {
        {"types/pair.h", "#include \"deep.h\"\n" PAIR}, {"deep.h", "#define ONE 1\n"}};
    struct dl_annotate_options options = {.headers = headers, .header_count = 2};
    struct heard heard;
    char *out;

    ck_assert_int_eq(rewrite("#include \"types/pair.h\"\n"
                             "//DL: AoS: f[ONE]\n"
                             "__kernel void go(__global pair *f) { f[0].x = ONE; }\n",
                             &options, &heard, &out),
                     DL_OK);
    ck_assert_ptr_nonnull(strstr(out, "#include \"types/pair.h\"\n"));
    ck_assert_ptr_nonnull(strstr(out, "//DL-structs: 1\n"));
    ck_assert_ptr_nonnull(strstr(out, "= ONE;"));
    free(out);
}
END_TEST

START_TEST(relaxed_math_gets_a_remark)
{
    struct dl_annotate_options options = {.build_options =
                                              "-w -cl-fast-relaxed-math -DX=1"};
    struct heard heard;
    char *out;

    ck_assert_int_eq(rewrite(PAIR KERNEL, &options, &heard, &out), DL_OK);
    ck_assert_uint_eq(heard.count, 1);
    ck_assert_int_eq(heard.last.severity, DL_REMARK);
    ck_assert_ptr_nonnull(strstr(heard.text, "-cl-fast-relaxed-math"));
    free(out);
}
END_TEST

START_TEST(no_libclang_is_said)
{
    static const char *const paths[] = {"none", "/nonexistent/libclang.so",
                                        "libm.so.6" /* a library, but another */};

    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct dl_annotate_options options = {.libclang = paths[i]};
        struct heard heard;
        char *out;

        ck_assert_int_eq(rewrite(PAIR KERNEL, &options, &heard, &out), DL_ENOLIB);
        ck_assert_ptr_null(out);
        ck_assert_uint_eq(heard.count, 1);
    }
}
END_TEST

START_TEST(quoted_options_are_split)
{
    struct dl_annotate_options options = {
        .build_options =
            " -D 'FIELD=x' -DVALUE=\"1 + 2\"  -D TWO=2 -U TWO -DONE\t-Dn(v)=v*3"};
    struct heard heard;
    char *out;

    ck_assert_int_eq(rewrite(PAIR
                             "#ifdef TWO\n#error TWO\n#endif\n"
                             "//DL: AoS: f[VALUE * ONE + n(5)]\n"
                             "__kernel void go(__global pair *f) { f[0].FIELD = 1; }\n",
                             &options, &heard, &out),
                     DL_OK);
    ck_assert_ptr_nonnull(strstr(out, "//DL-structs: 1 + 2 * 1 + 5*3\n"));
    free(out);
}
END_TEST

START_TEST(one_kernel_is_refused_and_another_transformed)
{
    static const char text[] =
        PAIR "//DL: AoS: f[1]\n"
             "__kernel void bad(__global pair *f) { *(__global long *)f = 1; }\n" KERNEL;
    struct dl_annotate_options options = {.file_name = "two.cl"};
    struct dl_notes *notes;
    struct heard heard;
    char *out;

    ck_assert_int_eq(rewrite(text, &options, &heard, &out), DL_OK);
    ck_assert_uint_eq(heard.count, 1);
    ck_assert_str_eq(heard.file, "two.cl");
    ck_assert_uint_eq(heard.last.line, 3);
    ck_assert_ptr_nonnull(strstr(heard.text, "'bad'"));
    ck_assert_ptr_nonnull(strstr(
        out, "__kernel void bad(__global pair *f) { *(__global long *)f = 1; }\n"));
    ck_assert_int_eq(dl_annotate_scan(out, strlen(out), hear, &heard, &notes), DL_OK);
    ck_assert_ptr_null(dl_notes_find(notes, "bad"));
    ck_assert_ptr_nonnull(dl_notes_find(notes, "go"));
    ck_assert_uint_eq(dl_notes_find(notes, "go")->buffers[0].line, 4);
    dl_notes_free(notes);
    free(out);
}
END_TEST

/* The rewritten text, which must build by itself for every layout. */
static char *rewritten(const char *text, const struct dl_annotate_options *options,
                       struct heard *heard)
{
    struct heard wrong = {0};
    char *out;
    enum dl_status st = rewrite(text, options, heard, &out);

    ck_assert_msg(st == DL_OK, "%s: %s", dl_status_name(st), heard->text);
    st = dl_annotate_check(out, strlen(out), options, hear, &wrong);
    ck_assert_msg(st == DL_OK, "%s\n%s", wrong.text, out);
    return out;
}

static bool is_transformed(const char *out, const char *kernel)
{
    struct dl_notes *notes;
    bool yes;

    ck_assert_int_eq(dl_annotate_scan(out, strlen(out), NULL, NULL, &notes), DL_OK);
    yes = dl_notes_find(notes, kernel) != NULL;
    dl_notes_free(notes);
    return yes;
}

START_TEST(kernel_that_does_not_build_is_left_out)
{
    static const char text[] =
        PAIR "//DL: AoS: f[4]\n"
             "__kernel void first(__global pair *f) { f[0].x = 1; }\n"
             "//DL: AoS: f[4]\n"
             "__kernel void bad(__global pair *f) { f[1].y = f[0].x; }\n"
             "//DL: AoS: f[4]\n"
             "__kernel void last(__global pair *f) { f[2].x = 3; }\n";
    /* A macro of the compiler that generated text runs into. */
    static const char *const macros[] = {"-Ddl_pair_y=@", "-Ddl_pair_x=@"};
    struct dl_annotate_options options = {
        .device_macros = macros, .device_macro_count = 1, .file_name = "three.cl"};
    struct heard heard;
    char *out = rewritten(text, &options, &heard);

    ck_assert_uint_eq(heard.count, 1);
    ck_assert_str_eq(heard.file, "three.cl");
    ck_assert_uint_eq(heard.last.line, 5);
    ck_assert_ptr_nonnull(strstr(heard.text, "'bad'"));
    ck_assert_ptr_nonnull(strstr(heard.text, "does not build"));
    ck_assert(is_transformed(out, "first") && is_transformed(out, "last"));
    ck_assert(!is_transformed(out, "bad"));
    ck_assert_ptr_nonnull(strstr(out, "{ f[1].y = f[0].x; }"));
    free(out);
    options.device_macro_count = 2;
    ck_assert_int_eq(rewrite(text, &options, &heard, &out), DL_EREFUSED);
    ck_assert_ptr_null(out);
    ck_assert_uint_eq(heard.count, 3);
}
END_TEST

START_TEST(helper_of_opencl_2_points_where_the_buffer_is)
{
    static const char text[] =
        PAIR "int sum(const pair *p) { return p->x + p->y; }\n"
             "void swap(__generic pair *restrict p, generic pair q[])\n"
             "{ pair *r = p; int x = r->x; p->x = q[0].y; q->y = x; }\n"
             "void increase(int *p) { *p += 1; }\n"
             "//DL: AoS: f[global_size(0)]\n"
             "__kernel void go(__global pair *f)\n"
             "{\n"
             "    int i = get_global_id(0);\n"
             "    pair own = {1, 2};\n"
             "    pair *q = &f[i];\n"
             "    swap(q, f + i);\n"
             "    q->x += sum(q) + sum(&own);\n"
             "    increase(&q->y);\n"
             "}\n";
    static const char *const versions[] = {"-cl-std=CL2.0", "-cl-std=CL3.0"};

    for (size_t i = 0; i < 2; i++) {
        struct dl_annotate_options options = {.build_options = versions[i]};
        struct heard heard;
        char *out = rewritten(text, &options, &heard);

        ck_assert_uint_eq(heard.count, 0);
        ck_assert_ptr_nonnull(strstr(out, "dl_sum(__global const pair *p,"));
        ck_assert_ptr_nonnull(strstr(out, "dl_swap(__global pair *restrict p,"));
        ck_assert_ptr_nonnull(strstr(out, ", __global pair q[],"));
        free(out);
    }
}
END_TEST

START_TEST(macros_of_compiler_and_device_are_values)
{
    struct dl_annotate_options options = {
        .build_options = "-cl-fast-relaxed-math -cl-std=CL2.0",
        .device_extensions = "cl_khr_fp64 cl_vendor_own"};
    struct heard heard;
    char *out =
        rewritten(PAIR "//DL: AoS: f[1]\n"
                       "__kernel_exec(4, float4) void go(__global pair *f)\n"
                       "{ f[0].x = __FAST_RELAXED_MATH__ + __FINITE_MATH_ONLY__\n"
                       "    + __OPENCL_VERSION__ + CL_VERSION_2_0 + __LINE__\n"
                       "    + __IMAGE_SUPPORT__ + cl_khr_fp64 + cl_vendor_own; }\n",
                  &options, &heard);

    ck_assert(is_transformed(out, "go"));
    free(out);
}
END_TEST

START_TEST(static_is_left_out_where_it_is_no_word_or_a_macro)
{
    static const char *const reasons[] = {"-cl-std=CL1.0", "-cl-std=CL1.1",
                                          "-Dstatic=", "-D static=inline"};

    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        struct dl_annotate_options options = {.build_options = reasons[i]};
        struct heard heard;
        char *out = rewritten(PAIR "int sum(__global pair *p) { return p->x + p->y; }\n"
                                   "//DL: AoS: f[1]\n"
                                   "__kernel void go(__global pair *f)\n"
                                   "{ pair p = f[0]; f[1].x = sum(f) + p.y; f[2] = p; }\n"
                                   "//DL: AoS: g[n][w]\n"
                                   "__kernel void rows(__global int *g, int n, int w)\n"
                                   "{ g[n * w + 1] = 1; vstore4((int4)(0), 0, g); }\n",
                              &options, &heard);

        ck_assert(is_transformed(out, "go") && is_transformed(out, "rows"));
        ck_assert_ptr_null(strstr(out, "static"));
        free(out);
    }
}
END_TEST

START_TEST(annotation_is_for_all_kernels_of_an_invocation)
{
    static const char text[] =
        PAIR "#define TWO(a, b) __kernel void a(__global pair *f) { f[0].x = 1; } \\\n"
             "    __kernel void b(__global pair *f) { f[0].y = 1; } \\\n"
             "    __kernel void b##_other(__global pair *g) { g[0].y = 1; }\n"
             "//DL: AoS: f[1]\n"
             "TWO(one,\n"
             "    two)\n"
             "TWO(three, four)\n"
             "__kernel void five(__global pair *f) { f[0].x = 5; }\n";
    struct dl_annotate_options options = {.file_name = "t.cl"};
    struct heard heard;
    char *out = rewritten(text, &options, &heard);

    ck_assert_uint_eq(heard.count, 0);
    ck_assert(is_transformed(out, "one") && is_transformed(out, "two"));
    ck_assert(is_transformed(out, "and") == is_transformed(out, "more"));
    ck_assert(!is_transformed(out, "two_other") && !is_transformed(out, "three"));
    ck_assert(!is_transformed(out, "four") && !is_transformed(out, "five"));
    ck_assert_ptr_nonnull(strstr(out, "\nTWO(three, four)\n"));
    free(out);
}
END_TEST

/* ---- time ---- */

static double thread_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/* As a driver whose compiler is slow: longer than a rewrite may work. */
static bool ask_slowly(void *user, const char *const *conditions, size_t count,
                       bool *holds)
{
    double start_ms = thread_ms();

    (void)conditions;
    while (thread_ms() - start_ms < 1300)
        ;
    for (size_t i = 0; i < count; i++)
        holds[i] = true;
    ++*(unsigned *)user;
    return true;
}

START_TEST(time_of_the_drivers_compiler_does_not_count)
{
    unsigned asked = 0;
    struct dl_annotate_options options = {.ask_device = ask_slowly, .ask_user = &asked};
    struct heard heard;
    char *out;

    ck_assert_int_eq(rewrite(PAIR "#ifdef __ITS_OWN__\n#if __ITS_OWN__ > 3\n" KERNEL
                                  "#endif\n#endif\n",
                             &options, &heard, &out),
                     DL_OK);
    ck_assert_uint_eq(heard.count, 0);
    ck_assert_uint_ge(asked, 2);
    free(out);
}
END_TEST

/* As PoCL, whose headers have `min` as a macro. */
static bool ask_for_min(void *user, const char *const *conditions, size_t count,
                        bool *holds)
{
    for (size_t i = 0; i < count; i++)
        holds[i] = strcmp(conditions[i], "defined min") == 0;
    *(unsigned *)user += count;
    return true;
}

/* Of names that nobody has defined, a device may have defined any. */
START_TEST(what_a_driver_may_define_is_asked_for_or_guarded)
{
    static const struct {
        const char *text;
        unsigned asked;
        const char *in, *not_in; /* of the output */
    } rows[] = {
        {"#ifndef min\n#define min(a, b) a\n#endif\n", 1,
         "#if defined min\n#else\n#error dl-annotate saw another device\n", NULL},
        {"#ifdef OF_THE_DRIVER\n#endif\n", 0,
         "#if defined OF_THE_DRIVER\n#error dl-annotate saw another device\n", NULL},
        {"#if OF_THE_DRIVER > 2\n#endif\n", 0,
         "#if OF_THE_DRIVER > 2\n#error dl-annotate saw another device\n", NULL},
        {"#ifndef pair_h\n#define pair_h\n#endif\n", 0, NULL, "saw another device"},
        {"#ifndef SQR\n#define SQR(x) ((x) * (x))\n#endif\n", 0, NULL,
         "saw another device"},
        {"#if !defined(SQR)\n#define SQR(x) ((x) * (x))\n#endif\n", 0, NULL,
         "saw another device"},
        {"#if __LINE__ > 2\n#define Q\n#endif\n", 0, NULL, "saw another device"},
        {"#ifndef TILE\n#define TILE 16\n#endif\n", 0, NULL, "saw another device"},
        {"#define T 1\n#ifdef T\n#endif\n#undef T\n#ifdef T\n#endif\n", 0, NULL,
         "saw another device"},
    };
    unsigned asked = 0;
    struct dl_annotate_options options = {.ask_device = ask_for_min, .ask_user = &asked};
    struct heard heard;
    char *text, *out;

    if (asprintf(&text, "%s" PAIR KERNEL, rows[_i].text) < 0)
        abort();
    ck_assert_int_eq(rewrite(text, &options, &heard, &out), DL_OK);
    ck_assert_msg(asked == rows[_i].asked, "%s: asked %u times", text, asked);
    if (rows[_i].in)
        ck_assert_msg(strstr(out, rows[_i].in) != NULL, "%s: no guard", text);
    if (rows[_i].not_in)
        ck_assert_msg(!strstr(out, rows[_i].not_in), "%s: a guard", text);
    free(out);
    free(text);
}
END_TEST

/* By the device's answer the program's own `min` is none, and what is called has 1 + 2.
 */
START_TEST(a_macro_of_the_drivers_is_not_the_programs)
{
    unsigned asked = 0;
    struct dl_annotate_options options = {.ask_device = ask_for_min, .ask_user = &asked};
    struct heard heard;
    char *out;

    ck_assert_int_eq(
        rewrite(PAIR "#ifndef min\n#define min(a, b) a\n#endif\n"
                     "//DL: AoS: f[n]\n__kernel void go(__global pair *f, int n)\n"
                     "{ f[0].x = min(f[1].x, f[2].y); }\n",
                &options, &heard, &out),
        DL_OK);
    ck_assert_ptr_nonnull(strstr(out, " = min("));
    free(out);
}
END_TEST

/* There the operand is what the macro stands for. */
START_TEST(a_macro_of_the_drivers_that_is_pasted_keeps_the_text_out)
{
    static const struct {
        const char *text;
        unsigned asked;
        bool is_left;
    } rows[] = {
        {"int JOIN(left, min);\n", 2, true},      {"int JOIN(min, right);\n", 2, true},
        {"int JOIN(left, max);\n", 2, false},     {"int CAT(left, min);\n", 0, false},
        {"int JOIN(float, 4);\n", 0, false},      {"int SIZE(min);\n", 1, true},
        {"int JOIN(JOIN(a, min), b);\n", 4, true}};
    unsigned asked = 0;
    struct dl_annotate_options options = {.ask_device = ask_for_min, .ask_user = &asked};
    struct heard heard;
    char *text, *out;

    if (asprintf(&text,
                 "#define CAT(a, b) a##b\n#define JOIN(a, b) CAT(a, b)\n"
                 "#define STRING(a) #a\n#define SIZE(a) s[sizeof STRING(a)]\n"
                 "typedef struct { int m; %s } strange;\n" PAIR KERNEL,
                 rows[_i].text) < 0)
        abort();
    ck_assert_int_eq(rewrite(text, &options, &heard, &out),
                     rows[_i].is_left ? DL_EPARSE : DL_OK);
    ck_assert_msg(asked == rows[_i].asked, "%s: asked %u times", text, asked);
    ck_assert_msg(!rows[_i].is_left || strstr(heard.text, "is a macro of the driver"),
                  "%s: %s", text, heard.text);
    free(out);
    free(text);
}
END_TEST

/* What cannot change is the same in each program that is built from the text, and what
 * nobody uses is of no account. */
START_TEST(constants_of_program_scope_keep_no_kernel_out)
{
    struct dl_annotate_options options = {.build_options = "-cl-std=CL2.0"};
    struct heard heard;
    char *out;

    ck_assert_int_eq(rewrite("const float big = 3.4e38f;\nconst int4 four = (int4)(4);\n"
                             "const sampler_t s = CLK_NORMALIZED_COORDS_FALSE;\n"
                             "unsigned int never;\n" PAIR KERNEL,
                             &options, &heard, &out),
                     DL_OK);
    ck_assert_uint_eq(heard.count, 0);
    free(out);
}
END_TEST

/* By a word of the reason: another reason may have it, too. */
START_TEST(hints_fit_their_reasons)
{
    static const char *const pairs[][2] = {
        {"the annotation goes on after its last `]`: ... on a line of its own", NULL},
        {"the program has a function 'f' of its own", "rename the function"},
        {"members are nested too deeply", "split the struct"},
        {"the dimension is nested too deeply",
         "name an integer argument of the kernel, or a macro"},
        {"the dimension holds an operator that is not understood",
         "name an integer argument of the kernel, or a macro"},
        {"the program is left alone: its build option -include is not understood",
         "remove it, and include the file in the text"},
        {"'volatile', which the rewritten text needs, is a macro",
         "rename the macro, or undefine it in front of the kernel"},
        {"this index is not understood", "reach the structs as f[i].member"}};

    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const struct dl_remark remark = {.text = pairs[i][0]};

        ck_assert_pstr_eq(dl_remark_hint(&remark), pairs[i][1]);
    }
}
END_TEST

/* A pointer to a member that is const for the pointer alone may be written through. */
static const struct {
    const char *text;
    bool written;
} cast_away[] = {
    {"__global const int *p = &f[0].x; *(__global int *)p = 1;", true},
    {"__global const int *p = &f[0].x; f[1].y = *p;", true},
    {"__global const int *p = &f[0].x; n[0] = *p;", false},
    {"put(&f[0].x);", true},
    {"__global const int *p; p = n[0] ? &f[0].x : &f[1].y; put_by(p);", true},
    {"n[0] = get(&f[0].x);", false},
};

START_TEST(const_that_is_cast_away_is_written)
{
    static const char functions[] =
        "void put(__global const int *p) { *(__global int *)p = 1; }\n"
        "void put_by(__global const int *p) { put(p); }\n"
        "int get(__global const int *p) { return *(__global const int *)p; }\n";
    struct heard heard;
    char text[1024], *out;

    snprintf(text, sizeof text,
             PAIR "%s//DL: AoS: f[global_size(0)]\n"
                  "__kernel void go(__global pair *f, __global int *n) { %s }\n",
             functions, cast_away[_i].text);
    ck_assert_int_eq(rewrite(text, NULL, &heard, &out), DL_OK);
    ck_assert_msg(!!strstr(out, "//DL-buffer: f arg 0 write") == cast_away[_i].written,
                  "%s", cast_away[_i].text);
    free(out);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rewrite");
    TCase *tcase = tcase_create("all");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_test(tcase, options_may_be_absent);
    tcase_add_test(tcase, text_ends_with_its_first_nul);
    tcase_add_test(tcase, text_need_not_end_in_nul);
    tcase_add_test(tcase, device_extensions_decide_conditions);
    tcase_add_test(tcase, device_macros_decide_conditions);
    tcase_add_test(tcase, embedded_headers_are_found);
    tcase_add_test(tcase, relaxed_math_gets_a_remark);
    tcase_add_test(tcase, no_libclang_is_said);
    tcase_add_test(tcase, quoted_options_are_split);
    tcase_add_test(tcase, one_kernel_is_refused_and_another_transformed);
    tcase_add_test(tcase, kernel_that_does_not_build_is_left_out);
    tcase_add_test(tcase, helper_of_opencl_2_points_where_the_buffer_is);
    tcase_add_test(tcase, macros_of_compiler_and_device_are_values);
    tcase_add_test(tcase, static_is_left_out_where_it_is_no_word_or_a_macro);
    tcase_add_test(tcase, annotation_is_for_all_kernels_of_an_invocation);
    tcase_add_loop_test(tcase, what_a_driver_may_define_is_asked_for_or_guarded, 0, 9);
    tcase_add_test(tcase, a_macro_of_the_drivers_is_not_the_programs);
    tcase_add_loop_test(tcase, a_macro_of_the_drivers_that_is_pasted_keeps_the_text_out,
                        0, 7);
    tcase_add_test(tcase, constants_of_program_scope_keep_no_kernel_out);
    tcase_add_test(tcase, time_of_the_drivers_compiler_does_not_count);
    tcase_add_test(tcase, hints_fit_their_reasons);
    tcase_add_loop_test(tcase, const_that_is_cast_away_is_written, 0,
                        sizeof cast_away / sizeof *cast_away);
    tcase_set_timeout(tcase, 120);
    suite_add_tcase(suite, tcase);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
