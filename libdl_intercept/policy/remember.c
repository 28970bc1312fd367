/* SPDX-License-Identifier: MIT */
/* Decisions as bytes: what was measured of the kernels of one program text, for its next
 * run. An entry of the cache is whole, and of this build of DL (programs/store.h), so
 * that a row is kept as this build has it.
 *
 * How long conversions to each layout took in each of the last runs that made some, as a
 * part of what was estimated; looks by parts, of each size; then the kernels, each with
 * its rows. Pure C. */
#include <string.h>

#include "core.h"
#include "libdl_intercept/programs/pack.h"

/* A row as it is kept. */
struct record {
    uint64_t group_items;
    unsigned work_class, struct_class, together, run_count;
    double runs[DL__RUNS_KEPT], returns, touched;
    enum dl__candidate_id best;
    struct {
        enum dl__tried state; /* UNTRIED: nothing is known */
        struct dl__sample sample;
        double beside; /* of copies: what the program's own took then; 0: not known */
        bool by_text;
        unsigned count; /* launches of which the sample is the median; 0: none */
        unsigned lost, differs;
        char why[DL__KEPT_BYTES];
    } of[DL__CANDIDATES];
};

static bool is_of(const struct dl__policy_kernel *kernel, const unsigned char *text)
{
    return memcmp(kernel->text, text, sizeof kernel->text) == 0;
}

/* ---- writing ---- */

/* Returns what is worth telling the next run: this run's, where it measured enough, else
 * what earlier runs measured, or copies said. */
static struct dl__sample to_remember(const struct dl__policy_row *row,
                                     enum dl__candidate_id c)
{
    static const struct dl__estimate none;
    const struct dl__tried_on *on = &row->of[c];
    double work =
        dl__samples_known(&on->samples) ? on->samples.kept[0].work : on->promised.work;

    if (dl__tried_keeps(row, c))
        return on->before;
    /* A first launch may have had more to do than others. */
    if (work <= 0 || (on->promised.seconds <= 0 && on->samples.count < DL__SAMPLES_MIN))
        return (struct dl__sample){0};
    return (struct dl__sample){c == DL__NATIVE ? dl__row_native(row, &none, work)
                                               : dl__row_seconds(row, c, work),
                               work};
}

/* The program's own time that goes with a time of copies which is remembered: a run that
 * explored beside a builder was slow in both. */
static double to_compare(const struct dl__policy_row *row, enum dl__candidate_id c,
                         double work)
{
    static const struct dl__estimate none;
    const struct dl__tried_on *on = &row->of[c];
    double native = dl__row_native(row, &none, work);

    if (c == DL__NATIVE || on->beside <= 0 || dl__tried_keeps(row, c) ||
        on->samples.count >= dl__tried_doubted(on, DL__SAMPLES_MIN))
        return 0;
    return dl__row_is_scaled(on, native) ? native : on->beside;
}

/* Of launches on that. Slower ones of this run take up to half the weight off what stays,
 * so that a device that has changed is believed after some runs. */
static unsigned to_count(const struct dl__policy_row *row, enum dl__candidate_id c)
{
    const struct dl__tried_on *on = &row->of[c];
    unsigned own = dl__samples_kept(&on->samples), half = (on->before_count + 1) / 2;

    if (!dl__tried_keeps(row, c))
        return own;
    return dl__tried_slower(on) ? on->before_count - (own < half ? own : half)
                                : on->before_count;
}

/* The group that the row is in now; NULL: those have ended.
 *   shortest  out, launches of the shortest in this run, those that live among them
 *   touched   out, as in the row */
static const struct dl__policy_group *group_of(const struct dl__policy *policy,
                                               const struct dl__policy_row *row,
                                               double *shortest, double *touched)
{
    const struct dl__policy_group *found = NULL;

    *touched = row->touched;
    *shortest = row->shortest;
    for (const struct dl__policy_group *group = policy->groups; group;
         group = group->next)
        for (unsigned m = 0; !group->into && m < group->member_count; m++) {
            const struct dl__member *member = &group->members[m];

            if (member->row != row)
                continue;
            if (!found)
                *touched = dl__group_touched(group, member);
            found = found ? found : group;
            *shortest = *shortest > 0 ? dl__min(*shortest, member->ever.launches)
                                      : member->ever.launches;
        }
    return found;
}

static void add_row(struct dl__pack *out, const struct dl__policy *policy,
                    struct dl__policy_row *row)
{
    double now, touched;
    const struct dl__policy_group *group = group_of(policy, row, &now, &touched);
    struct record record;

    memset(&record, 0, sizeof record);
    record.group_items = row->group_items;
    record.work_class = row->work_class;
    record.struct_class = row->struct_class;
    record.best = group ? dl__row_best(row, dl__group_hindsight(group)) : row->best;
    record.returns = group ? dl__group_returns(group, record.best) : row->returns;
    record.touched = touched;
    record.together = group ? group->member_count : row->together;
    if (now > 0)
        record.runs[record.run_count++] = now;
    for (unsigned r = 0; r < row->run_count && record.run_count < DL__RUNS_KEPT; r++)
        record.runs[record.run_count++] = row->runs[r];
    for (enum dl__candidate_id c = 0; c < DL__CANDIDATES; c++) {
        record.of[c].sample = to_remember(row, c);
        record.of[c].beside = to_compare(row, c, record.of[c].sample.work);
        if ((row->of[c].state == DL__AS_WRITTEN && !row->of[c].unbound) ||
            record.of[c].sample.seconds > 0)
            record.of[c].state = row->of[c].state;
        record.of[c].by_text = row->of[c].by_text;
        record.of[c].count = to_count(row, c);
        record.of[c].lost = row->of[c].lost;
        record.of[c].differs = row->of[c].differs;
        memcpy(record.of[c].why, row->of[c].why, sizeof record.of[c].why);
    }
    row->changed = false;
    dl__pack_bytes(out, &record, sizeof record);
}

/* Returns the oldest that is kept but `index`. */
static const struct dl__sample *samples_at(const struct dl__samples *samples,
                                           unsigned index)
{
    unsigned long first = samples->count - dl__samples_kept(samples);

    return &samples->kept[(first + index) % DL__SAMPLES_KEPT];
}

/* As many runs count of conversions as of launches. */
static void add_moves(struct dl__pack *out, const struct dl__policy *policy)
{
    for (enum dl__candidate_id c = DL__NATIVE + 1; c < DL__CANDIDATES; c++) {
        struct dl__samples runs = policy->moves_before[c], kept = {0};
        unsigned count;

        if (dl__samples_known(&policy->moves[c]))
            dl__samples_add(&runs, dl__samples_median(&policy->moves[c], 1), 1);
        count = dl__samples_kept(&runs);
        for (unsigned r = count > DL__RUNS_KEPT ? count - DL__RUNS_KEPT : 0; r < count;
             r++)
            dl__samples_add(&kept, samples_at(&runs, r)->seconds, 1);
        dl__pack_bytes(out, &kept, sizeof kept);
    }
}

/* Looks of one size, as they are kept: seconds a byte; 0: not known. */
struct look_record {
    unsigned bytes_class, unused;
    double seconds[DL__CANDIDATES];
};

static void add_looks(struct dl__pack *out, const struct dl__policy *policy)
{
    for (const struct dl__look *look = policy->looks; look; look = look->next) {
        struct look_record record = {.bytes_class = look->bytes_class};

        for (enum dl__candidate_id c = 0; c < DL__CANDIDATES; c++)
            record.seconds[c] = dl__look_seconds(look, c, 1);
        dl__pack_bytes(out, &record, sizeof record);
    }
    dl__pack_bytes(out, "", 0); /* no more */
}

void dl__remember_write(struct dl__policy *policy, const unsigned char *text,
                        struct dl__pack *out)
{
    double beyond = dl__policy_beyond(policy) / 2;

    add_moves(out, policy);
    dl__pack_bytes(out, &beyond, sizeof beyond);
    add_looks(out, policy);
    for (const struct dl__policy_kernel *k = policy->kernels; k; k = k->next) {
        if (!is_of(k, text) || !k->rows)
            continue;
        dl__pack_text(out, k->name);
        dl__pack_number(out, k->unchanged);
        for (struct dl__policy_row *row = k->rows; row; row = row->next)
            add_row(out, policy, row);
        dl__pack_bytes(out, "", 0); /* no more rows */
    }
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

/* False: the next field is something else, or there is none. */
static bool take(struct dl__unpack *in, void *out, size_t out_bytes)
{
    size_t bytes;
    const unsigned char *data = dl__unpack_bytes(in, &bytes);

    if (!data || bytes != out_bytes)
        return false;
    memcpy(out, data, bytes);
    return true;
}

static void read_row(struct dl__policy_kernel *kernel, const struct record *record,
                     bool others)
{
    /* By classes; of work and structs there are none. */
    struct dl__policy_row *row =
        dl__policy_row_get(kernel, (double)(UINT64_C(1) << record->work_class),
                           UINT64_C(1) << record->struct_class, record->group_items);

    for (enum dl__candidate_id c = 0; row && c < DL__CANDIDATES; c++) {
        struct dl__tried_on *on = &row->of[c];

        /* This run's own findings count more. */
        if (record->of[c].state == DL__UNTRIED ||
            (others && on->state != DL__UNTRIED && on->promised.seconds > 0))
            continue;
        on->state = record->of[c].state;
        if (on->state == DL__MAY_RUN)
            on->promised = record->of[c].sample;
        on->beside = record->of[c].beside;
        on->before = record->of[c].sample;
        on->before_count = record->of[c].count;
        on->lost = record->of[c].lost;
        on->differs = record->of[c].differs;
        dl__tried_why(on, record->of[c].why);
        on->earlier = true;
        on->by_text = record->of[c].by_text;
    }
    if (!row || others)
        return;
    row->best = record->best;
    row->returns = record->returns;
    row->touched = record->touched;
    row->together = record->together;
    row->run_count = record->run_count;
    memcpy(row->runs, record->runs, sizeof row->runs);
}

void dl__remember_read(struct dl__policy *policy, const unsigned char *text,
                       const void *said, size_t bytes, bool others)
{
    struct dl__unpack in = {.data = said, .bytes = bytes};
    struct look_record sizes;
    const char *name;
    double beyond;

    for (enum dl__candidate_id c = DL__NATIVE + 1; c < DL__CANDIDATES; c++) {
        struct dl__samples runs = {0};

        /* This run's own measurements must not count twice. */
        if (take(&in, &runs, sizeof runs) &&
            (!others || (!dl__samples_known(&policy->moves_before[c]) &&
                         !dl__samples_known(&policy->moves[c]))))
            policy->moves_before[c] = runs;
    }
    if (take(&in, &beyond, sizeof beyond) && (!others || policy->beyond_before <= 0))
        policy->beyond_before = beyond;
    while (take(&in, &sizes, sizeof sizes)) {
        struct dl__look *look = dl__look_get(policy, UINT64_C(1) << sizes.bytes_class);

        for (enum dl__candidate_id c = 0; look && c < DL__CANDIDATES; c++)
            if (!others || look->before[c] <= 0)
                look->before[c] = sizes.seconds[c];
    }
    while ((name = dl__unpack_text(&in))) {
        struct dl__policy_kernel *kernel = dl__policy_kernel_get(policy, text, name);
        unsigned unchanged = (unsigned)dl__unpack_number(&in);
        struct record record;

        if (kernel && kernel->unchanged < unchanged)
            kernel->unchanged = unchanged;
        while (take(&in, &record, sizeof record))
            if (kernel)
                read_row(kernel, &record, others);
    }
}
