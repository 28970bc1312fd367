/* SPDX-License-Identifier: MIT */
/* Calls of what OpenCL C brings. */
#include "annotate/prove/prove.h"

#include <string.h>

/* A run of elements lies in an array of them: places that one of them is not at are not
 * meant. */
static void keep_runs(struct dl__prover *p, struct dl__known *place,
                      const struct dl__type *vector)
{
    struct dl__offsets all = {0}, kept = {0};

    if (!place->buffer || place->offsets.count < 2 || place->buffer->is_flat)
        return;
    dl__offsets_of_type(p, place->buffer->element, 0, vector->element, &all);
    for (size_t i = 0; i < place->offsets.count; i++) {
        uint32_t at = place->offsets.items[i], run = 0;

        for (size_t k = 0; k < all.count && run < vector->count; k++)
            if (all.items[k] == at + run * vector->element->bytes) {
                run++;
                k = SIZE_MAX; /* from the first on */
            }
        if (run == vector->count)
            DL__PUSH(p->arena, &kept, at);
    }
    place->offsets = kept.count ? kept : place->offsets;
}

struct dl__known dl__prove_vload(struct dl__prover *p, struct dl__side_text *t,
                                 struct dl__node *n, struct dl__known *a)
{
    bool stores = n->name[1] == 's';
    struct dl__known *pointer = &a[stores ? 2 : 1], *by = &a[stores ? 1 : 0], place;
    const struct dl__type *vector =
        stores ? dl__known_type(t, n->children[1]) : dl__known_type(t, n);
    struct dl__type *type = DL__NEW(p->arena, struct dl__type);

    if (pointer->kind != DL__K_PLACE || by->kind != DL__K_INTEGER ||
        vector->kind != DL__T_VECTOR)
        dl__lose(p, n, "'%s' is not followed here", n->name);
    *type = *vector;
    type->bytes = (uint32_t)vector->count * vector->element->bytes;
    by->integer = dl__seal(p, by->integer);
    by->integer.bits = 64;
    by->integer.is_signed = true;
    place = dl__place_moved(
        p, *pointer,
        dl__integer_combine('*', by->integer,
                            dl__integer_constant((dl__bound)vector->count, 64, true)),
        vector->element);
    keep_runs(p, &place, vector);
    if (!stores)
        return dl__load_known(p, t, n, place, type, 0);
    dl__store_known(p, t, n, place, type, 0, a[0]);
    return dl__know_opaque(0);
}

static bool starts_with(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

/* vload_half and vstore_half of one element, whatever they make of it. False: it is
 * another function. */
static bool prove_half(struct dl__prover *p, struct dl__side_text *t, struct dl__node *n,
                       const struct dl__known *a, struct dl__known *out)
{
    bool stores = starts_with(n->name, "vstore_half");
    size_t at = stores ? 2 : 1;
    struct dl__known place, value;
    struct dl__integer by;
    const struct dl__type *type;
    int64_t zero;

    if ((!stores && strcmp(n->name, "vload_half") != 0) ||
        strpbrk(n->name, "0123456789") || n->child_count != at + 2 ||
        a[at].kind != DL__K_PLACE || a[at - 1].kind != DL__K_INTEGER)
        return false;
    type = dl__known_type(t, n->children[at + 1])->element;
    by = dl__seal(p, a[at - 1].integer);
    by.bits = 64;
    by.is_signed = true;
    place = dl__integer_is_constant(by, &zero) && !zero
                ? a[at]
                : dl__place_moved(p, a[at], by, type);
    if (stores) {
        value = a[0];
        dl__store_known(p, t, n, place, type, 0,
                        dl__know_opaque(dl__draw_text(n->name, "half", 4) ^
                                        dl__draw("half", dl__key(p, &value), 0, 0)));
        *out = dl__know_opaque(0);
        return true;
    }
    value = dl__load_known(p, t, n, place, type, 0);
    *out =
        dl__know_typed(dl__draw("half", dl__key(p, &value), 1, 0), dl__known_type(t, n));
    return true;
}

/* Ids and sizes of a launch in one dimension: larger ones are not run in tiles. */
static struct dl__known of_launch(const char *name, struct dl__known v)
{
    static const char *const names[] = {
        "get_global_id",  "get_local_id",   "get_group_id",     "get_global_size",
        "get_local_size", "get_num_groups", "get_global_offset"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]) && v.kind == DL__K_INTEGER && v.integer.bits == 64)
            v.integer.high = (dl__bound)1 << 40;
    return v;
}

static void bound_minimum(struct dl__known *out, const struct dl__known *a,
                          const struct dl__known *b)
{
    if (out->kind != DL__K_INTEGER || a->kind != DL__K_INTEGER ||
        b->kind != DL__K_INTEGER)
        return;
    out->integer.low = a->integer.low < b->integer.low ? a->integer.low : b->integer.low;
    out->integer.high =
        a->integer.high < b->integer.high ? a->integer.high : b->integer.high;
}

/* A number of such a call; it is an effect where it may be one. */
struct dl__known dl__prove_builtin(struct dl__prover *p, struct dl__side_text *t,
                                   struct dl__node *n, struct dl__known *a)
{
    dl__number number = dl__draw_text("builtin", n->name, strlen(n->name));
    struct dl__known result;
    bool has_effect =
        dl__known_type(t, n)->kind == DL__T_OTHER || !starts_with(n->name, "get_");

    if (prove_half(p, t, n, a, &result))
        return result;
    /* A hint, which the rewritten text does without. */
    if (!t->is_new && !strcmp(n->name, "prefetch") && n->child_count > 1 && a[0].buffer)
        return dl__know_opaque(0);
    for (size_t i = 0; i + 1 < n->child_count; i++) {
        const struct dl__type *type = dl__known_type(t, n->children[i + 1]);
        dl__number key;

        if (a[i].kind == DL__K_PLACE && type->kind == DL__T_POINTER) {
            if (a[i].buffer && (starts_with(n->name, "async") ||
                                starts_with(n->name, "v") || starts_with(n->name, "p")))
                dl__lose(p, n, "'%s' is not followed here", n->name);
            key = dl__address_key(p, t, n->children[i + 1], a[i], type->element->bytes);
        } else {
            key = dl__key(p, &a[i]);
        }
        number = dl__draw("argument", number, key, 0);
    }
    if (!has_effect)
        return of_launch(n->name, dl__know_typed(number, dl__known_type(t, n)));
    dl__add_effect(p, t, n, number);
    result =
        dl__know_typed(dl__draw("result", number,
                                t->is_new ? p->next_effect : p->effects.count, p->clock),
                       dl__known_type(t, n));
    if (!strcmp(n->name, "min") && n->child_count == 3)
        bound_minimum(&result, &a[0], &a[1]);
    return result;
}
