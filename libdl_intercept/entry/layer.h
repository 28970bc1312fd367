/* SPDX-License-Identifier: MIT */
/* The library as an OpenCL layer, to the other ways in. */
#ifndef DL_INTERCEPT_LAYER_H
#define DL_INTERCEPT_LAYER_H

#include <stdbool.h>

/* Whether this thread's latest call of a loader's clGetPlatformIDs came through the
 * layer, and forgetting it. */
extern _Thread_local bool dl__layer_passed;

/* The handle of the layer whose entry points this thread's loader has just looked up,
 * NULL when that is this library (dlsym.c). */
extern _Thread_local void *dl__layer_looked_up;

/* Whether the loader that holds `address` has taken us as a layer. */
bool dl__layer_is_in(const void *address);

#endif
