/* SPDX-License-Identifier: MIT */
/* A text rewritten. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/base/stack.h"
#include "annotate/coalesce/coalesce.h"
#include "annotate/facts/facts.h"
#include "annotate/print/print.h"
#include "annotate/program/bind.h"
#include "annotate/program/choose.h"
#include "annotate/program/detect.h"
#include "annotate/track/form.h"

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
    dl__say_at(w, DL_WARNING, k->function->name_at,
               "kernel '%s' is not transformed: the rewritten text does not build: %s",
               k->function->name, w->error.text);
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

/* Prints the output text without the kernels that it would not build with; each is
 * remarked. False: without all of them. May leave through the arena. */
static bool settle(struct dl__rewriter *w)
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

/* dl_annotate_rewrite: from annotated text to shippable text. The passes, in order:
 * preprocess, parse, bind annotations to kernels, track each kernel, print. */

/* ---- one kernel ---- */

static bool has_structs(const struct dl__kernel *k)
{
    for (size_t i = 0; i < k->buffers.count; i++)
        if (!k->buffers.items[i].soa)
            return true;
    return false;
}

static void transform(struct dl__rewriter *w, struct dl__kernel *k)
{
    struct dl__function *f = k->function;

    if (!dl__read_annotations(w, k)) {
        k->soa_refused = dl__wants_soa(k);
        k->buffers.count = 0;
        return;
    }
    k->soa_alone = dl__wants_soa(k);
    if (!has_structs(k))
        return;
    if (k->mentioned_at != SIZE_MAX) {
        dl__say_at(w, DL_WARNING, k->mentioned_at,
                   "kernel '%s' is %s: it is also declared or called here", f->name,
                   k->detected ? "left as it is" : "not transformed");
        return;
    }
    if (w->ast.has_variable) {
        /* The rewritten program is another program: it would have a variable of its own.
         */
        if (k->detected)
            dl__say_at(w, DL_WARNING, w->ast.variable_at,
                       "kernel '%s' is left as it is: a variable of program scope is "
                       "shared by all kernels",
                       f->name);
        else if (!w->variable_said)
            dl__say_at(w, DL_WARNING, w->ast.variable_at,
                       "a variable of program scope is shared by all kernels, so they "
                       "all run as written");
        w->variable_said |= !k->detected;
        return;
    }
    k->unit = dl__track_chosen(w, k);
    k->soa_alone &= !k->unit;
    if (k->unit && w->options->coalesced && !k->detected && !dl__has_wholes(k))
        dl__coalesce(w, k);
}

/* ---- explaining ---- */

static void explain_unit(struct dl__rewriter *w, const struct dl__unit *unit)
{
    for (size_t i = 0; i < unit->uses.count; i++) {
        const struct dl__use *use = &unit->uses.items[i];

        dl__say_at(w, DL_REMARK, use->at, "'%s' is reached through %s", use->root->name,
                   use->accessor->name);
    }
    for (size_t i = 0; i < unit->clones.count; i++) {
        struct dl__unit *clone = unit->clones.items[i];

        dl__say_at(w, DL_REMARK, clone->function->name_at,
                   "'%s' is copied as '%s' for '%s'", clone->function->name,
                   clone->new_name, unit->function->name);
        if (dl__unit_meet(clone))
            explain_unit(w, clone);
    }
}

static void explain_facts(struct dl__rewriter *w, const struct dl__root *root)
{
    for (size_t i = 0; root->facts && i < root->facts->count; i++) {
        const struct dl__seen *seen = &root->facts->items[i];

        dl__say_at(w, DL_REMARK, seen->at, "'%s' is %s", root->name,
                   dl__fact_text(&w->arena, &seen->fact));
    }
}

static void explain(struct dl__rewriter *w, const struct dl__kernel *k)
{
    for (size_t i = 0; i < k->buffers.count; i++) {
        const struct dl__buffer *b = &k->buffers.items[i];

        if (!b->soa && !k->unit)
            continue;
        dl__say(w, DL_REMARK, b->file, b->line, 1, "kernel '%s' %s '%s'%s: %s%s%s",
                k->function->name, b->root->written ? "writes" : "reads", b->name,
                b->soa ? " as discrete arrays" : "",
                b->root->form->describe(&w->arena, b->root),
                b->arrays ? "" : ", as many as ",
                b->arrays     ? ""
                : *b->written ? b->written
                              : "fit");
        if (!b->soa)
            explain_facts(w, b->root);
        if (b->grid)
            dl__grid_explain(w, b);
    }
    if (k->unit) {
        w->tracker.turn++;
        explain_unit(w, k->unit);
    }
}

/* ---- the passes ---- */

static int by_place(const void *left, const void *right)
{
    const struct dl__kernel *a = left, *b = right;

    return a->function->item_at < b->function->item_at
               ? -1
               : a->function->item_at > b->function->item_at;
}

static enum dl_status run(struct dl__rewriter *w)
{
    bool any = false;

    dl__program_read(w, "");
    w->tracker.arena = w->tracker.accessors.arena = &w->arena;
    w->tracker.ast = &w->ast;
    w->tracker.expanded = &w->expanded;
    w->tracker.lacks_static = w->build.cl_std && (!strcmp(w->build.cl_std, "CL1.0") ||
                                                  !strcmp(w->build.cl_std, "CL1.1"));
    dl__bind_comments(w);
    dl__bind_side_file(w);
    if (w->options->detect)
        dl__detect(w);
    if (!w->kernels.count || !dl__names_are_free(w))
        return DL_EREFUSED;
    dl__find_mentions(w);
    qsort(w->kernels.items, w->kernels.count, sizeof *w->kernels.items, by_place);
    for (size_t i = 0; i < w->kernels.count; i++) {
        w->detecting = w->kernels.items[i].detected;
        transform(w, &w->kernels.items[i]);
        if ((w->kernels.items[i].unit || w->kernels.items[i].soa_alone) &&
            w->options->explain)
            explain(w, &w->kernels.items[i]);
        any |= w->kernels.items[i].unit || w->kernels.items[i].soa_alone ||
               w->kernels.items[i].soa_refused;
    }
    w->detecting = false;
    return any && settle(w) ? DL_OK : DL_EREFUSED;
}

/* The arguments of a public function, on their way to another stack. */
struct call {
    const char *text;
    size_t text_bytes;
    const struct dl_annotate_options *options;
    dl_remark_fn remark;
    void *user;
    char **out; /* NULL: to be checked */
    enum dl_status status;
};

/* Parses the text as it is built with these options. */
static enum dl_status check_on(const char *text, size_t text_bytes,
                               const struct dl_annotate_options *options,
                               const char *knobs, dl_remark_fn remark, void *user)
{
    struct dl__rewriter *w = dl__rewriter_open(text, text_bytes, options, remark, user);
    const char *reason = "";
    enum dl_status st;

    if (!w)
        return DL_ENOMEM;
    st = dl__clang_load(w->options->libclang, &w->clang, &reason);
    if (st != DL_OK)
        dl__say(w, DL_WARNING, NULL, 0, 0, "%s", reason);
    else if (setjmp(w->arena.fail))
        st = w->arena.failure;
    else
        dl__program_read(w, knobs);
    dl__rewriter_close(w);
    return st;
}

enum { KNOBS_BYTES = sizeof(struct dl_layout_knobs) + 32 };

static const char *knobs_of(struct dl_layout layout, char out[KNOBS_BYTES])
{
    struct dl_layout_knobs knobs;

    dl_layout_knobs(&layout, &knobs);
    snprintf(out, KNOBS_BYTES, "%s%s", knobs.text,
             layout.kind == DL_LAYOUT_DA ? " -DDL_INDEX_64" : "");
    return out;
}

static enum dl_status check_here(const char *text, size_t text_bytes,
                                 const struct dl_annotate_options *options,
                                 dl_remark_fn remark, void *user)
{
    static const struct dl_layout layouts[] = {
        {DL_LAYOUT_AOS, 0},
        {DL_LAYOUT_ASTA, 32},
        {DL_LAYOUT_ASTA, 24},
        {DL_LAYOUT_DA, 32},
        {.kind = DL_LAYOUT_GRID,
         .grid = {{2, {7, 5}}, {3, {{0, 1, 0}, {1}, {0, 0, 1}}}}}};
    struct dl_notes *notes;
    bool has_grids = false;
    char knobs[KNOBS_BYTES];
    enum dl_status st = dl_annotate_scan(text, text_bytes, remark, user, &notes);

    if (st != DL_OK)
        return st;
    for (size_t k = 0; k < notes->kernel_count; k++)
        for (size_t b = 0; b < notes->kernels[k].buffer_count; b++)
            has_grids |= notes->kernels[k].buffers[b].extent_count > 0;
    dl_notes_free(notes);
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts && st == DL_OK; i++)
        if (has_grids || layouts[i].kind != DL_LAYOUT_GRID)
            st = check_on(text, text_bytes, options, knobs_of(layouts[i], knobs), remark,
                          user);
    if (st == DL_OK)
        st = check_on(text, text_bytes, options, "-DDL_COALESCED=1", remark, user);
    return st;
}

static enum dl_status rewrite_here(const char *text, size_t text_bytes,
                                   const struct dl_annotate_options *options,
                                   dl_remark_fn remark, void *user, char **out)
{
    struct dl__rewriter *w;
    enum dl_status st;
    const char *reason = "";

    if (dl_annotate_is_rewritten(text, text_bytes)) {
        *out = strndup(text, text_bytes);
        return *out ? DL_OK : DL_ENOMEM;
    }
    w = dl__rewriter_open(text, text_bytes, options, remark, user);
    if (!w)
        return DL_ENOMEM;
    st = dl__clang_load(w->options->libclang, &w->clang, &reason);
    dl__rewriter_lap(w, &w->times.load);
    if (st != DL_OK) {
        dl__say(w, DL_WARNING, NULL, 0, 0,
                "%s, so no kernel is rewritten; dl-run --doctor says what to do", reason);
        goto out;
    }
    if (setjmp(w->arena.fail))
        st = w->arena.failure;
    else
        st = run(w);
    if ((st == DL_EPARSE || st == DL_ELIMIT) && w->arena.reason)
        dl__say(w, DL_WARNING, w->main.name, 0, 0, "the program is left alone: %s",
                w->arena.reason);
    if (st == DL_OK) {
        char *copy = malloc(w->out.count + 1);

        if (copy)
            memcpy(copy, w->out.items, w->out.count + 1);
        st = copy ? DL_OK : DL_ENOMEM;
        if (copy)
            *out = copy;
    }
out:
    dl__rewriter_close(w);
    return st;
}

static void call_here(void *user)
{
    struct call *c = user;

    c->status =
        c->out
            ? rewrite_here(c->text, c->text_bytes, c->options, c->remark, c->user, c->out)
            : check_here(c->text, c->text_bytes, c->options, c->remark, c->user);
}

enum dl_status dl_annotate_rewrite(const char *text, size_t text_bytes,
                                   const struct dl_annotate_options *options,
                                   dl_remark_fn remark, void *user, char **out)
{
    struct call c = {text, text_bytes, options, remark, user, out, DL_ENOMEM};

    dl__on_large_stack(call_here, &c);
    return c.status;
}

enum dl_status dl_annotate_check(const char *text, size_t text_bytes,
                                 const struct dl_annotate_options *options,
                                 dl_remark_fn remark, void *user)
{
    struct call c = {text, text_bytes, options, remark, user, NULL, DL_ENOMEM};

    dl__on_large_stack(call_here, &c);
    return c.status;
}
