/* SPDX-License-Identifier: MIT */
/* Members that are seen as a vector: what a pointer of another type points to. */
#ifndef DL_ANNOTATE_VIEW_H
#define DL_ANNOTATE_VIEW_H

#include "annotate/track/place.h"

struct dl__view {
    struct dl__access place; /* where it begins; no steps: with the struct */
    const struct dl__type *value,
        *lane; /* a vector and its elements, or a scalar twice */
    unsigned lanes;
};

/* True when a pointer, without casts, points to a struct or member of a buffer of
 * structs. */
bool dl__find_pointed(struct dl__unit *u, struct dl__node *inner, struct dl__access *out);
/* True for `*(type *)pointer`, where type is not what is there. */
bool dl__find_view(struct dl__unit *u, struct dl__node *n, struct dl__view *out);
/* True when so many elements, from so many bytes behind the place on, are leaves or lie
 * inside leaves, whatever the place's indices are. */
bool dl__view_fits(struct dl__unit *u, const struct dl__access *place,
                   uint32_t start_bytes, unsigned lanes, uint32_t lane_bytes);

#endif
