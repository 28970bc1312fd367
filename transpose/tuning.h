/* SPDX-License-Identifier: MIT */
/* Numbers of a device for transpositions: knobs, and the costs of its passes. Their
 * values are in the devices' files (engine/devices). */
#ifndef DL_TRANSPOSE_TUNING_H
#define DL_TRANSPOSE_TUNING_H

#include "engine/numbers.h"

/* X(name, its values, its meaning); dl-bench tunes them by these names. */
#define DL_TRANSPOSE_KNOB_MAP(X)                                                         \
    X(group, DL__WITHIN(1, 1024),                                                        \
      "work-items of kernels that have no knob of their own")                            \
    X(unroll, DL__WITHIN(1, 64), "how far a work-item's loops are unrolled")             \
    X(panel_bytes, DL__WITHIN(64, 1 << 20), "local memory of a tile of a panel, about")  \
    X(panel_group, DL__WITHIN(1, 1024), "work-items that transpose a tile of a panel")   \
    X(panel_side, DL__WITHIN(0, 256), "side of the tile; 0: as panel_bytes allows")      \
    X(panel_side_large, DL__WITHIN(0, 64), "the same for elements over 64 bytes")        \
    X(panel_blocks, DL__WITHIN(0, 1), "1: a tile for each work-item, on CPUs")           \
    X(panel_run, DL__POWER(0, 16),                                                       \
      "words of a column that a work-item writes at once; 0: units")                     \
    X(panel_run_bytes, DL__WITHIN(0, 1 << 20), "local memory of such a tile, about")     \
    X(panel_run_group, DL__POWER(0, 1024), "work-items of such a tile")                  \
    X(panel_run_held, DL__WITHIN(0, 64), "loads that each of them has in flight")        \
    X(panel_run_hint, DL__POWER(0, 256), "as square_hint, of such a tile")               \
    X(panel_cols, DL__POWER(0, 1024), "largest number of columns of such a tile")        \
    X(strip_items, DL__WITHIN(1, 1 << 24), "most work-items that copy a strip")          \
    X(block_bytes, DL__WITHIN(0, 1 << 20), "largest block")                              \
    X(move_group, DL__WITHIN(0, 1024), "work-items of a work-group that moves blocks")   \
    X(move_ahead, DL__WITHIN(0, 64),                                                     \
      "vectors of 16 bytes that a work-item has in flight")                              \
    X(move_bytes, DL__WITHIN(0, 1 << 20), "bytes of a block that a work-item moves")     \
    X(move_span, DL__WITHIN(1, 1 << 20),                                                 \
      "places searched by a work-group for cycles without a cut")                        \
    X(c2r_group, DL__WITHIN(1, 1024),                                                    \
      "work-items that hold a row, or columns, in registers")                            \
    X(c2r_bytes, DL__WITHIN(4, 4096), "bytes that each of them holds")                   \
    X(c2r_column_bytes_min, DL__WITHIN(1, 4096),                                         \
      "smallest row of a group of columns in registers")                                 \
    X(c2r_group_bytes, DL__WITHIN(1, 4096), "bytes of a row of a group elsewhere")       \
    X(c2r_block_rows, DL__WITHIN(1, 4096), "rows of a block of such a group")            \
    X(c2r_ranges, DL__WITHIN(1, 1024),                                                   \
      "largest number of ranges of a column that are rotated at once")                   \
    X(c2r_parts, DL__WITHIN(1, 1024),                                                    \
      "parts of the cycles of a group that move at once, about")                         \
    X(c2r_cuts, DL__WITHIN(1, 1 << 20), "largest number of cuts of the cycles of rows")  \
    X(c2r_blocks_max, DL__WITHIN(1, 1 << 20), "largest number of work-groups that copy") \
    X(cut, DL__WITHIN(0, 1 << 20), "places for each cut; 0: as the cap allows")          \
    X(sector_bytes, DL__POWER(0, 4096), "smallest access of the memory")                 \
    X(square_bytes, DL__WITHIN(64, 1 << 20), "bytes of a tile in local memory")          \
    X(square_side, DL__POWER(0, 256),                                                    \
      "side of a tile swapped in registers; 0: the device's file")                       \
    X(square_vector, DL__POWER(0, 16), "elements read as one; 0: the device's file")     \
    X(square_group, DL__POWER(0, 1024),                                                  \
      "work-items of a pair of tiles; 0: the device's file")                             \
    X(square_width, DL__WITHIN(0, 1024),                                                 \
      "tiles of a band or super-tile; 0: the device's file")                             \
    X(square_hint, DL__POWER(0, 256),                                                    \
      "bytes that a load brings to the L2 cache; 1: no hint")                            \
    X(square_few_bytes, DL__WITHIN(0, 1u << 31),                                         \
      "matrices up to this size have tiles of half the side")                            \
    X(out_side, DL__POWER(0, 256), "out of place: side of a tile; 0: the device's file") \
    X(out_vector, DL__POWER(0, 16), "elements read as one; 0: the device's file")        \
    X(out_group, DL__POWER(0, 1024), "work-items of a tile; 0: the device's file")       \
    X(out_width, DL__WITHIN(0, 1024), "tiles of a band; 0: the device's file")           \
    X(out_hint, DL__POWER(0, 256), "as square_hint, out of place")                       \
    X(lines_cols, DL__POWER(0, 1024),                                                    \
      "out-lines: rows of the target in a tile; 0: the device's file")                   \
    X(lines_rows, DL__WITHIN(0, 1024), "elements of each row; 0: the device's file")     \
    X(lines_bytes, DL__POWER(0, 4096), "multiples of this are whole lines; 1: any")      \
    X(lines_run, DL__POWER(0, 16), "words that a work-item writes at once")              \
    X(lines_group, DL__POWER(0, 1024), "work-items of a tile")                           \
    X(lines_held, DL__WITHIN(0, 64), "loads that a work-item has in flight")             \
    X(lines_hint, DL__POWER(0, 256), "as square_hint, of such a tile")                   \
    X(lines_width, DL__WITHIN(0, 1024), "as out_width, of such tiles")                   \
    X(sides_area_bytes, DL__WITHIN(1, 1 << 20),                                          \
      "bytes of a tile whose sides are several axes")                                    \
    X(padless_side, DL__WITHIN(4, 64),                                                   \
      "side of a tile of out-padded, -selective and -parallel")                          \
    X(padless_lines, DL__WITHIN(1, 64),                                                  \
      "rows of work-items of such a tile, as wide as it")                                \
    X(block_side, DL__WITHIN(1, 256),                                                    \
      "side of a block that a work-item of a CPU transposes")                            \
    X(through_groups, DL__WITHIN(1, 1 << 20),                                            \
      "work-groups that copy a matrix back from the workspace")                          \
    X(cycles_bytes_min, DL__WITHIN(1, 1 << 20),                                          \
      "smallest element that is moved whole, not in panels")                             \
    X(stage_side_max, DL__WITHIN(1, 4096),                                               \
      "longest side of a tile in stages, if the other is not short")                     \
    X(stage_line_bytes, DL__POWER(1, 4096), "a line of the cache")                       \
    X(stage_super_bytes_max, DL__WITHIN(1, 1 << 20),                                     \
      "longest super-element of which enough move at once")                              \
    X(stage_cut_min, DL__WITHIN(1, 1 << 20),                                             \
      "smallest number of places for each cut in stages")

/* X(name, its meaning): costs, in bytes that a device could copy meanwhile, or factors.
 */
#define DL_TRANSPOSE_COST_MAP(X)                                                         \
    X(costs_known, "0: the order in the rows decides, not the costs")                    \
    X(hop_bytes, "a move that waits for the one before")                                 \
    X(panel_launch_bytes, "the launches of the panel algorithm")                         \
    X(panel_tile_bytes, "local memory of a tile, where costs were measured")             \
    X(panel_pass, "panels, a copy of the matrix being 1")                                \
    X(panel_block, "bytes lost by each block's ends")                                    \
    X(panel_tile, "bytes lost by each tile's ends")                                      \
    X(panel_work, "of tiles, by the bytes of an element: panels lines, joins lines")     \
    X(panel_join_aligned, "rows that begin with sectors: joins lines")                   \
    X(panel_strip, "a byte of the strip")                                                \
    X(panel_few_cols, "fewer than 14 columns")                                           \
    X(move_pass, "blocks moved")                                                         \
    X(move_block, "bytes lost by each block's ends")                                     \
    X(move_unaligned, "blocks that begin within vectors of 16 bytes")                    \
    X(stage_launch_bytes, "the gaps between the launches of the stages")                 \
    X(stage_lines, "super-elements of whole lines moved")                                \
    X(stage_lines_end, "bytes lost by each one's ends")                                  \
    X(stage_aligned_16, "others, aligned to 16 bytes")                                   \
    X(stage_aligned_8, "to 8")                                                           \
    X(stage_aligned_less, "to 4")                                                        \
    X(stage_aligned_byte, "to less")                                                     \
    X(stage_others_end, "bytes lost by each one's ends")                                 \
    X(stage_hop, "the longest stretch, as the mover's are 1")                            \
    X(stage_tile, "tiles transposed as whole vectors")                                   \
    X(stage_tile_slope, "bytes of a tile that double it")                                \
    X(stage_tile_alone, "tiles by themselves")                                           \
    X(stage_tile_element, "more for each, over the bytes of an element")                 \
    X(c2r_launch_bytes, "the launches of C2R and R2C")                                   \
    X(c2r_launches_far, "times as many where columns are not held")                      \
    X(c2r_columns_far, "a pass over columns that are not held")                          \
    X(c2r_columns, "over columns in registers")                                          \
    X(c2r_columns_short, "the same, of elements of 4 bytes or less")                     \
    X(c2r_columns_thin, "the same, of less than 32 bytes of a row")                      \
    X(c2r_rows, "over rows in registers")                                                \
    X(c2r_rows_far, "over others")                                                       \
    X(c2r_rotate, "sides with a common divisor")                                         \
    X(square_pass, "pairs of tiles through local memory")                                \
    X(square_v1, "pairs of tiles through registers, row by row")                         \
    X(square_v1r, "each row from the diagonal")                                          \
    X(square_v1b, "in bands")                                                            \
    X(square_super, "in super-tiles")                                                    \
    X(out_plain, "tiles out of place, row by row")                                       \
    X(out_banded, "in bands")                                                            \
    X(out_lines, "by whole lines; 0: never")                                             \
    X(out_blocks, "block by block, on CPUs")                                             \
    X(out_units_pass, "unit by unit")                                                    \
    X(out_runs_pass, "long runs of elements that stay together")                         \
    X(out_sides_pass, "tiles whose sides are several axes; 0: never")                    \
    X(out_sides_short, "the same of units of 1 byte, half of it of 2")                   \
    X(out_sides_end, "bytes lost by each of their runs' ends")                           \
    X(padded_apart, "rows of a square that slide apart; 0: never")                       \
    X(padded_together, "together")                                                       \
    X(padded_strip, "a byte of the strip")                                               \
    X(padded_launch_bytes, "their launches, and the square's and the strip's")           \
    X(axes_swap_runs, "such runs swapped in place")                                      \
    X(axes_moved, "such runs moved in place, 100!")                                      \
    X(axes_moved_short, "the same, of 32 to 128 bytes")                                  \
    X(axes_alone, "a byte of such a run that one work-group moves by itself")            \
    X(axes_tile, "an array that fits local memory, in place")                            \
    X(axes_general, "any other transposition in place")                                  \
    X(axes_launch_bytes, "its launches, for each array")                                 \
    X(onchip_pass, "a matrix in local memory, when all compute units have one")          \
    X(onchip_alone, "a unit of few matrices so, which leave compute units idle")         \
    X(onchip_launch, "their launch")                                                     \
    X(cycles_bare, "along cycles, without workspace")                                    \
    X(cycles_bare_launch, "its one launch, whose longest cycle all wait for")            \
    X(through_back, "back from the workspace")                                           \
    X(through_launch_bytes, "the launches out of place and back")

struct dl__tuning {
#define X(name, rule, help) unsigned name;
    DL_TRANSPOSE_KNOB_MAP(X)
#undef X
#define X(name, help) double name;
    DL_TRANSPOSE_COST_MAP(X)
#undef X
};

extern const struct dl__number_table dl__tuning_table;

#endif
