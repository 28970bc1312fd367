/* SPDX-License-Identifier: MIT */
/* dl-bench grids and scale. grids: the samples on grids by layout, one dimension varied
 * (Sung 2013, figures 6.6 to 6.14): natively, in the layouts of structs, and in layouts
 * of bits under dl-run --layout grid. scale: lbm cut over 1, 2, N devices, natively and
 * under dl-run. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "layout/derive.h"
#include "layout/grid.h"
#include "tools/dl-bench/bench.h"

/* ---- samples that run as programs of their own ---- */

/* Numbers that a sample has printed; device_s, of its kernels alone, with --profile. */
struct sample_said {
    double time_s, device_s, halo_s;
    unsigned long long checksum;
};

/* Both commands have these. */
struct samples {
    char folder[PATH_MAX], work[WORK_BYTES]; /* of dl-bench; a new one */
    int size[3], reps;
    bool wrong; /* checksums differ */
    FILE *csv;
};

static bool samples_open(struct samples *samples, const char *reps)
{
    samples->reps = atoi(reps);
    return own_folder(samples->folder) && work_make(samples->work);
}

/* Returns the exit code. */
static int samples_close(struct samples *samples, const char *command, bool done)
{
    if (samples->csv)
        fclose(samples->csv);
    folder_remove(samples->work);
    if (samples->wrong)
        fprintf(stderr, "dl-bench %s: WRONG: checksums differ\n", command);
    return done && !samples->wrong ? 0 : 1;
}

static double number_said(const char *path, const char *name)
{
    char line[512];

    return file_line(path, name, line, sizeof line) ? atof(line + strlen(name)) : 0;
}

/* Runs a program and waits for it. False: it failed, or said neither checksum nor time;
 * it may have said why. */
static bool sample_run(const struct samples *samples, const struct words *words,
                       struct sample_said *said)
{
    char out[WORK_BYTES + 8], line[512];
    int code;

    snprintf(out, sizeof out, "%s/out", samples->work);
    code = process_wait(process_start(words, out, NULL));
    said->time_s = number_said(out, "time_s: ");
    said->device_s = number_said(out, "device_s: ");
    said->halo_s = number_said(out, "halo_s: ");
    return code == 0 && said->time_s > 0 &&
           file_line(out, "checksum: ", line, sizeof line) &&
           sscanf(line, "checksum: %llx", &said->checksum) == 1;
}

/* "XxYxZ" */
static void size_parse(const char *text, int size[3])
{
    sscanf(text, "%7dx%7dx%7d", &size[0], &size[1], &size[2]);
}

/* ======== dl-bench grids ======== */

/* A sample on a grid of three dimensions. Work-items go along x, one to a cell that is
 * not at the `border`. */
struct grids_sample {
    const char *name, *kernel, *variant; /* of the sample, "": it has none */
    const char *buffers[2];
    unsigned
        cell_floats; /* 1: no structs, so that AoS, ASTA and SoA are what row-major is */
    unsigned border;
};

/* A memory and processors that layouts are derived for. */
struct grids_device {
    struct dl_grid_memory memory; /* of floats */
    uint64_t resident_groups;     /* of 128 work-items */
};

static const struct grids_sample grids_samples[] = {
    {"lbm", "lbm_step", "flat", {"src", "dst"}, 20, 0},
    {"heat", "heat_step", "", {"now", "next"}, 1, 1},
    {"cfd", "cfd_sweep", "", {"pressure", "divergence"}, 1, 1},
};

/* Of a number of at least 1. */
static unsigned log2_of(uint64_t number)
{
    unsigned bits = 0;

    while (number >>= 1)
        bits++;
    return bits;
}

/* The device's own, from its file. False after a message. */
static bool grids_device_find(const char *part, struct grids_device *out)
{
    struct device device;
    struct dl_rates rates;
    cl_uint units = 1;
    uint64_t groups;

    if (!device_open(&device, part))
        return false;
    clGetDeviceInfo(device.id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
    dl_marshal_rates(device.name, (device.type & CL_DEVICE_TYPE_CPU) != 0, &rates);
    groups = rates.resident_items / 128;
    if (groups > rates.resident_groups)
        groups = rates.resident_groups;
    out->memory.burst_bits = rates.burst_bytes > 4 ? log2_of(rates.burst_bytes / 4) : 0;
    out->memory.steering_bits = rates.steering_bits;
    out->resident_groups = (groups ? groups : 1) * (units ? units : 1);
    device_close(&device);
    return true;
}

/* The thesis's Tesla: bursts of 16 words, eight bits that steer, 32 groups at once. */
static const struct grids_device tesla = {{4, 8}, 32};

/* As the samples choose it. */
static uint64_t group_length(uint64_t length)
{
    uint64_t best = 32;

    for (uint64_t group = 64; group <= 128; group *= 2)
        if ((length + group - 1) / group * group <= (length + best - 1) / best * best)
            best = group;
    return best;
}

/* The layout of the sample's grids, as text for an annotation. `size`: x first. */
static bool grids_derive(const struct grids_sample *sample, const int *size,
                         const struct grids_device *device, char *text, size_t room)
{
    static const struct dl_grid_names names = {{"z", "y", "x", "k"}};
    const uint64_t x = (uint64_t)size[0], y = (uint64_t)size[1], z = (uint64_t)size[2];
    const uint64_t sides = 2 * sample->border, group = group_length(x - sides);
    const struct dl_grid grid = {sample->cell_floats > 1 ? 4 : 3,
                                 {z, y, x, sample->cell_floats}};
    const struct dl_grid_access access = {.coefficients = {{[DL_GRID_GLOBAL + 2] = 1},
                                                           {[DL_GRID_GLOBAL + 1] = 1},
                                                           {[DL_GRID_GLOBAL] = 1}}};
    const struct dl_grid_launch launch = {
        {group, 1, 1},
        {(x - sides + group - 1) / group, y - sides, z - sides},
        device->resident_groups};
    struct dl_grid_derivation derived;

    if (dl_grid_derive(&grid, &access, &launch, &device->memory, &derived) != DL_OK)
        return false;
    dl_grid_layout_print(&derived.layout, &names, text, room);
    return true;
}

/* Writes annotations of the sample's buffers as grids in this layout; NULL: DL derives
 * one. */
static bool grids_annotate(const char *path, const struct grids_sample *sample,
                           const char *layout)
{
    FILE *out = fopen(path, "w");

    if (!out) {
        perror(path);
        return false;
    }
    for (int b = 0; b < 2; b++) {
        fprintf(out, "%s: grid: %s[nz][ny][nx]", sample->kernel, sample->buffers[b]);
        if (sample->cell_floats > 1)
            fprintf(out, "[%u]", sample->cell_floats);
        fprintf(out, layout ? " as %s\n" : "\n", layout);
    }
    return fclose(out) == 0;
}

enum { SIZES_MAX = 64 };

#define GRIDS_OPTION_MAP(X)                                                              \
    BENCH_DEVICE(X)                                                                      \
    X(samples, "LIST", "lbm,heat,cfd", "*", "which samples")                             \
    X(vary, "LIST", "x,y,z", "*", "dimensions to vary, one at a time")                   \
    X(sizes, "LIST", "64-512", "#3-4096/4096",                                           \
      "cells along the varied dimension; 64-512: in 15 steps")                           \
    X(size, "XxYxZ", "128x128x128", "x3-4096", "cells along the other dimensions")       \
    X(layouts, "LIST", "native,asta,da,derived,tesla", "*",                              \
      "native is AoS or row-major; derived is for the device, tesla for the thesis's")   \
    X(steps, "N", "100", "1-1000000", "time steps")                                      \
    BENCH_REPS(X, "3")                                                                   \
    BENCH_CSV(X)                                                                         \
    X(resume, "", "", "",                                                                \
      "continue the table of --csv: sizes that it has are not run again")

struct grids_options {
    GRIDS_OPTION_MAP(BENCH_FIELD)
};

static const struct bench_option options_known[] = {GRIDS_OPTION_MAP(BENCH_ROW)};
static const struct bench_command command = {
    "usage: dl-bench grids [options]\n"
    "Runs samples on grids, natively and under dl-run, with one dimension varied.\n",
    options_known, COUNT(options_known), NULL};

struct grids {
    struct grids_options options;
    struct samples run;
    struct grids_device device;
    unsigned sizes[SIZES_MAX];
    size_t size_count;
    char rows[4096]; /* of the size that is being run */
};

/* One size in one layout. */
struct point {
    const struct grids_sample *sample;
    const char *layout; /* the option's word */
    char vary;
    int size[3];
    char strips[DL_GRID_TEXT_BYTES]; /* of a grid; "": none */
};

/* ---- options ---- */

/* "64-512": 15 of the same distance; else a list. */
static void varied_parse(struct grids *grids)
{
    const char *text = grids->options.sizes;
    unsigned first, last;
    int end = 0;

    if (sscanf(text, "%5u-%5u%n", &first, &last, &end) == 2 && !text[end] && first < last)
        for (grids->size_count = 0; grids->size_count < 15; grids->size_count++)
            grids->sizes[grids->size_count] =
                first + (last - first) * (unsigned)grids->size_count / 14;
    else
        grids->size_count = numbers_parse(text, grids->sizes, SIZES_MAX);
}

/* ---- a run ---- */

/* Whether a statistics file says that no launch ran as written. */
static bool all_rewritten(const char *path)
{
    char text[4096] = "";
    const char *at;
    FILE *in = fopen(path, "r");

    if (in) {
        text[fread(text, 1, sizeof text - 1, in)] = '\0';
        fclose(in);
    }
    at = strstr(text, "\"native_launches\":");
    return at && strtol(at + strlen("\"native_launches\":"), NULL, 10) == 0;
}

static bool run(const struct grids *grids, const struct point *point,
                struct sample_said *said, bool *rewritten)
{
    char runner[PATH_MAX + 32], program[PATH_MAX + 32], side[PATH_MAX + 32],
        stats[PATH_MAX + 32], cells[64];
    const bool native = strcmp(point->layout, "native") == 0;
    struct words words = {.count = 0};

    snprintf(runner, sizeof runner, "%s/dl-run", grids->run.folder);
    snprintf(program, sizeof program, "%s/../samples/%s", grids->run.folder,
             point->sample->name);
    snprintf(side, sizeof side, "%s/annotations", grids->run.work);
    snprintf(stats, sizeof stats, "--stats=%s/stats.json", grids->run.work);
    snprintf(cells, sizeof cells, "%dx%dx%d", point->size[0], point->size[1],
             point->size[2]);
    if (!native)
        words_add(&words, runner, "--layout", *point->strips ? "grid" : point->layout,
                  stats, NULL);
    if (*point->strips) {
        /* A program gets what DL derives itself: its own order runs as written. */
        const char *layout = strcmp(point->layout, "derived") ? point->strips : NULL;

        if (!grids_annotate(side, point->sample, layout))
            return false;
        words_add(&words, "--annotations", side, NULL);
    }
    if (!native)
        words_add(&words, "--", NULL);
    words_add(&words, program, "--size", cells, "--steps", grids->options.steps,
              "--profile", NULL);
    if (*grids->options.device)
        words_add(&words, "--device", grids->options.device, NULL);
    if (*point->sample->variant)
        words_add(&words, "--variant", point->sample->variant, NULL);
    if (!sample_run(&grids->run, &words, said))
        return false;
    *rewritten = native || all_rewritten(stats + strlen("--stats="));
    return true;
}

/* ---- lines ---- */

/* Writes the beginning of the rows of its size. */
static void size_print(const struct point *point, char *text, size_t bytes)
{
    snprintf(text, bytes, "%s,%c,%d,%d,%d,%d,", point->sample->name, point->vary,
             point->size[point->vary - 'x'], point->size[0], point->size[1],
             point->size[2]);
}

/* The median of runs; `checksum`: that of the first run of the size. False: a run failed.
 */
static bool point_run(struct grids *grids, const struct point *point, double *native_s,
                      unsigned long long *checksum)
{
    const double cells = 1e-6 * point->size[0] * point->size[1] * point->size[2];
    const double updates = cells * atoi(grids->options.steps);
    const bool is_first = *native_s == 0;
    double times[REPS_MAX], time_s;
    struct sample_said said;
    bool right = true, rewritten = true, as_rewritten;
    const char *status;

    for (int r = 0; r < grids->run.reps; r++) {
        if (!run(grids, point, &said, &as_rewritten)) {
            fprintf(stderr, "dl-bench grids: %s failed, %s\n", point->sample->name,
                    point->layout);
            return false;
        }
        if (is_first && r == 0)
            *checksum = said.checksum;
        right = right && said.checksum == *checksum;
        rewritten = rewritten && as_rewritten;
        /* Short runs would measure how DL starts. */
        times[r] = said.device_s > 0 ? said.device_s : said.time_s;
    }
    time_s = median_of(times, (size_t)grids->run.reps);
    if (is_first)
        *native_s = time_s;
    grids->run.wrong = grids->run.wrong || !right;
    status = !right ? "WRONG" : rewritten ? "ok" : "as_written";
    printf("%-5s %c  %4dx%4dx%4d  %-8s %10.1f MLUPS  time %6.3f of native  %-10s %s\n",
           point->sample->name, point->vary, point->size[0], point->size[1],
           point->size[2], point->layout, updates / time_s, time_s / *native_s, status,
           point->strips);
    fflush(stdout);
    size_print(point, grids->rows + strlen(grids->rows),
               sizeof grids->rows - strlen(grids->rows));
    snprintf(grids->rows + strlen(grids->rows), sizeof grids->rows - strlen(grids->rows),
             "%s,%s,%s,%.3f,%.4f\n", point->layout, point->strips, status,
             updates / time_s, time_s / *native_s);
    return true;
}

/* All layouts at one size, natively first. The table gets all of them or none, so that a
 * size of which it has a row is done. */
static bool size_run(struct grids *grids, struct point *point)
{
    const char *layouts = grids->options.layouts;
    char word[32], begin[80], line[256];
    unsigned long long checksum = 0;
    double native_s = 0;

    size_print(point, begin, sizeof begin);
    if (*grids->options.resume && file_line(grids->options.csv, begin, line, sizeof line))
        return true;
    *grids->rows = '\0';
    point->layout = "native";
    *point->strips = '\0';
    if (!point_run(grids, point, &native_s, &checksum))
        return false;
    while (list_next(&layouts, word, sizeof word)) {
        const bool derived = strcmp(word, "derived") == 0;
        const bool by_grid = derived || strcmp(word, "tesla") == 0;

        *point->strips = '\0';
        point->layout = word;
        if (strcmp(word, "native") == 0 || (!by_grid && point->sample->cell_floats == 1))
            continue; /* nothing to tile */
        if (by_grid &&
            !grids_derive(point->sample, point->size, derived ? &grids->device : &tesla,
                          point->strips, sizeof point->strips))
            return false;
        if (!point_run(grids, point, &native_s, &checksum))
            return false;
    }
    if (grids->run.csv)
        fputs(grids->rows, grids->run.csv);
    return true;
}

static bool sample_vary(struct grids *grids, const struct grids_sample *sample)
{
    const char *varied = grids->options.vary;
    struct point point = {.sample = sample};
    char word[8];

    while (list_next(&varied, word, sizeof word))
        for (size_t s = 0; s < grids->size_count; s++) {
            memcpy(point.size, grids->run.size, sizeof point.size);
            point.vary = word[0];
            point.size[word[0] - 'x'] = (int)grids->sizes[s];
            if (!size_run(grids, &point))
                return false;
        }
    return true;
}

static bool all_run(struct grids *grids)
{
    const char *names = grids->options.samples;
    char word[32];

    while (list_next(&names, word, sizeof word))
        for (size_t n = 0; n < COUNT(grids_samples); n++)
            if (strcmp(grids_samples[n].name, word) == 0 &&
                !sample_vary(grids, &grids_samples[n]))
                return false;
    return true;
}

int grids_main(int argc, char **argv)
{
    struct grids grids = {.size_count = 0};
    const struct grids_options *options = &grids.options;
    int code = bench_options_read(&command, argc, argv, &grids.options);
    char line[256];
    bool done;

    if (code != BENCH_GO_ON)
        return code;
    if (*options->resume && !*options->csv)
        return bench_option_complain(argv[1], "resume", NULL, "no table to continue",
                                     "with --csv FILE");
    varied_parse(&grids);
    size_parse(options->size, grids.run.size);
    if (!samples_open(&grids.run, options->reps))
        return 1;
    done = grids_device_find(options->device, &grids.device) &&
           (*options->resume && file_line(options->csv, "sample,", line, sizeof line)
                ? csv_resume(&grids.run.csv, options->csv)
                : csv_open(&grids.run.csv, options->csv,
                           "sample,vary,cells,x,y,z,layout,strips,status,mlups,time_part",
                           "%s, medians of %d", options->device, grids.run.reps)) &&
           all_run(&grids);
    return samples_close(&grids.run, "grids", done);
}

/* ======== dl-bench scale ======== */

/* Of as much work a device (weak) and of as much work in all (strong). How fast it runs
 * is of plain steps; which share of the time goes into planes between the devices is of
 * more steps, each waited for. */

enum { COUNTS_MAX = 16 };

#define SCALE_OPTION_MAP(X)                                                              \
    BENCH_DEVICE(X)                                                                      \
    X(devices, "LIST", "1,2", "#1-64/16",                                                \
      "how many devices to use; if there are fewer, some get several parts")             \
    X(size, "XxYxZ", "256x256x256", "x1-4096", "cells, see --scaling")                   \
    X(steps, "N", "100", "1-1000000", "time steps")                                      \
    X(scaling, "LIST", "weak,strong", "*",                                               \
      "weak: each device has --size cells; strong: all devices together have them")      \
    X(layouts, "LIST", "native,asta,auto",                                               \
      "*native,auto,asta,da,soa,grid,aos,coalesced",                                     \
      "those of dl-run, and native: without dl-run")                                     \
    X(halo, "WAY", "overlap", "=overlap,copy,read,rect,map",                             \
      "how planes travel between devices: overlap, copy, read, rect or map")             \
    BENCH_REPS(X, "3")                                                                   \
    BENCH_CSV(X)

struct scale_options {
    SCALE_OPTION_MAP(BENCH_FIELD)
};

static const struct bench_option scale_options_known[] = {SCALE_OPTION_MAP(BENCH_ROW)};
static const struct bench_command scale_command = {
    "usage: dl-bench scale [options]\n"
    "Runs the sample lbm cut over several devices, natively and under dl-run.\n",
    scale_options_known, COUNT(scale_options_known), NULL};

struct scale {
    struct scale_options options;
    struct samples run;
    /* Of the first run of each size. */
    unsigned long long checksums[COUNTS_MAX];
    bool has_checksum[COUNTS_MAX];
};

/* ---- one run ---- */

/* False after a message, the program's own or this one's. */
static bool scale_run(const struct scale *scale, const char *layout, int devices,
                      const int *size, struct sample_said *said)
{
    char runner[PATH_MAX + 32], program[PATH_MAX + 32], cells[64], count[16];
    struct words words = {.count = 0};

    snprintf(runner, sizeof runner, "%s/dl-run", scale->run.folder);
    snprintf(program, sizeof program, "%s/../samples/lbm", scale->run.folder);
    snprintf(cells, sizeof cells, "%dx%dx%d", size[0], size[1], size[2]);
    snprintf(count, sizeof count, "%d", devices);
    if (strcmp(layout, "native") != 0)
        words_add(&words, runner, "--layout", layout, "--", NULL);
    words_add(&words, program, "--size", cells, "--steps", scale->options.steps,
              "--devices", count, "--halo", scale->options.halo, "--profile", NULL);
    if (*scale->options.device)
        words_add(&words, "--device", scale->options.device, NULL);
    if (sample_run(&scale->run, &words, said))
        return true;
    fprintf(stderr, "dl-bench scale: lbm failed on %d devices, %s\n", devices, layout);
    return false;
}

/* ---- a line ---- */

/* Median speed and share of the planes; `at` is the size's place among the checksums.
 * False after a message. */
static bool scale_point(struct scale *scale, const char *layout, int devices,
                        const int *size, int at, double *mlups, double *halo_percent)
{
    const double cells = 1e-6 * size[0] * size[1] * size[2];
    double speeds[REPS_MAX];
    struct sample_said said;

    for (int r = 0; r < scale->run.reps; r++) {
        if (!scale_run(scale, layout, devices, size, &said))
            return false;
        if (!scale->has_checksum[at])
            scale->checksums[at] = said.checksum;
        scale->has_checksum[at] = true;
        scale->run.wrong = scale->run.wrong || said.checksum != scale->checksums[at];
        speeds[r] = cells * atoi(scale->options.steps) / said.time_s;
    }
    *mlups = median_of(speeds, (size_t)scale->run.reps);
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
    if (scale->run.csv)
        fprintf(scale->run.csv, "%s,%d,%s,%s,%s,%.4f,%.4f,%.4f,%.4f\n",
                weak ? "weak" : "strong", devices, layout, scale->options.size,
                scale->options.halo, numbers[0], numbers[1], numbers[2],
                numbers[3] / 100);
}

/* All counts of devices in one layout. `native`: in, and of native out, by place in the
 * list. */
static bool layout_run(struct scale *scale, bool weak, const char *layout, double *native)
{
    unsigned counts[COUNTS_MAX];
    const int count = (int)numbers_parse(scale->options.devices, counts, COUNTS_MAX);
    double mlups, halo_percent, one = 0;

    for (int n = 0; n < count; n++) {
        int devices = (int)counts[n],
            size[3] = {scale->run.size[0], scale->run.size[1], scale->run.size[2]};

        if (weak)
            size[2] *= devices;
        if (!scale_point(scale, layout, devices, size, weak ? n : 0, &mlups,
                         &halo_percent))
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
static bool scale_all_run(struct scale *scale, bool weak)
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
    struct scale scale = {.has_checksum = {false}};
    const struct scale_options *options = &scale.options;
    bool done;
    int code = bench_options_read(&scale_command, argc, argv, &scale.options);

    if (code != BENCH_GO_ON)
        return code;
    size_parse(options->size, scale.run.size);
    if (!samples_open(&scale.run, options->reps))
        return 1;
    done = csv_open(&scale.run.csv, options->csv,
                    "scaling,devices,layout,size,halo,mlups,efficiency,gain,halo_share",
                    "%s, medians of %d", options->device, scale.run.reps) &&
           (!list_has(options->scaling, "weak") || scale_all_run(&scale, true)) &&
           (!list_has(options->scaling, "strong") || scale_all_run(&scale, false));
    return samples_close(&scale.run, "scale", done);
}
