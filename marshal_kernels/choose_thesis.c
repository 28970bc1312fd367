/* P-IPT and the thesis's own forms of 100!, for comparison: taken only when the knob `family` says
 * so. */
#include "choose.h"

enum { WARP_ITEMS = 32, GROUPS_A_UNIT = 64 };

enum dl_status dl__choose_pipt(struct dl_marshal *marshal, const struct dl__shape *shape,
                               struct dl__launch_list *list)
{
    const struct dl_step *step = shape->step;
    uint64_t places = shape->rows * step->columns, vectors = 1, most;
    bool is_super = shape->instances == 1 && step->element_bytes > 16;
    struct dl__text text = {0};
    struct dl__launch launch = {
        .entry = DL_ENTRY_PIPT, .base_bytes = shape->base_bytes, .rows = shape->rows};
    enum dl_status st;

    if (is_super)
        vectors = shape->split;
    else
        places = shape->rows * shape->columns;
    dl__text_add(&text, "#define VECTORS %lluu\n", (unsigned long long)vectors);
    dl__knobs_add_step(&text, shape, is_super ? 1 : shape->split, places);
    st = dl__choose_program(marshal, DL_FAMILY_PIPT, &text, &launch.program);
    if (st != DL_OK)
        return st;
    launch.local[0] = dl__kernel_group_items(marshal, &launch, 256, places * vectors);
    most = (uint64_t)marshal->limits.compute_units * GROUPS_A_UNIT;
    launch.groups = (places * vectors + launch.local[0] - 1) / launch.local[0];
    if (launch.groups > most)
        launch.groups = most;
    if (shape->instances > most)
        launch.groups = 1;
    launch.global[0] = (size_t)(shape->instances * launch.groups) * launch.local[0];
    return dl__list_add(list, launch);
}

enum dl_status dl__choose_super(struct dl_marshal *marshal, struct dl__shape *shape,
                                struct dl__launch_list *list)
{
    const struct dl__knobs *knobs = &marshal->knobs;
    const struct dl_step *step = shape->step;
    uint64_t places = shape->rows * step->columns, vectors, group = WARP_ITEMS;
    struct dl__launch launch = {
        .entry = DL_ENTRY_SUPER, .base_bytes = shape->base_bytes, .rows = shape->rows};
    struct dl__launch clear = {.entry = DL_ENTRY_SUPER_CLEAR};
    enum dl_status st = DL_OK;

    while (shape->element_bytes > knobs->super_vector && shape->element_bytes > 1)
        shape->element_bytes /= 2;
    vectors = step->element_bytes / shape->element_bytes;
    if (knobs->super_mode == 0)
        group = dl__round_up(vectors, WARP_ITEMS);
    while (group > marshal->limits.group_items)
        group /= 2;
    /* A compiler may find that the device can't run so many work-items of it. */
    for (size_t most = 0;; group /= 2) {
        struct dl__text text = {0};
        dl__text_add(
            &text, "#define VECTORS %lluu\n#define GROUP %lluu\n#define MODE %u\n",
            (unsigned long long)vectors, (unsigned long long)group, knobs->super_mode);
        dl__knobs_add_step(&text, shape, 1, places);
        st = dl__choose_program(marshal, DL_FAMILY_SUPER, &text, &launch.program);
        if (st != DL_OK)
            return st;
        most = dl__kernel_items_max(marshal, &launch);
        if (most >= group)
            break;
    }
    launch.workspace_bytes = (places / 32 + 1) * 4;
    launch.local[0] = (size_t)group;
    launch.global[0] = (size_t)marshal->limits.compute_units * (2048 / group + 1) * group;
    clear.program = launch.program;
    clear.workspace_bytes = launch.workspace_bytes;
    clear.local[0] = dl__kernel_group_items(marshal, &clear, 256, places / 32 + 1);
    clear.global[0] = (size_t)marshal->limits.compute_units * 8 * clear.local[0];
    for (uint64_t i = 0; i < shape->instances && st == DL_OK; i++) {
        st = dl__list_add(list, clear);
        if (st == DL_OK)
            st = dl__list_add(list, launch);
        launch.base_bytes += places * step->element_bytes;
    }
    return st;
}
