/* SPDX-License-Identifier: MIT */
/* The exported symbols, and OPENCL_LAYERS with this library in it, to the other ways in.
 */
#ifndef DL_INTERCEPT_ENTRIES_H
#define DL_INTERCEPT_ENTRIES_H

#include <stdbool.h>

/* The exported symbol of that name, NULL when there is no such symbol. */
void *dl__entry_find(const char *name);

/* Puts OPENCL_LAYERS back as it was.
 *   returns  false: the entry came from a parent process that was preloaded, and this
 * process is not, so nobody asked for DL here */
bool dl__environment_restore(void);

/* How the exported symbols treat a call. */
enum dl__route {
    DL__ROUTE_UNDECIDED,
    DL__ROUTE_LAYER,  /* the loader has us as a layer: pass the call to the loader */
    DL__ROUTE_PRELOAD /* it has not: the hook does the work */
};

/* Says once at debug level how the program was caught. */
void dl__route_announce(enum dl__route route);

#endif
