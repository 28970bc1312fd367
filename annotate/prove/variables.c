/* SPDX-License-Identifier: MIT */
/* Variables of both texts, their tokens, and conversions. */
#include "annotate/prove/prove.h"

#include <string.h>

#include "annotate/text/lex.h"

/* ---- variables ---- */

/* No work-item lives long enough to count further by small steps. */
#define CLIMB_MAX ((dl__bound)1 << 50)

struct dl__variable_known *dl__find_known(struct dl__side_text *t, size_t declared_at)
{
    for (size_t i = t->variables.count; i > 0 && declared_at != SIZE_MAX; i--)
        if (t->variables.items[i - 1]->at == declared_at)
            return t->variables.items[i - 1];
    return NULL;
}

struct dl__variable_known *dl__declare_known(struct dl__prover *p,
                                             struct dl__side_text *t, const char *name,
                                             size_t at, const struct dl__type *type)
{
    struct dl__variable_known *v = DL__NEW(p->arena, struct dl__variable_known);

    v->name = name;
    v->at = at;
    v->type = type;
    v->number = dl__draw_text(t->is_new ? "new" : "variable", name, strlen(name)) ^
                dl__draw("declared", at, 0, 0);
    if (t->is_new)
        for (size_t i = p->old_text.variables.count; i > 0; i--) {
            const struct dl__variable_known *twin = p->old_text.variables.items[i - 1];

            if (strcmp(twin->name, name))
                continue;
            v->number = twin->number;
            v->is_changed = twin->is_changed;
            v->is_fixed = twin->is_fixed;
            v->fixed = twin->fixed;
            v->climbs = twin->climbs;
            v->is_counted = twin->is_counted;
            v->low = twin->low;
            v->high = twin->high;
            break;
        }
    DL__PUSH(p->arena, &t->variables, v);
    return v;
}

void dl__set_variable(struct dl__prover *p, struct dl__side_text *t,
                      struct dl__variable_known *v, struct dl__known value,
                      const struct dl__node *n)
{
    if (v->relation == DL__R_COMMON) {
        dl__add_effect(p, t, NULL, dl__draw("set", v->number, dl__key(p, &value), 0));
        v->version++;
        return;
    }
    if (v->is_kept || (p->in_branch && !p->in_accessor))
        dl__lose(p, n, "what a pointer became is changed where it can't be followed");
    if (v->buffer && value.kind == DL__K_PLACE && !dl__known_is_null(&value) &&
        value.buffer != v->buffer &&
        (v->relation != DL__R_FAR || !value.buffer ||
         !dl__is_like(value.buffer, v->buffer)))
        dl__lose(p, n, "a pointer into one buffer is set to another's");
    v->value = value;
    v->is_set = true;
}

struct dl__known dl__read_variable(struct dl__prover *p, struct dl__variable_known *v)
{
    struct dl__known out;

    if (v->relation != DL__R_COMMON) {
        out = v->value;
        if (out.kind == DL__K_INTEGER && p->in_accessor)
            out.integer = dl__refine(p, out.integer);
        return out;
    }
    if (v->is_fixed)
        return dl__know_integer(v->fixed);
    out = dl__know_typed(v->version || (v->is_changed && p->has_begun)
                             ? dl__draw("version", v->number, v->version, p->has_begun)
                             : v->number,
                         v->type);
    if (v->climbs)
        out.integer.high = CLIMB_MAX;
    if (v->is_counted && !v->version) {
        out.integer.low = v->low;
        out.integer.high = v->high;
    }
    return out;
}

/* ---- tokens ---- */

dl__number dl__own_tokens(struct dl__prover *p, struct dl__side_text *t,
                          const struct dl__node *n)
{
    const struct dl__ast *ast = &t->w->ast;
    struct dl__lexer lexer = {.text = ast->text, .bytes = n->end, .offset = n->begin};
    dl__number out = 1;
    struct dl__token token;

    (void)p;
    for (;;) {
        bool inside = false;

        lexer.offset = dl__text_skip(ast->text, n->end, lexer.offset);
        for (size_t i = 0; i < n->child_count && !inside; i++)
            if (lexer.offset >= n->children[i]->begin &&
                lexer.offset < n->children[i]->end) {
                lexer.offset = n->children[i]->end;
                inside = true;
                out = dl__draw("a child", out, 0, 0);
            }
        if (inside)
            continue;
        token = dl__lex_next(&lexer);
        if (token.kind == DL__END || token.offset >= n->end)
            return out;
        if (token.kind != DL__NEWLINE)
            out = dl__draw_text("token", token.text, token.bytes) ^
                  dl__draw("then", out, 0, 0);
    }
}

/* True when all of it is its child's text. */
bool dl__is_wrapper(struct dl__prover *p, struct dl__side_text *t,
                    const struct dl__node *n)
{
    return n->kind == DL__N_IMPLICIT && n->child_count == 1 &&
           dl__own_tokens(p, t, n) == dl__draw("a child", 1, 0, 0);
}

/* ---- conversions ---- */

struct dl__known dl__convert_known(struct dl__prover *p, struct dl__known v,
                                   const struct dl__type *type)
{
    bool is_integer = type->kind == DL__T_SCALAR && type->scalar != 'f' && type->bytes;

    if (v.kind == DL__K_INTEGER && is_integer && type->scalar != 'b') {
        v.integer =
            dl__integer_convert(v.integer.may_wrap && (type->scalar == 'i' ||
                                                       type->bytes * 8 > v.integer.bits)
                                    ? dl__seal(p, v.integer)
                                    : v.integer,
                                type->bytes * 8, type->scalar == 'i', p->index_bits);
        return v;
    }
    if (type->kind == DL__T_POINTER && v.kind == DL__K_PLACE)
        return v;
    if (type->kind == DL__T_POINTER && v.kind == DL__K_INTEGER && v.integer.low == 0 &&
        v.integer.high == 0)
        return dl__know_null();
    if (type->kind == DL__T_STRUCT || type->kind == DL__T_OTHER ||
        (v.kind != DL__K_INTEGER && v.kind != DL__K_OPAQUE))
        return v;
    return dl__know_typed(dl__draw("convert", dl__key(p, &v), dl__type_number(type), 0),
                          type);
}
