/* SPDX-License-Identifier: MIT */
/* The lines at the end: each row of summary.csv beside what `auto` promises. */
#include "apps.h"
#include "apps_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What the lines of one row say. */
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
