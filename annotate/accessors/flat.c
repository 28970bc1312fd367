/* SPDX-License-Identifier: MIT */
/* The accessors of flat buffers of constant width that find an element's row themselves. */
#include "annotate/accessors/flat.h"

/* By the element's index. */
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

static void print_row_of(struct dl__buf *out, const struct dl__flat *f)
{
    dl__buf_printf(out,
                   "    return %s%s, dl_f, dl_i, %u, (dl_index)dl_e * %u, %u);\n"
                   "#endif\n}\n",
                   f->at_macro, f->type, f->width * f->element_bytes, f->element_bytes,
                   f->element_bytes);
}

/* By row and a rest of an index that wraps at 2^32, which its parts may do, too. */
static void print_uint_parts(struct dl__buf *out, const struct dl__accessor *a,
                             bool reversed)
{
    const struct dl__flat made = dl__flat_of(a), *f = &made;

    dl__flat_print_head(out, f,
                        reversed ? "unsigned int dl_e, unsigned int dl_i"
                                 : "unsigned int dl_i, unsigned int dl_e",
                        dl__arena_format(out->arena, "(dl_i * %uu + dl_e)", f->width));
    dl__buf_printf(out,
                   "#ifdef DL_INDEX_64\n"
                   "    if (dl_e >= %uu || dl_i > (0xffffffffu - dl_e) / %uu) {\n"
                   "#else\n"
                   "    if (dl_e >= %uu || dl_i >= dl_head + dl_tail) {\n"
                   "#endif\n"
                   "        dl_e += dl_i * %uu;\n"
                   "        dl_i = dl_e / %uu;\n"
                   "        dl_e -= dl_i * %uu;\n"
                   "    }\n",
                   f->width, f->width, f->width, f->width, f->width, f->width);
    print_row_of(out, f);
}

/* A row that lies outside the buffer may come from an index that wrapped at 2^64, of which it is no
 * row: as a whole it is what the program has. */
static void print_wrapped(struct dl__buf *out, const struct dl__flat *f)
{
    dl__buf_printf(out,
                   "    if (dl_i >= dl_head + dl_tail) {\n"
                   "        dl_index dl_w = dl_i * %u + (dl_index)dl_e;\n\n"
                   "        dl_i = dl_w / %u;\n"
                   "        if (dl_i >= dl_head + dl_tail)\n"
                   "            return (%s %s *)dl_f + (dl_signed)dl_w;\n"
                   "        dl_e = dl_w - dl_i * %u;\n"
                   "    }\n",
                   f->width, f->width, f->space, f->type, f->width);
}

/* By row and a rest, which may leave the row. A long's is in its row or has its own way. */
static void print_signed(struct dl__buf *out, const struct dl__accessor *a, bool reversed,
                         bool is_long, bool wraps)
{
    const struct dl__flat made = dl__flat_of(a), *f = &made;
    const char *type = is_long ? "long" : "dl_signed";

    dl__flat_print_head(
        out, f,
        reversed ? dl__arena_format(out->arena, "%s dl_e, dl_index dl_i", type)
                 : dl__arena_format(out->arena, "dl_index dl_i, %s dl_e", type),
        dl__arena_format(out->arena,
                         wraps ? "(dl_i * %u + (dl_index)dl_e)"
                               : "((long)dl_i * %u + dl_e)",
                         f->width));
    dl__buf_printf(out, is_long ? "    if (dl_e < 0 || dl_e >= %u) {\n" : "    {\n",
                   f->width);
    dl__buf_printf(out,
                   "        %s dl_r = dl_e >= 0 ? dl_e / %u : ~(~dl_e / %u);\n\n"
                   "        dl_i += (dl_index)dl_r;\n"
                   "        dl_e -= dl_r * %u;\n"
                   "    }\n",
                   type, f->width, f->width, f->width);
    if (wraps)
        print_wrapped(out, f);
    print_row_of(out, f);
}

static void print_int(struct dl__buf *out, const struct dl__accessor *a)
{
    print_signed(out, a, false, false, false);
}

static void print_int_reversed(struct dl__buf *out, const struct dl__accessor *a)
{
    print_signed(out, a, true, false, false);
}

static void print_long(struct dl__buf *out, const struct dl__accessor *a)
{
    print_signed(out, a, false, true, false);
}

static void print_long_reversed(struct dl__buf *out, const struct dl__accessor *a)
{
    print_signed(out, a, true, true, false);
}

static void print_ulong(struct dl__buf *out, const struct dl__accessor *a)
{
    print_signed(out, a, false, true, true);
}

static void print_ulong_reversed(struct dl__buf *out, const struct dl__accessor *a)
{
    print_signed(out, a, true, true, true);
}

static void print_uint(struct dl__buf *out, const struct dl__accessor *a)
{
    print_uint_parts(out, a, false);
}

static void print_uint_reversed(struct dl__buf *out, const struct dl__accessor *a)
{
    print_uint_parts(out, a, true);
}

const struct dl__accessor_kind dl__near_int = {.ending = "_near", .print = print_int};
const struct dl__accessor_kind dl__near_int_reversed = {.ending = "_from",
                                                        .print = print_int_reversed};
const struct dl__accessor_kind dl__near_long = {.ending = "_near", .print = print_long};
const struct dl__accessor_kind dl__near_long_reversed = {.ending = "_from",
                                                         .print = print_long_reversed};
const struct dl__accessor_kind dl__near_ulong = {.ending = "_near", .print = print_ulong};
const struct dl__accessor_kind dl__near_ulong_reversed = {.ending = "_from",
                                                          .print = print_ulong_reversed};
const struct dl__accessor_kind dl__near_uint = {.ending = "_near", .print = print_uint};
const struct dl__accessor_kind dl__near_uint_reversed = {.ending = "_from",
                                                         .print = print_uint_reversed};
const struct dl__accessor_kind dl__any = {.ending = "_any",
                                          .print = print_any,
                                          .formals = "dl_index dl_e",
                                          .before_index = "",
                                          .behind_index = ""};
