/* SPDX-License-Identifier: MIT */
/* The part of the cache that is as old as the process: entries, byte strings under byte
 * strings. At most so many bytes of them; the oldest go first.
 *
 * Threads: safe. */
#ifndef DL_INTERCEPT_MEMORY_H
#define DL_INTERCEPT_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "pack.h"

/* A copy of what is kept, which the caller frees; false: nothing, the outputs are
 * untouched. */
bool dl__memory_get(const struct dl__pack *key, void **value, size_t *value_bytes);
/* What is kept is not kept any more. */
void dl__memory_drop(const struct dl__pack *key);
/* In place of what was kept under the key. */
void dl__memory_put(const struct dl__pack *key, const void *value, size_t value_bytes);
/* From 1: another number where something was put since. */
unsigned dl__memory_version(void);

#endif
