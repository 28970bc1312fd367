/* SPDX-License-Identifier: MIT */
/* The sets of sizes that are more than rows and columns, and those that fill what room
 * there is. */
#include "transpose.h"

#include <string.h>

/* The most that a case of these sets has, where the device could take more. */
#define CASE_BYTES (UINT64_C(1) << 30)

static uint64_t room_of(const struct transpose_list *list)
{
    return list->bytes_max < CASE_BYTES ? list->bytes_max : CASE_BYTES;
}

/* The largest number whose power of `exponent` is not above `most`. */
static uint64_t root_of(uint64_t most, unsigned exponent)
{
    for (uint64_t root = 1;; root++) {
        uint64_t power = 1;
        for (unsigned e = 0; e < exponent; e++)
            power *= root + 1;
        if (power > most)
            return root;
    }
}

/* n x (n + 1, 2, 5 and 10 %), and the other way round (figure 4.4 of Sung 2013). */
static void nearsquare_add(struct transpose_list *list, struct transpose_case form)
{
    static const uint32_t sides[] = {128, 1000, 4000, 8192, 10000, 16000};
    static const uint32_t percents[] = {1, 2, 5, 10};

    for (size_t s = 0; s < sizeof sides / sizeof *sides; s++)
        for (size_t p = 0; p < sizeof percents / sizeof *percents; p++) {
            uint64_t longer = sides[s] + (sides[s] * percents[p] + 99) / 100;
            form.rows = p % 2 ? longer : sides[s];
            form.cols = p % 2 ? sides[s] : longer;
            transpose_list_add(list, form);
        }
}

static void axes_add(struct transpose_list *list, struct transpose_case form)
{
    form.rows = form.extents[0];
    form.cols = 1;
    for (uint32_t a = 1; a < form.axis_count; a++)
        form.cols *= form.extents[a];
    transpose_list_add(list, form);
}

/* All orders of a cube and of three unlike sides, swaps with 2 and 3 elements between,
 * about and inside (figures 14 and 15 of Gorawski and Lorek 2017), and random ones of
 * four to six axes. */
static void axes_set_add(struct transpose_list *list, struct transpose_case form,
                         int sizes, uint64_t seed)
{
    static const uint32_t orders[][3] = {
        {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    uint64_t elements = room_of(list) / form.element_bytes, side = root_of(elements, 3);
    uint64_t state = seed, few = root_of(elements / 3, 2);

    form.axis_count = 3;
    for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
        memcpy(form.permutation, orders[o], sizeof orders[o]);
        form.extents[0] = form.extents[1] = form.extents[2] = side;
        axes_add(list, form);
        form.extents[0] = side + side / 4;
        form.extents[2] = side - side / 4 + 1;
        axes_add(list, form);
    }
    for (uint64_t other = 2; other <= 3; other++)
        for (size_t o = 0; o < 3; o++) {
            static const uint32_t swaps[][3] = {{1, 0, 2}, {2, 1, 0}, {0, 2, 1}};
            memcpy(form.permutation, swaps[o], sizeof swaps[o]);
            for (uint32_t a = 0; a < 3; a++)
                form.extents[a] = swaps[o][a] == a ? other : few;
            axes_add(list, form);
        }
    for (int s = 0; s < sizes; s++) {
        uint64_t left = elements;
        form.axis_count = 4 + (uint32_t)transpose_random_below(&state, 3);
        for (uint32_t a = 0; a < form.axis_count; a++) {
            uint32_t at = (uint32_t)transpose_random_below(&state, a + 1);
            uint64_t mean = root_of(left, form.axis_count - a);
            form.permutation[a] = form.permutation[at];
            form.permutation[at] = a;
            form.extents[a] = mean - mean / 2 + transpose_random_below(&state, mean);
            if (form.extents[a] > left)
                form.extents[a] = left;
            left /= form.extents[a];
        }
        axes_add(list, form);
    }
}

/* Two axes swapped with 2 and 3 planes about and between them, the sides multiples of
 * 1024 up to what there is room for (figures 14 and 15 of Gorawski and Lorek 2017). */
static void involutions_add(struct transpose_list *list, struct transpose_case form)
{
    static const uint32_t orders[][3] = {{0, 2, 1}, {2, 1, 0}};
    enum { STEPS = 16 };

    form.axis_count = 3;
    for (size_t o = 0; o < sizeof orders / sizeof *orders; o++)
        for (uint64_t other = 2; other <= 3; other++) {
            uint64_t most = root_of(list->bytes_max / form.element_bytes / other, 2);
            uint64_t unit = most < 1024 * STEPS ? most / STEPS : 1024;
            uint64_t step = unit ? most / (STEPS * unit) * unit : 0;

            memcpy(form.permutation, orders[o], sizeof orders[o]);
            for (uint64_t side = step; step && side <= most; side += step) {
                for (uint32_t a = 0; a < 3; a++)
                    form.extents[a] = orders[o][a] == a ? other : side;
                axes_add(list, form);
            }
        }
}

/* Thousands of small matrices, up to 256 MB of them. */
static void batch_add(struct transpose_list *list, struct transpose_case form)
{
    static const uint32_t shapes[][2] = {{8, 8},   {5, 3},    {17, 40},   {32, 32},
                                         {64, 48}, {100, 60}, {200, 200}, {300, 200}};
    uint64_t room = room_of(list) / 4;

    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        form.rows = shapes[s][0];
        form.cols = shapes[s][1];
        form.batch = room / (form.rows * form.cols * form.element_bytes);
        if (form.batch > 0)
            transpose_list_add(list, form);
    }
}

/* 400 sizes, rows and columns to 20000 or what there is room for (figures 4 and 5 of
 * Catanzaro et al. 2014). */
static void landscape_add(struct transpose_list *list, struct transpose_case form)
{
    enum { STEPS = 20 };
    uint64_t most = root_of(list->bytes_max / form.element_bytes, 2);
    uint64_t step = (most < 20000 ? most : 20000) / STEPS;

    for (uint64_t i = 1; i <= STEPS; i++)
        for (uint64_t j = 1; j <= STEPS; j++) {
            form.rows = i * step;
            form.cols = j * step;
            transpose_list_add(list, form);
        }
}

/* Squares whose side is a multiple of 1024, as many as there is room for (figures 9 to 11
 * of Gorawski and Lorek 2017). */
static void kilos_add(struct transpose_list *list, struct transpose_case form)
{
    const uint64_t most = root_of(list->bytes_max / form.element_bytes, 2);
    const uint64_t unit =
        most < 8192 ? most / 8 : 1024; /* of a small device, other multiples */

    for (uint64_t side = 1; side <= most / unit; side += side < 2 ? 1 : 2) {
        form.rows = form.cols = unit * side;
        transpose_list_add(list, form);
    }
}

/* From 4 KB to 64 MB, two to three. */
static void small_add(struct transpose_list *list, struct transpose_case form)
{
    for (uint64_t bytes = 4096; bytes <= UINT64_C(64) << 20; bytes *= 4) {
        form.rows = root_of(bytes / form.element_bytes * 2 / 3, 2);
        form.cols = bytes / form.element_bytes / form.rows;
        transpose_list_add(list, form);
    }
}

bool transpose_set_add(struct transpose_list *list, const char *set,
                       struct transpose_case form, int sizes, uint64_t seed)
{
    if (strcmp(set, "small") == 0)
        small_add(list, form); /* and random ones */
    if (strcmp(set, "nearsquare") == 0)
        nearsquare_add(list, form);
    else if (strcmp(set, "axes") == 0)
        axes_set_add(list, form, sizes, seed);
    else if (strcmp(set, "involutions") == 0)
        involutions_add(list, form);
    else if (strcmp(set, "kilos") == 0)
        kilos_add(list, form);
    else if (strcmp(set, "batch") == 0)
        batch_add(list, form);
    else if (strcmp(set, "landscape") == 0)
        landscape_add(list, form);
    else
        return false;
    return true;
}

struct bench_axes transpose_case_axes(const struct transpose_case *item)
{
    uint64_t batch = item->batch ? item->batch : 1;
    uint64_t was[DL_TRANSPOSE_AXES_MAX], distance = 1;
    struct bench_axes axes = {.elements = batch * item->rows * item->cols,
                              .element_bytes = item->element_bytes,
                              .count = 1,
                              .extents = {batch},
                              .was = {item->rows * item->cols}};

    if (item->axis_count == 0) {
        axes.count = 3;
        axes.extents[1] = item->cols;
        axes.was[1] = 1;
        axes.extents[2] = item->rows;
        axes.was[2] = item->cols;
        return axes;
    }
    for (uint32_t a = item->axis_count; a-- > 0; distance *= item->extents[a])
        was[a] = distance;
    for (uint32_t d = 0; d < item->axis_count; d++, axes.count++) {
        axes.extents[axes.count] = item->extents[item->permutation[d]];
        axes.was[axes.count] = was[item->permutation[d]];
    }
    return axes;
}

void transpose_case_text(const struct transpose_case *item, char *text, size_t bytes)
{
    size_t used = 0;

    *text = '\0';
    for (uint32_t a = 0; a < item->axis_count && used < bytes; a++)
        used += (size_t)snprintf(text + used, bytes - used, "%s%llu", a ? "x" : "",
                                 (unsigned long long)item->extents[a]);
    for (uint32_t a = 0; a < item->axis_count && used < bytes; a++)
        used += (size_t)snprintf(text + used, bytes - used, "%s%u", a ? "." : ">",
                                 item->permutation[a]);
}
