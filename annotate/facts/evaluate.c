/* SPDX-License-Identifier: MIT */
/* What an expression is, given what the frame's variables are. */
#include <string.h>

#include "annotate/facts/frame.h"
#include "annotate/track/node.h"

enum { STEPS_MAX = 4000 * 1000 };

static struct dl__unit *unit_of(const struct dl__frame *f)
{
    return f->outline->unit;
}

static struct dl__value mixed(struct dl__frame *f, struct dl__node *n)
{
    struct dl__value v = dl__value_of(DL__V_UNIFORM);

    for (size_t i = 0; i < n->child_count; i++)
        v = dl__value_mix(v, dl__evaluate(f, n->children[i]));
    return v;
}

/* ---- names ---- */

/* A pointer into a buffer as one number. */
static struct dl__value collapse(const struct dl__root *root, struct dl__pair p)
{
    int64_t width = dl__row_elements(root);

    if (width)
        return dl__value_add(dl__value_multiply(p.rows, dl__value_constant(width)),
                             width == 1 ? dl__value_constant(0) : p.rest);
    return dl__value_is_constant(p.rows) ? p.rest : dl__value_mix(p.rows, p.rest);
}

static struct dl__value evaluate_name(struct dl__frame *f, struct dl__node *n)
{
    struct dl__outline_variable *v;

    if (n->is_constant)
        return dl__value_constant(n->constant);
    v = n->declared_at == SIZE_MAX ? NULL : dl__outline_find(f->outline, n->declared_at);
    if (!v)
        return dl__value_of(DL__V_UNIFORM); /* of program scope */
    return v->tracked ? collapse(v->tracked->root, dl__pair_at(f, v, n))
                      : dl__value_at(f, v, n);
}

/* ---- places ---- */

/* The variable that an lvalue is, or is in; NULL: memory behind a pointer, or not the
 * function's. */
static struct dl__outline_variable *variable_under(struct dl__frame *f,
                                                   struct dl__node *n)
{
    struct dl__node *name = dl__base_name(unit_of(f), n);
    struct dl__outline_variable *v = name && name->declared_at != SIZE_MAX
                                         ? dl__outline_find(f->outline, name->declared_at)
                                         : NULL;

    if (!v || v->in_local_memory ||
        (!v->declaration && dl__strip(n) != name &&
         unit_of(f)->function->parameters[v->parameter].type->kind == DL__T_POINTER))
        return NULL;
    return v;
}

/* Where an lvalue in memory is: what its pointer and indices are made of. */
static struct dl__value place_of(struct dl__frame *f, struct dl__node *n)
{
    struct dl__node *base;
    struct dl__value v;

    n = dl__strip(n);
    if (n->kind == DL__N_NAME || !n->child_count)
        return dl__value_of(DL__V_UNIFORM);
    base = dl__strip(n->children[0]);
    if (n->kind == DL__N_UNARY)
        return dl__evaluate(f, base);
    if (n->kind != DL__N_MEMBER && n->kind != DL__N_SUBSCRIPT)
        return dl__value_of(DL__V_UNKNOWN);
    v = dl__type_of(unit_of(f), base)->kind == DL__T_POINTER ? dl__evaluate(f, base)
                                                             : place_of(f, base);
    if (n->kind == DL__N_SUBSCRIPT && n->child_count == 2)
        v = dl__value_mix(v, dl__evaluate(f, n->children[1]));
    return v;
}

/* Neighbours that look at other elements of their own array see other things. */
static struct dl__value element_of(struct dl__frame *f, struct dl__node *n,
                                   struct dl__value v)
{
    struct dl__value index = dl__value_of(DL__V_UNIFORM);

    for (n = dl__strip(n); n->kind != DL__N_NAME && n->child_count;
         n = dl__strip(n->children[0]))
        if (n->kind == DL__N_SUBSCRIPT && n->child_count == 2)
            index = dl__value_mix(index, dl__evaluate(f, n->children[1]));
    if (index.kind == DL__V_NOTHING)
        return index;
    return index.kind == DL__V_UNIFORM ? v : dl__value_mix(v, index);
}

/* The number of a component from its name behind the dot. */
static bool read_component(const char *name, size_t bytes, size_t *out)
{
    static const char letters[] = "xyzw";
    const char *letter = bytes == 1 ? memchr(letters, *name, 4) : NULL;

    if (letter)
        *out = (size_t)(letter - letters);
    else if (bytes == 2 && (*name == 's' || *name == 'S') && name[1] >= '0' &&
             name[1] <= '9')
        *out = (size_t)(name[1] - '0');
    else
        return false;
    return true;
}

/* What a component is made of, of a vector that is set once: (int2)(a, b).x. libclang
 * shows it as a conversion. NULL: it is not known. */
static struct dl__node *component_of(struct dl__frame *f, struct dl__node *n)
{
    struct dl__unit *u = unit_of(f);
    struct dl__node *name = dl__strip(n->children[0]), *made;
    struct dl__outline_variable *v;
    size_t dot = dl__skip(u, n->children[0]->end), which;

    if (name->kind != DL__N_NAME || name->declared_at == SIZE_MAX ||
        dl__text_at(u, dot) != '.')
        return NULL;
    dot = dl__skip(u, dot + 1);
    v = dl__outline_find(f->outline, name->declared_at);
    if (dot >= n->end ||
        !read_component(u->tracker->ast->text + dot, n->end - dot, &which) || !v ||
        !v->declaration || !v->changes || v->changes->next ||
        v->changes->kind != DL__C_SET)
        return NULL;
    made = dl__strip_casts(v->changes->source);
    while (made->child_count == 1 && made->kind == DL__N_OTHER)
        made = dl__strip_casts(made->children[0]);
    if (made->child_count != dl__type_of(u, v->declaration)->count ||
        made->kind != DL__N_OTHER || which >= made->child_count)
        return NULL;
    return made->children[which];
}

static struct dl__value evaluate_tracked(struct dl__frame *f, const struct dl__access *p)
{
    struct dl__pair pair = dl__evaluate_place(f, p);
    struct dl__value place = collapse(p->root, pair);

    for (size_t i = 0; i < p->step_count; i++)
        if (p->step_index[i])
            place = dl__value_mix(place, dl__evaluate(f, p->step_index[i]));
    return dl__value_loaded(place);
}

/* libclang shows the type of what was declared as an array parameter as that array. */
static const struct dl__type *type_of_base(struct dl__frame *f, struct dl__node *n)
{
    const struct dl__outline_variable *v =
        n->kind == DL__N_NAME && n->declared_at != SIZE_MAX
            ? dl__outline_find(f->outline, n->declared_at)
            : NULL;

    return v && !v->declaration ? unit_of(f)->function->parameters[v->parameter].type
                                : dl__type_of(unit_of(f), n);
}

static struct dl__value evaluate_place(struct dl__frame *f, struct dl__node *n)
{
    struct dl__outline_variable *v;
    struct dl__node *base;
    struct dl__access place;
    const struct dl__type *type;

    if (!n->child_count)
        return dl__value_of(DL__V_UNKNOWN);
    if (unit_of(f)->root_count && dl__find_place(unit_of(f), n, &place))
        return evaluate_tracked(f, &place);
    v = n->kind == DL__N_UNARY ? NULL : variable_under(f, n);
    if (v)
        return element_of(f, n, dl__value_at(f, v, n));
    /* What stands behind a pointer to private memory is not followed. */
    base = dl__strip(n->children[0]);
    type = type_of_base(f, base);
    if (type->kind == DL__T_POINTER && type->address_space != DL__GLOBAL &&
        type->address_space != DL__CONSTANT && type->address_space != DL__LOCAL)
        return dl__value_mix(dl__value_of(DL__V_UNKNOWN), dl__evaluate(f, base));
    if (n->kind == DL__N_MEMBER && type->kind != DL__T_POINTER &&
        (base->kind == DL__N_CALL || base->kind == DL__N_PAREN))
        return dl__evaluate(f, base);
    return dl__value_loaded(place_of(f, n));
}

/* ---- operators ---- */

static struct dl__value apply(const char *op, struct dl__value a, struct dl__value b)
{
    switch (op[0]) {
    case '+':
        return dl__value_add(a, b);
    case '-':
        return dl__value_add(a, dl__value_negate(b));
    case '*':
        return dl__value_multiply(a, b);
    case '/':
        return dl__value_divide(a, b);
    case '%':
        return dl__value_modulo(a, b);
    case '&':
        return op[1] == '&' ? dl__value_mix(a, b) : dl__value_and(a, b);
    case '|':
        return op[1] == '|' ? dl__value_mix(a, b) : dl__value_or(a, b);
    case '<':
    case '>':
        if (op[1] == op[0])
            return dl__value_shift(a, b, op[0] == '<');
        return dl__value_mix(a, b);
    default:
        return dl__value_mix(a, b);
    }
}

static bool is_floating(struct dl__frame *f, struct dl__node *n)
{
    const struct dl__type *type = dl__type_of(unit_of(f), n);

    while (type->kind == DL__T_VECTOR)
        type = type->element;
    return type->kind != DL__T_POINTER &&
           !(type->kind == DL__T_SCALAR && type->scalar != 'f');
}

static struct dl__value evaluate_conversion(struct dl__frame *f, struct dl__node *n)
{
    struct dl__value v;

    if (n->child_count != 1)
        return mixed(f, n);
    if (n->kind == DL__N_IMPLICIT && n->end != n->children[0]->end) {
        struct dl__node *component = component_of(f, n);

        if (component)
            return dl__evaluate(f, component);
    }
    v = dl__evaluate(f, n->children[0]);
    if (v.kind != DL__V_LINEAR || n->kind == DL__N_PAREN)
        return v;
    return is_floating(f, n) || is_floating(f, n->children[0]) ? dl__value_mix(v, v) : v;
}

static struct dl__value evaluate_unary(struct dl__frame *f, struct dl__node *n)
{
    struct dl__value v;

    if (!n->child_count || !n->op[0])
        return dl__value_of(DL__V_UNKNOWN);
    if (dl__op_is(n, "*"))
        return evaluate_place(f, n);
    if (dl__op_is(n, "&"))
        return variable_under(f, n->children[0]) ? dl__value_of(DL__V_UNIFORM)
                                                 : place_of(f, n->children[0]);
    v = dl__evaluate(f, n->children[0]);
    if (dl__op_is(n, "-"))
        return dl__value_negate(v);
    if (dl__op_is(n, "~"))
        return dl__value_add(dl__value_negate(v), dl__value_constant(-1));
    if (dl__op_is(n, "!"))
        return dl__value_mix(v, v);
    return v; /* +, ++, -- */
}

static struct dl__value evaluate_binary(struct dl__frame *f, struct dl__node *n)
{
    struct dl__value a, b;

    if (n->child_count != 2 || !n->op[0])
        return dl__value_mix(dl__value_of(DL__V_UNKNOWN), mixed(f, n));
    b = dl__evaluate(f, n->children[1]);
    if (n->kind == DL__N_BINARY && (dl__op_is(n, "=") || dl__op_is(n, ",")))
        return b;
    a = dl__evaluate(f, n->children[0]);
    a = apply(n->op, a, b);
    return a.kind == DL__V_LINEAR && is_floating(f, n) ? dl__value_mix(a, a) : a;
}

static struct dl__value evaluate_other(struct dl__frame *f, struct dl__node *n)
{
    struct dl__value v;
    int64_t literal;

    if (!n->child_count)
        return dl__literal_of(unit_of(f), n, &literal) ? dl__value_constant(literal)
                                                       : dl__value_of(DL__V_UNIFORM);
    /* A list: one value stands for all. */
    v = dl__evaluate(f, n->children[0]);
    for (size_t i = 1; i < n->child_count; i++) {
        struct dl__value other = dl__evaluate(f, n->children[i]);

        v = v.kind == other.kind && v.step == other.step ? dl__value_join(v, other, false)
                                                         : dl__value_mix(v, other);
    }
    return v;
}

struct dl__value dl__evaluate(struct dl__frame *f, struct dl__node *n)
{
    f->analysis->failed |= ++f->analysis->steps > STEPS_MAX;
    if (f->analysis->failed)
        return dl__value_of(DL__V_UNKNOWN);
    switch (n->kind) {
    case DL__N_PAREN:
    case DL__N_IMPLICIT:
    case DL__N_CAST:
        return evaluate_conversion(f, n);
    case DL__N_NAME:
        return evaluate_name(f, n);
    case DL__N_SUBSCRIPT:
    case DL__N_MEMBER:
        return evaluate_place(f, n);
    case DL__N_UNARY:
        return evaluate_unary(f, n);
    case DL__N_BINARY:
    case DL__N_COMPOUND:
        return evaluate_binary(f, n);
    case DL__N_CONDITIONAL:
        if (n->child_count != 3)
            return dl__value_of(DL__V_UNKNOWN);
        return dl__value_chosen(dl__agreement_of(f, n->children[0]),
                                dl__evaluate(f, n->children[1]),
                                dl__evaluate(f, n->children[2]));
    case DL__N_CALL:
        return dl__evaluate_call(f, n);
    case DL__N_SIZEOF:
        return dl__value_of(DL__V_UNIFORM);
    case DL__N_OTHER:
        return evaluate_other(f, n);
    default:
        return dl__value_of(DL__V_UNKNOWN);
    }
}
