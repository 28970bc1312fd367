/* SPDX-License-Identifier: MIT */
/* The accessors that stand for vload and vstore: one element after the other. */
#include "annotate/accessors/kinds.h"

#include <string.h>

/* Where lane `lane` of the vector lies: in a struct an address, in a flat buffer a call.
 */
static const char *lane_at(struct dl__arena *arena, const struct dl__accessor *a,
                           struct dl__spot spot, unsigned lane, bool packed)
{
    const struct dl__vector_form *form = a->vector;
    unsigned bytes = a->type->bytes;
    const char **to;

    if (form->any)
        return dl__arena_format(arena,
                                "(%s %s *)%s(dl_f, %sdl_e + dl_o * %u + %u%s DL_PASS)",
                                dl__space_name(a->space), dl__type_text(form->view),
                                form->any->name, form->any->kind->before_index,
                                form->lanes, lane, form->any->kind->behind_index);
    spot.offset_bytes += lane * bytes;
    if (form->across)
        return dl__spot_at(arena, a, spot, dl__type_text(form->view), bytes);
    to = *spot.within ? &spot.within : &spot.indices;
    *to = dl__arena_format(arena, "%s + dl_o * %u", *to, form->lanes * bytes);
    return dl__spot_at(arena, a, spot,
                       packed ? "unsigned char" : dl__type_text(form->view), bytes);
}

static const char *lane_value(struct dl__arena *arena, const struct dl__accessor *a,
                              const char *at, const char *stored, bool packed)
{
    const struct dl__vector_form *form = a->vector;

    if (form->lane_builtin && stored)
        return dl__arena_format(arena, "%s(%s, 0, %s)", form->lane_builtin, stored, at);
    if (form->lane_builtin)
        return dl__arena_format(arena, "%s(0, %s)", form->lane_builtin, at);
    if (packed || form->across ||
        dl__steps_cross_union(a->element, NULL, a->steps, a->step_count) ||
        strcmp(form->view, a->type->name))
        at = dl__arena_format(arena, "((%s %s(%s) *)%s)->dl_v", dl__space_name(a->space),
                              packed ? "DL_PACKED" : "DL_ALIASED",
                              dl__type_text(form->view), at);
    else
        at = dl__arena_format(arena, form->any ? "*(%s)" : "*%s", at);
    return stored ? dl__arena_format(arena, "%s = %s", at, stored) : at;
}

static void print(struct dl__buf *out, const struct dl__accessor *a)
{
    const struct dl__vector_form *form = a->vector;
    struct dl__spot spot = dl__accessor_spot(out->arena, a);
    const char *space = dl__space_name(a->space);
    bool stores = a->kind == &dl__scatter, packed;

    spot.offset_bytes += form->start_bytes;
    packed = a->type->bytes > 1 && dl__struct_is_packed(out->arena, a->element);
    if (stores && form->value_last)
        dl__buf_printf(out, "static void %s(", a->name);
    else if (stores)
        dl__buf_printf(out, "static void %s(%s dl_v, ", a->name,
                       dl__type_text(form->value));
    else
        dl__buf_printf(out, "static %s %s(", dl__type_text(form->value), a->name);
    dl__buf_printf(out, "dl_index dl_o, %s const %s *dl_f, %s", space,
                   dl__type_text(a->element->name),
                   form->any ? form->any->kind->formals : dl__accessor_place(a));
    dl__accessor_print_formals(out, spot.index_count);
    if (form->value_last)
        dl__buf_printf(out, ", %s dl_v", dl__type_text(form->value));
    dl__buf_puts(out, ")\n{\n");
    if (form->by_struct)
        dl__buf_puts(out, "    dl_i += dl_o;\n");
    if (!stores)
        dl__buf_printf(out, "    return (%s)(", dl__type_text(form->value));
    for (unsigned lane = 0; lane < form->lanes; lane++) {
        const char *at = lane_at(out->arena, a, spot, lane, packed);
        const char *stored =
            form->lanes == 1
                ? "dl_v"
                : dl__arena_format(out->arena, "dl_v.s%c", "0123456789abcdef"[lane]);

        if (stores)
            dl__buf_printf(out, "    %s;\n",
                           lane_value(out->arena, a, at, stored, packed));
        else
            dl__buf_printf(out, "%s%s", lane ? ", " : "",
                           lane_value(out->arena, a, at, NULL, packed));
    }
    dl__buf_puts(out, stores ? "}\n" : ");\n}\n");
}

const struct dl__accessor_kind dl__gather = {.ending = "", .print = print};
const struct dl__accessor_kind dl__scatter = {.ending = "", .print = print};
