/* SPDX-License-Identifier: MIT */
/* What the accessors of flat buffers have in common, and the one of elements that are a
 * row each. */
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

static void print_any(struct dl__buf *out, const struct dl__accessor *a)
{
    const struct dl__flat made = dl__flat_of(a), *f = &made;

    dl__flat_print_head(out, f, "dl_index dl_e", "dl_e");
    dl__buf_printf(out,
                   "    dl_index dl_i = dl_e / %u;\n\n"
                   "    if (dl_i >= dl_head + dl_tail)\n"
                   "        return (%s %s *)dl_f + (dl_signed)dl_e;\n"
                   "    return %s%s, dl_f, dl_i, %u, dl_e %% %u * %u, %u);\n"
                   "#endif\n}\n",
                   f->width, f->space, f->type, f->at_macro, f->type,
                   f->width * f->element_bytes, f->width, f->element_bytes,
                   f->element_bytes);
}

const struct dl__accessor_kind dl__any = {.ending = "_any",
                                          .print = print_any,
                                          .formals = "dl_index dl_e",
                                          .before_index = "",
                                          .behind_index = ""};
