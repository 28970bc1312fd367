/* SPDX-License-Identifier: MIT */
/* Conversions and parts by one program for any structs and any tiling. */
#ifndef DL_PLACE_H
#define DL_PLACE_H

#include "steps.h"

enum { DL__PLACE_STARTS = 16, DL__PLACE_COLUMNS_MAX = DL__PLACE_STARTS * 64 - 1 };

/* As in place.cl. */
struct dl__place {
    uint64_t starts[DL__PLACE_STARTS];
    uint32_t columns, width, tile, head, tail, each;
    uint32_t count, first, box_width, height, row, slice;
};

/* Describes structs of these leaves as elements of so many bytes, which divide each of
 * them. False: there are too many columns, or elements in `bytes`. */
bool dl__place_describe(const struct dl_leaf_table *leaves,
                        const struct dl_tiling *tiling, uint64_t bytes,
                        uint32_t element_bytes, struct dl__place *out);
/* Appends the conversion of an array from the program's layout (`back`: to it), out of
 * place. Called with the engine's lock held.
 *   errors  DL_ENOTSUP: not of such leaves, or so many bytes (the knob place_bytes);
 *           DL_ENOMEM; DL_ECL */
enum dl_status dl__place_plan(const struct dl__steps *steps,
                              const struct dl_leaf_table *leaves,
                              const struct dl_tiling *tiling, bool back,
                              struct dl__run_list *list);
/* The kernels of parts, of elements of 1 or 4 bytes. */
enum dl_status dl__place_parts(const struct dl__steps *steps, uint32_t element_bytes,
                               cl_kernel *gather, cl_kernel *scatter);
/* Has the program built, or taken from where it is kept. */
enum dl_status dl__place_build(const struct dl__steps *steps);

#endif
