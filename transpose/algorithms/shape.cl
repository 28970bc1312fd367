/* SPDX-License-Identifier: MIT */
/* The numbers of one transposition and where things lie: the text that every kernel of
 * this room begins with. Host code includes it too (internal.h), so that a launch's
 * numbers have one definition and the arithmetic can be tested without a device. Plain C
 * and OpenCL C both.
 *
 * The panel algorithm turns rows x cols elements into cols x rows through blocks of
 * `block` consecutive rows of one column, `blocks` in each column. `Rows` stands for the
 * array before, `places` for the array after: target row t, of `rows` elements, holds
 * `blocks` blocks one after the other, from place_head() elements on, so that every block
 * begins on a sector of memory. What is left of the target row before its first and after
 * its last block is the strip's.
 *
 * Panel k is block k of every column. It is transposed on its own into `cols` blocks,
 * numbers k * cols on, which go one after the other into the space of earlier panels:
 * block x to place x - hole, the first `hole` blocks to the workspace. The hole is a
 * panel and a bit, since the places drift away from the rows by the strip's share. Then
 * whole blocks move to where they belong. */
#ifndef DL_TRANSPOSE_SHAPE
#define DL_TRANSPOSE_SHAPE

/* The workspace of panels begins with the ticket and, for each panel, a count of the
 * tiles read, each in a sector of its own: those who wait must not be in the way of those
 * who count. */
#define COUNT_WORDS 8u
#define COUNTS(work) ((__global volatile uint *)(work))
#define COUNT_OF(panel) ((1u + (panel)) * COUNT_WORDS)

/* Division by a number that is known when the plan is made. */
struct divisor {
    uint number, reciprocal, shift;
};

struct panel_shape {
    ulong rows;        /* elements in a target row */
    ulong hole_bytes;  /* in the workspace: `hole` blocks */
    ulong strip_bytes; /* strip_rows x cols elements */
    ulong saved_bytes; /* one block for each cut */
    uint cols, block, blocks, hole;
    uint align;      /* blocks begin at multiples of so many elements; a power of two */
    uint phase;      /* ... plus this */
    uint skew;       /* the largest place_head() */
    uint col_skew;   /* joining: align - 1 where rows begin between sectors, else 0 */
    uint strip_rows; /* skew rows at the top, then those from block * blocks on */
    uint tiles_across, tiles_down; /* tiles of a panel: over its columns, over a block */
    uint vectors;                  /* of a block, as the mover moves it */
    uint cuts;      /* stretches of by_cut.number places, each with a cut */
    uint searchers; /* work-groups of the mover that search */
    uint strippers; /* ... that copy the strip */
    struct divisor by_blocks, by_cols, by_cut;
};

/* square.cl: a matrix of side x side elements, `leading` from row to row. */
struct square_shape {
    ulong side, leading;
};

/* In which order work-groups take tiles, or pairs of tiles of a square [Gorawski, Lorek
 * 2017]. */
enum tile_order {
    TILES_ROWS,          /* row after row; pairs: V1, from the left */
    TILES_ROWS_REVERSED, /* pairs: V1R, from the diagonal */
    TILES_BANDS,         /* columns in bands of `width`; pairs: V1B, else V1BF */
    TILES_SUPER,         /* width x width tiles, one such super-tile after the other */
    TILES_REGION /* pairs: width x width tiles from first_row, first_col on, those beyond
                    the diagonal idle */
};

struct tile_place {
    uint row, col;
};

/* swap.cl: a matrix of side x side elements, `leading` from row to row, in tiles x tiles
 * tiles. */
struct swap_shape {
    ulong side, leading,
        stride_bytes; /* the last: from one matrix of the batch to the next */
    uint tiles, width, order, first_row, first_col;
    uint numbers; /* of a matrix: swap_numbers() */
    uint inner;   /* so many matrices lie inside one another, an element apart, or more */
    ulong inner_bytes;
};

/* out.cl, out_units.cl: rows x cols elements, rows `leading` elements apart, become cols
 * x rows with rows `leading_out` apart, in tiles_down x tiles_across tiles of the source.
 */
struct out_shape {
    ulong rows, cols, leading, leading_out;
    ulong stride_bytes, stride_out_bytes; /* from one matrix of the batch to the next */
    ulong base_out_bytes;
    uint tiles_down, tiles_across, width, order;
};

/* out_axes.cl, out_axes_units.cl: `cols` elements along the axis that is innermost in the
 * source, `rows` along the one that is so in the target; the others have a number
 * together, the last being the fastest. Distances are in elements, or units. */
enum { OTHERS_MAX = 7 };
struct axes_shape {
    ulong base_out_bytes, units; /* the latter to an element */
    ulong rows, row_from, row_to;
    ulong cols, col_from, col_to;
    ulong from[OTHERS_MAX], to[OTHERS_MAX];
    uint extents[OTHERS_MAX], others;
    uint tiles_down, tiles_across, width, order;
    uint tail; /* units of the last of `cols` elements; 0: as many as the others have */
    uint grid; /* of a flattened grid: how many others there are along its x; 0: it is a
                  line */
};

/* scaled.cl: numbers as real parts' bits, real and imaginary part. */
struct scaled_shape {
    struct axes_shape axes;
    ulong alpha[2], beta[2];
};

/* scaled.cl, in place: `rows` rows of `width` numbers, `leading` apart, in matrices
 * `stride` apart. */
struct scale_shape {
    ulong width, rows, leading, batch, stride;
    ulong alpha[2];
};

/* swap_runs.cl: squares of side x side elements of so many units, `middle` of them inside
 * one another, whose pairs have a number together. */
struct runs_shape {
    ulong units, middle, all; /* the last: pairs of all squares */
    uint side, pairs, lanes;  /* pairs of a square; work-items for an element */
};

/* cycles_bare.cl: rows x cols elements of so many units, matrices so far apart. */
struct bare_shape {
    ulong rows, cols, stride_bytes, units;
};

/* back.cl: `rows` rows of `width` units, dense in the workspace from a byte of it on,
 * `leading` apart in the matrix; then so many bytes more. */
struct back_shape {
    ulong rows, width, leading, from_bytes;
    uint tail_bytes;
};

/* fuse.cl: down x across super-elements. */
struct fuse_shape {
    uint across;
    struct divisor by_down;
    struct divisor by_rows, by_line; /* of a super-element: its rows, and units in each */
    struct divisor by_cut;           /* places for each cut */
};

/* pack.cl: rows of `width` units, from row to row `from` before and `to` after they
 * slide. */
struct pack_shape {
    ulong rows, width, from, to;
    ulong flags_bytes; /* in the workspace */
    uint chunks;
};

/* c2r.cl: an operation on an array of m rows of n elements. */
enum c2r_op { C2R_BEFORE, C2R_ROWS, C2R_COLUMNS, R2C_COLUMNS, R2C_ROWS, R2C_AFTER };

struct c2r_shape {
    ulong m, n, c, a, b;           /* c = gcd(m, n), a = m / c, b = n / c */
    ulong a_inverse;               /* of a modulo b */
    ulong b_inverse;               /* of b modulo a */
    ulong saved_bytes, list_bytes; /* in the workspace */
    uint op;
    uint ranges, range_rows; /* fine rotation: a work-group walks down a range */
    uint parts;              /* coarse rotation: of the cycles of a group, about */
    uint cut_rows, cuts;     /* permutation: rows for one cut, and how many cuts */
    uint turn_cols;          /* through the workspace: columns that go at once */
    struct divisor by_m, by_n, by_a, by_b, by_c;
};

#ifdef __OPENCL_VERSION__
#define SHAPE_ROOT sqrt
#else
#define SHAPE_ROOT __builtin_sqrtf
static inline uint mul_hi(uint a, uint b)
{
    return (uint)((ulong)a * b >> 32);
}
#endif

/* The reciprocal is a little too small, so that the first guess may be one too small. */
static inline uint divide(struct divisor by, uint number)
{
    uint guess = mul_hi(number, by.reciprocal) >> by.shift;

    return guess + (number - guess * by.number >= by.number);
}

/* Elements before the first block of target row t. */
static inline uint place_head(const struct panel_shape *s, uint t)
{
    return (s->phase - t * (uint)s->rows) & (s->align - 1u);
}

/* Where the block at (t, b) begins, in elements. */
static inline ulong place_element(const struct panel_shape *s, uint t, uint b)
{
    return (ulong)t * s->rows + place_head(s, t) + (ulong)b * s->block;
}

/* The element at which place `place` begins. */
static inline ulong place_begin(const struct panel_shape *s, uint place)
{
    uint t = divide(s->by_blocks, place);

    return place_element(s, t, place - t * s->blocks);
}

/* Places before this one have a block when the mover starts, and blocks of the hole
 * before that have none when it ends. */
static inline uint places_used(const struct panel_shape *s)
{
    return s->blocks * s->cols - s->hole;
}

#define NOWHERE 0xffffffffu

static inline uint place_of_cut(const struct panel_shape *s, uint cut)
{
    return cut * s->by_cut.number + mul_hi(cut * 0x9E3779B1u, s->by_cut.number);
}

/* The number of the cut at a place, or NOWHERE. */
static inline uint cut_at_place(const struct panel_shape *s, uint place)
{
    uint cut = divide(s->by_cut, place);

    return place < places_used(s) && place_of_cut(s, cut) == place ? cut : NOWHERE;
}

/* The place that an element lies in, or one beside it when it lies in the strip. */
static inline uint place_near(const struct panel_shape *s, ulong element)
{
    uint t = (uint)(element / s->rows), head = place_head(s, t);
    ulong rest = element - (ulong)t * s->rows,
          b = rest < head ? 0 : (rest - head) / s->block;

    return t * s->blocks + (uint)(b < s->blocks ? b : s->blocks - 1u);
}

/* A tile of a panel. Splitting, its columns are [first, past) and its rows those of the
 * blocks from y on. Joining, they are those of the panel from y on, where column j has
 * rows place_head(j) to place_head(j) + block - 1, and in each row the columns are
 * join_column()'s. */
struct tile {
    uint panel, first, past, y;
};

static inline struct tile tile_of(const struct panel_shape *s, uint number,
                                  uint tile_cols, uint tile_rows, bool joining)
{
    uint tiles = s->tiles_across * s->tiles_down, panel = number / tiles;
    uint rest = number - panel * tiles, across = rest / s->tiles_down;
    struct tile tile;

    tile.panel = joining ? s->blocks - 1u - panel : panel;
    tile.first = across * tile_cols;
    tile.past = s->cols > tile.first && s->cols - tile.first < tile_cols
                    ? s->cols
                    : tile.first + tile_cols;
    tile.y = (rest - across * s->tiles_down) * tile_rows;
    return tile;
}

/* Joining: how far left the columns of row `row` are moved, so that they begin with a
 * sector. A tile's width is a multiple of `align`. */
static inline uint join_shift(const struct panel_shape *s, ulong row, uint first)
{
    return ((uint)row * s->cols + first - s->phase) & s->col_skew;
}

/* The panels [*first, *past) whose tiles must all have been read before this one may be
 * written: theirs is what it overwrites. All of them come earlier in the order of tiles.
 */
static inline void split_waits_for(const struct panel_shape *s, struct tile tile,
                                   uint *first, uint *past)
{
    uint x = tile.panel * s->cols, last = x + tile.past - 1u;

    *first = *past = 0;
    x += tile.first;
    if (last >= s->hole) {
        uint place = x > s->hole ? x - s->hole : 0;
        ulong low = place_begin(s, place) / s->cols;
        ulong high = (place_begin(s, last - s->hole) + s->block - 1u) / s->cols;
        *first = (uint)((low > s->skew ? low - s->skew : 0) / s->block);
        *past = (uint)(high / s->block) + 1u;
        if (*past > tile.panel)
            *past = tile.panel;
    }
}

static inline void join_waits_for(const struct panel_shape *s, struct tile tile,
                                  uint tile_rows, uint *first, uint *past)
{
    ulong row = (ulong)tile.panel * s->block + tile.y, end = row + tile_rows;
    uint begin = tile.first > s->col_skew ? tile.first - s->col_skew : 0;
    uint low = place_near(s, row * s->cols + begin);
    uint high = place_near(s, (end < s->rows ? end : s->rows) * s->cols - 1u);

    *first = (low + s->hole) / s->cols;
    *past = (high + s->hole) / s->cols + 1u;
    if (*first <= tile.panel)
        *first = tile.panel + 1u;
    if (*past > s->blocks)
        *past = s->blocks;
}

/* ---- the order of tiles ---- */

static inline uint triangle(uint n)
{
    return (uint)((ulong)n * (n + 1u) / 2u);
}

/* The row of the k-th place of a triangle with 1, 2, 3, ... places in its rows: the
 * largest y for which triangle(y) <= k. The root of a float is a few units off at most.
 */
static inline uint triangle_row(uint k)
{
    uint y = (uint)((SHAPE_ROOT(8.0f * (float)k + 1.0f) - 1.0f) * 0.5f);

    while (triangle(y) > k)
        y--;
    while (triangle(y + 1u) <= k)
        y++;
    return y;
}

/* How many numbers the pairs of a square have; a number may stand for no pair. */
static inline ulong swap_numbers(const struct swap_shape *s)
{
    uint supers = (s->tiles + s->width - 1u) / s->width;

    if (s->order == TILES_SUPER)
        return (ulong)supers * (supers + 1u) / 2u * s->width * s->width;
    if (s->order == TILES_REGION)
        return (ulong)s->width * s->width;
    return (ulong)s->tiles * (s->tiles + 1u) / 2u;
}

/* Scheme V1B: bands of `width` columns of the lower triangle, its diagonal included, each
 * row by row from the top. Whole bands are whole columns, and these are a triangle from
 * the end. */
static inline struct tile_place swap_place_banded(const struct swap_shape *s, uint k)
{
    uint last = triangle(s->tiles) - 1u, first_col, width, rest, row;
    struct tile_place at;

    first_col = (s->tiles - 1u - triangle_row(last - k)) / s->width * s->width;
    width = s->tiles - first_col < s->width ? s->tiles - first_col : s->width;
    rest = k - (triangle(s->tiles) - triangle(s->tiles - first_col));
    if (rest < triangle(width)) {
        row = triangle_row(rest);
        at.col = rest - triangle(row);
    } else {
        rest -= triangle(width);
        row = width + rest / width;
        at.col = rest % width;
    }
    at.row = first_col + row;
    at.col += first_col;
    return at;
}

/* The k-th pair, by its tile at or below the diagonal. Those with a column beyond their
 * row, or a row beyond the matrix, are none. */
static inline struct tile_place swap_place(const struct swap_shape *s, uint k)
{
    struct tile_place at;

    if (s->order == TILES_BANDS)
        return swap_place_banded(s, k);
    if (s->order == TILES_SUPER) {
        uint area = s->width * s->width, super = k / area, rest = k - super * area;
        uint row = triangle_row(super);
        at.row = row * s->width + rest / s->width;
        at.col = (super - triangle(row)) * s->width + rest % s->width;
        return at;
    }
    if (s->order == TILES_REGION) {
        at.row = s->first_row + k / s->width;
        at.col = s->first_col + k % s->width;
        return at;
    }
    at.row = triangle_row(k);
    at.col = k - triangle(at.row);
    if (s->order == TILES_ROWS_REVERSED)
        at.col = at.row - at.col;
    return at;
}

/* The k-th tile of a matrix; V1BF: bands of `width` columns, each row by row. */
static inline struct tile_place out_place(const struct out_shape *s, uint k)
{
    uint width = s->order == TILES_BANDS ? s->width : s->tiles_across;
    uint area = width * s->tiles_down, band = k / area, rest = k - band * area;
    uint first = band * width;
    struct tile_place at;

    if (s->tiles_across - first < width)
        width = s->tiles_across - first;
    at.row = rest / width;
    at.col = first + rest % width;
    return at;
}

/* The same for tiles of two of several axes. */
static inline struct tile_place axes_place(const struct axes_shape *s, uint k)
{
    struct out_shape flat;

    flat.tiles_down = s->tiles_down;
    flat.tiles_across = s->tiles_across;
    flat.width = s->width;
    flat.order = s->order;
    return out_place(&flat, k);
}

/* Where the other axes begin on both sides. */
static inline void axes_begin(const struct axes_shape *s, uint other, ulong *from,
                              ulong *to)
{
    *from = *to = 0;
    for (uint o = s->others; o-- > 0;) {
        uint rest = other / s->extents[o], place = other - rest * s->extents[o];
        *from += place * s->from[o];
        *to += place * s->to[o];
        other = rest;
    }
}

/* Where a unit of all rows, counted one row after the other, is when rows are so far
 * apart. */
static inline ulong pack_place(const struct pack_shape *s, ulong distance, ulong unit)
{
    ulong row = unit / s->width;

    return row * distance + (unit - row * s->width);
}

/* The first unit that lies at or after a place before rows slide. */
static inline ulong pack_unit(const struct pack_shape *s, ulong place)
{
    ulong row = place / s->from, rest = place - row * s->from;

    return row * s->width + (rest < s->width ? rest : s->width);
}

/* The units that sliding a chunk overwrites: the first, and the last or one after it. */
static inline void pack_overwrites(const struct pack_shape *s, uint chunk, uint units,
                                   ulong *first, ulong *last)
{
    ulong all = s->rows * s->width, begin = (ulong)chunk * units, end = begin + units;

    *first = pack_unit(s, pack_place(s, s->to, begin));
    *last = pack_unit(s, pack_place(s, s->to, (end < all ? end : all) - 1u));
    if (*last >= all)
        *last = all - 1u;
}

/* The chunks that bringing this one nearer overwrites, but for itself: all come before.
 */
static inline void pack_together_waits_for(const struct pack_shape *s, uint chunk,
                                           uint units, uint *first, uint *past)
{
    ulong from, last;

    pack_overwrites(s, chunk, units, &from, &last);
    *first = (uint)(from / units);
    *past = (uint)(last / units) + 1u;
    if (*past > chunk)
        *past = chunk;
}

/* ... that taking it further away overwrites: all come after, and are done before. */
static inline void pack_spread_waits_for(const struct pack_shape *s, uint chunk,
                                         uint units, uint *first, uint *past)
{
    ulong from, last;

    pack_overwrites(s, chunk, units, &from, &last);
    *first = (uint)(from / units);
    if (*first <= chunk)
        *first = chunk + 1u;
    *past = (uint)(last / units) + 1u;
}

#endif
