/* SPDX-License-Identifier: MIT */
/* An index split into struct and member. */
#include "annotate/forms/split.h"

#include <string.h>

#include "annotate/text/lex.h"

/* The expression as text in parentheses, made from the tree: of names, constants,
 * operators and calls of what only gives a number. NULL: it can't be evaluated once more.
 * With a block, it is to stand anywhere in it behind where it does: its names must mean
 * the same there and have the same value. */
static const char *repeat_text(struct dl__unit *u, struct dl__node *n,
                               const struct dl__block *block);

enum { BYTES_MAX = 400 };

static bool is_scalar(const struct dl__type *type)
{
    return type->kind == DL__T_SCALAR && type->name && !type->is_volatile &&
           (type->scalar == 'i' || type->scalar == 'u' || type->scalar == 'b');
}

/* Other work-items may change it meanwhile. */
static bool is_shared(const struct dl__type *type)
{
    return type->address_space == DL__GLOBAL || type->address_space == DL__LOCAL;
}

static const char *repeat_name(struct dl__unit *u, struct dl__node *n,
                               const struct dl__block *block)
{
    const struct dl__type *type = dl__type_of(u, n);

    if (type->is_volatile || !n->name || !n->name[0] || dl__variable_of(u, n))
        return NULL;
    if (block && (is_shared(type) || dl__count_changes(u, n->declared_at, *block) ||
                  !dl__is_declared_once(u, n->name, n->declared_at)))
        return NULL;
    return n->name;
}

static const char *repeat_call(struct dl__unit *u, struct dl__node *n,
                               const struct dl__block *block)
{
    static const char known[] = "get_global_id get_local_id get_group_id get_global_size "
                                "get_local_size get_num_groups get_global_offset";
    const char *argument;

    if (!dl__is_in(known, n->name, strlen(n->name)) || n->child_count != 2 ||
        dl__ast_callee(u->tracker->ast, n))
        return NULL;
    argument = repeat_text(u, n->children[1], block);
    return argument ? dl__format(u, "%s(%s)", n->name, argument) : NULL;
}

static const char *repeat_binary(struct dl__unit *u, struct dl__node *n,
                                 const struct dl__block *block)
{
    static const char known[] = "+ - * / % & | ^ << >> < <= > >= == != && ||";
    const char *left = repeat_text(u, n->children[0], block),
               *right = repeat_text(u, n->children[1], block);

    return dl__is_in(known, n->op, strlen(n->op)) && left && right
               ? dl__format(u, "(%s %s %s)", left, n->op, right)
               : NULL;
}

static const char *repeat_member(struct dl__unit *u, struct dl__node *n,
                                 const struct dl__block *block)
{
    const struct dl__type *of = dl__type_of(u, n->children[0]);
    const char *base;

    if ((of->kind != DL__T_STRUCT && of->kind != DL__T_VECTOR) ||
        n->children[0]->kind != DL__N_NAME || dl__type_of(u, n)->is_volatile)
        return NULL;
    base = repeat_name(u, n->children[0], block);
    return base ? dl__format(u, "%s.%s", base, n->name) : NULL;
}

static const char *repeat_parts(struct dl__unit *u, struct dl__node *n,
                                const struct dl__block *block)
{
    const char *a, *b, *c;

    switch (n->kind) {
    case DL__N_NAME:
        return repeat_name(u, n, block);
    case DL__N_MEMBER:
        return n->child_count == 1 ? repeat_member(u, n, block) : NULL;
    case DL__N_PAREN:
        return n->child_count == 1 ? repeat_text(u, n->children[0], block) : NULL;
    case DL__N_IMPLICIT:
    case DL__N_CAST:
        a = n->child_count == 1 ? repeat_text(u, n->children[0], block) : NULL;
        return a ? dl__format(u, "((%s)%s)", dl__type_text(dl__type_of(u, n)->name), a)
                 : NULL;
    case DL__N_UNARY:
        if (n->postfix || !(dl__op_is(n, "-") || dl__op_is(n, "+") || dl__op_is(n, "~") ||
                            dl__op_is(n, "!")))
            return NULL;
        a = repeat_text(u, n->children[0], block);
        return a ? dl__format(u, "(%s%s)", n->op, a) : NULL;
    case DL__N_BINARY:
        return n->child_count == 2 ? repeat_binary(u, n, block) : NULL;
    case DL__N_CALL:
        return repeat_call(u, n, block);
    case DL__N_CONDITIONAL:
        a = repeat_text(u, n->children[0], block);
        b = repeat_text(u, n->children[1], block);
        c = repeat_text(u, n->children[2], block);
        return a && b && c ? dl__format(u, "(%s ? %s : %s)", a, b, c) : NULL;
    default:
        return NULL;
    }
}

static const char *repeat_text(struct dl__unit *u, struct dl__node *n,
                               const struct dl__block *block)
{
    const struct dl__type *type = dl__type_of(u, n);
    const char *text;
    int64_t constant;

    if (!is_scalar(type))
        return NULL;
    if (dl__literal_of(u, n, &constant))
        return dl__format(u, "((%s)%lld)", dl__type_text(type->name),
                          (long long)constant);
    text = repeat_parts(u, n, block);
    return text && strlen(text) <= BYTES_MAX ? text : NULL;
}

/* Indices into grids, split into dimensions: the sum is divided by one extent after
 * the other, the fastest first (Horner's rule backwards). What remains of a division
 * belongs to that dimension, whether or not it is below the extent: the generated text
 * looks. */

enum { SWAPPED_MAX = 16 };

/* How the indices of one access are read. */
struct reader {
    struct dl__unit *unit;
    struct dl__scope *scope;
    struct dl__arena *arena;
    /* Atoms of extents: variables with these in their value are seen through. */
    const struct dl__atom *wanted[DL_GRID_DIMS_MAX * 4];
    size_t wanted_count;
    /* All that never change are, and of each condition the branch with more ids, or fewer
     * terms, stands for it: what most work-items do. */
    bool deep;
};

/* ---- extents ---- */

/* Of arguments that can be named where the place is. */
static bool read_extent(struct reader *r, const char *text, struct dl__polynomial *out)
{
    struct dl__unit *u = r->unit;
    const struct dl__integer *value =
        dl__integer_of_dimension(r->scope, u->roots->grid_kernel, text);

    for (size_t t = 0; value && t < value->sum.terms.count; t++)
        for (size_t a = 0; a < value->sum.terms.items[t].count; a++) {
            const struct dl__atom *atom = value->sum.terms.items[t].atoms[a];
            size_t number = atom->origin->parameter;

            if (number == SIZE_MAX ||
                !dl__is_declared_once(u, u->function->parameters[number].name,
                                      atom->origin->declared_at))
                return false;
            if (r->wanted_count < sizeof r->wanted / sizeof *r->wanted)
                r->wanted[r->wanted_count++] = atom;
        }
    if (value)
        *out = value->sum;
    return value && !dl__polynomial_is_zero(out);
}

/* ---- values as they can be printed ---- */

static const char *text_of(struct dl__unit *u, const struct dl__atom *atom,
                           const struct dl__block *block)
{
    const struct dl__origin *origin = atom->origin;
    const struct dl__function *f = u->function;
    const char *name;

    if (origin->node)
        return origin->node->begin >= f->body_at && origin->node->end <= f->body_end
                   ? repeat_text(u, origin->node, block)
                   : NULL; /* an index function's */
    if (origin->parameter >= f->parameter_count)
        return NULL;
    name = f->parameters[origin->parameter].name;
    return !block || dl__is_declared_once(u, name, origin->declared_at) ? name : NULL;
}

static size_t count_ids(const struct dl__polynomial *p)
{
    size_t count = 0;

    for (size_t t = 0; t < p->terms.count; t++)
        for (size_t a = 0; a < p->terms.items[t].count; a++) {
            const struct dl__node *n = p->terms.items[t].atoms[a]->origin->node;

            count += n && n->kind == DL__N_CALL;
        }
    return count;
}

static bool add_sum(const struct reader *r, const struct dl__polynomial *sum,
                    const struct dl__block *block, struct dl__polynomial *out);

/* Of a choice what most work-items take, or both. False: its condition can't be printed,
 * or there are choices in it. */
static bool add_choice(const struct reader *r, const struct dl__origin *origin,
                       const struct dl__block *block, struct dl__polynomial *out)
{
    struct dl__choice choice = {origin->node->children[0], NULL, NULL};
    struct dl__polynomial *yes = DL__NEW(r->arena, struct dl__polynomial),
                          *no = DL__NEW(r->arena, struct dl__polynomial);
    size_t yes_ids, no_ids;

    if (!add_sum(r, &origin->of[0]->sum, block, yes) ||
        !add_sum(r, &origin->of[1]->sum, block, no))
        return false;
    yes_ids = count_ids(yes);
    no_ids = count_ids(no);
    if (r->deep)
        return dl__polynomial_add(
            r->arena, out,
            yes_ids > no_ids || (yes_ids == no_ids && yes->terms.count <= no->terms.count)
                ? yes
                : no,
            1);
    if (yes->choices.count || no->choices.count ||
        !repeat_text(r->unit, choice.condition, block))
        return false;
    choice.yes = yes;
    choice.no = no;
    DL__PUSH(r->arena, &out->choices, choice);
    return true;
}

struct printing {
    const struct reader *reader;
    const struct dl__block *block;
};

/* Modulo 2^32, which conversions between integers of 32 and 64 bits leave as it is: who
 * works with 64 bits compares the sum with the index. With `whole`, a choice is not taken
 * apart. */
static bool add_atom(const void *user, const struct dl__atom *atom, bool whole,
                     struct dl__polynomial *out)
{
    const struct reader *r = ((const struct printing *)user)->reader;
    const struct dl__block *block = ((const struct printing *)user)->block;
    const struct dl__origin *origin = atom->origin;
    struct dl__polynomial_term term = {1, {atom}, 1};

    if (dl__is_conversion_of(origin))
        return origin->type->bytes >= 4 && add_sum(r, &origin->of[0]->sum, block, out);
    if (origin->of[1] && !whole && (r->deep || text_of(r->unit, atom, block)) &&
        add_choice(r, origin, block, out))
        return true;
    return (r->deep || text_of(r->unit, atom, block)) &&
           dl__polynomial_add_term(r->arena, out, term);
}

/* Adds the sum; false where a part of it can't be printed. With a block, it is to stand
 * anywhere in it behind where it does. */
static bool add_sum(const struct reader *r, const struct dl__polynomial *sum,
                    const struct dl__block *block, struct dl__polynomial *out)
{
    struct printing printing = {r, block};

    return dl__polynomial_replace(r->arena, sum, add_atom, &printing, out);
}

/* Products, and what has an extent in it: a variable that is no more than a sum is itself
 * one index. */
static bool is_worth_it(const struct reader *r, const struct dl__polynomial *p)
{
    for (size_t t = 0; t < p->terms.count; t++) {
        const struct dl__polynomial_term *term = &p->terms.items[t];

        if (term->count > 1 ||
            (term->count && term->coefficient != 1 && term->coefficient != -1))
            return true;
        for (size_t i = 0; term->count && i < r->wanted_count; i++)
            if (r->wanted[i] == term->atoms[0])
                return true;
    }
    return p->choices.count > 0;
}

/* True when the value can stand in place of the variable, from its declaration on until
 * its block ends, or of the call where it stands. */
static bool sees_through(struct dl__scope *scope, struct dl__node *n,
                         const struct dl__integer *value)
{
    const struct reader *r = scope->evaluation->user;
    bool is_call = n->kind == DL__N_CALL;
    struct dl__polynomial seen = {{0}, {0}};
    struct dl__block block;

    if (r->deep || scope->depth)
        return true;
    if (!is_call)
        block = dl__block_of(r->unit, n);
    return add_sum(r, &value->sum, is_call ? NULL : &block, &seen) &&
           (is_call || is_worth_it(r, &seen));
}

/* ---- places ---- */

static bool read_index(const struct reader *r, struct dl__node *n,
                       const struct dl__block *block, int64_t factor,
                       struct dl__polynomial *out)
{
    struct dl__polynomial one = {{0}, {0}};

    return dl__is_integer_type(dl__type_of(r->unit, n)) &&
           add_sum(r, &dl__integer_of(r->scope, n)->sum, block, &one) &&
           dl__polynomial_add(r->arena, out, &one, factor);
}

/* How many elements a pointer is behind the beginning of the buffer, or in a helper
 * behind its parameter. */
static bool read_pointer(const struct reader *r, struct dl__node *n,
                         const struct dl__root *root, const struct dl__block *block,
                         struct dl__polynomial *out)
{
    struct dl__unit *u = r->unit;
    const struct dl__type *type = dl__type_of(u, n);
    const struct dl__variable *v;
    struct dl__node *declaration;
    struct dl__block inner;
    bool is_changed;

    if (type->kind != DL__T_POINTER || !dl__is_element(root, type->element) ||
        dl__root_of(u, n) != root)
        return false;
    if ((n->kind == DL__N_PAREN || n->kind == DL__N_IMPLICIT) && n->child_count == 1)
        return read_pointer(r, n->children[0], root, block, out);
    if (dl__is_base(u, n))
        return true;
    if (n->kind == DL__N_BINARY && n->child_count == 2 &&
        (dl__op_is(n, "+") || dl__op_is(n, "-"))) {
        bool first = dl__type_of(u, n->children[0])->kind == DL__T_POINTER;

        return read_pointer(r, n->children[!first], root, block, out) &&
               (first || dl__op_is(n, "+")) &&
               read_index(r, n->children[first], block, dl__op_is(n, "-") ? -1 : 1, out);
    }
    if (n->kind == DL__N_UNARY && dl__op_is(n, "&")) {
        struct dl__node *place = dl__strip(n->children[0]);

        return place->kind == DL__N_SUBSCRIPT && place->child_count == 2 &&
               read_pointer(r, place->children[0], root, block, out) &&
               read_index(r, place->children[1], block, 1, out);
    }
    v = n->kind == DL__N_NAME ? dl__variable_of(u, n) : NULL;
    is_changed = !v || dl__is_changed(u, n->declared_at, &declaration);
    if (v && v->kind == DL__ROOT && u->new_name)
        return !is_changed;
    if (is_changed || v->kind != DL__INDEX || !declaration || !declaration->child_count)
        return false;
    inner = dl__block_of(u, declaration);
    return read_pointer(r, declaration->children[declaration->child_count - 1], root,
                        &inner, out);
}

/* Pointers into one of several buffers that are being looked at. */
struct swapped {
    const struct reader *reader;
    size_t declared_at[SWAPPED_MAX];
    size_t count;
    bool is_other; /* one is set to something else than the beginning of a buffer */
};

static void look_at_sets(struct swapped *s, struct dl__node *n, size_t declared_at);

/* A pointer that may be one of several: to each buffer's beginning? */
static void look_at_pointer(struct swapped *s, struct dl__node *n)
{
    struct dl__unit *u = s->reader->unit;
    const struct dl__variable *v;
    size_t i = 0;

    n = dl__strip_casts(n);
    if (n->kind == DL__N_CONDITIONAL) {
        look_at_pointer(s, n->children[1]);
        look_at_pointer(s, n->children[2]);
        return;
    }
    v = n->kind == DL__N_NAME ? dl__variable_of(u, n) : NULL;
    if (!v || v->is_array || s->is_other) {
        s->is_other = true;
        return;
    }
    while (i < s->count && s->declared_at[i] != n->declared_at)
        i++;
    if (i < s->count)
        return;
    s->is_other |= s->count == SWAPPED_MAX;
    if (s->is_other)
        return;
    s->declared_at[s->count++] = n->declared_at;
    look_at_sets(s, dl__ast_body(u->tracker->ast, u->function), n->declared_at);
}

/* All that sets the variable in the node. */
static void look_at_sets(struct swapped *s, struct dl__node *n, size_t declared_at)
{
    struct dl__node *to = n->child_count ? dl__strip(n->children[0]) : n;
    bool is_its = to->kind == DL__N_NAME && to->declared_at == declared_at;

    if (n->kind == DL__N_VARIABLE && n->declared_at == declared_at && n->child_count)
        look_at_pointer(s, n->children[n->child_count - 1]);
    else if (is_its && n->kind == DL__N_BINARY && dl__op_is(n, "="))
        look_at_pointer(s, n->children[1]);
    else if (is_its && (n->kind == DL__N_COMPOUND || dl__is_step(n) ||
                        (n->kind == DL__N_UNARY && dl__op_is(n, "&"))))
        s->is_other = true;
    for (size_t i = 0; i < n->child_count && !s->is_other; i++)
        look_at_sets(s, n->children[i], declared_at);
}

/* True of a pointer into one of several buffers that is to the beginning of each: buffers
 * change places. */
static bool begins_each(const struct reader *r, struct dl__node *pointer)
{
    struct swapped s = {.reader = r};

    look_at_pointer(&s, pointer);
    return !s.is_other;
}

static bool read_place(const struct reader *r, const struct dl__access *p,
                       struct dl__polynomial *out)
{
    for (size_t i = 0; i < p->array_count; i++)
        if (p->array_step[i] > INT32_MAX ||
            !read_index(r, p->array_index[i], NULL, (int64_t)p->array_step[i], out))
            return false;
    if (p->root->is_far && r->deep && !p->array_count)
        return begins_each(r, p->pointer) &&
               (!p->index || read_index(r, p->index, NULL, 1, out));
    return p->array_count ||
           (!p->root->is_far && !p->root->is_part && dl__root_of(r->unit, p->pointer) &&
            read_pointer(r, p->pointer, dl__root_of(r->unit, p->pointer), NULL, out) &&
            (!p->index || read_index(r, p->index, NULL, 1, out)));
}

/* The first of the extents is that of the slowest dimension, by which nothing is divided.
 */
static bool divide_all(struct dl__unit *u, const struct dl__polynomial *extents,
                       const struct dl__polynomial *index, struct dl__split *out)
{
    struct dl__polynomial left = *index;

    for (size_t d = out->count - 1; d; d--) {
        struct dl__polynomial quotient = {{0}, {0}};

        if (!dl__polynomial_divide(u->tracker->arena, &left, &extents[d], true, &quotient,
                                   &out->parts[d]))
            return false;
        left = quotient;
    }
    out->parts[0] = left;
    return true;
}

/* An index that has but the fastest dimension counts all elements. */
static bool is_flat(const struct dl__split *split)
{
    return dl__polynomial_is_zero(&split->parts[0]) &&
           (split->count < 3 || dl__polynomial_is_zero(&split->parts[1]));
}

bool dl__split_place(struct dl__unit *u, const struct dl__access *p, bool deep,
                     struct dl__split *out, const char **reason)
{
    struct dl__polynomial extents[DL_GRID_DIMS_MAX] = {{{0}, {0}}}, index = {{0}, {0}};
    struct reader r = {
        .unit = u, .scope = dl__scope_make(u), .arena = u->tracker->arena, .deep = deep};

    memset(out, 0, sizeof *out);
    out->count = p->root->extent_count;
    out->is_guess = u->new_name != NULL;
    for (size_t d = 0; d < out->count; d++) {
        if (!read_extent(&r, p->root->extents[d], &extents[d])) {
            *reason = "an extent is not made of arguments that never change";
            return false;
        }
    }
    r.scope->evaluation->sees_through = sees_through;
    r.scope->evaluation->user = &r;
    if (!read_place(&r, p, &index)) {
        *reason = "the index is not a sum of products of variables";
        return false;
    }
    if (!divide_all(u, extents, &index, out)) {
        *reason = "the index has too many terms";
        return false;
    }
    *reason = "the index is not a sum over the dimensions";
    return p->array_count || !is_flat(out);
}

/* ---- text ---- */

/* As an expression of type dl_index, or a number. */
static void print_terms(struct dl__unit *u, struct dl__buf *out,
                        const struct dl__polynomial *p)
{
    bool any = false;

    /* Numbers last. */
    for (size_t i = 0; i < 2 * p->terms.count; i++) {
        const struct dl__polynomial_term *term = &p->terms.items[i % p->terms.count];
        int64_t size = term->coefficient < 0 ? -term->coefficient : term->coefficient;

        if ((i >= p->terms.count) == (term->count > 0))
            continue;
        dl__buf_puts(out, term->coefficient < 0 ? (any ? " - " : "-") : any ? " + " : "");
        any = true;
        if (size != 1 || !term->count)
            dl__buf_printf(out, "(dl_index)%lld%s", (long long)size,
                           term->count ? " * " : "");
        for (size_t a = 0; a < term->count; a++)
            dl__buf_printf(out, "%s(dl_index)%s", a ? " * " : "",
                           text_of(u, term->atoms[a], NULL));
    }
    if (!p->terms.count)
        dl__buf_puts(out, "0");
}

static void print_part(struct dl__unit *u, struct dl__buf *out,
                       const struct dl__polynomial *p)
{
    bool has_terms = p->terms.count || !p->choices.count;

    if (has_terms)
        print_terms(u, out, p);
    for (size_t c = 0; c < p->choices.count; c++) {
        dl__buf_printf(out, "%s(%s ? ", c || has_terms ? " + " : "",
                       repeat_text(u, p->choices.items[c].condition, NULL));
        print_terms(u, out, p->choices.items[c].yes);
        dl__buf_puts(out, " : ");
        print_terms(u, out, p->choices.items[c].no);
        dl__buf_puts(out, ")");
    }
}

const char *dl__split_text(struct dl__unit *u, const struct dl__split *split)
{
    struct dl__buf out = {.arena = u->tracker->arena};

    for (size_t d = 0; d < split->count; d++) {
        dl__buf_puts(&out, ", ");
        print_part(u, &out, &split->parts[d]);
    }
    return out.items;
}

/* The affine matrices of accesses to grids. What a grid's layout may follow does not
 * have to be exact: of conditions, as at the border of a grid, the branch counts that
 * most work-items take (split.h). */

/* The call of a function that the launch answers; NULL: the atom is none. */
static const struct dl__node *call_of(struct dl__unit *u, const struct dl__atom *atom)
{
    const struct dl__node *n = atom->origin->node;

    return n && n->kind == DL__N_CALL && !dl__ast_callee(u->tracker->ast, n) &&
                   n->child_count == 2
               ? n
               : NULL;
}

/* The column of an id; -1: it is none. */
static int column_of(struct dl__unit *u, const struct dl__atom *atom)
{
    static const struct {
        const char *name;
        int column;
    } ids[] = {{"get_group_id", DL_GRID_GROUP},
               {"get_local_id", DL_GRID_LOCAL},
               {"get_global_id", DL_GRID_GLOBAL}};
    const struct dl__node *call = call_of(u, atom);
    int64_t number;

    for (size_t i = 0; call && i < sizeof ids / sizeof *ids; i++)
        if (!strcmp(call->name, ids[i].name) &&
            dl__constant_of(u, call->children[1], &number) && number >= 0 && number < 3)
            return ids[i].column + (int)number;
    return -1;
}

/* A parameter, a size, or a variable that counts from a number: the same for all
 * work-items. */
static bool is_uniform(struct dl__unit *u, const struct dl__atom *atom)
{
    const struct dl__node *n = atom->origin->node, *call = call_of(u, atom);
    struct dl__node *declaration;
    int64_t number;

    if (call)
        return !strncmp(call->name, "get_", 4) && !strstr(call->name, "_id");
    if (!n || n->kind != DL__N_NAME)
        return atom->origin->parameter != SIZE_MAX;
    dl__is_changed(u, n->declared_at, &declaration);
    return declaration && declaration->child_count &&
           dl__constant_of(u, declaration->children[declaration->child_count - 1],
                           &number);
}

/* One of two, as red and black: `2 * x + ((y + c) & 1)` goes along with x. */
static bool is_colour(const struct dl__polynomial_term *term)
{
    struct dl__range range = term->atoms[0]->origin->range;

    return term->count == 1 && range.lo == 0 && range.hi == 1;
}

static bool add_terms(struct dl__unit *u, const struct dl__polynomial *p, int64_t *row,
                      int64_t *constant)
{
    for (size_t t = 0; t < p->terms.count; t++) {
        const struct dl__polynomial_term *term = &p->terms.items[t];
        int column = term->count == 1 ? column_of(u, term->atoms[0]) : -1;

        if (!term->count)
            *constant += term->coefficient;
        if (column >= 0)
            row[column] += term->coefficient;
        for (size_t a = 0; column < 0 && a < term->count; a++)
            if (!is_uniform(u, term->atoms[a]) && !is_colour(term))
                return false;
    }
    return true;
}

static bool make_matrix(struct dl__unit *u, const struct dl__split *split,
                        struct dl_grid_access *out)
{
    memset(out, 0, sizeof *out);
    for (size_t d = 0; d < split->count; d++) {
        const struct dl__polynomial *part = &split->parts[d];

        if (!add_terms(u, part, out->coefficients[d], &out->constants[d]))
            return false;
    }
    return true;
}

/* `reason`: why the access has no matrix; NULL: it is `access`. */
static void add(struct dl__pattern *pattern, size_t dims,
                const struct dl_grid_access *access, const char *reason)
{
    if (!pattern || pattern->obstacle)
        return;
    if (!reason && pattern->any &&
        !dl_grid_access_is_alike(&pattern->access, access, (uint32_t)dims))
        reason = "its accesses go along with the ids in different ways";
    if (!reason && !pattern->any)
        pattern->access = *access;
    pattern->any = true;
    pattern->obstacle = reason;
}

void dl__pattern_add(struct dl__unit *u, const struct dl__access *p)
{
    struct dl_grid_access access;
    struct dl__split split = {0};
    const char *reason = NULL;

    if (u->new_name)
        reason = "a helper reaches it";
    else if (dl__split_place(u, p, true, &split, &reason))
        reason = make_matrix(u, &split, &access)
                     ? NULL
                     : "an index does not go along with the work-items' ids";
    if (!p->root->is_far)
        add(p->root->pattern, split.count, &access, reason);
    /* It is of each of the buffers that it may be of. */
    for (size_t i = 0; p->root->is_far && i < u->root_count; i++)
        if (dl__far_are_alike(&u->roots[i], p->root))
            add(u->roots[i].pattern, split.count, &access, reason);
}
