/* SPDX-License-Identifier: MIT */
/* Knobs of the marshaling kernels. */
#ifndef DL_MARSHAL_KNOBS_H
#define DL_MARSHAL_KNOBS_H

#include "engine/numbers.h"

/* X(name, what it can be, what it means); dl-bench tunes them by these names, devices'
 * files have their values. */
#define DL_KNOB_MAP(X)                                                                   \
    X(family, DL__WITHIN(0, 7),                                                          \
      "0: the chooser decides; 1: tile, 2: cycle, 3: cut, 4: each, 5: pipt, 6: "         \
      "super, 7: any wherever it can run")                                               \
    X(tile_bytes, DL__WITHIN(64, 1 << 20),                                               \
      "tiles up to this size go through local memory")                                   \
    X(tile_group, DL__WITHIN(1, 1024),                                                   \
      "work-items of a chunk of tiles; larger tiles take more")                          \
    X(tile_items, DL__WITHIN(1, 64), "16-byte vectors a work-item of a chunk moves")     \
    X(chunk_items_max, DL__WITHIN(1, 64), "at most so many")                             \
    X(chunk_batch_max, DL__WITHIN(1, 4096), "tiles in a chunk at most")                  \
    X(strip_bytes_max, DL__WITHIN(0, 1 << 20), "of a strip; 0: none")                    \
    X(strip_block_words, DL__WITHIN(1, 1024),                                            \
      "words of a strip that a work-item holds, about")                                  \
    X(strip_chunk_bytes, DL__WITHIN(64, 1 << 20),                                        \
      "of a chunk of strips in several blocks, about")                                   \
    X(strip_element_max, DL__WITHIN(0, 16),                                              \
      "elements that strips are for, at most; in bytes")                                 \
    X(strip_group, DL__WITHIN(1, 1024), "work-items that move strips")                   \
    X(strip_item_bytes, DL__WITHIN(1, 4096), "of strips that a work-item moves, about")  \
    X(any_element_min, DL__WITHIN(1, 64),                                                \
      "elements that the program for any shape may stand in for, at least; in bytes")    \
    X(aside_bytes, DL__WITHIN(0, 1u << 31),                                              \
      "arrays up to this size go by way of a workspace as large; 0: none")               \
    X(place_bytes, DL__WITHIN(0, 1u << 31),                                              \
      "arrays up to this size are converted so by the program for any shape; 0: none")   \
    X(each_tiles, DL__WITHIN(1, 4096), "tiles that a work-item of a CPU transposes")     \
    X(each_bytes_max, DL__WITHIN(0, 1 << 20), "of such a tile, on its stack")            \
    X(tile_pad, DL__WITHIN(0, 3),                                                        \
      "local tiles: 0 plain, 1 padded, 2 exclusive-or, 3 diagonal")                      \
    X(cycle_group, DL__WITHIN(1, 1024),                                                  \
      "work-items that follow cycles in one tile, at most")                              \
    X(cycle_flags, DL__POWER(1, 32),                                                     \
      "flags in a word of local memory: 32 / spreading factor")                          \
    X(cycle_held, DL__WITHIN(0, 64),                                                     \
      "elements that a work-item following cycles holds in registers")                   \
    X(cycle_pad, DL__WITHIN(0, 1),                                                       \
      "1: a free word after each 32 words of flags in local memory")                     \
    X(cycle_remap, DL__WITHIN(0, 1), "1: flags of neighbours in neighbouring words")     \
    X(super_mode, DL__WITHIN(0, 2),                                                      \
      "100! as in the thesis: 0 barriers, 1 local, 2 register tiling")                   \
    X(super_group, DL__POWER(32, 1024), "work-items in a group of it, but for barriers") \
    X(super_vector, DL__POWER(1, 16), "bytes of its elements at most")                   \
    X(super_bytes_min, DL__WITHIN(1, 4096), "elements of 100! worth moving whole")       \
    X(cut_places, DL__WITHIN(1, 1 << 20), "super-elements for one saved copy")           \
    X(cut_ahead, DL__WITHIN(1, 64),                                                      \
      "loads of super-elements that a work-item has in flight")                          \
    X(cut_ahead_short, DL__WITHIN(1, 64),                                                \
      "the same, of super-elements of 128 bytes or less")                                \
    X(cut_vector, DL__POWER(1, 16), "bytes of a vector at most")                         \
    X(cut_bytes, DL__WITHIN(1, 4096), "bytes of a super-element that a work-item moves") \
    X(cut_stretches, DL__WITHIN(1, 64), "stretches of cycles that a work-item moves")    \
    X(cut_stretches_short, DL__WITHIN(1, 64),                                            \
      "the same, of super-elements of 128 bytes or less")                                \
    X(cut_row, DL__POWER(0, 4096),                                                       \
      "bytes of an aligned row of super-elements not whole lines; 0: none")              \
    X(cut_loads, DL__WITHIN(1, 64),                                                      \
      "loads of elements of rows that a work-item has in flight")                        \
    X(cut_group, DL__WITHIN(1, 1024), "work-items")                                      \
    X(cut_group_short, DL__WITHIN(1, 1024),                                              \
      "the same, of short super-elements or aligned rows")                               \
    X(cut_span, DL__WITHIN(1, 1 << 20),                                                  \
      "places searched by a work-group for cycles without a cut")                        \
    X(cut_line_bytes, DL__POWER(1, 4096), "of a cache")                                  \
    X(cut_resident, DL__WITHIN(1, 1 << 20),                                              \
      "work-items that a compute unit runs at once, about")                              \
    X(slide_group, DL__WITHIN(1, 1024), "work-items that slide a range")                 \
    X(slide_items, DL__WITHIN(1, 64),                                                    \
      "16-byte vectors that a work-item of a slide holds")                               \
    X(slide_strip_part, DL__WITHIN(1, 1 << 20),                                          \
      "a strip is at most this part of a work-group's range")

struct dl__knobs {
#define X(name, rule, help) unsigned name;
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

/* The names in a device's file: of knobs, of what plans of conversions may count on
 * everywhere and for the family `super`, and of the speeds of dl_marshal_rates. */
struct dl__marshal_numbers {
    struct dl__number_table knobs, limits, supers, rates, struct_rates;
};
extern const struct dl__marshal_numbers dl__marshal_numbers;

#endif
