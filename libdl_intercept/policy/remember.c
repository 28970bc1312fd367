/* SPDX-License-Identifier: MIT */
/* Decisions as text. */
#include "remember.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "numbers.h"

static const char first_words[] = "dl policy 2 ";

/* A first launch may have had more to do than others. */
enum { SAMPLES_MIN = 2, LINE_BYTES = 1200 };
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

/* What is worth telling the next run: this run's, where it measured enough, else the last one's. */
static struct dl__remembered to_remember(const struct dl__policy_row *row,
                                         enum dl__candidate_id c)
{
    const struct dl__samples *samples = &row->samples[c];
    double work;

    if (samples->count < SAMPLES_MIN && dl__samples_known(&row->before[c]))
        samples = &row->before[c];
    work = samples->kept[0].work;
    if (samples->count >= SAMPLES_MIN)
        return (struct dl__remembered){dl__samples_median(samples, work), work};
    return row->remembered[c];
}

static void add_row(struct writer *out, const struct dl__policy_row *row)
{
    add(out, "row %u %u %s\n", row->work_class, row->struct_class,
        row->pays ? "pays" : "-");
    for (int i = 0; i < DL__CANDIDATES; i++) {
        struct dl__remembered then = to_remember(row, (enum dl__candidate_id)i);

        if (then.work > 0)
            add(out, "%s %llu %llu %lu\n",
                dl__candidate_get((enum dl__candidate_id)i)->name,
                whole(then.seconds * 1e9), whole(then.work), row->samples[i].count);
    }
}

static bool is_of(const struct dl__policy_kernel *kernel, const unsigned char *text)
{
    return memcmp(kernel->text, text, sizeof kernel->text) == 0;
}

/* Of structs of which sizes conversions were made, and how they compared with their estimates in the last runs,
 * in thousandths. */
static void add_moves(struct writer *out, const struct dl__policy *policy)
{
    for (int i = DL__NATIVE + 1; i < DL__CANDIDATES; i++) {
        struct dl__samples runs = policy->moves_before[i];
        unsigned kept;

        if (dl__samples_known(&policy->moves[i]))
            dl__samples_add(&runs, dl__samples_median(&policy->moves[i], 1), 1);
        if (!dl__samples_known(&runs) && !policy->moved[i])
            continue;
        add(out, "moves %s %llu", dl__candidate_get((enum dl__candidate_id)i)->name,
            (unsigned long long)policy->moved[i]);
        kept = dl__samples_kept(&runs);
        for (unsigned r = kept > RUNS_MAX ? kept - RUNS_MAX : 0; r < kept; r++)
            add(out, " %llu", whole(dl__samples_at(&runs, r)->seconds * 1e3));
        add(out, "\n");
    }
}

char *dl__remember_write(const struct dl__policy *policy, const unsigned char *text,
                         const char *date)
{
    struct writer out = {0};

    add(&out, "%s%s\n", first_words, date);
    add_moves(&out, policy);
    for (const struct dl__policy_kernel *k = policy->kernels; k; k = k->next) {
        if (!is_of(k, text) || !k->rows)
            continue;
        add(&out, "kernel %s\n", k->name);
        for (const struct dl__policy_row *row = k->rows; row; row = row->next)
            add_row(&out, row);
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
                                     unsigned work_class, unsigned struct_class)
{
    return dl__policy_row_get(kernel, (double)(UINT64_C(1) << work_class),
                              UINT64_C(1) << struct_class);
}

static bool is_measured_on(const struct dl__policy_row *row, enum dl__candidate_id c)
{
    return row->samples[c].count >= SAMPLES_MIN || dl__samples_known(&row->before[c]);
}

static bool is_measured(const struct dl__policy_row *row)
{
    bool any = false;

    for (int i = 0; i < DL__CANDIDATES; i++)
        any = any || is_measured_on(row, (enum dl__candidate_id)i);
    return any;
}

static bool read_row(struct reader *in, const char *line)
{
    unsigned work_class, struct_class;
    char pays[8];
    int end = 0;

    if (sscanf(line, "row %2u %2u %4s%n", &work_class, &struct_class, pays, &end) != 3 ||
        line[end] || work_class > 63 || struct_class > 63 || !in->has_kernel ||
        (strcmp(pays, "pays") != 0 && strcmp(pays, "-") != 0))
        return false;
    in->has_row = true;
    in->row =
        in->policy && in->kernel ? row_of(in->kernel, work_class, struct_class) : NULL;
    if (in->row && !(in->others && is_measured(in->row)))
        in->row->pays = pays[0] == 'p';
    return true;
}

static bool read_candidate(struct reader *in, const char *line)
{
    size_t name_bytes = strcspn(line, " ");
    enum dl__candidate_id c = dl__candidate_find(line, name_bytes);
    unsigned long long ns, work;
    unsigned long count;
    int end = 0;

    if (!in->has_row ||
        sscanf(line + name_bytes, " %19llu %19llu %9lu%n", &ns, &work, &count, &end) !=
            3 ||
        line[name_bytes + (size_t)end] || ns == 0 || work == 0)
        return false;
    /* A candidate of a later version is none of ours. */
    if (in->row && c != DL__CANDIDATES && !(in->others && is_measured_on(in->row, c)))
        in->row->remembered[c] = (struct dl__remembered){(double)ns * 1e-9, (double)work};
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
    unsigned long long structs;
    struct dl__samples runs = {0};
    enum dl__candidate_id c;
    int end = 0;

    if (sscanf(line, "moves %15s %20llu%n", name, &structs, &end) != 2 ||
        !read_runs(line + end, &runs))
        return false;
    c = dl__candidate_find(name, strlen(name));
    if (in->policy && c != DL__CANDIDATES) {
        /* What this run has measured is not to count twice. */
        if (!in->others || (!dl__samples_known(&in->policy->moves_before[c]) &&
                            !dl__samples_known(&in->policy->moves[c])))
            in->policy->moves_before[c] = runs;
        in->policy->moved[c] |= structs;
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

static bool read_text(struct dl__policy *policy, const unsigned char *text,
                      const char *said, size_t bytes, bool others)
{
    struct reader in = {.text = text};

    /* First whether all of it is right. */
    if (!read_lines(&in, said, bytes))
        return false;
    in = (struct reader){.policy = policy, .text = text, .others = others};
    return read_lines(&in, said, bytes);
}

bool dl__remember_read(struct dl__policy *policy, const unsigned char *text,
                       const char *said, size_t bytes)
{
    return read_text(policy, text, said, bytes, false);
}

bool dl__remember_add(struct dl__policy *policy, const unsigned char *text,
                      const char *said, size_t bytes)
{
    return read_text(policy, text, said, bytes, true);
}
