/* SPDX-License-Identifier: MIT */
/* Results of DL's work on a program, kept for the program's next run in a directory of
 * the user (--cache). There are two kinds of entries: the result of rewriting a text,
 * with all remarks, so that libclang is not needed again; and the binaries of shadow
 * programs.
 *
 * A key holds everything that the result depends on, whole: DL's version and build, the
 * device, its driver, text, options, headers and side file. The files that were included
 * are in the entry, whole as well, and must be there unchanged. Whatever fails, fails as
 * a miss.
 *
 * Results for the process's own devices are also in memory, even if there is no such
 * directory.
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
 * strings. Their bytes are bounded; the oldest go first.
 *
 * Threads: safe. */

/* A copy of what is kept, which the caller frees; false: nothing, the outputs are
 * untouched. */
bool dl__memory_get(const struct dl__pack *key, void **value, size_t *value_bytes);
/* Removes the value that is kept under the key. */
void dl__memory_drop(const struct dl__pack *key);
/* In place of what was kept under the key. */
void dl__memory_put(const struct dl__pack *key, const void *value, size_t value_bytes);
/* The same, and it does not go when others need the room. */
void dl__memory_stay(const struct dl__pack *key, const void *value, size_t value_bytes);
/* From 1: another number where something was put since. */
unsigned dl__memory_version(void);

/* Begins a key for what is made for `device`. False: it can't be made. The key is to be
 * freed in any case. */
bool dl__cache_key_begin(struct dl__pack *key, const char *kind, cl_device_id device);

/* Packs what distinguishes the device from others that need other texts or binaries. The
 * pack must be freed in any case. False: it can't be told. */
bool dl__cache_name_device(struct dl__pack *name, cl_device_id device);
/* dl__cache_key_begin of a device by its name: where there may be no such device. */
bool dl__cache_key_begin_named(struct dl__pack *key, const char *kind,
                               const struct dl__pack *name);
/* The same for what does not depend on DL's version; nor on a device, where that is NULL.
 */
bool dl__cache_key_begin_lasting(struct dl__pack *key, const char *kind,
                                 cl_device_id device);
/* False: nothing is kept beyond the process. */
bool dl__cache_is_on(void);

/* Returns the value that is kept under the key; false: there is none, the outputs are
 * untouched. */
bool dl__cache_get(const struct dl__pack *key, void **value, size_t *value_bytes);
/* Tells the program, in the builder, what need not be kept for later runs. */
void dl__cache_tell(const struct dl__pack *key, const void *value, size_t value_bytes);
/* False: it is not kept beyond the process. */
bool dl__cache_keep(const struct dl__pack *key, const void *value, size_t value_bytes);
/* Does both. */
static inline bool dl__cache_put(const struct dl__pack *key, const void *value,
                                 size_t value_bytes)
{
    dl__cache_tell(key, value, value_bytes);
    return dl__cache_keep(key, value, value_bytes);
}

/* Keeps other processes from making the same missing entry, for at most this long, or
 * until `stop` (NULL: never) is true.
 * Afterwards the caller must look it up once more, since somebody else may have made it
 * meanwhile. */
void dl__cache_hold(const struct dl__pack *key, unsigned most_ms, bool (*stop)(void),
                    struct dl__hold *hold);
/* In the builder: whatever is put is handed to this function, too. Not while others put.
 */
void dl__cache_listen(void (*listen)(const struct dl__pack *key, const void *value,
                                     size_t value_bytes));

#endif
