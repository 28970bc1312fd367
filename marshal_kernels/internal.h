/* SPDX-License-Identifier: MIT */
/* Structs and functions that the files of conversions and parts share. */
#ifndef DL_MARSHAL_INTERNAL_H
#define DL_MARSHAL_INTERNAL_H

#include "engine/opencl.h"
#include "marshal.h"
#include "steps.h"

struct dl_marshal {
    struct dl__opencl opencl;
    struct dl__engine engine; /* its lock guards the lists below too */
    struct dl__steps steps;
    struct dl_conversion *conversions;
    struct dl_part *parts;
    bool wide_parts; /* in 64 bits, however small: for tests */
};

struct dl_conversion {
    struct dl_conversion *next;
    struct dl_leaf_table leaves; /* these four are the key */
    uint64_t structs;
    struct dl_layout from, to;
    struct dl__run_list list;
    bool stands_in; /* for one of which a kernel was not built */
    unsigned asked; /* for, since then */
};

/* Makes the runs of such a conversion. With the lock held.
 *   errors  DL_ENOTSUP: it is not to or from AoS, or can't be; DL_ENOMEM; DL_ECL;
 *           DL_EINVAL: the grid is none of so many structs */
enum dl_status dl__grid_plan(struct dl__engine *engine, const struct dl__steps *steps,
                             struct dl_conversion *conversion);
/* Adds the argument of kernels for any grid (grid_any.cl), of so many columns. */
void dl__grid_add(struct dl__run *run, const struct dl_grid_map *map, uint32_t columns);
/* Frees what part.c keeps. */
void dl__parts_free(struct dl_marshal *marshal);

/* The tables behind dl_marshal_rates. */
extern const struct dl__number_table dl__rate_table, dl__struct_rate_table;

/* ---- conversions and parts by one program for any structs and any tiling (place.c) ----
 */

enum { DL__PLACE_STARTS = 16, DL__PLACE_COLUMNS_MAX = DL__PLACE_STARTS * 64 - 1 };

/* As in place.cl. */
struct dl__place_shape {
    uint64_t starts[DL__PLACE_STARTS];
    uint32_t columns, width, tile, head, tail, each;
    uint32_t count, first, box_width, height, row, slice;
};

/* Describes structs of these leaves as elements of so many bytes, which divide each of
 * them. False: there are too many columns, or elements in `bytes`. */
bool dl__place_describe(const struct dl_leaf_table *leaves,
                        const struct dl_tiling *tiling, uint64_t bytes,
                        uint32_t element_bytes, struct dl__place_shape *out);
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
