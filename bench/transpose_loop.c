/* SPDX-License-Identifier: MIT */
/* libdl_transpose on a CPU beside a blocked C loop with OpenMP on the same cores, in the
 * same run:
 *
 *     transpose_loop ROWS COLS ELEMENT_BYTES [REPS]
 *
 * Out of place, and in place, where the loop swaps blocks of a square, and goes out of
 * place and copies back otherwise. The least of some runs counts, in CPU time of all
 * threads, which other work on the machine changes least, and in time by the clock. Exit
 * code 1 where a result is wrong. */
#include <CL/cl.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dl_transpose.h"

enum { BLOCK = 32 };

struct matrix {
    size_t rows, cols, element_bytes, bytes;
};

/* ---- the loop ---- */

#define LOOPS(type)                                                                      \
    static void out_##type(const type *from, type *to, size_t rows, size_t cols)         \
    {                                                                                    \
        _Pragma("omp parallel for collapse(2)") for (                                    \
            size_t i = 0; i < rows;                                                      \
            i += BLOCK) for (size_t j = 0; j < cols;                                     \
                             j += BLOCK) for (size_t x = j; x < j + BLOCK && x < cols;   \
                                              x++) for (size_t y = i;                    \
                                                        y < i + BLOCK && y < rows; y++)  \
            to[x * rows + y] = from[y * cols + x];                                       \
    }                                                                                    \
    static void swap_##type(type *mem, size_t side)                                      \
    {                                                                                    \
        _Pragma("omp parallel for schedule(dynamic)") for (                              \
            size_t i = 0; i < side;                                                      \
            i += BLOCK) for (size_t j = 0; j <= i;                                       \
                             j += BLOCK) for (size_t y = i; y < i + BLOCK && y < side;   \
                                              y++) for (size_t x = j;                    \
                                                        x < j + BLOCK && x < y; x++)     \
        {                                                                                \
            type held = mem[y * side + x];                                               \
            mem[y * side + x] = mem[x * side + y];                                       \
            mem[x * side + y] = held;                                                    \
        }                                                                                \
    }
LOOPS(uint8_t)
LOOPS(uint16_t)
LOOPS(uint32_t)
LOOPS(uint64_t)

static void loop_out(const struct matrix *m, const void *from, void *to)
{
    if (m->element_bytes == 1)
        out_uint8_t(from, to, m->rows, m->cols);
    else if (m->element_bytes == 2)
        out_uint16_t(from, to, m->rows, m->cols);
    else if (m->element_bytes == 4)
        out_uint32_t(from, to, m->rows, m->cols);
    else
        out_uint64_t(from, to, m->rows, m->cols);
}

static void loop_in(const struct matrix *m, void *mem, void *room)
{
    if (m->rows != m->cols) {
        const unsigned char *from = room;
        unsigned char *to = mem;
        loop_out(m, mem, room);
#pragma omp parallel for
        for (size_t part = 0; part < 64; part++)
            memcpy(to + m->bytes * part / 64, from + m->bytes * part / 64,
                   m->bytes * (part + 1) / 64 - m->bytes * part / 64);
    } else if (m->element_bytes == 1) {
        swap_uint8_t(mem, m->rows);
    } else if (m->element_bytes == 2) {
        swap_uint16_t(mem, m->rows);
    } else if (m->element_bytes == 4) {
        swap_uint32_t(mem, m->rows);
    } else {
        swap_uint64_t(mem, m->rows);
    }
}

/* ---- the library ---- */

struct library {
    cl_context context;
    cl_command_queue queue;
    struct dl_transpose *transpose;
    struct dl_transpose_plan *plans[2]; /* out of place, in place */
    cl_mem from, to;
};

static void check(int good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "transpose_loop: %s\n", what);
    exit(1);
}

static struct library library_open(const struct matrix *m, void *bytes)
{
    struct library l = {0};
    struct dl_transpose_error error = {""};
    cl_platform_id platform = NULL;
    cl_device_id device = NULL;
    cl_int err;

    check(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS &&
              clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) ==
                  CL_SUCCESS,
          "no OpenCL device");
    l.context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    l.queue = clCreateCommandQueue(l.context, device, 0, &err);
    l.from = clCreateBuffer(l.context, CL_MEM_COPY_HOST_PTR, m->bytes, bytes, &err);
    l.to = clCreateBuffer(l.context, CL_MEM_READ_WRITE, m->bytes, NULL, &err);
    check(err == CL_SUCCESS, "no device memory");
    check(dl_transpose_make(NULL, l.context, device, &l.transpose, &error) == DL_OK,
          error.text);
    for (int place = 0; place < 2; place++) {
        struct dl_transpose_problem problem = {
            .struct_bytes = sizeof problem,
            .rows = m->rows,
            .cols = m->cols,
            .element_bytes = (uint32_t)m->element_bytes,
            .place = place ? DL_TRANSPOSE_IN_PLACE : DL_TRANSPOSE_OUT_OF_PLACE};
        check(dl_transpose_plan_make(l.transpose, &problem, &l.plans[place], &error) ==
                      DL_OK &&
                  dl_transpose_plan_allocate(l.plans[place], &error) == DL_OK,
              error.text);
    }
    return l;
}

/* ---- both ---- */

struct both {
    const struct matrix *m;
    struct library *l;
    void *from, *to;
};

static void run(const struct both *both, int by_library, int in_place)
{
    struct library *l = both->l;
    enum dl_status st = DL_OK;

    if (!by_library && in_place)
        loop_in(both->m, both->from, both->to);
    else if (!by_library)
        loop_out(both->m, both->from, both->to);
    else if (in_place)
        st = dl_transpose_enqueue(l->plans[1], l->queue, l->from, NULL, 0, NULL, NULL,
                                  NULL, NULL);
    else
        st = dl_transpose_enqueue_out(l->plans[0], l->queue, l->from, l->to, 0, NULL,
                                      NULL, NULL);
    check(st == DL_OK && clFinish(l->queue) == CL_SUCCESS, "a transposition failed");
}

static double ms_of(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

/* By turns; after the first both must have done the same. */
static void measure(const struct both *both, int in_place, int reps, void *got)
{
    const struct matrix *m = both->m;
    double cpu[2] = {1e30, 1e30}, clock[2] = {1e30, 1e30};

    for (int r = -1; r < reps; r++) {
        for (int side = 0; side < 2; side++) {
            double c = ms_of(CLOCK_PROCESS_CPUTIME_ID), w = ms_of(CLOCK_MONOTONIC);
            run(both, side, in_place);
            c = ms_of(CLOCK_PROCESS_CPUTIME_ID) - c;
            w = ms_of(CLOCK_MONOTONIC) - w;
            cpu[side] = r >= 0 && c < cpu[side] ? c : cpu[side];
            clock[side] = r >= 0 && w < clock[side] ? w : clock[side];
        }
        if (r == -1)
            check(clEnqueueReadBuffer(both->l->queue,
                                      in_place ? both->l->from : both->l->to, CL_TRUE, 0,
                                      m->bytes, got, 0, NULL, NULL) == CL_SUCCESS &&
                      memcmp(got, in_place ? both->from : both->to, m->bytes) == 0,
                  "the results differ");
    }
    printf(
        "%zu x %zu of %zu bytes %s place: loop %.2f ms CPU, %.2f by the clock; library "
        "%.2f and %.2f; library / loop %.2f\n",
        m->rows, m->cols, m->element_bytes, in_place ? "in" : "out of", cpu[0], clock[0],
        cpu[1], clock[1], cpu[1] / cpu[0]);
}

int main(int argc, char **argv)
{
    struct matrix m = {argc > 3 ? strtoul(argv[1], NULL, 10) : 0,
                       argc > 3 ? strtoul(argv[2], NULL, 10) : 0,
                       argc > 3 ? strtoul(argv[3], NULL, 10) : 0, 0};
    int reps = argc > 4 ? atoi(argv[4]) : 9;
    struct library l;
    struct both both;
    unsigned char *got;

    if (m.rows == 0 || m.cols == 0 || m.element_bytes == 0 || m.element_bytes > 8 ||
        (m.element_bytes & (m.element_bytes - 1)) != 0) {
        fprintf(stderr, "usage: transpose_loop ROWS COLS 1|2|4|8 [REPS]\n");
        return 2;
    }
    m.bytes = m.rows * m.cols * m.element_bytes;
    both = (struct both){&m, &l, malloc(m.bytes), malloc(m.bytes)};
    got = malloc(m.bytes);
    check(both.from && both.to && got, "no memory");
    for (size_t b = 0; b < m.bytes; b++)
        ((unsigned char *)both.from)[b] = (unsigned char)(b * 2654435761u >> 11);
    l = library_open(&m, both.from);
    for (int in_place = 0; in_place < 2; in_place++)
        measure(&both, in_place, reps, got);
    dl_transpose_plan_free(l.plans[0]);
    dl_transpose_plan_free(l.plans[1]);
    dl_transpose_free(l.transpose);
    clReleaseMemObject(l.from);
    clReleaseMemObject(l.to);
    clReleaseCommandQueue(l.queue);
    clReleaseContext(l.context);
    free(both.from);
    free(both.to);
    free(got);
    return 0;
}
