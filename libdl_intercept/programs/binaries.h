/* SPDX-License-Identifier: MIT */
/* Binaries of DL's own programs in the cache: of this process, and of earlier ones. */
#ifndef DL_INTERCEPT_BINARIES_H
#define DL_INTERCEPT_BINARIES_H

#include "cache.h"

/* What is kept under the key, which the caller frees; NULL: nothing. */
void *dl__binary_get(const struct dl__pack *key, size_t *bytes);
/* The binary of a built program. */
void dl__binary_put(const struct dl__pack *key, const void *binary, size_t bytes);
/* Marshaling kernels are kept so from now on. */
void dl__binaries_offer(void);

#endif
