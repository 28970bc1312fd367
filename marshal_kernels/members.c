/* SPDX-License-Identifier: MIT */
/* Conversions between structs and structs with members beside them. */
#include "engine/text.h"
#include "internal.h"
#include "layout/arith.h"
#include "layout/members.h"

#include <stdlib.h>

enum {
    GROUP_ITEMS = 256,
    ITEMS_MAX = 1 << 20,
    UNITS_MAX = 3840 /* of four tables in 60 KB of constant memory */
};

extern const char dl_step_cl[], dl_members_cl[];
static const struct dl__kernel_source source = {{dl_step_cl, dl_members_cl}};

bool dl__conversion_is_beside(const struct dl_conversion *conversion)
{
    return conversion->from.kind == DL_LAYOUT_MEMBERS ||
           conversion->to.kind == DL_LAYOUT_MEMBERS;
}

/* True when each run of these structs is of whole leaves. */
static bool are_whole(const struct dl_leaf_table *leaves,
                      const struct dl_members *members)
{
    for (uint32_t r = 0; r < members->run_count; r++) {
        const struct dl_member_run *run = &members->runs[r];
        uint32_t bytes = 0;

        for (uint32_t l = 0; l < leaves->leaf_count; l++)
            if (leaves->leaves[l].offset_bytes >= run->offset_bytes &&
                leaves->leaves[l].offset_bytes - run->offset_bytes +
                        leaves->leaves[l].width_bytes <=
                    run->bytes)
                bytes += leaves->leaves[l].width_bytes;
        if (run->struct_bytes == leaves->struct_bytes && bytes != run->bytes)
            return false;
    }
    return true;
}

/* The largest element that divides all that is moved. */
static uint32_t element_of(const struct dl_leaf_table *leaves,
                           const struct dl_members *members)
{
    uint32_t unit = (uint32_t)dl__gcd(leaves->struct_bytes, 16), before;

    for (uint32_t l = 0; l < leaves->leaf_count; l++) {
        struct dl_leaf leaf = leaves->leaves[l];

        if (!dl_members_find(members, leaves->struct_bytes, leaf, &before))
            continue;
        unit = (uint32_t)dl__gcd(leaf.width_bytes, unit);
        unit = (uint32_t)dl__gcd(leaf.offset_bytes, unit);
        unit = (uint32_t)dl__gcd(before, unit);
    }
    return unit;
}

enum column { COLUMN, BEFORE, WIDTH, REST, TABLES };

/* One of the tables of members.cl. */
static void add_table(struct dl__text *text, const struct dl_leaf_table *leaves,
                      const struct dl_members *members, uint32_t unit, enum column which)
{
    static const char *const names[] = {"column", "before", "width", "rest"};
    uint32_t before;

    dl__text_add(text, "__constant uint unit_%s[] = {", names[which]);
    for (uint32_t l = 0; l < leaves->leaf_count; l++) {
        struct dl_leaf leaf = leaves->leaves[l];

        if (!dl_members_find(members, leaves->struct_bytes, leaf, &before))
            continue;
        for (uint32_t e = 0; e < leaf.width_bytes / unit; e++) {
            const uint32_t values[] = {[COLUMN] = leaf.offset_bytes / unit + e,
                                       [BEFORE] = before / unit,
                                       [WIDTH] = leaf.width_bytes / unit,
                                       [REST] = e};

            dl__text_add(text, "%u,", values[which]);
        }
    }
    dl__text_add(text, "};\n");
}

enum dl_status dl__members_plan(struct dl__engine *engine,
                                struct dl_conversion *conversion)
{
    bool gathers = conversion->to.kind == DL_LAYOUT_MEMBERS;
    const struct dl_leaf_table *leaves = &conversion->leaves;
    const struct dl_members *members =
        gathers ? &conversion->to.members : &conversion->from.members;
    uint32_t bytes = dl_members_bytes(members, leaves->struct_bytes), unit;
    struct dl__run run = {.name = gathers ? "dl_members_gather" : "dl_members_scatter",
                          .reads_only = gathers,
                          .dims = 1};
    struct dl__text text = {0};
    enum dl_status st = DL_ENOMEM;

    if (conversion->from.kind != DL_LAYOUT_AOS && conversion->to.kind != DL_LAYOUT_AOS)
        return DL_ENOTSUP;
    unit = element_of(leaves, members);
    if (bytes / unit > UNITS_MAX || leaves->arrays || !are_whole(leaves, members))
        return DL_ENOTSUP;
    if (bytes == 0 || conversion->structs == 0)
        return DL_OK;
    dl__text_add(&text, "#define COLUMNS %uu\n#define ELEMENT_BYTES %u\n",
                 leaves->struct_bytes / unit, unit);
    dl__text_add(&text, "#define INDEX_64\n#define UNITS %uu\n", bytes / unit);
    for (int table = 0; table < TABLES; table++)
        add_table(&text, leaves, members, unit, (enum column)table);
    if (!text.failed)
        st = dl__engine_kernel(engine, &source, text.bytes, run.name, &run.kernel, NULL);
    free(text.bytes);
    if (st != DL_OK)
        return st;
    dl__run_add_buffer(&run);
    dl__run_add_ulong(&run, conversion->structs);
    dl__run_add_workspace(&run);
    run.global[0] = (size_t)dl__round_up(
        conversion->structs < ITEMS_MAX ? conversion->structs : ITEMS_MAX, GROUP_ITEMS);
    conversion->list.traffic_bytes = 2 * conversion->structs * bytes;
    return dl__run_list_add(&conversion->list, &run, 0);
}
