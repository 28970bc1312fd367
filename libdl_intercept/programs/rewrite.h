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
    cl_program program;  /* NULL: could not be built */
    const char *unbuilt; /* why it could not, where that is known */
    struct dl__shadow *next;
};

/* A job for the builder that makes a shadow program. */
struct dl__shadow_job {
    struct dl__shadow_job *next;
    cl_device_id device;
    struct dl__shadow_knobs knobs;
    struct dl__ticket ticket;
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
    struct dl__shadow_job *jobs DL__UNDER_LOCK; /* for the builder */
    struct dl__checked *checked DL__UNDER_LOCK;
    uint64_t expected DL__UNDER_LOCK;        /* launches/launch.c, by notes */
    uint64_t expected_unread DL__UNDER_LOCK; /* the same, by names */
};

enum dl__built_as { DL__COMPILED, DL__BUILT, DL__LINKED };

/* The sources of a binary. It does not change, except that its units may be read
 * (unit.h). */
struct dl__recalled {
    enum dl__built_as as;
    char *link_options;
    size_t unit_count;
    struct dl__unit **units; /* a reference each */
    /* of a found one: the devices that it is the program of, at most those of the search
     */
    cl_uint device_count;
    cl_device_id *devices;
    bool everywhere; /* these are all */
    bool usable;     /* the files that the units include are known, and unchanged */
    bool wanted;     /* a unit concerns DL */
    bool annotated;  /* or would, if another layout were asked for */
};

void dl__recalled_free(struct dl__recalled *recalled);

/* A rewrite of one built unit, or of linked ones; takes a reference on each unit. It is
 * for the first of the devices, whose compiler the units are read for, and those that
 * have the same extensions. NULL: out of memory. Threads: takes no lock. */
struct dl__rewrite *dl__rewrite_make(struct dl__unit *const *units, size_t count,
                                     bool linked, const char *link_options,
                                     const cl_device_id *devices, cl_uint device_count);
/* Annotates the units of the program's last build, which has succeeded, if that is not
 * done yet and nothing has to be waited for. To be called before its rewrite is used.
 * Threads: takes locks, and the context's. */
void dl__program_settle(struct dl__program *program);
/* The same of a rewrite that the caller holds. False: the builder is reading one of the
 * units. */
bool dl__rewrite_settle(struct dl__rewrite *rewrite, struct dl__context *context);
void dl__rewrite_release(struct dl__rewrite *rewrite) DL__WITH_LOCK;
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
