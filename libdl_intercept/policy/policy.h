/* SPDX-License-Identifier: MIT */
/* The policy as launches and hooks see it (--layout auto): a core (core.h) for each
 * device, behind one lock, with buffers' parts kept by their records and times read from
 * events.
 *
 * Threads: safe. What has DL__WITH_LOCK wants the context's lock as well. */
#ifndef DL_INTERCEPT_POLICY_H
#define DL_INTERCEPT_POLICY_H

#include <CL/cl.h>

#include "libdl_intercept/base/options.h"
#include "libdl_intercept/state/records.h"
#include "core.h"

/* A launch on its way through the policy; zeroed at first. */
struct dl__choice {
    struct dl__policy *policy;
    struct dl__policy_ask *ask; /* the caller's, or `own`; NULL: none */
    struct dl__policy_ask own;  /* whose buffers are the choice's */
    struct dl__policy_answer answer;
    struct dl__context *context;
    bool asked;
    const char *why_not; /* why it could not run as chosen; NULL: it could */
};

/* True when launches are decided here: the layout is `auto`. */
static inline bool dl__policy_is_on(void)
{
    const struct dl__options *options = dl__options_get();

    return options->layout_auto && options->tile_structs != 1;
}
/* The policy's part of a buffer; NULL: out of memory. */
struct dl__policy_buffer *dl__policy_buffer_of(struct dl__mem *mem) DL__WITH_LOCK;
/* The device's; NULL: out of memory. */
struct dl__policy *dl__policy_of(cl_device_id device, bool is_cpu) DL__WITH_LOCK;
/* Returns what the policy has of a kernel of a program whose text has this hash; NULL:
 * out of memory. */
struct dl__policy_kernel *dl__policy_kernel_of(struct dl__policy *policy,
                                               const unsigned char *text,
                                               const char *name) DL__WITH_LOCK;
/* True when parts of its launches have told nothing often enough. `kernel` may be NULL.
 */
bool dl__policy_wants_whole(const struct dl__policy_kernel *kernel) DL__WITH_LOCK;
/* The layout that an earlier run would have gained most by; NATIVE: none. `kernel` may be
 * NULL. */
enum dl__candidate_id
dl__policy_best(const struct dl__policy_kernel *kernel) DL__WITH_LOCK;
/* Returns what a launch with this number of work-items takes as written, as far as an
 * earlier run has measured it; 0: it has not. `kernel` may be NULL. */
double dl__policy_native_seconds(const struct dl__policy_kernel *kernel,
                                 double work) DL__WITH_LOCK;
/* Candidates, by bits, that it is worth asking for (dl__policy_asks_for). False: out of
 * memory. */
bool dl__choice_asks_for(struct dl__choice *choice, unsigned *wanted,
                         unsigned *later) DL__WITH_LOCK;
/* Decides; the choice's policy, context, and what the ask has, are filled in. */
void dl__choice_decide(struct dl__choice *choice) DL__WITH_LOCK;
/* As dl__policy_again. */
bool dl__choice_again(const struct dl__policy *policy,
                      struct dl__policy_ask *ask) DL__WITH_LOCK;
/* The chosen candidate is not ready yet: the launch will run as written. */
void dl__choice_unready(struct dl__choice *choice) DL__WITH_LOCK;
/* It was made and compared, in spent_seconds; 0: it can't be compared, and has not been
 * made. `native_seconds` is the time of its own kernel; 0: that is not known. */
void dl__choice_compared(struct dl__choice *choice, double spent_seconds,
                         double native_seconds) DL__WITH_LOCK;
/* It gave other bytes on what was chosen. */
void dl__choice_differed(struct dl__choice *choice, const char *why) DL__WITH_LOCK;
/* The launch was explored, as far as that could be. */
void dl__choice_explored(struct dl__choice *choice, const struct dl__finding *findings,
                         size_t count, double spent_seconds) DL__WITH_LOCK;
/* Returns what the launch takes as written, as far as it is known; 0: it is not.
 *   earlier  out: an earlier run has measured it; may be NULL */
double dl__choice_native_seconds(const struct dl__choice *choice, bool *earlier);
/* Why it runs as it does, by the numbers. The choice was asked. */
void dl__choice_say(const struct dl__choice *choice, char *why, size_t bytes);
/* The launch was made; borrows the event, which may be NULL. */
void dl__choice_launched(struct dl__choice *choice, bool transformed, cl_event event);
/* True when the buffer is one of those that are asked about. */
bool dl__choice_binds(const struct dl__policy_ask *ask,
                      const struct dl__mem *mem) DL__WITH_LOCK;
/* True when launches on it are decided here. */
bool dl__policy_has(const struct dl__mem *mem) DL__WITH_LOCK;
/* It is over, whether it was made or not. Frees what the choice has. */
void dl__choice_end(struct dl__choice *choice) DL__WITH_LOCK;

/* True when queues should have profiling: the process has met annotations, or its command
 * line has in an earlier run. */
bool dl__policy_wants_profiling(void);
/* A queue is about to end: reads what events say while they can be read. */
void dl__policy_settle(void);
/* The program has waited for the device, perhaps for the last time: what has ended is
 * read. */
void dl__policy_waited(void);
/* How many references to an event of the program's the policy holds now. */
unsigned dl__policy_references(cl_event event);

#endif
