/* SPDX-License-Identifier: MIT */
/* dl_annotate_prove: every access of a rewritten text is shown to be the program's.
 *
 * A translation validator: it knows the two texts and the tables, and nothing of how the
 * one was made from the other. It walks through both side by side: for tiles with 32-bit
 * and 64-bit indices, and for the program's own layout. What it takes for granted:
 * libclang and its tree, the formula in the prelude, whose text it compares and
 * tests/layout tests, C's rules for overflow and array bounds, and that what a kernel
 * reaches lies in its buffers. */
#include <stdio.h>
#include <string.h>

#include "annotate/annotate.h"
#include "annotate/accessors/prelude.h"
#include "annotate/base/stack.h"
#include "annotate/program/read.h"
#include "annotate/prove/prove.h"

/* What is said of a kernel. */
struct outcome {
    __typeof__(((struct dl__prover *)0)->verdicts) verdicts;
    const char *fault; /* none of it is shown; NULL: see the verdicts */
    size_t fault_at;
};

struct proof {
    const char *text, *rewritten;
    size_t bytes, rewritten_bytes;
    const struct dl_annotate_options *options;
    dl_remark_fn remark;
    dl_proof_fn proved;
    void *user;
    enum dl_status status;
    struct dl__rewriter *old_text, *new_text;
    struct dl_notes *notes;
    struct outcome *kernels; /* by the tables' order */
};

static const struct mode {
    const char *knobs;
    unsigned index_bits;
    bool is_tiled;
} modes[] = {{"-DDL_TILING=dl_tiles -DDL_TILE=32", 32, true},
             {"-DDL_TILING=dl_tiles -DDL_TILE=24 -DDL_INDEX_64", 64, true},
             {"", 64, false}};

static bool is_proved(const struct dl_kernel_note *k)
{
    bool any = false;

    for (size_t i = 0; i < k->buffer_count; i++)
        any |= k->buffers[i].native == DL_LAYOUT_AOS;
    return any && !k->refused;
}

static void prepare(struct proof *q, struct dl__prover *p, const struct mode *mode)
{
    p->arena = &q->old_text->arena;
    p->old_text.w = q->old_text;
    p->new_text.w = q->new_text;
    p->new_text.is_new = true;
    p->index_bits = mode->index_bits;
    p->is_tiled = mode->is_tiled;
}

static void prove_kernel(struct proof *q, size_t kernel, const struct mode *mode)
{
    const struct dl_kernel_note *k = &q->notes->kernels[kernel];
    struct outcome *out = &q->kernels[kernel];
    struct dl__prover *p = DL__NEW(&q->old_text->arena, struct dl__prover);
    struct dl__pair *pair;

    if (!is_proved(k) || out->fault)
        return;
    prepare(q, p, mode);
    pair = dl__kernel_pair(p, k, q->rewritten, &out->fault);
    if (!pair)
        return;
    p->verdicts.items = out->verdicts.items;
    p->verdicts.count = out->verdicts.count;
    p->verdicts.room = out->verdicts.room;
    DL__PUSH(p->arena, &p->pairs, pair);
    for (p->at_pair = 0; p->at_pair < p->pairs.count; p->at_pair++)
        dl__compare_pair(p, p->pairs.items[p->at_pair]);
    out->verdicts.items = p->verdicts.items;
    out->verdicts.count = p->verdicts.count;
    out->verdicts.room = p->verdicts.room;
    out->fault = p->fatal_reason;
    out->fault_at = p->fatal_at;
}

/* What is outside of the kernels concerns all of them. */
static void fault_all(struct proof *q, const char *fault, size_t at)
{
    for (size_t i = 0; i < q->notes->kernel_count; i++) {
        struct outcome *out = &q->kernels[i];

        out->fault_at = out->fault ? out->fault_at : at;
        out->fault = out->fault ? out->fault : fault;
    }
}

static void prove_mode(struct proof *q, const struct mode *mode)
{
    struct dl_annotate_options options = *q->options;
    struct dl__prover *p = DL__NEW(&q->old_text->arena, struct dl__prover);
    volatile enum dl_status st = DL_OK;

    options.side = NULL;
    options.on_file = NULL;
    options.times = NULL;
    options.detect = false;
    q->new_text =
        dl__rewriter_open(q->rewritten, q->rewritten_bytes, &options, NULL, NULL);
    if (!q->new_text)
        dl__arena_fail(&q->old_text->arena, DL_ENOMEM);
    q->new_text->clang = q->old_text->clang;
    /* The device has been asked: no build of a question more. */
    q->new_text->answers = q->old_text->answers;
    q->new_text->answers.room = q->new_text->answers.count;
    /* What reading the text takes, its own arena counts. */
    dl__arena_pause(&q->old_text->arena);
    if (setjmp(q->new_text->arena.fail)) {
        dl__arena_resume(&q->old_text->arena);
        st = q->new_text->arena.failure;
        fault_all(q, "the rewritten text does not parse", 0);
    } else {
        const char *fault;
        size_t at = 0;

        dl__program_read(q->new_text, mode->knobs);
        dl__arena_resume(&q->old_text->arena);
        prepare(q, p, mode);
        fault = dl__items_fault(p, q->notes, &at);
        if (fault)
            fault_all(q, fault, at);
        for (size_t i = 0; i < q->notes->kernel_count; i++)
            prove_kernel(q, i, mode);
    }
    dl__rewriter_close(q->new_text);
    q->new_text = NULL;
    if (st != DL_OK && st != DL_EPARSE)
        dl__arena_fail(&q->old_text->arena, st);
}

static void say(struct proof *q, const char *kernel, size_t at, const char *reason)
{
    dl__say_at(q->old_text, at,
               dl__arena_format(&q->old_text->arena, "kernel '%s': not shown: ", kernel),
               reason);
}

static void report(struct proof *q, size_t kernel)
{
    const struct dl_kernel_note *k = &q->notes->kernels[kernel];
    const struct outcome *out = &q->kernels[kernel];
    size_t shown = 0;

    for (size_t i = 0; i < out->verdicts.count; i++) {
        shown += !out->verdicts.items[i].reason;
        if (out->verdicts.items[i].reason && !out->fault)
            say(q, k->name, out->verdicts.items[i].at, out->verdicts.items[i].reason);
    }
    if (out->fault)
        say(q, k->name, out->fault_at, out->fault);
    shown = out->fault ? 0 : shown;
    if (out->fault || shown < out->verdicts.count)
        q->status = DL_EREFUSED;
    q->proved(q->user, k->name, out->verdicts.count, shown);
}

static void prove_all(struct proof *q)
{
    const char *behind;

    q->kernels = dl__arena_alloc(&q->old_text->arena,
                                 (q->notes->kernel_count + 1) * sizeof *q->kernels);
    dl__program_read(q->old_text, "");
    if (!dl__prelude_find(q->rewritten, &behind))
        fault_all(q, "the rewritten text has another formula", 0);
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++)
        prove_mode(q, &modes[m]);
    for (size_t i = 0; i < q->notes->kernel_count; i++)
        if (is_proved(&q->notes->kernels[i]))
            report(q, i);
}

static void prove_here(void *user)
{
    struct proof *q = user;
    const char *reason = "";

    q->status =
        dl_annotate_scan(q->rewritten, q->rewritten_bytes, q->remark, q->user, &q->notes);
    if (q->status != DL_OK)
        return;
    q->old_text = dl__rewriter_open(q->text, q->bytes, q->options, q->remark, q->user);
    if (!q->old_text) {
        q->status = DL_ENOMEM;
        goto out;
    }
    q->status = dl__clang_load(q->options->libclang, &q->old_text->clang, &reason);
    if (q->status != DL_OK) {
        dl__say(q->old_text, DL_WARNING, NULL, 0, 0, "%s", reason);
    } else if (setjmp(q->old_text->arena.fail)) {
        q->status = q->old_text->arena.failure;
        if (q->new_text)
            dl__rewriter_close(q->new_text);
    } else {
        prove_all(q);
    }
    dl__rewriter_close(q->old_text);
out:
    dl_notes_free(q->notes);
}

enum dl_status dl_annotate_prove(const char *text, size_t text_bytes,
                                 const char *rewritten, size_t rewritten_bytes,
                                 const struct dl_annotate_options *options,
                                 dl_remark_fn remark, dl_proof_fn proved, void *user)
{
    static const struct dl_annotate_options none;
    struct proof q = {.text = text,
                      .rewritten = rewritten,
                      .bytes = text_bytes,
                      .rewritten_bytes = rewritten_bytes,
                      .options = options ? options : &none,
                      .remark = remark,
                      .proved = proved,
                      .user = user,
                      .status = DL_ENOMEM};

    dl__on_large_stack(prove_here, &q);
    return q.status;
}
