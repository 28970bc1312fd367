/* SPDX-License-Identifier: MIT */
/* What operators make of what is known. */
#include "annotate/prove/prove.h"

#include <string.h>

static bool is_tracked(const struct dl__known *v)
{
    return v->kind == DL__K_PLACE && v->buffer;
}

/* A comparison of two integers; `op` is one of C's. */
static struct dl__known compare(struct dl__prover *p, const char *op,
                                struct dl__integer a, struct dl__integer b)
{
    struct dl__integer out;
    dl__number difference;

    if (op[0] == '=' || op[0] == '!') {
        bool in_ring = a.bits == p->index_bits && !a.is_signed;

        if (!in_ring) {
            a = dl__seal(p, a);
            b = dl__seal(p, b);
        }
        difference = in_ring ? dl__number_subtract(a.ring, b.ring)
                             : dl__number_subtract(a.exact, b.exact);
        out = dl__integer_opaque(
            dl__draw(op, dl__number_multiply(difference, difference), 0, 0), 32, true);
    } else {
        a = dl__seal(p, a);
        b = dl__seal(p, b);
        out = dl__integer_opaque(dl__draw(op, a.exact, b.exact, 0), 32, true);
    }
    out.low = 0;
    out.high = 1;
    return dl__know_integer(out);
}

/* Two pointers into a buffer, as the indices that they may become. */
static struct dl__integer position(struct dl__prover *p, const struct dl__known *v,
                                   bool is_signed)
{
    int64_t inner;
    struct dl__integer out = v->steps;

    if (!dl__integer_is_constant(v->inner, &inner) || inner)
        dl__lose(p, NULL, "pointers to members are compared");
    if (!p->is_tiled)
        return out; /* dl_index is a long */
    if (!dl__integer_is_constant(out, &inner)) {
        out = dl__integer_convert(out, p->index_bits, false, p->index_bits);
        out.may_wrap = true;
        out.low = -((dl__bound)1 << 70); /* it is taken as an index in any case */
    } else {
        out.bits = p->index_bits;
        out.is_signed = false;
    }
    return is_signed
               ? dl__integer_convert(dl__seal(p, out), p->index_bits, true, p->index_bits)
               : out;
}

static struct dl__known pointers(struct dl__prover *p, const char *op,
                                 struct dl__known *a, struct dl__known *b)
{
    bool equality = op[0] == '=' || op[0] == '!';

    if (a->buffer != b->buffer)
        dl__lose(p, NULL, "pointers into two buffers are compared");
    if (!strcmp(op, "-")) {
        struct dl__integer from = position(p, a, false), to = position(p, b, false);

        if (!p->is_tiled)
            return dl__know_integer(dl__integer_combine('-', from, to));
        from = dl__integer_combine('-', from, to);
        from.low = -((dl__bound)1 << 70);
        from = dl__integer_convert(from, p->index_bits, true, p->index_bits);
        from.bits = 64;
        return dl__know_integer(from);
    }
    return compare(p, op, position(p, a, !equality), position(p, b, !equality));
}

static bool is_comparison(const char *op)
{
    return !strcmp(op, "<") || !strcmp(op, ">") || !strcmp(op, "<=") ||
           !strcmp(op, ">=") || !strcmp(op, "==") || !strcmp(op, "!=");
}

struct dl__known dl__combine(struct dl__prover *p, struct dl__side_text *t,
                             struct dl__node *n, const char *op, struct dl__known a,
                             struct dl__known b, const struct dl__type *type)
{
    if (is_tracked(&a) && is_tracked(&b))
        return pointers(p, op, &a, &b);
    if (b.kind == DL__K_PLACE && a.kind != DL__K_PLACE && op[0] == '+') {
        struct dl__known swap = a;

        a = b;
        b = swap;
    }
    if (a.kind == DL__K_PLACE && b.kind == DL__K_TILED && op[0] == '+') {
        int64_t zero;

        if (!a.buffer || a.spot_count || !dl__integer_is_constant(a.steps, &zero) || zero)
            dl__lose(p, n, "the formula is applied to something else than a buffer");
        if (b.spots->head != a.buffer->head.exact ||
            b.spots->tail != a.buffer->tail.exact)
            dl__lose(p, n, "the formula is given another buffer's tiles");
        b.buffer = a.buffer;
        b.kind = DL__K_PLACE;
        return b;
    }
    if (a.kind == DL__K_PLACE && b.kind == DL__K_INTEGER && type->kind == DL__T_POINTER &&
        type->element->bytes && (op[0] == '+' || op[0] == '-')) {
        if (op[0] == '-')
            b.integer = dl__integer_combine('-', dl__integer_constant(0, 64, true),
                                            dl__seal(p, b.integer));
        b.integer.may_wrap = b.integer.may_wrap && op[0] == '+';
        return dl__place_moved(p, a, b.integer, type->element);
    }
    if (a.kind == DL__K_INTEGER && b.kind == DL__K_INTEGER) {
        if (is_comparison(op))
            return compare(p, op, a.integer, b.integer);
        if (!op[1] && strchr("+-*", op[0]) && type->kind == DL__T_SCALAR) {
            a = dl__convert_known(p, a, type);
            b = dl__convert_known(p, b, type);
            return dl__know_integer(dl__integer_combine(op[0], a.integer, b.integer));
        }
        if (!op[1] && strchr("/%", op[0]))
            return dl__divide(p, a.integer, b.integer, op[0] == '%');
    }
    (void)t;
    return dl__know_typed(
        dl__draw(op, dl__key(p, &a), dl__key(p, &b), dl__type_number(type)), type);
}
