/* SPDX-License-Identifier: MIT */
/* The accessors of flat buffers of rows, whose width comes with the call. */
#include "annotate/accessors/flat.h"

#define FORMALS "dl_index dl_i, dl_index dl_e, dl_index dl_w"

static void print(struct dl__buf *out, const struct dl__accessor *a);

/* Of parts that are a row's where the offset lies in it; of an index that wraps at 2^32.
 */
static const struct dl__accessor_kind row = {.ending = "", .print = print},
                                      row_uint = {.ending = "_uint", .print = print};

/* An element that is not in its row, which the compiler can often tell from the loop
 * around it, is looked up by its index. Parts that could have wrapped need not be a
 * row's. What lies after the last whole row, or in front of the first, is where it was.
 */
static void print(struct dl__buf *out, const struct dl__accessor *a)
{
    const struct dl__flat made = dl__flat_of(a), *f = &made;
    bool wraps = a->kind == &row_uint, is_constant = f->width > 1;
    const char *at = is_constant
                         ? f->at_macro
                         : dl__arena_format(out->arena, "DL_ROW_AT(%s, ", f->space);

    dl__flat_print_head(out, f, FORMALS,
                        wraps ? "(unsigned int)(dl_i * dl_w + dl_e)"
                              : "(dl_i * dl_w + dl_e)");
    if (is_constant)
        dl__buf_printf(out, "    dl_w = %u;\n", f->width);
    dl__buf_printf(out,
                   "    if (%sdl_e >= dl_w%s) {\n"
                   "        dl_e = %s(dl_i * dl_w + dl_e);\n"
                   "        dl_i = dl_e / dl_w;\n"
                   "        if (dl_i >= dl_head + dl_tail)\n"
                   "            return (%s %s *)dl_f + (dl_signed)dl_e;\n"
                   "        dl_e -= dl_i * dl_w;\n"
                   "    }\n"
                   "    return %s%s, dl_f, dl_i, dl_w * %u, dl_e * %u, %u);\n"
                   "#endif\n}\n",
                   a->kind == &row ? "" : "dl_i >= dl_head + dl_tail || ",
                   wraps ? " || dl_i * dl_w + dl_e > 0xffffffffu" : "",
                   wraps ? "(unsigned int)" : "", f->space, f->type, at, f->type,
                   f->element_bytes, f->element_bytes, f->element_bytes);
}

static void print_inside(struct dl__buf *out, const struct dl__accessor *a)
{
    const struct dl__flat made = dl__flat_of(a), *f = &made;

    dl__flat_print_head(out, f, "dl_index dl_i, dl_index dl_e",
                        dl__arena_format(out->arena, "(dl_i * %u + dl_e)", f->width));
    dl__buf_printf(out,
                   "    return %s%s, dl_f, dl_i, %u, dl_e * %u, %u);\n"
                   "#endif\n}\n",
                   f->at_macro, f->type, f->width * f->element_bytes, f->element_bytes,
                   f->element_bytes);
}

const struct dl__accessor_kind dl__row_inside = {.ending = "_in", .print = print_inside};
const struct dl__accessor_kind dl__row_wide = {.ending = "_wide",
                                               .print = print,
                                               .formals = FORMALS,
                                               .before_index = "dl_i, ",
                                               .behind_index = ", dl_w"};
const struct dl__row_kinds dl__rows_kinds = {&row, &dl__row_wide, &row_uint};
