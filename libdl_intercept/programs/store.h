/* SPDX-License-Identifier: MIT */
/* A directory of entries, byte strings under byte strings, shared by all programs of one
 * user without locks: an entry is written to a file of its own and then renamed into
 * place.
 *
 * A file's name is the key's digest; in it stand the whole key, which must be equal, the
 * value, and a digest of that with the key's. A file that is damaged, cut off or not ours
 * counts as not there, and is replaced by the next put. The directory must be the user's
 * own and nobody else's to read or write; it is opened anew each time, so that no
 * descriptor stays open in the program.
 *
 * No lock is ever needed for that. Processes that start together may take one besides, so
 * that one of them does the work for all.
 *
 * Threads: safe. */
#ifndef DL_INTERCEPT_STORE_H
#define DL_INTERCEPT_STORE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "pack.h"

struct dl__store {
    const char *directory;
    uint64_t limit_bytes;             /* of all entries; the oldest go first */
    _Atomic uint64_t untrimmed_bytes; /* written since a trim; 0: there was none */
};

enum dl__store_result {
    DL__STORE_DONE,
    DL__STORE_MISSING, /* no such entry; or the directory can't be had, or written */
    DL__STORE_DAMAGED, /* there is a file for it, but not such an entry in it */
    DL__STORE_FOREIGN  /* the directory is another user's, or others may write there:
                          nothing was done */
};

/* `*value` is the caller's to free. */
enum dl__store_result dl__store_get(struct dl__store *store, const struct dl__pack *key,
                                    void **value, size_t *value_bytes);
/* Makes the directory, and those above it, where there is none. An entry of more than a
 * quarter of the limit is not kept. */
enum dl__store_result dl__store_put(struct dl__store *store, const struct dl__pack *key,
                                    const void *value, size_t value_bytes);

/* Tries with a file of one byte whether an entry could be kept. MISSING: it could not,
 * errno. */
enum dl__store_result dl__store_try(const struct dl__store *store);

/* Keeps other processes from making the same entry meanwhile: they wait here for so long
 * at most, then go on all the same, and look for the entry once more. Nobody waits for a
 * process that is stopped, or longer than 0.2 s for one that can't be seen. What is held
 * ends with the process.
 *   stop  says when nobody may wait here any more; NULL: never
 *   hold  out, for dl__store_let_go in any case; without a directory, or a lock in time,
 *         it holds nothing */
struct dl__hold {
    int directory, fd; /* -1: nothing is held */
    const char *made;  /* the directory, where there was none; goes again if nothing is
                          kept in it */
    char name[96];
};
void dl__store_hold(const struct dl__store *store, const struct dl__pack *key,
                    unsigned most_ms, bool (*stop)(void), struct dl__hold *hold);
void dl__store_let_go(struct dl__hold *hold);

#endif
