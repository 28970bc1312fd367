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
    X(bytes, "N", "", "^4K-16G",                                                         \
      "bytes of a buffer, a power of two; default 4G, 256M on a CPU")                    \
    X(groups, "N", "", "1-1048576",                                                      \
      "work-groups of one work-item each; default: 32 for each compute unit")            \
    X(chains, "N", "1", "1-32", "chains of reads that each work-item follows at once")   \
    X(ms, "N", "1", ".0.001-10000", "milliseconds that a launch takes, about")           \
    BENCH_REPS(X, "5")                                                                   \
    X(increments, "N", "256", "1-4096",                                                  \
      "how many strides are measured: 256 bytes, 512, 768 and so on")                    \
    BENCH_CSV(X)                                                                         \
    X(table, "FILE", "", "w", "write the device's file with what was found")

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
    struct steering_options options;
    struct device device;
    struct kernels kernels;    /* of steering.cl, by enum steering_kernel */
    cl_mem words, other, ends; /* two buffers, and where chases end */
    cl_uint *got;              /* what `ends` holds */
    uint64_t bytes;            /* of a buffer; a power of two */
    size_t groups, chains;
    int reps;
    uint64_t burst_bytes;
    bool right; /* so far: every launch succeeded with the right results */
    FILE *csv;
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

/* Opens the device, builds the kernels and makes the buffers. False after a message;
 * closed in any case by steering_close. */
static bool steering_open(struct steering_bench *bench)
{
    static const char *const names[] = {"number_words", "chase", "saxpy_fill", "saxpy",
                                        "saxpy_check"};
    const struct steering_options *options = &bench->options;
    cl_mem *const mems[] = {&bench->words, &bench->other, &bench->ends};
    cl_uint units = 1;
    char defines[64];
    cl_int err;

    if (!device_open(&bench->device, options->device))
        return false;
    clGetDeviceInfo(bench->device.id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units,
                    NULL);
    bench->bytes = *options->bytes
                       ? bytes_parse(options->bytes)
                       : UINT64_C(1) << (device_is_cpu(&bench->device) ? 28 : 32);
    bench->groups = *options->groups ? strtoul(options->groups, NULL, 10)
                                     : 32 * (size_t)(units ? units : 1);
    bench->chains = strtoul(options->chains, NULL, 10);
    bench->reps = atoi(options->reps);
    snprintf(defines, sizeof defines, "-cl-std=CL1.2 -DCHAINS=%zu", bench->chains);
    err = kernels_make(&bench->device, bench_steering_cl, defines, names, COUNT(names),
                       &bench->kernels);
    for (size_t m = 0; m < COUNT(mems) && err == CL_SUCCESS; m++)
        *mems[m] = clCreateBuffer(
            bench->device.context, CL_MEM_READ_WRITE,
            m < 2 ? bench->bytes : bench->groups * bench->chains * 4, NULL, &err);
    bench->got = malloc(bench->groups * bench->chains * 4);
    if (err == CL_SUCCESS && bench->got)
        return true;
    fprintf(stderr,
            "dl-bench steering: no kernels, or no memory for two buffers of %llu bytes: "
            "OpenCL error %d\n",
            (unsigned long long)bench->bytes, err);
    return false;
}

static void steering_close(struct steering_bench *bench)
{
    if (bench->csv)
        fclose(bench->csv);
    mems_free((const cl_mem[]){bench->words, bench->other, bench->ends}, 3);
    kernels_free(&bench->kernels);
    free(bench->got);
    device_close(&bench->device);
}

/* ---- chases ---- */

/* A[i] = i, before the first chase: SAXPY uses the same buffers. */
static bool steering_number(struct steering_bench *bench)
{
    const cl_ulong words = bench->bytes / 4;

    KERNEL_ARGS(bench->kernels.of[NUMBER], ARG(bench->words), ARG(words));
    return device_launch(&bench->device, bench->kernels.of[NUMBER], 1 << 16, 0, NULL) ==
               CL_SUCCESS &&
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

    KERNEL_ARGS(bench->kernels.of[CHASE], ARG(bench->words), ARG(last_word), ARG(stride),
                ARG(jump), ARG(steps), ARG(bench->ends));
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

/* y[i * stride] = a * x[i * stride] + y[i * stride] */
static struct steering_result steering_saxpy(struct steering_bench *bench,
                                             uint64_t stride, uint64_t stride_max)
{
    const struct device *device = &bench->device;
    const cl_kernel *kernels = bench->kernels.of;
    const cl_ulong count = bench->bytes / 4 / stride_max;
    const size_t global = dl__round_up(count, 64);
    const float times = saxpy_a * (float)(bench->reps + 1);
    struct steering_result result = {.counts = 12 * count};

    KERNEL_ARGS(kernels[SAXPY_FILL], ARG(bench->words), ARG(bench->other), ARG(count),
                ARG(stride));
    KERNEL_ARGS(kernels[SAXPY], ARG(bench->words), ARG(bench->other), ARG(count),
                ARG(stride), ARG(saxpy_a));
    KERNEL_ARGS(kernels[SAXPY_CHECK], ARG(bench->other), ARG(count), ARG(stride),
                ARG(times), ARG(device->errors));
    result.good =
        device_launch(device, kernels[SAXPY_FILL], global, 64, NULL) == CL_SUCCESS &&
        kernel_time(device, kernels[SAXPY], global, 64, bench->reps, &result.seconds) &&
        device_count_errors(&bench->device, kernels[SAXPY_CHECK], global,
                            &result.errors) == CL_SUCCESS;
    return result;
}

enum {
    INCREMENT_BYTES = 256,
    POWERS_MAX = 32,
    SAXPY_STRIDE_MAX = 32,
    BESIDE_BYTES = 128 /* where SAXPY does not say what a burst is */
};

/* ---- lines ---- */

/* The rate, in transactions or bytes a second; 0 where it is wrong. `bytes`: that a count
 * stands for. */
static double result_take(struct steering_bench *bench, const char *set,
                          uint64_t stride_bytes, const struct steering_result *result,
                          double bytes)
{
    const bool right = result->good && result->errors == 0 && result->seconds > 0;
    double rate = right ? (double)result->counts / result->seconds : 0;

    bench->right = bench->right && right;
    if (!right)
        fprintf(stderr, "dl-bench steering: WRONG: %s at a stride of %llu bytes\n", set,
                (unsigned long long)stride_bytes);
    if (bench->csv)
        fprintf(bench->csv, "%s,%llu,%s,%u,%.3f,%.3f,%.2f\n", set,
                (unsigned long long)stride_bytes, right ? "ok" : "WRONG", result->errors,
                rate * 1e-6, rate * bytes * 1e-9, result->seconds * 1e6);
    return rate;
}

/* ---- figure 2.2 ---- */

static void saxpy_all(struct steering_bench *bench)
{
    double powers[POWERS_MAX];
    size_t count = 0;

    for (uint64_t stride = 1; stride <= SAXPY_STRIDE_MAX; stride++) {
        struct steering_result result = steering_saxpy(bench, stride, SAXPY_STRIDE_MAX);
        double rate = result_take(bench, "saxpy", 4 * stride, &result, 1);

        if ((stride & (stride - 1)) != 0)
            continue;
        powers[count++] = rate;
        printf("saxpy   stride %10llu bytes %10.1f GB/s %6.1f %% of a copy\n",
               (unsigned long long)(4 * stride), rate * 1e-9,
               100 * rate / bench->device.copy);
    }
    bench->burst_bytes = steering_burst_find(powers, count, 4);
}

/* ---- figure 6.4 ---- */

static double chase_line(struct steering_bench *bench, const char *set,
                         uint64_t stride_bytes, bool moves, cl_uint steps)
{
    struct steering_result result = steering_chase(bench, stride_bytes, moves, steps);

    return result_take(bench, set, stride_bytes, &result, 4);
}

/* Bits that steer, by so many strides. */
struct found {
    size_t strides;
    uint64_t mask;
};

/* Beyond it chases would meet each other, or moving ones find in the cache what others
 * have read. */
static uint64_t stride_last(const struct steering_bench *bench, bool moves)
{
    uint64_t last = bench->bytes / (bench->groups * bench->chains);
    cl_ulong cache = 0;

    clGetDeviceInfo(bench->device.id, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof cache,
                    &cache, NULL);
    if (moves && cache > 0 && last > bench->bytes / cache * BESIDE_BYTES)
        last = bench->bytes / cache * BESIDE_BYTES;
    return last;
}

static struct found chase_all(struct steering_bench *bench, bool moves)
{
    const char *set = moves ? "moving" : "held";
    const cl_uint steps = steering_steps(bench, moves, 1e-3 * atof(bench->options.ms));
    const uint64_t beside = bench->burst_bytes ? bench->burst_bytes : BESIDE_BYTES;
    struct steering_pair pairs[POWERS_MAX];
    size_t count = 0;
    char name[32];

    for (int i = 1; i <= atoi(bench->options.increments) && bench->right; i++)
        chase_line(bench, set, (uint64_t)i * INCREMENT_BYTES, moves, steps);
    for (uint64_t stride = 2 * beside;
         stride <= stride_last(bench, moves) && count < POWERS_MAX && bench->right;
         stride *= 2) {
        struct steering_pair *pair = &pairs[count++];

        pair->stride_bytes = stride;
        snprintf(name, sizeof name, "%s powers", set);
        pair->rate = chase_line(bench, name, stride, moves, steps);
        snprintf(name, sizeof name, "%s beside", set);
        pair->rate_beside = chase_line(bench, name, stride + beside, moves, steps);
        printf("%-7s stride %10llu bytes %10.1f M/s, and %llu more %10.1f M/s %6.1f %%\n",
               set, (unsigned long long)stride, pair->rate * 1e-6,
               (unsigned long long)beside, pair->rate_beside * 1e-6,
               100 * pair->rate / pair->rate_beside);
        fflush(stdout);
    }
    return (struct found){count, bench->right ? steering_bits_find(pairs, count) : 0};
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
static bool table_save(const struct steering_bench *bench, uint64_t burst,
                       const struct found *found)
{
    if (!*bench->options.table)
        return true;
    if (found->strides == 0 || !bench->burst_bytes) {
        fprintf(stderr, "dl-bench steering: --table: not written, too little is known\n");
        return false;
    }
    return table_write_memory(bench->options.table, &bench->device, (unsigned)burst,
                              steering_bits_count(found->mask, burst));
}

static bool measure(struct steering_bench *bench)
{
    struct found held, moving;

    saxpy_all(bench);
    if (!steering_number(bench))
        return false;
    held = chase_all(bench, false);
    moving = chase_all(bench, true);
    if (bench->burst_bytes)
        printf("burst: %llu bytes\n", (unsigned long long)bench->burst_bytes);
    else
        printf("burst: not found, SAXPY slows down up to the last stride\n");
    bits_print("held", &held);
    bits_print("moving", &moving);
    return bench->right && table_save(bench, bench->burst_bytes, &moving);
}

int steering_main(int argc, char **argv)
{
    struct steering_bench bench = {.right = true};
    bool good = false;
    char text[160];
    int code = bench_options_read(&command, argc, argv, &bench.options);

    if (code != BENCH_GO_ON)
        return code;
    if (steering_open(&bench)) {
        snprintf(text, sizeof text,
                 ", %zu groups of one work-item, chains of each: %zu, buffers of %llu "
                 "bytes",
                 bench.groups, bench.chains, (unsigned long long)bench.bytes);
        good =
            device_copy_time(&bench.device,
                             bench.bytes < 1u << 30 ? bench.bytes : 1u << 30,
                             bench.reps) &&
            device_csv_open(&bench.csv, bench.options.csv, &bench.device,
                            "set,stride_bytes,status,errors,m_per_s,gb_per_s,us", text) &&
            measure(&bench);
    }
    steering_close(&bench);
    return good ? 0 : 1;
}
