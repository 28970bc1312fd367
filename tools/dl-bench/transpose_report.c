/* SPDX-License-Identifier: MIT */
/* What dl-bench transpose prints of its results. */
#include "transpose.h"

#include <stdlib.h>
#include <string.h>

void transpose_result_print(FILE *csv, const struct transpose_case *item,
                            const char *knobs, const struct transpose_result *result,
                            double copy, const struct dl_transpose_error *error)
{
    double share = 100 * result->bytes_per_s / copy;
    bool refused = result->status == DL_EREFUSED || result->status == DL_ENOTSUP;
    const char *status = result->status != DL_OK ? dl_status_name(result->status)
                         : result->errors > 0    ? "WRONG"
                                                 : "ok";
    char touch[32] = "", axes[120];
    const char *asked = dl_transpose_algorithm_name(item->algorithm);
    const char *taken = dl_transpose_algorithm_name(result->info.algorithm);

    transpose_case_text(item, axes, sizeof axes);
    if (result->touch_bytes_per_s > 0)
        snprintf(touch, sizeof touch, " touch %5.1f %%",
                 100 * result->touch_bytes_per_s / copy);
    printf("%-7s %9llu x %-9llu %2u B cap %-3s %-13s %-13s %-5s %8.1f GB/s %5.1f %% work "
           "%5.2f %%%s %s%s%s%s%s\n",
           item->set, (unsigned long long)item->rows, (unsigned long long)item->cols,
           item->element_bytes, item->cap, asked, result->status == DL_OK ? taken : "",
           status, result->bytes_per_s * 1e-9, share,
           100.0 * (double)result->info.workspace_bytes /
               (double)transpose_case_bytes(item),
           touch, knobs, *axes ? " " : "", axes, item->batch > 1 ? " batch" : "",
           result->status != DL_OK && !refused ? error->text : "");
    if (csv)
        fprintf(csv,
                "%s,%llu,%llu,%u,%s,%s,%s,%s,%u,%.2f,%.2f,%llu,%u,%u,%u,%u,%.3f,%.2f,%s,%"
                "llu,%s\n",
                item->set, (unsigned long long)item->rows, (unsigned long long)item->cols,
                item->element_bytes, item->cap, asked,
                result->status == DL_OK ? taken : "", status, result->errors,
                result->bytes_per_s * 1e-9, share,
                (unsigned long long)result->info.workspace_bytes, result->info.passes,
                result->info.launches, item->tile_rows, item->tile_cols, result->plan_s,
                100 * result->touch_bytes_per_s / copy, knobs,
                (unsigned long long)(item->batch ? item->batch : 1), axes);
    fflush(stdout);
}

static bool same_group(const struct transpose_case *a, const struct transpose_case *b)
{
    return strcmp(a->set, b->set) == 0 && a->element_bytes == b->element_bytes &&
           a->algorithm == b->algorithm && a->cap == b->cap;
}

/* Least, middle and most of each group, those in the cache apart. */
void transpose_summary_print(const struct transpose_case *cases, size_t count,
                             const double *shares, uint64_t cache, double copy,
                             const char *knobs)
{
    double *sorted = calloc(count, sizeof *sorted);

    for (size_t c = 0, past; c < count && sorted; c = past) {
        for (past = c; past < count && same_group(&cases[c], &cases[past]); past++)
            ;
        for (int cached = 0; cached < 2; cached++) {
            size_t some = 0, refused = 0;
            for (size_t i = c; i < past; i++) {
                uint64_t bytes = transpose_case_bytes(&cases[i]);
                if ((bytes <= cache) != cached)
                    continue;
                if (shares[i] > 0)
                    sorted[some++] = shares[i];
                else
                    refused++;
            }
            if (some == 0)
                continue;
            numbers_sort(sorted, some);
            printf(
                "== %-7s %2u B cap %-3s %-13s %s least %5.1f %%  median %5.1f %% (%.0f "
                "GB/s)  most %5.1f %%  of %zu, %zu refused %s\n",
                cases[c].set, cases[c].element_bytes, cases[c].cap,
                dl_transpose_algorithm_name(cases[c].algorithm),
                cached ? "in cache" : "        ", sorted[0], sorted[some / 2],
                sorted[some / 2] * copy * 1e-11, sorted[some - 1], some, refused, knobs);
        }
    }
    free(sorted);
}

/* Same matrix and workspace, another algorithm. */
static bool same_task(const struct transpose_case *a, const struct transpose_case *b)
{
    return a->rows == b->rows && a->cols == b->cols &&
           a->element_bytes == b->element_bytes && a->cap == b->cap &&
           a->axis_count == b->axis_count && a->batch == b->batch &&
           memcmp(a->permutation, b->permutation, sizeof a->permutation) == 0 &&
           memcmp(a->extents, b->extents, sizeof a->extents) == 0 &&
           strcmp(a->set, b->set) == 0 && a->tile_rows == b->tile_rows &&
           a->tile_cols == b->tile_cols;
}

void transpose_choice_print(const struct transpose_case *cases, size_t count,
                            const double *shares)
{
    size_t choices = 0, good = 0, worst = 0, against = 0;
    double most = -1;

    for (size_t c = 0; c < count; c++) {
        size_t best = c;
        if (cases[c].algorithm != DL_TRANSPOSE_AUTO || shares[c] <= 0)
            continue;
        for (size_t other = 0; other < count; other++)
            if (same_task(&cases[c], &cases[other]) &&
                (shares[other] > shares[best] || best == c) && other != c &&
                shares[other] > 0)
                best = other;
        if (best == c)
            continue;
        choices++;
        good += shares[best] <= shares[c] * 1.1;
        if (shares[best] / shares[c] - 1 > most) {
            most = shares[best] / shares[c] - 1;
            worst = c;
            against = best;
        }
    }
    if (choices > 0)
        printf("== the chooser is within 10 %% of the best fixed algorithm on %zu of "
               "%zu; the "
               "worst: %llu x %llu of %u bytes, where %s is %.1f %% faster\n",
               good, choices, (unsigned long long)cases[worst].rows,
               (unsigned long long)cases[worst].cols, cases[worst].element_bytes,
               dl_transpose_algorithm_name(cases[against].algorithm), 100 * most);
}
