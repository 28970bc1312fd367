/* SPDX-License-Identifier: MIT */
/* The accessors that reach a scalar or vector in a struct. */
#include "annotate/accessors/kinds.h"

static void print(struct dl__buf *out, const struct dl__accessor *a)
{
    struct dl__spot spot = dl__accessor_spot(out->arena, a);
    const char *space = dl__space_name(a->space);
    const char *type = dl__type_text(a->type->name), *reached = a->view ? a->view : type;

    if (a->view)
        dl__buf_printf(out, "typedef %s(%s) %s;\n", a->kind->wrapper, type, a->view);
    dl__buf_printf(out, "static %s %s *%s(%s const %s *dl_f, %s", space, reached, a->name,
                   space, dl__type_text(a->element->name), dl__accessor_place(a));
    dl__accessor_print_formals(out, spot.index_count);
    if (a->from && a->leaves)
        dl__buf_printf(out, ")\n{\n%s}\n", dl__spot_sought(out->arena, a, spot, reached));
    else
        dl__buf_printf(out, ")\n{\n    return %s;\n}\n",
                       dl__spot_at(out->arena, a, spot, reached, a->type->bytes));
}

const struct dl__accessor_kind dl__address = {.ending = "", .print = print};
const struct dl__accessor_kind dl__packed = {
    .ending = "", .wrapper = "DL_PACKED", .print = print};
const struct dl__accessor_kind dl__aliased = {
    .ending = "", .wrapper = "DL_ALIASED", .print = print};
