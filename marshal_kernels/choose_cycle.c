/* PTTWAC, with its flags in local or in global memory. */
#include "choose.h"

/* Flags in local memory mean a work-group an array: too few arrays leave the device
 * idle. */
bool dl__cycle_is_local(const struct dl_marshal *marshal, const struct dl__shape *shape)
{
    uint64_t elements = shape->rows * shape->columns;

    return elements / 32 * 4 + 4 <= marshal->limits.local_bytes &&
           elements < UINT32_MAX / 2 &&
           (shape->instances >= marshal->limits.compute_units || elements <= 4096);
}

enum dl_status dl__choose_cycle(struct dl_marshal *marshal, const struct dl__shape *shape,
                                struct dl__launch_list *list)
{
    uint64_t elements = shape->rows * shape->columns, words;
    struct dl__text text = {0};
    struct dl__launch launch = {.base_bytes = shape->base_bytes, .rows = shape->rows};
    struct dl__launch clear = {.entry = DL_ENTRY_CYCLE_CLEAR};
    const struct dl__knobs knobs =
        dl__tuned_knobs(marshal, "cycle", elements * shape->element_bytes);
    unsigned flags = knobs.cycle_flags;
    enum dl_status st;
    bool in_local = dl__cycle_is_local(marshal, shape);

    /* Spread flags cost a quarter of a tile of local memory; pack them when that is too
     * much. */
    while (flags < 32 && elements / flags * 4 + 4 > marshal->limits.local_bytes / 4)
        flags *= 2;
    if (!in_local)
        flags = 32;
    words = elements / flags + 1;
    if (in_local && knobs.cycle_remap)
        dl__text_add(&text, "#define FLAG_WORDS %lluu\n", (unsigned long long)words);
    else if (in_local && knobs.cycle_pad) {
        dl__text_add(&text, "#define FLAG_PAD\n");
        words += words / 32;
    }
    dl__text_add(&text, "#define FLAGS_A_WORD %uu\n#define HELD %uu\n", flags,
                 knobs.cycle_held);
    /* Tiles are of few lengths; a whole array's length is its own. */
    if (in_local && shape->instances > 1)
        dl__text_add(&text, "#define KNOWN_ROWS %lluu\n",
                     (unsigned long long)shape->rows);
    dl__knobs_add_step(&text, shape, shape->split, elements);
    st = dl__choose_program(marshal, DL_FAMILY_CYCLE, &text, &launch.program);
    if (st != DL_OK)
        return st;
    if (in_local) {
        launch.entry = DL_ENTRY_CYCLE_LOCAL;
        launch.local_bytes = words * 4;
        launch.local[0] =
            dl__kernel_group_items(marshal, &launch, knobs.cycle_group, elements);
        launch.global[0] = (size_t)shape->instances * launch.local[0];
        return dl__list_add(list, launch);
    }
    launch.entry = DL_ENTRY_CYCLE_GLOBAL;
    launch.workspace_bytes = words * 4;
    launch.local[0] = dl__kernel_group_items(marshal, &launch, 256, elements);
    launch.global[0] = (size_t)marshal->limits.compute_units * 8 * launch.local[0];
    clear.program = launch.program;
    clear.workspace_bytes = launch.workspace_bytes;
    clear.local[0] = dl__kernel_group_items(marshal, &clear, 256, words);
    clear.global[0] = (size_t)marshal->limits.compute_units * 8 * clear.local[0];
    for (uint64_t i = 0; i < shape->instances && st == DL_OK; i++) {
        st = dl__list_add(list, clear);
        if (st == DL_OK)
            st = dl__list_add(list, launch);
        launch.base_bytes += elements * shape->element_bytes;
    }
    return st;
}
