/* SPDX-License-Identifier: MIT */
/* What DL made of a program before, kept for the program's next run in a directory of the
 * user's
 * (--cache). Two kinds of entries: what rewriting a text gave, with all that was
 * remarked, so that no libclang is needed again; and the binaries of shadow programs.
 *
 * A key holds everything that the result depends on, whole: DL's version and build, the
 * device, its driver, text, options, headers and side file. The files that were included
 * are in the entry, whole as well, and must be there unchanged. Whatever fails, fails as
 * a miss.
 *
 * What the process has made of programs for its own devices stands in memory besides
 * (memory.h), also where there is no such directory.
 *
 * Threads: safe. */
#ifndef DL_INTERCEPT_CACHE_H
#define DL_INTERCEPT_CACHE_H

#include "libdl_intercept/base/next.h"
#include "pack.h"
#include "store.h"

#include "annotate/notes.h"

/* What rewriting a text said and read on the way, packed. Zeroed at first; where a part
 * has failed, nothing of it is kept. */
struct dl__record {
    const char *text; /* of the program, to quote lines of; borrowed */
    struct dl__pack remarks, files;
};

/* Callbacks of struct dl_annotate_options; `record` is a struct dl__record. Remarks are
 * logged, too. */
void dl__record_remark(void *record, const struct dl_remark *remark);
void dl__record_file(void *record, const char *path, const char *text, size_t bytes);
void dl__record_free(struct dl__record *record);
/* Logs the remarks of a record again. */
void dl__remarks_replay(const void *remarks, size_t bytes, const char *text);
/* Says as a warning the first of them on why this kernel is left as it is, unless remarks
 * are heard anyway. */
void dl__remarks_warn(const void *remarks, size_t bytes, const char *text,
                      const char *kernel);

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
bool dl__cache_put(const struct dl__pack *key, const void *value, size_t value_bytes);
/* What is about to be made is missing: other processes are kept from making it, too, for
 * so long at most. Then it is to be looked for once more, for somebody else may have made
 * it meanwhile. */
void dl__cache_hold(const struct dl__pack *key, unsigned most_ms, struct dl__hold *hold);
/* In the builder: whatever is put is handed to this function, too. Not while others put.
 */
void dl__cache_listen(void (*listen)(const struct dl__pack *key, const void *value,
                                     size_t value_bytes));

/* The same of what rewriting gave: DL_OK with the text, which the caller frees, or why
 * the program is not transformed. Logs the remarks again. */
bool dl__cache_get_rewritten(const struct dl__pack *key, enum dl_status *status,
                             char **text, struct dl__record *record);
/* Keeps nothing when trying once more may help; for other runs and other jobs, the
 * program is told otherwise (reply.h). `libclang`: the path of the one that was used;
 * NULL: none. */
void dl__cache_put_rewritten(const struct dl__pack *key, enum dl_status status,
                             const char *text, const struct dl__record *record,
                             const char *libclang);
/* Tells the program what is of no use to later runs. In the builder. */
void dl__cache_tell(const struct dl__pack *key, const void *value, size_t value_bytes);

#endif
