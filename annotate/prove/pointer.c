/* SPDX-License-Identifier: MIT */
/* Pointers that are null, or into one of several buffers.
 *
 * One of several buffers is a buffer of its own, told from others by a number that is
 * drawn from what it hangs on. All that it can be are alike: what is shown of it holds
 * for each of them. */
#include "annotate/prove/prove.h"

#include <string.h>

static dl__number null_number(void)
{
    return dl__draw("null", 0, 0, 0);
}

struct dl__known dl__know_null(void)
{
    return (struct dl__known){
        .kind = DL__K_PLACE, .number = null_number(), .inner = dl__zero()};
}

static bool is_zero(struct dl__integer a)
{
    int64_t value;

    return dl__integer_is_constant(a, &value) && !value;
}

bool dl__known_is_null(const struct dl__known *v)
{
    return v->kind == DL__K_PLACE && !v->buffer && v->number == null_number() &&
           is_zero(v->inner);
}

/* DL_NULL: no buffer has so many structs. */
static dl__bound null_index(const struct dl__prover *p)
{
    return (dl__bound)1 << (p->index_bits - 1);
}

bool dl__is_index_null(const struct dl__prover *p, const struct dl__known *v)
{
    return v->kind == DL__K_INTEGER && v->integer.low == v->integer.high &&
           v->integer.low == null_index(p);
}

static bool is_tracked(const struct dl__known *v)
{
    return v->kind == DL__K_PLACE && v->buffer && !v->spot_count;
}

/* Structs of one type, or elements of one type in rows as wide. */
static bool are_of_a_type(const struct dl__proved_buffer *a,
                          const struct dl__proved_buffer *b)
{
    if (a->is_flat)
        return !a->note->width && !b->note->width && a->unit_bytes == b->unit_bytes &&
               a->element->name && b->element->name &&
               !strcmp(a->element->name, b->element->name);
    return a->element->kind == DL__T_STRUCT && b->element->kind == DL__T_STRUCT &&
           a->element->identity == b->element->identity;
}

bool dl__is_like(const struct dl__proved_buffer *a, const struct dl__proved_buffer *b)
{
    const struct dl_leaf_table *x = &a->note->leaves, *y = &b->note->leaves;

    if (a->is_flat != b->is_flat || !are_of_a_type(a, b) ||
        x->struct_bytes != y->struct_bytes || x->leaf_count != y->leaf_count)
        return false;
    for (size_t i = 0; i < x->leaf_count; i++)
        if (x->leaves[i].offset_bytes != y->leaves[i].offset_bytes ||
            x->leaves[i].width_bytes != y->leaves[i].width_bytes)
            return false;
    return true;
}

const struct dl__proved_buffer *dl__either_buffer(struct dl__prover *p, dl__number number,
                                                  const struct dl__proved_buffer *like)
{
    struct dl__proved_buffer *b;

    number = dl__draw("like", number, like->number, 0);
    for (size_t i = 0; i < p->either.count; i++)
        if (p->either.items[i]->number == number)
            return p->either.items[i];
    b = DL__NEW(p->arena, struct dl__proved_buffer);
    *b = *like;
    b->number = number;
    b->head = dl__integer_opaque(dl__draw("head", number, 0, 0), p->index_bits, false);
    b->tail = dl__integer_opaque(dl__draw("tail", number, 0, 0), p->index_bits, false);
    b->head.high = b->tail.high = b->head.high / 2;
    b->structs = dl__number_add(b->head.exact, b->tail.exact);
    DL__PUSH(p->arena, &p->either, b);
    return b;
}

bool dl__is_either(const struct dl__prover *p, const struct dl__proved_buffer *b)
{
    for (size_t i = 0; i < p->either.count; i++)
        if (p->either.items[i] == b)
            return true;
    return false;
}

uint32_t dl__step_bytes(const struct dl__proved_buffer *b)
{
    return b->is_flat ? b->unit_bytes : b->note->leaves.struct_bytes;
}

struct dl__integer dl__place_number(const struct dl__proved_buffer *b,
                                    struct dl__integer index, uint32_t bytes)
{
    return dl__integer_opaque(
        dl__draw("place", b->number, index.ring, dl__number_of(bytes)), 64, false);
}

/* ---- conditions ---- */

struct dl__known dl__truth(struct dl__prover *p, struct dl__known v)
{
    struct dl__integer out;

    (void)p;
    if (dl__known_is_null(&v))
        return dl__know_integer(dl__integer_constant(0, 32, true));
    if (!is_tracked(&v))
        return v;
    out = dl__integer_opaque(dl__draw("there is", v.buffer->number,
                                      v.is_base ? v.integer.ring : v.steps.ring, 0),
                             32, true);
    out.low = 0;
    out.high = 1;
    return dl__know_integer(out);
}

struct dl__known dl__negated(struct dl__prover *p, struct dl__known v,
                             const struct dl__type *type)
{
    return dl__know_typed(dl__draw("!", dl__key(p, &v), dl__type_number(type), 1), type);
}

static struct dl__node *bare(struct dl__node *n)
{
    while (n->child_count == 1 && (n->kind == DL__N_PAREN || n->kind == DL__N_IMPLICIT))
        n = n->children[0];
    return n;
}

bool dl__prove_null_check(struct dl__prover *p, struct dl__side_text *t,
                          struct dl__node *n, struct dl__known *out)
{
    bool is_there = !strcmp(n->op, "&&");
    struct dl__node *left = bare(n->children[0]), *right = bare(n->children[1]);
    struct dl__known base, null;
    size_t next = p->next_effect;

    if (!t->is_new || right->kind != DL__N_BINARY ||
        strcmp(right->op, is_there ? "!=" : "==") ||
        (!is_there && (left->kind != DL__N_UNARY || strcmp(left->op, "!"))))
        return false;
    left = is_there ? left : bare(left->children[0]);
    if (left->kind != DL__N_NAME || bare(right->children[1])->kind != DL__N_BINARY)
        return false;
    null = dl__prove_value(p, t, right->children[1]);
    base = dl__prove_value(p, t, left);
    if (!dl__is_index_null(p, &null) || !is_tracked(&base) || !is_zero(base.steps) ||
        !is_zero(base.inner))
        return false;
    *out = dl__prove_value(p, t, right->children[0]);
    if (out->kind != DL__K_INTEGER || p->next_effect != next)
        dl__lose(p, n, "whether a pointer is null is asked of something else");
    base.steps = out->integer;
    *out = dl__truth(p, base);
    if (!is_there)
        *out = dl__negated(p, *out, dl__known_type(t, n));
    return true;
}

/* ---- chosen by a condition ---- */

static dl__number ring_of(const struct dl__prover *p, const struct dl__known *v)
{
    if (dl__known_is_null(v) || (v->kind == DL__K_FAR && !v->buffer))
        return dl__number_of(null_index(p));
    return v->kind == DL__K_FAR ? v->integer.ring : v->steps.ring;
}

static const struct dl__proved_buffer *choose_buffer(struct dl__prover *p, dl__number key,
                                                     const struct dl__known *a,
                                                     const struct dl__known *b)
{
    if (!a->buffer || !b->buffer || a->buffer == b->buffer)
        return a->buffer ? a->buffer : b->buffer;
    if (!dl__is_like(a->buffer, b->buffer))
        dl__lose(p, NULL, "a pointer is chosen from buffers that are not alike");
    return dl__either_buffer(
        p, dl__draw("either", key, a->buffer->number, b->buffer->number), a->buffer);
}

bool dl__choose_pointer(struct dl__prover *p, dl__number key, const struct dl__known *a,
                        const struct dl__known *b, struct dl__known *out)
{
    bool is_far = a->kind == DL__K_FAR && b->kind == DL__K_FAR;
    dl__number chosen;

    if (!is_far && !((is_tracked(a) || dl__known_is_null(a)) &&
                     (is_tracked(b) || dl__known_is_null(b))))
        return false;
    if (!a->buffer && !b->buffer) {
        *out = *a;
        return true;
    }
    chosen = dl__draw("?:", key, ring_of(p, a), ring_of(p, b));
    *out = a->buffer ? *a : *b;
    out->is_base = false;
    out->buffer = choose_buffer(p, key, a, b);
    if (is_far) {
        out->integer = dl__integer_opaque(chosen, p->index_bits, false);
        return true;
    }
    out->steps = dl__integer_opaque(chosen, 64, true);
    if (a->inner.exact != b->inner.exact)
        out->inner = dl__integer_opaque(
            dl__draw("?:", key, a->inner.exact, b->inner.exact), 64, true);
    if (a->buffer && b->buffer)
        for (size_t i = 0; i < b->offsets.count; i++)
            DL__PUSH(p->arena, &out->offsets, b->offsets.items[i]);
    return true;
}
