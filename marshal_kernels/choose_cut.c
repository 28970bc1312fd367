/* 100! on super-elements by cut cycles. */
#include "choose.h"

enum {
    LINE_BYTES = 128,     /* of a cache */
    RESIDENT_ITEMS = 2048 /* that a compute unit runs at once, about */
};

/* How a super-element is shared out among work-items. */
struct share {
    uint64_t row; /* elements of an aligned row, or 0: whole vectors in any places */
    uint64_t vectors, lanes, per_item;
    unsigned ahead, stretches, group;
};

static struct share share_make(const struct dl__knobs *knobs, uint64_t super_bytes,
                               uint64_t element_bytes, uint64_t row_lanes_max)
{
    bool is_short = super_bytes <= LINE_BYTES;
    struct share share = {.vectors = super_bytes / element_bytes,
                          .ahead = is_short ? knobs->cut_ahead_short : knobs->cut_ahead,
                          .stretches = is_short ? knobs->cut_stretches_short
                                                : knobs->cut_stretches,
                          .group = is_short ? knobs->cut_group_short : knobs->cut_group};
    uint64_t wanted =
        knobs->cut_bytes > element_bytes ? knobs->cut_bytes / element_bytes : 1;
    /* Lines of a cache: half of one where whole ones would leave most lanes idle, several where
     * one would leave a lane so many loads for each super-element that few of those can be in
     * flight. */
    uint64_t row_bytes =
        super_bytes < 2 * LINE_BYTES ? (knobs->cut_row + 1) / 2 : knobs->cut_row;

    while (row_bytes > 0 && row_bytes < 4 * LINE_BYTES &&
           row_bytes * (element_bytes < 8 ? 10 : 6) < super_bytes)
        row_bytes *= 2;
    if (super_bytes % LINE_BYTES != 0 && super_bytes >= LINE_BYTES / 4)
        share.row = row_bytes / element_bytes;
    /* A power of two, as work-groups are. */
    while (share.row > row_lanes_max || (share.row & (share.row - 1)) != 0)
        share.row =
            share.row > row_lanes_max ? share.row / 2 : share.row & (share.row - 1);
    if (share.row > 1) {
        uint64_t parts = (share.vectors + 2 * share.row - 2) / share.row;
        share.lanes = share.row;
        share.per_item = (share.vectors + share.row - 1) / share.row;
        share.ahead = parts < knobs->cut_loads ? (unsigned)(knobs->cut_loads / parts) : 1;
        share.group = knobs->cut_group_short; /* few wait for each other at the barrier */
        return share;
    }
    share.row = 0;
    share.per_item = wanted < share.vectors ? wanted : share.vectors;
    share.lanes = (share.vectors + share.per_item - 1) / share.per_item;
    return share;
}

static enum dl_status cut_build(struct dl_marshal *marshal, const struct dl__knobs *knobs,
                                const struct dl__shape *shape, const struct share *share,
                                struct dl__program **out)
{
    uint64_t places = shape->rows * shape->step->columns;
    struct dl__text text = {0};

    dl__text_add(&text,
                 "#define VECTORS %lluu\n#define PER_ITEM %lluu\n#define AHEAD %u\n",
                 (unsigned long long)share->vectors, (unsigned long long)share->per_item,
                 share->ahead);
    dl__text_add(&text, "#define CUT %uu\n#define SPAN %uu\n#define STRETCHES %uu\n",
                 knobs->cut_places, knobs->cut_span, share->stretches);
    if (share->row > 0)
        dl__text_add(
            &text, "#define ROW %lluu\n#define BASE_ELEMENTS %lluu\n",
            (unsigned long long)share->row,
            (unsigned long long)(shape->base_bytes / shape->element_bytes % share->row));
    /* Indices count super-elements. */
    dl__knobs_add_step(&text, shape, 1,
                       places + knobs->cut_span + (uint64_t)knobs->cut_places * 2);
    return dl__choose_program(marshal, DL_FAMILY_CUT, &text, out);
}

enum dl_status dl__choose_cut(struct dl_marshal *marshal, struct dl__shape *shape,
                              struct dl__launch_list *list)
{
    const struct dl_step *step = shape->step;
    const struct dl__knobs tuned = dl__tuned_knobs(marshal, "cut", step->element_bytes),
                           *knobs = &tuned;
    uint64_t places = shape->rows * step->columns, cut = knobs->cut_places;
    uint64_t blocks = (places + cut - 1) / cut, chains, movers;
    struct share share;
    struct dl__launch launch = {
        .entry = DL_ENTRY_CUT_MOVE, .base_bytes = shape->base_bytes, .rows = shape->rows};
    struct dl__launch save;
    enum dl_status st;

    while (shape->element_bytes > knobs->cut_vector && shape->element_bytes > 1)
        shape->element_bytes /= 2;
    for (uint64_t lanes = knobs->cut_group_short;; lanes = 0) {
        share = share_make(knobs, step->element_bytes, shape->element_bytes, lanes);
        /* One after the other only where enough are left to fill the device. */
        while (share.stretches > 1 && blocks * share.lanes * shape->instances <
                                          share.stretches * RESIDENT_ITEMS *
                                              (uint64_t)marshal->limits.compute_units)
            share.stretches--;
        st = cut_build(marshal, knobs, shape, &share, &launch.program);
        if (st != DL_OK)
            return st;
        chains = (blocks + share.stretches - 1) / share.stretches;
        launch.local[0] =
            dl__kernel_group_items(marshal, &launch, share.group, chains * share.lanes);
        /* The lanes of a row meet at a barrier: they must be of one work-group. */
        if (share.row <= launch.local[0])
            break;
    }
    launch.global[1] = (size_t)shape->instances;
    launch.local[1] = 1;
    launch.workspace_bytes = shape->instances * blocks * step->element_bytes;
    save = launch;
    save.entry = DL_ENTRY_CUT_SAVE;
    save.local[0] = dl__kernel_group_items(marshal, &save, 256, blocks * share.vectors);
    save.global[0] = dl__round_up(blocks * share.vectors, save.local[0]);
    st = dl__list_add(list, save);
    if (st != DL_OK)
        return st;
    launch.searchers = (places + knobs->cut_span - 1) / knobs->cut_span;
    movers = dl__round_up(chains * share.lanes, launch.local[0]) / launch.local[0];
    launch.global[0] = (movers + launch.searchers) * launch.local[0];
    return dl__list_add(list, launch);
}
