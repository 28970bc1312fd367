/* SPDX-License-Identifier: MIT */
/* The affine matrices of accesses to grids. What a grid's layout may follow does not have
 * to be exact: of conditions, as at the border of a grid, the branch counts that most
 * work-items take (split.h). */
#include "annotate/forms/pattern.h"

#include <string.h>

#include "annotate/forms/split.h"
#include "annotate/track/far.h"
#include "annotate/track/locals.h"
#include "annotate/track/node.h"
#include "annotate/values/integer.h"

/* The call of a function that the launch answers; NULL: the atom is none. */
static const struct dl__node *call_of(struct dl__unit *u, const struct dl__atom *atom)
{
    const struct dl__node *n = atom->origin->node;

    return n && n->kind == DL__N_CALL && !dl__ast_callee(u->tracker->ast, n) &&
                   n->child_count == 2
               ? n
               : NULL;
}

/* The column of an id; -1: it is none. */
static int column_of(struct dl__unit *u, const struct dl__atom *atom)
{
    static const struct {
        const char *name;
        int column;
    } ids[] = {{"get_group_id", DL_GRID_GROUP},
               {"get_local_id", DL_GRID_LOCAL},
               {"get_global_id", DL_GRID_GLOBAL}};
    const struct dl__node *call = call_of(u, atom);
    int64_t number;

    for (size_t i = 0; call && i < sizeof ids / sizeof *ids; i++)
        if (!strcmp(call->name, ids[i].name) &&
            dl__constant_of(u, call->children[1], &number) && number >= 0 && number < 3)
            return ids[i].column + (int)number;
    return -1;
}

/* A parameter, a size, or a variable that counts from a number: the same for all
 * work-items. */
static bool is_uniform(struct dl__unit *u, const struct dl__atom *atom)
{
    const struct dl__node *n = atom->origin->node, *call = call_of(u, atom);
    struct dl__node *declaration;
    int64_t number;

    if (call)
        return !strncmp(call->name, "get_", 4) && !strstr(call->name, "_id");
    if (!n || n->kind != DL__N_NAME)
        return atom->origin->parameter != SIZE_MAX;
    dl__is_changed(u, n->declared_at, &declaration);
    return declaration && declaration->child_count &&
           dl__constant_of(u, declaration->children[declaration->child_count - 1],
                           &number);
}

/* One of two, as red and black: `2 * x + ((y + c) & 1)` goes along with x. */
static bool is_colour(const struct dl__polynomial_term *term)
{
    struct dl__range range = term->atoms[0]->origin->range;

    return term->count == 1 && range.lo == 0 && range.hi == 1;
}

static bool add_terms(struct dl__unit *u, const struct dl__polynomial *p, int64_t *row,
                      int64_t *constant)
{
    for (size_t t = 0; t < p->terms.count; t++) {
        const struct dl__polynomial_term *term = &p->terms.items[t];
        int column = term->count == 1 ? column_of(u, term->atoms[0]) : -1;

        if (!term->count)
            *constant += term->coefficient;
        if (column >= 0)
            row[column] += term->coefficient;
        for (size_t a = 0; column < 0 && a < term->count; a++)
            if (!is_uniform(u, term->atoms[a]) && !is_colour(term))
                return false;
    }
    return true;
}

static bool make_matrix(struct dl__unit *u, const struct dl__split *split,
                        struct dl_grid_access *out)
{
    memset(out, 0, sizeof *out);
    for (size_t d = 0; d < split->count; d++) {
        const struct dl__polynomial *part = &split->parts[d];

        if (!add_terms(u, part, out->coefficients[d], &out->constants[d]))
            return false;
    }
    return true;
}

/* `reason`: why the access has no matrix; NULL: it is `access`. */
static void add(struct dl__pattern *pattern, const struct dl__node *n, size_t dims,
                const struct dl_grid_access *access, const char *reason)
{
    if (!pattern || pattern->obstacle)
        return;
    if (!reason && pattern->any &&
        !dl_grid_access_is_alike(&pattern->access, access, (uint32_t)dims))
        reason = "its accesses go along with the ids in different ways";
    if (!reason && !pattern->any)
        pattern->access = *access;
    pattern->any = true;
    pattern->obstacle = reason;
    pattern->obstacle_at = n->begin;
}

void dl__pattern_add(struct dl__unit *u, struct dl__node *n, const struct dl__access *p)
{
    struct dl_grid_access access;
    struct dl__split split = {0};
    const char *reason = NULL;

    if (u->new_name)
        reason = "a helper reaches it";
    else if (dl__split_place(u, p, true, &split, &reason))
        reason = make_matrix(u, &split, &access)
                     ? NULL
                     : "an index does not go along with the work-items' ids";
    if (!p->root->is_far)
        add(p->root->pattern, n, split.count, &access, reason);
    /* It is of each of the buffers that it may be of. */
    for (size_t i = 0; p->root->is_far && i < u->root_count; i++)
        if (dl__far_are_alike(&u->roots[i], p->root))
            add(u->roots[i].pattern, n, split.count, &access, reason);
}
