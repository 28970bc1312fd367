/* SPDX-License-Identifier: MIT */
/* A rewrite is made by a build or link of a program: its units, and the shadow programs
 * built from them, one for each layout when it is first needed. */
#ifndef DL_INTERCEPT_REWRITE_H
#define DL_INTERCEPT_REWRITE_H

#include "kernels.h"
#include "pack.h"
#include "unit.h"

struct dl__shadow {
    struct dl__shadow_knobs knobs;
    cl_device_id device;
    struct dl__ticket ticket; /* of the builder's job that makes it */
    bool made;                /* here, for good or bad: the rest is as it stays */
    cl_program program;       /* NULL: could not be built */
    const char *unbuilt;      /* why it could not, where that is known */
    struct dl__shadow *next;
};

/* How launches of one size of a kernel compared with the program's own
 * (launches/compare.h). */
struct dl__checked {
    struct dl__checked *next;
    unsigned work_class, bytes_class;
    size_t group[3];
    struct dl__shadow_knobs knobs;
    bool compared;   /* one was, or ran rewritten all the same */
    bool failed;     /* such launches run as written */
    bool everywhere; /* and all others of the kernel */
    unsigned stuck;  /* that could not be waited for */
    char why[160];   /* they run as written, for the reports */
    char kernel[];
};

/* The result of one build or link of a program. It is counted, since the program and its
 * kernels hold it. Its units are annotated later, when the driver has built the program.
 */
struct dl__rewrite {
    unsigned refs DL__UNDER_LOCK;
    struct dl__mutex settling;
    bool settled DL__UNDER_LOCK; /* the units are annotated */
    bool linked;
    bool annotated DL__UNDER_LOCK;             /* a kernel of it is transformed */
    enum dl_status read_status DL__UNDER_LOCK; /* of the first unit that can't be read */
    cl_device_id *devices;
    cl_uint device_count;
    char *link_options;
    size_t unit_count;
    struct dl__unit **units;
    struct dl__shadow *shadows DL__UNDER_LOCK;
    unsigned char hash[DL__DIGEST_BYTES] DL__UNDER_LOCK; /* dl__rewrite_hash's */
    bool hashed DL__UNDER_LOCK;
    struct dl__checked *checked DL__UNDER_LOCK;
    uint64_t expected DL__UNDER_LOCK;        /* launches/launch.c, by notes */
    uint64_t expected_unread DL__UNDER_LOCK; /* the same, by names */
    /* Of one that only says what a binary was built from, and is never settled: its
     * devices are those of the search that have the binary. */
    bool compiled;   /* for a link */
    bool everywhere; /* these are all devices of the search */
    bool usable;     /* the files that the units include are known, and unchanged */
};

/* A rewrite of one built unit, or of linked ones; takes a reference on each unit. It is
 * for the first of the devices, whose compiler the units are read for, and those that
 * have the same extensions. NULL: out of memory. Threads: takes no lock. */
struct dl__rewrite *dl__rewrite_make(struct dl__unit *const *units, size_t count,
                                     bool linked, const char *link_options,
                                     const cl_device_id *devices, cl_uint device_count);
/* Which units these are, and how they are linked, as bytes (unit.h).
 *   files  also of units that are wanted: what they include */
void dl__rewrite_pack(struct dl__pack *pack, const struct dl__rewrite *rewrite,
                      bool files);
/* NULL: damaged, or out of memory. */
struct dl__rewrite *dl__rewrite_unpack(struct dl__unpack *fields,
                                       const cl_device_id *devices, cl_uint device_count);
/* Annotates the units of the program's last build, which has succeeded, if that is not
 * done yet and nothing has to be waited for. To be called before its rewrite is used.
 * Threads: takes locks, and the context's. */
void dl__program_settle(struct dl__program *program);
/* The same of a rewrite that the caller holds. False: the builder is reading one of the
 * units. */
bool dl__rewrite_settle(struct dl__rewrite *rewrite, struct dl__context *context);
void dl__rewrite_release(struct dl__rewrite *rewrite,
                         struct dl__context *context) DL__WITH_LOCK;
/* Also of a part of a device that it is for. */
bool dl__rewrite_is_for(const struct dl__rewrite *rewrite,
                        cl_device_id device) DL__WITH_LOCK;
/* A hash of the settled texts and their options: which programs these are. */
void dl__rewrite_hash(struct dl__rewrite *rewrite,
                      unsigned char out[DL__DIGEST_BYTES]) DL__WITH_LOCK;
/* NULL when the kernel has no annotation. */
const struct dl_kernel_note *dl__rewrite_find(const struct dl__rewrite *rewrite,
                                              const char *kernel) DL__WITH_LOCK;

/* The records of programs and kernels: finding and ending them. */

extern struct dl__type dl__program_type, dl__kernel_type;

static inline struct dl__program *dl__program_find(cl_program handle)
{
    return dl__object_find(&dl__program_type, handle);
}

/* Kernels whose texts are not read yet. */
extern atomic_uint dl__kernels_unread;

static inline bool dl__any_kernel_unread(void)
{
    return atomic_load_explicit(&dl__kernels_unread, memory_order_relaxed) != 0;
}

static inline struct dl__kernel *dl__kernel_find(cl_kernel handle)
{
    return dl__object_find(&dl__kernel_type, handle);
}

#endif
