/* Where the leaves of a tiled array of structs live: one text for C11 and for OpenCL
 * C 1.0, which the tilings, the accessors of rewritten kernels and the copies of parts
 * share.
 *
 * A leaf has an offset in its struct and a width. In row r of a tile of T structs, whose
 * first has the index f, it lives at f * struct + T * offset + r * width (Sung
 * 2013, 5.4.1). All in bytes, or all in another unit that divides every offset and width.
 *
 * dl_index, the type of all that is counted here, is defined before: unsigned, and wide
 * enough for the whole array. Rewritten kernels carry this text. So all names in it begin
 * with dl_ or DL_; what OpenCL C 1.1 lacks, the first word of each function, begins its
 * line, where it is taken off; and nothing here says how texts of other files are brought
 * in, which makes a text uncertain for the cache. */
#ifndef DL_FORMULA
#define DL_FORMULA

/* A macro, since the order in which nested functions are inlined has cost an instruction
 * in the loop of spmv. */
#define DL_LEAF_AT(dl_i, dl_row, dl_rows, dl_struct, dl_offset, dl_width)                \
    (((dl_i) - (dl_row)) * (dl_struct) + (dl_rows) * (dl_offset) + (dl_row) * (dl_width))

/* ---- tilings: one _at for any index and one _head_at for those below `head` ---- */

/* Tiles of dl_tile structs up to dl_head, a multiple of that, then a short one of
 * dl_tail. What lies before or after the array is where it was. By selects: a branch
 * costs 12 % in Black-Scholes on an H200. */
static dl_index dl_tiles_at(dl_index dl_i, dl_index dl_struct, dl_index dl_offset,
                            dl_index dl_width, dl_index dl_tile, dl_index dl_head,
                            dl_index dl_tail)
{
    dl_index dl_end = dl_head + dl_tail;
    dl_index dl_rows = dl_i < dl_head ? dl_tile : dl_i < dl_end ? dl_tail : 1;
    dl_index dl_row = dl_i < dl_end ? dl_i % dl_tile : 0;

    return DL_LEAF_AT(dl_i, dl_row, dl_rows, dl_struct, dl_offset, dl_width);
}

static dl_index dl_tiles_head_at(dl_index dl_i, dl_index dl_struct, dl_index dl_offset,
                                 dl_index dl_width, dl_index dl_tile, dl_index dl_head)
{
    return DL_LEAF_AT(dl_i, dl_i % dl_tile, dl_tile, dl_struct, dl_offset, dl_width);
}

/* One tile of dl_head structs, then one of dl_tail; dl_tile is ignored. */
static dl_index dl_one_tile_at(dl_index dl_i, dl_index dl_struct, dl_index dl_offset,
                               dl_index dl_width, dl_index dl_tile, dl_index dl_head,
                               dl_index dl_tail)
{
    dl_index dl_end = dl_head + dl_tail;
    dl_index dl_rows = dl_i < dl_head ? dl_head : dl_i < dl_end ? dl_tail : 1;
    dl_index dl_row = dl_i < dl_head ? dl_i : dl_i < dl_end ? dl_i - dl_head : 0;

    return DL_LEAF_AT(dl_i, dl_row, dl_rows, dl_struct, dl_offset, dl_width);
}

static dl_index dl_one_tile_head_at(dl_index dl_i, dl_index dl_struct, dl_index dl_offset,
                                    dl_index dl_width, dl_index dl_tile, dl_index dl_head)
{
    return DL_LEAF_AT(dl_i, dl_i, dl_head, dl_struct, dl_offset, dl_width);
}

#endif
