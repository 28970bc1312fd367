/* SPDX-License-Identifier: MIT */
/* Layouts as arithmetic: leaves, tilings and where a leaf lives. Pure C, no OpenCL, no
 * libclang.
 *
 * A buffer holds n structs of S bytes. Its leaves are the scalar or vector fields
 * (padding is a leaf too), each at offset o with width w inside the struct. In a tiling
 * with tile length M, head = n - n % M and tail = n % M, leaf (o, w) of struct i lives at
 * byte
 *
 *     i <  head:  (i - i % M) * S + M * o + (i % M) * w
 *     i >= head:  head * S + tail * o + (i - head) * w
 *
 * M = 1 is AoS, M = n is SoA, 1 < M < n is ASTA. Source: Sung 2013, 5.4.1. */
#ifndef DL_LAYOUT_H
#define DL_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "dl_status.h"
#include "grid.h"

enum { DL_LEAF_BYTES_MAX = 128 };

struct dl_leaf {
    uint32_t offset_bytes;
    uint32_t width_bytes; /* 1..DL_LEAF_BYTES_MAX */
};

/* The leaves of one struct type, by rising offset, covering [0, struct_bytes) without gap
 * or overlap. */
struct dl_leaf_table {
    uint32_t struct_bytes;
    uint32_t leaf_count;
    struct dl_leaf *leaves; /* owned */
    /* The program itself has an array for each leaf: its own layout, DL_LAYOUT_AOS, is
     * SoA then. All leaves are as wide as the first. */
    bool arrays;
};

/* Makes a table from the fields of a struct in any order; gaps become padding leaves,
 * split into naturally aligned powers of two.
 *   out     the caller frees it with dl_leaf_table_free
 *   errors  DL_EINVAL: a field of width 0 or over DL_LEAF_BYTES_MAX, past the end, or
 *           overlapping another; DL_ENOMEM */
enum dl_status dl_leaf_table_make(uint32_t struct_bytes, const struct dl_leaf *fields,
                                  size_t field_count, struct dl_leaf_table *out);
enum dl_status dl_leaf_table_copy(const struct dl_leaf_table *from,
                                  struct dl_leaf_table *out);
static inline void dl_leaf_table_free(struct dl_leaf_table *table)
{
    free(table->leaves);
    *table = (struct dl_leaf_table){0};
}
bool dl_leaf_table_equal(const struct dl_leaf_table *a, const struct dl_leaf_table *b);
/* The largest unit that divides every offset and width. */
uint32_t dl_leaf_table_unit_bytes(const struct dl_leaf_table *table);

enum dl_layout_kind {
    DL_LAYOUT_AOS,  /* the program's own: structs, but where a table of leaves says arrays
                     */
    DL_LAYOUT_ASTA, /* tiles of tile_structs */
    DL_LAYOUT_DA,   /* one tile of n - n % tile_structs, then the short tail */
    DL_LAYOUT_SOA,  /* one tile of n, as hand-written SoA kernels have it */
    DL_LAYOUT_GRID  /* of n dimensions, by the bits of their indices (grid.h) */
};

struct dl_layout {
    enum dl_layout_kind kind;
    /* ASTA: M. DA: divides the head. Others: ignored */
    uint32_t tile_structs;
    struct dl_grid_map grid; /* GRID: each struct is an element. Others: none */
};

/* Whether they are the same, in all that matters to their kind. */
bool dl_layout_equal(const struct dl_layout *a, const struct dl_layout *b);

/* A layout applied to n structs. */
struct dl_tiling {
    uint64_t structs;      /* n */
    uint64_t tile_structs; /* M, at least 1 */
    uint64_t head_structs; /* the structs in whole tiles */
    uint64_t tail_structs; /* the last, short tile; 0 when M divides n */
    /* Whose formula places the leaves; AOS: the one at the top of this file, of all
     * tilings whose tiles hold one array for each leaf, in the order of the structs. */
    enum dl_layout_kind formula;
    struct dl_grid_map grid; /* GRID: of the head's structs */
};

/* The tiling of n structs (0 allowed) in a layout. A DA or ASTA whose n is below
 * tile_structs is all tail: head_structs = 0. Those of a grid are its head.
 *   errors  DL_EINVAL: tile_structs is 0 where it matters; the grid is not valid, or has
 * more elements than there are structs */
enum dl_status dl_layout_tile(struct dl_layout layout, uint64_t structs,
                              struct dl_tiling *out);
/* Equal as permutations: every leaf of every table lives at the same byte. */
bool dl_tiling_equal(const struct dl_tiling *a, const struct dl_tiling *b);
/* The byte at which a leaf of struct `i` (i < structs) starts. */
uint64_t dl_tiling_leaf_byte(const struct dl_tiling *tiling, uint32_t struct_bytes,
                             struct dl_leaf leaf, uint64_t i);
/* Moves leaves of the first `structs` structs from where one tiling has them to where
 * another does; both are of the same buffer. */
void dl_tiling_move(const struct dl_leaf *leaves, uint32_t leaf_count,
                    uint32_t struct_bytes, uint64_t structs,
                    const struct dl_tiling *from_tiling, const void *from,
                    const struct dl_tiling *to_tiling, void *to);
/* The function in formula.h, without its _at, that dl_tiling_leaf_byte computes. */
static inline const char *dl_tiling_formula(const struct dl_tiling *tiling)
{
    return tiling->formula == DL_LAYOUT_GRID ? "dl_grid" : "dl_tiles";
}

/* "AoS", "ASTA", "DA", "SoA", "grid". */
const char *dl_layout_name(enum dl_layout_kind kind);
/* Finds the kind of a name, in any case. False: there is none. */
bool dl_layout_find(const char *name, enum dl_layout_kind *out);
/* Whether tile_structs means something. */
bool dl_layout_has_tile(enum dl_layout_kind kind);

/* Build options that give a rewritten kernel this layout (annotate/annotate.h); "" for
 * the program's own. Equal for layouts that one build serves. */
struct dl_layout_knobs {
    char text[1024];
};
void dl_layout_knobs(const struct dl_layout *layout, struct dl_layout_knobs *out);

#endif
