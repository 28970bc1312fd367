/* The generated accessors: how rewritten code reaches a leaf. */
#include "annotate/accessors/accessor.h"

#include <string.h>

/* ---- finding ---- */

static bool same(const struct dl__accessor *a, const struct dl__accessor_kind *kind,
                 unsigned space, const struct dl__struct *element,
                 const struct dl__step *steps, size_t count)
{
    if (a->kind != kind || a->space != space || a->element != element ||
        a->step_count != count)
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
            !strcmp(a->value, b->value) && a->across == b->across &&
            a->by_struct == b->by_struct && a->start_bytes == b->start_bytes);
}

static const char *make_name(struct dl__accessors *all,
                             const struct dl__accessor_kind *kind, unsigned space,
                             const struct dl__struct *element,
                             const struct dl__step *steps, size_t count,
                             const char *builtin)
{
    struct dl__buf name = {.arena = all->arena};

    dl__buf_puts(&name, dl__struct_tag(all->arena, element));
    for (size_t i = 0; i < count; i++)
        if (steps[i].field && steps[i].field->name[0])
            dl__buf_printf(&name, "_%s", steps[i].field->name);
    dl__buf_puts(&name, kind->ending);
    if (builtin)
        dl__buf_printf(&name, "_%s", builtin);
    if (space == DL__CONSTANT)
        dl__buf_puts(&name, "_constant");
    return dl__name_make(&all->names, all->arena, name.items);
}

/* Every struct that a load or store assigns whole must have leaves only; arrays of
 * structs in it are copied member by member, so only the outermost type needs a name. */
struct dl__accessor *dl__accessor_get(struct dl__accessors *all,
                                      const struct dl__accessor_kind *kind,
                                      unsigned space, const struct dl__struct *element,
                                      const struct dl__step *steps, size_t step_count,
                                      const struct dl__type *type)
{
    return dl__accessor_get_vector(all, kind, space, element, steps, step_count, type,
                                   NULL);
}

struct dl__accessor *
dl__accessor_get_vector(struct dl__accessors *all, const struct dl__accessor_kind *kind,
                        unsigned space, const struct dl__struct *element,
                        const struct dl__step *steps, size_t step_count,
                        const struct dl__type *type, const struct dl__vector_form *form)
{
    struct dl__accessor *a = all->first;
    struct dl__step *copy;

    while (a && !(same(a, kind, space, element, steps, step_count) &&
                  same_form(a->vector, form)))
        a = a->next;
    if (a)
        return a;
    if (!type->name ||
        (kind->copies ? type->kind != DL__T_STRUCT
                      : type->kind != DL__T_SCALAR && type->kind != DL__T_VECTOR))
        return NULL;
    a = DL__NEW(all->arena, struct dl__accessor);
    copy = dl__arena_alloc(all->arena, (step_count + 1) * sizeof *copy);
    if (step_count)
        memcpy(copy, steps, step_count * sizeof *copy);
    a->kind = kind;
    a->space = space;
    a->element = element;
    a->steps = copy;
    a->step_count = step_count;
    a->type = type;
    if (dl__struct_has_union(element) || (form && form->across)) {
        const char *reason;

        a->leaves = dl__struct_leaves(all->arena, element, &a->leaf_count, &reason);
    }
    if (form) {
        struct dl__vector_form *kept = DL__NEW(all->arena, struct dl__vector_form);

        *kept = *form;
        a->vector = kept;
    }
    a->name = make_name(all, kind, space, element, steps, step_count,
                        form ? form->builtin : NULL);
    if (kind->wrapper)
        a->view = dl__name_make(&all->names, all->arena,
                                dl__arena_format(all->arena, "%s_view", a->name + 3));
    if (!all->tail)
        all->tail = &all->first;
    *all->tail = a;
    all->tail = &a->next;
    return a;
}

/* ---- printing ---- */

const char *dl__space_name(unsigned space)
{
    return space == DL__CONSTANT ? "__constant" : "__global";
}

const char *dl__accessor_at_macro(unsigned space)
{
    return space == DL__CONSTANT ? "DL_AT_IN(__constant, " : "DL_AT(";
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
