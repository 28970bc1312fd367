/* SPDX-License-Identifier: MIT */
/* How far a function, or a builtin, reaches from a pointer that it is given. */
#ifndef DL_ANNOTATE_REACH_H
#define DL_ANNOTATE_REACH_H

#include "annotate/track/unit.h"

/* A builtin that touches only what its pointer points to. */
bool dl__touches_one_leaf(const char *name);
/* A builtin that touches more. */
bool dl__reaches_neighbours(const char *name);
/* True when a function reaches only a bounded number of bytes from the target of this
 * parameter on. */
bool dl__parameter_stays_inside(struct dl__unit *u, struct dl__function *f,
                                size_t parameter, uint32_t bytes);
/* The same of what it points to alone, never its neighbours, by elements of any size. */
bool dl__parameter_touches_one_leaf(struct dl__unit *u, struct dl__function *f,
                                    size_t parameter);

#endif
