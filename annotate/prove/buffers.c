/* SPDX-License-Identifier: MIT */
/* The buffers of a kernel as the tables have them, which is how they are converted. */
#include <stdlib.h>
#include <string.h>

#include "annotate/prove/prove.h"
#include "annotate/text/lex.h"
#include "annotate/text/number.h"

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

/* The tokens of [begin, end). */
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

/* What stands around the parameters: attributes. */
static bool has_same_head(const struct dl__prover *p, const struct dl__function *f,
                          const struct dl__function *g)
{
    const struct dl__ast *a = &p->old_text.w->ast, *b = &p->new_text.w->ast;

    return tokens(a, f->item_at, f->open_at) == tokens(b, g->item_at, g->open_at) &&
           tokens(a, f->close_at, f->body_at) == tokens(b, g->close_at, g->body_at);
}

struct dl__pair *dl__kernel_pair(struct dl__prover *p, const struct dl_kernel_note *k,
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
