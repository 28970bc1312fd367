/* SPDX-License-Identifier: MIT */
/* Claims: the transformer's matrices of the thesis's running example and of the samples
 * are those that are written here by hand, and the layouts derived from them are those
 * derived by hand (tests/layout/test_derive.c); accesses of different kinds, gathers and
 * helpers give none. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "annotate/annotate.h"
#include "tests/common/read_file.h"

enum { GX = DL_GRID_GROUP, LX = DL_GRID_LOCAL, X = DL_GRID_GLOBAL, Y = X + 1, Z = X + 2 };

/* Sung 2013, listing 6.1: a row of cells is a work-group's. */
static const char listing_6_1[] =
    "enum { N, E, W, S };\n"
    "__kernel void listing(__global const float *a0, __global float *anext, int nx, int "
    "ny)\n{\n"
    "    int j = get_group_id(0) + 1, i = get_local_id(0) + 1;\n"
    "    float x = a0[(j * nx + i) * 4 + E] - a0[(j * nx + i) * 4 + W];\n"
    "    anext[((j - 1) * nx + i) * 4 + N] = x;\n"
    "    anext[((j + 1) * nx + i) * 4 + S] = -x;\n}\n";

/* Half of the cells of each row, by turns. */
static const char red_black[] =
    "__kernel void sweep(__global float *a, __global const float *b, int nx, int ny, int "
    "c)\n{\n"
    "    int j = get_global_id(1) + 1, i = 2 * get_global_id(0) + ((j + c) & 1) + 1;\n"
    "    a[j * nx + i] = a[j * nx + i - 1] + a[j * nx + i + 1] - b[j * nx + i];\n}\n";

/* Two grids that change places, by way of a third pointer and by a condition. */
static const char swapped[] =
    "__kernel void sweeps(__global float *a, __global float *b, int nx, int ny, int c)\n"
    "{\n    int j = get_global_id(1) + 1, i = get_global_id(0);\n"
    "    __global float *p = c ? a : b, *q = c ? b : a, *t;\n"
    "    for (int s = 0; s < c; s++) {\n"
    "        q[j * nx + i] = p[(j - 1) * nx + i] + p[j * nx + i + 1];\n"
    "        t = p;\n        p = q;\n        q = t;\n    }\n}\n";

/* The thesis's Tesla, and an H200, of floats. */
static const struct dl_grid_memory tesla = {4, 8}, h200 = {4, 0};

static const struct row {
    const char *text, *sample; /* one of them */
    const char *options, *annotation, *kernel;
    int64_t matrix[DL_GRID_DIMS_MAX][DL_GRID_COLUMNS];
    struct dl_grid grid;
    struct dl_grid_launch launch;
    const struct dl_grid_memory *memory;
    const char *layout;
} rows[] = {
    {.text = listing_6_1,
     .annotation = "grid: a0[ny][nx][4], anext[ny][nx][4]",
     .kernel = "listing",
     .matrix = {{[GX] = 1}, {[LX] = 1}},
     .grid = {3, {2048, 4096, 4}},
     .launch = {{128, 1, 1}, {0, 0, 0}, 32},
     .memory = &tesla,
     .layout = "y[*] x[*] k y[4:0] x[6:0]"},
    {.text = red_black,
     .annotation = "grid: a[ny][nx], b[ny][nx]",
     .kernel = "sweep",
     .matrix = {{[Y] = 1}, {[X] = 2}},
     .grid = {2, {1024, 1024}},
     .launch = {{64, 1, 1}, {8, 1022, 1}, 32},
     .memory = &h200,
     .layout = "y x"},
    {.text = swapped,
     .annotation = "grid: a[ny][nx], b[ny][nx]",
     .kernel = "sweeps",
     .matrix = {{[Y] = 1}, {[X] = 1}},
     .grid = {2, {1024, 1024}},
     .launch = {{64, 1, 1}, {16, 1022, 1}, 32},
     .memory = &h200,
     .layout = "y x"},
    {.sample = "lbm/lbm.cl",
     .options = "-DLBM_FLAT",
     .annotation = "grid: src[nz][ny][nx][20], dst[nz][ny][nx][20]",
     .kernel = "lbm_step",
     .matrix = {{[Z] = 1}, {[Y] = 1}, {[X] = 1}},
     .grid = {4, {100, 120, 128, 20}},
     .launch = {{64, 1, 1}, {2, 120, 100}, 32},
     .memory = &tesla,
     .layout = "z y[*] k y[3:0] x"},
    {.sample = "lbm/lbm.cl",
     .annotation = "grid: src[nz][ny][nx], dst[nz][ny][nx]",
     .kernel = "lbm_step",
     .matrix = {{[Z] = 1}, {[Y] = 1}, {[X] = 1}},
     .grid = {3, {100, 120, 128}},
     .launch = {{64, 1, 1}, {2, 120, 100}, 32},
     .memory = &h200,
     .layout = "z y x"},
    {.sample = "lbm2d/lbm2d.cl",
     .annotation = "grid: a0[ny][nx][4], anext[ny][nx][4]",
     .kernel = "lbm2d_step",
     .matrix = {{[Y] = 1}, {[X] = 1}},
     .grid = {3, {1000, 1000, 4}},
     .launch = {{128, 1, 1}, {8, 998, 1}, 2112},
     .memory = &h200,
     .layout = "y x[*] k x[3:0]"},
    {.sample = "heat/heat.cl",
     .annotation = "grid: now[nz][ny][nx], next[nz][ny][nx]",
     .kernel = "heat_step",
     .matrix = {{[Z] = 1}, {[Y] = 1}, {[X] = 1}},
     .grid = {3, {512, 512, 512}},
     .launch = {{32, 4, 1}, {16, 128, 512}, 32},
     .memory = &tesla,
     .layout = "z y x"},
    /* Groups of 64, four of them a row of 200 cells, of 32 at once eight rows: x[7:0] and
     * y[2:0], of which x[3:0] is the burst and all others steer. */
    {.sample = "cfd/cfd.cl",
     .annotation = "grid: pressure[nz][ny][nx], divergence[nz][ny][nx]",
     .kernel = "cfd_sweep",
     .matrix = {{[Z] = 1}, {[Y] = 1}, {[X] = 1}},
     .grid = {3, {64, 300, 400}},
     .launch = {{64, 1, 1}, {4, 298, 62}, 32},
     .memory = &tesla,
     .layout = "z y[*] x[*] y[2:0] x[7:0]"},
};

static struct dl_notes *notes_of(const struct row *row)
{
    char path[512] = "listing.cl", side_path[] = "/tmp/dl-matrices-XXXXXX", *text, *out;
    int side_file = mkstemp(side_path);
    struct dl_side_file *side;
    struct dl_annotate_options options = {.file_name = path,
                                          .build_options = row->options};
    struct dl_notes *notes;

    ck_assert_int_ge(side_file, 0);
    dprintf(side_file, "%s: %s\n", row->kernel, row->annotation);
    close(side_file);
    ck_assert_int_eq(dl_side_file_load(side_path, NULL, NULL, &side), DL_OK);
    unlink(side_path);
    if (row->sample)
        snprintf(path, sizeof path, "%s/%s", DL_SAMPLES_DIR, row->sample);
    text = row->sample ? read_file(path, NULL) : strdup(row->text);
    options.side = side;
    ck_assert_int_eq(dl_annotate_rewrite(text, strlen(text), &options, NULL, NULL, &out),
                     DL_OK);
    ck_assert_int_eq(dl_annotate_scan(out, strlen(out), NULL, NULL, &notes), DL_OK);
    dl_side_file_free(side);
    free(text);
    free(out);
    return notes;
}

START_TEST(matrices_and_layouts_are_those_by_hand)
{
    const struct row *row = &rows[_i];
    struct dl_notes *notes = notes_of(row);
    const struct dl_kernel_note *kernel = dl_notes_find(notes, row->kernel);
    struct dl_grid_derivation derived;
    char text[DL_GRID_TEXT_BYTES];

    ck_assert_ptr_nonnull(kernel);
    ck_assert_uint_eq(kernel->buffer_count, 2);
    for (size_t b = 0; b < kernel->buffer_count; b++) {
        const struct dl_buffer_note *note = &kernel->buffers[b];

        ck_assert_msg(note->pattern_rows == row->grid.dim_count, "%s, %s: %u rows",
                      row->kernel, note->name, note->pattern_rows);
        ck_assert(!memcmp(note->pattern.coefficients, row->matrix, sizeof row->matrix));
        ck_assert_int_eq(dl_grid_derive(&row->grid, &note->pattern, &row->launch,
                                        row->memory, &derived),
                         DL_OK);
        dl_grid_layout_print(&derived.layout, &note->extent_names, text, sizeof text);
        ck_assert_str_eq(text, row->layout);
    }
    dl_notes_free(notes);
}
END_TEST

/* Bodies of a kernel of (f, g, p, nx, ny) with no pattern, or none in common. */
static const char *const without[] = {
    "f[p[x] * nx + x] = 1;",
    "f[y * nx + x] = f[x * nx + y];",
    "f[y * nx + x] = f[y * nx + 2 * x];",
    "f[y * nx + x % 5] = 1;",
    "f[y * nx + (x & 3)] = 1;",
    "f[y * nx + x * (p[x] & 1)] = 1;",
    "f[y * nx + x * y] = 1;",
    "f[y * nx + x] = first(f, nx);",
    "f[y * nx + x] = 1; int i = x; i += 3; f[y * nx + i] = 2;",
    "__global float *q = nx > 9 ? f : g; q += nx; q[y * nx + x] = 1;",
    "__global float *q = nx > 9 ? f + 1 : g; q[y * nx + x] = 1;",
    "__global float *q = f, *r = g, *t = q; q = r, r = t; q = &r[3]; q[y * nx + x] = 1;",
};

START_TEST(what_is_not_alike_has_no_matrix)
{
    char text[1024];
    const struct row row = {
        .text = text, .annotation = "grid: f[ny][nx], g[ny][nx]", .kernel = "k"};
    struct dl_notes *notes;

    snprintf(text, sizeof text,
             "float first(__global const float *f, int nx) { return f[nx]; }\n"
             "__kernel void k(__global float *f, __global float *g, __global const int "
             "*p, int nx, int ny)\n"
             "{\n    int x = get_global_id(0), y = get_global_id(1);\n    %s\n}\n",
             without[_i]);
    notes = notes_of(&row);
    ck_assert_uint_eq(notes->kernel_count, 1);
    ck_assert_msg(notes->kernels->buffers->pattern_rows == 0, "%s", without[_i]);
    dl_notes_free(notes);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("matrices");
    TCase *all = tcase_create("all");
    SRunner *runner;
    int failed;

    tcase_set_timeout(all, 120);
    tcase_add_loop_test(all, matrices_and_layouts_are_those_by_hand, 0,
                        sizeof rows / sizeof *rows);
    tcase_add_loop_test(all, what_is_not_alike_has_no_matrix, 0,
                        sizeof without / sizeof *without);
    suite_add_tcase(suite, all);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
