/* SPDX-License-Identifier: MIT */
/* A slab of the grid, some of its planes along z, on a device of its own. Below and above
 * its planes it has room for one plane of each neighbour's, which the neighbours' steps
 * have made and its next step reads. The slabs are a ring, since the grid is periodic.
 *
 * Functions that can fail say why on standard error and return false. */
#ifndef LBM_SLAB_H
#define LBM_SLAB_H

#include "common/sample.h"
#include "lbm/reference.h"

enum lbm_side { LBM_BELOW, LBM_ABOVE };

/* How planes travel between a device and the host. */
enum lbm_halo {
    LBM_HALO_READ, /* reads and writes of parts */
    LBM_HALO_RECT, /* rectangular ones */
    LBM_HALO_MAP   /* maps */
};

struct lbm_slab {
    int first, planes; /* of the whole grid's */
    struct lbm_grid whole;
    size_t plane_bytes, row_bytes;
    cl_command_queue queue; /* in order */
    cl_kernel kernel;
    cl_mem grids[2]; /* take turns as source and destination */
};

/* "read", "rect" or "map". False: another word, and nothing is said. */
bool lbm_halo_find(const char *word, enum lbm_halo *out);
/* The program for all of the devices. NULL after a failure. */
cl_program lbm_slab_program(cl_context context, const cl_device_id *devices,
                            cl_uint device_count, const char *kernel_file, bool flat);
/* Makes slab `part` of `parts`, in the grid's first state. There are no more parts than
 * planes.
 *   out     ended by lbm_slab_end, also after a failure */
bool lbm_slab_make(cl_context context, cl_device_id device, cl_program program,
                   const struct lbm_grid *whole, int parts, int part,
                   struct lbm_slab *out);
void lbm_slab_end(struct lbm_slab *slab);

/* The grid that a step makes. */
cl_mem lbm_slab_made(const struct lbm_slab *slab, int step);
/* Where in it the slab's own plane next to that neighbour begins, and the neighbour's
 * own. */
size_t lbm_slab_edge(const struct lbm_slab *slab, enum lbm_side side);
size_t lbm_slab_beyond(const struct lbm_slab *slab, enum lbm_side side);
/* Enqueues a step of all of the slab's own planes and flushes the queue. */
bool lbm_slab_step(const struct lbm_slab *slab, int step);
/* The same of some planes, the slab's first being 1, without a flush. */
bool lbm_slab_step_planes(const struct lbm_slab *slab, int step, int first, int planes);
/* Copy the slab's edge after a step into memory of plane_bytes, and the neighbour's plane
 * from such memory into the slab. They return when the memory is the caller's again. */
bool lbm_slab_get(const struct lbm_slab *slab, int step, enum lbm_side side,
                  enum lbm_halo halo, void *plane);
bool lbm_slab_put(const struct lbm_slab *slab, int step, enum lbm_side side,
                  enum lbm_halo halo, const void *plane);
/* Reads the slab's own planes after the last of `step_count` steps. */
bool lbm_slab_read(const struct lbm_slab *slab, int step_count, void *cells);

#endif
