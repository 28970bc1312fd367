/* SPDX-License-Identifier: MIT */
/* The proof of a rewritten text. */
#include "annotate/prove/prove.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/accessors/prelude.h"
#include "annotate/annotate.h"
#include "annotate/base/stack.h"
#include "annotate/text/lex.h"

struct item {
    dl__number number;
    size_t at;
    bool is_generated; /* it has a name that programs have not */
};

struct items {
    struct item *items;
    size_t count, room;
};

static const struct dl__function *kernel_at(const struct dl__ast *ast,
                                            const struct dl_notes *notes, size_t at)
{
    for (size_t i = 0; i < ast->functions.count; i++) {
        const struct dl__function *f = &ast->functions.items[i];
        const struct dl_kernel_note *k;

        if (f->item_at != at || !f->is_defined || !f->is_kernel)
            continue;
        k = dl_notes_find(notes, f->name);
        if (k && k->buffer_count && !k->refused && k->buffers[0].native == DL_LAYOUT_AOS)
            return f;
    }
    return NULL;
}

/* The declarations of a text, cut behind each `;` and `}` outside of braces. */
static void split(struct dl__prover *p, const struct dl__ast *ast,
                  const struct dl_notes *notes, struct items *out)
{
    struct dl__lexer lexer = {.text = ast->text, .bytes = ast->bytes};
    struct item item = {0};
    bool at_start = true, in_line = false;
    unsigned depth = 0;
    struct dl__token t;

    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        if (t.kind == DL__NEWLINE) {
            if (in_line) /* of a directive */
                DL__PUSH(p->arena, out, item);
            at_start |= in_line;
            in_line = false;
            continue;
        }
        if (at_start) {
            const struct dl__function *kernel = kernel_at(ast, notes, t.offset);

            item = (struct item){.number = 1, .at = t.offset};
            at_start = false;
            in_line = dl__token_is(&t, "#");
            if (kernel) {
                item.number = dl__draw_text("kernel", kernel->name, strlen(kernel->name));
                DL__PUSH(p->arena, out, item);
                lexer.offset = kernel->body_end;
                at_start = true;
                continue;
            }
        }
        item.number =
            dl__draw("item", item.number, dl__draw_text("", t.text, t.bytes), 0);
        item.is_generated |= t.kind == DL__NAME &&
                             (!strncmp(t.text, "dl_", 3) || !strncmp(t.text, "DL_", 3));
        depth += dl__token_is(&t, "{") || dl__token_is(&t, "(");
        depth -= depth && (dl__token_is(&t, "}") || dl__token_is(&t, ")"));
        if (!depth && !in_line && (dl__token_is(&t, ";") || dl__token_is(&t, "}"))) {
            DL__PUSH(p->arena, out, item);
            at_start = true;
        }
    }
}

/* A static clause where the rewritten text differs outside of the kernels of `notes`,
 * with the place in the program's; or NULL. */
static const char *items_fault(struct dl__prover *p, const struct dl_notes *notes,
                               size_t *at)
{
    struct items old_items = {0}, new_items = {0};
    size_t i = 0;

    split(p, &p->old_text.w->ast, notes, &old_items);
    split(p, &p->new_text.w->ast, notes, &new_items);
    for (size_t j = 0; j < new_items.count; j++) {
        const struct item *item = &new_items.items[j];

        *at = i < old_items.count ? old_items.items[i].at : 0;
        if (i < old_items.count && old_items.items[i].number == item->number)
            i++;
        else if (!item->is_generated)
            return "the rewritten text differs here";
    }
    return i < old_items.count ? "the rewritten text lacks this" : NULL;
}

/* The buffers of a kernel as the tables have them, which is how they are converted. */

/* ---- the width of rows: a dimension in the tables' words ---- */

struct reader {
    struct dl__prover *p;
    const struct dl__function *kernel;
    struct dl__lexer lexer;
    struct dl__token token;
    bool failed;
};

static void next(struct reader *r)
{
    r->token = dl__lex_next(&r->lexer);
}

static struct dl__integer read_sum(struct reader *r);

static struct dl__integer read_number(struct reader *r)
{
    uint64_t value = 0;
    bool is_unsigned;

    if (!dl__integer_read(r->token.text, r->token.bytes, &value, &is_unsigned))
        r->failed = true;
    next(r);
    return dl__integer_constant((dl__bound)value, 64, true);
}

static void expect(struct reader *r, const char *text)
{
    r->failed |= !dl__token_is(&r->token, text);
    next(r);
}

/* arg(index, type, 0) */
static struct dl__integer read_argument(struct reader *r)
{
    int64_t index, offset;
    const struct dl__parameter *q;
    struct dl__known v;

    next(r);
    expect(r, "(");
    dl__integer_is_constant(read_number(r), &index);
    expect(r, ",");
    next(r);
    expect(r, ",");
    dl__integer_is_constant(read_number(r), &offset);
    expect(r, ")");
    if (r->failed || offset || index >= (int64_t)r->kernel->parameter_count) {
        r->failed = true;
        return dl__zero();
    }
    q = &r->kernel->parameters[index];
    v = dl__know_typed(dl__draw_text("variable", q->name, strlen(q->name)) ^
                           dl__draw("declared", q->name_at, 0, 0),
                       q->type);
    r->failed |= v.kind != DL__K_INTEGER;
    return dl__integer_convert(v.integer, 64, true, r->p->index_bits);
}

static struct dl__integer read_atom(struct reader *r)
{
    struct dl__integer out;

    if (r->failed)
        return dl__zero();
    if (dl__token_is(&r->token, "arg"))
        return read_argument(r);
    if (!dl__token_is(&r->token, "("))
        return read_number(r);
    next(r);
    out = read_sum(r);
    expect(r, ")");
    return out;
}

static struct dl__integer read_product(struct reader *r)
{
    struct dl__integer out = read_atom(r);

    while (!r->failed && dl__token_is(&r->token, "*")) {
        next(r);
        out = dl__integer_combine('*', out, read_atom(r));
    }
    return out;
}

static struct dl__integer read_sum(struct reader *r)
{
    struct dl__integer out = read_product(r);

    while (!r->failed && (dl__token_is(&r->token, "+") || dl__token_is(&r->token, "-"))) {
        char op = r->token.text[0];

        next(r);
        out = dl__integer_combine(op, out, read_product(r));
    }
    return out;
}

/* The line of the buffer's table that says its width. */
static const char *width_line(const char *text, const char *kernel, const char *buffer)
{
    static const char kernel_mark[] = "//DL-kernel: ", buffer_mark[] = "//DL-buffer: ",
                      width_mark[] = "//DL-width: ";
    const char *at = text;

    while ((at = strstr(at, kernel_mark)) != NULL) {
        at += strlen(kernel_mark);
        if (strncmp(at, kernel, strlen(kernel)) || at[strlen(kernel)] != ' ')
            continue;
        while ((at = strstr(at, buffer_mark)) != NULL) {
            at += strlen(buffer_mark);
            if (!strncmp(at, buffer, strlen(buffer)) && at[strlen(buffer)] == ' ') {
                at = strstr(at, width_mark);
                return at ? at + strlen(width_mark) : NULL;
            }
        }
        return NULL;
    }
    return NULL;
}

static bool read_width(struct dl__prover *p, const struct dl__function *f,
                       const char *rewritten, const struct dl_kernel_note *k,
                       struct dl__proved_buffer *b)
{
    const char *line = width_line(rewritten, k->name, b->note->name);
    struct reader r = {.p = p, .kernel = f};

    if (!line)
        return false;
    r.lexer.text = line;
    r.lexer.bytes = strcspn(line, "\n");
    next(&r);
    b->width = read_sum(&r);
    /* Others are not tiled. */
    b->width.low = 1;
    b->width.high = DL_FLAT_WIDTH_MAX;
    return !r.failed && r.token.kind == DL__END;
}

/* ---- buffers ---- */

static const char *make_buffer(struct dl__prover *p, const struct dl__function *f,
                               const char *rewritten, const struct dl_kernel_note *k,
                               struct dl__proved_buffer *b)
{
    const struct dl__parameter *q;
    dl__number name;

    if (b->note->arg_index >= f->parameter_count)
        return "the tables name an argument that the kernel has not";
    if (b->note->arrays)
        return "accesses to discrete arrays are not followed yet";
    q = &f->parameters[b->note->arg_index];
    if (strcmp(q->name, b->note->name) || q->type->kind != DL__T_POINTER)
        return "the tables name another argument";
    b->element = q->type->element;
    b->unit_bytes = b->element->bytes;
    name = dl__draw_text("buffer", q->name, strlen(q->name));
    b->number = name;
    b->head = dl__integer_opaque(dl__draw("head", name, 0, 0), p->index_bits, false);
    b->tail = dl__integer_opaque(dl__draw("tail", name, 0, 0), p->index_bits, false);
    /* No more rows than the index counts, together. */
    b->head.high = b->tail.high = b->head.high / 2;
    b->structs = dl__number_add(b->head.exact, b->tail.exact);
    b->is_flat = b->note->width || b->unit_bytes != b->note->leaves.struct_bytes ||
                 b->element->kind != DL__T_STRUCT;
    if (!b->unit_bytes || b->note->leaves.struct_bytes % b->unit_bytes)
        return "the tables name rows of another size";
    for (size_t i = 0; b->is_flat && i < b->note->leaves.leaf_count; i++)
        if (b->note->leaves.leaves[i].width_bytes != b->unit_bytes)
            return "the tables name elements of another size";
    if (!b->is_flat || !b->note->width)
        b->width =
            dl__integer_constant(b->note->leaves.struct_bytes / b->unit_bytes, 64, true);
    else if (!read_width(p, f, rewritten, k, b))
        return "the width of its rows is not understood";
    b->row =
        dl__integer_combine('*', b->width, dl__integer_constant(b->unit_bytes, 64, true));
    return NULL;
}

/* What tiles need comes behind the kernel's own arguments, in the tables' order. */
static bool has_hidden(const struct dl__function *f, const struct dl__function *g,
                       const struct dl_kernel_note *k, bool is_tiled)
{
    size_t at = f->parameter_count;

    for (size_t i = 0; i < k->buffer_count && is_tiled; i++) {
        if (k->buffers[i].native != DL_LAYOUT_AOS)
            continue;
        if (at + 2 > g->parameter_count ||
            strncmp(g->parameters[at].name, "dl_head_", 8) ||
            strcmp(g->parameters[at].name + 8, k->buffers[i].name) ||
            strncmp(g->parameters[at + 1].name, "dl_tail_", 8) ||
            strcmp(g->parameters[at + 1].name + 8, k->buffers[i].name))
            return false;
        at += 2;
    }
    return at == g->parameter_count;
}

static bool has_own(const struct dl__function *f, const struct dl__function *g)
{
    for (size_t i = 0; i < f->parameter_count; i++)
        if (i >= g->parameter_count ||
            strcmp(f->parameters[i].name, g->parameters[i].name))
            return false;
    return true;
}

static dl__number tokens(const struct dl__ast *ast, size_t begin, size_t end)
{
    struct dl__lexer lexer = {.text = ast->text, .bytes = end, .offset = begin};
    struct dl__token t;
    dl__number out = 1;

    while ((t = dl__lex_next(&lexer)).kind != DL__END)
        if (t.kind != DL__NEWLINE)
            out = dl__draw("then", out, dl__draw_text("", t.text, t.bytes), 0);
    return out;
}

static bool has_same_head(const struct dl__prover *p, const struct dl__function *f,
                          const struct dl__function *g)
{
    const struct dl__ast *a = &p->old_text.w->ast, *b = &p->new_text.w->ast;

    return tokens(a, f->item_at, f->open_at) == tokens(b, g->item_at, g->open_at) &&
           tokens(a, f->close_at, f->body_at) == tokens(b, g->close_at, g->body_at);
}

/* The buffers of a kernel, by its parameters. NULL: *reason says why not. */
static struct dl__pair *kernel_pair(struct dl__prover *p, const struct dl_kernel_note *k,
                                    const char *rewritten, const char **reason)
{
    struct dl__function *f = dl__ast_kernel_named(&p->old_text.w->ast, k->name);
    struct dl__function *g = dl__ast_kernel_named(&p->new_text.w->ast, k->name);
    struct dl__pair *pair = DL__NEW(p->arena, struct dl__pair);
    struct dl__offsets *allowed, begin = {0};

    *reason = !f || !g ? "one of the texts lacks the kernel"
              : k->arg_count != f->parameter_count || !has_own(f, g)
                  ? "the kernel has other parameters"
              : !has_same_head(p, f, g)           ? "the kernel has other attributes"
              : !has_hidden(f, g, k, p->is_tiled) ? "the kernel lacks what tiles need"
                                                  : NULL;
    if (*reason)
        return NULL;
    DL__PUSH(p->arena, &begin, 0);
    pair->old_function = f;
    pair->new_function = g;
    pair->buffers =
        dl__arena_alloc(p->arena, (f->parameter_count + 1) * sizeof *pair->buffers);
    allowed = dl__arena_alloc(p->arena, (f->parameter_count + 1) * sizeof *allowed);
    for (size_t i = 0; i < k->buffer_count && !*reason; i++) {
        struct dl__proved_buffer *b = DL__NEW(p->arena, struct dl__proved_buffer);

        if (k->buffers[i].native != DL_LAYOUT_AOS)
            continue;
        b->note = &k->buffers[i];
        b->is_tiled = p->is_tiled;
        *reason = make_buffer(p, f, rewritten, k, b);
        if (*reason)
            return NULL;
        pair->buffers[b->note->arg_index] = b;
        DL__PUSH(p->arena, &p->buffers, b);
        allowed[b->note->arg_index] = begin;
    }
    pair->allowed = allowed;
    pair->fixed =
        dl__arena_alloc(p->arena, (f->parameter_count + 1) * sizeof *pair->fixed);
    pair->splits =
        dl__arena_alloc(p->arena, (f->parameter_count + 1) * sizeof *pair->splits);
    return pair;
}

/* dl_annotate_prove: every access of a rewritten text is shown to be the program's.
 *
 * A translation validator: it knows the two texts and the tables, and nothing of how the
 * one was made from the other. It walks through both side by side: for tiles with 32-bit
 * and 64-bit indices, and for the program's own layout. What it takes for granted:
 * libclang and its tree, the formula in the prelude, whose text it compares and
 * tests/layout tests, C's rules for overflow and array bounds, and that what a kernel
 * reaches lies in its buffers. */

/* The verdict on a kernel. */
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
    pair = kernel_pair(p, k, q->rewritten, &out->fault);
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
        fault = items_fault(p, q->notes, &at);
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
    dl__say_at(q->old_text, DL_WARNING, at, "kernel '%s': not shown: %s", kernel, reason);
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
