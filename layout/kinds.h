/* SPDX-License-Identifier: MIT */
/* The kinds of layouts, a row each. */
#ifndef DL_KINDS_H
#define DL_KINDS_H

#include "layout.h"

struct dl__formula {
    const char *name;
    /* NULL: only a map says */
    uint64_t (*at)(uint64_t i, uint64_t struct_bytes, uint64_t offset, uint64_t width,
                   uint64_t tile, uint64_t head, uint64_t tail);
};

struct dl__kind {
    const char *name;
    bool has_tile; /* tile_structs means something */
    const char
        *tiling; /* DL_TILING of rewritten kernels; NULL: none, the program's own */
    bool tiling_has_tile; /* DL_TILE, too */
    const struct dl__formula
        *formula; /* where leaves live, for any tiling of this kind */
    /* The tiling of `structs` structs, 0 allowed. */
    struct dl_tiling (*tile)(uint64_t tile_structs, uint64_t structs);
};

const struct dl__kind *dl__kind_of(enum dl_layout_kind kind);

#endif
