/* SPDX-License-Identifier: MIT */
/* A program and its device, in virtual time: kernels that take so long on each candidate,
 * launched on buffers of one group or several, explored as the policy asks. */
#ifndef POLICY_WORLD_H
#define POLICY_WORLD_H

#include "libdl_intercept/policy/core.h"

enum { WORLD_KERNELS = 8, WORLD_BUFFERS = 4, WORLD_MB = 64 };

struct world_kernel {
    double seconds[DL__CANDIDATES]; /* 0: there is no such form */
    double real[DL__CANDIDATES]; /* on the program's buffers, where that is not the same;
                                    0: it is */
    bool differs;                /* in every layout */
    bool never;                  /* its text says that no layout gains */
    bool loss;                   /* it expects that none does */
    bool whole;                  /* it is explored with conversions of its buffers */
    bool still;                  /* a part of it changes nothing */
    bool unread;                 /* its rewritten text is still being built */
    bool unbuilt;                /* its conversions are still being built */
    bool untold;                 /* nothing says what it takes as written */
    double text; /* its text says that it takes so many times as long as it does; 0: 1 */
    unsigned also;      /* buffers that it binds besides, by bits */
    double price, cost; /* of exploring, seconds each part; what it takes of its price. 0:
                           4 ms, and 1 */
    struct dl__policy_kernel *kernel;
    struct dl__policy_ask asks[WORLD_BUFFERS];
    struct dl__policy_buffer *bound[WORLD_BUFFERS][WORLD_BUFFERS];
};

struct world {
    struct dl__policy policy;
    struct dl__ledger ledger;
    struct world_kernel kernels[WORLD_KERNELS];
    struct dl__policy_buffer buffers[WORLD_BUFFERS];
    double now, native;                  /* what has passed; what would have without DL */
    double moved;                        /* of that, in conversions */
    double move_seconds[DL__CANDIDATES]; /* one way, a buffer; 0: as expected */
    double copy_seconds[DL__CANDIDATES]; /* the same on copies; 0: it is that */
    double any_shape[DL__CANDIDATES]; /* kernels for any shape take so many times as long;
                                         0: once */
    double built_at;                  /* these convert until then */
    double look_seconds[DL__CANDIDATES]; /* of a look by parts where a buffer lies so */
    double worst; /* most that exploring has been over what is promised */
    unsigned conversions, decisions, explored, sampled;
    bool releases;   /* its buffers end before it does */
    bool held;       /* the last launch says that the next is to be held back */
    double expected; /* seconds that the launch and its conversions are to take */
    char said[DL__WHY_BYTES]; /* of the last decision */
};

/* Kernels keep their names, a letter each, from one world to the next. */
void world_begin(struct world *world);
void world_end(struct world *world);
/* One more run of the same program, that remembers what the one before left. */
void world_again(struct world *world);
/* A launch of the kernel on the buffer. */
void world_launch(struct world *world, unsigned kernel, unsigned buffer);
/* The host wants all of the buffer. */
void world_touch(struct world *world, unsigned buffer);
/* The host looks at this part of the buffer. */
void world_look(struct world *world, unsigned buffer, uint64_t bytes);
/* The host overwrites all of the buffer. */
void world_overwrite(struct world *world, unsigned buffer);
/* One way, as expected. */
double world_move_seconds(enum dl__candidate_id candidate);

#endif
