/* SPDX-License-Identifier: MIT */
/* What can be tuned of the marshaling kernels. */
#ifndef DL_MARSHAL_KNOBS_H
#define DL_MARSHAL_KNOBS_H

#include "engine/numbers.h"

/* X(name, what it means); dl-bench tunes them by these names, devices' files have their values. */
#define DL_KNOB_MAP(X)                                                                   \
    X(family, "0: the chooser decides; 1: tile, 2: cycle, 3: cut, 4: each, 5: pipt, 6: " \
              "super, 7: any wherever it can run")                                       \
    X(tile_bytes, "tiles up to this size go through local memory")                       \
    X(tile_group, "work-items of a chunk of tiles; larger tiles take more")              \
    X(tile_items, "16-byte vectors a work-item of a chunk moves")                        \
    X(chunk_items_max, "at most so many")                                                \
    X(chunk_batch_max, "tiles in a chunk at most")                                       \
    X(strip_bytes_max, "of a strip; 0: none")                                            \
    X(strip_block_words, "words of a strip that a work-item holds, about")               \
    X(strip_chunk_bytes, "of a chunk of strips in several blocks, about")                \
    X(strip_element_max, "elements that strips are for, at most; in bytes")              \
    X(strip_group, "work-items that move strips")                                        \
    X(strip_item_bytes, "of strips that a work-item moves, about")                       \
    X(any_element_min,                                                                   \
      "elements that the program for any shape may stand in for, at least; in bytes")    \
    X(aside_bytes, "arrays up to this size go by way of a workspace as large; 0: none")  \
    X(place_bytes,                                                                       \
      "arrays up to this size are converted so by the program for any shape; 0: none")   \
    X(each_tiles, "tiles that a work-item of a CPU transposes")                          \
    X(each_bytes_max, "of such a tile, on its stack")                                    \
    X(tile_pad, "local tiles: 0 plain, 1 padded, 2 exclusive-or, 3 diagonal")            \
    X(cycle_group, "work-items that follow cycles in one tile, at most")                 \
    X(cycle_flags, "flags in a word of local memory: 32 / spreading factor")             \
    X(cycle_held, "elements that a work-item following cycles holds in registers")       \
    X(cycle_pad, "1: a free word after each 32 words of flags in local memory")          \
    X(cycle_remap, "1: flags of neighbours in neighbouring words")                       \
    X(super_mode, "100! as in the thesis: 0 barriers, 1 local, 2 register tiling")       \
    X(super_vector, "bytes of its elements at most")                                     \
    X(super_bytes_min, "elements of 100! worth moving whole")                            \
    X(cut_places, "super-elements for one saved copy")                                   \
    X(cut_ahead, "loads of super-elements that a work-item has in flight")               \
    X(cut_ahead_short, "the same, of super-elements of 128 bytes or less")               \
    X(cut_vector, "bytes of a vector at most")                                           \
    X(cut_bytes, "bytes of a super-element that a work-item moves")                      \
    X(cut_stretches, "stretches of cycles that a work-item moves")                       \
    X(cut_stretches_short, "the same, of super-elements of 128 bytes or less")           \
    X(cut_row, "bytes of an aligned row of super-elements not whole lines; 0: none")     \
    X(cut_loads, "loads of elements of rows that a work-item has in flight")             \
    X(cut_group, "work-items")                                                           \
    X(cut_group_short, "the same, of short super-elements or aligned rows")              \
    X(cut_span, "places searched by a work-group for cycles without a cut")              \
    X(cut_line_bytes, "of a cache")                                                      \
    X(cut_resident, "work-items that a compute unit runs at once, about")                \
    X(slide_group, "work-items that slide a range")                                      \
    X(slide_items, "16-byte vectors that a work-item of a slide holds")                  \
    X(slide_strip_part, "a strip is at most this part of a work-group's range")

struct dl__knobs {
#define X(name, help) unsigned name;
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
    DL_FORCE_SUPER,
    DL_FORCE_ANY
};

extern const struct dl__number_table dl__knob_table;

#endif
