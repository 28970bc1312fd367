/* SPDX-License-Identifier: MIT */
/* Every algorithm gives the transpose, byte for byte, and touches nothing else.
 *
 * Half of the algorithms a turn on small shapes, the others on batches
 * (tests/common/turn.h). DL_TEST_FULL=1: every m and n in 1..40 with every element size
 * instead of a sample. DL_TEST_SHAPES=N: so many random shapes of up to 3000 x 3000 for
 * the big ones. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "tests/common/turn.h"
#include "transpose/algorithms/algorithm.h"

static struct harness harness;

static const uint32_t element_sizes[] = {1, 2, 4, 8, 12, 16};

static bool is_full(void)
{
    return getenv("DL_TEST_FULL") != NULL;
}

static void expect_right(const struct dl_transpose_problem *problem, size_t spare_bytes)
{
    const char *wrong = harness_run(&harness, problem, spare_bytes);

    ck_assert_msg(!wrong, "%s", wrong);
}

/* All the small shapes, or a few of them, by one algorithm. */
static void small_shapes(enum dl_transpose_algorithm algorithm)
{
    uint64_t made = harness.made;

    if (is_full()) {
        for (size_t e = 0; e < sizeof element_sizes / sizeof *element_sizes; e++)
            for (uint64_t m = 1; m <= 40; m++)
                for (uint64_t n = 1; n <= 40; n++)
                    expect_right(
                        &(struct dl_transpose_problem){.rows = m,
                                                       .cols = n,
                                                       .element_bytes = element_sizes[e],
                                                       .algorithm = algorithm,
                                                       .cap = DL_TRANSPOSE_CAP_ANY},
                        16);
    } else {
        static const struct {
            uint64_t rows, cols;
            uint32_t bytes;
        } shapes[] = {{1, 7, 4}, {31, 33, 4}, {36, 40, 4}, {37, 38, 12}, {16, 16, 4}};
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
            expect_right(&(struct dl_transpose_problem){.rows = shapes[s].rows,
                                                        .cols = shapes[s].cols,
                                                        .element_bytes = shapes[s].bytes,
                                                        .algorithm = algorithm,
                                                        .cap = DL_TRANSPOSE_CAP_ANY},
                         16);
    }
    ck_assert_msg(algorithm == DL_TRANSPOSE_NONE || algorithm == DL_TRANSPOSE_SLIDE ||
                      harness.made > made,
                  "%s took none of the shapes", dl_transpose_algorithm_name(algorithm));
}

START_TEST(each_algorithm_on_small_shapes)
{
    if (harness_is_out((enum dl_transpose_algorithm)_i))
        return; /* test_out.c has them */
    if (!is_its_turn_of((unsigned)_i, 2))
        return;
    small_shapes((enum dl_transpose_algorithm)_i);
}
END_TEST

/* Beyond local memory, so that the chooser must do more than one pass; primes first. */
START_TEST(large_shapes)
{
    static const struct {
        uint64_t rows, cols;
        uint32_t bytes;
    } shapes[] = {{211, 307, 4},  {307, 211, 8},  {3, 20011, 4}, {20011, 3, 8},
                  {40, 41, 200},  {129, 500, 12}, {256, 257, 4}, {5000, 16, 2},
                  {1000, 100, 1}, {400, 300, 16}, {77, 5003, 6}};
    size_t count = is_full() ? sizeof shapes / sizeof *shapes : 4;

    for (size_t s = 0; s < count; s++)
        expect_right(&(struct dl_transpose_problem){.rows = shapes[s].rows,
                                                    .cols = shapes[s].cols,
                                                    .element_bytes = shapes[s].bytes,
                                                    .cap = DL_TRANSPOSE_CAP_6},
                     64);
}
END_TEST

START_TEST(random_shapes)
{
    const char *wanted = getenv("DL_TEST_SHAPES");
    int shapes = wanted ? atoi(wanted) : is_full() ? 200 : 2;
    uint64_t most = wanted ? 3000 : 400;

    for (int s = 0; s < shapes; s++) {
        struct dl_transpose_problem problem = {
            .rows = 1 + harness_random(&harness, most),
            .cols = 1 + harness_random(&harness, most),
            .element_bytes = element_sizes[harness_random(&harness, 6)],
            .cap = s % 3 == 0 ? DL_TRANSPOSE_CAP_12 : DL_TRANSPOSE_CAP_6,
            .algorithm = s % 2 == 0   ? DL_TRANSPOSE_AUTO
                         : s % 4 == 1 ? DL_TRANSPOSE_PANEL_ROWS
                                      : DL_TRANSPOSE_PANEL_COLS};
        expect_right(&problem, harness_random(&harness, 100));
    }
}
END_TEST

START_TEST(batches_offsets_and_column_major)
{
    static const uint64_t sides[][2] = {{211, 307}, {33, 31}, {3, 20011}};
    size_t count = is_full() ? 3 : 2;

    for (size_t s = 0; s < count; s++)
        for (unsigned way = 0; way < 4; way++) {
            struct dl_transpose_problem problem = {
                .rows = sides[s][0],
                .cols = sides[s][1],
                .element_bytes = way == 2 ? 12 : 4,
                .batch = 1 + way,
                .offset_bytes = 20 * way,
                .order = way & 1 ? DL_TRANSPOSE_COL_MAJOR : DL_TRANSPOSE_ROW_MAJOR,
                .direction = way & 2 ? DL_TRANSPOSE_INVERSE : DL_TRANSPOSE_FORWARD,
                .cap = DL_TRANSPOSE_CAP_12};
            if (way == 3)
                problem.batch_stride = problem.rows * problem.cols + 13;
            expect_right(&problem, 40);
        }
}
END_TEST

/* Matrices that are not aligned alike: what suits the first must not be done to the
 * others. */
START_TEST(each_algorithm_on_batches)
{
    static const uint64_t sides[][2] = {{36, 40}, {40, 40}, {3, 1600}, {1600, 5}};

    if (harness_is_out((enum dl_transpose_algorithm)_i) ||
        !is_its_turn_of((unsigned)_i + 1, 2))
        return;
    for (size_t s = 0; s < sizeof sides / sizeof *sides; s++)
        expect_right(
            &(struct dl_transpose_problem){.rows = sides[s][0],
                                           .cols = sides[s][1],
                                           .element_bytes = 4,
                                           .batch = 3,
                                           .batch_stride = sides[s][0] * sides[s][1] + 1,
                                           .offset_bytes = 16,
                                           .algorithm = (enum dl_transpose_algorithm)_i,
                                           .cap = DL_TRANSPOSE_CAP_ANY},
            16);
}
END_TEST

/* Squares and rows that lie apart, in units of each size. */
START_TEST(units_of_each_size)
{
    static const uint32_t sizes[] = {1, 24, 16, 2};
    bool square = _i % 2 == 0;

    /* A kernel each: squares of bytes and rows of three units stand for the others. */
    if (_i != 0 && _i != 3 && !is_full())
        return;
    expect_right(&(struct dl_transpose_problem){.rows = 21,
                                                .cols = square ? 21 : 23,
                                                .element_bytes = sizes[_i / 2],
                                                .leading = square ? 0 : 25,
                                                .algorithm = square ? DL_TRANSPOSE_SQUARE
                                                                    : DL_TRANSPOSE_ONCHIP,
                                                .cap = DL_TRANSPOSE_CAP_ANY},
                 48);
}
END_TEST

/* Rows that no work-group holds, in parts of which the last is shorter; and sides whose
 * square needs 64 bits. */
START_TEST(long_rows_by_c2r_and_r2c)
{
    static const uint64_t sides[][2] = {{37, 1600}, {3, 90001}};

    for (unsigned i = 0; i < 4; i++) {
        uint64_t few = sides[i / 2][0], many = sides[i / 2][1];
        expect_right(&(struct dl_transpose_problem){.rows = i % 2 ? many : few,
                                                    .cols = i % 2 ? few : many,
                                                    .element_bytes = 4,
                                                    .algorithm = i % 2 ? DL_TRANSPOSE_R2C
                                                                       : DL_TRANSPOSE_C2R,
                                                    .cap = DL_TRANSPOSE_CAP_ANY},
                     20000);
    }
}
END_TEST

static const enum dl_transpose_algorithm stages[] = {
    DL_TRANSPOSE_STAGE3, DL__COMPARED(STAGE4), DL__COMPARED(STAGE4_FUSED)};

/* Tiles far smaller than those chosen make cycles of hundreds of places for the fused
 * pass, with few cuts and many; as many tiles down as across make cycles of two. */
START_TEST(tiles_that_are_asked_for)
{
    static const struct {
        uint64_t rows, cols, cap_bytes;
        uint32_t bytes, tile_rows, tile_cols;
    } tiles[] = {{36, 40, 0, 4, 6, 5},
                 {144, 120, 0, 4, 6, 5},
                 {210, 280, 2352, 4, 6, 5},
                 {33, 35, 0, 12, 3, 5}};
    size_t count =
        stages[_i] == DL__COMPARED(STAGE4_FUSED) ? sizeof tiles / sizeof *tiles : 1;

    for (size_t t = 0; t < count; t++) {
        uint64_t made = harness.made;
        expect_right(&(struct dl_transpose_problem){.rows = tiles[t].rows,
                                                    .cols = tiles[t].cols,
                                                    .element_bytes = tiles[t].bytes,
                                                    .tile_rows = tiles[t].tile_rows,
                                                    .tile_cols = tiles[t].tile_cols,
                                                    .cap_bytes = tiles[t].cap_bytes,
                                                    .cap = DL_TRANSPOSE_CAP_ANY,
                                                    .algorithm = stages[_i]},
                     16);
        ck_assert(harness.made > made);
    }
}
END_TEST

/* Where work-groups wait for one another by counts, those begin at zero whatever the
 * workspace had: afterwards they say how often each was counted. */
START_TEST(counts_begin_at_zero)
{
    enum { ROWS = 70, COLS = 60, LEADING = 61 };
    static const enum dl_transpose_algorithm algorithms[] = {
        DL_TRANSPOSE_PANEL_ROWS, DL_TRANSPOSE_PANEL_COLS, DL_TRANSPOSE_ONCHIP};

    for (size_t a = 0; a < 3; a++) {
        bool packed = algorithms[a] == DL_TRANSPOSE_ONCHIP;
        struct dl_transpose_problem problem = {.rows = ROWS,
                                               .cols = COLS,
                                               .element_bytes = 4,
                                               .algorithm = algorithms[a],
                                               .leading = packed ? LEADING : 0,
                                               .cap = DL_TRANSPOSE_CAP_ANY};
        struct dl_transpose_error error = {""};
        struct dl_transpose_plan *plan;
        uint32_t counts, each, step, *words;
        size_t bytes;
        cl_int err;
        cl_mem mem, work;

        ck_assert_msg(
            dl_transpose_plan_make(harness.transpose, &problem, &plan, &error) == DL_OK,
            "%s", error.text);
        if (packed) {
            const struct pack_shape *s = dl__run_value(&plan->runs[0], DL__ARG_NUMBERS);
            counts = s->chunks;
            each = step = 1;
        } else {
            const struct panel_shape *s = dl__run_value(&plan->runs[0], DL__ARG_NUMBERS);
            counts = s->blocks;
            each = s->tiles_across * s->tiles_down;
            step = COUNT_WORDS;
        }
        ck_assert_uint_gt(counts, 1);
        bytes = plan->info.workspace_bytes;
        ck_assert_uint_ge(bytes, 4 * step * (counts + 1));
        words = malloc(bytes);
        memset(words, 0x5a, bytes);
        mem = clCreateBuffer(harness.device.context, CL_MEM_READ_WRITE,
                             ROWS * LEADING * 4, NULL, &err);
        work =
            clCreateBuffer(harness.device.context,
                           CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, words, &err);
        ck_assert_int_eq(dl_transpose_enqueue(plan, harness.device.queue, mem, work, 0,
                                              NULL, NULL, NULL, &error),
                         DL_OK);
        clEnqueueReadBuffer(harness.device.queue, work, CL_TRUE, 0, bytes, words, 0, NULL,
                            NULL);
        ck_assert_uint_eq(words[0], counts * each);
        for (uint32_t c = 0; c < counts; c++)
            ck_assert_uint_eq(words[(c + 1) * step], each);
        free(words);
        clReleaseMemObject(mem);
        clReleaseMemObject(work);
        dl_transpose_plan_free(plan);
    }
}
END_TEST

/* What a plan says of itself: the numbers of 36 x 40 by each algorithm, packed before and
 * spread after as well. */
START_TEST(plan_has_its_numbers)
{
    static const struct {
        enum dl_transpose_algorithm algorithm;
        uint32_t passes, launches;
    } numbers[] = {{DL_TRANSPOSE_NONE, 0, 0},          {DL_TRANSPOSE_ONCHIP, 1, 1},
                   {DL_TRANSPOSE_SQUARE, 1, 1},        {DL_TRANSPOSE_CYCLES, 1, 2},
                   {DL_TRANSPOSE_PANEL_ROWS, 2, 3},    {DL_TRANSPOSE_PANEL_COLS, 2, 3},
                   {DL_TRANSPOSE_C2R, 3, 3},           {DL_TRANSPOSE_R2C, 3, 3},
                   {DL_TRANSPOSE_STAGE3, 3, 0},        {DL__COMPARED(STAGE4), 4, 0},
                   {DL__COMPARED(STAGE4_FUSED), 3, 0}, {DL_TRANSPOSE_SQUARE_V1, 1, 1},
                   {DL_TRANSPOSE_THROUGH, 2, 2}};
    /* A plan is the same whatever was planned before. */
    const struct dl__knobs knobs = harness.transpose->steps.knobs;

    for (size_t n = 0; n < 2 * sizeof numbers / sizeof *numbers; n++) {
        enum dl_transpose_algorithm algorithm = numbers[n / 2].algorithm;
        bool apart = n % 2 == 1, square = algorithm == DL_TRANSPOSE_SQUARE ||
                                          algorithm == DL_TRANSPOSE_SQUARE_V1;
        /* Neither packed before nor spread after. */
        bool packed = apart && !square && algorithm != DL_TRANSPOSE_THROUGH;
        struct dl_transpose_problem problem = {.rows = square ? 40
                                                       : algorithm == DL_TRANSPOSE_NONE
                                                           ? 1
                                                           : 36,
                                               .cols = 40,
                                               .element_bytes = 4,
                                               .algorithm = algorithm,
                                               .leading = apart ? 43 : 0,
                                               .leading_out = apart && !square ? 47 : 0,
                                               .batch = 2,
                                               .tile_rows = 6,
                                               .tile_cols = 5,
                                               .cap = DL_TRANSPOSE_CAP_ANY};
        struct dl_transpose_error error = {""};
        struct dl_transpose_info info;
        struct dl_transpose_plan *plan;
        const char *name = dl_transpose_algorithm_name(algorithm);
        char text[700], part[8] = "~~~~~~~";
        size_t bytes;
        if (apart && square)
            problem.leading_out = problem.leading;
        ck_assert_msg(
            dl_transpose_plan_make(harness.transpose, &problem, &plan, &error) == DL_OK,
            "%s: %s", name, error.text);
        dl_transpose_plan_info(plan, &info);
        ck_assert_int_eq(info.algorithm, algorithm);
        ck_assert_msg(info.passes == numbers[n / 2].passes + (packed ? 2 : 0),
                      "%s: %u passes", name, info.passes);
        if (numbers[n / 2].launches || info.passes == 0)
            ck_assert_msg(info.launches == numbers[n / 2].launches + (packed ? 4 : 0),
                          "%s: %u launches", name, info.launches);
        ck_assert_uint_eq(info.matrix_bytes,
                          problem.batch * problem.rows * problem.cols * 4);
        if (algorithm == stages[0] || algorithm == stages[1] || algorithm == stages[2]) {
            ck_assert_uint_eq(info.tile_rows, 6);
            ck_assert_uint_eq(info.tile_cols, 5);
        }
        if (algorithm == DL_TRANSPOSE_PANEL_ROWS || algorithm == DL_TRANSPOSE_PANEL_COLS)
            ck_assert(info.block_rows * info.blocks <=
                          (algorithm == DL_TRANSPOSE_PANEL_ROWS ? 36 : 40) &&
                      info.block_rows > 1 && info.blocks > 1);
        /* All of the text, or its beginning. */
        bytes = dl_transpose_plan_explain(plan, text, sizeof text);
        ck_assert_uint_eq(bytes, strlen(text));
        ck_assert(strncmp(text, name, strlen(name)) == 0);
        ck_assert_uint_eq(dl_transpose_plan_explain(plan, NULL, 0), bytes);
        ck_assert_uint_eq(dl_transpose_plan_explain(plan, part, 4), bytes);
        ck_assert(strncmp(text, part, 3) == 0 && part[3] == 0 && part[4] == '~');
        dl_transpose_plan_free(plan);
        ck_assert(memcmp(&knobs, &harness.transpose->steps.knobs, sizeof knobs) == 0);
    }
}
END_TEST

/* Algorithms that were tried and refused leave nothing in the numbers of the one that was
 * taken. */
START_TEST(chosen_plan_is_the_named_one)
{
    struct dl_transpose_problem problem = {
        .rows = 210, .cols = 280, .element_bytes = 4, .cap_bytes = 10};
    struct dl_transpose_info infos[2];
    struct dl_transpose_plan *plan;

    for (size_t i = 0; i < 2; i++) {
        ck_assert_int_eq(dl_transpose_plan_make(harness.transpose, &problem, &plan, NULL),
                         DL_OK);
        memset(&infos[i], 0, sizeof infos[i]);
        dl_transpose_plan_info(plan, &infos[i]);
        problem.algorithm = infos[i].algorithm;
        dl_transpose_plan_free(plan);
    }
    ck_assert_uint_eq(infos[0].passes, infos[1].passes);
    ck_assert_uint_eq(infos[0].launches, infos[1].launches);
    ck_assert_uint_eq(infos[0].workspace_bytes, infos[1].workspace_bytes);
    ck_assert_uint_eq(infos[0].tile_rows, infos[1].tile_rows);
    ck_assert_uint_eq(infos[0].tile_cols, infos[1].tile_cols);
    ck_assert_uint_eq(infos[0].blocks, infos[1].blocks);
}
END_TEST

/* Rows that lie apart, before, after or both; a square's gaps stay. */
START_TEST(leading_distances)
{
    static const uint64_t shapes[][4] = {{211, 307, 400, 215},
                                         {50, 50, 61, 61},
                                         {50, 50, 61, 55},
                                         {33, 31, 40, 33},
                                         {5, 3000, 3001, 7}};
    size_t count = is_full() ? 5 : 4;

    for (size_t s = 0; s < count; s++)
        for (unsigned way = 0; way < 2; way++)
            expect_right(
                &(struct dl_transpose_problem){.rows = shapes[s][0],
                                               .cols = shapes[s][1],
                                               .element_bytes = 4,
                                               .leading = shapes[s][2],
                                               .leading_out = shapes[s][3],
                                               .offset_bytes = 8,
                                               .batch = 2,
                                               .direction = way ? DL_TRANSPOSE_INVERSE
                                                                : DL_TRANSPOSE_FORWARD,
                                               .cap = DL_TRANSPOSE_CAP_12},
                24);
}
END_TEST

/* Whatever plans the dense matrix in between, also one that is made of parts itself. */
START_TEST(leading_distances_around_parts)
{
    static const enum dl_transpose_algorithm algorithms[] = {DL_TRANSPOSE_AXES,
                                                             DL_TRANSPOSE_SQUARE_PADDED};
    uint64_t refused = harness.refused;

    for (unsigned a = 0; a < 2; a++)
        expect_right(&(struct dl_transpose_problem){.rows = 61,
                                                    .cols = 58,
                                                    .element_bytes = 8,
                                                    .leading = 63,
                                                    .leading_out = 66,
                                                    .batch = 3,
                                                    .cap = DL_TRANSPOSE_CAP_ANY,
                                                    .algorithm = algorithms[a]},
                     24);
    ck_assert_uint_eq(harness.refused, refused);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("transpose shapes");
    TCase *tests = tcase_create("all");

    harness_open(&harness);
    tcase_set_timeout(tests, 3600);
    tcase_add_loop_test(tests, each_algorithm_on_small_shapes, DL_TRANSPOSE_NONE,
                        DL__ALGORITHMS);
    tcase_add_test(tests, large_shapes);
    tcase_add_test(tests, random_shapes);
    tcase_add_test(tests, batches_offsets_and_column_major);
    tcase_add_loop_test(tests, each_algorithm_on_batches, DL_TRANSPOSE_NONE,
                        DL__ALGORITHMS);
    tcase_add_loop_test(tests, units_of_each_size, 0, 8);
    tcase_add_test(tests, long_rows_by_c2r_and_r2c);
    tcase_add_test(tests, counts_begin_at_zero);
    tcase_add_loop_test(tests, tiles_that_are_asked_for, 0, 3);
    tcase_add_test(tests, plan_has_its_numbers);
    tcase_add_test(tests, chosen_plan_is_the_named_one);
    tcase_add_test(tests, leading_distances);
    tcase_add_test(tests, leading_distances_around_parts);
    suite_add_tcase(suite, tests);
    return harness_run_all(&harness, suite);
}
