/* SPDX-License-Identifier: MIT */
/* The ways in which a program is caught. */
#ifndef DL_INTERCEPT_CAUGHT_H
#define DL_INTERCEPT_CAUGHT_H

/* How the exported symbols treat a call. */
enum dl__route {
    DL__ROUTE_UNDECIDED,
    DL__ROUTE_LAYER,  /* the loader has us as a layer: pass the call to the loader */
    DL__ROUTE_PRELOAD /* it has not: the hook does the work */
};

/* Says once at debug level how the program was caught. */
void dl__route_announce(enum dl__route route);

#endif
