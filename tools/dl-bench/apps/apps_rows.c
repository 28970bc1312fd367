/* SPDX-License-Identifier: MIT */
/* What is run: the samples, and every pattern of dl-patterns. */
#include "apps.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Five matrices of the thesis's table 5.1 are made up, with its rows and longest rows. */
static const struct sample {
    const char *name, *set, *program, *arguments, *small;
    int step_max, reps_max;
} samples[] = {
    {"lbm_32", "samples", "lbm", "--size 32x32x32", "--size 8x8x8", 0, 0},
    {"lbm_64", "samples", "lbm", "--size 64x64x64", "--size 9x8x7", 0, 0},
    {"lbm_128", "thesis", "lbm", "--size 128x128x128", "--size 10x8x8", 0, 0},
    {"lbm_256", "samples", "lbm", "--size 256x256x256", "--size 11x8x8", 300, 0},
    /* 11 GB for a grid, and as much to fill, to write and to read back: minutes for a row
     */
    {"lbm_512", "large", "lbm", "--size 512x512x512", "--size 12x8x8", 60, 1},
    {"black_scholes", "thesis", "black_scholes", "--options 16000000", "--options 4096",
     0, 0},
    {"spmv_bcsstk18_generated", "thesis", "spmv", "--shape bcsstk18",
     "--rows 119 --width 40", 0, 0},
    {"spmv_e40r000_generated", "thesis", "spmv", "--shape e40r000",
     "--rows 173 --width 62", 0, 0},
    {"spmv_bcsstk31_generated", "thesis", "spmv", "--shape bcsstk31",
     "--rows 356 --width 197", 0, 0},
    {"spmv_s3dkq4m2_generated", "thesis", "spmv", "--shape s3dkq4m2",
     "--rows 904 --width 59", 0, 0},
    {"spmv_conf6.0_generated", "thesis", "spmv", "--shape conf6.0",
     "--rows 492 --width 39", 0, 0},
    {"spmv_wide", "samples", "spmv", "--rows 500000 --width 100",
     "--rows 500 --width 100", 0, 0},
};
enum { SAMPLES = sizeof samples / sizeof *samples };

bool apps_list_has(const char *list, const char *word)
{
    size_t bytes = strlen(word);

    for (const char *at = list; at; at = strchr(at, ','), at = at ? at + 1 : NULL)
        if (strncmp(at, word, bytes) == 0 && (at[bytes] == ',' || !at[bytes]))
            return true;
    return false;
}

/* A row is asked for by its name, the beginning of it, or its set; thesis is among the
 * samples. Large ones have to be. */
static bool wanted(const struct apps_options *options, const char *name, const char *set)
{
    if ((!*options->rows && strcmp(set, "large") != 0) ||
        apps_list_has(options->rows, set) ||
        (strcmp(set, "thesis") == 0 && apps_list_has(options->rows, "samples")))
        return true;
    for (const char *at = options->rows; at;
         at = strchr(at, ','), at = at ? at + 1 : NULL) {
        size_t bytes = strcspn(at, ",");
        if (bytes > 0 && strncmp(name, at, bytes) == 0)
            return true;
    }
    return false;
}

static struct apps_row *row_add(struct apps_rows *rows, const char *name, const char *set)
{
    struct apps_row *grown = realloc(rows->rows, (rows->count + 1) * sizeof *rows->rows),
                    *row;

    if (!grown) {
        fprintf(stderr, "dl-bench apps: out of memory\n");
        return NULL;
    }
    rows->rows = grown;
    row = &grown[rows->count++];
    *row = (struct apps_row){0};
    snprintf(row->name, sizeof row->name, "%s", name);
    snprintf(row->set, sizeof row->set, "%s", set);
    return row;
}

/* The samples lie beside bin/ in a build folder. */
static bool sample_add(struct apps_rows *rows, const struct sample *sample,
                       const char *name, const char *arguments)
{
    struct apps_row *row = row_add(rows, name, sample->set);

    if (!row)
        return false;
    snprintf(row->program, sizeof row->program, "%.4000s/../samples/%s", rows->folder,
             sample->program);
    snprintf(row->arguments, sizeof row->arguments, "%s", arguments);
    row->step_max = sample->step_max;
    row->reps_max = sample->reps_max;
    if (access(row->program, X_OK) == 0)
        return true;
    fprintf(stderr,
            "dl-bench apps: %s is not there: build the samples, or leave them out by "
            "--rows patterns\n",
            row->program);
    return false;
}

/* The matrix that is at hand, or else one of its shape. */
static bool matrix_add(const struct apps_options *options, struct apps_rows *rows)
{
    static const struct sample real = {.set = "thesis", .program = "spmv"};
    const char *environment = getenv("DL_MATRICES");
    const char *const folders[] = {options->matrices, environment ? environment : "",
                                   "../shared/matrices"};
    char file[PATH_MAX], arguments[PATH_MAX + 16];

    for (size_t f = 0; f < 3 && !*options->small; f++) {
        snprintf(file, sizeof file, "%s/bcsstk32.mtx.gz", folders[f]);
        if (!*folders[f] || access(file, R_OK) != 0)
            continue;
        snprintf(arguments, sizeof arguments, "--matrix %s", file);
        return !wanted(options, "spmv_bcsstk32", "thesis") ||
               sample_add(rows, &real, "spmv_bcsstk32", arguments);
    }
    return !wanted(options, "spmv_bcsstk32_generated", "thesis") ||
           sample_add(rows, &real, "spmv_bcsstk32_generated",
                      *options->small ? "--rows 446 --width 215" : "--shape bcsstk32");
}

/* dl-patterns says what it has. */
static bool patterns_add(const struct apps_options *options, struct apps_rows *rows)
{
    char command[PATH_MAX + 32], line[256], name[40];
    struct apps_row *row;
    int step_max;
    bool good = true;
    FILE *pipe;

    snprintf(command, sizeof command, "'%s/dl-patterns' --list", rows->folder);
    pipe = popen(command, "r");
    while (good && pipe && fgets(line, sizeof line, pipe)) {
        if (sscanf(line, "%39s %d", name, &step_max) != 2 ||
            !wanted(options, name, "patterns"))
            continue;
        row = row_add(rows, name, "patterns");
        good = row != NULL;
        if (!good)
            break;
        snprintf(row->program, sizeof row->program, "%.4000s/dl-patterns", rows->folder);
        snprintf(row->arguments, sizeof row->arguments, "--pattern %s --shrink %s", name,
                 options->shrink);
        row->step_max = step_max;
    }
    if (!pipe || pclose(pipe) != 0) {
        fprintf(stderr, "dl-bench apps: %s does not work\n", command);
        good = false;
    }
    return good;
}

/* Every N-th row stays, from the I-th on. */
static bool part_take(const char *part, struct apps_rows *rows)
{
    unsigned long index = 0, parts = 0;
    size_t kept = 0;
    char rest;

    if (sscanf(part, "%lu/%lu%c", &index, &parts, &rest) != 2 || index >= parts) {
        fprintf(stderr, "dl-bench apps: --part %s: I/N expected, as 0/4 to 3/4\n", part);
        return false;
    }
    for (size_t r = index; r < rows->count; r += parts)
        rows->rows[kept++] = rows->rows[r];
    rows->count = kept;
    return true;
}

bool apps_rows_make(const struct apps_options *options, struct apps_rows *out)
{
    ssize_t bytes = readlink("/proc/self/exe", out->folder, sizeof out->folder - 1);
    char *slash;

    out->folder[bytes > 0 ? bytes : 0] = '\0';
    slash = strrchr(out->folder, '/');
    if (slash)
        *slash = '\0';
    for (int s = 0; s < SAMPLES; s++)
        if (wanted(options, samples[s].name, samples[s].set) &&
            !sample_add(out, &samples[s], samples[s].name,
                        *options->small ? samples[s].small : samples[s].arguments))
            return false;
    if (!matrix_add(options, out) || !patterns_add(options, out))
        return false;
    if (out->count == 0)
        fprintf(stderr, "dl-bench apps: --rows %s: no such row; --list prints them\n",
                options->rows);
    return out->count > 0 && part_take(options->part, out);
}
