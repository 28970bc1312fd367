/* SPDX-License-Identifier: MIT */
/* Knobs of the marshaling kernels. */
#ifndef DL_MARSHAL_KNOBS_H
#define DL_MARSHAL_KNOBS_H

#include "engine/numbers.h"

/* X(name, its values, its meaning); dl-bench tunes them by these names, and the devices'
 * files have their values. */
#define DL_KNOB_MAP(X)                                                                   \
    X(family, DL__WITHIN(0, 7),                                                          \
      "0: the chooser decides; 1: tile, 2: cycle, 3: cut, 4: each, 5: pipt, 6: super, "  \
      "7: any wherever it can run")                                                      \
    X(tile_bytes, DL__WITHIN(64, 1 << 20),                                               \
      "largest tile that goes through local memory")                                     \
    X(tile_group, DL__WITHIN(1, 1024),                                                   \
      "work-items of a chunk of tiles; larger tiles have more")                          \
    X(tile_items, DL__WITHIN(1, 64), "16-byte vectors that each of them moves")          \
    X(chunk_items_max, DL__WITHIN(1, 64), "the largest number of them")                  \
    X(chunk_batch_max, DL__WITHIN(1, 4096), "largest number of tiles in a chunk")        \
    X(strip_bytes_max, DL__WITHIN(0, 1 << 20), "largest strip; 0: no strips")            \
    X(strip_block_words, DL__WITHIN(1, 1024),                                            \
      "words of a strip that a work-item holds, about")                                  \
    X(strip_chunk_bytes, DL__WITHIN(64, 1 << 20),                                        \
      "bytes of a chunk of strips in several blocks, about")                             \
    X(strip_element_max, DL__WITHIN(0, 16),                                              \
      "largest element that strips are for, in bytes")                                   \
    X(strip_group, DL__WITHIN(1, 1024), "work-items that move strips")                   \
    X(strip_item_bytes, DL__WITHIN(1, 4096), "bytes of strips for a work-item, about")   \
    X(any_element_min, DL__WITHIN(1, 64),                                                \
      "smallest element that kernels for any shape stand in for")                        \
    X(aside_bytes, DL__WITHIN(0, 1u << 31),                                              \
      "largest array that goes by way of a workspace as large; 0: none")                 \
    X(place_bytes, DL__WITHIN(0, 1u << 31),                                              \
      "the same by kernels for any shape; 0: none")                                      \
    X(each_tiles, DL__WITHIN(1, 4096), "tiles that a work-item of a CPU transposes")     \
    X(each_bytes_max, DL__WITHIN(0, 1 << 20), "largest such tile, on its stack")         \
    X(tile_pad, DL__WITHIN(0, 3),                                                        \
      "tiles in local memory: 0 plain, 1 padded, 2 exclusive-or, 3 diagonal")            \
    X(cycle_group, DL__WITHIN(1, 1024),                                                  \
      "largest number of work-items that follow cycles in a tile")                       \
    X(cycle_flags, DL__POWER(1, 32),                                                     \
      "flags in a word of local memory: 32 / spreading factor")                          \
    X(cycle_held, DL__WITHIN(0, 64),                                                     \
      "elements that a work-item following cycles holds in registers")                   \
    X(cycle_pad, DL__WITHIN(0, 1),                                                       \
      "1: a free word after each 32 words of flags in local memory")                     \
    X(cycle_remap, DL__WITHIN(0, 1), "1: flags of neighbours in neighbouring words")     \
    X(super_mode, DL__WITHIN(0, 2),                                                      \
      "100! as in the thesis: 0 barriers, 1 local, 2 register tiling")                   \
    X(super_group, DL__POWER(32, 1024), "work-items of such a group, without barriers")  \
    X(super_vector, DL__POWER(1, 16), "largest element for that, in bytes")              \
    X(super_bytes_min, DL__WITHIN(1, 4096),                                              \
      "smallest element of 100! that is moved whole")                                    \
    X(cut_places, DL__WITHIN(1, 1 << 20), "super-elements for each saved copy")          \
    X(cut_ahead, DL__WITHIN(1, 64),                                                      \
      "loads of super-elements that a work-item has in flight")                          \
    X(cut_ahead_short, DL__WITHIN(1, 64),                                                \
      "the same for super-elements of 128 bytes or less")                                \
    X(cut_vector, DL__POWER(1, 16), "largest vector, in bytes")                          \
    X(cut_bytes, DL__WITHIN(1, 4096), "bytes of a super-element that a work-item moves") \
    X(cut_stretches, DL__WITHIN(1, 64), "stretches of cycles that a work-item moves")    \
    X(cut_stretches_short, DL__WITHIN(1, 64),                                            \
      "the same for super-elements of 128 bytes or less")                                \
    X(cut_row, DL__POWER(0, 4096),                                                       \
      "bytes of an aligned row of super-elements that are not whole lines; 0: none")     \
    X(cut_loads, DL__WITHIN(1, 64),                                                      \
      "loads of parts of rows that a work-item has in flight")                           \
    X(cut_group, DL__WITHIN(1, 1024),                                                    \
      "work-items of a work-group that moves super-elements")                            \
    X(cut_group_short, DL__WITHIN(1, 1024),                                              \
      "the same for short super-elements or aligned rows")                               \
    X(cut_span, DL__WITHIN(1, 1 << 20),                                                  \
      "places searched by a work-group for cycles without a cut")                        \
    X(cut_line_bytes, DL__POWER(1, 4096), "a line of the cache")                         \
    X(cut_resident, DL__WITHIN(1, 1 << 20),                                              \
      "work-items that a compute unit runs at once, about")                              \
    X(slide_group, DL__WITHIN(1, 1024), "work-items that slide a range of an array")     \
    X(slide_items, DL__WITHIN(1, 64), "16-byte vectors that each of them holds")         \
    X(slide_strip_part, DL__WITHIN(1, 1 << 20),                                          \
      "a work-group's range is at least this many strips long")

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
