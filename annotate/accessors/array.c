/* SPDX-License-Identifier: MIT */
/* The accessors of discrete arrays, element dl_e of array dl_i, whose length dl_w comes
 * with the call. In tiles, the arrays are the leaves of structs. */
#include "annotate/accessors/flat.h"

#define FORMALS "dl_index dl_i, dl_index dl_e, dl_index dl_w"

/* dl_tail is how many arrays there are. dl_head is 0 where the buffer is in the program's
 * own layout: a launch says so of each buffer, and then dl_w may be anything. Most
 * elements are in a whole tile, and in the array that they are counted from: one
 * comparison. All others are looked up by their index; one that is in none of the arrays
 * is where it was. */
static void print(struct dl__buf *out, const struct dl__accessor *a)
{
    const struct dl__flat made = dl__flat_of(a), *f = &made;
    bool wraps = a->kind == &dl__array_uint;
    const char *whole =
        wraps ? "(unsigned int)(dl_i * dl_w + dl_e)" : "(dl_i * dl_w + dl_e)";
    const char *arrays =
        f->width > 1 ? dl__arena_format(out->arena, "%u", f->width) : "dl_arrays";

    dl__flat_print_head(out, f, FORMALS, whole);
    if (f->width <= 1)
        dl__buf_puts(out, "    dl_index dl_arrays = dl_tail;\n\n");
    dl__buf_printf(out,
                   "    if (dl_e < dl_head && dl_i < %s%s)\n"
                   "        return DL_HEAD_AT(%s, %s, dl_f, dl_e, %s * %u, dl_i * %u, "
                   "%u);\n"
                   "    dl_e = %s;\n"
                   "    dl_i = dl_head ? dl_e / dl_w : %s;\n"
                   "    if (dl_i >= %s)\n"
                   "        return (%s %s *)dl_f + (dl_signed)dl_e;\n"
                   "    dl_e -= dl_i * dl_w;\n"
                   "    dl_tail = dl_w - dl_head;\n"
                   "    return %s%s, dl_f, dl_e, %s * %u, dl_i * %u, %u);\n"
                   "#endif\n}\n",
                   arrays, wraps ? " && dl_i * dl_w + dl_e <= 0xffffffffu" : "", f->space,
                   f->type, arrays, f->element_bytes, f->element_bytes, f->element_bytes,
                   whole, arrays, arrays, f->space, f->type, f->at_macro, f->type, arrays,
                   f->element_bytes, f->element_bytes, f->element_bytes);
}

const struct dl__accessor_kind dl__array = {.ending = "_array",
                                            .print = print,
                                            .formals = FORMALS,
                                            .before_index = "dl_i, ",
                                            .behind_index = ", dl_w"};
const struct dl__accessor_kind dl__array_uint = {.ending = "_array_uint", .print = print};
const struct dl__row_kinds dl__arrays_kinds = {&dl__array, &dl__array, &dl__array_uint};
