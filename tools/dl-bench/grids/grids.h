/* SPDX-License-Identifier: MIT */
/* dl-bench grids: what its files share. */
#ifndef BENCH_GRIDS_H
#define BENCH_GRIDS_H

#include <limits.h>

#include "layout/derive.h"
#include "tools/dl-bench/bench.h"

/* A sample on a grid of three dimensions. Work-items go along x, one to a cell that is
 * not at the `border`. */
struct grids_sample {
    const char *name, *kernel, *variant; /* of the sample, "": it has none */
    const char *buffers[2];
    unsigned
        cell_floats; /* 1: no structs, so that AoS, ASTA and SoA are what row-major is */
    unsigned border;
};

extern const struct grids_sample grids_samples[];
extern const size_t grids_sample_count;

/* What layouts are derived for. */
struct grids_device {
    struct dl_grid_memory memory; /* of floats */
    uint64_t resident_groups;     /* of 128 work-items */
};

/* The device's own, from its file. False after a message. */
bool grids_device_find(const char *part, struct grids_device *out);
/* The thesis's Tesla: bursts of 16 words, eight bits that steer, 32 groups at once. */
struct grids_device grids_tesla(void);

/* The layout of the sample's grids, as text for an annotation. `size`: x first. */
bool grids_derive(const struct grids_sample *sample, const int *size,
                  const struct grids_device *device, char *text, size_t room);
/* Writes annotations of the sample's buffers as grids in this layout; NULL: DL derives
 * one. */
bool grids_annotate(const char *path, const struct grids_sample *sample,
                    const char *layout);

#endif
