/* SPDX-License-Identifier: MIT */
/* Pointers to parts of structs. */
#include "annotate/track/part.h"

#include "annotate/text/lex.h"
#include "annotate/track/far.h"
#include "annotate/track/form.h"
#include "annotate/track/node.h"
#include "annotate/track/returned.h"

static bool can_be_pointed_to(const struct dl__type *type)
{
    return type->name && (type->kind == DL__T_STRUCT || type->kind == DL__T_SCALAR ||
                          type->kind == DL__T_VECTOR);
}

struct dl__root *dl__part_of(struct dl__unit *u, struct dl__root *root,
                             const struct dl__type *type)
{
    struct dl__root *owner = root->owner ? root->owner : root, *part;

    if (!root->form->null || root->is_far || !can_be_pointed_to(type))
        return NULL;
    if (owner->is_part && dl__is_element(owner, type))
        return owner;
    for (part = owner->parts; part; part = part->next_part)
        if (dl__is_element(part, type))
            return part;
    part = DL__NEW(u->tracker->arena, struct dl__root);
    *part = *owner;
    part->owner = owner;
    part->parts = NULL;
    part->next_part = owner->parts;
    owner->parts = part;
    part->element_type = type;
    part->is_part = true;
    part->is_single = false;
    part->written = false;
    return part;
}

struct dl__root *dl__root_of_part(struct dl__unit *u, struct dl__node *n)
{
    struct dl__access place;

    if (n->kind == DL__N_UNARY)
        return dl__find_place(u, n->children[0], &place) && place.step_count &&
                       place.type->kind == DL__T_STRUCT
                   ? dl__part_of(u, place.root, place.type)
                   : NULL;
    return dl__type_of(u, n)->kind == DL__T_ARRAY && dl__find_place(u, n, &place) &&
                   place.type->kind == DL__T_ARRAY
               ? dl__part_of(u, place.root, place.type->element)
               : NULL;
}

void dl__find_single_parts(struct dl__unit *u, struct dl__node *n)
{
    struct dl__access place;

    if (n->kind == DL__N_UNARY && dl__op_is(n, "&") && n->child_count &&
        dl__find_place(u, n->children[0], &place) && place.step_count &&
        place.steps[place.step_count - 1].field) {
        struct dl__root *part = dl__root_of_part(u, n);

        if (part)
            part->is_single = true;
    } else if (n->kind == DL__N_CALL) {
        dl__root_of_call(u, n);
    }
    for (size_t i = 0; i < n->child_count; i++)
        dl__find_single_parts(u, n->children[i]);
}

void dl__check_moved(struct dl__unit *u, const struct dl__node *n,
                     const struct dl__root *root)
{
    if (root->is_single)
        dl__refuse(u, n->begin,
                   "a pointer to a member of '%s' that is not an array is moved",
                   root->name);
}

bool dl__is_of_structs(const struct dl__root *root)
{
    return root->is_part || root->element_type->kind == DL__T_STRUCT;
}

const char *dl__root_base(struct dl__unit *u, const struct dl__root *root)
{
    const struct dl__root *owner = root->owner ? root->owner : root;

    if (!owner->is_part && !owner->is_cast)
        return owner->name;
    return dl__format(u, "(%s const %s *)%s", dl__space_name(owner->space),
                      dl__type_text(owner->element->name), owner->name);
}

bool dl__place_crosses_union(const struct dl__access *p)
{
    return dl__steps_cross_union(p->root->element,
                                 p->root->is_part ? p->root->element_type : NULL,
                                 p->steps, p->step_count);
}

/* ---- null pointers ---- */

/* The compiler's own macro, which stands in the text as it is. */
static bool is_null_macro(struct dl__unit *u, const struct dl__node *n)
{
    struct dl__lexer lexer = {.text = u->tracker->ast->text,
                              .bytes = u->tracker->ast->bytes,
                              .offset = n->begin};
    struct dl__token t = dl__lex_next(&lexer);

    return dl__token_is(&t, "NULL");
}

bool dl__is_null(struct dl__unit *u, struct dl__node *n)
{
    int64_t value;

    n = dl__strip_casts(n);
    return n->kind == DL__N_OTHER && !n->child_count &&
           ((dl__literal_of(u, n, &value) && !value) || is_null_macro(u, n));
}

void dl__edit_null(struct dl__unit *u, struct dl__node *n, const char *text)
{
    dl__replace(u, n->begin, is_null_macro(u, n) ? n->begin + 4 : n->end, text);
}

bool dl__can_be_set_to(struct dl__unit *u, const struct dl__root *root,
                       struct dl__node *n)
{
    struct dl__root *of = dl__root_of(u, n);

    return of ? of == root || (root->is_far && dl__far_of(u, of, of) == root)
              : root->form->null && dl__is_null(u, n);
}
