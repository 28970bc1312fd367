/* dl_annotate_prove: every access of a rewritten text is shown to be the program's.
 *
 * A translation validator: it knows the two texts and the tables, and nothing of how the one was made
 * from the other. It walks through both side by side, once for 32-bit indices and once for 64-bit
 * ones. What it takes for granted: libclang and its tree, the formula in the prelude, whose text it
 * compares and tests/layout tests, C's rules for overflow and array bounds, and that what a kernel
 * reaches lies in its buffers. */
#include <stdio.h>
#include <string.h>

#include "annotate/accessors/prelude.h"
#include "annotate/base/stack.h"
#include "annotate/program/read.h"
#include "annotate/prove/prove.h"

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
    struct dl__prover prover;
    size_t kernel; /* that is looked at */
    const char *fault;
    size_t fault_at;
};

static const struct mode {
    const char *knobs;
    unsigned index_bits;
} modes[] = {{"-DDL_TILING=dl_tiles -DDL_TILE=32", 32},
             {"-DDL_TILING=dl_tiles -DDL_TILE=24 -DDL_INDEX_64", 64}};

static bool is_proved(const struct dl_kernel_note *k)
{
    bool any = false;

    for (size_t i = 0; i < k->buffer_count; i++)
        any |= k->buffers[i].native == DL_LAYOUT_AOS;
    return any && !k->refused;
}

static void prove_kernel(struct proof *q, const struct dl_kernel_note *k,
                         unsigned index_bits)
{
    struct dl__prover *p = &q->prover;
    struct dl__prover again = {.arena = &q->old_text->arena};
    struct dl__pair *pair;

    again.verdicts.items = p->verdicts.items;
    again.verdicts.count = p->verdicts.count;
    again.verdicts.room = p->verdicts.room;
    *p = again;
    p->old_text.w = q->old_text;
    p->new_text.w = q->new_text;
    p->new_text.is_new = true;
    p->index_bits = index_bits;
    pair = dl__kernel_pair(p, k, q->rewritten, &q->fault);
    if (q->fault)
        return;
    DL__PUSH(p->arena, &p->pairs, pair);
    for (p->at_pair = 0; p->at_pair < p->pairs.count; p->at_pair++)
        dl__compare_pair(p, p->pairs.items[p->at_pair]);
    q->fault = p->fatal_reason ? p->fatal_reason : q->fault;
    q->fault_at = p->fatal_at;
}

/* One kernel in one mode; `at` is SIZE_MAX for all that is outside of kernels. */
static void prove_mode(struct proof *q, const struct dl_kernel_note *k,
                       const struct mode *mode)
{
    struct dl_annotate_options options = *q->options;
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
    if (setjmp(q->new_text->arena.fail)) {
        st = q->new_text->arena.failure;
        q->fault = "the rewritten text does not parse";
    } else {
        dl__program_read(q->new_text, mode->knobs);
        q->prover.old_text.w = q->old_text;
        q->prover.new_text.w = q->new_text;
        q->prover.arena = &q->old_text->arena;
        if (k)
            prove_kernel(q, k, mode->index_bits);
        else
            q->fault = dl__items_fault(&q->prover, q->notes, &q->fault_at);
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

static void report(struct proof *q, const struct dl_kernel_note *k)
{
    const struct dl__prover *p = &q->prover;
    size_t shown = 0;

    for (size_t i = 0; i < p->verdicts.count; i++) {
        shown += !p->verdicts.items[i].reason;
        if (p->verdicts.items[i].reason && !q->fault)
            say(q, k->name, p->verdicts.items[i].at, p->verdicts.items[i].reason);
    }
    if (q->fault)
        say(q, k->name, q->fault_at, q->fault);
    shown = q->fault ? 0 : shown;
    if (q->fault || shown < p->verdicts.count)
        q->status = DL_EREFUSED;
    q->proved(q->user, k->name, p->verdicts.count, shown);
}

static void prove_all(struct proof *q)
{
    const char *outside = NULL;

    if (!strstr(q->rewritten, dl__prelude()))
        outside = "the rewritten text has another formula";
    dl__program_read(q->old_text, "");
    for (size_t m = 0; m < sizeof modes / sizeof *modes && !outside; m++) {
        q->fault = NULL;
        prove_mode(q, NULL, &modes[m]);
        outside = q->fault;
    }
    for (size_t i = 0; i < q->notes->kernel_count; i++) {
        const struct dl_kernel_note *k = &q->notes->kernels[i];

        if (!is_proved(k))
            continue;
        q->fault = outside;
        q->prover.verdicts.count = 0;
        for (size_t m = 0; m < sizeof modes / sizeof *modes && !q->fault; m++)
            prove_mode(q, k, &modes[m]);
        report(q, k);
    }
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
