/* SPDX-License-Identifier: MIT */
/* A rewritten text that libclang takes and the device's compiler does not. */
#ifndef DL_INTERCEPT_SHADOW_SALVAGE_H
#define DL_INTERCEPT_SHADOW_SALVAGE_H

#include "rewrite.h"

/* For a unit whose text does not build. The text without the kernels that are to
 * blame, which are added to `shadow`; the caller frees it. NULL: there is no such text. */
char *dl__unit_salvage(const struct dl__unit *unit, struct dl__context *context,
                       struct dl__shadow *shadow, bool linked) DL__WITH_LOCK;

#endif
