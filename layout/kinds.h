/* The kinds of layouts, a row each. */
#ifndef DL_KINDS_H
#define DL_KINDS_H

#include "layout.h"

struct dl__kind {
    const char *name;
    bool has_tile; /* tile_structs means something */
    const char
        *tiling; /* DL_TILING of rewritten kernels; NULL: none, the program's own */
    bool tiling_has_tile; /* DL_TILE, too */
    /* The tiling of `structs` structs, 0 allowed. */
    struct dl_tiling (*tile)(uint64_t tile_structs, uint64_t structs);
};

const struct dl__kind *dl__kind_of(enum dl_layout_kind kind);

#endif
