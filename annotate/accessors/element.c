/* SPDX-License-Identifier: MIT */
/* The elements of a buffer: structs, unions, and rows of a flat buffer. */
#include "annotate/accessors/accessor.h"

#include <string.h>

struct dl__leaves {
    struct dl_leaf *items;
    size_t count, room;
    bool has_shifted_gap; /* padding that is not aligned, in a packed struct */
    const char *reason;   /* a clause: the type has no leaves; NULL: it has */
};

enum { LEAVES_MAX = 1 << 16, GAP_WIDTH_MAX = 16 };

static void leaves_add_union(struct dl__arena *arena, const struct dl__struct *s,
                             uint32_t base, struct dl__leaves *out);

const char *dl__struct_tag(struct dl__arena *arena, const struct dl__struct *s)
{
    const char *name = s->tag ? s->tag : s->name ? s->name : "anonymous";
    const char *space = strrchr(name, ' ');

    name = space ? space + 1 : name;
    return dl__arena_text(arena, name, strlen(name));
}

static void add_struct(struct dl__arena *arena, const struct dl__struct *s, uint32_t base,
                       struct dl__leaves *out);

static void leaves_add(struct dl__arena *arena, const struct dl__type *type,
                       uint32_t base, struct dl__leaves *out)
{
    struct dl_leaf leaf = {base, type->bytes};

    if (out->reason)
        return;
    if (type->is_volatile) {
        out->reason = "the struct has a volatile member";
    } else if (out->count >= LEAVES_MAX) {
        out->reason = "the struct has too many members";
    } else if (type->kind == DL__T_STRUCT) {
        add_struct(arena, type->identity, base, out);
    } else if (type->kind == DL__T_ARRAY && type->count == 0) {
        /* Its elements lie beyond the struct, in others' members. */
        out->reason = "the struct has an array without a length";
    } else if (type->kind == DL__T_ARRAY) {
        for (uint64_t i = 0; i < type->count && !out->reason; i++)
            leaves_add(arena, type->element, base + (uint32_t)i * type->element->bytes,
                       out);
    } else if (type->kind == DL__T_OTHER || !type->bytes ||
               type->bytes > DL_LEAF_BYTES_MAX) {
        out->reason =
            "the struct has a member that is not a scalar, vector, array or struct";
    } else {
        DL__PUSH(arena, out, leaf);
    }
}

uint32_t dl__gap_width(uint32_t from, uint32_t to)
{
    uint32_t width = 1;

    while (width < GAP_WIDTH_MAX && width * 2 <= to - from && from % (width * 2) == 0)
        width *= 2;
    return width;
}

/* The padding [from, to) of a struct that lies at `base`. It is cut by places in its own
 * struct, so that it is cut alike wherever that lies. */
static void leaves_add_gap(struct dl__arena *arena, uint32_t from, uint32_t to,
                           uint32_t base, struct dl__leaves *out)
{
    for (uint32_t width; from < to && !out->reason; from += width) {
        width = dl__gap_width(from, to);
        out->has_shifted_gap |= (base + from) % width != 0;
        DL__PUSH(arena, out, ((struct dl_leaf){base + from, width}));
    }
}

/* Bytes of its scalars, `three` of a vector of three. */
static uint64_t scalar_bytes(const struct dl__type *type, unsigned three)
{
    uint64_t bytes = 0;

    if (type->kind == DL__T_ARRAY)
        return type->count * scalar_bytes(type->element, three);
    if (type->kind == DL__T_VECTOR && type->count == 3)
        return type->bytes / 4 * three;
    if (type->kind != DL__T_STRUCT)
        return type->bytes;
    for (size_t i = 0; i < type->identity->field_count; i++) {
        uint64_t field = scalar_bytes(type->identity->fields[i].type, three);

        if (!type->identity->is_union)
            bytes += field;
        else if (field > bytes)
            bytes = field;
    }
    return bytes;
}

bool dl__struct_has_padding(const struct dl__struct *s)
{
    const struct dl__type type = {.kind = DL__T_STRUCT, .identity = s};

    return scalar_bytes(&type, 4) != s->bytes;
}

bool dl__struct_has_open_bytes(const struct dl__struct *s)
{
    const struct dl__type type = {.kind = DL__T_STRUCT, .identity = s};

    return scalar_bytes(&type, 3) != s->bytes;
}

static void add_struct(struct dl__arena *arena, const struct dl__struct *s, uint32_t base,
                       struct dl__leaves *out)
{
    uint32_t end = 0;

    if (s->is_union) {
        leaves_add_union(arena, s, base, out);
        return;
    }
    if (s->has_bit_field)
        out->reason = "the struct holds a bit-field";
    for (size_t i = 0; i < s->field_count && !out->reason; i++) {
        const struct dl__field *field = &s->fields[i];

        leaves_add_gap(arena, end, field->offset_bytes, base, out);
        leaves_add(arena, field->type, base + field->offset_bytes, out);
        end = field->offset_bytes + field->type->bytes;
    }
    if (out->count)
        leaves_add_gap(arena, end, s->bytes, base, out);
}

struct dl_leaf *dl__struct_leaves(struct dl__arena *arena, const struct dl__struct *s,
                                  size_t *count, const char **reason)
{
    struct dl__leaves out = {0};

    if (!s->bytes)
        out.reason = "the struct is empty or incomplete";
    else
        add_struct(arena, s, 0, &out);
    if (!out.reason && !out.count)
        out.reason = "the struct is empty or incomplete";
    if (out.reason) {
        *reason = out.reason;
        return NULL;
    }
    *count = out.count;
    return out.items;
}

bool dl__steps_cross_union(const struct dl__struct *element, const struct dl__type *from,
                           const struct dl__step *steps, size_t count)
{
    const struct dl__struct *in = element;

    if (from)
        return dl__struct_has_union(element);

    for (size_t i = 0; i < count; i++) {
        const struct dl__type *type = steps[i].type;

        if (steps[i].field && in && in->is_union)
            return true;
        while (type->kind == DL__T_ARRAY)
            type = type->element;
        in = type->kind == DL__T_STRUCT ? type->identity : NULL;
    }
    return false;
}

struct dl_leaf dl__leaf_at(const struct dl_leaf *leaves, size_t count,
                           uint32_t offset_bytes)
{
    size_t low = 0, high = count;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (leaves[middle].offset_bytes <= offset_bytes)
            low = middle;
        else
            high = middle;
    }
    return leaves[low];
}

/* A tile moves a leaf by multiples of its width and of the struct's size. */
static bool is_misaligned(const struct dl__type *type, uint32_t base, uint32_t bytes,
                          const struct dl__leaves *leaves)
{
    struct dl_leaf leaf;

    if (type->kind == DL__T_ARRAY) {
        for (uint64_t i = 0; i < type->count; i++)
            if (is_misaligned(type->element, base + (uint32_t)i * type->element->bytes,
                              bytes, leaves))
                return true;
        return false;
    }
    if (type->kind == DL__T_STRUCT) {
        for (size_t i = 0; i < type->identity->field_count; i++)
            if (is_misaligned(type->identity->fields[i].type,
                              base + type->identity->fields[i].offset_bytes, bytes,
                              leaves))
                return true;
        return false;
    }
    leaf = dl__leaf_at(leaves->items, leaves->count, base);
    return base % type->bytes || bytes % type->bytes || leaf.offset_bytes % type->bytes ||
           leaf.width_bytes % type->bytes;
}

bool dl__struct_is_packed(struct dl__arena *arena, const struct dl__struct *s)
{
    const struct dl__type type = {.kind = DL__T_STRUCT, .identity = s};
    struct dl__leaves leaves = {0};

    add_struct(arena, s, 0, &leaves);
    return !leaves.reason && leaves.count &&
           (leaves.has_shifted_gap || is_misaligned(&type, 0, s->bytes, &leaves));
}

struct dl__struct *dl__flat_row(struct dl__arena *arena, const struct dl__type *element,
                                uint32_t width)
{
    struct dl__struct *row = DL__NEW(arena, struct dl__struct);
    struct dl__type *array = DL__NEW(arena, struct dl__type);
    struct dl__type *plain = DL__NEW(arena, struct dl__type);

    /* The pointer says so, not the row. */
    *plain = *element;
    plain->is_volatile = false;
    array->kind = DL__T_ARRAY;
    array->count = width ? width : 1;
    array->bytes = (uint32_t)array->count * element->bytes;
    array->element = plain;
    row->name = element->name;
    row->tag = width ? dl__arena_format(arena, "%s_%u", element->name, width)
                     : dl__arena_format(arena, "%s_row", element->name);
    row->bytes = array->bytes;
    row->fields = DL__NEW(arena, struct dl__field);
    row->fields->name = "";
    row->fields->type = array;
    row->field_count = 1;
    return row;
}

/* The leaves of unions.
 *
 * What overlaps moves together: where a float4 lies on four floats the sixteen bytes are
 * one leaf, and the floats are reached inside it. An array must be reached by any index,
 * so its elements lie all in one leaf, or each in leaves of its own that lie alike. */

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
            leaves_add_gap(arena, from, to, c->base, out);
        }
    }
}

static void leaves_add_union(struct dl__arena *arena, const struct dl__struct *s,
                             uint32_t base, struct dl__leaves *out)
{
    const struct dl__type type = {.kind = DL__T_STRUCT, .identity = s};
    struct cuts c = {.base = base, .bytes = s->bytes};

    if (s->has_bit_field)
        out->reason = "the struct holds a bit-field";
    for (size_t i = 0; i < s->field_count && !out->reason; i++) {
        struct dl__leaves member = {0};

        leaves_add(arena, s->fields[i].type, base + s->fields[i].offset_bytes, &member);
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

    leaves_add(arena, type, base, &out);
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
