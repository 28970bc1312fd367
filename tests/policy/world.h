/* SPDX-License-Identifier: MIT */
/* Devices in virtual time, whose costs only they know, and a program on them that their policies decide. */
#ifndef DL_TESTS_POLICY_WORLD_H
#define DL_TESTS_POLICY_WORLD_H

#include "libdl_intercept/policy/core.h"

enum {
    WORLD_DEVICES = 4,
    WORLD_KERNELS = 8,
    WORLD_BUFFERS = 6,
    WORLD_PENDING = 4096,
    WORLD_CLASSES = 40,
    WORLD_ASKS = 2
};

/* A kernel's truth on one device: fixed + slope * work natively, times `ratio` elsewhere; and what is said of it. */
struct world_kernel {
    unsigned device;
    struct dl__policy_kernel *known;
    double fixed, slope;
    double ratio[DL__CANDIDATES];
    struct dl__estimate estimate; /* seconds: those of work 1 */
    unsigned buffers[WORLD_BUFFERS], buffer_count;
    /* The largest excess of a launch over its factor. */
    double beyond[DL__CANDIDATES][WORLD_CLASSES];
    /* What launches were asked for with, as launches keep it. */
    struct world_ask {
        double work;
        struct dl__policy_ask ask;
        struct dl__policy_buffer *bound[WORLD_BUFFERS];
        enum dl__candidate_id last;
        bool made; /* one was launched */
    } asks[WORLD_ASKS];
    unsigned ask_next;
};

struct world {
    struct dl__policy devices[WORLD_DEVICES];
    unsigned device_count; /* 0: one */
    unsigned tile
        [WORLD_DEVICES]; /* which tiles it has: those of others are moved into its own */
    struct world_kernel kernels[WORLD_KERNELS];
    unsigned kernel_count;
    struct dl__policy_buffer buffers[WORLD_BUFFERS];
    unsigned used_on[WORLD_BUFFERS];           /* the device of its last launch */
    bool was_on[WORLD_BUFFERS][WORLD_DEVICES]; /* of any */
    double
        strange; /* that ways back took beyond what was charged, on devices that had not had the buffer */
    double move_ratio[DL__CANDIDATES]; /* true over estimated */
    double look_ratio[2]; /* of looks by parts: of an empty one, and of their bytes */
    struct world_time {
        struct dl__policy *policy;
        struct dl__policy_ticket ticket;
        double seconds; /* that is told */
        unsigned long due;
        double end; /* when the device has done it */
    } pending[WORLD_PENDING];
    unsigned pending_count;
    unsigned long now;     /* launches so far */
    double device, native; /* the truth */
    /* Seconds that the host takes to enqueue a launch, without waiting for any: times are told when the device
     * has got there. 0: they are told as each launch says. */
    double enqueue_seconds;
    double host,
        done; /* where the host is, and when the device has done all it has been given */
    double (*noise)(
        void);      /* how far a told time is from the truth, in seconds; NULL: nothing */
    bool not_ready; /* rewritten kernels are still being built */
    bool has_grids; /* of kernels that go into layouts of grids, and no others */
    bool has_group; /* kernels may have a text by which groups access structs */
    bool moves_untold;     /* nobody tells how long conversions take */
    bool shortly;          /* launches that come again go the short way where they can */
    unsigned long stood;   /* that did */
    unsigned long counted; /* that needed no look at anything */
    bool anew; /* every launch is asked for as if there had been none like it */
    unsigned long conversions, tiled, looks; /* by parts, at what was converted */
    struct dl__policy_answer answer;
};

void world_begin(struct world *world);
void world_end(struct world *world);
/* One launch, on the kernel's device. `delay`: launches until its time is told; 0: before the next. `lie`: it is nonsense.
 * `timed`: its queue has profiling. */
enum dl__candidate_id world_launch(struct world *world, unsigned kernel, double work,
                                   unsigned long delay, bool lie, bool timed);
/* The host, or a kernel that DL does not know, looks at a buffer. */
void world_look(struct world *world, unsigned buffer);
/* The host looks at so many bytes of a buffer, by parts where the policy lets it. */
void world_look_part(struct world *world, unsigned buffer, uint64_t bytes);
void world_overwrite(struct world *world, unsigned buffer);
/* What the program does besides. */
void world_other(struct world *world, double seconds);
/* D - N of all devices beyond what they are promised together; at most 0 is as promised. */
double world_excess(const struct world *world);
double world_native(const struct world_kernel *kernel, double work);

#endif
