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

static bool is_zero(struct dl__integer a)
{
    int64_t value;

    return dl__integer_is_constant(a, &value) && !value;
}

/* What a pointer into a buffer may become, an index or an offset, as it is compared. */
static struct dl__integer position(struct dl__prover *p, struct dl__integer at,
                                   bool is_signed)
{
    struct dl__integer out = at;
    int64_t value;

    if (!dl__integer_is_constant(out, &value)) {
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

static struct dl__integer subtract(struct dl__prover *p, struct dl__integer from,
                                   struct dl__integer to)
{
    from = dl__integer_combine('-', position(p, from, false), position(p, to, false));
    from.low = -((dl__bound)1 << 70);
    from = dl__integer_convert(from, p->index_bits, true, p->index_bits);
    from.bits = 64;
    return from;
}

/* True where two parts, or pointers to them, are the same. */
static struct dl__known same_part(struct dl__prover *p, const struct dl__integer a[2],
                                  const struct dl__integer b[2])
{
    dl__number i = dl__number_subtract(a[0].ring, b[0].ring);
    dl__number o = dl__number_subtract(a[1].ring, b[1].ring);
    struct dl__integer out = dl__integer_opaque(
        dl__draw("same part", dl__number_multiply(i, i), dl__number_multiply(o, o), 0),
        32, true);

    if (is_zero(a[1]) && is_zero(b[1]))
        return compare(p, "==", position(p, a[0], false), position(p, b[0], false));
    out.low = 0;
    out.high = 1;
    return dl__know_integer(out);
}

struct dl__known dl__compare_parts(struct dl__prover *p, const struct dl__known *a,
                                   const struct dl__known *b)
{
    const struct dl__integer x[2] = {a->integer, a->inner}, y[2] = {b->integer, b->inner};

    return same_part(p, x, y);
}

struct dl__known dl__parts_apart(struct dl__prover *p, const struct dl__known *a,
                                 const struct dl__known *b)
{
    return dl__know_integer(subtract(p, a->inner, b->inner));
}

/* Pointers to members: of one struct where they are not compared for being the same. */
static struct dl__known members(struct dl__prover *p, const char *op, struct dl__known *a,
                                struct dl__known *b, const struct dl__type *pointee,
                                const struct dl__type *type)
{
    const struct dl__integer x[2] = {a->steps, a->inner}, y[2] = {b->steps, b->inner};

    if (!strcmp(op, "=="))
        return same_part(p, x, y);
    if (!strcmp(op, "!="))
        return dl__negated(p, same_part(p, x, y), type);
    if (strcmp(op, "-"))
        return compare(p, op, subtract(p, a->inner, b->inner),
                       dl__integer_constant(0, 64, true));
    return dl__divide(p, subtract(p, a->inner, b->inner),
                      dl__integer_constant(pointee->bytes, 32, true), false);
}

static struct dl__known pointers(struct dl__prover *p, const char *op,
                                 struct dl__known *a, struct dl__known *b)
{
    bool equality = op[0] == '=' || op[0] == '!';

    if (!strcmp(op, "-"))
        return dl__know_integer(subtract(p, a->steps, b->steps));
    return compare(p, op, position(p, a->steps, !equality),
                   position(p, b->steps, !equality));
}

/* By where they are: the rewritten text has dl_far_place. */
static struct dl__known places(struct dl__prover *p, const char *op,
                               const struct dl__known *a, const struct dl__known *b)
{
    uint32_t bytes = dl__step_bytes(a->buffer);
    struct dl__integer x = dl__place_number(a->buffer, a->steps, bytes),
                       y = dl__place_number(b->buffer, b->steps, bytes);

    if (strcmp(op, "-"))
        return compare(p, op, x, y);
    x = dl__integer_convert(dl__integer_combine('-', x, y), 64, true, p->index_bits);
    return dl__divide(p, x, dl__integer_constant(bytes, 64, true), false);
}

static struct dl__known tracked(struct dl__prover *p, struct dl__side_text *t,
                                struct dl__node *n, const char *op, struct dl__known *a,
                                struct dl__known *b, const struct dl__type *type)
{
    if (a->is_base || b->is_base ||
        (a->buffer != b->buffer && !dl__is_like(a->buffer, b->buffer)))
        dl__lose(p, n, "pointers into two buffers are compared");
    if (is_zero(a->inner) && is_zero(b->inner) &&
        (a->buffer != b->buffer || dl__is_either(p, a->buffer)))
        return places(p, op, a, b);
    return is_zero(a->inner) && is_zero(b->inner)
               ? pointers(p, op, a, b)
               : members(p, op, a, b, dl__known_type(t, n->children[0])->element, type);
}

/* `p == 0` */
static struct dl__known with_null(struct dl__prover *p, struct dl__node *n,
                                  const char *op, struct dl__known *v,
                                  const struct dl__type *type)
{
    struct dl__known out = dl__truth(p, *v);

    if (strcmp(op, "==") && strcmp(op, "!="))
        dl__lose(p, n, "a pointer is compared with null");
    return *op == '!' ? out : dl__negated(p, out, type);
}

static bool is_comparison(const char *op)
{
    return !strcmp(op, "<") || !strcmp(op, ">") || !strcmp(op, "<=") ||
           !strcmp(op, ">=") || !strcmp(op, "==") || !strcmp(op, "!=");
}

static bool is_none(const struct dl__known *v)
{
    return dl__known_is_null(v) || (v->kind == DL__K_INTEGER && is_zero(v->integer));
}

/* A constant moved by bits. */
static bool shift(const struct dl__integer *a, const struct dl__integer *by,
                  struct dl__known *out)
{
    dl__bound low, high, value;
    int64_t bits;

    if (a->low != a->high || !dl__integer_is_constant(*by, &bits) || bits < 0 ||
        bits >= a->bits || a->low < 0)
        return false;
    dl__integer_limits(a->bits, false, &low, &high);
    value = (a->low << bits) & high;
    dl__integer_limits(a->bits, a->is_signed, &low, &high);
    if (value > high)
        value -= (dl__bound)1 << a->bits;
    *out = dl__know_integer(dl__integer_constant(value, a->bits, a->is_signed));
    return true;
}

struct dl__known dl__combine(struct dl__prover *p, struct dl__side_text *t,
                             struct dl__node *n, const char *op, struct dl__known a,
                             struct dl__known b, const struct dl__type *type)
{
    struct dl__known out;

    if (is_tracked(&a) && is_tracked(&b))
        return tracked(p, t, n, op, &a, &b, type);
    if (is_tracked(&a) && is_none(&b) && is_comparison(op))
        return with_null(p, n, op, &a, type);
    if (is_tracked(&b) && is_none(&a) && is_comparison(op))
        return with_null(p, n, op, &b, type);
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
        if (!strcmp(op, "<<") && shift(&a.integer, &b.integer, &out))
            return out;
        if (!op[1] && strchr("/%", op[0]))
            return dl__divide(p, a.integer, b.integer, op[0] == '%');
    }
    (void)t;
    return dl__know_typed(
        dl__draw(op, dl__key(p, &a), dl__key(p, &b), dl__type_number(type)), type);
}
