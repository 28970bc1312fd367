/* SPDX-License-Identifier: MIT */
/* Members beside their structs. */
#include "members.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-parameter"
typedef uint64_t dl_index;
#include "formula.h"
#pragma GCC diagnostic pop

bool dl_members_equal(const struct dl_members *a, const struct dl_members *b)
{
    if (a->run_count != b->run_count)
        return false;
    for (uint32_t r = 0; r < a->run_count; r++)
        if (a->runs[r].struct_bytes != b->runs[r].struct_bytes ||
            a->runs[r].offset_bytes != b->runs[r].offset_bytes ||
            a->runs[r].bytes != b->runs[r].bytes)
            return false;
    return true;
}

struct dl_members dl_members_of(const struct dl_members *members, uint32_t struct_bytes)
{
    struct dl_members own = {0};

    for (uint32_t r = 0; r < members->run_count; r++)
        if (members->runs[r].struct_bytes == struct_bytes)
            own.runs[own.run_count++] = members->runs[r];
    return own;
}

uint32_t dl_members_bytes(const struct dl_members *members, uint32_t struct_bytes)
{
    uint32_t bytes = 0;

    for (uint32_t r = 0; r < members->run_count; r++)
        if (members->runs[r].struct_bytes == struct_bytes)
            bytes += members->runs[r].bytes;
    return bytes;
}

enum dl_status dl_members_buffer_bytes(const struct dl_members *members,
                                       uint32_t struct_bytes, uint64_t structs,
                                       uint64_t *out)
{
    uint64_t all;

    if (__builtin_add_overflow(structs, DL_MEMBERS_ROUND - 1, &all) ||
        __builtin_mul_overflow(all / DL_MEMBERS_ROUND * DL_MEMBERS_ROUND,
                               dl_members_bytes(members, struct_bytes), &all))
        return DL_EOVERFLOW;
    *out = all;
    return DL_OK;
}

bool dl_members_find(const struct dl_members *members, uint32_t struct_bytes,
                     struct dl_leaf leaf, uint32_t *before)
{
    uint32_t bytes = 0;

    for (uint32_t r = 0; r < members->run_count; r++) {
        const struct dl_member_run *run = &members->runs[r];

        if (run->struct_bytes != struct_bytes)
            continue;
        if (leaf.offset_bytes >= run->offset_bytes &&
            leaf.offset_bytes - run->offset_bytes < run->bytes) {
            *before = bytes + leaf.offset_bytes - run->offset_bytes;
            return true;
        }
        bytes += run->bytes;
    }
    return false;
}

uint64_t dl_members_byte(uint64_t structs, uint32_t before, struct dl_leaf leaf,
                         uint64_t i)
{
    return dl_members_at(i, before, leaf.width_bytes, structs);
}

/* ---- choosing runs ---- */

static uint32_t count_runs(const struct dl_leaf_table *leaves, const bool *in)
{
    uint32_t runs = 0;

    for (uint32_t l = 0; l < leaves->leaf_count; l++)
        runs += in[l] && (l == 0 || !in[l - 1]);
    return runs;
}

/* Closes the narrowest gap between two runs. */
static void close_gap(const struct dl_leaf_table *leaves, bool *in)
{
    uint32_t best = 0, best_end = 0, best_bytes = UINT32_MAX, begin = 0;
    bool seen = false;

    for (uint32_t l = 0; l < leaves->leaf_count; l++) {
        uint32_t bytes;

        if (!in[l])
            continue;
        bytes = leaves->leaves[l].offset_bytes - leaves->leaves[begin].offset_bytes;
        if (seen && begin < l && bytes < best_bytes) {
            best = begin;
            best_end = l;
            best_bytes = bytes;
        }
        seen = true;
        begin = l + 1;
    }
    for (uint32_t l = best; l < best_end; l++)
        in[l] = true;
}

static void add_runs(struct dl_members *members, const struct dl_leaf_table *leaves,
                     const bool *in)
{
    for (uint32_t l = 0; l < leaves->leaf_count; l++) {
        struct dl_leaf leaf = leaves->leaves[l];

        if (in[l] && (l == 0 || !in[l - 1]))
            members->runs[members->run_count++] =
                (struct dl_member_run){leaves->struct_bytes, leaf.offset_bytes, 0};
        if (in[l])
            members->runs[members->run_count - 1].bytes += leaf.width_bytes;
    }
}

enum dl_status dl_members_add(struct dl_members *members,
                              const struct dl_leaf_table *leaves, const bool *picked,
                              uint32_t runs_max)
{
    struct dl_members others = {0};
    uint32_t before;
    bool *in;

    if (leaves->struct_bytes > DL_MEMBERS_STRUCT_BYTES_MAX || leaves->arrays)
        return DL_ENOTSUP;
    for (uint32_t r = 0; r < members->run_count; r++)
        if (members->runs[r].struct_bytes != leaves->struct_bytes)
            others.runs[others.run_count++] = members->runs[r];
    if (runs_max > DL_MEMBER_RUNS_MAX - others.run_count)
        runs_max = DL_MEMBER_RUNS_MAX - others.run_count;
    if (runs_max == 0)
        return DL_ENOTSUP;
    in = calloc((size_t)leaves->leaf_count + 1, sizeof *in);
    if (!in)
        return DL_ENOMEM;
    for (uint32_t l = 0; l < leaves->leaf_count; l++)
        in[l] = picked[l] || dl_members_find(members, leaves->struct_bytes,
                                             leaves->leaves[l], &before);
    while (count_runs(leaves, in) > runs_max)
        close_gap(leaves, in);
    add_runs(&others, leaves, in);
    free(in);
    *members = others;
    return DL_OK;
}

/* ---- knobs ---- */

void dl__members_add_knobs(const struct dl_members *members,
                           struct dl_layout_knobs *knobs)
{
    /* The text names all of them; one of no bytes is in no struct. */
    for (uint32_t r = 0; r < DL_MEMBER_RUNS_MAX; r++) {
        struct dl_member_run none = {0};
        const struct dl_member_run *run =
            r < members->run_count ? &members->runs[r] : &none;
        size_t used = strlen(knobs->text);
        uint32_t before = 0;

        dl_members_find(members, run->struct_bytes,
                        (struct dl_leaf){run->offset_bytes, 1}, &before);
        snprintf(knobs->text + used, sizeof knobs->text - used,
                 " -DDL_S%u=%u -DDL_O%u=%u -DDL_B%u=%u -DDL_C%u=%u", r, run->struct_bytes,
                 r, run->offset_bytes, r, run->bytes, r, before);
    }
}
