/* SPDX-License-Identifier: MIT */
/* Statistics as a table for people, in one sentence, and as JSON. */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "annotate/notes.h"
#include "dl_version.h"
#include "layout/c_locale.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/options.h"
#include "reasons.h"
#include "stats_print.h"

/* False: its times say nothing. Some drivers' events tell a nanosecond of everything. */
static bool is_timed(uint64_t count, uint64_t time_ns)
{
    return count && time_ns / count >= 100;
}

static bool ran_is_timed(const struct dl__ran_row *ran)
{
    return is_timed(ran->timed, ran->time_ns);
}

void dl__stats_print_layout(char *text, size_t bytes, struct dl_layout layout)
{
    const char *name = dl_layout_name(layout.kind);

    /* Discrete arrays have a tile, too, but it says little of them. */
    if (dl_layout_has_tile(layout.kind) && layout.kind != DL_LAYOUT_DA)
        snprintf(text, bytes, "%s/%" PRIu32, name, layout.tile_structs);
    else
        snprintf(text, bytes, "%s", name);
}

/* "3981.2", or "-" where it is not known. */
static const char *print_number(char *text, size_t bytes, const char *format, double over,
                                double under)
{
    if (under > 0)
        snprintf(text, bytes, format, over / under);
    else
        snprintf(text, bytes, "-");
    return text;
}

static const char *buffer_name(const struct dl__counted *counted, const char *name)
{
    return counted->for_report ? "..." : name;
}

/* Returns what the judged launches would have taken as written. This run's own times as
 * written count instead of longer ones of an earlier run, on a machine that was busier.
 *   earlier  out, how many are judged by an earlier run */
static uint64_t judged_native_ns(const struct dl__kernel_row *row, uint64_t *earlier)
{
    *earlier = row->judged_earlier;
    if (!row->again_time_ns || row->again_time_ns >= row->again_earlier_ns)
        return row->judged_native_ns;
    *earlier = 0;
    return row->judged_native_ns - row->judged_earlier_ns +
           (uint64_t)((double)row->judged_earlier_ns * (double)row->again_time_ns /
                      (double)row->again_earlier_ns);
}

static void print_ran(const struct dl__counted *counted, FILE *out,
                      const struct dl__kernel_row *row, bool rewritten)
{
    const struct dl__ran_row *ran = rewritten ? &row->rewritten : &row->native;
    const bool timed = ran_is_timed(ran);
    char time[24], speed[24], gain[24], layout[24];
    uint64_t earlier;

    if (!ran->launches)
        return;
    print_number(time, sizeof time, "%.3f", (double)ran->time_ns * 1e-6, timed);
    print_number(speed, sizeof speed, "%.2f", (double)ran->bytes,
                 timed ? (double)ran->bytes_time_ns : 0);
    print_number(gain, sizeof gain, "%.2f x",
                 rewritten ? (double)judged_native_ns(row, &earlier) : 0,
                 rewritten && timed ? (double)row->judged_time_ns : 0);
    fprintf(out, "  %-24s %-10s %10" PRIu64 " %12s %9s %9s ", row->name,
            rewritten ? "rewritten" : "as written", ran->launches, time, speed, gain);
    for (size_t b = 0; rewritten && b < row->buffer_count; b++) {
        dl__stats_print_layout(layout, sizeof layout, row->buffers[b].layout);
        fprintf(out, " %s:%s", buffer_name(counted, row->buffers[b].name), layout);
    }
    fputc('\n', out);
    if (ran->why)
        fprintf(out, "      why: %s\n", ran->why);
}

static void print_conversions(const struct dl__counted *counted, FILE *out)
{
    char from[24], to[24], arrow[56], name[40], time[24], speed[24];

    if (counted->conversion_count)
        fprintf(out, "  %-24s %12s %8s  %-16s %8s %12s %9s\n", "buffer", "structs",
                "bytes", "conversion", "count", "device ms", "GB/s");
    for (size_t i = 0; i < counted->conversion_count; i++) {
        const struct dl__conversion_row *row = &counted->conversions[i];
        const bool timed = is_timed(row->count, row->time_ns);

        dl__stats_print_layout(from, sizeof from, row->from);
        dl__stats_print_layout(to, sizeof to, row->to);
        snprintf(arrow, sizeof arrow, "%s->%s", from, to);
        snprintf(name, sizeof name, "%u%s%s", row->buffer, row->name ? " " : "",
                 row->name ? buffer_name(counted, row->name) : "");
        print_number(time, sizeof time, "%.3f", (double)row->time_ns * 1e-6, timed);
        print_number(speed, sizeof speed, "%.2f", (double)row->bytes,
                     timed ? (double)row->time_ns : 0);
        fprintf(out, "  %-24s %12" PRIu64 " %8" PRIu32 "  %-16s %8" PRIu64 " %12s %9s\n",
                name, row->structs, row->struct_bytes, arrow, row->count, time, speed);
    }
}

/* Prints what the program waited for, without a line for what it did not. */
static void print_waits(const double *sums, FILE *out)
{
    const double explored = sums[DL__STATS_EXPLORED], compared = sums[DL__STATS_COMPARED],
                 held_ms = sums[DL__STATS_HELD_MS];
    const char *before = "  the program waited for DL: ";

    if (explored > 0) {
        fprintf(out, "%s%.3f ms to explore %.0f launch%s", before,
                sums[DL__STATS_EXPLORED_MS], explored, explored == 1 ? "" : "es");
        before = ", ";
    }
    if (compared > 0) {
        fprintf(out, "%s%.3f ms to compare %.0f launch%s with the program's own kernel",
                before, sums[DL__STATS_COMPARED_MS], compared, compared == 1 ? "" : "es");
        before = ", ";
    }
    if (held_ms > 0) {
        fprintf(out, "%s%.3f ms held back, during which the device kept working", before,
                held_ms);
        before = ", ";
    }
    if (*before == ',')
        fputc('\n', out);
}

const char *_Atomic dl__stats_nothing_kept;

/* A look by parts is timed now and then; before, nobody knows what it takes. */
static const char *estimated(const double *sums)
{
    const double ms = sums[DL__STATS_PART_ESTIMATED_MS];

    return ms <= 0                                 ? ""
           : ms * 1.001 >= sums[DL__STATS_PART_MS] ? " (estimated)"
                                                   : " (partly estimated)";
}

static void print_rows(const struct dl__counted *counted, FILE *out)
{
    const char *nothing_kept = atomic_load(&dl__stats_nothing_kept);
    const double *sums = counted->sums;

    fprintf(out, "dl: statistics of %s, %s%s%sprocess %ld (%s%s)\n",
            program_invocation_short_name, counted->rank ? "rank " : "",
            counted->rank ? counted->rank : "", counted->rank ? ", " : "", (long)getpid(),
            counted->is_cpu ? "CPU " : "",
            counted->device_name[0] ? counted->device_name : "no device");
    fprintf(out, "  %-24s %-10s %10s %12s %9s %9s  %s\n", "kernel", "runs", "launches",
            "device ms", "GB/s", "gain", "buffers");
    for (size_t i = 0; i < counted->kernel_count; i++) {
        print_ran(counted, out, &counted->kernels[i], true);
        print_ran(counted, out, &counted->kernels[i], false);
    }
    print_conversions(counted, out);
    if (sums[DL__STATS_PARTS] > 0)
        fprintf(out, "  looked at in place: %.0f bytes, in %.0f piece%s",
                sums[DL__STATS_PART_BYTES], sums[DL__STATS_PARTS],
                dl_plural((size_t)sums[DL__STATS_PARTS]));
    if (sums[DL__STATS_PART_MS] > 0)
        fprintf(out, ", %.3f ms longer than as written%s", sums[DL__STATS_PART_MS],
                estimated(sums));
    if (sums[DL__STATS_PARTS] > 0)
        fputc('\n', out);
    if (sums[DL__STATS_COPIED_BYTES] > 0)
        fprintf(out, "  device memory in tiled copies: %.0f bytes\n",
                sums[DL__STATS_COPIED_BYTES]);
    if (sums[DL__STATS_TEXTS_REWRITTEN] + sums[DL__STATS_TEXTS_KEPT] > 0)
        fprintf(out,
                "  texts rewritten: %.0f, kept: %.0f, in %.3f ms; libclang loaded in "
                "%.3f ms\n",
                sums[DL__STATS_TEXTS_REWRITTEN], sums[DL__STATS_TEXTS_KEPT],
                sums[DL__STATS_TOTAL_MS], sums[DL__STATS_LOAD_MS]);
    for (size_t d = 0; d < counted->decision_count; d++)
        fprintf(out, "  policy: %s\n", counted->decisions[d]);
    print_waits(sums, out);
    if (sums[DL__STATS_SHADOWS_BUILT] + sums[DL__STATS_SHADOWS_KEPT] > 0)
        fprintf(out, "  rewritten programs built: %.0f, kept: %.0f\n",
                sums[DL__STATS_SHADOWS_BUILT], sums[DL__STATS_SHADOWS_KEPT]);
    if (nothing_kept && !counted->for_report)
        fprintf(out, "  cache: %s\n", nothing_kept);
}

static void print_table(const struct dl__counted *counted, FILE *out)
{
    char *summary = dl__summary(counted, true), *rows = NULL;
    size_t bytes;
    FILE *to = open_memstream(&rows, &bytes);

    if (to) {
        print_rows(counted, to);
        fclose(to);
    }
    fputs(rows ? rows : "", out);
    if (!counted->for_report && ((rows && dl__log_words_are_new(rows)) ||
                                 (summary && dl__log_words_are_new(summary))))
        fputs("  " DL_WORDS_POINTER "\n", out);
    if (summary)
        fprintf(out, "  in short: %s\n", summary);
    free(rows);
    free(summary);
}

/* The kernels and conversions, looked through once. */
struct looked {
    size_t kernels, rewritten;       /* how many, and how many ran rewritten; of those: */
    uint64_t launches, all_launches; /* rewritten, and in either way */
    uint64_t done;                   /* of the rewritten ones, whose times are known */
    uint64_t judged, judged_earlier, judged_time_ns, judged_native_ns; /* as in a row */
    uint64_t own_ns;        /* of the rewritten ones */
    uint64_t all_ns;        /* of all kernels, in either way */
    uint64_t left_ns;       /* of those that only ran as written */
    uint64_t late_ns, late; /* as written, until a layout was found; launches */
    const struct dl__kernel_row *left;   /* the one of those to see to; NULL: none */
    size_t left_too;                     /* others as written for the same reason */
    const struct dl__kernel_row *holder; /* that brings most buffers back; NULL: none */
    uint64_t returns,
        returns_ns; /* for it; of these conversions, and those there again */
    const struct dl__kernel_row *between; /* the longest of those; NULL: none */
    bool timed;                           /* the rewritten launches' times are times */
    int kind; /* of their layouts, as in dl_layout; -1: several */
    uint64_t there, back, conversions_ns; /* conversions to tiles, to AoS, and of both */
    uint64_t parts_ns;     /* that looks by parts took longer than as written */
    const char *estimated; /* of that */
};

static enum dl__why why_of(const struct dl__ran_row *ran)
{
    return ran->why ? dl__why_find(ran->why) : DL__WHYS;
}

/* Without numbers. */
static int why_bytes(const struct dl__ran_row *ran)
{
    const enum dl__why why = why_of(ran);

    return (int)strlen(why == DL__WHYS ? ran->why : dl__why_text(why));
}

static bool is_left(const struct dl__kernel_row *row)
{
    return row->native.launches && !row->rewritten.launches;
}

static bool has_same_why(const struct dl__kernel_row *a, const struct dl__kernel_row *b)
{
    return a->native.why && b->native.why &&
           why_bytes(&a->native) == why_bytes(&b->native) &&
           memcmp(a->native.why, b->native.why, (size_t)why_bytes(&a->native)) == 0;
}

/* The program's own layout counts as none: another text runs on it. */
static void add_layouts(struct looked *looked, const struct dl__kernel_row *row,
                        bool *any)
{
    for (size_t b = 0; b < row->buffer_count; b++) {
        const int kind = (int)row->buffers[b].layout.kind;

        looked->kind = !*any || looked->kind == kind ? kind : -1;
        *any = true;
    }
}

/* Of two as written: by time, or where none is known by launches. */
static bool is_longer(const struct dl__kernel_row *a, const struct dl__kernel_row *b)
{
    return a->native.time_ns > b->native.time_ns ||
           (a->native.time_ns == b->native.time_ns &&
            a->native.launches > b->native.launches);
}

/* Whether a layout has to do with its running as written: nothing was found in others, or
 * to be gained. */
static bool may_gain(const struct dl__kernel_row *row)
{
    switch (why_of(&row->native)) {
    case DL__WHY_NOTHING_FOUND:
    case DL__WHY_NO_ANNOTATION:
    case DL__WHY_UNIFORM:
    case DL__WHY_BUILT_IN:
    case DL__WHY_OWN:
    case DL__WHY_SOA:
    case DL__WHY_NOT_FASTER:
    case DL__WHY_NONE_FASTER:
    case DL__WHY_LITTLE:
    case DL__WHY_TOO_SHORT:
        return row->between;
    default:
        return true;
    }
}

/* A helper that a library launches takes as little time, or a kernel of which no gain
 * would be seen. */
static bool is_helper(const struct dl__kernel_row *row, uint64_t all_ns)
{
    return row->native.time_ns < all_ns / 50;
}

/* The longest of those that only ran as written and may gain, or may not. */
static const struct dl__kernel_row *longest_left(const struct dl__counted *counted,
                                                 uint64_t all_ns, bool gains)
{
    const struct dl__kernel_row *longest = NULL;

    for (size_t i = 0; i < counted->kernel_count; i++) {
        const struct dl__kernel_row *row = &counted->kernels[i];

        if (is_left(row) && may_gain(row) == gains && !is_helper(row, all_ns) &&
            (!longest || is_longer(row, longest)))
            longest = row;
    }
    return longest;
}

/* One in which nothing was found is named where it takes most of the time, or where there
 * is nothing else to tell. */
static const struct dl__kernel_row *left_of(const struct dl__counted *counted,
                                            const struct looked *looked)
{
    const struct dl__kernel_row *gains = longest_left(counted, looked->all_ns, true),
                                *other = longest_left(counted, looked->all_ns, false);

    if (!other ||
        (other->native.time_ns <= looked->all_ns / 2 && (gains || looked->rewritten)))
        return gains;
    return other;
}

/* Adds how often the kernel has brought buffers back, and its share of these conversions,
 * both ways. */
static void add_returns(const struct dl__counted *counted,
                        const struct dl__kernel_row *row, struct looked *looked)
{
    uint64_t returns = 0, ns = 0;

    for (size_t r = 0; r < row->returned_count; r++) {
        const struct dl__returned_row *own = &row->returned[r];

        returns += own->count;
        for (size_t i = 0; i < counted->conversion_count; i++) {
            const struct dl__conversion_row *moved = &counted->conversions[i];

            if (moved->buffer == own->buffer && moved->count)
                ns += (uint64_t)((double)moved->time_ns / (double)moved->count *
                                 (double)(own->count < moved->count ? own->count
                                                                    : moved->count));
        }
    }
    if (returns > looked->returns) {
        looked->holder = row;
        looked->returns = returns;
        looked->returns_ns = ns;
    }
}

/* Whether launches as written waited for what the next run has from the beginning. */
static bool is_late(const struct dl__ran_row *native)
{
    switch (why_of(native)) {
    case DL__WHY_UNREAD:
    case DL__WHY_BUILDING:
    case DL__WHY_BUILDING_AGAIN:
    case DL__WHY_CONVERSIONS:
    case DL__WHY_NOT_WORTH:
    case DL__WHY_OTHERWISE:
    case DL__WHY_SHORT:
    case DL__WHY_UNEXPLORED:
    case DL__WHY_UNEXPLORED_AGAIN:
    case DL__WHY_DEAR:
    case DL__WHY_OTHER_DEAR:
        return true;
    default:
        return false;
    }
}

static void add_row(struct looked *looked, const struct dl__kernel_row *row, bool *any)
{
    const struct dl__ran_row *ran = &row->rewritten;
    uint64_t earlier;

    looked->kernels++;
    looked->all_ns += ran->time_ns + row->native.time_ns;
    if (ran->launches) {
        looked->rewritten++;
        looked->launches += ran->launches;
        looked->done += ran->timed;
        looked->all_launches += ran->launches + row->native.launches;
        looked->judged += row->judged;
        looked->judged_time_ns += row->judged_time_ns;
        looked->judged_native_ns += judged_native_ns(row, &earlier);
        looked->judged_earlier += earlier;
        looked->own_ns += ran->time_ns;
        looked->late_ns += is_late(&row->native) ? row->native.time_ns : 0;
        looked->late += is_late(&row->native) ? row->native.launches : 0;
        looked->timed = looked->timed && ran_is_timed(ran);
        add_layouts(looked, row, any);
    }
    if (is_left(row))
        looked->left_ns += row->native.time_ns;
    if (row->between && (!looked->between || is_longer(row, looked->between)))
        looked->between = row;
}

static struct looked look(const struct dl__counted *counted)
{
    struct looked looked = {.timed = true,
                            .kind = -1,
                            .parts_ns =
                                (uint64_t)(counted->sums[DL__STATS_PART_MS] * 1e6),
                            .estimated = estimated(counted->sums)};
    bool any = false;

    for (size_t i = 0; i < counted->kernel_count; i++) {
        add_row(&looked, &counted->kernels[i], &any);
        add_returns(counted, &counted->kernels[i], &looked);
    }
    for (size_t i = 0; i < counted->conversion_count; i++) {
        const struct dl__conversion_row *row = &counted->conversions[i];

        looked.conversions_ns += row->time_ns;
        *(row->to.kind == DL_LAYOUT_AOS ? &looked.back : &looked.there) += row->count;
    }
    /* Once or twice is how a program begins or ends. */
    if (looked.returns_ns * 20 < looked.own_ns || looked.returns < 3)
        looked.holder = NULL;
    looked.left = looked.holder && is_left(looked.holder) ? looked.holder
                                                          : left_of(counted, &looked);
    for (size_t i = 0; looked.left && i < counted->kernel_count; i++)
        looked.left_too += is_left(&counted->kernels[i]) &&
                           !is_helper(&counted->kernels[i], looked.all_ns) &&
                           &counted->kernels[i] != looked.left &&
                           has_same_why(looked.left, &counted->kernels[i]);
    return looked;
}

/* ---- the sentence ---- */

static const char *layout_words(int kind)
{
    switch (kind) {
    case DL_LAYOUT_ASTA:
        return "in tiles";
    case DL_LAYOUT_DA:
    case DL_LAYOUT_SOA:
        return "in arrays";
    case DL_LAYOUT_AOS:
        return "rewritten, on the program's own layout";
    default:
        return "in another layout";
    }
}

/* The times of launches as short as this vary by as much. */
#define SHORT_NS 20e3

/* Says what its time has in it besides launches; NULL: nothing. */
static const char *besides(const struct looked *looked)
{
    return looked->conversions_ns && looked->parts_ns ? "conversions and looks by parts"
           : looked->conversions_ns                   ? "conversions"
           : looked->parts_ns                         ? "looks by parts"
                                                      : NULL;
}

static void print_besides(FILE *out, const struct looked *looked, const char *before,
                          const char *after)
{
    if (besides(looked))
        fprintf(out, "%s%s%s%s", before, besides(looked),
                looked->parts_ns ? looked->estimated : "", after);
}

/* Of a run that was ended early some launches are still on their way, whose times nobody
 * knows. */
static void print_gain(FILE *out, const struct looked *looked, bool ended_early)
{
    const bool cut = ended_early && looked->done && looked->done < looked->launches;
    const double own_ms = (double)(looked->own_ns + looked->conversions_ns +
                                   looked->parts_ns) *
                          1e-6,
                 with_ms = (double)(looked->judged_time_ns + looked->conversions_ns +
                                    looked->parts_ns) *
                           1e-6;
    const char *earlier = !looked->judged_earlier ? ""
                          : looked->judged_earlier == looked->judged
                              ? " (as written in an earlier run)"
                              : " (as written partly in an earlier run)";

    if (ended_early && !looked->done) {
        fputs(", none of which the device had done", out);
    } else if (!looked->timed) {
        fputs(": how long they took is not known, since the driver tells no times", out);
    } else if (looked->judged_time_ns) {
        fprintf(out, ": %.1f instead of %.1f ms%s", with_ms,
                (double)looked->judged_native_ns * 1e-6, earlier);
        if (cut && looked->judged == looked->done) {
            fprintf(out,
                    " in those %" PRIu64 " of %" PRIu64
                    " launches that the device had done",
                    looked->done, looked->launches);
            print_besides(out, looked, ", ", " included");
        } else if (looked->judged == looked->launches) {
            print_besides(out, looked, ", ", " included");
        } else {
            fprintf(out,
                    " in those %" PRIu64 " of %" PRIu64
                    " launches that were measured as written, too",
                    looked->judged, looked->launches);
            print_besides(out, looked, ", all ", " included");
        }
    } else {
        fprintf(out, ": %.1f ms", own_ms);
        print_besides(out, looked, " with ", "");
        if (cut)
            fprintf(out,
                    " for those %" PRIu64 " of %" PRIu64
                    " launches that the device had done",
                    looked->done, looked->launches);
        fputs("; the time as written was not measured", out);
    }
    /* Times as written are of other moments. */
    if (looked->judged && with_ms * 1e6 > (double)looked->judged_native_ns &&
        (double)looked->judged_native_ns < SHORT_NS * (double)looked->judged)
        fprintf(out, ", which says little of launches of %.1f us",
                (double)looked->judged_native_ns * 1e-3 / (double)looked->judged);
}

static void print_left(FILE *out, const struct looked *looked)
{
    const struct dl__kernel_row *left = looked->left;

    fprintf(out, "%skernel '%s' ", looked->rewritten ? "; " : "", left->name);
    if (looked->left_too)
        fprintf(out, "and %zu more ", looked->left_too);
    fputs("ran as written", out);
    if (!left->native.why || !*left->native.why)
        return;
    if ((why_of(&left->native) == DL__WHY_NOT_FOLLOWED ||
         why_of(&left->native) == DL__WHY_WRONG ||
         why_of(&left->native) == DL__WHY_UNCOMPARED) &&
        !looked->left_too)
        fprintf(out, ": %s", left->native.why);
    else
        fprintf(out, ": %.*s", why_bytes(&left->native), left->native.why);
}

static void print_returns(FILE *out, const struct looked *looked)
{
    fprintf(out,
            "; for kernel '%s' buffers came back %" PRIu64
            " times, %.1f ms with converting them again",
            looked->holder->name, looked->returns, (double)looked->returns_ns * 1e-6);
}

/* Whether a later run has what this one has found. */
static bool keeps(void)
{
    const char *cache = dl__options_get()->cache;

    return (!cache || strcmp(cache, "off") != 0) && !atomic_load(&dl__stats_nothing_kept);
}

/* Time in which launches are held back is not counted as DL's: the program's own launches
 * run meanwhile. */
static void print_own(FILE *out, const double *sums)
{
    const struct {
        double ms;
        const char *what;
    } parts[] = {
        {sums[DL__STATS_LOAD_MS] + sums[DL__STATS_TOTAL_MS], "reading the kernels"},
        {sums[DL__STATS_BUILT_MS], "building rewritten kernels"},
        {sums[DL__STATS_EXPLORED_MS] + sums[DL__STATS_COMPARED_MS], "comparing layouts"}};
    double all = 0;
    size_t most = 0;

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        all += parts[i].ms;
        most = parts[i].ms > parts[most].ms ? i : most;
    }
    if (all < 1)
        return;
    fprintf(out, all < 100 ? "; DL itself took %.1f ms, " : "; DL itself took %.1f s, ",
            all < 100 ? all : all * 1e-3);
    fprintf(out, "%s it %s", parts[most].ms * 2 > all ? "most of" : "part of",
            parts[most].what);
    if (most < 2 && keeps())
        fputs(" once", out);
}

/* Of a reason's numbers, ", as written 3.912 ms, DA 0.541 ms", the layout with the
 * lowest; "": the program's own; NULL: no other was measured. */
static const char *favoured(const char *why)
{
    static const char *const names[][2] = {
        {"", ", as written "}, {"asta", ", ASTA "}, {"da", ", DA "}};
    const char *best = NULL, *at;
    double ms, best_ms = 0;
    size_t measured = 0;

    for (size_t i = 0; why && i < sizeof names / sizeof *names; i++) {
        at = strstr(why, names[i][1]);
        ms = at ? strtod(at + strlen(names[i][1]), NULL) : 0;
        measured += i > 0 && ms > 0;
        if (ms > 0 && (best_ms == 0 || ms < best_ms)) {
            best_ms = ms;
            best = names[i][0];
        }
    }
    return measured ? best : NULL;
}

/* Whether its user can do something next. */
static bool why_has_next(enum dl__why why)
{
    return why == DL__WHYS || *dl__reasons[why].next;
}

/* Prints how long a run a reason asks for, ", for about 3.2 s". */
static void print_length(FILE *out, const char *why)
{
    static const char launches[] = DL__WHY_LAUNCHES, time[] = DL__WHY_LASTS;
    const size_t bytes = strcspn(launches, "%");
    const char *at = why ? memmem(why, strlen(why), launches, bytes) : NULL;
    const unsigned long count = at ? strtoul(at + bytes, NULL, 10) : 0;

    if (count)
        fprintf(out, ", for" DL__WHY_LAUNCHES "%s", count,
                strstr(at, DL__WHY_BY_TEXT) ? DL__WHY_BY_TEXT : "");
    else if (why && (at = strstr(why, time)))
        fprintf(out, ", for about %.*s", (int)strcspn(at + sizeof time - 1, ","),
                at + sizeof time - 1);
}

static void print_buffer(FILE *out, const struct dl__command_row *command)
{
    if (command->buffer_name)
        fprintf(out, "buffer '%s'", command->buffer_name);
    else
        fprintf(out, "buffer %u", command->buffer);
}

static const char *const did[] = {[DL__USES_PART] = "used a part of",
                                  [DL__USES_ALL] = "used all of",
                                  [DL__OVERWRITES] = "overwrote"};

/* Prints that, with the layout to name (NULL: none is as fast as the program's own), and
 * the launches that `text` asks for. Where nothing is kept, no later run has it. Where
 * the host's command would have a demanded layout converted all the time, that is said
 * instead. */
static void why_print_next(FILE *out, enum dl__why why, const char *text,
                           const char *layout, const struct dl__command_row *command)
{
    static const char longer[] = "run it longer";
    static const char named[] = "--layout LAYOUT", kept[] = " is kept";
    const char *next, *at;

    if (why == DL__WHY_BUILDING_AGAIN && (command || !layout))
        why = DL__WHY_BUILDING;
    next = why == DL__WHYS ? "--log remark says more" : dl__reasons[why].next;
    at = keeps() ? NULL : strstr(next, kept);

    if (at) {
        fputs("set --cache to a folder, or run it longer", out);
        next = at + strlen(kept);
    }
    if (strncmp(next, longer, sizeof longer - 1) == 0) {
        fputs(longer, out);
        print_length(out, text);
        next += sizeof longer - 1;
    }
    at = strstr(next, named);
    if (at && (command || !layout))
        while (at > next && !strchr(",;", *at))
            at--;
    if (at && !layout) {
        fprintf(out, "%.*s", (int)(at - next), next);
    } else if (at && command) {
        fprintf(out, "%.*s; --layout %s would convert ", (int)(at - next), next, layout);
        print_buffer(out, command);
        fprintf(out, " %" PRIu64 " times, as often as %s %s it", command->count,
                command->name, did[command->use]);
    } else if (at)
        fprintf(out, "%.*s--layout %s%s", (int)(at - next), next, layout,
                at + sizeof named - 1);
    else
        fputs(next, out);
}

/* Returns the change of a kernel's text that helps where nothing else does; NULL: none.
 */
static const char *hint_for(const struct dl__kernel_row *row)
{
    return why_of(&row->native) == DL__WHY_NOT_FOLLOWED
               ? dl_remark_hint(&(const struct dl_remark){.text = row->native.why})
               : NULL;
}

/* Of a kernel that others' layouts wait for; `format` takes its name, where it has no
 * step of its own to take. */
static void print_change(FILE *out, const struct dl__kernel_row *row, bool has_step,
                         const char *format)
{
    const char *hint = hint_for(row);

    if (why_of(&row->native) == DL__WHY_OWN)
        fputs("have libdl_transpose used less often on buffers that gain in another "
              "layout",
              out);
    else if (hint)
        fprintf(out, "in kernel '%s' %s, as an annotation does not help", row->name,
                hint);
    else if (has_step) {
        fprintf(out, "kernel '%s': ", row->name);
        why_print_next(out, why_of(&row->native), row->native.why, NULL, NULL);
    } else
        fprintf(out, format, row->name);
}

/* Whether all conversions are for kernels that ask for their layout. */
static bool is_asked_for(const struct looked *looked)
{
    return looked->left && !looked->rewritten &&
           why_of(&looked->left->native) == DL__WHY_SOA;
}

/* Whether all conversions are for layouts that the host has set (dl.h). */
static bool is_for_host(const struct looked *looked)
{
    return looked->there && !looked->rewritten && !is_asked_for(looked);
}

/* The command that the host gives most often, where no kernel is known to be in the way;
 * of the rarer ones, such as those at the beginning or end of a program, none counts.
 * NULL: none. */
static const struct dl__command_row *command_between(const struct dl__counted *counted,
                                                     const struct looked *looked)
{
    const struct dl__command_row *most = NULL;
    const bool known = looked->left && why_of(&looked->left->native) == DL__WHY_BETWEEN;

    for (size_t i = 0; looked->left && i < counted->command_count; i++) {
        const struct dl__command_row *row = &counted->commands[i];

        /* A layout may well save what one conversion in so many launches takes. */
        if (!known &&
            (row->use == DL__USES_PART || row->count < looked->left->native.launches / 4))
            continue;
        if (row->count > (most ? most->count : 2))
            most = row;
    }
    return most;
}

/* Its layout is one that the host has chosen already: `host_has_layout`. */
static void print_command(FILE *out, const struct dl__command_row *command,
                          const char *why, bool host_has_layout, bool is_cpu)
{
    const char *at = strstr(why, ": ");
    const double times = at && strstr(at, DL__WHY_AS_MUCH) ? strtod(at + 2, NULL) : 0;
    /* A byte of a part takes longer than one of the whole, there and back: on PoCL 6 % of
     * a buffer took as long as the layout saved, and all of it four times that. Half of
     * the gain is to be left. It varies from run to run, so more digits say nothing. */
    const double part =
        (command->use == DL__USES_PART ? 50 : 12) / (times > 1 ? times : 1);

    fprintf(out, "nothing, or change the program: %s %s ", command->name,
            did[command->use]);
    print_buffer(out, command);
    fprintf(out, " %" PRIu64 " times; have it use ", command->count);
    if (times > 0)
        fprintf(out,
                part < 0.95 ? "less than about %.1g %% of %s in all between two launches"
                            : "less than about %.0f %% of %s in all between two launches",
                part, command->use == DL__USES_PART ? "those bytes" : "it");
    else
        fputs("a smaller part of it", out);
    fputs(", or use it less often", out);
    if (!host_has_layout && !strstr(command->name, "Copy") &&
        !strstr(command->name, "Fill"))
        fprintf(out, ", or in %s, see dl.h)",
                is_cpu ? "arrays (dl_buffer_set_host_layout with CL_LAYOUT_SOA_DL"
                       : "another layout (dl_buffer_set_host_layout");
}

/* Whether a tenth of what gains now ran as written until its layout was found: of the
 * time or, as for the doctor, which has none, of the launches. */
static bool is_late_run(const struct looked *looked)
{
    return looked->own_ns ? looked->late_ns * 9 >= looked->own_ns && looked->late_ns
                          : looked->late * 9 >= looked->launches && looked->late;
}

/* With the kernel's name, where it is of one. */
static void print_next(FILE *out, const struct dl__counted *counted,
                       const struct looked *looked, bool naming)
{
    const struct dl__kernel_row *left = looked->left;
    const char *best = left ? favoured(left->native.why) : NULL;
    const char *layout = best ? (*best ? best : NULL) : counted->is_cpu ? "da" : "asta";
    const struct dl__command_row *command = command_between(counted, looked);
    const bool loses =
        looked->judged_native_ns &&
        looked->judged_time_ns + looked->conversions_ns + looked->parts_ns >
            looked->judged_native_ns;

    if (!looked->kernels && counted->build_error) {
        fputs("correct that text or its options (--doctor shows the driver's lines)",
              out);
    } else if (!looked->kernels) {
        fputs(counted->ended_by ? "let it run until it launches some"
                                : "have it launch some",
              out);
    } else if (looked->holder && !dl__options_get()->layout_auto) {
        const enum dl__why why = why_of(&looked->holder->native);

        print_change(out, looked->holder, why != DL__WHYS && why_has_next(why),
                     "change what keeps kernel '%s' as written (--log remark says what)");
        fputs(", or remove --layout", out);
    } else if (left && looked->between && why_of(&left->native) == DL__WHY_BETWEEN) {
        /* A layout that was asked for is in no remark. */
        print_change(out, looked->between,
                     why_of(&looked->between->native) == DL__WHY_NO_ANNOTATION,
                     "annotate or change kernel '%s', which needs them so: --log remark "
                     "says why");
    } else if (command && (why_of(&left->native) == DL__WHY_BETWEEN ||
                           why_of(&left->native) == DL__WHY_NOT_WORTH_AGAIN)) {
        print_command(out, command, left->native.why, is_for_host(looked),
                      counted->is_cpu);
    } else if (left && looked->left_ns >= looked->own_ns &&
               why_has_next(why_of(&left->native))) {
        if (naming)
            fprintf(out, "kernel '%s': ", left->name);
        /* Exploring that this run has done takes no time of the next. */
        if ((why_of(&left->native) == DL__WHY_DEAR ||
             why_of(&left->native) == DL__WHY_OTHER_DEAR) &&
            counted->sums[DL__STATS_EXPLORED] > 0 && keeps())
            fputs("run it again: what was explored is kept; or ", out);
        if (hint_for(left))
            fprintf(out, "%s; an annotation does not help", hint_for(left));
        else
            why_print_next(out, why_of(&left->native), left->native.why, layout, command);
    } else if (looked->rewritten && !dl__options_get()->layout_auto &&
               (!looked->judged_time_ns || loses)) {
        why_print_next(out, DL__WHY_LAYOUT, NULL, "", NULL);
    } else if (loses && !is_asked_for(looked)) {
        fputs(counted->sums[DL__STATS_EXPLORED] > 0 && keeps()
                  ? "run it again: DL now knows what does not pay off"
                  : "run it with --layout aos if it is slower the next time, too",
              out);
    } else if (counted->sums[DL__STATS_EXPLORED] > 0 && keeps() && is_late_run(looked)) {
        fprintf(out, "run it again: it will begin %s", layout_words(looked->kind));
    } else {
        fputs(atomic_load(&dl__stats_nothing_kept)
                  ? "set --cache to a folder that can be written, since nothing was kept"
                  : "nothing to do",
              out);
    }
}

static void print_sentence(FILE *out, const struct dl__counted *counted,
                           const struct looked *looked)
{
    if (counted->ended_by)
        fprintf(out, "%s ended the run early; until then ", counted->ended_by);
    if (looked->rewritten) {
        if (looked->launches < looked->all_launches)
            fprintf(out, "%" PRIu64 " of %" PRIu64 " launches of ", looked->launches,
                    looked->all_launches);
        if (looked->launches == looked->all_launches ||
            looked->rewritten < looked->kernels)
            fprintf(out, "%zu of ", looked->rewritten);
        fprintf(out, "%zu kernel%s ran %s", looked->kernels, dl_plural(looked->kernels),
                layout_words(looked->kind));
        print_gain(out, looked, counted->ended_by != NULL);
    }
    if (looked->left)
        print_left(out, looked);
    if (is_for_host(looked) && looked->conversions_ns)
        fprintf(out, "; conversions took %.1f ms", (double)looked->conversions_ns * 1e-6);
    if (looked->holder)
        print_returns(out, looked);
    if (!looked->kernels)
        fputs("the program launched no kernel", out);
    if (!looked->kernels && counted->build_error)
        fprintf(out, ", and the driver can't build a text of its own (error %d)",
                counted->build_error);
    print_own(out, counted->sums);
    fputs(". Next: ", out);
    print_next(out, counted, looked, false);
}

char *dl__summary(const struct dl__counted *counted, bool whole)
{
    const locale_t before = dl_c_locale_enter();
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    const struct looked looked = look(counted);

    if (out && whole)
        print_sentence(out, counted, &looked);
    else if (out)
        print_next(out, counted, &looked, true);
    if (out)
        fclose(out);
    dl_c_locale_leave(before);
    return text;
}

/* Of the schema; it rises when a member goes or gets another meaning, not when one comes.
 */
enum { SCHEMA = 1 };

/* The text as a string, behind `before`; NULL: neither. */
static void json_text(FILE *out, const char *before, const char *text)
{
    if (!text)
        return;
    fprintf(out, "%s\"", before);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;

        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 0x20)
            fprintf(out, "\\u%04x", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

/* ,"time_ms":...,"gb_per_s":...,"why":...} */
static void json_ran(FILE *out, const char *name, const struct dl__ran_row *ran)
{
    if (!ran->launches)
        return;
    fprintf(out, ",\"%s\":{\"launches\":%" PRIu64 ",\"time_ms\":%.6f", name,
            ran->launches, (double)ran->time_ns * 1e-6);
    if (ran->bytes_time_ns && ran_is_timed(ran))
        fprintf(out, ",\"bytes\":%" PRIu64 ",\"gb_per_s\":%.3f", ran->bytes,
                (double)ran->bytes / (double)ran->bytes_time_ns);
    json_text(out, ",\"why\":", ran->why);
    fputc('}', out);
}

static void json_gain(FILE *out, uint64_t launches, uint64_t time_ns, uint64_t native_ns)
{
    fprintf(out,
            ",\"gain\":{\"launches\":%" PRIu64
            ",\"time_ms\":%.6f,\"as_written_ms\":%.6f,\"factor\":%.3f}",
            launches, (double)time_ns * 1e-6, (double)native_ns * 1e-6,
            (double)native_ns / (double)time_ns);
}

static void json_buffers(FILE *out, const struct dl__kernel_row *row)
{
    fputs(",\"buffers\":[", out);
    for (size_t b = 0; b < row->buffer_count; b++) {
        const struct dl__buffer_row *buffer = &row->buffers[b];

        fprintf(out, "%s{\"arg\":%u", b ? "," : "", buffer->arg_index);
        json_text(out, ",\"name\":", buffer->name ? buffer->name : "");
        fprintf(out, ",\"layout\":\"%s\",\"tile\":%" PRIu32 ",\"structs\":%" PRIu64 "}",
                dl_layout_name(buffer->layout.kind), buffer->layout.tile_structs,
                buffer->structs);
    }
    fputs("]}", out);
}

static void json_kernel(FILE *out, const struct dl__kernel_row *row)
{
    uint64_t earlier;

    json_text(out, "{\"kernel\":", row->name);
    fprintf(out,
            ",\"launches\":%" PRIu64 ",\"native_launches\":%" PRIu64 ",\"time_ms\":%.6f",
            row->rewritten.launches, row->native.launches,
            (double)(row->rewritten.time_ns + row->native.time_ns) * 1e-6);
    json_ran(out, "rewritten", &row->rewritten);
    json_ran(out, "as_written", &row->native);
    if (row->judged_time_ns)
        json_gain(out, row->judged, row->judged_time_ns, judged_native_ns(row, &earlier));
    json_buffers(out, row);
}

static void json_conversion(FILE *out, const struct dl__conversion_row *row)
{
    fprintf(out, "{\"buffer\":%u", row->buffer);
    json_text(out, ",\"name\":", row->name);
    fprintf(out,
            ",\"structs\":%" PRIu64 ",\"struct_bytes\":%" PRIu32
            ",\"from\":\"%s\",\"to\":\"%s\",\"count\":%" PRIu64 ",\"bytes\":%" PRIu64
            ",\"time_ms\":%.6f",
            row->structs, row->struct_bytes, dl_layout_name(row->from.kind),
            dl_layout_name(row->to.kind), row->count, row->bytes,
            (double)row->time_ns * 1e-6);
    if (is_timed(row->count, row->time_ns))
        fprintf(out, ",\"gb_per_s\":%.3f", (double)row->bytes / (double)row->time_ns);
    fputc('}', out);
}

static void json_total(FILE *out, const struct looked *looked)
{
    fprintf(out, ",\"total\":{\"kernels_ms\":%.6f,\"conversions_ms\":%.6f",
            (double)looked->all_ns * 1e-6, (double)looked->conversions_ns * 1e-6);
    if (looked->judged_time_ns)
        json_gain(out, looked->judged, looked->judged_time_ns, looked->judged_native_ns);
    fputs("},\n", out);
}

/* Sums from one to before another. */
static void json_sums(FILE *out, const double *sums, enum dl__stats_sum from,
                      enum dl__stats_sum to)
{
    static const char *const names[] = {
#define X(name, json) #json,
        DL__STATS_SUM_MAP(X)
#undef X
    };

    for (int i = (int)from; i < (int)to; i++)
        fprintf(out, strstr(names[i], "_ms") ? "%s\"%s\":%.3f" : "%s\"%s\":%.0f",
                i > (int)from ? "," : "", names[i], sums[i]);
}

static void print_json(const struct dl__counted *counted, FILE *out)
{
    const struct looked looked = look(counted);
    char *summary = dl__summary(counted, true);

    fprintf(out, "{\"dl\":\"" DL_VERSION_STRING "\",\"schema\":%d", SCHEMA);
    json_text(out, ",\"device\":", counted->device_name);
    if (counted->rank)
        fprintf(out, ",\"rank\":%lu", strtoul(counted->rank, NULL, 10));
    json_text(out, ",\"ended_by\":", counted->ended_by);
    fputs(",\"kernels\":[", out);
    for (size_t i = 0; i < counted->kernel_count; i++) {
        fputs(i ? ",\n" : "\n", out);
        json_kernel(out, &counted->kernels[i]);
    }
    fputs("],\"marshals\":[", out);
    for (size_t i = 0; i < counted->conversion_count; i++) {
        fputs(i ? ",\n" : "\n", out);
        json_conversion(out, &counted->conversions[i]);
    }
    fprintf(out, "],\"marshal_count\":%" PRIu64 ",\"bring_back_count\":%" PRIu64 ",",
            looked.there, looked.back);
    json_sums(out, counted->sums, DL__STATS_COPIED_BYTES, DL__STATS_TEXTS_REWRITTEN);
    json_total(out, &looked);
    fputs("\"decisions\":[", out);
    for (size_t d = 0; d < counted->decision_count; d++)
        json_text(out, d ? ",\n" : "\n", counted->decisions[d]);
    fputs("],\n\"own\":{", out);
    json_sums(out, counted->sums, DL__STATS_TEXTS_REWRITTEN, DL__STATS_SUMS);
    fputc('}', out);
    json_text(out, ",\n\"summary\":", summary);
    fputs("}\n", out);
    free(summary);
}

void dl__stats_print(const struct dl__counted *counted, FILE *out)
{
    (dl__options_get()->stats_path && !counted->for_report ? print_json
                                                           : print_table)(counted, out);
}
