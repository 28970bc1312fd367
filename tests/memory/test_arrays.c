/* SPDX-License-Identifier: MIT */
/* Claim: a buffer of discrete arrays that kernels are given in tiles is what the program
 * sees of it, arrays: whatever the host does with it, whatever lengths its launches have,
 * and whatever else takes it. */
#include "suite.h"
#include "tests/common/random_numbers.h"
#include "world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ARRAYS = 7,
    LENGTH = 145, /* neither 8 nor 32 nor 77 divides it */
    WORDS = ARRAYS * LENGTH,
    SLACK = 3, /* words behind the arrays */
    BYTES = (WORDS + SLACK) * 4,
    OPERATIONS = 40
};

static const char *const source =
    "typedef struct { int a, b, c, d, e; } five;\n"
    "//DL: SoA: f[n][7] to ASTA\n"
    "__kernel void blend(__global int *f, int n, int by)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    if (i >= n) return;\n"
    "    for (int k = 1; k < 7; k++)\n"
    "        f[k * n + i] = f[k * n + i] * 3 + f[k * n + i - n] + by * k;\n"
    "    f[i] ^= by;\n"
    "}\n"
    "//DL: SoA: to[n][], from[m][] to ASTA\n"
    "__kernel void join(__global int *to, __global const int *from, int n, int m)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    if (i < n) to[n + i] += from[m - 1 - i % m] ^ from[m + i % m];\n"
    "}\n"
    "//DL: AoS: f[n]\n"
    "__kernel void fives(__global five *f, int n)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    if (i < n) f[i].c += f[i].a ^ f[i].e;\n"
    "}\n"
    "//DL: SoA: f[n][7] to ASTA\n"
    "//DL: AoS: g[m]\n"
    "__kernel void both(__global int *f, __global five *g, int n, int m)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    if (i < n && i < m) f[2 * n + i] += g[i].e++;\n"
    "}\n"
    "__kernel void plain(__global int *f, int n)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    if (i < n) f[i] += i;\n"
    "}\n";

static struct world w;
static cl_program program;
static cl_mem words, others;
static int model[WORDS + SLACK], other_model[WORDS + SLACK], scratch[WORDS + SLACK];
static uint32_t state;

static unsigned any(unsigned below)
{
    random_step(&state);
    return (state >> 8) % below;
}

static cl_mem make_words(int *contents, cl_mem_flags flags)
{
    cl_int err;
    cl_mem made;

    for (int i = 0; i < WORDS + SLACK; i++)
        contents[i] = (int)any(1u << 20);
    memcpy(scratch, contents, BYTES);
    made = clCreateBuffer(w.context, flags | CL_MEM_COPY_HOST_PTR, BYTES, contents, &err);
    must(err);
    return made;
}

static void begin(uint32_t seed)
{
    const char *text = source;
    cl_int err;

    state = seed;
    random_step(&state);
    world_begin(&w);
    program = clCreateProgramWithSource(w.context, 1, &text, NULL, &err);
    must(err);
    must(clBuildProgram(program, 1, &w.device, "", NULL, NULL));
    words = make_words(model, CL_MEM_READ_WRITE);
    others = make_words(other_model, CL_MEM_READ_WRITE);
}

static void check(cl_mem buffer, const int *want)
{
    int got[WORDS + SLACK];

    must(clEnqueueReadBuffer(w.queue, buffer, CL_TRUE, 0, BYTES, got, 0, NULL, NULL));
    ck_assert_mem_eq(got, want, BYTES);
}

static void end(void)
{
    check(words, model);
    check(others, other_model);
    must(clReleaseMemObject(words));
    must(clReleaseMemObject(others));
    must(clReleaseProgram(program));
    world_end(&w);
}

static void launch(const char *name, unsigned mem_count, const cl_mem *mems,
                   unsigned int_count, const int *ints)
{
    const size_t global = WORDS;
    cl_int err;
    cl_kernel kernel = clCreateKernel(program, name, &err);

    must(err);
    for (unsigned i = 0; i < mem_count; i++)
        must(clSetKernelArg(kernel, i, sizeof(cl_mem), &mems[i]));
    for (unsigned i = 0; i < int_count; i++)
        must(clSetKernelArg(kernel, mem_count + i, sizeof(int), &ints[i]));
    must(clEnqueueNDRangeKernel(w.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    must(clReleaseKernel(kernel));
}

/* ---- kernels, and what they do ---- */

static void blend(cl_mem mem, int *f, int n, int by)
{
    launch("blend", 1, &mem, 2, (int[]){n, by});
    for (int i = 0; i < n; i++) {
        for (int k = 1; k < ARRAYS; k++)
            f[k * n + i] = (int)((unsigned)f[k * n + i] * 3u +
                                 (unsigned)f[k * n + i - n] + (unsigned)(by * k));
        f[i] ^= by;
    }
}

static void join(cl_mem to_mem, int *to, cl_mem from_mem, const int *from, int n, int m)
{
    launch("join", 2, (cl_mem[]){to_mem, from_mem}, 2, (int[]){n, m});
    for (int i = 0; i < n; i++)
        to[n + i] = (int)((unsigned)to[n + i] +
                          (unsigned)(from[m - 1 - i % m] ^ from[m + i % m]));
}

static void fives(int n)
{
    launch("fives", 1, &words, 1, &n);
    for (int i = 0; i < n; i++)
        model[5 * i + 2] = (int)((unsigned)model[5 * i + 2] +
                                 (unsigned)(model[5 * i] ^ model[5 * i + 4]));
}

static void plain(int n)
{
    launch("plain", 1, &words, 1, &n);
    for (int i = 0; i < n; i++)
        model[i] = (int)((unsigned)model[i] + (unsigned)i);
}

/* ---- what the host does ---- */

static void any_range(size_t *offset, size_t *bytes)
{
    unsigned unit = any(3) ? 4 : 1;

    *offset = any(BYTES / unit) * unit;
    *bytes = (any(any(2) ? 40 : BYTES) / unit + 1) * unit;
    if (*offset + *bytes > BYTES)
        *bytes = BYTES - *offset;
}

static void fill_bytes(unsigned char *at, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        at[i] = (unsigned char)any(256);
}

static void read_or_write(bool writes)
{
    unsigned char *bytes = (unsigned char *)model, *data = (unsigned char *)scratch;
    size_t offset, count;

    any_range(&offset, &count);
    if (writes) {
        fill_bytes(bytes + offset, count);
        must(clEnqueueWriteBuffer(w.queue, words, CL_TRUE, offset, count, bytes + offset,
                                  0, NULL, NULL));
        return;
    }
    must(
        clEnqueueReadBuffer(w.queue, words, CL_TRUE, offset, count, data, 0, NULL, NULL));
    ck_assert_mem_eq(data, bytes + offset, count);
}

/* A rectangle of whole or odd bytes, of rows as long as an array or not. */
static void rectangle(bool writes)
{
    unsigned char *bytes = (unsigned char *)model, *data = (unsigned char *)scratch;
    size_t pitch = any(2) ? LENGTH * 4 : 100 + any(50), rows = 1 + any(5);
    size_t from[3] = {any(50), any(2), 0}, region[3] = {1 + any(50), rows, 1};
    size_t zero[3] = {0, 0, 0};

    for (size_t y = 0; y < rows && writes; y++)
        fill_bytes(bytes + (from[1] + y) * pitch + from[0], region[0]);
    for (size_t y = 0; y < rows; y++)
        memcpy(data + y * region[0], bytes + (from[1] + y) * pitch + from[0], region[0]);
    if (writes) {
        must(clEnqueueWriteBufferRect(w.queue, words, CL_TRUE, from, zero, region, pitch,
                                      0, 0, 0, data, 0, NULL, NULL));
        return;
    }
    memset(data, 0, region[0] * rows);
    must(clEnqueueReadBufferRect(w.queue, words, CL_TRUE, from, zero, region, pitch, 0, 0,
                                 0, data, 0, NULL, NULL));
    for (size_t y = 0; y < rows; y++)
        ck_assert_mem_eq(data + y * region[0], bytes + (from[1] + y) * pitch + from[0],
                         region[0]);
}

static void map(cl_map_flags flags)
{
    unsigned char *bytes = (unsigned char *)model, *at;
    size_t offset, count;
    cl_int err;

    any_range(&offset, &count);
    at = clEnqueueMapBuffer(w.queue, words, CL_TRUE, flags, offset, count, 0, NULL, NULL,
                            &err);
    must(err);
    if (!(flags & CL_MAP_WRITE_INVALIDATE_REGION))
        ck_assert_mem_eq(at, bytes + offset, count);
    if (flags != CL_MAP_READ) {
        fill_bytes(bytes + offset, count);
        memcpy(at, bytes + offset, count);
    }
    must(clEnqueueUnmapMemObject(w.queue, words, at, 0, NULL, NULL));
}

static void fill(void)
{
    size_t at = any(WORDS), count = 1 + any(200);
    int value = (int)any(1u << 30);

    count = at + count > WORDS ? WORDS - at : count;
    must(
        clEnqueueFillBuffer(w.queue, words, &value, 4, at * 4, count * 4, 0, NULL, NULL));
    for (size_t i = 0; i < count; i++)
        model[at + i] = value;
}

static void copy(bool back, bool whole)
{
    size_t from = whole ? 0 : any(WORDS / 2), to = whole ? 0 : any(WORDS / 2);
    size_t count = whole ? BYTES : 4 * (1 + any(WORDS / 2));

    must(clEnqueueCopyBuffer(w.queue, back ? others : words, back ? words : others,
                             from * 4, to * 4, count, 0, NULL, NULL));
    memcpy((back ? model : other_model) + to, (back ? other_model : model) + from, count);
}

static void any_operation(void)
{
    switch (any(12)) {
    case 0:
        read_or_write(false);
        break;
    case 1:
        read_or_write(true);
        break;
    case 2:
        rectangle(false);
        break;
    case 3:
        rectangle(true);
        break;
    case 4:
        map(CL_MAP_READ);
        break;
    case 5:
        map(any(2) ? CL_MAP_WRITE : CL_MAP_WRITE_INVALIDATE_REGION);
        break;
    case 6:
        fill();
        break;
    case 7:
        copy(any(2), any(2));
        break;
    case 8:
        plain((int)any(WORDS));
        break;
    case 9:
        join(words, model, others, other_model, LENGTH, LENGTH);
        break;
    case 10:
        blend(others, other_model, LENGTH, (int)any(100));
        break;
    default:
        blend(words, model, LENGTH, (int)any(100));
        break;
    }
}

/* ---- claims ---- */

START_TEST(looks_of_the_host)
{
    fprintf(stderr, "seed %d\n", _i);
    begin((uint32_t)_i);
    blend(words, model, LENGTH, 3);
    for (int i = 0; i < OPERATIONS; i++)
        any_operation();
    end();
}
END_TEST

/* Lengths whose arrays don't fill the buffer, that no array has, or that another launch
 * has otherwise. */
START_TEST(lengths_that_disagree)
{
    static const int lengths[] = {LENGTH, 100, 0, -3, LENGTH, 9};

    begin(50);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        blend(words, model, lengths[i], 5);
        join(words, model, others, other_model, lengths[i] > 0 ? lengths[i] : 2,
             (int)i + 20);
    }
    end();
}
END_TEST

START_TEST(taken_for_structs_too)
{
    begin(51);
    blend(words, model, LENGTH, 5);
    fives(WORDS / 5);
    blend(words, model, LENGTH, 6);
    fives(WORDS / 5 - 3);
    end();
}
END_TEST

START_TEST(beside_structs)
{
    int n = LENGTH, m = WORDS / 5;

    begin(52);
    for (int times = 0; times < 3; times++) {
        launch("both", 2, (cl_mem[]){words, others}, 2, (int[]){n, m});
        for (int i = 0; i < n && i < m; i++)
            model[2 * n + i] =
                (int)((unsigned)model[2 * n + i] + (unsigned)other_model[5 * i + 4]++);
        n = times ? n : 140;
    }
    end();
}
END_TEST

/* All of a buffer is; a part of it is not. */
START_TEST(of_sub_buffers)
{
    cl_buffer_region regions[] = {
        {0, BYTES}, {0, ARRAYS * 100 * 4}, {1024, ARRAYS * 80 * 4}};

    begin(53);
    blend(words, model, LENGTH, 5);
    for (int i = 0; i < 3; i++) {
        cl_int err;
        cl_mem part = clCreateSubBuffer(words, CL_MEM_READ_WRITE,
                                        CL_BUFFER_CREATE_TYPE_REGION, &regions[i], &err);

        must(err);
        blend(part, model + regions[i].origin / 4, (int)(regions[i].size / 4 / ARRAYS),
              9);
        must(clReleaseMemObject(part));
    }
    blend(words, model, LENGTH, 6);
    end();
}
END_TEST

/* What kernels must not write has its tiles in a copy. */
START_TEST(that_are_copied)
{
    int read_model[WORDS + SLACK];
    cl_mem read_only;

    begin(54);
    read_only = make_words(read_model, CL_MEM_READ_ONLY);
    join(words, model, read_only, read_model, LENGTH, LENGTH);
    must(clEnqueueWriteBuffer(w.queue, read_only, CL_TRUE, LENGTH * 4, 40, model, 0, NULL,
                              NULL));
    memcpy(read_model + LENGTH, model, 40);
    check(words, model);
    join(words, model, read_only, read_model, LENGTH, LENGTH);
    check(read_only, read_model);
    must(clReleaseMemObject(read_only));
    end();
}
END_TEST

/* The same twice in one launch. */
START_TEST(passed_twice)
{
    begin(55);
    join(words, model, others, other_model, LENGTH, LENGTH);
    launch("join", 2, (cl_mem[]){words, words}, 2, (int[]){LENGTH, 70});
    /* from[m + i % m] and from[m - 1 - i % m] lie before array 1 but for i % m > 4. */
    {
        int before[WORDS + SLACK];
        bool clean = true;

        memcpy(before, model, sizeof before);
        for (int i = 0; i < LENGTH; i++)
            clean = clean && 70 + i % 70 < LENGTH;
        ck_assert(clean);
        for (int i = 0; i < LENGTH; i++)
            model[LENGTH + i] =
                (int)((unsigned)before[LENGTH + i] +
                      (unsigned)(before[69 - i % 70] ^ before[70 + i % 70]));
    }
    end();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("arrays");

    SUITE_CASES(suite, looks_of_the_host, getenv("DL_TEST_FULL") ? 200 : 6);
    SUITE_CASE(suite, lengths_that_disagree);
    SUITE_CASE(suite, taken_for_structs_too);
    SUITE_CASE(suite, beside_structs);
    SUITE_CASE(suite, of_sub_buffers);
    SUITE_CASE(suite, that_are_copied);
    SUITE_CASE(suite, passed_twice);
    return suite_run(suite);
}
