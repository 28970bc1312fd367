/* SPDX-License-Identifier: MIT */
/* What an expression of either text is known to be, and what it changes. */
#include "annotate/prove/prove.h"

#include <stdlib.h>
#include <string.h>

#include "annotate/text/lex.h"
#include "annotate/text/number.h"

/* x & 7 is not larger than 7 */
static void bound_mask(struct dl__known *out, const struct dl__known *a)
{
    int64_t mask;

    if (out->kind == DL__K_INTEGER && a->kind == DL__K_INTEGER &&
        dl__integer_is_constant(a->integer, &mask) && mask >= 0) {
        out->integer.low = 0;
        out->integer.high = mask;
    }
}

/* x >> 6 of what is not negative */
static void bound_shift(struct dl__known *out, const struct dl__known *a,
                        const struct dl__known *b)
{
    int64_t by;

    if (out->kind != DL__K_INTEGER || a->kind != DL__K_INTEGER ||
        b->kind != DL__K_INTEGER || a->integer.low < 0 ||
        !dl__integer_is_constant(b->integer, &by) || by < 0 || by > 30)
        return;
    out->integer.low = a->integer.low >> by;
    out->integer.high = a->integer.high >> by;
}

static void mark(struct dl__prover *p, struct dl__side_text *t, const char *what)
{
    dl__add_effect(p, t, NULL, dl__draw(what, 0, 0, 0));
}

/* The operand that another decides about. */
static struct dl__known evaluate_branch(struct dl__prover *p, struct dl__side_text *t,
                                        struct dl__node *n)
{
    bool before = p->in_branch;
    struct dl__known out;

    p->in_branch = true;
    mark(p, t, "branch");
    out = dl__prove_value(p, t, n);
    p->in_branch = before;
    mark(p, t, "end");
    return out;
}

static struct dl__known evaluate_binary(struct dl__prover *p, struct dl__side_text *t,
                                        struct dl__node *n)
{
    struct dl__known a, b, out;

    if (!n->op[0])
        dl__lose(p, n, "an operator can't be read");
    if (!strcmp(n->op, "=")) {
        b = dl__prove_value(p, t, n->children[1]);
        return dl__prove_assignment(p, t, n, n->children[0], "", b, false);
    }
    if ((!strcmp(n->op, "&&") || !strcmp(n->op, "||")) &&
        dl__prove_null_check(p, t, n, &out))
        return out;
    a = dl__prove_value(p, t, n->children[0]);
    if (!strcmp(n->op, ","))
        return dl__prove_value(p, t, n->children[1]);
    if (!strcmp(n->op, "&&") || !strcmp(n->op, "||")) {
        a = dl__truth(p, a);
        b = dl__truth(p, evaluate_branch(p, t, n->children[1]));
        return dl__know_typed(dl__draw(n->op, dl__key(p, &a), dl__key(p, &b), 0),
                              dl__known_type(t, n));
    }
    b = dl__prove_value(p, t, n->children[1]);
    out = dl__combine(p, t, n, n->op, a, b, dl__known_type(t, n));
    if (!strcmp(n->op, ">>"))
        bound_shift(&out, &a, &b);
    if (!strcmp(n->op, "&")) {
        bound_mask(&out, &a);
        bound_mask(&out, &b);
    }
    return out;
}

static struct dl__known evaluate_unary(struct dl__prover *p, struct dl__side_text *t,
                                       struct dl__node *n)
{
    const struct dl__type *type = dl__known_type(t, n);
    struct dl__known v;

    if (!strcmp(n->op, "&"))
        return dl__prove_place(p, t, n->children[0]);
    if (!strcmp(n->op, "*")) {
        v = dl__prove_place(p, t, n);
        return dl__load_known(p, t, n, v, type, 0);
    }
    if (!strcmp(n->op, "++") || !strcmp(n->op, "--")) {
        char op[2] = {n->op[0], '\0'};

        v = dl__know_integer(dl__integer_constant(1, 32, true));
        if (type->kind != DL__T_SCALAR && type->kind != DL__T_POINTER)
            dl__lose(p, n, "++ of this type is not understood");
        if (type->kind == DL__T_SCALAR && type->scalar == 'f')
            v = dl__know_opaque(dl__draw("one", 0, 0, 0));
        return dl__prove_assignment(p, t, n, n->children[0], op, v, n->postfix);
    }
    v = dl__prove_value(p, t, n->children[0]);
    if (!strcmp(n->op, "!"))
        return dl__negated(p, dl__truth(p, v), type);
    if (v.kind == DL__K_INTEGER && type->kind == DL__T_SCALAR) {
        struct dl__integer to = dl__convert_known(p, v, type).integer;

        if (!strcmp(n->op, "+"))
            return dl__know_integer(to);
        if (!strcmp(n->op, "-") || !strcmp(n->op, "~"))
            return dl__know_integer(dl__integer_combine(
                '-',
                dl__integer_constant(n->op[0] == '-' ? 0 : -1, to.bits, to.is_signed),
                to));
    }
    return dl__know_typed(dl__draw(n->op, dl__key(p, &v), dl__type_number(type), 1),
                          type);
}

/* ---- places ---- */

static const struct dl__field *find_field(const struct dl__struct *s, const char *name,
                                          uint32_t *offset_bytes)
{
    for (size_t i = 0; i < s->field_count; i++) {
        const struct dl__field *f = &s->fields[i], *in;

        if (!strcmp(f->name, name) && *name) {
            *offset_bytes += f->offset_bytes;
            return f;
        }
        if (*f->name || f->type->kind != DL__T_STRUCT)
            continue;
        in = find_field(f->type->identity, name, offset_bytes);
        if (in) {
            *offset_bytes += f->offset_bytes;
            return in;
        }
    }
    return NULL;
}

static struct dl__known place_of_name(struct dl__prover *p, struct dl__side_text *t,
                                      struct dl__node *n)
{
    struct dl__variable_known *v = dl__find_known(t, n->declared_at);
    struct dl__known out = {.kind = DL__K_PLACE, .inner = dl__zero()};

    (void)p;
    out.variable = v;
    out.number = v ? dl__draw("address", v->number, 0, 0)
                   : dl__draw_text("name", n->name, strlen(n->name));
    return out;
}

struct dl__known dl__prove_place(struct dl__prover *p, struct dl__side_text *t,
                                 struct dl__node *n)
{
    struct dl__known out;

    while (n->child_count == 1 && (n->kind == DL__N_PAREN || dl__is_wrapper(p, t, n)))
        n = n->children[0];
    if (n->kind == DL__N_NAME)
        return place_of_name(p, t, n);
    if (n->kind == DL__N_UNARY && !strcmp(n->op, "*")) {
        out = dl__prove_value(p, t, n->children[0]);
    } else if (n->kind == DL__N_SUBSCRIPT) {
        struct dl__known a = dl__prove_value(p, t, n->children[0]);
        struct dl__known b = dl__prove_value(p, t, n->children[1]);
        bool swapped = a.kind == DL__K_INTEGER;

        out = swapped ? b : a;
        if (out.kind != DL__K_PLACE || (swapped ? a : b).kind != DL__K_INTEGER)
            dl__lose(p, n, "an array of this kind is not understood");
        return dl__place_moved(p, out, (swapped ? a : b).integer, dl__known_type(t, n));
    } else if (n->kind == DL__N_MEMBER && n->child_count == 1) {
        const struct dl__type *in = dl__known_type(t, n->children[0]);
        uint32_t offset_bytes = 0;

        out = in->kind == DL__T_POINTER ? dl__prove_value(p, t, n->children[0])
                                        : dl__prove_place(p, t, n->children[0]);
        in = in->kind == DL__T_POINTER ? in->element : in;
        if (out.kind == DL__K_PART && in->kind == DL__T_STRUCT)
            dl__lose(p, n, "a part is looked into");
        if (in->kind != DL__T_STRUCT || !find_field(in->identity, n->name, &offset_bytes))
            dl__lose(p, n, "a member can't be found");
        if (out.kind == DL__K_OPAQUE)
            out = (struct dl__known){
                .kind = DL__K_PLACE, .number = out.number, .inner = dl__zero()};
        out = dl__place_member(p, out, offset_bytes);
    } else {
        out = dl__prove_value(p, t, n);
        if (out.kind == DL__K_OPAQUE)
            return (struct dl__known){
                .kind = DL__K_PLACE, .number = out.number, .inner = dl__zero()};
    }
    if (out.kind != DL__K_PLACE)
        dl__lose(p, n, "a pointer is not understood");
    return out;
}

/* ---- everything ---- */

static struct dl__known evaluate_conditional(struct dl__prover *p,
                                             struct dl__side_text *t, struct dl__node *n)
{
    struct dl__known c = dl__truth(p, dl__prove_value(p, t, n->children[0])), a, b, out;
    dl__number key = dl__key(p, &c);

    a = evaluate_branch(p, t, n->children[1]);
    b = evaluate_branch(p, t, n->children[2]);
    if (dl__known_type(t, n)->kind == DL__T_POINTER) {
        a = dl__convert_known(p, a, dl__known_type(t, n));
        b = dl__convert_known(p, b, dl__known_type(t, n));
    }
    if (dl__choose_pointer(p, key, &a, &b, &out))
        return out;
    if (a.kind == DL__K_PART && b.kind == DL__K_PART) {
        out = a;
        out.integer = dl__integer_opaque(
            dl__draw("?:", key, a.integer.ring, b.integer.ring), p->index_bits, false);
        if (a.inner.exact != b.inner.exact)
            out.inner = dl__integer_opaque(
                dl__draw("?:", key, a.inner.exact, b.inner.exact), p->index_bits, false);
        return out;
    }
    if (a.kind == DL__K_INTEGER && b.kind == DL__K_INTEGER) {
        const struct dl__type *type = dl__known_type(t, n);
        bool in_ring = type->bytes * 8 == p->index_bits && type->scalar == 'u';
        struct dl__integer x = dl__seal(p, a.integer), y = dl__seal(p, b.integer);

        out = dl__know_typed(
            dl__draw("?:", key, in_ring ? x.ring : x.exact, in_ring ? y.ring : y.exact),
            type);
        if (out.kind == DL__K_INTEGER) {
            out.integer.low = x.low < y.low ? x.low : y.low;
            out.integer.high = x.high > y.high ? x.high : y.high;
        }
        return out;
    }
    return dl__know_typed(dl__draw("?:", key, dl__key(p, &a), dl__key(p, &b)),
                          dl__known_type(t, n));
}

static struct dl__known evaluate_size(struct dl__prover *p, struct dl__side_text *t,
                                      struct dl__node *n)
{
    struct dl__ast *ast = &t->w->ast;
    struct dl__lexer lexer = {.text = ast->text, .bytes = n->end, .offset = n->begin};
    struct dl__token token[6];
    uint64_t bytes = 0;
    bool is_unsigned;

    for (int i = 0; i < 6; i++)
        token[i] = dl__lex_next(&lexer);
    if (dl__token_is(&token[2], "dl_index") && t->is_new)
        bytes = p->index_bits / 8;
    else if (dl__token_is(&token[2], "char") && dl__token_is(&token[3], "["))
        dl__integer_read(token[4].text, token[4].bytes, &bytes, &is_unsigned);
    else if (n->child_count == 1)
        bytes = dl__known_type(t, n->children[0])->bytes;
    if (!bytes)
        return dl__know_integer(dl__integer_opaque(dl__own_tokens(p, t, n), 64, false));
    return dl__know_integer(dl__integer_constant((dl__bound)bytes, 64, false));
}

/* A leaf of the tree: a literal, or what is compared by its tokens. */
static struct dl__known evaluate_leaf(struct dl__prover *p, struct dl__side_text *t,
                                      struct dl__node *n)
{
    const struct dl__type *type = dl__known_type(t, n);
    uint64_t value;
    bool is_unsigned;

    if (n->end - n->begin == 4 && !strncmp(t->w->ast.text + n->begin, "NULL", 4))
        return dl__know_null();
    if (type->kind == DL__T_SCALAR && type->scalar != 'f' && type->bytes &&
        dl__integer_read(t->w->ast.text + n->begin, n->end - n->begin, &value,
                         &is_unsigned))
        return dl__know_integer(
            dl__integer_constant((dl__bound)value, type->bytes * 8, type->scalar == 'i'));
    return dl__know_typed(dl__own_tokens(p, t, n), type);
}

/* A vector of all the pieces of one load is that load. */
static struct dl__known whole_of(struct dl__prover *p, const dl__number *pieces,
                                 const struct dl__type *type, dl__number else_number)
{
    uint32_t bytes = type->element->bytes;

    for (size_t i = 0; i < p->accesses.count; i++) {
        const struct dl__access_old *access = &p->accesses.items[i];
        size_t same = 0;

        while (same < type->count &&
               pieces[same] == dl__access_piece(p, access, (uint32_t)same * bytes, bytes))
            same++;
        if (same == type->count && access->type->bytes == type->count * bytes)
            return dl__know_opaque(access->key);
    }
    return dl__know_opaque(else_number);
}

/* `(float4)(v)` of a float4: the whole text is in parentheses, and nothing but a type
 * stands in it. */
static bool is_literal_of(struct dl__side_text *t, struct dl__node *n)
{
    struct dl__node *last = n->child_count ? n->children[n->child_count - 1] : NULL;

    return last && t->w->ast.text[n->begin] == '(' && t->w->ast.text[n->end - 1] == ')' &&
           (n->child_count == 1 ||
            (n->child_count == 2 && !n->children[0]->child_count)) &&
           dl__known_type(t, last)->kind == DL__T_VECTOR &&
           dl__type_number(dl__known_type(t, n)) ==
               dl__type_number(dl__known_type(t, last));
}

static struct dl__known evaluate_other(struct dl__prover *p, struct dl__side_text *t,
                                       struct dl__node *n)
{
    const struct dl__type *type = dl__known_type(t, n);
    dl__number number = dl__draw("node", dl__own_tokens(p, t, n), n->child_count, 0);
    dl__number pieces[16] = {0};

    if (is_literal_of(t, n))
        return dl__prove_value(p, t, n->children[n->child_count - 1]);
    for (size_t i = 0; i < n->child_count; i++) {
        struct dl__known v = dl__prove_value(p, t, n->children[i]);
        dl__number key = dl__key(p, &v);

        if (i < 16)
            pieces[i] = key;
        number = dl__draw("child", number, key, 0);
    }
    if (type->kind == DL__T_VECTOR && n->child_count == type->count && type->count <= 16)
        return whole_of(p, pieces, type, number);
    return dl__know_typed(number, type);
}

static struct dl__known evaluate_name(struct dl__prover *p, struct dl__side_text *t,
                                      struct dl__node *n)
{
    const struct dl__type *type = dl__known_type(t, n);
    struct dl__variable_known *v = dl__find_known(t, n->declared_at);

    if (n->is_constant)
        return dl__know_integer(dl__integer_constant(n->constant, 32, true));
    if (!v)
        return dl__know_typed(dl__draw_text("name", n->name, strlen(n->name)), type);
    if (v->relation != DL__R_COMMON &&
        (v->value.kind == DL__K_PART || v->value.kind == DL__K_FAR))
        return v->value;
    if (type->kind == DL__T_ARRAY || type->kind == DL__T_STRUCT) {
        struct dl__known place = place_of_name(p, t, n);

        return type->kind == DL__T_ARRAY ? place
                                         : dl__load_known(p, t, n, place, type, 0);
    }
    return dl__read_variable(p, v);
}

/* The index or the offset of a dl_part, and what is in a dl_far. */
static bool is_half(struct dl__prover *p, struct dl__side_text *t, struct dl__node *n,
                    struct dl__known *out)
{
    const struct dl__type *in = dl__known_type(t, n->children[0]);
    bool is_part = dl__is_named(in, "dl_part");
    struct dl__known of;

    if (n->kind != DL__N_MEMBER || (!is_part && !dl__is_named(in, "dl_far")))
        return false;
    of = dl__prove_value(p, t, n->children[0]);
    if (of.kind != (is_part ? DL__K_PART : DL__K_FAR))
        dl__lose(p, n, "a part is not understood");
    if (!strcmp(n->name, "dl_f")) {
        *out = dl__know_null();
        if (of.buffer)
            *out = (struct dl__known){.kind = DL__K_PLACE,
                                      .buffer = of.buffer,
                                      .steps = dl__zero(),
                                      .inner = dl__zero(),
                                      .is_base = true,
                                      .integer = of.integer};
        return true;
    }
    if (!is_part && !of.buffer)
        dl__lose(p, n, "a null pointer is looked behind");
    *out = dl__know_integer(!strcmp(n->name, "dl_i")      ? of.integer
                            : !strcmp(n->name, "dl_o")    ? of.inner
                            : !strcmp(n->name, "dl_head") ? of.buffer->head
                                                          : of.buffer->tail);
    return true;
}

/* `v.s3` in an accessor, where elements are stored one by one. */
static bool is_element(struct dl__prover *p, struct dl__side_text *t, struct dl__node *n,
                       struct dl__known *out)
{
    const struct dl__type *in = dl__known_type(t, n->children[0]);
    const char *name = t->w->ast.text + n->end - 3;
    struct dl__known v;
    char *end;
    long at;

    if (!p->in_accessor || in->kind != DL__T_VECTOR || n->end < 3 ||
        strncmp(name, ".s", 2))
        return false;
    at = strtol((char[]){name[2], '\0'}, &end, 16);
    if (*end || at >= (long)in->count)
        return false;
    v = dl__prove_value(p, t, n->children[0]);
    *out = dl__know_typed(dl__piece(dl__key(p, &v), (uint32_t)at * in->element->bytes,
                                    in->element->bytes, in->bytes),
                          dl__known_type(t, n));
    return true;
}

static struct dl__known evaluate_implicit(struct dl__prover *p, struct dl__side_text *t,
                                          struct dl__node *n)
{
    struct dl__known v;

    if (!dl__is_wrapper(p, t, n))
        return is_element(p, t, n, &v) ? v : evaluate_other(p, t, n);
    v = dl__prove_value(p, t, n->children[0]);
    return v.kind != DL__K_INTEGER &&
                   dl__type_number(dl__known_type(t, n)) ==
                       dl__type_number(dl__known_type(t, n->children[0]))
               ? v
               : dl__convert_known(p, v, dl__known_type(t, n));
}

struct dl__known dl__prove_value(struct dl__prover *p, struct dl__side_text *t,
                                 struct dl__node *n)
{
    const struct dl__type *type = dl__known_type(t, n);
    struct dl__known v;

    switch (n->kind) {
    case DL__N_PAREN:
        return dl__prove_value(p, t, n->children[0]);
    case DL__N_IMPLICIT:
        return evaluate_implicit(p, t, n);
    case DL__N_NAME:
        return evaluate_name(p, t, n);
    case DL__N_SUBSCRIPT:
    case DL__N_MEMBER:
        if (t->is_new && is_half(p, t, n, &v))
            return v;
        v = dl__prove_place(p, t, n);
        if (type->kind == DL__T_ARRAY) {
            v.array_bytes = type->bytes;
            return v;
        }
        return dl__load_known(p, t, n, v, type, 0);
    case DL__N_UNARY:
        return evaluate_unary(p, t, n);
    case DL__N_BINARY:
        return evaluate_binary(p, t, n);
    case DL__N_COMPOUND: {
        char op[4] = "";

        memcpy(op, n->op, strlen(n->op) - (*n->op ? 1 : 0));
        v = dl__prove_value(p, t, n->children[1]);
        return dl__prove_assignment(p, t, n, n->children[0], op, v, false);
    }
    case DL__N_CONDITIONAL:
        return evaluate_conditional(p, t, n);
    case DL__N_CAST:
        if (!n->child_count)
            return evaluate_leaf(p, t, n);
        v = dl__prove_value(p, t, n->children[n->child_count - 1]);
        return dl__convert_known(p, v, type);
    case DL__N_CALL:
        return dl__prove_call(p, t, n);
    case DL__N_SIZEOF:
        return evaluate_size(p, t, n);
    case DL__N_VALUE_BLOCK:
        if (t->is_new)
            return dl__prove_block(p, t, n);
        dl__lose(p, n, "a block in an expression is not followed");
    default:
        return n->child_count ? evaluate_other(p, t, n) : evaluate_leaf(p, t, n);
    }
}
