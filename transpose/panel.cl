/* The first pass of the panel algorithm, and the last of its inverse: every panel of `block` rows
 * is transposed, out of place, into the space that panels read earlier have left.
 *
 * One launch does all panels. A work-group takes a ticket, and with it the next tile in order;
 * reads the tile into local memory; says so; waits until every tile whose elements it is about to
 * overwrite has been read too; and writes. It waits for tickets given out earlier only, thus for
 * work-groups that run already and that wait for still earlier ones: there is always one that can
 * go on, however few run at a time. Nobody reads what another has written. A tile counts as read
 * once its values are in local memory and its work-group has passed a barrier, so that the count
 * can't come before the reads. */
#ifndef DL_TRANSPOSE_SHAPE
#include "shape.cl"
#endif

#ifndef UNIT_BYTES
#define UNIT_BYTES 4 /* 1, 2, 4, 8 or 16 */
#endif
#ifndef UNITS
#define UNITS 1u /* in an element */
#endif
#ifndef TILE_COLS
#define TILE_COLS 64u
#endif
#ifndef TILE_ROWS
#define TILE_ROWS 64u
#endif
#ifndef SKEW
#define SKEW 7u /* at least shape.skew */
#endif
#ifndef GROUP
#define GROUP 256u
#endif

#ifndef UNROLL
#define UNROLL 8
#endif

#if UNIT_BYTES == 1
typedef uchar unit_t;
#elif UNIT_BYTES == 2
typedef ushort unit_t;
#elif UNIT_BYTES == 4
typedef uint unit_t;
#elif UNIT_BYTES == 8
typedef uint2 unit_t;
#else
typedef uint4 unit_t;
#endif

#define ROW_UNITS (TILE_COLS * UNITS)
#define BLOCK_UNITS (TILE_ROWS * UNITS)
/* An odd pitch: a column's units lie in different banks. */
#define PITCH (ROW_UNITS | 1u)
#define HELD_UNITS ((TILE_ROWS + SKEW) * PITCH)

/* The workspace begins with the ticket and, for each panel, a count of the tiles read, each in a
 * sector of its own: those who wait must not be in the way of those who count. */
#define COUNTS(work) ((__global volatile uint *)(work))
#define COUNT_OF(panel) ((1u + (panel)) * COUNT_WORDS)

/* A tile of a work-group, and where the blocks of its columns begin: in memory, from the tile's
 * first row on, and in the held units. */
struct work {
    struct tile tile;
    uint rows, columns; /* of the blocks, in elements */
};

void counts_wait(__global volatile uint *counts, uint first, uint past, uint tiles)
{
    for (uint k = first; k < past; k++)
        while (atomic_or(&counts[COUNT_OF(k)], 0u) < tiles)
            ;
}

/* Takes the next ticket and makes the table of its tile's columns. */
struct work work_take(__global uchar *mem, __global uchar *workspace,
                      const struct panel_shape *s, bool backwards, __local uint *ticket,
                      __global unit_t *__local *begins, __local uint *helds)
{
    const uint id = get_local_id(0);
    struct work work;

    if (id == 0)
        *ticket = atomic_inc(COUNTS(workspace));
    barrier(CLK_LOCAL_MEM_FENCE);
    work.tile = tile_of(s, *ticket, TILE_COLS, TILE_ROWS, backwards);
    work.columns = work.tile.past - work.tile.first;
    work.rows = min(TILE_ROWS, s->block - work.tile.y);
    for (uint c = id; c < work.columns; c += GROUP) {
        uint j = work.tile.first + c, x = work.tile.panel * s->cols + j;
        __global unit_t *begin =
            x < s->hole ? (__global unit_t *)(workspace + s->hole_bytes) +
                              (size_t)x * s->block * UNITS
                        : (__global unit_t *)mem + place_begin(s, x - s->hole) * UNITS;
        begins[c] = begin + work.tile.y * UNITS;
        helds[c] = place_head(s, j) * PITCH + c * UNITS;
    }
    return work;
}

/* Goes over the units of a tile row by row, so that neighbours are neighbours in the array. */
#define FOR_ROWS(i, y, u)                                                                        \
    for (uint i = get_local_id(0), y = i / ROW_UNITS, u = i % ROW_UNITS;                         \
         i < (TILE_ROWS + SKEW) * ROW_UNITS;                                                     \
         i += GROUP, y = i / ROW_UNITS, u = i % ROW_UNITS)
/* ... and block by block: unit u of column c's block. */
#define FOR_BLOCKS(i, c, u)                                                                      \
    for (uint i = get_local_id(0), c = i / BLOCK_UNITS, u = i % BLOCK_UNITS;                     \
         i < TILE_COLS * BLOCK_UNITS; i += GROUP, c = i / BLOCK_UNITS, u = i % BLOCK_UNITS)
#define HELD(c, u) held[helds[c] + (u) / UNITS * PITCH + (u) % UNITS]

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dl_panel_split(__global uchar *mem, ulong base, struct panel_shape shape,
               __global uchar *workspace)
{
    __local unit_t held[HELD_UNITS];
    __global unit_t *__local begins[TILE_COLS];
    __local uint helds[TILE_COLS];
    __local uint ticket;
    struct work work;

    mem += base;
    work = work_take(mem, workspace, &shape, false, &ticket, begins, helds);
    {
        ulong row = (ulong)work.tile.panel * shape.block + work.tile.y;
        uint rows = (uint)min((ulong)(work.rows + shape.skew), shape.rows - row);
        uint units = work.columns * UNITS;
        size_t pitch = (size_t)shape.cols * UNITS;
        __global const unit_t *from =
            (__global const unit_t *)mem + row * pitch + work.tile.first * UNITS;
#pragma unroll UNROLL
        FOR_ROWS(i, y, u)
            if (y < rows && u < units)
                held[y * PITCH + u] = from[y * pitch + u];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        uint first, past;
        atomic_inc(&COUNTS(workspace)[COUNT_OF(work.tile.panel)]);
        split_waits_for(&shape, work.tile, &first, &past);
        counts_wait(COUNTS(workspace), first, past, shape.tiles_across * shape.tiles_down);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    {
        uint units = work.rows * UNITS;
#pragma unroll UNROLL
        FOR_BLOCKS(i, c, u)
            if (c < work.columns && u < units)
                begins[c][u] = HELD(c, u);
    }
}

/* The same backwards: blocks into rows, last panel first. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dl_panel_join(__global uchar *mem, ulong base, struct panel_shape shape,
              __global uchar *workspace)
{
    __local unit_t held[HELD_UNITS];
    __global unit_t *__local begins[TILE_COLS];
    __local uint helds[TILE_COLS];
    __local uint ticket;
    struct work work;

    mem += base;
    work = work_take(mem, workspace, &shape, true, &ticket, begins, helds);
    barrier(CLK_LOCAL_MEM_FENCE);
    {
        uint units = work.rows * UNITS;
#pragma unroll UNROLL
        FOR_BLOCKS(i, c, u)
            if (c < work.columns && u < units)
                HELD(c, u) = begins[c][u];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        uint first, past;
        atomic_inc(&COUNTS(workspace)[COUNT_OF(work.tile.panel)]);
        join_waits_for(&shape, work.tile, TILE_ROWS, &first, &past);
        counts_wait(COUNTS(workspace), first, past, shape.tiles_across * shape.tiles_down);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    {
        ulong row = (ulong)work.tile.panel * shape.block + work.tile.y;
        uint units = work.columns * UNITS;
        size_t pitch = (size_t)shape.cols * UNITS;
        __global unit_t *to =
            (__global unit_t *)mem + row * pitch + work.tile.first * UNITS;
#pragma unroll UNROLL
        FOR_ROWS(i, y, u)
            if (u < units) {
#if SKEW > 0
                uint head = place_head(&shape, work.tile.first + u / UNITS);
#else
                const uint head = 0;
#endif
                if (y - head < work.rows)
                    to[y * pitch + u] = held[y * PITCH + u];
            }
    }
}

/* ---- the strip: what no block holds ---- */

/* The row of strip row y, and whether column j has it in the strip. */
bool strip_row(const struct panel_shape *s, uint y, uint j, ulong *row)
{
    uint head = place_head(s, j);
    ulong middle = (ulong)s->block * s->blocks;

    *row = y < s->skew ? y : middle + (y - s->skew);
    return y < s->skew ? y < head : *row >= middle + head;
}

#define STRIP_UNITS(work) ((__global unit_t *)((work) + shape.strip_bytes))

/* Copies the strip between the array and the workspace, in units: `y` and `j` change as is best
 * for the side of the array that is read or written. */
#define STRIP_FOR_ROWS(i, y, j, u)                                                                \
    size_t across = (size_t)shape.cols * UNITS;                                                   \
    uint y = (uint)((i) / across), j = (uint)((i) % across) / UNITS, u = (uint)((i) % UNITS)
#define STRIP_FOR_PLACES(i, y, j, u)                                                              \
    size_t down = (size_t)shape.strip_rows * UNITS;                                               \
    uint j = (uint)((i) / down), y = (uint)((i) % down) / UNITS, u = (uint)((i) % UNITS)

/* Takes the strip aside and clears the ticket and the counts. */
__kernel void dl_panel_strip_from_rows(__global uchar *mem, ulong base, struct panel_shape shape,
                                       __global uchar *work)
{
    size_t all = (size_t)shape.strip_rows * shape.cols * UNITS;
    ulong row;

    for (size_t i = get_global_id(0); i < COUNT_OF(shape.blocks); i += get_global_size(0))
        COUNTS(work)[i] = 0;
    for (size_t i = get_global_id(0); i < all; i += get_global_size(0)) {
        STRIP_FOR_ROWS(i, y, j, u);
        if (strip_row(&shape, y, j, &row))
            STRIP_UNITS(work)[i] =
                ((__global const unit_t *)(mem + base))[(row * shape.cols + j) * UNITS + u];
    }
}

__kernel void dl_panel_strip_to_places(__global uchar *mem, ulong base, struct panel_shape shape,
                                       __global uchar *work)
{
    size_t all = (size_t)shape.strip_rows * shape.cols * UNITS;
    ulong row;

    for (size_t i = get_global_id(0); i < all; i += get_global_size(0)) {
        STRIP_FOR_PLACES(i, y, j, u);
        if (strip_row(&shape, y, j, &row))
            ((__global unit_t *)(mem + base))[(j * shape.rows + row) * UNITS + u] =
                STRIP_UNITS(work)[((size_t)y * shape.cols + j) * UNITS + u];
    }
}

__kernel void dl_panel_strip_from_places(__global uchar *mem, ulong base,
                                         struct panel_shape shape, __global uchar *work)
{
    size_t all = (size_t)shape.strip_rows * shape.cols * UNITS;
    ulong row;

    for (size_t i = get_global_id(0); i < COUNT_OF(shape.blocks); i += get_global_size(0))
        COUNTS(work)[i] = 0;
    for (size_t i = get_global_id(0); i < all; i += get_global_size(0)) {
        STRIP_FOR_PLACES(i, y, j, u);
        if (strip_row(&shape, y, j, &row))
            STRIP_UNITS(work)[((size_t)y * shape.cols + j) * UNITS + u] =
                ((__global const unit_t *)(mem + base))[(j * shape.rows + row) * UNITS + u];
    }
}

__kernel void dl_panel_strip_to_rows(__global uchar *mem, ulong base, struct panel_shape shape,
                                     __global uchar *work)
{
    size_t all = (size_t)shape.strip_rows * shape.cols * UNITS;
    ulong row;

    for (size_t i = get_global_id(0); i < all; i += get_global_size(0)) {
        STRIP_FOR_ROWS(i, y, j, u);
        if (strip_row(&shape, y, j, &row))
            ((__global unit_t *)(mem + base))[(row * shape.cols + j) * UNITS + u] =
                STRIP_UNITS(work)[i];
    }
}
