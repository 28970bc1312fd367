/* SPDX-License-Identifier: MIT */
/* Why a launch runs as it does, and a group lies as it does: for the statistics, and for
 * --explain-policy. */
#include "core.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "layout/c_locale.h"
#include "libdl_intercept/reports/reasons.h"

/* A line that grows. */
struct line {
    char *text;
    size_t bytes, used;
};

static void add(struct line *line, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add(struct line *line, const char *format, ...)
{
    va_list list;
    int more;

    va_start(list, format);
    more = vsnprintf(line->text + line->used, line->bytes - line->used, format, list);
    va_end(list);
    if (more > 0)
        line->used += (size_t)more;
    if (line->used >= line->bytes)
        line->used = line->bytes - 1;
}

/* Milliseconds with three digits that count, and never as 2.5e+03. */
static void add_ms(struct line *line, double seconds)
{
    const double ms = seconds * 1e3;

    add(line, ms >= 100 || ms <= -100 ? "%.0f" : "%.3g", ms);
}

static const char *layout_of(enum dl__candidate_id c)
{
    return c == DL__NATIVE ? "as written" : dl__candidate_get(c)->name;
}

/* ---- launches ---- */

/* A layout may save something, but for the conversions that others than its kernels want:
 * returns how many times as much these take. 0: that is not so. */
static double spoilt_between(const struct dl__policy_group *group)
{
    double times = 0;

    for (unsigned m = 0; m < group->member_count; m++)
        if (dl__is_unexplored(&group->members[m]))
            return 0;
    for (enum dl__candidate_id c = DL__NATIVE + 1; c < DL__CANDIDATES; c++) {
        const struct dl__saving on = dl__group_saving(group, c, true);
        const double wanted = on.returns * dl__both_ways(group, c) + on.looks;

        if (!dl__candidate_get(c)->in_place && on.saved <= 0 && wanted > 0 &&
            on.saved + wanted > on.least &&
            (times == 0 || times > wanted / (on.saved + wanted)))
            times = wanted / (on.saved + wanted);
    }
    return times;
}

/* True when the kernel has not been explored on the candidate, and may gain there. */
static bool is_untried(const struct dl__member *member, enum dl__candidate_id c)
{
    return member->possible[c] && !member->exact &&
           member->row->of[c].state == DL__UNTRIED;
}

/* The same of one of the group. */
static bool is_open_on(const struct dl__policy_group *group, enum dl__candidate_id c)
{
    for (unsigned m = 0; m < group->member_count; m++)
        if (is_untried(&group->members[m], c))
            return true;
    return false;
}

/* True when enough launches of its group would save what counts on the candidate, or its
 * own while others are not known, or others want the buffers as written between them. */
static bool may_gain(const struct dl__policy_ask *ask, enum dl__candidate_id c)
{
    const double native = dl__row_seconds(ask->row, DL__NATIVE, ask->work),
                 saved =
                     native - dl__row_seconds(ask->row, c, ask->work) - dl__host_seconds;
    const bool gains =
        native <= 0 || saved > dl__max(dl__by_chance * native, dl__least_seconds);
    struct dl__saving of_group;

    if (!ask->group || dl__candidate_get(c)->in_place || ask->row->launches == 0)
        return gains;
    of_group = dl__group_saving(ask->group, c, true);
    return of_group.saved > dl__max(dl__by_chance * of_group.whole, of_group.least) ||
           (gains && (of_group.unknown > 0 || is_open_on(ask->group, c) ||
                      spoilt_between(ask->group) > 0));
}

/* True when it is faster on one, though by too little to count. */
static bool is_a_little_faster(const struct dl__policy_ask *ask)
{
    const double native = dl__row_seconds(ask->row, DL__NATIVE, ask->work);

    for (enum dl__candidate_id c = DL__NATIVE + 1; c < DL__CANDIDATES; c++)
        if (ask->row->of[c].state == DL__MAY_RUN &&
            dl__row_seconds(ask->row, c, ask->work) < native)
            return true;
    return false;
}

/* True when kernels that may yet be explored with a gain make up what counts of it. */
static bool is_open(const struct dl__policy_group *group)
{
    double open = 0, whole = 0;

    for (unsigned m = 0; m < group->member_count; m++) {
        const struct dl__member *member = &group->members[m];
        double seconds = member->ever.launches *
                         dl__row_native(member->row, &member->estimate, member->work);
        bool untried = false;

        for (enum dl__candidate_id c = DL__NATIVE + 1; c < DL__CANDIDATES; c++)
            untried |= is_untried(member, c);
        open += untried ? seconds : 0;
        whole += seconds;
    }
    return open > 0 && open >= dl__explored_part * whole;
}

/* True when no run of this length may take what exploring takes that may show a gain. */
static bool waits_for_longer(const struct dl__policy_group *group)
{
    bool waits = false;

    for (unsigned m = 0; group && m < group->member_count; m++)
        for (enum dl__candidate_id c = DL__NATIVE + 1; c < DL__CANDIDATES; c++)
            waits |= group->members[m].waits_price > 0 &&
                     is_untried(&group->members[m], c) && group->waits_for_longer;
    return waits && group->waits_price > 0;
}

/* The row's in its group; NULL: there is none. */
static const struct dl__member *member_of(const struct dl__policy_ask *ask)
{
    for (unsigned m = 0; ask->group && m < ask->group->member_count; m++)
        if (ask->group->members[m].row == ask->row)
            return &ask->group->members[m];
    return NULL;
}

/* Returns what exploring waits for. */
static enum dl__why why_unexplored(const struct dl__policy_group *group)
{
    return waits_for_longer(group) ? DL__WHY_DEAR : DL__WHY_UNEXPLORED;
}

/* Returns the launches of the kernel so far, the present one and all sizes included. */
static double launches_of(const struct dl__policy_kernel *kernel)
{
    double launches = 1;

    for (const struct dl__policy_row *row = kernel->rows; row; row = row->next)
        launches += (double)row->launches;
    return launches;
}

/* True when exploring may show that the kernel runs well on the candidate: its text
 * expects no loss, or others of the group gain by it. */
static bool is_hoped_for(const struct dl__policy_ask *ask, enum dl__candidate_id c)
{
    const struct dl__member *member = member_of(ask);

    return ask->row->of[c].state == DL__UNTRIED &&
           (!dl__estimate_is_loss(&ask->estimate, c) || (member && member->possible[c]));
}

/* True when a layout would have been best in this run, which the next one knows. */
static bool is_used_otherwise(const struct dl__policy_group *group)
{
    const enum dl__candidate_id best = group ? dl__group_hindsight(group) : DL__NATIVE;

    return best != DL__NATIVE && best != DL__CANDIDATES;
}

/* One reason: what would have to change first. */
static enum dl__why why_of_layouts(const struct dl__policy_ask *ask)
{
    const struct dl__policy_group *group = ask->group;
    const bool waits = member_of(ask) && member_of(ask)->waits_price > 0;
    bool any_form = false, any_ready = false, any_open = false, any_explorable = false,
         any_may = false, any_gain = false, any_unbuilt = false, any_hope = false,
         any_bound = false;

    for (enum dl__candidate_id c = DL__NATIVE + 1; c < DL__CANDIDATES; c++) {
        enum dl__tried state = ask->row->of[c].state;

        if (ask->estimate.of[c].verdict == DL__NEVER || !ask->tile[c])
            continue;
        any_form = true;
        any_ready |= ask->ready[c];
        any_open |= state == DL__UNTRIED;
        any_bound |= !ask->row->of[c].unbound;
        any_hope |= is_hoped_for(ask, c);
        any_explorable |= is_hoped_for(ask, c) && ask->explorable >> c & 1;
        any_may |= state == DL__MAY_RUN;
        any_gain |= state == DL__MAY_RUN && may_gain(ask, c);
        any_unbuilt |=
            state == DL__MAY_RUN && !ask->ready[c] && !(ask->explorable >> c & 1);
    }
    if (!any_form)
        return DL__WHY_NOT_FASTER;
    if (ask->exact)
        return DL__WHY_EXACT;
    if (any_may && group && group->waits_for_build)
        return any_unbuilt ? DL__WHY_BUILDING : DL__WHY_CONVERSIONS;
    if (any_gain && ask->timed_first)
        return DL__WHY_TIMED;
    if (any_gain && group && spoilt_between(group) > 0)
        return DL__WHY_BETWEEN;
    if (any_gain && waits_for_longer(group))
        return DL__WHY_OTHER_DEAR;
    if (any_gain && ask->row->run_count && ask->row->best == DL__NATIVE)
        return is_used_otherwise(group) ? DL__WHY_OTHERWISE : DL__WHY_NOT_WORTH_AGAIN;
    if (any_gain)
        return DL__WHY_NOT_WORTH;
    if (any_may)
        return is_a_little_faster(ask) ? DL__WHY_LITTLE : DL__WHY_NONE_FASTER;
    if (any_open && ask->too_short > 0)
        return DL__WHY_TOO_SHORT;
    if (any_explorable && waits)
        return why_unexplored(group);
    if (!any_open)
        return any_bound ? DL__WHY_OTHER_BYTES : DL__WHY_UNBOUND;
    if (!any_hope)
        return DL__WHY_NOT_FASTER;
    if (!any_ready && ask->asked_for)
        return DL__WHY_BUILDING;
    if (!any_ready && ask->tried_from > launches_of(ask->kernel))
        return DL__WHY_SHORT;
    return waits ? why_unexplored(group) : DL__WHY_UNEXPLORED;
}

/* Runs before this one that have not helped: another of that kind is no advice. */
enum { RUNS_ALIKE = 2 };

/* The same as it is after runs in which no more was launched. */
static enum dl__why why_native(const struct dl__policy_ask *ask)
{
    const enum dl__why why = why_of_layouts(ask);
    const unsigned runs = ask->row->run_count;
    double most = 0;

    if (runs && (why == DL__WHY_BUILDING || why == DL__WHY_CONVERSIONS))
        return DL__WHY_BUILDING_AGAIN;
    for (unsigned r = 0; r < runs; r++)
        most = dl__max(most, ask->row->runs[r]);
    if (launches_of(ask->kernel) > most)
        return why;
    if (most <= 1 && *dl__reasons[why].next && why != DL__WHY_EXACT &&
        why != DL__WHY_OTHER_BYTES && why != DL__WHY_UNBOUND && why != DL__WHY_BETWEEN)
        return DL__WHY_ONCE;
    return why == DL__WHY_UNEXPLORED && runs >= RUNS_ALIKE ? DL__WHY_UNEXPLORED_AGAIN
                                                           : why;
}

/* Times vary from run to run: one that is just as long as this one would have had to be
 * may be told to be a little longer again. */
static const double spare = 1.5;

/* Two digits that count. */
static double round_up(double count)
{
    double step = 1;

    while (count / step >= 100)
        step *= 10;
    /* Without math.h's library, as in core.h: it is below 100. */
    return step * (double)(unsigned)(count / step + 0.999);
}

static void add_time(struct line *line, double seconds)
{
    if (seconds < 1)
        add(line, "%.0f ms", seconds * 1e3);
    else if (seconds < 600)
        add(line, seconds < 99.5 ? "%.1f s" : "%.0f s", seconds);
    else
        add(line, "%.0f min", seconds / 60);
}

/* A reason of a launch or of its group. Where exploring takes too long: this price of it,
 * and how long a run may spend it. Where others want conversions: how much these take. */
static void add_why(struct line *line, enum dl__why reason,
                    const struct dl__policy_group *group, double price)
{
    double times = reason == DL__WHY_BETWEEN ? spoilt_between(group) : 0;

    add(line, "%s", dl__why_text(reason));
    if (times > 0)
        add(line, times < 10 ? ": %.1f%s" : ": %.0f%s", times, DL__WHY_AS_MUCH);
    if (reason != DL__WHY_DEAR && reason != DL__WHY_OTHER_DEAR)
        return;
    add(line, ": exploring takes ");
    add_ms(line, price);
    add(line, " ms, for which a run" DL__WHY_LASTS);
    add_time(line, spare * group->all_wait_until);
}

/* Returns the launches of the kernel that save what converting its group costs; 0: nobody
 * knows, or there were as many. */
static double worth_from(const struct dl__policy_ask *ask)
{
    const struct dl__policy_group *group = ask->group;
    double least = 0;

    for (enum dl__candidate_id c = DL__NATIVE + 1; group && c < DL__CANDIDATES; c++) {
        const struct dl__saving on = dl__group_saving(group, c, true);
        const double launches = (double)ask->row->launches * dl__both_ways(group, c) *
                                group->demand / on.saved;

        if (!dl__candidate_get(c)->in_place &&
            on.saved > dl__max(dl__by_chance * on.whole, on.least) &&
            (least == 0 || launches < least))
            least = launches;
    }
    return least > (double)ask->row->launches ? least : 0;
}

/* Nothing, where the number says nothing. */
static void add_launches(struct line *line, const char *before, double launches)
{
    if (launches > 0 && launches < 1e6)
        add(line, "%s" DL__WHY_LAUNCHES, before,
            (unsigned long)round_up(spare * launches));
}

void dl__say_why(const struct dl__policy_ask *ask, enum dl__candidate_id chosen,
                 char *why, size_t bytes)
{
    struct line line = {why, bytes, 0};
    const enum dl__why reason = chosen == DL__NATIVE ? why_native(ask) : DL__WHY_GAIN;
    locale_t before = dl_c_locale_enter();

    add_why(&line, reason, ask->group,
            reason == DL__WHY_DEAR ? member_of(ask)->waits_price
            : ask->group           ? ask->group->waits_price
                                   : 0);
    if (reason == DL__WHY_SHORT && ask->tried_from >= 1 && ask->tried_from < 1e6) {
        add_launches(&line, ", which is tried from", ask->tried_from);
        add(&line, " on%s",
            dl__row_seconds(ask->row, DL__NATIVE, ask->work) > 0 ? "" : DL__WHY_BY_TEXT);
    } else if (reason == DL__WHY_NOT_WORTH || reason == DL__WHY_NOT_WORTH_AGAIN) {
        add_launches(&line, ", which takes", worth_from(ask));
    }
    for (enum dl__candidate_id c = 0; c < DL__CANDIDATES; c++) {
        double seconds = ask->row->of[c].state == DL__MAY_RUN
                             ? dl__row_seconds(ask->row, c, ask->work)
                             : 0;
        bool earlier = dl__row_is_earlier(ask->row, c);

        if (reason == DL__WHY_TOO_SHORT && c == DL__NATIVE) {
            earlier |= ask->too_short < seconds;
            seconds = ask->too_short;
        }
        if (seconds > 0)
            add(&line, seconds < 10e-6 ? ", %s %.5f ms%s" : ", %s %.3f ms%s",
                layout_of(c), seconds * 1e3, earlier ? " in an earlier run" : "");
    }
    dl_c_locale_leave(before);
}

/* ---- groups ---- */

/*   so_far  others may follow, as in the last run */
static void add_kernels(struct line *line, const struct dl__policy_group *group,
                        bool so_far)
{
    enum { NAMED = 4 };
    const char *seen[DL__MEMBERS_MAX];
    unsigned count = 0;
    bool more = false;

    for (unsigned m = 0; m < group->member_count; m++) {
        const char *name = group->members[m].row->kernel->name;
        bool there = false;

        for (unsigned s = 0; s < count; s++)
            there |= strcmp(seen[s], name) == 0;
        if (!there)
            seen[count++] = name;
        more |= so_far && group->members[m].row->together > group->member_count;
    }
    for (unsigned s = 0; s < count && s < NAMED; s++)
        add(line, "%s%.40s", s ? ", " : " (", seen[s]);
    add(line, count > NAMED || (count && more) ? ", ...)" : count ? ")" : "");
}

/* The layout that matters: the present one, or what would save most. */
static enum dl__candidate_id best_of(const struct dl__policy_group *group)
{
    enum dl__candidate_id best = DL__NATIVE;
    double most = 0;

    if (group->current != DL__NATIVE)
        return group->current;
    for (enum dl__candidate_id c = DL__NATIVE + 1; c < DL__CANDIDATES; c++) {
        double saving =
            dl__candidate_get(c)->in_place ? 0 : dl__group_saving(group, c, true).saved;

        if (saving > most) {
            most = saving;
            best = c;
        }
    }
    return best;
}

/* True when looks at its buffers have not been timed both there and as written. */
static bool are_estimated(const struct dl__policy_group *group, enum dl__candidate_id c)
{
    for (unsigned l = 0; l < group->look_count; l++)
        if (group->looks[l].ever > 0 && dl__look_is_estimated(group->looks[l].look, c))
            return true;
    return false;
}

static void add_cost(struct line *line, const struct dl__policy_group *group,
                     enum dl__candidate_id c)
{
    add(line, "; converting costs ");
    add_ms(line, dl__both_ways(group, c));
    add(line, " ms");
}

/* Says what the candidate has saved, or would have. Before the first launch there is
 * nothing to say. Conversions may take longer than the launches, so that what is lost is
 * no part of their time.
 *   does  "save", as it is to be said; "lose"
 *   who   the candidate's name, or "" */
static void add_numbers(struct line *line, const struct dl__policy_group *group,
                        enum dl__candidate_id c, const struct dl__saving *saving,
                        const char *who, const char *const does[2], const char *since)
{
    const double launches = saving->launches;
    const bool loses = saving->saved < 0;

    if (launches <= 0 || saving->saved == 0)
        return;
    add(line, "; %s%s%s ", who, *who ? " " : "", does[loses]);
    add_ms(line, (loses ? -saving->saved : saving->saved) / launches);
    add(line, loses ? " ms a launch (" : " of ");
    add_ms(line, saving->whole / launches);
    add(line, loses ? " ms as written), " : " ms a launch, ");
    add_ms(line, loses ? -saving->saved : saving->saved);
    add(line, " ms %s", since);
    add_cost(line, group, c);
    if (saving->looks > 0) {
        add(line, ", looks by parts ");
        add_ms(line, saving->looks);
        add(line, " ms more than as written%s",
            are_estimated(group, c) ? " (estimated)" : "");
    }
}

void dl__say_decision(const struct dl__policy_ask *ask,
                      const struct dl__policy_answer *answer, char *why, size_t bytes)
{
    const struct dl__policy_group *group = ask->group;
    static const char *const would[] = {"would save", "would lose"}, *const did[] = {
                                                                         "saved", "lost"};
    const bool left = group->current == DL__NATIVE;
    struct line line = {why, bytes, 0};
    const locale_t before = dl_c_locale_enter();

    add(&line, "group %u", group->number);
    add_kernels(&line, group, true);
    add(&line, ": %s -> %s at launch %lu: %s", layout_of(answer->from),
        layout_of(group->current), group->launches, answer->reason);
    if (answer->to_come > 0) {
        add(&line, ", by earlier runs: launches to come would save at least ");
        add_ms(&line, answer->to_come);
        add(&line, " ms");
        add_cost(&line, group, group->current);
    } else {
        const bool is_all = answer->lately.launches >=
                            dl__group_saving(group, group->current, true).launches;

        add_numbers(&line, group, left ? answer->from : group->current, &answer->lately,
                    left || answer->from == DL__NATIVE ? "" : layout_of(group->current),
                    left ? did : would, is_all ? "so far" : "lately");
    }
    dl_c_locale_leave(before);
}

/* True when one of its rows has not been said of any. */
static bool is_new(struct dl__policy_group *group)
{
    bool new = false;

    for (unsigned m = 0; m < group->member_count; m++) {
        new |= !group->members[m].row->explained;
        group->members[m].row->explained = true;
    }
    return new;
}

/* True when the time of one of its kernels is known in another layout.
 *   gains  out: it is the shorter one of one of them */
static bool is_explored(const struct dl__policy_group *group, bool *gains)
{
    bool explored = false;

    *gains = false;
    for (unsigned m = 0; m < group->member_count; m++)
        for (enum dl__candidate_id c = DL__NATIVE + 1; c < DL__CANDIDATES; c++) {
            const struct dl__policy_row *row = group->members[m].row;
            const double work = group->members[m].work;

            if (row->of[c].state != DL__MAY_RUN)
                continue;
            explored = true;
            *gains |=
                dl__row_seconds(row, c, work) < dl__row_seconds(row, DL__NATIVE, work);
        }
    return explored;
}

/* True when all of its launches are too short for anything to be saved that counts. */
static bool is_too_short(const struct dl__policy_group *group)
{
    for (unsigned m = 0; m < group->member_count; m++)
        if (!dl__is_too_short(dl__row_seconds(group->members[m].row, DL__NATIVE,
                                              group->members[m].work)))
            return false;
    return true;
}

/* Of a group of which no launch has run in another layout. */
static enum dl__why why_refused(const struct dl__policy_group *group)
{
    enum dl__why why = DL__WHY_NOT_FASTER;

    for (unsigned m = 0; m < group->member_count; m++)
        for (enum dl__candidate_id c = DL__NATIVE + 1; c < DL__CANDIDATES; c++) {
            const struct dl__tried_on *on = &group->members[m].row->of[c];

            if (on->state == DL__AS_WRITTEN && why != DL__WHY_OTHER_BYTES)
                why = on->unbound ? DL__WHY_UNBOUND : DL__WHY_OTHER_BYTES;
        }
    return why;
}

bool dl__say_group(struct dl__policy_group *group, char *why, size_t bytes)
{
    static const char *const would[] = {"would save", "would lose"}, *const saves[] = {
                                                                         "saves",
                                                                         "loses"};
    struct line line = {why, bytes, 0};
    enum dl__candidate_id best;
    locale_t before;

    if (!is_new(group))
        return false;
    best = best_of(group);
    before = dl_c_locale_enter();
    add(&line, "group %u", group->number);
    add_kernels(&line, group, false);
    add(&line, ": %s after %lu launch%s", layout_of(group->current), group->launches,
        group->launches == 1 ? "" : "es");
    if (best != DL__NATIVE) {
        const struct dl__saving saving = dl__group_saving(group, best, true);
        const bool lies = group->current != DL__NATIVE;

        add_numbers(&line, group, best, &saving, lies ? "" : layout_of(best),
                    lies ? saves : would, "so far");
    } else {
        bool gains;
        const bool explored = is_explored(group, &gains);

        add(&line, "; ");
        add_why(&line,
                spoilt_between(group) > 0 ? DL__WHY_BETWEEN
                : explored && (group->decided || !(gains || waits_for_longer(group)))
                    ? DL__WHY_NONE_FASTER
                : explored && waits_for_longer(group)        ? DL__WHY_OTHER_DEAR
                : explored                                   ? DL__WHY_NOT_WORTH
                : is_too_short(group)                        ? DL__WHY_TOO_SHORT
                : group->decided || !is_open(group)          ? why_refused(group)
                : group->asked_for || group->waits_price > 0 ? why_unexplored(group)
                                                             : DL__WHY_SHORT,
                group, group->waits_price);
    }
    dl_c_locale_leave(before);
    return true;
}
