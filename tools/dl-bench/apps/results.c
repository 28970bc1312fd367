/* SPDX-License-Identifier: MIT */
/* dl-bench apps: medians of a row's runs, what follows from them, and the files that keep
 * it. A row's lines are written together, once the row is finished. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "apps.h"

/* A line is a row in one layout and state. Excesses are over native in the same state, at
 * the length of run where they are the most beyond the bound's share of native; at: that
 * length. */
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
    X(within)
enum summary_column {
#define X(name) SUMMARY_##name,
    SUMMARY_MAP(X)
#undef X
        SUMMARY_COUNT
};
#define SUMMARY_NAME(name) "," #name
#define SUMMARY_COLUMNS (&(SUMMARY_MAP(SUMMARY_NAME))[1])
enum { STEADY_PERCENT = 3 /* that `auto` may be over the best layout in steady state */ };

const char *const apps_layout_names[APPS_LAYOUTS] = {"native", "aos", "asta", "da",
                                                     "auto"};
const char *const apps_state_names[APPS_STATES] = {"cold", "warm", "remembered"};

void apps_times_free(struct apps_times *times)
{
    free(times->busy_ms);
    free(times->kernel_ms);
    free(times->wall_ms);
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
    [APPS_COLD] = {0.05, 50}, [APPS_WARM] = {0.05, 50}, [APPS_REMEMBERED] = {0.02, 10}};

enum apps_state apps_state_of(enum apps_layout layout, enum apps_state state)
{
    return state == APPS_REMEMBERED && layout != APPS_AUTO ? APPS_WARM : state;
}

static const struct apps_cell *cell_of(const struct apps_cells *cells,
                                       enum apps_layout layout, enum apps_state state)
{
    return &cells->cell[layout][apps_state_of(layout, state)];
}

/* ---- medians ---- */

static double *array_of(struct apps_times *times, int which)
{
    return which == 0 ? times->busy_ms : which == 1 ? times->kernel_ms : times->wall_ms;
}

/* Microseconds of a step in the second half of a run. */
static double steady_us(const double *sums_ms, size_t steps)
{
    size_t half = steps / 2;

    if (steps < 4)
        return 0;
    return 1e3 * (sums_ms[steps - 1] - sums_ms[half - 1]) / (double)(steps - half);
}

static double steady_median(struct apps_cell *cell, int which)
{
    double values[APPS_REPS_MAX];

    for (size_t r = 0; r < cell->count; r++)
        values[r] = steady_us(array_of(&cell->runs[r], which), cell->runs[r].steps);
    return median_of(values, cell->count);
}

static double whole_ms(const struct apps_times *times)
{
    return times->start_ms + times->wall_ms[times->steps - 1] + times->end_ms;
}

static void ends_sum(struct apps_cell *cell)
{
    double starts[APPS_REPS_MAX], ends[APPS_REPS_MAX], wholes[APPS_REPS_MAX];

    for (size_t r = 0; r < cell->count; r++) {
        starts[r] = cell->runs[r].start_ms;
        ends[r] = cell->runs[r].end_ms;
        wholes[r] = whole_ms(&cell->runs[r]);
    }
    cell->median.start_ms = median_of(starts, cell->count);
    cell->median.end_ms = median_of(ends, cell->count);
    numbers_sort(wholes, cell->count);
    cell->spread_ms = wholes[cell->count - 1] - wholes[0];
}

static bool cell_sum(struct apps_cell *cell)
{
    struct apps_times *median = &cell->median;
    double values[APPS_REPS_MAX];

    median->steps = cell->runs[0].steps;
    for (size_t r = 1; r < cell->count; r++)
        if (cell->runs[r].steps < median->steps)
            median->steps = cell->runs[r].steps;
    median->busy_ms = calloc(median->steps, sizeof *median->busy_ms);
    median->kernel_ms = calloc(median->steps, sizeof *median->kernel_ms);
    median->wall_ms = calloc(median->steps, sizeof *median->wall_ms);
    if (!median->busy_ms || !median->kernel_ms || !median->wall_ms) {
        fprintf(stderr, "dl-bench apps: out of memory\n");
        return false;
    }
    for (int which = 0; which < 3; which++)
        for (size_t s = 0; s < median->steps; s++) {
            for (size_t r = 0; r < cell->count; r++)
                values[r] = array_of(&cell->runs[r], which)[s];
            array_of(median, which)[s] = median_of(values, cell->count);
        }
    ends_sum(cell);
    cell->steady_busy_us = steady_median(cell, 0);
    cell->steady_kernel_us = steady_median(cell, 1);
    cell->steady_wall_us = steady_median(cell, 2);
    return true;
}

bool apps_cells_sum(struct apps_cells *cells)
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

void apps_cells_free(struct apps_cells *cells)
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

    return device ? at->busy_ms[step] : at->start_ms + at->wall_ms[step] + at->end_ms;
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
        if (cell->steady_busy_us > 0 && (best == 0 || cell->steady_busy_us < best))
            best = cell->steady_busy_us;
    }
    return best;
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
    struct apps_excess wall = excess_of(cells, layout, state, false),
                       device = excess_of(cells, layout, state, true);
    double best = best_us(cells), over = 0;
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
            break_even(cells, layout, state, false),
            break_even(cells, layout, state, true), cell->spread_ms,
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

static void state_add(struct row_report *report, int state, char **columns)
{
    snprintf(report->state[state], sizeof report->state[state],
             "%+7.1f %+9.1f %+7.1f %5s %+9.1f", atof(columns[SUMMARY_over_best_percent]),
             atof(columns[SUMMARY_wall_excess_ms]),
             atof(columns[SUMMARY_wall_excess_percent]), columns[SUMMARY_wall_excess_at],
             atof(columns[SUMMARY_device_excess_ms]));
    report->judged = true;
    report->over = report->over || strcmp(columns[SUMMARY_within], "yes") != 0;
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
    if (layout == APPS_AUTO)
        state_add(report, state, columns);
}

static void head_print(void)
{
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

static bool rows_print(FILE *file, struct apps_verdict *verdict)
{
    char line[1024], *columns[SUMMARY_COUNT];
    struct row_report report = {0};
    size_t rows = 0;

    while (fgets(line, sizeof line, file)) {
        if (*line == '#') {
            fputs(line, stdout);
            continue;
        }
        if (!line_split(line, columns)) {
            fprintf(stderr,
                    "dl-bench apps: summary.csv has other columns: give a new --out\n");
            return false;
        }
        if (strcmp(columns[SUMMARY_row], "row") == 0) {
            head_print();
            continue;
        }
        if (strcmp(columns[SUMMARY_row], report.name) != 0) {
            row_print(&report, verdict);
            report = (struct row_report){0};
            rows++;
        }
        line_add(&report, columns);
    }
    row_print(&report, verdict);
    printf("%zu rows: %zu with wrong results, %zu over a bound of auto, which are: in "
           "steady "
           "state %d %%\nover the best of native, asta and da; at any length of run 5 %% "
           "+ 50 ms "
           "over native, 2 %% + 10 ms remembered\n",
           rows, verdict->wrong, verdict->over, STEADY_PERCENT);
    return true;
}

bool apps_report(const struct apps_options *options, struct apps_verdict *out)
{
    char path[PATH_MAX];
    bool good;
    FILE *file;

    *out = (struct apps_verdict){0};
    snprintf(path, sizeof path, "%.4000s/summary.csv", options->out);
    file = fopen(path, "r");
    if (!file) {
        fprintf(stderr, "dl-bench apps: %s: %s\n", path, strerror(errno));
        return false;
    }
    good = rows_print(file, out);
    fclose(file);
    return good;
}
