/* SPDX-License-Identifier: MIT */
/* The whole grid on several devices of one context, a slab on each. */
#ifndef LBM_RING_H
#define LBM_RING_H

#include "lbm/slab.h"

enum { LBM_DEVICES_MAX = 16 };

struct lbm_ring_settings {
    const char *device, *devices, *halo, *kernel_file;
    bool flat, profile;
    int step_count;
    struct lbm_grid grid;
};

/* "all", or how many slabs there are to be; of more slabs than devices some share one.
 * False after a message. */
bool lbm_ring_check(const struct lbm_ring_settings *settings);
/* Runs the steps and puts the last grid into `cells`.
 *   halo_s  of wall_s, what the planes between the slabs take in as many steps more that
 *           are each waited for; 0 without settings->profile */
bool lbm_ring_run(const struct lbm_ring_settings *settings, float *cells, double *wall_s,
                  double *halo_s);

#endif
