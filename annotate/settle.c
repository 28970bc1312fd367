/* SPDX-License-Identifier: MIT */
/* The last pass: does the output build? A kernel that it would not build with is left as
 * it was, so that it does not take the others with it. */
#include "annotate/settle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/print/print.h"
#include "annotate/program/bind.h"
#include "annotate/program/read.h"

static bool has_units(const struct dl__rewriter *w)
{
    for (size_t i = 0; i < w->kernels.count; i++)
        if (w->kernels.items[i].unit)
            return true;
    return false;
}

/* True when the output parses as it is built with these options; else w->error says what
 * is wrong with it, and where. What was taken to be so of the device is: the output's own
 * lines that see to that are left out. May leave through the arena. */
static bool parses(struct dl__rewriter *w, const char *knobs)
{
    struct dl_annotate_options options = *w->options;
    volatile enum dl_status st = DL_OK;
    struct dl__rewriter *v;
    char *text = dl__arena_text(&w->arena, w->out.items, w->out.count);

    for (size_t i = w->guesses_begin; i < w->guesses_end; i++)
        text[i] = text[i] == '\n' ? '\n' : ' ';
    options.side = NULL;
    options.ask_device = NULL;
    options.on_file = NULL;
    options.times = NULL;
    options.detect = false;
    v = dl__rewriter_open(text, w->out.count, &options, NULL, NULL);
    if (!v)
        dl__arena_fail(&w->arena, DL_ENOMEM);
    v->clang = w->clang;
    v->answers.items = w->answers.items;
    v->answers.count = v->answers.room = w->answers.count;
    if (setjmp(v->arena.fail))
        st = v->arena.failure;
    else
        dl__program_read(v, knobs);
    w->error = v->error;
    if (st != DL_OK && !v->error.is_there) {
        w->error.at = SIZE_MAX;
        snprintf(w->error.text, sizeof w->error.text, "%s",
                 v->arena.reason ? v->arena.reason : "it is not understood");
    }
    dl__rewriter_close(v);
    if (st != DL_OK && st != DL_EPARSE)
        dl__arena_fail(&w->arena, st);
    return st == DL_OK;
}

static bool builds(struct dl__rewriter *w)
{
    static const struct dl_layout tiles = {DL_LAYOUT_ASTA, 32};
    struct dl_layout_knobs knobs;

    dl__print_all(w);
    dl_layout_knobs(&tiles, &knobs);
    return !has_units(w) || parses(w, knobs.text);
}

/* Kernels' second texts go where they don't build: all of them, for nothing hangs on
 * them. */
static void settle_coalesced(struct dl__rewriter *w)
{
    bool any = false;

    for (size_t i = 0; i < w->kernels.count; i++)
        any |= w->kernels.items[i].unit && w->kernels.items[i].coalesced;
    if (!any || parses(w, "-DDL_COALESCED=1"))
        return;
    dl__say(
        w, DL_REMARK, w->main.name, 0, 0,
        "structs are accessed plainly: the text for coalesced access does not build: %s",
        w->error.text);
    for (size_t i = 0; i < w->kernels.count; i++)
        w->kernels.items[i].coalesced = NULL;
    dl__print_all(w);
}

static void leave_out(struct dl__rewriter *w, struct dl__kernel *k)
{
    w->detecting = k->detected;
    dl__say_at(w, k->function->name_at,
               dl__arena_format(&w->arena,
                                "kernel '%s' is not transformed: the rewritten text does "
                                "not build: ",
                                k->function->name),
               w->error.text);
    w->detecting = false;
    k->unit = NULL;
    k->soa_alone = dl__wants_soa(k);
}

/* The kernel whose text has the error; NULL: none is known to. */
static struct dl__kernel *culprit(struct dl__rewriter *w)
{
    for (size_t i = 0; i < w->kernels.count; i++) {
        struct dl__kernel *k = &w->kernels.items[i];

        if (k->unit && w->error.at >= k->out_begin && w->error.at < k->out_end)
            return k;
    }
    return NULL;
}

/* Tries each kernel without the others. */
static void try_alone(struct dl__rewriter *w)
{
    struct dl__unit **units =
        dl__arena_alloc(&w->arena, w->kernels.count * sizeof *units);

    for (size_t i = 0; i < w->kernels.count; i++) {
        units[i] = w->kernels.items[i].unit;
        w->kernels.items[i].unit = NULL;
    }
    for (size_t i = 0; i < w->kernels.count; i++) {
        struct dl__kernel *k = &w->kernels.items[i];

        k->unit = units[i];
        if (!units[i])
            continue;
        if (!builds(w)) {
            leave_out(w, k);
            units[i] = NULL;
        }
        k->unit = NULL;
    }
    for (size_t i = 0; i < w->kernels.count; i++)
        w->kernels.items[i].unit = units[i];
}

/* Kernels whose text that tells whether they print does not build are left out with it:
 * all of them, for that is rare. */
static void settle_telling(struct dl__rewriter *w)
{
    bool any = false;

    for (size_t i = 0; i < w->kernels.count; i++)
        any |= w->kernels.items[i].unit && w->kernels.items[i].tells;
    if (!any || parses(w, "-DDL_PRINTING=1"))
        return;
    for (size_t i = 0; i < w->kernels.count; i++)
        if (w->kernels.items[i].unit && w->kernels.items[i].tells)
            leave_out(w, &w->kernels.items[i]);
    dl__print_all(w);
}

/* Kernels that stay can be left out only together. */
static void settle_others(struct dl__rewriter *w)
{
    struct dl__buf knobs = {.arena = &w->arena};
    bool any = false;

    for (size_t i = 0; i < w->placed.count; i++)
        any |= w->placed.items[i].condition != NULL;
    dl__buf_puts(&knobs, "-DDL_ONLY=1");
    for (size_t i = 0; i < w->kernels.count; i++)
        if (w->kernels.items[i].soa_alone)
            dl__buf_printf(&knobs, " -DDL_WITH_%s=1", w->kernels.items[i].function->name);
    if (!any || parses(w, knobs.items))
        return;
    w->others_stay = true;
    dl__print_all(w);
}

bool dl__settle(struct dl__rewriter *w)
{
    bool good = builds(w), any = false;

    while (!good) {
        struct dl__kernel *k = culprit(w);

        if (!k)
            break;
        leave_out(w, k);
        good = builds(w);
    }
    if (!good) {
        try_alone(w);
        good = builds(w);
    }
    for (size_t i = 0; i < w->kernels.count && !good; i++)
        if (w->kernels.items[i].unit)
            leave_out(w, &w->kernels.items[i]);
    if (!good)
        dl__print_all(w);
    settle_telling(w);
    settle_coalesced(w);
    settle_others(w);
    for (size_t i = 0; i < w->kernels.count; i++)
        any |= w->kernels.items[i].unit || w->kernels.items[i].soa_alone ||
               w->kernels.items[i].soa_refused;
    return any;
}
