/* SPDX-License-Identifier: MIT */
/* Shared by the samples on plain grids: a program around one kernel that steps over the
 * cells. */
#ifndef SAMPLE_GRID_H
#define SAMPLE_GRID_H

#include "common/sample.h"

/* Such a program. Its kernel takes two grids of floats, the sizes of the dimensions as
 * int, x first, and, if a step has several launches, the number of the launch in the
 * step. */
struct sample_grid {
    const char *summary, *kernel_text, *kernel_name;
    int dims;        /* 2 or 3 */
    int size[3];     /* unless --size says another; z is 1 in two dimensions */
    int cell_floats; /* of each grid */
    bool swaps;      /* the kernel reads one grid and writes the other, by turns; else it
                        changes the first */
    int launches;    /* of a step */
    /* The first state: of both grids where they swap. */
    void (*fill)(const int *size, float *first, float *second);
    /* A launch on the host, of a step; grids as the kernel has them. */
    void (*launch)(const int *size, float *first, float *second, int number);
};

/* The program's main: parses options, steps, checks if it is asked to, and prints
 * checksum, time_s and mlups. Cells at the border keep their first state: work-items are
 * for the others. */
int sample_grid_main(int argc, char **argv, const struct sample_grid *grid);

#endif
