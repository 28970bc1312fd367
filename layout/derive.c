/* SPDX-License-Identifier: MIT */
/* Busy bits, and their greedy assignment to the bits of an address. */
#include "derive.h"

#include <string.h>

enum { IDS = 6, INDEX_BITS_MAX = 63 }; /* DL_GRID_GROUP and DL_GRID_LOCAL */

/* The binary logarithm, rounded down; 0 for 0. */
static unsigned log2_below(uint64_t value)
{
    return 63 - (unsigned)__builtin_clzll(value | 1);
}

/* The number of bits of an index below the extent. */
static unsigned index_bits(uint64_t extent)
{
    if (extent == 0)
        return INDEX_BITS_MAX;
    return extent == 1 ? 0 : log2_below(extent - 1) + 1;
}

/* ---- busy bits ---- */

/* How many low bits of each id take all values among the work-items that run at once.
 * Groups start along x first, so that ids of y differ once a row of them is resident. */
static void ids_busy(const struct dl_grid_launch *launch, unsigned *bits)
{
    uint64_t left = launch->resident_groups;

    for (int d = 0; d < 3; d++) {
        uint64_t count = launch->group_counts[d];
        uint64_t distinct = count != 0 && count < left ? count : left;

        bits[DL_GRID_GROUP + d] = log2_below(distinct);
        bits[DL_GRID_LOCAL + d] = log2_below(launch->group_sizes[d]);
        left = left / distinct > 0 ? left / distinct : 1;
    }
}

/* Of a number in two's complement. */
static uint64_t magnitude(uint64_t number)
{
    return number >> 63 ? 0 - number : number;
}

/* A row in terms of group ids and local ids. */
static void row_fold(const int64_t *row, const struct dl_grid_launch *launch,
                     uint64_t *folded)
{
    for (int d = 0; d < 3; d++) {
        uint64_t global = (uint64_t)row[DL_GRID_GLOBAL + d];

        folded[DL_GRID_GROUP + d] =
            magnitude((uint64_t)row[DL_GRID_GROUP + d] + global * launch->group_sizes[d]);
        folded[DL_GRID_LOCAL + d] = magnitude((uint64_t)row[DL_GRID_LOCAL + d] + global);
    }
}

static uint64_t mask_up_to(unsigned top)
{
    return top >= 63 ? UINT64_MAX : (UINT64_C(1) << (top + 1)) - 1;
}

/* Returns the bits that change when an id with `bits` busy bits is multiplied by a
 * coefficient. */
static uint64_t term_busy(uint64_t coefficient, unsigned bits)
{
    unsigned low = 0, top;

    if (coefficient == 0 || bits == 0)
        return 0;
    while (!(coefficient >> low & 1))
        low++;
    top = log2_below(coefficient) + bits - 1;
    if (top < INDEX_BITS_MAX)
        top = log2_below(coefficient * ((UINT64_C(1) << bits) - 1));
    return low > INDEX_BITS_MAX - 1 ? 0 : mask_up_to(top) & ~(mask_up_to(low) >> 1);
}

/* The rank of a dimension in the assignment: the first busy id that it depends on, local
 * before group. IDS: none. */
static unsigned row_rank(const uint64_t *row, const unsigned *bits)
{
    static const unsigned order[IDS] = {DL_GRID_LOCAL,     DL_GRID_LOCAL + 1,
                                        DL_GRID_LOCAL + 2, DL_GRID_GROUP,
                                        DL_GRID_GROUP + 1, DL_GRID_GROUP + 2};

    for (unsigned o = 0; o < IDS; o++)
        if (row[order[o]] != 0 && bits[order[o]] != 0)
            return o;
    return IDS;
}

/* ---- assignment ---- */

/* Dimensions by rising rank; of equal rank, the faster in the program's layout first. */
static void order_make(const unsigned *ranks, uint32_t dim_count, uint32_t *order)
{
    uint32_t count = 0;

    for (unsigned rank = 0; rank <= IDS; rank++)
        for (uint32_t d = dim_count; d-- > 0;)
            if (ranks[d] == rank)
                order[count++] = d;
}

/* Adds a strip on the low side, or lengthens the one before if it continues that. */
static void strip_add(struct dl_grid_layout *layout, uint32_t dim, unsigned low,
                      unsigned bits)
{
    struct dl_grid_strip *last = &layout->strips[layout->strip_count];

    if (layout->strip_count > 0 && last[-1].dim == dim && low + bits == last[-1].low) {
        last[-1].low = (uint8_t)low;
        last[-1].bits = last[-1].bits ? (uint8_t)(last[-1].bits + bits) : 0;
        return;
    }
    *last = (struct dl_grid_strip){(uint8_t)dim, (uint8_t)low, (uint8_t)bits};
    layout->strip_count++;
}

/* The low taken[d] bits of each dimension go below, the first in the order lowest. */
static void layout_make(const struct dl_grid *grid, const uint32_t *order,
                        const unsigned *taken, struct dl_grid_layout *layout)
{
    layout->strip_count = 0;
    for (uint32_t d = 0; d < grid->dim_count; d++)
        if (taken[d] == 0 || taken[d] < index_bits(grid->extents[d]))
            strip_add(layout, d, taken[d], 0);
    for (uint32_t o = grid->dim_count; o-- > 0;) {
        uint32_t d = order[o];

        if (taken[d] > 0)
            strip_add(layout, d, 0,
                      taken[d] < index_bits(grid->extents[d]) ? taken[d] : 0);
    }
}

static void bits_assign(const struct dl_grid *grid, const uint32_t *order,
                        const uint64_t *busy, const struct dl_grid_memory *memory,
                        unsigned *taken)
{
    unsigned left = memory->burst_bits + memory->steering_bits;

    for (uint32_t o = 0; o < grid->dim_count; o++) {
        uint32_t d = order[o];
        unsigned want = busy[d] ? log2_below(busy[d]) + 1 : 0;

        if (o == 0 && want < memory->burst_bits)
            want = memory->burst_bits;
        if (want > index_bits(grid->extents[d]))
            want = index_bits(grid->extents[d]);
        taken[d] = want < left ? want : left;
        left -= taken[d];
    }
}

static bool is_good(const struct dl_grid *grid, const struct dl_grid_launch *launch,
                    const struct dl_grid_memory *memory)
{
    return grid->dim_count >= 1 && grid->dim_count <= DL_GRID_DIMS_MAX &&
           launch->group_sizes[0] >= 1 && launch->group_sizes[1] >= 1 &&
           launch->group_sizes[2] >= 1 && launch->resident_groups >= 1 &&
           memory->burst_bits <= INDEX_BITS_MAX &&
           memory->steering_bits <= INDEX_BITS_MAX - memory->burst_bits;
}

enum dl_status dl_grid_derive(const struct dl_grid *grid,
                              const struct dl_grid_access *access,
                              const struct dl_grid_launch *launch,
                              const struct dl_grid_memory *memory,
                              struct dl_grid_derivation *out)
{
    unsigned bits[IDS], ranks[DL_GRID_DIMS_MAX], taken[DL_GRID_DIMS_MAX];
    uint32_t order[DL_GRID_DIMS_MAX];

    if (!is_good(grid, launch, memory))
        return DL_EINVAL;
    memset(out, 0, sizeof *out);
    ids_busy(launch, bits);
    for (uint32_t d = 0; d < grid->dim_count; d++) {
        uint64_t row[IDS];

        row_fold(access->coefficients[d], launch, row);
        for (int c = 0; c < IDS; c++)
            out->busy_bits[d] |= term_busy(row[c], bits[c]);
        if (index_bits(grid->extents[d]) < INDEX_BITS_MAX)
            out->busy_bits[d] &= (UINT64_C(1) << index_bits(grid->extents[d])) - 1;
        ranks[d] = row_rank(row, bits);
    }
    order_make(ranks, grid->dim_count, order);
    out->fastest = order[0];
    bits_assign(grid, order, out->busy_bits, memory, taken);
    layout_make(grid, order, taken, &out->layout);
    return DL_OK;
}
