/* SPDX-License-Identifier: MIT */
/* What the files of this room share. All of it is behind one lock. */
#ifndef DL_INTERCEPT_TRACE_INNER_H
#define DL_INTERCEPT_TRACE_INNER_H

#include <inttypes.h>

#include "libdl_intercept/base/locks.h"
#include "trace.h"

enum { DL__TRACE_NAME_BYTES = 96, DL__TRACE_ARGS_BYTES = 224, DL__TRACE_WAITS = 4 };
enum { DL__TRACE_NO_LANE = ~0u >> 1 };

extern struct dl__mutex dl__trace_lock;

/* By the device's clock. */
struct dl__trace_times {
    cl_ulong queued, start, end;
};

/* ---- write.c: the file ---- */

/* Thousandths with a dot, whatever the program's locale is: nanoseconds as microseconds.
 */
#define DL__THOUSANDTHS "%" PRIu64 ".%03u"
#define DL__AS_THOUSANDTHS(number) (number) / 1000, (unsigned)((number) % 1000)

/* A slice of a lane. Names and args are JSON already: see dl__trace_quote. */
struct dl__trace_slice {
    int process, lane;
    const char *category, *name, *args; /* args: members of an object */
    uint64_t start_ns, end_ns;
};
void dl__trace_write_slice(const struct dl__trace_slice *slice)
    DL__REQUIRES(dl__trace_lock);
/* The same of what may overlap other slices of its lane. */
void dl__trace_write_beside(const struct dl__trace_slice *slice)
    DL__REQUIRES(dl__trace_lock);
/* "process_name", "thread_name": how a lane is labelled; `key` is the label's name in the
 * arguments. */
void dl__trace_write_label(const char *what, const char *key, int process, int lane,
                           const char *text) DL__REQUIRES(dl__trace_lock);
/* What was written so far is in the file, whatever becomes of the process. */
void dl__trace_write_out(void) DL__REQUIRES(dl__trace_lock);
/* Ends the file's array. */
void dl__trace_write_end(void) DL__REQUIRES(dl__trace_lock);
/* Plain text as the inside of a JSON string; `bytes` of room. Returns `out`. */
const char *dl__trace_quote(char *out, size_t bytes, const char *text);
/* Members "bytes" and "gb_per_s" for `args`, where they can be told. */
void dl__trace_put_speed(char *args, size_t room, uint64_t bytes, uint64_t ns);
uint64_t dl__trace_clock_ns(void);

/* ---- lanes.c: devices, queues, and clocks ---- */

/* The number of a queue's lane; DL__TRACE_NO_LANE: there is no memory for one. */
unsigned dl__trace_lane_of(cl_command_queue queue) DL__REQUIRES(dl__trace_lock);
/* How the device's clock stands to the host's is found out by commands, where the driver
 * does not say: the host began to enqueue one at `before_ns` (0: not known), and has seen
 * by now that it has ended. */
void dl__trace_clock_learn(unsigned lane, const struct dl__trace_times *times,
                           uint64_t before_ns) DL__REQUIRES(dl__trace_lock);
uint64_t dl__trace_clock_map(unsigned lane, cl_ulong device_ns)
    DL__REQUIRES(dl__trace_lock);
/* Where a slice goes that must not overlap others. */
void dl__trace_lane_place(unsigned lane, struct dl__trace_slice *slice)
    DL__REQUIRES(dl__trace_lock);

/* ---- pending.c: commands until their times are known ---- */

struct dl__trace_command {
    cl_event first, last; /* may be the same */
    unsigned lane;
    const char *category;            /* a literal */
    char name[DL__TRACE_NAME_BYTES]; /* quoted */
    char args[DL__TRACE_ARGS_BYTES]; /* members, quoted */
    uint64_t bytes;                  /* that it moves; 0: not known */
    uint64_t before_ns; /* the driver was given it after that; 0: not known */
    bool ended;
    struct dl__trace_times
        times; /* once it has; no end: they are not told, or it did not run */
    cl_event waits[DL__TRACE_WAITS]; /* that DL made it wait for */
    unsigned wait_count;
    int host_process,
        host_lane; /* of the call that it is for, at host_ns; 0: there is none */
    uint64_t host_ns;
};

/* An arrow from a moment of a lane, within a slice, to the beginning of a slice. */
void dl__trace_write_arrow(const struct dl__trace_command *from,
                           const struct dl__trace_slice *to) DL__REQUIRES(dl__trace_lock);
/* Takes references to the events of its own. */
void dl__trace_pend(const struct dl__trace_command *command) DL__REQUIRES(dl__trace_lock);
void dl__trace_pending_settle(void) DL__REQUIRES(dl__trace_lock);
/* Lets go of all that is left, which will not be told. */
void dl__trace_pending_drop(void) DL__REQUIRES(dl__trace_lock);

/* ---- trace.c ---- */

/* Has dl__trace_end called at the process's end. */
void dl__trace_end_at_exit(void);
/* No more of it, in this process. */
void dl__trace_stop(void);
/* The program's call on this thread; NULL: none. */
const char *dl__trace_call_name(void);
/* It has launched this: members, quoted. */
void dl__trace_call_launched(const char *args);
/* So much of it was the driver's; `blocked`: the call has waited for the device. */
void dl__trace_call_below(uint64_t ns, bool blocked);
/* True of a command of this name that stands for the program's call. */
bool dl__trace_is_the_programs(const char *name);
/* Takes what dl__trace_wait_is_its_own said. */
bool dl__trace_take_own_wait(void);
/* The layout of the launch to come, or none: takes it. */
bool dl__trace_take_launch(struct dl_layout *layout);
/* True when DL added the event to a wait list since the call began. */
bool dl__trace_is_added(cl_event event);
/* The process and this thread as lanes. */
void dl__trace_host_lane(struct dl__trace_slice *slice) DL__REQUIRES(dl__trace_lock);

#endif
