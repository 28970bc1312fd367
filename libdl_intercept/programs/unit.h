/* SPDX-License-Identifier: MIT */
/* Translation units: a program's text as DL rewrites it, with what it was built with. */
#ifndef DL_INTERCEPT_UNIT_H
#define DL_INTERCEPT_UNIT_H

#include <string.h>

#include "builder.h"
#include "cache.h"
#include "kernels.h"
#include "pack.h"

struct dl__reply;

/* The device that a unit is read for, as it is told to the builder, which may not have
 * it. Zeroed: not known yet. */
struct dl__target {
    struct dl__pack name; /* dl__cache_name_device */
    char *extensions;     /* NULL: not to be had */
    char version[64];     /* -D__OPENCL_VERSION__=...; "": not to be had */
    bool second_texts;    /* of kernels that access whole structs together (unit.c) */
};

/* One translation unit: a source with the options and headers it was built with. Counted,
 * since a linked program shares the units of its inputs. */
struct dl__unit {
    atomic_uint refs;
    bool wanted;   /* its text has annotations, or may have */
    bool detected; /* none of them: only what DL finds by itself */
    /* Nobody has annotated it, and DL chooses the layout: its kernels may run as written
     * until the builder has read it. */
    bool can_wait;
    struct dl__mutex annotating;
    /* for the builder; used while `annotating` is held */
    uint64_t asker; /* names it to the builder: several units may have one text */
    struct dl__target target;
    struct dl__ticket reading;
    struct dl__pack answers; /* of the device, for the builder: texts, numbers */
    bool unanswered;         /* it does not answer */
    struct dl__reply *reply; /* that came before it was wanted; or NULL */
    bool annotated; /* what follows is as it stays; set while `annotating` is held */
    enum dl_status read_status; /* DL_ENOLIB, DL_EPARSE...: its text can't be read */
    char *source; /* the program's own text, where `text` is another; else NULL */
    char *text;   /* rewritten, or the program's own where `notes` is NULL */
    char *options;
    size_t header_count;
    struct dl_header *headers; /* with texts of their own */
    struct dl_notes *notes;
    struct dl__pack remarks;    /* of its reading, where a layout is asked for */
    struct dl__seen_files seen; /* just before the driver read them (dl__files_see) */
    bool files_known;           /* `files` is all that it includes */
    struct dl__pack files;      /* as its rewriting has read them */
    /* shadow.c, of all that it is built from; under the lock of the program's
     * context */
    bool digested;
    unsigned char digest[DL__DIGEST_BYTES];
};

static inline const char *dl__unit_own_text(const struct dl__unit *unit)
{
    return unit->source ? unit->source : unit->text;
}

/* The knobs of one build of a rewritten text (annotate/notes.h). */
struct dl__shadow_knobs {
    bool own;         /* instead it is the program's own text, without optimisation */
    const char *only; /* DL_ONLY: this kernel, a name in the unit's notes; NULL: all */
    struct dl_layout_knobs layout;
    bool index_64;        /* DL_INDEX_64 */
    bool arrays;          /* DL_ARRAYS */
    bool coalesced;       /* DL_COALESCED */
    bool printing;        /* DL_PRINTING */
    unsigned group_items; /* DL_GROUP_ITEMS: the items of every group; 0: any */
    bool large_local;     /* DL_GROUP_WORDS: twice what any device has room for */
};

static inline bool dl__shadow_knobs_equal(const struct dl__shadow_knobs *a,
                                          const struct dl__shadow_knobs *b)
{
    return a->own == b->own &&
           strcmp(a->only ? a->only : "", b->only ? b->only : "") == 0 &&
           strcmp(a->layout.text, b->layout.text) == 0 && a->index_64 == b->index_64 &&
           a->arrays == b->arrays && a->coalesced == b->coalesced &&
           a->printing == b->printing && a->group_items == b->group_items &&
           a->large_local == b->large_local;
}

/* A unit of a program's source as it is built now, its annotations not read yet. NULL:
 * there is no source, or no memory. Threads: takes no lock. */
struct dl__unit *dl__unit_make(const char *source, const char *options,
                               const struct dl_header *headers, size_t header_count);
/* Reads the annotations at the first call, remarking what can't be done: the builder
 * does, which is asked to. False: it has not yet, and the caller does not `wait` for it.
 *   device  its text is read for this one; of the first call
 * Threads: safe; takes no context's lock, but asking the device does. */
bool dl__unit_annotate(struct dl__unit *unit, struct dl__context *context,
                       cl_device_id device, bool wait);
/* Has the builder begin with that, while the driver builds the program; nothing comes of
 * it unless the unit is annotated.
 *   wait  until it is done, of a unit that can't wait: later may be in a callback of the
 *         driver's, where the device can't be asked
 * Threads: as dl__unit_annotate. */
void dl__unit_read_ahead(struct dl__unit *unit, struct dl__context *context,
                         cl_device_id device, bool wait);
/* A layout is asked for, and this kernel of it, which has no note, does not get it: says
 * why, if it has structs. */
void dl__unit_say_left(const struct dl__unit *unit, const char *kernel);
/* In the builder: does the job of reading a unit for a device of this name, and tells the
 * program. No device is opened for a text, unless it asks for what only the device's
 * compiler knows. Returns the unit, for dl__unit_release; NULL: none of its kernels may
 * be rewritten. */
struct dl__unit *dl__unit_read_job(struct dl__unpack *job, const unsigned char *name,
                                   size_t name_bytes);
void dl__unit_release(struct dl__unit *unit);
/* True for a text of libdl_transpose's. */
bool dl__text_is_own(const char *text, size_t bytes);
/* True when a text may concern DL (annotate.h), in the layout that is asked for. */
bool dl__text_is_wanted(const char *text, size_t bytes,
                        const struct dl_annotate_options *how);

/* The files that a unit's text includes: as they were when the driver read them, and as
 * they are. A unit is rewritten and built later than the program's own build, which must
 * not see others. */

/* Reads the files that a text may include; to be called just before the driver reads
 * them.
 *   headers  as in struct dl_annotate_options */
void dl__files_see(struct dl__seen_files *seen, const char *text, const char *options,
                   const struct dl_header *headers, size_t header_count);
/* True when all files of a list are as they were, those that were not there included. */
bool dl__files_unchanged(const struct dl__pack *files);
/* True when all that the unit includes is known, so that what is made of it may be kept.
 */
bool dl__unit_files_known(const struct dl__unit *unit);

/* Units as bytes: in the builder's jobs, and in the cache. */

/* The unit's own text, options and headers; with `files`, also what it includes, where
 * that is known. */
void dl__unit_pack(struct dl__pack *pack, const struct dl__unit *unit, bool files);
void dl__unit_pack_headers(struct dl__pack *pack, const struct dl__unit *unit);
/* The unit, its annotations not read yet; NULL: damaged, or out of memory. */
struct dl__unit *dl__unit_unpack(struct dl__unpack *fields);

#endif
