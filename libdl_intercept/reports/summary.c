/* SPDX-License-Identifier: MIT */
/* What came of a run. */
#include "summary.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "layout/c_locale.h"
#include "libdl_intercept/base/options.h"
#include "reasons.h"
#include "stats_print.h"

/* The kernels, looked through once. */
struct looked {
    size_t kernels, rewritten;       /* how many, and how many ran rewritten; of those: */
    uint64_t launches, all_launches; /* rewritten, and in either way */
    uint64_t judged, own_ns;         /* as in a row; of the rewritten ones */
    uint64_t native_ns;              /* of all kernels as written */
    const struct dl__kernel_row *left; /* the longest of those as written; NULL: none */
    size_t left_too;                   /* others as written for the same reason */
    bool timed;                        /* the rewritten launches' times are times */
    int kind; /* of their layouts, as in dl_layout; -1: several */
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

static void add_row(struct looked *looked, const struct dl__kernel_row *row, bool *any)
{
    const struct dl__ran_row *ran = &row->rewritten;

    looked->kernels++;
    looked->native_ns += row->native.time_ns;
    if (ran->launches) {
        looked->rewritten++;
        looked->launches += ran->launches;
        looked->all_launches += ran->launches + row->native.launches;
        looked->judged += row->judged;
        looked->own_ns += ran->time_ns;
        looked->timed = looked->timed && dl__ran_is_timed(ran);
        add_layouts(looked, row, any);
    }
    if (is_left(row) && (!looked->left || is_longer(row, looked->left)))
        looked->left = row;
}

static struct looked look(const struct dl__counted *counted)
{
    struct looked looked = {.timed = true, .kind = -1};
    bool any = false;

    for (size_t i = 0; i < counted->kernel_count; i++)
        add_row(&looked, &counted->kernels[i], &any);
    for (size_t i = 0; looked.left && i < counted->kernel_count; i++)
        looked.left_too += is_left(&counted->kernels[i]) &&
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

static void print_gain(FILE *out, const struct looked *looked,
                       const struct dl__total *total)
{
    const double with_ms = (double)(total->judged_time_ns + total->conversions_ns) * 1e-6;

    if (!looked->timed)
        fputs(": how long they took is not known, since the driver tells no times", out);
    else if (total->judged_time_ns && looked->judged == looked->launches)
        fprintf(out, ": %.1f instead of %.1f ms%s", with_ms,
                (double)total->judged_native_ns * 1e-6,
                total->conversions_ns ? ", conversions included" : "");
    else if (total->judged_time_ns)
        fprintf(out,
                ": %.1f instead of %.1f ms in those %" PRIu64 " of %" PRIu64
                " launches that were measured as written, too%s",
                with_ms, (double)total->judged_native_ns * 1e-6, looked->judged,
                looked->launches,
                total->conversions_ns ? ", all conversions included" : "");
    else
        fprintf(out, ": %.1f ms%s; what they take as written was not measured",
                (double)(looked->own_ns + total->conversions_ns) * 1e-6,
                total->conversions_ns ? " with conversions" : "");
}

static void print_left(FILE *out, const struct looked *looked)
{
    const struct dl__kernel_row *left = looked->left;

    fprintf(out, "%skernel '%s' ", looked->rewritten ? "; " : "", left->name);
    if (looked->left_too)
        fprintf(out, "and %zu more ", looked->left_too);
    fputs("ran as written", out);
    if (left->native.why && *left->native.why)
        fprintf(out, ": %.*s", why_bytes(&left->native), left->native.why);
}

static void print_own(FILE *out, const struct dl__counted *counted)
{
    const struct {
        double ms;
        const char *what;
    } parts[] = {
        {counted->own.load_ms + counted->own.total_ms, "reading the kernels"},
        {counted->own.built_ms, "building rewritten kernels"},
        {counted->own.explored_ms + counted->own.compared_ms, "comparing layouts"},
        {counted->own.held_ms, "holding launches back until that was done"}};
    const char *cache = dl__options_get()->cache;
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
    if (most < 2 && (!cache || strcmp(cache, "off") != 0))
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

/* With the kernel's name, where it is of one. */
static void print_next(FILE *out, const struct dl__counted *counted,
                       const struct looked *looked, const struct dl__total *total,
                       bool naming)
{
    const struct dl__kernel_row *left = looked->left;
    const char *best = left ? favoured(left->native.why) : NULL;
    const char *layout = best && *best ? best : counted->is_cpu ? "da" : "asta";

    if (!looked->kernels) {
        fputs("have it launch some", out);
    } else if (best && !*best && why_of(&left->native) == DL__WHY_NOT_WORTH) {
        fputs("nothing to do: it is the fastest as written", out);
    } else if (left && looked->native_ns >= looked->own_ns &&
               dl__why_has_next(why_of(&left->native))) {
        if (naming)
            fprintf(out, "kernel '%s': ", left->name);
        dl__why_print_next(out, why_of(&left->native), layout);
    } else if (looked->rewritten && !total->judged_time_ns &&
               !dl__options_get()->layout_auto) {
        dl__why_print_next(out, DL__WHY_LAYOUT, "");
    } else if (total->judged_time_ns + total->conversions_ns > total->judged_native_ns &&
               dl__options_get()->layout_auto) {
        fputs("run it again: DL knows by now what does not pay", out);
    } else {
        fputs("nothing to do", out);
    }
}

static void print_sentence(FILE *out, const struct dl__counted *counted,
                           const struct looked *looked, const struct dl__total *total)
{
    if (looked->rewritten) {
        fprintf(out, "%zu of %zu kernel%s ran %s", looked->rewritten, looked->kernels,
                looked->kernels == 1 ? "" : "s", layout_words(looked->kind));
        if (looked->launches < looked->all_launches)
            fprintf(out, " (%" PRIu64 " of %" PRIu64 " launches)", looked->launches,
                    looked->all_launches);
        print_gain(out, looked, total);
    }
    if (looked->left)
        print_left(out, looked);
    if (!looked->kernels)
        fputs("the program launched no kernel", out);
    print_own(out, counted);
    fputs(". Next: ", out);
    print_next(out, counted, looked, total, false);
}

/* ---- as texts ---- */

static char *text_of(const struct dl__counted *counted, bool whole)
{
    const locale_t before = dl_c_locale_enter();
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    const struct looked looked = look(counted);
    struct dl__total total;

    dl__stats_total(counted, &total);
    if (out && whole)
        print_sentence(out, counted, &looked, &total);
    else if (out)
        print_next(out, counted, &looked, &total, true);
    if (out)
        fclose(out);
    dl_c_locale_leave(before);
    return text;
}

char *dl__summary(const struct dl__counted *counted)
{
    return text_of(counted, true);
}

char *dl__summary_next(const struct dl__counted *counted)
{
    return text_of(counted, false);
}
