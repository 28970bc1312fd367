/* SPDX-License-Identifier: MIT */
/* Structs by their index, and indices into grids, split into the dimensions where they
 * stand: `x + nx * (y + ny * z)` is z, y and x, and nothing is divided when the kernel
 * runs. */
#include "annotate/forms/forms.h"

#include <string.h>

#include "annotate/text/lex.h"
#include "annotate/tree/resolve.h"
#include "annotate/values/integer.h"
#include "layout/words.h"

/* The innermost one that a variable is declared in, which declares it anew each time it
 * is entered. */
static struct dl__block block_of(struct dl__unit *u, const struct dl__node *declaration)
{
    const struct dl__node *n = declaration->parent;

    while (n && !(n->kind == DL__N_STATEMENT && dl__text_at(u, n->begin) == '{' &&
                  n->end && dl__text_at(u, n->end - 1) == '}'))
        n = n->parent;
    return n ? (struct dl__block){n->begin, n->end} : (struct dl__block){0, SIZE_MAX};
}

struct split {
    size_t count;
    struct dl__polynomial
        parts[DL_GRID_DIMS_MAX]; /* of each dimension, the slowest first */
    /* The sum of the parts is the index only where the extents are what the names in it
     * suggest. */
    bool is_guess;
};

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

/* One line, without comments. */
static const char *flatten_text(struct dl__unit *u, const char *text, size_t bytes)
{
    struct dl__lexer lexer = {.text = text, .bytes = bytes};
    struct dl__buf out = {.arena = u->tracker->arena};
    struct dl__token t;
    size_t end = 0;

    dl__buf_puts(&out, "");
    while ((t = dl__lex_over_lines(&lexer)).kind != DL__END) {
        if (out.count && t.offset != end)
            dl__buf_puts(&out, " ");
        dl__buf_add(&out, t.text, t.bytes);
        end = t.offset + t.bytes;
    }
    return out.items;
}

static bool is_simple(const struct dl__node *n)
{
    while (n->kind == DL__N_IMPLICIT && n->child_count == 1)
        n = n->children[0];
    return n->kind == DL__N_NAME || n->kind == DL__N_PAREN || n->kind == DL__N_CALL ||
           n->kind == DL__N_SUBSCRIPT || n->kind == DL__N_MEMBER ||
           (n->kind == DL__N_OTHER && !n->child_count);
}

static bool can_name(struct dl__unit *u, struct dl__node *n,
                     const struct dl__block *block)
{
    const struct dl__type *type = dl__type_of(u, n);

    return n->kind == DL__N_NAME && !type->is_volatile && n->name && n->name[0] &&
           !dl__variable_of(u, n) &&
           (!block ||
            (!is_shared(type) && !dl__count_changes(u, n->declared_at, *block) &&
             dl__is_declared_once(u, n->name, n->declared_at)));
}

/* True of names, constants, operators and calls of what only gives a number. */
static bool can_repeat(struct dl__unit *u, struct dl__node *n,
                       const struct dl__block *block)
{
    static const char operators[] = "+ - * / % & | ^ << >> < <= > >= == != && ||",
                      calls[] = "get_global_id get_local_id get_group_id get_global_size "
                                "get_local_size get_num_groups get_global_offset";
    bool is_call = n->kind == DL__N_CALL;
    const struct dl__type *of;
    int64_t constant;

    if (!is_scalar(dl__type_of(u, n)))
        return false;
    if (dl__literal_of(u, n, &constant))
        return true;
    switch (n->kind) {
    case DL__N_NAME:
        return can_name(u, n, block);
    case DL__N_MEMBER:
        of = n->child_count == 1 ? dl__type_of(u, n->children[0]) : NULL;
        return of && (of->kind == DL__T_STRUCT || of->kind == DL__T_VECTOR) &&
               can_name(u, n->children[0], block);
    case DL__N_UNARY:
        if (!dl__is_in("- + ~ !", n->op, strlen(n->op)))
            return false;
        break;
    case DL__N_BINARY:
        if (!dl__is_in(operators, n->op, strlen(n->op)))
            return false;
        break;
    case DL__N_CALL:
        if (!n->name || !dl__is_in(calls, n->name, strlen(n->name)) ||
            dl__ast_callee(u->tracker->ast, n))
            return false;
        break;
    case DL__N_PAREN:
    case DL__N_IMPLICIT:
    case DL__N_CAST:
    case DL__N_CONDITIONAL:
        break;
    default:
        return false;
    }
    for (size_t i = is_call; i < n->child_count; i++)
        if (!can_repeat(u, n->children[i], block))
            return false;
    return n->child_count > is_call;
}

/* The expression as text that is one operand; NULL: it can't be evaluated once more. With
 * a block, it is to stand anywhere in it behind where it does: its names must mean the
 * same there and have the same value. */
static const char *repeat_text(struct dl__unit *u, struct dl__node *n,
                               const struct dl__block *block)
{
    const struct dl__type *type = dl__type_of(u, n), *own = dl__type_of(u, dl__strip(n));
    const char *text;

    if (n->end - n->begin > BYTES_MAX || !can_repeat(u, n, block))
        return NULL;
    text = flatten_text(u, u->tracker->ast->text + n->begin, n->end - n->begin);
    if (own->scalar != type->scalar || own->bytes != type->bytes)
        return dl__format(u, "((%s)(%s))", dl__type_text(type->name), text);
    return is_simple(n) ? text : dl__format(u, "(%s)", text);
}

/* Indices into grids, split into dimensions: the sum is divided by one extent after
 * the other, the fastest first (Horner's rule backwards). What remains of a division
 * belongs to that dimension, whether or not it is below the extent: the generated text
 * looks. */

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
    /* The text that is printed has to be valid anywhere in it behind the index itself;
     * NULL: at the index. */
    const struct dl__block *block;
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
                       struct dl__polynomial *out)
{
    struct dl__choice choice = {origin->node->children[0], NULL, NULL};
    struct dl__polynomial *yes = DL__NEW(r->arena, struct dl__polynomial),
                          *no = DL__NEW(r->arena, struct dl__polynomial);
    size_t yes_ids, no_ids;

    if (!add_sum(r, &origin->of[0]->sum, r->block, yes) ||
        !add_sum(r, &origin->of[1]->sum, r->block, no))
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
        !repeat_text(r->unit, choice.condition, r->block))
        return false;
    choice.yes = yes;
    choice.no = no;
    DL__PUSH(r->arena, &out->choices, choice);
    return true;
}

/* Modulo 2^32, which conversions between integers of 32 and 64 bits leave as it is: who
 * works with 64 bits compares the sum with the index. With `whole`, a choice is not taken
 * apart. */
static bool add_atom(const void *user, const struct dl__atom *atom, bool whole,
                     struct dl__polynomial *out)
{
    const struct reader *r = user;
    const struct dl__origin *origin = atom->origin;
    struct dl__polynomial_term term = {1, {atom}, 1};

    if (dl__is_conversion_of(origin))
        return origin->type->bytes >= 4 && add_sum(r, &origin->of[0]->sum, r->block, out);
    if (origin->of[1] && !whole && (r->deep || text_of(r->unit, atom, r->block)) &&
        add_choice(r, origin, out))
        return true;
    return (r->deep || text_of(r->unit, atom, r->block)) &&
           dl__polynomial_add_term(r->arena, out, term);
}

/* Adds the sum; false where a part of it can't be printed. */
static bool add_sum(const struct reader *r, const struct dl__polynomial *sum,
                    const struct dl__block *block, struct dl__polynomial *out)
{
    struct reader in_block = *r;

    in_block.block = block;
    return dl__polynomial_replace(r->arena, sum, add_atom, &in_block, out);
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
        block = block_of(r->unit, n);
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
    inner = block_of(u, declaration);
    return read_pointer(r, declaration->children[declaration->child_count - 1], root,
                        &inner, out);
}

static bool read_place(const struct reader *r, const struct dl__access *p,
                       struct dl__polynomial *out)
{
    for (size_t i = 0; i < p->array_count; i++)
        if (p->array_step[i] > INT32_MAX ||
            !read_index(r, p->array_index[i], NULL, (int64_t)p->array_step[i], out))
            return false;
    if (p->root->is_far && r->deep && !p->array_count)
        return dl__begins_each(r->unit, p->pointer) &&
               (!p->index || read_index(r, p->index, NULL, 1, out));
    return p->array_count ||
           (!p->root->is_far && !p->root->is_part && dl__root_of(r->unit, p->pointer) &&
            read_pointer(r, p->pointer, dl__root_of(r->unit, p->pointer), NULL, out) &&
            (!p->index || read_index(r, p->index, NULL, 1, out)));
}

/* The first of the extents is that of the slowest dimension, by which nothing is divided.
 */
static bool divide_all(struct dl__unit *u, const struct dl__polynomial *extents,
                       const struct dl__polynomial *index, struct split *out)
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
static bool is_flat(const struct split *split)
{
    return dl__polynomial_is_zero(&split->parts[0]) &&
           (split->count < 3 || dl__polynomial_is_zero(&split->parts[1]));
}

/* Splits the index of a place in a grid. With `deep`, its variables are seen through as
 * far as they never change. False: it can't be, and *reason says why. */
static bool split_place(struct dl__unit *u, const struct dl__access *p, bool deep,
                        struct split *out, const char **reason)
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

/* The parts as arguments, each after a comma. */
static const char *split_text(struct dl__unit *u, const struct split *split)
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

static bool make_matrix(struct dl__unit *u, const struct split *split,
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
        reason = "its accesses depend on the ids in different ways";
    if (!reason && !pattern->any)
        pattern->access = *access;
    pattern->any = true;
    pattern->obstacle = reason;
}

/* Adds an access to what is known of the grid's. */
static void pattern_add(struct dl__unit *u, const struct dl__access *p)
{
    struct dl_grid_access access;
    struct split split = {0};
    const char *reason = NULL;

    if (u->new_name)
        reason = "a helper reaches it";
    else if (split_place(u, p, true, &split, &reason))
        reason = make_matrix(u, &split, &access)
                     ? NULL
                     : "an index does not depend on the work-items' ids";
    if (!p->root->is_far)
        add(p->root->pattern, split.count, &access, reason);
    /* It is of each of the buffers that it may be of. */
    for (size_t i = 0; p->root->is_far && i < u->root_count; i++)
        if (dl__far_are_alike(&u->roots[i], p->root))
            add(u->roots[i].pattern, split.count, &access, reason);
}

/* True when its text, or that of an implicit conversion of it, must stand in parentheses
 * to be an argument. */
static bool needs_parentheses(const struct dl__node *n)
{
    while (n->kind == DL__N_IMPLICIT && n->child_count == 1)
        n = n->children[0];
    return n->kind == DL__N_BINARY && (dl__op_is(n, ",") || !n->op[0]);
}

static size_t index_edit_struct(struct dl__unit *u, const struct dl__access *p, size_t at,
                                const char *before, const char **close);

static void index_edit(struct dl__unit *u, struct dl__node *n, bool converted);

const char *dl__rewritten(struct dl__unit *u, struct dl__node *n, size_t begin,
                          size_t end)
{
    struct dl__edits outer = u->edits;
    struct dl__buf out = {.arena = u->tracker->arena};
    size_t at = begin;
    bool good;

    memset(&u->edits, 0, sizeof u->edits);
    u->nested++;
    dl__walk(u, n);
    u->nested--;
    dl__buf_puts(&out, "");
    good = dl__edits_finish(&u->edits) &&
           dl__edits_print(&u->edits, u->tracker->expanded, begin, end, DL__EXPRESSION,
                           &out, &at);
    u->edits = outer;
    if (!good)
        dl__refuse(u, n->begin, "this index is not understood");
    return dl__format(u, needs_parentheses(n) ? "(%s)" : "%s",
                      flatten_text(u, out.items, out.count));
}

/* ---- Numbers of bytes that are added to a pointer (dl__bytes_counted). ---- */

/* True when a term of a sum is a multiple of `structs`, as soon as the product of the
 * arguments in it is one of *modulus; NULL: whatever they are. */
static bool find_whole(struct dl__unit *u, const struct dl__polynomial_term *term,
                       int64_t structs, struct dl__whole *out)
{
    struct dl__tracker *t = u->tracker;
    const char *product = NULL, *ignored;

    *out = (struct dl__whole){
        NULL, (uint32_t)(structs / dl__common_divisor(structs, term->coefficient))};
    if (out->modulus == 1)
        return true;
    for (size_t i = 0; i < term->count && !u->new_name; i++) {
        size_t number = term->atoms[i]->origin->parameter;
        const char *name =
            number == SIZE_MAX ? NULL : u->function->parameters[number].name;

        if (name)
            product = product ? dl__format(u, "%s * %s", product, name) : name;
    }
    if (product)
        out->dimension = dl__resolve_dimension(t->arena, u->function, product, &ignored);
    return out->dimension != NULL;
}

static void add_whole(struct dl__unit *u, struct dl__root *root, struct dl__whole whole)
{
    for (size_t i = 0; i < root->wholes.count; i++)
        if (root->wholes.items[i].modulus == whole.modulus &&
            !strcmp(root->wholes.items[i].dimension, whole.dimension))
            return;
    DL__PUSH(u->tracker->arena, &root->wholes, whole);
}

/* Refuses a number of `bytes` each of which no launch can say that it is whole structs;
 * returns how many of them are one. */
static uint32_t check_bytes(struct dl__unit *u, struct dl__root *root, struct dl__node *n,
                            uint32_t bytes)
{
    const struct dl__integer *value = dl__integer_of(dl__scope_make(u), n);
    bool whole = !value->sum.choices.count && root->element->bytes % bytes == 0 &&
                 (value->is_exact || dl__type_of(u, n)->bytes == 8);
    uint32_t structs = root->element->bytes / bytes;
    struct dl__whole condition;

    for (size_t i = 0; i < value->sum.terms.count && whole; i++) {
        whole = find_whole(u, &value->sum.terms.items[i], structs, &condition);
        if (condition.dimension)
            add_whole(u, root, condition);
    }
    if (!whole)
        dl__refuse(u, n->begin,
                   "a pointer into '%s' is moved by bytes that no launch can tell to be "
                   "whole structs of %u",
                   root->name, root->element->bytes);
    return structs;
}

/* Rewrites what is added to `pointer` to a number of structs. Bytes are a multiple of a
 * struct's, so that a shift and a product divide them: of what has passed 2^64, too, but
 * for the highest bits. */
static void edit_number(struct dl__unit *u, struct dl__node *pointer, struct dl__node *n)
{
    uint32_t bytes = dl__bytes_counted(u, pointer), structs;
    uint64_t inverse = 1;
    int shift;

    if (!bytes) {
        dl__walk(u, n);
        return;
    }
    structs = check_bytes(u, dl__root_of(u, pointer), n, bytes);
    shift = __builtin_ctz(structs);
    for (int i = 0; i < 6; i++)
        inverse *= 2 - (structs >> shift) * inverse;
    dl__replace(u, n->begin, n->begin, shift ? "(dl_index)((long)(" : "(dl_index)(");
    dl__walk(u, n);
    dl__replace(u, n->end, n->end,
                dl__format(u, "%s%s", shift ? dl__format(u, ") >> %d)", shift) : ")",
                           inverse == 1 ? ""
                                        : dl__format(u, " * (dl_index)%#llxul",
                                                     (unsigned long long)inverse)));
}

/* A pointer into a buffer of its own. */
static void edit_near(struct dl__unit *u, struct dl__node *n)
{
    const char *name = dl__root_of(u, n)->name;

    dl__replace(u, n->begin, n->begin, dl__format(u, "dl_far_at(%s, ", name));
    dl__root_of(u, n)->form->edit_index(u, n, true);
    dl__replace(u, n->end, n->end, dl__format(u, " DL_ARGS(%s))", name));
}

typedef void edit_fn(struct dl__unit *u, struct dl__node *n);

/* Rewrites `pointer + number` and `number + pointer` to calls of functions that begin
 * with `name`; a number counts `scale`. */
static void edit_sum(struct dl__unit *u, struct dl__node *n, edit_fn *edit,
                     const char *name, const char *scale)
{
    struct dl__node *left = n->children[0], *right = n->children[1];

    if (dl__bytes_counted(u, n))
        dl__refuse(u, n->begin, "a pointer into '%s' is moved by bytes",
                   dl__root_of(u, n)->name);
    dl__operator_at(u, n);
    if (dl__root_of(u, left)) {
        dl__replace(u, n->begin, left->begin, dl__format(u, "%s_moved(", name));
        edit(u, left);
        dl__replace(u, left->end, right->begin,
                    dl__op_is(n, "+") ? ", (dl_index)(" : ", (dl_index)0 - (dl_index)(");
        dl__walk(u, right);
        dl__replace(u, right->end, n->end, dl__format(u, ")%s)", scale));
    } else {
        dl__replace(u, n->begin, left->begin,
                    dl__format(u, "%s_beyond((dl_index)(", name));
        dl__walk(u, left);
        dl__replace(u, left->end, right->begin, dl__format(u, ")%s, ", scale));
        edit(u, right);
        dl__replace(u, right->end, n->end, ")");
    }
}

static void check_assignment(struct dl__unit *u, struct dl__node *n)
{
    struct dl__root *to = dl__root_of(u, n->children[0]);

    if (!dl__variable_of(u, dl__strip(n->children[0])) ||
        !dl__can_be_set_to(u, to, n->children[1]))
        dl__refuse(u, n->begin, "a pointer into '%s' is set from something else",
                   to->name);
}

static void edit_assignment(struct dl__unit *u, struct dl__node *n, edit_fn *edit)
{
    check_assignment(u, n);
    edit(u, n->children[0]);
    edit(u, n->children[1]);
}

/* Rewrites a pointer that is another in parentheses, cast, or one of two. */
static bool edit_inner(struct dl__unit *u, struct dl__node *n, edit_fn *edit)
{
    if (n->kind == DL__N_CONDITIONAL) {
        dl__walk(u, n->children[0]);
        edit(u, n->children[1]);
        edit(u, n->children[2]);
        return true;
    }
    if (n->kind == DL__N_CAST)
        dl__replace(u, n->begin, n->children[0]->begin, "");
    else if (n->kind != DL__N_PAREN && n->kind != DL__N_IMPLICIT)
        return false;
    edit(u, n->children[0]);
    return true;
}

/* `&pointer[index]`, `&*pointer` */
static void edit_address_of(struct dl__unit *u, struct dl__node *n)
{
    struct dl__access place;
    size_t begin, end;

    dl__find_place(u, n->children[0], &place);
    dl__replace(u, n->begin, place.pointer->begin, place.index ? "dl_far_moved(" : "(");
    dl__far_edit(u, place.pointer);
    if (!place.index) {
        dl__replace(u, place.pointer->end, n->end, ")");
        return;
    }
    dl__bracket_range(u, place.index_host, &begin, &end);
    dl__replace(u, place.pointer->end, begin, ", (dl_index)(");
    dl__walk(u, place.index);
    dl__replace(u, end, n->end, "))");
}

/* A helper returns a pointer into one of its buffers, or an index into the buffer that it
 * was given. */
static void edit_call(struct dl__unit *u, struct dl__node *n)
{
    struct dl__node *from = dl__far_returned_argument(u, n);

    if (from)
        dl__replace(u, n->begin, n->begin,
                    dl__format(u, "dl_far_set(%s, ", dl__far_name(u, from)));
    u->call = n;
    dl__walk(u, n);
    if (from)
        dl__replace(u, n->end, n->end, ")");
}

void dl__far_edit(struct dl__unit *u, struct dl__node *n)
{
    struct dl__root *root = dl__root_of(u, n);

    if (!root)
        dl__edit_null(u, n, "dl_far_none()");
    else if (!root->is_far)
        edit_near(u, n);
    else if (edit_inner(u, n, dl__far_edit))
        return;
    else if (n->kind == DL__N_NAME)
        dl__replace(u, n->begin, n->end, dl__far_name(u, n));
    else if (n->kind == DL__N_CALL)
        edit_call(u, n);
    else if (n->kind == DL__N_BINARY && dl__op_is(n, "="))
        edit_assignment(u, n, dl__far_edit);
    else if (n->kind == DL__N_BINARY)
        edit_sum(u, n, dl__far_edit, "dl_far", "");
    else if (n->kind == DL__N_UNARY && dl__op_is(n, "&"))
        edit_address_of(u, n);
    else
        dl__refuse(u, n->begin,
                   "a pointer into '%s' is changed where it is used; change it in a "
                   "statement of its own",
                   root->name);
}

/* Rewrites one to the arguments for a helper, as index_edit_argument. */
static void far_edit_argument(struct dl__unit *u, struct dl__node *n, size_t begin,
                              size_t end)
{
    const char *name = dl__far_name(u, n);

    dl__replace(u, begin, n->begin,
                dl__format(u, "%s, ", dl__far_base(u, dl__root_of(u, n), name)));
    index_edit(u, n, true);
    dl__replace(u, n->end, end, dl__format(u, " DL_FAR_ARGS(%s)", name));
}

/* The variable of a parameter that is changed to point into another buffer; NULL: it is
 * not. */
static const struct dl__variable *far_parameter(const struct dl__unit *u,
                                                const struct dl__root *root)
{
    size_t declared_at = u->function->parameters[root->parameter].name_at;

    for (const struct dl__variable *v = u->variables; v; v = v->next)
        if (v->declared_at == declared_at && v->root && v->root->is_far)
            return v;
    return NULL;
}

const char *dl__far_entry(struct dl__unit *u, const struct dl__root *root)
{
    const struct dl__variable *v = far_parameter(u, root);
    const char *index = "0";

    if (!v)
        return "";
    if (u->new_name && root->form->edit_base)
        index = dl__format(u, "dl_row_%1$s * dl_w_%1$s + dl_at_%1$s", v->name);
    else if (u->new_name)
        index = dl__format(u, "dl_at_%s", v->name);
    return dl__format(u, " dl_far dl_far_%1$s = dl_far_at(%1$s, %2$s DL_ARGS(%1$s));",
                      v->name, index);
}

/* Refuses to move a pointer to a single member. */
static void check_moved(struct dl__unit *u, const struct dl__node *n,
                        const struct dl__root *root)
{
    if (root->is_single)
        dl__refuse(u, n->begin,
                   "a pointer to a member of '%s' that is not an array is moved",
                   root->name);
}

/* Pointers to parts of structs: a struct's index and an offset in it, a dl_part. */

/* The offset of a place from what its pointer points to, as it is put together from left
 * to right. */
struct offset {
    const char *before; /* what stands before the next term */
    const char *close;  /* what stands first where the text goes on */
    size_t at;          /* where that is */
};

static void add_term(struct dl__unit *u, struct offset *o, struct dl__node *host,
                     struct dl__node *index, uint32_t bytes)
{
    size_t begin, end;

    dl__bracket_range(u, host, &begin, &end);
    dl__replace(u, o->at, begin, dl__format(u, "%s%s(dl_index)(", o->close, o->before));
    dl__walk(u, index);
    o->close = dl__format(u, ") * %u", bytes);
    o->before = " + ";
    o->at = end;
}

/* ---- places ---- */

/* As index_edit_struct, of a place that such a pointer leads to. */
static size_t part_edit_pointer(struct dl__unit *u, const struct dl__access *p, size_t at,
                                const char *before, const char **close)
{
    struct dl__node *pointer = p->pointer;
    uint32_t bytes = p->root->element_type->bytes;
    size_t begin, end = pointer->end;

    *close = "";
    if (!p->index || dl__is_null(u, p->index)) {
        dl__replace(u, at, pointer->begin, before);
        dl__part_edit(u, pointer);
        if (p->index) {
            dl__bracket_range(u, p->index_host, &begin, &end);
            dl__replace(u, pointer->end, end, "");
        }
        return end;
    }
    check_moved(u, pointer, p->root);
    dl__bracket_range(u, p->index_host, &begin, &end);
    dl__replace(u, at, pointer->begin, dl__format(u, "%sdl_moved(", before));
    dl__part_edit(u, pointer);
    dl__replace(u, pointer->end, begin, ", (dl_index)(");
    dl__walk(u, p->index);
    *close = dl__format(u, ") * %u)", bytes);
    return end;
}

void dl__part_edit_place(struct dl__unit *u, struct dl__node *n,
                         const struct dl__access *p)
{
    struct offset o = {.before = ", "};
    bool starts = !p->root->is_part;
    uint32_t constant = 0;

    if (p->root->is_part && !p->step_count) {
        o.at = part_edit_pointer(u, p, n->begin, "", &o.close);
        dl__replace(u, o.at, n->end, o.close);
        return;
    }
    o.at =
        index_edit_struct(u, p, n->begin, starts ? "dl_part_at(" : "dl_moved(", &o.close);
    for (size_t i = 0; i < p->step_count; i++) {
        if (p->steps[i].field)
            constant += p->steps[i].field->offset_bytes;
        else if (p->step_index[i])
            add_term(u, &o, p->step_host[i], p->step_index[i], p->steps[i].type->bytes);
    }
    dl__replace(u, o.at, n->end, dl__format(u, "%s%s%u)", o.close, o.before, constant));
}

/* ---- pointers ---- */

/* The variable that is changed, as it is called in the output. */
static const char *changed_name(struct dl__unit *u, struct dl__node *n)
{
    struct dl__variable *v = dl__variable_of(u, dl__strip(n));

    if (!v)
        dl__refuse(u, n->begin, "this change of a pointer is not understood");
    return v->kind == DL__ROOT ? dl__format(u, "dl_at_%s", v->name) : v->name;
}

/* ++ and --, += and -=; the value is used unless it is a statement. */
static void edit_step(struct dl__unit *u, struct dl__node *n, bool is_statement)
{
    const struct dl__root *root = dl__root_of(u, n);
    const char *name = changed_name(u, n->children[0]), *behind = "";
    uint32_t bytes = root->element_type->bytes;
    char sign = n->op[0];

    check_moved(u, n, root);
    if (!is_statement)
        behind = n->postfix ? dl__format(u, ", dl_moved(%s, (dl_index)0 %c %u))", name,
                                         sign == '+' ? '-' : '+', bytes)
                            : dl__format(u, ", %s)", name);
    name = dl__format(u, "%s%s.dl_o %c= ", is_statement ? "" : "(", name, sign);
    if (dl__is_step(n)) {
        dl__replace(u, n->begin, n->end, dl__format(u, "%s%u%s", name, bytes, behind));
        return;
    }
    if (!dl__op_is(n, "+=") && !dl__op_is(n, "-="))
        dl__refuse(u, n->begin, "this change of a pointer is not understood");
    dl__replace(u, n->begin, n->children[1]->begin, dl__format(u, "%s(dl_index)(", name));
    dl__walk(u, n->children[1]);
    dl__replace(u, n->children[1]->end, n->end, dl__format(u, ") * %u%s", bytes, behind));
}

void dl__part_edit(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__root *root = dl__root_of(u, n);
    struct dl__variable *v;
    struct dl__access place;

    if (!root) {
        dl__edit_null(u, n, "dl_part_at(DL_NULL, 0)");
        return;
    }
    if (edit_inner(u, n, dl__part_edit))
        return;
    switch (n->kind) {
    case DL__N_NAME:
        v = dl__variable_of(u, n);
        if (v->kind == DL__ROOT)
            dl__replace(u, n->begin, n->end, dl__format(u, "dl_at_%s", v->name));
        return;
    case DL__N_UNARY:
    case DL__N_COMPOUND:
        if (!dl__op_is(n, "&")) {
            edit_step(u, n, false);
            return;
        }
        /* fallthrough */
    case DL__N_MEMBER:
    case DL__N_SUBSCRIPT:
        dl__find_place(u, n->kind == DL__N_UNARY ? n->children[0] : n, &place);
        dl__part_edit_place(u, n, &place);
        return;
    case DL__N_CALL:
        u->call = n;
        dl__walk(u, n);
        return;
    default:
        if (dl__op_is(n, "=")) {
            edit_assignment(u, n, dl__part_edit);
            return;
        }
        check_moved(u, n, root);
        edit_sum(u, n, dl__part_edit, "dl",
                 dl__format(u, " * %u", root->element_type->bytes));
    }
}

/* Members of a struct that is handed on, where they may be another pointer than the
 * buffer's argument (track/context.h): the index is how far the program's own pointer is
 * from the argument. */

bool dl__is_moved(struct dl__unit *u, struct dl__node *n)
{
    if (!u->contexts.count)
        return false;
    n = dl__strip(n);
    return dl__is_moved_member(
        u,
        (dl__is_assignment(n) || dl__is_step(n)) && n->child_count ? n->children[0] : n);
}

/* Rewrites any pointer into the buffer, or null, to the program's pointer, which a member
 * is set to. */
static void edit_pointer(struct dl__unit *u, const struct dl__root *root,
                         struct dl__node *n)
{
    struct dl__root *of = dl__root_of(u, n);

    if (!of && dl__is_null(u, n))
        return;
    if (of != root)
        dl__refuse(u, n->begin,
                   of ? "a member can point into '%s' and into '%s'"
                      : "a pointer into '%s' is set from something else",
                   root->name, of ? of->name : "");
    if (dl__is_moved(u, n) || dl__is_base(u, n)) {
        dl__moved_keep(u, n);
        return;
    }
    dl__replace(u, n->begin, n->begin,
                dl__format(u, "(%s %s *)dl_pointer(%s, ", dl__space_name(root->space),
                           dl__type_text(root->element_type->name), root->name));
    root->form->edit_index(u, n, true);
    dl__replace(u, n->end, n->end, dl__format(u, ", %u)", root->element_type->bytes));
}

void dl__moved_keep(struct dl__unit *u, struct dl__node *n)
{
    n = dl__strip(n);
    if (n->kind == DL__N_MEMBER) {
        dl__walk(u, n->children[0]);
    } else if (dl__is_assignment(n) || dl__is_step(n)) {
        dl__moved_keep(u, n->children[0]);
        if (n->kind == DL__N_COMPOUND)
            dl__walk(u, n->children[1]);
        else if (n->kind == DL__N_BINARY)
            edit_pointer(u, dl__root_of(u, n->children[0]), n->children[1]);
    }
}

/* Rewrites one to an index. One that `may_be_null` is looked at twice. */
static void moved_edit_index(struct dl__unit *u, struct dl__node *n, bool may_be_null)
{
    const struct dl__root *root = dl__root_of(u, n);
    const char *text;

    if (may_be_null && root->form->null && n->kind == DL__N_MEMBER) {
        if (!dl__is_pure(u, n) || u->nested > DL__TWICE_DEPTH_MAX)
            dl__refuse(u, n->begin,
                       "'%s' may be null, and what is before it changes something",
                       n->name);
        text = dl__rewritten(u, n->children[0], n->begin, n->end);
        dl__replace(u, n->begin, n->end,
                    dl__format(u, "(%s ? (dl_index)(%s - %s) : %s)", text, text,
                               root->name, root->form->null));
        return;
    }
    dl__replace(u, n->begin, n->begin, "(dl_index)((");
    dl__moved_keep(u, n);
    dl__replace(u, n->end, n->end, dl__format(u, ") - %s)", root->name));
}

/* Returns the member that the i-th value in braces sets; NULL: none that stands for a
 * buffer. */
static const struct dl__context *braces_set(struct dl__unit *u, struct dl__node *n,
                                            size_t i)
{
    const struct dl__type *type = u->contexts.count ? dl__type_of(u, n) : NULL;
    struct dl__braces_item item;

    if (!type || type->kind != DL__T_STRUCT || !dl__braces_item(u, n, i, &item))
        return NULL;
    return dl__context_of(u, type->identity, type->identity->fields[item.number].name);
}

void dl__moved_walk_braces(struct dl__unit *u, struct dl__node *n)
{
    for (size_t i = 0; i < n->child_count; i++) {
        const struct dl__context *c = braces_set(u, n, i);
        struct dl__braces_item item;

        if (!c) {
            dl__walk(u, n->children[i]);
            continue;
        }
        dl__braces_item(u, n, i, &item);
        edit_pointer(u, dl__variable_at(u, c->declared_at)->root, item.value);
    }
}

/* Pointers that are one index, a dl_index: of forms whose structs or elements are
 * counted by one number. */

/* ---- places ---- */

/* A pointer that is none to null: something is reached through it, or is counted from it.
 */
static void index_edit_pointer(struct dl__unit *u, struct dl__node *n, bool converted)
{
    if (dl__is_moved(u, n))
        moved_edit_index(u, dl__strip(n), false);
    else
        index_edit(u, n, converted);
}

/* `f[z][y][x]` becomes (dl_index)(z) * (ny * nx) + (dl_index)(y) * nx + (dl_index)(x):
 * modulo its size, as pointers add up. */
static size_t edit_arrays(struct dl__unit *u, const struct dl__access *p, size_t at,
                          const char *before)
{
    size_t begin, end = at;

    for (size_t i = 0; i < p->array_count; i++) {
        dl__bracket_range(u, p->array_host[i], &begin, &end);
        dl__replace(u, at, begin,
                    i ? dl__format(u, ") * %llu + (dl_index)(",
                                   (unsigned long long)p->array_step[i - 1])
                      : dl__format(u, "%s(dl_index)(", before));
        dl__walk(u, p->array_index[i]);
        at = end;
    }
    dl__replace(u, at, end, ")");
    return end;
}

/* Edits from `at` on: puts `before` there, the struct index, and returns where the text
 * goes on. *close is what must stand first there. */
static size_t index_edit_struct(struct dl__unit *u, const struct dl__access *p, size_t at,
                                const char *before, const char **close)
{
    bool is_base, paren;
    size_t begin, end;

    if (p->root->is_part)
        return part_edit_pointer(u, p, at, before, close);
    *close = "";
    if (p->array_count)
        return edit_arrays(u, p, at, before);
    if (!p->index) {
        if (dl__is_base(u, p->pointer)) {
            dl__replace(u, at, p->pointer->end, dl__format(u, "%s0", before));
        } else {
            dl__replace(u, at, p->pointer->begin, before);
            index_edit_pointer(u, p->pointer, true);
        }
        return p->pointer->end;
    }
    dl__bracket_range(u, p->index_host, &begin, &end);
    is_base = dl__is_base(u, p->pointer);
    paren = is_base ? needs_parentheses(p->index) : !is_simple(p->index);
    if (!is_base) {
        bool pointer_paren = !is_simple(p->pointer);

        dl__replace(u, at, p->pointer->begin,
                    pointer_paren ? dl__format(u, "%s(", before) : before);
        index_edit_pointer(u, p->pointer, false);
        at = p->pointer->end;
        before = pointer_paren ? ") + " : " + ";
    }
    dl__replace(u, at, begin, paren ? dl__format(u, "%s(", before) : before);
    dl__walk(u, p->index);
    *close = paren ? ")" : "";
    return end;
}

/* `behind` comes behind the struct's index. */
static size_t edit_arguments(struct dl__unit *u, struct dl__node *n,
                             const struct dl__access *p, const char *before,
                             const char *behind, const char **separator_out)
{
    const char *separator;
    size_t at = index_edit_struct(u, p, n->begin, before, &separator);

    separator = dl__format(u, "%s%s", separator, behind);
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

static size_t index_edit_arguments(struct dl__unit *u, struct dl__node *n,
                                   const struct dl__access *p, const char *before,
                                   const char **separator_out)
{
    return edit_arguments(u, n, p, before, "", separator_out);
}

/* Returns the text behind the index of a grid's element that is split into dimensions;
 * NULL: it is none, or is divided when the kernel runs. */
static const char *ranked_of(struct dl__unit *u, struct dl__node *n,
                             const struct dl__access *p)
{
    struct split split;
    const char *reason;

    if (!p->root->extent_count)
        return NULL;
    pattern_add(u, p);
    if (!split_place(u, p, false, &split, &reason)) {
        DL__PUSH(u->tracker->arena, &u->divided,
                 ((struct dl__divided){n->begin, p->root, reason}));
        return NULL;
    }
    return dl__format(u, ", %d%s)", split.is_guess, split_text(u, &split));
}

/* Turns a place into `name(base, index, k... DL_ARGS(base)` and returns where the text
 * goes on; the caller puts *close and what closes the call there. */
static size_t index_edit_call(struct dl__unit *u, struct dl__node *n,
                              const struct dl__access *p, const char *before,
                              const char *name, const char **close)
{
    const char *separator, *far = p->root->is_far ? dl__far_name(u, p->pointer) : NULL;
    const char *base = far ? dl__far_base(u, p->root, far) : dl__root_base(u, p->root);
    const char *ranked = ranked_of(u, n, p), *open = "";
    size_t at;

    if (ranked)
        open = dl__format(u, "DL_RANK%zu(%s, ", p->root->extent_count, p->root->name);
    at = edit_arguments(u, n, p, dl__format(u, "%s%s(%s, %s", before, name, base, open),
                        ranked ? ranked : "", &separator);
    *close = far ? dl__format(u, "%s DL_FAR_ARGS(%s)", separator, far)
                 : dl__format(u, "%s DL_%s(%s)", separator, ranked ? "RANKED" : "ARGS",
                              p->root->name);
    return at;
}

/* ---- pointers ---- */

static void index_edit_sum(struct dl__unit *u, struct dl__node *n, bool converted)
{
    struct dl__node *left = n->children[0], *right = n->children[1];
    const char *cast = converted ? "" : "(dl_index)";
    size_t operand;

    if (!dl__root_of(u, left)) {
        edit_number(u, n, left);
        index_edit_pointer(u, right, false);
        return;
    }
    operand = dl__operator_at(u, n);
    operand = dl__skip(u, operand + 1);
    if (!dl__is_base(u, left)) {
        index_edit_pointer(u, left, false);
        edit_number(u, n, right);
    } else if (dl__op_is(n, "+")) {
        dl__replace(u, n->begin, operand, dl__format(u, "%s(", cast));
        edit_number(u, n, right);
        dl__replace(u, n->end, n->end, ")");
    } else {
        dl__replace(u, n->begin, operand, "((dl_index)0 - (");
        edit_number(u, n, right);
        dl__replace(u, n->end, n->end, "))");
    }
}

/* `&pointer[index]` */
static void index_edit_address_of(struct dl__unit *u, struct dl__node *n, bool converted)
{
    struct dl__access place;
    const char *close;
    size_t at;

    dl__find_place(u, n->children[0], &place);
    at = index_edit_struct(u, &place, n->begin, converted ? "(" : "(dl_index)(", &close);
    dl__replace(u, at, n->end, dl__format(u, "%s)", close));
}

static void edit_name(struct dl__unit *u, struct dl__node *n, const struct dl__root *root)
{
    const struct dl__variable *v = dl__variable_of(u, n);

    if (root->is_far)
        dl__replace(u, n->begin, n->end, dl__format(u, "%s.dl_i", dl__far_name(u, n)));
    else if (v->kind != DL__INDEX)
        dl__replace(u, n->begin, n->end,
                    v->root->has_index ? dl__format(u, "dl_at_%s", v->name) : "0");
}

static void index_edit(struct dl__unit *u, struct dl__node *n, bool converted)
{
    struct dl__root *root = dl__root_of(u, n);

    if (!root) {
        dl__edit_null(u, n, "DL_NULL");
        return;
    }
    if (root->is_part) {
        dl__part_edit(u, n);
        return;
    }
    if (n->kind != DL__N_PAREN && n->kind != DL__N_IMPLICIT && dl__is_moved(u, n)) {
        moved_edit_index(u, n, true);
        return;
    }
    switch (n->kind) {
    case DL__N_PAREN:
    case DL__N_IMPLICIT:
        index_edit(u, n->children[0], converted);
        return;
    case DL__N_CALL:
        u->call = n;
        dl__walk(u, n);
        return;
    case DL__N_NAME:
    case DL__N_MEMBER:
        edit_name(u, n, root);
        return;
    case DL__N_SUBSCRIPT: /* of an array of indices */
        dl__walk(u, n->children[1]);
        return;
    case DL__N_CAST:
        dl__replace(u, n->begin, n->children[0]->begin, converted ? "" : "(dl_index)");
        index_edit(u, n->children[0], converted);
        return;
    case DL__N_UNARY:
        if (dl__op_is(n, "&"))
            index_edit_address_of(u, n, converted);
        else
            index_edit(u, n->children[0], false);
        return;
    case DL__N_COMPOUND:
        index_edit(u, n->children[0], false);
        edit_number(u, n, n->children[1]);
        return;
    case DL__N_CONDITIONAL:
        dl__walk(u, n->children[0]);
        index_edit(u, n->children[1], false);
        index_edit(u, n->children[2], false);
        return;
    default:
        if (!dl__op_is(n, "=")) {
            index_edit_sum(u, n, converted);
            return;
        }
        check_assignment(u, n);
        index_edit(u, n->children[0], false);
        index_edit(u, n->children[1], true);
    }
}

static void index_edit_argument(struct dl__unit *u, struct dl__node *n, size_t begin,
                                size_t end)
{
    const struct dl__root *root = dl__root_of(u, n);
    const char *name = root->name;

    if (root->is_far) {
        far_edit_argument(u, n, begin, end);
        return;
    }
    dl__replace(u, begin, n->begin,
                root->is_part || root->is_cast
                    ? dl__format(u, "(%s %s *)%s, ", dl__space_name(root->space),
                                 dl__type_text(root->element_type->name), name)
                    : dl__format(u, "%s, ", name));
    index_edit(u, n, true);
    dl__replace(u, n->end, end, dl__format(u, " DL_ARGS(%s)", name));
}

static void index_edit_change(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__root *root = dl__root_of(u, n);

    if (dl__op_is(n, "=") && (root->is_part || root->is_far))
        edit_assignment(u, n, root->is_part ? dl__part_edit : dl__far_edit);
    else if (root->is_part)
        edit_step(u, n, true);
    else
        index_edit(u, n, true);
}

static void index_edit_variable(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__variable *v = dl__variable_at(u, n->declared_at);

    for (size_t i = 0; i < n->child_count; i++) {
        if (v && v->root->is_part)
            dl__part_edit(u, n->children[i]);
        else if (v && v->root->is_far)
            dl__far_edit(u, n->children[i]);
        else
            index_edit(u, n->children[i], true);
    }
}

/* ---- functions ---- */

static const char *index_parameters(struct dl__unit *u, const struct dl__root *root)
{
    return dl__format(u, ", %s dl_at_%s DL_PARAMS(%s)",
                      root->is_part ? "dl_part" : "dl_index", root->name, root->name);
}

static const char *index_base(struct dl__unit *u, const struct dl__root *root,
                              const struct dl__variable *v)
{
    return dl__format(u, ", %s DL_ARGS(%s)",
                      root->has_index ? dl__format(u, "dl_at_%s", v->name) : "0",
                      root->name);
}

static const char *index_entry(struct dl__unit *u, const struct dl__root *root)
{
    return root->has_index && !far_parameter(u, root)
               ? dl__format(u, " dl_index dl_at_%s = 0;", root->name)
               : "";
}

/* ---- what is said of it ---- */

static const char *describe(struct dl__arena *arena, const struct dl__root *root)
{
    size_t leaves = 0;
    const char *reason;

    if (root->form == &dl__form_flat)
        return dl__arena_format(arena, "elements of %u byte%s", root->element->bytes,
                                dl_plural(root->element->bytes));
    dl__struct_leaves(arena, root->element, &leaves, &reason);
    return dl__arena_format(arena, "structs '%s' of %u byte%s with %zu field%s",
                            dl__struct_tag(arena, root->element), root->element->bytes,
                            dl_plural(root->element->bytes), leaves, dl_plural(leaves));
}

/* The members of a form whose pointers are such. */
#define DL__INDEX_OPERATIONS                                                             \
    .edit_index = index_edit, .edit_argument = index_edit_argument,                      \
    .edit_change = index_edit_change, .edit_variable = index_edit_variable,              \
    .parameters = index_parameters, .base = index_base, .entry = index_entry,            \
    .describe = describe

/* ---- Flat buffers whose rows are one element each. ---- */

static void flat_edit_element(struct dl__unit *u, struct dl__node *n,
                              const struct dl__access *p, const char *before,
                              const char *after)
{
    const char *name = dl__use_element(u, n, p->root, &dl__kinds.any)->name, *close;
    size_t at;

    if (p->index_host && p->index_host->kind == DL__N_CALL) {
        size_t begin, end;

        dl__index_range(u, p->index_host, p->index, &begin, &end);
        dl__replace(u, n->begin, n->end,
                    dl__format(u, "%s%s(%s, %s DL_ARGS(%s))%s", before, name,
                               p->root->name, dl__rewritten(u, p->index, begin, end),
                               p->root->name, after));
        return;
    }
    at = index_edit_call(u, n, p, before, name, &close);
    dl__replace(u, at, n->end, dl__format(u, "%s)%s", close, after));
}

const struct dl__form dl__form_flat = {
    .edit_element = flat_edit_element, .any = &dl__kinds.any, DL__INDEX_OPERATIONS};

/* ---- Buffers of structs: accesses are calls of accessors for each member. ---- */

/* True when a member of a packed struct is aligned in tiles wherever it is in all
 * structs, so that its address will do where the program's does: a tile's arrays begin at
 * multiples of its members' offsets. */
static bool is_aligned_in_tiles(const struct dl__access *p)
{
    uint32_t offset_bytes = 0;

    for (size_t i = 0; i < p->step_count; i++)
        if (p->steps[i].field)
            offset_bytes += p->steps[i].field->offset_bytes;
    return !p->root->is_part && p->type->bytes && offset_bytes % p->type->bytes == 0;
}

/* Rewrites a scalar or vector place to a value, or to its address. */
static void edit_leaf(struct dl__unit *u, struct dl__node *n, const struct dl__access *p,
                      bool address)
{
    const struct dl__accessor *a;
    const char *close;
    size_t at;
    bool packed =
        p->type->bytes > 1 && dl__struct_is_packed(u->tracker->arena, p->root->element);

    if (packed && address && !is_aligned_in_tiles(p))
        dl__refuse(u, n->begin, "the address of a member of a packed struct is taken");
    if (packed || (!address && dl__place_crosses_union(p))) {
        a = dl__use_place(u, n, p, packed ? &dl__kinds.packed : &dl__kinds.aliased);
        at = index_edit_call(u, n, p, address ? "(&" : "(", a->name, &close);
        dl__replace(u, at, n->end, dl__format(u, "%s)->dl_v)", close));
        return;
    }
    a = dl__use_place(u, n, p, &dl__kinds.address);
    at = index_edit_call(u, n, p, address ? "" : "(*", a->name, &close);
    dl__replace(u, at, n->end, dl__format(u, "%s%s", close, address ? ")" : "))"));
}

/* Structs with padding are handed to their accessors by pointers. */
static void edit_load(struct dl__unit *u, struct dl__node *n, const struct dl__access *p)
{
    bool open = dl__struct_has_open_bytes(p->type->identity);
    const struct dl__accessor *a = dl__use_place(u, n, p, &dl__kinds.load);
    const char *close, *before = open ? dl__format(u, "({ %s dl_s; ", a->type->name) : "";
    size_t at = index_edit_call(u, n, p, before, a->name, &close);

    dl__replace(u, at, n->end,
                dl__format(u, open ? "%s, &dl_s); dl_s; })" : "%s)", close));
}

static void structs_edit_value(struct dl__unit *u, struct dl__node *n,
                               const struct dl__access *p)
{
    if (p->type->kind == DL__T_STRUCT)
        edit_load(u, n, p);
    else if (p->type->kind == DL__T_ARRAY)
        dl__refuse(u, n->begin, "an array member of '%s' is used as a pointer",
                   p->root->name);
    else
        edit_leaf(u, n, p, false);
}

static void structs_edit_address(struct dl__unit *u, struct dl__node *n,
                                 const struct dl__access *p)
{
    edit_leaf(u, n, p, true);
}

static size_t edit_store(struct dl__unit *u, struct dl__node *n,
                         const struct dl__access *p, const char **before,
                         const char **behind)
{
    bool open = dl__struct_has_open_bytes(p->type->identity);
    bool used = n->parent->parent && n->parent->parent->kind != DL__N_STATEMENT;
    const struct dl__accessor *a = dl__use_place(u, n, p, &dl__kinds.store);
    const char *close, *front = open ? dl__format(u, "({ %s dl_s; ", a->type->name) : "";
    size_t at = index_edit_call(u, n, p, front, a->name, &close);

    *before = dl__format(u, open ? "%s, (dl_s = " : "%s, ", close);
    *behind = !open ? ")" : used ? ", &dl_s)); dl_s; })" : ", &dl_s)); })";
    return at;
}

const struct dl__form dl__form_structs = {.null = "DL_NULL",
                                          .edit_value = structs_edit_value,
                                          .edit_address = structs_edit_address,
                                          .edit_store = edit_store,
                                          .edit_arguments = index_edit_arguments,
                                          DL__INDEX_OPERATIONS};
