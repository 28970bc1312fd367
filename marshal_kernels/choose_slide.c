/* The slide from DL's own DA to exact SoA, and back. */
#include "choose.h"

enum { STRIP_PART = 40 /* a strip is at most this part of a work-group's range */ };

/* The first column of every leaf, and one past the last. */
static void knobs_add_starts(struct dl__text *text, const struct dl__shape *shape)
{
    const struct dl_step *step = shape->step;
    uint32_t leaves = step->leaf_columns ? step->leaf_count : (uint32_t)step->columns;
    uint64_t first = 0;

    dl__text_add(text, "#define LEAVES %uu\n__constant uint leaf_start[] = {", leaves);
    for (uint32_t leaf = 0; leaf <= leaves; leaf++) {
        dl__text_add(text, "%llu,", (unsigned long long)first);
        if (leaf < leaves)
            first += (step->leaf_columns ? step->leaf_columns[leaf] : 1) * shape->split;
    }
    dl__text_add(text, "};\n");
}

/* The slide by work-groups of `most` work-items at most. */
static enum dl_status slide_add(struct dl_marshal *marshal, const struct dl__shape *shape,
                                size_t most, struct dl__launch_list *list)
{
    const struct dl__knobs *knobs = &marshal->knobs;
    const struct dl_step *step = shape->step;
    uint64_t strip = step->tail_rows * shape->columns, group = 1, chunk, range, groups;
    uint64_t places = (step->rows + step->tail_rows) * shape->columns, start;
    uint64_t first_width =
        (step->leaf_columns ? step->leaf_columns[0] : 1) * shape->split;
    struct dl__text text = {0};
    struct dl__launch launch = {.entry = DL_ENTRY_SLIDE_SAVE,
                                .base_bytes = shape->base_bytes,
                                .rows = step->rows};
    enum dl_status st;

    if (shape->base_bytes % 16 != 0)
        return DL_ENOTSUP;
    while (group * 2 <= most && group * 2 <= marshal->limits.group_items)
        group *= 2;
    chunk = group * knobs->slide_items * (16 / shape->element_bytes);
    range = dl__round_up(strip * STRIP_PART, chunk);
    /* The first array stays where it is. */
    start = step->rows * first_width / chunk * chunk;
    groups = (places - start + range - 1) / range;
    dl__text_add(&text, "#define GROUP %lluu\n#define ITEMS %uu\n",
                 (unsigned long long)group, knobs->slide_items);
    knobs_add_starts(&text, shape);
    dl__knobs_add_step(&text, shape, shape->split, places + range + strip);
    st = dl__choose_program(marshal, DL_FAMILY_SLIDE, &text, &launch.program);
    if (st != DL_OK)
        return st;
    launch.entry = DL_ENTRY_SLIDE_MOVE;
    most = dl__kernel_items_max(marshal, &launch);
    /* The compiler may find that the device can't run so many work-items of it. */
    if (most < group)
        return slide_add(marshal, shape, most > 1 ? most : 1, list);
    launch.entry = DL_ENTRY_SLIDE_SAVE;
    list->traffic_bytes += 2 * (places - start) * shape->element_bytes;
    launch.slide[0] = step->tail_rows;
    launch.slide[1] = start;
    launch.slide[2] = range;
    launch.slide[3] = groups;
    launch.workspace_bytes = (groups + 1) * strip * shape->element_bytes;
    launch.local[0] = dl__kernel_group_items(marshal, &launch, 256, (groups + 1) * strip);
    launch.global[0] = dl__round_up((groups + 1) * strip, launch.local[0]);
    if (launch.global[0] > (size_t)marshal->limits.compute_units * 8192)
        launch.global[0] = (size_t)marshal->limits.compute_units * 8192 /
                           launch.local[0] * launch.local[0];
    st = dl__list_add(list, launch);
    if (st != DL_OK)
        return st;
    launch.entry = DL_ENTRY_SLIDE_MOVE;
    launch.local[0] = (size_t)group;
    launch.global[0] = (size_t)(groups * group);
    return dl__list_add(list, launch);
}

enum dl_status dl__choose_slide(struct dl_marshal *marshal, const struct dl__shape *shape,
                                struct dl__launch_list *list)
{
    return slide_add(marshal, shape, marshal->knobs.slide_group, list);
}
