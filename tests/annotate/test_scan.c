/* SPDX-License-Identifier: MIT */
/* Claims: the tables of a rewritten text are read without libclang; a damaged table is
 * refused with a remark, whatever the damage; texts of no concern are told apart. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/annotate.h"

static const char good[] =
    "typedef struct { float a; int b; double c; } cell;\n"
    "//DL: AoS: f[n] AOS2ASTA_cell, g[] AOS2ASTA_cell\n"
    "//DL-table: 2\n"
    "//DL-kernel: go 3\n"
    "//DL-sums: exact\n"
    "//DL-buffer: f arg 0 write aos bytes 16 line 2 type struct cell\n"
    "//DL-leaves: 0+4*2 8+8\n"
    "//DL-structs: arg(2, i4, 0) * 2\n"
    "//DL-whole: 16 arg(2, i4, 0)\n"
    "//DL-whole: 1 4\n"
    "//DL-gaps: 4+4 14+2\n"
    "//DL-access: linear -2 4+4 read\n"
    "//DL-access: gather 0+16 read write atomic walks conditional loops 3\n"
    "//DL-buffer: g arg 1 read aos bytes 24 line 2 type pair\n"
    "//DL-leaves: 0+4 8+16\n"
    "//DL-structs: *\n"
    "//DL-access: none\n"
    "//DL-end: go\n"
    "kernel void go() {}\n"
    "//DL-kernel: other 1\r\n"
    "//DL-buffer: h arg 0 read soa bytes 4 line 9 type one\r\n"
    "//DL-leaves: 0+4\r\n"
    "//DL-structs: global_size(0)\r\n"
    "//DL-end: other";

static unsigned remark_count;
static unsigned remark_line;

static void count_remark(void *user, const struct dl_remark *remark)
{
    (void)user;
    remark_count++;
    remark_line = remark->line;
    ck_assert_ptr_nonnull(remark->text);
}

static void check_facts(const struct dl_kernel_note *go,
                        const struct dl_kernel_note *other)
{
    const struct dl_buffer_note *f = &go->buffers[0], *g = &go->buffers[1];

    ck_assert(!go->contractable);
    ck_assert_uint_eq(f->whole_count, 2);
    ck_assert_uint_eq(f->wholes[0].modulus, 16);
    ck_assert_uint_eq(f->fact_count, 2);
    ck_assert_int_eq(f->facts[0].form, DL_ACCESS_LINEAR);
    ck_assert_int_eq(f->facts[0].step, -2);
    ck_assert_uint_eq(f->facts[0].offset, 4);
    ck_assert_uint_eq(f->facts[0].bytes, 4);
    ck_assert(f->facts[0].reads && !f->facts[0].writes && !f->facts[0].atomic);
    ck_assert(!f->facts[0].walks && !f->facts[0].conditional && !f->facts[0].loops);
    ck_assert_int_eq(f->facts[1].form, DL_ACCESS_GATHER);
    ck_assert_uint_eq(f->facts[1].offset, 0);
    ck_assert_uint_eq(f->facts[1].bytes, 16);
    ck_assert(f->facts[1].reads && f->facts[1].writes && f->facts[1].atomic);
    ck_assert(f->facts[1].walks && f->facts[1].conditional);
    ck_assert_uint_eq(f->facts[1].loops, 3);
    /* None, and not known. */
    ck_assert_ptr_nonnull(g->facts);
    ck_assert_uint_eq(g->fact_count, 0);
    ck_assert_ptr_null(other->buffers[0].facts);
    ck_assert(other->contractable);
}

START_TEST(tables_are_read)
{
    const struct dl_kernel_note *go, *other;
    struct dl_notes *notes;
    const struct dl_buffer_note *f, *g;
    int32_t n = 21;
    struct dl_arg_value args[3] = {{NULL, 0}, {NULL, 0}, {&n, sizeof n}};
    struct dl_launch launch = {.work_dim = 1, .args = args, .arg_count = 3};
    int64_t structs;

    ck_assert(dl_annotate_is_rewritten(good, sizeof good - 1));
    ck_assert_int_eq(dl_annotate_scan(good, sizeof good - 1, NULL, NULL, &notes), DL_OK);
    ck_assert_uint_eq(notes->kernel_count, 2);
    go = dl_notes_find(notes, "go");
    other = dl_notes_find(notes, "other");
    ck_assert_ptr_nonnull(go);
    ck_assert_ptr_nonnull(other);
    ck_assert_ptr_null(dl_notes_find(notes, "gone"));
    ck_assert_uint_eq(go->arg_count, 3);
    ck_assert_uint_eq(go->buffer_count, 2);
    f = &go->buffers[0];
    g = &go->buffers[1];
    ck_assert_str_eq(f->name, "f");
    ck_assert_uint_eq(f->arg_index, 0);
    ck_assert(f->written);
    ck_assert_str_eq(f->element_type, "struct cell");
    ck_assert_uint_eq(f->line, 2);
    ck_assert_uint_eq(f->leaves.struct_bytes, 16);
    ck_assert_uint_eq(f->leaves.leaf_count, 3);
    ck_assert_uint_eq(f->leaves.leaves[1].offset_bytes, 4);
    ck_assert_uint_eq(f->leaves.leaves[2].width_bytes, 8);
    ck_assert_uint_eq(f->gap_count, 2);
    ck_assert_uint_eq(f->gaps[1].offset_bytes, 14);
    ck_assert_uint_eq(g->gap_count, 0);
    ck_assert_int_eq(dl_dimension_eval(f->structs, &launch, &structs, NULL), DL_OK);
    ck_assert_int_eq(structs, 42);
    ck_assert(!g->written);
    ck_assert_ptr_null(g->structs);
    check_facts(go, other);
    /* The gap became a padding leaf. */
    ck_assert_uint_eq(g->leaves.leaf_count, 3);
    ck_assert_int_eq(other->buffers[0].native, DL_LAYOUT_SOA);
    ck_assert_int_eq(g->native, DL_LAYOUT_AOS);
    dl_notes_free(notes);
    dl_notes_free(NULL);
}
END_TEST

START_TEST(every_cut_is_refused_or_whole)
{
    size_t table = (size_t)(strstr(good, "//DL-table") - good);

    for (size_t cut = table + 13; cut < sizeof good - 1; cut++) {
        struct dl_notes *notes = NULL;
        char *text = malloc(cut ? cut : 1);
        enum dl_status st;

        memcpy(text, good, cut);
        remark_count = 0;
        st = dl_annotate_scan(text, cut, count_remark, NULL, &notes);
        if (st == DL_OK) {
            /* Only between kernels. */
            ck_assert_uint_le(notes->kernel_count, 1);
            dl_notes_free(notes);
        } else {
            ck_assert_int_eq(st, DL_EPARSE);
            ck_assert_ptr_null(notes);
            ck_assert_uint_eq(remark_count, 1);
            ck_assert_uint_gt(remark_line, 2);
        }
        free(text);
    }
}
END_TEST

static const struct {
    const char *from, *to;
} damages[] = {{"table: 2", "table: 3"},
               {"table: 2", "table: 1"},
               {"//DL-table: 2\n", ""},
               {"kernel: go 3", "kernel: go"},
               {"kernel: go 3", "kernel: go x"},
               {"kernel: go 3", "kernel: go 1"},
               {"arg 0", "arg 4294967296"},
               {"arg 0", "arg -1"},
               {"f arg", "f"},
               {"write", "wrote"},
               {" aos ", " abc "},
               {"bytes 16", "bytes 0"},
               {"bytes 16", "bytes 15"},
               {"line 2 type struct", "line two type struct"},
               {"0+4*2 8+8", ""},
               {"0+4*2 8+8", "0+4*2 8+9"},
               {"0+4*2 8+8", "0+4*2 7+8"},
               {"0+4*2 8+8", "0+4*0 8+8"},
               {"0+4*2 8+8", "0+0"},
               {"0+4*2 8+8", "0+4*99999999"},
               {"0+4*2 8+8", "0+256"},
               {"0+4*2 8+8", "0+4*2 8+8 8+8"},
               {"0+4*2 8+8", "0-4"},
               {"arg(2, i4, 0) * 2", ""},
               {"arg(2, i4, 0) * 2", "n"},
               {"//DL-gaps: 4+4 14+2\n", "//DL-gaps:\n"},
               {"//DL-gaps: 4+4 14+2\n", "//DL-gaps: 4+4 14+4\n"},
               {"//DL-gaps: 4+4 14+2\n", "//DL-gaps: 4+4\n//DL-gaps: 14+2\n"},
               {"gaps: 4+4 14+2\n", "gaps: 0+1*16 0+1*16 0+1*16 0+1*16 0+1\n"},
               {"//DL-structs: *\n", ""},
               {"//DL-leaves: 0+4 8+16\n", ""},
               {"//DL-end: go\n", ""},
               {"//DL-end: go\n", "//DL-end: gone\n"},
               {"//DL-end: go\n", "//DL-more: go\n"},
               {"sums: exact", "sums: "},
               {"sums: exact", "sums: some"},
               {"sums: exact", "sums: exact\n//DL-access: none"},
               {" * 2\n", " * 2\n//DL-whole: 16\n"},
               {" * 2\n", " * 2\n//DL-whole: 0 arg(2, i4, 0)\n"},
               {" * 2\n", " * 2\n//DL-whole: -16 arg(2, i4, 0)\n"},
               {" * 2\n", " * 2\n//DL-whole: 16 n\n"},
               {"none\n", "none\n//DL-whole: 16 arg(2, i4, 0)\n"},
               {"linear -2 4+4", "linear 4+4"},
               {"linear -2 4+4", "linear 0 4+4"},
               {"linear -2 4+4", "linear --2 4+4"},
               {"linear -2 4+4", "linear 2147483648 4+4"},
               {"linear -2 4+4", "uniform -2 4+4"},
               {"linear -2 4+4", "linearly -2 4+4"},
               {"linear -2 4+4", "linear -2 4+0"},
               {"linear -2 4+4", "linear -2 4+13"},
               {"linear -2 4+4", "linear -2 17+1"},
               {"linear -2 4+4", "linear -2 4294967295+4294967295"},
               {"linear -2 4+4", "linear -2 4+*"},
               {"linear -2 4+4", "linear -2 4"},
               {"linear -2 4+4", "linear -2 4+4 "},
               {"4+4 read", "4+4"},
               {"4+4 read", "4+4 reads"},
               {"4+4 read", "4+4 read read"},
               {"4+4 read", "4+4 write read"},
               {"4+4 read", "4+4 read more"},
               {"4+4 read", "4+4 read "},
               {"loops 3", "loops"},
               {"loops 3", "loops 0"},
               {"loops 3", "loops 256"},
               {"loops 3", "loops 3 3"},
               {"loops 3", "loops x"},
               {"access: none", "access: none none"},
               {"access: none", "access: "},
               {"access: none\n", "access: none\n//DL-access: none\n"},
               {"access: none\n", "access: none\n//DL-access: uniform 0+4 read\n"},
               {"access: none\n", "access: uniform 0+4 read\n//DL-access: none\n"}};

START_TEST(damage_is_refused)
{
    const char *at = strstr(good, damages[_i].from);
    struct dl_notes *notes = NULL;
    char *text;

    ck_assert_ptr_nonnull(at);
    if (asprintf(&text, "%.*s%s%s", (int)(at - good), good, damages[_i].to,
                 at + strlen(damages[_i].from)) < 0)
        abort();
    remark_count = 0;
    ck_assert_msg(dl_annotate_scan(text, strlen(text), count_remark, NULL, &notes) ==
                      DL_EPARSE,
                  "%s -> %s", damages[_i].from, damages[_i].to);
    ck_assert_uint_eq(remark_count, 1);
    ck_assert_ptr_null(notes);
    free(text);
}
END_TEST

START_TEST(texts_may_say_nothing_of_accesses)
{
    static const char old[] = "//DL-table: 2\n//DL-kernel: k 1\n"
                              "//DL-buffer: h arg 0 read aos bytes 4 line 9 type one\n"
                              "//DL-leaves: 0+4\n//DL-structs: *\n//DL-end: k\n";
    struct dl_notes *notes;

    ck_assert_int_eq(dl_annotate_scan(old, sizeof old - 1, NULL, NULL, &notes), DL_OK);
    ck_assert(notes->kernels->contractable);
    ck_assert_ptr_null(notes->kernels->buffers->facts);
    dl_notes_free(notes);
}
END_TEST

START_TEST(rows_of_unknown_width_are_read)
{
    static const char wide[] =
        "//DL-table: 2\n//DL-kernel: k 2\n//DL-sums: contractable\n"
        "//DL-buffer: h arg 0 read aos bytes 4 line 9 type one\n"
        "//DL-leaves: 0+4\n//DL-width: arg(1, i4, 0)\n"
        "//DL-structs: *\n//DL-access: unknown 0+* read\n"
        "//DL-access: uniform 400+4 read\n//DL-end: k\n";
    struct dl_notes *notes;

    ck_assert_int_eq(dl_annotate_scan(wide, sizeof wide - 1, NULL, NULL, &notes), DL_OK);
    ck_assert(notes->kernels->contractable);
    ck_assert_uint_eq(notes->kernels->buffers->fact_count, 2);
    ck_assert_uint_eq(notes->kernels->buffers->facts[0].bytes, UINT32_MAX);
    ck_assert_uint_eq(notes->kernels->buffers->facts[1].offset, 400);
    dl_notes_free(notes);
}
END_TEST

START_TEST(texts_of_no_concern_are_told_apart)
{
    static const struct {
        const char *text;
        bool wanted;
    } texts[] = {{"", false},
                 {"DL:", false},
                 {"/DL: x", false},
                 {"//DL", false},
                 {"// see WDL: x", false},
                 {"int DL:3;", false},
                 {"/*DL: AoS: f[]*/", false},
                 {"//DL: AoS: f[]", true},
                 {"int x; //  \tDL: AoS: f[]", true}};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ck_assert_msg(dl_annotate_wanted(texts[i].text, strlen(texts[i].text), NULL) ==
                          texts[i].wanted,
                      "%s", texts[i].text);
        ck_assert(!dl_annotate_is_rewritten(texts[i].text, strlen(texts[i].text)));
    }
}
END_TEST

START_TEST(indices_are_wide_where_32_bits_do_not_hold_them)
{
    static const uint64_t half = (uint64_t)1 << 31, whole = (uint64_t)1 << 32;
    static const struct {
        unsigned leaves, leaf_bytes, last_bytes;
        uint64_t buffer_bytes;
        bool wide;
    } cases[] = {
        {1, 1, 1, half - 1, false}, /* the difference of two elements has a sign */
        {1, 1, 1, half, true},
        {7, 1, 1, half - 1, false}, /* rows of seven */
        {7, 1, 1, half + 6, true},
        {7, 1, 1, 0, false},
        {4, 2, 2, half, false},
        {4, 2, 2, whole - 1, false},
        {4, 2, 2, whole, true},
        {20, 4, 4, whole - 1, false},
        {20, 4, 4, whole, true},
        {2, 1, 2, half + 1, false}, /* a struct: nothing smaller is indexed */
        {2, 1, 2, whole - 1, false},
        {2, 1, 2, whole, true},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dl_leaf fields[32];
        struct dl_leaf_table table;
        uint32_t at = 0;

        for (unsigned l = 0; l < cases[i].leaves; l++) {
            fields[l].offset_bytes = at;
            fields[l].width_bytes =
                l + 1 < cases[i].leaves ? cases[i].leaf_bytes : cases[i].last_bytes;
            at += fields[l].width_bytes;
        }
        ck_assert_int_eq(dl_leaf_table_make(at, fields, cases[i].leaves, &table), DL_OK);
        ck_assert_msg(dl_annotate_needs_index_64(&table, cases[i].buffer_bytes) ==
                          cases[i].wide,
                      "case %zu", i);
        dl_leaf_table_free(&table);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("scan");
    TCase *tcase = tcase_create("all");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_test(tcase, tables_are_read);
    tcase_add_test(tcase, every_cut_is_refused_or_whole);
    tcase_add_loop_test(tcase, damage_is_refused, 0, sizeof damages / sizeof *damages);
    tcase_add_test(tcase, texts_may_say_nothing_of_accesses);
    tcase_add_test(tcase, rows_of_unknown_width_are_read);
    tcase_add_test(tcase, texts_of_no_concern_are_told_apart);
    tcase_add_test(tcase, indices_are_wide_where_32_bits_do_not_hold_them);
    suite_add_tcase(suite, tcase);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
