/* SPDX-License-Identifier: MIT */
/* Accessors: their names, and what all kinds of them print. */
#include "annotate/accessors/accessor.h"

#include <stdio.h>
#include <string.h>

#include "annotate/accessors/prelude.h"
#include "annotate/text/lex.h"

/* Accessors call their arguments and variables so. */
static const char taken[] =
    "dl_f dl_i dl_e dl_w dl_s dl_o dl_p dl_v dl_r dl_head dl_tail";

/* These stand before the name of a buffer or pointer, or before a number;
 * annotate/coalesce calls its own so. */
static const char *const prefixes[] = {"dl_at_",   "dl_row_",  "dl_w_",
                                       "dl_head_", "dl_tail_", "dl_group_"};

static bool is_number(const char *text)
{
    return *text && !text[strspn(text, "0123456789")];
}

static bool is_of_prelude(const char *name)
{
    for (const char *const *text = dl__prelude_texts(); *text; text++)
        if (dl__text_has_word(*text, strlen(*text), name))
            return true;
    return false;
}

static bool is_taken(const struct dl__names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (!strcmp(name, names->items[i]))
            return true;
    return dl__is_in(taken, name, strlen(name)) || is_of_prelude(name) ||
           ((!strncmp(name, "dl_k", 4) || !strncmp(name, "dl_l", 4)) &&
            is_number(name + 4));
}

const char *dl__name_make(struct dl__names *names, struct dl__arena *arena,
                          const char *wanted)
{
    char *base = dl__arena_format(arena, "dl_%s", wanted), *name;

    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (!strncmp(base, prefixes[i], strlen(prefixes[i])))
            base = dl__arena_format(arena, "dl_of_%s", wanted);
    name = base;
    for (unsigned number = 2; is_taken(names, name); number++)
        name = dl__arena_format(arena, "%s_%u", base, number);
    DL__PUSH(arena, names, name);
    return name;
}

/* ---- The generated accessors: how rewritten code reaches a leaf. ---- */

/* ---- finding ---- */

static bool same_type(const struct dl__type *a, const struct dl__type *b)
{
    return a == b || (a && b && a->kind == b->kind && a->identity == b->identity &&
                      a->name && b->name && !strcmp(a->name, b->name));
}

static bool same(const struct dl__accessor *a, const struct dl__accessor *wanted)
{
    const struct dl__step *steps = wanted->steps;
    size_t count = wanted->step_count;

    if (a->kind != wanted->kind || a->space != wanted->space ||
        a->element != wanted->element || a->step_count != count ||
        !same_type(a->from, wanted->from))
        return false;
    for (size_t i = 0; i < count; i++)
        if (a->steps[i].field != steps[i].field)
            return false;
    return true;
}

static bool same_form(const struct dl__vector_form *a, const struct dl__vector_form *b)
{
    return a == b ||
           (a && b && !strcmp(a->builtin, b->builtin) && !strcmp(a->view, b->view) &&
            !strcmp(a->value, b->value) && a->any == b->any && a->across == b->across &&
            a->by_struct == b->by_struct && a->start_bytes == b->start_bytes);
}

/* "V3" for `struct V3`, "float" */
static const char *tag_of(struct dl__arena *arena, const struct dl__type *type)
{
    return type->kind == DL__T_STRUCT ? dl__struct_tag(arena, type->identity)
           : type->name               ? type->name
                                      : "part";
}

static const char *make_name(struct dl__accessors *all, const struct dl__accessor *a,
                             const char *builtin)
{
    struct dl__buf name = {.arena = all->arena};

    dl__buf_puts(&name, dl__struct_tag(all->arena, a->element));
    if (a->from)
        dl__buf_printf(&name, "_%s", tag_of(all->arena, a->from));
    for (size_t i = 0; i < a->step_count; i++)
        if (a->steps[i].field && a->steps[i].field->name[0])
            dl__buf_printf(&name, "_%s", a->steps[i].field->name);
    dl__buf_puts(&name, a->kind->ending);
    if (builtin)
        dl__buf_printf(&name, "_%s", builtin);
    if (a->space == DL__CONSTANT)
        dl__buf_puts(&name, "_constant");
    if (a->space & DL__VOLATILE)
        dl__buf_puts(&name, "_volatile");
    return dl__name_make(&all->names, all->arena, name.items);
}

/* Every struct that a load or store assigns whole must have leaves only; arrays of
 * structs in it are copied member by member, so only the outermost type needs a name. */
static struct dl__accessor *get(struct dl__accessors *all, struct dl__accessor wanted,
                                const struct dl__vector_form *form)
{
    const struct dl__type *type = wanted.type;
    struct dl__accessor *a = all->first;
    struct dl__step *copy;
    bool shares; /* a leaf may hold several members */

    while (a && !(same(a, &wanted) && same_form(a->vector, form)))
        a = a->next;
    if (a)
        return a;
    if (!type->name ||
        (wanted.kind->copies ? type->kind != DL__T_STRUCT
                             : type->kind != DL__T_SCALAR && type->kind != DL__T_VECTOR))
        return NULL;
    shares = dl__struct_has_union(wanted.element) &&
             (!wanted.from || !dl__leaves_are_members(all->arena, wanted.element));
    /* Which leaf a part lies in is known at run time only. */
    if (wanted.from && shares && wanted.kind->copies)
        return NULL;
    a = DL__NEW(all->arena, struct dl__accessor);
    *a = wanted;
    if (shares || (form && form->across)) {
        const char *reason;

        a->leaves = dl__struct_leaves(all->arena, a->element, &a->leaf_count, &reason);
    }
    copy = dl__arena_alloc(all->arena, (a->step_count + 1) * sizeof *copy);
    if (a->step_count)
        memcpy(copy, a->steps, a->step_count * sizeof *copy);
    a->steps = copy;
    if (form) {
        struct dl__vector_form *kept = DL__NEW(all->arena, struct dl__vector_form);

        *kept = *form;
        a->vector = kept;
    }
    a->name = make_name(all, a, form ? form->builtin : NULL);
    if (a->kind->wrapper)
        a->view = dl__name_make(&all->names, all->arena,
                                dl__arena_format(all->arena, "%s_view", a->name + 3));
    if (!all->tail)
        all->tail = &all->first;
    *all->tail = a;
    all->tail = &a->next;
    return a;
}

struct dl__accessor *dl__accessor_get(struct dl__accessors *all,
                                      const struct dl__accessor_kind *kind,
                                      unsigned space, const struct dl__struct *element,
                                      const struct dl__type *from,
                                      const struct dl__step *steps, size_t step_count,
                                      const struct dl__type *type)
{
    struct dl__accessor wanted = {.kind = kind,
                                  .space = space,
                                  .element = element,
                                  .from = from,
                                  .steps = steps,
                                  .step_count = step_count,
                                  .type = type};

    return get(all, wanted, NULL);
}

struct dl__accessor *
dl__accessor_get_vector(struct dl__accessors *all, const struct dl__accessor_kind *kind,
                        unsigned space, const struct dl__struct *element,
                        const struct dl__type *from, const struct dl__step *steps,
                        size_t step_count, const struct dl__type *type,
                        const struct dl__vector_form *form)
{
    struct dl__accessor wanted = {.kind = kind,
                                  .space = space,
                                  .element = element,
                                  .from = from,
                                  .steps = steps,
                                  .step_count = step_count,
                                  .type = type};

    return get(all, wanted, form);
}

/* ---- printing ---- */

const char *dl__space_name(unsigned space)
{
    return space == DL__CONSTANT    ? "__constant"
           : (space & DL__VOLATILE) ? "__global volatile"
                                    : "__global";
}

const char *dl__accessor_at_macro(unsigned space, bool any)
{
    return space == DL__CONSTANT
               ? any ? "DL_ANY_AT_IN(__constant, " : "DL_AT_IN(__constant, "
           : (space & DL__VOLATILE)
               ? any ? "DL_ANY_AT_IN(__global volatile, " : "DL_AT_IN(__global volatile, "
           : any ? "DL_ANY_AT("
                 : "DL_AT(";
}

const char *dl__type_text(const char *name)
{
    static const char *const map[][2] = {{"uchar", "unsigned char"},
                                         {"ushort", "unsigned short"},
                                         {"uint", "unsigned int"},
                                         {"ulong", "unsigned long"}};

    for (size_t i = 0; i < sizeof map / sizeof *map; i++)
        if (!strcmp(name, map[i][0]))
            return map[i][1];
    return name;
}

const char *dl__accessor_place(const struct dl__accessor *a)
{
    return a->from ? "dl_part dl_p" : "dl_index dl_i";
}

static const char *accessor_index(const struct dl__accessor *a)
{
    return a->from ? "dl_p.dl_i" : "dl_i";
}

void dl__accessor_print_formals(struct dl__buf *out, unsigned index_count)
{
    for (unsigned k = 0; k < index_count; k++)
        dl__buf_printf(out, ", dl_index dl_k%u", k);
    dl__buf_puts(out, " DL_FORMALS");
}

void dl__accessor_print(struct dl__buf *out, const struct dl__accessor *accessor)
{
    accessor->kind->print(out, accessor);
}

/* Where a member lies: in a leaf of its own, or inside a leaf that a union's members
 * share. */

/* True when an index into the array, at its first element, moves inside a leaf. */
static bool stays_in_leaf(const struct dl__accessor *a, uint32_t offset_bytes,
                          const struct dl__type *array)
{
    struct dl_leaf leaf;

    if (a->from || !a->leaves || array->count < 2)
        return false;
    leaf = dl__leaf_at(a->leaves, a->leaf_count, offset_bytes);
    return offset_bytes + array->bytes <= leaf.offset_bytes + leaf.width_bytes;
}

struct dl__spot dl__spot_in_array(struct dl__arena *arena, const struct dl__accessor *a,
                                  struct dl__spot spot, const struct dl__type *array,
                                  const char *index)
{
    const char **to =
        stays_in_leaf(a, spot.offset_bytes, array) ? &spot.within : &spot.indices;

    *to = dl__arena_format(arena, "%s%s * %u", *to, index, array->element->bytes);
    return spot;
}

struct dl__spot dl__accessor_spot(struct dl__arena *arena, const struct dl__accessor *a)
{
    struct dl__spot spot = {.indices = a->from ? " + dl_p.dl_o" : "", .within = ""};

    for (size_t i = 0; i < a->step_count; i++) {
        if (a->steps[i].field)
            spot.offset_bytes += a->steps[i].field->offset_bytes;
        else
            spot = dl__spot_in_array(
                arena, a, spot, a->steps[i - 1].type,
                dl__arena_format(arena, " + dl_k%u", spot.index_count++));
    }
    return spot;
}

const char *dl__spot_at(struct dl__arena *arena, const struct dl__accessor *a,
                        struct dl__spot spot, const char *type, uint32_t bytes)
{
    const char *macro = dl__accessor_at_macro(a->space, *spot.indices);
    struct dl_leaf leaf = {spot.offset_bytes, bytes};

    if (a->leaves && !a->from)
        leaf = dl__leaf_at(a->leaves, a->leaf_count, spot.offset_bytes);
    if (leaf.offset_bytes == spot.offset_bytes && leaf.width_bytes == bytes)
        return dl__arena_format(arena, "%s%s, dl_f, %s, %u, %u%s, %u)", macro, type,
                                accessor_index(a), a->element->bytes, spot.offset_bytes,
                                spot.indices, bytes);
    return dl__arena_format(
        arena, "((%s %s *)(%sunsigned char, dl_f, dl_i, %u, %u%s, %u) + %u%s))",
        dl__space_name(a->space), type, macro, a->element->bytes, leaf.offset_bytes,
        spot.indices, leaf.width_bytes, spot.offset_bytes - leaf.offset_bytes,
        spot.within);
}

/* Leaves of one width that follow each other, the first at `first`: the last of them. */
static size_t end_of_run(const struct dl__accessor *a, size_t first)
{
    size_t end = first + 1;

    while (end < a->leaf_count &&
           a->leaves[end].width_bytes == a->leaves[first].width_bytes &&
           a->leaves[end].offset_bytes ==
               a->leaves[end - 1].offset_bytes + a->leaves[end].width_bytes)
        end++;
    return end;
}

void dl__spot_print_leaf(struct dl__buf *out, const struct dl__accessor *a,
                         const char *indent)
{
    struct dl__buf width = {.arena = out->arena}, start = {.arena = out->arena};

    dl__buf_puts(&width, "");
    dl__buf_puts(&start, "");
    for (size_t first = 0, end; first < a->leaf_count; first = end) {
        end = end_of_run(a, first);
        if (end < a->leaf_count) {
            uint32_t next = a->leaves[end].offset_bytes;

            dl__buf_printf(&width, "dl_o < %u ? ", next);
            dl__buf_printf(&start, "dl_o < %u ? ", next);
        }
        dl__buf_printf(&width, "%u%s", a->leaves[first].width_bytes,
                       end < a->leaf_count ? " : " : "");
        dl__buf_printf(&start, "%u%s", a->leaves[first].offset_bytes,
                       end < a->leaf_count ? " : " : "");
    }
    dl__buf_printf(out,
                   "%sdl_index dl_w = %s;\n"
                   "%sdl_index dl_r = (dl_o - (%s)) %% dl_w;\n",
                   indent, width.items, indent, start.items);
}

const char *dl__spot_sought(struct dl__arena *arena, const struct dl__accessor *a,
                            struct dl__spot spot, const char *type)
{
    struct dl__buf leaf = {.arena = arena};

    dl__spot_print_leaf(&leaf, a, "    ");
    return dl__arena_format(
        arena,
        "    dl_index dl_b = %u%s;\n"
        "    dl_index dl_o = dl_rest(dl_p.dl_i, %u, dl_b);\n"
        "%s"
        "    return (%s %s *)(%sunsigned char, dl_f, dl_owner(dl_p.dl_i, %u, dl_b), %u, "
        "dl_o - dl_r, dl_w) + dl_r);\n",
        spot.offset_bytes, spot.indices, a->element->bytes, leaf.items,
        dl__space_name(a->space), type, dl__accessor_at_macro(a->space, false),
        a->element->bytes, a->element->bytes);
}
