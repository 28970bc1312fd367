/* SPDX-License-Identifier: MIT */
/* Structs that work-items read member by member. */
#include "annotate/coalesce/members.h"

#include <string.h>

#include "annotate/track/node.h"

/* From so many words on, which are most of those from the first to the last, it pays:
 * plain access to smaller structs comes from the cache, on an H200. */
enum { WORDS_LEAST = 16, WORDS_MOST = 512, READ_PERCENT = 75 };

/* A member of `f[i]` that is read. */
struct read {
    struct dl__node *place; /* `f[i]` */
    uint32_t offset_bytes, bytes;
    size_t statement;
    bool sure; /* whatever the work-item does */
};

struct reads {
    struct read *items;
    size_t count, room;
};

struct search {
    struct dl__coalescing *c;
    struct dl__node *body; /* the kernel's */
    size_t statement;
    struct reads reads;
};

/* ---- reads ---- */

/* Steps from a struct outwards, into its member. False: not a scalar or vector that is
 * read. */
static bool follow(struct search *s, struct dl__node *n, struct read *out)
{
    struct dl__unit *unit = s->c->k->unit;
    const struct dl__type *type = dl__type_of(unit, n);
    struct dl__node *up = n->parent;
    int64_t index;

    out->place = n;
    for (; up; n = up, up = up->parent) {
        const struct dl__field *field = NULL;

        if (up->kind == DL__N_PAREN || up->kind == DL__N_IMPLICIT)
            continue;
        if (up->kind == DL__N_MEMBER && type->kind == DL__T_STRUCT) {
            for (size_t i = 0; up->name && i < type->identity->field_count; i++)
                if (!strcmp(type->identity->fields[i].name, up->name))
                    field = &type->identity->fields[i];
            if (!field)
                return false;
            out->offset_bytes += field->offset_bytes;
            type = field->type;
        } else if (up->kind == DL__N_SUBSCRIPT && up->children[0] == n &&
                   type->kind == DL__T_ARRAY) {
            if (!dl__constant_of(unit, up->children[1], &index) || index < 0 ||
                (uint64_t)index >= type->count)
                return false;
            type = type->element;
            out->offset_bytes += (uint32_t)index * type->bytes;
        } else if (up->kind != DL__N_MEMBER || type->kind != DL__T_VECTOR) {
            break;
        }
    }
    out->bytes = type->bytes;
    return up && (type->kind == DL__T_SCALAR || type->kind == DL__T_VECTOR) &&
           !type->is_volatile && up->kind != DL__N_SIZEOF && up->kind != DL__N_MEMBER &&
           (up->kind != DL__N_SUBSCRIPT || up->children[0] != n) &&
           !(dl__is_assignment(up) && up->children[0] == n) && !dl__is_step(up) &&
           !(up->kind == DL__N_UNARY && dl__op_is(up, "&"));
}

static void walk(struct search *s, struct dl__node *n, bool sure)
{
    struct read read = {.statement = s->statement, .sure = sure};

    if (n->kind == DL__N_SUBSCRIPT && dl__whole_struct(s->c, n) == n &&
        !dl__taken(s->c, n) && follow(s, n, &read))
        DL__PUSH(&s->c->w->arena, &s->reads, read);
    for (size_t i = 0; i < n->child_count; i++) {
        bool still = sure;

        if (n->kind == DL__N_BRANCH)
            still = sure && n->children[i] == n->condition && i == 0;
        else if (n->kind == DL__N_CONDITIONAL || dl__op_is(n, "&&") || dl__op_is(n, "||"))
            still = sure && i == 0;
        else if (n->kind == DL__N_VALUE_BLOCK || n->kind == DL__N_SIZEOF)
            still = false;
        walk(s, n->children[i], still);
    }
}

/* ---- places ---- */

/* True when it is the same wherever it stands behind `at`. */
static bool is_fixed(struct search *s, struct dl__node *n, size_t at)
{
    if (n->kind == DL__N_NAME && !n->is_constant &&
        (n->declared_at == SIZE_MAX || n->declared_at >= at ||
         n->declared_at < s->c->k->function->open_at ||
         dl__coalesce_changes(s->c, s->body, n->declared_at)))
        return false;
    for (size_t i = n->kind == DL__N_CALL; i < n->child_count; i++)
        if (!is_fixed(s, n->children[i], at))
            return false;
    return true;
}

static bool is_same(const struct search *s, struct dl__node *a, struct dl__node *b)
{
    const char *text = s->c->w->ast.text;

    a = dl__strip(a);
    b = dl__strip(b);
    if (a->kind != b->kind || a->child_count != b->child_count ||
        a->declared_at != b->declared_at || strcmp(a->op, b->op) != 0 ||
        !a->name != !b->name || (a->name && strcmp(a->name, b->name) != 0))
        return false;
    if (!a->child_count)
        return a->end - a->begin == b->end - b->begin &&
               !memcmp(text + a->begin, text + b->begin, a->end - a->begin);
    for (size_t i = 0; i < a->child_count; i++)
        if (!is_same(s, a->children[i], b->children[i]))
            return false;
    return true;
}

/* ---- which pay ---- */

/* The words from the first to the last that are sure to be read; false: too few. */
static bool measure(const struct search *s, const struct read *first, struct dl__own *own)
{
    bool words[WORDS_MOST] = {false};
    unsigned from = WORDS_MOST, to = 0, read = 0;

    for (size_t i = 0; i < s->reads.count; i++) {
        const struct read *r = &s->reads.items[i];
        unsigned begin = r->offset_bytes / 4, end = (r->offset_bytes + r->bytes) / 4;

        if (!r->sure || r->offset_bytes % 4 || r->bytes % 4 ||
            !is_same(s, r->place, first->place))
            continue;
        for (unsigned w = begin; w < end; w++)
            words[w] = true;
        from = begin < from ? begin : from;
        to = end > to ? end : to;
    }
    for (unsigned w = from; w < to; w++)
        read += words[w];
    own->first_word = from;
    own->words = to > from ? to - from : 0;
    return own->words >= WORDS_LEAST && read * 100 >= own->words * READ_PERCENT;
}

/* Those that the copy has; returns the statement of the last. */
static size_t gather(struct search *s, const struct read *first, struct dl__own *own)
{
    size_t last = first->statement;

    for (size_t i = 0; i < s->reads.count; i++) {
        const struct read *r = &s->reads.items[i];

        if (!is_same(s, r->place, first->place) ||
            r->offset_bytes < own->first_word * 4 ||
            r->offset_bytes + r->bytes > (own->first_word + own->words) * 4)
            continue;
        DL__PUSH(&s->c->w->arena, &own->reads, r->place);
        last = r->statement > last ? r->statement : last;
    }
    return last;
}

static bool find(struct search *s, struct dl__node **statements, const struct read *first,
                 struct dl__own *own)
{
    struct dl__node *place = first->place;
    size_t last;

    *own = (struct dl__own){.place = place,
                            .type = dl__type_of(s->c->k->unit, place),
                            .statement = first->statement};
    if (own->type->bytes / 4 > WORDS_MOST ||
        !dl__is_memoryless(s->c, place->children[1]) ||
        !is_fixed(s, place->children[0], statements[first->statement]->begin) ||
        !is_fixed(s, place->children[1], statements[first->statement]->begin) ||
        !measure(s, first, own))
        return false;
    last = gather(s, first, own);
    for (size_t i = first->statement; i < last; i++)
        if (dl__may_store(s->c, statements[i]))
            return false;
    return !dl__may_store_early(s->c, statements[last]);
}

void dl__find_owns(struct dl__coalescing *c, struct dl__node **statements, size_t count,
                   size_t reach, struct dl__owns *out)
{
    struct search s = {.c = c, .body = dl__ast_body(&c->w->ast, c->k->function)};
    bool sure = true;

    for (; s.statement < count; s.statement++) {
        sure = sure && !dl__has_return(statements[s.statement]);
        walk(&s, statements[s.statement], sure);
    }
    for (size_t i = 0; i < s.reads.count && s.reads.items[i].statement < reach; i++) {
        struct dl__own own;
        bool seen = false;

        for (size_t j = 0; !seen && j < i; j++)
            seen = is_same(&s, s.reads.items[j].place, s.reads.items[i].place);
        if (!seen && find(&s, statements, &s.reads.items[i], &own))
            DL__PUSH(&c->w->arena, out, own);
    }
}
