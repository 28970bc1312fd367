/* SPDX-License-Identifier: MIT */
/* The records of programs and their kernels. */
#ifndef DL_INTERCEPT_KERNELS_H
#define DL_INTERCEPT_KERNELS_H

#include <stdatomic.h>
#include <stdint.h>

#include "annotate/notes.h"
#include "libdl_intercept/base/locks.h"
#include "libdl_intercept/reports/facts.h"
#include "libdl_intercept/state/objects.h"
#include "builder.h"
#include "pack.h"

/* The files that a text may include, with what they hold, and those that were looked for
 * and not there, as they were at some time. Relative paths are of the working folder. */
struct dl__seen_files {
    struct dl__pack list; /* zeroed it is empty, and failed it is not whole */
    bool whole;           /* there are no others */
};

struct dl__arg {
    size_t bytes;
    uint32_t serial; /* rises with every set to another value; 0: never set */
    bool null;       /* set with a NULL value: local memory, or no buffer */
    bool svm;
    bool fresh; /* no object has been made or has ended since it was set: kernel->handles
                 */
    union {
        unsigned char small[32];
        void *large; /* owned; bytes > 32 */
        cl_mem mem;
        const void *pointer;
    } value;
};

struct dl__program {
    struct dl__object object;
    enum dl__origin origin;
    char *source; /* NULL: not from source */
    size_t source_bytes;
    struct dl__rewrite *rewrite DL__UNDER_LOCK; /* of the last build; NULL: none */
    atomic_bool unsettled; /* it may be one whose annotations are not read yet */
    struct dl__unit *unit DL__UNDER_LOCK; /* of the last clCompileProgram; NULL: none */
    char *demands
        DL__UNDER_LOCK; /* kernels that read discrete arrays (hooks_program.c) */
    char *built_with DL__UNDER_LOCK; /* options of the last build; NULL: none */
    /* what it includes, where that build made no rewrite */
    struct dl__seen_files seen DL__UNDER_LOCK;
    bool compiled DL__UNDER_LOCK; /* for a link, since then */
    /* as the program was told since it was built; NULL: it was not */
    size_t *binary_bytes DL__UNDER_LOCK;
    cl_uint binary_count DL__UNDER_LOCK;
    /* from a binary that DL knows (rewrite.h); set before the program has the handle */
    struct dl__rewrite *recalled;
    atomic_uchar promise; /* enum promise (launches/counted.c) */
};

/* An argument as a kernel of DL's has it. */
struct dl__shadow_arg {
    uint32_t serial; /* which of the program's settings; 0: none of them */
    /* the same value need not be set again; 0: it is not kept */
    size_t bytes;
    unsigned char value[16];
    unsigned long long mem_serial; /* of the buffer that it names; 0: none */
};

/* The kernel DL launches in place of the program's (shadow.h). */
struct dl__shadow_kernel {
    struct dl__shadow *shadow;
    cl_kernel handle;
    struct dl__shadow_arg *args;
    uint64_t *hidden; /* values of the hidden arguments, as far as they are set */
    unsigned hidden_count;
    struct dl__shadow_kernel *next;
};

struct dl__repeats; /* launches/repeat.h */

/* The builder's launches of it, ahead of the program (shadow.h). */
struct dl__first {
    uint64_t group; /* the size of its groups, as a number */
    unsigned asked; /* for how many of them */
    bool compiled;
    struct dl__ticket ticket;
};

/* On one device (launches/args.h). */
struct dl__launched_on {
    cl_device_id device;
    struct dl__policy_kernel *policy_kernel; /* NULL: not asked for yet */
    unsigned ready;    /* candidates that need no compiler any more, by bits */
    bool given_up;     /* DL gave up on it there, and said why */
    unsigned failures; /* of transformed launches, one after the other */
    /* By candidate, and for NATIVE of its own text's other build (unset.h); NULL: none,
     * or out of memory. */
    struct dl__first *first;
    struct dl__launched_on *next;
};

/* Whether launches are held back, as while a group that they are on is explored. A
 * kernel that is NEW may be one that the program creates anew for each launch. */
enum dl__held { DL__HELD_NEW, DL__HELD, DL__HELD_NOT };

/* launches/: what is remembered of a kernel from one launch to the next. */
struct dl__launches {
    bool native_only DL__UNDER_LOCK; /* DL gave up on it on every device, and said why */
    const char *differed DL__UNDER_LOCK; /* a reason that comparing has given; or NULL */
    unsigned long transformed DL__UNDER_LOCK; /* where they are verified */
    /* The group size for which its coalesced text is built; 0: any. */
    unsigned group_items DL__UNDER_LOCK;
    bool uncoalesced DL__UNDER_LOCK; /* auto gave up on that text */
    bool twice DL__UNDER_LOCK; /* exploring it takes another build of its own text */
    bool whole DL__UNDER_LOCK; /* a part of a launch does not tell what all of it gives */
    bool narrow DL__UNDER_LOCK; /* in the last launch, groups that it is not used for */
    bool astray DL__UNDER_LOCK; /* the driver did not take an argument back */
    struct dl_leaf_table *rows DL__UNDER_LOCK; /* by buffer, as wide as last; or NULL */
    unsigned rows_made DL__UNDER_LOCK;         /* how often any of them were */
    const char *remarked DL__UNDER_LOCK;       /* the last reason given */
    bool clamp_remarked DL__UNDER_LOCK;
    bool dimension_remarked DL__UNDER_LOCK;
    bool place_remarked DL__UNDER_LOCK;  /* where a sub-buffer begins */
    bool cancel_remarked DL__UNDER_LOCK; /* that a user event may cancel it */
    bool unverified_said DL__UNDER_LOCK; /* that a launch of it is not verified */
    bool noted DL__UNDER_LOCK;           /* a launch of it, to be waited for */
    bool refusal_said DL__UNDER_LOCK;    /* that it can't be given its discrete arrays */
    struct dl__launched_on *on DL__UNDER_LOCK;
    struct dl__repeats *known DL__UNDER_LOCK; /* one block; NULL: nothing yet */
    atomic_uint unread;                       /* launches before its text was read */
    _Atomic(enum dl__held) held;
};

struct dl__kernel {
    struct dl__object object;
    char *name;                  /* NULL: not asked */
    struct dl__program *program; /* held */
    struct dl__arg *args;
    unsigned arg_count;  /* of args: highest index set + 1 */
    unsigned plain_args; /* the same of a kernel that will not be rewritten; else 0 */
    uint32_t serial;
    uint64_t handles; /* version of their table at the last set, where there is a note */
    const struct dl_kernel_note *note; /* as long as `rewrite`; NULL: not transformed */
    struct dl__rewrite *rewrite;
    bool svm_indirect;          /* clSetKernelExecInfo was used */
    bool demanded;              /* it reads discrete arrays, and there is no text of it */
    enum dl_status read_status; /* why it has no note, if its text can't be read */
    /* `rewrite` is not settled yet, and `note` is set when it is. */
    atomic_bool unread;
    struct dl__shadow_kernel *shadows DL__UNDER_LOCK;
    struct dl__launches launched;
};

#endif
