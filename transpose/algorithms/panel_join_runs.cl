/* SPDX-License-Identifier: MIT */
/* The last pass of the inverse panel algorithm, as dl_panel_join (panel.cl), for elements
 * of 4, 8 and 16 bytes: blocks are read as vectors, from where one begins before the
 * tile's first row to where one ends behind its last. */
#ifndef DL_TRANSPOSE_SHAPE
#include "panel_tickets.cl"
#endif

#ifndef ELEMENT_BYTES
#define ELEMENT_BYTES 4 /* 4, 8 or 16 */
#endif
#ifndef RUN
#define RUN 4u /* elements of a vector; a power of two, 16 bytes at most */
#endif
#ifndef COL_SKEW
#define COL_SKEW 7u /* shape.col_skew */
#endif
#ifndef GROUP
#define GROUP 256u /* a multiple of TILE_COLS */
#endif
#ifndef HELD
#define HELD 4u /* vectors that a work-item loads before it stores any */
#endif

#if ELEMENT_BYTES == 16
typedef ulong2 word_t;
#elif ELEMENT_BYTES == 8
typedef ulong word_t;
#else
typedef uint word_t;
#endif
#if RUN == 4
typedef uint4 run_t;
#elif RUN == 2 && ELEMENT_BYTES == 8
typedef ulong2 run_t;
#elif RUN == 2
typedef uint2 run_t;
#else
typedef word_t run_t;
#endif

#define JOIN_COLS (TILE_COLS + COL_SKEW)
#define RUNS (TILE_ROWS / RUN + 1u)
/* Row y of the tile lies at RUN + y; odd, so that a row's words lie in different banks.
 */
#define COLUMN_PITCH ((TILE_ROWS + 2u * RUN) | 1u)
#define ALL_RUNS (JOIN_COLS * RUNS)
#define DOWN_STEP (GROUP / TILE_COLS)

void run_store(__local word_t *to, run_t run)
{
#if RUN == 4
    to[0] = run.s0;
    to[1] = run.s1;
    to[2] = run.s2;
    to[3] = run.s3;
#elif RUN == 2
    to[0] = run.s0;
    to[1] = run.s1;
#else
    to[0] = run;
#endif
}

/* Run `i` of the tile: where it lies in `columns`, or -1 where no row of its block is. */
int run_at(const struct panel_shape *s, __local const uint *heads, uint y, uint i, int *o)
{
    uint c = i / RUNS, v = i - c * RUNS;
    int down;

    if (i >= ALL_RUNS || heads[c] == NOWHERE)
        return -1;
    down = (int)y - (int)heads[c];
    *o = (down & -(int)RUN) + (int)(v * RUN);
    return *o >= 0 && *o < (int)s->block ? (int)(c * COLUMN_PITCH + RUN) + *o - down : -1;
}

/* Reads the columns of a tile whose first row is row y of its panel. */
void runs_read(__local word_t *columns, const struct panel_shape *s,
               __global const uchar *__local const *begins, __local const uint *heads,
               uint y)
{
#pragma unroll
    for (uint begin = 0; begin < ALL_RUNS; begin += HELD * GROUP) {
        run_t held[HELD];
        int at[HELD];
#pragma unroll
        for (uint h = 0; h < HELD; h++) {
            uint i = begin + h * GROUP + get_local_id(0);
            int o = 0;
            at[h] = run_at(s, heads, y, i, &o);
            if (at[h] >= 0)
                held[h] = *(__global const run_t *)(begins[i / RUNS] +
                                                    (size_t)o * ELEMENT_BYTES);
        }
#pragma unroll
        for (uint h = 0; h < HELD; h++)
            if (at[h] >= 0)
                run_store(columns + at[h], held[h]);
    }
}

/* Writes its rows; `mem` is the array. */
void rows_write(__global uchar *mem, __local const word_t *columns,
                const struct panel_shape *s, __local const uint *heads, struct tile tile)
{
    uint u = get_local_id(0) % TILE_COLS, y = get_local_id(0) / TILE_COLS;
    ulong row = (ulong)tile.panel * s->block + tile.y + y;
    __global word_t *to = (__global word_t *)mem + row * s->cols + tile.first + u;
    ulong step = (ulong)s->cols * DOWN_STEP;

#pragma unroll 8
    for (uint k = 0; k < TILE_ROWS; k += DOWN_STEP) {
        uint shift = 0, c;
#if COL_SKEW > 0
        shift = join_shift(s, row + k, tile.first);
#endif
        c = u + COL_SKEW - shift;
        if (k + y < TILE_ROWS && heads[c] != NOWHERE &&
            tile.y + y + k - heads[c] < s->block)
            to[-(long)shift] = columns[c * COLUMN_PITCH + RUN + y + k];
        to += step;
    }
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dl_panel_join_runs(__global uchar *mem, ulong base, struct panel_shape shape,
                   __global uchar *workspace)
{
    __local word_t columns[JOIN_COLS * COLUMN_PITCH];
    __global const uchar *__local begins[JOIN_COLS]; /* each column's block */
    __local uint heads[JOIN_COLS];                   /* the row that it begins with */
    __local uint ticket, first, past;
    struct tile tile;

    mem += base;
    tile = tile_take(workspace, &shape, true, &ticket);
    for (uint c = get_local_id(0); c < JOIN_COLS; c += GROUP) {
        uint j = tile.first + c - COL_SKEW;
        heads[c] = NOWHERE;
        if (j < shape.cols) {
            heads[c] = place_head(&shape, j);
            begins[c] = block_bytes(mem, workspace, &shape, tile.panel * shape.cols + j,
                                    ELEMENT_BYTES);
        }
    }
    if (get_local_id(0) == GROUP - 1u) {
        uint from, to;
        join_waits_for(&shape, tile, TILE_ROWS, &from, &to);
        first = from;
        past = to;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    runs_read(columns, &shape, begins, heads, tile.y);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        atomic_inc(&COUNTS(workspace)[COUNT_OF(tile.panel)]);
        counts_wait(COUNTS(workspace), first, past,
                    shape.tiles_across * shape.tiles_down);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    rows_write(mem, columns, &shape, heads, tile);
}
