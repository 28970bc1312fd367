/* SPDX-License-Identifier: MIT */
/* Flat buffers whose rows are one element each: an element's index is its row's. Wider
 * rows, of constant width too, are rows.c's. */
#include <stdlib.h>
#include <string.h>

#include "annotate/annotations/dimension.h"
#include "annotate/forms/forms.h"
#include "annotate/forms/index.h"
#include "annotate/forms/sum.h"
#include "annotate/forms/width.h"
#include "annotate/track/node.h"
#include "annotate/track/use.h"

static bool bind(struct dl__binding *b, struct dl__root *root)
{
    struct dl_launch nothing = {.work_dim = 1};
    struct dl_dimension *parsed = NULL;
    const char *ignored;
    int64_t width = 0;
    enum dl_status st;

    if (!b->width || !dl__width_is_sound(b))
        return b->width != NULL;
    if (strstr(b->width, "global_size"))
        return false; /* so it does of sizes */
    st = dl__dimension_parse(b->width, strlen(b->width), &parsed, &ignored);
    if (st == DL_ENOMEM)
        dl__arena_fail(b->arena, st);
    if (st != DL_OK)
        return false; /* arguments: a launch knows it */
    st = dl_dimension_eval(parsed, &nothing, &width, &ignored);
    free(parsed);
    if (st != DL_OK || width < 1 || width > DL_FLAT_WIDTH_MAX) {
        b->reason = dl__arena_format(b->arena, "the width of '%s' is not from 1 to %d",
                                     b->buffer, DL_FLAT_WIDTH_MAX);
        return true;
    }
    /* As text that is a number by now. */
    b->width = dl__arena_format(b->arena, "%lld", (long long)width);
    if (width > 1)
        return false; /* two indices: what is added to a pointer may be whole rows or not
                       */
    root->shape = dl__width_make(b, &dl__rows_kinds);
    dl__width_give_rows(b, (uint32_t)width, root);
    return true;
}

static void edit_element(struct dl__unit *u, struct dl__node *n,
                         const struct dl__access *p, const char *before,
                         const char *after)
{
    const char *name = dl__use_element(u, n, p->root, &dl__any)->name, *close;
    size_t at;

    if (p->index_host && p->index_host->kind == DL__N_CALL) {
        size_t begin, end;

        dl__index_range(u, p->index_host, p->index, &begin, &end);
        dl__replace(u, n->begin, n->end,
                    dl__format(u, "%s%s(%s, %s DL_ARGS(%s)%s", before, name,
                               p->root->name, dl__rewritten(u, p->index, begin, end),
                               p->root->name, after));
        return;
    }
    at = dl__index_edit_call(u, n, p, before, name, &close);
    dl__replace(u, at, n->end, dl__format(u, "%s%s", close, after));
}

static void edit_within(struct dl__unit *u, struct dl__node *n,
                        const struct dl__access *p, const char *before, const char *after)
{
    edit_element(u, n, p, before, dl__format(u, ")%s", after));
}

static void edit_value(struct dl__unit *u, struct dl__node *n, const struct dl__access *p)
{
    edit_element(u, n, p, "(*", "))");
}

static void edit_address(struct dl__unit *u, struct dl__node *n,
                         const struct dl__access *p)
{
    edit_element(u, n, p, "", ")");
}

const struct dl__form dl__form_flat = {.bind = bind,
                                       .edit_value = edit_value,
                                       .edit_address = edit_address,
                                       .edit_within = edit_within,
                                       .any = &dl__any,
                                       DL__INDEX_OPERATIONS};
