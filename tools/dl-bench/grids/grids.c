/* SPDX-License-Identifier: MIT */
/* dl-bench grids: the samples on grids by layout, one dimension varied (Sung 2013,
 * figures 6.6 to 6.14): natively, in the layouts of structs, and in layouts of bits under
 * dl-run --layout grid. */
#include "tools/dl-bench/grids/grids.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tools/dl-bench/flags.h"
#include "tools/dl-bench/sample.h"

enum { REPS_MAX = 31, ARGUMENTS_MAX = 32, SIZES_MAX = 64, SIZE_MAX_CELLS = 4096 };

#define GRIDS_OPTION_MAP(X)                                                              \
    X(device, "device", "SUBSTRING", "", "a part of the device's or platform's name")    \
    X(samples, "samples", "LIST", "lbm,heat,cfd", "which samples")                       \
    X(vary, "vary", "LIST", "x,y,z", "which dimensions, each by itself")                 \
    X(sizes, "sizes", "LIST", "64-512", "cells along it; 64-512: in 15 steps")           \
    X(size, "size", "XxYxZ", "128x128x128", "cells along the others")                    \
    X(layouts, "layouts", "LIST", "native,asta,da,derived,tesla",                        \
      "native is AoS or row-major; derived is for the device, tesla for the thesis's")   \
    X(steps, "steps", "N", "100", "time steps")                                          \
    X(reps, "reps", "N", "3", "runs of each; the median counts")                         \
    X(csv, "csv", "FILE", "", "write every line as comma-separated values")

struct grids_options {
#define X(name, flag, value, fallback, help) const char *name;
    GRIDS_OPTION_MAP(X)
#undef X
};

struct grids {
    struct grids_options options;
    char folder[PATH_MAX], work[PATH_MAX]; /* of dl-bench; a new one */
    struct grids_device device;
    int size[3], reps;
    unsigned sizes[SIZES_MAX];
    size_t size_count;
    bool wrong;
    FILE *csv;
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

static const struct bench_flag flags[] = {
#define X(...) BENCH_FLAG(struct grids_options, __VA_ARGS__)
    GRIDS_OPTION_MAP(X)
#undef X
};

static void help_print(FILE *out)
{
    fputs("usage: dl-bench grids [options]\n"
          "Runs samples on grids, natively and under dl-run, with one dimension "
          "varied.\n\n",
          out);
    bench_flags_print(out, flags, sizeof flags / sizeof *flags);
}

/* "64-512": 15 of the same distance; else a list. */
static bool sizes_parse(struct grids *grids)
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
    for (size_t s = 0; s < grids->size_count; s++)
        if (grids->sizes[s] < 3 || grids->sizes[s] > SIZE_MAX_CELLS)
            return false;
    return grids->size_count > 0;
}

static bool words_are(const char *list, const char *allowed)
{
    char word[32], framed[40];
    bool any = false;

    while (sample_next_word(&list, word, sizeof word)) {
        snprintf(framed, sizeof framed, ",%s,", word);
        if (!strstr(allowed, framed))
            return false;
        any = true;
    }
    return any;
}

static bool values_parse(struct grids *grids)
{
    int end = 0;

    grids->reps = atoi(grids->options.reps);
    return grids->reps >= 1 && grids->reps <= REPS_MAX &&
           atoi(grids->options.steps) >= 1 && sizes_parse(grids) &&
           sscanf(grids->options.size, "%4dx%4dx%4d%n", &grids->size[0], &grids->size[1],
                  &grids->size[2], &end) == 3 &&
           !grids->options.size[end] && grids->size[0] >= 3 && grids->size[1] >= 3 &&
           grids->size[2] >= 3 && words_are(grids->options.samples, ",lbm,heat,cfd,") &&
           words_are(grids->options.vary, ",x,y,z,") &&
           words_are(grids->options.layouts, ",native,asta,da,derived,tesla,");
}

static enum bench_flags options_parse(int argc, char **argv, struct grids *grids)
{
    enum bench_flags read = bench_flags_read(flags, sizeof flags / sizeof *flags, argc,
                                             argv, &grids->options);

    if (read != BENCH_FLAGS_READ)
        return read;
    if (values_parse(grids))
        return BENCH_FLAGS_READ;
    fprintf(stderr, "dl-bench grids: look at --samples, --vary, --sizes, --size, "
                    "--layouts, --steps and --reps\n");
    return BENCH_FLAGS_BAD;
}

/* ---- a run ---- */

/* Whether a statistics file says that no launch ran as written. */
static bool all_rewritten(const char *path)
{
    char text[4096] = "";
    const char *at;
    FILE *in = fopen(path, "r");

    if (!in)
        return false;
    text[fread(text, 1, sizeof text - 1, in)] = '\0';
    fclose(in);
    at = strstr(text, "\"native_launches\":");
    return at && strtol(at + strlen("\"native_launches\":"), NULL, 10) == 0;
}

static bool run(const struct grids *grids, const struct point *point,
                struct sample_said *said, bool *rewritten)
{
    char runner[PATH_MAX + 32], program[PATH_MAX + 32], side[PATH_MAX + 32],
        stats[PATH_MAX + 32], cells[64];
    const char *argv[ARGUMENTS_MAX] = {NULL};
    const bool native = strcmp(point->layout, "native") == 0;
    size_t argc = 0;

    snprintf(runner, sizeof runner, "%s/dl-run", grids->folder);
    snprintf(program, sizeof program, "%s/../samples/%s", grids->folder,
             point->sample->name);
    snprintf(side, sizeof side, "%s/annotations", grids->work);
    snprintf(stats, sizeof stats, "--stats=%s/stats.json", grids->work);
    snprintf(cells, sizeof cells, "%dx%dx%d", point->size[0], point->size[1],
             point->size[2]);
    if (!native) {
        argv[argc++] = runner;
        argv[argc++] = "--layout";
        argv[argc++] = *point->strips ? "grid" : point->layout;
        argv[argc++] = stats;
    }
    if (*point->strips) {
        /* What DL derives itself is what a program gets: its own order runs as written.
         */
        const char *layout = strcmp(point->layout, "derived") ? point->strips : NULL;

        if (!grids_annotate(side, point->sample, layout))
            return false;
        argv[argc++] = "--annotations";
        argv[argc++] = side;
    }
    if (!native)
        argv[argc++] = "--";
    const char *const words[] = {
        program, "--size", cells, "--steps", grids->options.steps, "--profile"};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        argv[argc++] = words[w];
    if (*grids->options.device) {
        argv[argc++] = "--device";
        argv[argc++] = grids->options.device;
    }
    if (*point->sample->variant) {
        argv[argc++] = "--variant";
        argv[argc++] = point->sample->variant;
    }
    if (!sample_run(argv, said))
        return false;
    *rewritten = native || all_rewritten(stats + strlen("--stats="));
    return true;
}

/* ---- lines ---- */

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

    for (int r = 0; r < grids->reps; r++) {
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
    time_s = median_of(times, (size_t)grids->reps);
    if (is_first)
        *native_s = time_s;
    grids->wrong = grids->wrong || !right;
    status = !right ? "WRONG" : rewritten ? "ok" : "as_written";
    printf("%-5s %c  %4dx%4dx%4d  %-8s %10.1f MLUPS  time %6.3f of native  %-10s %s\n",
           point->sample->name, point->vary, point->size[0], point->size[1],
           point->size[2], point->layout, updates / time_s, time_s / *native_s, status,
           point->strips);
    fflush(stdout);
    if (grids->csv)
        fprintf(grids->csv, "%s,%c,%d,%d,%d,%d,%s,%s,%s,%.3f,%.4f\n", point->sample->name,
                point->vary, point->size[point->vary - 'x'], point->size[0],
                point->size[1], point->size[2], point->layout, point->strips, status,
                updates / time_s, time_s / *native_s);
    return true;
}

/* All layouts at one size, natively first. */
static bool size_run(struct grids *grids, struct point *point)
{
    const char *layouts = grids->options.layouts;
    char word[32];
    const struct grids_device tesla = grids_tesla();
    unsigned long long checksum = 0;
    double native_s = 0;

    point->layout = "native";
    *point->strips = '\0';
    if (!point_run(grids, point, &native_s, &checksum))
        return false;
    while (sample_next_word(&layouts, word, sizeof word)) {
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
    return true;
}

static bool sample_vary(struct grids *grids, const struct grids_sample *sample)
{
    const char *varied = grids->options.vary;
    struct point point = {.sample = sample};
    char word[8];

    while (sample_next_word(&varied, word, sizeof word))
        for (size_t s = 0; s < grids->size_count; s++) {
            memcpy(point.size, grids->size, sizeof point.size);
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

    while (sample_next_word(&names, word, sizeof word))
        for (size_t n = 0; n < grids_sample_count; n++)
            if (strcmp(grids_samples[n].name, word) == 0 &&
                !sample_vary(grids, &grids_samples[n]))
                return false;
    return true;
}

/* ---- all ---- */

static bool csv_open(struct grids *grids, int argc, char **argv)
{
    time_t now = time(NULL);
    char date[32];

    if (!*grids->options.csv)
        return true;
    grids->csv = fopen(grids->options.csv, "w");
    if (!grids->csv) {
        perror(grids->options.csv);
        return false;
    }
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    fprintf(grids->csv, "# %s, medians of %d\n# %s, dl-bench", grids->options.device,
            grids->reps, date);
    for (int a = 1; a < argc; a++)
        fprintf(grids->csv, " %s", *argv[a] ? argv[a] : "''");
    fputs("\nsample,vary,cells,x,y,z,layout,strips,status,mlups,time_part\n", grids->csv);
    return true;
}

static void work_remove(const struct grids *grids)
{
    static const char *const files[] = {"annotations", "stats.json"};
    char path[PATH_MAX + 32];

    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        snprintf(path, sizeof path, "%s/%s", grids->work, files[f]);
        unlink(path);
    }
    rmdir(grids->work);
}

int grids_main(int argc, char **argv)
{
    struct grids grids = {.wrong = false};
    const char *temporary = getenv("TMPDIR");
    bool done = false;

    enum bench_flags read = options_parse(argc, argv, &grids);

    if (read == BENCH_FLAGS_HELP)
        help_print(stdout);
    if (read != BENCH_FLAGS_READ)
        return read == BENCH_FLAGS_HELP ? 0 : 2;
    snprintf(grids.work, sizeof grids.work, "%s/dl-bench-XXXXXX",
             temporary && *temporary ? temporary : "/tmp");
    if (!sample_folder(grids.folder) || !mkdtemp(grids.work)) {
        perror(grids.work);
        return 1;
    }
    if (grids_device_find(grids.options.device, &grids.device) &&
        csv_open(&grids, argc, argv))
        done = all_run(&grids);
    if (grids.csv)
        fclose(grids.csv);
    work_remove(&grids);
    if (grids.wrong)
        fputs("dl-bench grids: WRONG: checksums differ\n", stderr);
    return done && !grids.wrong ? 0 : 1;
}
