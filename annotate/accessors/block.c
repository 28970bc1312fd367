/* SPDX-License-Identifier: MIT */
/* The accessors that stand for async_work_group_copy: the work-group's items copy units
 * of the leaves one by one, and meet at a barrier. */
#include "annotate/accessors/kinds.h"

#include <string.h>

struct block {
    struct dl__buf *out;
    const struct dl__accessor *a;
    const struct dl__vector_form *form;
    const char *space, *value;
    bool stores;
    unsigned row;      /* units in a struct or row; 0: dl_w */
    unsigned per;      /* units in what the program counts */
    unsigned unit;     /* bytes of one, in a struct */
    const char *place; /* formals that say where in the buffer */
};

static struct block block_of(struct dl__buf *out, const struct dl__accessor *a)
{
    const struct dl__vector_form *form = a->vector;
    struct block b = {.out = out,
                      .a = a,
                      .form = form,
                      .space = dl__space_name(a->space),
                      .value = dl__type_text(form->value),
                      .stores = a->kind == &dl__block_out,
                      .per = form->lanes,
                      .place = "dl_part dl_p"};

    if (form->any) {
        b.place = form->any->kind->formals;
        b.row = strstr(b.place, "dl_w") ? 0 : (unsigned)a->element->fields->type->count;
    } else {
        b.unit = form->start_bytes;
        b.row = a->element->bytes / b.unit;
    }
    return b;
}

/* Without tiles the program's own call copies. Its event is wanted with tiles, too. */
static void print_own_call(const struct block *b, const char *at, const char *count)
{
    const char *own = dl__arena_format(b->out->arena, "(__global %s%s *)%s",
                                       b->stores ? "" : "const ", b->value, at);

    dl__buf_printf(b->out, "    return %s(%s, %s, %s%s, dl_event);\n", b->form->builtin,
                   b->stores ? own : "dl_l", b->stores ? "dl_l" : own, count,
                   b->form->by_struct ? ", dl_stride" : "");
}

static void print_head(const struct block *b)
{
    struct dl__buf *out = b->out;
    const char *local = dl__arena_format(out->arena, "__local %s%s *dl_l",
                                         b->stores ? "const " : "", b->value);

    dl__buf_printf(out, "static DL_INLINE event_t %s(", b->a->name);
    if (!b->stores)
        dl__buf_printf(out, "%s, ", local);
    dl__buf_printf(out, "%s const %s *dl_f, %s DL_FORMALS", b->space,
                   dl__type_text(b->a->element->name), b->place);
    if (b->stores)
        dl__buf_printf(out, ", %s", local);
    dl__buf_printf(out, ", dl_index dl_n, %sevent_t dl_event)\n{\n#ifndef DL_TILING\n",
                   b->form->by_struct ? "dl_index dl_stride, " : "");
    if (b->form->any)
        print_own_call(b,
                       dl__arena_format(out->arena, "%s(dl_f, %sdl_e%s)",
                                        b->form->any->name,
                                        b->form->any->kind->before_index,
                                        b->form->any->kind->behind_index),
                       "dl_n");
    else
        print_own_call(b,
                       dl__arena_format(out->arena,
                                        "((%s unsigned char *)(dl_f + dl_p.dl_i) + "
                                        "dl_p.dl_o)",
                                        b->space),
                       "dl_n");
}

/* Where unit dl_k of the copy lies in the buffer. */
static const char *unit_at(const struct block *b)
{
    struct dl__arena *arena = b->out->arena;
    const char *number = "dl_k";

    if (b->form->by_struct)
        number = dl__arena_format(arena, "dl_k / %u * dl_stride * %u + dl_k %% %u",
                                  b->per, b->per, b->per);
    if (b->form->any)
        return dl__arena_format(arena, "%s(dl_f, %sdl_e + (%s)%s DL_PASS)",
                                b->form->any->name, b->form->any->kind->before_index,
                                number, b->form->any->kind->behind_index);
    dl__buf_printf(b->out,
                   "            dl_index dl_b = dl_p.dl_o + (%s) * %u;\n"
                   "            dl_index dl_o = dl_b %% %u;\n",
                   number, b->unit, b->a->element->bytes);
    dl__spot_print_leaf(b->out, b->a, "            ");
    return dl__arena_format(
        arena,
        "(%sunsigned char, dl_f, dl_p.dl_i + dl_b / %u, %u, dl_o - dl_r, dl_w) + dl_r)",
        dl__accessor_at_macro(b->a->space, false), b->a->element->bytes,
        b->a->element->bytes);
}

/* Neighbouring items take neighbouring structs or rows, whose leaves are neighbours in a
 * tile, where there are enough of them. */
static void print(struct dl__buf *out, const struct dl__accessor *a)
{
    struct block block = block_of(out, a), *b = &block;
    const char *row =
        b->row ? dl__arena_format(out->arena, "%u", b->row) : "(dl_w + (dl_w == 0))";
    const char *at, *global, *local;

    print_head(b);
    if (b->form->by_struct)
        row = "1"; /* whole structs apart, they are neighbours as they come */
    dl__buf_printf(
        out,
        "#else\n"
        "    dl_index dl_t = get_local_id(0) + get_local_size(0) * (get_local_id(1) + "
        "get_local_size(1) * get_local_id(2));\n"
        "    dl_index dl_z = get_local_size(0) * get_local_size(1) * "
        "get_local_size(2);\n"
        "    dl_index dl_units = dl_n * %u;\n"
        "    dl_index dl_turns = dl_units >= dl_z * %s ? %s : 1;\n\n"
        "    for (dl_index dl_c = 0; dl_c < dl_turns; dl_c++) {\n"
        "        for (dl_index dl_k = dl_c + dl_t * dl_turns; dl_k < dl_units; dl_k += "
        "dl_z * dl_turns) {\n",
        b->per, row, row);
    at = unit_at(b);
    global = dl__arena_format(out->arena, "((%s DL_ALIASED(%s) *)%s)->dl_v", b->space,
                              b->form->view, at);
    local = dl__arena_format(out->arena, "((__local %sDL_ALIASED(%s) *)dl_l)[dl_k].dl_v",
                             b->stores ? "const " : "", b->form->view);
    dl__buf_printf(out,
                   "            %s = %s;\n"
                   "        }\n"
                   "    }\n"
                   "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n",
                   b->stores ? global : local, b->stores ? local : global);
    print_own_call(b, "dl_f", "0");
    dl__buf_puts(out, "#endif\n}\n");
}

const struct dl__accessor_kind dl__block_in = {.ending = "", .print = print};
const struct dl__accessor_kind dl__block_out = {.ending = "", .print = print};
