/* SPDX-License-Identifier: MIT */
/* Indices as sums of products.
 *
 * Everything is read modulo 2^32, as conversions between integers of 32 and 64 bits leave it; who works with 64
 * bits compares the sum with the index. */
#include "annotate/forms/linear.h"

#include <string.h>

#include "annotate/forms/repeat.h"
#include "annotate/track/locals.h"
#include "annotate/track/node.h"

enum { DEPTH_MAX = 12 };

/* An expression on its way: inside a variable's value its names are read elsewhere in the block. */
struct reader {
    struct dl__linear *linear;
    struct dl__unit *unit;
    struct dl__arena *arena;
    unsigned depth;
    const struct dl__block *block; /* NULL: not in one */
    /* Of an index function, and what its parameters are; NULL: of the unit's own. */
    const struct dl__function *function;
    const struct dl__polynomial *arguments;
};

static bool read(struct reader *r, struct dl__node *n, struct dl__polynomial *out);

static bool is_integer(struct dl__unit *u, struct dl__node *n, uint32_t bytes_min)
{
    const struct dl__type *type = dl__type_of(u, n);

    return type->kind == DL__T_SCALAR && (type->scalar == 'i' || type->scalar == 'u') &&
           type->bytes >= bytes_min && !type->is_volatile;
}

/* ---- atoms ---- */

static struct dl__atom *add_atom(struct dl__linear *l, const char *text)
{
    struct dl__atom *atom = DL__NEW(l->unit->tracker->arena, struct dl__atom);

    atom->text = text;
    atom->declared_at = SIZE_MAX;
    atom->number = l->atom_count++;
    atom->next = l->atoms;
    l->atoms = atom;
    return atom;
}

const struct dl__atom *dl__linear_name(struct dl__linear *l, const char *name,
                                       size_t declared_at)
{
    struct dl__atom *atom = l->atoms;

    while (atom && (atom->declared_at != declared_at || strcmp(atom->text, name)))
        atom = atom->next;
    if (!atom) {
        atom = add_atom(l, name);
        atom->declared_at = declared_at;
    }
    return atom;
}

static bool add_one(struct reader *r, const struct dl__atom *atom,
                    struct dl__polynomial *out)
{
    struct dl__polynomial_term term = {1, {atom}, 1};

    return dl__polynomial_add_term(r->arena, out, term);
}

/* Expressions of one text are one. */
static bool read_atom(struct reader *r, struct dl__node *n, struct dl__polynomial *out)
{
    const char *text = dl__repeat(r->unit, n, r->block);
    struct dl__atom *atom = r->linear->atoms;

    if (!text || !is_integer(r->unit, n, 1))
        return false;
    while (atom && (atom->declared_at != SIZE_MAX || strcmp(atom->text, text)))
        atom = atom->next;
    if (!atom) {
        atom = add_atom(r->linear, text);
        atom->id = n->kind == DL__N_CALL ? n : NULL;
    }
    return add_one(r, atom, out);
}

/* ---- names ---- */

static bool is_wanted(const struct dl__linear *l, const struct dl__atom *atom)
{
    for (size_t i = 0; i < l->wanted_count; i++)
        if (l->wanted[i] == atom)
            return true;
    return false;
}

/* Products, and what has an extent in it: a variable that is no more than a sum is itself one index. */
static bool is_worth_it(const struct dl__linear *l, const struct dl__polynomial *p)
{
    if (l->deep || p->choices.count)
        return true;
    for (size_t t = 0; t < p->terms.count; t++) {
        const struct dl__polynomial_term *term = &p->terms.items[t];

        if (term->count > 1 ||
            (term->count && term->coefficient != 1 && term->coefficient != -1) ||
            (term->count && is_wanted(l, term->atoms[0])))
            return true;
    }
    return false;
}

/* The value that a variable has from its declaration on, until its block ends; NULL: none. */
static struct dl__node *value_of(struct reader *r, const struct dl__node *name,
                                 struct dl__block *block)
{
    struct dl__node *declaration;

    if (r->depth >= DEPTH_MAX || name->declared_at == SIZE_MAX ||
        dl__is_changed(r->unit, name->declared_at, &declaration) || !declaration ||
        !declaration->child_count)
        return NULL;
    *block = dl__block_of(r->unit, declaration);
    return declaration->children[declaration->child_count - 1];
}

static bool read_name(struct reader *r, struct dl__node *n, struct dl__polynomial *out)
{
    struct dl__block block;
    struct dl__node *value = value_of(r, n, &block);
    struct reader inner = *r;
    struct dl__polynomial seen = {{0}, {0}};

    if (!is_integer(r->unit, n, 1))
        return false;
    inner.depth++;
    inner.block = &block;
    if (value && is_integer(r->unit, n, 4) && is_integer(r->unit, value, 4) &&
        read(&inner, value, &seen) && is_worth_it(r->linear, &seen))
        return dl__polynomial_add(r->arena, out, &seen, 1);
    return dl__repeat(r->unit, n, r->block) &&
           add_one(r, dl__linear_name(r->linear, n->name, n->declared_at), out);
}

/* ---- expressions ---- */

static bool read_binary(struct reader *r, struct dl__node *n, struct dl__polynomial *out)
{
    struct dl__polynomial right = {{0}, {0}}, left = {{0}, {0}};

    if (!read(r, n->children[0], &left) || !read(r, n->children[1], &right))
        return false;
    if (dl__op_is(n, "*"))
        return dl__polynomial_multiply(r->arena, &left, &right, out);
    return dl__polynomial_add(r->arena, out, &left, 1) &&
           dl__polynomial_add(r->arena, out, &right, dl__op_is(n, "-") ? -1 : 1);
}

static size_t count_ids(const struct dl__polynomial *p)
{
    size_t count = 0;

    for (size_t t = 0; t < p->terms.count; t++)
        for (size_t a = 0; a < p->terms.items[t].count; a++)
            count += p->terms.items[t].atoms[a]->id != NULL;
    return count;
}

/* The branch that most work-items take. */
static bool read_usual(struct reader *r, struct dl__node *n, struct dl__polynomial *out)
{
    struct dl__polynomial yes = {{0}, {0}}, no = {{0}, {0}};
    bool has_yes = read(r, n->children[1], &yes), has_no = read(r, n->children[2], &no);
    size_t yes_ids = count_ids(&yes), no_ids = count_ids(&no);

    return has_yes && has_no &&
           dl__polynomial_add(r->arena, out,
                              yes_ids > no_ids || (yes_ids == no_ids &&
                                                   yes.terms.count <= no.terms.count)
                                  ? &yes
                                  : &no,
                              1);
}

static bool read_choice(struct reader *r, struct dl__node *n, struct dl__polynomial *out)
{
    struct dl__choice choice = {dl__repeat(r->unit, n->children[0], r->block), NULL,
                                NULL};
    struct dl__polynomial *yes = DL__NEW(r->arena, struct dl__polynomial),
                          *no = DL__NEW(r->arena, struct dl__polynomial);

    if (!choice.condition || !read(r, n->children[1], yes) ||
        !read(r, n->children[2], no) || yes->choices.count || no->choices.count)
        return false;
    choice.yes = yes;
    choice.no = no;
    DL__PUSH(r->arena, &out->choices, choice);
    return true;
}

/* What a function returns, where it does nothing else; NULL: it does. */
static struct dl__node *returned(struct dl__unit *u, struct dl__function *f)
{
    struct dl__node *body = f && f->is_defined ? dl__ast_body(u->tracker->ast, f) : NULL;

    return body && body->child_count == 1 && body->children[0]->kind == DL__N_RETURN &&
                   body->children[0]->child_count == 1
               ? body->children[0]->children[0]
               : NULL;
}

static bool is_index_type(const struct dl__type *type)
{
    return type->kind == DL__T_SCALAR && (type->scalar == 'i' || type->scalar == 'u') &&
           type->bytes >= 4 && !type->is_volatile;
}

/* An index function: the sum that it returns, of its arguments' sums. */
static bool read_call(struct reader *r, struct dl__node *n, struct dl__polynomial *out)
{
    struct dl__function *f = dl__ast_callee(r->unit->tracker->ast, n);
    struct dl__node *sum = returned(r->unit, f);
    struct reader inner = *r;
    struct dl__polynomial *arguments;

    if (!sum || f->parameter_count + 1 != n->child_count || r->depth >= DEPTH_MAX ||
        !is_index_type(f->result))
        return false;
    arguments = dl__arena_alloc(r->arena, n->child_count * sizeof *arguments);
    for (size_t i = 0; i < f->parameter_count; i++)
        if (!is_index_type(f->parameters[i].type) ||
            !read(r, n->children[i + 1], &arguments[i]))
            return false;
    inner.depth++;
    inner.function = f;
    inner.arguments = arguments;
    return read(&inner, sum, out);
}

/* A name in such a function. */
static bool read_parameter(struct reader *r, const struct dl__node *n,
                           struct dl__polynomial *out)
{
    for (size_t i = 0; i < r->function->parameter_count; i++)
        if (r->function->parameters[i].name_at == n->declared_at)
            return dl__polynomial_add(r->arena, out, &r->arguments[i], 1);
    return false;
}

static bool read_parts(struct reader *r, struct dl__node *n, struct dl__polynomial *out)
{
    switch (n->kind) {
    case DL__N_PAREN:
    case DL__N_IMPLICIT:
    case DL__N_CAST:
        return n->child_count == 1 && is_integer(r->unit, n, 4) &&
               is_integer(r->unit, n->children[0], 1) && read(r, n->children[0], out);
    case DL__N_NAME:
        return r->function ? read_parameter(r, n, out) : read_name(r, n, out);
    case DL__N_BINARY:
        return n->child_count == 2 && is_integer(r->unit, n, 4) &&
               (dl__op_is(n, "+") || dl__op_is(n, "-") || dl__op_is(n, "*")) &&
               read_binary(r, n, out);
    case DL__N_CONDITIONAL:
        return n->child_count == 3 && is_integer(r->unit, n, 4) &&
               (r->linear->deep ? read_usual(r, n, out) : read_choice(r, n, out));
    case DL__N_CALL:
        return read_call(r, n, out);
    default:
        return false;
    }
}

static bool read(struct reader *r, struct dl__node *n, struct dl__polynomial *out)
{
    struct dl__polynomial parts = {{0}, {0}};
    int64_t constant;

    if (dl__constant_of(r->unit, n, &constant))
        return dl__polynomial_add_term(r->arena, out,
                                       (struct dl__polynomial_term){constant, {NULL}, 0});
    if (r->function && n->kind == DL__N_CONDITIONAL)
        return false; /* its condition is the function's */
    if (read_parts(r, n, &parts))
        return dl__polynomial_add(r->arena, out, &parts, 1);
    if (n->kind == DL__N_UNARY && dl__op_is(n, "-") && is_integer(r->unit, n, 4) &&
        read(r, n->children[0], &parts))
        return dl__polynomial_add(r->arena, out, &parts, -1);
    return !r->function && read_atom(r, n, out);
}

/* ---- pointers ---- */

static bool read_pointer(struct reader *r, struct dl__node *n,
                         const struct dl__root *root, struct dl__polynomial *out)
{
    struct dl__polynomial right = {{0}, {0}};
    const struct dl__type *type = dl__type_of(r->unit, n);
    const struct dl__variable *v;
    struct dl__node *declaration, *value;
    struct dl__block block;
    struct reader inner = *r;

    if (type->kind != DL__T_POINTER || !dl__is_element(root, type->element) ||
        dl__root_of(r->unit, n) != root)
        return false;
    if ((n->kind == DL__N_PAREN || n->kind == DL__N_IMPLICIT) && n->child_count == 1)
        return read_pointer(r, n->children[0], root, out);
    if (dl__is_base(r->unit, n))
        return true;
    if (n->kind == DL__N_BINARY && n->child_count == 2 &&
        (dl__op_is(n, "+") || dl__op_is(n, "-"))) {
        bool first = dl__type_of(r->unit, n->children[0])->kind == DL__T_POINTER;

        return read_pointer(r, n->children[!first], root, out) &&
               (first || dl__op_is(n, "+")) && read(r, n->children[first], &right) &&
               dl__polynomial_add(r->arena, out, &right, dl__op_is(n, "-") ? -1 : 1);
    }
    if (n->kind == DL__N_UNARY && dl__op_is(n, "&")) {
        struct dl__node *place = dl__strip(n->children[0]);

        return place->kind == DL__N_SUBSCRIPT && place->child_count == 2 &&
               read_pointer(r, place->children[0], root, out) &&
               read(r, place->children[1], &right) &&
               dl__polynomial_add(r->arena, out, &right, 1);
    }
    v = n->kind == DL__N_NAME ? dl__variable_of(r->unit, n) : NULL;
    if (v && v->kind == DL__ROOT && r->unit->new_name)
        return !dl__is_changed(r->unit, n->declared_at, &declaration);
    value = v && v->kind == DL__INDEX ? value_of(r, n, &block) : NULL;
    inner.depth++;
    inner.block = &block;
    return value && read_pointer(&inner, value, root, out);
}

bool dl__linear_of_index(struct dl__linear *l, struct dl__node *n,
                         struct dl__polynomial *out)
{
    struct reader r = {l, l->unit, l->unit->tracker->arena, 0, NULL, NULL, NULL};

    return read(&r, n, out);
}

bool dl__linear_of_pointer(struct dl__linear *l, struct dl__node *n,
                           struct dl__polynomial *out)
{
    struct reader r = {l, l->unit, l->unit->tracker->arena, 0, NULL, NULL, NULL};
    const struct dl__root *root = dl__root_of(l->unit, n);

    return root && read_pointer(&r, n, root, out);
}
