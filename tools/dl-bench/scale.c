/* SPDX-License-Identifier: MIT */
/* dl-bench scale: lbm cut over 1, 2, N devices, natively and under dl-run: of as much
 * work a device (weak) and of as much work in all (strong). How fast it runs is of plain
 * steps; which share of the time goes into planes between the devices is of more steps,
 * each waited for. */
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { COUNTS_MAX = 16 };

#define SCALE_OPTION_MAP(X)                                                              \
    BENCH_DEVICE(X)                                                                      \
    X(devices, "LIST", "1,2",                                                            \
      "over how many to cut; of more than there are, some get several parts")            \
    X(size, "XxYxZ", "256x256x256", "cells a device, and in all")                        \
    X(steps, "N", "100", "time steps")                                                   \
    X(scaling, "LIST", "weak,strong", "weak: size a device; strong: in all")             \
    X(layouts, "LIST", "native,asta,auto", "as dl-run has them")                         \
    X(halo, "WAY", "overlap", "how planes travel: overlap, copy, read, rect or map")     \
    BENCH_REPS(X, "3")                                                                   \
    BENCH_CSV(X)

struct scale_options {
    SCALE_OPTION_MAP(BENCH_FIELD)
};

static const struct bench_option options_known[] = {SCALE_OPTION_MAP(BENCH_ROW)};
static const struct bench_command command = {
    "usage: dl-bench scale [options]\n"
    "Runs the sample lbm cut over several devices, natively and under dl-run.\n",
    options_known, COUNT(options_known), NULL};

struct scale {
    struct scale_options options;
    char folder[PATH_MAX]; /* of dl-bench, dl-run */
    int size[3], reps;
    FILE *csv;
    bool wrong;
    /* Of the first run of each size. */
    unsigned long long checksums[COUNTS_MAX];
    bool has_checksum[COUNTS_MAX];
};

static int options_parse(int argc, char **argv, struct scale *scale)
{
    static const char *const scalings[] = {"weak", "strong"};
    int code = bench_options_read(&command, argc, argv, &scale->options);

    if (code != BENCH_GO_ON)
        return code;
    scale->reps = atoi(scale->options.reps);
    if (!list_check("scaling", scale->options.scaling, scalings, COUNT(scalings)))
        return 2;
    if (scale->reps >= 1 && scale->reps <= REPS_MAX &&
        sizes_parse(scale->options.size, 1, scale->size))
        return BENCH_GO_ON;
    fprintf(stderr, "dl-bench scale: look at --size and --reps\n");
    return 2;
}

/* ---- one run ---- */

/* False after a message, the program's own or this one's. */
static bool run(const struct scale *scale, const char *layout, int devices,
                const int *size, struct sample_said *said)
{
    char runner[PATH_MAX + 32], program[PATH_MAX + 32], cells[64], count[16];
    struct words words = {.count = 0};

    snprintf(runner, sizeof runner, "%s/dl-run", scale->folder);
    snprintf(program, sizeof program, "%s/../samples/lbm", scale->folder);
    snprintf(cells, sizeof cells, "%dx%dx%d", size[0], size[1], size[2]);
    snprintf(count, sizeof count, "%d", devices);
    if (strcmp(layout, "native") != 0)
        words_add(&words, runner, "--layout", layout, "--", NULL);
    words_add(&words, program, "--size", cells, "--steps", scale->options.steps,
              "--devices", count, "--halo", scale->options.halo, "--profile", NULL);
    if (*scale->options.device)
        words_add(&words, "--device", scale->options.device, NULL);
    if (sample_run(&words, said))
        return true;
    fprintf(stderr, "dl-bench scale: lbm failed on %d devices, %s\n", devices, layout);
    return false;
}

/* ---- a line ---- */

/* Median speed and share of the planes; `at` is the size's place among the checksums.
 * False after a message. */
static bool point(struct scale *scale, const char *layout, int devices, const int *size,
                  int at, double *mlups, double *halo_percent)
{
    const double cells = 1e-6 * size[0] * size[1] * size[2];
    double speeds[REPS_MAX];
    struct sample_said said;

    for (int r = 0; r < scale->reps; r++) {
        if (!run(scale, layout, devices, size, &said))
            return false;
        if (!scale->has_checksum[at])
            scale->checksums[at] = said.checksum;
        scale->has_checksum[at] = true;
        scale->wrong = scale->wrong || said.checksum != scale->checksums[at];
        speeds[r] = cells * atoi(scale->options.steps) / said.time_s;
    }
    *mlups = median_of(speeds, (size_t)scale->reps);
    *halo_percent = said.time_s > 0 ? 100 * said.halo_s / said.time_s : 0;
    return true;
}

static void line_print(const struct scale *scale, bool weak, const char *layout,
                       int devices, const double *numbers)
{
    printf(
        "%-6s %4d  %-7s %10.2f MLUPS  efficiency %6.1f %%  gain %6.2f  halo %5.1f %%\n",
        weak ? "weak" : "strong", devices, layout, numbers[0], 100 * numbers[1],
        numbers[2], numbers[3]);
    fflush(stdout);
    if (scale->csv)
        fprintf(scale->csv, "%s,%d,%s,%s,%s,%.4f,%.4f,%.4f,%.4f\n",
                weak ? "weak" : "strong", devices, layout, scale->options.size,
                scale->options.halo, numbers[0], numbers[1], numbers[2],
                numbers[3] / 100);
}

/* All counts of devices in one layout. `native`: in, and of native out, by place in the
 * list. */
static bool layout_run(struct scale *scale, bool weak, const char *layout, double *native)
{
    const char *counts = scale->options.devices;
    double mlups, halo_percent, one = 0;
    char word[16];

    for (int n = 0; n < COUNTS_MAX && list_next(&counts, word, sizeof word); n++) {
        int devices = atoi(word),
            size[3] = {scale->size[0], scale->size[1], scale->size[2]};

        if (devices < 1) {
            fprintf(stderr, "dl-bench scale: --devices %s\n", word);
            return false;
        }
        if (weak)
            size[2] *= devices;
        if (!point(scale, layout, devices, size, weak ? n : 0, &mlups, &halo_percent))
            return false;
        if (n == 0)
            one = mlups / devices;
        if (strcmp(layout, "native") == 0)
            native[n] = mlups;
        line_print(scale, weak, layout, devices,
                   (const double[]){mlups, mlups / (one * devices),
                                    native[n] > 0 ? mlups / native[n] : 0, halo_percent});
    }
    return true;
}

/* Natively first: what the others gain is against that. */
static bool all_run(struct scale *scale, bool weak)
{
    const char *layouts = scale->options.layouts;
    double native[COUNTS_MAX] = {0};
    char word[16];

    memset(scale->has_checksum, 0, sizeof scale->has_checksum);
    if (!layout_run(scale, weak, "native", native))
        return false;
    while (list_next(&layouts, word, sizeof word))
        if (strcmp(word, "native") != 0 && !layout_run(scale, weak, word, native))
            return false;
    return true;
}

int scale_main(int argc, char **argv)
{
    struct scale scale = {.wrong = false};
    bool done;
    int code = options_parse(argc, argv, &scale);

    if (code != BENCH_GO_ON)
        return code;
    if (!own_folder(scale.folder) ||
        !csv_open(&scale.csv, scale.options.csv, argc, argv,
                  "scaling,devices,layout,size,halo,mlups,efficiency,gain,"
                  "halo_share",
                  "%s, medians of %d", scale.options.device, scale.reps))
        return 1;
    done = (!list_has(scale.options.scaling, "weak") || all_run(&scale, true)) &&
           (!list_has(scale.options.scaling, "strong") || all_run(&scale, false));
    if (scale.csv)
        fclose(scale.csv);
    if (scale.wrong)
        fputs("dl-bench scale: WRONG: checksums differ\n", stderr);
    return done && !scale.wrong ? 0 : 1;
}
