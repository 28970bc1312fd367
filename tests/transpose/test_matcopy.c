/* SPDX-License-Identifier: MIT */
/* Claim: imatcopy, omatcopy, their batches and omatadd do what MKL's and OpenBLAS's do,
 * for each type, in both orders and four ways of turning: every byte of both buffers is
 * what a scalar reference makes it, also between the rows, before and after; what is
 * wrong is refused; a call that was made before only launches.
 *
 * DL_TEST_SEED=N: of the random calls. DL_TEST_CALLS=N: of each function (12;
 * DL_TEST_FULL=1: 2000). */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "counted.h"
#include "dl_matcopy.h"

enum { SPARE = 5 /* numbers behind the last matrix */ };

/* ---- the functions under one roof ---- */

enum function { IMATCOPY, IMATCOPY_BATCH, OMATCOPY, OMATCOPY_BATCH, OMATADD, FUNCTIONS };
static const char *const function_names[] = {"imatcopy", "imatcopy_batch_strided",
                                             "omatcopy", "omatcopy_batch_strided",
                                             "omatadd"};

struct call {
    enum function function;
    char type, ordering, trans;
    size_t rows, cols, batch;
    double alpha[2], beta[2];
    size_t a_offset, b_offset, lda, ldb, stridea, strideb;
};

#define CALL(letter, number, a_scale, b_scale)                                           \
    switch (c->function) {                                                               \
    case IMATCOPY:                                                                       \
        return dl_##letter##imatcopy(on, c->ordering, c->trans, c->rows, c->cols,        \
                                     a_scale, a, c->a_offset, c->lda, c->ldb);           \
    case IMATCOPY_BATCH:                                                                 \
        return dl_##letter##imatcopy_batch_strided(                                      \
            on, c->ordering, c->trans, c->rows, c->cols, a_scale, a, c->a_offset,        \
            c->lda, c->ldb, c->stridea, c->batch);                                       \
    case OMATCOPY:                                                                       \
        return dl_##letter##omatcopy(on, c->ordering, c->trans, c->rows, c->cols,        \
                                     a_scale, a, c->a_offset, c->lda, b, c->b_offset,    \
                                     c->ldb);                                            \
    case OMATCOPY_BATCH:                                                                 \
        return dl_##letter##omatcopy_batch_strided(                                      \
            on, c->ordering, c->trans, c->rows, c->cols, a_scale, a, c->a_offset,        \
            c->lda, c->stridea, b, c->b_offset, c->ldb, c->strideb, c->batch);           \
    default:                                                                             \
        return dl_##letter##omatadd(on, c->ordering, c->trans, c->rows, c->cols,         \
                                    a_scale, a, c->a_offset, c->lda, b_scale, b,         \
                                    c->b_offset, c->ldb);                                \
    }

static enum dl_status call_make(const struct dl_matcopy *on, const struct call *c,
                                cl_mem a, cl_mem b)
{
    const cl_float2 ca = {{(float)c->alpha[0], (float)c->alpha[1]}},
                    cb = {{(float)c->beta[0], (float)c->beta[1]}};
    const cl_double2 za = {{c->alpha[0], c->alpha[1]}}, zb = {{c->beta[0], c->beta[1]}};

    switch (c->type) {
    case 's':
        CALL(s, cl_float, ca.s[0], cb.s[0])
    case 'd':
        CALL(d, cl_double, za.s[0], zb.s[0])
    case 'c':
        CALL(c, cl_float2, ca, cb)
    default:
        CALL(z, cl_double2, za, zb)
    }
}

/* ---- the reference ---- */

static bool is_double(const struct call *c)
{
    return c->type == 'd' || c->type == 'z';
}

static bool is_complex(const struct call *c)
{
    return c->type == 'c' || c->type == 'z';
}

static size_t number_bytes(const struct call *c)
{
    return (is_double(c) ? 8u : 4u) * (is_complex(c) ? 2u : 1u);
}

static bool is_out(const struct call *c)
{
    return c->function >= OMATCOPY;
}

struct number {
    double re, im;
};

static struct number number_get(const struct call *c, const unsigned char *from)
{
    struct number n = {0, 0};
    float singles[2] = {0, 0};

    if (is_double(c)) {
        memcpy(&n.re, from, 8);
        if (is_complex(c))
            memcpy(&n.im, from + 8, 8);
        return n;
    }
    memcpy(singles, from, number_bytes(c));
    return (struct number){singles[0], singles[1]};
}

static void number_put(const struct call *c, struct number n, unsigned char *to)
{
    const float singles[2] = {(float)n.re, (float)n.im};

    if (is_double(c)) {
        memcpy(to, &n.re, 8);
        if (is_complex(c))
            memcpy(to + 8, &n.im, 8);
    } else {
        memcpy(to, singles, number_bytes(c));
    }
}

/* Each operation is rounded to what numbers are: a product of floats is exact as a
 * double. */
static double rounded(const struct call *c, double x)
{
    volatile float single = (float)x; /* or GCC 12 leaves some of them out */

    return is_double(c) ? x : (double)single;
}

static struct number times(const struct call *c, struct number n, const double by[2])
{
    double re = rounded(c, by[0]), im = is_complex(c) ? rounded(c, by[1]) : 0;

    if (im == 0)
        return (struct number){rounded(c, n.re * re), rounded(c, n.im * re)};
    return (struct number){rounded(c, rounded(c, n.re * re) - rounded(c, n.im * im)),
                           rounded(c, rounded(c, n.re * im) + rounded(c, n.im * re))};
}

static bool is_number(const struct call *c, const double n[2], double what)
{
    return rounded(c, n[0]) == what && (!is_complex(c) || n[1] == 0);
}

/* One element of the result, from its source and what the target had. */
static void element_make(const struct call *c, const unsigned char *from,
                         const unsigned char *had, unsigned char *to)
{
    bool conjugates = is_complex(c) && strchr("RCrc", c->trans);
    bool adds = c->function == OMATADD && !is_number(c, c->beta, 0);
    size_t bytes = number_bytes(c);
    struct number n = {0, 0}, before;

    if (is_number(c, c->alpha, 1) && !adds) {
        memmove(to, from, bytes);
        if (conjugates)
            to[bytes - 1] ^= 0x80;
        return;
    }
    before = number_get(c, had);
    if (!is_number(c, c->alpha, 0)) {
        n = number_get(c, from);
        n.im = conjugates ? -n.im : n.im;
        n = times(c, n, c->alpha);
    }
    if (adds) {
        before = times(c, before, c->beta);
        n = (struct number){rounded(c, n.re + before.re), rounded(c, n.im + before.im)};
    }
    number_put(c, n, to);
}

/* The row-major matrix that is stored. */
static void sides_of(const struct call *c, size_t *rows, size_t *cols, bool *turns)
{
    bool by_cols = strchr("Cc", c->ordering) != NULL;

    *rows = by_cols ? c->cols : c->rows;
    *cols = by_cols ? c->rows : c->cols;
    *turns = strchr("TCtc", c->trans) != NULL;
}

/* `a` and `b` as they were; what the one that is written becomes: `want`, which begins as
 * it was. */
static void reference_make(const struct call *c, const unsigned char *a,
                           const unsigned char *b, unsigned char *want)
{
    size_t rows, cols, e = number_bytes(c);
    size_t to_offset = is_out(c) ? c->b_offset : c->a_offset;
    size_t to_stride = is_out(c) ? c->strideb : c->stridea;
    bool turns;

    sides_of(c, &rows, &cols, &turns);
    for (size_t m = 0; m < c->batch; m++)
        for (size_t i = 0; i < rows; i++)
            for (size_t j = 0; j < cols; j++) {
                size_t from = c->a_offset + m * c->stridea + i * c->lda + j;
                size_t to =
                    to_offset + m * to_stride + (turns ? j * c->ldb + i : i * c->ldb + j);
                element_make(c, a + from * e, (is_out(c) ? b : a) + to * e,
                             want + to * e);
            }
}

/* ---- random calls ---- */

static double random_scale(void)
{
    static const double some[] = {0, 1, -1, 2.5, 0.1};
    uint64_t n = harness_random(&harness, 8);

    return n < 5 ? some[n] : (double)harness_random(&harness, 2000) / 271 - 3;
}

static size_t line_of(size_t length)
{
    static const uint64_t more[] = {0, 0, 1, 7, 40};

    return length + harness_random(&harness, 1 + more[harness_random(&harness, 5)]);
}

static struct call random_call(enum function function)
{
    struct call c = {.function = function,
                     .type = "sdcz"[harness_random(&harness, 4)],
                     .ordering = "RCrc"[harness_random(&harness, 4)],
                     .trans = "NTRCntrc"[harness_random(&harness, 8)],
                     .batch = 1,
                     .a_offset = harness_random(&harness, 20),
                     .b_offset = harness_random(&harness, 20)};
    uint64_t most = harness_random(&harness, 6) ? 40 : 300;
    size_t rows, cols, spana, spanb;
    bool turns;

    c.rows = harness_random(&harness, most);
    c.cols = harness_random(&harness, 5) ? harness_random(&harness, most) : c.rows;
    if (function == IMATCOPY_BATCH || function == OMATCOPY_BATCH)
        c.batch = harness_random(&harness, 5);
    for (int part = 0; part < 2; part++) {
        c.alpha[part] = part && harness_random(&harness, 2) ? 0 : random_scale();
        c.beta[part] = random_scale();
    }
    sides_of(&c, &rows, &cols, &turns);
    c.lda = line_of(cols);
    c.ldb = line_of(turns ? rows : cols);
    if (harness_random(&harness, 4) == 0 && c.ldb < c.lda && (turns || rows == cols))
        c.ldb = c.lda;
    /* What one spans: of the source, or in place of either. */
    spana = rows * c.lda;
    spanb = (turns ? cols : rows) * c.ldb;
    if (!is_out(&c))
        spana = spana > spanb ? spana : spanb;
    c.stridea = spana + harness_random(&harness, 9) + 1;
    c.strideb = spanb + harness_random(&harness, 9) + 1;
    return c;
}

/* Any bits where they are only moved; else numbers, some of them special. */
static unsigned char *numbers_random(const struct call *c, size_t count)
{
    size_t bytes = number_bytes(c);
    unsigned char *numbers = malloc(count * bytes);
    static const double special[] = {0, -0.0, INFINITY, -INFINITY};

    for (size_t i = 0; i < count * bytes; i++)
        numbers[i] = (unsigned char)harness_random(&harness, 256);
    if (is_number(c, c->alpha, 1) && (c->function != OMATADD || is_number(c, c->beta, 0)))
        return numbers;
    for (size_t i = 0; i < count; i++) {
        double parts[2];
        for (int part = 0; part < 2; part++)
            parts[part] = harness_random(&harness, 50) == 0
                              ? special[harness_random(&harness, 4)]
                              : (double)harness_random(&harness, 1 << 20) / 1013 - 500;
        number_put(c, (struct number){parts[0], parts[1]}, numbers + i * bytes);
    }
    return numbers;
}

/* Whether they are the same, every not-a-number being one. */
static bool is_same(const struct call *c, const unsigned char *a, const unsigned char *b)
{
    struct number x, y;

    if (memcmp(a, b, number_bytes(c)) == 0)
        return true;
    x = number_get(c, a);
    y = number_get(c, b);
    return ((isnan(x.re) && isnan(y.re)) || memcmp(&x.re, &y.re, 8) == 0) &&
           ((isnan(x.im) && isnan(y.im)) || memcmp(&x.im, &y.im, 8) == 0);
}

static cl_mem buffer_of(const unsigned char *bytes, size_t count)
{
    cl_int err;
    cl_mem mem =
        clCreateBuffer(harness.device.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                       count, (void *)bytes, &err);

    ck_assert_int_eq(err, CL_SUCCESS);
    return mem;
}

static void expect_same(const struct call *c, cl_mem mem, const unsigned char *want,
                        size_t count, const char *what)
{
    size_t e = number_bytes(c);
    unsigned char *got = malloc(count * e);

    ck_assert_int_eq(clEnqueueReadBuffer(harness.device.queue, mem, CL_TRUE, 0, count * e,
                                         got, 0, NULL, NULL),
                     CL_SUCCESS);
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(is_same(c, got + i * e, want + i * e),
                      "%s is %.9g %.9g and not %.9g %.9g at %zu of %zu: dl_%c%s '%c' "
                      "'%c' %zu x %zu, alpha %g %g, "
                      "beta %g %g, offsets %zu %zu, lda %zu, ldb %zu, strides %zu %zu, "
                      "batch %zu",
                      what, number_get(c, got + i * e).re, number_get(c, got + i * e).im,
                      number_get(c, want + i * e).re, number_get(c, want + i * e).im, i,
                      count, c->type, function_names[c->function], c->ordering, c->trans,
                      c->rows, c->cols, c->alpha[0], c->alpha[1], c->beta[0], c->beta[1],
                      c->a_offset, c->b_offset, c->lda, c->ldb, c->stridea, c->strideb,
                      c->batch);
    free(got);
}

static void call_is_right(const struct dl_matcopy *on, const struct call *c)
{
    size_t e = number_bytes(c), batch = c->batch ? c->batch : 1;
    size_t a_count = c->a_offset + batch * c->stridea + SPARE;
    size_t b_count = c->b_offset + batch * c->strideb + SPARE;
    unsigned char *a = numbers_random(c, a_count), *b = numbers_random(c, b_count);
    size_t count = is_out(c) ? b_count : a_count;
    unsigned char *want = malloc(count * e);
    cl_mem a_mem = buffer_of(a, a_count * e), b_mem = buffer_of(b, b_count * e);
    enum dl_status st;

    memcpy(want, is_out(c) ? b : a, count * e);
    reference_make(c, a, b, want);
    st = call_make(on, c, a_mem, is_out(c) ? b_mem : NULL);
    ck_assert_msg(st == DL_OK, "%s", on->error->text);
    expect_same(c, is_out(c) ? b_mem : a_mem, want, count, "the result");
    if (is_out(c))
        expect_same(c, a_mem, a, a_count, "the source");
    clReleaseMemObject(a_mem);
    clReleaseMemObject(b_mem);
    free(a);
    free(b);
    free(want);
}

static int calls_count(void)
{
    const char *calls = getenv("DL_TEST_CALLS");

    return calls ? atoi(calls) : getenv("DL_TEST_FULL") ? 2000 : 12;
}

START_TEST(random_calls)
{
    struct dl_transpose_error error = {""};
    struct dl_matcopy on = {harness.transpose, harness.device.queue, .error = &error};

    harness_seed(&harness);
    for (int i = 0; i < calls_count(); i++) {
        struct call c = random_call((enum function)_i);
        call_is_right(&on, &c);
    }
    printf("%d calls of %s are right\n", calls_count(), function_names[_i]);
    fflush(stdout);
}
END_TEST

/* A pitch that changes, with rows of more than a work-group's chunk, both ways and by
 * little. */
START_TEST(pitches_change_in_place)
{
    static const size_t distances[][2] = {
        {3000, 3001}, {3001, 3000}, {9000, 3100}, {3100, 9000}};
    struct dl_transpose_error error = {""};
    struct dl_matcopy on = {harness.transpose, harness.device.queue, .error = &error};

    for (size_t d = 0; d < sizeof distances / sizeof *distances; d++) {
        struct call c = {IMATCOPY, 's', 'R', 'N', 37, 3000, 1, {1, 0}};
        c.lda = distances[d][0];
        c.ldb = distances[d][1];
        c.stridea = 37 * (c.lda > c.ldb ? c.lda : c.ldb);
        call_is_right(&on, &c);
    }
}
END_TEST

/* ---- what is wrong ---- */

START_TEST(wrong_calls_are_refused)
{
    static const struct {
        struct call call;
        enum dl_status status;
        const char *says;
    } wrong[] = {
        {{IMATCOPY, 's', 'X', 'N', 4, 5, 1, {1}, .lda = 5, .ldb = 5}, DL_EINVAL, "'X'"},
        {{IMATCOPY, 's', 'R', 'Q', 4, 5, 1, {1}, .lda = 5, .ldb = 5}, DL_EINVAL, "'Q'"},
        {{IMATCOPY, 's', 'R', '\0', 4, 5, 1, {1}, .lda = 5, .ldb = 5},
         DL_EINVAL,
         "trans"},
        {{IMATCOPY, 's', 'R', 'N', 4, 5, 1, {1}, .lda = 4, .ldb = 5},
         DL_EINVAL,
         "lda is 4, less than the 5"},
        {{IMATCOPY, 's', 'R', 'N', 4, 5, 1, {1}, .lda = 5, .ldb = 4},
         DL_EINVAL,
         "ldb is 4, less than the 5"},
        {{OMATCOPY, 's', 'R', 'T', 4, 5, 1, {1}, .lda = 5, .ldb = 3},
         DL_EINVAL,
         "ldb is 3, less than the 4"},
        {{OMATCOPY, 's', 'C', 'T', 4, 5, 1, {1}, .lda = 3, .ldb = 5},
         DL_EINVAL,
         "lda is 3, less than the 4"},
        {{OMATCOPY, 's', 'C', 'T', 4, 5, 1, {1}, .lda = 4}, DL_EINVAL, "ldb is 0"},
        {{IMATCOPY_BATCH, 's', 'R', 'T', 4, 5, 2, {1}, .lda = 5, .ldb = 4},
         DL_EINVAL,
         "the stride between 2 matrices is 0"},
        {{IMATCOPY_BATCH, 's', 'R', 'T', 4, 5, 2, {1}, .lda = 5, .ldb = 4, .stridea = 19},
         DL_EINVAL,
         "less than the 20"},
        {{OMATCOPY_BATCH,
          's',
          'R',
          'T',
          4,
          5,
          2,
          {1},
          .lda = 5,
          .ldb = 9,
          .stridea = 20,
          .strideb = 39},
         DL_EINVAL,
         "less than the 40"},
        {{IMATCOPY, 's', 'R', 'N', 4, 5, 1, {1}, .lda = 5, .ldb = 70},
         DL_EINVAL,
         "ends at byte"},
        {{OMATCOPY,
          'z',
          'R',
          'N',
          4,
          5,
          1,
          {1},
          .a_offset = SIZE_MAX / 4,
          .lda = 5,
          .ldb = 5},
         DL_EOVERFLOW,
         "offset"},
    };
    unsigned char zeros[400] = {0};
    cl_mem a = buffer_of(zeros, sizeof zeros), b = buffer_of(zeros, sizeof zeros);

    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
        struct dl_transpose_error error = {""};
        struct dl_matcopy on = {harness.transpose, harness.device.queue, .error = &error};
        enum dl_status st = call_make(&on, &wrong[w].call, a, b);
        ck_assert_msg(st == wrong[w].status, "%zu: %s: %s", w, dl_status_name(st),
                      error.text);
        ck_assert_msg(strstr(error.text, wrong[w].says), "%zu: \"%s\"", w, error.text);
        on.error = NULL;
        ck_assert_int_eq(call_make(&on, &wrong[w].call, a, b), wrong[w].status);
    }
    /* Source and target overlap. */
    {
        struct call over = {OMATCOPY, 's', 'R', 'T', 4, 5, 1, {1}, .lda = 5, .ldb = 4};
        struct dl_matcopy on = {harness.transpose, harness.device.queue};
        over.b_offset = 19;
        ck_assert_int_eq(call_make(&on, &over, a, a), DL_EINVAL);
        over.b_offset = 20;
        ck_assert_int_eq(call_make(&on, &over, a, a), DL_OK);
        /* As when clCreateBuffer has failed: the source stays. */
        for (int kind = 0; kind < 3; kind++) {
            static const enum function kinds[] = {OMATCOPY, OMATCOPY_BATCH, OMATADD};
            float before[20], after[20];

            over.function = kinds[kind];
            over.strideb = over.stridea = 20;
            ck_assert_int_eq(clEnqueueReadBuffer(harness.device.queue, a, CL_TRUE, 0,
                                                 sizeof before, before, 0, NULL, NULL),
                             CL_SUCCESS);
            ck_assert_int_eq(call_make(&on, &over, a, NULL), DL_ECL);
            ck_assert_int_eq(call_make(&on, &over, NULL, a), DL_ECL);
            ck_assert_int_eq(clEnqueueReadBuffer(harness.device.queue, a, CL_TRUE, 0,
                                                 sizeof after, after, 0, NULL, NULL),
                             CL_SUCCESS);
            ck_assert_int_eq(memcmp(before, after, sizeof before), 0);
        }
        on.transpose = NULL;
        ck_assert_int_eq(call_make(&on, &over, a, b), DL_EINVAL);
    }
    clReleaseMemObject(a);
    clReleaseMemObject(b);
}
END_TEST

/* Nothing to do: whatever else is given, and the event comes. */
START_TEST(no_elements_are_no_error)
{
    struct dl_transpose_error error = {""};
    cl_event event = NULL;
    struct dl_matcopy on = {harness.transpose, harness.device.queue, .event = &event,
                            .error = &error};
    static const struct call empty[] = {
        {IMATCOPY, 's', 'R', 'T', 0, 5, 1, {1}},
        {OMATCOPY, 'd', 'C', 'N', 5, 0, 1, {3}},
        {OMATADD, 'z', 'R', 'C', 0, 0, 1, {0}, {1}},
        {IMATCOPY_BATCH, 'c', 'R', 'T', 4, 5, 0, {1}, .lda = 5, .ldb = 4}};

    for (size_t e = 0; e < sizeof empty / sizeof *empty; e++) {
        enum dl_status st = call_make(&on, &empty[e], NULL, NULL);
        ck_assert_msg(st == DL_OK, "%s", error.text);
        ck_assert_int_eq(clWaitForEvents(1, &event), CL_SUCCESS);
        clReleaseEvent(event);
    }
    /* The letters are read all the same. */
    ck_assert_int_eq(dl_simatcopy(&on, 'R', 'x', 0, 5, 1, NULL, 0, 0, 0), DL_EINVAL);
}
END_TEST

/* What users of such libraries ask for in public trackers, of plans. */
START_TEST(what_is_asked_for_is_planned)
{
    static const struct {
        struct dl_transpose_problem problem;
        enum dl_status status;
        uint64_t matrix_bytes;
    } asked[] = {
        {{.rows = 0, .cols = 5, .element_bytes = 4}, DL_OK, 0},
        {{.rows = 5, .cols = 0, .element_bytes = 4, .place = 1}, DL_OK, 0},
        {{.axis_count = 3,
          .extents = {3, 0, 2},
          .permutation = {2, 1, 0},
          .element_bytes = 4},
         DL_OK,
         0},
        {{.rows = 8, .cols = 8, .element_bytes = 8, .conjugate = 1}, DL_OK, 512},
        {{.rows = 8, .cols = 6, .element_bytes = 8, .conjugate = 1, .batch = 3},
         DL_OK,
         1152},
        {{.rows = 1, .cols = 6, .element_bytes = 8, .conjugate = 1}, DL_OK, 48},
        {{.axis_count = 2,
          .extents = {6, 8},
          .permutation = {0, 1},
          .element_bytes = 4,
          .leading = 8,
          .leading_out = 10},
         DL_OK,
         192},
        {{.axis_count = 3,
          .extents = {4, 6, 8},
          .permutation = {1, 0, 2},
          .element_bytes = 4,
          .outer = {5, 7, 10},
          .outer_out = {9, 4, 8},
          .place = 1},
         DL_OK,
         768},
        {{.axis_count = 3,
          .extents = {4, 6, 8},
          .permutation = {1, 0, 2},
          .element_bytes = 4,
          .leading = 10,
          .leading_out = 10},
         DL_ENOTSUP,
         0},
        {{.rows = 8, .cols = 6, .element_bytes = 4, .leading = 5}, DL_EINVAL, 0},
    };

    for (size_t a = 0; a < sizeof asked / sizeof *asked; a++) {
        struct dl_transpose_problem problem = asked[a].problem;
        struct dl_transpose_error error = {""};
        struct dl_transpose_plan *plan = NULL;
        struct dl_transpose_info info;
        char text[500];
        enum dl_status st;
        problem.struct_bytes = sizeof problem;
        st = dl_transpose_plan_make(harness.transpose, &problem, &plan, &error);
        ck_assert_msg(st == asked[a].status, "%zu: %s: %s", a, dl_status_name(st),
                      error.text);
        if (st != DL_OK)
            continue;
        dl_transpose_plan_info(plan, &info);
        ck_assert_uint_eq(info.matrix_bytes, asked[a].matrix_bytes);
        ck_assert_uint_gt(dl_transpose_plan_explain(plan, text, sizeof text), 0);
        dl_transpose_plan_free(plan);
    }
}
END_TEST

/* ---- again and again ---- */

START_TEST(a_call_made_before_only_launches)
{
    struct dl_transpose *transpose = counted_make();
    struct dl_transpose_error error = {""};
    struct dl_matcopy on = {transpose, harness.device.queue, .error = &error};
    struct call c = {IMATCOPY, 's', 'R', 'T', ROWS, COLS, 1, {1, 0}, {0}};
    unsigned buffers = 0, builds = 0, launches = 0;

    c.lda = COLS + 3;
    c.ldb = ROWS + 5;
    c.stridea = c.ldb * COLS;
    for (int i = 0; i < 5; i++) {
        /* Two kinds: moved, and scaled by anything. */
        c.alpha[0] = i < 1 ? 1 : 1.5 * i;
        call_is_right(&on, &c);
        if (i == 1) {
            buffers = counts.buffers_made;
            builds = counts.builds;
            launches = counts.launches;
        }
    }
    ck_assert_uint_eq(counts.buffers_made, buffers);
    ck_assert_uint_eq(counts.builds, builds);
    ck_assert_uint_eq(counts.launches, launches + 3 * 3);
    dl_transpose_free(transpose);
}
END_TEST

/* More kinds than are kept: those used last stay. */
START_TEST(plans_are_forgotten_in_turn)
{
    struct dl_transpose *transpose = counted_make();
    struct dl_transpose_error error = {""};
    struct dl_matcopy on = {transpose, harness.device.queue, .error = &error};

    for (size_t i = 0; i < 150; i++) {
        struct call c = {IMATCOPY, 'd', 'R', 'T', 3, 4, 1, {1, 0}, {0}};
        c.lda = 4;
        c.ldb = 5 + i % 75;
        c.stridea = 100 * 4;
        call_is_right(&on, &c);
    }
    dl_transpose_free(transpose);
}
END_TEST

/* The workspace of a plan is used by one call at a time, whatever the queue. */
START_TEST(calls_take_turns_out_of_order)
{
    cl_command_queue queue =
        device_queue_make(&harness.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    struct dl_transpose_error error = {""};
    cl_event events[9];
    cl_mem mems[8];
    cl_int err, state = CL_COMPLETE;
    struct dl_matcopy on = {harness.transpose, queue, 1, events, .error = &error};

    ck_assert_ptr_nonnull(queue);
    events[0] = clCreateUserEvent(harness.device.context, &err);
    for (int i = 0; i < 8; i++) {
        mems[i] = numbers_make(&harness.device, i);
        on.event = &events[i + 1];
        ck_assert_msg(
            dl_simatcopy(&on, 'R', 'T', ROWS, COLS, 1, mems[i], 0, COLS, ROWS) == DL_OK,
            "%s", error.text);
        /* The others wait for nothing of the caller's, and for the first's workspace. */
        on.wait_count = 0;
        on.wait = NULL;
        clFlush(queue);
        sleep_briefly();
        clGetEventInfo(events[i + 1], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state,
                       &state, NULL);
        ck_assert_int_ne(state, CL_COMPLETE);
    }
    clSetUserEventStatus(events[0], CL_COMPLETE);
    for (int i = 0; i < 8; i++) {
        clWaitForEvents(1, &events[i + 1]);
        ck_assert(numbers_are_transposed(harness.device.queue, mems[i], i));
        clReleaseEvent(events[i + 1]);
        clReleaseMemObject(mems[i]);
    }
    clReleaseEvent(events[0]);
    clReleaseCommandQueue(queue);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("matcopy");
    TCase *tests = tcase_create("all");

    harness_open(&harness);
    tcase_set_timeout(tests, 0);
    tcase_add_loop_test(tests, random_calls, 0, FUNCTIONS);
    tcase_add_test(tests, pitches_change_in_place);
    tcase_add_test(tests, wrong_calls_are_refused);
    tcase_add_test(tests, no_elements_are_no_error);
    tcase_add_test(tests, what_is_asked_for_is_planned);
    tcase_add_test(tests, a_call_made_before_only_launches);
    tcase_add_test(tests, plans_are_forgotten_in_turn);
    tcase_add_test(tests, calls_take_turns_out_of_order);
    suite_add_tcase(suite, tests);
    return harness_run_all(&harness, suite);
}
