/* SPDX-License-Identifier: MIT */
/* Launches that come again: what was found for the last few of a kernel, each by all that it hangs on
 * (sizes, buffers, the values that dimensions and widths read). What may change besides is looked at anew:
 * where a buffer lies and whether it may be tiled (bind.c), what the policy has measured (decide.c), and whether
 * a launch with rows of another width has come between, for which the kernel's leaves were made.
 *
 * Threads: under the context's lock. */
#ifndef DL_INTERCEPT_KNOWN_H
#define DL_INTERCEPT_KNOWN_H

#include "again.h"
#include "args.h"
#include "bind.h"

enum { DL__KNOWN_LAUNCHES = 4, DL__KNOWN_ARGS = 16, DL__KNOWN_BUFFERS = 4 };

struct dl__known_arg {
    struct dl__mem *mem; /* that it names; NULL: none */
    unsigned long long serial;
    uint64_t value; /* of those that dimensions read */
    size_t bytes;
};

/* What a launch is like. */
struct dl__launch_key {
    const struct dl_kernel_note *note; /* NULL: free */
    const struct dl__queue *queue;
    unsigned long long queue_serial;
    cl_uint work_dim;
    size_t sizes[9]; /* global, offset, local; local 0: left to the driver */
    unsigned arg_count;
    struct dl__known_arg args[DL__KNOWN_ARGS];
};

struct dl__known_launch {
    struct dl__launch_key key;
    unsigned rows_made; /* the kernel's, when what follows was found */
    bool busy; /* such a launch is on its way; a driver may call the program meanwhile */
    /* choose.c: what the policy is asked with */
    struct dl__policy *policy; /* NULL: not yet */
    struct dl__policy_ask ask;
    struct dl__policy_buffer *buffers[DL__KNOWN_BUFFERS];
    bool seen;      /* once, without being told the policy */
    unsigned asked; /* how often it was asked whether candidates are ready */
    /* bind.c: what was bound last */
    bool planned;
    struct dl_layout layout;
    struct dl__plan plan;
    struct dl__binding bindings[DL__KNOWN_BUFFERS];
    unsigned changes[DL__KNOWN_BUFFERS]; /* of the buffers' layouts, so far */
    /* members.c: what the kernels of the program use */
    bool members_known;
    struct dl_members members;
    /* launch.c: when its arguments were looked at */
    uint64_t handles;
    uint32_t serial;
    struct dl__again again;
};

/* Of a kernel. */
struct dl__known {
    uint64_t reads; /* arguments that dimensions read, by bits */
    unsigned next;  /* to be replaced */
    struct dl__known_launch launches[DL__KNOWN_LAUNCHES];
};

/* The launch as it is known, or room for it in place of the oldest. NULL: it is one of which nothing is
 * kept. `range->mems` is set. It is the caller's until that sets `busy` to false. */
struct dl__known_launch *dl__known_find(struct dl__kernel *kernel,
                                        const struct dl__queue *queue,
                                        const struct dl__ndrange *range) DL__WITH_LOCK;

#endif
