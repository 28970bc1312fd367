/* SPDX-License-Identifier: MIT */
/* OPENCL_LAYERS, with this library in it. */
#ifndef DL_INTERCEPT_ENVIRONMENT_H
#define DL_INTERCEPT_ENVIRONMENT_H

#include <stdbool.h>

/* Puts this library in front of OPENCL_LAYERS: loaders take the first as the one nearest
 * to the driver, so that the user's own layers see the program's calls as ever. */
void dl__environment_insert(void);

/* Puts OPENCL_LAYERS back as it was.
 *   returns  false: the entry came from a parent process that was preloaded, and this
 * process is not, so nobody asked for DL here */
bool dl__environment_restore(void);

/* The ways in which a program is caught. */

/* How the exported symbols treat a call. */
enum dl__route {
    DL__ROUTE_UNDECIDED,
    DL__ROUTE_LAYER,  /* the loader has us as a layer: pass the call to the loader */
    DL__ROUTE_PRELOAD /* it has not: the hook does the work */
};

/* Says once at debug level how the program was caught. */
void dl__route_announce(enum dl__route route);

#endif
