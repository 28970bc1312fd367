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
    "//DL-table: 1\n"
    "//DL-kernel: go 3\n"
    "//DL-buffer: f arg 0 write aos bytes 16 line 2 type struct cell\n"
    "//DL-leaves: 0+4*2 8+8\n"
    "//DL-structs: arg(2, i4, 0) * 2\n"
    "//DL-buffer: g arg 1 read aos bytes 24 line 2 type pair\n"
    "//DL-leaves: 0+4 8+16\n"
    "//DL-structs: *\n"
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
    ck_assert_int_eq(dl_dimension_eval(f->structs, &launch, &structs, NULL), DL_OK);
    ck_assert_int_eq(structs, 42);
    ck_assert(!g->written);
    ck_assert_ptr_null(g->structs);
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
} damages[] = {{"table: 1", "table: 3"},
               {"//DL-table: 1\n", ""},
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
               {"//DL-structs: *\n", ""},
               {"//DL-leaves: 0+4 8+16\n", ""},
               {"//DL-end: go\n", ""},
               {"//DL-end: go\n", "//DL-end: gone\n"},
               {"//DL-end: go\n", "//DL-more: go\n"}};

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
    tcase_add_test(tcase, texts_of_no_concern_are_told_apart);
    tcase_add_test(tcase, indices_are_wide_where_32_bits_do_not_hold_them);
    suite_add_tcase(suite, tcase);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
