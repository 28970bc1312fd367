/* SPDX-License-Identifier: MIT */
/* What happens on the host: calls, spans, and what this thread has said of its next
 * command. */
#include "trace.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "inner.h"
#include "libdl_intercept/base/event.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/reports/stats_print.h"

enum { CALLS_MAX = 8, ADDED_MAX = 16, NAMES_MAX = 256, QUOTED_BYTES = 40 };
enum { BUILD_NS_MIN = 50 * 1000 }; /* below, nothing was built */

atomic_bool dl__trace_on;
struct dl__mutex dl__trace_lock = DL__MUTEX_INITIALIZER;

/* Of a thread. A driver may call the program back inside a call, so calls nest. */
static _Thread_local struct {
    struct call {
        const char *name, *kernel; /* that it launches; NULL: none */
        uint64_t start_ns, below_ns;
        bool blocked;
        char launched[DL__TRACE_NAME_BYTES + DL__TRACE_ARGS_BYTES];
    } calls[CALLS_MAX];
    unsigned depth; /* may be more than CALLS_MAX */
    unsigned own;
    bool own_wait;
    bool launch; /* `layout` is of the next launch */
    struct dl_layout layout;
    cl_event added[ADDED_MAX]; /* the last that DL put into a wait list; for comparison
                                  alone */
    unsigned added_count;
    cl_event waits[DL__TRACE_WAITS]; /* of the conversion to come, with references */
    unsigned wait_count;
    bool labelled;
} here;

/* Of buffers; the oldest go. */
static struct {
    unsigned id;
    char *name;
} names[NAMES_MAX] DL__GUARDED_BY(dl__trace_lock);

void dl__trace_stop(void)
{
    atomic_store(&dl__trace_on, false);
}

/* ---- lanes of the host ---- */

static DL__REQUIRES(dl__trace_lock) void label_process(void)
{
    static bool labelled;
    char title[64];

    if (labelled)
        return;
    labelled = true;
    snprintf(title, sizeof title, "%s (host)", program_invocation_short_name);
    dl__trace_write_label("process_name", "name", getpid(), 0, title);
    dl__trace_write_label("process_labels", "labels", getpid(), 0,
                          "DL's part of the program's calls; the clock is "
                          "CLOCK_MONOTONIC");
}

void dl__trace_host_lane(struct dl__trace_slice *slice)
{
    char title[32];

    slice->process = getpid();
    slice->lane = (int)syscall(SYS_gettid);
    label_process();
    if (here.labelled)
        return;
    here.labelled = true;
    if (slice->lane == slice->process)
        snprintf(title, sizeof title, "main thread");
    else
        snprintf(title, sizeof title, "thread %d", slice->lane);
    dl__trace_write_label("thread_name", "name", slice->process, slice->lane, title);
}

static void put_slice(const char *category, const char *name, const char *args,
                      uint64_t start_ns, bool beside)
{
    struct dl__trace_slice slice = {.category = category,
                                    .name = name,
                                    .args = args,
                                    .start_ns = start_ns,
                                    .end_ns = dl__trace_clock_ns()};

    dl__mutex_lock(&dl__trace_lock);
    dl__trace_host_lane(&slice);
    if (beside)
        dl__trace_write_beside(&slice);
    else
        dl__trace_write_slice(&slice);
    dl__mutex_unlock(&dl__trace_lock);
}

uint64_t dl__trace_now(void)
{
    return dl__trace_is_on() ? dl__trace_clock_ns() : 0;
}

static struct call *call_here(void)
{
    return here.depth > 0 && here.depth <= CALLS_MAX ? &here.calls[here.depth - 1] : NULL;
}

/* What a slice of this thread is for: "for":"clFinish"; "" outside calls. */
static const char *what_for(char *args, size_t bytes, const char *kernels)
{
    const struct call *call = call_here();
    char quoted[DL__TRACE_ARGS_BYTES];

    *args = '\0';
    if (!kernels && call)
        kernels = call->kernel;
    if (kernels)
        dl__trace_quote(quoted, sizeof quoted, kernels);
    if (call || kernels)
        snprintf(args, bytes, "\"for\":\"%s%s%s\"", call ? call->name : "",
                 call && kernels ? " of " : "", kernels ? quoted : "");
    return args;
}

void dl__trace_span(const char *category, const char *name, const char *kernels,
                    uint64_t start_ns)
{
    char args[DL__TRACE_ARGS_BYTES + 64];

    if (dl__trace_is_on() && start_ns)
        put_slice(category, name, what_for(args, sizeof args, kernels), start_ns, false);
}

void dl__trace_build(const char *name, uint64_t start_ns)
{
    if (start_ns && dl__trace_clock_ns() - start_ns >= BUILD_NS_MIN)
        dl__trace_span("build", name, NULL, start_ns);
}

void dl__trace_built(const char *name, uint64_t start_ns)
{
    char args[DL__TRACE_ARGS_BYTES + 64];

    if (dl__trace_is_on() && start_ns)
        put_slice("build", name, what_for(args, sizeof args, NULL), start_ns, true);
}

/* ---- the program's calls ---- */

void dl__trace_note_call_begin(const char *name)
{
    here.depth++;
    if (call_here()) {
        call_here()->name = name;
        call_here()->kernel = NULL;
        call_here()->start_ns = dl__trace_clock_ns();
        call_here()->below_ns = 0;
        call_here()->blocked = false;
        *call_here()->launched = '\0';
    }
    here.added_count = 0;
    here.launch = false;
}

void dl__trace_note_call_end(void)
{
    const struct call *call;
    char args[sizeof here.calls->launched + 96];
    uint64_t all_ns, own_ns;

    if (here.depth == 0 || --here.depth >= CALLS_MAX)
        return;
    call = &here.calls[here.depth];
    all_ns = dl__trace_clock_ns() - call->start_ns;
    own_ns = all_ns > call->below_ns ? all_ns - call->below_ns : 0;
    snprintf(args, sizeof args,
             "%s%s\"driver_us\":" DL__THOUSANDTHS ",\"dl_us\":" DL__THOUSANDTHS,
             call->launched, *call->launched ? "," : "",
             DL__AS_THOUSANDTHS(call->below_ns), DL__AS_THOUSANDTHS(own_ns));
    put_slice("call", call->name, args, call->start_ns, false);
    if (!call->blocked)
        return;
    dl__mutex_lock(&dl__trace_lock);
    dl__trace_pending_settle();
    dl__trace_write_out();
    dl__mutex_unlock(&dl__trace_lock);
}

void dl__trace_note_call_about(const char *kernel)
{
    if (call_here())
        call_here()->kernel = kernel;
}

const char *dl__trace_call_name(void)
{
    return call_here() ? call_here()->name : NULL;
}

void dl__trace_call_launched(const char *args)
{
    struct call *call = call_here();

    if (call)
        snprintf(call->launched, sizeof call->launched, "%s", args);
}

void dl__trace_call_below(uint64_t ns, bool blocked)
{
    struct call *call = call_here();

    if (!call)
        return;
    call->below_ns += ns;
    call->blocked |= blocked;
}

void dl__trace_note_own_begin(void)
{
    here.own++;
}

void dl__trace_note_own_end(void)
{
    here.own--;
}

bool dl__trace_is_the_programs(const char *name)
{
    const char *call = dl__trace_call_name();

    return here.own == 0 && (!call || strcmp(call, name) == 0);
}

void dl__trace_note_wait_is_its_own(void)
{
    here.own_wait = true;
}

bool dl__trace_take_own_wait(void)
{
    bool own = here.own_wait;

    here.own_wait = false;
    return own;
}

void dl__trace_note_launch_in(struct dl_layout layout)
{
    here.launch = true;
    here.layout = layout;
}

bool dl__trace_take_launch(struct dl_layout *layout)
{
    bool is = here.launch;

    *layout = here.layout;
    here.launch = false;
    return is;
}

void dl__trace_note_waits_for(cl_event event)
{
    here.added[here.added_count++ % ADDED_MAX] = event;
}

bool dl__trace_is_added(cl_event event)
{
    for (unsigned i = 0; i < here.added_count && i < ADDED_MAX; i++)
        if (here.added[i] == event)
            return true;
    return false;
}

/* ---- buffers ---- */

/* Kernels call a buffer by different names: it keeps the first. */
void dl__trace_buffer(unsigned id, const char *name)
{
    unsigned at = id % NAMES_MAX;

    if (!dl__trace_is_on() || !name)
        return;
    dl__mutex_lock(&dl__trace_lock);
    if (!names[at].name || names[at].id != id) {
        free(names[at].name);
        names[at].name = strdup(name);
        names[at].id = id;
    }
    dl__mutex_unlock(&dl__trace_lock);
}

/* As JSON; it may be cut short. */
static DL__REQUIRES(dl__trace_lock) void quote_buffer(unsigned id, char *quoted)
{
    unsigned at = id % NAMES_MAX;

    dl__trace_quote(quoted, QUOTED_BYTES,
                    names[at].name && names[at].id == id ? names[at].name : "buffer");
}

static void let_go_of_waits(void)
{
    while (here.wait_count > 0)
        dl__next.clReleaseEvent(here.waits[--here.wait_count]);
}

void dl__trace_conversion_waits(cl_uint count, const cl_event *list)
{
    if (!dl__trace_is_on())
        return;
    let_go_of_waits(); /* of one that was not made */
    for (cl_uint i = 0; i < count && here.wait_count < DL__TRACE_WAITS; i++) {
        here.waits[here.wait_count] = dl__event_share(list[i]);
        here.wait_count += here.waits[here.wait_count] != NULL;
    }
}

void dl__trace_conversion(cl_command_queue queue, unsigned buffer, struct dl_layout from,
                          struct dl_layout to, uint64_t bytes, cl_event first,
                          cl_event done)
{
    struct dl__trace_command command = {
        .first = first, .last = done, .category = "conversion", .bytes = bytes};
    char name[QUOTED_BYTES], was[24], is[24];

    if (!dl__trace_is_on() || !first || !done)
        return;
    dl__stats_print_layout(was, sizeof was, from);
    dl__stats_print_layout(is, sizeof is, to);
    dl__mutex_lock(&dl__trace_lock);
    quote_buffer(buffer, name);
    snprintf(command.name, sizeof command.name, "%s: %s to %s", name, was, is);
    snprintf(command.args, sizeof command.args,
             "\"buffer\":\"%s\",\"number\":%u,\"from\":\"%s\",\"to\":\"%s\"", name,
             buffer, was, is);
    command.wait_count = here.wait_count;
    memcpy(command.waits, here.waits, sizeof command.waits);
    command.lane = dl__trace_lane_of(queue);
    dl__trace_pend(&command);
    dl__mutex_unlock(&dl__trace_lock);
    let_go_of_waits();
}

void dl__trace_part(cl_command_queue queue, unsigned buffer, bool gathered,
                    uint64_t bytes, cl_event event)
{
    struct dl__trace_command command = {
        .first = event, .last = event, .category = "part", .bytes = bytes};
    char name[QUOTED_BYTES];

    if (!dl__trace_is_on() || !event)
        return;
    dl__mutex_lock(&dl__trace_lock);
    quote_buffer(buffer, name);
    snprintf(command.name, sizeof command.name, "%s: %s a part", name,
             gathered ? "gather" : "scatter");
    snprintf(command.args, sizeof command.args, "\"buffer\":\"%s\",\"number\":%u", name,
             buffer);
    command.lane = dl__trace_lane_of(queue);
    dl__trace_pend(&command);
    dl__mutex_unlock(&dl__trace_lock);
}

/* ---- the end ---- */

void dl__trace_settle(void)
{
    if (!dl__trace_is_on())
        return;
    dl__mutex_lock(&dl__trace_lock);
    dl__trace_pending_settle();
    dl__trace_write_out();
    dl__mutex_unlock(&dl__trace_lock);
}

/* Registered when the driver is loaded, so that it runs before the driver's own end. */
void dl__trace_end_at_exit(void)
{
    atexit(dl__trace_end);
}

void dl__trace_end(void)
{
    if (!atomic_exchange(&dl__trace_on, false))
        return;
    dl__mutex_lock(&dl__trace_lock);
    dl__trace_pending_settle();
    dl__trace_pending_drop();
    dl__trace_write_end();
    dl__mutex_unlock(&dl__trace_lock);
}
