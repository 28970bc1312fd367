/* SPDX-License-Identifier: MIT */
/* Discrete arrays of the program's own, `f[length][arrays]` to ASTA: f[k * length + i] is
 * element i of array k. An index is split as that of rows is, whose width is the length:
 * the row is the array, and the rest is the struct. */
#include <stdlib.h>
#include <string.h>

#include "annotate/annotations/dimension.h"
#include "annotate/tree/resolve.h"
#include "annotate/forms/forms.h"
#include "annotate/forms/rows.h"
#include "annotate/forms/width.h"

extern const struct dl__form dl__form_arrays;

/* How many arrays there are; 0: as many as fit. */
static uint32_t array_count(struct dl__binding *b)
{
    const char *text = b->width;
    struct dl_dimension *parsed = NULL;
    struct dl_launch nothing = {0};
    const char *ignored;
    int64_t count = 0;

    if (!*text)
        return 0;
    if (dl__dimension_parse(text, strlen(text), &parsed, &ignored) != DL_OK ||
        dl_dimension_args(parsed) ||
        dl_dimension_eval(parsed, &nothing, &count, &ignored) != DL_OK || count < 2 ||
        count > DL_FLAT_WIDTH_MAX)
        b->reason = dl__arena_format(
            b->arena,
            "the arrays of '%s' are not counted by a constant from 2 to %d; "
            "`%s[%s][]` takes as many as fill the buffer",
            b->buffer, DL_FLAT_WIDTH_MAX, b->buffer, b->length);
    free(parsed);
    return b->reason ? 0 : (uint32_t)count;
}

bool dl__is_of_arrays(const struct dl__root *root)
{
    return root->form == &dl__form_arrays;
}

static bool bind(struct dl__binding *b, struct dl__root *root)
{
    struct dl__binding of_length = *b;
    uint32_t count;

    if (!b->length)
        return false;
    of_length.width = b->length;
    if (dl__width_is_sound(&of_length))
        root->shape = dl__width_make(&of_length, &dl__arrays_kinds);
    b->reason = of_length.reason;
    if (b->reason && !dl__resolve_value(b->arena, b->length))
        b->reason = dl__arena_format(
            b->arena,
            "the length of '%s' uses more of the launch than global sizes and arguments",
            b->buffer);
    count = b->reason ? 0 : array_count(b);
    if (b->reason)
        return true;
    dl__width_give_rows(b, count, root);
    return true;
}

static const char *describe(struct dl__arena *arena, const struct dl__root *root)
{
    const struct dl__width *width = root->shape;
    unsigned count = (unsigned)root->element->fields->type->count;

    return dl__arena_format(arena, "%s of elements of %u bytes, each %s long",
                            count > 1 ? dl__arena_format(arena, "%u arrays", count)
                                      : "arrays, as many as fit,",
                            root->element->fields->type->element->bytes, width->written);
}

static const char *table_line(struct dl__arena *arena, const struct dl__root *root)
{
    (void)arena;
    (void)root;
    return "";
}

const struct dl__form dl__form_arrays = {.bind = bind,
                                         DL__ROWS_EDITS,
                                         .any = &dl__array,
                                         .describe = describe,
                                         .table_line = table_line};
