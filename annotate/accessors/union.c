/* SPDX-License-Identifier: MIT */
/* The leaves of unions.
 *
 * What overlaps moves together: where a float4 lies on four floats the sixteen bytes are
 * one leaf, and the floats are reached inside it. An array must be reached by any index,
 * so its elements lie all in one leaf, or each in leaves of its own that lie alike. */
#include "annotate/accessors/union.h"

#include <string.h>

enum { UNION_BYTES_MAX = 1 << 16, PASSES_MAX = 64 };

/* A union's bytes: those that members cover, and those at which a leaf may begin. */
struct cuts {
    uint32_t base, bytes;
    bool *covered, *begins; /* begins[bytes] stands for the end */
    bool changed, too_wide;
};

static void join(struct cuts *c, uint32_t from, uint32_t to)
{
    c->too_wide |= to - from > DL_LEAF_BYTES_MAX;
    for (uint32_t i = from; i < to; i++) {
        c->changed |= !c->covered[i] || (i > from && c->begins[i]);
        c->covered[i] = true;
        if (i > from)
            c->begins[i] = false;
    }
}

/* A scalar's leaf must keep it aligned wherever tiles move it. */
static void join_aligned(struct cuts *c, uint32_t at, uint32_t bytes)
{
    uint32_t from = at, to = at + bytes;

    join(c, from, to);
    while (from > 0 && !c->begins[from])
        from--;
    while (to < c->bytes && !c->begins[to])
        to++;
    if ((c->base + at) % bytes)
        return; /* it is not aligned now */
    while (from > 0 && (c->base + from) % bytes)
        from--;
    while (to < c->bytes && (to - from) % bytes)
        to++;
    join(c, from, to);
}

static bool lies_alike(const struct cuts *c, uint32_t at, const struct dl__type *array)
{
    uint32_t stride = array->element->bytes, end = at + (uint32_t)array->count * stride;

    if (!c->begins[at] || !c->begins[end])
        return false;
    for (uint32_t i = at; i < end; i++)
        if (c->begins[i] != c->begins[at + (i - at) % stride])
            return false;
    return true;
}

static bool is_one(const struct cuts *c, uint32_t from, uint32_t to)
{
    for (uint32_t i = from + 1; i < to; i++)
        if (c->begins[i])
            return false;
    return true;
}

static void cut(struct cuts *c, const struct dl__type *type, uint32_t at)
{
    if (c->too_wide)
        return;
    if (type->kind == DL__T_ARRAY) {
        for (uint64_t i = 0; i < type->count; i++)
            cut(c, type->element, at + (uint32_t)i * type->element->bytes);
        if (type->count > 1 && !is_one(c, at, at + type->bytes) &&
            !lies_alike(c, at, type))
            join(c, at, at + type->bytes);
    } else if (type->kind == DL__T_STRUCT) {
        for (size_t i = 0; i < type->identity->field_count; i++)
            cut(c, type->identity->fields[i].type,
                at + type->identity->fields[i].offset_bytes);
    } else {
        join_aligned(c, at, type->bytes);
    }
}

static void add_cuts(struct dl__arena *arena, const struct cuts *c,
                     struct dl__leaves *out)
{
    for (uint32_t from = 0, to; from < c->bytes; from = to) {
        to = from + 1;
        if (c->covered[from]) {
            while (to < c->bytes && !c->begins[to])
                to++;
            DL__PUSH(arena, out, ((struct dl_leaf){c->base + from, to - from}));
        } else {
            while (to < c->bytes && !c->covered[to])
                to++;
            dl__leaves_add_gap(arena, from, to, c->base, out);
        }
    }
}

void dl__leaves_add_union(struct dl__arena *arena, const struct dl__struct *s,
                          uint32_t base, struct dl__leaves *out)
{
    const struct dl__type type = {.kind = DL__T_STRUCT, .identity = s};
    struct cuts c = {.base = base, .bytes = s->bytes};

    if (s->has_bit_field)
        out->reason = "the struct holds a bit-field";
    /* What has no leaves alone has none here. */
    for (size_t i = 0; i < s->field_count && !out->reason; i++) {
        struct dl__leaves member = {0};

        dl__leaves_add(arena, s->fields[i].type, base + s->fields[i].offset_bytes,
                       &member);
        out->reason = member.reason;
    }
    if (!out->reason && s->bytes > UNION_BYTES_MAX)
        out->reason = "the struct holds a union that is too large";
    if (out->reason)
        return;
    c.covered = dl__arena_alloc(arena, (size_t)s->bytes + 1);
    c.begins = dl__arena_alloc(arena, (size_t)s->bytes + 1);
    memset(c.begins, true, (size_t)s->bytes + 1);
    for (unsigned pass = 0; !pass || (c.changed && !c.too_wide); pass++) {
        c.changed = false;
        cut(&c, &type, 0);
        c.too_wide |= pass == PASSES_MAX;
    }
    if (c.too_wide)
        out->reason = "the struct holds a union whose members overlap in more than 128 "
                      "bytes that can't be told apart";
    else
        add_cuts(arena, &c, out);
}

bool dl__struct_has_union(const struct dl__struct *s)
{
    for (size_t i = 0; i < s->field_count; i++) {
        const struct dl__type *type = s->fields[i].type;

        while (type->kind == DL__T_ARRAY)
            type = type->element;
        if (type->kind == DL__T_STRUCT && dl__struct_has_union(type->identity))
            return true;
    }
    return s->is_union;
}

static bool are_leaves(const struct dl_leaf *leaves, size_t count,
                       const struct dl__type *type, uint32_t base)
{
    const struct dl__struct *s = type->identity;
    struct dl_leaf leaf = dl__leaf_at(leaves, count, base);
    bool are = true;

    if (type->kind == DL__T_ARRAY) {
        for (uint64_t i = 0; i < type->count && are; i++)
            are = are_leaves(leaves, count, type->element,
                             base + (uint32_t)i * type->element->bytes);
        return are;
    }
    if (type->kind != DL__T_STRUCT)
        return leaf.offset_bytes == base && leaf.width_bytes == type->bytes;
    for (size_t i = 0; i < s->field_count && are; i++)
        are = are_leaves(leaves, count, s->fields[i].type,
                         base + s->fields[i].offset_bytes);
    return are;
}

bool dl__leaves_are_members(struct dl__arena *arena, const struct dl__struct *s)
{
    const struct dl__type type = {.kind = DL__T_STRUCT, .identity = s};
    const char *reason;
    size_t count;
    const struct dl_leaf *leaves = dl__struct_leaves(arena, s, &count, &reason);

    return leaves && are_leaves(leaves, count, &type, 0);
}

struct dl_leaf *dl__leaves_of(struct dl__arena *arena, const struct dl__type *type,
                              uint32_t base, size_t *count)
{
    struct dl__leaves out = {0};

    dl__leaves_add(arena, type, base, &out);
    *count = out.count;
    return out.items;
}

uint32_t dl__struct_align(const struct dl__struct *s)
{
    uint32_t align = 1;

    for (size_t i = 0; i < s->field_count; i++) {
        const struct dl__type *type = s->fields[i].type;
        uint32_t own;

        while (type->kind == DL__T_ARRAY)
            type = type->element;
        own = type->kind == DL__T_STRUCT ? dl__struct_align(type->identity) : type->bytes;
        align = own > align ? own : align;
    }
    return align;
}
