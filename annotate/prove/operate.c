/* SPDX-License-Identifier: MIT */
/* Pointers, variables, operators, the functions of the prelude, and what pointers become.
 */
#include "annotate/prove/prove.h"

#include <string.h>

#include "annotate/text/lex.h"

static dl__number null_number(void)
{
    return dl__draw("null", 0, 0, 0);
}

struct dl__known dl__know_null(void)
{
    return (struct dl__known){
        .kind = DL__K_PLACE, .number = null_number(), .inner = dl__zero()};
}

bool dl__is_zero(struct dl__integer a)
{
    int64_t value;

    return dl__integer_is_constant(a, &value) && !value;
}

static bool known_is_null(const struct dl__known *v)
{
    return v->kind == DL__K_PLACE && !v->buffer && v->number == null_number() &&
           dl__is_zero(v->inner);
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

bool dl__is_tracked(const struct dl__known *v)
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

/* True when what is known of one holds for the other. */
static bool is_like(const struct dl__proved_buffer *a, const struct dl__proved_buffer *b)
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

static const struct dl__proved_buffer *either_buffer(struct dl__prover *p,
                                                     dl__number number,
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

/* A buffer that is told from others by a number, and is like one of the kernel's. */
static bool is_either(const struct dl__prover *p, const struct dl__proved_buffer *b)
{
    for (size_t i = 0; i < p->either.count; i++)
        if (p->either.items[i] == b)
            return true;
    return false;
}

/* Bytes that a pointer into it steps over: a struct's, or an element's of rows. */
static uint32_t step_bytes(const struct dl__proved_buffer *b)
{
    return b->is_flat ? b->unit_bytes : b->note->leaves.struct_bytes;
}

/* Where a struct or an element of that index is, of those of so many bytes. */
static struct dl__integer place_number(const struct dl__proved_buffer *b,
                                       struct dl__integer index, uint32_t bytes)
{
    return dl__integer_opaque(
        dl__draw("place", b->number, index.ring, dl__number_of(bytes)), 64, false);
}

/* ---- conditions ---- */

struct dl__known dl__truth(struct dl__known v)
{
    struct dl__integer out;

    if (known_is_null(&v))
        return dl__know_integer(dl__integer_constant(0, 32, true));
    if (!dl__is_tracked(&v))
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

/* ---- chosen by a condition ---- */

static dl__number ring_of(const struct dl__prover *p, const struct dl__known *v)
{
    if (known_is_null(v) || (v->kind == DL__K_FAR && !v->buffer))
        return dl__number_of(null_index(p));
    return v->kind == DL__K_FAR ? v->integer.ring : v->steps.ring;
}

static const struct dl__proved_buffer *choose_buffer(struct dl__prover *p, dl__number key,
                                                     const struct dl__known *a,
                                                     const struct dl__known *b)
{
    if (!a->buffer || !b->buffer || a->buffer == b->buffer)
        return a->buffer ? a->buffer : b->buffer;
    if (!is_like(a->buffer, b->buffer))
        dl__lose(p, "a pointer is chosen from buffers that are not alike");
    return either_buffer(p, dl__draw("either", key, a->buffer->number, b->buffer->number),
                         a->buffer);
}

bool dl__choose_pointer(struct dl__prover *p, dl__number key, const struct dl__known *a,
                        const struct dl__known *b, struct dl__known *out)
{
    bool is_far = a->kind == DL__K_FAR && b->kind == DL__K_FAR;
    dl__number chosen;

    if (!is_far && !((dl__is_tracked(a) || known_is_null(a)) &&
                     (dl__is_tracked(b) || known_is_null(b))))
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
                      struct dl__variable_known *v, struct dl__known value)
{
    if (v->relation == DL__R_COMMON) {
        dl__add_effect(p, t, NULL, dl__draw("set", v->number, dl__key(p, &value), 0));
        v->version++;
        return;
    }
    if (v->is_kept || (p->in_branch && !p->in_accessor))
        dl__lose(p, "what a pointer became is changed where it can't be followed");
    if (v->buffer && value.kind == DL__K_PLACE && !known_is_null(&value) &&
        value.buffer != v->buffer &&
        (v->relation != DL__R_FAR || !value.buffer || !is_like(value.buffer, v->buffer)))
        dl__lose(p, "a pointer into one buffer is set to another's");
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

dl__number dl__own_tokens(struct dl__side_text *t, const struct dl__node *n)
{
    const struct dl__ast *ast = &t->w->ast;
    struct dl__lexer lexer = {.text = ast->text, .bytes = n->end, .offset = n->begin};
    dl__number out = 1;
    struct dl__token token;

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

bool dl__is_wrapper(struct dl__side_text *t, const struct dl__node *n)
{
    return n->kind == DL__N_IMPLICIT && n->child_count == 1 &&
           dl__own_tokens(t, n) == dl__draw("a child", 1, 0, 0);
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

/* ---- What operators make of what is known. ---- */

static bool points_into(const struct dl__known *v)
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

/* Returns the index or offset that a pointer into a buffer may become, as it is compared.
 */
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

    if (dl__is_zero(a[1]) && dl__is_zero(b[1]))
        return compare(p, "==", position(p, a[0], false), position(p, b[0], false));
    out.low = 0;
    out.high = 1;
    return dl__know_integer(out);
}

/* Whether two dl_part are the same, and how many bytes they are apart. */
static struct dl__known compare_parts(struct dl__prover *p, const struct dl__known *a,
                                      const struct dl__known *b)
{
    const struct dl__integer x[2] = {a->integer, a->inner}, y[2] = {b->integer, b->inner};

    return same_part(p, x, y);
}

static struct dl__known parts_apart(struct dl__prover *p, const struct dl__known *a,
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
    uint32_t bytes = step_bytes(a->buffer);
    struct dl__integer x = place_number(a->buffer, a->steps, bytes),
                       y = place_number(b->buffer, b->steps, bytes);

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
        (a->buffer != b->buffer && !is_like(a->buffer, b->buffer)))
        dl__lose(p, "pointers into two buffers are compared");
    if (dl__is_zero(a->inner) && dl__is_zero(b->inner) &&
        (a->buffer != b->buffer || is_either(p, a->buffer)))
        return places(p, op, a, b);
    return dl__is_zero(a->inner) && dl__is_zero(b->inner)
               ? pointers(p, op, a, b)
               : members(p, op, a, b, dl__known_type(t, n->children[0])->element, type);
}

/* `p == 0` */
static struct dl__known with_null(struct dl__prover *p, const char *op,
                                  struct dl__known *v, const struct dl__type *type)
{
    struct dl__known out = dl__truth(*v);

    if (strcmp(op, "==") && strcmp(op, "!="))
        dl__lose(p, "a pointer is compared with null");
    return *op == '!' ? out : dl__negated(p, out, type);
}

static bool is_comparison(const char *op)
{
    return !strcmp(op, "<") || !strcmp(op, ">") || !strcmp(op, "<=") ||
           !strcmp(op, ">=") || !strcmp(op, "==") || !strcmp(op, "!=");
}

static bool is_none(const struct dl__known *v)
{
    return known_is_null(v) || (v->kind == DL__K_INTEGER && dl__is_zero(v->integer));
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

    if (points_into(&a) && points_into(&b))
        return tracked(p, t, n, op, &a, &b, type);
    if (points_into(&a) && is_none(&b) && is_comparison(op))
        return with_null(p, op, &a, type);
    if (points_into(&b) && is_none(&a) && is_comparison(op))
        return with_null(p, op, &b, type);
    if (b.kind == DL__K_PLACE && a.kind != DL__K_PLACE && op[0] == '+') {
        struct dl__known swap = a;

        a = b;
        b = swap;
    }
    if (a.kind == DL__K_PLACE && b.kind == DL__K_TILED && op[0] == '+') {
        int64_t zero;

        if (!a.buffer || a.spot_count || !dl__integer_is_constant(a.steps, &zero) || zero)
            dl__lose(p, "the formula is applied to something else than a buffer");
        if (b.spots->head != a.buffer->head.exact ||
            b.spots->tail != a.buffer->tail.exact)
            dl__lose(p, "the formula is given another buffer's tiles");
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
    return dl__know_typed(
        dl__draw(op, dl__key(p, &a), dl__key(p, &b), dl__type_number(type)), type);
}

/* ---- Calls of what the prelude defines: its text is the one that is tested. ---- */

bool dl__is_equal(struct dl__prover *p, const struct dl__known *v,
                  struct dl__integer wanted)
{
    return v->kind == DL__K_INTEGER && dl__seal(p, v->integer).ring == wanted.ring;
}

static struct dl__known far_at(struct dl__prover *p, const struct dl__known *a)
{
    struct dl__known out = {.kind = DL__K_FAR};
    int64_t zero;

    if (dl__is_index_null(p, &a[1]))
        return out;
    if (a[0].kind != DL__K_PLACE || !a[0].buffer || a[0].spot_count || a[0].is_base ||
        !dl__integer_is_constant(a[0].steps, &zero) || zero ||
        !dl__integer_is_constant(a[0].inner, &zero) || zero || a[1].kind != DL__K_INTEGER)
        dl__lose(p, "a pointer into one of several buffers is made of something else");
    if (p->is_tiled && (!dl__is_equal(p, &a[2], a[0].buffer->head) ||
                        !dl__is_equal(p, &a[3], a[0].buffer->tail)))
        dl__lose(p, "it is given another buffer's tiles");
    out.buffer = a[0].buffer;
    out.integer = a[1].integer;
    return out;
}

/* A pointer that is not null as a number. */
static struct dl__known far_place(struct dl__prover *p, const struct dl__known *a)
{
    int64_t bytes;

    if (a[0].kind != DL__K_FAR || !a[0].buffer || a[1].kind != DL__K_INTEGER ||
        !dl__integer_is_constant(a[1].integer, &bytes) ||
        bytes != (int64_t)step_bytes(a[0].buffer))
        dl__lose(p, "where a pointer into one of several buffers is, is not understood");
    return dl__know_integer(place_number(a[0].buffer, a[0].integer, (uint32_t)bytes));
}

static bool run_far(struct dl__prover *p, struct dl__node *n, const struct dl__known *a,
                    struct dl__known *out)
{
    bool beyond = !strcmp(n->name, "dl_far_beyond");

    if (!strcmp(n->name, "dl_far_none")) {
        *out = (struct dl__known){.kind = DL__K_FAR};
        return true;
    }
    if (!strcmp(n->name, "dl_far_at")) {
        *out = far_at(p, a);
        return true;
    }
    if (!strcmp(n->name, "dl_far_place")) {
        *out = far_place(p, a);
        return true;
    }
    if (!strcmp(n->name, "dl_far_set")) {
        *out = a[0];
        if (out->kind != DL__K_FAR || !out->buffer || a[1].kind != DL__K_INTEGER)
            dl__lose(p, "a pointer into one of several buffers is not understood");
        out->integer = a[1].integer;
        return true;
    }
    if (!beyond && strcmp(n->name, "dl_far_moved"))
        return false;
    *out = a[beyond];
    if (out->kind != DL__K_FAR || !out->buffer || a[!beyond].kind != DL__K_INTEGER)
        dl__lose(p, "a pointer into one of several buffers is not understood");
    out->integer = dl__integer_combine('+', out->integer, a[!beyond].integer);
    return true;
}

/* Of an offset that is in the struct, as the program has it: the struct is the same, and
 * so is the offset. */
static struct dl__known owned(struct dl__prover *p, struct dl__node *n,
                              const struct dl__known *a)
{
    const struct dl__known *out = &a[n->name[3] == 'o' ? 0 : 2];
    bool is_of_one = false;
    int64_t bytes;

    if (out->kind != DL__K_INTEGER || a[1].kind != DL__K_INTEGER ||
        !dl__integer_is_constant(a[1].integer, &bytes))
        dl__lose(p, "an offset in a struct is not understood");
    for (size_t b = 0; b < p->buffers.count; b++)
        is_of_one |= p->buffers.items[b]->note->leaves.struct_bytes == bytes;
    if (!is_of_one)
        dl__lose(p, "an offset is taken for that in a struct of another size");
    return *out;
}

bool dl__prove_prelude(struct dl__prover *p, struct dl__node *n,
                       const struct dl__known *a, size_t count, struct dl__known *out)
{
    struct dl__reached *s;

    if (!strcmp(n->name, "dl_owner") || !strcmp(n->name, "dl_rest")) {
        *out = owned(p, n, a);
        return true;
    }
    if (!strcmp(n->name, "dl_byte") || !strcmp(n->name, "dl_byte_of_row")) {
        for (size_t i = 0; i < count; i++)
            if (a[i].kind != DL__K_INTEGER)
                dl__lose(p, "the formula's arguments are not understood");
        s = DL__NEW(p->arena, struct dl__reached);
        s->is_tiled = true;
        s->index = a[0].integer;
        s->row = a[1].integer;
        s->offset = dl__refine(p, a[2].integer);
        s->width = a[3].integer;
        s->extra = dl__zero();
        s->head = a[4].integer.exact;
        s->tail = a[5].integer.exact;
        *out = (struct dl__known){
            .kind = DL__K_TILED, .spots = s, .spot_count = 1, .inner = dl__zero()};
        return true;
    }
    if (run_far(p, n, a, out))
        return true;
    if (!strcmp(n->name, "dl_same") || !strcmp(n->name, "dl_apart")) {
        if (a[0].kind != DL__K_PART || a[1].kind != DL__K_PART)
            dl__lose(p, "a part is not understood");
        *out = n->name[3] == 's' ? compare_parts(p, &a[0], &a[1])
                                 : parts_apart(p, &a[0], &a[1]);
        return true;
    }
    if (!strcmp(n->name, "dl_part_at")) {
        if (a[0].kind != DL__K_INTEGER || a[1].kind != DL__K_INTEGER)
            dl__lose(p, "a part is not understood");
        *out = (struct dl__known){
            .kind = DL__K_PART, .integer = a[0].integer, .inner = a[1].integer};
        return true;
    }
    if (!strcmp(n->name, "dl_moved") || !strcmp(n->name, "dl_beyond")) {
        bool beyond = n->name[3] == 'b';

        *out = a[beyond];
        if (out->kind != DL__K_PART || a[!beyond].kind != DL__K_INTEGER)
            dl__lose(p, "a part is not understood");
        out->inner = dl__integer_combine('+', out->inner, a[!beyond].integer);
        return true;
    }
    return false;
}

/* ---- What a pointer has become, and where it comes from. ---- */

enum { DEPTH_MAX = 8 };

static size_t origin(struct dl__prover *p, struct dl__function *f, struct dl__node *n,
                     unsigned depth);

static size_t parameter_at(const struct dl__function *f, size_t declared_at)
{
    for (size_t i = 0; i < f->parameter_count; i++)
        if (f->parameters[i].name_at == declared_at)
            return i;
    return SIZE_MAX;
}

static bool is_name_of(const struct dl__node *n, size_t declared_at)
{
    while (n->child_count == 1 && (n->kind == DL__N_PAREN || n->kind == DL__N_IMPLICIT))
        n = n->children[0];
    return n->kind == DL__N_NAME && n->declared_at == declared_at;
}

/* Of what a variable is set to, somewhere in `n`. */
static size_t origin_of_variable(struct dl__prover *p, struct dl__function *f,
                                 struct dl__node *n, size_t declared_at, unsigned depth)
{
    size_t out = SIZE_MAX;

    if (n->kind == DL__N_VARIABLE && n->declared_at == declared_at && n->child_count)
        out = origin(p, f, n->children[n->child_count - 1], depth);
    if (n->kind == DL__N_BINARY && !strcmp(n->op, "=") &&
        is_name_of(n->children[0], declared_at))
        out = origin(p, f, n->children[1], depth);
    for (size_t i = 0; i < n->child_count && out == SIZE_MAX; i++)
        out = origin_of_variable(p, f, n->children[i], declared_at, depth);
    return out;
}

static size_t origin_of_return(struct dl__prover *p, struct dl__function *f,
                               struct dl__node *n, unsigned depth)
{
    size_t out = SIZE_MAX;

    if (n->kind == DL__N_RETURN && n->child_count)
        out = origin(p, f, n->children[0], depth);
    for (size_t i = 0; i < n->child_count && out == SIZE_MAX; i++)
        out = origin_of_return(p, f, n->children[i], depth);
    return out;
}

static size_t origin_of_call(struct dl__prover *p, struct dl__function *f,
                             struct dl__node *n, unsigned depth)
{
    struct dl__function *g = dl__ast_callee(&p->old_text.w->ast, n);
    size_t at = SIZE_MAX;

    if (g && g->is_defined)
        at = origin_of_return(p, g, dl__ast_body(&p->old_text.w->ast, g), depth);
    return at < SIZE_MAX && at + 1 < n->child_count
               ? origin(p, f, n->children[at + 1], depth)
               : SIZE_MAX;
}

static size_t origin(struct dl__prover *p, struct dl__function *f, struct dl__node *n,
                     unsigned depth)
{
    size_t out = SIZE_MAX;

    if (depth >= DEPTH_MAX)
        return SIZE_MAX;
    if (n->kind == DL__N_NAME) {
        out = parameter_at(f, n->declared_at);
        return out < SIZE_MAX || n->declared_at == SIZE_MAX
                   ? out
                   : origin_of_variable(p, f, dl__ast_body(&p->old_text.w->ast, f),
                                        n->declared_at, depth + 1);
    }
    if (n->kind == DL__N_CALL)
        return origin_of_call(p, f, n, depth + 1);
    for (size_t i = n->kind == DL__N_CONDITIONAL; i < n->child_count; i++) {
        const struct dl__type *type = dl__known_type(&p->old_text, n->children[i]);

        if (type->kind != DL__T_SCALAR && out == SIZE_MAX)
            out = origin(p, f, n->children[i], depth);
    }
    return out;
}

size_t dl__returned_parameter(struct dl__prover *p, struct dl__function *f)
{
    if (!f->is_defined || f->result->kind != DL__T_POINTER)
        return SIZE_MAX;
    return origin_of_return(p, f, dl__ast_body(&p->old_text.w->ast, f), 0);
}

static const struct dl__proved_buffer *origin_of(struct dl__prover *p,
                                                 const struct dl__variable_known *v)
{
    const struct dl__pair *pair = p->pairs.items[p->at_pair];
    struct dl__function *f = pair->old_function;
    size_t at = origin_of_variable(p, f, dl__ast_body(&p->old_text.w->ast, f), v->at, 0);

    return at < SIZE_MAX ? pair->buffers[at] : NULL;
}

/* What a pointer of the program's has become: an index, a row and an index, or a
 * part. */

static bool is_within(const struct dl__offsets *some, const struct dl__offsets *all)
{
    for (size_t i = 0; i < some->count; i++) {
        bool found = false;

        for (size_t j = 0; j < all->count && !found; j++)
            found = all->items[j] == some->items[i];
        if (!found)
            return false;
    }
    return some->count > 0;
}

static const char *null_fault(struct dl__prover *p, const struct dl__known *index,
                              const struct dl__known *row)
{
    struct dl__known of_part = dl__know_integer(index->integer);
    int64_t inner;

    if (index->kind == DL__K_FAR ? !index->buffer
        : index->kind == DL__K_PART
            ? dl__is_index_null(p, &of_part) &&
                  dl__integer_is_constant(index->inner, &inner) && !inner
            : !row && dl__is_index_null(p, index))
        return NULL;
    return "a null pointer has become something else";
}

const char *dl__relation_fault(struct dl__prover *p, const struct dl__known *old_place,
                               const struct dl__known *index, const struct dl__known *row,
                               const struct dl__offsets *allowed)
{
    dl__number at = old_place->steps.ring;

    if (known_is_null(old_place))
        return null_fault(p, index, row);
    if (old_place->kind != DL__K_PLACE || !old_place->buffer)
        return "a pointer is set to what is not in the buffer";
    if (index->kind == DL__K_FAR)
        return index->buffer == old_place->buffer && index->integer.ring == at &&
                       old_place->inner.exact == 0
                   ? NULL
                   : "a pointer into one of several buffers has become another place";
    if (index->kind == DL__K_PART) {
        if (index->integer.ring != at || index->inner.ring != old_place->inner.ring)
            return "a pointer to a member has become another place";
        return is_within(&old_place->offsets, allowed)
                   ? NULL
                   : "a pointer to a member may be to another member";
    }
    if (index->kind != DL__K_INTEGER || (row && row->kind != DL__K_INTEGER))
        return "a pointer has become something that is not understood";
    if (old_place->inner.exact != 0)
        return "a pointer to a member has become an index";
    if (!row)
        return index->integer.ring == at ? NULL : "a pointer has become another index";
    return dl__number_add(
               dl__number_multiply(row->integer.ring, old_place->buffer->width.ring),
               index->integer.ring) == at
               ? NULL
               : "a pointer has become another row and index";
}

static struct dl__integer any_index(struct dl__prover *p,
                                    const struct dl__variable_known *v)
{
    return dl__integer_opaque(dl__draw("now", v->number, v->at, 0), p->index_bits, false);
}

static void forget_row(struct dl__prover *p, struct dl__variable_known *v)
{
    struct dl__integer *steps = &v->value.steps, index = v->index->value.integer;
    struct dl__integer row = any_index(p, v->row);

    steps->ring =
        dl__number_add(dl__number_multiply(row.ring, v->buffer->width.ring), index.ring);
    steps->word = steps->ring;
    steps->exact =
        v->split.is_exact ? steps->ring : dl__draw("element", steps->ring, 0, 0);
    dl__integer_limits(64, true, &steps->low, &steps->high);
    steps->is_vast = v->split.is_vast;
    if (v->split.is_exact) {
        index = dl__split_integer(p, index.exact, v->split.low, v->split.high);
        row = dl__split_integer(p, row.exact, INT64_MIN, INT64_MAX);
    }
    v->index->value = dl__know_integer(index);
    v->row->value = dl__know_integer(row);
    v->row->is_set = false;
}

void dl__relation_forget(struct dl__prover *p, struct dl__variable_known *v)
{
    struct dl__integer index = any_index(p, v->index);

    v->value = (struct dl__known){.kind = DL__K_PLACE,
                                  .buffer = v->buffer,
                                  .steps = index,
                                  .inner = dl__zero(),
                                  .offsets = v->allowed};
    v->is_set = v->index->is_set = false;
    if (v->relation == DL__R_FAR) {
        v->value.buffer = either_buffer(
            p, dl__draw("now in", v->index->number, v->index->at, 0), v->buffer);
        v->index->value = (struct dl__known){
            .kind = DL__K_FAR, .buffer = v->value.buffer, .integer = index};
    } else if (v->relation == DL__R_PART) {
        struct dl__integer inner = dl__integer_opaque(
            dl__draw("inner", v->index->number, v->index->at, 0), p->index_bits, false);

        v->index->value =
            (struct dl__known){.kind = DL__K_PART, .integer = index, .inner = inner};
        v->value.inner = inner;
    } else {
        v->index->value = dl__know_integer(index);
    }
    if (v->row)
        forget_row(p, v);
    v->value.steps.bits = v->value.inner.bits = 64;
    v->value.steps.is_signed = v->value.inner.is_signed = true;
}

void dl__relations_check(struct dl__prover *p)
{
    for (size_t i = 0; i < p->old_text.variables.count; i++) {
        struct dl__variable_known *v = p->old_text.variables.items[i];
        const char *fault;

        v->version = 0;
        if (!v->index || !(v->is_set || v->index->is_set || (v->row && v->row->is_set)))
            continue;
        v->buffer = v->buffer                  ? v->buffer
                    : known_is_null(&v->value) ? origin_of(p, v)
                                               : v->value.buffer;
        if (v->relation == DL__R_PART && !v->allowed.count && v->buffer) {
            if (v->type->kind == DL__T_POINTER)
                dl__offsets_of_type(p, v->buffer->element, 0, v->type->element,
                                    &v->allowed);
        }
        if (v->relation != DL__R_PART && !v->allowed.count)
            DL__PUSH(p->arena, &v->allowed, 0);
        fault = dl__relation_fault(p, &v->value, &v->index->value,
                                   v->row ? &v->row->value : NULL, &v->allowed);
        if (!fault && v->row)
            v->split =
                dl__split_join(p, v->at,
                               dl__split_known(p, &v->value, &v->index->value.integer,
                                               &v->row->value.integer));
        if (!fault && !v->buffer)
            fault = "which buffer a null pointer is of is not known";
        if (v->buffer)
            dl__relation_forget(p, v);
        if (fault)
            dl__lose(p, "%s", fault);
    }
    for (size_t i = 0; i < p->new_text.variables.count; i++) {
        struct dl__variable_known *v = p->new_text.variables.items[i];

        v->version = 0;
        if (v->is_set && !v->is_kept)
            dl__lose(p, "'%s' is set, but stands for nothing of the program's", v->name);
    }
}
