/* SPDX-License-Identifier: MIT */
/* The accessors that copy a struct, leaf by leaf, with its padding and the fourth places
 * of vectors of three: compilers copy these, too. */
#include "annotate/accessors/kinds.h"

#include <string.h>

enum { UNROLL_MAX = 64 };

struct copy {
    struct dl__buf *out;
    const struct dl__accessor *a;
    bool packed;
    const char *base; /* of the struct, a pointer */
    unsigned unions;  /* around the member */
    uint32_t start;   /* of what is copied, in the struct */
    unsigned loops;
};

static uint64_t leaf_count(const struct dl__type *type)
{
    uint64_t count = 0;

    if (type->kind == DL__T_ARRAY)
        return type->count * leaf_count(type->element);
    if (type->kind != DL__T_STRUCT)
        return 1;
    for (size_t i = 0; i < type->identity->field_count; i++)
        count += leaf_count(type->identity->fields[i].type);
    return count;
}

static void print_copy(struct copy *c, const struct dl__type *type, const char *member,
                       const char *loops, struct dl__spot spot);

static void print_assignment(struct copy *c, const char *member, const char *at)
{
    if (c->a->kind == &dl__load)
        dl__buf_printf(c->out, "    %s = %s;\n", member, at);
    else
        dl__buf_printf(c->out, "    %s = %s;\n", at, member);
}

static const char *wrapped(struct dl__arena *arena, const char *space, bool packed,
                           const char *type, const char *at)
{
    return dl__arena_format(arena, "((%s%s(%s) *)%s)->dl_v", space,
                            packed ? "DL_PACKED" : "DL_ALIASED", type, at);
}

/* The largest unit in which a leaf can be copied on both sides. */
static unsigned unit_of(const struct copy *c, const struct dl__struct *s,
                        struct dl_leaf leaf)
{
    unsigned unit = c->packed ? 1 : dl__struct_align(s);

    unit = unit > 16 ? 16 : unit;
    while (leaf.offset_bytes % unit || leaf.width_bytes % unit)
        unit /= 2;
    return unit;
}

static const char *const units[] = {[1] = "unsigned char",
                                    [2] = "unsigned short",
                                    [4] = "unsigned int",
                                    [8] = "uint2",
                                    [16] = "uint4"};

/* One unit of the struct's bytes, whatever they are. */
static void print_unit(struct copy *c, const char *loops, struct dl__spot spot,
                       unsigned unit)
{
    struct dl__arena *arena = c->out->arena;

    print_assignment(
        c,
        wrapped(arena, "", c->packed, units[unit],
                dl__arena_format(arena, "((unsigned char *)%s + %u%s)", c->base,
                                 spot.offset_bytes - c->start, loops)),
        wrapped(arena, dl__arena_format(arena, "%s ", dl__space_name(c->a->space)),
                c->packed, units[unit],
                dl__spot_at(arena, c->a, spot, "unsigned char", unit)));
}

/* The padding [from, to) of a struct at `spot`. */
static void print_gap(struct copy *c, uint32_t from, uint32_t to, const char *loops,
                      struct dl__spot spot)
{
    spot.offset_bytes += from;
    for (uint32_t width; from < to; from += width, spot.offset_bytes += width) {
        width = dl__gap_width(from, to);
        print_unit(c, loops, spot, width);
    }
}

/* A union whose members share leaves: its bytes are copied, whatever they are. */
static void print_bytes(struct copy *c, const struct dl__struct *s, const char *loops,
                        struct dl__spot spot)
{
    const struct dl__accessor *a = c->a;
    uint32_t first = spot.offset_bytes, end = first + s->bytes;

    for (size_t l = 0; l < a->leaf_count; l++) {
        struct dl_leaf leaf = a->leaves[l];
        unsigned unit = unit_of(c, s, leaf);

        /* Of a leaf that is wider than the union, what is the union's. */
        if (leaf.offset_bytes + leaf.width_bytes <= first || leaf.offset_bytes >= end)
            continue;
        spot.offset_bytes = leaf.offset_bytes > first ? leaf.offset_bytes : first;
        while (spot.offset_bytes % unit || end % unit)
            unit /= 2;
        for (; spot.offset_bytes < leaf.offset_bytes + leaf.width_bytes &&
               spot.offset_bytes < end;
             spot.offset_bytes += unit)
            print_unit(c, loops, spot, unit);
    }
}

/* True when its members lie on the same leaves: one of them stands for all. */
static bool lies_on_leaves(const struct copy *c, const struct dl__struct *s,
                           uint32_t offset_bytes)
{
    size_t count, first = 0;

    if (!c->a->leaves)
        return true; /* a part's accessor is made only where that is so */
    for (size_t i = 0; i < s->field_count; i++) {
        const struct dl_leaf *leaves =
            dl__leaves_of(c->out->arena, s->fields[i].type,
                          offset_bytes + s->fields[i].offset_bytes, &count);

        for (size_t k = 0; k < count; k++) {
            struct dl_leaf leaf =
                dl__leaf_at(c->a->leaves, c->a->leaf_count, leaves[k].offset_bytes);

            if (leaf.offset_bytes != leaves[k].offset_bytes ||
                leaf.width_bytes != leaves[k].width_bytes)
                return false;
        }
        first = i ? first : count;
        if (count != first)
            return false;
    }
    return true;
}

static void print_struct(struct copy *c, const struct dl__struct *s, const char *member,
                         const char *loops, struct dl__spot spot)
{
    uint32_t end = 0;

    if (s->is_union && !lies_on_leaves(c, s, spot.offset_bytes)) {
        print_bytes(c, s, loops, spot);
        return;
    }
    c->unions += s->is_union;
    for (size_t i = 0; i < (s->is_union ? 1 : s->field_count); i++) {
        const struct dl__field *field = &s->fields[i];
        struct dl__spot inner = spot;

        print_gap(c, end, field->offset_bytes, loops, spot);
        inner.offset_bytes += field->offset_bytes;
        print_copy(c, field->type,
                   field->name[0]
                       ? dl__arena_format(c->out->arena, "%s.%s", member, field->name)
                       : member,
                   loops, inner);
        end = field->offset_bytes + field->type->bytes;
    }
    print_gap(c, end, s->bytes, loops, spot);
    c->unions -= s->is_union;
}

static void print_array(struct copy *c, const struct dl__type *type, const char *member,
                        const char *loops, struct dl__spot spot)
{
    struct dl__arena *arena = c->out->arena;
    uint32_t stride = type->element->bytes;
    const char *index;

    if (leaf_count(type) <= UNROLL_MAX) {
        for (uint64_t k = 0; k < type->count; k++, spot.offset_bytes += stride)
            print_copy(c, type->element,
                       dl__arena_format(arena, "%s[%u]", member, (unsigned)k), loops,
                       spot);
        return;
    }
    index = dl__arena_format(arena, "dl_l%u", c->loops++);
    dl__buf_printf(c->out, "    for (int %s = 0; %s < %u; %s++) {\n", index, index,
                   (unsigned)type->count, index);
    print_copy(c, type->element, dl__arena_format(arena, "%s[%s]", member, index),
               dl__arena_format(arena, "%s + %s * %u", loops, index, stride),
               dl__spot_in_array(arena, c->a, spot, type,
                                 dl__arena_format(arena, " + %s", index)));
    dl__buf_puts(c->out, "    }\n");
}

static void print_copy(struct copy *c, const struct dl__type *type, const char *member,
                       const char *loops, struct dl__spot spot)
{
    struct dl__arena *arena = c->out->arena;
    bool packed = c->packed && type->bytes > 1;
    bool of_three = type->kind == DL__T_VECTOR && type->count == 3;
    const char *name, *at;

    if (type->kind == DL__T_STRUCT) {
        print_struct(c, type->identity, member, loops, spot);
        return;
    }
    if (type->kind == DL__T_ARRAY) {
        print_array(c, type, member, loops, spot);
        return;
    }
    name = dl__type_text(type->name);
    if (of_three) {
        name = dl__arena_format(arena, "%.*s4", (int)strlen(name) - 1, name);
        member = wrapped(arena, "", packed, name, dl__arena_format(arena, "&%s", member));
    }
    at = dl__spot_at(arena, c->a, spot, packed ? "unsigned char" : name, type->bytes);
    print_assignment(
        c, member,
        packed || of_three || c->unions
            ? wrapped(arena, dl__arena_format(arena, "%s ", dl__space_name(c->a->space)),
                      packed, name, at)
            : dl__arena_format(arena, "*%s", at));
}

static void print_by_value(struct copy *c, const char *type)
{
    bool loads = c->a->kind == &dl__load;

    dl__buf_printf(c->out, loads ? ")\n{\n    %s dl_s;\n" : ", %s dl_s)\n{\n", type);
    c->base = "&dl_s";
    print_copy(c, c->a->type, "dl_s", "", dl__accessor_spot(c->out->arena, c->a));
}

/* A struct by value may lose bytes that are no member's on its way: it comes by a
 * pointer, as a whole. */
static void print_by_pointer(struct copy *c, const char *type)
{
    dl__buf_printf(c->out, ", %s *dl_s)\n{\n", type);
    c->base = "dl_s";
    print_copy(c, c->a->type, "(*dl_s)", "", dl__accessor_spot(c->out->arena, c->a));
}

static void print(struct dl__buf *out, const struct dl__accessor *a)
{
    struct dl__spot spot = dl__accessor_spot(out->arena, a);
    struct copy copy = {.out = out, .a = a, .start = spot.offset_bytes};
    bool open = dl__struct_has_open_bytes(a->type->identity);

    copy.packed = dl__struct_is_packed(out->arena, a->element);
    copy.unions = dl__steps_cross_union(a->element, a->from, a->steps, a->step_count);
    dl__buf_printf(out, "static %s %s(%s const %s *dl_f, %s",
                   open ? "void" : a->type->name, a->name, dl__space_name(a->space),
                   a->element->name, dl__accessor_place(a));
    dl__accessor_print_formals(out, spot.index_count);
    if (open)
        print_by_pointer(&copy, a->type->name);
    else
        print_by_value(&copy, a->type->name);
    dl__buf_puts(out, open ? "}\n" : "    return dl_s;\n}\n");
}

const struct dl__accessor_kind dl__load = {
    .ending = "_load", .copies = true, .print = print};
const struct dl__accessor_kind dl__store = {
    .ending = "_store", .copies = true, .print = print};
