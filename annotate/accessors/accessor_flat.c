/* The accessors of flat buffers that find an element's row themselves. */
#include "annotate/accessors/accessor.h"

struct flat {
    const char *type, *space, *name;
    unsigned width, element_bytes;
};

/* The head of an accessor with these arguments behind the buffer, up to the body of its tilings;
 * `whole` is the element's index. */
static void print_head(struct dl__buf *out, const struct flat *f, const char *arguments,
                       const char *whole)
{
    dl__buf_printf(out,
                   "static %s %s *%s(%s const %s *dl_f, %s DL_FORMALS)\n{\n"
                   "#if DL_TILE == 1\n"
                   "    return (%s %s *)dl_f + %s;\n"
                   "#else\n",
                   f->space, f->type, f->name, f->space, f->type, arguments, f->space,
                   f->type, whole);
}

/* An element that is not in its row, which the compiler can often tell from the loop around it, is
 * looked up by its index. An int's parts are themselves where the offset lies in the row, since
 * nothing of it overflows; others could have wrapped, and not be a row's. What lies behind the
 * last whole row, or in front of the first, is where it was. */
static void print_row(struct dl__buf *out, const struct flat *f,
                      enum dl__accessor_kind kind)
{
    bool wraps = kind == DL__ROW_UINT;

    print_head(out, f, "dl_index dl_i, dl_index dl_e, dl_index dl_w",
               wraps ? "(unsigned int)(dl_i * dl_w + dl_e)" : "(dl_i * dl_w + dl_e)");
    dl__buf_printf(out,
                   "    if (%sdl_e >= dl_w%s) {\n"
                   "        dl_e = %s(dl_i * dl_w + dl_e);\n"
                   "        dl_i = dl_e / dl_w;\n"
                   "        if (dl_i >= dl_head + dl_tail)\n"
                   "            return (%s %s *)dl_f + (dl_signed)dl_e;\n"
                   "        dl_e -= dl_i * dl_w;\n"
                   "    }\n"
                   "    return DL_ROW_AT(%s, %s, dl_f, dl_i, dl_w * %u, dl_e * %u, %u);\n"
                   "#endif\n}\n",
                   kind == DL__ROW ? "" : "dl_i >= dl_head + dl_tail || ",
                   wraps ? " || dl_i * dl_w + dl_e > 0xffffffffu" : "",
                   wraps ? "(unsigned int)" : "", f->space, f->type, f->space, f->type,
                   f->element_bytes, f->element_bytes, f->element_bytes);
}

/* By the element's index. */
static void print_any(struct dl__buf *out, const struct flat *f)
{
    print_head(out, f, "dl_index dl_e", "dl_e");
    dl__buf_printf(out,
                   "    dl_index dl_i = dl_e / %u;\n\n"
                   "    if (dl_i >= dl_head + dl_tail)\n"
                   "        return (%s %s *)dl_f + (dl_signed)dl_e;\n"
                   "    return %s%s, dl_f, dl_i, %u, dl_e %% %u * %u, %u);\n"
                   "#endif\n}\n",
                   f->width, f->space, f->type, dl__accessor_at_macro_of(f->space),
                   f->type, f->width * f->element_bytes, f->width, f->element_bytes,
                   f->element_bytes);
}

static void print_row_of(struct dl__buf *out, const struct flat *f)
{
    dl__buf_printf(out,
                   "    return %s%s, dl_f, dl_i, %u, (dl_index)dl_e * %u, %u);\n"
                   "#endif\n}\n",
                   dl__accessor_at_macro_of(f->space), f->type,
                   f->width * f->element_bytes, f->element_bytes, f->element_bytes);
}

/* By row and a rest of an index that wraps at 2^32, which its parts may do, too. */
static void print_near_uint(struct dl__buf *out, const struct flat *f, bool reversed)
{
    print_head(out, f,
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

/* By row and a rest, which may leave the row. A long's is in its row or has its own way. */
static void print_near(struct dl__buf *out, const struct flat *f, bool reversed,
                       bool is_long)
{
    const char *type = is_long ? "long" : "dl_signed";

    print_head(out, f,
               reversed ? dl__arena_format(out->arena, "%s dl_e, dl_index dl_i", type)
                        : dl__arena_format(out->arena, "dl_index dl_i, %s dl_e", type),
               dl__arena_format(out->arena, "((long)dl_i * %u + dl_e)", f->width));
    dl__buf_printf(out, is_long ? "    if (dl_e < 0 || dl_e >= %u) {\n" : "    {\n",
                   f->width);
    dl__buf_printf(out,
                   "        %s dl_r = dl_e >= 0 ? dl_e / %u : ~(~dl_e / %u);\n\n"
                   "        dl_i += (dl_index)dl_r;\n"
                   "        dl_e -= dl_r * %u;\n"
                   "    }\n",
                   type, f->width, f->width, f->width);
    print_row_of(out, f);
}

void dl__accessor_print_flat(struct dl__buf *out, const struct dl__accessor *a)
{
    const struct flat f = {dl__type_text(a->element->name), dl__space_name(a->space),
                           a->name, a->element->flat_width, a->type->bytes};

    switch (a->kind) {
    case DL__NEAR:
    case DL__NEAR_REVERSED:
        print_near(out, &f, a->kind == DL__NEAR_REVERSED, false);
        return;
    case DL__NEAR_LONG:
    case DL__NEAR_LONG_REVERSED:
        print_near(out, &f, a->kind == DL__NEAR_LONG_REVERSED, true);
        return;
    case DL__NEAR_UINT:
    case DL__NEAR_UINT_REVERSED:
        print_near_uint(out, &f, a->kind == DL__NEAR_UINT_REVERSED);
        return;
    case DL__ANY:
        print_any(out, &f);
        return;
    default:
        print_row(out, &f, a->kind);
    }
}
