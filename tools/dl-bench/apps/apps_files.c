/* SPDX-License-Identifier: MIT */
/* apps.csv and summary.csv. A row's lines are written together, once the row is finished.
 */
#include "apps.h"
#include "apps_files.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { EACH_LENGTH = 32 /* up to here all lengths are written, then ten a decade */ };

static void path_make(const struct apps_options *options, const char *name,
                      char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%.4000s/%s", options->out, name);
}

/* ---- heads ---- */

static void settings_print(const struct apps_options *options, char *text, size_t bytes)
{
    snprintf(text, bytes, "# reps %s, steps %s, shrink %s%s\n", options->reps,
             options->steps, options->shrink, *options->small ? ", small" : "");
}

bool apps_files_fit(const struct apps_options *options, const char *device)
{
    char path[PATH_MAX], line[512], settings[256], was_device[512] = "";
    bool same = true;
    FILE *file;

    path_make(options, "summary.csv", path);
    file = fopen(path, "r");
    if (!file)
        return true;
    settings_print(options, settings, sizeof settings);
    if (fgets(line, sizeof line, file))
        sscanf(line, "# %511[^\n]", was_device);
    while (fgets(line, sizeof line, file) && *line == '#')
        if (strncmp(line, "# reps", 6) == 0)
            same = strcmp(line, settings) == 0;
    fclose(file);
    if (same && (!device || strcmp(was_device, device) == 0))
        return true;
    fprintf(stderr,
            "dl-bench apps: %s has rows of %s: give another --out, or the same "
            "--reps, --steps and --shrink\n",
            options->out, same ? was_device : "other settings");
    return false;
}

/* Opens a file to append to it; a new one gets its head. */
static FILE *file_open(const struct apps_options *options, const char *name,
                       const char *device, const char *columns, int argc, char **argv)
{
    char path[PATH_MAX], day[16], settings[256];
    time_t now = time(NULL);
    struct tm parts;
    FILE *file;

    path_make(options, name, path);
    file = fopen(path, "a");
    if (!file) {
        fprintf(stderr, "dl-bench apps: %s: %s\n", path, strerror(errno));
        return NULL;
    }
    setvbuf(file, NULL, _IOFBF, 1 << 20); /* so that a row comes whole or not at all */
    if (ftell(file) > 0)
        return file;
    strftime(day, sizeof day, "%Y-%m-%d", gmtime_r(&now, &parts));
    fprintf(file, "# %s\n# %s, dl-bench", device, day);
    for (int a = 1; a < argc; a++)
        fprintf(file, " %s", argv[a]);
    settings_print(options, settings, sizeof settings);
    fprintf(file, "\n%s%s\n", settings, columns);
    return file;
}

/* ---- apps.csv ---- */

static bool length_is_written(size_t length, size_t last)
{
    double decade = 10 * log10((double)length);

    return length <= EACH_LENGTH || length == last ||
           floor(decade) > floor(10 * log10((double)length - 1));
}

static void lengths_print(FILE *file, const struct apps_row *row,
                          const struct apps_cells *cells, enum apps_layout layout,
                          enum apps_state state)
{
    const struct apps_cell *cell = &cells->cell[layout][state];
    const struct apps_times *at = &cell->median;

    for (size_t length = 1; length <= at->steps; length++)
        if (length_is_written(length, at->steps))
            fprintf(file, "%s,%s,%s,%s,%s,%zu,%zu,%.4f,%.4f,%.4f,%.4f\n", row->name,
                    row->set, apps_layout_names[layout], apps_state_names[state],
                    cells->same ? "ok" : "WRONG", cell->count, length,
                    at->busy_ms[length - 1], at->kernel_ms[length - 1],
                    at->wall_ms[length - 1],
                    at->start_ms + at->wall_ms[length - 1] + at->end_ms);
}

/* ---- summary.csv ---- */

static void excess_print(FILE *file, const struct apps_excess *excess)
{
    fprintf(file, "%.3f,%.2f,%zu,", excess->ms, excess->percent, excess->at);
}

static void summary_print(FILE *file, const struct apps_row *row,
                          const struct apps_cells *cells, enum apps_layout layout,
                          enum apps_state state)
{
    const struct apps_cell *cell = &cells->cell[layout][state];
    const struct apps_cell *native =
        &cells->cell[APPS_NATIVE][apps_state_of(APPS_NATIVE, state)];
    struct apps_excess wall = apps_excess_of(cells, layout, state, false),
                       device = apps_excess_of(cells, layout, state, true);
    double best = apps_best_us(cells), over = 0;
    bool within = wall.within && device.within;

    if (best > 0 && cell->steady_busy_us > 0)
        over = 100 * (cell->steady_busy_us / best - 1);
    fprintf(file, "%s,%s,%s,%s,%s,%zu,%zu,%016llx,%.3f,%.3f,%.3f,%.3f,%.2f,", row->name,
            row->set, apps_layout_names[layout], apps_state_names[state],
            cells->same ? "ok" : "WRONG", cell->count, cell->median.steps,
            (unsigned long long)cell->runs[0].checksum, cell->steady_busy_us,
            cell->steady_kernel_us, cell->steady_wall_us, best, over);
    excess_print(file, &wall);
    excess_print(file, &device);
    fprintf(file, "%.3f,%.3f,%zu,%zu,%.3f,%s\n",
            cell->median.start_ms - native->median.start_ms,
            cell->median.end_ms - native->median.end_ms,
            apps_break_even(cells, layout, state, false),
            apps_break_even(cells, layout, state, true), cell->spread_ms,
            layout != APPS_AUTO                ? "-"
            : within && over <= STEADY_PERCENT ? "yes"
                                               : "no");
}

bool apps_files_add(const struct apps_options *options, const struct apps_row *row,
                    const struct apps_cells *cells, int argc, char **argv)
{
    const char *device = "";
    FILE *lengths, *summary;
    bool good;

    for (int s = 0; s < APPS_STATES && !*device; s++)
        if (cells->cell[APPS_NATIVE][s].count)
            device = cells->cell[APPS_NATIVE][s].runs[0].device;
    lengths = file_open(options, "apps.csv", device,
                        "row,set,layout,state,status,reps,iteration,device_ms,kernel_ms,"
                        "wall_ms,process_ms",
                        argc, argv);
    summary = file_open(options, "summary.csv", device, SUMMARY_COLUMNS, argc, argv);
    for (int l = 0; l < APPS_LAYOUTS && lengths && summary; l++)
        for (int s = 0; s < APPS_STATES; s++)
            if (cells->cell[l][s].count) {
                lengths_print(lengths, row, cells, (enum apps_layout)l,
                              (enum apps_state)s);
                summary_print(summary, row, cells, (enum apps_layout)l,
                              (enum apps_state)s);
            }
    good = lengths && summary && !ferror(lengths) && !ferror(summary);
    /* The summary comes last: it says that the row is finished. */
    good = lengths && fclose(lengths) == 0 && good;
    good = summary && fclose(summary) == 0 && good;
    if (!good)
        fprintf(stderr, "dl-bench apps: %s could not be written\n", options->out);
    return good;
}

bool apps_files_have(const struct apps_options *options, const char *row)
{
    char path[PATH_MAX], line[1024];
    size_t bytes = strlen(row);
    bool found = false;
    FILE *file;

    path_make(options, "summary.csv", path);
    file = fopen(path, "r");
    while (file && !found && fgets(line, sizeof line, file))
        found = strncmp(line, row, bytes) == 0 && line[bytes] == ',';
    if (file)
        fclose(file);
    return found;
}
