#include "layout/grid_formula.h"
/* An element's index, once more for each dimension: its place, where these are within the
 * extents. The accessor then takes it as it is. */
#ifdef DL_GRID_DIMS
static dl_index dl_grid_split(dl_index dl_e, dl_index dl_head, int dl_dims,
                              int dl_is_guess, dl_index dl_0, dl_index dl_1,
                              dl_index dl_2, dl_index dl_3, dl_index dl_4, dl_index dl_5,
                              dl_index dl_6, dl_index dl_7)
{
    const dl_index dl_x[8] = {dl_0, dl_1, dl_2, dl_3, dl_4, dl_5, dl_6, dl_7};
    dl_index dl_summed = 0;
    int dl_is_in = dl_head != 0 && dl_dims == DL_GRID_DIMS;

#pragma unroll
    for (int dl_d = 0; dl_d < DL_GRID_DIMS; dl_d++) {
        dl_is_in &= dl_x[dl_d] < DL_GRID_EXTENT(dl_d);
        dl_summed = dl_summed * DL_GRID_EXTENT(dl_d) + dl_x[dl_d];
    }
    if (dl_is_guess || sizeof(dl_index) > 4)
        dl_is_in &= dl_summed == dl_e;
    if (dl_is_in)
        return dl_grid_rank_at(dl_x);
    return dl_e < dl_head ? dl_grid_rank_of(dl_e) : dl_e;
}
#define DL_RANK1(dl_f, dl_e, dl_guess, dl_0)                                             \
    dl_grid_split(dl_e, dl_head_##dl_f, 1, dl_guess, dl_0, 0, 0, 0, 0, 0, 0, 0)
#define DL_RANK2(dl_f, dl_e, dl_guess, dl_0, dl_1)                                       \
    dl_grid_split(dl_e, dl_head_##dl_f, 2, dl_guess, dl_0, dl_1, 0, 0, 0, 0, 0, 0)
#define DL_RANK3(dl_f, dl_e, dl_guess, dl_0, dl_1, dl_2)                                 \
    dl_grid_split(dl_e, dl_head_##dl_f, 3, dl_guess, dl_0, dl_1, dl_2, 0, 0, 0, 0, 0)
#define DL_RANK4(dl_f, dl_e, dl_guess, dl_0, dl_1, dl_2, dl_3)                           \
    dl_grid_split(dl_e, dl_head_##dl_f, 4, dl_guess, dl_0, dl_1, dl_2, dl_3, 0, 0, 0, 0)
#define DL_RANK5(dl_f, dl_e, dl_guess, dl_0, dl_1, dl_2, dl_3, dl_4)                     \
    dl_grid_split(dl_e, dl_head_##dl_f, 5, dl_guess, dl_0, dl_1, dl_2, dl_3, dl_4, 0, 0, \
                  0)
#define DL_RANK6(dl_f, dl_e, dl_guess, dl_0, dl_1, dl_2, dl_3, dl_4, dl_5)               \
    dl_grid_split(dl_e, dl_head_##dl_f, 6, dl_guess, dl_0, dl_1, dl_2, dl_3, dl_4, dl_5, \
                  0, 0)
#define DL_RANK7(dl_f, dl_e, dl_guess, dl_0, dl_1, dl_2, dl_3, dl_4, dl_5, dl_6)         \
    dl_grid_split(dl_e, dl_head_##dl_f, 7, dl_guess, dl_0, dl_1, dl_2, dl_3, dl_4, dl_5, \
                  dl_6, 0)
#define DL_RANK8(dl_f, dl_e, dl_guess, dl_0, dl_1, dl_2, dl_3, dl_4, dl_5, dl_6, dl_7)   \
    dl_grid_split(dl_e, dl_head_##dl_f, 8, dl_guess, dl_0, dl_1, dl_2, dl_3, dl_4, dl_5, \
                  dl_6, dl_7)
#define DL_RANKED(dl_f) , 0, 0
#else
#define DL_RANK1(dl_f, dl_e, dl_guess, dl_0) (dl_e)
#define DL_RANK2(dl_f, dl_e, dl_guess, dl_0, dl_1) (dl_e)
#define DL_RANK3(dl_f, dl_e, dl_guess, dl_0, dl_1, dl_2) (dl_e)
#define DL_RANK4(dl_f, dl_e, dl_guess, dl_0, dl_1, dl_2, dl_3) (dl_e)
#define DL_RANK5(dl_f, dl_e, dl_guess, dl_0, dl_1, dl_2, dl_3, dl_4) (dl_e)
#define DL_RANK6(dl_f, dl_e, dl_guess, dl_0, dl_1, dl_2, dl_3, dl_4, dl_5) (dl_e)
#define DL_RANK7(dl_f, dl_e, dl_guess, dl_0, dl_1, dl_2, dl_3, dl_4, dl_5, dl_6) (dl_e)
#define DL_RANK8(dl_f, dl_e, dl_guess, dl_0, dl_1, dl_2, dl_3, dl_4, dl_5, dl_6, dl_7)   \
    (dl_e)
#define DL_RANKED(dl_f) DL_ARGS(dl_f)
#endif
