/* SPDX-License-Identifier: MIT */
/* Uses of accessors. */
#include "annotate/track/use.h"

static void note(struct dl__unit *u, struct dl__node *n, const struct dl__root *root,
                 struct dl__accessor *accessor)
{
    struct dl__use use = {accessor, root, n->begin};

    DL__PUSH(u->tracker->arena, &u->uses, use);
}

const struct dl__accessor *dl__use_place(struct dl__unit *u, struct dl__node *n,
                                         const struct dl__access *p,
                                         const struct dl__accessor_kind *kind)
{
    struct dl__accessor *a =
        dl__accessor_get(&u->tracker->accessors, kind, p->root->space, p->root->element,
                         p->root->is_part ? p->root->element_type : NULL, p->steps,
                         p->step_count, p->type);

    if (!a)
        dl__refuse(
            u, n->begin,
            p->root->is_part && p->type->name
                ? "a struct in '%s', whose union's members overlap, is copied through "
                  "a pointer to it"
                : "this member of '%s' has a type without a name",
            p->root->name);
    note(u, n, p->root, a);
    return a;
}

const struct dl__accessor *dl__use_element(struct dl__unit *u, struct dl__node *n,
                                           const struct dl__root *root,
                                           const struct dl__accessor_kind *kind)
{
    const struct dl__struct *row = root->element;
    struct dl__step steps[2] = {{row->fields, row->fields->type},
                                {NULL, root->element_type}};
    struct dl__accessor *a = dl__accessor_get(&u->tracker->accessors, kind, root->space,
                                              row, NULL, steps, 2, root->element_type);

    note(u, n, root, a);
    return a;
}

const struct dl__accessor *dl__use_vector(struct dl__unit *u, struct dl__node *n,
                                          const struct dl__access *p,
                                          const struct dl__accessor_kind *kind,
                                          const struct dl__type *type,
                                          const struct dl__vector_form *form)
{
    struct dl__accessor *a;

    bool is_run = p->root->is_part && form->is_run;

    if ((p->root->is_part || p->root->is_far) && !form->is_block && !is_run)
        dl__refuse(u, n->begin,
                   p->root->is_part ? "'%s' takes a pointer to a part of '%s'"
                                    : "'%s' takes a pointer into either '%s'",
                   form->builtin, p->root->name);
    a = dl__accessor_get_vector(&u->tracker->accessors, kind, p->root->space,
                                p->root->element, is_run ? p->root->element_type : NULL,
                                p->steps, p->step_count, type, form);

    note(u, n, p->root, a);
    return a;
}
