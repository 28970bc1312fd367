/* SPDX-License-Identifier: MIT */
/* The generated accessors: how rewritten code reaches a leaf. */
#include "annotate/accessors/accessor.h"

#include <string.h>

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

const char *dl__accessor_index(const struct dl__accessor *a)
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
