/* SPDX-License-Identifier: MIT */
/* The parts of a trace, lowest first: the file; lanes, one for each queue and thread,
 * and the devices' clocks; commands whose times are still to be read; of each thread, the
 * program's calls and what DL has said of its next command; and the functions that stand
 * in place of the driver's. All but a thread's own state is behind one lock. */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "trace.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "libdl_intercept/base/event.h"
#include "libdl_intercept/base/locks.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/hooks/hook_list.h"
#include "libdl_intercept/reports/stats.h"
#include "libdl_intercept/reports/stats_print.h"
#include "options/options.h"

enum { TRACE_NAME_BYTES = 96, TRACE_ARGS_BYTES = 224, TRACE_WAITS = 4 };

static struct dl__mutex trace_lock = DL__MUTEX_INITIALIZER;

/* By the device's clock. */
struct trace_times {
    cl_ulong queued, start, end;
};

struct trace_command {
    cl_event first, last; /* may be the same */
    unsigned lane;
    const char *category;        /* a literal */
    char name[TRACE_NAME_BYTES]; /* quoted */
    char args[TRACE_ARGS_BYTES]; /* members, quoted */
    uint64_t bytes;              /* that it moves; 0: not known */
    uint64_t before_ns;          /* the driver was given it after that; 0: not known */
    bool ended;
    /* Once it has ended; no end: they are not told, or it did not run. */
    struct trace_times times;
    cl_event waits[TRACE_WAITS]; /* that DL made it wait for */
    unsigned wait_count;
    int host_process, host_lane; /* of the call that it is for, */
    uint64_t host_ns;            /* at this time; 0: there is none */
};

enum { NO_LANE = ~0u >> 1 };

/* Thousandths with a dot, whatever the program's locale is: nanoseconds as microseconds.
 */
#define THOUSANDTHS "%" PRIu64 ".%03u"
#define AS_THOUSANDTHS(number) (number) / 1000, (unsigned)((number) % 1000)

/* A slice of a lane. Names and args are JSON already: see trace_quote. */
struct slice {
    int process, lane;
    const char *category, *name, *args; /* args: members of an object */
    uint64_t start_ns, end_ns;
};

enum {
    ROOM_BYTES = 1 << 16,
    RECORD_BYTES = 2048,
    HIGH_NUMBER = 512,              /* of descriptors */
    KEPT_NS_MAX = 100 * 1000 * 1000 /* what is older goes to the file with the next */
};

static char *room DL__GUARDED_BY(trace_lock);
static size_t room_used DL__GUARDED_BY(trace_lock);
static uint64_t written_ns DL__GUARDED_BY(trace_lock);
static int file DL__GUARDED_BY(trace_lock) = -1;
static struct stat file_is DL__GUARDED_BY(trace_lock);
static bool opened DL__GUARDED_BY(trace_lock);
static bool any DL__GUARDED_BY(trace_lock); /* there is a record */
static uint64_t beside_count DL__GUARDED_BY(trace_lock);
static uint64_t arrow_count DL__GUARDED_BY(trace_lock);

static uint64_t trace_clock_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* ---- the file ---- */

/* The program's own files get the numbers that they would get without a trace, where
 * there is room above. */
static void move_up(int *fd)
{
    int high = fcntl(*fd, F_DUPFD_CLOEXEC, HIGH_NUMBER);

    if (high < 0)
        return;
    close(*fd);
    *fd = high;
}

/* Programs that become daemons close whatever is open, and the number may be another
 * file's by now. */
static DL__REQUIRES(trace_lock) bool is_still_open(void)
{
    struct stat now;

    if (fstat(file, &now) == 0 && now.st_dev == file_is.st_dev &&
        now.st_ino == file_is.st_ino)
        return true;
    file = -1;
    errno = EBADF;
    return false;
}

/* No more of it, in this process. */
static void trace_stop(void)
{
    atomic_store(&dl__trace_on, false);
}

static DL__REQUIRES(trace_lock) void give_up(const char *path)
{
    dl__log(DL__LOG_ERROR,
            "%s: the trace can't be written: %s; give --trace (DL_TRACE) another file",
            path, strerror(errno));
    if (file >= 0)
        close(file);
    file = -1;
    room_used = 0;
    trace_stop();
}

/* Two processes that run at the same time do not write into one file. */
static DL__REQUIRES(trace_lock) bool open_file(void)
{
    const char *path = dl__options_get()->trace_path;
    char *own = NULL;

    if (opened)
        return file >= 0;
    opened = true;
    room = malloc(ROOM_BYTES);
    if (!path || !room) {
        trace_stop();
        return false;
    }
    file = dl__file_begin(path);
    if (file < 0 && errno == EWOULDBLOCK &&
        asprintf(&own, "%s.%ld", path, (long)getpid()) > 0) {
        dl__log(DL__LOG_WARNING,
                "%s: another process is writing its trace there; this one's goes to %s",
                path, own);
        path = own;
        file = dl__file_begin(path);
    }
    if (file >= 0) {
        move_up(&file);
        fstat(file, &file_is);
    } else {
        give_up(path);
    }
    free(own);
    return file >= 0;
}

/* Puts all records into the file, where they stay whatever becomes of the process. */
static DL__REQUIRES(trace_lock) void write_out(void)
{
    written_ns = trace_clock_ns();
    if (file < 0 || room_used == 0)
        return;
    if (!is_still_open() || !dl__file_append(file, room, room_used))
        give_up(dl__options_get()->trace_path);
    room_used = 0;
}

/* Ends the file's array. */
static DL__REQUIRES(trace_lock) void write_end(void)
{
    if (!open_file())
        return;
    memcpy(room + room_used, any ? "\n]\n" : "[]\n", 3);
    room_used += 3;
    write_out();
    if (file >= 0 && is_still_open())
        close(file);
    file = -1;
}

/* ---- records ---- */

__attribute__((format(printf, 1, 2))) static DL__REQUIRES(trace_lock) void write_record(
    const char *format, ...)
{
    va_list list;
    int bytes;

    if (!open_file())
        return;
    if (room_used + RECORD_BYTES + 8 > ROOM_BYTES)
        write_out();
    memcpy(room + room_used, any ? ",\n" : "[\n", 2);
    va_start(list, format);
    bytes = vsnprintf(room + room_used + 2, RECORD_BYTES, format, list);
    va_end(list);
    /* One that does not fit is left out whole: a part of it would be no JSON. */
    if (bytes > 0 && bytes < RECORD_BYTES) {
        room_used += (size_t)bytes + 2;
        any = true;
    }
    if (trace_clock_ns() - written_ns > KEPT_NS_MAX)
        write_out();
}

static DL__REQUIRES(trace_lock) void write_slice(const struct slice *slice)
{
    uint64_t length = slice->end_ns - slice->start_ns;

    write_record("{\"name\":\"%s\",\"cat\":\"%s\",\"ph\":\"X\",\"pid\":%d,\"tid\":%d,"
                 "\"ts\":" THOUSANDTHS ",\"dur\":" THOUSANDTHS ",\"args\":{%s}}",
                 slice->name, slice->category, slice->process, slice->lane,
                 AS_THOUSANDTHS(slice->start_ns), AS_THOUSANDTHS(length),
                 slice->args ? slice->args : "");
}

/* The same of what may overlap other slices of its lane. */
static DL__REQUIRES(trace_lock) void write_beside(const struct slice *slice)
{
    const uint64_t times[2] = {slice->start_ns, slice->end_ns};

    beside_count++;
    for (int i = 0; i < 2; i++)
        write_record("{\"name\":\"%s\",\"cat\":\"%s\",\"ph\":\"%s\",\"id\":%" PRIu64
                     ",\"pid\":%d,\"tid\":%d,\"ts\":" THOUSANDTHS ",\"args\":{%s}}",
                     slice->name, slice->category, i ? "e" : "b", beside_count,
                     slice->process, slice->lane, AS_THOUSANDTHS(times[i]),
                     i || !slice->args ? "" : slice->args);
}

/* An arrow from a moment of a lane, within a slice, to the beginning of a slice. */
static DL__REQUIRES(trace_lock) void write_arrow(const struct trace_command *from,
                                                 const struct slice *to)
{
    arrow_count++;
    write_record("{\"name\":\"enqueued\",\"cat\":\"flow\",\"ph\":\"s\",\"id\":%" PRIu64
                 ",\"pid\":%d,\"tid\":%d,\"ts\":" THOUSANDTHS ",\"args\":{}}",
                 arrow_count, from->host_process, from->host_lane,
                 AS_THOUSANDTHS(from->host_ns));
    write_record("{\"name\":\"enqueued\",\"cat\":\"flow\",\"ph\":\"f\",\"bp\":\"e\","
                 "\"id\":%" PRIu64 ",\"pid\":%d,\"tid\":%d,\"ts\":" THOUSANDTHS
                 ",\"args\":{}}",
                 arrow_count, to->process, to->lane, AS_THOUSANDTHS(to->start_ns));
}

/* Plain text as the inside of a JSON string; `bytes` of room. Returns `out`. */
static const char *trace_quote(char *out, size_t bytes, const char *text)
{
    size_t at = 0;

    for (; *text && at + 7 < bytes; text++) {
        unsigned char c = (unsigned char)*text;

        if (c == '"' || c == '\\')
            at += (size_t)snprintf(out + at, bytes - at, "\\%c", c);
        else if (c < 0x20 || c >= 0x7f) /* any bytes make valid text so */
            at += (size_t)snprintf(out + at, bytes - at, "\\u%04x", c);
        else
            out[at++] = (char)c;
    }
    out[at] = '\0';
    return out;
}

/* "process_name", "thread_name": how a lane is labelled; `key` is the label's name in the
 * arguments. */
static DL__REQUIRES(trace_lock) void write_label(const char *what, const char *key,
                                                 int process, int lane, const char *text)
{
    char quoted[256];

    write_record("{\"name\":\"%s\",\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"args\":{\"%s\":"
                 "\"%s\"}}",
                 what, process, lane, key, trace_quote(quoted, sizeof quoted, text));
}

/* Members "bytes" and "gb_per_s" for `args`, where they can be told. */
static void put_speed(char *args, size_t bytes_of_room, uint64_t bytes, uint64_t ns)
{
    size_t at = strlen(args);

    if (bytes > 0)
        at += (size_t)snprintf(args + at, bytes_of_room - at, "%s\"bytes\":%" PRIu64,
                               at ? "," : "", bytes);
    if (bytes > 0 && ns > 0 && at < bytes_of_room) {
        const uint64_t mb_per_s = (uint64_t)(1e3 * (double)bytes / (double)ns + 0.5);

        snprintf(args + at, bytes_of_room - at, ",\"gb_per_s\":" THOUSANDTHS,
                 AS_THOUSANDTHS(mb_per_s));
    }
}

enum {
    LANES_MAX = 1024,      /* queues beyond share the last lane */
    BESIDES = 32,          /* lanes of one queue, for commands that overlap */
    PROCESS_IDS = 1 << 22, /* Linux has no more */
    DRIFT_NS = 50 * 1000
};

struct device {
    struct device *next;
    cl_device_id id;
    int process;      /* its number in the trace */
    bool known;       /* how its clock stands to the host's: */
    int64_t ahead_ns; /* of it */
    bool met;         /* commands have shown that it is at least, at most: */
    int64_t least_ns, most_ns;
};

struct lane {
    cl_command_queue queue;
    struct device *device;
    bool own; /* all queues of DL's own on the device */
    unsigned number;
    uint64_t busy_until_ns[BESIDES]; /* 0: nothing there yet */
};

static struct lane *lanes[LANES_MAX] DL__GUARDED_BY(trace_lock);
static unsigned lane_count DL__GUARDED_BY(trace_lock);
static struct device *known_devices DL__GUARDED_BY(trace_lock);
static unsigned known_device_count DL__GUARDED_BY(trace_lock);

/* ---- devices and queues ---- */

static DL__REQUIRES(trace_lock) struct device *device_of(cl_device_id id)
{
    char name[128] = "", title[160];
    struct device *device = known_devices;

    while (device && device->id != id)
        device = device->next;
    if (device)
        return device;
    device = calloc(1, sizeof *device);
    if (!device)
        return NULL;
    device->id = id;
    device->next = known_devices;
    known_devices = device;
    device->process = (int)(++known_device_count % 500) * PROCESS_IDS + getpid();
    dl__next.clGetDeviceInfo(id, CL_DEVICE_NAME, sizeof name - 1, name, NULL);
    snprintf(title, sizeof title, "device %u: %s", known_device_count, name);
    write_label("process_name", "name", device->process, 0, title);
    return device;
}

static DL__REQUIRES(trace_lock) unsigned lane_make(cl_command_queue queue,
                                                   cl_device_id id, bool own)
{
    struct device *device = device_of(id);
    struct lane *lane = NULL;
    unsigned number = 1;

    /* A handle that comes again on another device is another queue's; one of DL's own
     * goes at once. */
    for (unsigned i = 0; i < lane_count; i++)
        if (lanes[i]->queue == queue &&
            (lanes[i]->device != device || lanes[i]->own != own))
            lanes[i]->queue = NULL;
    for (unsigned i = 0; i < lane_count; i++) {
        number += lanes[i]->device == device && !lanes[i]->own;
        if (lanes[i]->device == device && lanes[i]->own == own &&
            (own || lanes[i]->queue == queue)) {
            lanes[i]->queue = queue;
            return i;
        }
    }
    if (device && lane_count < LANES_MAX)
        lane = calloc(1, sizeof *lane);
    if (!lane)
        return lane_count ? lane_count - 1 : NO_LANE;
    *lane = (struct lane){
        .queue = queue, .device = device, .own = own, .number = own ? 0 : number};
    lanes[lane_count] = lane;
    return lane_count++;
}

/* The number of a queue's lane, for a command. */
static DL__REQUIRES(trace_lock) unsigned trace_lane_of(cl_command_queue queue)
{
    cl_device_id device = NULL;

    for (unsigned i = 0; i < lane_count; i++)
        if (lanes[i]->queue == queue)
            return i;
    dl__next.clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
    return lane_make(queue, device, false);
}

/* Registered when the driver is loaded, so that it runs before the driver's own end. */
static void trace_end_at_exit(void)
{
    atexit(dl__trace_end);
}

void dl__trace_queue(cl_command_queue queue, cl_device_id device, bool own)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    if (!dl__trace_is_on() || !queue)
        return;
    pthread_once(&once, trace_end_at_exit);
    dl__mutex_lock(&trace_lock);
    lane_make(queue, device, own);
    dl__mutex_unlock(&trace_lock);
}

/* ---- clocks ---- */

/* Clocks drift apart: one that a command shows to be off goes to where it is not. */
static void keep_up(struct device *device, int64_t least_ns, int64_t most_ns)
{
    if (device->ahead_ns > most_ns + DRIFT_NS)
        device->ahead_ns = most_ns;
    if (device->ahead_ns < least_ns - DRIFT_NS)
        device->ahead_ns = least_ns;
}

/* How the device's clock stands to the host's is found out by commands: the host began to
 * enqueue one at `before_ns` (0: not known), and has seen by now that it has ended. */
static DL__REQUIRES(trace_lock) void clock_learn(unsigned number,
                                                 const struct trace_times *times,
                                                 uint64_t before_ns)
{
    struct device *device = lanes[number]->device;
    cl_ulong early = times->queued ? times->queued : times->start;
    int64_t least = (int64_t)times->end - (int64_t)trace_clock_ns();
    int64_t most = (int64_t)early - (int64_t)before_ns;

    if (before_ns == 0)
        most = INT64_MAX / 2;
    if (device->known) {
        keep_up(device, least, most);
        return;
    }
    if (!device->met || least > device->least_ns)
        device->least_ns = least;
    if (!device->met || most < device->most_ns)
        device->most_ns = most;
    device->met = true;
}

/* DL calls the driver right before it notes the command. */
static DL__REQUIRES(trace_lock) void decide_clock(struct device *device)
{
    device->known = true;
    device->ahead_ns =
        device->most_ns == INT64_MAX / 2 || device->most_ns < device->least_ns
            ? device->least_ns
            : device->most_ns;
    write_label("process_labels", "labels", device->process, 0,
                "on the host's clock by when the first commands were queued");
}

static DL__REQUIRES(trace_lock) uint64_t clock_map(unsigned number, cl_ulong device_ns)
{
    struct device *device = lanes[number]->device;

    if (!device->known)
        decide_clock(device);
    return (uint64_t)((int64_t)device_ns - device->ahead_ns);
}

/* ---- slices ---- */

/* Where a slice goes that must not overlap others. */
static DL__REQUIRES(trace_lock) void lane_place(unsigned number, struct slice *slice)
{
    struct lane *lane = lanes[number];
    unsigned beside = 0;
    char title[64];

    while (beside < BESIDES - 1 && lane->busy_until_ns[beside] > slice->start_ns)
        beside++;
    slice->process = lane->device->process;
    slice->lane = (int)((number + 1) * BESIDES + beside);
    if (lane->busy_until_ns[beside] == 0) {
        snprintf(title, sizeof title, lane->own ? "DL's own queues" : "queue %u",
                 lane->number);
        if (beside)
            snprintf(title + strlen(title), sizeof title - strlen(title),
                     ", at the same time (%u)", beside);
        write_label("thread_name", "name", slice->process, slice->lane, title);
    }
    if (slice->end_ns > lane->busy_until_ns[beside])
        lane->busy_until_ns[beside] = slice->end_ns;
}

/* ---- threads, and the calls that they are in ---- */

enum { CALLS_MAX = 8 };

/* Of a thread. A driver may call the program back inside a call, so calls nest. */
static _Thread_local struct {
    struct call {
        const char *name, *kernel; /* that it launches; NULL: none */
        uint64_t start_ns, below_ns;
        bool blocked;
        char launched[TRACE_NAME_BYTES + TRACE_ARGS_BYTES + 16];
    } calls[CALLS_MAX];
    unsigned depth;              /* may be more than CALLS_MAX */
    cl_event waits[TRACE_WAITS]; /* of the conversion to come, with references */
    unsigned wait_count;
    bool labelled;
} here;

_Thread_local struct dl__trace_said dl__trace_said;

static DL__REQUIRES(trace_lock) void label_process(void)
{
    static bool labelled;
    const char *rank = dl_environment_rank();
    char title[96];

    if (labelled)
        return;
    labelled = true;
    snprintf(title, sizeof title, "%.40s%s%.20s (host)", program_invocation_short_name,
             rank ? ", rank " : "", rank ? rank : "");
    write_label("process_name", "name", getpid(), 0, title);
    write_label("process_labels", "labels", getpid(), 0,
                "DL's part of the program's calls; the clock is "
                "CLOCK_MONOTONIC");
}

/* The process and this thread as lanes. */
static DL__REQUIRES(trace_lock) void host_lane(struct slice *slice)
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
    write_label("thread_name", "name", slice->process, slice->lane, title);
}

static struct call *call_here(void)
{
    return here.depth > 0 && here.depth <= CALLS_MAX ? &here.calls[here.depth - 1] : NULL;
}

/* The program's call on this thread; NULL: none. */
static const char *trace_call_name(void)
{
    return call_here() ? call_here()->name : NULL;
}

/* ---- commands whose times are still to be read, as they were enqueued ---- */

/* Some 7 MB at most. Now and then the oldest are looked at. */
enum { PENDING_FIRST = 256, PENDING_MAX = 16384, SETTLED_EVERY = 64, UNDER_WAY_MAX = 64 };

static struct trace_command *pending DL__GUARDED_BY(trace_lock);
static unsigned pending_room DL__GUARDED_BY(trace_lock);
static unsigned pending_count DL__GUARDED_BY(trace_lock);
static unsigned since_settled DL__GUARDED_BY(trace_lock);
static uint64_t left_out DL__GUARDED_BY(trace_lock);

static void let_go(struct trace_command *command)
{
    if (command->first)
        dl__next.clReleaseEvent(command->first);
    if (command->last)
        dl__next.clReleaseEvent(command->last);
    for (unsigned i = 0; i < command->wait_count; i++)
        if (command->waits[i])
            dl__next.clReleaseEvent(command->waits[i]);
}

static bool read_time(cl_event event, cl_profiling_info what, cl_ulong *ns)
{
    *ns = 0;
    return dl__next.clGetEventProfilingInfo(event, what, sizeof *ns, ns, NULL) ==
           CL_SUCCESS;
}

/* Whether it has ended; then with its times, where they are told. */
static DL__REQUIRES(trace_lock) bool has_ended(struct trace_command *command)
{
    struct trace_times *times = &command->times;
    cl_int status = dl__event_status(command->last);

    *times = (struct trace_times){0};
    if (status > CL_COMPLETE)
        return false;
    if (status < CL_COMPLETE)
        return true; /* it was cancelled: it did not run */
    if (!read_time(command->first, CL_PROFILING_COMMAND_START, &times->start) ||
        !read_time(command->last, CL_PROFILING_COMMAND_END, &times->end) ||
        times->end == 0 || times->end < times->start) {
        times->end = 0;
        left_out++;
        return true;
    }
    read_time(command->first, CL_PROFILING_COMMAND_QUEUED, &times->queued);
    clock_learn(command->lane, times, command->before_ns);
    return true;
}

/* From when it was queued until the last of what DL made it wait for was over. */
static DL__REQUIRES(trace_lock) void write_wait(const struct trace_command *command,
                                                const struct slice *placed)
{
    struct slice slice = *placed;
    cl_ulong latest = 0, end;
    char args[TRACE_NAME_BYTES + 64];

    for (unsigned i = 0; i < command->wait_count; i++)
        if (read_time(command->waits[i], CL_PROFILING_COMMAND_END, &end) && end > latest)
            latest = end;
    if (latest > command->times.start)
        latest = command->times.start;
    if (command->times.queued == 0 || latest <= command->times.queued)
        return;
    snprintf(args, sizeof args, "\"command\":\"%s\",\"events\":%u", command->name,
             command->wait_count);
    slice.category = "wait";
    slice.name = "wait that DL added";
    slice.args = args;
    slice.start_ns = clock_map(command->lane, command->times.queued);
    slice.end_ns = clock_map(command->lane, latest);
    write_beside(&slice);
}

static DL__REQUIRES(trace_lock) void write_command(struct trace_command *command)
{
    const struct trace_times *times = &command->times;
    struct slice slice = {
        .category = command->category, .name = command->name, .args = command->args};

    slice.start_ns = clock_map(command->lane, times->start);
    slice.end_ns = clock_map(command->lane, times->end);
    put_speed(command->args, sizeof command->args, command->bytes,
              times->end - times->start);
    lane_place(command->lane, &slice);
    write_slice(&slice);
    if (command->host_ns)
        write_arrow(command, &slice);
    if (command->wait_count)
        write_wait(command, &slice);
}

/* Looks at commands, the oldest first, until `most` of them are found to be pending. All
 * that have ended set the relation of the clocks before the first is written. */
static DL__REQUIRES(trace_lock) void settle(unsigned most)
{
    unsigned kept = 0, looked = 0;

    for (unsigned waiting = 0; looked < pending_count && waiting < most; looked++) {
        pending[looked].ended = has_ended(&pending[looked]);
        waiting += !pending[looked].ended;
    }
    for (unsigned i = 0; i < pending_count; i++) {
        if (i >= looked || !pending[i].ended) {
            if (kept != i)
                pending[kept] = pending[i];
            kept++;
            continue;
        }
        if (pending[i].times.end)
            write_command(&pending[i]);
        let_go(&pending[i]);
    }
    pending_count = kept;
    since_settled = 0;
}

/* False: there is none. */
static DL__REQUIRES(trace_lock) bool make_room(void)
{
    unsigned more_room = pending_room ? 2 * pending_room : PENDING_FIRST;
    struct trace_command *more;

    if (since_settled >= SETTLED_EVERY)
        settle(UNDER_WAY_MAX);
    if (pending_count < pending_room)
        return true;
    if (more_room > PENDING_MAX)
        return false;
    more = realloc(pending, more_room * sizeof *more);
    if (!more)
        return false;
    pending = more;
    pending_room = more_room;
    return true;
}

/* Takes references to the events of its own. */
static DL__REQUIRES(trace_lock) void trace_pend(const struct trace_command *command)
{
    struct trace_command *own;
    struct slice call;

    if (command->lane == NO_LANE || !make_room()) {
        left_out++;
        return;
    }
    since_settled++;
    own = &pending[pending_count];
    *own = *command;
    if (trace_call_name()) {
        host_lane(&call);
        own->host_process = call.process;
        own->host_lane = call.lane;
        own->host_ns = command->before_ns ? command->before_ns : trace_clock_ns();
    }
    own->first = dl__event_share(command->first);
    own->last = dl__event_share(command->last);
    own->wait_count = 0;
    for (unsigned i = 0; i < command->wait_count; i++) {
        own->waits[own->wait_count] = dl__event_share(command->waits[i]);
        own->wait_count += own->waits[own->wait_count] != NULL;
    }
    if (own->first && own->last) {
        pending_count++;
        return;
    }
    let_go(own);
    left_out++;
}

static void pend_on(cl_command_queue queue, struct trace_command *command)
{
    dl__mutex_lock(&trace_lock);
    command->lane = trace_lane_of(queue);
    trace_pend(command);
    dl__mutex_unlock(&trace_lock);
}

/* Lets go of all that is left, which will not be told. */
static DL__REQUIRES(trace_lock) void pending_drop(void)
{
    if (left_out)
        dl__log(DL__LOG_WARNING,
                "%llu commands are missing from the trace: the driver did not tell their "
                "times, or too many were pending",
                (unsigned long long)left_out);
    left_out = 0;
    for (unsigned i = 0; i < pending_count; i++)
        let_go(&pending[i]);
    pending_count = 0;
}

unsigned dl__trace_references(cl_event event)
{
    unsigned count = 0;

    if (!dl__trace_is_on())
        return 0;
    dl__mutex_lock(&trace_lock);
    for (unsigned i = 0; i < pending_count; i++) {
        count += (pending[i].first == event) + (pending[i].last == event);
        for (unsigned w = 0; w < pending[i].wait_count; w++)
            count += pending[i].waits[w] == event;
    }
    dl__mutex_unlock(&trace_lock);
    return count;
}

enum { QUOTED_BYTES = 40 };

enum { BUILD_NS_MIN = 50 * 1000 }; /* below, nothing was built */

atomic_bool dl__trace_on;

/* ---- slices of the host ---- */

static void put_slice(const char *category, const char *name, const char *args,
                      uint64_t start_ns, bool beside)
{
    struct slice slice = {.category = category,
                          .name = name,
                          .args = args,
                          .start_ns = start_ns,
                          .end_ns = trace_clock_ns()};

    dl__mutex_lock(&trace_lock);
    host_lane(&slice);
    if (beside)
        write_beside(&slice);
    else
        write_slice(&slice);
    dl__mutex_unlock(&trace_lock);
}

uint64_t dl__trace_now(void)
{
    return dl__trace_is_on() ? trace_clock_ns() : 0;
}

/* Says which call a slice of this thread is for: "for":"clFinish"; "" outside calls. */
static const char *what_for(char *args, size_t bytes, const char *kernels)
{
    const struct call *call = call_here();
    char quoted[TRACE_ARGS_BYTES];

    *args = '\0';
    if (!kernels && call)
        kernels = call->kernel;
    if (kernels)
        trace_quote(quoted, sizeof quoted, kernels);
    if (call || kernels)
        snprintf(args, bytes, "\"for\":\"%s%s%s\"", call ? call->name : "",
                 call && kernels ? " of " : "", kernels ? quoted : "");
    return args;
}

/* Something of DL's took this thread from `start_ns` until now: category and name are
 * plain words. What it was for is the program's call, unless `kernels` names them. A
 * build that took no time was none. */
static void trace_span(const char *category, const char *name, const char *kernels,
                       uint64_t start_ns, bool beside)
{
    char args[TRACE_ARGS_BYTES + 64];

    if (dl__trace_is_on() && start_ns)
        put_slice(category, name, what_for(args, sizeof args, kernels), start_ns, beside);
}

void dl__trace_build(const char *name, uint64_t start_ns)
{
    if (start_ns && trace_clock_ns() - start_ns >= BUILD_NS_MIN)
        trace_span("build", name, NULL, start_ns, false);
}

void dl__trace_built(const char *name, uint64_t start_ns)
{
    trace_span("build", name, NULL, start_ns, true);
}

/* ---- the program's calls ---- */

void dl__trace_note_call_begin(const char *name)
{
    here.depth++;
    if (call_here()) {
        call_here()->name = name;
        call_here()->kernel = NULL;
        call_here()->start_ns = trace_clock_ns();
        call_here()->below_ns = 0;
        call_here()->blocked = false;
        *call_here()->launched = '\0';
    }
    dl__trace_said.added_count = 0;
    dl__trace_said.launch = false;
}

void dl__trace_note_call_end(void)
{
    const struct call *call;
    char args[sizeof here.calls->launched + 96];
    uint64_t all_ns, own_ns;

    if (here.depth == 0 || --here.depth >= CALLS_MAX)
        return;
    call = &here.calls[here.depth];
    all_ns = trace_clock_ns() - call->start_ns;
    own_ns = all_ns > call->below_ns ? all_ns - call->below_ns : 0;
    snprintf(args, sizeof args,
             "%s%s\"driver_us\":" THOUSANDTHS ",\"dl_us\":" THOUSANDTHS, call->launched,
             *call->launched ? "," : "", AS_THOUSANDTHS(call->below_ns),
             AS_THOUSANDTHS(own_ns));
    put_slice("call", call->name, args, call->start_ns, false);
    if (call->blocked)
        dl__trace_settle();
}

void dl__trace_note_call_about(const char *kernel)
{
    if (call_here())
        call_here()->kernel = kernel;
}

/* Adds the driver's part of the call; `blocked`: the call has waited for the device. */
static void trace_call_below(uint64_t ns, bool blocked)
{
    struct call *call = call_here();

    if (!call)
        return;
    call->below_ns += ns;
    call->blocked |= blocked;
}

/* True of a command of this name that stands for the program's call. */
static bool trace_is_the_programs(const char *name)
{
    const char *call = trace_call_name();

    return dl__trace_said.own == 0 && (!call || strcmp(call, name) == 0);
}

/* True when DL added the event to a wait list since the call began. */
static bool trace_is_added(cl_event event)
{
    for (unsigned i = 0; i < dl__trace_said.added_count && i < DL__TRACE_ADDED_MAX; i++)
        if (dl__trace_said.added[i] == event)
            return true;
    return false;
}

/* ---- buffers ---- */

/* Its name as JSON; it may be cut short. */
static void quote_buffer(unsigned id, char *quoted)
{
    const char *name = dl__stats_buffer_name(id);

    trace_quote(quoted, QUOTED_BYTES, name ? name : "buffer");
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
    for (cl_uint i = 0; i < count && here.wait_count < TRACE_WAITS; i++) {
        here.waits[here.wait_count] = dl__event_share(list[i]);
        here.wait_count += here.waits[here.wait_count] != NULL;
    }
}

void dl__trace_conversion(cl_command_queue queue, unsigned buffer, struct dl_layout from,
                          struct dl_layout to, uint64_t bytes, cl_event first,
                          cl_event done)
{
    struct trace_command command = {
        .first = first, .last = done, .category = "conversion", .bytes = bytes};
    char name[QUOTED_BYTES], was[24], is[24];

    if (!dl__trace_is_on() || !first || !done)
        return;
    dl__stats_print_layout(was, sizeof was, from);
    dl__stats_print_layout(is, sizeof is, to);
    quote_buffer(buffer, name);
    snprintf(command.name, sizeof command.name, "%s: %s to %s", name, was, is);
    snprintf(command.args, sizeof command.args,
             "\"buffer\":\"%s\",\"number\":%u,\"from\":\"%s\",\"to\":\"%s\"", name,
             buffer, was, is);
    command.wait_count = here.wait_count;
    memcpy(command.waits, here.waits, sizeof command.waits);
    pend_on(queue, &command);
    let_go_of_waits();
}

void dl__trace_part(cl_command_queue queue, unsigned buffer, bool gathered,
                    uint64_t bytes, cl_event event)
{
    struct trace_command command = {
        .first = event, .last = event, .category = "part", .bytes = bytes};
    char name[QUOTED_BYTES];

    if (!dl__trace_is_on() || !event)
        return;
    quote_buffer(buffer, name);
    snprintf(command.name, sizeof command.name, "%s: %s a part", name,
             gathered ? "gather" : "scatter");
    snprintf(command.args, sizeof command.args, "\"buffer\":\"%s\",\"number\":%u", name,
             buffer);
    pend_on(queue, &command);
}

/* ---- the end ---- */

void dl__trace_settle(void)
{
    if (!dl__trace_is_on())
        return;
    dl__mutex_lock(&trace_lock);
    settle(PENDING_MAX);
    write_out();
    dl__mutex_unlock(&trace_lock);
}

void dl__trace_end(void)
{
    if (!atomic_exchange(&dl__trace_on, false))
        return;
    dl__mutex_lock(&trace_lock);
    settle(PENDING_MAX);
    pending_drop();
    write_end();
    dl__mutex_unlock(&trace_lock);
}

/* ---- functions in place of the driver's ----
 *
 * Each calls the driver's and notes the command with its event, of which the program and
 * DL see nothing. */

/* Those that wait: X(result, name, (parameters), (arguments)). */
#define WAITING_MAP(X)                                                                   \
    X(cl_int, clWaitForEvents, (cl_uint count, const cl_event *list), (count, list))     \
    X(cl_int, clFinish, (cl_command_queue queue), (queue))

static cl_icd_dispatch below;
static bool inserted;

const cl_icd_dispatch *dl__trace_below(void)
{
    return inserted ? &below : &dl__next;
}

static uint64_t region_bytes(const size_t *region)
{
    return region ? (uint64_t)region[0] * region[1] * region[2] : 0;
}

/* ---- commands ---- */

struct watch {
    const char *name;
    cl_command_queue queue;
    cl_event own, *event;
    uint64_t bytes; /* that it moves; 0: that is not known */
    uint64_t before_ns;
    bool blocks;
    cl_kernel kernel; /* of a launch, with its sizes; NULL: it is none */
    cl_uint work_dim;
    const size_t *global;
};

/* How each begins, by the parameters of the command. */
#define WATCH_clEnqueueNDRangeKernel                                                     \
    .kernel = kernel, .work_dim = work_dim, .global = global
#define WATCH_clEnqueueTask .kernel = kernel
#define WATCH_clEnqueueNativeKernel .bytes = 0
#define WATCH_clEnqueueReadBuffer .bytes = bytes, .blocks = blocking
#define WATCH_clEnqueueWriteBuffer .bytes = bytes, .blocks = blocking
#define WATCH_clEnqueueReadBufferRect .bytes = region_bytes(region), .blocks = blocking
#define WATCH_clEnqueueWriteBufferRect .bytes = region_bytes(region), .blocks = blocking
#define WATCH_clEnqueueReadImage .blocks = blocking
#define WATCH_clEnqueueWriteImage .blocks = blocking
#define WATCH_clEnqueueCopyBuffer .bytes = bytes
#define WATCH_clEnqueueCopyBufferRect .bytes = region_bytes(region)
#define WATCH_clEnqueueFillBuffer .bytes = bytes
#define WATCH_clEnqueueCopyBufferToImage .bytes = 0
#define WATCH_clEnqueueCopyImageToBuffer .bytes = 0
#define WATCH_clEnqueueCopyImage .bytes = 0
#define WATCH_clEnqueueFillImage .bytes = 0
#define WATCH_clEnqueueMapBuffer .bytes = bytes, .blocks = blocking
#define WATCH_clEnqueueMapImage .blocks = blocking
#define WATCH_clEnqueueUnmapMemObject .bytes = 0
#define WATCH_clEnqueueMigrateMemObjects .bytes = 0

/* Where the driver is to put the event. */
static cl_event *watch_begin(struct watch *watch, cl_event *event)
{
    watch->event = event ? event : &watch->own;
    watch->before_ns = trace_clock_ns();
    return watch->event;
}

static const char compares[] = ", to compare";

static void name_command(const struct watch *watch, struct trace_command *command)
{
    char text[TRACE_NAME_BYTES] = "", layout[24];
    int used;
    bool rewritten, programs = trace_is_the_programs(watch->name);

    command->category = programs ? watch->kernel ? "launch" : "transfer" : "dl";
    if (!watch->kernel) {
        trace_quote(command->name, sizeof command->name, watch->name);
        if (!programs && trace_call_name())
            snprintf(command->args, sizeof command->args, "\"for\":\"%s\"",
                     trace_call_name());
        return;
    }
    if (below.clGetKernelInfo(watch->kernel, CL_KERNEL_FUNCTION_NAME, sizeof text - 1,
                              text, NULL) != CL_SUCCESS)
        snprintf(text, sizeof text, "(a kernel)");
    trace_quote(command->name, sizeof command->name - sizeof compares, text);
    rewritten = programs && dl__trace_said.launch;
    if (rewritten)
        dl__stats_print_layout(layout, sizeof layout, dl__trace_said.layout);
    dl__trace_said.launch &= !programs;
    used = snprintf(command->args, sizeof command->args,
                    "\"runs\":\"%s%s\",\"work_items\":\"%zu",
                    !programs   ? "on copies, to compare"
                    : rewritten ? "rewritten for "
                                : "as written",
                    rewritten ? layout : "", watch->global ? watch->global[0] : 1);
    for (cl_uint d = 1; d < watch->work_dim && watch->global; d++)
        used += snprintf(command->args + used, sizeof command->args - (size_t)used,
                         "x%zu", watch->global[d]);
    strcat(command->args, "\"");
    if (!programs)
        strcat(command->name, compares);
    else if (call_here())
        snprintf(call_here()->launched, sizeof call_here()->launched,
                 "\"kernel\":\"%s\",%s", command->name, command->args);
}

static void watch_end(struct watch *watch, bool done, cl_uint wait_count,
                      const cl_event *wait)
{
    struct trace_command command = {.bytes = watch->bytes, .before_ns = watch->before_ns};

    trace_call_below(trace_clock_ns() - watch->before_ns, watch->blocks);
    if (done && dl__trace_is_on() && *watch->event) {
        name_command(watch, &command);
        command.first = command.last = *watch->event;
        for (cl_uint i = 0; i < wait_count && command.wait_count < TRACE_WAITS; i++)
            if (trace_is_added(wait[i]))
                command.waits[command.wait_count++] = wait[i];
        pend_on(watch->queue, &command);
    }
    if (watch->own)
        below.clReleaseEvent(watch->own);
}

/* A map gives a pointer, where it is made. */
#define IS_DONE(returned)                                                                \
    _Generic((returned), cl_int : (returned) == 0, default : (returned) != 0)

#define X(result, function, parameters, arguments)                                       \
    static result CL_API_CALL watched_##function parameters                              \
    {                                                                                    \
        struct watch watch = {.name = #function, .queue = queue, WATCH_##function};      \
        result returned;                                                                 \
                                                                                         \
        event = watch_begin(&watch, event);                                              \
        returned = below.function arguments;                                             \
        watch_end(&watch, IS_DONE(returned), wait_count, wait);                          \
        return returned;                                                                 \
    }
DL_COMMAND_MAP(X)
#undef X

/* ---- waits and builds ---- */

static void note_wait(const char *name, uint64_t start_ns)
{
    bool own = dl__trace_said.own_wait;

    dl__trace_said.own_wait = false;
    trace_call_below(trace_clock_ns() - start_ns, true);
    if (own || !trace_is_the_programs(name))
        trace_span("wait", own ? "the program's wait" : "wait that DL added", NULL,
                   start_ns, false);
}

/* With the kernels that it has, where it is one that can tell and they are not many. */
static void note_build(const char *name, cl_program program, uint64_t start_ns)
{
    char kernels[1024] = "";
    bool told;

    trace_call_below(trace_clock_ns() - start_ns, false);
    told = program &&
           below.clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof kernels - 1,
                                  kernels, NULL) == CL_SUCCESS;
    trace_span("build",
               trace_is_the_programs(name) ? "build of the program"
                                           : "the driver builds it",
               told ? kernels : NULL, start_ns, false);
}

/* `note` is told of the call, with what it has `returned`. */
#define WATCHED(result, function, parameters, arguments, note)                           \
    static result CL_API_CALL watched_##function parameters                              \
    {                                                                                    \
        uint64_t start_ns = trace_clock_ns();                                            \
        result returned = below.function arguments;                                      \
                                                                                         \
        note;                                                                            \
        return returned;                                                                 \
    }
#define WAIT(result, function, parameters, arguments)                                    \
    WATCHED(result, function, parameters, arguments, note_wait(#function, start_ns))
#define BUILD(result, function, parameters, arguments)                                   \
    WATCHED(result, function, parameters, arguments,                                     \
            note_build(#function, returned == CL_SUCCESS ? handle : NULL, start_ns))
#define LINK(result, function, parameters, arguments)                                    \
    WATCHED(result, function, parameters, arguments,                                     \
            note_build(#function, returned, start_ns))
WAITING_MAP(WAIT)
DL_BUILD_MAP(BUILD)
DL_clLinkProgram(LINK)

    /* ---- in place ---- */

    static void replace_all(cl_icd_dispatch *next)
{
#define X(result, function, ...)                                                         \
    if (next->function)                                                                  \
        next->function = watched_##function;
    DL_COMMAND_MAP(X)
    WAITING_MAP(X)
    DL_BUILD_MAP(X)
    DL_clLinkProgram(X)
#undef X
}

void dl__trace_insert(cl_icd_dispatch *next)
{
    struct dl_option_value path;
    char wrong[DL_OPTION_TEXT_BYTES];

    /* A wrong value is said where all options are read. */
    if (dl_option_read(DL_OPTION_trace, &path, wrong) == DL_OK && path.text) {
        below = *next;
        replace_all(next);
        inserted = true;
        pthread_atfork(NULL, NULL, trace_stop); /* the file is the parent's */
        trace_end_at_exit();                    /* of programs without a queue */
        atomic_store(&dl__trace_on, true);
    }
    dl_option_value_free(&path);
}
