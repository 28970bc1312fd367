/* SPDX-License-Identifier: MIT */
/* The table of what a kernel may be run on (candidates.def). */
#ifndef DL_INTERCEPT_CANDIDATES_H
#define DL_INTERCEPT_CANDIDATES_H

#include <stdbool.h>
#include <stddef.h>

#include "marshal_kernels/marshal.h"

enum dl__candidate_id {
#define DL__CANDIDATE(identifier, ...) DL__##identifier,
#include "candidates.def"
#undef DL__CANDIDATE
    DL__CANDIDATES
};

struct dl__candidate {
    const char *name;
    enum dl_layout_kind kind;
    bool in_place;             /* buffers stay in the program's layout */
    size_t move_part;          /* in struct dl_rates: how fast it is converted to */
    uint32_t cpu_tile_structs; /* of a tile on CPUs; 0: as on GPUs */
};

/* Never NULL. */
const struct dl__candidate *dl__candidate_get(enum dl__candidate_id id);
/* The candidate of that name; DL__CANDIDATES: there is none. */
enum dl__candidate_id dl__candidate_find(const char *name, size_t name_bytes);
/* The candidate of that layout; DL__CANDIDATES: there is none. */
enum dl__candidate_id dl__candidate_of(enum dl_layout_kind kind);

#endif
