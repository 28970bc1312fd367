/* SPDX-License-Identifier: MIT */
/* What DL made of a program before, kept for the program's next run in a directory of the
 * user's (--cache). Two kinds of entries: what rewriting a text gave, with all that was
 * remarked, so that no libclang is needed again; and the binaries of shadow programs.
 *
 * A key holds everything that the result depends on, whole: DL's version and build, the
 * device, its driver, text, options, headers and side file. The files that were included
 * are in the entry, whole as well, and must be there unchanged. Whatever fails, fails as
 * a miss.
 *
 * What the process has made of programs for its own devices stands in memory besides,
 * also where there is no such directory.
 *
 * Threads: safe. */
#ifndef DL_INTERCEPT_CACHE_H
#define DL_INTERCEPT_CACHE_H

#include <stdbool.h>
#include <stddef.h>

#include "annotate/notes.h"
#include "libdl_intercept/base/next.h"
#include "pack.h"
#include "store.h"

/* The part of the cache that is as old as the process: entries, byte strings under byte
 * strings. At most so many bytes of them; the oldest go first.
 *
 * Threads: safe. */

/* A copy of what is kept, which the caller frees; false: nothing, the outputs are
 * untouched. */
bool dl__memory_get(const struct dl__pack *key, void **value, size_t *value_bytes);
/* What is kept is not kept any more. */
void dl__memory_drop(const struct dl__pack *key);
/* In place of what was kept under the key. */
void dl__memory_put(const struct dl__pack *key, const void *value, size_t value_bytes);
/* From 1: another number where something was put since. */
unsigned dl__memory_version(void);

/* Begins a key for what is made for `device`. False: it can't be made. The key is to be
 * freed in any case. */
bool dl__cache_key_begin(struct dl__pack *key, const char *kind, cl_device_id device);

/* What tells the device from others that want other texts or binaries, as a pack of its
 * own, to be freed in any case. False: it can't be told. */
bool dl__cache_name_device(struct dl__pack *name, cl_device_id device);
/* dl__cache_key_begin of a device by its name: where there may be no such device. */
bool dl__cache_key_begin_named(struct dl__pack *key, const char *kind,
                               const struct dl__pack *name);
/* The same for what does not depend on DL's version; nor on a device, where that is NULL.
 */
bool dl__cache_key_begin_lasting(struct dl__pack *key, const char *kind,
                                 cl_device_id device);
/* The same for what depends on neither a device nor DL's version. False: nothing is kept
 * beyond the process, either. */
bool dl__cache_key_begin_any(struct dl__pack *key, const char *kind);
/* False: nothing is kept beyond the process. */
bool dl__cache_is_on(void);

/* What is kept under the key; false: nothing, the outputs are untouched. */
bool dl__cache_get(const struct dl__pack *key, void **value, size_t *value_bytes);
/* False: it is not kept beyond the process. */
bool dl__cache_keep(const struct dl__pack *key, const void *value, size_t value_bytes);
/* The same, and in the builder the program is told. */
bool dl__cache_put(const struct dl__pack *key, const void *value, size_t value_bytes);
/* What is about to be made is missing: other processes are kept from making it, too, for
 * so long at most. Then it is to be looked for once more, for somebody else may have made
 * it meanwhile. */
void dl__cache_hold(const struct dl__pack *key, unsigned most_ms, struct dl__hold *hold);
/* In the builder: whatever is put is handed to this function, too. Not while others put.
 */
void dl__cache_listen(void (*listen)(const struct dl__pack *key, const void *value,
                                     size_t value_bytes));

/* Tells the program what is of no use to later runs. In the builder. */
void dl__cache_tell(const struct dl__pack *key, const void *value, size_t value_bytes);

#endif
