/* SPDX-License-Identifier: MIT */
/* Buffers of structs, `f[structs]`: pointers are struct indices, and accesses are calls
 * of accessors for each member. */
#include "annotate/forms/forms.h"
#include "annotate/forms/index.h"
#include "annotate/track/node.h"
#include "annotate/track/part.h"
#include "annotate/track/use.h"

static bool bind(struct dl__binding *b, struct dl__root *root)
{
    const struct dl__type *type = b->type;

    if (b->width)
        return false;
    if (type->kind == DL__T_POINTER &&
        (type->element->kind == DL__T_SCALAR || type->element->kind == DL__T_VECTOR))
        b->reason = dl__arena_format(
            b->arena,
            "'%s' is not a pointer to structs; a flat buffer is %s[rows][width]",
            b->buffer, b->buffer);
    else if (type->kind == DL__T_POINTER && type->element->kind == DL__T_OTHER)
        b->reason = dl__arena_format(b->arena,
                                     "'%s' is not a pointer to structs, nor cast to one "
                                     "type of them wherever it is named",
                                     b->buffer);
    else if (type->kind != DL__T_POINTER || type->element->kind != DL__T_STRUCT)
        b->reason =
            dl__arena_format(b->arena, "'%s' is not a pointer to structs", b->buffer);
    if (b->reason)
        return true;
    root->element = type->element->identity;
    root->element_type = type->element;
    return true;
}

/* Rewrites a scalar or vector place to a value, or to its address. */
/* True when a member of a packed struct is aligned in tiles wherever it is in all
 * structs, so that its address will do where the program's does: a tile's arrays begin at
 * multiples of its members' offsets. */
static bool is_aligned_in_tiles(const struct dl__access *p)
{
    uint32_t offset_bytes = 0;

    for (size_t i = 0; i < p->step_count; i++)
        if (p->steps[i].field)
            offset_bytes += p->steps[i].field->offset_bytes;
    return !p->root->is_part && p->type->bytes && offset_bytes % p->type->bytes == 0;
}

static void edit_leaf(struct dl__unit *u, struct dl__node *n, const struct dl__access *p,
                      bool address)
{
    const struct dl__accessor *a;
    const char *close;
    size_t at;
    bool packed =
        p->type->bytes > 1 && dl__struct_is_packed(u->tracker->arena, p->root->element);

    if (packed && address && !is_aligned_in_tiles(p))
        dl__refuse(u, n->begin, "the address of a member of a packed struct is taken");
    if (packed || (!address && dl__place_crosses_union(p))) {
        a = dl__use_place(u, n, p, packed ? &dl__packed : &dl__aliased);
        at = dl__index_edit_call(u, n, p, address ? "(&" : "(", a->name, &close);
        dl__replace(u, at, n->end, dl__format(u, "%s)->dl_v)", close));
        return;
    }
    a = dl__use_place(u, n, p, &dl__address);
    at = dl__index_edit_call(u, n, p, address ? "" : "(*", a->name, &close);
    dl__replace(u, at, n->end, dl__format(u, "%s%s", close, address ? ")" : "))"));
}

/* Structs with padding are handed to their accessors by pointers. */
static void edit_load(struct dl__unit *u, struct dl__node *n, const struct dl__access *p)
{
    bool open = dl__struct_has_open_bytes(p->type->identity);
    const struct dl__accessor *a = dl__use_place(u, n, p, &dl__load);
    const char *close, *before = open ? dl__format(u, "({ %s dl_s; ", a->type->name) : "";
    size_t at = dl__index_edit_call(u, n, p, before, a->name, &close);

    dl__replace(u, at, n->end,
                dl__format(u, open ? "%s, &dl_s); dl_s; })" : "%s)", close));
}

static void edit_value(struct dl__unit *u, struct dl__node *n, const struct dl__access *p)
{
    if (p->type->kind == DL__T_STRUCT)
        edit_load(u, n, p);
    else if (p->type->kind == DL__T_ARRAY)
        dl__refuse(u, n->begin, "an array member of '%s' is used as a pointer",
                   p->root->name);
    else
        edit_leaf(u, n, p, false);
}

static void edit_address(struct dl__unit *u, struct dl__node *n,
                         const struct dl__access *p)
{
    edit_leaf(u, n, p, true);
}

static size_t edit_store(struct dl__unit *u, struct dl__node *n,
                         const struct dl__access *p, const char **before,
                         const char **behind)
{
    bool open = dl__struct_has_open_bytes(p->type->identity);
    bool used = n->parent->parent && n->parent->parent->kind != DL__N_STATEMENT;
    const struct dl__accessor *a = dl__use_place(u, n, p, &dl__store);
    const char *close, *front = open ? dl__format(u, "({ %s dl_s; ", a->type->name) : "";
    size_t at = dl__index_edit_call(u, n, p, front, a->name, &close);

    *before = dl__format(u, open ? "%s, (dl_s = " : "%s, ", close);
    *behind = !open ? ")" : used ? ", &dl_s)); dl_s; })" : ", &dl_s)); })";
    return at;
}

const struct dl__form dl__form_structs = {.bind = bind,
                                          .null = "DL_NULL",
                                          .edit_value = edit_value,
                                          .edit_address = edit_address,
                                          .edit_store = edit_store,
                                          .edit_arguments = dl__index_edit_arguments,
                                          DL__INDEX_OPERATIONS};
