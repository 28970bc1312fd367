/* Where a member lies: in a leaf of its own, or inside a leaf that a union's members share. */
#include "annotate/accessors/accessor.h"

/* True when an index into the array, at its first element, moves inside a leaf. */
static bool stays_in_leaf(const struct dl__accessor *a, uint32_t offset_bytes,
                          const struct dl__type *array)
{
    struct dl_leaf leaf;

    if (!a->leaves || array->count < 2)
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
    const char *macro = dl__accessor_at_macro(a->space);
    struct dl_leaf leaf = {spot.offset_bytes, bytes};

    if (a->leaves)
        leaf = dl__leaf_at(a->leaves, a->leaf_count, spot.offset_bytes);
    if (leaf.offset_bytes == spot.offset_bytes && leaf.width_bytes == bytes)
        return dl__arena_format(arena, "%s%s, dl_f, %s, %u, %u%s, %u)", macro, type,
                                dl__accessor_index(a), a->element->bytes,
                                spot.offset_bytes, spot.indices, bytes);
    return dl__arena_format(
        arena, "((%s %s *)(%sunsigned char, dl_f, %s, %u, %u%s, %u) + %u%s))",
        dl__space_name(a->space), type, macro, dl__accessor_index(a), a->element->bytes,
        leaf.offset_bytes, spot.indices, leaf.width_bytes,
        spot.offset_bytes - leaf.offset_bytes, spot.within);
}
