/* SPDX-License-Identifier: MIT */
/* Decisions as text: what was measured of the kernels of one program text, for its next
 * run.
 *
 *     dl policy 5 2026-11-28
 *     moves ASTA 720 5100 700
 *     kernel lbm
 *     unchanged 1
 *     row 24 24 0 ASTA 1000 1000 300
 *     native 4700000 16777216
 *     ASTA 650000 16777216
 *     DA no
 *
 * How long conversions took in each of the last runs that made some, in thousandths of
 * what was estimated. Of a kernel, how many parts of its launches changed nothing. A row
 * is for powers of two of work-items and structs, and a group size; then what would have
 * been best for the group, and how many launches the shortest group had in each of the
 * last runs. A candidate's line has nanoseconds, for how many work-items; or says that it
 * can't be. Pure C. */
#include "core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char first_words[] = "dl policy 5 ";

static const char no_best[] = "none";

/* Of conversions as many runs count as of launches. */
enum { SAMPLES_MIN = 3, LINE_BYTES = 1200, NUMBERS_MAX = 3 + DL__RUNS_KEPT };

/* ---- writing ---- */

/* A number without the program's locale: nanoseconds and work-items are whole. */
static unsigned long long whole(double number)
{
    return number < 1 ? 1 : (unsigned long long)(number + 0.5);
}

/* Returns what is worth telling the next run: this run's, where it measured enough, else
 * what copies or the last one said. */
static struct dl__sample to_remember(const struct dl__policy_row *row,
                                     enum dl__candidate_id c)
{
    static const struct dl__estimate none;
    const struct dl__tried_on *on = &row->of[c];
    double work =
        dl__samples_known(&on->samples) ? on->samples.kept[0].work : on->promised.work;

    /* A first launch may have had more to do than others. */
    if (on->promised.seconds <= 0 && on->samples.count < SAMPLES_MIN)
        work = 0;
    if (work <= 0)
        return (struct dl__sample){0};
    return (struct dl__sample){c == DL__NATIVE ? dl__row_native(row, &none, work)
                                               : dl__row_seconds(row, c, work),
                               work};
}

/* The group that the row is in now; NULL: those have ended.
 *   shortest  out, launches of the shortest in this run, those that live among them */
static const struct dl__policy_group *group_of(const struct dl__policy *policy,
                                               const struct dl__policy_row *row,
                                               double *shortest)
{
    const struct dl__policy_group *found = NULL;

    *shortest = row->shortest;
    for (const struct dl__policy_group *group = policy->groups; group;
         group = group->next)
        for (unsigned m = 0; !group->into && m < group->member_count; m++) {
            const struct dl__member *member = &group->members[m];

            if (member->row != row)
                continue;
            found = found ? found : group;
            *shortest = *shortest > 0 ? dl__min(*shortest, member->ever.launches)
                                      : member->ever.launches;
        }
    return found;
}

static void add_row(FILE *out, const struct dl__policy *policy,
                    struct dl__policy_row *row)
{
    double now;
    const struct dl__policy_group *group = group_of(policy, row, &now);
    enum dl__candidate_id best = group ? dl__group_hindsight(group) : row->best;
    double returns = group ? dl__group_returns(group, best) : row->returns;

    row->changed = false;
    fprintf(out, "row %u %u %llu %s", row->work_class, row->struct_class,
            (unsigned long long)row->group_items,
            best == DL__CANDIDATES ? no_best : dl__candidate_get(best)->name);
    if (now > 0)
        fprintf(out, " %llu", whole(now));
    for (unsigned r = 0; r < row->run_count && r + (now > 0) < DL__RUNS_KEPT; r++)
        fprintf(out, " %llu", whole(row->runs[r]));
    fprintf(out, "\n");
    if (best != DL__CANDIDATES && best != DL__NATIVE && returns >= 0)
        fprintf(out, "returns %llu %u\n", (unsigned long long)(returns * 1e6 + 0.5),
                group ? group->member_count : row->together);
    for (enum dl__candidate_id c = 0; c < DL__CANDIDATES; c++) {
        const struct dl__tried_on *on = &row->of[c];
        struct dl__sample then = to_remember(row, c);

        if (on->state == DL__AS_WRITTEN)
            fprintf(out, "%s no\n", dl__candidate_get(c)->name);
        else if (on->state == DL__MAY_RUN && then.seconds > 0)
            fprintf(out, "%s %llu %llu\n", dl__candidate_get(c)->name,
                    whole(then.seconds * 1e9), whole(then.work));
    }
}

static bool is_of(const struct dl__policy_kernel *kernel, const unsigned char *text)
{
    return memcmp(kernel->text, text, sizeof kernel->text) == 0;
}

/* How conversions compared with their estimates in the last runs, in thousandths. */
static void add_moves(FILE *out, const struct dl__policy *policy)
{
    for (enum dl__candidate_id c = DL__NATIVE + 1; c < DL__CANDIDATES; c++) {
        struct dl__samples runs = policy->moves_before[c];
        unsigned kept;

        if (dl__samples_known(&policy->moves[c]))
            dl__samples_add(&runs, dl__samples_median(&policy->moves[c], 1), 1);
        if (!dl__samples_known(&runs))
            continue;
        fprintf(out, "moves %s", dl__candidate_get(c)->name);
        kept = dl__samples_kept(&runs);
        for (unsigned r = kept > DL__RUNS_KEPT ? kept - DL__RUNS_KEPT : 0; r < kept; r++)
            fprintf(out, " %llu", whole(dl__samples_at(&runs, r)->seconds * 1e3));
        fprintf(out, "\n");
    }
}

char *dl__remember_write(struct dl__policy *policy, const unsigned char *text,
                         const char *date)
{
    char *said = NULL;
    size_t bytes;
    FILE *out = open_memstream(&said, &bytes);
    bool failed;

    if (!out)
        return NULL;
    fprintf(out, "%s%s\n", first_words, date);
    add_moves(out, policy);
    for (const struct dl__policy_kernel *k = policy->kernels; k; k = k->next) {
        if (!is_of(k, text) || !k->rows)
            continue;
        fprintf(out, "kernel %s\n", k->name);
        if (k->unchanged)
            fprintf(out, "unchanged %u\n", k->unchanged);
        for (struct dl__policy_row *row = k->rows; row; row = row->next)
            add_row(out, policy, row);
    }
    failed = ferror(out);
    if (fclose(out) == 0 && !failed)
        return said;
    free(said);
    return NULL;
}

bool dl__remember_changed(const struct dl__policy *policy, const unsigned char *text)
{
    for (const struct dl__policy_kernel *k = policy->kernels; k; k = k->next)
        for (const struct dl__policy_row *row = k->rows; row && is_of(k, text);
             row = row->next)
            if (row->changed)
                return true;
    return false;
}

/* ---- reading ---- */

struct reader {
    struct dl__policy *policy; /* NULL: only whether the text is right */
    const unsigned char *text;
    struct dl__policy_kernel *kernel;
    struct dl__policy_row *row;
    bool has_kernel, has_row;
    bool others; /* what is measured here counts more */
};

/* A line: its first word, the one behind it that is no number, and the numbers. */
struct line {
    const char *head, *name; /* NULL: there is none */
    unsigned long long numbers[NUMBERS_MAX];
    unsigned count;
};

/* False: it is not such a line. */
static bool split(char *text, struct line *out)
{
    *out = (struct line){.head = text};
    while ((text = strchr(text, ' '))) {
        char *end;

        *text++ = '\0';
        if (*text >= '0' && *text <= '9') {
            if (out->count == NUMBERS_MAX)
                return false;
            out->numbers[out->count++] = strtoull(text, &end, 10);
            if (*end && *end != ' ')
                return false;
        } else if (out->name || !*text || *text == ' ') {
            return false;
        } else {
            out->name = text;
        }
    }
    return true;
}

static bool read_row(struct reader *in, const struct line *line)
{
    const unsigned long long *numbers = line->numbers;

    if (!in->has_kernel || !line->name || line->count < 3 || numbers[0] > 63 ||
        numbers[1] > 63)
        return false;
    in->has_row = true;
    /* By classes; of work and structs there are none. */
    in->row = in->kernel
                  ? dl__policy_row_get(in->kernel, (double)(UINT64_C(1) << numbers[0]),
                                       UINT64_C(1) << numbers[1], numbers[2])
                  : NULL;
    if (!in->row || in->others)
        return true;
    in->row->best = dl__candidate_find(line->name, strlen(line->name));
    in->row->run_count = line->count - 3;
    for (unsigned r = 0; r < in->row->run_count; r++)
        in->row->runs[r] = (double)numbers[3 + r];
    return true;
}

static bool read_candidate(struct reader *in, const struct line *line)
{
    enum dl__candidate_id c = dl__candidate_find(line->head, strlen(line->head));
    bool refused = line->name && strcmp(line->name, "no") == 0;
    struct dl__tried_on *on;

    if (!in->has_row || line->count != (refused ? 0 : 2) || (line->name && !refused) ||
        (!refused && (line->numbers[0] == 0 || line->numbers[1] == 0)))
        return false;
    /* A candidate of a later version is none of ours. */
    if (!in->row || c == DL__CANDIDATES || (refused && c == DL__NATIVE))
        return true;
    on = &in->row->of[c];
    /* This run's own findings count more. */
    if (in->others && (on->state != DL__UNTRIED && on->promised.seconds > 0))
        return true;
    on->state = refused ? DL__AS_WRITTEN : DL__MAY_RUN;
    if (!refused)
        on->promised = (struct dl__sample){(double)line->numbers[0] * 1e-9,
                                           (double)line->numbers[1]};
    on->earlier = true;
    return true;
}

static bool read_moves(struct reader *in, const struct line *line)
{
    struct dl__samples runs = {0};
    enum dl__candidate_id c =
        line->name ? dl__candidate_find(line->name, strlen(line->name)) : DL__CANDIDATES;

    if (!line->name || line->count > DL__RUNS_KEPT)
        return false;
    for (unsigned r = 0; r < line->count; r++)
        dl__samples_add(&runs, (double)line->numbers[r] * 1e-3, 1);
    /* This run's own measurements must not count twice. */
    if (in->policy && c != DL__CANDIDATES &&
        (!in->others || (!dl__samples_known(&in->policy->moves_before[c]) &&
                         !dl__samples_known(&in->policy->moves[c]))))
        in->policy->moves_before[c] = runs;
    return true;
}

static bool read_line(struct reader *in, char *text)
{
    struct line line;

    if (!split(text, &line))
        return false;
    if (strcmp(line.head, "moves") == 0)
        return read_moves(in, &line);
    if (strcmp(line.head, "kernel") == 0) {
        in->has_kernel = true;
        in->has_row = false;
        in->kernel = in->policy && line.name
                         ? dl__policy_kernel_get(in->policy, in->text, line.name)
                         : NULL;
        return line.name && line.count == 0;
    }
    if (strcmp(line.head, "unchanged") == 0) {
        if (in->kernel && in->kernel->unchanged < line.numbers[0])
            in->kernel->unchanged = (unsigned)line.numbers[0];
        return in->has_kernel && !in->has_row && !line.name && line.count == 1;
    }
    if (strcmp(line.head, "row") == 0)
        return read_row(in, &line);
    if (strcmp(line.head, "returns") != 0)
        return read_candidate(in, &line);
    /* Of a million launches, and how many rows were together. */
    if (in->row && !in->others) {
        in->row->returns = (double)line.numbers[0] * 1e-6;
        in->row->together = (unsigned)line.numbers[1];
    }
    return in->has_row && !line.name && line.count == 2;
}

static bool read_lines(struct reader *in, const char *said, size_t bytes)
{
    const char *end = said + bytes;
    bool first = true;

    while (said < end) {
        const char *newline = memchr(said, '\n', (size_t)(end - said));
        char line[LINE_BYTES];
        size_t length;

        if (!newline || (length = (size_t)(newline - said)) >= sizeof line ||
            memchr(said, '\0', length))
            return false;
        memcpy(line, said, length);
        line[length] = '\0';
        said = newline + 1;
        if (first ? strncmp(line, first_words, sizeof first_words - 1) != 0
                  : !read_line(in, line))
            return false;
        first = false;
    }
    return !first;
}

bool dl__remember_read(struct dl__policy *policy, const unsigned char *text,
                       const char *said, size_t bytes, bool others)
{
    struct reader in = {.text = text};

    /* First whether all of it is right. */
    if (!read_lines(&in, said, bytes))
        return false;
    in = (struct reader){.policy = policy, .text = text, .others = others};
    return read_lines(&in, said, bytes);
}
