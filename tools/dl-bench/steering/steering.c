/* SPDX-License-Identifier: MIT */
/* dl-bench steering: which address bits spread requests over a device's memory and which
 * are within a burst, by bandwidth against stride (Sung 2013, 6.1, figures 6.4 and 2.2).
 */
#include <stdlib.h>
#include <string.h>

#include "tools/dl-bench/bench.h"
#include "tools/dl-bench/steering/find.h"

#define STEERING_OPTION_MAP(X)                                                           \
    BENCH_DEVICE(X)                                                                      \
    X(bytes, "N", "",                                                                    \
      "of a buffer, a power of two up to 16G; default 4G, 256M on a CPU")                \
    X(groups, "N", "", "work-groups of one work-item; default 32 a compute unit")        \
    X(chains, "N", "1", "chases that each work-item runs at once")                       \
    X(ms, "N", "1", "about how long a launch takes")                                     \
    BENCH_REPS(X, "5")                                                                   \
    X(increments, "N", "256", "strides of 256 bytes and its multiples")                  \
    BENCH_CSV(X)                                                                         \
    X(table, "FILE", "", "write the device's file with what was found")

struct steering_options {
    STEERING_OPTION_MAP(BENCH_FIELD)
};

static const struct bench_option options_known[] = {STEERING_OPTION_MAP(BENCH_ROW)};
static const struct bench_command command = {
    "usage: dl-bench steering [options]\n"
    "Bandwidth against the stride between concurrent work-groups of one work-item that "
    "chase\n"
    "x = A[x], and of SAXPY against its stride: which address bits spread requests over "
    "the\n"
    "memory, and which are within a burst.\n",
    options_known, COUNT(options_known), NULL};

enum steering_kernel { NUMBER, CHASE, SAXPY_FILL, SAXPY, SAXPY_CHECK };

struct steering_bench {
    struct device device;
    struct kernels kernels;    /* of steering.cl, by enum steering_kernel */
    cl_mem words, other, ends; /* two buffers, and where chases end */
    cl_uint *got;              /* what `ends` holds */
    uint64_t bytes;            /* of a buffer; a power of two */
    size_t groups, chains;
    int reps;
};

struct steering_result {
    bool good;       /* no call failed */
    cl_uint errors;  /* wrong elements */
    double seconds;  /* the median */
    uint64_t counts; /* transactions, or bytes that SAXPY has to move */
};

extern const char bench_steering_cl[];

enum { STEPS_MAX = 1 << 24 };

static const float saxpy_a = 2.0f;

/* ---- opening ---- */

static bool program_build(struct steering_bench *bench)
{
    static const char *const names[] = {"number_words", "chase", "saxpy_fill", "saxpy",
                                        "saxpy_check"};
    char options[64];
    cl_int err;

    snprintf(options, sizeof options, "-cl-std=CL1.2 -DCHAINS=%zu", bench->chains);
    err = kernels_make(&bench->device, bench_steering_cl, options, names, COUNT(names),
                       &bench->kernels);
    if (err != CL_SUCCESS)
        fprintf(stderr,
                "dl-bench steering: the kernels can't be built: OpenCL error %d\n", err);
    return err == CL_SUCCESS;
}

static bool buffers_make(struct steering_bench *bench)
{
    cl_context context = bench->device.context;
    const size_t ends = bench->groups * bench->chains;
    cl_int err[3] = {0};

    bench->words =
        clCreateBuffer(context, CL_MEM_READ_WRITE, bench->bytes, NULL, &err[0]);
    bench->other =
        clCreateBuffer(context, CL_MEM_READ_WRITE, bench->bytes, NULL, &err[1]);
    bench->ends = clCreateBuffer(context, CL_MEM_READ_WRITE, ends * 4, NULL, &err[2]);
    bench->got = malloc(ends * 4);
    return bench->words && bench->other && bench->ends && bench->got;
}

static bool values_parse(struct steering_bench *bench,
                         const struct steering_options *options)
{
    const bool is_cpu = (bench->device.type & CL_DEVICE_TYPE_CPU) != 0;
    cl_uint units = 1;

    clGetDeviceInfo(bench->device.id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units,
                    NULL);
    bench->bytes =
        *options->bytes ? bytes_parse(options->bytes) : UINT64_C(1) << (is_cpu ? 28 : 32);
    bench->groups = *options->groups ? strtoul(options->groups, NULL, 10)
                                     : 32 * (size_t)(units ? units : 1);
    bench->chains = strtoul(options->chains, NULL, 10);
    bench->reps = atoi(options->reps);
    if (bench->bytes >= 4096 && bench->bytes <= UINT64_C(1) << 34 &&
        (bench->bytes & (bench->bytes - 1)) == 0 && bench->groups >= 1 &&
        bench->groups <= 1 << 20 && bench->chains >= 1 && bench->chains <= 32 &&
        bench->reps >= 1 && bench->reps <= REPS_MAX)
        return true;
    fprintf(stderr, "dl-bench steering: check --bytes (a power of two from 4K to 16G), "
                    "--groups, --chains (up to 32) and --reps\n");
    return false;
}

/* Opens the device, builds the kernels and makes the buffers. False after a message;
 * closed in any case by steering_close. */
static bool steering_open(struct steering_bench *bench,
                          const struct steering_options *options)
{
    memset(bench, 0, sizeof *bench);
    if (!device_open(&bench->device, options->device))
        return false;
    if (!values_parse(bench, options) || !program_build(bench))
        return false;
    if (buffers_make(bench))
        return true;
    fprintf(stderr, "dl-bench steering: no memory for two buffers of %llu bytes\n",
            (unsigned long long)bench->bytes);
    return false;
}

static void steering_close(struct steering_bench *bench)
{
    const cl_mem mems[] = {bench->words, bench->other, bench->ends};

    mems_free(mems, COUNT(mems));
    kernels_free(&bench->kernels);
    free(bench->got);
    device_close(&bench->device);
}

/* ---- chases ---- */

/* A[i] = i, before the first chase: SAXPY uses the same buffers. */
static bool steering_number(struct steering_bench *bench)
{
    const size_t items = 1 << 16;
    const cl_ulong words = bench->bytes / 4;

    clSetKernelArg(bench->kernels.of[NUMBER], 0, sizeof bench->words, &bench->words);
    clSetKernelArg(bench->kernels.of[NUMBER], 1, sizeof words, &words);
    return clEnqueueNDRangeKernel(bench->device.queue, bench->kernels.of[NUMBER], 1, NULL,
                                  &items, NULL, 0, NULL, NULL) == CL_SUCCESS &&
           clFinish(bench->device.queue) == CL_SUCCESS;
}

static cl_uint chase_errors(struct steering_bench *bench, uint64_t stride, uint64_t jump,
                            cl_uint steps)
{
    const size_t ends = bench->groups * bench->chains;
    const uint64_t last_word = bench->bytes / 4 - 1;
    cl_uint errors = 0;

    memset(bench->got, 0xff, ends * 4);
    clEnqueueReadBuffer(bench->device.queue, bench->ends, CL_TRUE, 0, ends * 4,
                        bench->got, 0, NULL, NULL);
    for (size_t e = 0; e < ends; e++)
        errors += bench->got[e] != ((e * stride + jump * steps) & last_word);
    return errors;
}

/* Chases at a stride. `moves`: each step goes on to memory that was not read yet (while
 * there is some), else they stay where they are. */
static struct steering_result steering_chase(struct steering_bench *bench,
                                             uint64_t stride_bytes, bool moves,
                                             cl_uint steps)
{
    const size_t ends = bench->groups * bench->chains;
    const cl_ulong stride = stride_bytes / 4, jump = moves ? stride * ends : 0;
    const cl_uint last_word = (cl_uint)(bench->bytes / 4 - 1);
    struct steering_result result = {.counts = (uint64_t)ends * steps};

    clSetKernelArg(bench->kernels.of[CHASE], 0, sizeof bench->words, &bench->words);
    clSetKernelArg(bench->kernels.of[CHASE], 1, sizeof last_word, &last_word);
    clSetKernelArg(bench->kernels.of[CHASE], 2, sizeof stride, &stride);
    clSetKernelArg(bench->kernels.of[CHASE], 3, sizeof jump, &jump);
    clSetKernelArg(bench->kernels.of[CHASE], 4, sizeof steps, &steps);
    clSetKernelArg(bench->kernels.of[CHASE], 5, sizeof bench->ends, &bench->ends);
    result.good = kernel_time(&bench->device, bench->kernels.of[CHASE], bench->groups, 1,
                              bench->reps, &result.seconds);
    if (result.good)
        result.errors = chase_errors(bench, stride, jump, steps);
    return result;
}

/* How many steps last so many seconds, at a stride of 256 bytes. */
static cl_uint steering_steps(struct steering_bench *bench, bool moves, double seconds)
{
    cl_uint steps = 16;

    for (int round = 0; round < 8; round++) {
        struct steering_result result = steering_chase(bench, 256, moves, steps);

        if (!result.good)
            return 0;
        if (result.seconds > seconds / 2 || steps >= STEPS_MAX)
            break;
        steps *= result.seconds > seconds / 16 ? 2 : 8;
    }
    return steps;
}

/* ---- SAXPY ---- */

static size_t saxpy_arguments(cl_kernel kernel, const cl_mem *mems, size_t mem_count,
                              cl_ulong count, cl_ulong stride)
{
    cl_uint argument = 0;

    for (size_t m = 0; m < mem_count; m++)
        clSetKernelArg(kernel, argument++, sizeof *mems, &mems[m]);
    clSetKernelArg(kernel, argument++, sizeof count, &count);
    clSetKernelArg(kernel, argument++, sizeof stride, &stride);
    return argument;
}

/* y[i * stride] = a * x[i * stride] + y[i * stride] */
static struct steering_result steering_saxpy(struct steering_bench *bench,
                                             uint64_t stride, uint64_t stride_max)
{
    const cl_ulong count = bench->bytes / 4 / stride_max;
    const size_t local = 64, global = (count + local - 1) / local * local;
    const cl_mem mems[] = {bench->words, bench->other};
    const float times = saxpy_a * (float)(bench->reps + 1);
    const cl_uint zero = 0;
    struct steering_result result = {.counts = 12 * count};
    cl_command_queue queue = bench->device.queue;
    cl_uint next;

    saxpy_arguments(bench->kernels.of[SAXPY_FILL], mems, 2, count, stride);
    next = (cl_uint)saxpy_arguments(bench->kernels.of[SAXPY], mems, 2, count, stride);
    clSetKernelArg(bench->kernels.of[SAXPY], next, sizeof saxpy_a, &saxpy_a);
    next = (cl_uint)saxpy_arguments(bench->kernels.of[SAXPY_CHECK], &bench->other, 1,
                                    count, stride);
    clSetKernelArg(bench->kernels.of[SAXPY_CHECK], next, sizeof times, &times);
    clSetKernelArg(bench->kernels.of[SAXPY_CHECK], next + 1, sizeof bench->ends,
                   &bench->ends);
    result.good = clEnqueueNDRangeKernel(queue, bench->kernels.of[SAXPY_FILL], 1, NULL,
                                         &global, &local, 0, NULL, NULL) == CL_SUCCESS &&
                  kernel_time(&bench->device, bench->kernels.of[SAXPY], global, local,
                              bench->reps, &result.seconds) &&
                  clEnqueueWriteBuffer(queue, bench->ends, CL_FALSE, 0, 4, &zero, 0, NULL,
                                       NULL) == CL_SUCCESS &&
                  clEnqueueNDRangeKernel(queue, bench->kernels.of[SAXPY_CHECK], 1, NULL,
                                         &global, &local, 0, NULL, NULL) == CL_SUCCESS &&
                  clEnqueueReadBuffer(queue, bench->ends, CL_TRUE, 0, 4, &result.errors,
                                      0, NULL, NULL) == CL_SUCCESS;
    return result;
}

enum {
    INCREMENT_BYTES = 256,
    INCREMENTS_MAX = 4096,
    POWERS_MAX = 32,
    SAXPY_STRIDE_MAX = 32,
    BESIDE_BYTES = 128 /* where SAXPY does not say what a burst is */
};

struct whole {
    struct steering_options options;
    struct steering_bench bench;
    double copy; /* bytes a second */
    uint64_t burst_bytes;
    bool right; /* so far: every launch succeeded with the right results */
    FILE *csv;
};

/* ---- lines ---- */

/* The rate, in transactions or bytes a second; 0 where it is wrong. `bytes`: that a count
 * stands for. */
static double result_take(struct whole *whole, const char *set, uint64_t stride_bytes,
                          const struct steering_result *result, double bytes)
{
    const bool right = result->good && result->errors == 0 && result->seconds > 0;
    double rate = right ? (double)result->counts / result->seconds : 0;

    whole->right = whole->right && right;
    if (!right)
        fprintf(stderr, "dl-bench steering: WRONG: %s at a stride of %llu bytes\n", set,
                (unsigned long long)stride_bytes);
    if (whole->csv)
        fprintf(whole->csv, "%s,%llu,%s,%u,%.3f,%.3f,%.2f\n", set,
                (unsigned long long)stride_bytes, right ? "ok" : "WRONG", result->errors,
                rate * 1e-6, rate * bytes * 1e-9, result->seconds * 1e6);
    return rate;
}

/* ---- figure 2.2 ---- */

static void saxpy_all(struct whole *whole)
{
    double powers[POWERS_MAX];
    size_t count = 0;

    for (uint64_t stride = 1; stride <= SAXPY_STRIDE_MAX; stride++) {
        struct steering_result result =
            steering_saxpy(&whole->bench, stride, SAXPY_STRIDE_MAX);
        double rate = result_take(whole, "saxpy", 4 * stride, &result, 1);

        if ((stride & (stride - 1)) != 0)
            continue;
        powers[count++] = rate;
        printf("saxpy   stride %10llu bytes %10.1f GB/s %6.1f %% of a copy\n",
               (unsigned long long)(4 * stride), rate * 1e-9, 100 * rate / whole->copy);
    }
    whole->burst_bytes = steering_burst_find(powers, count, 4);
}

/* ---- figure 6.4 ---- */

static double chase_line(struct whole *whole, const char *set, uint64_t stride_bytes,
                         bool moves, cl_uint steps)
{
    struct steering_result result =
        steering_chase(&whole->bench, stride_bytes, moves, steps);

    return result_take(whole, set, stride_bytes, &result, 4);
}

/* Bits that steer, by so many strides. */
struct found {
    size_t strides;
    uint64_t mask;
};

/* Beyond it chases would meet each other, or moving ones find in the cache what others
 * have read. */
static uint64_t stride_last(const struct whole *whole, bool moves)
{
    const struct steering_bench *bench = &whole->bench;
    uint64_t last = bench->bytes / (bench->groups * bench->chains);
    cl_ulong cache = 0;

    clGetDeviceInfo(bench->device.id, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof cache,
                    &cache, NULL);
    if (moves && cache > 0 && last > bench->bytes / cache * BESIDE_BYTES)
        last = bench->bytes / cache * BESIDE_BYTES;
    return last;
}

static struct found chase_all(struct whole *whole, bool moves)
{
    const char *set = moves ? "moving" : "held";
    const cl_uint steps =
        steering_steps(&whole->bench, moves, 1e-3 * atof(whole->options.ms));
    const uint64_t beside = whole->burst_bytes ? whole->burst_bytes : BESIDE_BYTES;
    struct steering_pair pairs[POWERS_MAX];
    size_t count = 0;
    char name[32];

    for (int i = 1; i <= atoi(whole->options.increments) && whole->right; i++)
        chase_line(whole, set, (uint64_t)i * INCREMENT_BYTES, moves, steps);
    for (uint64_t stride = 2 * beside;
         stride <= stride_last(whole, moves) && count < POWERS_MAX && whole->right;
         stride *= 2) {
        struct steering_pair *pair = &pairs[count++];

        pair->stride_bytes = stride;
        snprintf(name, sizeof name, "%s powers", set);
        pair->rate = chase_line(whole, name, stride, moves, steps);
        snprintf(name, sizeof name, "%s beside", set);
        pair->rate_beside = chase_line(whole, name, stride + beside, moves, steps);
        printf("%-7s stride %10llu bytes %10.1f M/s, and %llu more %10.1f M/s %6.1f %%\n",
               set, (unsigned long long)stride, pair->rate * 1e-6,
               (unsigned long long)beside, pair->rate_beside * 1e-6,
               100 * pair->rate / pair->rate_beside);
        fflush(stdout);
    }
    return (struct found){count, whole->right ? steering_bits_find(pairs, count) : 0};
}

static void bits_print(const char *set, const struct found *found)
{
    if (found->strides == 0)
        printf("%s: not known, all strides fit into the cache: use larger --bytes\n",
               set);
    else if (!found->mask)
        printf("%s: no address bit spreads requests by itself\n", set);
    else
        printf("%s: address bits that spread requests:", set);
    for (int bit = 0; bit < 64; bit++)
        if (found->mask >> bit & 1)
            printf(" %d", bit);
    if (found->mask)
        putchar('\n');
}

/* ---- all ---- */

/* Saves the bits that requests which reach the memory have shown. */
static bool table_save(const struct whole *whole, uint64_t burst,
                       const struct found *found)
{
    if (!*whole->options.table)
        return true;
    if (found->strides == 0 || !whole->burst_bytes) {
        fprintf(stderr, "dl-bench steering: --table: not written, too little is known\n");
        return false;
    }
    return table_write_memory(whole->options.table, &whole->bench.device, (unsigned)burst,
                              steering_bits_count(found->mask, burst));
}

static bool measure(struct whole *whole)
{
    struct found held, moving;

    saxpy_all(whole);
    if (!steering_number(&whole->bench))
        return false;
    held = chase_all(whole, false);
    moving = chase_all(whole, true);
    if (whole->burst_bytes)
        printf("burst: %llu bytes\n", (unsigned long long)whole->burst_bytes);
    else
        printf("burst: not found, SAXPY slows down up to the last stride\n");
    bits_print("held", &held);
    bits_print("moving", &moving);
    return whole->right && table_save(whole, whole->burst_bytes, &moving);
}

int steering_main(int argc, char **argv)
{
    struct whole whole = {.right = true};
    const struct steering_bench *bench = &whole.bench;
    bool good = false;
    int code = bench_options_read(&command, argc, argv, &whole.options);

    if (code != BENCH_GO_ON)
        return code;
    if (atof(whole.options.ms) <= 0 || atoi(whole.options.increments) < 1 ||
        atoi(whole.options.increments) > INCREMENTS_MAX) {
        fprintf(stderr, "dl-bench steering: check --ms and --increments\n");
        return 2;
    }
    if (steering_open(&whole.bench, &whole.options)) {
        uint64_t bytes = bench->bytes < 1u << 30 ? bench->bytes : 1u << 30;

        printf("%s, driver %s\n", bench->device.name, bench->device.driver);
        whole.copy = device_copy_speed(&whole.bench.device, bytes, bench->reps);
        good = whole.copy > 0 &&
               csv_open(&whole.csv, whole.options.csv, argc, argv,
                        "set,stride_bytes,status,errors,m_per_s,gb_per_s,us",
                        "%s, driver %s, copy %.1f GB/s, %zu groups of one work-item, "
                        "chains of each: %zu, buffers of %llu bytes",
                        bench->device.name, bench->device.driver, whole.copy * 1e-9,
                        bench->groups, bench->chains, (unsigned long long)bench->bytes) &&
               measure(&whole);
    }
    if (whole.csv)
        fclose(whole.csv);
    steering_close(&whole.bench);
    return good ? 0 : 1;
}
