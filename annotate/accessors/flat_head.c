/* SPDX-License-Identifier: MIT */
/* What the accessors of flat buffers have in common. */
#include "annotate/accessors/flat.h"

struct dl__flat dl__flat_of(const struct dl__accessor *a)
{
    return (struct dl__flat){.type = dl__type_text(a->element->name),
                             .space = dl__space_name(a->space),
                             .name = a->name,
                             .at_macro = dl__accessor_at_macro(a->space, false),
                             .width = (unsigned)a->element->fields->type->count,
                             .element_bytes = a->type->bytes};
}

void dl__flat_print_head(struct dl__buf *out, const struct dl__flat *f,
                         const char *arguments, const char *whole)
{
    dl__buf_printf(out,
                   "static %s %s *%s(%s const %s *dl_f, %s DL_FORMALS)\n{\n"
                   "#ifndef DL_TILING\n"
                   "    return (%s %s *)dl_f + %s;\n"
                   "#else\n",
                   f->space, f->type, f->name, f->space, f->type, arguments, f->space,
                   f->type, whole);
}
