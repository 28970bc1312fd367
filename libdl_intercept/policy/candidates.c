/* SPDX-License-Identifier: MIT */
/* The table of candidates. */
#include "candidates.h"

#include <string.h>

static const struct dl__candidate candidates[] = {
#define DL__CANDIDATE(identifier, ...) {__VA_ARGS__},
#include "candidates.def"
#undef DL__CANDIDATE
};

const struct dl__candidate *dl__candidate_get(enum dl__candidate_id id)
{
    return &candidates[id];
}

enum dl__candidate_id dl__candidate_find(const char *name, size_t name_bytes)
{
    int c = 0;

    while (c < DL__CANDIDATES && (strlen(candidates[c].name) != name_bytes ||
                                  memcmp(candidates[c].name, name, name_bytes) != 0))
        c++;
    return (enum dl__candidate_id)c;
}

enum dl__candidate_id dl__candidate_of(enum dl_layout_kind kind)
{
    int c = 0;

    /* Discrete arrays, in one piece or two (dl__device_arrays). */
    if (kind == DL_LAYOUT_SOA)
        kind = DL_LAYOUT_DA;
    while (c < DL__CANDIDATES && candidates[c].kind != kind)
        c++;
    return (enum dl__candidate_id)c;
}
