/* SPDX-License-Identifier: MIT */
/* Pointers to leaves, and the accessors that places use. */
#include "annotate/track/leaf_pointer.h"

#include "annotate/track/form.h"
#include "annotate/track/reach.h"

static const struct dl__accessor *use(struct dl__unit *u, struct dl__node *n,
                                      const struct dl__root *root,
                                      struct dl__accessor wanted,
                                      const struct dl__vector_form *form)
{
    struct dl__use noted = {NULL, root, n->begin};

    wanted.space = root->space;
    wanted.element = root->element;
    noted.accessor = dl__accessor_get(&u->tracker->accessors, wanted, form);
    if (!noted.accessor)
        dl__refuse(
            u, n->begin,
            root->is_part && wanted.type->name
                ? "a struct in '%s', whose union's members overlap, is copied through "
                  "a pointer to it"
                : "this member of '%s' has a type without a name",
            root->name);
    DL__PUSH(u->tracker->arena, &u->uses, noted);
    return noted.accessor;
}

const struct dl__accessor *dl__use_place(struct dl__unit *u, struct dl__node *n,
                                         const struct dl__access *p,
                                         const struct dl__accessor_kind *kind)
{
    return use(
        u, n, p->root,
        (struct dl__accessor){.kind = kind,
                              .from = p->root->is_part ? p->root->element_type : NULL,
                              .steps = p->steps,
                              .step_count = p->step_count,
                              .type = p->type},
        NULL);
}

const struct dl__accessor *dl__use_element(struct dl__unit *u, struct dl__node *n,
                                           const struct dl__root *root,
                                           const struct dl__accessor_kind *kind)
{
    const struct dl__field *row = root->element->fields;
    struct dl__step steps[2] = {{row, row->type}, {NULL, root->element_type}};

    return use(
        u, n, root,
        (struct dl__accessor){
            .kind = kind, .steps = steps, .step_count = 2, .type = root->element_type},
        NULL);
}

const struct dl__accessor *dl__use_vector(struct dl__unit *u, struct dl__node *n,
                                          const struct dl__access *p,
                                          const struct dl__accessor_kind *kind,
                                          const struct dl__type *type,
                                          const struct dl__vector_form *form)
{
    bool is_run = p->root->is_part && form->is_run;

    if ((p->root->is_part || p->root->is_far) && !form->is_block && !is_run)
        dl__refuse(u, n->begin,
                   p->root->is_part ? "'%s' takes a pointer to a part of '%s'"
                                    : "'%s' takes a pointer into either '%s'",
                   form->builtin, p->root->name);
    return use(u, n, p->root,
               (struct dl__accessor){.kind = kind,
                                     .from = is_run ? p->root->element_type : NULL,
                                     .steps = p->steps,
                                     .step_count = p->step_count,
                                     .type = type},
               form);
}

/* ---- pointers to one leaf: they stay pointers ---- */

bool dl__is_leaf_pointer(struct dl__unit *u, struct dl__node *n)
{
    struct dl__variable *v;
    struct dl__access place;
    struct dl__node *inner = dl__strip_casts(n);
    uint32_t bytes;

    v = dl__variable_of(u, inner);
    if (v && v->kind == DL__LEAF) {
        bytes = v->leaf_bytes;
    } else if (inner->kind == DL__N_UNARY && dl__op_is(inner, "&") &&
               dl__find_place(u, inner->children[0], &place) &&
               (place.type->kind == DL__T_SCALAR || place.type->kind == DL__T_VECTOR)) {
        bytes = place.type->bytes;
    } else {
        return false;
    }
    for (struct dl__node *at = n; at != inner; at = at->children[0]) {
        const struct dl__type *type = dl__type_of(u, at);

        if (type->kind != DL__T_POINTER)
            return false;
        if (type->element->bytes != bytes)
            dl__refuse(u, at->begin, "a member is viewed as elements of another size");
    }
    return true;
}

void dl__edit_to_address(struct dl__unit *u, struct dl__node *n,
                         const struct dl__access *p)
{
    if (p->root->form->edit_element)
        p->root->form->edit_element(u, n, p, "", "");
    else
        p->root->form->edit_address(u, n, p);
}

void dl__edit_leaf_pointer(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__type *type = dl__type_of(u, n);
    bool reads_only = type->kind == DL__T_POINTER && type->element->is_const;
    struct dl__access place;

    n = dl__strip_casts(n);
    if (n->kind == DL__N_NAME)
        return;
    dl__find_place(u, n->children[0], &place);
    place.root->written |= !reads_only;
    dl__edit_to_address(u, n, &place);
}
