/* SPDX-License-Identifier: MIT */
/* dl-bench steering: which address bits spread requests over a device's memory and which
 * are within a burst, by bandwidth against stride (Sung 2013, 6.1, figures 6.4 and 2.2).
 */
#include "tools/dl-bench/steering/steering.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tools/dl-bench/flags.h"

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

/* ---- options ---- */

static const struct bench_flag flags[] = {
#define X(...) BENCH_FLAG(struct steering_options, __VA_ARGS__)
    STEERING_OPTION_MAP(X)
#undef X
};

static void help_print(FILE *out)
{
    fputs("usage: dl-bench steering [options]\n"
          "Bandwidth against the stride between concurrent work-groups of one work-item "
          "that chase\n"
          "x = A[x], and of SAXPY against its stride: which address bits spread requests "
          "over the\n"
          "memory, and which are within a burst.\n\n",
          out);
    bench_flags_print(out, flags, sizeof flags / sizeof *flags);
}

static enum bench_flags options_parse(int argc, char **argv,
                                      struct steering_options *options)
{
    enum bench_flags read =
        bench_flags_read(flags, sizeof flags / sizeof *flags, argc, argv, options);

    if (read != BENCH_FLAGS_READ)
        return read;
    if (atof(options->ms) > 0 && atoi(options->increments) >= 1 &&
        atoi(options->increments) <= INCREMENTS_MAX)
        return BENCH_FLAGS_READ;
    fprintf(stderr, "dl-bench steering: look at --ms and --increments\n");
    return BENCH_FLAGS_BAD;
}

/* ---- lines ---- */

static bool csv_open(struct whole *whole, int argc, char **argv)
{
    const struct steering_bench *bench = &whole->bench;
    time_t now = time(NULL);
    char date[32];

    if (!*whole->options.csv)
        return true;
    whole->csv = fopen(whole->options.csv, "w");
    if (!whole->csv) {
        perror(whole->options.csv);
        return false;
    }
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    fprintf(
        whole->csv,
        "# %s, driver %s, copy %.1f GB/s, %zu groups of one work-item, chains of each: "
        "%zu, buffers of %llu bytes\n# %s, dl-bench",
        bench->device.name, bench->device.driver, whole->copy * 1e-9, bench->groups,
        bench->chains, (unsigned long long)bench->bytes, date);
    for (int a = 1; a < argc; a++)
        fprintf(whole->csv, " %s", *argv[a] ? argv[a] : "''");
    fputs("\nset,stride_bytes,status,errors,m_per_s,gb_per_s,us\n", whole->csv);
    return true;
}

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

/* What requests that reach the memory have shown. */
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
    bool good = false;

    enum bench_flags read = options_parse(argc, argv, &whole.options);

    if (read == BENCH_FLAGS_HELP)
        help_print(stdout);
    if (read != BENCH_FLAGS_READ)
        return read == BENCH_FLAGS_HELP ? 0 : 2;
    if (steering_open(&whole.bench, &whole.options)) {
        uint64_t bytes = whole.bench.bytes < 1u << 30 ? whole.bench.bytes : 1u << 30;

        printf("%s, driver %s\n", whole.bench.device.name, whole.bench.device.driver);
        whole.copy = device_copy_speed(&whole.bench.device, bytes, whole.bench.reps);
        good = whole.copy > 0 && csv_open(&whole, argc, argv) && measure(&whole);
    }
    if (whole.csv)
        fclose(whole.csv);
    steering_close(&whole.bench);
    return good ? 0 : 1;
}
