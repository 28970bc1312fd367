/* SPDX-License-Identifier: MIT */
/* Members that are seen as a vector: what a pointer of another type points to. */
#include "annotate/track/view.h"

#include "annotate/track/form.h"
#include "annotate/track/node.h"

bool dl__find_pointed(struct dl__unit *u, struct dl__node *inner, struct dl__access *out)
{
    const struct dl__root *root;

    if (inner->kind == DL__N_UNARY && dl__op_is(inner, "&") &&
        dl__find_place(u, inner->children[0], out) && out->step_count)
        return out->type->kind != DL__T_ARRAY && !out->root->is_part &&
               out->root->form->edit_arguments;
    root = dl__root_of(u, inner);
    return root && !root->is_part && root->form->edit_arguments &&
           dl__start_place(u, inner, NULL, NULL, out);
}

bool dl__find_view(struct dl__unit *u, struct dl__node *n, struct dl__view *out)
{
    const struct dl__access *p = &out->place;
    const struct dl__type *type;
    struct dl__node *cast;

    if (n->kind != DL__N_UNARY || !dl__op_is(n, "*") || n->child_count != 1)
        return false;
    cast = dl__strip(n->children[0]);
    type = dl__type_of(u, cast);
    if (cast->kind != DL__N_CAST || type->kind != DL__T_POINTER ||
        type->element->is_volatile ||
        !dl__find_pointed(u, dl__strip_casts(cast), &out->place))
        return false;
    out->value = out->lane = type->element;
    out->lanes = 1;
    if (out->value->kind == DL__T_VECTOR) {
        out->lane = out->value->element;
        out->lanes = (unsigned)out->value->count;
    }
    return out->lane->kind == DL__T_SCALAR && out->lane->name && out->value->name &&
           !(p->step_count && p->type->bytes == out->value->bytes &&
             p->type->kind != DL__T_STRUCT);
}

bool dl__view_fits(struct dl__unit *u, const struct dl__access *place,
                   uint32_t start_bytes, unsigned lanes, uint32_t lane_bytes)
{
    const struct dl__struct *element = place->root->element;
    uint32_t at = 0, end = element->bytes;
    const struct dl_leaf *leaves;
    const char *reason;
    size_t count;

    if (dl__struct_is_packed(u->tracker->arena, element))
        return false;
    for (size_t i = 0; i < place->step_count; i++) {
        if (place->steps[i].field)
            at += place->steps[i].field->offset_bytes;
        else
            end = at + place->steps[i].type->bytes;
    }
    leaves = dl__struct_leaves(u->tracker->arena, element, &count, &reason);
    at += start_bytes;
    for (unsigned lane = 0; lane < lanes; lane++, at += lane_bytes) {
        struct dl_leaf leaf;

        if (at + lane_bytes > end)
            return false;
        leaf = dl__leaf_at(leaves, count, at);
        if (at < leaf.offset_bytes ||
            at + lane_bytes > leaf.offset_bytes + leaf.width_bytes)
            return false;
    }
    return true;
}
