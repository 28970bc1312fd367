/* SPDX-License-Identifier: MIT */
/* Shadow programs in the cache. */
#ifndef DL_INTERCEPT_SHADOW_CACHE_H
#define DL_INTERCEPT_SHADOW_CACHE_H

#include "rewrite.h"

/* The key of a shadow program in the cache, to be freed in any case; false: it has none.
 */
bool dl__shadow_key(const struct dl__rewrite *rewrite, cl_device_id device,
                    const struct dl__shadow_knobs *knobs, struct dl__pack *key);
/* The program, built from the binary that is kept; NULL: it is known not to build. False:
 * nothing that can be used is kept. */
bool dl__shadow_load(const struct dl__rewrite *rewrite, cl_context context,
                     cl_device_id device, const struct dl__shadow_knobs *knobs,
                     const struct dl__pack *key, cl_program *program);
/* NULL: it does not build, which only the program that waits for it is told: it may be
 * the driver's failure, of today. */
void dl__shadow_keep(cl_device_id device, cl_program program, const struct dl__pack *key);

#endif
