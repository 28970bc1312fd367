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

/* True where one of the layouts is a grid's. */
bool dl__conversion_is_of_grid(const struct dl_conversion *conversion);
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

#endif
