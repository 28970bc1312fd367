/* SPDX-License-Identifier: MIT */
/* Whether a kernel writes whole structs with padding to memory. The program's compiler copies the padding, as a rule,
 * and the fourth places of vectors of three; accessors, which copy members, do not. */
#include "annotate/facts/facts.h"
#include "annotate/track/node.h"

/* The functions that were come to so far. */
struct search {
    struct dl__unit *unit; /* types are asked of */
    const struct dl__struct *element;
    struct {
        struct dl__function **items;
        size_t count, room;
    } functions;
    size_t found_at;
};

/* Bytes of its scalars; the fourth element of a vector of three is none. */
static uint64_t scalar_bytes(const struct dl__type *type)
{
    uint64_t bytes = 0;

    if (type->kind == DL__T_ARRAY)
        return type->count * scalar_bytes(type->element);
    if (type->kind == DL__T_VECTOR && type->count == 3)
        return type->bytes / 4 * 3;
    if (type->kind != DL__T_STRUCT)
        return type->bytes;
    for (size_t i = 0; i < type->identity->field_count; i++) {
        uint64_t field = scalar_bytes(type->identity->fields[i].type);

        if (!type->identity->is_union)
            bytes += field;
        else if (field > bytes)
            bytes = field;
    }
    return bytes;
}

bool dl__has_padding(const struct dl__struct *s)
{
    const struct dl__type type = {.kind = DL__T_STRUCT, .identity = s};

    return scalar_bytes(&type) != s->bytes;
}

/* The type, without the arrays around it. */
static const struct dl__type *member_type(const struct dl__struct *s, size_t field)
{
    const struct dl__type *type = s->fields[field].type;

    while (type->kind == DL__T_ARRAY)
        type = type->element;
    return type;
}

static bool holds(const struct dl__struct *s, const struct dl__struct *part)
{
    if (s == part)
        return true;
    for (size_t i = 0; i < s->field_count; i++) {
        const struct dl__type *type = member_type(s, i);

        if (type->kind == DL__T_STRUCT && holds(type->identity, part))
            return true;
    }
    return false;
}

/* Nobody else sees the padding of private and local memory. */
static bool is_seen(struct search *s, struct dl__node *n)
{
    const struct dl__type *type = dl__type_of(s->unit, n);

    return type->address_space != 0 && type->address_space != DL__LOCAL &&
           type->kind == DL__T_STRUCT && type->identity &&
           dl__has_padding(type->identity) &&
           (holds(s->element, type->identity) || holds(type->identity, s->element));
}

static void look(struct search *s, struct dl__node *n)
{
    struct dl__function *f =
        n->kind == DL__N_CALL ? dl__ast_callee(s->unit->tracker->ast, n) : NULL;
    bool known = !f;

    for (size_t i = 0; i < s->functions.count; i++)
        known |= s->functions.items[i] == f;
    if (!known)
        DL__PUSH(s->unit->tracker->arena, &s->functions, f);
    if (n->kind == DL__N_BINARY && n->op[0] == '=' && !n->op[1] &&
        is_seen(s, n->children[0]))
        s->found_at = n->begin;
    for (size_t i = 0; i < n->child_count && s->found_at == SIZE_MAX; i++)
        look(s, n->children[i]);
}

size_t dl__padding_written_at(struct dl__unit *kernel, const struct dl__struct *element)
{
    struct search s = {.unit = kernel, .element = element, .found_at = SIZE_MAX};

    DL__PUSH(kernel->tracker->arena, &s.functions, kernel->function);
    for (size_t i = 0; i < s.functions.count && s.found_at == SIZE_MAX; i++)
        if (s.functions.items[i]->is_defined)
            look(&s, dl__ast_body(kernel->tracker->ast, s.functions.items[i]));
    return s.found_at;
}
