/* SPDX-License-Identifier: MIT */
/* dl-bench apps: whole programs, the samples and dl-patterns, natively and under dl-run
 * in every layout, with what the caches hold from earlier runs and without. Device time,
 * the host's time and break-even are read off one long run each; FOLDER keeps finished
 * rows, so that it can be run in parts. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "layout/words.h"
#include "tools/dl-bench/bench.h"

#define APPS_OPTION_MAP(X)                                                               \
    X(device, "SUBSTRING", "", "s", "a part of the device's name; default: a GPU")       \
    X(out, "FOLDER", "apps-results", "o",                                                \
      "apps.csv and summary.csv; a row that is there is not run again")                  \
    X(rows, "LIST", "", "",                                                              \
      "programs by name or the beginning of a name, or all of a group: samples, "        \
      "patterns, thesis or large; default: all but large")                               \
    X(layouts, "LIST", "native,aos,asta,da,auto", "*", "native is always run")           \
    X(states, "LIST", "cold,warm,remembered", "*",                                       \
      "what the caches hold from earlier runs")                                          \
    X(reps, "N", "5", "1-31", "timed runs; the median counts")                           \
    X(steps, "N", "1000", "1-1000000", "the longest run; shorter ones are read off it")  \
    X(shrink, "N", "1", "1-1048576",                                                     \
      "make the patterns' buffers this many times smaller")                              \
    BENCH_PART(X)                                                                        \
    X(minutes, "N", "0", ".0-1000000",                                                   \
      "start no other row after this time; 0: no limit")                                 \
    X(small, "", "", "", "for a CPU: small samples, --shrink 256 and --steps 20")        \
    X(check, "", "", "", "exit code 1 where `auto` breaks a bound")                      \
    X(explain, "", "", "", "print what `auto` decides in each of its runs")              \
    X(report, "", "", "", "run nothing; only what FOLDER has")                           \
    X(list, "", "", "", "print the rows")

struct apps_options {
    APPS_OPTION_MAP(BENCH_FIELD)
};

enum apps_layout { APPS_NATIVE, APPS_AOS, APPS_ASTA, APPS_DA, APPS_AUTO, APPS_LAYOUTS };
/* Cold: nothing is left of earlier runs. Warm: rewritten texts and all binaries are,
 * decisions of the policy are not. Remembered: everything is. */
enum apps_state { APPS_COLD, APPS_WARM, APPS_REMEMBERED, APPS_STATES };
enum { APPS_REPS_MAX = 31 };

struct apps_row {
    char name[40], set[16];
    char program[PATH_MAX], arguments[256 + PATH_MAX]; /* separated by spaces */
    int step_max, reps_max;                            /* 0: no limit of its own */
};

/* Times in milliseconds, each until the end of a step: of the queue, busy with the
 * program's commands and what stands before them; of the commands alone; of the host,
 * from an open context. `start` is the rest before, without what the program does by
 * itself, and `end` all after. */
enum apps_clock { APPS_BUSY, APPS_KERNEL, APPS_WALL, APPS_CLOCKS };

struct apps_times {
    size_t steps;
    double *ms[APPS_CLOCKS];
    double start_ms, end_ms;
    uint64_t checksum;
    char device[256];
};

/* All runs of a row, and their medians. */
struct apps_cell {
    size_t count;
    struct apps_times runs[APPS_REPS_MAX], median;
    double steady_us[APPS_CLOCKS]; /* a step; 0: too few steps */
    double spread_ms,              /* of the runs' whole times */
        least_ms;                  /* the shortest of these */
};

struct apps_cells {
    struct apps_cell cell[APPS_LAYOUTS][APPS_STATES];
    bool same; /* all checksums */
    bool said; /* what DL has to say of the row is printed */
};

/* How many rows have wrong results, and how many break a bound of `auto`. */
struct apps_verdict {
    size_t wrong, over;
};

/* ---- results ----
 *
 * Medians of a row's runs, what follows from them, and the files that keep it. A row's
 * lines are written together, once the row is finished. */

/* A line is a row in one layout and state. Excesses are over native in the same state, at
 * the length of run where they are the most beyond the bound's share of native; at: that
 * length. kept_percent: of the best layout's gain, by the run that keeps the least; 100
 * where there is none. */
#define SUMMARY_MAP(X)                                                                   \
    X(row)                                                                               \
    X(set)                                                                               \
    X(layout)                                                                            \
    X(state)                                                                             \
    X(status)                                                                            \
    X(reps)                                                                              \
    X(steps)                                                                             \
    X(checksum)                                                                          \
    X(steady_device_us)                                                                  \
    X(steady_kernel_us)                                                                  \
    X(steady_wall_us)                                                                    \
    X(best_device_us)                                                                    \
    X(over_best_percent)                                                                 \
    X(wall_excess_ms)                                                                    \
    X(wall_excess_percent)                                                               \
    X(wall_excess_at)                                                                    \
    X(device_excess_ms)                                                                  \
    X(device_excess_percent)                                                             \
    X(device_excess_at)                                                                  \
    X(start_excess_ms)                                                                   \
    X(end_excess_ms)                                                                     \
    X(break_even_wall)                                                                   \
    X(break_even_device)                                                                 \
    X(spread_ms)                                                                         \
    X(least_ms)                                                                          \
    X(kept_percent)                                                                      \
    X(within)
enum summary_column {
#define X(name) SUMMARY_##name,
    SUMMARY_MAP(X)
#undef X
        SUMMARY_COUNT
};
#define SUMMARY_NAME(name) "," #name
#define SUMMARY_COLUMNS (&(SUMMARY_MAP(SUMMARY_NAME))[1])
/* A gain is there where native takes so many times as long as the best layout, in steady
 * state; of a gain that is remembered, each run keeps this share, and where there is none
 * it stays as close to native. */
static const double gain_least = 1.2, gain_kept = 0.9, native_most = 1.02;

static const char *const apps_layout_names[APPS_LAYOUTS] = {"native", "aos", "asta", "da",
                                                            "auto"};
static const char *const apps_state_names[APPS_STATES] = {"cold", "warm", "remembered"};

static void apps_times_free(struct apps_times *times)
{
    for (int c = 0; c < APPS_CLOCKS; c++)
        free(times->ms[c]);
    *times = (struct apps_times){0};
}

/* The largest excess over native at any length of run, beyond a share of native. */
struct apps_excess {
    double ms, percent;
    size_t at;
    bool within;
};

/* `auto` promises to stay within this share of native and these milliseconds over it. */
static const struct bound {
    double share, ms;
} bounds[APPS_STATES] = {
    [APPS_COLD] = {0.1, 100}, [APPS_WARM] = {0.1, 100}, [APPS_REMEMBERED] = {0.02, 20}};

/* Only `auto` makes decisions: for the others, remembered is warm. */
static enum apps_state apps_state_of(enum apps_layout layout, enum apps_state state)
{
    return state == APPS_REMEMBERED && layout != APPS_AUTO ? APPS_WARM : state;
}

static const struct apps_cell *cell_of(const struct apps_cells *cells,
                                       enum apps_layout layout, enum apps_state state)
{
    return &cells->cell[layout][apps_state_of(layout, state)];
}

/* ---- medians ---- */

/* Microseconds of a step in the second half of a run. */
static double steady_us(const double *sums_ms, size_t steps)
{
    size_t half = steps / 2;

    if (steps < 4)
        return 0;
    return 1e3 * (sums_ms[steps - 1] - sums_ms[half - 1]) / (double)(steps - half);
}

static bool cell_sum(struct apps_cell *cell)
{
    struct apps_times *median = &cell->median;
    double starts[APPS_REPS_MAX], ends[APPS_REPS_MAX], values[APPS_REPS_MAX];

    median->steps = cell->runs[0].steps;
    for (size_t r = 0; r < cell->count; r++) {
        const struct apps_times *run = &cell->runs[r];

        starts[r] = run->start_ms;
        ends[r] = run->end_ms;
        values[r] = run->start_ms + run->ms[APPS_WALL][run->steps - 1] + run->end_ms;
        median->steps = run->steps < median->steps ? run->steps : median->steps;
    }
    median->start_ms = median_of(starts, cell->count);
    median->end_ms = median_of(ends, cell->count);
    median_of(values, cell->count);
    cell->spread_ms = values[cell->count - 1] - values[0];
    cell->least_ms = values[0];
    for (int c = 0; c < APPS_CLOCKS; c++) {
        median->ms[c] = calloc(median->steps, sizeof *median->ms[c]);
        if (!median->ms[c]) {
            fprintf(stderr, "dl-bench apps: out of memory\n");
            return false;
        }
        for (size_t s = 0; s < median->steps; s++) {
            for (size_t r = 0; r < cell->count; r++)
                values[r] = cell->runs[r].ms[c][s];
            median->ms[c][s] = median_of(values, cell->count);
        }
        for (size_t r = 0; r < cell->count; r++)
            values[r] = steady_us(cell->runs[r].ms[c], cell->runs[r].steps);
        cell->steady_us[c] = median_of(values, cell->count);
    }
    return true;
}

/* False: out of memory. */
static bool apps_cells_sum(struct apps_cells *cells)
{
    const struct apps_cell *native = NULL;

    cells->same = true;
    for (int l = 0; l < APPS_LAYOUTS; l++)
        for (int s = 0; s < APPS_STATES; s++) {
            struct apps_cell *cell = &cells->cell[l][s];
            if (cell->count == 0)
                continue;
            if (!cell_sum(cell))
                return false;
            native = native ? native : cell; /* the first is native */
            for (size_t r = 0; r < cell->count; r++)
                cells->same =
                    cells->same && cell->runs[r].checksum == native->runs[0].checksum;
        }
    return native != NULL;
}

static void apps_cells_free(struct apps_cells *cells)
{
    for (int l = 0; l < APPS_LAYOUTS; l++)
        for (int s = 0; s < APPS_STATES; s++) {
            struct apps_cell *cell = &cells->cell[l][s];
            for (size_t r = 0; r < cell->count; r++)
                apps_times_free(&cell->runs[r]);
            apps_times_free(&cell->median);
        }
    *cells = (struct apps_cells){0};
}

/* ---- beside native ---- */

/* The time of a run of `step + 1` steps. */
static double length_ms(const struct apps_cell *cell, size_t step, bool device)
{
    const struct apps_times *at = &cell->median;

    return device ? at->ms[APPS_BUSY][step]
                  : at->start_ms + at->ms[APPS_WALL][step] + at->end_ms;
}

static size_t common_steps(const struct apps_cell *one, const struct apps_cell *other)
{
    size_t a = one->count ? one->median.steps : 0,
           b = other->count ? other->median.steps : 0;

    return a < b ? a : b;
}

/* Of the host's time or the device's, in the state; the bound is that of `auto` in it. */
static struct apps_excess excess_of(const struct apps_cells *cells,
                                    enum apps_layout layout, enum apps_state state,
                                    bool device)
{
    const struct apps_cell *native = cell_of(cells, APPS_NATIVE, state);
    const struct apps_cell *cell = cell_of(cells, layout, state);
    const struct bound *bound = &bounds[state];
    struct apps_excess out = {.within = true};
    double worst_ms = 0;

    for (size_t s = 0; s < common_steps(native, cell); s++) {
        double native_ms = length_ms(native, s, device);
        double over_ms = length_ms(cell, s, device) - native_ms;
        double beyond_ms = over_ms - bound->share * native_ms;
        if (s > 0 && beyond_ms <= worst_ms)
            continue;
        worst_ms = beyond_ms;
        out = (struct apps_excess){over_ms, 100 * over_ms / native_ms, s + 1,
                                   beyond_ms <= bound->ms};
    }
    return out;
}

/* The first length from which on the layout is never behind native; 0: there is none. */
static size_t break_even(const struct apps_cells *cells, enum apps_layout layout,
                         enum apps_state state, bool device)
{
    const struct apps_cell *native = cell_of(cells, APPS_NATIVE, state);
    const struct apps_cell *cell = cell_of(cells, layout, state);
    size_t steps = common_steps(native, cell), from = 0;

    for (size_t s = steps; s-- > 0;) {
        if (length_ms(cell, s, device) > length_ms(native, s, device))
            break;
        from = s + 1;
    }
    return from;
}

/* The best of native, asta and da in steady state, in microseconds of the device; 0: not
 * known. */
static double best_us(const struct apps_cells *cells)
{
    static const enum apps_layout layouts[] = {APPS_NATIVE, APPS_ASTA, APPS_DA};
    double best = 0;

    for (int l = 0; l < 3; l++) {
        const struct apps_cell *cell = cell_of(cells, layouts[l], APPS_WARM);
        if (cell->count == 0)
            cell = cell_of(cells, layouts[l], APPS_COLD);
        if (cell->steady_us[APPS_BUSY] > 0 &&
            (best == 0 || cell->steady_us[APPS_BUSY] < best))
            best = cell->steady_us[APPS_BUSY];
    }
    return best;
}

/* The least share of the best layout's gain that a run of the cell has in steady state; 1
 * where no layout gains. */
static double share_kept(const struct apps_cells *cells, const struct apps_cell *native,
                         const struct apps_cell *cell)
{
    double best = best_us(cells), least = 1;

    if (best <= 0 || native->steady_us[APPS_BUSY] < gain_least * best)
        return 1;
    for (size_t r = 0; r < cell->count; r++) {
        double us = steady_us(cell->runs[r].ms[APPS_BUSY], cell->runs[r].steps);
        double share =
            (native->steady_us[APPS_BUSY] - us) / (native->steady_us[APPS_BUSY] - best);
        least = share < least ? share : least;
    }
    return least;
}

/* Whether `auto` does in steady state what is asked of a run with decisions. */
static bool steady_is_good(const struct apps_cells *cells, const struct apps_cell *native,
                           const struct apps_cell *cell, enum apps_state state)
{
    double best = best_us(cells);

    if (state != APPS_REMEMBERED || best <= 0)
        return true;
    return native->steady_us[APPS_BUSY] >= gain_least * best
               ? share_kept(cells, native, cell) >= gain_kept
               : cell->steady_us[APPS_BUSY] <= native_most * native->steady_us[APPS_BUSY];
}

enum { EACH_LENGTH = 32 /* up to here all lengths are written, then ten a decade */ };

static void path_make(const struct apps_options *options, const char *name,
                      char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%.4000s/%s", options->out, name);
}

/* ---- heads ---- */

static void settings_print(const struct apps_options *options, char *text, size_t bytes)
{
    snprintf(text, bytes, "# reps %s, steps %s, shrink %s%s", options->reps,
             options->steps, options->shrink, *options->small ? ", small" : "");
}

/* False after a message: FOLDER is of another device or of other options. */
static bool apps_files_fit(const struct apps_options *options, const char *device)
{
    char path[PATH_MAX], line[512], settings[256], was_device[512] = "";
    bool same;
    FILE *file;

    path_make(options, "summary.csv", path);
    file = fopen(path, "r");
    if (!file)
        return true;
    if (fgets(line, sizeof line, file))
        sscanf(line, "# %511[^\n]", was_device);
    fclose(file);
    settings_print(options, settings, sizeof settings);
    same = !file_line(path, "# reps", line, sizeof line) || strcmp(line, settings) == 0;
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
                       const char *device, const char *columns)
{
    char path[PATH_MAX], settings[256];
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
    settings_print(options, settings, sizeof settings);
    fprintf(file, "# %s\n# ", device);
    command_print(file);
    fprintf(file, "%s\n%s\n", settings, columns);
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
                    at->ms[APPS_BUSY][length - 1], at->ms[APPS_KERNEL][length - 1],
                    at->ms[APPS_WALL][length - 1],
                    at->start_ms + at->ms[APPS_WALL][length - 1] + at->end_ms);
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
    const struct apps_cell *native = cell_of(cells, APPS_NATIVE, state);
    struct apps_excess wall = excess_of(cells, layout, state, false),
                       device = excess_of(cells, layout, state, true);
    double best = best_us(cells), over = 0;
    bool within =
        wall.within && device.within && steady_is_good(cells, native, cell, state);

    if (best > 0 && cell->steady_us[APPS_BUSY] > 0)
        over = 100 * (cell->steady_us[APPS_BUSY] / best - 1);
    fprintf(file, "%s,%s,%s,%s,%s,%zu,%zu,%016llx,%.3f,%.3f,%.3f,%.3f,%.2f,", row->name,
            row->set, apps_layout_names[layout], apps_state_names[state],
            cells->same ? "ok" : "WRONG", cell->count, cell->median.steps,
            (unsigned long long)cell->runs[0].checksum, cell->steady_us[APPS_BUSY],
            cell->steady_us[APPS_KERNEL], cell->steady_us[APPS_WALL], best, over);
    excess_print(file, &wall);
    excess_print(file, &device);
    fprintf(file, "%.3f,%.3f,%zu,%zu,%.3f,%.3f,%.1f,%s\n",
            cell->median.start_ms - native->median.start_ms,
            cell->median.end_ms - native->median.end_ms,
            break_even(cells, layout, state, false),
            break_even(cells, layout, state, true), cell->spread_ms, cell->least_ms,
            100 * share_kept(cells, native, cell),
            layout != APPS_AUTO ? "-"
            : within            ? "yes"
                                : "no");
}

/* Appends a row's lines to apps.csv and summary.csv. */
static bool apps_files_add(const struct apps_options *options, const struct apps_row *row,
                           const struct apps_cells *cells)
{
    const char *device = "";
    FILE *lengths, *summary;
    bool good;

    for (int s = 0; s < APPS_STATES && !*device; s++)
        if (cells->cell[APPS_NATIVE][s].count)
            device = cells->cell[APPS_NATIVE][s].runs[0].device;
    lengths = file_open(options, "apps.csv", device,
                        "row,set,layout,state,status,reps,iteration,device_ms,kernel_ms,"
                        "wall_ms,process_ms");
    summary = file_open(options, "summary.csv", device, SUMMARY_COLUMNS);
    for (enum apps_layout l = 0; l < APPS_LAYOUTS && lengths && summary; l++)
        for (enum apps_state s = 0; s < APPS_STATES; s++)
            if (cells->cell[l][s].count) {
                lengths_print(lengths, row, cells, l, s);
                summary_print(summary, row, cells, l, s);
            }
    good = lengths && summary && !ferror(lengths) && !ferror(summary);
    /* The summary comes last: it says that the row is finished. */
    good = lengths && fclose(lengths) == 0 && good;
    good = summary && fclose(summary) == 0 && good;
    if (!good)
        fprintf(stderr, "dl-bench apps: %s could not be written\n", options->out);
    return good;
}

/* Whether summary.csv has the row. */
static bool apps_files_have(const struct apps_options *options, const char *row)
{
    char path[PATH_MAX], begin[64], line[8];

    path_make(options, "summary.csv", path);
    snprintf(begin, sizeof begin, "%s,", row);
    return file_line(path, begin, line, sizeof line);
}

/* The lines of one row, taken together. */
struct row_report {
    char name[64];
    double steady_us[APPS_LAYOUTS];
    bool any, wrong, over, judged; /* judged: `auto` was run */
    char state[APPS_STATES][64];   /* of `auto`; empty: it was not run */
};

static int name_find(const char *const *names, int count, const char *name)
{
    for (int n = 0; n < count; n++)
        if (strcmp(names[n], name) == 0)
            return n;
    return -1;
}

/* The columns of a line; false: it has others. */
static bool line_split(char *line, char *columns[SUMMARY_COUNT])
{
    int count = 0;

    line[strcspn(line, "\n")] = '\0';
    for (char *word; (word = strsep(&line, ",")) != NULL; count++)
        if (count < SUMMARY_COUNT)
            columns[count] = word;
    return count == SUMMARY_COUNT;
}

static void line_add(struct row_report *report, char **columns)
{
    int layout = name_find(apps_layout_names, APPS_LAYOUTS, columns[SUMMARY_layout]);
    int state = name_find(apps_state_names, APPS_STATES, columns[SUMMARY_state]);

    if (layout < 0 || state < 0)
        return;
    snprintf(report->name, sizeof report->name, "%s", columns[SUMMARY_row]);
    report->any = true;
    report->wrong = report->wrong || strcmp(columns[SUMMARY_status], "ok") != 0;
    report->steady_us[layout] = atof(columns[SUMMARY_steady_device_us]);
    if (layout != APPS_AUTO)
        return;
    snprintf(report->state[state], sizeof report->state[state],
             "%+7.1f %+9.1f %+7.1f %5s %+9.1f", atof(columns[SUMMARY_over_best_percent]),
             atof(columns[SUMMARY_wall_excess_ms]),
             atof(columns[SUMMARY_wall_excess_percent]), columns[SUMMARY_wall_excess_at],
             atof(columns[SUMMARY_device_excess_ms]));
    report->judged = true;
    report->over = report->over || strcmp(columns[SUMMARY_within], "yes") != 0;
}

static void row_print(const struct row_report *report, struct apps_verdict *verdict)
{
    if (!report->any)
        return;
    printf("%-24s", report->name);
    for (int l = 0; l < APPS_AUTO; l++)
        printf(" %10.2f", report->steady_us[l]);
    for (int s = 0; s < APPS_STATES; s++)
        printf(" | %41s", report->state[s]);
    printf(" | %s\n", report->wrong    ? "WRONG: checksums differ"
                      : report->over   ? "OVER"
                      : report->judged ? "ok"
                                       : "-");
    verdict->wrong += report->wrong;
    verdict->over += report->over;
}

/* Prints a line for each row of summary.csv. False after a message: it can't be read. */
static bool apps_report(const struct apps_options *options, struct apps_verdict *verdict)
{
    char path[PATH_MAX], line[1024], *columns[SUMMARY_COUNT];
    struct row_report report = {0};
    size_t rows = 0;
    FILE *file;

    path_make(options, "summary.csv", path);
    file = fopen(path, "r");
    if (!file) {
        fprintf(stderr, "dl-bench apps: %s: %s\n", path, strerror(errno));
        return false;
    }
    while (fgets(line, sizeof line, file) && *line == '#')
        fputs(line, stdout);
    printf(
        "Steady state, device us a step. Of auto in each state: %% over the best of "
        "native, "
        "asta and da;\nthe largest excess over native at any length of run, in ms, %% of "
        "native and its length; that\nof the device's time, in ms.\n%-24s",
        "");
    for (int l = 0; l < APPS_AUTO; l++)
        printf(" %10s", apps_layout_names[l]);
    for (int s = 0; s < APPS_STATES; s++)
        printf(" | %-41s", apps_state_names[s]);
    putchar('\n');
    do {
        if (!line_split(line, columns)) {
            fprintf(stderr,
                    "dl-bench apps: summary.csv has other columns: give a new --out\n");
            fclose(file);
            return false;
        }
        if (strcmp(columns[SUMMARY_row], "row") == 0)
            continue;
        if (strcmp(columns[SUMMARY_row], report.name) != 0) {
            row_print(&report, verdict);
            report = (struct row_report){0};
            rows++;
        }
        line_add(&report, columns);
    } while (fgets(line, sizeof line, file));
    fclose(file);
    row_print(&report, verdict);
    printf(
        "%zu row%s: %zu with wrong results, %zu over a bound of auto, which are: at "
        "any length of\nrun 10 %% + 100 ms over native, 2 %% + 20 ms remembered; in "
        "steady state, remembered,\nnine tenths of the gain in each run where the best "
        "layout is 1.2 times as fast as native,\n2 %% over native elsewhere\n",
        rows, dl_plural(rows), verdict->wrong, verdict->over);
    return true;
}

/* ---- rows: the samples, and every pattern of dl-patterns ---- */

struct apps_rows {
    struct apps_row *rows;
    size_t count;
    char folder[PATH_MAX], runner[PATH_MAX]; /* of dl-bench and dl-patterns; dl-run */
};

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

/* A row is asked for by its name, the beginning of it, or its set; thesis is among the
 * samples. Large ones have to be. */
static bool wanted(const struct apps_options *options, const char *name, const char *set)
{
    char word[64];

    if ((!*options->rows && strcmp(set, "large") != 0) || list_has(options->rows, set) ||
        (strcmp(set, "thesis") == 0 && list_has(options->rows, "samples")))
        return true;
    for (const char *at = options->rows; list_next(&at, word, sizeof word);)
        if (strncmp(name, word, strlen(word)) == 0)
            return true;
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
static bool sample_add(const struct apps_options *options, struct apps_rows *rows,
                       const struct sample *sample, const char *name,
                       const char *arguments)
{
    struct apps_row *row = row_add(rows, name, sample->set);

    if (!row)
        return false;
    snprintf(row->program, sizeof row->program, "%.4000s/../samples/%s", rows->folder,
             sample->program);
    snprintf(row->arguments, sizeof row->arguments, "%s", arguments);
    row->step_max = sample->step_max;
    row->reps_max = sample->reps_max;
    if (*options->list || access(row->program, X_OK) == 0)
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
    const char *const folders[] = {environment ? environment : "", "../shared/matrices"};
    char file[PATH_MAX], arguments[PATH_MAX + 16];

    for (size_t f = 0; f < COUNT(folders) && !*options->small; f++) {
        snprintf(file, sizeof file, "%s/bcsstk32.mtx.gz", folders[f]);
        if (!*folders[f] || access(file, R_OK) != 0)
            continue;
        snprintf(arguments, sizeof arguments, "--matrix %s", file);
        return !wanted(options, "spmv_bcsstk32", "thesis") ||
               sample_add(options, rows, &real, "spmv_bcsstk32", arguments);
    }
    return !wanted(options, "spmv_bcsstk32_generated", "thesis") ||
           sample_add(options, rows, &real, "spmv_bcsstk32_generated",
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

/* Whether each word of --rows has found one. False after a message. */
static bool rows_are_known(const char *list, const struct apps_rows *rows)
{
    char word[64];

    while (list_next(&list, word, sizeof word)) {
        bool found = list_has("samples,patterns,thesis,large", word);

        for (size_t r = 0; r < rows->count; r++)
            found = found || strncmp(rows->rows[r].name, word, strlen(word)) == 0;
        if (!found) {
            bench_option_complain("apps", "rows", word, "no such row",
                                  "samples, patterns, thesis, large, and the beginnings "
                                  "of the names that --list prints");
            return false;
        }
    }
    return true;
}

/* All rows that the options ask for. False after a message; `out` is freed by the caller.
 */
static bool rows_make(const struct apps_options *options, struct apps_rows *out)
{
    size_t part, parts, kept = 0;

    if (!own_folder(out->folder))
        return false;
    part_parse(options->part, &part, &parts);
    snprintf(out->runner, sizeof out->runner, "%.4000s/dl-run", out->folder);
    for (size_t s = 0; s < COUNT(samples); s++)
        if (wanted(options, samples[s].name, samples[s].set) &&
            !sample_add(options, out, &samples[s], samples[s].name,
                        *options->small ? samples[s].small : samples[s].arguments))
            return false;
    if (!matrix_add(options, out) || !patterns_add(options, out))
        return false;
    if (!rows_are_known(options->rows, out))
        return false;
    for (size_t r = part; r < out->count; r += parts)
        out->rows[kept++] = out->rows[r];
    out->count = kept;
    return true;
}

enum { LEFT_BEHIND_S = 120 };

/* ---- a run ---- */

/* A run of one row after the other. */
struct bench {
    const struct apps_options *options;
    const struct apps_rows *rows;
    const struct apps_row *row;
    char work[WORK_BYTES];
};

static void caches_path(const struct bench *bench, enum apps_layout layout,
                        enum apps_state state, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s/%s-%s", bench->work, apps_layout_names[layout],
             apps_state_names[state]);
}

/* The user's settings of DL must not decide what is measured. */
static void environment_set(const struct bench *bench, enum apps_layout layout,
                            enum apps_state state)
{
    static const char *const folders[][2] = {
        {"DL_CACHE", "dl"}, {"CUDA_CACHE_PATH", "cuda"}, {"POCL_CACHE_DIR", "pocl"}};
    char caches[PATH_MAX], path[2 * PATH_MAX];

    caches_path(bench, layout, state, caches);
    environment_without_dl();
    unsetenv("CUDA_CACHE_DISABLE");
    mkdir(caches, 0700);
    for (size_t f = 0; f < COUNT(folders); f++) {
        snprintf(path, sizeof path, "%s/%s", caches, folders[f][1]);
        mkdir(path, 0700);
        setenv(folders[f][0], path, 1);
    }
}

/* ---- what it has written ---- */

struct marks {
    double main_s, opening_s, opened_s, waited_s, finished_s, closed_s, leaving_s;
};

static bool times_grow(struct apps_times *times)
{
    size_t room = times->steps ? 2 * times->steps : 1;

    if (times->steps & (times->steps - 1))
        return true; /* there is room up to the next power of two */
    for (int c = 0; c < APPS_CLOCKS; c++) {
        double *grown = realloc(times->ms[c], room * sizeof *grown);
        if (!grown)
            return false;
        times->ms[c] = grown;
    }
    return true;
}

static bool step_read(const char *line, const struct marks *marks,
                      struct apps_times *times)
{
    double end_s, busy_s, kernel_s;

    if (sscanf(line, "step %lf %lf %lf", &end_s, &busy_s, &kernel_s) != 3 ||
        !times_grow(times))
        return false;
    times->ms[APPS_WALL][times->steps] =
        1e3 * (end_s - marks->opened_s - marks->waited_s);
    times->ms[APPS_BUSY][times->steps] = 1e3 * busy_s;
    times->ms[APPS_KERNEL][times->steps++] = 1e3 * kernel_s;
    return true;
}

/* False: it is not a whole timeline. */
static bool times_read(const char *path, double forked_s, double exited_s,
                       struct apps_times *times)
{
    struct marks marks = {0};
    const struct {
        const char *name;
        double *out;
    } names[] = {{"main ", &marks.main_s},         {"opening ", &marks.opening_s},
                 {"opened ", &marks.opened_s},     {"waited ", &marks.waited_s},
                 {"finished ", &marks.finished_s}, {"closed ", &marks.closed_s},
                 {"leaving ", &marks.leaving_s}};
    char line[512];
    bool good = true;
    FILE *file = fopen(path, "r");

    if (!file)
        return false;
    while (good && fgets(line, sizeof line, file)) {
        for (size_t n = 0; n < COUNT(names); n++)
            if (strncmp(line, names[n].name, strlen(names[n].name)) == 0)
                *names[n].out = atof(strchr(line, ' '));
        if (strncmp(line, "step ", 5) == 0)
            good = step_read(line, &marks, times);
        sscanf(line, "device %255[^\n]", times->device);
    }
    fclose(file);
    times->start_ms = 1e3 * (marks.main_s - forked_s + marks.opened_s - marks.opening_s);
    times->end_ms =
        1e3 * (marks.closed_s - marks.finished_s + exited_s - marks.leaving_s);
    return good && times->steps > 0 && marks.leaving_s > 0;
}

/* Prints what DL had to say of the last run, as that it found no libclang: a layout that
 * was not to be had must not pass for a measured one. */
static void run_said(const struct bench *bench, enum apps_layout layout)
{
    char path[PATH_MAX], line[512];
    FILE *file;

    snprintf(path, sizeof path, "%s/err", bench->work);
    file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "dl:", 3) == 0)
            fprintf(stderr, "%s, %s: %s", bench->row->name, apps_layout_names[layout],
                    line);
    if (file)
        fclose(file);
}

/* DL may build on in a process of its own once the program is gone. The next run must not
 * find that half done, nor share the processors with it; orphans are this process's, and
 * are waited for. */
static void left_behind_wait(const struct apps_row *row)
{
    const struct timespec pause = {.tv_nsec = 5000000};
    double limit_s = now_s() + LEFT_BEHIND_S;
    pid_t pid;

    while ((pid = waitpid(-1, NULL, WNOHANG)) >= 0 && now_s() < limit_s)
        if (pid == 0)
            nanosleep(&pause, NULL);
    if (pid >= 0)
        fprintf(stderr, "dl-bench apps: %s: a process it has left behind still runs\n",
                row->name);
}

/* Runs the row's program with the caches of a layout and state. False after a message;
 * `out` is to be freed in any case. */
static bool run(const struct bench *bench, enum apps_layout layout, enum apps_state state,
                int steps, struct apps_times *out)
{
    const struct apps_row *row = bench->row;
    const char *device = bench->options->device;
    char times[PATH_MAX], said[PATH_MAX], errors[PATH_MAX], line[512] = "nothing";
    char count[16], arguments[sizeof row->arguments], *rest = arguments;
    struct words words = {.count = 0};
    double forked_s, exited_s;
    int code;

    *out = (struct apps_times){0};
    snprintf(times, sizeof times, "%s/times", bench->work);
    snprintf(said, sizeof said, "%s/out", bench->work);
    snprintf(errors, sizeof errors, "%s/err", bench->work);
    snprintf(count, sizeof count, "%d", steps);
    strcpy(arguments, row->arguments);
    if (layout != APPS_NATIVE) {
        words_add(&words, bench->rows->runner, NULL);
        /* `auto` is what a user gets who says nothing. */
        if (layout != APPS_AUTO)
            words_add(&words, "--layout", apps_layout_names[layout], NULL);
        else if (*bench->options->explain)
            words_add(&words, "--explain-policy", NULL);
        words_add(&words, "--", NULL);
    }
    words_add(&words, row->program, NULL);
    for (char *word; (word = strsep(&rest, " ")) != NULL;)
        words_add(&words, word, NULL);
    words_add(&words, "--steps", count, "--timeline", times, NULL);
    if (*device)
        words_add(&words, "--device", device, NULL);
    environment_set(bench, layout, state);
    remove(times);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    forked_s = now_s();
    code = process_wait(process_start(&words, said, errors));
    exited_s = now_s();
    left_behind_wait(row);
    if (code == 0 && times_read(times, forked_s, exited_s, out) &&
        file_line(said, "checksum: ", line, sizeof line) &&
        sscanf(line, "checksum: %" SCNx64, &out->checksum) == 1)
        return apps_files_fit(bench->options, out->device);
    file_line(errors, "", line, sizeof line);
    fprintf(stderr, "dl-bench apps: %s, %s: failed with %s %d; it said: %s\n", row->name,
            apps_layout_names[layout], code > 128 ? "signal" : "exit code",
            code > 128 ? code - 128 : code, line);
    return false;
}

/* An entry says in its key, near its beginning, what kind it is of. */
static bool is_decision(const char *path)
{
    char head[512];
    FILE *file = fopen(path, "rb");
    size_t bytes = file ? fread(head, 1, sizeof head, file) : 0;

    if (file)
        fclose(file);
    return memmem(head, bytes, "decision", 8) || memmem(head, bytes, "policy", 6);
}

/* Makes DL forget what its policy has decided, and nothing else. */
static void decisions_remove(const char *caches)
{
    char folder[PATH_MAX + 8], path[2 * PATH_MAX];
    struct dirent *entry;
    DIR *directory;

    snprintf(folder, sizeof folder, "%s/dl", caches);
    directory = opendir(folder);
    while (directory && (entry = readdir(directory)) != NULL) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.' && is_decision(path))
            remove(path);
    }
    if (directory)
        closedir(directory);
}

/* Exit codes, besides 1 for what failed and 2 for a bad command line. */
enum { ROWS_LEFT = 3 };

/* Runs ahead that fill the caches; the policy wants several to come to a decision. */
enum { RUNS_AHEAD = 1, RUNS_AHEAD_OF_AUTO = 3, STEPS_AHEAD = 4 };

/* ---- options ---- */

static const struct bench_option options_known[] = {APPS_OPTION_MAP(BENCH_ROW)};
static const struct bench_command command = {
    "usage: dl-bench apps [options]\n"
    "Runs the samples and the patterns of dl-patterns natively and under dl-run, and "
    "writes\n"
    "apps.csv (time until the end of each step) and summary.csv to a folder. Run again "
    "with\n"
    "the same folder it goes on where it was; exit code 3: rows are left.\n",
    options_known, COUNT(options_known), NULL};

static void options_shrink(struct apps_options *options)
{
    if (*options->small) {
        options->shrink = strcmp(options->shrink, "1") == 0 ? "256" : options->shrink;
        options->steps = strcmp(options->steps, "1000") == 0 ? "20" : options->steps;
    }
}

/* ---- a row ---- */

static int least(int a, int b)
{
    return b > 0 && b < a ? b : a;
}

static int steps_of(const struct bench *bench)
{
    return least(atoi(bench->options->steps), bench->row->step_max);
}

/* Fills the caches of a cell that is not cold; what the last cold run has left counts as
 * the first run ahead. */
static bool cell_prepare(const struct bench *bench, enum apps_layout layout,
                         enum apps_state state)
{
    bool decides = layout == APPS_AUTO, good = true;
    int runs = least(decides ? RUNS_AHEAD_OF_AUTO : RUNS_AHEAD, bench->row->reps_max);
    int steps = decides ? steps_of(bench) : least(STEPS_AHEAD, steps_of(bench));
    char cold[PATH_MAX], caches[PATH_MAX];

    caches_path(bench, layout, APPS_COLD, cold);
    caches_path(bench, layout, state, caches);
    if (rename(cold, caches) == 0)
        runs--;
    for (int r = 0; r < runs && good; r++) {
        struct apps_times times;

        good = run(bench, layout, state, steps, &times);
        apps_times_free(&times);
    }
    return good;
}

static bool cell_run(const struct bench *bench, enum apps_layout layout,
                     enum apps_state state, struct apps_cells *cells)
{
    struct apps_cell *cell = &cells->cell[layout][state];
    bool explains = *bench->options->explain && layout == APPS_AUTO;
    char caches[PATH_MAX];

    caches_path(bench, layout, state, caches);
    if (state == APPS_COLD)
        folder_remove(caches);
    if (state == APPS_WARM && layout == APPS_AUTO)
        decisions_remove(caches);
    if (!run(bench, layout, state, steps_of(bench), &cell->runs[cell->count++]))
        return false;
    if (explains)
        fprintf(stderr, "%s, %s, %s:\n", bench->row->name, apps_layout_names[layout],
                apps_state_names[state]);
    if (explains || (!cells->said && (layout == APPS_ASTA || layout == APPS_DA))) {
        run_said(bench, layout);
        cells->said = cells->said || layout != APPS_AUTO;
    }
    return true;
}

/* Prepares or runs once each cell of some states that is asked for, native first. */
static bool cells_visit(const struct bench *bench, struct apps_cells *cells,
                        enum apps_state first, enum apps_state last, bool prepare)
{
    const struct apps_options *options = bench->options;
    bool good = true;

    for (enum apps_state s = first; s <= last; s++)
        for (enum apps_layout l = 0; l < APPS_LAYOUTS && good; l++) {
            if ((l != APPS_NATIVE && !list_has(options->layouts, apps_layout_names[l])) ||
                apps_state_of(l, s) != s)
                continue;
            /* Remembered runs are compared with native's warm ones. */
            if (!list_has(options->states, apps_state_names[s]) &&
                !(s == APPS_WARM && l != APPS_AUTO &&
                  list_has(options->states, "remembered")))
                continue;
            /* Of the others only the steady state matters, which one run shows, and which
             * is the same when cold. */
            if (l != APPS_NATIVE && l != APPS_AUTO &&
                (s == APPS_COLD || cells->cell[l][s].count > 0))
                continue;
            good = prepare ? cell_prepare(bench, l, s) : cell_run(bench, l, s, cells);
        }
    return good;
}

static bool row_run(const struct bench *bench, struct apps_cells *cells)
{
    int reps = least(atoi(bench->options->reps), bench->row->reps_max);

    for (int r = 0; r < reps; r++)
        if (!cells_visit(bench, cells, APPS_COLD, APPS_COLD, false))
            return false;
    if (!cells_visit(bench, cells, APPS_WARM, APPS_REMEMBERED, true))
        return false;
    for (int r = 0; r < reps; r++)
        if (!cells_visit(bench, cells, APPS_WARM, APPS_REMEMBERED, false))
            return false;
    return apps_cells_sum(cells);
}

/* ---- all of them ---- */

struct tally {
    size_t done, kept, failed, left;
};

static void rows_run(struct bench *bench, struct tally *tally)
{
    const struct apps_options *options = bench->options;
    double start_s = now_s(), limit_s = 60 * atof(options->minutes);
    struct progress progress;
    size_t total = 0;

    for (size_t r = 0; r < bench->rows->count; r++)
        total += !apps_files_have(options, bench->rows->rows[r].name);
    progress = progress_begin(total);
    for (size_t r = 0; r < bench->rows->count; r++) {
        const struct apps_row *row = &bench->rows->rows[r];
        struct apps_cells cells = {0};
        double row_s = now_s();
        if (apps_files_have(options, row->name)) {
            tally->kept++;
            continue;
        }
        /* One at least: whoever runs it again and again comes to an end. */
        if (limit_s > 0 && now_s() - start_s > limit_s &&
            tally->done + tally->failed > 0) {
            tally->left++;
            continue;
        }
        if (!work_make(bench->work)) {
            tally->failed++;
            continue;
        }
        bench->row = row;
        if (!row_run(bench, &cells) || !apps_files_add(options, row, &cells))
            tally->failed++;
        else
            tally->done++;
        progress_clear();
        printf("%s: %.1f s\n", row->name, now_s() - row_s);
        fflush(stdout);
        progress_step(&progress);
        apps_cells_free(&cells);
        folder_remove(bench->work);
    }
}

/* The report of what FOLDER has now, and the exit code that follows from it. */
static int report_main(const struct apps_options *options)
{
    struct apps_verdict verdict = {0};

    if (!apps_report(options, &verdict) || verdict.wrong > 0)
        return 1;
    return verdict.over > 0 && *options->check;
}

static int rows_main(const struct apps_options *options)
{
    struct apps_rows rows = {0};
    struct bench bench = {.options = options, .rows = &rows};
    struct tally tally = {0};
    int code = 2;

    if (!rows_make(options, &rows))
        goto out;
    code = 0;
    for (size_t r = 0; r < rows.count && *options->list; r++)
        printf("%-28s %-9s %s\n", rows.rows[r].name, rows.rows[r].set,
               rows.rows[r].arguments);
    if (*options->list)
        goto out;
    code = 1;
    if (mkdir(options->out, 0777) != 0 && errno != EEXIST)
        fprintf(stderr, "dl-bench apps: --out %s: %s\n", options->out, strerror(errno));
    else if (apps_files_fit(options, NULL)) {
        rows_run(&bench, &tally);
        code = tally.done + tally.kept > 0 ? report_main(options) : 0;
        printf("%zu row%s run now, %zu kept, %zu failed, %zu left%s\n", tally.done,
               dl_plural(tally.done), tally.kept, tally.failed, tally.left,
               tally.left ? ": run again to continue" : "");
        if (code == 0)
            code = tally.failed ? 1 : tally.left ? ROWS_LEFT : 0;
    }
out:
    free(rows.rows);
    return code;
}

int apps_main(int argc, char **argv)
{
    struct apps_options options;
    int code = bench_options_read(&command, argc, argv, &options);

    if (code != BENCH_GO_ON)
        return code;
    options_shrink(&options);
    return *options.report ? report_main(&options) : rows_main(&options);
}
