/* SPDX-License-Identifier: MIT */
/* dl-bench apps: whole programs, the samples and dl-patterns, natively and under dl-run
 * in every layout, with what is left of earlier runs and without. Device time, the host's
 * time and break-even are read off one long run each; FOLDER keeps finished rows, so that
 * it can be run in parts. */
#include "apps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../bench.h"
#include "../flags.h"
#include "../progress.h"

const char *const apps_layout_names[APPS_LAYOUTS] = {"native", "aos", "asta", "da",
                                                     "auto"};
const char *const apps_state_names[APPS_STATES] = {"cold", "warm", "remembered"};

/* Exit codes, besides 1 for what failed and 2 for a bad command line. */
enum { ROWS_LEFT = 3 };
/* Runs ahead that fill the caches; the policy wants several to come to a decision. */
enum { RUNS_AHEAD = 1, RUNS_AHEAD_OF_AUTO = 3, STEPS_AHEAD = 4 };

/* ---- options ---- */

static const struct bench_flag flags[] = {
#define X(...) BENCH_FLAG(struct apps_options, __VA_ARGS__)
    APPS_OPTION_MAP(X)
#undef X
};

static void help_print(FILE *out)
{
    fputs("usage: dl-bench apps [options]\n"
          "Runs the samples and the patterns of dl-patterns natively and under dl-run, "
          "and writes\n"
          "apps.csv (time until the end of each step) and summary.csv to a folder. Run "
          "again with\n"
          "the same folder it goes on where it was; exit code 3: rows are left.\n\n",
          out);
    bench_flags_print(out, flags, sizeof flags / sizeof *flags);
}

static bool number_check(const char *flag, const char *text, double least, double most,
                         bool whole)
{
    char *end;
    double number = strtod(text, &end);

    if (end != text && !*end && number >= least && number <= most &&
        !(whole && strspn(text, "0123456789") != strlen(text)))
        return true;
    fprintf(stderr, "dl-bench apps: --%s %s: a %snumber from %.0f to %.0f expected\n",
            flag, text, whole ? "whole " : "", least, most);
    return false;
}

static bool list_check(const char *flag, const char *list, const char *const *names,
                       int count)
{
    for (const char *at = list; at; at = strchr(at, ','), at = at ? at + 1 : NULL) {
        size_t bytes = strcspn(at, ",");
        bool known = false;
        for (int n = 0; n < count; n++)
            known = known || (strlen(names[n]) == bytes && !strncmp(at, names[n], bytes));
        if (!known) {
            fprintf(stderr, "dl-bench apps: --%s: %.*s is none of", flag, (int)bytes, at);
            for (int n = 0; n < count; n++)
                fprintf(stderr, " %s", names[n]);
            fputc('\n', stderr);
            return false;
        }
    }
    return true;
}

static bool options_check(struct apps_options *options)
{
    if (*options->small) {
        options->shrink = strcmp(options->shrink, "1") == 0 ? "256" : options->shrink;
        options->steps = strcmp(options->steps, "1000") == 0 ? "20" : options->steps;
    }
    return number_check("reps", options->reps, 1, APPS_REPS_MAX, true) &&
           number_check("steps", options->steps, 1, 1000000, true) &&
           number_check("shrink", options->shrink, 1, 1 << 20, true) &&
           number_check("minutes", options->minutes, 0, 100000, false) &&
           list_check("layouts", options->layouts, apps_layout_names, APPS_LAYOUTS) &&
           list_check("states", options->states, apps_state_names, APPS_STATES);
}

/* ---- a row ---- */

struct bench {
    const struct apps_options *options;
    const struct apps_rows *rows;
    char work[64];
};

static void caches_path(const struct bench *bench, enum apps_layout layout,
                        enum apps_state state, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s/%s-%s", bench->work, apps_layout_names[layout],
             apps_state_names[state]);
}

static int least(int a, int b)
{
    return b > 0 && b < a ? b : a;
}

static int steps_of(const struct bench *bench, const struct apps_row *row)
{
    return least(atoi(bench->options->steps), row->step_max);
}

/* Fills the caches of a cell that is not cold. */
static bool cell_prepare(const struct bench *bench, const struct apps_row *row,
                         enum apps_layout layout, enum apps_state state)
{
    bool decides = layout == APPS_AUTO;
    int runs = least(decides ? RUNS_AHEAD_OF_AUTO : RUNS_AHEAD, row->reps_max);
    int steps = decides ? steps_of(bench, row) : least(STEPS_AHEAD, steps_of(bench, row));
    struct apps_times times;
    char caches[PATH_MAX];
    bool good = true;

    caches_path(bench, layout, state, caches);
    for (int r = 0; r < runs && good; r++) {
        good = apps_run(bench->rows, row, bench->options, layout, steps, bench->work,
                        caches, &times) &&
               apps_files_fit(bench->options, times.device);
        apps_times_free(&times);
    }
    return good;
}

static bool cell_run(const struct bench *bench, const struct apps_row *row,
                     enum apps_layout layout, enum apps_state state,
                     struct apps_cells *cells)
{
    struct apps_cell *cell = &cells->cell[layout][state];
    char caches[PATH_MAX];

    caches_path(bench, layout, state, caches);
    if (state == APPS_COLD)
        apps_folder_remove(caches);
    if (state == APPS_WARM && layout == APPS_AUTO)
        apps_decisions_remove(caches);
    if (!apps_run(bench->rows, row, bench->options, layout, steps_of(bench, row),
                  bench->work, caches, &cell->runs[cell->count++]))
        return false;
    if (*bench->options->explain && layout == APPS_AUTO) {
        fprintf(stderr, "%s, %s, %s:\n", row->name, apps_layout_names[layout],
                apps_state_names[state]);
        apps_run_said(row, layout, bench->work);
    }
    if (!cells->said && (layout == APPS_ASTA || layout == APPS_DA)) {
        apps_run_said(row, layout, bench->work);
        cells->said = true;
    }
    return apps_files_fit(bench->options, cell->runs[0].device);
}

/* Prepares or runs once each cell that is asked for, native first. */
static bool cells_visit(const struct bench *bench, const struct apps_row *row,
                        struct apps_cells *cells, bool prepare)
{
    const struct apps_options *options = bench->options;
    bool good = true;

    for (int s = 0; s < APPS_STATES; s++)
        for (int l = 0; l < APPS_LAYOUTS && good; l++) {
            enum apps_layout layout = (enum apps_layout)l;
            enum apps_state state = (enum apps_state)s;
            if ((l != APPS_NATIVE &&
                 !apps_list_has(options->layouts, apps_layout_names[l])) ||
                apps_state_of(layout, state) != state)
                continue;
            /* What is remembered is compared with native's warm runs. */
            if (!apps_list_has(options->states, apps_state_names[s]) &&
                !(s == APPS_WARM && l != APPS_AUTO &&
                  apps_list_has(options->states, "remembered")))
                continue;
            /* No bound depends on what these cost when cold, and they build for long:
             * once. */
            if (state == APPS_COLD && layout != APPS_NATIVE && layout != APPS_AUTO &&
                cells->cell[l][s].count > 0)
                continue;
            if (!prepare)
                good = cell_run(bench, row, layout, state, cells);
            else if (state != APPS_COLD)
                good = cell_prepare(bench, row, layout, state);
        }
    return good;
}

static bool row_run(const struct bench *bench, const struct apps_row *row,
                    struct apps_cells *cells)
{
    int reps = least(atoi(bench->options->reps), row->reps_max);

    if (!cells_visit(bench, row, cells, true))
        return false;
    for (int r = 0; r < reps; r++)
        if (!cells_visit(bench, row, cells, false))
            return false;
    return apps_cells_sum(cells);
}

/* ---- all of them ---- */

struct tally {
    size_t done, kept, failed, left;
};

static void rows_run(struct bench *bench, int argc, char **argv, struct tally *tally)
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
        strcpy(bench->work, "/tmp/dl-apps-XXXXXX");
        if (!mkdtemp(bench->work)) {
            perror(bench->work);
            tally->failed++;
            continue;
        }
        if (!row_run(bench, row, &cells) ||
            !apps_files_add(options, row, &cells, argc, argv))
            tally->failed++;
        else
            tally->done++;
        progress_clear();
        printf("%s: %.1f s\n", row->name, now_s() - row_s);
        fflush(stdout);
        progress_step(&progress);
        apps_cells_free(&cells);
        apps_folder_remove(bench->work);
    }
}

/* The report of what FOLDER has now, and the exit code that follows from it. */
static int report_main(const struct apps_options *options)
{
    struct apps_verdict verdict;

    if (!apps_report(options, &verdict) || verdict.wrong > 0)
        return 1;
    return verdict.over > 0 && *options->check;
}

static int rows_main(const struct apps_options *options, int argc, char **argv)
{
    struct apps_rows rows = {0};
    struct bench bench = {.options = options, .rows = &rows};
    struct tally tally = {0};
    int code = 0;

    if (!apps_rows_make(options, &rows)) {
        free(rows.rows);
        return 2;
    }
    if (*options->list) {
        for (size_t r = 0; r < rows.count; r++)
            printf("%-28s %-9s %s\n", rows.rows[r].name, rows.rows[r].set,
                   rows.rows[r].arguments);
        free(rows.rows);
        return 0;
    }
    rows_run(&bench, argc, argv, &tally);
    if (tally.done + tally.kept > 0)
        code = report_main(options);
    printf("%zu rows run now, %zu kept, %zu failed, %zu left%s\n", tally.done, tally.kept,
           tally.failed, tally.left, tally.left ? ": run again to go on" : "");
    free(rows.rows);
    if (code == 0 && tally.failed)
        code = 1;
    return code == 0 && tally.left ? ROWS_LEFT : code;
}

int apps_main(int argc, char **argv)
{
    struct apps_options options;

    enum bench_flags read =
        bench_flags_read(flags, sizeof flags / sizeof *flags, argc, argv, &options);

    if (read == BENCH_FLAGS_HELP)
        help_print(stdout);
    if (read != BENCH_FLAGS_READ)
        return read == BENCH_FLAGS_HELP ? 0 : 2;
    if (!options_check(&options))
        return 2;
    if (*options.report)
        return report_main(&options);
    if (!*options.list && mkdir(options.out, 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "dl-bench apps: --out %s: %s\n", options.out, strerror(errno));
        return 1;
    }
    if (!*options.list && !apps_files_fit(&options, NULL))
        return 1;
    return rows_main(&options, argc, argv);
}
