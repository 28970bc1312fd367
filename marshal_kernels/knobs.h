/* What can be tuned of the marshaling kernels. */
#ifndef DL_MARSHAL_KNOBS_H
#define DL_MARSHAL_KNOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(name, default, what it means); dl-bench tunes them by these names. */
#define DL_KNOB_MAP(X)                                                                   \
    X(family, 0,                                                                         \
      "0: the chooser decides; 1: tile, 2: cycle, 3: cut, 4: each, 5: pipt, 6: super "   \
      "wherever it can run")                                                             \
    X(tile_bytes, 49152, "tiles up to this size go through local memory")                \
    X(tile_group, 128, "work-items of a chunk of tiles; larger tiles take more")         \
    X(tile_items, 3, "16-byte vectors a work-item of a chunk moves")                     \
    X(each_tiles, 16, "tiles that a work-item of a CPU transposes")                      \
    X(tile_pad, 3, "local tiles: 0 plain, 1 padded, 2 exclusive-or, 3 diagonal")         \
    X(cycle_group, 1024, "work-items that follow cycles in one tile, at most")           \
    X(cycle_flags, 1, "flags in a word of local memory: 32 / spreading factor")          \
    X(cycle_held, 4, "elements that a work-item following cycles holds in registers")    \
    X(cycle_pad, 0, "1: a free word after each 32 words of flags in local memory")       \
    X(cycle_remap, 0, "1: flags of neighbours in neighbouring words")                    \
    X(super_mode, 2, "100! as in the thesis: 0 barriers, 1 local, 2 register tiling")    \
    X(super_vector, 4, "bytes of its elements at most")                                  \
    X(cut_places, 34, "super-elements for one saved copy")                               \
    X(cut_ahead, 8, "loads of super-elements that a work-item has in flight")            \
    X(cut_ahead_short, 6, "the same, of super-elements of 128 bytes or less")            \
    X(cut_vector, 16, "bytes of a vector at most")                                       \
    X(cut_bytes, 16, "bytes of a super-element that a work-item moves")                  \
    X(cut_stretches, 1, "stretches of cycles that a work-item moves")                    \
    X(cut_stretches_short, 2, "the same, of super-elements of 128 bytes or less")        \
    X(cut_row, 128,                                                                      \
      "bytes of an aligned row of super-elements not whole lines; 0: none")              \
    X(cut_loads, 24, "loads of elements of rows that a work-item has in flight")         \
    X(cut_group, 128, "work-items")                                                      \
    X(cut_group_short, 64, "the same, of short super-elements or aligned rows")          \
    X(cut_span, 2048, "places searched by a work-group for cycles without a cut")        \
    X(slide_group, 256, "work-items that slide a range")                                 \
    X(slide_items, 4, "16-byte vectors that a work-item of a slide holds")

struct dl__knobs {
#define X(name, value, help) unsigned name;
    DL_KNOB_MAP(X)
#undef X
};

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

/* False: there is no such knob. */
bool dl__knob_set(struct dl__knobs *knobs, const char *name, size_t name_bytes,
                  unsigned value);

/* The lines of a shipped table for a device of this name, or NULL. */
const char *dl__tuning_find(const char *device_name);

#endif
