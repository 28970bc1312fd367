/* SPDX-License-Identifier: MIT */
/* Indices into grids, split into dimensions: the sum is divided by one extent after the other, the fastest first
 * (Horner's rule backwards). What remains of a division belongs to that dimension, whether or not it is below
 * the extent: the generated text looks. */
#include "annotate/forms/split.h"

#include <string.h>

#include "annotate/forms/linear.h"
#include "annotate/text/lex.h"
#include "annotate/text/number.h"
#include "annotate/track/locals.h"

/* ---- extents ---- */

/* The text of an extent as the tables have it: numbers, arg(2, i4, 0), + - * and parentheses. */
struct extent_reader {
    struct dl__linear *linear;
    struct dl__lexer lexer;
    struct dl__token token; /* the next */
    bool failed;
};

static void next(struct extent_reader *r)
{
    do
        r->token = dl__lex_next(&r->lexer);
    while (r->token.kind == DL__NEWLINE);
}

static bool take(struct extent_reader *r, const char *what)
{
    bool there = dl__token_is(&r->token, what);

    if (there)
        next(r);
    return there;
}

static uint64_t take_number(struct extent_reader *r)
{
    uint64_t value = 0;
    bool is_unsigned;

    r->failed |= r->token.kind != DL__NUMBER ||
                 !dl__integer_read(r->token.text, r->token.bytes, &value, &is_unsigned) ||
                 value > INT32_MAX;
    next(r);
    return value;
}

/* The kernel's argument, or in a helper the parameter of that name. */
static const struct dl__atom *parameter(struct extent_reader *r, size_t number)
{
    struct dl__unit *u = r->linear->unit;
    const struct dl__root *root = u->roots;
    const struct dl__function *f = u->function, *kernel = root->grid_kernel;
    const char *name =
        number < kernel->parameter_count ? kernel->parameters[number].name : "";
    struct dl__node *declaration;

    for (size_t i = 0; i < f->parameter_count; i++)
        if (!strcmp(f->parameters[i].name, name) && *name &&
            !dl__is_changed(u, f->parameters[i].name_at, &declaration) &&
            dl__is_declared_once(u, name, f->parameters[i].name_at))
            return dl__linear_name(r->linear, name, f->parameters[i].name_at);
    return NULL;
}

static void read_sum(struct extent_reader *r, struct dl__polynomial *out);

static void read_argument(struct extent_reader *r, struct dl__polynomial *out)
{
    struct dl__polynomial_term term = {1, {NULL}, 1};
    size_t number;

    r->failed |= !take(r, "(");
    number = (size_t)take_number(r);
    r->failed |= !take(r, ",");
    next(r); /* its type, of which any integer will do */
    r->failed |= !take(r, ",") || take_number(r) != 0 || !take(r, ")");
    term.atoms[0] = r->failed ? NULL : parameter(r, number);
    r->failed |= !term.atoms[0] ||
                 !dl__polynomial_add_term(r->linear->unit->tracker->arena, out, term);
}

static void read_factor(struct extent_reader *r, struct dl__polynomial *out)
{
    if (take(r, "(")) {
        read_sum(r, out);
        r->failed |= !take(r, ")");
    } else if (take(r, "arg")) {
        read_argument(r, out);
    } else {
        struct dl__polynomial_term term = {(int64_t)take_number(r), {NULL}, 0};

        r->failed |= !dl__polynomial_add_term(r->linear->unit->tracker->arena, out, term);
    }
}

static void read_product(struct extent_reader *r, struct dl__polynomial *out)
{
    read_factor(r, out);
    while (!r->failed && take(r, "*")) {
        struct dl__polynomial factor = {{0}, {0}}, product = {{0}, {0}};

        read_factor(r, &factor);
        r->failed |= !dl__polynomial_multiply(r->linear->unit->tracker->arena, out,
                                              &factor, &product);
        *out = product;
    }
}

static void read_sum(struct extent_reader *r, struct dl__polynomial *out)
{
    read_product(r, out);
    while (!r->failed && (dl__token_is(&r->token, "+") || dl__token_is(&r->token, "-"))) {
        int sign = dl__token_is(&r->token, "-") ? -1 : 1;
        struct dl__polynomial more = {{0}, {0}};

        next(r);
        read_product(r, &more);
        r->failed |=
            !dl__polynomial_add(r->linear->unit->tracker->arena, out, &more, sign);
    }
}

static bool read_extent(struct dl__linear *l, const char *text,
                        struct dl__polynomial *out)
{
    struct extent_reader r = {.linear = l,
                              .lexer = {.text = text, .bytes = strlen(text)}};

    next(&r);
    read_sum(&r, out);
    return !r.failed && r.token.kind == DL__END && !dl__polynomial_is_zero(out);
}

/* ---- places ---- */

static bool read_place(struct dl__linear *l, const struct dl__access *p,
                       struct dl__polynomial *out)
{
    struct dl__polynomial index = {{0}, {0}};

    for (size_t i = 0; i < p->array_count; i++) {
        struct dl__polynomial one = {{0}, {0}};

        if (p->array_step[i] > INT32_MAX ||
            !dl__linear_of_index(l, p->array_index[i], &one) ||
            !dl__polynomial_add(l->unit->tracker->arena, out, &one,
                                (int64_t)p->array_step[i]))
            return false;
    }
    if (p->array_count)
        return true;
    return !p->root->is_far && !p->root->is_part &&
           dl__linear_of_pointer(l, p->pointer, out) &&
           (!p->index || (dl__linear_of_index(l, p->index, &index) &&
                          dl__polynomial_add(l->unit->tracker->arena, out, &index, 1)));
}

/* The first of the extents is that of the slowest dimension, by which nothing is divided. */
static bool divide_all(struct dl__unit *u, const struct dl__polynomial *extents,
                       const struct dl__polynomial *index, struct dl__split *out)
{
    struct dl__polynomial left = *index;

    for (size_t d = out->count - 1; d; d--) {
        struct dl__polynomial quotient = {{0}, {0}};

        if (!dl__polynomial_divide(u->tracker->arena, &left, &extents[d], &quotient,
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
    const struct dl__atom *wanted[DL_GRID_DIMS_MAX * 4];
    struct dl__linear linear = {.unit = u, .wanted = wanted, .deep = deep};

    memset(out, 0, sizeof *out);
    out->count = p->root->extent_count;
    out->is_guess = u->new_name != NULL;
    for (size_t d = 0; d < out->count; d++) {
        if (!read_extent(&linear, p->root->extents[d], &extents[d])) {
            *reason = "an extent is not made of arguments that never change";
            return false;
        }
        for (size_t t = 0; t < extents[d].terms.count; t++)
            for (size_t a = 0; a < extents[d].terms.items[t].count; a++)
                if (linear.wanted_count < sizeof wanted / sizeof *wanted)
                    wanted[linear.wanted_count++] = extents[d].terms.items[t].atoms[a];
    }
    if (!read_place(&linear, p, &index)) {
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

const char *dl__split_text(struct dl__unit *u, const struct dl__split *split)
{
    struct dl__buf out = {.arena = u->tracker->arena};

    dl__buf_puts(&out, "");
    for (size_t d = 0; d < split->count; d++)
        dl__buf_printf(&out, ", %s",
                       dl__polynomial_text(u->tracker->arena, &split->parts[d]));
    return out.items;
}
