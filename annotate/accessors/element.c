/* What the elements of a buffer are made of: structs, and rows of a flat buffer. */
#include "annotate/accessors/element.h"

#include <string.h>

#include "layout/layout.h"

enum { LEAVES_MAX = 1 << 16 };

const char *dl__struct_tag(struct dl__arena *arena, const struct dl__struct *s)
{
    const char *name = s->tag ? s->tag : s->name ? s->name : "anonymous";
    const char *space = strrchr(name, ' ');

    name = space ? space + 1 : name;
    return dl__arena_text(arena, name, strlen(name));
}

struct leaves {
    struct dl_leaf *items;
    size_t count, room;
    const char *reason;
};

static void add_struct(struct dl__arena *arena, const struct dl__struct *s, uint32_t base,
                       struct leaves *out);

static void add_type(struct dl__arena *arena, const struct dl__type *type, uint32_t base,
                     struct leaves *out)
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
    } else if (type->kind == DL__T_ARRAY) {
        for (uint64_t i = 0; i < type->count && !out->reason; i++)
            add_type(arena, type->element, base + (uint32_t)i * type->element->bytes,
                     out);
    } else if (type->kind == DL__T_OTHER || !type->bytes ||
               type->bytes > DL_LEAF_BYTES_MAX) {
        out->reason =
            "the struct has a member that is not a scalar, vector, array or struct";
    } else {
        DL__PUSH(arena, out, leaf);
    }
}

/* A union is not an obstacle while its members lie on the same leaves. */
static void add_union(struct dl__arena *arena, const struct dl__struct *s, uint32_t base,
                      struct leaves *out)
{
    size_t start = out->count, count = 0;

    for (size_t i = 0; i < s->field_count && !out->reason; i++) {
        struct leaves member = {0};

        add_type(arena, s->fields[i].type, base + s->fields[i].offset_bytes, &member);
        out->reason = member.reason;
        for (size_t k = 0; k < member.count && !i; k++)
            DL__PUSH(arena, out, member.items[k]);
        count = i ? count : member.count;
        if (!out->reason &&
            (member.count != count ||
             memcmp(member.items, out->items + start, count * sizeof *member.items)))
            out->reason =
                "the struct holds a union whose members differ in size or number";
    }
}

static void add_struct(struct dl__arena *arena, const struct dl__struct *s, uint32_t base,
                       struct leaves *out)
{
    if (s->is_union) {
        add_union(arena, s, base, out);
        return;
    }
    if (s->has_bit_field)
        out->reason = "the struct holds a bit-field";
    for (size_t i = 0; i < s->field_count && !out->reason; i++)
        add_type(arena, s->fields[i].type, base + s->fields[i].offset_bytes, out);
}

struct dl_leaf *dl__struct_leaves(struct dl__arena *arena, const struct dl__struct *s,
                                  size_t *count, const char **reason)
{
    struct leaves out = {0};

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

static bool holds_union(const struct dl__struct *s)
{
    bool holds = s->is_union;

    for (size_t i = 0; i < s->field_count && !holds; i++) {
        const struct dl__type *type = s->fields[i].type;

        while (type->kind == DL__T_ARRAY)
            type = type->element;
        holds = type->kind == DL__T_STRUCT && holds_union(type->identity);
    }
    return holds;
}

bool dl__steps_cross_union(const struct dl__struct *element, const struct dl__type *from,
                           const struct dl__step *steps, size_t count)
{
    const struct dl__struct *in = element;

    if (from)
        return holds_union(element);

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

bool dl__struct_is_packed(struct dl__arena *arena, const struct dl__struct *s)
{
    const char *reason;
    size_t count = 0;
    struct dl_leaf *leaves = dl__struct_leaves(arena, s, &count, &reason);

    for (size_t i = 0; leaves && i < count; i++)
        if (leaves[i].offset_bytes % leaves[i].width_bytes ||
            s->bytes % leaves[i].width_bytes)
            return true;
    return false;
}

struct dl__struct *dl__flat_row(struct dl__arena *arena, const struct dl__type *element,
                                uint32_t width)
{
    struct dl__struct *row = DL__NEW(arena, struct dl__struct);
    struct dl__type *array = DL__NEW(arena, struct dl__type);

    array->kind = DL__T_ARRAY;
    array->count = width ? width : 1;
    array->bytes = (uint32_t)array->count * element->bytes;
    array->element = element;
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
