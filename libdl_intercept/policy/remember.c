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

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char first_words[] = "dl policy 5 ";

static const char no_best[] = "none";

enum { SAMPLES_MIN = 3, LINE_BYTES = 1200 };
/* Of conversions so many runs count. */
enum { RUNS_MAX = 5 };

/* ---- writing ---- */

struct writer {
    char *text;
    size_t bytes, room;
    bool failed;
};

static void add(struct writer *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add(struct writer *out, const char *format, ...)
{
    char line[LINE_BYTES];
    va_list list;
    int bytes;

    va_start(list, format);
    bytes = vsnprintf(line, sizeof line, format, list);
    va_end(list);
    if (bytes < 0 || (size_t)bytes >= sizeof line)
        out->failed = true;
    if (!out->failed && out->bytes + (size_t)bytes + 1 > out->room) {
        size_t room = 2 * out->room + (size_t)bytes + 256;
        char *more = realloc(out->text, room);

        out->failed = !more;
        if (more) {
            out->text = more;
            out->room = room;
        }
    }
    if (out->failed)
        return;
    memcpy(out->text + out->bytes, line, (size_t)bytes + 1);
    out->bytes += (size_t)bytes;
}

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

static void add_row(struct writer *out, const struct dl__policy *policy,
                    struct dl__policy_row *row)
{
    double now;
    const struct dl__policy_group *group = group_of(policy, row, &now);
    enum dl__candidate_id best = group ? dl__group_hindsight(group) : row->best;
    double returns = group ? dl__group_returns(group, best) : row->returns;
    unsigned count = 0;

    row->changed = false;
    add(out, "row %u %u %llu %s", row->work_class, row->struct_class,
        (unsigned long long)row->group_items,
        best == DL__CANDIDATES ? no_best : dl__candidate_get(best)->name);
    if (now > 0) {
        add(out, " %llu", whole(now));
        count++;
    }
    for (unsigned r = 0; r < row->run_count && count < DL__RUNS_KEPT; r++, count++)
        add(out, " %llu", whole(row->runs[r]));
    add(out, "\n");
    if (best != DL__CANDIDATES && best != DL__NATIVE && returns >= 0)
        add(out, "returns %llu %u\n", (unsigned long long)(returns * 1e6 + 0.5),
            group ? group->member_count : row->together);
    for (enum dl__candidate_id c = 0; c < DL__CANDIDATES; c++) {
        const struct dl__tried_on *on = &row->of[c];
        struct dl__sample then = to_remember(row, c);

        if (on->state == DL__AS_WRITTEN)
            add(out, "%s no\n", dl__candidate_get(c)->name);
        else if (on->state == DL__MAY_RUN && then.seconds > 0)
            add(out, "%s %llu %llu\n", dl__candidate_get(c)->name,
                whole(then.seconds * 1e9), whole(then.work));
    }
}

static bool is_of(const struct dl__policy_kernel *kernel, const unsigned char *text)
{
    return memcmp(kernel->text, text, sizeof kernel->text) == 0;
}

/* How conversions compared with their estimates in the last runs, in thousandths. */
static void add_moves(struct writer *out, const struct dl__policy *policy)
{
    for (enum dl__candidate_id c = DL__NATIVE + 1; c < DL__CANDIDATES; c++) {
        struct dl__samples runs = policy->moves_before[c];
        unsigned kept;

        if (dl__samples_known(&policy->moves[c]))
            dl__samples_add(&runs, dl__samples_median(&policy->moves[c], 1), 1);
        if (!dl__samples_known(&runs))
            continue;
        add(out, "moves %s", dl__candidate_get(c)->name);
        kept = dl__samples_kept(&runs);
        for (unsigned r = kept > RUNS_MAX ? kept - RUNS_MAX : 0; r < kept; r++)
            add(out, " %llu", whole(dl__samples_at(&runs, r)->seconds * 1e3));
        add(out, "\n");
    }
}

char *dl__remember_write(struct dl__policy *policy, const unsigned char *text,
                         const char *date)
{
    struct writer out = {0};

    add(&out, "%s%s\n", first_words, date);
    add_moves(&out, policy);
    for (const struct dl__policy_kernel *k = policy->kernels; k; k = k->next) {
        if (!is_of(k, text) || !k->rows)
            continue;
        add(&out, "kernel %s\n", k->name);
        if (k->unchanged)
            add(&out, "unchanged %u\n", k->unchanged);
        for (struct dl__policy_row *row = k->rows; row; row = row->next)
            add_row(&out, policy, row);
    }
    if (out.failed) {
        free(out.text);
        return NULL;
    }
    return out.text;
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

/* A row of these classes; not by work and structs, which it has none of. */
static struct dl__policy_row *row_of(struct dl__policy_kernel *kernel,
                                     unsigned work_class, unsigned struct_class,
                                     unsigned long long group_items)
{
    return dl__policy_row_get(kernel, (double)(UINT64_C(1) << work_class),
                              UINT64_C(1) << struct_class, group_items);
}

static bool read_row(struct reader *in, const char *line)
{
    unsigned work_class, struct_class, count = 0;
    unsigned long long group_items, launches;
    double runs[DL__RUNS_KEPT];
    enum dl__candidate_id best;
    char name[16];
    int end = 0, more;

    if (sscanf(line, "row %2u %2u %20llu %15s%n", &work_class, &struct_class,
               &group_items, name, &end) != 4 ||
        work_class > 63 || struct_class > 63 || !in->has_kernel)
        return false;
    best = dl__candidate_find(name, strlen(name));
    for (line += end; *line; line += more) {
        if (count == DL__RUNS_KEPT || line[0] != ' ' || line[1] == ' ' ||
            sscanf(line, " %15llu%n", &launches, &more) != 1)
            return false;
        runs[count++] = (double)launches;
    }
    in->has_row = true;
    in->row = in->policy && in->kernel
                  ? row_of(in->kernel, work_class, struct_class, group_items)
                  : NULL;
    if (in->row && !in->others) {
        in->row->best = best;
        in->row->run_count = count;
        memcpy(in->row->runs, runs, count * sizeof *runs);
    }
    return true;
}

/* For a million launches, and how many rows were together. */
static bool read_returns(struct reader *in, const char *line)
{
    unsigned long long returns;
    unsigned together;
    int end = 0;

    if (!in->has_row ||
        sscanf(line, "returns %15llu %4u%n", &returns, &together, &end) != 2 || line[end])
        return false;
    if (in->row && !in->others) {
        in->row->returns = (double)returns * 1e-6;
        in->row->together = together;
    }
    return true;
}

static bool read_candidate(struct reader *in, const char *line)
{
    size_t name_bytes = strcspn(line, " ");
    enum dl__candidate_id c = dl__candidate_find(line, name_bytes);
    bool refused = strcmp(line + name_bytes, " no") == 0;
    unsigned long long ns = 0, work = 0;
    struct dl__tried_on *on;
    int end = 0;

    if (!in->has_row ||
        (!refused &&
         (sscanf(line + name_bytes, " %19llu %19llu%n", &ns, &work, &end) != 2 ||
          line[name_bytes + (size_t)end] || ns == 0 || work == 0)))
        return false;
    /* A candidate of a later version is none of ours. */
    if (!in->row || c == DL__CANDIDATES || (refused && c == DL__NATIVE))
        return true;
    on = &in->row->of[c];
    /* What this run has found out itself counts more. */
    if (in->others && (on->state != DL__UNTRIED && on->promised.seconds > 0))
        return true;
    on->state = refused ? DL__AS_WRITTEN : DL__MAY_RUN;
    if (!refused)
        on->promised = (struct dl__sample){(double)ns * 1e-9, (double)work};
    return true;
}

static bool read_unchanged(struct reader *in, const char *line)
{
    unsigned unchanged;
    int end = 0;

    if (!in->has_kernel || in->has_row ||
        sscanf(line, "unchanged %4u%n", &unchanged, &end) != 1 || line[end])
        return false;
    if (in->kernel && in->kernel->unchanged < unchanged)
        in->kernel->unchanged = unchanged;
    return true;
}

/* The runs' ratios at the end of a line. */
static bool read_runs(const char *line, struct dl__samples *out)
{
    unsigned long long ratio;
    int end;

    for (unsigned r = 0; *line; r++, line += end) {
        if (r == RUNS_MAX || sscanf(line, " %9llu%n", &ratio, &end) != 1 ||
            line[0] != ' ' || line[1] == ' ' || ratio == 0)
            return false;
        dl__samples_add(out, (double)ratio * 1e-3, 1);
    }
    return true;
}

static bool read_moves(struct reader *in, const char *line)
{
    char name[16];
    struct dl__samples runs = {0};
    enum dl__candidate_id c;
    int end = 0;

    if (sscanf(line, "moves %15s%n", name, &end) != 1 || !read_runs(line + end, &runs))
        return false;
    c = dl__candidate_find(name, strlen(name));
    if (in->policy && c != DL__CANDIDATES) {
        /* What this run has measured is not to count twice. */
        if (!in->others || (!dl__samples_known(&in->policy->moves_before[c]) &&
                            !dl__samples_known(&in->policy->moves[c])))
            in->policy->moves_before[c] = runs;
    }
    return true;
}

static bool read_line(struct reader *in, const char *line)
{
    if (strncmp(line, "moves ", 6) == 0)
        return read_moves(in, line);
    if (strncmp(line, "kernel ", 7) == 0) {
        in->has_kernel = true;
        in->has_row = false;
        in->kernel = in->policy && line[7]
                         ? dl__policy_kernel_get(in->policy, in->text, line + 7)
                         : NULL;
        return line[7] != '\0';
    }
    if (strncmp(line, "returns ", 8) == 0)
        return read_returns(in, line);
    if (strncmp(line, "unchanged ", 10) == 0)
        return read_unchanged(in, line);
    return strncmp(line, "row ", 4) == 0 ? read_row(in, line) : read_candidate(in, line);
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
