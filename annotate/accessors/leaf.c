/* The accessors that reach a scalar or vector in a struct. */
#include "annotate/accessors/kinds.h"

static void print(struct dl__buf *out, const struct dl__accessor *a)
{
    struct dl__buf indices = {.arena = out->arena};
    const char *space = dl__space_name(a->space);
    const char *type = dl__type_text(a->type->name), *reached = a->view ? a->view : type;
    unsigned index_count;
    uint32_t offset;

    dl__buf_puts(&indices, "");
    offset = dl__accessor_steps(a, &indices, &index_count);
    if (a->view)
        dl__buf_printf(out, "typedef %s(%s) %s;\n", a->kind->wrapper, type, a->view);
    dl__buf_printf(out, "static %s %s *%s(%s const %s *dl_f, %s", space, reached, a->name,
                   space, dl__type_text(a->element->name), dl__accessor_place(a));
    dl__accessor_print_formals(out, index_count);
    dl__buf_printf(out, ")\n{\n    return %s%s, dl_f, %s, %u, %u%s, %u);\n}\n",
                   dl__accessor_at_macro(a->space), reached, dl__accessor_index(a),
                   a->element->bytes, offset, indices.items, a->type->bytes);
}

const struct dl__accessor_kind dl__address = {.ending = "", .print = print};
const struct dl__accessor_kind dl__packed = {
    .ending = "", .wrapper = "DL_PACKED", .print = print};
const struct dl__accessor_kind dl__aliased = {
    .ending = "", .wrapper = "DL_ALIASED", .print = print};
