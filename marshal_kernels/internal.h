/* SPDX-License-Identifier: MIT */
/* The struct of a device's marshaling kernels; tests and dl-bench use it, too. */
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
    bool wide_parts; /* counted in 64 bits, for tests */
};

struct dl_conversion {
    struct dl_conversion *next;
    struct dl_leaf_table leaves; /* these four are the key */
    uint64_t structs;
    struct dl_layout from, to;
    struct dl__run_list list;
    bool stands_in; /* kernels for any shape make it */
    unsigned asked; /* how often somebody has asked for it since */
};

/* Launches each of these runs once, on nothing, where programs are kept for others (see
 * dl__binaries.warm) and the driver compiles in a kernel's first launch. With the
 * engine's lock held. */
void dl__marshal_warm(struct dl_marshal *marshal, const struct dl__run *runs,
                      size_t count);

#endif
