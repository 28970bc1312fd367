/* SPDX-License-Identifier: MIT */
/* What the files of conversions and parts share. */
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
};

struct dl_conversion {
    struct dl_conversion *next;
    struct dl_leaf_table leaves; /* these four are the key */
    uint64_t structs;
    struct dl_layout from, to;
    struct dl__run_list list;
};

/* Frees what part.c keeps. */
void dl__parts_free(struct dl_marshal *marshal);

#endif
