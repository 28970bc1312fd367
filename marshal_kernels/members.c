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
    UNITS_MAX = 3840, /* of four tables in 60 KB of constant memory */
    STRUCTS_MOST = 128,
    STRUCTS_LEAST = 16, /* of which each array's elements still fill a sector or two */
    PART_BYTES_MAX =
        24576 /* several work-groups are to share a processor's local memory */
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

/* How many structs a work-group has by way of local memory; 0: each work-item has its own. A CPU's caches join
 * accesses already, and so does a single element. */
static uint32_t joined_structs(const struct dl__steps *steps, uint32_t units,
                               uint32_t element_bytes)
{
    const struct dl__device_limits *limits = &steps->engine->limits;
    bool wanted = steps->knobs.family == DL_FORCE_TILE || !limits->is_cpu;
    uint64_t room =
        limits->local_bytes < PART_BYTES_MAX ? limits->local_bytes : PART_BYTES_MAX;
    uint32_t structs = STRUCTS_MOST;

    while (structs >= STRUCTS_LEAST &&
           (uint64_t)structs * (units | 1) * element_bytes + (uint64_t)units * 4 > room)
        structs /= 2;
    return wanted && units > 1 && structs >= STRUCTS_LEAST ? structs : 0;
}

/* The kernel, and over how many work-items it runs. */
static enum dl_status add_kernel(const struct dl__steps *steps,
                                 const struct dl_conversion *conversion,
                                 const struct dl_members *members, struct dl__run *run)
{
    static const char *const names[2][2] = {
        {"dl_members_scatter", "dl_members_scatter_joined"},
        {"dl_members_gather", "dl_members_gather_joined"}};
    const struct dl_leaf_table *leaves = &conversion->leaves;
    uint32_t unit = element_of(leaves, members);
    uint32_t units = dl_members_bytes(members, leaves->struct_bytes) / unit;
    uint32_t joined = joined_structs(steps, units, unit);
    uint64_t structs = conversion->structs;
    struct dl__text text = {0};
    enum dl_status st = DL_ENOMEM;

    run->name = names[run->reads_only][joined > 0];
    dl__text_add(&text, "#define COLUMNS %uu\n#define ELEMENT_BYTES %u\n",
                 leaves->struct_bytes / unit, unit);
    dl__text_add(&text, "#define INDEX_64\n#define UNITS %uu\n", units);
    if (joined)
        dl__text_add(&text, "#define STRUCTS %uu\n", joined);
    for (int table = 0; table < TABLES; table++)
        add_table(&text, leaves, members, unit, (enum column)table);
    if (!text.failed)
        st = dl__engine_kernel(steps->engine, &source, text.bytes, run->name,
                               &run->kernel, NULL);
    free(text.bytes);
    if (joined) {
        run->local[0] =
            dl__engine_group_items(steps->engine, run->kernel, GROUP_ITEMS, structs);
        run->global[0] = (size_t)((structs + joined - 1) / joined * run->local[0]);
    } else {
        run->global[0] =
            (size_t)dl__round_up(structs < ITEMS_MAX ? structs : ITEMS_MAX, GROUP_ITEMS);
    }
    return st;
}

enum dl_status dl__members_plan(const struct dl__steps *steps,
                                struct dl_conversion *conversion)
{
    bool gathers = conversion->to.kind == DL_LAYOUT_MEMBERS;
    const struct dl_leaf_table *leaves = &conversion->leaves;
    const struct dl_members *members =
        gathers ? &conversion->to.members : &conversion->from.members;
    uint32_t bytes = dl_members_bytes(members, leaves->struct_bytes);
    struct dl__run run = {.reads_only = gathers, .dims = 1};
    enum dl_status st;

    if (conversion->from.kind != DL_LAYOUT_AOS && conversion->to.kind != DL_LAYOUT_AOS)
        return DL_ENOTSUP;
    if (bytes / element_of(leaves, members) > UNITS_MAX || leaves->arrays ||
        !are_whole(leaves, members))
        return DL_ENOTSUP;
    if (bytes == 0 || conversion->structs == 0)
        return DL_OK;
    st = add_kernel(steps, conversion, members, &run);
    if (st != DL_OK)
        return st;
    dl__run_add_buffer(&run);
    dl__run_add_ulong(&run, conversion->structs);
    dl__run_add_workspace(&run);
    conversion->list.traffic_bytes = 2 * conversion->structs * bytes;
    return dl__run_list_add(&conversion->list, &run, 0);
}
