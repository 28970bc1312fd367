/* Edits that turn accesses into calls of accessors, and element pointers into indices. */
#include "annotate/track/unit.h"

#include <string.h>

static bool is_simple(const struct dl__node *n)
{
    while (n->kind == DL__N_IMPLICIT && n->child_count == 1)
        n = n->children[0];
    return n->kind == DL__N_NAME || n->kind == DL__N_PAREN || n->kind == DL__N_CALL ||
           n->kind == DL__N_SUBSCRIPT || n->kind == DL__N_MEMBER ||
           (n->kind == DL__N_OTHER && !n->child_count);
}

static bool needs_parentheses(const struct dl__node *n)
{
    while (n->kind == DL__N_IMPLICIT && n->child_count == 1)
        n = n->children[0];
    return n->kind == DL__N_BINARY && (dl__op_is(n, ",") || !n->op[0]);
}

/* Edits from `at` on: puts `before` there, the struct index, and returns where the text
 * goes on. *close is what must stand first there. */
static size_t edit_struct_index(struct dl__unit *u, const struct dl__access *p, size_t at,
                                const char *before, const char **close)
{
    size_t begin, end;

    *close = "";
    if (!p->index) {
        if (dl__is_base(u, p->pointer)) {
            dl__replace(u, at, p->pointer->end, dl__format(u, "%s0", before));
        } else {
            dl__replace(u, at, p->pointer->begin, before);
            dl__edit_index(u, p->pointer, true);
        }
        return p->pointer->end;
    }
    dl__bracket_range(u, p->index_host, &begin, &end);
    if (dl__is_base(u, p->pointer)) {
        bool paren = needs_parentheses(p->index);

        dl__replace(u, at, begin, paren ? dl__format(u, "%s(", before) : before);
        dl__walk(u, p->index);
        *close = paren ? ")" : "";
    } else {
        bool paren = !is_simple(p->index);
        bool pointer_paren = !is_simple(p->pointer);

        dl__replace(u, at, p->pointer->begin,
                    pointer_paren ? dl__format(u, "%s(", before) : before);
        dl__edit_index(u, p->pointer, false);
        dl__replace(u, p->pointer->end, begin,
                    dl__format(u, "%s + %s", pointer_paren ? ")" : "", paren ? "(" : ""));
        dl__walk(u, p->index);
        *close = paren ? ")" : "";
    }
    return end;
}

size_t dl__edit_arguments(struct dl__unit *u, struct dl__node *n,
                          const struct dl__access *p, const char *before,
                          const char **separator_out)
{
    const char *separator;
    size_t at = edit_struct_index(u, p, n->begin, before, &separator);

    for (size_t i = 0; i < p->step_count; i++) {
        size_t begin, end;

        if (p->steps[i].field)
            continue;
        if (!p->step_index[i]) {
            separator = dl__format(u, "%s, 0", separator);
            continue;
        }
        dl__bracket_range(u, p->step_host[i], &begin, &end);
        dl__replace(u, at, begin, dl__format(u, "%s, (", separator));
        dl__walk(u, p->step_index[i]);
        separator = ")";
        at = end;
    }
    *separator_out = separator;
    return at;
}

/* Turns a place into `name(base, index, k... DL_ARGS(base)` and returns where the text
 * goes on; the caller puts what closes the call there. */
size_t dl__edit_call(struct dl__unit *u, struct dl__node *n, const struct dl__access *p,
                     const char *before, const char *name, const char **close)
{
    const char *separator;
    size_t at = dl__edit_arguments(
        u, n, p, dl__format(u, "%s%s(%s, ", before, name, p->root->name), &separator);

    *close = dl__format(u, "%s DL_ARGS(%s)", separator, p->root->name);
    return at;
}

void dl__add_use(struct dl__unit *u, struct dl__node *n, const struct dl__access *p,
                 struct dl__accessor *a)
{
    struct dl__use use = {a, p->root, n->begin};

    DL__PUSH(u->tracker->arena, &u->uses, use);
}

static const char *accessor_name(struct dl__unit *u, struct dl__node *n,
                                 const struct dl__access *p, enum dl__accessor_kind kind)
{
    struct dl__accessor *a =
        dl__accessor_get(&u->tracker->accessors, kind, p->root->space, p->root->element,
                         p->steps, p->step_count, p->type);

    if (!a)
        dl__refuse(u, n->begin, "this member of '%s' has a type without a name",
                   p->root->name);
    dl__add_use(u, n, p, a);
    return a->name;
}

/* Rewrites a scalar or vector place to a value, or to its address. */
static void edit_leaf(struct dl__unit *u, struct dl__node *n, const struct dl__access *p,
                      bool address)
{
    const char *close, *name;
    size_t at;

    bool packed =
        p->type->bytes > 1 && dl__struct_is_packed(u->tracker->arena, p->root->element);

    if (packed && address)
        dl__refuse(u, n->begin, "the address of a member of a packed struct is taken");
    if (packed ||
        (!address && dl__steps_cross_union(p->root->element, p->steps, p->step_count))) {
        name = accessor_name(u, n, p, packed ? DL__PACKED : DL__ALIASED);
        at = dl__edit_call(u, n, p, "(", name, &close);
        dl__replace(u, at, n->end, dl__format(u, "%s)->dl_v)", close));
        return;
    }
    name = accessor_name(u, n, p, DL__ADDRESS);
    at = dl__edit_call(u, n, p, address ? "" : "(*", name, &close);
    dl__replace(u, at, n->end, dl__format(u, "%s%s", close, address ? ")" : "))"));
}

static void edit_load(struct dl__unit *u, struct dl__node *n, const struct dl__access *p)
{
    const char *close, *name = accessor_name(u, n, p, DL__LOAD);
    size_t at = dl__edit_call(u, n, p, "", name, &close);

    dl__replace(u, at, n->end, dl__format(u, "%s)", close));
}

void dl__edit_value(struct dl__unit *u, struct dl__node *n, const struct dl__access *p)
{
    if (p->root->element->flat_element)
        dl__edit_flat(u, n, p, false);
    else if (p->type->kind == DL__T_STRUCT)
        edit_load(u, n, p);
    else if (p->type->kind == DL__T_ARRAY)
        dl__refuse(u, n->begin, "an array member of '%s' is used as a pointer",
                   p->root->name);
    else
        edit_leaf(u, n, p, false);
}

size_t dl__edit_store(struct dl__unit *u, struct dl__node *n, const struct dl__access *p,
                      const char **close)
{
    return dl__edit_call(u, n, p, "", accessor_name(u, n, p, DL__STORE), close);
}

/* ---- indices: element pointers rewritten ---- */

static void edit_sum(struct dl__unit *u, struct dl__node *n, bool converted)
{
    struct dl__node *left = n->children[0], *right = n->children[1];
    const char *cast = converted ? "" : "(dl_index)";
    size_t op = dl__skip(u, left->end), operand;

    if (!dl__root_of(u, left)) {
        dl__walk(u, left);
        dl__edit_index(u, right, false);
        return;
    }
    if (dl__text_at(u, op) != n->op[0])
        dl__refuse(u, n->begin, "this expression's extent is not understood");
    operand = dl__skip(u, op + 1);
    if (!dl__is_base(u, left)) {
        dl__edit_index(u, left, false);
        dl__walk(u, right);
    } else if (dl__op_is(n, "+")) {
        dl__replace(u, n->begin, operand, dl__format(u, "%s(", cast));
        dl__walk(u, right);
        dl__replace(u, n->end, n->end, ")");
    } else {
        dl__replace(u, n->begin, operand, "((dl_index)0 - (");
        dl__walk(u, right);
        dl__replace(u, n->end, n->end, "))");
    }
}

/* Rewrites an element pointer to the index of the struct it points to. Unless its value
 * is `converted` to dl_index by where it stands, it is made one. */
void dl__edit_index(struct dl__unit *u, struct dl__node *n, bool converted)
{
    const struct dl__root *root = dl__root_of(u, n);
    struct dl__variable *v;
    struct dl__access place;

    if (root && root->width) {
        dl__edit_row_index(u, n);
        return;
    }
    switch (n->kind) {
    case DL__N_PAREN:
    case DL__N_IMPLICIT:
        dl__edit_index(u, n->children[0], converted);
        return;
    case DL__N_NAME:
        v = dl__variable_of(u, n);
        if (v->kind == DL__INDEX)
            return;
        dl__replace(u, n->begin, n->end,
                    v->root->has_index ? dl__format(u, "dl_at_%s", v->name) : "0");
        return;
    case DL__N_CAST:
        dl__replace(u, n->begin, n->children[0]->begin, converted ? "" : "(dl_index)");
        dl__edit_index(u, n->children[0], converted);
        return;
    case DL__N_UNARY:
        if (dl__op_is(n, "&")) {
            const char *close;
            size_t at;

            dl__find_place(u, n->children[0], &place);
            at = edit_struct_index(u, &place, n->begin, converted ? "(" : "(dl_index)(",
                                   &close);
            dl__replace(u, at, n->end, dl__format(u, "%s)", close));
            return;
        }
        dl__edit_index(u, n->children[0], false);
        return;
    case DL__N_COMPOUND:
        dl__edit_index(u, n->children[0], false);
        dl__walk(u, n->children[1]);
        return;
    case DL__N_CONDITIONAL:
        dl__walk(u, n->children[0]);
        dl__edit_index(u, n->children[1], false);
        dl__edit_index(u, n->children[2], false);
        return;
    default:
        if (dl__op_is(n, "=")) {
            struct dl__root *to = dl__root_of(u, n->children[0]);

            if (dl__root_of(u, n->children[1]) != to)
                dl__refuse(u, n->begin, "a pointer into '%s' is set from something else",
                           to->name);
            dl__edit_index(u, n->children[0], false);
            dl__edit_index(u, n->children[1], true);
            return;
        }
        edit_sum(u, n, converted);
    }
}

/* ---- pointers to one leaf ---- */

static const char *const leaf_functions[] = {"atomic_", "atom_", "fract",  "modf",
                                             "sincos",  "frexp", "remquo", "lgamma_r"};

/* A builtin that touches only what its pointer points to. */
bool dl__touches_one_leaf(const char *name)
{
    for (size_t i = 0; i < sizeof leaf_functions / sizeof *leaf_functions; i++)
        if (!strncmp(name, leaf_functions[i], strlen(leaf_functions[i])))
            return true;
    return false;
}

bool dl__reaches_neighbours(const char *name)
{
    static const char *const builtins[] = {"vload", "vstore", "async_work_group_",
                                           "prefetch"};

    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
        if (!strncmp(name, builtins[i], strlen(builtins[i])))
            return true;
    return false;
}

/* `&place` of a scalar or vector, or a variable that holds one, through casts to elements
 * of the same size. */
bool dl__is_leaf_pointer(struct dl__unit *u, struct dl__node *n)
{
    struct dl__variable *v;
    struct dl__access place;
    struct dl__node *inner = n;
    uint32_t bytes;

    while ((inner->kind == DL__N_PAREN || inner->kind == DL__N_IMPLICIT ||
            inner->kind == DL__N_CAST) &&
           inner->child_count == 1)
        inner = inner->children[0];
    v = dl__variable_of(u, inner);
    if (v && v->kind == DL__LEAF) {
        bytes = v->leaf_bytes;
    } else if (inner->kind == DL__N_UNARY && dl__op_is(inner, "&") &&
               dl__find_place(u, inner->children[0], &place) &&
               (place.step_count || place.root->element->flat_element) &&
               (place.type->kind == DL__T_SCALAR || place.type->kind == DL__T_VECTOR)) {
        bytes = place.type->bytes;
    } else {
        return false;
    }
    for (struct dl__node *at = n; at != inner; at = at->children[0]) {
        const struct dl__type *type = dl__type_of(u, at);

        if (type->kind != DL__T_POINTER)
            return false;
        if (type->element->bytes != bytes)
            dl__refuse(u, at->begin, "a member is viewed as elements of another size");
    }
    return true;
}

void dl__edit_leaf_pointer(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__type *type = dl__type_of(u, n);
    bool reads_only = type->kind == DL__T_POINTER && type->element->is_const;
    struct dl__access place;

    while (n->kind == DL__N_PAREN || n->kind == DL__N_IMPLICIT || n->kind == DL__N_CAST)
        n = n->children[0];
    if (n->kind == DL__N_NAME)
        return;
    dl__find_place(u, n->children[0], &place);
    place.root->written |= !reads_only;
    if (place.root->element->flat_element)
        dl__edit_flat(u, n, &place, true);
    else
        edit_leaf(u, n, &place, true);
}

static bool touches_one_leaf(struct dl__unit *u, struct dl__function *f, size_t parameter,
                             unsigned depth);

/* Without parentheses, conversions, and casts to pointers to elements of the same size. */
static struct dl__node *strip_views(struct dl__unit *u, struct dl__node *n)
{
    for (;;) {
        const struct dl__type *to, *from;

        n = dl__strip(n);
        if (n->kind != DL__N_CAST || n->child_count != 1)
            return n;
        to = dl__type_of(u, n);
        from = dl__type_of(u, n->children[0]);
        if (to->kind != DL__T_POINTER || from->kind != DL__T_POINTER ||
            !to->element->bytes || to->element->bytes != from->element->bytes)
            return n;
        n = n->children[0];
    }
}

/* True when every mention of the variable declared at `declared_at` is `*p`, `p[0]`, or
 * an argument that a builtin or function reaches that way. */
static bool only_dereferenced(struct dl__unit *u, struct dl__node *n, size_t declared_at,
                              unsigned depth)
{
    struct dl__node *inner = n->child_count ? strip_views(u, n->children[0]) : NULL;
    size_t begin, end;

    if (n->kind == DL__N_NAME)
        return n->declared_at != declared_at;
    if (inner && inner->kind == DL__N_NAME && inner->declared_at == declared_at) {
        if (n->kind == DL__N_UNARY && dl__op_is(n, "*"))
            return true;
        if (n->kind == DL__N_SUBSCRIPT) {
            dl__bracket_range(u, n, &begin, &end);
            return end - begin == 1 && dl__text_at(u, begin) == '0';
        }
        if (n->kind != DL__N_PAREN && n->kind != DL__N_IMPLICIT)
            return false;
    }
    for (size_t i = 0; i < n->child_count; i++) {
        struct dl__node *child = strip_views(u, n->children[i]);

        if (n->kind == DL__N_CALL && i && child->kind == DL__N_NAME &&
            child->declared_at == declared_at) {
            struct dl__function *f = dl__ast_callee(u->tracker->ast, n);

            if (f ? depth > 8 || !touches_one_leaf(u, f, i - 1, depth + 1)
                  : !dl__touches_one_leaf(n->name))
                return false;
        } else if (!only_dereferenced(u, n->children[i], declared_at, depth)) {
            return false;
        }
    }
    return true;
}

static bool touches_one_leaf(struct dl__unit *u, struct dl__function *f, size_t parameter,
                             unsigned depth)
{
    return f->is_defined && parameter < f->parameter_count &&
           only_dereferenced(u, dl__ast_body(u->tracker->ast, f),
                             f->parameters[parameter].name_at, depth);
}

bool dl__parameter_touches_one_leaf(struct dl__unit *u, struct dl__function *f,
                                    size_t parameter)
{
    return touches_one_leaf(u, f, parameter, 0);
}
