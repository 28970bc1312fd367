/* SPDX-License-Identifier: MIT */
/* Leaf tables: the fields and the padding of one struct type. */
#include "arith.h"
#include "layout.h"

#include <stdlib.h>
#include <string.h>

static int leaf_compare(const void *a, const void *b)
{
    const struct dl_leaf *x = a, *y = b;

    return (x->offset_bytes > y->offset_bytes) - (x->offset_bytes < y->offset_bytes);
}

/* The widest naturally aligned power of two that starts at `offset` and fits `gap`. */
static uint32_t padding_width(uint32_t offset, uint32_t gap)
{
    uint32_t width = 1;

    while (width * 2 <= gap && width * 2 <= DL_LEAF_BYTES_MAX &&
           offset % (width * 2) == 0)
        width *= 2;
    return width;
}

/* Covers [from, to) with padding leaves; returns how many. `leaves` NULL only counts. */
static size_t padding_fill(uint32_t from, uint32_t to, struct dl_leaf *leaves)
{
    size_t count = 0;

    while (from < to) {
        uint32_t width = padding_width(from, to - from);
        if (leaves)
            leaves[count] = (struct dl_leaf){from, width};
        from += width;
        count++;
    }
    return count;
}

/* Fields by rising offset -> leaves; returns how many, 0 when fields overlap or pass the
 * end. */
static size_t leaves_fill(uint32_t struct_bytes, const struct dl_leaf *sorted,
                          size_t field_count, struct dl_leaf *leaves)
{
    uint32_t end = 0;
    size_t count = 0;

    for (size_t i = 0; i < field_count; i++) {
        struct dl_leaf field = sorted[i];
        if (field.width_bytes == 0 || field.width_bytes > DL_LEAF_BYTES_MAX ||
            field.offset_bytes < end ||
            (uint64_t)field.offset_bytes + field.width_bytes > struct_bytes)
            return 0;
        count += padding_fill(end, field.offset_bytes, leaves ? leaves + count : NULL);
        if (leaves)
            leaves[count] = field;
        count++;
        end = field.offset_bytes + field.width_bytes;
    }
    return count + padding_fill(end, struct_bytes, leaves ? leaves + count : NULL);
}

enum dl_status dl_leaf_table_make(uint32_t struct_bytes, const struct dl_leaf *fields,
                                  size_t field_count, struct dl_leaf_table *out)
{
    enum dl_status st = DL_OK;
    struct dl_leaf *sorted = NULL, *leaves = NULL;
    size_t count;

    if (struct_bytes == 0 || field_count > struct_bytes)
        return DL_EINVAL;
    sorted = calloc(field_count + 1, sizeof *sorted);
    if (!sorted)
        return DL_ENOMEM;
    if (field_count > 0) {
        memcpy(sorted, fields, field_count * sizeof *sorted);
        qsort(sorted, field_count, sizeof *sorted, leaf_compare);
    }
    count = leaves_fill(struct_bytes, sorted, field_count, NULL);
    if (count == 0) {
        st = DL_EINVAL;
        goto out;
    }
    leaves = calloc(count, sizeof *leaves);
    if (!leaves) {
        st = DL_ENOMEM;
        goto out;
    }
    leaves_fill(struct_bytes, sorted, field_count, leaves);
    *out = (struct dl_leaf_table){struct_bytes, (uint32_t)count, leaves, false};
out:
    free(sorted);
    return st;
}

enum dl_status dl_leaf_table_copy(const struct dl_leaf_table *from,
                                  struct dl_leaf_table *out)
{
    struct dl_leaf *leaves = calloc((size_t)from->leaf_count + 1, sizeof *leaves);

    if (!leaves)
        return DL_ENOMEM;
    if (from->leaf_count > 0)
        memcpy(leaves, from->leaves, from->leaf_count * sizeof *leaves);
    *out = (struct dl_leaf_table){from->struct_bytes, from->leaf_count, leaves,
                                  from->arrays};
    return DL_OK;
}

bool dl_leaf_table_equal(const struct dl_leaf_table *a, const struct dl_leaf_table *b)
{
    if (a->struct_bytes != b->struct_bytes || a->leaf_count != b->leaf_count ||
        a->arrays != b->arrays)
        return false;
    for (uint32_t i = 0; i < a->leaf_count; i++)
        if (a->leaves[i].offset_bytes != b->leaves[i].offset_bytes ||
            a->leaves[i].width_bytes != b->leaves[i].width_bytes)
            return false;
    return true;
}

uint32_t dl_leaf_table_unit_bytes(const struct dl_leaf_table *table)
{
    uint32_t unit = 0;

    /* Leaves follow each other without gaps, so a divisor of all widths divides all
     * offsets. */
    for (uint32_t i = 0; i < table->leaf_count; i++)
        unit = (uint32_t)dl__gcd(table->leaves[i].width_bytes, unit);
    return unit > 0 ? unit : 1;
}
