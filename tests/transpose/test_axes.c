/* SPDX-License-Identifier: MIT */
/* Claim: arrays of several axes become their permutation, byte for byte, in place and out
 * of place, by every algorithm that takes them, whatever the order of elements, the
 * direction, the batch and the offset; nothing else changes, and the workspace is within
 * the cap.
 *
 * Half of the shapes a turn (tests/common/turn.h). DL_TEST_SEED=N: of the random arrays.
 * DL_TEST_FULL=1: all permutations of three axes with extents 1..12 and six sizes of
 * elements, 300 random arrays of two to eight axes; with DL_TEST_PART=I/N only every N-th
 * of those extents, from the I-th on: processes with CK_RUN_CASE=orders can share them.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "tests/common/turn.h"
#include "transpose/algorithms/algorithm.h"

static struct harness harness;

enum { SPARE_BYTES = 64, FILL = 0xa5 };

static const uint32_t element_sizes[] = {4, 8, 1, 2, 16, 12};
static const enum dl_transpose_algorithm places[] = {
    DL_TRANSPOSE_AUTO, DL_TRANSPOSE_AXES, DL_TRANSPOSE_AXES_SWAP,
    DL__COMPARED(AXES_SWAP_NAIVE), DL_TRANSPOSE_THROUGH};
static const enum dl_transpose_algorithm outs[] = {
    DL_TRANSPOSE_AUTO, DL_TRANSPOSE_OUT_AXES, DL__COMPARED(OUT_AXES_GRID)};

static bool is_full(void)
{
    return getenv("DL_TEST_FULL") != NULL;
}

/* ---- the reference ---- */

/* Where the elements of an array lie: a distance for each axis, and what all of it spans.
 */
struct stored {
    uint64_t distances[DL_TRANSPOSE_AXES_MAX], span;
};

/* Axes in the order of falling distance; the innermost one's lines are `leading` apart,
 * and those of an array with other extents lie as they do there. */
static struct stored stored_make(const uint64_t *extents, const unsigned *order,
                                 unsigned count, uint64_t leading, const uint64_t *outer)
{
    struct stored s = {.span = 1};
    uint64_t distance = 1;

    for (unsigned d = count; d-- > 0;) {
        s.distances[order[d]] = distance;
        s.span += (extents[order[d]] - 1) * distance;
        distance = d == count - 1 && leading ? leading
                   : outer[order[d]]         ? distance * outer[order[d]]
                                             : distance * extents[order[d]];
    }
    return s;
}

/* A problem of axes as both sides store it. */
struct arrays {
    uint64_t extents[DL_TRANSPOSE_AXES_MAX], elements, batch, stride, stride_out;
    struct stored from, to;
};

static struct arrays arrays_make(const struct dl_transpose_problem *p)
{
    struct arrays a = {.elements = 1, .batch = p->batch ? p->batch : 1};
    bool by_cols = p->order == DL_TRANSPOSE_COL_MAJOR;
    bool inverse = p->direction == DL_TRANSPOSE_INVERSE;
    unsigned count = p->axis_count, before[DL_TRANSPOSE_AXES_MAX];
    unsigned after[DL_TRANSPOSE_AXES_MAX];
    uint64_t outer_out[DL_TRANSPOSE_AXES_MAX] = {0}; /* by axis of the array */

    /* Axis d of the one side is axis permutation[d] of the other. */
    for (unsigned d = 0; d < count; d++) {
        unsigned at = by_cols ? count - 1 - d : d;
        before[at] = d;
        after[at] = p->permutation[d];
        a.extents[d] = p->extents[d];
        outer_out[p->permutation[d]] = p->outer_out[d];
        a.elements *= p->extents[d];
    }
    a.from = stored_make(a.extents, inverse ? after : before, count,
                         inverse ? p->leading_out : p->leading,
                         inverse ? outer_out : p->outer);
    a.to = stored_make(a.extents, inverse ? before : after, count,
                       inverse ? p->leading : p->leading_out,
                       inverse ? p->outer : outer_out);
    a.stride = p->batch_stride ? p->batch_stride : a.from.span;
    a.stride_out = p->place == DL_TRANSPOSE_IN_PLACE ? a.stride
                   : p->batch_stride_out             ? p->batch_stride_out
                   : p->batch_stride                 ? p->batch_stride
                                                     : a.to.span;
    return a;
}

static void reference_make(const struct dl_transpose_problem *p, const struct arrays *a,
                           const unsigned char *from, unsigned char *to)
{
    uint64_t e = p->element_bytes;
    uint64_t offset_out =
        p->place == DL_TRANSPOSE_IN_PLACE ? p->offset_bytes : p->offset_out_bytes;

    for (uint64_t k = 0; k < a->batch; k++)
        for (uint64_t i = 0; i < a->elements; i++) {
            uint64_t rest = i, source = k * a->stride, target = k * a->stride_out;
            unsigned char *at;
            for (unsigned d = p->axis_count; d-- > 0; rest /= a->extents[d]) {
                source += rest % a->extents[d] * a->from.distances[d];
                target += rest % a->extents[d] * a->to.distances[d];
            }
            at = to + offset_out + target * e;
            memcpy(at, from + p->offset_bytes + source * e, e);
            if (p->conjugate)
                at[e - 1] ^= 0x80;
        }
}

/* ---- one array ---- */

static const char *text_of(const struct dl_transpose_problem *p, const char *plan)
{
    static char text[1500];
    int used = snprintf(text, sizeof text, "extents");

    for (unsigned d = 0; d < p->axis_count; d++)
        used += snprintf(text + used, sizeof text - (size_t)used, " %llu",
                         (unsigned long long)p->extents[d]);
    used += snprintf(text + used, sizeof text - (size_t)used, ", permutation");
    for (unsigned d = 0; d < p->axis_count; d++)
        used +=
            snprintf(text + used, sizeof text - (size_t)used, " %u", p->permutation[d]);
    snprintf(text + used, sizeof text - (size_t)used,
             ", %u bytes, order %d, direction %d, batch %llu by %llu, leading %llu and "
             "%llu, offsets %llu and %llu, place %d, cap %d: %s",
             p->element_bytes, p->order, p->direction, (unsigned long long)p->batch,
             (unsigned long long)p->batch_stride, (unsigned long long)p->leading,
             (unsigned long long)p->leading_out, (unsigned long long)p->offset_bytes,
             (unsigned long long)p->offset_out_bytes, p->place, p->cap, plan);
    return text;
}

static cl_mem buffer_of(const unsigned char *bytes, size_t count)
{
    cl_int err;
    cl_mem mem =
        clCreateBuffer(harness.device.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                       count, (void *)(uintptr_t)bytes, &err);

    ck_assert_int_eq(err, CL_SUCCESS);
    return mem;
}

static void expect_bytes(cl_mem mem, const unsigned char *want, size_t count,
                         const char *what)
{
    unsigned char *got = malloc(count);

    ck_assert_int_eq(clEnqueueReadBuffer(harness.device.queue, mem, CL_TRUE, 0, count,
                                         got, 0, NULL, NULL),
                     CL_SUCCESS);
    for (size_t b = 0; b < count; b++)
        if (got[b] != want[b])
            ck_abort_msg("byte %zu of %zu is %02x, not %02x: %s", b, count, got[b],
                         want[b], what);
    free(got);
}

static unsigned char *bytes_make(size_t count)
{
    unsigned char *bytes = malloc(count);

    for (size_t b = 0; b < count; b++)
        bytes[b] = (unsigned char)harness_random(&harness, 256);
    return bytes;
}

static void run_in_place(const struct dl_transpose_problem *p,
                         const struct dl_transpose_plan *plan, const char *text)
{
    struct arrays a = arrays_make(p);
    size_t count = p->offset_bytes +
                   ((a.batch - 1) * a.stride + a.from.span) * p->element_bytes +
                   SPARE_BYTES;
    unsigned char *from = bytes_make(count), *want = malloc(count), *full;
    struct dl_transpose_error error = {""};
    struct dl_transpose_info info;
    size_t work_bytes;
    cl_mem mem, work;

    dl_transpose_plan_info(plan, &info);
    work_bytes = info.workspace_bytes + SPARE_BYTES;
    full = malloc(work_bytes);
    memset(full, FILL, work_bytes);
    memcpy(want, from, count);
    reference_make(p, &a, from, want);
    mem = buffer_of(from, count);
    work = buffer_of(full, work_bytes);
    ck_assert_msg(dl_transpose_enqueue(plan, harness.device.queue, mem, work, 0, NULL,
                                       NULL, NULL, &error) == DL_OK,
                  "%s: %s", error.text, text);
    expect_bytes(mem, want, count, text);
    ck_assert_int_eq(clEnqueueReadBuffer(harness.device.queue, work, CL_TRUE,
                                         info.workspace_bytes, SPARE_BYTES, from, 0, NULL,
                                         NULL),
                     CL_SUCCESS);
    ck_assert_msg(count < SPARE_BYTES || memcmp(from, full, SPARE_BYTES) == 0 ||
                      work_bytes == SPARE_BYTES,
                  "written past the workspace: %s", text);
    clReleaseMemObject(mem);
    clReleaseMemObject(work);
    free(from);
    free(want);
    free(full);
}

static void run_out(const struct dl_transpose_problem *p,
                    const struct dl_transpose_plan *plan, const char *text)
{
    struct arrays a = arrays_make(p);
    size_t count = p->offset_bytes +
                   ((a.batch - 1) * a.stride + a.from.span) * p->element_bytes +
                   SPARE_BYTES;
    size_t count_out = p->offset_out_bytes +
                       ((a.batch - 1) * a.stride_out + a.to.span) * p->element_bytes +
                       SPARE_BYTES;
    unsigned char *from = bytes_make(count), *want = malloc(count_out);
    struct dl_transpose_error error = {""};
    cl_mem source = buffer_of(from, count), target;

    memset(want, FILL, count_out);
    target = buffer_of(want, count_out);
    reference_make(p, &a, from, want);
    ck_assert_msg(dl_transpose_enqueue_out(plan, harness.device.queue, source, target, 0,
                                           NULL, NULL, &error) == DL_OK,
                  "%s: %s", error.text, text);
    expect_bytes(target, want, count_out, text);
    expect_bytes(source, from, count, text);
    clReleaseMemObject(source);
    clReleaseMemObject(target);
    free(from);
    free(want);
}

/* False: the named algorithm, or the chooser within the cap, refused it. */
static bool axes_are_right(struct dl_transpose_problem p)
{
    struct dl_transpose_error error = {""};
    struct dl_transpose_plan *plan;
    char text[900];
    enum dl_status st;

    p.struct_bytes = sizeof p;
    st = dl_transpose_plan_make(harness.transpose, &p, &plan, &error);
    if ((st == DL_ENOTSUP || st == DL_EREFUSED) && p.algorithm != DL_TRANSPOSE_AUTO)
        return false;
    ck_assert_msg(st == DL_OK, "%s: %s", error.text, text_of(&p, ""));
    ck_assert_uint_le(plan->info.workspace_bytes, plan->task.cap_bytes);
    dl_transpose_plan_explain(plan, text, sizeof text);
    if (p.place == DL_TRANSPOSE_OUT_OF_PLACE)
        run_out(&p, plan, text_of(&p, text));
    else
        run_in_place(&p, plan, text_of(&p, text));
    dl_transpose_plan_free(plan);
    return true;
}

/* ---- three axes ---- */

/* The part of the extents that this process has: every `step`-th from `first` on. */
static void part_read(uint64_t *first, uint64_t *step)
{
    const char *part = getenv("DL_TEST_PART");
    unsigned i = 0, n = 1;

    if (part)
        ck_assert_int_eq(sscanf(part, "%u/%u", &i, &n), 2);
    ck_assert(n > 0 && i < n);
    *first = i;
    *step = n;
}

static const uint32_t orders3[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                      {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

static unsigned three_axes(const uint64_t *extents, uint32_t element_bytes,
                           const enum dl_transpose_algorithm *algorithms, size_t count,
                           enum dl_transpose_place place)
{
    unsigned right = 0;

    for (size_t o = 0; o < 6; o++)
        for (size_t a = 0; a < count; a++)
            right += axes_are_right((struct dl_transpose_problem){
                .axis_count = 3,
                .extents = {extents[0], extents[1], extents[2]},
                .permutation = {orders3[o][0], orders3[o][1], orders3[o][2]},
                .element_bytes = element_bytes,
                .algorithm = algorithms[a],
                .place = place});
    return right;
}

START_TEST(all_orders_of_three_axes)
{
    static const uint64_t shapes[][3] = {{5, 4, 7}, {9, 3, 9}, {12, 12, 5}, {2, 1, 6}};
    bool out = _i % 2;
    const enum dl_transpose_algorithm *algorithms = out ? outs : places;
    size_t count = out ? sizeof outs / sizeof *outs : sizeof places / sizeof *places;
    enum dl_transpose_place place =
        out ? DL_TRANSPOSE_OUT_OF_PLACE : DL_TRANSPOSE_IN_PLACE;
    size_t sizes = is_full() ? 6 : 2;
    unsigned right = 0, all = 24; /* of the shapes of a turn */

    for (size_t e = 0; e < sizes; e++) {
        if (is_full()) {
            uint64_t i, step;
            all = e == 0 ? 0 : all;
            for (part_read(&i, &step); i < 12 * 12 * 12; i += step, all += 6) {
                uint64_t extents[] = {1 + i / 144, 1 + i / 12 % 12, 1 + i % 12};
                right += three_axes(extents, element_sizes[e], algorithms, 1, place);
            }
            continue;
        }
        for (size_t s = 0; s < (e ? 1 : sizeof shapes / sizeof *shapes); s++)
            if (is_its_turn_of((unsigned)(s + e), 2))
                right += three_axes(shapes[s], element_sizes[e ? 5 : 0], algorithms,
                                    count, place);
    }
    ck_assert_uint_ge(right, all);
}
END_TEST

/* Where tiles are whole, partly there and several to a side. */
START_TEST(involutions_and_rotations_of_larger_arrays)
{
    static const uint64_t shapes[][3] = {
        {70, 3, 70}, {66, 66, 5}, {4, 65, 65}, {64, 7, 36}};

    for (size_t s = 0; s < 4; s++) {
        if (!is_its_turn_of((unsigned)s, 2))
            continue;
        three_axes(shapes[s], 4, places, 2, DL_TRANSPOSE_IN_PLACE);
        three_axes(shapes[s], 8, outs, 3, DL_TRANSPOSE_OUT_OF_PLACE);
    }
}
END_TEST

/* ---- at random ---- */

static struct dl_transpose_problem random_problem(unsigned axes_max, uint64_t elements)
{
    unsigned count = 2 + (unsigned)harness_random(&harness, axes_max - 1);
    uint32_t e = element_sizes[harness_random(&harness, is_full() ? 6 : 2)];
    uint32_t unit = (uint32_t)dl__power_of_two_in(e, 16);
    struct dl_transpose_problem p = {
        .axis_count = count,
        .element_bytes = e,
        .order = (enum dl_transpose_order)harness_random(&harness, 2),
        .direction = (enum dl_transpose_direction)harness_random(&harness, 2),
        .batch = harness_random(&harness, 4),
        .offset_bytes = unit * harness_random(&harness, 5)};

    for (unsigned d = 0; d < count; d++) {
        unsigned at = (unsigned)harness_random(&harness, d + 1);
        p.permutation[d] = p.permutation[at];
        p.permutation[at] = d;
        /* Now and then as another axis, so that there are involutions. */
        p.extents[d] = d > 0 && harness_random(&harness, 3) == 0
                           ? p.extents[0]
                           : 1 + harness_random(&harness, elements > 40 ? 40 : elements);
        while (p.extents[d] > elements)
            p.extents[d] /= 2;
        elements /= p.extents[d];
    }
    return p;
}

/* Makes both sides parts of larger arrays, but for the innermost axis where its lines
 * have a distance. */
static void outer_add(struct dl_transpose_problem *p, unsigned innermost)
{
    for (unsigned d = 0; d < p->axis_count; d++) {
        uint64_t extent_out = p->extents[p->permutation[d]];
        if (harness_random(&harness, 2) && (d != innermost || !p->leading))
            p->outer[d] = p->extents[d] + harness_random(&harness, 4);
        if (harness_random(&harness, 2) && (d != innermost || !p->leading_out))
            p->outer_out[d] = extent_out + harness_random(&harness, 4);
    }
}

static void random_out_add(struct dl_transpose_problem *p)
{
    bool by_cols = p->order == DL_TRANSPOSE_COL_MAJOR;
    unsigned last = by_cols ? 0 : p->axis_count - 1;
    struct arrays a;

    p->place = DL_TRANSPOSE_OUT_OF_PLACE;
    p->algorithm = outs[harness_random(&harness, 3)];
    p->offset_out_bytes = p->offset_bytes * harness_random(&harness, 3);
    p->conjugate = (p->element_bytes & (p->element_bytes - 1)) == 0 &&
                   p->element_bytes >= 4 && harness_random(&harness, 4) == 0;
    if (harness_random(&harness, 2))
        p->leading = p->extents[last] + harness_random(&harness, 5);
    if (harness_random(&harness, 2))
        p->leading_out = p->extents[p->permutation[last]] + harness_random(&harness, 5);
    if (harness_random(&harness, 2))
        outer_add(p, last);
    a = arrays_make(p);
    if (harness_random(&harness, 2))
        p->batch_stride_out = a.to.span + harness_random(&harness, 9);
}

/* Now and then; the target's is the same where it has none of its own. */
static void batch_stride_add(struct dl_transpose_problem *p)
{
    struct arrays a = arrays_make(p);
    uint64_t most = a.from.span > a.to.span ? a.from.span : a.to.span;

    if (harness_random(&harness, 2))
        p->batch_stride = most + harness_random(&harness, 9);
}

START_TEST(random_arrays)
{
    int count = is_full() ? 300 : 16;
    unsigned right = 0;

    harness_seed(&harness);
    for (int i = 0; i < count; i++) {
        struct dl_transpose_problem p =
            random_problem(is_full() ? 8 : 6, is_full() ? 40000 : 6000);
        if (i % 2) {
            random_out_add(&p);
        } else {
            static const enum dl_transpose_cap caps[] = {
                DL_TRANSPOSE_CAP_DEFAULT, DL_TRANSPOSE_CAP_12, DL_TRANSPOSE_CAP_0};
            p.algorithm = places[harness_random(&harness, 5)];
            p.cap = caps[harness_random(&harness, 3)];
        }
        batch_stride_add(&p);
        right += axes_are_right(p);
    }
    ck_assert_int_ge((int)right, count / 2);
}
END_TEST

/* As on a GPU: tiles whose sides are several axes, slices through the workspace, whole
 * matrices in local memory. It stays one: the last test. */
START_TEST(random_arrays_as_on_a_gpu)
{
    int count = is_full() ? 300 : 20;
    unsigned right = 0;

    harness_as_gpu(&harness);
    harness_seed(&harness);
    for (int i = 0; i < count; i++) {
        struct dl_transpose_problem p = random_problem(6, i % 4 ? 6000 : 60000);
        if (i % 2) {
            random_out_add(&p);
            p.algorithm = i % 4 == 1 ? DL_TRANSPOSE_AUTO : DL_TRANSPOSE_OUT_AXES;
        } else {
            p.cap = i % 4 ? DL_TRANSPOSE_CAP_12 : DL_TRANSPOSE_CAP_6;
            p.algorithm = i % 3 ? DL_TRANSPOSE_AUTO : DL_TRANSPOSE_AXES;
        }
        right += axes_are_right(p);
    }
    ck_assert_int_ge((int)right, count * 2 / 3);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("transpose axes");
    TCase *orders = tcase_create("orders"), *tests = tcase_create("others");

    harness_open(&harness);
    tcase_add_loop_test(orders, all_orders_of_three_axes, 0, 2);
    suite_add_tcase(suite, orders);
    tcase_add_test(tests, involutions_and_rotations_of_larger_arrays);
    tcase_add_test(tests, random_arrays);
    tcase_add_test(tests, random_arrays_as_on_a_gpu);
    suite_add_tcase(suite, tests);
    return harness_run_all(&harness, suite);
}
