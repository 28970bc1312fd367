/* SPDX-License-Identifier: MIT */
/* Where a member lies: in a leaf of its own, or inside a leaf that a union's members
 * share. */
#include "annotate/accessors/accessor.h"

/* True when an index into the array, at its first element, moves inside a leaf. */
static bool stays_in_leaf(const struct dl__accessor *a, uint32_t offset_bytes,
                          const struct dl__type *array)
{
    struct dl_leaf leaf;

    if (a->from || !a->leaves || array->count < 2)
        return false;
    leaf = dl__leaf_at(a->leaves, a->leaf_count, offset_bytes);
    return offset_bytes + array->bytes <= leaf.offset_bytes + leaf.width_bytes;
}

struct dl__spot dl__spot_in_array(struct dl__arena *arena, const struct dl__accessor *a,
                                  struct dl__spot spot, const struct dl__type *array,
                                  const char *index)
{
    const char **to =
        stays_in_leaf(a, spot.offset_bytes, array) ? &spot.within : &spot.indices;

    *to = dl__arena_format(arena, "%s%s * %u", *to, index, array->element->bytes);
    return spot;
}

struct dl__spot dl__accessor_spot(struct dl__arena *arena, const struct dl__accessor *a)
{
    struct dl__spot spot = {.indices = a->from ? " + dl_p.dl_o" : "", .within = ""};

    for (size_t i = 0; i < a->step_count; i++) {
        if (a->steps[i].field)
            spot.offset_bytes += a->steps[i].field->offset_bytes;
        else
            spot = dl__spot_in_array(
                arena, a, spot, a->steps[i - 1].type,
                dl__arena_format(arena, " + dl_k%u", spot.index_count++));
    }
    return spot;
}

const char *dl__spot_at(struct dl__arena *arena, const struct dl__accessor *a,
                        struct dl__spot spot, const char *type, uint32_t bytes)
{
    const char *macro = dl__accessor_at_macro(a->space, *spot.indices);
    struct dl_leaf leaf = {spot.offset_bytes, bytes};

    if (a->leaves && !a->from)
        leaf = dl__leaf_at(a->leaves, a->leaf_count, spot.offset_bytes);
    if (leaf.offset_bytes == spot.offset_bytes && leaf.width_bytes == bytes)
        return dl__arena_format(arena, "%s%s, dl_f, %s, %u, %u%s, %u)", macro, type,
                                dl__accessor_index(a), a->element->bytes,
                                spot.offset_bytes, spot.indices, bytes);
    return dl__arena_format(
        arena, "((%s %s *)(%sunsigned char, dl_f, dl_i, %u, %u%s, %u) + %u%s))",
        dl__space_name(a->space), type, macro, a->element->bytes, leaf.offset_bytes,
        spot.indices, leaf.width_bytes, spot.offset_bytes - leaf.offset_bytes,
        spot.within);
}

/* Leaves of one width that follow each other, the first at `first`: the last of them. */
static size_t end_of_run(const struct dl__accessor *a, size_t first)
{
    size_t end = first + 1;

    while (end < a->leaf_count &&
           a->leaves[end].width_bytes == a->leaves[first].width_bytes &&
           a->leaves[end].offset_bytes ==
               a->leaves[end - 1].offset_bytes + a->leaves[end].width_bytes)
        end++;
    return end;
}

void dl__spot_print_leaf(struct dl__buf *out, const struct dl__accessor *a,
                         const char *indent)
{
    struct dl__buf width = {.arena = out->arena}, start = {.arena = out->arena};

    dl__buf_puts(&width, "");
    dl__buf_puts(&start, "");
    for (size_t first = 0, end; first < a->leaf_count; first = end) {
        end = end_of_run(a, first);
        if (end < a->leaf_count) {
            uint32_t next = a->leaves[end].offset_bytes;

            dl__buf_printf(&width, "dl_o < %u ? ", next);
            dl__buf_printf(&start, "dl_o < %u ? ", next);
        }
        dl__buf_printf(&width, "%u%s", a->leaves[first].width_bytes,
                       end < a->leaf_count ? " : " : "");
        dl__buf_printf(&start, "%u%s", a->leaves[first].offset_bytes,
                       end < a->leaf_count ? " : " : "");
    }
    dl__buf_printf(out,
                   "%sdl_index dl_w = %s;\n"
                   "%sdl_index dl_r = (dl_o - (%s)) %% dl_w;\n",
                   indent, width.items, indent, start.items);
}

const char *dl__spot_sought(struct dl__arena *arena, const struct dl__accessor *a,
                            struct dl__spot spot, const char *type)
{
    struct dl__buf leaf = {.arena = arena};

    dl__spot_print_leaf(&leaf, a, "    ");
    return dl__arena_format(
        arena,
        "    dl_index dl_b = %u%s;\n"
        "    dl_index dl_o = dl_rest(dl_p.dl_i, %u, dl_b);\n"
        "%s"
        "    return (%s %s *)(%sunsigned char, dl_f, dl_owner(dl_p.dl_i, %u, dl_b), %u, "
        "dl_o - dl_r, dl_w) + dl_r);\n",
        spot.offset_bytes, spot.indices, a->element->bytes, leaf.items,
        dl__space_name(a->space), type, dl__accessor_at_macro(a->space, false),
        a->element->bytes, a->element->bytes);
}
