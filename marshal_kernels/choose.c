/* The one chooser: which family of kernels carries out an elementary transposition. */
#include "choose.h"

enum {
    SUPER_ELEMENT_BYTES_MIN = 32, /* below, single elements are as good */
    COLUMNS_MAX = 7680            /* of a table of leaves in 60 KB of constant memory */
};

uint64_t dl__choose_tile_bytes(const struct dl_marshal *marshal)
{
    uint64_t local = marshal->limits.local_bytes, most = marshal->knobs.tile_bytes;

    return local < most ? local : most;
}

enum dl_status dl__choose_step(struct dl_marshal *marshal, const struct dl_step *step,
                               struct dl__launch_list *list)
{
    struct dl__shape shape = dl__shape_of_step(step);
    uint64_t bytes = step->rows * step->columns * step->element_bytes;
    bool is_super = step->element_bytes >= SUPER_ELEMENT_BYTES_MIN, fits;
    bool is_small = !step->leaf_columns || step->columns * shape.split <= COLUMNS_MAX;
    unsigned family;

    if (step->tail_rows > 0)
        return dl__choose_slide(marshal, &shape, list);
    list->traffic_bytes += 2 * bytes * step->instances;
    if (step->columns > UINT32_MAX / shape.split ||
        (step->leaf_columns && step->columns > COLUMNS_MAX))
        return DL_ENOTSUP;
    /* A table of so many units does not fit: only whole super-elements can move. */
    if (!is_small)
        return dl__choose_cut(marshal, &shape, list);
    fits = bytes <= dl__choose_tile_bytes(marshal);
    family = marshal->knobs.family;
    if (family == DL_FORCE_PIPT)
        return dl__choose_pipt(marshal, &shape, list);
    if (family == DL_FORCE_SUPER && is_super &&
        step->instances < marshal->limits.compute_units)
        return dl__choose_super(marshal, &shape, list);
    /* Fastest first; a forced family gives way where it can't run. */
    if (fits && family != DL_FORCE_CYCLE && (family != DL_FORCE_CUT || !is_super))
        return dl__choose_tile(marshal, &shape, list);
    /* Cut cycles need neither flags nor a memory model, so that they are the last resort
     * too. */
    if (family != DL_FORCE_CYCLE && (is_super || !dl__cycle_is_local(marshal, &shape)))
        return dl__choose_cut(marshal, &shape, list);
    return dl__choose_cycle(marshal, &shape, list);
}
