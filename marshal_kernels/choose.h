/* What the choosers share: one file a family of kernels, and shape.c. */
#ifndef DL_CHOOSE_H
#define DL_CHOOSE_H

#include "internal.h"

/* The knob `family`. */
enum {
    DL_FORCE_NONE,
    DL_FORCE_TILE,
    DL_FORCE_CYCLE,
    DL_FORCE_CUT,
    DL_FORCE_EACH,
    DL_FORCE_PIPT,
    DL_FORCE_SUPER
};

/* A text that grows; after a failure it stays as it is. */
struct dl__text {
    char *bytes;
    size_t count, capacity;
    bool failed;
};

__attribute__((format(printf, 2, 3))) void dl__text_add(struct dl__text *text,
                                                        const char *format, ...);

/* A step whose elements are a type of the kernels; every old column is `split` new ones. */
struct dl__shape {
    uint64_t base_bytes, instances, rows, columns;
    uint64_t element_bytes; /* 1, 2, 4, 8 or 16 */
    uint64_t split;
    const struct dl_step *step;
};

struct dl__shape dl__shape_of_step(const struct dl_step *step);
/* The knobs of step.cl. `elements` is how far indices count. */
void dl__knobs_add_step(struct dl__text *text, const struct dl__shape *shape,
                        uint64_t split, uint64_t elements);
/* Finds or builds the family with these knobs; takes the text over. */
enum dl_status dl__choose_program(struct dl_marshal *marshal, enum dl_family family,
                                  struct dl__text *text, struct dl__program **out);

enum dl_status dl__list_add(struct dl__launch_list *list, struct dl__launch launch);
/* The most work-items that a work-group of this kernel can have. */
size_t dl__kernel_items_max(const struct dl_marshal *marshal,
                            const struct dl__launch *launch);
/* The largest power of two of work-items that is no more than wanted, useful and possible for this
 * kernel. */
size_t dl__kernel_group_items(const struct dl_marshal *marshal,
                              const struct dl__launch *launch, uint64_t wanted,
                              uint64_t useful);

static inline uint64_t dl__round_up(uint64_t number, uint64_t multiple)
{
    return (number + multiple - 1) / multiple * multiple;
}

/* Flags in local memory mean a work-group an array: too few arrays leave the device idle. */
bool dl__cycle_is_local(const struct dl_marshal *marshal, const struct dl__shape *shape);

enum dl_status dl__choose_tile(struct dl_marshal *marshal, const struct dl__shape *shape,
                               struct dl__launch_list *list);
enum dl_status dl__choose_cut(struct dl_marshal *marshal, struct dl__shape *shape,
                              struct dl__launch_list *list);
enum dl_status dl__choose_cycle(struct dl_marshal *marshal, const struct dl__shape *shape,
                                struct dl__launch_list *list);
enum dl_status dl__choose_pipt(struct dl_marshal *marshal, const struct dl__shape *shape,
                               struct dl__launch_list *list);
enum dl_status dl__choose_super(struct dl_marshal *marshal, struct dl__shape *shape,
                                struct dl__launch_list *list);
enum dl_status dl__choose_slide(struct dl_marshal *marshal, const struct dl__shape *shape,
                                struct dl__launch_list *list);

#endif
