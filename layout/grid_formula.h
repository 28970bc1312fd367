/* Where the elements of a grid live (grid.h): one text for C11 and for OpenCL C 1.0, as
 * formula.h, whose rules it follows; dl_index is defined before. */
#ifndef DL_GRID_FORMULA
#define DL_GRID_FORMULA

/* DL_GRID_DIMS dimensions of DL_X0, DL_X1... elements, and DL_GRID_STRIPS strips: each
 * has, from its 16th bit on, its dimension, from the 8th on its lowest bit, and below how
 * many bits it has, 0: all. Where these are no constants, DL_GRID_FORMAL is the parameter
 * that they come from, DL_GRID_PASS the argument, and DL_GRID_ROOM the most dimensions.
 */
#ifdef DL_GRID_DIMS

#ifndef DL_GRID_FORMAL
#define DL_GRID_FORMAL
#define DL_GRID_PASS
#define DL_GRID_ROOM DL_GRID_DIMS
#ifndef DL_X1
#define DL_X1 1
#endif
#ifndef DL_X2
#define DL_X2 1
#endif
#ifndef DL_X3
#define DL_X3 1
#endif
#ifndef DL_X4
#define DL_X4 1
#endif
#ifndef DL_X5
#define DL_X5 1
#endif
#ifndef DL_X6
#define DL_X6 1
#endif
#ifndef DL_X7
#define DL_X7 1
#endif
#ifndef DL_B1
#define DL_B1 0
#endif
#ifndef DL_B2
#define DL_B2 0
#endif
#ifndef DL_B3
#define DL_B3 0
#endif
#ifndef DL_B4
#define DL_B4 0
#endif
#ifndef DL_B5
#define DL_B5 0
#endif
#ifndef DL_B6
#define DL_B6 0
#endif
#ifndef DL_B7
#define DL_B7 0
#endif
#ifndef DL_B8
#define DL_B8 0
#endif
#ifndef DL_B9
#define DL_B9 0
#endif
#ifndef DL_B10
#define DL_B10 0
#endif
#ifndef DL_B11
#define DL_B11 0
#endif
#ifndef DL_B12
#define DL_B12 0
#endif
#ifndef DL_B13
#define DL_B13 0
#endif
#ifndef DL_B14
#define DL_B14 0
#endif
#ifndef DL_B15
#define DL_B15 0
#endif
#ifndef DL_B16
#define DL_B16 0
#endif
#ifndef DL_B17
#define DL_B17 0
#endif
#ifndef DL_B18
#define DL_B18 0
#endif
#ifndef DL_B19
#define DL_B19 0
#endif
#ifndef DL_B20
#define DL_B20 0
#endif
#ifndef DL_B21
#define DL_B21 0
#endif
#ifndef DL_B22
#define DL_B22 0
#endif
#ifndef DL_B23
#define DL_B23 0
#endif
#define DL_GRID_EXTENT(dl_d)                                                             \
    ((dl_index)((dl_d) == 0   ? DL_X0                                                    \
                : (dl_d) == 1 ? DL_X1                                                    \
                : (dl_d) == 2 ? DL_X2                                                    \
                : (dl_d) == 3 ? DL_X3                                                    \
                : (dl_d) == 4 ? DL_X4                                                    \
                : (dl_d) == 5 ? DL_X5                                                    \
                : (dl_d) == 6 ? DL_X6                                                    \
                              : DL_X7))
#define DL_GRID_STRIP(dl_s)                                                              \
    ((dl_s) < 8                                                                          \
         ? DL_GRID_EIGHT((dl_s), DL_B0, DL_B1, DL_B2, DL_B3, DL_B4, DL_B5, DL_B6, DL_B7) \
     : (dl_s) < 16 ? DL_GRID_EIGHT((dl_s)-8, DL_B8, DL_B9, DL_B10, DL_B11, DL_B12,       \
                                   DL_B13, DL_B14, DL_B15)                               \
                   : DL_GRID_EIGHT((dl_s)-16, DL_B16, DL_B17, DL_B18, DL_B19, DL_B20,    \
                                   DL_B21, DL_B22, DL_B23))
#define DL_GRID_EIGHT(dl_s, dl_0, dl_1, dl_2, dl_3, dl_4, dl_5, dl_6, dl_7)              \
    ((dl_s) == 0   ? (dl_0)                                                              \
     : (dl_s) == 1 ? (dl_1)                                                              \
     : (dl_s) == 2 ? (dl_2)                                                              \
     : (dl_s) == 3 ? (dl_3)                                                              \
     : (dl_s) == 4 ? (dl_4)                                                              \
     : (dl_s) == 5 ? (dl_5)                                                              \
     : (dl_s) == 6 ? (dl_6)                                                              \
                   : (dl_7))
#endif

/* The place of an element by its indices, which must be within the extents. What does not
 * hang on them is constant where the macros are: a strip that divides its extent costs no
 * more than its bits. */
static dl_index dl_grid_rank_at(const dl_index *dl_x DL_GRID_FORMAL)
{
    dl_index dl_rest[DL_GRID_ROOM], dl_rank = 0;

#pragma unroll
    for (int dl_d = 0; dl_d < DL_GRID_DIMS; dl_d++)
        dl_rest[dl_d] = DL_GRID_EXTENT(dl_d);
#pragma unroll
    for (int dl_s = 0; dl_s < DL_GRID_STRIPS; dl_s++) {
        const int dl_dim = DL_GRID_STRIP(dl_s) >> 16;
        const int dl_low = DL_GRID_STRIP(dl_s) >> 8 & 255;
        const int dl_bits = DL_GRID_STRIP(dl_s) & 255;
        const dl_index dl_size = (dl_index)1 << dl_low;
        dl_index dl_value = dl_x[dl_dim] >> dl_low, dl_left;

        dl_left = DL_GRID_EXTENT(dl_dim) - (dl_value << dl_low);
        if (dl_bits)
            dl_value &= ((dl_index)1 << dl_bits) - 1;
        dl_value <<= dl_low;
#pragma unroll
        for (int dl_d = 0; dl_d < DL_GRID_DIMS; dl_d++)
            dl_value *= dl_d == dl_dim ? 1 : dl_rest[dl_d];
        dl_rank += dl_value;
        dl_rest[dl_dim] = DL_GRID_EXTENT(dl_dim) % dl_size == 0 || dl_left > dl_size
                              ? dl_size
                              : dl_left;
    }
    return dl_rank;
}

/* The same by its index, which must be one of the grid's. */
static dl_index dl_grid_rank_of(dl_index dl_e DL_GRID_FORMAL)
{
    dl_index dl_x[DL_GRID_ROOM];

#pragma unroll
    for (int dl_d = DL_GRID_DIMS - 1; dl_d > 0; dl_d--) {
        dl_index dl_n = DL_GRID_EXTENT(dl_d), dl_over = dl_e / dl_n;

        dl_x[dl_d] = dl_e - dl_over * dl_n;
        dl_e = dl_over;
    }
    dl_x[0] = dl_e;
    return dl_grid_rank_at(dl_x DL_GRID_PASS);
}

/* Elements of the grid, of which there are dl_head; what lies before or behind it is
 * where it was. */
static dl_index dl_grid_at(dl_index dl_i, dl_index dl_struct, dl_index dl_offset,
                           dl_index dl_width, dl_index dl_tile, dl_index dl_head,
                           dl_index dl_tail DL_GRID_FORMAL)
{
    return (dl_i < dl_head ? dl_grid_rank_of(dl_i DL_GRID_PASS) : dl_i) * dl_struct +
           dl_offset;
}

static dl_index dl_grid_head_at(dl_index dl_i, dl_index dl_struct, dl_index dl_offset,
                                dl_index dl_width, dl_index dl_tile,
                                dl_index dl_head DL_GRID_FORMAL)
{
    return dl_grid_rank_of(dl_i DL_GRID_PASS) * dl_struct + dl_offset;
}

#endif

#endif
