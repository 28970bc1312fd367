/* SPDX-License-Identifier: MIT */
/* Claim: out of place, every algorithm leaves the source alone and writes the transpose,
 * byte for byte, and nothing else: not between the target's rows, nor before or after.
 *
 * DL_TEST_SEED=N: of the random problems. DL_TEST_FULL=1: every m and n in 1..40 with
 * every element size; 300 random problems. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "transpose/algorithms/algorithm.h"

static struct harness harness;

static const uint32_t element_sizes[] = {4, 8, 1, 2, 16, 12, 3};
static const enum dl_transpose_algorithm algorithms[] = {
    DL_TRANSPOSE_OUT,        DL_TRANSPOSE_OUT_BANDED,     DL_TRANSPOSE_OUT_UNITS,
    DL_TRANSPOSE_AUTO,       DL__COMPARED(OUT_SELECTIVE), DL__COMPARED(OUT_PARALLEL),
    DL_TRANSPOSE_OUT_BLOCKS, DL_TRANSPOSE_OUT_LINES,      DL__COMPARED(OUT_PADDED)};
enum { ALGORITHMS = sizeof algorithms / sizeof *algorithms };

static bool is_full(void)
{
    return getenv("DL_TEST_FULL") != NULL;
}

enum { SPARE_BYTES = 64 }; /* behind the last matrix */

/* Two buffers as they were, and the target as it should be. */
struct pair {
    size_t from_bytes, to_bytes;
    unsigned char *from, *to, *want;
};

/* The source's and the target's matrices as stored: lines of elements. */
struct stored {
    uint64_t lines, length, leading, stride;
};

static struct stored stored_make(uint64_t lines, uint64_t length, uint64_t leading,
                                 uint64_t stride)
{
    struct stored s = {lines, length, leading ? leading : length, stride};

    if (s.stride == 0)
        s.stride = (lines - 1) * s.leading + length;
    return s;
}

static size_t stored_bytes(const struct stored *s, uint64_t batch, uint64_t element,
                           uint64_t offset)
{
    return offset +
           ((batch - 1) * s->stride + (s->lines - 1) * s->leading + s->length) * element +
           SPARE_BYTES;
}

static void sign_flip(unsigned char *element, uint64_t bytes)
{
    element[bytes - 1] ^= 0x80; /* little-endian: the last byte of the imaginary part */
}

static struct pair pair_make(const struct dl_transpose_problem *p)
{
    bool inverse = p->direction == DL_TRANSPOSE_INVERSE;
    bool by_cols = p->order == DL_TRANSPOSE_COL_MAJOR;
    uint64_t lines = by_cols == inverse ? p->rows : p->cols, e = p->element_bytes;
    uint64_t length = by_cols == inverse ? p->cols : p->rows,
             batch = p->batch ? p->batch : 1;
    struct stored from = stored_make(lines, length, inverse ? p->leading_out : p->leading,
                                     p->batch_stride);
    struct stored to =
        stored_make(length, lines, inverse ? p->leading : p->leading_out,
                    p->batch_stride_out ? p->batch_stride_out : p->batch_stride);
    struct pair pair = {.from_bytes = stored_bytes(&from, batch, e, p->offset_bytes),
                        .to_bytes = stored_bytes(&to, batch, e, p->offset_out_bytes)};

    pair.from = malloc(pair.from_bytes);
    pair.to = malloc(pair.to_bytes);
    pair.want = malloc(pair.to_bytes);
    for (size_t b = 0; b < pair.from_bytes; b++)
        pair.from[b] = (unsigned char)harness_random(&harness, 256);
    memset(pair.to, 0xa5, pair.to_bytes);
    memcpy(pair.want, pair.to, pair.to_bytes);
    for (uint64_t k = 0; k < batch; k++)
        for (uint64_t i = 0; i < lines; i++)
            for (uint64_t j = 0; j < length; j++) {
                unsigned char *at = pair.want + p->offset_out_bytes +
                                    (k * to.stride + j * to.leading + i) * e;
                memcpy(at,
                       pair.from + p->offset_bytes +
                           (k * from.stride + i * from.leading + j) * e,
                       e);
                if (p->conjugate)
                    sign_flip(at, e);
            }
    return pair;
}

static void pair_free(struct pair *pair)
{
    free(pair->from);
    free(pair->to);
    free(pair->want);
}

static cl_mem buffer_of(cl_mem_flags flags, const unsigned char *bytes, size_t count)
{
    cl_int err;
    cl_mem mem = clCreateBuffer(harness.device.context, flags | CL_MEM_COPY_HOST_PTR,
                                count, (void *)(uintptr_t)bytes, &err);

    ck_assert_int_eq(err, CL_SUCCESS);
    return mem;
}

static void expect_bytes(cl_mem mem, const unsigned char *want, size_t count,
                         const struct dl_transpose_problem *p, const char *what,
                         const char *plan)
{
    unsigned char *got = malloc(count);

    ck_assert_int_eq(clEnqueueReadBuffer(harness.device.queue, mem, CL_TRUE, 0, count,
                                         got, 0, NULL, NULL),
                     CL_SUCCESS);
    for (size_t b = 0; b < count; b++)
        if (got[b] != want[b])
            ck_abort_msg(
                "byte %zu of the %s's %zu is %02x, not %02x: %llu x %llu of %u bytes, "
                "leading %llu and %llu, batch %llu, offsets %llu and %llu: %s",
                b, what, count, got[b], want[b], (unsigned long long)p->rows,
                (unsigned long long)p->cols, p->element_bytes,
                (unsigned long long)p->leading, (unsigned long long)p->leading_out,
                (unsigned long long)p->batch, (unsigned long long)p->offset_bytes,
                (unsigned long long)p->offset_out_bytes, plan);
    free(got);
}

/* Plans, runs and compares; false: the named algorithm refused it. */
static bool out_is_right(struct dl_transpose_problem p)
{
    struct dl_transpose_error error = {""};
    struct dl_transpose_plan *plan;
    struct pair pair;
    cl_mem from, to;
    char text[700];
    enum dl_status st;

    p.place = DL_TRANSPOSE_OUT_OF_PLACE;
    p.struct_bytes = sizeof p;
    st = dl_transpose_plan_make(harness.transpose, &p, &plan, &error);
    if (st == DL_ENOTSUP && p.algorithm != DL_TRANSPOSE_AUTO)
        return false;
    ck_assert_msg(st == DL_OK, "%s", error.text);
    dl_transpose_plan_explain(plan, text, sizeof text);
    pair = pair_make(&p);
    from = buffer_of(CL_MEM_READ_ONLY, pair.from, pair.from_bytes);
    to = buffer_of(CL_MEM_READ_WRITE, pair.to, pair.to_bytes);
    st = dl_transpose_enqueue_out(plan, harness.device.queue, from, to, 0, NULL, NULL,
                                  &error);
    ck_assert_msg(st == DL_OK, "%s", error.text);
    expect_bytes(to, pair.want, pair.to_bytes, &p, "target", text);
    expect_bytes(from, pair.from, pair.from_bytes, &p, "source", text);
    clReleaseMemObject(from);
    clReleaseMemObject(to);
    pair_free(&pair);
    dl_transpose_plan_free(plan);
    return true;
}

START_TEST(each_algorithm_on_small_shapes)
{
    static const uint64_t sides[][2] = {{1, 7}, {33, 31}, {36, 40}, {70, 3}, {64, 32}};
    enum dl_transpose_algorithm algorithm = algorithms[_i];
    size_t sizes = is_full() ? 7 : 3;
    unsigned right = 0;

    for (size_t e = 0; e < sizes; e++) {
        /* The last is for elements of any size. */
        uint32_t bytes = element_sizes[!is_full() && e == 2 ? 5 : e];
        if (is_full())
            for (uint64_t m = 1; m <= 40; m++)
                for (uint64_t n = 1; n <= 40; n++)
                    right += out_is_right(
                        (struct dl_transpose_problem){.rows = m,
                                                      .cols = n,
                                                      .element_bytes = bytes,
                                                      .algorithm = algorithm});
        for (size_t s = 0; s < sizeof sides / sizeof *sides; s++)
            right += out_is_right((struct dl_transpose_problem){.rows = sides[s][0],
                                                                .cols = sides[s][1],
                                                                .element_bytes = bytes,
                                                                .algorithm = algorithm});
    }
    ck_assert_uint_ge(right, 10);
}
END_TEST

/* Everything that a problem may have, at random. */
START_TEST(random_problems)
{
    int count = is_full() ? 300 : 16;

    harness_seed(&harness);
    for (int i = 0; i < count; i++) {
        uint32_t e = element_sizes[harness_random(&harness, is_full() ? 7 : 2)];
        uint32_t unit = (uint32_t)dl__power_of_two_in(e, 16);
        uint64_t most = is_full() ? 300 : 130, whole = i % 2 ? 4 : 1;
        uint64_t m = (1 + harness_random(&harness, most)) * whole,
                 n = (1 + harness_random(&harness, most)) * whole;
        struct dl_transpose_problem p = {
            .rows = m,
            .cols = n,
            .element_bytes = e,
            .batch = 1 + harness_random(&harness, 3),
            .algorithm = algorithms[harness_random(&harness, ALGORITHMS)],
            .order = (enum dl_transpose_order)harness_random(&harness, 2),
            .direction = (enum dl_transpose_direction)harness_random(&harness, 2),
            .conjugate =
                (e == 4 || e == 8 || e == 16) && harness_random(&harness, 4) == 0,
            .offset_bytes = unit * whole * harness_random(&harness, 5),
            .offset_out_bytes = unit * whole * harness_random(&harness, 5)};
        bool by_cols = p.order == DL_TRANSPOSE_COL_MAJOR;
        if (harness_random(&harness, 2))
            p.leading = (by_cols ? m : n) + whole * harness_random(&harness, 6);
        if (harness_random(&harness, 2))
            p.leading_out = (by_cols ? n : m) + whole * harness_random(&harness, 6);
        if (harness_random(&harness, 2))
            p.batch_stride_out = (m + 10 * whole) * (n + 10 * whole);
        if (harness_random(&harness, 2))
            p.batch_stride = (m + 7 * whole) * (n + 7 * whole);
        out_is_right(p);
    }
}
END_TEST

/* Claim: whole lines are written in bands of several tiles, too, by every size of
 * elements. */
START_TEST(lines_in_bands)
{
    static const uint32_t bytes[] = {1, 4, 16};
    struct dl__tuning *tuning = &harness.transpose->tuning, known = *tuning;

    tuning->lines_width = 2;
    for (size_t b = 0; b < sizeof bytes / sizeof *bytes; b++)
        ck_assert(out_is_right(
            (struct dl_transpose_problem){.rows = 121,
                                          .cols = 99,
                                          .element_bytes = bytes[b],
                                          .batch = 2,
                                          .algorithm = DL_TRANSPOSE_OUT_LINES}));
    *tuning = known;
}
END_TEST

/* Every scheme has each tile once, in its own order. */
START_TEST(orders_have_each_tile_once)
{
    struct out_shape s = {.order = _i ? TILES_BANDS : TILES_ROWS};
    bool seen[13 * 13];

    for (s.tiles_down = 1; s.tiles_down < 14; s.tiles_down++)
        for (s.tiles_across = 1; s.tiles_across < 14; s.tiles_across++)
            for (s.width = 1; s.width < 16; s.width++) {
                memset(seen, 0, sizeof seen);
                for (uint32_t k = 0; k < s.tiles_down * s.tiles_across; k++) {
                    struct tile_place at = out_place(&s, k);
                    ck_assert(at.row < s.tiles_down && at.col < s.tiles_across);
                    ck_assert(!seen[at.row * 13 + at.col]);
                    seen[at.row * 13 + at.col] = true;
                    if (_i)
                        ck_assert_uint_eq(
                            at.col / s.width,
                            k / (s.width * s.tiles_down)); /* band after band */
                }
            }
}
END_TEST

/* ---- what is refused ---- */

#define MATRIX .rows = 100, .cols = 200, .element_bytes = 4
#define OUT .place = DL_TRANSPOSE_OUT_OF_PLACE

static const struct {
    struct dl_transpose_problem problem;
    enum dl_status status;
    const char *says;
} bads[] = {
    {{MATRIX, .place = 2}, DL_EINVAL, "place is 2, not"},
    {{MATRIX, OUT, .conjugate = 2}, DL_EINVAL, "conjugate is 2"},
    {{MATRIX, OUT, .batch = 2, .leading_out = 101, .batch_stride = 20000},
     DL_EINVAL,
     "batch_stride is 20000, less than the 20199 elements from the first to the "
     "last of a target"},
    {{.rows = 3, .cols = 5, .element_bytes = 12, OUT, .conjugate = 1},
     DL_EINVAL,
     "conjugate is 1, but element_bytes is 12"},
    {{MATRIX, OUT, .conjugate = 1, .algorithm = DL_TRANSPOSE_OUT_UNITS},
     DL_ENOTSUP,
     "does not conjugate"},
    {{MATRIX, .batch_stride_out = 1}, DL_EINVAL, "batch_stride_out must be 0 in place"},
    {{MATRIX, .offset_out_bytes = 4}, DL_EINVAL, "offset_out_bytes must be 0 in place"},
    {{MATRIX, .buffer_out_bytes = 4}, DL_EINVAL, "buffer_out_bytes must be 0 in place"},
    {{MATRIX, OUT, .offset_out_bytes = 2}, DL_EINVAL, "offset_out_bytes is 2, not"},
    {{MATRIX, OUT, .batch = 2, .batch_stride_out = 19999},
     DL_EINVAL,
     "batch_stride_out is 19999, less"},
    {{MATRIX, OUT, .batch = 2, .batch_stride_out = UINT64_C(1) << 62},
     DL_EOVERFLOW,
     "last target ends beyond"},
    {{MATRIX, OUT, .buffer_out_bytes = 79999}, DL_EINVAL, "target ends at byte 80000"},
    {{MATRIX, OUT, .leading_out = 101, .buffer_out_bytes = 80000},
     DL_EINVAL,
     "target ends at byte 80796"},
    {{MATRIX, OUT, .leading = 199}, DL_EINVAL, "leading is 199, less"},
    {{MATRIX, OUT, .leading_out = 99}, DL_EINVAL, "leading_out is 99, less"},
    {{MATRIX, OUT, .algorithm = DL_TRANSPOSE_C2R}, DL_ENOTSUP, "c2r works only in place"},
    {{MATRIX, .algorithm = DL_TRANSPOSE_OUT}, DL_ENOTSUP, "out works only out of place"},
    {{.rows = 3, .cols = 3, .element_bytes = 12, OUT, .algorithm = DL_TRANSPOSE_OUT},
     DL_ENOTSUP,
     "elements of 12 bytes"},
    {{.rows = UINT64_C(1) << 30, .cols = UINT64_C(1) << 30, .element_bytes = 1, OUT},
     DL_EREFUSED,
     "no algorithm can do this: out"},
};

START_TEST(plan_says_what_is_wrong)
{
    struct dl_transpose_problem problem = bads[_i].problem;
    struct dl_transpose_error error = {""};
    struct dl_transpose_plan *plan = NULL;

    problem.struct_bytes = sizeof problem;
    ck_assert_int_eq(dl_transpose_plan_make(harness.transpose, &problem, &plan, &error),
                     bads[_i].status);
    ck_assert_msg(strstr(error.text, bads[_i].says), "\"%s\" does not say \"%s\"",
                  error.text, bads[_i].says);
    ck_assert_ptr_null(plan);
}
END_TEST

/* 5 x 6 elements of 4 bytes: 120 bytes. */
static struct dl_transpose_plan *small_plan(enum dl_transpose_place place,
                                            uint64_t offset, uint64_t offset_out)
{
    struct dl_transpose_problem problem = {.struct_bytes = sizeof problem,
                                           .rows = 5,
                                           .cols = 6,
                                           .element_bytes = 4,
                                           .place = place,
                                           .offset_bytes = offset,
                                           .offset_out_bytes = offset_out};
    struct dl_transpose_plan *plan;

    ck_assert_int_eq(dl_transpose_plan_make(harness.transpose, &problem, &plan, NULL),
                     DL_OK);
    return plan;
}

static void expect_refused(const struct dl_transpose_plan *plan, cl_mem from, cl_mem to,
                           const char *says)
{
    struct dl_transpose_error error = {""};
    cl_event event = NULL;

    ck_assert_int_eq(dl_transpose_enqueue_out(plan, harness.device.queue, from, to, 0,
                                              NULL, &event, &error),
                     DL_EINVAL);
    ck_assert_msg(strstr(error.text, says), "\"%s\" does not say \"%s\"", error.text,
                  says);
    ck_assert_ptr_null(event);
}

START_TEST(enqueue_says_what_is_wrong)
{
    struct dl_transpose_plan *plan = small_plan(DL_TRANSPOSE_OUT_OF_PLACE, 0, 0);
    struct dl_transpose_plan *place = small_plan(DL_TRANSPOSE_IN_PLACE, 0, 0);
    struct dl_transpose_plan *apart = small_plan(DL_TRANSPOSE_OUT_OF_PLACE, 0, 120);
    struct dl_transpose_plan *near = small_plan(DL_TRANSPOSE_OUT_OF_PLACE, 4, 120);
    unsigned char bytes[244] = {0};
    struct dl_transpose_error error = {""};
    cl_mem both = buffer_of(CL_MEM_READ_WRITE, bytes, 244);
    cl_mem other = buffer_of(CL_MEM_READ_WRITE, bytes, 120);
    cl_mem short_one = buffer_of(CL_MEM_READ_WRITE, bytes, 116);
    cl_mem only_read = buffer_of(CL_MEM_READ_ONLY, bytes, 120);
    cl_mem only_written = buffer_of(CL_MEM_WRITE_ONLY, bytes, 120);
    cl_event done = NULL;

    expect_refused(NULL, both, other, "plan is NULL");
    expect_refused(place, both, other,
                   "the plan is in place and has no target: call dl_transpose_enqueue");
    ck_assert_int_eq(dl_transpose_enqueue(plan, harness.device.queue, both, NULL, 0, NULL,
                                          NULL, NULL, &error),
                     DL_EINVAL);
    ck_assert_ptr_nonnull(
        strstr(error.text, "the plan is out of place and needs a target"));
    expect_refused(plan, other, short_one, "last target ends at byte 120");
    expect_refused(plan, short_one, other, "last matrix ends at byte 120");
    expect_refused(plan, both, both, "the target overlaps the source");
    expect_refused(near, both, both, "the target overlaps the source");
    expect_refused(plan, only_written, other, "the source is write-only");
    expect_refused(plan, other, only_read, "the target is read-only");
    /* Side by side in one buffer; and flags that are just enough. */
    ck_assert_int_eq(dl_transpose_enqueue_out(apart, harness.device.queue, both, both, 0,
                                              NULL, NULL, &error),
                     DL_OK);
    ck_assert_int_eq(dl_transpose_enqueue_out(plan, harness.device.queue, only_read,
                                              only_written, 0, NULL, &done, &error),
                     DL_OK);
    ck_assert_int_eq(clWaitForEvents(1, &done), CL_SUCCESS);
    clReleaseEvent(done);
    clReleaseMemObject(both);
    clReleaseMemObject(other);
    clReleaseMemObject(short_one);
    clReleaseMemObject(only_read);
    clReleaseMemObject(only_written);
    dl_transpose_plan_free(plan);
    dl_transpose_plan_free(place);
    dl_transpose_plan_free(apart);
    dl_transpose_plan_free(near);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("transpose out of place");
    TCase *tests = tcase_create("all");

    harness_open(&harness);
    tcase_set_timeout(tests, 3600);
    tcase_add_test(tests, lines_in_bands);
    tcase_add_loop_test(tests, orders_have_each_tile_once, 0, 2);
    tcase_add_loop_test(tests, each_algorithm_on_small_shapes, 0, ALGORITHMS);
    tcase_add_test(tests, random_problems);
    tcase_add_loop_test(tests, plan_says_what_is_wrong, 0, sizeof bads / sizeof *bads);
    tcase_add_test(tests, enqueue_says_what_is_wrong);
    suite_add_tcase(suite, tests);
    return harness_run_all(&harness, suite);
}
