/* SPDX-License-Identifier: MIT */
/* The one decision whether the exported symbols do the work or leave it to the layer. */
#ifndef DL_INTERCEPT_BOOTSTRAP_H
#define DL_INTERCEPT_BOOTSTRAP_H

#include "environment.h"

/* Decides once and for all. `caller` as for dl__loader_find. Asks the loader for its
 * platforms when nothing did yet, since that is what makes loaders take their layers. */
enum dl__route dl__route_decide(const void *caller);

/* The program's own clGetPlatformIDs has come back from the function `real` of a loader;
 * before it went there the exported symbol cleared dl__layer_passed. */
void dl__route_platforms_called(const void *caller, const void *real);

#endif
